"""Drawings that mean nothing, as JSON of our own states them (docs/PUZZLE_JSON.md).

Invariant: what is written reads back as the same drawing; a drawing that is not as it has to be is
refused with its number.

    {"line": [[0.5, 0.5], [0.5, 3.5]], "colour": "#c00000", "width": 0.2, "arrow": true}
    {"at": [0.5, 0.5], "size": [1, 1], "fill": "#ffe08a"}
    {"at": [-0.5, 4.5], "text": "Odd", "font": 0.4, "over": true}
    {"cage": [[0, 0], [0, 1]], "text": "A"}

The other keys are the fields of `model.looks`; what a drawing does not state is as usual there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from ..model.looks import Cage, Line, Look, LookError, Looks, Shape, bounded
from ..runtime.errors import no_such
from .foreign import json_type

# By the key that tells them: what is drawn, and the field that this key states.
_KINDS: dict[str, tuple[type[Look], str]] = {
    "line": (Line, "points"),
    "at": (Shape, "at"),
    "cage": (Cage, "cells"),
}
_TOLD = {kind: (key, field) for key, (kind, field) in _KINDS.items()}


def read_looks(value: list[Any]) -> Looks:
    """The drawings of a list of objects; raises `LookError`."""
    found = []
    for number, item in enumerate(value, 1):
        try:
            found.append(_look(item))
        except LookError as error:
            raise LookError(f"drawing {number}: {error}") from None
    return bounded(found)


def _look(item: Any) -> Look:
    if not isinstance(item, dict):
        raise LookError(f"found {json_type(item)}, expected an object")
    keys = [key for key in _KINDS if key in item]
    if len(keys) != 1:
        raise LookError(
            f"found {' and '.join(keys) or 'none'} of {', '.join(_KINDS)}: expected one of them"
        )
    kind, field = _KINDS[keys[0]]
    known = {keys[0]: field} | {f.name: f.name for f in fields(kind) if f.name != field}
    if unknown := [key for key in item if key not in known]:
        raise LookError(no_such("key", unknown[0], known))
    stated = {known[key]: what for key, what in item.items()}
    if not isinstance(stated[field], list):
        raise LookError(f"{keys[0]}: found {json_type(stated[field])}, expected a list")
    return kind(**stated)


def written_looks(looks: Iterable[Look]) -> list[dict[str, Any]]:
    """The objects of drawings; what is as usual is left out."""
    return [_object(look) for look in looks]


def _object(look: Look) -> dict[str, Any]:
    key, first = _TOLD[type(look)]
    stated = {key: _listed(getattr(look, first))}
    for each in fields(look):
        value = getattr(look, each.name)
        if each.name != first and value != each.default:
            stated[each.name] = _listed(value)
    return stated


def _listed(value: Any) -> Any:
    """A value as JSON has it: lists in place of tuples."""
    return [*map(_listed, value)] if isinstance(value, tuple) else value
