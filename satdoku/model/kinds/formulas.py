"""Sums and products of what a place holds: how they are written, and what they come to.

Invariant: a formula is whole-number arithmetic on the digit of a place and on what layers hold
there; nothing else of Python is read.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add, mul, sub
from random import Random

from ..board import Board
from ..clue import ClueError

DIGIT = "digit"  # what the cell of the grid holds, among names of layers
_LONGEST, _HIGHEST = 100, 999
_JOINS = {ast.Add: add, ast.Sub: sub, ast.Mult: mul}
_NODES = (ast.BinOp, ast.UnaryOp, ast.USub, ast.Name, ast.Load, *_JOINS)
_EXPECTED = f"'{DIGIT}', names of layers and numbers between +, - and *"


@dataclass(frozen=True)
class Formula:
    """A value that is a formula: `digit*(1+double)`."""

    def read(self, text: str, board: Board) -> str:
        plain = "".join(text.split())
        known = {DIGIT, *(layer.name for layer in board.layers)}
        if unknown := next((name for name in names_in(plain) if name not in known), None):
            raise ClueError(f"value '{plain[:20]}': the board has no layer '{unknown[:20]}'")
        return plain

    def expected(self, board: Board) -> str:
        """What is read on the board, in words."""
        return _EXPECTED

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """What needs no other layer."""
        return [DIGIT, f"{size + 1}-{DIGIT}"]


def names_in(text: str) -> tuple[str, ...]:
    """The names in a formula, each once, as they come; raises `ClueError` if it is none."""
    names = [node for node in ast.walk(_parsed(text)) if isinstance(node, ast.Name)]
    if not names:
        raise ClueError(f"value '{text[:20]}': expected {_EXPECTED}")
    return tuple(dict.fromkeys(node.id for node in sorted(names, key=lambda node: node.col_offset)))


def result(text: str, values: Mapping[str, int]) -> int:
    """What a formula comes to if its names have these values."""
    return _result(_parsed(text), values)


@lru_cache(maxsize=64)  # it is asked for each way to fill what it names
def _parsed(text: str) -> ast.expr:
    if len(text) > _LONGEST:
        raise ClueError(f"a value of {len(text)} characters: expected at most {_LONGEST}")
    try:
        formula = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        formula = ast.Tuple([])
    if not all(map(_is_known, ast.walk(formula))):
        raise ClueError(f"value '{text[:20]}': expected {_EXPECTED}")
    return formula


def _is_known(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) is int and node.value <= _HIGHEST
    return isinstance(node, _NODES)


def _result(node: ast.expr, values: Mapping[str, int]) -> int:
    match node:
        case ast.BinOp(left, join, right):
            return int(_JOINS[type(join)](_result(left, values), _result(right, values)))
        case ast.UnaryOp(_, operand):
            return -_result(operand, values)
        case ast.Name(name):
            return values[name]
        case _:
            return int(ast.literal_eval(node))
