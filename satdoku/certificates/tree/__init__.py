"""Proof trees: for each puzzle of a collection a search tree that shows how many solutions it has.

Invariant: a row is accepted only if its solutions are solutions, and if unit propagation closes
every leaf of its tree but those where a solution stands. Nothing that makes trees is believed.

A tree is told by its splits, depth first: between two splits all consequences of unit propagation
are drawn. A split names an open clause; for each variable of it that is not false there is a child,
in which it is true and those before it are false. `docs/TREES.md` defines the bytes.

    trees = Trees(board, rules)
    rows = trees.make(puzzles)
    trees.check(rows)  # a Verdict for each row
"""

from __future__ import annotations

from array import array
from functools import lru_cache, partial
from typing import Any

from ...model.board import Board
from ...runtime import limits
from ...runtime.lazy import cached_property
from ..proof import ProofError
from ..proof.sums import Derived
from . import graphs, search
from .formula import positive
from .graphs import GraphVerdict
from .reference import Checker
from .rows import Row, Rows, Verdict, columns

__all__ = ["COMPILED", "MAX_TREE", "Row", "Rows", "Trees", "Verdict", "columns", "trees_of"]

try:
    from . import _tree
except ImportError:  # built without a compiler
    COMPILED = False
else:
    COMPILED = True

MAX_TREE = 1 << 16  # bytes; a longer one is not made
MAX_WORK = 1 << 28  # bytes of a tree times literals of the formula: some seconds of search
NO_TREE = 0  # in place of a claim


class Trees:
    """Makes and checks the trees of a board and its rules, and of sums in place of automata.

    compiled: in C, if that is available; otherwise the same in Python, thousands of times slower.
    Raises `ProofError` if no tree can refute the formula (`positive`).
    """

    def __init__(
        self,
        board: Board,
        rules: tuple[str, ...],
        sums: tuple[Derived, ...] = (),
        *,
        compiled: bool = COMPILED,
    ) -> None:
        self.formula = positive(board, rules, sums)
        self.cells = self.formula.cells
        self.compiled = compiled and COMPILED

    @cached_property
    def _loaded(self) -> Any:
        formula = self.formula
        return _tree.load(formula.variables, formula.cells, formula.digits, *formula.flat)

    @cached_property
    def _checker(self) -> Checker:
        return Checker(self.formula)

    def check(self, rows: Rows) -> bytes:
        """A `Verdict` for each row. Raises `ValueError` if the columns do not belong together."""
        if not rows.is_whole(self.cells):
            raise ValueError("columns that do not belong together")
        if self.compiled:
            verdicts: bytes = _tree.check(self._loaded, *rows)
            return verdicts
        return bytes(self._verdict(row) for row in rows.each(self.cells))

    def _verdict(self, row: Row) -> Verdict:
        limits.check()
        return self._checker.check(row)

    def make(
        self,
        puzzles: bytes,
        *,
        most: int = 1,
        every: bool = False,
        room: int | None = None,
        short: bool = False,
    ) -> Rows:
        """Rows of puzzles, a digit a cell and 0 for none; `NO_TREE` is the claim of one whose tree
        would be longer than `room` bytes, by default as many as the search takes some seconds for.

        With `every`, or of several, it claims all solutions. "multiple" is claimed of more than
        `most` solutions, and then most + 1 are in the row. short: trees of a quarter of the bytes,
        in three to five times the time. Raises `ValueError` for digits that the board lacks.
        """
        if room is None:
            room = min(MAX_TREE, MAX_WORK // self.formula.literals)
        if self.compiled:
            claims, counts, solutions, lengths, trees = _tree.make(
                self._loaded, puzzles, most, every, room, short
            )
            return Rows(claims, puzzles, array("i", counts), solutions, array("i", lengths), trees)
        if len(puzzles) % self.cells or max(puzzles, default=0) > self.formula.digits:
            raise ValueError("a puzzle of another size or with other digits")
        made = partial(self._made, most=most, every=every, room=room, short=short)
        found = range(0, len(puzzles), self.cells)
        return columns(made(puzzles[at : at + self.cells]) for at in found)

    def _made(self, puzzle: bytes, *, most: int, every: bool, room: int, short: bool) -> Row:
        limits.check()
        made = search.make(self._checker, puzzle, most, room, short)
        if made is None:
            return Row(NO_TREE, puzzle, (), b"")
        solutions, tree = made
        if tree is None:
            return Row(ord("m"), puzzle, tuple(solutions), b"")
        claim = "a" if every or len(solutions) > 1 else "nu"[len(solutions)]
        return Row(ord(claim), puzzle, tuple(solutions), tree)

    def is_relabelled(self, puzzle: bytes) -> bool:
        """`graphs.is_relabelled`."""
        return graphs.is_relabelled(self.formula, puzzle)

    def count(self, puzzle: bytes, graph: bytes) -> tuple[GraphVerdict, int]:
        """Whether a graph holds, and how many solutions it proves, within `runtime.limits`."""
        self._check_countable()
        if max(puzzle) > self.formula.digits:
            raise ProofError("a digit in the puzzle that the board does not have")
        if not self.compiled:
            return graphs.count(self._checker, puzzle, graph)
        verdict, _, found = _tree.count(self._loaded, puzzle, graph, 0, limits.check)
        return GraphVerdict(verdict), found

    def graph(self, puzzle: bytes, most: int) -> tuple[bytes, int]:
        """A graph with at most so many splits, and the number that it proves, within
        `runtime.limits`."""
        self._check_countable()
        if self.compiled:
            verdict, graph, found = _tree.count(self._loaded, puzzle, None, most, limits.check)
        else:
            verdict, graph, found = graphs.make(self._checker, puzzle, most)
        if verdict:
            raise ProofError(GraphVerdict(verdict).reason)
        return graph, found

    def _check_countable(self) -> None:
        if not graphs.is_countable(self.formula):
            raise ProofError("numbers are proved under rules and clues on one and two cells only")


@lru_cache(maxsize=4)
def trees_of(board: Board, rules: tuple[str, ...], sums: tuple[Derived, ...] = ()) -> Trees:
    """The same, kept: its formula takes longer to state than a thousand trees to check."""
    return Trees(board, rules, sums)
