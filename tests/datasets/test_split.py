"""Parts by points and by quotas: sizes, strata, and what moves if rows are added.
`components` against a search along the links.
Strata stand in an order that the order of the rows does not change.
`split_files`: brute force finds no puzzle, image or grid in two parts, and an audit no leak.
"""

from __future__ import annotations

import csv
from itertools import chain, permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from board_cases import BOARDS, some_puzzles
from dataset_cases import as_csv, class_of, solutions, some_rows
from examples import CLASSIC, FOUR, PUZZLES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soak import share

import satdoku
from satdoku.datasets.split import _in_order, by_points, by_quotas, components, points_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.runtime.errors import SatdokuError, Status


def points(count, seed=0):
    keys = np.random.default_rng(5).integers(0, 1 << 63, (count, 2), np.uint64)
    return points_of(keys, seed)


def test_points_are_spread_evenly_and_by_the_seed_alone():
    found = points(40_000)
    assert found.min() >= 0 and found.max() < 1
    counts = np.bincount((found * 40).astype(int), minlength=40)
    assert abs(counts - 1000).max() < 150  # five standard deviations
    assert np.array_equal(found, points(40_000))
    other = points(40_000, seed=1)
    assert abs(np.corrcoef(found, other)[0, 1]) < 0.03
    # The same on every machine.
    assert points_of(np.array([[1, 2]], np.uint64), 7).tolist() == [0.131121054120227]


def test_parts_by_points_follow_the_ratio_and_do_not_depend_on_other_classes():
    found = points(20_000)
    parts = by_points(found, [7, 2, 1])
    assert abs(np.bincount(parts) / 20_000 - [0.7, 0.2, 0.1]).max() < 0.015
    assert np.array_equal(parts[::3], by_points(found[::3], [70, 20, 10]))


STRATA = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4)), max_size=60)


@settings(max_examples=share(50))
@given(STRATA, st.sampled_from([(1, 1), (9, 1), (8, 1, 1), (3, 2, 0.5)]))
def test_quotas_are_met_as_far_as_classes_allow(classes, ratio):
    numbers, rows = (np.array(column, np.int64) for column in zip(*classes, (0, 0), strict=False))
    numbers, rows = numbers[: len(classes)], rows[: len(classes)]
    parts = by_quotas(points(len(classes)), numbers, rows, ratio)
    total = sum(ratio)
    for part, weight in enumerate(ratio):
        assert abs(rows[parts == part].sum() - rows.sum() * weight / total) <= 2 * len(ratio)
        for stratum in range(5):
            here = numbers == stratum
            wanted = rows[here].sum() * weight / total
            assert abs(rows[here & (parts == part)].sum() - wanted) <= 4 * len(ratio)


def test_strata_of_single_classes_are_divided_as_a_whole():
    parts = by_quotas(points(1000), np.arange(1000), np.ones(1000, np.int64), (8, 1, 1))
    assert np.bincount(parts).tolist() == [800, 100, 100]
    assert np.diff(np.flatnonzero(parts > 0)).max() <= 6  # evenly along the strata


@pytest.mark.parametrize("count", [1000, 1010])
def test_few_classes_move_if_some_are_added(count):
    found = points(count)
    before, after = (
        by_quotas(found[:n], np.zeros(n, np.int64), np.ones(n, np.int64), (9, 1))
        for n in (1000, count)
    )
    assert np.count_nonzero(before != after[:1000]) <= 10


SOME = st.none() | st.integers(0, 6)


def labels(values):
    return np.array([-1 if v is None else values.index(v) for v in values], np.int32)


def searched(rows):
    """The first row that a chain leads to from each row."""
    found = []
    for start, (puzzle, _) in enumerate(rows):
        reached, waiting = set(), [start]
        while waiting:
            row = waiting.pop()
            reached.add(row)
            waiting += [
                other
                for other, pair in enumerate(rows)
                if other not in reached
                and pair[0] is not None
                and any(a is not None and a == b for a, b in zip(rows[row], pair, strict=True))
            ]
        found.append(-1 if puzzle is None else min(reached))
    return found


@settings(max_examples=share(50))
@given(st.lists(st.tuples(SOME, SOME), max_size=12))
def test_components_are_what_a_search_reaches(rows):
    rows = [(puzzle, None if puzzle is None else grid) for puzzle, grid in rows]
    puzzles, grids = ([row[k] for row in rows] for k in range(2))
    assert components(labels(puzzles), labels(grids)).tolist() == searched(rows)


def test_a_long_chain_is_one_component():
    puzzles = np.arange(0, 100, dtype=np.int32) // 2 * 2
    grids = (np.arange(0, 100, dtype=np.int32) + 1) // 2 * 2 - 1
    assert not components(puzzles, np.maximum(grids, 0)).any()


@pytest.mark.parametrize(
    "ordered", [["-1", "1", "1.0", "10", "NaN", "nan"], ["", "1", "10", "2", "nan"]]
)
def test_the_order_of_values_is_that_of_numbers_or_of_texts(ordered):
    assert all(_in_order(some) == ordered for some in permutations(ordered))


RULES = constraints_for("classic", FOUR)
THOUSAND = str(PUZZLES / "generated-1000.txt")
LINES = [line for line in Path(THOUSAND).read_text().split() if len(line) == 81]
quick = settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def split(file, tmp_path):
    """Split rows of 4x4: the notes in each part, and the counts."""

    def call(rows, ratio=(2, 1, 1), *, symmetry=True, **how):
        outputs = [str(tmp_path / f"{number}.csv") for number in range(len(ratio))]
        splitting = satdoku.Splitting(ratio=ratio, **how)
        checks = satdoku.Checks(symmetry=symmetry)
        counts = satdoku.split_files(
            file(as_csv(rows)), outputs, RULES, splitting=splitting, checks=checks
        )
        parts = []
        for path in outputs:
            with open(path, newline="") as stream:
                parts.append([row["note"] for row in csv.DictReader(stream)])
        return parts, counts

    return call


def together(rows, grids, by):
    """Sets of notes that must be in one part, by brute force."""
    found = {}
    for row in rows:
        if row.puzzle is not None:
            found.setdefault(class_of(row.puzzle), set()).add(row.note)
            known = solutions(row.puzzle, grids)
            grid = known[0] if len(known) == 1 else row.answer if row.answer in known else None
            if by == "grid" and grid:
                found.setdefault(("grid", class_of(grid)), set()).add(row.note)
    return found.values()


@quick
@given(
    seed=st.integers(0, 2**32),
    by=st.sampled_from(["puzzle", "grid"]),
    options=st.sampled_from([{}, {"exact": True}, {"stratify": "givens"}, {"stratify": "n"}]),
)
def test_no_class_lies_in_two_parts_and_the_order_of_rows_does_not_matter(
    grids, split, seed, by, options
):
    rng = Random(seed)
    rows = some_rows(rng, grids, rng.choice((2, 30)))
    if all(row.puzzle is None for row in rows):
        return
    parts, counts = split(rows, by=by, seed=seed, **options)
    notes = [row.note for row in rows if row.puzzle is not None]
    assert sorted(chain(*parts)) == sorted(notes)
    assert all(part == [note for note in notes if note in part] for part in parts)
    for group in together(rows, grids, by):
        assert sum(not group.isdisjoint(part) for part in parts) == 1
    assert counts["read"] == len(rows) == counts["left_out"] + sum(map(len, parts))
    assert [part["rows"] for part in counts["parts"]] == list(map(len, parts))
    classes = {class_of(row.puzzle) for row in rows if row.puzzle is not None}
    if by == "puzzle":
        assert sum(part["classes"] for part in counts["parts"]) == len(classes)
    if "stratify" in options:
        assert list(map(sum, zip(*counts["strata"].values(), strict=True))) == list(map(len, parts))
    again, _ = split(rng.sample(rows, len(rows)), by=by, seed=seed, **options)
    assert list(map(set, again)) == list(map(set, parts))
    if by == "puzzle" and not options:  # rows that go leave the others where they are
        kept = rows[::2] if any(row.puzzle for row in rows[::2]) else rows
        fewer, _ = split(kept, seed=seed)
        here = {row.note for row in kept}
        assert [set(part) for part in fewer] == [here & set(part) for part in parts]


@pytest.mark.parametrize("by", ["puzzle", "grid"])
def test_an_audit_finds_no_leak_and_workers_change_nothing(file, tmp_path, by):
    lines = LINES[:200]
    names = str.maketrans("123456789", "912345678")
    images = [line[27:].translate(names) + line[:27].translate(names) for line in lines[:100]]
    path, parts = file("\n".join([*lines, *images, ""])), [str(tmp_path / n) for n in ("a", "b")]
    satdoku.split_files(path, parts, splitting=satdoku.Splitting(by=by, exact=True))
    first = [Path(part).read_text() for part in parts]
    assert [text.count("\n") for text in first] in ([269, 31], [270, 30], [271, 29])
    report = satdoku.audit_files(parts, checks=satdoku.Checks(allow=["symmetric duplicate"]))
    assert report["sound"] and not report["leaks"]
    satdoku.split_files(path, parts, splitting=satdoku.Splitting(by=by, exact=True), workers=2)
    assert [Path(part).read_text() for part in parts] == first
    satdoku.split_files(path, parts, splitting=satdoku.Splitting(by=by, exact=True, seed=1))
    assert Path(parts[1]).read_text() != first[1]


def test_strata_have_equal_shares(tmp_path):
    outputs = [str(tmp_path / name) for name in ("train.txt", "test.txt")]
    counts = satdoku.split_files(
        THOUSAND, outputs, splitting=satdoku.Splitting(ratio=(9, 1), stratify="givens")
    )
    assert [part["rows"] for part in counts["parts"]] == [900, 100]
    assert list(counts["strata"]) == sorted(counts["strata"])
    assert all(abs(test - (train + test) / 10) <= 1 for train, test in counts["strata"].values())
    assert {len(line) - line.count(".") for line in Path(outputs[0]).read_text().split()} == set(
        map(int, counts["strata"])
    )


def test_values_of_a_column_are_in_the_order_of_numbers_and_er_knows_unrated_rows(file, tmp_path):
    lines = LINES[:4]
    rows = [*zip(lines, ["9", "10", "9", "x"], strict=True), ("." * 81, "9")]
    path = file("".join(["puzzle,rating\n", *(f"{p},{r}\n" for p, r in rows)]))
    outputs = [str(tmp_path / "1.parquet"), str(tmp_path / "2.jsonl")]
    counts = satdoku.split_files(
        path, outputs, splitting=satdoku.Splitting(ratio=(1, 1), stratify="rating")
    )
    assert {name: sum(n) for name, n in counts["strata"].items()} == {"10": 1, "9": 3, "x": 1}
    assert counts["unsound"] == 1
    path = file("".join(["puzzle,rating\n", *(f"{p},{r}\n" for p, r in rows if r != "x")]))
    counts = satdoku.split_files(
        path, outputs, splitting=satdoku.Splitting(ratio=(1, 1), stratify="rating")
    )
    assert list(counts["strata"]) == ["9", "10"]
    counts = satdoku.split_files(
        path, outputs, splitting=satdoku.Splitting(ratio=(1, 1), stratify="er")
    )
    assert list(counts["strata"])[-1] == "unrated"
    assert sum(map(sum, counts["strata"].values())) == 4


def test_what_is_refused(file):
    path = file(f"{CLASSIC}\n")
    for outputs, ratio, by, said in (
        (["a"], [1], "puzzle", "ratio of 1 numbers for 1 outputs"),
        (["a", "b"], [1, 1, 1], "puzzle", "ratio of 3 numbers for 2 outputs"),
        (["a", "b"], [1, 0], "puzzle", "ratio 1:0: expected numbers above 0"),
        (["a", "b"], [1, float("nan")], "puzzle", "expected numbers above 0"),
        (["a", "b"], [1, 1], "rows", "no 'rows' to split by: choose from puzzle, grid"),
        (["a", "a"], [1, 1], "puzzle", "a: would be another output and output at once"),
        ([path, "b"], [1, 1], "puzzle", "would be input and output at once"),
    ):
        with pytest.raises(SatdokuError, match=said):
            satdoku.split_files(path, outputs, splitting=satdoku.Splitting(ratio=ratio, by=by))
    with pytest.raises(SatdokuError, match="no column 'x' to stratify by: er, givens, nodes, puz"):
        satdoku.split_files(
            path, ["a", "b"], splitting=satdoku.Splitting(ratio=(1, 1), stratify="x")
        )


@pytest.mark.parametrize("name", ["rectangle", "zero", "holes", "layer", "words"])
def test_equivalents_on_any_board_stay_together(tmp_path, name):
    """Each puzzle comes with its images under symmetries that are found without the group."""
    rules = BOARDS[name]
    board, random = constraints_for(rules).board, Random(3)
    found = [p for p in some_puzzles(rules, 60) if satdoku.classify(p, rules) == Status.UNIQUE]
    rows, classes = [], {}
    for puzzle in found:
        order = random.sample(range(len(board.digits)), len(board.digits))
        renamed = Grid(bytes(1 + order[d - 1] if d else 0 for d in puzzle), board)
        for image in [puzzle, renamed] if name != "layer" else [puzzle]:
            rows.append(str(image))
            classes.setdefault(canonical_text(puzzle, rules), set()).add(str(image))
    random.shuffle(rows)
    path, parts = tmp_path / "in.txt", [tmp_path / "a.txt", tmp_path / "b.txt"]
    path.write_text("\n".join(rows))
    counts = satdoku.split_files(
        str(path), list(map(str, parts)), rules, splitting=satdoku.Splitting(ratio=(1, 1))
    )
    one, other = (set(part.read_text().splitlines()) for part in parts)
    assert len(one) + len(other) == len(set(rows)) and one and other
    assert not any(members & one and members & other for members in classes.values())
    assert counts["symmetry"]


def canonical_text(puzzle, rules):
    return satdoku.canonical([puzzle], rules).tobytes()
