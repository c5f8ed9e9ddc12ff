"""Counts and examples do not depend on chunks; details name the reason and the cells."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from audit_oracle import GRID, generated, nines
from examples import FOUR
from hypothesis import given
from hypothesis import strategies as st

import satdoku
from satdoku import Checks
from satdoku.audit import tally
from satdoku.audit.files import audit_chunks
from satdoku.batch.solve import solve_batch
from satdoku.files.collection import Answers, Chunk, marks_of
from satdoku.files.collection.chunk import parts
from satdoku.runtime.errors import SatdokuError


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


def test_effort_is_counted_by_powers_of_two_where_the_search_saw_everything():
    puzzles = generated()
    puzzles = np.concatenate([puzzles, np.where(np.arange(81) < 60, puzzles[:50], 0)])
    statuses, _, nodes, *_ = solve_batch(puzzles)
    nodes = nodes[statuses == satdoku.Status.UNIQUE].tolist()
    assert max(nodes) > 1
    assert len(nodes) < len(puzzles)
    bins = Counter(str(1 << n.bit_length() - 1 if n else 0) for n in nodes)
    (file,) = audit_chunks(nines(puzzles.astype(np.uint8)), checks=Checks(symmetry=False))["files"]
    assert file["effort"] == bins
    assert list(file["effort"]) == sorted(bins, key=int)


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1))
def test_bins_of_any_number_of_nodes(nodes):
    bins = tally.effort_bins(np.array(nodes, np.uint32)).tolist()
    assert bins == [1 << n.bit_length() - 1 if n else 0 for n in nodes]


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
