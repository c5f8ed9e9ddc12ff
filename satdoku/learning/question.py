"""A puzzle as a question in words: its rules, each clue, the grid, and how to answer.

Invariant: the question states all rules and clues, so that nothing else is needed to answer it; an
answer as it asks for is one that `find_answer` reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.board import Board
from ..model.clue import Clue
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.kinds import KINDS
from ..model.rules import RULES


def question(puzzle: Grid, constraints: Constraints) -> str:
    """What is asked, on several lines."""
    board = constraints.board
    n = board.size
    parts = [
        f"Fill the {n}x{n} grid: each empty cell, written as a dot, takes a number from 1 to {n}.",
        "\n".join(["Rules:", *(f"- {rule}" for rule in _rules(constraints))]),
    ]
    if constraints.clues:
        clues = (f"- {clue_in_words(clue, board)}" for clue in constraints.clues)
        about = "Clues (r2c3 is the cell in row 2 and column 3):"
        parts.append("\n".join([about, *clues]))
    if board.regions is not None:
        parts.append(f"Map, with the same sign for all cells of a region:\n{_map(board)}")
    parts += [
        f"Grid:\n{rows(puzzle)}",
        f"Answer with the full grid: {n} lines of {n} numbers with spaces between them. "
        "Keep the numbers that are there.",
    ]
    return "\n\n".join(parts)


def rows(grid: Grid) -> str:
    """One line per row, numbers with spaces between them, a dot for an empty cell."""
    n = grid.board.size
    symbols = [str(digit or ".") for digit in grid]
    return "\n".join(" ".join(symbols[i : i + n]) for i in range(0, n * n, n))


def clue_in_words(clue: Clue, board: Board) -> str:
    """The kind, the value and the cells of a clue, and what it says of them."""
    kind = KINDS[clue.kind]
    groups = " > ".join(", ".join(map(board.name_of, group)) for group in clue.groups)
    head = f"{clue.kind} {clue.value}".strip() + (f" at {groups}" if groups else "")
    says = kind.sentence.format(value=clue.value or "N")
    parts = ", ".join(f"({clue_in_words(part, board)})" for part in clue.parts)
    return ": ".join(filter(None, [head, says, parts]))


def _rules(constraints: Constraints) -> Iterator[str]:
    """A sentence for the houses of the board, and for each rule."""
    board = constraints.board
    third = "region of the map"
    if board.regions is None:
        third = f"box of {board.box_rows} rows and {board.box_columns} columns"
    houses = ["row", "column", *([third] if board.has_boxes else [])]
    *most, last = (f"every {house}" for house in houses)
    yield f"{', '.join(most)} and {last} holds every number once.".capitalize()
    for name in constraints.names:
        yield f"{RULES[name].summary[0].upper()}{RULES[name].summary[1:]}."


def _map(board: Board) -> str:
    n, labels = board.size, board.region_map
    return "\n".join(labels[i : i + n] for i in range(0, n * n, n))
