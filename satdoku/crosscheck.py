"""Independent witnesses: Z3 with models of its own, beside every PySAT solver.

Law: this is the only module that imports z3, and its models are built from the board as `verify`
restates it, never from `Constraints`' groups or our CNF. Where witnesses differ, one is wrong.

Building and checking are timed apart: Python's Z3 expressions often cost more than the search.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from .board import Board
from .errors import SatdokuError, Status
from .grid import Grid
from .rules import Constraints
from .session import SOLVERS, BudgetError, Session, SolverError
from .verify import checked_rules, houses, related_pairs, solves

Term = Any  # a Z3 expression; z3 has no type stubs


class WitnessMissing(SatdokuError):
    """A witness that is unknown or not installed."""


class Findings(NamedTuple):
    """What one witness says of a puzzle: its solutions up to a limit, and whether it got that far.

    complete is False where the witness ran out of time: then `solutions` is a lower bound.
    """

    witness: str
    solutions: frozenset[bytes]
    complete: bool
    build_seconds: float
    solve_seconds: float

    def status(self, limit: int) -> Status:
        """NONE, UNIQUE, MULTIPLE, or SOLVED where the limit is one; UNKNOWN if time ran out."""
        found = len(self.solutions)
        if found >= 2:
            return Status.MULTIPLE
        if not self.complete:
            return Status.UNKNOWN
        if found == 1:
            return Status.SOLVED if limit == 1 else Status.UNIQUE
        return Status.NONE


class IntDistinct:
    """An integer 1..size a cell; Distinct for each house."""

    def __init__(self, board: Board) -> None:
        import z3

        self.z3 = z3
        self.board = board
        self.cells = [self.cell(board.name_of(cell)) for cell in range(board.cells)]

    def cell(self, name: str) -> Term:
        return self.z3.Int(name)

    def domain(self, x: Term) -> Iterator[Term]:
        yield x >= 1
        yield x <= self.board.size

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        yield self.z3.Distinct(*terms)

    def differ(self, x: Term, y: Term) -> Term:
        return x != y

    def not_consecutive(self, x: Term, y: Term) -> Term:
        return self.z3.And(x - y != 1, y - x != 1)

    def not_both_highest(self, x: Term, y: Term) -> Term:
        return self.z3.Or(x != self.board.size, y != self.board.size)

    def equals(self, x: Term, digit: int) -> Term:
        return x == digit

    def value(self, model: Term, x: Term) -> int:
        return int(model.eval(x, model_completion=True).as_long())


class IntPairwise(IntDistinct):
    """An integer 1..size a cell; a disequality for each pair of cells in a house."""

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        for x, y in combinations(terms, 2):
            yield x != y


class BitVecOneHot(IntDistinct):
    """A bit-vector with one bit a digit for each cell; the OR of each house is all ones."""

    def cell(self, name: str) -> Term:
        return self.z3.BitVec(name, self.board.size)

    def domain(self, x: Term) -> Iterator[Term]:
        yield x != 0
        yield x & (x - 1) == 0

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        union = terms[0]
        for term in terms[1:]:
            union = union | term
        yield union == (1 << self.board.size) - 1

    def not_consecutive(self, x: Term, y: Term) -> Term:
        return self.z3.And((x << 1) & y == 0, (y << 1) & x == 0)

    def not_both_highest(self, x: Term, y: Term) -> Term:
        return x & y & (1 << (self.board.size - 1)) == 0

    def equals(self, x: Term, digit: int) -> Term:
        return x == 1 << (digit - 1)

    def value(self, model: Term, x: Term) -> int:
        return int(super().value(model, x).bit_length())


class Booleans(IntDistinct):
    """A boolean for each candidate, as lists; exactly-one for cells and houses as clauses."""

    def cell(self, name: str) -> Term:
        return [self.z3.Bool(f"{name}={digit}") for digit in range(1, self.board.size + 1)]

    def domain(self, x: Term) -> Iterator[Term]:
        return self._exactly_one(x)

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        for same_digit in zip(*terms, strict=True):
            yield from self._exactly_one(same_digit)

    def _exactly_one(self, literals: Sequence[Term]) -> Iterator[Term]:
        yield self.z3.Or(*literals)
        for a, b in combinations(literals, 2):
            yield self._not_both(a, b)

    def _not_both(self, a: Term, b: Term) -> Term:
        return self.z3.Or(self.z3.Not(a), self.z3.Not(b))

    def differ(self, x: Term, y: Term) -> Term:
        return self.z3.And(*(self._not_both(a, b) for a, b in zip(x, y, strict=True)))

    def not_consecutive(self, x: Term, y: Term) -> Term:
        steps = [*zip(x, y[1:], strict=False), *zip(x[1:], y, strict=False)]
        return self.z3.And(*(self._not_both(a, b) for a, b in steps))

    def not_both_highest(self, x: Term, y: Term) -> Term:
        return self._not_both(x[-1], y[-1])

    def equals(self, x: Term, digit: int) -> Term:
        return x[digit - 1]

    def value(self, model: Term, x: Term) -> int:
        return 1 + next(
            i for i, literal in enumerate(x) if self.z3.is_true(model.eval(literal, True))
        )


Z3_MODELS: dict[str, type[IntDistinct]] = {
    "z3-int-distinct": IntDistinct,
    "z3-int-pairwise": IntPairwise,
    "z3-bitvec": BitVecOneHot,
    "z3-bool": Booleans,
}
WITNESSES = (*SOLVERS, *Z3_MODELS)


def ask(
    witness: str,
    puzzle: Grid,
    law: Constraints,
    *,
    limit: int = 2,
    timeout: float | None = None,
) -> Findings:
    """Ask one witness for the puzzle's solutions, at most `limit`.

    `timeout` (seconds, for each call of the solver) binds Z3 only.
    """
    if witness in Z3_MODELS:
        return _ask_z3(witness, puzzle, law, limit, timeout)
    if witness in SOLVERS:
        return _ask_session(witness, puzzle, law, limit)
    raise WitnessMissing(f"no witness '{witness}': known are {', '.join(WITNESSES)}")


def _ask_session(solver: str, puzzle: Grid, law: Constraints, limit: int) -> Findings:
    start = time.perf_counter()
    try:
        session = Session(law, solver=solver)
        session.prepare()
    except SolverError as error:
        raise WitnessMissing(str(error)) from None
    built = time.perf_counter()
    found = set()
    complete = True
    try:
        for solution in session.solutions(puzzle, limit=limit):
            found.add(solution.cells)
    except BudgetError:
        complete = False
    session.close()
    end = time.perf_counter()
    return Findings(solver, frozenset(found), complete, built - start, end - built)


def _ask_z3(
    name: str, puzzle: Grid, law: Constraints, limit: int, timeout: float | None
) -> Findings:
    try:
        import z3
    except ImportError:
        raise WitnessMissing(f"witness {name} needs z3: pip install z3-solver") from None
    start = time.perf_counter()
    model = Z3_MODELS[name](law.board)
    solver = z3.Solver()
    if timeout is not None:
        solver.set("timeout", round(1000 * timeout))
    solver.add(*_assertions(model, puzzle, law))
    built = time.perf_counter()
    found: set[bytes] = set()
    answer = z3.sat
    while len(found) < limit and (answer := solver.check()) == z3.sat:
        values = [model.value(solver.model(), x) for x in model.cells]
        found.add(bytes(values))
        same = [model.equals(x, digit) for x, digit in zip(model.cells, values, strict=True)]
        solver.add(z3.Not(z3.And(*same)))
    end = time.perf_counter()
    return Findings(name, frozenset(found), answer != z3.unknown, built - start, end - built)


def _assertions(model: IntDistinct, puzzle: Grid, law: Constraints) -> Iterator[Term]:
    for x, digit in zip(model.cells, puzzle.cells, strict=True):
        yield from model.domain(x)
        if digit:
            yield model.equals(x, digit)
    for rule in checked_rules(law.rules):
        relate = {
            "nonconsecutive": model.not_consecutive,
            "antiqueen": model.not_both_highest,
        }.get(rule, model.differ)
        has_houses = False
        for house in houses(law.board, rule):
            has_houses = True
            yield from model.house([model.cells[cell] for cell in house])
        if not has_houses:
            for a, b in related_pairs(law.board, rule):
                yield relate(model.cells[a], model.cells[b])


def disagreements(
    findings: Sequence[Findings], puzzle: Grid, law: Constraints, limit: int
) -> list[str]:
    """What does not fit, in words; empty where all agree. Unfinished witnesses only add bounds."""
    problems = []
    for said in findings:
        for cells in said.solutions:
            if not solves(Grid(cells, law.board), puzzle, law.rules):
                problems.append(f"{said.witness} gives a solution that breaks the rules")
    finished = [said for said in findings if said.complete]
    for first, other in combinations(finished, 2):
        mine, yours = len(first.solutions), len(other.solutions)
        if mine != yours:
            problems.append(f"{first.witness} finds {mine} solutions, {other.witness} {yours}")
        elif mine < limit and first.solutions != other.solutions:
            problems.append(f"{first.witness} and {other.witness} find different solutions")
    least = max((len(said.solutions) for said in findings), default=0)
    problems += [
        f"{said.witness} finds {len(said.solutions)} solutions, another at least {least}"
        for said in finished
        if len(said.solutions) < least and all(len(f.solutions) < least for f in finished)
    ]
    return problems
