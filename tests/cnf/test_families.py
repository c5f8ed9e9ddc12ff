"""Every encoding has every family of clauses, by name and by number, so that none gets lost.

A family that follows from the others changes no grid when it is dropped, so only a list tells.
`bench/mutants.py` drops each in turn, and asks this module first.
"""

from __future__ import annotations

import pytest

from satdoku.cnf.encodings import ENCODINGS, encode
from satdoku.model.constraints import constraints_for

RULE_SETS = ("knight,nonconsecutive,diagonal", "king,antiqueen,windoku,disjoint")
PAIRS = {"knight", "king", "nonconsecutive", "antiqueen"}
LEAST_FOR_CELLS = {"minimal", "efficient"}  # a house's "at least one" then follows by counting
LEAST_FOR_NO_GROUP = {"log"}  # codes out of range are excluded, so every cell holds a digit
TRIADS = ["triad: one of its own", "triad: true with its own"]


def expected_names(encoding, constraints):
    """The families in the order of the constraints: cells, rows, columns, boxes, then rules."""
    names = []
    for kind in (family.name for family in constraints.families):
        if kind == "cell" and ENCODINGS[encoding] == "integer":
            names.append("cell: in range")
            continue
        least_for_houses = encoding not in LEAST_FOR_CELLS | LEAST_FOR_NO_GROUP
        if kind not in PAIRS and (kind == "cell" or least_for_houses):
            names.append(f"{kind}: at least one")
        if (encoding, kind) != ("minimal", "cell"):
            names.append(f"{kind}: at most one")
    return names + TRIADS * (encoding == "triads")


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_no_family_is_missing(encoding, rules):
    constraints = constraints_for(rules)
    formula = encode(constraints, encoding)
    assert [family.name for family in formula.families] == expected_names(encoding, constraints)
    assert all(family.clauses for family in formula.families)
    joined = [clause for family in formula.families for clause in family.clauses]
    assert list(formula.clauses) == joined


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("encoding", [e for e in ENCODINGS if e not in ("triads", "log", "order")])
def test_at_least_one_is_the_groups_themselves(encoding, rules):
    constraints = constraints_for(rules)
    families = {family.name: family.clauses for family in encode(constraints, encoding).families}
    for family in constraints.families:
        stated = families.get(f"{family.name}: at least one", ())
        variables = [tuple(candidate + 1 for candidate in group) for group in family.groups]
        assert [tuple(sorted(clause)) for clause in stated] in ([], variables)
