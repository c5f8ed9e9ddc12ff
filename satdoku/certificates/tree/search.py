"""Proof trees by search, in Python.

Invariant: they have the same bytes as those of `c/make.c`.
"""

from __future__ import annotations

from bisect import insort

from .reference import Checker, State


def make(
    checker: Checker, puzzle: bytes, most: int, room: int
) -> tuple[list[bytes], bytes | None] | None:
    """The solutions of a puzzle, ascending, and the tree that shows that there are no others.

    No tree if there are more than `most`, of which most + 1 are found; None if it would be longer
    than `room` bytes or deeper than the board has cells.
    """
    solutions: list[bytes] = []
    splits: list[tuple[State, int]] = []
    tree = bytearray()
    state = checker.begin(puzzle)
    while True:
        if state and checker.propagate(state):
            if digits := checker.solved(state):
                insort(solutions, digits)
                if len(solutions) > most:
                    return solutions, None
            else:
                splits.append((state, _choose(checker, state)))
                tree += _bytes(splits[-1][1])
                if len(splits) > checker.cells or len(tree) > room:
                    return None
        while splits and not splits[-1][0][0][splits[-1][1]]:
            splits.pop()
        if not splits:
            return solutions, bytes(tree)
        state = checker.take(*splits[-1])


def _choose(checker: Checker, state: State) -> int:
    """The open clause to split: of the cells with two digits left the one whose digits do most; or
    else the first other clause with two literals; or else the first cell with the fewest digits."""
    left, is_open = state
    pairs = [at for at, rest in enumerate(left) if is_open[at] and len(rest) == 2]
    cells = [at for at in pairs if at < checker.cells]
    if not pairs:
        cells = [at for at in range(checker.cells) if is_open[at]]
        return min(cells, key=lambda at: len(left[at]))
    if not cells:
        return pairs[0]
    wanted = {*cells}

    def effect(variable: int) -> int:
        lost = {
            clause
            for partner in checker.partners[variable]
            for clause in checker.clauses[partner]
            if clause in wanted and partner in left[clause]
        }
        return 1 + len(lost)

    return max(cells, key=lambda at: effect(left[at][0]) * effect(left[at][1]))


def _bytes(clause: int) -> bytes:
    """The number of a clause: seven bits a byte, the lowest first."""
    parts = bytearray()
    while clause > 127:
        parts.append(clause % 128 + 128)
        clause //= 128
    return bytes([*parts, clause])
