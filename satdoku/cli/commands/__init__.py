"""The commands, one a file: `EXAMPLE`, the class `Arguments` of its options, and `run(arguments)`.

A new command is a file here and a line in the table. Only the file of the chosen command is
imported, so that help is instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from ..options import Options

GROUPS = {
    "Answer questions about puzzles": {
        "solve": "print a solution of each puzzle",
        "check": "print the status of each puzzle: unique, multiple, none or invalid",
        "count": "count the solutions of each puzzle, or all grids under the rules",
        "enumerate": "print all solutions of each puzzle",
        "candidates": "print the true candidates: the digits of each cell over all solutions",
        "propagate": "print the digits that unit propagation alone fixes",
    },
    "Work on collections": {
        "batch": "solve collections and write one result per puzzle, in order",
        "audit": "check data sets: valid, unique, answers right, no duplicates, no leaks",
        "clean": "keep the sound rows of data sets, repair answers, give reasons for the rest",
        "split": "split data sets into parts that share no puzzle, not even up to symmetry",
        "augment": "write random symmetric forms of each puzzle, which can be undone",
    },
    "Explain, make and study puzzles": {
        "explain": "explain a contradiction, the next step, all steps, or the digit of a cell",
        "rate": "print the difficulty of each puzzle",
        "fewest": "find the fewest givens for which a grid is the only solution, with proof",
        "orbits": "print the symmetry group of the rules, and the classes of grids under it",
        "generate": "make random puzzles with one solution",
        "dataset": "make a data set by a recipe: puzzles, answers, splits, a data card",
        "minimize": "remove givens in random order until each is needed",
        "serve": "serve a page to set, study and solve puzzles in the browser",
    },
    "Prove, convert and draw": {
        "certify": "write certificates: a solution and a proof that there is no other",
        "verify": "check certificates without a solver",
        "export": "write a puzzle or the rules for other solvers",
        "decode": "turn the output of another solver (s and v lines, SMT values) into a grid",
        "render": "draw a puzzle: SVG, PNG or text",
        "sheet": "print puzzles as a PDF, with their rules in words and their solutions",
        "rules": "list the rules",
        "clues": "list, explain or search the kinds of clues",
        "encodings": "list the CNF encodings with their numbers of variables and clauses",
    },
    "Test and measure satdoku": {
        "crosscheck": "give all backends a puzzle and compare their answers",
        "fuzz": "give all backends random puzzles until two disagree",
        "bench": "measure encodings and solvers, or report the measurements",
    },
}
SUMMARIES = {name: summary for group in GROUPS.values() for name, summary in group.items()}


class Command(Protocol):
    """What the file of a command holds."""

    EXAMPLE: str  # a line for the shell that needs no file but those it makes

    Arguments: type[Options]

    def run(self, arguments: Any) -> int: ...


def load(name: str) -> Command:
    """The command of that name, which must be in the table."""
    return cast(Command, import_module(f".{name}", __name__))
