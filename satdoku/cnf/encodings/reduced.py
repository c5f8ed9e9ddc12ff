"""The reduction by givens: the extended encoding without what the puzzle's givens settle.

Source: G. Kwon and H. Jain, Optimized CNF Encoding for Sudoku Puzzles, LPAR 2006 (short paper). The
candidate of a given is true, and the candidates that it excludes are false. Satisfied clauses and
false literals are removed. Only the remaining candidates are variables, numbered in the candidates'
order. This is one step of unit propagation, not its fixpoint. The remaining clauses are distinct.

Invariant: the formula belongs to one puzzle; you may also query it for puzzles that add givens to
this puzzle. Without givens it equals the extended encoding. If two givens clash, the formula forces
a variable to be both true and false, because an empty clause makes some solvers crash.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from textwrap import wrap

from .formula import (
    NEVER,
    Clause,
    ClauseFamily,
    CodedFormula,
    EncodingError,
    Formula,
    candidate_in_words,
)


class ReducedFormula(CodedFormula):
    """A CNF whose variables 1, 2, ... are the candidates that the givens leave open, in order."""

    def literals(self, cells: bytes) -> list[int]:
        """As in `Formula`; raises `EncodingError` unless the cells contain the built-in givens."""
        if any(
            given not in (0, digit) for given, digit in zip(self.puzzle or b"", cells, strict=True)
        ):
            raise EncodingError("this formula was reduced for another puzzle: encode this one")
        return super().literals(cells)

    def legend(self) -> tuple[str, ...]:
        codes = self.codes[: self.constraints.variables]
        open_ones = (number for number, code in enumerate(codes) if code not in ((), NEVER))
        names = " ".join(candidate_in_words(self.constraints, each, True) for each in open_ones)
        return (
            f"variables 1 to {self.named} are the candidates that the givens leave open, in order:",
            *(f"  {line}" for line in wrap(names, 76)),
        )

    def in_words(self, literal: int) -> str:
        code = (abs(literal),)
        return candidate_in_words(self.constraints, self.codes.index(code), literal > 0)


def encode(whole: Formula, cells: bytes) -> ReducedFormula:
    """The extended formula `whole`, reduced by the cells that are not 0."""
    true = frozenset(whole.literals(cells))
    known = true.union(_excluded(whole, true) - {-literal for literal in true})
    left = [v for v in range(1, whole.variables + 1) if v not in known and -v not in known]
    number = {sign * v: sign * i for i, v in enumerate(left, 1) for sign in (1, -1)}
    codes = [
        () if v in true else (number[v],) if v in number else NEVER
        for v in range(1, whole.variables + 1)
    ]
    families = tuple(_reduce(whole, known, number))
    variables = max(len(left), int(bool(families)))
    return ReducedFormula(whole.constraints, "reduced", families, variables, cells, codes)


def _excluded(whole: Formula, true: frozenset[int]) -> set[int]:
    """The negative literals that follow from one true literal and one binary clause."""
    binary = [clause for clause in whole.clauses if len(clause) == 2 and max(clause) < 0]
    return {b for a, b in binary if -a in true} | {a for a, b in binary if -b in true}


def _reduce(
    whole: Formula, known: frozenset[int], number: dict[int, int]
) -> Iterator[ClauseFamily]:
    """The clauses that are not yet satisfied by a known literal, without their false literals."""
    written: set[Clause] = set()
    for family in whole.families:
        open_clauses = filter(known.isdisjoint, family.clauses)
        short = (tuple(number[x] for x in clause if x in number) for clause in open_clauses)
        stated = chain.from_iterable(map(_without_empty, short))
        clauses = tuple(c for c in dict.fromkeys(stated) if c not in written)
        written.update(clauses)
        if clauses:
            yield ClauseFamily(family.name, clauses)


def _without_empty(clause: Clause) -> Iterable[Clause]:
    return (clause,) if clause else ((1,), (-1,))
