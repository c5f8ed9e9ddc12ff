"""What the page docs/try takes from the package: the kernel, scripts of the served page, and names.

Invariant: no name of a rule or a clue stands in the scripts of docs/try; they read `names.json`,
which is made here. Where the kernel was not built, that file says so and what to install, and the
site is built all the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from satdoku.engine import wasm
from satdoku.files.fpuzzles import NO_CONSTRAINT, clues, house_keys, links, sudokupad
from satdoku.files.fpuzzles.words import COLOURS, DRAWINGS
from satdoku.model.board import Board
from satdoku.model.kinds import KINDS, clue_of
from satdoku.model.other_names import title_of
from satdoku.model.rules import RULES

FOLDER = "try"
STATIC = wasm.FOLDER.parents[1] / "web" / "static"
SHARED = ("dom.js", "history.js", "icon.svg", "pad.js", "style.css", "theme.js")


def taken() -> Iterator[tuple[str, Path]]:
    """Files of the package, each behind its place in the site."""
    for name in ("satdoku.js", *([wasm.KERNEL.name] if wasm.KERNEL.is_file() else [])):
        yield f"{FOLDER}/{name}", wasm.FOLDER / name
    for name in SHARED:
        yield f"{FOLDER}/shared/{name}", STATIC / name


def names() -> str:
    """JSON of all that the page shows and reads by name.

    missing: what to install for the kernel, empty where it was built. rules: name, title and
    sentence of each. links: see `_fpuzzles` and `_sudokupad`.
    """
    rules = [
        {"name": rule.name, "title": title_of(rule), "text": rule.summary}
        for rule in RULES.values()
    ]
    missing = "" if wasm.KERNEL.is_file() else wasm.MISSING
    links = {**_fpuzzles(), **_sudokupad()}
    return json.dumps({"missing": missing, "rules": rules, "links": links})


def _fpuzzles() -> dict[str, Any]:
    """Keys of f-puzzles: those that turn on a rule, those of one house with its cells for each
    size, the rules that stand there as houses, the titles of the clues, the clues beside which the
    key of neighbours denies less, and keys that are no constraints."""
    titles: dict[str, str] = {}
    for key in clues.KEYS:
        titles[key.name] = title_of(KINDS[key.kind])  # an extra region is the last of its key
    boards = {size: Board.of_size(size) for size in wasm.SIZES}
    return {
        "flags": {**clues.FLAGS, clues.NONCONSECUTIVE: clues.RULE},
        "denied": clues.NONCONSECUTIVE,
        "freed": [key.name for key in clues.KEYS if key.kind in clues.FREED],
        "houses": {
            str(size): {
                key: sorted(clue_of(text, board).cells) for text, key in house_keys(board).items()
            }
            for size, board in boards.items()
        },
        "gathered": list(clues.BY_HOUSES),
        "titles": titles,
        "silent": sorted(NO_CONSTRAINT - {*DRAWINGS}),
        "drawings": DRAWINGS,
        "colours": [*COLOURS, "highlight", "highlightArray"],
    }


def _sudokupad() -> dict[str, Any]:
    """Names that SudokuPad's own JSON has: for the whole grid, in the metadata, of styles of cages,
    the short keys, the colour of a diagonal, and keys that are no constraints."""
    return {
        "global": {name: key for name, (key, what) in sudokupad.GLOBAL.items() if what is True},
        "metadata": list(sudokupad.IN_METADATA),
        "styles": sudokupad.STYLES,
        "short": links.KEYS,
        "lineColour": sudokupad.DIAGONAL,
        "native": sorted(sudokupad.NO_CONSTRAINT),
        "noRules": sudokupad.NO_RULES,
    }
