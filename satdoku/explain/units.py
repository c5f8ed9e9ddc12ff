"""The rules, divided into units: the smallest parts that an explanation names.

Invariant: all units together say exactly what `Constraints` says.

A unit is a group ("row 3 holds 5 once", "r1c1 holds one digit"), everything that one rule says
about two cells ("knight's move r1c1-r2c3"), or a clue: everything that it forbids, whether another
unit forbids it too or not. The size of an explanation is its number of units. A clue that speaks of
three cells or more speaks of cells that hold one digit each, so it contains that: it reads the
digits of its cells in order, as an automaton does.

Here a set of candidates is an integer: bit c stands for candidate c (0-based, cell-major).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple

from ..model.board import Board, Cells, bits, mask_of
from ..model.clue import Clue
from ..model.constraints import Constraints
from ..model.kinds import KINDS
from ..model.lowering import Family
from ..model.rules import RULES, CandidatePair
from ..runtime import limits
from .naming import clue_label
from .readings import Flood, Mask, Reading, Removal, Rim, reading_of, rims_of

Support = tuple[int, Mask]  # a candidate, and others of which it needs one; it is false if none


class Unit(NamedTuple):
    """One part of the rules.

    family: the rule it belongs to. label: its place in words (`r1c1`, `row 3`, `knight's move
    r1c1-r2c3`). digit: the digit of a group; None for a cell or a pair. cells: its cells,
    ascending. candidates: the group, of which exactly one is true; 0 for a pair of cells. pairs:
    candidates that exclude each other; empty for a group, whose members all exclude each other.
    supports: what the candidates of a clue need to be true. readings: what a clue says of three
    cells or more. sentence: what a clue says. is_local: whether each reading is a reason of its
    own: it depends on its cells alone, not on all those of the clue. holds: what its cell holds.
    """

    number: int
    family: str
    label: str
    digit: int | None
    cells: Cells
    candidates: Mask
    pairs: tuple[CandidatePair, ...]
    supports: tuple[Support, ...] = ()
    readings: tuple[Reading, ...] = ()
    sentence: str = ""
    is_local: bool = False
    holds: str = "digit"

    @property
    def is_pair(self) -> bool:
        """Whether it is what a rule says of two cells."""
        return self.digit is None and not self.candidates and not self.sentence

    @property
    def exclusions(self) -> Iterator[CandidatePair]:
        """The pairs (low, high) of candidates that the unit forbids."""
        return chain(combinations(bits(self.candidates), 2), self.pairs)

    @property
    def words(self) -> str:
        """What the unit says: `row 3 holds 5 once`."""
        if self.sentence:
            return f"{self.label} ({self.sentence})"
        if self.digit is None:
            return f"{self.label} holds one {self.holds}" if self.candidates else self.label
        return f"{self.label} holds {self.digit} {'once' if self.candidates else 'at most once'}"

    @property
    def members(self) -> Mask:
        """The candidates of a group or of a clue, without those that a pair alone has."""
        supports = (1 << c | others for c, others in self.supports)
        return union((self.candidates, *supports, *(r.members for r in self.readings)))

    @property
    def own_groups(self) -> Iterator[Mask]:
        """The candidates of each cell that a clue reads, of which it says that one is true."""
        return chain.from_iterable(reading.groups for reading in self.readings)

    def unsupported(self, live: Mask) -> Mask:
        """The candidates of `live` that lack a support there, and those that then lack one."""
        gone = 0
        while more := self._lonely(live & ~gone):
            gone |= more
        return gone

    def removals(self, live: Mask) -> Iterator[Removal]:
        """What the clue forbids, with a reason each."""
        if struck := mask_of(c for c, others in self.supports if not others) & live:
            yield Removal(struck, 0)
        for reading in self.readings:
            yield from reading.found(live)

    def _lonely(self, live: Mask) -> Mask:
        lonely = mask_of(c for c, others in self.supports if live >> c & 1 and not others & live)
        return union((lonely, *(reading.impossible(live) for reading in self.readings)))


class House(NamedTuple):
    """A house and the units of its digits, in the order of the digits. is_full: whether it has a
    cell for each digit, so that it holds each once."""

    label: str
    cells: Cells
    units: tuple[int, ...]
    is_full: bool = True


class Units:
    """All units of a rule set, indexed by candidate. Build it with `units_of`.

    Units are numbered: first those of the cells, then those of the full houses by house and digit
    in the order of the families, then those of smaller houses and of pairs of cells. size: the
    candidates of a cell; `every` are those that its digits or values leave.
    """

    def __init__(self, constraints: Constraints) -> None:
        self.constraints = constraints
        self.board = board = constraints.board
        self.size = n = board.choices
        self._domains = board.domains(tuple(range(board.cells)))
        held = (((1 << len(digits)) - 1) << n * cell for cell, digits in enumerate(self._domains))
        self.every = union(held)
        self.is_local = constraints.is_beyond_steps
        self.clues = _labelled(constraints)
        self.all: list[Unit] = []
        self.houses: list[House] = []
        self._add_units()
        self.groups = [unit for unit in self.all if unit.candidates]
        self.supporting = [unit for unit in self.all if unit.supports or unit.readings]
        self.floods = [
            (unit.number, reading)
            for unit in self.supporting
            for reading in unit.readings
            if isinstance(reading, Flood | Rim)
        ]
        self._index()

    def _add_units(self) -> None:
        families = self.constraints.families
        for family in families:
            self._add_groups(family)
        stated = set(self.constraints.pairs)
        for family in families:
            limits.check()
            if family.name in self.clues:
                self._add_clue(family)
            elif family.name != "domain":  # which `every` says
                self._add_small_houses(family, stated)
                self._add_pairs(family, stated)
        self._add_rims()

    def _index(self) -> None:
        """For each candidate, what the units say of it."""
        candidates = range(self.constraints.variables)
        # Its units, with the candidates that each excludes if it is true.
        self.rivals: list[list[tuple[int, Mask]]] = [[] for _ in candidates]
        # The groups that contain it.
        self.groups_at: list[list[int]] = [[] for _ in candidates]
        # The units that support it, with the others; and, for each of these others, the
        # candidates with their supports.
        self.supports_of: list[list[tuple[int, Mask]]] = [[] for _ in candidates]
        self.supports_at: list[list[tuple[int, int, Mask]]] = [[] for _ in candidates]
        # The clues that read its cell.
        self.read_by: list[list[int]] = [[] for _ in candidates]
        for unit in self.all:
            for candidate in bits(unit.candidates):
                self.groups_at[candidate].append(unit.number)
                self.rivals[candidate].append((unit.number, unit.candidates ^ 1 << candidate))
            self._add_rivals(unit)
            self._add_supports(unit)
            for candidate in bits(union(unit.own_groups)):
                self.read_by[candidate].append(unit.number)
        # All candidates that some unit excludes if it is true.
        self.excluded = [union(others for _, others in met) for met in self.rivals]

    def name(self, candidate: int, relation: str = "=") -> str:
        """The candidate as text: r1c1=5."""
        cell, digit = divmod(candidate, self.size)
        return f"{self.board.name_of(cell)}{relation}{self._domains[cell][digit]}"

    def digit_of(self, candidate: int) -> int:
        """The digit of a candidate, or its value in a layer."""
        cell, digit = divmod(candidate, self.size)
        return self._domains[cell][digit]

    def held(self, candidates: Mask) -> dict[int, Cells]:
        """The digits or values of each cell that has any of the candidates, ascending."""
        found: dict[int, Cells] = {}
        while candidates:
            cell = ((candidates & -candidates).bit_length() - 1) // self.size
            found[cell] = self.held_in(cell, candidates)
            beyond = self.size * (cell + 1)
            candidates = candidates >> beyond << beyond
        return found

    def held_in(self, cell: int, candidates: Mask) -> Cells:
        """The digits or values of a cell that are among the candidates, ascending."""
        own = candidates >> self.size * cell & (1 << self.size) - 1
        return _chosen(self._domains[cell], own)

    def _add_groups(self, family: Family) -> None:
        n, digits = self.size, self.board.digits
        for number, group in enumerate(family.groups):
            cells = tuple(candidate // n for candidate in group)
            if family.name == "cell":
                self._add_cell(number, mask_of(group))
                continue
            house, digit = divmod(number, len(digits))
            label = self._house_label(family, house, cells)
            if digit == 0:
                units = range(len(self.all), len(self.all) + len(digits))
                self.houses.append(House(label, cells, tuple(units)))
            named = family.name, label, digits[digit]
            self.all.append(Unit(len(self.all), *named, cells, mask_of(group), ()))

    def _add_cell(self, cell: int, group: Mask) -> None:
        holds = "digit" if cell < self.board.grid_cells else "value"
        named = "cell", self.board.name_of(cell), None
        self.all.append(Unit(cell, *named, (cell,), group & self.every, (), holds=holds))

    def _add_small_houses(self, family: Family, stated: set[CandidatePair]) -> None:
        """One unit per digit of a house with fewer cells than there are digits."""
        n, digits = self.size, self.board.digits
        for cells in dict(self.board.families).get(family.name, ()):
            if len(cells) == len(digits):
                continue
            label, first = self._line_label(family.name, cells), len(self.all)
            units = tuple(range(first, first + len(digits)))
            self.houses.append(House(label, cells, units, is_full=False))
            for position, digit in enumerate(digits):
                pairs = tuple(combinations((n * cell + position for cell in cells), 2))
                stated.difference_update(pairs)
                named = family.name, label, digit
                self.all.append(Unit(len(self.all), *named, cells, 0, pairs))

    def _add_pairs(self, family: Family, stated: set[CandidatePair]) -> None:
        """One unit per two cells, made of the pairs that no group or earlier family states."""
        between: dict[Cells, list[CandidatePair]] = {}
        for pair in family.pairs:
            if pair in stated:
                stated.remove(pair)
                a, b = sorted(candidate // self.size for candidate in pair)
                between.setdefault((a, b), []).append(pair)
        for cells, pairs in between.items():
            label = f"{_noun(family.name, self.board)} {'-'.join(map(self.board.name_of, cells))}"
            self.all.append(Unit(len(self.all), family.name, label, None, cells, 0, tuple(pairs)))

    def _add_clue(self, family: Family) -> None:
        """One unit; a candidate that the clue forbids by itself is one without a support."""
        if not (family.pairs or family.shapes):
            return
        clue, label = self.clues[family.name]
        readings = tuple(reading_of(shape, self.size) for shape in family.shapes)
        floods = [reading for reading in readings if isinstance(reading, Flood)]
        for one, two in combinations(floods, 2):  # regions
            readings += tuple(rims_of(self.board, self.size, [one], [two]))
        every = self.every
        held = [pair for pair in family.pairs if every >> pair[0] & every >> pair[1] & 1]
        cells = {candidate // self.size for candidate in chain.from_iterable(held)}
        cells.update(*(reading.cells for reading in readings))
        pairs = tuple(pair for pair in held if pair[0] != pair[1])
        alone = tuple((a, 0) for a, b in held if a == b)
        needed = ((a, mask_of(others)) for a, others in family.supports if every >> a & 1)
        supports = (*alone, *needed)
        sentence = KINDS[clue.kind].says(clue.value)
        number = len(self.all)
        self.all.append(
            Unit(
                number, family.name, label, None, tuple(sorted(cells)), 0, pairs, supports,
                readings, sentence, self.is_local,
            )
        )  # fmt: skip

    def _add_rims(self) -> None:
        """What follows from two connected areas of different clues, along the edge: a unit of its
        own, as it takes a theorem to see it."""
        clues = [unit for unit in self.all if any(isinstance(r, Flood) for r in unit.readings)]
        for one, two in combinations(clues, 2):
            rims = tuple(rims_of(self.board, self.size, one.readings, two.readings))
            if rims:
                label = f"edge of {one.label} and {two.label}"
                cells = tuple(sorted({cell for rim in rims for cell in rim.cells}))
                said = "two connected areas do not change more than twice along the edge"
                named = len(self.all), "edge", label, None, cells
                self.all.append(Unit(*named, 0, (), (), rims, said, True))

    def _house_label(self, family: Family, house: int, cells: Cells) -> str:
        if family.name in dict(self.board.families):
            return self._line_label(family.name, cells)
        if family.name not in self.clues:
            return f"{_noun(family.name, self.board)} {house + 1}"
        label = self.clues[family.name][1]
        whole = len(family.groups) == len(self.board.digits)
        return label if whole else f"{label}, {house + 1}"

    def _line_label(self, family: str, cells: Cells) -> str:
        """`row 3`, `box 7`; where grids overlap, by its ends."""
        board, noun = self.board, _noun(family, self.board)
        if len(board.corners) > 1:
            return f"{noun} {board.name_of(cells[0])}-{board.name_of(cells[-1])}"
        if family == "box":
            return f"{noun} {board.boxes.index(cells) + 1}"
        return f"{noun} {board.places[cells[0]][family == 'column'] + 1}"

    def _add_rivals(self, unit: Unit) -> None:
        beside: dict[int, Mask] = {}
        for a, b in unit.pairs:
            beside[a] = beside.get(a, 0) | 1 << b
            beside[b] = beside.get(b, 0) | 1 << a
        for candidate, others in beside.items():
            self.rivals[candidate].append((unit.number, others))

    def _add_supports(self, unit: Unit) -> None:
        for candidate, others in unit.supports:
            self.supports_of[candidate].append((unit.number, others))
            for other in bits(others):
                self.supports_at[other].append((unit.number, candidate, others))


@lru_cache(maxsize=16)
def units_of(constraints: Constraints) -> Units:
    """The units of a rule set; built once and cached."""
    return Units(constraints)


def union(masks: Iterable[Mask]) -> Mask:
    """The candidates of all the sets."""
    union = 0
    for mask in masks:
        union |= mask
    return union


def _labelled(constraints: Constraints) -> dict[str, tuple[Clue, str]]:
    """The clues by their texts, each with its label: the shortest that no other has."""
    board = constraints.board
    texts = {clue.text(board): clue for clue in constraints.clues}
    labels: dict[str, str] = {}
    for is_long in (False, True):
        rest = {
            t: clue_label(c, board, is_long=is_long) for t, c in texts.items() if t not in labels
        }
        counts = Counter(rest.values())
        labels.update((text, label) for text, label in rest.items() if counts[label] == 1)
    return {text: (clue, labels.get(text, text)) for text, clue in texts.items()}


def _noun(family: str, board: Board) -> str:
    if family == "box" and board.regions is not None:
        return "region"
    return RULES[family].noun or family if family in RULES else family


@lru_cache(maxsize=1 << 12)
def _chosen(domain: Cells, places: int) -> Cells:
    """What stands at these places."""
    return tuple([domain[place] for place in bits(places)])
