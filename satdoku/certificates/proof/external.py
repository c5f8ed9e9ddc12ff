"""Outside proof checkers: drat-trim, lrat-check and cake_lpr, where they are installed.

Invariant: they are asked besides our own check, never in its place; whatever they say other than
"verified" is a refusal.

Sources: https://github.com/marijnheule/drat-trim (drat-trim, lrat-check);
Y. K. Tan, M. Heule, M. Myreen, cake_lpr: Verified Propagation Redundancy Checking in CakeML,
TACAS 2021.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from . import ProofError
from .lrat import drat_to_lrat
from .steps import parse_drat, parse_formula

# Each tool reads one format: TOOL FORMULA PROOF.
TOOLS = {"drat-trim": "drat", "lrat-check": "lrat", "cake_lpr": "lrat"}
TIMEOUT = 600.0  # seconds for one proof


def available() -> tuple[str, ...]:
    """The tools that are on the PATH."""
    return tuple(tool for tool in TOOLS if shutil.which(tool))


def reads(tool: str, form: str) -> bool:
    """Whether the tool can be asked about a proof of that format; drat-trim reads no LRAT."""
    return form == "drat" or TOOLS[tool] == form


def refusal(
    tool: str, formula: str, proof: str, form: str, *, timeout: float = TIMEOUT
) -> str | None:
    """Why the tool does not accept a proof of a DIMACS formula; None: it does.

    A DRAT proof is given its hints for the tools that want LRAT; the tool must read the format.
    """
    if form == "drat" and TOOLS[tool] == "lrat":
        proof = drat_to_lrat(*parse_formula(formula), parse_drat(proof))
    with TemporaryDirectory(prefix="satdoku-") as folder:
        paths = Path(folder, "formula.cnf"), Path(folder, "proof")
        for path, text in zip(paths, (formula, proof), strict=True):
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
    """`s VERIFIED`, `c VERIFIED`, `s VERIFIED UNSAT`: as a line, and not after NOT."""
    return any(line.split()[1:2] == ["VERIFIED"] for line in output.splitlines())


def _last_line(output: str) -> str:
    return ([*filter(str.strip, output.splitlines())] or ["no answer"])[-1][:200]
