"""Files of proof trees: what is read is what was written, or an error names the block."""

from __future__ import annotations

import io
import random
import struct
import zlib
from array import array

import pytest
from tree_cases import one_column_changed, write

from satdoku.certificates.collection import head_of
from satdoku.certificates.fields import CertificateError
from satdoku.certificates.tree.files import Block, pack, read_blocks, read_head
from satdoku.certificates.tree.rows import Row, Rows, columns
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import SatdokuError

HEAD = head_of(constraints_for("latin=2"))
ROWS = [
    Row(ord("a"), bytes(4), (b"\1\2\2\1", b"\2\1\1\2"), b"\0"),
    Row(ord("-"), bytes(4), (), b""),
    Row(ord("u"), b"\1\0\0\0", (b"\1\2\2\1",), b""),
]


def written(*blocks: list[Row]) -> bytes:
    stream = io.BytesIO()
    write(stream, HEAD, [(len(rows), pack(columns(rows))) for rows in blocks])
    return stream.getvalue()


def read(data: bytes) -> list[Rows]:
    stream = io.BytesIO(data)
    assert read_head(stream.readline()) == HEAD
    return [block.unpack(4) for block in read_blocks(stream)]


def test_what_is_written_is_read() -> None:
    assert read(written()) == []
    assert read(written(ROWS)) == [columns(ROWS)]
    assert read(written(ROWS, ROWS[:1])) == [columns(ROWS), columns(ROWS[:1])]


def test_solutions_that_are_alike_are_packed_as_such() -> None:
    solution = bytes(range(1, 82))
    other = solution[:-2] + solution[:-3:-1]
    row = Row(ord("m"), bytes(81), (solution, other), b"")
    assert len(pack(columns([row] * 100))) < 8 * 100


def test_the_bytes_are_those_of_the_page() -> None:
    data = written(ROWS)
    begin = data.index(b"\n") + 1
    assert data[begin : begin + 4] == b"rows"
    rows, length = struct.unpack("<II", data[begin + 4 : begin + 12])
    end = begin + 12 + length
    assert rows == 3 and zlib.decompress(data[begin + 12 : end]) == b"".join([
        b"a-u", struct.pack("<6I", 2, 0, 1, 1, 0, 0), bytes(8), b"\1\0\0\0",
        b"\1\2\2\1\2\1\1\2\1\2\2\1", b"\0",
    ])  # fmt: skip
    assert data[end : end + 4] == b"list" and data[-4:] == b"tree"
    blocks, size = struct.unpack("<II", data[end + 4 : end + 12])
    assert blocks == 1
    assert zlib.decompress(data[end + 12 : end + 12 + size]) == struct.pack("<II", 3, length)
    assert struct.unpack("<Q", data[end + 12 + size : -4]) == (end,)


def test_a_file_that_is_cut_or_goes_on_is_refused() -> None:
    data = written(ROWS, ROWS)
    for end in range(data.index(b"\n") + 1, len(data)):
        with pytest.raises(CertificateError, match=r"block|index"):
            read(data[:end])
    with pytest.raises(CertificateError, match="index"):
        read(data + b"\0")


def test_parts_of_a_block_that_do_not_belong_together_are_refused() -> None:
    draw, packed, seen = random.Random(1), pack(columns(ROWS)), set()
    for _ in range(200):
        parts = one_column_changed(draw, ROWS)
        data = b"".join(x.tobytes() if isinstance(x, array) else x for x in parts)
        if Rows(*parts).is_whole(4):
            continue
        try:
            told = Block(7, 3, zlib.compress(data)).unpack(4)
        except CertificateError as error:
            assert "block 7" in str(error)
            seen.add("refused")
        else:  # the bytes are those of other rows
            assert told.is_whole(4) and pack(told) == pack(columns([*told.each(4)]))
            seen.add("others")
    assert "refused" in seen
    for wrong in (packed[:-1], packed + b"\0", b"", b"rows", zlib.compress(b"")):
        with pytest.raises(CertificateError, match="block 7"):
            Block(7, 3, wrong).unpack(4)


@pytest.mark.parametrize("change", [
    (b'"version":1', b'"version":2'), (b'"rules":[', b'"rules":[1,'),
    (b'"made_by"', b'"other"'), (b'"size":2', b'"size":-2'), (b"{", b"["),
])  # fmt: skip
def test_a_head_of_another_form_is_refused(change: tuple[bytes, bytes]) -> None:
    line = HEAD.line().replace(*change)
    assert line != HEAD.line()
    with pytest.raises(SatdokuError):
        read_head(line)
