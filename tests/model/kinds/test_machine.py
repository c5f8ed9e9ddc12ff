"""State machines along lines: the automaton against a walk, limits, and the way through files."""

import json
import random
from itertools import product
from time import process_time

import pytest
from clue_examples import keeps, random_machine
from examples import FOUR

from satdoku.cli import main
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.kinds import clue_of
from satdoku.sat.session import Session
from satdoku.witness.verify import violations

CELLS = "r1c1,r2c1,r3c3,r4c4"  # no house has three of them


def accepted(text):
    """The sequences of digits that the clue's automaton accepts."""
    ((shape,),) = (f.shapes for f in constraints_for(text, FOUR).families if f.shapes)
    ways = {((), 0)}
    for edges in shape.layers:
        ways = {((*w, d), after) for w, s in ways for before, d, after in edges if before == s}
    return {word for word, _ in ways}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("cells", [CELLS, "r1c1>r2c1,r3c3>r4c4", "r1c1,r2c1>r3c3,r4c4"])
def test_the_automaton_accepts_what_a_walk_finds(seed, cells):
    text = f"machine={random_machine(random.Random(seed), 4, breaks=True)}:{cells}"
    clue = clue_of(text, FOUR)
    good = set()
    for word in product(range(1, 5), repeat=4):
        at = dict(zip(clue.cells, word, strict=True))
        if keeps([at.get(cell) for cell in range(16)], clue, (clue,), 4):
            good.add(word)
    assert accepted(text) == good


def test_a_machine_and_a_pattern_of_one_meaning_are_one_automaton():
    """Nondeterministic: the machine guesses where the pair begins."""
    machine = "machine=a-.>a,a-1>b,a-2>c,b-2>d,c-1>d,d-.>d,d*"
    one, other = (
        constraints_for(f"{text}:row2", FOUR).families[-1].shapes
        for text in (machine, "regex=.*(12|21).*")
    )
    assert one == other


GRIDS = [bytes(g.cells) for g in Session(constraints_for("classic", FOUR)).solutions("." * 16)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("cells", ["r1c1,r2c3>r3c2>r4c4", "r1c1,r1c2>r1c2,r2c3,r1c1"])
def test_groups_that_share_cells_or_not_are_counted_as_by_hand(seed, cells):
    """All 288 grids, by a walk; and both statements agree on each."""
    text = f"machine={random_machine(random.Random(seed), 4, breaks=True)}:{cells}"
    constraints, clue = constraints_for(text, FOUR), clue_of(text, FOUR)
    kept = [grid for grid in GRIDS if keeps(grid, clue, (clue,), 4)]
    assert Session(constraints).count("." * 16) == len(kept)
    for grid in GRIDS:
        assert bool(violations(Grid(grid, FOUR), constraints.rules)) == (grid not in kept)


def test_each_group_may_be_read_anew():
    """The example of docs/CLUES.md: each group holds an odd digit."""
    text = "machine=a-[24]>a,a-[13]>b,b-.>b,b-/>a,b*:r1c1,r1c2>r2c3,r4c4"
    kept = [g for g in GRIDS if (g[0] % 2 or g[1] % 2) and (g[6] % 2 or g[15] % 2)]
    assert 0 < len(kept) == Session(constraints_for(text, FOUR)).count("." * 16) < len(GRIDS)


def test_several_groups_need_a_way_between_them():
    """One group needs none, and what is read after the last one is nothing."""
    with pytest.raises(ClueError, match="several groups of cells: expected a transition between"):
        clue_of("machine=a-.>a,a*:r1c1>r1c2", FOUR)
    one = accepted(f"machine=a-[12]>b,b-[34]>a,b-/>c,a*:{CELLS}")
    assert one == accepted(f"machine=a-[12]>b,b-[34]>a,a*:{CELLS}") != set()


def test_too_many_states_are_refused_soon():
    """The 17th digit from the end is a 1: an automaton remembers 17 digits."""
    chain = ",".join(f"s{n}-.>s{n + 1}" for n in range(16))
    start = process_time()
    with pytest.raises(ClueError, match="more than 1,000 states"):
        cells = ",".join(f"row{n}" for n in range(1, 10))
        constraints_for(f"machine=a-.>a,a-1>s0,{chain},s16*:{cells}")
    assert process_time() - start < 10


def test_it_passes_through_options_columns_and_json(tmp_path, capsys):
    clue, given = "machine=a-[24]>b,b-[13]>a,b*:r1c1,r1c2,r2c2", "...1....2......."
    csv, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    csv.write_text(f'puzzle,clues\n{given},"{clue}"\n')
    lines.write_text(json.dumps({"puzzle": given, "clues": [clue]}) + "\n")
    exported = tmp_path / "a.iss"
    assert main(["export", given, "--clue", clue, "-f", "iss", "-o", str(exported)]) == 0
    solved = set()
    asked = (
        [given, "--rules", f"classic;{clue}"],
        [given, "--clue", clue],
        [str(csv)],
        [str(lines)],
    )
    for words in (*asked, [str(exported)]):
        assert main(["solve", *words]) == 0
        solved.add(capsys.readouterr().out)
    (grid,) = solved
    assert [int(grid[cell]) % 2 for cell in (0, 1, 5)] == [0, 1, 0]


@pytest.mark.parametrize(
    "clue", ["machine=a-[13]>a,a*:row1", "machine=a-[13]>a,a-/>a,a*:r1c1,r1c2>r1c3,r1c4"]
)
def test_a_contradiction_is_certified(tmp_path, capsys, clue):
    """Row 1 would hold odd digits only, or each half of it the same two."""
    proof = str(tmp_path / "a.cert")
    asked = ["certify", "." * 16, "--clue", clue, "-o", proof]
    assert main(asked) == 0
    assert main(["verify", proof]) == 0
    assert "none" in capsys.readouterr().out
