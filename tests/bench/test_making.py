import pytest

import satdoku
from satdoku.bench.making import (
    holes,
    minimal,
    pencil_marks,
    two_givens,
    unsatisfiable,
)
from satdoku.cli import main
from satdoku.errors import Status
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
    marks = instance.givens.strikes()
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


def test_unsatisfiable_puzzles_clash_nowhere_and_have_no_solution():
    for instance in unsatisfiable(4, 1).instances:
        assert violations(instance.puzzle, ()) == []
        assert satdoku.classify(instance.puzzle, solver="glucose4") is Status.NONE


def test_struck_candidates_as_marks(marked):
    marks = marked.givens.strikes()
    assert len(marks) == 729
    assert [c for c, mark in enumerate(marks) if not mark] == list(marked.struck)
