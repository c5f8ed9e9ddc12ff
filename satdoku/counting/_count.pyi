"""The C extension; `kernel` says what the arguments mean."""

def count(
    law: tuple[int, int, int, int, int, int, int, int, int],
    count: int,
    puzzles: int,
    budget: int,
    grids: int,
    nodes: int,
    /,
) -> None: ...
