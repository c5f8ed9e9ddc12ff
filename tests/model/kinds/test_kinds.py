"""Every kind of clue against brute force: solved, witnessed and propagated."""

import random

import pytest
from clue_examples import OF_DIGITS, OF_GRID, keeps, random_clue
from examples import FOUR, fill

from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.kinds import KINDS, clue_of
from satdoku.sat.session import Session
from satdoku.witness.clues import STATEMENTS
from satdoku.witness.verify import violations

GRIDS = tuple(fill(bytes(16), 0))
ON_FOUR = sorted(KINDS.keys() - {"entropic", "entropy"})  # their sizes are divisible by three


def drawn(kind, count, size, board):
    rng = random.Random(kind)
    clues = {}
    while len(clues) < count:
        try:
            clues[len(clues)] = clue_of(random_clue(rng, kind, size), board)
        except ClueError:  # a line of region sums within one box
            continue
    return list(clues.values())


def test_every_kind_is_stated_three_times():
    assert KINDS.keys() == STATEMENTS.keys() == OF_DIGITS.keys() | OF_GRID.keys()


@pytest.mark.parametrize("count", [25, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ON_FOUR)
def test_solutions_are_those_of_brute_force(kind, count):
    """Random clues on the 4x4 board: all solutions, and what the witness says of each grid."""
    for clue in drawn(kind, count, 4, FOUR):
        constraints = constraints_for(clue.text(FOUR), FOUR)
        good = {g for g in GRIDS if keeps(g, clue, (clue,), 4)}
        with Session(constraints, recycle=2, verify=False) as session:
            assert {s.cells for s in session.solutions(bytes(16))} == good
        for grid in random.Random(1).sample(GRIDS, 40):
            broken = violations(Grid(grid, FOUR), constraints.rules)
            assert bool(broken) == (grid not in good)


@pytest.mark.parametrize(
    "text",
    ["no-white;black:r1c1,r1c2", "no-black;white:r1c1,r1c2;white:r3c3,r3c4", "no-v;x:r1c1,r1c2",
     "no-white;no-black;black:r2c2,r2c3;difference=2:r4c1,r4c2"],
)  # fmt: skip
def test_what_is_denied_spares_what_is_joined(text):
    constraints = constraints_for(text.replace("x:", "sum=6:"), FOUR)
    clues = constraints.clues
    good = {g for g in GRIDS if all(keeps(g, clue, clues, 4) for clue in clues)}
    with Session(constraints, recycle=2) as session:
        assert {s.cells for s in session.solutions(bytes(16))} == good
    assert good == {g for g in GRIDS if not violations(Grid(g, FOUR), constraints.rules)}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_text_of_a_clue_reads_back(kind):
    clue = clue_of(KINDS[kind].example, constraints_for().board)
    board = constraints_for().board
    assert clue_of(clue.text(board), board) == clue
    assert constraints_for(constraints_for(KINDS[kind].example).name) == constraints_for(
        KINDS[kind].example
    )


@pytest.mark.parametrize("text, problem", [
    ("thermo:r1c1", "clue thermo:r1c1: 1 cells: expected 2 to 81"),
    ("thermo:row1,r2c1", "clue thermo:row1,r2c1: 10 cells: 9 digits cannot grow as often"),
    ("odd:r1c1,r1c1", "clue odd:r1c1,r1c1: r1c1 stands twice in a group"),
    ("odd:r10c1", "clue odd:r10c1: r10c1 is outside the board of size 9"),
    ("thermo", "clue thermo: it names no cells: expected them after ':', as in thermo:r1c1,"),
    ("thermo:", "clue thermo:: expected cells after ':' and '>', such as r1c1,r1c2"),
    ("odd=3:r1c1", "clue odd=3:r1c1: value '3': this kind takes none"),
    ("termo:r1c1,r1c2", "clue termo:r1c1,r1c2: no kind 'termo': did you mean 'thermo'?"),
    ("white=0:r1c1,r1c2", "clue white=0:r1c1,r1c2: white takes no value"),
])  # fmt: skip
def test_a_wrong_clue_is_told(text, problem):
    with pytest.raises(ClueError) as raised:
        constraints_for(text)
    assert str(raised.value).startswith(problem)
