"""The formula of a large puzzle: its open candidates are the variables, clauses are arrays.

Invariant: variable i + 1 is open candidate i, in the order of cells and digits. Each group says
that one of its candidates holds (a clause) and that no two do (pairs). That is the extended
encoding without its settled candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .propagate import Candidates, Digits

_BLOCK = 1 << 20  # literals of a block of clauses

Block = NDArray[np.int32]  # (clauses, literals): clauses of one length


@dataclass(frozen=True)
class LargeFormula:
    """Groups of candidates, by their sizes.

    groups: for each size that occurs the variables of all groups of that size, (groups, size).
    """

    candidates: Candidates
    groups: tuple[Block, ...]

    @property
    def variables(self) -> int:
        return self.candidates.count

    @property
    def clause_count(self) -> int:
        """Number of clauses that `clauses` gives."""
        sizes = ((len(block), block.shape[1]) for block in self.groups)
        return sum(count * (1 + size * (size - 1) // 2) for count, size in sizes)

    def clauses(self) -> Iterator[Block]:
        """All clauses, block by block."""
        for block in self.groups:
            yield block
            if block.shape[1] > 1:
                yield from self._pairs(block)

    def _pairs(self, block: Block) -> Iterator[Block]:
        """No two of a group, for all groups of one size."""
        first, second = np.triu_indices(block.shape[1], 1)
        step = max(1, _BLOCK // (2 * len(first)))
        for start in range(0, len(block), step):
            part = block[start : start + step]
            yield -np.stack([part[:, first].ravel(), part[:, second].ravel()], axis=1)

    def cells_of(self, true: NDArray[np.bool_]) -> Digits:
        """The grid of a model, (size * size,); true: whether each variable is, (variables,)."""
        filled = self.candidates.settled.copy()
        filled[self.candidates.cells[true]] = self.candidates.digits[true]
        return filled

    def true_in(self, cells: Digits) -> Block:
        """The variables that are true in a full grid."""
        candidates = self.candidates
        true = np.flatnonzero(cells[candidates.cells] == candidates.digits)
        return (true + 1).astype(np.int32)


def formula_of(candidates: Candidates) -> LargeFormula:
    """The formula of candidates, propagated or not."""
    keys = candidates.groups.ravel()
    variables = np.tile(np.arange(1, candidates.count + 1, dtype=np.int32), len(candidates.groups))
    order = np.argsort(keys, kind="stable")
    order = order[np.searchsorted(keys[order], 0) :]  # without -1: no house
    members, keys = variables[order], keys[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    sizes = np.diff(starts, append=len(keys))
    blocks = [
        members[starts[sizes == size][:, None] + np.arange(size)]
        for size in np.unique(sizes).tolist()
    ]
    return LargeFormula(candidates, tuple(blocks))
