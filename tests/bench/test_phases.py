from math import inf

import pytest
from bench_fakes import row

from satdoku.bench.figures import Contestant
from satdoku.bench.phases import POINTS, Place, pictures_of, place_of, places, points
from satdoku.bench.plots import load_matplotlib, phase_picture

CADICAL, GLUCOSE = Contestant("cadical153", "extended"), Contestant("glucose4", "extended")


def measured(place, contestant, answers):
    """Rows of one point: (seconds, conflicts) for each instance, None for what was not answered."""
    return [
        row(task=place.task, instance=f"i{number}", backend=contestant.backend,
            encoding=contestant.encoding, status="solved" if answer else "timeout",
            solve_s=answer and answer[0], conflicts=answer and answer[1])
        for number, answer in enumerate(answers)
    ]  # fmt: skip


@pytest.fixture
def rows():
    easy, hard = Place(16, 40), Place(16, 60)
    return [
        *measured(hard, CADICAL, [(float(i), 10 * i) for i in range(1, 12)]),
        *measured(easy, CADICAL, [(0.5, 0)] * 11),
        *measured(hard, GLUCOSE, [(1.0, 7)] * 4 + [None] * 7),
        *measured(Place(25, 50), CADICAL, [(2.0, 3)] * 11),
        *measured(hard, CADICAL._replace(encoding="log"), [(9.0, 3)] * 11),
        row(task="classic"),
    ]


def test_tasks_are_named_after_their_places():
    assert places("phase-16") == [Place(16, percent) for percent in POINTS[16]]
    assert places("phase-9-33") == [Place(9, 33)] == [place_of("phase-9-33")]
    assert Place(9, 33).task == "phase-9-33"
    assert places("phase-17") == places("minimal") == []
    assert place_of("phase-16") is place_of("my-phase-16-40") is None


def test_points_are_shares_and_medians_with_intervals(rows):
    found = {(p.place, p.contestant): p for p in points(rows)}
    assert len(found) == 5
    hard = found[Place(16, 60), CADICAL]
    assert (hard.seconds.value, hard.conflicts.value, hard.answered.value) == (6.0, 60, 1.0)
    assert 1 < hard.seconds.low < 6 < hard.seconds.high < 11
    late = found[Place(16, 60), GLUCOSE]
    assert late.answered.value == pytest.approx(4 / 11)
    assert late.seconds.value == late.seconds.high == inf
    assert [p.place.percent for p in points(rows) if p.contestant == CADICAL][:2] == [40, 60]


def test_a_contestant_that_counts_no_conflicts_has_none(rows):
    silent = [r._replace(conflicts=None) for r in rows if r.task == "phase-16-40"]
    (point,) = points(silent)
    assert point.conflicts is None


def test_solvers_are_compared_on_one_encoding_and_encodings_in_one_solver(rows):
    log = CADICAL._replace(encoding="log")
    assert list(pictures_of(points(rows))) == [
        ("phase-solvers", [CADICAL, GLUCOSE]), ("phase-encodings", [CADICAL, log]),
    ]  # fmt: skip
    assert list(pictures_of([])) == []


def test_a_size_with_nothing_to_compare_has_no_column(rows):
    pytest.importorskip("matplotlib")
    easy = measured(Place(16, 40), GLUCOSE, [(0.5, 0)] * 11)
    figure = phase_picture(load_matplotlib(), points(rows + easy), [CADICAL, GLUCOSE])
    assert [axes.get_title() for axes in figure.axes] == ["16x16", "", ""]


def test_the_picture_has_a_column_a_size_and_leaves_out_what_has_no_median(rows):
    pytest.importorskip("matplotlib")
    some = points(rows)
    figure = phase_picture(load_matplotlib(), some, [CADICAL, GLUCOSE])
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[:2] == ["16x16", "25x25"]
    answered, _, conflicts, _, seconds, _ = figure.axes
    assert [len(line.get_xdata()) for line in answered.get_lines()] == [2, 1]
    assert [list(line.get_ydata()) for line in conflicts.get_lines()] == [[0, 60]]
    assert [list(line.get_ydata()) for line in seconds.get_lines()] == [[0.5, 6.0]]
    assert [text.get_text() for text in seconds.texts] == ["cadical153 extended"]
    assert seconds.get_yscale() == "log"
