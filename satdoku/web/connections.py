"""The connections of the server, bounded in number and in time.

Invariant: a connection on which nothing happens ends by itself, and those that have not shown the
secret never keep out those that have.

uvicorn alone counts all connections together, and lets one that sends a byte now and then wait for
ever. Here strangers, which have not shown the secret, have a room of their own: in a crowd the one
that has waited longest makes place for the newest. `Guard` says who is no stranger.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

OPEN_FILES = os.sysconf("SC_OPEN_MAX") if hasattr(os, "sysconf") else 1024
MOST = min(256, OPEN_FILES // 4) if OPEN_FILES > 0 else 256  # that have shown the secret
STRANGERS = MOST
BACKLOG = STRANGERS // 2  # accepted at once: few enough that each is read from while it has a place
HEAD = 10.0  # seconds within which a stranger must show the secret
IDLE = 30.0  # seconds from one request to the next, and for a client to read something
LEAVING = 0.5  # seconds to read a last answer when the server ends


class Connection(H11Protocol):
    """A connection; requests find it in their `state`."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, {**app_state, "connection": self}, _loop)
        self._is_stranger = True
        self._tasks: set[asyncio.Task[Any]] = set()  # of requests that are being answered
        self._timer: asyncio.TimerHandle | None = None
        self._since = 0.0  # when it began to wait
        self._unsent = 0  # bytes that it had not read then

    def admit(self) -> bool:
        """It has shown the secret: it is a stranger no more, if there is room."""
        if self._is_stranger:
            known = self._others(strangers=False)
            idle = [other for other in known if not other._tasks]
            if len(known) >= MOST and idle:
                _longest_waiting(idle).transport.abort()
            self._is_stranger = len(known) >= MOST and not idle
        return not self._is_stranger

    @contextmanager
    def answering(self) -> Iterator[None]:
        """The time of a request, which has no limit here."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._wait(None)
        try:
            yield
        finally:
            self._tasks.discard(task)
            if not self._tasks:
                self._wait(IDLE)

    def _others(self, *, strangers: bool) -> list[Connection]:
        """The open connections of this server, either strangers or not."""
        others = [other for other in self.connections if isinstance(other, Connection)]
        return [
            other
            for other in others
            if other._is_stranger == strangers and not other.transport.is_closing()
        ]

    # Time ------------------------------------------------------------------------------------

    def _wait(self, seconds: float | None) -> None:
        """Close the connection unless something happens within so many seconds."""
        if self._timer:
            self._timer.cancel()
        self._timer, self._since = None, self.loop.time()
        if not (seconds is None or self.transport.is_closing()):
            self._timer = self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        """Nothing has happened, unless the client has read a part of what it was sent."""
        unsent = self.transport.get_write_buffer_size()
        if unsent in (0, self._unsent):
            self.transport.abort()
        else:
            self._unsent = unsent
            self._wait(IDLE)

    # What uvicorn and asyncio call -----------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait(HEAD)
        strangers = self._others(strangers=True)
        if len(strangers) > STRANGERS:
            _longest_waiting(strangers).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait(IDLE)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._tasks:
            self._wait(None)

    def shutdown(self) -> None:
        """The server ends: so do the questions, which then say so."""
        super().shutdown()
        for task in self._tasks:
            task.cancel()
        self.loop.call_later(LEAVING, self.transport.abort)


def _longest_waiting(crowd: list[Connection]) -> Connection:
    return min(crowd, key=lambda connection: connection._since)
