"""Connections that wait, dribble or do not read, from strangers and from those with the secret."""

import asyncio
import json
import select
import socket
import time
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from types import SimpleNamespace

import pytest
from web_client import CLASSIC, EXTRA, JSON, PATIENCE, page, state

connections = pytest.importorskip("satdoku.web.connections", reason=EXTRA)


def short(**limits):
    """A page with another limit."""
    ((name, value),) = limits.items()
    return page(code=f"connections.{name} = {value}")


def connected(web):
    host, _, port = web.host.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


@contextmanager
def crowd(web, number):
    """So many idle connections."""
    with ExitStack() as stack:
        yield [stack.enter_context(connected(web)) for _ in range(number)]


def is_closed(connection):
    """Whether the server has closed a connection on which it has nothing to say."""
    return bool(select.select([connection], [], [], 0)[0])


def assert_closes(connection, dribble=b""):
    """Sends a byte now and then until the server closes the connection."""
    connection.settimeout(0.1)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if dribble:
                connection.sendall(dribble)
            if not connection.recv(1 << 16):
                return
        except TimeoutError:
            continue
        except OSError:
            return
    pytest.fail("it stays open")


def test_idle_connections_shut_nobody_out(web):
    with crowd(web, 2 * connections.STRANGERS) as held:
        assert web.request("GET", "").status == 200
        assert web.all("live", tab="crowd", puzzle=state(CLASSIC))["status"] == "unique"
        states = [is_closed(connection) for connection in held]
        assert not any(states[-connections.STRANGERS // 2 :])
        assert all(states[: -connections.STRANGERS])  # the oldest went


def test_who_knows_the_secret_stays_connected_in_a_crowd(web):
    browser = HTTPConnection(web.host, timeout=PATIENCE)
    for _ in range(2):
        browser.request("GET", web.path)
        assert browser.getresponse().read()
        mine = browser.sock
        with crowd(web, connections.STRANGERS + 1):
            assert browser.sock is mine and not is_closed(mine)
    browser.close()


def test_half_a_head_ends_in_time_though_bytes_come():
    with short(HEAD=0.6) as web:
        for head in (b"", b"GET / HTTP/1.1\r\n", f"GET {web.path} HTTP/1.1\r\nX: ".encode()):
            with connected(web) as connection:
                connection.sendall(head)
                assert_closes(connection, b"x" if head else b"")
        assert web.request("GET", "").status == 200


def test_a_body_that_does_not_come_ends_in_time_for_a_stranger():
    with short(HEAD=0.6) as web, connected(web) as connection:
        head = f"POST /x/ HTTP/1.1\r\nHost: {web.host}\r\nContent-Length: 100000\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(12) == b"HTTP/1.1 404"
        assert_closes(connection, b" ")


def test_a_body_that_does_not_come_ends_in_time_for_a_question():
    with page(code="app.SLOWEST_BODY = 0.3") as web, connected(web) as connection:
        head = f"POST {web.path}api/live HTTP/1.1\r\nHost: {web.host}\r\nContent-Length: 100000\r\n"
        connection.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n")
        assert connection.recv(12) == b"HTTP/1.1 408"


def test_a_known_connection_that_asks_no_more_ends_in_time():
    with short(IDLE=0.6) as web, connected(web) as connection:
        connection.sendall(f"GET {web.path}none HTTP/1.1\r\nHost: {web.host}\r\n\r\n".encode())
        assert connection.recv(12) == b"HTTP/1.1 404"
        assert_closes(connection, b"G")


def test_those_who_know_the_secret_have_a_room_of_their_own():
    """Of two places, idle ones are given up for a newcomer, those with questions are not."""
    slow = json.dumps({"puzzle": state("." * 256), "limit": 100_000, "tab": ""})
    with short(MOST=2) as web, ExitStack() as stack:
        browsers = [HTTPConnection(web.host, timeout=PATIENCE) for _ in range(5)]
        for browser in browsers:
            stack.callback(browser.close)
        for browser in browsers[:3]:
            browser.request("GET", web.path)
            assert browser.getresponse().read()
        assert_closes(browsers[0].sock)
        assert not is_closed(browsers[1].sock) and not is_closed(browsers[2].sock)
        for n, browser in enumerate(browsers[3:]):
            browser.request("POST", web.path + "api/live", slow.replace('""', f'"{n}"'), JSON)
            assert browser.getresponse().status == 200
        answer = web.request("GET", "")
        assert (answer.status, answer.text) == (503, "too many requests at once\n")


class Transport:
    """Of a client that reads `step` bytes between two looks at what it has not read."""

    def __init__(self, step):
        self.step, self.looks, self.is_aborted = step, 0, False

    def get_write_buffer_size(self):
        self.looks += 1
        return 70_000 - self.looks * self.step

    def get_extra_info(self, _):
        return None

    def is_closing(self):
        return self.is_aborted

    def abort(self):
        self.is_aborted = True


@pytest.mark.parametrize(("step", "is_left"), [(0, True), (1, False)])
def test_a_client_that_does_not_read_is_left_and_one_that_reads_is_not(monkeypatch, step, is_left):
    monkeypatch.setattr(connections, "IDLE", 0.001)
    monkeypatch.setattr(connections, "HEAD", 0.02)

    async def ask():
        config = connections.Config(None, interface="asgi3", log_config=None)
        config.loaded, config.loaded_app, config.ws_protocol_class = True, None, None
        state = SimpleNamespace(connections=set(), tasks=set())
        connection = connections.Connection(config, state, {})
        connection.connection_made(transport := Transport(step))
        assert connection.admit()
        with connection.answering():
            await asyncio.sleep(0.05)
            assert not transport.is_aborted  # a question may take its time
            connection.pause_writing()
            while not transport.is_aborted and transport.looks < 50:
                await asyncio.sleep(0.001)
            assert transport.is_aborted == is_left
            connection.resume_writing()
            looks = transport.looks
            await asyncio.sleep(0.02)
            assert transport.looks == looks

    asyncio.run(ask())
