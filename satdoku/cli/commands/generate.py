"""The command `generate`: random puzzles, one a line or in a table."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from ...files.outputs import (
    ARRAY_FORMS,
    TABLE_FORMS,
    WITH_COLUMNS,
    form_of,
    open_output,
)
from ...files.streams import STANDARD
from ...runtime.errors import SatdokuError, counted
from ...runtime.limits import within
from .. import EXIT_DONE, EXIT_NO
from .. import options as opt
from ..inputs import asked_constraints, text_or_file
from ..output import note
from ..progress import terminal_bar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...files.collection.beside import Table
    from ...generator import Difficulty as Wanted
    from ...generator import GenerateOptions
    from ...generator.files import Made
    from ...generator.holes import HolesOptions
    from ...model.board import Board

Pieces: TypeAlias = "Generator[Made | Table, None, None]"  # some puzzles, or their rows

OnBlock: TypeAlias = "Callable[[NDArray[np.uint8]], None]"  # gets the puzzles of a block

SETTLED = "givens", "minimal", "pattern"
SETTLED_BY_HOLES = (
    *SETTLED, "symmetry", "er", "technique", "clues", "clue", "questions", "regions", "uniform",
)  # fmt: skip
SETTLED_BY_UNIFORM = (
    "givens", "pattern", "symmetry", "er", "technique", "clues", "questions", "unique", "tries",
)  # fmt: skip
FEW = 8  # puzzles with clues for which no process is started
WEIGHED = "givens", "weight", "tries"  # what stands beside a puzzle of a fair sample
EXAMPLE = "satdoku generate -n 3 --seed 1 --givens 24-28"


def _holes(text: str) -> int | float:
    """`300` cells, or a part of all: `0.4` or `40%`."""
    try:
        if text.endswith("%"):
            return float(text[:-1]) / 100
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        expected = "expected a number of cells such as 300, or a part such as 0.4 or 40%"
        raise argparse.ArgumentTypeError(f"{text}: {expected}") from None


class Givens(opt.Options, group="givens"):
    """How many givens, and where."""

    givens = opt.option(
        metavar="LO-HI",
        help="number of givens: each puzzle aims at a number in this range, all equally likely "
        "(default: remove givens until none can go)",
    )
    minimal = opt.flag(
        help="only puzzles that need each of their givens, as all do without --givens, --symmetry "
        "and --pattern"
    )
    symmetry = opt.option(
        default="none",
        metavar="S",
        help="symmetry of the pattern of givens: rot180, rot90, mirror (left-right), flip "
        "(up-down), diagonal, antidiagonal, mirrors, diagonals, full (default none)",
    )
    pattern = opt.option(
        type=opt.to_read,
        metavar="MASK",
        help="give exactly these cells: text or file, one character a cell, . for an empty cell",
    )


class Difficulty(opt.Options, group="difficulty"):
    """How hard, on the scale of `rate`."""

    er = opt.option(
        metavar="LO-HI",
        help="only puzzles with an ER in this range (see `rate`), such as 2-5, or 7.1 for exactly "
        "that; below 1.5, --givens 30-45 finds them faster",
    )
    technique = opt.option(
        metavar="NAME",
        help="only puzzles whose hardest step is by this technique, such as XY-wing "
        "(docs/RATINGS.md lists the names for classic 9x9 and for other rules; some are very rare)",
    )


class Clued(opt.Options, group="clues"):
    """Which clues stand in the puzzles, and how they are laid out."""

    clues = opt.list_option(
        metavar="KIND,...",
        help="puzzles with random clues of these kinds (`satdoku clues` lists them), few givens or "
        "none, and no clue that could go; without an ending, OUT is CSV with the clues in a column "
        "`rules`. Cages do not overlap, lines do not cross; with --symmetry clues and givens are "
        "symmetric, and none can go together with its images",
    )
    clue_size = opt.option(
        metavar="LO-HI",
        help="cells of a cage or a line, such as 2-4 (default: 2-5 for cages, 3-6 for lines)",
    )
    clue_count = opt.option(
        metavar="LO-HI",
        help="number of clues: at most HI are drawn, and puzzles that need fewer than LO are "
        "dropped (default 1-20; fewer clues leave more givens)",
    )


class Fair(opt.Options, group="fair samples"):
    """Grids and puzzles whose chances are known."""

    uniform = opt.flag(
        help="full grids instead of puzzles, all grids under the rules with the same chance; with "
        "--minimal: minimal puzzles as CSV, each with a weight that undoes the bias of how it is "
        "drawn, and on stderr the mean number of givens of all minimal puzzles (see its page)"
    )


class Holes(opt.Options, group="full grids with holes"):
    """Instances instead of puzzles."""

    holes = opt.option(
        type=_holes,
        metavar="H",
        help="make full grids with H holes instead, a share (0.4, 40%%) or a number of cells; they "
        "may have several solutions, unless --unique is given. Here --size may be up to 256: above "
        "25, a puzzle is a line of numbers, 0 for a hole (docs/LARGE.md)",
    )
    holes_pattern = opt.option(
        default="random",
        choices=("random", "balanced"),
        help="balanced: the same number of holes in each row, column and box (default random)",
    )
    unique = opt.flag(help="with --holes: only puzzles with one solution")


class Effort(opt.Workers, group="effort"):
    """The limits of the search and the number of workers."""

    tries = opt.option(
        type=opt.positive,
        metavar="T",
        help="give up after T attempts a puzzle (default 1,000; with --er or --technique "
        "100,000; with --pattern 1,000,000)",
    )
    timeout = opt.timeout_option("stop with the puzzles made so far, exit code 1")
    workers = opt.workers_option("number of processes (default: one a core)")


class Arguments(opt.Rules, Givens, Difficulty, Clued, Fair, Holes, Effort):
    description = (
        "Make random puzzles with one solution: take a random grid and remove givens in random\n"
        "order while the solution stays unique. The same seed gives the same puzzles\n"
        "everywhere; a larger -n only adds puzzles at the end."
    )
    n = opt.option(
        "-n", type=opt.positive, default=1, metavar="N", help="number of puzzles (default 1)"
    )
    questions = opt.flag(
        help="JSON lines for training and testing models: question (rules, each clue and the grid, "
        "in words), answer and metadata; docs/LEARNING.md says more"
    )
    seed = opt.option(
        type=int,
        metavar="K",
        help="random seed, 0 or more (default: a random one, which is printed on stderr)",
    )
    certificates = opt.option(
        type=opt.Written("trees"),
        metavar="FILE",
        help="prove that each puzzle has one solution: FILE, whose name ends in .trees, gets a "
        "proof tree for each, row n for puzzle n (see `verify`)",
    )
    output = opt.output_option(opt.Written(*TABLE_FORMS, *ARRAY_FORMS))
    format = opt.format_option(
        (*TABLE_FORMS, *ARRAY_FORMS), "line (a puzzle each), csv, tsv, jsonl, parquet, npy or npz"
    )
    json_lines = opt.json_lines_option()
    columns = opt.list_option(
        metavar="C,...",
        help="columns to write: puzzle, solution, rules, seed, status, givens; er, ep, ed, "
        "technique (see `rate`); holes (with --holes); weight, tries (with --uniform --minimal)",
    )


def run(arguments: Arguments) -> int:
    """Write random puzzles, one a line."""
    with within(arguments.timeout):
        return _run(arguments)


def _run(arguments: Arguments) -> int:
    from ...files.tables import open_table
    from ...generator.files import Made, table_of
    from ...generator.watch import watched
    from ...runtime.errors import BudgetError

    holes = arguments.holes
    options: Any = _options(arguments) if holes is None else _holes_options(arguments, holes)
    if arguments.seed is None:
        note(arguments, f"seed {options.seed}")
    form = _form(arguments)
    columns = _columns(arguments, form, options.constraints.board)
    made, start = 0, time.perf_counter()
    with (
        closing(_bar(arguments)) as bar,
        open_table(arguments.output, form, keep=True) as write,
        _certified(arguments, options) as on_block,
        closing(_maker(arguments, on_block)(arguments, options)) as pieces,
        suppress(BudgetError),
        watched(partial(_show_step, bar)),
    ):
        for piece in pieces:
            table = table_of(piece, columns, form) if isinstance(piece, Made) else piece
            bar.clear()
            write(table)
            write.out.flush()
            bar.update(table.rows)
            made += table.rows
    if arguments.output != STANDARD and not arguments.quiet:
        print(_speed(arguments, made, time.perf_counter() - start), file=sys.stderr)
    if made == arguments.n:
        return EXIT_DONE
    note(arguments, f"timed out after {arguments.timeout:g} s: {made:,} of {arguments.n:,} puzzles")
    return EXIT_NO


def _speed(arguments: Arguments, made: int, seconds: float) -> str:
    """How many were made, how fast, and what is known of them."""
    thing = "grid" if _are_grids(arguments) else "puzzle"
    unique = arguments.holes is None or arguments.unique
    words = ", each verified" * unique + " unique" * (unique and thing == "puzzle")
    digits = 0 if made > 9 * seconds else 1  # behind the point
    rate = f"{made / seconds:,.{digits}f} {thing}s/s{words}"
    return f"{counted(made, thing)} in {seconds:.2f} s, {rate}"


def _columns(arguments: Arguments, form: str, board: Board) -> tuple[str, ...]:
    """The columns to write."""
    from ...generator.files import columns_for

    weighed = WEIGHED if _is_weighed(arguments) else ()
    return columns_for(
        form,
        opt.listed(arguments.columns),
        rated=bool(arguments.er or arguments.technique),
        own=weighed if arguments.holes is None else ("holes",),
        large=board.is_large,
    )


def _form(arguments: Arguments) -> str:
    """The form of the output; puzzles with clues or weights need columns for these."""
    forms, asked = (*TABLE_FORMS, *ARRAY_FORMS), arguments.format
    if arguments.questions or arguments.clues or _is_weighed(arguments):
        is_plain = not asked and form_of(arguments.output, forms) == forms[0]
        forms = ("jsonl",) if arguments.questions else WITH_COLUMNS
        asked = forms[0] if is_plain else asked
    form = form_of(arguments.output, forms, asked)
    if form not in forms:
        options = [name for name in ("questions", "clues", "uniform") if getattr(arguments, name)]
        raise SatdokuError(f"--{options[0]} takes no -f {form}: choose from {', '.join(forms)}")
    if arguments.questions and arguments.columns:
        raise SatdokuError("--questions settles the columns: it takes no --columns")
    return form


def _maker(arguments: Arguments, on_block: OnBlock | None) -> Callable[[Arguments, Any], Pieces]:
    """What makes the puzzles that are asked for."""
    if arguments.holes is not None:
        return _with_holes
    if arguments.uniform:
        return partial(_weighed if arguments.minimal else _grids, on_block=on_block)
    if arguments.questions:
        return _questions
    return _with_clues if arguments.clues else partial(_puzzles, on_block=on_block)


@contextmanager
def _certified(arguments: Arguments, options: Any) -> Iterator[OnBlock | None]:
    """What proves blocks of puzzles in a file, if --certificates is given."""
    path = arguments.certificates
    if path is None:
        yield None
        return
    _check_certificates(arguments, path)
    from ...certificates.beside import TreeCertifier
    from ...certificates.tree.files import BLOCK

    workers = arguments.workers_for(is_small=arguments.n <= BLOCK)
    with open_output(path, keep=True) as out, TreeCertifier(out, workers=workers) as certifier:
        yield partial(certifier.add_unique, constraints=options.constraints)
        certifier.finish()
    note(arguments, f"{counted(certifier.written, 'proof tree')} in {path}")


def _check_certificates(arguments: Arguments, path: str) -> None:
    """Raise `SatdokuError` if no file of proof trees can be made of these puzzles."""
    if arguments.holes is not None:
        raise SatdokuError(
            "--certificates takes no --holes, whose puzzles may have several solutions: write them "
            f"to a file, and use `satdoku certify FILE -o {path}`"
        )
    if arguments.questions or arguments.clues:
        raise SatdokuError(
            "--certificates takes neither --clues nor --questions, whose puzzles have rules of "
            "their own: write them to a file, and use `satdoku batch --columns puzzle,rules,proof "
            "FILE`"
        )


def _bar(arguments: Arguments) -> Any:
    """Puzzles made so far, and what is being done, if that takes more than a second."""
    return terminal_bar(
        quiet=arguments.quiet, total=arguments.n, unit=" puzzles", miniters=0, delay=1
    )


def _show_step(bar: Any, step: str) -> None:
    bar.set_postfix_str(step, refresh=False)
    bar.update(0)  # which draws it anew ten times a second at most


def _puzzles(
    arguments: Arguments, options: GenerateOptions, on_block: OnBlock | None = None
) -> Pieces:
    """Block by block."""
    from ...generator import generate_blocks
    from ...generator.files import Made

    workers = arguments.workers_for(is_small=arguments.n <= 4 * options.largest_block)
    timeout, constraints = arguments.timeout, options.constraints
    with closing(generate_blocks(arguments.n, options, workers=workers, timeout=timeout)) as blocks:
        for puzzles in blocks:
            if on_block:
                on_block(puzzles)
            yield Made(puzzles, constraints, options.seed)


def _is_weighed(arguments: Arguments) -> bool:
    """Whether minimal puzzles with weights are asked for."""
    return bool(arguments.uniform and arguments.minimal)


def _are_grids(arguments: Arguments) -> bool:
    """Whether full grids are asked for, not puzzles."""
    return bool(arguments.uniform and not arguments.minimal)


def _grids(
    arguments: Arguments, options: GenerateOptions, on_block: OnBlock | None = None
) -> Pieces:
    """Uniform grids, block by block."""
    from ...generator.files import Made
    from ...generator.uniform import TOGETHER, uniform_block

    with closing(_fair_blocks(arguments, options, uniform_block, TOGETHER)) as blocks:
        for grids in blocks:
            if on_block:
                on_block(grids)
            yield Made(grids, options.constraints, options.seed)


def _weighed(
    arguments: Arguments, options: GenerateOptions, on_block: OnBlock | None = None
) -> Pieces:
    """Minimal puzzles with their weights, and at the end what they tell of all of them."""
    from ...generator.fair import TOGETHER, fair_block, joined_samples
    from ...generator.files import Made

    samples = []
    with closing(_fair_blocks(arguments, options, fair_block, TOGETHER)) as blocks:
        for sample in blocks:
            if on_block:
                on_block(sample.puzzles)
            beside = {"weight": sample.weights, "tries": sample.tries}
            yield Made(sample.puzzles, options.constraints, options.seed, beside)
            samples.append(sample)
    note(arguments, joined_samples(samples, options.constraints).words)


def _fair_blocks(
    arguments: Arguments, options: GenerateOptions, make: Any, largest: int
) -> Generator[Any, None, None]:
    from ...generator import generate_blocks

    _refuse(arguments, "uniform", SETTLED_BY_UNIFORM)
    workers = arguments.workers_for(is_small=arguments.n <= 4 * largest)
    return generate_blocks(arguments.n, options, make, largest, workers=workers)


def _with_clues(arguments: Arguments, options: GenerateOptions) -> Pieces:
    """Puzzles that their clues determine, each as soon as it is made."""
    import numpy as np

    from ...generator.clues import each_with_clues
    from ...generator.files import Made

    workers = arguments.workers_for(is_small=arguments.n <= FEW)
    made = each_with_clues(arguments.n, options, workers=workers)
    for puzzle in made:
        cells = np.frombuffer(puzzle.grid.cells, np.uint8)[None]
        yield Made(cells, puzzle.constraints, options.seed)


def _with_holes(arguments: Arguments, options: HolesOptions) -> Pieces:
    """Full grids with holes, each as soon as it is made."""
    from ...generator.files import Made
    from ...generator.holes import each_puzzle

    for cells in each_puzzle(arguments.n, options):
        beside = {"holes": [options.count]}
        yield Made(cells[None], options.constraints, options.seed, beside)


def _questions(arguments: Arguments, options: GenerateOptions) -> Pieces:
    """Puzzles as questions with their answers, one object a line as soon as it is made; satdoku
    reads them back as puzzles with answers."""
    from ...datasets.tasks import Tasks
    from ...files.collection.beside import Table

    for task in Tasks(arguments.n, options):
        about = {name: task["metadata"][name] for name in ("puzzle", "rules")}
        row = about | task
        yield Table(tuple(row), [[value] for value in row.values()], {})


def _options(arguments: Arguments) -> GenerateOptions:
    from ...generator import GenerateOptions, Wish, random_seed

    pattern, clues = arguments.pattern, arguments.clues or ""
    wish = Wish(
        _whole("givens", arguments.givens),
        arguments.minimal,
        arguments.symmetry,
        None if pattern is None else text_or_file(pattern),
        arguments.tries,
        *_difficulty(arguments),
        tuple(word.strip().lower() for word in clues.split(",") if word.strip()),
        _whole("clue-size", arguments.clue_size),
        _whole("clue-count", arguments.clue_count) or Wish.clue_count,
    )
    seed = random_seed() if arguments.seed is None else arguments.seed
    return GenerateOptions(asked_constraints(arguments), seed, wish)


def _holes_options(arguments: Arguments, holes: float) -> HolesOptions:
    from ...generator import random_seed
    from ...generator.holes import HolesOptions, rules_for

    _refuse(arguments, "holes", (*SETTLED_BY_HOLES, "uniform"))
    seed = random_seed() if arguments.seed is None else arguments.seed
    rules = rules_for(arguments.rules or "classic", arguments.size)
    wanted = HolesOptions(rules, holes, arguments.holes_pattern, seed, arguments.unique)
    return replace(wanted, tries=arguments.tries) if arguments.tries else wanted


def _whole(option: str, text: str | None) -> tuple[int, int] | None:
    """`24-28`, or `24` for exactly 24."""
    from ...generator import GeneratorError

    if text is None:
        return None
    low, _, high = text.partition("-")
    if not (low.isdecimal() and (high or low).isdecimal()):
        raise GeneratorError(f"--{option} {text}: expected LO-HI, such as 24-28, or one number")
    return int(low), int(high or low)


def _difficulty(arguments: Arguments) -> Wanted:
    from ...generator import Difficulty as Wanted

    return Wanted(_ratings(arguments.er) if arguments.er else None, arguments.technique)


def _ratings(text: str) -> tuple[float, float]:
    """`2-5`, or `7.1` for exactly 7.1."""
    from ...generator import GeneratorError

    low, _, high = text.partition("-")
    try:
        return float(low), float(high or low)
    except ValueError:
        raise GeneratorError(f"--er {text}: expected LO-HI, such as 2-5, or one rating") from None


def _refuse(arguments: Arguments, option: str, settled: Iterable[str]) -> None:
    """Raise `GeneratorError` for an option that does not go with this one."""
    from ...generator import GeneratorError

    for name in settled:
        if getattr(arguments, name) not in (None, False, "none", []):
            raise GeneratorError(f"--{option} settles the givens: it takes no --{name}")
