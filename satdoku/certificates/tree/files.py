"""Files of proof trees: a line of JSON, blocks of rows, and an index of the blocks.

Invariant: what is read is what was written, or an error names the block. Every block can be read
and checked on its own; the index is a help that may be missing.

A row with the claim "-" is one that could not be read, so that row n of a file stands for row n of
its collection. The claim of a row is a capital letter if it has no tree: in its place stands the
JSON of the proof that a certificate would have. `docs/TREES.md` defines the bytes.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import SEEK_CUR
from typing import BinaryIO, NamedTuple

from ...model.board import Board
from ..fields import (
    CertificateError,
    Fields,
    as_line,
    board_fields,
    expect_keys,
    get_field,
    parse_json,
    read_board,
    read_sums,
    rules_and_maker,
    sums_fields,
)
from ..proof.sums import Derived
from .rows import Rows

FORMAT = "satdoku proof trees"
PLAIN, WITH_SUMS = VERSIONS = 1, 2  # of a file: without or with sums
START = f'{{"format":"{FORMAT}",'.encode()
BLOCK = 4096  # rows that are written together
MAX_HEAD, MAX_BLOCK = 1 << 22, 1 << 28  # bytes; rows are larger than this in no block
ROWS, INDEX, END = b"rows", b"list", b"tree"
LEVEL, WINDOW, MEMORY = 1, 15, 9  # of compression: a higher one takes longer than the trees
ALONE = frozenset(b"un-")  # claims of rows in which hardly anything repeats: one solution, a tree
_FRAME = struct.Struct("<4sII")  # what follows, how many rows or blocks, in how many bytes
_SIZES = struct.Struct("<II")  # of a block: rows, bytes
_TAIL = struct.Struct("<Q4s")  # where the index begins


@dataclass(frozen=True)
class Head:
    """What the rows of a file share; sha256: of the formula as text.

    sums: those that the formula states in place of the clues that they follow from.
    """

    board: Board
    rules: tuple[str, ...]
    sha256: str
    made_by: dict[str, str]
    sums: tuple[Derived, ...] = ()

    def line(self) -> bytes:
        """The first line of the file."""
        fields: Fields = {
            "format": FORMAT,
            "version": WITH_SUMS if self.sums else PLAIN,
            "board": board_fields(self.board),
            "rules": list(self.rules),
            "made_by": self.made_by,
            **sums_fields(self.sums),
            "sha256": self.sha256,
        }
        return as_line(fields)


def read_head(line: bytes) -> Head:
    """The head that a first line states."""
    fields = parse_json(line)
    version = fields.get("version")
    if fields.get("format") != FORMAT or type(version) is not int or version not in VERSIONS:
        versions = " or ".join(map(str, VERSIONS))
        raise CertificateError(f"expected '{FORMAT}', version {versions}")
    names = ("format", "version", "board", "rules", "made_by", "sha256")
    expect_keys(fields, names, optional="sums" if version == WITH_SUMS else "")
    rules, made_by = rules_and_maker(fields)
    board = read_board(get_field(fields, "board", dict))
    sums = read_sums(fields) if version == WITH_SUMS else ()
    return Head(board, tuple(rules), get_field(fields, "sha256", str), made_by, sums)


class Block(NamedTuple):
    """A block of a file: its number, from 1, how many rows it has, and the bytes that hold them."""

    number: int
    rows: int
    packed: bytes

    def unpack(self, cells: int) -> Rows:
        """Its rows. Raises `CertificateError` if they are none."""
        unpacker = zlib.decompressobj()
        try:
            data = unpacker.decompress(self.packed, MAX_BLOCK)
        except zlib.error as error:
            raise CertificateError(f"block {self.number}: {error}") from None
        rest, taken = memoryview(data), []
        sizes = [self.rows, 4 * self.rows, 4 * self.rows, self.rows * cells]
        for size in sizes:
            taken.append(rest[:size])
            rest = rest[size:]
        counts, lengths = _ints(taken[1]), _ints(taken[2])
        solved = min(max(0, sum(counts)) * cells, len(rest))
        rows = Rows(
            bytes(taken[0]), bytes(taken[3]), counts, bytes(rest[:solved]), lengths,
            bytes(rest[solved:]),
        )  # fmt: skip
        is_whole = unpacker.eof and len(rows.claims) == self.rows and rows.is_whole(cells)
        if not is_whole or unpacker.unused_data:
            raise CertificateError(f"block {self.number}: its parts do not belong together")
        return rows


def pack(rows: Rows) -> bytes:
    """The bytes that hold rows: claims, numbers of solutions, lengths of trees, puzzles, solutions
    and trees, one column behind the other."""
    columns = (
        rows.claims, _bytes(rows.counts), _bytes(rows.lengths), rows.puzzles, rows.solutions,
        rows.trees,
    )  # fmt: skip
    repeats = not ALONE.issuperset(rows.claims)
    strategy = zlib.Z_DEFAULT_STRATEGY if repeats else zlib.Z_HUFFMAN_ONLY
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, MEMORY, strategy)
    return b"".join([*map(packer.compress, columns), packer.flush()])


class Writer:
    """Writes a head at once, then blocks, and at the end the index that makes the file whole."""

    def __init__(self, stream: BinaryIO, head: Head) -> None:
        self._stream, line = stream, head.line()
        self._place = stream.write(line)
        self._sizes: list[tuple[int, int]] = []

    def add(self, rows: int, packed: bytes) -> None:
        """A block: its number of rows and `pack` of these."""
        self._place += self._stream.write(_FRAME.pack(ROWS, rows, len(packed)) + packed)
        self._sizes.append((rows, len(packed)))

    def finish(self) -> None:
        """The index."""
        index = _index(self._sizes)
        self._stream.write(_FRAME.pack(INDEX, len(self._sizes), len(index)) + index)
        self._stream.write(_TAIL.pack(self._place, END))


def _index(sizes: Iterable[tuple[int, int]]) -> bytes:
    return zlib.compress(b"".join(_SIZES.pack(*pair) for pair in sizes))


def read_blocks(stream: BinaryIO) -> Iterator[Block]:
    """The blocks behind the first line, one after the other.

    Raises `CertificateError` where the file ends before its index, or differs from it.
    """
    sizes: list[tuple[int, int]] = []
    while True:
        number = len(sizes) + 1
        kind, count, length = _frame(stream, number)
        if kind == INDEX:
            break
        yield Block(number, count, _exactly(stream, length, number))
        sizes.append((count, length))
    index = _index(sizes)
    try:
        stated = zlib.decompress(_exactly(stream, min(length, len(index) * 2 + 64), number))
    except zlib.error:
        stated = b""
    tail = _exactly(stream, _TAIL.size, number)
    if stated != zlib.decompress(index) or tail[-len(END) :] != END or stream.read(1):
        raise CertificateError("the index is not that of the blocks before it")


def blocks_of(stream: BinaryIO, first: int, last: int) -> Iterator[tuple[int, Block]]:
    """The blocks that hold some rows, from 1, each with the number of its first row.

    Of the blocks before them only the frames are read: they are what the index must agree with, and
    also there in a file that was not finished. Raises `CertificateError` if there is no such row.
    """
    row, number = 1, 0
    while row <= last:
        number += 1
        kind, count, length = _frame(stream, number)
        if kind == INDEX:
            raise CertificateError(f"there is no row {max(row, first):,}: it has {row - 1:,}")
        if row + count > first:
            yield row, Block(number, count, _exactly(stream, length, number))
        elif stream.seekable():
            stream.seek(length, SEEK_CUR)
        else:
            _exactly(stream, length, number)
        row += count


def _frame(stream: BinaryIO, number: int) -> tuple[bytes, int, int]:
    """What stands before a block or the index: which of them, rows or blocks, bytes."""
    kind, count, length = _FRAME.unpack(_exactly(stream, _FRAME.size, number))
    if kind != INDEX and (kind != ROWS or not count or length > MAX_BLOCK):
        raise CertificateError(f"block {number}: expected a block of rows, or the index")
    return kind, count, length


def _exactly(stream: BinaryIO, size: int, number: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise CertificateError(f"block {number}: the file ends within it, or without an index")
    return data


def _ints(data: memoryview) -> array[int]:
    numbers = array("i", bytes(data[: len(data) // 4 * 4]))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _bytes(numbers: array[int]) -> bytes:
    if sys.byteorder == "little":
        return numbers.tobytes()
    swapped = array("i", numbers)
    swapped.byteswap()
    return swapped.tobytes()
