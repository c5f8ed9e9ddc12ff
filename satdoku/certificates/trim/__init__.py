"""Refutations cut down to what their empty clause depends on.

Invariant: what is kept refutes the clauses that are kept, by unit propagation alone; nothing that
is kept is new, but steps may have lost literals. A refutation with a wrong step that is needed is
not cut down. Nothing here is used by `check`, which believes none of it.

    trimmed = trim(clauses, "1 0\\n0\\n")
    trimmed.needed, trimmed.steps    # places of the clauses, and the proof

It goes back from the empty clause, and is repeated: a shorter proof propagates otherwise, and less
of it is needed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import compress
from typing import NamedTuple

from ...runtime import limits
from ..proof import Ints, parse_drat
from ..proof.formula import flat
from . import reference

try:
    from . import _trim
except ImportError:  # built without a compiler
    COMPILED = False
else:
    COMPILED = True

PASSES = 2  # a third takes off a twentieth
BUDGET = 2_000_000_000 if COMPILED else 20_000_000  # clauses that may be visited: some seconds

Once = Callable[[int, Ints, Ints, int, Callable[[], object]], tuple[bytes, bytes] | None]


class Trimmed(NamedTuple):
    """What is left: places of the clauses that are needed, and clauses that follow one by one, of
    which only the last is empty."""

    needed: list[int]
    steps: list[list[int]]

    @property
    def text(self) -> str:
        """The steps as a DRAT proof."""
        return "".join(" ".join(map(str, (*step, 0))) + "\n" for step in self.steps)


def trim(
    clauses: Sequence[Sequence[int]], text: str, *, compiled: bool = COMPILED
) -> Trimmed | None:
    """What of a DRAT proof, and of the clauses that it refutes, the empty clause depends on.

    None if it takes too long to find out, or if it is no proof. Deletions of clauses are ignored,
    those of steps are not.
    """
    once: Once = _trim.trim if compiled and COMPILED else reference.trim
    variables = max((abs(literal) for clause in clauses for literal in clause), default=0)
    needed, steps, done = list(range(len(clauses))), parse_drat(text), False
    for _ in range(PASSES):
        left = flat(clauses[place] for place in needed)
        found = once(variables, left, steps, BUDGET, limits.check)
        if found is None:
            break
        used, raw = found
        needed, steps, done = list(compress(needed, used)), array("i", raw), True
    return Trimmed(needed, list(reference.split(steps))) if done else None
