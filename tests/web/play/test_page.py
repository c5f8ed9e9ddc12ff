"""The page as bytes: what lies in it, what it may do, and how large it is."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from node import kernel_needed

import satdoku
from satdoku.engine import wasm
from satdoku.engine.targets import EngineError
from satdoku.files.one import as_puzzle
from satdoku.runtime.errors import SatdokuError
from satdoku.web.play.page import MOST, page
from satdoku.web.play.told import told

GALLERY = list(satdoku.read_puzzles(PUZZLES / "gallery.csv"))
LIMIT = 400_000  # bytes


@pytest.fixture(autouse=True)
def kernel():
    kernel_needed()


def blocks(text):
    """What lies packed in a page, by name."""
    found = re.findall(
        r'<script type="application/octet-stream" id="([\w-]+)">(.*?)</script>', text
    )
    return {name: zlib.decompress(base64.b64decode(packed)) for name, packed in found}


@pytest.mark.parametrize("puzzle", GALLERY, ids=lambda puzzle: puzzle.id)
def test_a_page_is_small_and_holds_no_answer(puzzle):
    text = page([told(puzzle)])
    assert len(text.encode()) <= LIMIT
    solution = satdoku.solve(puzzle)
    digits = json.dumps(list(solution.cells), separators=(",", ":"))[1:-1]
    forms = [str(solution), digits, "".join(map(str, solution.cells))]
    told_of = blocks(text)["puzzles"].decode()
    assert not any(form in part for form in forms for part in (text, told_of))
    assert bytes(solution.cells) not in b"".join(blocks(text).values())


def test_what_lies_in_it_is_whole():
    found = blocks(page([told(as_puzzle(CLASSIC))]))
    assert found["kernel"] == wasm.kernel()
    assert found["plan-0"] == wasm.plan_bytes(satdoku.constraints_for("classic"))
    assert b"globalThis.satdoku" in found["satdoku"]
    (data,) = json.loads(found["puzzles"])
    assert (data["puzzle"], data["plan"]) == (CLASSIC, 0)
    assert CLASSIC_SOLUTION not in json.dumps(data)


def test_the_policy_names_what_lies_in_the_page_alone():
    text = page([told(as_puzzle(CLASSIC))])
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', text)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    (script,) = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)

    def named(content):
        return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"

    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"] == f"{named(script)} blob: 'wasm-unsafe-eval'"
    assert rules["style-src"] == named(style)
    assert (rules["worker-src"], rules["img-src"]) == ("blob:", "data:")
    assert text.index("Content-Security-Policy") < text.index("<style")
    assert {*re.findall(r"https?://[^\"'\s]+", text)} == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\son\w+=|\bstyle=|<link\b|\bsrc=", text.partition("<script")[0])


def test_no_text_of_a_puzzle_is_markup():
    evil = "</script><img src=x onerror=alert(1)>"
    puzzle = replace(as_puzzle(CLASSIC), title=evil, author=evil, words=evil)
    text = page([told(puzzle)])
    assert "<img" not in text and text.count("&lt;img") == 5  # title twice, and in the article
    assert "$" not in re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)


def test_a_booklet_holds_the_plan_of_the_same_rules_once():
    puzzles = [CLASSIC, CLASSIC[::-1]]
    found = blocks(page([told(as_puzzle(each)) for each in [*puzzles, GALLERY[0]]], "Booklet"))
    assert [data["plan"] for data in json.loads(found["puzzles"])] == [0, 0, 1]
    assert {*found} == {"kernel", "satdoku", "puzzles", "plan-0", "plan-1"}


def test_a_page_can_be_read_without_a_script():
    text = page([told(puzzle) for puzzle in GALLERY[:2]])
    articles = re.findall(r"<article>(.*?)</article>", text, re.DOTALL)
    for puzzle, article in zip(GALLERY, articles, strict=False):
        assert f"<h2>{puzzle.id}</h2>" in article
        assert satdoku.render_svg(puzzle, legend=False).strip() in article
        assert article.count("<p>") == len(satdoku.rules_in_words(puzzle).splitlines())


def test_a_page_holds_some_puzzles_but_not_any_number():
    one = told(as_puzzle("1" + "." * 15))
    for count in (0, MOST + 1):
        with pytest.raises(SatdokuError, match=f"{count} puzzles: a page holds 1 to {MOST}"):
            page([one] * count)


def test_without_the_kernel_it_is_said_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(wasm, "KERNEL", tmp_path / "none.wasm")
    with pytest.raises(EngineError, match="install ziglang"):
        page([told(as_puzzle(CLASSIC))])
