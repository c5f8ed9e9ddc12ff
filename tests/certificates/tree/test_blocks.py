"""Blocks of files of proof trees: single ones, and what stands before them."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from satdoku import certify_files, check_rows
from satdoku.certificates.fields import CertificateError
from satdoku.certificates.tree.files import BLOCK, Block, Writer, blocks_of, read_blocks, read_head

UNIQUE, OPEN, CLASH = "1234341221434321", "." * 16, "11" + "." * 14


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Rows of which the number says the claim, in two blocks."""
    path = tmp_path / "some.txt"
    path.write_text(f"{UNIQUE}\n{OPEN}\n12\n{CLASH}\n" * 1025)
    certify_files(str(path), str(tmp_path / "some.trees"))
    return tmp_path / "some.trees"


def read(path: Path, first: int, last: int) -> list[tuple[int, int, str | None]]:
    return [
        (told.number, told.row.claim, told.reason) for _, told in check_rows(str(path), first, last)
    ]


def test_rows_are_found_in_their_blocks(file: Path) -> None:
    told = [(number, b"um-n"[(number - 1) % 4], None) for number in range(1, 4101)]
    assert read(file, 1, 4100) == told
    assert read(file, BLOCK, BLOCK + 1) == told[BLOCK - 1 : BLOCK + 1]
    assert read(file, 4100, 4100) == told[-1:]
    with pytest.raises(CertificateError, match="there is no row 4,101: it has 4,100"):
        read(file, 4100, 4101)
    with pytest.raises(CertificateError, match="there is no row 9,000: it has 4,100"):
        read(file, 9000, 9000)


def test_rows_of_a_packed_file_and_of_one_without_an_index(file: Path, tmp_path: Path) -> None:
    packed, cut = tmp_path / "packed.trees.gz", tmp_path / "cut.trees"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert read(packed, 4100, 4100) == [(4100, ord("n"), None)]
    data = file.read_bytes()
    cut.write_bytes(data[: data.rindex(b"list") + 5])
    assert read(cut, 4100, 4100) == [(4100, ord("n"), None)]
    with pytest.raises(CertificateError, match="block 3: the file ends within it"):
        read(cut, 4101, 4101)


def test_other_blocks_are_not_read(file: Path) -> None:
    taken: list[int] = []

    class Counting(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            data = super().read(size)
            taken.append(len(data))
            return data

    stream = Counting(file.read_bytes())
    read_head(stream.readline())
    first, second = read_blocks(io.BytesIO(file.read_bytes().partition(b"\n")[2]))
    ((row, block),) = blocks_of(stream, 4097, 4097)
    assert (row, block) == (4097, second._replace(number=2))
    assert sum(taken) == 24 + len(second.packed) < len(first.packed)


def test_what_a_writer_writes_is_read(file: Path) -> None:
    before = io.BytesIO(file.read_bytes())
    head = read_head(before.readline())
    blocks = list(read_blocks(before))
    out = io.BytesIO()
    writer = Writer(out, head)
    for block in blocks:
        writer.add(block.rows, block.packed)
    writer.finish()
    assert out.getvalue() == file.read_bytes()
    with pytest.raises(CertificateError, match="block 1: its parts"):
        Block(1, 7, blocks[0].packed).unpack(16)
