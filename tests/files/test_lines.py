"""Line ends of every kind, wherever the blocks end; and texts in other codings."""

import gzip
import re
from itertools import pairwise

import pytest
from examples import CLASSIC
from hypothesis import given
from hypothesis import strategies as st
from record_cases import read_both

from satdoku.files.lines import block_lines, split_lines, whole_lines
from satdoku.files.streams import MAX_LINE_BYTES
from satdoku.model.board import Board

EMPTY = "." * 81
ENDS = re.compile(r"\r*\n|\r")


def cut(data, places):
    """The data in blocks that end at these places."""
    edges = [0, *sorted(places), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


@given(st.text("ab\r\n", max_size=40), st.lists(st.integers(0, 40), max_size=5))
def test_every_line_end_ends_a_line_wherever_the_blocks_end(text, places):
    lines = ENDS.split(text)
    if not lines[-1]:
        del lines[-1]
    blocks = cut(text.encode(), [min(place, len(text)) for place in places])
    assert list(block_lines(blocks)) == lines


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=5))
def test_blocks_of_whole_lines_hold_all_bytes(data, places):
    whole = list(whole_lines(cut(data, [min(place, len(data)) for place in places])))
    assert all(block.endswith(b"\n") and b"\r" not in block for block in whole)
    assert len(b"".join(whole).split(b"\n")) == sum(map(len, map(split_lines, whole))) + 1


def test_no_end_and_no_text():
    assert list(whole_lines([])) == list(whole_lines([b"", b""])) == []
    assert list(whole_lines([b"a", b"b"])) == [b"ab\n"]
    assert list(whole_lines([b"a\r", b"\nb\r"])) == [b"a\n", b"b\n"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_bad_line_is_named_whatever_ends_the_lines(tmp_path, end):
    """With a lone carriage return as the end every error was on line 1."""
    path = tmp_path / "file"
    path.write_bytes(end.join([CLASSIC, EMPTY, "9" * 80, CLASSIC, ""]).encode())
    found = read_both(path, Board())
    assert [seen.line for seen in found] == [1, 2, 3, 4]
    assert found[2].puzzle[:3] == (3, 81, "80 cells")


def test_line_ends_may_be_mixed(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(f"{CLASSIC}\r{EMPTY}\n#\r\n{CLASSIC}\r\r{EMPTY[1:]}\r\r\n{EMPTY}".encode())
    found = [(seen.line, seen.puzzle) for seen in read_both(path)]
    assert [line for line, _ in found] == [1, 2, 4, 6, 7]
    assert [grid for _, grid in found[:3]] == [CLASSIC, EMPTY, CLASSIC]
    assert found[3][1][:3] == (6, 81, "80 cells")


def test_rows_may_end_in_a_carriage_return(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"\r".join(CLASSIC[i : i + 9].encode() for i in range(0, 81, 9)))
    assert [(seen.line, seen.puzzle) for seen in read_both(path)] == [(1, CLASSIC)]


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_coding(tmp_path, coding):
    """Windows writes UTF-16 where a command's output goes to a file."""
    path = tmp_path / "file"
    path.write_bytes(f"id,quiz\r\né,{CLASSIC}\r\nb,{EMPTY[1:]}\r\n".encode(coding))
    first, second = read_both(path)
    assert (first.line, first.id, first.puzzle) == (2, "é", CLASSIC)
    assert second.puzzle[:3] == (3, 83, "80 cells")


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_known_without_its_mark(tmp_path, coding):
    path = tmp_path / "file"
    path.write_bytes(f"{CLASSIC}\n{EMPTY}\n".encode(coding))
    assert [seen.puzzle for seen in read_both(path)] == [CLASSIC, EMPTY]


def test_an_endless_line_stays_bounded_in_memory(tmp_path):
    path = tmp_path / "endless.gz"
    path.write_bytes(gzip.compress(bytes(8 << 20), 1))
    ((line, error, *_),) = read_both(path)
    assert (line, error[:3]) == (1, (1, 1, f"a line of {MAX_LINE_BYTES} characters"))
