"""The report's numbers, recomputed in other words, and intervals against closed forms."""

from __future__ import annotations

import csv
import random
from math import exp, inf, log, prod
from statistics import NormalDist

import numpy as np
import pytest
from bench_fakes import row

from satdoku.bench.figures import (
    LEAST,
    NO_DIFFERENCE,
    TOO_FEW,
    Contestant,
    Interval,
    _resamples,
    comparisons,
    duels,
    figures,
    median,
    par2,
    ratio,
    scores,
    share,
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
        text += f"{limit},1,v,c,0.1,{kind},{repeat},s,\n"
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


def test_par2_agrees_with_a_recomputation(rows):
    some = found(rows)
    answers, scores = by_hand()
    for key, each in scores.items():
        assert some[key].par2 == pytest.approx(sum(each) / len(each))
        assert some[key].answered == sum(seconds is not None for seconds in answers[key])
    assert some["t", "fast", "log"].par2 == pytest.approx((2.0 + 2.4 + 20 + 20) / 4)


def test_factors_to_the_first_are_of_the_same_instances(rows):
    some = found(rows)
    assert some["t", "fast", "e"].slower is None  # it is the first
    slower = some["t", "fast", "log"].slower
    assert (slower.instances, slower.enough) == (1, False)  # a wrong answer has spoilt the other
    assert slower.value == pytest.approx(2.2 / 0.3)
    solving = some["u", "fast", "log"].slower_solving
    assert solving.value == pytest.approx((1.5 / 0.25 * 10 / 10) ** 0.5)  # twice the limit of both


def test_factors_may_be_to_another_contestant(rows):
    log = Contestant.of("fast/log")
    some = {(f.task, *f.contestant): f for f in figures(rows, log)}
    assert some["t", "fast", "e"].unit == log == Contestant("fast", "log")
    assert some["t", "fast", "e"].slower.value == pytest.approx(0.3 / 2.2)
    assert some["t", "fast", "log"].slower is None
    elsewhere = {(f.task, *f.contestant): f for f in figures(rows, Contestant.of("z3-b"))}
    assert elsewhere["u", "fast", "log"].unit == Contestant("fast", "e")  # z3-b is not in u


def test_wrong_answers_are_counted_and_have_no_time(rows):
    some = found(rows)
    assert (some["t", "fast", "e"].wrong, some["t", "fast", "e"].measured) == (1, 4)
    liar = some["t", "liar", "-"]
    assert (liar.wrong, liar.answered) == (1, 0)
    assert (liar.total, liar.par2, liar.slower, liar.build) == (None, None, None, None)


def test_the_best_stand_first_and_the_wrong_last(rows):
    order = [f.contestant.label for f in figures(rows) if f.task == "t"]
    assert order == ["fast e", "z3-b", "z3-c", "fast log", "z3-a", "liar"]


def test_sizes_are_there_where_they_were_measured(rows):
    some = found(rows)
    assert (some["t", "fast", "e"].variables, some["t", "fast", "e"].clauses) == (729, 100)
    assert some["t", "fast", "log"].variables is None


def test_duels_are_of_the_best_contestants_of_a_library(rows):
    some = {
        (d.comparison.task, d.instance, d.comparison.library): (d.boolean, d.integer)
        for d in duels(rows)
    }
    assert some == {
        ("t", "i1", "fast"): (pytest.approx(0.3), pytest.approx(2.2)),  # medians of repetitions
        ("t", "i2", "fast"): (pytest.approx(1.0), inf),
        ("t", "i1", "z3"): (pytest.approx(4.0), inf),  # z3-b, not z3-c
        ("u", "i1", "fast"): (pytest.approx(0.5), pytest.approx(2.0)),
        ("u", "i2", "fast"): (inf, inf),
    }
    counts = {
        (c.task, c.library): (c.only_boolean, c.only_integer, c.neither)
        for c in comparisons(duels(rows))
    }
    assert counts == {("t", "fast"): (1, 0, 0), ("t", "z3"): (1, 0, 0), ("u", "fast"): (0, 0, 1)}


def pairs(count, boolean=0.1, integer=0.3, spread=2):
    """Rows of both kinds on that many instances of different hardness."""
    return [
        row(instance=f"i{i}", encoding=kind, kind=kind, build_s=0.0,
            solve_s=seconds * spread ** ((i * step) % 5))
        for i in range(count)
        for kind, seconds, step in (("boolean", boolean, 1), ("integer", integer, 2))
    ]  # fmt: skip


def test_a_comparison_names_the_quicker_only_with_instances_enough_and_a_clear_interval():
    def verdict(rows):
        (comparison,) = comparisons(duels(rows))
        return comparison.verdict

    assert verdict(pairs(LEAST - 1, integer=10)) == TOO_FEW
    assert verdict(pairs(30)) == "booleans"
    assert verdict(pairs(30, integer=0.03)) == "integers"
    assert verdict(pairs(30, integer=0.11)) == NO_DIFFERENCE
    (clear,) = comparisons(duels(pairs(30, spread=1)))
    assert clear.factor[1:] == pytest.approx((3, 3, 3))


def test_factors_count_what_is_unanswered_as_twice_its_limit():
    rows = pairs(12, spread=1)
    rows[1] = rows[1]._replace(status="timeout", solve_s=None)  # an integer one, of limit 10
    (one,) = comparisons(duels(rows))
    assert one.factor.value == pytest.approx(prod([20 / 0.1] + [3] * 11) ** (1 / 12))
    assert (one.only_boolean, one.factor.instances) == (1, 12)


def test_the_best_contestant_is_one_that_was_measured_on_all_instances():
    rows = [*pairs(12), row(instance="i0", encoding="x", build_s=0.0, solve_s=1e-06)]
    (one,) = comparisons(duels(rows))
    assert one.boolean.encoding == "boolean"


def test_solving_alone_leaves_building_out(rows):
    some = {
        (d.comparison.task, d.instance, d.comparison.library): (d.boolean, d.integer)
        for d in duels(rows, "solving")
    }
    assert some["t", "i1", "z3"] == (pytest.approx(0.5), inf)
    assert some["u", "i1", "fast"] == (pytest.approx(0.25), pytest.approx(1.5))


def test_an_instance_with_a_wrong_answer_has_no_score(rows):
    assert scores(r for r in rows if r.encoding == "e" and r.task == "t") == {
        "i1": pytest.approx(0.3)
    }


def test_par2_of_one_row(rows):
    assert [par2(row) for row in rows[:1] + rows[6:7]] == [pytest.approx(0.2), 20.0]


def test_contestants_are_named_by_what_they_are():
    assert Contestant("z3-enum", "-").label == "z3-enum"
    assert Contestant("z3-dimacs", "log").label == "z3-dimacs log"
    assert Contestant("z3-dimacs", "log").library == "z3"
    assert Contestant("glucose4", "log").library == "glucose4"


def test_a_ratio_is_of_geometric_means_over_pairs():
    ours, theirs = [2.0, 8.0, 1.0] * 5, [1.0, 1.0, 1.0] * 5
    found = ratio(ours, theirs)
    assert found.value == pytest.approx(16 ** (1 / 3))
    assert found.low < found.value < found.high
    back = ratio(theirs, ours)
    assert (back.value, back.low, back.high) == pytest.approx(
        (1 / found.value, 1 / found.high, 1 / found.low)
    )


def test_pairs_are_not_two_samples():
    hardness = [10.0**i for i in range(12)]
    found = ratio([1.5 * h for h in hardness], hardness)
    assert found[1:] == pytest.approx((1.5, 1.5, 1.5))


def test_the_interval_is_that_of_the_normal_approximation_where_there_are_many():
    random_ = random.Random(3)
    logs = [random_.gauss(0.4, 1.0) for _ in range(400)]
    found = ratio([exp(x) for x in logs], [1.0] * 400)
    half = NormalDist().inv_cdf(0.975) * np.std(logs) / 20
    assert log(found.low) == pytest.approx(np.mean(logs) - half, abs=0.01)
    assert log(found.high) == pytest.approx(np.mean(logs) + half, abs=0.01)


def test_intervals_hold_the_truth_about_as_often_as_they_say(monkeypatch):
    monkeypatch.setattr("satdoku.bench.figures.RESAMPLES", 1000)
    _resamples.cache_clear()
    random_ = random.Random(1)
    samples = [[random_.lognormvariate(0.5, 1.0) for _ in range(30)] for _ in range(300)]
    ratios = [ratio(some, [1.0] * 30) for some in samples]
    assert 0.90 < np.mean([r.low <= exp(0.5) <= r.high for r in ratios]) < 0.98
    medians = [median(some) for some in samples]
    assert 0.90 < np.mean([m.low <= exp(0.5) <= m.high for m in medians]) < 0.99
    _resamples.cache_clear()


def test_shares_near_the_ends_are_not_certain():
    assert share(30, 30)[1:] == pytest.approx((1.0, 0.8865, 1.0), abs=1e-3)
    assert share(0, 30)[1:] == pytest.approx((0.0, 0.0, 0.1135), abs=1e-3)
    assert share(15, 30)[1:] == pytest.approx((0.5, 0.3315, 0.6685), abs=1e-3)


@pytest.mark.parametrize(
    "instances, low, high, enough, differs",
    [
        (LEAST, 1.1, 2.0, True, True),
        (LEAST - 1, 1.1, 2.0, False, False),
        (LEAST, 0.9, 2.0, True, False),
        (LEAST, 0.2, 0.9, True, True),
    ],
)
def test_what_may_be_said(instances, low, high, enough, differs):
    interval = Interval(instances, 1.5, low, high)
    assert (interval.enough, interval.differs) == (enough, differs)
