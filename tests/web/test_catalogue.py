"""The catalogue knows what the model knows."""

import json
import re
from pathlib import Path

import pytest
from web_client import state

import satdoku
from satdoku.model.board import Board
from satdoku.model.kinds import ALIASES, KINDS, clue_of
from satdoku.model.other_names import folded
from satdoku.model.rules import BOARDS
from satdoku.web.asked import asked_puzzle
from satdoku.web.boards import board_of
from satdoku.web.catalogue import catalogue

WHOLE = catalogue()
LAYERED = "shape=9x9;layer=area:1-9"


def test_every_kind_and_rule_is_there():
    assert [kind["name"] for kind in WHOLE["kinds"]] == list(KINDS)
    assert [rule["name"] for rule in WHOLE["rules"]] == list(satdoku.RULES)
    assert [word["name"] for word in WHOLE["board_words"]] == list(BOARDS)
    assert WHOLE["rule_aliases"] == {"miracle": ["knight", "king", "nonconsecutive"]}
    json.dumps(WHOLE)


def test_values_with_names_of_their_own_are_clues():
    values = {value["name"]: value for value in WHOLE["values"]}
    assert {*ALIASES} < {*values} and len(values) == len(WHOLE["values"])
    assert values["white"]["fixed"] == "difference=1"
    assert values["white"]["text"] == "the two digits differ by 1"
    assert (values["white"]["title"], values["white"]["cells"]) == ("White Kropki dot", [2, 2])
    assert (values["whisper=4"]["title"], values["whisper=4"]["kind"]) == (
        "Dutch whisper",
        "whisper",
    )
    for name, value in values.items():
        kind, _, number = value["fixed"].partition("=")
        clue = clue_of(value["example"], Board())
        assert value["example"].split(":")[0] == name
        assert (clue.kind, clue.value) == (kind, number)


def test_everything_that_is_searched_has_a_title_and_names():
    for entry in (e for part in ("kinds", "values", "rules", "board_words") for e in WHOLE[part]):
        assert entry["title"] and all(name == folded(name) for name in entry["names"])
        assert folded(entry["title"]) in entry["names"] or entry["name"] not in KINDS


def test_shapes():
    shapes = {kind["name"]: kind["shape"] for kind in WHOLE["kinds"]}
    assert {shapes[name] for name in ("thermo", "whisper", "between")} == {"line"}
    assert {shapes[name] for name in ("cage", "odd", "renban")} == {"cells"}
    assert {shapes[name] for name in ("sandwich", "x-sum", "little-killer", "rossini")} == {
        "outside"
    }
    assert {shapes[name] for name in ("entropy", "taxicab", "no-ratio")} == {"global"}
    assert {shapes[name] for name in ("arrow", "clone", "equal-sum")} == {"groups"}
    assert {shapes[name] for name in ("difference", "greater")} == {"pair"}
    assert shapes["or"] == "clues"
    whole = {kind["name"] for kind in WHOLE["kinds"] if kind["whole_layer"]}
    assert whole == {"connected", "edge-connected", "single-loop", "no-square", "chaos"}
    assert {shapes[name] for name in whole} == {"global"} and shapes["alike-run"] == "groups"


@pytest.mark.parametrize("kind", WHOLE["kinds"], ids=lambda kind: kind["name"])
def test_every_example_is_a_clue_of_the_page(kind):
    if kind["name"] != "and":  # within an or
        rules = LAYERED if kind["example"].endswith(":area") else None
        puzzle = asked_puzzle({"puzzle": state("." * 81, rules, [kind["example"]], version=2)})
        assert len(puzzle.constraints.clues) == 1
    value = kind["value"]
    assert (value is None) == ("=" not in kind["example"].partition(":")[0]) or not value[
        "required"
    ]


def test_every_size_and_its_boxes_is_a_board():
    for size in WHOLE["sizes"]:
        number = size["size"]
        for boxes in size["boxes"]:
            assert asked_puzzle(
                {"puzzle": state("." * number**2, boxes=boxes)}
            ).grid.board.has_boxes
        if not size["boxes"]:
            assert asked_puzzle({"puzzle": state("." * number**2, f"latin={number}")})
    assert [size["size"] for size in WHOLE["sizes"]] == list(range(4, 17))


def test_boards_with_a_name_are_forms():
    (samurai,) = WHOLE["presets"]
    assert samurai["name"] == "samurai" and board_of(samurai["form"]).grid_cells == 369


def test_kinds_stand_under_the_headings_of_the_docs():
    page = (Path(__file__).parents[2] / "docs" / "CLUES.md").read_text()
    headings, heading = {}, ""
    for text, name in re.findall(r"^(?:## (.+)|### .*\(`([\w-]+)`.*\))$", page, re.MULTILINE):
        heading = text or heading
        headings[name] = heading
    assert {k["name"]: k["group"] for k in WHOLE["kinds"]} == {k: headings[k] for k in KINDS}
