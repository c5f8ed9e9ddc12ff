"""Kinds that are made of other clues.

Invariant: such a clue is one automaton, which reads the cells of all its parts; so it needs no
variable that says which of them hold.
"""

from __future__ import annotations

from ..appearance import drawn, iss
from ..automata import both, either
from .kind import Kind

KINDS = (
    Kind(
        "or",
        "at least one of these clues holds",
        "or:(thermo:r1c1,r2c1,r2c2),(cage=5:r1c1,r1c2)",
        groups=(0, 0),
        joins=either,
        look=drawn("parts", 14, "pale", name="Either, or", is_pale=True, is_captioned=True),
        abroad=(iss("Or", "joined"),),
    ),
    Kind(
        "and",
        "all of these clues hold, as one part of an or",
        "and:(odd:r1c1),(even:r1c2)",
        groups=(0, 0),
        joins=both,
        look=drawn(
            "parts", 14, "", sentence="all of these clues hold", name="Both", is_captioned=True
        ),
        abroad=(iss("And", "joined"),),
    ),
)
