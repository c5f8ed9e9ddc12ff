"""The command `serve`; tests/web tests the page."""

import pytest

from satdoku.web import server


def test_its_options_reach_the_server(run, monkeypatch):
    asked = {}

    def serve(*, on_address, **options):
        on_address("http://127.0.0.1:8000/secret/")
        asked.update(options)

    monkeypatch.setattr(server, "serve", serve)
    assert run("serve", "--port", "8123", "--host", "::1", "--open")[0] == 0
    assert asked == {"port": 8123, "host": "::1", "open_browser": True}
    code, out, err = run("serve")
    assert (code, out) == (0, "http://127.0.0.1:8000/secret/\n") and "until Ctrl-C" in err
    assert asked == {"port": 0, "host": "127.0.0.1", "open_browser": False}


@pytest.mark.parametrize("port", ["-1", "65536", "http", "9" * 50])
def test_a_port_is_a_number(run, port):
    code, _, err = run("serve", f"--port={port}")
    assert code == 2 and "expected a number from 0 to 65535" in err


def test_an_address_that_is_not_ours(run):
    code, _, err = run("serve", "--host", "no.such.host.invalid")
    assert code == 2 and err.startswith("satdoku: no.such.host.invalid:0: ")
