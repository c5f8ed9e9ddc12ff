"""Rows as texts: the proof of a row of a data set, beside its puzzle and its solution.

Invariant: the text and the two grids say what a row of a file says. The text begins with the letter
of the claim, so that it is never empty:

    u, n    the tree follows, two hexadecimal digits a byte; there may be none
    m       a second solution follows, other than that of the data set
    U, N, M the JSON of a certificate follows
"""

from __future__ import annotations

from ..model.board import Board
from ..model.grid import Grid
from .fields import CertificateError, parse_json, read_solution, solution_text
from .format import read_certificate
from .tree.rows import NO_CLAIM, Row

EXPECTED = (
    "no proof: expected u or n and hexadecimal digits, m and a solution, or U, N or M and a "
    "certificate"
)


def text_of(row: Row, solution: bytes, board: Board) -> str:
    """A row as the text that stands beside its puzzle and this one of its solutions, if it has one;
    empty for a row without a claim."""
    if row.claim == NO_CLAIM:
        return ""
    letter = chr(row.claim)
    if letter.isupper():
        return letter + row.tree.decode("ascii")
    if letter == "m":
        other = next(digits for digits in row.solutions if digits != solution)
        return letter + solution_text(Grid(other, board))
    return letter + row.tree.hex()


def row_of(text: str, puzzle: bytes, solution: bytes, board: Board) -> Row:
    """The row that a text says beside these grids; the solution is all 0 if none is stated.

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
