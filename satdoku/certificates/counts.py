"""Certificates of numbers of solutions: "exactly N", where N grids are too many to list.

Invariant: the number is the sum over the leaves of a decision graph (`tree.graphs`), checked
against the formula that is restated from the board and the rules. If the certificate says
"relabelled", the graph is about the puzzle with the digits in order in its first cells, and the
number is n! times as large: the check finds out itself that exchanging digits changes nothing.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from math import factorial

from ..model.grid import Grid, format_line, parse_grid
from .fields import (
    CertificateError,
    Fields,
    board_fields,
    expect_keys,
    get_field,
    read_board,
    rules_and_maker,
)
from .proof import ProofError
from .tree import COMPILED, Trees, trees_of

FORMAT = "satdoku count certificate"
_VERSION = 1
MAX_GRAPH = 1 << 26  # bytes; the check holds a state for each split
MOST = 20_000_000  # splits of a graph that is made: 4 GB of states on 9x9


@dataclass(frozen=True, repr=False)
class CountCertificate:
    """`puzzle` has exactly `count` solutions; graph: the decision graph that proves it."""

    puzzle: Grid
    rules: tuple[str, ...]
    count: int
    relabelled: bool
    graph: bytes
    made_by: dict[str, str] = field(default_factory=dict)
    proof = None  # as of other certificates: there is nothing for other tools

    def __repr__(self) -> str:
        return f"<CountCertificate: {self.claim}, {len(self.graph):,} bytes>"

    @property
    def claim(self) -> str:
        """In words: `exactly 288 solutions`."""
        return f"exactly {self.count:,} solution{'s' * (self.count != 1)}"

    def to_json(self) -> Fields:
        return {
            "format": FORMAT,
            "version": _VERSION,
            "board": board_fields(self.puzzle.board),
            "rules": list(self.rules),
            "made_by": self.made_by,
            "puzzle": format_line(self.puzzle),
            "count": str(self.count),
            "relabelled": int(self.relabelled),
            "graph": b64encode(zlib.compress(self.graph, 9)).decode("ascii"),
        }


def read_fields(fields: Fields) -> CountCertificate:
    """The certificate of a line; raises `CertificateError` if it is none."""
    names = ("format", "version", "board", "rules", "made_by", "puzzle", "count", "relabelled")
    expect_keys(fields, (*names, "graph"))
    if get_field(fields, "version", int) != _VERSION:
        raise CertificateError(f"expected version {_VERSION} of '{FORMAT}'")
    board = read_board(get_field(fields, "board", dict))
    rules, made_by = rules_and_maker(fields)
    count, relabelled = get_field(fields, "count", str), get_field(fields, "relabelled", int)
    if not (count.isascii() and count.isdigit() and len(count) < 1000) or relabelled not in (0, 1):
        raise CertificateError("'count' is no number, or 'relabelled' neither 0 nor 1")
    unpacker = zlib.decompressobj()
    try:
        packed = b64decode(get_field(fields, "graph", str), validate=True)
        graph = unpacker.decompress(packed, MAX_GRAPH)
    except (ValueError, zlib.error) as error:
        raise CertificateError(f"'graph': {error}") from None
    if not unpacker.eof or unpacker.unused_data:
        raise CertificateError("'graph' is too long, or broken off")
    puzzle = parse_grid(get_field(fields, "puzzle", str), board, source="puzzle")
    return CountCertificate(puzzle, tuple(rules), int(count), bool(relabelled), graph, made_by)


def refusal(certificate: CountCertificate, *, compiled: bool = COMPILED) -> str | None:
    """Why the certificate does not hold, or None if it does."""
    try:
        trees = Trees(certificate.puzzle.board, certificate.rules, compiled=compiled)
        cells, factor = _asked(trees, certificate.puzzle, certificate.relabelled)
    except ProofError as error:
        return str(error)
    verdict, found = trees.count(cells, certificate.graph)
    if verdict:
        return verdict.reason
    if found * factor != certificate.count:
        return f"the graph proves {found * factor:,}"
    return None


def make(
    puzzle: Grid, rules: tuple[str, ...], made_by: dict[str, str], *, compiled: bool = COMPILED
) -> CountCertificate:
    """The certificate of a puzzle. Raises `ProofError` if its graph would be too large, and under
    rules that no graph can carry."""
    trees = (
        trees_of(puzzle.board, rules) if compiled else Trees(puzzle.board, rules, compiled=False)
    )
    relabelled = trees.is_relabelled(bytes(puzzle.digits))
    cells, factor = _asked(trees, puzzle, relabelled)
    graph, found = trees.graph(cells, MOST)
    return CountCertificate(puzzle, rules, found * factor, relabelled, graph, made_by)


def _asked(trees: Trees, puzzle: Grid, relabelled: bool) -> tuple[bytes, int]:
    """The puzzle that the graph is about, and how many times as many solutions there are."""
    if not relabelled:
        return bytes(puzzle.digits), 1
    if not trees.is_relabelled(bytes(puzzle.digits)):
        raise ProofError("exchanging digits changes the formula or the puzzle")
    size = trees.formula.digits
    return bytes([*range(1, size + 1), *bytes(trees.cells - size)]), factorial(size)
