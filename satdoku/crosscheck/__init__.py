"""Ask several backends the same and compare: solvers, engines, and models stated independently.

Invariant: nothing is believed of a backend; where two differ, one is wrong. Importing this package
imports no solver.

    said = {name: ask(name, puzzle, constraints) for name in ("cadical153", "z3-bool")}
    disagreements(said, puzzle, constraints, limit=2)     # [] if they agree

    backends   what can answer, a module for each library
    answers    ask, compare
    fuzz       the same with random puzzles
"""

from __future__ import annotations

from .answers import Answer, ask, ask_everything, disagreements, is_beyond
from .backends import (
    BackendMissing,
    Budget,
    Configuration,
    configuration_named,
    configuration_names,
    installed_names,
)

__all__ = [
    "Answer", "BackendMissing", "Budget", "Configuration", "ask", "ask_everything",
    "configuration_named", "configuration_names", "disagreements", "installed_names", "is_beyond",
]  # fmt: skip
