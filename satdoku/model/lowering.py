"""Rules and clues as families: groups of candidates, forbidden pairs, relations, shapes and sums.

Invariant: a family reads its rule or clue and the board only. What a clue says of cells wherever
they lie is worked out once for its form, and families of that form share it; a table of digits
belongs to a relation and a size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from math import comb, isqrt
from typing import NamedTuple

from ..runtime.lazy import cached_property
from .automata import by_positions
from .board import COLUMNS, ROWS, Board, Cells, mask_of
from .clue import (
    MOST_FORMS,
    Clue,
    ClueError,
    Forms,
    Placed,
    counted_off,
    keep_form,
    put,
    spelled,
)
from .clue import placed as clues_placed
from .kinds import KINDS, form_of, lowered
from .kinds.kind import Allowed, Relation
from .rules import CandidatePair, Rule
from .shapes import (
    MOST,
    Alike,
    Automaton,
    Connected,
    DigitSets,
    Ranked,
    Regions,
    Shape,
    Sum,
    Total,
    clauses_of,
    clue_work,
    placed,
)

_UNPLANNED = Connected | Regions | Alike  # which the engine does not know
Digits = tuple[int, ...]
Support = tuple[int, tuple[int, ...]]  # a candidate, and those of which it needs one


class Table(NamedTuple):
    """Which digits two cells can hold together, by their positions x and y.

    banned: incompatible (x, y). first, second: for each x, and for each y, the compatible digits of
    the other cell; masks: these digits as masks, those for each x before those for each y. differ:
    whether equal digits are incompatible; only_differ: whether nothing else is.
    """

    banned: tuple[tuple[int, int], ...]
    first: tuple[Digits, ...]
    second: tuple[Digits, ...]
    masks: tuple[int, ...]
    differ: bool
    only_differ: bool


class Related(NamedTuple):
    """Two cells and what their digits say of each other; or one cell twice."""

    first: int
    second: int
    table: Table

    @property
    def forbids(self) -> int:
        """How many pairs of candidates it forbids, at most; none if there is none."""
        first, second, table = self
        return len(table.banned) if first != second else sum(x == y for x, y in table.banned)


def tabled(relations: Iterable[Relation], board: Board) -> tuple[Related, ...]:
    """The relations as tables of the digits of their cells."""
    domains, n, found = board.domains, board.choices, []
    known: dict[Allowed, Table] = {}
    for first, second, allowed in relations:
        if (table := known.get(allowed)) is None:
            table = _table(allowed, *domains((first, second)), n)
            if not board.layers:  # then all cells have the same digits
                known[allowed] = table
        found.append(Related(first, second, table))
    return tuple(found)


@lru_cache(maxsize=4096)
def _table(allowed: Allowed, digits: Digits, others: Digits, n: int) -> Table:
    """Positions beyond the digits of a cell, which no cell holds, go with nothing."""
    known = [tuple([y for y, d in enumerate(others) if allowed(one, d)]) for one in digits]
    first = (*known, *[()] * (n - len(digits)))
    good = [mask_of(seconds) for seconds in first]
    second = tuple([tuple([x for x in range(n) if good[x] >> y & 1]) for y in range(n)])
    banned = tuple([(x, y) for x in range(n) for y in range(n) if not good[x] >> y & 1])
    differ = not any(good[x] >> x & 1 for x in range(n))
    masks = (*good, *map(mask_of, second))
    return Table(banned, first, second, masks, differ, differ and len(banned) == n)


def forbidden_pairs(related: Related) -> Iterator[CandidatePair]:
    """The pairs (low, high) that a relation forbids, and each candidate that it leaves no partner
    as a pair with itself."""
    a, b, table = related
    n = len(table.first)
    if a == b:
        yield from ((n * a + x, n * a + x) for x, y in table.banned if x == y)
        return
    low, high = n * min(a, b), n * max(a, b)
    yield from ((low + x, high + y) if a < b else (low + y, high + x) for x, y in table.banned)
    for cell, partners in ((a, table.first), (b, table.second)):
        yield from ((n * cell + x, n * cell + x) for x in range(n) if not partners[x])


def supports_of(related: Related) -> Iterator[Support]:
    """The candidates that need a partner in the other cell. If only one digit is forbidden there,
    the pair alone propagates as much."""
    a, b, table = related
    n = len(table.first)
    if a == b:
        return
    for cell, other, partners in ((a, b, table.first), (b, a, table.second)):
        for x, digits in enumerate(partners):
            if 0 < len(digits) < n - 1:
                yield n * cell + x, tuple(n * other + y for y in digits)


CandidatePairs = tuple[CandidatePair, ...]
Group = tuple[int, ...]  # candidates of which exactly one is true


class Size(NamedTuple):
    """How large what a clue says is: about so many clauses, found by looking at so many moves."""

    clauses: int
    moves: int


NO_SIZE = Size(0, 0)
_MOST_SETS = 2000  # sets of digits that relations may allow


@dataclass(frozen=True, eq=False)  # so that it is quick to find in a cache
class Said:
    """What a clue says, of places that a family gives cells.

    relations: of two cells. shapes: of three cells or more. sums: the totals that it states, which
    its other fields say as well; its automata say no more. forbids: how many pairs of candidates
    there are at most; 0 if there is none.
    """

    relations: tuple[Related, ...] = ()
    shapes: tuple[Shape, ...] = ()
    sums: tuple[Total, ...] = ()
    forbids: int = 0
    size: Size = NO_SIZE

    @cached_property
    def distinct(self) -> tuple[Cells, ...]:
        """Places no two of which hold the same digit: all of them at once if that is so, as in a
        cage; else two and two."""
        pairs = [(a, b) for a, b, table in self.relations if table.differ and a != b]
        every = sorted({*chain.from_iterable(pairs)})
        if len({(a, b) if a < b else (b, a) for a, b in pairs}) == comb(len(every), 2):
            return (tuple(every),) if every else ()
        return tuple(dict.fromkeys(pairs))

    @cached_property
    def related(self) -> int:
        """How many relations there are."""
        return len(self.relations)

    @cached_property
    def speaks(self) -> bool:
        """Whether it says anything."""
        return bool(self.forbids or self.shapes)

    @cached_property
    def is_distinct(self) -> bool:
        """Whether its relations say nothing but that cells differ."""
        return all(table.only_differ and a != b for a, b, table in self.relations)

    @cached_property
    def is_unplanned(self) -> bool:
        """Whether the engine does not know one of its shapes."""
        return any(isinstance(shape, _UNPLANNED) for shape in self.shapes)

    @cached_property
    def has_ranks(self) -> bool:
        """Whether it compares lines by rank."""
        return any(isinstance(shape, Ranked) for shape in self.shapes)

    @cached_property
    def cages(self) -> tuple[DigitSets, ...]:
        """The shapes by sets of digits, but those that follow from others."""
        sets = tuple(s for s in self.shapes if isinstance(s, DigitSets))
        return tuple(s for s in sets if not (s.follows and self.wider))

    @cached_property
    def wider(self) -> tuple[Shape, ...]:
        """The shapes that say more than sets of digits can."""
        return tuple(s for s in self.shapes if not isinstance(s, DigitSets))

    @cached_property
    def is_sums_alone(self) -> bool:
        """Whether its totals say all that its shapes say."""
        automata = (isinstance(shape, Automaton) for shape in self.shapes)
        return bool(self.sums and self.shapes) and all(automata)

    @cached_property
    def plain(self) -> tuple[Sum, ...]:
        """The sums in which each cell counts once."""
        return tuple(s for s in self.sums if isinstance(s, Sum) and {*s.weights} == {1})

    @cached_property
    def loose(self) -> tuple[Sum, ...]:
        """Those of two cells or more that it does not keep different itself, as a cage does."""
        sets = [frozenset(some) for some in self.distinct]
        wide = (s for s in self.plain if len(s.cells) > 1)
        return tuple(s for s in wide if not any(some.issuperset(s.cells) for some in sets))

    @cached_property
    def sets_beside(self) -> tuple[DigitSets, ...]:
        """The sets of digits that follow from its other shapes, or from its relations."""
        own = tuple(s for s in self.shapes if isinstance(s, DigitSets) and s.follows)
        return (*own, self.sets) if self.sets else own

    @cached_property
    def sets(self) -> DigitSets | None:
        """What its relations say of all its places together, where every two of them are in the
        same one, in which equal digits are not: the sets of digits that go with one another. None
        if that is nothing more, or if the sets to look at are many."""
        places = sorted({*chain(*(each[:2] for each in self.relations))})
        pairs = {(a, b) if a < b else (b, a) for a, b, _ in self.relations if a != b}
        if len(places) < 3 or len(pairs) < len(self.relations) or self.shapes:
            return None
        if len(pairs) != comb(len(places), 2):
            return None
        tables = {each.table.masks for each in self.relations}
        masks, n = tables.pop(), len(self.relations[0].table.first)
        is_same = not tables and masks[:n] == masks[n:]
        if not is_same or self.distinct != (tuple(places),) or comb(n, len(places)) > _MOST_SETS:
            return None
        every = [*combinations(range(n), len(places))]
        good = [some for some in every if all(masks[x] >> y & 1 for x, y in combinations(some, 2))]
        if not good or len(good) == len(every):
            return None
        return DigitSets(tuple(places), tuple(frozenset(x + 1 for x in some) for some in good))


NOTHING = Said()
At = Sequence[int] | Mapping[int, int]  # which cell each place is


def cells_at(places: Cells, at: At) -> Cells:
    """The cells of places."""
    return tuple([at[place] for place in places])


def every_cell(at: At) -> Cells:
    """Which cell each place is, by its number; any for a place that is none."""
    if type(at) is tuple:  # most, and quick to tell
        return at
    if isinstance(at, Mapping):
        return tuple([at.get(place, 0) for place in range(max(at, default=-1) + 1)])
    return tuple(at)


@dataclass(eq=False)  # not frozen: there are many, and they would take four times as long to make
class Family:
    """The constraints of one rule, or of the cells, rows, columns or boxes.

    groups: sets of candidates of which exactly one is true. stated: pairs (low, high) of candidates
    that a rule says cannot both be true. said: what a clue says, and which cell `at` each of its
    places is. What follows is `said` of these cells.
    """

    name: str
    groups: tuple[Group, ...]
    stated: tuple[CandidatePair, ...] = ()
    said: Said = NOTHING
    at: At = ()

    @property
    def forbids(self) -> int:
        """How many pairs there are at most; 0 if there is none."""
        return len(self.stated) + self.said.forbids

    @cached_property
    def relations(self) -> tuple[Related, ...]:
        """What a clue says of two cells."""
        at = self.at
        return tuple([Related(at[a], at[b], table) for a, b, table in self.said.relations])

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """What it says of three cells or more."""
        return tuple([placed(shape, self.at) for shape in self.said.shapes])

    @cached_property
    def sums(self) -> tuple[Total, ...]:
        """The totals that a clue states."""
        return tuple([placed(total, self.at) for total in self.said.sums])

    @cached_property
    def pairs(self) -> tuple[CandidatePair, ...]:
        """Pairs (low, high) of candidates that cannot both be true, as the rule or the clue says; a
        group of another family may contain some. Pairing a candidate with itself excludes it."""
        banned = chain.from_iterable(map(forbidden_pairs, self.relations))
        return (*self.stated, *dict.fromkeys(banned))

    @cached_property
    def supports(self) -> tuple[Support, ...]:
        """A candidate and others of one cell, one of which must be true beside it. The pairs imply
        this, and it makes unit propagation arc consistent on what relates two cells."""
        return tuple(chain.from_iterable(map(supports_of, self.relations)))

    @property
    def exclusions(self) -> Iterator[CandidatePair]:
        """Every pair (low, high) of candidates that the family forbids; pairs may repeat."""
        return chain(chain.from_iterable(combinations(g, 2) for g in self.groups), self.pairs)


# All region maps of a size share their cells, rows and columns.
@lru_cache(maxsize=16)
def cells_family(cells: int, n: int) -> Family:
    groups = tuple(tuple(range(n * cell, n * cell + n)) for cell in range(cells))
    return Family("cell", groups)


def domain_family(board: Board) -> Family:
    """The candidates of cells that have fewer digits than others, paired with themselves."""
    n = board.choices
    if not board.layers:
        return Family("domain", ())
    domains = enumerate(board.domains(tuple(range(board.cells))))
    beyond = [n * cell + place for cell, digits in domains for place in range(len(digits), n)]
    return Family("domain", (), tuple((c, c) for c in beyond))


def house_family(name: str, board: Board, houses: tuple[Cells, ...]) -> Family:
    """Each digit once in a house of as many cells, and at most once in a smaller one."""
    groups, pairs = _houses(board.choices, len(board.digits), houses)
    return Family(name, groups, pairs)


@lru_cache(maxsize=64)
def _houses(
    n: int, digits: int, houses: tuple[Cells, ...]
) -> tuple[tuple[Cells, ...], CandidatePairs]:
    full = tuple(house for house in houses if len(house) == digits)
    small = (pair for house in houses if len(house) < digits for pair in combinations(house, 2))
    pairs = tuple((n * a + d, n * b + d) for a, b in dict.fromkeys(small) for d in range(digits))
    firsts = ([n * cell for cell in house] for house in full)
    groups = [tuple(map(d.__add__, first)) for first in firsts for d in range(digits)]
    return tuple(groups), pairs


def rule_family(board: Board, rule: Rule) -> Family:
    n, digits = board.choices, len(board.digits)
    houses = tuple(map(_ascending, rule.houses(board))) if rule.houses else ()
    groups, stated = _houses(n, digits, houses)
    pairs = list(stated)
    if rule.unequal:
        pairs += [(n * a + d, n * b + d) for a, b in rule.unequal(board) for d in range(digits)]
    if rule.excludes:
        pairs += rule.excludes(board)
    return Family(rule.name, groups, tuple(pairs))


@lru_cache(maxsize=16)
def _forms(board: Board) -> Forms[Said]:
    """What is said by the clues of a kind and value that go anywhere and state no houses, with
    groups of so many cells; filled in as they are met."""
    return {}


@lru_cache(maxsize=MOST_FORMS)
def _form(head: str, sizes: tuple[int, ...], board: Board) -> tuple[str, str, Said] | None:
    """What is known of clues that begin so; None if what they say depends on their cells."""
    clue = form_of(head, sizes, board)
    if clue is None or clue.parts or KINDS[clue.kind].houses or not _goes_anywhere(clue):
        return None
    try:
        said = _of_form(clue.kind, clue.value, sizes, board.digits)
    except ClueError:  # which the clue itself tells, by its name
        return None
    return clue.head, KINDS[clue.kind].order, said


def quick_families(texts: Sequence[str], board: Board) -> list[Family | None]:
    """The families of clues of known forms, without the clues; None for those that have none."""
    forms = _forms(board)
    placed = clues_placed(texts, board, forms)
    each = (found or _learnt(text, board, forms) for text, found in zip(texts, placed, strict=True))
    return [found and Family(found[0], (), (), found[1], found[2]) for found in each]


def _learnt(text: str, board: Board, forms: Forms[Said]) -> Placed[Said] | None:
    """The clue at its place, if its form was not known before."""
    (known,) = clues_placed([text], board, forms)  # by a clue before this one
    if known or (found := spelled(text, board)) is None:
        return known
    head, groups = found
    sizes = tuple([len(group) for group in groups])
    if (form := _form(head, sizes, board)) is None:
        return None
    keep_form(forms, head, sizes, form)
    return put(form, groups, board)


def clue_family(text: str, clue: Clue, clues: Iterable[Clue], board: Board) -> Family:
    """The family of a clue, one of several, which are read only where it goes by them."""
    try:
        said, at = (
            _said_at(clue, board)
            if _goes_anywhere(clue)
            else (_said(clue, tuple(clues), board), range(board.cells))
        )
    except ClueError as error:
        raise ClueError(f"clue {text[:40]}: {error}") from None
    return Family(text, *_houses_of(clue, board), said, at)


def _houses_of(clue: Clue, board: Board) -> tuple[tuple[Cells, ...], CandidatePairs]:
    """The groups of the houses that a clue states, and the pairs of smaller ones."""
    stated = KINDS[clue.kind].houses
    if not stated:
        return (), ()
    houses = tuple(map(_ascending, stated(board, clue)))
    return _houses(board.choices, len(board.digits), houses)


def _goes_anywhere(clue: Clue) -> bool:
    """Whether it says the same wherever its cells lie."""
    kind = KINDS[clue.kind]
    alone = not (kind.by_place or kind.denies)
    return alone and (not clue.parts or all(map(_goes_anywhere, clue.parts)))


def _said_at(clue: Clue, board: Board) -> tuple[Said, Cells | Mapping[int, int]]:
    """What the clue says, learnt from one of the same form on the first cells of the board, or of
    its layers, and its cells: a collection states clues of few forms in many places."""
    cells = clue.cells
    if not board.layers and not clue.parts and len({*cells}) == len(cells):  # most
        return _of_form(clue.kind, clue.value, tuple(map(len, clue.groups)), board.digits), cells
    cells = tuple(dict.fromkeys(cells))
    starts = [board.first_of[layer.name] if layer else 0 for layer in map(board.layer_at, cells)]
    first = [start + starts[:at].count(start) for at, start in enumerate(starts)]
    own = board if board.layers else _blank(len(cells), board.digits)
    said = _anywhere(_moved(clue, dict(zip(cells, first, strict=True))), own)
    return said, dict(zip(first, cells, strict=True))


@lru_cache(maxsize=4096)
def _of_form(kind: str, value: str, sizes: tuple[int, ...], digits: Digits) -> Said:
    """What a clue says of groups of so many cells each, told by their places in it."""
    return _said(Clue(kind, counted_off(sizes), value), (), _blank(sum(sizes), digits))


def _blank(cells: int, digits: Digits) -> Board:
    """A board of so many cells, or more."""
    return _square(max(len(digits), isqrt(max(cells - 1, 0)) + 1), digits)


@lru_cache(maxsize=256)
def _square(side: int, digits: Digits) -> Board:
    without = (ROWS, COLUMNS) if side > len(digits) else ()
    return Board(side, 1, side, digits=digits, without=without)


def _moved(clue: Clue, to: Mapping[int, int]) -> Clue:
    groups = tuple(tuple(to[cell] for cell in group) for group in clue.groups)
    return clue._replace(groups=groups, parts=tuple(_moved(part, to) for part in clue.parts))


@lru_cache(maxsize=1024)
def _anywhere(clue: Clue, board: Board) -> Said:
    return _said(clue, (), board)


def _said(clue: Clue, clues: tuple[Clue, ...], board: Board) -> Said:
    n, sums = board.choices, KINDS[clue.kind].sums
    with clue_work() as moves:
        relations, shapes = lowered(clue, clues, board)
    related = tabled(relations, board)
    forbids = sum([each.forbids for each in related])
    if max(forbids, len(related) * n * n // 8) > MOST:
        raise ClueError(f"it relates too many cells, {len(related)} pairs")
    size = Size(forbids + sum(clauses_of(shape, n) for shape in shapes), moves[0])
    totals = (_by_positions(said, board) for said in (sums(board, clue) if sums else ()))
    return Said(related, shapes, tuple(filter(None, totals)), forbids, size)


def _by_positions(said: Total, board: Board) -> Total | None:
    """The total of the positions of the digits in place of the digits, where one says the other; a
    stretch, of which nobody knows how many cells it has, only where both are the same."""
    if isinstance(said, Sum):
        return by_positions(said, board.domains(said.cells))
    same = board.digits == tuple(range(1, board.choices + 1))
    return said if same and len(said.cells) == len(board.digits) else None


def _ascending(cells: Cells) -> Cells:
    return tuple(sorted(cells))
