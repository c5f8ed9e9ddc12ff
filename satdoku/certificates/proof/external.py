"""Outside proof checkers: drat-trim, lrat-check and cake_lpr, if they are installed.

Invariant: they are asked in addition to our own check, never instead of it, and any answer other
than "verified" is a refusal.

Sources: https://github.com/marijnheule/drat-trim (drat-trim, lrat-check);
Y. K. Tan, M. Heule, M. Myreen, cake_lpr: Verified Propagation Redundancy Checking in CakeML,
TACAS 2021.
"""

from __future__ import annotations

import os
import shutil

from ...runtime.supervised import Folder, TooMuchError, heard
from ...runtime.supervisor import CODE, ERROR
from . import Ints, ProofError, parse_drat
from .formula import format_formula
from .rup import drat_to_lrat

Formula = tuple[int, Ints]  # number of variables, clauses
# Each tool reads one format: TOOL FORMULA PROOF.
TOOLS = {"drat-trim": "drat", "lrat-check": "lrat", "cake_lpr": "lrat"}
TIMEOUT = 600.0  # seconds for one proof
_MOST, _LAST = 1 << 24, 2000  # bytes that a tool may print; that are kept of its complaints


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
    with Folder() as folder:
        paths = folder.path / "formula.cnf", folder.path / "proof"
        for path, text in zip(paths, (format_formula(*formula), proof), strict=True):
            path.write_text(text, encoding="ascii")
        words = [tool, *map(str, paths)]
        try:
            said = heard(words, folder=str(folder.path), seconds=timeout, most=_MOST, last=_LAST)
        except TimeoutError:
            return f"{tool}: no answer within {timeout:g} s"
        except TooMuchError as error:
            return f"{tool}: {error} more than {_MOST >> 20} MB"
        except OSError as error:
            raise ProofError(f"{tool}: {error.strerror or error}") from None
    word, number = said.ended or (None, 0)
    if word == ERROR:
        raise ProofError(f"{tool}: {os.strerror(number)}")
    printed, errors = (text.decode(errors="replace") for text in (said.printed, said.errors))
    if word == CODE and _accepts(printed):
        return None
    return f"{tool}: {_last_line(printed + errors)}"


def _accepts(output: str) -> bool:
    """Whether a line says `s VERIFIED`, `c VERIFIED` or `s VERIFIED UNSAT`."""
    return any(line.split()[1:2] == ["VERIFIED"] for line in output.splitlines())


def _last_line(output: str) -> str:
    return ([*filter(str.strip, output.splitlines())] or ["no answer"])[-1][:200]
