"""Which combinations are measured: what was asked for, or a default that ends in minutes.

Invariant: what was named is measured, all of it, or refused by name. Where no encodings are named,
SWEEPER takes them all and the other solvers of formulas the default one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from ..cnf.encodings import encodings_named
from .backends import (
    NO_ENCODING,
    Backend,
    BackendError,
    CnfBackend,
)
from .instances import (
    MODES,
    ONESHOT,
    UNIQUENESS,
    Task,
    TaskError,
)
from .making import (
    holes,
    pencil_marks,
    two_givens,
    unsatisfiable,
)
from .registry import backend_named, backends
from .runner import Job
from .tasks import (
    LITERATURE,
    SAMPLE_FILE,
    first_instances,
    literature,
    puzzle_folder,
    sample,
    with_modes,
)

SWEEPER = "cadical153"
DEFAULT_SOLVERS = (SWEEPER, "glucose4")
DEFAULT_ENCODING = "extended"


class MadeTask(NamedTuple):
    """A task that is made or sampled: how many instances by default, and how it is made."""

    size: int
    make: Callable[[int, int], Task]  # (instances, seed)


def _minimal(size: int, seed: int) -> Task:
    return sample(puzzle_folder() / f"{SAMPLE_FILE}.txt", size, seed, name="minimal")


MADE: dict[str, MadeTask] = {
    "minimal": MadeTask(3, _minimal),
    "two-givens": MadeTask(2, two_givens),
    "pencil-marks": MadeTask(1, pencil_marks),
    "unsatisfiable": MadeTask(2, unsatisfiable),
    "holes-16": MadeTask(1, partial(holes, 16, 0.6)),
    "holes-25": MadeTask(1, partial(holes, 25, 0.45)),
}
TASKS = (*LITERATURE, *MADE)
# --quick: one instance of each task.
QUICK_TASKS = ("classic", "miracle", "unsatisfiable")
QUICK_BACKENDS = ("cadical153", "glucose4", "z3-int-distinct", "z3-bool-pb", "z3-enum")
QUICK_INSTANCES = 1
QUICK_MODES = (ONESHOT, UNIQUENESS)


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
    notes: list[str] = field(default_factory=list)  # what was left out, and why

    def jobs(self) -> list[Job]:
        """Every combination, a job for each task, backend, encoding and repetition."""
        tasks = [self._task(name) for name in self._task_names()]
        return [
            Job(task, backend, encoding, repeat, self.seed)
            for task in tasks
            for backend, encoding in self.contestants()
            for repeat in range(1, self.repeat + 1)
        ]

    def contestants(self) -> list[tuple[Backend, str]]:
        """The backends that are installed, each with its encodings."""
        return [
            (backend, encoding)
            for backend in self._installed()
            for encoding in self._encodings_of(backend)
        ]

    def _installed(self) -> Iterator[Backend]:
        default = QUICK_BACKENDS if self.quick else tuple(default_backends())
        for name in self.backends or default:
            backend = backend_named(name)
            if _is_installed(backend):
                yield backend
                continue
            note = f"{name} is not installed (pip install {backend.extra or 'z3-solver'})"
            if self.backends:
                raise BackendError(note)
            self.notes.append(f"left out: {note}")

    def _encodings_of(self, backend: Backend) -> Sequence[str]:
        if not isinstance(backend, CnfBackend):
            return (NO_ENCODING,)
        if self.encodings:
            return encodings_named(self.encodings)
        return encodings_named("all") if backend.name == SWEEPER else (DEFAULT_ENCODING,)

    def _task_names(self) -> Sequence[str]:
        return self.tasks or (QUICK_TASKS if self.quick else TASKS)

    def _task(self, name: str) -> Task:
        task = self._made(name)
        if self.quick:
            task = with_modes(first_instances(task, QUICK_INSTANCES), QUICK_MODES)
        if self.modes:
            for mode in self.modes:
                if mode not in MODES:
                    raise TaskError(f"no mode '{mode}': known are {', '.join(MODES)}")
            task = with_modes(task, self.modes)
        return task

    def _made(self, name: str) -> Task:
        if name in LITERATURE:
            return literature(name)
        if name in MADE:
            return MADE[name].make(self.size or MADE[name].size, self.seed)
        if os.path.exists(name):
            return sample(name, self.size or MADE["minimal"].size, self.seed)
        raise TaskError(f"no task or file '{name}': known tasks are {', '.join(TASKS)}")


def default_backends() -> Iterator[str]:
    """DEFAULT_SOLVERS, Z3 in all its models, and the extras."""
    for name, backend in backends().items():
        if name in DEFAULT_SOLVERS or name.startswith("z3-") or backend.extra:
            yield name


def _is_installed(backend: Backend) -> bool:
    try:
        backend.load()
    except (ImportError, BackendError):
        return False
    return True
