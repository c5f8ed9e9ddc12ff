"""Proof trees by search, in Python.

Invariant: they have the same bytes as those of `c/search.h`.
"""

from __future__ import annotations

from bisect import insort

from .reference import Checker, State
from .rows import number_bytes


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
    child: State | None = checker.begin(puzzle)
    while child:
        if state := checker.propagate(child):
            if digits := checker.solved(state):
                insort(solutions, digits)
                if len(solutions) > most:
                    return solutions, None
            else:
                clause = (_look_ahead if short else _choose)(checker, state)
                splits.append((state, checker.clauses[clause]))
                tree += number_bytes(clause)
                if len(splits) > checker.cells or len(tree) > room:
                    return None
        child = checker.next_child(splits)
    return solutions, bytes(tree)


def _choose(checker: Checker, state: State) -> int:
    """The open clause to split: of the cells with two digits left the one whose digits do most; or
    else the first other clause with two candidates; or else the first cell with the fewest digits;
    or else the first clause."""
    possible, true = state
    every = enumerate(checker.clauses)
    left = {at: clause & possible for at, clause in every if not clause & true}
    candidates = checker.cells * checker.digits
    twos = (at for at, rest in left.items() if rest.bit_count() == 2)
    pairs = [at for at in twos if checker.clauses[at] >> candidates == 0]
    cells = [at for at in pairs if at < checker.cells]
    if not pairs:
        cells = [at for at in left if at < checker.cells]
        return min(cells, key=lambda at: left[at].bit_count()) if cells else min(left)
    if not cells:
        return pairs[0]

    def effect(bit: int) -> int:
        partners = checker.partners[bit.bit_length() - 1]
        return 1 + sum(1 for at in cells if left[at] & partners)

    def score(at: int) -> int:
        low = left[at] & -left[at]
        return effect(low) * effect(left[at] ^ low)

    return max(cells, key=score)


def _look_ahead(checker: Checker, state: State) -> int:
    """The cell with two or three digits left whose split costs least; or else what `_choose` does.

    A split costs as if the bytes of a tree doubled with every `step` open clauses.
    """
    step = _open_clauses(checker, state) // 24 + 16

    def cost(clause: int) -> int:
        rest, total = state, 0
        while rest[0] & clause:
            child, rest = checker.take(rest, clause)
            if after := checker.propagate(child):
                times, more = divmod(_open_clauses(checker, after), step)
                total += (step + more) << times
        return total

    cells = enumerate(checker.clauses[: checker.cells])
    costs = {
        at: cost(clause)
        for at, clause in cells
        if not clause & state[1] and (clause & state[0]).bit_count() in (2, 3)
    }
    return min(costs, key=costs.__getitem__) if costs else _choose(checker, state)


def _open_clauses(checker: Checker, state: State) -> int:
    return sum(1 for clause in checker.clauses if not clause & state[1])
