"""A command line of another solver, run on a file within limits of time and memory.

Invariant: when `run` returns or raises, also by Ctrl-C, no process that the command started in its
group is left. What it prints is kept up to a bound, so that a program gone wild costs no memory.

    command = Command.of("minisat {cnf} {out}")
    run(command, folder, Limits(seconds=10)).text      # what it wrote to {out}
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import NamedTuple

from ..errors import SatdokuError
from ..sat.solver import BudgetError

INPUTS = ("cnf", "smt2", "opb")  # a command reads one of them; the name ends that of the file
OUTPUT = "out"  # a file for the answer, of a solver that prints none
_EXPECTED = "expected {cnf}, {smt2} or {opb} for the file, such as 'kissat -q {cnf}'"
_MOST = 1 << 28  # bytes of an answer; the values of a board of 100x100 take 10 MB
_LAST = 2000  # bytes kept of what it says on standard error
_PATIENCE = 5.0  # seconds for a program to say its version
_PAUSE = 0.2  # seconds after which to look whether a program ended that left its output open


class ProgramError(SatdokuError):
    """A command line that cannot be run, or a program that answers in no known words."""


class Unanswered(BudgetError):
    """A program that gave up or was stopped; status is `unknown`, `timeout` or `memory`."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class Command:
    """Words in which `{cnf}` and the like stand for files; form: which of INPUTS it reads."""

    text: str
    words: tuple[str, ...]
    form: str

    @staticmethod
    def of(text: str) -> Command:
        """The command line as a shell would split it; raises `ProgramError`."""
        try:
            words = tuple(shlex.split(text))
        except ValueError as error:
            raise ProgramError(f"solver command {text}: {error}") from None
        places = re.findall(r"\{(\w*)\}", text)
        forms = {place for place in places if place in INPUTS}
        wrong = [place for place in places if place not in (*INPUTS, OUTPUT)]
        if wrong or len(forms) != 1 or not words:
            found = f"found {{{wrong[0]}}}, " if wrong else ""
            raise ProgramError(f"solver command {text}: {found}{_EXPECTED}")
        return Command(text, words, *forms)

    @property
    def program(self) -> str:
        """The name of the program, without its folder."""
        return Path(self.words[0]).name

    def require(self) -> None:
        """Raise `ProgramError` if there is no such program."""
        if shutil.which(self.words[0]) is None:
            where = "is no program" if os.sep in self.words[0] else "is not on the PATH"
            raise ProgramError(f"solver command {self.text}: {self.words[0]} {where}")

    def version(self) -> str:
        """What the program says of its version, in a line; else its name alone."""
        with suppress(OSError, subprocess.TimeoutExpired):
            words = [self.words[0], "--version"]
            asked = subprocess.run(
                words, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE
            )
            said = asked.stdout.decode(errors="replace").split("\n")[0].strip()
            if asked.returncode == 0 and said:
                return f"{self.program} {said.removeprefix(self.program).strip()}"[:80]
        return self.program

    def on(self, folder: Path) -> list[str]:
        """The words, with the files of a folder in their places."""
        files = {form: str(folder / f"problem.{form}") for form in INPUTS}
        files[OUTPUT] = str(folder / "answer")
        return [re.sub(r"\{(\w+)\}", lambda place: files[place[1]], word) for word in self.words]


class Limits(NamedTuple):
    """What one run may use; None is no limit.

    seconds: on the clock; memory_mb: address space of each process; own_group: whether it gets a
    process group of its own, which is killed at its end. Without, whoever started us kills ours.
    """

    seconds: float | None = None
    memory_mb: int | None = None
    own_group: bool = True


UNLIMITED = Limits()


class Output(NamedTuple):
    """What a program left: its exit code (negative: a signal), answer, and last words of error."""

    code: int
    text: str
    errors: str


def run(command: Command, folder: Path, limits: Limits = UNLIMITED) -> Output:
    """Run the command on the file `problem.FORM` of a folder.

    Raises `Unanswered` beyond the time, `ProgramError` if it cannot be started.
    """
    answer = folder / "answer"
    answer.unlink(missing_ok=True)
    process = _started(command, folder, limits)
    deadline = inf if limits.seconds is None else time.monotonic() + limits.seconds
    try:
        printed, errors = _listen(process, deadline, command)
    except TimeoutError:
        reason = f"{command.program}: no answer within {limits.seconds:g} s"
        raise Unanswered("timeout", reason) from None
    finally:
        _end(process, limits)
    if answer.exists():
        printed = answer.read_bytes() or printed
    said, errors_said = (text.decode(errors="replace") for text in (printed, errors))
    return Output(process.returncode, said, errors_said)


def _started(command: Command, folder: Path, limits: Limits) -> subprocess.Popen[bytes]:
    try:
        return _Program(command.on(folder), limits)
    except OSError as error:
        raise ProgramError(f"solver command {command.text}: {error.strerror or error}") from None


class _Program(subprocess.Popen[bytes]):
    """A program; if Ctrl-C comes while it begins, it is killed with all that it started."""

    def __init__(self, words: list[str], limits: Limits) -> None:
        try:
            super().__init__(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=limits.own_group,
                preexec_fn=_confined(limits.memory_mb),
            )
        except BaseException:
            if getattr(self, "pid", None):
                _kill(self, limits)
            raise


def _confined(memory_mb: int | None) -> Callable[[], None] | None:
    """What limits the memory of a process that is about to start; it imports nothing there."""
    if memory_mb is None:
        return None
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = memory_mb << 20
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _listen(
    process: subprocess.Popen[bytes], deadline: float, command: Command
) -> tuple[bytes, bytes]:
    """What it prints, on standard output and at the end on standard error, until it ends; raises
    `TimeoutError`."""
    kept = {process.stdout: bytearray(), process.stderr: bytearray()}
    with DefaultSelector() as selector:
        for stream in filter(None, kept):
            selector.register(stream, EVENT_READ)
        while selector.get_map() and (left := deadline - time.monotonic()) > 0:
            ready = selector.select(min(left, _PAUSE))
            for key, _ in ready:
                block = os.read(key.fd, 1 << 16)
                kept[key.fileobj].extend(block)  # type: ignore[index]
                if not block:
                    selector.unregister(key.fileobj)
            if len(kept[process.stdout]) > _MOST:
                raise ProgramError(f"{command.program}: prints more than {_MOST >> 20} MB")
            del kept[process.stderr][:-_LAST]
            if not ready and process.poll() is not None:
                break
    with suppress(subprocess.TimeoutExpired):
        process.wait(None if deadline == inf else max(0.0, deadline - time.monotonic()))
    if process.returncode is None:
        raise TimeoutError
    return bytes(kept[process.stdout]), bytes(kept[process.stderr])


def _end(process: subprocess.Popen[bytes], limits: Limits) -> None:
    """Kill what is left of it, and of what it started."""
    _kill(process, limits)
    for stream in filter(None, (process.stdout, process.stderr)):
        stream.close()


def _kill(process: subprocess.Popen[bytes], limits: Limits) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if limits.own_group:
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
