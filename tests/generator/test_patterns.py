"""Patterns that are asked for."""

from __future__ import annotations

import numpy as np
from examples import FOUR
from generator_cases import LITTLE, assert_unique

from satdoku import Wish, engine
from satdoku.errors import Status
from satdoku.generator import (
    GenerateOptions,
    generate,
)
from satdoku.generator.dice import Dice
from satdoku.generator.errors import GeneratorError
from satdoku.generator.grids import few_grids
from satdoku.generator.shapes import pattern_of


def test_a_pattern_is_kept_exactly():
    mask = "1." * 40 + "1"
    puzzles = generate(5, seed=1, wish=Wish(pattern=mask))
    assert (np.array([c == "1" for c in mask]) == (puzzles > 0)).all()
    assert_unique(puzzles)


def test_a_pattern_under_other_rules():
    mask = "1..1 .1.. ..1. 1..."
    puzzles = generate(4, size=4, seed=1, wish=Wish(pattern=mask))
    assert (pattern_of(mask, FOUR) == (puzzles > 0)).all()
    assert_unique(puzzles, LITTLE)


def test_every_refused_pattern_has_no_puzzle():
    """On 4x4 all patterns of 4 and 5 givens: what is refused has no unique puzzle at all."""
    grids = few_grids(LITTLE)
    refused = 0
    for seed in range(200):
        pattern = Dice(seed).orders(1, 16)[0] < 4 + seed % 2
        mask = "".join(".1"[int(given)] for given in pattern)
        try:
            GenerateOptions(LITTLE, wish=Wish(pattern=mask))
        except GeneratorError:
            refused += 1
            puzzles = np.where(pattern, grids, 0).astype(np.uint8)
            assert (engine.solve(puzzles, LITTLE).status == Status.MULTIPLE).all()
    assert refused > 10
