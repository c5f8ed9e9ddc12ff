"""The command `sheet`: puzzles to print, as a PDF."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...files.outputs import open_output
from ...files.streams import STANDARD
from ...model.puzzle import Unreadable
from ...runtime.errors import SatdokuError
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from .. import options as opt
from ..answers import report
from ..inputs import asked_puzzles
from ..output import note

if TYPE_CHECKING:
    from ...sheets import Remark

EXAMPLE = "satdoku sheet 1.....2....3.4.. --solutions -o sheet.pdf"


class Arguments(opt.Puzzles):
    output = opt.output_option(
        opt.Written("pdf"), "PDF to write (extra: pip install 'satdoku[sheet]')"
    )
    per_page = opt.option(
        type=int,
        choices=(1, 2, 4, 6),
        default=1,
        help="puzzles on a page (default 1); fewer where long rules need the room",
    )
    key_steps = opt.option(
        type=opt.positive,
        default=0,
        metavar="N",
        help="add pages with the solution path of each puzzle: pictures of its N key steps, the "
        "hardest, with their reasons, and the number of those between",
    )
    timeout = opt.timeout_option(
        "a puzzle has no difficulty, or its path ends, exit code 1; the sheet is made"
    )
    solutions = opt.flag(
        help="add pages with the solutions; exit 1 if a puzzle has none or several"
    )
    title = opt.option(metavar="T", help="title above each page")
    name_line = opt.flag(help="a line for a name and a date above each page of puzzles")
    difficulty = opt.flag(
        help="below each title how hard the puzzle is: a word and the rating of `satdoku rate`"
    )
    paper = opt.option(
        choices=("A4", "Letter"), default="A4", help="size of the pages (default A4)"
    )
    link = opt.option(
        choices=("fpuzzles", "sudokupad"), help="below each puzzle, a link that opens it there"
    )
    qr = opt.flag(help="the link as a QR code, too (SudokuPad unless --link says otherwise)")
    font = opt.option(
        type=opt.to_read,
        metavar="FILE",
        help="TrueType font for text that is not Latin (default: one of this machine)",
    )


def run(arguments: Arguments) -> int:
    """One PDF of all puzzles that can be read; exit 2 if any cannot, 1 if one is not unique."""
    from ...sheets import KeySteps, Page, SheetError, sheet_pdf

    if arguments.output == STANDARD and sys.stdout.isatty():
        raise SatdokuError("a PDF cannot be shown on a terminal: name a file, -o sheet.pdf")
    code, puzzles = EXIT_DONE, []
    for asked in asked_puzzles(arguments, marks=True):
        if isinstance(asked, Unreadable):
            report(arguments, asked)
            code = EXIT_BAD_INPUT
        else:
            puzzles.append(asked)
    if not puzzles:
        raise SheetError("no puzzle can be printed")

    def on_remark(remark: Remark) -> None:
        nonlocal code
        note(arguments, remark.text)
        if remark.status is not None:
            code = code or EXIT_NO

    data = sheet_pdf(
        puzzles,
        key_steps=KeySteps(arguments.key_steps, arguments.timeout),
        solutions=arguments.solutions,
        page=Page(
            arguments.title or "",
            arguments.per_page,
            arguments.paper,
            arguments.font,
            arguments.name_line,
            arguments.difficulty,
        ),
        link=arguments.link,
        qr=arguments.qr,
        on_remark=on_remark,
    )
    with open_output(arguments.output) as stream:
        stream.write(data)
    return code
