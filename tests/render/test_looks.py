"""Drawings in pictures: where they lie, what room they get, and that no text is markup."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given, settings
from look_cases import LOOKS, TEXTS
from soak import share

import satdoku
from satdoku.model.looks import Cage, Line, Shape, paint
from satdoku.model.puzzle import Puzzle, on_board
from satdoku.render.looks import FARTHEST, reach
from satdoku.render.shapes import CELL

PLAIN = Puzzle(*on_board("1.....2....3.4..", "thermo:r4c1,r3c1"))
SVG = "{http://www.w3.org/2000/svg}"


def drawn(*looks):
    return satdoku.render_svg(replace(PLAIN, looks=looks))


def test_a_picture_without_drawings_is_as_it_was():
    assert drawn() == satdoku.render_svg(PLAIN) and 'class="looks"' not in drawn()


def test_they_lie_under_the_grid_or_over_it_and_under_the_digits():
    under, over = paint(0, 0, ["#123456"])[0], Shape((1, 1), text="over", over=True)
    svg = drawn(over, under)
    order = [svg.index(part) for part in ("#123456", 'class="clue', 'class="cells"', ">over<")]
    assert order == sorted(order) and svg.index(">over<") < svg.index('class="given"')


def test_what_stands_beside_the_grid_has_room():
    width = float(re.search(r' width="([\d.]+)"', drawn())[1])
    wider = float(
        re.search(r' width="([\d.]+)"', drawn(Shape((0.5, 4.5), (1, 1), edge="#000000")))[1]
    )
    assert wider == width + CELL
    assert reach([Shape((0, -50), text="x")], 160, 160).left == FARTHEST * CELL


def test_opacity_angles_and_heads():
    svg = drawn(
        Line(((0.5, 0.5), (0.5, 2.5)), "#ff000080", 0.1, arrow=True),
        Shape((2, 2), (1, 0.5), True, "#00ff00", angle=90),
        Cage(((0, 0), (0, 1)), text="A"),
    )
    assert '<g opacity="0.5">' in svg and 'stroke="#ff0000"' in svg and svg.count(">A<") == 1
    path = re.search(r'd="(M[^"]*Q[^"]*Z)" fill="#00ff00"', svg)[1]
    xs = [float(x) for x, _ in re.findall(r"(-?[\d.]+) (-?[\d.]+)(?=Q|Z|$)", path)]
    assert max(xs) - min(xs) == pytest.approx(CELL, abs=0.1)  # its height, turned


@settings(max_examples=share(60), deadline=None)
@given(LOOKS)
def test_any_drawing_makes_a_picture_that_is_whole(looks):
    root = ET.fromstring(drawn(*looks))
    names = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert names <= {"svg", "g", "rect", "path", "line", "circle", "text", "title"}


@settings(max_examples=share(60), deadline=None)
@given(TEXTS.filter(str.strip))
def test_a_text_is_never_markup(text):
    root = ET.fromstring(drawn(Shape((1, 1), text=text), Cage(((0, 0),), text=text)))
    said = "".join(each.text or "" for each in root.iter(f"{SVG}text"))
    assert all(word in said for word in re.findall(r"[A-Za-z<>&]+", text.replace("\r", "\n")))
    assert not {"script", "img", "b"} & {each.tag.removeprefix(SVG) for each in root.iter()}


def test_other_kinds_of_pictures():
    pytest.importorskip("resvg_py")
    looks = (*paint(0, 0, ["#ff0000"]), Shape((1, 1), text="<b>"))
    assert satdoku.render_png(replace(PLAIN, looks=looks)) != satdoku.render_png(PLAIN)
