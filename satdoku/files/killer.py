"""Killer puzzles as forums write them: a number for each cell, or marks that point to sums.

Invariant: a text is read as exactly the cages that it draws, or refused with the place of what is
wrong.

    3x3::k:4353:4353:26:...    81 numbers, row by row: 256 times the sum of the cell's cage, plus a
                               number of the cage's own; a cell whose sum is 0 is in no cage.
                               3x3:d:k: means that both diagonals hold every digit once
    SumoCueV1=22J0+0J0=8J1...  81 entries, row by row: = and the sum of a cage at its first cell,
                               + and the number of that cell (from 0) at its other cells; J and the
                               number of the region, where regions take the place of boxes. A sum
                               of 0 says none; a cell alone with a sum is a given, with 0 it is in
                               no cage. SumoCueV1D means that both diagonals hold every digit once
    G<<L<K<L<^G>^>^E^^>^...    81 characters: the first cell of a cage has its sum, 0-9, A-Z for 10
                               to 35, a-j for 36 to 45; 0 says none. Of the other cells each points
                               to a neighbour in its cage: < > ^ v, or ` ' , . to the left and right
                               above, and to the left and right below. A cell alone with 0 is in no
                               cage

Digits repeat in no cage. Blanks and line ends mean nothing. Sources: sudocue.net/fileformats.php,
topic 519 of sudocue.net's forum, and topic 6119 of forum.enjoysudoku.com, "Understandable snarfable
killer cages"; js/sudoku_parser.js of github.com/sigh/Interactive-Sudoku-Solver was read for how a
program reads them. Texts of the last form have one of < > ^ v at least: without, a text of digits
and dots is a grid. Of greater-than killers none of these has the signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple

from ..model.board import Board, BoardError, Cells
from ..model.clue import Clue, ClueError
from ..model.constraints import Constraints, RulesLike, constraints_for
from ..model.grid import NINE, Grid, GridLike
from ..model.puzzle import Puzzle, on_board
from ..model.rules import RuleError, flags_of
from ..runtime.errors import SatdokuError, shown
from .foreign import ForeignError, checked, parser, reconciled, unspaced

SUMS = digits + ascii_uppercase + ascii_lowercase[:10]  # of a cage: 0 to 45
STEPS = {
    "<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0),
    "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1),
}  # fmt: skip

FLAGS = flags_of("killer")
CAGE = "cage"
_SUMOCUE = "sumocuev1"
_ENTRY = re.compile(r"([=+])(\d{1,3})(?:j(\d))?", re.ASCII)

Cages = dict[int, tuple[int, list[int]]]  # a sum and its cells, by what names the cage


class _Read(NamedTuple):
    """What a text states: rules, cages, digits of given cells, and regions in place of boxes."""

    words: list[str]
    cages: Cages
    givens: dict[int, int] = {}  # noqa: RUF012 - of a tuple, never written
    regions: Cells | None = None


@parser
def parse_killer(text: str, rules: RulesLike | None = None, board: Board | None = None) -> Puzzle:
    """Read a killer text of any form; errors stand at the number or the mark."""
    with unspaced(text) as stripped:
        lower = stripped.lower()
        read = _of_entries if lower.startswith(_SUMOCUE) else _of_numbers
        found = read(lower) if ":" in lower or read is _of_entries else _of_marks(stripped)
    try:
        here = checked(Board.of_regions(found.regions, 9) if found.regions else NINE, board)
    except BoardError as error:
        raise ForeignError(f"regions of unequal size ({error})") from None
    clues = (Clue(CAGE, (tuple(cells),), str(sum_ or "")) for sum_, cells in found.cages.values())
    try:
        own = constraints_for(";".join([*found.words, *(c.text(here) for c in clues)]), here)
    except SatdokuError as error:
        raise ForeignError(str(error)) from None
    constraints = reconciled(own, rules)
    cells = bytes(found.givens.get(cell, 0) for cell in range(NINE.cells))
    return Puzzle(Grid(cells, constraints.board), constraints)


def _of_numbers(text: str) -> _Read:
    """What the form with colons states."""
    boxes, flags, _, *numbers = text.split(":")
    if boxes != "3x3":
        raise ForeignError(f"boxes of {boxes}, expected 3x3", column=1)
    if flags not in ("", *FLAGS):
        found = f"'{shown(flags)}' between the colons"
        raise ForeignError(
            f"{found}, expected {', '.join(FLAGS)} or nothing", column=len(boxes) + 2
        )
    if numbers[-1:] == [""]:
        del numbers[-1]
    if len(numbers) != NINE.cells:
        raise ForeignError(f"{len(numbers)} numbers, expected {NINE.cells}")
    cages: Cages = {}
    column = len(boxes) + len(flags) + 5
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
    return _Read([FLAGS.get(flags, "classic")], cages)


def _of_entries(text: str) -> _Read:
    """What the form of SumoCue states."""
    start = len(_SUMOCUE)
    flag = next((flag for flag in FLAGS if text.startswith(flag, start)), "")
    words, at = [FLAGS.get(flag, "classic")], start + len(flag)
    entries: list[re.Match[str]] = []
    while at < len(text):
        entry = _ENTRY.match(text, at)
        if entry is None:
            found = f"'{shown(text[at : at + 10])}'"
            raise ForeignError(
                f"{found}, expected an entry such as =15, +0 or =15J2", column=at + 1
            )
        entries.append(entry)
        at = entry.end()
    if len(entries) != NINE.cells:
        raise ForeignError(f"{len(entries)} entries, expected {NINE.cells}")
    labels = [entry[3] for entry in entries]
    if None in labels and any(labels):
        entry = entries[labels.index(None)]
        raise ForeignError(f"'{entry[0]}' without a region", column=entry.start() + 1)
    cages = _cages_of(entries)
    lone = {name: cells for name, (total, cells) in cages.items() if len(cells) == 1}
    givens = {cell: _given(entries[cell]) for (cell,) in lone.values()}
    kept = {name: cage for name, cage in cages.items() if name not in lone}
    order = [*dict.fromkeys(labels)]
    regions = None if None in labels else tuple(order.index(label) for label in labels)
    return _Read(words, kept, givens, regions)


def _cages_of(entries: list[re.Match[str]]) -> Cages:
    cages: Cages = {}
    for cell, entry in enumerate(entries):
        first = cell if entry[1] == "=" else int(entry[2])
        if first >= len(entries) or entries[first][1] != "=":
            problem = f"'{entry[0]}': expected the number of a cell that begins a cage"
            raise ForeignError(problem, column=entry.start() + 1)
        cages.setdefault(first, (int(entries[first][2]), []))[1].append(cell)
    return cages


def _given(entry: re.Match[str]) -> int:
    """The digit of a cell alone, 0 if it has none."""
    digit = int(entry[2])
    if digit not in (0, *NINE.digits):
        problem = f"'{entry[0]}' at a cell alone: expected a digit, or 0 for none"
        raise ForeignError(problem, column=entry.start() + 1)
    return digit


def _of_marks(text: str) -> _Read:
    """What the form with marks states; cages go by their first cells."""
    cages: Cages = {}
    for cell in range(NINE.cells):
        *_, first = _path(text, cell)
        cages.setdefault(first, (SUMS.index(text[first]), []))[1].append(cell)
    kept = {first: cage for first, cage in cages.items() if cage[0] or len(cage[1]) > 1}
    return _Read(["classic"], kept)


def _path(text: str, cell: int) -> Iterator[int]:
    """The cells from one to the cell with the sum of its cage."""
    size = NINE.size
    for _ in range(NINE.cells):
        yield cell
        if text[cell] not in STEPS:
            return
        row, column = (a + b for a, b in zip(divmod(cell, size), STEPS[text[cell]], strict=True))
        if not (0 <= row < size and 0 <= column < size):
            problem = f"{text[cell]} in {NINE.name_of(cell)} points out of the grid"
            raise ForeignError(problem, column=cell + 1)
        cell = size * row + column
    problem = f"the marks lead from {NINE.name_of(cell)} back to it, expected to a sum"
    raise ForeignError(problem, column=cell + 1)


# Writing ------------------------------------------------------------------------------------------


def format_killer(puzzle: GridLike, rules: RulesLike = "classic") -> str:
    """The text of a killer: of numbers; that of SumoCue if it has givens, regions, or cages without
    a sum. There a cage of one cell with a sum is a given.

    Raises `RuleError` or `ClueError`, which name what neither can state.
    """
    grid, constraints = on_board(puzzle, rules)
    board = constraints.board
    if not board.is_usual or board.width != NINE.width or not board.has_boxes:
        raise RuleError(
            f"a killer text has boards of 9x9 with boxes or regions, not {board.in_words}"
        )
    words = {rule: flag for flag, rule in FLAGS.items()}
    if others := [name for name in constraints.names if name not in words]:
        raise RuleError(f"a killer text has no rule '{others[0]}'; it has {', '.join(words)}")
    flag = "".join(words[name] for name in constraints.names)
    cages = _written_cages(constraints)
    plain = board.regions is None and not any(grid)
    if plain and all(total for total, _ in cages):
        return _numbers_of(flag, cages)
    return _entries_of(flag, cages, grid)


def _written_cages(constraints: Constraints) -> list[tuple[int, Cells]]:
    """The sum of each cage, 0 for none, and its cells; no cell is in two."""
    cages: list[tuple[int, Cells]] = []
    held: set[int] = set()
    for clue in constraints.clues:
        if clue.kind != CAGE or not held.isdisjoint(clue.cells):
            text = clue.text(constraints.board)[:80]
            raise ClueError(f"a killer text has cages that share no cell, and cannot state {text}")
        held |= {*clue.cells}
        cages.append((int(clue.value or 0), tuple(sorted(clue.cells))))
    return cages


def _numbers_of(flag: str, cages: Iterable[tuple[int, Cells]]) -> str:
    numbers = {cell: 256 * total + cells[0] for total, cells in cages for cell in cells}
    return f"3x3:{flag}:k:{':'.join(str(numbers.get(cell, 0)) for cell in range(NINE.cells))}"


def _entries_of(flag: str, cages: Iterable[tuple[int, Cells]], grid: Grid) -> str:
    entries = [f"={digit}" for digit in grid]
    for total, cells in cages:
        if given := [cell for cell in cells if grid[cell]]:
            found = f"{grid.board.name_of(given[0])} is given, and in a cage"
            raise ClueError(f"a killer text has givens in cells without a cage: {found}")
        for cell in cells:
            entries[cell] = f"+{cells[0]}"
        entries[cells[0]] = f"={total}"
    regions = grid.board.regions or ()
    labels = [f"J{region}" for region in regions] or [""] * NINE.cells
    whole = "".join(entry + label for entry, label in zip(entries, labels, strict=True))
    return f"SumoCueV1{flag.upper()}{whole}"
