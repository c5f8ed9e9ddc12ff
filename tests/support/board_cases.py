"""Boards of every class, small, and random puzzles on them."""

from __future__ import annotations

from functools import cache
from random import Random

import satdoku
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, empty_grid

BOARDS = {
    "rectangle": "shape=3x4",
    "boxes": "shape=4x6;digits=1-6",
    "holes": "shape=4x4;holes:r1c1,r3c4",
    "overlap": "shape=4x4;grids:r1c1,r3c3",
    "zero": "shape=4x4;digits=0-3",
    "below": "shape=3x3;digits=-1-1",
    "more": "shape=3x3;digits=1-5;knight",
    "words": "shape=3x4;digits=5,10,15,20",
    "layer": "shape=4x4;layer=shade:0-1;sum=4:r1c1,shade.r1c1,shade.r2c2",
    "connected": "shape=4x4;layer=shade:0-1;connected=0:shade;connected=1:shade;"
    "no-square=0:shade;no-square=1:shade;sum=3:r1c1,shade.r1c1;sum=4:r4c2,shade.r4c2,shade.r2c3",
    "regions": "shape=4x4;latin;layer=area:1-4;chaos:area",
}


@cache
def some_grids(rules: str, count: int = 40) -> tuple[Grid, ...]:
    """Different full grids, the cells of layers empty."""
    constraints = constraints_for(rules)
    board, random = constraints.board, Random(rules)
    found = set()
    for _ in range(6 * count):
        cells = bytearray(board.cells)
        for cell in random.sample(range(board.grid_cells), 2):
            cells[cell] = 1 + random.randrange(len(board.digits))
        grid = satdoku.solve(Grid(bytes(cells), board), constraints)
        if grid is not None:
            found.add(grid.cells[: board.grid_cells].ljust(board.cells, b"\0"))
        if len(found) == count:
            break
    assert found, rules
    return tuple(Grid(cells, board) for cells in sorted(found))


def some_puzzles(rules: str, count: int, seed: int = 1) -> list[Grid]:
    """Random givens of a grid, in one of five puzzles with one that may be wrong."""
    board, random = constraints_for(rules).board, Random(seed)
    puzzles = [empty_grid(board)]
    while len(puzzles) < count:
        cells = bytearray(random.choice(some_grids(rules)).cells)
        part = random.choice((0.3, 0.5, 0.7))
        for cell in range(board.grid_cells):
            if random.random() > part:
                cells[cell] = 0
        if len(puzzles) % 5 == 0:
            cells[random.randrange(board.grid_cells)] = 1 + random.randrange(len(board.digits))
        puzzles.append(Grid(bytes(cells), board))
    return puzzles
