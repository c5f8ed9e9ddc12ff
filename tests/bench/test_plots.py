"""Pictures of measurements."""

from __future__ import annotations

from itertools import pairwise

import pytest
from bench_fakes import ladder
from hypothesis import given
from hypothesis import strategies as st

from satdoku.bench.figures import MEASURES, Contestant, duels
from satdoku.bench.plots import (
    COLOURS,
    DASHES,
    MOST_LINES,
    Ending,
    cactus,
    curves,
    load_matplotlib,
    name_lines,
    plain,
    scatter,
    spread,
    write_plots,
)

pytest.importorskip("matplotlib")
NO_DUELS = dict.fromkeys(MEASURES, ())


@pytest.fixture
def rows():
    return ladder()


@pytest.fixture(scope="module")
def module():
    return load_matplotlib()


def texts(axes):
    return {text.get_text(): text for text in axes.texts}


def test_a_curve_is_sorted_and_holds_only_answers(rows):
    lines = dict(curves([*rows, rows[0]._replace(status="wrong", solve_s=0.0001)]))
    assert len(lines[Contestant("cadical153", "extended")]) == 12
    slow = lines[Contestant("z3-bool", "-")]
    assert slow == pytest.approx([0.001 + 1.4**i for i in range(7)])
    assert next(iter(lines)) == Contestant("cadical153", "extended")
    (first, *_), _ = list(dict(curves(rows, MEASURES["solving"])).values())[:2]
    assert first == pytest.approx(0.01)


def test_lines_of_a_cactus_are_named_at_their_ends_and_differ_in_dashes(rows, module):
    figure = cactus(module, rows, "oneshot")
    for axes in figure.axes:
        assert axes.get_yscale() == "log"
        assert set(texts(axes)) == {
            "cadical153 extended (12/12)", "cadical153 log (12/12)",
            "z3-enum (12/12)", "z3-bool (7/12)",
        }  # fmt: skip
        lines = axes.get_lines()
        assert len({str(line.get_linestyle()) + str(line._dash_pattern) for line in lines}) == 4
        ends = {line.get_color(): line.get_ydata()[-1] for line in lines}
        names = sorted(axes.texts, key=lambda text: text.xyann[1])
        assert [ends[t.get_color()] for t in names] == sorted(ends.values())


def test_a_cactus_has_few_lines_the_best_of_each_library_and_kind(rows, module):
    more = [
        r._replace(encoding=e, solve_s=r.solve_s and 9.9) for r in rows[::4] for e in "abcdefgh"
    ]
    many = [r._replace(backend=b) for r in rows[::4] for b in "abcdefgh"]
    assert len(cactus(module, rows + more, "oneshot").axes[0].get_lines()) == 4
    assert len(cactus(module, rows + many, "oneshot").axes[0].get_lines()) == MOST_LINES


def test_lines_of_a_cactus_are_of_the_same_instances(rows, module):
    part = [r for r in rows if r.backend != "z3-enum" or r.instance < "i4"]  # six of twelve
    rare = [rows[0]._replace(backend="rare")]
    for axes in cactus(module, part + rare, "oneshot").axes:
        assert {line.get_xdata()[-1] for line in axes.get_lines()} == {4, 6}  # z3-bool is late
        assert not any("rare" in name for name in texts(axes))


def test_axes_are_logarithmic_and_hold_every_point(rows, module):
    figure = scatter(module, {measure: duels(rows, measure) for measure in MEASURES})
    assert len(figure.axes) == 2
    for axes in figure.axes:
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
        points = [tuple(p) for c in axes.collections for p in c.get_offsets()]
        assert len(points) == 24
        low, high = axes.get_xlim()
        assert all(low < value < high for point in points for value in point)
        assert "10" in {t.get_text() for t in axes.get_xticklabels()}


def test_few_answers_are_no_cactus(rows, tmp_path):
    assert write_plots(rows[:8], NO_DUELS, tmp_path) == []
    assert [p.name for p in write_plots(rows[:12], NO_DUELS, tmp_path)] == ["cactus-oneshot.svg"]


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
