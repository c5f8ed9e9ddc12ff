"""Steps by the techniques of Sudoku Explainer: each proved, and together the solution."""

from dataclasses import replace

import pytest
from examples import CLASSIC

from satdoku import explain_steps, solve
from satdoku.explain import named
from satdoku.explain.logic import logic_steps
from satdoku.explain.rated_units import UNIQUENESS
from satdoku.explain.witness import proves
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.ratings import scale
from satdoku.runtime.errors import BudgetError, WitnessError

FOUR = "1.....2........."
# With their ratings by Sukaku Explainer 1.18.1.
PUZZLES = [
    ("...........59.36..2..8.6..767.....538.......4...581.....7.1.9......5.....96...72.", 4.2),
    ("...........3...8..1..649..78.4...7.5...175....1.....3..6..2..9.....3.....527.648.", 4.5),
    (".........1...2...7.43...16...76.92...68.3.94.....5.............75.....18.1.2.8.7.", 5.6),
    ("..........4.....5.8..5.6..475..6..38.89.1.24.4...9...7..49.75..9.......1..6.3.4..", 6.6),
    ("......5.1.1...8.4...5.96.....9...45....3.9....64...7.....85.3...3.9...1.5.6......", 7.1),
    ("...........8.6.2..5..487..1..46.37............5.279.1..3.128.7.7.......4.86.3.12.", 8.3),
    ("...........76.95..6..8.2..3.6.1.3.9.93..8..46..........2.....1.4.......915.9.4.32", 9.0),
]


@pytest.mark.parametrize(("puzzle", "rating"), PUZZLES)
def test_every_step_is_proved_from_its_units_and_keeps_the_solution(puzzle, rating):
    solution = solve(puzzle)
    found = list(explain_steps(puzzle, named=True, verify=True))
    assert max(step.rating for step in found) == rating
    for step in found:
        assert all(solution[cell] != digit for cell, digit in step.eliminated), step.words
        if step.placed:
            assert solution[step.placed[0]] == step.placed[1], step.words
        assert bool(step.units) == (step.technique not in UNIQUENESS)
        if step.units and not step.placed:
            assert proves(step.units, step.live, None, step.struck), step.words
    assert len([step for step in found if step.placed]) == puzzle.count(".")


def test_words_name_the_technique_and_the_path():
    words = [step.words for step in explain_steps(PUZZLES[4][0], named=True)]
    (chain,) = [text for text in words if "forcing chain (7.1)" in text][:1]
    conclusion, _, path = chain.partition(": forcing chain (7.1): ")
    assert conclusion.startswith("no ") or "=" in conclusion
    assert path.partition(": ")[2].count("(") == path.count(",") + 1 >= 4
    assert words[0].startswith("r") and "hidden single (1.2), the only place for" in words[0]


def test_other_puzzles_than_classic_ones_take_the_ladder():
    """So do classic ones that have several solutions; only named steps have ratings."""
    grid = parse_grid(FOUR)
    for rules in ("classic", "knight"):
        plain, ladder = (list(explain_steps(FOUR, rules, named=some)) for some in (False, True))
        assert ladder == list(logic_steps(grid, constraints_for(rules, grid.board)))
        assert all(step.rating is None for step in plain)
        assert ladder[0].rating == 1.2
    data = next(explain_steps(CLASSIC)).as_data()
    assert "rating" not in data
    assert next(explain_steps(CLASSIC, named=True)).as_data()["rating"] == 1.2


def test_a_link_that_does_not_follow_is_refused(monkeypatch):
    def forged(cells):
        for step in scale.steps_of(cells):
            yield replace(step, strands=tuple(strand[:-1] for strand in step.strands))

    monkeypatch.setattr(named, "steps_of", forged)
    with pytest.raises((WitnessError, IndexError)):
        list(explain_steps(PUZZLES[4][0], named=True))


def test_a_conclusion_that_does_not_follow_is_refused(monkeypatch):
    def forged(cells):
        first, *_ = scale.steps_of(cells)
        yield replace(first, placed=first.placed - first.placed % 9 + (first.placed + 1) % 9)

    monkeypatch.setattr(named, "steps_of", forged)
    with pytest.raises(WitnessError):
        list(explain_steps(CLASSIC, named=True))


def test_the_limit_ends_the_steps():
    with pytest.raises(BudgetError):
        list(explain_steps(CLASSIC, named=True, timeout=1e-9))
