"""Certificates that a grid has no puzzle with so many givens, but for the puzzles that are listed.

Invariant: the answer rests on `witness.verify` and on the search for hitting sets, which knows no
rules; there is no solver and no engine.

Cells are unavoidable if they can be filled in another way while the rest of the grid stays. So the
givens of a puzzle with one solution hit every such set. A certificate holds unavoidable sets, each
as the other digits of its cells; whoever finds all sets of K cells that hit them all has every
puzzle with K givens. The check does not say whether the puzzles that are listed have one solution:
`certify` can.

Source: G. McGuire, B. Tugemann, G. Civario, There is no 16-Clue Sudoku, Experimental Mathematics 23
(2014).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..model.grid import Grid, format_line, parse_grid
from ..runtime.errors import counted
from ..witness.verify import solves
from .fields import (
    CertificateError,
    Fields,
    board_fields,
    expect_keys,
    get_field,
    get_texts,
    read_board,
)
from .hitting import COMPILED, Task, as_sets, search, serves

FORMAT = "satdoku givens certificate"
_VERSION = 1
_NODES_A_POLL = 4096  # of the search for hitting sets


@dataclass(frozen=True, repr=False)
class GivensCertificate:
    """Every puzzle with `givens` givens whose only solution is `grid` is among `puzzles`.

    others: for each unavoidable set the other digits of its cells, other cells empty. parts: the
    part of the board, 0 to 2, in which each cell lies; it says only which way the search goes.
    """

    grid: Grid
    rules: tuple[str, ...]
    givens: int
    puzzles: tuple[Grid, ...]
    others: tuple[Grid, ...]
    parts: tuple[int, ...]
    made_by: dict[str, str] = field(default_factory=dict)
    proof = None  # as of other certificates: there is nothing for other tools

    def __repr__(self) -> str:
        return f"<GivensCertificate: {self.claim}, {len(self.others):,} unavoidable sets>"

    @property
    def puzzle(self) -> Grid:
        """The grid."""
        return self.grid

    @property
    def claim(self) -> str:
        """In words: `no puzzle with 16 givens`."""
        if not self.puzzles:
            return f"no puzzle with {counted(self.givens, 'given')}"
        return f"no puzzle with {counted(self.givens, 'given')} but {len(self.puzzles)}"

    def to_json(self) -> Fields:
        return {
            "format": FORMAT,
            "version": _VERSION,
            "board": board_fields(self.grid.board),
            "rules": list(self.rules),
            "made_by": self.made_by,
            "grid": format_line(self.grid),
            "givens": self.givens,
            "puzzles": [format_line(puzzle) for puzzle in self.puzzles],
            "parts": "".join(map(str, self.parts)),
            "others": [format_line(other) for other in self.others],
        }


def read_fields(fields: Fields) -> GivensCertificate:
    """The certificate of a line; raises `CertificateError` if it is none."""
    names = ("format", "version", "board", "rules", "made_by", "grid", "givens", "puzzles")
    expect_keys(fields, (*names, "parts", "others"))
    if get_field(fields, "version", int) != _VERSION:
        raise CertificateError(f"expected version {_VERSION} of '{FORMAT}'")
    board = read_board(get_field(fields, "board", dict))
    if not board.is_usual:
        raise CertificateError(f"a certificate of givens on {board.in_words}")
    rules, made_by = get_texts(fields, "rules"), get_field(fields, "made_by", dict)
    if not all(isinstance(text, str) for text in made_by.values()):
        raise CertificateError("'made_by' holds something other than texts")
    parts = get_field(fields, "parts", str)
    if len(parts) != board.cells or set(parts) - set("012"):
        raise CertificateError(f"'parts' is not {board.cells} of the digits 0, 1 and 2")
    return GivensCertificate(
        parse_grid(get_field(fields, "grid", str), board, source="grid"),
        tuple(rules),
        get_field(fields, "givens", int),
        tuple(parse_grid(text, board, source="puzzle") for text in get_texts(fields, "puzzles")),
        tuple(parse_grid(text, board, source="other") for text in get_texts(fields, "others")),
        tuple(map(int, parts)),
        made_by,
    )


class _TooLong(Exception):
    """The search for hitting sets took more nodes than it may."""


def refusal(
    certificate: GivensCertificate, budget: int, *, compiled: bool = COMPILED
) -> str | None:
    """Why the certificate does not hold, or None if it does.

    budget: nodes of the search for hitting sets; compiled: search in C if that is available.
    """
    grid, givens = certificate.grid, certificate.givens
    if not solves(grid, grid, certificate.rules):
        return "the grid is not full or breaks the rules"
    if not 0 <= givens <= grid.board.cells or not serves(certificate.parts):
        return f"{givens} givens, or a board that is too large for this check"
    for puzzle in certificate.puzzles:
        if puzzle.givens != givens or not _agree(puzzle, grid):
            return f"{puzzle} is no puzzle of the grid with {givens} givens"
    for other in certificate.others:
        if reason := _no_other(other, certificate):
            return reason
    listed = set(map(_mask, certificate.puzzles))
    try:
        for cells in _hitting(certificate, budget, compiled):
            if cells not in listed:
                shown = bytes(d if cells >> c & 1 else 0 for c, d in enumerate(grid.cells))
                return f"no set excludes {Grid(shown, grid.board)}"
    except _TooLong:
        return f"the search for hitting sets takes more than {budget:,} nodes"
    return None


def _no_other(other: Grid, certificate: GivensCertificate) -> str | None:
    """Why these digits are no other way to fill their cells; None if they are one."""
    grid = certificate.grid
    pairs = list(zip(other.cells, grid.cells, strict=True))
    whole = Grid(bytes(theirs or mine for theirs, mine in pairs), grid.board)
    if not other.givens or any(theirs == mine for theirs, mine in pairs):
        return f"{other} has no cells, or one with its digit of the grid"
    if not solves(whole, whole, certificate.rules):
        return f"{other} breaks the rules with the rest of the grid"
    return None


def _agree(puzzle: Grid, grid: Grid) -> bool:
    return all(p in (0, d) for p, d in zip(puzzle.cells, grid.cells, strict=True))


def _mask(grid: Grid) -> int:
    return sum(1 << cell for cell, digit in enumerate(grid.cells) if digit)


def _hitting(certificate: GivensCertificate, budget: int, compiled: bool) -> Iterator[int]:
    """The sets of cells, as many as there are givens, that hit every unavoidable set."""
    sets = as_sets(map(_mask, certificate.others))
    spent = 0

    def poll() -> None:
        nonlocal spent
        spent += _NODES_A_POLL if compiled else 1
        if spent > budget:
            raise _TooLong

    most = len(certificate.puzzles) + 1
    for last in range(3):
        task, parts, size = Task(last, 0, 0), certificate.parts, certificate.givens
        found = search(sets, parts, size, task, poll=poll, enough=most, compiled=compiled)
        yield from found.hitting
