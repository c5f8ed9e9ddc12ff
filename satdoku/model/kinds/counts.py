"""Kinds that count digits, and those that ask for one among several cells.

Invariant: a digit is wanted or not; which other digit a cell holds does not matter here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb

from .. import phrases as p
from ..appearance import drawn, fpuzzles, iss, pencilmark
from ..board import Board, Cells
from ..clue import Clue, ClueError, OutOfReachError
from ..shapes import MOST, OneOf, Shape, automaton
from .kind import ANY, MEETING, SET, Count, Digits, Kind


def _wanted(board: Board, clue: Clue) -> Iterator[Shape]:
    """Each digit as often as the value lists it: of any cells but so many, one must hold it."""
    for digit, times in Counter(map(int, clue.value.split(","))).items():
        for cells in combinations(clue.cells, len(clue.cells) - times + 1):
            yield OneOf(tuple((cell, digit) for cell in cells))


def _enough_cells(board: Board, clue: Clue) -> None:
    count, digits = len(clue.cells), clue.value.split(",")
    if len(digits) > count:
        raise OutOfReachError(f"{len(digits)} digits do not fit into {count} cells")
    if sum(comb(count, times - 1) for times in Counter(digits).values()) > MOST // count:
        raise ClueError(f"a digit so often in {count} cells takes more than {MOST:,} candidates")


def _counted(cells: Cells, digit: int, allowed: Iterable[int], size: int) -> Shape:
    """The digit stands in the cells as often as one of the numbers says."""
    numbers = frozenset(allowed)
    most = max(numbers)

    def step(position: int, seen: int, x: int) -> int | None:
        after = seen + (x == digit)
        return after if after <= most else None

    return automaton(cells, size, 0, step, numbers.__contains__)


def _count(board: Board, clue: Clue) -> Iterator[Shape]:
    digit, times = map(int, clue.value.split("x"))
    yield _counted(clue.cells, digit, (times,), board.size)


def _possible(board: Board, clue: Clue) -> None:
    if int(clue.value.split("x")[1]) > len(clue.cells):
        raise OutOfReachError(f"value {clue.value}: there are only {len(clue.cells)} cells")


def _circles(board: Board, clue: Clue) -> Iterator[Shape]:
    for digit in range(1, board.size + 1):
        yield _counted(clue.cells, digit, (0, digit), board.size)


def _entropy(board: Board, clue: Clue) -> Iterator[Shape]:
    n, width = board.size, board.size // 3
    for top, left in ((r, c) for r in range(n - 1) for c in range(n - 1)):
        window = [n * (top + down) + left + right for down in (0, 1) for right in (0, 1)]
        for low in range(1, n, width):
            digits = range(low, low + width)
            yield OneOf(tuple((cell, digit) for cell in window for digit in digits))


def has_thirds(board: Board, clue: Clue) -> None:
    """Raise `ClueError` unless the digits fall into low, middle and high ones."""
    if board.size % 3:
        raise ClueError(f"{board.size} digits do not fall into three classes of one size")


def _mates(board: Board, clue: Clue) -> Iterator[Shape]:
    """A middle digit has the lowest above it or the highest below it."""
    n = board.size
    for cell in range(board.cells):
        above = [(cell - n, 1)] if cell >= n else []
        below = [(cell + n, n)] if cell + n < board.cells else []
        yield OneOf((*above, *below), (cell, (n + 1) // 2))


KINDS = (
    Kind(
        "quadruple",
        "the four cells hold each of the digits {value}, as often as it is listed",
        "quadruple=1,2,9:r1c1,r1c2,r2c1,r2c2",
        shapes=_wanted,
        cells=(4, 4),
        order=SET,
        value=Digits(may_repeat=True),
        check=_enough_cells,
        near=MEETING,
        look=drawn(
            "corner",
            12,
            "circle on a corner",
            sentence="the four cells around it hold each of its digits, as often as it is listed",
        ),
        called=("quad",),
        abroad=(iss("Quad", "square"), fpuzzles("quadruple", "cells", "digits")),
        said={
            "": [
                p.heading("quad(?:ruple)?"),
                f"(?:each )?{p.DIGITS} in {p.A}(?:white )?circles? "
                f"{p.MUST}(?:appear|be present|be) (?:somewhere )?(?:at least once )?in the "
                f"(?:four )?"
                "(?:surrounding )?cells"
                "(?: surrounding| touching| around)?(?: (?:the|it|its) ?circles?)?",
            ],
        },
    ),
    Kind(
        "contains",
        "the cells hold each of the digits {value}, as often as it is listed",
        "contains=1,9:r1c1-r1c5",
        shapes=_wanted,
        cells=(1, ANY),
        order=SET,
        value=Digits(may_repeat=True),
        check=_enough_cells,
        look=drawn(says="outline", sentence="the cells hold each of the digits listed, so often"),
        abroad=(iss("ContainAtLeast", "digits"), pencilmark("contains", "digits", key="digits")),
    ),
    Kind(
        "count",
        "the cells hold a digit so often: {value} is the digit, x, and how often",
        "count=5x2:r1c1-r3c3",
        shapes=_count,
        cells=(1, ANY),
        order=SET,
        value=Count(),
        check=_possible,
        look=drawn(says="outline", sentence="5x2 says that the cells hold the digit 5 twice"),
        abroad=(
            iss("LookAndSay", "look-and-say"),
            iss("ContainExact", "exact"),
            pencilmark("count", "counts"),
        ),
    ),
    Kind(
        "circles",
        "a digit in a circle says how many circles hold that digit",
        "circles:r1c1,r2c4,r5c5",
        shapes=_circles,
        cells=(1, ANY),
        order=SET,
        look=drawn("disc", 8, "circles", name="Counting circles", hollow=True),
        called=("counting-circles",),
        abroad=(iss("CountingCircles"), pencilmark("count circles")),
    ),
    Kind(
        "entropy",
        "every square of 2x2 cells holds a low, a middle and a high digit",
        "entropy",
        shapes=_entropy,
        groups=(0, 0),
        whole_board=True,
        by_place=True,
        check=has_thirds,
        abroad=(iss("GlobalEntropy", "flag", size=9), pencilmark("global_entropy", "whole")),
    ),
    Kind(
        "flat-mates",
        "a middle digit (5 of 9) has the lowest digit above it or the highest below it, or both",
        "flat-mates",
        shapes=_mates,
        groups=(0, 0),
        whole_board=True,
        by_place=True,
        abroad=(iss("DutchFlatmates", "flag", size=9),),
    ),
)
