"""Audits against an oracle in plain Python on 4x4, and by what symmetry must not change on 9x9."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import combinations, permutations, product
from multiprocessing import get_context
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, PUZZLES
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku.audit import files as audit
from satdoku.audit import rows as rows_module
from satdoku.audit import tally
from satdoku.audit.files import (
    EXAMPLES,
    KINDS,
    AuditError,
    audit_chunks,
    audit_files,
)
from satdoku.audit.report import ADVICE, report_page, report_text
from satdoku.audit.report.facts import LEAKED
from satdoku.batch.solve import BatchOptions, solve_batch
from satdoku.errors import SatdokuError
from satdoku.files.collection import Answers, Chunk, marks_of
from satdoku.files.collection.chunk import parts
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import NO_VALUE
from satdoku.symmetry import group

# The oracle: 4x4 by brute force, no line shared with satdoku --------------------------------------


class Row(NamedTuple):
    """A row as its author meant it: puzzle None where malformed; answer None where not stated,
    "junk" where unreadable; rules as written."""

    puzzle: bytes | None
    answer: bytes | str | None = None
    rules: str = ""
    id: str = ""


LAWS = {
    "": (),
    "classic": (),
    "diagonal": ("diagonal",),
    "knight": ("knight",),
    "nonconsecutive": ("nonconsecutive",),
    "knight,diagonal": ("diagonal", "knight"),
    "diagonal, KNIGHT": ("diagonal", "knight"),
}
MISSPELT = "kinght"


def places(a, b):
    return a // 4, a % 4, b // 4, b % 4


@cache
def excluded(constraints):
    """What cells exclude each other: (a, b) -> kind of clash."""
    found = {}
    for a, b in combinations(range(16), 2):
        r, c, s, d = places(a, b)
        down, right = abs(r - s), abs(c - d)
        kinds = set()
        if r == s or c == d or (r // 2, c // 2) == (s // 2, d // 2):
            kinds.add("same")
        if "knight" in constraints and down * right == 2:
            kinds.add("same")
        if "diagonal" in constraints and ((r == c and s == d) or (r + c == 3 == s + d)):
            kinds.add("same")
        if "nonconsecutive" in constraints and down + right == 1:
            kinds.add("next")
        if kinds:
            found[a, b] = frozenset(kinds)
    return found


def clashes(cells, constraints):
    return any(
        cells[a] and cells[b] and (
            ("same" in kinds and cells[a] == cells[b])
            or ("next" in kinds and abs(cells[a] - cells[b]) == 1)
        )
        for (a, b), kinds in excluded(constraints).items()
    )  # fmt: skip


def keeps(puzzle, grid):
    return all(given in (0, digit) for given, digit in zip(puzzle, grid, strict=True))


@cache
def moves(constraints):
    """The 128 geometric symmetries of the 4x4 board that keep what excludes what."""
    bands = [(0, 1, 2, 3), (1, 0, 2, 3), (0, 1, 3, 2), (1, 0, 3, 2)]
    lines = [
        tuple(order[i] for i in swap) for order in bands for swap in ((0, 1, 2, 3), (2, 3, 0, 1))
    ]
    kept = []
    for rows, columns, turn in product(lines, lines, (False, True)):
        move = [4 * rows[r] + columns[c] for r in range(4) for c in range(4)]
        if turn:
            move = [move[4 * (i % 4) + i // 4] for i in range(16)]
        at = {cell: i for i, cell in enumerate(move)}
        moved = {
            tuple(sorted((at[a], at[b]))): kinds for (a, b), kinds in excluded(constraints).items()
        }
        if moved == excluded(constraints):
            kept.append(move)
    return kept


@cache
def class_of(puzzle, constraints):
    """The least image of a puzzle."""
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
    exact: object
    symmetric: object


@cache
def judge(row, base, grids):
    if row.puzzle is None or row.rules == MISSPELT:
        return Judged("invalid", None, None, None)
    constraints = LAWS[row.rules or base]
    if clashes(row.puzzle, constraints):
        status = "invalid"
    else:
        solutions = sum(keeps(row.puzzle, grid) for grid in grids[constraints])
        status = ("none", "unique", "multiple")[min(solutions, 2)]
    if row.answer is None or row.answer == "junk":
        answer = row.answer and "unreadable"
    elif 0 in row.answer or clashes(row.answer, constraints):
        answer = "wrong"
    else:
        answer = "right" if keeps(row.puzzle, row.answer) else "givens changed"
    return Judged(
        status, answer, (row.puzzle, constraints), (class_of(row.puzzle, constraints), constraints)
    )


KIND_OF = {
    "none": "no solution", "multiple": "several solutions", "wrong": "wrong answer",
    "givens changed": "givens changed", "unreadable": "unreadable answer",
}  # fmt: skip


def example(line, row, other=None):
    if other is None:
        return {"line": line, "id": row.id or None}
    return {"line": line, "id": None, "other_line": other}


class Grids(dict):
    """The grids of each law; hashable, to be an argument of cached functions."""

    __hash__ = object.__hash__

    def __repr__(self):
        return "Grids"


@pytest.fixture(scope="session")
def grids(four_by_four):
    return Grids(
        {
            constraints: [g for g in four_by_four if not clashes(g, constraints)]
            for constraints in LAWS.values()
        }
    )


def first_equal(rows, number, key):
    """The first row of those that is equal by that key, None if there is none."""
    wanted = getattr(rows[number], key) if isinstance(number, int) else getattr(number, key)
    if wanted is None:
        return None
    return next((i for i, row in enumerate(rows) if getattr(row, key) == wanted), None)


def expected_file(path, rows, judged):
    """What the report should say of one file; efforts and details apart."""
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
        "duplicates": duplicates,
        "givens": dict(Counter(str(16 - puzzle.count(0)) for puzzle in readable)),
        "effort": sum(v.exact is not None and v.status != "multiple" for v in judged),
        "findings": [
            {"kind": kind, "count": len(examples), "examples": examples[:EXAMPLES]}
            for kind, examples in found.items()
            if examples
        ],
    }


def expected_leak(paths, judged, one, other):
    counts, examples = {"exact": 0, "symmetric": 0}, []
    for i, verdict in enumerate(judged[other]):
        for how in counts:
            origin = first_equal(judged[one], verdict, how)
            if origin is not None:
                counts[how] += 1
                detail = "exact" if how == "exact" else "up to symmetry"
                examples.append({**example(i + 1, None, origin + 1), "detail": detail})
                break
    return {"from": paths[one], "into": paths[other], **counts, "examples": examples[:EXAMPLES]}


def expected_report(files, base, grids):
    """Findings, leaks and verdict of files given as lists of rows."""
    paths = [f"{number}.csv" for number in range(len(files))]
    judged = [[judge(row, base, grids) for row in rows] for rows in files]
    told = [expected_file(*args) for args in zip(paths, files, judged, strict=True)]
    pairs = combinations(range(len(files)), 2)
    leaks = [expected_leak(paths, judged, one, other) for one, other in pairs]
    leaks = [leak for leak in leaks if leak["exact"] + leak["symmetric"]]
    wrong = {finding["kind"] for file in told for finding in file["findings"]}
    return {"files": told, "leaks": leaks}, wrong | ({"leak"} if leaks else set())


def comparable(report):
    """A report without what the oracle does not tell."""
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
    return {"files": files, "leaks": report["leaks"]}


# Files made for the oracle ------------------------------------------------------------------------


def some_puzzle(rng, grids, pool):
    """A new puzzle, an old one, or an image of an old one; now and then one with a clash."""
    if pool and rng.random() < 0.45:
        puzzle = rng.choice(pool)
        if rng.random() < 0.7:
            move, names = rng.choice(moves(())), (0, *rng.sample(range(1, 5), 4))
            puzzle = bytes(names[puzzle[i]] for i in move)
        return puzzle
    grid = rng.choice(grids[rng.choice(((), ("diagonal",)))])
    share = rng.choice((0.2, 0.4, 0.6, 1.0))
    puzzle = bytearray(digit if rng.random() < share else 0 for digit in grid)
    if rng.random() < 0.15:
        puzzle[rng.randrange(16)] = rng.randrange(1, 5)
    return bytes(puzzle)


def some_answer(rng, puzzle, grids):
    """Right, another grid, one changed cell, an empty cell, nothing, or junk."""
    right = next((grid for grid in grids[()] if keeps(puzzle, grid)), grids[()][0])
    answer = bytearray(right)
    kind = rng.choice(("right", "right", "other", "changed", "empty", "none", "junk"))
    if kind in ("none", "junk"):
        return None if kind == "none" else kind
    if kind == "other":
        return rng.choice(grids[()])
    if kind != "right":
        answer[rng.randrange(16)] = 0 if kind == "empty" else rng.randrange(1, 5)
    return bytes(answer)


def some_files(rng, grids, count, sizes=(0, 1, 5, 30)):
    """Files that have rows in common, with columns of their own."""
    pool, files = [], []
    for _ in range(count):
        stated, named, ruled = (rng.random() < 0.6 for _ in range(3))
        rows = []
        for _ in range(rng.choice(sizes)):
            puzzle = some_puzzle(rng, grids, pool)
            pool.append(puzzle)
            rows.append(
                Row(
                    None if rng.random() < 0.1 else puzzle,
                    some_answer(rng, puzzle, grids) if stated else None,
                    rng.choice([*LAWS, MISSPELT]) if ruled else "",
                    rng.choice(("", f"p{len(pool)}")) if named else "",
                )
            )
        files.append(rows)
    return files


def chunk_of(rows, source):
    """The rows as a reader would give them."""
    count = len(rows)
    cells = [row.puzzle or bytes(16) for row in rows]
    answers = [row.answer if isinstance(row.answer, bytes) else bytes(16) for row in rows]
    return Chunk(
        np.arange(1, count + 1),
        np.frombuffer(b"".join(cells), np.uint8).reshape(count, 16),
        {i: satdoku.GridError("x", "y") for i, row in enumerate(rows) if row.puzzle is None},
        [row.id for row in rows] if any(row.id for row in rows) else None,
        Answers(
            np.frombuffer(b"".join(answers), np.uint8).reshape(count, 16),
            np.array([row.answer is not None for row in rows], dtype=np.bool_),
            {i: satdoku.GridError("x", "y") for i, r in enumerate(rows) if r.answer == "junk"},
        )
        if any(row.answer is not None for row in rows)
        else None,
        [row.rules for row in rows] if any(row.rules for row in rows) else None,
        source,
    )  # fmt: skip


def chunked(files, size):
    for number, rows in enumerate(files):
        yield f"{number}.csv", parts(chunk_of(rows, f"{number}.csv"), size)


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        yield pool


def without_time(report):
    return {key: value for key, value in report.items() if key != "seconds"}


# What holds for every collection ------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
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
    ways = {"size": rng.choice((4, 7, 1000)), "workers": 2, "executor": processes}
    again = audit_chunks(
        chunked(files, ways.pop("size")), base, **ways, allow=[k.replace(" ", "-") for k in allowed]
    )
    assert again["sound"] == (wrong <= set(allowed))
    assert without_time(again) == {**without_time(report), "sound": again["sound"]}


@pytest.mark.parametrize("ways", [{"workers": 3}, {"executor": "thread"}, {"executor": "process"}])
def test_workers_change_nothing(grids, ways):
    files = some_files(Random(7), grids, 3, sizes=(25,))
    alone = audit_chunks(chunked(files, 1000))
    assert without_time(audit_chunks(chunked(files, 4), **ways)) == without_time(alone)


def test_a_report_is_plain_data(grids):
    report = audit_chunks(chunked(some_files(Random(7), grids, 3, sizes=(25,)), 1000))
    assert json.loads(json.dumps(report)) == report
    assert report_text(report).startswith("Not sound")
    assert "<h1>Not sound" in report_page(report)


def test_advice_is_given_for_whatever_may_be_found():
    assert set(ADVICE) == {*KINDS, LEAKED}


# Pencil marks ------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_pencil_marks_are_those_of_the_oracle(grids, seed):
    rng = Random(seed)
    full, rows, answers = grids[()], [], []
    for _ in range(rng.randint(1, 25)):
        keep, share = rng.choice(full), rng.choice((0.1, 0.4, 0.9))
        marks = bytes(d + 1 == keep[c] or rng.random() < share for c in range(16) for d in range(4))
        if rng.random() < 0.2:
            marks = marks[:8] + bytes(4) + marks[12:]
        rows.append(marks if not rows or rng.random() < 0.7 else rng.choice(rows))
        answers.append(rng.choice((keep, rng.choice(full), bytes(16))))
    marks = np.frombuffer(b"".join(rows), np.bool_).reshape(-1, 64)
    cells = np.frombuffer(b"".join(answers), np.uint8).reshape(-1, 16)
    stated = Answers(cells, np.ones(len(rows), np.bool_), {})
    chunk = Chunk(np.arange(1, len(rows) + 1), marks, {}, answers=stated)
    report = audit_chunks([("m", parts(chunk, 6))])

    def allowed(row, grid):
        return all(row[4 * cell + digit - 1] for cell, digit in enumerate(grid))

    statuses = Counter(
        ("none", "unique", "multiple")[min(2, sum(allowed(r, g) for g in full))] for r in rows
    )
    judged = Counter(
        "wrong" if 0 in a else "right" if allowed(r, a) else "givens changed"
        for r, a in zip(rows, answers, strict=True)
    )
    singles = Counter(str(sum(sum(r[c : c + 4]) == 1 for c in range(0, 64, 4))) for r in rows)
    (file,) = report["files"]
    assert file["statuses"] == statuses
    assert file["answers"] == {"stated": len(rows), **judged}
    assert file["givens"] == singles
    assert file["duplicates"] == {"exact": len(rows) - len(set(rows))}
    assert report["symmetry"] is None  # they have no canonical form: nothing is claimed


def test_pencil_marks_in_words():
    solution = np.frombuffer(bytes([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]), np.uint8)
    marks = np.repeat(marks_of(solution[None], FOUR), 3, axis=0)
    marks[0, 4 * 6 : 4 * 7] = False  # r2c3
    marks[1, 4 * 9 : 4 * 10] = [False, False, True, False]  # r3c2, not its digit
    answers = Answers(np.repeat(solution[None], 3, axis=0), np.array([False, True, True]), {})
    chunk = Chunk(np.arange(1, 4), marks, {}, answers=answers)
    (file,) = audit_chunks([("m", [chunk])])["files"]
    details = {f["kind"]: [e["detail"] for e in f["examples"]] for f in file["findings"]}
    assert details == {
        "no solution": ["r2c3 has no pencil mark", "16 of 64 pencil marks"],
        "givens changed": ["r3c2 is 1 in the answer, which the pencil marks exclude"],
    }


# Symmetry on 9x9 ----------------------------------------------------------------------------------


def generated():
    lines = (PUZZLES / "generated-1000.txt").read_text().split()
    kept = [line for line in lines if len(line) == 81]
    return np.frombuffer("".join(kept).replace(".", "0").encode(), np.uint8).reshape(-1, 81) - 48


def nines(*parts_):
    """Chunks of puzzles, a file each."""
    for number, puzzles in enumerate(parts_):
        yield str(number), [Chunk(np.arange(1, len(puzzles) + 1), puzzles, {})]


def doubles(report):
    return [(f["duplicates"]["exact"], f["duplicates"]["symmetric"]) for f in report["files"]]


@pytest.mark.parametrize(
    "rules", ["classic", "diagonal", "knight", "miracle", "windoku", "disjoint"]
)
def test_images_are_duplicates_under_the_rules_they_are_images_of(rules):
    constraints, rng = constraints_for(rules), np.random.default_rng(5)
    symmetries, train = group(constraints), generated()[:40]
    images = np.concatenate(
        [symmetries.apply(symmetries.random(rng), train[i : i + 1]) for i in range(20)]
    )
    fresh = generated()[500:530]
    test = np.concatenate([images, train[20:25], fresh, images[:3]])
    report = audit_chunks(nines(train, test), rules)
    same = int((images == train[:20]).all(axis=1).sum())  # an element may be the identity
    assert doubles(report) == [(0, 0), (3, 0)]
    (leak,) = report["leaks"]
    again = 3 - int((images[:3] == train[:3]).all(axis=1).sum())
    assert (leak["exact"], leak["symmetric"]) == (5 + same + 3 - again, 20 - same + again)
    lines = {(e["line"], e["other_line"]) for e in leak["examples"]}
    assert lines == {(i, i) for i in range(1, 11)}


@pytest.mark.parametrize("rules, symmetric", [("classic", 1), ("knight", 0), ("diagonal", 0)])
def test_a_swap_of_bands_is_a_symmetry_of_the_classic_rules_only(rules, symmetric):
    puzzle = generated()[:1]
    swapped = np.roll(puzzle, 27, axis=1)
    turned = np.rot90(puzzle.reshape(9, 9)).reshape(1, 81)
    report = audit_chunks(nines(np.concatenate([puzzle, swapped]), turned), rules)
    assert doubles(report) == [(0, symmetric), (0, 0)]
    assert [leak["symmetric"] for leak in report["leaks"]] == [1]  # the turned one, under any


def test_reversed_digits_are_a_symmetry_of_the_miracle_rules_and_others_are_not():
    puzzle = generated()[:1]
    other = np.where(puzzle > 0, 10 - puzzle, 0).astype(np.uint8)
    cycled = np.where(puzzle > 0, puzzle % 9 + 1, 0).astype(np.uint8)
    puzzles = np.concatenate([puzzle, other, cycled])
    assert doubles(audit_chunks(nines(puzzles), "miracle")) == [(0, 1)]
    assert doubles(audit_chunks(nines(puzzles), "classic")) == [(0, 2)]


def test_without_symmetry_only_equal_rows_are_duplicates():
    puzzles = generated()[:2]
    report = audit_chunks(nines(puzzles, np.roll(puzzles, 27, axis=1)), symmetry=False)
    assert report["symmetry"] is None
    assert report["leaks"] == []
    assert all(file["duplicates"] == {"exact": 0} for file in report["files"])


def test_rules_without_canonical_form_are_compared_exactly_and_nothing_more_is_claimed():
    """Regions that are the rows leave all permutations of rows: too many to list."""
    rows = "jigsaw=" + "".join(c * 9 for c in "abcdefghi")
    puzzle = np.zeros((2, 81), np.uint8)
    puzzle[0, 0] = puzzle[1, 80] = 1
    report = audit_chunks(
        nines(np.concatenate([puzzle, puzzle])), rows, allow=["several-solutions"]
    )
    assert report["symmetry"] is None
    assert report["files"][0]["duplicates"] == {"exact": 2}


def test_rows_are_duplicates_only_under_the_same_rules():
    puzzles = np.repeat(generated()[:1], 6, axis=0)
    rules = ["", "knight", "classic", "king,knight", "knight,king", "knight"]
    chunk = Chunk(np.arange(1, 7), puzzles, {}, rules=rules)
    report = audit_chunks([("a", [chunk])])
    (file,) = report["files"]
    assert doubles(report) == [(3, 0)]
    found = next(f for f in file["findings"] if f["kind"] == "exact duplicate")
    assert [(e["line"], e["other_line"]) for e in found["examples"]] == [(3, 1), (5, 4), (6, 2)]
    assert report["symmetry"].endswith("rows with rules of their own: those of these")


# Leaks, examples, details -------------------------------------------------------------------------


def test_a_row_of_two_earlier_files_leaks_from_both_and_names_the_first_row_of_each():
    a, b, c = generated()[:3]
    image = np.roll(a, 27)
    files = nines(np.array([b, a, a]), np.array([image]), np.array([c, a, image, b]))
    leaks = audit_chunks(files)["leaks"]
    told = [(k["from"], k["into"], k["exact"], k["symmetric"]) for k in leaks]
    assert told == [("0", "1", 0, 1), ("0", "2", 2, 1), ("1", "2", 1, 1)]
    places_ = [[(e["line"], e["other_line"], e["detail"]) for e in k["examples"]] for k in leaks]
    sym = "up to symmetry"
    assert places_ == [
        [(1, 2, sym)],
        [(2, 2, "exact"), (3, 2, sym), (4, 1, "exact")],
        [(2, 1, sym), (3, 1, "exact")],
    ]


def test_ten_examples_of_each_kind_the_first_of_the_file_in_any_chunking():
    puzzles = np.repeat(generated()[:1], 40, axis=0)
    puzzles[::2] = 0  # several solutions each
    chunk = Chunk(
        np.arange(101, 141), puzzles, {3: SatdokuError("x")}, ids=[f"p{i}" for i in range(40)]
    )
    for size in (1, 3, 40):
        (file,) = audit_chunks([("a", parts(chunk, size))])["files"]
        found = {f["kind"]: f for f in file["findings"]}
        assert {kind: f["count"] for kind, f in found.items()} == {
            "malformed row": 1, "several solutions": 20, "exact duplicate": 37,
        }  # fmt: skip
        told = [(e["line"], e["id"]) for e in found["several solutions"]["examples"]]
        assert told == [(101 + i, f"p{i}") for i in range(0, 20, 2)]
        told = [(e["line"], e["other_line"]) for e in found["exact duplicate"]["examples"]]
        assert told == [(103, 101), *((n, 101 + (n + 1) % 2) for n in range(105, 114))]


def test_rows_of_errors_are_neither_solved_nor_put_in_canonical_form(monkeypatch):
    """They are all 0, and an empty grid takes longer than ten thousand puzzles."""
    asked = {"solve_job": [], "canonical": []}
    for name, puzzles_of in asked.items():
        work = getattr(rows_module, name)

        def spy(puzzles, *arguments, work=work, seen=puzzles_of):
            seen.append(puzzles)
            return work(puzzles, *arguments)

        monkeypatch.setattr(rows_module, name, spy)
    puzzles = generated()[:6]
    puzzles[[1, 4]] = 0
    chunk = Chunk(np.arange(6), puzzles, {1: SatdokuError("x"), 4: SatdokuError("y")})
    (file,) = audit_chunks([("a", [chunk])])["files"]
    assert (file["statuses"], file["duplicates"]) == (
        {"unique": 4, "invalid": 2},
        {"exact": 0, "symmetric": 0},
    )
    ((solved,), (formed,)) = asked.values()
    good = [0, 2, 3, 5]
    assert (solved[[1, 4]] == NO_VALUE).all()
    assert solved[good].tolist() == formed.tolist() == puzzles[good].tolist()


def one_detail(puzzle, answer=None, rules="classic"):
    """The findings of a single row, in words."""
    cells = np.frombuffer(puzzle.replace(".", "0").encode(), np.uint8)[None] - 48
    answers = None
    if answer is not None:
        stated = np.frombuffer(answer.replace(".", "0").encode(), np.uint8)[None] - 48
        answers = Answers(stated, np.ones(1, np.bool_), {})
    (file,) = audit_chunks(
        [("a", [Chunk(np.ones(1, np.int64), cells, {}, answers=answers)])], rules
    )["files"]
    return {f["kind"]: f["examples"][0]["detail"] for f in file["findings"]}


GRID = "1234341221434321"
DETAILS = [  # puzzle, answer, rules, findings
    (GRID, GRID, "classic", {}),
    ("1...1", None, "classic", {"clashing givens": "r1c1=1 and r2c1=1 break the column rule"}),
    ("1........1", None, "knight", {"clashing givens": "r1c1=1 and r3c2=1 break the knight rule"}),
    ("123....4", None, "classic", {"no solution": "123....4........"}),
    ("1", None, "classic", {"several solutions": "1..............."}),
    (GRID, "." + GRID[1:], "classic", {"wrong answer": "r1c1 of the answer is empty"}),
    (GRID, "1234..12" + GRID[8:], "classic",
     {"wrong answer": "r2c1 of the answer is empty, and 1 more"}),
    (GRID, GRID[:15] + "2", "classic",
     {"wrong answer": "in the answer r4c3=2 and r4c4=2 break the row rule"}),
    ("..41", GRID, "classic",
     {"several solutions": "..41............",
      "givens changed": "r1c3 is 3 in the answer, 4 in the puzzle"}),
]  # fmt: skip


@pytest.mark.parametrize("puzzle, answer, rules, details", DETAILS)
def test_details_name_the_reason_and_the_cells(puzzle, answer, rules, details):
    assert one_detail(puzzle.ljust(16, "."), answer, rules) == details


def test_undecided_rows_are_counted_as_such(monkeypatch):
    asked = partial(BatchOptions, backend="session")
    monkeypatch.setattr(audit, "BatchOptions", asked)
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    report = audit_chunks(
        nines(np.frombuffer(hard.replace(".", "0").encode(), np.uint8)[None] - 48), conflicts=1
    )
    (file,) = report["files"]
    assert file["statuses"] == {"unknown": 1}
    assert [(f["kind"], f["examples"][0]["detail"]) for f in file["findings"]] == [
        ("undecided", hard)
    ]
    assert not report["sound"]


def test_effort_is_counted_by_powers_of_two_where_the_search_saw_everything():
    puzzles = generated()
    puzzles = np.concatenate([puzzles, np.where(np.arange(81) < 60, puzzles[:50], 0)])
    statuses, _, nodes, _ = solve_batch(puzzles)
    nodes = nodes[statuses == satdoku.Status.UNIQUE].tolist()
    assert max(nodes) > 1
    assert len(nodes) < len(puzzles)
    bins = Counter(str(1 << n.bit_length() - 1 if n else 0) for n in nodes)
    (file,) = audit_chunks(nines(puzzles.astype(np.uint8)), symmetry=False)["files"]
    assert file["effort"] == bins
    assert list(file["effort"]) == sorted(bins, key=int)


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1))
def test_bins_of_any_number_of_nodes(nodes):
    bins = tally.effort_bins(np.array(nodes, np.uint32)).tolist()
    assert bins == [1 << n.bit_length() - 1 if n else 0 for n in nodes]


def test_progress_hears_of_every_row_with_the_statuses_of_the_report(grids):
    heard = Counter()
    files = some_files(Random(7), grids, 3, sizes=(25,))
    report = audit_chunks(
        chunked(files, 4), progress=lambda chunk, statuses: heard.update(statuses.tolist())
    )
    told = sum((Counter(file["statuses"]) for file in report["files"]), Counter())
    assert {str(satdoku.Status(code)): n for code, n in heard.items()} == told


# Files --------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    def write(text, name="a.csv"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def test_a_csv_file_with_everything_in_it(file):
    path = file(
        "id,puzzle,solution\n"
        f"good,{CLASSIC},{CLASSIC_SOLUTION}\n"
        f"short,{CLASSIC[1:]},{CLASSIC_SOLUTION}\n"
        f"unanswered,{CLASSIC[27:] + CLASSIC[:27]},\n"
        f"junk,{CLASSIC},75281\n"
    )
    report = satdoku.audit_files(path)
    (told,) = report["files"]
    assert told["path"] == path
    assert told["statuses"] == {"unique": 3, "invalid": 1}
    assert told["answers"] == {"stated": 2, "right": 1, "unreadable": 1}
    assert told["duplicates"] == {"exact": 1, "symmetric": 1}
    found = {f["kind"]: f["examples"] for f in told["findings"]}
    ((short,), (junk,)) = found["malformed row"], found["unreadable answer"]
    assert (short["line"], short["id"]) == (3, "short")
    assert "line 3" in short["detail"] and "found 80 cells" in short["detail"]
    assert (junk["line"], junk["id"]) == (5, "junk")
    assert "found 5 cells" in junk["detail"]
    assert [(e["line"], e["other_line"]) for e in found["exact duplicate"]] == [(5, 2)]
    assert [(e["line"], e["other_line"]) for e in found["symmetric duplicate"]] == [(4, 2)]


def test_any_formats_together(file, tmp_path):
    puzzles = generated()[:20]
    np.savez(tmp_path / "b.npz", puzzles=puzzles[10:])
    lines = ["".join(map(str, row)) for row in puzzles[:12].tolist()]
    report = audit_files([file("\n".join(lines), "a.txt"), str(tmp_path / "b.npz")])
    assert [told["rows"] for told in report["files"]] == [12, 10]
    assert [leak["exact"] for leak in report["leaks"]] == [2]
    assert report["leaks"][0]["examples"][0]["other_line"] == 11


def test_a_file_without_rows_is_told_of(file):
    empty = file("", "empty.txt")
    report = audit_files([file(CLASSIC), empty, file(CLASSIC, "c.txt")])
    assert [(told["path"], told["rows"]) for told in report["files"]][1] == (empty, 0)
    assert [leak["into"] for leak in report["leaks"]] == [report["files"][2]["path"]]
    with pytest.raises(AuditError, match=r"empty\.txt: holds no puzzle"):
        audit_files(empty)
    with pytest.raises(AuditError, match="no file"):
        audit_files([])


def test_the_first_file_tells_the_board(file):
    small, broken = file(GRID), file("123\n", "b.txt")
    report = audit_files([small, broken])
    assert report["files"][1]["statuses"] == {"invalid": 1}
    report = audit_files([small, file(CLASSIC, "c.txt")])
    assert report["files"][1]["findings"][0]["kind"] == "malformed row"


def test_chunks_of_another_size_are_refused():
    files = [("a", [chunk_of([Row(bytes(16))], "a")]), *nines(generated()[:1])]
    with pytest.raises(AuditError, match="0: puzzles of 81 cells: expected 16"):
        audit_chunks(files)


def test_rules_that_bring_their_board(file):
    """5x5 has no boxes: the regions of the rules tell the board, as text or as constraints."""
    regions = "".join("abcde"[(c + 2 * r) % 5] for r in range(5) for c in range(5))
    grid = "".join(str((c + r) % 5 + 1) for r in range(5) for c in range(5))
    path = file(f"puzzle,solution\n.{grid[1:]},{grid}\n")
    for rules in (f"jigsaw={regions}", constraints_for(f"jigsaw={regions}")):
        report = audit_files(path, rules)
        assert report["sound"], report
        assert report["rules"].startswith("jigsaw=")
    assert constraints_for(f"jigsaw={regions}").board == Board(
        5, regions=constraints_for(report["rules"]).board.regions
    )


@pytest.mark.parametrize("name, said", [("nowhere.csv", "No such file"), (".", "is a directory")])
def test_a_file_that_cannot_be_read_is_noticed_before_the_work_begins(file, name, said):
    with pytest.raises(SatdokuError, match=re.escape(f"{name}: {said}")):
        audit_files([file(CLASSIC), name], progress=lambda *_: pytest.fail("too late"))


def test_kinds_that_are_unknown_are_refused_before_the_work_begins():
    with pytest.raises(AuditError, match="no finding 'leek': known are malformed-row,"):
        audit_chunks(nines(generated()[:1]), allow=["leak", "leek"], progress=pytest.fail)


MEASURE = """
import sys, satdoku
satdoku.audit_files(sys.argv[1], symmetry=sys.argv[2] == "True")
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("symmetry, bytes_a_row", [(True, 100), (False, 70)])
def test_memory_grows_as_promised(tmp_path, symmetry, bytes_a_row):
    """A million rows, each an image of one of a thousand puzzles: none is alone."""
    symmetries, rng = group(constraints_for("classic")), np.random.default_rng(1)
    with open(tmp_path / "a.txt", "wb") as out:
        for _ in range(1000):
            images = symmetries.apply(symmetries.random(rng), generated())
            rows = np.full((len(images), 82), ord("\n"), np.uint8)
            rows[:, :81] = np.where(images > 0, images + ord("0"), ord("."))
            out.write(rows.tobytes())
    (tmp_path / "b.txt").write_bytes((tmp_path / "a.txt").read_bytes()[: 82 * 40_000])
    peaks = []
    # Left to itself glibc keeps what is freed or not, as it happens to lie: 10 bytes a row.
    fixed = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "131072"}
    for name in ("b.txt", "a.txt"):
        command = [sys.executable, "-c", MEASURE, str(tmp_path / name), str(symmetry)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=fixed)
        peaks.append(1024 * int(done.stdout))
    assert (peaks[1] - peaks[0]) / 960_000 < bytes_a_row


def test_the_oracle_itself():
    """Its group of 4x4 is that of the books, and every rule's is what satdoku computes."""
    assert len(moves(())) == 128
    for name, constraints in LAWS.items():
        found = group(constraints_for(name, FOUR))
        digits = 2 if "nonconsecutive" in constraints else len(list(permutations(range(4))))
        assert (len(moves(constraints)), digits) == (found.geometric_order, found.digit_order)
