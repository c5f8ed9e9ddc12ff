"""Steps by the techniques of Sudoku Explainer, for classic 9x9 puzzles with one solution.

Invariant: every step keeps the one solution, and each link of a chain is checked by itself, except
the one that closes a cycle and those that a pattern within the chain has settled. Asked to verify,
`witness` also proves each conclusion from the units that the step names and the candidates left.
Only unique rectangles, unique loops and BUGs name no unit, because what they conclude follows from
there being one solution.

The steps are those of the rating (`ratings`); `rated_units` says which units they name.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..answers.answer import solution_of
from ..model.board import mask_of
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..ratings.scale import steps_of
from ..ratings.step import Node
from ..ratings.step import Step as Rated
from ..runtime import limits
from ..runtime.errors import WitnessError
from .rated_units import UNIQUENESS, Namer, check, house_of, link_of, of_pattern
from .readings import Mask
from .step import Pattern, Step, pattern_of
from .techniques import State
from .units import Unit, Units, units_of
from .words import exclusions, listed


def named_steps(
    puzzle: Grid,
    constraints: Constraints,
    timeout: float | None = None,
    *,
    solution: Grid | None = None,
    verify: bool = False,
) -> Iterator[Step]:
    """The steps of a classic 9x9 puzzle with one solution.

    `timeout`: time in seconds, after which `BudgetError` is raised instead of the next step.
    solution: the one solution, if it is known. verify: whether the witness proves each step.
    """
    deadline = limits.until(timeout)
    if solution is None:
        solution = solution_of(Puzzle(puzzle, constraints), timeout=timeout)
        assert solution is not None
    units = units_of(constraints)
    true = mask_of(9 * cell + digit - 1 for cell, digit in enumerate(solution))
    state, solved = State.of(puzzle, units), puzzle
    namer = Namer(units)
    try:
        for rated in steps_of(puzzle.cells):
            if time.monotonic() > deadline:
                raise limits.late(timeout)
            step, state = taken(rated, state, solved, namer, verify=verify)
            if true & ~state.live:
                raise WitnessError(f"{rated.technique} strikes a digit of the solution")
            yield step
            solved = with_digit(solved, rated.placed)
    finally:
        namer.close()


def with_digit(solved: Grid, placed: int | None) -> Grid:
    """The digits with one more, if there is one."""
    if placed is None:
        return solved
    cells = bytearray(solved.cells)
    cells[placed // 9] = placed % 9 + 1
    return Grid(bytes(cells), solved.board)


def taken(
    rated: Rated, state: State, solved: Grid, namer: Namer, *, verify: bool = False
) -> tuple[Step, State]:
    """The step and the state after it."""
    units = state.units
    after = state.strike(mask_of(rated.struck)) if rated.struck else state
    after = after if rated.placed is None else after.place(rated.placed)
    if is_single(rated.technique):
        named, words, pattern = _single(rated, units)
        chain: tuple[str, ...] = ()
    else:
        struck = mask_of(rated.struck) & state.live
        numbers = namer.units_of(rated, state)
        named = tuple(units.all[number] for number in numbers)
        paths = [_path(strand, state) for strand in rated.strands]
        words = _words(rated, struck, named, paths, units)
        pattern = _pattern_of(rated, units, paths)
        chain = tuple(phrase for path in paths for phrase in path)
    if verify and rated.technique not in UNIQUENESS:
        check(rated, state, named)
    step = Step(
        technique=rated.technique,
        units=named,
        words=words,
        chain=chain,
        board=units.board,
        solved=solved,
        live=state.live,
        put=rated.placed,
        struck=state.live & ~after.live,
        rating=rated.rating / 10,
        pattern=pattern,
    )
    return step, after


def is_single(technique: str) -> bool:
    """Whether it places a digit because of one unit, whatever else is left."""
    return technique in ("hidden single", "naked single")


@lru_cache(maxsize=4096)
def _single(rated: Rated, units: Units) -> tuple[tuple[Unit, ...], str, Pattern]:
    """The unit, the words and the pattern of a single, which are the same whatever is left."""
    named = tuple(units.all[number] for number in of_pattern(rated, units))
    return named, _words(rated, 0, named, (), units), _pattern_of(rated, units, ())


def _pattern_of(rated: Rated, units: Units, paths: Sequence[Sequence[str]]) -> Pattern:
    houses = [house_of(units, house).cells for house in rated.houses]
    return pattern_of(rated, houses, list(map(_told, rated.strands, paths)))


def _path(strand: Sequence[Node], state: State) -> list[str]:
    """A strand from its assumption to its end, `r1c1=5`, `r1c9≠5 (row 1)` ..., each link checked;
    raises `WitnessError`."""
    units, phrases = state.units, []
    for node in _in_order(strand):
        name = units.name(node.candidate, "=" if node.holds else "≠")
        if node.cause == "pattern":
            phrases.append(f"{name} (pattern)")
        elif not node.parents or not phrases:  # of a cycle, one node is taken to be the first
            phrases.append(name)
        else:
            phrases.append(f"{name} ({link_of(node, strand, state).label})")
    return phrases


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


def _words(
    rated: Rated,
    struck: Mask,
    proof: Sequence[Unit],
    paths: Sequence[Sequence[str]],
    units: Units,
) -> str:
    """`no 5 in r2c2: XY-wing (4.2) of 1, 2 and 5 in r1c1, r1c5 and r3c2`."""
    parts = [] if rated.placed is None else [units.name(rated.placed)]
    parts += [exclusions(units, struck)] if struck else []
    start = f"{'; '.join(parts)}: {rated.technique} ({rated.rating / 10:.1f})"
    if paths:
        return f"{start}: {'; '.join(map(', '.join, paths))}"
    if len(proof) == 1:
        unit = proof[0]
        only = "digit left" if unit.digit is None else f"place for {unit.digit}"
        return f"{start}, the only {only} in {unit.label}"
    return start + _pattern(rated, units)


def _pattern(rated: Rated, units: Units) -> str:
    """Where the pattern stands, as far as the record says."""
    houses = [house_of(units, house).label for house in rated.houses]
    words = f" of {listed(rated.digits)}" if rated.digits else ""
    words += f" in {listed(map(units.board.name_of, rated.cells))}" if rated.cells else ""
    return words + (f" ({', '.join(houses)})" if houses else "")
