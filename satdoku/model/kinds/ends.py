"""Kinds in which the ends of a line, or the first cells that a clue outside the grid sees, decide
what the others hold.

Invariant: the cells are read in the order in which the clue lists them, the deciding ones first.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from operator import ne
from typing import Any

from ...runtime.errors import counted
from .. import phrases as p
from ..appearance import drawn, fpuzzles, iss, pencilmark
from ..automata import either
from ..board import Board, Cells
from ..clue import LINE, PATH, Clue, ClueError, OutOfReachError
from ..shapes import MOST, Automaton, Ranked, Shape, Stretch, automaton
from .kind import ANY, DRAWN, Kind, Number, Relation, Spoken, Word
from .relations import first_place, is_less_by, leads, one_of, tells

TIED = "any"  # says in Interactive Sudoku Solver that ranks may tie
Range = tuple[int, int]


def _ends_first(clue: Clue) -> tuple[int, ...]:
    return (clue.cells[0], clue.cells[-1], *clue.cells[1:-1])


def _between(board: Board, clue: Clue) -> Iterator[Shape]:
    def step(position: int, state: Range, digit: int) -> Range | None:
        low, high = state
        if position == 0:
            return digit, digit
        if position == 1:
            return min(low, digit), max(high, digit)
        return state if low < digit < high else None

    yield automaton(
        _ends_first(clue), board.domains(_ends_first(clue)), (0, 0), step, lambda state: True
    )


def _lockout(board: Board, clue: Clue) -> Iterator[Shape]:
    gap = int(clue.value)

    def step(position: int, state: Range, digit: int) -> Range | None:
        low, high = state
        if position == 0:
            return digit, digit
        if position == 1:
            low, high = min(low, digit), max(high, digit)
            return (low, high) if high - low >= gap else None
        return None if low <= digit <= high else state

    yield automaton(
        _ends_first(clue), board.domains(_ends_first(clue)), (0, 0), step, lambda state: True
    )


def _sandwich(board: Board, clue: Clue) -> Iterator[Shape]:
    yield _between_crusts(board, clue, board.digits[0], board.digits[-1])


def _between_crusts(board: Board, clue: Clue, lowest: int, highest: int) -> Automaton:
    """The digits between these two, which stand once each and are the lowest and the highest one,
    add up to the value."""
    total, before, behind = int(clue.value), lowest - 1, highest + 1

    def step(position: int, state: Range, digit: int) -> Range | None:
        """The state: the crust that is awaited, or that this is before the first or behind the
        last one; and the sum that is left."""
        crust, left = state
        if digit in (lowest, highest):
            if crust == before:
                return lowest + highest - digit, total
            return (behind, 0) if crust == digit and left == 0 else None
        if not lowest < digit < highest:
            return None
        if crust in (lowest, highest):
            return (crust, left - digit) if left >= digit or lowest < 0 else None
        return state

    domains, end = board.domains(clue.cells), (behind, 0)
    return automaton(clue.cells, domains, (before, 0), step, end.__eq__, anywhere=True)


def _x_sum(board: Board, clue: Clue) -> Iterator[Shape]:
    total, lowest = int(clue.value), board.digits[0]

    def step(position: int, state: Range, digit: int) -> Range | None:
        """The state: how many more cells count, and the sum that is left."""
        count, left = (digit, total) if position == 0 else state
        if count <= 0:
            return (0, 0) if (count, left) == (0, 0) else None
        fits = left >= digit or lowest < 0
        return (count - 1, left - digit) if fits and (count > 1 or left == digit) else None

    yield automaton(clue.cells, board.domains(clue.cells), (0, 0), step, (0, 0).__eq__)


def _skyscraper(board: Board, clue: Clue) -> Iterator[Shape]:
    wanted = int(clue.value)

    def step(position: int, state: Range, digit: int) -> Range | None:
        """The state: the highest digit so far, and how many were seen; 0 and less is no height."""
        highest, seen = state
        if digit <= highest:
            return state
        return (digit, seen + 1) if seen < wanted else None

    domains = board.domains(clue.cells)
    yield automaton(
        clue.cells, domains, (0, 0), step, lambda state: state[1] == wanted, anywhere=True
    )


def _hidden(board: Board, clue: Clue) -> Iterator[Shape]:
    wanted, lowest, behind = int(clue.value), board.digits[0], board.digits[-1] + 1

    def step(position: int, highest: int, digit: int) -> int | None:
        """The state: the highest digit so far, or that one that is less was read."""
        if digit >= highest or highest == behind:
            return max(highest, digit)
        return behind if digit == wanted else None

    domains = board.domains(clue.cells)
    yield automaton(clue.cells, domains, lowest, step, behind.__eq__, anywhere=True)


def _lunchbox(board: Board, clue: Clue) -> Iterator[Shape]:
    """One of two digits with room for as many different ones is the lowest, the other the highest:
    a sandwich for each two is far smaller than what tells them from what was read."""
    ends = combinations(board.all_digits(clue.cells), 2)
    room = len(clue.cells) - 1
    read = [_between_crusts(board, clue, a, b) for a, b in ends if b - a >= room]
    ranks = {cell: place for place, cell in enumerate(clue.cells)}
    yield either(read, ranks, board.choices, MOST)


def _lunch_fits(board: Board, clue: Clue) -> None:
    count, digits = len(clue.cells), board.all_digits(clue.cells)
    if count > len(digits):
        raise OutOfReachError(
            f"{counted(count, 'cell')}: there are only {counted(len(digits), 'digit')}"
        )
    if int(clue.value) > (highest := sum(digits[1 - count : -1])):
        raise OutOfReachError(f"at most {highest} lies between two of {count} cells")


def _room(board: Board, clue: Clue) -> Iterator[Relation]:
    """The first digit says in which cell of the line the value stands; where the line need not
    hold every digit once, the value may stand in other cells, too, or in none of them."""
    first, digit = first_place(clue.cells, board), int(clue.value)
    lines = board.families[0][1] + board.families[1][1]
    is_full = len(clue.cells) == len(board.digits) and {*clue.cells} in map(set, lines)
    if not is_full:
        places = frozenset(range(first, first + len(clue.cells)))
        yield Relation(clue.cells[0], clue.cells[0], one_of(places))
    for place, cell in enumerate(clue.cells, first):
        yield Relation(clue.cells[0], cell, (tells if is_full else leads)(place, digit))


def _seen_first(board: Board, clue: Clue) -> Cells:
    """The cells of the line in its first box; three where there are regions, or no boxes."""
    is_row = board.places[clue.cells[0]][0] == board.places[clue.cells[-1]][0]
    extent = board.box_columns if is_row else board.box_rows
    is_boxed = board.has_boxes and not board.regions
    return clue.cells[: extent if is_boxed else 3]


def _rossini(board: Board, clue: Clue) -> Iterator[Relation]:
    rising = _seen_first(board, clue)[:: 1 if clue.value == "+" else -1]
    for (i, a), (j, b) in combinations(enumerate(rising), 2):
        yield Relation(a, b, is_less_by(j - i))


def _rank(board: Board, clue: Clue, *, may_tie: bool) -> Iterator[Shape]:
    """Where rows and columns hold every digit, each side has one line that begins with a digit: so
    ranks go by four, and a line is compared with three others."""
    number = int(clue.value) - 1
    sides = [side for lines in (board.rows, board.columns) for side in (lines, _reversed(lines))]
    lines = (clue.cells, *(line for side in sides if clue.cells not in side for line in side))
    cells = tuple(cell for line in lines for cell in line)
    yield Ranked(cells, len(clue.cells), number // 4 + 1, number % 4, may_tie)


def _reversed(lines: tuple[Cells, ...]) -> tuple[Cells, ...]:
    return tuple(line[::-1] for line in lines)


def _first_of_rank(board: Board, clue: Clue) -> Iterator[Relation]:
    first = board.digits[(int(clue.value) - 1) // 4]
    yield Relation(clue.cells[0], clue.cells[0], one_of(frozenset({first})))


def _may_rank(board: Board, clue: Clue) -> None:
    _whole_line(board, clue)
    lines = {*map(frozenset, board.rows + board.columns)}
    full = {frozenset(house) for house in board.houses if len(house) == len(board.digits)}
    if not (board.is_rectangle and board.is_square and lines <= full):
        raise ClueError("it takes a square whose rows and columns hold every digit once")
    if not 1 <= int(clue.value) <= 4 * len(board.digits):
        raise OutOfReachError(
            f"value {clue.value}: expected a rank from 1 to {4 * len(board.digits)}"
        )


def _ranking(name: str, sentence: str, mark: str, *, may_tie: bool, **more: Any) -> Kind:
    return Kind(
        name,
        sentence,
        f"{name}=5:row3",
        _first_of_rank,
        shapes=partial(_rank, may_tie=may_tie),
        order=PATH,
        by_place=True,
        value=Number(1, lambda size: 4 * size, is_highest=True),
        check=_may_rank,
        look=drawn("outside", 13, "number outside the grid", alike="numbers", mark=mark),
        **more,
    )


def _whole_line(board: Board, clue: Clue) -> None:
    lines = board.rows + board.columns
    if clue.cells not in lines and clue.cells[::-1] not in lines:
        raise ClueError("these cells are no whole row or column: name one, row3 or -row3")


# Of a whole row or column, seen from one of its ends.
_line_kind = partial(Kind, order=PATH, check=_whole_line, is_line=True)

KINDS = (
    Kind(
        "between",
        "digits along {the} [{it}|line] lie strictly between the digits [in its two circles|at its "
        "ends]",
        "between:r1c1-r1c5",
        shapes=_between,
        cells=(3, ANY),
        down_to=1,
        near=DRAWN,
        look=drawn(
            "with-ends",
            6,
            "brown line",
            colour="#c29a6c",
            width=7,
        ),
        called=("Between line",),
        abroad=(iss("Between"), fpuzzles("betweenline", "lines"), pencilmark("line between")),
        said={
            "": [
                p.heading('"?between(?: lines?)?"?'),
                f'{p.DIGITS} {p.IN} {p.A}"?(?:between )?lines?"? {p.MUST}(?:be|have a value|lie) '
                "(?:strictly )?between (?:the )?(?:values of )?(?:the )?(?:digits|numbers|values) "
                "(?:on|in|of) (?:the|its) circles?(?: at (?:the|its|each) ends?)?"
                "(?:,? (?:not inclusive|exclusive))?",
            ],
        },
        spoken=Spoken(noun="between line"),
    ),
    Kind(
        "lockout",
        "digits [in the two diamonds|at the ends] of {the} [{it}|line] differ by at least "
        "{value}; no digit in between equals one of them or lies between them",
        "lockout=4:r1c1-r1c5",
        shapes=_lockout,
        cells=(3, ANY),
        down_to=2,
        value=Number(1, lambda size: size - 1, lambda size: size // 2, is_highest=True),
        near=DRAWN,
        look=drawn(
            "with-ends",
            6,
            "indigo line",
            colour="#8b90ee",
            width=5,
            diamonds=True,
        ),
        called=("Lockout line", "lockout diamond"),
        abroad=(
            iss("Lockout", "number"),
            fpuzzles("lockout", "lines", "number"),
            pencilmark("line lockout", "number", key="value", default=4),
        ),
        spoken=Spoken("lockout line", alone={"": "the ends differ by {value} or more ({label})"}),
    ),
    Kind(
        "sandwich",
        "[{the} {it} is the sum of the digits between the {lowest} and the {highest} in its row or "
        "column|the digits between the lowest and the highest digit of the line add up to {value}]",
        "sandwich=12:row3",
        shapes=_sandwich,
        sums=lambda board, clue: [Stretch(clue.cells, int(clue.value), is_counted=False)],
        order=LINE,
        value=Number(0, lambda size: size * size, is_highest=True),
        check=_whole_line,
        is_line=True,
        look=drawn("outside", 13, "number outside the grid", alike="numbers", mark="circle"),
        called=("Sandwich sum",),
        abroad=(
            iss("Sandwich", "line", full=True),
            fpuzzles("sandwichsum", "beside", "clued"),
            pencilmark("sandwich", "outside", key="sum"),
        ),
        said={
            "": [
                p.heading("sandwich"),
                f"{p.OUTSIDE} {p.SHOW} the sum of {p.DIGITS} (?:sandwiched )?between (?:the "
                f")?1s? and "
                f"(?:the )?9s?(?: in {p.A}row (?:or|/|and) column)?",
            ],
        },
    ),
    Kind(
        "lunchbox",
        "digits along {the} [{it}|line] do not repeat; those between its lowest and highest digit "
        "add up to [the number in the corner|{value}]",
        "lunchbox=12:r1c1-r1c5",
        lambda board, clue: (Relation(a, b, ne) for a, b in combinations(clue.cells, 2)),
        shapes=_lunchbox,
        cells=(2, ANY),
        value=Number(0, lambda size: size * size, is_highest=True),
        check=_lunch_fits,
        near=DRAWN,
        look=drawn(
            "labelled",
            5,
            "sage line",
            alike="lines",
            mark="large dark dots",
            colour="#c2d9b8",
        ),
        called=("Lunchbox", "lunchbox line", "local sandwich"),
        abroad=(iss("Lunchbox", "number"), iss("Sandwich", "line", full=False)),
    ),
    _line_kind(
        "x-sum",
        "[{the} {it} is the sum of the first X digits from its side, where X is the first of "
        "them|the first X digits add up to {value}, where X is the first digit]",
        "x-sum=20:row3",
        shapes=_x_sum,
        sums=lambda board, clue: [Stretch(clue.cells, int(clue.value), is_counted=True)],
        value=Number(1, lambda size: size * size, is_highest=True),
        look=drawn("outside", 13, "number outside the grid", alike="numbers", mark="diamond"),
        called=("X-sum",),
        abroad=(
            iss("XSum", "ends"),
            fpuzzles("xsum", "beside", "clued"),
            pencilmark("xsum", "outside", key="sum"),
        ),
        said={
            "": [
                p.heading("x-?sum"),
                f"(?:{p.OUTSIDE}|they) {p.SHOW} the sum of the first x (?:digits|numbers|cells)"
                "(?:,? where x is the (?:first digit|digit (?:closest|nearest) to the clue))?",
            ],
        },
    ),
    _line_kind(
        "skyscraper",
        "[digits are heights: {the} {it} counts those seen from its side, as higher ones hide "
        "lower ones behind them|{value} digits are greater than all before them, the first one "
        "among them]",
        "skyscraper=4:row3",
        shapes=_skyscraper,
        value=Number(1, is_highest=True),
        look=drawn("outside", 13, "number outside the grid", alike="numbers", mark="square"),
        called=("Skyscraper",),
        abroad=(
            iss("Skyscraper", "ends"),
            fpuzzles("skyscraper", "beside", "clued"),
            pencilmark("skyscraper", "outside", key="value"),
        ),
        said={
            "": [
                p.heading("skyscraper"),
                "digits in the grid represent skyscrapers of that height",
                "higher skyscrapers obscure (?:smaller|lower) ones",
                f"{p.OUTSIDE} {p.SHOW} the number of visible skyscrapers in that row ?(?:/|or) "
                f"?column "
                "from the clue's direction of view",
            ],
        },
        spoken=Spoken(alone={"": "{value} digits are greater than all before them ({label})"}),
    ),
    _line_kind(
        "hidden-skyscraper",
        "[{the} {it} is the first digit, seen from its side, that a higher one before it "
        "hides|{value} is the first digit that a higher one before it hides]",
        "hidden-skyscraper=4:row3",
        shapes=_hidden,
        value=Number(1, lambda size: size - 1, is_highest=True),
        look=drawn("outside", 13, "number outside the grid", alike="numbers", mark="double square"),
        called=("Hidden skyscraper",),
        abroad=(iss("HiddenSkyscraper", "ends"),),
    ),
    _line_kind(
        "numbered-room",
        "[{the} {it} appears in the Xth cell from its side, where X is the digit in the first "
        "cell|{value} appears in the Xth cell, where X is the digit in the first cell]",
        "numbered-room=5:row3",
        _room,
        by_place=True,
        value=Number(1, is_highest=True),
        look=drawn("outside", 13, "number outside the grid", alike="numbers", mark="house"),
        called=("Numbered room",),
        abroad=(iss("NumberedRoom", "ends", from_one=True),),
    ),
    _ranking(
        "full-rank",
        "[{the} {it} is the rank of its line, the lowest first, among all rows and columns read as "
        "numbers from both ends; no two are equal|of all rows and columns, read as numbers from "
        "either end, it has rank {value}, the lowest first, and none equals it]",
        "hexagon",
        may_tie=False,
        called=("Full rank",),
        abroad=(iss("FullRank", "ends"),),
    ),
    _ranking(
        "shared-rank",
        "[{the} {it} is one more than the number of lower lines, of all rows and columns read as "
        "numbers from both ends; lines may be equal|of all rows and columns, read as numbers from "
        "either end, {value} less 1 are lower; others may equal it]",
        "double circle",
        may_tie=True,
        called=("Shared rank", "full rank with ties"),
        abroad=(iss("FullRank", "ends", marked=TIED),),
    ),
    _line_kind(
        "rossini",
        "[{the} {it} points where the digits {nearest} increase, along its row or column|the "
        "digits of the line in its first box, or its first three digits without rectangular boxes, "
        "increase (+) or decrease (-), as {value} says]",
        "rossini=+:row3",
        _rossini,
        by_place=True,
        value=Word(("+", "-")),
        called=("Rossini",),
        stated=lambda value: (
            "the digits of the line in its first box, or its first three digits without "
            f"rectangular boxes, {'increase' if value == '+' else 'decrease'}"
        ),
        look=drawn(
            "towards",
            13,
            "arrow outside the grid",
        ),
    ),
)
