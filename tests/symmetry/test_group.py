"""The group of a rule set: its order, its elements and no others."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial

import numpy as np
import pytest
from board_cases import BOARDS, some_puzzles
from examples import FOUR
from symmetry_cases import line_moves

import satdoku
from satdoku.batch.options import BatchOptions
from satdoku.batch.solve import solve_cells
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.rules import RULES, RuleError
from satdoku.symmetry import forms_of, group, implementations
from satdoku.symmetry.structure import Structure


@pytest.mark.parametrize(
    ("rules", "size", "geometric", "renamings"),
    [
        ("classic", 4, 128, 24),
        ("classic", 6, 3456, 720),
        ("classic", 9, 2 * 6**8, factorial(9)),
        ("classic", 16, 2 * 24**10, factorial(16)),
        ("knight", 9, 8, factorial(9)),
        ("king", 9, 8, factorial(9)),
        ("knight,king", 9, 8, factorial(9)),
        ("nonconsecutive", 9, 8, 2),
        ("miracle", 9, 8, 2),
        ("antiqueen", 9, 8, factorial(8)),
        ("windoku", 9, 128, factorial(9)),
    ],
)
def test_orders(rules, size, geometric, renamings):
    found = group(constraints_for(rules, Board.of_size(size)))
    assert (found.geometric_order, found.digit_order) == (geometric, renamings)
    assert found.order == geometric * renamings


def test_the_square_is_all_that_chess_moves_leave():
    for rules in ("knight", "king", "nonconsecutive"):
        found = group(constraints_for(rules))
        square = np.arange(81).reshape(9, 9)
        turned = {np.rot90(s, k).tobytes() for s in (square, square.T) for k in range(4)}
        assert {cells.astype(np.intp).tobytes() for cells in found.cell_permutations} == turned


def test_diagonal_order_by_trying_every_pair_of_line_permutations():
    moves = np.array(list(line_moves(9, 3)))
    rows, columns = moves[:, None], moves[None]
    falling = (rows == columns).all(2) | (rows + columns == 8).all(2)
    flipped = columns[..., ::-1]
    rising = (rows == flipped).all(2) | (rows + flipped == 8).all(2)
    expected = 2 * int((falling & rising).sum())
    assert group(constraints_for("diagonal")).geometric_order == expected


def test_disjoint_order_by_trying_every_pair_of_line_permutations():
    """Lines move alike in every band, alike in every stack; besides, boxes and places change
    parts when line 3a + b goes to 3b + a."""

    def places(move):  # of the three lines of each band, where they lay in theirs
        return {tuple(line % 3 for line in move[i : i + 3]) for i in (0, 3, 6)}

    alike = sum(len(places(move)) == 1 for move in line_moves(9, 3))
    assert group(constraints_for("disjoint")).geometric_order == 2 * alike**2 * 2


@pytest.mark.parametrize(
    "rules", ["classic", *RULES, "miracle", "antiqueen,nonconsecutive", "diagonal,king"]
)
def test_every_element_of_4x4_and_no_other_preserves_the_rules(rules, names4):
    """All permutations of rows and of columns, transposed or not, with all renamings: the group is
    no less, and a product of its two parts."""
    try:
        constraints = constraints_for(rules, FOUR)
    except RuleError:  # jigsaw has its own test
        return
    moves = [
        turned.ravel()
        for rows, columns in product(permutations(range(4)), repeat=2)
        for moved in [np.arange(16).reshape(4, 4)[np.ix_(rows, columns)]]
        for turned in (moved, moved.T)
    ]
    candidates = 4 * np.array(moves)[:, None, :, None] + names4[:, None, 1:] - 1
    images = np.left_shift(np.uint64(1), candidates.astype(np.uint64)).reshape(-1, 64)
    for sets in (constraints.groups, constraints.pairs):
        members = np.array([*sets], np.intp).reshape(len(sets), -1 if len(sets) else 1)
        known = np.left_shift(np.uint64(1), members.astype(np.uint64)).sum(1)  # a bit a candidate
        images = images[np.isin(images[:, members].sum(2), known).all(1)]
    assert len(images) == group(constraints).order


def test_jigsaw_keeps_what_maps_regions_to_regions():
    usual = "".join(f"{row // 2 * 2 + column // 3}" for row in range(6) for column in range(6))
    assert group(constraints_for(f"jigsaw={usual}")).whole_boxes == (2, 3)
    crooked = "1112" + "1322" + "3342" + "3444"
    found = group(constraints_for(f"jigsaw={crooked}"))
    cells = np.array(list(crooked)).reshape(4, 4)
    expected = 0
    for rows, columns in product(permutations(range(4)), repeat=2):
        moved = cells[np.ix_(rows, columns)]
        for image in (moved, moved.T):
            expected += len(set(zip(cells.ravel(), image.ravel(), strict=True))) == 4
    assert found.geometric_order == expected


def test_elements_are_listed_once_and_random_ones_are_among_them():
    found = group(constraints_for("classic", FOUR))
    listed = set(map(bytes, found.cell_permutations))
    assert len(listed) == 128
    rng = np.random.default_rng(5)
    drawn = {found.random(rng).cells.astype(np.uint16).tobytes() for _ in range(2000)}
    assert drawn == listed  # each is missed with probability (127/128)^2000


def test_description():
    assert str(group(constraints_for("miracle"))) == (
        "8 cell permutations (the square's) x 2 digit permutations (reversal d -> 10-d)"
    )
    assert "3,359,232 cell permutations (bands, stacks" in str(group(constraints_for("classic")))
    assert "free among 1,2,3,4,5,6,7,8" in str(group(constraints_for("antiqueen")))
    assert "some of the permutations" in str(group(constraints_for("disjoint", Board.of_size(16))))


# Other boards ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "geometric", "renamings"),
    [
        ("shape=6x7", 4, factorial(7)),
        ("shape=6x8;knight", 4, factorial(8)),
        ("shape=4x5", factorial(4) * factorial(5), factorial(5)),
        ("shape=4x6;digits=1-6", 8 * 72, factorial(6)),
        ("digits=1-10;shape=9x9", 8, factorial(10)),  # too many to list
        ("shape=6x8;nonconsecutive", 4, 2),
        ("digits=0-8", 2 * 6**8, factorial(9)),
        ("shape=6x6;digits=1-9", 3456, factorial(9)),
        ("shape=6x6;digits=0-6;nonconsecutive", 4, 2),
        ("shape=4x4;holes:r1c1", 2, factorial(4)),
        ("shape=4x4;holes:r1c2", 1, factorial(4)),
        ("shape=4x4;grids:r1c1,r3c3", 4, factorial(4)),
        ("samurai", 8, factorial(9)),
        ("shape=4x4;layer=shade:0-1", 8, factorial(4)),
        ("shape=4x4;layer=a*3:0-9", 8, factorial(4)),
        ("shape=4x4;layer=shade:2-5;thermo:r1c1,shade.r1c1", 2, 1),
        ("shape=4x4;layer=shade:0-1;sum=4:r1c1,shade.r1c1,r1c2", 1, 1),  # all but the identity
    ],
)
def test_orders_on_other_boards(rules, geometric, renamings):
    found = group(constraints_for(rules))
    assert (found.geometric_order, found.digit_order) == (geometric, renamings)


@pytest.mark.parametrize(
    "rules",
    ["shape=3x4", "shape=3x4;knight", "shape=4x3;no-rows", "shape=2x4;digits=1-4;nonconsecutive"],
)
def test_lines_of_a_rectangle_by_trying_every_pair_of_permutations(rules):
    constraints = constraints_for(rules)
    board, structure = constraints.board, Structure(constraints)
    square = np.arange(board.cells).reshape(board.height, board.width)
    digits = np.arange(len(board.digits))
    kept = {
        tuple(square[np.ix_(rows, columns)].ravel().tolist())
        for rows in permutations(range(board.height))
        for columns in permutations(range(board.width))
        if structure.preserved_by(square[np.ix_(rows, columns)].ravel(), digits)
    }
    assert {tuple(row) for row in group(constraints).cell_permutations.tolist()} == kept


@pytest.mark.parametrize("name", BOARDS)
def test_elements_map_grids_of_any_board_to_grids(name):
    """And puzzles to puzzles with the same form and the same status."""
    rules, rng = BOARDS[name], np.random.default_rng(4)
    constraints = constraints_for(rules)
    found, board = group(constraints), constraints.board
    cells = np.array([list(puzzle) for puzzle in some_puzzles(rules, 30)], np.uint8)
    forms, statuses = forms_of(cells, constraints), solve_cells(cells, BatchOptions(constraints))
    for _ in range(8):
        element = found.random(rng)
        assert sorted(element.cells.tolist()) == list(range(board.cells))
        images = found.apply(element, cells)
        assert (images[:, board.grid_cells :] == 0).all()
        assert (forms_of(images, constraints) == forms).all()
        after = solve_cells(images, BatchOptions(constraints))
        assert (after.statuses == statuses.statuses).all()
    assert (forms_of(forms, constraints) == forms).all()
    for implementation in implementations():
        assert (forms_of(cells, constraints, implementation=implementation) == forms).all()
    text = [str(puzzle) for puzzle in some_puzzles(rules, 30)]
    assert (satdoku.canonical(text, rules) == forms).all()


def test_description_of_other_boards():
    said = str(group(constraints_for("shape=4x4;digits=0-4;nonconsecutive")))
    assert said == ("8 cell permutations (the square's) x 2 digit permutations (reversal d -> 4-d)")
    assert "4 of the 8 turns and reflections" in str(group(constraints_for("shape=6x7")))
    assert "1 cell permutations (the identity)" in str(
        group(constraints_for("shape=4x4;holes:r1c2"))
    )
