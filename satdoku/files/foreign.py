"""The formats in which one text is a whole puzzle with its rules: of other programs, and our JSON.

Invariant: a format is one entry of `FORMATS`: its name, how its texts are recognised, and the
module that reads and writes them. Other code knows no format by its name, and a module is imported
only when it is used.

A module has a `parser`, a writer or both; their common functions stand here.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, wraps
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from ..model.board import MAX_SIZE, Board
from ..model.clue import Clue
from ..model.constraints import Constraints, RulesLike, constraints_for, rules_text
from ..model.grid import BYTE_VALUES, NO_VALUE, GridError
from ..model.kinds import HOUSE
from ..model.puzzle import Puzzle
from ..model.rules import RULES
from ..runtime.errors import SatdokuError, counted, shown
from .notation import load_object

MAX_TEXT = 1 << 20  # characters of a text
_LONGEST = 300  # characters of a message: names come from the text
_JSON_TYPES = {
    dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null",
}  # fmt: skip

Object = dict[str, Any]
Read = Callable[[str, RulesLike | None, Board | None], Puzzle]


class ForeignError(GridError):
    """A text of one of `FORMATS` that cannot be read, or states what is not supported.

    found: a sentence that says what is wrong. `expected` is part of it, and passed over. line: from
    1; column: from 1, or 0 where no single character is wrong, which the message leaves out.
    """

    def __init__(
        self,
        found: str,
        expected: str = "",
        *,
        line: int = 1,
        column: int = 0,
        source: str | None = None,
    ) -> None:
        cut = found if len(found) <= _LONGEST else f"{found[:_LONGEST]}..."
        self.found, self.expected = shown(cut), expected
        self.line, self.column, self.source = line, column, source
        place = f", column {column}" if column else ""
        message = f"{source or 'puzzle'}: line {line}{place}: {self.found}"
        SatdokuError.__init__(self, message)


class UnstatedError(ForeignError):
    """A puzzle with rules in words or drawings that no constraint states."""


class Parser(Protocol):
    """The type of the functions that `parser` returns."""

    def __call__(
        self,
        text: str,
        rules: RulesLike | None = None,
        board: Board | None = None,
        *,
        source: str | None = None,
        line: int = 1,
    ) -> Puzzle: ...


_ASKED = """

    rules: a rule set to use in place of the puzzle's own; it must contain all of the puzzle's.
    board: the board that the puzzle must have. source, line: where the text begins, for errors.
    Raises `ForeignError`, which names what is not supported; `RuleError` or `ClueError` for the
    rules that are asked for.
    """


def parser(read: Read) -> Parser:
    """The parser of a format, from the function that reads its texts: `source` and `line` too."""

    @wraps(read, assigned=("__module__", "__name__", "__qualname__", "__doc__"))
    def parse(
        text: str,
        rules: RulesLike | None = None,
        board: Board | None = None,
        *,
        source: str | None = None,
        line: int = 1,
    ) -> Puzzle:
        try:
            check_length(text)
            return read(text, rules, board)
        except ForeignError as error:
            place = line + error.line - 1
            found, column = error.found, error.column
        raise ForeignError(found, line=place, column=column, source=source)

    parse.__doc__ = (read.__doc__ or "").rstrip() + _ASKED
    del parse.__wrapped__  # whose signature is not that of the parser
    return parse


@contextmanager
def unspaced(text: str) -> Iterator[str]:
    """A text without its blanks and line ends; errors within, whose columns count what is left, get
    the line and the column in the text."""
    at = [i for i, character in enumerate(text) if not character.isspace()]
    try:
        yield "".join(text[i] for i in at)
    except ForeignError as error:
        if not error.column:
            raise
        place = at[min(error.column, len(at)) - 1]
        before = re.split(r"\r\n|\r|\n", text[:place])
        column = len(before[-1]) + 1
        raise ForeignError(error.found, line=len(before), column=column) from None


# What is asked of a puzzle ------------------------------------------------------------------------


def checked(here: Board, asked: Board | None) -> Board:
    """The requested board, which must be the puzzle's own; the puzzle's own without a request."""
    if asked and _shape_of(asked) != _shape_of(here):
        raise ForeignError(f"found {here.in_words}, expected {asked.in_words}")
    return asked or here


def _shape_of(board: Board) -> tuple[object, ...]:
    """What the requested rules may not change: layers and houses left out they may add."""
    grids = board.height, board.width, board.corners, board.holes
    return *grids, board.digits, {*board.boxes}


def reconciled(own: Constraints, rules: RulesLike | None) -> Constraints:
    """A puzzle's own rules, or the requested ones if they contain all of its own."""
    if rules is None:
        return own
    asked = constraints_for(rules, own.board)
    checked(own.board, asked.board)
    said = {*asked.rules, *(text for name in asked.names for text in houses_of(name, asked.board))}
    if missing := [rule for rule in own.rules if rule not in said]:
        listed = ", ".join(missing)
        raise ForeignError(f"the puzzle has the rules {listed}, '{rules_text(rules)}' lacks them")
    return asked


def houses_of(rule: str, board: Board) -> list[str]:
    """The houses of a rule as clues; none if it has none, or the board has no such rule."""
    houses = RULES[rule].houses
    try:
        return [
            Clue(HOUSE, (tuple(sorted(house)),)).text(board)
            for house in (houses(board) if houses else ())
        ]
    except SatdokuError:
        return []


# JSON ---------------------------------------------------------------------------------------------


def json_of(text: str, packed: bool = False) -> Object:
    """A JSON object; packed: whether the text is what a link unpacks to, which nobody has seen."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        what = f"{error.msg[:1].lower()}{error.msg[1:80]}"
        if packed:
            where = f"character {error.pos + 1} of the JSON that it unpacks to"
            raise ForeignError(f"the link holds no puzzle: {what}, at {where}") from None
        problem = f"no JSON object: {what}"
        raise ForeignError(problem, line=error.lineno, column=error.colno) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, a nest of brackets
        raise ForeignError("JSON that is too large or nested too deep") from None
    if not isinstance(value, dict):
        raise ForeignError(f"found {json_type(value)}, expected an object with grid or cells")
    return value


def check_length(text: str) -> None:
    """Raise `ForeignError` for a text of more than `MAX_TEXT` characters."""
    if len(text) > MAX_TEXT:
        raise ForeignError(f"{len(text):,} characters are too many: at most {MAX_TEXT:,} are read")


def json_type(value: object) -> str:
    """The JSON name of a value's type."""
    return _JSON_TYPES.get(type(value), "a number")


# How texts are told -------------------------------------------------------------------------------

# Links, payloads and JSON of f-puzzles and SudokuPad. A JSON text that starts with `{"` has a
# payload that starts with N4Ig, and SudokuPad's payloads have a mark before them.
_PAYLOAD = re.compile(r"(?:N4Ig|scl|ctc)[A-Za-z0-9+/]+=*\Z")
_LINK = re.compile(r"\s*(\{|https?://|fpuz)", re.IGNORECASE)
# Texts of Interactive Sudoku Solver, and links that hold one. A row of a grid has no small letter
# behind a large one. No text is gone through twice, however long it is.
_ISS_TEXT = re.compile(r"\s*+(?:\.\s*+)++(?:[A-Za-z]*+\s*+~|[A-Z][a-z][A-Za-z]*+\s*+(?:\.|\Z))")
_ISS_LINK = re.compile(r"\s*https?://[^#]*[?&]q=(?:\.|%2E)")
# Killer texts of forums: of numbers, of entries, and of marks, as many as a grid of 9x9 has cells.
_KILLER = re.compile(r"\s*+(?:\d{1,2}x\d{1,2}:\w*+:k:|SumoCueV1)", re.ASCII | re.IGNORECASE)
_KILLER_MARKS = re.compile(r"(?=[^<>^v]*+[<>^v])\s*+(?:[0-9A-Za-jv<>^`',.]\s*+){81}\Z")


def is_iss(text: str) -> bool:
    """Whether a text is meant as one of Interactive Sudoku Solver, or as a link that holds one."""
    return is_iss_text(text) or bool(_ISS_LINK.match(text))


def is_iss_text(text: str) -> bool:
    """Whether a text is meant as one of Interactive Sudoku Solver; it may go on in another line."""
    return bool(_ISS_TEXT.match(text))


def goes_on_iss(text: str) -> bool:
    """Whether a line behind such a text belongs to it: an argument, or the dot of nothing."""
    stripped = text.strip()
    return stripped == "." or stripped.startswith("~")


def is_killer(text: str) -> bool:
    """Whether a text is meant as a killer text of forums, on any number of lines."""
    return bool(_KILLER.match(text) or _KILLER_MARKS.match(text))


# How many characters may be a map of regions, with givens or without, or a samurai.
_SQUARES = {size * size for size in range(4, MAX_SIZE + 1)}
_DIGITS = re.compile(r"[0-9.]+\Z")
_DRAWN = _SQUARES | {2 * square for square in _SQUARES} | {369}


def is_drawn(text: str) -> bool:
    """Whether a text draws the board on which it stands: regions, or grids that overlap."""
    if len(text) in _SQUARES and _DIGITS.match(text):
        return False  # a grid, and quickly: collections have millions
    if "~" in text and is_iss_text(text):
        return False
    if len("".join(text.split())) not in _DRAWN and len(text.strip().splitlines()) < 2:
        return False
    drawn = import_module(".drawn", __package__)  # which imports this, as every format does
    return bool(drawn.draws_board(text))


def _is_link(text: str) -> bool:
    """Whether a text is a link, a payload or JSON. A payload is letters, as a large grid may be,
    but has letters that are no digits."""
    stripped = text.strip()
    letters = stripped.rstrip("=").encode("ascii", "replace")
    is_packed = _PAYLOAD.match(stripped) and NO_VALUE in letters.translate(BYTE_VALUES)
    return bool(_LINK.match(text) or is_packed)


def _has_cells(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object is one of f-puzzles or SudokuPad: its cells are rows of objects."""
    grid = value.get("grid", value.get("cells"))
    if not isinstance(grid, list):
        return False
    return any(isinstance(row, list) and any(isinstance(c, dict) for c in row) for row in grid)


# The formats --------------------------------------------------------------------------------------


class Format(NamedTuple):
    """A format of puzzles with their rules.

    says: what its texts are, in words. module: of this folder, with the functions `parse` and
    `format`, empty where there is none. states: the fields of a `Puzzle` that it states beside the
    grid and the rules; where there are any, `format` takes a whole `Puzzle`. suffix: of a file,
    empty for a link.

    starts: whether a text is meant as one, by how it begins. holds: the same of a JSON object;
    roles: which keys of it are those of a row (`columns.ROLES`).
    """

    name: str
    says: str
    module: str
    parse: str = ""
    format: str = ""
    states: frozenset[str] = frozenset()
    suffix: str = ""
    starts: Callable[[str], bool] | None = None
    holds: Callable[[Mapping[str, Any]], bool] | None = None
    roles: Mapping[str, str] = {}

    @property
    def is_row(self) -> bool:
        """Whether its objects are rows of a table: the keys are columns, of which one is the
        puzzle's."""
        return "puzzle" in self.roles

    def read(self, text: str, rules: RulesLike | None = None, board: Board | None = None) -> Puzzle:
        """The puzzle of a text; see `parser`."""
        parse: Parser = getattr(import_module(f".{self.module}", __package__), self.parse)
        return parse(text, rules, board)

    def write(self, puzzle: Puzzle) -> str:
        """The text of a puzzle; raises `RuleError` or `ClueError` for what it cannot state."""
        write = getattr(import_module(f".{self.module}", __package__), self.format)
        text: str = write(puzzle) if self.states else write(puzzle.grid, puzzle.constraints)
        return text

    def left_out(self, puzzle: Puzzle, text: str) -> str:
        """In a sentence, how many of a puzzle's drawings a text of it states not, or not as they
        are; empty if there are none."""
        read = parse_foreign(text).looks if "looks" in self.states and puzzle.looks else ()
        gone = sum((Counter(puzzle.looks) - Counter(read)).values())
        lost = f"{gone} of {counted(len(puzzle.looks), 'drawing')}"
        return f"{self.name} states {lost} not, or not as they are" if gone else ""


OWN_FORMAT = "satdoku-puzzle"  # what our JSON has under `format`
_SAID = frozenset(("title", "author", "words", "looks"))
_ALL = _SAID | {"marks", "answer", "id"}
_FORMATS = (  # from the most general to the most particular one: the last whose text it is reads it
    Format(
        "fpuzzles", "link of f-puzzles", "fpuzzles", "parse_fpuzzles", "format_fpuzzles", _SAID,
        starts=_is_link, holds=_has_cells,
    ),
    Format("sudokupad", "link of SudokuPad", "fpuzzles", "", "format_sudokupad", _SAID),
    Format(
        "iss", "text of Interactive Sudoku Solver", "iss", "parse_iss", "format_iss", suffix=".txt",
        starts=is_iss,
    ),
    Format(
        "json", "JSON that states everything", "puzzle_json", "parse_puzzle_json",
        "format_puzzle_json", _ALL, ".json", roles={"id": "id", "answer": "solution"},
        holds=lambda value: str(value.get("format")).startswith("satdoku"),
    ),
    Format(
        "drawn", "text that draws a jigsaw, or grids that overlap", "drawn", "parse_drawn",
        "format_drawn", suffix=".txt", starts=is_drawn,
    ),
    Format(
        "killer", "killer text", "killer", "parse_killer", "format_killer", suffix=".txt",
        starts=is_killer,
    ),
    Format(
        "pencilmark", "JSON that pencilmark exchanges", "pencilmark", "parse_pencilmark",
        holds=lambda value: value.get("format") == "sudoku-puzzle", roles={"answer": "solution"},
    ),
    Format(
        "sudokubench", "Sudoku-Bench", "sudokubench", "parse_sudokubench",
        holds=lambda value: "initial_board" in value
        and not {"rules", "encoded_puzzle", "visual_elements"}.isdisjoint(value),
        roles={"id": "puzzle_id", "puzzle": "initial_board", "answer": "solution"},
    ),
)  # fmt: skip
FORMATS = {form.name: form for form in _FORMATS}
WRITTEN = {name: form for name, form in FORMATS.items() if form.format}


def is_foreign(text: str) -> bool:
    """Whether a text is meant as one of `FORMATS`, told by how it starts: each JSON text is."""
    return _started(text) is not None


@lru_cache(maxsize=1)  # readers ask several times about one text
def _started(text: str) -> Format | None:
    forms = reversed(FORMATS.values())
    return next((form for form in forms if form.starts and form.starts(text)), None)


def object_format(value: Mapping[str, Any]) -> Format | None:
    """The format that a JSON object has; None for a record whose keys have usual names."""
    forms = reversed(FORMATS.values())
    return next((form for form in forms if form.holds and form.holds(value)), None)


def parse_foreign(text: str, rules: RulesLike | None = None, board: Board | None = None) -> Puzzle:
    """The puzzle of a text that `is_foreign`, with its own rules; see `parser`."""
    form = _started(text)
    if text.lstrip().startswith("{") and isinstance(value := load_object(text), dict):
        form = object_format(value) or form
    return (form or next(iter(FORMATS.values()))).read(text, rules, board)
