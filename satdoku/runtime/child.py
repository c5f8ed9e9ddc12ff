"""A process of ours: it runs a function of the package and talks to us through a pipe.

Invariant: nobody else holds our end of its pipe, so the death of either is the end of the pipe for
the other. Nor does it outlive us: it has one end of a second pipe, on which nothing is ever sent.
When that ends, Linux kills it, with its session if it leads one, whatever code is running then;
other systems leave that to whoever reads the first pipe. It does not run the caller's script, so a
script needs no `if __name__ == "__main__":` for our sake.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import ModuleType

from . import collecting

_DYING = 5.0  # seconds that a killed process may take to go


class Child:
    """A process that runs `target(pipe, *arguments)`; pipe is our end of that pipe.

    It is spawned, not forked: a fork would copy the caller's threads, such as a progress bar's.
    The target and the arguments come from modules that can be imported, not from a script.
    leads: it leads a session of its own, which ends with it, and may have children of its own;
    without, the interpreter ends it if nobody does. Raises OSError if it cannot be started.
    """

    def __init__(
        self, target: Callable[..., object], *arguments: object, leads: bool = False
    ) -> None:
        context = get_context("spawn")
        with ExitStack() as at_failure:
            self.pipe, theirs = context.Pipe()
            at_failure.enter_context(self.pipe)
            alive, self._alive = context.Pipe(duplex=False)
            at_failure.enter_context(self._alive)
            with theirs, alive:  # these ends are the process's alone
                told = (alive, leads, target, theirs, *arguments)
                self.process = context.Process(target=_begin, args=told, daemon=not leads)
                with _script_hidden():
                    self.process.start()
            at_failure.pop_all()
        self._leads = leads

    def kill(self) -> None:
        """End it at once, with its session if it leads one."""
        if self._leads:
            assert self.process.pid is not None
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()

    def close(self) -> None:
        """End it at once, if it has not ended itself, and wait until it is gone."""
        self.kill()
        self.process.join(_DYING)
        self.pipe.close()
        self._alive.close()

    @property
    def end(self) -> str:
        """How it ended, in words."""
        return ended(self.process.exitcode)


_hiding = threading.Lock()


@contextmanager
def _script_hidden() -> Iterator[None]:
    """Keep `multiprocessing` from having a new process run the script that the caller is.

    It reads there which file that is; all other attributes stay, for whoever looks meanwhile.
    """
    with _hiding:
        script = sys.modules["__main__"]
        bare = ModuleType("__main__")
        bare.__dict__.update(script.__dict__, __spec__=None)
        bare.__dict__.pop("__file__", None)
        sys.modules["__main__"] = bare
        try:
            yield
        finally:
            sys.modules["__main__"] = script


def ended(code: int | None) -> str:
    """An exit code in words; a negative one is a signal."""
    if code is None or code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def _begin(alive: Connection, leads: bool, target: Callable[..., object], *told: object) -> None:
    """What the process does."""
    collecting.seldom()
    if leads:
        os.setsid()
    if sys.platform == "linux":
        import fcntl

        fcntl.fcntl(alive, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(alive, fcntl.F_SETOWN, -os.getpid() if leads else os.getpid())
        fcntl.fcntl(alive, fcntl.F_SETFL, fcntl.fcntl(alive, fcntl.F_GETFL) | os.O_ASYNC)
        if alive.poll():  # it has ended before that
            return
    target(*told)
