"""Plans of boards on which cells, digits and rows are not a square's, and which plan counts."""

from itertools import combinations, product

import numpy as np
import pytest

from satdoku import engine, generate
from satdoku.engine import kernel, reference
from satdoku.engine.plan import AVAILABLE, Plan, _framed_in_c, framed_in_python, plan_of_all
from satdoku.engine.tables import Ragged
from satdoku.engine.targets import TARGETS
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import Status


def latin_rectangle(rows: int, columns: int, digits: int) -> Plan:
    """Cells of a row differ, and those of a column; a row of as many cells as digits has each."""
    cells = rows * columns
    every = [range(cell, cells * digits, cells) for cell in range(cells)]
    lines = [[columns * r + c for c in range(columns)] for r in range(rows)]
    if columns == digits:
        every += [[cells * d + cell for cell in row] for row in lines for d in range(digits)]
    lines += [[columns * r + c for r in range(rows)] for c in range(columns)]
    beside: list[set[int]] = [set() for _ in range(cells * digits)]
    for line, d in product(lines, range(digits)):
        for a, b in combinations(line, 2):
            beside[cells * d + a].add(cells * d + b)
            beside[cells * d + b].add(cells * d + a)
    pairs = Ragged.of(map(sorted, beside))
    none = [Ragged.of([])] * 13
    return Plan(cells, digits, False, Ragged.of(map(list, every)), pairs, *none)


# Latin rectangles are OEIS A001009 times factorials; 2x3 with 4 digits: 4*3*2 first rows, and 11
# second rows for each, by inclusion and exclusion: 24 - 3*6 + 3*2 - 1.
KNOWN = [
    ((2, 3, 3), 12), ((3, 4, 4), 576), ((2, 3, 4), 264), ((2, 5, 5), 5280), ((1, 6, 9), 60480),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "number"), KNOWN)
@pytest.mark.parametrize("target", [*TARGETS, None])
def test_latin_rectangles_are_as_many_as_is_known(shape, number, target):
    plan = latin_rectangle(*shape)
    empty = np.zeros((1, plan.cells), np.uint8)
    if target is None:
        found = reference.count(plan, empty, 10**6)[1]
    else:
        found = kernel.count(plan, empty, 10**6, target)[1]
    assert found.tolist() == [number]


@pytest.mark.parametrize("target", [*TARGETS, None])
def test_marks_and_solutions_of_a_rectangle_are_those_of_its_cells(target):
    plan = latin_rectangle(2, 3, 4)
    marks = np.ones((1, plan.variables), np.uint8)
    marks[0, [0, 1, 2]] = 0  # r1c1 holds 4
    marks[0, 4 * 5 + 3] = 0  # r2c3 holds no 4
    module = [reference] if target is None else [kernel, target]
    status, solutions, *_ = module[0].solve(plan, marks, 2, 10**6, *module[1:])
    assert status.tolist() == [Status.MULTIPLE]
    rows = solutions.reshape(2, 3)
    assert rows[0, 0] == 4 and rows[1, 2] != 4
    assert all(len({*line}) == len(line) for line in [*rows.tolist(), *rows.T.tolist()])


@pytest.mark.parametrize(
    ("rules", "by_boxes"),
    [("classic", True), ("knight", True), ("knight,king", False), ("miracle", False)],
)
def test_solutions_are_counted_by_boxes_unless_pairs_tell_more(rules, by_boxes):
    constraints = constraints_for(rules)
    plan = plan_of_all(constraints)
    assert plan.classic == by_boxes
    # Knight: unique puzzles take a count as many nodes as a search, which is by boxes.
    if rules == "knight" and TARGETS:
        puzzles = generate(5, rules, seed=3)
        counted = engine.count(puzzles, constraints).nodes
        assert counted.tolist() == engine.solve(puzzles, constraints).nodes.tolist()


FRAMES = [
    "classic", "knight,king", "windoku,diagonal,nonconsecutive", "disjoint", "latin=7", "boxes=2x4",
    "shape=4x6", "digits=0-9,shape=9x9", "layer=shade:0-1", "region:falling;region:rising;knight",
    "distinct:r1c1-r9c9;antiqueen", "grids:r1c1,r7c7",
]  # fmt: skip


FEW = "latin=7", "digits=0-9,shape=9x9"  # no two groups share two candidates


@pytest.mark.skipif(not AVAILABLE, reason="built without a compiler")
@pytest.mark.parametrize("rules", FRAMES)
@pytest.mark.parametrize("known", [0, 324])
def test_c_lists_of_rules_what_python_lists(rules, known):
    """The groups, what candidates exclude, and both sides of groups that overlap."""
    known = known if rules in FRAMES[:4] else 0
    constraints = constraints_for(rules)
    for deep in (False, True):
        ours = [each.lists() for each in _framed_in_c(constraints, known, deep)]
        assert ours == [each.lists() for each in framed_in_python(constraints, known, deep)]
    assert ours[0]
    assert ours[1] or ours[2] or known or rules in FEW


@pytest.mark.skipif(not AVAILABLE, reason="built without a compiler")
def test_c_refuses_candidates_that_are_not_there():
    from satdoku.model import _sums

    groups = constraints_for("classic", Board.of_size(4)).groups
    for wrong in ([((0, 64),)], [((-1, 3),)], [((1,),)]):
        with pytest.raises((ValueError, IndexError)):
            _sums.frame(groups, wrong, 16, 4, 0, True)
    with pytest.raises(ValueError, match="cells"):
        _sums.frame(groups, [], 15, 4, 0, True)
    with pytest.raises(ValueError, match="digits"):
        _sums.by_rules(groups, [], 16, 33, 4)
