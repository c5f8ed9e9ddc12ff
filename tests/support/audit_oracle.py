"""An oracle for audits of 4x4 by brute force without code from satdoku, and files for it."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from examples import PUZZLES

import satdoku
from satdoku.files.collection import Answers, Chunk
from satdoku.files.collection.chunk import parts


class Row(NamedTuple):
    """A row as its author meant it: puzzle None where malformed; answer None where not stated,
    "junk" where unreadable; rules as written."""

    puzzle: bytes | None
    answer: bytes | str | None = None
    rules: str = ""
    id: str = ""


CONSTRAINTS_OF = {
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
    """The pairs of cells that exclude each other: (a, b) -> kind of clash."""
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
    """The 128 geometric symmetries of the 4x4 board that keep these pairs."""
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


class Grids(dict):
    """The grids of each rule set; hashable, so that cached functions can take them."""

    __hash__ = object.__hash__

    def __repr__(self):
        return "Grids"


def some_puzzle(rng, grids, pool):
    """A new puzzle, an old one, or an image of an old one; sometimes one with a clash."""
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
    """Files that share some rows; each file has its own columns."""
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
                    rng.choice([*CONSTRAINTS_OF, MISSPELT]) if ruled else "",
                    rng.choice(("", f"p{len(pool)}")) if named else "",
                )
            )
        files.append(rows)
    return files


def chunk_of(rows, source):
    """The rows as a reader returns them."""
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


def generated():
    lines = (PUZZLES / "generated-1000.txt").read_text().split()
    kept = [line for line in lines if len(line) == 81]
    return np.frombuffer("".join(kept).replace(".", "0").encode(), np.uint8).reshape(-1, 81) - 48


def nines(*parts_):
    """Chunks of puzzles, one file per chunk."""
    for number, puzzles in enumerate(parts_):
        yield str(number), [Chunk(np.arange(1, len(puzzles) + 1), puzzles, {})]


GRID = "1234341221434321"
