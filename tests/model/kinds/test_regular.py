"""Regular expressions on lines: the automaton against `re`, limits, and the way through files.
State machines along lines: the automaton against a walk, limits, and the way through files.
Clues made of clues: how they are written, what they become, where they go, what is refused.
"""

from __future__ import annotations

import json
import random
import re
from itertools import product
from time import process_time

import pytest
from clue_examples import keeps, random_machine
from examples import FOUR
from soak import share

from satdoku import solutions
from satdoku.answers.session import Session
from satdoku.cli import main
from satdoku.model import automata
from satdoku.model.board import Board
from satdoku.model.clue import Clue, ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.kinds import _joined, clue_of, lowered, regular
from satdoku.model.shapes import Automaton, clue_work
from satdoku.witness.verify import violations

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
    with pytest.raises(ClueError, match="more than 4,000 states"):
        constraints_for(f"regex=.*1.{{16}}:{','.join(f'row{n}' for n in range(1, 10))}")
    many = "|".join(f".*{digit}.{{26}}" for digit in range(1, 10))
    with pytest.raises(ClueError, match="more than 4,000 states"):
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


def accepted_of_machine(text):
    """The sequences of digits that the clue's automaton accepts."""
    ((shape,),) = (f.shapes for f in constraints_for(text, FOUR).families if f.shapes)
    ways = {((), 0)}
    for edges in shape.layers:
        ways = {((*w, d), after) for w, s in ways for before, d, after in edges if before == s}
    return {word for word, _ in ways}


@pytest.mark.parametrize("seed", range(share(12)))
@pytest.mark.parametrize("cells", [CELLS, "r1c1>r2c1,r3c3>r4c4", "r1c1,r2c1>r3c3,r4c4"])
def test_the_automaton_accepts_what_a_walk_finds(seed, cells):
    text = f"machine={random_machine(random.Random(seed), 4, breaks=True)}:{cells}"
    clue = clue_of(text, FOUR)
    good = set()
    for word in product(range(1, 5), repeat=4):
        at = dict(zip(clue.cells, word, strict=True))
        if keeps([at.get(cell) for cell in range(16)], clue, (clue,), 4):
            good.add(word)
    assert accepted_of_machine(text) == good


@pytest.mark.skipif(not regular.AVAILABLE, reason="built without a compiler")
@pytest.mark.parametrize("seed", range(share(30)))
def test_c_reads_machines_as_python_does(seed, monkeypatch):
    """Also cells that come again, and layers with digits of their own."""
    rng = random.Random(seed)
    board = constraints_for("layer=a:0-5" if seed % 2 else "classic", FOUR).board
    cells = [rng.sample(range(board.cells), 3) * rng.randint(1, 2) for _ in range(3)]
    groups = tuple(map(tuple, cells[: rng.randint(1, 3)]))
    clue = Clue("machine", groups, random_machine(rng, 4, breaks=True))
    (found,) = regular.KINDS[1].shapes(board, clue)
    monkeypatch.setattr(regular, "AVAILABLE", False)
    (expected,) = regular.KINDS[1].shapes(board, clue)
    assert found == expected


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
    one = accepted_of_machine(f"machine=a-[12]>b,b-[34]>a,b-/>c,a*:{CELLS}")
    assert one == accepted_of_machine(f"machine=a-[12]>b,b-[34]>a,a*:{CELLS}") != set()


def test_too_many_states_are_refused_soon_of_machine():
    """The 17th digit from the end is a 1: an automaton remembers 17 digits."""
    chain = ",".join(f"s{n}-.>s{n + 1}" for n in range(16))
    start = process_time()
    with pytest.raises(ClueError, match="more than 4,000 states"):
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
def test_a_contradiction_is_certified_of_machine(tmp_path, capsys, clue):
    """Row 1 would hold odd digits only, or each half of it the same two."""
    proof = str(tmp_path / "a.cert")
    asked = ["certify", "." * 16, "--clue", clue, "-o", proof]
    assert main(asked) == 0
    assert main(["verify", proof]) == 0
    assert "none" in capsys.readouterr().out


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
    ("or:(odd:r1c1),(greater:r1c2)", "1 cell: expected 2"),
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
        monkeypatch.setattr(automata, "MOVES_AT_ONCE", 1000)
        constraints_for("or:(thermo:r1c1,r1c2),(queen-digits=1)", FOUR)


@pytest.mark.parametrize(
    "text",
    [
        "machine=a-[1-4]>b,b-[5-9]>a,a*,b*:r1c1,r1c2,r1c1",
        "same-values:r1c1-r1c5>r2c1-r2c5>r3c1-r3c5",
        "or:(skyscraper=3:row1),(skyscraper=3:-row2)",
        "or:(and:(odd:r1c1),(thermo:r1c2,r1c3,r1c4)),(and:(odd:r1c1),(even:r1c5))",
    ],
)
def test_what_is_kept_of_a_clue_counts_as_the_work_that_it_took(text):
    """Limits on the work of all clues do not depend on what was read before."""
    board, spent = Board.of_size(9), []
    clue = clue_of(text, board)
    for _ in range(2):
        _joined.cache_clear()
        with clue_work() as moves:
            found = lowered(clue, (), board)
        spent.append((moves[0], found[1]))
    assert spent[0] == spent[1] and spent[0][0] > 0


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
    label = "(3 cage r3c3-r3c4 and odd r1c4) or thermo r4c1-r2c3"
    assert label in capsys.readouterr().out
