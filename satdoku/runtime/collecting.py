"""How often Python looks for objects that nothing but each other keeps.

Invariant: only processes of our own are told; a program that imports satdoku decides for itself.
"""

from __future__ import annotations

import gc

# Objects that are made and not freed again, from which on young ones are looked at; by default 700.
# Almost none of ours keep each other. A collection of puzzles keeps what is made for some hundred
# rows, of which each was looked at two or three times: an eighth of the time of rows with clues of
# their own.
MANY = 20_000


def seldom() -> None:
    """Look seldom from now on."""
    gc.set_threshold(MANY)
