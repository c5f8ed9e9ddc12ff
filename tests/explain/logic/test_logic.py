"""Steps of random puzzles of all kinds: sound, proved by the units they name, and none missed."""

from __future__ import annotations

import pytest
from logic_cases import Judge, after, mask_of_solution, puzzle_of

from satdoku.explain import mus
from satdoku.explain.logic import logic_steps
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.explain.witness import proves
from satdoku.model.board import bits
from satdoku.runtime.errors import BudgetError

EASY = {"naked single", "hidden single", "pointing", "claiming", "naked pair", "X-wing"}
LIMIT = 20  # seconds for the steps of one puzzle


def assert_told_well(seed):
    """Walk all steps of the puzzle of a seed; how many there are."""
    case = puzzle_of(seed)
    if case is None:
        return 0
    constraints, puzzle, solution = case
    steps, units = [], units_of(constraints)
    try:
        steps.extend(logic_steps(puzzle, constraints, timeout=LIMIT))
        is_late = False
    except BudgetError:
        is_late = True
    true, judge = mask_of_solution(units, solution), Judge(units)
    state = State.of(puzzle, units)
    for number, step in enumerate(steps):
        told = seed, number, step.words
        assert step.live == state.live, told
        if step.put is not None:
            assert true >> step.put & 1, told
            asked = [-step.put - 1]
        else:
            assert step.struck & ~step.live == 0 != step.struck, told
            assert not step.struck & true, told
            asked = [candidate + 1 for candidate in bits(step.struck)]
        assert True not in [judge.allowed(step.units, step.live, one) for one in asked], told
        if step.technique in EASY:
            assert proves(step.units, step.live, step.put, step.struck), told
        state = after(state, step)
    if not is_late and state.placed.bit_count() < units.board.cells:
        assert not [*judge.missed(state.live)], (seed, constraints.rules)
    judge.close()
    return len(steps)


@pytest.mark.parametrize("block", range(2))
def test_steps_are_sound_proved_and_complete(block, monkeypatch):
    monkeypatch.setattr(mus, "PATIENCE", 300)
    assert sum(map(assert_told_well, range(8 * block, 8 * block + 8))) > 50


@pytest.mark.slow
@pytest.mark.parametrize("block", range(31))
def test_soak(block, monkeypatch):
    """Of 3,100 seeds, some of which have no puzzle."""
    monkeypatch.setattr(mus, "PATIENCE", 300)
    failed = []
    for seed in range(100 * block, 100 * block + 100):
        try:
            assert_told_well(seed)
        except (AssertionError, ValueError) as error:
            failed.append(f"{seed}: {error!r}"[:500])
    assert not failed
