"""From a link to the JSON object in it, and back.

Invariant: a fault of a text is a `ForeignError`, with its place in the text if there is a single
one. Reading any text costs no more than `MAX_TEXT` characters and their unpacked text, at most
`MAX_JSON`. A text that was packed here unpacks unchanged.

A payload is LZ-string's Base64 form (Pieroxy, https://pieroxy.net/blog/pages/lz-string/), which is
LZW (Welch, IEEE Computer 17(6), 1984) with a dictionary that starts empty: a code names a phrase
seen before, or announces a new character of 8 or 16 bits (UTF-16 code units, as JavaScript has
them), or the end. A code has as many bits as the number of phrases needs, lowest bit first. The
Python package of the same name is a witness of the tests only: it has no limit on what it unpacks
(the length may grow with the square of the payload's), and it breaks characters beyond 16 bits.

SudokuPad shortens its JSON before it packs it, with its program PuzzleZipper: names of keys are
short and have no quotes; quotes are apostrophes, and both an apostrophe and a quote within a text
are `\\'`; true and false are `t` and `f`; an empty object in a list is nothing at all, and a colour
has neither quotes nor, but for `#0` and `#F` (black and white), a number sign. What `unzipped`
returns says the same, or is no JSON, which its reader tells; it is at most a few times as long.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from ...runtime.errors import SatdokuError, counted
from ..foreign import ForeignError, json_of

MAX_JSON = 1 << 22  # a 25x25 board with every mark in every cell has about 1 << 16
LINK = "https://www.f-puzzles.com/?load="
SUDOKUPAD = "https://sudokupad.app/fpuzzles"
NATIVE = "https://sudokupad.app/scl"  # before SudokuPad's own JSON

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


_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {character: value for value, character in enumerate(_BASE64)}
_BITS = 6  # of a Base64 character
# The first codes, which name no phrase.
_NEW_8, _NEW_16, _END = range(3)
_FIRST = 3


class LzStringError(SatdokuError):
    """A text that is no LZ-string, or would become longer than allowed.

    `place` is the index of the character that is wrong or missing, None where no single one is.
    """

    def __init__(self, message: str, place: int | None = None) -> None:
        super().__init__(message)
        self.place = place


def compress(text: str) -> str:
    """The text in LZ-string's Base64 form, padded with `=` to a multiple of four characters."""
    codes: dict[str, int] = {}  # of each phrase
    bits: list[str] = []
    units = _code_units(text)
    previous, start = "", 0
    while start < len(units):
        first = units[start]
        width = _width(len(codes))
        new = first not in codes
        if new:
            codes[first] = _FIRST + len(codes)
        if previous:
            codes[previous + first] = _FIRST + len(codes)
        end = start + 1
        while end < len(units) and units[start : end + 1] in codes:
            end += 1
        previous, start = units[start:end], end
        bits += _announced(first, width) if new else [_lowest_first(codes[previous], width)]
    bits.append(_lowest_first(_END, _width(len(codes))))
    return _base64("".join(bits))


def decompress(payload: str, limit: int) -> str:
    """The text of a payload, at most `limit` UTF-16 code units; raises `LzStringError`."""
    read = _reader(payload)
    phrases = [""] * _FIRST
    parts: list[str] = []
    previous, length = "", 0
    while (code := read(len(phrases).bit_length())) != _END:
        if code < _END:
            phrases.append(chr(read(8 if code == _NEW_8 else 16)))
            code = len(phrases) - 1
        if code < len(phrases):
            phrase = phrases[code]
        elif code == len(phrases) and previous:  # the phrase that this very code completes
            phrase = previous + previous[0]
        else:
            raise LzStringError(f"found phrase {code} of {len(phrases)}, expected LZ-string")
        length += len(phrase)
        if length > limit:
            raise LzStringError(f"found more than {limit:,} characters, expected a puzzle")
        parts.append(phrase)
        if previous:
            phrases.append(previous + phrase[0])
        previous = phrase
    return _text("".join(parts))


def _width(phrases: int) -> int:
    """Bits of a code where so many phrases are known: what `decompress` reads at that moment."""
    return (_FIRST + phrases).bit_length()


def _announced(unit: str, width: int) -> list[str]:
    """A new character: its code, then the character itself."""
    wide = ord(unit) > 0xFF
    code = _NEW_16 if wide else _NEW_8
    return [_lowest_first(code, width), _lowest_first(ord(unit), 16 if wide else 8)]


def _lowest_first(value: int, width: int) -> str:
    return f"{value:0{width}b}"[::-1]


def _base64(bits: str) -> str:
    """Six bits a character; at least one bit of padding, as LZ-string itself has it."""
    bits += "0" * (_BITS - len(bits) % _BITS)
    characters = [_BASE64[int(bits[i : i + _BITS], 2)] for i in range(0, len(bits), _BITS)]
    return "".join(characters) + "=" * (-len(characters) % 4)


def _reader(payload: str) -> Callable[[int], int]:
    """A function that takes the next so many bits of a payload as a number."""
    stripped = payload.rstrip("=")
    strange = next((c for c in stripped if c not in _VALUES), None)
    if strange is not None:
        expected = "expected letters, digits, + and / (Base64)"
        raise LzStringError(f"found {strange!a}, {expected}", stripped.index(strange))
    bits = "".join(f"{_VALUES[character]:0{_BITS}b}" for character in stripped)
    place = 0

    def read(width: int) -> int:
        nonlocal place
        place += width
        if place > len(bits):
            problem = f"found {counted(len(stripped), 'character')}, expected more: it is cut off"
            raise LzStringError(problem, len(stripped))
        return int(bits[place - width : place][::-1], 2)

    return read


def _code_units(text: str) -> str:
    """The text with a character beyond 16 bits as the two that UTF-16 writes for it."""
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[i] | data[i + 1] << 8) for i in range(0, len(data), 2))


def _text(units: str) -> str:
    """The inverse; half a pair, which is no text, becomes the replacement character."""
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
