"""What a clue says of three cells or more, for explanations.

Invariant: such a clue speaks of cells that hold one digit each, so it contains that: it reads the
digits of its cells in order, as an automaton does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from .. import limits
from ..cnf.encodings.groups import pairwise
from ..cnf.encodings.shapes import shape_clauses
from ..model.automata import as_automaton
from ..model.shapes import Automaton, Edge, Shape

Mask = int  # a set of candidates, bit c for candidate c (0-based, cell-major)


class Reading(NamedTuple):
    """An automaton on a board with `size` digits.

    groups: the candidates of each cell, in the order in which the cells are read. layers: the edges
    of each cell, with candidates as bits in place of digits.
    """

    size: int
    automaton: Automaton
    groups: tuple[Mask, ...]
    layers: tuple[tuple[Edge, ...], ...]

    @property
    def members(self) -> Mask:
        """The candidates of all its cells."""
        return reduce(or_, self.groups)

    def impossible(self, live: Mask) -> Mask:
        """The candidates of `live` in its cells that no accepted sequence of these has."""
        limits.check()
        layers = list(self._from_the_start(live))
        states, gone = {0}, 0
        for group, edges in zip(reversed(self.groups), reversed(layers), strict=True):
            onward = [(state, bit) for state, bit, after in edges if after in states]
            states = {state for state, _ in onward}
            gone |= group & live & ~reduce(or_, (bit for _, bit in onward), 0)
        return gone

    def _from_the_start(self, live: Mask) -> Iterator[list[Edge]]:
        """For each cell the edges that are reached."""
        states = {0}
        for edges in self.layers:
            reached = [edge for edge in edges if edge[1] & live and edge[0] in states]
            states = {after for _, _, after in reached}
            yield reached

    def clauses(self, fresh: Callable[[], int]) -> Iterator[list[int]]:
        """Each cell holds one digit, and their sequence is accepted."""
        for cell in self.automaton.cells:
            literals = list(range(self.size * cell + 1, self.size * cell + self.size + 1))
            yield literals
            yield from map(list, pairwise(literals))
        yield from map(list, shape_clauses(self.automaton, self.size, fresh))


@lru_cache(maxsize=1024)
def reading_of(shape: Shape, size: int) -> Reading:
    """Any shape as an automaton."""
    limits.check()
    read = as_automaton(shape, size)
    cells = read.cells
    groups = tuple(((1 << size) - 1) << size * cell for cell in cells)
    layers = tuple(
        tuple((state, 1 << size * cell + digit - 1, after) for state, digit, after in edges)
        for cell, edges in zip(cells, read.layers, strict=True)
    )
    return Reading(size, read, groups, layers)
