"""Certificates as values and as files: a puzzle, a claim about it, and everything to check it with.

Invariant: a file is text, one JSON object per line, and complete in itself. What is read is bounded
in size and exact in shape; otherwise `CertificateError` names the line. Nothing else is believed
here: `check` decides whether a certificate holds.

A file has one section or more. A section is a preamble, then one certificate per line, then a line
with their number, so that a truncated file is recognised. A certificate of givens (`givens`) is one
line, without a preamble. Files may be concatenated.
docs/CERTIFICATES.md describes every field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, BinaryIO, NamedTuple

from ..files.streams import File, open_input, read_line
from ..model.board import Board, board_for
from ..model.grid import Grid, format_line, parse_grid
from ..runtime import package
from ..runtime.errors import SatdokuError, counted
from ..witness.rules import STATEMENTS
from . import counts, givens
from .counts import CountCertificate
from .fields import (
    CertificateError,
    Fields,
    board_fields,
    expect_keys,
    get_field,
    get_texts,
    parse_json,
    read_board,
    read_solution,
    read_sums,
    rules_and_maker,
    solution_text,
    sums_fields,
    write_line,
)
from .givens import GivensCertificate
from .proof.sums import Derived

FORMAT = "satdoku certificate"
# Of a section: its rules are names alone, or clues too; its board is not a usual one; it has sums.
PLAIN, WITH_CLUES, OTHER_BOARD, WITH_SUMS = VERSIONS = 1, 2, 3, 4
# What is claimed, and how many solutions the certificate then holds: at least, at most.
ALONE: dict[object, Callable[[Fields], GivensCertificate | CountCertificate]] = {
    counts.FORMAT: counts.read_fields,
    givens.FORMAT: givens.read_fields,
}  # certificates that are sections of their own
CLAIMS = {"unique": (1, 1), "none": (0, 0), "multiple": (2, 2), "all": (0, None)}
PROOF_FORMATS = ("drat", "lrat")
MAX_LINE = 32 << 20  # bytes, three times the formula of a 25x25 board
MAX_TOTAL = 4 << 30  # bytes of one file, decompressed


@dataclass(frozen=True, repr=False)
class Preamble:
    """What the certificates of a section share.

    rules: names beyond the classic rules; cnf: DIMACS text of board and rules; made_by: versions of
    the programs by name; cnf_sha256: as the file states it, empty if it was not read from a file.
    sums: those that the CNF states in place of the clues that they follow from.
    """

    board: Board
    rules: tuple[str, ...]
    cnf: str
    made_by: dict[str, str] = field(default_factory=dict)
    cnf_sha256: str = ""
    sums: tuple[Derived, ...] = ()

    def __repr__(self) -> str:
        clauses = self.cnf.partition("p cnf ")[2].partition("\n")[0].rpartition(" ")[2]
        return f"<Preamble: {self.board.shape}, {self.variant or 'classic'}, {clauses} clauses>"

    @property
    def clues(self) -> tuple[str, ...]:
        """The texts of clues among the rules."""
        return tuple(rule for rule in self.rules if rule not in STATEMENTS)

    @property
    def variant(self) -> str:
        """Rules, regions, and boxes other than the usual ones or none, separated by commas, and
        clues, each after a semicolon; else empty. A board that is not usual is told in words."""
        told = [rule for rule in self.rules if rule not in self.clues]
        if not self.board.is_usual:
            told.append(self.board.in_words)
        elif self.board.regions is not None:
            told.append(f"jigsaw={self.board.region_map}")
        elif not self.board.has_boxes:
            told.append(f"latin={self.board.size}")
        elif self.board != board_for(self.board.cells):
            told.append(f"boxes={self.board.box_shape}")
        return ";".join(filter(None, (",".join(told), *self.clues)))

    @property
    def _version(self) -> int:
        if self.sums:
            return WITH_SUMS
        if not self.board.is_usual:
            return OTHER_BOARD
        return WITH_CLUES if self.clues else PLAIN

    def to_json(self) -> Fields:
        return {
            "format": FORMAT,
            "version": self._version,
            "board": board_fields(self.board),
            "rules": list(self.rules),
            "made_by": self.made_by,
            **sums_fields(self.sums),
            "cnf": {"sha256": self.cnf_sha256 or hash_of(self.cnf), "text": self.cnf},
        }


@dataclass(frozen=True)
class Proof:
    """A refutation of the formula, the givens, a blocking clause for each solution, and lemmas:
    clauses that say only that certain cells are connected."""

    text: str
    format: str = PROOF_FORMATS[0]
    sha256: str = ""
    lemmas: tuple[tuple[int, ...], ...] = ()

    def to_json(self) -> Fields:
        digest = self.sha256 or hash_of(self.text)
        fields: Fields = {"format": self.format, "sha256": digest, "text": self.text}
        return fields | {"lemmas": [*map(list, self.lemmas)]} if self.lemmas else fields


@dataclass(frozen=True, repr=False)
class Certificate:
    """One of CLAIMS about a puzzle. `multiple` needs no proof; every other claim has one."""

    puzzle: Grid
    claim: str
    solutions: tuple[Grid, ...]
    solver: str
    proof: Proof | None

    def __repr__(self) -> str:
        return f"<Certificate: {self.words}>"

    def _repr_html_(self) -> str:
        """The picture that a notebook shows: the puzzle, its first solution and the claim."""
        first = next(iter(self.solutions), None)
        return package.svg(self.puzzle, solution=first, caption=self.words)

    @property
    def words(self) -> str:
        """One line: `unique, 1 solution, proof of 12,345 characters, by cadical153`."""
        count = len(self.solutions)
        proof = (
            f"proof of {counted(len(self.proof.text), 'character')}" if self.proof else "no proof"
        )
        return f"{self.claim}, {count} solution{'s' * (count != 1)}, {proof}, by {self.solver}"

    def to_json(self) -> Fields:
        fields: Fields = {
            "puzzle": format_line(self.puzzle),
            "claim": self.claim,
            "solutions": [*map(solution_text, self.solutions)],
            "solver": self.solver,
        }
        return fields if self.proof is None else fields | {"proof": self.proof.to_json()}


class Entry(NamedTuple):
    """A certificate of a file: its line (from 1) and the preamble of its section."""

    line: int
    preamble: Preamble
    certificate: Certificate | GivensCertificate | CountCertificate


def hash_of(text: str) -> str:
    """SHA-256 of the text's bytes, as hexadecimal digits."""
    return sha256(text.encode()).hexdigest()


# Writing -------------------------------------------------------------------------------------


def write_section(
    stream: BinaryIO, preamble: Preamble, certificates: Iterable[Certificate]
) -> None:
    """Write a section: the preamble, the certificates one by one, and their number."""
    count = 0
    write_line(stream, preamble.to_json())
    for certificate in certificates:
        write_line(stream, certificate.to_json())
        count += 1
    write_line(stream, {"certificates": count})


# Reading -------------------------------------------------------------------------------------


def read_certificates(
    path: File, on_error: Callable[[CertificateError], None] | None = None
) -> Iterator[Entry]:
    """The certificates of a file (`-` for standard input), compressed or not, one by one.

    on_error: gets the error of each line that is not of the format, and reading goes on; without it
    the first one is raised. The certificates behind a faulty preamble are passed over.
    """

    def refuse(line: int, what: object) -> None:
        error = CertificateError(f"{path}: line {line}: {what}")
        if on_error is None:
            raise error from None
        on_error(error)

    section, line = _Section(), 0
    for line, text in _lines(path):
        try:
            entry = section.read(line, text)
        except SatdokuError as error:
            refuse(line, error)
        else:
            if entry is not None:
                yield entry
    if section.preamble is not None or not line:
        refuse(line + 1, "the file ends, expected certificates")


class _Section:
    """Where in a file of sections the reader is.

    preamble: None between sections; count: lines since; lost: whether the preamble is faulty.
    """

    preamble: Preamble | None = None
    count = 0
    lost = False

    def read(self, line: int, text: bytes) -> Entry | None:
        """The certificate of the next line, None if it holds something else."""
        try:
            fields = parse_json(text)
        except CertificateError:
            self.count += 1
            if self.lost:
                return None
            self.lost = self.preamble is None
            raise
        if _stands_alone(fields) and not self.lost:
            return self._alone(line, fields)
        if "format" in fields or (self.preamble is None and not self.lost):
            self._begin(fields)
        elif fields.keys() == {"certificates"}:
            self._end(fields)
        elif self.preamble is not None:
            self.count += 1
            return Entry(line, self.preamble, read_certificate(fields, self.preamble.board))
        return None

    def _alone(self, line: int, fields: Fields) -> Entry:
        """A certificate that is a section of its own."""
        if self.preamble is not None:
            raise CertificateError(
                "a certificate of another sort, expected first the number of those before"
            )
        certificate = ALONE[fields["format"]](fields)
        preamble = Preamble(certificate.puzzle.board, certificate.rules, "", certificate.made_by)
        return Entry(line, preamble, certificate)

    def _begin(self, fields: Fields) -> None:
        unfinished = self.preamble is not None
        self.preamble, self.count, self.lost = None, 0, True
        self.preamble, self.lost = _preamble(fields), False
        if unfinished:
            raise CertificateError("a preamble, expected first the number of certificates")

    def _end(self, fields: Fields) -> None:
        lost = self.lost
        self.preamble, self.lost = None, False
        if not lost and get_field(fields, "certificates", int) != self.count:
            raise CertificateError(
                f"{counted(self.count, 'certificate')}, but another number stated"
            )


def _stands_alone(fields: Fields) -> bool:
    stated = fields.get("format")
    return isinstance(stated, str) and stated in ALONE


def _lines(path: File) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers; only one line is in memory at a time."""
    total = number = 0
    with open_input(path) as stream:
        while text := read_line(stream, MAX_LINE + 1, str(path)):
            number += 1
            total += len(text)
            if len(text) > MAX_LINE or total > MAX_TOTAL:
                limit = f"{MAX_LINE >> 20} MiB a line, {MAX_TOTAL >> 30} GiB in all"
                raise CertificateError(f"{path}: line {number}: too long: the limits are {limit}")
            yield number, text


def _preamble(fields: Fields) -> Preamble:
    version = fields.get("version")
    known = type(version) is int and version in VERSIONS
    if fields.get("format") != FORMAT or not known:
        versions = " or ".join(map(str, VERSIONS))
        raise CertificateError(f"expected a preamble with format '{FORMAT}' and version {versions}")
    names = ("format", "version", "board", "rules", "made_by", "cnf")
    expect_keys(fields, names, optional="sums" if version == WITH_SUMS else "")
    rules, made_by = rules_and_maker(fields)
    if len(set(rules)) != len(rules):
        raise CertificateError("'rules' has the same rule twice")
    cnf = get_field(fields, "cnf", dict)
    expect_keys(cnf, ("sha256", "text"))
    board = read_board(get_field(fields, "board", dict))
    sums = read_sums(fields) if version == WITH_SUMS else ()
    preamble = Preamble(board, tuple(rules), get_field(cnf, "text", str), made_by, _hash(cnf), sums)
    if version != WITH_SUMS and (version == OTHER_BOARD) == board.is_usual:
        raise CertificateError(f"version {version} with {board.in_words}")
    if version == WITH_CLUES and not preamble.clues:
        raise CertificateError(f"version {version}, which is for clues: the rules hold none")
    return preamble


def read_certificate(fields: Fields, board: Board) -> Certificate:
    """The certificate that the fields of a line state."""
    expect_keys(fields, ("puzzle", "claim", "solutions", "solver"), optional="proof")
    claim = get_field(fields, "claim", str)
    if claim not in CLAIMS:
        raise CertificateError(f"claim {claim[:40]!a}: expected {', '.join(CLAIMS)}")
    solutions = get_texts(fields, "solutions")
    proof = None if claim == "multiple" else _proof(get_field(fields, "proof", dict))
    if claim == "multiple" and "proof" in fields:
        raise CertificateError("a proof for 'multiple', which must not have one")
    return Certificate(
        parse_grid(get_field(fields, "puzzle", str), board, source="puzzle"),
        claim,
        tuple(read_solution(text, board) for text in solutions),
        get_field(fields, "solver", str),
        proof,
    )


def _proof(fields: Fields) -> Proof:
    expect_keys(fields, ("format", "sha256", "text"), optional="lemmas")
    form = get_field(fields, "format", str)
    if form not in PROOF_FORMATS:
        raise CertificateError(f"proof format {form[:40]!a}: expected {', '.join(PROOF_FORMATS)}")
    lemmas = _lemmas(get_field(fields, "lemmas", list)) if "lemmas" in fields else ()
    return Proof(get_field(fields, "text", str), form, _hash(fields), lemmas)


def _lemmas(stated: list[Any]) -> tuple[tuple[int, ...], ...]:
    """Clauses, none of them empty; without any, the field is not there."""
    for clause in stated or [None]:
        if type(clause) is not list or not clause or {*map(type, clause)} != {int} or 0 in clause:
            raise CertificateError("'lemmas' is no list of clauses, which are lists of literals")
    return tuple(map(tuple, stated))


def _hash(fields: Fields) -> str:
    stated: str = get_field(fields, "sha256", str)
    if not re.fullmatch("[0-9a-f]{64}", stated):
        raise CertificateError("'sha256' is not 64 hexadecimal digits")
    return stated
