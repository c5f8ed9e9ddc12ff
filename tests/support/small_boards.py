"""Random small boards of every class, and all their solutions by plain backtracking.

None of this reads satdoku's boards, kinds or witness. A case is a text of rules, a text of givens
and the set of its solutions, each a tuple of the numbers in the cells of the grids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice, product
from random import Random
from typing import NamedTuple

MOST = 400  # solutions of a case


class Case(NamedTuple):
    rules: str
    givens: str
    solutions: set[tuple[int, ...]]


class Plan(NamedTuple):
    """A board as a text states it. places: (row, column) from 1, in the order of the givens."""

    text: str
    places: list[tuple[int, int]]
    houses: list[list[int]]
    digits: tuple[int, ...]


def _boxes(height: int, width: int, digits: int) -> tuple[int, int] | None:
    """Rows and columns of the boxes that a shape has by itself: as many cells as there are digits,
    as square as can be, no line."""
    fits = [
        (rows, digits // rows)
        for rows in range(2, digits)
        if digits % rows == 0 and height % rows == 0 and digits // rows <= width
    ]
    fits = [(rows, columns) for rows, columns in fits if width % columns == 0 and columns > 1]
    return min(fits, key=lambda box: (abs(box[0] - box[1]), box)) if fits else None


def plan(
    rng: Random,
    height: int,
    width: int,
    *,
    corners: tuple[tuple[int, int], ...] = ((1, 1),),
    holes: int = 0,
    digits: tuple[int, ...] = (),
    words: tuple[str, ...] = (),
) -> Plan:
    """A board of these grids, with its rows, columns and boxes as far as `words` leave them."""
    box = None if "latin" in words else _boxes(height, width, max(height, width))
    inside = {
        (top + row, left + column)
        for top, left in corners
        for row in range(height)
        for column in range(width)
    }
    gone = set(rng.sample(sorted(inside), holes))
    places = sorted(inside - gone)
    at = {place: cell for cell, place in enumerate(places)}
    houses = []
    for top, left in corners:
        keys: list[Callable[[int, int], object]] = []
        keys += [lambda row, column: ("r", row)] * ("no-rows" not in words)
        keys += [lambda row, column: ("c", column)] * ("no-columns" not in words)
        keys += [lambda row, column: (row // box[0], column // box[1])] * (box is not None)
        for key in keys:
            found: dict[object, list[int]] = {}
            for row, column in product(range(height), range(width)):
                if (place := (top + row, left + column)) in at:
                    found.setdefault(key(row, column), []).append(at[place])
            houses += found.values()
    text = [f"shape={height}x{width}", *words]
    if corners != ((1, 1),):
        text.append("grids:" + ",".join(f"r{row}c{column}" for row, column in corners))
    if gone:
        text.append("holes:" + ",".join(f"r{row}c{column}" for row, column in sorted(gone)))
    if digits:
        text.append(f"digits={','.join(map(str, digits))}")
    return Plan(";".join(text), places, houses, digits or tuple(range(1, max(height, width) + 1)))


def fillings(board: Plan, givens: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """Every way to fill the board, by backtracking."""
    peers = [
        {other for house in board.houses if cell in house for other in house if other < cell}
        for cell in range(len(board.places))
    ]

    def onward(values: list[int]) -> Iterator[tuple[int, ...]]:
        cell = len(values)
        if cell == len(peers):
            yield tuple(values)
            return
        for digit in (givens[cell],) if cell in givens else board.digits:
            if all(values[other] != digit for other in peers[cell]):
                yield from onward([*values, digit])

    yield from onward([])


def case(
    rng: Random,
    board: Plan,
    clue: str = "",
    keeps: Callable[[tuple[int, ...]], object] = lambda values: True,
) -> Case:
    """The board with a clue and with as many givens as leave few solutions; the givens are those of
    a random grid, one that keeps the clue if it is soon found."""
    drawn = [_random_filling(rng, board) for _ in range(30)]
    full = next((values for values in drawn if values and keeps(values)), drawn[0])
    cells = list(range(len(board.places)))
    can_show = full and min(board.digits) >= 0 and max(board.digits) < 10
    order, known = rng.sample(cells, len(cells)), rng.randint(0, 3)
    while True:
        givens = {cell: full[cell] for cell in order[:known] if can_show}
        every = list(islice(fillings(board, givens), 10 * MOST))
        good = set(filter(keeps, every))
        if len(every) < 10 * MOST and len(good) < MOST:
            text = "".join(str(givens.get(cell, ".")) for cell in cells)
            return Case(";".join(filter(None, (board.text, clue))), text, good)
        known += 1


def _random_filling(rng: Random, board: Plan) -> tuple[int, ...]:
    """Empty if there is none."""
    digits = tuple(rng.sample(board.digits, len(board.digits)))
    return next(fillings(board._replace(digits=digits), {}), ())


SHAPES = (2, 3), (3, 2), (2, 4), (4, 2), (3, 4), (3, 3), (4, 4), (2, 5)
WORDS = (), ("latin",), ("no-rows",), ("no-columns",)


def rectangle(rng: Random) -> Case:
    return case(rng, plan(rng, *rng.choice(SHAPES), words=rng.choice(WORDS)))


def with_holes(rng: Random) -> Case:
    board = plan(rng, *rng.choice(SHAPES), words=rng.choice(WORDS), holes=rng.randint(1, 2))
    return case(rng, board)


def overlapping(rng: Random) -> Case:
    height, width = rng.choice(((2, 2), (2, 3), (3, 3), (2, 4), (4, 4)))
    corner = rng.randint(1, height), rng.randint(2, width)
    corners = ((1, 1), corner) if rng.random() < 0.8 else ((1, 2), (2, 1))
    return case(rng, plan(rng, height, width, corners=corners, words=rng.choice(WORDS[:2])))


def more_digits(rng: Random) -> Case:
    height, width = rng.choice(SHAPES[:6])
    count = max(height, width) + rng.randint(1, 2)
    digits = tuple(range(1, count + 1))
    return case(rng, plan(rng, height, width, digits=digits, words=rng.choice(WORDS)))


def other_digits(rng: Random) -> Case:
    """No givens state digits below 0, so such a board is small."""
    height, width = rng.choice(SHAPES[:4])
    low = rng.choice((0, -3)) if max(height, width) == 3 else 0
    spare = 0 if low < 0 else rng.choice((0, 0, 0, 1))
    some = rng.sample(range(low, low + 9), max(height, width) + spare)
    return case(rng, plan(rng, height, width, digits=tuple(sorted(some)), words=("latin",)))


def regions(rng: Random) -> Case:
    """Regions of any cells, which need not touch; a dot is a cell in none."""
    side = rng.choice((3, 4))
    cells = rng.sample(range(side * side), side * rng.randint(1, side))
    board = plan(rng, side, side, words=("latin",))
    parts = [cells[start : start + side] for start in range(0, len(cells), side)]
    named = {cell: str(number) for number, part in enumerate(parts, 1) for cell in part}
    drawn = "".join(named.get(cell, ".") for cell in range(side * side))
    return case(rng, board._replace(text=f"jigsaw={drawn}", houses=board.houses + parts))


def _name(place: tuple[int, int]) -> str:
    return f"r{place[0]}c{place[1]}"


def _any_board(rng: Random) -> Plan:
    """Of six cells or so, so that all values of a layer can be tried."""
    if rng.random() < 0.3:
        return plan(rng, 3, 3, holes=2, words=("latin",))
    if rng.random() < 0.3:
        return plan(rng, 2, 2, corners=((1, 1), (2, 2)), words=("latin",))
    return plan(rng, *rng.choice(((2, 3), (3, 2), (2, 4))), words=("latin",))


def shaded(rng: Random) -> Case:
    """Cells tell how many cells of a row are shaded, and shaded ones have a sum."""
    board = _any_board(rng)
    cells = range(len(board.places))
    rows = [sorted(rng.sample(cells, 3)) for _ in range(2)]
    tellers = rng.sample(cells, 2)
    number = rng.randint(1, len(cells) - 1)
    names = [[f"s.{_name(board.places[cell])}" for cell in row] for row in rows]
    clues = [f"sum={number}:s"] + [
        f"equal-sum:{_name(board.places[teller])}>{','.join(own)}"
        for teller, own in zip(tellers, names, strict=True)
    ]
    shadings = [own for own in product((0, 1), repeat=len(cells)) if sum(own) == number]
    told = {tuple(sum(own[cell] for cell in row) for row in rows) for own in shadings}
    text = "layer=s:0-1;" + ";".join(clues)
    return case(rng, board, text, lambda v: tuple(v[teller] for teller in tellers) in told)


def free_values(rng: Random) -> Case:
    """Two unknown totals: sums of two groups, the second greater than the first."""
    board = _any_board(rng)
    groups = [rng.sample(range(len(board.places)), 2) for _ in range(2)]
    low, high = sorted(rng.sample(range(2, 9), 2))
    names = [",".join(_name(board.places[cell]) for cell in group) for group in groups]
    clues = f"equal-sum:t.1>{names[0]};equal-sum:t.2>{names[1]};greater:t.2,t.1"

    def keeps(values: tuple[int, ...]) -> bool:
        first, second = (sum(values[cell] for cell in group) for group in groups)
        return low <= first < second <= high

    return case(rng, board, f"layer=t*2:{low}-{high};{clues}", keeps)


def modified(rng: Random) -> Case:
    """So many cells are modified, and some cells are worth a total."""
    board = _any_board(rng)
    cells, name = range(len(board.places)), rng.choice(("digit*(1+m)", "digit-2*m", "m*3-digit"))
    worth = {(d, m): eval(name, {"digit": d, "m": m}) for d in board.digits for m in (0, 1)}
    group, number = rng.sample(cells, 3), rng.randint(1, 3)
    every = [own for own in product((0, 1), repeat=len(cells)) if sum(own) == number]
    told = sorted({tuple(own[cell] for cell in group) for own in every})
    total = sum(worth[rng.choice(board.digits), m] for m in rng.choice(told))
    names = ",".join(f"w.{_name(board.places[cell])}" for cell in group)
    layers = f"layer=m:0-1;layer=w:{','.join(map(str, sorted({*worth.values()})))}"
    text = f"{layers};sum={number}:m;formula={name}:w;sum={total}:{names}"

    def keeps(values: tuple[int, ...]) -> bool:
        ways = (zip((values[cell] for cell in group), own, strict=True) for own in told)
        return any(sum(worth[way] for way in pairs) == total for pairs in ways)

    return case(rng, board, text, keeps)


def touching(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Every two cells that share an edge."""
    return [
        (a, b)
        for a, b in combinations(range(len(places)), 2)
        if abs(places[a][0] - places[b][0]) + abs(places[a][1] - places[b][1]) == 1
    ]


def pieces(own: set[int], pairs: list[tuple[int, int]]) -> list[set[int]]:
    """The connected parts of some cells."""
    found = [{cell} for cell in own]
    for a, b in pairs:
        if a in own and b in own:
            first, second = (next(part for part in found if cell in part) for cell in (a, b))
            if first is not second:
                found.remove(second)
                first |= second
    return found


def squares(places: list[tuple[int, int]]) -> list[set[int]]:
    """All 2x2 squares of cells."""
    at = {place: cell for cell, place in enumerate(places)}
    around = [(0, 0), (0, 1), (1, 0), (1, 1)]
    found = [[(row + down, column + right) for down, right in around] for row, column in places]
    return [{at[place] for place in square} for square in found if at.keys() >= {*square}]


def area_keeps(kind: str, own: set[int], places: list[tuple[int, int]]) -> bool:
    """Whether cells of a shape obey a kind of clue."""
    pairs = touching(places)
    beside = {cell: sum(cell in pair for pair in pairs) for cell in range(len(places))}
    inner = {cell: sum(cell in pair and own >= {*pair} for pair in pairs) for cell in own}
    return {
        "connected": len(pieces(own, pairs)) < 2,
        "edge-connected": all(any(beside[c] < 4 for c in part) for part in pieces(own, pairs)),
        "single-loop": len(pieces(own, pairs)) == 1 and {*inner.values()} == {2},
        "no-square": not any(own >= square for square in squares(places)),
    }[kind]


def _area(kind: str, rng: Random) -> Case:
    """On the digits of a board that may have holes or overlapping grids."""
    shape = rng.choice(((3, 3), (3, 4), (4, 3), (4, 4)))
    if kind == "single-loop":  # which a Latin square seldom has
        board = plan(rng, *rng.choice(((2, 3), (2, 4), (3, 4))), words=("latin", "no-columns"))
    elif rng.random() < 0.3:
        corners = ((1, 1), (rng.randint(2, 3), rng.randint(2, 3)))
        board = plan(rng, 3, 3, corners=corners, words=("latin",))
    else:
        board = plan(rng, *shape, holes=rng.choice((0, 0, 1, 2)), words=("latin",))
    held = {*rng.sample(board.digits, rng.randint(len(board.digits) // 2, len(board.digits) - 1))}
    number = rng.randint(2, 7) if kind == "connected" and rng.random() < 0.3 else 0
    text = f"{kind}={','.join(map(str, sorted(held)))}{f'x{number}' if number else ''}"

    def keeps(values: tuple[int, ...]) -> bool:
        own = {cell for cell, value in enumerate(values) if value in held}
        return number in (0, len(own)) and area_keeps(kind, own, board.places)

    return case(rng, board, text, keeps)


def _shading(kind: str, rng: Random) -> Case:
    """On a layer; a cell tells how many cells of some are shaded."""
    board = plan(rng, *rng.choice(((3, 3), (2, 4))), words=("latin",))
    cells = range(len(board.places))
    group, teller = rng.sample(cells, 4), rng.choice(cells)
    names = ",".join(f"s.{_name(board.places[cell])}" for cell in group)
    every = ({cell for cell in cells if own[cell]} for own in product((0, 1), repeat=len(cells)))
    told = {len(own.intersection(group)) for own in every if area_keeps(kind, own, board.places)}
    text = f"layer=s:0-1;{kind}=1:s;equal-sum:{_name(board.places[teller])}>{names}"
    return case(rng, board, text, lambda values: values[teller] in told)


def _divisions(side: int) -> Iterator[list[set[int]]]:
    """The ways to cut a square into as many connected regions as it has rows, of equal size."""
    places = [(row, column) for row in range(side) for column in range(side)]
    pairs = touching(places)

    def onward(rest: set[int]) -> Iterator[list[set[int]]]:
        if not rest:
            yield []
            return
        first = min(rest)
        for others in combinations(sorted(rest - {first}), side - 1):
            if len(pieces(own := {first, *others}, pairs)) == 1:
                yield from ([own, *more] for more in onward(rest - own))

    return onward(set(range(side * side)))


def to_find(rng: Random) -> Case:
    """Regions with every digit, labelled by the row of their 1; some labels are told."""
    board = plan(rng, 3, 3, words=("latin",))
    divisions = list(_divisions(3))
    told = {cell: rng.randint(1, 3) for cell in rng.sample(range(9), rng.randint(1, 2))}
    names = [f"digits={label}:area.{_name(board.places[cell])}" for cell, label in told.items()]

    def keeps(values: tuple[int, ...]) -> bool:
        for division in divisions:
            if any(len({values[cell] for cell in own}) < 3 for own in division):
                continue
            ones = [next(cell for cell in own if values[cell] == 1) for own in division]
            label = {
                cell: one // 3 + 1 for own, one in zip(division, ones, strict=True) for cell in own
            }
            if all(label[cell] == wanted for cell, wanted in told.items()):
                return True
        return False

    return case(rng, board, ";".join(["layer=area:1-3;chaos:area", *names]), keeps)


AREAS = "connected", "edge-connected", "single-loop", "no-square"
CLASSES: dict[str, Callable[[Random], Case]] = {
    "rectangle": rectangle,
    "holes": with_holes,
    "overlap": overlapping,
    "more digits": more_digits,
    "other digits": other_digits,
    "regions": regions,
    "shading": shaded,
    "free variables": free_values,
    "formula": modified,
    **{kind: partial(_area, kind) for kind in AREAS},
    **{f"{kind} of a layer": partial(_shading, kind) for kind in AREAS},
    "regions to find": to_find,
}
