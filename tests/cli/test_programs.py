"""--solver-cmd: the commands that take it, and what it refuses."""

import json
import subprocess
import time
from pathlib import Path

import pytest
from examples import CLASSIC
from programs import Z3, Z3_CNF, says, script

FOUR = "1.....2....3.4.."
SOLUTION = "1234432121433412"


def test_solve_check_and_enumerate_ask_the_program(run):
    assert run("solve", "--solver-cmd", Z3_CNF, FOUR)[:2] == (0, SOLUTION + "\n")
    code, out, _ = run("solve", "--json", "--solver-cmd", Z3_CNF, FOUR)
    assert json.loads(out)["solved_by"] == Z3_CNF
    assert run("solve", "--solver-cmd", Z3_CNF, "123........4....")[:2] == (1, "none\n")
    assert run("check", "--solver-cmd", Z3_CNF, FOUR, "." * 16)[:2] == (1, "unique\nmultiple\n")
    code, out, _ = run("enumerate", "--limit", "3", "--solver-cmd", Z3_CNF, "." * 16)
    assert (code, len(set(out.split()))) == (0, 3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--solver-cmd", "kissat"], "expected {cnf}, {smt2} or {opb} for the file"),
        (["--solver-cmd", "no-such {cnf}"], "no-such is not on the PATH"),
        (["--solver-cmd", "echo {cnf}"], "no 's' line, expected s SATISFIABLE"),
        (["--memory", "3"], "--memory is for a program"),
        (["--solver-cmd", Z3_CNF, "--conflicts", "3"], "--conflicts limits no program"),
        (["--solver-cmd", Z3_CNF, "--encoding", "best"], "found encoding 'best', expected one of"),
    ],
)
def test_bad_usage_ends_with_2(run, options, said):
    code, out, err = run("solve", *options, FOUR)
    assert (code, out) == (2, "")
    assert said in err


def test_a_lie_is_a_fault(run):
    code, out, err = run("solve", "--solver-cmd", says("s SATISFIABLE\nv 1 0\n"), FOUR)
    assert (code, out) == (70, "")
    assert "claims SATISFIABLE, but clause family 'cell: at least one' is violated in 15" in err


def test_beyond_the_time_the_answer_is_unknown(run):
    slow = ("--timeout", "0.2", "--solver-cmd", script("sleep 9"))
    code, out, err = run("solve", *slow, FOUR)
    assert (code, out) == (1, "unknown\n")
    assert "no answer within 0.2 s" in err
    assert run("check", *slow, FOUR)[:2] == (1, "unknown\n")


def test_cnf_files_go_to_the_program(run, tmp_path):
    path = tmp_path / "p.cnf"
    assert run("export", FOUR, "-o", path)[0] == 0
    assert run("solve", "--solver-cmd", Z3_CNF, path)[:2] == (0, SOLUTION + "\n")
    code, out, _ = run("solve", "--dimacs-output", "--solver-cmd", Z3_CNF, path)
    assert (code, out.split()[:2]) == (10, ["s", "SATISFIABLE"])
    slow = ("--timeout", "0.2", "--solver-cmd", script("sleep 9"))
    assert run("solve", *slow, path)[:2] == (1, "unknown\n")
    assert run("solve", "--dimacs-output", *slow, path)[:2] == (0, "s UNKNOWN\n")


def test_crosscheck_compares_programs(run):
    two = ("crosscheck", "--witnesses", "cadical153", "--solver-cmd")
    code, out, _ = run(*two, Z3_CNF, FOUR)
    assert (code, out.splitlines()[-1]) == (0, "all 2 finished witnesses agree")
    code, out, _ = run(*two, says("s SATISFIABLE\nv 1 0\n"), FOUR)
    assert code == 1
    assert "DISAGREE" in out and "claims SATISFIABLE, but clause family" in out
    code, out, _ = run(*two, says("s UNSATISFIABLE\n"), FOUR)
    assert "{cnf} finds 0 solutions, there are at least 1" in out


KILLED = script("echo s UNSATISFIABLE; kill -SEGV $$", "{cnf} {out}")
LINK = script('echo s UNSATISFIABLE > "$0.x"; ln -s "$0.x" "$1"', "{cnf} {out}")


@pytest.mark.parametrize(("liar", "said"), [(KILLED, "SIGSEGV"), (LINK, "found a link at {out}")])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["solve", FOUR], 2),
        (["solve", "--dimacs-output", "{file}"], 2),
        (["check", FOUR], 2),
        (["enumerate", "--timeout", "30", FOUR], 2),
        (["crosscheck", "--witnesses", "plain", FOUR], 2),
        (["fuzz", "--backends", "plain", FOUR], 1),
    ],
)
def test_no_command_believes_a_program_that_did_not_end_by_itself(
    run, file, words, code, liar, said
):
    path = file("p cnf 1 1\n1 0\n", "p.cnf")
    ended, out, err = run(
        *(path if word == "{file}" else word for word in words), "--solver-cmd", liar
    )
    assert ended == code
    assert said in out + err
    assert "none" not in out and "s UNSATISFIABLE\n" not in out


def test_a_model_that_says_yes_and_no_is_a_lie(run, file):
    path = file("p cnf 1 2\n1 0\n-1 0\n", "p.cnf")
    for values, said in (
        ("1 -1", "hold both 1 and -1"),
        ("9", "hold 9, and there are 1 variable"),
    ):
        lie = says(f"s SATISFIABLE\nv {values} 0\n")
        code, _, err = run("solve", "--dimacs-output", "--solver-cmd", lie, path)
        assert code == 70
        assert said in err
    code, out, err = run(
        "solve", "--dimacs-output", "--solver-cmd", script("echo UNSAT; exit 10"), path
    )
    assert (code, out) == (2, "")
    assert "not that of its exit code" in err


def test_fuzz_says_how_to_repeat_the_failure_of_a_program(run):
    wrong = says("s UNSATISFIABLE\n")
    code, out, _ = run("fuzz", FOUR, "--solver-cmd", wrong)
    assert code == 1
    assert "again: satdoku fuzz" in out and "--solver-cmd 'sh -c" in out
    code, out, _ = run("fuzz", FOUR, "--backends", "plain", "--solver-cmd", Z3_CNF)
    assert (code, out.splitlines()[-1]) == (0, "all agree")


def test_bench_measures_a_program_and_kills_all_of_it_in_time(run, file, tmp_path, monkeypatch):
    """It solves the small puzzle that warms up, and hangs on the other."""
    monkeypatch.setattr("satdoku.bench.runner.WAIT", 1)
    said = tmp_path / "pid"
    solve = f"if grep -q 'p cnf 64 ' $0; then exec {Z3} $0; fi"
    hang = script(f"{solve}; echo $$ > {said}; sleep 60 & sleep 60")
    tasks = ("--tasks", file(CLASSIC), "--sample", "1", "--modes", "oneshot", "--timeout", "4")
    asked = ("--backends", "plain", "--solver-cmd", Z3_CNF, "--solver-cmd", hang)
    code, _, err = run("bench", *tasks, *asked, "-o", tmp_path / "results")
    assert (code, "2 solved, 1 timeout" in err) == (0, True), err
    started = Path(f"/proc/{said.read_text().strip()}")
    end = time.monotonic() + 600
    while started.exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert not started.exists()


@pytest.mark.parametrize(
    ("export", "program"),
    [
        (["-f", "smtlib2", "--model", "int"], [Z3]),
        (["-f", "smtlib2", "--model", "bv"], [Z3]),
        (["-f", "smtlib2", "--model", "onehot"], [Z3]),
        (["-f", "opb"], [Z3, "-model"]),
        (["--encoding", "sequential"], [Z3]),
    ],
)
def test_what_is_exported_is_solved_and_decoded(run, tmp_path, export, program):
    ends = {"smtlib2": "smt2", "opb": "opb"}
    path = tmp_path / f"p.{ends.get(export[1], 'cnf')}"
    rules = ("--rules", "knight;cage=7:r1c1,r1c2,r2c1", "-o", path)
    assert run("export", *export, "1.." + "." * 13, "--size", "4", *rules)[0] == 0
    answer = tmp_path / "answer"
    answer.write_text(subprocess.run([*program, path], stdout=subprocess.PIPE, text=True).stdout)
    code, out, err = run("decode", answer, "--export", path)
    if "unsat" in answer.read_text().lower():
        assert (code, out) == (1, "none\n")
    else:
        assert (code, len(out), err) == (0, 17, "")


def test_models_and_forms_are_asked_of_programs(run):
    for model in ("int", "bv", "onehot"):
        asked = ("--model", model, "--solver-cmd", f"{Z3} {{smt2}}")
        assert run("solve", *asked, FOUR)[:2] == (0, SOLUTION + "\n")
    assert run("solve", "--solver-cmd", f"{Z3} -model {{opb}}", FOUR)[:2] == (0, SOLUTION + "\n")
    both = ("--solver-cmd", f"{Z3} {{smt2}}/onehot", "--solver-cmd", f"{Z3} -model {{opb}}")
    code, out, _ = run("crosscheck", "--witnesses", "plain", *both, FOUR)
    assert (code, out.splitlines()[-1]) == (0, "all 3 finished witnesses agree")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "--model", "bv", "--solver-cmd", Z3_CNF, FOUR], "model bv needs {smt2}"),
        (["solve", "--model", "bv", FOUR], "--model is for a program"),
        (["export", "--model", "bv", FOUR], "--model bv: expected -f smtlib2 with it"),
        (["crosscheck", "--solver-cmd", f"{Z3_CNF}/bv", FOUR], "no 'bv': choose from extended"),
        (["decode", "-", "--export", "{file}"], "no satdoku comments; use --puzzle and --rules"),
    ],
)
def test_models_where_there_are_none_are_refused(run, file, stdin, words, said):
    stdin("sat\n")
    path = file("* #variable= 1 #constraint= 0\n", "p.opb")
    code, _, err = run(*(path if word == "{file}" else word for word in words))
    assert code == 2
    assert said in err
