"""Rows as texts: the proof of a row of a data set, beside its puzzle and its solution.

Invariant: the text and the two grids say what a row of a file says. The text begins with the letter
of the claim, so that it is never empty:

    u, n    the tree follows, two hexadecimal digits a byte; there may be none
    m       a second solution follows, other than that of the data set
    U, N, M the JSON of a certificate follows

Of u, n, U and N the proof may be by sums; their JSON and a blank then stand behind the letter.
"""

from __future__ import annotations

import json

from ..model.board import Board
from ..model.grid import Grid
from .fields import (
    CertificateError,
    expect_keys,
    parse_json,
    read_solution,
    read_sums,
    solution_text,
    sums_fields,
)
from .format import read_certificate
from .proof.sums import Derived
from .tree.rows import NO_CLAIM, Row

BY_SUMS, START = ("u", "n", "U", "N"), '{"sums":'
EXPECTED = (
    "no proof: expected u or n and hexadecimal digits, m and a solution, or U, N or M and a "
    "certificate"
)


def text_of(row: Row, solution: bytes, board: Board, sums: tuple[Derived, ...] = ()) -> str:
    """A row as the text that stands beside its puzzle and this one of its solutions, if it has one;
    empty for a row without a claim. sums: those by which it is proved."""
    if row.claim == NO_CLAIM:
        return ""
    letter = chr(row.claim)
    by = json.dumps(sums_fields(sums), separators=(",", ":")) + " " if sums else ""
    if letter.isupper():
        return letter + by * (letter in BY_SUMS) + row.tree.decode("ascii")
    if letter == "m":
        other = next(digits for digits in row.solutions if digits != solution)
        return letter + solution_text(Grid(other, board))
    return letter + by * (letter in BY_SUMS) + row.tree.hex()


def sums_in(text: str) -> tuple[str, tuple[Derived, ...]]:
    """A text without its sums, and these.

    Raises `CertificateError` if there are some that are not as they are written.
    """
    if text[:1] not in BY_SUMS or not text.startswith(START, 1):
        return text, ()
    stated, _, rest = text[1:].partition(" ")
    fields = parse_json(stated.encode())
    expect_keys(fields, ("sums",))
    return text[0] + rest, read_sums(fields)


def row_of(text: str, puzzle: bytes, solution: bytes, board: Board) -> Row:
    """The row that a text without sums says beside these grids; the solution is all 0 if none is
    stated.

    Raises `CertificateError` for a text that is none of those above.
    """
    letter, told = text[:1], text[1:]
    if letter in ("u", "n"):
        return Row(ord(letter), puzzle, (solution,) if letter == "u" else (), _bytes(told))
    if letter == "m":
        pair = sorted((solution, bytes(read_solution(told, board))))
        return Row(ord(letter), puzzle, tuple(pair), b"")
    if letter in ("U", "N", "M"):
        return _with_certificate(text, puzzle, solution, board)
    raise CertificateError(EXPECTED)


def _bytes(told: str) -> bytes:
    """The bytes that small hexadecimal digits say."""
    if len(told) % 2 or not {*told} <= {*"0123456789abcdef"}:
        raise CertificateError(EXPECTED)
    return bytes.fromhex(told)


def _with_certificate(text: str, puzzle: bytes, solution: bytes, board: Board) -> Row:
    """A row whose certificate is about this solution, of which the data set has the digits."""
    told = text[1:].encode()
    certificate = read_certificate(parse_json(told), board)
    solutions = tuple(map(bytes, certificate.solutions))
    stated = [digits[: board.grid_cells] for digits in solutions]
    if stated and solution[: board.grid_cells] not in stated:
        raise CertificateError("the certificate is about another solution")
    return Row(ord(text[0]), puzzle, solutions, told)
