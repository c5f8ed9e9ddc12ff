"""A limit on memory binds one step, and leaves the user's own limits as they are."""

import sys

import pytest

from satdoku.files.collection.arrow import limited_memory

resource = pytest.importorskip("resource")
MIB = 1 << 20
LIMITS = resource.RLIMIT_DATA


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can limit it")
def test_a_step_beyond_the_limit_is_a_memory_error():
    before = resource.getrlimit(LIMITS)
    with limited_memory(64 * MIB), pytest.raises(MemoryError):
        bytearray(128 * MIB)
    assert resource.getrlimit(LIMITS) == before
    with limited_memory(256 * MIB):
        assert len(bytearray(128 * MIB)) == 128 * MIB


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can limit it")
def test_a_limit_of_the_user_is_kept(monkeypatch):
    placed = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (MIB, 5 * MIB))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: placed.append(limits))
    with limited_memory(1 << 40):
        pass
    assert placed == [(MIB, 5 * MIB)] * 2


def test_where_nothing_can_be_limited_nothing_is(monkeypatch):
    monkeypatch.setitem(sys.modules, "resource", None)
    with limited_memory(0):
        assert len(bytearray(MIB)) == MIB
