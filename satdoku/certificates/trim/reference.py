"""The trimming of refutations without C: it serves where there is no compiler, and tests compare.

Invariant: it reads, watches and keeps the same clauses in the same order as `c/trim.c`, which says
why.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import TypeAlias

from ..proof import DELETE, Ints

_POLL_EVERY = 1 << 16  # clauses that are visited between two questions whether to go on
_FAR = 1 << 31


class _Clause:
    """Literals, those that are watched first, and how long the trail was before it came."""

    __slots__ = ("before", "gone", "literals", "used", "watched")

    def __init__(self, literals: list[int], before: int) -> None:
        self.literals, self.before = literals, before
        self.used = self.gone = self.watched = False


_Watches: TypeAlias = "list[tuple[_Clause, int]]"  # and a literal: if it is true, all is well


class _Stopped(Exception):
    """It takes too long, or is no refutation."""


def trim(
    variables: int, clauses: Ints, proof: Ints, budget: int, poll: Callable[[], object]
) -> tuple[bytes, bytes] | None:
    """Which clauses are needed, a byte each, and the steps that are, as 32-bit numbers with a 0 at
    the end of each; None if that takes too long, or if the proof does not refute them."""
    trimmer = _Trimmer(variables, budget, poll)
    try:
        return trimmer.trim(list(split(clauses)), list(split(proof)))
    except _Stopped:
        return None


def split(numbers: Ints) -> Iterator[list[int]]:
    """The clauses between the zeros."""
    start = 0
    while start < len(numbers):
        try:
            end = numbers.index(0, start)
        except ValueError:
            raise _Stopped from None
        yield numbers[start:end].tolist()
        start = end + 1


class _Trimmer:
    def __init__(self, variables: int, budget: int, poll: Callable[[], object]) -> None:
        self.budget, self.poll = budget, poll
        self.visits = self.polled = 0
        literals = 2 * variables + 1  # negative indices put -n..-1 behind 0..n
        self.lists: list[tuple[_Watches, _Watches]] = [([], []) for _ in range(literals)]
        self.value = [0] * literals  # 1 true, -1 false
        self.reason: list[_Clause | None] = [None] * (variables + 1)
        self.place = [0] * (variables + 1)  # on the trail
        self.seen, self.told = set[int](), set[int]()
        self.trail: list[int] = []
        self.first = self.second = self.within = 0
        self.steps: dict[frozenset[int], list[_Clause]] = {}
        self.events: list[tuple[_Clause, bool]] = []  # and whether it is deleted

    def trim(self, own: list[list[int]], steps: list[list[int]]) -> tuple[bytes, bytes]:
        """`trim` of this module."""
        clauses = [self._clause(literals) for literals in own]
        conflict = self._refute(clauses, steps)
        if conflict is None:
            raise _Stopped
        self._explain(conflict, len(self.trail))
        for clause, is_deleted in reversed(self.events):
            if is_deleted:
                self._attach(clause)
                continue
            clause.gone = True
            self._cut(clause.before)
            if clause.used:
                self._derive(clause)
        kept = array("i")
        for clause, is_deleted in self.events:
            if clause.used and not is_deleted:
                kept.extend([*sorted(clause.literals, key=abs), 0])
        return bytes(clause.used for clause in clauses), kept.tobytes() + bytes(kept.itemsize)

    def _clause(self, literals: list[int]) -> _Clause:
        if any(abs(literal) >= len(self.place) for literal in literals):
            raise _Stopped
        return _Clause(list(dict.fromkeys(literals)), len(self.trail))

    # Forward ----------------------------------------------------------------------------------

    def _refute(self, clauses: list[_Clause], steps: list[list[int]]) -> _Clause | None:
        """Read clauses, then steps, up to the first clause that is false."""
        for clause in clauses:
            clause.before = len(self.trail)
            if self._add(clause):
                return clause
        conflict = self._propagate()
        for literals in steps:
            if conflict:
                break
            if literals[:1] == [DELETE]:
                self._delete(frozenset(literals[1:]))
            else:
                conflict = self._take_step(self._clause(literals))
        return conflict

    def _take_step(self, clause: _Clause) -> _Clause | None:
        self.events.append((clause, False))
        if self._add(clause):
            return clause
        if clause.watched:
            self.steps.setdefault(frozenset(clause.literals), []).append(clause)
        return self._propagate()

    def _add(self, clause: _Clause) -> bool:
        """Add a clause, unless it is true for good; whether it is false."""
        literals = clause.literals
        if any(self.value[literal] > 0 or -literal in literals for literal in literals):
            return False
        if len(literals) > 1:
            self._attach(clause)
        left = sum(self.value[literal] == 0 for literal in literals)
        if left == 1:
            self._assign(literals[0], clause)
        return not left

    def _delete(self, literals: frozenset[int]) -> None:
        like = self.steps.get(literals)
        if like:
            clause = like.pop()
            clause.gone = True
            for literal in clause.literals[:2]:
                watches = self.lists[literal][1]
                del watches[next(i for i, (other, _) in enumerate(watches) if other is clause)]
            self.events.append((clause, True))

    def _attach(self, clause: _Clause) -> None:
        literals = clause.literals
        for side in (0, 1):
            best = max(range(side, len(literals)), key=lambda i: self._lateness(literals[i]))
            literals[side], literals[best] = literals[best], literals[side]
        clause.watched, clause.gone = True, False
        self.lists[literals[0]][not clause.used].append((clause, literals[1]))
        self.lists[literals[1]][not clause.used].append((clause, literals[0]))

    def _lateness(self, literal: int) -> int:
        return self.place[abs(literal)] if self.value[literal] < 0 else _FAR

    # Back -------------------------------------------------------------------------------------

    def _derive(self, clause: _Clause) -> None:
        """A needed step must follow; of its literals those are kept that this takes."""
        mark = len(self.trail)
        for literal in clause.literals:
            if self.value[literal] >= 0:
                self._assign(-literal, None)
        conflict = self._propagate()
        if conflict is None:
            raise _Stopped
        self._explain(conflict, mark)
        clause.literals = [literal for literal in clause.literals if abs(literal) in self.seen]
        self.seen.clear()
        self._cut(mark)

    def _explain(self, conflict: _Clause, mark: int) -> None:
        """What was assumed and is needed stays `seen`."""
        self._need(conflict)
        for i in range(len(self.trail) - 1, -1, -1):
            variable = abs(self.trail[i])
            reason = self.reason[variable]
            if variable in self.seen and reason:
                self._need(reason)
                self.seen.discard(variable)
                if i < mark:
                    self.told.add(variable)

    def _need(self, clause: _Clause) -> None:
        clause.used = True
        self.seen.update(set(map(abs, clause.literals)) - self.told)

    # Propagation ------------------------------------------------------------------------------

    def _assign(self, literal: int, reason: _Clause | None) -> None:
        self.value[literal], self.value[-literal] = 1, -1
        self.reason[abs(literal)] = reason
        self.place[abs(literal)] = len(self.trail)
        self.trail.append(literal)

    def _cut(self, length: int) -> None:
        for literal in self.trail[length:]:
            self.value[literal] = self.value[-literal] = 0
            self.told.discard(abs(literal))
        del self.trail[length:]
        self.first = self.second = length
        self.within = 0

    def _propagate(self) -> _Clause | None:
        """A clause that has become false, if there is one."""
        if self.visits > self.budget:
            raise _Stopped
        if self.visits - self.polled >= _POLL_EVERY:
            self.polled = self.visits
            self.poll()
        conflict = None
        while conflict is None:
            if self.first < len(self.trail):
                self.first += 1
                conflict = self._read(-self.trail[self.first - 1], 0)
            elif self.second < len(self.trail):
                known = len(self.trail)
                conflict = self._read(-self.trail[self.second], 1)
                if conflict is None and len(self.trail) == known:
                    self.second += 1
                    self.within = 0
            else:
                break
        return conflict

    def _read(self, literal: int, which: int) -> _Clause | None:
        """Read the watches of a literal that is false; a second list up to the first unit."""
        watches = self.lists[literal][which]
        at = start = self.within if which else 0
        kept: _Watches = []
        known, conflict = len(self.trail), None
        while at < len(watches) and conflict is None and (not which or len(self.trail) == known):
            clause, blocker = watches[at]
            at += 1
            self.visits += 1
            if self.value[blocker] > 0:
                kept.append((clause, blocker))
                continue
            side = which and not clause.used
            if clause.gone or self._moves(clause, literal, side):
                continue
            other = clause.literals[0]
            (kept if side == which else self.lists[literal][0]).append((clause, other))
            if self.value[other] < 0:
                conflict = clause
            elif not self.value[other]:
                self._assign(other, clause)
        watches[start:at] = kept
        if which:
            self.within = start + len(kept)
        return conflict

    def _moves(self, clause: _Clause, literal: int, side: int) -> bool:
        """Whether it now watches another literal than this, which goes to the second place."""
        literals = clause.literals
        if literals[0] == literal:
            literals[0], literals[1] = literals[1], literal
        if self.value[literals[0]] > 0:
            return False
        for place in range(2, len(literals)):
            if self.value[literals[place]] >= 0:
                literals[1], literals[place] = literals[place], literal
                self.lists[literals[1]][side].append((clause, literals[0]))
                return True
        return False
