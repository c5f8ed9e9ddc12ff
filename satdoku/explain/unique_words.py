"""Why a rated step follows from there being one solution, in words: unique rectangles, unique loops
and bivalue universal graves.

Invariant: a sentence says which cells would make two solutions, what must therefore hold, and what
then leaves. The house and the set of types 3 and 4 are found again from what they strike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from ..runtime.errors import WitnessError
from .naming import listed
from .scene import OR, Scene, numbers
from .units import House


def loop(scene: Scene) -> str:
    """A unique rectangle or loop."""
    rated = scene.rated
    low, high = sorted(rated.digits)
    fuller = [cell for cell in rated.cells if scene.digits(cell) != set(rated.digits)]
    swap = f"{scene.names(rated.cells)} could swap {low} and {high}, which gives two solutions"
    if rated.level == 1:
        return f"if {scene.name(fuller[0])} were {low} or {high}, {swap}"
    if rated.level == 2:
        (digit,) = next(iter(scene.struck.values()))
        return (
            f"one of {scene.names(fuller)} is {digit}, else {swap}; so no cell that sees "
            f"{_all(fuller)} is {digit}"
        )
    return (_set_beside if rated.level == 3 else _one_of_two)(scene, fuller, swap)


def _sharing(scene: Scene, cells: Iterable[int]) -> str:
    return f"{listed(('This cell', *map(scene.name, cells)))} share"


def _all(cells: list[int]) -> str:
    return "both" if len(cells) == 2 else "them all"


def _one_of_two(scene: Scene, fuller: list[int], swap: str) -> str:
    """Type 4: a digit of the loop has no other places in a house than the two fuller cells."""
    pair = scene.rated.digits
    (gone,) = next(iter(scene.struck.values()))
    (kept,) = set(pair) - {gone}
    house = _confined(scene, fuller, kept)
    both = scene.names(fuller)
    return (
        f"{kept} in {house.label} stands only in {both}, so one of these is {kept}; "
        f"if the other were {gone}, {swap}"
    )


def _confined(scene: Scene, cells: list[int], digit: int) -> House:
    """A house of all the cells that has the digit nowhere else."""
    for house in scene.shared(cells):
        if set(scene.with_digit(house.cells, digit)) <= set(cells):
            return house
    raise WitnessError(f"{scene.rated.technique}: {digit} has other places beside {cells}")


def _set_beside(scene: Scene, fuller: list[int], swap: str) -> str:
    """Type 3: the further digits of the two cells, or the loop's own, are part of a set."""
    for size in range(1, 7):
        for house in scene.shared(fuller):
            for others in combinations(_open(scene, house, fuller), size):
                for beside in (_naked_beside, _hidden_beside):
                    if found := beside(scene, house, others, fuller):
                        start, end = found
                        return f"one of {scene.names(fuller)} is {start}, else {swap}. {end}"
    raise WitnessError(f"{scene.rated.technique}: its set is not found")


def _naked_beside(
    scene: Scene, house: House, others: tuple[int, ...], two: list[int]
) -> tuple[str, str] | None:
    """The two cells have what they have more than the loop from a naked set with the others, if
    just what this leaves in the house is struck."""
    further = frozenset().union(*map(scene.digits, two)) - set(scene.rated.digits)
    digits = further.union(*map(scene.digits, others))
    rest = [cell for cell in house.cells if cell not in others and cell not in two]
    struck = {cell: left for cell in rest if (left := scene.digits(cell) & digits)}
    if len(digits) != len(others) + 1 or scene.struck != struck:
        return None
    return numbers(further, OR), (
        f"{_sharing(scene, others)} {numbers(digits)}, so no other cell of {house.label} is "
        f"{numbers(digits, OR)}"
    )


def _hidden_beside(
    scene: Scene, house: House, others: tuple[int, ...], two: list[int]
) -> tuple[str, str] | None:
    """The loop's digits and those of the others, if these have no other places in the house, are
    one more than the others, and leave them what is not struck."""
    pair = frozenset(scene.rated.digits)
    digits = {
        digit
        for digit in pair.union(*map(scene.digits, others))
        if (places := set(scene.with_digit(house.cells, digit))) <= {*others, *two}
        and (digit in pair or not places & {*two})
    }
    struck = {cell: left for cell in others if (left := scene.digits(cell) - digits)}
    if not pair <= digits or len(digits) != len(others) + 1 or scene.struck != struck:
        return None
    rest = list(map(scene.name, others))
    return f"neither {listed(sorted(pair), ' nor ')}", (
        f"In {house.label} only {listed(('these two', *rest))} have places for {numbers(digits)}, "
        f"which therefore fill {listed(('one of the two', *rest))}: nothing else stands in "
        f"{listed(rest)}"
    )


def _open(scene: Scene, house: House, but: Iterable[int]) -> list[int]:
    return [cell for cell in house.cells if cell not in but and len(scene.digits(cell)) > 1]


def grave(scene: Scene) -> str:
    """A bivalue universal grave."""
    rated = scene.rated
    further = next(_further(scene), None)
    if further is None:
        raise WitnessError(f"{scene.names(rated.cells)} make no grave of the others")
    told = listed(f"{numbers(d)} in {scene.names(c)}" for d, c in _by_digits(further).items())
    start = (
        f"without {told}, every open cell would have two digits left and every digit two places "
        "in each house, which has no solution or several. So "
    )
    fuller, digits = list(further), frozenset().union(*further.values())
    start += _one_holds(scene, further)
    if rated.level == 1:
        return start
    if rated.level == 2:
        (digit,) = digits
        return f"{start}, and no cell that sees {_all(fuller)} is {digit}"
    if rated.level == 4:
        (kept,) = frozenset.intersection(*map(scene.digits, fuller)) - digits
        house = _confined(scene, fuller, kept).label
        return (
            f"{start}, and the other cell is {kept}, which has no other place in {house}: neither "
            "holds anything else"
        )
    members, house = _members(scene, fuller)
    return (
        f"{start}. {_sharing(scene, members)} {numbers(rated.digits)}, so no other cell of {house} "
        f"that sees {_all(fuller)} is {numbers(rated.digits, OR)}"
    )


def _by_digits(further: dict[int, frozenset[int]]) -> dict[frozenset[int], list[int]]:
    """The cells by what they have more than a grave."""
    found: dict[frozenset[int], list[int]] = {}
    for cell, digits in further.items():
        found.setdefault(digits, []).append(cell)
    return found


def _one_holds(scene: Scene, further: dict[int, frozenset[int]]) -> str:
    """`r1c9 or r4c6 is 6`, `r1c2 is 3 or r4c2 is 8`."""
    return listed(
        (f"{scene.names(c, OR)} is {numbers(d, OR)}" for d, c in _by_digits(further).items()),
        OR,
    )


def _members(scene: Scene, fuller: list[int]) -> tuple[list[int], str]:
    """Type 3: the cells of the naked set beside the grave, and the house."""
    digits = frozenset(scene.rated.digits)
    for house in scene.shared(fuller):
        seeing = [c for c in _open(scene, house, fuller) if all(scene.see(c, f) for f in fuller)]
        members = [cell for cell in seeing if scene.digits(cell) <= digits]
        others = [cell for cell in seeing if cell not in members]
        struck = {cell: left for cell in others if (left := scene.digits(cell) & digits)}
        if len(members) == len(digits) - 1 and scene.struck == struck:
            return members, house.label
    raise WitnessError(f"{scene.rated.technique}: its set is not found")


def _further(scene: Scene) -> Iterator[dict[int, frozenset[int]]]:
    """By cell of the grave, the digits without which it would be one."""
    cells = scene.rated.cells
    ways = []
    for cell in cells:
        crowded = [
            digit
            for digit in sorted(scene.digits(cell))
            if all(len(scene.with_digit(h.cells, digit)) > 2 for h in scene.shared([cell]))
        ]
        ways.append(list(combinations(crowded, len(scene.digits(cell)) - 2)))
    for way in product(*ways):
        further = dict(zip(cells, map(frozenset, way), strict=True))
        if _is_grave(scene, further):
            yield further


def _is_grave(scene: Scene, further: dict[int, frozenset[int]]) -> bool:
    """Whether each digit has two places or none in each house without these."""
    return all(
        sum(digit not in further.get(cell, ()) for cell in scene.with_digit(house.cells, digit))
        in ((0, 2) if not _is_placed(scene, house, digit) else (1,))
        for house in scene.state.units.houses
        for digit in range(1, 10)
    )


def _is_placed(scene: Scene, house: House, digit: int) -> bool:
    return any(scene.state.placed >> 9 * cell + digit - 1 & 1 for cell in house.cells)
