"""The page at the widths of a telephone, a small and a large screen: by fingers, mouse and keys.

Each test looks at what a person sees: where things are, what can be pressed, how they contrast.
"""

from __future__ import annotations

import json
from itertools import groupby

import pytest
from browser import TELEPHONE

pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")

from page import tab
from selenium.webdriver.common.keys import Keys
from setting import Setting
from web_client import state

SMALL = 360, 640
ON_ITS_SIDE = (844, 390), (640, 360)  # telephones held so that the board is at the left
TELEPHONES = TELEPHONE, SMALL, *ON_ITS_SIDE
SCREENS = (1024, 768), (1280, 900)
FINGER = 44  # pixels
CLUES = [
    "cage=15:r1c1,r1c2,r2c1",
    "whisper=5:r2c2,r3c3,r4c4,r5c5",
    "cage=9:r5c5,r5c6",
    "sandwich=12:row3",
    "white:r8c1,r8c2",
    *(f"odd:r{row}c4" for row in (1, 3, 6, 7, 9)),
    *(f"even:r{row}c7" for row in (3, 7, 9)),
    "thermo:r1c9,r2c9,r3c9,r4c9",
    "arrow:r5c9>r6c9,r7c9",
]
BOXES = """return [...document.querySelectorAll(arguments[0])]
  .filter((each) => each.checkVisibility())
  .map((each) => { const {left, top, right, bottom} = each.getBoundingClientRect();
    return [(each.ariaLabel ?? each.textContent).trim(), left, top, right, bottom]; })"""
TARGETS = (
    "button, select, summary, [role=tab], label.switch, label.rule, input:not([type=checkbox])"
)
SCROLLERS = """return [...document.querySelectorAll(arguments[0])].map((each) => {
  let count = 0;
  for (let box = each; box; box = box.parentElement) {
    const {overflowY} = getComputedStyle(box);
    if (/auto|scroll/.test(overflowY) && box.scrollHeight > box.clientHeight + 1) count++;
  }
  return count; })"""
CONTRASTS = """
const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
const rgba = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
const over = ([r, g, b, a], below) =>
  [r, g, b].map((part, i) => (part * a + below[i] * (255 - a)) / 255);
const ground = (each) => { const chain = [];
  for (let box = each; box; box = box.parentElement)
    chain.unshift(rgba(getComputedStyle(box).backgroundColor));
  return chain.reduce((below, colour) => over(colour, below), [255, 255, 255]); };
const light = (colour) => colour.map((part) => part / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
const seen = [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility()
  && !each.closest('svg, option, .visually-hidden, :disabled, .stale')
  && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
return seen.map((each) => { const below = ground(each);
  const ink = over(rgba(getComputedStyle(each).color), below);
  const [a, b] = [light(ink), light(below)].sort((x, y) => y - x);
  return [(a + 0.05) / (b + 0.05), each.textContent.trim().slice(0, 40), each.className]; });
"""


@pytest.fixture
def page(surfing):
    with tab(surfing, Setting) as made:
        yield made
        made.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        made.widen()


def boxes(page, css):
    return page.driver.execute_script(BOXES, css)


def overlap(one, other):
    (_, left, top, right, bottom), (_, x, y, u, v) = one, other
    return min(right, u) - max(left, x) > 1 and min(bottom, v) - max(top, y) > 1


def of_clues(page):
    page.paste(json.dumps(state("." * 81, "classic", clues=CLUES)))
    page.panel("clues")
    page.wait(lambda: len(page.find(".clues li .icon")) == len(CLUES))


def in_view(page, css):
    ((_, left, top, right, bottom),) = boxes(page, css)
    width, height = page.driver.execute_script("return [innerWidth, innerHeight]")
    return left >= 0 and top >= 0 and right <= width + 1 and bottom <= height + 1


PANELS = [
    "live", "clues", "rules", "board", "about", "study", "suggest", "make", "take", "paste",
]  # fmt: skip


@pytest.mark.parametrize("size", TELEPHONES)
def test_on_a_telephone_every_panel_is_a_drawer_beside_the_board(page, size):
    of_clues(page)
    page.narrow(*size)
    tall = "return document.documentElement.scrollHeight - innerHeight"
    for name in PANELS:
        page.panel(name)
        assert page.driver.execute_script(tall) <= 0, name
        assert in_view(page, "#board .board"), name
        (drawer,) = boxes(page, f"#panel-{name}")
        assert in_view(page, f"#panel-{name}") and not boxes(page, "#entry"), name
        assert drawer[4] - drawer[2] > 90, name
        both = f"#panel-{name}, #board .board"  # at one time: an answer may move them
        page.wait(lambda: not overlap(*boxes(page, both)))  # noqa: B023
        assert sum(map(len, (boxes(page, f"#panel-{other}") for other in PANELS[1:]))) <= 1
    for mode in ("Solve", "Set"):
        page.press(mode, "#modes")
        page.press("Digits")
        assert in_view(page, "#board .board")
        for other in (*boxes(page, ".tabs, #to-digits"), *boxes(page, "#board .board")):
            hidden = [key[0] for key in boxes(page, "#entry button") if overlap(key, other)]
            assert not hidden, mode


@pytest.mark.parametrize("size", TELEPHONES)
def test_a_hint_is_seen_together_with_the_board(page, size):
    of_clues(page)
    page.narrow(*size)
    page.panel("study")
    page.press("Hint")
    page.wait(lambda: page.text("#panel-study .says").startswith("Hint"))
    assert in_view(page, "#panel-study .says") and in_view(page, "#board .board")


@pytest.mark.parametrize("size", TELEPHONES)
def test_fingers_have_targets_of_44_pixels(page, size):
    of_clues(page)
    page.narrow(*size)
    for name in PANELS:
        page.panel(name)
        for mode in ("Digits", None):
            if mode:
                page.press(mode)
            small = [
                (label, right - left, bottom - top)
                for label, left, top, right, bottom in boxes(page, TARGETS)
                if min(right - left, bottom - top) < FINGER - 0.5
            ]
            assert not small, (name, small)


@pytest.mark.parametrize("size", SCREENS)
def test_kinds_and_list_stand_beside_the_board_and_nothing_overlaps(page, size):
    of_clues(page)
    page.narrow(*size)
    (board,), (palette,) = boxes(page, "#board .board"), boxes(page, ".palette")
    assert palette[2] < board[4] and in_view(page, "#panel-clues")
    assert palette[3] <= board[1] or palette[1] >= board[3]
    assert page.driver.execute_script("return document.documentElement.scrollWidth") <= size[0]
    parts = boxes(page, "#board .board, #entry, .panel, .tabs, .bar")
    clashes = [(a[0][:20], b[0][:20]) for a in parts for b in parts if a > b and overlap(a, b)]
    assert not clashes


@pytest.mark.parametrize("size", [TELEPHONE, *SCREENS])
def test_the_list_has_a_line_a_clue_by_kind_and_one_scroll_bar(page, size):
    of_clues(page)
    page.narrow(*size)
    lines = boxes(page, ".clues .words")
    assert len(lines) == len(CLUES)
    most = 30 if size in SCREENS else FINGER + 1
    assert all(bottom - top <= most for _, _, top, _, bottom in lines)
    labels = [label for label, *_ in lines]
    kinds = [
        kind for kind, _ in groupby(label.split(" · ")[0].strip(" 0123456789") for label in labels)
    ]
    assert len(kinds) == len({*kinds}) == 8  # those of a kind stand together
    assert {"Killer cage 15 · r1c1 r1c2 r2c1", "German whisper · r2c2-r5c5"} <= {*labels}
    assert "Arrow · r5c9 > r6c9 r7c9" in labels and "Sandwich sum 12 · row3" in labels
    assert max(page.driver.execute_script(SCROLLERS, ".clues li, .palette .chip")) <= 1


def test_a_line_lights_its_cells_and_is_deleted_by_the_keyboard(page):
    of_clues(page)
    page.tab_to("German whisper · r2c2-r5c5")
    lit = [each.get_attribute("data-name") for each in page.find("#board .glow")]
    assert lit == ["r2c2", "r3c3", "r4c4", "r5c5"]
    page.keys(Keys.ENTER)
    assert page.chosen == lit
    page.keys(Keys.DELETE)
    page.wait(lambda: len(page.clues) == len(CLUES) - 1)
    assert CLUES[1] not in page.clues
    page.wait(lambda: "·" in page.driver.switch_to.active_element.accessible_name)
    page.keys(Keys.TAB)
    assert page.driver.switch_to.active_element.accessible_name.startswith("Edit ")


def test_chips_have_pictures(page):
    chips = page.wait(lambda: page.find(".chip[data-kind]"))
    icons = {each.get_attribute("src") for each in page.find(".chip[data-kind] img.icon")}
    assert len(page.find(".chip[data-kind] img.icon")) == len(chips) and len(icons) > 70


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_texts_contrast_with_their_ground(page, theme):
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
    )
    of_clues(page)
    page.choose("Colours", theme)
    for name in PANELS[1:]:
        page.panel(name)
        faint = [each for each in page.driver.execute_script(CONTRASTS) if each[0] < 4.5]
        assert not faint, (name, faint)


def test_reduced_motion_is_respected(page):
    moving = """return [...document.querySelectorAll('*')].filter((each) => {
      const {transitionDuration, animationName} = getComputedStyle(each);
      return parseFloat(transitionDuration) > 0 || animationName !== 'none'; }).length"""
    assert page.driver.execute_script(moving) > 0
    feature = {"name": "prefers-reduced-motion", "value": "reduce"}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    assert page.driver.execute_script(moving) == 0


def test_tab_walks_through_all_controls_and_all_have_names(page):
    of_clues(page)
    reach = """return [...document.querySelectorAll('button, input, select, textarea, a[href],'
      + 'summary, [tabindex="0"]')].filter((each) => each.checkVisibility() && !each.disabled
      && each.tabIndex >= 0).length"""
    wanted = page.driver.execute_script(reach)
    page.driver.execute_script("document.activeElement.blur(); window.walked = new Set();")
    for _ in range(wanted + 3):
        page.keys(Keys.TAB)
        page.driver.execute_script("window.walked.add(document.activeElement)")
    assert (
        page.driver.execute_script("window.walked.delete(document.body); return walked.size")
        == wanted
    )
    assert page.nameless() == []
