"""The C extension; `hitting` says what the arguments mean."""

from collections.abc import Callable

def search(
    sets: bytes,
    parts: bytes,
    size: int,
    strict0: int,
    strict1: int,
    given: bytes,
    barred: bytes,
    ask: Callable[[bytes], bytes | None] | None,
    found: Callable[[bytes, bytes], object],
    poll: Callable[[], object],
    /,
) -> tuple[int, bytes]: ...
