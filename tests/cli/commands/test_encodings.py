"""The command `encodings`, and the option of that name in other commands."""

import pytest
from command_cases import CLASH
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.cnf.dimacs import parse_answer
from satdoku.cnf.encodings import ENCODINGS


@pytest.mark.parametrize("name", ENCODINGS)
def test_questions_in_every_encoding(run, name):
    option = ["--encoding", name]
    assert run("solve", CLASSIC, *option) == (0, CLASSIC_SOLUTION + "\n", "")
    code, out, _ = run("enumerate", "." * 16, *option)
    assert (code, len(set(out.split()))) == (0, 288)
    row = "1    2    34   34\n34   34   12   12\n"
    assert run("candidates", "12" + "." * 14, *option)[1].startswith(row)
    code, out, _ = run("propagate", CLASSIC, *option)
    assert code == 0
    assert all(a in (".", b) for a, b in zip(out.strip(), CLASSIC_SOLUTION, strict=True))
    assert run("propagate", CLASH, *option)[:2] == (1, "conflict\n")
    literals = parse_answer(run("solve", "--dimacs-output", CLASSIC, *option)[1]).literals
    assert len([literal for literal in literals if literal > 0]) == 81


def test_encodings_are_listed_with_their_sizes(run):
    code, out, _ = run("encodings")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["4x4", "6x6", "9x9", "16x16"]
    assert lines[1].split() == ["encoding", "kind", *["variables", "clauses"] * 4]
    assert [line.split()[0] for line in lines[2:-1]] == list(ENCODINGS)
    assert lines[2].split() == [
        "extended", "boolean", "64", "384", "216", "1,980", "729", "10,530", "4,096", "111,616",
    ]  # fmt: skip
    assert lines[-2].split()[:6] == ["order", "integer", "48", "280", "180", "1,476"]


def test_encodings_of_a_board_of_rules_or_of_a_puzzle(run):
    # Pairs of diagonal cells on 4x4: 28, of which 8 share a box.
    code, out, _ = run("encodings", "--size", 4, "--encodings", "integer", "-r", "antiqueen")
    assert code == 0
    assert [line.split() for line in out.splitlines()[2:]] == [
        ["log", "integer", "32", str(224 + 20)],
        ["order", "integer", "48", str(280 + 20)],
    ]
    code, out, _ = run("encodings", CLASSIC, "--encodings", "reduced,triads")
    assert [line.split() for line in out.splitlines()[2:]] == [
        ["reduced", "boolean", "221", "1,516"],
        ["triads", "boolean", "1,215", "6,237"],
    ]
    # 6x6 boards have no windows.
    assert run("encodings", "-r", "windoku", "--encodings", "log")[1].split()[:3] == [
        "4x4", "9x9", "16x16",
    ]  # fmt: skip
    assert "windoku needs square boxes" in run("encodings", "-r", "windoku", "--size", 6)[2]
    assert "no rule 'xyz'" in run("encodings", "-r", "xyz")[2]
    assert "no encoding 'xyz': choose from" in run("encodings", "--encodings", "xyz")[2]
