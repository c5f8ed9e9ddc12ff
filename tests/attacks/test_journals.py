"""A few cases of bench/attacks/journals.py; and that it sees what falls."""

import importlib.util
import sys
from pathlib import Path

import pytest
from soak import share

PATH = Path(__file__).parents[2] / "bench" / "attacks" / "journals.py"


@pytest.fixture(scope="module")
def attack():
    spec = importlib.util.spec_from_file_location("attack_on_journals", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("number", range(share(12)))
def test_no_case_falls(attack, number):
    assert attack.try_case(0, number).endswith((": right", ": refused"))


def test_another_output_is_seen(attack, monkeypatch):
    def whole(draw, place, data):
        place.journal.write_bytes(data)

    monkeypatch.setattr(attack, "CHANGES", (whole,))
    assert attack.try_case(0, 0) == "whole: right"
    monkeypatch.setattr(attack, "expected", lambda place, *options: (2, b"another output"))
    with pytest.raises(attack.Fall, match="whole: exit"):
        attack.try_case(0, 0)
