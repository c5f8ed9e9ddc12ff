"""Proofs of unsatisfiability: read from text, and checked without any solver.

Invariant: nothing here imports the encoder, the constraints or a solver. The formula is restated
from the board's geometry, and a lemma counts only after unit propagation has confirmed it. Text is
checked before it is used: first its characters, then the length of its numbers, then their range. A
text that is not exactly of the format raises `ProofError`.

Clauses and proofs are flat arrays of C ints (`Ints`): the literals of each clause, then 0.

Sources: the DIMACS format of the SAT competitions; DRAT, N. Wetzler, M. Heule, W. Hunt, SAT 2014;
LRAT, L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, CADE 2017.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from ...runtime.errors import SatdokuError, counted

Ints: TypeAlias = "array[int]"

DELETE = 2**31 - 1  # precedes a clause that a step deletes
# Clauses that the check of one proof may visit: a few seconds in C. The hardest 9x9 puzzles need
# about a hundred thousand.
DEFAULT_BUDGET = 2_000_000_000


class ProofError(SatdokuError):
    """A text that is not a proof or formula: what was found, what was expected, and where."""


class Outcome(IntEnum):
    """How the check of a proof ended."""

    VERIFIED = 0
    NOT_IMPLIED = 1
    NO_EMPTY_CLAUSE = 2
    MALFORMED = 3
    OVER_BUDGET = 4


_WORDS = {
    Outcome.VERIFIED: "verified",
    Outcome.NOT_IMPLIED: "the clause does not follow by unit propagation (RAT is not accepted)",
    Outcome.NO_EMPTY_CLAUSE: "the proof ends without the empty clause",
    Outcome.MALFORMED: "not a clause over the formula's variables, ended by 0",
    Outcome.OVER_BUDGET: "given up: the check costs more than allowed",
}


class Verdict(NamedTuple):
    """The outcome of a check, and the step of the proof (from 1) that decided it."""

    outcome: Outcome
    step: int

    @property
    def good(self) -> bool:
        return self.outcome is Outcome.VERIFIED

    def describe(self) -> str:
        """In words: `proof step 17: the clause does not follow ...`."""
        return f"proof step {self.step}: {_WORDS[self.outcome]}"


_BLOCK = 1 << 16  # characters split into words at a time
_HEADER = re.compile(r"p cnf (\d{1,8}) (\d{1,9})\n", re.ASCII)
_STRANGE = re.compile(r"[^-0-9 \n]|\d{10}", re.ASCII)
_DELETION = re.compile(r"^d (?=-?\d)", re.ASCII | re.MULTILINE)
_LRAT_DELETION = re.compile(r"^(\d{1,9}) d ", re.ASCII | re.MULTILINE)


class LratStep(NamedTuple):
    """A lemma and the clauses that refute its negation; or, in `deleted`, clauses to delete."""

    name: int
    clause: tuple[int, ...] = ()
    hints: tuple[int, ...] = ()
    deleted: tuple[int, ...] = ()


def parse_formula(text: str) -> tuple[int, Ints]:
    """Number of variables and clauses of a DIMACS text without comments."""
    match = _HEADER.match(text)
    if match is None:
        raise ProofError(f"CNF: found {text[:20]!a}, expected 'p cnf VARIABLES CLAUSES'")
    variables, count = int(match[1]), int(match[2])
    body = text[match.end() :]
    _refuse_strange(body, "CNF")
    clauses = _integers(body, "CNF")
    if clauses.count(0) != count or (clauses and clauses[-1] != 0):
        raise ProofError(
            f"CNF: found {counted(clauses.count(0), 'clause')}, expected {count} ended by 0"
        )
    if clauses and max(max(clauses), -min(clauses)) > variables:
        raise ProofError(f"CNF: found a literal beyond the {variables} variables")
    return variables, clauses


def parse_drat(text: str) -> Ints:
    """The steps of a DRAT proof: literals and 0 each, after DELETE if the step deletes a clause.

    The checkers test the range of the literals and the 0 of each clause.
    """
    plain, deletions = _DELETION.subn(f"{DELETE} ", text)
    _refuse_strange(text if not deletions else _DELETION.sub("", text), "DRAT proof")
    return _integers(plain, "DRAT proof")


def parse_lrat(text: str) -> list[LratStep]:
    """The steps of an LRAT proof, one per line of the text."""
    what = "LRAT proof"
    _refuse_strange(_LRAT_DELETION.sub(r"\1 ", text), what)
    return [_lrat_step(line, what) for line in text.splitlines()]


def _lrat_step(line: str, what: str) -> LratStep:
    name, *words = [*line.split(" "), ""][:-1]
    deletes = words[:1] == ["d"]
    numbers = _integers(" ".join(words[deletes:]), what)
    if not name.isdecimal() or numbers.count(0) != 2 - deletes or numbers[-1] != 0:
        raise ProofError(f"{what}: found {line[:40]!a}, expected a name, literals 0, hints 0")
    if deletes:
        return LratStep(int(name), deleted=tuple(numbers[:-1]))
    middle = numbers.index(0)
    return LratStep(int(name), tuple(numbers[:middle]), tuple(numbers[middle + 1 : -1]))


def _refuse_strange(text: str, what: str) -> None:
    """Allow only numbers of at most 9 digits: Python reads long ones slowly."""
    strange = _STRANGE.search(text)
    if strange is not None:
        raise ProofError(f"{what}: found {strange.group()!a}, expected numbers below 10^9")


def _integers(text: str, what: str) -> Ints:
    """All numbers of a text as C ints."""
    numbers = array("i")
    for block in _blocks(text):
        try:
            numbers.extend(map(int, block.split()))
        except ValueError:
            raise ProofError(f"{what}: found a '-' outside a number") from None
    return numbers


def _blocks(text: str) -> Iterator[str]:
    """The text in pieces of whole lines, so that not all words of it are in memory at once."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _BLOCK) + 1 or len(text)
        yield text[start:end]
        start = end
