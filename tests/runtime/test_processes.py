"""Processes that are killed, stopped or starved at any moment: no hang, nothing lost, none left."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from multiprocessing import active_children
from pathlib import Path

import pytest
import worker_cases
from process_groups import members
from worker_cases import bulk, die, fail, hold, leave, puzzle, starve, stumble, work

from satdoku.runtime import processes as module
from satdoku.runtime.errors import WorkerError
from satdoku.runtime.processes import ProcessPool
from satdoku.runtime.workers import Workers, map_in_order

PROC = Path("/proc/self/stat")
LATE = 600  # seconds: it takes less than five unless the machine is busy

needs_proc = pytest.mark.skipif(not PROC.exists(), reason="needs /proc")


@pytest.fixture
def pool():
    with ProcessPool(2) as pool:
        yield pool
    assert not pool._workers


def test_futures_are_those_of_any_executor(pool):
    futures = [pool.submit(work, number) for number in range(9)]
    assert [future.result() for future in reversed(futures)] == [n * n for n in range(8, -1, -1)]
    assert pool.submit(pow, 2, exp=5).result(LATE) == 32
    assert isinstance(pool.submit(fail, 5).exception(LATE), ValueError)
    assert list(pool.map(work, range(5))) == [0, 1, 4, 9, 16]


def test_a_time_limit_is_kept_and_what_waits_can_be_cancelled(pool):
    slow, _, waiting = (pool.submit(hold, 1) for _ in range(3))
    with pytest.raises(TimeoutError):
        slow.result(0.3)
    assert waiting.cancel()
    pool.kill()
    with pytest.raises((WorkerError, CancelledError)):  # if the worker had not started yet
        slow.result()
    assert pool.submit(work, 3).result() == 9  # it is as good as new


def test_an_error_says_where_it_was_raised(pool):
    with pytest.raises(ValueError, match="five") as caught:
        pool.submit(fail, 5).result()
    assert "worker_cases.py" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("wrong", "message"), [(stumble, "a worker failed: .*no 7"), (puzzle, "cannot be read")]
)
def test_what_cannot_be_sent_is_an_error_and_the_worker_goes_on(pool, wrong, message):
    with pytest.raises(WorkerError, match=message):
        pool.submit(wrong, 7).result()
    with pytest.raises((AttributeError, TypeError, module.pickle.PicklingError)):
        pool.submit(lambda: 1).result()
    assert len({pool.submit(os.getpid).result() for _ in range(4)}) == 1


@pytest.mark.parametrize(
    ("end", "told"), [(die, "killed by SIGKILL"), (leave, "exit code 3"), (starve, "out of memory")]
)
def test_work_that_ends_every_worker_is_an_error_that_says_how(pool, end, told):
    other = pool.submit(work, 4)
    with pytest.raises(WorkerError, match=f"keep dying over the same work .*{told}.*-w"):
        pool.submit(end, 3).result()
    assert other.result() == 16


def test_workers_that_cannot_start_are_an_error(monkeypatch):
    monkeypatch.setattr(module, "_serve", os._exit)
    monkeypatch.setattr(module, "_start", lambda started=module._start: _ended(started()))
    with ProcessPool(2) as pool, pytest.raises(WorkerError, match="do not start"):
        pool.submit(work, 3).result()


def _ended(worker):
    worker.process.kill()
    return worker


@needs_proc
def test_workers_without_memory_cost_no_results(tmp_path):
    for number in (0, 4, 5):
        (tmp_path / str(number)).touch()
    with Workers("process", 2) as workers:
        jobs = ((number, (number, tmp_path)) for number in range(8))
        assert list(map_in_order(workers, starve, jobs)) == [(n, n * n) for n in range(8)]
    assert not list(tmp_path.iterdir())


def test_a_worker_killed_in_the_middle_of_a_message(pool):
    """It has written what the pipe holds and waits for us to read: then it is gone."""
    futures = [pool.submit(bulk, number) for number in range(2)]
    while not (busy := [worker for worker in pool._workers if worker.job]):
        pool._step(0.05)
    first = busy[0]
    assert first.pipe.poll(LATE)
    first.process.kill()
    first.process.join()
    assert [future.result() for future in futures] == [bulk(0), bulk(1)]


def disturbed(rng):
    """One run with random kills in it: (seconds, workers killed)."""
    kills, over = [], threading.Event()

    def kill():
        for _ in range(rng.randint(1, 3)):
            if over.wait(rng.uniform(0, 0.4)):
                return
            victims = active_children()
            for process in rng.sample(victims, min(len(victims), rng.randint(1, 3))):
                process.kill()
                kills.append(process.pid)

    start = time.monotonic()
    killer = threading.Thread(target=kill)
    with Workers("process", 3) as workers:
        killer.start()
        try:
            for number, result in map_in_order(workers, bulk, ((n, (n,)) for n in range(12))):
                assert result == bulk(number)
        except WorkerError as error:
            assert "keep dying" in str(error)
        finally:
            over.set()
            killer.join()
    assert not active_children()
    return time.monotonic() - start, len(kills)


@pytest.mark.parametrize("runs", [3, pytest.param(200, marks=pytest.mark.slow)])
def test_random_kills_while_results_are_written(runs):
    rng = random.Random(runs)
    found = [disturbed(rng) for _ in range(runs)]
    assert max(seconds for seconds, _ in found) < LATE
    assert sum(kills for _, kills in found) >= runs


def stopped(rng):
    """One run, stopped at a random moment, as a terminal or as `kill` does: seconds to its end."""
    number = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    with subprocess.Popen(
        [sys.executable, worker_cases.__file__],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout.readline() == b"begun\n"
        time.sleep(rng.uniform(0, 1.2))
        all_at_once = number != signal.SIGKILL and rng.random() < 0.5
        start = time.monotonic()
        (os.killpg if all_at_once else os.kill)(process.pid, number)
        _, err = process.communicate(timeout=LATE)
    while members(process.pid) and time.monotonic() < start + LATE:
        time.sleep(0.01)
    assert members(process.pid) == []
    killed = number == signal.SIGKILL  # then a process that has just begun may say so
    assert process.returncode == -number if killed else (process.returncode, err) == (130, b"")
    return time.monotonic() - start


@needs_proc
@pytest.mark.parametrize("runs", [5, pytest.param(200, marks=pytest.mark.slow)])
def test_random_stops_leave_no_process(runs):
    rng = random.Random(runs)
    assert max(stopped(rng) for _ in range(runs)) < LATE


SCRIPT = """
from satdoku.runtime.workers import Workers

def cube(number):
    return number ** 3

{guard}
    with Workers("process", 2) as workers:
        print([workers.result(workers.submit(cube, n)) for n in range(3)])
"""


@pytest.mark.parametrize("guard", ["if __name__ == '__main__':", "if True:"])
def test_functions_of_the_script_need_its_guard(guard, tmp_path):
    """Without one, the script would start workers in each worker; it is told so."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(guard=guard))
    ended = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, timeout=60
    )
    if guard == "if True:":
        assert ended.returncode == 1
        assert "expected what the script does under if __name__ == '__main__':" in ended.stderr
    else:
        assert (ended.stdout, ended.stderr) == ("[0, 1, 8]\n", "")
