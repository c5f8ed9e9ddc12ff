"""Results as notebooks show them: a picture or a small table, under one line of words.

Invariant: text from files is escaped, and a display is short however many puzzles it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..files.one import PuzzleLike, Rules
from .markup import Html, join, table, tag
from .svg import render_svg

# Of elements in a display only; a notebook has a style of its own for the rest of the page.
STYLE = (
    ".satdoku h1 { font-size: 1.1em; margin: 0 0 .4em } .satdoku h2 { font-size: 1em }"
    ".satdoku .bad { color: #c0392b; font-weight: 600 } .satdoku .soft { opacity: .6 }"
    ".satdoku small { display: block } .satdoku .n { text-align: right }"
    ".satdoku th, .satdoku td { padding: .1em .6em }"
)


def counted(number: int, noun: str) -> str:
    """`1 puzzle`, `1,000 puzzles`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def frame(*parts: object) -> str:
    """The parts of a display, escaped unless they are `Html`."""
    return tag("div", tag("style", Html(STYLE)), *parts, class_="satdoku")


def counts(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A title over a table whose first column is words, the others numbers."""
    head = join(tag("th", text, class_="n" if i else "") for i, text in enumerate(heads))
    body = (
        [tag("td", value, class_="n" if i else "") for i, value in enumerate(row)] for row in rows
    )
    return frame(tag("p", tag("b", title)), table((head,), body))


def drawing(puzzle: PuzzleLike, rules: Rules = None, words: str = "", **picture: Any) -> str:
    """A picture, with a paragraph below it for each line of words."""
    return frame(Html(render_svg(puzzle, rules, **picture)), *paragraphs(words))


def paragraphs(words: str) -> list[Html]:
    """A paragraph for each line."""
    return [tag("p", line) for line in words.splitlines()]
