"""Recipes of data sets: which puzzles, how many, under which columns, in which parts.

Invariant: a recipe says everything that the rows depend on, so that equal recipes make equal rows.
What it does not know it refuses, with the line where that stands.

    name = "Killers"
    rows = 1000
    seed = 1
    [split]                       # relative sizes
    train = 9
    test = 1
    [[part]]                      # one or more
    name = "killer"
    share = 1                     # or rows
    clues = ["cage"]
    clue_count = [6, 12]

An object in JSON says the same, with a list of parts under `part`.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..files.outputs import TABLE_FORMS
from ..files.streams import read_text
from ..generator import GenerateOptions, Wish
from ..model.board import Board
from ..model.constraints import constraints_for
from ..runtime.errors import SatdokuError, nearest

RATING = ("er", "ep", "ed", "technique")
COLUMNS = (
    "puzzle", "solution", "rules", "clues", "givens", *RATING, "proof", "trace", "question", "part",
)  # fmt: skip
USUAL = ("puzzle", "solution", "rules", "clues", "givens", "part")
SHARD = 10_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60}")  # which names a file


class RecipeError(SatdokuError):
    """A recipe that cannot be read, or that asks for what there is not."""


class Part(NamedTuple):
    """So many puzzles of one sort."""

    name: str
    rows: int
    options: GenerateOptions


@dataclass(frozen=True)
class Recipe:
    """name, licence: for the data card. seed: of all puzzles and of the split. columns: of each
    row, some of `COLUMNS`. split: the relative size of each split, by name. shard: rows that are
    made before they are written. form: of the files, one of csv, jsonl and parquet. text: the
    recipe as it was read."""

    name: str
    licence: str
    seed: int
    columns: tuple[str, ...]
    split: Mapping[str, float]
    shard: int
    form: str
    parts: tuple[Part, ...]
    text: str

    @property
    def rows(self) -> int:
        """Of all parts."""
        return sum(part.rows for part in self.parts)


def read_recipe(path: str) -> Recipe:
    """The recipe in a file; raises `FileError` and `RecipeError`."""
    return parse_recipe(read_text(path), path)


def parse_recipe(text: str, source: str = "recipe.toml") -> Recipe:
    """The recipe that a text holds: JSON if it begins with a brace, else TOML."""
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except ValueError as error:  # which names line and column
        raise RecipeError(f"{source}: {error}") from None
    return _Reader(text, source).recipe(data)


# How a value is read: what is kept, or None for what is not known.
def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _whole(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _counting(value: Any) -> int | None:
    return _whole(value) or None


def _positive(value: Any) -> float | None:
    return float(value) if type(value) in (int, float) and 0 < value < float("inf") else None


def _range(value: Any) -> tuple[Any, Any] | None:
    """`[2, 5]`, or `4` for exactly that."""
    low, high = value if isinstance(value, list) and len(value) == 2 else (value, value)
    known = type(low) in (int, float) and type(high) in (int, float)
    return (low, high) if known else None


def _whole_range(value: Any) -> tuple[int, int] | None:
    found = _range(value)
    return found if found and {*map(type, found)} == {int} else None


def _words(value: Any) -> tuple[str, ...] | None:
    known = isinstance(value, list) and all(isinstance(word, str) for word in value)
    return tuple(value) if known else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


_RANGE = "two numbers such as [2, 4], or one"
_WISHES = {  # the fields of `Wish`
    "givens": (_whole_range, _RANGE),
    "minimal": (_flag, "true or false"),
    "symmetry": (_text, "a text"),
    "pattern": (_text, "a text"),
    "tries": (_counting, "a number from 1 on"),
    "er": (_range, _RANGE),
    "technique": (_text, "a text"),
    "clues": (_words, "a list of kinds"),
    "clue_size": (_whole_range, _RANGE),
    "clue_count": (_whole_range, _RANGE),
}
_PART = {
    "name": (_text, "a text"),
    "rows": (_counting, "a number from 1 on"),
    "share": (_positive, "a number above 0"),
    "rules": (_text, "rules as a text"),
    "size": (_counting, "a number from 1 on"),
    **_WISHES,
}
_TOP = {
    "name": (_text, "a text"),
    "licence": (_text, "a text"),
    "rows": (_counting, "a number from 1 on"),
    "seed": (_whole, "a number from 0 on"),
    "columns": (_words, "a list of columns"),
    "split": (lambda value: value if isinstance(value, dict) else None, "a table of sizes"),
    "shard": (_counting, "a number from 1 on"),
    "format": (_text, "a text"),
    "part": (lambda value: value if isinstance(value, list) else None, "a list of tables"),
}


class _Reader:
    """Reads one recipe; an error names the file, and the line where the key stands."""

    def __init__(self, text: str, source: str) -> None:
        self._lines, self._text, self._source = text.splitlines(), text, source

    def recipe(self, data: Mapping[str, Any]) -> Recipe:
        top = self._values(data, _TOP, 0)
        seed, tables = top.get("seed", 0), top.get("part", [])
        if not tables:
            raise self._error("expected one [[part]] or more")
        named = [self._part(table, number) for number, table in enumerate(tables, 1)]
        parts, rows = [], self._rows(top, named)
        names = [values["name"] for values in named]
        for number, values in enumerate(named, 1):
            name = values["name"]
            if names.count(name) > 1:
                raise self._error(f"two parts are named {name}", number, "name")
            parts.append(Part(name, rows[number - 1], self._options(values, seed, number)))
        return Recipe(
            top.get("name", "Sudoku"),
            top.get("licence", "not stated"),
            seed,
            self._columns(top),
            self._split(top.get("split", {"train": 1.0})),
            top.get("shard", SHARD),
            self._form(top),
            tuple(parts),
            self._text,
        )

    def _values(
        self, data: Mapping[str, Any], known: Mapping[str, tuple[Any, str]], part: int
    ) -> dict[str, Any]:
        """What the keys hold, each as it is read."""
        values = {}
        for key, value in data.items():
            if key not in known:
                hint = nearest(key, known) or f"expected {', '.join(known)}"
                raise self._error(f"no key '{key}': {hint}", part, key)
            read, expected = known[key]
            values[key] = read(value)
            if values[key] is None:
                raise self._error(f"{key}: expected {expected}, found {value!r:.40}", part, key)
        return values

    def _part(self, table: Any, number: int) -> dict[str, Any]:
        if not isinstance(table, dict):
            raise self._error("expected a table", number)
        values = self._values(table, _PART, number)
        values.setdefault("name", f"part{number}")
        self._check_name(values["name"], number, "name")
        if "rows" in values and "share" in values:
            raise self._error("expected either rows or share", number, "name")
        return values if "rows" in values else {"share": 1, **values}

    def _rows(self, top: Mapping[str, Any], parts: list[dict[str, Any]]) -> list[int]:
        """The rows of each part: those stated, and shares of the others, which are rounded so that
        they add up."""
        stated = sum(values.get("rows", 0) for values in parts)
        shares = sum(values.get("share", 0) for values in parts)
        total = top.get("rows", stated)
        if shares and "rows" not in top:
            raise self._error("shares are parts of rows: expected rows = N above the parts")
        left = total - stated
        if left < 0 or (left > 0 and not shares):
            raise self._error(f"the parts have {stated:,} rows, not {total:,}", 0, "rows")
        rows, done, begun = [], 0, 0.0
        for values in parts:
            begun += values.get("share", 0)
            end = round(left * begun / shares) if shares else 0
            rows.append(values.get("rows", end - done))
            done = end
        return rows

    def _options(self, values: Mapping[str, Any], seed: int, number: int) -> GenerateOptions:
        """What the generator is asked for; the seed is that of the name of the part."""
        digest = hashlib.sha256(f"{seed} {values['name']}".encode()).digest()
        wishes = {key: values[key] for key in _WISHES if key in values}
        try:
            size = values.get("size")
            board = None if size is None else Board.of_size(size)
            constraints = constraints_for(values.get("rules", "classic"), board)
            return GenerateOptions(constraints, int.from_bytes(digest[:4]), Wish(**wishes))
        except SatdokuError as error:
            raise self._error(str(error), number, *_key_of(error, values)) from None

    def _columns(self, top: Mapping[str, Any]) -> tuple[str, ...]:
        columns: list[str] = []
        for name in top.get("columns", USUAL):
            if name not in (*COLUMNS, "rating"):
                hint = nearest(name, COLUMNS) or f"expected {', '.join((*COLUMNS, 'rating'))}"
                raise self._error(f"no column '{name}': {hint}", 0, "columns")
            columns += RATING if name == "rating" else [name]
        if "puzzle" not in columns:
            raise self._error("columns without a puzzle", 0, "columns")
        return tuple(dict.fromkeys(columns))

    def _split(self, sizes: Mapping[str, Any]) -> dict[str, float]:
        for name, size in sizes.items():
            self._check_name(name, 0, name)
            if _positive(size) is None:
                raise self._error(f"{name}: expected a number above 0, found {size!r:.40}", 0, name)
        if not sizes:
            raise self._error("split: expected a size or more, such as train = 9", 0, "split")
        return {name: float(size) for name, size in sizes.items()}

    def _form(self, top: Mapping[str, Any]) -> str:
        forms = [form for form in TABLE_FORMS if form in ("csv", "jsonl", "parquet")]
        form = str(top.get("format", "jsonl"))
        if form not in forms:
            raise self._error(f"format '{form}': expected {', '.join(forms)}", 0, "format")
        return form

    def _check_name(self, name: str, part: int, key: str) -> None:
        if not _NAME.fullmatch(name):
            expected = "expected letters, digits, '_', '.' and '-', as files are named by it"
            raise self._error(f"{name}: {expected}", part, key)

    def _error(self, why: str, part: int = 0, key: str = "") -> RecipeError:
        line = self._line_of(part, key)
        place = f"{self._source}: line {line}" if line else self._source
        return RecipeError(f"{place}: {f'part {part}: ' if part else ''}{why}")

    def _line_of(self, part: int, key: str) -> int:
        """Where a key stands in the text, or else its part; 0 if that is not known."""
        at, begin = 0, 0
        for number, line in enumerate(self._lines, 1):
            if re.match(r"\s*\[\[\s*part\s*\]\]", line):
                at += 1
                begin = number if at == part else begin
            if key and at == part and re.match(rf'\s*(\[\s*)?"?{re.escape(key)}"?\s*[=\]]', line):
                return number
        return begin


def _key_of(error: SatdokuError, values: Mapping[str, Any]) -> tuple[str, ...]:
    """The key that an error speaks of, if it begins with its name."""
    word = str(error).partition(" ")[0].strip(":")
    return (word,) if word in values else ()
