"""Read one puzzle from text, hold it as a `Grid`, and write it in any format.

Invariant: a `Grid` is a board and one byte per cell, 0 for an empty cell, else the position (from
1) of its digit among the board's; only the board of 256x256 takes two. Reading returns a `Grid` or
raises `GridError`, which says where the text is wrong, what was found and what was expected.

Grids are plain bytes, not arrays, so that solving one puzzle does not import numpy. Use
`numpy.asarray(grid)` if you need a (cells,) uint8 array.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from ..runtime import package
from ..runtime.errors import GridError as GridError
from ..runtime.errors import counted
from .board import LARGEST, MAX_SIZE, Board, board_for, written
from .numbers import DRAWN, is_large, numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLANKS = ".0%*_?"
LETTERS = "ABCDEFGHIJKLMNOP"  # digits 10..25 in the one-character notation
_RULINGS = " \t,|-+\u00a0\r\n\ufeff" + DRAWN
_BOM = "\ufeff"

_VALUES: dict[str, int] = (
    dict.fromkeys(BLANKS, 0)
    | {str(digit): digit for digit in range(1, 10)}
    | {letter: 10 + i for i, letter in enumerate(LETTERS)}
    | {letter.lower(): 10 + i for i, letter in enumerate(LETTERS)}
)
_SYMBOLS = ".123456789" + LETTERS
NO_VALUE = 255
_BYTES = bytes(range(256))
EMPTY = -128  # an empty cell in arrays of boards with other digits than 1 to n
# The value of each byte in a line of one character per cell; NO_VALUE if it is not a cell.
BYTE_VALUES = bytes(_VALUES.get(chr(code), NO_VALUE) for code in range(256))
# The inverse: the byte to print for each value.
LINE_BYTES = _SYMBOLS.encode("ascii").ljust(256, b"?")
_CHARACTERS = "0123456789" + LETTERS  # of the digits 0, 1, 2, ...


class Notation(NamedTuple):
    """How the cells of a board with some digits are written.

    values: the position of the digit of each word, 0 for an empty cell. codes: the same for the
    bytes of a line of one character per cell. line: the bytes to print for each position; none if a
    digit has no character: then cells are numbers between blanks. words: of each position, for a
    person.
    """

    values: dict[str, int]
    codes: bytes
    line: bytes
    words: tuple[str, ...]


@cache
def notation_of(digits: tuple[int, ...]) -> Notation:
    """How the cells of boards with these digits are written."""
    first = digits == tuple(range(1, len(digits) + 1))
    if first:
        words = tuple(_SYMBOLS[: len(digits) + 1] if len(digits) <= 9 else _numbers_to(digits))
        return Notation(_VALUES, BYTE_VALUES, LINE_BYTES, words)
    blanks = dict.fromkeys(BLANKS.replace("0", "") if 0 in digits else BLANKS, 0)
    has_characters = digits[0] >= 0 and digits[-1] < len(_CHARACTERS)
    names = [_CHARACTERS[d] for d in digits] if has_characters else [str(d) for d in digits]
    values = blanks | {str(digit): place for place, digit in enumerate(digits, 1)}
    values |= {name: place for place, name in enumerate(names, 1)}
    values |= {name.lower(): place for name, place in values.items()}
    codes = bytes(values.get(chr(code), NO_VALUE) for code in range(256))
    line = "".join([".", *names]).encode("ascii").ljust(256, b"?") if has_characters else b""
    is_short = has_characters and digits[-1] <= 9
    return Notation(values, codes, line, (".", *names) if is_short else _numbers_to(digits))


def _numbers_to(digits: tuple[int, ...]) -> tuple[str, ...]:
    return (".", *map(str, digits))


NINE = Board.of_size(9)


@cache
def _places_of(digits: tuple[int, ...]) -> dict[int | None, int]:
    """The position of each digit, and 0 of what is an empty cell in lists and arrays of numbers."""
    empty = [None, EMPTY, *(number for number in (0, -1) if number not in digits)]
    return dict.fromkeys(empty, 0) | {digit: place for place, digit in enumerate(digits, 1)}


def are_within(digits: bytes | memoryview, most: int) -> bool:
    """Whether no digit is larger; of bytes ten times as fast as their maximum."""
    if isinstance(digits, memoryview):
        return max(digits) <= most
    return not digits.translate(None, _BYTES[: most + 1])


@dataclass(frozen=True, repr=False)
class Grid:
    """The cells of a board as row-major bytes: 0 for an empty cell, else the position (from 1) of
    the digit among the board's, which is the digit itself where these are 1 to n.

    On 256x256 two bytes are a cell (uint16); `digits` gives the numbers in any case, and `values`
    the digits of any board. The cells of layers come last; no text of a grid has them. Index it by
    cell (0-based) or by (row, column). `str` gives the one-line notation.
    """

    cells: bytes
    board: Board = NINE

    def __post_init__(self) -> None:
        digits = self.digits
        if len(digits) != self.board.cells or not are_within(digits, self.board.choices):
            what = f"{counted(len(digits), 'cell')} of 0..{max(digits, default=0)}"
            raise GridError(what, f"{self.board.cells} cells of 0..{self.board.choices}")

    def __str__(self) -> str:
        return format_line(self)

    def __repr__(self) -> str:
        return f"<Grid {self.board.shape}, {counted(self.givens, 'digit')}: {self}>"

    def __len__(self) -> int:
        return self.board.cells

    def __iter__(self) -> Iterator[int]:
        return iter(self.digits)

    def __getitem__(self, where: int | tuple[int, int]) -> int:
        if isinstance(where, tuple):
            return self.digits[self.board.cell_at[where]]
        return self.digits[where]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The digits as a fresh (cells,) array, uint8 with 0 for an empty cell, or on 256x256
        uint16; of a board with other digits than 1 to n int8, with -128 for an empty cell."""
        import numpy as np

        if not self.board.has_plain_digits:
            shown = [EMPTY if value is None else value for value in self.values]
            return np.array(np.array(shown, np.int8), dtype=dtype)
        return np.array(np.frombuffer(self.digits, self.digits_type), dtype=dtype)

    @property
    def values(self) -> tuple[int | None, ...]:
        """The digit of each cell, None for none."""
        board = self.board
        if board.layers:
            domains = board.domains(tuple(range(board.cells)))
            known = zip(self.digits, domains, strict=True)
            return tuple(digits[place - 1] if place else None for place, digits in known)
        words = (None, *board.digits)
        return tuple(words[place] for place in self.digits)

    @property
    def digits(self) -> bytes | memoryview:
        """The position of the digit of each cell, 0 for none."""
        wide = self.board.width == LARGEST and not len(self.cells) % 2
        return memoryview(self.cells).cast("H") if wide else self.cells

    @property
    def digits_type(self) -> str:
        """The type of the cells in arrays."""
        return "<u2" if self.board.width == LARGEST else "|u1"

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        return package.svg(self)

    def _repr_html_(self) -> str:
        return self._repr_svg_()

    @property
    def givens(self) -> int:
        """Number of cells that are not empty."""
        return len(self) - [*self.digits].count(0)

    @property
    def is_complete(self) -> bool:
        return 0 not in self.digits


class _Symbol(NamedTuple):
    text: str
    line: int
    column: int


def parse_grid(
    text: str, board: Board | None = None, *, source: str | None = None, line: int = 1
) -> Grid:
    """Read one grid; without `board`, the number of cells decides its board.

    The grid may be on one line or on one line per row. Empty cells are `. 0 % * _ ?`; a dash is an
    empty cell only in a line that has exactly one character per cell. Rulings of `|`, `-`, `+`,
    box-drawing characters, spaces, tabs and commas are skipped, and so are `#` comment lines and a
    byte order mark; lines may end in CRLF. Several grids are refused, also where their cells are as
    many as those of a larger one. Digits beyond 9 are letters from A, or every cell is a
    number and spaces separate them; without `board` a text of numbers may be of a board up to
    256x256 (see `model.numbers`). A `GridError` names `source` and counts lines from `line`.
    """
    quick = parse_plain(text, board)
    if quick is not None:
        return quick
    if board.is_large if board else is_large(text.encode(errors="replace")):
        found = list(numbered(enumerate(text.encode().split(b"\n"), line), source))
        if len(found) != 1:
            raise GridError(f"{len(found)} large puzzles", "one", line=line, source=source)
        grid = of_numbers(found[0].values, board, line, source)
        if isinstance(grid, GridError):
            raise grid
        return grid
    lines = list(_significant_lines(text, line))
    if len(lines) == 1 and (quick := parse_plain(lines[0][1], board)) is not None:
        return quick
    symbols = _numbers(lines, board) or _characters(lines)
    if board is None and (second := _second_grid(symbols)):
        line, column = second.line, second.column
        raise GridError("a second grid", "one", line=line, column=column, source=source)
    board = board or board_for(len(symbols))
    if board is None or len(symbols) != board.grid_cells:
        raise _wrong_count(symbols, board, source, line)
    return of_grids(bytes(_value(symbol, board, source) for symbol in symbols), board)


def of_grids(cells: bytes, board: Board) -> Grid:
    """The grid of the cells of the grids, those of layers unknown."""
    return Grid(cells.ljust(board.cells, b"\0") if board.layers else cells, board)


def parse_plain(text: str, board: Board | None) -> Grid | None:
    """The grid of a text with exactly one character per cell (the common case), else None."""
    text = text.removeprefix(_BOM).strip()
    board = board or board_for(len(text))
    if board is None or len(text) != board.grid_cells or not text.isascii():
        return None
    notation = notation_of(board.digits)
    if not notation.line:
        return None
    cells = text.replace("-", ".").encode("ascii").translate(notation.codes)
    return of_grids(cells, board) if are_within(cells, len(board.digits)) else None


def _significant_lines(text: str, first: int) -> Iterator[tuple[int, str]]:
    for number, content in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix(_BOM)), first):
        if content.strip(_RULINGS) and not content.lstrip().startswith("#"):
            yield number, content


def _second_grid(symbols: list[_Symbol]) -> _Symbol | None:
    """Where the second one begins, if all lines are grids by themselves, or rows of several: four
    of 9x9 have as many cells as one of 18x18."""
    widths = Counter(symbol.line for symbol in symbols)
    width = next(iter(widths.values()), 0)
    if len(widths) < 2 or len({*widths.values()}) > 1 or len(widths) == width:
        return None
    if board_for(width) is not None:
        return symbols[width]
    is_rows = len(widths) > width and len(widths) % width == 0 and board_for(width * width)
    return symbols[width * width] if is_rows else None


def _characters(lines: Iterable[tuple[int, str]]) -> list[_Symbol]:
    """One symbol for each character that is not a ruling."""
    return [
        _Symbol(character, number, column)
        for number, content in lines
        for column, character in enumerate(content, 1)
        if character not in _RULINGS
    ]


def _numbers(lines: list[tuple[int, str]], board: Board | None) -> list[_Symbol] | None:
    """One symbol for each word, if the words fill a board beyond 9x9 and are not all one character.

    None if they do not.
    """
    symbols = [
        _Symbol(match.group(), number, match.start() + 1)
        for number, content in lines
        for match in re.finditer(rf"[^\s|+,{DRAWN}]+", content)
        if match.group().strip("-")
    ]
    if board is None:
        board = board_for(len(symbols))
    if board is None or len(symbols) != board.grid_cells:
        return None
    if not notation_of(board.digits).line:
        return symbols
    return symbols if board.digits[-1] > 9 and any(len(s.text) > 1 for s in symbols) else None


def _value(symbol: _Symbol, board: Board, source: str | None) -> int:
    text = symbol.text
    digits = board.digits
    notation, usual = notation_of(digits), digits[0] == 1 and digits[-1] == len(digits)
    is_number = usual and _is_number(text) and len(text) == 2
    value = int(text) if is_number else notation.values.get(text, NO_VALUE)
    if value <= len(digits):
        return value
    known = f"1-9, A-{LETTERS[len(digits) - 10]}" if usual and len(digits) > 9 else written(digits)
    blanks = (blank for blank in BLANKS if notation.values.get(blank) == 0)
    raise GridError(
        ascii(text),
        f"a digit {known}, or one of {' '.join(blanks)} for an empty cell",
        line=symbol.line,
        column=symbol.column,
        source=source,
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _wrong_count(
    symbols: list[_Symbol], board: Board | None, source: str | None, first_line: int
) -> GridError:
    """The error for a wrong number of cells.

    It points at the first unknown character if there is one, else at the first extra or missing
    cell.
    """
    strange = next((s for s in symbols if s.text not in _VALUES and not _is_number(s.text)), None)
    found = counted(len(symbols), "cell")
    if strange is not None:
        found += f", one of them {strange.text!a}"
        place = strange
    elif len(symbols) > (board or NINE).cells:
        place = symbols[(board or NINE).cells]
    else:
        last = symbols[-1] if symbols else _Symbol("", first_line, 0)
        place = last._replace(column=last.column + 1)
    expected = _expected_count(board)
    return GridError(found, expected, line=place.line, column=place.column, source=source)


def _expected_count(board: Board | None) -> str:
    if board is not None:
        return f"{board.grid_cells} cells ({board.in_words if not board.is_usual else board.shape})"
    return (
        "81 cells (9x9), or 16, 36, 64, 144, 256, 625 ... for others; sizes that no boxes fit need "
        "a rule such as latin=5"
    )


GridLike = str | Grid | Iterable[int]


def as_grid(puzzle: GridLike, board: Board | None = None) -> Grid:
    """A grid from text, from a `Grid`, or from any row-major sequence or array of digits.

    If `board` is given, the grid gets that board: a plain 9x9 text can be read as a jigsaw. An
    empty cell is 0; on a board with other digits than 1 to n None, nan or -128, and 0 and -1 where
    these are no digits.
    """
    if isinstance(puzzle, str):
        return parse_grid(puzzle, board)
    if isinstance(puzzle, Grid) and board in (None, puzzle.board):
        return puzzle
    if isinstance(puzzle, Grid):
        return Grid(puzzle.cells, board or puzzle.board)
    if not isinstance(puzzle, Iterable):
        raise GridError(f"{type(puzzle).__name__} {str(puzzle)[:40]}", "a text or digits")
    if board is not None and not board.has_plain_digits:
        return of_grids(bytes(_positions([*_flat(puzzle)], board)), board)
    digits = _digits(puzzle)
    size = isqrt(len(digits))
    board = board or (Board.of_size(size) if size > MAX_SIZE else board_for(len(digits)))
    if board is None:
        raise GridError(counted(len(digits), "cell"), _expected_count(None))
    return Grid(packed(digits, board), board)


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    """The values of a flat or nested sequence; None for nan."""
    for value in values:
        if isinstance(value, Iterable) and not isinstance(value, str):
            yield from _flat(value)
        else:
            yield None if isinstance(value, float) and value != value else value


def _positions(values: list[Any], board: Board) -> Iterator[int]:
    """The positions of the digits of each cell, of the rectangle around all, or of layers too."""
    rows, columns = board.extent
    if len(values) == rows * columns != board.grid_cells:
        values = [values[columns * row + column] for row, column in board.places]
    if len(values) not in (board.grid_cells, board.cells):
        raise GridError(counted(len(values), "cell"), _expected_count(board))
    for value, digits in zip(values, board.domains(tuple(range(len(values)))), strict=True):
        places = _places_of(digits)
        if isinstance(value, str) or value not in places:
            raise GridError(ascii(value), f"a digit {written(digits)}, None if empty")
        yield places[value]


def of_numbers(
    values: list[int] | GridError, board: Board | None, line: int, source: str | None
) -> Grid | GridError:
    """The grid of the numbers of a large board, the usual one of its size unless given."""
    if isinstance(values, GridError):
        return values
    board = board or Board.of_size(isqrt(len(values)))
    if len(values) == board.cells:
        return Grid(packed(values, board), board)
    size = isqrt(len(values))
    found, expected = f"a puzzle of {size}x{size}", f"one of {board.size}x{board.size}"
    return GridError(found, expected, line=line, source=source)


def packed(digits: Iterable[int], board: Board) -> bytes:
    """The digits as the cells of a grid."""
    return array("H", digits).tobytes() if board.width == LARGEST else bytes(digits)


def _digits(values: Iterable[Any]) -> list[int]:
    """The digits of a flat or nested sequence, such as an array of 9 rows."""
    flat: list[int] = []
    for value in values:
        if isinstance(value, str):
            raise GridError(ascii(value), "a number, or the whole grid as one text")
        if isinstance(value, Iterable):
            flat += _digits(value)
        elif int(value) == value:
            flat.append(int(value))
        else:
            raise GridError(str(value), "a digit, 0 for an empty cell")
    most = min(LARGEST, max(NO_VALUE - 1, isqrt(len(flat))))
    if any(not 0 <= value <= most for value in flat):
        raise GridError("a value outside 0..25", "digits, 0 for an empty cell")
    return flat


def format_line(grid: Grid) -> str:
    """One character per cell: `.` for an empty cell, letters from A for digits beyond 9. Of boards
    with other digits, or beyond 25x25, the numbers, separated by blanks; 0 for an empty cell if it
    is no digit."""
    if grid.board.is_large:
        return " ".join(map(str, grid))
    line = notation_of(grid.board.digits).line
    if line:
        return grid.cells[: grid.board.grid_cells].translate(line).decode("ascii")
    known = grid.values[: grid.board.grid_cells]
    return " ".join("." if value is None else str(value) for value in known)


def format_pretty(grid: Grid) -> str:
    """One line per row, with rulings between boxes; where there are only regions, none."""
    board, (rows, columns) = grid.board, grid.board.extent
    symbols = notation_of(board.digits).words
    width = max(map(len, symbols))
    span, height = (
        (board.box_columns, board.box_rows)
        if board.has_boxes and board.regions is None
        else (columns, rows)
    )
    lines = []
    for row in range(rows):
        cells = [board.cell_at.get((row, column)) for column in range(columns)]
        words = [" " * width if c is None else symbols[grid[c]].rjust(width) for c in cells]
        boxes = [" ".join(words[i : i + span]) for i in range(0, columns, span)]
        if row and row % height == 0:
            lines.append("-+-".join("-" * len(box) for box in boxes))
        lines.append(" | ".join(boxes))
    return "\n".join(lines)


def format_json(grid: Grid) -> str:
    """A JSON object with the size, the rows as lists of numbers (0 for empty), and the line.

    Of a board that is not square, or of other digits than 1 to n: rows, columns and digits in place
    of the size, and null for an empty cell and where there is none.
    """
    board, line = grid.board, format_line(grid)
    if board.is_usual:
        return json.dumps({"size": board.size, "grid": _in_rows([*grid], board), "line": line})
    rows, columns = board.extent
    shape = {"rows": rows, "columns": columns, "digits": board.digits}
    more = {"layers": layer_values(grid)} if board.layers else {}
    return json.dumps({**shape, "grid": _in_rows(grid.values, board), "line": line, **more})


def layer_values(grid: Grid) -> dict[str, object]:
    """The values of each layer, by its name."""
    return {name: _of_layer(grid, name, count) for name, _, count in grid.board.layers}


def _of_layer(grid: Grid, name: str, count: int) -> object:
    """The values of a layer: row by row, or of its variables one after the other."""
    board, first = grid.board, grid.board.first_of[name]
    known = grid.values[first : first + (count or board.grid_cells)]
    return list(known) if count else _in_rows(known, board)


def _in_rows(values: Sequence[int | None], board: Board) -> list[list[int | None]]:
    rows, columns = map(range, board.extent)
    at = board.cell_at
    return [[values[at[r, c]] if (r, c) in at else None for c in columns] for r in rows]


def format_csv(grid: Grid) -> str:
    """The row-major digits between commas; 0 for an empty cell, nothing where 0 is a digit."""
    empty, known = "" if grid.board.digits[0] <= 0 else "0", grid.values[: grid.board.grid_cells]
    return ",".join(empty if value is None else str(value) for value in known)


FORMATS = {
    "line": format_line,
    "pretty": format_pretty,
    "json": format_json,
    "csv": format_csv,
}


@cache
def empty_grid(board: Board) -> Grid:
    """The grid of a board without givens."""
    return Grid(packed([0] * board.cells, board), board)
