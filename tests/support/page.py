"""The page as a person uses it: keys, presses, and what can be read.

Invariant: nothing here reaches into the scripts of the page; only `puzzle` looks at what the tab
keeps for a reload.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from browser import Surfing
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

T = TypeVar("T")
# Whether a click reaches the element; a page that is loaded anew does not know it.
LISTEN = """
    window.wasHit = false;
    const heard = () => { window.wasHit = true; };
    arguments[0].addEventListener('click', heard, {capture: true, once: true});
"""
PATIENCE = 90.0  # seconds; only a failure waits so long, on a machine as busy as can be
CALLED = """return [...document.querySelectorAll(arguments[0])].filter((element) =>
  element.checkVisibility() && element.innerText.trim().split("\\n")[0].trim() === arguments[1])"""
NAMED = {"button", "checkbox", "combobox", "textbox", "searchbox", "spinbutton", "listbox", "tab"}
READY = "[data-ready=true]"


class Page:
    """One tab of a browser with the page in it."""

    def __init__(self, driver: Any, address: str, folder: Path, ready: str = READY) -> None:
        self.driver, self.folder = driver, folder
        self.handle = driver.current_window_handle
        driver.get(address)
        self.wait(lambda: self.find(ready))

    def show(self) -> None:
        """Brings the tab to the front."""
        self.driver.switch_to.window(self.handle)

    def find(self, css: str) -> list[Any]:
        """The elements that fit."""
        found: list[Any] = self.driver.find_elements(By.CSS_SELECTOR, css)
        return found

    def close(self) -> None:
        """Closes the tab; another one is in front then."""
        self.driver.close()
        self.driver.switch_to.window(self.driver.window_handles[0])

    def wait(self, answer: Callable[[], T]) -> T:
        """What `answer` says as soon as it is true."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if found := answer():
                    return found
            except StaleElementReferenceException:
                pass
            assert time.monotonic() < end, f"never so: {self.text('body')}"
            time.sleep(0.1)

    def text(self, css: str) -> str:
        """What can be read there."""
        return "\n".join(each.text for each in self.find(css))

    def click(self, element: Any) -> None:
        """Clicks what may move on the way there, as an answer that comes makes room for itself."""
        self.driver.execute_script(LISTEN, element)
        for _ in range(5):
            element.click()
            if self.driver.execute_script("return window.wasHit !== false"):
                return
        raise AssertionError(f"no click arrived: {element.text}")

    def press(self, label: str, within: str = "body") -> None:
        """Presses the button of that name."""
        self.click(self._called(f"{within} button", label))

    def open(self, label: str) -> None:
        """Opens what is folded under that line."""
        self.click(self._called("summary", label))

    def tick(self, label: str) -> None:
        """Ticks the box, or takes the tick away."""
        self.click(self._called("label", label))

    def rule(self, name: str) -> None:
        """Ticks a rule, or takes the tick away."""
        (box,) = self.find(f"#panel-rules input[name='{name}']")
        self.click(box)

    def field(self, label: str) -> Any:
        """The field with that label."""
        return self._called("label", label).find_element(By.CSS_SELECTOR, "input, select, textarea")

    def _called(self, css: str, label: str) -> Any:
        """The one element that shows this as its first line."""
        found: list[Any] = self.driver.execute_script(CALLED, css, label)
        assert len(found) == 1, (css, label, found)
        return found[0]

    def nameless(self) -> list[str]:
        """The sorts of the buttons and fields that can be seen and have no name."""
        nodes = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        told = [(n["role"]["value"], n.get("name", {}).get("value")) for n in nodes if "role" in n]
        return [role for role, name in told if role in NAMED and not name]

    def choose(self, label: str, text: str) -> None:
        """Chooses from a list."""
        Select(self.field(label)).select_by_visible_text(text)

    def write(self, label: str, text: str) -> None:
        """Writes into a field, in place of what was there."""
        self.field(label).clear()
        self.field(label).send_keys(text)

    def value(self, label: str) -> str:
        """What a field holds."""
        return str(self.field(label).get_property("value"))

    def keys(self, *keys: str) -> None:
        """Types, wherever the focus is."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def hold(self, held: str, *keys: str) -> None:
        """Types while a key is held, wherever the focus is."""
        typing = ActionChains(self.driver, duration=0).key_down(held)
        typing.send_keys(*keys).key_up(held).perform()

    def tab_to(self, name: str) -> None:
        """Presses Tab until what has the focus is called so."""
        for _ in range(len(self.find("button, input, select, textarea, [tabindex]"))):
            self.keys(Keys.TAB)
            if self.driver.switch_to.active_element.accessible_name == name:
                return
        raise AssertionError(f"Tab does not reach {name}")

    def go(self, name: str) -> None:
        """Goes to a cell such as r5c3 by arrow keys; the focus is on the board."""
        row, column = (int(part) for part in name[1:].split("c"))
        self.keys(Keys.HOME, Keys.PAGE_UP, *[Keys.DOWN] * (row - 1), *[Keys.RIGHT] * (column - 1))

    def focus(self, name: str) -> None:
        """Puts the focus on the board, and goes to a cell."""
        (here,) = self.find("#board [tabindex='0']")
        here.send_keys("")
        self.go(name)

    def panel(self, name: str) -> str:
        """Opens a panel by its tab, and its CSS selector."""
        (tab,) = self.find(f"[aria-controls=panel-{name}]")
        self.click(tab)
        return f"#panel-{name}"

    def paste(self, text: str) -> None:
        """Reads a text by the panel for it."""
        (box,) = self.find(f"{self.panel('paste')} textarea")
        box.clear()
        box.send_keys(text)
        self.press("Read", "#panel-paste")
        self.wait(lambda: self.text("#panel-paste [role=status]").startswith("Read."))

    @property
    def puzzle(self) -> dict[str, Any]:
        """The puzzle of the tab."""
        kept = self.driver.execute_script("return sessionStorage.getItem('satdoku')")
        puzzle: dict[str, Any] = json.loads(kept)["puzzle"]
        return puzzle

    def verdict(self) -> str:
        """The word for how many solutions there are, when it is about the puzzle shown."""
        css = ".verdict:not(.stale) .badge"
        return self.wait(lambda: self.text(css).strip("…"))

    def answered(self) -> str:
        """The verdict, when everything is known."""
        self.wait(lambda: "answered in" in self.text("#panel-live .progress"))
        return self.verdict()

    def download(self, label: str) -> bytes:
        """The file that a button of the panel `take` saves."""
        before = self._complete()
        self._take(label)
        (file,) = self.wait(lambda: self._complete() - before)
        return file.read_bytes()

    def _take(self, label: str) -> None:
        self.wait(lambda: self.find("#panel-take .format"))
        self.press(label, "#panel-take")

    def _complete(self) -> set[Path]:
        """The files that have come whole; others have other names meanwhile."""
        files = set(self.folder.iterdir())
        return {f for f in files if f.suffix != ".crdownload" and not f.name.startswith(".")}

    def link(self, label: str) -> str:
        """The link or text that a button of the panel `take` shows."""
        self._take(label)
        (box,) = self.find("#panel-take textarea")
        self.wait(lambda: label in self.text("#panel-take [role=status]") and box.is_displayed())
        return str(box.get_property("value"))

    def picture(self) -> bytes:
        """A screenshot as PNG."""
        shot: str = self.driver.get_screenshot_as_base64()
        return base64.b64decode(shot)

    def top(self) -> None:
        """Scrolls all to the top."""
        columns = "for (const column of document.querySelectorAll('.column')) column.scrollTop = 0"
        self.driver.execute_script(f"scrollTo(0, 0); {columns}")

    def narrow(self, width: int, height: int) -> None:
        """The width of a telephone."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def widen(self) -> None:
        """The width of the window again."""
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def complaints(driver: Any) -> list[str]:
    """What the console says since it was last asked."""
    return [entry["message"] for entry in driver.get_log("browser")]


def requests(driver: Any) -> list[str]:
    """The addresses that were asked for since they were last read."""
    events = (json.loads(entry["message"])["message"] for entry in driver.get_log("performance"))
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]


@contextmanager
def tab(surfing: Surfing, kind: type[Page] = Page) -> Iterator[Any]:
    """A new tab with the page. When it ends, nothing was complained of, sent away, or kept."""
    driver = surfing.driver
    driver.switch_to.new_window("tab")
    page = kind(driver, surfing.address, surfing.folder)
    yield page
    page.show()
    refused = ": the server responded with a status of 400 (Bad Request)"  # is shown on the page
    said = [text for text in complaints(driver) if not text.endswith(refused)]
    assert said == [], said
    page.close()  # which saves the progress once more
    kept = {"origin": surfing.address.rstrip("/"), "storageTypes": "local_storage"}
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", kept)
    mine = (surfing.address, "data:", "blob:", "chrome:")
    assert [address for address in requests(driver) if not address.startswith(mine)] == []
