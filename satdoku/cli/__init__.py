"""The command line: arguments, progress and exit codes, nothing else.

Invariant: every command is a thin call of a public function. Results go to stdout, everything else
to stderr. Exit codes: 0 done; 1 the answer is "no"; 2 bad usage or input; 70 a fault, such as a
solver that lies or no memory; 130 interrupted; 143 terminated; with --dimacs-output 10 satisfiable
and 20 unsatisfiable, as SAT solvers do.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

from ..errors import SatdokuError, WitnessError
from .parser import build_parser

EXIT_DONE, EXIT_NO, EXIT_BAD_INPUT = 0, 1, 2
EXIT_FAULT = 70  # EX_SOFTWARE of sysexits.h
EXIT_INTERRUPTED, EXIT_TERMINATED = 130, 143  # 128 and the signal's number
EXIT_BROKEN_PIPE = 141  # as a program that SIGPIPE ends


# Where a command stands, if not in `commands`.
_HOMES = {
    "audit": ".audit",
    "count": ".counting",
    "fewest": ".fewest",
    "orbits": ".orbits",
    "batch": ".batch",
    "export": ".exchange",
    "decode": ".exchange",
    "encodings": ".encodings",
    "render": ".render",
    "fuzz": ".fuzz",
    "certify": ".certify",
    "verify": ".verify",
    "bench": ".bench",
    "explain": ".explain",
    "rate": ".explain",
    "generate": ".generate",
    "minimize": ".generate",
}


class Terminated(KeyboardInterrupt):
    """SIGTERM: everything that Ctrl-C keeps is kept."""


def run() -> int:
    """`main` as a process of its own: what is pressed after it is over changes nothing."""
    _reopen_closed_streams()
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = build_parser().parse_args(argv)
    try:
        with _termination_as_interrupt():
            code = _run(arguments.command, arguments)
            sys.stdout.flush()
            return code
    except SatdokuError as error:
        return _complain(error, EXIT_BAD_INPUT)
    except Terminated:
        return _complain("terminated", EXIT_TERMINATED)
    except KeyboardInterrupt:
        return _complain("interrupted", EXIT_INTERRUPTED)
    except WitnessError as error:
        return _complain(f"fault: {error}; no answer of this run is to be believed", EXIT_FAULT)
    except MemoryError:
        return _complain("fault: out of memory", EXIT_FAULT)
    except BrokenPipeError:
        _forget_stdout()
        return EXIT_BROKEN_PIPE
    except OSError as error:  # files have errors of their own: this is standard output
        _forget_stdout()
        return _complain(f"standard output: {error.strerror or error}", EXIT_BAD_INPUT)


def _reopen_closed_streams() -> None:
    """Standard streams that a daemon closed: an empty input, an output that cannot be written."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _complain(message: object, code: int) -> int:
    print(f"satdoku: {message}", file=sys.stderr)
    return code


def _forget_stdout() -> None:
    """Nothing more may be written there, not even by the interpreter's exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """SIGTERM raises `Terminated`, unless it is ignored or handled by who calls us."""
    main_thread = threading.current_thread() is threading.main_thread()
    if not main_thread or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def terminate(*_: object) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(command: str, arguments: object) -> int:
    """Import the command's code only now: `--help` must not wait for solvers, nor others for
    numpy, which `batch` alone needs.
    """
    home = _HOMES.get(command, ".commands")
    code: int = getattr(import_module(home, __name__), command)(arguments)
    return code
