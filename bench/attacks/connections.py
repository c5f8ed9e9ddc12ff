"""Attack the connections of `satdoku serve`: does the page stay usable to those with its secret?

    python bench/attacks/connections.py [--seconds 60] [--seed 1]

The server is one of its own, on the loopback. Each round mixes, by the seed, connections of
strangers that idle, send half a head, a head byte by byte, rubbish, or a body that never ends, and
of people with the secret: slow bodies, tabs with slow questions, tabs that do not read, pages that
leave; and it kills worker processes. At most 600 connections are open at a time.

It is a fall if the page or a picture asked for with the secret does not come within 30 seconds and
three attempts; if a connection of a stranger is open longer than its time allows; if the server
ends, or does not end by Ctrl-C with 130 within 15 seconds; or if it prints anything but the line
that it was interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import IO
from urllib.parse import urlsplit

MOST_OPEN = 600  # connections of the attack
LONGEST = 10 + 15  # seconds of a stranger: those of the server, and some for a busy machine
PATIENCE, ATTEMPTS = 30, 3  # of people who use the page
STATE = {"format": "satdoku-puzzle", "version": 1, "clues": []}
EASY = STATE | {"puzzle": "1..............2"}
SLOW = STATE | {"puzzle": "." * 256}


class Attack:
    """A server and the connections against it."""

    def __init__(self, seed: int, errors: IO[bytes]) -> None:
        self.random = random.Random(seed)
        command = [sys.executable, "-P", "-m", "satdoku", "serve"]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        assert self.server.stdout is not None
        address = urlsplit(self.server.stdout.readline().decode().strip())
        self.host, self.path = address.netloc, address.path
        self.strangers: list[
            tuple[socket.socket, float, bytes]
        ] = []  # since when, what they dribble
        self.others: list[socket.socket] = []
        self.counts: Counter[str] = Counter()
        self.falls: list[str] = []

    # Connections -----------------------------------------------------------------------------

    def open(self, sent: bytes = b"") -> socket.socket | None:
        """A connection on which something was sent; the server may refuse or drop it at once."""
        name, _, port = self.host.rpartition(":")
        try:
            connection = socket.create_connection((name, int(port)), timeout=5)
            connection.settimeout(0.5)
            connection.sendall(sent)
        except OSError:
            return None
        return connection

    def stranger(self, sent: bytes, dribble: bytes = b"") -> None:
        if connection := self.open(sent):
            self.strangers.append((connection, time.monotonic(), dribble))

    def with_secret(self, name: str, asked: object, missing: int = 0) -> None:
        """A question of a new tab, of whose body some bytes never come; nobody reads the answer."""
        body = json.dumps({"tab": str(self.random.random()), "puzzle": asked, "limit": 10**5})
        head = (
            f"POST {self.path}api/{name} HTTP/1.1\r\nHost: {self.host}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body) + missing}\r\n\r\n"
        )
        if connection := self.open((head + body).encode()):
            self.others.append(connection)

    def idle(self) -> None:
        for _ in range(self.random.randint(1, 300)):
            self.stranger(b"")

    def half_heads(self) -> None:
        for _ in range(self.random.randint(1, 100)):
            self.stranger(b"GET / HTTP/1.1\r\nHost: x\r\n")

    def slow_heads(self) -> None:
        for _ in range(self.random.randint(1, 50)):
            self.stranger(f"GET {self.path} HTTP/1.1\r\nX-Slow: ".encode(), b"x")

    def rubbish(self) -> None:
        for _ in range(self.random.randint(1, 50)):
            self.stranger(self.random.randbytes(self.random.randint(1, 2000)))

    def endless_bodies(self) -> None:
        head = f"POST /x/ HTTP/1.1\r\nHost: {self.host}\r\nContent-Length: 1000000000\r\n\r\n"
        for _ in range(self.random.randint(1, 50)):
            self.stranger(head.encode(), b" " * 100)

    def slow_bodies(self) -> None:
        for _ in range(self.random.randint(1, 30)):
            self.with_secret("live", EASY, missing=1000)

    def many_tabs(self) -> None:
        for _ in range(self.random.randint(1, 20)):
            self.with_secret(self.random.choice(("live", "steps", "fill")), SLOW)

    def leaving(self) -> None:
        """People with the secret close what they have open."""
        for connection in self.others:
            connection.close()
        self.others.clear()

    def killed_workers(self) -> None:
        """As a system short of memory kills them: of any state, some or all."""
        found = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.server.pid)], capture_output=True, text=True
        )
        for word in found.stdout.split():
            if self.random.random() < 0.7:
                with suppress(ProcessLookupError):
                    os.kill(int(word), signal.SIGKILL)

    # Rounds ----------------------------------------------------------------------------------

    def round(self) -> None:
        kinds: list[Callable[[], None]] = [
            *(self.idle, self.half_heads, self.slow_heads, self.rubbish, self.endless_bodies),
            *(self.slow_bodies, self.many_tabs, self.leaving, self.killed_workers),
        ]
        for kind in self.random.sample(kinds, 3):
            kind()
            self.counts[kind.__name__] += 1
        self.tend()
        self.use("page", "GET", self.path, None)
        asked = json.dumps({"tab": "user", "puzzle": EASY})
        self.use("picture", "POST", f"{self.path}api/picture", asked)
        self.tend()

    def tend(self) -> None:
        """Dribble, forget what is closed, and see that nothing of a stranger is open too long."""
        left = []
        for connection, since, dribble in self.strangers:
            if _is_closed(connection, dribble):
                connection.close()
            elif time.monotonic() - since > LONGEST:
                self.falls.append(f"a stranger is connected for {LONGEST} seconds")
                connection.close()
            else:
                left.append((connection, since, dribble))
        excess = max(0, len(left) + len(self.others) - MOST_OPEN)
        for connection, _, _ in left[:excess]:
            connection.close()
        self.strangers = left[excess:]

    def use(self, what: str, method: str, path: str, body: str | None) -> None:
        """What a person with the secret does: ask, and again if the connection was lost or busy."""
        start, problem = time.monotonic(), ""
        for _ in range(ATTEMPTS):
            browser = HTTPConnection(self.host, timeout=PATIENCE)
            try:
                browser.request(method, path, body, {"content-type": "application/json"})
                answer = browser.getresponse()
                problem = "" if answer.status == 200 else f"{answer.status}: {answer.read()[:80]!r}"
            except (OSError, HTTPException) as error:
                problem = repr(error)
            finally:
                browser.close()
            if not problem:
                break
            self.counts[f"{what} asked again"] += 1
        self.counts[what] += 1
        if problem or time.monotonic() - start > PATIENCE:
            self.falls.append(f"no {what} in {time.monotonic() - start:.0f} seconds: {problem}")

    def end(self) -> None:
        """Ctrl-C with everything open."""
        if (code := self.server.poll()) is not None:
            self.falls.append(f"the server ended with {code}")
        self.server.send_signal(signal.SIGINT)
        try:
            if (code := self.server.wait(15)) != 130:
                self.falls.append(f"Ctrl-C ended it with {code}")
        except subprocess.TimeoutExpired:
            self.falls.append("Ctrl-C did not end it")
            self.server.kill()
            self.server.wait()


def _is_closed(connection: socket.socket, dribble: bytes) -> bool:
    """Whether the server has closed a connection, on which a little more is sent."""
    try:
        if dribble:
            connection.sendall(dribble)
        while select.select([connection], [], [], 0)[0]:
            if not connection.recv(1 << 16):
                return True
    except TimeoutError:
        return False
    except OSError:
        return True
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryFile() as errors:
        attack = Attack(arguments.seed, errors)
        end, rounds = time.monotonic() + arguments.seconds, 0
        while time.monotonic() < end and attack.server.poll() is None:
            attack.round()
            rounds += 1
        attack.end()
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    if said != "satdoku: interrupted\n":
        attack.falls.append(f"it printed {said[:2000]!r}")
    for fall in attack.falls:
        print(fall)
    counts = ", ".join(f"{name} {count}" for name, count in sorted(attack.counts.items()))
    print(f"seed {arguments.seed}: {rounds} rounds, {len(attack.falls)} fell ({counts})")
    return bool(attack.falls)


if __name__ == "__main__":
    sys.exit(main())
