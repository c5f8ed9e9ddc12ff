"""Killer texts of forums, in both forms, wherever a puzzle may stand."""

import csv
import io
import json
import random
import re

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given
from hypothesis import strategies as st

import satdoku
from satdoku.cli import main
from satdoku.files.collection import read_chunks
from satdoku.files.foreign import ForeignError
from satdoku.files.killer import STEPS, SUMS, format_killer, parse_killer
from satdoku.files.puzzles import read_puzzles
from satdoku.model.grid import parse_grid
from satdoku.model.puzzle import Puzzle
from satdoku.witness.verify import solves

SOLUTION = parse_grid(CLASSIC_SOLUTION)


def made(seed):
    """A killer puzzle of that solution: the next cell in the cage of each cell, itself at the cell
    with the sum; -1 where a cell is in no cage."""
    dice = random.Random(seed)
    to, cages = [-1] * 81, {}
    for cell in dice.sample(range(81), 81 - dice.choice([0, 0, 9])):
        row, column = divmod(cell, 9)
        near = [(row + a, column + b) for a, b in STEPS.values()]
        joined = [9 * r + c for r, c in near if 0 <= r < 9 and 0 <= c < 9 and to[9 * r + c] >= 0]
        joined = [other for other in joined if fits(cages, to, other, cell)]
        to[cell] = dice.choice(joined) if joined and dice.random() < 0.8 else cell
        cages.setdefault(first_of(to, cell), []).append(cell)
    return to, cages


def fits(cages, to, other, cell):
    cells = cages[first_of(to, other)]
    return len(cells) < 5 and SOLUTION[cell] not in [SOLUTION[c] for c in cells]


def first_of(to, cell):
    while to[cell] != cell:
        cell = to[cell]
    return cell


def marks(to, cages):
    sums = {first: sum(SOLUTION[cell] for cell in cells) for first, cells in cages.items()}
    names = {step: mark for mark, step in STEPS.items()}
    return "".join(
        "0" if other < 0 else SUMS[sums[cell]] if other == cell
        else names[other // 9 - cell // 9, other % 9 - cell % 9]
        for cell, other in enumerate(to)
    )  # fmt: skip


def numbers(to, cages, flag=""):
    lone = iter(range(len(cages) + 1, 256))
    values = [next(lone) if other < 0 else 0 for other in to]
    for name, cells in enumerate(cages.values(), 1):
        for cell in cells:
            values[cell] = 256 * sum(SOLUTION[c] for c in cells) + name
    return f"3x3:{flag}:k:" + ":".join(map(str, values))


def clues(cages):
    """As a person would type them."""
    cells = {tuple(sorted(cage)): sum(SOLUTION[c] for c in cage) for cage in cages.values()}
    names = {cage: ",".join(f"r{c // 9 + 1}c{c % 9 + 1}" for c in cage) for cage in cells}
    return ";".join(["classic", *(f"cage={total}:{names[cage]}" for cage, total in cells.items())])


def entries(to, cages, regions="", flag=""):
    """In SumoCue's form, where a cell alone with a sum is a given."""
    sums = {first: sum(SOLUTION[cell] for cell in cells) for first, cells in cages.items()}
    labels = [f"J{label}" for label in regions] or [""] * 81
    whole = (
        f"={sums.get(cell, 0)}" if to[cell] in (cell, -1) else f"+{first_of(to, cell)}"
        for cell in range(81)
    )  # fmt: skip
    return f"SumoCueV1{flag}" + "".join(map("".join, zip(whole, labels, strict=True)))


MARKS, NUMBERS = marks(*made(1)), numbers(*made(1))


@given(st.integers(0, 10_000))
def test_both_forms_state_the_cages_that_they_are_made_of(seed):
    to, cages = made(seed)
    expected = set(satdoku.constraints_for(clues(cages)).rules)
    for text in (marks(to, cages), numbers(to, cages), f" {numbers(to, cages)}: "):
        if ":" not in text and not set("<>^v") & set(text):
            continue
        for found in (parse_killer(text), satdoku.parse_puzzle(text)):
            assert set(found.constraints.rules) == expected
            assert not any(found.grid)
            assert solves(SOLUTION, found.grid, found.constraints.rules)
    found = parse_killer(numbers(to, cages, "d"))
    assert set(found.constraints.rules) == {"diagonal", *expected}


REGIONS = "".join(str(3 * (r // 3) + c // 3) for r in range(9) for c in range(9))
SWAPPED = f"1{REGIONS[1:3]}0{REGIONS[4:]}"


@given(st.integers(0, 10_000))
def test_the_form_of_sumocue_has_givens_and_regions(seed):
    to, cages = made(seed)
    several = {first: cells for first, cells in cages.items() if len(cells) > 1}
    lone = {first: SOLUTION[first] for first, cells in cages.items() if len(cells) == 1}
    expected = set(satdoku.constraints_for(clues(several)).rules)
    for text, regions in (
        (entries(to, cages), None), (entries(to, cages, REGIONS), None),
        (entries(to, cages, SWAPPED), SWAPPED), (entries(to, cages).lower(), None),
    ):  # fmt: skip
        found = satdoku.parse_puzzle(text)
        board = found.constraints.board
        assert set(found.constraints.rules) == expected
        assert {cell: digit for cell, digit in enumerate(found.grid) if digit} == lone
        assert board.regions == (regions and tuple(map(int, regions.translate({48: 49, 49: 48}))))
    flagged = satdoku.parse_puzzle(entries(to, cages, flag="D"))
    assert set(flagged.constraints.rules) == {"diagonal", *expected}


@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(["", "d"]))
def test_what_is_written_reads_back(seed, is_jigsaw, flag):
    to, cages = made(seed)
    text = entries(to, cages, SWAPPED * is_jigsaw, flag)
    puzzle = satdoku.parse_puzzle(text)
    assert satdoku.parse_puzzle(format_killer(puzzle.grid, puzzle.constraints)) == puzzle
    plain = satdoku.parse_puzzle(numbers(to, cages, flag))
    written = format_killer(plain.grid, plain.constraints)
    assert satdoku.parse_puzzle(written) == plain
    assert written.startswith(f"3x3:{flag}:k:")


def test_a_cage_without_a_sum_reads_back():
    rules = "cage:r1c1,r1c2;cage=5:r2c1,r2c2"
    written = format_killer("." * 81, rules)
    assert written.startswith("SumoCueV1=0+0=0") and "=5+9" in written
    assert satdoku.parse_puzzle(written).constraints == satdoku.constraints_for(rules)


@pytest.mark.parametrize(("grid", "rules", "problem"), [
    ("." * 16, "cage=3:r1c1,r1c2", "boards of 9x9 with boxes or regions, not a board of 4x4"),
    ("." * 81, "latin=9", "not a board of 9x9 without boxes"),
    ("." * 81, "layer=shade:0-1", "not a board of 9x9 .*, layer shade"),
    ("." * 81, "knight", "no rule 'knight'; it has diagonal"),
    ("." * 81, "thermo:r1c1,r1c2", "cannot state thermo:r1c1,r1c2"),
    ("." * 81, "cage=3:r1c1,r1c2;cage=3:r1c2,r1c3", "cannot state cage=3:r1c2,r1c3"),
    ("1" + "." * 80, "cage=3:r1c1,r1c2", "r1c1 is given, and in a cage"),
])  # fmt: skip
def test_what_no_killer_text_states_is_named(grid, rules, problem):
    with pytest.raises(satdoku.SatdokuError, match=problem):
        format_killer(grid, rules)


def test_a_text_may_stand_on_several_lines(tmp_path):
    path = tmp_path / "a.txt"
    for text in (MARKS, NUMBERS, entries(*made(1), SWAPPED)):
        expected = satdoku.parse_puzzle(text)
        for width in (9, 20, 100):
            lines = "\n".join(text[at : at + width] for at in range(0, len(text), width))
            assert satdoku.parse_puzzle(f" {lines}\n") == expected
            path.write_text(f"# a killer\n{lines}\n")
            (found,) = read_puzzles(str(path))
            assert (found.grid, found.constraints) == (expected.grid, expected.constraints)
            (chunk,) = read_chunks(str(path))
            assert (len(chunk.lines), chunk.errors) == (1, {})
    path.write_text(f"{NUMBERS}\n{CLASSIC}\n")
    assert len(list(read_puzzles(str(path)))) == 2
    head, numbers_ = NUMBERS[:7], NUMBERS[7:].replace(":", ":\n")
    wrong = "\n".join([head, *numbers_.split()[:5], "x:", *numbers_.split()[6:]])
    with pytest.raises(ForeignError, match="line 7, column 1: 'x'"):
        satdoku.parse_puzzle(wrong)


def test_each_mark_points_to_its_neighbour():
    around = dict(zip("`^'<>,v.", (40, 41, 42, 49, 51, 58, 59, 60), strict=True))
    for mark, first in around.items():
        text = ["0"] * 81
        text[50], text[first] = mark, "H"  # 17
        text[0], text[1] = "3", "<"
        cells = ",".join(f"r{c // 9 + 1}c{c % 9 + 1}" for c in sorted((50, first)))
        assert f"cage=17:{cells}" in parse_killer("".join(text)).constraints.rules


def test_a_puzzle_of_one_solution_is_solved():
    for text in (MARKS, NUMBERS):
        assert satdoku.count(text, limit=2) >= 1
        assert satdoku.check_answer(text, CLASSIC_SOLUTION).right
    assert parse_killer("0<" + "0" * 79).constraints.rules == ("cage:r1c1,r1c2",)
    single = "".join(SUMS[digit] for digit in SOLUTION)
    assert satdoku.solve(f"3<{'0' * 79}") is not None
    assert satdoku.parse_puzzle(single).rules == "classic"  # no mark: a grid


WRONG = {
    "<" + "0" * 80: "column 1: < in r1c1 points out of the grid",
    "0" * 80 + ".": None,  # no mark that grids do not have: a grid
    "3<" + "0" * 78 + ".": "column 81: . in r9c9 points out of the grid",
    "><" + "0" * 79: "column 2: the marks lead from r1c2 back to it, expected to a sum",
    "a<" + "0" * 79: "line 1: clue cage=36:r1c1,r1c2",
    "4x4::k:" + "0:" * 256: "column 1: boxes of 4x4, expected 3x3",
    "3x3:j:k:" + "0:" * 81: "column 5: 'j' between the colons, expected d or nothing",
    "3x3::k:" + "0:" * 80: "line 1: 80 numbers, expected 81",
    "3x3::k:" + "0:" * 82: "line 1: 82 numbers, expected 81",
    "3x3::k:0:x:" + "0:" * 79: "column 10: 'x', expected a number for each cell",
    "3x3::k:0::" + "0:" * 79: "column 10: '', expected a number for each cell",
    "3x3:d:k:0:-5:" + "0:" * 79: "column 11: '-5', expected a number for each cell",
    "3x3::k:769:1025:" + "0:" * 79: "column 12: 1025 gives cage 1 the sum 4, and 3 stands before",
    "SumoCueV1" + "=0" * 80: "line 1: 80 entries, expected 81",
    "SumoCueV1" + "=0" * 80 + "+81": "column 170: '+81': expected the number of a cell that begins",
    "SumoCueV1=0+0+1" + "=0" * 78: "column 14: '+1': expected the number of a cell that begins",
    "SumoCueV1=12" + "=0" * 80: "column 10: '=12' at a cell alone: expected a digit, or 0 for none",
    "SumoCueV1=1J0=2" + "=0" * 79: "column 14: '=2' without a region",
    "SumoCueV1" + "=0J0" * 81: "regions of unequal size (box at r1c1 has 81 cells",
    "SumoCueV1=0;=0" + "=0" * 79: "column 12: ';=0=0=0=0=', expected an entry",
    "3x3::k:11777:" + "0:" * 80: "line 1: clue cage=46:r1c1",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_refused_at_its_place(text, tmp_path):
    problem = WRONG[text]
    if problem is None:
        assert satdoku.parse_puzzle(text).rules == "classic"
        return
    with pytest.raises(ForeignError, match=re.escape(problem)):
        satdoku.solve(text)
    path = tmp_path / "a.txt"
    path.write_text(f"{CLASSIC}\n{text}\n{MARKS}\n")
    good, bad, other = read_puzzles(str(path))
    assert isinstance(good, Puzzle) and isinstance(other, Puzzle)
    assert (bad.error.line, bad.error.source) == (2, str(path))


def test_rules_that_are_asked_for_contain_the_cages():
    with pytest.raises(ForeignError, match="the puzzle has the rules cage="):
        satdoku.solve(MARKS, "knight")
    more = f"diagonal;{satdoku.parse_puzzle(MARKS).rules.partition(';')[2]}"
    assert satdoku.parse_puzzle(MARKS, more).constraints.names == ("diagonal",)
    with pytest.raises(ForeignError, match="expected a board of 4x4"):
        satdoku.parse_puzzle(MARKS, "boxes=2x2")


def quoted(*rows):
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


FILES = {
    "lines": f"{CLASSIC}\n{MARKS}\n\n# comment\n{NUMBERS}:\n",
    "first": f"{MARKS}\n{NUMBERS}\n{CLASSIC}\n",
    "table": quoted(["id", "puzzle"], ["a", MARKS], ["b", CLASSIC], ["c", NUMBERS]),
    "objects": "".join(json.dumps({"puzzle": p}) + "\n" for p in (CLASSIC, MARKS, NUMBERS)),
    "small": f"{'1' + '.' * 15},\n{MARKS}\n{NUMBERS}\n",
}


@pytest.mark.parametrize("name", FILES)
def test_files_of_killers_are_read_in_both_ways(name, tmp_path):
    path = tmp_path / name
    path.write_text(FILES[name])
    cages = set(satdoku.parse_puzzle(MARKS).constraints.rules)
    records = list(read_puzzles(str(path)))
    found = [set(r.constraints.rules) for r in records]
    assert (found.count(cages), len(found)) == (2, 3)
    if name != "small":  # of one board
        chunks = list(read_chunks(str(path)))
        rules = [rule for chunk in chunks for rule in chunk.rules or ["classic"] * len(chunk)]
        assert not any(chunk.errors for chunk in chunks)
        assert [set(satdoku.constraints_for(r or "classic").rules) for r in rules] == found
        cells = np.concatenate([chunk.puzzles for chunk in chunks])
        assert sorted(cells.any(1).tolist()) == [False, False, True]


def test_an_argument_or_standard_input_may_be_a_killer(capsys, tmp_path, monkeypatch):
    (tmp_path / "a").write_text(MARKS)
    monkeypatch.setattr("sys.stdin", (tmp_path / "a").open())
    for argument in (MARKS, NUMBERS, str(tmp_path / "a"), "-"):
        assert main(["solve", "--format", "line", argument]) == 0
        (line,) = capsys.readouterr().out.split()
        found = satdoku.parse_puzzle(MARKS)
        assert solves(parse_grid(line), found.grid, found.constraints.rules)
