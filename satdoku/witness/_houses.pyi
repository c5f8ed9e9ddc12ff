"""The C extension; `houses` says what the arguments mean."""

from typing import Any

from numpy.typing import NDArray
from typing_extensions import Buffer

Array = NDArray[Any] | Buffer

class Houses: ...  # a capsule

def houses(cells: int, size: int, members: Array, /) -> Houses: ...
def check(houses: Houses, puzzles: Array, solutions: Array, good: Array, /) -> None: ...
