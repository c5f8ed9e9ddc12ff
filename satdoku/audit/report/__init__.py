"""Present the result of an audit as an HTML page or as a summary for the terminal.

Invariant: plain data goes in, and text comes out. Nothing is counted again here. Text from the
audited files (paths, ids, details) is not trusted: it is shortened, made printable and escaped.

The data is what `json` reads and writes. A missing count means 0:

    satdoku, rules   version and names of the rules, str; seconds: how long the audit took
    sound            bool: whether nothing is wrong
    symmetry         str: the symmetries that make two puzzles equal; None: not looked for
    files            a list with one entry per file:
        path, rows   path as given; number of rows that should hold a puzzle
        sound        rows with nothing that is a fault
        statuses     name of a `Status` -> rows
        answers      stated -> puzzles with an answer; each of them also counts under right, wrong,
                     givens changed or unreadable
        duplicates   exact -> rows that repeat an earlier row of the file; symmetric -> rows that do
                     so only up to symmetry
        grids        of the puzzles whose solution grid is known: known, their number; distinct and
                     classes, how many grids they have, exactly and up to symmetry; largest, how
                     many have the most frequent one (up to symmetry if possible); line, the first
                     of these; empty if no grid is known
        givens       number of givens (as str) -> puzzles
        effort       lower end of a power-of-two bin of search nodes (as str) -> puzzles; puzzles
                     with several solutions are omitted, because their nodes depend on chance
        ratings      ER (as str) -> puzzles; empty if not requested
        findings     a list: kind (see `ADVICE`), count, and examples: line, id or None, detail
    leaks            a list with one entry per pair of files: from, into (paths); exact, symmetric:
                     rows of `into` that `from` also holds; examples: line and id of `into`,
                     other_line, detail
    grid_leaks       the same for rows whose puzzle `from` does not hold, but another puzzle with
                     the same solution grid
"""

from __future__ import annotations

from .facts import ADVICE, Report
from .page import report_page
from .plots import ReportError, require_matplotlib
from .text import report_text

__all__ = ["ADVICE", "Report", "ReportError", "report_page", "report_text", "require_matplotlib"]
