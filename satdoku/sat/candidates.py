"""The true candidates of a puzzle, as a tuple that shows itself.

Invariant: it is the plain tuple, with a shorter line and a picture.
"""

from __future__ import annotations

from math import isqrt

from ..model.board import Board


class Candidates(tuple[frozenset[int], ...]):
    """For each cell, row by row, the digits that it has in some solution."""

    __slots__ = ()

    def __repr__(self) -> str:
        fixed = sum(len(digits) == 1 for digits in self)
        return f"<Candidates: {sum(map(len, self)):,} in {len(self)} cells, {fixed} with one>"

    def _repr_html_(self) -> str:
        """The picture that a notebook shows, with the usual boxes; what is certain is large."""
        from ..render import render_svg

        certain = bytes(min(digits) if len(digits) == 1 else 0 for digits in self)
        return render_svg(bytes(len(self)), _rules(len(self)), solution=certain, candidates=self)


def _rules(cells: int) -> str:
    size = isqrt(cells)
    return "classic" if Board.of_size(size).has_boxes else f"latin={size}"
