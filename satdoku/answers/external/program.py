"""A command line of another solver, run on a file within limits of time and memory.

Invariant: when `run` returns or raises, also by Ctrl-C, no process that the command started is
left. All output, printed or in a file, is bounded in size and time, and an output file is read only
if it is a plain file of our own.

    command = Command.of("minisat {cnf} {out}")
    with Folder() as folder:                           # and problem.cnf written there
        run(command, folder.path, Limits(timeout=10)).text      # what it wrote to {out}
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ...runtime.errors import SatdokuError, Unanswered
from ...runtime.supervised import TooMuchError, heard
from ...runtime.supervisor import CODE, ERROR, LEFT, MEMORY

INPUTS = ("cnf", "smt2", "opb")  # a command reads one of them; the name ends that of the file
OUTPUT = "out"  # a file for the answer, of a solver that prints none
_EXPECTED = "expected {cnf}, {smt2} or {opb} for the file, such as 'kissat -q {cnf}'"
_MOST = 1 << 24  # bytes of an answer beside its values: 9x9 takes 4000, what solvers log is longer
_EACH = 64  # bytes for the value of a variable; Z3 takes 41
_LAST = 2000  # bytes kept of what it says on standard error
_OUT = "answer"  # the file that {out} stands for
_KINDS = {
    stat.S_IFLNK: "a link", stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}  # fmt: skip


class ProgramError(SatdokuError):
    """A command line that cannot be run, or a program with output in no known format."""


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
        with suppress(ProgramError, Unanswered):
            asked = _heard(self, (self.words[0], "--version"), None, _BRIEFLY)
            said = asked.text.split("\n")[0].strip()
            if asked.code == 0 and said:
                return f"{self.program} {said.removeprefix(self.program).strip()}"[:80]
        return self.program

    def on(self, folder: Path) -> list[str]:
        """The words, with the files of a folder in their places."""
        files = {form: str(folder / f"problem.{form}") for form in INPUTS}
        files[OUTPUT] = str(folder / _OUT)
        return [re.sub(r"\{(\w+)\}", lambda place: files[place[1]], word) for word in self.words]


class Limits(NamedTuple):
    """What one run may use; None is no limit.

    timeout: seconds on the clock; memory_mb: address space of each process, and memory of all of
    them; most: bytes that it may print, say on standard error, or write to {out}.
    """

    timeout: float | None = None
    memory_mb: int | None = None
    most: int = _MOST

    def for_values(self, variables: int) -> Limits:
        """With room for an answer that gives so many variables their values."""
        return self._replace(most=_MOST + _EACH * variables)


UNLIMITED = Limits()
_BRIEFLY = Limits(timeout=5, most=1 << 20)  # to say one's version


class Output(NamedTuple):
    """What a program left: its exit code (negative: a signal), answer, and last words of error."""

    code: int
    text: str
    errors: str

    @property
    def signal(self) -> int:
        """The signal that ended it, or ended what a shell ran as its last; 0 if it ended by itself.

        A shell adds 128 to the number; the highest one is 64.
        """
        return -self.code if self.code < 0 else (self.code - 128 if 128 < self.code <= 192 else 0)


def run(command: Command, folder: Path, limits: Limits = UNLIMITED) -> Output:
    """Run the command on the file `problem.FORM` of a folder of its own.

    Raises `Unanswered` beyond the time or the memory, `ProgramError` if it cannot be started, says
    too much, or leaves something else than a file for its answer.
    """
    output = _heard(command, command.on(folder), folder, limits)
    written = _written(folder, command, limits)
    return output._replace(text=_decoded(written)) if written else output


def _heard(command: Command, words: Sequence[str], folder: Path | None, limits: Limits) -> Output:
    """Run the words of a command, until all of it has ended."""

    def look() -> None:
        if folder and _size(folder) > limits.most:
            raise ProgramError(_too_much(command, "writes", limits))

    try:
        ended, *said = heard(
            words, folder=str(folder or ""), memory_mb=limits.memory_mb, seconds=limits.timeout,
            most=limits.most, last=_LAST, look=look,
        )  # fmt: skip
    except TimeoutError:
        reason = f"{command.program}: no answer within {limits.timeout:g} s"
        raise Unanswered("timeout", reason) from None
    except TooMuchError as error:
        raise ProgramError(_too_much(command, str(error), limits)) from None
    except OSError as error:
        raise _refused(command, error.strerror or str(error)) from None
    word, number = ended or (None, 0)
    if word == CODE:
        return Output(number, *map(_decoded, said))
    if word == MEMORY:
        raise Unanswered("memory", f"{command.program}: no answer within {limits.memory_mb} MB")
    if word == ERROR:
        raise _refused(command, os.strerror(number))
    why = "processes of it cannot be ended" if word == LEFT else "it killed its supervisor"
    raise _refused(command, why)


def _refused(command: Command, why: str) -> ProgramError:
    return ProgramError(f"solver command {command.text}: {why}")


def _too_much(command: Command, does: str, limits: Limits) -> str:
    return f"{command.program}: {does} more than {limits.most >> 20} MB"


def _size(folder: Path) -> int:
    """The size of what stands for {out}, at present."""
    with suppress(OSError):
        return os.lstat(folder / _OUT).st_size
    return 0


def _written(folder: Path, command: Command, limits: Limits) -> bytes:
    """The contents of {out}, none if there is no such file. It is opened without following a link
    and without waiting, and is read only if it is a file that belongs to nobody else."""
    answer = folder / _OUT
    try:
        kind = os.lstat(answer).st_mode
        if not stat.S_ISREG(kind):
            what = _KINDS.get(stat.S_IFMT(kind), "a device")
            raise _refused(command, f"found {what} at {{out}}, expected a file")
        opened = os.open(answer, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise _refused(command, f"{{out}}: {error.strerror}") from None
    with open(opened, "rb") as file:
        found = os.fstat(opened)
        if (found.st_nlink, found.st_uid) != (1, os.stat(folder).st_uid):
            raise _refused(command, "found a file of others at {out}, expected a file of its own")
        if found.st_size > limits.most or len(said := file.read(limits.most + 1)) > limits.most:
            raise ProgramError(_too_much(command, "writes", limits))
    return said


def _decoded(said: bytes) -> str:
    return said.decode(errors="replace")
