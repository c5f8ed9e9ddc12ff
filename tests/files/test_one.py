"""Whatever names one puzzle is that puzzle, for each public function on one puzzle."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku import Puzzle, SatdokuError, Status, parse_puzzle
from satdoku.files.iss import format_iss
from satdoku.model.grid import parse_grid

RULES = "classic;thermo:r3c5-r3c6"  # 3 and 6 in the solution
LINK = satdoku.format_fpuzzles(CLASSIC, RULES, title="T", author="A")
NAMES = {
    "f-puzzles": LINK,
    "sudokupad": LINK.replace("https://www.f-puzzles.com/?load=", "https://sudokupad.app/fpuzzles"),
    "solver": format_iss(CLASSIC, RULES).replace(".Thermo", "\n.Thermo\n"),
    "json": satdoku.format_puzzle_json(CLASSIC, RULES),
    "parsed": satdoku.parse_fpuzzles(LINK),
}
GRIDS = {
    "text": CLASSIC,
    "rows": "# a title\n" + "\n".join(re.findall(".{9}", CLASSIC)),
    "grid": parse_grid(CLASSIC),
    "row": np.array([int(c) for c in CLASSIC.replace(".", "0")]),
    "list": [int(c) for c in CLASSIC.replace(".", "0")],
    "square": np.array([int(c) for c in CLASSIC.replace(".", "0")]).reshape(9, 9),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Names of files with the puzzle, as text and as path."""
    folder = tmp_path_factory.mktemp("files")
    made = []
    for name, text in {**NAMES, "csv": f"puzzle,clues\n{CLASSIC},{RULES[8:]}\n"}.items():
        if isinstance(text, str):
            path = folder / f"{name}.txt"
            path.write_text(text + "\n")
            made += [path, str(path)]
    return made


def puzzles(files):
    """(puzzle, rules to ask for it with, the rules that it then has)."""
    yield from ((puzzle, None, RULES) for puzzle in (*NAMES.values(), *files))
    yield from ((puzzle, None, "classic") for puzzle in GRIDS.values())
    yield from ((puzzle, RULES, RULES) for puzzle in (*NAMES.values(), *GRIDS.values()))


def test_each_function_takes_each_name(files):
    asked = list(puzzles(files))
    assert len(asked) > 25
    for puzzle, rules, _ in asked:
        assert str(satdoku.solve(puzzle, rules)) == CLASSIC_SOLUTION
        assert satdoku.classify(puzzle, rules) is Status.UNIQUE
        assert satdoku.count(puzzle, rules) == 1
        assert list(map(str, satdoku.solutions(puzzle, rules))) == [CLASSIC_SOLUTION]
        blocks = np.concatenate(list(satdoku.iter_solutions(puzzle, rules)))
        assert bytes(blocks) == parse_grid(CLASSIC_SOLUTION).cells
        found = satdoku.candidates(puzzle, rules)
        assert [min(digits) for digits in found] == list(parse_grid(CLASSIC_SOLUTION))
        assert satdoku.candidate_counts(puzzle, rules, limit=2).counts.sum() == 81
        assert satdoku.propagate(puzzle, rules).givens >= parse_grid(CLASSIC).givens
        assert satdoku.check_answer(puzzle, CLASSIC_SOLUTION, rules).right
        assert satdoku.render_svg(puzzle, rules).startswith("<svg")


def test_the_slower_functions_take_each_name(files):
    for puzzle, rules, name in puzzles(files[-1:]):
        preamble, certificate = satdoku.certify(puzzle, rules)
        assert preamble.rules == satdoku.constraints_for(name).rules
        assert certificate.claim == "unique"
        assert certificate.puzzle == parse_grid(CLASSIC)
    for puzzle in (LINK, files[-1], satdoku.parse_fpuzzles(LINK)):
        assert next(satdoku.explain_steps(puzzle)).placed is not None
        assert satdoku.explain_conflict(puzzle) is None
        assert satdoku.explain_cell(puzzle, "r1c5").digits
        assert satdoku.rate(puzzle).complete
        assert satdoku.render_terminal(puzzle).count("thermo") == 1
        less = satdoku.minimize(puzzle, seed=1)
        assert satdoku.classify(less[0], RULES) is Status.UNIQUE
        assert satdoku.classify(less[0]) is not Status.NONE


@pytest.mark.parametrize("puzzle", NAMES.values(), ids=NAMES)
def test_rules_that_are_asked_for_contain_those_that_are_stated(puzzle):
    for rules in ("classic", "knight", satdoku.constraints_for("king")):
        with pytest.raises(SatdokuError, match="the puzzle has the rules thermo:r3c5,r3c6, '"):
            satdoku.solve(puzzle, rules)
    with_more = satdoku.constraints_for(f"{RULES};odd:r1c1")
    assert parse_puzzle(LINK, with_more).rules == with_more.name
    assert satdoku.classify(puzzle, with_more) is Status.UNIQUE  # 7


def test_a_row_of_a_table_states_rules_as_a_link_does(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"puzzle,rules\n{'.' * 16},knight\n")
    assert satdoku.count(path) == satdoku.count("." * 16, "knight") != satdoku.count("." * 16)
    with pytest.raises(SatdokuError, match="the puzzle has the rules knight, 'king' lacks them"):
        satdoku.count(path, "king")


@pytest.mark.parametrize("count", [0, 2, 3, 10_001])
def test_a_file_holds_one_puzzle(tmp_path, count):
    path = tmp_path / "a.txt"
    path.write_text(f"{CLASSIC}\n" * count)
    number = {0: "no", 10_001: "more than 10,000"}.get(count, count)
    for name in (path, str(path)):
        with pytest.raises(SatdokuError, match=f"a.txt: holds {number} puzzles, expected one"):
            satdoku.solve(name)


def test_what_is_no_puzzle_is_an_error_with_its_place(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("\n1234x\n")
    (tmp_path / "-").write_text(CLASSIC)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SatdokuError, match=r"a.txt: line 2, column"):
        satdoku.solve("a.txt")
    for missing in (Path("b.txt"), Path()):
        with pytest.raises(SatdokuError):
            satdoku.solve(missing)
    with pytest.raises(satdoku.GridError, match="found 3 cells"):
        satdoku.solve("123")
    assert satdoku.solve(Path("-"))  # the file of that name, not standard input
    (tmp_path / CLASSIC).write_text("123")
    assert satdoku.solve(CLASSIC)  # a grid first


def test_pencil_marks_count_wherever_they_may_be():
    marks = [[1, 2], *[range(1, 5)] * 15]
    text = satdoku.format_puzzle_json("." * 16, candidates=marks)
    row = np.array([digit in cell for cell in marks for digit in range(1, 5)])
    for puzzle in (text, parse_puzzle(text), row, row.reshape(16, 4)):
        assert satdoku.count(puzzle) == 144
        assert len(list(satdoku.solutions(puzzle, limit=200))) == 144
        assert satdoku.solve(puzzle)[0] < 3
        assert satdoku.candidates(puzzle)[0] == {1, 2}
        assert satdoku.candidate_counts(puzzle, limit=100).counts[0].tolist() == [72, 72, 0, 0]
        assert satdoku.classify(puzzle) is Status.MULTIPLE
        assert satdoku.render_terminal(puzzle).count("12") == 1
        for refused in (satdoku.propagate, satdoku.rate, satdoku.certify, satdoku.minimize):
            with pytest.raises(SatdokuError, match="pencil marks"):
                refused(puzzle)


def test_rules_in_words_only_are_refused_until_they_are_stated():
    puzzle = replace(parse_puzzle(LINK), warning="no constraint states this rule: odd")
    for ask in (satdoku.solve, satdoku.classify, satdoku.certify, satdoku.rate, satdoku.count):
        with pytest.raises(
            SatdokuError, match="states this rule: odd; pass its grid and its rules"
        ):
            ask(puzzle)
    assert satdoku.render_svg(puzzle)
    assert satdoku.solve(puzzle.grid, puzzle.constraints)


def test_what_is_told_beside_a_puzzle_is_kept(tmp_path):
    path = tmp_path / "a.jsonl"
    stated = satdoku.format_puzzle_json(
        CLASSIC, "knight;odd:r1c1", solution=CLASSIC_SOLUTION, id="i", title="T", author="A"
    )
    path.write_text(f"\n{stated}\n")
    told = ("i", "T", "A", parse_grid(CLASSIC_SOLUTION), "knight;odd:r1c1")
    assert isinstance(found := parse_puzzle(stated, source="f", line=7), Puzzle)
    assert (found.id, found.title, found.author, found.answer, found.rules) == told
    assert (found.source, found.line) == ("f", 7)
    assert hash(found) == hash(parse_puzzle(stated, source="f", line=7))
    with pytest.raises(SatdokuError, match="f: line 7, column 4: found 3 cells"):
        parse_puzzle("123", source="f", line=7)


def test_a_plain_grid_needs_no_reader_of_files():
    code = (
        f"import sys, satdoku; print(satdoku.solve({CLASSIC!r}));"
        "heavy = ('numpy', 'satdoku.files.record', 'satdoku.files.fpuzzles');"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == [CLASSIC_SOLUTION, "[]"]
