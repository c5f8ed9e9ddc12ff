"""Cycles and forcing chains of one strand.

Invariant: a chain alternates between candidates that hold and candidates that leave. A cycle comes
back to its start, and what sees two neighbours of it leaves; a chain that comes back to the
opposite of its start refutes it. Chains on one digit (X), on bivalue cells (Y) and mixed ones are
sought in this order. Each search is breadth first, so the first way to a candidate is a shortest.
Ratings from 6.5 (X- and Y-cycle), 6.6 (X-chain) and 7.0 (mixed) on, by length (Sudoku Explainer).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Flag

from .board import BITS, PEERS, State, bits
from .found import Chain, Found, Node, Rank
from .implications import Cause, Implied, length_above, settled_by, struck_by
from .step import Step, Struck, Technique

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


def forcing_chains(state: State) -> Iterator[Step]:
    """The best cycle or forcing chain."""
    for chain in find_chains(state):
        yield chain.step(0)
