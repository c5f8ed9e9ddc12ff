"""Pages that were opened from a file, without a network, in Chromium: by keys and by fingers."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import time
import zlib

import pytest
from node import kernel_needed

pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")

from browser import TELEPHONE, WIDE, chromium, needed
from examples import PUZZLES
from page import PATIENCE
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import satdoku
from satdoku.web.play.page import HERE

SMALL = "1.....2....3.4.."
GALLERY = list(satdoku.read_puzzles(PUZZLES / "gallery.csv"))
FINGER = 44  # pixels
OWN = ("file:", "data:", "blob:")


class Played:
    """A page in a browser that reaches nobody."""

    def __init__(self, driver, folder):
        self.driver, self.folder = driver, folder
        self.cdp = driver.execute_cdp_cmd
        self.cdp("Network.enable", {})
        away = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        self.cdp("Network.emulateNetworkConditions", away)

    def open(self, text, name="puzzle.html"):
        """The page of a text, as a file that is opened for the first time."""
        blank = self.folder / "blank.html"
        blank.write_text("<!DOCTYPE html><title>Blank</title>")
        self.driver.get(blank.as_uri())  # leaving a page keeps its progress
        self.driver.execute_script("localStorage.clear()")
        path = self.folder / name
        path.write_text(text)
        self.driver.get(path.as_uri())
        self.wait()

    def reload(self):
        self.driver.refresh()
        self.wait()

    def wait(self):
        """Until the page knows the number of solutions."""
        self.until(lambda: self.text(".status") not in ("", "…"))

    def until(self, holds):
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, self.text("body")
            time.sleep(0.05)

    def text(self, css):
        said = self.driver.execute_script(
            "return document.querySelector(arguments[0])?.innerText.trim() ?? ''", css
        )
        return said

    def says(self, words, css="#panel-answers .says"):
        self.until(lambda: words in self.text(css))

    def press(self, label, css="body"):
        (found,) = [
            button
            for button in self.driver.find_elements(By.CSS_SELECTOR, f"{css} button")
            if button.is_displayed() and label in (button.text, button.get_attribute("aria-label"))
        ]
        found.click()

    def choose(self, css, value):
        self.driver.find_element(By.CSS_SELECTOR, f"{css} option[value='{value}']").click()

    def label(self, name):
        return self.driver.find_element(By.CSS_SELECTOR, f"[data-name={name}]").get_attribute(
            "aria-label"
        )

    @property
    def labels(self):
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#board .cell')].map((cell) => cell.ariaLabel)"
        )

    @property
    def chosen(self):
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#board .cell[aria-selected=true]')]"
            ".map((cell) => cell.dataset.name)"
        )

    def focus(self, name):
        """The cursor in a cell, by the mouse."""
        self.driver.find_element(By.CSS_SELECTOR, f"[data-name={name}]").click()

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def hold(self, held, *keys):
        ActionChains(self.driver).key_down(held).send_keys(*keys).key_up(held).perform()

    def type_rows(self, rows):
        """Types a grid from its first cell on, over what is given."""
        self.focus("r1c1")
        for row in rows:
            for digit in row:
                self.keys(digit, Keys.RIGHT)  # behind the last cell follows the first of the row
            self.keys(Keys.DOWN)

    def as_telephone(self):
        width, height = TELEPHONE
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        self.cdp("Emulation.setDeviceMetricsOverride", screen)
        self.cdp("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})

    def as_desk(self):
        width, height = WIDE
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.cdp("Emulation.setDeviceMetricsOverride", screen)
        self.cdp("Emulation.setTouchEmulationEnabled", {"enabled": False})

    def box(self, css, text=""):
        """Middle, width and height of the one that shows a text."""
        return self.driver.execute_script(
            """const [css, text] = arguments, all = [...document.querySelectorAll(css)];
            const each = all.find((e) => !text || e.textContent === text);
            const { x, y, width, height } = each.getBoundingClientRect();
            return [x + width / 2, y + height / 2, width, height];""",
            css,
            text,
        )

    def tap(self, css, text=""):
        x, y, *_ = self.box(css, text)
        self.cdp(
            "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
        )
        self.cdp("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def stray(self):
        """Requests for what lies outside of the file, and what the console says."""
        logged = (
            json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")
        )
        asked = [
            said["params"]["request"]["url"]
            for said in logged
            if said["method"] == "Network.requestWillBeSent"
        ]
        said = [entry["message"] for entry in self.driver.get_log("browser")]
        return [url for url in asked if not url.startswith(OWN)] + said


@pytest.fixture(scope="module")
def browsing(tmp_path_factory):
    needed()
    kernel_needed()
    folder = tmp_path_factory.mktemp("played")
    with chromium(folder) as driver:
        yield Played(driver, folder)


@pytest.fixture
def played(browsing):
    browsing.as_desk()
    browsing.stray()
    yield browsing
    assert browsing.stray() == []


def small(played, puzzle=SMALL, **options):
    played.open(satdoku.play_page([puzzle], **options))


def test_a_puzzle_is_played_to_the_end_by_keys(played):
    small(played)
    assert played.text(".status") == "The puzzle has one solution."
    solution = str(satdoku.solve(SMALL))
    played.type_rows(re.findall("....", solution))
    played.says("Solved in", "#panel-solve .says")
    assert [label.rpartition(" ")[2] for label in played.labels] == list(solution)


def test_a_puzzle_is_played_to_the_end_by_fingers(played):
    played.as_telephone()
    small(played)
    for cell, digit in enumerate(str(satdoku.solve(SMALL))):
        played.tap(f"[data-cell='{cell}']")
        played.tap(".pad .digit-button", digit)
    played.says("Solved in", "#panel-solve .says")


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", GALLERY, ids=lambda puzzle: puzzle.id)
def test_the_gallery_is_played_to_the_end(played, puzzle):
    played.open(satdoku.play_page([puzzle]))
    solution = satdoku.solve(puzzle)
    size = solution.board.size
    texts = [solution.board.digits[position - 1] for position in solution.cells]
    keys = ["123456789abcdefg"[digit - 1] for digit in texts]
    played.type_rows([keys[start : start + size] for start in range(0, len(keys), size)])
    played.says("Solved in", "#panel-solve .says")


def test_notes_colours_and_undo(played):
    small(played)
    played.focus("r1c2")
    played.hold(Keys.SHIFT, "2", "3")
    played.hold(Keys.CONTROL, "4")
    assert played.label("r1c2") == "row 1 column 2, corner 2 3, centre 4"
    played.keys("v", "3")
    assert played.label("r1c2") == "row 1 column 2, corner 2 3, centre 4, colour 3"
    for _ in range(4):
        played.press("Undo")
    assert played.label("r1c2") == "row 1 column 2, empty"
    played.press("Redo")
    assert played.label("r1c2") == "row 1 column 2, corner 2"


def test_digits_that_clash_are_shown(played):
    small(played)
    played.focus("r1c2")
    played.keys("1")
    assert played.label("r1c2") == "row 1 column 2, entered 1, in conflict"
    assert played.label("r1c1") == "row 1 column 1, given 1, in conflict"


def test_cells_are_chosen_with_keys_mouse_and_fingers(played):
    small(played)
    played.focus("r1c4")
    played.keys(Keys.RIGHT)
    assert played.chosen == ["r1c1"]  # on the other side
    played.hold(Keys.SHIFT, Keys.DOWN, Keys.RIGHT)
    assert played.chosen == ["r1c1", "r2c1", "r2c2"]
    ActionChains(played.driver).key_down(Keys.CONTROL).perform()
    played.focus("r4c4")
    ActionChains(played.driver).key_up(Keys.CONTROL).perform()
    assert played.chosen == ["r1c1", "r2c1", "r2c2", "r4c4"]
    played.as_telephone()
    played.tap(".extras .chip")
    played.tap("[data-name=r3c3]")
    assert played.chosen == ["r1c1", "r2c1", "r2c2", "r3c3", "r4c4"]
    played.tap(".extras .chip")
    played.tap("[data-name=r3c3]")
    assert played.chosen == ["r3c3"]


def test_a_telephone_shows_board_and_pad_together(played):
    """Nothing sticks out, and a finger hits each button."""
    played.as_telephone()
    played.open(satdoku.play_page([GALLERY[0]]))
    width, height = TELEPHONE
    assert played.driver.execute_script("return document.documentElement.scrollWidth") == width
    _, y, _, high = played.box(".pad")
    assert y + high / 2 < height
    sizes = played.driver.execute_script(
        "return [...document.querySelectorAll('button, select, .switch')]"
        ".filter((e) => e.checkVisibility()).map((e) => [e.textContent, e.getBoundingClientRect()])"
        ".map(([text, { width, height }]) => [text, width, height])"
    )
    assert len(sizes) > 15
    assert [size for size in sizes if min(size[1:]) < FINGER] == []


def test_progress_is_kept_for_the_puzzle(played):
    small(played)
    played.focus("r1c2")
    played.keys("3")
    played.reload()
    assert played.label("r1c2") == "row 1 column 2, entered 3"
    path = played.folder / "other.html"
    path.write_text(satdoku.play_page(["2" + SMALL[1:]]))
    played.driver.get(path.as_uri())
    assert played.label("r1c2") == "row 1 column 2, empty"


def test_the_page_tells_which_entry_broke_it(played):
    """The one after which there is no solution, though a later one clashes openly."""
    small(played)
    solution = str(satdoku.solve(SMALL))
    played.focus("r1c2")
    played.keys(solution[1])
    played.focus("r1c3")
    wrong = next(digit for digit in "234" if digit not in solution[1:3])
    played.keys(wrong)
    played.focus("r4c3")
    played.keys(wrong)
    played.press("Check")
    played.says("wrong", "#panel-solve .says")
    played.press("Which entry broke it?")
    played.says(f"{wrong} in r1c3 broke it")
    played.press("Take it back")
    assert played.label("r1c3") == "row 1 column 3, empty"
    assert played.label("r1c2") == f"row 1 column 2, entered {solution[1]}"


def test_what_is_watched_is_said_at_once(played):
    small(played)
    played.driver.find_element(By.CSS_SELECTOR, "#panel-answers .switch input").click()
    played.says("There is still a solution.")
    played.focus("r1c2")
    played.keys("1")
    played.says("No solution is left.")


def test_candidates_are_shown_if_asked_for(played):
    small(played)
    played.choose("#panel-answers select", "free")
    played.until(lambda: played.label("r1c2").endswith("allowed 2 3"))
    played.choose("#panel-answers select", "solutions")
    solution = str(satdoku.solve(SMALL))
    played.until(lambda: played.label("r1c2").endswith(f"allowed {solution[1]}"))
    played.focus("r1c2")
    played.keys(solution[1])
    assert played.label("r1c2") == f"row 1 column 2, entered {solution[1]}"


def test_a_hint_names_the_cell_first_and_then_its_digit(played):
    small(played)
    solution = str(satdoku.solve(SMALL))
    for _ in range(SMALL.count(".")):
        played.press("Hint")
        played.says("Look at r")
        name = re.search(r"r\dc\d", played.text("#panel-answers .says"))[0]
        digit = solution[4 * (int(name[1]) - 1) + int(name[3]) - 1]
        assert not re.search(rf"\b{digit}\b", played.text("#panel-answers .says"))
        played.press("Its digit")
        played.says(f"{digit} in {name}.")
        played.press("Enter it")
        assert played.label(name).endswith(f"entered {digit}")
    played.says("Solved in", "#panel-solve .says")


def test_a_path_is_told_step_by_step(played):
    small(played, with_path=True)
    steps = [step for step in satdoku.explain_steps(SMALL, named=True) if step.placed]
    for _ in steps:
        for _ in range(3):  # where, by which technique, what
            played.press("Next step")
        played.press("Enter it", "#panel-path")
    played.says("Solved in", "#panel-solve .says")


def test_a_booklet_keeps_what_each_puzzle_has(played):
    texts = [SMALL, "." * 16, "11" + "." * 14]
    played.open(satdoku.play_page(texts, title="Three"))
    assert played.text(".status") == "The puzzle has one solution."
    played.focus("r1c2")
    played.keys("3")
    played.press("The next puzzle")
    played.says("several solutions", ".status")
    assert played.label("r1c2") == "row 1 column 2, empty"
    played.press("The next puzzle")
    played.says("no solution: givens clash", ".status")
    played.reload()
    assert "clash" in played.text(".status")  # the one that was open
    for _ in range(2):
        played.press("The puzzle before")
    played.says("one solution", ".status")
    assert played.label("r1c2") == "row 1 column 2, entered 3"


JUDGED = """
import { inOrder, Judge } from "ADDRESS";
const late = () => Promise.reject(Object.assign(new Error("late"), { name: "BudgetError" }));
const kernel = { here: { plan: () => ({}), propagate: (digits) => digits }, ask: late };
const told = { houses: [], open: [[1, 2], [1, 2]], peers: [[], []] };
const judge = new Judge(kernel, null, told, [0, 0]);
judge.free = () => [[1, 2], [1, 2]];
const found = [await judge.possible([0, 1]), await judge.breaking([[0, 1]]),
  await judge.candidates([0, 0]), await judge.hint([0, 0])];
const steps = [{}, { 5: 1 }, { 5: 1, 2: 3 }, { 5: 2, 2: 3 }, { 5: 1, 2: 3, 9: 9 }];
console.log(JSON.stringify([found, inOrder(steps.map((digits) => ({ digits })))]));
"""


def test_what_the_search_gives_up_is_not_known():
    """And entries come in the order in which they were made, a digit that came back as the last."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node: install nodejs")
    script = JUDGED.replace("ADDRESS", (HERE / "judge.js").as_uri())
    command = [node, "--input-type=module", "-"]
    run = subprocess.run(command, input=script, capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == [["unknown", None, None, None], [[2, 3], [5, 1], [9, 9]]]


def test_a_page_that_is_damaged_says_so_and_can_be_played(played):
    """A plan that is none, then a kernel that is none."""
    text = satdoku.play_page([SMALL])
    for name, problem in (("plan-0", "plan"), ("kernel", "cannot be loaded")):
        packed = base64.b64encode(zlib.compress(b"no " * 100)).decode()
        damaged = re.sub(f'(id="{name}">)[^<]*', rf"\g<1>{packed}", text)
        played.open(damaged)
        assert played.text(".status").startswith("No answers: ")
        assert problem in played.text(".status")
        played.focus("r1c2")
        played.keys("1")
        assert played.label("r1c2") == "row 1 column 2, entered 1, in conflict"
        played.press("Check")
        played.says("No answers: ", "#panel-solve .says")


@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts" '])
def test_a_notebook_shows_the_same_in_a_frame(played, sandbox):
    """Also in a frame to which the browser gives no place to keep things."""
    frame = satdoku.play(SMALL)._repr_html_().replace("<iframe ", f"<iframe {sandbox}")
    path = played.folder / "notebook.html"
    path.write_text(f"<!DOCTYPE html><title>Notebook</title><body>{frame}</body>")
    played.driver.get(path.as_uri())
    played.driver.switch_to.frame(0)
    try:
        played.says("The puzzle has one solution.", ".status")
        played.type_rows(re.findall("....", str(satdoku.solve(SMALL))))
        played.says("Solved in", "#panel-solve .says")
    finally:
        played.driver.switch_to.default_content()
