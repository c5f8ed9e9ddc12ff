"""The log encoding: each cell is a binary integer, and candidates have no variables.

Source: K. Iwama and S. Miyazaki, SAT-Variable Complexity of Hard Combinatorial Problems, IFIP 1994;
T. Walsh, SAT v CSP, CP 2000. A cell has b = ceil(log2 n) bits, which hold digit - 1, and clauses
that exclude the numbers from n on. Two peers have a clause of 2b literals for each digit.

Counts for classic 9x9: 324 variables; 3 clauses per cell for the range and 9 for each of the 810
pairs of peers, 7,533 in all. Unit propagation is weak: it needs 7 of the 8 bits of two peers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.constraints import Constraints
from .formula import Clause, CodedFormula
from .integers import integer_families


class LogFormula(CodedFormula):
    """A log-encoded CNF: variable bits*cell + i + 1 is bit i (the lowest is 0) of digit - 1."""

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
    """The number of bits that the numbers 0..size-1 need."""
    return (size - 1).bit_length()


def encode(constraints: Constraints) -> LogFormula:
    """Encodes the ranges, and a clause for each digit that two cells cannot both hold."""
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
    """Clauses that keep the number at or below `limit`.

    A bit that is 0 in the limit may be 1 only if a higher bit that is 1 in the limit is 0 in the
    number. Bit i is variable offset + i + 1.
    """
    for i in range(bits):
        if not limit >> i & 1:
            higher = [-(offset + j + 1) for j in range(i + 1, bits) if limit >> j & 1]
            yield (-(offset + i + 1), *higher)
