"""Why a rated step follows, in words: singles, intersections, sets, fish, strong links, wings.

Invariant: a sentence says where the pattern stands, why it works and what therefore leaves, from
the record and the candidates before the step alone; what a record does not name, such as the pivot
of a wing, is found among these. `unique_words` has the patterns that rest on there being one
solution, `chain_words` the chains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product

from ..ratings.step import Step as Rated
from ..runtime.errors import WitnessError
from .chain_words import Told, chain_reason
from .exclusions import exclusions
from .naming import listed, number
from .readings import Mask
from .scene import OR, Link, Scene, lines, numbers
from .unique_words import grave, loop
from .units import House, Units


def sentence(scene: Scene, struck: Mask, told: Sequence[Told]) -> str:
    """`no 5 in r2c2: XY-wing (4.2): r1c1 is 1 or 2. If 1, r1c5 is 5; ...`."""
    start = _head(scene.rated, struck, scene.state.units)
    if told:
        return f"{start}: {chain_reason(scene, told)}"
    return f"{start}: {REASONS.get(scene.rated.technique, _set_wing)(scene)}"


def single_words(rated: Rated, units: Units, houses: Sequence[House]) -> str:
    """`r1c5=7: hidden single (1.2), the only place for 7 in box 2`."""
    start = _head(rated, 0, units)
    assert rated.placed is not None
    cell, digit = divmod(rated.placed, 9)
    if not houses:
        return f"{start}, the only digit left in {units.board.name_of(cell)}"
    if rated.rating == LAST:
        return f"{start}, the last empty cell of {houses[0].label}"
    return f"{start}, the only place for {digit + 1} in {houses[0].label}"


def _head(rated: Rated, struck: Mask, units: Units) -> str:
    """What a step concludes, its technique and its rating."""
    parts = [] if rated.placed is None else [units.name(rated.placed)]
    parts += [exclusions(units, struck)] if struck else []
    return f"{'; '.join(parts)}: {rated.technique} ({rated.rating / 10:.1f})"


def _placed(scene: Scene) -> tuple[int, int]:
    assert scene.rated.placed is not None
    cell, digit = divmod(scene.rated.placed, 9)
    return cell, digit + 1


def _direct_intersection(scene: Scene) -> str:
    cell, digit = _placed(scene)
    (house,), cells = scene.houses, scene.rated.cells
    line, box = scene.shared(cells)
    base, cover = (box, line) if scene.rated.technique == "direct pointing" else (line, box)
    return (
        f"{digit} in {base.label} stands only in {scene.names(cells)}, so no other cell of "
        f"{cover.label} is {digit}, and {house.label} has no place left for it but "
        f"{scene.name(cell)}"
    )


def _intersection(scene: Scene) -> str:
    base, cover = (house.label for house in scene.houses)
    (digit,), cells = scene.rated.digits, scene.rated.cells
    return (
        f"{digit} in {base} stands only in {scene.names(cells)}, "
        f"{'both' if len(cells) == 2 else 'all'} in {cover}, so no other cell of {cover} is {digit}"
    )


def _direct_hidden_set(scene: Scene) -> str:
    cell, digit = _placed(scene)
    (house,), size = scene.houses, "pair" if len(scene.rated.digits) == 2 else "triplet"
    return (
        f"{numbers(scene.rated.digits)} have only {scene.names(scene.rated.cells)} left in "
        f"{house.label} (a hidden {size}), so {digit} has no place left there but "
        f"{scene.name(cell)}"
    )


def _hidden_set(scene: Scene) -> str:
    return (
        f"{numbers(scene.rated.digits)} have only {scene.names(scene.rated.cells)} left in "
        f"{scene.houses[0].label}, so these cells hold nothing else"
    )


def _naked_set(scene: Scene) -> str:
    digits = scene.rated.digits
    return (
        f"{scene.names(scene.rated.cells)} hold only {numbers(digits)}, so no other cell of "
        f"{scene.houses[0].label} is {numbers(digits, OR)}"
    )


def _fish(scene: Scene) -> str:
    (digit,) = scene.rated.digits
    base, cover = lines(scene.houses[::2]), lines(scene.houses[1::2])
    kind = cover.split()[0]
    return (
        f"{digit} in {base} stands only in {cover}, so these take all {digit}s of {cover}, "
        f"and no other cell of these {kind} is {digit}"
    )


def _strong_links(scene: Scene) -> str:
    (digit,) = scene.rated.digits
    links = _linked(scene, digit)
    pairs = [(a.leave, b.enter) for a, b in pairwise(links)]
    outer = (links[0].enter, links[-1].leave)
    where = [f"in {_either(scene, link)} in {link.house.label}" for link in links]
    start = f"{digit} stands {listed(where)}; "
    if all(_seen_by(scene, cell, outer) for cell in scene.struck):
        few = "they are not both" if len(pairs) == 1 else "at most one of each two is"
        met = listed(_meeting(scene, *pair) for pair in pairs)
        seen = "both" if sum(map(len, outer)) == 2 else "all of these"
        return (
            f"{start}{met}, so {few} {digit}, and one of {_ends(scene, outer)} is {digit}: "
            f"no cell that sees {seen} is {digit}"
        )
    pairs.append(outer)
    met = listed(_meeting(scene, *pair) for pair in pairs)
    used = [pair for pair in pairs if any(_seen_by(scene, cell, pair) for cell in scene.struck)]
    each = listed(f"one of {_ends(scene, pair)}" for pair in used)
    such = "all of these" if len(used) == 1 else "both ends of such a pair"
    return (
        f"{start}{met}, which closes a ring, so {each} {'is' if len(used) == 1 else 'are'} "
        f"{digit}: no other cell that sees {such} is {digit}"
    )


def _either(scene: Scene, link: Link) -> str:
    return listed((_end(scene, link.enter), _end(scene, link.leave)), OR)


def _ends(scene: Scene, ends: Sequence[frozenset[int]]) -> str:
    return scene.names(frozenset().union(*ends))


def _end(scene: Scene, end: frozenset[int]) -> str:
    return "/".join(map(scene.name, sorted(end)))


def _meeting(scene: Scene, a: frozenset[int], b: frozenset[int]) -> str:
    return f"{_end(scene, a)} and {_end(scene, b)} share {scene.shared(a | b)[0].label}"


def _seen_by(scene: Scene, cell: int, ends: Sequence[frozenset[int]]) -> bool:
    return all(scene.see(cell, other) for end in ends for other in end)


def _linked(scene: Scene, digit: int) -> list[Link]:
    """The links of the record with their ends in order: each is left by an end that shares a house
    with the next one's first, and what is struck sees both outer ends, or two that meet."""
    ways = [list(_ways(scene, house, digit)) for house in scene.houses]
    for links in product(*ways):
        pairs = [(a.leave, b.enter) for a, b in pairwise(links)]
        if not all(scene.shared(a | b) for a, b in pairs):
            continue
        outer = (links[0].enter, links[-1].leave)
        if scene.shared(outer[0] | outer[1]):
            pairs.append(outer)
        else:
            pairs = [outer]
        if all(any(_seen_by(scene, cell, pair) for pair in pairs) for cell in scene.struck):
            return list(links)
    raise WitnessError(f"{scene.rated.technique}: the ends of its links are not found")


def _ways(scene: Scene, house: House, digit: int) -> Iterator[Link]:
    """The two ends of a link, both ways: each is a cell, or what lies in a crossing house."""
    whole = frozenset(scene.with_digit(house.cells, digit))
    crossing = {whole & set(other.cells) for other in scene.state.units.houses}
    ends = sorted({*crossing, *(frozenset({cell}) for cell in whole)} - {whole}, key=sorted)
    for enter, leave in product(ends, ends):
        if enter | leave == whole:
            yield Link(house, enter, leave)


def _xy_wing(scene: Scene) -> str:
    """The pivot shares a digit with each of the two other cells, which share a third one."""
    pivot, ends = next(_pivots(scene))
    (z,) = next(iter(scene.struck.values()))
    cases = [
        f"if {digit}, {scene.name(end)} is {z}"
        for end in ends
        for digit in sorted(scene.digits(end) - {z})
    ]
    own = scene.digits(pivot)
    start = f"{scene.name(pivot)} is {numbers(own, OR)}. {_capital('; '.join(cases))}"
    if z in own:
        start += f"; else it is {z} itself"
    seen = "all three" if z in own else "both"
    all_places = scene.names([*ends, *([pivot] if z in own else [])])
    return f"{start}. So one of {all_places} is {z}, and no cell that sees {seen} is {z}"


def _pivots(scene: Scene) -> Iterator[tuple[int, list[int]]]:
    (z,) = next(iter(scene.struck.values()))
    for pivot in scene.rated.cells:
        ends = sorted(set(scene.rated.cells) - {pivot})
        others = [scene.digits(end) - {z} for end in ends]
        if not all(scene.see(pivot, end) and scene.holds(end, z) for end in ends):
            continue
        if all(len(some) == 1 for some in others) and frozenset().union(*others) == (
            scene.digits(pivot) - {z}
        ):
            yield pivot, sorted(ends, key=lambda end: sorted(scene.digits(end) - {z}))


def _set_wing(scene: Scene) -> str:
    """Cells that see each other, with a digit more than they are, and a cell of two of these."""
    end, others = next(_ends_of_set(scene))
    digits = frozenset().union(*map(scene.digits, others))
    leaving = frozenset().union(*scene.struck.values())
    for x in sorted(scene.digits(end)):
        (z,) = scene.digits(end) - {x}
        if leaving == {z} and _all_seen(scene, end, others, x):
            places = [*scene.with_digit(others, z), end]
            return (
                f"{scene.name(end)} is {numbers((x, z), OR)}. If {x}, then {scene.names(others)} "
                f"have only {numbers(digits - {x})} left and hold each of these. So one of "
                f"{scene.names(places)} is {z}, and no cell that sees them all is {z}"
            )
    cells, count = scene.rated.cells, number(len(scene.rated.cells))
    return (
        f"the {count} cells {scene.names(cells)} hold only the {count} digits {numbers(digits)}, "
        f"and any two that may hold the same digit see each other. So each digit stands in just "
        f"one of them, and no other cell that sees all its places there holds it"
    )


def _ends_of_set(scene: Scene) -> Iterator[tuple[int, list[int]]]:
    for end in scene.rated.cells:
        others = sorted(set(scene.rated.cells) - {end})
        digits = frozenset().union(*map(scene.digits, others))
        pair = scene.digits(end)
        if pair != set(scene.rated.digits) or not pair < digits or len(digits) != len(others) + 1:
            continue
        if all(scene.see(a, b) for a in others for b in others if a < b) and any(
            _all_seen(scene, end, others, x) for x in pair
        ):
            yield end, others


def _all_seen(scene: Scene, end: int, others: Sequence[int], digit: int) -> bool:
    return all(scene.see(end, cell) for cell in scene.with_digit(others, digit))


def _aligned(scene: Scene) -> str:
    """Of each digit that leaves: what the other cells' digits do with it."""
    told = [
        _alone(scene, cell, digit)
        for cell, digits in sorted(scene.struck.items())
        for digit in sorted(digits)
    ]
    return "; ".join(told)


def _alone(scene: Scene, cell: int, digit: int) -> str:
    """Why a digit of an aligned cell goes with no digits of the others."""
    others = sorted(set(scene.rated.cells) - {cell})
    if len(others) == 1:
        return _of_pair(scene, cell, digit, others[0])
    emptied: dict[int, None] = {}
    for digits in product(*(sorted(scene.digits(other)) for other in others)):
        given = dict(zip((cell, *others), (digit, *digits), strict=True))
        if not _clash(scene, given):
            emptied[_emptied(scene, given)] = None
    which = listed((_with_digits(scene, other) for other in sorted(emptied)), OR)
    return (
        f"with {digit} in {scene.name(cell)}, each choice of digits for {scene.names(others)} "
        f"takes the last one of {which}"
    )


def _of_pair(scene: Scene, cell: int, digit: int, other: int) -> str:
    cases = []
    for second in sorted(scene.digits(other)):
        given = {cell: digit, other: second}
        if not _clash(scene, given):
            empty = _emptied(scene, given)
            cases.append(f"{second} takes the last one of {_with_digits(scene, empty)}")
    if scene.holds(other, digit) and scene.see(cell, other):
        cases.append(f"{digit} is taken")
    start = f"with {digit} in {scene.name(cell)}, {scene.name(other)} has no digit"
    return f"{start}: {', '.join(cases)}"


def _with_digits(scene: Scene, cell: int) -> str:
    return f"{scene.name(cell)} ({', '.join(map(str, sorted(scene.digits(cell))))})"


def _clash(scene: Scene, given: dict[int, int]) -> bool:
    """Whether two of the cells that see each other have the same digit."""
    return any(a < b and given[a] == given[b] and scene.see(a, b) for a in given for b in given)


def _emptied(scene: Scene, given: dict[int, int]) -> int:
    """A cell that sees all the given ones and has no other digits than theirs."""
    used = frozenset(given.values())
    for cell in range(81):
        left = scene.digits(cell)
        if left and left <= used and all(scene.see(cell, other) for other in given):
            return cell
    raise WitnessError(f"{scene.rated.technique}: {scene.names(given)} exclude nothing")


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


LAST = 10  # tenths: the rating of a house's last empty cell

REASONS: dict[str, Callable[[Scene], str]] = {
    "direct pointing": _direct_intersection,
    "direct claiming": _direct_intersection,
    "direct hidden pair": _direct_hidden_set,
    "direct hidden triplet": _direct_hidden_set,
    "pointing": _intersection,
    "claiming": _intersection,
    "naked pair": _naked_set,
    "naked triplet": _naked_set,
    "naked quad": _naked_set,
    "hidden pair": _hidden_set,
    "hidden triplet": _hidden_set,
    "hidden quad": _hidden_set,
    "X-wing": _fish,
    "swordfish": _fish,
    "jellyfish": _fish,
    "skyscraper": _strong_links,
    "two-string kite": _strong_links,
    "two strong links": _strong_links,
    "three strong links": _strong_links,
    "four strong links": _strong_links,
    "XY-wing": _xy_wing,
    "XYZ-wing": _xy_wing,
    "unique rectangle": loop,
    "unique loop": loop,
    "BUG": grave,
    "aligned pair exclusion": _aligned,
    "aligned triplet exclusion": _aligned,
}
