"""Any sequence of calls on any number of sessions, against a list of grids."""

import pytest
from examples import FOUR, fill, obeys
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
)

from satdoku.answers.session import Session
from satdoku.answers.solver import SOLVERS, SolverError
from satdoku.cnf.encodings import ENCODINGS
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.runtime.errors import BudgetError, Status

RULES = ("classic", "diagonal", "antiqueen", "king")  # the last has no grid
CONSTRAINTS_OF = {rules: constraints_for(rules, FOUR) for rules in RULES}
CLASSIC = tuple(fill(bytes(16), 0))
GRIDS = {
    r: [g for g in CLASSIC if obeys(g, constraints.rules, 4)]
    for r, constraints in CONSTRAINTS_OF.items()
}
WITH_BUDGET = [name for name in SOLVERS if name != "lingeling"]

# Few givens, so that most puzzles have solutions and some have many.
PUZZLES = st.lists(st.tuples(st.integers(0, 15), st.integers(1, 4)), max_size=5).map(
    lambda givens: bytes(dict(givens).get(cell, 0) for cell in range(16))
)


class Model:
    """A session and what it should know: the grids of its rules."""

    def __init__(self, rules, solver, encoding, recycle):
        self.session = Session(
            CONSTRAINTS_OF[rules], solver=solver, encoding=encoding, recycle=recycle
        )
        self.grids, self.constraints = GRIDS[rules], CONSTRAINTS_OF[rules]
        self.encoding = encoding

    def fitting(self, cells):
        return [g for g in self.grids if all(c in (0, d) for c, d in zip(cells, g, strict=True))]

    def clashes(self, cells):
        """Whether two givens alone break a rule, by what the rules say of full grids' pairs."""
        from satdoku.witness.verify import violations

        return bool(violations(Grid(cells, FOUR), self.constraints.rules))

    def statuses(self, cells):
        """The right ones: a puzzle without solution is invalid where its givens clash."""
        fits = self.fitting(cells)
        if not fits:
            return Status.INVALID if self.clashes(cells) else Status.NONE
        return Status.UNIQUE if len(fits) == 1 else Status.MULTIPLE


class Running:
    """An enumeration under way: what it may still give."""

    def __init__(self, model, cells, limit):
        self.stream = model.session.solutions(Grid(cells, FOUR), limit=limit)
        self.left = set(model.fitting(cells))
        self.limit = len(self.left) if limit is None else min(limit, len(self.left))
        self.given = 0


class Sessions(RuleBasedStateMachine):
    """The calls that a program may make, in any order."""

    models = Bundle("models")
    running = Bundle("running")

    def __init__(self):
        super().__init__()
        self.opened = []

    @rule(
        target=models,
        rules=st.sampled_from(RULES),
        solver=st.sampled_from(SOLVERS),
        encoding=st.sampled_from(list(ENCODINGS)),
        recycle=st.sampled_from((1, 2, 5, 2000)),
    )
    def open(self, rules, solver, encoding, recycle):
        model = Model(rules, solver, encoding, recycle)
        self.opened.append(model)
        return model

    @rule(model=models, cells=PUZZLES)
    def solve(self, model, cells):
        solution, fits = model.session.solve(Grid(cells, FOUR)), model.fitting(cells)
        assert (solution.cells in fits) if fits else solution is None

    @rule(model=models, cells=PUZZLES)
    def classify(self, model, cells):
        assert model.session.classify(Grid(cells, FOUR)) is model.statuses(cells)

    @rule(model=models, cells=PUZZLES, limit=st.none() | st.integers(1, 20))
    def count(self, model, cells, limit):
        number = len(model.fitting(cells))
        expected = number if limit is None else min(limit, number)
        assert model.session.count(Grid(cells, FOUR), limit=limit) == expected

    @rule(model=models, cells=PUZZLES)
    def candidates(self, model, cells):
        digits = [frozenset(column) for column in zip(*model.fitting(cells), strict=True)]
        expected = tuple(digits) or (frozenset(),) * 16
        assert model.session.candidates(Grid(cells, FOUR)) == expected

    @rule(model=models, cells=PUZZLES)
    def propagate(self, model, cells):
        """What it fixes is so in every solution, and the same as in a session without a past."""
        fixed = model.session.propagate(Grid(cells, FOUR))
        fits = model.fitting(cells)
        if fixed is None:
            assert not fits
        else:
            assert all(f in (0, d) for grid in fits for f, d in zip(fixed, grid, strict=True))
        fresh = Session(model.constraints, encoding=model.encoding)
        assert fixed == fresh.propagate(Grid(cells, FOUR))

    @rule(model=models, marks=st.lists(st.booleans(), min_size=64, max_size=64), cells=PUZZLES)
    def marks(self, model, marks, cells):
        """Any candidates struck, but for those of some solution."""
        kept = bytearray(marks)
        for grid in model.fitting(cells)[:1]:
            for cell, digit in enumerate(grid):
                kept[4 * cell + digit - 1] = 1
        fits = [g for g in model.grids if all(kept[4 * c + d - 1] for c, d in enumerate(g))]
        status, solution = model.session.decide_marks(bytes(kept))
        assert status is (Status.NONE, Status.UNIQUE, Status.MULTIPLE)[min(len(fits), 2)]
        assert (solution in fits) if fits else solution is None

    @rule(model=models, cells=PUZZLES, conflicts=st.integers(1, 2))
    def run_out_of_budget(self, model, cells, conflicts):
        """An answer within the budget is right; beyond it nothing is changed for what follows."""
        if model.session.solver not in WITH_BUDGET:
            return
        puzzle = Grid(cells, FOUR)
        status = model.session.classify(puzzle, conflicts=conflicts)
        assert status in (Status.UNKNOWN, model.statuses(cells))
        try:
            found = list(model.session.solutions(puzzle, conflicts=conflicts))
        except BudgetError:
            return
        assert sorted(g.cells for g in found) == sorted(model.fitting(cells))

    @rule(target=running, model=models, cells=PUZZLES, limit=st.none() | st.integers(1, 9))
    def enumerate(self, model, cells, limit):
        return Running(model, cells, limit)

    @rule(target=running, run=consumes(running), steps=st.integers(1, 4))
    def step(self, run, steps):
        """Some of the solutions, while other queries come between."""
        for _ in range(steps):
            grid = next(run.stream, None)
            if grid is None:
                assert run.given == run.limit
                return multiple()
            run.left.remove(grid.cells)  # KeyError: no solution, or one that was given before
            run.given += 1
            assert run.given <= run.limit
        return run

    @rule(run=consumes(running))
    def finish(self, run):
        rest = [grid.cells for grid in run.stream]
        assert run.given + len(rest) == run.limit
        assert len(set(rest)) == len(rest)
        assert set(rest) <= run.left

    @rule(run=consumes(running))
    def drop(self, run):
        run.stream.close()

    @rule(model=consumes(models))
    def close(self, model):
        """A closed session answers no more; enumerations under way keep their solver."""
        model.session.close()
        self.opened.remove(model)
        with pytest.raises(SolverError, match="the session is closed"):
            model.session.classify("." * 16)

    @invariant()
    def sessions_do_not_mix(self):
        """Each session still has its own formula and its own rules."""
        for model in self.opened:
            assert model.session.constraints == model.constraints
            assert model.session.formula.constraints == model.constraints

    def teardown(self):
        for model in self.opened:
            assert model.session.count("." * 16, limit=20) == min(20, len(model.grids))
            model.session.close()


def test_the_model_knows_the_grids():
    sizes = {rules: len(set(grids)) for rules, grids in GRIDS.items()}
    assert sizes["classic"] == 288
    assert sizes["diagonal"] == 48
    assert sizes["king"] == 0
    assert sizes["antiqueen"] == 36


def _settings(examples, steps):
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


class TestSessions(Sessions.TestCase):
    settings = _settings(8, 20)


@pytest.mark.slow
class TestSessionsForLong(Sessions.TestCase):
    settings = _settings(400, 60)
