"""The units that a rated step names: those from which its conclusions follow.

Invariant: they depend on the record and the candidates left alone. A single, a set, a fish and an
intersection name the units of their pattern; a chain names those of its links. Of the units of
other patterns as few are kept as the witness needs. Only for aligned exclusion, and where patterns
stand within a chain, a solver chooses among the units of the candidates that the record names, or
else among all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ..model.board import bits, mask_of
from ..ratings.step import Node
from ..ratings.step import Step as Rated
from ..runtime.errors import WitnessError
from .mus import Oracle, selector
from .techniques import State
from .units import House, Unit, Units
from .witness import Claim

UNIQUENESS = ("unique rectangle", "unique loop", "BUG")  # these rely on there being one solution
Numbers = Iterable[int]


class Namer:
    """Finds the units of the steps of one puzzle, taken in turn."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self._oracle: Oracle | None = None

    def units_of(self, rated: Rated, state: State) -> tuple[int, ...]:
        """The numbers of the units, ascending; none for what relies on there being one solution."""
        technique = rated.technique
        if technique in UNIQUENESS:
            return ()
        if technique.startswith("aligned") or any(n.cause == "pattern" for n in _nodes(rated)):
            found = self._by_solver(rated, state)
        elif rated.strands:
            found = _of_links(rated, state)
        elif technique in ("direct pointing", "direct claiming"):
            found = _of_direct_intersection(rated, state)
        elif technique.endswith(("wing", "links", "skyscraper", "kite")) and technique != "X-wing":
            found = _fewest(rated, state)
        else:
            found = of_pattern(rated, self._units)
        return tuple(sorted(set(found)))

    def close(self) -> None:
        """Give the solver back, if there was need of one."""
        if self._oracle is not None:
            self._oracle.close()

    def _by_solver(self, rated: Rated, state: State) -> Numbers:
        self._oracle = self._oracle or Oracle(self._units)
        self._oracle.keep_only(state.live)
        pools = (_around(rated, state), [unit.number for unit in self._units.groups])
        found: set[int] = set()
        for candidate, holds in _conclusions(rated, state):
            found.update(self._core(candidate, holds, pools))
        return found

    def _core(self, candidate: int, holds: bool, pools: Iterable[Sequence[int]]) -> Iterator[int]:
        """Units of the first pool that refutes the opposite of a conclusion, none to spare."""
        assert self._oracle is not None
        denied = [-candidate - 1 if holds else candidate + 1]
        for pool in pools:
            core = self._oracle.core([selector(self._units, number) for number in pool], denied)
            if core is not None:
                kept = self._oracle.minimal(core, denied).literals
                return (literal - selector(self._units, 0) for literal in kept)
        raise WitnessError(f"{self._units.name(candidate)} is not decided by the rules")


def house_of(units: Units, number: int) -> House:
    """The house of a record: boxes, rows, columns; the units have rows, columns, boxes."""
    return units.houses[(number + 18) % 27 if number < 9 else number - 9]


def link_of(node: Node, strand: Sequence[Node], state: State) -> Unit:
    """A cell, or the digit of a house, by which a node follows from its parents and the candidates
    left: if it holds, all others there are gone; else one of them holds there."""
    parents = [strand[number] for number in node.parents]
    true = mask_of(parent.candidate for parent in parents if parent.holds)
    false = mask_of(parent.candidate for parent in parents if not parent.holds)
    for number in state.units.groups_at[node.candidate]:
        unit = state.units.all[number]
        others = unit.candidates & state.live & ~(1 << node.candidate)
        if (not others & ~false) if node.holds else others & true:
            return unit
    raise WitnessError(f"{state.units.name(node.candidate)} does not follow from its parents")


def check(rated: Rated, state: State, named: Iterable[Unit]) -> None:
    """Raise `WitnessError` unless the units and the candidates left prove all conclusions."""
    claim = Claim(named, state.live)
    for candidate, holds in _conclusions(rated, state):
        if not (claim.forces(candidate) if holds else claim.excludes(candidate)):
            raise WitnessError(f"{state.units.name(candidate)} does not follow from its units")


def _conclusions(rated: Rated, state: State) -> Iterator[tuple[int, bool]]:
    """The candidates that are decided, each with whether it holds."""
    for candidate in rated.struck:
        if state.live >> candidate & 1:
            yield candidate, False
    if rated.placed is not None:
        yield rated.placed, True


def _nodes(rated: Rated) -> Iterator[Node]:
    return (node for strand in rated.strands for node in strand)


@lru_cache(maxsize=4096)
def _of_house(units: Units, number: int, digits: tuple[int, ...]) -> tuple[int, ...]:
    """The units of some digits of a house."""
    house = house_of(units, number)
    return tuple(house.units[digit - 1] for digit in digits)


def of_pattern(rated: Rated, units: Units) -> Numbers:
    """Of singles, intersections, fish and sets: the digits of the houses; of sets the cells too."""
    digits = rated.digits
    if rated.placed is not None and not rated.houses:  # a naked single
        return (rated.placed // 9,)  # a cell and its unit have the same number
    if rated.placed is not None:
        digits = (*digits, rated.placed % 9 + 1)
    found = [number for house in rated.houses for number in _of_house(units, house, digits)]
    return [*found, *rated.cells] if len(rated.digits) > 1 else found


def _of_direct_intersection(rated: Rated, state: State) -> Numbers:
    """The digit in the box and in the line that share its places, and in the house where it has its
    last place then."""
    assert rated.placed is not None
    units, digit = state.units, rated.placed % 9 + 1
    places = mask_of(9 * cell + digit - 1 for cell in rated.cells)
    shared = [
        n
        for n in units.groups_at[9 * rated.cells[0] + digit - 1]
        if not places & ~units.all[n].candidates
    ]
    return *shared, *_of_house(units, rated.houses[0], (digit,))


def _of_links(rated: Rated, state: State) -> Numbers:
    """The links of the strands, the cell or house that they begin with, and what ties conclusions
    to them."""
    units, live = state.units, state.live
    found = {
        link_of(node, strand, state).number
        for strand in rated.strands
        for node in strand
        if node.parents
    }
    if rated.technique.startswith(("cell", "region")):
        begun = mask_of(node.candidate for node in _nodes(rated) if not node.parents)
        groups = (units.all[number] for number in units.groups_at[begun.bit_length() - 1])
        found.update(unit.number for unit in groups if unit.candidates & live == begun)
    is_cycle = rated.technique.startswith("bidirectional")
    ends = mask_of(node.candidate for node in _nodes(rated)) if is_cycle else 0
    ends |= 0 if rated.placed is None else 1 << rated.placed
    about = {number for candidate in rated.struck for number in units.groups_at[candidate]}
    ties = {number for number in about if units.all[number].candidates & ends}
    return _sufficient([*found, *ties], rated, state) if is_cycle else found | ties


def _around(rated: Rated, state: State) -> list[int]:
    """The units of the candidates that the record names."""
    about = [*rated.struck, *(node.candidate for node in _nodes(rated))]
    about += [] if rated.placed is None else [rated.placed]
    about += [9 * cell + digit - 1 for cell in rated.cells for digit in range(1, 10)]
    groups_at = state.units.groups_at
    return sorted({n for c in bits(mask_of(about) & state.live) for n in groups_at[c]})


def _fewest(rated: Rated, state: State) -> Numbers:
    """Of the units that candidates of the pattern share, few that suffice for each conclusion:
    those of its houses or cells stay as far as they are needed."""
    units, is_links = state.units, bool(rated.houses)
    named = [n for house in rated.houses for n in _of_house(units, house, rated.digits)]
    digits = [d - 1 for d in rated.digits] if is_links else range(9)
    about = mask_of(9 * cell + digit for cell in rated.cells for digit in digits)
    about = (about | mask_of(rated.struck)) & state.live
    shared = [
        unit.number
        for unit in units.groups
        if unit.digit is not None and (unit.candidates & about).bit_count() > 1
    ]
    return _sufficient(list(dict.fromkeys([*(named or rated.cells), *shared])), rated, state)


def _sufficient(pool: Sequence[int], rated: Rated, state: State) -> set[int]:
    """The units that are needed for one of the conclusions, of those of the pool."""
    found: set[int] = set()
    for candidate, holds in _conclusions(rated, state):
        found.update(_needed(pool, candidate, holds, state))
    return found


def _needed(pool: Sequence[int], candidate: int, holds: bool, state: State) -> list[int]:
    """The units of the pool without those that the witness can do without, the last ones first."""
    kept = list(pool)
    for number in reversed(pool):
        fewer = [other for other in kept if other != number]
        claim = Claim((state.units.all[other] for other in fewer), state.live)
        if claim.forces(candidate) if holds else claim.excludes(candidate):
            kept = fewer
    return kept
