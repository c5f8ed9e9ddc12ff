"""A step of a rated solution: what it places and strikes, its pattern, and its chains.

Invariant: a step is a record of plain numbers, the same from both implementations. A node's parents
come after it in its strand, except that the last node of a cycle comes from the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

# Names by number, in the order in which the techniques are tried.
TECHNIQUES = (
    "hidden single", "hidden single", "direct pointing", "direct claiming", "direct hidden pair",
    "naked single", "direct hidden triplet", "pointing", "claiming", "naked pair", "X-wing",
    "hidden pair", "naked triplet", "swordfish", "hidden triplet", "skyscraper", "two-string kite",
    "two strong links", "XY-wing", "XYZ-wing", "unique rectangle", "unique loop", "naked quad",
    "jellyfish", "hidden quad", "three strong links", "WXYZ-wing", "BUG", "four strong links",
    "VWXYZ-wing", "aligned pair exclusion", "UVWXYZ-wing", "bidirectional X-cycle",
    "bidirectional Y-cycle", "bidirectional cycle", "forcing X-chain", "forcing chain",
    "TUVWXYZ-wing", "aligned triplet exclusion", "nishio forcing chain", "cell forcing chain",
    "region forcing chain", "double forcing chain", "contradiction forcing chain",
)  # fmt: skip
CAUSES = ("assumed", "cell", "box", "row", "column", "pattern")


@dataclass(frozen=True)
class Node:
    """A candidate that holds (or, if not `holds`, leaves) because of its parents.

    cause: why, one of CAUSES: the last digit of the cell or the last place of the box, row or
    column if it holds; what it shares with its parent if it leaves; or a pattern. parents: numbers
    of nodes in the strand.
    """

    candidate: int
    holds: bool
    cause: str
    parents: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """One step. Candidates are 9 * cell + digit - 1, cells 0 to 80, digits 1 to 9; houses 0 to 8
    are boxes, 9 to 17 rows, 18 to 26 columns.

    level: of a loop or BUG its type, 1 to 4; of a chain 0, or 1 if it uses patterns, 2 to 4 if it
    uses chains. rating: in tenths. placed: a candidate, or None. cells, digits, houses: the
    pattern. strands: the chains, one for each assumption, each from its end backwards.
    """

    technique: str
    level: int
    rating: int
    placed: int | None
    struck: tuple[int, ...]
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    houses: tuple[int, ...]
    strands: tuple[tuple[Node, ...], ...]


def decode(numbers: Sequence[int]) -> Iterator[Step]:
    """The steps that C wrote as numbers; satdoku/ratings/c/record.h has their order."""
    at = 0
    while at < len(numbers):
        is_short = not numbers[at + 4] and not numbers[at + 5]  # nothing struck, no cells: a single
        if is_short and not numbers[stop := at + 8 + numbers[at + 7]]:
            yield _short(tuple(numbers[at : stop + 1]))
            at = stop + 1
        else:
            step, at = _step(numbers, at)
            yield step


@lru_cache(maxsize=4096)
def _short(numbers: tuple[int, ...]) -> Step:
    """A step without cells and chains: the same object wherever it is taken."""
    return _step(numbers, 0)[0]


def _step(numbers: Sequence[int], at: int) -> tuple[Step, int]:
    """The step that begins at a place, and the place behind it."""
    technique, level, rating, placed = numbers[at : at + 4]
    struck, at = _counted(numbers, at + 4)
    cells, at = _counted(numbers, at)
    bits = numbers[at]
    houses, at = _counted(numbers, at + 1)
    digits = tuple(digit for digit in range(1, 10) if bits >> (digit - 1) & 1)
    strands = []
    count, at = numbers[at], at + 1
    for _ in range(count):
        strand, at = _strand(numbers, at)
        strands.append(strand)
    name, place = TECHNIQUES[technique], placed if placed >= 0 else None
    step = Step(name, level, rating, place, struck, cells, digits, houses, tuple(strands))
    return step, at


def _counted(numbers: Sequence[int], at: int) -> tuple[tuple[int, ...], int]:
    """As many numbers as the one at a place says, and the place behind them."""
    end = at + 1 + numbers[at]
    return tuple(numbers[at + 1 : end]), end


def _strand(numbers: Sequence[int], at: int) -> tuple[tuple[Node, ...], int]:
    nodes = []
    count, at = numbers[at], at + 1
    for _ in range(count):
        candidate, holds, cause = numbers[at : at + 3]
        parents, at = _counted(numbers, at + 3)
        nodes.append(Node(candidate, bool(holds), CAUSES[cause], parents))
    return tuple(nodes), at
