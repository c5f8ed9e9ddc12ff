"""The C extension; `kernel` says what the arguments mean."""

def by_lines(
    board: tuple[int, int, int, int, int],
    count: int,
    puzzles: int,
    forms: int,
    orbits: int,
    /,
) -> None: ...
def by_list(
    listing: tuple[int, int, int, int, int, int, int, int],
    count: int,
    puzzles: int,
    forms: int,
    fixing: int,
    /,
) -> None: ...
