"""Model counters of others, run on our CNF: Ganak (exact) and ApproxMC (approximate).

Invariant: they share nothing with our own counting but the formula, and an answer that does not
come in time is None. They do not use symmetry, so they can confirm small counts but not replace
our own counting.

Sources: S. Sharma, S. Roy, M. Soos, K. S. Meel, GANAK, IJCAI 2019; M. Soos, K. S. Meel, BIRD,
AAAI 2019 (ApproxMC). Extra: pip install 'satdoku[count]'.
"""

from __future__ import annotations

import importlib
from contextlib import closing
from multiprocessing.connection import Connection
from typing import Any

from ..cnf.encodings import encode, in_full
from ..files.one import PuzzleLike, Rules, without_marks
from ..runtime.child import Child
from ..runtime.errors import SatdokuError, no_such

MODULES = {"ganak": "pyganak", "approxmc": "pyapproxmc"}


class CounterError(SatdokuError):
    """An unknown counter, one that is not installed, or one that ended without an answer."""


def count_by(
    puzzle: PuzzleLike, counter: str, rules: Rules = None, *, timeout: float | None = None
) -> int | None:
    """The number of grids that complete the puzzle, from `ganak` exactly, from `approxmc` within a
    factor of 1.8 with probability 0.8; None after `timeout` seconds. Raises `CounterError` for a
    counter that is unknown or not installed, or that ends without an answer."""
    _module(counter)
    grid, constraints = without_marks(puzzle, rules)
    if constraints.board.layers:
        raise CounterError(f"{counter} would count the ways of the layers, too")
    formula = in_full(encode(constraints))
    clauses = [list(clause) for clause in formula.clauses]
    clauses += [[literal] for literal in formula.literals(grid.cells)]
    # In a process of its own, which can be killed: the counters cannot be interrupted.
    with closing(Child(_count, counter, clauses)) as child:
        if not child.pipe.poll(timeout):
            return None
        try:
            return int(child.pipe.recv())
        except EOFError:
            child.process.join()
            raise CounterError(f"{counter}: {child.end}") from None


def _count(pipe: Connection, counter: str, clauses: list[list[int]]) -> None:
    engine = _module(counter).Counter()
    engine.add_clauses(clauses)
    found = engine.count()
    if counter == "approxmc":
        cells, hashes = found
        found = cells * 2**hashes
    pipe.send(int(found))


def _module(counter: str) -> Any:
    if counter not in MODULES:
        raise CounterError(no_such("counter", counter, MODULES))
    try:
        return importlib.import_module(MODULES[counter])
    except ImportError:
        raise CounterError(f"{counter} needs the extra: pip install 'satdoku[count]'") from None
