"""Differential testing: random puzzles under random rules, asked of every backend there is.

Invariant: nothing is believed of a backend, not even that it returns. If two of them differ, if
`verify` refuses a solution or if one raises, the case is a failure, and it is shrunk until it is
small enough to read.

    report = fuzz(60, seed=1)
    report.failure                    # None, or what failed, with a command that asks it again
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

from ...answers.solver import NO_BUDGET, SOLVERS
from ...cnf.encodings import ENCODINGS
from ...runtime.errors import SatdokuError
from ..answers import Answer, ask, ask_everything, disagreements, is_beyond
from ..backends import Budget, Configuration, configuration_named, configuration_names
from .cases import LARGE, PUZZLES_PER_RULE_SET, Case, random_case, random_constraints, shrink

__all__ = ["Case", "Failure", "Report", "examine", "fuzz"]

MEETINGS = 2  # solvers that a case joins with an encoding at random, beside the named backends
# For a case: nodes of plain search and the engines; for each call: a solver's conflicts, seconds of
# Z3, CP-SAT or clingo.
BUDGET = Budget(nodes=2_000, conflicts=2_000, timeout=2.0)


class Failure(NamedTuple):
    """A shrunk case on which these backends fail: what is wrong, and how to ask it again."""

    case: Case
    backends: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def command(self) -> str:
        return self.case.command(self.backends)


class Report(NamedTuple):
    """A run: cases drawn, answers compared, how many of them gave up, and the first failure."""

    cases: int
    answers: int
    unfinished: int
    failure: Failure | None


def fuzz(
    seconds: float,
    seed: int = 0,
    *,
    backends: Mapping[str, Configuration] | None = None,
    cases: int | None = None,
    size: int | None = None,
    watch: Callable[[int, Case], None] | None = None,
) -> Report:
    """Draw cases and ask the backends until the time is over, the cases are done or one fails.

    backends: by name; unless given, all that are installed, the slow ones in turn, and on large
    boards no solver that cannot be limited. The cases depend on the seed and on `size`, that of all
    boards (default: small ones of many sizes). `watch` is called with the number of each case, from
    1, and the case. Raises `BoardError` if no board has that size.
    """
    rng, end = Random(seed), time.monotonic() + seconds
    too_slow = NO_BUDGET if size and size >= LARGE else frozenset()
    usual, slow = _installed(too_slow)
    answers = unfinished = number = 0
    while time.monotonic() < end and (cases is None or number < cases):
        if number % PUZZLES_PER_RULE_SET == 0:
            constraints = random_constraints(rng, size)
        case = random_case(constraints, rng)
        number += 1
        if watch:
            watch(number, case)
        turns = _taking_turns(slow, number, Random(f"{seed} {number}"), too_slow)
        asked = backends or {**usual, **turns}
        said, problems = examine(case, asked, end)
        answers += len(said)
        unfinished += sum(not answer.complete for answer in said.values())
        if problems:
            return Report(number, answers, unfinished, _small(case, asked))
    return Report(number, answers, unfinished, None)


def _installed(left_out: Collection[str]) -> tuple[dict[str, Configuration], list[str]]:
    """All that are installed, and the names of the slow ones."""
    names = (name for name in configuration_names() if name not in left_out)
    known = {name: configuration_named(name) for name in names}
    slow = [name for name, chosen in known.items() if chosen.backend.slow]
    return {name: chosen for name, chosen in known.items() if name not in slow}, slow


def _taking_turns(
    slow: Sequence[str], number: int, rng: Random, left_out: Collection[str]
) -> dict[str, Configuration]:
    """A slow backend, and solvers with encodings at random."""
    solvers = [name for name in SOLVERS if name not in left_out]
    pairs = [f"{rng.choice(solvers)}/{rng.choice(list(ENCODINGS))}" for _ in range(MEETINGS)]
    turn = [slow[number % len(slow)]] if slow else []
    return {name: configuration_named(name) for name in [*turn, *pairs]}


def examine(
    case: Case, backends: Mapping[str, Configuration], end: float = math.inf
) -> tuple[dict[str, Answer], tuple[str, ...]]:
    """What each backend says of a case, and what is wrong with that, in words.

    At `end`, a time of `time.monotonic()`, those that are left are not asked. A backend that cannot
    state the constraints says nothing.
    """
    said = {}
    for name, chosen in backends.items():
        if time.monotonic() >= end:
            break
        answer = _ask(chosen, case)
        if answer is not None:
            said[name] = answer
    return said, _problems(case, said)


def _ask(chosen: Configuration, case: Case) -> Answer | None:
    question = ask if chosen.backend.slow else ask_everything
    try:
        return question(chosen, case.puzzle, case.constraints, limit=case.limit, budget=BUDGET)
    except SatdokuError as error:
        return None if is_beyond(error, case.constraints) else _raised(error)
    except Exception as error:  # whatever it is, it is no answer
        return _raised(error)


def _raised(error: Exception) -> Answer:
    return Answer(complete=False, problem=f"raises {type(error).__name__}: {error}")


def _problems(case: Case, said: Mapping[str, Answer]) -> tuple[str, ...]:
    return tuple(disagreements(said, case.puzzle, case.constraints, case.limit))


def _small(case: Case, backends: Mapping[str, Configuration]) -> Failure:
    """The failure with as few backends as show it, then on as small a case."""
    chosen = _fewest(case, backends)
    small = shrink(case, lambda simpler: bool(examine(simpler, chosen)[1]))
    return Failure(small, tuple(chosen), examine(small, chosen)[1])


def _fewest(case: Case, backends: Mapping[str, Configuration]) -> Mapping[str, Configuration]:
    """One backend, or two, that fail by themselves; all of them where it takes more."""
    said, _ = examine(case, backends)
    groups: list[Sequence[str]] = [*([name] for name in said), *combinations(said, 2)]
    for group in groups:
        if _problems(case, {name: said[name] for name in group}):
            chosen = {name: backends[name] for name in group}
            if examine(case, chosen)[1]:
                return chosen
    return backends
