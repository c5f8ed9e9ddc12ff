"""Hints to a step, each telling more than the one before: where to look, which technique, the step.

Invariant: the first names no technique and no digit, and neither does its picture; the second
adds the technique alone. What they name, the step uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..model.board import Cells
from .naming import listed
from .units import Unit

if TYPE_CHECKING:
    from .step import Candidate, Step

WHERE, TECHNIQUE, WHOLE = STRENGTHS = 1, 2, 3
FEW = 3  # places that a hint names


@dataclass(frozen=True)
class Hint:
    """A hint. words: one sentence; highlights: what to colour, by `render`'s kinds; links: the
    chains to draw."""

    strength: int
    words: str
    highlights: Mapping[str, tuple[int | Candidate, ...]]
    links: tuple[tuple[Any, ...], ...] = ()

    def as_data(self) -> dict[str, Any]:
        """The hint as plain values for JSON, but the step itself."""
        return {"hint": self.strength, "words": self.words}


def hint_of(step: Step, strength: int) -> Hint:
    """The hint of that strength: 1, 2 or 3."""
    if strength not in STRENGTHS:
        raise ValueError(f"strength {strength}: expected 1, 2 or 3")
    if strength == WHOLE:
        return Hint(strength, step.words, step.highlights, step.links)
    names, cells = _looked_at(step)
    words = f"look at {listed(names)}"
    if strength == TECHNIQUE:
        words = f"{step.technique}: {words}"
    return Hint(strength, words, {"house": cells})


def _looked_at(step: Step) -> tuple[list[str], Cells]:
    """The names of the places to look at, and their cells: clues and houses if they are few, else
    where the pattern stands, or where the chain begins."""
    wide = [unit for unit in step.units if unit.candidates == 0 or unit.digit is not None]
    chosen: Iterable[Unit] = wide or step.units
    cells = {unit.label: unit.cells for unit in chosen}
    if not step.chain and 0 < len(cells) <= FEW:
        return list(cells), tuple(sorted({cell for some in cells.values() for cell in some}))
    few = _begin(step)
    return [step.board.name_of(cell) for cell in few], few


def _begin(step: Step) -> Cells:
    """The first cells of a chain, else those that the step concludes about, not more than a few."""
    starts = [links[0][0][0] for links in step.links if links]
    ends = [cell for cell, _ in ([step.placed] if step.placed else step.eliminated)]
    return tuple(sorted(dict.fromkeys(starts or ends))[:FEW])
