"""Command lines: what they may hold, their limits, and that nothing of them is left."""

import os
import signal
import subprocess
import sys
import time

import pytest
from misbehaving import MISBEHAVING, PUZZLE
from process_groups import PATIENCE, carrying, members
from programs import Z3_CNF, script

from satdoku.answers.external.program import Command, Limits, ProgramError, run
from satdoku.runtime.errors import Unanswered


def test_words_are_split_as_a_shell_does_and_places_become_files(tmp_path):
    command = Command.of("minisat -rnd-seed='1 2' {cnf} --to={out}")
    assert (command.form, command.program) == ("cnf", "minisat")
    assert command.on(tmp_path) == [
        "minisat", "-rnd-seed=1 2", f"{tmp_path}/problem.cnf", f"--to={tmp_path}/answer",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("kissat", "expected {cnf}, {smt2} or {opb} for the file"),
        ("", "expected {cnf}"),
        ("kissat {wcnf}", r"found {wcnf}, expected {cnf}"),
        ("kissat {cnf} {opb}", "expected {cnf}"),
        ("kissat '{cnf}", "No closing quotation"),
    ],
)
def test_a_bad_command_says_what_was_expected(text, says):
    with pytest.raises(ProgramError, match=says):
        Command.of(text)


def test_a_program_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ProgramError, match="no-such-solver is not on the PATH"):
        Command.of("no-such-solver {cnf}").require()
    with pytest.raises(ProgramError, match="/no/such is no program"):
        Command.of("/no/such {cnf}").require()
    with pytest.raises(ProgramError, match="No such file"):
        run(Command.of("/no/such {cnf}"), tmp_path)
    Command.of(Z3_CNF).require()


def test_the_version_is_what_the_program_says():
    assert Command.of(Z3_CNF).version().startswith("z3 Z3 version ")
    assert Command.of("false {cnf}").version() == "false"


def test_what_is_printed_comes_back_with_the_exit_code(tmp_path):
    out = run(Command.of(script('cat "$0"; echo late >&2; exit 10')), _folder(tmp_path, "p cnf\n"))
    assert out == (10, "p cnf\n", "late\n")


def test_a_file_for_the_answer_comes_before_what_is_printed(tmp_path):
    command = Command.of(script('echo noise; echo SAT > "$1"', "{cnf} {out}"))
    assert run(command, _folder(tmp_path)).text == "SAT\n"
    silent = Command.of(script("echo noise", "{cnf} {out}"))
    (tmp_path / "answer").unlink()
    assert run(silent, tmp_path).text == "noise\n"


def test_a_program_that_ends_is_not_waited_for_though_its_output_stays_open(tmp_path):
    command = Command.of(script(f"echo s UNKNOWN; sleep {PATIENCE} &"))
    assert run(command, _folder(tmp_path), Limits(PATIENCE / 2)).text == "s UNKNOWN\n"


def test_beyond_the_time_all_that_it_started_is_killed(tmp_path):
    said = tmp_path / "pid"
    command = Command.of(script(f"echo $$ > {said}; sleep 30 & sleep 30"))
    with pytest.raises(Unanswered, match=r"sh: no answer within 0\.3 s") as caught:
        run(command, _folder(tmp_path), Limits(timeout=0.3))
    assert caught.value.status == "timeout"
    _wait_for(lambda: not members(int(said.read_text())))


def test_no_time_is_no_answer(tmp_path):
    with pytest.raises(Unanswered, match="no answer within 0 s"):
        run(Command.of(script("sleep 5")), _folder(tmp_path), Limits(timeout=0))


def test_memory_is_limited(tmp_path):
    text = f'{sys.executable} -S -c "import mmap; mmap.mmap(-1, 1 << 30)" {{cnf}}'
    assert run(Command.of(text), _folder(tmp_path)).code == 0
    limited = run(Command.of(text), tmp_path, Limits(memory_mb=256))
    assert limited.code != 0
    assert "memory" in limited.errors


def test_a_program_that_prints_without_end_is_stopped(tmp_path):
    with pytest.raises(ProgramError, match="yes: prints more than 1 MB"):
        run(Command.of("yes {cnf}"), _folder(tmp_path), Limits(most=1 << 20))


def test_an_interrupt_leaves_nothing(tmp_path):
    said = tmp_path / "pid"
    command = script(f"echo $$ > {said}; sleep 30 & sleep 30")
    words = ["-m", "satdoku", "solve", "--solver-cmd", command, "1..............."]
    told = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen([sys.executable, *words], stderr=subprocess.PIPE, env=told)
    _wait_for(lambda: said.exists() and said.read_text())
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE)[1] == b"satdoku: interrupted\n"
    assert process.returncode == 130
    _wait_for(lambda: not members(int(said.read_text())))
    assert [path.name for path in tmp_path.iterdir()] == ["pid"]


@pytest.mark.parametrize("name", MISBEHAVING)
def test_what_misbehaves_is_not_believed_and_leaves_nothing(name, run, tmp_path, monkeypatch):
    program = MISBEHAVING[name]
    monkeypatch.setenv("SATDOKU_TEST", mark := f"{tmp_path} {name}")
    monkeypatch.setattr("tempfile.tempdir", str(temporary := tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    temporary.mkdir()
    command = script(program.script, "{cnf} {out}")
    code, out, err = run(
        "solve", "--timeout", program.seconds, *program.options, "--solver-cmd", command, PUZZLE
    )
    assert (code, out) == (program.code, "unknown\n" if program.code == 1 else ""), err
    assert program.words in err
    assert carrying(mark) == []
    assert [*tmp_path.iterdir(), *temporary.iterdir()] == [temporary]


def _folder(path, text=""):
    (path / "problem.cnf").write_text(text)
    return path


def _wait_for(holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)
