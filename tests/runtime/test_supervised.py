"""Programs under a supervisor: how they ended, that nothing is left, and that no other is hit."""

import errno
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from threading import Thread

import pytest
from process_groups import PATIENCE, carrying

from satdoku.runtime.supervised import Outcome, Supervised
from satdoku.runtime.supervisor import CODE, ENDED, ERROR, MEMORY


def shell(text, **options):
    return Supervised(["sh", "-c", text], **options)


@pytest.fixture
def mark(tmp_path, monkeypatch):
    """A text in the environment of all that is started."""
    monkeypatch.setenv("SATDOKU_TEST", str(tmp_path))
    return str(tmp_path)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("exit 0", Outcome(CODE, 0)),
        ("exit 20", Outcome(CODE, 20)),
        ("kill -SEGV $$", Outcome(CODE, -signal.SIGSEGV)),
        ("setsid sleep 60 & exit 3", Outcome(CODE, 3)),
        ("kill -KILL $PPID; sleep 60", None),
    ],
)
def test_how_it_ended(text, outcome, mark):
    with shell(text) as program:
        assert program.outcome() == outcome
    assert carrying(mark) == []


def test_nothing_is_left_of_what_becomes_another_program_for_ever(mark):
    again = """export AGAIN='exec sh -c "$AGAIN"'; eval "$AGAIN\""""
    for _ in range(20):  # one look in six finds it amid `execve`, where it has no environment
        with shell(f"kill -KILL $PPID; {again}") as program:
            assert program.outcome() is None
        assert carrying(mark) == []


def test_a_program_that_is_none_says_why(tmp_path):
    for name, number in (("/no/such", errno.ENOENT), (str(tmp_path), errno.EACCES)):
        with Supervised([name]) as program:
            assert program.outcome() == Outcome(ERROR, number)


def test_words_and_environment_arrive_as_they_are(tmp_path):
    words = ["a b", "", "\udcff", "-x", "$HOME", "ä"]
    with Supervised(["printf", "%s\\n", *words], folder=str(tmp_path)) as program:
        assert program.outcome() == Outcome(CODE, 0)
        assert program.stdout.read() == b"a b\n\n\xff\n-x\n$HOME\n\xc3\xa4\n"
    with shell(
        "echo $TMPDIR; ulimit -c; ulimit -v", folder=str(tmp_path), memory_mb=900
    ) as program:
        program.outcome()
        assert program.stdout.read().decode().split() == [str(tmp_path), "0", str(900 << 10)]


def test_it_works_in_a_process_of_many_files():
    """`select` knows no file above 1023."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    with ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _ in range(1100):
            stack.enter_context(open(os.devnull))
        with shell("echo x; exit 5") as program:
            assert program.link.fileno() > 1023
            assert program.outcome() == Outcome(CODE, 5)
            assert program.stdout.read() == b"x\n"


def test_signals_are_as_they_were(mark):
    """The supervisor is deaf, and its program is not: it ends by SIGTERM, and by a closed pipe."""
    with shell("kill -TERM $$; exit 0") as program:
        assert program.outcome() == Outcome(CODE, -signal.SIGTERM)
    with shell("yes | head -1; exit 0") as program:
        assert program.outcome() == Outcome(CODE, 0)
        assert program.stderr.read() in (b"", None)


def test_all_of_it_together_may_use_so_much():
    hog = "head -c 60000000 /dev/zero | tail -c 60000000 | sleep 60 & "
    with shell(2 * hog + "wait", memory_mb=200) as program:
        time.sleep(0.5)
        program.close()
        assert program.outcome() == Outcome(ENDED)
    with shell(5 * hog + "wait", memory_mb=200) as program:
        assert program.outcome() == Outcome(MEMORY)


def test_children_of_others_are_neither_killed_nor_reaped(mark):
    """Neither those of our process, in the group and session of ours, nor those of a thread."""
    alive = subprocess.Popen(["sleep", "60"])
    ended = subprocess.Popen(["sh", "-c", "exit 7"])
    try:
        threads = [Thread(target=_end_one) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert alive.poll() is None
        assert ended.wait() == 7
        assert carrying(mark) == [str(alive.pid)]
    finally:
        alive.kill()
        alive.wait()


def _end_one():
    with shell("kill -KILL $PPID; setsid sleep 60 & sleep 60") as program:
        assert program.outcome() is None
    with shell("setsid sleep 60 & sleep 60"):
        pass


@pytest.mark.covering
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("copied", [False, True], ids=["alone", "forked"])
def test_whoever_is_killed_leaves_neither_processes_nor_the_folder(number, copied, tmp_path, mark):
    """Also if a process that was forked from ours has the socket open too."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    command = f"sh -c 'touch {tmp_path}/begun; setsid sleep 60 & sleep 60' {{cnf}}"
    fork = "threading.Timer(0.3, lambda: os.fork() or time.sleep(60)).start()" if copied else ""
    text = (
        f"import os, sys, threading, time; from satdoku.cli import main; {fork}\n"
        f"sys.exit(main(['solve', '--solver-cmd', {command!r}, '1...............']))"
    )
    told = {**os.environ, "TMPDIR": str(temporary)}
    process = subprocess.Popen([sys.executable, "-c", text], env=told, stderr=subprocess.PIPE)
    _wait_for((tmp_path / "begun").exists)
    if copied:
        _wait_for(lambda: len(_named(mark, "python")) >= 3)  # it, its supervisor, and its copy
    process.send_signal(number)
    process.wait(timeout=PATIENCE)
    process.stderr.close()
    _wait_for(lambda: not _named(mark, "sleep") and not list(temporary.iterdir()))
    for one in carrying(mark):
        os.kill(int(one), signal.SIGKILL)


def _named(mark, name):
    found = []
    for one in carrying(mark):
        try:
            with open(f"/proc/{one}/comm") as file:
                found += [one] * file.read().startswith(name)
        except OSError:
            continue
    return found


def test_it_works_where_ended_children_are_forgotten(mark):
    """A process may ignore SIGCHLD, which programs inherit."""
    text = (
        "import signal; from satdoku.runtime.supervised import Supervised\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "words = ['sh', '-c', 'setsid sleep 60 & sh -c \"exit 4\"; exit $?']\n"
        "with Supervised(words) as program: print(*program.outcome())"
    )
    asked = subprocess.run([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
    assert asked.stdout == "code 4\n"
    assert carrying(mark) == []


def _wait_for(holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)
