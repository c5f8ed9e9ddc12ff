"""What a picture shows of a rated step: its pattern, and its chains as links.

Invariant: each link drawn is one of the record's, from a parent to the node that follows from it. A
chain too long to follow keeps the line from its assumption to its end, and the caption says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..model.board import Cells
from ..model.masks import mask_of
from ..ratings.step import Node, Step
from .units import Mask

Candidate = tuple[int, int]  # cell 0-based, digit from 1
Link = tuple[Candidate, Candidate, bool]  # from, to, and whether that holds then
MOST = 40  # links of a picture with all of its chains' branches

ARROWS = "A solid arrow leads to what then holds, a dashed one to what then leaves."
PATTERN = "The chains within the chains are not drawn."
LINES = "Only the main line of each chain is drawn."


@dataclass(frozen=True)
class Pattern:
    """The pattern of a step. cells: those looked at; candidates: those that make the pattern, the
    nodes of chains too; chains: their links from the assumption on; notes: on what is drawn."""

    cells: Cells
    candidates: Mask
    chains: tuple[tuple[Link, ...], ...]
    notes: str


def pattern_of(rated: Step, houses: Sequence[Cells]) -> Pattern:
    """What to draw of a step; `houses` are the cells of the houses that it names."""
    cells = {cell for house in houses for cell in house}.union(rated.cells)
    if rated.placed is not None:
        cells.add(rated.placed // 9)
    digits = rated.digits or _digits(rated)
    nodes = [node for strand in rated.strands for node in strand]
    about = [9 * cell + digit - 1 for cell in rated.cells for digit in digits]
    about += [node.candidate for node in nodes]
    is_cycle = rated.technique.startswith("bidirectional")
    strands = rated.strands[:1] if is_cycle else rated.strands  # the second is the first backwards
    is_long = not is_cycle and sum(len(node.parents) for node in nodes) > MOST
    chains = tuple(tuple(_links(strand, is_long)) for strand in strands)
    nests = any(node.cause == "pattern" for node in nodes)
    said = (ARROWS, *[PATTERN] * nests, *[LINES] * is_long) if strands else ()
    return Pattern(tuple(sorted(cells)), mask_of(about), chains, " ".join(said))


def _digits(rated: Step) -> Sequence[int]:
    """The digits of a pattern whose record has none: what it places, or any."""
    return range(1, 10) if rated.placed is None else (rated.placed % 9 + 1,)


def _links(strand: Sequence[Node], is_long: bool) -> Iterator[Link]:
    """The links of a strand from its assumption on, or those of its main line."""
    numbers = _line(strand) if is_long else range(len(strand))
    for number in reversed(numbers):
        node = strand[number]
        for parent in node.parents[:1] if is_long else node.parents:
            yield _pair(strand[parent].candidate), _pair(node.candidate), node.holds


def _line(strand: Sequence[Node]) -> list[int]:
    """The numbers of the nodes from the end back to the assumption, by their first parents."""
    line = [0]
    while parents := strand[line[-1]].parents:
        line.append(parents[0])
    return line


def _pair(candidate: int) -> Candidate:
    cell, digit = divmod(candidate, 9)
    return cell, digit + 1
