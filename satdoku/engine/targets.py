"""What can run here: the vector targets of the C kernel, and numpy.

Invariant: no numpy, so that `satdoku --version` is instant.
"""

from __future__ import annotations

import os

from ..runtime.errors import SatdokuError

try:
    from . import _kernel
except ImportError:  # built without a compiler: the numpy reference serves
    TARGETS: dict[str, int] = {}
else:
    TARGETS = _kernel.targets()

NUMPY = "numpy"
WIDE, NARROW = "avx512", "avx512vl"
BEST = next(iter(TARGETS), NUMPY)
FEW_PUZZLES = 2048  # at most so many classic puzzles leave fewer lanes empty in narrow vectors


class EngineError(SatdokuError):
    """Puzzles of a wrong shape, or an implementation that is not there."""


def implementations() -> tuple[str, ...]:
    """What can run here, best first: the vector targets of the kernel, then numpy."""
    return (*TARGETS, NUMPY)


def active(classics: int | None = None) -> str:
    """The implementation that runs by default; SATDOKU_SIMD chooses another.

    If the number of classic puzzles is known, it is the best one for so many.
    """
    if chosen := _chosen():
        return chosen
    few = BEST == WIDE and classics is not None and classics <= FEW_PUZZLES
    return NARROW if few else BEST


def widest() -> str:
    """The implementation with the most lanes, for searches of one puzzle in all of them; also where
    `active` is a narrower one. SATDOKU_SIMD chooses another."""
    return _chosen() or (WIDE if WIDE in TARGETS else BEST)


def _chosen() -> str:
    """What SATDOKU_SIMD says, empty if nothing. (`get` takes longer where there is nothing.)"""
    if "SATDOKU_SIMD" not in os.environ:
        return ""
    chosen = os.environ["SATDOKU_SIMD"]
    return chosen and checked(chosen)


def fastest(is_classic: bool, is_plain: bool, puzzles: int) -> str:
    """The implementation that solves so many puzzles soonest under a plan: is_classic if it has the
    rules of classic 9x9, is_plain if it has nothing else."""
    if is_classic:
        return active(puzzles) if is_plain else widest()
    return active()


def checked(name: str) -> str:
    """The name; raises `EngineError` if no implementation has it here."""
    if name not in implementations():
        raise EngineError(f"no engine '{name}': there are {', '.join(implementations())}")
    return name


def describe() -> str:
    """The active implementation in words: `C kernel, avx512` or `numpy`."""
    name = active()
    return name if name == NUMPY else f"C kernel, {name}"
