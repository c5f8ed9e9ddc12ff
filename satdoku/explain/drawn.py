"""What a picture shows of a rated step: its pattern, and its chains as numbered links.

Invariant: each link drawn is one of the record's, from a parent to the node that follows from it,
drawn once. Of many links, the longest chains keep the line from their assumption to their end, and
the notes say how many are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..model.board import Cells, mask_of
from ..ratings.step import Node, Step
from ..render.chains import labels
from .units import Mask

Candidate = tuple[int, int]  # cell 0-based, digit from 1
Link = tuple[Candidate, Candidate, bool]  # from, to, and whether that holds then
Told = Mapping[tuple[int, bool], str]  # what is said of a node, by candidate and whether it holds
MOST = 26  # links of a picture with all of its chains' branches

UNBROKEN = "\N{NO-BREAK SPACE}"  # within a phrase, which a line should not break

ARROWS = "A solid arrow leads to what then holds, a dashed one to what then leaves."
TOGETHER = "Arrows with the same number lead there together."
PATTERN = "The chains within the chains are not drawn."
LINES = "{} of {} links are drawn: of long chains the main line, without the branches that join it."


@dataclass(frozen=True)
class Pattern:
    """The pattern of a step. cells: those looked at; candidates: those that make the pattern, the
    nodes of chains too; chains: their links from the assumption on; notes: on what is drawn."""

    cells: Cells
    candidates: Mask
    chains: tuple[tuple[Link, ...], ...]
    notes: str


def pattern_of(rated: Step, houses: Sequence[Cells], told: Sequence[Told] = ()) -> Pattern:
    """What to draw of a step; `houses` are the cells of the houses that it names, `told` what is
    said of the nodes of each strand."""
    cells = {cell for house in houses for cell in house}.union(rated.cells)
    if rated.placed is not None:
        cells.add(rated.placed // 9)
    digits = rated.digits or _digits(rated)
    nodes = [node for strand in rated.strands for node in strand]
    about = [9 * cell + digit - 1 for cell in rated.cells for digit in digits]
    about += [node.candidate for node in nodes]
    is_cycle = rated.technique.startswith("bidirectional")
    strands = rated.strands[:1] if is_cycle else rated.strands  # the second is the first backwards
    chains, total = _chains(strands, prunes=not is_cycle)
    named = labels(chains)
    drawn = sum(map(len, chains))
    said = [
        ARROWS,
        *[TOGETHER] * any(len(set(names)) < len(names) for names in named),
        *[PATTERN] * any(node.cause == "pattern" for node in nodes),
        *[LINES.format(drawn, total)] * (drawn < total),
    ]
    lines = [_line_of(*chain) for chain in zip(chains, named, told, strict=False) if chain[0]]
    notes = "\n".join([*lines, " ".join(said)]) if strands else ""
    return Pattern(tuple(sorted(cells)), mask_of(about), chains, notes)


def _chains(
    strands: Sequence[Sequence[Node]], *, prunes: bool
) -> tuple[tuple[tuple[Link, ...], ...], int]:
    """The links of each strand, less those of a strand before it; and how many there are if none of
    the longest strands is pruned."""
    pruned: set[int] = set()
    total = 0
    while True:
        seen: dict[Link, None] = {}
        chains = []
        for number, strand in enumerate(strands):
            links = dict.fromkeys(_links(strand, number in pruned))
            chains.append(tuple(link for link in links if link not in seen))
            seen |= links
        total = total or len(seen)
        left = [number for number in range(len(strands)) if number not in pruned]
        if not prunes or len(seen) <= MOST or not left:
            return tuple(chains), total
        pruned.add(max(left, key=lambda number: len(chains[number])))


def _line_of(links: Sequence[Link], names: Sequence[str], told: Told) -> str:
    """A chain in words, each of its candidates with the number of the arrows to it."""
    (begin, _, _), *_ = links
    first = next(filter(None, (told.get((_number(begin), holds)) for holds in (True, False))))
    steps = dict.fromkeys(
        f"{name} {told[_number(end), holds]}"
        for name, (_, end, holds) in zip(names, links, strict=True)
    )
    return "; ".join(phrase.replace(" ", UNBROKEN) for phrase in (first, *steps))


def _number(candidate: Candidate) -> int:
    cell, digit = candidate
    return 9 * cell + digit - 1


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
