"""The C extension; `names` is the compiled form that `placed` takes."""

from collections.abc import Container, Mapping, Sequence
from typing import TypeVar, overload

from .board import Cells

T = TypeVar("T")

class Names: ...  # a capsule

def split(text: str, kinds: Container[str], /) -> tuple[list[str], bytes]: ...
def names(names: tuple[str, ...], lines: Mapping[Cells, str], /) -> Names: ...
@overload
def placed(
    names: Names, texts: Sequence[str], forms: Mapping[str, tuple[str, str, T]], /
) -> list[tuple[str, T, Cells] | None]: ...
@overload
def placed(
    names: Names, texts: Sequence[str], forms: Mapping[str, tuple[str, str, T]], grid: bytes, /
) -> list[tuple[T, tuple[int, ...]] | None]: ...
