"""The command `explain`: sentences, JSON or pictures."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import SatdokuError
from ...files.streams import STANDARD
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.puzzle import Puzzle
from ..answers import for_each
from ..options import add_data_and_limit, add_puzzles, add_rules
from ..output import say
from ..pictures import check_name, draw

if TYPE_CHECKING:
    from ...explain import Candidate, Conflict, Step
    from ...sat.session import Session

    Highlights = Mapping[str, Iterable[int | Candidate]]


EXAMPLE = "satdoku explain --steps 1.....2....3.4.."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser, solver=False)
    parser.add_argument("--steps", action="store_true", help="the whole solution, step by step")
    parser.add_argument(
        "--cell",
        metavar="r1c1",
        help="what forces this cell's digit; with --steps: the steps that lead to it",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="draw it too: .svg, or .png (extra: pip install 'satdoku[png]'), with --steps one a "
        "step, OUT-001 and so on; - for text below the words",
    )
    add_data_and_limit(
        parser,
        "no further step; conflicts and reasons of a cell as far as they are found, and said to be "
        "larger than need be if that is not excluded (default: 10; none for steps)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Why a puzzle has no solution, why a cell holds its digit, or the steps of a solution."""
    from ...explain import LIMIT, explain_cell, explain_conflict

    pictures = _Pictures(arguments)

    def answer(puzzle: Grid, session: Session) -> bool:
        constraints = session.constraints
        pictures.begin(Puzzle(puzzle, constraints))
        limit = arguments.limit or LIMIT
        conflict = explain_conflict(puzzle, constraints, limit=limit)
        if conflict is not None:
            _show(arguments, puzzle, conflict.as_data(), _sentences(conflict))
            pictures.draw(conflict.highlights)
            return False
        if arguments.cell and not arguments.steps:
            found = explain_cell(puzzle, arguments.cell, constraints, limit=limit)
            _show(arguments, puzzle, found.as_data(), [found.words])
            pictures.draw(found.highlights)
            return found.reasons is not None
        return _steps(arguments, puzzle, constraints, pictures)

    return for_each(arguments, answer)


def _sentences(conflict: Conflict) -> list[str]:
    """What conflicts; where that may be too much, also which givens alone."""
    fewer = conflict.givens.size < len(conflict.reasons.givens)
    also = fewer and not conflict.reasons.is_smallest
    return [conflict.words, conflict.givens_words] if also else [conflict.words]


class _Pictures:
    """What -o asks for: the explanations of one puzzle drawn, numbered if there may be several."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._output: str | None = arguments.output
        self._many: bool = arguments.steps
        self._drawn = 0
        self._question: Puzzle | None = None
        if self._output is not None:
            check_name(self._output)
            if self._output == STANDARD and arguments.json:
                raise SatdokuError("-o - goes not with --json: a picture is no JSON")

    def begin(self, question: Puzzle) -> None:
        """From now on this puzzle is drawn."""
        if self._question is not None and self._output not in (None, STANDARD):
            raise SatdokuError(f"-o {self._output} draws one puzzle, and here is another")
        self._question = question

    def draw(self, highlights: Highlights, **picture: Any) -> None:
        """One more picture."""
        if self._output is None:
            return
        assert self._question is not None
        self._drawn += 1
        draw(self._name(self._output), self._question, {"highlights": highlights, **picture})

    def _name(self, output: str) -> str:
        if output == STANDARD or not self._many:
            return output
        path = Path(output)
        return str(path.with_name(f"{path.stem}-{self._drawn:03}{path.suffix}"))

    def draw_step(self, step: Step, placed: Grid) -> None:
        """A step as it is taken: with the digits placed before it, and the candidates left."""
        self.draw(step.highlights, solution=placed, candidates=step.candidates)


def _steps(
    arguments: argparse.Namespace, puzzle: Grid, constraints: Constraints, pictures: _Pictures
) -> bool:
    """All steps, those that a cell needs, or, unless asked for more, the next one."""
    from ...explain import cell_named, explain_steps

    steps = _with_placed(explain_steps(puzzle, constraints, limit=arguments.limit), puzzle)
    if arguments.cell:
        cell = cell_named(arguments.cell, constraints.board)
        return _steps_to(arguments, puzzle, dict(steps), cell, pictures)
    shown = steps if arguments.steps else islice(steps, 1)
    data, n = [], 0
    for n, (step, placed) in enumerate(shown, 1):
        if arguments.json:
            data.append(step.as_data())
        else:
            print(f"{n}. {step.words}" if arguments.steps else step.words, flush=True)
        pictures.draw_step(step, placed)
    if arguments.json:
        _show(arguments, puzzle, {"steps": data}, [])
    elif n == 0:
        say("no step: the givens leave nothing to derive")
    return n > 0


def _with_placed(steps: Iterator[Step], puzzle: Grid) -> Iterator[tuple[Step, Grid]]:
    """Each step, and the digits that the steps before it have placed."""
    placed = bytearray(puzzle.board.cells)
    for step in steps:
        yield step, Grid(bytes(placed), puzzle.board)
        if step.placed is not None:
            cell, digit = step.placed
            placed[cell] = digit


def _steps_to(
    arguments: argparse.Namespace,
    puzzle: Grid,
    placed: dict[Step, Grid],
    cell: int,
    pictures: _Pictures,
) -> bool:
    from ...explain import needed_for

    needed = needed_for(list(placed), cell)
    if arguments.json:
        _show(arguments, puzzle, {"steps": [step.as_data() for step in needed]}, [])
    for n, step in enumerate(needed, 1):
        if not arguments.json:
            print(f"{n}. {step.words}", flush=True)
        pictures.draw_step(step, placed[step])
    if not needed:
        say(f"no step derives {arguments.cell}: it is given, or not forced")
    return bool(needed)


def _show(
    arguments: argparse.Namespace, puzzle: Grid, data: dict[str, Any], lines: list[str]
) -> None:
    if arguments.json:
        print(json.dumps({"puzzle": str(puzzle), **data}), flush=True)
        return
    for line in lines:
        print(line, flush=True)
