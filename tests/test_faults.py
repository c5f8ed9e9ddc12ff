"""Faults from outside: signals at any time, solvers that lie, no memory, no room on the disk."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES, pigeons
from process_groups import PATIENCE, until_gone, until_it_listens
from temporaries import bytes_written, parts

import satdoku
import satdoku.certificates.make  # bound to the true solvers before a test replaces them
from satdoku.answers import answer, api, listing, turns
from satdoku.answers import solver as solvers
from satdoku.answers.session import Session, close_sessions
from satdoku.cli import EXIT_BAD_INPUT, EXIT_FAULT, Terminated, main
from satdoku.crosscheck import ask, disagreements
from satdoku.engine import NUMPY
from satdoku.model.grid import parse_grid
from satdoku.runtime.errors import WitnessError

EMPTY = "." * 81
SATDOKU = [sys.executable, "-m", "satdoku"]
posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits are those of POSIX")

# Solvers that lie -----------------------------------------------------------------------------


class Liar:
    """PySAT's solver, except for what a subclass garbles."""

    def __init__(self, *arguments, **options):
        self.true = OPEN_SOLVER(*arguments, **options)

    def __getattr__(self, name):
        return getattr(self.true, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.true.delete()


class WrongModels(Liar):
    """Two digits of r1 exchanged: one digit a cell still, but no Sudoku."""

    def get_model(self):
        model = self.true.get_model()
        true = [literal for literal in model[:729] if literal > 0]
        a, b = true[0], true[1]
        moved = {a: a - a + 1 + (b - 1) % 9, b: 10 + (a - 1) % 9}
        return [moved.get(literal, literal) for literal in true]


class TruncatedModels(Liar):
    def get_model(self):
        return self.true.get_model()[:300]


class NoModels(Liar):
    def get_model(self):
        return None


class DeafToClauses(Liar):
    """As solvers that take no clause once they have solved: blocked solutions come again."""

    def add_clause(self, clause, no_return=True):
        pass


class Unsatisfiable(Liar):
    def solve(self, assumptions=()):
        return False

    solve_limited = solve


OPEN_SOLVER = solvers.open_solver


@pytest.fixture
def fake(monkeypatch):
    def put(liar):
        # Without the shortcut by propagation, which asks for no model.
        monkeypatch.setattr(solvers, "_SLOW_PROPAGATORS", frozenset(solvers.SOLVERS))
        monkeypatch.setattr(solvers, "open_solver", liar)
        monkeypatch.setattr(answer, "solve_one", lambda *_: None)  # as without the kernel
        monkeypatch.setattr(api, "list_one", lambda *_: None)
        monkeypatch.setattr(turns, "active", lambda: NUMPY)
        monkeypatch.setattr(listing, "chosen_backend", lambda *_: "session")
        close_sessions()

    return put


@pytest.mark.parametrize("liar", [WrongModels, TruncatedModels, NoModels])
@pytest.mark.parametrize(
    "query", ["solve", "classify", "count", "candidates", "solutions", "solve_batch"]
)
def test_no_wrong_solution_leaves(fake, liar, query):
    fake(liar)
    with pytest.raises(WitnessError):
        if query == "solve_batch":
            import numpy as np

            satdoku.solve_batch(np.asarray(parse_grid(CLASSIC))[None], backend="session")
        else:
            answer = getattr(satdoku, query)(CLASSIC)
            list(answer) if query == "solutions" else None


@pytest.mark.parametrize("query", ["solve", "solutions"])
def test_no_wrong_solution_leaves_a_session_unless_it_is_asked_not_to_verify(fake, query):
    fake(WrongModels)

    def ask_session(**options):
        answer = getattr(Session(**options), query)(CLASSIC)
        return next(answer) if query == "solutions" else answer

    with pytest.raises(WitnessError, match="is no solution of"):
        ask_session()
    assert ask_session(verify=False) is not None


def test_a_solution_against_the_pencil_marks_is_seen(monkeypatch):
    """By a solver that is not told of them."""
    monkeypatch.setattr(solvers.LoadedSolver, "struck", lambda *_: nullcontext([]))
    session = Session()
    digit = int(CLASSIC_SOLUTION[0])
    marks = bytes(candidate != digit - 1 for candidate in range(729))
    with (
        session.restricted(marks),
        pytest.raises(WitnessError, match="r1c1=7, which its pencil marks exclude"),
    ):
        session.solve(CLASSIC)


@pytest.mark.parametrize(
    "command",
    [["solve"], ["check"], ["count"], ["enumerate"], ["candidates"], ["certify"]],
)
def test_the_command_line_says_that_it_is_at_fault(fake, command, capsys):
    fake(TruncatedModels)
    code = main([*command, EMPTY])  # of which a certificate holds two solutions
    captured = capsys.readouterr()
    assert code == EXIT_FAULT == 70
    assert CLASSIC_SOLUTION not in captured.out
    assert re.search(r"satdoku: fault: .*true candidates.*no answer of this run", captured.err)


def test_batch_leaves_no_file_of_a_lying_solver(fake, tmp_path, capsys):
    fake(WrongModels)
    out = tmp_path / "out.txt"
    arguments = ["--backend", "session", "--workers", "1", "--executor", "thread", "-q"]
    code = main(["batch", str(PUZZLES / "classic.txt"), "-o", str(out), *arguments])
    assert code == EXIT_FAULT
    assert list(tmp_path.iterdir()) == []
    assert "satdoku: fault: " in capsys.readouterr().err


def test_a_solver_that_gives_excluded_solutions_is_caught_and_no_endless_enumeration(fake):
    fake(DeafToClauses)
    with pytest.raises(WitnessError, match="excluded"):
        Session().classify(EMPTY)
    with pytest.raises(WitnessError, match="excluded"):
        Session().count(EMPTY, limit=10**6)
    with pytest.raises(WitnessError, match="excluded"):
        list(Session("miracle").solutions(EMPTY))


def test_a_wrong_unsat_is_seen_by_who_does_not_trust_one_solver(fake):
    """`solve` has to believe a plain "no"; certificates and the other witnesses do not."""
    fake(Unsatisfiable)
    puzzle, constraints = parse_grid(CLASSIC), satdoku.constraints_for()
    assert satdoku.solve(CLASSIC) is None
    said = {name: ask(name, puzzle, constraints) for name in ("cadical153", "z3-bool")}
    assert disagreements(said, puzzle, constraints, 2) == [
        "cadical153 finds 0 solutions, there are at least 1"
    ]
    preamble, certificate = satdoku.certify(CLASSIC)  # by the engine and a checked proof
    assert certificate.claim == "unique"
    assert len(preamble.cnf) > 10_000


def test_a_prover_that_is_wrong_writes_no_certificate(monkeypatch):
    from satdoku.certificates import make

    class Hasty(Liar):
        def solve(self, assumptions=()):
            return False

        def get_proof(self):
            return ["0"]  # the empty clause, out of nothing

    monkeypatch.setattr(make, "open_solver", Hasty)
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    with pytest.raises(WitnessError, match="certificate of"):
        satdoku.certify(hard)


# Signals --------------------------------------------------------------------------------------


def endless(command, tmp_path):
    """A command line that would not end for long, and the name that its result would have."""
    out = tmp_path / "out"
    if command == "enumerate":
        return [*SATDOKU, "enumerate", EMPTY], out
    many = tmp_path / "many.txt"
    if not many.exists():
        lines = (PUZZLES / "generated-1000.txt").read_text()
        many.write_text(lines * (40 if command == "certify" else 400))
    by = {
        "batch": ["batch", str(many), "-o", str(out), "--backend", "session", "--workers", "1"],
        "batch-processes": ["batch", str(many), "-o", str(out), "--backend", "session",
                            "--workers", "2", "--executor", "process"],
        "batch-engine": ["batch", *[str(many)] * 20, "-o", str(out)],
        "audit": ["audit", *[str(many)] * 5, "--report", str(out)],
        "certify": ["certify", str(many), "-o", str(out)],
    }  # fmt: skip
    return [*SATDOKU, *by[command]], out


COMMANDS = ["enumerate", "batch", "batch-processes", "batch-engine", "audit", "certify"]
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}


def stopped(arguments, number, wait):
    """Start, wait, send the signal: exit code, stdout and stderr."""
    with subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        wait(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err.decode()


def listening(seconds):
    """Wait for so many seconds from when it has its handlers of signals."""
    return lambda process: until_it_listens(process, seconds)


def until_there(out, size=0):
    """Wait until a file that is being written has more than so many bytes."""

    def wait(process):
        while bytes_written(out) <= size:
            assert process.poll() is None
            time.sleep(0.02)

    return wait


@pytest.mark.covering
@posix
@pytest.mark.parametrize("number", list(CODES))
@pytest.mark.parametrize("command", ["enumerate", "batch", "certify"])
def test_a_signal_ends_a_command_cleanly(command, number, tmp_path):
    arguments, out = endless(command, tmp_path)
    wait = listening(1) if command == "enumerate" else until_there(out, -1)
    code, printed, err = stopped(arguments, number, wait)
    assert code == CODES[number], err
    assert "Traceback" not in err
    assert not out.exists()
    if command == "enumerate":
        lines = printed.decode().splitlines()
        assert all(len(line) == 81 for line in lines)  # no line is torn


@pytest.mark.parametrize(
    ("interrupt", "code"), [(KeyboardInterrupt, 130), (Terminated, 143), (ValueError, None)]
)
def test_a_signal_during_the_import_of_a_command_ends_it_cleanly(interrupt, code, monkeypatch):
    """Python 3.11 makes a `RuntimeError` of what a descriptor raises while its class is defined."""

    class Interrupted:
        def __set_name__(self, *_):
            raise interrupt

    def execute(_):
        type("Imported", (), {"attribute": Interrupted()})

    monkeypatch.setattr("satdoku.cli.program.execute", execute)
    if code is None:
        with pytest.raises((RuntimeError, ValueError)):
            main([])
    else:
        assert main([]) == code


@posix
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("signals", [(signal.SIGINT, signal.SIGINT), (signal.SIGKILL,)])
def test_workers_end_with_their_parent(signals, tmp_path):
    """Ctrl-C twice, as people press it, or the end that nobody can act on."""
    arguments, _ = endless("batch-processes", tmp_path)
    with subprocess.Popen(
        arguments,
        start_new_session=True,
        stderr=subprocess.PIPE,
    ) as process:
        until_there(tmp_path / "out", 100)(process)
        for number in signals:
            process.send_signal(number)
            time.sleep(0.05)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode in (130, -signal.SIGKILL)
    assert b"Traceback" not in err
    until_gone(process.pid)


@posix
def test_what_was_finished_before_sigterm_is_kept(tmp_path):
    arguments, out = endless("batch", tmp_path)
    code, _, err = stopped(arguments, signal.SIGTERM, until_there(tmp_path / "out", 1000))
    assert code == 143
    (part,) = parts(out)
    assert f"what was written so far is kept in {part}" in err
    kept = part.read_text()
    assert kept.endswith("\n")
    answers = kept.splitlines()
    assert len(answers) >= 512
    assert all(re.fullmatch("unique [1-9]{81}", line) for line in answers)


@posix
@pytest.mark.slow
@pytest.mark.parametrize("number", list(CODES))
@pytest.mark.parametrize("command", COMMANDS)
def test_a_signal_at_any_time_ends_a_command_cleanly(command, number, tmp_path):
    """Also while it starts. Before `main` runs the interpreter itself answers, and says so."""
    rng, problems = random.Random(f"{command} {number}"), []
    arguments, out = endless(command, tmp_path)
    for _ in range(12):
        seconds = rng.uniform(0.05, 4)
        code, _, err = stopped(arguments, number, lambda _, s=seconds: time.sleep(s))
        early = code in (-number, 1) and ("satdoku/cli/__init__" not in err or seconds < 0.4)
        if not early and (code != CODES[number] or "Traceback" in err):
            problems.append((round(seconds, 2), code, err[-600:]))
        if out.exists():
            problems.append((seconds, "left a file under its final name"))
    assert problems == []


@pytest.mark.covering
@posix
@pytest.mark.parametrize("number", list(CODES))
@pytest.mark.parametrize("solver", ["cadical153", "glucose4"])
def test_a_signal_is_seen_during_one_long_solver_call(solver, number, tmp_path):
    """The solver comes back every so often, though it holds the interpreter lock."""
    clauses = pigeons(13)
    variables = max(map(max, clauses))
    lines = [f"p cnf {variables} {len(clauses)}", *(" ".join(map(str, [*c, 0])) for c in clauses)]
    cnf = tmp_path / "pigeons.cnf"
    cnf.write_text("\n".join(lines) + "\n")
    arguments = [*SATDOKU, "solve", "--dimacs-output", str(cnf), "--solver", solver]
    code, out, err = stopped(arguments, number, listening(1))
    assert (code, out) == (CODES[number], b""), err
    assert "Traceback" not in err


@posix
@pytest.mark.parametrize(
    "words",
    [
        ["explain", str(PUZZLES / "inkala-2012.txt"), "--cell", "r1c2"],
        ["crosscheck", "." * 81, "--rules", "miracle", "--witnesses", "z3-int-distinct",
         "--limit", "100"],
    ],
)  # fmt: skip
def test_ctrl_c_is_no_answer_of_libraries_that_listen_themselves(words):
    """OptUx and Z3: neither an error of theirs nor `unknown` comes out."""
    code, out, err = stopped([*SATDOKU, *words], signal.SIGINT, listening(1.8))
    assert (code, "agree" in out.decode()) == (130, False), err
    assert err == "satdoku: interrupted\n"


def test_the_caller_s_own_handler_of_sigterm_stays(capsys):
    def mine(*_):
        pass

    before = signal.signal(signal.SIGTERM, mine)
    try:
        assert main(["check", CLASSIC]) == 0
        assert signal.getsignal(signal.SIGTERM) is mine
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        assert main(["check", CLASSIC]) == 0
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)


# No memory, no room ---------------------------------------------------------------------------


# Modules are imported before memory runs short: to compile one needs memory too, and CPython may
# then say anything.
STARVED = """
import resource, sys
import satdoku.certificates.make, satdoku.cli.commands.solve, satdoku.answers.session
import satdoku.cli.commands.export, satdoku.cnf.encodings.groups, pysat.solvers
from satdoku.cli import main
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
limit = used + int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="RLIMIT_AS binds on Linux")
@pytest.mark.parametrize("megabytes", [2, 20, 40])
def test_no_memory_leaves_no_result_and_no_traceback(megabytes, tmp_path):
    """Whatever gives way first, Python or a solver in C++: nothing stands under the final name."""
    cnf, out = tmp_path / "large.cnf", tmp_path / "out"
    cnf.write_text("p cnf 900000 900000\n" + "".join(f"-{n} 7 0\n" for n in range(1, 900_001)))
    for arguments in (
        ["solve", "--dimacs-output", str(cnf)],
        ["export", "." * 625, "-o", str(out)],
    ):
        run = subprocess.run(
            [sys.executable, "-c", STARVED, str(megabytes << 20), *arguments],
            capture_output=True,
            text=True,
            timeout=60,
        )
        # C++ ends the process where Python raises MemoryError.
        assert run.returncode == EXIT_FAULT or run.returncode < 0, run.stderr
        assert "Traceback" not in run.stderr
        assert not out.exists()


def test_no_memory_is_a_fault(monkeypatch, capsys):
    def exhausted(*_):
        raise MemoryError

    monkeypatch.setattr("satdoku.answers.answer.solve_one", exhausted)
    assert main(["solve", CLASSIC]) == EXIT_FAULT
    assert capsys.readouterr().err == "satdoku: fault: out of memory\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "arguments", [["solve", CLASSIC], ["enumerate", "--limit", "3000", EMPTY], ["rules"]]
)
def test_a_full_disk_behind_standard_output_is_told(arguments):
    with open("/dev/full", "wb") as full:
        run = subprocess.run([*SATDOKU, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2
    assert run.stderr == "satdoku: standard output: No space left on device\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_it_is_not_told_of_the_file_that_is_open_meanwhile(tmp_path, unbuffered):
    words = ["fewest", "1234341221434321", "--all", "4", "--certificate", "c.json"]
    with open("/dev/full", "wb") as full:
        run = subprocess.run(
            [*SATDOKU, *words], stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )  # fmt: skip
    assert run.returncode == 2
    assert run.stderr == "satdoku: standard output: No space left on device\n"
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_another_file_is_not_one_of_standard_output(tmp_path, monkeypatch, capsys):
    """Here the page of a report, which is a folder."""
    monkeypatch.chdir(tmp_path)
    words = ["--tasks", "inkala", "--modes", "oneshot", "--backends", "glucose4", "-o", "."]
    assert main(["bench", *words]) == 0
    (tmp_path / "report.md").mkdir()
    capsys.readouterr()
    assert main(["bench", "report", "."]) == EXIT_BAD_INPUT
    assert capsys.readouterr().err == "satdoku: report.md: Is a directory\n"


@posix
@pytest.mark.parametrize(
    "arguments, closed, code, said",
    [
        (["check", CLASSIC], ">&-", 2, "standard output: "),
        (["solve", CLASSIC], ">&-", 2, "standard output: "),
        (["batch", "in.txt", "-q"], ">&-", 2, "standard output: "),
        (["batch", "in.txt", "-q", "-o", "out.txt"], ">&- <&-", 0, ""),
        (["check", "-"], "<&-", 2, "standard input: holds no puzzle"),
        (["check", CLASSIC], "2>&-", 0, ""),
    ],
)
def test_standard_streams_that_are_closed(arguments, closed, code, said, tmp_path):
    """As daemons and cron may have them."""
    (tmp_path / "in.txt").write_text(f"{CLASSIC}\n")
    command = ["sh", "-c", f'"$@" {closed}', "sh", *SATDOKU, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=PATIENCE)
    assert done.returncode == code
    assert done.stderr.startswith(f"satdoku: {said}" if said else "")
    assert len(done.stderr.splitlines()) == bool(said)


def test_json_of_an_interrupted_run_is_never_half(tmp_path):
    """--summary is written at the end or not at all."""
    summary = tmp_path / "summary.json"
    out = tmp_path / "o.txt"
    arguments = ["batch", str(PUZZLES / "classic.txt"), "-o", str(out), "-q"]
    assert main([*arguments, "--summary", str(summary)]) == 0
    assert json.loads(summary.read_text())["puzzles"] >= 1
