"""Small files that unpack to, or announce, more than any machine holds."""

import io
import subprocess
import sys
import zipfile

import numpy as np
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest
from examples import CLASSIC

from satdoku.cli import EXIT_BAD_INPUT
from satdoku.files.collection import read_chunks
from satdoku.files.streams import FileError

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits memory")
MIB = 1 << 20
LONG = "1" * MIB
ROWS = 8192
# Reads each file that it is told, in a process of its own with 256 MiB for pyarrow; prints what
# came of it, and by how much the memory grew.
READ = """
import os, resource, sys
import pyarrow.parquet
from satdoku.runtime.errors import SatdokuError
from satdoku.files.collection import arrays, arrow, read_chunks
arrow.MAX_MEMORY = 256 << 20
while path := sys.stdin.readline().rstrip():
    if os.fork():
        os.wait()
        continue
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        print(sum(len(chunk.lines) for chunk in read_chunks(path)), "rows")
    except SatdokuError as error:
        print(error)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before >> 10, flush=True)
    os._exit(0)
"""
# Runs a command that may take that many bytes more.
STARVED = """
import resource, sys
import pyarrow.parquet, satdoku.cli.commands.batch, satdoku.files.collection.arrow
from satdoku.cli import main
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]),) * 2)
sys.exit(main(sys.argv[2:]))
"""


def parquet(puzzles, **options):
    stream = io.BytesIO()
    table = pyarrow.table({"puzzle": puzzles})
    pyarrow.parquet.write_table(
        table, stream, store_schema=False, write_statistics=False, compression="zstd", **options
    )
    return stream.getvalue()


def arrow(**columns):
    stream = io.BytesIO()
    batch = pyarrow.RecordBatch.from_arrays(list(columns.values()), list(columns))
    packed = pyarrow.ipc.IpcWriteOptions(compression="zstd")
    with pyarrow.ipc.new_file(stream, batch.schema, options=packed) as writer:
        writer.write_batch(batch)
    return stream.getvalue()


def repeated(value):
    """The value in every row, stored once."""
    return pyarrow.DictionaryArray.from_arrays(
        pyarrow.array(np.zeros(ROWS, np.int32)), pyarrow.array([value])
    )


def shown_again():
    """Views of one text in every row."""
    once = pyarrow.array([LONG], pyarrow.string_view())
    _, views, text = once.buffers()
    views = pyarrow.py_buffer(bytes(views)[:16] * ROWS)
    return pyarrow.Array.from_buffers(once.type, ROWS, [None, views, text])


def endless_list():
    """Two lists of nothing, each a thousand million times: no byte of it is stored."""
    return pyarrow.FixedSizeListArray.from_arrays(pyarrow.nulls(2 * 10**9), 10**9)


def long_list():
    count = 40 * MIB
    return pyarrow.ListArray.from_arrays([0, count], pyarrow.array(np.zeros(count, np.uint8)))


def overlapping_lists():
    zeros = pyarrow.array(np.zeros(MIB, np.uint8))
    sizes = np.full(ROWS, MIB, np.int32)
    return pyarrow.ListViewArray.from_arrays(np.zeros(ROWS, np.int32), sizes, zeros)


def unneeded():
    zeros = pyarrow.array(np.zeros(400 * MIB, np.uint8)[: 400 * MIB // ROWS * ROWS])
    zeros = pyarrow.FixedSizeListArray.from_arrays(zeros, 400 * MIB // ROWS)
    return arrow(puzzle=pyarrow.array([CLASSIC] * ROWS), other=zeros)


def wide_strings():
    """A column of 16,000 characters, nearly all of them none, in an .npz file."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<U16000", "fortran_order": False, "shape": (ROWS // 2,)}
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("puzzles.npy", head.getvalue() + bytes(ROWS // 2 * 4 * 16000))
    return stream.getvalue()


# Parquet's footer: Thrift's compact protocol, by hand.


def thrift_list(count, kind=12):
    digits = []
    while count > 127:
        digits.append(count & 127 | 128)
        count >>= 7
    return bytes([0xF0 | kind, *digits, count])


def footer(schema, elements, groups=0):
    """A Parquet file that is its footer: version, schema, no rows, and row groups announced."""
    data = b"\x15\x02\x19" + thrift_list(elements) + schema
    data += b"\x16\x00\x19" + thrift_list(groups) + b"\x00"
    return b"PAR1" + data + len(data).to_bytes(4, "little") + b"PAR1"


ROOT, GROUP = b"\x48\x01r\x15\x02\x00", b"\x35\x00\x18\x01p\x15\x02\x00"
LEAF = b"\x15\x0c\x25\x00\x18\x06puzzle\x00"

BOMBS = {
    "one text in every row of Parquet": lambda: parquet(repeated(LONG)),
    "one long list in Parquet": lambda: parquet(long_list(), write_batch_size=MIB),
    "one long text in Parquet": lambda: parquet([LONG * 100], use_dictionary=False),
    "a schema that is nested deep": lambda: footer(ROOT + GROUP * 50_000 + LEAF, 50_002),
    "row groups announced": lambda: footer(ROOT + LEAF, 2, 999_999),
    "many row groups announced": lambda: footer(ROOT + LEAF, 2, 2**31 - 1),
    "one text in every row of Arrow": lambda: arrow(puzzle=repeated(LONG)),
    "one text shown in every row": lambda: arrow(puzzle=shown_again()),
    "one long text in Arrow": lambda: arrow(puzzle=pyarrow.array([LONG * 100])),
    "one very long text in Arrow": lambda: arrow(puzzle=pyarrow.array([LONG * 300])),
    "lists that overlap": lambda: arrow(puzzle=overlapping_lists()),
    "lists of nothing": lambda: arrow(puzzle=endless_list()),
}


@pytest.fixture(scope="module")
def read():
    """Reads a file: what came of it, and by how many MiB the memory grew."""
    command = [sys.executable, "-c", READ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as reader:

        def ask(path):
            reader.stdin.write(f"{path}\n")
            return [reader.stdout.readline().rstrip("\n") for _ in range(2)]

        yield ask
        reader.stdin.close()


@LINUX
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_bounded_memory(name, tmp_path, read):
    path = tmp_path / "bomb"
    path.write_bytes(BOMBS[name]())
    assert path.stat().st_size < MIB
    message, grown = read(path)
    assert message.startswith(f"{path}: ")
    assert int(grown) < 300


@LINUX
@pytest.mark.parametrize(
    ("make", "rows"), [(unneeded, ROWS), (wide_strings, ROWS // 2)], ids=["unneeded", "strings"]
)
def test_what_is_not_needed_at_once_is_not_in_memory(make, rows, tmp_path, read):
    path = tmp_path / "bomb"
    path.write_bytes(make())
    message, grown = read(path)
    assert message == f"{rows} rows"
    assert int(grown) < 300


@LINUX
def test_under_a_limit_of_the_user_too(tmp_path):
    path = tmp_path / "bomb"
    for data in (parquet(repeated(LONG)), arrow(puzzle=repeated(LONG))):
        path.write_bytes(data)
        command = ["batch", str(path), "-o", str(tmp_path / "out")]
        run = subprocess.run(
            [sys.executable, "-c", STARVED, str(600 * MIB), *command],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert run.returncode == EXIT_BAD_INPUT, run.stderr
        assert "too much to read at once" in run.stderr or "too many for puzzles" in run.stderr
        assert not (tmp_path / "out").exists()


def test_what_the_reader_of_the_chunks_holds_does_not_count(tmp_path, monkeypatch):
    """It was taken from what pyarrow may have."""
    monkeypatch.setattr("satdoku.files.collection.arrow.MAX_MEMORY", 64 * MIB)
    path = tmp_path / "file"
    path.write_bytes(arrow(puzzle=pyarrow.array([CLASSIC] * 20)))
    held = [pyarrow.allocate_buffer(100 * MIB)]
    for chunk in read_chunks(str(path), size=1):
        held.append(pyarrow.allocate_buffer(10 * MIB))
        assert not chunk.errors
    assert len(held) == 21


def test_more_columns_than_any_collection_has_are_refused(tmp_path):
    path = tmp_path / "bomb"
    root = b"\x48\x01r\x15\xa2\x9c\x01\x00"  # 10,001 children
    path.write_bytes(footer(root + LEAF * 10_001, 10_002))
    with pytest.raises(FileError, match="10,001 columns, expected at most 10,000"):
        list(read_chunks(str(path)))
