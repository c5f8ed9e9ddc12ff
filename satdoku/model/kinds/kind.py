"""What a kind of clue is: how it is written, what it forbids, and how it appears.

Invariant: a kind is one entry of a table in this folder. Other code knows no kind by its name; the
witnesses, which state each kind a second time, are the exception.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from operator import mul
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from ...runtime.errors import counted
from ..appearance import OUTLINED, Foreign, Look
from ..automata import Join
from ..board import Board, Cells, written
from ..clue import LINE, SET, Clue, ClueError, OutOfReachError, ordered, text_of
from ..sentences import told_sentence
from ..shapes import Automaton, Shape, Total
from .formulas import Formula
from .patterns import Pattern, Transitions

Allowed = Callable[[int, int], bool]
Shapes = Callable[[Board, Clue], Iterable[Shape]]
Check = Callable[[Board, Clue], None]

ANY = 625  # as many cells as a board has

_WEIGHTS = re.compile(r"(-?[0-9]{1,3}(?:,-?[0-9]{1,3})*)=(-?[0-9]{1,7})")


class Relation(NamedTuple):
    """What two cells may hold: x in the first and y in the second only if allowed(x, y).

    A cell in relation with itself may hold x only if allowed(x, x).
    """

    first: int
    second: int
    allowed: Allowed


class Nearness(NamedTuple):
    """Which cells of a group are meant to touch; only a warning comes of it if they do not.

    which: `along` (each the next one), `each` (every two) or `together` (enough to join all); a
    group after the first begins beside a cell of the first. by_edge: a common corner is not enough.
    problem: what is said of two cells that lie apart.
    """

    which: str
    by_edge: bool
    problem: str


DRAWN = Nearness("along", False, "do not touch")  # a line, drawn from cell to cell
BESIDE = Nearness("along", True, "do not share an edge")  # a mark on the edge between two cells
MEETING = Nearness("each", False, "do not touch")  # a mark on a corner
SPREAD = Nearness("together", False, "are not joined by cells that touch")  # a line of any order
CAGED = Nearness("together", True, "are not joined by cells that share edges")  # one outline


class Spoken(NamedTuple):
    """How people speak of a clue, where explanations do. `{value}` stands for its value, `{label}`
    for its name and place.

    noun: what they call it; without one, the name of the kind, and the value unless it goes without
    saying. nouns: what they call one of two cells, or of the whole board, with a certain value.
    alone: why digits go whatever the other cells hold, under `above` if a cell loses only greater
    ones than it keeps, under `below` if only lesser ones, under `several` if more cells lose some
    (under `two` if these are all), under "" in any case. Known there are
    `{cells}`, which lose digits; `{before}` and `{after}`, how many cells of the clue are, as in
    "two greater digits come after r1c1"; `{length}`, how many it has; `{first}` and `{last}`, its
    ends. other: why digits go because of cells that `{others}` tells. sign: between the digits of a
    combination.
    """

    noun: str = ""
    nouns: Mapping[str, str] = MappingProxyType({})
    alone: Mapping[str, str] = MappingProxyType({})
    other: str = "{others} ({label})"
    sign: str = ""


@dataclass(frozen=True)
class Number:
    """A value that is a whole number; a bound may depend on the size of the board: how many digits
    there are, the highest, or how far they reach, whichever is most. Where digits are below 1,
    numbers may be, too, down to `floor` if there is one.

    default: the number if none is written, None if it must be, or may be left out if `is_optional`.
    is_highest: whether no digits meet a clue with a higher number.
    """

    low: int = 1
    high: Callable[[int], int] = lambda size: size
    default: Callable[[int], int] | None = None
    is_optional: bool = False
    is_highest: bool = False
    floor: int | None = None

    def read(self, text: str, board: Board) -> str:
        if not text and self.is_optional:
            return ""
        if not text and self.default is not None:
            text = str(self.default(len(board.digits)))
        low, high = self._bounds(board)
        known = re.fullmatch(r"-?[0-9]+", text) and (low < 0 or text[0] != "-")
        if not known or not low <= int(text[:9]) <= high:
            is_met = not known or int(text[:9]) < low or not self.is_highest
            problem = f"value '{text[:20]}': expected {self.expected(board)}"
            raise (ClueError if is_met else OutOfReachError)(problem)
        return str(int(text))

    def _bounds(self, board: Board) -> tuple[int, int]:
        lowest, highest = board.symbols[0], board.symbols[-1]
        least = ANY * lowest if self.floor is None else self.floor
        low = self.low if lowest > 0 else min(self.low, least)
        return low, self.high(max(len(board.digits), highest, highest - lowest + 1))

    def expected(self, board: Board) -> str:
        """What is read on the board, in words."""
        low, high = self._bounds(board)
        return f"a number from {low} to {high}"

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """Numbers that a clue on cells with these digits may state, the likeliest first."""
        high = min(self.high(size), self.low + size * size)
        others = rng.sample(range(self.low, high + 1), min(high + 1 - self.low, 3 * size))
        said = [sum(digits), prod(digits)] if self.default is None else [self.default(size)]
        return [str(number) for number in (*said, *others)]


@dataclass(frozen=True)
class Digits:
    """A value that is a set of digits, separated by commas; some kinds let a digit stand twice."""

    may_repeat: bool = False

    def read(self, text: str, board: Board) -> str:
        words = [word.strip() for word in text.split(",")]
        if not set(words) <= set(map(str, board.symbols)):
            raise ClueError(f"value '{text[:20]}': expected {self.expected(board)}")
        return ",".join(sorted(words if self.may_repeat else set(words), key=int))

    def expected(self, board: Board) -> str:
        """What is read on the board, in words."""
        return f"digits {written(board.symbols)} between commas"

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """Some of these digits, or of all digits if there are none; once all of them."""
        known = list(digits) or list(range(1, size + 1))
        some = (rng.sample(known, rng.randint(1, min(3, len(known)))) for _ in range(4))
        return [",".join(map(str, few)) for few in (*some, sorted(set(known)))]


@dataclass(frozen=True)
class Count:
    """A value of a digit and how often it stands there: `5x2`."""

    def read(self, text: str, board: Board) -> str:
        digit, _, times = text.partition("x")
        known = times.isascii() and times.isdigit()
        if digit.strip() not in map(str, board.symbols) or not known:
            raise ClueError(f"value '{text[:20]}': expected {self.expected(board)}")
        return f"{int(digit)}x{int(times[:9])}"

    def expected(self, board: Board) -> str:
        """What is read on the board, in words."""
        return f"a digit {written(board.symbols)}, x, and how often: 5x2"

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """How often some digits stand there."""
        return [f"{d}x{digits.count(d)}" for d in rng.sample(range(1, size + 1), min(size, 3))]


@dataclass(frozen=True)
class Weights:
    """A value of a weight for each cell, and the total of the digits times them: `2,1,-1=5`."""

    high = 100  # of a weight, without its sign

    def read(self, text: str, board: Board) -> str:
        match = _WEIGHTS.fullmatch("".join(text.split()))
        weights = [*map(int, match[1].split(","))] if match else [0]
        if match is None or not all(0 < abs(weight) <= self.high for weight in weights):
            raise ClueError(f"value '{text[:20]}': expected {self.expected(board)}")
        return self._text(weights, int(match[2]))

    def _text(self, weights: Iterable[int], total: int) -> str:
        return f"{','.join(map(str, weights))}={total}"

    def expected(self, board: Board) -> str:
        """What is read on the board, in words."""
        return f"weights from -{self.high} to {self.high}, none 0, and the total: 2,1,-1=5"

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """Small weights, with the total of these digits."""
        drawn = (rng.choices((-2, -1, 1, 2, 3), k=len(digits)) for _ in range(4))
        return [self._text(weights, sum(map(mul, weights, digits))) for weights in drawn]


@dataclass(frozen=True)
class Word:
    """A value that is one of a few words."""

    words: tuple[str, ...]

    def read(self, text: str, board: Board) -> str:
        if text not in self.words:
            raise ClueError(f"value '{text[:20]}': expected {self.expected(board)}")
        return text

    def expected(self, board: Board) -> str:
        """What is read on the board, in words."""
        return " or ".join(self.words)

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """All of them in random order."""
        return rng.sample(self.words, len(self.words))


@dataclass(frozen=True)
class Kind:
    """One kind of clue.

    sentence: what it says, with places as `model.sentences` has them. stated: what it says with a
    given value, where the sentence has to leave it open. apart: what clues on two cells say whose
    value is drawn otherwise, by that value. relations: the pairs of cells that it relates,
    from the board and a clue. houses: sets of cells that hold every digit once. shapes: what it
    says of three cells or more. sums: the totals that it states; the shapes say them, too, and
    their automata nothing else. cells: how many cells a group has, from least to most. down_to: how
    many are read, too, though the clue then says less or nothing; 0 if no fewer are. groups: how
    many groups. order: SET, LINE or PATH; a line may visit a cell again. counts_again: whether a
    cell may stand in a SET again, and counts each time. value: how the value is read, None if there
    is none. whole_board: whether the kind can be stated without cells. whole_layer: whether cells
    that it names are all of a layer. denies: a kind whose
    relation no neighbours have, but those that a clue of one of the kinds in `frees` joins. joins:
    for a kind that is made of other clues, the automaton of two of them. by_place: what it says
    depends on where on the board its cells lie, not only on how many each group has. check: raises
    `ClueError` if a clue cannot be meant. is_line: that goes by where its cells lie, if what it
    says does not. near: which of its cells are meant to touch, None if they may lie anywhere.
    example: the text of such a clue. look: how it is drawn. called: its usual names, the title
    first, as `other_names.Definition` has them. abroad: what it is in formats of other programs.
    spoken: how explanations speak of it. said: how people tell what a clue says, as regular
    expressions with `{value}`:
    under "" for any clue, under "=" for one with a value, under "=5" for one with that value.
    """

    name: str
    sentence: str
    example: str
    relations: Callable[[Board, Clue], Iterable[Relation]] | None = None
    houses: Callable[[Board, Clue], Iterable[Cells]] | None = None
    shapes: Shapes | None = None
    sums: Callable[[Board, Clue], Iterable[Total]] | None = None
    cells: tuple[int, int] = (1, ANY)
    down_to: int = 0
    groups: tuple[int, int] = (1, 1)
    order: str = LINE
    counts_again: bool = False
    value: Number | Digits | Count | Weights | Word | Formula | Pattern | Transitions | None = None
    whole_board: bool = False
    whole_layer: bool = False
    denies: str = ""
    frees: tuple[str, ...] = ()
    joins: Join | None = None
    by_place: bool = False
    check: Check | None = None
    is_line: bool = False
    near: Nearness | None = None
    look: Look = OUTLINED
    called: tuple[str, ...] = ()
    abroad: tuple[Foreign, ...] = ()
    spoken: Spoken = field(default=Spoken(), hash=False)
    said: Mapping[str, Sequence[str]] = field(default_factory=dict, hash=False)
    stated: Callable[[str], str] | None = None
    apart: Mapping[str, str] = field(default_factory=dict, hash=False)

    def says(self, value: str) -> str:
        """What a clue of that value says, by itself."""
        return told_sentence(self.template(value), value)

    def meaning(self, value: str = "N") -> str:
        """What a clue of the kind says, of any value, for which a word stands."""
        return told_sentence(self.sentence, value)

    def template(self, value: str) -> str:
        """The sentence of a clue of that value, with its places."""
        return self.stated(value) if self.stated else self.sentence

    @property
    def is_optional(self) -> bool:
        """Whether a clue of the kind may have a value, or none."""
        return bool(getattr(self.value, "is_optional", False))

    @property
    def takes(self) -> str:
        """How many cells a clue names, in words."""
        if self.joins:
            return "one or more clues, each in parentheses"
        if self.groups == (0, 0):
            return "no cells"
        cells = f"{_between(*self.cells)} cells"
        if self.groups != (1, 1):
            cells = f"{_between(*self.groups)} groups of {cells}"
        return f"{cells}, or none for the whole board" if self.whole_board else cells

    def canonical(self, clue: Clue, board: Board) -> Clue:
        """The same clue as all who mean it write it; raises `ClueError` if it is none."""
        self._check_shape(clue, board)
        groups = tuple([ordered(group, self.order) for group in clue.groups])
        ready = Clue(self.name, groups, self._value(clue, board), self._parts(clue, board))
        if self.check:
            self.check(board, ready)
        if any(len({*group}) < len(group) for group in groups):
            _check_again(self.relations, self.shapes, board, ready)
        return ready

    def _check_shape(self, clue: Clue, board: Board) -> None:
        if bool(clue.parts) != bool(self.joins):
            expected = "clues in parentheses" if self.joins else "cells and no clues"
            raise ClueError(f"expected {expected}, as in {self.example}")
        low, high = self.groups
        if low and not clue.groups and not self.whole_board:
            raise ClueError(f"it names no cells: expected them after ':', as in {self.example}")
        if not (low <= len(clue.groups) <= high or (self.whole_board and not clue.groups)):
            found = f"{counted(len(clue.groups), 'group')} of cells: expected {_between(low, high)}"
            raise ClueError(found if len(clue.groups) > low else f"{found}, as in {self.example}")
        least, most = self.down_to or self.cells[0], min(self.cells[1], board.cells)
        for group in clue.groups:
            if not least <= len(group) <= most:
                raise ClueError(f"{counted(len(group), 'cell')}: expected {_between(least, most)}")
            if len(set(group)) < len(group) and self.order == SET and not self.counts_again:
                twice = next(cell for cell in group if group.count(cell) > 1)
                raise ClueError(f"{board.name_of(twice)} stands twice in a set of cells")

    def _parts(self, clue: Clue, board: Board) -> tuple[Clue, ...]:
        """The parts by their texts; those of a part of the same kind are the clue's own."""
        if not clue.parts:
            return ()
        parts: list[Clue] = []
        for part in clue.parts:
            parts += part.parts if part.kind == self.name else (part,)
        return tuple(sorted(dict.fromkeys(parts), key=lambda part: text_of(part, board)))

    def _value(self, clue: Clue, board: Board) -> str:
        if self.value is None:
            if clue.value:
                raise ClueError(f"value '{clue.value[:20]}': this kind takes none")
            return ""
        return self.value.read(clue.value, board)


def in_grid(board: Board, clue: Clue) -> None:
    """The check of a kind that goes by where its cells lie in the grid."""
    if outside := next((cell for cell in clue.cells if cell >= board.grid_cells), None):
        raise ClueError(f"{board.name_of(outside)} is in a layer: expected cells of the grid")


def needs_boxes(board: Board, clue: Clue) -> None:
    """The check of a kind that goes by boxes, or by regions in their place."""
    in_grid(board, clue)
    if not board.has_boxes:
        raise ClueError("it goes by boxes, and the board has none")


def _between(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"{low} to {high}" if high < ANY else f"{low} or more"


@lru_cache(maxsize=64)  # a reader asks several times about one clue
def _check_again(
    relations: Callable[[Board, Clue], Iterable[Relation]] | None,
    shapes: Shapes | None,
    board: Board,
    clue: Clue,
) -> None:
    """Raise `OutOfReachError` if no digit of a cell goes with the same digit once more."""
    for relation in relations(board, clue) if relations else ():
        first, second, allowed = relation
        (every,) = board.domains((first,))
        if first == second and not any(allowed(x, x) for x in every):
            cell = board.name_of(first)
            raise OutOfReachError(f"{cell} stands twice, and no digit goes with itself there")
    for shape in shapes(board, clue) if shapes else ():
        if isinstance(shape, Automaton) and not all(shape.layers):
            raise OutOfReachError("a cell stands twice, and no digits go with themselves there")
