"""How hard a step is, on one table for all rule sets.

Invariant: the ladder takes the easiest step that it knows of, by these numbers; a technique that
Sudoku Explainer has keeps its number.

What clues say stands among them by how much a person has to look at: the open cells of the clue,
the cells of a sum, the length of a chain. VERSION changes with every number.

Chains of houses alone have the numbers of Sudoku Explainer's of the same kind and length; a chain
in which a clue strikes is rated by how much there is to follow.
"""

from __future__ import annotations

from bisect import bisect_left

VERSION = 2

# Techniques of Sudoku Explainer, with its ratings.
LAST_DIGIT, HIDDEN_BOX, HIDDEN_LINE, NAKED_SINGLE = 1.0, 1.2, 1.5, 2.3
POINTING, CLAIMING = 2.6, 2.8
NAKED = {2: 3.0, 3: 3.6, 4: 5.0}  # by the number of cells
HIDDEN = {2: 3.4, 3: 4.0, 4: 5.4}
FISH = {2: 3.2, 3: 3.8, 4: 5.2}  # by the number of lines
DIRECT_POINTING, DIRECT_CLAIMING = 1.7, 1.9  # with the hidden single that follows
DIRECT = {"pointing": DIRECT_POINTING, "claiming": DIRECT_CLAIMING}
DIRECT_HIDDEN = {2: 2.0, 3: 2.5}
STRONG_LINKS = {2: 4.0, 3: 5.4, 4: 5.8}  # of one digit, by their number
MORE_KINDS = 0.1  # for boxes among their houses; the same for both rows and columns
GROUPED = 0.3  # if places in one line of a box count as one
WINGS = {  # by the number of cells and the digits of the fullest
    3: {2: 4.2, 3: 4.4},
    4: {2: 5.5, 3: 5.6, 4: 5.5},
    5: {2: 6.3, 3: 6.4, 4: 6.3, 5: 6.2},
    6: dict.fromkeys(range(2, 7), 6.6),
    7: dict.fromkeys(range(2, 8), 7.5),
}
ONE_DIGIT, MIXED, NISHIO, MULTIPLE, DYNAMIC = 6.6, 7.0, 7.5, 8.0, 8.5  # of the shortest

# What it has not.
HIDDEN_OTHER = 1.6  # the only place in a house that is no box, row or column
COMMON_PEERS = 2.9  # what all places of a digit exclude, by two units or more
HELD = 2.9  # the same of a digit that a clue must hold
WING = 3  # what becomes true, or is struck by a clue, in chains as short as wings
CHAIN, LONG_CHAIN, LONGEST_CHAIN = 4.2, 6.5, 7.4
CONTRADICTION = NISHIO
BY_HOUSES, BY_CASES = 8.5, 9.0  # the same with more to look at
LONGER = sorted(first << doublings for first in (4, 6) for doublings in range(12))
MOST = 9.9  # of a chain
CONTRADICTIONS = {  # with the rating of the shortest, if more than cells and houses have a say
    "contradiction": CONTRADICTION,
    "contradiction by houses": BY_HOUSES,
    "contradiction by cases": BY_CASES,
}
BEYOND, BEYOND_NAME = 10.0, "beyond these levels"  # a step that no technique finds

# The least and the most of each technique that steps may have; None: as much as it takes.
RANGES: dict[str, tuple[float, float | None]] = {
    "hidden single": (LAST_DIGIT, HIDDEN_OTHER),
    "clue alone": (1.6, 3.0),
    "direct pointing": (DIRECT_POINTING, DIRECT_POINTING),
    "direct claiming": (DIRECT_CLAIMING, DIRECT_CLAIMING),
    "direct hidden pair": (DIRECT_HIDDEN[2], DIRECT_HIDDEN[2]),
    "naked single": (NAKED_SINGLE, NAKED_SINGLE),
    "direct hidden triplet": (DIRECT_HIDDEN[3], DIRECT_HIDDEN[3]),
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
    "forcing chain": (STRONG_LINKS[2], MOST),
    "XY-wing": (WINGS[3][2], WINGS[3][2]),
    "XYZ-wing": (WINGS[3][3], WINGS[3][3]),
    "WXYZ-wing": (WINGS[4][2], WINGS[4][3]),
    "VWXYZ-wing": (WINGS[5][5], WINGS[5][3]),
    "UVWXYZ-wing": (WINGS[6][2], WINGS[6][2]),
    "TUVWXYZ-wing": (WINGS[7][2], WINGS[7][2]),
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


def of_length(least: float, nodes: int) -> float:
    """A chain of so many nodes of a kind whose shortest have this rating."""
    return min(MOST, round(least + 0.1 * bisect_left(LONGER, nodes - 2), 1))
