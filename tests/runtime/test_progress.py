"""Whoever is told of progress hears growing numbers that end at the total."""

import numpy as np
import pytest
from examples import CLASSIC

import satdoku
from satdoku.batch import solve
from satdoku.runtime.progress import reporting

CELLS = np.repeat(satdoku.as_cells(CLASSIC), 2500, axis=0)
CALLS = {
    "solve_batch": lambda progress: satdoku.solve_batch(CELLS, progress=progress).statuses,
    "classify_batch": lambda progress: satdoku.classify_batch(CELLS, progress=progress),
    "rate_batch": lambda progress: satdoku.rate_batch(CELLS[:600], progress=progress).er,
    "generate": lambda progress: satdoku.generate(20, size=4, seed=1, progress=progress),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_function_hears_how_much_is_done(name):
    heard = []
    result = CALLS[name](lambda done, total: heard.append((done, total)))
    assert np.array_equal(result, CALLS[name](False))
    done = [number for number, _ in heard]
    assert done == sorted(set(done)) and len(done) > 1
    assert heard[-1] == (len(result), len(result)) and {total for _, total in heard} == {done[-1]}


def test_a_bar_goes_to_stderr(capsys):
    satdoku.classify_batch([CLASSIC] * 3, progress=True)
    assert "3.00/3.00" in capsys.readouterr().err


def test_nothing_is_told_unless_asked(capsys):
    satdoku.classify_batch([CLASSIC])
    assert capsys.readouterr() == ("", "")


def test_certificates_are_counted_one_by_one():
    heard = []
    satdoku.certify_batch([CLASSIC] * 2, progress=lambda done, total: heard.append((done, total)))
    assert heard == [(1, 2), (2, 2)]


def test_an_audit_hears_the_rows_of_its_files(tmp_path):
    (tmp_path / "puzzles.txt").write_text(f"{CLASSIC}\n" * 3)
    heard = []
    paths = [str(tmp_path / "puzzles.txt")]
    satdoku.audit_files(paths, progress=lambda done, total: heard.append((done, total)))
    assert heard == [(3, None)]


def test_an_unknown_total_is_none():
    heard = []
    with reporting(lambda *told: heard.append(told), None) as more:
        more(2)
        more(3)
    assert heard == [(2, None), (5, None)]


def test_a_batch_with_progress_comes_in_pieces(monkeypatch):
    monkeypatch.setattr(solve, "LEAST_PIECE", 1)
    heard = []
    satdoku.solve_batch(CELLS[:250], progress=lambda done, _: heard.append(done))
    assert heard == [*range(3, 250, 3), 250]
    assert satdoku.solve_batch(CELLS[:0], progress=pytest.fail).solutions.shape == (0, 81)
