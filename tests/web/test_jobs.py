"""Questions given up, replaced, too slow or killed, and many at once."""

import json
import os
import signal
import socket
import subprocess
import threading
import time
from http.client import HTTPConnection

import pytest
from web_client import CLASSIC, JSON, page, state

SLOW = state("." * 256)  # some seconds of counting
PROC = os.path.isdir("/proc/self/task")


def workers(web):
    """The processes that work for the page: their numbers."""
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(web.process.pid)], capture_output=True, text=True
    )
    return {int(word) for word in found.stdout.split()}


def busy_seconds(pid):
    """The processor time that a process has taken; 0 if it is gone."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


def begun(web, name, tab, **asked):
    """A question under way, of which the first line has come."""
    connection = HTTPConnection(web.host, timeout=60)
    connection.request("POST", f"{web.path}api/{name}", json.dumps({"tab": tab, **asked}), JSON)
    answer = connection.getresponse()
    assert answer.status == 200
    return connection, answer


@pytest.mark.skipif(not PROC, reason="reads /proc")
def test_a_question_that_is_given_up_frees_its_worker_within_a_second(web):
    connection, answer = begun(web, "live", "leaves", puzzle=SLOW, limit=100_000)
    answer.readline()
    connection.sock.shutdown(socket.SHUT_RDWR)
    connection.close()
    time.sleep(1.0)
    before = {pid: busy_seconds(pid) for pid in workers(web)}
    time.sleep(0.5)
    assert all(busy_seconds(pid) - spent < 0.3 for pid, spent in before.items())
    assert web.all("live", tab="leaves", puzzle=state(CLASSIC))["status"] == "unique"


def test_a_newer_question_of_the_same_tab_takes_the_place(web):
    connection, answer = begun(web, "live", "types", puzzle=SLOW, limit=100_000)
    answer.readline()
    start = time.monotonic()
    assert web.all("live", tab="types", puzzle=state(CLASSIC))["status"] == "unique"
    assert time.monotonic() - start < 5
    last = json.loads(answer.read().splitlines()[-1])
    assert last == {"error": "a newer question took its place"}
    connection.close()


def test_questions_that_wait_are_replaced_too(web):
    """A tab that types fast: of ten questions at once the last is answered, no other lives on."""
    answers = {}

    def ask(number):
        answers[number] = web.post(
            "live", tab="fast", puzzle=SLOW if number < 9 else state(CLASSIC)
        )

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
        time.sleep(0.05)
    for thread in threads:
        thread.join(60)
    assert json.loads(answers[9].text.splitlines()[0]) == {"status": "unique"}
    for number in range(9):
        assert "a newer question took its place" in answers[number].text


def test_ten_tabs_stay_usable(web):
    """Ten tabs with slow questions: an eleventh, and each of the ten, still get a quick one."""
    slow = [begun(web, "live", f"tab{n}", puzzle=SLOW, limit=100_000) for n in range(10)]
    start = time.monotonic()
    for n in range(3):
        found = web.ask("picture", tab=f"tab{n}", puzzle=state(CLASSIC))
        assert found["svg"]
        assert web.all("live", tab=f"tab{n}", puzzle=state(CLASSIC))["status"] == "unique"
    assert time.monotonic() - start < 30
    for connection, _ in slow:
        connection.close()


@pytest.mark.skipif(not PROC, reason="reads /proc")
def test_a_killed_worker_is_replaced():
    with page() as web:
        connection, answer = begun(web, "live", "a", puzzle=SLOW, limit=100_000)
        answer.readline()
        for pid in workers(web):
            os.kill(pid, signal.SIGKILL)
        last = json.loads(answer.read().splitlines()[-1])
        assert last == {"error": "the worker process ended before its answer"}
        assert web.all("live", puzzle=state(CLASSIC))["status"] == "unique"
        assert web.ask("picture", puzzle=state(CLASSIC))["svg"]
        connection.close()


@pytest.mark.skipif(not PROC, reason="reads /proc")
def test_no_worker_outlives_the_server():
    with page() as web:
        assert web.all("live", puzzle=state(CLASSIC))["status"] == "unique"
        begun(web, "live", "b", puzzle=SLOW, limit=100_000)[1].readline()
        pids = workers(web)
        assert pids
        web.process.kill()
        web.process.wait()
        end = time.monotonic() + 40
        while any(os.path.exists(f"/proc/{pid}") for pid in pids) and time.monotonic() < end:
            time.sleep(0.1)
        assert not any(os.path.exists(f"/proc/{pid}") for pid in pids)


def test_a_question_that_takes_too_long_is_ended(tmp_path):
    """In a process of its own, so that the limit can be small."""
    code = (
        "import sys, satdoku\n"
        "from satdoku.web import questions\n"
        "slow = questions.QUESTIONS['steps']\n"
        "questions.QUESTIONS['steps'] = slow._replace(seconds=0.3)\n"
        "satdoku.serve(token='t')\n"
    )
    hard = state("." * 256, "knight")
    with page(code=code) as web:
        start = time.monotonic()
        answer = web.post("steps", puzzle=hard, all=True)
        assert time.monotonic() - start < 20
        assert "no answer within 0.3 seconds" in answer.text


def test_a_tab_that_does_not_read_loses_its_place_to_its_next_question(web):
    """A tab in the background may leave an answer in the pipe."""
    puzzle = state("." * 256)
    deaf = [begun(web, "live", "deaf", puzzle=puzzle, limit=100_000)[0] for _ in range(3)]
    start = time.monotonic()
    assert web.all("live", tab="deaf", puzzle=state(CLASSIC))["status"] == "unique"
    assert time.monotonic() - start < 10
    for connection in deaf:
        connection.close()
