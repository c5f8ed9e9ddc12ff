"""Workers of every kind: all results, each once, in order, whoever worked or died."""

import signal
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from dask_clusters import dask_cluster
from examples import CLASSIC
from worker_cases import die, fail, hold, work

from satdoku.batch.options import BatchOptions
from satdoku.batch.solve import solve_chunks
from satdoku.files.collection import Chunk
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.runtime import limits
from satdoku.runtime.errors import WorkerError
from satdoku.runtime.workers import Workers, available_workers, map_in_order


def jobs(count, *more):
    """Keys need not be pickled: they stay here."""
    return ((lambda number=number: number, (number, *more)) for number in range(count))


def squares(workers, count, *more):
    return [(key(), result) for key, result in map_in_order(workers, work, jobs(count, *more))]


def expected(count):
    return [(number, number * number) for number in range(count)]


def test_without_workers_all_is_done_here():
    assert squares(None, 20) == expected(20)


@pytest.mark.parametrize("kind", ["thread", "process"])
def test_the_limits_on_the_time_hold_for_workers_too(kind):
    with Workers(kind, 2) as workers, limits.within(50.0):
        found = map_in_order(workers, limits.left, ((number, ()) for number in range(4)))
        assert all(0 < left <= 50 for _, left in found)


@pytest.mark.parametrize("kind", ["thread", "process"])
def test_results_come_in_order(kind):
    with Workers(kind, 2) as workers:
        assert squares(workers, 60) == expected(60)
        assert squares(workers, 3) == expected(3)


def test_an_executor_of_the_callers_stays_open():
    with ThreadPoolExecutor(3) as pool:
        with Workers(pool) as workers:
            assert workers.count == 3
            assert squares(workers, 40) == expected(40)
        assert pool.submit(int, "7").result() == 7
    assert Workers("thread").count == available_workers() >= 1


def test_workers_that_die_cost_no_results(tmp_path):
    """Six of them, one after the other, killed with -9 in the middle of their work."""
    for number in (0, 3, 9, 10, 21, 29):
        (tmp_path / str(number)).touch()
    with Workers("process", 2) as workers:
        assert squares(workers, 30, tmp_path) == expected(30)
    assert not list(tmp_path.iterdir())


def test_workers_that_die_again_and_again_are_an_error():
    with (
        Workers("process", 1) as workers,
        pytest.raises(WorkerError, match="keep dying"),
    ):
        list(map_in_order(workers, die, jobs(3)))


def test_a_dead_pool_of_the_callers_is_an_error():
    gone = pytest.raises(WorkerError, match="the executor's workers are gone: ")
    with ProcessPoolExecutor(1, get_context("spawn")) as pool, Workers(pool) as workers, gone:
        list(map_in_order(workers, die, jobs(3)))


def test_an_error_of_the_work_is_raised_as_it_is():
    for kind in ("thread", "process"):
        with Workers(kind, 2) as workers:
            results = map_in_order(workers, fail, jobs(50))
            assert [result for _, result in (next(results) for _ in range(5))] == [0, 1, 2, 3, 4]
            with pytest.raises(ValueError, match="five"):
                next(results)


def test_an_error_of_the_caller_ends_processes_at_once():
    start = time.monotonic()
    with pytest.raises(ZeroDivisionError), Workers("process", 2) as workers:
        for number in range(9):
            workers.submit(hold, number)
        assert workers.submit(work, 3).cancel()
        time.sleep(1)
        raise ZeroDivisionError
    assert time.monotonic() - start < 30


class Lost(Executor):
    """Every result is lost, in the way that is given."""

    def __init__(self, error):
        self.error = error

    def submit(self, work, *arguments):
        future = Future()
        if self.error is None:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_exception(self.error)
        return future


class KilledWorker(Exception):
    """As Dask says it."""

    __module__ = "distributed.scheduler"


@pytest.mark.parametrize("error", [None, KilledWorker("task on 4 workers, all died")])
def test_what_an_executor_loses_is_an_error_that_says_so(error):
    with pytest.raises(WorkerError, match=str(error or "cancelled")):
        list(map_in_order(Workers(Lost(error)), work, jobs(3)))


def test_only_a_few_are_under_way():
    taken = []

    def endless():
        for number in range(1000):
            taken.append(number)
            yield number, (number,)

    with Workers("thread", 2) as workers:
        results = map_in_order(workers, work, endless())
        assert next(results) == (0, 0)
        assert len(taken) <= 7
        results.close()


def test_what_nobody_waits_for_is_cancelled():
    started, gate = [], threading.Event()

    def wait(number):
        started.append(number)
        gate.wait(20)
        return number

    with ThreadPoolExecutor(1) as pool:
        gate.set()
        results = map_in_order(Workers(pool), wait, jobs(100))
        next(results)
        gate.clear()
        results.close()
        gate.set()
    assert len(started) <= 4


def test_kinds_that_do_not_exist_and_extras_that_are_missing(monkeypatch):
    with pytest.raises(WorkerError, match="no executor 'threads': expected thread, process, dask"):
        Workers("threads")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkerError, match=r"pip install 'satdoku\[dask\]'"):
        Workers("dask://127.0.0.1:8786")


# Dask --------------------------------------------------------------------------------------------


def chunks(count, size=50):
    cells = np.frombuffer(parse_grid(CLASSIC).cells, np.uint8)
    for number in range(count):
        puzzles = np.tile(cells, (size, 1))
        puzzles[np.arange(size), np.flatnonzero(cells == 0)[:size]] = number % 9 + 1
        yield Chunk(
            np.arange(size) + number * size, puzzles, {0: ValueError("x")} if number else {}
        )


OPTIONS = BatchOptions(constraints_for("classic"), backend="session")


def solved(workers=1, on_result=None):
    """Lines, statuses and solutions of some chunks."""
    found = []
    for chunk, result in solve_chunks(chunks(40), OPTIONS, workers=workers):
        found.append((chunk.lines.tolist(), result.statuses.tolist(), result.solutions.tobytes()))
        if on_result:
            on_result(len(found))
    return found


@pytest.fixture(scope="module")
def alone():
    return solved()


@pytest.mark.parametrize("kind", ["thread", "process"])
def test_puzzles_are_solved_alike_everywhere(alone, kind):
    assert solved(f"{kind}:2") == alone


def test_an_executor_of_dask_gives_the_same(alone):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert solved(client.get_executor()) == alone
        address = cluster.scheduler_address.replace("inproc", "dask")
        assert address.startswith("dask://")


@pytest.mark.slow
def test_a_dask_worker_killed_in_the_middle_costs_no_results(alone, tmp_path):
    pytest.importorskip("distributed")
    with dask_cluster(tmp_path) as (address, started):

        def kill_one(results):
            if results == 8:
                started[0].send_signal(signal.SIGKILL)

        assert solved(f"dask://{address}", 2, kill_one) == alone
        assert started[0].poll() == -signal.SIGKILL
