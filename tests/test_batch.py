from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import CLASSIC, CLASSIC_SOLUTION

from satdoku.api import WitnessError
from satdoku.batch import (
    BatchOptions,
    BatchResult,
    available_workers,
    check_batch,
    solve_batch,
    solve_chunks,
)
from satdoku.collection import Chunk
from satdoku.errors import SatdokuError, Status
from satdoku.grid import GridError, parse_grid
from satdoku.rules import constraints

NO_SOLUTION = "12345678." + "........9" + "." * 63
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def array(*lines):
    return np.array([list(parse_grid(line).cells) for line in lines], dtype=np.uint8)


def test_statuses_and_solutions_of_every_kind():
    puzzles = array(CLASSIC, "." * 81, "55" + "." * 79, NO_SOLUTION, CLASSIC_SOLUTION)
    result = solve_batch(puzzles)
    assert [Status(s) for s in result.statuses] == [
        Status.UNIQUE, Status.MULTIPLE, Status.INVALID, Status.NONE, Status.UNIQUE,
    ]  # fmt: skip
    assert (result.solutions[[0, 4]] == array(CLASSIC_SOLUTION)).all()
    assert result.solutions[1].all()
    assert not result.solutions[2:4].any()


def test_limit_one_stops_at_the_first_solution():
    result = solve_batch(array(CLASSIC, "." * 81), limit=1)
    assert result.statuses.tolist() == [Status.SOLVED, Status.SOLVED]


def test_values_that_are_no_digits_cost_only_their_own_row():
    puzzles = array(CLASSIC, CLASSIC)
    puzzles[0, 0] = 10
    assert solve_batch(puzzles).statuses.tolist() == [Status.INVALID, Status.UNIQUE]


def test_a_budget_gives_unknown():
    result = solve_batch(array(HARD), conflicts=1, backend="session")
    assert result.statuses.tolist() == [Status.UNKNOWN]


def test_rules_and_board_sizes():
    empty = np.zeros((2, 16), dtype=np.uint8)
    assert solve_batch(empty).statuses.tolist() == [Status.MULTIPLE] * 2
    assert solve_batch(empty, "king").statuses.tolist() == [Status.NONE] * 2
    stripes = solve_batch(empty, "jigsaw=1111222233334444")
    assert stripes.statuses.tolist() == [Status.MULTIPLE] * 2
    miracle = solve_batch(array("." * 38 + "1" + "." * 12 + "2" + "." * 29), "miracle")
    assert miracle.statuses.tolist() == [Status.UNIQUE]


@pytest.mark.parametrize("shape", [(81,), (2, 80), (1, 9, 9)])
def test_wrong_shapes_are_refused(shape):
    with pytest.raises(SatdokuError, match="expected"):
        solve_batch(np.zeros(shape, dtype=np.uint8))


def test_layout_and_integer_type_do_not_matter():
    puzzles = array(CLASSIC, "." * 81, CLASSIC)
    for other in (puzzles.astype(np.int64), np.asfortranarray(puzzles), puzzles[:, ::-1][:, ::-1]):
        result = solve_batch(other)
        assert result.statuses.tolist() == [Status.UNIQUE, Status.MULTIPLE, Status.UNIQUE]


@pytest.mark.parametrize("dtype", [np.float64, object, "U1"])
def test_arrays_that_hold_no_integers_are_refused(dtype):
    with pytest.raises(SatdokuError, match="expected integers"):
        solve_batch(np.zeros((1, 81), dtype=dtype))


def test_wrong_values_and_limits_are_refused():
    with pytest.raises(SatdokuError, match=r"0\.\.255"):
        solve_batch(np.full((1, 81), 300))
    with pytest.raises(SatdokuError, match="limit 3"):
        solve_batch(np.zeros((1, 81), dtype=np.uint8), limit=3)


def test_an_empty_batch_is_an_empty_result():
    result = solve_batch(np.zeros((0, 81), dtype=np.uint8))
    assert result.statuses.shape == (0,)
    assert result.solutions.shape == (0, 81)


def chunks(count, size):
    puzzles = array(CLASSIC, "." * 81, "55" + "." * 79)
    for start in range(0, count * size, size):
        index = np.arange(start, start + size)
        errors = {0: GridError("x", "y")} if start == size else {}
        yield Chunk(index + 1, puzzles[index % 3], errors)


@pytest.mark.parametrize("executor", [None, "thread", "process"])
def test_results_come_in_order_whoever_does_the_work(executor):
    options = BatchOptions(constraints())
    alone = list(solve_chunks(chunks(12, 3), options))
    if executor == "process":
        others = list(solve_chunks(chunks(12, 3), options, workers=2))
    elif executor == "thread":
        with ThreadPoolExecutor(2) as pool:
            others = list(solve_chunks(chunks(12, 3), options, executor=pool))
    else:
        others = list(solve_chunks(chunks(9, 4), options))
    statuses = np.concatenate([result.statuses for _, result in others])
    lines = np.concatenate([chunk.lines for chunk, _ in others])
    assert lines.tolist() == list(range(1, 37))
    expected = np.tile([Status.UNIQUE, Status.MULTIPLE, Status.INVALID], 12)
    expected[3 if executor else 4] = Status.INVALID
    assert statuses.tolist() == expected.tolist()
    assert not alone[1][1].solutions[0].any()


def test_only_a_few_chunks_are_read_ahead():
    taken = []

    def endless():
        for number in range(1000):
            taken.append(number)
            yield from chunks(1, 3)

    with ThreadPoolExecutor(2) as pool:
        results = solve_chunks(endless(), BatchOptions(constraints()), workers=2, executor=pool)
        next(results)
        assert len(taken) <= 7
        results.close()


def test_a_wrong_solution_in_a_batch_is_caught():
    puzzles = array(CLASSIC)
    solutions = array(CLASSIC_SOLUTION)
    solutions[0, [0, 1]] = solutions[0, [1, 0]]
    wrong = BatchResult(np.array([Status.UNIQUE], dtype=np.uint8), solutions)
    with pytest.raises(WitnessError, match="puzzles"):
        check_batch(puzzles, wrong, constraints())
    missing = BatchResult(wrong.statuses, np.zeros_like(solutions))
    with pytest.raises(WitnessError):
        check_batch(puzzles, missing, constraints())


def test_there_is_a_processor_to_work_on():
    assert available_workers() >= 1


@pytest.mark.parametrize("backend", ["engine", "session"])
def test_pencil_marks_say_the_same_as_givens(backend):
    puzzles = array(CLASSIC, "." * 81, NO_SOLUTION, "55" + "." * 79)
    digits = np.arange(1, 10, dtype=np.uint8)
    marks = (puzzles[:, :, None] == 0) | (puzzles[:, :, None] == digits)
    result = solve_batch(marks.reshape(-1, 729), backend=backend)
    assert result.statuses.tolist() == [Status.UNIQUE, Status.MULTIPLE, Status.NONE, Status.NONE]
    assert (result.solutions[:1] == array(CLASSIC_SOLUTION)).all()
    strict = marks.copy()
    strict[1, 0, 1:] = False  # an empty grid whose first cell may only be 1
    assert solve_batch(strict.reshape(-1, 729), backend=backend).solutions[1, 0] == 1


def test_both_backends_agree_and_what_the_engine_gives_up_goes_to_cdcl():
    puzzles = array(CLASSIC, HARD, "." * 81, NO_SOLUTION, "55" + "." * 79)
    by_engine = solve_batch(puzzles)
    by_session = solve_batch(puzzles, backend="session")
    options = BatchOptions(constraints(), node_budget=1)
    chunk = Chunk(np.arange(5), puzzles, {})
    ((_, handed_over),) = solve_chunks([chunk], options)
    for other in (by_session, handed_over):
        assert by_engine.statuses.tolist() == other.statuses.tolist()
        assert (by_engine.solutions[:2] == other.solutions[:2]).all()


def test_an_unknown_backend_is_refused():
    with pytest.raises(SatdokuError, match="engine, session"):
        solve_batch(array(CLASSIC), backend="oracle")
