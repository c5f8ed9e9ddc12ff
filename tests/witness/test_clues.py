"""Every kind of clue through all witnesses, certificates and the engine."""

import random
from contextlib import suppress

import numpy as np
import pytest
from clue_examples import OF_LAYERS, keeps, random_clue
from examples import FOUR, fill
from soak import share

from satdoku import solve_batch
from satdoku.certificates.make import certify_batch
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS, clue_of
from satdoku.runtime.errors import Status
from satdoku.witness.rules import Stated, _by_forms, _clue, _said, held_by_forms
from satdoku.witness.smtlib import format_smtlib
from satdoku.witness.verify import _broken_at, _broken_beside, clash_many, solves_many
from satdoku.witness.z3.models import DIMACS_MODEL, Z3_MODELS
from satdoku.witness.z3.query import Z3Query

GRIDS = tuple(fill(bytes(16), 0))
ARRAY = np.array([list(cells) for cells in GRIDS], np.uint8)
ON_FOUR = sorted(KINDS.keys() - {"entropic", "entropy", *OF_LAYERS})


def some_clue(kind, seed):
    """A clue of the kind that some grids keep and some do not, if the kind has any."""
    rng = random.Random(f"{kind} {seed}")
    for _ in range(60):
        try:
            clue = clue_of(random_clue(rng, kind, 4), FOUR)
        except ClueError:
            continue
        good = {g for g in GRIDS if keeps(g, clue, (clue,), 4)}
        if 0 < len(good) < len(GRIDS):
            break
    return constraints_for(clue.text(FOUR), FOUR), good


@pytest.mark.parametrize("kind", ON_FOUR)
def test_arrays_are_judged_as_single_grids(kind):
    constraints, good = some_clue(kind, 1)
    kept = solves_many(ARRAY, np.zeros_like(ARRAY), constraints.rules, FOUR)
    assert {g for g, is_kept in zip(GRIDS, kept, strict=True) if is_kept} == good
    assert (clash_many(ARRAY, constraints.rules, FOUR) == ~kept).all()


@pytest.mark.parametrize(("turn", "kind"), [*enumerate(ON_FOUR)])
def test_every_z3_model_agrees(turn, kind):
    """Each kind in a fourth of the models, which take turns."""
    constraints, good = some_clue(kind, 2)
    for name in [name for name in Z3_MODELS if name != DIMACS_MODEL][turn % 4 :: 4]:
        query = Z3Query(name, constraints)
        found = query.find()
        assert found in good if good else found is None


@pytest.mark.parametrize("kind", ON_FOUR)
def test_smtlib_says_the_same(kind):
    z3 = pytest.importorskip("z3")
    constraints, good = some_clue(kind, 3)
    solver = z3.Solver()
    solver.from_string(format_smtlib(constraints).split("(check-sat)")[0])
    cells = [z3.Int(FOUR.name_of(cell)) for cell in range(16)]
    for grid in random.Random(kind).sample(GRIDS, 25):
        held = [x == digit for x, digit in zip(cells, grid, strict=True)]
        assert (solver.check(*held) == z3.sat) == (grid in good)


@pytest.mark.parametrize("kind", ON_FOUR)
def test_the_engine_and_certificates_agree(kind):
    """Puzzles of a few givens, by brute force; each certificate is checked as it is made."""
    constraints, good = some_clue(kind, 4)
    rng = random.Random(kind)
    some = [rng.choice(GRIDS) for _ in range(share(40))]
    puzzles = [bytes(digit * (rng.random() < 0.25) for digit in grid) for grid in some]
    array = np.array([list(cells) for cells in puzzles], np.uint8)
    statuses = solve_batch(array, constraints).statuses
    certificates = certify_batch(array, constraints)
    for cells, status, certificate in zip(puzzles, statuses, certificates, strict=True):
        fits = sum(all(c in (0, d) for c, d in zip(cells, g, strict=True)) for g in good)
        expected = (Status.NONE, Status.UNIQUE, Status.MULTIPLE)[min(fits, 2)]
        assert Status(status) is expected or (Status(status) is Status.INVALID and not fits)
        assert certificate.claim == str(expected)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_what_a_statement_says_by_its_form_is_what_it_says(kind):
    rng, board = random.Random(kind), Board.of_size(9)
    for _ in range(8):
        with suppress(ClueError):
            clue = clue_of(random_clue(rng, kind, 9), board)
            text = clue.text(board)
            by_form = _by_forms([text], board)[0] or _clue(text, (clue,), board)
            houses, form = _said(clue, (clue,), board)
            alone = Stated(by_form.rule, houses, form)
            pairs = [[r.pairs for r in said.told] for said in (by_form, alone)]
            cells = [[part.cells for part in said.wide] for said in (by_form, alone)]
            assert pairs[0] == pairs[1]
            assert cells[0] == cells[1]
            for _ in range(40):
                grid = bytes(rng.choices(range(1, 10), k=81))
                assert _broken_beside(by_form, grid) == _broken_beside(alone, grid)
                if found := held_by_forms([text], board, grid):
                    assert _broken_at(*found[0]) == _broken_beside(alone, grid)
