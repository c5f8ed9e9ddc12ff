"""Puzzles as JSON of our own: the format `satdoku-puzzle` (docs/PUZZLE_JSON.md).

Invariant: an object is read as exactly the puzzle that it states, or refused with the place of what
is wrong; every puzzle with its rules can be written, and reads back as the same one.

    {"format": "satdoku-puzzle", "version": 1, "puzzle": "1...............", "boxes": "2x2",
     "rules": "king", "clues": ["thermo:r1c1,r2c1"]}

The keys are those of JSON lines (`columns.ROLES`). Beside them stand the boxes and the candidates,
which lines cannot state, what an author says (title, author, words), and drawings (`looks`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..model.board import Board, written
from ..model.constraints import RulesLike, board_words, constraints_for, tells_board
from ..model.grid import Grid, GridError, GridLike, as_grid
from ..model.puzzle import Digits, Puzzle, whole
from ..runtime.errors import LONGEST_NAME, SatdokuError, counted, no_such
from .foreign import OWN_FORMAT, ForeignError, checked, json_of, json_type, parser, reconciled
from .looks import read_looks, written_looks
from .notation import read_value

VERSION = 2  # of a puzzle on another board than a square with digits 1-n; of any other, 1
_TEXT, _LIST, _NUMBER = "a text", "a list", "a number"
# Every key, with what it may hold; null is as good as no key.
KEYS: dict[str, tuple[str, ...]] = {
    "format": (_TEXT,),
    "version": (_NUMBER,),
    "id": (_TEXT, _NUMBER),
    "title": (_TEXT,),
    "author": (_TEXT,),
    "words": (_TEXT,),
    "looks": (_LIST,),
    "puzzle": (_TEXT, _LIST),
    "boxes": (_TEXT,),
    "rules": (_TEXT,),
    "clues": (_LIST, _TEXT),
    "candidates": (_LIST,),
    "solution": (_TEXT, _LIST),
}
_NEEDED = ("format", "version", "puzzle")

Object = dict[str, Any]


@parser
def parse_puzzle_json(
    text: str, rules: RulesLike | None = None, board: Board | None = None
) -> Puzzle:
    """Read a `satdoku-puzzle`; errors stand at the key whose value is wrong."""
    return _puzzle(*_object(text), text, rules, board)


def puzzle_of(value: Object) -> Puzzle:
    """`parse_puzzle_json` of an object that is loaded already; its errors tell the key alone."""
    return _puzzle(value, list(value), "", None, None)


def format_puzzle_json(
    puzzle: GridLike | Puzzle,
    rules: RulesLike | None = None,
    *,
    candidates: Sequence[Iterable[int]] | None = None,
    solution: GridLike | None = None,
    id: str = "",
    title: str = "",
    author: str = "",
) -> str:
    """The puzzle as a `satdoku-puzzle`, on one line; what is not stated has no key.

    candidates: the digits that each cell may hold, as positions (from 1) among those of the board,
    or of its layer; a solution must keep to them. A `Puzzle` states all that it has, also its text
    of the rules and its drawings; what is given beside it takes the place of its own.
    """
    full = whole(puzzle, rules)
    grid, constraints, answer = full.grid, full.constraints, full.answer
    board, marks = constraints.board, full.marks if candidates is None else candidates
    answer = answer if solution is None else as_grid(solution, board)
    is_told = board.is_usual and board.has_boxes and board.regions is None
    boxes, words = (board.box_shape, ()) if is_told else ("", board_words(board))
    names = (*constraints.names, *(word for word in words if ":" not in word))
    domains = board.domains(tuple(range(board.cells)))
    stated_rules = [",".join(filter(None, names)) or "classic", *(w for w in words if ":" in w)]
    stated = {
        "format": OWN_FORMAT,
        "version": 1 if board.is_usual else VERSION,
        "id": id or full.id,
        "title": title or full.title,
        "author": author or full.author,
        "words": full.words,
        "puzzle": str(grid),
        "boxes": boxes,
        "rules": ";".join(stated_rules),
        "clues": list(constraints.clue_texts),
        "candidates": [
            [digits[place - 1] for place in sorted(places)]
            for places, digits in zip(marks or (), domains, strict=False)
        ],
        "solution": "" if answer is None else str(answer),
        "looks": written_looks(full.looks),
    }
    return json.dumps({key: value for key, value in stated.items() if value})


def _puzzle(
    value: Object, keys: Sequence[str], text: str, rules: RulesLike | None, board: Board | None
) -> Puzzle:
    value = _checked(value, keys, text)
    with _at("boxes", text):
        stated = _boxes(value.get("boxes"))
    with _at("puzzle", text):
        here = stated or (None if tells_board(value.get("rules", "")) else _grid(value).board)
    with _at("rules", text):
        plain = constraints_for(value.get("rules") or "classic", here)
    with _at("clues", text):
        own = constraints_for(";".join([plain.name, *_clues(value)]), plain.board)
    with _at("boxes", text):
        if stated and stated != own.board:
            found = "a region map" if own.board.regions else own.board.in_words
            raise SatdokuError(f"found boxes beside {found}, expected one of them")
    checked(own.board, board)
    constraints = reconciled(own, rules)
    with _at("puzzle", text):
        grid = _grid(value, constraints.board)
    with _at("candidates", text):
        stated_digits = value.get("candidates")
        candidates = None if stated_digits is None else _candidates(stated_digits, grid.board)
    with _at("solution", text):
        solution = _grid(value, grid.board, "solution") if "solution" in value else None
    with _at("looks", text):
        looks = read_looks(value.get("looks", []))
    name, title, author, words = (
        str(value.get(key, "")) for key in ("id", "title", "author", "words")
    )
    return Puzzle(grid, constraints, candidates, solution, name, title, author, words, looks=looks)


def _object(text: str) -> tuple[Object, list[str]]:
    """The object, and its keys as often as they are stated."""
    if not text.lstrip().startswith("{"):  # `load` reads links too
        raise ForeignError("found no '{', expected a JSON object")
    return json_of(text), [key for key, _ in json.loads(text, object_pairs_hook=list)]


def _checked(stated: Object, keys: Sequence[str], text: str) -> Object:
    """The object, with known keys only, each of which holds what it may."""
    value = {key: what for key, what in stated.items() if what is not None}
    for key in ("format", "version"):
        with _at(key, text):
            _check_head(value, key)
    for key in keys:
        if key not in KEYS:
            raise _wrong(no_such("key", key, KEYS), key, text)
        with _at(key, text):
            if keys.count(key) > 1:
                raise SatdokuError("stated twice, expected each key once")
            _check_type(value, key)
    if "puzzle" not in value:
        raise ForeignError(f"no key 'puzzle', expected {', '.join(_NEEDED)}")
    return value


def _check_head(value: Object, key: str) -> None:
    wanted = {"format": (OWN_FORMAT,), "version": (1, VERSION)}[key]
    expected = " or ".join(map(str, wanted))
    if key not in value:
        raise SatdokuError(f"not stated, expected {expected}")
    _check_type(value, key)
    if value[key] not in wanted:
        raise SatdokuError(f"found {str(value[key])[:LONGEST_NAME]}, expected {expected}")


def _check_type(value: Object, key: str) -> None:
    what = value.get(key)
    if what is not None and json_type(what) not in KEYS[key]:
        raise SatdokuError(f"found {json_type(what)}, expected {' or '.join(KEYS[key])}")


@contextmanager
def _at(key: str, text: str) -> Iterator[None]:
    """Add the key and its place in the text to errors."""
    try:
        yield
    except SatdokuError as error:
        raise _wrong(f"{key}: {error}", key, text) from None


def _wrong(problem: str, key: str, text: str) -> ForeignError:
    """The error at a key; one that is written with escapes has no column."""
    found = re.search(rf"{re.escape(json.dumps(key))}\s*:", text)
    start = found.start() if found else 0
    line, column = 1 + text.count("\n", 0, start), start - text.rfind("\n", 0, start)
    return ForeignError(problem, line=line, column=column if found else 0)


# Values -------------------------------------------------------------------------------------------


def _boxes(text: str | None) -> Board | None:
    """The board of boxes; None where the puzzle or a region map tells it."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,2})x(\d{1,2})", text)
    if match is None:
        found = ascii(text[:LONGEST_NAME])
        raise SatdokuError(f"found {found}, expected rows and columns of a box, such as 3x3")
    rows, columns = map(int, match.groups())
    return Board(rows * columns, rows, columns)


def _grid(value: Object, board: Board | None = None, key: str = "puzzle") -> Grid:
    """The grid under a key; an error tells the place in its own text."""
    found = read_value(value[key], board)
    if isinstance(found, GridError):
        place = f"line {found.line}, column {found.column} of it"
        raise SatdokuError(f"found {found.found}, expected {found.expected} ({place})")
    return found


def _clues(value: Object) -> list[str]:
    """The texts of clues, of one or of a list of them."""
    stated = value.get("clues", [])
    clues: list[str] = [stated] if isinstance(stated, str) else stated
    for clue in clues:
        if not isinstance(clue, str):
            raise SatdokuError(f"found {json_type(clue)} among them, expected texts")
    return clues


def _candidates(cells: list[Any], board: Board) -> Digits:
    """The digits that each cell may hold, in lists."""
    if len(cells) != board.cells:
        raise SatdokuError(f"found {counted(len(cells), 'cell')}, expected {board.cells}")
    domains = board.domains(tuple(range(board.cells)))
    for cell, (digits, every) in enumerate(zip(cells, domains, strict=True)):
        good = isinstance(digits, list) and all(type(d) is int and d in every for d in digits)
        if not good:
            expected = f"expected a list of digits {written(every)}"
            raise SatdokuError(
                f"{board.name_of(cell)} has {str(digits)[:LONGEST_NAME]}, {expected}"
            )
    return tuple(
        frozenset(every.index(digit) + 1 for digit in digits)
        for digits, every in zip(cells, domains, strict=True)
    )
