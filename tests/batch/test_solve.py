import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from board_cases import BOARDS, some_puzzles
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.batch.options import BatchOptions
from satdoku.batch.solve import (
    check_rules,
    constraints_of,
    describe_clash,
    options_on,
    shared_out,
    solve_batch,
    solve_chunks,
    solve_job,
)
from satdoku.files.collection import Chunk
from satdoku.model import constraints
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import GridError, parse_grid
from satdoku.runtime.errors import SatdokuError, Status

NO_SOLUTION = "12345678." + "........9" + "." * 63
LAYER = "shape=4x4;layer=shade:0-1"
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


@pytest.mark.parametrize("shape", [(82,), (2, 80), (1, 3, 27)])
def test_wrong_shapes_are_refused(shape):
    with pytest.raises(SatdokuError, match="expected"):
        solve_batch(np.zeros(shape, dtype=np.uint8))


def test_layout_and_integer_type_do_not_matter():
    puzzles = array(CLASSIC, "." * 81, CLASSIC)
    for other in (puzzles.astype(np.int64), np.asfortranarray(puzzles), puzzles[:, ::-1][:, ::-1]):
        result = solve_batch(other)
        assert result.statuses.tolist() == [Status.UNIQUE, Status.MULTIPLE, Status.UNIQUE]


def test_columns_of_frames_go_straight_in():
    questions = pd.DataFrame({"question": [CLASSIC, "." * 81]})["question"]
    result = solve_batch(questions)
    assert result.statuses.tolist() == [Status.UNIQUE, Status.MULTIPLE]
    assert (result.solutions[0] == array(CLASSIC_SOLUTION)).all()


def test_wrong_values_and_limits_are_refused():
    with pytest.raises(SatdokuError, match="row 0: found r1c1=300"):
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
    options = BatchOptions(constraints_for())
    alone = list(solve_chunks(chunks(12, 3), options))
    if executor == "process":
        others = list(solve_chunks(chunks(12, 3), options, workers=2))
    elif executor == "thread":
        with ThreadPoolExecutor(2) as pool:
            others = list(solve_chunks(chunks(12, 3), options, workers=pool))
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
        results = solve_chunks(endless(), BatchOptions(constraints_for()), workers=pool)
        next(results)
        assert len(taken) <= 7
        results.close()


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
    options = BatchOptions(constraints_for(), node_budget=1)
    chunk = Chunk(np.arange(5), puzzles, {})
    ((_, handed_over),) = solve_chunks([chunk], options)
    for other in (by_session, handed_over):
        assert by_engine.statuses.tolist() == other.statuses.tolist()
        assert (by_engine.solutions[:2] == other.solutions[:2]).all()


@pytest.mark.parametrize("backend", ["engine", "session"])
@pytest.mark.parametrize("marked", [False, True])
def test_rows_that_are_errors_are_not_solved(backend, marked):
    """Their cells are zeros, and an empty grid takes the engine longer than any puzzle."""
    puzzles = array(CLASSIC, "." * 81, CLASSIC, "." * 81)
    if marked:
        puzzles = np.repeat(puzzles == 0, 9, axis=1)
    before = puzzles.copy()
    errors = {row: GridError("x", "y") for row in (1, 2)}
    options = BatchOptions(constraints_for(), backend=backend)
    ((chunk, result),) = solve_chunks([Chunk(np.arange(4), puzzles, errors)], options)
    assert result.statuses[[1, 2]].tolist() == [Status.INVALID] * 2
    assert not result.solutions[1:3].any()
    assert result.nodes[1:3].max() <= marked  # the root of a search, at most
    assert result.statuses[3] == Status.MULTIPLE
    assert (chunk.puzzles == before).all()


# Nodes and microseconds ---------------------------------------------------------------------------


def test_nodes_and_microseconds_tell_hard_puzzles_from_easy_ones():
    result = solve_batch(array(CLASSIC, HARD))
    assert result.nodes.dtype == np.uint32
    assert result.microseconds.dtype == np.float32
    assert 0 < result.nodes[0] < result.nodes[1]
    assert 0 < result.microseconds[0] < result.microseconds[1]
    by_session = solve_batch(array(CLASSIC, HARD), backend="session")
    assert not by_session.nodes.any()
    assert (by_session.microseconds > 0).all()


# Rules of a row's own -----------------------------------------------------------------------------

MIRACLE = "." * 38 + "1" + "." * 12 + "2" + "." * 29


def ruled(lines, rules, errors=None):
    return Chunk(np.arange(len(lines)) + 7, array(*lines), errors or {}, rules=rules, source="f")


@pytest.mark.parametrize("backend", ["engine", "session"])
def test_rows_of_several_rule_sets_are_each_solved_by_their_own(backend):
    names = ["", "miracle", "knight", "classic", " Miracle ", "king,knight,nonconsecutive", ""]
    lines = [CLASSIC, MIRACLE, CLASSIC, MIRACLE, MIRACLE, MIRACLE, MIRACLE]
    options = BatchOptions(constraints_for(), backend=backend)
    ((chunk, mixed),) = solve_chunks([ruled(lines, names)], options)
    assert not chunk.errors
    for row, (line, name) in enumerate(zip(lines, names, strict=True)):
        alone = solve_batch(array(line), name or "classic", backend=backend)
        assert mixed.statuses[row] == alone.statuses[0]
        if alone.statuses[0] == Status.UNIQUE:
            assert (mixed.solutions[row] == alone.solutions[0]).all()
    unique = [row for row, status in enumerate(mixed.statuses) if status == Status.UNIQUE]
    assert unique == [0, 1, 4, 5]


def test_rows_without_rules_have_those_of_the_options():
    options = BatchOptions(constraints_for("miracle"))
    ((_, result),) = solve_chunks([ruled([MIRACLE, MIRACLE], ["", "classic"])], options)
    assert result.statuses.tolist() == [Status.UNIQUE, Status.MULTIPLE]


def test_region_maps_row_by_row():
    stripes = "jigsaw=" + "".join(str(cell // 4 + 1) for cell in range(16))
    twisted = "jigsaw=1122112233443344"
    chunk = Chunk(np.arange(3), np.zeros((3, 16), np.uint8), {}, rules=[stripes, twisted, ""])
    options = BatchOptions(constraints_for("classic", Board.of_size(4)))
    ((_, result),) = solve_chunks([chunk], options)
    assert result.statuses.tolist() == [Status.MULTIPLE] * 3
    regions = [result.solutions[row].reshape(4, 4) for row in range(3)]
    assert set(regions[1][:2, :2].ravel().tolist()) == {1, 2, 3, 4}


def test_rows_with_rules_of_their_own_are_read_once_and_come_in_parts():
    pairs = list(combinations(range(1, 10), 2))
    names = [f"cage:r1c{a},r{c}c{b}" for c in range(1, 10) for a, b in pairs][:300]
    chunk, options = ruled([CLASSIC] * 300, names), BatchOptions(constraints_for())
    list(solve_chunks([chunk.part(0, 1)], options))  # the first plan of all reads classic's rules
    constraints._of_text.cache_clear()
    results = list(solve_chunks(shared_out([chunk], options), options))
    assert constraints._of_text.cache_info().misses == 300
    assert [int(line) for part, _ in results for line in part.lines] == chunk.lines.tolist()
    assert len(results) > 2  # so that several workers have something to do
    ((_, whole),) = solve_chunks([chunk.part(0, 50)], options)
    statuses = [status for _, result in results for status in result.statuses.tolist()]
    assert statuses[:50] == whole.statuses.tolist()


def test_rows_of_few_layouts_stay_together():
    chunk = ruled([CLASSIC] * 4, ["king", "knight"] * 2)
    options = BatchOptions(constraints_for())
    assert list(shared_out([chunk], options)) == [chunk]


def test_rows_that_sessions_answer_come_in_small_parts_for_processes():
    options = BatchOptions(constraints_for(LAYER))
    board = options.constraints.board
    chunk = Chunk(np.arange(150), np.zeros((150, board.cells), np.uint8), {}, own_board=board)
    assert [part.rows for part in shared_out([chunk], options)] == [64, 64, 22]
    assert not options.threads_suffice


def test_unknown_rules_make_only_their_row_invalid_with_the_reason():
    names = [
        "kinght",
        "",
        "jigsaw=12",
        "jigsaw=" + "1122112233443344",
        "jigsaw",
        "knight=3",
        "king",
    ]
    errors = {1: GridError("a", "b"), 2: GridError("c", "d")}
    chunk = ruled([MIRACLE] * 7, names, errors)
    checked = check_rules(chunk, BatchOptions(constraints_for()))
    assert str(checked.errors[0]).startswith("f: line 7: no rule 'kinght': did you mean 'knight'?")
    assert checked.errors[1] is errors[1]
    assert checked.errors[2] is errors[2]  # what is wrong with the puzzle comes first
    assert "for a board of another size" in str(checked.errors[3])
    assert "jigsaw needs a region map" in str(checked.errors[4])
    assert "takes no value" in str(checked.errors[5])
    assert sorted(checked.errors) == [0, 1, 2, 3, 4, 5]
    assert chunk.errors is errors and len(errors) == 2
    ((_, result),) = solve_chunks([chunk], BatchOptions(constraints_for()))
    assert result.statuses.tolist() == [Status.INVALID] * 6 + [Status.MULTIPLE]
    again = check_rules(checked, BatchOptions(constraints_for()))
    assert again.errors == checked.errors


def test_clashing_givens_are_named_under_the_rules_of_their_row():
    """Nothing is said of rows that cannot be read, that are sound, or of pencil marks."""
    row, knight = "5.....5".ljust(81, "."), "." * 40 + "3" + "." * 10 + "3" + "." * 29
    chunk = ruled(
        [row, knight, knight, knight, knight, MIRACLE, row],
        ["", "king,knight", "king", "", "kinght", "miracle", "knight"],
        {6: GridError("a", "b")},
    )
    options = BatchOptions(constraints_for("diagonal"))
    ((checked, result),) = solve_chunks([chunk], options)
    told = [describe_clash(checked, number, options) for number in range(7)]
    by_knight = "r5c5=3 and r6c7=3 break the knight rule"
    assert told == ["r1c1=5 and r1c7=5 break the row rule", by_knight, *[""] * 5]
    invalid = result.statuses == Status.INVALID
    assert invalid.tolist() == [bool(t) or n in checked.errors for n, t in enumerate(told)]
    marked = chunk._replace(puzzles=np.zeros((7, 729), np.bool_))
    assert describe_clash(marked, 0, options) == ""


def test_laws_by_name():
    options = BatchOptions(constraints_for("knight"))
    assert constraints_of("", options) is options.constraints
    assert constraints_of("king", options) == constraints_for("king")
    with pytest.raises(SatdokuError, match="another size"):
        constraints_of("jigsaw=1122112233443344", options)


def test_a_job_is_a_small_thing_to_send():
    """Rules travel by name: the groups are built where they are needed."""
    constraints = constraints_for("knight,diagonal")
    assert constraints.groups and constraints.pairs and constraints.board.peers
    options = BatchOptions(constraints)
    data = pickle.dumps((array(CLASSIC), options, ["", "king"]))
    assert len(data) < 1000
    puzzles, received, rules = pickle.loads(data)
    assert received == options
    assert received.constraints is constraints
    assert solve_job(puzzles, received, rules[:1]).statuses.tolist() == [Status.INVALID]


def test_an_unknown_backend_is_refused():
    with pytest.raises(SatdokuError, match="engine, session"):
        solve_batch(array(CLASSIC), backend="oracle")


def test_rows_with_rules_of_their_own_are_solved_under_them():
    puzzles = array("." * 81, CLASSIC, "." * 81, "." * 81)
    miracle = "." * 38 + "1" + "." * 12 + "2" + "." * 29
    puzzles[2] = array(miracle)[0]
    rules = ["", "classic", "miracle", "kinght"]
    chunk = Chunk(np.arange(1, 5), puzzles, {}, rules=rules, source="in.csv")
    ((checked, result),) = solve_chunks([chunk], BatchOptions(constraints_for()))
    assert [Status(s) for s in result.statuses] == [
        Status.MULTIPLE, Status.UNIQUE, Status.UNIQUE, Status.INVALID,
    ]  # fmt: skip
    assert str(checked.errors[3]).startswith("in.csv: line 4: no rule 'kinght': did you mean")
    assert chunk.errors == {}


def test_the_default_rules_hold_where_a_row_names_none():
    puzzles = array("." * 38 + "1" + "." * 12 + "2" + "." * 29)
    chunk = Chunk(np.arange(1), puzzles, {}, rules=[""])
    ((_, result),) = solve_chunks([chunk], BatchOptions(constraints_for("miracle")))
    assert result.statuses.tolist() == [Status.UNIQUE]


def test_rules_for_another_board_are_an_error_of_their_row():
    chunk = Chunk(np.arange(1), array(CLASSIC), {}, rules=["jigsaw=1111222233334444"])
    ((checked, _),) = solve_chunks([chunk], BatchOptions(constraints_for()))
    assert "a board of another size" in str(checked.errors[0])


def test_nodes_and_times_tell_easy_from_hard():
    result = solve_batch(array(CLASSIC, HARD))
    assert 1 <= result.nodes[0] < result.nodes[1]
    assert 0 < result.microseconds[0] < result.microseconds[1]
    by_session = solve_batch(array(CLASSIC), backend="session")
    assert by_session.nodes.tolist() == [0]
    assert by_session.microseconds[0] > 0


@pytest.mark.parametrize("rules", ["classic", "miracle", "king,jigsaw=1111222233334444"])
def test_options_travel_by_name(rules):
    constraints = constraints_for(rules)
    assert constraints.groups and constraints.board.peers is not None  # computed, and yet not sent
    data = pickle.dumps(BatchOptions(constraints))
    assert len(data) < 1000
    assert pickle.loads(data) == BatchOptions(constraints)


# Any board ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_puzzles_of_any_board_are_answered_as_each_alone(name):
    rules, puzzles = BOARDS[name], some_puzzles(BOARDS[name], 100)
    found = satdoku.solve_batch(puzzles, rules)
    alone = [satdoku.classify(puzzle, rules) for puzzle in puzzles]
    assert found.statuses.tolist() == alone
    assert {Status.UNIQUE, Status.MULTIPLE, Status.INVALID} <= {*alone}
    texts = found.columns()["solution"]
    for puzzle, text, status in zip(puzzles, texts, alone, strict=True):
        if status == Status.UNIQUE:
            assert text == str(satdoku.solve(puzzle, rules))
        assert bool(text) == (status in (Status.UNIQUE, Status.MULTIPLE))


def test_a_batch_counts_digits_not_the_ways_of_layers():
    (status,) = satdoku.solve_batch(["12.." + "." * 12], LAYER).statuses
    assert status == Status.MULTIPLE
    full = next(iter(satdoku.solutions("." * 16, LAYER, limit=1)))
    assert satdoku.solve_batch([str(full)], LAYER).statuses.tolist() == [Status.UNIQUE]
    ways = satdoku.constraints_for(f"{LAYER};digits=0:shade.r1c1")
    assert satdoku.classify(str(full), ways) == Status.UNIQUE  # one of two ways


def test_rows_of_another_form_keep_the_rules_and_clues_of_the_options():
    options = BatchOptions(constraints_for("knight;odd:r1c1", Board()))
    here = options_on(constraints_for("shape=6x7").board, options)
    assert here.constraints == constraints_for("shape=6x7;knight;odd:r1c1")
    assert options_on(Board(), options) is options
    far = BatchOptions(constraints_for("odd:r9c9", Board()))
    assert not options_on(constraints_for("shape=6x7").board, far).constraints.clue_texts
    small = constraints_for("shape=2x3").board
    chunk = Chunk(np.arange(2), np.zeros((2, 6), np.uint8), {}, own_board=small)
    errors = check_rules(chunk, far).errors
    assert [*errors] == [0, 1]
    assert "r9c9" in str(errors[0])
