"""How a cell is stated in SMT-LIB: an integer, a binary number, or a vector with a bit a digit.

Invariant: a model is built from `witness.rules` only, never from the groups of `Constraints` or
from our CNF. A term, a text, knows the bounds of its value, and its arithmetic the largest number
that was written; signed bit-vectors as wide as that never overflow, so they say what integers say.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import count, groupby
from typing import Any, ClassVar

from ...model.board import Board
from ..clues import Part, WidePart, formula
from ..rules import Related, Stated, differ, not_both_highest, not_consecutive


class Integers:
    """Arithmetic of the sort Int."""

    words: ClassVar = {name: name for name in ("+", "-", "*", "mod", "<", "<=", ">", ">=")}

    def literal(self, value: int) -> str:
        return f"(- {-value})" if value < 0 else str(value)

    def note(self, low: int, high: int) -> None:
        """A number from low to high is written: integers hold it."""


class Bits:
    """Arithmetic of signed bit-vectors of so many bits; most: the largest number written."""

    words: ClassVar = {
        "+": "bvadd", "-": "bvsub", "*": "bvmul", "mod": "bvsmod",
        "<": "bvslt", "<=": "bvsle", ">": "bvsgt", ">=": "bvsge",
    }  # fmt: skip

    def __init__(self, bits: int) -> None:
        self.bits, self.most = bits, 0

    def literal(self, value: int) -> str:
        return bits(value % (1 << self.bits), self.bits)

    def note(self, low: int, high: int) -> None:
        self.most = max(self.most, -low, high)

    @property
    def needed(self) -> int:
        """The bits that hold all that was written, and its sign."""
        return self.most.bit_length() + 1


Arithmetic = Integers | Bits


def bits(value: int, width: int) -> str:
    """A bit-vector."""
    return f"#b{value:0{width}b}"


class SmtTerm:
    """A term or, without bounds, a formula."""

    def __init__(
        self, text: str, arithmetic: Arithmetic, bounds: tuple[int, int] | None = None
    ) -> None:
        self.text, self.arithmetic, self.bounds = text, arithmetic, bounds
        if bounds is not None:
            arithmetic.note(*bounds)

    def __str__(self) -> str:
        return self.text

    def __mul__(self, other: object) -> SmtTerm:
        """The product; of a formula, its value if it is true, else 0."""
        factor = _term(other, self.arithmetic)
        low, high = factor.bounds or (0, 0)
        if self.bounds is None:
            zero = self.arithmetic.literal(0)
            text = f"(ite {self} {factor} {zero})"
            return SmtTerm(text, self.arithmetic, (min(0, low), max(0, high)))
        ends = [a * b for a in self.bounds for b in (low, high)]
        text = f"({self.arithmetic.words['*']} {self} {factor})"
        return SmtTerm(text, self.arithmetic, (min(ends), max(ends)))

    __rmul__ = __mul__
    __hash__ = None  # type: ignore[assignment]  # equality of terms is a formula


def smt(value: object) -> str:
    """What a statement gives, as text; it may be known to be true or false."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _term(value: object, arithmetic: Arithmetic) -> SmtTerm:
    if isinstance(value, SmtTerm):
        return value
    if isinstance(value, bool):
        return SmtTerm(smt(value), arithmetic)
    assert isinstance(value, int)
    return SmtTerm(arithmetic.literal(value), arithmetic, (value, value))


def _bounds(name: str, one: SmtTerm, other: SmtTerm) -> tuple[int, int] | None:
    """The bounds of a number; None of a formula."""
    (low, high), (least, most) = one.bounds or (0, 0), other.bounds or (0, 0)
    if name == "+":
        return low + least, high + most
    if name == "-":
        return low - most, high - least
    return (0, most - 1) if name == "mod" else None


def _operator(name: str, *, is_swapped: bool = False) -> Any:
    def apply(one: SmtTerm, other: object) -> SmtTerm:
        first, second = one, _term(other, one.arithmetic)
        if is_swapped:
            first, second = second, first
        word = one.arithmetic.words.get(name, name)
        return SmtTerm(f"({word} {first} {second})", one.arithmetic, _bounds(name, first, second))

    return apply


for _method, _name in (
    ("add", "+"), ("sub", "-"), ("mod", "mod"), ("eq", "="), ("ne", "distinct"),
    ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("and", "and"), ("or", "or"),
):  # fmt: skip
    setattr(SmtTerm, f"__{_method}__", _operator(_name))
    if _method in ("add", "sub", "and", "or"):
        setattr(SmtTerm, f"__r{_method}__", _operator(_name, is_swapped=True))


class Model(ABC):
    """A constant for each cell (r1c1 ...), and commands that state rules on them."""

    logic: ClassVar[str]
    words: ClassVar[str]  # what it is called in the file

    def __init__(self, board: Board) -> None:
        self.board, self.size = board, board.choices
        self.names = [board.name_of(cell) for cell in range(board.cells)]
        self._shared = count(1)

    @property
    @abstractmethod
    def sort(self) -> str:
        """The sort of a cell."""

    @abstractmethod
    def domain(self, x: str) -> Iterator[str]:
        """Formulas that say: the cell holds one of the digits."""

    def house(self, cells: Sequence[str]) -> str:
        """The formula "the cells hold every digit once"."""
        return f"(distinct {' '.join(cells)})"

    @abstractmethod
    def relation(self, related: Related, a: str, b: str) -> str | None:
        """The formula "these two cells hold digits that are allowed"; None: state it in numbers."""

    @abstractmethod
    def constant(self, digit: int) -> str:
        """A digit, as the value of a cell."""

    def is_digit(self, x: str, digit: int) -> str:
        """The formula "the cell holds this digit"."""
        return f"(= {x} {self.constant(digit)})"

    def commands(self, said: Stated) -> Iterator[str]:
        """The assertions of one rule or clue."""
        for house in said.houses:
            yield f"(assert {self.house([self.names[cell] for cell in house])})"
        for related in said.told:
            for pair in related.pairs:
                text = self.relation(related, *(self.names[cell] for cell in pair))
                if text is None:
                    yield from self.wide(Part(pair, related.holds))
                else:
                    yield f"(assert {text})"
        for part in said.wide:
            yield from self.wide(part)

    def wide(self, part: WidePart) -> Iterator[str]:
        """The assertion of what a clue says in numbers."""
        return self._in_numbers(part, Integers())

    def _in_numbers(self, part: WidePart, arithmetic: Arithmetic) -> Iterator[str]:
        """The assertion; what it says several times is defined before."""
        defined: list[str] = []

        def share(said: SmtTerm | bool) -> SmtTerm | bool:
            if isinstance(said, bool):
                return said
            name = f"left{next(self._shared)}"
            defined.append(f"(define-fun {name} () Bool {said})")
            return SmtTerm(name, arithmetic)

        bounds = (1, self.size)
        digits = [SmtTerm(self.number(cell, arithmetic), arithmetic, bounds) for cell in part.cells]
        said = formula(part.holds, digits, share)
        yield from defined
        yield f"(assert {smt(said)})"

    def number(self, cell: int, arithmetic: Arithmetic) -> str:
        """The cell's digit as a number."""
        return self.names[cell]

    def _without(self, related: Related, a: str, b: str) -> str:
        """The formula that lists the forbidden pairs of digits."""
        pairs = related.forbidden(self.size)
        cases = (f"(not (and {self.is_digit(a, x)} {self.is_digit(b, y)}))" for x, y in pairs)
        return f"(and true {' '.join(cases)})"


class Int(Model):
    """An integer from 1 to the size."""

    logic, words, sort = "QF_LIA", "integer", "Int"
    # Relations that are shorter as integer formulas than as lists of forbidden digit pairs.
    _SHORTER: ClassVar = {
        differ: "(distinct {a} {b})",
        not_consecutive: "(and (distinct (- {a} {b}) 1) (distinct (- {b} {a}) 1))",
        not_both_highest: "(not (and (= {a} {size}) (= {b} {size})))",
    }

    def domain(self, x: str) -> Iterator[str]:
        yield f"(<= 1 {x} {self.size})"

    def relation(self, related: Related, a: str, b: str) -> str | None:
        if related.relation in self._SHORTER:
            return str(self._SHORTER[related.relation]).format(a=a, b=b, size=self.size)
        return None if related.relation is None else self._without(related, a, b)

    def constant(self, digit: int) -> str:
        return str(digit)


class _Vector(Model):
    """A bit-vector; clues are stated in signed vectors, wide enough for all that they add up."""

    logic = "QF_BV"
    width: int  # bits of a cell

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self._numbers: dict[tuple[int, int], str] = {}

    @property
    def sort(self) -> str:
        return f"(_ BitVec {self.width})"

    def wide(self, part: WidePart) -> Iterator[str]:
        """Stated twice: the first time tells how many bits it takes."""
        draft = Bits(self.width + 1)
        for _ in self._in_numbers(part, draft):
            pass
        arithmetic = Bits(max(draft.needed, self.width + 1))
        for cell in dict.fromkeys(part.cells):
            if (cell, arithmetic.bits) not in self._numbers:
                name = f"n{arithmetic.bits}_{self.names[cell]}"
                self._numbers[cell, arithmetic.bits] = name
                sort = f"(_ BitVec {arithmetic.bits})"
                yield f"(define-fun {name} () {sort} {self.as_number(cell, arithmetic)})"
        yield from self._in_numbers(part, arithmetic)

    def number(self, cell: int, arithmetic: Arithmetic) -> str:
        assert isinstance(arithmetic, Bits)
        return self._numbers.get((cell, arithmetic.bits), self.names[cell])

    @abstractmethod
    def as_number(self, cell: int, arithmetic: Bits) -> str:
        """The term of the cell's digit, from 1, in that many bits."""


class Binary(_Vector):
    """The digit minus 1 as a binary number of ceil(log2 size) bits."""

    words = "bit-vector"

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.width = binary_width(self.size)

    def domain(self, x: str) -> Iterator[str]:
        if self.size < 1 << self.width:
            yield f"(bvule {x} {self.constant(self.size)})"

    def relation(self, related: Related, a: str, b: str) -> str | None:
        if related.relation is differ:
            return f"(distinct {a} {b})"
        return None if related.relation is None else self._without(related, a, b)

    def constant(self, digit: int) -> str:
        return bits(digit - 1, self.width)

    def as_number(self, cell: int, arithmetic: Bits) -> str:
        wider = f"((_ zero_extend {arithmetic.bits - self.width}) {self.names[cell]})"
        return f"(bvadd {wider} {arithmetic.literal(1)})"


class OneHot(_Vector):
    """A bit for each digit, one of them set; the OR of a house's cells is all ones."""

    words = "one-hot bit-vector"

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.width = self.size
        self._none, self._one = bits(0, self.size), bits(1, self.size)

    def domain(self, x: str) -> Iterator[str]:
        yield f"(distinct {x} {self._none})"
        yield f"(= (bvand {x} (bvsub {x} {self._one})) {self._none})"

    def house(self, cells: Sequence[str]) -> str:
        *others, union = cells
        for cell in reversed(others):
            union = f"(bvor {cell} {union})"
        return f"(= {union} {bits((1 << len(self.board.digits)) - 1, self.size)})"

    def relation(self, related: Related, a: str, b: str) -> str | None:
        if related.relation is differ:
            return self._disjoint(a, b)
        if related.relation is not_consecutive:
            ups = (f"(bvshl {x} {self._one})" for x in (a, b))
            return f"(and {' '.join(map(self._disjoint, ups, (b, a)))})"
        rows = groupby(related.forbidden(self.size), key=lambda pair: pair[0])
        cases = [
            f"(or {self._lacks(a, x)} {self._disjoint(b, self._mask(y for _, y in pairs))})"
            for x, pairs in rows
        ]
        return f"(and true {' '.join(cases)})"

    def constant(self, digit: int) -> str:
        return self._mask([digit])

    def as_number(self, cell: int, arithmetic: Bits) -> str:
        x, number = self.names[cell], arithmetic.literal(self.size)
        for digit in range(self.size - 1, 0, -1):
            number = f"(ite {self._lacks(x, digit)} {number} {arithmetic.literal(digit)})"
        return number

    def _mask(self, digits: Sequence[int] | Iterator[int]) -> str:
        return bits(sum(1 << digit - 1 for digit in digits), self.size)

    def _lacks(self, x: str, digit: int) -> str:
        return f"(= ((_ extract {digit - 1} {digit - 1}) {x}) #b0)"

    def _disjoint(self, a: str, b: str) -> str:
        return f"(= (bvand {a} {b}) {self._none})"


def binary_width(size: int) -> int:
    """The bits that the numbers below the size need, at least one."""
    return max(1, (size - 1).bit_length())


MODELS: dict[str, type[Model]] = {"int": Int, "bv": Binary, "onehot": OneHot}
