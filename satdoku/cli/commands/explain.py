"""The command `explain`: sentences, JSON or pictures."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...files.outputs import endings, form_of, journal_path, open_output
from ...files.streams import STANDARD
from ...model.constraints import Constraints
from ...model.puzzle import Puzzle, Unreadable
from ...runtime.errors import SatdokuError, Status
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from ..answers import for_each_puzzle
from ..collections import asked_run
from ..inputs import (
    asked_board,
    asked_puzzles,
    is_typed,
)
from ..options import PICTURES, Puzzles, Rules, Workers, Written, flag, json_option, option, seconds
from ..output import note, say, show
from ..pictures import draw
from ..progress import Bar, Tally

if TYPE_CHECKING:
    from ...explain import Candidate, Step
    from ...explain.hints import Hint
    from ...traces.traces import Tracing

    Highlights = Mapping[str, Iterable[int | Candidate]]


EXAMPLE = "satdoku explain --steps 1.....2....3.4.."


class Arguments(Puzzles, Rules, Workers):
    steps = flag(help="explain the whole solution")
    units = flag(
        help="use the smallest explanations instead of rated techniques. Classic 9x9 puzzles with "
        "one solution get the techniques of Sudoku Explainer by default, all others those of any "
        "rule set; --cell always gets the smallest explanations"
    )
    beyond = flag(help="where no technique finds a step, go on with the smallest contradiction")
    hint = option(
        type=int,
        choices=(1, 2, 3),
        help="a hint to the next step: 1 says where to look, 2 which technique too, 3 all of it",
    )
    cell = option(
        metavar="r1c1",
        help="explain what forces the digit of this cell, or the value of a layer (shade.r1c1); "
        "with --steps: the steps that lead to it",
    )
    judge = option(
        metavar="r1c1=5",
        help="is this digit, or with r1c1!=5 this elimination, forced now, and by which technique? "
        "PUZZLE may have the candidates left as pencil marks. Exit code 1 unless it is forced",
    )
    verify = flag(
        help="prove each step by a checker of its own, from the units that it names (the smallest "
        "explanations always are)"
    )
    format = option(
        "-f",
        "--format",
        choices=("json", "jsonl"),
        help="with --steps: jsonl writes traces to OUT, one line a puzzle, with the candidates "
        "left before each step (default if OUT ends in .jsonl); json is --json",
    )
    compact = flag(help="traces without words, with candidates as numbers")
    by_step = flag(help="traces with one line a step in place of one a puzzle")
    resume = flag(
        help="of traces: keep a journal, OUT.journal, and continue where an interrupted run stopped"
    )
    output = option(
        "-o",
        "--output",
        type=Written("jsonl", *PICTURES),
        metavar="OUT",
        help="draw the explanation (extra for .png: pip install 'satdoku[png]'), with --steps one "
        "picture a step, OUT-001 and so on; - draws text below the words. Of traces, .jsonl, the "
        "file to write",
    )
    json = json_option()
    timeout = option(
        "--timeout",
        "--limit",
        type=seconds,
        metavar="S",
        help="after S seconds "
        "stop: print no further steps; a conflict may be larger than necessary, which its text "
        "says (default: 10 for conflicts and cells, none for steps)",
    )

    def made(self) -> Mapping[str, str]:
        """The files beside OUT."""
        return {"--resume": journal_path(self.output)} if self.resume and self.output else {}


def run(arguments: Arguments) -> int:
    """Why a puzzle has no solution, why a cell holds its digit, or the steps of a solution."""
    from ...explain import LIMIT, explain_cell, explain_conflict

    if _wants_traces(arguments):
        return _traces(arguments)
    arguments.json = arguments.json or arguments.format == "json"
    if arguments.judge is not None:
        return _judge(arguments, arguments.judge)
    if arguments.hint and (arguments.steps or arguments.cell):
        raise SatdokuError("--hint is about the next step: without --steps and --cell")
    pictures = _Pictures(arguments)

    def answer(asked: Puzzle) -> bool:
        pictures.begin(asked)
        limit = arguments.timeout or LIMIT
        conflict = explain_conflict(asked.grid, asked.constraints, timeout=limit)
        if conflict is not None:
            _show(arguments, asked, conflict.as_data(), conflict.sentences)
            pictures.draw(conflict.highlights)
            return False
        if arguments.cell and not arguments.steps:
            found = explain_cell(asked.grid, arguments.cell, asked.constraints, timeout=limit)
            _show(arguments, asked, found.as_data(), [found.words])
            pictures.draw(found.highlights)
            return found.reasons is not None
        return _steps(arguments, asked, pictures)

    return for_each_puzzle(arguments, answer)


class _Pictures:
    """What -o asks for: the explanations of one puzzle drawn, numbered if there may be several."""

    def __init__(self, arguments: Arguments) -> None:
        self._output: str | None = arguments.output
        self._many: bool = arguments.steps
        self._drawn = 0
        self._asked: Puzzle | None = None
        if self._output == STANDARD and arguments.json:
            raise SatdokuError("-o - cannot be combined with --json: a picture is not JSON")

    def begin(self, asked: Puzzle) -> None:
        """From now on this puzzle is drawn."""
        if self._asked is not None and self._output not in (None, STANDARD):
            raise SatdokuError(f"-o {self._output}: expected one puzzle, found a second one")
        self._asked = asked

    def draw(self, highlights: Highlights, **picture: Any) -> None:
        """One more picture."""
        if self._output is None:
            return
        assert self._asked is not None
        self._drawn += 1
        puzzle = Puzzle(self._asked.grid, self._asked.constraints)
        draw(self._name(self._output), puzzle, {"highlights": highlights, **picture})

    def _name(self, output: str) -> str:
        if output == STANDARD or not self._many:
            return output
        path = Path(output)
        return str(path.with_name(f"{path.stem}-{self._drawn:03}{path.suffix}"))

    def draw_step(self, step: Step) -> None:
        """A step as it is taken: with the digits placed before it, and the candidates left."""
        self.draw(
            step.highlights,
            solution=step.solved,
            candidates=step.candidates,
            chains=step.links,
            caption=step.caption,
        )


def _steps(arguments: Arguments, asked: Puzzle, pictures: _Pictures) -> bool:
    """All steps, those that a cell needs, or, unless asked for more, the next one."""
    from ...explain import explain_steps

    named = not (arguments.units or arguments.cell)
    found = explain_steps(
        asked.grid, asked.constraints, timeout=arguments.timeout, named=named, cell=arguments.cell,
        verify=arguments.verify, beyond=arguments.beyond,
    )  # fmt: skip
    data, n = [], 0
    known = {cell for cell, digit in enumerate(asked.grid) if digit}
    for n, step in enumerate(found if arguments.steps else islice(found, 1), 1):
        known.update([step.placed[0]] if step.placed else [])
        if arguments.hint:
            _hint(arguments, asked, step.hint(arguments.hint), step, pictures)
            return True
        if arguments.json:
            data.append(step.as_data())
        else:
            print(f"{n}. {step.words}" if arguments.steps else step.words, flush=True)
        pictures.draw_step(step)
    if arguments.json:
        _show(arguments, asked, {"steps": data}, [])
    if n == 0 and arguments.cell:
        note(arguments, f"no step leads to {arguments.cell}: it is given or not forced")
    elif (arguments.steps or n == 0) and not arguments.json:
        _tell_end(arguments, asked.constraints, len(known), any_step=n > 0)
    return n > 0


def _hint(arguments: Arguments, asked: Puzzle, hint: Hint, step: Step, pictures: _Pictures) -> None:
    """A hint in words, and drawn; the third is the step."""
    whole = hint.strength == 3
    data = hint.as_data() | ({"step": step.as_data()} if whole else {})
    _show(arguments, asked, data, [hint.words])
    if whole:
        pictures.draw_step(step)
    else:
        pictures.draw(hint.highlights, solution=step.solved, caption=hint.words)


def _tell_end(
    arguments: Arguments, constraints: Constraints, known: int, *, any_step: bool
) -> None:
    """Why there is no step, or no further one."""
    if known == constraints.board.cells:
        if not any_step:
            note(arguments, "no step: every cell is given")
        return
    further = "further " * any_step
    if arguments.units or arguments.beyond or constraints.is_beyond_steps:
        note(arguments, f"no {further}step: every candidate left is in some solution")
    else:
        more = "--beyond goes on with the smallest contradiction"
        note(arguments, f"no {further}step within these levels: {more}")


def _wants_traces(arguments: Arguments) -> bool:
    """Whether traces are asked for; raises `SatdokuError` for options that do not go together."""
    wanted = arguments.format == "jsonl"
    if arguments.format is None and arguments.output is not None:
        wanted = form_of(arguments.output, (*PICTURES, "jsonl")) == "jsonl"
    if not wanted:
        for name in ("compact", "by_step", "resume"):
            if getattr(arguments, name):
                option = f"--{name.replace('_', '-')}"
                raise SatdokuError(f"{option} is for traces: add --steps -f jsonl")
        return False
    if not arguments.steps or arguments.cell or arguments.judge:
        raise SatdokuError("-f jsonl needs --steps, without --cell and --judge")
    if arguments.json:
        raise SatdokuError("--json cannot be combined with -f jsonl: choose one")
    if endings(arguments.output or "")[0] in PICTURES:
        raise SatdokuError(f"-f jsonl -o {arguments.output}: expected no picture")
    if arguments.resume and arguments.output in (None, STANDARD):
        raise SatdokuError("--resume needs an output file: add -o OUT")
    return True


def _traces(arguments: Arguments) -> int:
    """Traces of files of puzzles, or of puzzles that were typed."""
    from ...traces.traces import Tracing

    tracing = Tracing(
        arguments.compact,
        arguments.by_step,
        arguments.verify,
        arguments.units,
        arguments.timeout,
        arguments.resume,
        arguments.beyond,
    )
    board = asked_board(arguments)
    typed = [is_typed(argument, board) for argument in arguments.puzzles]
    tally = Tally()
    if any(typed):
        _typed_traces(arguments, tracing, tally)
    else:
        _file_traces(arguments, tracing, tally)
    if tally.unreadable:
        return EXIT_BAD_INPUT
    return EXIT_DONE if tally.statuses[Status.UNIQUE] == tally.puzzles else EXIT_NO


def _file_traces(arguments: Arguments, tracing: Tracing, tally: Tally) -> None:
    from ...traces.files import Run

    with Bar(arguments.puzzles, quiet=arguments.quiet) as bar:
        try:
            Run(
                arguments.puzzles,
                arguments.output or STANDARD,
                tracing,
                workers=arguments.workers,
                **asked_run(arguments, bar, tally),
            ).go()
        except KeyboardInterrupt as error:
            if arguments.resume and tally.puzzles:
                error.add_note(
                    f"finished traces are kept in {journal_path(arguments.output or '')}"
                )
            raise
        finally:
            if not arguments.quiet and tally.puzzles:
                bar.bar.clear()
                print(tally.summary(), file=sys.stderr)


def _typed_traces(arguments: Arguments, tracing: Tracing, tally: Tally) -> None:
    from ...traces.traces import trace_puzzle

    if arguments.resume:
        raise SatdokuError("--resume is for files of puzzles, not for a puzzle that was typed")
    with open_output(arguments.output or STANDARD, keep=True) as out:
        for asked in asked_puzzles(arguments, strict=True):
            if isinstance(asked, Unreadable):
                say(asked.error)
            lines, statuses = trace_puzzle(asked, tracing)
            out.write(lines)
            tally.add(statuses, isinstance(asked, Unreadable))


def _judge(arguments: Arguments, claim: str) -> int:
    """Whether a claim is forced in each state."""
    from ...explain.judge import LIMIT, judge_step

    if arguments.steps or arguments.cell or arguments.output:
        raise SatdokuError("--judge stands alone: without --steps, --cell and -o")

    def answer(asked: Puzzle) -> bool:
        found = judge_step(asked, claim, timeout=arguments.timeout or LIMIT)
        _show(arguments, asked, found.as_data(), [found.words])
        return found.verdict in ("forced", "known")

    return for_each_puzzle(arguments, answer, asked_puzzles(arguments, marks=True, strict=True))


def _show(arguments: Arguments, asked: Puzzle, data: dict[str, Any], lines: list[str]) -> None:
    if arguments.json:
        show(arguments, "", asked.record, **data)
    else:
        print(*lines, sep="\n", flush=True)
