"""Ctrl-C and SIGTERM: what they do before, while and after a command runs.

Invariant: whenever they come, the process ends with 130 or 143 and one line, no traceback. Before
and after the command they end it at once, as there is nothing to keep. While it runs they raise,
but not inside an import, where an exception can be lost or turned into another one, nor while PySAT
makes or deletes a solver, whose memory it would then free twice or never, nor while numpy asks an
enumeration whether it is an array (up to Python 3.11 a method of `enum` answers): numpy takes any
exception for a no, and the command would go on. One that is lost in a destructor comes again.

The command line needs this module before it can afford any import, so this file only uses what
Python has loaded when it starts.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` takes milliseconds
import _thread
import os
import sys
import time

TYPE_CHECKING = False  # `typing` itself takes milliseconds
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

    Handler = Callable[[int, FrameType | None], object]

WORDS = {_signal.SIGINT: "interrupted", _signal.SIGTERM: "terminated"}
_PAUSE = 0.002  # seconds after which a signal that came at a bad moment is raised again
_IMPORT = "<frozen importlib"  # begins the file names of Python's own import code
_PYSAT = os.path.join("pysat", "solvers.py")  # ends the name of the file in which solvers are made
_MAKING = frozenset(("__init__", "__del__", "delete"))
_ENUM = os.sep + "enum.py"  # ends the name of the file that numpy calls


class Terminated(KeyboardInterrupt):
    """SIGTERM: everything that Ctrl-C keeps is kept."""


def end_at_once(number: int, _: object = None) -> None:
    """The handler of a process that has nothing to keep: one line and the exit code."""
    os.write(2, f"satdoku: {WORDS[number]}\n".encode())
    os._exit(128 + number)


def prepare() -> None:
    """End at once from now on, unless the caller of the process has signals ignored."""
    _replace({_signal.default_int_handler, _signal.SIG_DFL}, end_at_once)


class Raised:
    """A context in which the signals raise `KeyboardInterrupt` and `Terminated`.

    Handlers that are neither Python's nor those of `prepare` stay, as does everything in a thread
    that is not the main thread.
    """

    def __enter__(self) -> None:
        self._delicate = _delicate(sys._getframe())
        import threading

        main = threading.current_thread() is threading.main_thread()
        known = {_signal.default_int_handler, _signal.SIG_DFL, end_at_once} if main else set()
        self._before = _replace(known, self._raise)
        self._hook = sys.unraisablehook
        sys.unraisablehook = self._not_raised

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        sys.unraisablehook = self._hook
        for number, handler in self._before.items():
            _signal.signal(number, handler)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        if _delicate(frame) > self._delicate:
            _thread.start_new_thread(_raise_again, (number, _thread.get_ident()))
        else:
            raise KeyboardInterrupt if number == _signal.SIGINT else Terminated

    def _not_raised(self, lost: sys.UnraisableHookArgs) -> None:
        """What ends a destructor is lost: an interrupt is raised again, other errors are
        reported."""
        if not self._before or not issubclass(lost.exc_type, KeyboardInterrupt):
            self._hook(lost)
            return
        number = _signal.SIGTERM if issubclass(lost.exc_type, Terminated) else _signal.SIGINT
        _thread.start_new_thread(_raise_again, (number, _thread.get_ident()))


def _replace(known: set[object], new: Handler) -> dict[int, Handler]:
    """Handle the signals whose handler is a known one; gives those that were replaced."""
    before = {number: _signal.getsignal(number) for number in WORDS}
    before = {number: handler for number, handler in before.items() if handler in known}
    for number in before:
        _signal.signal(number, new)
    return before


def _delicate(frame: FrameType | None) -> int:
    """How many frames are on the stack that no exception must end: imports, solvers being made,
    attributes that numpy looks for."""
    count = 0
    while frame is not None:
        name, file = frame.f_code.co_name, frame.f_code.co_filename
        count += file.startswith(_IMPORT) or (name in _MAKING and file.endswith(_PYSAT))
        count += name == "__getattr__" and file.endswith(_ENUM)
        frame = frame.f_back
    return count


def _raise_again(number: int, main: int) -> None:
    time.sleep(_PAUSE)
    if hasattr(_signal, "pthread_kill"):
        _signal.pthread_kill(main, number)  # a real signal, which also ends a wait
    else:
        _thread.interrupt_main(number)  # type: ignore[arg-type]  # a number will do
