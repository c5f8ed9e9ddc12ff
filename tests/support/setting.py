"""The page as a setter uses it: the board, the mouse on it, and the kinds of clues.

Invariant: as of `page`: only what a person does, and what the tab keeps for a reload.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from page import Page
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


class Setting(Page):
    """One tab of a browser with a puzzle that is being set."""

    def cell(self, name: str) -> Any:
        """The element of a cell such as r5c3."""
        (found,) = self.find(f"#board [data-name='{name}']")
        return found

    def label(self, name: str) -> str:
        """What a screen reader says of a cell."""
        return str(self.cell(name).get_attribute("aria-label"))

    def drag(self, names: Iterable[str], held: str = "") -> None:
        """Presses the first cell, goes over the others, and lets go."""
        mouse = ActionChains(self.driver, duration=0)
        first, *others = map(self.cell, names)
        mouse = mouse.key_down(held) if held else mouse
        mouse.move_to_element(first).click_and_hold()
        for other in others:
            mouse.move_to_element(other)
        mouse.release()
        (mouse.key_up(held) if held else mouse).perform()

    def press_at(self, name: str, right: float, down: float) -> None:
        """Presses a place in a cell, in parts of it from its middle."""
        cell = self.cell(name)
        side = cell.rect["width"]
        mouse = ActionChains(self.driver, duration=0)
        mouse.move_to_element_with_offset(cell, right * side, down * side).click().perform()

    @property
    def chosen(self) -> list[str]:
        """The names of the chosen cells, row by row."""
        return [c.get_attribute("data-name") for c in self.find("#board [aria-selected=true]")]

    @property
    def refusal(self) -> str:
        """What is said to be wrong."""
        return self.text(".error:not(.told)").strip()

    @property
    def clues(self) -> list[str]:
        """The clues of the puzzle."""
        clues: list[str] = self.puzzle.get("clues", [])
        return clues

    def settle(self, clues: Iterable[str]) -> None:
        """Waits until the picture shows these clues, and the board stays where it is."""
        self.wait(lambda: self.clues == [*clues] and not self.find("#board .layer-draft > *"))
        places: list[Any] = [None]
        self.wait(lambda: places.append(self.cell("r1c1").rect) or places[-1] == places[-2])

    def take_up(self, kind: str) -> None:
        """Chooses a kind of clue."""
        (chip,) = self.wait(lambda: self.find(f".chip[data-kind='{kind}']"))
        self.click(chip)

    def give_value(self, value: str) -> None:
        """Types a value where one is asked for, and Enter."""
        self.wait(lambda: self.driver.switch_to.active_element.get_attribute("id") == "clue-value")
        self.keys(value, Keys.ENTER)

    def rim(self, line: str) -> None:
        """Presses the arrow beside a row or column, such as -row3."""
        self.driver.find_element(By.CSS_SELECTOR, f"[data-edge='{line}'] rect").click()

    def reload(self) -> None:
        """Loads the page anew."""
        self.driver.refresh()
        self.wait(lambda: self.find("[data-ready=true]"))
