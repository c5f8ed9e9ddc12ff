"""Exact counts: by search in C and in numpy, by listing, by others' numbers."""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial
from random import Random

import numpy as np
import pytest
from clue_examples import ALONE, keeps, random_clue
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, obeys
from hypothesis import given, settings
from hypothesis import strategies as st
from process_groups import processor_seconds

import satdoku
from satdoku import counting, engine
from satdoku.answers.listing import iter_solutions
from satdoku.answers.session import Session
from satdoku.counting import (
    Way,
    count_exact,
    layers,
)
from satdoku.counting.layers import Layer
from satdoku.engine import EngineError
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, empty_grid
from satdoku.model.kinds import KINDS, clue_of
from satdoku.model.rules import RULES, RuleError
from satdoku.symmetry import SymmetryError

IMPLEMENTATIONS = tuple(dict.fromkeys([engine.implementations()[0], engine.NUMPY]))
SIX = Board.of_size(6)
WINDOKU = 6_337_174_388_428_800  # grids with four windows, published many times ("NRC Sudoku")


def known_constraints(board):
    """Every rule that the board can have, and every pair of them."""
    for names in [(), *combinations(RULES, 1), *combinations(RULES, 2)]:
        try:
            if "jigsaw" not in names:
                yield constraints_for(",".join(names), board)
        except RuleError:
            continue


# Known numbers


@pytest.mark.parametrize(
    ("rules", "size", "grids", "implementation"),
    [
        *(("classic", 4, 288, implementation) for implementation in IMPLEMENTATIONS),
        *(("diagonal", 4, 48, implementation) for implementation in IMPLEMENTATIONS),
        *(("classic", 6, 28_200_960, implementation) for implementation in IMPLEMENTATIONS),
        ("miracle", 9, 72, None),
        ("knight,king", 9, 4 * factorial(9), None),
    ],
)
def test_known_numbers(rules, size, grids, implementation):
    found = count_exact(None, rules, size=size, way=Way(implementation=implementation))
    assert (found.grids, found.exact) == (grids, True)


@pytest.mark.slow
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize(
    ("rules", "grids"), [("king,nonconsecutive", 1152), ("knight,nonconsecutive", 48_552)]
)
def test_the_other_pairs_of_chess_rules(rules, grids, implementation):
    found = count_exact(None, rules, workers=2, way=Way(implementation=implementation))
    assert (found.grids, found.exact) == (grids, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "first_five"),
    [("king,nonconsecutive", [128] * 5), ("knight,nonconsecutive", [5384, 5400, 5416, 5384, 5384])],
)
def test_the_other_pairs_of_chess_rules_by_listing(rules, first_five):
    """Every grid found by CDCL, by its digit in r5c5; reversal of the digits turns d into 10-d."""
    found = []
    for digit in "123456789":
        with Session(rules) as session:
            solutions = session.solutions("." * 40 + digit + "." * 40)
            found.append(len({grid.cells for grid in solutions}))
    assert found == [*first_five, *first_five[3::-1]]


@pytest.mark.slow
def test_no_canonical_form_is_to_blame():
    assert (
        count_exact(None, "king,nonconsecutive", workers=2, way=Way(symmetry=False)).grids == 1152
    )


def places_of_a_digit(board):
    """All ways to place one digit on the board so that none of it meets by a house or a knight's or
    king's move, as sets of cells in an integer."""

    def extend(chosen):
        row = len(chosen)
        if row == 9:
            yield sum(1 << 9 * r + c for r, c in enumerate(chosen))
            return
        for column in range(9):
            fits = column not in chosen and all(
                (r // 3, c // 3) != (row // 3, column // 3)
                and (row - r) * abs(column - c) != 2
                and not row - r == abs(column - c) == 1
                for r, c in enumerate(chosen)
            )
            if fits:
                yield from extend([*chosen, column])

    yield from extend([])


def test_knight_and_king_by_placing_digit_after_digit():
    """Grids are nine disjoint placements; the first row says which digit goes where."""
    places = list(places_of_a_digit(9))
    by_start = [[p for p in places if p >> column & 1] for column in range(9)]

    def covers(column, free):
        if column == 9:
            return 1
        return sum(covers(column + 1, free & ~p) for p in by_start[column] if p & free == p)

    grids = covers(0, (1 << 81) - 1) * factorial(9)
    assert count_exact(None, "knight,king").grids == grids


@pytest.mark.compiled
def test_a_digit_that_moves_as_a_queen_by_its_places():
    """Any places of a digit in rows and columns are in equally many Latin squares, one of 7! of
    the 61,479,419,904,000 (OEIS A002860); 40 of them are queens that do not attack each other."""
    each = 61_479_419_904_000 // factorial(7)
    for rules in ("latin=7,antiqueen", "latin=7;queen-digits=3"):
        assert count_exact(None, rules) == (40 * each, True, None)


def test_all_digits_that_move_as_queens():
    """Four superpositions of seven solutions of the seven queens, and all renamings of digits."""
    found = count_exact(None, "latin=7;queen-digits=1,2,3,4,5,6,7")
    assert found == (4 * factorial(7), True, None) == (20_160, True, None)


@pytest.mark.parametrize(
    "rules",
    [
        "latin=5,antiqueen", "latin=5,antiqueen,knight", "latin=4;knight-digits=2",
        "latin=5;queen-digits=1,4", "latin=5;king-digits=2,5", "latin=4;knight-digits=1,3;odd:r1c1",
        "latin=4;taxicab", "latin=4,antiqueen;no-white;white:r1c1,r1c2",
        "latin=5,antiqueen;thermo:r1c1-r1c3;odd:r5c5", "boxes=2x3,antiqueen,diagonal",
    ],
)  # fmt: skip
def test_rules_that_say_nothing_more_are_left_out_only_then(rules):
    """A pair may be gone by the very rule that forbids it."""
    constraints = constraints_for(rules)
    listed = sum(map(len, iter_solutions(bytes(constraints.board.cells), constraints)))
    for symmetry in (True, False):
        assert count_exact(None, constraints, way=Way(symmetry)).grids == listed


# Against listing


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_every_rule_and_pair_of_rules_on_4x4(implementation):
    for constraints in known_constraints(FOUR):
        with Session(constraints) as session:
            listed = session.count(bytes(16))
        for symmetry in (True, False):
            found = count_exact(None, constraints, way=Way(symmetry, implementation=implementation))
            assert (found.grids, found.exact) == (listed, True), constraints.name


@pytest.mark.parametrize("rules", ["knight", "king", "nonconsecutive", "antiqueen", "diagonal"])
def test_rules_on_4x4_by_brute_force(rules, four_by_four):
    kept = sum(obeys(cells, (rules,), 4) for cells in four_by_four)
    assert count_exact(None, rules, size=4).grids == kept


def test_every_rule_on_6x6_from_half_a_grid():
    """Some of a grid as givens: hundreds of solutions or few, in C, numpy and by listing."""
    rng = np.random.default_rng(6)
    for constraints in known_constraints(SIX):
        with Session(constraints) as session:
            solution = session.solve(bytes(36))
            if solution is None:
                assert count_exact(None, constraints).grids == 0
                continue
            kept = rng.permutation(36)[:14]
            puzzle = bytes(d if cell in kept else 0 for cell, d in enumerate(solution))
            listed = session.count(puzzle)
        for implementation in IMPLEMENTATIONS:
            found = count_exact(
                Grid(puzzle, SIX), constraints, way=Way(implementation=implementation)
            )
            assert found.grids == listed, constraints.name


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(["classic", "knight", "diagonal", "windoku", "nonconsecutive", "miracle"]),
    st.integers(0, 2**32 - 1),
)
def test_puzzles_with_many_solutions(rules, seed):
    with Session(rules) as session:
        rng = np.random.default_rng(seed)
        opened = {"classic": 45, "knight": 58, "diagonal": 50, "windoku": 50}.get(rules, 70)
        solution = np.array(session.solve(bytes(81)))
        solution[rng.permutation(81)[:opened]] = 0
        puzzle = Grid(solution.astype(np.uint8).tobytes())
        listed = session.count(puzzle, limit=3000)
    if listed < 3000:
        assert count_exact(puzzle, rules).grids == listed


@pytest.mark.parametrize("size", [8, 12, 16])
def test_other_sizes(size):
    """Beyond 128 cells sets of cells have four words."""
    board = Board.of_size(size)
    with Session(constraints_for("classic", board)) as session:
        solution = np.array(session.solve(bytes(board.cells)))
        two = np.isin(solution, (1, 2, size)) & (np.arange(board.cells) < 6 * size)
        puzzle = Grid(np.where(two, 0, solution).astype(np.uint8).tobytes(), board)
        listed = session.count(puzzle)
    assert listed > 1
    for implementation in IMPLEMENTATIONS:
        assert count_exact(puzzle, way=Way(implementation=implementation)).grids == listed


def test_clashing_givens_have_no_grids_and_a_full_grid_has_one():
    assert count_exact("55" + "." * 79).grids == 0
    assert count_exact(CLASSIC_SOLUTION).grids == 1
    assert count_exact(CLASSIC).grids == 1


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_a_jigsaw_with_one_symmetry(implementation):
    """299,520 is 720 times what plain listing finds below a row of 1 to 6."""
    rules = "jigsaw=AABBBBAABBCCAADCCCDDDDCEFFDEEEFFFFEE"
    row = "123456" + "." * 30
    assert satdoku.count(row, rules) == 416
    for symmetry in (True, False):
        found = count_exact(row, rules, way=Way(symmetry, implementation=implementation))
        assert found.grids == 416
    assert (
        count_exact(None, rules, way=Way(implementation=implementation)).grids
        == 720 * 416
        == 299_520
    )


def test_jigsaw_regions_are_boxes():
    boxes = "1122112233443344"
    assert count_exact(None, f"jigsaw={boxes}").grids == 288
    columns = "1234" * 4  # boxes that are columns: Latin squares
    latin = sum(
        all(len(set(column)) == 4 for column in zip(*rows, strict=True))
        for rows in permutations(permutations(range(4)), 4)
    )
    assert count_exact(None, f"jigsaw={columns}").grids == latin == 576


# Layers


def test_every_layer_stands_for_all_grids():
    constraints = constraints_for("classic", FOUR)
    for symmetry in (True, False):
        layer = Layer(np.zeros((1, 16), np.uint8), [1])
        with Session(constraints) as session:
            while len(layer.weights):
                stands_for = sum(
                    weight * session.count(puzzle.tobytes())
                    for puzzle, weight in zip(layer.puzzles, layer.weights, strict=True)
                )
                assert layer.counted + stands_for == 288
                layer = layers.split(layer, constraints, symmetry=symmetry)
        assert layer.counted == 288


def test_free_digits_make_the_first_row_one_puzzle():
    layer = Layer(np.zeros((1, 81), np.uint8), [1])
    for _ in range(8):
        layer = layers.split(layer, constraints_for("king"))
        assert len(layer.weights) == 1
    assert layer.weights == [factorial(9)]
    assert len(set(layer.puzzles[0, :9])) == 9


def test_where_the_group_is_too_large_digits_alone_are_renamed(monkeypatch):
    def too_large(*_, **__):
        raise SymmetryError("too large")

    monkeypatch.setattr(layers, "forms_of", too_large)
    constraints = constraints_for("classic", FOUR)
    layer = layers.split(Layer(np.zeros((1, 16), np.uint8), [1]), constraints)
    assert layer.weights == [4]
    assert count_exact(None, constraints).grids == 288


# Time


@pytest.mark.parametrize("workers", [1, 2])
def test_time_that_runs_out_leaves_a_lower_bound(workers):
    for timeout in (1, 2, 4, 8):  # a busy machine comes later to its first bound
        start = processor_seconds()
        found = count_exact(None, "windoku", timeout=timeout, workers=workers)
        assert processor_seconds() - start < 10 * timeout
        assert not found.exact and found.grids < WINDOKU
        if found.grids or found.estimate:
            break
    assert found.grids > 0 or found.estimate or IMPLEMENTATIONS[0] == engine.NUMPY
    assert str(found) == f">={found.grids}"


def test_no_time_at_all():
    found = count_exact(None, "knight", timeout=0)
    assert (found.grids, found.exact, found.estimate) == (0, False, None)


def test_errors_say_what_was_expected():
    with pytest.raises(EngineError, match="no engine 'fortran': there are "):
        count_exact(size=4, way=Way(implementation="fortran"))


# Clues


@pytest.mark.parametrize("kind", [k for k in sorted(KINDS.keys() - ALONE) if not KINDS[k].joins])
def test_counts_under_a_clue_are_those_of_brute_force(kind, four_by_four):
    """Empty grids and grids with two givens, 4x4, or 6x6 beside ten givens; all ways to count."""
    rng = Random(kind)
    if kind not in ("entropic", "entropy"):  # whose digits fall into three classes
        for _ in range(2):
            clue = clue_of(random_clue(rng, kind, 4), FOUR)
            good = [grid for grid in four_by_four if keeps(grid, clue, (clue,), 4)]
            assert counted(empty_grid(FOUR), clue) == {len(good)}
    with Session(constraints_for("classic", SIX)) as session:
        six = [grid.cells for grid in session.solutions(empty_grid(SIX), limit=20)]
    solution, clue = rng.choice(six), clue_of(random_clue(rng, kind, 6), SIX)
    cells = rng.sample(range(36), 16)
    puzzle = Grid(bytes(d * (cell in cells) for cell, d in enumerate(solution)), SIX)
    with Session(constraints_for("classic", SIX)) as session:
        plain = [grid.cells for grid in session.solutions(puzzle)]
    assert counted(puzzle, clue) == {sum(bool(keeps(g, clue, (clue,), 6)) for g in plain)}


def counted(puzzle, clue):
    """The number of grids in every way, with and without symmetry."""
    constraints = constraints_for(clue.text(puzzle.board), puzzle.board)
    return {
        count_exact(puzzle, constraints, way=Way(symmetry, implementation=implementation)).grids
        for symmetry in (False, True)
        for implementation in IMPLEMENTATIONS
    } | {searched(puzzle, constraints)}


def searched(puzzle, constraints):
    """From the puzzle itself on, not from its layers."""
    return int(engine.count(np.frombuffer(puzzle.cells, np.uint8)[None], constraints).grids[0])


# Listing


def no_search(*_, **__):
    raise AssertionError("searched")


def test_what_is_listed_soon_is_not_searched(monkeypatch):
    monkeypatch.setattr("satdoku.counting.cubes.count_cubes", no_search)
    assert count_exact("12" + "." * 14, way=Way(listed=True)) == (24, True, None)
    for way in (Way(listed=True, backend="session"), Way(listed=True, solver="glucose4")):
        assert count_exact("12" + "." * 14, way=way) == (24, True, None)
    assert count_exact("11" + "." * 14, way=Way(listed=True)) == (0, True, None)


def test_a_limit_only_lists(monkeypatch):
    monkeypatch.setattr("satdoku.counting.cubes.count_cubes", no_search)
    for more in ({}, {"backend": "session"}, {"encoding": "log"}):
        assert count_exact("." * 16, way=Way(limit=288, **more)) == (288, False, None)
        assert count_exact("." * 16, way=Way(limit=289, **more)) == (288, True, None)
    found = count_exact(way=Way(limit=10**9), timeout=0.2)
    assert (found.exact, found.grids < 10**9) == (False, True)


def test_what_is_listed_counts_where_the_search_ends_too_soon(monkeypatch):
    ends = []

    def search(*_, timeout, **__):
        ends.append(timeout)
        return counting.Count(3, False)

    monkeypatch.setattr("satdoku.counting.cubes.count_cubes", search)
    monkeypatch.setattr(counting, "LISTED", 20)
    assert count_exact("." * 16, way=Way(listed=True), timeout=60) == (20, False, None)
    (left,) = ends
    assert 0 < left <= 60


def test_listing_has_longer_turns_until_one_side_is_done(monkeypatch):
    """By listing alone it takes minutes to find out that these are all."""
    turns = []
    monkeypatch.setattr(counting, "SOON", 0.0)
    monkeypatch.setattr(counting, "TURN", 0.01)
    monkeypatch.setattr(counting, "_listed", lambda *_: (7, False))

    def search(*_, timeout, **__):
        turns.append(timeout)
        return counting.Count(1152 if len(turns) == 3 else 5, len(turns) == 3)

    monkeypatch.setattr("satdoku.counting.cubes.count_cubes", search)
    found = count_exact(None, "king,nonconsecutive", way=Way(listed=True))
    assert found == (1152, True, None)
    assert turns == [pytest.approx(seconds, abs=0.02) for seconds in (0.04, 0.16, 0.64)]
