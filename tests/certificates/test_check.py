"""The check of certificates: sound ones pass; spoilt ones are rejected, or are still true."""

import copy
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import layer_cases
import pytest
from certificate_cases import is_true, samples, section, slow_judge, spoil, write
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, PUZZLES
from soak import share

from satdoku import solve
from satdoku.answers.solver import solve_clauses
from satdoku.certificates.check import (
    SectionChecker,
    check_certificates,
    checked,
    formula_of,
    whole_formula,
)
from satdoku.certificates.fields import CertificateError
from satdoku.certificates.format import Proof, write_section
from satdoku.certificates.make import CertifyError, certify, preamble_of, with_hints
from satdoku.certificates.proof import Outcome, Verdict, external, parse_formula
from satdoku.certificates.proof.rup import COMPILED, split
from satdoku.cnf.encodings import encode
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, empty_grid, of_grids
from satdoku.runtime.errors import SatdokuError

INKALA = (PUZZLES / "inkala-2012.txt").read_text()
NOT_IMPLIED = Verdict(Outcome.NOT_IMPLIED, 1).describe()


@pytest.fixture(scope="module")
def sections(four_by_four):
    """Lines of forty certificates of random 4x4 puzzles, every claim among them."""
    return [section([made]) for made in samples(Random(1), four_by_four, 40)]


def accepts(path, compiled):
    """Whether every certificate of the file is read and accepted."""
    try:
        return all(finding.reason is None for finding in checked(path, compiled=compiled))
    except CertificateError:
        return False


def test_the_unspoilt_pass_and_so_says_the_slow_judge(sections, four_by_four, tmp_path):
    claims = Counter(lines[1]["claim"] for lines in sections)
    assert claims.keys() == {"unique", "none", "multiple", "all"}
    for lines in sections:
        path = write(tmp_path / "sound", lines)
        assert accepts(path, True)
        assert accepts(path, False)
        assert slow_judge(lines, four_by_four)
        assert is_true(lines, four_by_four)


def try_mutants(sections, grids, tmp_path, seed, count):
    """Spoil certificates and compare the verdicts; how many were accepted, and rejected."""
    random, tally = Random(seed), Counter()
    for _ in range(count):
        lines = copy.deepcopy(random.choice(sections))
        for _ in range(random.choice((1, 1, 2))):
            spoil(random, lines, sections)
        path = write(tmp_path / "mutant", lines)
        expected = slow_judge(lines, grids)
        assert accepts(path, False) == expected, lines[1]
        assert accepts(path, COMPILED) == expected, lines[1]
        if expected:
            assert is_true(lines, grids), lines[1]
        tally[expected] += 1
    return tally


def test_four_hundred_mutants(sections, four_by_four, tmp_path):
    tally = try_mutants(sections, four_by_four, tmp_path, 2, 400)
    assert tally[False] > 160
    assert tally[True] > 40  # spoilt in a way that does no harm, such as a lemma twice


@pytest.mark.slow
def test_twenty_thousand_mutants(sections, four_by_four, tmp_path):
    try_mutants(sections, four_by_four, tmp_path, 3, 20_000)


def test_bytes_changed_at_random_never_prove_what_is_false(sections, four_by_four, tmp_path):
    random, path = Random(5), tmp_path / "bytes"
    for _ in range(300):
        lines = random.choice(sections)
        text = bytearray(Path(write(path, lines)).read_bytes())
        place = random.randrange(len(text))
        match random.randrange(3):
            case 0:
                text[place] ^= 1 << random.randrange(8)
            case 1:
                del text[place:]
            case _:
                del text[place : place + random.randint(1, 5)]
        path.write_bytes(text)
        try:
            findings = list(check_certificates(str(path)))
        except SatdokuError as error:
            assert str(path) in str(error)
            continue
        for finding in findings:
            made = finding.entry.certificate
            told = {"puzzle": str(made.puzzle), "claim": made.claim}
            told["solutions"] = [str(solution) for solution in made.solutions]
            assert finding.reason or is_true([None, told], four_by_four)


@pytest.mark.parametrize(
    ("line", "path", "value", "reason"),
    [
        (1, ["claim"], "none", "the claim 'none' with 1 solution"),
        (1, ["solutions"], ["1" * 81], "is no solution of the puzzle"),
        (1, ["solutions"], [CLASSIC_SOLUTION] * 2, "with 2 solutions"),
        (1, ["puzzle"], "." * 81, "proof step"),
        (1, ["proof", "text"], "", "sha256"),
        (0, ["cnf", "sha256"], "0" * 64, "sha256"),
        (0, ["rules"], ["knight"], "lacks"),
        (0, ["rules"], ["rook"], "the checker knows"),
        (0, ["rules"], ["row"], "the checker knows"),
        (0, ["board"], {"size": 9, "box_rows": 1, "box_columns": 9}, "do not state"),
    ],
)
def test_every_reason_is_told(line, path, value, reason, tmp_path):
    lines = section([certify(CLASSIC)[1]], constraints_for())
    fields = lines[line]
    for name in path[:-1]:
        fields = fields[name]
    fields[path[-1]] = value
    (finding,) = check_certificates(write(tmp_path / "c", lines))
    assert reason in finding.reason


def test_a_missing_proof_and_a_grid_of_another_board():
    preamble, made = certify(CLASSIC)
    assert SectionChecker(preamble).refusal(replace(made, proof=None)) == "there is no proof"
    other = Grid(bytes(16), FOUR)
    assert "not on the board" in SectionChecker(preamble).refusal(replace(made, puzzle=other))


def test_a_proof_that_is_none_and_one_with_hints():
    preamble, made = certify(INKALA)
    assert "found 'x'" in SectionChecker(preamble).refusal(replace(made, proof=Proof("1 x 0\n")))
    assert "found" in SectionChecker(preamble).refusal(replace(made, proof=Proof("5 x\n", "lrat")))
    hinted = with_hints(preamble, made)
    assert SectionChecker(preamble).refusal(hinted) is None
    lemma, hints = hinted.proof.text.split(" 0 ", 1)
    without = Proof(f"{lemma} 0 {hints.split(' ', 1)[1]}", "lrat")  # less its first hint
    assert SectionChecker(preamble).refusal(replace(made, proof=without)) == NOT_IMPLIED


def test_the_budget_and_outside_tools_can_reject(monkeypatch):
    preamble, made = certify(INKALA)
    assert "given up" in SectionChecker(preamble, budget=1).refusal(made)
    seen = []

    def refusal(tool, formula, proof, form):
        seen.append((tool, formula, proof, form))
        return "drat-trim: no"

    monkeypatch.setattr("satdoku.certificates.proof.external.refusal", refusal)
    assert SectionChecker(preamble, tools=("drat-trim",)).refusal(made) == "drat-trim: no"
    ((_, formula, proof, form),) = seen
    assert (formula, proof, form) == (formula_of(preamble, made), made.proof.text, "drat")


@pytest.mark.parametrize("tool", external.TOOLS)
@pytest.mark.parametrize(("puzzle", "every"), [(INKALA, False), ("12" + "." * 14, True)])
def test_outside_checkers_say_what_ours_does(tool, puzzle, every):
    """The real ones, where they are installed: docs/TRUST.md says how."""
    if tool not in external.available():
        pytest.skip(f"{tool} is not on the PATH")
    preamble, made = certify(puzzle, every=every)
    assert SectionChecker(preamble, tools=(tool,)).refusal(made) is None
    assert SectionChecker(preamble, tools=(tool,)).refusal(with_hints(preamble, made)) is None
    formula = formula_of(preamble, replace(made, solutions=()))  # so it can be satisfied
    hinted = with_hints(preamble, made).proof.text
    lemmas = made.proof.text if external.TOOLS[tool] == "drat" else hinted
    assert external.refusal(tool, formula, lemmas, external.TOOLS[tool]).startswith(tool)


def test_the_whole_formula_is_rules_givens_and_blocked_solutions():
    preamble, made = certify(CLASSIC)
    assert whole_formula(preamble, made).startswith(f"p cnf 729 {10_530 + 24 + 1}\n")
    assert whole_formula(preamble, made).count("\n") == 10_530 + 24 + 2


OTHER_BOARDS = (
    "shape=2x3", "shape=4x6,digits=0-5", "shape=4x4,digits=1-6,no-rows",
    "shape=4x4;holes:r2c2,r3c1",
    "shape=4x4;grids:r1c1,r3c3,r5c1;holes:r3c3", "shape=3x4,digits=0,1,2,4,8;cage=6:r1c1,r1c2",
    "shape=3x3,digits=-1-2,jigsaw=000.111..", "shape=4x4,digits=-2,0,3,5,nonconsecutive",
    "shape=5x4,latin,digits=0-6,antiqueen",
)  # fmt: skip


def _falsified(fields):
    """The fields of a board, each time with one number, place or list changed."""
    for name, value in fields.items():
        if not isinstance(value, list):
            yield from (fields | {name: value + step} for step in (-3, -2, -1, 1, 2, 3, 97, 1000))
            continue
        yield from (fields | {name: value[:i] + value[i + 1 :]} for i in range(len(value)))
        fresh = {"corners": [[1, 1], [2, 2]], "holes": [[0, 0], [9, 9]], "without": ["columns"]}
        for more in fresh.get(name, [-1, 0, 1, 2, 3, 4, 5, 6, 9]):
            yield from (fields | {name: changed} for changed in ([more, *value], [*value, more]))
        for i, entry in enumerate(value):
            for step in (-2, -1, 1, 2, 3, 50):
                places = [entry + step] if isinstance(entry, int) else []
                if isinstance(entry, list):
                    row, column = entry
                    places = [[row + step, column], [row, column + step]]
                for place in places:
                    yield fields | {name: [*value[:i], place, *value[i + 1 :]]}


def test_no_falsified_board_is_accepted(tmp_path):
    """Each number, digit, corner, hole, side and region of boards that are not usual."""
    falsified = 0
    for rules in OTHER_BOARDS:
        constraints = constraints_for(rules)
        solution = solve(empty_grid(constraints.board), rules=constraints)
        cells = bytes(d * (i % 4 != 0) for i, d in enumerate(solution.cells))
        preamble, made = certify(Grid(cells, constraints.board), constraints, every=True)
        stated, stream = preamble.to_json(), io.BytesIO()
        assert stated["version"] == 3
        write_section(stream, preamble, [made])
        path = tmp_path / "certificate.jsonl"
        path.write_bytes(stream.getvalue())
        assert [finding.reason for finding in check_certificates(str(path))] == [None]
        rest = b"".join(stream.getvalue().splitlines(keepends=True)[1:])
        for board in _falsified(stated["board"]):
            falsified += 1
            path.write_bytes(json.dumps(stated | {"board": board}).encode() + b"\n" + rest)
            try:
                reasons = [finding.reason for finding in check_certificates(str(path))]
            except SatdokuError:
                continue
            assert None not in reasons, board
    assert falsified > 1000


# Layers --------------------------------------------------------------------------------------


def made_with_layers(random, case, grids, count):
    """Certificates of random puzzles under the case's rules, as parsed lines of a file."""
    constraints = constraints_for(case.rules)
    for number in range(count):
        grid = of_grids(layer_cases.puzzle_of(random, case, grids), constraints.board)
        _, made = certify(grid, constraints, every=number % 2 == 1)
        yield constraints, made


@pytest.mark.parametrize("name", layer_cases.CASES)
def test_claims_about_boards_with_layers_are_those_of_brute_force(name, four_by_four, tmp_path):
    random, case = Random(name), layer_cases.CASES[name]
    seen = set()
    for constraints, made in made_with_layers(random, case, four_by_four, 24):
        every = layer_cases.expected(case, made.puzzle.cells[:16], four_by_four)
        shown = [solution.cells[:16] for solution in made.solutions]
        assert {*shown} <= every
        assert len({*shown}) == len(shown)
        assert len(shown) == (len(every) if made.claim == "all" else min(len(every), 2))
        lines = section([made, with_hints(preamble_of(constraints), made)], constraints)
        path = write(tmp_path / "layers", lines)
        assert accepts(path, True)
        assert accepts(path, False)
        assert all(layer_cases.is_true(case, line, four_by_four) for line in lines[1:-1])
        seen.add(made.claim)
    assert {"unique", "all"} <= seen


def test_what_is_refuted_has_no_model_and_without_a_blocking_clause_it_has_one(four_by_four):
    """The whole formula, as another tool reads it, blocks the digits of the grids alone."""
    case = layer_cases.CASES["few"]
    constraints = constraints_for(case.rules)
    formula = encode(constraints)
    for _, made in made_with_layers(Random(7), case, four_by_four, 12):
        if made.claim != "multiple":
            preamble = preamble_of(constraints)
            variables, clauses = parse_formula(whole_formula(preamble, made))
            assert variables == formula.variables
            assert solve_clauses(list(split(clauses))) is None
            if made.solutions:
                fewer = replace(made, solutions=made.solutions[1:])
                _, clauses = formula_of(preamble, fewer)
                model = solve_clauses(list(split(clauses)))
                assert formula.decode(model)[:16] == made.solutions[0].cells[:16]


def test_no_falsified_certificate_with_layers_is_accepted(four_by_four, tmp_path):
    random, tried = Random(11), Counter()
    sections = {
        name: [
            section([made], constraints)
            for constraints, made in made_with_layers(random, case, four_by_four, 4)
        ]
        for name, case in layer_cases.CASES.items()
    }
    while tried[False] < share(300):
        name = random.choice(sorted(sections))
        lines, case = copy.deepcopy(random.choice(sections[name])), layer_cases.CASES[name]
        is_board = layer_cases.spoil(random, lines, case)
        accepted = accepts(write(tmp_path / "spoilt", lines), random.random() < 0.8)
        is_false = is_board or not accepted or not layer_cases.is_true(case, lines[1], four_by_four)
        assert not (accepted and is_false), lines
        tried[accepted] += 1
    assert tried[True] < share(100)


def test_a_puzzle_says_nothing_of_layers(four_by_four):
    case = layer_cases.CASES["few"]
    preamble, made = certify(of_grids(bytes(16), layer_cases.board_of(case)), case.rules)
    solution = made.solutions[0]
    checker = SectionChecker(preamble)
    assert "in a layer" in checker.refusal(replace(made, puzzle=solution))
    with pytest.raises(CertifyError, match="given in a layer"):
        certify(solution, case.rules)
