"""The log encoding: each cell an integer in binary, no variable a candidate.

Source: K. Iwama and S. Miyazaki, SAT-Variable Complexity of Hard Combinatorial Problems, IFIP 1994;
T. Walsh, SAT v CSP, CP 2000. A cell has b = ceil(log2 n) bits, those of digit - 1, and clauses that
exclude the numbers from n on; two peers exclude each other by a clause of 2b literals a digit.

Counts for classic 9x9: 324 variables; 3 clauses a cell for the range, 9 for each of the 810 pairs
of peers: 7,533. Unit propagation is weak: of two peers' eight bits seven must be known.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.constraints import Constraints
from .formula import Clause, CodedFormula
from .integers import integer_families


class LogFormula(CodedFormula):
    """Variable bits*cell + i + 1 is bit i (the lowest is 0) of digit - 1."""

    def legend(self) -> tuple[str, ...]:
        n = self.constraints.board.size
        bits = bits_of(n)
        return (
            f"variable {n * bits}*row + {bits}*column + bit (row, column from 0; bit from 1, the "
            "lowest):",
            f"  the {bits} bits of a cell are those of its digit - 1",
        )

    def in_words(self, literal: int) -> str:
        cell, bit = divmod(abs(literal) - 1, bits_of(self.constraints.board.size))
        return f"bit {bit + 1} of {self.constraints.board.name_of(cell)}={int(literal > 0)}"


def bits_of(size: int) -> int:
    """Bits that hold the numbers 0..size-1."""
    return (size - 1).bit_length()


def encode(constraints: Constraints) -> LogFormula:
    """Ranges, and a clause for each digit of two cells that exclude each other."""
    size, cells = constraints.board.size, constraints.board.cells
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
    """The number is no greater: a bit that the limit lacks is set only below one that falls short.

    Bit i is variable offset + i + 1.
    """
    for i in range(bits):
        if not limit >> i & 1:
            higher = [-(offset + j + 1) for j in range(i + 1, bits) if limit >> j & 1]
            yield (-(offset + i + 1), *higher)
