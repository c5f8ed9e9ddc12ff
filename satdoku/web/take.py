"""Into the page and out of it: links, texts, pictures, formulas, certificates.

Invariant: what is written is what the command line writes; what is read is what it reads.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Iterator

from ..answers.answer import solution_of
from ..certificates.format import write_section
from ..certificates.make import certify
from ..cnf.dimacs import format_cnf
from ..cnf.encodings import DEFAULT_ENCODING, encode
from ..files.fpuzzles import format_fpuzzles
from ..files.fpuzzles.links import LINK
from ..files.iss import format_iss
from ..files.one import parse_puzzle
from ..model.puzzle import Puzzle
from ..render import render_png, render_svg
from .asked import AskedError, asked_puzzle, flag_of, stated, text_of
from .catalogue import FORMATS
from .questions import Object

SUDOKUPAD = "https://sudokupad.app/fpuzzles"
SECONDS = 10.0  # for the solution of a picture
UNMARKED = "fpuzzles", "sudokupad", "iss", "cnf", "certificate", "pdf"


def read(asked: Object) -> Iterator[Object]:
    """{"puzzle", "notes"} of a text: a grid, a link, JSON."""
    found = parse_puzzle(text_of(asked, "text").strip("\0 \n\r\t\ufeff"))
    yield {"puzzle": stated(found), "notes": [found.warning] if found.warning else []}


def export(asked: Object) -> Iterator[Object]:
    """The puzzle in a format of `FORMATS`: {"name", "media", "text" or "base64"}, or {"link"}."""
    name = text_of(asked, "format")
    if name not in FORMATS:
        raise AskedError(f"no format '{name[:20]}': choose from {', '.join(FORMATS)}")
    puzzle = asked_puzzle(asked, marks=name not in UNMARKED)
    suffix = FORMATS[name].suffix
    answer = _WRITERS[name](puzzle, asked)
    yield answer if "link" in answer else {"name": _file_name(puzzle, suffix), **answer}


def _file_name(puzzle: Puzzle, suffix: str) -> str:
    """A name for a download, of letters, digits and hyphens alone."""
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in puzzle.title).split()
    return "-".join(words).lower()[:40].rstrip("-") + suffix if words else f"puzzle{suffix}"


def _link(puzzle: Puzzle, asked: Object) -> Object:
    title, author = puzzle.title, puzzle.author
    return {"link": format_fpuzzles(puzzle.grid, puzzle.constraints, title=title, author=author)}


def _sudokupad(puzzle: Puzzle, asked: Object) -> Object:
    return {"link": SUDOKUPAD + _link(puzzle, asked)["link"].removeprefix(LINK)}


def _text(text: str, media: str = "text/plain") -> Object:
    return {"media": media, "text": text}


def _bytes(data: bytes, media: str) -> Object:
    return {"media": media, "base64": base64.b64encode(data).decode()}


def _drawn(puzzle: Puzzle, asked: Object) -> Object:
    """What a picture shows beside the givens: pencil marks, and the solution if it is asked for."""
    size = puzzle.grid.board.size
    shown: Object = {}
    if puzzle.marks is not None:
        shown["candidates"] = [d if len(d) < size else () for d in puzzle.marks]
    if flag_of(asked, "solution"):
        question = puzzle.grid, puzzle.constraints, puzzle.mark_bytes
        shown["solution"] = solution_of(*question, timeout=SECONDS)
        if shown["solution"] is None:
            raise AskedError("the puzzle has no solution to draw")
    return shown


def _svg(puzzle: Puzzle, asked: Object) -> Object:
    svg = render_svg(puzzle.grid, puzzle.constraints, **_drawn(puzzle, asked))
    return _text(svg, "image/svg+xml")


def _png(puzzle: Puzzle, asked: Object) -> Object:
    return _bytes(render_png(puzzle.grid, puzzle.constraints, **_drawn(puzzle, asked)), "image/png")


def _pdf(puzzle: Puzzle, asked: Object) -> Object:
    from ..sheets import Page, sheet_pdf  # with an extra of its own

    paper = text_of(asked, "paper", "A4")
    data = sheet_pdf([puzzle], solutions=flag_of(asked, "solution"), page=Page(paper=paper))
    return _bytes(data, "application/pdf")


def _cnf(puzzle: Puzzle, asked: Object) -> Object:
    encoding = text_of(asked, "encoding", DEFAULT_ENCODING)
    formula = encode(puzzle.constraints, encoding, puzzle.grid)
    return _text("".join(format_cnf(formula, puzzle.grid)))


def _certificate(puzzle: Puzzle, asked: Object) -> Object:
    preamble, certificate = certify(puzzle.grid, puzzle.constraints)
    out = io.BytesIO()
    write_section(out, preamble, [certificate])
    return _text(out.getvalue().decode(), "application/jsonl")


def _iss(puzzle: Puzzle, asked: Object) -> Object:
    return _text(format_iss(puzzle.grid, puzzle.constraints))


def _json(puzzle: Puzzle, asked: Object) -> Object:
    return _text(json.dumps(stated(puzzle)) + "\n", "application/json")


_WRITERS: dict[str, Callable[[Puzzle, Object], Object]] = {
    "fpuzzles": _link,
    "sudokupad": _sudokupad,
    "iss": _iss,
    "json": _json,
    "svg": _svg,
    "png": _png,
    "pdf": _pdf,
    "cnf": _cnf,
    "certificate": _certificate,
}
