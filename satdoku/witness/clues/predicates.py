"""Predicates on one digit or two.

Each is made once for its arguments, so that tables made from it are cached.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .connectives import any_of, is_not
from .parts import Holds


@cache
def is_any(digits: tuple[int, ...]) -> Holds:
    return lambda x: any_of(x == digit for digit in digits)


@cache
def at_most(bound: int) -> Holds:
    return lambda x: x <= bound


@cache
def at_least(bound: int) -> Holds:
    return lambda x: x >= bound


def is_odd(x: Any) -> Any:
    return x % 2 == 1


def is_even(x: Any) -> Any:
    return x % 2 == 0


def less(x: Any, y: Any) -> Any:
    return x < y


def more(x: Any, y: Any) -> Any:
    return x > y


def same(x: Any, y: Any) -> Any:
    return x == y


def other(x: Any, y: Any) -> Any:
    return x != y


@cache
def gains(gap: int) -> Holds:
    return lambda x, y: y - x >= gap


@cache
def difference(gap: int) -> Holds:
    return lambda x, y: (x - y == gap) | (y - x == gap)


@cache
def no_difference(gap: int) -> Holds:
    return lambda x, y: (x - y != gap) & (y - x != gap)


@cache
def ratio(times: int) -> Holds:
    return lambda x, y: (x == y * times) | (y == x * times)


@cache
def no_ratio(times: int) -> Holds:
    return lambda x, y: (x != y * times) & (y != x * times)


@cache
def no_total(total: int) -> Holds:
    return lambda x, y: x + y != total


@cache
def far(gap: int) -> Holds:
    return lambda x, y: (x - y >= gap) | (y - x >= gap)


@cache
def near(gap: int) -> Holds:
    return lambda x, y: (x != y) & (x - y <= gap) & (y - x <= gap)


@cache
def other_rest(modulus: int) -> Holds:
    return lambda x, y: x % modulus != y % modulus


@cache
def other_third(size: int) -> Holds:
    """One is low, middle or high where the other is not."""
    low, high = size // 3, size - size // 3

    def holds(x: Any, y: Any) -> Any:
        both_low, both_high = (x <= low) & (y <= low), (x > high) & (y > high)
        both_middle = (x > low) & (x <= high) & (y > low) & (y <= high)
        return is_not(both_low | both_high | both_middle)

    return holds


@cache
def tells(place: int, digit: int) -> Holds:
    return lambda x, y: (x == place) == (y == digit)


@cache
def not_twice(digit: int) -> Holds:
    return lambda x, y: (x != digit) | (y != digit)
