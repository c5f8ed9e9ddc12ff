"""LZ-string's Base64 form: text in few characters of a link, and back within a limit.

Invariant: what comes out is exactly what went in, never longer than allowed; anything else is an
error.

LZ-string (Pieroxy, https://pieroxy.net/blog/pages/lz-string/) is LZW (Welch, IEEE Computer 17(6),
1984) with a dictionary that starts empty: a code names a phrase seen before, or announces a new
character of 8 or 16 bits (UTF-16 code units, as JavaScript has them), or the end. A code has as
many bits as the number of phrases needs, lowest bit first. The Python package of the same name is
a witness of the tests only: it has no limit on what it unpacks (the length may grow with the square
of the payload's), and it breaks characters beyond 16 bits.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import SatdokuError

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
            problem = f"found {len(stripped)} characters, expected more: it is cut off"
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
