"""What a line of a certificate file may hold: JSON objects, exact in shape and bounded in size.

Invariant: what is not of that shape raises `CertificateError`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ..model.board import REGION_LABELS, Board
from ..runtime.errors import SatdokuError

MAX_VALUES = 1 << 20  # values in a line, nearly all of them solutions
KINDS = {str: "a text", int: "a number", list: "a list", dict: "an object", bool: "true or false"}

Fields = dict[str, Any]


class CertificateError(SatdokuError):
    """A file that is not a certificate: where, what was found and what was expected."""


def parse_json(text: bytes) -> Fields:
    """A JSON object without repeated keys, fractions or long numbers."""
    if text.count(b",") + text.count(b"[") + text.count(b"{") > MAX_VALUES:
        raise CertificateError(f"more than {MAX_VALUES} values in a line")
    try:
        fields = _DECODER.decode(text.decode("ascii"))
    except CertificateError:
        raise
    except (ValueError, RecursionError) as error:
        raise CertificateError(f"not JSON: {str(error)[:80]}") from None
    if not isinstance(fields, dict):
        raise CertificateError("not a JSON object")
    if b"\\u" in text:
        _refuse_surrogates(fields)
    return fields


def _refuse_surrogates(fields: Fields) -> None:
    """JSON can state halves of a character, which no text can hold and no hash is defined for."""
    try:
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise CertificateError(f"{half!a}, half of a character, expected a whole one") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> Fields:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise CertificateError("the same key twice in an object")
    return fields


def _small_number(word: str) -> int:
    if len(word) > 9:
        raise CertificateError(f"the number {word[:12]}..., expected at most 9 digits")
    return int(word)


def _no_number(word: str) -> Any:
    raise CertificateError(f"the number {word[:12]}, expected a whole number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys,
    parse_int=_small_number,
    parse_float=_no_number,
    parse_constant=_no_number,
)


def get_field(fields: Fields, name: str, kind: type) -> Any:
    """A field that must be there and of this type."""
    value = fields.get(name)
    if type(value) is not kind:
        raise CertificateError(f"'{name}' is missing or not {KINDS[kind]}")
    return value


def expect_keys(fields: Fields, names: Iterable[str], *, optional: str = "") -> None:
    """Refuse fields with other names."""
    strange = sorted(fields.keys() - {*names, optional})
    if strange:
        raise CertificateError(f"unknown field {strange[0][:40]!a}")


def board_fields(board: Board) -> Fields:
    """The board as certificates state it."""
    if board.regions is None:
        return {"size": board.size, "box_rows": board.box_rows, "box_columns": board.box_columns}
    return {"size": board.size, "regions": board.region_map}


def read_board(fields: Fields) -> Board:
    """The board that `board_fields` wrote."""
    size = get_field(fields, "size", int)
    if "regions" not in fields:
        expect_keys(fields, ("size", "box_rows", "box_columns"))
        return Board(
            size, get_field(fields, "box_rows", int), get_field(fields, "box_columns", int)
        )
    expect_keys(fields, ("size", "regions"))
    return Board(size, regions=tuple(map(REGION_LABELS.find, get_field(fields, "regions", str))))
