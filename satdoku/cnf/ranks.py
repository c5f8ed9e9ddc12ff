"""Clauses of all ranks of a puzzle at once, far fewer than those of each alone.

Invariant: they have the solutions that the clues have one by one, and every auxiliary variable is a
function of the digits.

Each side of the grid has exactly one line that begins with a given digit, so these four lines have
four ranks among them. Those with clues are ordered by these; what is left are comparisons with
lines that have no clue: all lower, none lower, or so many of them. Of a line that may be one of
several, as of a cell, there are literals "at least this digit".

Source: order encoding, N. Tamura, A. Taga, S. Kitagawa and M. Banbara, Compiling Finite Linear CSP
into SAT, Constraints 14, 2009.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from ..model.board import Cells
from ..model.shapes import Ranked
from .encodings.formula import Clause
from .encodings.shapes import Fresh

Side = tuple[Cells, ...]


class Line(NamedTuple):
    """at_least: for each place behind the first the literals "at least the second digit", third and
    so on; nothing of the last place, where lines cannot differ alone. cells: of these places, none
    if the line may be one of several."""

    at_least: Sequence[Sequence[int]]
    cells: Cells = ()


class Clued(NamedTuple):
    """A line, how many of the other three are lower, and whether some may equal it."""

    line: Line
    less: int
    may_tie: bool


def rank_clauses(
    ranks: Sequence[Ranked], peers: Sequence[int], size: int, fresh: Fresh
) -> Iterator[Clause]:
    """The clauses of the ranks; that each begins with its digit is said elsewhere. peers: for each
    cell the mask of the cells that differ from it."""
    made = _Ranking(ranks, peers, size, fresh)
    sides = _sides(ranks)
    for digit in dict.fromkeys(rank.digit for rank in ranks):
        made.say(digit, sides)
        yield from made.clauses
        made.clauses.clear()


def _sides(ranks: Sequence[Ranked]) -> list[Side]:
    """The lines of each side; only those with a rank of a side that has all of them."""
    sides: dict[Side, None] = {}
    for rank in ranks:
        _, *others = rank.lines
        for start in range(0, len(others), rank.length):
            sides[tuple(others[start : start + rank.length])] = None
    own = tuple(rank.lines[0] for rank in ranks)
    return [*sides] if own[0] in {line for side in sides for line in side} else [*sides, own]


class _Ranking:
    """The clauses of one digit after another, which share the literals of cells."""

    def __init__(
        self, ranks: Sequence[Ranked], peers: Sequence[int], size: int, fresh: Fresh
    ) -> None:
        self.clauses: list[Clause] = []
        self._ranks, self._peers, self._size, self._fresh = ranks, peers, size, fresh
        self._begins = {rank.cells[0]: rank.digit for rank in ranks}
        self._of_cells: dict[int, list[int]] = {}

    def say(self, digit: int, sides: Sequence[Side]) -> None:
        """The ranks of lines that begin with the digit."""
        clued: dict[Cells, Clued] = {}
        for rank in (rank for rank in self._ranks if rank.digit == digit):
            line = rank.lines[0]
            same = clued.get(line) or Clued(self._line(line), rank.less, rank.may_tie)
            clued[line] = same._replace(may_tie=same.may_tie and rank.may_tie)
            if same.less != rank.less:
                self._never()
        free = (side for side in sides if not clued.keys() & {*side})
        others = [self._beginning(side, digit) for side in free]
        in_order = sorted(clued.values(), key=lambda each: each.less)
        for one, two in pairwise(in_order):
            if one.less < two.less:
                self._is_lower(one.line, two.line)
            else:
                self._are_equal(one, two)
        self._among(in_order, others)

    def _among(self, clued: Sequence[Clued], others: Sequence[Line]) -> None:
        """Where the others stand among lines with clues, the lowest first: behind the last that no
        other is lower than, before the first that all are lower than."""
        below: list[Clued] = []
        above: list[Clued] = []
        before: list[int] = []
        for each in clued:
            lower = each.less - sum(one.less < each.less for one in clued)
            if not 0 <= lower <= len(others):
                self._never()
            elif lower == 0:
                below.append(each)
            elif lower == len(others):
                above.append(each)
            else:
                are_lower = [self._whether_lower(line, each) for line in others]
                self._are_true(are_lower, lower)
                self.clauses += ((-x, y) for x, y in zip(before, are_lower, strict=False))
                before = are_lower
        for line in others:
            for last in below[-1:]:
                self._is_lower(last.line, line, may_tie=last.may_tie)
            for first in above[:1]:
                self._is_lower(line, first.line)

    def _never(self) -> None:
        """Nothing holds; some solvers crash at an empty clause."""
        literal = self._fresh()
        self.clauses += ((literal,), (-literal,))

    def _are_true(self, literals: Sequence[int], number: int) -> None:
        """So many of a few literals."""
        for signs in product((1, -1), repeat=len(literals)):
            if signs.count(1) != number:
                self.clauses.append(tuple(-s * x for s, x in zip(signs, literals, strict=True)))

    # Comparisons -----------------------------------------------------------------------------

    def _are_equal(self, one: Clued, two: Clued) -> None:
        if not (one.may_tie and two.may_tie):
            self._never()
        for some, same in zip(one.line.at_least, two.line.at_least, strict=True):
            for x, y in zip(some, same, strict=True):
                self.clauses += ((-x, y), (x, -y))

    def _is_lower(self, one: Line, two: Line, *, may_tie: bool = False) -> None:
        """The first line is lower than the second one, or may equal it."""
        unless: Clause = ()  # what denies that they are equal so far
        for place, (least, most) in enumerate(zip(one.at_least, two.at_least, strict=True)):
            self.clauses += ((*unless, -x, y) for x, y in zip(least, most, strict=True))
            unless = self._unless_equal(one, two, place, unless)
        if not may_tie:
            self._differ(unless)

    def _whether_lower(self, one: Line, two: Clued) -> int:
        """The literal that the first line is lower than the second one."""
        is_lower = self._fresh()
        unless: Clause = ()
        for place, bounds in enumerate(zip(one.at_least, two.line.at_least, strict=True)):
            for x, y in zip(*bounds, strict=True):
                self.clauses += ((*unless, x, -y, is_lower), (*unless, -x, y, -is_lower))
            unless = self._unless_equal(one, two.line, place, unless)
        self.clauses.append((*unless, -is_lower))
        if not two.may_tie:
            self._differ(unless)
        return is_lower

    def _differ(self, unless: Clause) -> None:
        """The lines are not equal throughout."""
        if unless:
            self.clauses.append(unless)
        else:
            self._never()

    def _unless_equal(self, one: Line, two: Line, place: int, unless: Clause) -> Clause:
        """What denies that two lines, of which one is known, are equal up to this place, too."""
        known, other = (one, two) if one.cells else (two, one)
        literal, first = self._fresh(), self._size * known.cells[place] + 1
        for digit in range(self._size):
            holds, bounds = first + digit, self._bounds(other.at_least[place], digit)
            self.clauses.append((*unless, -holds, *(-bound for bound in bounds), literal))
            self.clauses += ((-literal, -holds, bound) for bound in bounds)
        self.clauses += ((-literal, -denial) for denial in unless)
        return (-literal,)

    # Lines -----------------------------------------------------------------------------------

    def _line(self, line: Cells) -> Line:
        return Line([self._at_least(cell) for cell in line[1:-1]], line[1:-1])

    def _beginning(self, side: Side, digit: int) -> Line:
        """The line of a side that begins with the digit."""
        lines = [line for line in side if self._may_begin(line[0], digit)]
        if len(lines) == 1:
            return self._line(lines[0])
        found = []
        for place in range(1, len(side[0]) - 1):
            found.append(self._ascending())
            for line in lines:
                unless = -(self._size * line[0] + digit)
                both = [*zip(self._at_least(line[place]), found[-1], strict=True)]
                self.clauses += [(unless, -own, bound) for own, bound in both]
                self.clauses += [(unless, own, -bound) for own, bound in both]
        return Line(found)

    def _may_begin(self, cell: int, digit: int) -> bool:
        """Whether a cell may hold the digit beside the first digits of lines with clues."""
        if cell in self._begins:
            return self._begins[cell] == digit
        peers = self._peers[cell]
        return not any(peers >> other & 1 for other, d in self._begins.items() if d == digit)

    def _at_least(self, cell: int) -> Sequence[int]:
        """The literals of a cell, which its digits tell."""
        if cell not in self._of_cells:
            literals = self._of_cells[cell] = self._ascending()
            for digit in range(self._size):
                holds, bounds = self._size * cell + 1 + digit, self._bounds(literals, digit)
                self.clauses += ((-holds, bound) for bound in bounds)
                self.clauses.append((holds, *(-bound for bound in bounds)))
        return self._of_cells[cell]

    def _ascending(self) -> list[int]:
        """New literals "at least", each of which implies those before it."""
        literals = [self._fresh() for _ in range(self._size - 1)]
        self.clauses += ((-more, less) for less, more in pairwise(literals))
        return literals

    @staticmethod
    def _bounds(at_least: Sequence[int], digit: int) -> list[int]:
        """What tells that it is the digit (from 0)."""
        below = [at_least[digit - 1]] if digit else []
        return [*below, *(-literal for literal in at_least[digit : digit + 1])]
