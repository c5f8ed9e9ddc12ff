"""The examples of the literature: what their files say of them is true."""

import pytest
from examples import PUZZLES

import satdoku

FILES = sorted(path for path in PUZZLES.glob("*.txt") if "# solutions:" in path.read_text())


def facts(path):
    lines = path.read_text().splitlines()
    notes = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    return notes, next(line for line in lines if not line.startswith("#"))


def test_all_examples_are_here():
    assert {path.stem for path in FILES} == {
        "classic", "miracle", "new-miracle", "miracle-grids", "miracle-two-givens",
        "example-1", "example-2", "bitvector", "inkala-2010", "inkala-2012",
    }  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_has_the_solutions_that_its_file_states(path):
    notes, puzzle = facts(path)
    found = list(satdoku.solutions(puzzle, notes["rules"]))
    assert len(set(found)) == int(notes["solutions"])
    if "solution" in notes:
        assert [str(grid) for grid in found] == [notes["solution"]]


def test_published_first_rows_are_met():
    assert facts(PUZZLES / "classic.txt")[0]["solution"].startswith("752819436")
    assert facts(PUZZLES / "bitvector.txt")[0]["solution"].startswith("298357461")
