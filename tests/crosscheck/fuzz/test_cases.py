import random
import shlex
import time
from dataclasses import replace
from itertools import islice

import pytest
from examples import FOUR, PUZZLES, obeys

import satdoku.crosscheck.fuzz
from satdoku.answers.query import Query
from satdoku.answers.solver import NO_BUDGET, SOLVERS
from satdoku.cli import main
from satdoku.cnf.encodings import ENCODINGS
from satdoku.crosscheck import Budget, ask, configuration_named
from satdoku.crosscheck.backends import NO_ENCODING, UNLIMITED, Backend, Configuration
from satdoku.crosscheck.backends.backtracking import BacktrackingBackend, search
from satdoku.crosscheck.fuzz import Case, examine, fuzz
from satdoku.crosscheck.fuzz.cases import random_case, random_constraints, shrink
from satdoku.model.board import Board, BoardError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, empty_grid, parse_grid
from satdoku.model.kinds import KINDS
from satdoku.model.puzzle import Puzzle, empty_puzzle
from satdoku.model.rules import RULES
from satdoku.runtime.errors import BudgetError, Status, Unanswered

HONEST = {name: configuration_named(name) for name in ("plain", "cadical153", "engine-numpy")}


# What random puzzles find


@pytest.mark.parametrize("seed", [1, 2])
def test_all_backends_agree_on_random_cases(seed):
    report = fuzz(60, seed, cases=4)
    assert report.failure is None, report.failure
    assert report.cases == 4
    assert report.answers >= 4 * (len(SOLVERS) + len(ENCODINGS) + 2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 106))
def test_all_backends_agree_for_long(seed):
    report = fuzz(600, seed, cases=30)
    assert report.failure is None, report.failure
    assert report.cases == 30
    assert report.unfinished <= report.answers / 10  # a few cases spend every budget


def test_random_cases_are_of_all_kinds():
    """The draws meet what they are for: else agreement would prove little."""
    rng = random.Random(7)
    cases = [random_case(random_constraints(rng), rng) for _ in range(140)]
    answers = [
        ask("plain", case.puzzle, case.constraints, limit=case.limit, budget=Budget(2_000))
        for case in cases
    ]
    assert {name for case in cases for name in case.constraints.names} == set(RULES)
    kinds = {clue.kind for case in cases for clue in case.constraints.clues}
    assert len(kinds) > 25 and any(KINDS[kind].shapes for kind in kinds)
    assert {case.constraints.board.size for case in cases} >= {4, 5, 6, 8, 9}
    assert any(b.regions is None and b.box_rows > b.box_columns > 1 for b in boards(cases))
    found = [answer.found for answer in answers if answer.complete]
    assert min(found.count(0), found.count(1), found.count(2)) >= 2
    assert sum(count >= 10 for count in found) >= 2
    assert len(answers) - len(found) <= len(answers) / 8
    assert any(case.puzzle.givens == 0 for case in cases)


def boards(cases):
    return [case.constraints.board for case in cases]


@pytest.mark.parametrize(
    ("size", "boxes"), [(12, {(2, 6), (3, 4), (4, 3), (6, 2)}), (16, {(2, 8), (4, 4), (8, 2)})]
)
def test_large_boards_come_in_all_shapes_and_mostly_from_a_solution(size, boxes):
    rng = random.Random(size)
    drawn = [random_constraints(rng, size) for _ in range(40)]
    boxed = [each.board for each in drawn if each.board.regions is None]
    assert {each.board.size for each in drawn} == {size}
    assert {(board.box_rows, board.box_columns) for board in boxed} == boxes
    assert len(boxed) < len(drawn)
    knight = constraints_for("knight", Board.of_size(size))  # too hard for the plain search
    cases = [random_case(knight, rng) for _ in range(6)]
    answers = [
        ask("cadical153", case.puzzle, knight, limit=1, budget=Budget(conflicts=2_000))
        for case in cases
    ]
    assert sum(answer.found for answer in answers) >= 4


def test_boards_of_a_size_that_has_only_boxes_of_one_row():
    assert random_constraints(random.Random(1), 7).board.size == 7
    with pytest.raises(BoardError):
        random_constraints(random.Random(1), 0)


def test_large_boards_are_asked_of_no_solver_that_cannot_be_limited(monkeypatch):
    asked = []
    monkeypatch.setattr(
        satdoku.crosscheck.fuzz, "examine", lambda _, names, __: (asked.extend(names), {}, ())[1:]
    )
    assert fuzz(60, 3, cases=10, size=12).failure is None
    solvers = {name.partition("/")[0] for name in asked}
    assert not solvers & NO_BUDGET
    assert solvers >= set(SOLVERS) - NO_BUDGET


def test_two_solvers_and_the_engine_agree_on_a_few_large_boards(capsys):
    names = "cadical153,glucose4/triads,engine-numpy,plain"
    few = ["--seconds", "60", "--cases", "4"]
    assert main(["fuzz", "--size", "12", *few, "--backends", names, "-v"]) == 0
    captured = capsys.readouterr()
    assert "16 answers to 4 cases" in captured.out
    assert all(len(line.split()[5]) == 144 for line in captured.err.splitlines())


def test_the_time_ends_within_a_case():
    class Slow(BacktrackingBackend):
        def open(self, *arguments):
            time.sleep(0.2)
            return super().open(*arguments)

    slow = Configuration(Slow("slow"), NO_ENCODING)
    report = fuzz(0.5, backends={str(number): slow for number in range(100)})
    assert (report.cases, report.failure) == (1, None)
    assert report.answers < 50


def test_the_same_seed_draws_the_same_cases_whatever_is_asked():
    seen = [[], []]
    for drawn, names in zip(seen, (["plain"], ["plain", "glucose4"]), strict=True):
        asked = {name: configuration_named(name) for name in names}
        fuzz(60, 8, backends=asked, cases=9, watch=lambda _, case, to=drawn: to.append(case))
    assert seen[0] == seen[1]
    assert len(set(map(str, seen[0]))) == 9


# The slowest backend


@pytest.mark.parametrize("rules", ["classic", "knight", "king", "nonconsecutive", "diagonal"])
def test_plain_search_finds_the_grids_of_brute_force(rules, four_by_four):
    constraints = constraints_for(rules, FOUR)
    expected = {grid for grid in four_by_four if obeys(grid, constraints.rules, 4)}
    found = list(search(empty_puzzle(constraints), None))
    assert len(found) == len(expected)
    assert set(found) == expected
    two_givens = Puzzle(parse_grid("1......2" + "." * 8), constraints)
    kept = {grid for grid in expected if grid[0] == 1 and grid[7] == 2}
    assert set(search(two_givens, None)) == kept


def test_plain_search_stops_at_its_limit():
    empty = empty_puzzle(constraints_for("", FOUR))
    assert len(list(islice(search(empty, 100_000), 5))) == 5
    with pytest.raises(BudgetError, match="within 3 nodes"):
        next(search(empty, 3))


# Backends that lie


class Liar(Backend):
    """Plain search, with one thing wrong."""

    name = "liar"

    def load(self):
        return "liar 1"

    def open(self, puzzle, encoding, budget=UNLIMITED):
        honest = BacktrackingBackend().open(self.heard(puzzle), encoding, budget)
        return LyingQuery(honest, self)

    def heard(self, puzzle):
        return puzzle

    def told(self, solutions, puzzle):
        return solutions


class LyingQuery(Query):
    def __init__(self, honest, liar):
        self.honest, self.liar = honest, liar

    def solutions(self, under=None, *, limit=None):
        heard = under and self.liar.heard(under)
        return iter(self.liar.told(list(self.honest.solutions(heard, limit=limit)), under))


class BlindToKnights(Liar):
    """Solves without the knight rule where there is one."""

    def heard(self, puzzle):
        names = [name for name in puzzle.constraints.rules if name != "knight"]
        return replace(puzzle, constraints=constraints_for(";".join(names), puzzle.grid.board))


class SeesOneTooFew(Liar):
    """Loses a solution if there is a 3 among the givens."""

    def told(self, solutions, puzzle):
        return solutions[1:] if 3 in puzzle.grid.cells else solutions


class Stumbles(Liar):
    def told(self, solutions, puzzle):
        if puzzle.grid.cells[-1]:
            raise IndexError("list index out of range")
        return solutions


@pytest.mark.parametrize(
    ("liar", "givens", "rules", "said"),
    [
        (BlindToKnights, 0, ("knight",), "liar gives a solution that breaks the rules"),
        (SeesOneTooFew, 1, (), "liar finds 0 solutions, there are at least 1"),
        (Stumbles, 1, (), "liar raises IndexError: list index out of range"),
    ],
)
def test_a_broken_backend_is_found_and_its_case_shrunk(liar, givens, rules, said):
    asked = {**HONEST, "liar": Configuration(liar(), NO_ENCODING)}
    report = fuzz(60, 1, backends=asked)
    failure = report.failure
    assert failure.problems[0] == said
    assert "liar" in failure.backends
    assert len(failure.backends) <= 2
    case = failure.case
    assert (case.puzzle.givens, case.constraints.rules, case.limit) == (givens, rules, 1)
    assert case.constraints.board == FOUR
    assert examine(case, asked)[1]
    assert not examine(case, HONEST)[1]


def test_a_broken_engine_is_found_shrunk_and_printed_as_a_command_that_fails(monkeypatch, capsys):
    """From end to end, the fault in the product itself: the engine forgets forbidden pairs."""
    from satdoku.engine import plan

    monkeypatch.setattr(plan, "AVAILABLE", False)  # what C lists cannot be replaced
    monkeypatch.setattr(plan, "_adjacency", lambda pairs, variables: [])
    cached = (plan.plan_for, plan._frame)
    for function in cached:
        function.cache_clear()
    try:
        asked = "plain,engine-numpy"
        assert main(["fuzz", "--seconds", "60", "--seed", "4", "--backends", asked]) == 1
        *_, problem, again = capsys.readouterr().out.splitlines()
        assert problem.startswith("DISAGREE: engine-numpy ")
        words = shlex.split(again.removeprefix("again: "))
        assert words[:2] == ["satdoku", "fuzz"]
        assert words[-1] in ("engine-numpy", "plain,engine-numpy")
        assert main(words[1:]) == 1
        assert "DISAGREE: engine-numpy" in capsys.readouterr().out
    finally:
        monkeypatch.undo()
        for function in cached:
            function.cache_clear()
    assert main(words[1:]) == 0
    assert capsys.readouterr().out.endswith("all agree\n")


def says(status, *, knows=True):
    """A backend that finds nothing and has a word for it."""

    class Silent(Liar):
        def open(self, puzzle, encoding, budget=UNLIMITED):
            return SilentQuery()

    class SilentQuery(Query):
        def solutions(self, under=None, *, limit=None):
            if not knows:
                raise Unanswered("unknown", "no idea")
            return iter(())

        def status(self, under=None, *, limit=2):
            return status

    return Configuration(Silent(), NO_ENCODING)


def test_a_status_is_an_answer_too():
    clash = Case(constraints_for("classic", FOUR), parse_grid("11".ljust(16, ".")), 2)
    none, invalid, odd = map(says, (Status.NONE, Status.INVALID, Status.UNIQUE))
    assert examine(clash, {"a": none, "b": invalid})[1] == ()
    assert examine(clash, {"a": odd})[1] == ("a says unique where it finds 0 solutions",)
    fine = Case(clash.constraints, empty_grid(FOUR), 2)
    assert examine(fine, {"a": invalid})[1] == ("a says invalid where it finds 0 solutions",)
    for unsure in (says(Status.UNKNOWN), says(Status.NONE, knows=False)):
        said, problems = examine(fine, {"a": HONEST["plain"], "b": unsure})
        assert problems == ()
        assert not said["b"].complete


@pytest.mark.parametrize("fault", ["solutions", "count", "candidates", "decide"])
def test_a_session_that_contradicts_itself_is_told(monkeypatch, fault):
    from satdoku.answers.session import Session

    true = getattr(Session, fault)
    lies = {
        "solutions": lambda self, *a, **k: [*islice(true(self, *a, **k), 1)] * 2,
        "count": lambda self, *a, **k: true(self, *a, **k) + 1,
        "candidates": lambda self, *a, **k: (frozenset(),) * 16,
        "decide": lambda self, *a, **k: (Status.NONE, None),
    }
    monkeypatch.setattr(Session, fault, lies[fault])
    case = Case(constraints_for("classic", FOUR), parse_grid("1".ljust(16, ".")), 3)
    problem = examine(case, {"minimal": configuration_named("minimal")})[1][0]
    words = {
        "solutions": "lists 2 solutions, 1 of them different",
        "count": "counts 4 solutions, lists 3",
        "candidates": "has other true candidates than its solutions",
        "decide": "says none where it finds 3 solutions",
    }
    assert problem == f"minimal {words[fault]}"


# Names and commands


@pytest.mark.parametrize(
    ("board", "rules", "words"),
    [
        (Board(6, 3, 2), "king", "'--rules' 'king' '--box' '3x2'"),
        (Board(6, 2, 3), "knight,king", "'--rules' 'knight,king'"),
        (Board(4, regions=(0, 0, 1, 1, 0, 0, 1, 1, 2, 3, 2, 3, 2, 3, 2, 3)), "classic", "jigsaw"),
    ],
)
def test_a_command_asks_the_very_case_again(board, rules, words, capsys, monkeypatch):
    constraints = constraints_for(rules, board)
    case = Case(constraints, Grid(bytes([2, *bytes(board.cells - 1)]), board), 3)
    command = case.command(["plain", "triads"])
    assert all(word.strip("'") in command for word in words.split())
    asked = []
    import satdoku.crosscheck.fuzz as module

    monkeypatch.setattr(module, "examine", lambda case, backends: asked.append(case) or ({}, ()))
    assert main(shlex.split(command)[1:]) == 0
    assert asked == [case]


def test_the_command_prints_what_it_did(capsys):
    assert (
        main(["fuzz", "--seconds", "60", "--seed", "1", "--backends", "plain", "--cases", "3"]) == 0
    )
    assert (
        capsys.readouterr().out == "seed 1: 3 answers to 3 cases, 0 of them given up\nall agree\n"
    )
    assert main(["fuzz", "1".ljust(16, "."), "--backends", "plain,engine-numpy,log"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out == [
        f"{'plain':<24} >=10", f"{'engine-numpy':<24} >=10", f"{'log':<24} >=10", "all agree"
    ]  # fmt: skip
    assert main(["fuzz", "--box", "3by2", "." * 36]) == 2
    assert "such as 2x3" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--limit 3", "--box 2x2", "--rules knight"])
def test_what_goes_with_a_puzzle_only_is_refused_without(option, capsys):
    assert main(["fuzz", "--cases", "1", *option.split()]) == 2
    assert f"{option.split()[0]} needs a PUZZLE" in capsys.readouterr().err


def test_a_file_holds_the_puzzle(capsys):
    name = str(PUZZLES / "classic.txt")
    assert main(["fuzz", name, "--backends", "plain,engine-numpy"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "all agree"


def test_shrinking_drops_clues():
    constraints = constraints_for("knight;thermo:r1c1,r1c2;odd:r2c2;white:r5c5,r5c6")
    case = Case(constraints, parse_grid("." * 80 + "7"), 2)
    small = shrink(case, lambda simpler: "odd:r2c2" in simpler.constraints.rules)
    assert small.constraints.rules == ("odd:r2c2",)
    assert small.puzzle == empty_grid(FOUR)
    assert "--rules 'classic;odd:r2c2'" in small.command(["plain"])
