"""Puzzles and oracles that several test modules share; none of them reads satdoku's rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from satdoku.model.board import Board

PUZZLES = Path(__file__).parent.parent.parent / "puzzles"

CLASSIC = "....1..3...9..5..88.4..6.25......6....8..4...12..87...3..9..2...65..8...9........"
CLASSIC_SOLUTION = (
    "752819436639245718814736925473592681598164372126387549387951264265478193941623857"
)
FOUR = Board.of_size(4)


def fill(cells: bytes, cell: int) -> Iterator[bytes]:
    """Every way to fill the 4x4 grid from that cell on, by plain backtracking."""
    if cell == 16:
        yield cells
        return
    for digit in range(1, 5):
        if all(cells[other] != digit for other in range(cell) if _see(cell, other)):
            yield from fill(cells[:cell] + bytes([digit]) + cells[cell + 1 :], cell + 1)


def _see(a: int, b: int) -> bool:
    same_box = (a // 8, a % 4 // 2) == (b // 8, b % 4 // 2)
    return a // 4 == b // 4 or a % 4 == b % 4 or same_box


def obeys(cells: bytes, rules: tuple[str, ...], size: int) -> bool:
    """Whether a full grid obeys the extra rules; brute force on coordinates."""
    for a, b in combinations(range(len(cells)), 2):
        x, y = cells[a], cells[b]
        down, right = abs(a // size - b // size), abs(a % size - b % size)
        if "knight" in rules and down * right == 2 and x == y:
            return False
        if "king" in rules and down == right == 1 and x == y:
            return False
        if "nonconsecutive" in rules and down + right == 1 and abs(x - y) == 1:
            return False
        if "antiqueen" in rules and down == right and x == y == size:
            return False
    if "diagonal" in rules:
        falling = {cells[(size + 1) * i] for i in range(size)}
        rising = {cells[(size - 1) * (i + 1)] for i in range(size)}
        return len(falling) == len(rising) == size
    return True


def pigeons(holes: int) -> list[list[int]]:
    """Pigeonhole clauses with one pigeon too many; they have no model and keep any solver busy."""
    variable = {(p, h): holes * p + h + 1 for p in range(holes + 1) for h in range(holes)}
    clauses = [[variable[p, h] for h in range(holes)] for p in range(holes + 1)]
    for (p, h), (q, i) in combinations(variable, 2):
        if h == i:
            clauses.append([-variable[p, h], -variable[q, h]])
    return clauses
