"""The engine in the tab: what it says before the server, and that both say the same."""

from __future__ import annotations

import random
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from node import kernel_needed

pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")

from page import complaints, requests, tab
from setting import Setting
from web_client import CLASSIC, SOLVED, page, state

import satdoku
from satdoku.engine import wasm

MODULES = """
const [engine, api] = await Promise.all(
  ["engine", "api"].map((name) => import(`./static/${name}.js`)));
const asked = (puzzle) => {
  const digits = [...puzzle.puzzle].map((word) => Number(word) || 0);
  const all = Math.sqrt(digits.length);
  const marks = digits.map((_, cell) => puzzle.candidates?.[cell] ?? []);
  return { puzzle, digits, marks: marks.map((some) => (some.length < all ? some : [])) };
};
"""
SCRIPT = """
const [%s, done] = arguments;
(async () => {%s%s})().then(done, (error) => done(String(error)));
"""
# What the tab and the server say of puzzles, each all in one object.
ASK = """
const together = async (parts) => {
  const all = {};
  for await (const part of parts) Object.assign(all, part);
  return all;
};
const found = [];
for (const puzzle of puzzles) {
  const mine = await together(engine.engine.live(asked(puzzle)));
  const body = { puzzle, counts: false, limit: 1, tab: "asked" };
  found.push([mine, await together(api.stream("live", body))]);
}
return found;
"""
TRY = """
const found = [];
for (const tried of tries) {
  const mine = await engine.engine.possible(asked(puzzle), tried);
  found.push([mine, await api.call("possible", { puzzle, tried })]);
}
return found;
"""
# The plan with pencil marks, as bytes.
MARK = """
const { load } = await import("./kernel/satdoku.js");
return [...(await load()).plan(Uint8Array.from(plan)).withMarks(marks)];
"""
# The workers' answers to `live`: after a minute, or another one than is true.
LIVE = """
jobs._START = jobs._START.replace("import runpy", {!r})
"""
LATE = LIVE.format(
    "from satdoku.web import live; import time; true = live.live; "
    "live.live = lambda asked: (time.sleep(60) or part for part in true(asked)); import runpy"
)
WRONG = LIVE.format(
    "from satdoku.web import live; "
    "live.live = lambda asked: iter([{'status': 'multiple'}, {'done': True, 'ms': 1}]); "
    "import runpy"
)
AREAS = "r1c1,r1c2,r2c1", "r5c5,r5c6,r6c6", "r9c7,r9c8,r9c9"


@pytest.fixture(autouse=True)
def _kernel():
    kernel_needed()


def in_tab(surfing, code, **values):
    """What a script in a tab of the page returns, which knows the values by their names."""
    with tab(surfing, Setting) as page:
        page.driver.set_script_timeout(600)
        script = SCRIPT % (", ".join(values), MODULES, code)
        found = page.driver.execute_async_script(script, *values.values())
    assert isinstance(found, list), found
    return found


@contextmanager
def served(surfing, code):
    """A tab with the page of a server of its own, in which `code` has run first."""
    with page("--port", "0", code=code) as opened:
        address = f"http://{opened.host}{opened.path}"
        with tab(surfing._replace(address=address), Setting) as made:
            yield made


def edits(rules, areas, marked, number=100):
    """A puzzle with one solution, changed again and again: by a digit, by one of the cages on these
    areas, or by pencil marks. Every fourth has a digit that is random."""
    dice = random.Random(1)
    solution, density = str(satdoku.solve("." * 81, rules)), 0.2 if rules == "knight" else 0.4
    digit_of = {f"r{cell // 9 + 1}c{cell % 9 + 1}": int(solution[cell]) for cell in range(81)}
    cages = [f"cage={sum(digit_of[name] for name in area.split(','))}:{area}" for area in areas]
    cells, drawn = [digit if dice.random() < density else "." for digit in solution], set()
    marks = [[*range(1, 10)] for _ in solution]
    for place in range(number):
        cell, sort = dice.randrange(81), dice.random()
        if cages and sort < 0.2:
            drawn ^= {dice.choice(cages)}
        elif marked and sort < 0.6:
            marks[cell] = sorted({int(solution[cell]), *dice.sample(range(1, 10), 3)})
        else:
            cells[cell] = solution[cell] if cells[cell] == "." else "."
        shown = [*cells]
        if place % 4 == 3:
            shown[cell] = dice.choice("123456789")
        more = {"candidates": [*marks]} if marked else {}
        yield state("".join(shown), rules, sorted(drawn), **more)


@pytest.mark.parametrize(
    ("rules", "areas", "marked"),
    [("classic", (), 0), ("knight", (), 0), ("classic", AREAS, 0), ("classic", AREAS, 1)],
)
def test_the_tab_and_the_server_agree(surfing, rules, areas, marked):
    found = in_tab(surfing, ASK, puzzles=[*edits(rules, areas, marked)])
    for mine, other in found:
        if "status" in mine:
            assert mine["status"] == other["status"].replace("invalid", "none")
        if "candidates" in mine:
            assert mine["candidates"] == other["candidates"]
    assert {mine.get("status") for mine, _ in found} >= {"none", "multiple"}
    # On a machine as busy as can be the tab gives some of them up.
    answered = [mine for mine, _ in found if mine.get("status") == "none" or "candidates" in mine]
    assert len(answered) > 50


def test_the_tab_and_the_server_agree_on_what_is_tried(surfing):
    dice = random.Random(1)
    tries = []
    for number in range(30):
        tried = [
            0 if CLASSIC[c] != "." or dice.random() < 0.6 else int(SOLVED[c]) for c in range(81)
        ]
        for _ in range(number % 3):
            cell = dice.choice([c for c in range(81) if CLASSIC[c] == "."])
            tried[cell] = dice.randrange(1, 10)
        tries.append(tried)
    found = in_tab(surfing, TRY, puzzle=state(CLASSIC), tries=tries)
    assert all(mine == other for mine, other in found if mine), found
    assert {mine["possible"] for mine, _ in found if mine} == {True, False}
    assert any(mine["wrong"] for mine, _ in found if mine)


@pytest.mark.parametrize(
    "rules", ["classic", "knight", "diagonal;cage=9:r3c3,r3c4;digits=1,2:r1c1"]
)
def test_the_plan_with_pencil_marks_is_that_of_clues(surfing, rules):
    marks = [[]] * 81
    marks[40], marks[60], marks[80] = [1, 2], [1, 2], [1, 3, 5, 7, 9]
    clues = "digits=1,2:r5c5;digits=1,2:r7c7;digits=1,3,5,7,9:r9c9"
    plan = wasm.plan_bytes(satdoku.constraints_for(rules))
    made = in_tab(surfing, MARK, plan=[*plan], marks=marks)
    assert bytes(made) == wasm.plan_bytes(satdoku.constraints_for(f"{rules};{clues}"))


def test_the_status_does_not_wait_for_the_server(surfing):
    with served(surfing, LATE) as page:
        page.tick("True candidates")
        page.paste(CLASSIC)
        page.wait(lambda: page.verdict() == "Unique")
        page.wait(lambda: len(page.find("#board .found .mark")) == CLASSIC.count("."))
        page.focus("r1c1")
        page.keys("2")  # 7 in the solution
        assert page.verdict() == "No solution"
        page.keys("7")
        assert page.verdict() == "Unique"
        assert "answered" not in page.text("#panel-live .progress")
        page.press("Solve", "#modes")
        page.focus("r1c2")
        page.keys("1")  # 5 in the solution
        page.press("Check", "#panel-solve")
        page.wait(lambda: page.text("#panel-solve .says") == "One digit is wrong.")
        asked = requests(page.driver)
        assert any("kernel/satdoku.wasm" in address for address in asked)
        assert not any("api/possible" in address for address in asked)


def test_a_contradiction_is_an_error_and_the_server_wins(surfing):
    with served(surfing, WRONG) as page:
        page.paste(CLASSIC)
        said = page.wait(lambda: [text for text in complaints(page.driver) if "the tab" in text])
        assert 'status: the tab found \\"unique\\", the server \\"multiple\\"' in said[0]
        assert page.answered() == "Several solutions"
        complaints(page.driver)


def test_without_the_kernel_the_server_answers(surfing, tmp_path, monkeypatch):
    copy = tmp_path / "satdoku"
    ignored = shutil.ignore_patterns("*.wasm", "__pycache__", "*.c", "*.h")
    shutil.copytree(Path(satdoku.__file__).parent, copy, ignore=ignored)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with served(
        surfing, f"import satdoku\nassert satdoku.__file__.startswith({str(copy)!r})"
    ) as page:
        page.paste(CLASSIC)
        assert page.answered() == "Unique"
        page.focus("r1c1")
        page.keys("2")
        assert page.verdict() == "No solution"
        asked = requests(page.driver)
        assert any("api/live" in address for address in asked)
        assert not [address for address in asked if "kernel/" in address]
