"""What a statement of a clue yields, the usual statements, and what they are made of.

Invariant: nothing here reads `model.kinds`; of a board its digits, the places of its cells and its
boxes are read, no other houses and no pairs. Connectives use only operators (`|`, `&`, `==` and
arithmetic), for they join truth values of Python and formulas of an SMT solver, which know no `or`,
`and` or `not`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from operator import and_, or_
from typing import Any, NamedTuple

from ...model.board import Board, Cells
from ...model.clue import Clue


def as_number(said: Any) -> Any:
    """1 if it is true, else 0; a formula as a term."""
    return int(said) if isinstance(said, bool) else said * 1


def is_not(said: Any) -> Any:
    return said == False  # noqa: E712  (terms know no `not`)


def implies(condition: Any, conclusion: Any) -> Any:
    return is_not(condition) | conclusion


def all_of(said: Iterable[Any]) -> Any:
    return _reduced(and_, said, True)


def any_of(said: Iterable[Any]) -> Any:
    return _reduced(or_, said, False)


def _reduced(join: Callable[[Any, Any], Any], said: Iterable[Any], nothing: bool) -> Any:
    """The terms joined; some may be known to be true or false, and `nothing` adds nothing."""
    terms = []
    for one in said:
        if one is not True and one is not False:
            terms.append(one)
        elif one is not nothing:
            return one
    return reduce(join, terms) if terms else nothing


def how_many(digit: Any, digits: Iterable[Any]) -> Any:
    """How many of the digits are this one."""
    return sum(as_number(x == digit) for x in digits)


def place(cell: int, board: Board) -> tuple[int, int]:
    """Row and column of a cell, from 1."""
    row, column = board.places[cell]
    return row + 1, column + 1


def steps(a: int, b: int, board: Board) -> tuple[int, int]:
    """How many rows and columns lie between two cells."""
    (top, left), (bottom, right) = place(a, board), place(b, board)
    return abs(top - bottom), abs(left - right)


def touch(board: Board) -> Iterator[tuple[int, int]]:
    """Every two cells that share an edge, ascending."""
    cell_at = {board.places[cell]: cell for cell in range(board.grid_cells)}
    for (row, column), cell in cell_at.items():
        beside = ((row, column + 1), (row + 1, column))
        yield from ((cell, cell_at[near]) for near in beside if near in cell_at)


def with_distance(cells: Cells) -> Iterator[tuple[int, int, int]]:
    """Every two cells of a line in its order, and how many steps they are apart."""
    for start, a in enumerate(cells):
        for distance, b in enumerate(cells[start + 1 :], 1):
            yield a, b, distance


def line_of(cell: int, board: Board, same: int) -> Cells:
    """The cells of the same row (0) or column (1)."""
    places = board.places
    own = places[cell][same]
    return tuple([other for other in range(board.grid_cells) if places[other][same] == own])


def box_of(cell: int, board: Board) -> Cells:
    return next(box for box in board.boxes if cell in box)


def first_named(cells: Cells, board: Board) -> int:
    """The digit that names the first of these cells: 1, but the lowest of successive digits if
    there is one for each cell."""
    lowest, highest = min(board.digits), max(board.digits)
    return lowest if highest - lowest + 1 == len(board.digits) == len(cells) else 1


def holds_every_digit(cells: Cells, board: Board) -> bool:
    """Whether a line of the board is one of a grid that holds each digit once."""
    rows, columns = ({place(cell, board)[axis] for cell in cells} for axis in (0, 1))
    is_row = len(rows) == 1
    along, length = (columns, board.width) if is_row else (rows, board.height)
    starts = {
        left + 1 if is_row else top + 1
        for top, left in board.corners
        if (top < min(rows) <= top + board.height and left < min(columns) <= left + board.width)
    }
    fits = any(start <= min(along) and max(along) < start + length for start in starts)
    is_house = ("rows" if is_row else "columns") not in board.without
    return fits and is_house and len(cells) == len(board.digits)


Candidate = tuple[int, int]  # cell (0-based), digit (from 1)
Holds = Callable[..., Any]  # digits, or terms: true if they are right


class Part(NamedTuple):
    """Cells, and what their digits must satisfy; a cell that is named again is read again."""

    cells: Cells
    holds: Holds


class Among(NamedTuple):
    """One of the candidates (cell, digit) holds; with `given`, if that one holds."""

    candidates: tuple[Candidate, ...]
    given: Candidate | None = None

    @property
    def cells(self) -> Cells:
        """The cells of all candidates, each once."""
        given = () if self.given is None else (self.given,)
        return tuple(dict.fromkeys(cell for cell, _ in (*self.candidates, *given)))

    def holds(self, *digits: Any) -> Any:
        """On the digits of `cells`."""
        at = dict(zip(self.cells, digits, strict=True))
        said = any_of(at[cell] == digit for cell, digit in self.candidates)
        if self.given is None:
            return said
        cell, digit = self.given
        return implies(at[cell] == digit, said)


class Distinct(NamedTuple):
    """Cells that other parts keep different; `holds` asks only which digits they are."""

    cells: Cells
    holds: Holds


class Used(NamedTuple):
    """What follows from other parts; `holds` asks only which digits the cells hold, of 12 at most,
    however often."""

    cells: Cells
    holds: Holds


class Told(NamedTuple):
    """The last cell tells how many different values the others, of one layer, hold."""

    cells: Cells
    holds: Holds


class Ranks(NamedTuple):
    """Of three sides, on each of which one line begins with the digit in that position (from 1), so
    many lines are less than the own one; `holds` asks all digits of `cells`."""

    cells: Cells
    holds: Holds
    own: Cells
    sides: tuple[tuple[Cells, ...], ...]
    digit: int
    less: int
    may_tie: bool


class Connected(NamedTuple):
    """The cells that hold a digit at one of the positions (from 1) are connected; if there are any,
    they are at least and at most so many.

    edges: pairs of places among the cells that touch; the place behind the last cell is outside,
    which counts as one that holds such a digit.
    """

    cells: Cells
    held: frozenset[int]
    edges: tuple[tuple[int, int], ...]
    least: int
    most: int

    @property
    def holds(self) -> Floods:
        """On the positions of the digits of `cells`."""
        return Floods(self)

    @property
    def is_open(self) -> bool:
        """Whether there is a place outside."""
        return any(len(self.cells) in edge for edge in self.edges)


class Floods:
    """What `Connected` says of digits, or of terms: from the first cell that counts, step by step,
    all others are reached."""

    def __init__(self, part: Connected) -> None:
        self._part, self.parts = part, len(part.cells)
        self._beside: list[list[int]] = [[] for _ in range(len(part.cells) + part.is_open)]
        for one, other in part.edges:
            self._beside[one].append(other)
            self._beside[other].append(one)

    def __call__(self, *digits: Any) -> Any:
        """On digits, what flooding finds; on terms, the formula that says so."""
        if not all(isinstance(digit, int) for digit in digits):
            return self.formula(digits)
        own = {place for place, digit in enumerate(digits) if digit in self._part.held}
        own |= {len(digits)} if self._part.is_open else set()
        reached: set[int] = set()
        waiting = [min(own)] if own else []
        while waiting:
            place = waiting.pop()
            if place not in reached:
                reached.add(place)
                waiting += own.intersection(self._beside[place])
        return reached == own and (not own or self._part.least <= len(own) <= self._part.most)

    def formula(
        self, digits: Sequence[Any], share: Callable[[Any], Any] = lambda said: said
    ) -> Any:
        """What it says; `share` takes what it says several times, and gives what to use for it."""
        own = [share(any_of(x == at for at in sorted(self._part.held))) for x in digits]
        own += [True] * self._part.is_open
        before: Any = False
        reached: list[Any] = []
        for is_own in own:
            reached.append(share(all_of((is_own, is_not(before)))))
            before = share(any_of((before, is_own)))
        for _ in own:
            reached = [
                share(all_of((is_own, any_of((known, *(reached[other] for other in others))))))
                for is_own, known, others in zip(own, reached, self._beside, strict=True)
            ]
        every = all_of(any_of((is_not(o), r)) for o, r in zip(own, reached, strict=True))
        number = sum(as_number(is_own) for is_own in own)
        fits = all_of((number >= self._part.least, number <= self._part.most))
        return all_of((every, any_of((is_not(before), fits))))


class Divided(NamedTuple):
    """Cells of the grid, and behind them for each the cell of its label: no two cells of one label
    hold the same digit, and the cell of a line that holds the digit at position `first` (from 1)
    has the label of that line. lines and across: rows and columns that hold every digit."""

    cells: Cells
    labels: int
    first: int
    lines: tuple[Cells, ...]
    across: tuple[Cells, ...]
    edges: tuple[tuple[int, int], ...]

    def holds(self, *places: Any) -> Any:
        """On the positions of the digits of `cells`."""
        number = len(places) // 2
        digits, labels = places[:number], places[number:]
        apart = (
            is_not(digits[a] == digits[b]) | is_not(labels[a] == labels[b])
            for a, b in combinations(range(number), 2)
        )
        named = (
            implies(digits[cell] == self.first, labels[cell] == label)
            for label, line in enumerate(self.lines, 1)
            for cell in line
        )
        return all_of((*apart, *named))


class Counted(NamedTuple):
    """The first cell holds the number of cells of the arms, given by their places, that hold what
    the first of each arm does (of a run, up to the first that does not), the first once, and less
    so many. tells: the digits of the first cell; choices: how many the others have."""

    cells: Cells
    arms: tuple[tuple[int, ...], ...]
    is_run: bool
    less: int
    tells: tuple[int, ...]
    choices: int

    def holds(self, *places: Any) -> Any:
        """On the positions of the digits of `cells`."""
        found: Any = 1 - self.less
        for first, *others in self.arms:
            so_far: Any = True
            for other in others:
                same = places[other] == places[first]
                so_far = all_of((so_far, same)) if self.is_run else same
                found = found + as_number(so_far)
        return any_of(
            (places[0] == at) & (found == digit) for at, digit in enumerate(self.tells, 1)
        )


class House(NamedTuple):
    """Cells that hold every digit once."""

    cells: Cells


WidePart = Part | Among | Distinct | Used | Told | Ranks | Connected | Divided | Counted
Parts = Iterator[WidePart | House]
Statement = Callable[[Board, Clue, tuple[Clue, ...]], Parts]


def each(holds: Callable[[Board, str], Holds]) -> Statement:
    """Every cell of the clue by itself."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        return (Part((cell,), holds(board, clue.value)) for cell in clue.cells)

    return parts


def along(holds: Callable[[Board, str, int], Holds | None]) -> Statement:
    """Every two cells of the line, by how many steps they are apart on it."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for a, b, distance in with_distance(clue.cells):
            said = holds(board, clue.value, distance)
            if said is not None:
                yield Part((a, b), said)

    return parts


def together(holds: Callable[[str], Holds]) -> Statement:
    """All cells of the clue, in its order."""
    return lambda board, clue, clues: iter((Part(clue.cells, holds(clue.value)),))
