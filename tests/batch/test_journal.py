"""A journal: whole records count, broken ones are cut off, foreign ones are refused."""

import os
import random
from contextlib import closing

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.answers.session import close_sessions
from satdoku.batch.journal import Journal, JournalError, is_possible, journaled
from satdoku.batch.options import BatchOptions
from satdoku.batch.seal import NO_KEY
from satdoku.batch.solve import solve_chunks
from satdoku.files.collection import Chunk
from satdoku.files.streams import FileError
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.runtime.errors import Status

OPTIONS = BatchOptions(constraints_for())
KEY = bytes(range(32))
HEADER = 72  # bytes


def chunks(count=6, size=4):
    """Different puzzles, row for row: the classic one with some givens taken away."""
    cells = np.array(list(parse_grid(CLASSIC).cells), np.uint8)
    rng = np.random.default_rng(5)
    for number in range(count):
        puzzles = np.tile(cells, (size, 1))
        puzzles[rng.random(puzzles.shape) < 0.02] = 0
        yield Chunk(np.arange(size) + number * size + 1, puzzles, {})


def columns(results):
    """All columns but the times, which differ from run to run."""
    return [[array.tolist() for array in result[:3]] for _, result in results]


def run(path, some, solved=None, key=KEY):
    """Go through a journal; `solved` collects the numbers of chunks that were solved anew."""

    def solve(rest):
        def counted():
            for chunk in rest:
                if solved is not None:
                    solved.append(int(chunk.lines[0]))
                yield chunk

        return solve_chunks(counted(), OPTIONS)

    journal = Journal(str(path), "settings", key)
    try:
        return list(journaled(some, solve, journal, OPTIONS))
    finally:
        journal.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out.journal"


def test_a_second_run_solves_nothing_again(path):
    first, again = [], []
    results = run(path, chunks(), first)
    assert len(first) == 6
    replayed = run(path, chunks(), again)
    assert again == []
    assert [array.tolist() for _, r in replayed for array in r.arrays] == [
        array.tolist() for _, r in results for array in r.arrays
    ]


def test_an_interrupted_run_goes_on_where_it_stopped(path):
    run(path, list(chunks())[:2])
    solved = []
    assert columns(run(path, chunks(), solved)) == columns(solve_chunks(chunks(), OPTIONS))
    assert len(solved) == 4


@pytest.mark.parametrize("conflicts", [None, 1])
def test_a_resumed_run_finds_the_same_of_several_solutions(path, conflicts):
    """What sessions have learnt is gone when a run is resumed, and must not have counted before."""
    options = BatchOptions(
        constraints_for("classic", Board.of_size(9)), backend="session", conflicts=conflicts
    )
    rng = np.random.default_rng(1)
    cells = np.array(list(parse_grid(CLASSIC_SOLUTION).cells), np.uint8)
    puzzles = cells * (rng.random((3, 8, 81)) < 0.25)
    several = [Chunk(np.arange(8), part.astype(np.uint8), {}) for part in puzzles]

    def resumed(some):
        close_sessions()  # as the end of a process does
        journal = Journal(str(path), "settings", KEY)
        with closing(journal):
            return list(journaled(some, lambda rest: solve_chunks(rest, options), journal, options))

    whole = columns(resumed(several))
    path.unlink()
    resumed(several[:1])
    assert columns(resumed(several)) == whole
    path.unlink()
    close_sessions()
    assert columns(solve_chunks(several, options, workers="thread:2")) == whole


def test_a_journal_cut_anywhere_loses_only_what_was_not_whole(path):
    run(path, chunks())
    whole, expected = path.read_bytes(), columns(solve_chunks(chunks(), OPTIONS))
    rng = random.Random(1)
    cuts = [
        HEADER,
        HEADER + 1,
        len(whole) - 1,
        *(rng.randrange(HEADER, len(whole)) for _ in range(25)),
    ]
    for cut in cuts:
        path.write_bytes(whole[:cut])
        solved = []
        assert columns(run(path, chunks(), solved)) == expected
        record = (len(whole) - HEADER) // 6
        assert len(solved) == 6 - (cut - HEADER) // record
        assert os.path.getsize(path) == len(whole)


def test_a_flipped_bit_costs_its_record_and_those_behind(path):
    run(path, chunks())
    whole = bytearray(path.read_bytes())
    record = (len(whole) - HEADER) // 6
    whole[HEADER + 2 * record + 100] ^= 4  # in the payload of the third
    path.write_bytes(whole)
    solved = []
    assert columns(run(path, chunks(), solved)) == columns(solve_chunks(chunks(), OPTIONS))
    assert len(solved) == 4


def test_a_journal_of_other_options_or_puzzles_is_refused(path):
    run(path, chunks())
    before = path.read_bytes()
    with pytest.raises(JournalError, match="of a run with other options"):
        Journal(str(path), "other settings", KEY)
    others = [chunk._replace(puzzles=chunk.puzzles[::-1].copy()) for chunk in chunks()]
    with pytest.raises(JournalError, match="of other puzzles than - has from line 1 on"):
        run(path, others)
    with pytest.raises(JournalError, match="line 1"):
        run(path, chunks(size=3))
    assert path.read_bytes() == before


def test_rules_of_rows_and_errors_belong_to_a_record(path):
    (chunk,) = chunks(1)
    run(path, [chunk])
    with pytest.raises(JournalError):
        run(path, [chunk._replace(rules=["", "", "", "knight"])])
    with pytest.raises(JournalError):
        run(path, [chunk._replace(errors={0: FileError("x")})])


def test_pencil_marks_have_records_too(path):
    marks = [Chunk(np.arange(2), np.ones((2, 729), np.bool_), {})]
    results = run(path, marks)
    solved = []
    assert columns(run(path, marks, solved)) == columns(results)
    assert solved == []


def test_the_end_removes_it(path):
    journal = Journal(str(path), "settings", KEY)
    journal.remove()
    assert not path.exists()


def test_a_journal_that_cannot_be_opened_says_so(tmp_path):
    with pytest.raises(FileError, match="No such file"):
        Journal(str(tmp_path / "no" / "journal"), "settings")


def test_a_torn_end_of_zeros_is_cut_off(path):
    """What a power cut may leave: the length was written, the bytes were not."""
    run(path, list(chunks())[:2])
    with open(path, "ab") as file:
        file.write(bytes(500))
    solved = []
    assert columns(run(path, chunks(), solved)) == columns(solve_chunks(chunks(), OPTIONS))
    assert len(solved) == 4


@pytest.mark.parametrize(
    "content", [b"notes", b"satdoku2 of mine", b"", bytes(39), bytes(72), b"x" * 100]
)
def test_a_file_that_is_no_journal_is_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(JournalError, match="remove it to start again"):
        Journal(str(path), "settings", KEY)
    assert path.read_bytes() == content


def test_a_journal_without_records_may_begin_anew_with_other_options(path):
    Journal(str(path), "settings", KEY).close()
    Journal(str(path), "other settings", KEY).close()
    assert path.stat().st_size == HEADER


def test_two_runs_do_not_write_into_one_journal(path):
    pytest.importorskip("fcntl")
    journal = Journal(str(path), "settings", KEY)
    with pytest.raises(JournalError, match="another run is using this journal"):
        Journal(str(path), "settings", KEY)
    journal.close()
    Journal(str(path), "settings", KEY).close()


def test_a_full_disk_names_the_journal(path, monkeypatch):
    ((chunk, result),) = solve_chunks(chunks(1), OPTIONS)
    journal = Journal(str(path), "settings", KEY)

    def full(data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal, "_write", full)
    with pytest.raises(FileError, match=r"out\.journal: No space left on device"):
        journal.append(chunk, result)


# Forged ------------------------------------------------------------------------------------------


def forged(path, key, change, settings="settings"):
    """Write a journal of two chunks whose results were changed, sealed with a key."""
    journal = Journal(str(path), settings, key)
    for chunk, result in solve_chunks(list(chunks())[:2], OPTIONS):
        columns = result.with_arrays(array.copy() for array in result.arrays)
        change(columns)
        journal.append(chunk, columns)
    journal.close()


def none(result):
    """Every puzzle without a solution: nothing but a proof could refute it."""
    result.statuses[:] = Status.NONE
    result.solutions[:] = 0


def swapped(result):
    """Two digits of the first solution exchanged."""
    first = result.solutions[0]
    first[:2] = first[1::-1]


def impossible_digit(result):
    result.solutions[1, 3] = 200


def hole(result):
    result.solutions[1, 3] = 0


def another_grid(result):
    """A solution of another puzzle: a good grid that breaks the givens."""
    result.solutions[0] = result.solutions[0] % 9 + 1


def unknown_code(result):
    result.statuses[2] = 77


def other_limit(result):
    result.statuses[2] = Status.SOLVED


def none_with_solution(result):
    result.statuses[0] = Status.NONE


def unique_without_solution(result):
    result.solutions[0] = 0


REFUTED = [swapped, impossible_digit, hole, another_grid, unknown_code, other_limit,
           none_with_solution, unique_without_solution]  # fmt: skip


@pytest.mark.parametrize("change", REFUTED)
@pytest.mark.parametrize("key", [KEY, NO_KEY])
def test_results_that_cannot_be_are_refused_whoever_sealed_them(path, change, key):
    forged(path, key, change)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="holds results that are wrong, so it was forged"):
        run(path, chunks(), key=key)
    assert path.read_bytes() == before


@pytest.mark.parametrize("change", [none, *REFUTED])
def test_records_without_the_key_are_solved_again(path, change, tmp_path):
    """Behind a header of ours, which anybody may copy, comes what somebody else has sealed."""
    run(path, [])
    forged(tmp_path / "theirs", NO_KEY, change)
    path.write_bytes(path.read_bytes() + (tmp_path / "theirs").read_bytes()[HEADER:])
    solved = []
    assert columns(run(path, chunks(), solved)) == columns(solve_chunks(chunks(), OPTIONS))
    assert len(solved) == 6


@pytest.mark.parametrize("key", [NO_KEY, bytes(32)])
def test_a_journal_under_another_key_is_refused(path, key):
    forged(path, key, none)
    with pytest.raises(JournalError, match=r"of another user or machine, or forged: .*remove it"):
        run(path, chunks())
    path.unlink()
    forged(path, KEY, none)
    with pytest.raises(JournalError, match="of another user or machine, or forged"):
        run(path, chunks(), key=key)


def test_sealed_records_cannot_change_places(path):
    """Two chunks of the same puzzles, of which one was given up: only a seal tells them apart."""
    run(path, [next(chunks())] * 3)
    whole = path.read_bytes()
    record = (len(whole) - HEADER) // 3
    first, second, third = (whole[HEADER + n * record :][:record] for n in range(3))
    path.write_bytes(whole[:HEADER] + second + first + third)
    solved = []
    run(path, [next(chunks())] * 3, solved)
    assert len(solved) == 3


def test_a_journal_of_an_older_version_says_why_it_is_refused(path):
    path.write_bytes(b"satdoku2" + bytes(400))
    with pytest.raises(JournalError, match="older version, which anybody can forge: remove it"):
        Journal(str(path), "settings", KEY)


def test_solutions_are_held_against_the_rules_and_marks_of_their_row():
    """The classic solution is no knight's; and pencil marks may exclude a digit of it."""
    (chunk,) = chunks(1)
    ((_, result),) = solve_chunks([chunk], OPTIONS)
    assert is_possible(chunk, result, OPTIONS)
    assert not is_possible(chunk._replace(rules=["", "knight", "", ""]), result, OPTIONS)
    candidates = (result.solutions[2][:, None] == np.arange(1, 10)).ravel()
    assert is_possible(chunk._replace(marks={2: candidates.tobytes()}), result, OPTIONS)
    candidates[:9] = ~candidates[:9]
    assert not is_possible(chunk._replace(marks={2: candidates.tobytes()}), result, OPTIONS)


def test_a_link_or_a_pipe_is_no_journal(path, tmp_path):
    (tmp_path / "victim").write_bytes(b"precious")
    path.symlink_to("victim")
    with pytest.raises(JournalError, match="a link, expected a journal: remove it"):
        Journal(str(path), "settings", KEY)
    assert (tmp_path / "victim").read_bytes() == b"precious"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(JournalError, match="no file, expected a journal"):
        Journal(str(path), "settings", KEY)
