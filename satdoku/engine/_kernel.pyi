"""The C extension; `kernel` says what the arguments mean."""

def targets() -> dict[str, int]: ...
def solve(
    plan: tuple[int, ...],
    count: int,
    puzzles: int,
    marks: int,
    limit: int,
    budget: int,
    status: int,
    solutions: int,
    nodes: int,
    target: int,
    /,
) -> None: ...
def propagate(
    plan: tuple[int, ...],
    count: int,
    puzzles: int,
    marks: int,
    candidates: int,
    conflict: int,
    target: int,
    /,
) -> None: ...
