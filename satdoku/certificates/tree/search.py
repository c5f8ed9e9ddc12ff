"""Proof trees by search, in Python.

Invariant: they have the same bytes as those of `c/make.c`.
"""

from __future__ import annotations

from bisect import insort

from .reference import Checker, State


def make(
    checker: Checker, puzzle: bytes, most: int, room: int, short: bool
) -> tuple[list[bytes], bytes | None] | None:
    """The solutions of a puzzle, ascending, and the tree that shows that there are no others.

    No tree if there are more than `most`, of which most + 1 are found; None if it would be longer
    than `room` bytes or deeper than the board has cells. short: look ahead.
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
                choose = _look_ahead if short else _choose
                splits.append((state, choose(checker, state)))
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
    else the first other clause with two candidates; or else the first cell with the fewest digits;
    or else the first clause."""
    left, is_open = state
    candidates = checker.cells * checker.digits
    open_pairs = (at for at, rest in enumerate(left) if is_open[at] and len(rest) == 2)
    pairs = [at for at in open_pairs if checker.formula.clauses[at][-1] < candidates]
    cells = [at for at in pairs if at < checker.cells]
    if not pairs:
        cells = [at for at in range(checker.cells) if is_open[at]]
        return min(cells, key=lambda at: len(left[at])) if cells else is_open.index(True)
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


def _look_ahead(checker: Checker, state: State) -> int:
    """The cell with two or three digits left whose split costs least; or else what `_choose` does.

    A split costs as if the bytes of a tree doubled with every `step` open clauses.
    """
    left, is_open = state
    step = sum(is_open) // 24 + 16

    def cost(cell: int) -> int:
        rest, total = ([*map(list, left)], [*is_open]), 0
        while rest[0][cell]:
            child = checker.take(rest, cell)
            if checker.propagate(child):
                times, more = divmod(sum(child[1]), step)
                total += (step + more) << times
        return total

    cells = [at for at in range(checker.cells) if is_open[at] and len(left[at]) in (2, 3)]
    return min(cells, key=cost) if cells else _choose(checker, state)


def _bytes(clause: int) -> bytes:
    """The number of a clause: seven bits a byte, the lowest first."""
    parts = bytearray()
    while clause > 127:
        parts.append(clause % 128 + 128)
        clause //= 128
    return bytes([*parts, clause])
