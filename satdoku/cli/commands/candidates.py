"""The command `candidates`: each cell's digits over all solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...files.streams import STANDARD
from ...model.board import Board
from ...model.puzzle import Puzzle, Unreadable
from .. import options as opt
from ..answers import for_each_puzzle
from ..inputs import asked_puzzles, numbered
from ..output import show

EXAMPLE = "satdoku candidates 12.............."


class Arguments(opt.Puzzles, opt.Solver, opt.Encoding):
    json = opt.json_option()
    output = opt.output_option(opt.Written(*opt.PICTURES), opt.PICTURE_HELP)
    timeout = opt.timeout_option("the answer is unknown")
    count = opt.option(
        type=opt.positive,
        metavar="N",
        help="print how many solutions have each digit there, counted up to N: 1:24 2:24, or "
        "1:100+ for N or more",
    )


def run(arguments: Arguments) -> int:
    """The true candidates of each puzzle; exit 1 if it has no solution."""
    puzzles = asked_puzzles(arguments, marks=True)
    drawn, outputs = arguments.output != STANDARD, list[str]()
    if drawn:
        named = numbered(puzzles, arguments.output, ", ".join(arguments.puzzles))
        puzzles = _in_turn(named, outputs)

    def answer(asked: Puzzle) -> bool:
        from ...answers.api import true_candidates

        found = true_candidates(asked, solver=arguments.solver, encoding=arguments.encoding)
        true = [sorted(digits) for digits in found]
        board = asked.grid.board
        every = board.domains(tuple(range(board.cells)))
        shown = [[d[place - 1] for place in some] for d, some in zip(every, true, strict=True)]
        if drawn:
            _draw(outputs.pop(), asked, true)
        if arguments.count:
            _show_counts(arguments, asked, arguments.count)
        elif arguments.json or not drawn:
            show(arguments, _table(shown, board), asked.record, candidates=shown)
        return all(true)

    return for_each_puzzle(arguments, answer, puzzles)


def _show_counts(arguments: Arguments, asked: Puzzle, most: int) -> None:
    """The number of solutions of each candidate."""
    from ...answers.session import shared_session
    from ...answers.tallies import Tallying

    session = shared_session(asked.constraints, arguments.solver, arguments.encoding)
    table = Tallying(asked, session).counts(most).counts.tolist()
    every = asked.grid.board.domains(tuple(range(len(table))))
    counts = [
        {d[place]: n for place, n in enumerate(row) if n}
        for d, row in zip(every, table, strict=True)
    ]
    true = [list(row) for row in counts]
    words = [
        " ".join(f"{digit}:{n}{'+' * (n == most)}" for digit, n in row.items()) or "-"
        for row in counts
    ]
    text = "\n".join(map("{}: {}".format, map(asked.grid.board.name_of, range(len(words))), words))
    show(arguments, text, asked.record, candidates=true, counts=counts, limit=most)


def _in_turn(
    named: Iterator[tuple[Puzzle | Unreadable, str]], outputs: list[str]
) -> Iterator[Puzzle | Unreadable]:
    """The puzzles; while one is answered, `outputs` holds the name of its file."""
    for asked, output in named:
        outputs[:] = [output]
        yield asked


def _draw(output: str, asked: Puzzle, candidates: Sequence[Sequence[int]]) -> None:
    from ..pictures import clashing, draw

    puzzle = Puzzle(asked.grid, asked.constraints)
    draw(
        output,
        puzzle,
        {"candidates": candidates, "highlights": clashing(asked.grid, asked.constraints)},
    )


def _table(candidates: Sequence[Sequence[int]], board: Board) -> str:
    """A row a line, - for a cell that no digit is left for, nothing where there is no cell."""
    separator = "" if 0 <= board.digits[0] <= board.digits[-1] <= 9 else ","
    words = [separator.join(map(str, digits)) or "-" for digits in candidates]
    width = max(map(len, words))
    rows, columns = map(range, board.extent)
    at = {place: words[cell].ljust(width) for place, cell in board.cell_at.items()}
    return "\n".join(" ".join(at.get((r, c), " " * width) for c in columns).rstrip() for r in rows)
