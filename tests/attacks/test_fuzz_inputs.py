"""A few cases of bench/attacks/fuzz_inputs.py for each format; and that it sees what falls."""

import importlib.util
import sys
from itertools import product
from pathlib import Path

import pytest

PATH = Path(__file__).parents[2] / "bench" / "attacks" / "fuzz_inputs.py"
FORMATS = ("csv", "jsonl", "marks", "opb", "dimacs", "certificates", "iss")


@pytest.fixture(scope="module")
def attack():
    spec = importlib.util.spec_from_file_location(PATH.stem, PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[PATH.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("form", FORMATS)
def test_no_case_falls(attack, tmp_path, form):
    assert [attack.try_case(form, 0, number, str(tmp_path)) for number in range(25)] == [""] * 25


def test_all_formats_are_tried(attack):
    assert tuple(attack.FORMATS) == FORMATS


def test_a_good_line_has_the_answer_of_brute_force(attack):
    rows = ["".join(row) for row in product("1234", repeat=4) if len(set(row)) == 4]
    full = ("".join(grid) for grid in product(rows, repeat=4))
    right = {g for g in full if not attack.clash(g)}
    assert len(right) == 288 and set(attack.grids("." * 16)) == right


@pytest.mark.parametrize(
    ("main", "words"),
    [
        (lambda words: 1 / 0, "ZeroDivisionError"),
        (lambda words: 70, "exit code 70"),
        (lambda words: 2, "exit code 2 without a word"),
        (lambda words: print("\x1b[31m") or 0, r"'\x1b' on standard output"),
        (lambda words: print("1 2 \udc80") or 0, "UnicodeEncodeError"),
        (lambda words: 0, "is None, expected"),
    ],
)
def test_what_falls_is_seen(attack, tmp_path, monkeypatch, main, words):
    monkeypatch.setattr(attack, "_main", lambda: main)
    assert any(words in attack.try_case("csv", 0, number, str(tmp_path)) for number in range(9))
