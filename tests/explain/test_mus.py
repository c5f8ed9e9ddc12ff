"""Smallest sets of reasons by PySAT's OptUx."""

import gc
import sys

from satdoku.explain.mus import smallest


def test_a_smallest_subset_is_found_and_known_to_be_one():
    found = smallest([[-1, -2], [-3, -4, -5]], [3, 4, 5, 1, 2], 60.0, 5)
    assert (set(found.literals), found.at_least) == ({1, 2}, 2)


def test_an_interrupt_while_optux_is_made_leaves_no_complaint(monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    lost = []
    monkeypatch.setattr("pysat.examples.optux.Hitman", interrupted)
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    is_interrupted = False
    try:
        smallest([[-1, -2]], [1, 2], 60.0, 2)
    except KeyboardInterrupt:
        is_interrupted = True
    gc.collect()
    assert (is_interrupted, lost) == (True, [])
