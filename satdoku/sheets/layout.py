"""Where everything stands on the pages of a sheet: puzzles in rows, text below each grid.

Invariant: nothing overlaps and nothing leaves the page. Grids give way to the text below them, down
to `LEAST` of their usual side; then fewer go on a page; text that would need more than a page goes
to pages of its own, right behind.

Lengths are in points, 1/72 inch. `top` counts from the upper edge of what it lies in, downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

MARGIN = 42.0  # left, right, above and below
FOOTER = 16.0  # of that height is the line with the number of the page
GAP = 14.0  # between puzzles
PAD = 5.0  # between a grid and its text
LEAST = 0.55  # of the usual side, of a grid that gives way
PAPERS = {"A4": (595.28, 841.89), "Letter": (612.0, 792.0)}


class Style(NamedTuple):
    """How puzzles lie on a page: columns, rows, the font sizes of headings and of the rules, and
    the widest that a grid or a line of text gets."""

    columns: int
    rows: int
    heading: float
    words: float
    widest: float


STYLES = {
    1: Style(1, 1, 14, 10.5, 470),
    2: Style(1, 2, 12, 9.5, 400),
    4: Style(2, 2, 10.5, 8.5, 300),
    6: Style(2, 3, 9.5, 7.5, 300),
}


class Area(NamedTuple):
    """The part of each page that puzzles may fill."""

    width: float
    height: float


@dataclass(frozen=True)
class Block:
    """A puzzle to be placed. number: from 0; heading, words: paragraphs wrapped for its slot, each
    with its `height`; code: the side of its QR code, 0 without one; widest: the largest side of its
    grid; is_wide: whether that has more columns than rows; later: whether its words go to a page of
    their own."""

    number: int
    heading: Sequence[Any] = ()
    words: Sequence[Any] = ()
    code: float = 0
    widest: float = 1000
    is_wide: bool = False
    later: bool = False

    @property
    def head(self) -> float:
        return _height(self.heading)

    @property
    def foot(self) -> float:
        return max(_height(self.words), self.code)


@dataclass(frozen=True)
class Row:
    """Blocks side by side. head, foot: what the highest heading and the highest text take; least,
    widest: bounds of the side of the grids; side: what it is; height: of the row."""

    blocks: Sequence[Block]
    head: float
    foot: float
    least: float
    widest: float
    side: float = 0
    height: float = 0


@dataclass(frozen=True)
class Page:
    """Rows with their tops."""

    rows: Sequence[tuple[float, Row]]

    @property
    def later(self) -> list[Block]:
        """The blocks whose words come on the next pages."""
        return [block for _, row in self.rows for block in row.blocks if block.later]


def slot_width(area: Area, style: Style) -> float:
    """The width that a puzzle has."""
    return (area.width - GAP * (style.columns - 1)) / style.columns


def pages(
    blocks: Iterable[Block], area: Area, style: Style, later: Sequence[Any]
) -> Iterator[Page]:
    """The blocks in order, page by page; `later` stands for words that are put off."""
    rows: list[Row] = []
    for some in _chunks(blocks, style.columns):
        row = _row(some, area, style, later)
        if len(rows) == style.rows or not _fit([*rows, row], area):
            yield _page(rows, area, style)
            rows = []
        rows.append(row)
    yield _page(rows, area, style)


def _row(blocks: Sequence[Block], area: Area, style: Style, later: Sequence[Any]) -> Row:
    """Blocks side by side; words for which even a page has no room are put off."""
    limit = max(block.widest for block in blocks)
    widest = min(slot_width(area, style), style.widest, limit)
    head = max(block.head for block in blocks)
    least = LEAST * min(widest, _usual(area, style))
    room = area.height - head - least - PAD
    placed = [b if b.foot <= room else replace(b, words=later, later=True) for b in blocks]
    foot = max(block.foot for block in placed)
    return Row(placed, head, foot + (PAD if foot else 0), least, widest)


def _usual(area: Area, style: Style) -> float:
    """The height of a row of a full page."""
    return (area.height - GAP * (style.rows - 1)) / style.rows


def _fit(rows: Sequence[Row], area: Area) -> bool:
    """Whether rows fit on a page if their grids give way."""
    lowest = sum(row.head + row.least + row.foot for row in rows)
    return len(rows) == 1 or lowest + GAP * (len(rows) - 1) <= area.height


def _page(rows: Sequence[Row], area: Area, style: Style) -> Page:
    """The rows with grids as large as there is room for, and what is left spread evenly."""
    lowest = sum(row.head + row.least + row.foot for row in rows)
    room = _usual(area, style) * len(rows)
    if lowest > room:
        room = area.height - GAP * (len(rows) - 1)
    left = room - sum(row.head + row.foot for row in rows)
    sides: dict[int, float] = {}
    for done, (number, row) in enumerate(sorted(enumerate(rows), key=lambda r: r[1].widest)):
        sides[number] = min(row.widest, left / (len(rows) - done))
        left -= sides[number]
    placed, top = [], 0.0
    for number, row in enumerate(rows):
        height = row.head + sides[number] + row.foot + left / len(rows)
        placed.append((top, replace(row, side=sides[number], height=height)))
        top += height + GAP
    return Page(placed)


def _chunks(blocks: Iterable[Block], size: int) -> Iterator[list[Block]]:
    waiting = iter(blocks)
    while some := list(islice(waiting, size)):
        yield some


def _height(paragraphs: Sequence[Any]) -> float:
    return float(sum(paragraph.height for paragraph in paragraphs))
