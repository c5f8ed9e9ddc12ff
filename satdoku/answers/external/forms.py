"""A puzzle in the words of an input language, and what a solver answers in it, as cells.

Invariant: a form reads an answer and does not check it against the puzzle; if the values of an
answer are not a grid, an error names the clause that they violate.

    form = FORMS["cnf"]("extended", Puzzle(grid, constraints))
    form.text()                        # what the solver reads, in pieces
    form.cells(answer)                 # what its answer says: a digit for each cell, or None
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from ...cnf.dimacs import SATISFIABLE, UNKNOWN, format_cnf, parse_answer, violated_family
from ...cnf.encodings import ENCODINGS, ClauseFamily, EncodingError, build_for, in_full
from ...cnf.opb import OpbError, cells_of, format_opb, is_unknown, opb_values
from ...model.puzzle import Puzzle, strikes
from ...runtime.errors import Unanswered, WitnessError
from ...witness.smtlib import MODELS, SmtError, format_smtlib, smt_cells
from .program import ProgramError

NO_VALUES = "says SATISFIABLE without values, for which some solvers need an option, or {out}"


class Form(ABC):
    """One puzzle, as it is written for solvers. variables, clauses: their numbers, if known.

    values: how many an answer may give, about.
    """

    names: ClassVar[tuple[str, ...]]  # ways to state it: encodings, or models; the first is usual
    variables: int | None = None
    clauses: int | None = None
    values: int

    @abstractmethod
    def __init__(self, name: str, puzzle: Puzzle) -> None:
        """State it in the way of that name."""

    @abstractmethod
    def text(self, excluded: Sequence[bytes] = ()) -> Iterator[str]:
        """The file, in pieces; excluded: solutions that it rules out."""

    @abstractmethod
    def cells(self, answer: str) -> bytes | None:
        """The cells of an answer, None if it says that there is no solution.

        Raises `Unanswered` if it is unknown, `SatdokuError` if it cannot be read, `WitnessError` if
        its values are no grid.
        """


class CnfForm(Form):
    """DIMACS in any encoding, and the output of the SAT competition."""

    names = tuple(ENCODINGS)

    def __init__(self, name: str, puzzle: Puzzle) -> None:
        self._formula = formula = in_full(build_for(puzzle, name))
        self.variables, self.clauses = formula.variables, len(formula.clauses)
        self.values = formula.variables

    def text(self, excluded: Sequence[bytes] = ()) -> Iterator[str]:
        formula = self._formula
        others = (tuple(-lit for lit in formula.literals(cells)) for cells in excluded)
        family = ClauseFamily("excluded", tuple(others))
        return format_cnf(replace(formula, families=(*formula.families, family)))

    def cells(self, answer: str) -> bytes | None:
        status, literals = parse_answer(answer)
        if status == UNKNOWN:
            raise Unanswered("unknown", "says UNKNOWN")
        if status != SATISFIABLE:
            return None
        if not literals:
            raise ProgramError(NO_VALUES)
        try:
            return self._formula.decode(literals)
        except EncodingError as error:
            why = violated_family(self._formula, (), set(literals)) or str(error)
            raise WitnessError(f"claims SATISFIABLE, but {why}") from None


class SmtForm(Form):
    """SMT-LIB in any of its models, and the values of `get-value`."""

    names = tuple(MODELS)

    def __init__(self, name: str, puzzle: Puzzle) -> None:
        self._name, self._puzzle = name, puzzle
        self.values = puzzle.constraints.variables

    def text(self, excluded: Sequence[bytes] = ()) -> Iterator[str]:
        law, grid, marks = self._puzzle.constraints, self._puzzle.grid, strikes(self._puzzle)
        yield format_smtlib(law, grid, model=self._name, marks=marks, excluded=excluded)

    def cells(self, answer: str) -> bytes | None:
        # Some print a warning first, or an error behind `unsat`, where no value is to be got.
        words = [*re.finditer(r"^(sat|unsat|unknown|timeout)\s*$", answer, re.MULTILINE)]
        if not words:
            raise SmtError("found neither sat nor unsat nor unknown")
        if len({word[1] for word in words}) > 1:
            raise SmtError(f"found '{words[-1][1]}' after '{words[0][1]}', expected one of them")
        said = words[0]
        if said[1] in ("unknown", "timeout"):
            raise Unanswered("unknown", f"says {said[1]}")
        return smt_cells(answer[said.start() :], self._puzzle.constraints.board)


class OpbForm(Form):
    """Linear constraints on candidates, and the output of the pseudo-boolean competition."""

    names = ("linear",)

    def __init__(self, name: str, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self.values = puzzle.constraints.variables

    def text(self, excluded: Sequence[bytes] = ()) -> Iterator[str]:
        puzzle, marks = self._puzzle, strikes(self._puzzle)
        yield format_opb(puzzle.constraints, puzzle.grid, marks=marks, excluded=excluded)

    def cells(self, answer: str) -> bytes | None:
        if is_unknown(answer):
            raise Unanswered("unknown", "says that it is unknown")
        true = opb_values(answer)
        if true is None:
            return None
        if not true:
            raise ProgramError(NO_VALUES)
        try:
            return cells_of(true, self._puzzle.constraints)
        except OpbError as error:
            raise WitnessError(f"claims SATISFIABLE, but {error}") from None


# By what a command names: {cnf}, {smt2}, {opb}.
FORMS: dict[str, type[Form]] = {"cnf": CnfForm, "smt2": SmtForm, "opb": OpbForm}
