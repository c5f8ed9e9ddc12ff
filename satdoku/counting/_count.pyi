"""The C extension; `native` says what the arguments mean."""

import numpy as np
from numpy.typing import NDArray

class Tables: ...  # a capsule

def tables(
    digits: int,
    cells: int,
    group_digits: NDArray[np.uint8],
    group_cells: NDArray[np.uint64],
    kill_starts: NDArray[np.int32],
    kill_digits: NDArray[np.uint8],
    kill_cells: NDArray[np.uint64],
    /,
) -> Tables: ...
def count(
    tables: Tables,
    puzzles: NDArray[np.uint8],
    budget: int,
    grids: NDArray[np.uint64],
    nodes: NDArray[np.uint64],
    /,
) -> None: ...
