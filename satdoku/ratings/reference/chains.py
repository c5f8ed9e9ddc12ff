"""What follows from a candidate; nodes of chains and how they are compared; chains of one strand.

Invariant: consequences come in one order. A candidate that holds strikes the other digits of its
cell, then its digit in the box, the row and the column. One that leaves settles the cell, then the
box, the row and the column in which one place is left. Each consequence knows which of these it
comes from. Chains rate by their number of nodes, so the order of equals matters to the last tenth.

Chains are ordered by rating, number of nodes, kind, and when they were found. A node is a candidate
that holds or leaves because of its parents; its ancestry, as a set, counts each candidate and state
once, however often a chain comes back to it.

A chain of one strand alternates between candidates that hold and candidates that leave. A cycle
comes back to its start, and what sees two neighbours of it leaves; a chain that comes back to the
opposite of its start refutes it. Chains on one digit (X), on bivalue cells (Y) and mixed ones are
sought in this order. Each search is breadth first, so the first way to a candidate is a shortest.
Ratings from 6.5 (X- and Y-cycle), 6.6 (X-chain) and 7.0 (mixed) on, by length (Sudoku Explainer).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from enum import Flag
from itertools import accumulate, repeat
from typing import NamedTuple

from ...model.board import bits
from .board import (
    BITS,
    BOX,
    CELL,
    CELLS,
    COLUMN,
    HOUSE,
    KINDS,
    PEERS,
    PLACE,
    ROW,
    Cause,
    ChainLink,
    State,
    Step,
    Struck,
    Technique,
    is_single,
)


class Implied(NamedTuple):
    candidate: int
    cause: Cause


CAUSES = (Cause.BOX, Cause.ROW, Cause.COLUMN)  # by kind of house
LONGER = sorted(first << doublings for first in (4, 6) for doublings in range(16))
ABOVE = list(accumulate(repeat(0.1, len(LONGER)), initial=0.0))  # one by one: the last bit counts
# For each cell the others of its box, then what its row and its column have beside the box.
AROUND = [
    (
        CELLS[houses[BOX]] & ~(1 << cell),
        CELLS[houses[ROW]] & ~CELLS[houses[BOX]],
        CELLS[houses[COLUMN]] & ~CELLS[houses[BOX]],
    )
    for cell, houses in enumerate(HOUSE)
]


def struck_by(state: State, candidate: int, own: bool = True) -> list[Implied]:
    """What leaves if a candidate holds; `own` says whether other digits of its cell count."""
    cell, digit = divmod(candidate, 9)
    struck = []
    if own:
        others = state.of_cell[cell] & ~(1 << digit)
        struck = [Implied(9 * cell + other, Cause.CELL) for other in BITS[others]]
    for around, cause in zip(AROUND[cell], CAUSES, strict=True):
        cells = around & state.of_digit[digit]
        if cells:
            struck += [Implied(9 * other + digit, cause) for other in bits(cells)]
    return struck


def settled_by(
    state: State, candidate: int, own: bool = True, houses: bool = True
) -> list[Implied]:
    """What holds if a candidate leaves; `own` and `houses` say what counts."""
    cell, digit = divmod(candidate, 9)
    settled: dict[int, Cause] = {}
    others = state.of_cell[cell] & ~(1 << digit)
    if own and is_single(others):
        settled[9 * cell + others.bit_length() - 1] = Cause.CELL
    for kind in KINDS if houses else ():
        house = HOUSE[cell][kind]
        places = state.of_house[9 * house + digit] & ~(1 << PLACE[cell][kind])
        if is_single(places):
            settled.setdefault(9 * CELL[house][places.bit_length() - 1] + digit, CAUSES[kind])
    return [Implied(*entry) for entry in settled.items()]


def length_above(nodes: int) -> float:
    """What a chain of so many nodes rates above the shortest: a tenth for each of `LONGER` that is
    less than the number of nodes after the first two."""
    return ABOVE[bisect_left(LONGER, nodes - 2)]


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


Ways = dict[int, tuple[int, Cause]]  # how each candidate was reached: from which one, and why


class Use(Flag):
    X = 1  # houses in which a digit has two places
    Y = 2  # bivalue cells


CYCLES = {
    Use.X: (Technique.X_CYCLE, 6.5, 2),
    Use.Y: (Technique.Y_CYCLE, 6.5, 3),
    Use.X | Use.Y: (Technique.XY_CYCLE, 7.0, 4),
}
REFUTATIONS = {
    Use.X: (Technique.FORCING_X_CHAIN, 6.6, 2),
    Use.X | Use.Y: (Technique.FORCING_CHAIN, 7.0, 4),
}


class _Search:
    """Chains of one use; `follow[holds]` has what follows from each candidate."""

    def __init__(self, state: State, use: Use, found: Found) -> None:
        self.state, self.use, self.found = state, use, found
        candidates = [9 * cell + d for cell in range(81) for d in BITS[state.of_cell[cell]]]
        self.follow: tuple[dict[int, list[Implied]], dict[int, list[Implied]]] = (
            {c: settled_by(state, c, Use.Y in use, Use.X in use) for c in candidates},
            {c: struck_by(state, c, Use.Y in use) for c in candidates},
        )

    def run(self) -> None:
        for cell, digits in enumerate(self.state.of_cell):
            if digits.bit_count() < 2 or (self.use == Use.Y and digits.bit_count() > 2):
                continue
            for digit in BITS[digits]:
                self.find_cycles(9 * cell + digit)
                if self.use != Use.Y:  # bivalue cells alone refute nothing
                    self.find_refutation(9 * cell + digit, True)
                    self.find_refutation(9 * cell + digit, False)

    def find_cycles(self, source: int) -> None:
        """A candidate that leaves may be met again if the next link closes the cycle."""
        left, held = self.follow
        _, base, kind = CYCLES[self.use]
        closing = {before.candidate for before in left[source]}  # settle the source by leaving
        ways: tuple[Ways, Ways] = ({}, {source: (source, Cause.ASSUMED)})
        layer, nodes = [source], 2
        while layer and not self.found.is_late(_rank(base, nodes, kind)):
            leaving: list[tuple[int, int, Cause]] = []
            for at in layer:
                for candidate, cause in held[at]:
                    known = candidate in ways[0]
                    if not known:
                        ways[0][candidate] = (at, cause)
                    elif candidate not in closing or _is_on_way(ways, at, candidate):
                        continue
                    leaving.append((candidate, at, cause))
            layer = []
            for candidate, at, cause in leaving:
                for to, why in left[candidate]:
                    if to == source and nodes >= 4:
                        last = Node(candidate, False, cause, (_way(ways, at),))
                        self.offer_cycle(Node(source, True, why, (last,)))
                    if to not in ways[1]:
                        ways[1][to] = (candidate, why)
                        layer.append(to)
            nodes += 2

    def offer_cycle(self, end: Node) -> None:
        technique, base, kind = CYCLES[self.use]
        rank = _rank(base, end.ancestry.bit_count(), kind)
        struck = () if self.found.is_late(rank) else _struck_by_cycle(self.state, end)
        self.found.offer(
            rank, struck, lambda: Chain(technique, rank, struck, None, (end, _turned(end)))
        )

    def find_refutation(self, source: int, holds: bool) -> None:
        _, base, kind = REFUTATIONS[self.use]
        ways: tuple[Ways, Ways] = ({}, {})
        ways[holds][source] = (source, Cause.ASSUMED)
        layer, state, nodes = [source], holds, 2
        while layer and not self.found.is_late(_rank(base, nodes, kind)):
            following = []
            for at in layer:
                for candidate, cause in self.follow[state][at]:
                    if candidate == source and state == holds:
                        before = _way(ways, at, state)
                        self.offer_refutation(Node(source, not holds, cause, (before,)))
                        return
                    if candidate not in ways[not state]:
                        ways[not state][candidate] = (at, cause)
                        following.append(candidate)
            layer, state, nodes = following, not state, nodes + 1

    def offer_refutation(self, end: Node) -> None:
        technique, base, kind = REFUTATIONS[self.use]
        struck = conclusion_of(self.state, end)
        rank = _rank(base, end.ancestry.bit_count(), kind)
        placed = end.candidate if end.holds else None
        self.found.offer(rank, struck, lambda: Chain(technique, rank, struck, placed, (end,)))


def _rank(base: float, nodes: int, kind: int) -> Rank:
    return base + length_above(nodes), nodes, kind


def conclusion_of(state: State, end: Node) -> Struck:
    """What is struck if a candidate holds (the rest of its cell) or leaves."""
    cell, digit = divmod(end.candidate, 9)
    digits = state.of_cell[cell] & ~(1 << digit) if end.holds else 1 << digit
    return ((cell, digits),) if digits else ()


def _way(ways: tuple[Ways, Ways], candidate: int, holds: bool = True) -> Node:
    """The node of a candidate, with the way to it."""
    path = [(candidate, holds, *ways[holds][candidate])]
    while path[-1][3] != Cause.ASSUMED:
        before, state = path[-1][2], not path[-1][1]
        path.append((before, state, *ways[state][before]))
    node = Node(path[-1][0], path[-1][1])
    for at, state, _, cause in reversed(path[:-1]):
        node = Node(at, state, cause, (node,))
    return node


def _is_on_way(ways: tuple[Ways, Ways], at: int, candidate: int) -> bool:
    """Whether a candidate leaves on the way to one that holds."""
    while ways[1][at][1] != Cause.ASSUMED:
        before = ways[1][at][0]
        if before == candidate:
            return True
        at = ways[0][before][0]
    return False


def _turned(end: Node) -> Node:
    """The cycle the other way round: what held leaves, by the links that led to it before."""
    nodes = [end]
    while nodes[-1].parents:
        nodes.append(nodes[-1].parents[0])
    turned = Node(nodes[0].candidate, not nodes[0].holds, nodes[0].cause)
    for node in nodes[1:]:
        turned = Node(node.candidate, not node.holds, node.cause, (turned,))
    return turned


def _struck_by_cycle(state: State, end: Node) -> Struck:
    """What sees, outside the cycle, a node of its digit that holds and one that leaves."""
    own, seen = 0, ([0] * 9, [0] * 9)
    held = []
    node = end
    while node.parents:
        cell, digit = divmod(node.candidate, 9)
        own |= 1 << cell
        seen[node.holds][digit] |= PEERS[cell]
        if node.holds:
            held.append((cell, digit))
        node = node.parents[0]
    struck: dict[int, int] = {}
    for cell, digit in held:
        both = seen[0][digit] & seen[1][digit] & state.of_digit[digit] & ~own
        for peer in bits(PEERS[cell] & both):
            struck[peer] = struck.get(peer, 0) | 1 << digit
    return tuple(struck.items())


def find_chains(state: State, wants_all: bool = False) -> list[Chain]:
    """The best chain (or the best one for each conclusion), in order."""
    found = Found(wants_all)
    for use in CYCLES:
        _Search(state, use, found).run()
    return found.chains()


def forcing_chains(state: State, wants_all: bool = False) -> Iterator[Step]:
    """The best cycle or forcing chain (or the best one for each conclusion)."""
    for chain in find_chains(state, wants_all):
        yield chain.step(0)
