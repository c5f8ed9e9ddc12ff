"""Sessions that are kept: one for each thread, rule set, solver and encoding.

Invariant: no two threads share a session, and those that were not used for longest are given up.
"""

from __future__ import annotations

import threading

from ..cnf.encodings import DEFAULT_ENCODING
from ..model.constraints import Constraints
from .session import Session
from .solver import DEFAULT_SOLVER

MOST_SESSIONS = 128  # per thread, about 2 MB each: a file may state other rules in every row
_local = threading.local()


def shared_session(
    constraints: Constraints, solver: str = DEFAULT_SOLVER, encoding: str = DEFAULT_ENCODING
) -> Session:
    """This thread's session for the constraints, built on first use and kept while in use."""
    sessions: dict[tuple[Constraints, str, str], Session]
    sessions = _local.__dict__.setdefault("sessions", {})
    key = constraints, solver, encoding
    session = sessions.pop(key, None) or Session(constraints, solver=solver, encoding=encoding)
    while len(sessions) >= MOST_SESSIONS:
        del sessions[next(iter(sessions))]
    sessions[key] = session  # last: the first ones have not been used for longest
    return session


def close_sessions() -> None:
    """Free this thread's sessions with all they have learnt; the next call opens new ones."""
    _local.__dict__.clear()
