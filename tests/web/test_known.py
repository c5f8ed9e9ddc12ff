"""What is known from the puzzles before changes how soon an answer comes, and no answer."""

from random import Random

import numpy as np
import pytest
from soak import share
from web_client import CLASSIC, SOLVED, state

from satdoku.answers.answer import solution_of
from satdoku.files.one import as_puzzle
from satdoku.generator.clues import puzzles_with_clues
from satdoku.runtime.errors import Status
from satdoku.web import known as module
from satdoku.web import live

KINDS = ["cage", "thermo", "whisper", "white"]
SHADED = ["connected=1:shade", "no-square=1:shade", "thermo:r1c1,r1c2", "digits=1:shade.r1c1"]


@pytest.fixture(autouse=True)
def _nothing_is_known():
    module._boards.clear()


def told(puzzle):
    """All that is said, but for the time that it took."""
    together = {}
    for part in live.live({"puzzle": puzzle, "limit": 40, "counts": False}):
        together |= part
    return {name: together.get(name) for name in ("status", "candidates", "solution", "more")}


def edited(cells, solution, clues, number):
    """Puzzles, each with one clue or digit more or less than the one before."""
    rng, cells, drawn = Random(7), list(cells), set(clues[::2])
    for _ in range(number):
        if clues and rng.random() < 0.6:
            drawn ^= {rng.choice(clues)}
        else:
            cell = rng.randrange(len(cells))
            wrong = rng.random() < 0.1
            cells[cell] = (
                (rng.choice("1234") if wrong else solution[cell]) if cells[cell] == "." else "."
            )
        yield "".join(cells), sorted(drawn)


def variants():
    found = next(puzzles_with_clues(1, "shape=4x4", clues=KINDS, seed=3))
    yield str(found.grid), str(solution_of(found)), list(found.constraints.clue_texts), {}
    yield CLASSIC, SOLVED, [], {}
    yield "." * 16, "1234341221434321", SHADED, {"rules": "shape=4x4;layer=shade:0-1", "version": 2}


@pytest.mark.parametrize("number", range(3))
def test_every_answer_is_that_of_a_worker_that_knows_nothing(number):
    cells, solution, clues, more = list(variants())[number]
    for digits, drawn in edited(cells, solution, clues, share(25)):
        puzzle = state(digits, clues=drawn, **more)
        found = told(puzzle)
        kept = dict(module._boards)
        module._boards.clear()
        assert found == told(puzzle), (digits, drawn)
        module._boards.clear()
        module._boards.update(kept)


def test_an_added_clue_asks_no_solver_for_what_is_known(monkeypatch):
    told(state("." * 81))
    monkeypatch.setattr(live, "answer", None)
    assert told(state("." * 81, clues=["odd:r5c5"]))["status"] == "multiple"


def test_a_puzzle_that_states_more_than_one_without_solution_has_none(monkeypatch):
    puzzle, more = as_puzzle("11" + "." * 14), as_puzzle("11" + "." * 13 + "3")
    known = module.known_of(puzzle.grid.board)
    known.settle(puzzle, np.zeros((16, 4), np.bool_))
    none = np.zeros((0, 16), np.uint8)
    assert known.status(more, none) is Status.NONE
    assert known.status(as_puzzle("1" + "." * 15), none) is None


def test_nothing_is_taken_over_where_a_clue_says_more_without_another():
    rules = "shape=4x4;no-difference=1;difference=1:r1c1,r1c2"
    puzzle = as_puzzle("." * 16, rules)
    known = module.known_of(puzzle.grid.board)
    known.settle(puzzle, np.zeros((16, 4), np.bool_))
    assert not known.impossible(puzzle).any()


def test_only_so_many_are_kept(monkeypatch):
    monkeypatch.setattr(module, "KEPT_SOLUTIONS", 3)
    known = module.Known()
    rows = np.arange(80, dtype=np.uint8).reshape(5, 16)
    known.note(rows)
    known.note(rows[2:3])
    assert [np.frombuffer(each, np.uint8)[0] for each in known._solutions] == [48, 64, 32]
