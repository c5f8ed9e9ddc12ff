"""The command `check`: a status for each puzzle, and the givens that clash."""

import io
import json
import sys

import pytest
from command_cases import CLASH, EMPTY, NONE
from examples import CLASSIC
from large_puzzles import SEVERAL, UNIQUE, file_of_both

from satdoku.cli import main


@pytest.mark.parametrize(
    ("puzzle", "status", "code"),
    [(CLASSIC, "unique", 0), (EMPTY, "multiple", 1), (NONE, "none", 1), (CLASH, "invalid", 1)],
)
def test_check(run, puzzle, status, code):
    assert run("check", puzzle)[:2] == (code, f"{status}\n")


@pytest.mark.parametrize(
    ("puzzle", "rules", "reason"),
    [
        (CLASH, "classic", "r1c1=5 and r1c7=5 break the row rule"),
        ("5" + "." * 17 + "5" + "." * 62, "classic", "r1c1=5 and r3c1=5 break the column rule"),
        ("5" + "." * 9 + "5" + "." * 70, "classic", "r1c1=5 and r2c2=5 break the box rule"),
        ("..5" + "." * 10 + "5" + "." * 67, "knight", "r1c3=5 and r2c5=5 break the knight rule"),
        ("..5......" + "...5" + "." * 68, "king", "r1c3=5 and r2c4=5 break the king rule"),
        ("5" + "." * 79 + "5", "diagonal", "r1c1=5 and r9c9=5 break the diagonal rule"),
        ("56" + "." * 79, "miracle", "r1c1=5 and r1c2=6 break the nonconsecutive rule"),
    ],
)
def test_clashing_givens_are_named_with_their_rule(run, puzzle, rules, reason):
    expected = f"satdoku: invalid: {reason}\n"
    assert run("check", "--rules", rules, puzzle) == (1, "invalid\n", expected)
    assert run("solve", "--rules", rules, puzzle) == (1, "invalid\n", expected)
    assert run("count", "--rules", rules, puzzle) == (1, "0\n", expected)
    assert run("enumerate", "--rules", rules, puzzle) == (1, "", expected)


WRONG = """\
wrong, score 0.818
  r1c3=3 and r4c3=3 break the column rule
  empty: r4c4
  in no solution beside the digits that are kept: r4c3=3
"""
ANSWER = "1234341221434321"


def test_an_answer_is_right_or_wrong_with_its_score(run, tmp_path):
    puzzle, file = "12..34.....2....", tmp_path / "answer.txt"
    file.write_text("I think:\n\n1234\n3421\n4312\n213.\n\nOr is it?\n")
    assert run("check", puzzle, "--answer", str(file)) == (1, WRONG, "")
    right = ("check", "12..............", "12..............", "--answer", ANSWER)
    assert run(*right, "--answer", "1243 3421 2134 4312") == (0, "right\nright\n", "")
    code, out, _ = run("check", "12..............", "--answer", "no", "--json")
    assert code == 1 and json.loads(out)["score"] == 0


def test_an_answer_obeys_rules_and_candidates(run):
    asked = ("check", "." * 16, "--answer", ANSWER)
    assert run(*asked, "--clue", "greater:r1c1,r1c2")[0] == 1
    assert run(*asked, "--clue", "greater:r1c2,r1c1")[0] == 0


def test_there_is_an_answer_for_each_puzzle(run):
    code, out, err = run("check", "." * 16, "." * 16, "--answer", ANSWER)
    assert (code, out) == (2, "")
    assert err == "satdoku: --answer: found 2 puzzles and 1 answers, expected one for each puzzle\n"
    assert run("check", "1" * 15, "--answer", ANSWER)[0] == 2
    code, _, err = run("check", "11" + "." * 14, "--answer", ANSWER)
    assert code == 2 and "no answer" in err


def test_large_puzzles_in_a_file_on_standard_input_and_typed(tmp_path, capsys, monkeypatch):
    assert main(["check", file_of_both(tmp_path)]) == 1
    assert capsys.readouterr().out == "unique\nmultiple\n"
    typed = io.TextIOWrapper(io.BufferedReader(io.BytesIO(f"{UNIQUE}".encode())))
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["check", "-", "--size", "36"]) == 0
    assert main(["check", f"{UNIQUE}"]) == 0
    assert main(["check", f"{SEVERAL}"]) == 1
    assert capsys.readouterr().out == "unique\nunique\nmultiple\n"


def test_boxes_of_large_boards(capsys):
    options = ["--size", "36", "--rules", "boxes=3x12"]
    assert main(["generate", *options, "--holes", "0.25", "--seed", "2"]) == 0
    puzzle = capsys.readouterr().out.rstrip()
    assert main(["check", *options, puzzle]) == 0
    assert main(["check", puzzle]) == 1  # as boxes of 6x6
    out, err = capsys.readouterr()
    assert out == "unique\ninvalid\n"
    assert "break the box rule" in err


def test_a_layer_with_several_ways_is_told(run):
    digits, tied = "1234341221434321", "shape=4x4;layer=a*2:1-4;clone:r1c1,r1c2>a.1,a.2"
    assert run("check", "--rules", tied, digits) == (0, "unique\n", "")
    free = f"{tied};layer=b:0-1"
    told = "satdoku: layer b has several ways\n"
    assert run("check", "--rules", free, digits) == (0, "unique\n", told)
    assert run("check", "--rules", free, digits, "-q") == (0, "unique\n", "")
    _, out, _ = run("check", "--rules", free, digits, "--json")
    assert json.loads(out)["several_ways"] == ["b"]
    assert run("check", "--rules", free, "12..............")[1:] == ("multiple\n", "")
