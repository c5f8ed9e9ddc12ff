import subprocess
import sys

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, obeys

from satdoku.crosscheck import (
    Answer,
    BackendMissing,
    Budget,
    ask,
    ask_everything,
    configuration_names,
    disagreements,
    installed_names,
)
from satdoku.model import rules as model_rules
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid, parse_grid
from satdoku.model.rules import RULES, Rule
from satdoku.runtime.errors import Status
from satdoku.witness import rules as witness_rules
from satdoku.witness.rules import Relation

CONSTRAINTS = constraints_for()
EMPTY_FOUR = empty_grid(FOUR)
BUDGET = Budget(timeout=60)
HOUSES = ("windoku", "disjoint")  # which `obeys` does not say


@pytest.mark.parametrize("name", configuration_names())
def test_every_backend_finds_the_published_solution(name):
    said = ask(name, parse_grid(CLASSIC), CONSTRAINTS, limit=2, budget=BUDGET)
    assert said.verdict(2) is Status.UNIQUE
    assert said.solutions == (parse_grid(CLASSIC_SOLUTION).cells,)
    assert min(said.build_s, said.solve_s) >= 0


@pytest.mark.covering
@pytest.mark.parametrize("name", installed_names())
@pytest.mark.parametrize("rule", [name for name in RULES if name not in HOUSES])
def test_every_backend_has_the_same_4x4_grids_as_brute_force(name, rule, four_by_four):
    constraints, givens = constraints_for(rule, FOUR), parse_grid("1".ljust(16, "."))
    expected = {g for g in four_by_four if g[0] == 1 and obeys(g, (rule,), 4)}
    assert set(ask(name, givens, constraints, limit=100).solutions) == expected


@pytest.mark.parametrize("rule", HOUSES)
def test_all_backends_agree_on_houses(rule):
    constraints, givens = constraints_for(rule, FOUR), parse_grid("1".ljust(16, "."))
    said = {name: ask(name, givens, constraints, limit=100) for name in installed_names()}
    assert disagreements(said, givens, constraints, 100) == []
    assert len({answer.found for answer in said.values()}) == 1


@pytest.mark.parametrize("name", installed_names())
def test_backends_know_regions_and_have_no_solution_where_there_is_none(name):
    constraints = constraints_for("jigsaw=1122112233443344")
    assert ask(name, empty_grid(constraints.board), constraints, limit=3).found == 3
    clash = parse_grid("11".ljust(16, "."), constraints.board)
    assert ask(name, clash, constraints).verdict(2) is Status.NONE


# Rules made up for the test


def ratio(x, y):
    return 2 * x != y and x != 2 * y


def not_doubled_below(x, y):
    return y != 2 * x


@pytest.fixture(params=["digits in ratio 1:2", "a digit and its double below"])
def made_up(request, monkeypatch):
    """A relation of two cells, with and without a direction, said twice; and its predicate."""
    step, allowed = {
        "digits in ratio 1:2": ((1, 1), ratio),
        "a digit and its double below": ((1, 0), not_doubled_below),
    }[request.param]

    def related(low, high):
        return (high // 4 - low // 4, abs(high % 4 - low % 4)) == step

    def excludes(board):
        for low in range(16):
            for high in filter(lambda cell: related(low, cell), range(16)):
                for x in range(1, 5):
                    for y in range(1, 5):
                        if not allowed(x, y):
                            yield 4 * low + x - 1, 4 * high + y - 1

    name = f"made-up-{step[1]}"
    monkeypatch.setitem(model_rules.RULES, name, Rule(name, request.param, excludes=excludes))
    statement = Relation(lambda *apart: apart == step, lambda x, y, size: allowed(x, y))
    monkeypatch.setitem(witness_rules.STATEMENTS, name, statement)
    pairs = [(a, b) for a in range(16) for b in range(16) if related(a, b)]
    return name, lambda grid: all(allowed(grid[a], grid[b]) for a, b in pairs)


@pytest.mark.covering
@pytest.mark.parametrize("question", [ask, ask_everything])
def test_all_backends_agree_on_a_made_up_relation(made_up, question, four_by_four):
    name, keeps = made_up
    constraints = constraints_for(name, FOUR)
    expected = set(filter(keeps, four_by_four))
    assert 0 < len(expected) < 288
    said = {
        backend: question(backend, EMPTY_FOUR, constraints, limit=300)
        for backend in configuration_names()
    }
    assert {backend for backend, each in said.items() if set(each.solutions) != expected} == set()
    assert disagreements(said, EMPTY_FOUR, constraints, 300) == []


# What is said, and whether it fits


def test_time_running_out_is_a_third_answer():
    puzzle = parse_grid("." * 38 + "1" + "." * 12 + "2" + "." * 29)
    miracle = constraints_for("miracle")
    said = ask("z3-int-distinct", puzzle, miracle, budget=Budget(timeout=0.01))
    assert not said.complete
    assert said.verdict(2) is Status.UNKNOWN
    assert said.is_bound(2)
    sure = ask("cadical153", puzzle, miracle)
    assert disagreements({"z3": said, "cadical153": sure}, puzzle, miracle, 2) == []


def test_what_was_found_before_the_budget_ended_is_a_lower_bound():
    constraints = constraints_for("diagonal", FOUR)
    said = ask("plain", EMPTY_FOUR, constraints, limit=100, budget=Budget(nodes=60))
    assert not said.complete
    assert 2 <= said.found < 48
    assert said.verdict(100) is Status.MULTIPLE


def test_a_verdict_depends_on_the_limit():
    one, two = Answer((b"1",)), Answer((b"1", b"2"))
    assert [one.verdict(1), one.verdict(2)] == [Status.SOLVED, Status.UNIQUE]
    assert [one.is_bound(1), one.is_bound(2)] == [True, False]
    assert two.verdict(2) is two._replace(complete=False).verdict(9) is Status.MULTIPLE
    assert one._replace(complete=False).verdict(2) is Status.UNKNOWN
    assert Answer().verdict(2) is Status.NONE


def test_disagreements_are_put_in_words():
    puzzle = parse_grid(CLASSIC)
    right = parse_grid(CLASSIC_SOLUTION).cells
    honest, blind, liar = Answer((right,)), Answer(), Answer((right[::-1],))

    def problems(**said):
        return disagreements(said, puzzle, CONSTRAINTS, 2)

    assert problems(a=honest, b=honest) == []
    assert problems(a=honest, b=blind) == ["b finds 0 solutions, there are at least 1"]
    assert problems(a=honest, c=liar) == ["c gives a solution that breaks the rules"]
    assert problems(b=blind, c=liar) == ["c gives a solution that breaks the rules"]
    unfinished = honest._replace(complete=False)
    assert problems(b=blind, d=unfinished) == ["b finds 0 solutions, there are at least 1"]
    assert problems(a=honest, d=blind._replace(complete=False)) == []


def test_one_that_finds_other_solutions_misses_some():
    """Each finds one of two: neither count alone shows that one is missing."""
    constraints = constraints_for("diagonal", FOUR)
    first, second, *_ = ask("plain", EMPTY_FOUR, constraints, limit=2).solutions
    said = {"a": Answer((first,)), "b": Answer((second,))}
    assert disagreements(said, EMPTY_FOUR, constraints, 5) == [
        "a finds 1 solution, there are at least 2",
        "b finds 1 solution, there are at least 2",
    ]
    assert disagreements(said, EMPTY_FOUR, constraints, 1) == []


@pytest.mark.parametrize("name", ["oracle", "glucose4/base64"])
def test_unknown_backends_are_refused_by_name(name):
    with pytest.raises(BackendMissing, match=f"no backend '{name}'.*z3-bool"):
        ask(name, parse_grid(CLASSIC), CONSTRAINTS)


def test_without_z3_the_sat_path_works_and_the_answer_says_what_is_missing():
    code = (
        "import sys; sys.modules['z3'] = None\n"
        "import satdoku\n"
        "from satdoku.crosscheck import ask, BackendMissing, installed_names\n"
        f"puzzle = satdoku.parse_grid({CLASSIC!r})\n"
        "assert satdoku.solve(puzzle)\n"
        "assert not any(name.startswith('z3') for name in installed_names())\n"
        "try: ask('z3-bool', puzzle, satdoku.constraints_for())\n"
        "except BackendMissing as error: assert 'pip install z3-solver' in str(error)\n"
        "else: raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
