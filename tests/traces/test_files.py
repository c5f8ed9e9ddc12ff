"""Traces of files: rows in order, bad ones told, journals that change nothing."""

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest
from examples import CLASSIC
from trace_cases import CHAINS, PAIRS, SEVERAL

from satdoku import ReadOptions, Tracing, explain_batch, explain_files
from satdoku.batch.journal import JournalError
from satdoku.files.streams import FileError
from satdoku.runtime.errors import SatdokuError
from satdoku.traces import files as trace_files

ROWS = ["id,puzzle,rules", f"a,{PAIRS},", "b,what,", f"c,{SEVERAL},knight", f"d,{CHAINS},",
        "e,....2.4........1,shape=4x4;knight", f"f,{PAIRS},bogus", f"g,{CLASSIC},"]  # fmt: skip


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "in.txt"
    path.write_text("".join(f"{puzzle}\n" for puzzle in [PAIRS, CLASSIC, SEVERAL] * 50))
    return str(path)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_rows_come_out_in_order_and_bad_ones_say_why(tmp_path):
    path, out = tmp_path / "in.csv", tmp_path / "out.jsonl"
    path.write_text("\n".join(ROWS))
    messages = []
    run = trace_files.Run([str(path)], str(out), Tracing(), on_message=messages.append)
    counts = run.go()
    found = lines(out)
    assert [(row["line"], row["id"], row["file"]) for row in found] == [
        (line, id, str(path)) for line, id in enumerate("abcdefg", 2)
    ]
    assert [row["status"] for row in found] == [
        "unique", "invalid", "multiple", "unique", "unique", "invalid", "unique",
    ]  # fmt: skip
    errors = [row["error"] for row in found if "error" in row]
    assert list(map(str, messages)) == errors and len(errors) == 2
    assert all(
        error.startswith(f"{path}: line {n}") for error, n in zip(errors, (3, 7), strict=True)
    )
    assert "no rule 'bogus'" in errors[1]
    (alone,) = explain_batch(CHAINS)
    assert found[3] == {"file": str(path), "line": 5, "id": "d", **alone}
    assert (counts["puzzles"], counts["unreadable"], counts["rows_read"]) == (7, 2, 7)


def test_rules_of_a_row_are_its_own(tmp_path):
    path, out = tmp_path / "in.csv", tmp_path / "out.jsonl"
    grid = "....2.4........1"
    path.write_text(f"puzzle,rules\n{grid},shape=4x4;knight\n{grid},shape=4x4\n")
    explain_files(str(path), str(out))
    one, other = lines(out)
    (alone,) = explain_batch(grid, "shape=4x4;knight")
    assert one["steps"] == alone["steps"]
    assert other["status"] == "multiple"


def test_workers_endings_and_steps(path, tmp_path):
    one, two, steps = (tmp_path / name for name in ("1.jsonl", "2.jsonl.gz", "3.jsonl"))
    explain_files(path, str(one), workers=1, tracing=Tracing(compact=True))
    explain_files(path, str(two), workers=2, tracing=Tracing(compact=True))
    assert gzip.decompress(two.read_bytes()) == one.read_bytes()
    explain_files(path, str(steps), tracing=Tracing(by_step=True, compact=True))
    told = [len(row.get("steps", [0])) for row in lines(one)]
    assert len(lines(steps)) == sum(told)
    numbers = [row.get("step", 1) for row in lines(steps)]
    assert numbers == [n for count in told for n in range(1, count + 1)]


def test_a_run_that_was_stopped_goes_on(path, tmp_path, monkeypatch):
    plain, resumed = tmp_path / "plain.jsonl", tmp_path / "resumed.jsonl"
    explain_files(path, str(plain), workers=1)
    made = trace_files.trace_chunks
    monkeypatch.setattr(
        trace_files, "trace_chunks", lambda *what, **more: broken(made(*what, **more), 2)
    )
    with pytest.raises(KeyboardInterrupt):
        explain_files(path, str(resumed), workers=1, tracing=Tracing(resume=True))
    journal = tmp_path / "resumed.jsonl.journal"
    assert journal.exists() and not resumed.exists()
    traced = []
    monkeypatch.setattr(
        trace_files, "trace_chunks", lambda *what, **more: counted(made(*what, **more), traced)
    )
    explain_files(path, str(resumed), workers=1, tracing=Tracing(resume=True))
    assert resumed.read_bytes() == plain.read_bytes()
    assert 0 < sum(traced) < 150 and not journal.exists()


def test_workers_compress_piece_by_piece_and_a_journal_keeps_the_pieces(
    path, tmp_path, monkeypatch
):
    plain, one, two, resumed = (tmp_path / f"{n}.jsonl.gz" for n in ("plain", "one", "two", "on"))
    explain_files(path, str(plain.with_suffix("")), workers=1)
    explain_files(path, str(one), workers=1)
    explain_files(path, str(two), workers=2)
    assert one.read_bytes() == two.read_bytes()
    assert gzip.decompress(one.read_bytes()) == plain.with_suffix("").read_bytes()
    made = trace_files.trace_chunks
    stopped = lambda *what, **more: broken(made(*what, **more), 2)  # noqa: E731
    monkeypatch.setattr(trace_files, "trace_chunks", stopped)
    with pytest.raises(KeyboardInterrupt):
        explain_files(path, str(resumed), workers=1, tracing=Tracing(resume=True))
    with pytest.raises(KeyboardInterrupt) as stop:
        explain_files(path, str(plain), workers=1)
    (note,) = stop.value.__notes__
    begun = gzip.decompress(Path(note.split()[-1]).read_bytes())  # whole members
    assert begun and plain.with_suffix("").read_bytes().startswith(begun)
    monkeypatch.setattr(trace_files, "trace_chunks", made)
    explain_files(path, str(resumed), workers=2, tracing=Tracing(resume=True))
    assert resumed.read_bytes() == one.read_bytes()
    head = one.read_bytes()[:3]
    assert one.read_bytes().count(head) > 1  # a member for each piece


def broken(traced, count):
    yield from islice(traced, count)
    raise KeyboardInterrupt


def counted(traced, rows):
    for chunk, found in traced:
        rows.append(chunk.rows)
        yield chunk, found


def interrupt(path, out, monkeypatch):
    """A run with a journal that is broken off behind its first chunk."""
    made = trace_files.trace_chunks
    monkeypatch.setattr(
        trace_files, "trace_chunks", lambda *what, **more: broken(made(*what, **more), 1)
    )
    with pytest.raises(KeyboardInterrupt):
        explain_files(path, out, workers=1, tracing=Tracing(resume=True))


@pytest.mark.parametrize(
    ("other", "rules"), [({"compact": True}, None), ({"verify": True}, None), ({}, "diagonal")]
)
def test_a_journal_of_other_options_is_refused(path, tmp_path, monkeypatch, other, rules):
    out = str(tmp_path / "out.jsonl")
    interrupt(path, out, monkeypatch)
    with pytest.raises(JournalError, match="not a journal of the same task, with the same options"):
        explain_files(path, out, workers=1, tracing=Tracing(resume=True, **other), rules=rules)


def test_a_journal_of_other_puzzles_is_refused(path, tmp_path, monkeypatch):
    out = str(tmp_path / "out.jsonl")
    interrupt(path, out, monkeypatch)
    with open(path, "r+") as file:
        file.write(CLASSIC)
    with pytest.raises(JournalError, match="a journal of other puzzles"):
        explain_files(path, out, workers=1, tracing=Tracing(resume=True))


def test_a_file_without_a_puzzle_and_pencil_marks(tmp_path):
    empty, marks, out = (tmp_path / name for name in ("empty.txt", "marks.txt", "out.jsonl"))
    empty.write_text("")
    with pytest.raises(FileError, match="holds no puzzle"):
        explain_files(str(empty), str(out))
    marks.write_text("123456789" * 81 + "\n")
    explain_files(str(marks), str(out), reading=ReadOptions("marks"))
    (row,) = lines(out)
    assert row["status"] == "invalid" and "line 1: pencil marks" in row["error"]
    with pytest.raises(SatdokuError):
        explain_files(str(tmp_path / "no"), str(out))
