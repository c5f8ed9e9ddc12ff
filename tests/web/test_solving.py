"""The modes Set and Solve in Chromium, by mouse and keys alone: what somebody who solves enters is
never part of the puzzle."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")

from page import tab
from selenium.webdriver.common.keys import Keys
from setting import Setting

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
VERDICT = "#panel-solve .says"


@pytest.fixture
def page(surfing):
    with tab(surfing, Setting) as made:
        yield made


def small(page):
    """A 4x4 puzzle with one given in the mode Solve."""
    page.paste(json.dumps({"format": "satdoku-puzzle", "version": 1, "puzzle": "1" + "." * 15}))
    page.press("Solve", "#modes")


def test_what_is_entered_is_no_part_of_the_puzzle(page):
    page.paste(EASY)
    stated = page.puzzle
    page.focus("r1c3")
    page.keys("m", "4", Keys.RIGHT, "x", "2", "6", Keys.RIGHT, Keys.RIGHT, "c", "8", Keys.DOWN, "9")
    assert page.label("r1c3") == "row 1 column 3, entered 4"
    assert page.label("r1c4") == "row 1 column 4, corner 2 6"
    assert page.label("r1c6") == "row 1 column 6, centre 8"
    assert page.label("r2c6") == "row 2 column 6, given 5"  # a given takes no note
    page.focus("r9c9")
    page.keys("v", "3", "1")
    assert page.label("r9c9") == "row 9 column 9, given 9, colour 1 3"
    assert len(page.find("#board .layer-colours rect")) == 2
    assert page.puzzle == stated
    page.press("Set", "#modes")
    assert page.label("r1c3") == "row 1 column 3, empty"
    assert not page.find("#board .entry, #board .note, #board .layer-colours rect")
    page.press("Solve", "#modes")
    page.reload()
    assert page.label("r1c3") == "row 1 column 3, entered 4"


def test_held_keys_write_small_digits_and_colours(page):
    small(page)
    page.focus("r2c2")
    page.hold(Keys.SHIFT, "2", "3")
    page.hold(Keys.CONTROL, "4")
    assert page.label("r2c2") == "row 2 column 2, corner 2 3, centre 4"
    page.keys(Keys.BACKSPACE)
    assert page.label("r2c2") == "row 2 column 2, empty"
    page.hold(Keys.CONTROL, "z")
    assert page.label("r2c2") == "row 2 column 2, corner 2 3, centre 4"
    page.press("Undo")
    assert page.label("r2c2") == "row 2 column 2, corner 2 3"
    page.press("Redo")
    assert page.label("r2c2") == "row 2 column 2, corner 2 3, centre 4"
    page.press("Start again", "#panel-solve")
    assert page.label("r2c2") == "row 2 column 2, empty"


def test_equal_digits_are_in_conflict_at_once(page):
    small(page)
    page.focus("r1c3")
    page.wait(lambda: page.keys("1") or "in conflict" in page.label("r1c3"))
    assert page.label("r1c1") == "row 1 column 1, given 1, in conflict"
    page.keys("2")
    assert "conflict" not in page.label("r1c1") + page.label("r1c3")


def test_wrong_digits_are_told_before_a_hint(page):
    page.paste(EASY)
    page.focus("r1c3")
    page.keys("m", "1")
    page.press("Hint", "#panel-study")
    page.wait(lambda: "One digit is wrong." in page.text("#panel-study .says"))
    assert not page.find(".steps li")
    page.press("Show which", "#panel-solve")
    (lit,) = page.find("#board .spot.conflict")
    assert lit.rect == page.cell("r1c3").rect
    page.focus("r1c3")
    page.keys("4")
    assert not page.find("#board .spot.conflict")
    page.press("Check", "#panel-solve")
    page.wait(lambda: "Right so far. Cells left: 50." in page.text(VERDICT))


def test_a_hint_leads_on_from_what_was_entered(page):
    page.paste(EASY)
    page.press("Solve", "#modes")
    page.focus("r1c1")
    for at, digit in enumerate(SOLUTION[:-3]):
        if EASY[at] == ".":
            page.focus(f"r{at // 9 + 1}c{at % 9 + 1}")
            page.keys(digit)
    page.press("Next step", "#panel-study")
    page.wait(lambda: page.text("#panel-study .says").startswith("1. r9c7=1"))
    page.focus("r9c7")
    page.keys("1")
    page.wait(lambda: "Solved in 0:" in page.text(VERDICT))
    assert page.find("#panel-solve button:disabled")[0].text == "Pause"


def test_solving_shows_no_answer(page):
    page.paste(EASY)
    page.tick("True candidates")
    page.wait(lambda: page.find("#board .found .mark"))
    page.press("Solve", "#modes")
    assert not page.find("#board .found .mark")
    assert not page.text("#panel-live") and not page.text("#panel-clues")
    page.press("Study", "#modes")
    assert page.find("#board .found .mark")


def test_several_cells_without_a_key(page):
    page.drag(["r1c1"])
    page.press("Select several", "#entry")
    page.drag(["r5c5", "r5c6"])
    assert page.chosen == ["r1c1", "r5c5", "r5c6"]
    page.drag(["r5c5"])
    assert page.chosen == ["r1c1", "r5c6"]
    page.press("Select several", "#entry")
    page.drag(["r2c2"])
    assert page.chosen == ["r2c2"]


def test_digits_advance(page):
    page.tick("Advance")
    page.focus("r1c1")
    page.keys(*"53..7", "0", "1")
    assert page.puzzle["puzzle"].startswith("53..7.1.") and page.chosen == ["r1c8"]
    page.keys(Keys.BACKSPACE)
    assert page.puzzle["puzzle"].startswith("53..7....") and page.chosen == ["r1c7"]
    page.focus("r1c1")
    page.keys(*"53")  # digits that are there already stay
    assert page.puzzle["puzzle"].startswith("53..7....")
    page.focus("r1c9")
    page.keys("9", "8")
    assert page.puzzle["puzzle"][8:10] == "98"
    page.tick("Advance")


def test_a_kind_is_taken_up_and_drawn_by_keys_alone(page):
    page.go("r4c4")
    page.keys("k")
    page.driver.switch_to.active_element.send_keys("thermo", Keys.ENTER)
    page.hold(Keys.SHIFT, Keys.RIGHT, Keys.RIGHT)
    page.keys(Keys.ENTER)
    page.wait(lambda: page.clues == ["thermo:r4c4,r4c5,r4c6"])


def test_delete_takes_a_clue_of_the_cell_away(page):
    page.paste(
        json.dumps(
            {
                "format": "satdoku-puzzle",
                "version": 1,
                "puzzle": "." * 80 + "5",
                "clues": ["cage=15:r1c1,r1c2", "cage=9:r9c9,r9c8"],
            }
        )
    )
    page.focus("r9c9")
    page.keys(Keys.DELETE)  # the digit first
    assert len(page.clues) == 2 and page.puzzle["puzzle"] == "." * 81
    page.keys(Keys.DELETE)
    page.wait(lambda: page.clues == ["cage=15:r1c1,r1c2"])
    page.hold(Keys.CONTROL, "z")
    page.wait(lambda: len(page.clues) == 2)
