"""From a link to the JSON object in it, and back.

Invariant: whatever is wrong with a text is an `FPuzzlesError`; however it was made, it costs no
more than `MAX_TEXT` characters and what they unpack to, at most `MAX_JSON`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ...model.grid import GridError
from ..lzstring import LzStringError, compress, decompress

MAX_TEXT = 1 << 20
MAX_JSON = 1 << 22  # a 25x25 board with every mark in every cell has about 1 << 16
LINK = "https://www.f-puzzles.com/?load="

_URL = re.compile(r"https?://[^/?#]*([^?#]*)(?:\?([^#]*))?", re.IGNORECASE)
_NAMED = re.compile(r"fpuz(?:zles)?/?(?=[A-Za-z0-9])")  # SudokuPad's mark before a payload
_FOREIGN = re.compile(r"(?:scl|scf|ctc)(?=[A-Za-z0-9])")  # its marks of other formats
_SHORT = 40  # characters within which nothing is a payload: the smallest has more


class FPuzzlesError(GridError):
    """A link, payload or JSON of f-puzzles that cannot be read, or states what is not known."""


def load(text: str) -> dict[str, Any]:
    """The JSON object of a link, of a payload, or of the JSON itself."""
    text = text.strip()
    if len(text) > MAX_TEXT:
        raise FPuzzlesError(f"{len(text):,} characters", f"at most {MAX_TEXT:,}")
    if not text.startswith("{"):
        try:
            text = decompress(_payload(text), MAX_JSON)
        except LzStringError as error:
            found, _, expected = str(error).removeprefix("found ").partition(", expected ")
            raise FPuzzlesError(f"{found} in the payload", expected) from None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FPuzzlesError(f"no JSON ({str(error)[:80]})", "an object with size, grid") from None
    if not isinstance(value, dict):
        raise FPuzzlesError(f"JSON that is {type(value).__name__}", "an object with size, grid")
    return value


def save(value: dict[str, Any]) -> str:
    """A link that holds the object."""
    return LINK + compress(json.dumps(value, separators=(",", ":")))


def _payload(text: str) -> str:
    """The packed part of a text. A blank is a plus sign that some program took for one."""
    url = _URL.match(text)
    place = text if url is None else _place(url[1], url[2] or "")
    if "%" in place:
        from urllib.parse import unquote  # few links need it

        place = unquote(place)
    if named := _NAMED.match(place):
        place = place[named.end() :]
    elif foreign := _FOREIGN.match(place):
        raise FPuzzlesError(f"SudokuPad's own format '{foreign[0]}'", "a link of f-puzzles")
    if len(place) < _SHORT:
        found = f"{place[:_SHORT]!a}, which names a puzzle kept elsewhere" if place else "nothing"
        raise FPuzzlesError(found, "a link with the whole puzzle in it: nothing is fetched")
    return place.replace(" ", "+")


def _place(path: str, query: str) -> str:
    """Where a link has the puzzle: `load=` or `puzzleid=`, or the end of the path."""
    fields = dict(part.partition("=")[::2] for part in query.split("&"))
    for name in ("load", "puzzleid", "puzzleId", "id"):
        if name in fields:
            return fields[name]
    named = re.search(r"/(?=fpuz|scl|scf|ctc)", path)  # what follows may have slashes
    return path[named.end() :] if named else path.rstrip("/").rpartition("/")[2]
