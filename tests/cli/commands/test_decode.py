"""The command `decode`: answers of other solvers, right and wrong."""

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from large_puzzles import SEVERAL

import satdoku
from satdoku.answers.large.solve import LargeQuery
from satdoku.cli import main
from satdoku.cnf.dimacs import parse_cnf
from satdoku.model.constraints import constraints_for
from satdoku.model.puzzle import Puzzle


def test_decode_of_no_and_of_unknown(run, file):
    for text, printed in (("s UNSATISFIABLE", "none"), ("s UNKNOWN", "unknown"), ("unsat", "none")):
        assert run("decode", file(text)) == (1, f"{printed}\n", "")
    assert run("decode", file("unknown"))[0] == 2


def test_decode_names_the_violated_family(run, file, tmp_path):
    cnf = tmp_path / "p.cnf"
    run("export", CLASSIC, "-o", cnf)
    literals = [9 * cell + int(digit) for cell, digit in enumerate(CLASSIC_SOLUTION)]
    wrong = file("s SATISFIABLE\nv " + " ".join(map(str, [1, *literals[1:]])) + " 0\n")
    code, out, err = run("decode", wrong, "--cnf", cnf)
    assert (code, out) == (2, "")
    assert err.startswith("satdoku: clause family 'row: at least one' is violated in 1 of 81")
    other = file("s SATISFIABLE\nv " + " ".join(map(str, literals)) + " 0\n")
    _, _, err = run("decode", other, "--puzzle", "1" + CLASSIC[1:])
    assert "clause family 'givens' is violated in 1 of 25 clauses, first: r1c1=1" in err


def test_a_bare_sat_before_literals_is_an_answer_to_a_cnf(run, file):
    """As Yices prints it."""
    values = " ".join(str(4 * i + int(d)) for i, d in enumerate("1234432121433412"))
    answer = file(f"sat\n{values} 0\n", "answer")
    assert run("decode", answer, "--puzzle", "1.....2....3.4..")[:2] == (0, "1234432121433412\n")


@pytest.mark.parametrize("no", ["s UNSATISFIABLE", "UNSAT", "unsat"])
@pytest.mark.parametrize("letter", ["", "x"])
@pytest.mark.parametrize("first", [True, False])
def test_an_answer_that_says_yes_and_no_is_refused(run, file, no, letter, first):
    """Whatever decides how it is read."""
    values = (f"{letter}{4 * i + int(d)}" for i, d in enumerate("1234432121433412"))
    parts = [f"{no}\n", f"s SATISFIABLE\nv {' '.join(values)}\n"]
    answer = file("".join(parts if first else reversed(parts)))
    code, out, err = run("decode", answer, "--puzzle", "1.....2....3.4..")
    assert (code, out) == (2, "")
    assert "expected one status" in err


def test_another_solver_is_asked_about_a_large_puzzle(tmp_path, capsys):
    """With all variables false but those of the solution, the answer is a model."""
    cnf, answer = tmp_path / "large.cnf", tmp_path / "answer.txt"
    assert main(["export", f"{SEVERAL}", "-o", str(cnf)]) == 0
    solution = satdoku.solve(SEVERAL)
    candidates = LargeQuery(Puzzle(SEVERAL, constraints_for("classic", SEVERAL.board))).propagated
    true = 1 + np.flatnonzero(np.asarray(solution)[candidates.cells] == candidates.digits)
    holds = set(true.tolist())
    for clause in parse_cnf(cnf.read_text()).clauses:
        assert any((literal in holds) if literal > 0 else -literal not in holds
                   for literal in clause)  # fmt: skip
    answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, true)) + " 0\n")
    for told in (["--cnf", str(cnf)], ["--puzzle", f"{SEVERAL}"]):
        assert main(["decode", str(answer), *told, "-f", "line"]) == 0
        assert satdoku.parse_grid(capsys.readouterr().out) == solution
    answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, true[1:])) + " 0\n")
    assert main(["decode", str(answer), "--cnf", str(cnf)]) == 2
    assert "the answer is no solution" in capsys.readouterr().err
    answer.write_text("s UNSATISFIABLE\n")
    assert main(["decode", str(answer), "--cnf", str(cnf)]) == 1
