"""The puzzles, rules and collections that arguments name."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice

from ..files.collection import IGNORE
from ..files.foreign import is_foreign
from ..files.formats import ReadOptions, read_stated
from ..files.notation import read_grid
from ..files.puzzles import read_records
from ..files.record import Reading, Record, told, whole_record
from ..files.streams import STANDARD, FileError, Source, open_source, read_text
from ..model.board import Board, too_large
from ..model.clue import split_rules
from ..model.constraints import MOST_RULE_SETS, Constraints, constraints_for, is_clue, tells_board
from ..model.grid import Grid, GridError, as_grid
from ..model.kinds import clue_of
from ..model.nearness import clue_warning, clue_warnings
from ..model.puzzle import Puzzle, Unreadable, placed
from ..runtime.errors import BudgetError, SatdokuError
from ..runtime.limits import within
from .options import NUMBER, Options, Puzzles, Question
from .output import note, say

LONGEST_NAME = 255  # characters of a file name, on every usual file system


def asked_constraints(arguments: Question, board: Board | None = None) -> Constraints:
    """The constraints that --rules, --regions and --clue ask for, on that board.

    Puzzles may state rules of their own (links do): `asked_puzzles` and `one_puzzle` heed them.
    """
    with within(arguments.timeout):
        return _with_clues(arguments, _rules_alone(arguments), board or asked_board(arguments))


def asked_board(arguments: Question) -> Board | None:
    """The board that the options name, None if the puzzle determines it."""
    text = rule_text(arguments)
    if arguments.size is not None:
        return constraints_for(text, Board.of_size(arguments.size)).board
    return constraints_for(text).board if tells_board(text) else None


def rule_text(arguments: Question) -> str:
    """The rule set of --rules, the region map of --regions (text or file) and --clue in it."""
    return joined(_rules_alone(arguments), (text for _, text in _clues(arguments)))


def joined(rules: str, clues: Iterable[str]) -> str:
    """The rule set with clues in it."""
    return ";".join([rules, *clues])


def _rules_alone(arguments: Question) -> str:
    rules = arguments.rules or "classic"
    if not arguments.regions:
        return rules
    return f"jigsaw={''.join(text_or_file(arguments.regions).split())},{rules}"


def stated_rules(arguments: Question) -> str | None:
    """The rule set of --rules and --regions, None without either. Clues join any rules, later."""
    return _rules_alone(arguments) if arguments.rules or arguments.regions else None


def _clues(arguments: Question) -> Iterator[tuple[str, str]]:
    """The clues of --rules and --clue, each with the file and line that it stands in, if any."""
    yield from (("", word) for word in split_rules(arguments.rules or "") if is_clue(word))
    for argument in arguments.clue:
        is_file = os.path.isfile(argument)
        for number, line in enumerate(text_or_file(argument).splitlines(), 1):
            place = f"{argument}: line {number}: " if is_file else ""
            text = line.partition("#")[0] if is_file else line
            yield from ((place, word) for word in filter(None, map(str.strip, text.split(";"))))


def _with_clues(arguments: Question, rules: str, board: Board | None) -> Constraints:
    """The constraints of a rule set with all clues that are asked for; an error tells where the
    clue stands."""
    constraints = constraints_for(rules, board)
    canonical = []
    for place, text in _clues(arguments):
        try:
            clue = clue_of(text, constraints.board)
        except SatdokuError as error:
            raise SatdokuError(f"{place}{error}") from None
        canonical.append(clue.text(constraints.board))
        _warn(arguments, place, clue_warning(text, constraints.board))
    return constraints_for(joined(rules, canonical), board) if canonical else constraints


def _warn(arguments: Options, place: str, warning: str) -> None:
    """Warn about a clue once, even if several puzzles or boards have it."""
    if warning and warning not in arguments.warned:
        arguments.warned.add(warning)
        note(arguments, f"warning: {place}{warning}")


def text_or_file(argument: str) -> str:
    """What was typed, or what is in the file of that name."""
    return read_text(argument) if os.path.isfile(argument) else argument


MOST = 10_000  # puzzles that are counted where one is expected
# The commands that take pencil marks.
MARKS = "solve, check, enumerate, candidates, render, batch and export -f json"


def asked_puzzles(
    arguments: Puzzles, *, marks: bool = False, strict: bool = False, large: bool = False
) -> Iterator[Puzzle | Unreadable]:
    """The puzzles of all positional arguments, each with its constraints, in order.

    marks, large: whether the command takes pencil marks, and boards beyond 25x25; strict: whether
    rules that a link states in words only make it unreadable, instead of a warning.
    """
    for argument in arguments.puzzles:
        yield from puzzles_of(arguments, argument, marks=marks, strict=strict, large=large)


def puzzles_of(
    arguments: Question,
    argument: str | Source,
    *,
    marks: bool = False,
    strict: bool = False,
    large: bool = False,
) -> Iterator[Puzzle | Unreadable]:
    """The puzzles of one argument, as `asked_puzzles` gives them."""
    constraints_of = lru_cache(MOST_RULE_SETS)(partial(_constraints_of, arguments))
    warnings_of = lru_cache(MOST_RULE_SETS)(clue_warnings)
    with within(arguments.timeout):
        board = asked_board(arguments)
    file = _file(argument, board)
    for record in _records(arguments, argument, board):
        place = placed(file, record.line, record.id)
        grid = record.grid if marks or record.marks is None else _refused(file, record)
        warning = None if arguments.ignore_ruleset else record.warning
        if warning and strict:
            yield Unreadable(SatdokuError(_unstated(place, warning)), place)
        elif isinstance(grid, GridError):
            yield Unreadable(grid, place)
        elif grid.board.is_large and not large:
            yield Unreadable(too_large(grid.board), place)
        else:
            if warning:
                say(f"warning: {_unstated(place, warning)}")
            start = time.monotonic()
            try:
                with within(arguments.timeout):
                    constraints = constraints_of(grid.board, record.rules)
            except BudgetError as error:
                yield Unreadable(error, place)
                continue
            for gap in warnings_of(record.rules or "", grid.board):
                _warn(arguments, where(place), gap)
            grid, took = as_grid(grid, constraints.board), time.monotonic() - start
            record = record._replace(warning=None)  # who is told goes on
            if record.words and constraints != constraints_for(record.rules or "", grid.board):
                record = record._replace(words="")  # the words tell other rules
            yield told(record, grid, constraints, file, took)


def _unstated(place: Mapping[str, object], warning: str) -> str:
    """What a link states in words only, where, and what to do."""
    return f"{where(place) or 'puzzle: '}{warning}{IGNORE}"


def where(place: Mapping[str, object]) -> str:
    """The file and line before a message; nothing for what was typed."""
    return f"{_name(str(place['file']))}: line {place['line']}: " if place else ""


def _refused(file: str | None, record: Record) -> GridError:
    """The error for pencil marks that the command does not take."""
    expected = f"a puzzle without ({MARKS} take them)"
    return GridError("pencil marks", expected, line=record.line, source=file)


def _file(argument: str | Source, board: Board | None) -> str | None:
    """The file that an argument names; None of a puzzle that was typed."""
    if is_typed(argument, board):
        return None
    return argument.path if isinstance(argument, Source) else argument


def one_puzzle(
    arguments: Question, argument: str, *, large: bool = False
) -> tuple[Grid, Constraints]:
    """The only puzzle of an argument, with its constraints; several are an error."""
    asked = _only(puzzles_of(arguments, argument, large=large), argument)
    return asked.grid, asked.constraints


def numbered(
    puzzles: Iterator[Puzzle | Unreadable], output: str, source: str
) -> Iterator[tuple[Puzzle | Unreadable, str]]:
    """The puzzles of a source, each with the name of its output.

    `{n}` in the name is replaced by the puzzle's number, from 1. Without it there must be only one
    puzzle: raises `SatdokuError` for several, and says how many.
    """
    if NUMBER not in output:
        files = f"; to write one file each, put {NUMBER} in the name of the output: -o out-{NUMBER}"
        yield _only(puzzles, source, files), output
        return
    for number, asked in enumerate(puzzles, 1):
        yield asked, output.replace(NUMBER, str(number))


def _only(puzzles: Iterator[Puzzle | Unreadable], source: str, instead: str = "") -> Puzzle:
    """The only puzzle of a source; raises `SatdokuError` for a bad one, and for several."""
    good = []
    for asked in islice(puzzles, MOST):
        if isinstance(asked, Unreadable):
            raise asked.error
        good.append(asked)
    if len(good) > 1:
        number = f"{len(good):,}" if next(puzzles, None) is None else f"more than {MOST:,}"
        raise SatdokuError(f"{_name(source)}: holds {number} puzzles, expected one{instead}")
    return good[0]


def _constraints_of(arguments: Question, board: Board, stated: str | None) -> Constraints:
    """The rules that a puzzle states, with which --rules has been reconciled, or else --rules."""
    if stated is None:
        return asked_constraints(arguments, board)
    return _with_clues(arguments, stated, board)


@contextmanager
def open_argument(arguments: Question, argument: str) -> Iterator[str | Source]:
    """A puzzle as it was typed, or the file of that name, opened: it tells what it holds."""
    if is_typed(argument, asked_board(arguments)):
        yield argument
        return
    with open_source(argument) as source:
        yield source


def _records(arguments: Question, argument: str | Source, board: Board | None) -> Iterator[Record]:
    """The puzzles of an argument; one that holds none is an error."""
    rules = stated_rules(arguments)
    if is_typed(argument, board):
        yield whole_record(str(argument), Reading(None, board, board, rules=rules))
        return
    found = False
    for record in read_records(argument, rules, board, reading=asked_reading(arguments)):
        found = True
        yield record
    if not found:
        raise FileError(f"{_name(argument)}: holds no puzzle")


def is_typed(argument: str | Source, board: Board | None) -> bool:
    """Whether an argument is a puzzle itself, and no file."""
    if not isinstance(argument, str) or argument == STANDARD:
        return False
    is_grid = board is not None and isinstance(read_grid(argument, board), Grid)
    return (is_grid and not os.path.exists(argument)) or is_puzzle_text(argument)


def asked_columns(arguments: Question) -> dict[str, str]:
    """Which column --column says to hold which role."""
    columns = {}
    for text in arguments.column:
        role, separator, name = text.partition("=")
        if not separator:
            raise SatdokuError(f"--column {text}: expected ROLE=NAME, such as puzzle=board")
        columns[role] = name
    return columns


def asked_reading(arguments: Question) -> ReadOptions:
    """How the options say that files are read."""
    columns = asked_columns(arguments)
    stated = read_stated(arguments.stated) if arguments.stated else {}
    return ReadOptions(arguments.input_format, columns, arguments.ignore_ruleset, stated)


def is_puzzle_text(argument: str) -> bool:
    """Whether an argument is meant as a puzzle: a link, or so long as nothing else but a file."""
    if os.path.exists(argument):
        return False
    if is_foreign(argument):
        return True
    if len(argument) > LONGEST_NAME and os.sep not in argument:
        return True
    looks = sum(argument.count(character) for character in ".0123456789*_%?|-+ ")
    is_grid = looks == len(argument) and argument.count(".") > 3  # too short for a board, too
    is_long = len(argument) >= 16 and looks > len(argument) / 2
    return "\n" in argument or is_grid or is_long


def _name(argument: str | Source) -> str:
    name = argument.path if isinstance(argument, Source) else argument
    return "standard input" if name == STANDARD else name


def puzzle_or_rules(
    arguments: Question, puzzle: str | None, *, large: bool = False
) -> tuple[Grid | None, Constraints]:
    """The one puzzle that is named, with its constraints; None and --rules if none is."""
    if puzzle:
        return one_puzzle(arguments, puzzle, large=large)
    return None, asked_constraints(arguments)
