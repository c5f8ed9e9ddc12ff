"""The files that a command line names, compared before any of them is opened.

Invariant: no command writes a file that it reads, or one file twice, and what cannot be written is
refused before the work begins. The types of options say which values name files.
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TypeVar

from ..files.outputs import Named, check_folder, check_output, check_outputs, inputs_kept
from ..files.streams import STANDARD
from .options import (
    NUMBER,
    Options,
    command_line,
    file_or_folder,
    folder_to_write,
    listed,
    names_to_read,
    to_read,
    to_write,
)

Of = TypeVar("Of")


def _words(text: str) -> list[str]:
    """The words of a command line; none where the command itself will refuse it."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _check_place(path: str) -> None:
    is_folder = path.endswith(os.sep) or os.path.isdir(path)
    (check_folder if is_folder else check_output)(path)


# The types of options whose values name files: which ones, or what must hold of them.
READ: Mapping[object, Callable[[str], list[str]]] = {
    to_read: lambda text: [text],
    names_to_read: listed,
    command_line: _words,
}
WRITTEN: Mapping[object, Callable[[str], None]] = {
    to_write: check_output,
    folder_to_write: check_folder,
    file_or_folder: _check_place,
}


def kept_apart(parser: argparse.ArgumentParser, arguments: Options) -> AbstractContextManager[None]:
    """Raise `FileError` if two of the files that a command line names are one and would be written,
    or if one cannot be written; the block that follows keeps the inputs from all other names.

    Puzzles that are typed name no file, which does no harm.
    """
    inputs = [
        Named(name, "standard input" if name == STANDARD else option)
        for names, option, value in _typed(parser, arguments, READ)
        for name in names(value)
    ]
    outputs = [Named(STANDARD, "standard output")]
    for check, option, value in _typed(parser, arguments, WRITTEN):
        if value != STANDARD:
            outputs.append(Named(value, option))
            if NUMBER not in os.path.dirname(value):
                check(outputs[-1])
    for option, value in arguments.made().items():
        outputs.append(Named(value, option))
        if os.path.isdir(os.path.dirname(value) or "."):  # a folder may be yet to make
            check_output(outputs[-1])
    check_outputs(outputs, inputs)
    return inputs_kept(inputs)


def _typed(
    parser: argparse.ArgumentParser, arguments: Options, types: Mapping[object, Of]
) -> Iterator[tuple[Of, str, str]]:
    """Each value of the options of some types: what the types say of it, its option, itself."""
    for action in parser._actions:
        if action.type in types:
            values = getattr(arguments, action.dest)
            option = action.option_strings[-1] if action.option_strings else str(action.metavar)
            for value in [values] if isinstance(values, str) else values or ():
                yield types[action.type], option, value
