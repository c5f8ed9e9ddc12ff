"""What an audit found, for people: an HTML page and a summary for the terminal.

Invariant: plain data in, text out. Nothing is counted again here. Nothing that comes from the
audited files (paths, ids, details) is trusted: it is shortened, made visible and escaped.

The data can be written as JSON; counts that are absent are 0:

    satdoku, rules   version and names of the rules, str; seconds: what the audit took
    sound            bool: whether nothing is wrong
    symmetry         the symmetries that make two puzzles equal, in words; None: not looked for
    files            a list, for each file
        path, rows   as given; rows that should hold a puzzle
        statuses     name of a `Status` -> rows
        answers      stated -> puzzles with an answer, each of which is counted once more by
                     right, wrong, givens changed or unreadable
        duplicates   rows that repeat an earlier row of the file: exact; symmetric, of the others
        givens       number of givens (as str) -> puzzles
        effort       search nodes, the least of a power-of-two bin (as str) -> puzzles; those with
                     several solutions are left out: when a second one is met is chance
        findings     a list: kind (see `ADVICE`), count, and some examples: line, id or None, detail
    leaks            a list of pairs of files: from, into (paths), exact, symmetric: rows of `into`
                     that `from` holds too; examples: line and id of `into`, other_line, detail
"""

from __future__ import annotations

from .facts import ADVICE, Report
from .page import report_page
from .plots import ReportError, require_matplotlib
from .text import report_text

__all__ = ["ADVICE", "Report", "ReportError", "report_page", "report_text", "require_matplotlib"]
