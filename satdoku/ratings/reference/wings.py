"""Wings and aligned exclusion: a few cells that see each other and have few digits.

Invariant: a set of n cells of one house with n + 1 digits holds all of them but one. If the bivalue
cell xz sees each x of the set, one of them holds z. If it sees each z, too, both are settled among
the set and the cell, and so is every other digit within the set. Ratings 4.2 (XY), 4.4 (XYZ; both
Sudoku Explainer), 5.5 to 5.6 (WXYZ), 6.2 to 6.4 (VWXYZ), 6.6 and 7.5 (Sukaku Explainer 1.18).

Of two or three aligned cells, a combination of digits that leaves no digit to a cell that all of
them see is not allowed, and a digit that is in no allowed combination leaves its cell. Cells that
exclude have at most as many digits as there are aligned cells. Ratings 6.2 (pair) and 7.5 (triplet;
Sudoku Explainer).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import product
from operator import itemgetter, or_
from typing import NamedTuple

from ...model.board import bits
from .board import (
    BITS,
    BOARD,
    PEERS,
    State,
    Step,
    Struck,
    Technique,
    lowest,
    see,
    seen_by_all,
    struck_in,
    struck_together,
)

NAMES = {
    3: Technique.WXYZ_WING,
    4: Technique.VWXYZ_WING,
    5: Technique.UVWXYZ_WING,
    6: Technique.TUVWXYZ_WING,
}
RATINGS = {  # by the number of digits of the fullest cell
    3: {2: 5.5, 3: 5.6, 4: 5.5},
    4: {2: 6.3, 3: 6.4, 4: 6.3, 5: 6.2},
    5: dict.fromkeys(range(2, 7), 6.6),
    6: dict.fromkeys(range(2, 8), 7.5),
}
LATER = [PEERS[cell] & ~((1 << cell) - 1) for cell in range(81)]


def _small_wing(state: State, pivot: int, a: int, b: int) -> Step | None:
    """The wing of a pivot xy (or xyz) with cells xz and yz; z leaves what sees all that have it."""
    of = state.of_cell
    three = of[pivot].bit_count() == 3
    if of[b].bit_count() != 2 or (of[pivot] | of[a] | of[b]).bit_count() != 3:
        return None
    if (of[pivot] & of[a] & of[b]).bit_count() != three:
        return None
    z, ends = lowest(of[a] & of[b]), 1 << a | 1 << b
    cells = ends | 1 << pivot
    struck = seen_by_all(cells if three else ends) & state.of_digit[z] & ~cells
    return Step(
        Technique.XYZ_WING if three else Technique.XY_WING,
        4.4 if three else 4.2,
        struck=struck_in(struck, z),
        cells=cells,
        digits=of[pivot] | of[a],
    )


def small_wings(state: State, digits: int) -> Iterator[Step]:
    """XY-wings (pivots of two digits) or XYZ-wings (of three)."""
    of = state.of_cell
    bivalue = sum(1 << cell for cell in range(81) if of[cell].bit_count() == 2)
    for pivot in range(81):
        if of[pivot].bit_count() != digits:
            continue
        for a in bits(PEERS[pivot] & bivalue):
            if (of[pivot] & ~of[a]).bit_count() != 1:
                continue
            for b in bits(PEERS[pivot] & bivalue):
                step = _small_wing(state, pivot, a, b)
                if step and step.struck:
                    yield step


class _Set(NamedTuple):
    """Cells of one house (or that all see each other) with one digit more than cells."""

    cells: tuple[int, ...]
    digits: int


def _sets(state: State, size: int, grown: _Set, more: int) -> Iterator[_Set]:
    if len(grown.cells) == size:
        if grown.digits.bit_count() == size + 1:
            yield grown
        return
    for cell in bits(more):
        digits = grown.digits | state.of_cell[cell]
        if digits.bit_count() <= size + 1:
            yield from _sets(state, size, _Set((*grown.cells, cell), digits), more & LATER[cell])


class _Wing(NamedTuple):
    members: _Set
    end: int  # the bivalue cell
    x: int
    z: int
    twice: bool  # whether the end sees the members with z, too

    def cells_with(self, state: State, digit: int) -> int:
        return reduce(or_, (1 << cell for cell in self.members.cells)) & state.of_digit[digit]


def _wings_of(state: State, members: _Set) -> Iterator[_Wing]:
    own = reduce(or_, (1 << cell for cell in members.cells))
    around = reduce(or_, (PEERS[cell] for cell in members.cells)) & ~own
    for end in bits(around):
        pair = state.of_cell[end]
        if pair.bit_count() != 2 or pair & ~members.digits:
            continue
        x, z = BITS[pair]
        x_seen, z_seen = (not own & state.of_digit[d] & ~PEERS[end] for d in (x, z))
        if x_seen:
            yield _Wing(members, end, x, z, z_seen)
        elif z_seen:
            yield _Wing(members, end, z, x, False)


def _struck_by(state: State, wing: _Wing) -> tuple[Struck, bool]:
    """What leaves, and whether that takes that the wing is linked twice."""
    end = 1 << wing.end

    def seen(digit: int, cells: int) -> Struck:
        return struck_in(seen_by_all(cells) & state.of_digit[digit] & ~end, digit)

    z = seen(wing.z, wing.cells_with(state, wing.z) | end)
    if not wing.twice:
        return z, False
    inner = [
        seen(digit, wing.cells_with(state, digit))
        for digit in BITS[wing.members.digits & ~state.of_cell[wing.end]]
    ]
    x = seen(wing.x, wing.cells_with(state, wing.x) | end)
    return struck_together([*inner, x, z]), any(inner) or bool(x and z)


def _judged(state: State, wing: _Wing) -> tuple[tuple[object, ...], Step] | None:
    """What a wing is worth (the least counts), and its step; None if it strikes nothing. Of equal
    rating those that strike most go first, then linked twice before once, fuller cells, more digits
    in all; the last as a text, so that 9 comes before 10."""
    struck, twice = _struck_by(state, wing)
    if not struck:
        return None
    cells = wing.members.cells
    sizes = [state.of_cell[cell].bit_count() for cell in cells]
    rating = RATINGS[len(cells)][max(sizes)]
    total = sum(digits.bit_count() for _, digits in struck)
    as_text = sum(sizes) * (10 if sum(sizes) < 10 else 1)
    step = Step(
        NAMES[len(cells)],
        rating,
        struck=struck,
        cells=reduce(or_, (1 << cell for cell in (*cells, wing.end))),
        digits=1 << wing.x | 1 << wing.z,
    )
    return (rating, -total, -twice, -max(sizes), -as_text), step


def set_wings(state: State, size: int) -> Iterator[Step]:
    """The wings of sets of 3 to 6 cells, the one that counts first."""
    unsolved = sum(1 << cell for cell in range(81) if state.of_cell[cell].bit_count() > 1)
    judged = (
        _judged(state, wing)
        for members in _sets(state, size, _Set((), 0), unsolved & BOARD)
        for wing in _wings_of(state, members)
    )
    for _, step in sorted(filter(None, judged), key=itemgetter(0)):
        yield step


ALIGNED = {2: (Technique.ALIGNED_PAIR, 6.2), 3: (Technique.ALIGNED_TRIPLET, 7.5)}


def _allowed(state: State, cells: tuple[int, ...], taken: list[int]) -> list[int]:
    """For each cell its digits in allowed combinations; `taken`: digits of cells that all see."""
    allowed = [0] * len(cells)
    seeing = [(i, j) for i in range(len(cells)) for j in range(i) if see(cells[i], cells[j])]
    for digits in product(*(BITS[state.of_cell[cell]] for cell in cells)):
        if any(digits[i] == digits[j] for i, j in seeing):
            continue
        used = sum(1 << digit for digit in set(digits))
        if all(each & ~used for each in taken):
            for i, digit in enumerate(digits):
                allowed[i] |= 1 << digit
    return allowed


def _aligned(state: State, cells: tuple[int, ...], common: int) -> Iterator[Step]:
    allowed = _allowed(state, cells, [state.of_cell[cell] for cell in bits(common)])
    struck = tuple(
        (cell, state.of_cell[cell] & ~digits)
        for cell, digits in zip(cells, allowed, strict=True)
        if state.of_cell[cell] & ~digits
    )
    if struck:
        technique, rating = ALIGNED[len(cells)]
        yield Step(technique, rating, struck=struck, cells=sum(1 << cell for cell in cells))


def aligned_exclusions(state: State, size: int) -> Iterator[Step]:
    """Pairs (or triplets) of cells with two cells or more that all of them see and that exclude."""
    small = sum(1 << c for c, digits in enumerate(state.of_cell) if 0 < digits.bit_count() <= size)
    excluding = [PEERS[cell] & small for cell in range(81)]
    bases = [cell for cell in range(81) if state.of_cell[cell] and excluding[cell]]
    for n, later in enumerate(bases):
        for earlier in bases[:n]:
            common = excluding[earlier] & excluding[later]
            if common.bit_count() < 2:
                continue
            if size == 2:
                yield from _aligned(state, (earlier, later), common)
                continue
            for third in _thirds(earlier, later, excluding, bases):
                if (common & excluding[third]).bit_count() >= 2:
                    yield from _aligned(state, (earlier, later, third), common & excluding[third])


def _thirds(earlier: int, later: int, excluding: list[int], bases: list[int]) -> Iterator[int]:
    """Cells that exclude: those that the first sees, then the others that the second sees."""
    either = sum(1 << cell for cell in bases) & ~(1 << earlier | 1 << later)
    yield from bits(either & excluding[earlier])
    yield from bits(either & excluding[later] & ~excluding[earlier])
