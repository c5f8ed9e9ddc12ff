"""Details name the reason and the cells of a finding."""

from __future__ import annotations

import numpy as np
import pytest
from audit_oracle import GRID
from examples import FOUR

from satdoku.audit.files import (
    audit_chunks,
)
from satdoku.files.collection import Answers, Chunk, marks_of


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
