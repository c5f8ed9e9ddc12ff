"""One step of a solution as data for people and programs: the conclusion, its reasons, the words.

Invariant: a step contains everything that a picture or a checker needs. It never refers to an
earlier step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..model.board import Board, Cells, bits
from ..model.constraints import constraints_for
from .drawn import Candidate, Link, Pattern
from .units import Mask, Unit


@dataclass(frozen=True)
class Step:
    """A conclusion and the smallest explanation found for it.

    technique: `hidden single`, `pointing`, `naked pair`, `chain` ... units: the explanation; their
    number is the size of the step. words: one sentence. chain: the consequences that a search drew,
    phrase by phrase; empty for plain techniques. rating: on the scale of Sudoku Explainer, None for
    steps of smallest explanations, like the pattern, which pictures show instead of the units.
    """

    technique: str
    units: tuple[Unit, ...]
    words: str
    chain: tuple[str, ...]
    board: Board = field(repr=False)
    live: Mask = field(repr=False)  # candidates left before the step
    put: int | None = field(repr=False)
    struck: Mask = field(repr=False)
    rating: float | None = None
    pattern: Pattern | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"<Step: {self.words}>"

    def _repr_html_(self) -> str:
        """The picture that a notebook shows: the candidates, what is used and what follows."""
        from ..render.display import drawing

        plain = constraints_for("classic", self.board)
        return drawing(
            self.known, plain, self.caption, candidates=self.candidates,
            highlights=self.highlights, chains=self.links,
        )  # fmt: skip

    @property
    def size(self) -> int:
        """The number of units in the explanation."""
        return len(self.units)

    @property
    def placed(self) -> Candidate | None:
        """The digit that the step derives, as (cell, digit); None if it only eliminates."""
        return None if self.put is None else self._pair(self.put)

    @property
    def eliminated(self) -> tuple[Candidate, ...]:
        """The candidates that the step strikes: refuted, or excluded by the placed digit."""
        return tuple(map(self._pair, bits(self.struck)))

    @property
    def reasons(self) -> tuple[Candidate, ...]:
        """The candidates left in the units of the explanation: the ones a reader has to look at."""
        named = 0
        for unit in self.units:
            named |= unit.members & self.live
            for a, b in unit.pairs:
                named |= (1 << a | 1 << b) & self.live
        return tuple(map(self._pair, bits(named)))

    @property
    def reason_cells(self) -> Cells:
        """The cells of `reasons`, ascending."""
        return tuple(sorted({cell for cell, _ in self.reasons}))

    @property
    def highlights(self) -> dict[str, tuple[int | Candidate, ...]]:
        """Cells and candidates (cell, digit) to colour, by `render`'s kinds of highlight."""
        cells, reasons = tuple(sorted({c for unit in self.units for c in unit.cells})), self.reasons
        if self.pattern is not None:
            cells = self.pattern.cells
            reasons = tuple(map(self._pair, bits(self.pattern.candidates & self.live)))
        return {
            "house": cells,
            "reason": reasons,
            "eliminated": self.eliminated,
            "conclusion": () if self.placed is None else (self.placed,),
        }

    @property
    def links(self) -> tuple[tuple[Link, ...], ...]:
        """The chains to draw, link by link; none if the step is not rated or has no chain."""
        return self.pattern.chains if self.pattern else ()

    @property
    def caption(self) -> str:
        """The words; below them, chain by chain, the candidates in order with the numbers of their
        arrows in a picture, and what it leaves out."""
        if not self.links:
            return self.words
        assert self.pattern is not None
        start = self.words.partition(f": {self.chain[0]}")[0]
        return f"{start}\n{self.pattern.notes}"

    @property
    def gone(self) -> tuple[Candidate, ...]:
        """The struck candidates of the explanation's groups and clues; the step needs that they are
        gone."""
        whole = 0
        for unit in self.units:
            whole |= unit.members
        return tuple(map(self._pair, bits(whole & ~self.live)))

    @property
    def candidates(self) -> tuple[frozenset[int], ...]:
        """For each cell, the digits left before the step."""
        n = self.board.size
        return tuple(
            frozenset(d for d in range(1, n + 1) if self.live >> n * cell + d - 1 & 1)
            for cell in range(self.board.cells)
        )

    @property
    def known(self) -> bytes:
        """For each cell, its digit before the step, or 0: the only one left there, and left in no
        cell that shares a house with it."""
        left = self.candidates
        shown = {cell for links in self.links for link in links for cell, _ in link[:2]}
        shown.update(
            [self.placed[0]] if self.placed else []
        )  # as small digits, with what they tell
        return bytes(
            min(digits)
            if len(digits) == 1
            and cell not in shown
            and not any(digits & left[peer] for peer in self.board.peers[cell])
            else 0
            for cell, digits in enumerate(left)
        )

    def as_data(self) -> dict[str, Any]:
        """The step as plain values for JSON; cells by name, r1c1."""
        return {
            "technique": self.technique,
            **({} if self.rating is None else {"rating": self.rating}),
            "size": self.size,
            "placed": None if self.placed is None else self._named(self.placed),
            "eliminated": list(map(self._named, self.eliminated)),
            "reasons": {
                "units": [unit_data(unit, self.board) for unit in self.units],
                "cells": [self.board.name_of(cell) for cell in self.reason_cells],
                "candidates": list(map(self._named, self.reasons)),
            },
            "words": self.words,
            "chain": list(self.chain),
        }

    def _pair(self, candidate: int) -> Candidate:
        cell, digit = divmod(candidate, self.board.size)
        return cell, digit + 1

    def _named(self, candidate: Candidate) -> dict[str, Any]:
        cell, digit = candidate
        return {"cell": self.board.name_of(cell), "digit": digit}


def unit_data(unit: Unit, board: Board) -> dict[str, Any]:
    """A unit as plain values for JSON."""
    return {
        "rule": unit.family,
        "label": unit.label,
        "digit": unit.digit,
        "cells": [board.name_of(cell) for cell in unit.cells],
        "words": unit.words,
    }
