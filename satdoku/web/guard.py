"""Who may ask: this machine's browser, from this page, with the token of this run.

Invariant: nothing reaches the page or its questions but a request with the right token and host
that no other page has sent; no answer can be read by another page, or run as a script.

The token keeps out other users of the machine and other pages. The check of the host keeps out
pages whose name is made to point here (DNS rebinding); those of Origin and Sec-Fetch-Site keep out
requests that other pages send. The content policy lets nothing run but the page's own files;
'wasm-unsafe-eval' is for the engine in the tab, and allows no text to become a script.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from .connections import Connection

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
OTHERS = "cross-site", "same-site"  # of Sec-Fetch-Site: from another page


class Guard:
    """Wraps the application under `/TOKEN/`.

    hosts: the values of the header Host that are taken, such as `127.0.0.1:8000`; any_address:
    also every IP address with the port of the first of them, for a server on all interfaces.
    """

    def __init__(
        self, app: ASGIApp, token: str, hosts: Iterable[str], any_address: bool = False
    ) -> None:
        self.app, self.token = app, token.encode()
        self.hosts = [host.lower() for host in hosts]
        self.port = urlsplit(f"//{self.hosts[0]}").port if any_address else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no WebSocket is served
            return
        sending = _with_headers(send)
        problem = self._problem(scope)
        if problem:
            status, words = problem
            await PlainTextResponse(words + "\n", status)(scope, receive, sending)
            return
        connection = _connection(scope)
        with connection.answering() if connection else nullcontext():
            await self.app(self._inside(scope), receive, sending)

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        """What is wrong with a request, as the status and the words of the answer."""
        headers: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in (b"host", b"origin") and name in headers:
                return 400, f"two headers {name.decode()}"
            headers[name] = value
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if not self._is_known(host):
            return 421, "unknown host: use the address that satdoku printed"
        given = scope["path"].encode("utf-8", "surrogatepass").partition(b"/")[2].partition(b"/")[0]
        if not hmac.compare_digest(given, self.token):
            return 404, "not found: use the whole address that satdoku printed"
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1").lower() != f"http://{host}":
            return 403, "asked by another page"
        site = headers.get(b"sec-fetch-site", b"none").decode("latin-1")
        followed = headers.get(b"sec-fetch-mode") == b"navigate" and scope["method"] == "GET"
        is_page = scope["path"].encode() == b"/" + self.token + b"/"
        if site in OTHERS and not (followed and is_page):
            return 403, "asked by another page"
        connection = _connection(scope)
        if connection and not connection.admit():
            return 503, "too many requests at once"
        return None

    def _is_known(self, host: str) -> bool:
        if host in self.hosts:
            return True
        if self.port is None:
            return False
        try:
            parts = urlsplit(f"//{host}")
            ipaddress.ip_address(parts.hostname or "")
            return parts.port == self.port
        except ValueError:
            return False

    def _inside(self, scope: Scope) -> Scope:
        """The request as the application sees it: without the token."""
        root = f"/{self.token.decode()}"
        return {**scope, "root_path": scope.get("root_path", "") + root}


def _connection(scope: Scope) -> Connection | None:
    """The connection of a request, if our own server serves it."""
    connection: Connection | None = scope.get("state", {}).get("connection")
    return connection


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            mine = {name for name, _ in HEADERS}
            kept = [pair for pair in message.get("headers", []) if pair[0].lower() not in mine]
            message = {**message, "headers": [*kept, *HEADERS]}
        await send(message)

    return sending
