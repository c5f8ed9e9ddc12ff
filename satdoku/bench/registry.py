"""The backends that there are: PySAT's solvers with a formula, Z3's models, optional packages.

Invariant: all are known by name, installed or not, and none is imported by being known, save PySAT.
"""

from __future__ import annotations

from functools import cache

from .asp import ClingoBackend
from .backends import Backend, BackendError
from .cpsat import CpSatBackend
from .picosat import PycosatBackend
from .sat import sat_backends
from .smt import Z3_BACKENDS


@cache
def backends() -> dict[str, Backend]:
    """All backends by name."""
    extras = CpSatBackend(), ClingoBackend(), PycosatBackend()
    known = [*sat_backends(), *Z3_BACKENDS, *extras]
    return {backend.name: backend for backend in known}


def backend_named(name: str) -> Backend:
    """The backend of that name, whether or not it is installed."""
    known = backends()
    if name not in known:
        raise BackendError(f"no backend '{name}': known are {', '.join(known)}")
    return known[name]
