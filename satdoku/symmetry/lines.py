"""The canonical form under the whole group of a board: the numpy reference of `c/lines.c`.

Invariant: if all rows differ in colour, and all columns, the colours are an order, and the order is
the form; if colours tie, a search decides. The colours of all puzzles are refined at once
(`refinement`). Each puzzle is finished by itself (`search`), and few need any search.
"""

from __future__ import annotations

import numpy as np

from .layout import Layout
from .refinement import (
    Colours,
    Puzzles,
    refine,
    start_colours,
)
from .search import CanonicalSearch

PER_BATCH = 4096  # puzzles refined at once: memory stays bounded


def by_lines(layout: Layout, puzzles: Puzzles) -> tuple[Puzzles, Puzzles]:
    """Forms (N, cells) of puzzles (N, cells), and factors (N, 2n + 1) uint8 whose product is the
    number of permutations of lines that, with some renaming of the digits, fix the puzzle."""
    forms = np.empty_like(puzzles)
    orbits = np.ones((len(puzzles), 2 * layout.size + 1), np.uint8)
    for start in range(0, len(puzzles), PER_BATCH):
        part = slice(start, start + PER_BATCH)
        grids = puzzles[part].reshape(-1, layout.size, layout.size)
        colours, ties = refine(layout, grids, start_colours(layout, grids))
        for i, grid in enumerate(grids):
            own = Colours(*(part[i : i + 1] for part in colours))
            search = CanonicalSearch(layout, grid[None])
            search.visit(own, int(ties[i]))
            forms[start + i] = np.frombuffer(search.best, np.uint8)
            orbits[start + i] = search.orbit_sizes()
    return forms, orbits
