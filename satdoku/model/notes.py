"""What a file for a solver says of its puzzle, in comments, so that an answer can be read back.

Invariant: what `notes_of` writes, `read_notes` reads as the same constraints and the same puzzle.

    satdoku-size 9
    satdoku-box 3x3
    satdoku-rules knight             the rule set, with its region map if it has one
    satdoku-puzzle ....1..3...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ..runtime.errors import SatdokuError
from .board import Board
from .constraints import Constraints, constraints_for, tells_board
from .grid import Grid, format_line, parse_grid

_NOTE = re.compile(r"[c;*] satdoku-(\w+) (.+)")  # comments of DIMACS, SMT-LIB and OPB


class NoteError(SatdokuError):
    """Comments of satdoku that say no board."""


def notes_of(constraints: Constraints, puzzle: Grid | None, **more: str) -> Iterator[str]:
    """The comments, each without the character that begins one; more: others of the format."""
    board = constraints.board
    yield f"satdoku-size {board.width}"
    yield f"satdoku-box {board.box_shape}"
    yield f"satdoku-rules {constraints.name}"
    yield from (f"satdoku-{name} {text}" for name, text in more.items())
    if puzzle is not None:
        yield f"satdoku-puzzle {format_line(puzzle)}"


def note(line: str) -> tuple[str, str] | None:
    """The name and the text of a comment; None if the line is no comment of satdoku."""
    match = _NOTE.fullmatch(line.rstrip())
    return match and (match[1], match[2])


def notes_in(lines: Iterable[str]) -> dict[str, str]:
    """The comments among lines, by name."""
    return dict(filter(None, map(note, lines)))


def read_notes(notes: Mapping[str, str]) -> tuple[Constraints, Grid | None] | None:
    """The constraints and the puzzle, if there is one; None if the notes lack the rules."""
    if "size" not in notes or "rules" not in notes:
        return None
    rows, _, columns = notes.get("box", "").partition("x")
    try:
        size = int(notes["size"])
        rules = notes["rules"]
        board = None if tells_board(rules) else Board(size, int(rows), int(columns))
    except ValueError:
        found = f"size {notes['size'][:20]!r} and box {notes.get('box', '')[:20]!r}"
        raise NoteError(f"satdoku comments with {found}: expected such as 9 and 3x3") from None
    constraints = constraints_for(rules, board)
    puzzle = parse_grid(notes["puzzle"], constraints.board) if "puzzle" in notes else None
    return constraints, puzzle
