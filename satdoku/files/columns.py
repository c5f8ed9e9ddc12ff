"""Which column holds what: puzzle, answer, id, rules, clues.

Invariant: a column is recognised by its name, in any order; unknown names are ignored. This one
table serves the headers of CSV files, the keys of JSON objects, the columns of Parquet files and
the arrays of .npz files.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..runtime.errors import SatdokuError, shown

# For each role its usual names in public datasets; the first that is there is taken.
ROLES: dict[str, tuple[str, ...]] = {
    "puzzle": (
        *("puzzle", "puzzles", "quiz", "quizzes", "question", "questions", "sudoku", "sudokus"),
        *("unsolved", "problem", "problems", "grid", "puz", "givens", "initial_board", "inputs"),
    ),
    "answer": ("solution", "solutions", "answer", "answers", "solved", "sol", "labels"),
    "id": ("id", "puzzle_id", "uid", "key", "hash", "name", "index"),
    "rules": ("rules", "ruleset", "variant", "variants"),
    "clues": ("clues", "clue"),  # many data sets have the number of givens there: `clean_clues`
}
_PLURALS = {
    "puzzle": "puzzles",
    "answer": "answers",
    "id": "ids",
    "rules": "rules",
    "clues": "clues",
}
BEFORE = -1  # as a field's number: all that stands before the puzzle
_HEADER_SEPARATORS = ",;\t|"
_GSF = "#!sudoku"
_LONGEST_HEADER = 1000
_LONGEST_LIST = 300  # characters of an error: a file may have any number of columns
_CELLS = re.compile(r"[0-9.]{9}")  # what no header holds, and any line with a puzzle does


class ColumnError(SatdokuError):
    """A requested column that does not exist."""


class Layout(NamedTuple):
    """Where the fields of a line stand, counted from 0; None where there is no such field.

    separator: what stands between fields; " " is any white space, "" a line that begins with the
    puzzle. names: the header's, none if the file has no header.
    """

    separator: str = ""
    puzzle: int = 0
    answer: int | None = None
    id: int | None = None
    rules: int | None = None
    names: tuple[str, ...] = ()
    clues: int | None = None
    marks: bool = False  # puzzles are pencil marks, one character a candidate
    width: int = 0  # without a header, how many fields the line has that told the layout


def find_columns(names: Iterable[str], asked: Mapping[str, str] | None = None) -> dict[str, int]:
    """The place of each role's column among the names.

    `asked` maps roles to names (or numbers from 1) that a user chose, "" for no column; raises
    `ColumnError` where there is no such column.
    """
    known = [name.strip('"\ufeff \t').lower() for name in names]
    found = {}
    for role, usual in ROLES.items():
        place = next((known.index(name) for name in usual if name in known), None)
        if place is not None:
            found[role] = place
    for role, name in (asked or {}).items():
        if name:
            found[role] = _place_of(name, known)
        else:
            found.pop(role, None)
    return found


def _place_of(name: str, known: Sequence[str]) -> int:
    if name.lower() in known:
        return known.index(name.lower())
    if re.fullmatch("[1-9][0-9]{0,3}", name) and int(name) <= max(len(known), 1):
        return int(name) - 1
    raise ColumnError(f"no column '{name}': there are {listed(known)}")


def in_words(kind: str, roles: Mapping[str, str], notes: Mapping[str, str] | None = None) -> str:
    """How a file is laid out: the name of each role's column, and what is unusual about it."""
    notes, told = notes or {}, []
    for role, what in _PLURALS.items():
        if role in roles:
            note = f" ({notes[role]})" if notes.get(role) else ""
            told.append(f"{what} in {shown(roles[role][:40])}{note}")
    return f"{kind}: {', '.join(told)}" if told else kind


def listed(names: Iterable[str]) -> str:
    """Names of columns for an error, as many as it can repeat."""
    told = ", ".join(names)
    return (told if len(told) <= _LONGEST_LIST else f"{told[:_LONGEST_LIST]}...") or "no names"


def header_layout(text: str, asked: Mapping[str, str] | None = None) -> Layout | None:
    """The layout that a header line states, None if the line is no header.

    A header names a puzzle's column (`quizzes,solutions`), or is that of gsf's sudoku program:
    `#!sudoku -c5,sym,num,clues,min,puz`, the puzzle in field 5, the fields' names behind.
    """
    if text.startswith(_GSF):
        return _gsf_layout(text, asked or {})
    if len(text) > _LONGEST_HEADER or _CELLS.search(text):
        return None
    separator = max(_HEADER_SEPARATORS, key=text.count)
    if text.count(separator) == 0 and not asked:
        return Layout(",", names=(text,)) if "puzzle" in find_columns([text]) else None
    names = tuple(fields_of(text, separator) or ())
    wanted = {role: name for role, name in (asked or {}).items() if not name.isdigit()}
    try:
        places = find_columns(names, wanted)
    except ColumnError:
        return None
    if "puzzle" not in places or any(len(name) > 40 for name in names):
        return None
    places |= find_columns(names, asked)
    return laid_out(separator, names, places)


def laid_out(separator: str, names: Sequence[str], places: Mapping[str, int]) -> Layout:
    """The layout of a line with these fields, the roles in their places."""
    at = places.get
    return Layout(
        separator, places["puzzle"], at("answer"), at("id"), at("rules"), tuple(names), at("clues")
    )


def _gsf_layout(text: str, asked: Mapping[str, str]) -> Layout | None:
    """Option -cN or -cNC, with the fields' names behind, separated by C too."""
    option = re.search(r"\s-c(\d{1,3})([^\w\s]?)(\S*)", text)
    if option is None or int(option[1]) < 1:
        return None
    separator = option[2] or " "
    names = tuple(name for name in option[3].split(separator) if name)
    try:
        places = find_columns(names, asked)
    except ColumnError:
        return None
    if "puzzle" not in asked:
        places["puzzle"] = int(option[1]) - 1
    return laid_out(separator, names, places)


def fields_of(text: str, separator: str) -> list[str] | None:
    """The fields of one line, quotes removed; None where a quote is never closed."""
    if separator == " ":
        return text.split()
    if '"' not in text:
        return text.split(separator)
    rows = _csv_rows([text], separator)
    return rows[0] if rows else None


def fields_of_many(texts: Sequence[str], separator: str) -> list[list[str] | None]:
    """`fields_of` for many lines at once."""
    rows = _csv_rows(texts, separator) if separator != " " else None
    return [*rows] if rows else [fields_of(text, separator) for text in texts]


def _csv_rows(texts: Sequence[str], separator: str) -> list[list[str]] | None:
    """A row a line; None where that fails: a quote that is not closed swallows the line behind.

    Breaks within quoted fields come as `lines.whole_rows` gives them.
    """
    try:
        rows = list(csv.reader([*texts, ""], delimiter=separator))
    except (csv.Error, ValueError):
        return None
    if len(rows) != len(texts) + 1:
        return None
    for row, text in zip(rows, texts, strict=False):
        if "\r" in text:
            row[:] = [field.replace("\r", "\n") for field in row]
    return [row or [""] for row in rows[:-1]]
