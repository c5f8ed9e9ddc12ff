"""Compare collections under rules and clues with a bare PySAT loop: microseconds per puzzle.

    python bench/variants.py COLLECTION... [--rules R] [--sample 200] [--solver cadical153]
                             [--repeat 3]

A collection is any file that `satdoku batch` reads; rows may state rules of their own. "batch" is
what that command does: rules read, plans made, uniqueness decided, every solution verified. "loop"
is a script's loop over a sample: the clauses of our encoding at hand (making them is not timed),
one solver for each rule set, givens as assumptions, and a second call with the first solution
blocked. CPU time, the least of the repeats, which are interleaved; caches are emptied before each.
Statuses are compared.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence

from pysat.solvers import Solver

from satdoku import Status
from satdoku.batch.options import BatchOptions
from satdoku.batch.solve import shared_out, solve_chunks
from satdoku.cnf.encodings import encode
from satdoku.cnf.encodings.formula import Formula
from satdoku.engine import kernel, plan
from satdoku.files.collection import Chunk, read_chunks
from satdoku.model import clue, constraints, lowering
from satdoku.model.board import board_for
from satdoku.model.constraints import Constraints, constraints_for
from satdoku.runtime import collecting
from satdoku.witness import rules as statements
from satdoku.witness import verify

Row = tuple[bytes, Constraints]
CACHED = (
    clue.read_clue, constraints._of_text, constraints._build, lowering._anywhere, lowering._form,
    lowering._forms, lowering._of_form, plan.plan_for, kernel._compiled, statements._forms,
    statements.stated, verify._checks,
)  # fmt: skip


def rows_of(chunks: Sequence[Chunk], plain: Constraints) -> Iterator[Row]:
    """Each puzzle with its constraints."""
    for chunk in chunks:
        named = chunk.rules or [""] * len(chunk.puzzles)
        for cells, own in zip(chunk.puzzles, named, strict=True):
            yield cells.tobytes(), constraints_for(own, plain.board) if own else plain


def by_batch(chunks: Sequence[Chunk], options: BatchOptions) -> list[int]:
    """The status of each puzzle."""
    results = solve_chunks(shared_out(chunks, options), options)
    return [status for _, result in results for status in result.statuses.tolist()]


def by_loop(rows: Sequence[Row], formulas: dict[Constraints, Formula], name: str) -> list[int]:
    """The same, as a first script does it."""
    solvers: dict[Constraints, Solver] = {}
    statuses = []
    for cells, rules in rows:
        formula = formulas[rules]
        if rules not in solvers:
            solvers[rules] = Solver(name, bootstrap_with=formula.clauses)
        statuses.append(status_of(solvers[rules], formula, cells))
    for solver in solvers.values():
        solver.delete()
    return statuses


def status_of(solver: Solver, formula: Formula, cells: bytes) -> int:
    """Unique or not, by a second call with the first solution blocked for this puzzle alone."""
    givens = formula.literals(cells)
    if not solver.solve(assumptions=givens):
        return Status.NONE
    candidates = solver.get_model()[: formula.constraints.variables]
    switch = solver.nof_vars() + 1
    solver.add_clause([-literal for literal in candidates if literal > 0] + [-switch])
    another = solver.solve(assumptions=[*givens, switch])
    solver.add_clause([-switch])
    return Status.MULTIPLE if another else Status.UNIQUE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--solver", default="cadical153")
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    collecting.seldom()  # as the command does
    print("| collection | rows | batch, us | loop, us | ratio |\n|---|---|---|---|---|")
    for path in arguments.collections:
        chunks = list(read_chunks(path))
        board = board_for(chunks[0].puzzles.shape[1])
        options = BatchOptions(constraints_for(arguments.rules, board))
        rows = list(rows_of(chunks, options.constraints))
        some = slice(None, None, max(1, len(rows) // arguments.sample))
        formulas = {rules: encode(rules) for _, rules in rows[some]}
        ours, loop = [], []
        for _ in range(arguments.repeat):
            for function in CACHED:
                function.cache_clear()
            start = time.process_time()
            found = by_batch(chunks, options)
            ours.append((time.process_time() - start) / len(rows) * 1e6)
            start = time.process_time()
            expected = by_loop(rows[some], formulas, arguments.solver)
            loop.append((time.process_time() - start) / len(expected) * 1e6)
            assert expected == found[some], "the statuses differ"
        a, b = min(ours), min(loop)
        print(f"| {path} | {len(rows):,} | {a:,.0f} | {b:,.0f} | {b / a:.1f} |", flush=True)


if __name__ == "__main__":
    main()
