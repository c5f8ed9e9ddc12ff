"""Which steps of a path a sheet shows, and what it says of the others."""

import pytest
from examples import CLASSIC

from satdoku import explain_steps
from satdoku.files.one import as_puzzle
from satdoku.model.grid import empty_grid, parse_grid
from satdoku.model.puzzle import Puzzle, on_board
from satdoku.runtime.errors import Status
from satdoku.sheets.path import NO_FURTHER, SINGLES, path_of

HARD = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
EASY = "1.....2....3.4.."


@pytest.mark.parametrize(("puzzle", "most"), [(CLASSIC, 1), (CLASSIC, 1000), (HARD, 3)])
def test_key_steps_are_the_hardest_and_all_others_are_counted(puzzle, most):
    steps = list(explain_steps(puzzle, named=True))
    path = path_of(as_puzzle(puzzle), most)
    beyond = [n for n, step in enumerate(steps, 1) if step.technique not in SINGLES]
    shown = [key.number for key in path.steps]
    assert shown == sorted(shown) and len(shown) == min(most, len(beyond))
    least = min(steps[n - 1].rating for n in shown)
    assert all(steps[n - 1].rating <= least for n in set(beyond) - set(shown))
    for key in path.steps:
        step = steps[key.number - 1]
        assert key.step.words == step.words
        assert any(
            step.words.startswith(words.bold.strip(":")) for words in key.words if words.bold
        )
        assert key.title == f"Step {key.number}: {step.technique}"
    if most > len(beyond):
        between = sum("single" in words.text for key in path.steps for words in key.words[-1:])
        runs = {n for n in beyond if n < len(steps) and n + 1 not in beyond}
        assert between == len(runs)
    assert path.words.startswith(f"{len(steps)} steps; the hardest: ") and not path.problem


def test_of_equal_steps_the_one_that_opens_more_is_the_key():
    steps = list(explain_steps(CLASSIC, named=True))
    ratings = [step.rating for step in steps]
    (key,) = path_of(as_puzzle(CLASSIC), 1).steps

    def run(number):
        later = enumerate(ratings[number:])
        return next((n for n, rating in later if rating >= ratings[number - 1]), len(ratings))

    equal = [n for n, rating in enumerate(ratings, 1) if rating == max(ratings)]
    assert len(equal) > 1 and run(key.number) == max(map(run, equal))
    assert key.words[0] == ("", f"First {_counted(steps[: key.number - 1])}.")
    assert key.words[-1] == ("", f"Then {_counted(steps[key.number :])}.")


def _counted(steps):
    """Singles, pointing and claiming alone, as the sheet counts them."""
    names = [step.technique for step in steps]
    singles = sum(name in SINGLES for name in names)
    counts = {name: names.count(name) for name in names if name not in SINGLES}
    said = [f"{name} ({n})" if n > 1 else name for name, n in counts.items()]
    said.insert(0, f"{singles} single{'s' * (singles > 1)}")
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def test_of_singles_alone_one_is_shown():
    (key,) = path_of(as_puzzle(EASY), 5).steps
    assert key.step.technique in SINGLES
    assert key.words[-1] == ("", "Then 11 singles.")


def test_paths_that_lead_nowhere_say_so():
    def path(text, rules="classic"):
        return path_of(as_puzzle(text, rules), 3)

    assert path("11" + "." * 14) == ((), "", "no path: no solution", Status.NONE)
    assert path("1" + "." * 15)[2:] == (f"no path: {NO_FURTHER}", None)
    assert path("1234341221434321").problem == "no path: every cell is given"
    marks = tuple(frozenset(range(1, 5)) for _ in range(16))
    marked = Puzzle(*on_board(empty_grid(parse_grid(EASY).board), "classic"), marks=marks)
    assert "pencil marks" in path_of(marked, 3).problem
    late = path_of(as_puzzle(EASY), 3, 1e-9)
    assert late.problem.startswith("no path: timed out") and late.status == Status.UNKNOWN
    several = path(
        "...2.....41.....", "shape=4x4;layer=shade:0-1;connected=0:shade;connected=1:shade"
    )
    assert several.steps and several.problem == f"the path ends early: {NO_FURTHER}"
