"""The command line: arguments, progress and exit codes, nothing else.

Law: every command is a thin call of a public function. Results go to stdout, everything else to
stderr. Exit codes: 0 done; 1 the answer is "no"; 2 bad usage or input; 130 interrupted; with
--dimacs-output 10 satisfiable and 20 unsatisfiable, as SAT solvers do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from ..errors import SatdokuError
from .parser import build_parser

EXIT_DONE, EXIT_NO, EXIT_BAD_INPUT = 0, 1, 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141  # as a program that SIGPIPE ends


# Where a command stands, if not in `commands`.
_HOMES = {"batch": ".batch", "export": ".exchange", "decode": ".exchange"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = build_parser().parse_args(argv)
    try:
        code = _run(arguments.command, arguments)
        sys.stdout.flush()
        return code
    except SatdokuError as error:
        print(f"satdoku: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        print("satdoku: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; nothing more may be written, not even by the interpreter's exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE


def _run(command: str, arguments: object) -> int:
    """Import the command's code only now: `--help` must not wait for solvers, nor others for
    numpy, which `batch` alone needs.
    """
    home = _HOMES.get(command, ".commands")
    code: int = getattr(import_module(home, __name__), command)(arguments)
    return code
