"""Clauses of what a clue says of three cells or more.

Invariant: every auxiliary variable is a function of the digits, so each solution of the puzzle is
one model. Unit propagation removes every digit that no accepted sequence, and no set, has.

The variable of a candidate is size*cell + digit; `fresh()` gives a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...model.board import Cells
from ...model.shapes import Automaton, DigitSets, OneOf, Shape
from .formula import Clause

Fresh = Callable[[], int]


def shape_clauses(shape: Shape, size: int, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of any shape."""
    if isinstance(shape, OneOf):
        given = () if shape.given is None else (shape.given,)
        denied = (-(size * cell + digit) for cell, digit in given)
        yield (*denied, *(size * cell + digit for cell, digit in shape.candidates))
    elif isinstance(shape, DigitSets):
        yield from _digit_sets(shape, size, fresh)
    else:
        yield from _automaton(shape, size, fresh)


def _automaton(shape: Automaton, size: int, fresh: Fresh) -> Iterator[Clause]:
    """A variable for each edge, cell by cell, and behind the edges of a cell one for each state
    before it. An edge has its digit and both its states; a state is entered and left, and a digit
    read, on one of the edges.

    Source: F. Bacchus, GAC Via Unit Propagation, CP 2007, on the layered form of G. Pesant, A
    Regular Language Membership Constraint for Finite Sequences of Variables, CP 2004.
    """
    if not all(shape.layers):  # an empty clause makes some solvers crash
        impossible = size * shape.cells[0] + 1
        yield from ((impossible,), (-impossible,))
        return
    entered: dict[int, list[int]] = {}  # state before the layer: the edges that lead there
    for position, (cell, edges) in enumerate(zip(shape.cells, shape.layers, strict=True)):
        edge_of = {edge: fresh() for edge in edges}
        by_digit: dict[int, list[int]] = {}
        left: dict[int, list[int]] = {}
        led: dict[int, list[int]] = {}
        for (state, digit, after), edge in edge_of.items():
            by_digit.setdefault(digit, []).append(edge)
            left.setdefault(state, []).append(edge)
            led.setdefault(after, []).append(edge)
            yield -edge, size * cell + digit
        if position:
            yield from _meet(entered, left, fresh)
        for digit in range(1, size + 1):
            yield (-(size * cell + digit), *by_digit.get(digit, ()))
        entered = led


def _meet(
    entered: dict[int, list[int]], left: dict[int, list[int]], fresh: Fresh
) -> Iterator[Clause]:
    """The state between two edges: a variable that each of them implies and that implies one of
    those on either side."""
    for state, before in entered.items():
        variable, after = fresh(), left[state]
        for edge in (*before, *after):
            yield -edge, variable
        yield (-variable, *before)
        yield (-variable, *after)


def _digit_sets(shape: DigitSets, size: int, fresh: Fresh) -> Iterator[Clause]:
    """A variable for each set, and one for each digit that says it is in one of the cells."""
    used = {digit: fresh() for digit in range(1, size + 1)}
    chosen = {some: fresh() for some in shape.sets}
    yield from chosen_set(shape.cells, used, chosen, size)


def chosen_set(
    cells: Cells, used: dict[int, int], chosen: dict[frozenset[int], int], size: int
) -> Iterator[Clause]:
    """One of the sets is chosen, and the cells hold its digits, with variables made before."""
    yield from one_set(used, chosen)
    for digit, presence in used.items():
        own = [size * cell + digit for cell in cells]
        yield (-presence, *own)
        yield from ((-candidate, presence) for candidate in own)


def one_set(used: dict[int, int], chosen: dict[frozenset[int], int]) -> Iterator[Clause]:
    """One of the sets is chosen, and its digits are used."""
    yield tuple(chosen.values())
    for some, variable in chosen.items():
        for digit, presence in used.items():
            yield -variable, presence if digit in some else -presence
    for digit, presence in used.items():
        yield (-presence, *(v for some, v in chosen.items() if digit in some))
        yield (presence, *(v for some, v in chosen.items() if digit not in some))
