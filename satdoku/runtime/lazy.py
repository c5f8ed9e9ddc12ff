"""Attributes that are made when they are first read.

Invariant: nothing is locked while one is made. `functools.cached_property` of Python 3.11 locks the
attribute for all objects of the class, so a thread that rests in one (`limits.rest`) holds up the
threads that make that of other objects. Two threads that need the same one may both make it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):
    """A method without arguments, read as an attribute; its result is kept in the object."""

    def __init__(self, made: Callable[[Any], T]) -> None:
        self._made, self.__doc__ = made, made.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, thing: None, owner: type) -> Self: ...

    @overload
    def __get__(self, thing: object, owner: type) -> T: ...

    def __get__(self, thing: object | None, owner: type) -> Self | T:
        if thing is None:
            return self
        found = thing.__dict__[self._name] = self._made(thing)
        return found
