"""Questions about a state, each asked again only when a candidate that its answer depends on is
gone or back.

Invariant: the answers depend on the candidates of the state alone, whatever was asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from ...model.board import bits
from ..readings import Mask

Answer = TypeVar("Answer")


class Questions:
    """What answers depend on. members: the candidates of each question; at: for each candidate the
    questions that have it; every: all questions."""

    def __init__(self, members: Sequence[Mask]) -> None:
        self.members = members
        self.every = (1 << len(members)) - 1
        self.at = [0] * max((mask.bit_length() for mask in members), default=0)
        for number, mask in enumerate(members):
            for candidate in bits(mask):
                self.at[candidate] |= 1 << number

    def touched(self, candidates: Mask) -> int:
        """The questions that have any of the candidates."""
        touched = 0
        for candidate in _members(candidates & (1 << len(self.at)) - 1):
            touched |= self.at[candidate]
        return touched


@lru_cache(maxsize=64)
def _members(candidates: Mask) -> tuple[int, ...]:
    """Kept, as all ask for what has changed between the same two states."""
    return tuple(bits(candidates))


class Watched(Generic[Answer]):
    """ask: the answers to a question, out of its number and those of its members that are left.
    is_wide: out of all candidates left; where there is none, there is none while only others go,
    and where there is one, it is asked for in each state.

    A question is asked when its turn comes, so that what is not looked at costs nothing. The
    answers to one state are read before another is asked.
    """

    def __init__(
        self,
        questions: Questions,
        ask: Callable[[int, Mask], Sequence[Answer]],
        *,
        is_wide: bool = False,
    ) -> None:
        self._questions, self._ask, self._is_wide = questions, ask, is_wide
        self._live: Mask = 0
        self._open = questions.every  # those that have an answer, or are to be asked again
        self._known: dict[int, Sequence[Answer]] = {}

    def found(self, live: Mask) -> Iterator[Answer]:
        """The answers, by the numbers of the questions."""
        self._mark(live)
        yield from self._told(self._open)

    def _told(self, asked: int) -> Iterator[Answer]:
        known = self._known
        for number in bits(asked):
            yield from known.get(number) or self._answers(number)

    def _mark(self, live: Mask) -> int:
        """Which questions are to be asked again."""
        if live == self._live:
            return 0
        is_less = not live & ~self._live
        touched = self._questions.touched(live ^ self._live) if is_less else self._questions.every
        self._live = live
        self._open |= touched
        for number in set(self._known).intersection(bits(touched)):
            del self._known[number]
        return touched

    def _answers(self, number: int) -> Sequence[Answer]:
        """Ask a question that has no answer that is kept."""
        if self._is_wide:
            answers = self._ask(number, self._live)
        else:
            answers = self._ask(number, self._live & self._questions.members[number])
        if not answers:
            self._open &= ~(1 << number)
        elif not self._is_wide:
            self._known[number] = answers
        return answers


class Sieved(Generic[Answer]):
    """The same answers, where a sieve says of each state which questions may have any."""

    def __init__(
        self,
        questions: Questions,
        ask: Callable[[int, Mask], Sequence[Answer]],
        sieve: Callable[[Mask], int],
        *,
        is_wide: bool = False,
    ) -> None:
        self._questions, self._ask, self._sieve, self._is_wide = questions, ask, sieve, is_wide
        self._known: dict[int, tuple[Mask, Sequence[Answer]]] = {}

    def found(self, live: Mask) -> Iterator[Answer]:
        """The answers, by the numbers of the questions."""
        for number in bits(self._sieve(live)):
            left = live if self._is_wide else live & self._questions.members[number]
            known = self._known.get(number)
            if known is None or known[0] != left:
                known = self._known[number] = left, self._ask(number, left)
            yield from known[1]


Rank = tuple[float, ...]


class Ranked(Watched[Answer]):
    """The same, with the answers of the lowest rank first. rank: of a question in a state, which
    depends on the members left, too; None if it is not to be asked."""

    def __init__(
        self,
        questions: Questions,
        ask: Callable[[int, Mask], Sequence[Answer]],
        rank: Callable[[int, Mask], Rank | None],
    ) -> None:
        super().__init__(questions, ask)
        self._rank = rank
        self._ranks: dict[int, Rank | None] = {}
        self._of_rank: dict[Rank, int] = {}

    def ranked(self, live: Mask) -> Iterator[tuple[Rank, Iterator[Answer]]]:
        """Each rank with its answers."""
        touched = self._mark(live)
        for number in bits(touched if self._ranks else self._questions.every):
            before, rank = self._ranks.get(number), self._rank(number, live)
            self._ranks[number] = rank
            if rank != before:
                if before is not None:
                    self._of_rank[before] &= ~(1 << number)
                if rank is not None:
                    self._of_rank[rank] = self._of_rank.get(rank, 0) | 1 << number
        for rank in sorted(self._of_rank):
            if asked := self._of_rank[rank] & self._open:
                yield rank, self._told(asked)
