"""How hard a chain is: its kind and its length, counted as Sudoku Explainer counts them.

Invariant: the rating depends on the nodes and the candidates left alone. A strand is what one end
of the contradiction needs; a node counts once in each strand, and what a clue strikes for one
reason is one node. Two houses that overlap say that a digit is in the overlap, and so leaves the
rest: two nodes. A chain in which anything but cells and houses has a say is rated by what there is
to follow.

A contradiction between a candidate that is true and the same one that is false is read as the group
by which it is true and that has no candidate left. So two strands are one chain, there and back;
three and more are a chain from each candidate of the group.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...runtime.lazy import cached_property
from ..readings import Mask
from . import scale
from .reference import SUPPOSED, Chain, Net, Node, cost_of, is_strike

Ends = tuple[int, ...]  # numbers of nodes
LINES = {"row", "column"}


def rating_of(net: Net, chain: Chain, live: Mask, technique: str) -> float:
    """The rating of a forcing chain, or of one of `scale.CONTRADICTIONS`."""
    return _Strands(net, chain, live).rating(technique)


class _Strands:
    def __init__(self, net: Net, chain: Chain, live: Mask) -> None:
        self.units, self.chain, self.live = net.units, chain, live
        self.overlaps = net.overlaps
        self.house, self.ends = self._ends()
        self._followed = [n for n in chain[1:-1] if not (n.holds and n.unit == self.house)]
        self.strikes = [n for n in chain[:-1] if is_strike(chain, n)]

    def rating(self, technique: str) -> float:
        is_net = technique in scale.CONTRADICTIONS
        is_plain = technique in ("forcing chain", "contradiction")
        if not (is_plain and all(self._is_of_houses(node.unit) for node in self.chain)):
            cost, nodes = cost_of(self.chain)
            if is_net:
                return scale.of_length(scale.CONTRADICTIONS[technique], nodes)
            return scale.of_chain(cost)
        is_one_digit = len({self.units.digit_of(n.candidate) for n in self.chain[:-1]}) == 1
        if is_net:
            return scale.of_length(scale.NISHIO if is_one_digit else scale.DYNAMIC, self._met())
        if len(self.ends) <= 2 and is_one_digit:
            return self._of_one_digit()
        return self._by_length(scale.MIXED if len(self.ends) <= 2 else scale.MULTIPLE)

    def _is_of_houses(self, unit: int) -> bool:
        """Whether a cell or a house says it, or two that overlap."""
        if unit == SUPPOSED or unit in self.overlaps:
            return True
        return unit < len(self.units.all) and bool(self.units.all[unit].candidates)

    def _by_length(self, least: float) -> float:
        nodes = sum(len(self._strand(end)) for end in self.ends)
        return scale.of_length(least + scale.GROUPED * self.is_grouped, nodes)

    def _ends(self) -> tuple[int, Ends]:
        """The unit that has no candidate left, and the nodes that say so, the last drawn last; for
        what comes back to the supposed literal, that alone."""
        chain, last = self.chain, self.chain[-1]
        if len(last.parents) != 2:
            return last.unit, last.parents
        one, other = sorted(last.parents, key=lambda number: not chain[number].holds)
        true, false = chain[one], chain[other]
        if true.candidate != false.candidate:
            return last.unit, last.parents
        if SUPPOSED in (true.unit, false.unit):
            return SUPPOSED, (max(one, other),)
        return true.unit, (*true.parents, other)

    def _strand(self, *ends: int) -> set[object]:
        """The nodes that these need, with them."""
        waiting, found = list(ends), set(ends)
        while waiting:
            new = set(self.chain[waiting.pop()].parents) - found
            found |= new
            waiting += new
        return {told for number in found for told in self._counted(self.chain[number])}

    def _counted(self, node: Node) -> Iterator[object]:
        is_reason = is_strike(self.chain, node)
        if is_reason:
            yield node.unit, node.parents
        if not is_reason or node.unit in self.overlaps:
            yield node[:2]

    def _met(self) -> int:
        """The nodes if the last end meets what all others say of its candidate."""
        *others, last = self.ends
        return len(self._strand(last)) + (len(self._strand(*others)) + 1 if others else 0)

    def _of_one_digit(self) -> float:
        families = list(self._links())
        if self.chain[0].holds and len(families) in scale.STRONG_LINKS:
            return self._of_links(families)
        return self._by_length(scale.ONE_DIGIT)

    @cached_property
    def is_grouped(self) -> bool:
        """Whether places that one candidate excludes count as one, or those of an overlap."""
        is_joined = any(len(node.parents) > 1 for node in self.chain[:-1])
        return is_joined or any((self._shared(n) & self.live).bit_count() > 1 for n in self.strikes)

    def _shared(self, node: Node) -> Mask:
        one, other = (self.units.all[unit] for unit in self.overlaps[node.unit].named)
        return one.candidates & other.candidates

    def _links(self) -> Iterator[str]:
        """The families of the houses in which the digit is in one of two places."""
        for node in self._followed:
            if node.holds:
                yield self._family(node.unit)
            elif node in self.strikes:
                named = (self.units.all[unit] for unit in self.overlaps[node.unit].named)
                yield from (u.family for u in named if not u.candidates >> node.candidate & 1)
        if self.house != SUPPOSED:
            yield self._family(self.house)

    def _family(self, unit: int) -> str:
        return self.units.all[unit].family

    def _of_links(self, families: list[str]) -> float:
        least, met = scale.STRONG_LINKS[len(families)], set(families)
        if self.is_grouped:
            return round(least + scale.GROUPED, 1)
        return round(least + scale.MORE_KINDS * (bool(met - LINES) + (met >= LINES)), 1)
