"""Tasks: those of the literature, samples of files, and puzzles made from a seed."""

from __future__ import annotations

import csv
import hashlib
import os
import subprocess
import sys

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES

import satdoku
from satdoku.answers.session import Session
from satdoku.bench import tasks
from satdoku.bench.instances import MODES, ONESHOT, TaskError, fault
from satdoku.bench.phases import Place
from satdoku.bench.tasks import (
    LITERATURE,
    holes,
    literature,
    minimal,
    pencil_marks,
    phase,
    sample,
    two_givens,
    unsatisfiable,
    with_modes,
)
from satdoku.cli import main
from satdoku.crosscheck.answers import Answer
from satdoku.crosscheck.backends import backend_named
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.model.puzzle import strikes
from satdoku.runtime.errors import Status
from satdoku.witness.verify import solves, violations


@pytest.mark.parametrize("name", LITERATURE)
def test_the_literatures_tasks_know_their_solutions(name):
    task = literature(name)
    assert set(task.modes) <= set(MODES)
    assert len(task.instances) == len(LITERATURE[name][0])
    wanted = 72 if name == "miracle-grids" else 1
    assert all(len(instance.solutions) == wanted for instance in task.instances)
    assert task.constraints.name == (
        "knight,king,nonconsecutive" if "miracle" in name else "classic"
    )


def test_an_example_has_its_published_solution():
    classic = literature("classic").instances[0]
    assert classic.solutions == {parse_grid(CLASSIC_SOLUTION).cells}


def test_a_file_that_is_wrong_about_its_solutions_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "PUZZLES", tmp_path)
    monkeypatch.setitem(tasks.LITERATURE, "own", (("own",), ()))
    (tmp_path / "own.txt").write_text(f"# rules: classic\n# solutions: 2\n{CLASSIC}\n")
    with pytest.raises(TaskError, match="found 1 solution, expected 2"):
        literature("own")


def test_a_sample_is_the_seeds_and_names_lines(tmp_path):
    path = tmp_path / "list.txt"
    puzzles = [CLASSIC[:i] + "." + CLASSIC[i + 1 :] for i in range(20)]
    path.write_text("# a list\nnot a puzzle\n" + "\n".join(puzzles) + "\n")
    task = sample(str(path), 5, 1)
    assert task == sample(str(path), 5, 1)
    assert task.instances != sample(str(path), 5, 2).instances
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert task.source == f"5 of {path.name}, seed 1, sha256 {digest}"
    assert len(task.instances) == 5
    for instance in task.instances:
        line = int(instance.name.removeprefix("list.txt:"))
        assert str(instance.puzzle) == path.read_text().splitlines()[line - 1]
    assert len(sample(str(path), 100, 1).instances) == 20


def test_a_sample_takes_its_rules_from_the_file(tmp_path):
    path = tmp_path / "four.txt"
    path.write_text("# rules: diagonal\n" + "." * 16 + "\n")
    task = sample(str(path), 1, 1)
    assert task.constraints.name == "diagonal"
    assert len(task.instances[0].solutions) == 48
    assert task.board.size == 4


def test_too_many_solutions_are_not_listed(tmp_path):
    path = tmp_path / "empty.txt"
    path.write_text("." * 81 + "\n")
    (instance,) = sample(str(path), 1, 1).instances
    assert instance.solutions is None


def test_an_empty_file_is_refused(tmp_path):
    path = tmp_path / "none.txt"
    path.write_text("# nothing\n")
    with pytest.raises(TaskError, match="holds no puzzle"):
        sample(str(path), 1, 1)


def test_a_task_can_be_cut_and_asked_otherwise():
    task = with_modes(literature("classic"), ["candidates"])
    assert [len(task.instances), task.modes] == [4, ("candidates",)]


def test_bench_runs_from_an_installed_package_outside_a_checkout(tmp_path):
    """The package as a wheel has it, but for what is compiled: `build_py` makes both."""
    pytest.importorskip("setuptools")
    package, elsewhere = tmp_path / "package", tmp_path / "elsewhere"
    for folder in (package, elsewhere):
        folder.mkdir()
    setup = [sys.executable, "-c", "import setuptools; setuptools.setup()", "-q"]
    build = ["egg_info", "--egg-base", str(tmp_path), "build_py", "--build-lib", str(package)]
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([*setup, *build], cwd=PUZZLES.parent, env=alone, check=True, capture_output=True)
    shipped = package / "satdoku" / "bench" / "puzzles"
    assert not shipped.is_symlink()
    assert {path.name: path.read_bytes() for path in shipped.iterdir()} == {
        path.name: path.read_bytes() for path in PUZZLES.iterdir()
    }
    bench = [sys.executable, "-m", "satdoku", "bench", "-q", "-o", "results"]
    some = ["--tasks", "classic,miracle", "--modes", "oneshot", "--backends", "minisat22",
            "--encodings", "extended"]  # fmt: skip
    path = os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])])
    run = subprocess.run(
        [*bench, *some],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    with open(elsewhere / "results" / "measurements.csv", newline="") as stream:
        found = {(row["task"], row["status"]) for row in csv.DictReader(stream)}
    assert found == {("classic", "solved"), ("miracle", "solved")}


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
