"""Ranks: lines that begin with a digit, one on each side, compared with the line of a clue.

Invariant: as in `ranks.h`, which explains the passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .block import ALL, Indices, Words, any_lane, at_least


class Order(NamedTuple):
    """The lanes where a line may be lower than another, equal, or higher."""

    lower: Words
    equal: Words
    higher: Words


class Rank:
    """A rank over rows of candidates: x, where they may be true, and truth.

    said: a digit, how many sides are lower, whether one may be equal, how many cells a line has.
    rows: (n, cells), for the cells of its own line, then of all lines of the sides.
    """

    def __init__(self, said: Sequence[int], rows: Indices) -> None:
        self.digit, self.less, self.may_tie, length = said
        self.own, *lines = np.split(rows, rows.shape[1] // length, axis=1)
        self.sides = [lines[at : at + length] for at in range(0, len(lines), length)]

    def sweep(self, x: Words, truth: Words) -> Words:
        """Strike candidates; return the lanes where the rank cannot be."""
        self.x, self.truth = x, truth
        lower, other = [], []
        for side in self.sides:
            orders = [self._order(line, self.own, x[line[self.digit, 0]]) for line in side]
            lower.append([order.lower for order in orders])
            other.append([self._not_lower(order) for order in orders])
        may = np.array([np.bitwise_or.reduce(each) for each in lower])
        may_not = np.array([np.bitwise_or.reduce(each) for each in other])
        most: list[Words | np.uint64] = [ALL, *at_least(may, len(self.sides)), np.uint64(0)]
        least: list[Words | np.uint64] = [ALL, *at_least(~may_not, len(self.sides)), np.uint64(0)]
        conflict: Words = any_lane(~(may | may_not)) | least[self.less + 1] | ~most[self.less]
        must = (may & ~most[self.less + 1]) | ~may_not
        must_not = (may_not & least[self.less]) | ~may
        for at, side in enumerate(self.sides):
            for line, below, above in zip(side, lower[at], other[at], strict=True):
                begins = line[self.digit, 0]
                x[begins] &= (below & ~must_not[at]) | (above & ~must[at])
                self._keep_order(line, self.own, truth[begins] & must[at], may_tie=False)
                may_tie = bool(self.may_tie)
                self._keep_order(self.own, line, truth[begins] & must_not[at], may_tie=may_tie)
        for at, side in enumerate(self.sides):
            self._bound_second(side, must[at], must_not[at])
        return conflict

    def _not_lower(self, order: Order) -> Words:
        return order.higher | order.equal if self.may_tie else order.higher

    def _order(self, one: Indices, other: Indices, due: Words) -> Order:
        """The order of two lines behind their first cells, where due."""
        none = np.zeros_like(due)
        order = Order(none, due, none)
        for first, second in list(zip(one.T, other.T, strict=True))[1:]:
            if (first != second).any():
                a, b = self.x[first], self.x[second]
                less, same = any_lane(_before(a) & b), any_lane(a & b)
                more = any_lane(a & _before(b))
                order = Order(
                    order.lower | (order.equal & less),
                    order.equal & same,
                    order.higher | (order.equal & more),
                )
        return order

    def _keep_order(self, low: Indices, high: Indices, due: Words, *, may_tie: bool) -> None:
        """Where due, the first line is lower than the second, or equal if it may."""
        for at in range(1, low.shape[1]):
            first, second = low[:, at], high[:, at]
            if not due.any():
                return
            if (first == second).all():
                continue
            rest = self._order(low[:, at:], high[:, at:], due)
            equal = rest.lower | rest.equal if may_tie else rest.lower
            own = self.x[first]
            self.x[second] &= ~due | _before(own) | (own & equal)
            own = self.x[second]
            self.x[first] &= ~due | _before(own[::-1])[::-1] | (own & equal)
            due = due & any_lane(self.truth[first] & self.truth[second])

    def _bound_second(self, side: Sequence[Indices], must: Words, must_not: Words) -> None:
        """The second cell of the own line, by those of all lines of a side that may begin."""
        lines = np.array(side)
        held = np.bitwise_or.reduce(self.x[lines[:, self.digit, :1]] & self.x[lines[:, :, 1]])
        second = self.own[:, 1]
        self.x[second] &= ~must | np.bitwise_or.accumulate(held)
        self.x[second] &= ~must_not | np.bitwise_or.accumulate(held[::-1])[::-1]


def _before(x: Words) -> Words:
    """For each digit the lanes where a lower one may be."""
    lower: Words = np.zeros_like(x)
    np.bitwise_or.accumulate(x[:-1], out=lower[1:])
    return lower
