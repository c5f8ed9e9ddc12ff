"""The catalogue knows what the model knows."""

import json
import re
from pathlib import Path

import pytest
from web_client import state

import satdoku
from satdoku.model.kinds import ALIASES, KINDS
from satdoku.web.asked import asked_puzzle
from satdoku.web.boards import board_of
from satdoku.web.catalogue import catalogue

WHOLE = catalogue()
LAYERED = "shape=9x9;layer=area:1-9"


def test_every_kind_and_rule_is_there():
    assert [kind["name"] for kind in WHOLE["kinds"]] == list(KINDS)
    assert [rule["name"] for rule in WHOLE["rules"]] == list(satdoku.RULES)
    assert WHOLE["aliases"].keys() == ALIASES.keys() and WHOLE["aliases"]["white"] == "difference=1"
    assert WHOLE["rule_aliases"] == {"miracle": ["knight", "king", "nonconsecutive"]}
    json.dumps(WHOLE)


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
    for marks, name in re.findall(r"^(##|###) (.+)$", page, re.MULTILINE):
        heading = name if marks == "##" else heading
        headings[name] = heading
    assert {k["name"]: k["group"] for k in WHOLE["kinds"]} == {k: headings[k] for k in KINDS}
