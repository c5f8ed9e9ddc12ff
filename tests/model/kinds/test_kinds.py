"""Every kind of clue against brute force: solved, witnessed and propagated."""

import random

import pytest
from clue_examples import OF_DIGITS, OF_GRID, keeps, random_clue
from examples import FOUR, fill

from satdoku.model.board import Board
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


@pytest.mark.parametrize(("rules", "board", "line"), [
    ("rossini=-:row2", Board.of_size(9), ["r2c1", "r2c2", "r2c3"]),
    ("rossini=-:-col2", Board.of_size(6), ["r6c2", "r5c2"]),
    ("rossini=-:row2", Board.of_size(6), ["r2c1", "r2c2", "r2c3"]),
    ("rossini=-:-row2", Board.of_size(16), ["r2c16", "r2c15", "r2c14", "r2c13"]),
    ("rossini=-:col1", Board.of_map("1112122233334444"), ["r1c1", "r2c1", "r3c1"]),
    ("rossini=-:col1", Board.latin(5), ["r1c1", "r2c1", "r3c1"]),
])  # fmt: skip
def test_a_rossini_clue_is_a_thermometer_in_the_first_box(rules, board, line):
    """Or on three cells beside regions, and without boxes."""
    said, meant = constraints_for(rules, board), f"thermo:{','.join(line[::-1])}"
    assert {*said.pairs} == {*constraints_for(meant, board).pairs}
    assert not said.is_wide
    full = Grid(bytes(range(1, 5)) + bytes(12), FOUR)
    assert not violations(full, ("rossini=+:row1", "rossini=-:-row1"))
    assert violations(full, ("rossini=-:row1",))


def test_every_kind_is_stated_three_times():
    assert KINDS.keys() == STATEMENTS.keys() == OF_DIGITS.keys() | OF_GRID.keys()


@pytest.mark.parametrize(
    ("kind", "count"),
    [(kind, 5 if KINDS[kind].joins else 10) for kind in ON_FOUR]
    + [pytest.param(kind, 200, marks=pytest.mark.slow) for kind in ON_FOUR],
)
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
    ("rossini=up:row1", "clue rossini=up:row1: value 'up': expected + or -"),
    ("rossini=+:r1c1-r1c3", "clue rossini=+:r1c1-r1c3: these cells are no whole row or column"),
    ("weighted=1,0=5:r1c1,r1c2", "clue weighted=1,0=5:r1c1,r1c2: value '1,0=5': expected weights"),
    ("weighted=-101=5:r1c1", "clue weighted=-101=5:r1c1: value '-101=5': expected weights from"),
    ("weighted=1,1:r1c1", "clue weighted=1,1:r1c1: value '1,1': expected weights from -100 to"),
    ("weighted=1,2=5:r1c1", "clue weighted=1,2=5:r1c1: 2 weights for 1 cells: expected one for"),
    ("weighted=2,-1=18:r1c1,r1c2", "clue weighted=2,-1=18:r1c1,r1c2: its cells add up to -7 to 17"),
    ("white=0:r1c1,r1c2", "clue white=0:r1c1,r1c2: white takes no value"),
])  # fmt: skip
def test_a_wrong_clue_is_told(text, problem):
    with pytest.raises(ClueError) as raised:
        constraints_for(text)
    assert str(raised.value).startswith(problem)


@pytest.mark.parametrize("text", ["x-sum=20:", "sandwich=12:", "skyscraper=4:"])
def test_an_automaton_is_made_once_for_all_lines(text):
    def shape(line):
        (family,) = (f for f in constraints_for(text + line).families if f.shapes)
        return family.shapes[0]

    assert shape("row1").layers is shape("-col3").layers
    assert shape("row1").cells != shape("-col3").cells


def test_the_automaton_of_a_sum_is_made_once():
    one, other = (
        constraints_for(f"sum=20:{cells}").families[-1].shapes[0]
        for cells in ("r1c1-r4c4", "r2c1-r5c4")
    )
    assert one.layers is other.layers
