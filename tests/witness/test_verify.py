"""Whole grids against their houses in three ways, and grids against all rules."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, obeys
from hypothesis import given
from hypothesis import strategies as st

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid
from satdoku.model.rules import RULES
from satdoku.witness import verify as houses
from satdoku.witness.rules import stated
from satdoku.witness.verify import (
    FEW,
    _checks,
    clash_many,
    first_violation,
    solves,
    solves_many,
    violations,
)

BOARDS = [
    Board.of_size(4), Board.of_size(6), Board(), Board.of_size(12), Board.of_size(25),
    Board.latin(5), Board.of_map("1111222233334444"),
]  # fmt: skip
compiled = pytest.mark.skipif(not houses.AVAILABLE, reason="built without a compiler")


def shifted_rows(board):
    """A full grid without a clash, but for regions."""
    size, height, width = board.size, board.box_rows, board.box_columns
    return bytes(
        (width * (row % height) + row // height + column) % size + 1
        for row in range(size)
        for column in range(size)
    )


@st.composite
def cases(draw):
    """A board, a puzzle, and grids that differ from a solution in a few cells, or in a swap."""
    board = draw(st.sampled_from(BOARDS))
    whole = bytearray(shifted_rows(board))
    puzzle = bytearray(draw(st.binary(min_size=board.cells, max_size=board.cells)))
    puzzle = bytes(digit if mark % 2 else 0 for digit, mark in zip(whole, puzzle, strict=True))
    cell = st.integers(0, board.cells - 1)
    for a, b in draw(st.lists(st.tuples(cell, cell), max_size=2)):
        whole[a], whole[b] = whole[b], whole[a]
    for a, value in draw(st.lists(st.tuples(cell, st.integers(0, 255)), max_size=1)):
        whole[a] = value
    return board, bytes(whole), puzzle


@given(cases())
def test_every_way_finds_what_the_pairs_of_cells_say(case):
    board, solution, puzzle = case
    checker, rest = _checks(board, ())
    assert not rest
    kept = all(b in (0, a) for a, b in zip(solution, puzzle, strict=True))
    digits = 0 not in solution and max(solution) <= board.size
    good = kept and digits and not violations(Grid(solution, board), ())
    arrays = [np.frombuffer(grid, np.uint8)[None] for grid in (solution, puzzle)]
    assert checker.kept(solution, puzzle) == checker._kept(solution, puzzle) == good
    assert checker.kept_by(*arrays).tolist() == checker._kept_by(*arrays).tolist() == [good]


@pytest.mark.parametrize("count", [0, 1, 2, houses.BLOCK, houses.BLOCK + 1])
def test_each_of_many_grids_has_its_own_verdict(count):
    solution = np.frombuffer(parse_grid(CLASSIC_SOLUTION).cells, np.uint8)
    grids = np.tile(solution, (count, 1))
    puzzles = np.zeros_like(grids)
    bad = np.arange(count) % 3 == 1
    grids[bad, 80] = grids[bad, 79]
    puzzles[count // 2 :: 5, 3] = grids[count // 2 :: 5, 3] % 9 + 1
    expected = ~bad & (puzzles[:, 3] == 0)
    checker, _ = _checks(Board(), ())
    for check in (checker.kept_by, checker._kept_by):
        assert (check(grids, puzzles) == expected).all()
    assert (checker.kept_by(grids[::-1], puzzles[::-1]) == expected[::-1]).all()


@compiled
def test_more_than_64_houses_are_all_looked_at():
    """A word of 64 bits does not hold them: a board of 25x25 has 75."""
    board = Board.of_size(25)
    checker, _ = _checks(board, ())
    assert len(checker.cells) == 75
    good = shifted_rows(board)
    assert checker.kept(good, bytes(625))
    rows = [good[25 * row : 25 * row + 25] for row in range(25)]
    rows[0], rows[24] = rows[24], rows[0]  # rows and columns stay whole
    assert not checker.kept(b"".join(rows), bytes(625))


def test_without_the_extension_python_and_numpy_check(monkeypatch):
    monkeypatch.setattr(houses, "AVAILABLE", False)
    checker = houses.Houses(Board(), Board().houses)
    solution = parse_grid(CLASSIC_SOLUTION).cells
    array = np.frombuffer(solution, np.uint8)[None]
    assert checker.kept(solution, bytes(81))
    assert not checker.kept(solution[::-1][1:] + solution[:1], bytes(81))
    assert checker.kept_by(array, np.zeros_like(array)).all()


SIZES = [4, 6, 9, 12, 16]
PLAIN_RULES = list(RULES)


def test_the_published_solution_is_one():
    puzzle, solution = parse_grid(CLASSIC), parse_grid(CLASSIC_SOLUTION)
    assert solves(solution, puzzle, ())
    assert not solves(puzzle, puzzle, ())
    assert not solves(solution, parse_grid("1" + CLASSIC[1:]), ())


def test_a_clash_names_both_cells_and_the_rule():
    puzzle = parse_grid("5.....5".ljust(81, "."))
    (violation,) = violations(puzzle, ())
    assert violation == ("row", (0, 6))
    assert violation.describe(puzzle) == "r1c1=5 and r1c7=5 break the row rule"


@pytest.mark.parametrize(
    ("first", "second", "digits", "rules", "rule"),
    [
        (40, 51, (3, 3), ("knight",), "knight"),
        (26, 34, (3, 3), ("king",), "king"),
        (40, 41, (3, 4), ("nonconsecutive",), "nonconsecutive"),
        (0, 80, (7, 7), ("diagonal",), "diagonal"),
        (10, 30, (2, 2), ("windoku",), "windoku"),
        (0, 30, (1, 1), ("disjoint",), "disjoint"),
        (0, 40, (9, 9), ("antiqueen",), "antiqueen"),
    ],
)
def test_each_rule_finds_its_own_clash(first, second, digits, rules, rule):
    cells = bytearray(81)
    cells[first], cells[second] = digits
    grid = Grid(bytes(cells))
    assert [v.rule for v in violations(grid, rules)] == [rule]
    assert violations(grid, ()) == []


@pytest.mark.parametrize("text", ["." * 81, "5.....5".ljust(81, "."), "55" * 40 + "5"])
def test_the_first_violation_is_the_first_of_all(text):
    grid = parse_grid(text)
    found = violations(grid, ("knight",))
    assert first_violation(grid, ("knight",)) == (found[0] if found else None)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rule", ["row", "column", "box", *PLAIN_RULES])
def test_the_restatement_relates_the_same_cells_as_the_constraints(rule, size):
    """Compares two independent statements of every rule on every board that has it."""
    board = Board.of_size(size)
    if rule == "windoku" and board.box_rows != board.box_columns:
        pytest.skip("windoku needs square boxes")
    constraints = constraints_for(rule if rule in RULES else "classic", board)
    family = next(f for f in constraints.families if f.name == rule)
    pairs = {p for group in family.groups for p in combinations(group, 2)} | set(family.pairs)
    by_cells = {tuple(sorted((a // size, b // size))) for a, b in pairs}
    said = next(s for s in stated(board, constraints.rules) if s.rule == rule)
    assert by_cells == {pair for related in said.relations for pair in related.pairs}


@given(
    st.lists(st.integers(0, 4), min_size=16, max_size=16),
    st.sampled_from([*PLAIN_RULES, "cage=9:r1c1,r1c2,r2c1,r2c2", "thermo:r1c1,r1c2", "sum=5:r3c3"]),
)
def test_arrays_and_grids_get_the_same_verdict(cells, rule):
    board = Board.of_size(4)
    grid, empty = Grid(bytes(cells), board), Grid(bytes(16), board)
    array = np.array([cells] * (FEW + 1), dtype=np.uint8)
    for some in (array[:1], array[:FEW], array):
        verdict = solves_many(some, np.zeros_like(some), (rule,), board)
        assert verdict.tolist() == [solves(grid, empty, (rule,))] * len(some)


def test_few_grids_and_many_are_judged_alike_under_a_clue(four_by_four):
    array = np.frombuffer(b"".join(four_by_four), dtype=np.uint8).reshape(-1, 16)
    rules = constraints_for("cage=7:r1c1,r1c2,r2c1;thermo:r3c1,r3c2,r3c3", Board.of_size(4)).rules
    verdict = solves_many(array, np.zeros_like(array), rules, Board.of_size(4))
    few = [
        solves_many(g[None], np.zeros((1, 16), np.uint8), rules, Board.of_size(4)) for g in array
    ]
    assert np.concatenate(few).tolist() == verdict.tolist()
    assert 0 < verdict.sum() < len(array)


@pytest.mark.covering
@pytest.mark.parametrize("rule", ["classic", *PLAIN_RULES])
@pytest.mark.parametrize("size", [4, 9, 25])
def test_clashes_of_arrays_are_the_violations_of_grids(rule, size):
    """Few givens, among them the lowest and the highest digit, so that half of the grids clash."""
    board, rng = Board.of_size(size), np.random.default_rng(size)
    rules = () if rule == "classic" else (rule,)
    puzzles = rng.integers(1, size + 1, (100, size * size), dtype=np.uint8)
    puzzles[rng.random(puzzles.shape) > 1.5 * size**-1.4] = 0
    clash = clash_many(puzzles, rules, board)
    grids = [Grid(puzzle.tobytes(), board) for puzzle in puzzles]
    assert clash.tolist() == [bool(violations(grid, rules)) for grid in grids]
    assert 10 < clash.sum() < 90


@pytest.mark.parametrize("rule", PLAIN_RULES)
def test_verdicts_on_all_4x4_grids_match_brute_force(rule, four_by_four):
    if rule in ("windoku", "disjoint"):
        pytest.skip("the brute force does not know this rule")
    board = Board.of_size(4)
    array = np.frombuffer(b"".join(four_by_four), dtype=np.uint8).reshape(-1, 16)
    verdict = solves_many(array, np.zeros_like(array), (rule,), board)
    assert verdict.tolist() == [obeys(cells, (rule,), 4) for cells in four_by_four]


def test_arrays_with_wrong_digits_are_rejected():
    good = np.frombuffer(parse_grid(CLASSIC_SOLUTION).cells, dtype=np.uint8)
    zero, high = good.copy(), good.copy()
    zero[0], high[0] = 0, 255
    swapped = good.copy()
    swapped[[0, 1]] = swapped[[1, 0]]
    solutions = np.stack([good, zero, high, swapped])
    empty = np.zeros_like(solutions)
    assert solves_many(solutions, empty, (), Board()).tolist() == [True, False, False, False]
    assert not solves_many(solutions, np.roll(solutions, 1, axis=1), (), Board()).any()


def test_a_single_read_only_grid_is_judged_and_not_changed():
    grid = np.full((1, 81), 10, np.uint8)
    grid.setflags(write=False)
    assert not solves_many(grid, np.zeros_like(grid), (), Board()).any()
    assert (grid == 10).all()


@pytest.mark.parametrize("size", [4, 6, 9, 12, 15, 16, 25])
def test_many_grids_of_every_size(size):
    """Digits are bits, so sizes from 16 on need a wider type."""
    board = Board.of_size(size)
    height, width = board.box_rows, board.box_columns
    grid = [
        (width * (row % height) + row // height + column) % size + 1
        for row in range(size)
        for column in range(size)
    ]
    swapped = [*grid[1::-1], *grid[2:]]  # only the columns are wrong
    array = np.array([grid, swapped], np.uint8)
    assert solves(Grid(bytes(grid), board), Grid(bytes(board.cells), board), ())
    assert solves_many(array, np.zeros_like(array), (), board).tolist() == [True, False]


@pytest.mark.parametrize(
    ("rules", "second", "digits"),
    [
        ((), 1, [(d, d) for d in range(1, 10)]),
        (("nonconsecutive",), 9, [(d, d + 1) for d in range(1, 9)]),
        (("knight",), 19, [(d, d) for d in range(1, 10)]),
    ],
)
def test_two_givens_that_clash_are_seen_whatever_their_digits(rules, second, digits):
    puzzles = np.zeros((len(digits), 81), np.uint8)
    puzzles[:, [0, second]] = digits
    assert clash_many(puzzles, rules, Board()).all()
    puzzles[:, 0] = 0
    assert not clash_many(puzzles, rules, Board()).any()


@pytest.mark.parametrize("layer, values", [("worth:0-12", 13), ("shade:0-1", 2), ("few:1-4", 4)])
def test_a_layer_may_have_more_values_than_digits_or_fewer(layer, values):
    """The same verdict for one grid and for many, in Python and numpy."""
    constraints = constraints_for(f"shape=4x4;layer={layer}")
    board, grid = constraints.board, bytes([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
    tried = [0, 1, values, values + 1]
    grids = np.array([[*grid, *[1] * 15, value] for value in tried], np.uint8)
    nothing = np.zeros_like(grids)
    good = [value in (1, values) for value in tried]
    assert solves_many(grids, nothing, constraints.rules, board).tolist() == good
    own = houses.Houses(board, board.houses)
    assert [own.kept(row.tobytes(), bytes(32)) for row in grids] == good
