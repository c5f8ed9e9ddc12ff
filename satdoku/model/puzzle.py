"""One puzzle: its givens or pencil marks, its constraints, and what is told beside them.

Invariant: the grid and the constraints have the same board. A title or an author cannot act on a
terminal or a page that shows the puzzle: they are escaped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..runtime import package
from ..runtime.errors import BudgetError, SatdokuError, Status, counted, shown
from ..runtime.lazy import cached_property
from .constraints import Constraints, RulesLike, constraints_for, tells_board
from .grid import Grid, GridLike, as_grid, empty_grid
from .looks import Looks

Digits = tuple[frozenset[int], ...]  # of each cell


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A puzzle, as every reader returns it.

    grid: the givens. marks: for each cell the digits that it may hold, if the puzzle restricts any
    cell by pencil marks, else None. A solution must keep to them, so that the grid alone is another
    puzzle.

    answer: the solution that is stated. id, title, author: what it is called, and by whom. words:
    the rules as the setter has put them, empty where nobody has. looks: what is drawn and means
    nothing. warning: if words or drawings state rules that no constraint states, a sentence that
    quotes and names them, else None. Whoever solves such a puzzle by its constraints solves another
    one.

    entered: the givens and what a player has filled in; noted: a player's marks in each cell; both
    None where the format knows no player. source, line: the file and the line where the puzzle
    begins, None if it comes from no file. took: the seconds that its rules took to read, which
    count towards a limit of time for its answer.
    """

    grid: Grid
    constraints: Constraints
    marks: Digits | None = None
    answer: Grid | None = None
    id: str = ""
    title: str = ""
    author: str = ""
    words: str = ""
    warning: str | None = None
    entered: Grid | None = None
    noted: Digits | None = None
    source: str | None = None
    line: int | None = None
    looks: Looks = ()
    took: float = field(default=0.0, compare=False)

    @property
    def rules(self) -> str:
        """The rule set as text, which `constraints_for(rules, grid.board)` reads."""
        return self.constraints.name

    @property
    def place(self) -> dict[str, object]:
        """File, line and id, as far as it has them; of no file, nothing."""
        return placed(self.source, self.line, self.id)

    def record(self, **answer: object) -> dict[str, object]:
        """An answer for JSON, behind what it is about."""
        return {**self.place, "puzzle": str(self.grid), "rules": self.rules, **answer}

    @cached_property
    def mark_bytes(self) -> bytes | None:
        """The marks as `Session.restricted` takes them: a byte a candidate (cell-major, digit 1
        first), 0 where givens or marks exclude it. None without marks: then the grid says all."""
        return None if self.marks is None else mark_bytes(self.grid, self.marks)

    def __repr__(self) -> str:
        """`<Puzzle 'Title' by 'Author': 9x9, 3 digits, rules knight, clues: 12>`."""
        board, clues = self.grid.board, len(self.constraints.clue_texts)
        names = self.rules.partition(";")[0]
        facts = [board.shape, counted(self.grid.givens, "digit"), f"rules {names}"]
        return f"<Puzzle{self._by_whom}: {', '.join([*facts, f'clues: {clues}'])}>"

    def _repr_html_(self) -> str:
        """The picture that a notebook shows, an SVG element."""
        return package.svg(self, caption=self._by_whom.strip())

    @property
    def _by_whom(self) -> str:
        title, author = shown(self.title), shown(self.author)
        return (f" '{title}'" if title else "") + (f" by '{author}'" if author else "")


class Unreadable(NamedTuple):
    """A puzzle that cannot be answered: what is wrong with it, and its `Puzzle.place`."""

    error: SatdokuError
    place: Mapping[str, object]

    def record(self) -> dict[str, object]:
        """In place of an answer for JSON."""
        late = isinstance(self.error, BudgetError)
        status = Status.UNKNOWN if late else Status.INVALID
        return {**self.place, "status": str(status), "error": str(self.error)}


def placed(source: str | None, line: int | None, id: str) -> dict[str, object]:
    """Where a puzzle of a file stands, for JSON; what comes from no file stands nowhere."""
    named = {"id": id} if id else {}
    return {} if source is None else {"file": source, "line": line, **named}


def empty_puzzle(constraints: Constraints) -> Puzzle:
    """The constraints alone."""
    return Puzzle(empty_grid(constraints.board), constraints)


def of_cells(cells: bytes, constraints: Constraints) -> Puzzle:
    """The puzzle of digits, one for each cell, or of pencil marks as `Puzzle.mark_bytes`."""
    board = constraints.board
    if len(cells) == board.cells:
        return Puzzle(Grid(cells, board), constraints)
    return Puzzle(empty_grid(board), constraints, digits_of(cells, board.choices))


def on_board(puzzle: GridLike, rules: RulesLike = "classic") -> tuple[Grid, Constraints]:
    """A grid with its constraints; the board is that of the rules if they fix one."""
    if tells_board(rules):
        constraints = constraints_for(rules)
        return as_grid(puzzle, constraints.board), constraints
    grid = as_grid(puzzle)
    constraints = constraints_for(rules, grid.board)
    return as_grid(grid, constraints.board), constraints


def whole(puzzle: GridLike | Puzzle, rules: RulesLike | None = None) -> Puzzle:
    """A puzzle as it is, or a grid with its constraints; rules that are given take the place of a
    puzzle's own."""
    if not isinstance(puzzle, Puzzle):
        return Puzzle(*on_board(puzzle, "classic" if rules is None else rules))
    if rules is None:
        return puzzle
    grid, constraints = on_board(puzzle.grid, rules)
    return replace(puzzle, grid=grid, constraints=constraints)


def mark_bytes(grid: Grid, marks: Digits) -> bytes:
    """A byte a candidate (cell-major, digit 1 first), 0 where givens or marks exclude it.

    A given that its cell's marks lack leaves the cell no digit, so that the puzzle has no solution.
    """
    digits = range(1, grid.board.choices + 1)
    cells = zip(grid, marks, strict=True)
    return bytes(d in allowed and given in (0, d) for given, allowed in cells for d in digits)


def strikes(puzzle: Puzzle) -> bytes:
    """A byte a candidate, 0 where the marks exclude it, whatever the givens are."""
    board = puzzle.grid.board
    return mark_bytes(empty_grid(board), puzzle.marks) if puzzle.marks else b"\1" * board.variables


def digits_of(marks: bytes, size: int) -> Digits:
    """The digits of each cell, of such bytes."""
    cells = (marks[start : start + size] for start in range(0, len(marks), size))
    return tuple(frozenset(d for d, mark in enumerate(cell, 1) if mark) for cell in cells)


def restricted(puzzle: Puzzle) -> Digits | None:
    """The marks as pictures show them: a cell that may hold any digit has none."""
    if puzzle.marks is None:
        return None
    board = puzzle.grid.board
    cells = zip(puzzle.marks, board.domains(tuple(range(board.cells))), strict=True)
    return tuple(some if len(some) < len(every) else frozenset() for some, every in cells)
