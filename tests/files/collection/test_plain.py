"""Plain lists as bytes are what the general reader and writer make of them."""

import io

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.batch.decide import unanswered
from satdoku.batch.options import BatchOptions
from satdoku.batch.results.texts import format_lines
from satdoku.files import collection, streams
from satdoku.files.collection import (
    Chunk,
    Plain,
    plain_cells,
    plain_lines,
    read_chunks,
    read_parts,
)
from satdoku.files.collection.text import lines_alike
from satdoku.files.streams import Source
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import Status

LINES = (PUZZLES / "generated-1000.txt").read_text().splitlines()[3:40]
FOUR = Board.of_size(4)

pytestmark = pytest.mark.skipif(not collection.AVAILABLE, reason="built without a compiler")


def source(text):
    return Source("list.txt", io.BytesIO(text))


@st.composite
def texts(draw):
    """Lines of 16 cells, some with characters of any kind somewhere, or cut, or with CRLF."""
    lines = draw(st.lists(st.text(".01234", min_size=16, max_size=16), min_size=1, max_size=6))
    data = bytearray("\n".join(lines).encode() + b"\n")
    for place, byte in draw(st.lists(st.tuples(st.integers(0, 101), st.integers(0, 255)))):
        data[place % len(data)] = byte
    end = draw(st.sampled_from([len(data)] * 3 + [len(data) - 1, 17, 16]))
    return bytes(data[:end]).replace(b"\n", draw(st.sampled_from([b"\n", b"\n", b"\r\n"])))


@settings(deadline=None, max_examples=share(150))
@given(texts())
def test_c_and_numpy_take_the_same_lines_for_plain(text):
    cells, array = plain_cells(text, FOUR), lines_alike(text, FOUR)
    assert (cells is None) == (array is None)
    if cells is not None:
        assert bytes(cells) == array.tobytes()


def same(one, other):
    """Two chunks hold the same."""
    return (
        one.lines.tolist() == other.lines.tolist()
        and one.puzzles.tolist() == other.puzzles.tolist()
        and {row: str(error) for row, error in one.errors.items()}
        == {row: str(error) for row, error in other.errors.items()}
        and one[3:] == other[3:]
    )


@settings(deadline=None, max_examples=share(50))
@given(st.lists(texts(), min_size=1, max_size=3), st.integers(1, 5), st.sampled_from([20, 40, 999]))
def test_any_text_gives_the_same_chunks_with_and_without_the_extension(some, size, block):
    text = b"".join([b"1" * 16 + b"\n", *some])  # a text without puzzles is refused as a whole
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "BLOCK_BYTES", block)
        found = list(read_parts(source(text), None, FOUR, size=size))
        through = list(read_chunks(source(text), None, FOUR, size=size))
        patch.setattr(collection, "AVAILABLE", False)
        wanted = list(read_chunks(source(text), None, FOUR, size=size))
        assert all(
            isinstance(part, Chunk) for part in read_parts(source(text), None, FOUR, size=size)
        )
    chunks = [part.chunk() if isinstance(part, Plain) else part for part in found]
    assert all(part.rows == chunk.rows for part, chunk in zip(found, chunks, strict=True))
    for found in (chunks, through):
        assert len(found) == len(wanted) and all(map(same, found, wanted))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("\n".join(LINES), [Plain, Plain]),
        ("# a comment\n" + "\n".join(LINES), [Chunk, Plain]),
        ("\n".join([*LINES, LINES[0] + " 17"]), [Plain, Chunk]),
        ("\r\n".join(LINES), [Plain, Plain]),
        ("puzzle\n" + "\n".join(LINES), [Chunk, Chunk]),
        ("\n".join(LINES[:2]), [Plain]),
    ],
)
def test_blocks_without_a_word_beside_stay_bytes(text, kinds, monkeypatch):
    monkeypatch.setattr(streams, "BLOCK_BYTES", 82 * 30)
    found = read_parts(source(f"{text}\n".encode()), size=999)
    assert [type(part) for part in found] == kinds


def test_rows_of_a_grid_before_a_plain_block_are_not_lost(monkeypatch):
    """The reader holds them back at the end of their block."""
    rows = "\n".join(CLASSIC[start : start + 9] for start in range(0, 81, 9))
    text = f"{LINES[0]}\n{rows}\n{LINES[1]}\n{LINES[2]}\n".encode()
    monkeypatch.setattr(streams, "BLOCK_BYTES", 82 + 45)
    chunks = [p.chunk() if isinstance(p, Plain) else p for p in read_parts(source(text), size=9)]
    puzzles = [bytes(row.tolist()) for chunk in chunks for row in chunk.puzzles]
    digits = [bytes(map(int, x.replace(".", "0"))) for x in (LINES[0], CLASSIC, *LINES[1:3])]
    assert puzzles == digits
    assert [line for chunk in chunks for line in chunk.lines.tolist()] == [1, 2, 11, 12]


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=8))
def test_answers_are_written_as_numpy_writes_them(rows):
    rows = [(code if code != Status.INVALID else Status.NONE, solved) for code, solved in rows]
    grids = [CLASSIC_SOLUTION if solved else "0" * 81 for _, solved in rows]
    solutions = np.array([list(map(int, grid)) for grid in grids], np.uint8).reshape(-1, 81)
    statuses = np.array([code for code, _ in rows], np.uint8)
    chunk = Chunk(np.arange(len(rows)), np.zeros_like(solutions), {})
    options = BatchOptions(constraints_for())
    result = unanswered(chunk.puzzles, options.constraints)
    result = result._replace(statuses=statuses, solutions=solutions)
    written = plain_lines(statuses.tobytes(), solutions.tobytes(), Board())
    assert written == format_lines(chunk, result, options)
