"""What a puzzle is called, its rules in words and its drawings, in a real Chromium.

The links and files that the page gives are read by the library: what they say is what was written.
"""

from __future__ import annotations

import json

import pytest

pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")

from page import tab
from selenium.webdriver.common.keys import Keys
from setting import Setting

from satdoku import parse_fpuzzles, parse_puzzle_json
from satdoku.files.fpuzzles.links import load
from satdoku.model.looks import Line, Shape, paint

TEXT = "#panel-about textarea"
YELLOW = "#ffd966"


@pytest.fixture
def page(surfing):
    """A new tab with an empty board and the panel open."""
    with tab(surfing, Setting) as made:
        made.panel("about")
        made.wait(lambda: words(made))
        yield made


def words(page):
    (box,) = page.find(TEXT)
    return str(box.get_property("value"))


def write_words(page, text):
    (box,) = page.find(TEXT)
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(text)
    page.keys(Keys.TAB)


def looks(page):
    return page.puzzle.get("looks", [])


def tool(page, name):
    (chip,) = page.find(f"[data-look={name}]")
    page.click(chip)


def has_looks(page, count):
    page.wait(lambda: len(looks(page)) == count)


# Words --------------------------------------------------------------------------------------------


def test_the_text_is_made_until_somebody_edits_it_and_comes_back(page):
    plain = words(page)
    assert "every row, column and box" in plain
    page.panel("clues")
    page.write("Clue as text", "thermo:r1c1,r1c2")
    page.keys(Keys.ENTER)
    page.panel("about")
    made = page.wait(lambda: words(page) if words(page) != plain else "")
    assert made.startswith(plain) and "thermometer" in made.lower()
    assert "words" not in page.puzzle
    write_words(page, "Mine & <b>yours</b>")
    page.wait(lambda: page.puzzle.get("words") == "Mine & <b>yours</b>")
    page.panel("rules")
    (king,) = page.wait(lambda: page.find("#panel-rules input[name=king]"))
    page.click(king)
    page.wait(lambda: "king" in page.puzzle.get("rules", ""))
    page.panel("about")
    assert words(page) == "Mine & <b>yours</b>"
    page.press("Use the generated text")
    page.wait(lambda: words(page) != "Mine & <b>yours</b>")
    assert "words" not in page.puzzle and "touch at a corner" in words(page)
    page.press("Undo")
    assert words(page) == "Mine & <b>yours</b>"


def test_links_carry_what_is_written_and_come_back(page):
    page.write("Title", 'Kürbis "x"')
    page.write("Author", "<i>me</i>")
    page.keys(Keys.TAB)
    made = words(page)
    page.panel("take")
    read = load(page.link("fpuzzles"))
    assert (read["title"], read["author"], read["ruleset"]) == ('Kürbis "x"', "<i>me</i>", made)
    link = page.link("sudokupad")
    page.press("New")
    page.paste(link)
    assert page.puzzle["title"] == 'Kürbis "x"' and "words" not in page.puzzle
    assert page.text("#panel-paste [role=status]") == "Read."
    write_words(page, "My own rule")
    page.wait(lambda: page.puzzle.get("words") == "My own rule")
    page.panel("take")
    assert parse_fpuzzles(page.link("fpuzzles")).words == "My own rule"
    stated = json.loads(page.download("json"))
    assert stated["words"] == "My own rule"


# Drawings -----------------------------------------------------------------------------------------


def test_cells_are_coloured_by_mouse_and_undone(page):
    tool(page, "colour")
    page.drag(["r1c1", "r1c2", "r1c3"])
    has_looks(page, 3)
    assert looks(page)[0] == {"at": [0.5, 0.5], "size": [1, 1], "fill": YELLOW}
    page.drag(["r1c2"])  # the same colour takes it away
    has_looks(page, 2)
    page.press("Undo")
    has_looks(page, 3)
    page.press("Undo")
    has_looks(page, 0)


def test_the_picture_shows_drawings_and_no_answer_changes(page):
    verdict = page.answered()
    before = page.find(".layer-picture image")[0].get_attribute("href")
    tool(page, "line")
    page.drag(["r5c1", "r5c5", "r9c5"])
    has_looks(page, 1)
    page.wait(lambda: page.find(".layer-picture image")[0].get_attribute("href") != before)
    assert not page.find(".verdict.stale") and page.verdict() == verdict
    assert "looks" in page.find(".layer-picture image")[0].get_attribute("href")


def test_all_tools_by_mouse_and_rubbing_out(page):
    tool(page, "circle")
    page.press_at("r3c3", 0.5, 0)  # the edge
    has_looks(page, 1)
    assert looks(page)[0]["at"] == [2.5, 3]
    tool(page, "square")
    page.press_at("r4c4", 0.5, 0.5)
    has_looks(page, 2)
    assert looks(page)[1]["at"] == [4, 4] and "round" not in looks(page)[1]
    tool(page, "arrow")
    page.drag(["r7c7", "r8c8"])
    has_looks(page, 3)
    page.write("Text", "<b>&</b>")
    tool(page, "text")
    page.press_at("r9c9", 0, 0)
    has_looks(page, 4)
    page.rim("text at -0.5,0.5")
    has_looks(page, 5)
    assert looks(page)[4]["at"] == [-0.5, 0.5]
    read = parse_puzzle_json(json.dumps(page.puzzle)).looks
    assert read[2] == Line(((6.5, 6.5), (7.5, 7.5)), YELLOW, 0.12, arrow=True)
    assert read[3] == Shape((8.5, 8.5), text="<b>&</b>", over=True)
    tool(page, "rub")
    page.drag(["r7c7"])
    has_looks(page, 4)
    page.press("Rub out all")
    has_looks(page, 0)
    page.press("Undo")
    has_looks(page, 4)


def test_drawing_by_keys_alone_and_in_links(page):
    tool(page, "colour")
    page.focus("r2c2")
    page.hold(Keys.SHIFT, Keys.RIGHT)
    page.keys(Keys.ENTER)
    has_looks(page, 2)
    page.keys(Keys.ESCAPE)
    tool(page, "line")
    page.focus("r2c2")
    page.hold(Keys.SHIFT, Keys.RIGHT, Keys.DOWN)
    page.keys(Keys.ENTER)
    has_looks(page, 3)
    page.panel("take")
    line = Line(((1.5, 1.5), (1.5, 2.5), (2.5, 2.5)), YELLOW, 0.12)
    wanted = (*paint(1, 2, [YELLOW]), *paint(1, 1, [YELLOW]), line)
    for name in ("fpuzzles", "sudokupad"):
        assert {*parse_fpuzzles(page.link(name)).looks} == {*wanted}
    svg = page.download("svg").decode()
    assert svg.count(f'fill="{YELLOW}"') == 2


def test_a_telephone_has_the_panel_and_the_console_is_quiet(page):
    page.narrow(390, 844)
    try:
        page.panel("about")
        tool(page, "circle")
        page.press_at("r1c1", 0, 0)
        has_looks(page, 1)
        wide = page.driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= 390
        assert page.nameless() == []
    finally:
        page.widen()
    assert not [e for e in page.driver.get_log("browser") if e["level"] == "SEVERE"]
