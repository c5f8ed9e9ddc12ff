"""Certificates judged: is what they claim true, by nothing but propagation and counting?

Invariant: no solver, no encoder, no `Constraints`, no engine. The formula is restated by
`proof.formula`, solutions are tested by `verify`, proofs by `proof`; what a certificate states
itself is only ever compared with these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..witness.verify import solves
from .format import (
    CLAIMS,
    Certificate,
    Entry,
    Preamble,
    Proof,
    hash_of,
    read_certificates,
)
from .proof import DEFAULT_BUDGET, ProofError, external
from .proof.formula import (
    blocking,
    difference,
    format_formula,
    givens,
)
from .proof.lrat import check_lrat
from .proof.native import COMPILED, Checker
from .proof.steps import parse_drat, parse_formula, parse_lrat

if TYPE_CHECKING:
    from .proof import Ints


class Finding(NamedTuple):
    """A certificate that was read, and why it is rejected; None: all that it claims is so."""

    entry: Entry
    reason: str | None


class Judge:
    """Judges the certificates of one section.

    budget: clauses that the check of one proof may visit; tools: names of outside checkers to ask
    as well; compiled: check proofs in C, if that is there.
    """

    def __init__(
        self,
        preamble: Preamble,
        *,
        budget: int = DEFAULT_BUDGET,
        tools: tuple[str, ...] = (),
        compiled: bool = COMPILED,
    ) -> None:
        self.preamble, self.budget, self.tools = preamble, budget, tools
        self.problem: str | None = None
        try:
            variables, clauses = parse_formula(preamble.cnf)
            self.problem = _wrong_hash("CNF", preamble.cnf, preamble.cnf_sha256) or difference(
                variables, clauses, preamble.board, preamble.rules
            )
            self._checker = Checker(variables, clauses, compiled=compiled)
        except ProofError as error:
            self.problem = str(error)

    def reject(self, certificate: Certificate) -> str | None:
        """Why the certificate does not hold, or None if it does."""
        if self.problem:
            return self.problem
        reason = self._solutions(certificate)
        if reason or certificate.proof is None:
            return reason or (None if certificate.claim == "multiple" else "there is no proof")
        try:
            return self._proof(certificate, certificate.proof)
        except ProofError as error:
            return str(error)

    def _solutions(self, certificate: Certificate) -> str | None:
        board, count = self.preamble.board, len(certificate.solutions)
        low, high = CLAIMS[certificate.claim]
        if count < low or (high is not None and count > high):
            return f"the claim '{certificate.claim}' with {count} solutions"
        if {grid.board for grid in (certificate.puzzle, *certificate.solutions)} != {board}:
            return "a grid that is not on the board of its section"
        if len({grid.cells for grid in certificate.solutions}) < count:
            return "a solution that stands there twice"
        for solution in certificate.solutions:
            if not solves(solution, certificate.puzzle, self.preamble.rules):
                return f"{solution} is no solution of the puzzle"
        return None

    def _proof(self, certificate: Certificate, proof: Proof) -> str | None:
        if reason := _wrong_hash("proof", proof.text, proof.sha256):
            return reason
        variables, extra = self.preamble.board.variables, _extra(certificate)
        if proof.format == "drat":
            verdict = self._checker.check(extra, parse_drat(proof.text), budget=self.budget)
        else:
            steps, clauses = parse_lrat(proof.text), self._checker.clauses + extra
            verdict = check_lrat(variables, clauses, steps, budget=self.budget)
        if not verdict.good:
            return verdict.describe()
        for tool in self.tools:
            if not external.reads(tool, proof.format):
                continue
            formula = format_formula(variables, self._checker.clauses + extra)
            if reason := external.refusal(tool, formula, proof.text, proof.format):
                return reason
        return None


def whole_formula(preamble: Preamble, certificate: Certificate) -> str:
    """DIMACS text of what a certificate's proof refutes: board and rules, givens, blocked
    solutions."""
    variables, clauses = parse_formula(preamble.cnf)
    return format_formula(variables, clauses + _extra(certificate))


def _extra(certificate: Certificate) -> Ints:
    """The clauses of the puzzle's own: its givens, and that it is none of the solutions."""
    board = certificate.puzzle.board
    solutions = (solution.cells for solution in certificate.solutions)
    return givens(certificate.puzzle.cells, board) + blocking(solutions, board)


def _wrong_hash(what: str, text: str, stated: str) -> str | None:
    """Why the hash does not fit; an empty one is that of a certificate still in memory."""
    return (
        f"the {what}'s sha256 is not {stated[:64]}" if stated not in ("", hash_of(text)) else None
    )


def check_certificates(
    path: str,
    *,
    budget: int = DEFAULT_BUDGET,
    tools: tuple[str, ...] = (),
    compiled: bool = COMPILED,
) -> Iterator[Finding]:
    """Judge every certificate of a file, in order, as they are read.

    Raises `CertificateError` where the file is not one, after what stood before that place.
    """
    judge: Judge | None = None
    for entry in read_certificates(path):
        if judge is None or judge.preamble is not entry.preamble:
            judge = Judge(entry.preamble, budget=budget, tools=tools, compiled=compiled)
        yield Finding(entry, judge.reject(entry.certificate))
