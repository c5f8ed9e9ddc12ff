"""Sessions that are kept: one for each thread, rule set, solver and encoding.

Invariant: no two threads share a session, and those that were not used for longest are given up.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..cnf.encodings import DEFAULT_ENCODING
from ..model.constraints import Constraints
from .solver import DEFAULT_SOLVER

if TYPE_CHECKING:
    from .session import Session

MOST_SESSIONS = 128  # per thread, about 2 MB each: a file may state other rules in every row
_local = threading.local()


def shared_session(
    constraints: Constraints, solver: str = DEFAULT_SOLVER, encoding: str = DEFAULT_ENCODING
) -> Session:
    """This thread's session for the constraints, built on first use and kept while in use."""
    from .session import Session  # with PySAT, which who closes sessions may not need

    sessions: dict[tuple[Constraints, str, str], Session]
    sessions = _local.__dict__.setdefault("sessions", {})
    key = constraints, solver, encoding
    session = sessions.pop(key, None) or Session(constraints, solver=solver, encoding=encoding)
    while len(sessions) >= MOST_SESSIONS:
        del sessions[next(iter(sessions))]
    sessions[key] = session  # last: the first ones have not been used for longest
    return session


def is_open(constraints: Constraints, solver: str, encoding: str) -> bool:
    """Whether this thread has the session at hand, with its solver loaded."""
    session = _local.__dict__.get("sessions", {}).get((constraints, solver, encoding))
    return session is not None and session.is_open


def winners() -> dict[Constraints, str]:
    """Who has decided the last puzzle under the constraints in this thread, the last ones last."""
    known: dict[Constraints, str] = _local.__dict__.setdefault("winners", {})
    return known


def close_sessions() -> None:
    """Free this thread's sessions with all they have learnt, and forget the winners; the next call
    opens new ones."""
    _local.__dict__.clear()
