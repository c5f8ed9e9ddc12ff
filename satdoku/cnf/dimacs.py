"""Write formulas as DIMACS, and read DIMACS formulas and the answers of other solvers.

Invariant: the comments of a CNF that satdoku writes contain everything needed to read an answer
back: the board, the rules, the givens, and the meaning of each variable and clause. They all stand
before the line `p`, as the SAT competition has it: some solvers read no comment behind it. To every
other tool the file is plain DIMACS, or incremental CNF.

    c satdoku-rules knight           the rule set, with its region map if it has one
    c satdoku-size 9
    c satdoku-puzzle ....1..3...
    c satdoku-encoding extended

Incremental CNF begins with `p inccnf`; behind the clauses it has lines of assumptions, here a
puzzle each. Source: S. Wieringa, M. Niemenmaa, K. Heljanko, Tarmo: A Framework for Parallelized
Bounded Model Checking, PDMC 2009.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import chain
from typing import BinaryIO, NamedTuple

from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.notes import NoteError, note, notes_of, read_notes
from ..runtime.errors import SatdokuError, counted
from ..witness.verify import violations
from .encodings import Clause, ClauseFamily, EncodingError, Formula, in_full

SATISFIABLE, UNSATISFIABLE, UNKNOWN = "SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"
EXIT_CODES = {SATISFIABLE: 10, UNSATISFIABLE: 20, UNKNOWN: 0}
_BARE = {  # what solvers that print no `s` say
    "SAT": SATISFIABLE, "sat": SATISFIABLE, SATISFIABLE: SATISFIABLE,
    "UNSAT": UNSATISFIABLE, "unsat": UNSATISFIABLE, UNSATISFIABLE: UNSATISFIABLE,
    "INDET": UNKNOWN, "unknown": UNKNOWN, "INDETERMINATE": UNKNOWN,
}  # fmt: skip
_LONGEST_NUMBER = 20  # digits; Python refuses to read numbers of several thousand digits
_TOO_MANY = 50_000_000  # a header with more variables or clauses is treated as an error


class DimacsError(SatdokuError):
    """A text that is not DIMACS or not solver output: the line, what was found and expected."""


class DecodeError(SatdokuError):
    """An answer that does not fit the formula."""


@dataclass(frozen=True)
class CnfFile:
    """A CNF read from a file; rules and puzzle are None if satdoku did not write the file."""

    variables: int
    clauses: list[list[int]]
    constraints: Constraints | None
    puzzle: Grid | None
    encoding: str


class SolverOutput(NamedTuple):
    """A solver's answer: its status from the `s` line, and its literals if it is SATISFIABLE."""

    status: str
    literals: list[int]


def write_cnf(stream: BinaryIO, formula: Formula, puzzle: Grid | None = None) -> None:
    """Write the formula, followed by the puzzle's givens as unit clauses."""
    for part in format_cnf(formula, puzzle):
        stream.write(part.encode("ascii"))


def format_cnf(formula: Formula, puzzle: Grid | None = None) -> Iterator[str]:
    """The text of the CNF in a few large pieces; the comments come first."""
    formula = in_full(formula)
    if formula.puzzle is not None:
        puzzle = _built_in(formula, formula.puzzle, puzzle)
    given = [] if puzzle is None else [(lit,) for lit in formula.literals(puzzle.cells)]
    families = [*formula.families, ClauseFamily("givens", tuple(given))]
    yield from _comments(formula, puzzle)
    yield from _contents(formula, families)
    yield _problem(formula.variables, sum(len(family.clauses) for family in families))
    yield from (_clause_lines(family.clauses) for family in families)


def format_icnf(formula: Formula, puzzles: Iterable[Grid] = ()) -> Iterator[str]:
    """The text of incremental CNF: the formula once, then a line of assumptions for each puzzle.

    Raises `EncodingError` if givens are built into the formula.
    """
    if formula.puzzle is not None:
        raise EncodingError(
            f"encoding {formula.encoding}: givens are built into its clauses; "
            "expected another one for incremental CNF"
        )
    whole = in_full(formula)
    yield from _comments(whole, None)
    yield from _contents(whole, whole.families)
    yield "p inccnf\n"
    yield from (_clause_lines(family.clauses) for family in whole.families)
    yield from (assumption_line(formula, puzzle) for puzzle in puzzles)


def assumption_line(formula: Formula, puzzle: Grid) -> str:
    """The givens of a puzzle in incremental CNF: `a LITERALS 0`.

    Raises `EncodingError` for a given that the formula has no literals for.
    """
    return "a " + " ".join(map(str, [*formula.literals(puzzle.cells), 0])) + "\n"


def format_clauses(clauses: Sequence[Sequence[int]], variables: int) -> Iterator[str]:
    """The text of any CNF, without comments."""
    yield _problem(variables, len(clauses))
    yield _clause_lines(clauses)


def _problem(variables: int, clauses: int) -> str:
    return f"p cnf {variables} {clauses}\n"


def _contents(formula: Formula, families: Iterable[ClauseFamily]) -> Iterator[str]:
    """Which clauses are whose, and which auxiliary variables each family is the first to have."""
    last, known = 0, formula.named
    for name, clauses, _ in families:
        if not clauses:
            continue
        first, last = last + 1, last + len(clauses)
        yield f"c clauses {first} to {last}: {name}\n"
        if known < formula.variables:
            top = max(map(abs, chain.from_iterable(clauses)), default=0)
            if top > known:
                yield f"c variables {known + 1} to {top}: auxiliary, of {name}\n"
                known = top


def _built_in(formula: Formula, cells: bytes, puzzle: Grid | None) -> Grid:
    """The puzzle whose givens are built into the formula; raises if `puzzle` is another one."""
    own = Grid(cells, formula.constraints.board)
    if puzzle is not None and puzzle.cells != cells:
        raise EncodingError(f"the formula was made for {own}: it cannot be written for {puzzle}")
    return own


def _comments(formula: Formula, puzzle: Grid | None) -> Iterator[str]:
    constraints = formula.constraints
    yield "c Sudoku as SAT, written by satdoku\n"
    yield "".join(f"c {line}\n" for line in formula.legend())
    notes = notes_of(constraints, puzzle, encoding=formula.encoding)
    yield "".join(f"c {line}\n" for line in notes)


def _clause_lines(clauses: Iterable[Sequence[int]]) -> str:
    return "".join([" ".join(map(str, clause)) + " 0\n" for clause in clauses])


def parse_cnf(text: str, source: str = "CNF") -> CnfFile:
    """Read any DIMACS CNF, and satdoku's comments if the file has them.

    Raises `DimacsError` with the line of the first error.
    """
    header: tuple[int, int] | None = None
    notes: dict[str, str] = {}
    numbers: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("c"):
            notes.update([said] if (said := note(line)) else ())
        elif line.startswith("p"):
            header = _problem_line(line, source, number)
        elif line.strip() == "%":  # files of the SATLIB collections end with this line
            break
        elif line.strip():
            if header is None:
                raise DimacsError(f"{source}: line {number}: found a clause, expected 'p cnf V C'")
            numbers += _integers(line.split(), header[0], source, number)
    if header is None:
        raise DimacsError(f"{source}: no line 'p cnf VARIABLES CLAUSES'")
    clauses = _split_at_zero(numbers, source)
    if len(clauses) != header[1]:
        raise DimacsError(
            f"{source}: found {counted(len(clauses), 'clause')}, expected {header[1]}"
        )
    try:
        constraints, puzzle = read_notes(notes) or (None, None)
    except NoteError as error:
        raise DimacsError(f"{source}: {error}") from None
    return CnfFile(header[0], clauses, constraints, puzzle, notes.get("encoding", "extended"))


def _problem_line(line: str, source: str, number: int) -> tuple[int, int]:
    words = line.split()
    if len(words) == 4 and words[:2] == ["p", "cnf"] and all(map(_is_count, words[2:])):
        variables, clauses = int(words[2]), int(words[3])
        if max(variables, clauses) <= _TOO_MANY:
            return variables, clauses
    raise DimacsError(f"{source}: line {number}: found {line[:40]!r}, expected 'p cnf V C'")


def _is_count(word: str) -> bool:
    return word.isdecimal() and len(word) <= _LONGEST_NUMBER


def _integers(words: list[str], top: int, source: str, number: int) -> list[int]:
    try:
        values = [int(word) if "_" not in word else top + 1 for word in words]
    except ValueError:
        values = [top + 1]
    if any(abs(value) > top for value in values):
        expected = f"literals -{top}..{top} and 0"
        found = [word[:20] for word in words[:4]]
        raise DimacsError(f"{source}: line {number}: found {found}, expected {expected}")
    return values


def _split_at_zero(numbers: list[int], source: str) -> list[list[int]]:
    if numbers and numbers[-1] != 0:
        raise DimacsError(f"{source}: the last clause has no 0 at its end")
    clauses: list[list[int]] = [[]]
    for number in numbers:
        if number:
            clauses[-1].append(number)
        else:
            clauses.append([])
    return clauses[:-1]


def parse_answer(text: str, source: str = "solver output") -> SolverOutput:
    """Read the `s` and `v` lines of the SAT competition's output format.

    It also reads a bare status and bare literals, as MiniSat's result files and Yices have them.
    """
    status, literals = "", list[int]()
    for number, line in enumerate(StringIO(text), 1):  # one at a time: an answer may be long
        kind, rest = [*line.split(None, 1), "", ""][:2]
        said = rest.strip() if kind == "s" else _BARE.get(line.strip(), "")
        if said and status not in ("", said):
            found = f"'{said[:20]}' after '{status[:20]}'"
            raise DimacsError(f"{source}: line {number}: found {found}, expected one status")
        status = said or status
        if kind == "v":
            literals += _values(rest, source, number)
        elif status == SATISFIABLE and kind.lstrip("-").isdecimal():
            literals += _values(line, source, number)
    if status not in EXIT_CODES:
        found = f"'s {status[:20]}'" if status else "no 's' line"
        raise DimacsError(f"{source}: found {found}, expected s {', s '.join(EXIT_CODES)}")
    return SolverOutput(status, literals)


def _values(text: str, source: str, number: int) -> Iterator[int]:
    """The literals of a line; a 0 is none."""
    for word in re.finditer(r"\S+", text):
        if not re.fullmatch(r"-?\d{1,9}", word[0], re.ASCII):
            found = f"found {word[0][:20]!r}"
            raise DimacsError(f"{source}: line {number}: {found}, expected a literal")
        if literal := int(word[0]):
            yield literal


def decode_answer(
    answer: SolverOutput, formula: Formula, puzzle: Grid | None = None
) -> Grid | None:
    """The grid of a SATISFIABLE answer, checked against the clauses and the rules; else None.

    Raises `DecodeError`, which names the violated clause family or the two cells that clash.
    """
    if answer.status != SATISFIABLE:
        return None
    true = set(answer.literals)
    clash = next((literal for literal in true if -literal in true), None)
    if clash is not None:
        raise DecodeError(f"the answer holds both {abs(clash)} and {-abs(clash)}")
    givens: tuple[Clause, ...] = ()
    if puzzle is not None:
        givens = tuple((literal,) for literal in formula.literals(puzzle.cells))
    problem = violated_family(formula, givens, true)
    if problem:
        raise DecodeError(problem)
    grid = Grid(formula.decode(answer.literals), formula.constraints.board)
    broken = violations(grid, formula.constraints.rules)
    if broken:
        raise DecodeError(broken[0].describe(grid))
    return grid


def violated_family(formula: Formula, givens: tuple[Clause, ...], true: set[int]) -> str | None:
    """Describes the first violated clause and counts the violated clauses of its family.

    None if there is no violated clause. A variable that the answer omits counts as false.
    """
    for family in (*formula.families, ClauseFamily("givens", givens)):
        broken = [
            clause
            for clause in family.clauses
            if not any(lit in true or (lit < 0 and -lit not in true) for lit in clause)
        ]
        if broken:
            what = " or ".join(map(formula.in_words, broken[0]))
            return (
                f"clause family '{family.name}' is violated in {len(broken)} of "
                f"{len(family.clauses)} clauses, first: {what}"
            )
    return None


def format_answer(status: str, literals: Iterable[int] = ()) -> str:
    """The `s` line, and `v` lines of at most 78 characters; the last one ends with 0."""
    lines = [f"s {status}"]
    if status == SATISFIABLE:
        line = "v"
        for word in chain(map(str, literals), ["0"]):
            if len(line) + 1 + len(word) > 78:
                lines.append(line)
                line = "v"
            line += f" {word}"
        lines.append(line)
    return "\n".join(lines)
