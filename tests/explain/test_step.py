"""A step contains everything that a picture or a checker needs."""

import json

from examples import CLASSIC

import satdoku
from satdoku import explain_steps


def test_a_step_holds_what_a_picture_needs():
    step = next(step for step in explain_steps(CLASSIC) if step.technique == "naked pair")
    assert step.placed is None
    assert step.eliminated == tuple((cell, d) for cell in (69, 70, 71) for d in (4, 7))
    assert step.reason_cells == (66, 67, 69, 70, 71)
    assert step.candidates[66] == step.candidates[67] == {4, 7}
    svg = satdoku.render_svg(CLASSIC, candidates=step.candidates, highlights=step.highlights)
    assert svg.count("<svg") == 1
    data = json.loads(json.dumps(step.as_data()))
    assert data["size"] == len(data["reasons"]["units"]) == 4
    assert data["reasons"]["units"][2] == {
        "rule": "row", "label": "row 8", "digit": 4, "words": "row 8 holds 4 once",
        "cells": [f"r8c{c}" for c in range(1, 10)],
    }  # fmt: skip
    assert data["eliminated"][0] == {"cell": "r8c7", "digit": 4}
