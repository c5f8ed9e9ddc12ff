"""Layers with some of the digits of the grid, which Interactive Sudoku Solver has not.

Invariant: in its texts every variable may hold each digit of the grid, and a layer with fewer
digits is one whose variables are given these. Either stands for the other only where each clue says
the same of both; a kind may go by the digits that its cells can hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from ...model.board import Board, Digits, Layer, written
from ...model.clue import Clue
from ...model.constraints import Constraints, constraints_for
from ...model.kinds import KINDS, ONE_OF, clue_of, foreign
from ...model.rules import RuleError
from ...runtime.errors import SatdokuError
from . import names

# Kinds that name the digits of which they speak.
_NAMING = {kind.name for kind, there in foreign("iss") if there.way == "area"} | {ONE_OF}


def widened(constraints: Constraints) -> Constraints:
    """The constraints with all digits in each layer, and clues that leave a layer those it has.

    Raises `RuleError`, which names the layer, where others are no digits of the grid or a clue
    would say something else.
    """
    board = constraints.board
    own = [layer for layer in board.layers if layer.name != names.REGIONS]
    some = {layer.name: layer.digits for layer in own if layer.digits != board.digits}
    for name, digits in some.items():
        if not {*digits} <= {*board.digits}:
            held = f"variables hold digits of the grid, {written(board.digits)}"
            raise RuleError(_refused(name, digits, held))
    if not some:
        return constraints
    wide = _with_digits(board, dict.fromkeys(some, board.digits))
    choices = (
        f"{ONE_OF}={','.join(map(str, some[layer.name]))}:{board.name_of(cell)}"
        for layer in own
        if layer.name in some
        for cell in _cells_of(layer, board)
    )
    for clue in constraints.clues:
        if not _says_the_same(clue, board, wide):
            name = next((name for name in some if _touches(clue, name, board)), next(iter(some)))
            told = f"{clue.text(board)[:80]} goes by the digits of its cells"
            raise RuleError(_refused(name, some[name], told))
    return constraints_for(";".join([*constraints.rules, *choices]), wide)


def _touches(clue: Clue, name: str, board: Board) -> bool:
    first = board.first_of[name]
    return any(first <= cell < first + board.size_of(name) for cell in clue.cells)


def _refused(name: str, digits: Digits, why: str) -> str:
    return f"Interactive Sudoku Solver has no layer {name} of digits {written(digits)}: {why}"


def narrowed(constraints: Constraints) -> Constraints:
    """The constraints with fewer digits in each layer whose variables are all given the same ones,
    if that says the same."""
    board = constraints.board
    held = _choices(constraints) if board.layers else {}  # which reads every clue
    some: dict[str, Digits] = {}
    inside: set[tuple[int, Digits]] = set()
    for layer in board.layers:
        each = [held.get(cell, set()) for cell in _cells_of(layer, board)]
        if common := set.intersection(*each) - {layer.digits}:
            some[layer.name] = min(common, key=len)
            inside |= {(cell, some[layer.name]) for cell in _cells_of(layer, board)}
    if not some:
        return constraints
    narrow = _with_digits(board, some)
    dropped = {
        clue.text(board)
        for clue in constraints.clues
        if clue.kind == ONE_OF and {(cell, _held(clue)) for cell in clue.cells} <= inside
    }
    kept = [clue for clue in constraints.clues if clue.text(board) not in dropped]
    if not all(_says_the_same(clue, narrow, board) for clue in kept):
        return constraints
    rules = [rule for rule in constraints.rules if rule not in dropped]
    return constraints_for(";".join(rules), narrow)


def _choices(constraints: Constraints) -> dict[int, set[Digits]]:
    """What clues leave each cell."""
    held: dict[int, set[Digits]] = {}
    for clue in constraints.clues:
        for cell in clue.cells if clue.kind == ONE_OF else ():
            held.setdefault(cell, set()).add(_held(clue))
    return held


def _held(clue: Clue) -> Digits:
    return tuple(sorted({*map(int, clue.value.split(","))}))


def _cells_of(layer: Layer, board: Board) -> range:
    first = board.first_of[layer.name]
    return range(first, first + board.size_of(layer.name))


def _with_digits(board: Board, some: Mapping[str, Digits]) -> Board:
    layers = (x._replace(digits=some.get(x.name, x.digits)) for x in board.layers)
    return replace(board, layers=tuple(layers))


def _says_the_same(clue: Clue, narrow: Board, wide: Board) -> bool:
    """Whether a clue says on both boards the same of the digits of the narrow one."""
    if clue.parts:
        return all(_says_the_same(part, narrow, wide) for part in clue.parts)
    if max(clue.cells, default=0) < narrow.grid_cells or clue.kind in _NAMING:
        return True
    kind = KINDS[clue.kind]
    try:
        if any(clue_of(clue.text(narrow), board) != clue for board in (narrow, wide)):
            return False
        is_told = kind.sums or (kind.relations and not kind.shapes)
        return bool(is_told and not kind.houses) and _same_parts(clue, narrow, wide)
    except SatdokuError:
        return False


def _same_parts(clue: Clue, narrow: Board, wide: Board) -> bool:
    """Whether sums and relations are the same."""
    kind = KINDS[clue.kind]
    if kind.sums and [*kind.sums(narrow, clue)] != [*kind.sums(wide, clue)]:
        return False
    if not kind.relations:
        return True
    ones, others = [*kind.relations(narrow, clue)], [*kind.relations(wide, clue)]
    if [one[:2] for one in ones] != [other[:2] for other in others]:
        return False
    return all(
        one.allowed(a, b) == other.allowed(a, b)
        for one, other in zip(ones, others, strict=True)
        if one.allowed is not other.allowed
        for a, b in product(*narrow.domains(one[:2]))
    )
