"""What a tree says, node by node: in words, and as a proof for the checkers of others.

Invariant: a lemma denies the splits that lead to a node. Unit propagation confirms it from the
lemmas of the node's children, which come first, and at a leaf from the formula, the givens and the
blocking clauses of the solutions alone.

What is told here is only for rows that hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ..model.board import Board
from ..model.grid import Grid
from ..runtime.lazy import cached_property
from .fields import CertificateError, parse_json
from .format import Certificate, Proof, read_certificate
from .proof.formula import restated, variables_of
from .proof.sums import Derived
from .tree.formula import positive
from .tree.reference import Checker, State
from .tree.rows import NO_CLAIM, Row, claim_of, numbers

MADE_BY = "proof tree"  # in place of a solver


class Node(NamedTuple):
    """A node: the variables that are true on the way to it, its own last, and what is there: the
    grid of a solution, or the clause that is split, or neither after a contradiction."""

    path: tuple[int, ...]
    solution: bytes | None = None
    clause: int | None = None


class Step(NamedTuple):
    """A node in words: what is true there, and what follows if it is a leaf."""

    depth: int
    text: str


class Walker:
    """Walks through the trees of a board and its rules, with sums in place of automata.

    Raises `ProofError` if no tree can refute the formula.
    """

    def __init__(
        self, board: Board, rules: tuple[str, ...], sums: tuple[Derived, ...] = ()
    ) -> None:
        self.board = board
        self._formula = positive(board, rules, sums)
        self._checker = Checker(self._formula)
        self.variables = self._formula.variables
        # How many variables the rules and the sums have.
        self._last = variables_of(restated(board, rules, sums), board)

    def nodes(self, row: Row) -> Iterator[Node]:
        """The nodes, each before all that is below it."""
        checker, names = self._checker, numbers(row.tree)
        splits: list[tuple[State, int]] = []
        path: tuple[int, ...] = ()
        child: State | None = checker.begin(row.puzzle)
        while child:
            state = checker.propagate(child)
            if not state:
                yield Node(path)
            elif solution := checker.solved(state):
                yield Node(path, solution)
            else:
                clause = next(names)
                splits.append((state, checker.clauses[clause]))
                yield Node(path, clause=clause)
            child = checker.next_child(splits)
            if child:
                taken = splits[-1][1] & child[1]  # the clause was open: one variable
                path = (*path[: len(splits) - 1], taken.bit_length() - 1)

    def literal(self, variable: int) -> int:
        """A variable as a literal of the formula of certificates."""
        return -self._denied[variable] - 1 if variable in self._denied else variable + 1

    @cached_property
    def _denied(self) -> dict[int, int]:
        """By variable "not x": x."""
        pairs = (clause for clause in self._formula.clauses if len(clause) == 2)
        return {one: other for other, one in pairs if one >= self._last}

    def words(self, variable: int) -> str:
        """That a variable is true: `r1c3 = 4`, or `x800` for one that only the clauses know."""
        literal, candidates = self.literal(variable), self.board.variables
        if abs(literal) > candidates:
            return f"x{literal}" if literal > 0 else f"not x{-literal}"
        cell, place = divmod(abs(literal) - 1, self.board.choices)
        equals = "=" if literal > 0 else "is not"
        return f"{self.board.name_of(cell)} {equals} {self.board.digits[place]}"

    def steps(self, row: Row) -> list[Step]:
        """The tree as people read it."""
        found = []
        for node in self.nodes(row):
            said = []
            if node.path:
                said.append(self.words(node.path[-1]))
            elif node.clause is None:
                said.append("propagation alone")
            if node.solution:
                at = row.solutions.index(node.solution) + 1
                said.append("the solution" if len(row.solutions) == 1 else f"solution {at}")
            elif node.clause is None:
                said.append("contradiction")
            if said:
                found.append(Step(max(0, len(node.path) - 1), ": ".join(said)))
        return found

    def proof(self, row: Row) -> str:
        """The tree as a DRAT proof; what a lemma makes needless is deleted behind it."""
        lines: list[str] = []
        below: defaultdict[int, list[str]] = defaultdict(list)  # by depth, the lemmas without it
        for path in _children_first(node.path for node in self.nodes(row)):
            lemma = " ".join([*(str(-self.literal(variable)) for variable in path), "0"])
            lines.append(lemma)
            if path:  # behind the empty clause nothing is to do, and units stay
                lines += (f"d {child}" for child in below.pop(len(path) + 1, ()))
            below[len(path)].append(lemma)
        return "\n".join(lines) + "\n"


walker_of = lru_cache(maxsize=4)(Walker)  # the same, kept


def steps_of(
    row: Row, board: Board, rules: tuple[str, ...], sums: tuple[Derived, ...] = ()
) -> list[Step]:
    """`Walker.steps`; nothing for a row without a tree."""
    if chr(row.claim).islower() and claim_of(row.claim) != "multiple":
        return walker_of(board, rules, sums).steps(row)
    return []


def certificate_of(
    row: Row, board: Board, rules: tuple[str, ...], sums: tuple[Derived, ...] = ()
) -> Certificate:
    """What a row claims, with a proof that other checkers read.

    Raises `CertificateError` for a row that claims nothing.
    """
    if row.claim == NO_CLAIM:
        raise CertificateError("nothing is claimed")
    if chr(row.claim).isupper():
        return read_certificate(parse_json(row.tree), board)
    puzzle, *solutions = (Grid(digits, board) for digits in (row.puzzle, *row.solutions))
    claim = claim_of(row.claim)
    proof = None if claim == "multiple" else Proof(walker_of(board, rules, sums).proof(row))
    return Certificate(puzzle, claim, tuple(solutions), MADE_BY, proof)


def _children_first(paths: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """The same, each behind all that is below it."""
    waiting: list[tuple[int, ...]] = []
    for path in paths:
        while waiting and len(waiting[-1]) >= len(path):
            yield waiting.pop()
        waiting.append(path)
    yield from reversed(waiting)
