"""Steps by the techniques of Sudoku Explainer, for classic 9x9 puzzles with one solution.

Invariant: nothing that a step says is taken on trust. `witness` proves each of its conclusions from
the units that it names and the candidates left. Each link of a chain is checked by itself as well,
except the one that closes a cycle and those that a pattern within the chain has settled.
Only unique rectangles, unique loops and BUGs name no unit, because what they conclude follows from
there being one solution: that must be the one that they keep.

The steps are those of the rating (`ratings`); their units are a smallest set that a solver finds
among those of the pattern's candidates, or else among all.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from ..answers.answer import solution_of
from ..model.board import bits, mask_of
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..ratings.scale import steps_of
from ..ratings.step import Node
from ..ratings.step import Step as Rated
from ..runtime import limits
from ..runtime.errors import WitnessError
from .inner_words import pattern_words
from .mus import Oracle, selector
from .named_words import sentence
from .scene import Scene
from .step import Step, pattern_of
from .techniques import State
from .units import Unit, Units, units_of
from .witness import Claim

UNIQUENESS = ("unique rectangle", "unique loop", "BUG")  # these rely on there being one solution


def named_steps(
    puzzle: Grid, constraints: Constraints, timeout: float | None = None
) -> Iterator[Step]:
    """The steps of a classic 9x9 puzzle with one solution.

    `timeout`: time in seconds, after which `BudgetError` is raised instead of the next step.
    """
    deadline = limits.until(timeout)
    solution = solution_of(Puzzle(puzzle, constraints), timeout=timeout)
    assert solution is not None
    units = units_of(constraints)
    true = mask_of(9 * cell + digit - 1 for cell, digit in enumerate(solution))
    state = State.of(puzzle, units)
    prover = _Prover(units)
    try:
        for rated in steps_of(puzzle.cells):
            if time.monotonic() > deadline:
                raise limits.late(timeout)
            step, state = _taken(rated, state, prover)
            if true & ~state.live:
                raise WitnessError(f"{rated.technique} strikes a digit of the solution")
            yield step
    finally:
        prover.close()


def _taken(rated: Rated, state: State, prover: _Prover) -> tuple[Step, State]:
    """The step, proved, and the state after it."""
    struck = mask_of(rated.struck) & state.live
    after = state.strike(struck)
    after = after if rated.placed is None else after.place(rated.placed)
    numbers = () if rated.technique in UNIQUENESS else prover.units_of(rated, state)
    units = tuple(state.units.all[number] for number in numbers)
    houses = [state.units.houses[_position(house)] for house in rated.houses]
    paths = [_path(strand, state) for strand in rated.strands]
    told = list(map(_told, rated.strands, paths))
    step = Step(
        technique=rated.technique,
        units=units,
        words=sentence(Scene(rated, state, houses), struck, told),
        chain=tuple(phrase for path in paths for phrase in path),
        board=state.units.board,
        solved=Grid(state.cells, state.units.board),
        live=state.live,
        put=rated.placed,
        struck=state.live & ~after.live,
        rating=rated.rating / 10,
        pattern=pattern_of(rated, [house.cells for house in houses], told),
    )
    return step, after


class _Prover:
    """Finds the units from which conclusions follow."""

    def __init__(self, units: Units) -> None:
        self.units = units
        self._oracle = Oracle(units)
        self.close = self._oracle.close

    def units_of(self, rated: Rated, state: State) -> tuple[int, ...]:
        """Units that prove all conclusions of a step, in the order of their numbers."""
        self._oracle.keep_only(state.live)
        every = [unit.number for unit in self.units.groups]
        pools = [_single(rated, self.units), _named(rated, state), every]
        found: set[int] = set()
        for candidate in bits(mask_of(rated.struck) & state.live):
            found.update(self._proof(candidate, True, pools, state))
        if rated.placed is not None:
            found.update(self._proof(rated.placed, False, pools, state))
        return tuple(sorted(found))

    def _proof(
        self, candidate: int, holds: bool, pools: Iterable[Sequence[int]], state: State
    ) -> tuple[int, ...]:
        """Units of the first pool that refutes that the candidate is true, or false."""
        denied = [candidate + 1 if holds else -candidate - 1]
        core = next(filter(None, (self._core(pool, denied) for pool in pools)), None)
        if core is None:
            raise WitnessError(f"{self.units.name(candidate)} is not decided by the rules")
        kept = self._oracle.minimal(core, denied).literals
        numbers = tuple(literal - selector(self.units, 0) for literal in kept)
        claim = Claim((self.units.all[number] for number in numbers), state.live)
        if not (claim.excludes(candidate) if holds else claim.forces(candidate)):
            raise WitnessError(f"{self.units.name(candidate)} does not follow from its units")
        return numbers

    def _core(self, numbers: Iterable[int], denied: list[int]) -> tuple[int, ...] | None:
        return self._oracle.core([selector(self.units, number) for number in numbers], denied)


def _single(rated: Rated, units: Units) -> list[int]:
    """The digit of the house in which a step places it, if the record names one."""
    if rated.placed is None or len(rated.houses) != 1:
        return []
    return [units.houses[_position(rated.houses[0])].units[rated.placed % 9]]


def _named(rated: Rated, state: State) -> list[int]:
    """The units of the candidates that the step is about."""
    about = [*rated.struck, *(node.candidate for strand in rated.strands for node in strand)]
    about += [] if rated.placed is None else [rated.placed]
    about += [9 * cell + digit - 1 for cell in rated.cells for digit in range(1, 10)]
    live = mask_of(about) & state.live
    houses = {state.units.houses[_position(house)].units for house in rated.houses}
    found = {number for candidate in bits(live) for number in state.units.groups_at[candidate]}
    return sorted(found.union(*houses))


def _position(house: int) -> int:
    """Where a house of a record stands among the units' houses: rows, columns, boxes."""
    return (house + 18) % 27 if house < 9 else house - 9


def _path(strand: Sequence[Node], state: State) -> list[str]:
    """A strand from its assumption to its end, `r1c1=5`, `r1c9≠5 (row 1)` ..., each link checked;
    raises `WitnessError`."""
    units, phrases = state.units, []
    for node in _in_order(strand):
        name = units.name(node.candidate, "=" if node.holds else "≠")
        if node.cause == "pattern":
            phrases.append(f"{name} ({pattern_words(node, strand, state)})")
        elif not node.parents or not phrases:  # of a cycle, one node is taken to be the first
            phrases.append(name)
        else:
            phrases.append(f"{name} ({_by(node, _link(node, strand, state))})")
    return phrases


def _by(node: Node, unit: Unit) -> str:
    """What links a node to its parents: a house, or the cell itself."""
    if unit.digit is not None:
        return unit.label
    return "last digit" if node.holds else "same cell"


def _told(strand: Sequence[Node], path: Sequence[str]) -> dict[tuple[int, bool], str]:
    """What a path says of each node of its strand."""
    return {
        (node.candidate, node.holds): phrase
        for node, phrase in zip(_in_order(strand), path, strict=True)
    }


def _in_order(strand: Sequence[Node]) -> list[Node]:
    """The nodes, each after its parents."""
    order: dict[int, Node] = {}
    waiting = [(number, False) for number in reversed(range(len(strand)))]
    seen: set[int] = set()
    while waiting:
        number, is_next = waiting.pop()
        if is_next:
            order[number] = strand[number]
        elif number not in seen:
            seen.add(number)
            waiting.append((number, True))
            waiting += [(parent, False) for parent in strand[number].parents]
    return list(order.values())


def _link(node: Node, strand: Sequence[Node], state: State) -> Unit:
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
