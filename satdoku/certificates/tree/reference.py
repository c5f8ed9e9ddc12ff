"""The check of proof trees in Python: what `c/tree.c` does, from its law alone."""

from __future__ import annotations

from bisect import bisect_left

from .formula import Positive
from .rows import CLAIMS, Row, Verdict

State = tuple[list[list[int]], list[bool]]  # of each clause what is not false, and if none is true
HIGH = 1 << 28  # more than any clause


class Checker:
    """Checks rows against one formula."""

    def __init__(self, formula: Positive) -> None:
        self.formula, self.cells, self.digits = formula, formula.cells, formula.digits
        self.clauses: list[list[int]] = [[] for _ in range(formula.variables)]
        self.partners: list[list[int]] = [[] for _ in range(formula.variables)]
        for number, clause in enumerate(formula.clauses):
            for variable in clause:
                self.clauses[variable].append(number)
        for one, other in formula.pairs:
            self.partners[one].append(other)
            self.partners[other].append(one)
        self.start: State = [*map(list, formula.clauses)], [True] * len(formula.clauses)
        for one, other in formula.pairs:
            if one == other:
                self.deny(self.start, one)

    def check(self, row: Row) -> Verdict:
        """Whether the row holds."""
        count = len(row.solutions)
        if CLAIMS.get(row.claim) not in ("all", ("none", "unique", "multiple", "")[min(count, 3)]):
            return Verdict.NO_CLAIM
        is_multiple = CLAIMS[row.claim] == "multiple"
        if is_multiple and row.tree:
            return Verdict.NO_CLAIM
        if max(row.puzzle) > self.digits:
            return Verdict.NO_PUZZLE
        ascend = sorted({*row.solutions}) == [*row.solutions]
        if not (ascend and all(self._is_model(row.puzzle, grid) for grid in row.solutions)):
            return Verdict.NO_SOLUTION
        return Verdict.HOLDS if is_multiple else self._refute(row)

    def _refute(self, row: Row) -> Verdict:
        splits: list[tuple[State, int]] = []
        state, at = self.begin(row.puzzle), 0
        while True:
            if state and self.propagate(state):
                digits = self.solved(state)
                if digits:
                    place = bisect_left(row.solutions, digits)
                    if row.solutions[place : place + 1] != (digits,):
                        return Verdict.OPEN
                elif len(splits) == self.cells:
                    return Verdict.TOO_DEEP
                elif at == len(row.tree):
                    return Verdict.TOO_SHORT
                else:
                    clause, at = _number(row.tree, at)
                    if clause >= len(state[0]) or not state[1][clause]:
                        return Verdict.NO_CLAUSE
                    splits.append((state, clause))
            while splits and not splits[-1][0][0][splits[-1][1]]:
                splits.pop()
            if not splits:
                return Verdict.HOLDS if at == len(row.tree) else Verdict.TOO_LONG
            state = self.take(*splits[-1])

    def take(self, rest: State, clause: int) -> State:
        """The child in which the first variable left of a clause is true; in the rest it is not."""
        child, variable = ([*map(list, rest[0])], [*rest[1]]), rest[0][clause][0]
        self.deny(rest, variable)
        self.assign(child, variable)
        return child

    def begin(self, digits: bytes) -> State | None:
        """The state in which cells hold these digits, 0 for unknown; None if they cannot."""
        state = [*map(list, self.start[0])], [*self.start[1]]
        given = (self.digits * at + digit - 1 for at, digit in enumerate(digits) if digit)
        return state if all(self.assign(state, variable) for variable in given) else None

    def assign(self, state: State, variable: int) -> bool:
        """Make a variable true; False if it is false."""
        clauses = self.clauses[variable]
        if not clauses or variable not in state[0][clauses[0]]:
            return False
        for clause in clauses:
            state[1][clause] = False
        for partner in self.partners[variable]:
            self.deny(state, partner)
        return True

    def deny(self, state: State, variable: int) -> None:
        """Make a variable false."""
        for clause in self.clauses[variable]:
            if variable in state[0][clause]:
                state[0][clause].remove(variable)

    def propagate(self, state: State) -> bool:
        """Draw all consequences; False if a clause has nothing left."""
        left, is_open = state
        while all(left):
            units = [at for at, rest in enumerate(left) if is_open[at] and len(rest) == 1]
            if not units:
                return True
            for at in units:
                if is_open[at] and not (left[at] and self.assign(state, left[at][0])):
                    return False
        return False

    def solved(self, state: State) -> bytes | None:
        """The digits of all cells; None if one is not known."""
        if any(state[1][: self.cells]):
            return None
        return bytes(rest[0] % self.digits + 1 for rest in state[0][: self.cells])

    def _is_model(self, puzzle: bytes, grid: bytes) -> bool:
        keeps = all(given in (0, digit) for given, digit in zip(puzzle, grid, strict=True))
        if not (keeps and min(grid) and max(grid) <= self.digits):
            return False
        state = self.begin(grid)
        return bool(state and self.propagate(state) and not any(state[1]))


def _number(tree: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, the lowest first, and where it ends; HIGH if it does not."""
    number = 0
    for place, byte in enumerate(tree[at : at + 4]):
        number |= (byte & 127) << 7 * place
        if byte < 128:
            return number, at + place + 1
    return HIGH, len(tree)
