"""Collections: files of puzzles as streams of arrays, whatever their format.

Invariant: every format becomes the same chunks, in the order of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..formats import FORMATS, FormatError
    from .chunk import CHUNK_PUZZLES, Answers, Chunk, Puzzles, marks_of
    from .read import array_records, read_chunks

_HOME = {
    "CHUNK_PUZZLES": ".chunk", "FORMATS": "..formats", "Answers": ".chunk", "Chunk": ".chunk",
    "FormatError": "..formats", "Puzzles": ".chunk", "array_records": ".read",
    "marks_of": ".chunk", "read_chunks": ".read",
}  # fmt: skip
__all__ = [
    "CHUNK_PUZZLES", "FORMATS", "Answers", "Chunk", "FormatError", "Puzzles", "array_records",
    "marks_of", "read_chunks",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Everything but plain lists needs numpy, and is imported on first use."""
    if name not in _HOME:
        raise AttributeError(f"module 'satdoku.files.collection' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOME[name], __name__), name)
