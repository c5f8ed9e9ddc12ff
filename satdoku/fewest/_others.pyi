"""The C extension; `others` says what the arguments mean."""

import numpy as np
from numpy.typing import NDArray

class Tables: ...  # a capsule

def tables(
    digits: int,
    grid: NDArray[np.uint8],
    kill_starts: NDArray[np.int32],
    kill_cells: NDArray[np.uint8],
    kill_digits: NDArray[np.uint16],
    houses: NDArray[np.uint8],
    /,
) -> Tables: ...
def other(tables: Tables, givens: bytes, /) -> bytes | None: ...
def within(tables: Tables, region: bytes, largest: int, limit: int, /) -> bytes: ...
def filling(tables: Tables, cells: bytes, /) -> bytes | None: ...
