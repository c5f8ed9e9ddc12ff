"""Sums as the kernel runs them: true of the grid of a killer, and as told by hand.
Clues in the engine: propagated as by a CDCL solver, solved as by one, for every kind.
"""

from __future__ import annotations

import random
from array import array
from contextlib import suppress
from dataclasses import replace
from itertools import product
from operator import mul

import engine_cases as cases
import numpy as np
import pytest
from clue_examples import ALONE, keeps, random_clue
from killers import random_killer
from propagation import fixpoint, solver_for
from rank_clues import KINDS as RANKS
from rank_clues import WORDS, true_clues
from soak import share

from satdoku import engine
from satdoku.answers.session import Session
from satdoku.cnf.encodings import encode
from satdoku.engine import kernel, reference, tables
from satdoku.engine.plan import plan_for
from satdoku.engine.tables import (
    Ragged,
    beside,
    bounded,
    compiled,
    implied,
    of_families,
    segmented,
)
from satdoku.engine.targets import TARGETS
from satdoku.model import implied as following
from satdoku.model.board import Board
from satdoku.model.clue import ClueError, read_clue
from satdoku.model.constraints import constraints_for
from satdoku.model.implied import AVAILABLE, apart_of, mask_bytes, peer_bytes, peers_of
from satdoku.model.kinds import KINDS, clue_of
from satdoku.model.shapes import AVAILABLE as AUTOMATA
from satdoku.model.shapes import DigitSets, Sum, automaton
from satdoku.runtime.errors import Status
from satdoku.witness.verify import solves_many

if AVAILABLE:
    from satdoku.model import _sums

# All of row 1 but its last cell; row 2 in cages of which one reaches into row 3.
PART = "cage=10:r1c1-r1c4;cage=30:r1c5-r1c8;cage=40:r2c1-r2c8;cage=11:r2c9,r3c9"


@pytest.mark.parametrize("seed", range(share(20)))
def test_what_follows_from_a_killer_is_true_of_its_grid(seed):
    rules, grid = random_killer(random.Random(seed))
    found = list(implied(constraints_for(rules)))
    assert {type(said) for said in found} == {DigitSets, tuple}
    for said in found:
        if isinstance(said, DigitSets):
            assert frozenset(grid[cell] for cell in said.cells) in said.sets
        else:
            assert adds_up(said, grid)


def test_where_few_sums_follow_they_may_have_more_cells():
    row, box = implied(constraints_for("cage=20:r1c1-r1c3"))
    assert row == (25, 1, 0, 3, 3, 4, 5, 1, 0, 3, 6, 7, 8)
    assert box == (25, 1, 0, 3, 9, 10, 11, 1, 0, 3, 18, 19, 20)


def adds_up(listed, grid):
    """Whether the segments of a grid have the total."""
    total, *rest = listed
    while rest:
        weight, mirrored, count, *rest = rest
        digits = [grid[cell] for cell in rest[:count]]
        total -= weight * sum(10 - digit if mirrored else digit for digit in digits)
        rest = rest[count:]
    return total == 0


def test_the_45_rule_within_a_house_and_beyond_it():
    said = implied(constraints_for(PART))
    found = {cage.cells: cage.sets for cage in said if isinstance(cage, DigitSets)}
    assert found[(8,)] == (frozenset({5}),)  # 45 less 10 and 30
    assert found[(17,)] == (frozenset({5}),)
    assert found[(26,)] == (frozenset({6}),)  # 40 and 11 less 45
    assert not list(implied(constraints_for("knight;thermo:r1c1,r1c2")))


def test_a_sum_becomes_a_cage_or_segments():
    sums = [
        Sum((9,), (1,), 5),
        Sum((0, 1, 2, 3, 40), (1, 1, 1, 1, -2), 3),
        Sum((0, 40), (1, -1), -9),
        Sum((0, 40), (1, 300), 99),
    ]
    assert compiled(sums, constraints_for("classic")) == [
        DigitSets((9,), (frozenset({5}),)),
        (23, 2, 1, 1, 40, 1, 0, 3, 0, 1, 2, 1, 0, 1, 3),
        (1, 1, 1, 1, 40, 1, 0, 1, 0),
        None,
    ]


LITTLE = ";".join(
    f"little-killer=49:{cells}"
    for cells in (
        "r1c1,r2c2,r3c3,r4c4,r5c5,r6c6,r7c7,r8c8,r9c9", "r3c1,r4c2,r5c3,r6c4,r7c5,r8c6,r9c7",
        "r1c8,r2c7,r3c6,r4c5,r5c4,r6c3,r7c2,r8c1", "r9c2,r8c3,r7c4,r6c5,r5c6,r4c7,r3c8,r2c9",
        "r9c3,r8c4,r7c5,r6c6,r5c7,r4c8,r3c9", "r2c1,r3c2,r4c3,r5c4,r6c5,r7c6,r8c7,r9c8",
        "r1c9,r2c8,r3c7,r4c6,r5c5,r6c4,r7c3,r8c2,r9c1", "r7c9,r6c8,r5c7,r4c6,r3c5,r2c4,r1c3",
    )
)  # fmt: skip


def test_sums_that_share_no_cell_are_bounded_together():
    rules = constraints_for(LITTLE)
    found = [*bounded(rules)]
    assert len(found) == tables.MOST_BOUNDS
    for total, *members in found:
        cells = []
        for weight, is_mirrored, some in tables.parts_of(members):
            assert (weight, is_mirrored) == (1, 0) and following.differ(some, peers_of(rules))
            cells += some
        assert total % 49 == 0 and len({*cells}) == len(cells)
    assert not [*bounded(constraints_for("cage=15:r1c1,r1c2,r1c3;sum=9:r1c4,r2c4"))]


PARTS = (2, 3), (1, 2), (1, 3)
FOUR_OF_EACH_BOX = [
    f"r{3 * band + r}c{3 * stack + c}"
    for band in range(3)
    for stack in range(3)
    for r in PARTS[stack]
    for c in PARTS[band]
]


def test_a_tight_sum_of_many_cells_is_bounded_by_sets_of_cells_that_differ():
    """Four cells of each box add up to at least 90, so the pill of the arrow begins with 9."""
    ((total, *members),) = bounded(constraints_for("arrow:r1c1,r1c2>" + ",".join(FOUR_OF_EACH_BOX)))
    parts = [*tables.parts_of(members)]
    assert parts[-2:] == [(1, 0, (1,)), (10, 0, (0,))] and total == 36 * 10
    assert {(weight, is_mirrored, len(cells)) for weight, is_mirrored, cells in parts[:-2]} == {
        (1, 1, 4)
    }
    assert not bounded(constraints_for("arrow:r1c1,r1c2>" + ",".join(FOUR_OF_EACH_BOX[:20])))


def test_cells_that_differ_are_a_cage_where_an_automaton_heeds_no_order():
    """One of the cells is the sum of the others."""
    text = "or:(arrow:{0}>{1},{2}),(arrow:{1}>{2},{0}),(arrow:{2}>{0},{1})"
    plan = plan_for(constraints_for(text.format("r1c1", "r1c2", "r2c3")), True)
    assert len(plan.cages) == 1 and not plan.automata and len(plan.sets.lists()[0]) == 16
    for automata in (text.format("r1c1", "r1c2", "r5c5"), "count=2x1:r1c1,r1c2,r2c1"):
        plan = plan_for(constraints_for(automata), True)
        assert not plan.cages and len(plan.automata) == 1


def test_without_box_line_the_same_automaton_strikes_what_unit_propagation_does():
    """Certificates take its candidates for those that unit propagation of the formula leaves."""
    rules = constraints_for(
        "or:(arrow:r1c1>r1c2,r2c3),(arrow:r1c2>r2c3,r1c1),(arrow:r2c3>r1c1,r1c2)"
    )
    marks = np.ones((1, 81, 9), np.bool_)
    marks[0, [0, 1], 2:] = False  # 1 or 2 each, so the other one is 3
    marks = marks.reshape(1, -1)
    (left,), _ = engine.propagate(marks, rules, box_line=False)
    assert np.flatnonzero(left).tolist() == fixpoint(encode(rules, "extended"), marks[0])
    (fewer,), _ = engine.propagate(marks, rules)
    assert fewer.reshape(81, 9)[11].sum() == 1 < left.reshape(81, 9)[11].sum()


def test_a_bound_begins_with_a_house_where_that_leaves_less_slack():
    """Whatever segments are tried: all cells once, with their weights, and the total of them."""
    rng, rules, better = random.Random(5), constraints_for("king"), 0
    for _ in range(20):
        cells = tuple(sorted(rng.sample(range(81), rng.randrange(6, 34))))
        weights = tuple(rng.choice((-10, -1, -1, 1, 1, 1)) for _ in cells)
        said, houses = Sum(cells, weights, rng.randrange(50)), following.houses_of(rules)
        plain, *others = tables._split([said], rules, 9, houses)
        better += any(tables._slack(each) < tables._slack(plain) for each in others)
        for total, *members in (plain, *others):
            signed = {
                cell: -weight if mirrored else weight
                for weight, mirrored, some in tables.parts_of(members)
                for cell in some
            }
            assert tuple(signed[cell] for cell in cells) == weights and len(signed) == len(cells)
            assert total == said.total - 10 * sum(w for w in weights if w < 0)
            for *_, some in tables.parts_of(members):
                assert following.differ(some, peers_of(rules))
    assert better


@pytest.mark.skipif(not TARGETS, reason="numpy takes 40 seconds")
def test_a_bound_strikes_what_segments_do_not():
    rules = constraints_for("arrow:r1c1,r1c2>" + ",".join(FOUR_OF_EACH_BOX))
    plan, empty = plan_for(rules, True), np.zeros((1, 81), np.uint8)
    for target in TARGETS:
        found, _ = kernel.propagate(plan, empty, target)
        assert [*found.reshape(81, 9)[0].nonzero()[0] + 1] == [9]
        loose, _ = kernel.propagate(replace(plan, bounds=Ragged.of([])), empty, target)
        assert loose.reshape(81, 9)[0].sum() > 1


@pytest.mark.skipif(not TARGETS, reason="numpy takes 40 seconds")
def test_bounds_tell_that_little_killers_cannot_be():
    rules = constraints_for(LITTLE)
    assert engine.solve(np.zeros((1, 81), np.uint8), rules).status[0] == Status.NONE


@pytest.mark.parametrize("seed", range(share(40)))
def test_grids_of_ranks_are_those_that_keep_each(seed, four_by_four):
    """Ranks of one grid, and one that is drawn, which may contradict them."""
    rng, board = random.Random(seed), Board.of_size(4)
    texts = [*true_clues(rng, rng.choice(four_by_four), 4, rng.randint(1, 9))]
    if seed % 2:
        texts.append(f"{rng.choice(RANKS)}={rng.randint(1, 16)}:{rng.choice(WORDS)}")
    rules = constraints_for(";".join(texts), board)
    clues = [read_clue(text, board) for text in texts]
    wanted = sorted(g for g in four_by_four if all(keeps(g, clue, clues, 4) for clue in clues))
    for name in engine.implementations():
        found = engine.listed(np.zeros(16, np.uint8)[None], rules, 300, implementation=name)
        assert found.status[0] == Status.NONE
        assert [*map(bytes, found.solutions[0, : int(found.grids[0])])] == wanted


@pytest.mark.parametrize("seed", range(share(8)))
def test_ranks_strike_nothing_of_a_solution_and_the_reference_strikes_the_same(seed):
    """Ranks of a grid, with some givens of it, and with one that may be wrong."""
    rng = random.Random(seed)
    with Session("classic", verify=False) as session:
        whole = session.solve(bytes(rng.sample(range(1, 10), 9)) + bytes(72)).cells
    rules = constraints_for(";".join(true_clues(rng, whole, 9, rng.randint(2, 20))))
    plan = plan_for(rules, True)
    assert len(plan.ranks)
    rows = _some_givens(rng, whole, 40)
    left = _left_by_all(plan, rows, whole)
    without, _ = reference.propagate(replace(plan, ranks=Ragged.of([])), rows)
    assert left.sum() < without[:32].sum()


def _some_givens(rng, whole, most):
    """64 rows with givens of a solution; those from 32 on have one that may be wrong."""
    rows = np.zeros((64, 81), np.uint8)
    for row in rows[1:]:
        for cell in rng.sample(range(81), rng.randrange(most)):
            row[cell] = whole[cell]
    for row in rows[32:]:
        row[rng.randrange(81)] = rng.randint(1, 9)
    return rows


def _left_by_all(plan, rows, whole):
    """What kernels and reference leave of the rows of the solution, in which nothing is struck that
    it has; they leave the same of all rows."""
    other, clash = reference.propagate(plan, rows)
    assert not clash[:32].any()
    assert other[:32].reshape(32, 81, 9)[:, range(81), np.array([*whole]) - 1].all()
    for target in TARGETS:
        found, conflict = kernel.propagate(plan, rows, target)
        assert (conflict == clash).all()
        assert (found[conflict == 0] == other[clash == 0]).all()
    return other[:32]


def test_cells_of_which_every_two_are_in_one_relation_are_a_set():
    (renban,) = (f for f in constraints_for("renban:r1c1,r1c2,r5c5").families if f.said.relations)
    found = renban.said.sets
    assert [sorted(some) for some in found.sets] == [[d, d + 1, d + 2] for d in range(1, 8)]
    for text in ("thermo:r1c1,r1c2,r1c3", "distinct:r1c1,r1c2,r5c5", "whisper=5:r1c1,r1c2,r1c3"):
        (family,) = (f for f in constraints_for(text).families if f.said.relations)
        assert family.said.sets is None


def _bound_of(whole, rng, peers):
    """A bound of a solution, with weights and sets that are mirrored."""
    total, members = 0, []
    for _ in range(rng.randrange(2, 9)):
        cell = rng.randrange(81)
        others = rng.sample([*following.bits(peers[cell])], 3)
        cells = [cell, *(c for c in others[:1])]
        weight, mirrored = rng.choice((1, 2, 3, 10, 100)), rng.randrange(2)
        members += (weight, mirrored, len(cells), *cells)
        total += weight * sum(10 - whole[c] if mirrored else whole[c] for c in cells)
    return [total, *members]


@pytest.mark.parametrize("seed", range(4))
def test_bounds_strike_nothing_of_a_solution_and_the_reference_strikes_the_same(seed):
    """Totals of diagonals of a grid, with some givens of it, and with one more."""
    rng = random.Random(seed)
    with Session("classic", verify=False) as session:
        whole = session.solve(bytes(rng.sample(range(1, 10), 9)) + bytes(72)).cells
    lines = [[9 * r + c for r in range(9) for c in range(9) if r + c == k] for k in range(4, 13)]
    lines += [[9 * r + c for r in range(9) for c in range(9) if r - c == k] for k in range(-4, 5)]
    named = (",".join(f"r{c // 9 + 1}c{c % 9 + 1}" for c in line) for line in lines)
    totals = (sum(whole[cell] for cell in line) for line in lines)
    texts = [f"little-killer={t}:{n}" for t, n in zip(totals, named, strict=True)]
    rules = constraints_for(";".join(rng.sample(texts, 10)))
    weighed = (_bound_of(whole, rng, peers_of(rules)) for _ in range(4))
    bounds = Ragged.of([*plan_for(rules, True).bounds.lists(), *weighed])
    assert len(bounds) > 5
    plan = replace(plan_for(rules, True), sums=Ragged.of([]), bounds=bounds)  # no segments
    left = _left_by_all(plan, _some_givens(rng, whole, 30), whole)
    assert left.sum() < 32 * 81 * 9


needs_c = pytest.mark.skipif(not AVAILABLE, reason="built without a compiler")
DIAGONAL = constraints_for("diagonal,knight;cage:r1c1,r5c5,r9c9;cage:r2c2,r4c7")


@needs_c
@pytest.mark.parametrize("seed", range(share(40)))
def test_c_makes_of_sums_what_python_does(seed):
    rng = random.Random(seed)
    sums = []
    for _ in range(30):
        cells = tuple(rng.sample(range(81), rng.choice((0, 1, 2, 3, 4, 5, 6, 9, 30, 81))))
        choices = rng.choice(((1,), (1, 1, -1), (-1, 0, 1, 2), (1, -10, 7)))
        weights = tuple(rng.choice(choices) for _ in cells)
        sums.append(Sum(cells, weights, rng.randint(-40, 60)))
    found = _sums.segments(sums, 81, peer_bytes(DIAGONAL), tables.LIMITS)
    assert found == [segmented(said, peers_of(DIAGONAL)) for said in sums]


@needs_c
def test_c_tells_cells_apart_as_python_does():
    rng, known = random.Random(2), peers_of(DIAGONAL)
    sets = [tuple(rng.sample(range(81), rng.choice((0, 1, 2, 2, 3, 9)))) for _ in range(60)]
    masks, is_new = apart_of(sets, known)
    assert is_new
    assert not apart_of([(0, 1), (0, 40)], known)[1]
    assert _sums.apart(sets, 81, peer_bytes(DIAGONAL)) == mask_bytes(masks, DIAGONAL.board)


@needs_c
@pytest.mark.parametrize("board", [Board.of_size(4), Board.of_size(9), Board.of_size(16)])
def test_a_plan_is_the_same_without_the_c_code(board, monkeypatch):
    rng = random.Random(board.size)
    for _ in range(4):
        texts = [random_killer(rng)[0]] if board.size == 9 else []
        kinds = ("arrow", "thermo", "little-killer", "difference", "distinct", "renban", "clone")
        for kind in kinds:
            with suppress(ClueError):
                texts.append(clue_of(random_clue(rng, kind, board.size), board).text(board))
        constraints = constraints_for(";".join(texts), board)
        compiled = plan_for.__wrapped__(constraints, True)
        with monkeypatch.context() as patch:
            patch.setattr(tables, "AVAILABLE", False)
            patch.setattr(following, "AVAILABLE", False)
            plain = plan_for.__wrapped__(constraints, True)
        lists = ({name: part.lists() for name, part in p.parts.items()} for p in (compiled, plain))
        first, second = lists
        assert first == second


def numbers(*some):
    return array("i", some).tobytes()


def listed(clues, peers, areas=None, sums=()):
    limits = tables.LIMITS, (4, 4, 8)
    return _sums.tables(clues, [*sums], 81, peers, areas, 9, *limits, True)


@needs_c
def test_the_c_code_refuses_what_is_no_sum():
    peers = peer_bytes(DIAGONAL)
    areas = _sums.areas(81, bytes(16), array("i", [45]))
    for error, call in (
        (ValueError, lambda: _sums.segments([((81,), (1,), 5)], 81, peers, tables.LIMITS)),
        (ValueError, lambda: _sums.segments([((-1,), (1,), 5)], 81, peers, tables.LIMITS)),
        (IndexError, lambda: _sums.segments([((1, 2), (1,), 5)], 81, peers, tables.LIMITS)),
        (ValueError, lambda: _sums.segments([], 81, peers[:-8], tables.LIMITS)),
        (ValueError, lambda: _sums.segments([], 81, peers, (5, 26, 32, 2048))),
        (ValueError, lambda: _sums.segments([], 0, peers, tables.LIMITS)),
        (ValueError, lambda: _sums.apart([(0, 81)], 81, peers)),
        (TypeError, lambda: _sums.apart([(0, "1")], 81, peers)),
        (ValueError, lambda: _sums.apart([], 81, peers[:-8])),
        (ValueError, lambda: _sums.left(areas, [((81,), 5)], 4)),
        (SystemError, lambda: _sums.left(areas, [[(1,), 5]], 4)),
        (TypeError, lambda: _sums.left(areas, [((1.5,), 5)], 4)),
        (ValueError, lambda: listed([(b"\0" * 8, (0, 1))], peers)),
        (ValueError, lambda: listed([(numbers(1, 1, 2), (0, 1))], peers)),
        (ValueError, lambda: listed([(numbers(0, 0, 1, 99, 0, 0, 1), (0, 1))], peers)),
        (ValueError, lambda: listed([(numbers(0, 0, 1, -1, 0, 0, 1), (0, 1))], peers)),
        (ValueError, lambda: listed([(numbers(0, 0, 0, 0, 1), (0, 1))], peers)),
        (ValueError, lambda: listed([(numbers(0, 0, 0, 0, 0), (81,))], peers)),
        (ValueError, lambda: listed([(numbers(0, 0, 0, 0, 0), (0,) * 82)], peers)),
        (TypeError, lambda: listed([("", (0,))], peers)),
        (ValueError, lambda: listed([], peers[:-8])),
        (ValueError, lambda: listed([], peers, areas=_sums.areas(9, bytes(8), array("i", [45])))),
        (TypeError, lambda: listed([], peers, sums=[("1",)])),
        (ValueError, lambda: _sums.areas(81, bytes(17), array("i", [45]))),
        (ValueError, lambda: _sums.areas(81, bytes(16), array("i", [45, 45]))),
        (TypeError, lambda: Ragged.of([(1, None)])),
        (OverflowError, lambda: Ragged.of([(1 << 31,)])),
    ):
        with pytest.raises(error):
            call()
    assert Ragged.of([(), [1, 2], (-3,)]).lists() == [[], [1, 2], [-3]]


def test_a_clue_that_states_a_long_sum_loses_its_houses():
    rules = constraints_for("sum=50:row1,r2c1")
    rest = [DigitSets((9,), (frozenset({5}),))]
    assert of_families(rules.families[-1:] * 2, rules) == [rest, rest]
    rules = constraints_for("ten-line:r1c1-r1c4")  # no sum alone says it
    assert of_families(rules.families[-1:], rules) == [None]


def test_cells_beside_others():
    peers = peers_of(constraints_for("classic"))
    assert beside((0, 0, 1), peers) == (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 18, 19, 20)
    assert len(beside((0, 80), peers)) == 20


FOUR, SIX, NINE = map(Board.of_size, (4, 6, 9))
# Those of thirds need sizes divisible by three, and ranks a session.
ON_FOUR = sorted(KINDS.keys() - {"entropic", "entropy"} - ALONE)


def drawn(rng, kinds, board, rules=""):
    """Constraints with a random clue of each of the kinds."""
    while True:
        try:
            clues = (random_clue(rng, kind, board.size) for kind in kinds)
            return constraints_for(";".join([rules, *clues]).strip(";"), board)
        except ClueError:  # a line of region sums within one box, or too many words
            continue


def puzzles(constraints, count, rng):
    """Givens, pieces of a solution if there is one, else digits at random; and marks beside them.
    Large boards have some givens, or a search may take long."""
    board = constraints.board
    with Session(constraints, verify=False) as session:
        found = session.solve(bytes(board.cells))
    grids = np.zeros((count, board.cells), np.uint8)
    for grid in grids:
        whole = found.cells if found else rng.choices(range(1, board.size + 1), k=board.cells)
        least = board.cells // 3 if board.size > 4 else 0
        for cell in rng.sample(range(board.cells), rng.randrange(least, board.cells)):
            grid[cell] = whole[cell]
        if rng.random() < 0.3:
            grid[rng.randrange(board.cells)] = rng.randint(1, board.size)
    marks = cases.random_marks(constraints, count, rng.randrange(2**32))
    given = grids[:, :, None] == np.arange(1, board.size + 1)
    return grids, marks & ((grids == 0)[:, :, None] | given).reshape(marks.shape)


def assert_propagates(constraints, rows):
    """Without box and line interactions exactly as the extended encoding, with them no less than
    the triads."""
    for box_line, encoding in ((False, "extended"), (True, "triads")):
        formula = encode(constraints, encoding)
        with solver_for(formula) as solver:
            expected = [fixpoint(formula, row, solver) for row in rows]
        for name in engine.implementations():
            found = engine.propagate(rows, constraints, box_line=box_line, implementation=name)
            left = [
                None if clash else np.flatnonzero(m).tolist()
                for m, clash in zip(*found, strict=True)
            ]
            if box_line:
                pairs = zip(left, expected, strict=True)
                assert all(one is None or set(one) <= set(other or ()) for one, other in pairs)
            else:
                assert left == expected


def assert_solves(constraints, rows, budget=engine.NODE_BUDGET):
    """Returns how many puzzles were beyond the budget."""
    with Session(constraints, verify=False) as session:
        ask = session.decide_marks if rows.dtype == np.bool_ else session.decide_cells
        expected = [ask(row.tobytes(), limit=2)[0] for row in rows]
    for name in engine.implementations():
        result = engine.solve(rows, constraints, node_budget=budget, implementation=name)
        known = result.status != Status.UNKNOWN
        assert result.status[known].tolist() == np.array(expected)[known].tolist()
        solutions = result.solutions[result.solutions[:, 0] > 0]
        nothing = np.zeros_like(solutions)
        assert solves_many(solutions, nothing, constraints.rules, constraints.board).all()
    return len(known) - int(known.sum())


@pytest.mark.parametrize("kind", ON_FOUR)
def test_every_kind_is_propagated_and_solved_as_by_cdcl(kind):
    rng = random.Random(kind)
    constraints = drawn(rng, [kind], FOUR)
    for rows in puzzles(constraints, 6, rng):
        assert_propagates(constraints, rows)
        assert assert_solves(constraints, rows) == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_5000_random_variants_are_solved_as_by_cdcl(seed):
    """One to four clues at once, on boards of three sizes, with many and with few givens."""
    rng, missed = random.Random(seed), 0
    for _ in range(25):
        board = rng.choice((FOUR, SIX, NINE))
        kinds = rng.choices(ON_FOUR, k=rng.randint(1, 4))
        constraints = drawn(rng, kinds, board, rng.choice(("", "", "knight", "diagonal")))
        digits, marks = puzzles(constraints, 5, rng)
        missed += assert_solves(constraints, digits, 500) + assert_solves(constraints, marks, 500)
    assert missed < 25


@pytest.mark.parametrize("count", [2, pytest.param(30, marks=pytest.mark.slow)])
def test_killers_leave_the_same_in_every_implementation(count):
    """In C the same for vectors of any width, and no more than in numpy, where a sum is an
    automaton."""
    rng = random.Random(count)
    for _ in range(count):
        rules, grid = random_killer(rng)
        constraints = constraints_for(rules)
        marks = np.random.default_rng(rng.randrange(2**32)).random((40, 81, 9)) < 0.8
        marks[:, range(81), np.array(grid) - 1] |= np.arange(40)[:, None] % 4 > 0
        *found, (most, may) = [
            engine.propagate(marks.reshape(40, 729), constraints, implementation=name)
            for name in engine.implementations()
        ]
        for left, conflict in found:
            assert 0 < conflict.sum() < 40
            assert (conflict == found[0][1]).all()
            assert (left[~conflict] == found[0][0][~conflict]).all()
            assert (conflict | ~may).all()
            assert not (left & ~most)[~conflict].any()


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_small_cage_keeps_what_some_permutation_has(size):
    """Cells in a diagonal, between which no house says anything."""
    cells = [0, 12, 24, 28, 40][:size]
    constraints = constraints_for(f"cage={5 * size + 1}:{','.join(map(NINE.name_of, cells))}")
    marks = np.ones((60, 81, 9), np.bool_)
    marks[:, cells] = np.random.default_rng(size).random((60, size, 9)) < 0.4
    left, conflict = engine.propagate(marks.reshape(60, 729), constraints)
    for row, found, clash in zip(marks, left.reshape(60, 81, 9), conflict, strict=True):
        digits = [np.flatnonzero(row[cell]) + 1 for cell in cells]
        good = [w for w in product(*digits) if len({*w}) == size and sum(w) == 5 * size + 1]
        assert clash == (not good)
        if good:
            kept = [{int(word[i]) for word in good} for i in range(size)]
            assert [{*np.flatnonzero(found[cell]) + 1} for cell in cells] == kept


@pytest.mark.parametrize("shape", ["4x4", "6x6", "3x5", "8x9", "9x8"])
def test_cages_of_nine_digits_on_other_boards(shape):
    """The kernel has a form of its own for 9x9, and its vectors lie elsewhere on other boards."""
    rules = f"shape={shape},digits=1-9,latin;cage=8:r1c1,r1c2;sum=15:r2c1,r2c2,r3c2"
    constraints = constraints_for(rules)
    with Session(constraints) as session:
        grids = [found.cells for found in session.solutions("." * constraints.board.cells, limit=8)]
    full = np.frombuffer(b"".join(grids), np.uint8).reshape(len(grids), -1)
    assert (engine.solve(full, constraints).status == Status.UNIQUE).all()
    open_ = full.copy()
    open_[:, :2] = 0  # 8 in two cells is 17, 26, 35 or the other way round
    for found, grid in zip(engine.solve(open_, constraints).solutions, full, strict=True):
        assert found[:2].sum() == 8 and (found[2:] == grid[2:]).all()


@pytest.mark.parametrize(
    "weights", ["1,1,1,1", "1,1,-1,-1", "2,1,-1,-3", "10,1,-1,-1", "-1,-1,3,3"]
)
def test_a_sum_keeps_what_some_digits_have_that_add_up(weights):
    """Cells in a diagonal, between which no house says anything."""
    cells, total = [0, 12, 24, 28], 9
    said = f"weighted={weights}={total}:{','.join(map(NINE.name_of, cells))}"
    marks = np.ones((60, 81, 9), np.bool_)
    marks[:, cells] = np.random.default_rng(len(weights)).random((60, 4, 9)) < 0.4
    for name in engine.implementations():
        left, conflict = engine.propagate(
            marks.reshape(60, 729), constraints_for(said), implementation=name
        )
        for row, found, clash in zip(marks, left.reshape(60, 81, 9), conflict, strict=True):
            digits = [np.flatnonzero(row[cell]) + 1 for cell in cells]
            by = [int(weight) for weight in weights.split(",")]
            good = [w for w in product(*digits) if sum(map(mul, w, by)) == total]
            assert clash == (not good)
            if good:
                kept = [{int(word[i]) for word in good} for i in range(4)]
                assert [{*np.flatnonzero(found[cell]) + 1} for cell in cells] == kept


@pytest.mark.parametrize("count", [5, pytest.param(60, marks=pytest.mark.slow)])
def test_killers_are_solved_as_by_cdcl(count):
    rng = random.Random(count)
    for _ in range(count):
        rules, grid = random_killer(rng)
        rows = np.array([grid] * 4, np.uint8) * (np.random.default_rng(count).random((4, 81)) < 0.2)
        assert assert_solves(constraints_for(rules), rows) == 0


@pytest.mark.skipif(not AUTOMATA, reason="built without a compiler")
@pytest.mark.parametrize("seed", range(share(20)))
def test_c_lists_the_ways_that_python_lists(seed):
    from satdoku.model import _automata

    rng = random.Random(seed)
    size, cells, total = rng.randint(1, 5), tuple(range(rng.randint(1, 6))), rng.randint(0, 12)
    weights = [rng.randint(-1, 3) for _ in cells]
    layers = automaton(
        cells,
        [range(1, size + 1)] * len(cells),
        0,
        lambda place, so_far, digit: so_far + weights[place] * digit,
        total.__eq__,
    ).layers
    states, starts, members = _automata.ways(layers, 81, size)
    expected, ways = tables.ways_of(layers, 81, size)
    assert [*states] == expected
    assert (starts, members) == (ways.starts.tobytes(), ways.members.tobytes())
