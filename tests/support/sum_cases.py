"""Sums for tests: derived at random from clues that a 4x4 grid keeps, forged, and a heavy one."""

import random
from collections import Counter
from itertools import combinations
from typing import NamedTuple

from examples import CLASSIC_SOLUTION, FOUR

from satdoku.certificates.make import refute
from satdoku.certificates.proof import formula, sums
from satdoku.certificates.proof.formula import flat, format_formula, variables_of
from satdoku.certificates.proof.sums import Derived, Equation
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.implied import differ, peers_of

ROWS = tuple(tuple(range(4 * row, 4 * row + 4)) for row in range(4))


def clues_of(grid, rng, count, most=10):
    """Texts of sums that a 4x4 grid keeps, of three cells and more."""
    texts = []
    for _ in range(count):
        cells = rng.sample(range(16), rng.randint(3, most))
        names = ",".join(f"r{cell // 4 + 1}c{cell % 4 + 1}" for cell in cells)
        if rng.random() < 0.5:
            texts.append(f"sum={sum(grid[cell] for cell in cells)}:{names}")
        else:
            weights = [rng.choice((1, 1, 2, -1)) for _ in cells]
            total = sum(w * grid[cell] for w, cell in zip(weights, cells, strict=True))
            texts.append(f"weighted={','.join(map(str, weights))}={total}:{names}")
    return tuple(dict.fromkeys(texts))


def derivation(rng, rules, differ_too=True):
    """A random total of clues and rows, and segments whose cells differ, or need not."""
    numbers = rng.sample(range(len(rules)), rng.randint(1, len(rules)))
    named = tuple((rng.choice((1, 1, -1, 2)), number) for number in numbers)
    houses = tuple((rng.choice((1, -1)), house) for house in rng.sample(ROWS, rng.randint(0, 2)))
    return Derived(named, houses, segments_of(rng, rules, named, houses, differ_too))


def segments_of(rng, rules, named, houses, differ_too=True):
    weights = Counter()
    equations = formula._equations(
        FOUR, formula._stated(FOUR, rules), rules, (Derived(named, (), ()),)
    )
    for times, number in named:
        for cell, weight in equations[number].weights.items():
            weights[cell] += times * weight
    for times, house in houses:
        weights.update(dict.fromkeys(house, times))
    left = [cell for cell, weight in weights.items() if weight]
    rng.shuffle(left)
    peers, found = peers_of(constraints_for("classic", FOUR)), []
    for cell in left:
        for segment in found:
            alike = weights[segment[0]] == weights[cell]
            if alike and len(segment) < 4 and (not differ_too or differ((*segment, cell), peers)):
                segment.append(cell)
                break
        else:
            found.append([cell])
    return tuple(map(tuple, found))


class Credulous(sums.Adder):
    """An adder of a forger: each set of cells is a house, and cells differ that need not."""

    def __init__(self, cells, size, differ, houses, equations, fresh):
        every = [*houses, *combinations(range(cells), size)]
        super().__init__(cells, size, lambda a, b: True, every, equations, fresh)

    def _nowhere_else(self, cells, among):
        return iter(())


def forged(board, rules, stated, patch, off=0):
    """The CNF of sums that need not follow, as text; `off`: what is added to the clues' totals."""
    equations = formula._equations

    def shifted(*told):
        found = equations(*told)
        return {number: Equation(one.weights, one.total + off) for number, one in found.items()}

    with patch.context() as patched:
        patched.setattr(formula, "Adder", Credulous)
        patched.setattr(formula, "_equations", shifted)
        clauses = sorted(formula._restated.__wrapped__(board, rules, stated)[0])
    return clauses, format_formula(variables_of(clauses, board), flat(clauses))


def falsified(rng, rules, kind):
    """A sum that does not follow, and how far totals are off in the CNF."""
    good = derivation(rng, rules)
    if kind == "total":
        return good, rng.choice((-2, -1, 1, 2))
    if kind == "house":
        house = tuple(sorted(rng.sample(range(16), 4)))
        houses = (*good.houses, (rng.choice((1, -1)), house))
        return Derived(good.clues, houses, segments_of(rng, rules, good.clues, houses)), 0
    if kind == "segments":
        return derivation(rng, rules, differ_too=False), 0
    # The CNF is that of another multiplier, or of another clue, than the certificate names.
    return good, 0


def named_otherwise(rng, stated, rules, kind):
    """What the certificate names in place of what its CNF was made of."""
    place = rng.randrange(len(stated.clues))
    times, number = stated.clues[place]
    if kind == "multiplier":
        told = (times + rng.choice((-3, -1, 1, 2)), number)
    else:
        told = (times, rng.choice([other for other in range(len(rules)) if other != number]))
    return stated._replace(clues=(*stated.clues[:place], told, *stated.clues[place + 1 :]))


KINDS_OF_FALSE = ("total", "house", "segments", "multiplier", "clue")


class Forgery(NamedTuple):
    """A puzzle with solutions that has none by a sum which does not follow.

    named: the sum that is stated. clauses: those that it is said to give, and their text. proof: a
    whole DRAT proof, by these, that there is no solution.
    """

    kind: str
    rules: tuple[str, ...]
    named: Derived
    clauses: list[tuple[int, ...]]
    text: str
    puzzle: Grid
    proof: str


def forgeries(grids, patch, each):
    """So many of each sort."""
    rng, made = random.Random(each), 0
    while made < each * len(KINDS_OF_FALSE):
        kind = KINDS_OF_FALSE[made % len(KINDS_OF_FALSE)]
        grid = rng.choice(grids)
        rules = clues_of(grid, rng, 2, 7)
        if len(rules) < 2:
            continue
        stated, off = falsified(rng, rules, kind)
        if kind in ("multiplier", "clue"):  # a CNF of a false total needs other names to hold
            off = rng.choice((-1, 1))
            named = named_otherwise(rng, stated, rules, kind)
        else:
            named = stated
        clauses, text = forged(FOUR, rules, (stated,), patch, off)
        given = rng.sample(range(16), 14)
        puzzle = Grid(bytes(d if cell in given else 0 for cell, d in enumerate(grid)), FOUR)
        units = [[4 * cell + grid[cell]] for cell in sorted(given)]
        proof = refute([*map(list, clauses), *units])
        if proof is not None:  # else false, but too weak for a false claim
            yield Forgery(kind, rules, named, clauses, text, puzzle, proof)
            made += 1


def long_sum():
    """A puzzle with one solution whose sum of 16 cells, two of them with weights, makes a heavy
    automaton: its constraints and its givens, with which propagation alone does not solve it."""
    cells = random.Random(5).sample(range(81), 16)
    weights = [10, 1, *[-1] * 14]
    total = sum(w * int(CLASSIC_SOLUTION[c]) for w, c in zip(weights, cells, strict=True))
    names = ",".join(f"r{cell // 9 + 1}c{cell % 9 + 1}" for cell in cells)
    constraints = constraints_for(f"weighted={','.join(map(str, weights))}={total}:{names}")
    rng = random.Random(133)
    return constraints, "".join(d if rng.random() < 0.34 else "." for d in CLASSIC_SOLUTION)
