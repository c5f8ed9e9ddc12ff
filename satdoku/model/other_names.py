"""What setters and other programs call a clue, and clues that satdoku does not state, with why.

Invariant: no name here is read as a clue. They only make the message about an unknown name helpful.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..runtime.errors import no_such
from .board import FROM_ZERO, OTHER_DIGITS
from .rules import LATIN, RULES

_SHADING = "it shades cells, and a clue may speak of digits only"
_SHAPES = "its line or area is part of the solution, and a clue may speak of digits only"

_GRIDS = "its grids overlap, and a board is one square whose rows hold every digit once"

# Other names of boards and rules; the kinds have theirs themselves.
MEANT = {"latin-square": LATIN, "no-boxes": LATIN} | {
    name: rule.name for rule in RULES.values() for name in rule.called
}

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


def unknown(what: str, name: str, known: Iterable[str], called: Mapping[str, str]) -> str:
    """The message for a name that is no `what` ("rule", "kind"): what it may mean, or why not.

    called: other names of kinds, each with what it means; several stand between "or".
    """
    meant = MEANT | {**called}
    plain = name.replace("_", "-")
    for word in (plain, plain.removesuffix("s"), plain.replace("anti", "anti-", 1)):
        if word in UNSTATED:
            return f"no {what} '{name}': {UNSTATED[word]}"
        if word in meant:
            return f"no {what} '{name}': did you mean {meant[word]}?"
    return no_such(what, name, known)
