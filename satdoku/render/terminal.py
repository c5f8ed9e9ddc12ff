"""A puzzle as text for the terminal.

Invariant: without colour, `parse_grid` reads the text back as a grid; colour only adds to it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TextIO

from ..files.one import PuzzleLike, Rules
from ..model.board import Board
from ..model.grid import GridLike
from ..model.words import letters
from .picture import Candidates, Highlights, Picture, RuleMarks, picture, rule_marks, walls

# The character where lines meet: 8 for a line above, 4 below, 2 to the left, 1 to the right.
_JOINTS = {0: " ", 3: "─", 5: "┌", 6: "┐", 7: "┬", 9: "└", 10: "┘", 11: "┴", 12: "│", 13: "├",
           14: "┤", 15: "┼"}  # fmt: skip
_ASCII = {ord(joint): "+" for joint in _JOINTS.values() if joint != " "} | {
    ord("─"): "-",
    ord("│"): "|",
}
GIVEN = "1"  # bold
# SGR codes (ECMA-48) of the kinds of highlights.
CODES = {
    "house": "4",
    "cover": "2;4",
    "reason": "30;46",
    "eliminated": "9;31",
    "conclusion": "30;42",
    "conflict": "30;41",
}


def render_terminal(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    solution: GridLike | None = None,
    candidates: Candidates | None = None,
    highlights: Highlights | None = None,
    colour: bool = False,
    ascii_only: bool = False,
) -> str:
    """The puzzle in lines of text; `satdoku.render` explains the arguments.

    Candidates are written in a row (`24`, or `2,14` where digits have two characters). With
    `colour`, givens are bold and highlights are coloured; without it, highlighted candidates are
    just written.
    """
    shown = picture(puzzle, rules, solution, candidates, highlights)
    words = [_word(shown, cell) for cell in range(shown.board.grid_cells)]
    painted = [_paint(shown, cell) if colour else word for cell, word in enumerate(words)]
    text = "\n".join(_framed(shown, words, painted))
    text = "\n".join([text, *_rules(rule_marks(shown.constraints), shown.board)])
    return text.translate(_ASCII) if ascii_only else text


def _rules(marks: RuleMarks, board: Board) -> Iterator[str]:
    """What is not drawn: rules in one line, then clues, in a line those of one kind and value."""
    if marks.names:
        yield f"# rules: {', '.join(marks.names)}"
    clues = (clue.text(board).partition(":") for clue in marks.clues)
    for head, some in groupby(clues, key=itemgetter(0)):
        yield f"# {head}: {'; '.join(places for _, _, places in some)}"


def wants_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that may be coloured.

    NO_COLOR forbids colour, FORCE_COLOR asks for it (https://no-color.org, force-color.org).
    """
    if os.environ.get("NO_COLOR"):
        return False
    terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
    return terminal or bool(os.environ.get("FORCE_COLOR"))


def _word(shown: Picture, cell: int) -> str:
    """What a cell shows, without colour."""
    if position := shown.digits[cell]:
        return str(shown.board.digits[position - 1])
    return _separator(shown).join(_marks(shown, cell)) or "."


def _marks(shown: Picture, cell: int) -> list[str]:
    return [str(shown.board.digits[position - 1]) for position in shown.marks[cell]]


def _separator(shown: Picture) -> str:
    return "" if letters(shown.board) == 1 else ","


def _paint(shown: Picture, cell: int) -> str:
    """The same with the codes that show givens and highlights."""
    kind = shown.cell_kinds.get(cell)
    codes = [GIVEN] * bool(shown.grid[cell]) + ([CODES[kind]] if kind else [])
    if not shown.marks[cell]:
        return _coloured(_word(shown, cell), codes)
    kinds = [shown.mark_kinds.get((cell, digit)) for digit in shown.marks[cell]]
    words = [
        _coloured(digit, codes + ([CODES[its]] if its else []))
        for digit, its in zip(_marks(shown, cell), kinds, strict=True)
    ]
    return _separator(shown).join(words)


def _coloured(text: str, codes: Sequence[str]) -> str:
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text


def _framed(shown: Picture, words: Sequence[str], painted: Sequence[str]) -> list[str]:
    """The rows of cells, and a line wherever some regions end."""
    board = shown.board
    rows, columns = board.extent
    upright, level = walls(board)
    least = letters(board)
    widths = [max(least, *(len(words[cell]) for cell in column)) for column in board.columns]
    wide = [any(upright[row][line] for row in range(rows)) for line in range(columns + 1)]
    lines = []
    for row in range(rows + 1):
        if any(level[row]):
            lines.append(_ruling(row, upright, level, widths, wide))
        if row < rows:
            padded = [" " * width for width in widths]
            for cell in board.rows[row]:
                column = board.places[cell][1]
                blanks = widths[column] - len(words[cell])
                padded[column] = _padded(painted[cell], blanks, shown.has_marks)
            lines.append(_row(padded, upright[row], wide))
    return [line.rstrip() for line in lines]


def _padded(text: str, blanks: int, to_the_right: bool) -> str:
    return text + " " * blanks if to_the_right else " " * blanks + text


def _row(cells: Sequence[str], upright: Sequence[bool], wide: Sequence[bool]) -> str:
    text = "│ " if upright[0] else "  "
    for column, cell in enumerate(cells):
        if column:
            text += (" │ " if upright[column] else "   ") if wide[column] else " "
        text += cell
    return text + (" │" if upright[-1] else "")


def _ruling(
    row: int,
    upright: Sequence[Sequence[bool]],
    level: Sequence[Sequence[bool]],
    widths: Sequence[int],
    wide: Sequence[bool],
) -> str:
    """The line above a row of cells (after the last: below it), drawn where regions end."""
    rows, n = len(upright), len(widths)
    bar = " ─"
    text = ""
    for line in range(n + 1):
        left, right = line > 0 and level[row][line - 1], line < n and level[row][line]
        above, below = row > 0 and upright[row - 1][line], row < rows and upright[row][line]
        if wide[line]:
            joint = _JOINTS[8 * above + 4 * below + 2 * left + right]
            text += bar[left] * (line > 0) + joint + bar[right] * (line < n)
        else:
            text += bar[left]
        if line < n:
            text += bar[right] * widths[line]
    return text
