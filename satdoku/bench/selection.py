"""Which combinations are measured: those that were asked for, or a default that takes minutes.

Invariant: what was named is measured, all of it, or refused by name. If no encodings are named,
SWEEPER takes them all and every other solver of formulas takes the default one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import NamedTuple

from ..cnf.encodings import DEFAULT_ENCODING, encodings_named
from ..crosscheck.backends import (
    Backend,
    BackendMissing,
    Configuration,
    backend_named,
    backends,
    configuration_named,
    program_named,
)
from ..runtime.errors import no_such
from .figures import LEAST
from .instances import MODES, ONESHOT, Task, TaskError
from .phases import POINTS, place_of, places
from .runner import Job
from .tasks import (
    LITERATURE,
    holes,
    literature,
    minimal,
    pencil_marks,
    phase,
    sample,
    two_givens,
    unsatisfiable,
    with_modes,
)

SWEEPER = "cadical153"
DEFAULT_SOLVERS = (SWEEPER, "glucose4")


class MadeTask(NamedTuple):
    """A task that is made or sampled: how many instances by default, and how it is made."""

    size: int
    make: Callable[[int, int], Task]  # (instances, seed)


MADE: dict[str, MadeTask] = {
    "minimal": MadeTask(LEAST, partial(minimal, "classic")),
    "minimal-miracle": MadeTask(LEAST, partial(minimal, "miracle")),
    "two-givens": MadeTask(LEAST, two_givens),
    "pencil-marks": MadeTask(1, pencil_marks),
    "unsatisfiable": MadeTask(LEAST, unsatisfiable),
    "holes-9": MadeTask(LEAST, partial(holes, 9, 0.6)),
    "holes-16": MadeTask(LEAST, partial(holes, 16, 0.6)),
    "holes-25": MadeTask(LEAST, partial(holes, 25, 0.45)),
}
TASKS = (*LITERATURE, *MADE)
# --quick: what is best of each kind in a whole run, so that both tell the same.
QUICK_TASKS = ("minimal", "minimal-miracle")
QUICK_BACKENDS = (SWEEPER, "glucose4", "z3-dimacs", "z3-bitvec-binary", "z3-enum", "cp-sat")
QUICK_ENCODINGS = ("extended", "commander", "order")
QUICK_MODES = (ONESHOT,)


@dataclass(frozen=True)
class Selection:
    """What to measure; an empty tuple or None stands for the default. See `satdoku bench -h`."""

    encodings: str = ""
    backends: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    size: int | None = None  # instances of a made or sampled task
    repeat: int = 1
    seed: int = 1
    quick: bool = False
    programs: tuple[str, ...] = ()  # command lines of other solvers, measured beside the backends
    notes: list[str] = field(default_factory=list)  # what was left out, and why

    def jobs(self) -> list[Job]:
        """Every combination, a job for each task, backend, encoding and repetition."""
        tasks = [self._task(name) for name in self._task_names()]
        return [
            Job(task, backend, encoding, repeat, self.seed)
            for task in tasks
            for backend, encoding in self.configurations()
            for repeat in range(1, self.repeat + 1)
        ]

    def configurations(self) -> list[Configuration]:
        """The backends that are installed, each with its encodings or the one it is named with."""
        names = self.backends or (QUICK_BACKENDS if self.quick else default_backends())
        named = map(self._configurations_of, names)
        return [*chain(*named), *self._configurations_of_programs()]

    def _configurations_of(self, name: str) -> Iterator[Configuration]:
        word, _, encoding = name.partition("/")
        backend = configuration_named(name).backend if encoding else backend_named(word)
        try:
            backend.require()
        except BackendMissing as error:
            if self.backends:
                raise
            self.notes.append(f"left out: {error}")
        else:
            for one in [encoding] if encoding else self._encodings_of(backend):
                yield Configuration(backend, one)

    def _configurations_of_programs(self) -> Iterator[Configuration]:
        for command in self.programs:
            program, encoding = program_named(command)
            program.require()
            named = command != program.name
            for one in [encoding] if named else self._encodings_of(program):
                yield Configuration(program, one)

    def _encodings_of(self, backend: Backend) -> Sequence[str]:
        if self.encodings and DEFAULT_ENCODING in backend.encodings():
            return encodings_named(self.encodings)
        if backend.name == SWEEPER:
            return QUICK_ENCODINGS if self.quick else backend.encodings()
        return (Configuration.of(backend).encoding,)

    def _task_names(self) -> Sequence[str]:
        named = self.tasks or (QUICK_TASKS if self.quick else TASKS)
        return [n for name in named for n in [p.task for p in places(name)] or [name]]

    def _task(self, name: str) -> Task:
        task = self._made(name)
        if self.quick:
            task = with_modes(task, QUICK_MODES)
        if self.modes:
            for mode in self.modes:
                if mode not in MODES:
                    raise TaskError(no_such("mode", mode, MODES))
            task = with_modes(task, self.modes)
        return task

    def _made(self, name: str) -> Task:
        if name in LITERATURE:
            return literature(name)
        if name in MADE:
            return MADE[name].make(self.size or MADE[name].size, self.seed)
        if place := place_of(name):
            return phase(place, self.size or LEAST, self.seed)
        if os.path.exists(name):
            return sample(name, self.size or LEAST, self.seed)
        known = [*TASKS, *(f"phase-{size}" for size in POINTS)]
        raise TaskError(f"no task or file '{name}': known tasks are {', '.join(known)}")


def default_backends() -> Iterator[str]:
    """DEFAULT_SOLVERS and whatever needs a library beside PySAT."""
    for name, backend in backends().items():
        if name in DEFAULT_SOLVERS or backend.extra:
            yield name
