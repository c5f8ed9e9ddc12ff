"""Killer puzzles as forums write them: a number for each cell, or marks that point to sums.

Invariant: a text is read as exactly the cages that it draws, or refused with the place of what is
wrong.

    3x3::k:4353:4353:26:...    81 numbers, row by row: 256 times the sum of the cell's cage, plus a
                               number of the cage's own; a cell whose sum is 0 is in no cage.
                               3x3:d:k: means that both diagonals hold every digit once
    G<<L<K<L<^G>^>^E^^>^...    81 characters: the first cell of a cage has its sum, 0-9, A-Z for 10
                               to 35, a-j for 36 to 45; 0 says none. Of the other cells each points
                               to a neighbour in its cage: < > ^ v, or ` ' , . to the left and right
                               above, and to the left and right below. A cell alone with 0 is in no
                               cage

Digits repeat in no cage. Sources: sudocue.net/fileformats.php, and topic 6119 of
forum.enjoysudoku.com, "Understandable snarfable killer cages". Texts of the second form have one of
< > ^ v at least: without, a text of digits and dots is a grid.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase, digits

from ..model.board import Board
from ..model.clue import Clue
from ..model.constraints import RulesLike, constraints_for
from ..model.grid import NINE, empty_grid
from ..model.puzzle import Puzzle
from ..model.rules import flags_of
from ..runtime.errors import SatdokuError, shown
from .foreign import ForeignError, checked, parser, reconciled

SUMS = digits + ascii_uppercase + ascii_lowercase[:10]  # of a cage: 0 to 45
STEPS = {
    "<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0),
    "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1),
}  # fmt: skip

FLAGS = flags_of("killer")

Cages = dict[int, tuple[int, list[int]]]  # a sum and its cells, by what names the cage


@parser
def parse_killer(text: str, rules: RulesLike | None = None, board: Board | None = None) -> Puzzle:
    """Read a killer text of either form; errors stand at the number or the mark."""
    checked(NINE, board)
    before = len(text) - len(text.lstrip())
    stripped = text.strip()
    if ":" in stripped:
        words, cages = _of_numbers(stripped, before)
    else:
        words, cages = ["classic"], _of_marks(stripped, before)
    clues = (Clue("cage", (tuple(cells),), str(total or "")) for total, cells in cages.values())
    try:
        own = constraints_for(";".join([*words, *(clue.text(NINE) for clue in clues)]), NINE)
    except SatdokuError as error:
        raise ForeignError(str(error)) from None
    constraints = reconciled(own, rules)
    return Puzzle(empty_grid(constraints.board), constraints)


def _of_numbers(text: str, before: int) -> tuple[list[str], Cages]:
    """The rules and the cages of the form with colons."""
    boxes, flags, _, *numbers = text.lower().split(":")
    if boxes != "3x3":
        raise ForeignError(f"boxes of {boxes}, expected 3x3", column=before + 1)
    if flags not in ("", *FLAGS):
        found = f"'{shown(flags)}' between the colons"
        raise ForeignError(
            f"{found}, expected {', '.join(FLAGS)} or nothing", column=before + len(boxes) + 2
        )
    if numbers[-1:] == [""]:
        del numbers[-1]
    if len(numbers) != NINE.cells:
        raise ForeignError(f"{len(numbers)} numbers, expected {NINE.cells}")
    cages: Cages = {}
    column = before + len(boxes) + len(flags) + 5
    for cell, number in enumerate(numbers):
        if not (number.isascii() and number.isdigit() and len(number) <= 5):
            found = f"'{shown(number[:20])}'"
            raise ForeignError(f"{found}, expected a number for each cell", column=column)
        total, cage = divmod(int(number), 256)
        if total:
            stated, cells = cages.setdefault(cage, (total, []))
            if stated != total:
                problem = f"{number} gives cage {cage} the sum {total}, and {stated} stands before"
                raise ForeignError(problem, column=column)
            cells.append(cell)
        column += len(number) + 1
    return [FLAGS.get(flags, "classic")], cages


def _of_marks(text: str, before: int) -> Cages:
    """The cages of the form with marks, by their first cells."""
    cages: Cages = {}
    for cell in range(NINE.cells):
        *_, first = _path(text, cell, before)
        cages.setdefault(first, (SUMS.index(text[first]), []))[1].append(cell)
    return {first: cage for first, cage in cages.items() if cage[0] or len(cage[1]) > 1}


def _path(text: str, cell: int, before: int) -> Iterator[int]:
    """The cells from one to the cell with the sum of its cage."""
    size = NINE.size
    for _ in range(NINE.cells):
        yield cell
        if text[cell] not in STEPS:
            return
        row, column = (a + b for a, b in zip(divmod(cell, size), STEPS[text[cell]], strict=True))
        if not (0 <= row < size and 0 <= column < size):
            problem = f"{text[cell]} in {NINE.name_of(cell)} points out of the grid"
            raise ForeignError(problem, column=before + cell + 1)
        cell = size * row + column
    problem = f"the marks lead from {NINE.name_of(cell)} back to it, expected to a sum"
    raise ForeignError(problem, column=before + cell + 1)
