"""The kinds of clues: `SORTS` holds them by what they speak of, `KINDS` by name.

Invariant: see `kind`. Other modules learn what a clue means from `lowered` and `Kind.houses` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from ..appearance import Foreign
from ..automata import Layers, Ranks, both, joined, of_two, ranked, within
from ..board import Board, Digits
from ..clue import Clue, ClueError, counted_off, read_clue
from ..other_names import Definition, title_of, unknown
from ..rules import BOARDS, RULES
from ..shapes import Automaton, DigitSets, Shape, clue_work, kept, placed, work
from . import areas, cells, ends, lines, regular, relations, sums
from .kind import Allowed, Kind, Relation

__all__ = [
    "ALIASES", "DEFINITIONS", "HOUSE", "KINDS", "MACHINE", "ONE_OF", "PATTERN", "SORTS", "UNEQUAL",
    "Clue", "ClueError", "Kind", "Relation", "alike", "apart", "canonical", "clue_of", "foreign",
    "form_of", "kind_of", "lowered", "of_parts", "title",
]  # fmt: skip

SORTS: dict[str, tuple[Kind, ...]] = {  # by the headings of docs/CLUES.md
    "Cells": cells.KINDS,
    "Two cells": relations.KINDS,
    "Lines and sets": lines.KINDS,
    "Digits that point at digits": relations.POINTERS,
    "Sums and products": sums.KINDS,
    "How often": cells.COUNTS,
    "Ends of lines, and numbers outside": ends.KINDS,
    "Connected cells": areas.KINDS,
    "Patterns": regular.KINDS,
    "Several clues": regular.JOINS,
}
Moved = tuple[Automaton, int]  # an automaton, and the moves that it took
KINDS: dict[str, Kind] = {kind.name: kind for kinds in SORTS.values() for kind in kinds}
ALIASES: dict[str, tuple[str, str]] = relations.ALIASES  # another name: its kind and value
# Kinds by what they are for; who reads or writes a format asks for them by these.
HOUSE = lines.REGION.name  # cells that hold every digit once
UNEQUAL = lines.DISTINCT.name  # cells of different digits
ONE_OF = cells.DIGITS.name  # cells that hold some digits only
PATTERN = regular.REGEX.name  # a regular expression of the digits
MACHINE = regular.MACHINE.name  # a state machine that reads the digits
# All that has usual names.
DEFINITIONS: tuple[Definition, ...] = (*KINDS.values(), *RULES.values(), *BOARDS.values())


def clue_of(text: str, board: Board) -> Clue:
    """The canonical clue of a text; raises `ClueError`, which repeats the text's beginning."""
    try:
        return canonical(read_clue(text, board), board)
    except ClueError as error:
        raise ClueError(f"clue {text[:40]}: {error}") from None


def form_of(head: str, sizes: tuple[int, ...], board: Board) -> Clue | None:
    """The canonical clue that begins so and has groups of so many of the first cells; None if what
    it is depends on its cells even where none of them stands there twice, and if it is no clue."""
    kind, _, value = (part.strip() for part in head.partition("="))
    meant = KINDS.get(ALIASES.get(kind.lower(), (kind.lower(),))[0])
    if meant is None or meant.by_place or meant.is_line or board.layers:
        return None
    if sum(sizes) > board.cells:
        return None
    try:
        return canonical(Clue(kind.lower(), counted_off(sizes), value), board)
    except ClueError:
        return None


@lru_cache(maxsize=4096)  # parts of clues are parts of larger ones
def canonical(clue: Clue, board: Board) -> Clue:
    """The same clue as all who mean it write it, its parts as well; raises `ClueError`."""
    if clue.kind in ALIASES:
        kind, value = ALIASES[clue.kind]
        if clue.value:
            raise ClueError(f"{clue.kind} takes no value: it stands for {kind}={value}")
        clue = clue._replace(kind=kind, value=value)
    if clue.parts:
        clue = clue._replace(parts=tuple([canonical(part, board) for part in clue.parts]))
    return of_parts(clue, board)


def of_parts(clue: Clue, board: Board) -> Clue:
    """The canonical clue of one without an alias whose parts are canonical."""
    if denial := next((part.kind for part in clue.parts if KINDS[part.kind].denies), None):
        raise ClueError(f"{denial} goes by all other clues: expected it outside parentheses")
    ready = kind_of(clue.kind).canonical(clue, board)
    return ready.parts[0] if len(ready.parts) == 1 else ready


def apart(clues: Iterable[Clue]) -> Iterator[Clue]:
    """The clues, each part of an `and` by itself."""
    for clue in clues:
        if KINDS[clue.kind].joins is both:
            yield from apart(clue.parts)
        else:
            yield clue


def foreign(form: str) -> Iterator[tuple[Kind, Foreign]]:
    """The kinds that a format of another program has, each with what it is there."""
    for kind in KINDS.values():
        yield from ((kind, there) for there in kind.abroad if there.form == form)


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
    if kind.joins:
        shapes.append(_joined(clue, board))
    narrow = [s for s in shapes if isinstance(s, Automaton) and len(s.cells) < 3]
    relations += [Relation(s.cells[0], s.cells[-1], _accepted(s, board)) for s in narrow if s.cells]
    return relations, tuple(shape for shape in shapes if shape not in narrow)


@kept(1024)
def _joined(clue: Clue, board: Board) -> Automaton:
    """It reads cells in the order in which the clue names them, then all others."""
    cells = dict.fromkeys((*clue.cells, *range(board.cells)))
    automaton = _meaning(clue, {cell: rank for rank, cell in enumerate(cells)}, board, {})
    if board.layers:
        automaton = within(automaton, [*map(len, board.domains(automaton.cells))])
    return automaton


def _meaning(clue: Clue, ranks: Ranks, board: Board, known: dict[Clue, Moved]) -> Automaton:
    """All that a clue says, as one automaton; it has no cells if the clue says nothing. known: the
    automata of clues without parts so far, many of which stand in several alternatives."""
    if join := KINDS[clue.kind].joins:
        read = [_meaning(part, ranks, board, known) for part in clue.parts]
        return joined(join, read, ranks, board.choices)
    if clue not in known:
        with clue_work() as moves:
            automaton = _without_parts(clue, ranks, board)
        known[clue] = automaton, moves[0]
    automaton, spent = known[clue]
    work(spent)
    return automaton


def _without_parts(clue: Clue, ranks: Ranks, board: Board) -> Automaton:
    kind, size = KINDS[clue.kind], board.choices
    relations, shapes = _lowered_anywhere(clue, board)
    houses = kind.houses(board, clue) if kind.houses else ()
    every = (frozenset(range(1, len(board.digits) + 1)),)
    own = (s for s in shapes if not (isinstance(s, DigitSets) and s.follows))
    wide = (*own, *(DigitSets(house, every) for house in houses))
    narrow = (_of_relation(relation, board) for relation in relations)
    read = [ranked(shape, ranks, size) for shape in (*wide, *narrow)]
    return joined(both, read, ranks, size) if read else Automaton((), ())


def _lowered_anywhere(clue: Clue, board: Board) -> tuple[list[Relation], tuple[Shape, ...]]:
    """`lowered` of a clue without parts. Clues that say the same of other cells share shapes, which
    are made once."""
    kind, cells = KINDS[clue.kind], clue.cells
    if kind.by_place or board.layers or not kind.shapes or len({*cells}) < max(len(cells), 1):
        return lowered(clue, (), board)
    form = clue._replace(groups=counted_off(tuple(map(len, clue.groups))))
    relations, shapes = _lowered_form(form, board)
    moved = [Relation(cells[a], cells[b], allowed) for a, b, allowed in relations]
    return moved, tuple([placed(shape, cells) for shape in shapes])


@kept(256)
def _lowered_form(clue: Clue, board: Board) -> tuple[list[Relation], tuple[Shape, ...]]:
    """`lowered` of a clue on the first cells of the board."""
    return lowered(clue, (), board)


def _of_relation(relation: Relation, board: Board) -> Automaton:
    first, second, allowed = relation
    digits, others = board.domains((first, second))
    layers = _layers_of_two(allowed, digits, others, first == second, board.choices)
    return Automaton((first,) if first == second else (first, second), layers)


@kept(1024)  # many parts of clues are in the same relation
def _layers_of_two(
    allowed: Allowed, digits: Digits, others: Digits, alone: bool, size: int
) -> Layers:
    """The layers of a relation of two cells, or of one with itself."""

    def goes(x: int, y: int) -> bool:
        return x <= len(digits) and y <= len(others) and allowed(digits[x - 1], others[y - 1])

    return of_two((0, 0) if alone else (0, 1), goes, size).layers


def _accepted(small: Automaton, board: Board) -> Allowed:
    """Whether an automaton on one or two cells accepts their digits."""
    digits, others = board.domains((small.cells[0], small.cells[-1]))
    first, *second = small.layers
    words = (
        {(x, x) for _, x, _ in first}
        if not second
        else {(x, y) for _, x, state in first for before, y, _ in second[0] if state == before}
    )
    known = {(digits[x - 1], others[y - 1]) for x, y in words}
    return lambda x, y: (x, y) in known


def _denied(clue: Clue, clues: tuple[Clue, ...], board: Board, kind: Kind) -> list[Relation]:
    pairs = {frozenset(pair) for pair in board.adjacent_pairs}
    for other in clues:
        if any(part.kind in kind.frees and _joined_by(part) in pairs for part in _within(other)):
            raise ClueError(f"it goes by clues that stand alone, not in {other.text(board)[:40]}")
    joined = {_joined_by(other) for other in clues if other.kind in kind.frees}
    said = KINDS[kind.denies].relations
    assert said is not None
    return [
        relation._replace(allowed=_negation(relation.allowed))
        for pair in board.adjacent_pairs
        if frozenset(pair) not in joined
        for relation in said(board, clue._replace(groups=(pair,)))
    ]


def _joined_by(clue: Clue) -> frozenset[int]:
    """The cells of a clue on two; none of one on more, of which some may be the same."""
    return frozenset(clue.cells if len(clue.cells) == 2 else ())


def _within(clue: Clue) -> Iterator[Clue]:
    """The parts of a clue, and their parts."""
    for part in clue.parts:
        yield part
        yield from _within(part)


@cache
def _negation(allowed: Allowed) -> Allowed:
    return lambda x, y: not allowed(x, y)


def kind_of(name: str) -> Kind:
    """The kind of that name, or that an alias means; raises `ClueError`."""
    name = ALIASES.get(name, (name,))[0]
    if name not in KINDS:
        raise ClueError(unknown("kind", name, [*KINDS, *ALIASES], DEFINITIONS))
    return KINDS[name]


def alike(clues: Iterable[Clue]) -> frozenset[str]:
    """The kinds among clues, and among their parts, that pictures have to mark: others there are
    drawn like them."""
    kinds = {part.kind for clue in clues for part in (clue, *_within(clue))}
    families = [KINDS[kind].look.alike for kind in kinds]
    return frozenset(kind for kind in kinds if families.count(KINDS[kind].look.alike or "-") > 1)


def title(name: str, value: str = "") -> str:
    """What published puzzles call a clue of a kind, with this value if they have a name for it:
    `German whisper`, `White Kropki dot`; else the title of the kind."""
    others = (other for other, meaning in ALIASES.items() if meaning == (name, value))
    return title_of(KINDS[name], f"{name}={value}", *others)
