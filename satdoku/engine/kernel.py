"""The C kernel seen from Python: addresses of checked arrays in, filled arrays out.

Invariant: every array that goes down is contiguous, of the stated type and alive until the call
returns. The kernel is optional: without a compiler at install time `TARGETS` is empty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..model.addresses import address
from .plan import Plan

try:
    from . import _kernel
except ImportError:  # built without a compiler: the numpy reference serves
    TARGETS: dict[str, int] = {}
else:
    TARGETS = _kernel.targets()

Bytes = NDArray[np.uint8]


def _plan_arguments(plan: Plan) -> tuple[int, ...]:
    parts = (plan.groups, plan.pairs, plan.overlaps)
    arrays = [array for part in parts for array in (part.starts, part.members)]
    addresses = [address(array, np.int32) for array in arrays]
    if not len(plan.pairs):
        addresses[2] = 0
    return (plan.size, int(plan.classic), len(plan.groups), len(plan.overlaps) // 2, *addresses)


def solve(
    plan: Plan, puzzles: Bytes, limit: int, budget: int, target: str
) -> tuple[Bytes, Bytes, NDArray[np.uint32]]:
    """Statuses (N,), solutions (N, cells) and nodes (N,) of puzzles (N, cells or variables)."""
    count = len(puzzles)
    status = np.zeros(count, np.uint8)
    solutions = np.zeros((count, plan.cells), np.uint8)
    nodes = np.zeros(count, np.uint32)
    _kernel.solve(
        _plan_arguments(plan),
        count,
        address(puzzles),
        int(puzzles.shape[1] == plan.variables),
        limit,
        budget,
        address(status),
        address(solutions),
        address(nodes, np.uint32),
        TARGETS[target],
    )
    return status, solutions, nodes


def propagate(plan: Plan, puzzles: Bytes, target: str) -> tuple[Bytes, Bytes]:
    """Candidates left (N, variables) and conflicts (N,), both 0 or 1."""
    count = len(puzzles)
    candidates = np.zeros((count, plan.variables), np.uint8)
    conflict = np.zeros(count, np.uint8)
    _kernel.propagate(
        _plan_arguments(plan),
        count,
        address(puzzles),
        int(puzzles.shape[1] == plan.variables),
        address(candidates),
        address(conflict),
        TARGETS[target],
    )
    return candidates, conflict
