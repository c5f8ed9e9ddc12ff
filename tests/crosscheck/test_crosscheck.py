import subprocess
import sys

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, obeys

from satdoku.crosscheck import (
    WITNESSES,
    Z3_MODELS,
    Findings,
    WitnessMissing,
    ask,
    disagreements,
)
from satdoku.errors import Status
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid, parse_grid
from satdoku.model.rules import RULES

PLAIN_RULES = [name for name in RULES if name != "jigsaw"]
CLASSIC_LAW = constraints_for()


@pytest.mark.parametrize("witness", WITNESSES)
def test_every_witness_finds_the_published_solution(witness):
    said = ask(witness, parse_grid(CLASSIC), CLASSIC_LAW, limit=2, timeout=60)
    assert said.status(2) is Status.UNIQUE
    assert said.solutions == {parse_grid(CLASSIC_SOLUTION).cells}
    assert said.build_seconds >= 0


@pytest.mark.parametrize("model", Z3_MODELS)
@pytest.mark.parametrize("rule", PLAIN_RULES)
def test_every_model_has_the_same_4x4_grids_as_the_session(model, rule):
    constraints = constraints_for(rule, FOUR)
    givens = parse_grid("1".ljust(16, "."))
    mine = ask("cadical153", givens, constraints, limit=100)
    said = ask(model, givens, constraints, limit=100)
    assert said.solutions == mine.solutions
    assert disagreements([mine, said], givens, constraints, 100) == []


@pytest.mark.parametrize("model", Z3_MODELS)
def test_models_agree_with_brute_force(model, four_by_four):
    puzzle = parse_grid("12.." + "." * 12)
    constraints = constraints_for("diagonal", FOUR)
    expected = {g for g in four_by_four if g[:2] == b"\1\2" and obeys(g, ("diagonal",), 4)}
    assert ask(model, puzzle, constraints, limit=100).solutions == expected


@pytest.mark.parametrize("model", Z3_MODELS)
def test_models_know_regions_and_have_no_solution_where_there_is_none(model):
    constraints = constraints_for("jigsaw=1122112233443344")
    assert len(ask(model, empty_grid(constraints.board), constraints, limit=3).solutions) == 3
    clash = parse_grid("11".ljust(16, "."), constraints.board)
    assert ask(model, clash, constraints).status(2) is Status.NONE


def test_time_running_out_is_a_third_answer():
    puzzle = parse_grid("." * 38 + "1" + "." * 12 + "2" + "." * 29)
    said = ask("z3-int-distinct", puzzle, constraints_for("miracle"), timeout=0.01)
    assert not said.complete
    assert said.status(2) is Status.UNKNOWN
    sure = ask("cadical153", puzzle, constraints_for("miracle"))
    assert disagreements([said, sure], puzzle, constraints_for("miracle"), 2) == []


def test_disagreements_are_put_in_words():
    puzzle = parse_grid(CLASSIC)
    right = parse_grid(CLASSIC_SOLUTION).cells
    wrong = right[::-1]
    honest = Findings("a", frozenset({right}), True, 0, 0)
    blind = Findings("b", frozenset(), True, 0, 0)
    liar = Findings("c", frozenset({wrong}), True, 0, 0)
    assert disagreements([honest, blind], puzzle, CLASSIC_LAW, 2) == [
        "a finds 1 solutions, b 0",
    ]
    assert disagreements([honest, liar], puzzle, CLASSIC_LAW, 2) == [
        "c gives a solution that breaks the rules",
        "a and c find different solutions",
    ]
    unfinished = Findings("d", frozenset({right}), False, 0, 0)
    assert disagreements([blind, unfinished], puzzle, CLASSIC_LAW, 2) == [
        "b finds 0 solutions, another at least 1"
    ]


def test_unknown_witnesses_are_refused_by_name():
    with pytest.raises(WitnessMissing, match="z3-bool"):
        ask("oracle", parse_grid(CLASSIC), CLASSIC_LAW)


def test_without_z3_the_sat_path_works_and_the_witness_says_what_is_missing():
    code = (
        "import sys; sys.modules['z3'] = None\n"
        "import satdoku\n"
        "from satdoku.crosscheck import ask, WitnessMissing\n"
        f"puzzle = satdoku.parse_grid({CLASSIC!r})\n"
        "assert satdoku.solve(puzzle)\n"
        "try: ask('z3-bool', puzzle, satdoku.constraints_for())\n"
        "except WitnessMissing as error: assert 'z3-solver' in str(error)\n"
        "else: raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
