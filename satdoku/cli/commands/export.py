"""The command `export`: puzzles or bare rules as DIMACS, SMT-LIB, JSON or for another program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from ...cnf.dimacs import assumption_line, format_icnf, write_cnf
from ...cnf.encodings import DEFAULT_ENCODING, EncodingError, encode, encoding_named
from ...cnf.opb import format_opb
from ...files.foreign import WRITTEN
from ...files.one import rules_in_words
from ...files.outputs import form_of, open_output
from ...model.board import MAX_SIZE
from ...model.constraints import Constraints
from ...model.grid import Grid, empty_grid
from ...model.puzzle import Puzzle, Unreadable, empty_puzzle
from ...runtime.errors import SatdokuError
from ...witness.smtlib import format_smtlib
from .. import EXIT_DONE
from .. import options as opt
from ..answers import exit_code
from ..inputs import asked_constraints, numbered, puzzles_of, where
from ..options import NUMBER
from ..output import note

if TYPE_CHECKING:
    from ...web.play.told import Told

PAGE = "html"
FORMS = ("dimacs", "icnf", "smtlib2", "opb", "plan", PAGE, *WRITTEN)
EXAMPLE = "satdoku export 1.....2....3.4.. -o puzzle.cnf"


class Arguments(opt.Input):
    puzzle = opt.argument("PUZZLE", "text, link, file or -; without it: the rules alone", "?")
    output = opt.output_option(opt.Written(*FORMS), opt.FILE_HELP + opt.NUMBERED_HELP)
    format = opt.format_option(
        FORMS,
        "dimacs: CNF; icnf: one CNF, and the givens of each puzzle as assumptions; smtlib2: for "
        "SMT solvers (--model); opb: for pseudo-boolean "
        "solvers; plan: rules, clues and givens as bytes for satdoku.js; html: all puzzles as one "
        "page to play in any browser, without a network; "
        f"{'; '.join(f'{form.name}: {form.says}' for form in WRITTEN.values())}",
        "FORM",
    )
    encoding = opt.option(
        metavar="E",
        help=f"CNF encoding (default {DEFAULT_ENCODING}); `satdoku encodings` lists them",
    )
    model = opt.model_option("-f smtlib2")
    title = opt.option(metavar="T", help="title of each puzzle, in links, JSON and pages")
    author = opt.option(metavar="A", help="author of each puzzle, in the same way")
    path = opt.flag(help="-f html: with the steps of a solve path in words, which name digits")
    timeout = opt.timeout_option("-f html: each puzzle has this time; its path ends there")
    words = opt.option(
        choices=("made", "none"),
        help="rules in words, in links and JSON: made of the rules and clues where the puzzle has "
        "none of its own; or none at all (default: its own)",
    )


def run(arguments: Arguments) -> int:
    """Each puzzle, or the bare rules, as CNF, SMT-LIB, JSON, a page or for another program."""
    arguments.format = form_of(arguments.output, FORMS, arguments.format)
    if arguments.encoding is not None:
        _check_encoding(arguments.encoding, arguments.format)
    if arguments.model is not None and arguments.format != "smtlib2":
        raise SatdokuError(f"--model {arguments.model}: expected -f smtlib2 with it")
    if arguments.path and arguments.format != PAGE:
        raise SatdokuError("--path: expected -f html with it")
    _check_said(arguments)
    source = arguments.puzzle
    if source is None:
        constraints = asked_constraints(arguments)
        if arguments.format == PAGE:
            bare = iter([empty_puzzle(constraints)])
            return exit_code(arguments, _written_in_page(arguments, bare, arguments.output))
        _write(arguments, arguments.output, constraints, None)
        return EXIT_DONE
    together = arguments.format in ("icnf", PAGE) and NUMBER not in arguments.output
    marks = _takes_marks(arguments.format)
    puzzles = puzzles_of(arguments, source, marks=marks, large=not together)
    if together:
        write = _written_in_page if arguments.format == PAGE else _written_together
        return exit_code(arguments, write(arguments, puzzles, arguments.output))

    def answers() -> Iterator[bool | Unreadable]:
        for asked, output in numbered(puzzles, arguments.output, source):
            if isinstance(asked, Unreadable):
                yield asked
            elif arguments.format == PAGE:
                yield from _written_in_page(arguments, iter([asked]), output)
            else:
                _write(arguments, output, asked.constraints, asked)
                yield True

    return exit_code(arguments, answers())


def _written_together(
    arguments: Arguments, puzzles: Iterator[Puzzle | Unreadable], output: str
) -> Iterator[bool | Unreadable]:
    """One formula for all puzzles; those with other rules than the first cannot be written."""
    for first in puzzles:
        if not isinstance(first, Unreadable):
            break
        yield first
    else:
        return
    formula = encode(first.constraints, arguments.encoding or DEFAULT_ENCODING)
    with open_output(output) as stream:
        for part in format_icnf(formula):
            stream.write(part.encode())
        for asked in chain([first], puzzles):
            if isinstance(asked, Unreadable):
                yield asked
                continue
            try:
                _require_rules(asked, first)
                stream.write(assumption_line(formula, asked.grid).encode())
                yield True
            except SatdokuError as error:
                message = SatdokuError(f"{where(asked.place)}{error}")
                yield Unreadable(message, asked.place)


def _written_in_page(
    arguments: Arguments, puzzles: Iterator[Puzzle | Unreadable], output: str
) -> Iterator[bool | Unreadable]:
    """One page of all puzzles that the engine can plan; False for one whose path ends early."""
    from ...web.play.page import page  # help needs no engine
    from ...web.play.told import told

    pages: list[Told] = []
    for asked in puzzles:
        if isinstance(asked, Unreadable):
            yield asked
            continue
        try:
            asked = _named(arguments, asked)
            pages.append(told(asked, path=arguments.path, timeout=arguments.timeout))
            if problem := pages[-1].problem:
                note(arguments, f"{where(asked.place)}path: {problem}")
            yield not problem
        except SatdokuError as error:
            yield Unreadable(SatdokuError(f"{where(asked.place)}{error}"), asked.place)
    if pages:
        text = page(pages)  # before the file is opened
        with open_output(output) as stream:
            stream.write(text.encode())


def _require_rules(asked: Puzzle, first: Puzzle) -> None:
    """Raise `SatdokuError` for a puzzle that the formula of the first is not of."""
    if asked.constraints != first.constraints:
        raise SatdokuError(
            f"found a puzzle under {asked.constraints.name}, expected "
            f"{first.constraints.name} as before: -f icnf has one formula for all puzzles"
        )


def _takes_marks(form: str) -> bool:
    """Whether a format states pencil marks."""
    return form == PAGE or (form in WRITTEN and "marks" in WRITTEN[form].states)


def _check_said(arguments: Arguments) -> None:
    """Raise `SatdokuError` for a title, an author or words where the format states none."""
    saying = [*(form.name for form in WRITTEN.values() if "words" in form.states), PAGE]
    asked = {"--title": arguments.title, "--author": arguments.author, "--words": arguments.words}
    given = next((name for name, what in asked.items() if what), None)
    if given and arguments.format not in saying:
        raise SatdokuError(
            f"{given}: the format {arguments.format} states none; expected -f {', '.join(saying)}"
        )


def _check_encoding(encoding: str, form: str) -> None:
    """Raise `SatdokuError` for an encoding that is unknown, or without a CNF to encode."""
    name = encoding_named(encoding)
    if form not in ("dimacs", "icnf"):
        raise EncodingError(
            f"--encoding {name}: the format {form} has no encoding; expected -f dimacs or icnf "
            "with it"
        )


def _write(
    arguments: Arguments, output: str, constraints: Constraints, asked: Puzzle | None
) -> None:
    """One file, in the format that is asked for."""
    puzzle = None if asked is None else asked.grid
    if puzzle is not None and constraints.board.is_large:
        _write_large(arguments, output, constraints, puzzle)
        return
    if arguments.format == "dimacs":
        formula = encode(constraints, arguments.encoding or DEFAULT_ENCODING, puzzle)
        with open_output(output) as stream:
            write_cnf(stream, formula, puzzle)
        return
    if arguments.format == "icnf":
        formula = encode(constraints, arguments.encoding or DEFAULT_ENCODING)
        with open_output(output) as stream:
            for part in format_icnf(formula, [puzzle or empty_grid(constraints.board)]):
                stream.write(part.encode())
        return
    if arguments.format == "plan":
        from ...engine.wasm import plan_bytes  # help needs no engine

        with open_output(output) as stream:
            stream.write(plan_bytes(constraints, bytes(puzzle.cells) if puzzle else b""))
        return
    if arguments.format == "smtlib2":
        text = format_smtlib(constraints, puzzle, model=arguments.model or "int")
    elif arguments.format == "opb":
        text = format_opb(constraints, puzzle)
    else:
        text = _told(arguments, asked or empty_puzzle(constraints))
    with open_output(output) as stream:
        stream.write(text.encode())


def _told(arguments: Arguments, puzzle: Puzzle) -> str:
    """The text of a puzzle with what is said about it, for another program or as JSON."""
    form = WRITTEN[arguments.format or ""]
    puzzle = _named(arguments, puzzle)
    text = form.write(puzzle)
    if lost := form.left_out(puzzle, text):
        note(arguments, f"{where(puzzle.place)}{lost}")
    return f"{text}\n"


def _named(arguments: Arguments, puzzle: Puzzle) -> Puzzle:
    """The puzzle with the title, author and words that are asked for."""
    words = "" if arguments.words == "none" else puzzle.words
    if arguments.words == "made" and not words:
        words = rules_in_words(puzzle)
    title, author = arguments.title or puzzle.title, arguments.author or puzzle.author
    return replace(puzzle, words=words, title=title, author=author)


def _write_large(arguments: Arguments, output: str, constraints: Constraints, puzzle: Grid) -> None:
    """The formula of what propagation leaves open."""
    if arguments.format != "dimacs":
        limit = f"{MAX_SIZE}x{MAX_SIZE}"
        raise SatdokuError(f"-f {arguments.format}: boards beyond {limit} as dimacs only")
    from ...answers.large.dimacs import format_cnf
    from ...answers.large.solve import LargeQuery

    encoding = arguments.encoding or DEFAULT_ENCODING
    query = LargeQuery(Puzzle(puzzle, constraints), encoding=encoding)
    with open_output(output) as stream:
        for part in format_cnf(query):
            stream.write(part.encode())
