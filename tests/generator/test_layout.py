"""Layouts: clues that are true, lie as a setter draws them, and share no spot."""

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest

from satdoku import clue_warnings
from satdoku.generator.dice import Dice
from satdoku.generator.grids import random_grids
from satdoku.generator.layout import SHAPES, Layout, shape_of
from satdoku.model.board import Board
from satdoku.model.clue import SET
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.kinds import ALIASES, KINDS, kind_of
from satdoku.render.clues import DRAWINGS
from satdoku.render.shapes import tree
from satdoku.witness.verify import first_violation

NINE = Board()
SAME = tuple(range(81))
TURNED = SAME[::-1]
# No random grid keeps these, they need a layer, or they only go with other clues.
RARE = {
    "formula", "no-difference", "no-ratio", "no-sum", "taxicab", "knight-digits", "king-digits",
    "queen-digits", "entropy", "modular-entropy", "flat-mates", "connected", "edge-connected",
    "single-loop", "no-square", "chaos", "same-values", "clone",
}  # fmt: skip


def full_grid(seed):
    return Grid(random_grids(1, constraints_for("classic"), Dice(seed))[0].tobytes(), NINE)


def filled(kinds, seed, moves=(SAME,), size=None, most=30):
    """The clues of the kinds in turn until one finds no room, and the grid."""
    full = full_grid(seed)
    layout = Layout(full, Random(seed), moves, size)
    clues = []
    for place in range(most):
        clues += layout.place(kinds[place % len(kinds)])
    return clues, full


def test_every_drawing_has_a_shape():
    assert SHAPES.keys() == DRAWINGS.keys()


@pytest.mark.parametrize("kind", [*KINDS, *ALIASES])
def test_clues_of_every_kind_are_true_and_lie_as_they_should(kind):
    clues, full = filled([kind], 5, most=6)
    assert len(clues) >= 3 or kind in RARE or kind == "circles" or kind in ALIASES
    for clue in clues:
        assert first_violation(full, (clue.text(NINE),)) is None
    text = ";".join(["classic", *(clue.text(NINE) for clue in clues)])
    assert clue_warnings(text) == ()
    assert all(len(clue.cells) > 1 for clue in clues if shape_of(kind_of(kind)).size)


def test_cages_are_apart_and_lines_neither_leap_nor_meet_nor_cross():
    """Counted anew, from the cells alone."""
    kinds = ["cage", "thermo", "arrow", "product", "whisper", "renban", "white"]
    for seed in range(3):
        clues, _ = filled(kinds, seed)
        cages = [clue.cells for clue in clues if clue.kind in ("cage", "product")]
        assert len(cages) > 4
        assert not any({*one} & {*other} for one, other in combinations(cages, 2))
        lines = [c.cells for c in clues if c.kind in ("thermo", "arrow", "whisper")]
        assert len(lines) > 4
        cells = Counter(cell for line in lines for cell in line)
        assert max(cells.values()) == 1
        middles = Counter()
        for line in lines:
            for a, b in pairwise(line):
                (top, left), (bottom, right) = divmod(a, 9), divmod(b, 9)
                assert max(abs(top - bottom), abs(left - right)) == 1
                middles[top + bottom, left + right] += 1
        assert max(middles.values()) == 1


def test_lines_of_any_order_cross_none_as_they_are_drawn():
    """Their cells are sorted, and the steps of the drawing are not those between sorted cells."""
    for seed in range(25):
        clues, _ = filled(["renban", "palindrome", "nabner"], seed)
        middles = Counter()
        for clue in clues:
            order = KINDS[clue.kind].order
            for a, b in tree(clue.cells, NINE) if order == SET else pairwise(clue.cells):
                middles[tuple(x + y for x, y in zip(divmod(a, 9), divmod(b, 9), strict=True))] += 1
        assert max(middles.values()) == 1


def test_numbers_outside_have_places_of_their_own():
    clues, _ = filled(["sandwich", "x-sum", "little-killer", "skyscraper"], 2, most=60)
    starts = [clue.cells[:2] for clue in clues if clue.kind != "little-killer"]
    assert len(clues) > 30 and len({*starts}) == len(starts)
    assert all(len(c.cells) > 2 for c in clues if c.kind == "little-killer")


def test_orbits_are_placed_together_and_sizes_are_kept():
    clues, full = filled(["cage", "thermo", "white"], 3, moves=(SAME, TURNED), size=(2, 3))
    cells = [{*clue.cells} for clue in clues]
    assert len(cells) > 9 and {len(some) for some in cells} == {2, 3}
    assert all({80 - cell for cell in some} in cells for some in cells)
    assert all(first_violation(full, (clue.text(NINE),)) is None for clue in clues)


def test_a_line_of_equal_sums_runs_through_two_boxes():
    clues, _ = filled(["region-sum"], 1, most=5)
    assert clues and all(len({NINE.box_of(cell) for cell in clue.cells}) > 1 for clue in clues)


def test_one_layout_has_one_clue_of_cells_that_count_together():
    clues, _ = filled(["circles"], 1, most=3)
    assert len(clues) == 1
