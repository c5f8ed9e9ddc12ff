"""The rules, divided into units: the smallest parts that an explanation names.

Invariant: all units together say exactly what `Constraints` says.

A unit is a group ("row 3 holds 5 once", "r1c1 holds one digit"), everything that one rule says
about two cells ("knight's move r1c1-r2c3"), or a clue. The size of an explanation is its number of
units.

Here a set of candidates is an integer: bit c stands for candidate c (0-based, cell-major).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple

from ..model.board import Board, Cells
from ..model.constraints import Constraints, Family, require_narrow
from ..model.rules import RULES, CandidatePair

Mask = int


class Unit(NamedTuple):
    """One part of the rules.

    family: the rule it belongs to. label: its place in words (`r1c1`, `row 3`, `knight's move
    r1c1-r2c3`). digit: the digit of a group; None for a cell or a pair. cells: its cells,
    ascending. candidates: the group, of which exactly one is true; 0 for a pair of cells. pairs:
    candidates that exclude each other; empty for a group, whose members all exclude each other.
    """

    number: int
    family: str
    label: str
    digit: int | None
    cells: Cells
    candidates: Mask
    pairs: tuple[CandidatePair, ...]

    @property
    def exclusions(self) -> Iterator[CandidatePair]:
        """The pairs (low, high) of candidates that the unit forbids."""
        return chain(combinations(bits(self.candidates), 2), self.pairs)

    @property
    def words(self) -> str:
        """What the unit says: `row 3 holds 5 once`."""
        if self.pairs:
            return self.label
        if self.digit is None:
            return f"{self.label} holds one digit"
        return f"{self.label} holds {self.digit} once"


class House(NamedTuple):
    """A house and the units of its digits, in the order of the digits."""

    label: str
    cells: Cells
    units: tuple[int, ...]


class Units:
    """All units of a rule set, indexed by candidate. Build it with `units_of`.

    Units are numbered: first those of the cells, then those of the houses by house and digit in the
    order of the families, then those of the pairs of cells.
    """

    def __init__(self, constraints: Constraints) -> None:
        require_narrow(constraints, "explanations")
        self.constraints, self.board, self.size = (
            constraints,
            constraints.board,
            constraints.board.size,
        )
        self.all: list[Unit] = []
        self.houses: list[House] = []
        for family in constraints.families:
            self._add_groups(family)
        stated = set(constraints.pairs)
        for family in constraints.families:
            self._add_pairs(family, stated)
        # For each candidate: its units, with the candidates that each excludes if it is true.
        self.rivals: list[list[tuple[int, Mask]]] = [[] for _ in range(constraints.variables)]
        # For each candidate: the groups that contain it.
        self.groups_at: list[list[int]] = [[] for _ in range(constraints.variables)]
        for unit in self.all:
            self._add_rivals(unit)
        # For each candidate: all candidates that some unit excludes if it is true.
        self.excluded = [_union(others for _, others in met) for met in self.rivals]
        self.groups = [unit for unit in self.all if unit.candidates]
        for group in self.groups:
            for candidate in bits(group.candidates):
                self.groups_at[candidate].append(group.number)

    def name(self, candidate: int, relation: str = "=") -> str:
        """The candidate as text: r1c1=5."""
        cell, digit = divmod(candidate, self.size)
        return f"{self.board.name_of(cell)}{relation}{digit + 1}"

    def _add_groups(self, family: Family) -> None:
        n = self.size
        for number, group in enumerate(family.groups):
            house, digit = divmod(number, n)
            cells = tuple(candidate // n for candidate in group)
            if family.name == "cell":
                label, said, cells = self.board.name_of(number), None, cells[:1]
            else:
                label, said = f"{_noun(family.name, self.board)} {house + 1}", digit + 1
                if digit == 0:
                    first = len(self.all)
                    self.houses.append(House(label, cells, tuple(range(first, first + n))))
            unit = Unit(len(self.all), family.name, label, said, cells, mask_of(group), ())
            self.all.append(unit)

    def _add_pairs(self, family: Family, stated: set[CandidatePair]) -> None:
        """One unit per two cells, or per clue, made of the pairs that no group or earlier family
        states."""
        between: dict[Cells, list[CandidatePair]] = {}
        for pair in family.pairs:
            if pair in stated:
                stated.remove(pair)
                a, b = sorted(candidate // self.size for candidate in pair)
                between.setdefault((a, b) if family.name in RULES else (), []).append(pair)
        for cells, pairs in between.items():
            label = self._label(family.name, cells)
            at = cells or tuple(sorted({c // self.size for c in chain.from_iterable(pairs)}))
            self.all.append(Unit(len(self.all), family.name, label, None, at, 0, tuple(pairs)))

    def _label(self, family: str, cells: Cells) -> str:
        """The place of a rule's two cells; a clue's text says where it is."""
        if not cells:
            return f"clue {family}"
        return f"{_noun(family, self.board)} {'-'.join(map(self.board.name_of, cells))}"

    def _add_rivals(self, unit: Unit) -> None:
        beside: dict[int, Mask] = {}
        for a, b in unit.exclusions:
            beside[a] = beside.get(a, 0) | 1 << b
            beside[b] = beside.get(b, 0) | 1 << a
        for candidate, others in beside.items():
            self.rivals[candidate].append((unit.number, others))


@lru_cache(maxsize=16)
def units_of(constraints: Constraints) -> Units:
    """The units of a rule set; built once and cached."""
    return Units(constraints)


def mask_of(candidates: Iterable[int]) -> Mask:
    """The set of these candidates as an integer."""
    mask = 0
    for candidate in candidates:
        mask |= 1 << candidate
    return mask


def _union(masks: Iterable[Mask]) -> Mask:
    union = 0
    for mask in masks:
        union |= mask
    return union


def bits(mask: Mask) -> Iterator[int]:
    """The members of a set, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _noun(family: str, board: Board) -> str:
    if family == "box" and board.regions is not None:
        return "region"
    return RULES[family].noun or family if family in RULES else family
