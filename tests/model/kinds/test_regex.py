"""Regular expressions on lines: the automaton against `re`, limits, and the way through files."""

import json
import re
from itertools import product
from time import process_time

import pytest
from examples import FOUR

from satdoku import solutions
from satdoku.cli import main
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.shapes import Automaton

CELLS = "r1c1,r2c1,r3c3,r4c4"  # no house has three of them
CASES = [
    "....", "1", "()", "(|)*", "((1*)*)*", "((1|)*2?)+", "(1|12)(2|22).", "(1?){4}", "(1?2?){3,}",
    "[^1-4]*1*", "[^1]{4}", "(1{2}){2}", "(12){0}3+4", "1{0,0}.{4}", ".*(12|21).*", "(1*2)*|3*4{3}",
    "(.2){1,2}", "(1+|2+)+", "(1|2)*1(1|2)",
]  # fmt: skip


def accepted(text):
    """The sequences of digits that the clue's automaton accepts."""
    constraints = constraints_for(text, FOUR)
    ((automaton,),) = [family.shapes for family in constraints.families if family.shapes]
    assert isinstance(automaton, Automaton)
    ways = [((), 0)]
    for edges in automaton.layers:
        ways = [((*w, d), after) for w, s in ways for before, d, after in edges if before == s]
    return {word for word, _ in ways}


@pytest.mark.parametrize("pattern", CASES)
def test_the_automaton_accepts_what_python_matches(pattern):
    words = set(product(range(1, 5), repeat=4))
    good = {word for word in words if re.fullmatch(pattern, "".join(map(str, word)))}
    assert accepted(f"regex={pattern}:{CELLS}") == good


def test_equal_meanings_give_equal_automata():
    one, other = (
        constraints_for(f"regex={pattern}:row2", FOUR).families[-1].shapes
        for pattern in ("(1|2)(1|2).*", "[12]{2}[1-4]+.")
    )
    assert one == other


def test_too_many_states_are_refused_soon():
    """The 17th digit from the end is a 1: an automaton remembers 17 digits."""
    start = process_time()
    with pytest.raises(ClueError, match="more than 1,000 states"):
        constraints_for(f"regex=.*1.{{16}}:{','.join(f'row{n}' for n in range(1, 10))}")
    many = "|".join(f".*{digit}.{{26}}" for digit in range(1, 10))
    with pytest.raises(ClueError, match="more than 1,000 states"):
        constraints_for(f"regex={many}:{','.join(f'row{n}' for n in range(1, 10))}")
    assert process_time() - start < 10


@pytest.mark.parametrize("pattern", [".*(12|21).*", "[^1]{1,2}(1|3|4)+", "(1|2){2,}.+"])
def test_a_pattern_passes_through_options_columns_and_json(pattern, tmp_path, capsys):
    clue = f"regex={pattern}:row1"
    solved = []
    for asked in (["--rules", f"classic;{clue}"], ["--clue", clue]):
        assert main(["solve", "." * 15 + "4", *asked]) == 0
        solved.append(capsys.readouterr().out)
    csv, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    csv.write_text(f'puzzle,clues\n{"." * 15}4,"{clue}"\n')
    lines.write_text(json.dumps({"puzzle": "." * 15 + "4", "clues": [clue]}) + "\n")
    for path in (csv, lines):
        assert main(["solve", str(path), "--json"]) == 0
        record = json.loads(capsys.readouterr().out)
        assert record["rules"] == f"classic;{clue}"
        solved.append(f"{record['solution']}\n")
    assert len(set(solved)) == 1
    assert re.fullmatch(pattern, solved[0][:4])


@pytest.mark.parametrize("pattern", ["(12|21).*|3+", "1234.*"])
def test_a_contradiction_is_certified(pattern, tmp_path, capsys):
    """Row 1 would begin with 1 or 2, which another clue forbids, or hold 3 four times."""
    proof = str(tmp_path / "a.cert")
    puzzle = "........1....2.."
    clue = f"regex={pattern}:row1"
    asked = ["certify", puzzle, "--clue", clue, "--clue", "regex=[^12].*:row1", "-o", proof]
    assert main(asked) == 0
    assert main(["verify", proof]) == 0
    assert "none" in capsys.readouterr().out


def test_exact_counts_know_it(capsys):
    """Six of the 24 first rows have a 1 just before a 2, and each has 12 of the 288 grids."""
    assert main(["count", "." * 16, "--exact", "--rules", "regex=.*12.*:row1"]) == 0
    assert capsys.readouterr().out.split()[0] == str(6 * 12)


@pytest.mark.parametrize("pattern", ["12|2.|[34]1", "..", "11", "1*", "(1|2)[^2]?"])
def test_a_pattern_of_two_cells_relates_them(pattern):
    """It needs no automaton, and allows just the pairs of digits that Python's `re` matches."""
    constraints = constraints_for(f"regex={pattern}:r1c1,r2c3", FOUR)
    assert not any(family.shapes for family in constraints.families)
    grids = [str(grid) for grid in solutions("." * 16, constraints)]
    wanted = [g for g in map(str, solutions("." * 16)) if re.fullmatch(pattern, g[0] + g[6])]
    assert sorted(grids) == sorted(wanted)
