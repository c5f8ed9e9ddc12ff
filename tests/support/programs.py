"""Programs that solve, for tests: Z3's own, which is installed with satdoku, and scripts."""

from __future__ import annotations

import shlex
import sys
from importlib.metadata import files
from pathlib import Path

Z3 = str(next(f.locate().resolve() for f in files("z3-solver") or () if f.name == "z3"))
Z3_CNF = f"{Z3} {{cnf}}"


def script(text: str, file: str = "{cnf}") -> str:
    """A command that runs a script of the shell, in which $0 is the file."""
    return f"sh -c {shlex.quote(text)} {file}"


def says(answer: str, file: str = "{cnf}") -> str:
    """A command that gives this answer to everything."""
    return script(f"printf %s {shlex.quote(answer)}", file)


# A solver of the SAT competition in PySAT: `python pysat_program.py FILE [ANSWER]`.
PYSAT = f"{sys.executable} {Path(__file__).parent / 'pysat_program.py'}"
