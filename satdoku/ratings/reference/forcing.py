"""Forcing chains of several strands: what follows from every digit of a cell, every place of a
digit, a candidate and its opposite, or what contradicts itself.

Invariant: a run takes one candidate to hold, or to leave, and adds what follows, what holds before
what leaves, until nothing follows or a candidate would do both. In a dynamic run what leaves is
struck, and a candidate that holds has as parents all struck ones that it needs. Where nothing
follows any more, runs of a higher level use patterns, and of still higher ones chains within the
chain. A run depends on its candidate and the state alone, so it is made once for a state. Ratings
from 7.5 (nishio), 8.0 (multiple), 8.5 (dynamic), 9.0 (with patterns), 9.5 on (nested), by length
(Sudoku Explainer).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from ...model.board import bits
from ...runtime.lazy import cached_property
from .board import BITS, CELL, CELLS, HOUSE, KINDS, Cause, State, Step, Struck, Technique
from .chains import (
    CAUSES,
    Chain,
    Found,
    Implied,
    Nested,
    Node,
    conclusion_of,
    find_chains,
    length_above,
    settled_by,
    struck_by,
)
from .subsets import fish, hidden_sets, intersections, naked_sets


class Kind(Enum):
    NISHIO = 7.5  # the least rating
    MULTIPLE = 8.0
    DYNAMIC = 8.5


class Level(NamedTuple):
    """A kind of forcing chains. `level`: what runs use besides singles: 1 intersections, pairs and
    X-wings, 2 chains too, 3 multiple chains too, 4 dynamic chains of the level `inner` instead."""

    kind: Kind
    level: int = 0
    inner: int = 0

    @property
    def rating(self) -> float:
        return (self.kind.value, 9.0, 9.5, 10.0, 10.5)[self.level]


@dataclass
class _Run:
    """Nodes that hold and that leave, in the order in which they follow, and a clash of two."""

    holds: dict[int, Node] = field(default_factory=dict)
    leaves: dict[int, Node] = field(default_factory=dict)
    clash: tuple[Node, Node] | None = None

    def is_news(self, candidate: int, holds: bool) -> bool:
        """Whether a node was not known, or clashes with one."""
        same, other = (self.holds, self.leaves) if holds else (self.leaves, self.holds)
        return candidate not in same or candidate in other

    def clashes(self, node: Node) -> bool:
        """Whether the opposite of a node is known; then note that."""
        other = (self.leaves if node.holds else self.holds).get(node.candidate)
        if other:
            self.clash = (node, other) if node.holds else (other, node)
        return other is not None


class _Runs:
    """The runs of a state."""

    def __init__(self, state: State, level: Level) -> None:
        self.source, self.level = state, level
        self.is_dynamic = level.kind != Kind.MULTIPLE
        self.own = level.kind != Kind.NISHIO  # whether digits of one cell follow from each other
        self._runs: dict[tuple[int, bool], _Run] = {}

    def of(self, candidate: int, holds: bool) -> _Run:
        key = (candidate, holds)
        if key not in self._runs:
            self._runs[key] = self._make(Node(candidate, holds))
        return self._runs[key]

    def _make(self, start: Node) -> _Run:
        run = _Run()
        now = self.source.copy() if self.is_dynamic else self.source
        holding, leaving = deque[Node](), deque[Node]()
        self._enter(run, start, holding if start.holds else leaving)
        while run.clash is None:
            if holding:
                for node in self._strike(run, now, holding.popleft()):
                    if run.clashes(node):
                        break
                    self._enter(run, node, leaving)
            elif leaving:
                node = leaving.popleft()
                for settled in self._settle(run, now, node):
                    if run.clashes(settled):
                        break
                    self._enter(run, settled, holding)
                if self.is_dynamic:
                    now.strike(*divmod(node.candidate, 9))
            elif not self.level.level or not self._advance(run, now, leaving):
                break
        return run

    @staticmethod
    def _enter(run: _Run, node: Node, queue: deque[Node]) -> None:
        known = run.holds if node.holds else run.leaves
        if node.candidate not in known:
            known[node.candidate] = node
            queue.append(node)

    def _strike(self, run: _Run, now: State, node: Node) -> Iterator[Node]:
        for candidate, cause in struck_by(now, node.candidate, self.own):
            if run.is_news(candidate, False):
                yield Node(candidate, False, cause, (node,))

    def _settle(self, run: _Run, now: State, node: Node) -> Iterator[Node]:
        for implied in settled_by(now, node.candidate, self.own):
            if run.is_news(implied.candidate, True):
                needed = _gone(self.source, now, implied) if self.is_dynamic else ()
                parents = (node, *(run.leaves[candidate] for candidate in needed))
                yield Node(implied.candidate, True, implied.cause, parents)

    def _advance(self, run: _Run, now: State, leaving: deque[Node]) -> bool:
        """Go on by the first pattern of the level that strikes because of what the run struck."""
        for conclude in _conclusions_of(self.level):
            nodes = [
                Node(candidate, False, Cause.PATTERN, tuple(run.leaves[c] for c in needed), nested)
                for needed, struck, nested in conclude(self.source, now)
                if needed
                for candidate in _in_order(struck)
            ]
            for node in nodes:
                self._enter(run, node, leaving)
            if nodes:
                return bool(leaving)
        return False


def _gone(source: State, now: State, implied: Implied) -> list[int]:
    """What had to be struck so that a candidate is the last of its cell or house."""
    cell, digit = divmod(implied.candidate, 9)
    if implied.cause == Cause.CELL:
        return [9 * cell + other for other in BITS[source.of_cell[cell] & ~now.of_cell[cell]]]
    house = HOUSE[cell][implied.cause - Cause.BOX]
    gone = source.of_house[9 * house + digit] & ~now.of_house[9 * house + digit]
    return [9 * CELL[house][place] + digit for place in BITS[gone]]


def _in_order(struck: Struck) -> list[int]:
    """Struck candidates as Sukaku Explainer meets them: in the order of a hash table of cells,
    whose number of buckets grows with them. What is met first becomes a parent first."""
    buckets = 16
    while 4 * len(struck) > 3 * buckets:
        buckets *= 2
    ordered = sorted(struck, key=lambda entry: entry[0] % buckets)
    return [9 * cell + digit for cell, digits in ordered for digit in BITS[digits]]


# What a pattern needs gone (candidates), what it strikes, and the chain that it is.
Conclusion = tuple[list[int], Struck, Nested | None]
Conclude = Callable[[State, State], Iterator[Conclusion]]


def _by_crossings(step: Step, source: State, now: State) -> list[int]:
    """An intersection or fish needs its digit gone from the rest of its base houses."""
    digit = step.digits.bit_length() - 1
    gone = source.of_digit[digit] & ~now.of_digit[digit]
    for cover in step.houses[1::2]:
        gone &= ~CELLS[cover]
    return [9 * cell + digit for base in step.houses[::2] for cell in bits(CELLS[base] & gone)]


def _by_naked(step: Step, source: State, now: State) -> list[int]:
    return [
        9 * cell + digit
        for cell in bits(step.cells)
        for digit in BITS[source.of_cell[cell] & ~step.digits]
    ]


def _by_hidden(step: Step, source: State, now: State) -> list[int]:
    return [
        9 * cell + digit
        for cell in bits(CELLS[step.houses[0]] & ~step.cells)
        for digit in BITS[source.of_cell[cell] & step.digits]
    ]


def _pattern(
    steps: Callable[[State], Iterator[Step]], needed: Callable[[Step, State, State], list[int]]
) -> Conclude:
    def conclude(source: State, now: State) -> Iterator[Conclusion]:
        for step in steps(now):
            yield needed(step, source, now), step.struck, None

    return conclude


def _within(chains: Callable[[State], list[Chain]]) -> Conclude:
    def conclude(source: State, now: State) -> Iterator[Conclusion]:
        for chain in chains(now):
            yield list(chain.premises(source, now)), chain.struck, chain.nested()

    return conclude


PATTERNS = [
    _pattern(intersections, _by_crossings),
    _pattern(lambda state: hidden_sets(state, 2), _by_hidden),
    _pattern(lambda state: naked_sets(state, 2), _by_naked),
    _pattern(lambda state: fish(state, 2), _by_crossings),
]


def _conclusions_of(level: Level) -> Iterator[Conclude]:
    yield from PATTERNS
    if 2 <= level.level < 4:
        yield _within(lambda state: find_chains(state, True))
    if level.level == 3:
        yield _within(lambda state: find_forcing(state, Level(Kind.MULTIPLE), True))
    if level.level == 4:
        inner = Level(Kind.DYNAMIC, level.inner)
        yield _within(lambda state: find_forcing(state, inner, True))


class _Search:
    def __init__(self, state: State, level: Level, wants_all: bool) -> None:
        self.state, self.level = state, level
        self.runs, self.found = _Runs(state, level), Found(wants_all)

    @cached_property
    def candidates(self) -> list[int]:
        """Where chains begin; where a cell has two digits and nothing is struck within the chain,
        plain chains have found all there is."""
        least = 3 if self.level.kind == Kind.MULTIPLE else 2
        return [
            9 * cell + digit
            for cell, digits in enumerate(self.state.of_cell)
            if digits.bit_count() >= least
            for digit in BITS[digits]
        ]

    def run(self) -> None:
        for candidate in self.candidates:
            cell, digit = divmod(candidate, 9)
            digits = self.state.of_cell[cell]
            if self.level.kind != Kind.MULTIPLE:
                self.contradict(candidate)
            if self.level.kind == Kind.DYNAMIC and digits.bit_count() >= 3:
                self.double(candidate)
            if self.level.kind != Kind.NISHIO:
                for kind in KINDS:
                    self.region(candidate, HOUSE[cell][kind])
                if digit == digits.bit_length() - 1:
                    self.cell(cell)

    def contradict(self, candidate: int) -> None:
        """A candidate whose run would make another both hold and leave does the opposite."""
        nishio = self.level.kind == Kind.NISHIO
        technique = Technique.NISHIO if nishio else Technique.CONTRADICTION
        for holds in (True, False):
            clash = self.runs.of(candidate, holds).clash
            if clash:
                self.offer(technique, 7, clash, Node(candidate, not holds))

    def double(self, candidate: int) -> None:
        """What follows whether a candidate holds or leaves."""
        runs = [self.runs.of(candidate, holds) for holds in (True, False)]
        self.offer_common(Technique.DOUBLE_FORCING, 1, runs)

    def cell(self, cell: int) -> None:
        """What follows from each digit of a cell."""
        runs = [self.runs.of(9 * cell + digit, True) for digit in BITS[self.state.of_cell[cell]]]
        self.offer_common(Technique.CELL_FORCING, 5, runs, Cause.CELL)

    def region(self, candidate: int, house: int) -> None:
        """What follows from each place of a digit in a house, where the candidate is the first."""
        cell, digit = divmod(candidate, 9)
        cells = CELLS[house] & self.state.of_digit[digit]
        if cells & -cells == 1 << cell and cells != 1 << cell:
            runs = [self.runs.of(9 * place + digit, True) for place in bits(cells)]
            self.offer_common(Technique.REGION_FORCING, 6, runs, CAUSES[house // 9])

    def offer_common(
        self, technique: Technique, kind: int, runs: list[_Run], origin: Cause = Cause.ASSUMED
    ) -> None:
        for first, *others in ([run.holds for run in runs], [run.leaves for run in runs]):
            for candidate, node in first.items():
                if all(candidate in other for other in others):
                    ends = (node, *(other[candidate] for other in others))
                    self.offer(technique, kind, ends, node, origin)

    def offer(
        self,
        technique: Technique,
        kind: int,
        ends: tuple[Node, ...],
        result: Node,
        origin: Cause = Cause.ASSUMED,
    ) -> None:
        nodes = sum(end.ancestry.bit_count() for end in ends)
        nested = frozenset[Nested]().union(*(end.nested for end in ends))
        nodes += sum(inner for _, inner in nested)
        rank = (self.level.rating + length_above(nodes), nodes, kind)
        if not self.found.is_late(rank):
            struck = conclusion_of(self.state, result)
            placed = result.candidate if result.holds else None
            self.found.offer(
                rank, struck, lambda: Chain(technique, rank, struck, placed, ends, origin)
            )


def find_forcing(state: State, level: Level, wants_all: bool = False) -> list[Chain]:
    """The best chain of a kind and level (or the best one for each conclusion), in order."""
    search = _Search(state, level, wants_all)
    search.run()
    return search.found.chains()


def multiple_chains(state: State, level: Level, wants_all: bool = False) -> Iterator[Step]:
    """The best nishio, multiple or dynamic forcing chain of a level (or the best one for each
    conclusion)."""
    for chain in find_forcing(state, level, wants_all):
        yield chain.step(level.level)
