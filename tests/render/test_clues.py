"""Drawings of clues: every kind is seen, inside its picture, below the digits."""

import re
import xml.etree.ElementTree as ET
from math import hypot
from random import Random

import pytest
from clue_examples import OF_LAYERS, random_clue

from satdoku.model.board import Board
from satdoku.model.clue import Clue, ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid
from satdoku.model.kinds import KINDS, title
from satdoku.model.marks import pencil_marks
from satdoku.render import render_svg, render_terminal
from satdoku.render.clues import DRAWINGS, Sketch
from satdoku.render.shapes import CELL

SVG = "{http://www.w3.org/2000/svg}"
NINE = Board.of_size(9)


def drawn(rules, board=NINE, **options):
    return ET.fromstring(render_svg(empty_grid(board), constraints_for(rules, board), **options))


def groups_of(root):
    """Pairs of a class and its elements, in the order in which they are drawn."""
    return [(g.get("class"), list(g)) for g in root.iter(f"{SVG}g") if g.get("class")]


def elements_of(root, kind):
    return [e for name, inside in groups_of(root) if name == f"clue {kind}" for e in inside]


def texts_of(root, kind):
    return [e.text for e in elements_of(root, kind) if e.tag == f"{SVG}text"]


def extent(element):
    """Left, top, right and bottom of an element, in the units of the grid."""
    at = {key: float(v) for key, v in element.items() if re.fullmatch(r"-?[\d.]+", v)}
    if element.tag == f"{SVG}circle":
        x, y, r = at["cx"], at["cy"], at["r"]
        return x - r, y - r, x + r, y + r
    if element.tag == f"{SVG}rect":
        return at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]
    if element.tag == f"{SVG}text":
        width = 0.6 * at["font-size"] * len(element.text)
        left = at["x"] - width * {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor")]
        return left, at["y"] - at["font-size"], left + width, at["y"]
    numbers = [float(x) for x in re.findall(r"-?[\d.]+", element.get("d"))]
    xs, ys = numbers[::2], numbers[1::2]
    half = at["stroke-width"] / 2
    return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half


def assert_inside(root):
    _, _, width, height = map(float, root.get("viewBox").split())
    (frame,) = (g for g in root.iter(f"{SVG}g") if g.get("transform"))
    dx, dy = map(float, re.findall(r"[\d.]+", frame.get("transform")))
    for name, inside in groups_of(root):
        for element in inside if name.startswith("clue ") else ():
            left, top, right, bottom = extent(element)
            assert -dx <= left and -dy <= top, name
            assert right + dx <= width and bottom + dy <= height, name


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - OF_LAYERS))
def test_every_kind_is_drawn_or_named(kind):
    example = KINDS[kind].example
    root = drawn(example, candidates=[range(1, 10)] * 81)
    if ":" in example:
        assert elements_of(root, kind)
    else:
        (clue,) = constraints_for(example, NINE).clues
        assert f"{title(kind, clue.value)}: " in " ".join(
            t.text for t in dict(groups_of(root))["rules"]
        )
    assert_inside(root)


@pytest.mark.parametrize("kind", KINDS)
def test_random_clues_stay_inside_and_below_the_digits(kind):
    rng = Random(kind)
    for size in (4, 6, 9):
        board = Board.of_size(size)
        texts = {random_clue(rng, kind, size) for _ in range(3)}
        try:
            constraints = constraints_for(";".join(texts), board)
        except ClueError:
            continue
        grid = empty_grid(board)
        marks = [range(1, size + 1)] * board.cells
        root = drawn(constraints.name, board, candidates=marks)
        assert_inside(root)
        names = [name for name, _ in groups_of(root)]
        assert not any(name.startswith("clue") for name in names[names.index("candidates") :])
        assert render_svg(grid, constraints) == render_svg(grid, constraints.name)


def test_every_drawing_is_that_of_a_kind():
    """What has none of its own is outlined or, without cells, named in the caption."""
    assert {kind.look.drawing for kind in KINDS.values()} == DRAWINGS.keys()
    with_cells = (kind for kind in KINDS.values() if ":" in kind.example)
    assert {kind.name for kind in with_cells if kind.look.drawing == "named"} == {
        "alike",
        "alike-run",
        "chaos",
        "contains",
        "count",
        "equality",
        "formula",
    }


def test_setters_shapes():
    """Circle for odd, square for even, bulb at the first cell, letters on X and V."""
    rules = "odd:r1c1;even:r1c2;thermo:r2c2,r3c3;x:r4c4,r4c5;v:r5c4,r5c5;sum=12:r6c4,r6c5"
    root = drawn(rules)
    (disc,), (square,) = elements_of(root, "odd"), elements_of(root, "even")
    assert (disc.tag, disc.get("cx")) == (f"{SVG}circle", "20")
    assert square.tag == f"{SVG}rect"
    bulb, tube = elements_of(root, "thermo")
    assert (bulb.get("cx"), bulb.get("cy"), tube.get("d")) == ("60", "60", "M60 60L100 100")
    assert texts_of(root, "sum") == ["X", "12", "V"]


def test_each_weight_stands_in_its_cell():
    root = drawn("weighted=-2,1,10=-5:r2c1,r1c1,r1c2")
    assert texts_of(root, "weighted") == ["-2", "=-5; +1", "+10"]


def test_a_value_is_written_unless_it_is_the_usual_one():
    rules = "white:r1c1,r1c2;difference=3:r2c1,r2c2;black:r3c1,r3c2;ratio=4:r4c1,r4c2"
    root = drawn(f"{rules};whisper:r6c1-r6c4;whisper=4:r7c1-r7c4")
    assert (texts_of(root, "difference"), texts_of(root, "ratio")) == (["3"], ["4"])
    assert texts_of(root, "whisper") == ["4"]
    assert texts_of(drawn("low=3:r1c1;digits=1,5,9:r2c2"), "low") == ["≤3"]
    assert texts_of(drawn("digits=1,5,9:r2c2"), "digits") == ["159"]


def test_a_line_whose_order_says_nothing_runs_from_neighbour_to_neighbour():
    (line,) = elements_of(drawn("renban:r1c1,r1c2,r2c1,r2c2"), "renban")
    assert line.get("d") == "M20 20L60 20M20 20L20 60M60 20L60 60"


def test_a_kind_without_a_drawing_is_outlined_and_named():
    root = drawn("taxicab:r1c1,r1c2,r5c5")
    assert texts_of(root, "taxicab") == ["Anti-taxicab"]
    outline = elements_of(root, "taxicab")[1].get("d")
    assert outline.count("M") == 6 + 4  # the edges of a domino and of a cell


def test_the_outline_of_an_l_closes():
    """Every end of an edge is the end of exactly one other edge."""
    sketch = Sketch(NINE, [Clue("cage", ((0, 9, 10),), "15")])
    (path,) = [e for _, e in sketch.layers["edges"] if "<path" in e]
    ends = re.findall(r"[ML]([\d.]+ [\d.]+)", path)
    assert sorted(ends) == sorted(2 * [*set(ends)]) and len(ends) == 16
    assert sketch.crowded == {0}


def test_digits_of_a_quadruple_stand_in_two_rows_within_the_circle():
    """As large as those in corners, or larger, and in the order of the value."""
    cells = "r1c1,r1c2,r2c1,r2c2"
    for value, rows in (("1,2,3,4", ["12", "34"]), ("1,2,3", ["12", "3"]), ("8,9", ["89"])):
        circle, *texts = elements_of(drawn(f"quadruple={value}:{cells}"), "quadruple")
        assert [text.text for text in texts] == rows
        x, y, r = (float(circle.get(name)) for name in ("cx", "cy", "r"))
        for left, top, right, bottom in map(extent, texts):
            low = bottom - (bottom - top) * 0.28  # digits are lower than their line
            top = bottom - (bottom - top) * 0.72
            corners = [(u, v) for u in (left, right) for v in (top, min(low, bottom))]
            assert all(hypot(u - x, v - y) < r for u, v in corners)
        assert all(float(text.get("font-size")) >= 11 for text in texts)


def test_a_sign_between_sums_points_at_the_lower_group():
    for text, way in (("r1c1>r1c2", 1), ("r1c2>r1c1", -1)):
        sign = elements_of(drawn(f"greater-sum:{text}"), "greater-sum")[-1].get("d")
        x, _, tip, *_ = map(float, re.findall(r"[\d.]+", sign))
        assert (tip - x) * way > 0


def test_a_line_that_is_read_from_its_start_has_a_dot_there():
    for text in ("value-index:r2c1-r2c4", "machine=a-[1]>a,a*:r2c1-r2c4"):
        dot = elements_of(drawn(text), text.partition("=")[0].partition(":")[0])[-1]
        assert (dot.get("cx"), dot.get("cy")) == ("20", "60")


def test_numbers_outside_are_large():
    (text,) = elements_of(drawn("sandwich=12:row3"), "sandwich")
    assert float(text.get("font-size")) >= 17


def test_numbers_outside_stand_one_beside_the_other():
    row, column = NINE.rows[2], NINE.columns[8]
    clues = [Clue("sandwich", (row,), "12"), Clue("x-sum", (row,), "20")]
    clues += [Clue("skyscraper", (row[::-1],), "4"), Clue("x-sum", (column[::-1],), "9")]
    sketch = Sketch(NINE, clues)
    assert sketch.outside == {(2, -1), (2, -2), (2, 9), (9, 8)}
    assert sketch.ranks == (2, 0, 1, 1)
    assert Sketch(NINE, [Clue("little-killer", ((1, 11, 21),), "20")]).outside == {(-1, 0)}


@pytest.mark.parametrize(
    ("clue", "points"), [("=+:row3", (1, 0)), ("=-:row3", (-1, 0)), ("=+:-col1", (0, -1))]
)
def test_a_rossini_clue_is_an_arrow_outside_that_points_to_greater_digits(clue, points):
    shaft = elements_of(drawn(f"rossini{clue}"), "rossini")[0].get("d")
    x, y, u, v = map(float, re.findall(r"-?[\d.]+", shaft))
    assert ((u > x) - (u < x), (v > y) - (v < y)) == points
    assert min(x, y) < 0 or max(x, y) > 9 * CELL


def test_small_digits_stand_below_a_text_in_the_corner_of_their_cell():
    marks = pencil_marks(empty_grid(NINE))
    texts = dict(groups_of(drawn("low=5:r1c1", candidates=marks)))["candidates"]
    first, other = texts[0], texts[9]
    assert (first.text, other.text) == ("1", "1")
    assert float(first.get("y")) > float(other.get("y")) + 4
    assert float(first.get("font-size")) < 10


def test_clues_are_named_below_a_grid_on_the_terminal():
    rules = "white:r1c1,r1c2;white:r2c1,r2c2;thermo:r3c1,r4c1;no-white;knight"
    assert render_terminal("." * 16, rules).split("\n")[-3:] == [
        "# rules: knight, no-difference=1",
        "# difference=1: r1c1,r1c2; r2c1,r2c2",
        "# thermo: r3c1,r4c1",
    ]


def test_the_parts_of_an_or_are_faded_and_the_caption_says_which_they_are():
    root = drawn("or:(odd:r1c1),(and:(even:r1c2),(flat-mates))", Board.of_size(4))
    (faded,) = (g for g in root.iter(f"{SVG}g") if g.get("class") == "clue or")
    assert faded.get("opacity") == "0.5"
    assert {element.tag for element in faded} == {f"{SVG}circle", f"{SVG}rect"}
    said = " ".join(text.text for text in dict(groups_of(root))["rules"])
    assert said == (
        "Either-or: At least one of these clues holds: all of these clues hold: these cells hold "
        "even digits (r1c2); every middle digit (5 of 9) has the lowest digit directly above it or "
        "the highest directly below it, or both; these cells hold odd digits (r1c1)."
    )


@pytest.mark.parametrize("text", [
    "between:r1c1", "between:r1c1,r1c2", "thermo:r1c1", "zipper:r1c1,r1c2,r1c1", "arrow:r1c1>r1c1",
    "arrow:r1c1>r1c2,r1c2,r2c3", "lockout=1:r1c1,r1c2,r1c3,r1c2,r2c1", "regex=1.1:r1c1,r2c2,r1c1",
    "equal-sum:r1c1>r1c1", "sum=4:r1c1,r1c1", "product=4:r1c1,r1c1", "weighted=1,1=4:r1c1,r1c1",
])  # fmt: skip
def test_cells_that_come_again_and_short_lines_are_drawn(text):
    """What counts a cell again is told below, as no outline shows it."""
    root = drawn(text)
    assert_inside(root)
    below = " ".join(e.text for e in dict(groups_of(root)).get("rules", ()))
    is_told = text.startswith(("sum", "product"))
    assert below.endswith("(r1c1, r1c1); a cell that is listed again counts again." * is_told)
    assert bool(below) == is_told


def test_weights_of_a_cell_that_comes_again_stand_in_it_together():
    root = drawn("weighted=1,2,1=9:r1c1,r1c1,r1c2")
    assert texts_of(root, "weighted") == ["=9; +1+2", "+1"]
