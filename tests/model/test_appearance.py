"""What kinds are elsewhere: every name leads to one kind, in formats that exist."""

from collections import Counter

import pytest

from satdoku.model.kinds import KINDS, foreign

# Names of several kinds, which cells, a value or the place in the text tell apart.
SHARED = {
    "iss": {
        "AllDifferent", "Cage", "FullRank", "Indexing", "SameValues", "Sandwich", "StrictKropki",
        "Sum",
    },
    "fpuzzles": {"extraregion", "ratio", "xv"},  # the last two are also what `negative` lists
    "pencilmark": {"corner mathrax", "edge kropki", "kropki"},
    "sudokupad": set(),
}  # fmt: skip


def test_all_forms_are_known():
    assert {there.form for kind in KINDS.values() for there in kind.abroad} == SHARED.keys()


@pytest.mark.parametrize("form", SHARED)
def test_a_name_elsewhere_is_that_of_one_kind(form):
    kinds = Counter(name for _, name in {(kind.name, there.name) for kind, there in foreign(form)})
    assert {name for name, count in kinds.items() if count > 1} == SHARED[form]
