"""Setting a puzzle in a real Chromium: digits, clues, rules, regions, with the mouse and without.

No test waits for a time: each waits for what a person would see.
"""

from __future__ import annotations

import json

import pytest

pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")

from page import tab
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from setting import Setting
from usual_names import TERMS
from web_client import OTHERS, other, other_rules, state, yin_yang

import satdoku
from satdoku.model.board import Board, Layer
from satdoku.model.kinds import ALIASES, KINDS, clue_of
from satdoku.model.rules import RULES
from satdoku.web.catalogue import catalogue

BOARD = Board()
VERDICT = "#panel-solve .says"  # on what was entered
LAYERED = Board(layers=(Layer("area", tuple(range(1, 10))),))
OF_LAYER = ":area"  # examples of clues that speak of a layer alone
NAME = BOARD.name_of
SHAPES = {kind["name"]: kind for kind in catalogue()["kinds"]}
GROUPS = list(dict.fromkeys(kind["group"] for kind in SHAPES.values()))
# Each takes seconds: two always run, all with -m slow.
SOME = [
    pytest.param(name, marks=[pytest.mark.slow] * (number > 1))
    for number, name in enumerate(GROUPS)
]


@pytest.fixture
def page(surfing):
    """A new tab with an empty board."""
    with tab(surfing, Setting) as made:
        yield made


def digits(page):
    return {NAME(cell): digit for cell, digit in enumerate(page.puzzle["puzzle"]) if digit != "."}


def has_clues(page, *clues):
    page.wait(lambda: page.clues == [*clues] or page.refusal)
    assert page.clues == [*clues], page.refusal


# Digits -------------------------------------------------------------------------------------------


def test_digits_by_keyboard_undo_redo_and_a_reload(page):
    page.go("r1c5")
    page.keys("5", Keys.DOWN, "7")
    assert digits(page) == {"r1c5": "5", "r2c5": "7"}
    assert page.label("r1c5") == "row 1 column 5, given 5"
    page.hold(Keys.CONTROL, "z")
    assert digits(page) == {"r1c5": "5"}
    page.press("Undo")
    assert digits(page) == {}
    page.press("Redo")
    page.reload()
    assert digits(page) == {"r1c5": "5"}
    page.focus("r1c5")
    page.hold(Keys.CONTROL, "y")
    assert digits(page) == {"r1c5": "5", "r2c5": "7"}
    page.keys("5")  # the same digit again takes it away
    page.keys(Keys.DOWN, Keys.BACKSPACE)
    assert digits(page) == {}
    assert page.label("r1c5") == "row 1 column 5, empty"


def test_digits_by_mouse_in_several_cells(page):
    page.drag(["r1c1", "r1c2", "r1c3"])
    page.drag(["r5c5"], held=Keys.CONTROL)
    assert page.chosen == ["r1c1", "r1c2", "r1c3", "r5c5"]
    page.press("4", "#entry")
    assert digits(page) == dict.fromkeys(["r1c1", "r1c2", "r1c3", "r5c5"], "4")
    page.drag(["r1c2"], held=Keys.CONTROL)  # a second press takes a cell away
    assert page.chosen == ["r1c1", "r1c3", "r5c5"]
    (clear,) = page.find("#entry [aria-label=Clear]")
    clear.click()
    assert digits(page) == {"r1c2": "4"}


def test_several_cells_by_keyboard(page):
    page.go("r3c3")
    page.hold(Keys.SHIFT, Keys.RIGHT, Keys.DOWN)
    assert page.chosen == ["r3c3", "r3c4", "r4c4"]
    page.hold(Keys.CONTROL, Keys.DOWN, Keys.DOWN)
    page.keys(" ")
    assert page.chosen == ["r3c3", "r3c4", "r4c4", "r6c4"]
    page.keys(Keys.ESCAPE)
    assert page.chosen == ["r6c4"]
    page.hold(Keys.CONTROL, "a")
    assert len(page.chosen) == 81


def test_digits_that_the_puzzle_allows(page):
    page.go("r1c1")
    page.keys("v", "1", "2")
    assert page.puzzle["candidates"][:2] == [[1, 2], list(range(1, 10))]
    assert page.label("r1c1") == "row 1 column 1, allowed 1 2"
    page.keys("1", "2")  # a cell that allows no digit may hold every one
    assert "candidates" not in page.puzzle
    page.keys("z")
    page.hold(Keys.SHIFT, "3")
    assert page.label("r1c1") == "row 1 column 1, allowed 3"
    page.keys(Keys.DELETE, "8")
    assert digits(page) == {"r1c1": "8"} and "candidates" not in page.puzzle


# Clues --------------------------------------------------------------------------------------------


def test_a_thermometer_a_cage_and_an_arrow_are_drawn(page):
    page.take_up("thermo")
    page.drag(["r1c1", "r2c1", "r3c2", "r3c3"])
    has_clues(page, first := "thermo:r1c1,r2c1,r3c2,r3c3")
    page.take_up("cage")
    page.drag(["r5c5", "r5c6", "r6c6"])
    page.give_value("15")
    has_clues(page, first, second := "cage=15:r5c5,r5c6,r6c6")
    page.take_up("arrow")
    page.drag(["r1c9", "r2c9", "r3c8"])
    has_clues(page, first, second, "arrow:r1c9>r2c9,r3c8")
    page.wait(lambda: page.label("r5c5") == "row 5 column 5, empty; in cage")


def test_a_quick_drag_leaves_no_cell_out(page):
    page.take_up("whisper")
    page.drag(["r2c2", "r2c6", "r5c9"])
    has_clues(page, "whisper:r2c2,r2c3,r2c4,r2c5,r2c6,r3c7,r4c8,r5c9")


def test_a_line_goes_back_a_step(page):
    page.take_up("renban")
    page.take_up("palindrome")
    page.drag(["r2c2", "r2c3", "r3c3", "r2c3", "r1c3"])
    has_clues(page, "palindrome:r2c2,r2c3,r1c3")


def test_clues_outside_are_pressed_at_the_edge(page):
    page.take_up("skyscraper")
    page.rim("-row2")
    page.give_value("3")
    has_clues(page, first := "skyscraper=3:-row2")
    page.take_up("little-killer")
    page.rim("↙r1c3")
    page.give_value("12")
    has_clues(page, first, second := "little-killer=12:r1c3,r2c2,r3c1")
    page.drag(["r9c1", "r8c2"])
    page.give_value("9")
    has_clues(page, first, second, "little-killer=9:r9c1,r8c2")


def test_dots_and_quadruples_are_pressed_where_they_lie(page):
    page.take_up("white")
    page.press_at("r4c4", 0.46, 0)
    has_clues(page, first := "white:r4c4,r4c5")
    page.take_up("quadruple")
    page.press_at("r6c6", 0.4, 0.4)
    page.give_value("1,2")
    has_clues(page, first, "quadruple=1,2:r6c6,r6c7,r7c6,r7c7")


def test_a_clue_that_cannot_be_is_refused_and_can_be_mended(page):
    page.take_up("cage")
    page.drag(["r5c5", "r5c6"])
    page.give_value("40")
    page.wait(lambda: "2 different digits add up to 3-17, not 40" in page.refusal)
    assert "clues" not in page.puzzle
    page.write("Value", "11")
    page.keys(Keys.ENTER)
    has_clues(page, "cage=11:r5c5,r5c6")


def test_a_cage_without_a_sum_is_made_when_the_next_begins(page):
    page.take_up("cage")
    page.drag(["r1c1", "r1c2"])
    page.drag(["r5c5", "r5c6"])
    has_clues(page, "cage:r1c1,r1c2")
    page.give_value("7")
    has_clues(page, "cage:r1c1,r1c2", "cage=7:r5c5,r5c6")


def test_what_is_typed_is_never_markup(page):
    page.write("Clue as text", "<b>cage</b>:r1c1")
    page.keys(Keys.ENTER)
    page.wait(lambda: "<b>cage</b>" in page.refusal)
    page.panel("about")
    page.write("Title", "<img src=x>")
    page.keys(Keys.TAB)
    page.wait(lambda: page.puzzle.get("title") == "<img src=x>")
    assert not page.find("#panel-clues b, img[src=x]")


def test_clues_are_typed_changed_deleted_and_joined(page):
    for text in ("odd:r1c1", "x:r2c2,r2c3", "even:r9c9"):
        page.write("Clue as text", text)
        page.keys(Keys.ENTER)
        page.wait(lambda: text in page.clues)  # noqa: B023
    page.driver.find_element("css selector", "[aria-label='Edit odd:r1c1']").click()
    page.write("Clue as text", "odd:r1c10")
    page.keys(Keys.ENTER)
    page.wait(lambda: "r1c10 is outside the board" in page.refusal)
    page.write("Clue as text", "odd:r1c2")
    page.keys(Keys.ENTER)
    has_clues(page, "odd:r1c2", "x:r2c2,r2c3", "even:r9c9")
    page.wait(lambda: page.find(".clues [title='these cells hold odd digits']"))
    page.driver.find_element("css selector", "[aria-label='Delete even:r9c9']").click()
    has_clues(page, "odd:r1c2", "x:r2c2,r2c3")
    page.take_up("or")
    for box in page.find(".clues input"):
        box.click()
    page.press("Make the clue")
    has_clues(page, "or:(odd:r1c2),(x:r2c2,r2c3)")


@pytest.mark.parametrize("group", SOME)
def test_the_example_of_every_kind_is_drawn_with_the_mouse(page, group):
    for name, kind in SHAPES.items():
        if kind["group"] != group or kind["example"].endswith(OF_LAYER):
            continue
        example = clue_of(kind["example"], BOARD)
        before = len(page.clues)
        for part in example.parts:
            draw(page, part)
            has_one_more(page, before + example.parts.index(part))
        draw(page, example)
        has_one_more(page, before)
        assert clue_of(page.clues[-1], BOARD) == example, name


@pytest.mark.parametrize("group", GROUPS)
def test_the_example_of_every_kind_of_layers_is_drawn_on_one(page, group):
    kinds = [k for k in SHAPES.values() if k["group"] == group and k["example"].endswith(OF_LAYER)]
    if not kinds:
        return
    page.paste(json.dumps(state("." * 81, "shape=9x9;layer=area:1-9", version=2)))
    page.press("area", "#entry")
    page.panel("clues")
    for before, kind in enumerate(kinds):
        page.take_up(kind["name"])
        if kind["value"]:
            page.write("Value", clue_of(kind["example"], LAYERED).value)
        if not kind["whole_layer"]:
            page.focus("r1c1")
            page.hold(Keys.CONTROL, "a")
            page.keys(Keys.ENTER)
        has_one_more(page, before)
        assert clue_of(page.clues[-1], LAYERED) == clue_of(kind["example"], LAYERED)


@pytest.mark.parametrize("group", GROUPS)
def test_other_names_of_kinds_are_kinds_on_the_page(page, group):
    for name, (kind, value) in ALIASES.items():
        if SHAPES[kind]["group"] != group:
            continue
        before = len(page.clues)
        page.take_up(name)
        if KINDS[kind].groups[1]:
            page.drag([f"r{before + 1}c1", f"r{before + 1}c2"])
        has_one_more(page, before)
        clue = clue_of(page.clues[-1], BOARD)
        assert (clue.kind, clue.value) == (kind, value)
        assert page.clues[-1].split(":")[0] == name


# The search ---------------------------------------------------------------------------------------


def search(page, text):
    """Types into the field of the search, which is empty before."""
    (field,) = page.find("#panel-clues .find")
    field.clear()
    field.send_keys(text)
    return field


def shown(page):
    """The names of all chips that can be seen: kinds, rules and words for the board."""
    script = """return [...document.querySelectorAll('.palette .chip')]
      .filter((chip) => chip.checkVisibility())
      .map(({dataset: {kind, rule, board}}) => kind ?? rule ?? board)"""
    page.wait(lambda: page.find(".chip[data-kind]"))
    found: list[str] = page.driver.execute_script(script)
    return found


def test_the_search_finds_what_people_call_clues_rules_and_boards(page):
    all_kinds = shown(page)
    assert {*KINDS, *ALIASES} < {*all_kinds} and not {*RULES} & {*all_kinds}
    kinds = {value["name"]: value["kind"] for value in catalogue()["values"]}
    for term, name in TERMS.items():
        search(page, term)
        found = [kinds.get(each, each) for each in shown(page)]
        assert name in found and len(found) < 15, (term, found)
    search(page, "zzz")
    assert shown(page) == []
    assert page.text(".chooser [role=status]") == "No clue and no rule is called “zzz”."
    search(page, " ")
    assert shown(page) == all_kinds


@pytest.mark.parametrize(
    ("typed", "cells", "clue"),
    [
        ("killer", ["r1c1", "r1c2"], "cage:r1c1,r1c2"),
        ("kropki black", ["r1c1", "r1c2"], "black:r1c1,r1c2"),
        ("dutch whisper", ["r1c1", "r1c2", "r1c3"], "whisper=4:r1c1,r1c2,r1c3"),
        ("10 line", ["r1c1", "r1c2", "r1c3"], "ten-line=10:r1c1,r1c2,r1c3"),
        ("German whispers", ["r1c1", "r1c2"], "whisper=5:r1c1,r1c2"),
    ],
)
def test_a_clue_by_its_usual_name(page, typed, cells, clue):
    page.wait(lambda: page.find(".chip"))
    search(page, typed).send_keys(Keys.ENTER)
    page.wait(lambda: page.find(".card:not([hidden])"))
    page.drag(cells)
    if typed == "killer":
        page.give_value("")  # which it may do without
    has_clues(page, clue)


def test_a_rule_that_is_found_is_switched_on_and_off(page):
    page.wait(lambda: page.find(".chip"))
    search(page, "anti-knight").send_keys(Keys.ENTER)
    page.wait(lambda: page.puzzle.get("rules") == "knight")
    (chip,) = page.find(".chip[data-rule=knight]")
    page.wait(lambda: chip.get_attribute("aria-pressed") == "true")
    assert chip.text == "Anti-knight"
    search(page, "x-sudoku").send_keys(Keys.ENTER)
    page.wait(lambda: page.puzzle.get("rules") == "knight,diagonal")
    search(page, "chess")
    assert shown(page) == ["knight", "king", "antiqueen"]
    page.click(chip)
    page.wait(lambda: page.puzzle.get("rules") == "diagonal")
    page.panel("rules")
    boxes = {box.get_attribute("name"): box.is_selected() for box in page.find(".rules input")}
    assert [name for name, on in boxes.items() if on] == ["diagonal"]


def test_a_board_that_is_found_leads_to_the_panel_for_it(page):
    page.wait(lambda: page.find(".chip"))
    search(page, "irregular sudoku").send_keys(Keys.ENTER)
    page.wait(lambda: page.find("#panel-board:not([hidden])"))


# How clues are drawn ------------------------------------------------------------------------------


def has_one_more(page, before):
    page.wait(lambda: len(page.clues) == before + 1 or page.refusal)
    assert len(page.clues) == before + 1, page.refusal


def draw(page, clue):
    """The clue drawn by the mouse, as its kind is drawn."""
    page.take_up(clue.kind)
    shape = SHAPES[clue.kind]
    if clue.value:
        page.write("Value", clue.value)
    if shape["shape"] == "clues":
        boxes = sorted(page.find(".clues input"), key=lambda box: int(box.get_attribute("value")))
        for box in boxes[-len(clue.parts) :]:
            box.click()
        page.press("Make the clue")
    elif not clue.groups:
        draw_on_the_board(page, shape)
    elif shape["shape"] == "outside" and shape["near"] is None:
        page.rim(clue.text(BOARD).split(":")[1])
    elif shape["shape"] == "groups":
        draw_groups(page, clue, shape)
    else:
        draw_cells(page, [*map(NAME, clue.cells)], shape)


def draw_on_the_board(page, shape):
    if shape["whole_board"] and shape["value"]:
        page.keys(Keys.ENTER)
    elif shape["groups"][1]:
        page.press("For the whole board")


def draw_groups(page, clue, shape):
    groups = [[*map(NAME, group)] for group in clue.groups]
    if shape["near"] or len(groups) == 1:
        page.drag([name for group in groups for name in group])
        return
    for group in groups:
        page.drag(group)
    page.press("Make the clue")


def draw_cells(page, names, shape):
    if shape["cells"] == [4, 4]:
        page.press_at(names[0], 0.4, 0.4)
    elif shape["ordered"] == "set" and shape["cells"] != [2, 2]:
        for name in names:
            page.drag([name], held=Keys.CONTROL)
        page.keys(Keys.ENTER)
    else:
        page.drag(names)


# By keyboard alone --------------------------------------------------------------------------------


def test_clues_by_keyboard_alone(page):
    page.go("r1c1")
    page.keys("k")
    page.keys("thermo", Keys.ENTER)
    page.wait(lambda: page.find(".card:not([hidden])"))
    page.focus("r2c2")
    page.hold(Keys.SHIFT, Keys.DOWN, Keys.RIGHT)
    page.keys(Keys.ENTER)
    has_clues(page, first := "thermo:r2c2,r3c2,r3c3")
    page.keys("k")
    page.keys("arrow", Keys.ENTER)
    page.focus("r5c5")
    page.keys(Keys.ENTER, Keys.RIGHT)
    page.hold(Keys.SHIFT, Keys.RIGHT)
    page.keys(Keys.ENTER, Keys.ENTER)
    has_clues(page, first, second := "arrow:r5c5>r5c6,r5c7")
    page.keys("k")
    page.keys("cage", Keys.ENTER)
    page.focus("r8c8")
    page.hold(Keys.SHIFT, Keys.RIGHT)
    page.keys(Keys.ENTER)
    page.give_value("10")
    has_clues(page, first, second, third := "cage=10:r8c8,r8c9")
    page.keys("k")
    page.keys("sandwich", Keys.ENTER)
    page.focus("r7c4")
    page.keys(Keys.ENTER, Keys.TAB, Keys.TAB, Keys.ENTER)  # row7, -row7, col4
    page.give_value("0")
    has_clues(page, first, second, third, "sandwich=0:col4")
    page.keys(Keys.ESCAPE, "3")
    assert digits(page) == {"r7c4": "3"}


# The board ----------------------------------------------------------------------------------------


def test_rules_by_name(page):
    page.panel("rules")
    for rule in ("king", "diagonal"):
        page.rule(rule)
        page.wait(lambda: rule in page.puzzle.get("rules", ""))  # noqa: B023
    assert page.puzzle["rules"] == "king,diagonal"
    page.rule("king")
    page.wait(lambda: page.puzzle["rules"] == "diagonal")
    page.panel("board")
    page.choose("Boxes", "none")
    page.wait(lambda: page.puzzle["rules"] == "diagonal,latin=9")
    page.panel("rules")
    page.rule("windoku")
    page.wait(lambda: "windoku needs square boxes" in page.refusal)
    assert page.puzzle["rules"] == "diagonal,latin=9"


@pytest.mark.parametrize("size", [4, 6, 9, 16])
def test_boards_of_other_sizes(page, size):
    page.panel("board")
    page.wait(lambda: page.text("#size"))
    page.choose("Size", "5 × 5")
    page.choose("Size", f"{size} × {size}")
    boxes = {4: "2x2", 6: "2x3", 9: "3x3", 16: "4x4"}[size]
    page.wait(lambda: page.puzzle.get("boxes") == boxes)
    assert len(page.puzzle["puzzle"]) == size * size == len(page.find("#board .cell"))
    page.focus(f"r1c{size}")
    page.keys("abcdefg"[size - 10] if size > 9 else str(size), Keys.LEFT, "9")
    largest = "G" if size > 9 else str(size)
    assert page.puzzle["puzzle"][size - 1] == largest
    assert page.puzzle["puzzle"][size - 2] == ("9" if size >= 9 else ".")
    clash = ", in conflict" if size == 9 else ""  # with the 9 beside it
    page.wait(lambda: page.label(f"r1c{size}") == f"row 1 column {size}, given {largest}{clash}")
    if size == 6:
        page.choose("Boxes", "3 × 2")
        page.wait(lambda: page.puzzle["boxes"] == "3x2")


def test_regions_are_painted(page):
    page.panel("board")
    page.wait(lambda: page.text("#size"))
    page.choose("Size", "4 × 4")
    page.wait(lambda: len(page.find("#board .cell")) == 16)
    page.press("Paint regions")
    page.press("1", ".regions")
    page.drag(["r1c3"])
    page.wait(lambda: "1 5/4" in page.text(".regions"))
    assert "rules" not in page.puzzle
    page.reload()  # half a painting is not lost
    page.wait(lambda: "1 5/4" in page.text(".regions"))
    page.focus("r2c2")
    page.keys("2")
    page.wait(lambda: page.puzzle.get("rules") == "jigsaw=0001011122332233")
    assert "boxes" not in page.puzzle
    page.press("Stop painting")
    page.choose("Boxes", "2 × 2")
    page.wait(lambda: page.puzzle.get("boxes") == "2x2" and "rules" not in page.puzzle)


def test_new_clear_and_names(page):
    page.go("r1c1")
    page.keys("1")
    page.panel("about")
    page.write("Title", "Slow")
    page.keys(Keys.TAB)
    page.wait(lambda: page.puzzle.get("title") == "Slow")
    page.panel("board")
    page.press("Clear the digits")
    assert digits(page) == {} and page.puzzle["title"] == "Slow"
    page.press("New")
    assert "title" not in page.puzzle
    page.press("Undo")
    page.press("Undo")
    assert digits(page) == {"r1c1": "1"}
    page.panel("about")
    assert page.value("Title") == "Slow"


# The page -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [360, 390])
def test_nothing_sticks_out_on_a_telephone(page, width):
    page.narrow(width, 780)
    try:
        script = "return [document.documentElement.scrollWidth, innerWidth]"
        page.wait(lambda: page.driver.execute_script(script) == [width, width])
        page.drag(["r1c1", "r1c2"])
        page.press("7", "#entry")
        assert digits(page) == {"r1c1": "7", "r1c2": "7"}
        page.panel("live")
        page.wait(lambda: "row 1 holds 7 once" in page.text("body"))  # nothing moves after it
        page.panel("clues")
        page.take_up("cage")
        page.wait(lambda: is_seen(page))  # the board is scrolled to, and again after the value
        page.drag(["r1c1", "r1c2"])
        page.give_value("3")
        has_clues(page, "cage=3:r1c1,r1c2")
        page.wait(lambda: is_seen(page))
    finally:
        page.widen()


def is_seen(page):
    (board,) = page.find("#board svg")
    box = "const {top, bottom} = arguments[0].getBoundingClientRect();"
    return page.driver.execute_script(f"{box} return top > -2 && bottom < innerHeight + 2", board)


def test_dark_and_light_by_a_switch_or_as_the_system_says(page):
    def ground():
        return page.driver.execute_script("return getComputedStyle(document.body).backgroundColor")

    page.choose("Colours", "Light")
    light = ground()
    page.choose("Colours", "Dark")
    page.wait(lambda: ground() != light)
    page.reload()
    assert ground() != light
    page.choose("Colours", "Auto")
    for theme, is_light in (("dark", False), ("light", True)):
        media = [{"name": "prefers-color-scheme", "value": theme}]
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
        page.wait(lambda wanted=is_light: (ground() == light) == wanted)


def test_a_screen_reader_finds_a_grid_and_hears_what_happened(page):
    (board,) = page.find("[role=grid]")
    assert board.get_attribute("aria-label") == "Sudoku board"
    assert len(page.find("[role=grid] [role=row]")) == 9
    assert len(page.find("[role=row] [role=gridcell]")) == 81
    assert len(page.find("[role=gridcell][tabindex='0']")) == 1
    page.go("r4c7")
    page.keys("6")
    (spoken,) = page.find("[role=status][aria-live=polite].visually-hidden")
    assert spoken.get_property("textContent") == "6 in r4c7"
    page.keys("?")
    assert "undo, redo" in page.wait(lambda: page.text("dialog"))
    page.press("Close", "dialog")
    assert page.driver.switch_to.active_element.get_attribute("data-cell") == str(9 * 3 + 6)


# Other boards -------------------------------------------------------------------------------------


def test_a_board_by_its_form_with_holes_by_mouse(page):
    page.panel("board")
    page.wait(lambda: page.text("#size"))
    set_field(page, "Rows", "4")
    page.wait(lambda: len(page.find("#board .cell")) == 36)
    set_field(page, "Columns", "6")
    page.wait(lambda: page.puzzle.get("rules") == "shape=4x6")
    assert page.value("Boxes") == "2x3" and len(page.find("#board .cell")) == 24
    page.focus("r4c6")
    page.keys("6", Keys.RIGHT, "5")  # goes on in the first column
    assert page.puzzle["puzzle"] == "." * 18 + "5....6"
    set_field(page, "Digits", "0-5")
    page.wait(lambda: "r4c6=6: take this digit away first" in page.refusal)
    page.focus("r4c6")
    page.keys("6")
    set_field(page, "Digits", "0-5")
    page.wait(lambda: page.puzzle["rules"] == "shape=4x6,digits=0-5")
    page.focus("r1c2")
    page.keys("0")
    assert page.label("r1c2") == "row 1 column 2, given 0"
    page.press("Drop or add cells")
    page.drag(["r1c1", "r2c1"])
    page.wait(lambda: "holes:r1c1,r2c1" in page.puzzle["rules"])
    assert page.puzzle["puzzle"] == "0..............." + "5....."
    assert page.verdict() == "Several solutions"
    (hole,) = page.find("#board .hole:first-of-type")
    press(page, hole)
    page.wait(lambda: page.puzzle["rules"] == "shape=4x6,digits=0-5;holes:r2c1")
    page.press("Undo")
    page.reload()
    assert len(page.find("#board .cell")) == 22 and page.puzzle["puzzle"][0] == "0"
    page.drag(["r1c2"])
    page.keys(Keys.LEFT)  # over the hole, to the last column
    assert page.chosen == ["r1c6"]


def test_samurai_and_back(page):
    page.panel("board")
    page.wait(lambda: page.text("#size"))
    page.choose("Size", "samurai")
    page.wait(lambda: len(page.find("#board .cell")) == 369)
    page.drag(["r21c21"])
    page.keys("7", *[Keys.UP] * 9, "7")  # over the hole between two grids
    assert page.chosen == ["r9c21"] and page.verdict() == "Several solutions"
    page.keys(Keys.LEFT, *[Keys.DOWN] * 7, "7")
    page.wait(lambda: page.verdict() == "No solution")
    page.wait(lambda: page.text(".clash").startswith("r19c20=7 and r21c21=7"))
    page.choose("Size", "4 × 4")
    page.wait(lambda: len(page.find("#board .cell")) == 16)


def test_a_smaller_board_shows_nothing_of_the_one_before(page):
    page.tick("True candidates")
    page.wait(lambda: len(page.find("#board .found .mark")) == 729)
    page.panel("board")
    page.wait(lambda: page.text("#size"))
    page.choose("Size", "4 × 4")
    page.wait(lambda: len(page.find("#board .found .mark")) == 64)
    assert page.answered() == "Several solutions"


def test_regions_that_leave_cells_out(page):
    page.paste(json.dumps(state("." * 10, "shape=2x5,digits=1-5;latin")))
    page.panel("board")
    page.press("Paint regions")
    page.press("none")
    page.drag(["r2c1", "r2c5"])
    page.wait(lambda: "jigsaw=00000....." in page.puzzle["rules"])
    assert page.verdict() == "Several solutions"


def test_a_layer_its_values_and_clues_by_mouse(page):
    page.panel("board")
    page.wait(lambda: page.text("#size"))
    page.choose("Size", "4 × 4")
    page.wait(lambda: len(page.find("#board .cell")) == 16)
    page.press("Add layer")
    page.wait(lambda: page.puzzle.get("rules") == "shape=4x4;layer=shade:0-1")
    page.wait(lambda: page.find("#board .in-layer, .board.in-layer"))
    page.drag(["r1c1", "r1c2", "r2c2"])
    page.press("1", "#entry")
    has_clues(page, "digits=1:shade.r1c1,shade.r1c2,shade.r2c2")
    page.wait(lambda: len(page.find("#board .value.shade-2")) == 3)
    assert page.label("r1c2") == "row 1 column 2, empty; shade given 1; in digits"
    page.focus("r1c2")
    page.keys("0")
    has_clues(page, "digits=1:shade.r1c1,shade.r2c2", "digits=0:shade.r1c2")
    page.keys(Keys.BACKSPACE)
    has_clues(page, "digits=1:shade.r1c1,shade.r2c2")
    page.panel("clues")
    page.take_up("connected")
    page.write("Value", "1")
    page.press("For layer shade")
    page.wait(lambda: page.clues[1:] == ["connected=1:shade"])
    page.take_up("equal-sum")
    page.press("digits", "#entry")
    page.drag(["r4c1"])
    page.press("shade", "#entry")
    page.drag(["r4c1", "r4c2", "r4c3", "r4c4"])
    page.press("Make the clue")
    page.wait(lambda: page.clues[2:])
    row = ",".join(f"shade.r4c{column}" for column in range(1, 5))
    assert page.clues[2:] == [f"equal-sum:r4c1>{row}"]


def test_a_layer_is_solved_by_hand(page):
    clues = ["equal-sum:r1c1>shade.row1", "digits=1:shade.r1c1,shade.r1c3", "digits=0:shade.r1c2"]
    page.paste(json.dumps(state("...2.....41.....", "shape=4x4;layer=shade:0-1", clues)))
    read = page.clues
    assert page.answered() == "Unique"
    assert "layer shade has several ways" in page.text("#panel-live .warnings")
    page.tick("The solution")
    page.wait(lambda: len(page.find("#board .value.shade-2")) == 3)
    page.tick("The solution")
    page.focus("r1c4")
    page.keys("l", "m", "0")
    page.press("Check", "#panel-solve")
    page.wait(lambda: "Something is wrong" in page.text(VERDICT))
    page.focus("r1c4")
    page.keys("1")
    page.press("Check", "#panel-solve")
    page.wait(lambda: "Right so far. Cells left: 13." in page.text(VERDICT))
    assert page.clues == read
    page.press("Set", "#modes")
    assert b'fill="#ecd9ae"' not in svg(page)
    page.tick("Show the solution in pictures")
    assert b'fill="#ecd9ae"' in svg(page)


def test_a_brush_paints_a_layer(page):
    page.paste(json.dumps(state("." * 16, "shape=4x4;layer=shade:0-1", version=2)))
    page.press("shade", "#entry")
    page.press("Paint", "#entry")
    page.drag(["r1c1", "r1c2", "r1c3"])
    has_clues(page, "digits=1:shade.r1c1,shade.r1c2,shade.r1c3")
    page.press("0", "#entry")
    page.drag(["r1c3", "r2c3"])
    has_clues(page, "digits=1:shade.r1c1,shade.r1c2", "digits=0:shade.r1c3,shade.r2c3")
    page.drag(["r1c3", "r2c3"])  # the same stroke again takes them away
    has_clues(page, "digits=1:shade.r1c1,shade.r1c2")
    page.keys(Keys.ESCAPE)
    page.drag(["r4c4"])
    assert page.chosen == ["r4c4"] and len(page.clues) == 1


def test_pencil_marks_of_a_layer(page):
    page.paste(json.dumps(state("." * 16, "shape=4x4;layer=area:3,5,8", version=2)))
    page.press("area", "#entry")
    page.drag(["r1c2"])
    page.press("Allowed", "#entry")
    page.press("5", "#entry")
    page.press("8", "#entry")
    assert page.puzzle["candidates"][16:18] == [[3, 5, 8], [5, 8]]
    page.tick("True candidates")
    page.answered()
    page.wait(lambda: len(page.find("#board .found .mark")) == 47)


@pytest.mark.parametrize("name", OTHERS)
def test_steps_on_other_boards(page, name):
    """Walked, rated and written as tries; the board is full then, in the layers as in the grids."""
    (puzzle, rules), pasted = (OTHERS[name][0], other_rules(name)), other(name)
    steps = list(satdoku.explain_steps(puzzle, rules, named=True))
    page.paste(json.dumps(pasted))
    stated = page.puzzle
    page.panel("study")
    page.press("Next step")
    page.wait(lambda: page.text("#panel-study .says") == f"1. {steps[0].words}")
    page.wait(lambda: page.find("#board .spot"))
    page.press("All steps and rating")
    rated = satdoku.rate(puzzle, rules).words
    said = f"{len(steps)} steps; rating {rated}, scale of satdoku"
    page.wait(lambda: page.text(".rating") == said)
    (listed,) = page.find(".steps")
    listed.send_keys(Keys.END)
    assert page.text("#panel-study .says") == f"{len(steps)}. {steps[-1].words}"
    page.press("Write the digits")
    board = steps[0].board
    placed = dict(step.placed for step in steps if step.placed)
    seats = [cell for cell in placed if cell < board.grid_cells]
    assert len(page.find("#board .digit.entry")) == len(seats)
    for cell in seats:
        digit = board.domains((cell,))[0][placed[cell] - 1]
        assert page.label(board.name_of(cell)).split(";")[0].endswith(f", entered {digit}")
    page.press("Check", "#panel-solve")
    page.wait(lambda: "Right" in page.text(VERDICT) or "Solved" in page.text(VERDICT))
    assert page.puzzle == stated


def test_a_step_in_a_layer_is_marked_on_the_cell_below(page):
    page.paste(json.dumps(yin_yang()))
    page.panel("study")
    page.press("All steps and rating")
    text = "no 0 in shade.r1c3: "
    page.wait(lambda: any(text in step.text for step in page.find(".steps li")))
    number = [text in step.text for step in page.find(".steps li")].index(True)
    page.find(".steps li")[number].click()
    (struck,) = page.find("#board .spot.eliminated")
    assert struck.rect == page.cell("r1c3").rect
    page.press("shade", "#entry")  # its small digits are shown: 0 is struck
    (struck,) = page.find("#board circle.mark-eliminated")
    assert not page.find("#board .spot.eliminated")
    page.find(".steps li")[number + 1].click()
    assert page.text("#panel-study .says").endswith(
        "shade.r1c3=1: the only value left in shade.r1c3 (naked single)"
    )
    (placed,) = page.find("#board circle.mark-conclusion")
    cell = page.cell("r1c3").rect
    assert cell["x"] < placed.rect["x"] < cell["x"] + cell["width"]
    stated = page.clues
    page.press("Write the digits")
    assert "; shade entered 1;" in page.label("r1c3")
    assert page.clues == stated
    page.press("Close", "#panel-study")
    assert page.find("#board .value.entry.shade-2")[0].rect == page.cell("r1c3").rect


def test_steps_of_variables_that_stand_free_are_told(page):
    clues = ["weighted=1,1,-1=0:r1c1,r1c2,total.1"]
    page.paste(json.dumps(state("12" + "." * 14, "shape=4x4;layer=total*2:3-6", clues, version=2)))
    page.panel("study")
    page.press("All steps and rating")
    page.wait(lambda: "total.1=3: " in page.text(".steps"))
    for step in page.find(".steps li"):
        step.click()
        assert page.text("#panel-study .says").endswith(step.text)


def test_variables_that_stand_free_are_told(page):
    clues = ["weighted=1,1,-1=0:r1c1,r1c2,total.1", "weighted=1,1,-1=0:r1c1,r1c3,total.2"]
    page.paste(json.dumps(state("12" + "." * 14, "shape=4x4;layer=total*2:3-6", clues, version=2)))
    page.answered()
    assert page.text(".free") == "total.1: 3; total.2: 4 5"
    assert not page.text("#entry .planes")


def test_a_kept_puzzle_without_its_board(page):
    """The server tells the boards again after a reload, those of steps to undo among them."""
    jigsaw = "0001011122223333"
    old = {"format": "satdoku-puzzle", "version": 1, "puzzle": "1" + "." * 15}
    kept = {
        "puzzle": {**old, "rules": f"king,jigsaw={jigsaw}"},
        "past": [[{**old, "boxes": "2x2"}, "regions", False]],
        "future": [],
    }
    script = "sessionStorage.setItem('satdoku', arguments[0])"
    page.driver.execute_script(script, json.dumps(kept))
    page.reload()
    assert digits(page) == {"r1c1": "1"} and len(page.find("#board .cell")) == 16
    page.press("Undo")
    assert page.puzzle["boxes"] == "2x2"
    assert page.label("r1c1") == "row 1 column 1, given 1"


def svg(page):
    page.panel("take")
    return page.download("svg")


def set_field(page, label, text):
    page.field(label).send_keys(Keys.CONTROL, "a", Keys.NULL, text, Keys.TAB)


def press(page, element):
    ActionChains(page.driver, duration=0).move_to_element(element).click().perform()
