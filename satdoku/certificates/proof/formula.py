"""The formula of a board and its rules, stated a second time to check certificates.

Invariant: it is restated from `witness.rules`; neither the encoder nor `Constraints` is read. So a
certificate with the encoder's formula also checks the encoder, clause by clause. The smallest
automaton of a statement on three cells or more is unique (`witness.automata`), so equal meanings
give equal clauses.

Variable n*cell + position is true if the cell holds the digit at that position (from 1) among the
board's n digits.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations, count, product

from ...model.board import Board
from ...runtime import limits
from ...runtime.errors import SatdokuError
from ...witness.automata import layers_of
from ...witness.clues import STATEMENTS as CLUES
from ...witness.clues import Among, Connected, Distinct, Part, Ranks, WidePart
from ...witness.rules import CLASSIC, STATEMENTS, Houses, Related, Stated, StatementError, stated
from . import Ints, ProofError
from .rup import split

Clause = tuple[int, ...]
Fresh = Callable[[], int]


def clauses_of(part: WidePart, size: int, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of a part on three cells or more; `fresh` gives the auxiliary variables."""
    limits.check()
    if isinstance(part, Among):
        said = [size * cell + digit for cell, digit in part.candidates]
        given = () if part.given is None else (part.given,)
        yield (*(-(size * cell + digit) for cell, digit in given), *said)
    elif isinstance(part, Distinct):
        yield from _by_sets(part, size, fresh)
    elif isinstance(part, Ranks):
        yield from _by_ranks(part, size, fresh)
    elif isinstance(part, Connected):
        raise ProofError("connected cells: no certificate states them")
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


def _by_ranks(part: Ranks, size: int, fresh: Fresh) -> Iterator[Clause]:
    """For each side a variable for each digit behind the first one of the line that begins with
    the digit; one that this line is less; and for each place one that its digit is less, one that
    it is more, one that all digits up to there are the same."""
    places, digits = range(1, len(part.own)), range(1, size + 1)
    results = []
    for side in part.sides:
        held = {(place, digit): fresh() for place in places for digit in digits}
        is_less = fresh()
        results.append(is_less)
        same = 0
        for place in places:
            here = [held[place, digit] for digit in digits]
            yield tuple(here)
            yield from ((-a, -b) for a, b in combinations(here, 2))
            for line, (digit, variable) in product(side, enumerate(here, 1)):
                first, other = size * line[0] + part.digit, size * line[place] + digit
                yield from ((-first, -other, variable), (-first, other, -variable))
            lower, higher, before, same = fresh(), fresh(), same, fresh()
            for x, y in product(digits, repeat=2):
                unless = -held[place, x], -(size * part.own[place] + y)
                yield (*unless, lower * (1 if x < y else -1))
                yield (*unless, higher * (1 if x > y else -1))
            until = (-before,) if before else ()
            yield from ((*until, -lower, is_less), (*until, -higher, -is_less))
            yield (*until, lower, higher, same)
            yield from ((-same, -lower), (-same, -higher), *[(-same, before)] * bool(before))
        yield (-same, -is_less)
        if not part.may_tie:
            yield (-same,)
    for truths in product((True, False), repeat=len(results)):
        if sum(truths) != part.less:
            yield tuple(-x if true else x for x, true in zip(results, truths, strict=True))


@lru_cache(maxsize=16)
def restated(board: Board, rules: tuple[str, ...]) -> frozenset[Clause]:
    """All clauses, literals ascending: each cell has exactly one digit, each house has each digit
    exactly once, related cells hold no two digits that the rule forbids, and a clue's two cells
    hold compatible digits.

    Raises `ProofError` for an unknown rule or one that does not fit the board.
    """
    everything = _stated(board, rules)
    for said in everything:
        _check_fits(board, said)
    groups = list(_groups(board, everything))
    clauses = {tuple(sorted(group)) for group in groups}
    clauses |= {(-b, -a) for group in groups for a, b in combinations(sorted(group), 2)}
    auxiliary = count(board.variables + 1)
    for said in everything:
        for related in said.told:
            clauses |= _forbidding(related, board.choices)
            if related.relation is None:
                clauses |= _supporting(related, board.choices)
        for part in said.wide:
            wide = clauses_of(part, board.choices, auxiliary.__next__)
            clauses |= {tuple(sorted(clause)) for clause in wide}
    return frozenset(clauses)


def variables_of(clauses: Iterable[Clause], board: Board) -> int:
    """The candidates and the auxiliary variables of clauses."""
    return max(board.variables, max((abs(x) for clause in clauses for x in clause), default=0))


def _stated(board: Board, rules: tuple[str, ...]) -> tuple[Stated, ...]:
    named = STATEMENTS.keys() - {*CLASSIC}
    for rule in rules:
        kind = re.split("[=:]", rule, maxsplit=1)[0]
        if rule not in named and kind not in CLUES:
            known = ", ".join([*sorted(named), *sorted(CLUES)])
            raise ProofError(f"rule {rule[:40]!a}: the checker knows {known}")
    try:
        return stated(board, rules)
    except (SatdokuError, ValueError, IndexError) as error:  # a value that its kind does not take
        raise ProofError(f"clue that cannot be read: {error}") from None


def _check_fits(board: Board, said: Stated) -> None:
    """Also for rows, columns and boxes: no certificate may bring a board that nothing fits."""
    rule = STATEMENTS.get(said.rule)
    sizes = {len(house) for house in said.houses}
    has_boxes = board.regions is None and board.has_boxes
    lacks_boxes = isinstance(rule, Houses) and rule.needs_boxes and not has_boxes
    says_nothing = isinstance(rule, Houses) and not (sizes or said.told)
    is_short = board.is_usual and isinstance(rule, Houses) and bool(said.told)
    if sizes - {board.choices} or lacks_boxes or says_nothing or is_short:
        raise ProofError(f"rule '{said.rule}' does not fit the board")


def _groups(board: Board, everything: Iterable[Stated]) -> Iterator[list[int]]:
    """Sets of variables of which exactly one is true: of a cell, and of a house and a digit."""
    digits = range(1, board.choices + 1)
    for cell in range(board.cells):
        yield [board.choices * cell + digit for digit in digits]
    for said in everything:
        for house, digit in product(said.houses, digits):
            yield [board.choices * cell + digit for cell in house]


def _forbidding(related: Related, size: int) -> set[Clause]:
    """For each two digits that two cells may not hold, the clause that says so."""
    return {
        tuple(sorted({-size * a - x, -size * b - y}))
        for a, b in related.pairs
        for x, y in related.forbidden(size)
        if a != b or x == y
    }


def _supporting(related: Related, size: int) -> set[Clause]:
    """For each digit of one cell the clause that the other cell holds one that goes with it; left
    out where that follows from one forbidden pair."""
    digits = range(1, size + 1)
    clauses = set()
    for first, second in related.pairs:
        for a, b, holds in (
            (first, second, related.holds),
            (second, first, lambda x, y: related.holds(y, x)),
        ):
            for x in digits:
                partners = [size * b + y for y in digits if holds(x, y)]
                if a != b and len(partners) < size - 1:
                    clauses.add((-size * a - x, *partners))
    return clauses


def difference(variables: int, clauses: Ints, board: Board, rules: tuple[str, ...]) -> str | None:
    """How clauses differ from those of the board and the rules; None if they are the same set.

    A single clause more could make any puzzle unsatisfiable.
    """
    if variables < board.variables:  # before anything is made for the board that is claimed
        return f"the CNF has {variables} variables: expected {board.variables} or more"
    stated = {tuple(sorted(clause)) for clause in split(clauses) if clause is not None}
    expected = restated(board, rules)
    if variables != variables_of(expected, board):
        return f"the CNF has {variables} variables: expected {variables_of(expected, board)}"
    if extra := stated - expected:
        return f"the CNF has {len(extra)} clauses that the rules do not state, such as {min(extra)}"
    if missing := expected - stated:
        return f"the CNF lacks {len(missing)} clauses of the rules, such as {min(missing)}"
    return None


def givens(cells: bytes, board: Board) -> Ints:
    """The unit clauses of a puzzle's givens."""
    return array("i", (n for literal in _true(cells, board) for n in (literal, 0)))


def blocking(solutions: Iterable[bytes], board: Board) -> Ints:
    """For each solution the clause that excludes it."""
    clauses = array("i")
    for cells in solutions:
        clauses.extend(-literal for literal in _true(cells, board))
        clauses.append(0)
    return clauses


def _true(cells: bytes, board: Board) -> Iterator[int]:
    return (board.choices * cell + digit for cell, digit in enumerate(cells) if digit)


def format_formula(variables: int, clauses: Ints) -> str:
    """DIMACS text; `parse_formula` reads it back."""
    lines = " ".join(map(str, clauses)).replace(" 0 ", " 0\n")
    return f"p cnf {variables} {clauses.count(0)}\n{lines}\n"
