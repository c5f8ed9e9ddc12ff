"""The clauses of clues on three cells or more, restated from the witness's sentences.

Invariant: nothing here reads a kind of clue or an encoder. The smallest automaton of a statement is
unique (`witness.automata`), so equal meanings give equal clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from ...witness.automata import layers_of
from ...witness.clues import Among, Distinct, Part, WidePart
from ...witness.rules import StatementError
from . import ProofError

Clause = tuple[int, ...]
Fresh = Callable[[], int]


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
    try:
        layers = layers_of(part, size)
    except StatementError as error:
        raise ProofError(str(error)) from None
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
