"""Whether a digit, or an elimination, is forced now: the judge of a step that somebody proposes.

Invariant: what is called forced, true or false is so in every solution of the state, as the session
or the engine has decided; a step that is given as the reason concludes it, from that state.

A state is a puzzle with the digits entered so far and, if they are known, the candidates left.
Classic puzzles with one solution are judged by all techniques of the rating up to dynamic forcing
chains, the easiest first; others by those of `logic`, chains and contradictions of the candidate
itself among them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..answers.answer import answer
from ..files.one import PuzzleLike, Rules, asked
from ..model.board import Board, bits
from ..model.puzzle import Digits, Puzzle, strikes
from ..ratings.scale import serves
from ..runtime import limits
from ..runtime.errors import BudgetError, SatdokuError, Status, counted
from . import cell_named, explain_steps, leading_to
from .logic.ladder import Ladder
from .named import taken as taken_by_name
from .named import with_digit
from .rated_units import Namer
from .step import Step
from .steps import taken
from .techniques import State
from .units import Units, units_of

LIMIT = 10.0  # seconds
SINGLES = ("hidden single", "naked single")
_CLAIM = re.compile(r"\s*(\S+?)\s*(=|!=|≠)\s*(-?\d+)\s*")


class Claim(NamedTuple):
    """That a candidate (0-based, cell by cell) holds, or that it does not."""

    candidate: int
    holds: bool


@dataclass(frozen=True)
class Judgement:
    """What is known of a claim such as `r1c1=5` or `r1c1≠5`.

    verdict: "forced" (one step concludes it), "true" (every solution has it, but no step of the
    levels concludes it at once), "false" (no solution has it), "undecided" (some solutions have
    it), "known" (the grid has it, or the candidates left say it), or "contradiction" (the state has
    no solution). step: the easiest step that concludes it or, if it is false, its opposite; None if
    there is none. after: if it is true, and no step or only a harder one concludes it at once, the
    steps that lead to it in turn; the last concludes it. Empty if they were not found. why: what
    the state itself says against it.
    """

    claim: str
    verdict: str
    step: Step | None = None
    after: tuple[Step, ...] = ()
    why: str = ""

    @property
    def technique(self) -> str | None:
        """The technique of the step."""
        return None if self.step is None else self.step.technique

    @property
    def rating(self) -> float | None:
        """The rating of the step, None without one."""
        return None if self.step is None else self.step.rating

    @property
    def words(self) -> str:
        """One sentence."""
        start = f"{self.claim}: {self.verdict}"
        if self.verdict == "forced" and self.step is not None:
            why = self.step.words.removeprefix(f"{self.claim}: ")
            return f"{start} now; {why}{self._way}"
        if self.verdict == "true":
            return f"{start}, but not forced by one step{self._way}"
        if self.verdict == "false":
            told = self.why if self.step is None else self.step.words
            return f"{start}; {told or 'no solution has it'}"
        return f"{start}; {ENDS[self.verdict]}"

    @property
    def _way(self) -> str:
        if not self.after:
            return ""
        ratings = [step.rating for step in self.after if step.rating is not None]
        hardest = f", the hardest {max(ratings):.1f}" if ratings else ""
        way = "easier: " if self.step else ""
        count = len(self.after)
        steps = f"{count} steps lead" if count > 1 else "1 step leads"
        return f"; {way}{steps} to it{hardest}, the last: {self.after[-1].words}"

    def as_data(self) -> dict[str, Any]:
        """The judgement as plain values for JSON."""
        return {
            "claim": self.claim,
            "verdict": self.verdict,
            "technique": self.technique,
            "rating": self.rating,
            "words": self.words,
            "step": None if self.step is None else self.step.as_data(),
            "after": [step.as_data() for step in self.after],
        }


ENDS = {
    "undecided": "some solutions have it, others do not",
    "known": "the state has it already",
    "contradiction": "the state has no solution",
}


def judge_step(
    puzzle: PuzzleLike,
    claim: str,
    rules: Rules = None,
    *,
    candidates: Sequence[Iterable[int]] | None = None,
    timeout: float | None = LIMIT,
) -> Judgement:
    """Whether a placement (`r1c1=5`) or an elimination (`r1c1!=5`) is forced now, and by what.

    puzzle: the state, with the digits entered so far; its pencil marks, or `candidates` (for each
    cell the digits left, as positions from 1; those of filled cells do not count), are the
    candidates left. Without them all count that no digit in the grid excludes.

    timeout: seconds, after which no further technique is tried; raises `BudgetError` if that is too
    short for a verdict. Raises `SatdokuError` for a claim that is none.
    """
    deadline = limits.until(timeout)
    with limits.within(timeout):
        state = _with(asked(puzzle, rules), candidates)
        judged = claim_of(claim, state.grid.board)
        verdict, status = _verdict(state, judged)
    judge = _Judge(state, status, deadline)
    name = judge.units.name(judged.candidate, "=" if judged.holds else "≠")
    if verdict in ENDS:
        return Judgement(name, verdict)
    concluded = judged if verdict == "true" else judged._replace(holds=not judged.holds)
    if not concluded.holds and not judge.state.live >> concluded.candidate & 1:
        if verdict == "true":
            return Judgement(name, "known")
        return Judgement(name, verdict, why=judge.against(concluded.candidate))
    step: Step | None = None
    after: tuple[Step, ...] = ()
    with closing(judge), suppress(BudgetError):
        step = judge.step_for(concluded)
        if verdict == "true" and (step is None or step.technique not in SINGLES):
            after = judge.way_to(concluded, step)
    forced = verdict == "true" and step is not None
    return Judgement(name, "forced" if forced else verdict, step, after)


def claim_of(text: str, board: Board) -> Claim:
    """The claim of a text; raises `SatdokuError` for what is none."""
    match = _CLAIM.fullmatch(text)
    if match is None:
        raise SatdokuError(f"claim {text!a}: expected a cell and a digit, as r1c1=5 or r1c1!=5")
    cell, digit = cell_named(match[1], board), int(match[3])
    (digits,) = board.domains((cell,))
    if digit not in digits:
        raise SatdokuError(
            f"claim {text!a}: {board.name_of(cell)} holds {digits[0]} to {digits[-1]}"
        )
    return Claim(board.choices * cell + list(digits).index(digit), match[2] == "=")


def _with(puzzle: Puzzle, candidates: Sequence[Iterable[int]] | None) -> Puzzle:
    """The state as a puzzle with marks, if candidates are given."""
    if candidates is None:
        return puzzle
    board = puzzle.grid.board
    if len(candidates) != board.cells:
        raise SatdokuError(
            f"candidates of {counted(len(candidates), 'cell')}: expected {board.cells}"
        )
    held = zip(puzzle.grid, candidates, strict=True)
    left: Digits = tuple(frozenset([d]) if d else frozenset(digits) for d, digits in held)
    if puzzle.marks is not None:
        left = tuple(a & b for a, b in zip(left, puzzle.marks, strict=True))
    return replace(puzzle, marks=left)


def _verdict(state: Puzzle, claim: Claim) -> tuple[str, Status]:
    """What the solutions say of the claim, and the status of the state."""
    cell, position = divmod(claim.candidate, state.grid.board.choices)
    status = answer(state).status
    if status is Status.UNKNOWN:
        raise limits.late()
    if status not in (Status.UNIQUE, Status.MULTIPLE):
        return "contradiction", status
    if state.grid[cell]:
        return ("known" if (state.grid[cell] == position + 1) == claim.holds else "false"), status
    with_it, without = (_is_possible(state, cell, position + 1, holds) for holds in (True, False))
    if with_it and without:
        return "undecided", status
    return ("true" if with_it == claim.holds else "false"), status


def _is_possible(state: Puzzle, cell: int, digit: int, holds: bool) -> bool:
    """Whether there is a solution with the digit in the cell, or without."""
    board = state.grid.board
    every = frozenset(range(1, board.choices + 1))
    marks = list(state.marks or [frozenset([d]) if d else every for d in state.grid])
    marks[cell] &= frozenset([digit]) if holds else every - {digit}
    found = answer(replace(state, marks=tuple(marks)), limit=1).status
    if found is Status.UNKNOWN:
        raise limits.late()
    return found is Status.SOLVED or found in (Status.UNIQUE, Status.MULTIPLE)


class _Judge:
    """Finds what concludes a claim in a state."""

    def __init__(self, puzzle: Puzzle, status: Status, deadline: float) -> None:
        self.puzzle, self.deadline = puzzle, deadline
        self.units: Units = units_of(puzzle.constraints)
        plain = State.of(puzzle.grid, self.units)
        allowed = strikes(puzzle)
        gone = sum(1 << c for c in bits(plain.live & ~plain.placed) if not allowed[c])
        self.state = plain.strike(gone)
        self._is_bare = not gone
        self._is_named = serves(puzzle.constraints) and status is Status.UNIQUE
        self._namer = Namer(self.units)

    def close(self) -> None:
        """Give solvers back."""
        self._namer.close()

    def against(self, candidate: int) -> str:
        """What excludes a candidate that is not left."""
        for other in bits(self.state.placed):
            for number, others in self.units.rivals[other]:
                if others >> candidate & 1:
                    return f"{self.units.name(other)}, and {self.units.all[number].words}"
        return "the candidates left lack it"

    def step_for(self, claim: Claim) -> Step | None:
        """The easiest step that concludes the claim now."""
        return self._by_name(claim) if self._is_named else self._by_ladder(claim)

    def way_to(self, claim: Claim, other: Step | None) -> tuple[Step, ...]:
        """The steps that lead to the claim; none if they cannot be told, or if one of them is as
        hard as another step that concludes it."""
        steps: list[Step] = []
        for step in self._steps():
            steps.append(step)
            if other is not None and _hardness(step) >= _hardness(other):
                return ()
            if step.put == claim.candidate if claim.holds else step.struck >> claim.candidate & 1:
                return tuple(leading_to(steps, [step]))
        return ()

    def _by_name(self, claim: Claim) -> Step | None:
        from ..ratings.reference import rating  # which takes a while to load

        for found in rating.every_step(self._reference(self.state)):
            limits.check()
            self._look_at_the_clock()
            record = rating.record_of(found)
            if (
                record.placed == claim.candidate
                if claim.holds
                else claim.candidate in record.struck
            ):
                return taken_by_name(record, self.state, self.puzzle.grid, self._namer)[0]
        return None

    def _by_ladder(self, claim: Claim) -> Step | None:
        found = Ladder(self.units).for_claim(self.state, *claim)
        return None if found is None else taken(self.state, found, self.deadline, verify=False)[0]

    def _steps(self) -> Iterator[Step]:
        """The steps from the state on."""
        if self._is_bare:
            left = self.deadline - time.monotonic()
            grid, constraints = self.puzzle.grid, self.puzzle.constraints
            yield from explain_steps(grid, constraints, timeout=left, named=True)
        elif self._is_named:
            yield from self._steps_by_name()

    def _steps_by_name(self) -> Iterator[Step]:
        from ..ratings.reference import rating

        state, solved = self.state, self.puzzle.grid
        while (found := rating.easiest_step(self._reference(state))) is not None:
            self._look_at_the_clock()
            step, state = taken_by_name(rating.record_of(found), state, solved, self._namer)
            solved = with_digit(solved, step.put)
            yield step

    def _reference(self, state: State) -> Any:
        """The same state as the reference of the ratings has it."""
        from ..ratings.reference.board import State as Plain

        plain = Plain.of(state.cells)
        for cell in range(81):
            gone = plain.of_cell[cell] & ~state.digits_of(cell)
            plain.strike_all(cell, gone)
        return plain

    def _look_at_the_clock(self) -> None:
        if time.monotonic() > self.deadline:
            raise limits.late()


def _hardness(step: Step) -> float:
    """The rating, else the size of the explanation."""
    return step.size if step.rating is None else step.rating
