"""Questions with their answers, made by the seed, for libraries that train and test models.

Invariant: item i depends on what is asked for, the seed and i alone, not on the items before it nor
on the machine. Its puzzle is the one that `generate` makes at that place. A question states all
rules and clues, so that nothing else is needed to answer it; an answer as it asks for is one that
`find_answer` reads.

    items = tasks(500, "knight", seed=7)
    items[3]["question"], items[3]["answer"], items[3]["metadata"]
    items.score_answer("I think that ...", items[3])     # 0 to 1
    items[3].check("I think that ...").reasons

Items are dictionaries, as those of reasoning-gym; `Episodes` has the interface of `gymnasium.Env`.
docs/LEARNING.md shows the lines that connect them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from operator import index
from typing import Any, overload

from ..answers.api import solve
from ..explain.rated import rating_of
from ..generator import ANY_PUZZLE, GenerateOptions, Wish, nth_puzzle, random_seed
from ..generator.clues import puzzle_with_clues
from ..generator.oracle import GeneratorError
from ..model.board import Board
from ..model.clue import Clue
from ..model.constraints import Constraints, RulesLike, constraints_for
from ..model.grid import Grid
from ..model.kinds import KINDS
from ..model.rules import RULES
from .score import CheckedAnswer, checked, find_answer, posed


def question(puzzle: Grid, constraints: Constraints) -> str:
    """What is asked, on several lines."""
    board = constraints.board
    n = board.size
    parts = [
        f"Fill the {n}x{n} grid: each empty cell, written as a dot, takes a number from 1 to {n}.",
        "\n".join(["Rules:", *(f"- {rule}" for rule in _rules(constraints))]),
    ]
    if constraints.clues:
        clues = (f"- {clue_in_words(clue, board)}" for clue in constraints.clues)
        about = "Clues (r2c3 is the cell in row 2 and column 3):"
        parts.append("\n".join([about, *clues]))
    if board.regions is not None:
        parts.append(f"Map, with the same sign for all cells of a region:\n{_map(board)}")
    parts += [
        f"Grid:\n{rows(puzzle)}",
        f"Answer with the full grid: {n} lines of {n} numbers with spaces between them. "
        "Keep the numbers that are there.",
    ]
    return "\n\n".join(parts)


def rows(grid: Grid) -> str:
    """One line per row, numbers with spaces between them, a dot for an empty cell."""
    n = grid.board.size
    symbols = [str(digit or ".") for digit in grid]
    return "\n".join(" ".join(symbols[i : i + n]) for i in range(0, n * n, n))


def clue_in_words(clue: Clue, board: Board) -> str:
    """The kind, the value and the cells of a clue, and what it says of them."""
    kind = KINDS[clue.kind]
    groups = " > ".join(", ".join(map(board.name_of, group)) for group in clue.groups)
    head = f"{clue.kind} {clue.value}".strip() + (f" at {groups}" if groups else "")
    says = kind.says(clue.value)
    parts = ", ".join(f"({clue_in_words(part, board)})" for part in clue.parts)
    return ": ".join(filter(None, [head, says, parts]))


def _rules(constraints: Constraints) -> Iterator[str]:
    """A sentence for the houses of the board, and for each rule."""
    board = constraints.board
    third = "region of the map"
    if board.regions is None:
        third = f"box of {board.box_rows} rows and {board.box_columns} columns"
    houses = ["row", "column", *([third] if board.has_boxes else [])]
    *most, last = (f"every {house}" for house in houses)
    yield f"{', '.join(most)} and {last} holds every number once.".capitalize()
    for name in constraints.names:
        yield f"{RULES[name].summary[0].upper()}{RULES[name].summary[1:]}."


def _map(board: Board) -> str:
    n, labels = board.size, board.region_map
    return "\n".join(labels[i : i + n] for i in range(0, n * n, n))


class Task(dict[str, Any]):
    """A question with its answer.

    question: text, with all rules and clues in words; answer: the only solution, one row a line;
    metadata: puzzle (one character a cell) and rules, as `check_answer` takes them; givens, their
    number; er and technique, as `rate` gives them; seed and index, which make the task again.
    """

    def check(self, answer: object) -> CheckedAnswer:
        """What `check_answer` says of an answer."""
        about = self["metadata"]
        puzzle = posed(about["puzzle"], about["rules"])
        solution = find_answer(self["answer"], puzzle.grid.board)
        return checked(puzzle, answer, solution)


class Tasks(Sequence[Task]):
    """The first n tasks of a seed; an item is made when it is asked for."""

    def __init__(self, n: int, options: GenerateOptions) -> None:
        if n < 0:
            raise GeneratorError(f"{n} tasks: expected 0 or more")
        self.n, self.options = n, options

    def __repr__(self) -> str:
        options = self.options
        clues = f", clues {', '.join(options.wish.clues)}" if options.wish.clues else ""
        rules = options.constraints.name
        return f"<Tasks: {self.n:,}, rules {rules}{clues}, seed {options.seed}>"

    def __len__(self) -> int:
        return self.n

    @overload
    def __getitem__(self, where: int) -> Task: ...
    @overload
    def __getitem__(self, where: slice) -> list[Task]: ...
    def __getitem__(self, where: int | slice) -> Task | list[Task]:
        if isinstance(where, slice):
            return [self._task(place) for place in range(self.n)[where]]
        return self._task(range(self.n)[index(where)])

    def score_answer(self, answer: str | None, entry: Mapping[str, Any]) -> float:
        """The score of an answer to an item, from 0 to 1."""
        return Task(entry).check(answer).score

    def _task(self, place: int) -> Task:
        constraints = self.options.constraints
        if self.options.wish.clues:
            cells, constraints = puzzle_with_clues(self.options, place)
        else:
            cells = nth_puzzle(self.options, place)
        puzzle = Grid(cells.tobytes(), constraints.board)
        return task_of(puzzle, constraints, self.options.seed, place)


def tasks(
    n: int = 1,
    rules: RulesLike = "classic",
    *,
    clues: Sequence[str] | str = (),
    seed: int | None = None,
    size: int | None = None,
    wish: Wish = ANY_PUZZLE,
) -> Tasks:
    """Questions with their answers about random puzzles with one solution.

    clues: kinds, such as ["thermo", "white"] or "thermo,white", for puzzles that such clues
    determine. The others are those of `generate`. seed: one is drawn if it is None;
    `tasks.options.seed` says which. Raises `GeneratorError` if no such puzzle can be made.
    """
    constraints = constraints_for(rules, None if size is None else Board.of_size(size))
    kinds = clues.split(",") if isinstance(clues, str) else clues
    named = tuple(filter(None, map(str.strip, kinds)))
    wish = replace(wish, clues=named or wish.clues)
    return Tasks(n, GenerateOptions(constraints, random_seed() if seed is None else seed, wish))


def task_of(puzzle: Grid, constraints: Constraints, seed: int, place: int) -> Task:
    """The task of a puzzle with one solution."""
    solution = solve(puzzle, constraints)
    assert solution is not None
    rating = rating_of(puzzle, constraints)
    about = {
        "puzzle": str(puzzle),
        "rules": constraints.name,
        "givens": puzzle.givens,
        "er": rating.er,
        "technique": rating.technique,
        "seed": seed,
        "index": place,
    }
    return Task(question=question(puzzle, constraints), answer=rows(solution), metadata=about)


class Episodes:
    """Tasks with the interface of `gymnasium.Env`: an observation and an action are texts.

    turns: how many answers an episode takes at most; it ends with a right one. The reward of an
    answer is its score minus that of the answer before, so the rewards of an episode add up to the
    score of its last answer. After an answer the observation says what is wrong with it.
    """

    def __init__(self, tasks: Sequence[Task], turns: int = 1) -> None:
        self.tasks, self.turns = tasks, turns
        self._places = count()
        self.task: Task | None = None

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """The question of the next task, or of task `seed`, and its metadata."""
        if parent := getattr(super(), "reset", None):  # `gymnasium.Env` behind it
            parent(seed=seed)
        if seed is not None:
            self._places = count(seed)
        self.task = self.tasks[next(self._places) % len(self.tasks)]
        self._turn, self._score = 0, 0.0
        return self.task["question"], dict(self.task["metadata"])

    def step(self, answer: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """What is wrong with an answer, its reward, whether it is right, whether no turn is left,
        and what `check_answer` says of it."""
        if self.task is None:
            raise GeneratorError("step before reset: expected reset() first")
        found = self.task.check(answer)
        reward, self._score = found.score - self._score, found.score
        self._turn += 1
        ends = not found.right and self._turn >= self.turns
        return "\n".join(found.reasons), reward, found.right, ends, found.as_data()
