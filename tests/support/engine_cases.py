"""Shared by the engine's tests: an independent CNF, many puzzles, random constraints."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pysat.solvers import Solver

from satdoku.model.board import Board
from satdoku.model.constraints import Constraints, constraints_for
from satdoku.model.lowering import Family

Clauses = list[list[int]]

COLLECTIONS = os.environ.get("SATDOKU_COLLECTIONS", "")  # a folder of public puzzle lists

EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
EASY_SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
HARD = "100007090030020008009600500005300900010080002600004000300000010040000007007000300"


PIGEONS = constraints_for("latin=20")


def pigeons() -> NDArray[np.bool_]:
    """(1, 8000) pencil marks of a Latin square: the 1s of twelve rows have eleven columns. There is
    no solution, and no search knows better than to try the 11! ways to place eleven."""
    marks = np.ones((20, 20, 20), np.bool_)
    marks[:12, 11:, 0] = False
    return marks.reshape(1, -1)


def digits(text: str) -> NDArray[np.uint8]:
    """(81,) uint8; '.' and '0' are empty."""
    return np.frombuffer(text.replace(".", "0").encode(), np.uint8) - np.uint8(48)


def always(rules: Constraints) -> int:
    """A variable that is always assumed. Unit clauses get its negation, for PySAT's `propagate`
    does not report what follows without any assumption."""
    return rules.variables + 1


def _unless_unit(rules: Constraints, clause: list[int]) -> list[int]:
    return [*clause, -always(rules)] if len(clause) == 1 else clause


@cache
def extended(rules: Constraints) -> Clauses:
    """Pairwise exactly-one for every group, and forbidden pairs; variable = candidate + 1."""
    clauses = [_unless_unit(rules, [c + 1 for c in group]) for group in rules.groups]
    pairs = itertools.chain.from_iterable(itertools.combinations(g, 2) for g in rules.groups)
    return clauses + [[-a - 1, -b - 1] for a, b in itertools.chain(pairs, rules.pairs)]


@cache
def triads(rules: Constraints) -> Clauses:
    """The extended encoding and, for two groups that share two candidates or more, a variable "the
    true one is shared", tied to both."""
    clauses = list(extended(rules))
    top = always(rules)
    for a, b in itertools.combinations(map(frozenset, rules.groups), 2):
        if len(a & b) > 1:
            top += 1
            clauses += [[-c - 1, top] for c in a & b] + [[-top, *(c + 1 for c in sorted(a & b))]]
            for rest in (a - b, b - a):
                clauses += [[-c - 1, -top] for c in rest]
                clauses.append(_unless_unit(rules, [top, *(c + 1 for c in sorted(rest))]))
    return clauses


@cache
def box_triads(board: Board) -> Clauses:
    """The triads encoding from the board's geometry alone: a variable for each line, box and digit
    that meet, exactly one of them true in every line, and in every box along each direction."""
    clauses = list(extended(constraints_for("classic", board)))
    top, n = board.variables + 1, board.size
    for lines, digit in itertools.product((board.rows, board.columns), range(n)):
        by_line: dict[int, list[int]] = {}
        by_box: dict[int, list[int]] = {}
        for (i, line), (j, box) in itertools.product(enumerate(lines), enumerate(board.boxes)):
            shared = [n * cell + digit + 1 for cell in line if cell in box]
            if len(shared) > 1:
                top += 1
                clauses += [[-c, top] for c in shared] + [[-top, *shared]]
                by_line.setdefault(i, []).append(top)
                by_box.setdefault(j, []).append(top)
        for members in itertools.chain(by_line.values(), by_box.values()):
            clauses += [members, *([-a, -b] for a, b in itertools.combinations(members, 2))]
    return clauses


def literals(rules: Constraints, puzzle: NDArray[np.generic]) -> list[int]:
    """Givens as positive literals, or struck marks as negative ones."""
    if puzzle.dtype == np.bool_:
        return [always(rules), *(-int(c) - 1 for c in np.flatnonzero(~puzzle))]
    n = rules.board.size
    return [always(rules)] + [n * int(cell) + int(puzzle[cell]) for cell in np.flatnonzero(puzzle)]


def fixpoint(
    solver: Solver, rules: Constraints, puzzle: NDArray[np.generic]
) -> Iterable[int] | None:
    """The candidates that unit propagation leaves, or None on a conflict."""
    consistent, implied = solver.propagate(assumptions=literals(rules, puzzle))
    if not consistent:
        return None
    struck = {-literal - 1 for literal in implied if literal < 0}
    return [c for c in range(rules.variables) if c not in struck]


def cdcl_statuses(rules: Constraints, puzzles: NDArray[np.generic]) -> list[int]:
    """The number of solutions of each puzzle, found once for all engines that are compared with it:
    0, 1, or 2 for two or more."""
    return _cdcl_statuses(rules, puzzles.dtype.str, puzzles.shape[1], puzzles.tobytes())


@lru_cache(maxsize=64)
def _cdcl_statuses(rules: Constraints, dtype: str, width: int, data: bytes) -> list[int]:
    puzzles = np.frombuffer(data, dtype).reshape(-1, width)
    with Solver("cadical153", bootstrap_with=extended(rules)) as solver:
        return [cdcl_status(solver, rules, puzzle) for puzzle in puzzles]


def satisfied(rules: Constraints, candidates: Iterable[int]) -> bool:
    """Whether all clauses hold if these candidates are true, and no others."""
    literals, starts = _in_a_row(rules)
    true = np.zeros(always(rules) + 1, bool)
    true[[always(rules), *(c + 1 for c in candidates)]] = True
    return bool(np.logical_or.reduceat(true[abs(literals)] == (literals > 0), starts).all())


@cache
def _in_a_row(rules: Constraints) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The literals of all clauses, and where each clause begins."""
    lengths = np.array([len(clause) for clause in extended(rules)])
    literals = np.fromiter(itertools.chain.from_iterable(extended(rules)), np.intp)
    return literals, np.cumsum(lengths) - lengths


def cdcl_status(solver: Solver, rules: Constraints, puzzle: NDArray[np.generic]) -> int:
    """The number of solutions: 0, 1, or 2 for two or more."""
    assumptions = literals(rules, puzzle)
    if not solver.solve(assumptions=assumptions):
        return 0
    model = solver.get_model()[: rules.variables]
    guard = solver.nof_vars() + 1
    solver.add_clause([-guard, *(-literal for literal in model if literal > 0)])
    second = solver.solve(assumptions=[*assumptions, guard])
    solver.add_clause([-guard])
    return 2 if second else 1


def partial_grids(rules: Constraints, count: int, seed: int, least: int = 0) -> NDArray[np.uint8]:
    """Pieces of solutions with from `least` to all cells given; a third of them with one digit at
    random, which mostly makes for a conflict."""
    rng = random.Random(seed)
    n, cells = rules.board.size, rules.board.cells
    solutions = _solutions(rules)
    grids = np.zeros((count, cells), np.uint8)
    for grid in grids:
        solution = rng.choice(solutions)
        for cell in rng.sample(range(cells), rng.randint(least, cells)):
            grid[cell] = solution[cell]
        for cell in rng.sample(range(cells), rng.choice((0, 0, 1))):
            grid[cell] = rng.randint(1, n)
    return grids


@cache
def _solutions(rules: Constraints) -> list[NDArray[np.uint8]]:
    """A few solutions that random phases make different."""
    n, rng = rules.board.size, random.Random(rules.name)
    grids = []
    with Solver("glucose4", bootstrap_with=extended(rules)) as solver:
        for _ in range(8):
            solver.set_phases([rng.choice((-1, 1)) * v for v in range(1, rules.variables + 1)])
            given = rng.randrange(rules.board.cells) * n + rng.randint(1, n)
            assert solver.solve(assumptions=[always(rules), given]) or solver.solve()
            true = np.array([v - 1 for v in solver.get_model()[: rules.variables] if v > 0])
            grids.append(np.zeros(rules.board.cells, np.uint8))
            grids[-1][true // n] = true % n + 1
    return grids


def random_marks(rules: Constraints, count: int, seed: int) -> NDArray[np.bool_]:
    """Strike few or many candidates at random."""
    rng = np.random.default_rng(seed)
    keep = rng.choice((0.5, 0.7, 0.9, 0.99), size=(count, 1))
    return rng.random((count, rules.variables)) < keep


def random_constraints(board: Board, groups: int, pairs: int, seed: int) -> Constraints:
    """The classic rules with random groups and pairs; groups have any size from 1."""
    rng = random.Random(seed)
    base = constraints_for("classic", board)
    variables = range(base.variables)
    extra = tuple(
        tuple(sorted(rng.sample(variables, rng.randint(1, min(25, board.size + 2)))))
        for _ in range(groups)
    )
    forbidden = tuple(tuple(sorted(rng.sample(variables, 2))) for _ in range(pairs))
    family = Family("random", extra, forbidden)
    return Constraints(board, (f"random{groups}-{pairs}-{seed}",), (*base.families, family))


def collection_lines(name: str) -> list[str]:
    """The lines of a public collection."""
    if not COLLECTIONS:
        pytest.skip("SATDOKU_COLLECTIONS names no folder of collections")
    return (Path(COLLECTIONS) / name).read_text().splitlines()


def collection(name: str) -> NDArray[np.uint8]:
    """The puzzles of a public collection, (N, 81)."""
    return digits("".join(line[:81] for line in collection_lines(name))).reshape(-1, 81)
