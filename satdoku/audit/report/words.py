"""Format numbers and untrusted text for people.

Invariant: rounding never hides anything: a share above 0 is never shown as 0 %, and a share below
100 % is never shown as 100 %.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ...errors import shown

NAME_WIDTH, PATH_WIDTH, HEADING_WIDTH, ID_WIDTH, DETAIL_WIDTH = 40, 80, 60, 40, 200  # characters


_BARS = " ▁▂▃▄▅▆▇█"


def percent(part: int, whole: int) -> str:
    """`part` of `whole` in per cent, precise to two digits of its distance to 0 % or 100 %."""
    if whole <= 0:
        return ""
    least = min(part, whole - part)
    decimals = max(0, 1 - math.floor(math.log10(100 * least / whole))) if least > 0 else 0
    text = f"{100 * part / whole:.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + " %"


def duration(seconds: float) -> str:
    """The time in seconds, minutes or hours, whichever fits best."""
    for unit, length in (("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.1f} {unit}"
    return f"{seconds:.1f} s"


def plural(count: int, word: str) -> str:
    """`1 row`, `1,000 rows`."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def capitalised(text: str) -> str:
    """The text with a capital first letter; the rest is unchanged."""
    return text[:1].upper() + text[1:]


def compact(count: int) -> str:
    """A count for an axis label, rounded down: 8,192, 65 k, 1 M."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if count >= max(size, 10**4):
            return f"{count // size} {unit}"
    return f"{count:,}"


def shorten(text: str, width: int = NAME_WIDTH) -> str:
    """At most `width` visible characters; the middle of a longer text is cut out."""
    if len(text) > 2 * width:  # read only the ends of a very long text
        text = text[:width] + text[-width:]
    text = shown(text)
    tail = width // 2
    return text if len(text) <= width else f"{text[: width - tail - 1]}…{text[-tail:]}"


def bars(counts: Sequence[int]) -> str:
    """A character for each count, as high as its share of the largest; a blank only for 0."""
    top = max(counts, default=0)
    return "".join(_BARS[-(-(len(_BARS) - 1) * count // top)] if count else " " for count in counts)


def median(histogram: Mapping[int, int]) -> int:
    """The lower median of the rows; the histogram must not be empty."""
    middle = (sum(histogram.values()) + 1) // 2
    for entry in sorted(histogram):
        middle -= histogram[entry]
        if middle <= 0:
            return entry
    raise ValueError("an empty histogram has no median")
