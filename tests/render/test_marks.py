"""What is drawn alike is told apart, read back from the picture itself, without colours."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations
from random import Random

import pytest

from satdoku.model.board import Board
from satdoku.model.clue import Clue
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid
from satdoku.model.kinds import KINDS, title
from satdoku.render import render_svg
from satdoku.render.marks import FRAMES, PATTERNS, frame, patterned, shaded

SVG = "{http://www.w3.org/2000/svg}"
NINE = Board.of_size(9)
NUMBERS = [kind for kind in KINDS.values() if kind.look.alike == "numbers"]
LINES = [kind for kind in KINDS.values() if kind.look.alike == "lines"]


def nameless(rules):
    """The elements of a picture in order, and its legend; no class tells what they are."""
    root = ET.fromstring(render_svg(empty_grid(NINE), constraints_for(rules, NINE)))
    (frame,) = (g for g in root.iter(f"{SVG}g") if g.get("transform"))
    elements = [e for group in frame.iter(f"{SVG}g") if group is not frame for e in group]
    legend = " ".join(t.text for g in root.iter(f"{SVG}g") if g.get("class") == "rules" for t in g)
    return elements, legend


# Numbers outside ----------------------------------------------------------------------------------


def shape_of(element):
    """The frame as a person sees it: by its corners."""
    if element.tag == f"{SVG}circle":
        return "circle"
    if element.tag == f"{SVG}rect":
        return "square"
    corners = element.get("d").count("L") + 1
    return {4: "diamond", 5: "house", 6: "hexagon"}[corners]


def middle(element):
    at = {name: float(v) for name, v in element.items() if re.fullmatch(r"-?[\d.]+", v)}
    if element.tag == f"{SVG}circle":
        return at["cx"], at["cy"]
    if element.tag == f"{SVG}rect":
        return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    if element.tag == f"{SVG}text":
        return at["x"], at["y"] - 0.36 * at["font-size"]
    points = [
        (float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d"))
    ]
    return tuple((min(way) + max(way)) / 2 for way in zip(*points, strict=True))


def numbers_read(rules):
    """Each number outside as (what its frame means by the legend, row or column, value)."""
    elements, legend = nameless(rules)
    outside = [e for e in elements if not all(0 < x < 360 for x in middle(e))]
    found = Counter()
    for text in (e for e in outside if e.tag == f"{SVG}text"):
        x, y = middle(text)
        around = [
            shape_of(e) for e in outside
            if e.tag != f"{SVG}text" and (e.get("d") or "Z").endswith("Z")
            and abs(middle(e)[0] - x) < 3 and abs(middle(e)[1] - y) < 3
        ]  # fmt: skip
        mark = ("double " if len(around) == 2 else "") + around[0] if around else ""
        means = re.search(rf"Number in a {mark}: (.*?)(?= Number in|$)", legend) if mark else None
        line = f"row{int(y // 40) + 1}" if 0 < y < 360 else f"col{int(x // 40) + 1}"
        is_from_far = x > 360 or y > 360
        found[means[1] if means else "", "-" * is_from_far + line, text.text] += 1
    return found


@pytest.mark.parametrize("seed", range(6))
def test_each_number_of_each_kind_is_told_from_the_picture_alone(seed):
    """Of all kinds at once, and of any two, in random places; diagonals have arrows."""
    rng = Random(seed)
    some = NUMBERS if seed % 2 else rng.sample(NUMBERS, 2)
    lines = [
        f"{way}{line}{n}" for way in ("", "-") for line in ("row", "col") for n in range(1, 10)
    ]
    wanted = Counter()
    for kind in some:
        for line in rng.sample(lines, 5):
            wanted[title(kind.name), line, str(rng.randint(1, 8))] += 1
    texts = [
        f"{next(k.name for k in some if title(k.name) == name)}={v}:{line}"
        for name, line, v in wanted
    ]
    found = numbers_read(";".join(["classic", *texts, "little-killer=20:r1c2-r8c9"]))
    assert found.pop(("", "col1", "20")) == 1  # before the diagonal, with its arrow
    # A sandwich reads the same from both ends, so that it stands where its line begins.
    either = Counter(
        {
            (n, line.lstrip("-") if n == title("sandwich") else line, v): c
            for (n, line, v), c in wanted.items()
        }
    )
    assert found == either


def test_numbers_of_one_kind_stand_plain():
    elements, legend = nameless("sandwich=3:row1;sandwich=4:row2;little-killer=20:r1c2-r8c9")
    assert not legend
    assert [e.tag for e in elements].count(f"{SVG}circle") == 0
    assert {e.tag for e in elements} == {f"{SVG}text", f"{SVG}path"}


def test_every_frame_has_its_kind_and_no_two_are_alike():
    marks = [kind.look.mark for kind in NUMBERS]
    assert sorted(marks) == sorted(FRAMES)
    for mark in marks:
        drawn = [parsed(element) for element in frame(mark, (0, 0))]
        assert mark == "double " * (len(drawn) == 2) + shape_of(drawn[0])


def parsed(element):
    return ET.fromstring(f'<g xmlns="{SVG[1:-1]}">{element}</g>')[0]


# Lines --------------------------------------------------------------------------------------------


def lightness(colour):
    """L* of CIELAB, in which a picture is printed in grey."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    y = sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 116 * (y ** (1 / 3) if y > 0.008856 else 7.787 * y + 16 / 116) - 16


def pattern_of(strokes):
    """The pattern of strokes on one another, the body 8 wide, as a person sees it in grey."""
    body = next(s for s in strokes if s.get("stroke-width") == "8")
    (upon, *_) = [s for s in strokes if s is not body] or [None]
    if upon is None:
        return "plain"
    tone = lightness(upon.get("stroke")) - lightness(body.get("stroke"))
    assert abs(tone) > 10
    shade = "white" if tone > 0 else "dark"
    width, dashes = float(upon.get("stroke-width")), upon.get("stroke-dasharray")
    if dashes == "none":
        return f"{shade} edges" if upon is strokes[0] and width > 8 else f"a {shade} core"
    if upon.get("stroke-linecap") == "butt":
        return f"{shade} bars"
    lengths = [float(length) for length in dashes.split()]
    if len(lengths) == 4:
        return f"{shade} dots and dashes"
    return ("large " if width > 5 else "") + f"{shade} {'dots' if lengths[0] < 1 else 'dashes'}"


def test_each_line_is_told_by_its_pattern_in_grey_too():
    """All kinds at once: the strokes of each cell's line say which kind it is."""
    rules = [
        f"{VALUES.get(kind.name, kind.name)}:r{row}c{column}-r{row}c{column + 3}"
        for kind, (row, column) in zip(LINES, PLACES, strict=False)
    ]
    elements, _ = nameless(";".join(["classic", *rules]))
    for kind, (row, column) in zip(LINES, PLACES, strict=False):
        path = f"M{40 * column - 20} {40 * row - 20}L"
        strokes = [e for e in elements if (e.get("d") or "").startswith(path)]
        assert pattern_of(strokes) == kind.look.mark


PLACES = [(row, column) for row in range(1, 10) for column in (1, 6)]
VALUES = {"regex": "regex=1.*", "machine": "machine=a-[1]>a,a*", "lunchbox": "lunchbox=12"}


def test_lines_of_one_kind_are_plain():
    elements, legend = nameless("renban:r1c1-r1c4;renban:r2c1-r2c4;thermo:r5c1-r5c4")
    assert not legend
    assert len([e for e in elements if e.get("stroke") == "#e79bec"]) == 2


def test_every_pattern_has_its_kind():
    assert sorted(kind.look.mark for kind in LINES) == sorted(PATTERNS)


def lab(colour):
    """CIELAB of a colour (#rrggbb), for the white D65."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_the_colours_of_lines_differ():
    """Every two by 14 in CIELAB, where 2.3 is just seen; without marks they differ in shape."""
    coloured = [kind for kind in KINDS.values() if "colour" in kind.look.options]
    assert len(coloured) > 15
    for one, other in combinations(coloured, 2):
        colours = lab(one.look.options["colour"]), lab(other.look.options["colour"])
        distance = sum((a - b) ** 2 for a, b in zip(*colours, strict=True)) ** 0.5
        assert distance > 14, (one.name, other.name)
        if {one.look.alike, other.look.alike} != {"lines"}:
            assert shape(one) != shape(other), (one.name, other.name)


def shape(kind):
    """All of a look but its colour."""
    look = kind.look
    return look.drawing, {key: what for key, what in look.options.items() if key != "colour"}


def test_shades_of_a_colour():
    assert (shaded("#804020", 0.5), shaded("#804020", 2)) == ("#402010", "#ffffff")
    body = {"stroke": "#804020", "stroke_width": 8.0}
    assert len(list(patterned("plain", "M0 0L9 9", body))) == 1
    edges = list(patterned("dark edges", "M0 0L9 9", body))
    assert "#402010" in edges[0] and "#804020" in edges[1]


def test_a_mark_in_words():
    words = {kind.name: kind.look.in_words(is_marked=True) for kind in (*NUMBERS, *LINES)}
    assert words["sandwich"] == "number in a circle outside the grid"
    assert words["renban"] == "pink line with dark dots"
    assert words["whisper"] == "plain green line"
    assert KINDS["renban"].look.in_words(is_marked=False) == "pink line"
    assert Clue("renban", ((0, 1),)).kind in words
