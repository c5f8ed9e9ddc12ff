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
from .links import FPuzzlesError, json_type

NEGATIVE, NONCONSECUTIVE = "negative", "nonconsecutive"
_DOTS = ("difference", "ratio")
_KINDS = {"ratio": "ratio", "xv": "sum"}  # what `negative` lists, and the kind that it denies
_NONCONSECUTIVE = ("no-difference", "1")
DENIALS = frozenset(("no-difference", "no-ratio", "no-sum"))


def read_denials(value: dict[str, Any], clues: list[Clue], board: Board) -> Iterator[str]:
    """The rules and clues that state what an object denies; `clues` are those that it lists."""
    if value.get(NONCONSECUTIVE):
        yield "=".join(_NONCONSECUTIVE) if _has_dots(clues) else NONCONSECUTIVE
    listed = value.get(NEGATIVE) or []
    if not isinstance(listed, list):
        raise FPuzzlesError(f"{NEGATIVE} is {json_type(listed)}, expected a list of names")
    if unknown := [str(name)[:30] for name in listed if str(name) not in _KINDS]:
        found = f"{NEGATIVE} {', '.join(unknown)} is not supported"
        raise FPuzzlesError(f"{found}; supported: {', '.join(_KINDS)}")
    if "xv" in listed and len(value.get("xv") or []) > sum(c.kind == "sum" for c in clues):
        raise FPuzzlesError("xv: a mark without X or V cannot be heeded beside a negative xv")
    for name in dict.fromkeys(listed):
        kind = _KINDS[name]
        yield from (f"no-{kind}={number}" for number in _denied(kind, clues, board))


def write_denials(constraints: Constraints) -> dict[str, Any]:
    """The keys that state what is denied; raises `ClueError` for what they cannot state."""
    clues, board = list(constraints.clues), constraints.board
    left = {(clue.kind, clue.value) for clue in clues if clue.kind in DENIALS}
    stated: dict[str, Any] = {}
    if NONCONSECUTIVE in constraints.names or _NONCONSECUTIVE in left:
        stated[NONCONSECUTIVE] = True
        left.discard(_NONCONSECUTIVE)
    for name, kind in _KINDS.items():
        whole = {(f"no-{kind}", number) for number in _denied(kind, clues, board)}
        if whole and whole <= left:
            stated.setdefault(NEGATIVE, []).append(name)
            left -= whole
    if left or (NONCONSECUTIVE in constraints.names and _has_dots(clues)):
        rules = ", ".join(f"{kind}={number}" for kind, number in sorted(left)) or NONCONSECUTIVE
        raise ClueError(
            f"f-puzzles cannot state {rules}: it denies differences of 1 where no dot is, the "
            "ratios of the dots (2 without any), and 5 and 10 together"
        )
    return stated


def _has_dots(clues: list[Clue]) -> bool:
    return any(clue.kind in _DOTS for clue in clues)


def _denied(kind: str, clues: list[Clue], board: Board) -> list[str]:
    """The numbers that a key denies: of ratios those that stand on dots, else 2; of sums 5 and 10,
    as far as digits reach."""
    if kind == "ratio":
        return sorted({clue.value for clue in clues if clue.kind == kind} or {"2"}, key=int)
    return [number for number in ("5", "10") if int(number) <= 2 * board.size]
