"""The files that a command line names, compared before anything is written.

Invariant: no command writes a file that it reads, or one file twice.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from ..files.outputs import check_outputs
from ..files.streams import STANDARD

READ = (
    "puzzles", "puzzle", "collections", "files", "answer", "cnf", "regions", "clue", "pattern",
    "against", "font",
)  # fmt: skip
WRITTEN = ("output", "summary", "certificates", "report", "rows", "dropped")


def check_files(arguments: argparse.Namespace, *made: str | None) -> None:
    """Raise `FileError` if two of the files that are named, or `made` of such names, are one.

    Puzzles that are typed name no file, which does no harm.
    """
    outputs = _names(arguments, WRITTEN)
    if made or any(name != STANDARD for name in outputs):
        check_outputs([*outputs, *made], _names(arguments, READ))


def check_numbered(arguments: argparse.Namespace, path: str) -> None:
    """Raise `FileError` if a file of many, which its number names, is one that is read."""
    check_outputs([path], _names(arguments, READ))


def _names(arguments: argparse.Namespace, options: Iterable[str]) -> list[str]:
    """What was typed for these options, each a name or several."""
    values = [getattr(arguments, option, None) or [] for option in options]
    return [name for value in values for name in ([value] if isinstance(value, str) else value)]
