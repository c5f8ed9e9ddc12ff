"""Decision graphs: trees that prove a number of solutions, in which equal parts stand once.

Invariant: a graph is accepted only if its number is the sum over its leaves, where a part that is
not told again has the open clauses of the part that it names, and in each of these clauses the same
variables left. So both parts have as many solutions.

For formulas without variables beside the candidates. `c/count.c` does the same in C.
Source of the idea: R. Bryant et al., Certified Knowledge Compilation with Application to Verified
Model Counting, SAT 2023 (CPOG).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from ...runtime import limits
from .formula import Positive
from .reference import Checker, State
from .rows import TOO_LARGE, number_bytes, numbers

MAX_COUNT = (1 << 64) - 2
Key = tuple[int, ...]  # of each clause what is left; 0 if it is not open
Part = Callable[[State], tuple[int | None, int]]


class GraphVerdict(IntEnum):
    """Whether a graph holds; if not, the first thing that is wrong."""

    HOLDS = 0
    NO_CLAUSE = 1
    NO_NODE = 2
    TOO_SHORT = 3
    TOO_LONG = 4
    TOO_DEEP = 5
    TOO_MANY = 6
    NO_MEMORY = 7

    @property
    def reason(self) -> str:
        """What is wrong, in words."""
        return REASONS[self]


REASONS = {
    GraphVerdict.HOLDS: "nothing is wrong",
    GraphVerdict.NO_CLAUSE: "a split of the graph names no open clause",
    GraphVerdict.NO_NODE: "a part of the graph is not like the one that it names",
    GraphVerdict.TOO_SHORT: "the graph ends before its last leaf",
    GraphVerdict.TOO_LONG: "the graph goes on behind its last leaf",
    GraphVerdict.TOO_DEEP: "the graph is deeper than the board has cells",
    GraphVerdict.TOO_MANY: "2^64 solutions or more",
    GraphVerdict.NO_MEMORY: "the graph is too large",
}


def is_countable(formula: Positive) -> bool:
    """Whether the formula has no variables beside the candidates."""
    return formula.variables == formula.cells * formula.digits


def is_relabelled(formula: Positive, puzzle: bytes) -> bool:
    """Whether the solutions of an empty puzzle are as many for each order of the digits of its
    first cells, as many as there are digits, and these must differ.

    So it is if exchanging two digits everywhere changes no clause and no pair.
    """
    size = formula.digits
    firsts = range(min(size, formula.cells))
    pairs = {*formula.pairs}
    differ = all(
        (size * one + digit, size * other + digit) in pairs
        for one in firsts
        for other in range(one + 1, len(firsts))
        for digit in range(size)
    )
    if any(puzzle) or len(firsts) < size or not differ:
        return False
    clauses = {*formula.clauses}
    for low in range(size - 1):

        def exchanged(variables: tuple[int, ...], low: int = low) -> tuple[int, ...]:
            swap = {low: 1, low + 1: -1}
            return tuple(sorted(x + swap.get(x % size, 0) for x in variables))

        if {*map(exchanged, pairs)} != pairs or {*map(exchanged, clauses)} != clauses:
            return False
    return True


class _Broken(Exception):
    """Something is wrong with a graph; its argument is a `GraphVerdict`."""


def count(checker: Checker, puzzle: bytes, graph: bytes) -> tuple[GraphVerdict, int]:
    """Whether a graph holds, and how many solutions it proves."""
    stream, keys = numbers(graph), list[Key]()
    counts: list[int | None] = []

    def number() -> int:
        found = next(stream, TOO_LARGE)
        if found == TOO_LARGE:
            raise _Broken(GraphVerdict.TOO_SHORT)
        return found

    def part(state: State) -> tuple[int | None, int]:
        told = number()
        if told:
            keys.append(key_of(checker, state))
            counts.append(None)
            return told - 1, 0
        node = number()
        known = counts[node] if node < len(keys) else None
        if known is None or keys[node] != key_of(checker, state):
            raise _Broken(GraphVerdict.NO_NODE)
        return None, known

    try:
        found = _walk(checker, puzzle, part, counts)
    except _Broken as broken:
        return broken.args[0], 0
    is_whole = next(stream, None) is None
    return (GraphVerdict.HOLDS if is_whole else GraphVerdict.TOO_LONG), found


def make(checker: Checker, puzzle: bytes, most: int) -> tuple[GraphVerdict, bytes, int]:
    """A graph of a puzzle, and the number of its solutions; it gives up after `most` splits."""
    graph = bytearray()
    nodes: dict[Key, int] = {}
    counts: list[int | None] = []

    def part(state: State) -> tuple[int | None, int]:
        nonlocal graph
        key = key_of(checker, state)
        if key in nodes:
            graph += b"\0" + number_bytes(nodes[key])
            return None, counts[nodes[key]] or 0
        nodes[key] = len(counts)
        counts.append(None)
        if len(counts) > most:
            raise _Broken(GraphVerdict.NO_MEMORY)
        cell = key.index(next(filter(None, key)))
        graph += number_bytes(cell + 1)
        return cell, 0

    try:
        found = _walk(checker, puzzle, part, counts)
    except _Broken as broken:
        return broken.args[0], b"", 0
    return GraphVerdict.HOLDS, bytes(graph), found


def key_of(checker: Checker, state: State) -> Key:
    """What is left of the clauses that are open."""
    possible, true = state
    return tuple(0 if clause & true else clause & possible for clause in checker.clauses)


def _walk(checker: Checker, puzzle: bytes, part: Part, counts: list[int | None]) -> int:
    """The number of solutions; `part` tells of a part the clause to split, or its number."""
    child = checker.begin(puzzle)
    splits: list[list[int]] = []  # clause, node, sum
    states: list[State] = []
    while True:
        limits.check()
        found = 0
        if state := checker.propagate(child):
            if all(clause & state[1] for clause in checker.clauses):
                found = 1
            else:
                clause, found = part(state)
                if clause is not None:
                    if len(splits) == checker.cells:
                        raise _Broken(GraphVerdict.TOO_DEEP)
                    if clause >= len(checker.clauses) or checker.clauses[clause] & state[1]:
                        raise _Broken(GraphVerdict.NO_CLAUSE)
                    splits.append([clause, len(counts) - 1, 0])
                    states.append(state)
        while splits:
            top = splits[-1]
            top[2] += found
            if top[2] > MAX_COUNT:
                raise _Broken(GraphVerdict.TOO_MANY)
            if states[-1][0] & checker.clauses[top[0]]:
                break
            found = counts[top[1]] = top[2]
            splits.pop()
            states.pop()
        if not splits:
            return found
        child, states[-1] = checker.take(states[-1], checker.clauses[splits[-1][0]])
