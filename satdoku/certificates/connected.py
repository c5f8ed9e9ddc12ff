"""Proofs where cells must be connected: lemmas found by flooding, then an ordinary refutation.

Invariant: a proof that leaves this module refutes the clauses and its lemmas, by unit propagation
alone; whether the lemmas are true is for `check` to say.

No clause of the formula says that cells are connected. A solver that floods while it searches asks
for clauses that say so, and together with these, what it has learnt is an ordinary refutation. The
proof is then cut down to the lemmas and steps that the empty clause depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from ..answers.flooding import Flooding
from ..answers.solver import FLOODED, FLOODED_OPTIONS, open_solver, solve_clauses, solve_in_slices
from ..cnf.encodings import Formula
from ..runtime import limits
from ..runtime.errors import SatdokuError
from .fields import MAX_VALUES
from .format import Proof
from .trim import trim

Clauses = Sequence[Sequence[int]]
Refute = Callable[[list[Sequence[int]]], str | None]  # clauses to a DRAT proof; None: a model


class LemmasError(SatdokuError):
    """A proof that no line of a certificate holds."""


def refute(formula: Formula, clauses: Clauses, prove: Refute | None = None) -> Proof | None:
    """A proof, with lemmas, that the clauses have no model whose areas are connected; None if they
    have one.

    clauses: those of the formula and of a puzzle. prove: refutes them with the lemmas that FLOODED
    has asked for; without it, the proof is FLOODED's own.
    """
    never: list[list[int]] = []  # variables of places that an area has not
    fresh = count(formula.variables + 1)

    def absent() -> int:
        never.append([-next(fresh)])
        return -never[-1][0]

    flooding = Flooding.of_areas(formula.areas, absent)
    text = _searched(flooding, [*clauses, *never])
    lemmas = flooding.lemmas
    if prove is not None:
        while (text := prove([*clauses, *never, *lemmas])) is None:
            model = solve_clauses([*clauses, *never, *lemmas]) or []
            more = flooding.cuts(model)
            if not more:
                return None
            lemmas += more
    if text is None:
        return None
    needed, steps = _trimmed([*clauses, *never], lemmas, text)
    lines = (" ".join(map(str, (*step, 0))) for step in _known(steps, formula.variables))
    return _bounded(Proof("\n".join(lines) + "\n", lemmas=_known(needed, formula.variables)))


def _searched(flooding: Flooding, clauses: Clauses) -> str | None:
    """The proof of a solver that asks for lemmas until it knows that there is no model; None if
    there is one."""
    opened = open_solver(FLOODED, clauses, settings=FLOODED_OPTIONS, with_proof=True)
    with opened as engine, flooding.attached(engine):
        found = solve_in_slices(engine, FLOODED, [], limits.until(None))
        if found is None:
            raise limits.late()
        return None if found else "\n".join(engine.get_proof() or ()) + "\n"


def _trimmed(clauses: Clauses, lemmas: Clauses, text: str) -> tuple[Clauses, Clauses]:
    """The lemmas and the steps that the empty clause depends on; all if it takes too long to find
    them, without deletions: the solver may ask again for a lemma that it has deleted."""
    trimmed = trim([*clauses, *lemmas], text)
    if trimmed is None:
        lines = (line.split()[:-1] for line in text.splitlines() if not line.startswith("d"))
        return lemmas, [tuple(map(int, line)) for line in lines]
    places = (place - len(clauses) for place in trimmed.needed)
    return [lemmas[place] for place in places if place >= 0], trimmed.steps


def _known(clauses: Clauses, variables: int) -> tuple[tuple[int, ...], ...]:
    """The clauses without the variables that are false: those that are not the formula's."""
    return tuple(
        tuple(literal for literal in clause if abs(literal) <= variables)
        for clause in clauses
        if min(clause, default=0) >= -variables
    )


def _bounded(proof: Proof) -> Proof:
    """The proof; raises `LemmasError` if a reader would refuse the line that holds it."""
    values = sum(1 + len(lemma) for lemma in proof.lemmas)
    if values > MAX_VALUES // 2:
        raise LemmasError(f"lemmas of {values:,} values: expected at most {MAX_VALUES // 2:,}")
    return proof
