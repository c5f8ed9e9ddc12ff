"""`augment_files`: forms differ, are equivalent to their puzzle, and are undone by their text."""

from __future__ import annotations

import csv
from itertools import permutations, product

import numpy as np
import pytest
from examples import PUZZLES

import satdoku
from satdoku.datasets import augment as module
from satdoku.datasets.augment import Draw, parse_transform, transform_texts, undo
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import SatdokuError
from satdoku.symmetry import canonical, group

THOUSAND = PUZZLES / "generated-1000.txt"
LINES = [line for line in THOUSAND.read_text().split("\n") if len(line) == 81][:40]


def digits(grid):
    return "".join(map(str, np.array(grid).ravel()))


def augmented(tmp_path, text, rules="classic", *, name="in.csv", **options):
    """Counts and rows of the forms of the puzzles of a text."""
    (tmp_path / name).write_text(text)
    out = str(tmp_path / "out.csv")
    counts = satdoku.augment_files(
        str(tmp_path / name), out, rules, augmenting=satdoku.Augmenting(**options)
    )
    with open(out) as file:
        return counts, list(csv.DictReader(file))


def test_forms_differ_are_equivalent_and_carry_their_solutions(tmp_path):
    solved = [satdoku.solve(line) for line in LINES]
    pairs = zip(LINES, map(digits, solved), strict=True)
    text = "id,puzzle,solution\n" + "".join(f"7,{line},{grid}\n" for line, grid in pairs)
    counts, rows = augmented(tmp_path, text, forms=25, seed=3)
    assert counts["written"] == len(rows) == 1000 and counts["short"] == 0
    assert len({row["puzzle"] for row in rows}) == 1000
    forms = canonical([row["puzzle"] for row in rows])
    assert (forms == canonical(LINES).repeat(25, axis=0)).all()
    assert [row["source"] for row in rows] == [str(1 + i // 25) for i in range(1000)]
    assert all(row["solution"] == digits(satdoku.solve(row["puzzle"])) for row in rows[::10])


@pytest.mark.parametrize(
    ("rules", "size"),
    [("classic", 9), ("x", 9), ("knight", 9), ("nonconsecutive", 9), ("classic", 4),
     ("classic", 16), ("windoku", 9)],
)  # fmt: skip
def test_texts_undo_the_forms_of_any_rules(rules, size):
    rules = {"x": "diagonal", "nonconsecutive": "nonconsecutive"}.get(rules, rules)
    constraints = constraints_for(rules, satdoku.Board.of_size(size))
    board = constraints.board
    puzzles = np.random.default_rng(1).integers(0, size + 1, (5, board.cells)).astype(np.uint8)
    forms = Draw(group(constraints), 7).forms(puzzles, np.arange(len(puzzles)), 4, keep=False)
    assert len(np.unique(forms.grids, axis=0)) == len(forms.grids) == 20
    texts = transform_texts(forms, board)
    elements = [parse_transform(str(text), board) for text in texts]
    assert (undo(forms.grids, elements) == puzzles[forms.puzzles]).all()
    for element, grid, puzzle in zip(elements, forms.grids, forms.puzzles, strict=True):
        image = group(constraints).apply(element, puzzles[puzzle : puzzle + 1])[0]
        assert (image == grid).all()
    assert (canonical(forms.grids, constraints) == canonical(puzzles, constraints)[
        forms.puzzles]).all() if size < 16 else True  # fmt: skip


def test_a_puzzle_with_few_forms_gets_them_all_and_is_told(tmp_path):
    """All images of 4x4 puzzles by brute force over bands, stacks, rows, columns and digits."""
    orders = [(*a, *b) for x in ((0, 1), (2, 3)) for a in permutations(x)
              for b in permutations({0, 1, 2, 3} - set(x))]  # fmt: skip
    for puzzle in ("." * 16, "1" + "." * 15, "12..............", "1234............"):
        expected = set()
        for rows, columns, turned in product(orders, orders, (False, True)):
            cells = [r * 4 + c if not turned else c * 4 + r for r in rows for c in columns]
            for digits in permutations("1234"):
                moved = str.maketrans("1234", "".join(digits))
                expected.add("".join(puzzle[cell] for cell in cells).translate(moved))
        counts, rows = augmented(tmp_path, f"{puzzle}\n", name="in.txt", forms=5000)
        assert {row["puzzle"] for row in rows} == expected and len(rows) == len(expected)
        assert counts["short"] == 1


def test_bytes_do_not_depend_on_how_many_are_made_at_once(tmp_path, monkeypatch):
    text = "".join(f"{line}\n" for line in LINES)
    _, rows = augmented(tmp_path, text, name="in.txt", forms=9, seed=5)
    monkeypatch.setattr(module, "FORMS_AT_ONCE", 20)
    assert augmented(tmp_path, text, name="in.txt", forms=9, seed=5)[1] == rows
    assert augmented(tmp_path, text, name="in.txt", forms=9, seed=6)[1] != rows
    kept = augmented(tmp_path, text, name="in.txt", forms=9, seed=5, keep=True)[1]
    assert [row["puzzle"] for row in kept[::9]] == LINES
    assert kept[0]["transform"] == "R 123456789 123456789 123456789"
    assert kept[1:9] == rows[1:9]


def test_bytes_of_a_seed_stay(tmp_path):
    _, rows = augmented(tmp_path, f"{LINES[0]}\n", name="in.txt", forms=2, seed=1)
    assert [row["transform"] for row in rows] == [
        "T 465789231 987312564 853471269", "R 123978654 987312645 532984671",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected R or T"),
        ("R 123456789 123456789", "expected R or T"),
        ("Q 123456789 123456789 123456789", "expected R or T"),
        ("R 113456789 123456789 123456789", "expected R or T"),
        ("R 12345678x 123456789 123456789", "expected R or T"),
    ],
)
def test_a_text_that_is_no_transform_is_refused(text, said):
    with pytest.raises(SatdokuError, match=said):
        parse_transform(text, satdoku.Board.of_size(9))
