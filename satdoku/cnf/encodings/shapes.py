"""Clauses of what a clue says of three cells or more: shapes, stretches of a house, and long sums.

Invariant: every auxiliary variable is a function of the digits, so each solution of the puzzle is
one model. Of a shape, unit propagation removes every digit that no accepted sequence, and no set,
has.

The variable of a candidate is size*cell + digit; `fresh()` gives a new one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain, combinations, pairwise, product
from math import comb
from operator import and_, neg
from typing import Any, NamedTuple

from ...model.board import Cells, bits, neighbours
from ...model.implied import differ, segments
from ...model.shapes import (
    AVAILABLE,
    Alike,
    Automaton,
    Connected,
    DigitSets,
    OneOf,
    Ranked,
    Regions,
    Shape,
    Stretch,
    Sum,
    Varied,
)
from .formula import Area, Clause

if AVAILABLE:
    from ...model import _automata

Fresh = Callable[[], int]


def shape_clauses(shape: Shape, size: int, fresh: Fresh) -> Iterable[Clause]:
    """The clauses of any shape."""
    if isinstance(shape, OneOf):
        given = () if shape.given is None else (shape.given,)
        denied = (-(size * cell + digit) for cell, digit in given)
        return [(*denied, *(size * cell + digit for cell, digit in shape.candidates))]
    if isinstance(shape, Connected):
        clauses, area = flooded(shape, size, fresh)
        return chain(clauses, unfolded(area, fresh))
    make = _MAKERS.get(type(shape), _automaton)
    return make(shape, size, fresh)


def _automaton(shape: Automaton, size: int, fresh: Fresh) -> Iterable[Clause]:
    """A variable for each edge, cell by cell, and behind the edges of a cell one for each state
    before it. An edge has its digit and both its states; a state is entered and left, and a digit
    read, on one of the edges.

    Source: F. Bacchus, GAC Via Unit Propagation, CP 2007, on the layered form of G. Pesant, A
    Regular Language Membership Constraint for Finite Sequences of Variables, CP 2004.
    """
    if not all(shape.layers):  # an empty clause makes some solvers crash
        impossible = size * shape.cells[0] + 1
        return [(impossible,), (-impossible,)]
    if AVAILABLE:
        return _automata.clauses(shape.layers, shape.cells, size, fresh)
    return _in_python(shape, size, fresh)


def _in_python(shape: Automaton, size: int, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of an automaton that accepts something."""
    entered: dict[int, list[int]] = {}  # state before the layer: the edges that lead there
    for position, (cell, edges) in enumerate(zip(shape.cells, shape.layers, strict=True)):
        edge_of = {edge: fresh() for edge in edges}
        by_digit: dict[int, list[int]] = {}
        left: dict[int, list[int]] = {}
        led: dict[int, list[int]] = {}
        for (state, digit, after), edge in edge_of.items():
            by_digit.setdefault(digit, []).append(edge)
            left.setdefault(state, []).append(edge)
            led.setdefault(after, []).append(edge)
            yield -edge, size * cell + digit
        if position:
            yield from _meet(entered, left, fresh)
        for digit in range(1, size + 1):
            yield (-(size * cell + digit), *by_digit.get(digit, ()))
        entered = led


def _meet(
    entered: dict[int, list[int]], left: dict[int, list[int]], fresh: Fresh
) -> Iterator[Clause]:
    """The state between two edges: a variable that each of them implies and that implies one of
    those on either side."""
    for state, before in entered.items():
        variable, after = fresh(), left[state]
        for edge in (*before, *after):
            yield -edge, variable
        yield (-variable, *before)
        yield (-variable, *after)


def by_states(shape: Automaton, size: int, fresh: Fresh) -> Iterable[Clause]:
    """The same with variables for states alone, for sessions: a third of the variables or less. A
    state and a digit lead to a state or exclude each other; a state comes from others, each by some
    digits; a digit is read in some states.

    Source: C.-G. Quimper and T. Walsh, Global Grammar Constraints, CP 2006: a variable for the
    state between two cells, and what relates it to the digit and the state before.
    """
    if not all(shape.layers):
        return _automaton(shape, size, fresh)
    if AVAILABLE and size <= MOST_IN_C:
        return _automata.states(shape.layers, shape.cells, size, fresh)
    return _by_states(shape, size, fresh)


MOST_IN_C = 31  # digits, as bits


def _by_states(shape: Automaton, size: int, fresh: Fresh) -> Iterator[Clause]:
    known: list[int] = []
    for place, (cell, edges) in enumerate(zip(shape.cells, shape.layers, strict=True)):
        first, is_last = size * cell, place == len(shape.cells) - 1
        states = 1 + max(after for _, _, after in edges)
        behind = [] if is_last else [fresh() for _ in range(states)]
        left: dict[int, dict[int, int]] = {}
        led: dict[int, dict[int, list[int]]] = {}
        for state, digit, after in edges:
            left.setdefault(state, {})[digit] = after
            led.setdefault(after, {}).setdefault(state, []).append(digit)
        for state, moves in left.items():
            yield from _moves([-known[state]] if known else [], moves, behind, first, size)
        for state in sorted(led) if behind else ():
            yield from _comes(behind[state], led[state], known, first, size)
        for digit in range(1, size + 1) if known else ():
            reads = [known[state] for state, moves in left.items() if digit in moves]
            if len(reads) < len(left):
                yield -(first + digit), *reads
        known = behind


def _moves(
    unless: Sequence[int], moves: dict[int, int], behind: Sequence[int], first: int, size: int
) -> Iterator[Clause]:
    """Where each digit leads from a state."""
    goals = {*moves.values()}
    if behind and len(moves) == size and len(goals) == 1:
        yield *unless, behind[goals.pop()]
        return
    for digit in range(1, size + 1):
        if digit not in moves:
            yield *unless, -(first + digit)
        elif behind:
            yield *unless, -(first + digit), behind[moves[digit]]


def _comes(
    state: int, led: dict[int, list[int]], known: Sequence[int], first: int, size: int
) -> Iterator[Clause]:
    """Which states lead to one, and by which digits."""
    if known:
        yield -state, *(known[before] for before in led)
    digits = sorted({*chain.from_iterable(led.values())})
    if len(digits) < size:
        yield -state, *(first + digit for digit in digits)
    for before, some in led.items() if known else ():
        if len(some) < size:
            yield -state, -known[before], *(first + digit for digit in some)


def flooded(shape: Connected, size: int, fresh: Fresh) -> tuple[list[Clause], Area]:
    """A variable for each cell, that it holds one of the digits, and a true one for outside; and
    the area, which says what the clauses do not."""
    outside = any(len(shape.cells) in edge for edge in shape.edges)
    literals = [fresh() for _ in range(len(shape.cells) + outside)]
    clauses: list[Clause] = []
    for cell, own in zip(shape.cells, literals, strict=False):
        held = [size * cell + digit for digit in sorted(shape.held)]
        clauses += ((-own, *held), *((-candidate, own) for candidate in held))
    if outside:
        clauses.append((literals[-1],))
    return clauses, Area(tuple(literals), shape.edges, (shape.least, shape.most))


def _regions(shape: Regions, size: int, fresh: Fresh) -> list[Clause]:
    """See `regions`; the literal of a label is the candidate of the cell that holds it."""
    from . import regions

    number = len(shape.cells) // 2
    grid, held = shape.cells[:number], shape.cells[number:]
    digits = [[size * cell + digit for digit in range(1, shape.size + 1)] for cell in grid]
    labels = [[size * cell + label for cell in held] for label in range(1, shape.labels + 1)]
    sizes = [(shape.size, shape.size)] * shape.labels
    cuts = [shape.lines, shape.across] if shape.across else [shape.lines]
    made = regions.Regions(digits, labels, sizes, shape.edges, cuts, fresh)
    made.name(shape.lines, shape.first - 1)
    return made.clauses


def _alike(shape: Alike, size: int, fresh: Fresh) -> Iterator[Clause]:
    """A variable for each cell that may count, and what `regions.Counts` makes of them."""
    from . import regions

    made = regions.Counts(fresh)
    values = [
        [size * cell + value for value in range(1, shape.choices + 1)] for cell in shape.cells
    ]
    same = {
        place: made.equal(values[1], values[place])
        for place in dict.fromkeys(p for arm in shape.arms for p in arm[1:])
    }
    ladders = []
    for arm in shape.arms:
        own = [same[place] for place in arm[1:]]
        ladders += [made.prefixes(own)] if shape.is_run else [[literal] for literal in own]
    first = [size * shape.cells[0] + place for place in range(1, len(shape.tells) + 1)]
    made.say(first, shape.tells, made.total(ladders), 1 - shape.less)
    yield from made.clauses


def _varied(shape: Varied, size: int, fresh: Fresh) -> Iterator[Clause]:
    """A variable for each digit that says it is in one of the cells, and how many of them hold."""
    from . import regions

    made = regions.Counts(fresh)
    *others, teller = shape.cells
    present = [
        made.any_of([size * cell + digit for cell in others])
        for digit in range(1, shape.choices + 1)
    ]
    told = [size * teller + place for place in range(1, len(shape.tells) + 1)]
    made.say(told, shape.tells, made.total([[literal] for literal in present]))
    yield from made.clauses


def unfolded(area: Area, fresh: Fresh) -> Iterator[Clause]:
    """What flooding says of an area, in clauses: from the first cell that has the label all others
    are reached, step by step. For who cannot flood; they are many, some 45,000 of a 9x9 board."""
    beside = neighbours(len(area.literals), area.edges)
    reached, before = [], 0
    for own in area.literals:
        reached.append(own if not before else fresh())
        if before:
            yield from _is_all_of(reached[-1], (own, -before))
        before, earlier = (fresh() if before else own), before
        if earlier:
            yield from _is_all_of(-before, (-earlier, -own))
    for _ in area.literals[1:]:
        wider = []
        for cell, own in enumerate(area.literals):
            near = [reached[other] for other in (cell, *beside[cell])]
            wider.append(literal := fresh())
            yield -literal, own
            yield (-literal, *near)
            yield from ((-own, -other, literal) for other in near)
        reached = wider
    yield from ((-own, literal) for own, literal in zip(area.literals, reached, strict=True))
    yield from _number_of(area, before, fresh)


def _number_of(area: Area, some: int, fresh: Fresh) -> Iterator[Clause]:
    """If some cells have the label, their number is one of the sizes.

    Source: the counter of C. Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality
    Constraints, CP 2005, with both directions of each definition.
    """
    least, most = area.sizes
    if least <= 1 and most >= len(area.literals):
        return
    counts: list[int] = []  # at least 1, 2, ... of the literals so far
    for own in area.literals:
        longer = [fresh() for _ in range(min(len(counts) + 1, most + 1))]
        for number, literal in enumerate(longer):
            same = counts[number : number + 1]
            less = counts[number - 1 : number] if number else []
            yield from ((-x, literal) for x in same)
            yield (-own, *(-x for x in less), literal)
            yield (-literal, own, *same)
            yield from ((-literal, x, *same) for x in less)
        counts = longer
    yield -some, counts[least - 1]
    if most < len(counts):
        yield (-counts[most],)


def _is_all_of(literal: int, others: Sequence[int]) -> Iterator[Clause]:
    yield from ((-literal, other) for other in others)
    yield (literal, *(-other for other in others))


def _digit_sets(shape: DigitSets, size: int, fresh: Fresh) -> Iterator[Clause]:
    """A variable for each set, and one for each digit that says it is in one of the cells."""
    used = {digit: fresh() for digit in range(1, size + 1)}
    chosen = {some: fresh() for some in shape.sets}
    yield from chosen_set(shape.cells, used, chosen, size)


def chosen_set(
    cells: Cells, used: dict[int, int], chosen: dict[frozenset[int], int], size: int
) -> Iterator[Clause]:
    """One of the sets is chosen, and the cells hold its digits, with variables made before."""
    yield from one_set(used, chosen)
    for digit, presence in used.items():
        own = [size * cell + digit for cell in cells]
        yield (-presence, *own)
        yield from ((-candidate, presence) for candidate in own)


def one_set(used: dict[int, int], chosen: dict[frozenset[int], int]) -> Iterator[Clause]:
    """One of the sets is chosen, and its digits are used."""
    yield tuple(chosen.values())
    for some, variable in chosen.items():
        for digit, presence in used.items():
            yield -variable, presence if digit in some else -presence
    for digit, presence in used.items():
        yield (-presence, *(v for some, v in chosen.items() if digit in some))
        yield (presence, *(v for some, v in chosen.items() if digit not in some))


def _ranked(shape: Ranked, size: int, fresh: Fresh) -> Iterator[Clause]:
    """For each side the digits of the line that begins with the digit, whichever it is, compared
    with those of the first line; then how many of the three are less."""
    own, *others = shape.lines
    less = []
    for start in range(0, len(others), shape.length):
        side = others[start : start + shape.length]
        line = [{digit: fresh() for digit in range(1, size + 1)} for _ in own[1:]]
        yield from _chosen_line(line, side, shape.digit, size)
        clauses, literal = _is_less(line, own[1:], shape.may_tie, size, fresh)
        yield from clauses
        less.append(literal)
    for signs in product((1, -1), repeat=len(less)):
        if signs.count(1) != shape.less:
            yield tuple(-sign * literal for sign, literal in zip(signs, less, strict=True))


def _chosen_line(
    line: list[dict[int, int]], side: list[Cells], first: int, size: int
) -> list[Clause]:
    """The digits behind the first one of the line of a side that begins with it."""
    clauses: list[Clause] = []
    for place, digits in enumerate(line, 1):
        clauses.append(tuple(digits.values()))
        clauses += combinations(map(neg, digits.values()), 2)
        for cells in side:
            not_begins, before = -(size * cells[0] + first), size * cells[place]
            for digit, variable in digits.items():
                clauses.append((not_begins, -before - digit, variable))
                clauses.append((not_begins, before + digit, -variable))
    return clauses


def _is_less(
    line: list[dict[int, int]], own: Cells, may_tie: bool, size: int, fresh: Fresh
) -> tuple[list[Clause], int]:
    """The literal that the line is less than the cells, at the first place where both differ, and
    what it means."""
    clauses: list[Clause] = []
    less = still = fresh()
    equal: Clause = ()  # what denies that they are equal so far
    for digits, cell in zip(line, own, strict=True):
        below, above, still = fresh(), fresh(), fresh()
        for digit, variable in digits.items():
            for other in range(1, size + 1):
                one, two = -variable, -size * cell - other
                clauses.append((one, two, below if digit < other else -below))
                clauses.append((one, two, above if digit > other else -above))
        clauses += ((*equal, -below, less), (*equal, -above, -less), (*equal, below, above, still))
        clauses += ((-still, -below), (-still, -above), *((-still, -denial) for denial in equal))
        equal = (-still,)
    clauses.append((-still, -less))
    if not may_tie:
        clauses.append((-still,))
    return clauses, less


_MAKERS: dict[type[Shape], Callable[[Any, int, Fresh], Iterable[Clause]]] = {
    DigitSets: _digit_sets,
    Ranked: _ranked,
    Regions: _regions,
    Varied: _varied,
    Alike: _alike,
}


# Sandwiches and X-sums: a variable for each set of digits with the total, one for each digit that
# says it is used, one for each cell that says it is inside: a cell inside holds a used digit, and
# any other cell a digit that is not used.

Chosen = dict[frozenset[int], int]
Inside = Generator[Clause, None, list[int]]


def stretch_clauses(said: Stretch, size: int, fresh: Fresh) -> Iterator[Clause]:
    """The clauses of a stretch; some solvers crash at an empty clause, so none is empty."""
    chosen = {some: fresh() for some in _sets(said, size)}
    if not chosen:
        impossible = size * said.cells[0] + 1
        yield from ((impossible,), (-impossible,))
        return
    used = {digit: fresh() for digit in range(1, size + 1)}
    yield from one_set(used, chosen)
    make = _counted if said.is_counted else _between
    inside = yield from make(said, size, chosen, fresh)
    for cell, within in zip(said.cells, inside, strict=True):
        for digit, literal in used.items():
            yield -(size * cell + digit), -within, literal
            yield -(size * cell + digit), within, -literal


def _sets(said: Stretch, size: int) -> Iterator[frozenset[int]]:
    """The sets of digits that the stretch may hold."""
    digits = range(1, size + 1) if said.is_counted else range(2, size)
    for count in range(said.is_counted, len(digits) + 1):
        for some in combinations(digits, count):
            if sum(some) == said.total and (not said.is_counted or count in some):
                yield frozenset(some)


def _counted(said: Stretch, size: int, chosen: Chosen, fresh: Fresh) -> Inside:
    """The first cell tells how many there are."""
    first = size * said.cells[0]
    inside = [fresh() for _ in said.cells]
    for count in range(1, size + 1):
        yield (-(first + count), *(v for some, v in chosen.items() if len(some) == count))
        yield from ((-(first + count), x if i < count else -x) for i, x in enumerate(inside))
    yield from ((-literal, first + len(some)) for some, literal in chosen.items())
    yield from ((-later, earlier) for earlier, later in pairwise(inside))
    return inside


def _between(said: Stretch, size: int, chosen: Chosen, fresh: Fresh) -> Inside:
    """The lowest and the highest digit are the crusts: among the first i cells is one or are both.

    So many cells lie between them as the set has digits.
    """
    one, both = ([fresh() for _ in range(size + 1)] for _ in range(2))
    yield from ((-one[0],), (-both[0],), (one[size],), (both[size],))
    inside = [fresh() for _ in said.cells]
    for i, cell in enumerate(said.cells):
        crusts = size * cell + 1, size * cell + size
        yield from ((-one[i], one[i + 1]), (-both[i], both[i + 1]), (-both[i + 1], one[i]))
        yield from ((-one[i + 1], one[i], *crusts), (-both[i + 1], both[i], *crusts))
        for crust in crusts:
            yield from ((-crust, one[i + 1]), (-crust, -one[i], both[i + 1]), (-crust, -both[i]))
        yield from ((-inside[i], one[i]), (-inside[i], -both[i + 1]))
        yield inside[i], -one[i], both[i + 1]
    for some, literal in chosen.items():
        for i in range(1, size - len(some) + 1):
            yield -literal, one[i - 1], -both[i + len(some)]
        for i in range(1, size - len(some)):
            yield -literal, -one[i], both[i + len(some) + 1]
    return inside


# Sums over many cells by segments. A number is a list of values and literals "at least this value";
# totals of two numbers are bounded by what the rest can add.
#
# Cells that have the same weight and differ are one segment, of at most four unless they are the
# whole sum: a variable for each set of digits, and the order of their sums. A digit of the segment
# is in no cell that differs from all of its cells. Segments are added one after another in the
# order encoding.
#
# Source: order encoding of linear sums, N. Tamura, A. Taga, S. Kitagawa and M. Banbara, Compiling
# Finite Linear CSP into SAT, Constraints 14, 2009.

MOST_CELLS = 4  # in a segment: 126 sets of digits
MOST_SETS = 2_000  # of digits in a segment that is the whole sum: on 16x16, four cells have 1,820


class Number(NamedTuple):
    """values: all that it may have, ascending. at_least: for each the literal that it is not less;
    behind them the literal that it is more than all."""

    values: Sequence[int]
    at_least: Sequence[int]


class Adder:
    """Clauses of sums of one puzzle, which share their segments.

    peers: for each cell the mask of the cells that differ from it.
    """

    def __init__(self, peers: Sequence[int], size: int, fresh: Fresh) -> None:
        self.peers, self.size, self._fresh = peers, size, fresh
        self._segments: dict[Cells, Number] = {}
        self._true = fresh()

    def segments(self, said: Sum) -> list[Cells]:
        """The cells of a sum, which are different ones, those of the greatest weight first; if all
        have the same weight and differ, they are one segment unless it has too many sets."""
        few = 0 < comb(self.size, len(said.cells)) <= MOST_SETS
        if few and len({*said.weights}) == 1 and differ(said.cells, self.peers):
            return [said.cells]
        found: list[Cells] = []
        for weight in sorted(set(said.weights), reverse=True):
            alike = (c for c, w in zip(said.cells, said.weights, strict=True) if w == weight)
            found += segments(alike, self.peers, MOST_CELLS)
        return found

    def clauses(self, said: Sum) -> Iterator[Clause]:
        """The clauses of a sum."""
        yield (self._true,)
        weights = dict(zip(said.cells, said.weights, strict=True))
        parts = []
        for cells in self.segments(said):
            parts.append(_times((yield from self._segment(cells)), weights[cells[0]]))
        low = said.total - sum(part.values[-1] for part in parts)
        high = said.total - sum(part.values[0] for part in parts)
        so_far = Number((0,), (self._true, -self._true))
        for part in parts:  # what is behind it cannot bring other numbers to the total
            low, high = low + part.values[-1], high + part.values[0]
            so_far = yield from self._added(so_far, part, low, high)
        if said.total not in so_far.values:
            yield (-self._true,)

    def _segment(self, cells: Cells) -> Generator[Clause, None, Number]:
        """The sum of cells that differ."""
        if cells not in self._segments:
            self._segments[cells] = yield from self._ordered((yield from self._sets(cells)))
        return self._segments[cells]

    def _sets(self, cells: Cells) -> Generator[Clause, None, dict[int, list[int]]]:
        """For each sum of the cells the literals of the sets of digits that have it."""
        size, digits = self.size, range(1, self.size + 1)
        if len(cells) == 1:
            return {digit: [size * cells[0] + digit] for digit in digits}
        used = {digit: self._fresh() for digit in digits}
        chosen = {frozenset(s): self._fresh() for s in combinations(digits, len(cells))}
        yield from chosen_set(cells, used, chosen, size)
        for cell in bits(reduce(and_, (self.peers[cell] for cell in cells))):
            yield from ((-literal, -size * cell - digit) for digit, literal in used.items())
        literals: dict[int, list[int]] = {}
        for some, literal in chosen.items():
            literals.setdefault(sum(some), []).append(literal)
        return literals

    def _ordered(self, literals: dict[int, list[int]]) -> Generator[Clause, None, Number]:
        """The number that has a value if and only if one of its literals holds."""
        number = yield from self._number(sorted(literals))
        bounds = pairwise(number.at_least)
        for value, (reached, passed) in zip(number.values, bounds, strict=True):
            for literal in literals[value]:
                yield from self._clause(-literal, reached)
                yield from self._clause(-literal, -passed)
            yield from self._clause(-reached, passed, *literals[value])
        return number

    def _number(self, values: Sequence[int]) -> Generator[Clause, None, Number]:
        """A new number; one without values cannot be."""
        inner = [self._fresh() for _ in values[1:]]
        number = Number(values, [*[self._true] * bool(values), *inner, -self._true])
        for less, more in pairwise(inner):
            yield -more, less
        return number

    def _added(
        self, one: Number, other: Number, low: int, high: int
    ) -> Generator[Clause, None, Number]:
        """The total of two numbers, which lies between the bounds."""
        totals = {a + b for a in one.values for b in other.values}
        total = yield from self._number(sorted(t for t in totals if low <= t <= high))
        for i, a in enumerate(one.values):
            for j, b in enumerate(other.values):
                reached = total.at_least[bisect_left(total.values, a + b)]
                yield from self._clause(-one.at_least[i], -other.at_least[j], reached)
                passed = total.at_least[bisect_right(total.values, a + b)]
                yield from self._clause(one.at_least[i + 1], other.at_least[j + 1], -passed)
        return total

    def _clause(self, *literals: int) -> Iterator[Clause]:
        """The clause without what is false, never empty (some solvers crash); none if it holds."""
        if self._true not in literals:
            yield tuple(x for x in literals if x != -self._true) or (-self._true,)


def _times(number: Number, weight: int) -> Number:
    values = [weight * value for value in number.values]
    if weight > 0:
        return Number(values, number.at_least)
    return Number(values[::-1], [-literal for literal in reversed(number.at_least)])
