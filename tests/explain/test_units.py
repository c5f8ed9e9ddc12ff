"""Units say exactly what the rules say."""

import pytest
from explain_cases import JIGSAW, NINE, ON_NINE, constraints_of

from satdoku.cnf.encodings import encode
from satdoku.explain.mus import (
    unit_clauses,
)
from satdoku.explain.units import units_of
from satdoku.model.constraints import constraints_for
from satdoku.model.rules import RULES


@pytest.mark.parametrize("rules", [*ON_NINE, JIGSAW])
def test_the_units_say_exactly_what_the_encoding_says(rules):
    constraints = constraints_of(rules, NINE)
    stated = {
        tuple(sorted(clause)) for unit in units_of(constraints).all for clause in unit_clauses(unit)
    }
    assert stated == {tuple(sorted(clause)) for clause in encode(constraints).clauses}


def test_units_are_counted_and_named():
    assert len(units_of(constraints_for()).all) == 324
    miracle = units_of(constraints_for("miracle"))
    # 152 of 224 knight's pairs, 56 of 128 king's pairs (those outside all houses), 144 neighbours.
    assert len(miracle.all) == 324 + 152 + 56 + 144
    words = {unit.words for unit in miracle.all}
    assert {"r1c1 holds one digit", "row 3 holds 5 once", "knight's move r1c4-r2c2"} <= words
    assert {house.label for house in units_of(constraints_for("windoku,diagonal")).houses} >= {
        "row 9", "column 1", "box 5", "window 4", "diagonal 2",
    }  # fmt: skip
    assert units_of(constraints_of(JIGSAW)).houses[-1].label == "region 4"


def test_every_rule_has_a_noun_or_no_units_of_its_own():
    for name, rule in RULES.items():
        assert rule.noun or name == "diagonal"
