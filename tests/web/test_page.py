"""The page in a real Chromium, from the first key to the files it saves.

No test waits for a time: each waits for what a person would see.
"""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from browser import TELEPHONE
from examples import CLASSIC, PUZZLES
from pysat.solvers import Solver

import satdoku
from satdoku.cli import main
from satdoku.cnf.dimacs import parse_cnf
from satdoku.files.one import parse_puzzle
from satdoku.ratings.scale import rating_of
from satdoku.web.catalogue import FORMATS

pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")

from page import Page, complaints, requests, tab
from selenium.webdriver.common.keys import Keys
from web_client import page as served_by

MIRACLE = (PUZZLES / "miracle.txt").read_text().splitlines()[-1]
SOLUTION = "483726159726159483159483726837261594261594837594837261372615948615948372948372615"
RULES = ["king", "knight", "nonconsecutive"]
CHAINED = "....4...6..5.2......279..3.1......58..4....7..23...6......5.....671....4.8....9.."
SEVERAL = "12..34.....2...."


@pytest.fixture
def page(surfing):
    with tab(surfing) as made:
        yield made


def test_the_miracle_in_two_tabs(surfing, tmp_path, capsys):
    with tab(surfing) as one, tab(surfing) as two:
        for page in (one, two):
            page.show()
            set_the_miracle(page)
        for page in (one, two):
            page.show()
            is_unique_until_a_wrong_given(page)
            a_step_is_told(page)
        for page in (one, two):
            page.show()
            every_format_reads_back(page, tmp_path, capsys)


def set_the_miracle(page):
    """Two givens by the keyboard, three rules."""
    for cell, digit in enumerate(MIRACLE):
        if digit != ".":
            page.go(f"r{cell // 9 + 1}c{cell % 9 + 1}")
            page.keys(digit)
    page.panel("rules")
    for rule in RULES:
        page.rule(rule)
        page.wait(lambda: rule in page.puzzle.get("rules", ""))  # noqa: B023
    assert page.puzzle["puzzle"] == MIRACLE


def is_unique_until_a_wrong_given(page):
    page.wait(lambda: page.verdict() == "Unique")
    page.tick("The solution")
    shown = page.wait(lambda: page.find("#board .solved"))
    assert len(shown) == 79
    page.tick("The solution")
    page.focus("r9c9")
    page.keys("3")  # the solution has a 5
    page.wait(lambda: page.verdict() == "No solution")
    page.wait(lambda: "r9c9=3" in page.text(".clash"))
    assert len(page.find("#board .spot.conflict")) in (2, 3)
    page.keys(Keys.BACKSPACE)
    page.wait(lambda: page.verdict() == "Unique")
    assert not page.text(".clash")


def a_step_is_told(page):
    page.panel("study")
    page.press("Next step")
    says = page.wait(
        lambda: (
            page.text("#panel-study .says").startswith("1. ") and page.text("#panel-study .says")
        )
    )
    first = next(satdoku.explain_steps(MIRACLE, "miracle", named=True))
    assert says == f"1. {first.words}"
    assert page.find("#board .mark-conclusion, #board .spot.conclusion")
    page.press("Close")


def every_format_reads_back(page, folder, capsys):
    page.panel("take")
    states_the_miracle(parse_puzzle(page.download("json").decode()))
    for label in ("fpuzzles", "sudokupad", "iss"):
        states_the_miracle(parse_puzzle(page.link(label)))
    cnf = parse_cnf(page.download("cnf").decode())
    assert "".join(str(digit or ".") for digit in cnf.puzzle.cells) == MIRACLE
    with Solver("cadical153", bootstrap_with=cnf.clauses) as solver:
        assert solver.solve()
        true = [literal - 1 for literal in solver.get_model()[:729] if literal > 0]
    assert "".join(str(number % 9 + 1) for number in true) == SOLUTION
    certificate = folder / "miracle.cert.gz"
    certificate.write_bytes(page.download("certificate"))
    assert main(["verify", str(certificate)]) == 0
    claim = f"verified unique {MIRACLE} {','.join(sorted(RULES, key='knk'.find))}"
    assert claim.split()[:3] == capsys.readouterr().out.split()[:3]
    assert page.download("svg").startswith(b"<svg")
    assert page.download("png").startswith(b"\x89PNG\r\n")
    assert page.download("pdf").startswith(b"%PDF-")


def states_the_miracle(record):
    """A text that was taken away holds the same puzzle, under the same rules."""
    assert str(record.grid).replace("0", ".") == MIRACLE
    assert sorted(record.rules.split(",")) == RULES


def test_numbers_of_solutions_and_of_each_candidate(page):
    solutions = [str(grid) for grid in satdoku.solutions(SEVERAL)]
    page.paste(SEVERAL)
    assert page.answered() == "Several solutions"
    assert page.text(".verdict .number") == str(len(solutions))
    page.tick("Solutions of each")
    page.wait(lambda: page.find("#board .count"))
    page.focus("r2c1")
    digits = [grid[4] for grid in solutions]
    each = ", ".join(f"{digit} in {digits.count(digit)}" for digit in sorted(set(digits)))
    page.wait(lambda: page.text(".cell-says") == f"r2c1: {each} solutions")


def test_all_steps_are_walked_by_the_arrows_and_rated(page):
    steps = [step.words for step in satdoku.explain_steps(CLASSIC, named=True)]
    page.paste(CLASSIC)
    page.panel("study")
    page.press("All steps and rating")
    page.wait(lambda: page.text(".rating"))
    rating = rating_of(parse_puzzle(CLASSIC).grid.cells).words
    assert page.text(".rating") == f"{len(steps)} steps; rating {rating}, scale of Sudoku Explainer"
    (listed,) = page.find(".steps")
    for number, key in ((1, Keys.DOWN), (2, Keys.DOWN), (1, Keys.UP), (len(steps) - 1, Keys.END)):
        listed.send_keys(key)
        assert page.text("#panel-study .says") == f"{number + 1}. {steps[number]}"
    page.press("Write the digits")
    assert len(page.find("#board .entry")) == CLASSIC.count(".")
    assert page.puzzle["puzzle"] == CLASSIC


def test_each_press_asks_for_one_step_more_and_all_go_on_from_there(page):
    steps = [step.words for step in satdoku.explain_steps(CLASSIC, named=True)]
    page.paste(CLASSIC)
    page.panel("study")
    for number in (1, 2, 3):
        page.press("Next step")
        said = f"{number}. {steps[number - 1]}"
        page.wait(lambda said=said: page.text("#panel-study .says") == said)
        assert len(page.find(".steps li")) == number
    page.press("All steps and rating")
    page.wait(lambda: page.text(".rating").startswith(f"{len(steps)} steps; rating"))
    assert [item.text for item in page.find(".steps li")][:4] == steps[:4]
    assert page.text("#panel-study .says") == f"3. {steps[2]}"
    page.press("Next step")
    page.wait(lambda: page.text("#panel-study .says") == f"4. {steps[3]}")


PRESS_AT_ONCE = """
const [button, says] = arguments;
const watch = new MutationObserver(() => {
  if (!says.textContent.startsWith("1. ")) return;
  watch.disconnect();
  button.click();
});
watch.observe(says, { childList: true, characterData: true, subtree: true });
button.click();
"""


def test_next_step_ends_where_the_steps_do(page):
    page.paste(SEVERAL + "\n")
    page.panel("study")
    steps = list(satdoku.explain_steps(SEVERAL, named=True))
    for number in range(1, len(steps) + 1):
        page.press("Next step")
        page.wait(lambda n=number: page.text("#panel-study .says").startswith(f"{n}. "))
    page.press("Next step")
    page.wait(lambda: "within these levels" in page.text("#panel-study .says"))


def test_a_press_before_the_answer_has_ended_asks_for_one_step_more(page):
    page.paste(SEVERAL + "\n")
    page.panel("study")
    steps = list(satdoku.explain_steps(SEVERAL, named=True))
    (button,) = (each for each in page.find("button") if each.text == "Next step")
    (says,) = page.find("#panel-study .says")
    page.driver.execute_script(PRESS_AT_ONCE, button, says)
    page.wait(lambda: page.text("#panel-study .says") == f"2. {steps[1].words}")


PRESS_OFTEN = """
const [button] = arguments;
window.pressing = setInterval(() => button.click(), 300);
"""
# Steps from the third on take 1.5 s of searching, and a question has 0.6 s for them.
SLOW = """
import time
from satdoku.runtime import limits
from satdoku.web import paths, study
study.STEPS_SECONDS = 0.6
found = paths.explain_steps
def slowly(*asked, **told):
    for number, step in enumerate(found(*asked, **told)):
        for _ in range(50 * (number > 1)):
            time.sleep(0.03)
            limits.check()
        yield step
paths.explain_steps = slowly
"""
BEGIN = f"exec({SLOW!r}); import runpy"
OF_SLOW = f"jobs._START = jobs._START.replace('import runpy', {BEGIN!r})"


def test_presses_while_a_step_is_looked_for_begin_nothing_anew(surfing):
    steps = [step.words for step in satdoku.explain_steps(CLASSIC, named=True)]
    with served_by(code=OF_SLOW) as server:
        address = f"http://{server.host}{server.path}"
        with tab(surfing._replace(address=address)) as page:
            page.paste(CLASSIC)
            page.panel("study")
            (button,) = (each for each in page.find("button") if each.text == "Next step")
            page.driver.execute_script(PRESS_OFTEN, button)
            page.wait(lambda: "Looking for step 4" in page.text("#panel-study"))
            page.wait(lambda: len(page.find(".steps li")) >= 6)
            page.driver.execute_script("clearInterval(window.pressing)")
            told = [item.text for item in page.find(".steps li")]
            assert told == steps[: len(told)]


def test_hints_come_in_three_strengths(page):
    step = next(satdoku.explain_steps(CLASSIC, named=True))
    page.paste(CLASSIC)
    page.panel("study")
    for strength, mark in ((1, False), (2, False), (3, True)):
        page.press("Hint")
        said = f"Hint: {step.hint(strength).words}." if strength < 3 else f"1. {step.words}"
        page.wait(lambda said=said: page.text("#panel-study .says") == said)
        assert bool(page.find("#board .mark-conclusion, #board .spot.conclusion")) == mark
        (steps,) = page.find(".steps")
        assert steps.is_displayed() == mark  # the list tells the step
    page.press("Hint")
    page.wait(lambda: page.text("#panel-study .says").startswith("Hint: look at"))


def test_where_no_technique_finds_a_step_the_page_offers_to_go_on(page):
    page.paste(SEVERAL + "\n")
    page.panel("study")
    page.press("All steps and rating")
    page.wait(lambda: "within these levels" in page.text("#panel-study"))
    page.press("Go on with the smallest contradiction")
    page.wait(lambda: "within these levels" not in page.text("#panel-study"))


def test_a_chain_is_drawn_as_links(page):
    steps = list(satdoku.explain_steps(CHAINED, named=True))
    number = next(number for number, step in enumerate(steps) if step.links)
    page.paste(CHAINED)
    page.panel("study")
    page.press("All steps and rating")
    page.wait(lambda: len(page.find(".steps li")) > number)
    page.find(".steps li")[number].click()
    page.wait(lambda: len(page.find("#board .link")) == sum(map(len, steps[number].links)))
    assert page.find("#board .weak") and page.find("#board .strong")
    assert page.find("#board .link-name")[0].text == "1"


def test_why_a_digit_does_not_fit_and_the_symmetry(page):
    page.paste(CLASSIC)
    page.panel("study")
    page.focus("r1c4")  # holds an 8
    page.choose("Why not", "5")
    page.press("Why?")
    page.wait(lambda: "r1c4" in page.text("#panel-study .says"))
    assert page.find("#board .mark-eliminated, #board .spot.eliminated")
    page.press("Symmetry")
    assert page.wait(lambda: "symmetr" in page.text("#panel-study .says").lower())


def test_making_from_a_seed(page):
    page.panel("make")
    page.write("Seed", "7")
    page.press("New puzzle")
    (wanted,) = satdoku.generate(1, seed=7)
    page.wait(lambda: page.puzzle["puzzle"] == "".join(str(d or ".") for d in wanted))
    assert page.text("#panel-make [role=status]") == "Done: new puzzle, seed 7."
    page.press("Fill in")
    page.wait(lambda: "." not in page.puzzle["puzzle"])
    page.press("Minimise")
    page.wait(lambda: page.puzzle["puzzle"].count(".") > 40)
    assert page.answered() == "Unique"
    for _ in range(3):
        page.press("Undo")
    assert page.puzzle["puzzle"] == "." * 81


def test_a_new_puzzle_has_clues_of_the_kinds_that_are_ticked(page):
    page.panel("board")
    page.choose("Size", "4 × 4")
    page.panel("make")
    page.write("Seed", "2")
    page.open("More about the puzzle")
    page.tick("Thermometer")
    page.tick("White Kropki dot")
    page.press("New puzzle")
    page.wait(lambda: page.puzzle.get("clues"))
    made = [clue for clue in page.puzzle["clues"] if clue.startswith(("thermo:", "difference=1:"))]
    assert made == page.puzzle["clues"] and page.answered() == "Unique"


def test_what_takes_long_can_be_stopped(page):
    page.panel("board")
    page.choose("Size", "16 × 16")
    page.panel("make")
    page.press("New puzzle")
    page.press("Stop", "#panel-make")
    page.wait(lambda: page.text("#panel-make [role=status]") == "Stopped.")
    assert set(page.puzzle["puzzle"]) == {"."}


def test_every_format_of_the_server_is_offered(page):
    page.panel("take")
    offered = page.wait(lambda: page.find("#panel-take .format"))
    assert [each.text.split("\n")[0] for each in offered] == list(FORMATS)
    regions = "1112132233243444"
    drawn = f"1...............{regions}"
    page.paste(drawn)
    page.panel("take")
    assert satdoku.parse_drawn(page.link("drawn")) == satdoku.parse_drawn(drawn)


def test_a_link_is_copied_and_pasted_on_the_board(page):
    page.paste(SEVERAL)
    page.panel("take")
    page.link("fpuzzles")
    page.press("Copy")
    page.wait(lambda: page.find("#panel-take button")[-1].text == "Copied")
    page.press("New")
    assert not page.find("#board .given")
    page.focus("r1c1")
    page.hold(Keys.CONTROL, "v")
    page.wait(lambda: page.puzzle["puzzle"] == SEVERAL)


def test_steps_by_the_keyboard_alone(page):
    page.paste(CLASSIC)
    page.focus("r1c1")
    page.tab_to("Paste")
    page.keys(Keys.HOME)  # the first of these tabs
    page.tab_to("All steps and rating")
    page.keys(Keys.ENTER)
    page.wait(lambda: page.text(".rating"))
    page.tab_to("Steps")
    page.keys(Keys.DOWN, Keys.DOWN)
    assert page.text("#panel-study .says").startswith("3. ")
    page.keys(Keys.ESCAPE)
    assert not page.text("#panel-study .says")


def test_an_error_of_a_paste_shows_its_place(page):
    page.panel("paste")
    (box,) = page.find("#panel-paste textarea")
    start = '{"format": "satdoku-puzzle", "version": 1,\n'
    box.send_keys(start + ' "puzzle": "................", "clue": 1}')
    page.press("Read")
    said = page.wait(lambda: page.text("#panel-paste .error"))
    assert "line 2, column 32" in said and "no key 'clue'" in said
    assert box.get_property("selectionStart") == len(start) + 31
    assert not page.find("#board .given")


def test_hostile_texts_are_shown_as_texts(page):
    bad = "<img src=x onerror=document.title='hit'><script>document.title='hit'</script>"
    stated = {"format": "satdoku-puzzle", "version": 1, "puzzle": SEVERAL}
    page.paste(
        json.dumps(
            stated
            | {"title": bad, "author": bad, "words": bad, "looks": [{"at": [1, 1], "text": bad}]}
        )
    )
    page.panel("about")
    assert page.wait(lambda: page.value("Title") == bad)
    page.panel("paste")
    box = page.find("#panel-paste textarea")[0]
    box.clear()
    box.send_keys(json.dumps(stated | {"clues": [f"thermo:{bad}"]}))
    page.press("Read")
    page.wait(lambda: "<img" in page.text("#panel-paste .error"))
    assert not page.find("img[src=x]") and page.driver.title != "hit"


@contextmanager
def another_page(text):
    """An address of another origin on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


HOSTILE = """<!doctype html><title>…</title><iframe src="ADDRESS"></iframe><script type=module>
const body = JSON.stringify({tab: "x", puzzle: {puzzle: ".".repeat(16)}});
const post = {method: "POST", body};
const tries = {
  page: () => fetch("ADDRESS"),
  catalogue: () => fetch("ADDRESSapi/catalogue"),
  ask: () => fetch("ADDRESSapi/symmetry", {...post, headers: {"content-type": "application/json"}}),
  blind: () => fetch("ADDRESSapi/symmetry", {...post, mode: "no-cors"}),
  script: () => import("ADDRESSstatic/state.js"),
  image: () => new Promise((yes, no) => {
    const image = new Image();
    image.onload = yes; image.onerror = no; image.src = "ADDRESSstatic/icon.svg";
  }),
};
const worked = [];
for (const [name, work] of Object.entries(tries))
  await work().then(() => worked.push(name), () => null);
document.title = `worked: ${worked}`;
</script>"""


def test_another_page_can_neither_read_nor_ask(surfing):
    driver = surfing.driver
    with another_page(HOSTILE.replace("ADDRESS", surfing.address)) as address:
        driver.switch_to.new_window("tab")
        page = Page(driver, address, surfing.folder, ready="iframe")
        assert page.wait(lambda: driver.title.startswith("worked") and driver.title) == "worked:"
        driver.switch_to.frame(0)
        assert not page.find("#board")
        page.show()
        page.close()
        complaints(driver), requests(driver)  # are its own


PANELS = ["clues", "rules", "board", "study", "make", "take", "paste"]


def test_nothing_is_wider_than_a_telephone_and_all_have_names(page):
    page.narrow(*TELEPHONE)
    wide = "return document.documentElement.scrollWidth - innerWidth"
    for name in PANELS:
        page.panel(name)
        assert page.nameless() == [], name
        assert page.driver.execute_script(wide) <= 0, name
    ids = [each.get_attribute("id") for each in page.find("[id]")]
    assert len(ids) == len(set(ids))
    page.widen()
