"""Puzzles and states of random rule sets, for the tests of steps."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from explain_cases import EXPLAINED, ON_BOARDS, random_puzzle
from killers import random_killer

from satdoku.answers.session import Session
from satdoku.crosscheck.fuzz.cases import random_constraints
from satdoku.explain.mus import Oracle, selector
from satdoku.explain.readings import Sequence
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.model.board import bits, mask_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, empty_grid, parse_grid
from satdoku.model.kinds import KINDS
from satdoku.model.kinds.drawing import random_clue
from satdoku.ratings.scale import steps_of
from satdoku.runtime.errors import BudgetError, SatdokuError
from satdoku.witness.verify import first_violation

SIZES = (4, 4, 5, 6, 6, 8, 9)
BASES = (  # of which a solution is soon found
    "classic",
    "diagonal",
    "knight,king",
    "digits=0-8",
    "windoku",
    "shape=6x6",
    "shape=6x6;digits=0-5",
    "jigsaw=1112122233434344",
    "latin,shape=5x5",
    "shape=4x4;digits=0-3",
    "shape=2x4;knight",
    "shape=4x4",
)
LINES = (  # noqa: SIM905
    "thermo arrow cage whisper renban little-killer difference ratio sum region-sum between "
    "palindrome sandwich x-sum skyscraper lockout nabner entropic modular equal-sum count-distinct "
    "slow-thermo zipper"
).split()


def solutions_of(constraints, rng, limit=1):
    """Some solutions with a random digit in a random cell; none if none is found soon."""
    board = constraints.board
    with Session(constraints) as session:
        for _ in range(5):
            start = bytearray(board.cells)
            start[rng.randrange(board.grid_cells)] = rng.randint(1, len(board.digits))
            try:
                found = [*session.solutions(Grid(bytes(start), board), limit=limit, timeout=10)]
            except BudgetError:
                return []
            if found:
                return found
    return []


def with_clues(base, kinds, rng):
    """The rule set with clues of these kinds that are true of a solution, where they can be drawn;
    and that solution, None if there is none."""
    constraints = constraints_for(base)
    board = constraints.board
    found = solutions_of(constraints, rng)
    if not found:
        return constraints, None
    (solution,) = found
    texts = [base]
    for kind in kinds:
        try:
            clue = random_clue(KINDS[kind], bytes(solution), board, rng, _true_of(solution, board))
            text = clue and clue.text(board)
            constraints_for(";".join([*texts, *([text] if text else [])]))
        except SatdokuError:
            continue
        texts += [text] if text else []
    return constraints_for(";".join(texts)), solution


def _true_of(solution, board):
    grid = Grid(bytes(solution), board)
    return lambda clue: first_violation(grid, (clue.text(board),)) is None


def puzzle_of(seed):
    """A puzzle of random rules with some digits of a solution, and that solution; None if no
    solution is found soon."""
    rng = Random(f"logic {seed}")
    source = rng.choice(("fuzz", "clues", "clues", "clues", "boards", "killer", "kind", "kind"))
    try:
        if source == "boards":
            drawn = random_puzzle(ON_BOARDS[rng.choice(sorted(ON_BOARDS))], rng)
            if drawn is None:
                return None
            puzzle, constraints = drawn
            with Session(constraints) as session:
                solution = session.solve(puzzle, timeout=20)
            return solution and (constraints, puzzle, [*solution.cells])
        if source == "fuzz":
            constraints = random_constraints(rng, rng.choice(SIZES))
            found = solutions_of(constraints, rng)
            solution = found[0] if found else None
        elif source == "killer":
            rules, solution = random_killer(rng)
            constraints = constraints_for(rules)
        else:
            names = sorted(EXPLAINED) if source == "kind" else LINES
            base = rng.choice(BASES[5:] if source == "kind" else BASES)
            constraints, solution = with_clues(base, rng.choices(names, k=rng.randint(1, 12)), rng)
    except (BudgetError, SatdokuError):
        return None
    if solution is None:
        return None
    share = rng.choice((0.0, 0.1, 0.2, 0.3, 0.4))
    grid = bytes(digit * (rng.random() < share) for digit in solution)
    return constraints, Grid(grid, constraints.board), [*solution]


def mask_of_solution(units, solution):
    """Its candidates."""
    return mask_of(units.size * cell + digit - 1 for cell, digit in enumerate(solution))


def random_live(units, rng, true=0):
    """Some of the candidates, and those of a solution."""
    share = rng.choice((0.2, 0.4, 0.6, 0.8, 0.95))
    some = mask_of(c for c in bits(units.every) if rng.random() < share)
    return some | true


class Judge:
    """What named units alone force, by a solver."""

    def __init__(self, units):
        self.units, self.oracle = units, Oracle(units)

    def close(self):
        self.oracle.close()

    def allowed(self, named, live, *literals):
        """Whether the literals can be true together; None if the solver gives up."""
        gone = [-candidate - 1 for candidate in bits(self.units.every & ~live)]
        chosen = [selector(self.units, unit.number) for unit in named]
        return self.oracle._answer([*chosen, *gone, *literals])

    def missed(self, live):
        """What one house, or one clue that is read as a whole, still strikes: unit and candidate.
        Each cell holds one digit."""
        units = self.units
        cells = {unit.cells[0]: unit for unit in units.all if unit.family == "cell"}
        asked = [(clue.label, [clue], clue.cells) for clue in units.supporting if _is_whole(clue)]
        for house in units.houses:
            if house.is_full:
                asked.append((house.label, [units.all[n] for n in house.units], house.cells))
        for label, named, held in asked:
            alone = [*named, *(cells[cell] for cell in held if cell in cells)]
            for candidate in bits(live):
                if candidate // units.size in held and (
                    self.allowed(alone, live, candidate + 1) is False
                ):
                    yield label, units.name(candidate)


def _is_whole(clue):
    """Whether one automaton says all of the clue."""
    return len(clue.readings) == 1 and isinstance(clue.readings[0], Sequence) and not clue.pairs


def after(state, step):
    """The state behind a step."""
    return state.strike(step.struck) if step.put is None else state.place(step.put)


def states_before(technique: str, puzzles: Iterable[str]) -> Iterator[tuple[State, float]]:
    """The candidates of classic puzzles before the steps of Sudoku Explainer that use a technique,
    with the ratings of these."""
    units = units_of(constraints_for("classic"))
    for puzzle in puzzles:
        state = State.of(parse_grid(puzzle), units)
        for step in steps_of(parse_grid(puzzle).cells):
            if step.technique == technique:
                yield state, step.rating / 10
            if step.placed is not None:
                state = state.place(step.placed)
            state = state.strike(mask_of(step.struck))


def generated(first: int, last: int) -> list[str]:
    """Some of the generated puzzles."""
    path = Path(__file__).parents[2] / "puzzles" / "generated-1000.txt"
    return [line for line in path.read_text().split("\n") if line[:1] not in ("", "#")][first:last]


def state_of(rules, *struck):
    """The empty grid without some candidates: `r1c1=12` are those of 1 and of 2."""
    units = units_of(constraints_for(rules))
    names = {units.name(candidate): candidate for candidate in bits(units.every)}
    gone = [f"{cell}={d}" for text in struck for cell, d in _each(text)]
    return State.of(empty_grid(units.board), units).strike(mask_of(names[n] for n in gone))


def _each(text):
    cell, digits = text.split("=")
    return [(cell, digit) for digit in digits]


def others(cells, digits, n=9):
    """Texts that strike the digits in all cells of row 1 but these."""
    return [f"r1c{c}={digits}" for c in range(1, n + 1) if c not in cells]


def only(cells, digits, row=1):
    """Texts that leave the cells of a row only these digits."""
    rest = "".join(d for d in "123456789" if d not in digits)
    return [f"r{row}c{c}={rest}" for c in cells]


def spoilt(numbers, near, rng):
    """The numbers with a few exchanged, dropped or added."""
    tried = [*numbers]
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(tried))
        change = rng.choice(("put", "put", "add", "drop", "near"))
        if change == "add":
            tried.insert(place, rng.choice(near))
        elif change == "drop":
            del tried[place:]
            tried.append(0)
        else:
            tried[place] = rng.choice(near) if change == "put" else tried[place] + 1
    return tried
