"""The constraints of a text of Interactive Sudoku Solver, and which lines of a file are one text.

Invariant: every character of a text belongs to a constraint with a known name. Lines are one text
if they can be one puzzle, and several if they contradict each other; ambiguous lines are refused.

`.Replicate~TARGETS~R1C1 ... .End` states constraints that hold again and again, each time
elsewhere: what is inside is moved so that the origin (R1C1 unless stated) comes to lie on each
target. Targets are bits in base 64, six a character, the lowest first: the cells from the origin
on, row by row. `replicated` states each copy in full.

Of lines, constraints up to their End are never apart, and one thing; so is each given. Lines
contradict each other if two state a shape, if they give a cell two digits, or if one names a cell
beyond the shape that another states. What may be a puzzle by itself, as far as its form tells,
states two things or more: a text that shows a constraint a line is no list. In a list, anything
else may belong to the puzzle before it or to the one behind it: all three are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from ...model.board import Board
from ...model.clue import DEEPEST, ClueError
from ...runtime.errors import shown
from ..foreign import ForeignError, goes_on_iss
from . import clues, names
from .tables import bits_of

_KNOWN = frozenset((*clues.NAMES, *clues.OTHERS))
_ITEM = re.compile(r"\.\s*((?:\w\s*)*)((?:~[^.~]*)*)")
_NESTED = ", ".join(f".{name}" for name in clues.NESTED)


class Item(NamedTuple):
    """A constraint as it is written; column: where it begins in the text, from 1. inside: what
    stands up to its End, if it is an Or, an And or a Replicate."""

    name: str
    args: names.Args
    column: int
    inside: tuple[Item, ...] = ()


def read_items(text: str) -> list[Item]:
    """The constraints of a text, all of known names."""
    return _nested(iter(_flat_items(text)), None)


def _nested(items: Iterator[Item], around: Item | None, depth: int = 0) -> list[Item]:
    """The constraints up to the End of the one around them, or to the last one."""
    found: list[Item] = []
    for item in items:
        if item.name == "End" and around:
            return found
        if item.name == "End":
            raise ForeignError(f"found .End, expected {_NESTED} before it", column=item.column)
        if around and item.name in clues.OUTERMOST:
            raise ForeignError(f"found .{item.name} in .{around.name}", column=item.column)
        if item.name in clues.NESTED:
            if depth == DEEPEST:
                problem = f"expected at most {DEEPEST} of {_NESTED} within one another"
                raise ForeignError(problem, column=item.column)
            item = item._replace(inside=tuple(_nested(items, item, depth + 1)))
        found.append(item)
    if around:
        raise ForeignError(f".{around.name}: expected .End behind it", column=around.column)
    return found


def _flat_items(text: str) -> list[Item]:
    items, end = [], len(text) - len(text.lstrip())
    while end < len(text):
        match = _ITEM.match(text, end)
        if match is None:
            found = shown(text[end : end + 20])
            raise ForeignError(f"found '{found}', expected a dot and a constraint", column=end + 1)
        name, *args = "".join(match[0].split())[1:].split("~")
        if name not in _KNOWN:
            supported = ", ".join((*clues.NAMES, *clues.OTHERS[1:]))
            problem = f".{name[:30]} is not supported; supported: {supported}"
            raise ForeignError(problem, column=end + 1)
        items.append(Item(name, tuple(args), end + 1))
        end = match.end()
    return items


def marked(items: Sequence[Item]) -> list[Item]:
    """The constraints, those that another one marks with the mark behind their arguments."""
    marks: dict[str, str] = {}
    for item in items:
        if item.name in clues.MARKING:
            name, known = clues.MARKING[item.name]
            said = "".join(item.args)
            if said not in known:
                problem = f".{item.name}~{said[:20]}: expected {' or '.join(known)}"
                raise ForeignError(problem, column=item.column)
            marks[name] = known[said]
    return [_with_mark(item, marks) for item in items]


def _with_mark(item: Item, marks: Mapping[str, str]) -> Item:
    if item.inside:
        inside = tuple(_with_mark(part, marks) for part in item.inside)
        return item._replace(inside=inside)
    mark = marks.get(item.name)
    return item._replace(args=(*(*item.args, "", "")[:3], mark)) if mark else item


_MOST = 10_000  # constraints that a text may come to


def replicated(items: Sequence[Item], board: Board) -> list[Item]:
    """The constraints, with copies in the place of what makes them."""
    found: list[Item] = []
    for item in items:
        if not item.inside and item.name != "Replicate":
            found.append(item)
            continue
        if item.name == "Or":  # copies are one alternative together
            inside = [_together(replicated([part], board), part) for part in item.inside]
        else:
            inside = replicated(item.inside, board)
        if item.name == "Replicate":
            found += _copies(item, inside, board)
        else:
            found.append(item._replace(inside=tuple(inside)))
    return found


def spread(items: Sequence[Item]) -> list[Item]:
    """The constraints, those of an And in its place."""
    parts = (spread(item.inside) if item.name == "And" else [item] for item in items)
    return [part for some in parts for part in some]


def _together(copies: list[Item], part: Item) -> Item:
    """An alternative as one constraint."""
    return copies[0] if len(copies) == 1 else Item("And", (), part.column, tuple(copies))


def _copies(item: Item, within: list[Item], board: Board) -> Iterator[Item]:
    try:
        origin = names.cell_named(item.args[1], board) if len(item.args) > 1 else 0
        targets = [origin + i for i, bit in enumerate(bits_of(item.args[0])) if bit]
        if len(targets) * len(within) > _MOST:
            raise ClueError(f"more than {_MOST:,} constraints")
        for target in targets:
            if target >= board.cells:
                raise ClueError("a target lies outside the board")
            for part in within:
                yield _moved(part, origin, target, board)
    except IndexError:
        raise ForeignError(".Replicate: arguments are missing", column=item.column) from None
    except ClueError as error:
        raise ForeignError(f".Replicate: {error}", column=item.column) from None


def _moved(item: Item, origin: int, target: int, board: Board) -> Item:
    if item.name in clues.OUTSIDE:
        raise ClueError(f".{item.name} cannot be moved")
    inside = tuple(_moved(part, origin, target, board) for part in item.inside)
    args = tuple(_moved_arg(arg, origin, target, board) for arg in item.args)
    return item._replace(args=args, inside=inside)


def _moved_arg(arg: str, origin: int, target: int, board: Board) -> str:
    """A cell, with the digits behind it, as many rows and columns further; anything else as it
    is."""
    name, mark, digits = arg.partition("_")
    found = names.find_cell(name, board)
    if found is None:
        return arg
    cell, here, there = (names.spot_of(cell, board) for cell in (found, origin, target))
    if not cell.layer == here.layer == there.layer:
        raise ClueError(f"{arg[:20]} and the target do not lie in the same layer")
    moved = cell.moved(there.row - here.row, there.column - here.column)
    if moved not in names.cell_of_spot(board):
        raise ClueError(f"{arg[:20]} would lie outside the board")
    return names.cell_name(names.cell_of_spot(board)[moved], board) + mark + digits


_ANY_ITEM = re.compile(r"\.\s*+(\w*+)\s*+((?:~[^.~]*+)*+)")
_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})")
_USUAL = 9  # the size where none is stated
HOW_TO_TELL = "--input-format lines (a puzzle a line) or whole (one puzzle)"


class Line(NamedTuple):
    """A line of a file; after_blank: whether an empty one stands before it."""

    number: int
    text: str
    after_blank: bool = False


class Part(NamedTuple):
    """Successive lines: a puzzle, or what is wrong with them if `problem` says so."""

    lines: Sequence[Line]
    problem: str = ""

    @property
    def text(self) -> str:
        """The lines as they stand in the file: between them are lines that hold nothing."""
        first = self.lines[0].number
        texts = [""] * (self.lines[-1].number - first + 1)
        for line in self.lines:
            texts[line.number - first] = line.text
        return "\n".join(texts)


class _Stated(NamedTuple):
    """What some lines state: how many shapes and of what size, the last row or column that they
    name, the digits of given cells, and how many things."""

    shapes: int
    size: int
    reach: int
    givens: frozenset[tuple[str, str]]
    things: int


class _Unit(NamedTuple):
    """Lines that are never apart, and what they state."""

    lines: tuple[Line, ...]
    states: _Stated


def parts_of(lines: Sequence[Line], *, apart: bool = False) -> list[Part]:
    """The puzzles of successive lines, comments left out; apart: whether lines before these
    contradicted each other."""
    units = [_Unit(some, _stated(some)) for some in _whole_items(lines)]
    blocks = _blocks(units)
    if not apart and not _contradict(units):
        if _may_be_list(units) or (len(blocks) > 1 and _may_be_list([*map(_joined, blocks)])):
            return [_refused(lines)]
        return [Part(lines)]
    if len(blocks) == 1:
        return _listed([[unit] for unit in units])
    return _listed(blocks)


def _listed(blocks: Sequence[Sequence[_Unit]]) -> list[Part]:
    """Each block by itself, but for those that may belong to one another."""
    weak = [_joined(block).states.things < 2 for block in blocks]
    near = [any(weak[max(at - 1, 0) : at + 2]) for at in range(len(blocks))]
    found: list[Part] = []
    for is_near, group in groupby(zip(near, blocks, strict=True), lambda pair: pair[0]):
        some = [block for _, block in group]
        if is_near and len(blocks) > 1:
            found.append(
                _refused([line for block in some for unit in block for line in unit.lines])
            )
        else:
            found += [part for block in some for part in _block_parts(block)]
    return found


def _block_parts(block: Sequence[_Unit]) -> list[Part]:
    """The puzzles of lines without an empty one between them, in a file of several puzzles."""
    lines = _joined(block).lines
    if len(block) == 1:
        return [Part(lines)]
    if _contradict(block):
        return _listed([[unit] for unit in block])
    return [_refused(lines) if _may_be_list(block) else Part(lines)]


def _refused(lines: Sequence[Line]) -> Part:
    first, last = lines[0].number, lines[-1].number
    return Part(lines, f"lines {first} to {last}, one puzzle or several")


def _joined(units: Sequence[_Unit]) -> _Unit:
    states = [unit.states for unit in units]
    return _Unit(
        tuple(line for unit in units for line in unit.lines),
        _Stated(
            sum(one.shapes for one in states),
            next((one.size for one in states if one.shapes), _USUAL),
            max(one.reach for one in states),
            frozenset().union(*(one.givens for one in states)),
            sum(one.things for one in states),
        ),
    )


def _blocks(units: Sequence[_Unit]) -> list[list[_Unit]]:
    """The units between empty lines."""
    blocks: list[list[_Unit]] = []
    for unit in units:
        if not blocks or unit.lines[0].after_blank:
            blocks.append([])
        blocks[-1].append(unit)
    return blocks


def _contradict(units: Sequence[_Unit]) -> bool:
    """Whether they cannot be one puzzle, though each may be one."""
    shapes = [unit.states.size for unit in units if unit.states.shapes]
    if len(shapes) > 1:
        return True
    digits: dict[str, str] = {}
    for unit in units:
        if shapes and not unit.states.shapes and unit.states.reach > shapes[0]:
            return True
        if any(digits.setdefault(cell, digit) != digit for cell, digit in unit.states.givens):
            return True
    return False


def _may_be_list(units: Sequence[_Unit]) -> bool:
    """Whether each, of some that can be one puzzle, may be a puzzle by itself.

    A shape that one states is that of all, unless it is a large one and the others are on 9x9.
    """
    if len(units) < 2 or any(unit.states.things < 2 for unit in units):
        return False
    others = [unit.states for unit in units if not unit.states.shapes]
    size = max((unit.states.size for unit in units if unit.states.shapes), default=0)
    return not size or (size > _USUAL and all(states.reach <= _USUAL for states in others))


def _whole_items(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """The lines, those together that arguments, or constraints up to their End, run on over."""
    change = [0] * (len(lines) + 1)  # in the number of constraints that run on from the line before
    begun: list[int] = []
    for at, line in enumerate(lines):
        if goes_on_iss(line.text):
            change[at], change[at + 1] = change[at] + 1, change[at + 1] - 1
        for name, _ in _items(line.text):
            if name in clues.NESTED:
                begun.append(at)
            elif name == "End" and begun:
                change[begun.pop() + 1] += 1
                change[at + 1] -= 1
    open_ones = accumulate(change[:-1])
    starts = [at for at, count in enumerate(open_ones) if at == 0 or count == 0]
    for start, stop in pairwise([*starts, len(lines)]):
        yield tuple(lines[start:stop])


def _items(text: str) -> list[tuple[str, str]]:
    """The names and the arguments of the constraints of a text, known or not."""
    return [(match[1], match[2]) for match in _ANY_ITEM.finditer(text) if match[1] or match[2]]


def _stated(lines: Sequence[Line]) -> _Stated:
    """What some lines state, those up to an End as one thing."""
    shapes, size, reach, things, depth = 0, _USUAL, 0, 0, 0
    givens: set[tuple[str, str]] = set()
    for name, args in _items("".join(line.text for line in lines)):
        reach = max(
            (reach, *(names.PLACES.index(x.lower()) for c in names.CELL.findall(args) for x in c))
        )
        things += depth == 0
        if name == "End":
            depth = max(depth - 1, 0)
        elif name in clues.NESTED:
            depth += 1
        elif name in ("", "Given") and not depth:
            stated = [arg.split("_") for arg in "".join(args.split()).upper().split("~")[1:]]
            things += len(stated) - 1
            givens |= {(arg[0], arg[1]) for arg in stated if len(arg) == 2}
        elif name == "Shape":
            first = _SHAPE.search(args)
            shapes, size = shapes + 1, max(map(int, first.groups())) if first else _USUAL
    return _Stated(shapes, size, reach, frozenset(givens), things)
