"""An independent statement of every rule, made from the coordinates of the cells.

Invariant: nothing here reads `model.rules`, so a mistake there cannot repeat itself here. Of a
`Board` this module uses only the places of its cells, the digits, the corners and the sides of its
grids, the shape of the boxes, the region map, and which lines are no houses.

A statement says that a rule has houses, or that it relates two cells; `clues` states the kinds of
clues. Other modules of the witness ask `stated` and never look at a rule's name. A rule without a
statement is an error. To restate a rule, add an entry to `STATEMENTS`:

    "diagonal": Houses(labels)          the labels of the houses that hold the cell at (row, column)
    "knight": Relation(related)         cells with related(rows, columns) apart are different
    "name": Relation(related, allowed)  such cells hold digits x and y only if allowed(x, y, size)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations, product
from typing import Any, NamedTuple, cast

from ..model.board import Board, CellPair, Cells
from ..model.clue import (
    MOST_FORMS,
    PATH,
    Clue,
    Forms,
    counted_off,
    held,
    keep_form,
    placed,
    read_clue,
    spelled,
)
from ..runtime.errors import SatdokuError
from ..runtime.lazy import cached_property
from .clues import STATEMENTS as CLUES
from .clues import Distinct, Holds, House, Part, WidePart, each_once, speaks_of_positions, valued

DigitPair = tuple[int, int]
Labels = Callable[[Board, int, int], Iterable[Hashable]]


class StatementError(SatdokuError):
    """The witness has no statement of a rule."""


class Houses(NamedTuple):
    """Houses that hold every digit once; cells with the same label form a house.

    labels: takes a board, a row and a column (0-based) in one of its grids and returns the labels
    of that cell's houses in that grid. needs_boxes: whether the labels depend on rectangular boxes,
    so that the rule does not exist on a board with a region map, or without boxes.
    """

    labels: Labels
    needs_boxes: bool = False


Allowed = Callable[[int, int, int], bool]  # digits x, y and the size of the board


def differ(x: int, y: int, size: int) -> bool:
    """The most common relation: two related cells hold different digits."""
    return x != y


class Relation(NamedTuple):
    """What two related cells may hold.

    related: takes the distance of two cells in rows and in columns (0 or more each, not both 0) and
    returns whether the rule relates them. allowed: whether the upper (or left) cell may hold x
    while the other holds y, where the last argument is the highest digit.
    """

    related: Callable[[int, int], bool]
    allowed: Allowed = differ


def not_consecutive(x: int, y: int, size: int) -> bool:
    """Two related cells do not hold consecutive digits."""
    return abs(x - y) != 1


def not_both_highest(x: int, y: int, size: int) -> bool:
    """Two related cells do not both hold the highest digit."""
    return not x == y == size


def _box(board: Board, row: int, column: int) -> Iterable[Hashable]:
    if board.regions is not None:
        region = board.regions[row * board.width + column] if board.is_rectangle else -1
        return () if region < 0 else (region,)
    if 1 in (board.box_rows, board.box_columns):  # no boxes: they would repeat rows or columns
        return ()
    return ((row // board.box_rows, column // board.box_columns),)


def _diagonal(board: Board, row: int, column: int) -> Iterable[Hashable]:
    return ["falling"] * (row == column) + ["rising"] * (row + column == board.width - 1)


def _window(board: Board, row: int, column: int) -> Iterable[Hashable]:
    period = board.box_rows + 1
    on_border = row % period == 0 or column % period == 0
    return () if on_border else ((row // period, column // period),)


def _place(board: Board, row: int, column: int) -> Iterable[Hashable]:
    return ((row % board.box_rows, column % board.box_columns),)


CLASSIC = ("row", "column", "box")
STATEMENTS: dict[str, Houses | Relation] = {
    "row": Houses(lambda board, row, column: () if "rows" in board.without else (row,)),
    "column": Houses(lambda board, row, column: () if "columns" in board.without else (column,)),
    "box": Houses(_box),
    "diagonal": Houses(_diagonal),
    "windoku": Houses(_window, needs_boxes=True),
    "disjoint": Houses(_place, needs_boxes=True),
    "knight": Relation(lambda down, right: down * right == 2),
    "king": Relation(lambda down, right: down == right == 1),
    "nonconsecutive": Relation(lambda down, right: down + right == 1, not_consecutive),
    "antiqueen": Relation(lambda down, right: down == right, not_both_highest),
}


def require_statements(rules: Iterable[str]) -> None:
    """Raise `StatementError` if the witness has no statement of one of the rules.

    It is called when the solving part of satdoku is imported, because nothing would check a rule
    that only the encoder knows.
    """
    if missing := [name for name in rules if name not in STATEMENTS and name not in CLUES]:
        raise StatementError(f"satdoku.witness.rules has no statement of {', '.join(missing)}")


class Related(NamedTuple):
    """Pairs of cells, and what the digits x of the first and y of the second must satisfy.

    holds: holds(x, y), on numbers; of a clue, on terms too. A cell beside itself may hold x only if
    holds(x, x). relation: the same as `Relation.allowed`, None for a clue.
    """

    pairs: tuple[CellPair, ...]
    holds: Callable[[int, int], bool]
    relation: Allowed | None = None

    def forbidden(self, size: int) -> tuple[DigitPair, ...]:
        """The digits (x, y), from 1, that the two cells may not hold."""
        return _forbidden(self.holds, size)


@dataclass(frozen=True, eq=False)  # so that it is quick to find in a cache
class Form:
    """What one rule, or one clue, says beside houses, of cells or of places that are given cells.

    wide: of more than two. told: of two.
    """

    wide: tuple[WidePart, ...] = ()
    told: tuple[Related, ...] = ()


NOTHING = Form()


@dataclass(eq=False)  # not frozen: there are many, and they would take four times as long to make
class Stated:
    """What one rule, or one clue, says on a board.

    houses: cells that hold every digit once. form: what else it says; at: the cells of its places,
    none if it speaks of the cells themselves.
    """

    rule: str
    houses: tuple[Cells, ...] = ()
    form: Form = NOTHING
    at: Cells = ()

    @cached_property
    def wide(self) -> tuple[WidePart, ...]:
        """What a clue says of more than two cells."""
        at, parts = self.at, self.form.wide
        if not at:
            return parts
        return tuple(p._replace(cells=tuple(at[c] for c in p.cells)) for p in parts)  # type: ignore[call-arg]

    @cached_property
    def told(self) -> tuple[Related, ...]:
        """The relations of what is no house."""
        at, told = self.at, self.form.told
        if not at:
            return told
        return tuple(
            related._replace(pairs=tuple((at[a], at[b]) for a, b in related.pairs))
            for related in told
        )

    @cached_property
    def relations(self) -> tuple[Related, ...]:
        """The relations of two cells, those of two cells of a house among them."""
        if not self.houses:
            return self.told
        pairs = tuple(pair for house in self.houses for pair in combinations(house, 2))
        return (Related(pairs, _of_digits(differ, (1,)), differ), *self.told)

    @property
    def says_differ(self) -> bool:
        """Whether all that it says beside its houses is that related cells differ."""
        form = self.form
        return [related.relation for related in form.told] == [differ] and not form.wide


@lru_cache(maxsize=256)
def stated(board: Board, rules: tuple[str, ...]) -> tuple[Stated, ...]:
    """What a rule set says: the classic houses first, then the extra rules, then the clues.

    Raises `StatementError` for a rule without a statement, `ClueError` for the text of no clue.
    """
    texts = [rule for rule in rules if rule not in STATEMENTS]
    known = _by_forms(texts, board)
    clues = cast("Any", _Read(texts, board))
    return (
        *([Stated("domain", form=Form(told=_domains(board)))] if board.layers else []),
        *(said for rule in CLASSIC if (said := _rule(rule, board)).houses or said.form.told),
        *(_rule(rule, board) for rule in rules if rule in STATEMENTS),
        *(said or _clue(text, clues, board) for text, said in zip(texts, known, strict=True)),
    )


@lru_cache(maxsize=128)
def _rule(rule: str, board: Board) -> Stated:
    said = STATEMENTS[rule]
    if isinstance(said, Houses):
        full, small = _houses(said, board)
        return Stated(rule, full, Form(told=(_differing(small),)) if small else NOTHING)
    places = [(cell, *place) for cell, place in enumerate(board.places)]
    pairs = tuple(
        (a, b)
        for (a, row, column), (b, lower_row, other_column) in combinations(places, 2)
        if said.related(lower_row - row, abs(other_column - column))
    )
    told = Related(pairs, _of_digits(said.allowed, board.digits), said.allowed)
    return Stated(rule, form=Form(told=(told,)))


def _domains(board: Board) -> tuple[Related, ...]:
    """That a cell has no more digits than its layer, or the grid."""
    counts: dict[int, list[CellPair]] = {}
    for cell, digits in enumerate(board.domains(tuple(range(board.cells)))):
        counts.setdefault(len(digits), []).append((cell, cell))
    return tuple(Related(tuple(cells), _at_most(count)) for count, cells in counts.items())


@cache
def _at_most(count: int) -> Callable[[int, int], bool]:
    return lambda x, y: x <= count


def _differing(houses: Iterable[Cells]) -> Related:
    """What houses say that have fewer cells than there are digits."""
    pairs = dict.fromkeys(pair for house in houses for pair in combinations(house, 2))
    return Related(tuple(pairs), _of_digits(differ, (1,)), differ)


def _houses(said: Houses, board: Board) -> tuple[tuple[Cells, ...], tuple[Cells, ...]]:
    """The cells of a grid with a common label, ascending: as many as digits, and fewer."""
    members: dict[Hashable, list[int]] = {}
    number = {place: cell for cell, place in enumerate(board.places)}
    grid = [*product(range(board.height), range(board.width))]
    for (top, left), (row, column) in product(board.corners, grid):
        if (cell := number.get((top + row, left + column))) is not None:
            for label in said.labels(board, row, column):
                members.setdefault((top, left, label), []).append(cell)
    houses = dict.fromkeys(map(tuple, members.values()))  # boxes that two grids share come once
    size = len(board.digits)
    full = tuple(house for house in houses if len(house) == size)
    return full, tuple(house for house in houses if 1 < len(house) < size)


@lru_cache(maxsize=16)
def _forms(board: Board) -> Forms[Form]:
    """What is said by clues of a form, wherever their cells lie; filled in as they are met."""
    return {}


def _by_forms(texts: Sequence[str], board: Board) -> list[Stated | None]:
    """Clues by what all of their form say; None if that depends on where its cells lie."""
    if board.layers:
        return [None] * len(texts)
    forms = _forms(board)
    return [
        Stated(text, (), found[1], found[2]) if found else _learnt(text, board, forms)
        for text, found in zip(texts, placed(texts, board, forms), strict=True)
    ]


def held_by_forms(
    texts: Sequence[str], board: Board, grid: bytes
) -> list[tuple[Form, tuple[int, ...]]] | None:
    """The forms of clues, and what their places hold in a full grid; None if one is not known."""
    found = [] if board.layers else held(texts, board, _forms(board), grid)
    known = [each for each in found if each]
    return known if len(known) == len(texts) else None


def _learnt(text: str, board: Board, forms: Forms[Form]) -> Stated | None:
    """The same of a clue whose form was not known."""
    (known,) = placed([text], board, forms)  # by a clue before this one
    if known:
        return Stated(text, (), known[1], known[2])
    if (found := spelled(text, board)) is None:
        return None
    head, groups = found
    sizes = tuple([len(group) for group in groups])
    if (form := _form(head, sizes, board)) is None:
        return None
    keep_form(forms, head, sizes, (head, PATH, form))
    return Stated(text, (), form, tuple(chain(*groups)))


def _clue(text: str, clues: tuple[Clue, ...], board: Board) -> Stated:
    """A clue by itself; clues: all there are."""
    clue = read_clue(text, board)
    if clue.kind not in CLUES:
        raise StatementError(f"satdoku.witness.clues has no statement of {clue.kind[:40]}")
    return Stated(text, *_said(clue, clues, board))


@dataclass(frozen=True)
class _Read:
    """All clues of a rule set, read where a statement goes by them, as few do."""

    texts: Sequence[str]
    board: Board

    def __iter__(self) -> Iterator[Clue]:
        return (read_clue(text, self.board) for text in self.texts)


class _AsksMoreError(Exception):
    """A statement asks for more than digits."""


class _DigitsOnly:
    """A board of which nothing is known but its digits, and so no clue, either."""

    layers = ()

    def __init__(self, board: Board) -> None:
        self.digits = self.symbols = board.digits
        self.choices = board.choices

    def __getattr__(self, name: str) -> Any:
        raise _AsksMoreError(name)

    def __iter__(self) -> Iterator[Clue]:
        raise _AsksMoreError("clues")

    def domains(self, cells: Cells) -> tuple[tuple[int, ...], ...]:
        return (self.digits,) * len(cells)

    def all_digits(self, cells: Cells) -> tuple[int, ...]:
        return self.digits


@lru_cache(maxsize=MOST_FORMS)
def _form(head: str, sizes: tuple[int, ...], board: Board) -> Form | None:
    """What a clue that begins so says of groups of so many different cells, told by their places in
    it; None if its statement asks for more than digits: for where the cells lie, or for other
    clues."""
    kind, _, value = head.partition("=")
    if kind not in CLUES:
        return None
    clue, digits = Clue(kind, counted_off(sizes), value), cast("Any", _DigitsOnly(board))
    try:
        houses, form = _said(clue, digits, digits)
    except _AsksMoreError:
        return None
    is_told = all(isinstance(part, Part | Distinct) for part in form.wide)
    return form if is_told and not houses else None


def _said(clue: Clue, clues: tuple[Clue, ...], board: Board) -> tuple[tuple[Cells, ...], Form]:
    """The houses of a clue, and what else it says."""
    houses: list[Cells] = []
    wide: list[WidePart] = []
    narrow: dict[Holds, list[CellPair]] = {}
    is_plain = speaks_of_positions(board)
    for said in CLUES[clue.kind](board, clue, clues):
        part = said if is_plain else valued(said, board)
        if type(part) is Part and len(part.cells) == 2 and part.cells[0] != part.cells[1]:  # most
            narrow.setdefault(part.holds, []).append(part.cells)
            continue
        part = each_once(part) if isinstance(part, Part) else part
        if isinstance(part, House):
            houses.append(part.cells)
        elif isinstance(part, Part) and len(part.cells) < 3:
            narrow.setdefault(_of_two(part), []).append((part.cells[0], part.cells[-1]))
        else:
            wide.append(part)
    told = tuple([Related(tuple(pairs), holds) for holds, pairs in narrow.items()])
    return tuple(houses), Form(tuple(wide), told)


def _of_two(part: Part) -> Holds:
    return part.holds if len(part.cells) == 2 else _of_itself(part.holds)


@cache
def _of_itself(holds: Holds) -> Holds:
    return lambda x, y: holds(x)


@cache
def _of_digits(allowed: Allowed, digits: tuple[int, ...]) -> Callable[[int, int], bool]:
    """The relation of the positions (from 1) of two digits."""
    if allowed is differ:
        return lambda x, y: x != y
    if digits[0] == 1 and digits[-1] == len(digits):
        return lambda x, y: allowed(x, y, digits[-1])
    return lambda x, y: allowed(digits[x - 1], digits[y - 1], digits[-1])


@lru_cache(maxsize=1024)
def _forbidden(holds: Callable[[int, int], bool], size: int) -> tuple[DigitPair, ...]:
    digits = range(1, size + 1)
    return tuple((x, y) for x, y in product(digits, digits) if not holds(x, y))
