"""Automata of the witness's statements: what a clue says, one digit after another.

Invariant: an automaton follows from the sentence alone. A statement applied to digits that are not
known yet gives a formula, and equal formulas are equal values. What is left of it once a digit is
known is its derivative. Going forward, the states are these formulas; going back, those that go on
alike become one. So it is the smallest automaton, and with its states numbered as they are reached
it is unique.

Source: J. A. Brzozowski, Derivatives of Regular Expressions, Journal of the ACM 11, 1964.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .clues import Connected, Counted, Distinct, Divided, Part, Ranks, WidePart, reads
from .rules import StatementError

# Digits that are not known yet.

Atom = Any  # an unknown digit (its index), an `If`, or a `Rest`
Truth = Any  # True, False, or one of the formulas below


@dataclass(frozen=True, slots=True)
class Sum:
    """constant + the sum of factor * atom; each atom stands once, and no factor is 0."""

    constant: int
    parts: frozenset[tuple[int, Atom]] = frozenset()


@dataclass(frozen=True, slots=True)
class If:
    """1 if the formula holds, else 0."""

    formula: Truth


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left of a sum when it is divided by the modulus."""

    of: Sum
    modulus: int


@dataclass(frozen=True, slots=True)
class Compared:
    """sum <= 0, or sum == 0."""

    relation: str
    of: Sum


@dataclass(frozen=True, slots=True)
class All:
    """Every one of the formulas holds."""

    of: frozenset[Truth]


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of the formulas holds."""

    of: frozenset[Truth]


@dataclass(frozen=True, slots=True)
class Not:
    """The formula does not hold."""

    of: Truth


@dataclass(frozen=True, slots=True)
class Alike:
    """Both formulas hold, or none of the two."""

    of: frozenset[Truth]


def total(constant: int, parts: Iterable[tuple[int, Atom]]) -> Sum:
    """The sum in its normal form."""
    factors: dict[Atom, int] = {}
    for factor, atom in parts:
        factors[atom] = factors.get(atom, 0) + factor
    kept = ((factor, atom) for atom, factor in factors.items() if factor)
    return Sum(constant, frozenset(kept))


def compare(relation: str, of: Sum, size: int) -> Truth:
    """The comparison, or its truth if no digit from 1 to size can change it."""
    low, high = _bounds(of, size)
    if relation == "<=":
        return True if high <= 0 else False if low > 0 else Compared(relation, of)
    if low > 0 or high < 0:
        return False
    if not of.parts:
        return of.constant == 0
    return Compared(relation, of)


def _bounds(of: Sum, size: int) -> tuple[int, int]:
    low = high = of.constant
    for factor, atom in of.parts:
        least, most = 1, size
        if isinstance(atom, If):
            least, most = 0, 1
        elif isinstance(atom, Rest):
            least, most = 0, atom.modulus - 1
        low += min(factor * least, factor * most)
        high += max(factor * least, factor * most)
    return low, high


def every(formulas: Iterable[Truth]) -> Truth:
    """The conjunction; of bounds on the same sum only the strictest is kept."""
    return _joined(formulas, All, True, max)


def some(formulas: Iterable[Truth]) -> Truth:
    """The disjunction; of bounds on the same sum only the loosest is kept."""
    return _joined(formulas, OneOf, False, min)


def _joined(
    formulas: Iterable[Truth],
    kind: type[All] | type[OneOf],
    neutral: bool,
    choose: Callable[[int, int], int],
) -> Truth:
    """The formulas as one of that kind; `neutral` is the truth that adds nothing to it."""
    kept = _flat(formulas, kind)
    if (not neutral) in kept:
        return not neutral
    kept.discard(neutral)
    kept = _strictest(kept, choose)
    if not kept:
        return neutral
    return next(iter(kept)) if len(kept) == 1 else _same(kind(frozenset(kept)))


@lru_cache(maxsize=1 << 16)
def _same(formula: Truth) -> Truth:
    """The first of all equal formulas: two that share their parts are soon compared."""
    return formula


def _flat(formulas: Iterable[Truth], kind: type[All] | type[OneOf]) -> set[Truth]:
    flat: set[Truth] = set()
    for formula in formulas:
        flat.update(formula.of if isinstance(formula, kind) else (formula,))
    return flat


def _strictest(formulas: set[Truth], choose: Callable[[int, int], int]) -> set[Truth]:
    """Bounds c + sum <= 0 on the same sum become the one whose c is chosen."""
    bounds: dict[frozenset[tuple[int, Atom]], int] = {}
    rest: set[Truth] = set()
    for formula in formulas:
        if isinstance(formula, Compared) and formula.relation == "<=":
            constant, parts = formula.of.constant, formula.of.parts
            bounds[parts] = choose(bounds.get(parts, constant), constant)
        else:
            rest.add(formula)
    return rest | {Compared("<=", Sum(constant, parts)) for parts, constant in bounds.items()}


def negation(formula: Truth) -> Truth:
    """The formula's opposite."""
    if isinstance(formula, bool):
        return not formula
    return formula.of if isinstance(formula, Not) else _same(Not(formula))


def alike(one: Truth, other: Truth) -> Truth:
    """Whether both hold or none."""
    if isinstance(one, bool):
        return other if one else negation(other)
    if isinstance(other, bool):
        return one if other else negation(one)
    return True if one == other else _same(Alike(frozenset((one, other))))


@lru_cache(maxsize=1 << 16)  # the states of an automaton share most of their parts
def derivative(formula: Truth, index: int, digit: int, size: int) -> Truth:
    """What is left of the formula if the digit of that index is known."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, Compared):
        return compare(formula.relation, _known(formula.of, index, digit, size), size)
    if isinstance(formula, Not):
        return negation(derivative(formula.of, index, digit, size))
    parts = (derivative(part, index, digit, size) for part in formula.of)
    if isinstance(formula, All):
        return every(parts)
    if isinstance(formula, OneOf):
        return some(parts)
    return alike(*parts)


def _known(of: Sum, index: int, digit: int, size: int) -> Sum:
    constant = of.constant
    parts: list[tuple[int, Atom]] = []
    for factor, atom in of.parts:
        added, left = _value(atom, index, digit, size)
        constant += factor * added
        parts += [(factor, left)] if left is not None else []
    return total(constant, parts)


def _value(atom: Atom, index: int, digit: int, size: int) -> tuple[int, Atom | None]:
    """A number, and what stays unknown."""
    if isinstance(atom, If):
        formula = derivative(atom.formula, index, digit, size)
        return (int(formula), None) if isinstance(formula, bool) else (0, If(formula))
    if isinstance(atom, Rest):
        of = _known(atom.of, index, digit, size)
        of = Sum(of.constant % atom.modulus, of.parts)
        return (0, Rest(of, atom.modulus)) if of.parts else (of.constant, None)
    return (digit, None) if atom == index else (0, atom)


class Unknown:
    """A number made of unknown digits; comparing it gives a `Formula`."""

    def __init__(self, of: Sum, size: int) -> None:
        self.of, self.size = of, size

    __hash__ = None  # type: ignore[assignment]  # equality is a formula

    def _plus(self, other: Unknown | int, sign: int) -> Sum:
        added = Sum(other) if isinstance(other, int) else other.of
        parts = (*self.of.parts, *((sign * factor, atom) for factor, atom in added.parts))
        return total(self.of.constant + sign * added.constant, parts)

    def __add__(self, other: Unknown | int) -> Unknown:
        return Unknown(self._plus(other, 1), self.size)

    __radd__ = __add__

    def __sub__(self, other: Unknown | int) -> Unknown:
        return Unknown(self._plus(other, -1), self.size)

    def __mul__(self, factor: int) -> Unknown:
        parts = ((factor * other, atom) for other, atom in self.of.parts)
        return Unknown(total(factor * self.of.constant, parts), self.size)

    __rmul__ = __mul__

    def __mod__(self, modulus: int) -> Unknown:
        of = Sum(self.of.constant % modulus, self.of.parts)
        return Unknown(total(0, [(1, Rest(of, modulus))]), self.size)

    def _compared(self, relation: str, of: Sum) -> Formula:
        return Formula(compare(relation, of, self.size), self.size)

    def __le__(self, other: Unknown | int) -> Formula:
        return self._compared("<=", self._plus(other, -1))

    def __lt__(self, other: Unknown | int) -> Formula:
        return self._compared("<=", (self - other + 1).of)

    def __ge__(self, other: Unknown | int) -> Formula:
        return self._compared("<=", ((self - other) * -1).of)

    def __gt__(self, other: Unknown | int) -> Formula:
        return self._compared("<=", ((self - other) * -1 + 1).of)

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        assert isinstance(other, Unknown | int)
        return self._compared("==", self._plus(other, -1))

    def __ne__(self, other: object) -> Formula:  # type: ignore[override]
        return Formula(negation((self == other).truth), self.size)


class Formula:
    """A statement about unknown digits."""

    def __init__(self, truth: Truth, size: int) -> None:
        self.truth, self.size = truth, size

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Formula | bool) -> Formula:
        return Formula(every((self.truth, truth_of(other))), self.size)

    def __or__(self, other: Formula | bool) -> Formula:
        return Formula(some((self.truth, truth_of(other))), self.size)

    __rand__, __ror__ = __and__, __or__

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        assert isinstance(other, Formula | bool)
        return Formula(alike(self.truth, truth_of(other)), self.size)

    def __mul__(self, factor: int) -> Unknown:
        """The factor if it holds, else 0."""
        if isinstance(self.truth, bool):
            return Unknown(Sum(factor * self.truth), self.size)
        return Unknown(total(0, [(factor, If(self.truth))]), self.size)


def truth_of(said: Formula | bool) -> Truth:
    """The formula itself, or its truth."""
    return said.truth if isinstance(said, Formula) else bool(said)


def unknown_digits(count: int, size: int) -> Iterator[Unknown]:
    """So many unknown digits from 1 to size, with the indices 0, 1, ..."""
    return (Unknown(Sum(0, frozenset(((1, index),))), size) for index in range(count))


Edge = tuple[int, int, int]  # state before, digit, state after
_MOST_WORK = 1_000_000  # a certificate must not keep its reader busy for ever
_USUAL = 5  # work of a state; one of several clues takes as much as it has parts


def layers_of(
    part: WidePart, size: int, counts: Sequence[int] | None = None
) -> list[list[Edge]] | None:
    """The edges of the smallest automaton of a statement, cell by cell; None if it accepts nothing.

    counts: how many digits each cell has, the first ones of `size`; all of them by default.
    Raises `StatementError` if it would have too many states.
    """
    if isinstance(part, Ranks):
        raise StatementError("a rank has no automaton")
    if isinstance(part, Connected | Divided | Counted):
        raise StatementError("connected cells, regions and counts of labels have no automaton")
    start = _start(part, size)
    levels: list[dict[Truth, list[tuple[int, Truth]]]] = []
    states, work = {start}, 0
    for index in range(len(part.cells)):
        work += len(states) * max(_USUAL, getattr(part.holds, "parts", 0))
        if work > _MOST_WORK:
            raise StatementError(f"a clue on {len(part.cells)} cells has too many states")
        digits = range(1, (counts[index] if counts else size) + 1)
        level = {state: list(_onward(part, state, index, digits, size)) for state in states}
        levels.append(level)
        states = {after for moves in level.values() for _, after in moves}
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


def equation_of(part: WidePart, size: int) -> tuple[list[int], int] | None:
    """The weights of the cells of a statement that is an equation of their sum, and the total; None
    if it is not one."""
    if not isinstance(part, Part | Distinct) or reads(part.holds):
        return None
    said = _start(part, size)
    if not isinstance(said, Compared) or said.relation != "==":
        return None
    weights = {atom: factor for factor, atom in said.of.parts}
    if weights.keys() - {*range(len(part.cells))}:  # an atom that is no digit
        return None
    return [weights.get(index, 0) for index in range(len(part.cells))], -said.of.constant


def _start(part: WidePart, size: int) -> Truth:
    """The statement, of which no digit is known."""
    if reads(part.holds):
        return part.holds.start
    return truth_of(part.holds(*unknown_digits(len(part.cells), size)))


def _onward(
    part: WidePart, state: Truth, index: int, digits: range, size: int
) -> Iterator[tuple[int, Truth]]:
    for digit in digits:
        left = _left(part, state, index, digit, size)
        if left is not False:
            yield digit, left


def _left(part: WidePart, state: Truth, index: int, digit: int, size: int) -> Truth:
    """What is left of the statement if one more digit is known; False if it is broken. A regular
    expression knows by itself what is left of it."""
    if not reads(part.holds):
        return derivative(state, index, digit, size)
    left = part.holds.left(state, digit, index)
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
