"""The command `clues`, and the option --clue of the other commands."""

import json

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.cli.commands import SUMMARIES, load
from satdoku.cli.program import command_parser
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS

EMPTY = "." * 16


def test_clues_lists_every_kind_with_a_sentence_and_an_example_that_works(run):
    code, out, _ = run("clues", "--json")
    assert code == 0
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["name"] for record in records] == list(KINDS)
    for record in records:
        assert "{" not in record["sentence"]
        assert constraints_for(record["example"]).clues[0].kind == record["name"]


def test_clues_explains_one_kind_or_another_name_of_it(run):
    whisper = (
        "whisper         neighbours on the line differ by N or more\n"
        "                2 or more cells: whisper=5:r1c1-r1c4\n"
        "                N: a number from 1 to 8 on 9x9 (default 5)\n"
    )
    assert run("clues", "whisper") == (0, whisper, "")
    white = run("clues", "white")[1].splitlines()
    assert white[0].startswith("difference ")
    assert white[-1].strip() == "white stands for difference=1"
    assert "no kind 'whispr': did you mean 'whisper'?" in run("clues", "whispr")[2]
    assert "2 or more cells, or none for the whole board: taxicab" in run("clues", "taxicab")[1]
    assert "2 or more groups of 1 or more cells: clone" in run("clues", "clone")[1]


@pytest.mark.parametrize("command", [name for name in SUMMARIES if name != "clues"])
def test_clues_go_wherever_rules_go(command):
    options = command_parser(command, load(command))._option_string_actions
    assert ("--clue" in options) == ("--rules" in options)


def test_clues_of_an_option_join_the_rules(run):
    rising = ["--clue", "thermo:row1", "--clue", "thermo:-row2;even:r2c1"]
    assert run("count", EMPTY, "--json", *rising)[1].count('"count": 4') == 1
    code, out, _ = run("enumerate", EMPTY, *rising, "-r", "diagonal")
    assert (code, out) == (0, "1234432121433412\n")
    rules = json.loads(run("solve", EMPTY, "--json", "-r", "diagonal", *rising)[1])["rules"]
    assert rules == "diagonal;even:r2c1;thermo:-row2;thermo:row1"


def test_clues_join_the_rules_that_a_puzzle_states(run, file):
    name = file(f"puzzle,rules\n{EMPTY},diagonal\n{EMPTY},\n", "rows.csv")
    rising = ["--clue", "thermo:row1", "--clue", "thermo:-row2", "--clue", "even:r2c1"]
    assert run("count", name, *rising)[1] == "1\n4\n"


def test_clues_of_a_file(run, file):
    name = file(
        "# two of them\nthermo:row1  # grows\n\nwhisper=2:r1c1,r2c1;odd:r2c1\n", "clues.txt"
    )
    typed = ["--clue", "thermo:row1;whisper=2:r1c1,r2c1;odd:r2c1"]
    of_file, of_words = (run("enumerate", EMPTY, *some)[1] for some in (["--clue", name], typed))
    assert sorted(of_file.split()) == sorted(of_words.split()) != []
    bad = file("odd:r1c1\nthermo:r1c1,r9c9\n", "bad.txt")
    problem = "clue thermo:r1c1,r9c9: r9c9 is outside the board of size 4"
    assert run("solve", EMPTY, "--clue", bad) == (2, "", f"satdoku: {bad}: line 2: {problem}\n")


@pytest.mark.parametrize("clue, message", [
    ("termo:r1c1,r1c2", "clue termo:r1c1,r1c2: no kind 'termo': did you mean 'thermo'?"),
    ("thermo", "clue thermo: it names no cells: expected them after ':'"),
    ("odd:r1c1x", "clue odd:r1c1x: 'r1c1x' names no cell: expected r1c1, row1, col1 or box1"),
    ("knight", "clue knight: no kind 'knight'"),
])  # fmt: skip
def test_a_wrong_clue_of_an_option_is_told(run, clue, message):
    code, out, err = run("solve", CLASSIC, "--clue", clue)
    assert (code, out) == (2, "")
    assert err.startswith(f"satdoku: {message}")


def test_a_solution_that_keeps_the_clues_is_the_solution(run):
    clue = f"digits={CLASSIC_SOLUTION[40]}:r5c5"
    assert run("solve", CLASSIC, "--clue", clue) == (0, CLASSIC_SOLUTION + "\n", "")
    assert run("check", CLASSIC, "--clue", "thermo:row1")[:2] == (1, "invalid\n")


@pytest.mark.parametrize("asked", [("--clue", "thermo:row1"), ("-r", "thermo:row1")])
def test_clues_that_are_asked_for_join_the_rules_of_every_row(run, file, asked):
    ends = "3.......1......."  # the first row must begin with 1 or 2 to grow
    name = file(f"puzzle,rules\n{EMPTY},classic\n{ends},diagonal\n{ends},\n", "rows.csv")
    expected = ["multiple", "none", "none"]
    assert [row.split()[0] for row in run("batch", name, *asked)[1].splitlines()] == expected
    assert run("check", name, *asked, "-q")[1].split() == expected
    assert "No solution: 2 of 3 rows" in run("audit", name, *asked)[1]
