"""The grid under the page's digits."""

import xml.etree.ElementTree as ElementTree

import pytest

import satdoku
from satdoku.render.svg import render_background


def test_it_is_the_picture_without_digits_and_words():
    rules = satdoku.constraints_for("knight;thermo:r1c1,r2c1;sandwich=12:row3;cage=5:r5c5,r5c6")
    found = render_background(rules)
    whole = satdoku.render_svg("." * 81, rules).splitlines()
    mine = found.svg.splitlines()
    assert set(mine[3:]) <= set(whole)  # the first three lines state the size
    assert "Anti-knight: " in "\n".join(whole) and "Anti-knight" not in found.svg
    assert (found.cell, found.left, found.top) == (40, 36, 4)
    assert (found.width, found.height) == (36 + 360 + 4, 368)
    assert found.crowded == [40]
    view = ElementTree.fromstring(found.svg).get("viewBox")
    assert view == f"0 0 {found.width} {found.height}"


@pytest.mark.parametrize("size", [4, 9, 16])
def test_dark_is_the_same_drawing_in_other_colours(size):
    rules = satdoku.constraints_for("classic", satdoku.Board.of_size(size))
    light, dark = (render_background(rules, theme) for theme in ("light", "dark"))
    assert light[1:] == dark[1:]
    assert 'filter="url(#dark)"' in dark.svg and "filter" not in light.svg
    assert set(light.svg.splitlines()) <= set(dark.svg.splitlines())


def test_a_white_dot_stays_white_and_a_black_one_black():
    """By the pixel in the middle of each, which is not inverted as all others are."""
    pytest.importorskip("resvg_py")
    rules = satdoku.constraints_for("white:r1c1,r1c2;black:r2c1,r2c2")
    for theme, ground in (("light", 255), ("dark", 28)):
        found = render_background(rules, theme)
        x, y = round(found.left) + 40, round(found.top) + 20
        pixels = drawn(found.svg)
        assert pixels[y][x] > 200 and pixels[y + 40][x] < 60
        assert abs(pixels[y][x - 10] - ground) < 8


def drawn(svg):
    """The red of each pixel, one a user unit."""
    import io

    import resvg_py
    from matplotlib import image

    data = io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))
    return (image.imread(data, format="png")[:, :, 0] * 255).astype(int)
