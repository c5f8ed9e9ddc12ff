"""How hard a step is, on one table for all rule sets.

Invariant: the ladder takes the easiest step that it knows of, by these numbers; a technique that
Sudoku Explainer has keeps its number.

What clues say stands among them by how much a person has to look at: the open cells of the clue,
the cells of a sum, the length of a chain. VERSION changes with every number.
"""

from __future__ import annotations

VERSION = 2

# Techniques of Sudoku Explainer, with its ratings.
LAST_DIGIT, HIDDEN_BOX, HIDDEN_LINE, NAKED_SINGLE = 1.0, 1.2, 1.5, 2.3
POINTING, CLAIMING = 2.6, 2.8
NAKED = {2: 3.0, 3: 3.6, 4: 5.0}  # by the number of cells
HIDDEN = {2: 3.4, 3: 4.0, 4: 5.4}
FISH = {2: 3.2, 3: 3.8, 4: 5.2}  # by the number of lines

# What it has not.
HIDDEN_OTHER = 1.6  # the only place in a house that is no box, row or column
COMMON_PEERS = 2.9  # what all places of a digit exclude, by two units or more
HELD = 2.9  # the same of a digit that a clue must hold
WING = 3  # what becomes true, or is struck by a clue, in chains as short as wings
CHAIN, LONG_CHAIN, LONGEST_CHAIN = 4.2, 6.5, 7.4
CONTRADICTION = 7.5  # of the shortest
BY_HOUSES, BY_CASES = 8.5, 9.0  # the same with more to look at
MOST = 9.9  # below what no technique finds
SEARCHED = {  # the techniques that look for chains, with the rating of their shortest
    "forcing chain": CHAIN,
    "contradiction": CONTRADICTION,
    "contradiction by houses": BY_HOUSES,
    "contradiction by cases": BY_CASES,
}
BEYOND, BEYOND_NAME = 10.0, "beyond these levels"  # a step that no technique finds

# The least and the most of each technique that steps may have; None: as much as it takes.
RANGES: dict[str, tuple[float, float | None]] = {
    "hidden single": (LAST_DIGIT, HIDDEN_OTHER),
    "clue": (1.6, 3.0),
    "naked single": (NAKED_SINGLE, NAKED_SINGLE),
    "pointing": (POINTING, POINTING),
    "locked candidates": (POINTING, POINTING),
    "claiming": (CLAIMING, CLAIMING),
    "innies": (2.8, 5.0),
    "outies": (2.8, 5.0),
    "innies and outies": (2.8, 5.0),
    "equal sums": (2.8, 5.0),
    "sums": (2.8, 5.0),
    "common peers": (COMMON_PEERS, None),
    "held digit": (HELD, None),
    "naked pair": (NAKED[2], NAKED[2]),
    "X-wing": (FISH[2], FISH[2]),
    "hidden pair": (HIDDEN[2], HIDDEN[2]),
    "naked triplet": (NAKED[3], NAKED[3]),
    "swordfish": (FISH[3], FISH[3]),
    "hidden triplet": (HIDDEN[3], HIDDEN[3]),
    "forcing chain": (CHAIN, LONGEST_CHAIN),
    "naked quad": (NAKED[4], NAKED[4]),
    "jellyfish": (FISH[4], FISH[4]),
    "hidden quad": (HIDDEN[4], HIDDEN[4]),
    "contradiction": (CONTRADICTION, MOST),
    "contradiction by houses": (BY_HOUSES, MOST),
    "contradiction by cases": (BY_CASES, MOST),
    BEYOND_NAME: (BEYOND, BEYOND),
}


def of_clue(cells: int) -> float:
    """What a clue says of so many open cells."""
    return min(3.0, round(1.6 + 0.2 * cells, 1))


def of_total(cells: int, houses: int) -> float:
    """What houses and clues together say of the sum of so many cells."""
    return min(5.0, round(2.5 + 0.3 * cells + 0.2 * (houses - 1), 1))


def of_chain(cost: int) -> float:
    """A forcing chain in which so many candidates become true, or are struck by a clue."""
    if cost <= WING:
        return round(CHAIN + 0.2 * max(0, cost - 1), 1)
    return min(LONGEST_CHAIN, round(LONG_CHAIN + 0.1 * (cost - WING - 1), 1))


def of_contradiction(nodes: int, least: float = CONTRADICTION) -> float:
    """A contradiction of so many nodes, `least` if they are few; they are counted as Sudoku
    Explainer counts those of chains."""
    added, ceiling, is_odd = 0.0, 4, False
    while nodes - 2 > ceiling:
        added += 0.1
        ceiling = ceiling * 4 // 3 if is_odd else ceiling * 3 // 2
        is_odd = not is_odd
    return min(MOST, round(least + added, 1))
