"""Files: compression by content in and by ending out; what is written appears whole or never."""

import gzip
import io
import lzma
import os
import sys
import tracemalloc
import zlib
from functools import partial

import pytest
from stream_cases import DATA, PACK, TEXT, files, write

from satdoku.files import streams as files_module
from satdoku.files.streams import (
    FileError,
    check_inputs,
    files_named,
    is_dimacs,
    named,
    open_input,
    open_source,
    read_block,
    read_text,
)

# Reading -----------------------------------------------------------------------------------------


def test_a_plain_file_reads_as_it_is(target):
    target.write_bytes(DATA)
    assert read_text(str(target)) == TEXT


@pytest.mark.parametrize("kind", PACK)
def test_compression_is_told_by_content_not_by_name(target, kind):
    target.write_bytes(PACK[kind](DATA))
    assert read_text(str(target)) == TEXT


@pytest.mark.parametrize("kind", PACK)
def test_concatenated_compressed_files_read_as_one(target, kind):
    target.write_bytes(PACK[kind](DATA) + PACK[kind](DATA))
    assert read_text(str(target)) == TEXT * 2


def test_a_plain_file_may_have_a_compressed_name(tmp_path):
    path = tmp_path / "plain.gz"
    path.write_bytes(DATA)
    assert read_text(str(path)) == TEXT


def test_bytes_that_are_no_utf8_are_replaced(target):
    target.write_bytes(b"1\xff2")
    assert read_text(str(target)) == "1\ufffd2"


def test_an_empty_file_is_empty(target):
    target.touch()
    assert read_text(str(target)) == ""


@pytest.mark.parametrize("kind", [None, *PACK])
def test_dash_is_standard_input_compressed_or_not(monkeypatch, kind):
    data = PACK[kind](DATA) if kind else DATA
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)))
    monkeypatch.setattr(sys, "stdin", stream)
    assert read_text("-") == TEXT


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileError, match=r"none\.txt: No such file or directory"):
        read_text(str(tmp_path / "none.txt"))


def test_inputs_that_cannot_be_read_are_noticed_beforehand(tmp_path, target, monkeypatch):
    target.write_bytes(gzip.compress(DATA))
    good = [str(target), "-", os.devnull]
    check_inputs(good)
    for bad, said in {
        str(tmp_path / "none.txt"): "none.txt: No such file or directory",
        str(tmp_path): "is a directory, expected a file",
        "": "empty name: No such file or directory",
        "a\0b": "embedded null byte",
        f"{target}/x": "txt/x: Not a directory",
    }.items():
        with pytest.raises(FileError, match=said):
            check_inputs([*good, bad])
    secret = tmp_path / "secret.txt"
    secret.touch()

    def refuse(path, *_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)  # root may read anything
    with pytest.raises(FileError, match=r"secret\.txt: Permission denied"):
        check_inputs([str(secret)])


def test_what_needs_an_extra_is_noticed_beforehand(target, monkeypatch):
    target.write_bytes(b"\x28\xb5\x2f\xfd....")
    monkeypatch.setattr(files_module, "_ZSTD_MODULES", ())
    with pytest.raises(FileError, match="need the extra"):
        check_inputs([str(target)])


def test_nothing_is_taken_from_a_pipe_beforehand(tmp_path):
    """Nor is one waited for that nobody writes to."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_inputs([str(pipe)])
    reading, writing = os.pipe()
    with open(reading, "rb") as stream, open(writing, "wb") as sink:
        sink.write(DATA)
        sink.close()
        check_inputs([f"/dev/fd/{reading}"])
        assert stream.read() == DATA


def test_a_directory_is_no_file(tmp_path):
    with pytest.raises(FileError, match="is a directory, expected a file"):
        read_text(str(tmp_path))


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
def test_an_impossible_name_is_an_error(name):
    with pytest.raises(FileError):
        read_text(name)
    with pytest.raises(FileError):
        write(name)


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_a_broken_compressed_file_is_named(target, kind, damage):
    data = bytearray(PACK[kind](os.urandom(2000)))
    if damage == "cut":
        del data[-30:]
    else:
        data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
    target.write_bytes(data)
    with pytest.raises(FileError, match=r"out\.txt: broken file: "):
        read_text(str(target))


def test_blocks_come_one_after_the_other_and_end_empty(target):
    target.write_bytes(gzip.compress(b"abcde"))
    with open_input(str(target)) as stream:
        blocks = [read_block(stream, 2, "x") for _ in range(4)]
    assert blocks == [b"ab", b"cd", b"e", b""]


def test_a_cnf_is_known_from_puzzles():
    for head in (b"p cnf 1 2\n", b"c x\nc\n\np  cnf 1 2\n", b"\r\nc\r\np cnf 1", b"c cut of"):
        assert is_dimacs(head)
    for head in (b"", b"c", b"..3.5" * 9, b"c3..4", b"#c\np cnf 1 2", b"c x\n123456789\n"):
        assert not is_dimacs(head)
    assert not is_dimacs(b"c x \r\n\r\n\n" * 5000 + b"q cnf 1 2")  # and that soon


# Zstandard, an extra -----------------------------------------------------------------------------

ZST_MAGIC = b"\x28\xb5\x2f\xfd"
NAME = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"


@pytest.fixture
def zstd():
    return pytest.importorskip(NAME)


def test_without_the_extra_zst_says_what_to_install(tmp_path, monkeypatch):
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    path = tmp_path / "in.zst"
    path.write_bytes(ZST_MAGIC + bytes(20))
    with pytest.raises(FileError, match=r"pip install 'satdoku\[zst\]'"):
        read_text(str(path))
    with pytest.raises(FileError, match=r"pip install 'satdoku\[zst\]'"):
        write(tmp_path / "out.zst")
    assert files(tmp_path) == ["in.zst"]


@pytest.mark.usefixtures("zstd")
def test_zst_is_written_and_read(tmp_path):
    write(tmp_path / "out.zst", DATA * 100_000)
    assert (tmp_path / "out.zst").read_bytes().startswith(ZST_MAGIC)
    assert (tmp_path / "out.zst").stat().st_size < 100_000
    assert read_text(str(tmp_path / "out.zst")) == TEXT * 100_000


def test_zst_of_several_frames_reads_to_its_end(target, zstd):
    target.write_bytes(b"".join(zstd.compress(DATA * n) for n in (1, 2, 30_000)))
    assert read_text(str(target)) == TEXT * 30_003


@pytest.mark.parametrize("damage", ["cut", "changed", "foreign end"])
def test_broken_zst_is_an_error(target, damage, zstd):
    options = {zstd.CompressionParameter.checksum_flag: 1}
    data = zstd.compress(os.urandom(50_000), options=options)
    data = {"cut": data[:-10], "changed": data[:500] + b"x" * 9 + data[509:]}.get(
        damage, data + b"no frame"
    )
    target.write_bytes(data)
    with pytest.raises(FileError, match=r"out\.txt: broken file: "):
        read_text(str(target))


def test_a_file_that_must_be_read_whole_is_held_once(tmp_path, monkeypatch):
    """It was joined of two parts: twice its size in memory."""
    monkeypatch.setattr(files_module, "MAX_WHOLE", 32 << 20)
    path = tmp_path / "whole.gz"
    for size, refused in ((30 << 20, False), (40 << 20, True)):
        path.write_bytes(gzip.compress(bytes(size), 1))
        tracemalloc.start()
        with open_source(str(path)) as source:
            if refused:
                with pytest.raises(FileError, match="more than 32 MiB that can only be read"):
                    source.rewound()
            else:
                assert len(source.rewound().read(size)) == size
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 80 << 20


def test_an_xz_file_that_asks_for_a_huge_dictionary_is_refused(tmp_path):
    """3,000 MiB of puzzles in 450 KiB took 3 GiB of memory, though they were streamed."""
    packed = bytearray(lzma.compress(b"." * 81, preset=0))
    stop = 12 + 4 * (packed[12] + 1)
    place = packed.index(0x21, 12)  # LZMA2, then the size of its properties, then the dictionary's
    packed[place + 2] = 40  # 4 GiB
    packed[stop - 4 : stop] = zlib.crc32(packed[12 : stop - 4]).to_bytes(4, "little")
    path = tmp_path / "file"
    path.write_bytes(packed)
    with pytest.raises(FileError, match="Memory usage limit exceeded"):
        read_text(str(path))
    path.write_bytes(lzma.compress(DATA, preset=9))
    assert read_text(str(path)) == TEXT


def test_what_stands_behind_the_last_xz_stream_is_passed_over(tmp_path):
    """As `lzma.LZMAFile` does."""
    path = tmp_path / "file"
    path.write_bytes(lzma.compress(DATA) * 2 + b"neither a stream nor padding")
    assert read_text(str(path)) == TEXT * 2


# Files that are open, folders and patterns -------------------------------------------------------


class Pipe(io.BytesIO):
    def seekable(self):
        return False


@pytest.mark.parametrize(
    "opened",
    [
        partial(open, mode="rb"),
        partial(open, encoding="utf-8"),
        partial(open, mode="rb", buffering=0),
        lambda path: io.BytesIO(path.read_bytes()),
        lambda path: io.StringIO(TEXT),
        lambda path: Pipe(path.read_bytes()),
    ],
)
def test_an_open_file_is_read_and_stays_open(target, opened):
    target.write_bytes(DATA)
    with opened(target) as file:
        assert read_text(file) == TEXT
        assert not file.closed


def test_an_open_file_is_decompressed_and_read_again_from_where_it_was(target):
    target.write_bytes(b"head" + gzip.compress(DATA))
    with open(target, "rb") as file:
        file.read(4)
        name = named(file)
        assert (name, read_text(name), read_text(name)) == (str(target), TEXT, TEXT)


def test_names_of_files(tmp_path):
    for name in ("b.csv", "a.csv", "c.txt", ".hidden", "[x].csv"):
        (tmp_path / name).write_text("")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "d.csv").write_text("")

    def found(files):
        return [os.path.relpath(name, tmp_path) for name in files_named(files)]

    assert found(tmp_path) == ["[x].csv", "a.csv", "b.csv", "c.txt"]
    assert found(f"{tmp_path}/[ab].csv") == ["a.csv", "b.csv"]
    assert found(f"{tmp_path}/**/*.csv") == ["[x].csv", "a.csv", "b.csv", "deep/d.csv"]
    assert found(f"{tmp_path}/[x].csv") == ["[x].csv"]  # which is there, and so no pattern
    assert found([tmp_path / "c.txt", f"{tmp_path}/a*"]) == ["c.txt", "a.csv"]
    assert files_named("-") == ["-"] and files_named("none.csv") == ["none.csv"]


def test_a_folder_of_arrays_is_one_collection_if_its_names_and_files_say_so(tmp_path):
    for name in ("all__inputs.npy", "all__labels.npy", "dataset.json"):
        (tmp_path / name).write_text("")
    assert files_named(tmp_path) == [str(tmp_path)]
    (tmp_path / "notes.txt").write_text("")
    assert len(files_named(tmp_path)) == 4
    shards = tmp_path / "shards"
    shards.mkdir()
    for name in ("0.npy", "1.npy"):
        (shards / name).write_text("")
    assert files_named(shards) == [str(shards / "0.npy"), str(shards / "1.npy")]


def test_what_stands_for_no_file_is_refused(tmp_path):
    for given, message in (
        (tmp_path, "holds no file"),
        (f"{tmp_path}/*.csv", "no such file"),
        ([None], "NoneType None: expected a file"),
        (5, "int 5: expected a file"),
    ):
        with pytest.raises(FileError, match=message):
            files_named(given)


def test_open_files_that_cannot_be_read_or_written_are_refused(target):
    with open(target, "wb") as file, pytest.raises(FileError, match="is open for writing only"):
        read_text(file)
    with pytest.raises(FileError, match="is closed, expected an open file"):
        read_text(file)
    with open(target, "rb") as file, pytest.raises(FileError, match="is open for reading only"):
        named(file).writing()
