"""Values of layers that are formulas: what they come to against Python's own arithmetic and plain
loops, and what is refused."""

import itertools
import random

import pytest
from examples import fill

import satdoku
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds.formulas import names_in, result
from satdoku.model.rules import RuleError
from satdoku.runtime.errors import Status
from satdoku.witness.clues.sums import STATEMENTS

FOUR = "shape=4x4;layer=double:0-1;layer=factor*1:1-2;layer=pair*2:0-1"


def random_formula(rng, depth=3):
    """A text, with more parentheses than it needs."""
    if not depth or rng.random() < 0.3:
        return rng.choice(["digit", "double", "factor", str(rng.randrange(4))])
    one, two = random_formula(rng, depth - 1), random_formula(rng, depth - 1)
    return rng.choice([f"({one})", f"-{one}", f"{one}+{two}", f"{one}-{two}", f"({one})*({two})"])


def test_random_formulas_come_to_what_python_says():
    rng = random.Random(1)
    texts = [
        text for text in (random_formula(rng) for _ in range(400)) if "d" in text or "f" in text
    ]
    for text in texts:
        values = {name: rng.randint(-3, 9) for name in ("digit", "double", "factor")}
        assert result(text, values) == eval(text, {}, values)
        assert set(names_in(text)) == {name for name in values if name in text}


@pytest.mark.parametrize("formula", ["digit*(1+double)", "factor*digit-2*-double", "5-digit"])
def test_a_puzzle_of_values_agrees_with_plain_loops(formula):
    """Digits of a row whose values have a given total, by trying all rows and modifiers."""
    every = sorted(
        {
            eval(formula, {}, {"digit": d, "double": m, "factor": f})
            for d, m, f in itertools.product(range(1, 5), (0, 1), (1, 2))
        }
    )
    rules = f"latin,{FOUR};layer=worth:{','.join(map(str, every))};formula={formula}:worth"
    total = 14
    fixed = f"sum={total}:worth.row1"
    rows = {
        row
        for row in itertools.permutations(range(1, 5))
        for factor in (1, 2)
        for marks in itertools.product((0, 1), repeat=4)
        if total
        == sum(
            eval(formula, {}, {"digit": d, "double": m, "factor": factor})
            for d, m in zip(row, marks, strict=True)
        )
    }
    found = satdoku.count("." * 16, [rules, fixed], limit=1000)
    assert found == 24 * len(rows)  # 576 Latin squares, 24 of them to a first row


def test_each_value_is_the_one_that_its_place_says():
    rules = f"{FOUR};layer=worth:-8-8;formula=(digit-2*double)*factor:worth"
    for solution in itertools.islice(satdoku.solutions("." * 16, rules), 20):
        digits, double = solution.values[:16], solution.values[16:32]
        factor, worth = solution.values[32], solution.values[35:]
        assert worth == tuple((d - 2 * m) * factor for d, m in zip(digits, double, strict=True))


def test_the_witness_reads_it_by_itself():
    """It finds what breaks it, and a certificate of a puzzle without solutions holds."""
    board = constraints_for(f"{FOUR};layer=worth:-8-16;formula=-2*(digit-double)*-factor:worth")
    (clue,) = board.clues
    parts = list(STATEMENTS["formula"](board.board, clue, (clue,)))
    assert len(parts) == 16
    for part, digit, double, factor in itertools.product(parts[:2], (1, 4), (0, 1), (1, 2)):
        right = 2 * (digit - double) * factor
        assert [w for w in range(-8, 17) if part.holds(digit, double, factor, w)] == [right]


def test_a_certificate_states_values(tmp_path, capsys):
    from satdoku.cli import main

    cells = "worth.r1c1,worth.r1c2"
    rules = f"{FOUR};layer=worth:1-4,6,8;formula=digit*(1+double):worth;sum=15:{cells}"
    path = tmp_path / "c.jsonl"
    assert main(["certify", "." * 16, "--rules", rules, "-q", "-o", str(path)]) == 0
    assert main(["verify", str(path)]) == 0
    assert "1 verified" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("clue", "problem"),
    [
        ("formula=digit*(1+double):double", "another name than 'double'"),
        ("formula=digit**2:worth", "expected 'digit', names of layers and numbers"),
        ("formula=digit/2:worth", "expected 'digit', names of layers and numbers"),
        ("formula=True*digit:worth", "expected 'digit', names of layers and numbers"),
        ("formula=digit+1000:worth", "expected 'digit', names of layers and numbers"),
        ("formula=f(digit):worth", "expected 'digit', names of layers and numbers"),
        ("formula=3:worth", "expected 'digit', names of layers and numbers"),
        ("formula=digit*treble:worth", "no layer 'treble'"),
        ("formula=digit*pair:worth", "pair is 2 variables"),
        ("formula=digit*3:worth", "digit 3 is worth 9, which layer worth does not hold"),
        ("formula=digit:r1c1", "cells of one layer"),
        ("formula=digit:pair", "cells of one layer"),
        (f"formula={'(' * 60}digit{')' * 60}:worth", "125 characters: expected at most 100"),
    ],
)
def test_what_is_no_formula_is_refused(clue, problem):
    with pytest.raises((ClueError, RuleError), match=problem.replace("*", r"\*")):
        constraints_for(f"{FOUR};layer=worth:1-4,6,8;{clue}")


def test_a_layer_called_digit_would_be_read_in_two_ways():
    with pytest.raises(ClueError, match="another name than 'digit'"):
        constraints_for("shape=4x4;layer=digit:0-4;layer=worth:0-8;formula=digit:worth")


def test_doublers_of_different_digits_are_counted_by_plain_loops():
    """One in each row, column and box, and no two of them hold the same digit."""
    lines = [f"sum=1:double.{house}{k}" for k in range(1, 5) for house in ("row", "col", "box")]
    once = [f"count={k}x1:doubled" for k in range(1, 5)]
    rules = "shape=4x4;layer=double:0-1;layer=doubled:0-4;formula=digit*double:doubled"
    places = [
        cells
        for cells in (
            [4 * row + column for row, column in enumerate(columns)]
            for columns in itertools.permutations(range(4))
        )
        if len({(cell // 8, cell % 4 // 2) for cell in cells}) == 4
    ]
    found = sum(
        any(len({grid[cell] for cell in cells}) == 4 for cells in places)
        for grid in fill(bytes(16), 0)
    )
    assert satdoku.count("." * 16, [rules, *lines, *once]) == found == 96


def test_a_batch_takes_a_layer_of_more_values_than_digits():
    lines = [f"sum=1:double.{house}{k}" for k in range(1, 5) for house in ("row", "col")]
    rules = "shape=4x4;layer=double:0-1;layer=worth:1-4,6,8;formula=digit*(1+double):worth"
    (puzzle,) = satdoku.generate(1, [rules, *lines], seed=3)
    text = "".join(map(str, puzzle[:16])).replace("0", ".")
    found = satdoku.solve_batch([text], [rules, *lines])
    assert found.statuses.tolist() == [Status.UNIQUE]
    assert found.solutions[0, :16].tolist() == [*satdoku.solve(text, [rules, *lines]).values[:16]]
