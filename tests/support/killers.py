"""Random killers: cages of neighbouring cells that cover a random grid."""

from __future__ import annotations

from examples import CLASSIC_SOLUTION


def random_killer(rng, most=6):
    """The rules of a killer, and the grid that it was made from."""
    digits = rng.sample(range(1, 10), 9)
    grid = [digits[int(digit) - 1] for digit in CLASSIC_SOLUTION]
    left, cages = set(range(81)), []
    while left:
        cage = [rng.choice(sorted(left))]
        for _ in range(rng.randint(0, most - 1)):
            near = {c for cell in cage for c in _beside(cell)} & left - {*cage}
            near = sorted(c for c in near if grid[c] not in {grid[k] for k in cage})
            if near:
                cage.append(rng.choice(near))
        left -= {*cage}
        cells = ",".join(f"r{c // 9 + 1}c{c % 9 + 1}" for c in cage)
        cages.append(f"cage={sum(grid[c] for c in cage)}:{cells}")
    return ";".join(cages), grid


def _beside(cell):
    row, column = divmod(cell, 9)
    near = (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)
    return [9 * r + c for r, c in near if 0 <= r < 9 and 0 <= c < 9]
