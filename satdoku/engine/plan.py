"""What a set of constraints compiles to, once: the arrays that an engine runs.

Invariant: a plan is lists of numbers only; what each of them says, `Plan` tells. Candidates are
digit-major here (index = digit * cells + cell, 0-based), because an engine works on one digit at a
time; this is the one place where the order changes. No numpy, so that one puzzle costs no import
of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple

from ..model.board import Board, BoardError
from ..model.constraints import MOST_RULE_SETS, Constraints, Group, constraints_for
from ..model.implied import AVAILABLE
from ..runtime.lazy import cached_property
from .tables import Lists, Ragged, tables_of

if AVAILABLE:
    from ..model import _sums


@dataclass(eq=False)  # not frozen: rows with clues of their own make one each
class Plan:
    """Compiled constraints. `classic` says that the 324 groups of classic 9x9 and their box-line
    overlaps hold besides what is listed; what is listed is then only what a rule set adds, with the
    cells' groups, through which the two parts meet."""

    cells: int
    digits: int  # that a cell may hold
    classic: bool
    groups: Ragged  # exactly one holds; those of the cells come first
    pairs: Ragged  # entry i: what cannot hold beside candidate i; without any entry if no pairs
    # Entries 2k and 2k + 1: A without B and B without A, for groups A, B that overlap.
    overlaps: Ragged
    relations: Ragged  # the number of an entry of `tables`, and two cells, or one twice
    # For each digit of the first cell the digits of the second that go with it, as a mask; then for
    # each digit of the second those of the first.
    tables: Ragged
    # Entries 2k and 2k + 1: if the candidate of the first is true or there is none, one of the
    # second holds.
    clauses: Ragged
    cages: Ragged  # the number of an entry of `sets`, and the cells that hold one of these
    # For each cage the other cells that differ from all of its cells; or no list at all, and cages
    # are taken as clauses state them.
    rests: Ragged
    sets: Ragged  # sets of digits as masks, bit d for digit d, from 0
    # With nine digits: a total, then for each segment weight, 1 if a digit d counts as 10 - d,
    # number of cells, cells that differ.
    sums: Ragged
    # The same with any number of digits, and as many cells in a set that differ.
    bounds: Ragged
    automata: Ragged  # the number of an entry of `machines`, and the cells that it reads
    # The number of its first entry of `ways`, and how many states there are behind each cell.
    machines: Ragged
    # Pairs of numbers, in which a digit d from 0 is d * cells. For each machine there, cell by cell
    # and state behind it: states before the cell, and digits. Then back, from the last cell: for
    # each digit states before and behind the cell; for each state before all cells but the first
    # digits, and states behind the cell.
    ways: Ragged
    # A digit from 0, how many of the other sides have a lower line that begins with it, 1 if one
    # may be equal, how many cells a line has; cells of one line, then of all lines of these sides.
    ranks: Ragged

    @property
    def variables(self) -> int:
        return self.cells * self.digits

    @cached_property
    def parts(self) -> dict[str, Ragged]:
        """The lists by name, in the order in which the kernel takes them."""
        return {name: getattr(self, name) for name in PARTS}


FEW_PAIRS = 2  # a candidate; knight has 1.9, knight and king 2.6
PARTS = tuple(each.name for each in fields(Plan)[3:])


@lru_cache(MOST_RULE_SETS)
def plan_for(rules: Constraints, box_line: bool) -> Plan:
    """The plan of the constraints: unit propagation with or without the box-line overlaps.

    What the engine does not know is left out, if `is_unplanned`.
    """
    cells, digits = rules.board.cells, rules.board.choices
    frame = _frame(rules.frame, box_line)
    tables = tables_of(rules, _digit_major(cells, digits), box_line)
    is_plain = frame.classic and len(frame.groups) == cells and not any((frame.pairs, *tables))
    groups = Ragged.of([]) if is_plain else frame.groups
    return Plan(cells, digits, frame.classic, groups, frame.pairs, frame.overlaps, *tables)


def plan_of_all(rules: Constraints) -> Plan:
    """The plan by which all solutions are counted or listed.

    Triads of boxes are the better choices where houses tell most (knight: a seventh of the time);
    where pairs do, they take up to a hundred times the nodes (miracle)."""
    plan = plan_for(rules, True)
    listed = 2 * FEW_PAIRS * rules.variables  # a pair beside each of its candidates
    return plan if len(plan.pairs.members) <= listed else plan_for(rules, False)


def refusal(rules: Constraints) -> BoardError:
    """That the engine does not answer under the constraints, or not what was asked."""
    return BoardError(
        f"{rules.board.in_words}: the engine takes no layers or connected cells, sessions do"
    )


class _Frame(NamedTuple):
    """The fields of a plan that follow from the rules; `groups` as if something were listed."""

    classic: bool
    groups: Ragged
    pairs: Ragged
    overlaps: Ragged


@lru_cache(MOST_RULE_SETS)
def _frame(rules: Constraints, box_line: bool) -> _Frame:
    core = (
        _classic_core() if box_line and (rules.board.cells, rules.board.choices) == (81, 9) else ()
    )
    classic = bool(core) and rules.groups[: len(core)] == core
    framed = _framed_in_c if AVAILABLE else framed_in_python
    return _Frame(classic, *framed(rules, len(core) if classic else 0, box_line))


def _framed_in_c(rules: Constraints, known: int, box_line: bool) -> list[Ragged]:
    """The lists of a frame; known: how many groups, the first ones, need not be listed."""
    board, pairs = rules.board, [family.pairs for family in rules.families]
    found = _sums.frame(rules.groups, pairs, board.cells, board.choices, known, box_line)
    return [Ragged.of_bytes(*each) for each in found]


def framed_in_python(rules: Constraints, known: int, box_line: bool) -> list[Ragged]:
    """The same in Python."""
    cells, digits = rules.board.cells, rules.board.choices
    place = _digit_major(cells, digits)
    groups = [[place[candidate] for candidate in group] for group in rules.groups]
    sides: Lists = []
    if box_line and known < len(groups):
        sides = _sides(groups, ((a, b) for a, b in rules.overlaps if b >= known))
    listed = groups[:cells] + groups[max(known, cells) :]
    neighbours = _adjacency(
        [(place[a], place[b]) for a, b in rules.pairs if a != b], rules.variables
    )
    return [*map(Ragged.of, (listed, neighbours, sides))]


@lru_cache(maxsize=4)
def _digit_major(cells: int, digits: int) -> tuple[int, ...]:
    """The index of each candidate, given by its cell-major one: cell * digits + digit."""
    return tuple(digit * cells + cell for cell in range(cells) for digit in range(digits))


@lru_cache(maxsize=1)
def _classic_core() -> tuple[Group, ...]:
    """The 324 groups of classic 9x9."""
    return constraints_for("classic", Board.of_size(9)).groups


def _sides(groups: Sequence[Sequence[int]], overlaps: Iterable[tuple[int, int]]) -> Lists:
    """A \\ B and B \\ A for every two groups A and B that overlap, the lower one first.

    If all of A \\ B is false, the true one is shared, so all of B \\ A is false; and the other way
    round. Two groups that share one candidate say no more than their own clauses.
    """
    sides: Lists = []
    sets: dict[int, frozenset[int]] = {}
    for a, b in overlaps:
        one = sets.get(a) or sets.setdefault(a, frozenset(groups[a]))
        other = sets.get(b) or sets.setdefault(b, frozenset(groups[b]))
        sides.append([c for c in groups[a] if c not in other])  # ascending, as groups are
        sides.append([c for c in groups[b] if c not in one])
    return sides


def _adjacency(pairs: Iterable[Sequence[int]], variables: int) -> Lists:
    neighbours: Lists = [[] for _ in range(variables)]
    for a, b in pairs:
        neighbours[a].append(b)
        neighbours[b].append(a)
    return neighbours if any(neighbours) else []
