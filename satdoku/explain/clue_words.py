"""Why a clue alone strikes candidates, in words.

Invariant: a reason is true of the clue and of the candidates before the step, and is computed from
what the clue says: of which cells it relates, of the totals that it states, of what its automata
accept. A kind gives no more than the words. Where no short reason is found, the clue is named.

The first that suffices is said: that the digits stand there under no circumstances; the few
combinations; which other cells leave no partner; how much the other cells add up to; that no other
cell can hold a digit that the clue needs; the few sequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model.board import bits, mask_of
from ..model.kinds import KINDS
from .combinations import because, combinations, needs, ways
from .naming import cells_named, either, number, told_together
from .readings import Mask
from .readings import Sequence as Automaton
from .sum_words import bounds, stretches
from .told import Told
from .units import Unit, Units, union

FEW = 3  # other cells that a reason names


def reason(units: Units, unit: Unit, live: Mask, struck: Mask) -> str:
    """Why the clue strikes these candidates out of those that are left."""
    clue, _ = units.clues.get(unit.family, (None, ""))
    if clue is None or clue.parts or not all(isinstance(r, Automaton) for r in unit.readings):
        return unit.label
    told = Told(units, unit, live, struck, clue, KINDS[clue.kind])
    if not all(map(told.digits, unit.cells)):
        return unit.label
    ways_to_tell = (
        first_and_then, alone, combinations, bounds, stretches, never, others, needs, ways, because
    )  # fmt: skip
    return next(filter(None, (say(told) for say in ways_to_tell)), unit.label)


def first_and_then(told: Told) -> str:
    """What is so in any case, then what follows from other cells, if there is both."""
    always = told.struck & told.never
    if always in (0, told.struck):
        return ""
    first, then = told.part(always), told.part(told.struck & ~always, told.live & ~always)
    start, end = alone(first) or never(first), others(then)
    if len(told.unit.cells) == 2:  # what is so in any case is plain, but is no reason
        return others(told.part(then.struck)) or end
    if not end:
        return ""
    at = f" ({told.unit.label})"  # once is enough
    if told.unit.label in start.replace(at, ""):
        end = end.replace(at, "")
    joint = ", " if " and " in end else " and "
    return start and f"{start.replace(at, '')}{joint}{end}"


def alone(told: Told) -> str:
    """That the digits stand there under no circumstances, in the words of the kind; empty if it
    has none, or if it depends on what is left."""
    if told.struck & ~told.never:
        return ""
    said = told.kind.spoken.alone
    first, *more = told.lost
    keys: tuple[str, ...] = ("several", "") if more else (told.side(first), "")
    if more and len(told.clue.cells) == 2:
        keys = ("two", *keys)
    way = next((key for key in keys if key in said), None)
    if way is not None:
        return said[way].format(**_places(told))
    return ""


def never(told: Told) -> str:
    """That no cell of the clue can ever hold one of the digits."""
    if len(told.unit.cells) == 1:  # the conclusion says as much
        return told.unit.label
    n, positions = told.units.size, {c % told.units.size for c in bits(told.struck)}
    wanted = mask_of(n * cell + at for cell in told.unit.cells for at in positions)
    if wanted & told.units.every & ~told.never:
        return ""
    digits = {digit for digits in told.lost.values() for digit in digits}
    return f"{told.unit.label} never holds {either(sorted(digits))}"


def _places(told: Told) -> dict[str, str]:
    cells, first = told.clue.cells, next(iter(told.lost))
    place = cells.index(first) if first in cells else 0
    name, lost = told.board.name_of, cells_named(told.board, told.lost)
    return {
        "label": told.unit.label,
        "value": told.clue.value,
        "values": either(told.clue.value.split(",")),
        "cells": lost,
        "before": f"{_grow(place, 'lesser')} before {lost}",
        "after": f"{_grow(len(cells) - 1 - place, 'greater')} after {lost}",
        "length": number(len(cells)),
        "first": name(cells[0]) if cells else "",
        "last": name(cells[-1]) if cells else "",
    }


def others(told: Told) -> str:
    """Which other cells leave no partner, by what the clue says of each two cells."""
    said: list[list[str]] = []  # in turn: what follows from one cell may be why of another
    cells: dict[int, None] = {}
    live, left = told.live, told.struck
    while left:
        found = {c: others for c, others in _unsupported(told, live) if left >> c & 1}
        needed: dict[int, list[Mask]] = {}  # what one of the other cells would have to hold
        for others in found.values():
            needed.setdefault((others.bit_length() - 1) // told.units.size, []).append(others)
        new = [_told_of(told, cell, live, union(masks)) for cell, masks in needed.items()]
        cells |= dict.fromkeys(needed)
        before = {phrase for phrases in said for phrase in phrases}
        said.append([phrase for phrase in new if phrase not in before])
        if not found or not all(new) or sum(map(len, said)) > FEW:
            return ""
        gone = mask_of(found)
        live, left = live & ~gone, left & ~gone
    in_turn = ", so ".join(told_together(phrases) for phrases in said if phrases)
    names = {"others": in_turn, "gap": _gap(told, list(cells)), **_places(told)}
    return told.kind.spoken.other.format(**names)


def _unsupported(told: Told, live: Mask) -> Iterator[tuple[int, Mask]]:
    seen: set[int] = set()
    for candidate, others in told.unit.supports:
        is_asked = candidate not in seen and others and told.struck >> candidate & 1
        if is_asked and not others & live:
            seen.add(candidate)
            yield candidate, others


def _told_of(told: Told, cell: int, live: Mask, needed: Mask) -> str:
    """What a cell holds, as far as it matters: it holds none of what is needed."""
    held = told.units.held_in(cell, live)
    if not held:
        return ""
    lacks = told.units.held_in(cell, needed)
    return f"{told.board.name_of(cell)} {_holds(held, lacks)}"


def _gap(told: Told, others: Sequence[int]) -> str:
    """How far along the line another cell is, if it is further than the next."""
    cells = told.clue.cells
    if len(others) != 1 or len(told.lost) != 1 or others[0] not in cells:
        return ""
    (own,) = told.lost
    if own not in cells:
        return ""
    steps = cells.index(others[0]) - cells.index(own)
    if abs(steps) < 2:
        return ""
    side = "after" if steps > 0 else "before"
    return f", {number(abs(steps))} cells {side} {told.board.name_of(own)}"


def _grow(count: int, one: str) -> str:
    return f"a {one} digit comes" if count == 1 else f"{number(count)} {one} digits come"


def _holds(held: Sequence[int], lacks: Sequence[int]) -> str:
    """What a cell holds, by a bound if that says why it holds none of what it lacks."""
    if len(held) == 1:
        return f"is {held[0]}"
    if len(held) > 2:
        if max(held) < min(lacks):
            return f"is at most {max(held)}"
        if min(held) > max(lacks):
            return f"is at least {min(held)}"
        parity, *others = {digit % 2 for digit in held}
        if not others and all(digit % 2 != parity for digit in lacks):
            return "is odd" if held[0] % 2 else "is even"
    if len(lacks) < len(held):
        return f"cannot be {either(lacks)}"
    return f"is {either(held)}"
