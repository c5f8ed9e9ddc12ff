"""A Dask cluster as workers: connections, encrypted on request; waits are bounded and reported.

Invariant: no call waits for ever. A scheduler that does not answer, or has no workers, is reported
at once or soon, and ends the work after `Dask.timeout`.

Anyone who reaches a scheduler can run any code on every machine of the cluster. TLS with
certificates of your own authority keeps others out; without it only the network does.
"""

from __future__ import annotations

import logging
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from .errors import WorkerError

R = TypeVar("R")

PLAIN, TLS = "dask://", "dask+tls://"
_PATIENCE = 20.0  # seconds for a scheduler to answer, at most
_PAUSE = 0.1  # seconds between two attempts to reach it
_LOOK = 2.0  # seconds between two looks at whether there are workers
_PARTING = 3.0  # seconds that a scheduler may take to let us go

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Dask:
    """A scheduler, dask://HOST:PORT or dask+tls://HOST:PORT, and how to reach it.

    ca, cert, key: files in PEM format, the authority that signs all certificates of the cluster and
    our own certificate with its key; those left out come from Dask's configuration
    (`distributed.comm.tls`). timeout: seconds to wait for workers. on_line: gets each line
    for the user.
    """

    address: str
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    timeout: float = 60.0
    on_line: Callable[[str], object] = _log.warning

    @property
    def is_encrypted(self) -> bool:
        """Whether the address asks for TLS."""
        return self.address.startswith(TLS)


class Cluster:
    """A connection to a scheduler that has workers; `executor` runs work there."""

    def __init__(self, dask: Dask) -> None:
        self._dask = dask
        with ExitStack() as stack:
            stack.enter_context(_distributed_silenced())
            self._client = _client(dask)
            stack.callback(_leave, self._client)
            self.count = self._await_workers()
            self.executor: Executor = _Submitter(self._client)
            self._stack = stack.pop_all()

    def result(self, future: Future[R]) -> R:
        """The result of work; `WorkerError` if the workers leave and none comes in time."""
        while True:
            try:
                return future.result(_LOOK)
            except TimeoutError:
                if getattr(future, "status", "") == "error":  # so the work itself raised it
                    raise
            self._await_workers()

    def close(self) -> None:
        """Leave the cluster; work that nobody waited for is cancelled."""
        self.executor.shutdown(wait=False)
        self._stack.close()

    def _await_workers(self) -> int:
        """The number of threads of all workers, as soon as there is one."""
        dask, end = self._dask, time.monotonic() + self._dask.timeout
        is_told = False
        while not (threads := self._threads()):
            left = end - time.monotonic()
            if left <= 0:
                raise WorkerError(
                    f"{dask.address}: no worker within {dask.timeout:g} s: start some with "
                    "`dask worker`, or wait longer (--dask-timeout)"
                )
            if not is_told:
                dask.on_line(f"{dask.address}: no workers yet: waiting {dask.timeout:g} s for one")
                is_told = True
            time.sleep(min(left, _PAUSE))
        return threads

    def _threads(self) -> int:
        dask = self._dask
        try:
            return sum(self._client.nthreads(callback_timeout=dask.timeout).values())
        except TimeoutError:
            raise WorkerError(
                f"{dask.address}: the scheduler does not answer within {dask.timeout:g} s: is the "
                "network down? Wait longer for a slow one (--dask-timeout)"
            ) from None
        except Exception as error:  # it has many kinds
            raise WorkerError(f"{dask.address}: the scheduler is gone: {error}") from None


def _leave(client: Any) -> None:
    """Close a client, without waiting for a scheduler that no longer answers."""
    with suppress(TimeoutError):
        client.close(timeout=_PARTING)


class _Submitter(Executor):
    """Starts work on a cluster; its futures are Dask's own.

    Dask's executor turns them into those of the standard library, and takes a result for an error
    if a worker leaves in the moment in which its result arrives (distributed 2026.8,
    cfexecutor.py).
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, work: Callable[..., R], /, *arguments: Any, **named: Any) -> Future[R]:
        future: Future[R] = self._client.submit(work, *arguments, pure=False, **named)
        return future


def _client(dask: Dask) -> Any:
    """A client of the scheduler; `WorkerError` if there is none."""
    try:
        from distributed import Client
        from distributed.security import Security
    except ImportError:
        raise WorkerError(f"{PLAIN} needs the extra: pip install 'satdoku[dask]'") from None
    scheme = TLS if dask.is_encrypted else PLAIN
    target = dask.address.removeprefix(scheme)
    host, _, port = target.rpartition(":")
    if not host or not re.fullmatch("[0-9]{1,5}", port):
        raise WorkerError(f"{dask.address}: expected {scheme}HOST:PORT")
    make: Any = Client  # it has no type annotations
    try:
        security = _security(Security, dask)
        context = security.get_connection_args("client").get("ssl_context")
        if dask.is_encrypted and context is None:
            raise WorkerError(
                f"{dask.address}: no certificates: give --dask-ca, --dask-cert and --dask-key, or "
                "set distributed.comm.tls in Dask's configuration"
            )
        patience = min(_PATIENCE, dask.timeout)
        _await_listener(host.strip("[]"), int(port), patience, context)
        protocol = "tls" if dask.is_encrypted else "tcp"
        return make(f"{protocol}://{target}", timeout=patience, security=security)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        if isinstance(error, WorkerError):
            raise
        if isinstance(error, ssl.SSLError):
            raise WorkerError(f"{dask.address}: TLS fails: {error}") from None
        raise WorkerError(f"{dask.address}: no scheduler answers: {error}") from None


def _security(kind: Any, dask: Dask) -> Any:
    """Dask's own settings, under what was asked for here."""
    if not dask.is_encrypted:
        return kind(require_encryption=False)
    asked = {"tls_ca_file": dask.ca, "tls_client_cert": dask.cert, "tls_client_key": dask.key}
    files = {name: path for name, path in asked.items() if path is not None}
    for path in files.values():
        with open(path, "rb"):  # so that an error names the file
            pass
    return kind(require_encryption=True, **files)


def _await_listener(
    host: str, port: int, patience: float, context: ssl.SSLContext | None = None
) -> None:
    """Return as soon as a scheduler greets us on that port; raises `OSError` if it does not in
    time, or if it does not speak TLS with us.

    Dask's client waits as well, but for the greeting without end; and a client that failed waits
    again when it is garbage-collected, in whatever thread that happens, and this has blocked the
    next client forever.
    """
    end = time.monotonic() + patience
    while True:
        left = end - time.monotonic()
        try:
            with ExitStack() as stack:
                found = socket.create_connection((host, port), max(left, _PAUSE))
                stack.enter_context(found)
                if context is not None:
                    found = context.wrap_socket(found, server_hostname=host)
                    stack.enter_context(found)
                if found.recv(1):
                    return
                raise ConnectionError("it closed the connection")
        except OverflowError:
            raise OSError(f"port {port}: expected 0 to 65535") from None
        except ssl.SSLError:
            raise
        except OSError:
            if left < _PAUSE:
                raise
        time.sleep(_PAUSE)


@contextmanager
def _distributed_silenced() -> Iterator[None]:
    """Hold back Dask's own log: what matters of it comes as a `WorkerError`."""
    try:
        import distributed  # noqa: F401 - it makes its loggers
    except ImportError:
        yield
        return
    names = [n for n in logging.root.manager.loggerDict if n.split(".")[0] == "distributed"]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
