"""HTML: tags, tables, the frame of a page that loads nothing, and results as notebooks show them.

Invariant: only `Html` is markup; anything else in a tag is text, made visible and escaped. A
display in a notebook is short however many puzzles it is about.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

from ..files.one import PuzzleLike, Rules
from ..runtime.errors import shown
from .svg import render_svg


class Html(str):
    """Text that is already markup."""


def escape(text: str) -> Html:
    """Any text, as markup that shows it."""
    return Html(html.escape(shown(text)))


def tag(name: str, *inside: object, **attributes: str) -> Html:
    """An element; its contents are escaped unless they are `Html`. `class_` stands for `class`."""
    marks = "".join(f' {key.rstrip("_")}="{escape(text)}"' for key, text in attributes.items())
    return Html(f"<{name}{marks}>{join(inside)}</{name}>")


def join(parts: Iterable[object]) -> Html:
    """The parts one after the other, escaped unless they are `Html`."""
    return Html("".join(part if isinstance(part, Html) else escape(str(part)) for part in parts))


def breakable(text: str) -> Html:
    """A path that may break into the next line after each slash."""
    return Html(escape(text).replace("/", "/<wbr>"))


def unbroken(text: str) -> Html:
    """Words in which no line ends between a number and its percent sign."""
    return Html(escape(text).replace(" %", "&nbsp;%"))


def name(text: str) -> Html:
    """A name from a file; its writing direction must not change that of the words around it."""
    return tag("bdi", text)


def table(heads: Sequence[Html], rows: Iterable[Iterable[Html]]) -> Html:
    """Rows of cells (`td` or `th` elements) under rows of heads, in a box that scrolls sideways."""
    head = tag("thead", *(tag("tr", row) for row in heads))
    body = tag("tbody", *(tag("tr", *row) for row in rows))
    return tag("div", tag("table", head, body), class_="wide")


def document(title: str, *body: Html) -> str:
    """A whole page with its style inside; the policy forbids it to load or run anything."""
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{tag('title', title)}\n{tag('style', Html(STYLE))}\n</head>\n"
    )
    main = Html("\n".join(body))
    return f"{head}{tag('body', tag('main', main))}\n</html>\n"


STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5b6675; --line: #d5dae1; --page: #fff;
  --bar: #2f6fb5; --bad: #b3261e; --badfill: #fdeceb; --good: #1c6b35; --goodfill: #e7f5eb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #9aa5b4; --line: #3a424e;
  --page: #14181e; --bar: #6fa8e0; --bad: #ff9d94; --badfill: #3a1d1c; --good: #86d6a0;
  --goodfill: #17301f; } }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.7rem; line-height: 1.2; }
h2 { margin: 2.2rem 0 .6rem; font-size: 1.25rem; }
h3 { margin: 1.4rem 0 .2rem; font-size: 1.05rem; }
p, ul { margin: .4rem 0; }
ul { padding-left: 1.3rem; }
.verdict { padding: 1rem 1.2rem; border-left: .4rem solid; border-radius: .3rem; }
.sound { border-color: var(--good); background: var(--goodfill); }
.sound h1 { color: var(--good); }
.unsound { border-color: var(--bad); background: var(--badfill); }
.unsound h1, .bad { color: var(--bad); }
.bad { font-weight: 600; }
.soft, small, caption { color: var(--soft); font-weight: normal; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .45rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
thead th { font-size: .82rem; color: var(--soft); overflow-wrap: normal; vertical-align: bottom; }
.n { text-align: right; overflow-wrap: normal; }
td.n { white-space: nowrap; }
.g { text-align: center; letter-spacing: .04em; }
td small, th small { display: block; font-size: .76rem; }
th[scope=row] { min-width: 9.5rem; max-width: 22rem; }
details { margin: .5rem 0; }
summary { cursor: pointer; }
.plots { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.5rem; }
.plots h3, .plots p { grid-column: 1 / -1; }
svg { display: block; width: 100%; height: auto; }
svg text { font-family: inherit !important; }
@media (max-width: 40rem) { .plots { grid-template-columns: 1fr; } }
"""


# Of elements in a display only; a notebook has a style of its own for the rest of the page.
NOTEBOOK = (
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
    return tag("div", tag("style", Html(NOTEBOOK)), *parts, class_="satdoku")


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
