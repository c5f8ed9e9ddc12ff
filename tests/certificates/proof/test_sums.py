"""Sums that certificates state: derived again, true of every solution, and nothing else passes."""

import io
import json
import random
import time
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from clue_examples import keeps
from examples import CLASSIC_SOLUTION, FOUR
from pysat.solvers import Solver
from wide_puzzles import wide_puzzles

from satdoku.certificates import make
from satdoku.certificates.check import SectionChecker
from satdoku.certificates.fields import CertificateError, parse_json
from satdoku.certificates.format import (
    Certificate,
    Proof,
    read_certificates,
    write_section,
)
from satdoku.certificates.proof import ProofError, formula, sums
from satdoku.certificates.proof.formula import (
    difference,
    flat,
    format_formula,
    restated,
    variables_of,
)
from satdoku.certificates.proof.sums import Derived, Equation
from satdoku.cnf import clues
from satdoku.model.clue import read_clue
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.implied import differ, peers_of
from satdoku.model.kinds import KINDS

SUMS = sorted(name for name, kind in KINDS.items() if kind.sums)
CACHES = (clues.summed, make.preamble_of, make._clauses_of, make._checker_of)
ROWS = tuple(tuple(range(4 * row, 4 * row + 4)) for row in range(4))


@pytest.fixture
def every_sum(monkeypatch):
    """However few clauses the automata of sums have, certificates have none of them."""
    monkeypatch.setattr(clues, "HEAVY", 0)
    for cached in CACHES:
        cached.cache_clear()
    yield
    for cached in CACHES:
        cached.cache_clear()


@pytest.mark.parametrize("kind", SUMS)
def test_the_encoder_and_the_derivation_give_the_same_clauses(kind, every_sum):
    summed = 0
    for constraints in wide_puzzles(kind, 4, 6) + wide_puzzles(kind, 4, 9):
        preamble = make.preamble_of(constraints)
        clauses = make._clauses_of(constraints, True)
        variables = clues.summed(constraints)[0].variables
        stated = constraints.board, constraints.rules, preamble.sums
        assert difference(variables, clauses, *stated) is None
        summed += len(preamble.sums)
    assert summed or kind in UNSUMMED


# Their totals are of stretches, or cages say them by sets of digits.
UNSUMMED = {"cage", "magic-square", "sandwich", "x-sum"}


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


def kept(grid, rules):
    told = [read_clue(text, FOUR) for text in rules]
    return all(keeps(grid, clue, told, 4) for clue in told)


def models(clauses):
    """The 4x4 grids of the models, one for each model."""
    used = {abs(literal) for clause in clauses for literal in clause}
    unused = [[variable] for variable in range(1, max(used)) if variable not in used]
    with Solver("glucose4", bootstrap_with=[*map(list, clauses), *unused]) as solver:
        for model in solver.enum_models():
            yield bytes((x - 1) % 4 + 1 for x in model[:64] if x > 0)


def test_each_solution_is_one_model_whatever_is_derived(four_by_four):
    """Sums of the maker's choice or not: nothing is lost, and if each clue is one, all is said."""
    rng = random.Random(3)
    for case in range(30):
        rules = clues_of(rng.choice(four_by_four), rng, rng.randint(1, 3))
        stated = [derivation(rng, rules) for _ in range(case % 3)]
        for number in range(len(rules)):
            named = ((1, number),)
            stated.append(Derived(named, (), segments_of(rng, rules, named, ())))
        expected = sorted(grid for grid in four_by_four if kept(grid, rules))
        assert sorted(models(restated(FOUR, rules, tuple(stated)))) == expected


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


@pytest.mark.parametrize("each", [30, pytest.param(250, marks=pytest.mark.slow)])
def test_no_falsified_sum_is_accepted(four_by_four, monkeypatch, each):
    """Each certificate claims that a puzzle with solutions has none, and has a whole proof of that,
    by sums that do not follow; so many of each sort."""
    rng, refused = random.Random(each), Counter()
    while sum(refused.values()) < each * len(KINDS_OF_FALSE):
        kind = KINDS_OF_FALSE[sum(refused.values()) % len(KINDS_OF_FALSE)]
        grid = rng.choice(four_by_four)
        rules = clues_of(grid, rng, 2, 7)
        if len(rules) < 2:
            continue
        stated, off = falsified(rng, rules, kind)
        if kind in ("multiplier", "clue"):  # a CNF of a false total needs other names to hold
            off = rng.choice((-1, 1))
            named = named_otherwise(rng, stated, rules, kind)
        else:
            named = stated
        clauses, text = forged(FOUR, rules, (stated,), monkeypatch, off)
        given = rng.sample(range(16), 14)
        puzzle = Grid(bytes(d if cell in given else 0 for cell, d in enumerate(grid)), FOUR)
        units = [[4 * cell + grid[cell]] for cell in sorted(given)]
        proof = make.refute([*map(list, clauses), *units])
        if proof is None:  # false, but too weak for a false claim
            continue
        preamble = replace(EMPTY, rules=rules, cnf=text, sums=(named,))
        made = Certificate(puzzle, "none", (), "cadical153", Proof(proof))
        assert SectionChecker(preamble).refusal(made), (kind, rules, named)
        refused[kind] += 1
    assert refused == dict.fromkeys(KINDS_OF_FALSE, each)


EMPTY = make.preamble_of(constraints_for("classic", FOUR))


TOLD = "sum=20:r1c1,r2c2,r3c3,r4c4,r1c4,r2c3,r3c2,r4c1", "sum=9:r1c1,r2c2,r4c3,r3c3"
SEGMENTS = ((0, 5), (10,), (14,))
FALSE = {
    "which is no clue that is an equation": Derived(((1, 2),), (), SEGMENTS),
    "which are no house": Derived(((1, 1),), ((1, (0, 1, 2, 4)),), SEGMENTS),
    "are not its cells": Derived(((1, 1),), ((1, ROWS[0]),), SEGMENTS),
    "do not count alike": Derived(((1, 1),), ((1, ROWS[0]),), ((0, 5), (10, 14), (1, 2, 3))),
    "may hold the same digit": Derived(((1, 1),), (), ((0, 10), (5, 14))),
}


@pytest.mark.parametrize("reason", FALSE)
def test_why_a_sum_does_not_follow_is_told(reason):
    good = Derived(((1, 1),), (), SEGMENTS)
    assert restated(FOUR, TOLD, (good,)) != restated(FOUR, TOLD)
    with pytest.raises(ProofError, match=reason):
        restated(FOUR, TOLD, (FALSE[reason],))


def test_what_is_made_is_bounded_before_it_is_made():
    """Sums of huge multipliers have as many values as there are ways to add their digits."""
    texts = tuple(f"sum={n}:r1c1,r2c2,r3c3,r4c4,r{1 + n % 4}c2,r1c3" for n in range(13, 17))
    named = tuple((7 ** (3 * number) * 11, number) for number in range(len(texts)))
    board = FOUR
    rng = random.Random(1)
    segments = segments_of(rng, texts, named, ())
    start = time.process_time()
    with pytest.raises(ProofError, match="more than 500,000 clauses"):
        restated(board, texts, (Derived(named, (), segments),) * 2_000)
    assert time.process_time() - start < 30


@pytest.fixture
def long_sum():
    """A puzzle whose sum of 26 cells, two of them with weights, makes a heavy automaton."""
    rng = random.Random(5)
    cells = rng.sample(range(81), 28)
    weights = [10, 1, *[-1] * 26]
    total = sum(w * int(CLASSIC_SOLUTION[c]) for w, c in zip(weights, cells, strict=True))
    names = ",".join(f"r{cell // 9 + 1}c{cell % 9 + 1}" for cell in cells)
    constraints = constraints_for(f"weighted={','.join(map(str, weights))}={total}:{names}")
    return constraints, "".join(d if rng.random() < 0.4 else "." for d in CLASSIC_SOLUTION)


def written(preamble, *certificates):
    stream = io.BytesIO()
    write_section(stream, preamble, certificates)
    return stream.getvalue()


def test_a_long_sum_is_written_read_and_checked(long_sum, tmp_path):
    constraints, puzzle = long_sum
    preamble, made = make.certify(puzzle, constraints)
    (tmp_path / "made").write_bytes(written(preamble, made))
    (entry,) = read_certificates(str(tmp_path / "made"))
    head = parse_json(written(preamble).splitlines()[0])
    assert head["version"] == 4 and len(head["sums"]) == 1
    assert entry.preamble.sums == preamble.sums
    assert SectionChecker(entry.preamble).refusal(entry.certificate) is None
    plain = make.preamble_of(constraints, sums=False)
    assert not plain.sums and len(plain.cnf) > 2 * len(preamble.cnf)
    (same,) = make.certify_batch([puzzle], constraints, sums=False)
    assert SectionChecker(plain).refusal(same) is None


@pytest.mark.parametrize("spoil", [
    lambda head: head.pop("sums"),
    lambda head: head.update(version=2),
    lambda head: head.update(sums=[]),
    lambda head: head["sums"].append({}),
    lambda head: head["sums"][0].update(more=[]),
    lambda head: head["sums"][0]["clues"][0].append(1),
    lambda head: head["sums"][0].update(clues=[[True, 0]]),
    lambda head: head["sums"][0].update(segments=[["a"]]),
    lambda head: head["sums"][0].update(houses=[[1, "ab"]]),
])  # fmt: skip
def test_a_preamble_with_other_fields_of_sums_is_refused(long_sum, spoil, tmp_path):
    preamble = make.preamble_of(long_sum[0])
    head, *rest = written(preamble).splitlines(keepends=True)
    fields = parse_json(head)
    spoil(fields)
    (tmp_path / "spoilt").write_bytes(b"".join([json.dumps(fields).encode() + b"\n", *rest]))
    with pytest.raises(CertificateError, match=r"sums|version|unknown field"):
        list(read_certificates(str(tmp_path / "spoilt")))
