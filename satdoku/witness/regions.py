"""Whether a clause says only that regions are connected and have their sizes.

Invariant: nothing here reads a formula or asks how a clause was found. A clause holds if the
opposite cannot be: if certain cells have a label and certain others do not, then the grid, flooded
without those others, shows that the label's cells are not connected or that their number is not one
of its sizes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

Sizes = tuple[int, int]


class Labels:
    """The labels of a board, of which each is connected if any cell has it.

    literals: for each label the positive literal of each cell, shape (labels, cells). edges: pairs
    of cells that are beside each other. sizes: for each label the least and the greatest number of
    its cells, if it has any.
    """

    def __init__(
        self,
        literals: Sequence[Sequence[int]],
        edges: Iterable[tuple[int, int]],
        sizes: Sequence[Sizes],
    ) -> None:
        self._place = {
            int(literal): (label, cell)
            for label, own in enumerate(literals)
            for cell, literal in enumerate(own)
        }
        self._sizes = [(int(least), int(most)) for least, most in sizes]
        self._neighbours: list[list[int]] = [[] for _ in literals[0]]
        for one, other in edges:
            self._neighbours[one].append(other)
            self._neighbours[other].append(one)

    def imply(self, clause: Iterable[int]) -> bool:
        """Whether the clause holds for every way to give labels to cells. A clause of two labels,
        or with a literal of no label, is not believed."""
        have: set[int] = set()
        lack: set[int] = set()
        labels = set()
        for literal in clause:
            if abs(literal) not in self._place:
                return False
            label, cell = self._place[abs(literal)]
            labels.add(label)
            (lack if literal > 0 else have).add(cell)
        return len(labels) == 1 and self._fails(have, lack, self._sizes[labels.pop()])

    def _fails(self, have: set[int], lack: set[int], sizes: Sizes) -> bool:
        """Whether no connected set of a permitted number of cells has the ones and lacks the
        others."""
        least, most = sizes
        if not have:
            return False
        if have & lack or len(have) > most:
            return True
        return any(self._fails_from(start, have, lack, least, most - len(have)) for start in have)

    def _fails_from(
        self, start: int, have: set[int], lack: set[int], least: int, spare: int
    ) -> bool:
        """Flood from one cell: at each cell the fewest further ones that lead to it."""
        further = {start: 0}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            for other in self._neighbours[cell]:
                if other in lack:
                    continue
                count = further[cell] + (other not in have)
                if other not in further or count < further[other]:
                    further[other] = count
                    (queue.appendleft if other in have else queue.append)(other)
        if len(further) < least:
            return True
        return any(further.get(cell, spare + 1) > spare for cell in have)
