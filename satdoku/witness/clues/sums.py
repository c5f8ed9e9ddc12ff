"""Clues on totals and products.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from itertools import accumulate, combinations, pairwise
from typing import Any

from ...model.board import Board, Cells
from ...model.clue import Clue
from .connectives import all_of, as_number
from .geometry import box_of
from .parts import Distinct, Holds, Part, Parts, Statement, together
from .predicates import more, other, same


def _read_as_number(digits: Iterable[Any]) -> Any:
    return reduce(lambda number, digit: 10 * number + digit, digits)


def _adds_up_to(total: int) -> Holds:
    return lambda *digits: sum(digits) == total


def _with_weights(value: str) -> Holds:
    """Of `2,1,-1=5`: what stands before the equals sign are factors of the digits."""
    factors, total = value.split("=")

    def holds(*digits: Any) -> Any:
        terms = zip(digits, factors.split(","), strict=True)
        return sum(x * int(factor) for x, factor in terms) == int(total)

    return holds


def _multiplies_to(total: int) -> Holds:
    """Prime by prime, so that it is linear: each occurs as often in the digits as in the total."""
    often: dict[int, int] = {}
    rest, prime = total, 2
    while rest > 1:
        while rest % prime == 0:
            rest, often[prime] = rest // prime, often.get(prime, 0) + 1
        prime += 1

    def holds(*digits: Any) -> Any:
        primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, *often}
        return all_of(_occurs(prime, digits) == often.get(prime, 0) for prime in primes)

    return holds


def _occurs(prime: int, digits: Iterable[Any]) -> Any:
    """How often a prime divides the product of digits up to 25."""
    multiples = [m for k in range(1, 5) for m in range(prime**k, 26, prime**k)]
    return sum(as_number(x == multiple) for x in digits for multiple in multiples)


def _cage(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield from (Part(pair, other) for pair in combinations(clue.cells, 2))
    if clue.value:
        yield (Part if len(clue.cells) == 1 else Distinct)(clue.cells, _adds_up_to(int(clue.value)))


def _arrow(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    circle = clue.groups[0]
    for shaft in clue.groups[1:]:
        yield Part(
            circle + shaft,
            lambda *d: _read_as_number(d[: len(circle)]) == sum(d[len(circle) :]),
        )


def _compared(groups: Iterable[Cells], relation: Callable[[Any, Any], Any]) -> Parts:
    """The totals of every two successive groups are in the relation."""
    for one, following in pairwise(groups):

        def holds(*d: Any, k: int = len(one)) -> Any:
            return relation(sum(d[:k]), sum(d[k:]))

        yield Part(one + following, holds)


def _boxes_of(board: Board, clue: Clue) -> list[Cells]:
    """The line cut where it leaves a box."""
    pieces: list[list[int]] = []
    for cell in clue.cells:
        if not pieces or box_of(pieces[-1][-1], board) != box_of(cell, board):
            pieces.append([])
        pieces[-1].append(cell)
    return [tuple(piece) for piece in pieces]


def _folded(cells: Cells) -> list[Cells]:
    """Each cell with the one as far from the other end; the middle one by itself."""
    half = len(cells) // 2
    middle = cells[half : len(cells) - half]
    return [*zip(cells[:half], cells[::-1], strict=False), *[middle] * bool(middle)]


def _in_parts_of(total: int) -> Holds:
    """No digit steps over a multiple of the total, and the last one reaches one."""

    def holds(*digits: Any) -> Any:
        sums = list(accumulate(digits))
        kept = (a % total + x <= total for a, x in zip((0, *sums), digits, strict=False))
        return all_of(kept) & (sums[-1] % total == 0)

    return holds


STATEMENTS: dict[str, Statement] = {
    "sum": together(lambda value: _adds_up_to(int(value))),
    "weighted": together(_with_weights),
    "little-killer": together(lambda value: _adds_up_to(int(value))),
    "cage": _cage,
    "product": together(lambda value: _multiplies_to(int(value))),
    "arrow": _arrow,
    "region-sum": lambda board, clue, clues: _compared(_boxes_of(board, clue), same),
    "equal-sum": lambda board, clue, clues: _compared(clue.groups, same),
    "greater-sum": lambda board, clue, clues: _compared(clue.groups, more),
    "ten-line": together(lambda value: _in_parts_of(int(value))),
    "zipper": lambda board, clue, clues: _compared(_folded(clue.cells), same),
}
