"""The search of `c/hitting.c` in Python, for where there is no compiler, and to compare with.

Invariant: arguments and results are those of the compiled function; only the order may differ.
"""

from __future__ import annotations

from collections.abc import Callable

Ask = Callable[[bytes], "bytes | None"]
Found = Callable[[bytes, bytes], object]


def search(
    sets: bytes,
    parts: bytes,
    size: int,
    strict0: int,
    strict1: int,
    given: bytes,
    barred: bytes,
    ask: Ask | None,
    found: Found,
    poll: Callable[[], object],
    /,
) -> tuple[int, bytes]:
    """Nodes, and the sets that were learnt, 16 bytes each; `hitting.search` says the rest."""
    start = [int.from_bytes(sets[at : at + 16], "little") for at in range(0, len(sets), 16)]
    known = len(start)
    run = _Search(start, list(parts), size, (strict0, strict1), ask, found, poll)
    run.visit(int.from_bytes(given, "little"), int.from_bytes(barred, "little"))
    learnt = b"".join(_bytes(cells) for cells in run.sets[known:])
    return run.nodes, learnt


def _bytes(cells: int) -> bytes:
    return cells.to_bytes(16, "little")


class _Search:
    """Sets to hit, more and more of them, and how the cells are shared among the parts."""

    def __init__(
        self,
        sets: list[int],
        parts: list[int],
        size: int,
        strict: tuple[int, int],
        ask: Ask | None,
        found: Found,
        poll: Callable[[], object],
    ) -> None:
        self.sets, self.size, self.strict = sets, size, strict
        self.ask, self.found, self.poll = ask, found, poll
        self.parts = [sum(1 << c for c, part in enumerate(parts) if part == n) for n in range(3)]
        self.nodes = 0

    def visit(self, given: int, barred: int) -> None:
        """Find the hitting sets with these cells and without those."""
        self.nodes += 1
        self.poll()
        open_ = self._open(given, barred)
        left = sorted(
            (cells & open_ for cells in self.sets if not cells & given), key=int.bit_count
        )
        if not self._fits(given) or self._disjoint(left) > self.size - given.bit_count():
            return
        if not left:
            self._complete(given, barred)
        elif left[0]:
            self._branch(given, barred, left[0])

    def _branch(self, given: int, barred: int, choice: int) -> None:
        while choice:
            bit = choice & -choice
            self.visit(given | bit, barred)
            barred |= bit
            choice ^= bit

    def _complete(self, given: int, barred: int) -> None:
        """All known sets are hit: another one to go on with, or an answer."""
        other = self.ask(_bytes(given)) if self.ask else None
        if other is None:
            self.found(_bytes(given), _bytes(barred))
        else:
            self.sets.append(int.from_bytes(other, "little"))
            self.visit(given, barred)

    def _open(self, given: int, barred: int) -> int:
        """The cells of parts that may have one more, without the barred ones."""
        free = (part for part in self.parts if self._fits(given, part))
        return sum(free) & ~barred

    def _fits(self, given: int, one_more_in: int = 0) -> bool:
        """Whether some whole set has as many in each part, and the most in the last one."""
        *few, last = ((given & part).bit_count() + (part == one_more_in) for part in self.parts)
        rest = self.size - sum(few) - last
        return rest >= 0 and all(
            last + rest >= n + more for n, more in zip(few, self.strict, strict=True)
        )

    def _disjoint(self, sets: list[int]) -> int:
        """How many sets a greedy choice finds of which no two share a cell."""
        used = count = 0
        for cells in sets:
            if not cells & used:
                used |= cells
                count += 1
        return count
