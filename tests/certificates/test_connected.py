"""Proofs with lemmas: claims are those of brute force, and no false lemma is believed."""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import permutations
from random import Random

import pytest
from certificate_cases import section, write
from soak import share

from satdoku.answers.solver import DEFAULT_SOLVER, FLOODED, solve_clauses
from satdoku.certificates import check, connected, trim
from satdoku.certificates.check import SectionChecker, checked, formula_of
from satdoku.certificates.connected import LemmasError
from satdoku.certificates.fields import CertificateError
from satdoku.certificates.format import Proof
from satdoku.certificates.make import PROVERS, certify, preamble_of, with_hints
from satdoku.certificates.proof.formula import connections
from satdoku.certificates.proof.rup import split
from satdoku.cnf.encodings import encode
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import of_grids
from satdoku.runtime.errors import WitnessError

BESIDE = [
    [o for o in range(16) if abs(o // 4 - c // 4) + abs(o % 4 - c % 4) == 1] for c in range(16)
]
AT_EDGE = [cell for cell in range(16) if len(BESIDE[cell]) < 4]
# Rules on 4x4 Latin squares: the digits of each statement, how many cells hold them, and whether
# outside is one more.
CASES = {
    "latin,shape=4x4;connected=1,2": [({1, 2}, None, False)],  # which none satisfies
    "latin,shape=4x4;connected=1,2,3;edge-connected=1,4": [
        ({1, 2, 3}, None, False), ({1, 4}, None, True),
    ],
    "latin,shape=4x4;edge-connected=1,3;edge-connected=2": [
        ({1, 3}, None, True), ({2}, None, True),
    ],
    "shape=4x4;connected=1,2,4x12;edge-connected=2,3": [
        ({1, 2, 4}, 12, False), ({2, 3}, None, True),
    ],
}  # fmt: skip
SHADED = (
    "latin,shape=4x4;layer=shade:0-1;connected=1x4:shade;"
    "sum=4:r1c1,shade.r1c1;sum=2:r4c4,shade.r4c4"
)


def is_connected(cells, is_open):
    """By growing from one cell; an open area is connected over what is outside."""
    cells = set(cells)
    reached = {cell for cell in cells if cell in AT_EDGE} if is_open else {*sorted(cells)[:1]}
    for _ in range(16):
        reached |= {other for cell in reached for other in BESIDE[cell] if other in cells}
    return reached == cells


@cache
def latin_squares():
    rows = list(permutations((1, 2, 3, 4)))
    found = [()]
    for _ in range(4):
        found = [
            (*some, row) for some in found for row in rows
            if all(a != b for line in some for a, b in zip(line, row, strict=True))
        ]  # fmt: skip
    return [bytes(digit for row in some for digit in row) for some in found]


def has_boxes(grid):
    boxes = ((0, 1, 4, 5), (2, 3, 6, 7), (8, 9, 12, 13), (10, 11, 14, 15))
    return all(len({grid[cell] for cell in box}) == 4 for box in boxes)


@cache
def grids_of(rules):
    """All full grids of a rule set, by brute force."""
    if rules == SHADED:
        return [grid for grid in latin_squares() if is_shadeable(grid)]
    return [
        grid for grid in latin_squares()
        if ("latin" in rules or has_boxes(grid)) and all(
            is_connected(own := [c for c in range(16) if grid[c] in held], is_open)
            and (number is None or len(own) == number)
            for held, number, is_open in CASES[rules]
        )
    ]  # fmt: skip


@cache
def masks(is_open):
    """All connected sets of cells of the 4x4 board, each as a number; outside is cell 16."""
    every = ([cell for cell in range(16) if mask >> cell & 1] for mask in range(1 << 16))
    return [mask_of(some) | is_open << 16 for some in every if is_connected(some, is_open)]


def mask_of(cells):
    return sum(1 << cell for cell in cells)


def is_shadeable(grid):
    """Whether some four connected cells hold a 1 where the digits say so, and no other does."""
    ends = 4 - grid[0], 2 - grid[15]
    return any((some & 1, some >> 15) == ends for some in masks(False) if some.bit_count() == 4)


def puzzle_of(random, rules):
    source = random.choice(grids_of(rules) or latin_squares())
    cells = bytearray(16)
    for cell in random.sample(range(16), random.randint(0, 9)):
        cells[cell] = source[cell] if random.random() < 0.9 else random.randint(1, 4)
    return of_grids(bytes(cells), constraints_for(rules).board)


def certificates_of(random, rules, count):
    constraints = constraints_for(rules)
    for number in range(count):
        yield certify(puzzle_of(random, rules), constraints, every=number % 2 == 1)


@pytest.mark.parametrize("rules", [*CASES, SHADED])
def test_claims_are_those_of_brute_force(rules, tmp_path):
    constraints, lemmas, claims = constraints_for(rules), 0, set()
    for preamble, made in certificates_of(Random(rules), rules, 10):
        given = made.puzzle.cells[:16]
        every = {
            grid for grid in grids_of(rules)
            if all(g in (0, d) for g, d in zip(given, grid, strict=True))
        }  # fmt: skip
        shown = {solution.cells[:16] for solution in made.solutions}
        assert shown <= every
        assert len(shown) == (len(every) if made.claim == "all" else min(len(every), 2))
        hinted = with_hints(preamble, made)
        path = write(tmp_path / "connected", section([made, hinted], constraints))
        for compiled in (True, False):
            assert [f.reason for f in checked(path, compiled=compiled)] == [None, None]
        if made.proof:
            lemmas += len(made.proof.lemmas)
            assert hinted.proof.lemmas == made.proof.lemmas
            if made.proof.text != "0\n":
                assert solve_clauses(list(split(formula_of(preamble, made)[1]))) is None
        claims.add(made.claim)
    assert lemmas
    assert claims >= ({"unique", "all", "multiple"} if grids_of(rules) else {"none"})


def test_every_lemma_of_a_certificate_is_needed_by_its_proof():
    preamble, made = certify("." * 16, next(iter(CASES)), every=True)
    checker = SectionChecker(preamble)
    assert len(made.proof.lemmas) > 10
    for number in range(len(made.proof.lemmas)):
        fewer = made.proof.lemmas[:number] + made.proof.lemmas[number + 1 :]
        reason = checker.refusal(replace(made, proof=replace(made.proof, lemmas=fewer)))
        assert reason is None or reason.startswith("proof step")
    none = replace(made, proof=replace(made.proof, lemmas=()))
    assert checker.refusal(none).startswith("proof step")
    assert "proof step" in checker.refusal(with_hints_removed(preamble, made))


def with_hints_removed(preamble, made):
    """An LRAT proof whose hints name lemmas that are gone."""
    hinted = with_hints(preamble, made)
    return replace(hinted, proof=replace(hinted.proof, lemmas=hinted.proof.lemmas[:1]))


# False lemmas --------------------------------------------------------------------------------


def follows(lemma, stated):
    """Whether one statement implies a lemma, by looking at every area that it allows."""
    for own, edges, (least, most) in stated:
        place = {literal: at for at, literal in enumerate(own)}
        if all(abs(literal) in place for literal in lemma):
            have = mask_of({place[-literal] for literal in lemma if literal < 0})
            lack = mask_of({place[literal] for literal in lemma if literal > 0})
            allowed = masks(any(16 in edge for edge in edges))
            return not any(
                some & have == have and not some & lack
                for some in allowed
                if not some or least <= some.bit_count() <= most
            )
    return False


def mutant(random, lemmas, stated):
    """One lemma with one random change, and its place."""
    which = random.randrange(len(lemmas))
    lemma = list(lemmas[which])
    place, literals = random.randrange(len(lemma)), [x for own, _, _ in stated for x in own]
    match random.randrange(6):
        case 0:
            lemma[place] *= -1
        case 1:
            del lemma[place]
        case 2:
            lemma[place] = random.choice(literals) * (1 if lemma[place] > 0 else -1)
        case 3:  # a cell beside
            lemma[place] += random.choice((-4, -1, 1, 4))
        case 4:  # two cells swapped
            other = random.randrange(len(lemma))
            a, b = lemma[place], lemma[other]
            lemma[place], lemma[other] = abs(b) * (a // abs(a)), abs(a) * (b // abs(b))
        case _:
            lemma[place] = random.choice([0, 1, -1, literals[-1] + 1, 10**8, -lemma[place]])
    return which, tuple(lemma)


def test_no_false_lemma_is_accepted():
    random, tried = Random(5), Counter()
    cases = []
    for rules in (*CASES, SHADED):
        stated = connections(constraints_for(rules).board, constraints_for(rules).rules)
        made = [some for some in certificates_of(random, rules, 4) if some[1].proof]
        cases += [(stated, *some) for some in made if some[1].proof.lemmas]
    checkers = {id(preamble): SectionChecker(preamble) for _, preamble, _ in cases}
    while tried[False] < share(1000):
        stated, preamble, made = random.choice(cases)
        lemmas = made.proof.lemmas
        which, lemma = mutant(random, lemmas, stated)
        spoilt = (*lemmas[:which], lemma, *lemmas[which + 1 :])
        reason = checkers[id(preamble)].refusal(
            replace(made, proof=replace(made.proof, lemmas=spoilt))
        )
        is_true = follows(lemma, stated)
        if not is_true:
            assert reason == f"lemma {which + 1}: it does not follow from what must be connected"
        tried[is_true] += 1
    assert tried[True] < tried[False]


def test_falsified_lemmas_in_files(tmp_path):
    """Whatever a file says in their place ends in a refusal."""
    rules = next(iter(CASES))
    constraints = constraints_for(rules)
    _, made = certify("." * 16, constraints, every=True)
    lines = section([made], constraints)
    lemma = lines[1]["proof"]["lemmas"][0]
    for wrong in (
        [], {}, None, "1 2 0", [[]], [1], [[0]], [[True]], [["1"]], [[*lemma, 0]], [[10**8]],
        [lemma, []], [[lemma]], [lemma, None], [[-x for x in lemma]],
    ):  # fmt: skip
        spoilt = copy.deepcopy(lines)
        spoilt[1]["proof"]["lemmas"] = wrong
        path = write(tmp_path / "spoilt", spoilt)
        try:
            assert all(finding.reason for finding in checked(path))
        except CertificateError as error:
            assert "lemmas" in str(error)
    (given,) = checked(write(tmp_path / "sound", lines))
    assert given.reason is None


def test_lemmas_where_nothing_must_be_connected():
    preamble, made = certify("1234" + "." * 12, "latin,shape=4x4", every=True)
    spoilt = replace(made, proof=replace(made.proof, lemmas=((-1,),)))
    assert SectionChecker(preamble).refusal(spoilt).startswith("lemma 1")


# Making --------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", PROVERS)
def test_every_prover(solver):
    preamble, made = certify("." * 16, next(iter(CASES)), every=True, solver=solver)
    assert made.proof.lemmas
    assert SectionChecker(preamble).refusal(made) is None


@pytest.mark.parametrize("rules", CASES)
def test_a_proof_that_is_not_cut_down_holds_as_well(rules, monkeypatch):
    short = certify("." * 16, rules, every=True)[1].proof
    monkeypatch.setattr(trim, "BUDGET", 0)
    preamble, made = certify("." * 16, rules, every=True)
    assert SectionChecker(preamble).refusal(made) is None
    assert len(made.proof.lemmas) >= len(short.lemmas)
    assert len(made.proof.text) > len(short.text)


def test_a_solver_that_asks_for_nothing_is_corrected_model_by_model(monkeypatch):
    monkeypatch.setattr(connected, "_searched", lambda *_: None)
    preamble, made = certify("." * 16, next(iter(CASES)), every=True, solver="glucose4")
    assert made.proof.lemmas
    assert SectionChecker(preamble).refusal(made) is None


def test_the_certificate_names_the_solver_that_floods():
    assert certify("." * 16, next(iter(CASES)))[1].solver == FLOODED
    assert certify("." * 16, next(iter(CASES)), solver="glucose4")[1].solver == "glucose4"
    assert certify("." * 16, "shape=4x4", every=True)[1].solver == DEFAULT_SOLVER


def test_a_solution_more_is_found(monkeypatch):
    constraints = constraints_for(SHADED)
    monkeypatch.setattr("satdoku.certificates.make._answer", lambda *_: ("none", ()))
    with pytest.raises(WitnessError, match="a solution beyond the 0"):
        certify("." * 16, constraints)


def test_too_many_lemmas_for_a_line(monkeypatch):
    monkeypatch.setattr(connected, "MAX_VALUES", 20)
    with pytest.raises(LemmasError, match="expected at most 10"):
        certify("." * 16, next(iter(CASES)), every=True)


def test_proofs_without_lemmas_are_written_as_before():
    assert Proof("0\n").to_json().keys() == {"format", "sha256", "text"}
    preamble = preamble_of(constraints_for(SHADED))
    assert preamble.to_json()["version"] == 3
    assert encode(constraints_for(SHADED)).areas


def test_lemmas_cost_what_a_check_may():
    preamble, made = certify("." * 16, next(iter(CASES)), every=True)
    literals = sum(map(len, made.proof.lemmas))
    cost = check.FLOODED * literals
    reason = SectionChecker(preamble, budget=cost - 1).refusal(made)
    assert reason == f"lemma {len(made.proof.lemmas)}: given up: the check costs more than allowed"
    assert SectionChecker(preamble, budget=cost + 10**6).refusal(made) is None
