"""LRAT: proofs in which every lemma names the clauses that it follows from.

Invariant: hints are not trusted. Under the negation of the lemma, each named clause in turn must be
unit, until one of them is false. Nothing is searched, so such a checker is short enough to be
formally verified, as cake_lpr is. Negative hints (RAT) are rejected.

Source: L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, Efficient Certified RAT
Verification, CADE 2017.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from . import (
    DEFAULT_BUDGET,
    Outcome,
    ProofError,
    Verdict,
)
from .rup import Clause, check, split
from .steps import LratStep

if TYPE_CHECKING:
    from . import Ints


def check_lrat(
    variables: int, clauses: Ints, steps: Iterable[LratStep], *, budget: int = DEFAULT_BUDGET
) -> Verdict:
    """Whether every lemma up to the empty clause follows by its hints; `clauses` is the whole
    formula, named 1, 2, ... in order."""
    formula: dict[int, Clause] = {
        name: clause for name, clause in enumerate(split(clauses), 1) if clause is not None
    }
    number = 0
    for number, step in enumerate(steps, 1):
        if any(not -variables <= literal <= variables for literal in step.clause):
            return Verdict(Outcome.MALFORMED, number)
        if step.deleted:
            for name in step.deleted:
                formula.pop(name, None)
            continue
        budget -= len(step.hints) + 1
        if budget < 0:
            return Verdict(Outcome.OVER_BUDGET, number)
        if step.name in formula or not _follows(step, formula):
            return Verdict(Outcome.NOT_IMPLIED, number)
        if not step.clause:
            return Verdict(Outcome.VERIFIED, number)
        formula[step.name] = step.clause
    return Verdict(Outcome.NO_EMPTY_CLAUSE, number)


def _follows(step: LratStep, formula: dict[int, Clause]) -> bool:
    """Whether the hints, in order, lead from the lemma's negation to a false clause."""
    false = set(step.clause)
    if any(-literal in false for literal in false):
        return True
    for hint in step.hints:
        left = [literal for literal in formula.get(hint, ()) if literal not in false]
        if hint not in formula or len(set(left)) > 1:
            return False
        if not left:
            return True
        false.add(-left[0])
    return False


def drat_to_lrat(variables: int, clauses: Ints, proof: Ints) -> str:
    """The proof with hints, as LRAT text; raises `ProofError` if the proof is wrong."""
    lines: list[str] = []

    def lemma(name: int, clause: Clause, hints: Collection[int]) -> None:
        if hints:  # a tautology has none, and no use
            lines.append(" ".join(map(str, (name, *clause, 0, *hints, 0))))

    def deletion(name: int) -> None:
        last = lines[-1].split(" ", 1)[0] if lines else "0"
        lines.append(f"{last} d {name} 0")

    verdict = check(variables, clauses, proof, on_lemma=lemma, on_delete=deletion)
    if not verdict.good:
        raise ProofError(verdict.describe())
    return "\n".join(lines) + "\n"
