"""The reference's steps as the records that users get.

Invariant: a record is the same as that of the C extension, in every field and order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import step as records
from .board import BITS, bits
from .rating import steps_of
from .step import ChainLink, Step


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
