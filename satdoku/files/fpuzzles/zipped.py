"""The JSON that SudokuPad shortens before it packs a puzzle, as JSON again.

Invariant: what is returned is JSON text that says what the short text says, or is no JSON, which
its reader tells; it is at most a few times as long.

The short form is what the program PuzzleZipper of SudokuPad writes: names of keys are short and
have no quotes; quotes are apostrophes, and both an apostrophe and a quote within a text are `\\'`;
true and false are `t` and `f`; an empty object in a list is nothing at all, and a colour has
neither quotes nor, but for `#0` and `#F` (black and white), a number sign.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

# Short names of keys, and what they stand for.
KEYS = {
    "a": "arrows", "c": "color", "c1": "borderColor", "c2": "backgroundColor", "ca": "cages",
    "ce": "cells", "cs": "cellSize", "ct": "center", "d": "duration", "d2": "d", "fs": "fontSize",
    "h": "height", "hl": "headLength", "l": "lines", "o": "overlays", "r": "rounded",
    "re": "regions", "t": "title", "te": "text", "th": "thickness", "u": "underlays", "v": "value",
    "vd": "videos", "w": "width", "wp": "wayPoints",
}  # fmt: skip
_ZIPPED = re.compile(r"\s*\{\s*\w+\s*:")
_TOKEN = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\[\]{},:'"]+|.""", re.S)
_COLOUR = re.compile(r"#?[0-9a-fA-F]{6}")
_WORDS = {"t": "true", "f": "false", "#0": '"#000000"', "#F": '"#FFFFFF"'}


def is_zipped(text: str) -> bool:
    """Whether a text is short JSON: the name of its first key has no quotes."""
    return bool(_ZIPPED.match(text))


def unzipped(text: str) -> str:
    """The JSON that a short text stands for."""
    return "".join(_tokens(text))


def _tokens(text: str) -> Iterator[str]:
    """The tokens of JSON; each is known by the one before it and the one behind it."""
    found = [token.strip() for token in _TOKEN.findall(text)]
    tokens = [token for token in found if token]
    for before, token, behind in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        if behind == ":" and before in ("{", ","):
            name = token.strip("'\"")
            yield json.dumps(KEYS.get(name, name))
        else:
            yield _value(token) if before == ":" else _quoted(token)
        if token in ("[", ",") and behind in (",", "]"):
            yield "{}"


def _value(token: str) -> str:
    """What stands behind a colon."""
    if _COLOUR.fullmatch(token):
        return f'"#{token.lstrip("#")}"'
    return _WORDS.get(token) or _quoted(token)


def _quoted(token: str) -> str:
    """A text with quotes, any other token as it is."""
    if token[:1] != "'" or len(token) < 2:
        return token
    inner = token[1:-1].replace('"', '\\"')
    return '"' + re.sub(r"\\(.)", lambda escape: _escape(escape[1]), inner, flags=re.S) + '"'


def _escape(character: str) -> str:
    return "'" if character == "'" else "\\" + character
