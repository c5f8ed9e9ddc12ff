"""Certificates checked: is what they claim true?

Invariant: the answer rests on unit propagation, on counting, on `witness.verify` and, for lemmas,
on `witness.regions`; there is no solver, no encoder, no `Constraints` and no engine.
`proof.formula` restates the formula from the board and the rules, and what a certificate states
itself is only compared with that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ..files.streams import File
from ..runtime import limits
from ..runtime.errors import counted
from ..runtime.lazy import cached_property
from ..witness.regions import Labels
from ..witness.verify import solves
from . import counts as of_counts
from . import givens as of_givens
from .counts import CountCertificate
from .fields import CertificateError
from .format import CLAIMS, Certificate, Entry, Preamble, Proof, hash_of, read_certificates
from .givens import GivensCertificate
from .proof import DEFAULT_BUDGET, Ints, ProofError, external, parse_drat, parse_formula, parse_lrat
from .proof.formula import blocking, connections, difference, flat, format_formula, givens
from .proof.rup import COMPILED, Checker, check_lrat

FLOODED = 2_000  # clauses whose check costs less than to flood a board for a literal of a lemma


class Finding(NamedTuple):
    """A certificate of a file, and why it is rejected; None if everything it claims holds."""

    entry: Entry
    reason: str | None


class SectionChecker:
    """Checks the certificates of one section.

    clauses: the clauses that `preamble.cnf` was formatted from, if the caller has just done that
    with `format_formula`; otherwise they are parsed from it. budget: clauses that the check of one
    proof may visit; tools: names of outside checkers to ask as well; compiled: check proofs in C if
    that is available.

    A check is worth something only if it does not depend on the program that made the certificate.
    So the clauses are compared with the restated formula wherever they come from, and proofs are
    checked against these clauses. If the caller passes them, the text in the file is still this
    side's: `format_formula`, not the encoder, writes it, and a test holds that `parse_formula` is
    its inverse. A reader of the file has no clauses to pass and always parses the text.
    """

    def __init__(
        self,
        preamble: Preamble,
        clauses: Ints | None = None,
        *,
        budget: int = DEFAULT_BUDGET,
        tools: tuple[str, ...] = (),
        compiled: bool = COMPILED,
    ) -> None:
        self.preamble, self.budget, self.tools = preamble, budget, tools
        self.problem: str | None = None
        try:
            if clauses is None:
                variables, clauses = _parsed(preamble.cnf)
            else:
                variables = max(map(abs, clauses))
            self.problem = _wrong_hash("CNF", preamble.cnf, preamble.cnf_sha256) or difference(
                variables, clauses, preamble.board, preamble.rules, preamble.sums
            )
            self._checker = Checker(variables, clauses, compiled=compiled)
        except ProofError as error:
            self.problem = str(error)

    def refusal(self, certificate: Certificate) -> str | None:
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

    @cached_property
    def _labels(self) -> tuple[Labels, ...]:
        """What must be connected under the rules; a lemma follows from one of them alone."""
        preamble = self.preamble
        stated = connections(preamble.board, preamble.rules, preamble.sums)
        return tuple(Labels([own], edges, [sizes]) for own, edges, sizes in stated)

    def _solutions(self, certificate: Certificate) -> str | None:
        board, count = self.preamble.board, len(certificate.solutions)
        low, high = CLAIMS[certificate.claim]
        if count < low or (high is not None and count > high):
            return f"the claim '{certificate.claim}' with {counted(count, 'solution')}"
        if {grid.board for grid in (certificate.puzzle, *certificate.solutions)} != {board}:
            return "a grid that is not on the board of its section"
        if any(certificate.puzzle.digits[board.grid_cells :]):
            return "a given in a layer, of which a puzzle says nothing"
        if len({bytes(grid.digits[: board.grid_cells]) for grid in certificate.solutions}) < count:
            return "the same solution twice"
        for solution in certificate.solutions:
            if not solves(solution, certificate.puzzle, self.preamble.rules):
                return f"{solution} is no solution of the puzzle"
        return None

    def _proof(self, certificate: Certificate, proof: Proof) -> str | None:
        if reason := _wrong_hash("proof", proof.text, proof.sha256):
            return reason
        left = self.budget
        for number, lemma in enumerate(proof.lemmas, 1):
            limits.check()
            left -= FLOODED * len(lemma)
            if left < 0:
                return f"lemma {number}: given up: the check costs more than allowed"
            if not any(labels.imply(lemma) for labels in self._labels):
                return f"lemma {number}: it does not follow from what must be connected"
        extra = _extra(certificate)
        variables, clauses = self._checker.variables, self._checker.clauses + extra
        if proof.format == "drat":
            verdict = self._checker.check(extra, parse_drat(proof.text), budget=left)
        else:
            verdict = check_lrat(variables, clauses, parse_lrat(proof.text), budget=left)
        if not verdict.good:
            return verdict.describe()
        for tool in self.tools:
            if external.reads(tool, proof.format) and (
                reason := external.refusal(tool, (variables, clauses), proof.text, proof.format)
            ):
                return reason
        return None


def formula_of(preamble: Preamble, certificate: Certificate) -> tuple[int, Ints]:
    """Number of variables and clauses of what the certificate's proof refutes: board and rules,
    then the givens, then a blocking clause for each solution, then the proof's lemmas."""
    variables, clauses = _parsed(preamble.cnf)
    return variables, clauses + _extra(certificate)


def whole_formula(preamble: Preamble, certificate: Certificate) -> str:
    """`formula_of` as DIMACS text, for other tools."""
    return format_formula(*formula_of(preamble, certificate))


_parsed = lru_cache(maxsize=4)(parse_formula)  # the certificates of a section share its formula


def _extra(certificate: Certificate) -> Ints:
    """The clauses of this certificate alone: its givens, that none of its solutions holds, and the
    lemmas of its proof."""
    board, proof = certificate.puzzle.board, certificate.proof
    solutions = (solution.cells for solution in certificate.solutions)
    lemmas = flat(proof.lemmas) if proof else flat(())
    return givens(certificate.puzzle.cells, board) + blocking(solutions, board) + lemmas


def _wrong_hash(what: str, text: str, stated: str) -> str | None:
    """Why the hash is wrong; a certificate that is still in memory states none."""
    return (
        f"the {what}'s sha256 is not {stated[:64]}" if stated not in ("", hash_of(text)) else None
    )


def check_certificates(
    path: File,
    *,
    budget: int = DEFAULT_BUDGET,
    tools: tuple[str, ...] = (),
    on_error: Callable[[CertificateError], None] | None = None,
) -> Iterator[Finding]:
    """Check every certificate of a file, in order, while the file is read.

    on_error: called with the error of each malformed line; the other lines are still checked.
    Without it the first such error is raised, after the check of everything before that line.
    budget, tools: see `SectionChecker`.
    """
    return checked(path, budget, tools, on_error)


def checked(
    path: File,
    budget: int = DEFAULT_BUDGET,
    tools: tuple[str, ...] = (),
    on_error: Callable[[CertificateError], None] | None = None,
    *,
    compiled: bool = COMPILED,
) -> Iterator[Finding]:
    """`check_certificates`; compiled: by the checker in C, if there is one."""
    checker: SectionChecker | None = None
    for entry in read_certificates(path, on_error):
        if isinstance(entry.certificate, CountCertificate):
            yield Finding(entry, of_counts.refusal(entry.certificate, compiled=compiled))
            continue
        if isinstance(entry.certificate, GivensCertificate):
            yield Finding(entry, of_givens.refusal(entry.certificate, budget, compiled=compiled))
            continue
        if checker is None or checker.preamble is not entry.preamble:
            checker = SectionChecker(entry.preamble, budget=budget, tools=tools, compiled=compiled)
        yield Finding(entry, checker.refusal(entry.certificate))
