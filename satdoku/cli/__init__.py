"""The command line: what was typed, exit codes, signals; each command is a file in `commands`.

Invariant: every command is a thin call of public functions. Results go to stdout, everything else
to stderr. Exit codes: 0 done; 1 the answer is "no"; 2 bad usage or input; 70 a fault, such as a
solver that lies or no memory; 130 interrupted; 143 terminated; with --dimacs-output 10 satisfiable
and 20 unsatisfiable, as SAT solvers do.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from ..runtime import collecting
from ..runtime.errors import BudgetError, SatdokuError, WitnessError
from ..runtime.interrupts import WORDS, Terminated
from .output import say

EXIT_DONE, EXIT_NO, EXIT_BAD_INPUT = 0, 1, 2
EXIT_FAULT = 70  # EX_SOFTWARE of sysexits.h
EXIT_INTERRUPTED, EXIT_TERMINATED = 130, 143  # 128 and the signal's number
EXIT_BROKEN_PIPE = 141  # as a program that SIGPIPE ends


def run() -> int:
    """`main` as a process of its own: Ctrl-C after its end changes nothing."""
    _reopen_closed_streams()
    _name_stdout()
    collecting.seldom()
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        with _interrupts_unwrapped():
            code = _execute(sys.argv[1:] if argv is None else list(argv))
            sys.stdout.flush()
            return code
    except BudgetError as error:  # before any puzzle was asked about
        return _fail(error, EXIT_NO)
    except SatdokuError as error:
        return _fail(error, EXIT_BAD_INPUT)
    except Terminated as error:
        return _fail(WORDS[signal.SIGTERM], EXIT_TERMINATED, *_notes(error))
    except KeyboardInterrupt as error:
        return _fail(WORDS[signal.SIGINT], EXIT_INTERRUPTED, *_notes(error))
    except WitnessError as error:
        return _fail(f"fault: {error}; no answer of this run can be trusted", EXIT_FAULT)
    except MemoryError:
        return _fail("fault: out of memory", EXIT_FAULT)
    except BrokenPipeError:
        _forget_stdout()
        return EXIT_BROKEN_PIPE
    except OSError as error:
        if error.filename == _Output.NAME:
            _forget_stdout()
        where = "" if error.filename is None else f"{error.filename}: "
        return _fail(f"{where}{error.strerror or error}", EXIT_BAD_INPUT)


def _execute(words: Sequence[str]) -> int:
    """The exit code of a command, also if its parser ends it: after help or bad usage."""
    from .program import execute

    try:
        return execute(words)
    except SystemExit as end:
        return int(end.code or EXIT_DONE)


def _reopen_closed_streams() -> None:
    """Standard streams that a daemon closed: an empty input, an output that cannot be written."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


class _Output(io.FileIO):
    """Standard output; its errors say that they are its own, as those of files name the file."""

    NAME = "standard output"

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self.NAME
            raise


def _name_stdout() -> None:
    """Write through `_Output` from now on, but to a console of Windows, which is no file."""
    old = sys.stdout
    raw = getattr(old.buffer, "raw", old.buffer)
    if isinstance(old, io.TextIOWrapper) and type(raw) is io.FileIO:
        output = _Output(old.fileno(), "wb", closefd=False)
        sys.stdout = io.TextIOWrapper(
            cast("io.BufferedIOBase", output) if raw is old.buffer else io.BufferedWriter(output),
            encoding=old.encoding,
            errors=old.errors,
            line_buffering=old.line_buffering,
            write_through=old.write_through,
        )


def _fail(message: object, code: int, *notes: str) -> int:
    for line in (*notes, message):
        say(line)
    return code


def _notes(error: BaseException) -> list[str]:
    """What an interrupt left behind."""
    return getattr(error, "__notes__", [])


def _forget_stdout() -> None:
    """Nothing more may be written there, not even by the interpreter's exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _interrupts_unwrapped() -> Iterator[None]:
    """Up to Python 3.11 a signal during the definition of a class, as imports have it, may come out
    as the cause of a `RuntimeError`."""
    try:
        yield
    except RuntimeError as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise error.__cause__ from None
        raise
