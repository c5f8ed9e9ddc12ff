"""Layers with some of the digits of the grid, as variables that givens restrict."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku.files.iss import format_iss, parse_iss
from satdoku.files.iss.values import narrowed, widened
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.rules import RuleError

CLUES = [
    "connected=LOW:s", "connected=LOW:s;connected=HIGH:s", "thermo:s.r1c1,s.r1c2",
    "sum=5:s.r1c1,r1c1,s.r4c4", "cage:s.r1c1,s.r1c2", "whisper=1:s.r1c1,r1c1",
    "or:(thermo:s.r1c1,s.r1c2),(sum=5:s.r2c2,r2c2)", "odd:s.r3c3;palindrome:s.r1c1,r2c2,s.r3c3",
    "arrow:r1c1>s.r1c1,s.r1c2;renban:r1c1,s.r1c1",
]  # fmt: skip


@pytest.mark.parametrize("clues", CLUES)
@pytest.mark.parametrize("digits", ["1-2", "2-4", "1,4"])
def test_a_layer_of_some_digits_comes_back(clues, digits):
    clues = clues.replace("LOW", digits[0]).replace("HIGH", digits[-1])
    constraints = constraints_for(f"shape=4x4;layer=s:{digits};{clues}")
    text = format_iss("." * 16, constraints)
    held = "_".join(map(str, constraints.board.layers[0].digits))
    assert f".~VS1_{held}" in text and f".~VS16_{held}" in text
    read = parse_iss(text)
    assert read.constraints.board == constraints.board
    # `odd` is written as the digits that it leaves
    assert all(r in read.constraints.rules for r in constraints.rules if "odd" not in r)


@settings(max_examples=6, deadline=None)
@given(st.sets(st.integers(1, 4), min_size=1, max_size=3), st.sampled_from(CLUES[2:]))
def test_variables_that_are_given_some_digits_allow_the_same(digits, clues):
    """The layer with fewer digits, and the one of all digits with a clue on each variable."""
    held = ",".join(map(str, sorted(digits)))
    wide = constraints_for(
        f"shape=4x4;layer=s:1-4;{clues};"
        + ";".join(f"digits={held}:s.{Board(4, 2, 2).name_of(cell)}" for cell in range(16))
    )
    narrow = narrowed(wide)
    puzzle = "1234.........3.."
    assert satdoku.count(puzzle, narrow) == satdoku.count(puzzle, wide)
    assert narrow.board.layers[0].digits in (tuple(sorted(digits)), (1, 2, 3, 4))
    if narrow.board != wide.board:
        assert set(widened(narrow).rules) == set(wide.rules)


@pytest.mark.parametrize(("rules", "problem"), [
    ("layer=s:1-3;entropic:s.r1c1,s.r1c2,s.r1c3", "no layer s of digits 1-3: entropic:.* goes by"),
    ("layer=a:1-4;layer=s*4:2-3;equality:s.1,s.2", "no layer s of digits 2-3: equality:s.1,s.2"),
    ("layer=s:0-1", "no layer s of digits 0-1: variables hold digits of the grid, 1-4"),
    ("layer=s:1-5", "no layer s of digits 1-5"),
    ("layer=dgr:1-4", "no variables of the name dgr"),
])  # fmt: skip
def test_what_it_cannot_hold_is_named(rules, problem):
    with pytest.raises(RuleError, match=problem):
        format_iss("." * 16, f"shape=4x4;{rules}")


def test_clues_that_go_by_digits_keep_all_of_them():
    given_ = "".join(f".~VS{n}_1_2_3" for n in range(1, 4))
    read = parse_iss(f".Var~S~~3{given_}.Entropic~VS1~VS2~VS3").constraints
    assert read.board.layers[0].digits == tuple(range(1, 10))
    assert "digits=1,2,3:s.1" in read.rules
    read = parse_iss(f".Shape~6x6.Var~S~~3{given_}.Thermo~VS1~VS2~VS3").constraints
    assert (read.board.layers[0].digits, read.rules) == ((1, 2, 3), ("thermo:s.1,s.2,s.3",))
    few = parse_iss(f".Shape~6x6.Var~S~~4{given_}.Thermo~VS1~VS2~VS3").constraints
    assert few.board.layers[0].digits == (1, 2, 3, 4, 5, 6)
