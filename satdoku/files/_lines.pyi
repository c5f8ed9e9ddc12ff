"""The C extension; `collection.plain` and `spans` say what the arguments mean."""

from typing import Any

from numpy.typing import NDArray
from typing_extensions import Buffer

Array = NDArray[Any] | Buffer

def read(text: Array, size: int, cells: Array, /) -> bool: ...
def write(
    words: tuple[bytes, ...], size: int, statuses: Array, solutions: Array, text: Array, /
) -> int: ...
def join(
    parts: tuple[bytes | tuple[bytes, Array, Array], ...], rows: int, separator: int, /
) -> bytes: ...
