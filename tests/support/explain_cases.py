"""Puzzles, states and oracles for the tests of explanations."""

from itertools import combinations, count
from random import Random

from clue_examples import ALONE, keeps, random_clue
from examples import FOUR

import satdoku
from satdoku.answers.session import Session
from satdoku.answers.solver import solve_clauses
from satdoku.cnf.encodings.shapes import shape_clauses
from satdoku.explain import (
    cell_named,
)
from satdoku.explain.mus import (
    unit_clauses,
)
from satdoku.explain.readings import Flood, Rim
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.model.board import Board, bits, mask_of
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.kinds import KINDS
from satdoku.runtime.errors import Status

NINE = Board()


HARD = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"


JIGSAW = "jigsaw=1112122233434344"


ON_NINE = ("classic", "miracle", "diagonal,windoku", "disjoint", "antiqueen", "knight")


ON_FOUR = ("classic", "diagonal", "disjoint", "antiqueen", JIGSAW)


# All kinds but those that solvers alone compare.
EXPLAINED = sorted(KINDS.keys() - ALONE)


# Rules on small boards of every class, some with layers, ranks or connected cells.
_SHADED = "shape=4x4;layer=shade:0-1"
_AREAS = "latin,shape=4x4;layer=area:1-4;chaos:area"
ON_BOARDS = {
    "layers": f"{_SHADED};equal-sum:r1c1>shade.row1;equal-sum:r2c2>shade.row2;digits=0:shade.r4c4",
    "free variables": "shape=4x4;layer=total*2:3-9;equal-sum:total.1>r1c1,r1c2;sum=7:total.1,r2c2",
    "yin-yang": f"{_SHADED};connected=0:shade;connected=1:shade;no-square=0:shade;"
    "no-square=1:shade;equal-sum:r1c1>shade.row1;equal-sum:r2c3>shade.col3",
    "connected digits": "latin,shape=4x4;connected=1,2,3;no-square=2,3,4",
    "a number of cells": f"{_SHADED};connected=1x7:shade;equal-sum:r1c1>shade.row1",
    "a loop": f"{_SHADED};single-loop=1:shade;equal-sum:r3c1>shade.row3",
    "to the edge": f"{_SHADED};edge-connected=0:shade;connected=1:shade;equal-sum:r2c2>shade.row2",
    "regions": f"{_AREAS};digits=2:area.r1c4",
    "alike": f"{_AREAS};alike=0:r1c2>area.r1c2,area.r1c1,area.r1c3,area.r2c2",
    "alike-run": f"{_AREAS};alike-run=0:r2c2>area.r2c2-r1c2>area.r2c2-r4c2>area.r2c2-r2c4",
    "ranks": "shape=4x4;full-rank=6:row2",
    "rectangle": "shape=3x4;connected=1,2",
    "more digits": "shape=3x3;digits=0-3;"
    "layer=shade:0-1;connected=1:shade;equal-sum:r1c1>shade.row1",
    "digits from 0": "latin,shape=4x4;digits=0-3;thermo:r1c1,r1c2,r2c2;connected=0,1,2",
    "holes": "shape=4x4;holes:r2c2;layer=shade:0-1;connected=1:shade;equal-sum:r1c1>shade.row1",
    "overlap": "shape=2x2;grids:r1c1,r2c2;layer=shade:0-1;connected=1:shade",
    "plain rectangle": "shape=2x4;knight",
}


def random_puzzle(rules, random):
    """A puzzle of a random solution, with some of its digits; None if a few tries find none."""
    constraints = constraints_for(rules)
    board = constraints.board
    with Session(constraints) as session:
        for _ in range(20):
            cells = bytearray(board.cells)
            for cell in random.sample(range(board.grid_cells), 2):
                cells[cell] = random.randint(1, len(board.digits))
            if (solution := session.solve(Grid(bytes(cells), board))) is not None:
                part = random.choice((0.3, 0.6))
                shown = [random.random() < part for _ in range(board.grid_cells)]
                known = (d if show else 0 for d, show in zip(solution.cells, shown, strict=False))
                return Grid(bytes(known).ljust(board.cells, b"\0"), board), constraints
    return None


def constraints_of(rules, board=FOUR):
    return constraints_for(rules, None if "jigsaw=" in rules else board)


def puzzles_of(constraints, count, seed, spare=0):
    """Unique puzzles: a random solution without as many givens as uniqueness allows."""
    random = Random(seed)
    with Session(constraints) as session:
        n = constraints.board.size
        for _ in range(count):
            cells = [0] * constraints.board.cells
            cells[random.randrange(len(cells))] = random.randint(1, n)
            grids = list(session.solutions(Grid(bytes(cells), constraints.board), limit=40))
            if not grids:
                continue
            cells = list(random.choice(grids))
            for cell in random.sample(range(len(cells)), len(cells) - spare):
                kept, cells[cell] = cells[cell], 0
                if session.classify(Grid(bytes(cells), constraints.board)) is not Status.UNIQUE:
                    cells[cell] = kept
            yield Grid(bytes(cells), constraints.board)


def clued(kind, seed, grids, givens=0.15):
    """A puzzle with a random clue of the kind, perhaps others, and its solutions by brute force.

    None if the clues cannot be written so.
    """
    random = Random(f"{kind} {seed}")
    kinds = [kind, *random.sample(EXPLAINED, random.randint(0, 2))]
    try:
        constraints = constraints_for(";".join(random_clue(random, k, 4) for k in kinds), FOUR)
    except ClueError:
        return None
    digits = random.choice(grids)
    cells = bytes(d if random.random() < givens else 0 for d in digits)
    kept = [
        grid
        for grid in grids
        if all(mine in (0, other) for mine, other in zip(cells, grid, strict=True))
        and all(keeps(grid, clue, constraints.clues, 4) for clue in constraints.clues)
    ]
    return Grid(cells, FOUR), constraints, kept


def clauses_of(units):
    """What the units say; auxiliary variables of clues follow all candidates."""
    fresh = count(10_000).__next__
    clauses = [clause for unit in units for clause in unit_clauses(unit, fresh)]
    floods = (r for unit in units for r in unit.readings if isinstance(r, Flood))
    for unit in units:
        for rim in (r for r in unit.readings if isinstance(r, Rim)):
            clauses += every_cut(rim)
    for flood in floods:  # unfolded, as no solver floods here
        clauses += map(list, shape_clauses(flood.shape, flood.size, fresh))
    return clauses


def every_cut(rim):
    """A clause for each four cells in which the areas alternate."""
    one, two = rim.held
    for places in combinations(range(len(rim.cells)), 4):
        for areas in ((one, two) * 2, (two, one) * 2):
            wanted = (
                rim.groups[place] & ~(area << rim.size * rim.cells[place])
                for place, area in zip(places, areas, strict=True)
            )
            yield [candidate + 1 for mask in wanted for candidate in bits(mask)]


def entailed(step, units):
    """Decided by a fresh solver that knows only these units and the candidates left."""
    variables = step.board.variables
    facts = [[-c - 1] for c in range(variables) if not step.live >> c & 1]
    clauses = clauses_of(units) + facts
    if step.put is not None:
        return solve_clauses([*clauses, [-step.put - 1]]) is None
    return all(solve_clauses([*clauses, [c + 1]]) is None for c in bits(step.struck))


def assert_sound_and_minimal(step):
    assert entailed(step, step.units)
    for unit in step.units:
        fewer = [other for other in step.units if other is not unit]
        assert not entailed(step, fewer), (step.words, unit.words)


def state_with(constraints=None, **left):
    """The state of the empty board, restricted to the stated digits in cells such as r1c1."""
    constraints = constraints or constraints_for()
    n, live = constraints.board.size, (1 << constraints.variables) - 1
    for name, digits in left.items():
        cell = cell_named(name, constraints.board)
        live &= ~mask_of(n * cell + d - 1 for d in range(1, n + 1) if str(d) not in digits)
    return State(units_of(constraints), live, 0)


def names(mask, n=9):
    board = Board.of_size(n)
    return {f"{board.name_of(c // n)}={c % n + 1}" for c in bits(mask)}


def without(state, digit, *cells):
    n = state.units.size
    return state.strike(mask_of(n * cell_named(c, state.units.board) + digit - 1 for c in cells))


def says(given, n):
    """A given as clauses: its cell holds this digit and no other."""
    cell, digit = given
    return [[n * cell + d if d == digit else -n * cell - d] for d in range(1, n + 1)]


def holds(puzzle, constraints, reasons):
    """Whether these givens and units alone have a solution, by a fresh solver."""
    n = constraints.board.size
    clauses = clauses_of(reasons[1])
    for given in reasons[0]:
        clauses += says(given, n)
    return solve_clauses(clauses or [[1]]) is not None


def assert_minimal_conflict(puzzle, constraints, reasons):
    givens, units = reasons.givens, reasons.units
    assert not holds(puzzle, constraints, (givens, units))
    for given in givens:
        assert holds(puzzle, constraints, ([g for g in givens if g != given], units))
    for unit in units:
        assert holds(puzzle, constraints, (givens, [u for u in units if u is not unit]))


def true_of(puzzle):
    return mask_of(
        9 * c + d - 1 for c, digits in enumerate(satdoku.candidates(puzzle)) for d in digits
    )
