"""The command as a process of its own: imports, pipes and signals."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_cases import CLASH, python
from examples import CLASSIC, CLASSIC_SOLUTION
from temporaries import bytes_written, parts


def test_python_m_satdoku_is_the_command():
    done = python("-m", "satdoku", "solve", CLASSIC)
    assert (done.returncode, done.stdout, done.stderr) == (0, CLASSIC_SOLUTION + "\n", "")
    done = python("-m", "satdoku", "check", "-", input=CLASH)
    assert (done.returncode, done.stdout) == (1, "invalid\n")


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], {"numpy", "pysat", "z3", "tqdm"}),
        (["solve", "--help"], {"numpy", "pysat", "z3", "tqdm"}),
        (["solve", CLASSIC], {"numpy", "z3", "tqdm"}),
        (["check", CLASSIC], {"numpy", "z3", "tqdm"}),
        (["export", "--size", "4"], {"numpy", "z3", "tqdm"}),
        (["render", CLASSIC], {"numpy", "pysat", "z3", "tqdm", "resvg_py"}),
        (["encodings", "--size", "4"], {"numpy", "z3", "tqdm", "pysat.solvers"}),
        (["export", "--size", "4", "--encoding", "bitwise"], {"numpy", "z3", "tqdm"}),
    ],
)
def test_a_command_imports_only_what_it_needs(arguments, unwanted):
    code = (
        "import atexit, sys; from satdoku.cli import main; tell = sys.stderr.write;"
        f"atexit.register(lambda: tell(str(sorted(sys.modules.keys() & {unwanted}))));"
        f"sys.exit(main({arguments}))"
    )
    done = python("-c", code)
    assert (done.returncode, done.stderr) == (0, "[]")
    assert done.stdout


def test_a_slow_reader_gets_everything_even_unbuffered(file):
    name = file(f"{CLASSIC}\n" * 5000)
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m satdoku batch -q {name} | (sleep 1; wc -lc)"],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["5000", str(5000 * 89)]


@pytest.mark.parametrize("words", ["--help", "check --help", "help", "rules"])
def test_a_reader_that_wants_no_help(words):
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m satdoku {words} | true; echo ${{PIPESTATUS[0]}}"],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
    )
    assert (done.stdout in ("0\n", "141\n"), done.stderr) == (True, "")


@pytest.mark.parametrize("command", ["enumerate --limit 3000 " + "." * 81, "batch -q FILE"])
def test_a_reader_that_goes_away_ends_it_quietly(file, command):
    name = file(f"{CLASSIC}\n" * 5000)
    line = f"{sys.executable} -m satdoku {command.replace('FILE', name)} -w 1 | head -n 1"
    line = line.replace(" -w 1", "") if "enumerate" in line else line
    done = subprocess.run(
        ["bash", "-c", line + "; echo ${PIPESTATUS[0]}"], capture_output=True, text=True, timeout=60
    )
    first, code = done.stdout.splitlines()
    assert len(first.split()[-1]) == 81
    assert (code, done.stderr) == ("141", "")


def interrupted_batch(collection, out, workers):
    """Start a batch, wait for its first results, and press Ctrl-C: (exit code, stderr)."""
    command = [sys.executable, "-m", "satdoku", "batch", collection, "-o", out, "-w", str(workers)]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while process.poll() is None and bytes_written(Path(out)) <= 0:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, messages = process.communicate(timeout=600)
    return process.returncode, messages


MANY = 500_000  # a quarter of a second, so that the signal comes before the end


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_in_a_batch_keeps_the_finished_results(file, tmp_path, workers):
    out = tmp_path / "out.txt"
    name = file(f"{CLASSIC}\n" * MANY)
    code, messages = interrupted_batch(name, str(out), workers)
    assert code == 130
    assert not out.exists()
    (part,) = parts(out)
    kept = part.read_text().splitlines()
    assert set(kept) == {f"unique {CLASSIC_SOLUTION}"}
    assert 512 <= len(kept) < MANY
    assert f"satdoku: what was written so far is kept in {part}\n" in messages
    assert messages.endswith("satdoku: interrupted\n")
    assert "Traceback" not in messages
