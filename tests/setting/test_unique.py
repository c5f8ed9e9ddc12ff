"""Fewest givens and clues for one solution, against trying all."""

from itertools import combinations

import pytest

import satdoku
from satdoku import Status
from satdoku.setting import SuggestionError, suggest

LITTLE = "12.............."


def fewest_by_trying(puzzle, most):
    """The fewest givens more that leave one solution, whichever."""
    grids = [str(grid) for grid in satdoku.solutions(puzzle)]
    empty = [cell for cell, digit in enumerate(puzzle) if digit == "."]
    for number in range(most + 1):
        for cells in combinations(empty, number):
            shown = [tuple(grid[cell] for cell in cells) for grid in grids]
            if any(shown.count(each) == 1 for each in shown):
                return number
    return None


def test_no_set_of_givens_is_smaller():
    found = list(suggest(LITTLE, want="unique", seed=1))
    assert len(found[-1].added) == fewest_by_trying(LITTLE, 4)
    for one in found:
        assert satdoku.classify(one.puzzle) is Status.UNIQUE
        assert one.puzzle.grid.givens == 2 + len(one.added)
    sizes = [len(one.added) for one in found]
    assert sizes == sorted(sizes, reverse=True)
    assert "no fewer will do" in found[-1].words


def test_clues_of_chosen_kinds_alone():
    kinds = ["thermo", "white"]
    for one in suggest(LITTLE, want="unique", kinds=kinds, seed=1):
        assert one.puzzle.grid.givens == 2
        assert set(one.added) == set(one.puzzle.constraints.clue_texts)
        assert {text.split(":")[0] for text in one.added} <= {"thermo", "difference=1"}
        assert satdoku.classify(one.puzzle) is Status.UNIQUE


def test_every_added_given_is_needed():
    first = next(suggest("." * 81, want="unique", seed=3))
    cells = list(str(first.puzzle.grid))
    for name in first.added:
        cell = satdoku.Board().cell_named[name.split("=")[0]]
        fewer = "".join("." if at == cell else digit for at, digit in enumerate(cells))
        assert satdoku.classify(fewer) is Status.MULTIPLE


def test_the_same_seed_suggests_the_same():
    def words(seed):
        found = suggest(LITTLE, want="unique", kinds=["thermo", "givens"], seed=seed)
        return [one.words for one in found]

    assert words(5) == words(5)


def test_layers_that_differ_alone_are_no_other_solutions():
    rules = "shape=4x4;layer=shade:0-1"
    for one in suggest("1234............", rules, want="unique", seed=1):
        assert satdoku.classify(one.puzzle) is Status.UNIQUE


@pytest.mark.parametrize(
    ("puzzle", "want", "status"),
    [
        ("1234341221434321", "unique", "unique"),
        (LITTLE, "harder", "multiple"),
        ("11" + 14 * ".", "needs", "invalid"),
    ],
)
def test_what_does_not_fit_is_refused(puzzle, want, status):
    with pytest.raises(SuggestionError, match=f"the puzzle is {status}, expected"):
        next(suggest(puzzle, want=want))
