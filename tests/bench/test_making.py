import pytest

import satdoku
from satdoku.bench.instances import ONESHOT
from satdoku.bench.judge import fault
from satdoku.bench.making import (
    holes,
    minimal,
    pencil_marks,
    phase,
    two_givens,
    unsatisfiable,
)
from satdoku.bench.phases import Place
from satdoku.cli import main
from satdoku.crosscheck.answers import Answer
from satdoku.crosscheck.backends import backend_named
from satdoku.errors import Status
from satdoku.model.constraints import constraints_for
from satdoku.model.puzzle import strikes
from satdoku.sat.session import Session
from satdoku.witness.verify import solves, violations


@pytest.mark.parametrize(
    "make", [two_givens, unsatisfiable, lambda n, seed: holes(4, 0.5, n, seed)]
)
def test_the_seed_decides(make):
    assert make(1, 1) == make(1, 1)
    assert make(1, 1).instances != make(1, 2).instances


@pytest.mark.parametrize("rules, option", [("classic", ""), ("miracle", " -r miracle")])
def test_minimal_puzzles_are_those_of_the_command_that_they_name(rules, option, capsys):
    task = minimal(rules, 3, 5)
    assert task.source == f"satdoku generate -n 3{option} --seed 5"
    assert main([*task.source.split()[1:], "-q"]) == 0
    printed = capsys.readouterr().out.split()
    assert [str(instance.puzzle) for instance in task.instances] == printed
    assert all(len(instance.solutions) == 1 for instance in task.instances)


def test_two_givens_are_counted_in_the_72_grids():
    task = two_givens(5, 3)
    with Session("miracle") as session:
        for instance in task.instances:
            assert instance.puzzle.givens == 2
            found = {grid.cells for grid in session.solutions(instance.puzzle)}
            assert instance.solutions == found != set()


@pytest.fixture(scope="module")
def marked():
    (instance,) = pencil_marks(1, 5).instances
    return instance


def test_the_seed_decides_pencil_marks_too(marked):
    assert pencil_marks(1, 5).instances == (marked,)


def test_pencil_marks_are_unique_and_none_can_be_spared(marked):
    instance = marked
    (solution,) = instance.solutions
    assert instance.puzzle.givens == 0
    marks = strikes(instance.under(constraints_for()))
    assert all(marks[9 * cell + digit - 1] for cell, digit in enumerate(solution))
    with Session(solver="glucose4") as session:
        assert session.decide_marks(marks) == (Status.UNIQUE, solution)
        for candidate in instance.struck:
            one_more = marks[:candidate] + b"\1" + marks[candidate + 1 :]
            assert session.decide_marks(one_more)[0] is Status.MULTIPLE


@pytest.mark.parametrize("size, share", [(4, 0.5), (9, 0.5), (16, 0.5)])
def test_large_boards_are_unique_and_have_their_holes(size, share):
    task = holes(size, share, 1, 1)
    (instance,) = task.instances
    (solution,) = instance.solutions
    assert instance.puzzle.cells.count(0) == round(share * size * size)
    assert solves(satdoku.Grid(solution, task.board), instance.puzzle, ())
    with Session(task.constraints, solver="glucose4") as session:
        assert session.classify(instance.puzzle) is Status.UNIQUE


@pytest.mark.parametrize("place", [Place(16, 45), Place(36, 20)])
def test_points_of_the_phase_diagram_have_their_holes_and_a_solution(place):
    task = phase(place, 2, 3)
    assert (task.name, task.board.size, len(task.instances)) == (place.task, place.size, 2)
    for instance in task.instances:
        assert instance.solutions is None
        assert instance.puzzle.cells.count(0) == round(place.percent / 100 * place.size**2)
    query = backend_named("glucose4").open(task.instances[0].under(task.constraints), "commander")
    answer = Answer((query.solve(),))
    assert fault(ONESHOT, task.instances[0], task.constraints, answer) is None
    wrong = Answer((answer.solutions[0][1:] + answer.solutions[0][:1],))
    assert "is no solution" in fault(ONESHOT, task.instances[0], task.constraints, wrong)


def test_points_are_the_puzzles_of_the_command_that_they_name(capsys):
    task = phase(Place(16, 45), 2, 3)
    assert main([*task.source.split()[1:], "-q"]) == 0
    assert [str(i.puzzle) for i in task.instances] == capsys.readouterr().out.split()


def test_unsatisfiable_puzzles_clash_nowhere_and_have_no_solution():
    for instance in unsatisfiable(4, 1).instances:
        assert violations(instance.puzzle, ()) == []
        assert satdoku.classify(instance.puzzle, solver="glucose4") is Status.NONE


def test_struck_candidates_as_marks(marked):
    marks = strikes(marked.under(constraints_for()))
    assert len(marks) == 729
    assert [c for c, mark in enumerate(marks) if not mark] == list(marked.struck)
