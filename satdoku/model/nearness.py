"""Warnings of clues whose cells do not lie as their kind needs it: a thermometer that leaps.

Invariant: a warning changes nothing. Such a clue means what it says, but hardly what was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise

from .board import Board, CellPair, Cells
from .clue import Clue, read_clue, split_rules
from .constraints import RulesLike, constraints_for, is_clue, rules_text
from .kinds import ALIASES, KINDS, canonical, clue_of
from .kinds.kind import BESIDE, Nearness

LONGEST = 80  # characters of a clue that a warning repeats
Touch = Callable[[int, int], bool]


def clue_warnings(rules: RulesLike = "classic", board: Board | None = None) -> tuple[str, ...]:
    """A line for each clue whose cells do not lie as its kind needs it, in the order of the rules:
    `thermo:r1c1,r5c5: r1c1 and r5c5 do not touch`.

    Only a text tells `x` and `v`, which stand between two cells that share an edge, from a `sum`,
    whose cells may lie anywhere. Raises `RuleError` and `ClueError` as `constraints_for` does.
    """
    constraints = constraints_for(rules, board)
    words = split_rules(rules_text(rules))
    said = (clue_warning(word, constraints.board) for word in words if is_clue(word))
    return tuple(dict.fromkeys(filter(None, said)))


def clue_warning(text: str, board: Board) -> str:
    """Which two cells of a clue lie apart and should not; empty if none do."""
    clue_of(text, board)
    found = next(_problems(read_clue(text, board), board), None)
    return f"{text.strip()[:LONGEST]}: {found}" if found else ""


def _problems(written: Clue, board: Board) -> Iterator[str]:
    for part in written.parts:
        yield from _problems(part, board)
    near = BESIDE if written.kind in ALIASES else KINDS[written.kind].near
    if near:
        for gap in _gaps(canonical(written, board), near, board):
            first, second = map(board.name_of, gap)
            yield f"{first} and {second} {near.problem}"


def _gaps(clue: Clue, near: Nearness, board: Board) -> Iterator[CellPair]:
    """The pairs of cells that lie apart and should not."""

    def touch(a: int, b: int) -> bool:
        if max(a, b) >= board.grid_cells:  # the variables of layers may lie anywhere
            return True
        (top, left), (bottom, right) = board.places[a], board.places[b]
        down, across = abs(top - bottom), abs(left - right)
        return (down + across if near.by_edge else max(down, across)) == 1

    for group in clue.groups:
        if near.which == "together":
            yield from _unlinked(group, touch)
        else:
            pairs = pairwise(group) if near.which == "along" else combinations(group, 2)
            yield from (pair for pair in pairs if not touch(*pair))
    for shaft in clue.groups[1:]:
        if not any(touch(cell, shaft[0]) for cell in clue.groups[0]):
            yield clue.groups[0][-1], shaft[0]


def _unlinked(group: Cells, touch: Touch) -> Iterator[CellPair]:
    """The first cell with each that no chain of touching cells joins to it."""
    reached = [group[0]]
    for cell in reached:
        reached += [other for other in group if other not in reached and touch(cell, other)]
    return ((group[0], cell) for cell in group if cell not in reached)
