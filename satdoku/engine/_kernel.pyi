"""The C extension; `kernel` says what the arguments mean."""

import numpy as np
from numpy.typing import NDArray

class Plan: ...  # a capsule

def targets() -> dict[str, int]: ...
def plan(
    size: int,
    classic: bool,
    group_starts: NDArray[np.int32],
    group_members: NDArray[np.int32],
    pair_starts: NDArray[np.int32],
    pair_members: NDArray[np.int32],
    overlap_starts: NDArray[np.int32],
    overlap_members: NDArray[np.int32],
    /,
) -> Plan: ...
def solve(
    plan: Plan,
    puzzles: NDArray[np.uint8],
    limit: int,
    budget: int,
    status: NDArray[np.uint8],
    solutions: NDArray[np.uint8],
    nodes: NDArray[np.uint32],
    target: int,
    /,
) -> None: ...
def propagate(
    plan: Plan,
    puzzles: NDArray[np.uint8],
    candidates: NDArray[np.uint8],
    conflict: NDArray[np.uint8],
    target: int,
    /,
) -> None: ...
