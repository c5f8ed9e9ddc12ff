"""How many random cases a test tries: a fifth in the quick suite, all with the profile `soak`.

Invariant: `pytest --hypothesis-profile=soak` runs every case that a test states.
"""

from __future__ import annotations

from hypothesis import settings

WHOLE = 100  # examples of the profile `soak`
QUICK = 20


def share(cases: int) -> int:
    """So many of these cases as the profile runs of a hundred, but a few at least."""
    return max(min(cases, 5), cases * settings.default.max_examples // WHOLE)
