"""Proofs where cells must be connected: lemmas found by flooding, then an ordinary refutation.

Invariant: a proof that leaves this module refutes the clauses and its lemmas, by unit propagation
alone; whether the lemmas are true is for `check` to say.

No clause of the formula says that cells are connected. A solver that floods while it searches asks
for clauses that say so; together with these, the formula is refuted like any other. The proof is
then cut down to the lemmas and steps that the empty clause depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count

from ..answers.flooding import Flooding
from ..answers.solver import FLOODED, open_solver, solve_clauses, solve_in_slices
from ..cnf.encodings import Formula
from ..runtime import limits
from ..runtime.errors import SatdokuError
from .fields import MAX_VALUES
from .format import Proof
from .proof import parse_drat
from .proof.formula import flat
from .proof.rup import check

Clauses = Sequence[Sequence[int]]
Refute = Callable[[list[Sequence[int]]], str | None]  # clauses to a DRAT proof; None: a model

TRIM = 20_000_000  # clauses that the search for what a proof needs may visit, in Python


class LemmasError(SatdokuError):
    """A proof that no line of a certificate holds."""


def refute(formula: Formula, clauses: Clauses, prove: Refute) -> Proof | None:
    """A proof, with lemmas, that the clauses have no model whose areas are connected; None if they
    have one. clauses: those of the formula and of a puzzle."""
    never: list[list[int]] = []  # variables of places that an area has not
    fresh = count(formula.variables + 1)

    def absent() -> int:
        never.append([-next(fresh)])
        return -never[-1][0]

    flooding = Flooding.of_areas(formula.areas, absent)
    lemmas = _asked_for(flooding, [*clauses, *never], formula.variables)
    while True:
        text = prove([*clauses, *lemmas])
        if text is not None:
            return _trimmed(formula.variables, clauses, lemmas, text)
        model = solve_clauses([*clauses, *lemmas, *never]) or []
        more = _known(flooding.cuts(model), formula.variables)
        if not more:
            return None
        lemmas += more


def _asked_for(flooding: Flooding, clauses: Clauses, variables: int) -> list[Sequence[int]]:
    """The lemmas that a solver asks for until it knows whether there is a model."""
    with open_solver(FLOODED, clauses) as engine, flooding.attached(engine):
        if solve_in_slices(engine, FLOODED, [], limits.until(None)) is None:
            raise limits.late()
    return _known(flooding.lemmas, variables)


def _known(lemmas: Iterable[Sequence[int]], variables: int) -> list[Sequence[int]]:
    """The lemmas without the variables that are false: those that are not the formula's."""
    return [
        tuple(literal for literal in lemma if abs(literal) <= variables)
        for lemma in lemmas
        if min(lemma) >= -variables
    ]


def _trimmed(variables: int, clauses: Clauses, lemmas: Clauses, text: str) -> Proof:
    """The proof with only those lemmas and steps that its empty clause depends on; as it is, if it
    takes too long to find them."""
    steps: list[tuple[int, Sequence[int], list[int]]] = []  # name, clause, what it follows from
    verdict = check(
        variables,
        flat([*clauses, *lemmas]),
        parse_drat(text),
        budget=TRIM,
        on_lemma=lambda *step: steps.append(step),
    )
    if not verdict.good:
        return _bounded(Proof(text, lemmas=tuple(map(tuple, lemmas))))
    needed: set[int] = set()
    for name, clause, hints in reversed(steps):
        if not clause or name in needed:
            needed.update(hints)
    lines = (
        " ".join(map(str, (*clause, 0)))
        for name, clause, _ in steps
        if not clause or name in needed
    )
    named = enumerate(lemmas, len(clauses) + 1)
    kept = tuple(tuple(lemma) for name, lemma in named if name in needed)
    return _bounded(Proof("\n".join(lines) + "\n", lemmas=kept))


def _bounded(proof: Proof) -> Proof:
    """The proof; raises `LemmasError` if a reader would refuse the line that holds it."""
    values = sum(1 + len(lemma) for lemma in proof.lemmas)
    if values > MAX_VALUES // 2:
        raise LemmasError(f"lemmas of {values:,} values: expected at most {MAX_VALUES // 2:,}")
    return proof
