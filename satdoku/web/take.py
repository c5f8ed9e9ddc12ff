"""Into the page and out of it: links, texts, pictures, formulas, certificates.

Invariant: what is written is what the command line writes; what is read is what it reads. The
picture under the page's own digits is that of `render`, so a puzzle looks the same on the page and
on paper.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator
from dataclasses import replace

from ..answers.answer import solution_of
from ..certificates.format import write_section
from ..certificates.make import certify
from ..cnf.dimacs import format_cnf
from ..cnf.encodings import DEFAULT_ENCODING, encode
from ..engine.wasm import KERNEL, plan_bytes
from ..files.foreign import WRITTEN
from ..files.one import parse_puzzle, rules_in_words
from ..model.board import Board
from ..model.constraints import Constraints
from ..model.kinds import KINDS, clue_of
from ..model.nearness import clue_warning
from ..model.puzzle import Puzzle
from ..render import render_svg
from ..render.svg import THEMES, about, as_png, render_background
from ..runtime.errors import no_such
from .asked import AskedError, asked_puzzle, clue_texts, flag_of, stated, text_of
from .boards import about as about_board
from .boards import peers, values
from .catalogue import FORMATS
from .play.page import page
from .play.told import told
from .questions import Object

SECONDS = 10.0  # for the solution of a picture
MOST_PLAN = 1 << 20  # bytes of a plan that the page gets
UNMARKED = "cnf", "certificate", "pdf"


def read(asked: Object) -> Iterator[Object]:
    """{"puzzle", "notes"} of a text: a grid, a link, JSON."""
    found = parse_puzzle(text_of(asked, "text").strip("\0 \n\r\t\ufeff"))
    yield {"puzzle": stated(found), "notes": [found.warning] if found.warning else []}


def export(asked: Object) -> Iterator[Object]:
    """The puzzle in a format of `FORMATS`: {"name", "media", "text" or "base64"}, or {"link"}."""
    name = text_of(asked, "format")
    if name not in FORMATS:
        raise AskedError(no_such("format", name, FORMATS))
    form = WRITTEN.get(name)
    marks = "marks" in form.states if form else name not in UNMARKED
    puzzle = asked_puzzle(asked, marks=marks)
    suffix = FORMATS[name].suffix
    answer = _WRITERS[name](puzzle, asked) if name in _WRITERS else _written(name, puzzle)
    yield answer if "link" in answer else {"name": _file_name(puzzle, suffix), **answer}


def _written(name: str, puzzle: Puzzle) -> Object:
    """A puzzle for another program, or as our JSON; a link has the rules in words."""
    suffix = WRITTEN[name].suffix
    if not suffix:
        told = replace(puzzle, words=rules_in_words(puzzle))
        link = WRITTEN[name].write(told)
        return {"link": link, "note": WRITTEN[name].left_out(told, link)}
    text = WRITTEN[name].write(puzzle)
    return _text(f"{text}\n", "application/json") if suffix == ".json" else _text(text)


def _file_name(puzzle: Puzzle, suffix: str) -> str:
    """A name for a download, of letters, digits and hyphens alone."""
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in puzzle.title).split()
    return "-".join(words).lower()[:40].rstrip("-") + suffix if words else f"puzzle{suffix}"


def _text(text: str, media: str = "text/plain") -> Object:
    return {"media": media, "text": text}


def _bytes(data: bytes, media: str) -> Object:
    return {"media": media, "base64": base64.b64encode(data).decode()}


def _drawn(puzzle: Puzzle, asked: Object) -> Object:
    """What a picture shows beside the givens and pencil marks: the solution, title and rules."""
    shown: Object = {}
    if flag_of(asked, "solution"):
        shown["solution"] = solution_of(puzzle, timeout=SECONDS)
        if shown["solution"] is None:
            raise AskedError("the puzzle has no solution to draw")
    if flag_of(asked, "about"):
        shown |= {"caption": about(puzzle), "legend": False}
    return shown


def _html(puzzle: Puzzle, asked: Object) -> Object:
    return _text(page([told(puzzle)]), "text/html")


def _svg(puzzle: Puzzle, asked: Object) -> Object:
    svg = render_svg(puzzle, **_drawn(puzzle, asked))
    return _text(svg, "image/svg+xml")


def _png(puzzle: Puzzle, asked: Object) -> Object:
    return _bytes(as_png(render_svg(puzzle, **_drawn(puzzle, asked))), "image/png")


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


_WRITERS: dict[str, Callable[[Puzzle, Object], Object]] = {
    "html": _html,
    "svg": _svg,
    "png": _png,
    "pdf": _pdf,
    "cnf": _cnf,
    "certificate": _certificate,
}


def picture(asked: Object) -> Iterator[Object]:
    """{"svg", "width", "height", "left", "top", "cell", "crowded", "words", "clues", "values",
    "peers", "board", "plan"}: lengths in user units; `crowded` are the cells that have something in
    their upper corners; `words` are the rules in words; `clues` says of each stated clue {"text",
    "says", "cells", "warning"}, the warning if its cells lie apart and should not; `values`,
    `peers` and `board` are those of `boards`; `plan`, in base64, is what the engine in the tab
    answers by, or None."""
    puzzle = asked_puzzle(asked)
    theme = text_of(asked, "theme", THEMES[0])
    if theme not in THEMES:
        raise AskedError(f"theme: found {theme[:20]!a}, expected {' or '.join(THEMES)}")
    constraints = puzzle.constraints
    yield {
        **render_background(constraints, theme, puzzle.looks)._asdict(),
        "words": rules_in_words(replace(puzzle, words="")),
        "clues": [_clue(text, constraints.board) for text in clue_texts(asked)],
        "values": values(constraints),
        "peers": peers(constraints),
        "board": about_board(constraints),
        "plan": _plan(constraints),
    }


def _plan(constraints: Constraints) -> str | None:
    """What the kernel in the tab answers by; None if it cannot, or is not there."""
    if constraints.needs_session or not KERNEL.is_file():
        return None
    plan = plan_bytes(constraints)
    return base64.b64encode(plan).decode() if len(plan) <= MOST_PLAN else None


def _clue(text: str, board: Board) -> Object:
    clue = clue_of(text, board)
    return {
        "text": text,
        "says": KINDS[clue.kind].says(clue.value),
        "cells": sorted(set(clue.cells)),
        "warning": clue_warning(text, board),
    }
