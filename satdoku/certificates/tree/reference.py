"""The check of proof trees in Python. Sets of variables are integers with a bit for each.

Invariant: it accepts what `c/tree.c` accepts, and was written from the law of trees alone.
"""

from __future__ import annotations

from .formula import Positive
from .rows import CLAIMS, Row, Verdict, numbers

State = tuple[int, int]  # the variables that are not false, and those that are true
COUNTS = {"unique": 1, "none": 0, "multiple": 2}  # solutions of a claim; "all" may have any


class Checker:
    """Checks rows against one formula."""

    def __init__(self, formula: Positive) -> None:
        self.cells, self.digits = formula.cells, formula.digits
        self.clauses = [sum(1 << variable for variable in clause) for clause in formula.clauses]
        self.partners = [0] * formula.variables
        for one, other in formula.pairs:
            self.partners[one] |= 1 << other
            self.partners[other] |= 1 << one
        never = sum(1 << one for one, other in formula.pairs if one == other)
        self.possible = (1 << formula.variables) - 1 & ~never

    def check(self, row: Row) -> Verdict:
        """Whether the row holds."""
        claim, count = CLAIMS.get(row.claim), len(row.solutions)
        if not claim or COUNTS.get(claim, count) != count or (claim == "multiple" and row.tree):
            return Verdict.NO_CLAIM
        if max(row.puzzle) > self.digits:
            return Verdict.NO_PUZZLE
        ascend = sorted({*row.solutions}) == [*row.solutions]
        if not (ascend and all(self._is_model(row.puzzle, grid) for grid in row.solutions)):
            return Verdict.NO_SOLUTION
        return Verdict.HOLDS if claim == "multiple" else self._refute(row)

    def _refute(self, row: Row) -> Verdict:
        splits, names, solutions = list[tuple[State, int]](), numbers(row.tree), {*row.solutions}
        child: State | None = self.begin(row.puzzle)
        while child:
            if state := self.propagate(child):
                if grid := self.solved(state):
                    if grid not in solutions:
                        return Verdict.OPEN
                elif len(splits) == self.cells:
                    return Verdict.TOO_DEEP
                elif (name := next(names, None)) is None:
                    return Verdict.TOO_SHORT
                elif name >= len(self.clauses) or self.clauses[name] & state[1]:
                    return Verdict.NO_CLAUSE
                else:
                    splits.append((state, self.clauses[name]))
            child = self.next_child(splits)
        return Verdict.HOLDS if next(names, None) is None else Verdict.TOO_LONG

    def next_child(self, splits: list[tuple[State, int]]) -> State | None:
        """That of the deepest split that has one left."""
        while splits:
            state, clause = splits.pop()
            if state[0] & clause:
                child, rest = self.take(state, clause)
                splits.append((rest, clause))
                return child
        return None

    def take(self, state: State, clause: int) -> tuple[State, State]:
        """The first variable left of a clause is true in the child, and false in the rest."""
        first = state[0] & clause & -(state[0] & clause)
        return self._assign(state, first), (state[0] & ~first, state[1])

    def begin(self, digits: bytes) -> State:
        """The state in which cells hold these digits, 0 for unknown."""
        state = self.possible, 0
        for cell, digit in enumerate(digits):
            state = self._assign(state, 1 << self.digits * cell + digit - 1) if digit else state
        return state

    def _assign(self, state: State, bit: int) -> State:
        return state[0] & ~self.partners[bit.bit_length() - 1], state[1] | bit

    def propagate(self, state: State) -> State | None:
        """The state with all its consequences; None for a contradiction."""
        before = None
        while state != before:
            before = state
            for clause in self.clauses:
                left = clause & state[0]
                if not left:
                    return None
                if left & (left - 1) == 0 and not clause & state[1]:
                    state = self._assign(state, left)
        return None if state[1] & ~state[0] else state

    def solved(self, state: State) -> bytes | None:
        """The digits of all cells; None if one is not known."""
        true = [clause & state[1] for clause in self.clauses[: self.cells]]
        return bytes((x.bit_length() - 1) % self.digits + 1 for x in true) if all(true) else None

    def _is_model(self, puzzle: bytes, grid: bytes) -> bool:
        kept = all(a in (0, b) and 0 < b <= self.digits for a, b in zip(puzzle, grid, strict=True))
        state = self.propagate(self.begin(grid)) if kept else None
        return state is not None and all(clause & state[1] for clause in self.clauses)
