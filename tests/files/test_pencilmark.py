"""Puzzles that pencilmark exchanges: rules of its specification as clues, or refused."""

import json
from itertools import product

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from record_cases import read_both

from satdoku import count, solutions, solve
from satdoku.cli import main
from satdoku.files.foreign import ForeignError, object_format
from satdoku.files.pencilmark import FAMILIES, allowed_pairs, named_pair, parse_pencilmark
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for

BOXES = {"type": "box_grid", "origin": "r1c1", "box": [3, 3]}
FOUR = {"type": "box_grid", "origin": "r1c1", "box": [2, 2]}


def stated(*rules, size=9, houses=None, **more):
    return {
        "format": "sudoku-puzzle",
        "format_version": 1,
        "board": {"rows": size, "cols": size},
        "digits": size,
        "givens": [0] * size**2,
        "rules": [*(houses or [FOUR if size == 4 else BOXES]), *rules],
    } | more


def read(*rules, **more):
    return parse_pencilmark(json.dumps(stated(*rules, **more)))


def cells(text):
    return [f"r{a}c{b}" for a, b in text.split()]


def rule(name, names="", **more):
    """A rule of a type, and a kind if it has one, on cells."""
    kind, _, flavour = name.partition(" ")
    found = {"type": kind} | ({"kind": flavour} if flavour else {})
    return found | ({"cells": cells(names)} if names else {}) | more


CORNER, LINE, LEFT = "11 12 21 22", "11 12 22 33 34", {"side": "left"}
ROW = " ".join(f"3{i}" for i in range(1, 10))
SAID = [
    (rule("region diagonal", " ".join(f"{i}{i}" for i in range(1, 10))), "region:falling"),
    (rule("region extra", "11 55"), "distinct:r1c1,r5c5"),
    (rule("cage", "11 12 21", sum=15), "cage=15:r1c1,r1c2,r2c1"),
    (rule("cage", "11 12"), "cage:r1c1,r1c2"),
    *(
        (rule(f"line {theirs}", LINE), f"{ours}:r1c1,r1c2,r2c2,r3c3,r3c4")
        for theirs, ours in {
            "thermo": "thermo", "slow_thermo": "slow-thermo", "whisper": "whisper=5",
            "renban": "renban", "region_sum": "region-sum", "palindrome": "palindrome",
            "entropic": "entropic", "modular": "modular=3", "parity": "parity", "zipper": "zipper",
            "between": "between", "lockout": "lockout=4", "double_arrow": "double-arrow",
        }.items()
    ),
    (
        rule("line whisper", "11 12 22", value=4, closed=True),
        "whisper=4:r1c1,r1c2,r2c2;whisper=4:r2c2,r1c1",
    ),
    (rule("line renban", "11 12", closed=True), "renban:r1c1,r1c2"),
    (
        rule("arrow", bulb=["r1c1", "r1c2"], lines=[["r2c3"], ["r2c1", "r3c1"]]),
        "arrow:r1c1,r1c2>r2c3>r2c1,r3c1",
    ),
    (rule("edge kropki", "11 12", color="white"), "difference=1:r1c1,r1c2"),
    (rule("edge kropki", "11 12", color="black"), "ratio=2:r1c1,r1c2"),
    (rule("edge xv", "11 12", letter="V"), "sum=5:r1c1,r1c2"),
    (rule("edge product", "11 12", value=6), "product=6:r1c1,r1c2"),
    (rule("edge less", "11 12"), "greater:r1c2,r1c1"),
    (rule("corner battenburg", CORNER), "parity:r1c1,r1c2,r2c2,r2c1"),
    (rule("corner mathrax", CORNER, op="+", value=9), "sum=9:r1c1,r2c2;sum=9:r1c2,r2c1"),
    (rule("corner mathrax", CORNER, op="odd"), "odd:r1c1,r1c2,r2c1,r2c2"),
    (rule("corner exclude", CORNER, value=9), "digits=1,2,3,4,5,6,7,8:r1c1,r1c2,r2c1,r2c2"),
    (rule("sum little_killer", "92 81", sum=9, side="bottom"), "little-killer=9:r9c2,r8c1"),
    (rule("sum frame", "11 21 31", sum=9, side="top"), "sum=9:r1c1,r2c1,r3c1"),
    (rule("sandwich", ROW, sum=12, **LEFT), "sandwich=12:row3"),
    (rule("xsum", " ".join(f"{i}9" for i in range(9, 0, -1)), sum=24, **LEFT), "x-sum=24:-col9"),
    (rule("skyscraper", ROW, value=3, **LEFT), "skyscraper=3:row3"),
    (rule("rossini", "11 12 13", arrow="out", **LEFT), "thermo:r1c3,r1c2,r1c1"),
    (
        rule("first_seen", "11 12 13", value=2, digits=[1, 2, 3], **LEFT),
        "regex=[^123]*2.*:r1c1,r1c2,r1c3",
    ),
    (rule("neighbours antiknight"), "knight"),
    (rule("relation", op="different", pairs=[["r1c1", "r3c3"]]), "distinct:r1c1,r3c3"),
    (rule("cell odd", "11"), "odd:r1c1"),
    (rule("cell low", "11", split=5), "low=5:r1c1"),
    (rule("cell high", "11", split=5), "high=6:r1c1"),
    (rule("cell set", "11", values=[1, 2]), "digits=1,2:r1c1"),
    (rule("cell exclude", "11", values=[1, 2]), "digits=3,4,5,6,7,8,9:r1c1"),
    (rule("contains", CORNER, digits=[1, 9]), "contains=1,9:r1c1,r1c2,r2c1,r2c2"),
    (rule("appears", "12 13", source="r1c1"), None),
    (rule("clone", regions=[["r1c1", "r1c2"], ["r9c8", "r9c9"]]), "clone:r1c1,r1c2>r9c8,r9c9"),
    (rule("count", "11 55 99", counts=[[3, 2]]), "count=3x2:r1c1,r5c5,r9c9"),
    (rule("count circles", "11 47"), "circles:r1c1,r4c7"),
    (rule("global_entropy"), "entropy"),
    (rule("equal_sum", segments=[["r1c1", "r1c2"], ["r2c3"]]), "equal-sum:r1c1,r1c2>r2c3"),
    (rule("table", "11 12 21", allowed=[[1, 2, 3], [3, 2, 1]]), "regex=123|321:r1c1,r1c2,r2c1"),
    (rule("negative", of="kropki"), "no-difference=1;no-ratio=2"),
    (rule("negative", of="kropki", color="black"), "no-ratio=2"),
    (rule("negative", of="xv", letter="X"), "no-sum=10"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "clues"), SAID)
def test_each_rule_is_the_clue_that_says_the_same(said, clues):
    found = read(said).rules
    if clues is not None:
        assert found == constraints_for(clues).name


def test_every_family_is_shown_here_and_heeds_every_key():
    assert {name.split()[0] for name in FAMILIES} == {said["type"] for said, _ in SAID}
    for said, _ in SAID:
        with pytest.raises(ForeignError, match=r"rule 1 \(.*\): key 'strange' is not supported"):
            read(said | {"strange": 0})
        read(said | {"id": "7", "label": "x", "style": {"color": 1}})


def test_pairs_of_neighbours_within_a_scope():
    inside = rule("neighbours", op="not_sum", params=[5], where="orthogonal")
    for more, number in (
        ({}, 24),
        ({"within": "box"}, 16),
        ({"area": ["r1c1", "r1c2", "r2c2"]}, 2),
        ({"except": [["r1c2", "r1c1"]]}, 23),
    ):
        found = read(inside | more, size=4).rules
        assert found.count("regex=1[^4]|2[^3]|3[^2]|4[^1]:") == number
    for kind, word in (("antiking", "distinct"), ("nonconsecutive", "regex")):
        assert read(rule(f"neighbours {kind}", area="r1c1"), size=4).rules.count(word) > 10


def test_an_appearing_digit_stands_again():
    found = read(rule("appears", "12 13", source="r1c1"), size=4).rules
    assert count("." * 16, found, limit=1) == 0  # all three in a row
    found = read(rule("appears", "22 33", source="r1c1"), size=4).rules
    grids = [str(grid) for grid in solutions("." * 16, found)]
    assert 0 < len(grids) < 288 and all(g[0] in (g[5], g[10]) for g in grids)


# Each as a sentence in other words, with a parameter of 2 where it takes one.
OPERATORS = {
    "less_equal": lambda a, b: not a > b,
    "parity_differs": lambda a, b: a % 2 != b % 2,
    "same_mod3": lambda a, b: a % 3 == b % 3,
    "not_consecutive": lambda a, b: b not in (a - 1, a + 1),
    "different_third": lambda a, b: -(-a // 3) != -(-b // 3),
    "not_difference": lambda a, b: b not in (a - 2, a + 2),
    "difference_at_most": lambda a, b: a - 2 <= b <= a + 2,
    "ratio": lambda a, b: 2 * a == b or 2 * b == a,
    "not_ratio": lambda a, b: 2 * a != b and 2 * b != a,
    "not_sum": lambda a, b: b != 2 - a,
}


@pytest.mark.parametrize("op", OPERATORS)
def test_an_operator_allows_what_its_sentence_says(op):
    params = [2] if [*OPERATORS].index(op) >= 5 else []
    pairs = {(a, b) for a, b in product(range(1, 10), repeat=2) if OPERATORS[op](a, b)}
    assert allowed_pairs(op, params, 9) == pairs
    assert (named_pair(op, params) == "") == (op != "ratio")
    either = [[op, params], ["sum", [2]], ["allowed", [[[1, 9]]]]]
    assert allowed_pairs("any_of", either, 9) == pairs | {(1, 1), (1, 9)}


def test_negatives_spare_what_carries_a_clue():
    """All cells but the odd ones are even; beside dots of another kind it means something else."""
    odd = rule("cell odd", " ".join(f"{r}{c}" for r in range(1, 5) for c in range(1, 5) if r != c))
    found = read(odd, rule("negative odd", of="cell"), size=4).rules
    assert "even:r1c1,r2c2,r3c3,r4c4" in found or "even:falling" in found
    with pytest.raises(ForeignError, match="not supported beside edges of the kind difference"):
        read(rule("edge difference", "11 12", value=3), rule("negative", of="kropki"))
    dot = rule("edge kropki", "11 12", color="white")
    assert read(dot, rule("negative", of="kropki")).rules.count("difference=1") == 2


def test_houses_make_the_board():
    latin = [{"type": "grid", "origin": "r1c1"}]
    assert read(size=4, houses=latin).grid.board == Board(4, 1, 4)
    layout = "1112122233334444"
    places = [f"{r}{c}" for r in range(1, 5) for c in range(1, 5)]
    pieces = [
        " ".join(p for p, label in zip(places, layout, strict=True) if label == k) for k in "1234"
    ]
    boxes = [rule("box", piece) for piece in pieces]
    assert read(size=4, houses=latin + boxes).grid.board == Board.of_map(layout)
    assert read(size=4, houses=latin + boxes[:1]).rules.endswith(";region:r1c1,r1c2,r1c3,r2c1")
    lines = [{"type": "row", "cells": [f"r{r}c{c}" for c in range(1, 5)]} for r in range(1, 5)]
    with pytest.raises(ForeignError, match="4 of the rows and columns are no houses"):
        read(size=4, houses=lines)
    columns = [{"type": "column", "cells": [f"r{r}c{c}" for r in range(1, 5)]} for c in range(1, 5)]
    assert read(size=4, houses=lines + columns).grid.board == Board(4, 1, 4)
    assert read(size=4, houses=[FOUR, *lines]).grid.board == Board.of_size(4)


def test_a_puzzle_is_read_wherever_one_is(tmp_path, capsys):
    value = stated(
        givens=[int(digit) if digit.isdigit() else 0 for digit in CLASSIC],
        solution=[*map(int, CLASSIC_SOLUTION)],
        candidates={"r1c1": [int(CLASSIC_SOLUTION[0])]},
        meta={"title": "T", "author": "A", "id": 7, "url": "x"},
        decorations=[{"kind": "line"}],
        style={},
        ext={"com.example": {}},
    )
    found = parse_pencilmark(json.dumps(value))
    assert (found.id, found.title, found.author) == ("7", "T", "A")
    assert str(solve(found.grid)) == str(found.answer) == CLASSIC_SOLUTION
    assert len(found.marks[0]) == 1 and len(found.marks[1]) == 9
    assert object_format(value).name == "pencilmark"
    del value["candidates"]
    file = tmp_path / "puzzles.jsonl"
    file.write_text(f"{json.dumps(value)}\n{json.dumps(value)}\n")
    records = read_both(str(file))
    assert [str(record.answer) for record in records] == [CLASSIC_SOLUTION] * 2
    for argument in (json.dumps(value), json.dumps(value, indent=1)):
        assert main(["solve", argument]) == 0
        assert capsys.readouterr().out == CLASSIC_SOLUTION + "\n"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format_version": 2}, "format_version 2: expected 1"),
        ({"format_version": True}, "format_version True: expected 1"),
        ({"rules": 5}, "rules: expected a list of objects"),
        ({"board": 5}, "board: expected an object such as"),
        ({"digits": 8}, "9x9 with 8 digits: expected as many rows as columns"),
        (
            {"board": {"rows": 9, "cols": 8}},
            "9x8 with 9 digits: expected as many rows as columns",
        ),
        ({"strange": 1}, "no key 'strange' is known"),
        ({"givens": [0] * 80}, "givens: found 80, expected a list of 81 numbers"),
        ({"givens": [None] * 81}, "givens: found None, expected digits 0 to 9"),
        ({"solution": [0] * 81}, "solution: found 0, expected digits 1 to 9"),
        ({"candidates": {"r0c1": [1]}}, "candidates: r0c1 has"),
        ({"candidates": {"r1c1": 1}}, "candidates: r1c1 has 1, expected"),
        ({"meta": 5}, "meta and candidates: expected objects"),
        ({"rules": [BOXES, rule("vudoku", CORNER)]}, r"rule 1 \(vudoku\): not supported"),
        ({"rules": [BOXES, rule("com.example:x")]}, r"rule 1 \(com.example:x\): not supported"),
        ({"rules": [BOXES, {"type": "cage"}]}, r"rule 1 \(cage\): it has no key 'cells'"),
        ({"rules": [BOXES, {"type": "cage", "cells": 5}]}, "5: expected a list of cells"),
        ({"rules": [BOXES, {"type": "cage", "cells": ["r1c1;king"]}]}, "r1c1;king is no cell of"),
        ({"rules": [BOXES, rule("cage", "11", sum="5")]}, "sum 5: expected a whole"),
        ({"rules": [BOXES, rule("cage", "11 12", sum=50)]}, "cage=50"),
        ({"rules": [BOXES, rule("xsum", "11", side="up", sum=5)]}, "side: expected top"),
        ({"rules": [BOXES, rule("relation", op="x", pairs=[["r1c1", "r1c2"]])]}, "no operator 'x'"),
        ({"rules": [BOXES, rule("relation", op="sum", pairs=[["r1c1"]])]}, "not as the format"),
        ({"rules": [BOXES, rule("negative", of="rossini")]}, "of rossini is not supported"),
        ({"rules": [{"type": "box_grid", "origin": "r1c1", "box": [2, 3]}]}, r"found box \[2, 3\]"),
        ({"rules": [{"type": "grid", "origin": "r2c1"}]}, "found origin r2c1, expected r1c1"),
        ({"rules": []}, "18 of the rows and columns are no houses: not supported"),
    ],
)  # fmt: skip
def test_what_is_not_supported_is_named(change, problem):
    with pytest.raises(ForeignError, match=problem) as caught:
        parse_pencilmark(json.dumps(stated() | change), source="file", line=7)
    assert str(caught.value).startswith("file: line 7: ")


def test_values_that_depend_on_the_size_must_be_stated():
    line = rule("line whisper", "11 12")
    with pytest.raises(ForeignError, match="value None: expected a whole number"):
        read(line, size=4)
    assert read(line | {"value": 2}, size=4).rules == "classic;whisper=2:r1c1,r1c2"
