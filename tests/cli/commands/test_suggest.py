"""The command `suggest`."""

import json

import satdoku


def test_each_line_begins_with_the_puzzle(run):
    code, out, _ = run("suggest", "12..34.....2....", "--want", "unique", "--seed", "1")
    lines = [line.partition(": ") for line in out.splitlines()]
    assert code == 0 and lines
    for puzzle, _, words in lines:
        assert satdoku.classify(puzzle) is satdoku.Status.UNIQUE and words.startswith(
            "unique with 1 more"
        )


def test_clues_in_json(run):
    kinds = ["--want", "unique", "--kinds", "thermo,white"]
    code, out, _ = run("suggest", "12..............", *kinds, "-n", "1", "--json")
    found = json.loads(out)
    assert code == 0 and found["added"]
    assert satdoku.classify(found["puzzle"], found["rules"]) is satdoku.Status.UNIQUE


def test_a_puzzle_that_does_not_fit(run):
    assert run("suggest", "12..............", "--want", "harder")[:2] == (1, "multiple\n")
    code, out, _ = run("suggest", "12..............", "--want", "harder", "--json")
    assert code == 1 and json.loads(out)["status"] == "multiple"


def test_bad_kinds(run):
    assert run("suggest", "1...............", "--want", "unique", "--kinds", "thermos")[0] == 2
    assert run("suggest", "1...............", "--kinds", "thermo")[0] == 2


def test_a_late_answer(run):
    assert run("suggest", "." * 81, "--want", "unique", "--timeout", "0.000001")[0] == 1
