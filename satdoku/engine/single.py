"""One puzzle at a time, bytes in and bytes out, without numpy.

Invariant: the answer is that of `engine.solve`, or None where a CDCL session is the better choice.
"""

from __future__ import annotations

from ..model.constraints import Constraints
from ..model.grid import NINE
from ..runtime.errors import Status
from . import kernel
from .plan import plan_for, plan_of_all
from .targets import NUMPY, active

# Nodes that the engine may spend on a puzzle, a fraction of a second: hundreds of times what the
# hardest known 9x9 puzzles take. Beyond that, a solver that learns clauses is faster.
NODE_BUDGET = 50_000
# The same for all solutions of a puzzle, how many are few, and the cells of a board on which the
# engine lists unasked: on larger ones ascending order may cost far more than the solutions do.
LIST_BUDGET, LISTED, LISTED_CELLS = 5_000, 256, 256


def solve_one(cells: bytes, constraints: Constraints, limit: int) -> tuple[Status, bytes] | None:
    """Status and solution (zeros if none is known) of a classic 9x9 puzzle, not verified.

    None for other boards and rules, where the kernel gives up, and where there is none: a session
    has to answer then. Limit and statuses are those of `engine.solve`.
    """
    if constraints.rules or constraints.board != NINE or (name := active(1)) == NUMPY:
        return None
    plan = plan_for(constraints, True)
    found = kernel.solve_bytes(plan, cells, limit, NODE_BUDGET, name)
    status = Status(found.statuses[0])
    return None if status is Status.UNKNOWN else (status, bytes(found.solutions))


def list_one(cells: bytes, constraints: Constraints) -> list[bytes] | None:
    """All solutions of a puzzle in ascending order, not verified.

    None for large boards, where there are more than `LISTED` or the kernel gives up, and if there
    is no kernel.
    """
    is_large = constraints.board.cells > LISTED_CELLS
    return None if is_large or constraints.needs_session else list_few(cells, constraints)


def list_few(cells: bytes, constraints: Constraints) -> list[bytes] | None:
    """The same of all that the engine knows of the constraints."""
    if constraints.board.cells > LISTED_CELLS or (name := active(1)) == NUMPY:
        return None
    plan = plan_of_all(constraints)
    return kernel.list_bytes(plan, cells, LISTED, LIST_BUDGET, name)
