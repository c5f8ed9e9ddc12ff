"""Collections that tests write in every format, and the expected result of reading them."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from random import Random
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from satdoku import ReadOptions
from satdoku.files.collection import read_chunks


def zst(data: bytes) -> bytes:
    """Uses the standard library from Python 3.14 on, and its backport before that."""
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    packed: bytes = import_module(name).compress(data)
    return packed


PACK: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": lambda data: gzip.compress(data, 1),
    "xz": lambda data: lzma.compress(data, preset=0),
    "bz2": lambda data: bz2.compress(data, 1),
    "zst": zst,
}


class Row(NamedTuple):
    """One row of a collection, grids and pencil marks as text; a missing field is empty."""

    cells: str
    answer: str = ""
    id: str = ""
    rules: str = ""


class Read(NamedTuple):
    """One row as read: its line, and the row or its error."""

    line: int
    row: Row | str


def reading_of(options: dict[str, Any]) -> dict[str, Any]:
    """Arguments of the readers: `ReadOptions`, and what is none of them."""
    names = [name for name in ("format", "columns", "ignore_ruleset") if name in options]
    reading = ReadOptions(**{name: options.pop(name) for name in names})
    return {**options, "reading": reading}


def read(path: Any, *, allow_bad_answers: bool = False, **options: Any) -> list[Read]:
    """All rows of a collection; a missing answer equals an empty one."""
    found = []
    for chunk in read_chunks(str(path), **reading_of(options)):
        count = len(chunk.lines)
        assert chunk.puzzles.shape[0] == count and chunk.puzzles.dtype in (np.uint8, np.bool_)
        assert {type(x) for x in (chunk.ids, chunk.rules)} <= {list, type(None)}
        assert all(0 <= index < count for index in chunk.errors)
        for index, line in enumerate(chunk.lines.tolist()):
            if index in chunk.errors:
                assert not chunk.puzzles[index].any()
                found.append(Read(line, str(chunk.errors[index])))
                continue
            answer = ""
            if chunk.answers is not None and chunk.answers.stated[index]:
                assert allow_bad_answers or index not in chunk.answers.errors
                answer = text(chunk.answers.cells[index].tolist())
            name = chunk.ids[index] if chunk.ids is not None else ""
            rules = chunk.rules[index] if chunk.rules is not None else ""
            marked = chunk.puzzles.dtype == np.bool_
            cells = (marks_text if marked else text)(chunk.puzzles[index].tolist())
            found.append(Read(line, Row(cells, answer, name, rules)))
    return found


def good(found: Iterable[Read]) -> list[tuple[int, Row]]:
    return [(line, row) for line, row in found if isinstance(row, Row)]


def text(cells: Iterable[int]) -> str:
    return "".join(map(".123456789ABCDEFGHIJKLMNOP".__getitem__, cells))


def marks_text(marks: Iterable[bool]) -> str:
    return text(mark * (i % 9 + 1) for i, mark in enumerate(marks))


def numbers(cells: str) -> list[int]:
    return list(map(".123456789ABCDEFGHIJKLMNOP".index, cells))


# What a row may hold -----------------------------------------------------------------------------


def _drawn(symbols: str, count: int) -> Any:
    """Texts of `count` symbols from a seed, so that hypothesis need not draw every cell."""
    return st.integers(0, 999).map(lambda seed: "".join(Random(seed).choices(symbols, k=count)))


CELLS = st.just("." * 81) | _drawn(".123456789", 81)
FULL = _drawn("123456789", 81)
MARKS = _drawn("01", 729).map(lambda bits: marks_text(map(int, bits)))
RULES = st.sampled_from(["", "classic", "knight", "knight,king", "miracle"])
# Blanks at the ends are stripped; an id may begin with #, like a comment.
NAMES = st.text(
    st.characters(exclude_categories=("C", "Z")) | st.sampled_from('#,;" \t|'), max_size=9
)
IDS = NAMES.map(lambda text: " ".join(text.split()))
WORDS = st.text("0123456789abcdef", min_size=1, max_size=12)


def rows(**fields: Any) -> Any:
    """Lists of rows in which these fields are stated."""
    some = st.fixed_dictionaries({"cells": CELLS, **fields}).map(lambda values: Row(**values))
    return st.lists(some, min_size=1, max_size=6)


# Formats: rows to bytes --------------------------------------------------------------------------


def lines(some: list[Row], blank: str = ".", end: str = "\n") -> bytes:
    return end.join(row.cells.replace(".", blank) for row in some).encode()


def gsf(some: list[Row]) -> bytes:
    head = "#!sudoku -c5,sym,num,clues,min,puz\n"
    return (head + "".join(f"A,{i},17,y,{r.cells}\n" for i, r in enumerate(some))).encode()


def sdk(some: list[Row]) -> bytes:
    parts = []
    for row in some:
        grid = "\n".join(row.cells[i : i + 9] for i in range(0, 81, 9))
        parts.append(f"#ASomeone\n#DHard\n[Puzzle]\n{grid}\n[State]\n" + "123456789\n" * 9)
    return "".join(parts).encode()


def records(some: list[Row]) -> bytes:
    return "".join(f"{r.id} {r.cells} {i / 2}\n" for i, r in enumerate(some)).encode()


def table(
    some: list[Row], header: str, *, quoting: Any = csv.QUOTE_MINIMAL, delimiter: str = ","
) -> bytes:
    """A CSV with the columns of a header; unknown columns hold some text."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=quoting, delimiter=delimiter, lineterminator="\n")
    names = header.split(",")
    writer.writerow(names)
    for row in some:
        values = {"puzzle": row.cells.replace(".", "0"), "answer": row.answer}
        values |= {"id": row.id, "rules": row.rules, "clues": str(81 - row.cells.count("."))}
        roles = [_ROLE_OF.get(name.lower(), "") for name in names]
        writer.writerow([values.get(role, "for,um") for role in roles])
    return stream.getvalue().encode()


_ROLE_OF = {
    "clues": "clues",
    **dict.fromkeys(("puzzle", "quizzes", "question"), "puzzle"),
    **dict.fromkeys(("solution", "solutions", "answer"), "answer"),
    "id": "id",
    "rules": "rules",
}


def objects(some: list[Row], shape: str) -> bytes:
    """JSON lines; puzzles as text, as a list or as rows."""
    made = []
    for row in some:
        item: dict[str, Any] = {"puzzle": shaped(row.cells, shape)}
        item |= {"id": row.id} if row.id else {}
        item |= {"solution": shaped(row.answer, shape)} if row.answer else {"solution": None}
        made.append(json.dumps(item | {"rules": row.rules, "x": 1}) + "\n")
    return "".join(made).encode()


def shaped(cells: str, shape: str) -> Any:
    """A grid as text, as a list or as a list of rows."""
    if shape == "text":
        return cells
    digits, size = numbers(cells), round(len(cells) ** 0.5)
    return digits if shape == "flat" else [digits[i : i + size] for i in range(0, size**2, size)]


def array(some: list[Row], dtype: Any = np.uint8) -> Any:
    """The puzzles (N, cells), or marks (N, variables) if the type is bool."""
    return np.array([numbers(row.cells) for row in some]).astype(dtype)


def npy(values: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, values, allow_pickle=False)
    return stream.getvalue()


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def arrow_table(some: list[Row], shape: str) -> Any:
    """A pyarrow table; puzzles as strings, lists or lists of a fixed size, answers perhaps null."""
    import pyarrow

    kinds = {
        "text": pyarrow.string(),
        "flat": pyarrow.list_(pyarrow.int8()),
        "fixed": pyarrow.list_(pyarrow.int64(), 81),
        "rows": pyarrow.list_(pyarrow.list_(pyarrow.uint8())),
        "category": pyarrow.string(),
    }
    form = {"fixed": "flat", "category": "text"}.get(shape, shape)
    puzzles = pyarrow.array([shaped(r.cells, form) for r in some], kinds[shape])
    answers = [shaped(r.answer, form) if r.answer else None for r in some]
    if shape == "category":
        puzzles = puzzles.dictionary_encode()
    return pyarrow.table(
        {
            "uid": pyarrow.array([row.id for row in some]),
            "question": puzzles,
            "answer": pyarrow.array(answers, kinds[shape]),
            "ruleset": pyarrow.array([row.rules or None for row in some], pyarrow.string()),
        }
    )


def parquet(some: list[Row], shape: str) -> bytes:
    import pyarrow.parquet

    stream = io.BytesIO()
    pyarrow.parquet.write_table(arrow_table(some, shape), stream, row_group_size=2)
    return stream.getvalue()


def arrow(some: list[Row], shape: str, *, stream: bool = False) -> bytes:
    import pyarrow.ipc

    data = arrow_table(some, shape)
    buffer = io.BytesIO()
    make = pyarrow.ipc.new_stream if stream else pyarrow.ipc.new_file
    with make(buffer, data.schema) as writer:
        writer.write_table(data, max_chunksize=2)
    return buffer.getvalue()
