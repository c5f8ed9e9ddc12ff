"""A power cut between any two calls of `batch --resume`: the same command still ends the same.

The calls are recorded by a library that is preloaded; see `tests/support/power_cuts.py`.
"""

import random
import sys

import pytest
from examples import PUZZLES
from power_cuts import Start, applied, certain, compile_recorder, disks, recorded

from satdoku.batch import files
from satdoku.batch.journal import Journal
from satdoku.cli import main

LINES = (PUZZLES / "generated-1000.txt").read_text().splitlines()
CHUNK, PUZZLE_COUNT = 4, 16
SCRIPT = f"""
import sys
from satdoku.batch import journal
from satdoku.cli import main
from satdoku.batch import files
files.CHUNK_PUZZLES["engine"] = {CHUNK}
journal.SYNC_SECONDS = float(sys.argv[1])
sys.exit(main(sys.argv[2:]))
"""
HEADER, HEAD, ROW = 72, 68, 91  # bytes of the journal, of a record, and of each of its puzzles


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if not sys.platform.startswith("linux"):
        pytest.skip("needs LD_PRELOAD")
    built = compile_recorder(tmp_path_factory.mktemp("recorder"))
    return built or pytest.skip("needs a C compiler")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folders of the input, of the recorded run and of the resumed ones."""
    monkeypatch.setitem(files.CHUNK_PUZZLES, "engine", CHUNK)
    for name in ("run", "cut"):
        (tmp_path / name).mkdir()
    lines = [line for line in LINES if line[0] != "#"]
    (tmp_path / "in.txt").write_text("\n".join(lines[:PUZZLE_COUNT]))
    assert main(["batch", str(tmp_path / "in.txt"), "-o", str(tmp_path / "whole"), "-q"]) == 0
    return tmp_path


def arguments(place, folder):
    return ["batch", str(place / "in.txt"), "-o", str(place / folder / "out"), "-qw1", "--resume"]


def lay(folder, disk):
    for path in folder.iterdir():
        path.unlink()
    for name, data in disk.items():
        (folder / name).write_bytes(data)


def records(journal):
    """The ends of the whole records of a journal, with the number of puzzles up to there."""
    end, puzzles = HEADER, 0
    while end < len(journal):
        count = int.from_bytes(journal[end : end + 4], "little")
        end, puzzles = end + HEAD + count * ROW, puzzles + count
        if end <= len(journal):
            yield end, puzzles


def sure_puzzles(start, calls):
    """How many puzzles of the journal were on the disk for sure."""
    journal = applied(start, calls, certain(calls)).get("out.journal", b"")
    return max((puzzles for _, puzzles in records(journal)), default=0)


def check_cuts(place, start, calls, monkeypatch):
    """Cut behind every call; returns the number of different disks."""
    whole, before = (place / "whole").read_bytes(), start.files.get(start.names.get("out"))
    solved, seen, rng = [], set(), random.Random(1)
    append = Journal.append

    def count(journal, chunk, result):
        solved.extend(chunk.lines)
        append(journal, chunk, result)

    monkeypatch.setattr(Journal, "append", count)
    for end in range(len(calls) + 1):
        kept = sure_puzzles(start, calls[:end])
        for disk in disks(start, calls[:end], rng):
            state = (frozenset(disk.items()), kept)
            if state in seen:
                continue
            seen.add(state)
            assert disk.get("out") in (before, whole)
            lay(place / "cut", disk)
            solved.clear()
            assert main(arguments(place, "cut")) == 0
            assert (place / "cut" / "out").read_bytes() == whole
            assert not (place / "cut" / "out.journal").exists()
            assert disk.get("out") == whole or len(solved) <= PUZZLE_COUNT - kept
    assert applied(start, calls, certain(calls)).get("out") == whole  # told done is done
    assert "out.journal" not in applied(start, calls, certain(calls))
    return len(seen)


@pytest.mark.covering
@pytest.mark.parametrize("seconds", ["0", "1000"])
@pytest.mark.parametrize("before", [None, b"the answers of last year"])
def test_a_run_may_be_cut_between_any_two_calls(library, place, seconds, before, monkeypatch):
    if before:
        (place / "run" / "out").write_bytes(before)
    start = Start.of(place / "run")
    # -P: the package that is installed, not the one in the working folder.
    command = [sys.executable, "-P", "-c", SCRIPT, seconds, *arguments(place, "run")]
    calls = recorded(library, place / "run", place / "log", command)
    assert (place / "run" / "out").read_bytes() == (place / "whole").read_bytes()
    kinds = [call.kind for call in calls]
    assert {"create", "write", "sync", "link", "rename", "unlink", "syncfolder"} <= set(kinds)
    renamed = kinds.index("rename")
    assert sure_puzzles(start, calls[:renamed]) == (0 if int(seconds) else PUZZLE_COUNT)
    found = check_cuts(place, start, calls, monkeypatch)
    print(f"{len(calls)} calls, {found} different disks")
    assert found > 30


def test_a_resumed_run_may_be_cut_again(library, place, monkeypatch):
    """It finds two records, and a third that is torn."""
    folder = place / "run"
    command = [sys.executable, "-P", "-c", SCRIPT, "0", *arguments(place, "run")]
    calls = recorded(library, folder, place / "log", command)
    made = next(call.inode for call in calls if call.new_name == "out.journal")
    journal = b"".join(call.data for call in calls if call.inode == made)
    (folder / "out").unlink()
    (_, _), (end, _), *_ = records(journal)
    (folder / "out.journal").write_bytes(journal[: end + 100])
    start = Start.of(folder)
    again = recorded(library, folder, place / "log again", command)
    assert "truncate" in [call.kind for call in again]
    assert check_cuts(place, start, again, monkeypatch) > 20
