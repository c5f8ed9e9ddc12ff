from array import array
from collections.abc import Callable
from typing import Any

def load(
    variables: int, cells: int, digits: int, clauses: array[int], pairs: array[int]
) -> Any: ...
def check(
    formula: Any,
    claims: bytes,
    puzzles: bytes,
    counts: array[int],
    solutions: bytes,
    lengths: array[int],
    trees: bytes,
) -> bytes: ...
def make(
    formula: Any, puzzles: bytes, most: int, every: bool, room: int, short: bool
) -> tuple[bytes, bytes, bytes, bytes, bytes]: ...
def count(
    formula: Any, puzzle: bytes, graph: bytes | None, most: int, check: Callable[[], None]
) -> tuple[int, bytes, int]: ...
