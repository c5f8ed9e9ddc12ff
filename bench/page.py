"""The time from a key to fresh answers on the page, in a real Chromium.

    python bench/page.py [--edits N] [--busy N] [--only NAME] [--server]

Each edit is what a person does: a digit is typed into a cell or taken out of it, a clue is typed or
deleted. The page itself notes when the key came and when it shows the status, the true candidates
and everything. After every tenth edit *Hint* is pressed. Each line tells the median and the worst
milliseconds, of digits and of clues: after a digit the engine in the tab answers at once, after a
clue it waits for the plan. `--server` blocks the kernel, so that the server alone answers.
`--busy 4` keeps as many processes at work meanwhile.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from satdoku import generate, solve
from satdoku.generator.clues import puzzles_with_clues
from satdoku.model.board import Board

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from browser import chromium, served
from selenium.webdriver.common.keys import Keys
from setting import Setting

MIXED = ["thermo", "arrow", "whisper", "renban", "white", "black", "palindrome", "x"]
SHADED = [
    "connected=0:shade", "connected=1:shade", "no-square=0:shade", "no-square=1:shade",
    "thermo:r1c1,r1c2,r2c2", "difference=1:r5c5,r5c6", "digits=1:shade.r1c1,shade.r2c5",
    "digits=0:shade.r6c6",
]  # fmt: skip
STAGES = "status", "candidates", "all", "hint"
Edit = tuple[str, str]  # a cell with its digit, or the text of a clue; empty to take it away

# Notes when the last key or press came, and what was shown how long after it.
WATCH = """
const seen = (window.seen = {});
const start = () => { window.since = performance.now(); for (const key in seen) delete seen[key]; };
for (const name of ["keydown", "pointerdown"]) addEventListener(name, start, true);
const note = (stage) => { seen[stage] ??= performance.now() - window.since; };
const look = () => {
  const verdict = document.querySelector(".verdict"), work = document.querySelector(".work");
  if (verdict.classList.contains("stale")) { for (const key in seen) delete seen[key]; return; }
  note("status");
  if (/^(counting|answered)|clashes/.test(work.textContent)) note("candidates");
  if (work.textContent.startsWith("answered")) note("all");
};
const says = document.querySelector("#panel-study .says");
const hinted = () => { if (says.textContent) note("hint"); };
new MutationObserver(hinted).observe(says, { childList: true, characterData: true, subtree: true });
const panel = document.querySelector("#panel-live");
const all = { subtree: true, childList: true, characterData: true, attributes: true };
new MutationObserver(look).observe(panel, all);
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edits", type=int, default=100, metavar="N", help="of each puzzle")
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="processes beside it")
    parser.add_argument(
        "--only", default="", metavar="NAME", help="the puzzles whose name has this"
    )
    parser.add_argument("--server", action="store_true", help="without the engine in the tab")
    arguments = parser.parse_args()
    others = [multiprocessing.Process(target=_work, daemon=True) for _ in range(arguments.busy)]
    for other in others:
        other.start()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(served())
        driver = stack.enter_context(chromium(folder))
        if arguments.server:
            driver.execute_cdp_cmd("Network.enable", {})
            driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/kernel/*"]})
        for name, (start, edits) in puzzles(arguments.edits).items():
            if arguments.only in name:
                report(name, Setting(driver, address, folder), start, edits)
                driver.execute_script("sessionStorage.clear()")
    for other in others:
        other.kill()


def _work() -> None:
    while True:
        sum(range(100_000))


def puzzles(number: int) -> dict[str, tuple[str, list[Edit]]]:
    """The puzzle to begin with, as a text, and the edits, by the sort of puzzle."""
    classic, knight = (
        "".join(str(digit or ".") for digit in generate(1, rules=rules, seed=1).ravel())
        for rules in ("classic", "knight")
    )
    killer = with_clues(["cage"], 1)
    mixed = first_of_each(with_clues(MIXED, 2)[1])
    large = str(solve("." * 256))
    shaded = "shape=6x6;layer=shade:0-1"
    few = "".join(
        digit if Random(place).random() < 0.5 else "." for place, digit in enumerate(large)
    )
    return {
        "classic": made(classic, "classic", [], number),
        "anti-knight": made(knight, "knight", [], number),
        "killer": made(killer[0], "classic", killer[1], number),
        "mixed, 8 clues": made("." * 81, "classic", mixed, number),
        "yin-yang, a layer": made("." * 36, shaded, SHADED, number),
        "16x16": made(few, "classic", [], number, large),
    }


def with_clues(kinds: list[str], seed: int) -> tuple[str, list[str]]:
    made = next(puzzles_with_clues(clues=kinds, seed=seed))
    return str(made.grid), list(made.constraints.clue_texts)


def first_of_each(clues: list[str]) -> list[str]:
    """The first clue of each kind."""
    found = {clue.partition(":")[0].partition("=")[0]: clue for clue in reversed(clues)}
    return list(found.values())


def made(
    puzzle: str, rules: str, clues: list[str], number: int, solution: str = ""
) -> tuple[str, list[Edit]]:
    """The start has half of the clues. Digits of a solution and clues go in and out, one by one."""
    drawn = clues[: len(clues) // 2]
    solution = solution or str(solve(puzzle, ";".join([rules, *clues])))
    about = {"format": "satdoku-puzzle", "version": 2, "puzzle": puzzle}
    text = json.dumps(about | {"rules": rules, "clues": drawn})
    return text, list(edits(puzzle, solution, clues, drawn, number))


def edits(
    puzzle: str, solution: str, clues: list[str], drawn: list[str], number: int
) -> Iterator[Edit]:
    rng, cells = Random(1), list(puzzle)
    board = Board.of_size(round(len(puzzle) ** 0.5))
    for place in range(number):
        if clues and place % 3:
            clue = rng.choice(clues)
            yield clue, "" if clue in drawn else "on"
            drawn = [other for other in drawn if other != clue] + [clue] * (clue not in drawn)
        else:
            cell = rng.randrange(len(cells))
            before, cells[cell] = cells[cell], solution[cell] if cells[cell] == "." else "."
            yield board.name_of(cell), solution[cell] if before == "." else ""


def report(name: str, page: Setting, start: str, changes: list[Edit]) -> None:
    """Do the edits, and print a line for those of digits and one for those of clues."""
    page.paste(start)
    for panel in ("clues", "study"):
        page.panel(panel)
    page.answered()
    page.driver.execute_script(WATCH)
    times: dict[str, list[dict[str, float]]] = {"digits": [], "clues": []}
    for number, (what, value) in enumerate(changes):
        times["clues" if ":" in what else "digits"].append(row := timed(page, what, value))
        if number % 10 == 9:
            page.press("Hint", "#panel-study")
            row["hint"] = seen(page, "hint")["hint"]
    for sort, rows in times.items():
        columns = {stage: [row[stage] for row in rows if stage in row] for stage in STAGES}
        words = [
            f"{stage} {median(c):.0f} (worst {max(c):.0f})" for stage, c in columns.items() if c
        ]
        if rows:
            print(f"{name}, {len(rows)} {sort}: {', '.join(words)} ms", flush=True)


def timed(page: Setting, what: str, value: str) -> dict[str, float]:
    """Milliseconds until each stage is shown after an edit."""
    if ":" not in what:
        page.focus(what)
        page.keys(value or Keys.BACKSPACE)
    elif value:
        page.write("Clue as text", what)
        page.keys(Keys.ENTER)
    else:
        page.click(page.find(f"[aria-label='Delete {what}']")[0])

    return seen(page, "all")


def seen(page: Setting, stage: str) -> dict[str, float]:
    """What the page noted since the last key or press, as soon as the stage is among it."""

    def noted() -> dict[str, Any] | None:
        found: dict[str, Any] = page.driver.execute_script("return window.seen")
        return found if stage in found else None

    return page.wait(noted)


if __name__ == "__main__":
    main()
