"""Files out: compression by ending; it appears whole or never, and destroys nothing."""

import errno
import io
import os
import signal
import subprocess
import sys
import threading
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stream_cases import DATA, TEXT, UNPACK, Screen, files, write
from temporaries import parts

from satdoku.files import outputs
from satdoku.files.outputs import (
    check_folder,
    check_output,
    check_outputs,
    create_whole,
    form_of,
    inputs_kept,
    leftovers,
    open_output,
)
from satdoku.files.streams import FileError, read_text


@pytest.mark.parametrize("kind", UNPACK)
def test_the_ending_of_the_name_compresses(tmp_path, kind):
    path = tmp_path / f"out.cnf.{kind}"
    write(path)
    assert UNPACK[kind](path.read_bytes()) == DATA
    assert read_text(str(path)) == TEXT
    assert files(tmp_path) == [path.name]


def test_other_endings_are_plain(tmp_path):
    write(tmp_path / "out.cnf")
    assert (tmp_path / "out.cnf").read_bytes() == DATA


def test_the_same_bytes_give_the_same_gzip_file(tmp_path):
    write(tmp_path / "a.gz")
    write(tmp_path / "b.gz")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_dash_is_standard_output(capfdbinary):
    print("before")
    write("-")
    print("after", flush=True)
    assert capfdbinary.readouterr().out == b"before\n" + DATA + b"after\n"


def test_the_name_appears_only_when_all_is_written(target):
    target.write_text("old")
    with open_output(str(target)) as stream:
        stream.write(DATA)
        stream.flush()
        assert target.read_text() == "old"
        (part,) = parts(target)
        assert part.read_bytes() == DATA
    assert target.read_bytes() == DATA
    assert files(target.parent) == ["out.txt"]


@pytest.mark.parametrize("error", [ValueError, OSError, BrokenPipeError])
def test_an_error_leaves_the_old_file_and_no_part(target, error):
    target.write_text("old")
    with (
        pytest.raises(FileError if error is OSError else error),
        open_output(str(target)) as stream,
    ):
        stream.write(DATA)
        raise error("trouble")
    assert target.read_text() == "old"
    assert files(target.parent) == ["out.txt"]


@pytest.mark.parametrize("name", ["out.txt", "out.gz"])
def test_an_interrupt_keeps_what_was_written(tmp_path, name):
    out = str(tmp_path / name)
    with pytest.raises(KeyboardInterrupt) as told, open_output(out, keep=True) as stream:
        stream.write(DATA)
        raise KeyboardInterrupt
    (part,) = tmp_path.iterdir()
    assert parts(tmp_path / name) == [part]
    assert read_text(str(part)) == TEXT
    assert told.value.__notes__ == [f"what was written so far is kept in {part}"]
    assert leftovers(str(tmp_path / name)) == [str(part)]


def test_what_nobody_needs_is_not_kept(target):
    with pytest.raises(KeyboardInterrupt), open_output(str(target)) as stream:
        stream.write(DATA)
        raise KeyboardInterrupt
    assert files(target.parent) == []


def test_an_interrupt_leaves_no_empty_file(tmp_path):
    with pytest.raises(KeyboardInterrupt), open_output(str(tmp_path / "out.txt"), keep=True):
        raise KeyboardInterrupt
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    "outputs, inputs",
    [
        (["a", "./a"], []),
        (["a", None, "b", "a"], []),
        (["a"], ["b", "sub/../a"]),
        (["link"], ["a"]),
    ],
)
def test_outputs_must_be_files_of_their_own(outputs, inputs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to("a")
    with pytest.raises(FileError, match="and output at once"):
        check_outputs(outputs, inputs)
    check_outputs(["a", None, "-", "-", "b", "/dev/null", "/dev/null"], ["-", "c"])


def test_a_directory_cannot_be_written_and_says_so_first(tmp_path):
    (tmp_path / "sub").mkdir()
    with pytest.raises(FileError, match="is a directory, expected a file"):
        write(tmp_path / "sub")
    assert files(tmp_path) == ["sub"]


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileError, match=r"no/out\.txt: No such file or directory"):
        write(tmp_path / "no" / "out.txt")


def test_a_named_pipe_is_written_through_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(pipe)
    reader.join(10)
    assert received == [DATA]
    assert pipe.is_fifo()
    assert files(tmp_path) == ["pipe"]


# Nothing is destroyed ----------------------------------------------------------------------------


def test_files_that_look_like_ours_stay(target):
    """Also a link at the old name of the temporary file, and what it points to."""
    folder = target.parent
    (folder / "victim").write_text("precious")
    (folder / "out.txt.part").symlink_to("victim")
    (folder / "out.txt.0123456789abcdef.part").write_text("of a killed run")
    write(target)
    assert (folder / "victim").read_text() == "precious"
    assert (folder / "out.txt.part").is_symlink()
    assert leftovers(str(target)) == [str(folder / "out.txt.0123456789abcdef.part")]
    assert (folder / "out.txt.0123456789abcdef.part").read_text() == "of a killed run"
    assert target.read_bytes() == DATA


@pytest.mark.parametrize("kind", [os.symlink, os.link, lambda _, name: name.write_text("mine")])
def test_a_name_that_was_guessed_is_never_opened(target, kind, monkeypatch):
    victim, guessed = target.parent / "victim", target.parent / "out.txt.guessed"
    victim.write_text("precious")
    kind(victim, guessed)
    monkeypatch.setattr(outputs, "_fresh_name", lambda _: str(guessed))
    with pytest.raises(FileError, match=r"out\.txt: File exists"):
        write(target)
    assert victim.read_text() == "precious"
    assert files(target.parent) == ["out.txt.guessed", "victim"]


def test_names_of_temporary_files_cannot_be_foreseen(target):
    names = set()
    for _ in range(50):
        with open_output(str(target)):
            names.update(parts(target))
    assert len(names) == 50


def test_a_link_is_replaced_and_what_it_points_to_stays(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "target").write_text("old")
    for name, points_to in {"link": "there/target", "loose": "nowhere"}.items():
        (tmp_path / name).symlink_to(points_to)
        write(tmp_path / name)
        assert not (tmp_path / name).is_symlink()
        assert (tmp_path / name).read_bytes() == DATA
    assert (tmp_path / "there" / "target").read_text() == "old"
    assert files(tmp_path) == ["link", "loose", "there"]


def test_two_names_of_one_file_are_one(tmp_path):
    (tmp_path / "a").write_text("puzzles")
    os.link(tmp_path / "a", tmp_path / "b")
    with pytest.raises(FileError, match="would be input and output at once"):
        check_outputs([str(tmp_path / "b")], [str(tmp_path / "a")])


# Two runs on one OUT -----------------------------------------------------------------------------

WRITER = """
import sys
from satdoku.files.outputs import open_output
with open_output(sys.argv[1]) as stream:
    stream.write(b"first")
    stream.flush()
    print("open", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def writer(target):
    """Another process that has the target open until its standard input ends."""
    pytest.importorskip("fcntl")
    command = [sys.executable, "-c", WRITER, str(target)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"open\n"
        yield process


def test_the_second_run_is_refused_and_the_first_one_finishes(target, writer):
    with pytest.raises(FileError, match=r"out\.txt: another run is writing this file: wait"):
        write(target)
    assert leftovers(str(target)) == []  # it is in use
    writer.communicate()
    assert target.read_bytes() == b"first"
    assert files(target.parent) == ["out.txt"]
    write(target)
    assert target.read_bytes() == DATA


@pytest.mark.parametrize("way", ["link to the folder", "relative"])
def test_it_is_refused_by_another_name_of_the_folder_too(target, writer, way, monkeypatch):
    monkeypatch.chdir(target.parent)
    os.symlink(target.parent, "here")
    with pytest.raises(FileError, match="another run is writing"):
        write("here/out.txt" if way == "link to the folder" else "out.txt")


def test_the_lock_of_a_killed_run_is_gone_and_its_file_stays(target, writer):
    (part,) = parts(target)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert leftovers(str(target)) == [str(part)]
    write(target)
    assert target.read_bytes() == DATA
    assert part.read_bytes() == b"first"


def test_of_many_that_start_at_once_one_goes_on(target):
    """Threads: a lock belongs to an open file, not to a process."""
    pytest.importorskip("fcntl")
    start, end, refused = threading.Barrier(8), threading.Barrier(8), []

    def compete(number):
        start.wait()
        try:
            with open_output(str(target)) as stream:
                stream.write(b"%d" % number)
                end.wait()
        except FileError as error:
            refused.append(str(error))
            end.wait()

    threads = [threading.Thread(target=compete, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(refused) == 7
    assert files(target.parent) == ["out.txt"]


def test_where_there_are_no_locks_files_are_written_all_the_same(target, monkeypatch):
    """As on Windows, or on a network file system without a lock manager."""

    def no_locks(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", no_locks)
    with open_output(str(target)) as first:
        first.write(b"first")
        write(target)
        assert target.read_bytes() == DATA
    assert target.read_bytes() == b"first"
    monkeypatch.setitem(sys.modules, "fcntl", None)
    write(target)
    assert files(target.parent) == ["out.txt"]


# Whole from the first moment ---------------------------------------------------------------------


def test_a_file_is_created_whole_and_once(tmp_path):
    path = tmp_path / "key"
    create_whole(str(path), b"secret", 0o600)
    assert path.stat().st_mode & 0o777 == 0o600
    create_whole(str(path), b"another")
    assert path.read_bytes() == b"secret"
    assert files(tmp_path) == ["key"]
    (tmp_path / "link").symlink_to("nowhere")
    create_whole(str(tmp_path / "link"), b"another")
    assert files(tmp_path) == ["key", "link"]


def test_without_hard_links_it_is_renamed(tmp_path, monkeypatch):
    def no_links(*_):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    for data in (b"first", b"second"):
        create_whole(str(tmp_path / "file"), data)
        assert (tmp_path / "file").read_bytes() == b"first"
        assert files(tmp_path) == ["file"]


# Before the work ---------------------------------------------------------------------------------


def test_inputs_are_kept_from_every_name_while_the_block_runs(tmp_path):
    path = tmp_path / "a"
    path.write_text("puzzles")
    os.link(path, tmp_path / "b")
    (tmp_path / "c").symlink_to("a")
    with inputs_kept([str(path)]):
        for name in ("a", "b", "c", "../" + tmp_path.name + "/a"):
            with pytest.raises(FileError, match="would be input and output at once"):
                write(tmp_path / name)
        write(tmp_path / "d")
    assert path.read_text() == "puzzles"
    write(path)
    assert path.read_bytes() == DATA


def test_checks_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "loose").symlink_to("nowhere/at/all")
    for path in ("new", "file", "loose", "-", "/dev/null"):
        check_output(path)
    for path in ("new", "new/newer/newest", "."):
        check_folder(path)
    for path in ("", "file", "file/in", "loose", "a\0b"):
        with pytest.raises(FileError):
            check_folder(path)
    assert files(tmp_path) == ["file", "loose"]


def test_an_error_of_another_file_keeps_its_name(target):
    with pytest.raises(FileNotFoundError) as told, open_output(str(target)):
        os.listdir("nowhere/else")
    assert told.value.filename == "nowhere/else"
    assert files(target.parent) == []


# A terminal --------------------------------------------------------------------------------------


def shown_on(screen, pieces, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", screen)
        with open_output("-", **options) as stream:
            for piece in pieces:
                stream.write(piece)
    return screen.buffer.getvalue()


@given(st.lists(st.binary(max_size=20)), st.sampled_from(["utf-8", "latin-1", "ascii"]))
def test_a_terminal_gets_nothing_to_act_on(pieces, encoding):
    """However the text is cut; what is printable comes out as it is."""
    text = shown_on(Screen(encoding), pieces).decode(encoding)
    assert all(c.isprintable() for c in text if c not in "\n\t")
    assert text == shown_on(Screen(encoding), [b"".join(pieces)]).decode(encoding)
    plain = b"".join(pieces).decode(encoding, errors="backslashreplace")
    if all(c.isprintable() or c in "\n\t" for c in plain):
        assert text == plain


def test_half_a_letter_waits_for_the_rest():
    assert shown_on(Screen(), ["ä".encode()[:1], "ä".encode()[1:]]).decode() == "ä"
    assert shown_on(Screen(), [b"a\xc3"]) == b"a\\xc3"
    assert shown_on(Screen("latin-1"), ["ۛ".encode()]) == b"\xdb\\x9b"  # a control in Latin-1


def test_what_is_safe_keeps_its_colours(capfdbinary):
    assert shown_on(Screen(), [b"\x1b[1mbold"], safe=True) == b"\x1b[1mbold"
    with open_output("-") as stream:  # no terminal: bytes as they are
        stream.write(b"\x1b[1m")
    assert capfdbinary.readouterr().out == b"\x1b[1m"


def test_an_open_file_is_deleted_where_only_closed_ones_can_be(tmp_path, monkeypatch):
    """As on Windows."""
    path, unlink = tmp_path / "journal", os.unlink
    with open(path, "wb") as file:

        def refuse(name):
            if not file.closed:
                raise PermissionError(name)
            unlink(name)

        monkeypatch.setattr(os, "unlink", refuse)
        outputs.remove_open(str(path), file)
        assert file.closed
        assert not path.exists()


# Forms -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path, form",
    [
        ("-", "line"),
        ("out", "line"),
        ("out.txt", "line"),
        ("npz", "line"),
        (".csv", "line"),
        ("a.b/out", "line"),
        ("a.b/out.csv", "csv"),
        ("out.CSV", "csv"),
        ("out.csv.zst", "csv"),
        ("out.jsonl.GZ", "jsonl"),
        ("out.gz", "line"),
        ("x.npz", "npz"),
    ],
)
def test_the_ending_tells_the_form(path, form):
    assert form_of(path, ("line", "csv", "jsonl", "npz")) == form


@pytest.mark.parametrize(
    "path, message",
    [
        ("out.xlsx", r"out\.xlsx: ending \.xlsx: expected \.txt, \.sdm, \.csv, \.parquet or none"),
        ("out.parqet", r"ending \.parqet: did you mean '\.parquet'\? expected"),
        ("out.csv.bak", r"ending \.bak"),
        ("out.csv.lz4", r"ending \.lz4"),
    ],
)
def test_another_ending_is_refused_with_those_there_are(path, message):
    with pytest.raises(FileError, match=message):
        form_of(path, ("line", "csv", "parquet"))


def test_a_form_that_needs_an_ending_gets_one_but_on_standard_output():
    with pytest.raises(FileError, match=r"^out: no ending: expected \.csv or \.tsv"):
        form_of("out", ("csv", "tsv"))
    assert form_of("-", ("csv", "tsv")) == "csv"


def test_the_form_asked_for_holds_whatever_the_ending():
    assert form_of("out.xlsx", ("line", "csv"), "csv") == "csv"
    for form in ("parquet", "npz", "npy"):
        with pytest.raises(FileError, match=f"{form} cannot be written to standard output"):
            form_of("-", (form,), form)
    for name in ("a.npz.gz", "a.npy.xz", "a.trees.zst"):
        with pytest.raises(FileError, match="files are not packed: leave out"):
            form_of(name, ("npz", "npy", "trees"))


@pytest.mark.parametrize("kind", ["bytes", "text", "memory", "text in memory"])
def test_an_open_file_gets_the_bytes_as_they_are(kind, tmp_path):
    path = tmp_path / "out.txt.gz"  # which packs what is written by name
    opened = {
        "bytes": partial(open, path, "wb"),
        "text": partial(open, path, "w", encoding="utf-8", newline=""),
        "memory": io.BytesIO,
        "text in memory": io.StringIO,
    }
    with opened[kind]() as file:
        with open_output(file) as out:
            for byte in DATA:  # also halves of letters
                out.write(bytes([byte]))
        assert not file.closed
        found = file.getvalue() if "memory" in kind else path.read_bytes()
    assert found == (TEXT if kind == "text in memory" else DATA)
