"""The C extension; `areas` is the compiled form that `left` takes."""

from array import array
from collections.abc import Sequence

from .board import Cells

class Areas: ...  # a capsule

Said = tuple[Cells, tuple[int, ...], int]  # cells, what each counts, and the total

def areas(cells: int, masks: bytes, totals: array[int], /) -> Areas: ...
def left(areas: Areas, sums: list[tuple[Cells, int]], most: int, /) -> list[Said]: ...
def segments(
    sums: Sequence[Said], cells: int, peers: bytes, limits: tuple[int, int, int, int], /
) -> list[bool | tuple[int, ...] | None]: ...
def apart(sets: list[Cells], cells: int, peers: bytes, /) -> bytes: ...
def ragged(lists: list[Sequence[int]], /) -> tuple[bytes, bytes]: ...
def tables(
    clues: list[tuple[bytes, Cells]],
    sums: list[tuple[int, ...]],
    cells: int,
    peers: bytes,
    areas: Areas | None,
    digits: int,
    limits: tuple[int, int, int, int],
    follow: tuple[int, int, int],
    deep: bool,
    /,
) -> tuple[tuple[bytes, bytes], ...]: ...
def frame(
    groups: tuple[Cells, ...],
    pairs: list[tuple[tuple[int, int], ...]],
    cells: int,
    digits: int,
    known: int,
    deep: bool,
    /,
) -> tuple[tuple[bytes, bytes], ...]: ...
def by_rules(
    groups: tuple[Cells, ...],
    pairs: list[tuple[tuple[int, int], ...]],
    cells: int,
    digits: int,
    each: int,
    /,
) -> tuple[list[Cells], list[Cells]]: ...
