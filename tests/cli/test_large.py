"""Commands on puzzles beyond 25x25, run as a user runs them."""

from __future__ import annotations

import io
import json
import sys

import numpy as np
import pytest

from satdoku.answers.large import format_numbers, format_rows, large_rules, parse_large
from satdoku.answers.large.check import solves
from satdoku.certificates.proof import parse_drat, parse_formula
from satdoku.certificates.proof.rup import Checker
from satdoku.cli import main
from satdoku.generator.holes import puzzles_with_holes

UNIQUE, SEVERAL = (puzzles_with_holes(1, size=36, holes=h, seed=1)[0] for h in (0.3, 0.4))
RULES = large_rules("", 36)


@pytest.fixture
def both(tmp_path):
    path = tmp_path / "large.txt"
    path.write_text(f"{format_numbers(UNIQUE)}\n{format_rows(SEVERAL)}\n")
    return str(path)


def test_solve_gives_verified_grids(both, capsys):
    assert main(["solve", both]) == 0
    for line, puzzle in zip(capsys.readouterr().out.splitlines(), (UNIQUE, SEVERAL), strict=True):
        assert solves(parse_large(line), puzzle, RULES)
    assert main(["solve", "--json", both, "--solver", "gluecard4"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["line"], second["line"]) == (1, 2)
    assert second["status"] == "solved"
    assert solves(parse_large(second["solution"]), SEVERAL, RULES)


@pytest.mark.parametrize("form", ["pretty", "csv", "line"])
def test_what_solve_prints_is_read_again(both, form, capsys, tmp_path):
    assert main(["solve", both, "-f", form]) == 0
    path = tmp_path / "grids.txt"
    path.write_text(capsys.readouterr().out)
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == "unique\nunique\n"


def test_check_and_standard_input(both, capsys, monkeypatch):
    assert main(["check", both]) == 1
    assert capsys.readouterr().out == "unique\nmultiple\n"
    typed = io.TextIOWrapper(io.BufferedReader(io.BytesIO(format_numbers(UNIQUE).encode())))
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["check", "-", "--size", "36"]) == 0
    assert main(["check", format_numbers(UNIQUE)]) == 0
    assert capsys.readouterr().out == "unique\nunique\n"


@pytest.mark.parametrize(
    "option",
    [["--count"], ["--after", "1"], ["--timeout", "9"], ["-o", "x"], ["--backend", "engine"]],
)
def test_enumerate_refuses_what_the_engine_alone_has(both, option, capsys):
    assert main(["enumerate", "--limit", "3", both, *option]) == 2
    assert "boards beyond 25x25" in capsys.readouterr().err


def test_enumerate_and_render(both, capsys):
    assert main(["enumerate", "--limit", "3", both]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(set(lines)) == 4
    assert main(["render", format_numbers(UNIQUE)]) == 0
    assert capsys.readouterr().out == f"{format_rows(UNIQUE)}\n"
    assert main(["render", "--solve", format_numbers(UNIQUE)]) == 0
    assert solves(parse_large(capsys.readouterr().out), UNIQUE, RULES)


def test_another_solver_is_asked_by_dimacs(tmp_path, capsys):
    """With all variables false but those of the solution, the answer is a model."""
    cnf, answer = tmp_path / "large.cnf", tmp_path / "answer.txt"
    assert main(["export", format_numbers(SEVERAL), "-o", str(cnf)]) == 0
    assert main(["solve", format_numbers(SEVERAL)]) == 0
    solution = parse_large(capsys.readouterr().out)
    header, *clauses = [x for x in cnf.read_text().splitlines() if not x.startswith("c ")]
    assert int(header.split()[3]) == len(clauses)
    candidates = _open(SEVERAL)
    true = 1 + np.flatnonzero(solution[candidates.cells] == candidates.digits)
    assert all(_holds(line, set(true.tolist())) for line in clauses)
    answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, true)) + " 0\n")
    assert main(["decode", str(answer), "--cnf", str(cnf)]) == 0
    assert (parse_large(capsys.readouterr().out) == solution).all()
    assert main(["decode", str(answer), "--puzzle", format_numbers(SEVERAL)]) == 0
    answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, true[1:])) + " 0\n")
    assert main(["decode", str(answer), "--cnf", str(cnf)]) == 2
    assert "the answer is no solution" in capsys.readouterr().err
    answer.write_text("s UNSATISFIABLE\n")
    assert main(["decode", str(answer), "--cnf", str(cnf)]) == 1


def _open(puzzle):
    from satdoku.answers.large import LargeSudoku

    return LargeSudoku(puzzle).propagated


def _holds(line, true):
    return any((int(w) in true) if w[0] != "-" else (int(w[1:]) not in true)
               for w in line.split()[:-1])  # fmt: skip


def test_a_proof_is_written_and_checks(both, tmp_path, capsys):
    assert main(["certify", both, "--plain", str(tmp_path / "proofs")]) == 1
    assert capsys.readouterr().out == "unique\nmultiple\n"
    cnf, drat = (tmp_path / "proofs" / f"000001.{suffix}" for suffix in ("cnf", "drat"))
    formula = parse_formula(cnf.read_text())
    assert Checker(*formula).check(type(formula[1])("i"), parse_drat(drat.read_text())).good
    assert main(["certify", both]) == 2
    assert "--plain DIR writes a formula and its proof" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("batch", "render, certify and decode take it, `batch` does not"),
        ("audit", "`audit` does not"),
        ("count", "`count` does not"),
        ("solve --clue x", "--clue: boards beyond 25x25 have no clues"),
        ("solve --rules knight", "'knight': boards beyond 25x25 take only rules that are houses"),
        ("solve --encoding log", "--encoding log: boards beyond 25x25 have the extended one"),
        ("solve --size 49", "--size 49: found a puzzle of 36x36"),
        ("export -f smtlib2", "-f smtlib2: boards beyond 25x25 as dimacs"),
        ("render -o x.svg", "x.svg: boards beyond 25x25 are drawn as text only"),
    ],
)
def test_what_is_not_there_is_refused_with_the_reason(both, command, message, capsys):
    assert main([*command.split(), both]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_bad_puzzle_costs_no_other(tmp_path, capsys):
    path = tmp_path / "large.txt"
    clashing = UNIQUE.copy()
    clashing[:2] = 3
    lines = [format_numbers(puzzle) for puzzle in (UNIQUE, UNIQUE, clashing)]
    path.write_text(f"{lines[0]}\n{lines[1]} 7\n{lines[2]}\n")
    assert main(["solve", str(path), "--json"]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["status"] for line in out.splitlines()] == ["solved", "invalid"]
    assert f"{path}: line 2, column 1: found 1297 numbers" in err
    assert "invalid: r1c1=3 and r1c2=3 break the row rule" in err


def test_box_shapes(capsys):
    options = ["--size", "36", "--rules", "boxes=3x12"]
    assert main(["generate", *options, "--holes", "0.25", "--seed", "2"]) == 0
    puzzle = capsys.readouterr().out.rstrip()
    assert main(["check", *options, puzzle]) == 0
    assert main(["check", puzzle]) == 1  # as boxes of 6x6
    out, err = capsys.readouterr()
    assert out == "unique\ninvalid\n"
    assert "break the box rule" in err
