"""The C extension; `areas` is the compiled form that `left` takes."""

from array import array
from collections.abc import Sequence

from .board import Cells

class Areas: ...  # a capsule

Said = tuple[Cells, tuple[int, ...], int]  # cells, what each counts, and the total

def areas(cells: int, masks: bytes, totals: array[int], /) -> Areas: ...
def left(areas: Areas, sums: list[tuple[Cells, int]], most: int, /) -> list[Said]: ...
def segments(
    sums: list[Said], cells: int, peers: bytes, limits: tuple[int, int, int, int], /
) -> list[bool | tuple[int, ...] | None]: ...
def beside(cages: list[list[int]], cells: int, peers: bytes, /) -> list[Cells]: ...
def ragged(lists: list[Sequence[int]], /) -> tuple[bytes, bytes]: ...
