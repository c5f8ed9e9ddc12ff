"""Why an automaton strikes candidates: the few combinations or sequences that it still accepts, a
digit that it needs, what a few of its cells hold.

Invariant: what is listed is all that is accepted of the candidates left.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..model.board import Cells, bits, mask_of
from ..model.clue import SET
from ..model.shapes import Sum
from .naming import either, told_together
from .readings import Mask
from .readings import Sequence as Automaton
from .told import Told, mask_of_cell
from .units import Unit, Units, union

FEW = 3  # sequences that are listed, and cells that a reason names
COMBINATIONS = 5  # that are listed
MOST_LIMITED = 10  # cells that are tried as reasons
MOST = 300  # sets of digits that are looked at


def combinations(told: Told) -> str:
    """The few sets of digits that are left for the clue, if they lack the digits."""
    readings = [r for r in told.unit.readings if isinstance(r, Automaton)]
    total = _total(told)
    sign = told.kind.spoken.sign or ("" if total is None else "+")
    if not (total is not None or told.kind.order == SET) or len(told.clue.groups) != 1:
        return ""
    sets: list[Cells] | None
    if len(readings) == 1 and len(readings[0].cells) == len(told.clue.cells):
        sets = _combinations(told.units, readings[0], told.live)
    elif not readings and len(told.clue.cells) == 2 and sign:
        sets = _pairs(told)
    else:
        return ""
    digits = {digit for digits in told.lost.values() for digit in digits}
    if not sets or len(sets) > COMBINATIONS or any(digits & {*some} for some in sets):
        return ""
    return f"{told.unit.label} is {either(_together(some, sign) for some in sets)}"


def _total(told: Told) -> int | None:
    """What its cells add up to, if the clue says so."""
    sums = told.kind.sums(told.board, told.clue) if told.kind.sums else ()
    plain = (said for said in sums if isinstance(said, Sum) and {*said.weights} == {1})
    return next((said.total for said in plain), None)


def _pairs(told: Told) -> list[Cells]:
    """The pairs of digits of its two cells."""
    units, n = told.units, told.units.size
    one, two = told.clue.cells
    partners = dict.fromkeys(
        bits(told.live & mask_of_cell(one, n)), told.live & mask_of_cell(two, n)
    )
    for candidate, others in told.unit.supports:
        if candidate in partners:
            partners[candidate] &= others
    ways = ((units.digit_of(a), units.digit_of(b)) for a, m in partners.items() for b in bits(m))
    return sorted({(min(way), max(way)) for way in ways})


def needs(told: Told) -> str:
    """That the clue needs a digit, for which no other cell is left."""
    if len(told.lost) != 1:
        return ""
    ((cell, _),) = told.lost.items()
    n = told.units.size
    for reading in told.unit.readings:
        if not isinstance(reading, Automaton) or cell not in reading.cells:
            continue
        for digit in {c % n for c in bits(told.live & ~told.struck & mask_of_cell(cell, n))}:
            held = mask_of(n * other + digit for other in reading.cells)
            if held & told.live == 1 << n * cell + digit and not reading.is_possible(
                told.units.every & ~held
            ):
                name = told.units.digit_of(n * cell + digit)
                only = told.board.name_of(cell)
                return f"{told.unit.label} needs {name}, which only {only} can hold"
    return ""


def because(told: Told) -> str:
    """What a few of its cells hold, if the rest may hold anything."""
    units, n = told.units, told.units.size
    own = {*told.unit.cells} - {*told.lost} if len(told.lost) == 1 else {*told.unit.cells}
    limited = [c for c in sorted(own) if units.every & ~told.live & mask_of_cell(c, n)]
    kept = dict.fromkeys(limited)
    if len(limited) > MOST_LIMITED or not _follows(told, kept):
        return ""
    for cell in limited:
        rest = {other: None for other in kept if other != cell}
        kept = rest if _follows(told, rest) else kept
    if not 0 < len(kept) <= FEW:
        return ""
    return f"{told_together(_held_in(told, cell) for cell in kept)} ({told.unit.label})"


def _follows(told: Told, cells: Iterable[int]) -> bool:
    """Whether the clue strikes the same if all but these cells could hold anything."""
    n = told.units.size
    limits = union(mask_of_cell(cell, n) for cell in cells)
    live = told.units.every & (told.live | ~limits)
    return not told.struck & ~told.unit.unsupported(live)


def _held_in(told: Told, cell: int) -> str:
    """What a cell holds, by a bound if that says all."""
    name = told.board.name_of(cell)
    held, every = told.digits(cell), told.units.held_in(cell, told.units.every)
    if len(held) > 2 and held == every[: len(held)]:
        return f"{name} is at most {held[-1]}"
    if len(held) > 2 and held == every[-len(held) :]:
        return f"{name} is at least {held[0]}"
    gone = [digit for digit in every if digit not in held]
    if len(gone) < len(held):
        return f"{name} cannot be {either(gone)}"
    return f"{name} is {either(held)}"


def ways(told: Told) -> str:
    """The few sequences that are left for the clue."""
    readings = [r for r in told.unit.readings if isinstance(r, Automaton)]
    if len(readings) != 1 or not 2 <= len(readings[0].cells) <= FEW + 1:
        return ""
    ways = _ways(told.units, readings[0], told.live)
    if ways is None or not ways:
        return ""
    cells = "-".join(map(told.board.name_of, readings[0].cells))
    said = either("-".join(map(str, way)) for way in ways)
    return f"{cells} can only be {said} ({told.unit.label})"


def needed(units: Units, unit: Unit, live: Mask) -> int | None:
    """A digit that the clue needs whatever it holds, and for which no cell is left."""
    for reading in unit.readings:
        if isinstance(reading, Automaton):
            for place in range(units.size):
                held = mask_of(units.size * cell + place for cell in reading.cells) & units.every
                if held and not held & live and not reading.is_possible(units.every & ~held):
                    return units.digit_of(held.bit_length() - 1)
    return None


def _together(digits: Cells, sign: str) -> str:
    """`5+9`, `345`; digits above 9 stand apart."""
    return (sign or ("/" if max(digits) > 9 or min(digits) < 0 else "")).join(map(str, digits))


def _combinations(units: Units, reading: Automaton, live: Mask) -> list[Cells] | None:
    """The digits, ascending, of what is accepted of the candidates; None if there are too many."""
    found: dict[int, set[Cells]] = {0: {()}}
    for edges in _useful(reading, live):
        after: dict[int, set[Cells]] = {}
        for state, bit, end in edges:
            digit = units.digit_of(bit.bit_length() - 1)
            after.setdefault(end, set()).update(
                tuple(sorted((*some, digit))) for some in found.get(state, ())
            )
        found = after
        if sum(map(len, found.values())) > MOST:
            return None
    return sorted(set().union(*found.values()))


def _ways(units: Units, reading: Automaton, live: Mask) -> list[Cells] | None:
    """The sequences that are accepted of the candidates; None if there are too many."""
    found: list[tuple[int, Cells]] = [(0, ())]
    for edges in _useful(reading, live):
        found = [
            (end, (*some, units.digit_of(bit.bit_length() - 1)))
            for before, some in found
            for state, bit, end in edges
            if state == before
        ]
        if len(found) > FEW:
            return None
    return sorted(some for _, some in found)


def _useful(reading: Automaton, live: Mask) -> list[list[tuple[int, int, int]]]:
    """The edges, layer by layer, that lie on a way from the start to the end."""
    states, reached = {0}, []
    for edges in reading.layers:
        reached.append([e for e in edges if e[1] & live and e[0] in states])
        states = {e[2] for e in reached[-1]}
    ends = states
    for at in range(len(reached) - 1, -1, -1):
        reached[at] = [e for e in reached[at] if e[2] in ends]
        ends = {e[0] for e in reached[at]}
    return reached
