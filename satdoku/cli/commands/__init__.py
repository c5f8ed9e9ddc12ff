"""The commands, one a file: `EXAMPLE`, `add_options(parser)` and `run(arguments)`.

A new command is a file here and a line in the table. Only the file of the chosen command is
imported, so that help is instant.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Protocol, cast

GROUPS = {
    "Ask about puzzles": {
        "solve": "print a solution of each puzzle",
        "check": "say unique, multiple, none or invalid of each puzzle",
        "count": "count the solutions of each puzzle, or all grids under the rules",
        "enumerate": "print all solutions of each puzzle",
        "candidates": "print the true candidates: each cell's digits over all solutions",
        "propagate": "print what unit propagation alone fixes",
    },
    "Collections": {
        "batch": "solve collections, one result a puzzle, in order",
        "audit": "say whether collections are sound: valid, unique, answers right, no row twice",
    },
    "Explain, make and study puzzles": {
        "explain": "say why: a contradiction, the next step, all steps, or what forces a cell",
        "rate": "say how hard each puzzle is, by its explanations",
        "fewest": "find the fewest givens of a grid that still have it as only solution, with "
        "proof",
        "orbits": "print the symmetry group of the rules and the classes of grids or puzzles "
        "under it",
        "generate": "make random puzzles with one solution",
        "minimize": "take givens away, in random order, until none can go",
    },
    "Proofs and other tools": {
        "certify": "write certificates: a solution and the proof that there is no other",
        "verify": "check certificates without any solver",
        "export": "write a puzzle, or bare rules, for other solvers",
        "decode": "turn another solver's output (s and v lines, or SMT values) back into a grid",
        "render": "draw a puzzle: SVG, PNG or text",
        "rules": "list the rules",
        "encodings": "list the CNF encodings with their numbers of variables and clauses",
    },
    "Test and measure satdoku": {
        "crosscheck": "ask every backend and witness; they must agree",
        "fuzz": "ask every backend about random puzzles under random rules, till two disagree",
        "bench": "measure encodings and solvers against each other, or report what was measured",
    },
}
SUMMARIES = {name: summary for group in GROUPS.values() for name, summary in group.items()}


class Command(Protocol):
    """What the file of a command holds."""

    EXAMPLE: str  # a line for the shell that needs no file but those it makes

    def add_options(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


def load(name: str) -> Command:
    """The command of that name, which must be in the table."""
    return cast(Command, import_module(f".{name}", __name__))
