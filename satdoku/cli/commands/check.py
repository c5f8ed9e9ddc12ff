"""The command `check`: the status of each puzzle, or whether answers to them are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...model.puzzle import Puzzle, Unreadable
from ...runtime.errors import BudgetError, SatdokuError, Status, counted
from ...runtime.limits import within
from .. import options as opt
from ..answers import decided, exit_code
from ..inputs import asked_puzzles, text_or_file
from ..output import note, show, verdict
from ..programs import Program

EXAMPLE = "satdoku check 1.....2....3.4.."


class Arguments(opt.Puzzles, opt.Solver, Program):
    json = opt.json_option()
    backend = opt.backend_option()
    conflicts = opt.conflicts_option("the status is unknown")
    timeout = opt.timeout_option("the answer is unknown")
    answer = opt.several(
        type=opt.to_read,
        metavar="TEXT",
        help="check this answer to the puzzle: is it right, its score from 0 to 1, its mistakes "
        "(docs/LEARNING.md); text or a file, with or without words around the grid; one for each "
        "puzzle",
    )
    placements = opt.flag(
        help="of the digits that --answer places one by one (r1c2: 5), in their order: is each "
        "forced, lucky or wrong (docs/LEARNING.md)"
    )


def run(arguments: Arguments) -> int:
    """The status of each puzzle; exit 1 if any is not unique, or if any answer is wrong."""
    if arguments.answer:
        return exit_code(arguments, _answers(arguments))
    if arguments.placements:
        raise SatdokuError("--placements needs --answer, whose placements it judges")

    def answers() -> Iterator[bool | Unreadable]:
        for found in decided(arguments, arguments.conflicts, strict=True):
            if isinstance(found, Unreadable):
                yield found
                continue
            asked, status, reason, solved_by = found
            more: dict[str, Any] = {"reason": reason, "solved_by": solved_by}
            if status is Status.UNIQUE and asked.constraints.board.layers:
                more["several_ways"] = _open_layers(arguments, asked)
            more = {name: text for name, text in more.items() if text}
            show(arguments, verdict(status), asked.record, status=str(status), **more)
            yield status is Status.UNIQUE

    return exit_code(arguments, answers())


def _open_layers(arguments: Arguments, asked: Puzzle) -> list[str]:
    """The layers that the puzzle leaves open, each also named on stderr."""
    from ...answers.api import layers_in_several_ways

    try:
        with within(arguments.timeout):
            names = list(layers_in_several_ways(asked))
    except BudgetError as error:
        note(arguments, f"layers: {error}")
        return []
    for name in names:
        note(arguments, f"layer {name} has several ways")
    return names


def _answers(arguments: Arguments) -> Iterator[bool | Unreadable]:
    """Whether each answer is right, with its score and what is wrong."""
    puzzles = list(asked_puzzles(arguments, marks=True, strict=True))
    answers = [text_or_file(argument) for argument in arguments.answer]
    if len(puzzles) != len(answers):
        found = f"{counted(len(puzzles), 'puzzle')} and {len(answers)} answers"
        raise SatdokuError(f"--answer: found {found}, expected one for each puzzle")
    for asked, answer in zip(puzzles, answers, strict=True):
        yield asked if isinstance(asked, Unreadable) else _is_right(arguments, asked, answer)


def _is_right(arguments: Arguments, asked: Puzzle, answer: str) -> bool:
    from ...datasets.score import checked

    if arguments.placements:
        return _are_forced(arguments, asked, answer)
    found = checked(asked, answer)
    first = "right" if found.right else f"wrong, score {found.score:.3f}"
    words = "\n  ".join([first, *found.reasons])
    show(arguments, words, asked.record, **found.as_data())
    return found.right


def _are_forced(arguments: Arguments, asked: Puzzle, answer: str) -> bool:
    """Whether no placement is wrong, and there is one; each with its verdict."""
    from ...datasets.score import judge_placements
    from ...explain.judge import LIMIT

    found = judge_placements(asked, answer, timeout=arguments.timeout or LIMIT)
    counts = Counter(placed.verdict for placed in found)
    total = ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "none"
    words = "\n".join([*(placed.words for placed in found), f"{len(found)} placements: {total}"])
    rows = [placed._asdict() for placed in found]
    show(arguments, words, asked.record, placements=rows, counts=dict(counts))
    return bool(found) and not counts["wrong"]
