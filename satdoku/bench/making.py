"""Tasks made from a seed: large boards, pencil marks, few givens, no solution.

Invariant: the same seed gives the same puzzles. The way an instance is made implies its solutions,
or a session has proved its solution unique.
"""

from __future__ import annotations

import random

from ..errors import Status
from ..generator import generate
from ..generator.holes import puzzles_with_holes
from ..large.board import LargeBoard
from ..model.board import MAX_SIZE, Board, usual_box
from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid, empty_grid
from ..model.marks import pencil_marks as marks_left
from ..sat.session import Session
from .instances import (
    INCREMENTAL,
    ONESHOT,
    UNIQUENESS,
    Instance,
    Task,
    TaskError,
)
from .phases import Place
from .tasks import SAMPLE_MODES, known


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
    board = Board.of_size(n) if n <= MAX_SIZE else LargeBoard(n, *usual_box(n))
    puzzles = puzzles_with_holes(size, size=n, holes=part, pattern="balanced", seed=seed)
    instances = tuple(
        Instance(f"{place.task}-{seed}-{number}", Grid(bytes(map(int, cells)), board), (), None)
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
