"""How often our processes look for objects that keep each other."""

from __future__ import annotations

import gc

import pytest
from worker_cases import say_how_seldom

from satdoku import cli
from satdoku.runtime import collecting
from satdoku.runtime.child import Child


@pytest.fixture(autouse=True)
def as_before():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_our_processes_look_seldom(monkeypatch):
    gc.set_threshold(700)
    monkeypatch.setattr(cli, "main", lambda: gc.get_threshold()[0])
    monkeypatch.setattr(cli.signal, "signal", lambda *_: None)
    assert cli.run() == collecting.MANY
    child = Child(say_how_seldom)
    assert child.pipe.recv() == collecting.MANY
    child.process.join()
