"""Every command reads the same puzzles of a file: columns by name, each file opened once."""

import json
import subprocess
import sys

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.files.fpuzzles import format_fpuzzles
from satdoku.files.fpuzzles.links import load, save

P, A, E = CLASSIC, CLASSIC_SOLUTION, "." * 81


@pytest.fixture
def file(tmp_path):
    def write(text, name="file.csv", coding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(coding))
        return str(path)

    return write


def statuses(run, name):
    """What `check` and `batch` say of each puzzle of a file, which must be the same."""
    code, out, _ = run("check", name)
    batch, table, _ = run("batch", "-q", name, "-f", "csv", "--columns", "status")
    assert (code == 2) == (batch == 2)
    words = table.split()[1:]
    assert out.split() == [word for word in words if word != "invalid"]
    return words


def test_the_answer_of_a_row_is_not_its_puzzle(run, file):
    assert statuses(run, file(f"solutions,quizzes\n{A},{E}\n")) == ["multiple"]
    assert statuses(run, file(f"solutions,quizzes\n{A},{P}\n")) == ["unique"]


def test_a_short_puzzle_beside_a_good_answer_is_refused(run, file):
    name = file(f"quizzes,solutions\n{P[:79]},{A}\n")
    assert statuses(run, name) == ["invalid"]
    code, out, err = run("solve", name)
    assert (code, out) == (2, "")
    assert err.startswith(f"satdoku: {name}: line 2, column 80: found 79 cells, expected 81")


@pytest.mark.parametrize(
    ("command", "puzzle"), [("rate", P), ("candidates", E), ("solve", E), ("propagate", P)]
)
def test_columns_may_stand_in_any_order(run, file, command, puzzle):
    name = file(f"id,rating,solution,puzzle\na,1.5,{A},{puzzle}\n")
    assert run(command, name)[:2] == run(command, puzzle)[:2]
    assert run(command, name)[1] != run(command, A)[1]


def test_canonical_forms_are_those_of_the_puzzles(run, file):
    name = file(f"solution,puzzle\n{A},{P}\n")
    assert run("orbits", "--canonical", name) == run("orbits", "--canonical", P)
    assert run("orbits", "--canonical", name) != run("orbits", "--canonical", A)


def test_an_id_goes_into_the_answer(run, file):
    name = file(f"id,puzzle\nfirst,{P}\n")
    (line,) = run("check", "--json", name)[1].splitlines()
    found = json.loads(line)
    assert (found["id"], found["line"], found["status"]) == ("first", 2, "unique")


def test_rules_of_a_row_are_heeded_and_wrong_ones_cost_that_row(run, file):
    name = file(f"puzzle,rules\n{'.' * 16},\n{'.' * 16},nonsense\n{'.' * 16},diagonal\n")
    code, out, err = run("count", "--limit", "1000", name)
    assert (code, out.split()) == (2, ["288", "48"])
    assert f"{name}: line 3" in err and "nonsense" in err
    assert "Traceback" not in err


def test_an_audit_takes_rules_in_words_as_unreadable_unless_told_otherwise(run, file):
    value = load(format_fpuzzles(P)) | {"ruleset": "Digits on a thermometer increase."}
    name = file(f"{save(value)}\n")
    assert run("audit", "-q", name)[0] == 1
    assert run("audit", "-q", "--ignore-ruleset", name)[0] == 0
    assert run("batch", "-q", name)[0] == 2
    assert run("batch", "-q", "--ignore-ruleset", name)[:2] == (0, f"unique {A}\n")


def test_columns_and_formats_can_be_named(run, file):
    name = file(f"who,board\nme,{P}\n")
    assert run("solve", name, "--column", "puzzle=board")[:2] == (0, f"{A}\n")
    assert run("check", name, "--column", "puzzle=nothing")[0] == 2
    code, _, err = run("check", file("\n".join([P[:9]] * 2)), "--input-format", "lines")
    assert (code, err.count("found 9 cells")) == (2, 2)


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_named_whatever_wrote_the_file(run, file, coding, end):
    name = file(end.join([P, E, P + "1", ""]), coding=coding)
    assert statuses(run, name) == ["unique", "multiple", "invalid"]
    for command in ("check", "batch"):
        err = run(command, name)[2] if command == "check" else run(command, "-q", name)[2]
        assert f"{name}: line 3, column 82: found 82 cells" in err


def test_solve_reads_each_file_once(run, file, monkeypatch):
    names = [file(f"{P}\n", "a.txt"), file(f"{E}\n", "b.txt")]
    opened = []
    real = open
    monkeypatch.setattr(
        "builtins.open", lambda *args, **more: opened.append(args[0]) or real(*args, **more)
    )
    assert run("solve", *names)[0] == 0
    assert [name for name in opened if name in names] == names
    formula = file("p cnf 1 1\n1 0\n", "c.dimacs")
    assert run("solve", formula, "--dimacs-output")[0] == 10
    assert opened.count(formula) == 1


def test_one_puzzle_of_a_table_needs_no_numpy(file):
    name = file(f"id,rating,solution,puzzle\na,1.5,{A},{P}\n")
    code = (
        "import sys\nfrom satdoku.cli import main\n"
        f"for command in ('check', 'solve', 'candidates'): main([command, {name!r}])\n"
        "assert 'numpy' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"unique\n{A}\n")


@pytest.mark.parametrize("format", ["npy", "npz", "parquet"])
def test_arrays_are_read_by_every_command(run, tmp_path, format):
    """A result of batch is a collection again."""
    table = tmp_path / "in.csv"
    table.write_text(f"id,puzzle\na,{P}\nb,{E}\n")
    path = tmp_path / f"out.{format}"
    if format == "npy":
        import numpy as np

        np.save(path, np.array([list(map(int, P.replace(".", "0"))), [0] * 81], np.uint8))
    else:
        columns = "puzzle,solution,id" if format == "parquet" else "puzzle,solution"
        assert run("batch", "-q", table, "-o", path, "--columns", columns)[0] == 0
    assert statuses(run, str(path)) == ["unique", "multiple"]
