"""Chains as rings around small digits and arrows from ring to ring.

Invariant: one arrow for each link, one ring for each candidate; a chain's arrows have one colour.
Arrows bend to their left, so that two between the same candidates lie apart; to their right where
they would leave the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from math import atan2, cos, hypot, pi, sin

from .picture import Candidate, Chains
from .shapes import Point, between, element, group, number

# Told apart by the colour-blind (Okabe and Ito, 2008), on white.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b0508a", "#111111", "#b07d00")
DASHES = "4 2.2"  # the strokes of an arrow's head are shorter than a dash
HEAD = 3.6  # length of the strokes
BEND = 0.1  # how far an arrow leaves the straight line, of its length
LEAST, MOST = 7, 16  # of that


def arrows(
    chains: Chains, place: Callable[[Candidate], Point], slot: float, side: float
) -> Iterator[str]:
    """The elements of the chains on a board of that side; `place` says where a candidate stands,
    `slot` its width."""
    ringed: set[Candidate] = set()
    radius = slot * 0.46
    for colour, links in zip(cycle(COLOURS), chains):
        ends = dict.fromkeys(end for link in links for end in link[:2])
        rings = [_ring(place(end), radius) for end in ends if end not in ringed]
        ringed.update(ends)
        drawn = [
            element("path", d=_arrow(place(a), place(b), radius, side), **_dashes(holds))
            for a, b, holds in links
        ]
        style = f'fill="none" stroke="{colour}" stroke-width="1.4" stroke-linecap="butt"'
        yield from group("chain", style, rings + drawn)


def _ring(at: Point, radius: float) -> str:
    return element("circle", cx=at[0], cy=at[1], r=radius)


def _dashes(holds: bool) -> dict[str, float | str]:
    return {} if holds else {"stroke_dasharray": DASHES}


def _arrow(start: Point, end: Point, radius: float, side: float) -> str:
    """Path data of a bent arrow from ring to ring."""
    control = _beside(start, end)
    if min(control) < 0 or max(control) > side:
        control = _beside(end, start)
    tail, tip = _towards(start, control, radius), _towards(end, control, radius)
    back = atan2(control[1] - tip[1], control[0] - tip[0])
    data = f"M{_pair(tail)}Q{_pair(control)} {_pair(tip)}"
    for angle in (back - pi / 7, back + pi / 7):
        wing = tip[0] + HEAD * cos(angle), tip[1] + HEAD * sin(angle)
        data += f"M{_pair(tip)}L{_pair(wing)}"
    return data


def _beside(start: Point, end: Point) -> Point:
    """The point to the left of an arrow's middle that it bends towards."""
    (x, y), (u, v), (middle, height) = start, end, between(start, end)
    length = hypot(u - x, v - y)
    bend = 2 * min(max(BEND * length, LEAST), MOST) / length
    return middle + bend * (v - y), height - bend * (u - x)


def _towards(start: Point, end: Point, distance: float) -> Point:
    return between(start, end, distance / hypot(end[0] - start[0], end[1] - start[1]))


def _pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
