"""From a link to the JSON object in it, and back.

Invariant: whatever is wrong with a text is an `ForeignError` that says where it stands in the
text, as far as one place is wrong. However the text was made, reading it costs no more than
`MAX_TEXT` characters and what they unpack to, at most `MAX_JSON`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ..foreign import ForeignError, json_of
from ..lzstring import LzStringError, compress, decompress
from .zipped import is_zipped, unzipped

MAX_JSON = 1 << 22  # a 25x25 board with every mark in every cell has about 1 << 16
LINK = "https://www.f-puzzles.com/?load="
SUDOKUPAD = "https://sudokupad.app/fpuzzles"

_URL = re.compile(r"https?://[^/?#]*([^?#]*)(?:\?([^#]*))?", re.IGNORECASE)
# SudokuPad's marks before a payload: of f-puzzles, of its own, and of one that is not read.
_NAMED = re.compile(r"(?:fpuz(?:zles)?/?|scl|ctc)(?=[A-Za-z0-9])")
_FOREIGN = re.compile(r"scf(?=[A-Za-z0-9])")
_CODED = re.compile(r"%[0-9A-Fa-f]{2}|.", re.DOTALL)  # a character of a link, coded or not
_SHORT = 40  # characters within which nothing is a payload: the smallest has more


def load(text: str) -> dict[str, Any]:
    """The JSON object of a link, of a payload, or of the JSON itself."""
    packed = not text.lstrip().startswith("{")
    unpacked = _unpacked(text) if packed else text
    return json_of(unzipped(unpacked) if is_zipped(unpacked) else unpacked, packed)


def save(value: dict[str, Any]) -> str:
    """A link that holds the object."""
    return LINK + compress(json.dumps(value, separators=(",", ":")))


def _unpacked(text: str) -> str:
    """The JSON that a link or a payload is packed from."""
    start, stop = _payload(text)
    coded = _CODED.findall(text, start, stop)
    payload = "".join(map(_decoded, coded))
    try:
        return decompress(payload, MAX_JSON)
    except LzStringError as error:
        column = 0 if error.place is None else 1 + start + len("".join(coded[: error.place]))
        raise ForeignError(f"the payload cannot be unpacked: {error}", column=column) from None


def _decoded(character: str) -> str:
    """A character of a payload. A blank is a plus sign that some program took for one.

    The bytes of characters beyond ASCII stay apart: none of them belongs in a payload.
    """
    if len(character) == 3:
        character = chr(int(character[1:], 16))
    return "+" if character == " " else character


def _payload(text: str) -> tuple[int, int]:
    """Where the packed part of a text begins and ends."""
    begin, end = len(text) - len(text.lstrip()), len(text.rstrip())
    if url := _URL.match(text, begin, end):
        begin, end = _place(text, url)
    if named := _NAMED.match(text, begin, end):
        begin = named.end()
    elif foreign := _FOREIGN.match(text, begin, end):
        problem = f"SudokuPad's format '{foreign[0]}' is not supported: use one of 'scl' or 'fpuz'"
        raise ForeignError(problem, column=1 + begin)
    if end - begin < _SHORT:
        place = text[begin:end]
        names = f"{place!a} names a puzzle that is kept elsewhere" if place else "no puzzle in it"
        raise ForeignError(
            f"{names}: nothing is fetched, use a link that holds the whole puzzle", column=1 + begin
        )
    return begin, end


def _place(text: str, url: re.Match[str]) -> tuple[int, int]:
    """Where a link has the puzzle: behind `load=` or `puzzleid=`, or at the end of its path."""
    if url[2] and (
        field := re.compile(r"(?:\A|&)(?:load|puzzleid|id)=([^&]*)", re.I).search(url[2])
    ):
        return url.start(2) + field.start(1), url.start(2) + field.end(1)
    path = url[1]
    if named := re.search(r"/(?=fpuz|scl|scf|ctc)", path):  # what follows may have slashes
        return url.start(1) + named.end(), url.end(1)
    short = path.rstrip("/")
    return url.start(1) + short.rfind("/") + 1, url.start(1) + len(short)
