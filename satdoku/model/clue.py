"""A clue: a constraint at certain cells, and its text.

Invariant: a clue is data. This module knows how clues are written, not what any kind of them means.

    cage=15:r1c1,r1c2          kind, value and cells
    thermo:r1c1,r2c1,r3c2      a kind without a value
    clone:r1c1,r1c2>r5c5,r5c6  several groups of cells
    taxicab                    a kind that holds on the whole board
    or:(odd:r1c1),(x:r1c1,r2c1)  a kind of other clues, each in parentheses

Cells are r1c1 to r9c9. `row3`, `col4`, `box5`, `falling` and `rising` (the main diagonals) stand
for their cells; with `-` before it, `-row3` is the same from the far end. A range `r1c1-r1c5` is a
straight line, level, upright or diagonal.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import NamedTuple, TypeVar

from ..runtime.errors import SatdokuError, shown
from .board import Board, Cells

try:
    from . import _clues
except ImportError:  # built without a compiler
    AVAILABLE = False
else:
    AVAILABLE = True

_CELL = re.compile(r"r(\d{1,2})c(\d{1,2})")
_HOUSE = re.compile(r"(row|col|box)(\d{1,2})")
_PARTS = re.compile(r"[(),]")  # what tells where a clue in parentheses ends
DIAGONALS = "falling", "rising"
_LONGEST = 40  # an error repeats at most this many characters
DEEPEST = 20  # clues within one another
# What the order of the cells in a group says.
SET, LINE, PATH = "set", "line", "path"  # nothing; which cells follow another; and where it begins


class ClueError(SatdokuError):
    """A clue that cannot be read, or that cannot hold on its board."""


class OutOfReachError(ClueError):
    """A clue that no digits of its board meet, wherever its cells lie."""


class Clue(NamedTuple):
    """A kind, its groups of cells (0-based), its value as text, which may be empty, and the clues
    that it is made of, if it is."""

    kind: str
    groups: tuple[Cells, ...]
    value: str = ""
    parts: tuple[Clue, ...] = ()

    @property
    def cells(self) -> Cells:
        """The cells of all groups, or of all parts."""
        if len(self.groups) == 1:
            return self.groups[0]
        return tuple(chain(*self.groups, *(part.cells for part in self.parts)))

    def text(self, board: Board) -> str:
        """The text that `read_clue` reads back."""
        groups = groups_text(self.groups, board)
        parts = ",".join([f"({text_of(part, board)})" for part in self.parts])
        return f"{self.head}:{groups}{parts}" if groups or parts else self.head

    @property
    def head(self) -> str:
        """What stands before its cells: kind and value."""
        return f"{self.kind}={self.value}" if self.value else self.kind


def depth_of(clue: Clue) -> int:
    """How many clues within one another it has."""
    return 1 + max(map(depth_of, clue.parts)) if clue.parts else 0


@lru_cache(maxsize=4096)  # readers sort clues by it, and those that these are parts of
def text_of(clue: Clue, board: Board) -> str:
    """The text of a clue."""
    return clue.text(board)


@lru_cache(maxsize=8192)
def read_clue(text: str, board: Board, depth: int = 0) -> Clue:
    """The clue of a text, whatever its kind; raises `ClueError` for cells that are not there.

    depth: how many clues it stands in.
    """
    head, colon, places = text.strip().partition(":")
    kind, _, value = head.partition("=")
    kind, value = kind.strip().lower(), value.strip()
    if places.lstrip().startswith("("):
        if depth == DEEPEST:
            raise ClueError(f"expected at most {DEEPEST} clues within one another")
        parts = tuple(read_clue(part, board, depth + 1) for part in _in_parentheses(places))
        return Clue(kind, (), value, parts)
    groups = tuple([_group(group, board) for group in places.split(">")]) if colon else ()
    if colon and not all(groups):
        raise ClueError("expected cells after ':' and '>', such as r1c1,r1c2")
    return Clue(kind, groups, value)


def spelled(text: str, board: Board) -> tuple[str, tuple[Cells, ...]] | None:
    """What stands before the cells of a clue, and its groups; None if a cell stands there twice,
    and where there are other clues or other words than cells. It says nothing of the kind."""
    head, _, places = text.partition(":")
    try:
        groups = tuple([_group(part, board) for part in places.split(">")])
    except ClueError:
        return None
    if len(groups) == 1:
        return (head, groups) if 0 < len({*groups[0]}) == len(groups[0]) else None
    sizes = [*map(len, groups)]
    return (head, groups) if 0 not in sizes and len({*chain(*groups)}) == sum(sizes) else None


T = TypeVar("T")
Forms = dict[
    str, tuple[str, str, T]
]  # by `form_key`: how all write the head; the order; what is so
MOST_FORMS = 4096  # of a board that are kept
Placed = tuple[str, T, Cells]  # a clue as all write it, what is known of its form, and its cells


def form_key(head: str, sizes: Sequence[int]) -> str:
    """What clues have in common that begin so, with groups of so many cells."""
    return f"{head}:{'>'.join(map(str, sizes))}"


def keep_form(forms: Forms[T], head: str, sizes: Sequence[int], form: tuple[str, str, T]) -> None:
    """Keep what is known of clues that begin so; where there are many forms, forget the others."""
    if len(forms) == MOST_FORMS:
        forms.clear()
    forms[form_key(head, sizes)] = form


def placed(
    texts: Sequence[str], board: Board, forms: Mapping[str, tuple[str, str, T]]
) -> list[Placed[T] | None]:
    """Clues of known forms; None for others, and where `spelled` tells nothing. C leaves also those
    to Python that name more than single cells."""
    if AVAILABLE and texts:
        return _clues.placed(_names(board), texts, forms)
    return [placed_one(text, board, forms) for text in texts]


def held(
    texts: Sequence[str], board: Board, forms: Mapping[str, tuple[str, str, T]], grid: bytes
) -> list[tuple[T, tuple[int, ...]] | None]:
    """What is known of the forms of clues, whose cells stand in their order, and what these cells
    hold in a grid; None as of `placed`."""
    if AVAILABLE:
        return _clues.placed(_names(board), texts, forms, grid)
    found = (placed_one(text, board, forms) for text in texts)
    return [each and (each[1], tuple([grid[cell] for cell in each[2]])) for each in found]


def placed_one(
    text: str, board: Board, forms: Mapping[str, tuple[str, str, T]]
) -> Placed[T] | None:
    """The same of one clue, in Python."""
    found = spelled(text, board)
    form = found and forms.get(form_key(found[0], [*map(len, found[1])]))
    if not found or form is None:
        return None
    return put(form, found[1], board)


def put(form: tuple[str, str, T], groups: Iterable[Cells], board: Board) -> Placed[T]:
    """A clue of a form on its groups of cells."""
    head, order, known = form
    groups = tuple([ordered(group, order) for group in groups])
    return f"{head}:{groups_text(groups, board)}", known, tuple(chain(*groups))


@lru_cache(maxsize=64)
def _names(board: Board) -> _clues.Names:
    """The names of cells and lines as the C code keeps them."""
    return _clues.names(board.names, board.line_names)


def ordered(group: Cells, order: str) -> Cells:
    """The cells as all write them to whom their order says so much."""
    if order == SET:
        return tuple(sorted(group))
    return min(group, group[::-1]) if order == LINE else group


@lru_cache(maxsize=1024)
def counted_off(sizes: tuple[int, ...]) -> tuple[Cells, ...]:
    """Groups of so many cells each, the first cells of a board."""
    ends = [*accumulate(sizes)]
    return tuple(tuple(range(end - size, end)) for size, end in zip(sizes, ends, strict=True))


def _in_parentheses(text: str) -> Iterator[str]:
    """What stands in each of the outer parentheses, between which there are commas."""
    depth = start = 0
    for found in _PARTS.finditer(f"{text},"):
        character, place = found[0], found.start()
        depth += (character == "(") - (character == ")")
        if depth == 0 and character == ",":
            part = text[start:place].strip()
            if not (part.startswith("(") and part.endswith(")")):
                raise ClueError(f"'{_cut(part)}': expected a clue in parentheses, as in (odd:r1c1)")
            yield part[1:-1]
            start = place + 1
    if depth:
        raise ClueError(f"'{_cut(text[start:].strip())}': expected as many ')' as '('")


def _group(text: str, board: Board) -> Cells:
    """The cells of a group in the order in which they are written."""
    known = board.cell_named
    try:
        return tuple([known[word] for word in text.split(",")])
    except KeyError:  # other cells than single ones, or none
        return tuple(_cells(text, board))


def _cells(text: str, board: Board) -> Iterator[int]:
    """The same where some words name several cells, or begin with spaces or capitals."""
    for word in filter(None, (part.strip().lower() for part in text.split(","))):
        backwards = word.startswith("-")
        cells = _place(word.lstrip("-"), board)
        yield from reversed(cells) if backwards else cells


def _place(word: str, board: Board) -> Cells:
    layer, dot, where = word.partition(".")
    if dot:
        return _of_layer(layer, where, board)
    if word in board.cell_named:
        return (board.cell_named[word],)
    if word in board.first_of:
        start = board.first_of[word]
        return tuple(range(start, start + board.size_of(word)))
    first, dash, last = word.partition("-")
    if dash:
        return _line(_cell(first, board), _cell(last, board), board, word)
    if house := _HOUSE.fullmatch(word):
        houses = {"row": board.rows, "col": board.columns, "box": board.boxes}[house[1]]
        if not houses:
            raise ClueError(f"{word}: the board has no boxes")
        if not 1 <= int(house[2]) <= len(houses):
            raise ClueError(f"{word} is outside the board of {board.shape}")
        return houses[int(house[2]) - 1]
    return board.diagonals[word] if word in DIAGONALS else (_cell(word, board),)


def _of_layer(name: str, where: str, board: Board) -> Cells:
    """The cells of a layer: of `shade.row1`, of `a.2`."""
    layer = next((layer for layer in board.layers if layer.name == name), None)
    if layer is None:
        known = ", ".join(layer.name for layer in board.layers) or "none"
        raise ClueError(f"'{_cut(name)}' names no layer: there is {known}")
    if not layer.free:
        return tuple(board.first_of[name] + cell for cell in _place(where, board))
    cell = board.cell_named.get(f"{name}.{where}")
    if cell is None:
        known = name if layer.free == 1 else f"{name}.1 to {name}.{layer.free}"
        raise ClueError(f"{name}.{_cut(where)}: expected {known}")
    return (cell,)


def _cell(word: str, board: Board) -> int:
    match = _CELL.fullmatch(word)
    if match is None:
        raise ClueError(f"'{_cut(word)}' names no cell: expected r1c1, row1, col1 or box1")
    cell = board.cell_at.get((int(match[1]) - 1, int(match[2]) - 1))
    if cell is None:
        raise ClueError(f"{word} is outside the board of {board.shape}")
    return cell


def _line(first: int, last: int, board: Board, word: str) -> Cells:
    (top, left), (bottom, right) = board.places[first], board.places[last]
    down, across = bottom - top, right - left
    steps = max(abs(down), abs(across))
    if 0 not in (down, across) and abs(down) != abs(across):
        raise ClueError(f"{word} is no straight line: name its cells one by one")
    row, column = _sign(down), _sign(across)
    places = [(top + row * i, left + column * i) for i in range(steps + 1)]
    if not all(place in board.cell_at for place in places):
        raise ClueError(f"{word} runs over a place without a cell")
    return tuple(board.cell_at[place] for place in places)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def read_cells(text: str, board: Board) -> Cells:
    """The cells that words between commas name; raises `ClueError`."""
    return _group(text, board)


def groups_text(groups: tuple[Cells, ...], board: Board) -> str:
    """The cells of a clue, as it is written."""
    if len(groups) == 1:
        return _group_text(groups[0], board)
    return ">".join([_group_text(group, board) for group in groups])


def _group_text(group: Cells, board: Board) -> str:
    """A whole line by its name, other groups cell by cell."""
    if len(group) > 1 and board.layers and (name := board.layer_of(group)):
        return name
    if name := board.line_names.get(group):
        return name
    names = board.names
    return ",".join([names[cell] for cell in group])


def _cut(text: str) -> str:
    return shown(text[:_LONGEST])


def split_rules(text: str) -> Iterator[str]:
    """The words of a rule set: names separated by commas, clues by semicolons or ends of line."""
    for part in cut_in_python(text, ())[0]:
        yield from words_of(part)


def cut(text: str, kinds: Container[str]) -> tuple[list[str], bytes]:
    """What stands between semicolons and ends of line, and of each part 1 if it begins a clue with
    cells, of one of these kinds, written as we do."""
    if AVAILABLE and text.isascii():
        return _clues.split(text, kinds)
    return cut_in_python(text, kinds)


def cut_in_python(text: str, kinds: Container[str]) -> tuple[list[str], bytes]:
    """The same in Python, of any text."""
    parts = [*filter(None, map(str.strip, text.replace("\n", ";").split(";")))]
    heads = (part.partition(":") for part in parts)
    begin = (bool(colon) and head.partition("=")[0] in kinds for head, colon, _ in heads)
    return parts, bytes(begin)


def words_of(part: str) -> Iterator[str]:
    """The words of such a part: one clue, or names between commas."""
    return iter((part,)) if ":" in part else filter(None, map(str.strip, _values_kept(part)))


def _values_kept(part: str) -> list[str]:
    """Names between commas; a number after a comma continues the value before it."""
    return re.split(r",(?!\s*-?\d+(?:x\d+)?\s*(?:,|$))", part)
