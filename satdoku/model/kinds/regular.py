"""Kinds that are one automaton: a regular expression, a state machine, several clues at once.

Invariant: a state is a set, as bits: of the places in the pattern that may be read next, or of the
states in which the machine may be, so that a machine may have several ways on a digit. A place is a
letter of the pattern, its braces written out, or the end. Several clues read the cells of all of
them; so they need no variable that says which of them hold.

Sources: V. M. Glushkov, The abstract theory of automata, Russian Mathematical Surveys 16, 1961.
M. O. Rabin, D. Scott, Finite automata and their decision problems, IBM Journal of Research and
Development 3(2), 1959.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from ..appearance import drawn, iss, pencilmark
from ..automata import Layers, both, either
from ..board import Board, Cells, Digits, bits, mask_of
from ..clue import PATH, Clue, ClueError
from ..shapes import (
    AVAILABLE,
    MOST,
    Automaton,
    Edge,
    Shape,
    automaton,
    kept,
    moves_of,
)
from .kind import ANY, Kind, Relation
from .patterns import (
    BREAK,
    Letter,
    Pattern,
    Repeat,
    Sequel,
    Transitions,
    Tree,
    machine,
    parse,
)

if AVAILABLE:
    from .. import _automata

MOST_STATES = 4000
END = 1  # the place behind the pattern


class _Span(NamedTuple):
    """A part of the pattern: whether it matches nothing, and its first and last places."""

    is_optional: bool
    first: int
    last: int


_NOTHING = _Span(True, 0, 0)


class _Places:
    """What each place reads, and which may follow it; `start`: those that may be first."""

    def __init__(self, tree: Tree) -> None:
        self.reads: list[frozenset[int]] = [frozenset()]
        self.following = [0]
        whole = self._span(tree)
        self._link(whole.last, END)
        self.start = whole.first | END * whole.is_optional

    def after(self, state: int, digit: int) -> int:
        """The places that may be read next, once the digit is."""
        reading = (place for place in bits(state) if digit in self.reads[place])
        return reduce(or_, (self.following[place] for place in reading), 0)

    def _span(self, tree: Tree) -> _Span:
        if isinstance(tree, Letter):
            place = 1 << len(self.reads)
            self.reads.append(tree.digits)
            self.following.append(0)
            return _Span(False, place, place)
        if isinstance(tree, Repeat):
            return self._repeated(tree)
        spans = map(self._span, tree.parts)
        if isinstance(tree, Sequel):
            return reduce(self._joined, spans, _NOTHING)
        return reduce(_either, spans)

    def _repeated(self, tree: Repeat) -> _Span:
        """As many copies as there may be, the last one in a circle if there is no bound."""
        whole = _NOTHING
        for number in range(tree.low + 1 if tree.high is None else tree.high):
            copy = self._span(tree.part)
            if tree.high is None and number == tree.low:
                self._link(copy.last, copy.first)
            is_optional = copy.is_optional or number >= tree.low
            whole = self._joined(whole, copy._replace(is_optional=is_optional))
        return whole

    def _joined(self, one: _Span, other: _Span) -> _Span:
        """One after the other."""
        self._link(one.last, other.first)
        return _Span(
            one.is_optional and other.is_optional,
            one.first | other.first * one.is_optional,
            other.last | one.last * other.is_optional,
        )

    def _link(self, lasts: int, firsts: int) -> None:
        for place in bits(lasts):
            self.following[place] |= firsts


def _either(one: _Span, other: _Span) -> _Span:
    return _Span(
        one.is_optional or other.is_optional, one.first | other.first, one.last | other.last
    )


def _related(board: Board, clue: Clue) -> Iterator[Relation]:
    """Two cells: the pairs of digits that match."""
    if len(clue.cells) == 2:
        digits = board.all_digits(clue.cells)
        places = _Places(parse(clue.value, digits))
        after = {x: places.after(places.start, x) for x in digits}
        yield Relation(*clue.cells, lambda x, y: bool(places.after(after[x], y) & END))


def _matched(board: Board, clue: Clue) -> Iterator[Shape]:
    if len(clue.cells) == 2:
        return
    digits = board.all_digits(clue.cells)
    yield by_sets(clue, board, _pattern_ways(clue.value, digits))


class Ways(NamedTuple):
    """A machine with so many states: the ways between them, by the number (from 1) of a digit, or
    the number behind all for what is read between two groups; its first and last states, as bits.
    """

    moves: tuple[Edge, ...]
    starts: int
    ends: int
    states: int


@lru_cache(maxsize=64)  # many clues may have one
def _pattern_ways(text: str, digits: Digits) -> Ways:
    """A state is a place that may be read next."""
    places = _Places(parse(text, digits))
    number = {digit: place for place, digit in enumerate(digits, 1)}
    moves = [
        (place, number[digit], behind)
        for place, (read, after) in enumerate(zip(places.reads, places.following, strict=True))
        for behind in bits(after)
        for digit in read
    ]
    return Ways(tuple(moves), places.start, END, len(places.reads))


def by_sets(clue: Clue, board: Board, ways: Ways) -> Automaton:
    """The automaton whose states are sets of states, as bits."""
    firsts = tuple(accumulate(map(len, clue.groups[:-1])))  # of each group behind another
    domains, digits = board.domains(clue.cells), board.all_digits(clue.cells)
    if AVAILABLE:
        return _by_sets_in_c(clue.cells, domains, ways, firsts, digits)
    symbols = len(digits) + 1
    number = {digit: place for place, digit in enumerate(digits)}
    led = [0] * (ways.states * symbols)  # where each symbol leads from each state
    for state, symbol, after in ways.moves:
        led[symbols * state + symbol - 1] |= 1 << after
    behind: dict[int, list[int]] = {}

    def onward(states: int) -> list[int]:
        if len(behind) == MOST_STATES:
            raise _too_many()
        rows = [led[symbols * state : symbols * (state + 1)] for state in bits(states)]
        behind[states] = found = [reduce(or_, each) for each in zip(*rows, strict=True)] or [
            0
        ] * symbols
        return found

    def step(position: int, state: int, digit: int) -> int | None:
        if position in firsts:
            state = (behind.get(state) or onward(state))[-1]
        return (behind.get(state) or onward(state))[number[digit]] or None

    return automaton(
        clue.cells,
        domains,
        ways.starts,
        step,
        lambda state: bool(state & ways.ends),
        anywhere=not firsts,
    )


def _too_many() -> ClueError:
    return ClueError(f"its automaton has more than {MOST_STATES:,} states")


def _by_sets_in_c(
    cells: Cells, domains: Sequence[Digits], ways: Ways, firsts: Cells, digits: Digits
) -> Automaton:
    own = tuple(dict.fromkeys(cells))
    number = {digit: place for place, digit in enumerate(digits)}
    places = {cell: place for place, cell in enumerate(own)}
    known = dict(zip(cells, domains, strict=True))
    layers = _layers_by_sets(
        ways,
        len(digits) + 1,
        tuple([places[cell] for cell in cells]),
        firsts,
        tuple([tuple([number[digit] for digit in known[cell]]) for cell in own]),
    )
    return Automaton(own, layers)


@kept(64)  # a clue is read when it is checked, and again when its meaning is asked
def _layers_by_sets(
    ways: Ways, symbols: int, places: Cells, firsts: Cells, domains: tuple[Digits, ...]
) -> Layers:
    try:
        return _automata.by_sets(
            ways.moves,
            tuple(bits(ways.starts)),
            tuple(bits(ways.ends)),
            ways.states,
            symbols,
            MOST_STATES,
            places,
            firsts,
            [*domains],
            moves_of(len(domains), MOST),
        )
    except OverflowError:
        raise _too_many() from None


def _readable(board: Board, clue: Clue) -> None:
    parse(clue.value, board.all_digits(clue.cells))


REGEX = Kind(
    "regex",
    "digits [along {the} {it}, read from the cell with the text,|from the first cell to the last, "
    "read as one text,] match the regular expression [there|{value}]",
    "regex=.*(12|21).*:r1c1-r1c9",
    relations=_related,
    shapes=_matched,
    order=PATH,
    value=Pattern(),
    check=_readable,
    look=drawn(
        "labelled",
        5,
        "olive line",
        alike="lines",
        mark="white bars",
        colour="#b3bf6e",
    ),
    called=("Pattern", "regular expression"),
    abroad=(
        iss("Regex", "pattern"),
        iss("Pair", "table"),
        iss("PairX", "table", every=True),
        iss("Binary", "table", old=True),
        iss("BinaryX", "table", every=True, old=True),
        pencilmark("first_seen", "first-seen"),
        pencilmark("appears", "twice"),
        pencilmark("table", "rows"),
    ),
)


def _led(board: Board, clue: Clue) -> Iterator[Shape]:
    yield by_sets(clue, board, _machine_ways(clue.value, board.all_digits(clue.cells)))


@lru_cache(maxsize=64)  # many clues may have one
def _machine_ways(text: str, digits: Digits) -> Ways:
    read = machine(text, digits)
    named = (state for move in read.transitions for state in (move.state, move.after))
    states = dict.fromkeys((read.start, *named, *read.ends))
    number = {state: place for place, state in enumerate(states)}
    symbol = {digit: place for place, digit in enumerate((*digits, BREAK), 1)}
    moves = [
        (number[state], symbol[digit], number[behind])
        for state, some, behind in read.transitions
        for digit in some
    ]
    return Ways(tuple(moves), 1, mask_of(number[state] for state in read.ends), len(number))


def _goes_on(board: Board, clue: Clue) -> None:
    read = machine(clue.value, board.all_digits(clue.cells))
    if len(clue.groups) > 1 and not read.breaks:
        raise ClueError("several groups of cells: expected a transition between them, as a-/>b")


MACHINE = Kind(
    "machine",
    "digits [along {the} {it}, from its dot on,|from the first cell to the last] lead through the "
    "states of the machine {value}",
    "machine=a-[2468]>a,a-[13579]>b,b-[13579]>a,a*:r1c1-r1c9",
    shapes=_led,
    groups=(1, ANY),
    order=PATH,
    value=Transitions(),
    check=_goes_on,
    look=drawn(
        "begun",
        5,
        "beige line",
        alike="lines",
        mark="white dots and dashes",
        colour="#d9c4b0",
        is_captioned=True,
    ),
    called=("State machine", "NFA", "finite automaton"),
    abroad=(iss("NFA", "states"),),
)

KINDS = REGEX, MACHINE


JOINS = (
    Kind(
        "or",
        "at least one of these [pale |]clues holds",
        "or:(thermo:r1c1,r2c1,r2c2),(cage=5:r1c1,r1c2)",
        groups=(0, 0),
        joins=either,
        look=drawn("parts", 14, "pale", is_pale=True, is_captioned=True),
        called=("Either-or", "disjunction"),
        abroad=(iss("Or", "joined"),),
    ),
    Kind(
        "and",
        "all of these clues hold",
        "and:(odd:r1c1),(even:r1c2)",
        groups=(0, 0),
        joins=both,
        look=drawn("parts", 14, "", is_captioned=True),
        called=("Both", "conjunction"),
        abroad=(iss("And", "joined"),),
    ),
)
