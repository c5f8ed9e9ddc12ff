"""What setters and other programs call a clue, and clues that satdoku does not state, with why.

Invariant: no name here is read as a clue. They only make the message about an unknown name helpful.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..runtime.errors import no_such
from .rules import DIGITS, GRIDS, LATIN, RULES, SHAPE

_AREAS = "no word says it: state it by a layer and kinds such as connected (docs/LAYERS.md)"

# Other names of boards and rules; the kinds have theirs themselves.
MEANT = {
    "latin-square": LATIN,
    "no-boxes": LATIN,
    "0-8": f"{DIGITS}=0-8",
    "0-9": f"{SHAPE}=9x9,{DIGITS}=0-9",
    "gattai": f"{GRIDS}:r1c1,r1c7",
    "twodoku": f"{GRIDS}:r1c1,r7c7",
} | {name: rule.name for rule in RULES.values() for name in rule.called}

# A name, and why no rule and no clue says it.
UNSTATED = {
    "fog": "it hides clues and says nothing of the solution: leave it out",
    "yin-yang": _AREAS,
    "nurikabe": _AREAS,
    "cave": _AREAS,
    "heyawake": _AREAS,
    "star-battle": _AREAS,
    "snake": _AREAS,
    "galaxies": _AREAS,
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
    return no_such(what, name, sorted(known))
