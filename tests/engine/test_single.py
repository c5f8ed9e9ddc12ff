"""One puzzle gets the answer of the batch engine, without numpy."""

import subprocess
import sys

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku import engine
from satdoku.engine import single
from satdoku.engine.single import solve_one
from satdoku.engine.targets import TARGETS
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.runtime.errors import Status

CLASSIC_RULES = constraints_for()
TEXT = (PUZZLES / "generated-1000.txt").read_text()
GENERATED = [line for line in TEXT.splitlines() if not line.startswith("#")]

pytestmark = pytest.mark.skipif(not TARGETS, reason="built without a compiler")


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(GENERATED), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 10))))
def test_it_answers_as_the_engine_does(line, changes):
    cells = bytearray(parse_grid(line).cells)
    for cell, digit in changes:
        cells[cell] = digit
    array = np.frombuffer(bytes(cells), np.uint8)[None]
    for limit in (1, 2):
        status, solution = solve_one(bytes(cells), CLASSIC_RULES, limit)
        whole = engine.solve(array, CLASSIC_RULES, limit=limit)
        assert status == whole.status[0]
        if status is Status.UNIQUE:
            assert solution == whole.solutions[0].tobytes()
        elif status in (Status.NONE, Status.INVALID):
            assert not any(solution)


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
