"""A limit on the memory that one step of work may take.

Invariant: the limit ends with the step, and never raises one that the user has set.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def limited_memory(more: int) -> Iterator[None]:
    """Let the process take that many bytes more than it has; beyond them, `MemoryError`.

    Only Linux can: elsewhere there is no limit.
    """
    try:
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    except (ImportError, OSError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    set_already = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([used + more, *set_already]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
