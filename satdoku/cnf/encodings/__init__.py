"""Encode constraints as CNF formulas, in one of the encodings of this folder.

Invariant: an encoder reads only a `Constraints` (`reduced` also reads the puzzle). It returns a
`Formula`, which knows what its literals mean.

    formula = encode(constraints("knight"), "triads")
    formula.variables, len(formula.clauses)
    formula.literals(puzzle.cells)    # literals that assert the givens
    formula.decode(model)             # the cells of a solver's model
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache, partial

from ...model.constraints import Constraints
from ...model.puzzle import Puzzle, strikes
from ...runtime.errors import no_such
from . import reduced, triads
from .formula import (
    Clause,
    ClauseFamily,
    EncodingError,
    Formula,
)
from .groups import AT_MOST_ONE, efficient, encode_groups, extended, in_full, minimal, with_clues
from .integers import INTEGERS

__all__ = [
    "ALIASES", "DEFAULT_ENCODING", "ENCODERS", "ENCODINGS", "Clause", "ClauseFamily",
    "EncodingError",
    "Formula", "build", "build_for", "encode", "encodings_named", "in_full",
]  # fmt: skip

ENCODERS: dict[str, Callable[[Constraints], Formula]] = {
    "extended": extended,
    "minimal": minimal,
    "efficient": efficient,
    "reduced": lambda constraints: _reduced(build(constraints), None),
    **{
        name: partial(encode_groups, encoding=name, at_most_one=at_most_one)
        for name, at_most_one in AT_MOST_ONE.items()
    },
    "triads": triads.encode,
    **INTEGERS,
}
# The kind of the variables of each encoding: booleans for the candidates, or parts of one integer
# per cell.
ENCODINGS: dict[str, str] = {
    name: "integer" if name in INTEGERS else "boolean" for name in ENCODERS
}
ALIASES: dict[str, tuple[str, ...]] = {
    "pairwise": ("extended",),
    "boolean": tuple(name for name, kind in ENCODINGS.items() if kind == "boolean"),
    "integer": tuple(name for name, kind in ENCODINGS.items() if kind == "integer"),
    "all": tuple(ENCODINGS),
}
DEFAULT_ENCODING = "extended"


def encodings_named(text: str) -> tuple[str, ...]:
    """The encodings in a comma-separated list of names and aliases, each once, in that order."""
    names: dict[str, None] = {}
    for word in (part.strip() for part in text.split(",")):
        if word not in ENCODINGS and word not in ALIASES:
            raise EncodingError(no_such("encoding", word, [*ENCODINGS, *ALIASES]))
        names.update(dict.fromkeys(ALIASES.get(word, (word,))))
    return tuple(names)


def encoding_named(text: str) -> str:
    """The one encoding of that name; raises `EncodingError` for names of several, too."""
    known = [*ENCODINGS, *(alias for alias, names in ALIASES.items() if len(names) == 1)]
    if text not in known:
        raise EncodingError(no_such("encoding", text, known))
    return encodings_named(text)[0]


def encode(
    constraints: Constraints,
    encoding: str = DEFAULT_ENCODING,
    puzzle: Iterable[int] | None = None,
) -> Formula:
    """The formula of `constraints` in the named encoding; a formula without a puzzle is cached.

    Only `reduced` reads the puzzle (a grid, or any row-major digits, 0 for empty): it omits what
    the givens settle. With every other encoding, add the givens with `Formula.literals`.
    """
    if encoding == "reduced":
        return _reduced(_kept(constraints, DEFAULT_ENCODING), puzzle)
    return _kept(constraints, encoding)


def build(
    constraints: Constraints,
    encoding: str = DEFAULT_ENCODING,
    puzzle: Iterable[int] | None = None,
) -> Formula:
    """`encode` without the cache: use it to measure the time, or for a formula you need once."""
    name = encoding_named(encoding)
    if name == "reduced":
        return _reduced(build(constraints), puzzle)
    if constraints.clues and ENCODINGS[name] == "boolean":
        extended = with_clues(_kept(constraints.without_clues, name), constraints)
        if extended is not None:
            return extended
    return ENCODERS[name](constraints)


def build_for(puzzle: Puzzle, encoding: str) -> Formula:
    """The formula of one puzzle, built anew: its givens, and what its marks strike, among the
    clauses."""
    cells = puzzle.grid.cells
    formula = build(puzzle.constraints, encoding, cells)
    givens = tuple((literal,) for literal in formula.literals(cells))
    struck = tuple(formula.struck(strikes(puzzle)))
    families = (ClauseFamily("givens", givens), ClauseFamily("struck", struck))
    return replace(formula, families=formula.families + families)


@lru_cache(maxsize=16)
def _kept(constraints: Constraints, encoding: str) -> Formula:
    return build(constraints, encoding)


def _reduced(whole: Formula, puzzle: Iterable[int] | None) -> Formula:
    cells = whole.constraints.board.cells
    return reduced.encode(in_full(whole), bytes(cells if puzzle is None else puzzle))
