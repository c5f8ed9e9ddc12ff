"""All encodings with one integer per cell, of a cell's bits or of their order.

Invariant: there are no candidate variables and no auxiliary variables. A forbidden pair is one
clause: the negation of both candidates' literals. If a constraint cannot be written with the
integers' literals, it is omitted only if it follows from the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, compress, islice
from operator import neg, not_

from ...model.constraints import Constraints
from ...model.lowering import Family
from ...model.rules import CandidatePair
from .formula import Clause, ClauseFamily, CodedFormula, EncodingError
from .groups import CELL, follow_from_cells, named


def integer_families(
    constraints: Constraints, codes: Sequence[Clause], ranges: Iterable[Clause]
) -> tuple[ClauseFamily, ...]:
    """All clauses: `ranges` keeps the integers in bounds; `codes` are the candidates' literals."""
    if constraints.is_wide:
        wide = next(family.name for family in constraints.families if family.shapes)
        raise EncodingError(f"integer encodings cannot express the clue {wide}")
    families = [ClauseFamily("cell: in range", tuple(ranges))]
    denials = [tuple(map(neg, code)) for code in codes]
    written: dict[CandidatePair, None] = {}
    for family in constraints.families:
        if family.name == CELL:  # an integer always is exactly one digit
            continue
        before = len(written)
        written.update(dict.fromkeys(_pairs(family, constraints.board.choices)))
        new = islice(written, before, None)
        at_most = tuple(denials[a] + denials[b] if a != b else denials[a] for a, b in new)
        families += named(family.name, tuple(_at_least(constraints, family, codes)), at_most)
    return tuple(family for family in families if family.clauses)


def _pairs(family: Family, size: int) -> Iterator[CandidatePair]:
    """The pairs that the family forbids, without those that one integer excludes anyway."""
    return ((a, b) for a, b in family.exclusions if a // size != b // size or a == b)


def _at_least(
    constraints: Constraints, family: Family, codes: Sequence[Clause]
) -> Iterator[Clause]:
    """The "at least one" clause of each group whose candidates are single literals."""
    open_groups = compress(family.groups, map(not_, follow_from_cells(constraints, family)))
    if any(len(codes[candidate]) != 1 for candidate in chain.from_iterable(open_groups)):
        raise EncodingError(f"integer encodings cannot express the groups of '{family.name}'")
    for group in family.groups:
        literals = [codes[candidate] for candidate in group]
        if all(len(code) == 1 for code in literals):
            yield tuple(chain.from_iterable(literals))


class LogFormula(CodedFormula):
    """A log-encoded CNF: variable bits*cell + i + 1 is bit i (the lowest is 0) of digit - 1."""

    def legend(self) -> tuple[str, ...]:
        n = self.constraints.board.choices
        bits = bits_of(n)
        return (
            f"variable {n * bits}*row + {bits}*column + bit (row, column from 0; bit from 1, the "
            "lowest):",
            f"  the {bits} bits of a cell are those of its digit - 1",
        )

    def in_words(self, literal: int) -> str:
        cell, bit = divmod(abs(literal) - 1, bits_of(self.constraints.board.choices))
        return f"bit {bit + 1} of {self.constraints.board.name_of(cell)}={int(literal > 0)}"


def bits_of(size: int) -> int:
    """The number of bits that the numbers 0..size-1 need."""
    return (size - 1).bit_length()


def log(constraints: Constraints) -> LogFormula:
    """Each cell is a binary integer; a clause for each digit that two cells cannot both hold.

    Source: K. Iwama and S. Miyazaki, SAT-Variable Complexity of Hard Combinatorial Problems, IFIP
    1994; T. Walsh, SAT v CSP, CP 2000. A cell has b = ceil(log2 n) bits, which hold digit - 1, and
    clauses that exclude the numbers from n on. Two peers have a clause of 2b literals for each
    digit.

    Counts for classic 9x9: 324 variables; 3 clauses per cell for the range and 9 for each of the
    810 pairs of peers, 7,533 in all. Unit propagation is weak: it needs 7 of the 8 bits of two
    peers.
    """
    size, cells = constraints.board.choices, constraints.board.cells
    bits = bits_of(size)
    codes = [
        tuple(
            bits * cell + i + 1 if value >> i & 1 else -(bits * cell + i + 1) for i in range(bits)
        )
        for cell in range(cells)
        for value in range(size)
    ]
    ranges = (clause for cell in range(cells) for clause in _at_most(size - 1, bits, bits * cell))
    families = integer_families(constraints, codes, ranges)
    return LogFormula(constraints, "log", families, bits * cells, codes=codes)


def _at_most(limit: int, bits: int, offset: int) -> Iterator[Clause]:
    """Clauses that keep the number at or below `limit`.

    A bit that is 0 in the limit may be 1 only if a higher bit that is 1 in the limit is 0 in the
    number. Bit i is variable offset + i + 1.
    """
    for i in range(bits):
        if not limit >> i & 1:
            higher = [-(offset + j + 1) for j in range(i + 1, bits) if limit >> j & 1]
            yield (-(offset + i + 1), *higher)


class OrderFormula(CodedFormula):
    """A CNF whose variable (size - 1)*cell + d means "the cell holds at most d", d = 1..size-1."""

    def legend(self) -> tuple[str, ...]:
        n = self.constraints.board.choices
        return (
            f"variable {n * (n - 1)}*row + {n - 1}*column + digit (row, column from 0; digit from 1"
            f" to {n - 1}):",
            "  true where the cell holds at most that digit",
        )

    def in_words(self, literal: int) -> str:
        cell, bound = divmod(abs(literal) - 1, self.constraints.board.choices - 1)
        sign = "≤" if literal > 0 else ">"
        return f"{self.constraints.board.name_of(cell)}{sign}{bound + 1}"


def order(constraints: Constraints) -> OrderFormula:
    """A variable means "the cell holds at most this digit"; a clause a digit for two cells.

    Source: J. M. Crawford and A. B. Baker, Experimental Results on the Application of
    Satisfiability Algorithms to Scheduling Problems, AAAI 1994; N. Tamura, A. Taga, S. Kitagawa and
    M. Banbara, Compiling Finite Linear CSP into SAT, Constraints 14, 2009. As in their solver
    Sugar, each house has disequalities and two clauses that place its smallest and its greatest
    digit; these two digits are single literals.

    Counts for classic 9x9: 8 variables per cell, 648 in all; 7 clauses per cell for the order, 9
    for each of the 810 pairs of peers and 2 for each of the 27 houses, 7,911 in all.
    """
    size, cells = constraints.board.choices, constraints.board.cells
    bounds = size - 1
    codes = [
        _is(digit, size, bounds * cell) for cell in range(cells) for digit in range(1, size + 1)
    ]
    ranges = (
        (-(bounds * cell + digit), bounds * cell + digit + 1)
        for cell in range(cells)
        for digit in range(1, bounds)
    )
    families = integer_families(constraints, codes, ranges)
    return OrderFormula(constraints, "order", families, bounds * cells, codes=codes)


def _is(digit: int, size: int, offset: int) -> Clause:
    """The literals of a candidate: at most the digit, and not at most the digit before it."""
    at_most = (offset + digit,) if digit < size else ()
    at_least = (-(offset + digit - 1),) if digit > 1 else ()
    return at_most + at_least


INTEGERS: dict[str, Callable[[Constraints], CodedFormula]] = {"log": log, "order": order}
