"""What a command can be told: options as typed attributes, those that several commands share, and
the texts that explain them.

Invariant: an option's name, type and default stand in one place, the class that declares it; there
argparse takes them from, and mypy the type of what was typed. An option that a command never looks
at is known (`unheeded`). Nothing that takes long to load is imported here.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeVar, cast, overload

from ..files.outputs import listed_endings

PUZZLE_HELP = """\
PUZZLE is a grid as text (81 characters for 9x9; any of . 0 * _ % ? is an empty cell), a link of
f-puzzles or SudokuPad that holds the whole puzzle, JSON as `export -f json` writes it, a file of
puzzles in any format that `batch` reads, compressed or not, or - for standard input.
"""
COLLECTION_HELP = """\
The format of IN is recognised by its content: one puzzle a line (text after it is ignored; .sdm),
one row a line (.sdk), fields with or without a header (CSV; columns puzzle, quizzes or question;
solution, solutions or answer; id; rules; clues), pencil marks (729 characters), JSON lines,
Parquet, Arrow, .npy or .npz. Files may be compressed: .gz, .xz, .bz2 or .zst. A `rules` column sets
the rules of each row, a `clues` column adds clues to them.
"""
FILE_HELP = "file to write"
NUMBER = "{n}"  # in an output's name: the number of the puzzle
NUMBERED_HELP = f"; {NUMBER} in its name is the number of the puzzle, one file each"
PICTURE_HELP = f"picture to write (extra for .png: 'satdoku[png]'){NUMBERED_HELP}"
PICTURES = ("svg", "png")
ARGUMENT_HELP = "text, link, file, folder or pattern ('*.txt') of files, or -"
EXIT_HELP = """\
Exit codes: 0 done, 1 the answer is "no", 2 bad usage or input, 70 internal fault, 130 interrupted.
"""

# Types: what was typed, as a value ----------------------------------------------------------------
# Some say that a value names files; `cli.files` compares these before a command runs.


def to_read(text: str) -> str:
    """The name of a file to read, or a text in place of one."""
    return text


def names_to_read(text: str) -> str:
    """Several of them, separated by commas."""
    return text


def command_line(text: str) -> str:
    """A program with its options, each of which may name a file that it reads."""
    return text


class Written:
    """The name of a file to write; forms: what it may hold, as the name's ending tells
    (`outputs.form_of`), none where the name tells nothing."""

    def __init__(self, *forms: str) -> None:
        self.forms = forms

    def __call__(self, text: str) -> str:
        return text


def folder_to_write(text: str) -> str:
    """The name of a folder to write files in, which is made if there is none."""
    return text


class FileOrFolder(Written):
    """The name of either, to write."""


def positive(text: str) -> int:
    """A whole number from 1 on; `ValueError` or `ArgumentTypeError` for anything else."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value}: expected 1 or more")
    return value


def rows_from_to(text: str) -> tuple[int, int]:
    """`7`, or `7-12`; `ArgumentTypeError` for anything else."""
    first, dash, last = text.partition("-")
    if not (first.isdecimal() and (last if dash else first).isdecimal()):
        raise argparse.ArgumentTypeError(f"{text}: expected N, such as 7, or N-M, such as 7-12")
    rows = int(first), int(last or first)
    if not 1 <= rows[0] <= rows[1]:
        raise argparse.ArgumentTypeError(
            f"{text}: expected rows from 1 on, the first before the last"
        )
    return rows


def board_size(text: str) -> int:
    """A whole number; `ArgumentTypeError` for anything else."""
    try:
        return int(text)
    except ValueError:
        problem = f"{text}: expected a number such as 9; for other boards --rules shape=6x8"
        raise argparse.ArgumentTypeError(problem) from None


def seconds(text: str) -> float:
    """Seconds, more than 0; `ValueError` or `ArgumentTypeError` for anything else."""
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(
            f"{text}: expected seconds, more than 0, less than a million"
        )
    return value


def listed(text: str | None) -> list[str]:
    """The names in a list with commas, each once."""
    return list(dict.fromkeys(filter(None, (text or "").split(","))))


# Declarations -------------------------------------------------------------------------------------

Of = TypeVar("Of")
Help = str | Callable[[], str]  # a function for words that take long to load


class Option:
    """What `add_argument` is told of an option; without names that of its attribute is its own.

    As an attribute of what was typed it is the value, and notes that somebody asked for it.
    """

    def __init__(self, *names: str, help: Help, **words: Any) -> None:
        self.names, self.help, self.words = names, help, words

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, typed: Options | None, owner: type) -> Any:
        if typed is None:
            return self
        typed.heeded.add(self.name)
        return typed.typed[self.name]

    def __set__(self, typed: Options, value: Any) -> None:
        typed.typed[self.name] = value

    def add_to(self, parser: argparse._ActionsContainer, name: str) -> None:
        """Add the option whose attribute has that name."""
        names = self.names or (f"--{name.replace('_', '-')}",)
        words = {"help": self.help if isinstance(self.help, str) else self.help(), **self.words}
        forms = getattr(words.get("type"), "forms", ())
        if len(forms) > 1:
            words["help"] += f". The ending of the name tells the form: {listed_endings(forms)}"
        if names == (POSITIONAL,):
            names = (name,)
        else:
            words.setdefault("dest", name)
        parser.add_argument(*names, **words)


POSITIONAL = ""


def flag(*names: str, help: str) -> bool:
    """Whether it is typed."""
    return cast("bool", Option(*names, action="store_true", help=help))


@overload
def option(
    *names: str, type: Callable[[str], Of], default: Of, help: Help, metavar: str | None = None,
    choices: Sequence[Of] | None = None,
) -> Of: ...  # fmt: skip
@overload
def option(
    *names: str, type: Callable[[str], Of], help: Help, metavar: str | None = None,
    choices: Sequence[Of] | None = None,
) -> Of | None: ...  # fmt: skip
@overload
def option(
    *names: str, default: str, help: Help, metavar: str | None = None,
    choices: Sequence[str] | None = None,
) -> str: ...  # fmt: skip
@overload
def option(
    *names: str, help: Help, metavar: str | None = None, choices: Sequence[str] | None = None
) -> str | None: ...
def option(*names: str, **words: Any) -> Any:
    """An option with a value; None, unless it has a default."""
    return Option(*names, **words)


class _Adding(argparse.Action):
    """Puts what is typed behind what the same option has said before."""

    between = ","

    def __call__(self, parser: Any, typed: Any, value: Any, name: str | None = None) -> None:
        before = getattr(typed, self.dest)
        is_first = before is None or before is self.default
        setattr(typed, self.dest, value if is_first else f"{before}{self.between}{value}")


class AddingRules(_Adding):
    """The same of rule sets, in which clues may have commas."""

    between = ";"


@overload
def list_option(
    *names: str, help: Help, metavar: str, default: str, type: Callable[[str], str] | None = None,
) -> str: ...  # fmt: skip
@overload
def list_option(
    *names: str, help: Help, metavar: str, type: Callable[[str], str] | None = None,
    action: type[_Adding] = _Adding,
) -> str | None: ...  # fmt: skip
def list_option(*names: str, **words: Any) -> Any:
    """An option whose value is a list with commas; if it is repeated, the lists add up."""
    return Option(*names, **{"action": _Adding, **words})


def several(
    *names: str,
    help: str,
    metavar: str,
    type: Callable[[str], str] | None = None,
    nargs: str | None = None,
) -> list[str]:
    """The values of an option that may be repeated or, with nargs, has several."""
    how = {"nargs": nargs, "action": "extend"} if nargs else {"action": "append"}
    words: Any = Option(*names, help=help, metavar=metavar, type=type, default=[], **how)
    return cast("list[str]", words)


@overload
def argument(
    metavar: str, help: str, nargs: Literal["+", "*"], type: Callable[[str], str] | None = ...
) -> list[str]: ...
@overload
def argument(
    metavar: str, help: str, nargs: Literal["?"], type: Callable[[str], str] | None = ...
) -> str | None: ...
@overload
def argument(
    metavar: str, help: str, nargs: None = None, type: Callable[[str], str] | None = ...
) -> str: ...
def argument(
    metavar: str, help: str, nargs: str | None = None, type: Callable[[str], str] | None = to_read
) -> Any:
    """An argument without a name: a file to read, or what stands for one, unless the type says
    otherwise."""
    return Option(POSITIONAL, metavar=metavar, help=help, nargs=nargs, type=type)


class Options:
    """What was typed to a command. Each class adds options, `group` is the title above them.

    description, usage, epilog: of the help, where they are not made of the command's summary.
    """

    description: ClassVar[str] = ""
    usage: ClassVar[str] = ""
    epilog: ClassVar[str] = ""
    _group: ClassVar[str] = ""

    json: bool = False
    timeout: float | None = None
    quiet = flag("-q", "--quiet", help="no progress, no remarks: print only errors on stderr")

    def __init_subclass__(cls, group: str = "") -> None:
        cls._group = group

    def __init__(self, typed: Mapping[str, Any]) -> None:
        self.typed = dict(typed)
        self.heeded: set[str] = set()  # names of options that the command has looked at
        self.warned: set[str] = set()  # each warning is printed once

    def made(self) -> Mapping[str, str]:
        """The files whose names a command makes of others, by the option that asks for each."""
        return {}

    def unheeded(self, parser: argparse.ArgumentParser) -> list[str]:
        """The options that were typed, with another value than the usual one, for nothing."""
        return [
            label_of(action)
            for action in parser._actions
            if self.typed.get(action.dest, action.default) != action.default
            and action.dest not in (*self.heeded, "quiet")
        ]

    @classmethod
    def add_to(cls, parser: argparse.ArgumentParser) -> None:
        """Add the options: those of the bases in turn, its own, how quiet it is."""
        declared: dict[str, tuple[str, Option]] = {}
        for group, name, each in _declared(cls):
            declared.pop(name, None)
            declared[name] = group, each
        declared["quiet"] = "", declared.pop("quiet")[1]
        groups: dict[str, argparse._ActionsContainer] = {"": parser}
        for name, (group, each) in declared.items():
            if group not in groups:
                groups[group] = parser.add_argument_group(group)
            each.add_to(groups[group], name)


def label_of(action: argparse.Action) -> str:
    """An option as it is typed."""
    return action.option_strings[-1] if action.option_strings else str(action.metavar)


def _declared(cls: type, group: str = "") -> Iterator[tuple[str, str, Option]]:
    """The options of a class, each with the title of its group and its name."""
    group = vars(cls).get("_group") or group
    for base in cls.__bases__:
        yield from _declared(base, group)
    for name, value in vars(cls).items():
        if isinstance(value, Option):
            yield group, name, value


# Options that each command explains in its own words ----------------------------------------------


def json_option(what: str = "one object a line for each puzzle") -> bool:
    return flag(help=f"print JSON: {what}")


def json_lines_option() -> Option:
    return Option(
        "--json", dest="format", action="store_const", const="jsonl", help="short for -f jsonl"
    )


def quiet_option(what: str) -> bool:
    return flag("-q", "--quiet", help=f"{what}: print only errors on stderr")


def output_option(kind: Written, what: str = FILE_HELP) -> str:
    text = f"{what} (default: standard output)"
    return option("-o", "--output", type=kind, default="-", metavar="OUT", help=text)


def format_option(forms: Iterable[str], what: str, metavar: str | None = None) -> str | None:
    text = f"{what} (default: as OUT ends)"
    return option("-f", "--format", choices=tuple(forms), metavar=metavar, help=text)


def input_format_option(what: str) -> str | None:
    return option(
        choices=("lines", "csv", "rows", "marks", "jsonl", "whole", "parquet", "arrow", "npy",
                 "npz"),
        help=f"format of {what} (default: recognised by its content); lines: a puzzle a line; "
        "whole: one puzzle, on however many lines",
    )  # fmt: skip


def backend_option(when: str = "") -> str:
    return option(
        choices=("engine", "session"),
        default="engine",
        help=f"engine: bit-parallel search{when}, in turn with CDCL for hard puzzles (default); "
        "session: CDCL alone",
    )


def timeout_option(then: str, *names: str) -> float | None:
    return option(*names, type=seconds, metavar="S", help=f"after S seconds {then}")


def conflicts_option(then: str) -> int | None:
    return option(type=positive, metavar="N", help=f"after N conflicts of the solver {then}")


def workers_option(what: str = "number of workers (default: one a core)") -> int | None:
    return option("-w", "--workers", type=positive, metavar="N", help=what)


def model_option(what: str) -> str | None:
    """How SMT-LIB states a cell; the names are those of `witness.smtlib`."""
    return option(
        choices=("int", "bv", "onehot"),
        help=f"a cell in {what} is: int, an integer (default); bv, a binary number, 4 bits on "
        "9x9; onehot, a bit for each digit",
    )


# Options that several commands share --------------------------------------------------------------


class Question(Options):
    """What is asked about puzzles, and how, where a command has no such options."""

    rules: str | None = None
    regions: str | None = None
    clue: Sequence[str] = ()
    size: int | None = None
    input_format: str | None = None
    column: Sequence[str] = ()
    ignore_ruleset: bool = False
    stated: str | None = None
    solver: str = "cadical153"
    encoding: str | None = None
    backend: str = "engine"
    conflicts: int | None = None
    solver_cmd: str | None = None
    memory: int | None = None
    model: str | None = None
    of_program: ClassVar[tuple[str, ...]] = ()  # options that need --solver-cmd


def _rules_help() -> str:
    from ..model.rules import ALIASES, BOXES, JIGSAW, LATIN, RULES  # `verify` must not read them

    names = ", ".join([*RULES, LATIN, f"{BOXES}=RxC", f"{JIGSAW}=MAP"])
    aliases = "; ".join(f"{name} stands for {','.join(of)}" for name, of in ALIASES.items() if of)
    return (
        f"rules, separated by commas (default: those of the link, else classic): {names}; {aliases}"
    )


class Rules(Question):
    rules = list_option("-r", "--rules", metavar="R", help=_rules_help, action=AddingRules)
    clue = several(
        type=to_read,
        metavar="TEXT",
        help="clue to add to the rules of each puzzle, such as thermo:r1c1,r2c1,r3c2 (may be "
        "repeated); several separated by semicolons; or a file with one a line, where # begins a "
        "comment. `satdoku clues` lists the kinds. If cells that should touch lie apart (a "
        "thermometer that leaps), a warning names them; -q suppresses it",
    )
    regions = option(
        type=to_read,
        metavar="MAP",
        help="jigsaw regions, as text or a file: one character a cell, the same within a region",
    )
    size = option(
        type=board_size,
        metavar="N",
        help="size of the board, if it cannot be inferred from the puzzle",
    )


class Solver(Rules):
    solver = option(
        default="cadical153",
        metavar="S",
        help="SAT solver of PySAT (default cadical153; cadical195, glucose4, glucose42, ...)",
    )


class Input(Rules):
    """How files of puzzles are read."""

    epilog = PUZZLE_HELP
    input_format = input_format_option("a file")
    column = several(
        metavar="ROLE=NAME",
        help="column that holds the puzzle, answer, id, rules or clues, by name or number, if it "
        "has none of the usual names: --column puzzle=board; --column rules= for none",
    )
    ignore_ruleset = flag(help="ignore rules that a link states only in words or drawings")
    stated = option(
        type=to_read,
        metavar="FILE",
        help="CSV with columns id and clues: what the words of the puzzles with these ids say",
    )


class Puzzles(Input):
    puzzles = argument("PUZZLE", ARGUMENT_HELP, "+")


class Collections(Input):
    epilog = COLLECTION_HELP
    collections = argument("IN", "file of puzzles, folder or pattern ('*.csv') of some, or -", "+")
    input_format = input_format_option("IN")


class Format(Options):
    format = option(
        "-f",
        "--format",
        choices=("line", "pretty", "json", "csv"),
        help="format of the grids (default: pretty on a terminal, else line)",
    )


class Encoding(Question):
    encoding = option(
        default="extended",
        metavar="E",
        help="CNF encoding (default extended); `satdoku encodings` lists them",
    )


class Symmetry(Options):
    no_symmetry = flag(
        help="look only for exact duplicates, not for relabelled, rotated or permuted ones"
    )


class Kinds(Options):
    """What of an audit's findings is a fault."""

    allow = list_option(
        metavar="KIND,...",
        help="kinds of findings that do not count as faults: leak, grid-leak, exact-duplicate, "
        "symmetric-duplicate, several-solutions, no-solution, clashing-givens, malformed-row, "
        "unstated-rules, wrong-answer, givens-changed, unreadable-answer, unproved, undecided",
    )
    forbid = list_option(
        metavar="KIND,...",
        help="kinds that count as faults though they usually do not: repeated-grid (several "
        "puzzles of a file have the same solution)",
    )


class Workers(Options):
    workers = workers_option()

    def workers_for(self, *, is_small: bool = False) -> int:
        """The number asked for; by default one for what is small, else one a core."""
        if self.workers is not None:
            return self.workers
        if is_small:
            return 1
        from ..runtime.workers import available_workers

        return available_workers()
