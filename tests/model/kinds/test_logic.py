"""Clues made of clues: how they are written, what they become, where they go, what is refused."""

import json
from itertools import product

import pytest
from examples import FOUR

from satdoku.cli import main
from satdoku.model import automata
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import clue_of

NINE = Board.of_size(9)
CLUE = "or:(and:(cage=3:r3c3,r3c4),(odd:r1c4)),(thermo:r4c1,r3c2,r2c3)"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("or:(x:r1c2,r1c1),(v:r1c1,r1c2)", "or:(sum=10:r1c1,r1c2),(sum=5:r1c1,r1c2)"),
        (" OR : ( odd : r1c1 ) , (even:r1c2) ", "or:(even:r1c2),(odd:r1c1)"),
        ("or:(odd:r1c1),(or:(even:r1c2),(odd:r1c1))", "or:(even:r1c2),(odd:r1c1)"),
        ("or:(odd:r1c1),(and:(odd:r1c1))", "odd:r1c1"),
        ("and:(or:(odd:r1c1),(odd:r1c1)),(even:r1c2)", "and:(even:r1c2),(odd:r1c1)"),
        ("or:(taxicab),(regex=(1|2)+.:r1c1-r1c3)", "or:(regex=(1|2)+.:r1c1,r1c2,r1c3),(taxicab)"),
    ],
)
def test_all_who_mean_a_clue_write_it_alike(text, canonical):
    assert clue_of(text, NINE).text(NINE) == canonical
    assert clue_of(canonical, NINE) == clue_of(text, NINE)


@pytest.mark.parametrize(("text", "problem"), [
    ("or:(odd:r1c1", "'(odd:r1c1': expected as many ')' as '('"),
    ("or:(odd:r1c1)),((odd:r1c2)", "'r1c1))' names no cell"),
    ("or:(odd:r1c1),,(odd:r1c2)", "'': expected a clue in parentheses, as in (odd:r1c1)"),
    ("or:r1c1,r1c2", "expected clues in parentheses, as in or:(thermo:r1c1,r2c1,r2c2),(cage"),
    ("odd:(odd:r1c1)", "expected cells and no clues, as in odd:r1c1,r5c5"),
    ("or=3:(odd:r1c1),(odd:r1c2)", "value '3': this kind takes none"),
    ("or:(odd:r1c1),(greater:r1c2)", "1 cells: expected 2"),
    ("or:(no-white),(odd:r1c1)", "no-difference goes by all other clues: expected it outside"),
    ("or:(" * 22 + "odd:r1c1" + ")" * 22, "expected at most 20 clues within one another"),
])  # fmt: skip
def test_a_wrong_clue_is_told(text, problem):
    with pytest.raises(ClueError) as raised:
        constraints_for(text)
    assert str(raised.value).startswith(f"clue {text[:40]}")
    assert problem in str(raised.value)


def test_parts_that_are_too_large_together_are_refused(monkeypatch):
    monkeypatch.setattr(automata, "MOST_MOVES", 1000)
    with pytest.raises(ClueError) as raised:
        constraints_for("or:(region:rising),(region:falling)")
    assert "cells are too many: more than 1,000 moves" in str(raised.value)
    with pytest.raises(ClueError, match="cells are too many for several clues at once"):
        monkeypatch.setattr(automata, "MOST_EDGES", 1000)
        constraints_for("or:(thermo:r1c1,r1c2),(queen-digits=1)", FOUR)


def test_a_denial_refuses_a_dot_that_may_not_be_there():
    with pytest.raises(ClueError, match="it goes by clues that stand alone, not in or:"):
        constraints_for("no-white;or:(black:r1c1,r1c2),(odd:r3c3)")
    assert constraints_for("no-x;or:(black:r1c1,r1c2),(odd:r3c3)").pairs
    assert constraints_for("no-white;or:(black:r1c1,r3c3),(odd:r3c3)").pairs


@pytest.mark.parametrize("text", ["or:(odd:r1c1),(even:r1c1)", "or:(cage:r1c1),(cage:r2c2)"])
def test_what_always_holds_says_nothing(text):
    plain = constraints_for("classic", FOUR)
    assert constraints_for(text, FOUR).families == plain.families


@pytest.mark.parametrize(
    "lines", ["row1|-row1", "row1|-r1c2-r1c4,r2c2", "r1c1,r3c3,r2c4|r2c4,r1c1,r3c3"]
)
def test_parts_that_read_the_same_cells_in_other_orders(lines):
    """Each part goes by the order of its own line, though one automaton reads them all."""
    one, other = lines.split("|")
    said = constraints_for(f"or:(regex=1.*[34]:{one}),(regex=2[13].*:{other})", FOUR)
    ((shape,),) = (family.shapes for family in said.families if family.shapes)
    first, second = (clue_of(f"regex=1:{line}", FOUR).cells for line in (one, other))
    ways = {((), 0)}
    for edges in shape.layers:
        ways = {((*w, d), after) for w, s in ways for before, d, after in edges if before == s}
    for word in product(range(1, 5), repeat=len(shape.cells)):
        at = dict(zip(shape.cells, word, strict=True))
        a, b = [at[cell] for cell in first], [at[cell] for cell in second]
        good = (a[0] == 1 and a[-1] in (3, 4)) or (b[0] == 2 and b[1] in (1, 3))
        assert ((word, 0) in ways) == good


def test_a_clue_passes_through_options_columns_json_and_links(tmp_path, capsys):
    puzzle, solution = "...4...1........", "3124243142131342"
    csv, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    csv.write_text(f'puzzle,clues\n{puzzle},"odd:r1c1;{CLUE}"\n')
    lines.write_text(json.dumps({"puzzle": puzzle, "clues": [CLUE, "odd:r1c1"]}) + "\n")
    asked = [
        [puzzle, "--rules", f"odd:r1c1;{CLUE}"],
        [puzzle, "--clue", CLUE, "--clue", "odd:r1c1"],
    ]
    for words in (*asked, [str(csv)], [str(lines)]):
        assert main(["solve", *words]) == 0
        assert capsys.readouterr().out == f"{solution}\n"
    exported = str(tmp_path / "a.json")
    for form in ("json", "iss"):
        assert main(["export", *asked[0], "-f", form, "-o", exported]) == 0
        assert main(["solve", exported]) == 0
        assert capsys.readouterr().out == f"{solution}\n"
    assert main(["export", *asked[0], "-f", "fpuzzles"]) == 2
    assert "f-puzzles has no clue 'or'" in capsys.readouterr().err


def test_a_contradiction_is_certified_and_explained_by_the_whole_clue(tmp_path, capsys):
    proof, puzzle = str(tmp_path / "a.cert"), "...4.4.2........"
    assert main(["certify", puzzle, "--clue", CLUE, "-o", proof]) == 0
    assert main(["verify", proof]) == 0
    assert "none" in capsys.readouterr().out
    assert main(["explain", puzzle, "--clue", CLUE]) == 1
    label = "(cage 3 at r3c3-r3c4 and odd r1c4) or thermo r4c1-r2c3"
    assert label in capsys.readouterr().out
