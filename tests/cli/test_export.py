"""The command `export`: what it writes, other commands and solvers read."""

import json

import pytest
import z3
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku import format_puzzle_json, parse_fpuzzles
from satdoku.cnf.dimacs import parse_answer
from satdoku.cnf.encodings import ENCODINGS
from satdoku.files.fpuzzles.links import load


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_export_solve_and_decode(run, tmp_path, suffix):
    cnf, answer = tmp_path / f"p.cnf{suffix}", tmp_path / "answer"
    assert run("export", CLASSIC, "-o", cnf) == (0, "", "")
    assert run("solve", cnf) == (0, CLASSIC_SOLUTION + "\n", "")
    code, out, _ = run("solve", "--dimacs-output", cnf)
    assert code == 10
    answer.write_text(out)
    for question in (["--cnf", cnf], ["--puzzle", CLASSIC], []):
        assert run("decode", answer, *question) == (0, CLASSIC_SOLUTION + "\n", "")


@pytest.mark.parametrize("name", ENCODINGS)
def test_export_solve_and_decode_in_every_encoding(run, tmp_path, name):
    cnf, answer = tmp_path / "p.cnf", tmp_path / "answer"
    assert run("export", CLASSIC, "--encoding", name, "-o", cnf) == (0, "", "")
    assert f"c satdoku-encoding {name}\n" in cnf.read_text()
    assert run("solve", cnf) == (0, CLASSIC_SOLUTION + "\n", "")
    answer.write_text(run("solve", "--dimacs-output", cnf)[1])
    for question in (["--cnf", cnf], ["--puzzle", CLASSIC, "--encoding", name]):
        assert run("decode", answer, *question) == (0, CLASSIC_SOLUTION + "\n", "")


@pytest.mark.parametrize("clue", ["thermo:r1c1,r2c1", "sum=7:r1c1-r1c3", "between:r2c1-r2c3",
                                  "zipper:r3c4,r3c3,r4c3,r4c2"])  # fmt: skip
def test_a_model_of_a_puzzle_is_one_of_its_cnf(run, tmp_path, clue):
    """Also if clues on more than two cells bring auxiliary variables."""
    cnf, answer = tmp_path / "p.cnf", tmp_path / "answer"
    puzzle = ("." * 16, "--rules", clue)
    assert run("export", *puzzle, "-o", cnf) == (0, "", "")
    variables = int(cnf.read_text().partition("p cnf ")[2].split()[0])
    code, out, err = run("solve", "--dimacs-output", *puzzle)
    assert (code, err) == (10, "")
    assert [abs(literal) for literal in parse_answer(out).literals] == [*range(1, variables + 1)]
    assert (variables > 64) == (not clue.startswith("thermo"))
    answer.write_text(out)
    grid = run("decode", answer, "--cnf", cnf)[1]
    assert run("check", grid.strip(), "--rules", clue) == (0, "unique\n", "")


def test_export_of_bare_rules_to_standard_output(run):
    code, out, _ = run("export", "--rules", "miracle")
    assert code == 0
    assert "\np cnf 729 14706\n" in out
    assert run("export", "--size", 4)[1].count(" 0\n") == 384


def test_smtlib_goes_through_z3_and_back(run, tmp_path):
    script, answer = tmp_path / "p.smt2", tmp_path / "answer"
    assert run("export", "-f", "smtlib2", CLASSIC, "-o", script) == (0, "", "")
    solver = z3.Solver(ctx=z3.Context())  # its time depends on what is in its context
    solver.from_file(str(script))
    assert solver.check() == z3.sat
    model = solver.model()
    values = [f"({name} {model[name]})" for name in model.decls()]
    answer.write_text(f"sat\n({' '.join(values)})\n")
    assert run("decode", answer, "--puzzle", CLASSIC) == (0, CLASSIC_SOLUTION + "\n", "")
    code, out, err = run("decode", answer, "--puzzle", "1" + CLASSIC[1:])
    assert (code, out) == (2, "")
    assert "r1c1=7, but the puzzle has 1 there" in err


def test_a_text_of_interactive_sudoku_solver_goes_in_and_out(run):
    text = ".Shape~4x4.AntiKing.Thermo~R1C1~R2C1.~R1C2_3"
    assert run("export", "-f", "iss", text) == (0, f"{text}\n", "")
    code, out, err = run("export", "-f", "iss", text, "--rules", "antiqueen")
    assert (code, out) == (2, "") and "has the rules king, thermo:r1c1,r2c1, 'antiqueen'" in err
    code, out, err = run("solve", ".Shape~4x4.Lunchbox~5~R1C1~R1C2")
    assert (code, out) == (2, "") and "column 11: .Lunchbox is not supported" in err


def test_a_puzzle_goes_out_as_json_and_in_again(run, tmp_path):
    """With the id that its collection gives it; from a file and as text."""
    (tmp_path / "in.csv").write_text(f"id,puzzle,rules\nx7,{CLASSIC},king;odd:r1c1\n")
    out = tmp_path / "out.json"
    assert run("export", "-f", "json", tmp_path / "in.csv", "-o", out) == (0, "", "")
    text = out.read_text()
    assert '"id": "x7"' in text and '"clues": ["odd:r1c1"]' in text
    assert run("export", "-f", "json", out) == (0, text, "")
    plain = text.replace('"id": "x7", ', "")
    assert run("export", "-f", "json", plain.strip()) == (0, plain, "")
    code, found, _ = run("export", "-f", "json", "--rules", "knight", "--size", 4)
    assert code == 0 and run("count", found.strip()) == run(
        "count", "--rules", "knight", "--size", 4
    )


def test_title_author_and_solution_survive(run, tmp_path):
    """From JSON of our own, and from a link that f-puzzles or SudokuPad may have written."""
    words = {"id": "7", "title": "A title", "author": "Somebody", "solution": "1234341221434321"}
    own = tmp_path / "own.json"
    own.write_text(format_puzzle_json("1" + "." * 15, "king", **words) + "\n")
    assert run("export", own, "-f", "json") == (0, own.read_text(), "")
    link = run("export", own, "-f", "fpuzzles")[1].strip()
    found = json.loads(run("export", link, "-f", "json")[1])
    assert (found["title"], found["author"], found["rules"]) == ("A title", "Somebody", "king")
    solved = json.dumps(load(link) | {"solution": [*words["solution"]]})
    assert str(parse_fpuzzles(solved).solution) == words["solution"]
    assert json.loads(run("export", solved, "-f", "json")[1])["solution"] == words["solution"]
    for solution in ([*"12"], "x" * 16, "1" * 15 + "0", 5):
        assert parse_fpuzzles(json.dumps(load(link) | {"solution": solution})).solution is None
