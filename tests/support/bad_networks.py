"""A connection that is slow, goes silent or is cut: a proxy for any TCP port of this machine."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

PIECE = 4096  # bytes that are passed on at once


class BadNetwork:
    """Passes bytes on to HOST:PORT, each piece `delay` seconds late; `address` leads there.

    While `silent` is true nothing is passed on, and nobody is told. `cut` ends all connections.
    """

    def __init__(self, target, delay=0.0, silent=False):
        self.delay, self.silent = delay, silent
        host, _, port = target.rpartition(":")
        self._target = host, int(port)
        self._ends = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = "{}:{}".format(*self._listener.getsockname())
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        """End every connection, and take no more."""
        for end in [self._listener, *self._ends]:
            _shut(end)

    def _accept(self):
        with suppress(OSError):
            while True:
                near, far = self._listener.accept()[0], socket.create_connection(self._target)
                self._ends += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source, target):
        with suppress(OSError):
            while piece := source.recv(PIECE):
                time.sleep(self.delay)
                while self.silent:
                    time.sleep(0.02)
                target.sendall(piece)
        _shut(source)
        _shut(target)


def _shut(end):
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
