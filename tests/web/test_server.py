"""The server: its address, its socket, its end."""

import json
import re
import signal
import socket
import subprocess
import sys
from http.client import HTTPConnection

import pytest
from web_client import EXTRA, JSON, PATIENCE, page, state

import satdoku
from satdoku.runtime.interrupts import WORDS
from satdoku.web import server


def test_the_address_has_a_secret_of_its_own():
    secrets = set()
    for _ in range(2):
        with page() as web:
            assert re.fullmatch(r"/[\w-]{32}/", web.path)
            assert web.host.startswith("127.0.0.1:")
            assert web.request("GET", "").status == 200
            secrets.add(web.path)
    assert len(secrets) == 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_ends_it(number, code):
    with page() as web:
        assert web.request("GET", "").status == 200
        web.process.send_signal(number)
        assert web.process.wait(PATIENCE) == code


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_who_waits_at_the_end_is_told_and_nobody_sees_a_traceback(number, code, capfd):
    """A stream that has begun, half a body, and more questions than places."""

    def asked(name, tab):
        connection = HTTPConnection(web.host, timeout=PATIENCE)
        body = {"tab": tab, "puzzle": state("." * 256), "limit": 100_000, "all": True}
        connection.request("POST", f"{web.path}api/{name}", json.dumps(body), JSON)
        return connection

    with page() as web:
        begun = asked("live", "begun").getresponse()
        assert begun.readline()
        half = HTTPConnection(web.host, timeout=PATIENCE)
        half.request("POST", f"{web.path}api/live", b"{", {**JSON, "content-length": "9"})
        waiting = [asked(("live", "steps", "fill")[n % 3], f"tab {n}") for n in range(24)]
        assert web.request("GET", "").status == 200  # who asked before has been heard
        web.process.send_signal(number)
        assert web.process.wait(PATIENCE) == code
        told = [begun, half.getresponse()]
        told += [connection.getresponse() for connection in waiting]
        for answer in told:
            last = json.loads(answer.read().splitlines()[-1])
            assert last == {"error": "the server has ended"}
        assert [answer.status for answer in told[:2]] == [200, 503]
    served = "satdoku: the page is at this address until Ctrl-C\n"
    assert capfd.readouterr().err == f"{served}satdoku: {WORDS[number]}\n"


def test_it_binds_to_this_machine_alone():
    with page() as web:
        port = int(web.host.rpartition(":")[2])
        with socket.socket() as other:  # another address of this machine is free
            other.bind(("127.0.0.2", port))


def test_a_port_that_is_taken_is_an_error():
    pytest.importorskip("uvicorn", reason=EXTRA)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(server.ServeError, match=f"127.0.0.1:{port}: "):
            satdoku.serve(port=port)
        command = [sys.executable, "-P", "-m", "satdoku", "serve", "--port", str(port)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 2 and done.stdout == ""
        assert re.fullmatch(rf"satdoku: 127\.0\.0\.1:{port}: .*\n", done.stderr)


def test_all_interfaces_take_addresses_but_no_names():
    with page("--host", "0.0.0.0") as web:
        port = web.host.rpartition(":")[2]
        assert web.host == f"127.0.0.1:{port}"
        for host in (f"10.1.2.3:{port}", f"[::1]:{port}"):
            assert web.request("GET", "", Host=host).status == 200
        for host in ("10.1.2.3:1", f"evil.example:{port}", f"10.1.2.3.evil.example:{port}"):
            assert web.request("GET", "", Host=host).status == 421


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(server.ServeError, match=r"pip install 'satdoku\[web\]'"):
        satdoku.serve()
