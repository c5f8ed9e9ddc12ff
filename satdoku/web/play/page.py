"""Puzzles as one page that needs nothing else: no server, no network, no other file.

Invariant: the policy in the page allows what lies in it and nothing else; the same puzzles give the
same bytes. A text of a puzzle is escaped wherever it stands.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from string import Template

from ...engine import wasm
from ...runtime.errors import SatdokuError
from ...runtime.package import VERSION
from .joined import classic, joined
from .told import Told

HERE = Path(__file__).resolve().parent
STATIC = HERE.parent / "static"
STYLES = STATIC / "style.css", STATIC / "board.css", STATIC / "solve.css", HERE / "play.css"
MOST = 500  # puzzles of a page


def page(puzzles: Sequence[Told], title: str = "") -> str:
    """The page of a puzzle, or the booklet of several, in HTML.

    Raises `SatdokuError` for none and for more than `MOST`, `EngineError` where the kernel for
    browsers was not built.
    """
    if not 0 < len(puzzles) <= MOST:
        raise SatdokuError(f"{len(puzzles)} puzzles: a page holds 1 to {MOST}")
    plans = list(dict.fromkeys(puzzle.plan for puzzle in puzzles))
    data = [{**puzzle.data, "plan": plans.index(puzzle.plan)} for puzzle in puzzles]
    told = json.dumps(data, separators=(",", ":"))
    blocks = {"kernel": wasm.kernel(), "satdoku": _engine(), "puzzles": told.encode()}
    blocks |= {f"plan-{number}": plan for number, plan in enumerate(plans)}
    style, script = _style(), _script()
    return Template((HERE / "page.html").read_text(encoding="utf-8")).substitute(
        policy=_policy(style, script),
        version=VERSION,
        title=html.escape(title or puzzles[0].title),
        style=style,
        articles="\n".join(map(_article, puzzles)),
        blocks="\n".join(_block(name, content) for name, content in blocks.items()),
        script=script,
    )


def _policy(style: str, script: str) -> str:
    """What the page may do: run its own script and the kernel, and reach nobody. The script of the
    engine is made a blob, since workers are started from an address."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}' blob: 'wasm-unsafe-eval'",
            "worker-src blob:",
            f"style-src '{_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _article(puzzle: Told) -> str:
    """A puzzle as one reads it without a script, and on paper."""
    return "\n".join(("<article>", *_lines(puzzle), "</article>"))


def _lines(puzzle: Told) -> Iterator[str]:
    yield f"<h2>{html.escape(puzzle.title)}</h2>"
    if puzzle.author:
        yield f'<p class="author">by {html.escape(puzzle.author)}</p>'
    yield puzzle.svg.strip()
    yield from (f"<p>{html.escape(line)}</p>" for line in puzzle.words)


def _block(name: str, content: bytes) -> str:
    """Bytes as a part of the page, packed; level 9 saves a thousandth, and takes minutes for the
    plan of a clue of millions of sets."""
    packed = base64.b64encode(zlib.compress(content, 6)).decode()
    return f'<script type="application/octet-stream" id="{name}">{packed}</script>'


@cache
def _style() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in STYLES)


@cache
def _script() -> str:
    return joined(HERE / "play.js")


@cache
def _engine() -> bytes:
    return classic(wasm.FOLDER / "satdoku.js").encode()
