"""Terms of SMT-LIB as text, so that the witness's statements write them.

Invariant: a term knows the bounds of its value, and its arithmetic the largest number that was
written; signed bit-vectors as wide as that never overflow, so they say what integers say.
"""

from __future__ import annotations

from typing import Any, ClassVar


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
