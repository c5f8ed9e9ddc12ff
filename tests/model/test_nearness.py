"""Warnings of clues whose cells do not touch where their kind is drawn so."""

import random

import pytest
from examples import FOUR

import satdoku
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS
from satdoku.model.nearness import clue_warnings


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("thermo:r1c1,r5c5", "r1c1 and r5c5 do not touch"),
        ("thermo:r1c1,r2c2,r2c4,r9c9", "r2c2 and r2c4 do not touch"),
        ("whisper=5:r1c9,r2c1", "r1c9 and r2c1 do not touch"),  # neighbours in number only
        ("little-killer=9:r1c1,r3c3", "r1c1 and r3c3 do not touch"),
        ("white:r1c1,r2c2", "r1c1 and r2c2 do not share an edge"),
        ("ratio=3:r1c1,r1c3", "r1c1 and r1c3 do not share an edge"),
        ("greater:r2c2,r1c1", "r2c2 and r1c1 do not share an edge"),
        ("x:r1c1,r2c2", "r1c1 and r2c2 do not share an edge"),
        ("V : r9c9, r1c1", "r1c1 and r9c9 do not share an edge"),
        ("cage=15:r1c1,r1c2,r2c3", "r1c1 and r2c3 are not joined by cells that share edges"),
        ("renban:r1c1,r3c3,r1c2", "r1c1 and r3c3 are not joined by cells that touch"),
        ("quadruple=1:r1c1,r1c2,r2c1,r2c3", "r1c1 and r2c3 do not touch"),
        ("arrow:r1c1,r1c2>r2c1>r3c3,r4c4", "r1c2 and r3c3 do not touch"),
        ("arrow:r1c1>r1c2,r1c4", "r1c2 and r1c4 do not touch"),
        ("or:(odd:r1c1),(and:(x:r1c1,r2c2),(odd:r1c2))", "r1c1 and r2c2 do not share an edge"),
    ],
)  # fmt: skip
def test_a_warning_names_two_cells_that_lie_apart(text, problem):
    assert clue_warnings(f"knight;{text};odd:r1c1") == (f"{text}: {problem}",)


@pytest.mark.parametrize(
    "text",
    ["sum=10:r1c1,r9c9", "clone:r1c1>r9c9", "distinct:r1c1,r5c5", "no-x", "taxicab", "circles:row1",
     "renban:r1c1,r3c3,r2c2", "cage:r1c1,r2c2,r2c1", "arrow:r1c1,r1c2>r2c3>r1c3,r1c4",
     "x:r1c2,r1c1", "region:rising", "cage=5:r4c4", "sandwich=3:row1",
     *(kind.example for kind in KINDS.values())],
)  # fmt: skip
def test_nothing_is_said_of_cells_that_lie_well(text):
    assert clue_warnings(f"layer=area:1-9;{text}") == ()


def test_each_clue_is_named_once_in_the_order_of_the_text():
    text = "v:r1c1,r4c4;thermo:r1c1,r3c3;v:r1c1,r4c4"
    assert [line[:8] for line in clue_warnings(text, FOUR)] == ["v:r1c1,r", "thermo:r"]
    constraints = constraints_for(text, FOUR)  # which knows the sum only
    assert clue_warnings(constraints) == ("thermo:r1c1,r3c3: r1c1 and r3c3 do not touch",)
    assert satdoku.clue_warnings is clue_warnings


def test_sets_are_joined_as_a_flood_says():
    rng = random.Random(4)
    for _ in range(200):
        cells = rng.sample(range(16), rng.randint(2, 4))
        flood = {cells[0]}
        for _ in cells:
            steps = {a + step for a in flood for step in (-4, 4)}
            steps |= {a - 1 for a in flood if a % 4} | {a + 1 for a in flood if a % 4 < 3}
            flood |= steps & {*cells}
        text = "cage:" + ",".join(map(FOUR.name_of, cells))
        assert bool(clue_warnings(text, FOUR)) == (len(flood) < len(cells))


def test_variables_of_layers_may_lie_anywhere():
    rules = [
        "layer=a:1-9;thermo:a.r1c1,a.r5c5;arrow:r2c2>a.r9c9,a.r1c1",
        "layer=a*2:1-9;arrow:r1c1>a.1",
    ]
    assert [clue_warnings(text) for text in rules] == [(), ()]
