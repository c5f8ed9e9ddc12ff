"""What setters and other programs call a clue, and clues that satdoku does not state, with why.

Invariant: no name here is read as a clue. They only make the message about an unknown name helpful.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import no_such
from .board import FROM_ZERO, OTHER_DIGITS

_SHADING = "it shades cells, and a clue may speak of digits only"
_SHAPES = "its line or area is part of the solution, and a clue may speak of digits only"

_GRIDS = "its grids overlap, and a board is one square whose rows hold every digit once"

# A name, and what says the same here. Several clues, or a clue and a rule, stand between "or".
MEANT = {
    "anti-king": "king",
    "anti-knight": "knight",
    "anti-queen": "antiqueen",
    "anti-renban": "nabner",
    "between-line": "between",
    "black-dot": "black",
    "counting-circles": "circles",
    "diagonal-sum": "little-killer",
    "disjoint-groups": "disjoint",
    "dutch-whisper": "whisper=4",
    "entropic-line": "entropic",
    "extra-region": "region",
    "german-whisper": "whisper",
    "indexing": "row-index or col-index",
    "inequality": "greater",
    "killer": "cage",
    "killer-cage": "cage",
    "kropki": "white or black",
    "latin-square": "latin",
    "lockout-line": "lockout",
    "modular-line": "modular",
    "nfa": "machine",
    "no-boxes": "latin",
    "parity-line": "parity",
    "pill": "arrow",
    "quad": "quadruple",
    "region-sum-line": "region-sum",
    "regular-expression": "regex",
    "renban-line": "renban",
    "sandwich-sum": "sandwich",
    "state-machine": "machine",
    "sum-line": "sum or ten-line",
    "thermometer": "thermo",
    "weighted-sum": "weighted",
    "white-dot": "white",
    "windows": "windoku",
    "x-v": "x or v",
    "xv": "x or v",
    "zipper-line": "zipper",
}  # fmt: skip

# A name, and why no rule and no clue says it.
UNSTATED = {
    "0-8": FROM_ZERO,
    "0-9": OTHER_DIGITS,
    "samurai": _GRIDS,
    "gattai": _GRIDS,
    "twodoku": _GRIDS,
    "fog": "it hides clues and says nothing of the solution: leave it out",
    "yin-yang": _SHADING,
    "nurikabe": _SHADING,
    "cave": _SHADING,
    "heyawake": _SHADING,
    "star-battle": _SHADING,
    "connected": _SHAPES,
    "connectivity": _SHAPES,
    "chaos-construction": _SHAPES,
    "region-construction": _SHAPES,
    "snake": _SHAPES,
    "loop": _SHAPES,
    "galaxies": _SHAPES,
}


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for a name that is no `what` ("rule", "kind"): what it may mean, or why not."""
    plain = name.replace("_", "-")
    for word in (plain, plain.removesuffix("s"), plain.replace("anti", "anti-", 1)):
        if word in UNSTATED:
            return f"no {what} '{name}': {UNSTATED[word]}"
        if word in MEANT:
            return f"no {what} '{name}': did you mean {MEANT[word]}?"
    return no_such(what, name, known)
