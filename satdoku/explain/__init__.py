"""Why: a puzzle's contradiction, a cell's digit, a whole solution step by step.

Invariant: nothing is claimed that `witness` has not proved from the parts of the rules that are
named.

    explain_conflict("5.....5" + "." * 74).words  # r1c1=5 and r1c7=5 clash: row 1 holds 5 once
    explain_cell(puzzle, "r5c3").words            # which givens and houses force its digit
    for step in explain_steps(puzzle): print(step.words)

An explanation is a set of units, the smallest parts of the rules: "row 3 holds 5 once", "r1c1 holds
one digit", "knight's move r1c1-r2c3"; its size is how many there are. Steps are the same on every
machine that has the same version of python-sat; only where propagation refutes no candidate does
a solver's choice enter. Smallest conflicts depend on the time limit too, and say whether
they are proved to be smallest.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import SatdokuError, WitnessError
from ..model.board import Board
from ..model.constraints import Constraints
from ..model.grid import Grid, GridLike
from ..model.puzzle import as_puzzle
from ..sat.api import Rules, shared_session
from .reasons import GRACE, Inquiry, Reasons
from .step import Candidate, Step, unit_data
from .steps import UnexplainableError, steps_of
from .units import Unit, units_of
from .words import grouped, in_turn, listed

__all__ = [
    "Candidate", "CellAnswer", "Conflict", "Reasons", "Step", "UnexplainableError", "Unit",
    "explain_cell", "explain_conflict", "explain_steps", "unit_data",
]  # fmt: skip

LIMIT = 10.0  # seconds for a conflict, or for the reasons of a cell
_CELL = re.compile(r"r(\d+)c(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Conflict:
    """Why a puzzle has no solution.

    givens: a smallest set of givens that no solution has, under all rules; reasons: a smallest
    set of givens and units that contradict each other (other givens, perhaps: more of them may need
    fewer rules). Each says by `is_smallest` and `is_minimal` what of that was proved in time.
    """

    givens: Reasons
    reasons: Reasons

    @property
    def words(self) -> str:
        """One sentence about `reasons`; it says so if they are not proved to be the fewest."""
        facts, units = self.reasons.given_names, self.reasons.units
        if not facts:
            return f"the rules contradict each other: {grouped(units)}{self.reasons.caveat}"
        if len(facts) == 2 and len(units) == 1:
            return f"{listed(facts)} clash: {units[0].words}"
        used = f"(rules used: {grouped(units)}){self.reasons.caveat}"
        return f"{listed(facts)} cannot all be true: {in_turn(self.reasons.chain)} {used}"

    @property
    def givens_words(self) -> str:
        """One sentence about `givens`; it says so if they are not proved to be the fewest."""
        facts = self.givens.given_names
        fewest = "a smallest set" if self.givens.is_smallest else "perhaps not a smallest set"
        return f"these {len(facts)} givens together have no solution ({fewest}): {listed(facts)}"

    @property
    def highlights(self) -> dict[str, tuple[int, ...]]:
        """Cells (0-based) to colour, by kind as `render` names them."""
        houses = {cell for unit in self.reasons.units for cell in unit.cells}
        return {"house": tuple(sorted(houses)), "conflict": self.reasons.cells}

    def as_data(self) -> dict[str, Any]:
        """The conflict as plain values for JSON."""
        return {
            "words": self.words,
            "conflict": self.reasons.as_data(),
            "givens": self.givens.as_data(),
        }


@dataclass(frozen=True)
class CellAnswer:
    """What a cell holds in the solutions, and why if that is one digit.

    digits: all that the cell holds in some solution; reasons: a smallest set that forces the digit,
    None if there are several.
    """

    name: str
    digits: frozenset[int]
    reasons: Reasons | None

    @property
    def highlights(self) -> dict[str, tuple[int | Candidate, ...]]:
        """What to colour, by kind as `render` names them: cells, and candidates (cell, digit)."""
        if self.reasons is None:
            return {}
        houses = {cell for unit in self.reasons.units for cell in unit.cells}
        cell = cell_named(self.name, self.reasons.board)
        return {
            "house": tuple(sorted(houses)),
            "reason": self.reasons.cells,
            "conclusion": ((cell, min(self.digits)),),
        }

    @property
    def words(self) -> str:
        """One sentence."""
        if self.reasons is None:
            digits = listed(sorted(self.digits))
            return f"{self.name} is not forced: {digits} occur there in solutions"
        start = f"{self.name}={min(self.digits)}"
        if not self.reasons.units:
            return f"{start}: given"
        facts = f"givens: {listed(self.reasons.given_names)}; " if self.reasons.givens else ""
        used = f"({facts}rules used: {grouped(self.reasons.units)}){self.reasons.caveat}"
        return f"{start}: otherwise {in_turn(self.reasons.chain)} {used}"

    def as_data(self) -> dict[str, Any]:
        """The answer as plain values for JSON."""
        return {
            "cell": self.name,
            "digits": sorted(self.digits),
            "words": self.words,
            "reasons": None if self.reasons is None else self.reasons.as_data(),
        }


def explain_steps(
    puzzle: GridLike, rules: Rules = "classic", *, limit: float | None = None
) -> Iterator[Step]:
    """The steps of a solution, as they are found, each with the smallest explanation found for it.

    Of a puzzle with several solutions: until every candidate left is in some of them. `limit`: the
    seconds after which `BudgetError` is raised instead of a further step. Raises
    `UnexplainableError` for a puzzle without solution.
    """
    grid, constraints = as_puzzle(puzzle, rules)
    return steps_of(grid, constraints, limit)


def explain_conflict(
    puzzle: GridLike, rules: Rules = "classic", *, limit: float = LIMIT
) -> Conflict | None:
    """Why the puzzle has no solution; None if it has one.

    `limit`: seconds in all, as nearly as solvers come back. What is found by then is returned, and
    says what of it is proved; `BudgetError` if it is not known yet whether there is a solution, or
    if no conflict was found and proved.
    """
    deadline = time.monotonic() + limit
    grid, constraints = as_puzzle(puzzle, rules)
    if shared_session(constraints).solve(grid, seconds=limit) is not None:
        return None
    half = (time.monotonic() + deadline) / 2
    givens = _asked(Inquiry(grid, units_of(constraints), half), Inquiry.givens_only)
    _check_givens(givens, constraints)
    return Conflict(givens, _asked(Inquiry(grid, units_of(constraints), deadline), Inquiry.reasons))


def _asked(inquiry: Inquiry, question: Callable[[Inquiry], Reasons]) -> Reasons:
    try:
        return question(inquiry)
    finally:
        inquiry.close()


def _check_givens(found: Reasons, constraints: Constraints) -> None:
    """A session, which has another formula and another solver, must find no solution either."""
    cells = bytearray(constraints.board.cells)
    for cell, digit in found.givens:
        cells[cell] = digit
    if (
        shared_session(constraints).solve(Grid(bytes(cells), constraints.board), seconds=GRACE)
        is not None
    ):
        raise WitnessError(f"{found.given_names} contradict nothing")


def explain_cell(
    puzzle: GridLike, cell: int | str, rules: Rules = "classic", *, limit: float = LIMIT
) -> CellAnswer:
    """Why a cell (0-based number, or a name such as r5c3) holds its digit, from the givens alone.

    `limit`: seconds in all, as nearly as solvers come back; the reasons say what of them is proved.
    Raises `UnexplainableError` for a puzzle without solution, `SatdokuError` for a cell that is not
    on the board, `BudgetError` if there is no answer in time.
    """
    deadline = time.monotonic() + limit
    grid, constraints = as_puzzle(puzzle, rules)
    number = cell_named(cell, constraints.board)
    digits = shared_session(constraints).candidates(grid, seconds=limit)[number]
    name = constraints.board.name_of(number)
    if not digits:
        raise UnexplainableError("the puzzle has no solution, so no cell has a digit")
    if len(digits) > 1:
        return CellAnswer(name, digits, None)
    (digit,) = digits
    denied = constraints.board.size * number + digit - 1
    inquiry = Inquiry(grid, units_of(constraints), deadline, denied)
    return CellAnswer(name, digits, _asked(inquiry, Inquiry.reasons))


def cell_named(cell: int | str, board: Board) -> int:
    """The 0-based number of a cell given by number or by a name such as r5c3."""
    if isinstance(cell, str):
        found = _CELL.fullmatch(cell.strip())
        if found is None:
            raise SatdokuError(f"cell {cell!a}: expected row and column, such as r5c3")
        row, column = int(found[1]) - 1, int(found[2]) - 1
        if not (0 <= row < board.size and 0 <= column < board.size):
            raise SatdokuError(f"cell {cell}: expected r1c1 to r{board.size}c{board.size}")
        return board.size * row + column
    if not 0 <= cell < board.cells:
        raise SatdokuError(f"cell {cell}: expected 0 to {board.cells - 1}")
    return cell


def needed_for(steps: list[Step], cell: int) -> list[Step]:
    """The steps of a solution without which the cell's digit would not have come out, in order.

    A step needs those that struck what its units no longer hold. Empty if no step places the digit.
    """
    origin = {candidate: step for step in steps for candidate in step.eliminated}
    waiting = [step for step in steps if step.placed and step.placed[0] == cell]
    needed: set[int] = set()
    while waiting:
        step = waiting.pop()
        if id(step) not in needed:
            needed.add(id(step))
            waiting += [origin[candidate] for candidate in step.gone if candidate in origin]
    return [step for step in steps if id(step) in needed]
