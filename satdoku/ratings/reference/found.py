"""Nodes of chains, the chains that a search has found, and how they are compared.

Invariant: chains are ordered by rating, number of nodes, kind, and when they were found. A node is
a candidate that holds or leaves because of its parents; its ancestry, as a set, counts each
candidate and state once, however often a chain comes back to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .board import CELLS, HOUSE, State, bits
from .implications import Cause
from .step import ChainLink, Step, Struck, Technique

Nested = tuple[object, int]  # what tells a chain within a chain from others, and its nodes
Rank = tuple[float, int, int]  # rating, nodes, kind


class Node:
    """A candidate that holds or leaves. `nested`: the chain that it comes from, if any."""

    __slots__ = ("ancestry", "candidate", "cause", "holds", "nested", "parents")

    def __init__(
        self,
        candidate: int,
        holds: bool,
        cause: Cause = Cause.ASSUMED,
        parents: tuple[Node, ...] = (),
        nested: Nested | None = None,
    ) -> None:
        self.candidate = candidate
        self.holds = holds
        self.cause = cause
        self.parents = parents
        self.ancestry: int = 1 << 2 * candidate + holds
        self.nested: frozenset[Nested] = frozenset([nested] if nested else ())
        for parent in parents:
            self.ancestry |= parent.ancestry
            self.nested |= parent.nested

    def walk(self) -> Iterator[Node]:
        """The node and what it comes from, by distance, each candidate and state once."""
        waiting, met = [self], 0
        for node in waiting:  # which grows on the way
            own = 1 << 2 * node.candidate + node.holds
            if not met & own:
                met |= own
                yield node
                waiting += node.parents

    def links(self) -> tuple[ChainLink, ...]:
        """The chain that ends here, in the order of `walk`."""
        nodes = list(self.walk())
        numbers = {(node.candidate, node.holds): number for number, node in enumerate(nodes)}
        return tuple(
            ChainLink(
                node.candidate,
                node.holds,
                node.cause,
                tuple(numbers[parent.candidate, parent.holds] for parent in node.parents),
            )
            for node in nodes
        )


class Chain(NamedTuple):
    technique: Technique
    rank: Rank
    struck: Struck
    placed: int | None
    ends: tuple[Node, ...]  # of its strands
    origin: Cause = Cause.ASSUMED  # what makes the assumptions hold: a cell or a house

    def step(self, level: int) -> Step:
        chains = tuple(end.links() for end in self.ends)
        rating = self.rank[0]
        return Step(self.technique, rating, level, self.placed, self.struck, chains=chains)

    def nested(self) -> Nested:
        nodes = tuple(
            tuple((node.candidate, node.holds) for node in end.walk()) for end in self.ends
        )
        return nodes, self.rank[1]

    def premises(self, source: State, now: State) -> dict[int, None]:
        """The candidates, struck from `source` until `now`, that a node needs gone to hold."""
        premises: dict[int, None] = {}
        for node in (node for end in self.ends for node in end.walk()):
            if node.holds:
                gone = _gone(node.candidate, node.cause or self.origin, source, now)
                premises.update(dict.fromkeys(gone))
        return premises


def _gone(candidate: int, cause: Cause, source: State, now: State) -> Iterator[int]:
    cell, digit = divmod(candidate, 9)
    if cause == Cause.CELL:
        for other in bits(source.of_cell[cell] & ~now.of_cell[cell]):
            yield 9 * cell + other
    elif cause in (Cause.BOX, Cause.ROW, Cause.COLUMN):
        house = CELLS[HOUSE[cell][cause - Cause.BOX]]
        for other in bits(house & source.of_digit[digit] & ~now.of_digit[digit]):
            yield 9 * other + digit


class Found:
    """The best chain, or, if all are wanted, the best one for each conclusion."""

    def __init__(self, wants_all: bool) -> None:
        self.wants_all = wants_all
        self._chains: dict[frozenset[tuple[int, int]], Chain] = {}

    def is_late(self, rank: Rank) -> bool:
        """Whether a chain found now is of no use, whatever its conclusion."""
        return not self.wants_all and any(rank >= chain.rank for chain in self._chains.values())

    def offer(self, rank: Rank, struck: Struck, make: Callable[[], Chain]) -> None:
        """Keep a chain if it goes before what has been found for its conclusion."""
        key = frozenset(struck) if self.wants_all else frozenset[tuple[int, int]]()
        known = self._chains.get(key)
        if struck and (known is None or rank < known.rank):
            self._chains.pop(key, None)  # the new one was found later than all others
            self._chains[key] = make()

    def chains(self) -> list[Chain]:
        return sorted(self._chains.values(), key=lambda chain: chain.rank)
