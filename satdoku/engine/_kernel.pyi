"""The C extension; `kernel` says what the arguments mean."""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray
from typing_extensions import Buffer

Array = NDArray[Any] | Buffer
Check = Callable[[], object]  # raises an error if the call has to end

class Plan: ...  # a capsule
class Search: ...  # a capsule

def targets() -> dict[str, int]: ...
def plan(
    cells: int,
    digits: int,
    classic: bool,
    /,
    *lists: Array,  # starts and members of the parts of a plan
) -> Plan: ...
def solve(
    plan: Plan,
    puzzles: Array,
    limit: int,
    budget: int,
    status: Array,
    solutions: Array,
    nodes: Array,
    target: int,
    check: Check = ...,
    /,
) -> None: ...
def count(
    plan: Plan,
    puzzles: Array,
    limit: int,
    budget: int,
    status: Array,
    grids: Array,
    nodes: Array,
    solutions: Array | None,
    target: int,
    check: Check = ...,
    /,
) -> None: ...
def search(plan: Plan, puzzle: Array, limit: int, target: int, /) -> Search: ...
def advance(
    search: Search, work: int, check: Check = ..., /
) -> tuple[bool, int, bytes, int, int]: ...
def propagate(
    plan: Plan,
    puzzles: Array,
    candidates: Array,
    conflict: Array,
    target: int,
    check: Check = ...,
    /,
) -> None: ...
