"""Outside proof checkers: drat-trim, lrat-check and cake_lpr, if they are installed.

Invariant: they are asked in addition to our own check, never instead of it, and any answer other
than "verified" is a refusal.

Sources: https://github.com/marijnheule/drat-trim (drat-trim, lrat-check);
Y. K. Tan, M. Heule, M. Myreen, cake_lpr: Verified Propagation Redundancy Checking in CakeML,
TACAS 2021.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from . import Ints, ProofError, parse_drat
from .formula import format_formula
from .rup import drat_to_lrat

Formula = tuple[int, Ints]  # number of variables, clauses
# Each tool reads one format: TOOL FORMULA PROOF.
TOOLS = {"drat-trim": "drat", "lrat-check": "lrat", "cake_lpr": "lrat"}
TIMEOUT = 600.0  # seconds for one proof


def available() -> tuple[str, ...]:
    """The tools that are on the PATH."""
    return tuple(tool for tool in TOOLS if shutil.which(tool))


def reads(tool: str, form: str) -> bool:
    """Whether the tool can check a proof of that format; drat-trim does not read LRAT."""
    return form == "drat" or TOOLS[tool] == form


def refusal(
    tool: str, formula: Formula, proof: str, form: str, *, timeout: float = TIMEOUT
) -> str | None:
    """Why the tool rejects a proof that the formula has no model; None if it accepts.

    The tool must read the proof's format, except that a DRAT proof gets hints for tools that read
    LRAT.
    """
    if form == "drat" and TOOLS[tool] == "lrat":
        proof = drat_to_lrat(*formula, parse_drat(proof))
    with TemporaryDirectory(prefix="satdoku-") as folder:
        paths = Path(folder, "formula.cnf"), Path(folder, "proof")
        for path, text in zip(paths, (format_formula(*formula), proof), strict=True):
            path.write_text(text, encoding="ascii")
        try:
            run = subprocess.run(
                [tool, *map(str, paths)], capture_output=True, timeout=timeout, errors="replace"
            )
        except subprocess.TimeoutExpired:
            return f"{tool}: no answer within {timeout:g} s"
        except OSError as error:
            raise ProofError(f"{tool}: {error.strerror or error}") from None
    return None if _accepts(run.stdout) else f"{tool}: {_last_line(run.stdout + run.stderr)}"


def _accepts(output: str) -> bool:
    """Whether a line says `s VERIFIED`, `c VERIFIED` or `s VERIFIED UNSAT`."""
    return any(line.split()[1:2] == ["VERIFIED"] for line in output.splitlines())


def _last_line(output: str) -> str:
    return ([*filter(str.strip, output.splitlines())] or ["no answer"])[-1][:200]
