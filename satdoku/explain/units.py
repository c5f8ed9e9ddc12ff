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
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, reduce
from itertools import chain, combinations
from operator import or_
from typing import NamedTuple

from ..cnf.encodings.groups import pairwise
from ..cnf.encodings.shapes import shape_clauses
from ..model.automata import as_automaton
from ..model.board import Board, Cells, bits, mask_of
from ..model.clue import Clue
from ..model.constraints import Constraints
from ..model.kinds import KINDS
from ..model.kinds.kind import SET
from ..model.lowering import Family
from ..model.rules import RULES, CandidatePair
from ..model.shapes import Automaton, Edge, Shape
from ..runtime import limits
from ..runtime.errors import SatdokuError

Mask = int  # a set of candidates, bit c for candidate c (0-based, cell-major)


class Reading(NamedTuple):
    """An automaton on a board with `size` digits.

    groups: the candidates of each cell, in the order in which the cells are read. layers: the edges
    of each cell, with candidates as bits in place of digits.
    """

    size: int
    automaton: Automaton
    groups: tuple[Mask, ...]
    layers: tuple[tuple[Edge, ...], ...]

    @property
    def members(self) -> Mask:
        """The candidates of all its cells."""
        return reduce(or_, self.groups)

    def impossible(self, live: Mask) -> Mask:
        """The candidates of `live` in its cells that no accepted sequence of these has."""
        limits.check()
        layers = list(self._from_the_start(live))
        states, gone = {0}, 0
        for group, edges in zip(reversed(self.groups), reversed(layers), strict=True):
            onward = [(state, bit) for state, bit, after in edges if after in states]
            states = {state for state, _ in onward}
            gone |= group & live & ~reduce(or_, (bit for _, bit in onward), 0)
        return gone

    def _from_the_start(self, live: Mask) -> Iterator[list[Edge]]:
        """For each cell the edges that are reached."""
        states = {0}
        for edges in self.layers:
            reached = [edge for edge in edges if edge[1] & live and edge[0] in states]
            states = {after for _, _, after in reached}
            yield reached

    def clauses(self, fresh: Callable[[], int]) -> Iterator[list[int]]:
        """Each cell holds one digit, and their sequence is accepted."""
        for cell in self.automaton.cells:
            literals = list(range(self.size * cell + 1, self.size * cell + self.size + 1))
            yield literals
            yield from map(list, pairwise(literals))
        yield from map(list, shape_clauses(self.automaton, self.size, fresh))


@lru_cache(maxsize=1024)
def reading_of(shape: Shape, size: int) -> Reading:
    """Any shape as an automaton."""
    limits.check()
    read = as_automaton(shape, size)
    cells = read.cells
    groups = tuple(((1 << size) - 1) << size * cell for cell in cells)
    layers = tuple(
        tuple((state, 1 << size * cell + digit - 1, after) for state, digit, after in edges)
        for cell, edges in zip(cells, read.layers, strict=True)
    )
    return Reading(size, read, groups, layers)


Support = tuple[int, Mask]  # a candidate, and others of which it needs one; it is false if none
LONGEST = 30  # characters of a clue's value in its label


class Unit(NamedTuple):
    """One part of the rules.

    family: the rule it belongs to. label: its place in words (`r1c1`, `row 3`, `knight's move
    r1c1-r2c3`). digit: the digit of a group; None for a cell or a pair. cells: its cells,
    ascending. candidates: the group, of which exactly one is true; 0 for a pair of cells. pairs:
    candidates that exclude each other; empty for a group, whose members all exclude each other.
    supports: what the candidates of a clue need to be true. readings: what a clue says of three
    cells or more. sentence: what a clue says.
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

    @property
    def exclusions(self) -> Iterator[CandidatePair]:
        """The pairs (low, high) of candidates that the unit forbids."""
        return chain(combinations(bits(self.candidates), 2), self.pairs)

    @property
    def words(self) -> str:
        """What the unit says: `row 3 holds 5 once`."""
        if self.sentence:
            return f"{self.label} ({self.sentence})"
        if not self.candidates:
            return self.label
        if self.digit is None:
            return f"{self.label} holds one digit"
        return f"{self.label} holds {self.digit} once"

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

    def _lonely(self, live: Mask) -> Mask:
        lonely = mask_of(c for c, others in self.supports if live >> c & 1 and not others & live)
        return union((lonely, *(reading.impossible(live) for reading in self.readings)))


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
        if constraints.needs_session:
            raise SatdokuError("explanations take no layers, ranks or connected cells")
        self.constraints = constraints
        self.board = constraints.board
        self.size = constraints.board.size
        self.clues = _labelled(constraints)
        self.all: list[Unit] = []
        self.houses: list[House] = []
        self._add_units()
        self.groups = [unit for unit in self.all if unit.candidates]
        self.supporting = [unit for unit in self.all if unit.supports or unit.readings]
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
            else:
                self._add_pairs(family, stated)

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
            self._add_rivals(unit)
            self._add_supports(unit)
            for candidate in bits(unit.candidates):
                self.groups_at[candidate].append(unit.number)
            for candidate in bits(union(unit.own_groups)):
                self.read_by[candidate].append(unit.number)
        # All candidates that some unit excludes if it is true.
        self.excluded = [union(others for _, others in met) for met in self.rivals]

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
                label, said = self._house_label(family, house), digit + 1
                if digit == 0:
                    first = len(self.all)
                    self.houses.append(House(label, cells, tuple(range(first, first + n))))
            unit = Unit(len(self.all), family.name, label, said, cells, mask_of(group), ())
            self.all.append(unit)

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
        cells = {candidate // self.size for candidate in chain.from_iterable(family.pairs)}
        cells.update(*(reading.automaton.cells for reading in readings))
        pairs = tuple(pair for pair in family.pairs if pair[0] != pair[1])
        alone = tuple((a, 0) for a, b in family.pairs if a == b)
        supports = (*alone, *((a, mask_of(others)) for a, others in family.supports))
        sentence = KINDS[clue.kind].sentence.format(value=clue.value)
        number = len(self.all)
        self.all.append(
            Unit(
                number, family.name, label, None, tuple(sorted(cells)), 0, pairs, supports,
                readings, sentence,
            )
        )  # fmt: skip

    def _house_label(self, family: Family, house: int) -> str:
        if family.name not in self.clues:
            return f"{_noun(family.name, self.board)} {house + 1}"
        label = self.clues[family.name][1]
        return label if len(family.groups) == self.size else f"{label}, {house + 1}"

    def _add_rivals(self, unit: Unit) -> None:
        beside: dict[int, Mask] = {}
        for a, b in unit.exclusions:
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
    """The clues by their texts, each with its label; the text itself if two labels are equal."""
    board = constraints.board
    texts = {clue.text(board): clue for clue in constraints.clues}
    labels = {text: _clue_label(clue, board) for text, clue in texts.items()}
    counts = Counter(labels.values())
    return {
        text: (clue, labels[text] if counts[labels[text]] == 1 else text)
        for text, clue in texts.items()
    }


def _clue_label(clue: Clue, board: Board) -> str:
    """`thermo r1c1-r5c1`, `cage 15 at r1c1`; a long value is left out. Of several clues, theirs."""
    if clue.parts:
        labels = [_clue_label(part, board) for part in clue.parts]
        several = zip(clue.parts, labels, strict=True)
        return f" {clue.kind} ".join(f"({said})" if part.parts else said for part, said in several)
    value = clue.value if len(clue.value) <= LONGEST else ""
    head = f"{clue.kind} {value}" if value else clue.kind
    if not clue.groups:
        return head
    first, *rest = map(board.name_of, clue.cells)
    in_order = KINDS[clue.kind].order != SET or len(rest) == 1
    is_line = len(clue.groups) == 1 and in_order
    place = f"{first}-{rest[-1]}" if rest and is_line else first
    at = "at " if value or (rest and not is_line) else ""
    return f"{head} {at}{place}"


def _noun(family: str, board: Board) -> str:
    if family == "box" and board.regions is not None:
        return "region"
    return RULES[family].noun or family if family in RULES else family
