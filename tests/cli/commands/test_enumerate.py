"""The command `enumerate`: each solution once, most often in ascending order."""

import csv
import json
import subprocess
import sys

import numpy as np
import pytest
from command_cases import NONE
from large_puzzles import SEVERAL, UNIQUE, file_of_both
from loaded_modules import modules_of, within

from satdoku.cli import main
from satdoku.engine.targets import TARGETS

EMPTY = "." * 81
FIRST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"


def test_enumerate_prints_each_solution_once(run, four_by_four):
    code, out, _ = run("enumerate", "." * 16)
    assert code == 0
    assert out.split() == sorted("".join(map(str, grid)) for grid in four_by_four)
    code, out, _ = run("enumerate", "." * 16, "--limit", 5)
    assert (code, len(set(out.split()))) == (0, 5)
    assert run("enumerate", NONE) == (1, "", "")


def test_the_backends_print_the_same_set(run):
    words = ("enumerate", EMPTY, "--rules", "miracle")
    by_default = run(*words)[1].split()
    assert (len(by_default), by_default) == (72, sorted(by_default))
    assert run(*words, "--backend", "engine")[1].split() == by_default
    assert sorted(run(*words, "--backend", "session")[1].split()) == by_default
    fours = run("enumerate", "1" + "." * 15)[1].split()
    for option in (["--encoding", "log"], ["--solver", "minisat22"]):
        assert sorted(run("enumerate", "1" + "." * 15, *option)[1].split()) == fours


def test_a_run_goes_on_behind_a_grid(run):
    whole = run("enumerate", EMPTY, "--limit", 900)[1].split()
    assert (whole[0], whole) == (FIRST, sorted(whole))
    more = run("enumerate", EMPTY, "--limit", 400, "--after", whole[499])[1].split()
    assert more == whole[500:]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--after", "123"], "--after: "),
        (["--after", EMPTY], "after: expected 81 digits from 1 to 9"),
        (["--after", FIRST, "--backend", "session"], "a session lists in no order"),
        (["--count", "-o", "OUT"], "--count writes no solutions: leave out -o"),
        (["-o", "OUT.npy.gz"], "npy files are not packed: leave out .gz"),
    ],
)
def test_what_cannot_be_asked_is_refused(run, option, message, tmp_path):
    words = [word.replace("OUT", str(tmp_path / "out")) for word in option]
    code, out, err = run("enumerate", EMPTY, "--limit", 3, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert not list(tmp_path.iterdir())


def test_files_have_the_same_solutions_in_every_form(run, tmp_path):
    puzzle = f"{FIRST[:36]}{'.' * 45}"
    paths = [tmp_path / f"out.{ending}" for ending in ("txt", "csv", "jsonl", "npy", "txt.gz")]
    for path in paths:
        code, out, err = run("enumerate", puzzle, "--limit", 2000, "-o", path)
        assert (code, out) == (0, "")
        assert "satdoku: 2,000 grids in " in err and "each verified" in err
    expected = run("enumerate", puzzle, "--limit", 2000)[1].split()
    assert paths[0].read_text().split() == expected
    rows = list(csv.DictReader(paths[1].open()))
    assert [row["solution"] for row in rows] == expected
    records = [json.loads(line) for line in paths[2].open()]
    assert [record["solution"] for record in records] == expected
    assert {row["puzzle"] for row in rows + records} == {puzzle}
    assert ["".join(map(str, row)) for row in np.load(paths[3])] == expected
    assert run("enumerate", puzzle, "--limit", 2000, "--json", "-q")[1] == paths[2].read_text()


def test_only_the_number_may_be_printed(run):
    words = ("enumerate", "--count")
    assert run(*words, "." * 16) == (0, "288\n", "")
    assert run(*words, EMPTY, "--limit", 700) == (0, ">=700\n", "")
    assert run(*words, NONE) == (1, "0\n", "")
    record = json.loads(run(*words, "." * 16, "--json")[1])
    assert (record["count"], record["kind"]) == (288, "exact")


def test_time_ends_a_listing_and_says_where_to_go_on(run, monkeypatch):
    from itertools import count

    clock = count()
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    code, out, err = run("enumerate", EMPTY, "--timeout", 400)
    grids = out.split()
    assert (code, grids) == (1, sorted(set(grids)))
    assert f"timed out after 400 s: {len(grids):,} solutions; go on with --after {grids[-1]}" in err
    _, out, err = run("enumerate", EMPTY, "--timeout", 400, "--backend", "session")
    last = f"satdoku: timed out after 400 s: {len(out.split()):,} solutions"
    assert err.splitlines()[-1] == last  # behind lines that say how far it is


@pytest.mark.skipif(not TARGETS, reason="needs the kernel")
def test_few_solutions_load_neither_numpy_nor_a_solver():
    loaded = modules_of("enumerate", f"{FIRST[:60]}{'.' * 21}")
    assert not within(loaded, "numpy", "pysat")


def test_no_line_is_torn_where_a_reader_goes_away():
    command = f"{sys.executable} -m satdoku enumerate {EMPTY} | head -n 20000"
    done = subprocess.run(
        ["bash", "-c", f"{command}; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    *lines, code = done.stdout.splitlines()
    assert (len(lines), {len(line) for line in lines}, done.stderr) == (20000, {81}, "")
    assert (lines, code) == (sorted(lines), "141")


def test_solutions_of_large_puzzles(tmp_path, capsys):
    both = file_of_both(tmp_path)
    assert main(["enumerate", "-f", "line", "--limit", "3", both]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(set(lines)) == 4
    assert main(["enumerate", "--count", f"{UNIQUE}"]) == 0
    assert main(["enumerate", "--limit", "2", f"{SEVERAL}", "-o", f"{tmp_path}/two.npy"]) == 0
    assert capsys.readouterr().out == "1\n"
    grids = np.load(tmp_path / "two.npy")
    assert grids.shape == (2, 1296)
    assert all((grid[given > 0] == given[given > 0]).all()
               for given in [np.asarray(SEVERAL)] for grid in grids)  # fmt: skip


@pytest.mark.parametrize("option", [["--after", f"{UNIQUE}"], ["--backend", "engine"]])
def test_no_engine_lists_a_large_board(option, capsys):
    assert main(["enumerate", f"{UNIQUE}", *option]) == 2
    assert "a session lists a large board" in capsys.readouterr().err
