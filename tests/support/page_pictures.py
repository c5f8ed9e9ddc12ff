"""Pictures of the page for docs: `python tests/support/page_pictures.py [NAME ...]` redraws them.

Invariant: each shows the page as it is after keys and presses that a person could have made.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from browser import TELEPHONE, WIDE, chromium, served
from page import Page
from PIL import Image
from selenium.webdriver.common.keys import Keys
from setting import Setting
from tried import handed_out

TOP = Path(__file__).parents[2]
FOLDER = TOP / "docs" / "pictures"
CHAINED = "....4...6..5.2......279..3.1......58..4....7..23...6......5.....671....4.8....9.."


def start(page: Setting) -> None:
    """The puzzle of three clues that docs/START.md sets."""
    page.panel("board")
    page.choose("Size", "4 × 4")
    page.wait(lambda: len(page.find("#board .cell")) == 16)
    page.panel("clues")
    for name, cells in (
        ("thermometer", ["r3c4", "r2c3", "r1c2"]),
        ("killer", ["r1c2", "r2c2", "r3c2"]),
        ("white kropki", ["r4c2", "r4c3"]),
    ):
        before = len(page.clues)
        (field,) = page.find("#panel-clues .find")
        field.clear()
        field.send_keys(name, Keys.ENTER)
        page.drag(cells)
        if name == "killer":
            page.give_value("9")
        page.wait(lambda: len(page.clues) > before)  # noqa: B023
    page.answered()
    page.tick("The solution")
    page.top()


def miracle(page: Page) -> None:
    """The Miracle Sudoku with the first of its steps."""
    page.focus("r5c3")
    page.keys("1")
    page.go("r6c7")
    page.keys("2")
    page.panel("rules")
    for rule in ("knight", "king", "nonconsecutive"):
        page.rule(rule)
        page.wait(lambda: rule in page.puzzle.get("rules", ""))  # noqa: B023
    page.wait(lambda: page.answered() == "Unique")
    page.panel("study")
    page.press("Next step")
    page.wait(lambda: page.find("#board .mark-conclusion"))


def chain(page: Page) -> None:
    """A step of a classic puzzle whose chain is drawn, in the dark."""
    page.choose("Colours", "Dark")
    page.paste(CHAINED)
    page.answered()
    page.panel("study")
    page.press("All steps and rating")
    page.wait(lambda: page.text(".rating"))
    for item in page.find(".steps li"):
        item.click()
        if page.find("#board .link"):
            break
    page.top()


def clash(page: Setting) -> None:
    """A wrong given in the puzzle of docs/START.md."""
    start(page)
    page.tick("The solution")
    page.focus("r2c3")
    page.keys("1")
    page.answered()
    page.top()


def telephone(page: Page) -> None:
    """Numbers of solutions of each candidate, as narrow as a telephone."""
    page.narrow(*TELEPHONE)
    page.paste("12..34.....2....")
    page.panel("live")
    page.tick("Solutions of each")
    page.answered()
    page.press("Digits")


def layers(page: Page) -> None:
    """A yin-yang sudoku, solved: its shading, and the form of the board."""
    counts = [f"equal-sum:r{number}c1>shade.row{number}" for number in (2, 4, 5)]
    counts += [f"equal-sum:r1c{number}>shade.col{number}" for number in (3, 4, 5, 6)]
    kinds = [f"{kind}={value}:shade" for kind in ("connected", "no-square") for value in (0, 1)]
    puzzle = {
        "format": "satdoku-puzzle",
        "version": 2,
        "puzzle": ".3.........1.2......3.......1.4.6...",
        "rules": "shape=6x6;layer=shade:0-1",
        "clues": [*kinds, *counts],
    }
    page.paste(json.dumps(puzzle))
    page.tick("The solution")
    page.answered()
    page.panel("board")
    page.panel("study")
    page.top()


def tried(page: Page) -> None:
    """The page docs/try: the Miracle Sudoku, solved."""
    page.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    page.press("Example: the Miracle Sudoku")
    page.wait(lambda: page.text("#status") == "One solution")
    page.press("Solution")
    page.wait(lambda: page.find("#board .found"))
    page.top()


SCENES: dict[str, Callable[[Any], None]] = {
    "start": start,
    "miracle": miracle,
    "chain": chain,
    "clash": clash,
    "telephone": telephone,
    "layers": layers,
    "try": tried,
}
SERVERS = {"try": handed_out}


def main(folder: Path, names: list[str]) -> None:
    """Draws the scenes, or those of these names, each in a browser of its own."""
    for name in names or SCENES:
        with (
            tempfile.TemporaryDirectory() as own,
            SERVERS.get(name, served)() as address,
            chromium(Path(own), WIDE) as driver,
        ):
            page = Setting(driver, address, Path(own))
            SCENES[name](page)
            picture = Image.open(io.BytesIO(page.picture())).convert("RGB")
        path = folder / f"page-{name}.png"
        picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=1).save(path, optimize=True)
        print(f"{path}: {path.stat().st_size >> 10} KB")


if __name__ == "__main__":
    main(FOLDER, sys.argv[1:])
