"""Chains of one strand: a candidate that is true excludes others, and of two that are left in a
group one is true if the other is not.

Invariant: of all chains of a kind those with the fewest links are found, the first candidate first.
A true candidate that leads to one that it excludes is wrong; a false one that leads to itself is
true. (Sudoku Explainer's forcing chains of one strand; patterns of strong links are short ones.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import islice, pairwise

from ...model.board import bits, mask_of
from ..readings import Mask
from ..techniques import State
from ..units import Unit, Units
from .reference import SUPPOSED, Chain, Node

MOST_LINKS = 24


def chains_of_digit(units: Units, digit: int, live: Mask) -> Iterator[Chain]:
    """Those on a digit, the n-th, of which these candidates are left: all of the fewest links, as
    they may differ."""
    pairs = _pairs((unit, unit.candidates & live) for unit in _groups_of(units)[digit])
    return _Found(units, live, pairs, wants_all=True).chains()


def mixed_chains(state: State) -> Iterator[Chain]:
    """Those of the fewest links, one for each supposed literal."""
    return _Found(state.units, state.live, _pairs(state.open_groups), wants_all=False).chains()


def _pairs(groups: Iterable[tuple[Unit, Mask]]) -> list[tuple[Unit, Mask]]:
    """Groups with two candidates; lines before boxes: what is in both is told of the line."""
    pairs = ((unit, left) for unit, left in groups if left.bit_count() == 2)
    return sorted(pairs, key=lambda pair: pair[0].family == "box")


@lru_cache(maxsize=16)
def _groups_of(units: Units) -> list[list[Unit]]:
    """For each digit the groups of houses that are about it."""
    found: list[list[Unit]] = [[] for _ in range(units.size)]
    for unit in units.groups:
        if unit.digit is not None:
            found[(unit.candidates.bit_length() - 1) % units.size].append(unit)
    return found


class _Found:
    """Chains by some of the pairs. beside: for each candidate of one the others, that are true if
    it is not. wants_all: each chain of the fewest links, not one for each start."""

    def __init__(
        self, units: Units, live: Mask, pairs: list[tuple[Unit, Mask]], *, wants_all: bool
    ) -> None:
        self.units, self.live, self.pairs, self.wants_all = units, live, pairs, wants_all
        self.beside: dict[int, Mask] = {}
        for _, left in pairs:
            for candidate in bits(left):
                self.beside[candidate] = self.beside.get(candidate, 0) | left ^ 1 << candidate

    @cached_property
    def _follow(self) -> dict[int, Mask]:
        """For each candidate those that are true if it is, by one candidate between."""
        strong = mask_of(self.beside)
        return {
            candidate: self._true_by(self.units.excluded[candidate] & strong)
            for candidate in bits(self.live)
        }

    def _true_by(self, false: Mask) -> Mask:
        found = 0
        for candidate in bits(false):
            found |= self.beside[candidate]
        return found

    def chains(self) -> Iterator[Chain]:
        """Those of the fewest links, two or more."""
        met = {(c, True): [1 << c] for c in bits(self.live)} if self.beside else {}
        met |= {(c, False): [found] for c, found in self.beside.items()}
        for links in range(MOST_LINKS):
            ends = {
                literal: end
                for literal, layers in met.items()
                if (end := self._end(*literal, layers[-1]))
            }
            told = [literal for literal in ends if links > literal[1]]  # else two places point
            for literal in told:
                yield from self._told(*literal, met[literal][:-1], ends[literal])
            if told:
                return
            met = {
                literal: layers
                for literal, layers in met.items()
                if literal not in ends and self._extend(layers)
            }

    def _end(self, candidate: int, holds: bool, last: Mask) -> Mask:
        """Those of the last that are true and make the supposed literal wrong."""
        return last & (self.units.excluded[candidate] if holds else 1 << candidate)

    def _extend(self, layers: list[Mask]) -> Mask:
        """Add what is newly true; whether anything is."""
        new = 0
        for candidate in bits(layers[-1]):
            new |= self._follow[candidate]
        for each in layers:
            new &= ~each
        layers.append(new)
        return new

    def _told(self, candidate: int, holds: bool, layers: list[Mask], ends: Mask) -> Iterator[Chain]:
        ways = (way for end in bits(ends) for way in self._ways(layers, end))
        for way in ways if self.wants_all else islice(ways, 1):
            yield self._chain(candidate, holds, way)

    def _ways(self, layers: list[Mask], end: int) -> Iterator[tuple[int, ...]]:
        """The candidates that are true in turn, up to the end."""
        if not layers:
            yield (end,)
            return
        for before in bits(layers[-1]):
            if self._follow[before] >> end & 1:
                yield from ((*way, end) for way in self._ways(layers[:-1], before))

    def _chain(self, candidate: int, holds: bool, true: tuple[int, ...]) -> Chain:
        """The supposed literal, and what is true in turn, with what is false between."""
        nodes = [Node(candidate, holds, SUPPOSED, ())]
        if not holds:
            self._add_true(nodes, true[0])
        for one, other in pairwise(true):
            between = self.beside[other] & self.units.excluded[one]
            self._add_false(nodes, (between & -between).bit_length() - 1)
            self._add_true(nodes, other)
        if holds:
            self._add_false(nodes, true[-1], 0)
            return (*nodes, Node(-1, False, nodes[-1].unit, (len(nodes) - 2, len(nodes) - 1)))
        return (*nodes, Node(-1, False, SUPPOSED, (0, len(nodes) - 1)))

    def _add_true(self, nodes: list[Node], candidate: int) -> None:
        both = 1 << candidate | 1 << nodes[-1].candidate
        unit = next(unit.number for unit, left in self.pairs if left == both)
        nodes.append(Node(candidate, True, unit, (len(nodes) - 1,)))

    def _add_false(self, nodes: list[Node], candidate: int, by: int = -1) -> None:
        parent = by % len(nodes)
        met = self.units.rivals[nodes[parent].candidate]
        unit = next(unit for unit, others in met if others >> candidate & 1)
        nodes.append(Node(candidate, False, unit, (parent,)))
