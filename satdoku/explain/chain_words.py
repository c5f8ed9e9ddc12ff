"""Why a rated chain's conclusion follows, in words.

Invariant: a sentence says what the strands start from and what all of them end in, then tells each
from its assumption to its end, `r1c1=5 gives r1c9≠5 (row 1), r3c9=5 (box 3), so ...`. Where links
depend on several others, a strand tells the digits that it places, each with its cell or house, and
what patterns within it strike: the candidates that leave follow from these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ..ratings.step import Node
from .naming import listed
from .scene import OR, Scene, numbers
from .units import House

Key = tuple[int, bool]  # a candidate, and whether it holds
Told = dict[Key, str]  # what is said of each node of a strand, from its assumption to its end


def chain_reason(scene: Scene, told: Sequence[Told]) -> str:
    """The sentence of a chain."""
    technique = scene.rated.technique
    if technique.startswith("bidirectional"):
        return _cycle(scene, told[0])
    if len(told) == 1:
        return _back_to_itself(scene, told[0])
    if technique in ("nishio forcing chain", "contradiction forcing chain"):
        return _contradiction(scene, told)
    return _agreement(scene, told)


def _cycle(scene: Scene, told: Told) -> str:
    first, *others = told.values()
    pairs = listed(f"{digit} is in {places}" for digit, places in _held(scene, told))
    return (
        f"one of the two ways round this cycle is true: {first} gives {', '.join(others)}, and "
        f"{first} again; the other way {_denied(first)} gives the opposite of each. "
        f"Either way {pairs}"
    )


def _denied(phrase: str) -> str:
    """The opposite of a candidate that is said to hold, or to leave."""
    return phrase.replace("=", "≠") if "=" in phrase else phrase.replace("≠", "=")


def _held(scene: Scene, told: Told) -> Iterator[tuple[int, str]]:
    """What the cycle holds either way: a digit, in one of two cells that see what it strikes."""
    nodes, seen = list(told), set()
    for cell, digits in scene.struck.items():
        for digit in digits:
            places = [(c // 9, holds) for c, holds in nodes if c % 9 + 1 == digit]
            a, b = next(
                (a, b)
                for (a, holds), (b, other) in combinations(places, 2)
                if holds != other and scene.see(a, cell) and scene.see(b, cell)
            )
            seen.add((digit, scene.names((a, b), OR)))
    yield from sorted(seen)


def _back_to_itself(scene: Scene, told: Told) -> str:
    candidate, holds = next(iter(told))
    name, digit = scene.name(candidate // 9), candidate % 9 + 1
    start = "would exclude itself" if holds else "follows even if denied"
    return f"{digit} in {name} {start}: {_strand(scene, 0, told)}"


def _contradiction(scene: Scene, told: Sequence[Told]) -> str:
    one, other = told
    first, (end, _) = next(iter(one.values())).split(" ")[0], next(reversed(one))
    cell, digit = scene.name(end // 9), end % 9 + 1
    return (
        f"{first} would make {cell} both {digit} and not {digit}: {_strand(scene, 0, one)}; "
        f"{_strand(scene, 1, other, set(one))}"
    )


def _agreement(scene: Scene, told: Sequence[Told]) -> str:
    end = next(reversed(told[0].values())).split(" ")[0]
    starts = [next(iter(each)) for each in told]
    candidates = [candidate for candidate, _ in starts]
    cells = [candidate // 9 for candidate in candidates]
    digits = [candidate % 9 + 1 for candidate in candidates]
    if scene.rated.technique == "double forcing chain":
        lead = f"whether {scene.name(cells[0])} is {digits[0]} or not, it follows that {end}"
    elif scene.rated.technique == "cell forcing chain":
        lead = f"{scene.name(cells[0])} is {numbers(digits, OR)}, and each leads to {end}"
    else:
        where = _origin(scene, cells, digits[0]).label
        place = f"{digits[0]} in {where} stands in {scene.names(cells, OR)}"
        lead = f"{place}, and each leads to {end}"
    strands = (_strand(scene, number, strand) for number, strand in enumerate(told))
    return f"{lead}: {'; '.join(strands)}"


def _origin(scene: Scene, cells: Sequence[int], digit: int) -> House:
    """The house in which a digit has just these places."""
    places = sorted(cells)
    return next(h for h in scene.shared(cells) if scene.with_digit(h.cells, digit) == places)


def _strand(scene: Scene, number: int, told: Told, known: set[Key] | None = None) -> str:
    """A strand from its assumption to its end, without what is known already."""
    first, *_ = told.values()
    phrases = _phrases(scene.rated.strands[number], told, known or set())
    *others, last = phrases
    also = "also " if known else ""
    return (
        f"{first} {also}gives {', '.join(others)}, so {last}"
        if others
        else (f"{first} {also}gives {last}")
    )


def _phrases(strand: Sequence[Node], told: Told, known: set[Key]) -> list[str]:
    """What to tell of a strand after its assumption."""
    nodes = {(node.candidate, node.holds): node for node in strand}
    is_plain = all(len(node.parents) < 2 for node in strand)
    (_, *keys), end = told, next(reversed(told))
    return [
        told[key]
        for key in keys
        if key == end
        or (key not in known and (is_plain or key[1] or nodes[key].cause == "pattern"))
    ]
