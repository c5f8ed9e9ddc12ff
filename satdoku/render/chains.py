"""Chains as rings around small digits and numbered arrows from ring to ring.

Invariant: one arrow for each link, one ring for each candidate; a chain's arrows have one colour
and, if there are several chains, one letter. Arrows that lead to the same candidate have the same
number, as they lead there together. Arrows bend to their left, so that two between the same
candidates lie apart; to their right where they would leave the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from math import atan2, cos, hypot, pi, sin

from .picture import Candidate, Chains
from .shapes import Point, between, element, group, number, text

# Told apart by the colour-blind (after Okabe and Ito, 2008), on white; in grey letters do that.
COLOURS = ("#00578a", "#d55e00", "#009e73", "#b0508a", "#111111", "#b07d00")
DASHES = "4 2.2"  # the strokes of an arrow's head are shorter than a dash
HEAD = 3.6  # length of the strokes
BEND = 0.1  # how far an arrow leaves the straight line, of its length
LEAST, MOST = 7, 16  # of that
TAG = 6.4  # font size of a number
PLACES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)  # of it along its arrow, the best first


def arrows(
    chains: Chains,
    place: Callable[[Candidate], Point],
    slot: float,
    size: Point,
    clear: Iterable[Point] = (),
) -> Iterator[str]:
    """The elements of the chains on a board of that width and height; `place` says where a
    candidate stands, `slot` its width, `clear` the points that numbers should leave clear."""
    ringed: set[Candidate] = set()
    radius = slot * 0.46
    taken = [*clear, *(place(end) for links in chains for link in links for end in link[:2])]
    tags: list[str] = []
    for colour, links, names in zip(cycle(COLOURS), chains, labels(chains)):
        ends = dict.fromkeys(end for link in links for end in link[:2])
        new = (place(end) for end in ends if end not in ringed)
        rings = [element("circle", cx=x, cy=y, r=radius) for x, y in new]
        ringed.update(ends)
        drawn = []
        for (a, b, holds), name in zip(links, names, strict=True):
            tail, control, tip = curve = _curve(place(a), place(b), radius, size)
            dashes = {} if holds else {"stroke_dasharray": DASHES}
            drawn.append(element("path", d=_arrow(tail, control, tip), **dashes))
            taken.append(at := _free(curve, taken, radius))
            tags += _tag(at, name, colour)
        style = f'fill="none" stroke="{colour}" stroke-width="1.4" stroke-linecap="butt"'
        yield from group("chain", style, rings + drawn)
    yield from group("numbers", f'font-size="{TAG}" text-anchor="middle" font-weight="700"', tags)


def labels(chains: Chains) -> list[list[str]]:
    """What each arrow of each chain is called: `1`, `2` ... in order, behind a letter if there are
    several chains; the same for arrows to the same candidate."""
    named = []
    for chain, links in enumerate(chains):
        letter = chr(ord("a") + chain % 26) if len(chains) > 1 else ""
        numbers: dict[tuple[Candidate, bool], int] = {}
        for _, end, holds in links:
            numbers.setdefault((end, holds), len(numbers) + 1)
        named.append([f"{letter}{numbers[end, holds]}" for _, end, holds in links])
    return named


def _free(curve: tuple[Point, Point, Point], taken: Sequence[Point], radius: float) -> Point:
    """The best place on an arrow for its number: away from rings and other numbers, if it can."""
    points = [_along(curve, part) for part in PLACES]
    room = [min(hypot(x - u, y - v) for u, v in taken) for x, y in points]
    clear = (point for point, space in zip(points, room, strict=True) if space > radius + TAG / 2)
    return next(clear, points[room.index(max(room))])


def _along(curve: tuple[Point, Point, Point], part: float) -> Point:
    """The point of a quadratic curve that lies so far along it."""
    tail, control, tip = curve
    return between(between(tail, control, part), between(control, tip, part), part)


def _tag(at: Point, name: str, colour: str) -> tuple[str, str]:
    """A number in its colour on white."""
    width = 0.62 * TAG * len(name) + 2.4
    height = TAG + 1.2
    corner = {"x": at[0] - width / 2, "y": at[1] - height / 2, "width": width, "height": height}
    ground = element(
        "rect", **corner, rx=height / 2, fill="#ffffff", stroke=colour, stroke_width=0.6
    )
    return ground, text(at, TAG, name, fill=colour)


def _curve(start: Point, end: Point, radius: float, size: Point) -> tuple[Point, Point, Point]:
    """A bent line from ring to ring: where it begins, bends to, and ends."""
    control = _beside(start, end)
    if min(control) < 0 or control[0] > size[0] or control[1] > size[1]:
        control = _beside(end, start)
    return _towards(start, control, radius), control, _towards(end, control, radius)


def _arrow(tail: Point, control: Point, tip: Point) -> str:
    """Path data of a bent arrow."""
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
