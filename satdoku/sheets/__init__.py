"""Sheets to print: puzzles as a PDF, with their rules in words and, if asked for, their solutions.

Invariant: the same arguments give the same bytes, and all that is drawn lies within the page and
overlaps nothing else.

A sheet is vectors and text. Latin text is set in Helvetica, which every viewer has. Text in other
scripts is set in a TrueType font of the machine, or in the one that is asked for, of which the
characters that occur are embedded; without such a font it is replaced by question marks, and
`on_remark` says so. Scripts that run from right to left or join their letters are replaced
likewise.

    pdf = satdoku.sheet_pdf(["....1..3...9..5..88.4..6.25......6....8..4...12..87...3..9..2..."])
"""

from __future__ import annotations

from .fonts import SheetError
from .sheet import KeySteps, Page, PuzzleLike, Remark, sheet_pdf

__all__ = ["KeySteps", "Page", "PuzzleLike", "Remark", "SheetError", "sheet_pdf"]
