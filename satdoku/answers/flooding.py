"""Connected regions while a solver searches: flooding finds what cannot be, and says why.

Invariant: every clause that leaves this module follows from one sentence about one label, "the
cells that have it are connected, and if there are any, their number is one of its sizes". No other
label and no other constraint is needed, so `witness.regions` checks each clause by itself.

A label is given by one literal a cell, which says that the cell has it. `Flooding` is told of each
assignment to these literals, and answers with literals that follow and with their reasons:

- A cell is not reached from one that has the label: one of the two has it not, or a cell between.
- A cell that has the label reaches too few others: it has it not, or a cell of the border has it.
- It reaches just enough: each of these has the label, or a cell of the border.
- A cell is so far from others that have the label that the steps between would be too many: one of
  them all has it not, or one of the cells beside the steps has it.
- Cells that have the label, but are too few, can grow over one cell only: that one has it.
- No cell has the label yet, and a component of those that may is too small: none of it has it.

    flooding = Flooding(literals, edges, sizes)
    with flooding.attached(solver):     # a Cadical195 of PySAT
        solver.solve()
    flooding.lemmas                     # the clauses that the solver's answers depend on

The C extension does the same, clause by clause.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from ..model.board import Cells, bits, neighbours
from ..runtime.lazy import cached_property

if TYPE_CHECKING:
    from pysat.solvers import Solver

    from ..cnf.encodings.formula import Area

try:
    from . import _flooding
except ImportError:  # built without a compiler
    COMPILED = False
else:
    COMPILED = True

Lemma = tuple[int, ...]  # the literal that follows first
_MOST_CELLS = 1024  # of the C code
Rows = Sequence[Sequence[int]]


class Reference:
    """The propagator without C: it serves where there is no compiler, and tests compare with it.

    Its methods are those of `pysat.engines.Propagator`; `Flooding` says what the arguments mean.
    A set of cells is a number whose bit i stands for cell i.
    """

    is_lazy = False  # it is asked at every assignment

    def __init__(self, literals: Rows, edges: Rows, sizes: Rows) -> None:
        self._literals, self._sizes = literals, sizes
        self._place = {
            literal: (label, 1 << cell)
            for label, own in enumerate(self._literals)
            for cell, literal in enumerate(own)
        }
        cells = len(self._literals[0])
        self._all = (1 << cells) - 1
        self._neighbours = [0] * cells
        for one, other in edges:
            self._neighbours[one] |= 1 << other
            self._neighbours[other] |= 1 << one
        self.lemmas: list[list[int]] = []
        self._true, self._false = ([0] * len(self._literals) for _ in range(2))
        self._changed = [True] * len(self._literals)
        self._trail: list[int] = []
        self._levels: list[int] = []
        self._fixed: set[int] = set()
        self._reasons: dict[int, list[int]] = {}
        self._found: list[int] = []
        self._wrong = False
        self._told = 0

    # What the solver calls --------------------------------------------------------------------

    def on_assignment(self, lit: int, fixed: bool = False) -> None:
        """A literal holds; a fixed one holds from now on at every level."""
        variable = abs(lit)
        if variable not in self._place:
            return
        if fixed:
            self._fixed.add(variable)
        label, cell = self._place[variable]
        if not (self._true[label] | self._false[label]) & cell:
            self._masks(lit)[label] |= cell
            self._changed[label] = True
            self._trail.append(lit)

    def on_new_level(self) -> None:
        """What is assigned from here on is taken back with the level."""
        self._levels.append(len(self._trail))

    def on_backtrack(self, to: int) -> None:
        """Back to a level, which may be one that was never announced."""
        if to >= len(self._levels):
            return
        start = self._levels[to]
        del self._levels[to:]
        kept = []
        for literal in self._trail[start:]:
            if abs(literal) in self._fixed:
                kept.append(literal)
            else:
                label, cell = self._place[abs(literal)]
                self._masks(literal)[label] &= ~cell
                self._changed[label] = True
        self._trail[start:] = kept

    def propagate(self) -> list[int]:
        """The literals that follow; if one of them is false, it is the last."""
        self._found = []
        for label, changed in enumerate(self._changed):
            if changed:
                before = len(self._found)
                conflict = self._flood(label)
                # The solver may go back before it has taken what was told.
                self._changed[label] = len(self._found) > before
                if conflict:
                    break
        if not self._levels:  # before any decision the solver believes without asking why
            self.lemmas += map(self._reasons.__getitem__, self._found)
        return self._found

    def provide_reason(self, lit: int) -> list[int]:
        """The clause of a literal, as `propagate` told it last."""
        self.lemmas.append(self._reasons[lit])
        return self._reasons[lit]

    def check_model(self, model: Sequence[int]) -> bool:
        """Whether nothing is wrong; if something is, `add_clause` says what."""
        self.propagate()
        self._wrong = bool(self._found) and -self._found[-1] in model
        return not self._wrong

    def decide(self) -> int:
        """0, which leaves the decision to the solver."""
        return 0

    def add_clause(self) -> list[int]:
        """What is wrong with a complete model, once: PySAT may ask for one without asking to
        propagate before. Nothing else is told here, or it would be asked for again and again."""
        wrong, self._wrong = self._wrong, False
        return self.provide_reason(self._found[-1]) if wrong else []

    # Flooding: each method is true if it came to a conflict ------------------------------------

    def _flood(self, label: int) -> bool:
        """All rules for one label."""
        self._told = 0
        true, (least, most) = self._true[label], self._sizes[label]
        if not true:
            return self._components(label, self._all, 0, least)
        first = true & -true
        reach, border = self._reach(label, first)
        size = reach.bit_count()
        if size < least:
            return self._tell(label, first, False, 0, border)
        if self._components(label, self._all & ~reach, first, 0, border):
            return True
        if size == least:
            return self._tell(label, reach, True, first, border)
        if true.bit_count() > most:
            return self._tell(label, first, False, true & ~first, 0)
        return self._parts(label, reach, least, most)

    def _components(self, label: int, cells: int, first: int, least: int, border: int = 0) -> bool:
        """The components of what may have the label among `cells`: those out of reach of `first`,
        or, if there is no such cell, those of fewer than `least` cells."""
        left = cells & ~self._false[label]
        while left:
            cells, own = self._reach(label, left & -left)
            left &= ~cells
            if first or cells.bit_count() < least:
                fewer = border if first and border.bit_count() <= own.bit_count() else own
                if self._tell(label, cells, False, first, fewer):
                    return True
        return False

    def _parts(self, label: int, reach: int, least: int, most: int) -> bool:
        """What each connected part of the cells that have the label can and must grow to."""
        true, false = self._true[label], self._false[label]
        left = true
        while left:
            part = left & -left
            while (wider := part | (self._around(part) & true)) != part:
                part = wider
            left &= ~part
            around = self._around(part) & ~part
            exits = around & ~false
            must = exits if part.bit_count() < least and exits.bit_count() == 1 else 0
            if self._tell(label, must, True, part & -part, around & false):
                return True
            near, beside = self._steps(label, part, most - true.bit_count())
            if self._tell(label, reach & ~near, False, true, beside):
                return True
        return False

    def _steps(self, label: int, part: int, steps: int) -> tuple[int, int]:
        """What can be reached from a part over as many new cells, and the cells beside that do not
        have the label, which are the reason."""
        true, false = self._true[label], self._false[label]
        near, beside = part, 0
        for _ in range(steps):
            around = self._around(near)
            beside |= around & false
            near |= around & ~false
            while (wider := near | (self._around(near) & true)) != near:
                near = wider
        return near, beside

    def _tell(self, label: int, cells: int, holds: bool, true: int, false: int) -> bool:
        """Each of the cells has the label, or has it not, because of cells that have it and cells
        that do not. At the first that is otherwise there is a conflict."""
        known, other = self._true[label], self._false[label]
        if not holds:
            known, other = other, known
        cells &= ~(known | self._told)
        if cells & other:
            cells &= other
            cells &= -cells
        self._told |= cells
        own, sign = self._literals[label], 1 if holds else -1
        for cell in bits(cells):
            reason = [sign * own[cell]]
            reason += [-own[c] for c in bits(true) if c != cell]
            reason += [own[c] for c in bits(false) if c != cell]
            self._reasons[reason[0]] = reason
            self._found.append(reason[0])
        return bool(cells & other)

    # Cells ------------------------------------------------------------------------------------

    def _reach(self, label: int, start: int) -> tuple[int, int]:
        """What is reached from a cell over cells that may have the label, and what stops it."""
        within, cells, new, around = ~self._false[label], start, start, 0
        while new:
            around |= self._around(new)
            new = around & within & ~cells
            cells |= new
        return cells, around & ~cells

    def _around(self, cells: int) -> int:
        """The neighbours of the cells, in or out."""
        around = 0
        for cell in bits(cells):
            around |= self._neighbours[cell]
        return around

    def _masks(self, literal: int) -> list[int]:
        return self._true if literal > 0 else self._false


if COMPILED:

    class _Compiled(_flooding.Propagator):
        is_lazy = False


class Flooding:
    """Labels whose cells are connected, for one solver after another.

    literals: for each label the positive literal of each cell, shape (labels, cells). edges: pairs
    of cells that are beside each other. sizes: for each label the least and the greatest number of
    its cells, if it has any.
    """

    def __init__(
        self,
        literals: Sequence[Sequence[int]],
        edges: Iterable[tuple[int, int]],
        sizes: Sequence[tuple[int, int]],
        *,
        compiled: bool = COMPILED,
    ) -> None:
        self.literals = literals
        self.edges = sorted(edges)
        self.sizes = sizes
        is_small = bool(self.edges) and len(literals[0]) <= _MOST_CELLS
        self._is_compiled = compiled and is_small
        self._lemmas: dict[Lemma, None] = {}

    @property
    def lemmas(self) -> list[Lemma]:
        """The clauses that answers of solvers depend on, each once: those that they asked for, and
        those of what they were told before any decision."""
        return list(self._lemmas)

    @staticmethod
    def of_areas(areas: Sequence[Area], fresh: Callable[[], int]) -> Flooding:
        """All areas of a formula, of one board. `fresh` gives variables that have to be false: for
        outside, where an area has none."""
        width = max(len(area.literals) for area in areas)
        literals = [[*area.literals, *_missing(area, width, fresh)] for area in areas]
        edges = {edge for area in areas for edge in area.edges}
        return Flooding(literals, edges, [area.sizes for area in areas])

    def connect(self, solver: Solver) -> None:
        """From now on the `Cadical195` obeys the labels."""
        said = self.literals, self.edges, self.sizes
        self._propagator = _Compiled(*map(_table, said)) if self._is_compiled else Reference(*said)
        solver.connect_propagator(self._propagator)
        for literal in chain.from_iterable(self.literals):
            solver.observe(literal)

    def cuts(self, model: Sequence[int]) -> list[Lemma]:
        """Clauses that a model breaks, none if every label is connected and has one of its sizes:
        for solvers that take no propagator.

        model: a literal for each variable, in order.
        """
        found: list[Lemma] = []
        for own, (least, most) in zip(self.literals, self.sizes, strict=True):
            parts = sorted(self._parts(own, model), key=len)
            for part in parts[:-1]:
                found.append(self._cut(own, part, [min(part), min(parts[-1])]))
            if parts and len(parts[-1]) < least:
                found.append(self._cut(own, parts[-1], [min(parts[-1])]))
            if sum(map(len, parts)) > most:
                cells = sorted(cell for part in parts for cell in part)
                found.append(tuple(-own[cell] for cell in cells[: most + 1]))
        return found

    def _parts(self, own: Sequence[int], model: Sequence[int]) -> Iterator[set[int]]:
        """The connected parts of the cells that have the label."""
        left = {cell for cell, literal in enumerate(own) if model[literal - 1] > 0}
        while left:
            part = new = {left.pop()}
            while new:
                new = {other for cell in new for other in self._beside[cell]} & left
                left -= new
                part = part | new
            yield part

    def _cut(self, own: Sequence[int], part: set[int], have: list[int]) -> Lemma:
        """One of the cells has not the label, or one beside the part has it."""
        around = {other for cell in part for other in self._beside[cell]} - part
        return (*(-own[cell] for cell in have), *(own[cell] for cell in sorted(around)))

    @cached_property
    def _beside(self) -> tuple[Cells, ...]:
        return neighbours(len(self.literals[0]), self.edges)

    @contextmanager
    def attached(self, solver: Solver) -> Iterator[None]:
        """Within, the `Cadical195` obeys the labels."""
        self.connect(solver)
        try:
            yield
        finally:
            self._lemmas.update(dict.fromkeys(map(tuple, self._propagator.lemmas)))
            solver.disconnect_propagator()


def _table(rows: Rows) -> memoryview:
    """32 bits each, in rows; without numpy, whose import takes longer than most puzzles."""
    flat = memoryview(array("i", chain.from_iterable(rows)))
    return flat.cast("B").cast("i", (len(rows), len(rows[0])))


def _missing(area: Area, width: int, fresh: Callable[[], int]) -> Iterator[int]:
    """A variable for each place behind those of the area."""
    return (fresh() for _ in range(width - len(area.literals)))
