"""Differential testing: random puzzles under random rules, asked of every backend there is.

Invariant: nothing is believed of a backend, not even that it returns. Where two of them differ,
where `verify` refuses a solution or where one raises, the case is a failure, and it is shrunk till
it is small enough to read.

    report = fuzz(60, seed=1)
    report.failure                    # None, or what failed, with a command that asks it again
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from ...cnf.encodings import ENCODINGS
from ...errors import Status
from ...model.grid import Grid
from ...sat.solver import SOLVERS
from ...witness.verify import solves, violations
from .. import Z3_MODELS
from .backends import (
    Answer,
    Backend,
    BackendMissing,
    backend_named,
    backend_names,
)
from .cases import (
    PUZZLES_PER_LAW,
    Case,
    random_case,
    random_constraints,
)
from .shrink import shrink

__all__ = [
    "Answer", "BackendMissing", "Case", "Failure", "Report", "backend_named", "backend_names",
    "examine", "fuzz",
]  # fmt: skip

MEETINGS = 2  # solvers that a case joins with an encoding at random, beside the named backends


class Failure(NamedTuple):
    """A shrunk case on which these backends fail: what is wrong, and how to ask it again."""

    case: Case
    backends: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def command(self) -> str:
        return self.case.command(self.backends)


class Report(NamedTuple):
    """A run: cases drawn, answers compared, answers given up for time, and the first failure."""

    cases: int
    answers: int
    unfinished: int
    failure: Failure | None


def fuzz(
    seconds: float,
    seed: int = 0,
    *,
    backends: Mapping[str, Backend] | None = None,
    cases: int | None = None,
    watch: Callable[[int, Case], None] | None = None,
) -> Report:
    """Draw cases and ask the backends, till the time, or the number of cases, is over or one fails.

    backends: by name; unless given all of `backend_names`, the Z3 models, which take most of the
    time, in turn. The cases hang on the seed alone. `watch` is told the number of each case, from
    1, and the case.
    """
    rng, end = Random(seed), time.monotonic() + seconds
    usual = {name: backend_named(name) for name in backend_names() if name not in Z3_MODELS}
    answers = unfinished = number = 0
    while time.monotonic() < end and (cases is None or number < cases):
        if number % PUZZLES_PER_LAW == 0:
            constraints = random_constraints(rng)
        case = random_case(constraints, rng)
        number += 1
        if watch:
            watch(number, case)
        asked = backends or {**usual, **_taking_turns(number, Random(f"{seed} {number}"))}
        said, problems = examine(case, asked)
        answers += len(said)
        unfinished += sum(not answer.complete for answer in said.values())
        if problems:
            return Report(number, answers, unfinished, _small(case, asked))
    return Report(number, answers, unfinished, None)


def _taking_turns(number: int, rng: Random) -> dict[str, Backend]:
    """A Z3 model, and solvers with encodings at random."""
    pairs = [f"{rng.choice(SOLVERS)}/{rng.choice(list(ENCODINGS))}" for _ in range(MEETINGS)]
    names = [list(Z3_MODELS)[number % len(Z3_MODELS)], *pairs]
    return {name: backend_named(name) for name in names}


def examine(
    case: Case, backends: Mapping[str, Backend]
) -> tuple[dict[str, Answer], tuple[str, ...]]:
    """What each backend says of a case, and what is wrong with that, in words."""
    said = {name: _ask(backend, case) for name, backend in backends.items()}
    return said, tuple(_problems(case, said))


def _ask(backend: Backend, case: Case) -> Answer:
    try:
        return backend(case)
    except Exception as error:  # whatever it is, it is no answer
        return Answer(0, 0, frozenset(), False, None, f"raises {type(error).__name__}: {error}")


def _problems(case: Case, said: Mapping[str, Answer]) -> list[str]:
    problems = [f"{name} {answer.trouble}" for name, answer in said.items() if answer.trouble]
    for name, answer in said.items():
        for cells in answer.shown:
            if not solves(Grid(cells, case.constraints.board), case.puzzle, case.constraints.rules):
                problems.append(f"{name} gives a solution that breaks the rules")
    # What one has found and shown is there, if `verify` agrees: so only too little can be wrong.
    everything = frozenset().union(*(answer.shown for answer in said.values()))
    most = max([len(everything), *(answer.found for answer in said.values())])
    best = max(said, key=lambda name: said[name].found)
    for name, answer in said.items():
        if answer.complete and answer.found < min(most, answer.cap):
            problems.append(f"{name} finds {answer.found} solutions, {best} {most}")
        if answer.status is not None and answer.complete:
            problems += _wrong_status(case, name, answer)
    return problems


def _wrong_status(case: Case, name: str, answer: Answer) -> list[str]:
    """Whether a backend's status fits its own count (and so, by the above, everyone's)."""
    none = [Status.NONE]
    if violations(case.puzzle, case.constraints.rules):
        none.append(Status.INVALID)
    one = Status.SOLVED if case.limit == 1 else Status.UNIQUE
    fitting = none if answer.found == 0 else [one] if answer.found == 1 else [Status.MULTIPLE]
    if answer.status in fitting:
        return []
    return [f"{name} says {answer.status} where it finds {answer.found} solutions"]


def _small(case: Case, backends: Mapping[str, Backend]) -> Failure:
    """The failure with as few backends as show it, then on as small a case."""
    chosen = _fewest(case, backends)
    small = shrink(case, lambda simpler: bool(examine(simpler, chosen)[1]))
    return Failure(small, tuple(chosen), examine(small, chosen)[1])


def _fewest(case: Case, backends: Mapping[str, Backend]) -> Mapping[str, Backend]:
    """One backend, or two, that fail by themselves; all of them where it takes more."""
    names = list(backends)
    groups: list[Sequence[str]] = [[name] for name in names]
    groups += [[name, other] for i, name in enumerate(names) for other in names[i + 1 :]]
    said, _ = examine(case, backends)
    for group in groups:
        if _problems(case, {name: said[name] for name in group}):
            chosen = {name: backends[name] for name in group}
            if examine(case, chosen)[1]:
                return chosen
    return backends
