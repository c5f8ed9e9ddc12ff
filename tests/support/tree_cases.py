"""Proof trees for tests: puzzles, random formulas, and rows changed in a place or two."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import BinaryIO

from satdoku import Session, check_trees
from satdoku.certificates.make import preamble_of
from satdoku.certificates.tree import COMPILED, Row, Rows, Trees, columns
from satdoku.certificates.tree.files import Head, Writer, read_blocks, read_head
from satdoku.certificates.tree.formula import Positive
from satdoku.model.constraints import Constraints
from satdoku.model.grid import Grid

RULES = (
    "latin=4",
    "boxes=2x2",
    "boxes=2x3",
    "boxes=2x3;knight",
    "boxes=2x2;thermo:r1c1,r1c2,r2c2",
    "boxes=2x3;cage=9:r1c1,r1c2,r2c2",
    "boxes=2x3;arrow:r1c1>r1c2,r1c3",
    "boxes=2x2;sandwich=3:row1;renban:r1c1,r2c1,r2c2",
    "boxes=2x2;x-sum=10:col1",
    "shape=5x5;boxes=1x5;digits=0-4",
    "shape=4x4;holes:r1c1,r4c4",
    "boxes=2x2;grids:r1c1,r3c3",
    "jigsaw=1112122233344434",
)


EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def some_collection(folder: Path) -> Path:
    """A file of rows that are unique, multiple, none, unreadable and multiple."""
    path = folder / "some.txt"
    several = EASY.replace("3", ".").replace("7", ".")
    path.write_text("\n".join([EASY, "." * 81, "11" + "." * 79, "12", several]))
    return path


def trees_for(constraints: Constraints, *, compiled: bool) -> Trees:
    preamble = preamble_of(constraints)
    return Trees(preamble.board, preamble.rules, compiled=compiled)


def some_puzzles(constraints: Constraints, seed: int, count: int, fewest: float = 0.5) -> bytes:
    """Full grids without some of their digits."""
    draw, cells = random.Random(seed), constraints.board.cells
    with Session(constraints) as session:
        grids = session.solutions(Grid(bytes(cells), constraints.board), limit=8)
        full = [bytes(grid) for grid in grids]
    puzzles = b""
    for _ in range(count):
        kept = {*draw.sample(range(cells), draw.randint(int(cells * fewest), cells - 1))}
        grid = draw.choice(full)
        puzzles += bytes(digit if at in kept else 0 for at, digit in enumerate(grid))
    return puzzles


def some_rows(trees: Trees, puzzles: bytes) -> list[Row]:
    """Rows with a tree, of every claim that has one."""
    rows = [*trees.make(puzzles).each(trees.cells)]
    rows += trees.make(puzzles, most=200, every=True).each(trees.cells)
    return [row for row in rows if row.claim]


def rows_of_file(path: Path) -> list[Rows]:
    """The blocks of a file."""
    with path.open("rb") as stream:
        head = read_head(stream.readline())
        return [block.unpack(head.board.cells) for block in read_blocks(stream)]


def verified(path: Path) -> Counter[str]:
    """How many rows of each claim are verified in a file without a fault."""
    total: Counter[str] = Counter()
    for _, checked in check_trees(str(path)):
        assert not checked.rejected
        total += checked.verified
    return total


def random_formula(draw: random.Random, extra: int = 3) -> Positive:
    """Two or three digits in two to four cells, other variables, and clauses and pairs of them."""
    digits, cells = draw.choice((2, 2, 3)), draw.randint(2, 4)
    variables = digits * cells + draw.randint(0, extra)
    own = [tuple(range(digits * cell, digits * (cell + 1))) for cell in range(cells)]
    pairs = {pair for clause in own for pair in combinations(clause, 2)}
    others = {(x, draw.randrange(x)) for x in range(digits * cells, variables)}
    for _ in range(draw.randint(0, 8)):
        others.add(tuple(draw.sample(range(variables), draw.randint(1, 4))))
        pairs.add(tuple(sorted(draw.choices(range(variables), k=2))))
    clauses = sorted({tuple(sorted(clause)) for clause in others}.difference(own))
    return Positive(variables, cells, digits, (*own, *clauses), tuple(sorted(pairs)))


def trees_of_formula(formula: Positive, *, compiled: bool) -> Trees:
    trees = Trees.__new__(Trees)
    trees.formula, trees.cells = formula, formula.cells
    trees.compiled = compiled and COMPILED
    return trees


def changed(draw: random.Random, row: Row, other: Row, digits: int) -> Row:
    """A row with a place or two that are different."""
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        row = draw.choice((_tree, _tree, _tree, _claim, _puzzle, _solutions, _mixed))(
            draw, row, other, digits
        )
    return row


def _tree(draw: random.Random, row: Row, other: Row, digits: int) -> Row:
    return row._replace(tree=changed_bytes(draw, row.tree, other.tree))


def changed_bytes(draw: random.Random, old: bytes, other: bytes) -> bytes:
    """The bytes of a tree with one change."""
    tree, at = bytearray(old), draw.randint(0, len(old))
    some = draw.choice((draw.randrange(256), draw.randrange(40), draw.choice((0, 127, 128, 255))))
    kind = draw.randrange(7)
    if kind == 0:
        tree[at:at] = bytes([some])
    elif kind == 1:
        tree[at : at + 1] = bytes([some])
    elif kind == 2:
        del tree[at : at + draw.randint(1, 3)]
    elif kind == 3 and at < len(tree):
        tree[at] ^= 1 << draw.randrange(8)
    elif kind == 4:
        tree = bytearray(old[:at] + other[draw.randint(0, len(other)) :])
    elif kind == 5:
        tree = bytearray(draw.randbytes(draw.randint(0, 6)))
    else:  # the same number in more bytes
        tree[at : at + 1] = bytes(
            x if x > 127 else y for x in tree[at : at + 1] for y in (x | 128, 0)
        )
    return bytes(tree)


def _claim(draw: random.Random, row: Row, other: Row, digits: int) -> Row:
    return row._replace(claim=draw.choice((*b"unmaUNMA-", 0, draw.randrange(256))))


def _cell(draw: random.Random, grid: bytes, digits: int) -> bytes:
    at = draw.randrange(len(grid))
    digit = draw.choice((0, draw.randint(0, digits), draw.randint(0, digits), digits + 1, 255))
    return grid[:at] + bytes([digit]) + grid[at + 1 :]


def _puzzle(draw: random.Random, row: Row, other: Row, digits: int) -> Row:
    return row._replace(puzzle=_cell(draw, row.puzzle, digits))


def _solutions(draw: random.Random, row: Row, other: Row, digits: int) -> Row:
    grids = [*row.solutions]
    kind, at = draw.randrange(6), draw.randrange(max(1, len(grids)))
    if kind == 0 and grids:
        del grids[at]
    elif kind == 1 and grids:
        grids[at] = _cell(draw, grids[at], digits)
    elif kind == 2:
        grids += other.solutions[:1]
    elif kind == 3 and grids:
        grids.append(grids[at])
    elif kind == 4:
        grids = sorted({*grids, *other.solutions})
    else:
        draw.shuffle(grids)
    return row._replace(solutions=tuple(grids))


def _mixed(draw: random.Random, row: Row, other: Row, digits: int) -> Row:
    name = draw.choice(("puzzle", "tree", "solutions", "claim"))
    return row._replace(**{name: getattr(other, name)})


def is_true(row: Row, constraints: Constraints, session: Session) -> bool:
    """Whether what a row claims is true, by solving the puzzle."""
    if max(row.puzzle) > len(constraints.board.digits):
        return False
    listed = [*row.solutions]
    if chr(row.claim) == "m":
        kept = all(a in (0, b) for grid in listed for a, b in zip(row.puzzle, grid, strict=True))
        own = [[*session.solutions(Grid(grid, constraints.board), limit=1)] for grid in listed]
        return kept and all(map(all, listed)) and all(own) and len({*listed}) == 2
    puzzle = Grid(row.puzzle, constraints.board)
    found = [bytes(grid) for grid in session.solutions(puzzle, limit=len(listed) + 1)]
    counts = {"u": len(listed) == 1, "n": not listed, "a": True}
    return counts.get(chr(row.claim), False) and sorted(found) == listed


def one_column_changed(draw: random.Random, rows: list[Row]) -> tuple[bytes | array[int], ...]:
    """The columns of rows, of which one has an item more, less or other."""
    parts = list(columns(rows))
    at = draw.randrange(len(parts))
    part = parts[at][:]
    if draw.randrange(2) and len(part):
        part = part[:-1]
    elif isinstance(part, array):
        part = array("i", part)
        place = draw.randrange(len(part))
        part[place] = draw.choice((-1, part[place] + 1, -(2**31), 2**31 - 1))
    else:
        part += b"\1"
    parts[at] = part
    return tuple(parts)


def write(stream: BinaryIO, head: Head, blocks: Iterable[tuple[int, bytes]]) -> None:
    """A whole file; of each block its number of rows and `pack` of these."""
    writer = Writer(stream, head)
    for rows, packed in blocks:
        writer.add(rows, packed)
    writer.finish()
