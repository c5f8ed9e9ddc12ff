"""Name numbers, cells and clues in words.

Invariant: a name tells which cells are meant, by the board alone. A clue is called what people call
it, as its kind says, and stands where people say that it does: in row 7, at r1c1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ..model.board import Board, Cells
from ..model.clue import PATH, SET, Clue
from ..model.kinds import KINDS
from ..model.kinds.kind import Number

LINE = 3  # so many cells behind one another are named by the first and the last
NUMBERS = ("no", *"one two three four five six seven eight nine ten eleven twelve".split())  # noqa: SIM905
NAMED = 1 << 14  # sets of cells whose names are remembered
LONGEST = 30  # characters of a clue's value in its name


def listed(words: Iterable[object], joint: str = " and ") -> str:
    """`a, b and c`."""
    *first, last = map(str, words)
    return f"{', '.join(first)}{joint}{last}" if first else last


def either(words: Iterable[object]) -> str:
    """`a, b or c`."""
    return listed(words, " or ")


def number(count: int) -> str:
    """`three`; in digits if it is large."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def cells_named(board: Board, cells: Iterable[int]) -> str:
    """`r1c1, r1c3-r1c6 and r2c2`: ascending, those in a row or column by their ends."""
    return _named(board, tuple(sorted(set(cells))))


@lru_cache(maxsize=NAMED)
def _named(board: Board, cells: Cells) -> str:
    """The same cells are told again and again."""
    return listed(_spans(board, cells))


def _spans(board: Board, cells: Sequence[int]) -> Iterator[str]:
    if len(cells) < LINE:
        yield from map(board.name_of, cells)
        return
    spans: dict[int, Cells] = {}
    left = set(cells)
    for line in sorted(_lines(board, cells), key=len, reverse=True):
        if left.issuperset(line):
            spans[line[0]] = line
            left.difference_update(line)
    spans.update((cell, (cell,)) for cell in left)
    for first, span in sorted(spans.items()):
        last = board.name_of(span[-1]).rpartition(".")[2]  # without its layer
        yield board.name_of(first) + (f"-{last}" if len(span) > 1 else "")


def _lines(board: Board, cells: Sequence[int]) -> Iterator[Cells]:
    """The stretches of `LINE` cells and more in rows and in columns."""
    places = {cell: _place(board, cell) for cell in cells}
    at = {place: cell for cell, place in places.items()}
    for cell, (layer, row, column) in places.items():
        for down, across in ((0, 1), (1, 0)):
            if (layer, row - down, column - across) in at:
                continue
            line = [cell]
            while (layer, row + down * len(line), column + across * len(line)) in at:
                line.append(at[layer, row + down * len(line), column + across * len(line)])
            if len(line) >= LINE:
                yield tuple(line)


def _place(board: Board, cell: int) -> tuple[str, int, int]:
    """The layer, row and column of a cell; a variable of its own is beside no other."""
    layer = board.layer_at(cell)
    if layer is None:
        return "", *board.places[cell]
    if layer.free:
        return layer.name, -2 * cell, -2 * cell
    return layer.name, *board.places[cell - board.first_of[layer.name]]


def clue_label(clue: Clue, board: Board, *, is_long: bool = False) -> str:
    """`thermo r1c1-r5c1`, `15 cage at r1c1`, `sandwich 16 in row 7`; a long value is left out. Of
    several clues, theirs. is_long: with the last cell of a clue that its first one names."""
    if clue.parts:
        labels = [clue_label(part, board) for part in clue.parts]
        several = zip(clue.parts, labels, strict=True)
        return f" {clue.kind} ".join(f"({said})" if part.parts else said for part, said in several)
    noun = noun_of(clue, board)
    if not clue.groups:
        return noun
    if layer := board.layer_of(clue.cells):
        return f"{noun} in {layer}"
    if len(clue.groups) == 1 and (line := _line_named(clue, board)):
        return f"{noun} in {line}"
    cells, order = clue.cells, KINDS[clue.kind].order
    spans = cells_named(board, cells) if order == SET and len(clue.groups) == 1 else ""
    in_order = len(clue.groups) == 1 and order != SET
    first, last = board.name_of(cells[0]), board.name_of(cells[-1])
    whole = f"{first}-{last}" if in_order or len(cells) == 2 or is_long else ""
    place = first if len(cells) == 1 else whole or ("" if "," in spans or " " in spans else spans)
    return f"{noun} {'' if place and noun[-1].isalpha() else 'at '}{place or first}"


def noun_of(clue: Clue, board: Board) -> str:
    """What people call the clue: `black dot`, `15 cage`, `whisper`."""
    kind = KINDS[clue.kind]
    spoken, value = kind.spoken, clue.value if len(clue.value) <= LONGEST else ""
    if value in spoken.nouns and len(clue.cells) in (0, 2):
        return spoken.nouns[value]
    name = spoken.noun or kind.name
    if "{value}" in name:
        return name.format(value=value).strip()
    usual = kind.value.default if isinstance(kind.value, Number) else None
    goes_without = usual and clue.groups and value == str(usual(len(board.digits)))
    return name if goes_without else f"{name} {value}".strip()


def _line_named(clue: Clue, board: Board) -> str:
    """`row 7`, with the end from which a path begins; empty if it is no whole line."""
    kind, rows_and_columns = KINDS[clue.kind], board.line_numbers
    if kind.near or len(clue.cells) < LINE:  # it is drawn from cell to cell
        return ""
    ends = (("row", "from the left", "from the right"), ("column", "from above", "from below"))
    for (noun, *sides), numbers in zip(ends, rows_and_columns, strict=True):
        for cells, side in zip((clue.cells, clue.cells[::-1]), sides, strict=True):
            if cells in numbers:
                name = f"{noun} {numbers[cells]}"
                return f"{name} {side}" if kind.order == PATH else name
    return ""


def told_together(phrases: Iterable[str]) -> str:
    """Phrases that begin with a cell: cells of which the same is said come together, as in `r1c1
    and r1c2 are both odd`."""
    cells: dict[str, list[str]] = {}
    for phrase in phrases:
        cell, _, said = phrase.partition(" ")
        cells.setdefault(said, []).append(cell)
    for names in cells.values():
        names.sort(key=lambda name: (len(name), name))
    told = [f"{listed(names)} {_of_several(said, len(names))}" for said, names in cells.items()]
    return listed(told, ", and " if any(", " in each for each in told) else " and ")


def _of_several(said: str, count: int) -> str:
    if count == 1 or not said.startswith("is "):
        return said
    return f"are {'both' if count == 2 else 'all'} {said.removeprefix('is ')}"


def plural(noun: str) -> str:
    return f"{noun}es" if noun.endswith(("x", "s")) else f"{noun}s"


def houses_named(labels: Iterable[str]) -> str:
    """`rows 1 and 2`; `row 1 and boxes 2, 3 and 5`."""
    kinds: dict[str, list[str]] = {}
    for label in labels:
        kind, _, place = label.rpartition(" ")
        kinds.setdefault(kind, []).append(place)
    return listed(
        f"{plural(kind)} {listed(places)}" if len(places) > 1 else f"{kind} {places[0]}".strip()
        for kind, places in kinds.items()
    )


def article(number: int) -> str:
    """`an` before 8, 11 and 18."""
    return "an" if str(number).startswith("8") or number in (11, 18) else "a"
