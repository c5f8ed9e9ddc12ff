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
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, count, pairwise, product
from typing import NamedTuple

from ...model.board import Board, CellPair, Cells
from ...runtime import limits
from ...runtime.errors import SatdokuError, counted
from ...witness.automata import equation_of, layers_of
from ...witness.clues import STATEMENTS as CLUES
from ...witness.clues import (
    Among,
    Connected,
    Counted,
    Distinct,
    Divided,
    Holds,
    Part,
    Ranks,
    Told,
    Used,
    WidePart,
)
from ...witness.rules import (
    CLASSIC,
    STATEMENTS,
    DigitPair,
    Houses,
    Related,
    Stated,
    StatementError,
    stated,
)
from . import Ints, ProofError
from .rup import split
from .sums import Adder, Derived, Equation, by_sets

Clause = tuple[int, ...]
Fresh = Callable[[], int]


class Connection(NamedTuple):
    """Cells of which those that have a label are connected, which no clause says.

    literals: for each cell, that it has the label. edges: pairs of places among them that touch.
    sizes: the least and the greatest number of cells that have it, if any does.
    """

    literals: Clause
    edges: tuple[tuple[int, int], ...]
    sizes: tuple[int, int]


def clauses_of(part: WidePart, board: Board, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of a part on three cells or more; `fresh` gives the auxiliary variables."""
    limits.check()
    size, counts = board.choices, _counts(board, part.cells)
    if isinstance(part, Among):
        said = [size * cell + digit for cell, digit in part.candidates]
        given = () if part.given is None else (part.given,)
        yield (*(-(size * cell + digit) for cell, digit in given), *said)
    elif isinstance(part, Distinct | Used):
        yield from _by_sets(part, size, counts[0], fresh)
    elif isinstance(part, Told):
        yield from _by_variety(part, size, board, fresh)
    elif isinstance(part, Ranks):
        yield from _by_ranks(part, size, fresh)
    elif isinstance(part, Divided):
        yield from _by_meetings(part, size, fresh)
    elif isinstance(part, Counted):
        yield from _by_counts(part, size, fresh)
    elif isinstance(part, Connected):
        yield from _by_cells(part, size, connection_of(part, fresh).literals)
    else:
        yield from _by_automaton(part, size, counts, fresh)


def _counts(board: Board, cells: Cells) -> Cells:
    """How many digits each of the cells has, the first ones of its candidates."""
    return tuple(map(len, board.domains(cells)))


def _by_automaton(part: Part, size: int, counts: Cells, fresh: Fresh) -> Iterator[Clause]:
    """For each cell in order a variable for each edge, then one for each state before it."""
    try:
        layers = layers_of(part, size, counts)
    except StatementError as error:
        raise ProofError(str(error)) from None
    if layers is None:
        first = size * part.cells[0] + 1
        yield from ((first,), (-first,))
        return
    entering: dict[int, list[int]] = {}  # the edges that lead to each state
    for cell, edges in zip(part.cells, layers, strict=True):
        numbered = [(fresh(), edge) for edge in edges]
        leaving: dict[int, list[int]] = {}
        for variable, (state, digit, _) in numbered:
            leaving.setdefault(state, []).append(variable)
            yield -variable, size * cell + digit
        for state in sorted(entering):
            own = fresh()
            yield from ((-variable, own) for variable in entering[state] + leaving[state])
            yield (-own, *entering[state])
            yield (-own, *leaving[state])
        for digit in range(1, size + 1):
            reading = [variable for variable, edge in numbered if edge[1] == digit]
            yield (-(size * cell + digit), *reading)
        entering = {}
        for variable, (_, _, state) in numbered:
            entering.setdefault(state, []).append(variable)


def _by_sets(part: Distinct | Used, size: int, count: int, fresh: Fresh) -> Iterator[Clause]:
    """A variable for each digit, that it is among the cells, then one for each set of digits, of
    which each cell has so many."""
    cells = len(part.cells)
    each = range(1, cells + 1) if isinstance(part, Used) else (cells,)
    sets = chain.from_iterable(combinations(range(1, count + 1), number) for number in each)
    good = [some for some in sets if part.holds(*some, *some[:1] * (cells - len(some)))]
    if isinstance(part, Used) and not good:
        return  # the other parts say that nothing holds
    yield from by_sets(part.cells, size, good, fresh)[-1]


def connection_of(part: Connected, fresh: Fresh) -> Connection:
    """What is connected, with a variable for each cell in order, and one for outside."""
    own = tuple(fresh() for _ in range(len(part.cells) + part.is_open))
    return Connection(own, part.edges, (part.least, part.most))


def _by_cells(part: Connected, size: int, own: Clause) -> Iterator[Clause]:
    """A cell's variable says that it holds one of the digits, and that of outside is true; that
    they are connected is said by lemmas only."""
    for cell, variable in zip(part.cells, own, strict=False):
        held = [size * cell + digit for digit in sorted(part.held)]
        yield (-variable, *held)
        yield from ((-candidate, variable) for candidate in held)
    if part.is_open:
        yield (own[-1],)


def _by_meetings(part: Divided, size: int, fresh: Fresh) -> Iterator[Clause]:
    """For each digit, label and line, then each column, a variable that they meet there; for cells
    that touch one that their labels are the same."""
    number = len(part.cells) // 2
    digits = range(1, number // part.labels + 1)
    labels = range(1, part.labels + 1)

    def held(cell: int, digit: int) -> int:
        return size * part.cells[cell] + digit

    def lies(cell: int, label: int) -> int:
        return size * part.cells[number + cell] + label

    for lines, digit in product(filter(None, (part.lines, part.across)), digits):
        ways = [[fresh() for _ in lines] for _ in labels]
        for label, way in zip(labels, ways, strict=True):
            for own, line in zip(way, lines, strict=True):
                for cell in line:
                    meets = -held(cell, digit)
                    yield from ((meets, -lies(cell, label), own), (meets, -own, lies(cell, label)))
        for way in (*ways, *map(list, zip(*ways, strict=True))):
            yield tuple(way)
            yield from ((-a, -b) for a, b in combinations(way, 2))
    for cell, label in product(range(number), labels):
        near = [sum(pair) - cell for pair in part.edges if cell in pair]
        yield (-lies(cell, label), *(lies(other, label) for other in near))
    for a, b in part.edges:
        same = fresh()
        yield from _same_held([(lies(a, x), lies(b, x)) for x in labels], same)
        yield from ((-same, -held(a, x), -held(b, x)) for x in digits)
    for label, line in zip(labels, part.lines, strict=True):
        yield from ((-held(cell, part.first), lies(cell, label)) for cell in line)


def _same_held(values: Iterable[tuple[int, int]], same: int) -> Iterator[Clause]:
    for a, b in values:
        yield from ((-a, -b, same), (-a, -same, b), (-b, -same, a))


def _by_counts(part: Counted, size: int, fresh: Fresh) -> Iterator[Clause]:
    """A variable for each cell that holds the same; of a run, one for each cell behind the second
    that all so far do; then for pairs of counts, ever longer ones, variables "at least so many"."""
    places = dict.fromkeys(place for arm in part.arms for place in arm[1:])
    first = part.cells[part.arms[0][0]]
    same = {place: fresh() for place in places}
    for place, variable in same.items():
        other = part.cells[place]
        values = range(1, part.choices + 1)
        yield from _same_held([(size * first + x, size * other + x) for x in values], variable)
    counts: list[list[int]] = []
    for arm in part.arms:
        own = [same[place] for place in arm[1:]]
        if not part.is_run:
            counts += [[literal] for literal in own]
            continue
        for at in range(1, len(own)):
            last, so_far, own[at] = own[at], own[at - 1], fresh()
            yield from ((-own[at], so_far), (-own[at], last), (own[at], -so_far, -last))
        counts.append(own)
    teller = [(size * part.cells[0] + at, d - 1 + part.less) for at, d in enumerate(part.tells, 1)]
    yield from _as_many([own for own in counts if own], teller, fresh)


def _by_variety(part: Told, size: int, board: Board, fresh: Fresh) -> Iterator[Clause]:
    """A variable for each digit, that one of the cells holds it; then their count."""
    *others, teller = part.cells
    held, tells = (board.domains((cell,))[0] for cell in (others[0], teller))
    among = []
    for at in range(1, len(held) + 1):
        among.append(fresh())
        cells = [size * cell + at for cell in others]
        yield (-among[-1], *cells)
        yield from ((-own, among[-1]) for own in cells)
    told = [(size * teller + at, digit) for at, digit in enumerate(tells, 1)]
    yield from _as_many([[own] for own in among], told, fresh)


def _as_many(
    counts: list[list[int]], told: list[tuple[int, int]], fresh: Fresh
) -> Iterator[Clause]:
    """Of the variables, each of which implies those before it in its list, so many hold as the
    candidate that is told says; told: candidates, each with a number."""
    while len(counts) > 1:
        rest = counts[len(counts) // 2 * 2 :]
        merged = []
        for left, right in zip(counts[::2], counts[1::2], strict=False):
            merged.append([fresh() for _ in (*left, *right)])
            yield from _at_least(left, right, merged[-1])
        counts = merged + rest
    reached = counts[0] if counts else []
    for candidate, number in told:
        if not 0 <= number <= len(reached):
            yield (-candidate,)
            continue
        yield from ((-candidate, x) for x in reached[number - 1 : number] if number)
        yield from ((-candidate, -x) for x in reached[number : number + 1])


def _at_least(one: list[int], other: list[int], both: list[int]) -> Iterator[Clause]:
    yield from ((-more, less) for less, more in pairwise(both))
    for i, j in product(range(len(one) + 1), range(len(other) + 1)):
        if i + j:
            parts = [-x for x in (*one[:i][-1:], *other[:j][-1:])]
            yield (*parts, both[i + j - 1])
        if i + j < len(both):
            yield (*one[i : i + 1], *other[j : j + 1], -both[i + j])


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


def restated(
    board: Board, rules: tuple[str, ...], sums: tuple[Derived, ...] = ()
) -> frozenset[Clause]:
    """All clauses, literals ascending: each cell has exactly one digit, each house has each digit
    exactly once, related cells hold no two digits that the rule forbids, and a clue's two cells
    hold compatible digits. Sums stand in place of the equations that they name.

    Raises `ProofError` for an unknown rule, one that does not fit the board, or a sum that does not
    follow.
    """
    return _restated(board, rules, sums)[0]


def connections(
    board: Board, rules: tuple[str, ...], sums: tuple[Derived, ...] = ()
) -> tuple[Connection, ...]:
    """What must be connected beside the clauses of `restated`; lemmas of a proof may say so."""
    return _restated(board, rules, sums)[1]


@lru_cache(maxsize=16)
def _restated(
    board: Board, rules: tuple[str, ...], sums: tuple[Derived, ...]
) -> tuple[frozenset[Clause], tuple[Connection, ...]]:
    try:
        return _all_of(board, _stated(board, rules), rules, sums)
    except SatdokuError:
        raise
    except (ValueError, LookupError, ArithmeticError) as error:  # a value like that of no clue
        raise ProofError(f"clue that cannot be stated: {error}") from None


def _all_of(
    board: Board,
    everything: tuple[Stated, ...],
    rules: tuple[str, ...],
    sums: tuple[Derived, ...],
) -> tuple[frozenset[Clause], tuple[Connection, ...]]:
    for said in everything:
        _check_fits(board, said)
    groups = list(_groups(board, everything))
    clauses = {tuple(sorted(group)) for group in groups}
    clauses |= {(-b, -a) for group in groups for a, b in combinations(sorted(group), 2)}
    fresh = count(board.variables + 1).__next__
    found: list[Connection] = []
    equations = _equations(board, everything, rules, sums)
    summed = {rules[number] for number in equations}
    for said in everything:
        for related in said.told:
            clauses |= _forbidding(related, board)
            if related.relation is None:
                clauses |= _supporting(related, board)
        for part in said.wide:
            if type(part) is Part and said.rule in summed:
                continue  # it is the equation that a sum names
            if isinstance(part, Connected):
                found.append(connection_of(part, fresh))
                wide = _by_cells(part, board.choices, found[-1].literals)
            else:
                wide = clauses_of(part, board, fresh)
            clauses |= {tuple(sorted(clause)) for clause in wide}
    if sums:
        houses = [house for said in everything for house in said.houses]
        differ = _differing(board, clauses)
        adder = Adder(board.cells, board.choices, differ, houses, equations, fresh)
        clauses |= {tuple(sorted(clause)) for each in sums for clause in adder.clauses(each)}
    return frozenset(clauses), tuple(found)


def _differing(board: Board, clauses: Collection[Clause]) -> Callable[[int, int], bool]:
    """Whether clauses say that two cells hold no digit both."""
    size, known = board.choices, frozenset(clauses)

    def differ(a: int, b: int) -> bool:
        low, high = sorted((size * a, size * b))
        return all((-high - digit, -low - digit) in known for digit in range(1, size + 1))

    return differ


def _equations(
    board: Board,
    everything: tuple[Stated, ...],
    rules: tuple[str, ...],
    sums: tuple[Derived, ...],
) -> dict[int, Equation]:
    """The equations that the clues are which sums name, by their numbers among the rules: of a clue
    all that it says of three cells or more."""
    if sums and board.layers:
        raise ProofError("sums on a board with layers")
    by_text = {said.rule: said for said in everything}
    equations = {}
    for number in {number for told in sums for _, number in told.clues}:
        said = by_text.get(rules[number]) if 0 <= number < len(rules) else None
        if said and len(said.wide) == 1:
            (part,) = said.wide
            if found := equation_of(part, board.choices):
                equations[number] = Equation.of(part.cells, *found)
    return equations


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
    if sizes - {len(board.digits)} or lacks_boxes or says_nothing or is_short:
        raise ProofError(f"rule '{said.rule}' does not fit the board")


def _groups(board: Board, everything: Iterable[Stated]) -> Iterator[list[int]]:
    """Sets of variables of which exactly one is true: of a cell, and of a house and a digit."""
    for cell in range(board.cells):
        yield [board.choices * cell + digit for digit in range(1, board.choices + 1)]
    digits = range(1, len(board.digits) + 1)
    for said in everything:
        for house, digit in product(said.houses, digits):
            yield [board.choices * cell + digit for cell in house]


def _forbidding(related: Related, board: Board) -> set[Clause]:
    """For each two digits that two cells may not hold, the clause that says so."""
    size = board.choices
    return {
        tuple(sorted({-size * a - x, -size * b - y}))
        for a, b in related.pairs
        for x, y in _forbidden(related, board, (a, b))
        if a != b or x == y
    }


def _forbidden(related: Related, board: Board, pair: CellPair) -> Iterable[DigitPair]:
    """The digits that two cells may not hold: rules speak of the grids' digits, and a clue's cells
    hold none beyond their own."""
    if related.relation is not None:
        return related.forbidden(len(board.digits))
    first, second = _counts(board, pair)
    return _forbidden_to(related.holds, board.choices, first, second)


@lru_cache(maxsize=1024)
def _forbidden_to(holds: Holds, size: int, first: int, second: int) -> tuple[DigitPair, ...]:
    places = product(range(1, size + 1), repeat=2)
    return tuple((x, y) for x, y in places if x > first or y > second or not holds(x, y))


def _supporting(related: Related, board: Board) -> set[Clause]:
    """For each digit of one cell the clause that the other cell holds one that goes with it; left
    out where that follows from one forbidden pair."""
    size = board.choices
    digits = range(1, size + 1)
    clauses = set()
    for a, b in related.pairs:
        if a == b:
            continue
        banned = {*_forbidden(related, board, (a, b))}
        for x in digits:
            for cell, other, lost in (
                (a, b, {y for y in digits if (x, y) in banned}),
                (b, a, {y for y in digits if (y, x) in banned}),
            ):
                if len(lost) > 1:
                    partners = (size * other + y for y in digits if y not in lost)
                    clauses.add((-size * cell - x, *partners))
    return clauses


def difference(
    variables: int,
    clauses: Ints,
    board: Board,
    rules: tuple[str, ...],
    sums: tuple[Derived, ...] = (),
) -> str | None:
    """How clauses differ from those of board, rules and sums; None if they are the same set.

    A single clause more could make any puzzle unsatisfiable.
    """
    if variables < board.variables:  # before anything is made for the board that is claimed
        return f"the CNF has {counted(variables, 'variable')}: expected {board.variables} or more"
    stated = {tuple(sorted(clause)) for clause in split(clauses) if clause is not None}
    expected = restated(board, rules, sums)
    if variables != (known := variables_of(expected, board)):
        return f"the CNF has {counted(variables, 'variable')}: expected {known}"
    if extra := stated - expected:
        found = counted(len(extra), "clause")
        return f"the CNF has {found} that the rules do not state, such as {min(extra)}"
    if missing := expected - stated:
        return (
            f"the CNF lacks {counted(len(missing), 'clause')} of the rules, such as {min(missing)}"
        )
    return None


def givens(cells: bytes, board: Board) -> Ints:
    """The unit clauses of a puzzle's givens."""
    return array("i", (n for literal in _true(cells, board) for n in (literal, 0)))


def blocking(solutions: Iterable[bytes], board: Board) -> Ints:
    """For each solution the clause that excludes it: solutions differ in the digits of the grids,
    which come first, whatever layers hold."""
    clauses = array("i")
    for cells in solutions:
        clauses.extend(-literal for literal in _true(cells[: board.grid_cells], board))
        clauses.append(0)
    return clauses


def flat(clauses: Iterable[Iterable[int]]) -> Ints:
    """Clauses one after the other, each with a 0 at its end."""
    return array("i", (n for clause in clauses for n in (*clause, 0)))


def _true(cells: bytes, board: Board) -> Iterator[int]:
    return (board.choices * cell + digit for cell, digit in enumerate(cells) if digit)


def format_formula(variables: int, clauses: Ints) -> str:
    """DIMACS text; `parse_formula` reads it back."""
    lines = " ".join(map(str, clauses)).replace(" 0 ", " 0\n")
    return f"p cnf {variables} {clauses.count(0)}\n{lines}\n"
