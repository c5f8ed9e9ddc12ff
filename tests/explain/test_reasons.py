"""Reasons say which of their properties are not proved."""

from examples import PUZZLES

from satdoku import explain_conflict
from satdoku.explain import mus
from satdoku.explain import reasons as reasons_module


def test_a_conflict_that_ran_out_of_time_says_so(monkeypatch):
    inkala = (PUZZLES / "inkala-2012.txt").read_text().split("\n")[-2]
    wrong = inkala[0] + "2" + inkala[2:]
    monkeypatch.setattr(mus.Oracle, "_answer", lambda *_: None)  # no question is answered in time
    monkeypatch.setattr(reasons_module, "smallest", lambda *_: mus.Smallest(None, 5))
    reasons = explain_conflict(wrong, timeout=60).reasons
    assert (reasons.is_minimal, reasons.is_smallest, reasons.at_least) == (False, False, 5)
    assert reasons.as_data()["minimal"] is False
    assert reasons.caveat == (
        f" ({reasons.size} reasons; the time limit ended the search for fewer)"
    )
