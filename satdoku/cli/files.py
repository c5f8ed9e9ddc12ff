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
from glob import iglob
from typing import TypeVar

from ..files.outputs import Named, check_folder, check_output, check_outputs, form_of, inputs_kept
from ..files.streams import STANDARD, FileError, files_named, is_pattern
from .options import (
    NUMBER,
    FileOrFolder,
    Options,
    Written,
    command_line,
    folder_to_write,
    label_of,
    listed,
    names_to_read,
    to_read,
)

Of = TypeVar("Of")


def _words(text: str) -> list[str]:
    """The words of a command line; none where the command itself will refuse it."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _is_folder(path: str) -> bool:
    return path.endswith(os.sep) or os.path.isdir(path)


def _check_place(path: str) -> None:
    (check_folder if _is_folder(path) else check_output)(path)


# The types of options whose values name files: which ones, or what must hold of them.
READ: Mapping[object, Callable[[str], list[str]]] = {
    to_read: lambda text: [text],
    names_to_read: listed,
    command_line: _words,
}
WRITTEN: Mapping[object, Callable[[str], None]] = {
    Written: check_output,
    folder_to_write: check_folder,
    FileOrFolder: _check_place,
}


def kind_of(action: argparse.Action) -> object:
    """What the type of an option says about its values: a key of `READ` or `WRITTEN`, if any."""
    return type(action.type) if isinstance(action.type, Written) else action.type


def find_files(arguments: Options) -> None:
    """Put the files of folders and patterns in the place of these, where a command takes several.

    Raises `FileError` for one that stands for no file, unless it may be a puzzle that is typed.
    """
    for name in ("collections", "against", "puzzles"):
        if given := arguments.typed.get(name):
            is_typed = name == "puzzles"
            arguments.typed[name] = [
                file
                for word in given
                for file in ([word] if is_typed and not _holds_files(word) else files_named(word))
            ]


def _holds_files(word: str) -> bool:
    """Whether a word that may be a puzzle is a folder or a pattern of files; in a puzzle, `*` and
    `?` are empty cells."""
    return os.path.isdir(word) or (is_pattern(word) and any(map(os.path.isfile, iglob(word))))


def kept_apart(parser: argparse.ArgumentParser, arguments: Options) -> AbstractContextManager[None]:
    """Raise `FileError` if two of the files that a command line names are one and would be written,
    or if one cannot be written, or its ending names no form that it can have; the block that
    follows keeps the inputs from all other names.

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
    _check_endings(parser, arguments)
    return inputs_kept(inputs)


def _check_endings(parser: argparse.ArgumentParser, arguments: Options) -> None:
    """Raise `FileError` for the name of an output whose ending tells no form that it may have; a
    form that is asked for holds in place of an ending."""
    choices = {form for a in parser._actions if a.dest == "format" for form in a.choices or ()}
    for action in parser._actions:
        forms = getattr(action.type, "forms", ())
        asked = arguments.typed.get("format") if action.dest == "output" else None
        for path in values_of(action, arguments) if forms and not asked else ():
            if path == STANDARD or (kind_of(action) is FileOrFolder and _is_folder(path)):
                continue
            try:
                form_of(Named(path, label_of(action)), forms)
            except FileError as error:
                named = action.dest == "output" and {*forms} <= choices
                raise FileError(f"{error}{'; -f names another' * named}") from None


def _typed(
    parser: argparse.ArgumentParser, arguments: Options, types: Mapping[object, Of]
) -> Iterator[tuple[Of, str, str]]:
    """Each value of the options of some types: what the types say of it, its option, itself."""
    for action in parser._actions:
        if kind_of(action) in types:
            for value in values_of(action, arguments):
                yield types[kind_of(action)], label_of(action), value


def values_of(action: argparse.Action, arguments: Options) -> list[str]:
    """The values of an option that names files."""
    values = arguments.typed[action.dest]
    return [values] if isinstance(values, str) else list(values or ())
