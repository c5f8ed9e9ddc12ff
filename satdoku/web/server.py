"""The page served by uvicorn, on a socket of our own.

Invariant: only the address that was asked for is bound, by default one of this machine alone.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
import sys
from collections.abc import Callable

from ..runtime.errors import SatdokuError

LOOPBACK = "127.0.0.1"


class ServeError(SatdokuError):
    """A page that cannot be served: the address is taken, or the extra is missing."""


def serve(
    *,
    port: int = 0,
    host: str = LOOPBACK,
    open_browser: bool = False,
    token: str | None = None,
    on_address: Callable[[str], object] = print,
) -> None:
    """Serve the page until Ctrl-C.

    port: 0 takes a free one. host: the address to bind; any but the loopback opens the page to
    others who know its address. open_browser: opens the page. token: the secret in the address,
    drawn at random unless given. on_address: called with it. Raises `ServeError`.
    """
    try:
        import uvicorn

        from .app import create_app
        from .connections import BACKLOG, IDLE, Connection
    except ImportError:
        raise ServeError("the page needs the extra: pip install 'satdoku[web]'") from None
    secret = secrets.token_urlsafe(24) if token is None else token
    with _bound(host, port) as listening:
        name, any_address = _name(host, listening.getsockname()[1])
        app = create_app(name, secret, any_address=any_address)
        config = uvicorn.Config(
            app,
            http=Connection,
            log_level="error",  # anybody can cause a warning
            access_log=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=int(IDLE),
            timeout_graceful_shutdown=1,
            ws="none",
        )
        address = f"http://{name}/{secret}/"
        on_address(address)
        sys.stdout.flush()
        if open_browser:
            import webbrowser

            webbrowser.open(address)
        uvicorn.Server(config).run(sockets=[listening])


def _bound(host: str, port: int) -> socket.socket:
    """A listening socket. It says that it is TCP, without which asyncio lets a small answer wait
    for the acknowledgement of the one before it, 40 ms."""
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name == "posix":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(128)
        except BaseException:
            listening.close()
            raise
    except (OSError, OverflowError) as error:
        problem = getattr(error, "strerror", None) or error
        raise ServeError(f"{host}:{port}: {problem}") from None
    return listening


def _name(host: str, port: int) -> tuple[str, bool]:
    """The host of the printed address, and whether the server takes any address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return f"{host}:{port}", False
    if address.is_unspecified:
        return f"{LOOPBACK}:{port}", True
    return (f"[{host}]:{port}" if address.version == 6 else f"{host}:{port}"), False
