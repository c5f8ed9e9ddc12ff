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
from ..readings import Mask
from ..units import Units
from .reference import EVER, Chain, Net, Node, Part, cost_of

try:
    from . import _net
except ImportError:  # built without a compiler: the reference serves
    AVAILABLE = False
else:
    AVAILABLE = True


class CompiledNet(Net):
    """The same, searched in C."""

    def __init__(self, units: Units, *, is_joint: bool = False) -> None:
        super().__init__(units, is_joint=is_joint)
        self._bytes = (units.constraints.variables + 7) // 8
        self._net = _net.open(array("i", _numbers_of(units, self.parts)))

    def _read(self, part: int, live: Mask) -> Mask:
        return int.from_bytes(_net.struck(self._net, part, self._bits(live)), "little")

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

    def _bits(self, candidates: Mask) -> bytes:
        return candidates.to_bytes(self._bytes, "little")


@lru_cache(maxsize=16)
def net_of(units: Units, *, is_joint: bool = False) -> Net:
    """The net of a rule set, or that with its houses; built once and cached."""
    return (CompiledNet if AVAILABLE else Net)(units, is_joint=is_joint)


def _numbers_of(units: Units, parts: tuple[Part, ...]) -> Iterator[int]:
    """What `open_net` reads: lists as their length and their items. Candidates, and those of a
    cell; the groups' units, then the groups; for each candidate what its truth excludes, with the
    unit; the parts of clues."""
    yield from (units.constraints.variables, units.size, len(units.groups))
    yield from (group.number for group in units.groups)
    yield from chain.from_iterable(_listed(bits(group.candidates)) for group in units.groups)
    for met in units.rivals:
        beside = [number for unit, others in met for o in bits(others) for number in (o, unit)]
        yield from (len(beside) // 2, *beside)
    yield len(parts)
    for part in parts:
        yield from _part(part)


def _part(part: Part) -> Iterator[int]:
    """The unit and its members; the candidates that need others, and these; for each cell of the
    automaton: the cell, the number of states behind it, and its ways: the state before it, the
    candidate, the state behind it; the total of a sum, and for each segment its weight, its
    cells, and what the first ones add up to; what each of two groups has beside their overlap."""
    yield part.unit
    yield from _listed(bits(part.members))
    yield from _listed(candidate for candidate, _ in part.supports)
    yield from chain.from_iterable(_listed(bits(others)) for _, others in part.supports)
    reading, said = part.reading, part.of_sum
    layers = list(zip(reading.cells, reading.layers, strict=True)) if reading else []
    yield len(layers)
    for cell, ways in layers:
        yield from (cell, 1 + max((after for _, _, after in ways), default=0), len(ways))
        for state, candidate, after in ways:
            yield from (state, candidate.bit_length() - 1, after)
    yield said.total if said else 0
    yield len(said.segments) if said else 0
    for segment in said.segments if said else ():
        yield segment.weight
        yield from _listed(segment.cells)
        yield from segment.firsts or (0,) * len(segment.cells)
    for outside in part.outside or (0, 0):
        yield from _listed(bits(outside))


def _listed(items: Iterable[int]) -> list[int]:
    found = list(items)
    return [len(found), *found]


def _chains(numbers: bytes) -> list[Chain]:
    """The chains that C has written one after the other, each up to its contradiction."""
    read = iter(array("i", numbers))
    chains: list[Chain] = []
    nodes: list[Node] = []
    for candidate in read:
        nodes.append(_node(candidate, read))
        if candidate < 0:
            chains.append(tuple(nodes))
            nodes.clear()
    return sorted(chains, key=cost_of)


def _node(candidate: int, read: Iterator[int]) -> Node:
    """A node with its case, whose nodes come behind it."""
    holds, unit, parents = next(read), next(read), next(read)
    found = tuple(next(read) for _ in range(parents))
    case = tuple(_node(next(read), read) for _ in range(next(read)))
    return Node(candidate, bool(holds), unit, found, case)
