"""A journal: whole records count, broken ones are cut off, foreign ones are refused."""

import os
import random

import numpy as np
import pytest
from examples import CLASSIC

from satdoku.batch.journal import Journal, JournalError, journaled
from satdoku.batch.solve import BatchOptions, solve_chunks
from satdoku.files.collection import Chunk
from satdoku.files.streams import FileError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid

OPTIONS = BatchOptions(constraints_for())


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


def run(path, some, solved=None):
    """Go through a journal; `solved` collects the numbers of chunks that were solved anew."""

    def solve(rest):
        def counted():
            for chunk in rest:
                if solved is not None:
                    solved.append(int(chunk.lines[0]))
                yield chunk

        return solve_chunks(counted(), OPTIONS)

    journal = Journal(str(path), "settings")
    try:
        return list(journaled(some, solve, journal))
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
    assert [array.tolist() for _, r in replayed for array in r] == [
        array.tolist() for _, r in results for array in r
    ]


def test_an_interrupted_run_goes_on_where_it_stopped(path):
    run(path, list(chunks())[:2])
    solved = []
    assert columns(run(path, chunks(), solved)) == columns(solve_chunks(chunks(), OPTIONS))
    assert len(solved) == 4


def test_a_journal_cut_anywhere_loses_only_what_was_not_whole(path):
    run(path, chunks())
    whole, expected = path.read_bytes(), columns(solve_chunks(chunks(), OPTIONS))
    rng = random.Random(1)
    cuts = [0, 1, 8, 39, 40, 41, len(whole) - 1, *(rng.randrange(len(whole)) for _ in range(25))]
    for cut in cuts:
        path.write_bytes(whole[:cut])
        solved = []
        assert columns(run(path, chunks(), solved)) == expected
        record = (len(whole) - 40) // 6
        assert len(solved) == 6 - max(cut - 40, 0) // record
        assert os.path.getsize(path) == len(whole)


def test_a_flipped_bit_costs_its_record_and_those_behind(path):
    run(path, chunks())
    whole = bytearray(path.read_bytes())
    record = (len(whole) - 40) // 6
    whole[40 + 2 * record + 60] ^= 4  # in the payload of the third
    path.write_bytes(whole)
    solved = []
    assert columns(run(path, chunks(), solved)) == columns(solve_chunks(chunks(), OPTIONS))
    assert len(solved) == 4


def test_a_journal_of_other_options_or_puzzles_is_refused(path):
    run(path, chunks())
    before = path.read_bytes()
    with pytest.raises(JournalError, match="of a run with other options"):
        Journal(str(path), "other settings")
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
    journal = Journal(str(path), "settings")
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


@pytest.mark.parametrize("content", [b"notes", b"satdoku2 of mine", bytes(39), b"x" * 100])
def test_a_file_that_is_no_journal_is_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(JournalError, match="remove it to start again"):
        Journal(str(path), "settings")
    assert path.read_bytes() == content


def test_a_journal_without_records_may_begin_anew_with_other_options(path):
    Journal(str(path), "settings").close()
    Journal(str(path), "other settings").close()
    assert path.stat().st_size == 40


def test_two_runs_do_not_write_into_one_journal(path):
    pytest.importorskip("fcntl")
    journal = Journal(str(path), "settings")
    with pytest.raises(JournalError, match="another run is using this journal"):
        Journal(str(path), "settings")
    journal.close()
    Journal(str(path), "settings").close()


def test_a_full_disk_names_the_journal(path, monkeypatch):
    ((chunk, result),) = solve_chunks(chunks(1), OPTIONS)
    journal = Journal(str(path), "settings")

    def full(data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal, "_write", full)
    with pytest.raises(FileError, match=r"out\.journal: No space left on device"):
        journal.append(chunk, result)
