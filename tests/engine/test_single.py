"""One puzzle gets the answer of the batch engine, without numpy."""

import subprocess
import sys

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku import engine
from satdoku.engine import single
from satdoku.engine.single import solve_one
from satdoku.engine.targets import NUMPY, TARGETS
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.runtime.errors import Status

CLASSIC_RULES = constraints_for()
TEXT = (PUZZLES / "generated-1000.txt").read_text()
GENERATED = [line for line in TEXT.splitlines() if not line.startswith("#")]

pytestmark = pytest.mark.skipif(not TARGETS, reason="built without a compiler")


@settings(deadline=None, max_examples=share(60))
@given(st.sampled_from(GENERATED), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 10))))
def test_it_answers_as_the_engine_does(line, changes):
    cells = bytearray(parse_grid(line).cells)
    for cell, digit in changes:
        cells[cell] = digit
    array = np.frombuffer(bytes(cells), np.uint8)[None]
    for limit in (1, 2):
        status, solution = solve_one(bytes(cells), CLASSIC_RULES, limit)
        whole = engine.solve(array, CLASSIC_RULES, limit=limit, implementation=NUMPY)
        assert status == whole.status[0]
        if status is Status.UNIQUE:
            assert solution == whole.solutions[0].tobytes()
        elif status in (Status.NONE, Status.INVALID):
            assert not any(solution)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("marked", [False, True])
def test_few_puzzles_get_the_answers_of_many(target, marked):
    """Few are searched one by one, many in lanes: statuses and unique solutions are the same, also
    where givens are missing or wrong."""
    random = np.random.default_rng(1)
    lines = [(PUZZLES / f"inkala-{year}.txt").read_text() for year in (2010, 2012)]
    cells = np.array([list(parse_grid(line).cells) for line in lines + GENERATED[:78]], np.uint8)
    for row in cells[2::2]:
        row[random.integers(81, size=2)] = random.integers(0, 10, 2)
    many = np.concatenate([cells, np.zeros((1, 81), np.uint8)])
    if marked:
        many = ((many[:, :, None] == 0) | (many[:, :, None] == np.arange(1, 10))).reshape(-1, 729)
        many &= random.random(many.shape) > 0.002
    for limit in (1, 2):
        expected = engine.solve(many, CLASSIC_RULES, limit=limit, implementation=target)
        assert len({*expected.status.tolist()}) == limit + 1  # all that there are
        for row in range(0, len(many), 3):
            few = slice(row, row + 3)
            found = engine.solve(many[few], CLASSIC_RULES, limit=limit, implementation=target)
            assert found.status.tolist() == expected.status[few].tolist()
            solved = found.status != Status.NONE
            assert (found.solutions.any(axis=1) == solved).all()
            unique = found.status == Status.UNIQUE
            assert (found.solutions[unique] == expected.solutions[few][unique]).all()


def test_other_rules_other_boards_and_no_kernel_are_left_to_a_session(monkeypatch):
    cells = parse_grid(CLASSIC).cells
    assert solve_one(cells, CLASSIC_RULES, 1) == (Status.SOLVED, parse_grid(CLASSIC_SOLUTION).cells)
    assert solve_one(cells, constraints_for("knight"), 1) is None
    assert solve_one(bytes(16), constraints_for("classic", Board.of_size(4)), 1) is None
    assert solve_one(cells, constraints_for("latin=9"), 1) is None
    monkeypatch.setenv("SATDOKU_SIMD", "numpy")
    assert solve_one(cells, CLASSIC_RULES, 1) is None


def test_a_puzzle_that_takes_too_many_nodes_is_left_to_a_session(monkeypatch):
    monkeypatch.setattr(single, "NODE_BUDGET", 1)
    assert solve_one(bytes(81), CLASSIC_RULES, 2) is None


def test_no_numpy_is_imported():
    code = (
        "import sys, satdoku\n"
        f"assert str(satdoku.solve({CLASSIC!r})) == {CLASSIC_SOLUTION!r}\n"
        f"assert satdoku.classify({CLASSIC!r}) is satdoku.Status.UNIQUE\n"
        "assert 'satdoku.engine._kernel' in sys.modules\n"
        "assert not {'numpy', 'pysat'} & set(sys.modules)\n"
    )
    # -P: the package that is installed, not a source tree without extensions in this folder
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_one_puzzle_does_not_fill_lanes_with_nodes_that_nothing_needs():
    """In lanes the empty grid takes thousands: all of them split at once."""
    grid = np.zeros((1, 81), np.uint8)
    for target in TARGETS:
        nodes = engine.solve(grid, CLASSIC_RULES, limit=2, implementation=target).nodes
        assert nodes[0] <= 2 * 81
