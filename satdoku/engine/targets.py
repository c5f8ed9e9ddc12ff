"""What can run here: the vector targets of the C kernel, and numpy.

Invariant: no numpy, so that `satdoku --version` is instant.
"""

from __future__ import annotations

import os

from ..errors import SatdokuError

try:
    from . import _kernel
except ImportError:  # built without a compiler: the numpy reference serves
    TARGETS: dict[str, int] = {}
else:
    TARGETS = _kernel.targets()

NUMPY = "numpy"


class EngineError(SatdokuError):
    """Puzzles of a wrong shape, or an implementation that is not there."""


def implementations() -> tuple[str, ...]:
    """What can run here, best first: the vector targets of the kernel, then numpy."""
    return (*TARGETS, NUMPY)


def active() -> str:
    """The implementation that runs by default; SATDOKU_SIMD chooses another."""
    return checked(os.environ.get("SATDOKU_SIMD") or implementations()[0])


def checked(name: str) -> str:
    """The name; raises `EngineError` if no implementation has it here."""
    if name not in implementations():
        raise EngineError(f"no engine '{name}': there are {', '.join(implementations())}")
    return name


def describe() -> str:
    """The active implementation in words: `C kernel, avx512` or `numpy`."""
    name = active()
    return name if name == NUMPY else f"C kernel, {name}"
