import random
from itertools import combinations

import numpy as np
import pytest
from soak import share

from satdoku.answers import flooding
from satdoku.answers.flooding import COMPILED, Flooding, Reference
from satdoku.answers.solver import open_solver
from satdoku.witness.regions import Labels

MAKERS = [True, False] if COMPILED else [False]
needs_c = pytest.mark.skipif(not COMPILED, reason="built without a compiler")


def grid_edges(height, width):
    cells = [(r, c) for r in range(height) for c in range(width)]
    return [
        (width * a + b, width * c + d)
        for (a, b), (c, d) in combinations(cells, 2)
        if abs(a - c) + abs(b - d) == 1
    ]


class Walk:
    """A solver that decides at random and goes back at random; it asks propagators alike."""

    def __init__(self, draw, height, width, labels):
        self.draw, self.cells = draw, height * width
        self.edges = grid_edges(height, width)
        self.literals = np.arange(1, labels * self.cells + 1, dtype=np.int32) + draw.randint(0, 9)
        self.literals = self.literals.reshape(labels, self.cells)
        bounds = [sorted(draw.choices(range(self.cells + 1), k=2)) for _ in range(labels)]
        self.sizes = np.array(bounds, np.int32)
        self.value, self.levels = {}, [[]]

    def run(self, propagators, steps=150):
        reasons = []
        for _ in range(steps):
            told, *others = [p.propagate() for p in propagators]
            assert all(other == told for other in others)
            for literal in told:
                reason, *others = [p.provide_reason(literal) for p in propagators]
                assert all(other == reason for other in others)
                assert reason[0] == literal
                assert all(self.value[abs(x)] == (x < 0) for x in reason[1:])
                assert self.value.get(abs(literal)) in (None, literal < 0)
                reasons.append(reason)
            if any(abs(x) in self.value for x in told) or self.draw.random() < 0.05:
                self.go_back(propagators)
            elif not self.go_on(propagators, told):
                break
        return reasons

    def go_back(self, propagators):
        to = self.draw.randrange(len(self.levels) + 2)  # levels never announced among them
        for level in self.levels[to + 1 :]:
            for variable in level:
                del self.value[variable]
        del self.levels[to + 1 :]
        for propagator in propagators:
            propagator.on_backtrack(to)

    def go_on(self, propagators, told):
        some = told[: self.draw.randint(0, 9)]
        if not some:
            free = [int(x) for x in self.literals.flat if x not in self.value]
            if not free:
                return False
            some = [self.draw.choice((1, -1, -1)) * self.draw.choice(free)]
            self.levels.append([])
            for propagator in propagators:
                propagator.on_new_level()
        for literal in some:
            self.value[abs(literal)] = literal > 0
            self.levels[-1].append(abs(literal))
            for propagator in propagators:
                propagator.on_assignment(literal, len(self.levels) == 1)
        return True


def reference(*arrays):
    return Reference(*(rows.tolist() for rows in arrays))


@needs_c
@pytest.mark.parametrize("seed", range(share(60)))
def test_the_c_code_finds_what_the_reference_finds(seed):
    draw = random.Random(seed)
    walk = Walk(draw, *draw.choice([(3, 3), (4, 5), (9, 9)]), draw.randint(1, 3))
    arrays = walk.literals, np.array(walk.edges, np.int32), walk.sizes
    walk.run([reference(*arrays), flooding._Compiled(*arrays)])


@pytest.mark.parametrize("compiled", MAKERS)
def test_each_reason_is_one_that_the_witness_finds_by_itself(compiled):
    found = 0
    for seed in range(share(60)):
        draw = random.Random(seed)
        walk = Walk(draw, *draw.choice([(3, 3), (4, 5), (6, 6)]), 2)
        make = flooding._Compiled if compiled else reference
        reasons = walk.run([make(walk.literals, np.array(walk.edges, np.int32), walk.sizes)])
        labels = Labels(walk.literals, walk.edges, walk.sizes)
        assert all(labels.imply(reason) for reason in reasons)
        found += len(reasons)
    assert found > share(1000)


@needs_c
def test_a_reason_stays_after_its_opposite_is_told():
    """The solver asks for the reasons of a conflict and of what it had before."""
    literals, edges = np.array([[1, 2, 3]], np.int32), np.array([(0, 1), (1, 2)], np.int32)
    for propagator in (
        reference(literals, edges, np.array([(2, 2)], np.int32)),
        flooding._Compiled(literals, edges, np.array([(2, 2)], np.int32)),
    ):
        propagator.on_new_level()
        propagator.on_assignment(1)
        assert propagator.propagate() == [2, -3]
        propagator.on_assignment(2)
        propagator.on_assignment(3)
        assert propagator.propagate() == [-1]
        assert propagator.provide_reason(2) == [2, -1]
        assert propagator.provide_reason(-1) == [-1, -2, -3]
        assert propagator.lemmas == [[2, -1], [-1, -2, -3]]


@needs_c
def test_what_is_told_before_any_decision_is_kept_without_being_asked_for():
    """The solver learns such literals as they are, and its proof needs their reasons."""
    literals, edges = np.array([[1, 2, 3]], np.int32), np.array([(0, 1), (1, 2)], np.int32)
    for propagator in (
        reference(literals, edges, np.array([(2, 2)], np.int32)),
        flooding._Compiled(literals, edges, np.array([(2, 2)], np.int32)),
    ):
        propagator.on_assignment(1, True)
        assert propagator.propagate() == [2, -3]
        assert propagator.lemmas == [[2, -1], [-3, -1]]
        propagator.on_new_level()
        propagator.on_assignment(2)
        propagator.propagate()
        assert len(propagator.lemmas) == 2


def connected_sets(cells, edges, least, most):
    """By brute force: the connected sets of cells whose number is within the bounds."""
    for number in range(max(1, least), most + 1):
        for some in map(set, combinations(range(cells), number)):
            reached = {min(some)}
            while new := {
                b
                for pair in edges
                for a, b in (pair, pair[::-1])
                if a in reached and b in some - reached
            }:
                reached |= new
            if reached == some:
                yield frozenset(some)


@pytest.mark.parametrize("compiled", MAKERS)
@pytest.mark.parametrize("sizes", [(0, 9), (3, 5), (4, 4), (1, 2), (9, 9)])
def test_a_solver_finds_exactly_the_connected_sets(compiled, sizes):
    edges = grid_edges(3, 3)
    literals = list(range(1, 10))
    regions = Flooding([literals], edges, [sizes], compiled=compiled)
    solver = open_solver("cadical195", [literals])
    found = set()
    with regions.attached(solver):
        while solver.solve():
            model = solver.get_model()
            cells = frozenset(x - 1 for x in model if x > 0)
            assert cells not in found
            found.add(cells)
            solver.add_clause([-x for x in model])
    assert found == set(connected_sets(9, edges, *sizes))
    labels = Labels([literals], edges, [sizes])
    assert all(labels.imply(lemma) for lemma in regions.lemmas)


@needs_c
def test_what_c_is_given_is_checked():
    ok = np.array([[1, 2]], np.int32), np.array([(0, 1)], np.int32), np.array([(1, 2)], np.int32)
    for at, wrong, message in [
        (0, np.array([[1, 1]], np.int32), "literals: expected each number once"),
        (0, np.array([[0, 1]], np.int32), "literals: expected positive numbers"),
        (0, np.zeros((0, 2), np.int32), "literals: expected 1 to 1024 labels"),
        (1, np.array([(0, 2)], np.int32), "edges: expected cells 0 to 1"),
        (2, np.array([(0, 2)] * 2, np.int32), "sizes: expected shape"),
    ]:
        arguments = [*ok]
        arguments[at] = wrong
        with pytest.raises(ValueError, match=message):
            flooding._Compiled(*arguments)
