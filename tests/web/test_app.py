"""The application: the page, its catalogue, bounds of requests."""

import json

import pytest
from web_client import CLASSIC, JSON, state


def test_the_page_and_the_catalogue_are_served(web):
    assert web.request("GET", "").headers["content-type"].startswith("text/html")
    script = web.request("GET", "static/main.js")
    assert (script.status, script.headers["content-type"]) == (
        200,
        "text/javascript; charset=utf-8",
    )
    script = web.request("GET", "kernel/satdoku.js")
    assert (script.status, script.text.count("WebAssembly") > 0) == (200, True)
    assert web.raw("GET", web.path.rstrip("/")).headers["location"].endswith(web.path)
    rules = web.request("GET", "api/catalogue").json()["rules"]
    assert "knight" in {rule["name"] for rule in rules}


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"{", 400, "no JSON"),
        (b"[]", 400, "a JSON object"),
        (b"\xff\0", 400, "no JSON"),
        (b"[" * 100_000, 400, "no JSON"),
        (b'{"puzzle":' + b'{"a":' * 90_000, 413, "256 KB"),
        (b" " * 300_000, 413, "256 KB"),
        (b'{"puzzle": null}', 400, "puzzle: found null"),
        (b'{"puzzle": {"format": "x"}}', 400, "expected satdoku-puzzle"),
        (b'{"puzzle": "\\u0000"}', 400, "puzzle: found a text"),
    ],
)
def test_a_bad_body_is_told_and_costs_no_worker(web, body, status, words):
    answer = web.request("POST", "api/live", body, **JSON)
    assert answer.status == status
    assert words in answer.json()["error"]
    assert web.all("live", puzzle=state(CLASSIC))["status"] == "unique"


def test_a_question_is_a_post_of_json(web):
    assert web.request("GET", "api/live").status == 405
    text = json.dumps({"puzzle": state(CLASSIC)})
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = web.request("POST", "api/live", text, **{"content-type": kind})
        assert answer.status == 415
