"""Lists of different lengths as two arrays, the form in which the kernel reads everything.

Invariant: list i is members[starts[i]:starts[i + 1]]; what its numbers mean, the plan tells. No
numpy, so that one puzzle costs no import of it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

Lists = list[list[int]]


@dataclass(frozen=True, eq=False)
class Ragged:
    """starts: (lists + 1,) offsets; members: (total,) numbers of all lists together. C ints."""

    starts: array[int]
    members: array[int]

    @staticmethod
    def of(lists: Iterable[Sequence[int]]) -> Ragged:
        kept = list(lists)
        starts = array("i", accumulate(map(len, kept), initial=0))
        return Ragged(starts, array("i", chain.from_iterable(kept)))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def lists(self) -> Lists:
        """The same as plain lists."""
        return [self.members[a:b].tolist() for a, b in pairwise(self.starts)]


def joined(parts: Iterable[Ragged]) -> Ragged:
    """The lists of all parts, one part after another."""
    whole = Ragged(array("i", [0]), array("i"))
    for part in parts:
        before = len(whole.members)
        whole.starts.extend(before + start for start in part.starts[1:])
        whole.members.extend(part.members)
    return whole
