"""The clauses of clues on three cells or more, restated from the witness's sentences.

Invariant: nothing here reads a kind of clue or an encoder. The automaton of a clue is derived from
the witness's statement; the smallest one is unique once its states are numbered as they are
reached, so equal meanings give equal clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from ...witness.clues import Among, Distinct, Part, WidePart
from ...witness.regex import Matches
from . import ProofError
from .terms import Truth, derivative, truth_of, unknown_digits

Clause = tuple[int, ...]
Edge = tuple[int, int, int]  # state before, digit, state after
Fresh = Callable[[], int]
_MOST_STATES = 200_000  # a certificate must not keep its reader busy for ever


def clauses_of(part: WidePart, size: int, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of a part on three cells or more; `fresh` gives the auxiliary variables."""
    if isinstance(part, Among):
        said = [size * cell + digit for cell, digit in part.candidates]
        given = () if part.given is None else (part.given,)
        yield (*(-(size * cell + digit) for cell, digit in given), *said)
    elif isinstance(part, Distinct):
        yield from _by_sets(part, size, fresh)
    else:
        yield from _by_automaton(part, size, fresh)


def _by_automaton(part: Part, size: int, fresh: Fresh) -> Iterator[Clause]:
    """For each cell in order a variable for each edge, then one for each state before it."""
    layers = layers_of(part, size)
    if layers is None:
        first = size * part.cells[0] + 1
        yield from ((first,), (-first,))
        return
    before: list[tuple[int, int]] = []  # edge variable and the state that it leads to
    for cell, edges in zip(part.cells, layers, strict=True):
        numbered = [(fresh(), edge) for edge in edges]
        for variable, (_, digit, _) in numbered:
            yield -variable, size * cell + digit
        for state in sorted({state for _, state in before}):
            entering = [variable for variable, after in before if after == state]
            leaving = [variable for variable, edge in numbered if edge[0] == state]
            own = fresh()
            yield from ((-variable, own) for variable in entering + leaving)
            yield (-own, *entering)
            yield (-own, *leaving)
        for digit in range(1, size + 1):
            reading = [variable for variable, edge in numbered if edge[1] == digit]
            yield (-(size * cell + digit), *reading)
        before = [(variable, after) for variable, (_, _, after) in numbered]


def layers_of(part: Part, size: int) -> list[list[Edge]] | None:
    """The edges of the smallest automaton of a statement, cell by cell; None if it accepts nothing.

    Going forward, the states are what is left of the statement. Going back, those that go on alike
    become one.
    """
    start = _start(part, size)
    levels: list[dict[Truth, list[tuple[int, Truth]]]] = []
    states = {start}
    for index in range(len(part.cells)):
        level = {state: list(_onward(part, state, index, size)) for state in states}
        levels.append(level)
        states = {after for moves in level.values() for _, after in moves}
        if sum(map(len, levels)) > _MOST_STATES:
            raise ProofError(f"a clue on {len(part.cells)} cells has too many states")
    meaning: dict[Truth, object] = dict.fromkeys(states, True)
    meanings = [meaning]
    for level in reversed(levels):
        meaning = {
            state: tuple((digit, meaning[after]) for digit, after in moves if after in meaning)
            for state, moves in level.items()
        }
        known: dict[object, int] = {}
        meaning = {s: known.setdefault(m, len(known)) for s, m in meaning.items() if m}
        meanings.append(meaning)
    if start not in meaning:
        return None
    return list(_edges(start, levels, meanings[::-1]))


def _start(part: Part, size: int) -> Truth:
    """The statement, of which no digit is known."""
    if isinstance(part.holds, Matches):
        return part.holds.start
    return truth_of(part.holds(*unknown_digits(len(part.cells), size)))


def _onward(part: Part, state: Truth, index: int, size: int) -> Iterator[tuple[int, Truth]]:
    for digit in range(1, size + 1):
        left = _left(part, state, index, digit, size)
        if left is not False:
            yield digit, left


def _left(part: Part, state: Truth, index: int, digit: int, size: int) -> Truth:
    """What is left of the statement if one more digit is known; False if it is broken. A regular
    expression knows by itself what is left of it."""
    if not isinstance(part.holds, Matches):
        return derivative(state, index, digit, size)
    left = part.holds.left(state, digit)
    return part.holds.accepts(left) if index == len(part.cells) - 1 else left or False


def _edges(
    start: Truth,
    levels: list[dict[Truth, list[tuple[int, Truth]]]],
    meanings: list[dict[Truth, object]],
) -> Iterator[list[Edge]]:
    """Level by level, one representative for each meaning, numbered as they are reached."""
    here = {meanings[0][start]: (0, start)}
    for level, meaning in zip(levels, meanings[1:], strict=True):
        edges: list[Edge] = []
        there: dict[object, tuple[int, Truth]] = {}
        for number, state in here.values():
            for digit, after in level[state]:
                if after in meaning:
                    same = meaning[after]
                    edges.append((number, digit, there.setdefault(same, (len(there), after))[0]))
        yield edges
        here = there


def _by_sets(part: Distinct, size: int, fresh: Fresh) -> Iterator[Clause]:
    """A variable for each digit, that it is among the cells, then one for each set of digits."""
    digits = range(1, size + 1)
    among = {digit: fresh() for digit in digits}
    good = (some for some in combinations(digits, len(part.cells)) if part.holds(*some))
    chosen = {some: fresh() for some in good}
    yield tuple(chosen.values())
    for digit, own in among.items():
        cells = [size * cell + digit for cell in part.cells]
        yield (-own, *cells)
        yield from ((-candidate, own) for candidate in cells)
        yield (-own, *(variable for some, variable in chosen.items() if digit in some))
        yield (own, *(variable for some, variable in chosen.items() if digit not in some))
        for some, variable in chosen.items():
            yield -variable, own if digit in some else -own
