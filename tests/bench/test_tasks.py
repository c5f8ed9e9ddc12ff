import csv
import hashlib
import os
import subprocess
import sys

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES

from satdoku.bench import tasks
from satdoku.bench.instances import MODES, TaskError
from satdoku.bench.tasks import (
    LITERATURE,
    literature,
    sample,
    with_modes,
)
from satdoku.model.grid import parse_grid


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
    with pytest.raises(TaskError, match="found 1 solutions, expected 2"):
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
