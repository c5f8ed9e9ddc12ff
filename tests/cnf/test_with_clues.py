"""Clues added to the formula of a board and its rules, against the formula built at once."""

import random

import pytest
from clue_examples import random_clue
from examples import FOUR

from satdoku.cnf.encodings import ENCODERS, ENCODINGS, build
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS

BOOLEAN = [name for name, kind in ENCODINGS.items() if kind == "boolean" and name != "reduced"]


@pytest.mark.parametrize("encoding", BOOLEAN)
def test_clues_make_the_same_formula_either_way(encoding):
    rng = random.Random(encoding)
    for _ in range(25):
        kinds = rng.sample(sorted(KINDS.keys() - {"entropic", "entropy"}), 3)
        try:
            clues = [random_clue(rng, kind, 4) for kind in kinds]
            constraints = constraints_for(";".join(["knight", *clues]), FOUR)
        except ClueError:
            continue
        added = build(constraints, encoding)
        whole = ENCODERS[encoding](constraints)
        assert set(added.clauses) == set(whole.clauses)
        assert len(added.clauses) == len(whole.clauses)
        assert added.variables == whole.variables
