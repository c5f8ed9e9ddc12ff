"""The C extension; a twin in Python tells what each function gives."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from .shapes import Edge

Layers = tuple[tuple[Edge, ...], ...]
S = TypeVar("S", bound=Hashable)

def built(
    domains: list[Sequence[int]],
    start: S,
    step: Callable[[int, S, int], S | None],
    accepts: Callable[[S], bool],
    check: Callable[[int], None],
    anywhere: bool,
    /,
) -> Layers: ...
def joined(
    need_all: bool,
    automata: list[tuple[Layers, tuple[int, ...]]],
    cells: int,
    size: int,
    check: Callable[[int], None],
    /,
) -> Layers: ...
def walked(
    layers: list[tuple[Edge, ...] | None],
    cells: tuple[int, ...],
    domains: list[tuple[int, ...]],
    size: int,
    check: Callable[[int], None],
    /,
) -> Layers: ...
def by_sets(
    ways: tuple[Edge, ...],
    starts: tuple[int, ...],
    ends: tuple[int, ...],
    states: int,
    symbols: int,
    most: int,
    cells: tuple[int, ...],
    breaks: tuple[int, ...],
    domains: list[tuple[int, ...]],
    check: Callable[[int], None],
    /,
) -> Layers: ...
def summed(weights: tuple[int, ...], total: int, size: int, /) -> Layers: ...
def ways(layers: Layers, cells: int, digits: int, /) -> tuple[tuple[int, ...], bytes, bytes]: ...
def clauses(
    layers: Layers, cells: tuple[int, ...], size: int, fresh: Callable[[], int], /
) -> list[tuple[int, ...]]: ...
def states(
    layers: Layers, cells: tuple[int, ...], size: int, fresh: Callable[[], int], /
) -> list[tuple[int, ...]]: ...
