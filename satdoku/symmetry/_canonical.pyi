"""The C extension; `native` says what the arguments mean."""

import numpy as np
from numpy.typing import NDArray

class Listing: ...  # a capsule

def by_lines(
    board: tuple[int, int, int, bool, bool],
    puzzles: NDArray[np.uint8],
    forms: NDArray[np.uint8],
    orbits: NDArray[np.uint8],
    /,
) -> None: ...
def images(
    board: tuple[int, int, int],
    puzzles: NDArray[np.uint8],
    lines: NDArray[np.uint8],
    digits: NDArray[np.uint8],
    images: NDArray[np.uint8],
    /,
) -> None: ...
def listing(
    size: int,
    sources: NDArray[np.uint16],
    renamings: NDArray[np.uint8],
    class_of: NDArray[np.uint8],
    cells: int = 0,
    /,
) -> Listing: ...
def by_list(
    listing: Listing,
    puzzles: NDArray[np.uint8],
    forms: NDArray[np.uint8],
    fixing: NDArray[np.uint32],
    /,
) -> None: ...
