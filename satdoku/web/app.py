"""The application: the files of the page, its catalogue, and its questions to the workers.

Invariant: no question is answered here. A request is read within bounds, passed to a worker, and
given up as soon as its client is gone.
"""

from __future__ import annotations

import asyncio
import json
import mimetypes
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .guard import Guard
from .jobs import ENDING, JobError, Pool
from .questions import LANES, QUESTIONS, Object, Question

MOST_BODY = 256 << 10  # bytes of a request
LONGEST_TAB = 64  # characters of the name of a tab
SLOWEST_BODY = 10.0  # seconds within which a request must have come
STATUSES = {b"!": 400, b"#": 500}  # of errors, by the marks of `worker`
STATIC = Path(str(files(__package__) / "static"))
KERNEL = STATIC.parents[1] / "engine" / "js"  # the engine for the tab, where the wheel has it
mimetypes.add_type("text/javascript", ".js")  # some systems say text/plain, which browsers refuse


def create_app(host: str, token: str, *, any_address: bool = False) -> ASGIApp:
    """The page as an ASGI application under `/TOKEN/`.

    host: the header Host that browsers send, `127.0.0.1:8000`; `localhost` with the same port is
    taken as well. any_address: takes every IP address with that port, for a server on all
    interfaces. The application starts worker processes in its lifespan.
    """
    pools = {lane: Pool(lane) for lane in LANES}

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        for pool in pools.values():
            pool.start()
        try:
            yield
        finally:
            await asyncio.gather(*(pool.close() for pool in pools.values()))

    questions = [
        Route(f"/api/{name}", _Asking(name, question, pools[question.lane]), methods=["POST"])
        for name, question in QUESTIONS.items()
    ]
    routes = [
        Route("/", _index),
        Route("/api/catalogue", _catalogue),
        *questions,
        Mount("/static", StaticFiles(directory=STATIC)),
        Mount("/kernel", StaticFiles(directory=KERNEL)),
    ]
    port = host.rpartition(":")[2]
    hosts = [host, f"localhost:{port}", f"127.0.0.1:{port}"]
    return Guard(_Ending(Starlette(routes=routes, lifespan=lifespan)), token, hosts, any_address)


class _Ending:
    """The application, which says so if its server ends before it has answered.

    A server that ends cancels what is under way.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if not begun:
                await _error(503, ENDING)(scope, receive, send)


async def _index(_: Request) -> Response:
    return Response((STATIC / "index.html").read_bytes(), media_type="text/html")


async def _catalogue(_: Request) -> Response:
    from .catalogue import catalogue

    return JSONResponse(await asyncio.to_thread(catalogue))


class _Asking:
    """The endpoint of a question."""

    def __init__(self, name: str, question: Question, pool: Pool) -> None:
        self.name, self.question, self.pool = name, question, pool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            async with asyncio.timeout(SLOWEST_BODY):
                asked = await _body(request)
        except ClientDisconnect:
            return
        except TimeoutError:
            await _error(408, "the request took too long to come")(scope, receive, send)
            return
        except JobError as error:
            await _error(error.status, str(error))(scope, receive, send)
            return
        answering = asyncio.create_task(self._answer(asked, scope, receive, send))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answering, leaving):
                task.cancel()
            results = await asyncio.gather(answering, leaving, return_exceptions=True)
        if isinstance(results[0], Exception):
            raise results[0]

    async def _answer(self, asked: Object, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines of the answer as they come, or the one object."""
        tab = str(asked.pop("tab", ""))[:LONGEST_TAB]
        begun = False
        try:
            async with aclosing(self.pool.ask(tab, self.name, asked)) as lines:
                async for line in lines:
                    mark, data = line[:1], line[1:]
                    if not begun and (mark in STATUSES or not self.question.streams):
                        await _raw(STATUSES.get(mark, 200), data)(scope, receive, send)
                        return
                    if not begun:
                        await _begin(send)
                        begun = True
                    await _more(send, data + b"\n")
        except JobError as error:
            if not begun:
                await _error(error.status, str(error))(scope, receive, send)
                return
            await _last(send, {"error": str(error)})
            return
        except asyncio.CancelledError:
            if begun:
                await _last(send, {"error": ENDING})
            raise
        if begun:
            await _last(send)


async def _body(request: Request) -> Object:
    """The JSON object of a request; raises `JobError`."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise JobError(415, "expected content-type application/json")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            raise JobError(413, f"a request of more than {MOST_BODY >> 10} KB")
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        raise JobError(400, "the request is no JSON") from None
    if not isinstance(asked, dict):
        raise JobError(400, "expected a JSON object")
    return asked


async def _gone(receive: Receive) -> None:
    """Returns when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _begin(send: Send) -> None:
    headers = [(b"content-type", b"application/x-ndjson")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _more(send: Send, data: bytes) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": True})


async def _last(send: Send, said: Object | None = None) -> None:
    if said:
        await _more(send, json.dumps(said).encode() + b"\n")
    await send({"type": "http.response.body", "body": b""})


def _raw(status: int, data: bytes) -> Response:
    return Response(data, status, media_type="application/json")


def _error(status: int, words: str) -> Response:
    return JSONResponse({"error": words}, status)
