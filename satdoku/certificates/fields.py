"""What a line of a certificate file may hold: JSON objects, exact in shape and bounded in size.

Invariant: what is not of that shape raises `CertificateError`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import chain
from typing import Any, BinaryIO

from ..model.board import REGION_LABELS, Board, Layer
from ..model.grid import Grid, format_line, parse_grid
from ..runtime.errors import SatdokuError
from .proof.sums import Derived

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


def as_line(fields: Fields) -> bytes:
    """An object as a line."""
    return json.dumps(fields, separators=(",", ":")).encode("ascii") + b"\n"


def write_line(stream: BinaryIO, fields: Fields) -> None:
    """Write an object as a line."""
    stream.write(as_line(fields))


def get_field(fields: Fields, name: str, kind: type) -> Any:
    """A field that must be there and of this type."""
    value = fields.get(name)
    if type(value) is not kind:
        raise CertificateError(f"'{name}' is missing or not {KINDS[kind]}")
    return value


def get_texts(fields: Fields, name: str) -> list[str]:
    """A field that must be there, a list of texts."""
    texts: list[str] = get_field(fields, name, list)
    if not all(isinstance(text, str) for text in texts):
        raise CertificateError(f"'{name}' holds something other than texts")
    return texts


def rules_and_maker(fields: Fields) -> tuple[list[str], dict[str, str]]:
    """The fields `rules` and `made_by`, which hold texts."""
    rules, made_by = get_field(fields, "rules", list), get_field(fields, "made_by", dict)
    if not all(isinstance(text, str) for text in (*rules, *made_by.values())):
        raise CertificateError("'rules' or 'made_by' holds something other than texts")
    return rules, made_by


def expect_keys(fields: Fields, names: Iterable[str], *, optional: str = "") -> None:
    """Refuse fields with other names."""
    strange = sorted(fields.keys() - {*names, optional})
    if strange:
        raise CertificateError(f"unknown field {strange[0][:40]!a}")


def board_fields(board: Board) -> Fields:
    """The board as certificates state it: one that is not usual, by all of its fields; layers only
    if there are any."""
    boxes = {"box_rows": board.box_rows, "box_columns": board.box_columns}
    if board.is_usual:
        regions = {"regions": board.region_map}
        return {"size": board.size} | (boxes if board.regions is None else regions)
    layers = [{"name": name, "digits": [*digits], "free": n} for name, digits, n in board.layers]
    return {
        "height": board.height,
        "width": board.width,
        **(boxes if board.regions is None else {"regions": [*board.regions]}),
        "digits": [*board.digits],
        "corners": [[*place] for place in board.corners],
        "holes": [[*place] for place in board.holes],
        "without": [*board.without],
        **({"layers": layers} if layers else {}),
    }


def read_board(fields: Fields) -> Board:
    """The board that `board_fields` wrote."""
    if "size" not in fields:
        return _read_other(fields)
    size = get_field(fields, "size", int)
    if "regions" not in fields:
        expect_keys(fields, ("size", "box_rows", "box_columns"))
        board = Board(
            size, get_field(fields, "box_rows", int), get_field(fields, "box_columns", int)
        )
    else:
        expect_keys(fields, ("size", "regions"))
        labels = get_field(fields, "regions", str)
        board = Board(size, regions=tuple(map(REGION_LABELS.find, labels)))
    if not board.is_usual:
        raise CertificateError(f"'size' of {board.in_words}, expected height, width and the rest")
    return board


def _read_other(fields: Fields) -> Board:
    """A board that is not usual, of all its fields, each as `board_fields` writes it."""
    shape = {name: get_field(fields, name, int) for name in ("height", "width")}
    names = ("digits", "corners", "holes", "without")
    digits, corners, holes, without = (tuple(get_field(fields, name, list)) for name in names)
    if "regions" in fields:
        cut: Fields = {"regions": tuple(get_field(fields, "regions", list))}
        _expect_each(cut, "regions", int)
    else:
        cut = {name: get_field(fields, name, int) for name in ("box_rows", "box_columns")}
    expect_keys(fields, (*shape, *cut, *names), optional="layers")
    _expect_each(fields, "digits", int)
    _expect_each(fields, "without", str)
    for name in ("corners", "holes"):
        for place in fields[name]:
            if type(place) is not list or list(map(type, place)) != [int, int]:
                raise CertificateError(f"'{name}' holds something other than [row, column]")
    board = Board(
        **shape,
        **cut,
        digits=digits,
        corners=tuple(map(tuple, corners)),
        holes=tuple(map(tuple, holes)),
        without=without,
        layers=_read_layers(get_field(fields, "layers", list)) if "layers" in fields else (),
    )
    if board.is_usual or board_fields(board) != fields:
        raise CertificateError(f"{board.in_words}, stated in another way than it is written")
    return board


def _read_layers(stated: list[Any]) -> tuple[Layer, ...]:
    """The layers of a board: an object each."""
    if any(type(fields) is not dict for fields in stated):
        raise CertificateError("'layers' holds something that is not an object")
    layers = []
    for fields in stated:
        expect_keys(fields, Layer._fields)
        _expect_each({"digits": get_field(fields, "digits", list)}, "digits", int)
        name, free = get_field(fields, "name", str), get_field(fields, "free", int)
        layers.append(Layer(name, tuple(fields["digits"]), free))
    return tuple(layers)


def _expect_each(fields: Fields, name: str, kind: type) -> None:
    """Refuse a list of anything else."""
    if any(type(value) is not kind for value in fields[name]):
        raise CertificateError(f"'{name}' holds something that is not {KINDS[kind]}")


# Sums -------------------------------------------------------------------------------------------


def sums_fields(sums: tuple[Derived, ...]) -> Fields:
    """The field that states sums; none if there are none."""
    return {"sums": [*map(_sum_fields, sums)]} if sums else {}


def _sum_fields(one: Derived) -> Fields:
    return {
        "clues": [[*told] for told in one.clues],
        "houses": [[times, [*cells]] for times, cells in one.houses],
        "segments": [[*cells] for cells in one.segments],
    }


def read_sums(fields: Fields) -> tuple[Derived, ...]:
    """The sums that `sums_fields` wrote, of which there must be some."""
    stated = get_field(fields, "sums", list)
    try:
        sums = tuple(_sum(one["clues"], one["houses"], one["segments"]) for one in stated)
    except (TypeError, ValueError, LookupError):
        sums = ()
    if not sums or [*map(_sum_fields, sums)] != stated:
        raise CertificateError("'sums' is no list of clues, houses and segments")
    return sums


def _sum(clues: list[Any], houses: list[Any], segments: list[Any]) -> Derived:
    found = Derived(
        tuple((times, number) for times, number in clues),
        tuple((times, tuple(cells)) for times, cells in houses),
        tuple(map(tuple, segments)),
    )
    numbers = chain(*found.clues, *((times, *cells) for times, cells in found.houses))
    if {int} < {*map(type, chain(numbers, *found.segments)), int}:
        raise ValueError
    return found


# Solutions --------------------------------------------------------------------------------------


def solution_text(solution: Grid) -> str:
    """A solution as certificates state it: on a board with layers the numbers in all cells, those
    of layers last, so that the reader can test what clues say of them."""
    if not solution.board.layers:
        return format_line(solution)
    return " ".join("." if value is None else str(value) for value in solution.values)


def read_solution(text: str, board: Board) -> Grid:
    """The solution that `solution_text` wrote."""
    if not board.layers:
        return parse_grid(text, board, source="solution")
    words = text.split(" ")
    if len(words) != board.cells:
        raise CertificateError(f"a solution of {len(words)} numbers, expected {board.cells}")
    domains = board.domains(tuple(range(board.cells)))
    cells = bytearray()
    for cell, (word, digits) in enumerate(zip(words, domains, strict=True)):
        known = [str(digit) for digit in digits]
        if word not in known:
            raise CertificateError(f"{board.name_of(cell)} holds {word[:12]!a} in a solution")
        cells.append(known.index(word) + 1)
    return Grid(bytes(cells), board)
