"""Drawing in a real Chromium faster than the server answers, with mouse and keys alone.

The server is made slow where a test needs to be sure that no answer has come.
"""

from __future__ import annotations

import pytest

pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")

from contextlib import contextmanager

from drawn import Drawn, state_of
from page import tab
from selenium.webdriver.common.keys import Keys
from setting import Setting
from soak import share

LATE = 4000  # milliseconds until an answer comes
SEEDS = [1, *[pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 7)]]


@pytest.fixture
def page(surfing):
    """A new tab with an empty board."""
    with tab(surfing, Setting) as made:
        made.wait(lambda: made.find("#board image") and made.find(".chip[data-kind]"))
        yield made


@contextmanager
def slow(page, latency=LATE):
    """Answers come late."""
    page.driver.execute_cdp_cmd("Network.enable", {})
    network = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    conditions = "Network.emulateNetworkConditions"
    page.driver.execute_cdp_cmd(conditions, {**network, "latency": latency})
    try:
        yield
    finally:
        page.driver.execute_cdp_cmd(conditions, {**network, "latency": 0})


def test_cages_drawn_before_any_answer_are_there_at_once_and_once(page):
    page.take_up("cage")
    with slow(page):
        for row in (1, 3, 5, 7):
            page.drag([f"r{row}c1", f"r{row}c2"])
        page.give_value("7")
        cages = ["cage:r1c1,r1c2", "cage:r3c1,r3c2", "cage:r5c1,r5c2", "cage=7:r7c1,r7c2"]
        assert page.clues == cages
        assert len(page.find("#board .layer-draft > *")) >= 4  # they are seen, too
        page.hold(Keys.CONTROL, "z")
        assert page.clues == cages[:3]
        page.hold(Keys.CONTROL, "y")
    page.wait(lambda: "in cage" in page.label("r7c2"))
    assert page.clues == cages
    page.wait(lambda: not page.find("#board .layer-draft > *"))


def test_a_refused_clue_leaves_the_puzzle_and_its_history_and_can_be_mended(page):
    page.focus("r9c9")
    page.keys("5")
    page.take_up("cage")
    with slow(page, 1000):
        page.drag(["r1c1", "r1c2"])
        page.give_value("40")
        page.drag(["r3c1", "r3c2"])
        page.give_value("4")
        assert page.clues == ["cage=40:r1c1,r1c2", "cage=4:r3c1,r3c2"]
        page.wait(lambda: "cage=40:r1c1,r1c2: 2 different digits add up to 3-17" in page.refusal)
    assert page.clues == ["cage=4:r3c1,r3c2"]
    page.press("Undo")
    assert page.clues == []
    page.press("Undo")  # the digit: of the refused clue nothing is left
    assert page.puzzle["puzzle"] == "." * 81
    page.press("Redo")
    page.press("Redo")
    assert page.clues == ["cage=4:r3c1,r3c2"]
    assert not page.find("#redo:enabled")


def test_a_clue_that_was_changed_to_a_wrong_one_comes_back(page):
    page.write("Clue as text", "cage=5:r1c1,r1c2")
    page.keys(Keys.ENTER)
    page.wait(lambda: page.find(".clues .words:not([title=''])"))  # the list stays as it is now
    page.find("[aria-label^='Edit ']")[0].click()
    page.write("Clue as text", "cage=50:r1c1,r1c2")
    page.keys(Keys.ENTER)
    page.wait(lambda: "add up to 3-17" in page.refusal)
    assert page.clues == ["cage=5:r1c1,r1c2"]
    page.write("Clue as text", "cage=6:r1c1,r1c2")
    page.keys(Keys.ENTER)
    assert page.clues == ["cage=6:r1c1,r1c2"]


def test_a_reload_before_the_answer_loses_nothing(page):
    page.focus("r9c9")
    page.keys("5")
    page.take_up("cage")
    with slow(page, 1000):
        page.drag(["r1c1", "r1c2"])
        page.give_value("40")  # cannot be
        page.drag(["r3c1", "r3c2"])
        page.give_value("4")
        page.reload()
    page.wait(lambda: page.clues == ["cage=4:r3c1,r3c2"])
    assert page.puzzle["puzzle"] == "." * 80 + "5"


def test_a_digit_and_a_clue_stay_when_the_answer_to_a_change_of_the_board_comes(page):
    page.panel("rules")
    page.wait(lambda: page.text("#panel-rules .rule"))
    with slow(page, 1000):
        page.tick("Anti-knight")
        page.focus("r2c2")
        page.keys("7")
        page.panel("clues")
        page.take_up("cage")
        page.drag(["r5c5", "r5c6"])
        page.give_value("9")
        page.wait(lambda: page.puzzle.get("rules") == "knight")
    assert page.puzzle["puzzle"][10] == "7"
    assert page.clues == ["cage=9:r5c5,r5c6"]
    page.panel("board")
    with slow(page, 1000):
        page.tick("Rows may repeat digits")
        page.tick("Columns may repeat digits")
        page.focus("r3c3")
        page.keys("8")
        page.wait(lambda: "no-columns" in page.puzzle["rules"])
    assert "no-rows" in page.puzzle["rules"] and page.puzzle["puzzle"][20] == "8"
    assert page.clues == ["cage=9:r5c5,r5c6"]


def test_two_quick_strokes_of_holes_both_stay(page):
    page.panel("board")
    page.wait(lambda: page.text("#size"))
    page.press("Drop or add cells")
    with slow(page, 500):
        page.drag(["r1c1", "r1c2"])
        page.drag(["r9c9"])
        page.wait(lambda: "holes:r1c1,r1c2,r9c9" in page.puzzle.get("rules", ""))


def test_the_same_clue_drawn_in_another_way_is_not_added_again(page):
    page.take_up("cage")
    for stroke in (["r1c1", "r1c2"], ["r1c2", "r1c1"]):
        page.drag(stroke)
        page.keys(Keys.ENTER)
    page.wait(lambda: "there already" in page.refusal)
    assert page.clues == ["cage:r1c1,r1c2"]


def test_delete_takes_a_clue_away_before_its_answer(page):
    page.take_up("whisper")
    with slow(page):
        page.drag(["r1c1", "r1c2", "r1c3"])
        page.drag(["r2c1", "r2c2", "r2c3"])
        page.focus("r1c2")
        page.keys(Keys.DELETE)
        assert page.clues == ["whisper:r2c1,r2c2,r2c3"]


def test_kinds_are_sought_one_after_the_other_as_a_newcomer_types_them(page):
    (field,) = page.find("#panel-clues .find")
    for name, cells, clue in (
        ("thermometer", ["r3c4", "r2c3"], "thermo:r3c4,r2c3"),
        ("white kropki", ["r4c2", "r4c3"], "white:r4c2,r4c3"),
    ):
        page.click(field)
        field.send_keys(name, Keys.ENTER)
        page.drag(cells)
        assert page.clues[-1] == clue
    page.click(field)
    field.send_keys("killer")
    assert page.text(".chip.best") == "Killer cage"
    page.focus("r9c9")
    page.click(field)
    field.send_keys("no such kind", Keys.ENTER)  # in place of what was sought before
    assert "“no such kind”" in page.text("#panel-clues")
    page.drag(["r5c5", "r5c6"])
    assert len(page.clues) == 2  # no kind is in hand


def test_a_cell_that_is_pressed_with_a_kind_in_hand_is_the_one_that_digits_go_to(page):
    page.focus("r2c1")
    page.take_up("thermo")
    page.drag(["r2c6"])
    page.keys("4")
    assert page.puzzle["puzzle"][14] == "4" and page.puzzle["puzzle"].count(".") == 80
    page.drag(["r2c6", "r2c7"])
    assert page.clues == ["thermo:r2c6,r2c7"]


def test_esc_drops_a_drawing_wherever_the_focus_is(page):
    page.focus("r9c9")
    page.keys("5")
    page.take_up("equal-sum")
    page.drag(["r1c1", "r1c2"])
    page.press("Undo")
    assert page.find("#board .layer-draft > *")
    page.keys(Keys.ESCAPE)
    assert not page.find("#board .layer-draft > *")


@pytest.mark.parametrize("seed", SEEDS)
def test_random_edits_at_full_speed(page, seed):
    page.focus("r5c5")
    drawn = Drawn(page, seed)
    for number in range(share(200)):
        drawn.edit()
        if number % 10 == 9 or drawn.refused:
            drawn.perform()
            while drawn.refused:
                gone = drawn.refused.pop()
                page.wait(lambda: gone not in page.clues)  # noqa: B023
            assert state_of(page.puzzle) == drawn.state, number
    assert len(drawn.state.clues) == len({*drawn.state.clues})
    count = len(drawn.past)
    page.wait(lambda: len(page.find(".clues .words:not([title=''])")) >= len(drawn.state.clues))
    edits = page.find(".clues [aria-label^='Edit ']")
    labels = [each.get_attribute("aria-label") for each in edits]
    assert sorted(labels) == sorted(f"Edit {clue}" for clue in drawn.state.clues)
    page.hold(Keys.CONTROL, *["z"] * count)
    assert state_of(page.puzzle) == drawn.past[0]
    page.hold(Keys.CONTROL, *["y"] * count)
    assert state_of(page.puzzle) == drawn.state
