"""Who may ask: every way in which another page, name or program might."""

import http.client
import socket

import pytest
from web_client import CLASSIC, EXTRA, JSON, PATIENCE, state

guard = pytest.importorskip("satdoku.web.guard", reason=EXTRA)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "localhost", "127.0.0.1", "127.0.0.1:1", "",
             "127.0.0.1:{port}.evil.example", "127.0.0.2:{port}", "[::1]:{port}",
             "a@127.0.0.1:{port}"]
)  # fmt: skip
def test_a_name_that_points_here_is_refused(web, host):
    port = web.host.rpartition(":")[2]
    for method, path in (("GET", ""), ("GET", "api/catalogue"), ("POST", "api/live")):
        answer = web.request(method, path, Host=host.format(port=port))
        assert answer.status == 421 and "puzzle" not in answer.text


def test_the_names_of_this_machine_are_taken(web):
    port = web.host.rpartition(":")[2]
    for host in (f"localhost:{port}", f"LOCALHOST:{port}", f"127.0.0.1:{port}"):
        assert web.request("GET", "", Host=host).status == 200


@pytest.mark.parametrize(
    "token", ["", "x", "x" * 32, "%00", "..", "static", "%C3%A9", "%FF", "%2e%2e"]
)
def test_a_wrong_token_finds_nothing(web, token):
    for path in ("", "api/catalogue", "static/index.html"):
        answer = web.raw("GET", f"/{token}/{path}")
        assert answer.status == 404
        assert "satdoku printed" in answer.text


def test_the_token_alone_and_paths_beside_it(web):
    token = web.path.strip("/")
    assert web.raw("GET", f"/{token[:-1]}/").status == 404
    assert web.raw("GET", f"/{token}x/").status == 404
    assert web.raw("GET", f"/x/{token}/").status == 404
    assert web.raw("GET", f"//{token}/").status == 404
    for path in (
        "static/../../server.py",
        "static/%2e%2e/app.py",
        "static/..%2fapp.py",
        "static//etc/passwd",
    ):
        assert web.request("GET", path).status == 404


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://127.0.0.1", "https://{host}", "http://localhost:1"],
)
def test_another_page_may_not_ask(web, origin):
    body = b'{"puzzle": 1}'
    headers = {"Origin": origin.format(host=web.host), **JSON}
    answer = web.request("POST", "api/live", body, **headers)
    assert (answer.status, answer.text) == (403, "asked by another page\n")
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_a_browser_marks_as_from_elsewhere_is_refused(web, site):
    for method, path in (
        ("POST", "api/live"),
        ("GET", "api/catalogue"),
        ("GET", "static/index.html"),
    ):
        for mode in ("cors", "no-cors"):
            headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
            assert web.request(method, path, b"{}", **headers).status == 403
    # A link in a mail may open the page: whoever has the address has the token.
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
    assert web.request("GET", "", **headers).status == 200
    assert web.request("GET", "api/catalogue", **headers).status == 403


def test_the_page_itself_may(web):
    headers = {"Origin": f"http://{web.host}", "Sec-Fetch-Site": "same-origin", **JSON}
    assert web.request("POST", "api/live", b"{}", **headers).status == 400  # no puzzle


def test_a_preflight_is_not_answered(web):
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = web.request("OPTIONS", "api/live", **headers)
    assert answer.status == 403
    assert not any(name.startswith("access-control") for name in answer.headers)


def test_every_answer_has_the_headers(web):
    answers = [
        web.request("GET", ""),
        web.request("GET", "api/catalogue"),
        web.request("GET", "none"),
        web.raw("GET", "/"),
        web.request("GET", "", Host="evil.example"),
        web.post("live", puzzle=state(CLASSIC)),
        web.post("live", puzzle=None),
    ]
    for answer in answers:
        for name, value in guard.HEADERS:
            assert answer.headers[name.decode()] == value.decode()
        assert "server" not in answer.headers
    assert "script-src 'self' 'wasm-unsafe-eval'; " in guard.POLICY
    assert guard.POLICY.count("unsafe") == 1  # the engine is compiled; no text becomes a script


def test_two_hosts_and_no_host_are_refused(web):
    host, _, port = web.host.rpartition(":")
    mine, other = f"Host: {web.host}\r\n", "Host: evil.example\r\n"
    origins = f"Origin: http://{web.host}\r\nOrigin: https://evil.example\r\n"
    for lines in ("", mine + other, other + mine, mine + origins):
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
            head = f"GET {web.path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n"
            connection.sendall(head.encode())
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            assert answer.status in (400, 421)
