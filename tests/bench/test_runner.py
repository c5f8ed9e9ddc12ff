import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bench_fakes import DOZE, Fake

from satdoku.bench.instances import ENUMERATE, INCREMENTAL, ONESHOT, PARALLEL, UNIQUENESS
from satdoku.bench.runner import WAIT, Job, Limits, cpu_name, run_jobs
from satdoku.bench.tasks import literature, with_modes
from satdoku.crosscheck.backends.answering import SessionBackend

LIMITS = Limits(timeout=30.0, memory_mb=2048)


def measured(backend, modes, limits=LIMITS, *, task="classic", done=frozenset(), encoding="-"):
    job = Job(with_modes(literature(task), modes), backend, encoding, 1, 1)
    return list(run_jobs([job], limits, set(done)))


def test_an_honest_solver_answers_all_in_time():
    rows = measured(
        SessionBackend("cadical153"), (ONESHOT, INCREMENTAL, UNIQUENESS), encoding="extended"
    )
    assert len(rows) == 12
    assert {(row.mode, row.status) for row in rows} == {
        (ONESHOT, "solved"), (INCREMENTAL, "solved"), (UNIQUENESS, "unique"),
    }  # fmt: skip
    for row in rows:
        assert 0 < row.build_s + row.solve_s < LIMITS.timeout
        assert row.variables == 729
        assert row.clauses >= 10530
        assert row.conflicts is not None
        assert row.import_s > 0
        assert "python-sat" in row.versions
        assert row.cpu == cpu_name() != ""
    built = sorted(row.build_s for row in rows if row.mode == INCREMENTAL)
    assert built[-1] > 20 * built[0]  # one solver for all, built once


def test_a_backend_is_killed_at_its_limit_of_processor_time_and_the_rest_still_measured():
    start = time.process_time()
    rows = measured(Fake("spin"), (ONESHOT,), Limits(0.3, 2048), task="inkala")
    assert [row.status for row in rows] == ["timeout"] * 2
    assert time.process_time() - start < 2
    assert all(row.build_s is not None and row.solve_s is None for row in rows)


def test_one_that_waits_is_killed_by_the_wall_clock():
    start = time.monotonic()
    rows = measured(Fake("hang"), (ONESHOT,), Limits(0.05, 2048), task="inkala")
    assert [row.status for row in rows] == ["timeout"] * 2
    assert time.monotonic() - start < 2 * (WAIT * 0.05 + 5)


def test_times_are_processor_time(monkeypatch):
    rows = measured(Fake("doze"), (ONESHOT,), task="inkala")
    assert [row.status for row in rows] == ["solved"] * 2
    assert all(row.solve_s < DOZE / 2 for row in rows)


def test_contestants_take_turns_on_each_instance_and_tasks_follow_each_other():
    jobs = [
        Job(with_modes(literature(task), (ONESHOT,)), SessionBackend(solver), "extended", 1, 1)
        for task in ("inkala", "classic")
        for solver in ("cadical153", "glucose4", "minisat22")
    ]
    rows = list(run_jobs(jobs, LIMITS, set()))
    turns = [{(row.task, row.instance) for row in rows[i : i + 3]} for i in range(0, 18, 3)]
    assert all(len(turn) == 1 for turn in turns)
    assert [task for (task, _), *_ in map(list, turns)] == ["inkala"] * 2 + ["classic"] * 4
    assert len({tuple(row.backend for row in rows[i : i + 3]) for i in range(0, 18, 3)}) > 1


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_what_a_killed_child_started_dies_with_it(tmp_path, monkeypatch):
    pids = tmp_path / "pids"
    monkeypatch.setenv("FAKE_PIDS", str(pids))
    rows = measured(Fake("hang"), (PARALLEL,), Limits(4.0, 2048), task="miracle-grids")
    assert [row.status for row in rows] == ["timeout"]
    hung = [int(line) for line in pids.read_text().split()]
    assert len(hung) >= 2
    deadline = time.monotonic() + 600
    while any(map(alive, hung)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, hung))


@pytest.mark.skipif(sys.platform != "linux", reason="needs the signals of Linux's pipes")
@pytest.mark.parametrize("mode", [ONESHOT, PARALLEL])
def test_no_child_outlives_a_runner_that_is_killed(mode, tmp_path):
    pids, script = tmp_path / "pids", tmp_path / "runner.py"
    script.write_text(
        "from test_runner import Fake, Limits, measured\n"
        "if __name__ == '__main__':\n"
        f"    measured(Fake('hang'), ('{mode}',), Limits(600.0, 2048), task='miracle-grids')\n"
    )
    told = {
        **os.environ,
        "FAKE_PIDS": str(pids),
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path]),
    }
    runner = subprocess.Popen([sys.executable, script], env=told)
    deadline = time.monotonic() + 60
    while not (pids.exists() and pids.read_text().endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    runner.kill()
    runner.wait()
    while any(map(alive, map(int, pids.read_text().split()))):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_the_memory_limit_binds():
    rows = measured(Fake("devour"), (ONESHOT,), Limits(30.0, 4096), task="inkala")
    assert [row.status for row in rows] == ["memory"] * 2
    assert all("MemoryError" in row.note for row in rows)


def test_a_limit_too_small_for_the_library_is_told_and_ends():
    rows = measured(SessionBackend("glucose4"), (ONESHOT,), Limits(5.0, 20), encoding="extended")
    assert {row.status for row in rows} <= {"memory", "error"}
    assert len(rows) == 4  # and no child is started again and again


@pytest.mark.parametrize(
    "name, status, words",
    [
        ("crash", "error", "SIGABRT"),
        ("fail", "error", "ValueError: it fails"),
        ("lie", "wrong", "is no solution"),
        ("lie-at-once", "wrong", "on the 4x4 puzzle"),
        ("absent", "error", "no module named absent"),
    ],
)
def test_what_goes_wrong_is_told_apart(name, status, words):
    rows = measured(Fake(name), (ONESHOT,), task="inkala")
    assert [row.status for row in rows] == [status] * 2
    assert all(words in row.note for row in rows)


def test_what_is_done_is_not_measured_again():
    backend = SessionBackend("minisat22")
    rows = measured(backend, (ONESHOT,), encoding="extended")
    keys = {row.key for row in rows}
    assert len(keys) == 4
    again = measured(backend, (ONESHOT,), encoding="extended", done=keys - {rows[2].key})
    assert [row.key for row in again] == [rows[2].key]


def test_parallel_search_finds_what_enumeration_does():
    rows = measured(SessionBackend("cadical153"), (ENUMERATE, PARALLEL), task="miracle-grids",
                    encoding="extended")  # fmt: skip
    assert {(row.mode, row.status) for row in rows} == {
        (ENUMERATE, "multiple"), (PARALLEL, "multiple"),
    }  # fmt: skip


def test_the_order_is_the_seeds():
    task = with_modes(literature("classic"), (ONESHOT, UNIQUENESS))
    backend = SessionBackend("cadical153")

    def order(seed):
        return Job(task, backend, "extended", 1, seed).measurements()

    assert order(1) == order(1) != order(2)
    assert set(map(str, order(1))) == set(map(str, order(2)))
