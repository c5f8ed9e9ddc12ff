"""By which pattern a candidate leaves within a chain, in words.

Invariant: the pattern named strikes the candidate once those of its node's parents have left; the
kinds are sought in the order in which the rating uses them. Chains within a chain are not told, and
not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ..model.board import mask_of
from ..ratings.step import Node
from ..runtime.errors import WitnessError
from .scene import View, lines
from .techniques import State
from .units import House

FEW = 4  # parents that an inner chain is told with
WITH_CHAINS = 2  # the level of a chain from which on it has chains within


def pattern_words(node: Node, strand: Sequence[Node], state: State, level: int) -> str:
    """`5 in box 3 only in row 2`, `naked pair r1c1, r1c5`, `an inner chain from r1c2≠3, r4c5≠7`;
    raises `WitnessError` if there is none, though the level has no chains within."""
    gone = [strand[number].candidate for number in node.parents]
    now = View(state.strike(mask_of(gone)))
    cell, digit = divmod(node.candidate, 9)
    found = next(_patterns(now, cell, digit + 1), "")
    if not found and level < WITH_CHAINS:
        raise WitnessError(f"{state.units.name(node.candidate, '≠')} does not follow by a pattern")
    if found or len(gone) > FEW:
        return found or "an inner chain"
    causes = (state.units.name(candidate, "≠") for candidate in gone)
    return f"an inner chain from {', '.join(causes)}"


def _patterns(now: View, cell: int, digit: int) -> Iterator[str]:
    around = now.shared([cell])
    for seek in (_intersection, _hidden_pair, _naked_pair, _x_wing):
        for house in around:
            yield from seek(now, house, cell, digit)


def _places(now: View, house: House, digit: int) -> set[int]:
    return set(now.with_digit(house.cells, digit))


def _intersection(now: View, cover: House, cell: int, digit: int) -> Iterator[str]:
    """The digit in a house that crosses this one, but without the cell, has no place outside."""
    for base in now.state.units.houses:
        places = _places(now, base, digit)
        if len(places) > 1 and cell not in base.cells and places.issubset(cover.cells):
            yield f"{digit} in {base.label} only in {cover.label}"


def _hidden_pair(now: View, house: House, cell: int, digit: int) -> Iterator[str]:
    """Two other digits of the cell have it and one more place in the house."""
    for pair in combinations(sorted(now.digits(cell) - {digit}), 2):
        one, other = (_places(now, house, each) for each in pair)
        if one == other and len(one) == 2:
            yield f"hidden pair {pair[0]}, {pair[1]} in {house.label}"


def _naked_pair(now: View, house: House, cell: int, digit: int) -> Iterator[str]:
    """Two other cells of the house have the digit and one more between them."""
    others = [c for c in house.cells if c != cell and now.holds(c, digit)]
    for pair in combinations([c for c in others if len(now.digits(c)) == 2], 2):
        if now.digits(pair[0]) == now.digits(pair[1]):
            yield f"naked pair {', '.join(map(now.name, pair))}"


def _x_wing(now: View, cover: House, cell: int, digit: int) -> Iterator[str]:
    """Two lines that cross this one have the digit in the same two places, one of them in this."""
    at: dict[tuple[int, ...], list[House]] = {}
    for house in now.state.units.houses:
        places = _places(now, house, digit)
        crossing = set(house.cells) & set(cover.cells)
        if (
            cell not in house.cells
            and len(crossing) == 1
            and len(places) == 2
            and places & crossing
        ):
            position = tuple(house.cells.index(place) for place in sorted(places))
            at.setdefault(position, []).append(house)
    for lines_at in at.values():
        for two in combinations(lines_at, 2):
            yield f"X-wing {digit}, {lines(two)}"
