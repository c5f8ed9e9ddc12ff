"""Ratings of a puzzle: the steps of its solution, each by the easiest technique, and their maxima.

Invariant: techniques are tried in one order, and the first step that one of them finds is made. ER
is the hardest step, EP the hardest up to and including the first that places a digit, ED the first
step, as Sukaku Explainer 1.18.1 computes them with its default settings. The records that users get
are the same as those of the C extension, in every field and order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ...model.board import bits
from .. import step as records
from . import subsets
from .board import BITS, ChainLink, State, Step, Technique
from .chains import forcing_chains
from .forcing import Kind, Level, multiple_chains
from .links import strong_links
from .loops import bivalue_graves, unique_loops
from .wings import aligned_exclusions, set_wings, small_wings

NESTED = (  # with chains within the chains
    *(partial(multiple_chains, level=Level(Kind.DYNAMIC, level)) for level in (1, 2, 3, 4)),
    *(partial(multiple_chains, level=Level(Kind.DYNAMIC, 4, inner)) for inner in (1, 2, 3)),
)
CHAINS = (forcing_chains, multiple_chains)
ORDER: tuple[Callable[..., Iterator[Step]], ...] = (
    subsets.hidden_singles,
    subsets.direct_intersections,
    partial(subsets.direct_hidden_sets, size=2),
    subsets.naked_singles,
    partial(subsets.direct_hidden_sets, size=3),
    subsets.intersections,
    partial(subsets.naked_sets, size=2),
    partial(subsets.fish, size=2),
    partial(subsets.hidden_sets, size=2),
    partial(subsets.naked_sets, size=3),
    partial(subsets.fish, size=3),
    partial(subsets.hidden_sets, size=3),
    partial(strong_links, size=2),
    partial(small_wings, digits=2),
    partial(small_wings, digits=3),
    unique_loops,
    partial(subsets.naked_sets, size=4),
    partial(subsets.fish, size=4),
    partial(subsets.hidden_sets, size=4),
    partial(strong_links, size=3),
    partial(set_wings, size=3),
    bivalue_graves,
    partial(strong_links, size=4),
    partial(set_wings, size=4),
    partial(aligned_exclusions, size=2),
    partial(set_wings, size=5),
    forcing_chains,
    partial(set_wings, size=6),
    partial(aligned_exclusions, size=3),
    *(partial(multiple_chains, level=Level(kind)) for kind in Kind),
    *NESTED,
)


UNSOLVED = 20.0  # ER if no technique helps
NOTHING = Step(Technique.LAST_DIGIT, 0.0)  # the hardest step where there is none


class Rating(NamedTuple):
    """ER, EP and ED to one decimal, the technique of the hardest step and the number of steps."""

    er: float
    ep: float
    ed: float
    technique: Technique
    steps: int


def easiest_step(state: State) -> Step | None:
    """The first step of the first technique that has any."""
    return next((step for technique in ORDER for step in technique(state)), None)


def every_step(state: State) -> Iterator[Step]:
    """All steps that the techniques up to dynamic forcing chains find in a state, technique by
    technique; of chains the best one for each conclusion."""
    for technique in ORDER[: -len(NESTED)]:
        of = technique.func if isinstance(technique, partial) else technique
        yield from technique(state, wants_all=True) if of in CHAINS else technique(state)


def steps_of(puzzle: Sequence[int]) -> Iterator[Step]:
    """The steps that solve a puzzle of 81 digits (0: empty); they end early if nothing helps."""
    state = State.of(puzzle)
    while state.unsolved:
        step = easiest_step(state)
        if step is None:
            return
        yield step
        step.apply(state)


def rate(puzzle: Sequence[int]) -> Rating:
    """Rate a puzzle of 81 digits (0: empty) with one solution."""
    return rating_of(puzzle, list(steps_of(puzzle)))


def rating_of(puzzle: Sequence[int], steps: Sequence[Step]) -> Rating:
    """What the steps of a puzzle come to; 0.0 if there are none to make."""
    placed = [i for i, step in enumerate(steps) if step.placed is not None]
    solved = sum(digit > 0 for digit in puzzle) + len(placed) == 81
    hardest = max(steps, key=lambda step: step.rating, default=NOTHING)
    parts = (steps, steps[: placed[0] + 1] if placed else steps, steps[:1])
    er, ep, ed = (round(max((step.rating for step in part), default=0.0), 1) for part in parts)
    return Rating(er if solved else UNSOLVED, ep, ed, hardest.technique, len(steps))


def records_of(puzzle: Sequence[int]) -> Iterator[records.Step]:
    """The steps that solve a puzzle of 81 digits (0: empty) with one solution."""
    return map(record_of, steps_of(puzzle))


def record_of(step: Step) -> records.Step:
    """A step as a record."""
    return records.Step(
        technique=records.TECHNIQUES[step.technique],
        level=step.level,
        rating=round(10 * step.rating),
        placed=step.placed,
        struck=tuple(9 * cell + digit for cell, digits in step.struck for digit in BITS[digits]),
        cells=tuple(bits(step.cells)),
        digits=tuple(digit + 1 for digit in BITS[step.digits]),
        houses=step.houses,
        strands=tuple(tuple(map(_node, chain)) for chain in step.chains),
    )


def _node(link: ChainLink) -> records.Node:
    return records.Node(link.candidate, link.holds, records.CAUSES[link.cause], link.parents)
