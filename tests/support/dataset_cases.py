"""Small data sets of 4x4 puzzles with every fault planted, and what is true of each row.

The truth comes from brute force over the 288 grids and the listed symmetries, without satdoku.
"""

from __future__ import annotations

import csv
import io
from functools import cache
from typing import NamedTuple

from audit_oracle import clashes, keeps, moves, some_answer, some_puzzle

HEADER = ("note", "quizzes", "solutions", "n")


class Row(NamedTuple):
    """A row of a file: puzzle None if it is malformed, answer None if none is stated."""

    puzzle: bytes | None
    answer: bytes | str | None
    note: str

    @property
    def fields(self):
        return (self.note, text(self.puzzle), text(self.answer), str(len(self.note)))


def text(cells):
    if cells is None:
        return ""
    return "".join(map(str, cells)) if isinstance(cells, bytes) else cells


def some_rows(rng, grids, count):
    """Rows with faults, repeats and images of each other; all notes differ."""
    pool, rows = [], []
    for number in range(count):
        puzzle = some_puzzle(rng, grids, pool)
        pool.append(puzzle)
        answer = some_answer(rng, puzzle, grids)
        note = rng.choice(("", "a,b", 'says "no"', "ü;")) + str(number)
        rows.append(Row(None if rng.random() < 0.1 else puzzle, answer, note))
    return rows


def as_csv(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([HEADER, *(row.fields for row in rows)])
    return out.getvalue()


@cache
def class_of(cells):
    """The smallest image of a puzzle or grid, under all symmetries of the classic board."""

    def renamed(move):
        names = {0: 0}
        return bytes(names.setdefault(cells[i], len(names)) for i in move)

    return min(map(renamed, moves(())))


def solutions(puzzle, grids):
    return [grid for grid in grids[()] if keeps(puzzle, grid)]


def fault(row, grids):
    """The kind of finding that concerns a row by itself; empty if there is none."""
    if row.puzzle is None:
        return "malformed row"
    found = solutions(row.puzzle, grids)
    if clashes(row.puzzle, ()):
        return "clashing givens"
    if len(found) != 1:
        return "several solutions" if found else "no solution"
    return answer_fault(row)


def answer_fault(row):
    if row.answer is None:
        return ""
    if row.answer == "junk":
        return "unreadable answer"
    if 0 in row.answer or clashes(row.answer, ()):
        return "wrong answer"
    return "" if keeps(row.puzzle, row.answer) else "givens changed"


def expected(rows, reference, grids, allowed, repair):
    """The rows that stay, as their fields, and the reasons of the others, one after the other."""
    known = {class_of(row.puzzle) for row in reference if row.puzzle is not None}
    known_grids = {class_of(g) for row in reference if (g := grid_of(row, grids)) is not None}
    kept, exact, classes, reasons = [], set(), {}, []
    for row in rows:
        reason, fields = fault(row, grids), row.fields
        if repair and (not reason or "answer" in reason or reason == "givens changed"):
            (solution,) = solutions(row.puzzle, grids)
            reason, fields = "", (fields[0], fields[1], text(solution), fields[3])
        elif reason in allowed:
            reason = answer_fault(row) if reason == "several solutions" else ""
            reason = "" if reason in allowed else reason
        if not reason:
            same, image, grid = row.puzzle, class_of(row.puzzle), grid_of(row, grids)
            if image in known:
                reason = "leak" * ("leak" not in allowed)
            elif grid is not None and class_of(grid) in known_grids:
                reason = "grid leak"
            if not reason and same in exact and "exact duplicate" not in allowed:
                reason = "exact duplicate"
            others = classes.get(image, set()) - {same}
            if not reason and others and "symmetric duplicate" not in allowed:
                reason = "symmetric duplicate"
            if not reason:
                exact.add(same)
                classes.setdefault(image, set()).add(same)
                kept.append(fields)
                continue
        reasons.append(reason)
    return kept, reasons


def grid_of(row, grids):
    """The grid that an audit knows of a row: its only solution, or a right answer."""
    if row.puzzle is None:
        return None
    found = solutions(row.puzzle, grids)
    if len(found) == 1:
        return found[0]
    return row.answer if row.answer in found else None
