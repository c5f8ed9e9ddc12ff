from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.bench.pictures import (
    COLOURS,
    DASHES,
    Ending,
    load_matplotlib,
    name_lines,
    plain,
    spread,
)

pytest.importorskip("matplotlib")


@given(st.lists(st.floats(0, 1), max_size=8).map(sorted))
def test_names_keep_their_order_and_a_distance(heights):
    places = spread(heights, 0.05)
    assert all(b - a > 0.05 - 1e-9 for a, b in pairwise(places))
    assert sum(places) == pytest.approx(sum(heights), abs=1e-9)


def test_heights_far_apart_stay_where_they_are():
    assert spread([0.1, 0.3, 0.9], 0.05) == pytest.approx([0.1, 0.3, 0.9])
    assert spread([0.5, 0.5], 0.05) == pytest.approx([0.475, 0.525])


def test_a_name_stands_right_of_the_panel_and_points_to_its_lines_end():
    axes = load_matplotlib().Figure().add_subplot()
    axes.set_xlim(0, 10)
    axes.set_ylim(0.01, 100)
    axes.set_yscale("log")
    name_lines(axes, [Ending("a $b$", 5, 1, "red")])
    (text,) = axes.texts
    assert text.xy == pytest.approx((0.5, 0.5))
    assert text.xyann[0] > 1
    assert text.get_text() == plain("a $b$") == r"a \$b\$"


def test_every_colour_has_dashes_of_its_own():
    assert len(set(map(str, DASHES))) == len(DASHES) == len(set(COLOURS)) == len(COLOURS)
