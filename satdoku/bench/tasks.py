"""Tasks: the literature's examples, samples of collections, and puzzles made from a seed.

Invariant: an instance knows its solutions before it is asked. The file of a published example says
how many it has, and a session has to find as many; the truth of other puzzles of files is what a
session finds when the task is made. The same seed gives the same puzzles. The way in which an
instance is made implies its solutions, or a session has proved its solution unique.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..answers.session import Session
from ..files.puzzles import read_puzzles
from ..files.streams import read_text
from ..generator import generate
from ..generator.holes import puzzles_with_holes
from ..model.board import Board
from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid, as_grid, empty_grid
from ..model.marks import pencil_marks as marks_left
from ..model.puzzle import Puzzle
from ..runtime.errors import Status, counted
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
from .phases import Place

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
    puzzle = next(_puzzles(path, notes.get("rules", "classic"))).grid
    instance = known(path.stem, puzzle, session)
    found = len(instance.solutions or ())
    if str(found) != notes.get("solutions"):
        raise TaskError(
            f"{path}: found {counted(found, 'solution')}, expected {notes.get('solutions')}"
        )
    return instance


def known(name: str, puzzle: Grid, session: Session) -> Instance:
    """The instance, its solutions enumerated by the session."""
    found = frozenset(grid.cells for grid in session.solutions(puzzle, limit=MOST_SOLUTIONS + 1))
    return Instance(name, puzzle, (), found if len(found) <= MOST_SOLUTIONS else None)


def sample(path: str | Path, count: int, seed: int) -> Task:
    """A seeded sample of a file's readable puzzles, on the board of the first.

    The rules are those of a line `# rules: ...` in the file, classic without it; a link that has
    others is not readable.
    """
    rules = _notes(Path(path)).get("rules", "classic")
    puzzles = list(_puzzles(path, rules))
    if not puzzles:
        raise TaskError(f"{path}: holds no puzzle")
    board = puzzles[0].grid.board
    chosen = [puzzle for puzzle in puzzles if puzzle.grid.board == board]
    if count < len(chosen):
        places = random.Random(seed).sample(range(len(chosen)), count)
        chosen = [chosen[place] for place in sorted(places)]
    constraints = constraints_for(rules, board)
    stem = Path(path).name
    with Session(constraints) as session:
        instances = tuple(known(f"{stem}:{puzzle.line}", puzzle.grid, session) for puzzle in chosen)
    source = f"{count} of {stem}, seed {seed}, sha256 {_digest(path)}"
    return Task(stem, constraints.name, board, instances, SAMPLE_MODES, source)


def _digest(path: str | Path) -> str:
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _puzzles(path: str | Path, rules: str) -> Iterator[Puzzle]:
    for found in read_puzzles(str(path), rules=rules):
        if isinstance(found, Puzzle) and found.marks is None:
            yield found


def with_modes(task: Task, modes: Iterable[str]) -> Task:
    """The task in other modes."""
    return task._replace(modes=tuple(modes))


def two_givens(size: int, seed: int) -> Task:
    """Fewest givens: which pairs of givens leave one of the 72 miracle grids?

    No one given does, 87,408 pairs of the 3,240 x 81 do; the truth is counted in the 72 grids.
    """
    constraints = constraints_for("miracle")
    random_ = random.Random(seed)
    with Session(constraints) as session:
        grids = [grid.cells for grid in session.solutions(empty_grid(constraints.board))]
    instances = []
    for _ in range(size):
        cells = bytearray(constraints.board.cells)
        witness = random_.choice(grids)
        for cell in random_.sample(range(constraints.board.cells), 2):
            cells[cell] = witness[cell]
        name = "-".join(f"{constraints.board.name_of(c)}={cells[c]}" for c in range(81) if cells[c])
        keeps = frozenset(
            g for g in grids if all(d in (0, x) for d, x in zip(cells, g, strict=True))
        )
        instances.append(Instance(name, Grid(bytes(cells), constraints.board), (), keeps))
    modes, source = (UNIQUENESS,), f"seed {seed}: two cells of a miracle grid"
    return Task("two-givens", constraints.name, constraints.board, tuple(instances), modes, source)


def pencil_marks(size: int, seed: int) -> Task:
    """Unique puzzles without givens, only struck candidates, of which none can be left out."""
    constraints = constraints_for()
    random_ = random.Random(seed)
    instances = []
    with Session(constraints) as session:
        for number in range(1, size + 1):
            solution = random_grid(session, random_).cells
            struck = _minimal_strikes(session, solution, random_)
            name = f"marks-{seed}-{number}"
            instances.append(
                Instance(name, empty_grid(constraints.board), struck, frozenset({solution}))
            )
    modes, source = (ONESHOT,), f"seed {seed}: candidates struck from the empty board"
    return Task(
        "pencil-marks", constraints.name, constraints.board, tuple(instances), modes, source
    )


def _minimal_strikes(session: Session, solution: bytes, random_: random.Random) -> tuple[int, ...]:
    """Struck candidates; each is restored if the solution stays the only one without it."""
    n = session.constraints.board.size
    true = {n * cell + digit - 1 for cell, digit in enumerate(solution)}
    wrong = [c for c in range(session.constraints.variables) if c not in true]
    marks = bytearray(candidate in true for candidate in range(session.constraints.variables))
    random_.shuffle(wrong)
    for candidate in wrong:
        marks[candidate] = 1
        if session.decide_marks(bytes(marks))[0] is not Status.UNIQUE:
            marks[candidate] = 0
    return tuple(candidate for candidate in sorted(wrong) if not marks[candidate])


def holes(board_size: int, share: float, size: int, seed: int) -> Task:
    """Large boards with that share of the cells emptied, every puzzle unique."""
    constraints = constraints_for("classic", Board.of_size(board_size))
    instances = []
    with Session(constraints) as session:
        for number in range(1, size + 1):
            random_ = random.Random(f"{seed}-{board_size}-{number}")
            solution = random_grid(session, random_)
            puzzle = _dig(session, solution, round(share * constraints.board.cells), random_)
            name = f"holes-{board_size}-{seed}-{number}"
            instances.append(Instance(name, puzzle, (), frozenset({solution.cells})))
    name, modes = f"holes-{board_size}", (ONESHOT,)
    source = f"seed {seed}: {share:.0%} holes, one solution"
    return Task(name, constraints.name, constraints.board, tuple(instances), modes, source)


def phase(place: Place, size: int, seed: int) -> Task:
    """Grids with that share of balanced holes; they may have any number of solutions, at least one.

    They are listed in no instance, so any solution that keeps the rules is right.
    """
    n, part = place.size, place.percent / 100
    board = Board.of_size(n)
    puzzles = puzzles_with_holes(size, size=n, holes=part, pattern="balanced", seed=seed)
    instances = tuple(
        Instance(f"{place.task}-{seed}-{number}", as_grid(cells, board), (), None)
        for number, cells in enumerate(puzzles, 1)
    )
    source = (
        f"satdoku generate -n {size} --size {n} --holes {part:g} --holes-pattern balanced "
        f"--seed {seed}"
    )
    return Task(place.task, "classic", board, instances, (ONESHOT,), source)


def random_grid(session: Session, random_: random.Random) -> Grid:
    """A full grid: random givens, and the session fills the rest.

    Not uniform over all grids. Givens that cannot be completed are taken back.
    """
    board = session.constraints.board
    cells = bytearray(board.cells)
    for cell in random_.sample(range(board.cells), 2 * board.size):
        cells[cell] = random_.randint(1, board.size)
        status, _ = session.decide_cells(bytes(cells), limit=1, conflicts=1000)
        if status is not Status.SOLVED:
            cells[cell] = 0
    grid = session.solve(Grid(bytes(cells), board))
    assert grid is not None, "the last givens could be completed"
    return grid


def _dig(session: Session, solution: Grid, wanted: int, random_: random.Random) -> Grid:
    """Empty cells in random order, each only if the puzzle stays unique, until so many are."""
    cells = bytearray(solution.cells)
    order = random_.sample(range(len(cells)), len(cells))
    for cell in order:
        if cells.count(0) == wanted:
            break
        given, cells[cell] = cells[cell], 0
        if session.decide_cells(bytes(cells), conflicts=2000)[0] is not Status.UNIQUE:
            cells[cell] = given
    return Grid(bytes(cells), solution.board)


def minimal(rules: str, size: int, seed: int) -> Task:
    """Minimal puzzles with one solution, as the command `generate` makes them."""
    constraints = constraints_for(rules)
    puzzles = generate(size, constraints, seed=seed)
    classic = rules == "classic"
    with Session(constraints) as session:
        instances = tuple(
            known(f"{rules}-{seed}-{number}", Grid(bytes(puzzle), constraints.board), session)
            for number, puzzle in enumerate(puzzles, 1)
        )
    name = "minimal" if classic else f"minimal-{rules}"
    source = f"satdoku generate -n {size}{'' if classic else f' -r {rules}'} --seed {seed}"
    return Task(name, constraints.name, constraints.board, instances, SAMPLE_MODES, source)


def unsatisfiable(size: int, seed: int) -> Task:
    """Puzzles without a solution: a unique one with one more digit, not its solution's.

    The digit clashes with no given, so that the contradiction has to be found.
    """
    base = minimal("classic", size, seed)
    random_ = random.Random(seed)
    made = tuple(_spoiled(instance, base.constraints, random_) for instance in base.instances)
    modes = (ONESHOT, INCREMENTAL)
    source = f"{base.source}, one digit more"
    return Task("unsatisfiable", base.rules, base.board, made, modes, source)


def _spoiled(instance: Instance, constraints: Constraints, random_: random.Random) -> Instance:
    if len(instance.solutions or ()) != 1:
        raise TaskError(f"{instance.name}: expected a puzzle with one solution")
    (solution,) = instance.solutions or [b""]
    options = [
        (cell, digit)
        for cell, digits in enumerate(marks_left(instance.puzzle, constraints))
        if instance.puzzle[cell] == 0
        for digit in sorted(digits)
        if digit != solution[cell]
    ]
    cell, digit = random_.choice(options)
    cells = bytearray(instance.puzzle.cells)
    cells[cell] = digit
    name = f"{instance.name}+{constraints.board.name_of(cell)}={digit}"
    return Instance(name, Grid(bytes(cells), constraints.board), (), frozenset())
