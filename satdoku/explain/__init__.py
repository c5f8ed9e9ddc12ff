"""Explain why a puzzle has no solution, why a cell holds its digit, and how to solve step by step.

Invariant: before anything is returned, `witness` proves it from the named parts of the rules alone.
Steps by the techniques of Sudoku Explainer are proved if asked (`named`), and always in tests.

    explain_conflict("5.....5" + "." * 74).words  # r1c1=5 and r1c7=5 clash: row 1 holds 5 once
    explain_cell(puzzle, "r5c3").words            # which givens and houses force its digit
    for step in explain_steps(puzzle): print(step.words)

An explanation is a set of units. Units are the smallest parts of the rules: "row 3 holds 5 once",
"r1c1 holds one digit", "knight's move r1c1-r2c3"; a clue is one unit: "thermo r1c1-r5c1". The size
of an explanation is its number of units. Where cells are connected, what follows one after the
other counts for more than the fewest units, and the words name the cut (see `steps`).

Steps are the same on every machine with the same version of python-sat: they depend on a solver's
choice only if propagation refutes no candidate. Smallest conflicts also depend on the time limit;
they say whether they are proved to be smallest.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..answers.answer import solution_of
from ..answers.api import classify, true_candidates
from ..answers.session import shared_session
from ..files.one import PuzzleLike, Rules, without_marks
from ..model.board import Board
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..ratings.scale import serves
from ..runtime import limits
from ..runtime.errors import SatdokuError, Status, WitnessError
from .logic import logic_steps
from .named import named_steps
from .naming import listed
from .reasons import GRACE, Inquiry, Parts, Reasons
from .step import Candidate, Step, unit_data
from .steps import UnexplainableError, steps_of
from .units import Unit, units_of
from .words import grouped, in_turn

__all__ = [
    "Candidate", "CellAnswer", "Conflict", "Reasons", "Step", "UnexplainableError", "Unit",
    "explain_cell", "explain_conflict", "explain_steps", "unit_data",
]  # fmt: skip

LIMIT = 10.0  # seconds for a conflict, or for the reasons of a cell
_CELL = re.compile(r"r(\d+)c(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Conflict:
    """Why a puzzle has no solution.

    givens: a smallest set of givens that have no common solution under all rules. reasons: a
    smallest set of givens and units that contradict each other. Its givens may be different ones,
    because more givens may need fewer rules. `is_smallest` and `is_minimal` of each set say what
    was proved within the time limit.
    """

    givens: Reasons
    reasons: Reasons

    @property
    def words(self) -> str:
        """One sentence about `reasons`, with a note if they are not proved to be the fewest."""
        return clash_words(self.reasons)

    @property
    def sentences(self) -> list[str]:
        """`words`; where that may be too much, also which givens alone."""
        fewer = self.givens.size < len(self.reasons.givens)
        also = fewer and not self.reasons.is_smallest
        return [self.words, self.givens_words] if also else [self.words]

    @property
    def givens_words(self) -> str:
        """One sentence about `givens`, with a note if they are not proved to be the fewest."""
        if not (facts := self.givens.given_names):
            return "the rules have no solution, whatever the givens"
        fewest = "a smallest set" if self.givens.is_smallest else "perhaps not a smallest set"
        return f"these {len(facts)} givens together have no solution ({fewest}): {listed(facts)}"

    @property
    def highlights(self) -> dict[str, tuple[int, ...]]:
        """Cells (0-based) to colour, by the kinds of highlight that `render` knows."""
        houses = {cell for unit in self.reasons.units for cell in unit.cells}
        return {"house": tuple(sorted(houses)), "conflict": self.reasons.cells}

    def as_data(self) -> dict[str, Any]:
        """The conflict as plain values for JSON."""
        return {
            "words": self.words,
            "conflict": self.reasons.as_data(),
            "givens": self.givens.as_data(),
        }


def clash_words(reasons: Reasons) -> str:
    """One sentence about givens and units that contradict each other, with a note if they are not
    proved to be the fewest."""
    facts, units = reasons.given_names, reasons.units
    if not facts:
        start, told = "the rules contradict each other", f"{grouped(units)}{reasons.caveat}"
        chain = f"{in_turn(reasons.chain)} (rules used: {grouped(units)}){reasons.caveat}"
        return f"{start}: {chain if reasons.is_local else told}"
    if len(facts) <= 2 and len(units) == 1:
        verb = "clash" if len(facts) == 2 else "is not possible"
        return f"{listed(facts)} {verb}: {units[0].words}"
    used = f"(rules used: {grouped(units)}){reasons.caveat}"
    cannot = "cannot be true" if len(facts) == 1 else "cannot all be true"
    return f"{listed(facts)} {cannot}: {in_turn(reasons.chain)} {used}"


@dataclass(frozen=True)
class CellAnswer:
    """The digits that a cell has in the solutions and, if there is only one, the reasons for it.

    digits: every digit that the cell has in some solution; as in all grids and candidates, their
    positions (from 1) on boards with other digits. values: the digits of these. reasons: a smallest
    set that forces the digit; None if there are several digits.
    """

    name: str
    digits: frozenset[int]
    reasons: Reasons | None
    values: dict[int, int] = field(default_factory=dict, repr=False)

    @property
    def highlights(self) -> dict[str, tuple[int | Candidate, ...]]:
        """Cells and candidates (cell, digit) to colour, by `render`'s kinds of highlight."""
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
            digits = listed(self.values[digit] for digit in sorted(self.digits))
            return f"{self.name} is not forced: {digits} occur there in solutions"
        start = f"{self.name}={self.values[min(self.digits)]}"
        if not self.reasons.units:
            return f"{start}: given"
        facts = f"givens: {listed(self.reasons.given_names)}; " if self.reasons.givens else ""
        used = f"({facts}rules used: {grouped(self.reasons.units)}){self.reasons.caveat}"
        return f"{start}: otherwise {in_turn(self.reasons.chain)} {used}"

    def as_data(self) -> dict[str, Any]:
        """The answer as plain values for JSON."""
        return {
            "cell": self.name,
            "digits": [self.values[digit] for digit in sorted(self.digits)],
            "words": self.words,
            "reasons": None if self.reasons is None else self.reasons.as_data(),
        }


def explain_steps(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    timeout: float | None = None,
    named: bool = False,
    beyond: bool = False,
    cell: int | str | None = None,
    verify: bool = False,
) -> Iterator[Step]:
    """Yield the steps of a solution, each with the smallest explanation that was found for it.

    named: steps as people find them instead, the easiest technique first, with ratings: for classic
    9x9 puzzles with one solution those of Sudoku Explainer, else those of `logic`, which end where
    no technique finds another. beyond: there they go on with the smallest explanation. cell: only
    the steps that lead to the digit of this cell (0-based number, or a name such as r5c3), found
    after all others. verify: whether `witness` proves each of the named steps too, from the units
    that it names, except what relies on there being one solution; all others are always proved.

    If the puzzle has several solutions, the steps end when every candidate left is in some
    solution. `timeout`: after so many seconds, `BudgetError` is raised instead of a further step.
    Raises `UnexplainableError` if the puzzle has no solution.
    """
    with limits.within(timeout):
        grid, constraints = without_marks(puzzle, rules)
        number = None if cell is None else cell_named(cell, constraints.board)
        classic = named and serves(constraints) and classify(grid, constraints) is Status.UNIQUE
        if named and not classic and solution_of(Puzzle(grid, constraints)) is None:
            raise UnexplainableError("the puzzle has no solution, so there are no steps to one")
    steps: Iterator[Step]
    if not named:
        steps = steps_of(grid, constraints, timeout)
    elif classic:
        steps = named_steps(grid, constraints, timeout, verify=verify)
    else:
        beyond = beyond or constraints.is_beyond_steps
        steps = logic_steps(grid, constraints, timeout, verify=verify, beyond=beyond)
    return steps if number is None else iter(needed_for(list(steps), number))


def explain_conflict(
    puzzle: PuzzleLike, rules: Rules = None, *, timeout: float | None = LIMIT
) -> Conflict | None:
    """Why the puzzle has no solution; None if it has one.

    `timeout`: total time in seconds; a solver may exceed it slightly. The result says which of its
    properties were proved in this time. Raises `BudgetError` if the time is too short to find out
    whether there is a solution, or to find and prove a conflict.
    """
    deadline = limits.until(timeout)
    with limits.within(timeout):
        grid, constraints = without_marks(puzzle, rules)
        if solution_of(Puzzle(grid, constraints)) is not None:
            return None
        half = (time.monotonic() + deadline) / 2
        inquiry = Inquiry(grid, units_of(constraints), half)
    givens = _asked(inquiry, Inquiry.givens_only)
    with limits.grace(GRACE):
        _check_givens(givens, constraints)
    return Conflict(givens, clash_of(grid, constraints, deadline - time.monotonic()))


def clash_of(puzzle: Grid, constraints: Constraints, timeout: float = LIMIT) -> Reasons:
    """The reasons of `explain_conflict` alone, of a puzzle that is known to have no solution."""
    with limits.within(timeout):
        inquiry = Inquiry(puzzle, units_of(constraints), limits.until(timeout))
    return _asked(inquiry, Inquiry.reasons)


def clashes_of(
    puzzle: Grid, constraints: Constraints, timeout: float = LIMIT, most: int | None = None
) -> Iterator[Reasons | Parts]:
    """`Inquiry.clashes` of a puzzle that is known to have no solution: the reasons of `clash_of`
    as soon as there are any, each set smaller than the one before."""
    with limits.within(timeout):
        inquiry = Inquiry(puzzle, units_of(constraints), limits.until(timeout))
    try:
        yield from inquiry.clashes(most)
    finally:
        inquiry.close()


def _asked(inquiry: Inquiry, question: Callable[[Inquiry], Reasons]) -> Reasons:
    try:
        return question(inquiry)
    finally:
        inquiry.close()


def _check_givens(found: Reasons, constraints: Constraints) -> None:
    """Check the givens with a session, which uses another formula and another solver."""
    cells = bytearray(constraints.board.cells)
    for cell, digit in found.givens:
        cells[cell] = digit
    if (
        shared_session(constraints).solve(Grid(bytes(cells), constraints.board), timeout=GRACE)
        is not None
    ):
        raise WitnessError(f"{found.given_names} do not contradict the rules")


def explain_cell(
    puzzle: PuzzleLike, cell: int | str, rules: Rules = None, *, timeout: float | None = LIMIT
) -> CellAnswer:
    """Why a cell (0-based number, or a name such as r5c3) holds its digit, from the givens alone.

    `timeout`: total time in seconds; a solver may exceed it slightly. The reasons say which of
    their properties were proved. Raises `UnexplainableError` if the puzzle has no solution,
    `SatdokuError` if the cell is not on the board, and `BudgetError` if the time is too short for
    an answer.
    """
    deadline = limits.until(timeout)
    with limits.within(timeout):
        grid, constraints = without_marks(puzzle, rules)
        number = cell_named(cell, constraints.board)
        digits = true_candidates(Puzzle(grid, constraints))[number]
    name = constraints.board.name_of(number)
    values = dict(enumerate(constraints.board.domains((number,))[0], 1))
    if not digits:
        raise UnexplainableError("the puzzle has no solution, so no cell has a digit")
    if len(digits) > 1:
        return CellAnswer(name, digits, None, values)
    (digit,) = digits
    denied = constraints.board.choices * number + digit - 1
    with limits.within(deadline - time.monotonic(), timeout):
        inquiry = Inquiry(grid, units_of(constraints), deadline, denied)
    return CellAnswer(name, digits, _asked(inquiry, Inquiry.reasons), values)


def cell_named(cell: int | str, board: Board) -> int:
    """The 0-based number of a cell given by number or by a name such as r5c3."""
    if isinstance(cell, str):
        known = board.cell_named
        name = re.sub(r"(?<![a-z])([rc])0+(?=\d)", r"\1", cell.strip().lower())
        if name in known:
            return known[name]
        layers = f", or of a layer, such as {list(known)[-1]}" if board.layers else ""
        if board.layers or _CELL.fullmatch(name) is None:
            raise SatdokuError(f"cell {cell!a}: expected row and column, such as r5c3{layers}")
        last = board.name_of(board.grid_cells - 1)
        holes = "" if board.is_rectangle else ", where the board has cells"
        raise SatdokuError(f"cell {cell}: expected r1c1 to {last}{holes}")
    if not 0 <= cell < board.cells:
        raise SatdokuError(f"cell {cell}: expected 0 to {board.cells - 1}")
    return cell


def needed_for(steps: list[Step], cell: int) -> list[Step]:
    """The steps, in order, that the placement of the cell's digit depends on.

    A step depends on the earlier steps that struck candidates of its units. The list is empty if no
    step places the digit.
    """
    return leading_to(steps, [step for step in steps if step.placed and step.placed[0] == cell])


def leading_to(steps: list[Step], last: list[Step]) -> list[Step]:
    """Some of the steps, and all that they depend on, in order."""
    origin = {candidate: step for step in steps for candidate in step.eliminated}
    waiting = list(last)
    needed: set[int] = set()
    while waiting:
        step = waiting.pop()
        if id(step) not in needed:
            needed.add(id(step))
            waiting += [origin[candidate] for candidate in step.gone if candidate in origin]
    return [step for step in steps if id(step) in needed]
