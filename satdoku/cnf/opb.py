"""Write constraints for pseudo-boolean solvers (OPB), and read their answers.

Invariant: x1, x2, ... are the candidates, numbered as in DIMACS. A group is one equation, and what
a clue adds up is one linear constraint; other clues are clauses with auxiliary variables.

    * #variable= 729 #constraint= 348
    +1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 +1 x7 +1 x8 +1 x9 = 1 ;

Source: O. Roussel, V. Manquinho, Input/Output Format and Solver Requirements for the Competitions
of Pseudo-Boolean Solvers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import chain, count

from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.lowering import Family
from ..model.notes import notes_of
from ..model.shapes import OneOf, Sum
from ..runtime.errors import SatdokuError
from ..witness.verify import violations
from .encodings.formula import EncodingError
from .encodings.shapes import shape_clauses

_YES, _NO = ("SATISFIABLE", "OPTIMUM FOUND", "SAT", "sat"), ("UNSATISFIABLE", "UNSAT", "unsat")
_UNKNOWN = ("UNKNOWN", "UNSUPPORTED", "unknown")
_STATUS = re.compile(rf"^(?:s +)?({'|'.join((*_YES, *_NO, *_UNKNOWN))})\s*$", re.MULTILINE)
_LITERAL = re.compile(r"([-~]?)x([0-9]{1,9})")
_DEFINED = re.compile(r"\(define-fun k!([0-9]{1,9}) \(\) Bool\s+(true|false)\)")  # as Z3 names them


class OpbError(SatdokuError):
    """The output of a pseudo-boolean solver that does not contain a grid."""


def format_opb(
    constraints: Constraints,
    puzzle: Grid | None = None,
    *,
    marks: bytes = b"",
    excluded: Sequence[bytes] = (),
) -> str:
    """The OPB text: its header, comments as in DIMACS, then a constraint a line.

    marks: a byte for each candidate (cell-major), 0 if it is struck. excluded: solutions that are
    ruled out.
    """
    if constraints.has_areas:
        raise EncodingError("connected cells: no OPB constraints say that")
    fresh = count(constraints.variables + 1)
    size = constraints.board.choices
    lines = [
        *(linear(dict.fromkeys((c + 1 for c in group), 1), "=", 1) for group in constraints.groups),
        *(_not_both(a + 1, b + 1) for a, b in constraints.pairs),
        *chain.from_iterable(_clue(family, size, fresh) for family in constraints.families),
        *(linear({_variable(c, d, size): 1}, "=", 1) for c, d in enumerate(puzzle or ()) if d),
        *(linear({c + 1: 1}, "=", 0) for c, mark in enumerate(marks) if not mark),
        *(
            _clause([-_variable(cell, digit, size) for cell, digit in enumerate(cells)])
            for cells in excluded
        ),
    ]
    header = f"* #variable= {next(fresh) - 1} #constraint= {len(lines)}"
    legend = (
        "Sudoku by satdoku: "
        f"x({size * size}*row + {size}*column + digit) is true where the digit is in the cell "
        "(row, column from 0; digit from 1); the rest is auxiliary"
    )
    notes = (f"* {line}" for line in (legend, *notes_of(constraints, puzzle)))
    return "\n".join([header, *notes, *lines]) + "\n"


def linear(factors: Mapping[int, int], relation: str, bound: int) -> str:
    """The sum of factors times variables, `=` or `>=` a bound."""
    terms = " ".join(f"{factor:+d} x{variable}" for variable, factor in factors.items())
    return f"{terms} {relation} {bound} ;"


def _variable(cell: int, digit: int, size: int) -> int:
    return size * cell + digit


def _not_both(a: int, b: int) -> str:
    """Not both candidates; one paired with itself is false."""
    return linear({a: 1}, "=", 0) if a == b else linear({a: -1, b: -1}, ">=", -1)


def _clause(literals: Iterable[int]) -> str:
    signs = {abs(literal): 1 if literal > 0 else -1 for literal in literals}
    return linear(signs, ">=", 1 - sum(sign < 0 for sign in signs.values()))


def _clue(family: Family, size: int, fresh: Iterator[int]) -> Iterator[str]:
    """What a family says beside its groups and pairs."""
    sums = [said for said in family.sums if isinstance(said, Sum)]
    if sums and len(sums) == len(family.sums) and not _has_one_of(family):
        yield from (_total(said, size) for said in sums)
        return
    for shape in family.shapes:
        yield from map(_clause, shape_clauses(shape, size, fresh.__next__))


def _has_one_of(family: Family) -> bool:
    """Whether a shape says what no sum does: automata and sets beside sums say no more than they,
    and that the digits of a cage differ is said by pairs."""
    return any(isinstance(shape, OneOf) for shape in family.shapes)


def _total(said: Sum, size: int) -> str:
    factors: Counter[int] = Counter()
    for cell, weight in zip(said.cells, said.weights, strict=True):
        for digit in range(1, size + 1):
            factors[_variable(cell, digit, size)] += weight * digit
    return linear({x: factor for x, factor in factors.items() if factor}, "=", said.total)


def opb_values(text: str) -> set[int] | None:
    """The variables that an answer makes true, None if it says that there is no solution.

    Reads the `s` and `v` lines of the pseudo-boolean competition, and what `z3 -model` prints.
    Raises `OpbError` for other text, for an answer that contradicts itself, and for one that is
    unknown: see `is_unknown`.
    """
    status = _status(text)
    if status is None or status in _UNKNOWN:
        found = f"'{status}'" if status else "no 's' line"
        raise OpbError(f"found {found}, expected s SATISFIABLE or s UNSATISFIABLE")
    if status in _NO:
        return None
    said: dict[int, bool] = {}
    for variable, value in chain(_literals(text), _defined(text)):
        if said.setdefault(variable, value) != value:
            raise OpbError(f"the answer says both that x{variable} is true and that it is false")
    return {variable for variable, value in said.items() if value}


def _status(text: str) -> str | None:
    """What an answer says, if anything; raises `OpbError` if it says two different things."""
    said = list(dict.fromkeys(_STATUS.findall(text)))
    if sum(not set(words).isdisjoint(said) for words in (_YES, _NO, _UNKNOWN)) > 1:
        raise OpbError(f"found '{said[-1]}' after '{said[0]}', expected one status")
    return said[0] if said else None


def _literals(text: str) -> Iterator[tuple[int, bool]]:
    """The variables of the `v` lines, and whether they are true."""
    for number, line in enumerate(StringIO(text), 1):  # one at a time: an answer may be long
        if line.split(None, 1)[:1] != ["v"]:
            continue
        for word in re.finditer(r"\S+", line.lstrip()[1:]):
            value = _LITERAL.fullmatch(word[0])
            if value is None:
                found = word[0][:20]
                raise OpbError(f"line {number}: found {found!r}, expected such as x1 or -x1")
            yield int(value[2]), not value[1]


def _defined(text: str) -> Iterator[tuple[int, bool]]:
    """The variables that Z3 defines."""
    for name, value in _DEFINED.findall(text):
        yield int(name), value == "true"


def is_unknown(text: str) -> bool:
    """Whether an answer says that it is unknown."""
    return _status(text) in _UNKNOWN


def cells_of(true: set[int], constraints: Constraints) -> bytes:
    """The digits of the cells; raises `OpbError` if a cell has none or several."""
    board = constraints.board
    held: list[list[int]] = [[] for _ in range(board.cells)]
    for variable in sorted(v for v in true if 0 < v <= constraints.variables):
        cell, digit = divmod(variable - 1, board.choices)
        held[cell].append(digit + 1)
    for cell, digits in enumerate(held):
        if len(digits) != 1:
            several = " and ".join(map(str, digits)) or "no digit"
            raise OpbError(f"{board.name_of(cell)} has {several}: expected one digit in each cell")
    return bytes(digit for (digit,) in held)


def parse_opb_answer(
    text: str, constraints: Constraints, puzzle: Grid | None = None
) -> Grid | None:
    """The checked grid of an answer; None if it says that there is no solution.

    Raises `OpbError` for other text, a broken rule, or a given that the grid does not keep.
    """
    true = opb_values(text)
    if true is None:
        return None
    grid = Grid(cells_of(true, constraints), constraints.board)
    if broken := violations(grid, constraints.rules):
        raise OpbError(broken[0].describe(grid))
    for cell, given in enumerate(puzzle or ()):
        if given not in (0, grid[cell]):
            name = constraints.board.name_of(cell)
            raise OpbError(f"{name}={grid[cell]}, but the puzzle has {given} there")
    return grid
