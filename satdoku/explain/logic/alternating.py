"""Chains of one strand: a candidate that is true excludes others, and of two that are left in a
group one is true if the other is not.

Invariant: of all chains of a kind those with the fewest links are found, the first candidate first.
A true candidate that leads to one that it excludes is wrong; a false one that leads to itself is
true. (Sudoku Explainer's forcing chains of one strand; patterns of strong links are short ones.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from ...model.board import bits, mask_of
from ...runtime.lazy import cached_property
from ..readings import Mask
from ..techniques import State
from ..units import Unit, Units
from .places import groups_of_digits, places_of
from .reference import SUPPOSED, Chain, Node

MOST_LINKS = 24


def chains_of_digit(units: Units, digit: int, live: Mask) -> Iterator[Chain]:
    """Those on a digit, the n-th, of which these candidates are left: all of the fewest links, as
    they may differ."""
    return found_of_digit(units, digit, live).chains()


def mixed_chains(state: State) -> Iterator[Chain]:
    """Those of the fewest links, one for each supposed literal."""
    return found_of_state(state).chains()


def found_of_digit(units: Units, digit: int, live: Mask) -> Found:
    return Found(units, live, groups_of_digits(units)[digit], digit)


def found_of_state(state: State) -> Found:
    return Found(state.units, state.live, state.units.groups, None)


class Found:
    """Chains by the pairs among some groups. digit: on which they are; then each chain of the
    fewest links is told, else one for each start."""

    def __init__(self, units: Units, live: Mask, groups: Sequence[Unit], digit: int | None) -> None:
        self.units, self.live, self.groups, self.digit = units, live, groups, digit
        self._known: dict[int, Mask] = {}

    @cached_property
    def pairs(self) -> list[tuple[Unit, Mask]]:
        """Groups with two candidates; lines before boxes: what is in both is told of the line."""
        groups = ((unit, unit.candidates & self.live) for unit in self.groups)
        pairs = ((unit, left) for unit, left in groups if left.bit_count() == 2)
        return sorted(pairs, key=lambda pair: pair[0].family == "box")

    @cached_property
    def beside(self) -> dict[int, Mask]:
        """For each candidate of a pair the others, that are true if it is not."""
        found: dict[int, Mask] = {}
        for _, left in self.pairs:
            for candidate in bits(left):
                found[candidate] = found.get(candidate, 0) | left ^ 1 << candidate
        return found

    @cached_property
    def _strong(self) -> Mask:
        return mask_of(self.beside)

    def _follow(self, candidate: int) -> Mask:
        """Those that are true if the candidate is, by one candidate between."""
        if (found := self._known.get(candidate)) is None:
            found = 0
            for between in bits(self.units.excluded[candidate] & self._strong):
                found |= self.beside[between]
            self._known[candidate] = found
        return found

    def chains(self) -> Iterator[Chain]:
        """Those of the fewest links, two or more."""
        places = places_of(self.units)
        links, literals = places.shortest(self.live, self.digit) if places else self.shortest()
        told = set(literals)
        starts = [(literal // 2, True) for literal in sorted(told) if literal & 1]
        starts += [(c, False) for c in (self.beside if told else ()) if 2 * c in told]
        for candidate, holds in starts:
            layers = self._first(candidate, holds)
            for _ in range(links):
                self._extend(layers)
            ends = self._end(candidate, holds, layers[-1])
            yield from self._told(candidate, holds, layers[:-1], ends)

    def shortest(self) -> tuple[int, list[int]]:
        """The fewest links, and the literals from which chains of so many start: 2 * candidate +
        whether it holds."""
        met = {(c, True): self._first(c, True) for c in bits(self.live)}
        met |= {(c, False): self._first(c, False) for c in self.beside}
        for links in range(MOST_LINKS):
            ends = [one for one, layers in met.items() if self._end(*one, layers[-1])]
            if told := [2 * c + holds for c, holds in ends if links > holds]:  # else 2 places point
                return links, told
            met = {one: each for one, each in met.items() if one not in ends and self._extend(each)}
        return 0, []

    def _first(self, candidate: int, holds: bool) -> list[Mask]:
        return [1 << candidate if holds else self.beside[candidate]]

    def _end(self, candidate: int, holds: bool, last: Mask) -> Mask:
        """Those of the last that are true and make the supposed literal wrong."""
        return last & (self.units.excluded[candidate] if holds else 1 << candidate)

    def _extend(self, layers: list[Mask]) -> Mask:
        """Add what is newly true; whether anything is."""
        new = 0
        for candidate in bits(layers[-1]):
            new |= self._follow(candidate)
        for each in layers:
            new &= ~each
        layers.append(new)
        return new

    def _told(self, candidate: int, holds: bool, layers: list[Mask], ends: Mask) -> Iterator[Chain]:
        ways = (way for end in bits(ends) for way in self._ways(layers, end))
        for way in islice(ways, 1) if self.digit is None else ways:
            yield self._chain(candidate, holds, way)

    def _ways(self, layers: list[Mask], end: int) -> Iterator[tuple[int, ...]]:
        """The candidates that are true in turn, up to the end."""
        if not layers:
            yield (end,)
            return
        for before in bits(layers[-1]):
            if self._follow(before) >> end & 1:
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
