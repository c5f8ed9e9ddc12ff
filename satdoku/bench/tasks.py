"""Tasks from files: the literature's examples, and samples of collections.

Invariant: the file of a published example says how many solutions it has, and a session has to find
as many; the truth of other puzzles is what a session finds when the task is made.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..files.puzzles import read_puzzles
from ..files.streams import read_text
from ..model.constraints import constraints_for
from ..model.grid import Grid
from ..sat.session import Session
from .instances import (
    CANDIDATES,
    ENUMERATE,
    INCREMENTAL,
    MOST_SOLUTIONS,
    ONESHOT,
    PARALLEL,
    UNIQUENESS,
    Instance,
    Task,
    TaskError,
)

# Of the literature: files in PUZZLES and the modes that a default run asks.
LITERATURE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "classic": (
        ("classic", "example-1", "example-2", "bitvector"),
        (ONESHOT, INCREMENTAL),
    ),
    "inkala": (("inkala-2010", "inkala-2012"), (ONESHOT, UNIQUENESS, CANDIDATES)),
    "miracle": (("miracle", "new-miracle"), (ONESHOT, UNIQUENESS)),
    "miracle-grids": (("miracle-grids",), (ENUMERATE, PARALLEL)),
}
SAMPLE_MODES = (ONESHOT, INCREMENTAL, UNIQUENESS)
PUZZLES = Path(__file__).parent / "puzzles"


def literature(name: str) -> Task:
    """A task of LITERATURE."""
    stems, modes = LITERATURE[name]
    paths = [PUZZLES / f"{stem}.txt" for stem in stems]
    notes = [_notes(path) for path in paths]
    constraints = constraints_for(notes[0]["rules"])
    with Session(constraints) as session:
        instances = tuple(
            _published(path, note, session) for path, note in zip(paths, notes, strict=True)
        )
    return Task(name, constraints.name, constraints.board, instances, modes, "published examples")


def _notes(path: Path) -> dict[str, str]:
    """The `# name: value` lines of a puzzle file."""
    lines = (
        line[1:].split(":", 1) for line in read_text(str(path)).splitlines() if line[:1] == "#"
    )
    return {words[0].strip(): words[1].strip() for words in lines if len(words) == 2}


def _published(path: Path, notes: dict[str, str], session: Session) -> Instance:
    """The example with its solutions; raises `TaskError` if the file says another number."""
    puzzle = next(_grids(path, notes.get("rules", "classic")))[1]
    instance = known(path.stem, puzzle, session)
    found = len(instance.solutions or ())
    if str(found) != notes.get("solutions"):
        raise TaskError(f"{path}: found {found} solutions, expected {notes.get('solutions')}")
    return instance


def known(name: str, puzzle: Grid, session: Session) -> Instance:
    """The instance, its solutions enumerated by the session."""
    found = frozenset(grid.cells for grid in session.solutions(puzzle, limit=MOST_SOLUTIONS + 1))
    return Instance(name, puzzle, (), found if len(found) <= MOST_SOLUTIONS else None)


def sample(path: str | Path, count: int, seed: int, *, name: str | None = None) -> Task:
    """A seeded sample of a file's readable puzzles, on the board of the first.

    The rules are those of a line `# rules: ...` in the file, classic without it; a link that has
    others is not readable.
    """
    rules = _notes(Path(path)).get("rules", "classic")
    grids = list(_grids(path, rules))
    if not grids:
        raise TaskError(f"{path}: holds no puzzle")
    board = grids[0][1].board
    chosen = [(line, grid) for line, grid in grids if grid.board == board]
    if count < len(chosen):
        chosen = sorted(random.Random(seed).sample(chosen, count))
    constraints = constraints_for(rules, board)
    stem = Path(path).name
    with Session(constraints) as session:
        instances = tuple(known(f"{stem}:{line}", grid, session) for line, grid in chosen)
    source = f"{count} of {stem}, seed {seed}, sha256 {_digest(path)}"
    return Task(name or stem, constraints.name, board, instances, SAMPLE_MODES, source)


def _digest(path: str | Path) -> str:
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _grids(path: str | Path, rules: str) -> Iterator[tuple[int, Grid]]:
    for entry in read_puzzles(str(path), rules=rules):
        if isinstance(entry.grid, Grid):
            yield entry.line, entry.grid


def with_modes(task: Task, modes: Iterable[str]) -> Task:
    """The task in other modes."""
    return task._replace(modes=tuple(modes))
