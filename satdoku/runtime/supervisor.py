"""The process between us and a program: it starts the program, waits, and ends all its processes.

Invariant: it signals and reaps its own children only, so it never hits a stranger with a reused
process number. Linux makes it the parent of every orphan below it (`PR_SET_CHILD_SUBREAPER`), in
whatever session: every process becomes its child at last, and when it has no children nothing is
left. On other systems it ends the process group of the program.

    python -I -S supervisor.py MEMORY FOLDER WORD...

MEMORY: megabytes of address space for each process, and of memory for all of them; 0 is no limit.
Standard input is a socket: a message, or the end of the socket, ends the program. At the end of the
socket nobody is left to remove FOLDER, so this process does. It answers with a line that begins
with one of the words below. The program has our standard output and error. As a script this file
uses nothing of satdoku.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

CODE, ERROR = "code", "error"  # and a number: an exit code (negative: a signal), or an errno
MEMORY = "memory"  # it was ended: it used too much
ENDED = "ended"  # it was ended, as we were told to
LEFT = "left"  # something of it cannot be ended: processes of another user
GRACE = 10.0  # seconds for killed processes to go
_TICK = 0.2  # seconds between two looks at the memory, and at whether somebody still waits
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux
_PARENT, _RESIDENT = 1, 21  # indices of `status`


class Tree:
    """A program and all that it starts. code: how the program itself ended, if it has."""

    def __init__(self, words: list[str], memory: int, link: int) -> None:
        self.code: int | None = None
        before = _deaf()
        self._program = os.fork()
        if self._program == 0:
            try:
                _become(words, memory, before)
            except OSError as error:
                _say(link, f"{ERROR} {error.errno}")
            finally:
                os._exit(127)

    def reap(self) -> bool:
        """Take note of who has ended; whether a child is left."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._program:
                    self.code = os.waitstatus_to_exitcode(ended[1])
            return True
        return False

    def end(self) -> bool:
        """Kill children until there are none; whether there are none. Grandchildren become children
        when their parents end."""
        late = time.monotonic() + GRACE
        if not os.path.isdir("/proc/self"):
            with suppress(OSError):
                os.killpg(self._program, signal.SIGKILL)
        while self.reap():
            if time.monotonic() > late:
                return False
            for process, (parent, _) in _processes():
                if parent == os.getpid():
                    with suppress(OSError):
                        os.kill(process, signal.SIGKILL)
            time.sleep(0.001)
        return True

    def uses_more_than(self, most: int) -> bool:
        """Whether all of it together has so many bytes in memory. A page that several share counts
        once, which takes longer to find out."""
        table, tree, known = dict(_processes()), {os.getpid()}, 0
        while known < len(tree):
            known = len(tree)
            tree |= {process for process, (parent, _) in table.items() if parent in tree}
        tree.remove(os.getpid())
        return sum(table[one][1] for one in tree) > most and sum(map(_share, tree)) > most


def _become(words: list[str], memory: int, before: dict[int, signal.Handlers]) -> None:
    """Turn this process into the program."""
    os.setsid()  # a program that signals its own group does not mean us
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, handler in before.items():
        signal.signal(number, handler)
    bound_memory(memory << 20)
    os.execvp(words[0], words)


def bound_memory(most: int) -> None:
    """Let this process have no more than so many bytes of address space, 0 for any number, and
    leave no picture of its memory behind; where the system can."""
    with suppress(ImportError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if most:
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _deaf() -> dict[int, signal.Handlers]:
    """Ignore every signal that a program may send us; gives what each did before."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored, nobody learns of an end
    pythons = {signal.SIGPIPE, signal.SIGXFSZ}  # which Python itself ignores
    before: dict[int, signal.Handlers] = {}
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
        ignored = signal.signal(number, signal.SIG_IGN) == signal.SIG_IGN and number not in pythons
        before[number] = signal.SIG_IGN if ignored else signal.SIG_DFL
    return before


def _processes() -> Iterator[tuple[int, tuple[int, int]]]:
    """Every process that Linux tells of: its parent, and its bytes in memory."""
    with suppress(FileNotFoundError):
        for name in filter(str.isdecimal, os.listdir("/proc")):
            with suppress(OSError):
                fields = status(name)
                resident = int(fields[_RESIDENT]) * os.sysconf("SC_PAGESIZE")
                yield int(name), (int(fields[_PARENT]), resident)


def status(process: int | str) -> list[bytes]:
    """What Linux says of a process in /proc/PID/stat, behind its name."""
    with open(f"/proc/{process}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def _share(process: int) -> int:
    """The bytes of a process in memory, its part only of what it shares."""
    with suppress(OSError), open(f"/proc/{process}/smaps_rollup", "rb") as file:
        return sum(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss:"))
    return 0


def remove(folder: str) -> None:
    """Remove a folder in which a program could do what it liked: however deep it is, whatever it
    forbids, and no more than the link if it is a link. What cannot be removed stays."""
    names, before = count(), [""]
    with suppress(OSError):
        if os.path.islink(folder):
            os.unlink(folder)
        os.chmod(folder, 0o700)
        while (entries := os.listdir(folder)) and entries != before:
            for name in entries:
                with suppress(OSError):
                    _take_out(os.path.join(folder, name), folder, names)
            before = entries
        os.rmdir(folder)


def _take_out(path: str, folder: str, names: Iterator[int]) -> None:
    """Remove what is no folder, and put what a folder holds one level higher."""
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        os.unlink(path)
        return
    os.chmod(path, 0o700)
    for name in os.listdir(path):
        inner, free = os.path.join(path, name), os.path.join(folder, f".{next(names)}")
        while os.path.lexists(free):
            free = os.path.join(folder, f".{next(names)}")
        if stat.S_ISDIR(os.lstat(inner).st_mode):
            os.chmod(inner, 0o700)
        os.rename(inner, free)
    os.rmdir(path)


def _say(link: int, words: str) -> None:
    with suppress(OSError):  # nobody is there
        os.write(link, f"{words}\n".encode())


def _adopt() -> None:
    """Become the parent of all orphans below us, where the system knows such a thing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def _wakened() -> int:
    """What can be read when a child has ended."""
    end, start = os.pipe()
    os.set_blocking(start, False)
    os.set_blocking(end, False)
    signal.set_wakeup_fd(start, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return end


def _outcome(tree: Tree, link: int, parent: int, most: int) -> str:
    """Wait until the program ends, or has to."""
    awake = _wakened()
    while tree.reap() and tree.code is None:
        ready, _, _ = select.select([link, awake], [], [], _TICK)
        if link in ready or os.getppid() != parent:
            return ENDED
        if awake in ready:
            os.read(awake, 1 << 12)
        if most and tree.uses_more_than(most):
            return MEMORY
    return f"{CODE} {tree.code}"


def _deserted(link: int, parent: int) -> bool:
    """Wait for the last word to us; whether nobody is there to say it. A process that has copies of
    our parent's files can keep the socket open."""
    while os.getppid() == parent:
        if select.select([link], [], [], _TICK)[0]:
            with suppress(OSError):
                return not os.read(link, 1)
            break
    return True


def main(memory: int, folder: str, words: list[str]) -> None:
    """Run the program, end all of it, and say how it ended."""
    parent, link = os.getppid(), os.dup(0)
    _adopt()
    try:
        tree = Tree(words, memory, link)
    except OSError as error:  # no more processes
        _say(link, f"{ERROR} {error.errno}")
        return
    nothing = os.open(os.devnull, os.O_RDWR)
    for ours in (0, 1, 2):  # what it prints ends when it ends
        os.dup2(nothing, ours)
    outcome = _outcome(tree, link, parent, memory << 20)
    _say(link, outcome if tree.end() else LEFT)
    if folder and _deserted(link, parent):
        remove(folder)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
