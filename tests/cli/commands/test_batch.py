"""`satdoku batch` as a process: resumed, out of disk, killed; and what its options do."""

import csv
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from loaded_modules import foreign, modules_of, within
from temporaries import parts

from satdoku.batch import files as module
from satdoku.cli import main
from satdoku.engine.targets import TARGETS
from satdoku.runtime import workers

GENERATED = (PUZZLES / "generated-1000.txt").read_text().splitlines()
LINES = [line for line in GENERATED if not line.startswith("#")]


@pytest.fixture
def run(capfd):
    """Run a command in this process: (exit code, stdout, stderr)."""

    def call(*arguments):
        code = main(["batch", *map(str, arguments)])
        return (code, *capfd.readouterr())

    return call


def process(collection, *arguments, **options):
    """The command in a process of its own; not in the sources, where another engine may be found
    than the one installed, to which a journal is foreign."""
    command = [sys.executable, "-m", "satdoku", "batch", *map(str, (collection, *arguments))]
    place = Path(collection).parent
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, cwd=place, **options
    )


@pytest.fixture
def collection(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text(
        "id,puzzle,rules\n" + f"a,{CLASSIC},\nb,{'.' * 81},knight\nc,x,\nd,{CLASSIC},kni\n"
    )
    return path


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_ids_rules_and_reasons_are_written(run, collection, tmp_path):
    out = tmp_path / "out.csv"
    code, _, err = run(collection, "-o", out, "-q")
    rows = rows_of(out)
    assert code == 2
    assert list(rows[0]) == ["line", "id", "puzzle", "rules", "status", "solution", "reason"]
    assert [row["status"] for row in rows] == ["unique", "multiple", "invalid", "invalid"]
    assert [row["id"] for row in rows] == list("abcd")
    assert rows[0]["solution"] == CLASSIC_SOLUTION
    assert "line 4, column 3: found 1 cell, one of them 'x'" in rows[2]["reason"]
    assert "line 5: no rule 'kni'" in rows[3]["reason"]
    assert err.count("satdoku: ") == 2


CLASHING = [  # puzzle, rules, reason
    ("5.....5".ljust(81, "."), "", "r1c1=5 and r1c7=5 break the row rule"),
    (f"{'.' * 30}12{'.' * 49}", "nonconsecutive",
     "r4c4=1 and r4c5=2 break the nonconsecutive rule"),
]  # fmt: skip


@pytest.mark.parametrize("resume", [[], ["--resume"]])
def test_every_format_names_the_givens_that_clash(run, tmp_path, resume):
    path = tmp_path / "in.csv"
    lines = [f"{CLASSIC},", *(f"{puzzle},{rules}" for puzzle, rules, _ in CLASHING)]
    path.write_text("\n".join(["puzzle,rules", *lines]))
    reasons = [reason for _, _, reason in CLASHING]
    outs = {form: tmp_path / f"out.{form}" for form in ("line", "csv", "jsonl", "parquet")}
    for form, out in outs.items():
        assert run(path, "-q", "-o", out, "--format", form, *resume)[0] == 0
    assert outs["line"].read_text().splitlines()[1:] == [f"invalid {text}" for text in reasons]
    objects = [json.loads(line) for line in outs["jsonl"].read_text().splitlines()]
    rows = pyarrow.parquet.read_table(outs["parquet"]).to_pylist()
    for found in (rows_of(outs["csv"]), objects, rows):
        assert [row.get("reason", "") for row in found] == ["", *reasons]
        assert [row["puzzle"] for row in found[1:]] == [puzzle for puzzle, _, _ in CLASHING]


def test_columns_are_chosen_and_wrong_ones_refused(run, collection, tmp_path):
    out = tmp_path / "out.csv"
    run(collection, "-o", out, "-q", "--columns", "status, id,givens,nodes")
    assert [list(row.values())[:3] for row in rows_of(out)] == [
        ["unique", "a", "24"],
        ["multiple", "b", "0"],
        ["invalid", "c", "0"],
        ["invalid", "d", "24"],
    ]
    assert run(collection, "-q", "--columns", "id")[0] == 2
    code, _, err = run(collection, "-o", tmp_path / "o.csv", "--columns", "colour", "-q")
    assert (code, "no column 'colour' in csv: choose from file, line" in err) == (2, True)
    assert not (tmp_path / "o.csv").exists()


def test_ids_and_rules_of_later_files_are_not_lost(run, collection, tmp_path):
    first, out = tmp_path / "first.txt", tmp_path / "out.csv"
    first.write_text(f"{CLASSIC}\n")
    assert run(first, collection, tmp_path / "first.txt", "-o", out, "-q")[0] == 2
    assert [row["id"] for row in rows_of(out)] == ["", "a", "b", "c", "d", ""]
    assert [row["rules"] for row in rows_of(out)][:3] == ["", "", "knight"]
    _, _, err = run(first, collection, "-o", tmp_path / "out.npz", "-q")
    assert "satdoku: npz has no file, id, rules; csv, tsv, jsonl, parquet have\n" in err


def test_many_files_are_one_collection(run, collection, tmp_path):
    more = tmp_path / "more.txt"
    more.write_text(f"{CLASSIC}\n")
    out = tmp_path / "out.csv"
    run(collection, more, "-o", out, "-q", "--columns", "file,line,status")
    assert [tuple(row.values()) for row in rows_of(out)][-2:] == [
        (str(collection), "5", "invalid"),
        (str(more), "1", "unique"),
    ]


@pytest.mark.parametrize("missing", ["nowhere.txt", "hollow"])
def test_a_file_that_cannot_be_read_is_noticed_before_anything_is_written(
    run, collection, tmp_path, monkeypatch, missing
):
    """Of standard input nothing is taken: the next run may have it."""
    out, summary = tmp_path / "out.csv", tmp_path / "summary"
    out.write_text("before")
    (tmp_path / "hollow").mkdir()
    (tmp_path / "out.csv.journal").write_text("satdoku2 of another run")
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(CLASSIC.encode())))
    monkeypatch.setattr(sys, "stdin", stdin)
    names = ["-", collection, tmp_path / missing]
    code, _, err = run(*names, "-o", out, "--resume", "--summary", summary)
    reason = "holds no file" if missing == "hollow" else "No such file or directory"
    assert (code, err) == (2, f"satdoku: {tmp_path / missing}: {reason}\n")
    assert out.read_text() == "before"
    assert (tmp_path / "out.csv.journal").read_text() == "satdoku2 of another run"
    assert not summary.exists()
    assert stdin.read() == CLASSIC


def test_columns_of_the_input_by_name_or_number(run, tmp_path):
    path = tmp_path / "in.csv"
    path.write_text(f"board,x\n{CLASSIC},1\n")
    assert run(path, "-q", "--column", "puzzle=board")[1] == f"unique {CLASSIC_SOLUTION}\n"
    path.write_text(f"{CLASSIC};{'.' * 81}\n")
    assert run(path, "-q", "--column", "puzzle=2")[1].startswith("multiple ")
    code, _, err = run(path, "-q", "--column", "puzzle=board")
    assert (code, "no columns puzzle=board in which a puzzle stands" in err) == (2, True)
    code, _, err = run(path, "-q", "--column", "board")
    assert (code, "expected ROLE=NAME" in err) == (2, True)


def test_a_format_can_be_forced(run, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{CLASSIC}\n")
    assert run(path, "-q", "--input-format", "lines")[1] == f"unique {CLASSIC_SOLUTION}\n"
    code, _, err = run(path, "-q", "--input-format", "npy")
    assert (code, "no numpy array that can be read" in err) == (2, True)


def test_the_summary_is_json_too(run, collection, tmp_path):
    summary = tmp_path / "summary.json"
    _, _, err = run(collection, "--summary", summary, "-o", tmp_path / "o")
    told = json.loads(summary.read_text())
    assert told["statuses"] == {"unique": 1, "multiple": 1, "invalid": 2}
    assert (told["puzzles"], told["unreadable"]) == (4, 2)
    assert (told["rows_read"], told["rows_written"]) == (4, 4)
    assert "4 puzzles: 1 unique, 1 multiple, 2 invalid\n" in err
    assert err.endswith("\n4 rows read, 4 written, 2 of them unreadable\n")


def test_the_summary_of_one_puzzle_is_about_one(run, file):
    err = run(file(f"{CLASSIC}\n"))[2]
    assert err.startswith("1 puzzle: 1 unique\n")
    assert err.endswith("\n1 row read, 1 written, 0 of them unreadable\n")


@pytest.mark.parametrize("executor", ["thread", "process"])
def test_executors_change_nothing(run, tmp_path, executor):
    path = tmp_path / "in.txt"
    path.write_text("\n".join(LINES))
    alone = run(path, "-q", "-w", 1)[1]
    assert run(path, "-q", "--executor", executor, "-w", 2)[1] == alone


def test_many_rows_with_rules_of_their_own_are_shared_by_processes(run, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MANY_ALONE", 90)
    opened, pool = [], workers.Workers
    monkeypatch.setattr(workers, "Workers", lambda *asked: opened.append(asked[0]) or pool(*asked))
    path = tmp_path / "in.csv"
    clues = [f"cage:r1c{i % 9 + 1},r{i // 9 + 2}c1" for i in range(60)]
    rows = [*clues, "kni", *(f"{clue};knight" for clue in clues[:30])]
    path.write_text("puzzle,rules\n" + "".join(f'{CLASSIC},"{rules}"\n' for rules in rows))
    alone, shared = (run(path, "-q", "-w", count) for count in (1, 2))
    assert shared == alone and "in.csv: line 62: " in alone[2]
    assert opened == ["process:2"]


def test_an_unknown_executor_is_refused(run, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(CLASSIC)
    code, _, err = run(path, "-q", "--executor", "gpu")
    assert (code, "no executor 'gpu'" in err) == (2, True)


# Resumed -----------------------------------------------------------------------------------------


@pytest.fixture
def slow_collection(tmp_path):
    """Enough for a second or two of CDCL, in chunks of 512."""
    path = tmp_path / "slow.txt"
    path.write_text("\n".join(LINES * 2))
    return path


SLOW = ("-q", "--backend", "session", "--resume", "-w", "1")


def start(collection, out):
    """From a folder without sources: what is installed, with its kernel, as in this process."""
    command = [sys.executable, "-m", "satdoku", "batch", str(collection), "-o", str(out), *SLOW]
    return subprocess.Popen(command, cwd=collection.parent)


def killed_runs(collection, out, times, seed):
    """Start the batch again and again, killed at random moments; how many were cut short."""
    rng = random.Random(seed)
    cut = 0
    for _ in range(times):
        running = start(collection, out)
        time.sleep(0.5 + 0.5 * rng.random())
        running.send_signal(signal.SIGKILL)
        cut += running.wait() == -signal.SIGKILL
        if out.exists():
            break
    return cut


@pytest.mark.parametrize("name", ["out.csv.gz", "out.npz"])
def test_a_run_that_was_killed_goes_on(run, slow_collection, tmp_path, name):
    """Killed as soon as the first chunk of 512 puzzles is kept, long before the fourth is; what it
    should be comes from the engine, which is quick and gives the same."""
    out, journal = tmp_path / name, tmp_path / f"{name}.journal"
    running = start(slow_collection, out)
    while not journal.exists() or journal.stat().st_size < 512 * 90:
        assert running.poll() is None
        time.sleep(0.005)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    kept = journal.read_bytes()
    assert not out.exists()
    assert run(slow_collection, "-o", out, *SLOW)[0] == 0
    assert run(slow_collection, "-o", tmp_path / f"ref-{name}", "-q", "-w", "1")[0] == 0
    assert out.read_bytes() == (tmp_path / f"ref-{name}").read_bytes()
    assert len(kept) < 3 * 512 * 91
    assert not journal.exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.txt", "out.csv", "out.parquet"])
def test_a_run_that_was_killed_twenty_times(tmp_path, name):
    """Prints how many runs were cut short, and how long the uninterrupted one took."""
    collection, out = tmp_path / "in.txt", tmp_path / name
    collection.write_text("\n".join(LINES * 40))
    start = time.monotonic()
    assert process(collection, "-o", tmp_path / f"ref-{name}", *SLOW[:3]).returncode == 0
    seconds = time.monotonic() - start
    cut = killed_runs(collection, out, 20, name)
    print(f"{name}: {cut} runs killed; {seconds:.1f} s without interruption")
    assert cut >= 10
    assert process(collection, "-o", out, *SLOW).returncode == 0
    assert out.read_bytes() == (tmp_path / f"ref-{name}").read_bytes()
    assert not (tmp_path / f"{name}.journal").exists()


def test_resuming_needs_a_file(run, collection):
    code, _, err = run(collection, "--resume", "-q")
    assert (code, "--resume needs an output file" in err) == (2, True)


def test_a_foreign_journal_is_left_alone(tmp_path):
    collection = tmp_path / "in.txt"
    collection.write_text("\n".join(LINES[:20]))
    journal = tmp_path / "out.txt.journal"
    journal.write_bytes(b"x" * 100)
    done = process(collection, "-o", tmp_path / "out.txt", "--resume")
    assert done.returncode == 2
    assert "not a journal of this program: remove it to start again" in done.stderr
    assert journal.read_bytes() == b"x" * 100
    assert not (tmp_path / "out.txt").exists()


# Out of disk -------------------------------------------------------------------------------------


def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


@pytest.mark.covering
@pytest.mark.parametrize("name", ["out.txt", "out.csv", "out.parquet", "out.npz"])
@pytest.mark.parametrize("resume", [[], ["--resume"]])
def test_a_full_disk_is_said_and_leaves_what_was_there(tmp_path, name, resume):
    collection, out = tmp_path / "in.txt", tmp_path / name
    collection.write_text("\n".join(LINES))
    out.write_text("before")
    done = process(collection, "-o", out, "-q", *resume, preexec_fn=small_files)
    assert done.returncode == 2
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert out.read_text() == "before"
    assert parts(out) == []


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of 64 kB, where we may mount one."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("needs the right to mount")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_full_for_real(tiny_disk, tmp_path):
    collection, out = tmp_path / "in.txt", tiny_disk / "out.txt"
    collection.write_text("\n".join(LINES))
    out.write_text("before")
    done = process(collection, "-o", out, "-q")
    assert (done.returncode, "No space left" in done.stderr) == (2, True)
    assert os.listdir(tiny_disk) == ["out.txt"]
    assert out.read_text() == "before"


# All formats of output say the same ---------------------------------------------------------------


def test_formats_agree(run, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("\n".join([*LINES[:50], "." * 81, "12"]))
    outs = {form: tmp_path / f"out.{form}" for form in ("csv", "jsonl", "parquet", "npz")}
    for out in outs.values():
        assert run(path, "-q", "-o", out)[0] == 2
    by_csv = rows_of(outs["csv"])
    by_json = [json.loads(line) for line in outs["jsonl"].read_text().splitlines()]
    table = pyarrow.parquet.read_table(outs["parquet"]).to_pylist()
    assert [{k: str(v) for k, v in row.items()} for row in table] == by_csv
    assert [{k: str(v) for k, v in row.items() if v} for row in table] == [
        {k: str(v) for k, v in row.items() if v} for row in by_json
    ]
    with np.load(outs["npz"]) as arrays:
        assert ["".join(map(str, row)) for row in arrays["solutions"]][:51] == [
            row["solution"] for row in by_csv[:51]
        ]


@pytest.mark.slow
def test_ten_million_lines_stay_below_600_megabytes(tmp_path):
    """Prints the peak memory of a run with two workers."""
    path = tmp_path / "big.txt"
    block = "\n".join(LINES) + "\n"
    with open(path, "w") as file:
        for _ in range(10_000):
            file.write(block)
    script = (
        "import resource, sys; from satdoku.cli import main\n"
        "code = main(sys.argv[1:])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(code)"
    )
    out = tmp_path / "out.txt"
    command = [sys.executable, "-c", script, "batch", str(path), "-o", str(out), "-w", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    peak = int(done.stderr.splitlines()[-1]) / 1024
    print(f"peak {peak:.0f} MB; {' '.join(done.stderr.splitlines()[:-1])}")
    assert "10,000,000 puzzles: 10,000,000 unique" in done.stderr
    assert out.stat().st_size == 10_000_000 * len(f"unique {CLASSIC}\n")
    assert peak < 600


# What a run loads --------------------------------------------------------------------------------


def test_a_small_batch_loads_what_it_needs_alone(tmp_path):
    """No certifier, no solver, no worker processes, no journal, no progress bar; and for a list in
    the plainest notation no numpy."""
    path = tmp_path / "in.txt"
    path.write_text(f"{CLASSIC}\n")
    out = str(tmp_path / "out.txt")
    loaded = modules_of("batch", str(path), "-o", out)
    arrays = modules_of("batch", str(path), "-o", out, "-f", "csv")
    assert {"satdoku.batch.solve", "satdoku.engine.api"} <= arrays
    unused = within(
        loaded | arrays,
        "satdoku.certificates",
        "satdoku.runtime.workers",
        "satdoku.batch.journal",
        "multiprocessing",
        "concurrent",
        "email",
        "logging",
    )
    assert unused == set()
    assert foreign(arrays) == {"numpy"}
    assert foreign(loaded) == (set() if TARGETS else {"numpy"})


def test_a_batch_that_certifies_loads_the_certifier(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{CLASSIC}\n")
    out = str(tmp_path / "out.txt")
    loaded = modules_of("batch", str(path), "-o", out, "--certify", "all", "-w", "1")
    assert "satdoku.certificates.make" in loaded
