"""Steps by the techniques of Sudoku Explainer, for classic 9x9 puzzles with one solution.

Invariant: every step keeps the one solution, and each link of a chain is checked by itself, except
the one that closes a cycle and those that a chain within the chain has settled. Asked to verify,
`witness` also proves each conclusion from the units that the step names and the candidates left.
Only unique rectangles, unique loops and BUGs name no unit, because what they conclude follows from
there being one solution.

The steps are those of the rating (`ratings`); `rated_units` says which units they name.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import inf

from ..answers.answer import solution_of
from ..model.board import Cells, mask_of
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..ratings.scale import steps_of
from ..ratings.step import Node
from ..ratings.step import Step as Rated
from ..runtime import limits
from ..runtime.errors import WitnessError
from .inner_words import pattern_words
from .named_words import sentence, single_words
from .rated_units import UNIQUENESS, Namer, check, house_of, link_of, of_pattern
from .readings import Mask
from .scene import Scene
from .step import Pattern, Step, pattern_of, pattern_of_fish
from .techniques import State
from .units import House, Unit, Units, units_of


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
    own = inf if timeout is None else time.monotonic() + timeout
    if solution is None:
        solution = solution_of(Puzzle(puzzle, constraints), timeout=timeout)
        assert solution is not None
    units = units_of(constraints)
    true = mask_of(9 * cell + digit - 1 for cell, digit in enumerate(solution))
    state, solved = State.of(puzzle, units), puzzle
    namer = Namer(units)
    try:
        for rated in steps_of(puzzle.cells):
            if time.monotonic() > min(own, limits.until(None)):
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
        named, words, draws = _single(rated, units)
        chain: tuple[str, ...] = ()
    else:
        struck = mask_of(rated.struck) & state.live
        numbers = namer.units_of(rated, state)
        named = tuple(units.all[number] for number in numbers)
        houses = _houses(rated, units)
        paths = [_path(strand, state, rated.level) for strand in rated.strands]
        told = list(map(_told, rated.strands, paths))
        words = sentence(Scene(rated, state, houses), struck, told)
        draws = partial(
            _pattern_of, rated, named, [house.cells for house in houses], told, state.live
        )
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
        draws=draws,
    )
    return step, after


def _pattern_of(
    rated: Rated,
    named: Sequence[Unit],
    houses: Sequence[Cells],
    told: Sequence[Mapping[tuple[int, bool], str]],
    live: Mask,
) -> Pattern:
    """What to draw of a step that is not a single."""
    fish = None if rated.strands else pattern_of_fish(named, live, mask_of(rated.struck) & live)
    return fish or pattern_of(rated, houses, told)


def is_single(technique: str) -> bool:
    """Whether it places a digit because of one unit, whatever else is left."""
    return technique in ("hidden single", "naked single")


@lru_cache(maxsize=4096)
def _single(rated: Rated, units: Units) -> tuple[tuple[Unit, ...], str, Callable[[], Pattern]]:
    """The unit, the words and what draws a single, which are the same whatever is left."""
    named = tuple(units.all[number] for number in of_pattern(rated, units))
    houses = _houses(rated, units)
    words = single_words(rated, units, houses)
    return named, words, partial(pattern_of, rated, [house.cells for house in houses])


def _houses(rated: Rated, units: Units) -> list[House]:
    """The houses that a record names."""
    return [house_of(units, house) for house in rated.houses]


def _path(strand: Sequence[Node], state: State, level: int) -> list[str]:
    """A strand from its assumption to its end, `r1c1=5`, `r1c9≠5 (row 1)` ..., each link checked;
    raises `WitnessError`."""
    units, phrases = state.units, []
    for node in _in_order(strand):
        name = units.name(node.candidate, "=" if node.holds else "≠")
        if node.cause == "pattern":
            phrases.append(f"{name} ({pattern_words(node, strand, state, level)})")
        elif not node.parents or not phrases:  # of a cycle, one node is taken to be the first
            phrases.append(name)
        else:
            phrases.append(f"{name} ({_by(node, link_of(node, strand, state))})")
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
