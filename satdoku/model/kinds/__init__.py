"""The kinds of clues, one module for each sort; `KINDS` holds them by name.

Invariant: see `kind`. Other modules learn what a clue means from `lowered` and `Kind.houses` alone.
"""

from __future__ import annotations

from functools import cache

from ..board import Board
from ..clue import Clue, ClueError, read_clue
from ..other_names import unknown
from ..shapes import Automaton, Shape
from . import cells, counts, dots, ends, lines, pointers, regex, sums
from .kind import Allowed, Kind, Relation

__all__ = [
    "ALIASES",
    "KINDS",
    "Clue",
    "ClueError",
    "Kind",
    "Relation",
    "clue_of",
    "kind_of",
    "lowered",
]

_MODULES = cells, dots, lines, pointers, sums, counts, ends, regex
KINDS: dict[str, Kind] = {kind.name: kind for module in _MODULES for kind in module.KINDS}
ALIASES: dict[str, tuple[str, str]] = dots.ALIASES  # another name, and the kind and value it means


def clue_of(text: str, board: Board) -> Clue:
    """The canonical clue of a text; raises `ClueError`, which repeats the text's beginning."""
    try:
        clue = read_clue(text, board)
        if clue.kind in ALIASES:
            kind, value = ALIASES[clue.kind]
            if clue.value:
                raise ClueError(f"{clue.kind} takes no value: it stands for {kind}={value}")
            clue = clue._replace(kind=kind, value=value)
        return kind_of(clue.kind).canonical(clue, board)
    except ClueError as error:
        raise ClueError(f"clue {text[:40]}: {error}") from None


def is_kind(name: str) -> bool:
    """Whether a word of a rule set begins a clue."""
    return name.partition("=")[0].strip().lower() in {*KINDS, *ALIASES}


def lowered(
    clue: Clue, clues: tuple[Clue, ...], board: Board
) -> tuple[list[Relation], tuple[Shape, ...]]:
    """What the clue says of each two cells, and what it says of more.

    clues: all of the puzzle, for kinds that deny.
    """
    kind = KINDS[clue.kind]
    if kind.denies:
        return _denied(clue, clues, board, kind), ()
    relations = list(kind.relations(board, clue)) if kind.relations else []
    shapes = list(kind.shapes(board, clue)) if kind.shapes else []
    narrow = [s for s in shapes if isinstance(s, Automaton) and len(s.cells) < 3]
    relations += [Relation(s.cells[0], s.cells[-1], _accepted(s)) for s in narrow]
    return relations, tuple(shape for shape in shapes if shape not in narrow)


def _accepted(small: Automaton) -> Allowed:
    """Whether an automaton on one or two cells accepts their digits."""
    first, *second = small.layers
    words = (
        {(x, x) for _, x, _ in first}
        if not second
        else {(x, y) for _, x, state in first for before, y, _ in second[0] if state == before}
    )
    return lambda x, y: (x, y) in words


def _denied(clue: Clue, clues: tuple[Clue, ...], board: Board, kind: Kind) -> list[Relation]:
    joined = {frozenset(other.cells) for other in clues if other.kind in kind.frees}
    said = KINDS[kind.denies].relations
    assert said is not None
    return [
        relation._replace(allowed=_negation(relation.allowed))
        for pair in board.adjacent_pairs
        if frozenset(pair) not in joined
        for relation in said(board, clue._replace(groups=(pair,)))
    ]


@cache
def _negation(allowed: Allowed) -> Allowed:
    return lambda x, y: not allowed(x, y)


def kind_of(name: str) -> Kind:
    """The kind of that name, or that an alias means; raises `ClueError`."""
    name = ALIASES.get(name, (name,))[0]
    if name not in KINDS:
        raise ClueError(unknown("kind", name, [*KINDS, *ALIASES]))
    return KINDS[name]
