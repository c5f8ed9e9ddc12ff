"""A program under a supervisor: start it, listen to it, and end it with all its children.

Invariant: when `close` returns, no process of the program is left, even in a session of its own, or
if the program killed its supervisor. If this process is killed, the supervisor ends the program and
removes the folder.

    with Supervised(["kissat", "problem.cnf"], folder="/tmp/x") as program:
        select.select([program.link], [], [])          # and read program.stdout, program.stderr
        program.outcome()                              # ("code", 10)
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from math import inf
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from tempfile import mkdtemp
from typing import IO, NamedTuple

from . import supervisor
from .supervisor import GRACE, remove, status

_MARK = "SATDOKU_RUN"  # names a run in the environment of its processes
_SIZE, _CODE = 20, 23  # indices of `status`: bytes of memory, where the code starts
_ENVIRONMENT = slice(47, 49)  # and where the environment starts and ends
_PAUSE = 0.2  # seconds between two looks at what a program does beside printing


class Outcome(NamedTuple):
    """A word of the supervisor, and its number: CODE with the exit code (negative: a signal)."""

    word: str
    number: int = 0


class Heard(NamedTuple):
    """How a program ended, None if nothing is known, and what it printed and said on standard
    error."""

    ended: Outcome | None
    printed: bytes
    errors: bytes


class TooMuchError(Exception):
    """More output than the limit; the message says where: `prints` or `complains`."""


class Folder(AbstractContextManager["Folder"]):
    """A folder for one run, which nothing that the program leaves there can keep from being
    removed; a context."""

    def __init__(self) -> None:
        self.path = Path(mkdtemp(prefix="satdoku-"))
        self.close = weakref.finalize(self, remove, str(self.path))

    def __exit__(self, *_: object) -> None:
        self.close()


class Supervised(AbstractContextManager["Supervised"]):
    """A program that runs; a context. stdout, stderr: what it prints, to be read without waiting.

    link: can be read when the program has ended, and all that it started. folder: where its
    temporary files go, and what is removed if nobody is left to do it. memory_mb: see `supervisor`.
    Raises OSError if no supervisor can be started; that there is no such program is an outcome.
    """

    def __init__(
        self, words: Sequence[str], *, folder: str = "", memory_mb: int | None = None
    ) -> None:
        self._outcome: Outcome | None = None
        self._mark = f"{_MARK}={secrets.token_hex(16)}"
        name, _, value = self._mark.partition("=")
        told = {**os.environ, name: value, **({"TMPDIR": folder} if folder else {})}
        asked = [supervisor.__file__, str(memory_mb or 0), folder, *words]
        from multiprocessing.spawn import get_executable  # which `verify` need not load

        if (python := get_executable()) is None:  # who embeds Python can set it
            raise OSError("there is no Python to supervise it")
        # If an interrupt comes here, both ends are closed, which ends the supervisor.
        self.link, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [python, "-I", "-S", *asked],
                bufsize=0,
                stdin=theirs.fileno(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env=told,
            )
        assert self._process.stdout is not None and self._process.stderr is not None
        self.stdout, self.stderr = self._process.stdout, self._process.stderr
        self.link.settimeout(GRACE + 1)
        for stream in (self.stdout, self.stderr):
            os.set_blocking(stream.fileno(), False)

    def __exit__(self, *_: object) -> None:
        self.close()

    def outcome(self) -> Outcome | None:
        """How it ended; None if its supervisor was killed, and nothing is known."""
        if self._outcome is None:
            with suppress(OSError):  # it is killed, or stopped
                words = self.link.recv(1 << 10).decode().split("\n")[0].split()
                self._outcome = Outcome(words[0], *map(int, words[1:])) if words else None
        return self._outcome

    def close(self) -> None:
        """End what is left of it."""
        try:
            with suppress(OSError):
                self.link.send(b".")
                self._process.send_signal(signal.SIGCONT)  # if the program stopped it
            if self.outcome() is None:
                self._process.kill()
                _hunt(self._mark.encode())
        finally:
            for stream in (self.link, self.stdout, self.stderr):
                stream.close()
        self._process.wait()


def heard(
    words: Sequence[str],
    *,
    most: int,
    last: int,
    folder: str = "",
    memory_mb: int | None = None,
    seconds: float | None = None,
    look: Callable[[], None] = lambda: None,
) -> Heard:
    """Run a program until all of it has ended.

    most: bytes that it may print, and say on standard error, of which the `last` ones are kept.
    seconds: on the clock; None is no limit. look: is called now and then, and may raise. For the
    rest see `Supervised`. Raises `TimeoutError`, `TooMuchError`, or OSError if it cannot be
    started.
    """
    deadline = inf if seconds is None else time.monotonic() + seconds
    with Supervised(words, folder=folder, memory_mb=memory_mb) as program:
        printed = _Stream(program.stdout, most, "prints")
        errors = _Stream(program.stderr, most, "complains", last)
        _listen(program, (printed, errors), deadline, look)
        return Heard(program.outcome(), bytes(printed.kept), bytes(errors.kept))


class _Stream:
    """What has come from a stream, or the last of it."""

    def __init__(self, file: IO[bytes], most: int, does: str, last: int = 0) -> None:
        self.file, self.kept = file, bytearray()
        self._left, self._does, self._last = most, does, last

    def take(self) -> bool:
        """Take what there is; whether there was anything."""
        try:
            block = os.read(self.file.fileno(), 1 << 16)
        except BlockingIOError:
            return False
        self._left -= len(block)
        if self._left < 0:
            raise TooMuchError(self._does)
        self.kept += block
        if self._last:
            del self.kept[: -self._last]
        return bool(block)


def _listen(
    program: Supervised, streams: Sequence[_Stream], deadline: float, look: Callable[[], None]
) -> None:
    """Take what it prints until all of it has ended."""
    with DefaultSelector() as selector:
        selector.register(program.link, EVENT_READ)
        for stream in streams:
            selector.register(stream.file, EVENT_READ, stream)
        while (left := deadline - time.monotonic()) > 0:
            ready = [key for key, _ in selector.select(min(left, _PAUSE))]
            for key in ready:
                if key.data and not key.data.take():
                    selector.unregister(key.fileobj)
            look()
            if not all(key.data for key in ready):
                break
        else:
            raise TimeoutError
    for stream in streams:  # what is left in the pipes
        while stream.take():
            pass


def _hunt(mark: bytes) -> None:
    """Kill the processes that carry a mark in their environment, as all of a run do unless they
    strip it. A process may start another one and end while we look. So we look again until every
    process that is there was a stranger at the look before, or GRACE is over."""
    strangers: set[str] = set()
    late = time.monotonic() + GRACE
    while (there := _numbers()) - strangers and time.monotonic() < late:
        strangers = {name for name in there if name in strangers or not _killed(int(name), mark)}


def _numbers() -> set[str]:
    with suppress(OSError):
        return {name for name in os.listdir("/proc") if name.isdecimal()}
    return set()


def _killed(process: int, mark: bytes) -> bool:
    """Kill a process if it carries a mark; whether it did, or may be about to. The signal goes to a
    handle, so if the process ends and its number is used again, no other process is killed."""
    with suppress(OSError):
        held = os.pidfd_open(process)
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                told = file.read()
            if mark in told.split(b"\0"):
                signal.pidfd_send_signal(held, signal.SIGKILL)
                return True
            return not told and _becomes(process)
        finally:
            os.close(held)
    return False


def _becomes(process: int) -> bool:
    """Whether a process that showed no environment has one by now, or is becoming another program:
    amid `execve` its new memory has no environment yet, and nothing is known of its code."""
    fields = status(process)
    start, end = fields[_ENVIRONMENT]
    return fields[_SIZE] != b"0" and (fields[_CODE] == b"0" or start != end)
