"""Which implementation runs here, said in words without numpy."""

from __future__ import annotations

import pytest
from loaded_modules import foreign, modules_of, within

from satdoku import engine
from satdoku.engine.targets import FEW_PUZZLES, TARGETS, widest


def test_environment_forces_an_implementation(monkeypatch):
    for name in engine.implementations():
        monkeypatch.setenv("SATDOKU_SIMD", name)
        assert engine.active() == name
        assert engine.describe() == ("numpy" if name == "numpy" else f"C kernel, {name}")
    monkeypatch.setenv("SATDOKU_SIMD", "mmx")
    with pytest.raises(engine.EngineError, match="no engine 'mmx': there are "):
        engine.active()


@pytest.mark.skipif("avx512" not in engine.implementations(), reason="one width of vectors")
def test_few_classic_puzzles_run_in_narrow_vectors(monkeypatch):
    monkeypatch.delenv("SATDOKU_SIMD", raising=False)
    assert engine.active() == engine.implementations()[0]
    assert engine.active(FEW_PUZZLES) == "avx512vl"
    assert engine.active(FEW_PUZZLES + 1) == engine.active()
    monkeypatch.setenv("SATDOKU_SIMD", "avx512")
    assert engine.active(1) == "avx512"


def test_the_widest_has_the_most_lanes(monkeypatch):
    monkeypatch.delenv("SATDOKU_SIMD", raising=False)
    assert widest() == ("avx512" if "avx512" in TARGETS else engine.implementations()[0])
    monkeypatch.setenv("SATDOKU_SIMD", "numpy")
    assert widest() == "numpy"


def test_the_version_loads_the_targets_and_nothing_heavy():
    loaded = modules_of("--version")
    assert "satdoku.engine.targets" in loaded
    assert not within(loaded, "satdoku.engine.api", "satdoku.model", "numpy")
    assert not foreign(loaded)
