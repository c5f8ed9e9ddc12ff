"""The lines of a text, from blocks of its bytes.

Invariant: `\\n`, `\\r\\n` and a lone `\\r` each end a line, mixed or not; bytes that are no UTF-8
become replacement characters of their own line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .streams import MAX_LINE_BYTES


def block_lines(blocks: Iterable[bytes]) -> Iterator[str]:
    """All lines of a text, without their ends."""
    for data in whole_lines(blocks):
        yield from split_lines(data)


def split_lines(data: bytes) -> list[str]:
    """The lines of a block of `whole_lines`."""
    return data.decode("utf-8", errors="replace").split("\n")[:-1]


def whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes cut after line ends only, each line end as `\\n`.

    The last line gets an end if it has none. Of an endless line only the beginning is kept.
    """
    rest = b""
    for block in blocks:
        returns = b"\r" in rest or b"\r" in block
        cut = _behind_last_end(rest + block) - len(rest) if returns else block.rfind(b"\n") + 1
        if cut <= 0:
            rest = (rest + block)[:MAX_LINE_BYTES]
            continue
        data = b"".join((rest, memoryview(block)[:cut]))  # one copy, not two
        yield _one_line_end(data) if returns else data
        rest = block[cut:]
    if rest:
        data = _one_line_end(rest)
        yield data if data.endswith(b"\n") else data + b"\n"


def _behind_last_end(data: bytes) -> int:
    """Where the last line end stops that is one for sure: after a `\\r` a `\\n` may follow."""
    sure = data.rstrip(b"\r")
    return max(sure.rfind(b"\n"), sure.rfind(b"\r")) + 1


def _one_line_end(data: bytes) -> bytes:
    """The bytes with `\\n` for each line end. `\\r\\r\\n`, a mishap of conversion, is one."""
    data = data.replace(b"\r\n", b"\n")
    return re.sub(rb"\r+\n|\r", b"\n", data) if b"\r" in data else data
