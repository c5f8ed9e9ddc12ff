"""The report's numbers, recomputed in other words on a CSV small enough to do by hand."""

import csv
from math import inf

import pytest

from satdoku.bench.figures import (
    Contestant,
    duels,
    factors,
    figures,
    par2,
)
from satdoku.bench.results import FILE_NAME, HEADER, read_rows

# task, instance, backend, encoding, mode, status, build, solve, limit, kind, repeat
LINES = """\
t,i1,fast,e,oneshot,solved,0.1,0.1,10,boolean,1
t,i1,fast,e,oneshot,solved,0.1,0.3,10,boolean,2
t,i2,fast,e,oneshot,solved,0.2,0.8,10,boolean,1
t,i2,fast,e,oneshot,wrong,0.1,0.001,10,boolean,2
t,i1,fast,log,oneshot,solved,0.4,1.6,10,integer,1
t,i1,fast,log,oneshot,solved,0.4,2.0,10,integer,2
t,i2,fast,log,oneshot,timeout,0.4,,10,integer,1
t,i2,fast,log,oneshot,memory,,,10,integer,2
t,i1,liar,-,oneshot,wrong,0.1,0.1,10,integer,1
t,i1,z3-a,-,oneshot,timeout,0.5,,10,integer,1
t,i1,z3-b,-,oneshot,solved,3.5,0.5,10,boolean,1
t,i1,z3-c,-,oneshot,solved,7.5,0.5,10,boolean,1
u,i1,fast,e,uniqueness,unique,0.25,0.25,5,boolean,1
u,i1,fast,log,uniqueness,unique,0.5,1.5,5,integer,1
u,i2,fast,e,uniqueness,error,0.25,,5,boolean,1
u,i2,fast,log,uniqueness,unknown,0.5,,5,integer,1
"""


@pytest.fixture
def rows(tmp_path):
    text = HEADER + "\n"
    for line in LINES.splitlines():
        t, i, b, e, mode, status, build, solve, limit, kind, repeat = line.split(",")
        counts = ",,,729,100" if kind == "boolean" else ",,,,"
        text += f"{t},{i},{b},{e},{mode},{status},{build},{solve},{counts},"
        text += f"{limit},1,v,c,0.1,{kind},{repeat},\n"
    (tmp_path / FILE_NAME).write_text(text)
    return read_rows(tmp_path / FILE_NAME)


def by_hand():
    """From the text itself: answered seconds and PAR-2 values of each contestant and task."""
    answers, scores = {}, {}
    for t, _, b, e, _, status, build, solve, limit, _, _ in csv.reader(LINES.splitlines()):
        if status == "wrong":
            continue
        key = t, b, e
        seconds = float(build) + float(solve) if solve else None
        answers.setdefault(key, []).append(seconds)
        scores.setdefault(key, []).append(2 * float(limit) if seconds is None else seconds)
    return answers, scores


def found(rows):
    return {(f.task, *f.contestant): f for f in figures(rows)}


def test_medians_count_the_unanswered_as_longest(rows):
    some = found(rows)
    assert some["t", "fast", "e"].total == pytest.approx(0.4)  # of 0.2, 0.4, 1.0
    assert some["t", "fast", "log"].total == inf  # of 2.0, 2.4 and two that failed
    assert some["u", "fast", "e"].total == inf
    assert some["t", "fast", "e"].build == pytest.approx(0.1)
    assert some["t", "fast", "e"].solve == pytest.approx(0.3)
    assert some["t", "fast", "log"].solve == pytest.approx(1.8)
    assert some["t", "z3-a", "-"].solve is None


def test_par2_and_ratios_agree_with_a_recomputation(rows):
    some = found(rows)
    answers, scores = by_hand()
    best = {
        task: min(sum(each) / len(each) for key, each in scores.items() if key[0] == task)
        for task in "tu"
    }
    for key, each in scores.items():
        assert some[key].par2 == pytest.approx(sum(each) / len(each))
        assert some[key].ratio == pytest.approx(sum(each) / len(each) / best[key[0]])
        assert some[key].answered == sum(seconds is not None for seconds in answers[key])
    assert some["t", "fast", "log"].par2 == pytest.approx((2.0 + 2.4 + 20 + 20) / 4)


def test_wrong_answers_are_counted_and_have_no_time(rows):
    some = found(rows)
    assert (some["t", "fast", "e"].wrong, some["t", "fast", "e"].measured) == (1, 4)
    liar = some["t", "liar", "-"]
    assert (liar.wrong, liar.answered) == (1, 0)
    assert (liar.total, liar.par2, liar.ratio, liar.build) == (None, None, None, None)


def test_the_best_stand_first_and_the_wrong_last(rows):
    order = [f.contestant.label for f in figures(rows) if f.task == "t"]
    assert order == ["fast e", "z3-b", "z3-c", "fast log", "z3-a", "liar"]
    assert next(f for f in figures(rows) if f.task == "t").ratio == 1


def test_sizes_are_there_where_they_were_measured(rows):
    some = found(rows)
    assert (some["t", "fast", "e"].variables, some["t", "fast", "e"].clauses) == (729, 100)
    assert some["t", "fast", "log"].variables is None


def test_duels_take_the_best_of_each_kind_in_a_library(rows):
    some = {(d.task, d.instance, d.library): (d.boolean, d.integer) for d in duels(rows)}
    assert some == {
        ("t", "i1", "fast"): (pytest.approx(0.3), pytest.approx(2.2)),  # medians of repetitions
        ("t", "i2", "fast"): (pytest.approx(1.0), inf),
        ("t", "i1", "z3"): (pytest.approx(4.0), inf),
        ("u", "i1", "fast"): (pytest.approx(0.5), pytest.approx(2.0)),
        ("u", "i2", "fast"): (inf, inf),
    }


def test_factors_are_geometric_means_over_what_both_finished(rows):
    some = {(f.task, f.library): f for f in factors(duels(rows))}
    assert some["t", "fast"].factor == pytest.approx(2.2 / 0.3)
    assert (some["t", "fast"].both, some["t", "fast"].only_boolean) == (1, 1)
    assert some["t", "z3"].factor is None
    assert (some["u", "fast"].factor, some["u", "fast"].neither) == (pytest.approx(4.0), 1)
    two = [d._replace(boolean=1.0, integer=x) for d, x in zip(duels(rows)[:2], (2, 8), strict=True)]
    assert factors(two)[0].factor == pytest.approx(4.0)


def test_duels_of_solving_alone(rows):
    some = {(d.task, d.instance): (d.boolean, d.integer) for d in duels(rows, lambda r: r.search_s)}
    assert some["t", "i1"] == (pytest.approx(0.5), inf)  # z3's, the last with that name
    assert some["u", "i1"] == (pytest.approx(0.25), pytest.approx(1.5))


def test_par2_of_one_row(rows):
    assert [par2(row) for row in rows[:1] + rows[6:7]] == [pytest.approx(0.2), 20.0]


def test_contestants_are_named_by_what_they_are():
    assert Contestant("z3-enum", "-").label == "z3-enum"
    assert Contestant("z3-dimacs", "log").label == "z3-dimacs log"
    assert Contestant("z3-dimacs", "log").library == "z3"
    assert Contestant("glucose4", "log").library == "glucose4"
