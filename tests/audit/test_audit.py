"""Audits agree with a plain Python oracle on 4x4; symmetries do not change audits of 9x9."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations, permutations
from multiprocessing import get_context
from random import Random
from typing import NamedTuple

import pytest
from audit_oracle import CONSTRAINTS_OF, MISSPELT, chunked, clashes, keeps, moves, some_files
from examples import FOUR
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku import Checks
from satdoku.audit.files import AuditError, audit_chunks
from satdoku.audit.report import ADVICE, report_page, report_text
from satdoku.audit.report.facts import BETWEEN
from satdoku.audit.tally import EXAMPLES, GRID_LEAK, KINDS, LEAK
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import group


@cache
def class_of(puzzle, constraints):
    """The smallest image of a puzzle."""
    if "nonconsecutive" in constraints:
        names = [(0, 1, 2, 3, 4), (0, 4, 3, 2, 1)]
        return min(bytes(n[puzzle[i]] for i in move) for move in moves(constraints) for n in names)

    def renamed(move):
        names = {0: 0}
        return bytes(names.setdefault(puzzle[i], len(names)) for i in move)

    return min(map(renamed, moves(constraints)))


class Judged(NamedTuple):
    status: str
    answer: str | None
    exact: object = None
    symmetric: object = None
    grid: object = None
    grid_symmetric: object = None


@cache
def judge(row, base, grids):
    if row.puzzle is None or row.rules == MISSPELT:
        return Judged("invalid", None)
    constraints = CONSTRAINTS_OF[row.rules or base]
    solutions = []
    if clashes(row.puzzle, constraints):
        status = "invalid"
    else:
        solutions = [grid for grid in grids[constraints] if keeps(row.puzzle, grid)]
        status = ("none", "unique", "multiple")[min(len(solutions), 2)]
    if row.answer is None or row.answer == "junk":
        answer = row.answer and "unreadable"
    elif 0 in row.answer or clashes(row.answer, constraints):
        answer = "wrong"
    else:
        answer = "right" if keeps(row.puzzle, row.answer) else "givens changed"
    grid = solutions[0] if status == "unique" else row.answer if answer == "right" else None
    return Judged(
        status,
        answer,
        (row.puzzle, constraints),
        (class_of(row.puzzle, constraints), constraints),
        grid,
        grid and class_of(bytes(grid), CONSTRAINTS_OF[base]),
    )


KIND_OF = {
    "none": "no solution", "multiple": "several solutions", "wrong": "wrong answer",
    "givens changed": "givens changed", "unreadable": "unreadable answer",
}  # fmt: skip


def example(line, row, other=None):
    if other is None:
        return {"line": line, "id": row.id or None}
    return {"line": line, "id": None, "other_line": other}


def first_equal(rows, number, key):
    """The first of the rows with an equal key; None if there is none."""
    wanted = getattr(rows[number], key) if isinstance(number, int) else getattr(number, key)
    if wanted is None:
        return None
    return next((i for i, row in enumerate(rows) if getattr(row, key) == wanted), None)


def expected_file(path, rows, judged):
    """The expected report of one file, without efforts and details."""
    found = {kind: [] for kind in KINDS}
    duplicates = {"exact": 0, "symmetric": 0}
    for i, (row, verdict) in enumerate(zip(rows, judged, strict=True)):
        line = i + 1
        if verdict.exact is None:
            found["malformed row"].append(example(line, row))
            continue
        if verdict.status == "invalid":
            found["clashing givens"].append(example(line, row))
        for told in (verdict.status, verdict.answer):
            if told in KIND_OF:
                found[KIND_OF[told]].append(example(line, row))
        for how in ("exact", "symmetric"):
            other = first_equal(judged, i, how)
            if other < i:
                duplicates[how] += 1
                found[f"{how} duplicate"].append(example(line, row, other + 1))
                break
    readable = [row.puzzle for row, v in zip(rows, judged, strict=True) if v.exact is not None]
    answers = Counter(v.answer for v in judged if v.answer)
    return {
        "path": path,
        "rows": len(rows),
        "statuses": dict(Counter(v.status for v in judged)),
        "answers": {"stated": sum(answers.values()), **answers},
        "proofs": {},
        "duplicates": duplicates,
        "grids": expected_grids(judged),
        "givens": dict(Counter(str(16 - puzzle.count(0)) for puzzle in readable)),
        "effort": sum(v.exact is not None and v.status != "multiple" for v in judged),
        "ratings": {},
        "findings": [
            {"kind": kind, "count": len(examples), "examples": examples[:EXAMPLES]}
            for kind, examples in found.items()
            if examples
        ],
    }


def expected_grids(judged):
    """How many solution grids a file has, and how many rows the most frequent one."""
    told = {}
    for key, name in (("grid", "distinct"), ("grid_symmetric", "classes")):
        counts = Counter(getattr(v, key) for v in judged if v.grid)
        if counts:
            most = max(counts.values())
            first = next(
                i for i, v in enumerate(judged) if v.grid and counts[getattr(v, key)] == most
            )
            told |= {"known": counts.total(), name: len(counts), "largest": most, "line": first + 1}
    return told


def expected_leaks(paths, judged, one, other):
    """The rows of a file whose puzzle another holds, and those of which it holds the grid only."""
    leaks = [{"exact": 0, "symmetric": 0, "examples": []} for _ in range(2)]
    for i, verdict in enumerate(judged[other]):
        for number, key in enumerate(("exact", "symmetric", "grid", "grid_symmetric")):
            origin = first_equal(judged[one], verdict, key)
            if origin is not None:
                leak = leaks[number // 2]
                leak[("exact", "symmetric")[number % 2]] += 1
                detail = ("exact", "up to symmetry")[number % 2]
                leak["examples"].append({**example(i + 1, None, origin + 1), "detail": detail})
                break
    ends = {"from": paths[one], "into": paths[other]}
    return [{**ends, **leak, "examples": leak["examples"][:EXAMPLES]} for leak in leaks]


def expected_report(files, base, grids):
    """The findings, leaks and verdict for files that are lists of rows."""
    paths = [f"{number}.csv" for number in range(len(files))]
    judged = [[judge(row, base, grids) for row in rows] for rows in files]
    told = [expected_file(*args) for args in zip(paths, files, judged, strict=True)]
    pairs = combinations(range(len(files)), 2)
    both = [expected_leaks(paths, judged, one, other) for one, other in pairs]
    leaks, grid_leaks = (
        [leaks[kind] for leaks in both if leaks[kind]["examples"]] for kind in range(2)
    )
    wrong = {finding["kind"] for file in told for finding in file["findings"]}
    wrong |= {kind for kind, found in (("leak", leaks), ("grid leak", grid_leaks)) if found}
    return {"files": told, "leaks": leaks, "grid_leaks": grid_leaks}, wrong


def comparable(report):
    """A report without the parts that the oracle does not compute."""
    files = []
    for file in report["files"]:
        findings = [
            {
                **f,
                "examples": [{k: v for k, v in e.items() if k != "detail"} for e in f["examples"]],
            }
            for f in file["findings"]
        ]
        files.append({**file, "findings": findings, "effort": sum(file["effort"].values())})
        del files[-1]["sound"]  # see test_table
        assert files[-1].pop("layout") == ""
    return {"files": files, "leaks": report["leaks"], "grid_leaks": report["grid_leaks"]}


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        yield pool


def without_time(report):
    return {key: value for key, value in report.items() if key != "seconds"}


@settings(max_examples=share(25), deadline=None)
@given(
    seed=st.integers(0, 2**32),
    count=st.integers(1, 3),
    base=st.sampled_from(["classic", "diagonal"]),
)
def test_reports_are_those_of_the_oracle(grids, processes, seed, count, base):
    rng = Random(seed)
    files = some_files(rng, grids, count)
    size = rng.choice((1, 7, 1000))
    if not any(files):
        with pytest.raises(AuditError, match="holds no puzzle"):
            audit_chunks(chunked(files, size), base)
        return
    report = audit_chunks(chunked(files, size), base)
    expected, wrong = expected_report(files, base, grids)
    assert comparable(report) == expected
    assert report["sound"] == (not wrong)
    assert report["rules"] == base
    allowed = rng.sample(sorted(wrong), rng.randint(0, len(wrong)))
    ways = {"size": rng.choice((4, 7, 1000)), "workers": processes}
    again = audit_chunks(
        chunked(files, ways.pop("size")),
        base,
        **ways,
        checks=Checks(allow=[k.replace(" ", "-") for k in allowed]),
    )
    assert again["sound"] == (wrong <= set(allowed))
    assert comparable(again) == comparable(report)


@pytest.mark.parametrize("ways", [{"workers": 3}, {"workers": "thread"}, {"workers": "process:2"}])
def test_workers_change_nothing(grids, ways):
    files = some_files(Random(7), grids, 3, sizes=(25,))
    alone = audit_chunks(chunked(files, 1000))
    assert without_time(audit_chunks(chunked(files, 4), **ways)) == without_time(alone)


def test_a_report_is_plain_data(grids):
    report = audit_chunks(chunked(some_files(Random(7), grids, 3, sizes=(25,)), 1000))
    assert json.loads(json.dumps(report)) == report
    assert report_text(report).startswith("Not sound")
    assert "<h1>Not sound" in report_page(report)


def test_every_kind_of_finding_has_advice():
    assert set(ADVICE) == {*KINDS} - {LEAK, GRID_LEAK} | {*BETWEEN}


def test_the_oracle_itself():
    """Its group of 4x4 is the published one, and satdoku computes the same group for every rule."""
    assert len(moves(())) == 128
    for name, constraints in CONSTRAINTS_OF.items():
        found = group(constraints_for(name, FOUR))
        digits = 2 if "nonconsecutive" in constraints else len(list(permutations(range(4))))
        assert (len(moves(constraints)), digits) == (found.geometric_order, found.digit_order)
