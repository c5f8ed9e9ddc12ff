"""What a clue says of three cells or more, in forms that an encoder can write.

Invariant: a shape is data about cells and digits; how it becomes clauses is told in `cnf`. Digits
are told by their positions (from 1) on the board, as candidates are.

An automaton reads the digits of its cells one after another. It is layered: a state belongs to the
number of cells read before it. The one built here is the smallest of its language.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from ..runtime import limits
from .board import Cells
from .clue import ClueError

try:
    from . import _automata
except ImportError:  # built without a compiler
    AVAILABLE = False
else:
    AVAILABLE = True

# Rules may come from a file: what a clue says may be so large, in moves of an automaton, candidates
# or forbidden pairs of digits. A slow thermometer in all 81 cells forbids 116,640 pairs.
MOST = 1 << 20
MOST_WORK = 4 * MOST  # moves that are looked at for one clue, however few of them are kept

S = TypeVar("S", bound=Hashable)
P = ParamSpec("P")
R = TypeVar("R")
_Known = tuple[S, tuple[tuple[int, int], ...]]  # a state, and cells that come again, with digits
Candidate = tuple[int, int]  # cell (0-based), position of the digit (from 1)
Edge = tuple[int, int, int]  # state before the cell, position of the digit (from 1), state after it


class Automaton(NamedTuple):
    """The sequence of digits of the cells, each of which stands there once, is accepted.

    layers: for each cell the edges on which its digit is read, by state and digit. States are
    numbered within their layer in the order in which these edges reach them; there is one state
    before the first cell and one after the last. Without any edges nothing is accepted.
    """

    cells: Cells
    layers: tuple[tuple[Edge, ...], ...]

    @property
    def moves(self) -> int:
        """How many edges there are."""
        return sum(map(len, self.layers))


class Tally(Automaton):
    """An automaton of different cells with the same digits: one of these, by its position (from 1),
    stands there as often as one of some numbers says. said: the layers, the digit, the numbers."""

    __slots__ = ()

    def __new__(cls, cells: Cells, said: Any) -> Tally:
        return super().__new__(cls, cells, said)

    @property
    def layers(self) -> tuple[tuple[Edge, ...], ...]:
        return self._said[0]

    @property
    def digit(self) -> int:
        return self._said[1]

    @property
    def times(self) -> frozenset[int]:
        return self._said[2]

    @property
    def _said(self) -> tuple[tuple[tuple[Edge, ...], ...], int, frozenset[int]]:
        said: tuple[tuple[tuple[Edge, ...], ...], int, frozenset[int]] = cast("Any", self[1])
        return said


class DigitSets(NamedTuple):
    """The cells hold the digits of one of the sets, and no others. If these are as many as the
    cells, each stands once; otherwise automata say how often it does, and this follows from them.
    """

    cells: Cells
    sets: tuple[frozenset[int], ...]

    @property
    def follows(self) -> bool:
        """Whether other shapes say it, too, if not as soon."""
        return any(len(some) < len(self.cells) for some in self.sets)


class OneOf(NamedTuple):
    """At least one of the candidates holds; with `given`, if that one holds."""

    candidates: tuple[Candidate, ...]
    given: Candidate | None = None


class Ranked(NamedTuple):
    """So many lines are less than the first one, compared digit by digit, of three others: on each
    of three sides that which begins with a digit, as the first one does.

    cells: those of the first line, then those of all lines of the sides, one after the other.
    length: cells of a line; there are as many lines on a side. digit: its position (from 1). less:
    how many of the three. may_tie: whether one of them may equal it.
    """

    cells: Cells
    length: int
    digit: int
    less: int
    may_tie: bool

    @property
    def lines(self) -> list[Cells]:
        """The first one, and all others."""
        starts = range(0, len(self.cells), self.length)
        return [self.cells[start : start + self.length] for start in starts]


class Connected(NamedTuple):
    """The cells that hold one of some digits are connected; if there are any, at least and at most
    so many. No clause says it: `answers.flooding` does while a solver searches.

    held: the positions (from 1) of these digits. edges: pairs of cells that touch, by their places
    among `cells`; the place behind the last cell is outside, which counts as one that holds them.
    """

    cells: Cells
    held: frozenset[int]
    edges: tuple[tuple[int, int], ...]
    least: int
    most: int


class Regions(NamedTuple):
    """The labels cut the grid into connected regions of as many cells, with no digit twice.

    cells: those of the grid, then for each of them the cell that holds the label of its region.
    labels: how many. lines: for each label a house; the region whose digit in position `first`
    (from 1) is in that house has the label. across: other houses that cut the grid. edges: pairs of
    cells that touch.
    """

    cells: Cells
    labels: int
    first: int
    lines: tuple[Cells, ...]
    across: tuple[Cells, ...]
    edges: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """Cells of a region."""
        return len(self.cells) // 2 // self.labels


class Alike(NamedTuple):
    """The first cell tells how many of the others hold what the second one holds, less a number.

    arms: places among the cells, of which the first is always the second cell and counts once.
    is_run: of each arm only the cells up to the first that holds something else are counted.
    tells: the digits of the first cell.
    """

    cells: Cells
    arms: tuple[tuple[int, ...], ...]
    is_run: bool
    less: int
    tells: tuple[int, ...]
    choices: int


class Varied(NamedTuple):
    """The last cell tells how many different values the others, of one layer, hold. tells: the
    digits of the last cell; choices: how many values the layer has."""

    cells: Cells
    tells: tuple[int, ...]
    choices: int


class Sum(NamedTuple):
    """The digits of the cells, each times its weight, add up to the total."""

    cells: Cells
    weights: tuple[int, ...]
    total: int


class Stretch(NamedTuple):
    """The digits of a stretch of the cells, a whole house, add up to the total: those between its
    lowest and its highest digit; if `is_counted`, the first ones, as many as the first says."""

    cells: Cells
    total: int
    is_counted: bool


Shape = Automaton | DigitSets | OneOf | Varied | Ranked | Connected | Regions | Alike
Total = Sum | Stretch
Said = TypeVar("Said", bound=Shape | Total)


def placed(said: Said, cells: Sequence[int] | Mapping[int, int]) -> Said:
    """The same of other cells, which are given for each of its own."""
    if isinstance(said, OneOf):
        candidates = tuple((cells[cell], digit) for cell, digit in said.candidates)
        given = said.given and (cells[said.given[0]], said.given[1])
        return said._replace(candidates=candidates, given=given)
    make: Any = type(said)
    moved: Said = make(tuple([cells[cell] for cell in said.cells]), *said[1:])
    return moved


def automaton(
    cells: Cells,
    domains: Sequence[Sequence[int]],
    start: S,
    step: Callable[[int, S, int], S | None],
    accepts: Callable[[S], bool],
    *,
    most: int = MOST,
    anywhere: bool = False,
) -> Automaton:
    """The smallest layered automaton of a rule that reads the cells in order.

    domains: the digits of each cell, ascending. step: takes how many cells were read, the state and
    the next digit, and gives the next state, or None if the sequence is lost. A cell may come
    again, and its digit is read again. most: moves, or it is refused. anywhere: how many cells were
    read makes no difference to a step. Source: the reduction is that of decision diagrams, from the
    last layer on: R. E. Bryant, Graph-Based Algorithms for Boolean Function Manipulation, IEEE
    Transactions on Computers C-35, 1986.
    """
    if len({*cells}) < len(cells):
        return _each_once(cells, domains, start, step, accepts, most)
    make = _automata.built if AVAILABLE else built
    check = moves_of(len(cells), most)
    return Automaton(cells, make([*domains], start, step, accepts, check, anywhere))


def moves_of(cells: int, most: int) -> Callable[[int], None]:
    """Adds up the moves of one automaton, and refuses more than so many."""
    moves = 0

    def check(more: int) -> None:
        nonlocal moves
        moves += more
        if moves > most:
            raise ClueError(f"its {cells} cells are too many: more than {most:,} moves")
        work(more)

    return check


def built(
    domains: Sequence[Sequence[int]],
    start: S,
    step: Callable[[int, S, int], S | None],
    accepts: Callable[[S], bool],
    check: Callable[[int], None],
    anywhere: bool,
) -> tuple[tuple[Edge, ...], ...]:
    """The layers of an `automaton`, in Python; check: takes how many moves are looked at next."""
    reached: list[dict[S, dict[int, S]]] = []
    states: Collection[S] = (start,)
    for position, digits in enumerate(domains):
        check(len(digits) * len(states))
        known = reached[-1] if anywhere and position and digits == domains[position - 1] else {}
        layer = {s: known.get(s) or _moves(s, position, digits, step) for s in states}
        reached.append(layer)
        states = dict.fromkeys(after for moves in layer.values() for after in moves.values())
    return _reduced(reached, {state for state in states if accepts(state)})


def clauses_of(shape: Shape, size: int) -> int:
    """About how many clauses of three literals or so say what the shape says."""
    if isinstance(shape, OneOf):
        return -(-len(shape.candidates) // 3)
    if isinstance(shape, DigitSets):
        return len(shape.sets) * size
    if isinstance(shape, Connected):
        return len(shape.cells) * (len(shape.held) + 1)
    if isinstance(shape, Regions):
        return 4 * len(shape.cells) * shape.labels * size
    if isinstance(shape, Alike):
        return len(shape.cells) * (3 * shape.choices + len(shape.cells))
    if isinstance(shape, Varied):
        return len(shape.cells) * shape.choices + shape.choices**2
    if isinstance(shape, Ranked):
        return 12 * size**2 * (shape.length - 1)
    return 3 * shape.moves


@lru_cache(maxsize=4096)
def sets_of(count: int, total: int, digits: tuple[int, ...]) -> tuple[frozenset[int], ...]:
    """The sets of so many digits that add up to the total, by their positions (from 1)."""
    return tuple(map(frozenset, _sets(count, total, digits, 0)))


def _sets(count: int, total: int, digits: tuple[int, ...], first: int) -> Iterator[tuple[int, ...]]:
    """Those of digits from one on, ascending."""
    if count == 0:
        yield from [()] * (total == 0)
        return
    rest = count - 1
    most = sum(digits[-rest:]) if rest else 0
    for place in range(first, len(digits) - rest):
        if sum(digits[place : place + count]) > total:
            break
        if total - digits[place] <= most:
            further = _sets(rest, total - digits[place], digits, place + 1)
            yield from ((place + 1, *some) for some in further)


def number_of_sets(count: int, total: int, digits: tuple[int, ...]) -> int:
    """How many there are, counted without making them."""
    more, width = total - count * digits[0], len(digits)
    if more < 0 or count > width:
        return 0
    return _numbers_of_sets(digits)[count] >> width * more & (1 << width) - 1


@lru_cache(maxsize=64)
def _numbers_of_sets(digits: tuple[int, ...]) -> list[int]:
    """For 0, 1, 2, ... digits how many sets there are of each total from the first one on that the
    lowest digit could give, each in as many bits as there are digits: no number is larger."""
    ways, width = [1] + [0] * len(digits), len(digits)
    for digit in digits:
        for some in range(len(digits), 0, -1):
            ways[some] += ways[some - 1] << width * (digit - digits[0])
    return ways


_work: ContextVar[list[int]] = ContextVar("_work")


@contextmanager
def clue_work() -> Iterator[list[int]]:
    """What `work` adds up for one clue; a clue that takes more than `MOST_WORK` is refused."""
    token = _work.set(done := [0])
    try:
        yield done
    finally:
        _work.reset(token)


def work(moves: int) -> None:
    """So many moves, or what takes as long, come next; the clock is looked at as well."""
    limits.check()
    done = _work.get([0])
    done[0] += moves
    if done[0] > MOST_WORK:
        raise ClueError(f"it is too large: more than {MOST_WORK:,} moves of automata")


def kept(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep so many results of a function, as `lru_cache` does. Each counts, whenever it is asked
    for, as the work that it took: limits do not depend on what was read before."""

    def keep(make: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(most)
        def made(*args: Any, **named: Any) -> tuple[R, int]:
            with clue_work() as moves:
                result = make(*args, **named)
            return result, moves[0]

        @wraps(make)
        def asked(*args: P.args, **named: P.kwargs) -> R:
            result, moves = made(*args, **cast("dict[str, Any]", named))
            work(moves)
            return result

        asked.__dict__["cache_clear"] = made.cache_clear
        return asked

    return keep


def _each_once(
    cells: Cells,
    domains: Sequence[Sequence[int]],
    start: S,
    step: Callable[[int, S, int], S | None],
    accepts: Callable[[S], bool],
    most: int,
) -> Automaton:
    """The automaton of a rule that reads some cells again: where a cell comes first, its digit is
    read there and at once wherever cells that are known follow. A state holds the digits of those
    that come again."""
    first: dict[int, int] = {}
    for position, cell in enumerate(cells):
        first.setdefault(cell, position)
    last = {cell: position for position, cell in enumerate(cells)}
    own = tuple(first)
    stops = [*first.values(), len(cells)][1:]

    def onward(place: int, known: _Known[S], digit: int) -> _Known[S] | None:
        state: S | None = known[0]
        at, cell = first[own[place]], own[place]
        if stops[place] == at + 1:  # most: nothing is read again here
            after = step(at, known[0], digit)
            more = ((cell, digit),) if last[cell] > at else ()
            return None if after is None else (after, known[1] + more)
        read = {**dict(known[1]), cell: digit}
        for position in range(at, stops[place]):
            if state is not None:
                state = step(position, state, read[cells[position]])
        kept = tuple((c, x) for c, x in read.items() if last[c] >= stops[place])
        return None if state is None else (state, kept)

    none: _Known[S] = (start, ())
    each = [domains[first[cell]] for cell in own]
    return automaton(own, each, none, onward, lambda known: accepts(known[0]), most=most)


def _moves(
    state: S, position: int, digits: Sequence[int], step: Callable[[int, S, int], S | None]
) -> dict[int, S]:
    """The states that follow, by the positions (from 1) of the digits read."""
    moves = {}
    for place, digit in enumerate(digits, 1):
        after = step(position, state, digit)
        if after is not None:
            moves[place] = after
    return moves


def _reduced(
    reached: list[dict[S, dict[int, S]]], accepted: set[S]
) -> tuple[tuple[Edge, ...], ...]:
    """The edges of states from which the end can be reached; states that go on alike are one."""
    number: dict[S, int] = dict.fromkeys(accepted, 0)
    layers: list[tuple[Edge, ...]] = []
    for layer in reversed(reached):
        classes: dict[tuple[tuple[int, int], ...], int] = {}
        before: dict[S, int] = {}
        for state, moves in layer.items():
            onward = tuple((d, number[after]) for d, after in moves.items() if after in number)
            if onward:
                before[state] = classes.setdefault(onward, len(classes))
        layers.append(tuple((s, d, after) for onward, s in classes.items() for d, after in onward))
        number = before
    return tuple(_numbered(layers[::-1]))


def _numbered(layers: list[tuple[Edge, ...]]) -> Iterator[tuple[Edge, ...]]:
    """States numbered as they are reached, so that equal languages give equal data."""
    number = {0: 0}
    for layer in layers:
        edges = sorted((number[state], digit, after) for state, digit, after in layer)
        number = {}
        for _, _, after in edges:
            number.setdefault(after, len(number))
        yield tuple((state, digit, number[after]) for state, digit, after in edges)
