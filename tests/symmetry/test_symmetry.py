"""Symmetry against brute force: groups by trying every element, classes by moving cells about."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import factorial
from random import Random

import numpy as np
import pandas as pd
import pytest
from clue_examples import OF_LAYERS, keeps, random_clue
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, PUZZLES
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share
from symmetry_cases import line_moves, six_by_six_grids

import satdoku
from satdoku import symmetry
from satdoku.counting.few_grids import all_grids
from satdoku.files.cells import checked_cells
from satdoku.generator.dice import Dice
from satdoku.generator.grids import random_grids
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.model.kinds import KINDS, clue_of
from satdoku.runtime.errors import SatdokuError
from satdoku.symmetry import (
    SymmetryError,
    automorphisms,
    automorphisms_by,
    canonical,
    forms_of,
    group,
    orbits,
)

MOST_SYMMETRIC = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"


VARIANTS = ["miracle", "knight", "antiqueen", "diagonal", "windoku", "disjoint", "king"]


IMPLEMENTATIONS = symmetry.implementations()


C = "c" in IMPLEMENTATIONS


def canonical_by(implementation, puzzles, rules, *, digits=True):
    cells, constraints = checked_cells(puzzles, rules)
    return forms_of(cells, constraints, digits=digits, implementation=implementation)


def digits(text, size=9):
    cells = np.frombuffer(text.replace(".", "0").encode(), np.uint8) - ord("0")
    return cells.reshape(-1, size * size)


def cell_moves(board):
    """Every element of a board's classic group as a list of cells, by its definition."""
    n = board.size
    for rows, columns in product(line_moves(n, board.box_rows), line_moves(n, board.box_columns)):
        moved = [n * r + c for r in rows for c in columns]
        yield moved
        if board.box_rows == board.box_columns:
            yield [cell % n * n + cell // n for cell in moved]


def test_latin_squares_have_all_permutations_of_rows_and_columns():
    """Two classes of order 4 (OEIS A000528), of 144 and 432 squares."""
    four = all_grids(constraints_for("latin=4"))
    assert len(four) == 576  # OEIS A002860
    assert group(constraints_for("latin=4")).order == 2 * factorial(4) ** 3
    assert orbits(four, "latin=4").sizes.tolist() == [144, 432]
    assert [{*automorphisms_by(i, four[::144], "latin=4")} for i in IMPLEMENTATIONS] == [
        {64, 192}
    ] * len(IMPLEMENTATIONS)
    assert str(group(constraints_for("latin=5"))).startswith(
        "28,800 cell permutations (rows, columns, transposition) x"
    )


def test_random_latin_squares_of_order_6_are_of_all_17_classes_which_add_up():
    """OEIS A000528; the sizes of the classes add up to A002860, 812,851,200."""
    six = constraints_for("latin=6")
    squares = random_grids(1000, six, Dice(1))
    found = squares[orbits(squares, six).representatives]
    assert len(found) == 17
    order = group(six).order
    assert sum(order // fixing for fixing in automorphisms(found, six)) == 812_851_200
    forms = [canonical_by(i, found[:2], six).tolist() for i in IMPLEMENTATIONS]
    assert forms == [forms[0]] * len(IMPLEMENTATIONS)


@pytest.fixture(scope="module")
def moves4():
    return np.array(list(cell_moves(FOUR)))


def images(puzzle, moves, names):
    """All images of a puzzle, as bytes: the class of it, by brute force."""
    return set(map(bytes, names[:, puzzle[moves]].reshape(-1, puzzle.size)))


def sparse_puzzles(size, count, seed):
    """Digits thrown on a board, few or many, house rules or not."""
    rng = np.random.default_rng(seed)
    share = rng.choice((0.02, 0.1, 0.3, 0.9), (count, 1))
    cells = rng.integers(1, size + 1, (count, size * size))
    return np.where(rng.random(cells.shape) < share, cells, 0).astype(np.uint8)


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_4x4_forms_are_members_of_the_class_and_one_for_each(implementation, moves4, names4):
    constraints = constraints_for("classic", FOUR)
    puzzles = sparse_puzzles(4, 24, 1)
    forms = canonical_by(implementation, puzzles, constraints)
    for puzzle, form in zip(puzzles, forms, strict=True):
        members = images(puzzle, moves4, names4)
        assert form.tobytes() in members
        own = np.frombuffer(b"".join(sorted(members)[::37]), np.uint8).reshape(-1, 16)
        assert (canonical_by(implementation, own, constraints) == form).all()


@pytest.mark.parametrize("rules", ["classic", "diagonal", "miracle"])
def test_4x4_puzzles_of_one_solution_fall_into_the_classes_of_brute_force(
    rules, four_by_four, moves4, names4
):
    """4 givens, one solution under the classic rules: 25,728 puzzles (OEIS A109252)."""
    constraints = constraints_for(rules, FOUR)
    grids = np.frombuffer(b"".join(four_by_four), np.uint8).reshape(-1, 16)
    puzzles = []
    for cells in combinations(range(16), 4):
        _, first, counts = np.unique(grids[:, cells], axis=0, return_index=True, return_counts=True)
        masked = np.zeros((len(first), 16), np.uint8)
        masked[:, cells] = grids[first][:, cells]
        puzzles.append(masked[counts == 1])
    together = np.concatenate(puzzles)
    assert len(together) == 25728
    if not C:
        together = together[::16]
    found = orbits(together, constraints)
    moves = group(constraints).cell_permutations if rules != "classic" else moves4
    classes, unseen = 0, set(map(bytes, together))
    allowed = np.array([n for n in names4.tolist() if _preserved(rules, n)], np.uint8)
    while unseen:
        puzzle = np.frombuffer(next(iter(unseen)), np.uint8)
        unseen -= images(puzzle, moves, allowed)
        classes += 1
    assert len(found.representatives) == classes
    assert found.sizes.sum() == len(together)


def _preserved(rules, name):
    if rules == "miracle":
        return name in ([0, 1, 2, 3, 4], [0, 4, 3, 2, 1])
    return rules != "antiqueen" or name[4] == 4


@pytest.mark.skipif(not C, reason="65,536 patterns are for C")
def test_patterns_of_4x4_are_as_many_as_burnside_counts(moves4):
    """Which cells are given, all with the same digit: the average of 2^cycles over the group."""
    patterns = (np.arange(2**16)[:, None] >> np.arange(16) & 1).astype(np.uint8)
    forms = canonical(patterns, constraints_for("classic", FOUR))
    cycles = [_count_cycles(move.tolist()) for move in moves4]
    assert len(np.unique(forms, axis=0)) == sum(2**k for k in cycles) // len(moves4)


def _count_cycles(move):
    seen, cycles = set(), 0
    for start in range(len(move)):
        cycles += start not in seen
        at = start
        while at not in seen:
            seen.add(at)
            at = move[at]
    return cycles


def test_two_givens_on_9x9_lie_in_five_ways():
    """In one line of a box, in a box otherwise, one line, one band, neither."""
    cells = list(combinations(range(81), 2))
    puzzles = np.zeros((len(cells), 81), np.uint8)
    for puzzle, (a, b) in zip(puzzles, cells, strict=True):
        puzzle[[a, b]] = 1, 2
    if not C:
        puzzles = puzzles[::80]
    assert len(orbits(puzzles).representatives) == 5


def test_all_4x4_grids_are_two(four_by_four):
    """OEIS A109741."""
    grids = np.frombuffer(b"".join(four_by_four), np.uint8).reshape(-1, 16)
    found = orbits(grids)
    assert sorted(found.sizes) == [96, 192]
    assert found.representatives[0] == 0
    assert (np.bincount(found.classes) == found.sizes).all()


@pytest.mark.skipif(not C, reason="39,168 grids are for C")
def test_all_6x6_grids_are_49_and_their_classes_make_up_28200960():
    """That the sizes of the 49 classes, by their automorphisms, add up to the number of grids
    proves both."""
    grids = six_by_six_grids()
    assert len(grids) == 39168
    constraints = constraints_for("classic", Board.of_size(6))
    representatives = grids[orbits(grids, constraints).representatives]
    assert len(representatives) == 49
    order = group(constraints).order
    assert (
        sum(order // fixing for fixing in automorphisms(representatives, constraints)) == 28_200_960
    )


def test_miracle_grids_fall_into_nine_orbits_and_five_with_reversal():
    text = "".join(
        bytes(d + 48 for d in grid).decode()
        for grid in satdoku.solutions("." * 81, rules="miracle")
    )
    grids = digits(text)
    assert grids.shape == (72, 81)
    assert sorted(orbits(grids, "miracle", digits=False).sizes) == [8] * 9
    assert sorted(orbits(grids, "miracle").sizes) == [8, 16, 16, 16, 16]


SIZES = {
    "classic": (4, 6, 9, 12, 16),
    **dict.fromkeys(VARIANTS, (4, 9)),
}


@settings(max_examples=share(40 if C else 25), deadline=None)
@given(st.data())
def test_a_symmetry_does_not_change_the_form(data):
    rules = data.draw(st.sampled_from(sorted(SIZES)))
    size = data.draw(st.sampled_from(SIZES[rules]))
    if rules == "windoku" and size == 4:
        size = 9
    constraints = constraints_for(rules, Board.of_size(size))
    seed = data.draw(st.integers(0, 2**32 - 1))
    by_digits = data.draw(st.booleans())
    puzzles = sparse_puzzles(size, 8, seed)
    found, rng = group(constraints, digits=by_digits), np.random.default_rng(seed)
    forms = canonical(puzzles, constraints, digits=by_digits)
    moved = found.apply(found.random(rng), puzzles)
    assert (canonical(moved, constraints, digits=by_digits) == forms).all()
    assert (canonical(forms, constraints, digits=by_digits) == forms).all()


def test_puzzles_of_the_collection_stay_different_and_their_grids_too():
    text = (PUZZLES / "generated-1000.txt").read_text().splitlines()
    puzzles = digits("".join(line for line in text if not line.startswith("#")))
    constraints = constraints_for("classic")
    found, rng = group(constraints), np.random.default_rng(7)
    moved = np.concatenate([found.apply(found.random(rng), puzzles[k : k + 1]) for k in range(300)])
    together = np.concatenate([puzzles[:300], moved])
    assert orbits(together).classes.tolist() == [*range(300), *range(300)]
    grids = satdoku.solve_batch(puzzles[:200])[1]
    turned = found.apply(found.random(rng), grids)
    assert orbits(np.concatenate([grids, turned])).classes.tolist() == [*range(200), *range(200)]


def test_one_digit_changed_is_another_class():
    puzzle = digits(CLASSIC + CLASSIC_SOLUTION)
    changed = puzzle.copy()
    changed[0, np.flatnonzero(puzzle[0])[0]] = 9
    changed[1, :2] = puzzle[1, 1::-1]
    assert (canonical(puzzle) != canonical(changed)).any(1).all()


@pytest.mark.skipif(not C, reason="no C to compare with")
@pytest.mark.parametrize("by_digits", [True, False])
@pytest.mark.parametrize(
    ("rules", "size", "count"),
    [("classic", size, count) for size, count in ((4, 20), (6, 15), (9, 8), (16, 0))]
    + [(rules, 9, 20) for rules in VARIANTS if rules != "disjoint"]
    + [("disjoint", 4, 40), ("antiqueen", 4, 40)],
)
def test_c_and_numpy_agree_bit_for_bit(rules, size, count, by_digits):
    constraints = constraints_for(rules, Board.of_size(size))
    puzzles = sparse_puzzles(size, count, size) if count else symmetric_puzzles(size)[-2:]
    if size == 9:
        puzzles = np.concatenate([puzzles, digits(CLASSIC + CLASSIC_SOLUTION + MOST_SYMMETRIC)])
    results = [
        (
            canonical_by(name, puzzles, constraints, digits=by_digits).tolist(),
            automorphisms_by(name, puzzles, constraints, digits=by_digits),
        )
        for name in ("c", "numpy")
    ]
    assert results[0] == results[1]


def test_threads_change_nothing():
    puzzles = np.tile(sparse_puzzles(4, 100, 3), (200, 1))[: 20_000 if C else 100]
    constraints = constraints_for("classic", FOUR)
    assert (canonical(puzzles, constraints, workers=2) == canonical(puzzles, constraints)).all()


def symmetric_puzzles(size):
    """Named patterns, few legal and none easy: empty, one given, one row, one digit all over..."""
    across = np.add.outer(np.arange(size), np.arange(size))
    pattern = {
        "empty": across * 0,
        "one given": across == 0,
        "one row": np.where(np.arange(size)[:, None] == 0, np.arange(1, size + 1), 0),
        "one digit all over": across * 0 + 1,
        "diagonal": np.diag(np.arange(1, size + 1)),
        "all but the diagonal": ~np.eye(size, dtype=bool),
        "chessboard": across % 2,
        "cyclic": across % size + 1,
        "half the columns": (across % size + 1) * (np.arange(size) % 2),
    }
    return np.array([grid.astype(np.uint8).ravel() for grid in pattern.values()])


@pytest.mark.parametrize("size", [4, 9, 16, pytest.param(25, marks=pytest.mark.slow)] if C else [4])
def test_symmetric_patterns_keep_their_form_and_cost_little(size):
    constraints = constraints_for("classic", Board.of_size(size))
    puzzles = symmetric_puzzles(size)
    found, rng = group(constraints), np.random.default_rng(size)
    forms = canonical(puzzles, constraints)
    for _ in range(3):
        assert (canonical(found.apply(found.random(rng), puzzles), constraints) == forms).all()
    counts = automorphisms(puzzles, constraints)
    assert counts[0] == found.order
    assert all(found.order % count == 0 for count in counts)


def test_the_most_symmetric_grid_has_648_automorphisms():
    """648 is the most that a 9x9 grid has; most grids have but the identity."""
    assert automorphisms(digits(MOST_SYMMETRIC)) == [648]
    assert automorphisms(digits(CLASSIC + CLASSIC_SOLUTION)) == [1, 1]


@pytest.mark.parametrize("rules", ["classic", "diagonal", "nonconsecutive", "antiqueen"])
def test_4x4_automorphisms_by_brute_force(rules, moves4, names4):
    constraints = constraints_for(rules, FOUR)
    puzzles = sparse_puzzles(4, 60, 11)
    moves = moves4 if rules == "classic" else group(constraints).cell_permutations
    keep = "miracle" if rules == "nonconsecutive" else rules
    names = np.array([n for n in names4.tolist() if _preserved(keep, n)], np.uint8)
    expected = [int((names[:, p[moves]] == p).all(2).sum()) for p in puzzles]
    assert automorphisms(puzzles, constraints) == expected


def test_errors_say_what_was_expected():
    with pytest.raises(SymmetryError, match="pencil marks have no canonical form"):
        canonical(np.zeros((1, 729), np.bool_))
    with pytest.raises(SatdokuError, match=r"shape \(1, 80\): expected \(N, 81\)"):
        canonical(np.zeros((1, 80), np.uint8), constraints_for("classic"))
    with pytest.raises(SymmetryError, match="row 1: digit 5: expected 0 to 4"):
        canonical(np.repeat([[0], [5]], 16, axis=1))
    with pytest.raises(SymmetryError, match="no 'fortran' here: there are"):
        canonical_by("fortran", np.zeros((1, 16), np.uint8), "classic")
    with pytest.raises(SymmetryError, match=r"order 1,327,104 .* too large to list"):
        canonical(np.zeros((1, 256), np.uint8), "disjoint")


def test_texts_and_columns_have_the_forms_of_their_digits():
    lines = ["1...............", ".......2........", "............3..4"]
    digits = np.array([list(parse_grid(line).cells) for line in lines], np.uint8)
    for held in (lines, pd.Series(lines), digits.astype(np.int64).reshape(3, 4, 4)):
        assert (canonical(held) == canonical(digits)).all()
        assert orbits(held).classes.tolist() == [0, 0, 1]
        assert automorphisms(held) == automorphisms(digits)


def test_no_puzzles_have_no_forms():
    assert canonical(np.zeros((0, 81), np.uint8)).shape == (0, 81)
    assert automorphisms(np.zeros((0, 81), np.uint8)) == []
    assert len(orbits(np.zeros((0, 81), np.uint8), "miracle").sizes) == 0


# A group of two elements: one that numpy once laid out in the wrong order for C.
ONE_SYMMETRY = "AABBBBAABBCCAADCCCDDDDCEFFDEEEFFFFEE"


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_a_jigsaw_with_one_symmetry(implementation):
    constraints = constraints_for(f"jigsaw={ONE_SYMMETRY}")
    found = group(constraints)
    assert (found.geometric_order, found.digit_order) == (2, factorial(6))
    moves = np.array(found.cell_permutations)
    names = np.array([(0, *order) for order in permutations(range(1, 7))], np.uint8)
    puzzles = np.random.default_rng(3).integers(0, 7, (40, 36), np.uint8)
    both = np.concatenate([puzzles, puzzles[:, moves[1]]])
    forms = canonical_by(implementation, both, constraints)
    assert np.array_equal(forms[:40], forms[40:])
    for puzzle, form in zip(puzzles, forms, strict=False):
        assert form.tobytes() in images(puzzle, moves, names)


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"entropic", "entropy", *OF_LAYERS}))
def test_orbits_of_grids_with_a_clue_are_grids_with_the_clue(kind, four_by_four):
    rng, random = Random(kind), np.random.default_rng(1)
    for _ in range(5):
        clue = clue_of(random_clue(rng, kind, 4), FOUR)
        constraints = constraints_for(clue.text(FOUR), FOUR)
        good = {grid for grid in four_by_four if keeps(grid, clue, (clue,), 4)}
        if not good:
            continue
        symmetries = group(constraints)
        grids = np.frombuffer(b"".join(sorted(good)), np.uint8).reshape(-1, 16)
        for _ in range(5):
            assert set(map(bytes, symmetries.apply(symmetries.random(random), grids))) == good
        assert set(map(bytes, canonical(grids, constraints))) <= good
        assert orbits(grids, constraints).sizes.sum() == len(good)


@pytest.mark.parametrize("clue", ["cage=7:r1c2,r1c3", "entropy", "sandwich=12:row3"])
def test_a_wide_clue_leaves_only_the_identity(clue):
    """Found at once: the search once tried all 9! ways to rename the digits."""
    found = group(constraints_for(clue))
    assert found.order == 1


@pytest.mark.parametrize("board", [Board.of_size(9), Board.of_size(4), Board(6, 2, 3)])
def test_images_are_the_same_with_and_without_the_extension(board, monkeypatch):
    symmetries = group(constraints_for("classic", board))
    rng = np.random.default_rng(3)
    puzzles = rng.integers(0, board.choices + 1, (4, board.cells)).astype(np.uint8)
    lines = symmetries.lines.elements()[:: max(1, symmetries.lines.order // 10)].astype(np.uint8)
    digits = np.array([[0, *rng.permutation(board.choices) + 1] for _ in lines], np.uint8)
    puzzles = puzzles[rng.integers(0, 4, len(lines))]
    found = symmetry.images(puzzles, lines, digits, board)
    monkeypatch.setattr(symmetry, "AVAILABLE", False)
    assert (symmetry.images(puzzles, lines, digits, board) == found).all()


@pytest.mark.skipif(not symmetry.AVAILABLE, reason="no C extension")
@pytest.mark.parametrize("place", ["puzzles", "lines", "turned"])
def test_images_by_no_line_or_of_no_digit_are_refused(place):
    board = Board(6, 2, 3, height=6) if place != "turned" else Board(6, 2, 3, height=4)
    arrays = {
        "puzzles": np.zeros((2, board.cells), np.uint8),
        "lines": np.array([np.arange(12)] * 2, np.uint8),
    }
    if place == "turned":
        arrays["lines"][1] ^= 1
    else:
        arrays[place][1:] = 14
    digits = np.zeros((2, board.choices + 1), np.uint8)
    with pytest.raises(ValueError, match="row 1: expected a puzzle and lines of the board"):
        symmetry.images(*arrays.values(), digits, board)
