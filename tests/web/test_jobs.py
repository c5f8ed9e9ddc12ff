"""Questions given up, replaced, too slow or killed, and many at once."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import threading
import time
from http.client import HTTPConnection

import pytest
from web_client import CLASSIC, JSON, PATIENCE, page, state

from satdoku.web.jobs import _START, JobError, Pool
from satdoku.web.questions import QUESTIONS, QUICK

SLOW = state("." * 256)  # some seconds of counting
IMPORTS = "; import deadly, runpy"
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
    connection = HTTPConnection(web.host, timeout=PATIENCE)
    connection.request("POST", f"{web.path}api/{name}", json.dumps({"tab": tab, **asked}), JSON)
    answer = connection.getresponse()
    assert answer.status == 200
    return connection, answer


@pytest.mark.skipif(not PROC, reason="reads /proc")
def test_a_question_that_is_given_up_frees_its_worker():
    """One that would go on counting spends processor time in every half second."""
    counts = "live.COUNT_SECONDS = 600; import runpy"
    with page(code=f"jobs._START = jobs._START.replace('import runpy', '{counts}')") as web:
        connection, answer = begun(web, "live", "leaves", puzzle=SLOW, limit=100_000)
        answer.readline()
        connection.sock.shutdown(socket.SHUT_RDWR)
        connection.close()
        before: dict[int, float] = {}
        while (now := {pid: busy_seconds(pid) for pid in workers(web)}) != before:
            before = now
            time.sleep(0.5)
        assert web.all("live", tab="leaves", puzzle=state(CLASSIC))["status"] == "unique"


def test_a_newer_question_of_the_same_tab_takes_the_place(web):
    connection, answer = begun(web, "live", "types", puzzle=SLOW, limit=100_000)
    answer.readline()
    assert web.all("live", tab="types", puzzle=state(CLASSIC))["status"] == "unique"
    last = json.loads(answer.read().splitlines()[-1])
    assert last == {"error": "a newer question took its place"}
    connection.close()


@pytest.mark.skipif(not PROC, reason="reads /proc")
def test_a_worker_that_gives_a_question_up_gets_the_next_one_of_its_tab():
    with page(code="jobs.GRACE = 600") as web:  # it is not killed, on no machine
        connection, answer = begun(web, "live", "a", puzzle=SLOW, limit=100_000)
        answer.readline()
        before = busiest(web)
        assert web.all("live", tab="a", puzzle=state(CLASSIC))["status"] == "unique"
        assert web.all("live", tab="a", puzzle=SLOW, limit=2, counts=False)["status"] == "multiple"
        assert busiest(web) == before
        connection.close()


def busiest(web):
    """The worker that has worked for longest."""
    return max(workers(web), key=busy_seconds)


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
        thread.join()
    assert json.loads(answers[9].text.splitlines()[0]) == {"status": "unique"}
    for number in range(9):
        assert "a newer question took its place" in answers[number].text


def test_ten_tabs_stay_usable():
    """Ten tabs with slow questions: an eleventh, and each of the ten, still get a quick one."""
    counts = "live.COUNT_SECONDS = live.TALLY_SECONDS = 0.5; import runpy"
    with page(code=f"jobs._START = jobs._START.replace('import runpy', '{counts}')") as web:
        ten_tabs(web)


def ten_tabs(web):
    slow = [begun(web, "live", f"tab{n}", puzzle=SLOW, limit=100_000) for n in range(10)]
    for n in range(3):
        found = web.ask("picture", tab=f"tab{n}", puzzle=state(CLASSIC))
        assert found["svg"]
        assert web.all("live", tab=f"tab{n}", puzzle=state(CLASSIC))["status"] == "unique"
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


def one_answer(before=lambda pool: None):
    """The lines of a question to a pool with a worker that waits, to which something happens."""

    async def asked():
        pool = Pool(QUICK)
        pool.start()
        slow = QUESTIONS["picture"]._replace(seconds=PATIENCE)
        patch = pytest.MonkeyPatch()
        patch.setitem(QUESTIONS, "picture", slow)
        try:
            while not pool._idle:
                await asyncio.sleep(0.01)
            before(pool)
            return [line async for line in pool.ask("a", "picture", {"puzzle": state(CLASSIC)})]
        finally:
            await pool.close()
            patch.undo()

    return asyncio.run(asked())


def test_a_worker_killed_while_it_waits_costs_no_question():
    """The server has not noticed yet that it is gone."""
    (line,) = one_answer(lambda pool: pool._idle[0].process.kill())
    assert line.startswith(b'+{"svg"')


@pytest.mark.parametrize(("deaths", "is_answered"), [(0, True), (1, True), (2, False)])
def test_a_question_that_kills_workers_is_given_two(tmp_path, monkeypatch, deaths, is_answered):
    """Each worker that gets it notes it, and dies if it is one of the first."""
    note = tmp_path / "note"
    (tmp_path / "deadly.py").write_text(
        "import os\n"
        "from satdoku.web import take\n"
        "def dies(asked, answer=take.picture):\n"
        f"    with open({str(note)!r}, 'a+') as file:\n"
        "        file.write('x')\n"
        f"    if os.path.getsize({str(note)!r}) <= {deaths}:\n"
        "        os._exit(9)\n"
        "    return answer(asked)\n"
        "take.picture = dies\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("satdoku.web.jobs._START", f"{_START};".replace("; import runpy", IMPORTS))
    if is_answered:
        assert one_answer()[0].startswith(b'+{"svg"')
    else:
        with pytest.raises(JobError, match="the worker process ended before its answer"):
            one_answer()
    assert len(note.read_text()) == min(deaths + 1, 2)


@pytest.mark.parametrize(
    ("start", "words"),
    [("raise SystemExit(3)", "worker processes do not start"),
     ("print('.', flush=True)", "the worker process ended before its answer")],
)  # fmt: skip
def test_workers_that_never_live_are_told(monkeypatch, capfd, start, words):
    def spoil(_):
        monkeypatch.setattr("satdoku.web.jobs._START", start)
        _._idle.clear()

    with pytest.raises(JobError, match=words) as told:
        one_answer(spoil)
    assert told.value.status == 503 and capfd.readouterr().err == ""


def test_no_worker_can_be_made(monkeypatch, capfd):
    def spoil(pool):
        monkeypatch.setattr("sys.executable", "/nowhere/python")
        pool._idle.clear()

    with pytest.raises(JobError, match="worker processes do not start: No such file"):
        one_answer(spoil)
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(not PROC, reason="reads /proc")
def test_no_worker_outlives_the_server():
    with page() as web:
        assert web.all("live", puzzle=state(CLASSIC))["status"] == "unique"
        begun(web, "live", "b", puzzle=SLOW, limit=100_000)[1].readline()
        pids = workers(web)
        assert pids
        web.process.kill()
        web.process.wait()
        while any(os.path.exists(f"/proc/{pid}") for pid in pids):
            time.sleep(0.1)


def test_a_question_that_takes_too_long_is_ended(tmp_path):
    """In a process of its own, so that the limit can be small."""
    code = "questions.QUESTIONS['steps'] = questions.QUESTIONS['steps']._replace(seconds=0.3)"
    hard = state("." * 256, "knight")
    with page(code=code) as web:
        answer = web.post("steps", puzzle=hard, all=True)
        assert "no answer within 0.3 seconds" in answer.text


def test_a_tab_that_does_not_read_loses_its_place_to_its_next_question(web):
    """A tab in the background may leave an answer in the pipe."""
    puzzle = state("." * 256)
    deaf = [begun(web, "live", "deaf", puzzle=puzzle, limit=100_000)[0] for _ in range(3)]
    assert web.all("live", tab="deaf", puzzle=state(CLASSIC))["status"] == "unique"
    for connection in deaf:
        connection.close()
