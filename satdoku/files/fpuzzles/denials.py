"""What f-puzzles denies of neighbours: its keys `negative` and `nonconsecutive`.

Invariant: a dot of either colour frees its two cells of what is denied about dots, whatever number
it bears; f-puzzles, SudokuSolver and Interactive Sudoku Solver agree on it. An X or a V frees its
cells of both sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...model.board import Board
from ...model.clue import Clue, ClueError
from ...model.constraints import Constraints
from ...model.kinds import KINDS, foreign
from ...model.rules import flags_of, foreign_rules
from ..foreign import ForeignError, json_type

NEGATIVE = "negative"
FLAGS = flags_of("fpuzzles")
# Keys that are one house of a rule, and the rules that are stated by their houses, with keys or as
# regions.
HOUSES = {t.name: t.options["cells"] for _, t in foreign_rules("fpuzzles") if t.way == "house"}
BY_HOUSES = tuple(
    dict.fromkeys(r.name for r, t in foreign_rules("fpuzzles") if t.way in ("house", "houses"))
)
DENIALS = frozenset(kind.name for kind in KINDS.values() if kind.denies)
# What `negative` lists, the kind that it is, and how.
_DENIED = {
    there.name: (kind, there.options)
    for kind, there in foreign("fpuzzles")
    if there.way == "denied"
}
# A rule that is denied too, and its key.
((RULE, NONCONSECUTIVE),) = (
    (rule.name, there.name)
    for rule, there in foreign_rules("fpuzzles")
    if there.way == "denied-flag"
)
# The denial that this key is beside a clue that frees cells of it, and its number.
((_FREED, _NONCONSECUTIVE),) = (
    (kind.frees, (kind.name, there.options["value"]))
    for kind, there in foreign("fpuzzles")
    if (there.name, there.way) == (NONCONSECUTIVE, "denied-flag")
)


def read_denials(value: dict[str, Any], clues: list[Clue], board: Board) -> Iterator[str]:
    """The rules and clues that state what an object denies; `clues` are those that it lists."""
    if value.get(NONCONSECUTIVE):
        yield "=".join(_NONCONSECUTIVE) if _has_dots(clues) else RULE
    listed = value.get(NEGATIVE) or []
    if not isinstance(listed, list):
        raise ForeignError(f"{NEGATIVE} is {json_type(listed)}, expected a list of names")
    if unknown := [str(name)[:30] for name in listed if str(name) not in _DENIED]:
        found = f"{NEGATIVE} {', '.join(unknown)} is not supported"
        raise ForeignError(f"{found}; supported: {', '.join(_DENIED)}")
    for name in dict.fromkeys(listed):
        kind, options = _DENIED[name]
        marks = sum(clue.kind == kind.denies for clue in clues)
        if "or_marked" not in options and len(value.get(name) or []) > marks:
            raise ForeignError(
                f"{name}: a mark without X or V cannot be heeded beside a negative xv"
            )
        yield from (f"{kind.name}={number}" for number in _numbers(name, clues, board))


def write_denials(constraints: Constraints) -> dict[str, Any]:
    """The keys that state what is denied; raises `ClueError` for what they cannot state."""
    clues, board = list(constraints.clues), constraints.board
    left = {(clue.kind, clue.value) for clue in clues if clue.kind in DENIALS}
    stated: dict[str, Any] = {}
    if RULE in constraints.names or _NONCONSECUTIVE in left:
        stated[NONCONSECUTIVE] = True
        left.discard(_NONCONSECUTIVE)
    for name, (kind, _) in _DENIED.items():
        whole = {(kind.name, number) for number in _numbers(name, clues, board)}
        if whole and whole <= left:
            stated.setdefault(NEGATIVE, []).append(name)
            left -= whole
    if left or (RULE in constraints.names and _has_dots(clues)):
        rules = ", ".join(f"{kind}={number}" for kind, number in sorted(left)) or RULE
        raise ClueError(
            f"f-puzzles cannot state {rules}: it denies differences of 1 where no dot is, the "
            "ratios of the dots (2 without any), and 5 and 10 together"
        )
    return stated


def _has_dots(clues: list[Clue]) -> bool:
    return any(clue.kind in _FREED for clue in clues)


def _numbers(name: str, clues: list[Clue], board: Board) -> list[str]:
    """The numbers that a name denies, as far as digits reach; some deny those that stand on marks,
    if there are any."""
    kind, options = _DENIED[name]
    marked = {clue.value for clue in clues if clue.kind == kind.denies and "or_marked" in options}
    if marked:
        return sorted(marked, key=int)
    return [number for number in options["values"] if int(number) <= 2 * board.size]
