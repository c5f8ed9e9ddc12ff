"""The net of a rule set in C or, without a compiler, by the reference.

Invariant: both give the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from ...model.board import bits
from ...runtime import limits
from ...runtime.lazy import cached_property
from ..readings import Mask
from ..units import Units
from .reference import EVER, Chain, Net, Node, Part, Reader, cost_of, stated_parts

try:
    from . import _net
except ImportError:  # built without a compiler: the reference serves
    AVAILABLE = False
else:
    AVAILABLE = True


class _InC(Reader):
    """Parts that C reads."""

    @cached_property
    def _net(self) -> _net.Handle:
        is_reader = not isinstance(self, Net)
        return _net.open(array("i", _numbers_of(self.units, self.parts, is_reader=is_reader)))

    def _read(self, part: int, live: Mask) -> Mask:
        return int.from_bytes(_net.struck(self._net, part, self._bits(live)), "little")

    def _bits(self, candidates: Mask) -> bytes:
        return candidates.to_bytes((self.units.constraints.variables + 7) // 8, "little")


class CompiledReader(_InC):
    """Parts alone."""


class CompiledNet(_InC, Net):
    """The same, searched in C."""

    def refute(self, live: Mask, tried: Mask, rounds: int = EVER) -> list[Chain]:
        return _chains(
            _net.refute(self._net, self._bits(live), self._bits(tried), limits.check, rounds)
        )

    def by_cases(self, live: Mask, tried: Mask, few: int) -> list[Chain]:
        return _chains(
            _net.by_cases(self._net, self._bits(live), self._bits(tried), limits.check, few)
        )

    def chains(self, live: Mask, tried: Mask) -> list[Chain]:
        return _chains(_net.chains(self._net, self._bits(live), self._bits(tried), limits.check))


@lru_cache(maxsize=16)
def reader_of(units: Units) -> Reader:
    """What clues state, part by part: opened far sooner than a net, of which these are the first
    parts."""
    return (CompiledReader if AVAILABLE else Reader)(units, stated_parts(units))


@lru_cache(maxsize=16)
def net_of(units: Units, *, is_joint: bool = False) -> Net:
    """The net of a rule set, or that with its houses; built once and cached."""
    return (CompiledNet if AVAILABLE else Net)(units, is_joint=is_joint)


def _numbers_of(units: Units, parts: tuple[Part, ...], *, is_reader: bool = False) -> Iterator[int]:
    """What `open_net` reads: lists as their length and their items. Candidates, and those of a
    cell; the groups' units, then the groups; for each candidate what its truth excludes, with the
    unit; the parts of clues. is_reader: only these."""
    groups = () if is_reader else units.groups
    places = {group.number: place for place, group in enumerate(groups)}
    yield from (units.constraints.variables, units.size, len(groups))
    yield from (group.number for group in groups)
    yield from chain.from_iterable(listed_numbers(bits(group.candidates)) for group in groups)
    for met in [()] * len(units.rivals) if is_reader else units.rivals:
        beside = [number for unit, others in met for o in bits(others) for number in (o, unit)]
        yield from (len(beside) // 2, *beside)
    yield len(parts)
    for part in parts:
        yield from _part(part)
        yield from (places[unit] for unit in part.named) if part.outside else (-1, -1)


def _part(part: Part) -> list[int]:
    """The unit and its members; the candidates that need others, and these; for each cell of the
    automaton: the cell, the number of states behind it, and its ways: the state before it, the
    candidate, the state behind it; the total of a sum, and for each segment its weight, its
    cells, and what the first ones add up to. Behind that come the places of two groups that
    overlap."""
    found = [part.unit, *listed_numbers(bits(part.members))]
    found += listed_numbers(candidate for candidate, _ in part.supports)
    for _, others in part.supports:
        found += listed_numbers(bits(others))
    reading, said = part.reading, part.of_sum
    layers = list(zip(reading.cells, reading.layers, strict=True)) if reading else []
    found.append(len(layers))
    for cell, ways in layers:
        found += (cell, 1 + max([after for _, _, after in ways], default=0), len(ways))
        for state, candidate, after in ways:
            found += (state, candidate.bit_length() - 1, after)
    found += (said.total, len(said.segments)) if said else (0, 0)
    for segment in said.segments if said else ():
        found += (segment.weight, *listed_numbers(segment.cells))
        found += segment.firsts or (0,) * len(segment.cells)
    return found


def listed_numbers(items: Iterable[int]) -> list[int]:
    """How many there are, then these."""
    found = list(items)
    return [len(found), *found]


def _chains(numbers: bytes) -> list[Chain]:
    """The chains that C has written one after the other."""
    read = array("i", numbers).tolist()
    chains: list[Chain] = []
    at = 0
    while at < len(read):
        found, at = _chain(read, at)
        chains.append(found)
    return sorted(chains, key=cost_of)


def _chain(read: list[int], at: int) -> tuple[Chain, int]:
    """The nodes up to a contradiction, and where the next one begins; a case is behind its node."""
    nodes: list[Node] = []
    candidate = 0
    while candidate >= 0:
        candidate, holds, unit, parents = read[at : at + 4]
        at += 5 + parents
        found = tuple(read[at - 1 - parents : at - 1])
        case: Chain = ()
        if read[at - 1]:
            case, at = _chain(read, at)
        nodes.append(Node(candidate, holds == 1, unit, found, case))
    return tuple(nodes), at
