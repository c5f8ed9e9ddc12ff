"""Connectives of what is a truth value of Python or a formula of an SMT solver.

Invariant: only operators are used (`|`, `&`, `==` and arithmetic), for formulas know no `or`, `and`
or `not`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import and_, or_
from typing import Any


def as_number(said: Any) -> Any:
    """1 if it is true, else 0; a formula as a term."""
    return int(said) if isinstance(said, bool) else said * 1


def is_not(said: Any) -> Any:
    return said == False  # noqa: E712  (terms know no `not`)


def implies(condition: Any, conclusion: Any) -> Any:
    return is_not(condition) | conclusion


def all_of(said: Iterable[Any]) -> Any:
    return _reduced(and_, said, True)


def any_of(said: Iterable[Any]) -> Any:
    return _reduced(or_, said, False)


def _reduced(join: Callable[[Any, Any], Any], said: Iterable[Any], nothing: bool) -> Any:
    """The terms joined; some may be known to be true or false, and `nothing` adds nothing."""
    terms = []
    for one in said:
        if one is not True and one is not False:
            terms.append(one)
        elif one is not nothing:
            return one
    return reduce(join, terms) if terms else nothing


def how_many(digit: Any, digits: Iterable[Any]) -> Any:
    """How many of the digits are this one."""
    return sum(as_number(x == digit) for x in digits)
