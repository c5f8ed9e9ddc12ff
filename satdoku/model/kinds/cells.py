"""Kinds on cells one by one, beside their neighbours, and on how often digits stand in several.

Invariant: a cell's own restriction is a relation of the cell with itself. Where digits are counted,
a digit is wanted or not; which other digit a cell holds does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, combinations, pairwise, product
from math import comb, prod

from ...runtime.errors import counted
from .. import phrases as p
from ..appearance import drawn, fpuzzles, iss, pencilmark
from ..automata import Layers
from ..board import Board, Cells
from ..board import Digits as Domain
from ..clue import SET, Clue, ClueError, OutOfReachError
from ..shapes import (
    MOST,
    Automaton,
    DigitSets,
    OneOf,
    Shape,
    Tally,
    Varied,
    automaton,
    kept,
)
from .formulas import DIGIT, Formula, names_in, result
from .kind import ANY, MEETING, Count, Digits, Kind, Number, Relation, Spoken, in_grid
from .relations import is_less_by, one_of

_MOST_IN_CIRCLES = 12  # digits; of more there are too many sets
_MOST_WAYS = 20_000  # to form one value of a layer


def _hold(
    held: Callable[[tuple[int, ...], str], Iterable[int]],
) -> Callable[[Board, Clue], list[Relation]]:
    """Every cell holds one of the digits, which depend on those of the board and the value."""

    def relations(board: Board, clue: Clue) -> list[Relation]:
        allowed = one_of(frozenset(held(board.all_digits(clue.cells), clue.value)))
        return [Relation(cell, cell, allowed) for cell in clue.cells]

    return relations


def _every_other(digits: tuple[int, ...], value: str, *, first: int) -> Iterator[int]:
    return (digit for digit in digits if (digit - first) % 2 == 0)


def _listed(digits: tuple[int, ...], value: str) -> Iterator[int]:
    return map(int, value.split(","))


def _compared(board: Board, clue: Clue, *, low: bool) -> Iterator[Relation]:
    """Every cell with its neighbours outside the clue; an edge between two of its cells says
    nothing, because both cannot be less than the other."""
    inside = frozenset(clue.cells)
    for pair in board.adjacent_pairs:
        for cell, other in (pair, pair[::-1]):
            if cell in inside and other not in inside:
                yield Relation(*((cell, other) if low else (other, cell)), is_less_by(1))


def _named_by(clue: Clue, board: Board, cell: int) -> Cells:
    """The cells that a formula names at the place of a cell of a layer."""
    layer = board.layer_at(cell)
    place = cell - board.first_of[layer.name] if layer else cell
    single = {layer.name for layer in board.layers if layer.free}
    first_of = board.first_of | {DIGIT: 0}
    return tuple(first_of[name] + (0 if name in single else place) for name in names_in(clue.value))


def _results(clue: Clue, board: Board, cell: int) -> dict[tuple[int, ...], int]:
    """What the formula comes to at a place, by the values of its names."""
    names = names_in(clue.value)
    ways = product(*board.domains(_named_by(clue, board, cell)))
    return {way: result(clue.value, dict(zip(names, way, strict=True))) for way in ways}


def _formula_fits(board: Board, clue: Clue) -> None:
    """One layer holds the results, all of which it knows, and others what they are made of."""
    names, own = names_in(clue.value), {board.layer_at(cell) for cell in clue.cells}
    holder = own.pop()
    if own or holder is None or holder.free:
        raise ClueError("expected cells of one layer that has a value in each cell: ':worth'")
    if DIGIT in board.first_of or holder.name in names:
        twice = DIGIT if DIGIT in board.first_of else holder.name
        raise ClueError(f"value '{clue.value[:20]}': expected another name than '{twice}'")
    if many := next((lay for lay in board.layers if lay.free > 1 and lay.name in names), None):
        raise ClueError(f"value '{clue.value[:20]}': {many.name} is {many.free} variables")
    named = _named_by(clue, board, clue.cells[0])
    if (ways := prod(map(len, board.domains(named)))) > _MOST_WAYS:
        raise ClueError(f"{ways:,} ways to form a value: expected at most {_MOST_WAYS:,}")
    for way, value in _results(clue, board, clue.cells[0]).items():
        if value not in holder.digits:
            said = ", ".join(map("{} {}".format, names, way))
            raise ClueError(f"{said} is worth {value}, which layer {holder.name} does not hold")


def _formed(board: Board, clue: Clue) -> Iterator[Shape]:
    results = _results(clue, board, clue.cells[0])
    start: tuple[int, ...] = ()

    def step(position: int, read: tuple[int, ...], digit: int) -> tuple[int, ...] | None:
        """The digits so far, then the result that they come to."""
        if read in results:
            return read if results[read] == digit else None
        return (*read, digit)

    for cell in clue.cells:
        cells = (*_named_by(clue, board, cell), cell)
        yield automaton(cells, board.domains(cells), start, step, lambda read: True)


DIGITS = Kind(
    "digits",
    "[a cell with small digits in its corner holds one of them|these cells hold one of the digits "
    "{or}]",
    "digits=1,5,9:r1c1,r1c2",
    _hold(_listed),
    order=SET,
    value=Digits(),
    look=drawn(
        "restricted",
        12,
        "digits in the corner",
    ),
    called=("Restricted cell", "given candidates", "pencil marks"),
    abroad=(
        pencilmark("cell set", "digits", key="values"),
        pencilmark("cell exclude", "others"),
        pencilmark("corner exclude", "other"),
    ),
    spoken=Spoken(alone={"": "{cells} must be {values}"}),
)
KINDS = (
    Kind(
        "odd",
        "[the digit in {the} {it} is odd|these cells hold odd digits]",
        "odd:r1c1,r5c5",
        _hold(partial(_every_other, first=1)),
        order=SET,
        look=drawn("disc", 3, "grey circle"),
        called=("Odd cells", "odd digit"),
        abroad=(
            fpuzzles("odd", "one"),
            pencilmark("cell odd"),
            pencilmark("corner mathrax", when=("op", "odd")),
        ),
        said={
            "": [
                p.heading("odd|odd ?[/-] ?even"),
                f"(?:{p.DIGITS} )?(?:with|in) {p.A}circles? {p.MUST}(?:be|are|contain|hold) "
                f"(?:an )?odd"
                f"(?: {p.DIGITS})?",
            ],
        },
        spoken=Spoken(alone={"": "{cells} must be odd"}),
    ),
    Kind(
        "even",
        "[the digit in {the} {it} is even|these cells hold even digits]",
        "even:r1c1,r5c5",
        _hold(partial(_every_other, first=2)),
        order=SET,
        look=drawn("square", 3, "grey square"),
        called=("Even cells", "even digit"),
        abroad=(
            fpuzzles("even", "one"),
            pencilmark("cell even"),
            pencilmark("corner mathrax", when=("op", "even")),
        ),
        said={
            "": [
                p.heading("even|odd ?[/-] ?even"),
                f"(?:{p.DIGITS} )?(?:with|in) {p.A}squares? {p.MUST}(?:be|are|contain|hold) "
                f"(?:an )?even"
                f"(?: {p.DIGITS})?",
            ],
        },
        spoken=Spoken(alone={"": "{cells} must be even"}),
    ),
    Kind(
        "low",
        "[a cell marked ≤ holds at most the number after the sign|these cells hold digits of at "
        "most {value}]",
        "low=4:r1c1,r1c2",
        _hold(lambda digits, value: (digit for digit in digits if digit <= int(value))),
        order=SET,
        value=Number(1, lambda size: size, lambda size: size // 2),
        look=drawn("restricted", 12, "≤ in the corner", sign="≤"),
        called=("Low cells", "low digit"),
        abroad=(pencilmark("cell low", "number", key="split"),),
        spoken=Spoken(alone={"": "{cells} must be at most {value}"}),
    ),
    Kind(
        "high",
        "[a cell marked ≥ holds at least the number after the sign|these cells hold digits of at "
        "least {value}]",
        "high=6:r1c1,r1c2",
        _hold(lambda digits, value: (digit for digit in digits if digit >= int(value))),
        order=SET,
        value=Number(1, lambda size: size, lambda size: size - size // 2 + 1),
        look=drawn("restricted", 12, "≥ in the corner", sign="≥"),
        called=("High cells", "high digit"),
        abroad=(pencilmark("cell high", "above", key="split"),),
        spoken=Spoken(alone={"": "{cells} must be at least {value}"}),
    ),
    DIGITS,
    Kind(
        "minimum",
        "[the digit in {the} {it} is lower than those in all adjacent cells that are not "
        "minimums|these cells hold less than all adjacent cells outside the clue]",
        "minimum:r1c1,r5c5",
        partial(_compared, low=True),
        order=SET,
        by_place=True,
        check=in_grid,
        look=drawn("extreme", 2, "grey cell with arrowheads pointing in", low=True),
        called=("Minimum", "local minimum"),
        abroad=(fpuzzles("minimum", "one"),),
        said={
            "": [
                p.heading("min(?:imum)?|min(?:imum)? ?/ ?max(?:imum)?"),
                f"{p.A}(?:cells?|squares?) (?:with arrows (?:facing|pointing) inwards?)?,? "
                f"?{p.MUST}"
                f"(?:be|contain|hold)? ?(?:{p.DIGITS} )?{p.LESS} {p.AROUND}",
            ],
        },
        spoken=Spoken(alone={"": "a minimum is less than each neighbour ({label})"}),
    ),
    Kind(
        "maximum",
        "[the digit in {the} {it} is higher than those in all adjacent cells that are not "
        "maximums|these cells hold more than all adjacent cells outside the clue]",
        "maximum:r1c1,r5c5",
        partial(_compared, low=False),
        order=SET,
        by_place=True,
        check=in_grid,
        look=drawn("extreme", 2, "grey cell with arrowheads pointing out", low=False),
        called=("Maximum", "local maximum", "fortress"),
        abroad=(fpuzzles("maximum", "one"),),
        said={
            "": [
                p.heading("max(?:imum)?|min(?:imum)? ?/ ?max(?:imum)?"),
                f"{p.A}(?:cells?|squares?) (?:with arrows (?:facing|pointing) outwards?)?,? "
                f"?{p.MUST}"
                f"(?:be|contain|hold)? ?(?:{p.DIGITS} )?{p.LARGER} {p.AROUND}",
            ],
        },
        spoken=Spoken(alone={"": "a maximum is more than each neighbour ({label})"}),
    ),
    Kind(
        "formula",
        "each of these cells of a layer holds {value}, worked out from the digit and the layers in "
        "the same place",
        "formula=10-digit:area",
        shapes=_formed,
        order=SET,
        value=Formula(),
        by_place=True,
        check=_formula_fits,
        called=("Formula", "worth", "doubler", "multiplier", "modifier"),
    ),
)


def _wanted(board: Board, clue: Clue) -> Iterator[Shape]:
    """Each digit as often as the value lists it: of any cells but so many, one must hold it."""
    for digit, times in Counter(map(int, clue.value.split(","))).items():
        for cells in combinations(clue.cells, len(clue.cells) - times + 1):
            domains = zip(cells, board.domains(cells), strict=True)
            held = ((cell, digits.index(digit) + 1) for cell, digits in domains if digit in digits)
            yield OneOf(tuple(held))


def _enough_cells(board: Board, clue: Clue) -> None:
    count, digits = len(clue.cells), clue.value.split(",")
    if len(digits) > count:
        raise OutOfReachError(
            f"{counted(len(digits), 'digit')} do not fit into {counted(count, 'cell')}"
        )
    domains = board.domains(clue.cells)
    for digit, times in Counter(digits).items():
        if (able := sum(int(digit) in held for held in domains)) < times:
            found = f"{able} of these cells can hold {digit}"
            raise OutOfReachError(f"value {clue.value[:20]}: {found}")
    if sum(comb(count, times - 1) for times in Counter(digits).values()) > MOST // count:
        raise ClueError(f"a digit so often in {count} cells takes more than {MOST:,} candidates")


def _counted(cells: Cells, digit: int, allowed: Iterable[int], board: Board) -> Shape:
    """The digit stands in the cells as often as one of the numbers says."""
    numbers = frozenset(allowed)
    most = max(numbers)

    def step(position: int, seen: int, x: int) -> int | None:
        after = seen + (x == digit)
        return after if after <= most else None

    domains = board.domains(cells)
    read = automaton(cells, domains, 0, step, numbers.__contains__, anywhere=True)
    digits, *others = {*domains}
    if others or digit not in digits or len({*cells}) < len(cells):
        return read
    return Tally(cells, (read.layers, digits.index(digit) + 1, numbers))


def _count(board: Board, clue: Clue) -> Iterator[Shape]:
    digit, times = map(int, clue.value.split("x"))
    yield _counted(clue.cells, digit, (times,), board)


def _count_words(value: str) -> str:
    digit, times = value.split("x")
    often = {"1": "once", "2": "twice"}.get(times, f"{times} times")
    if times == "0":
        return f"the digit {digit} does not appear in these cells"
    return f"the digit {digit} appears in these cells {often}"


def _possible(board: Board, clue: Clue) -> None:
    if int(clue.value.split("x")[1]) > len(clue.cells):
        raise OutOfReachError(
            f"value {clue.value}: there are only {counted(len(clue.cells), 'cell')}"
        )


def _circles(board: Board, clue: Clue) -> Iterator[Shape]:
    """How often each digit stands there; and that those which do add up to the number of cells."""
    for digit in board.all_digits(clue.cells):
        yield _counted(clue.cells, digit, (0, digit), board)
    (digits, *others), count = {*board.domains(clue.cells)}, len(clue.cells)
    if len(digits) <= _MOST_IN_CIRCLES and not others:
        some = chain.from_iterable(combinations(digits, size) for size in range(1, count + 1))
        good = (own for own in some if sum(own) == count)
        if sets := tuple(frozenset(digits.index(digit) + 1 for digit in own) for own in good):
            yield DigitSets(clue.cells, sets)


def _count_distinct(board: Board, clue: Clue) -> Iterator[Shape]:
    """Values of one layer, such as labels of regions, are counted. Otherwise an automaton, which
    the engine knows, reads the cell that tells how many last; its states are the digits that were
    seen, as bits."""
    (teller,), others = clue.groups
    (layer, *layers), lowest = {*map(board.layer_at, others)}, board.symbols[0]
    if layer and not layers and teller not in others:
        (tells,) = board.domains((teller,))
        yield Varied((*others, teller), tells, len(layer.digits))
        return

    *domains, tells = board.domains((*others, teller))
    more = int(teller not in others)  # to its digits: where digits are others, so may a step be
    domains.append(tuple([digit + more for digit in tells]))

    def step(position: int, seen: int, digit: int) -> int | None:
        if position < len(others):
            return seen | 1 << digit - lowest
        return 0 if digit - more == seen.bit_count() else None

    yield automaton((*others, teller), domains, 0, step, lambda seen: True, anywhere=True)


def _one_tells(board: Board, clue: Clue) -> None:
    if len(clue.groups[0]) != 1:
        raise ClueError("expected one cell that tells the number, then '>' and the cells")


def same_length(board: Board, clue: Clue) -> None:
    """Raise `ClueError` unless all groups have the same number of cells."""
    if len(set(map(len, clue.groups))) > 1:
        raise ClueError(f"the groups of {clue.kind} have the same number of cells")


def _same_values(board: Board, clue: Clue) -> Iterator[Shape]:
    """Each digit as often in a group as in the next, apart from cells that both have."""
    for one, other in pairwise(clue.groups):
        more, less = (tuple(sorted({*a} - {*b})) for a, b in ((one, other), (other, one)))
        for digit in board.all_digits(more + less) if more or less else ():
            layers = _as_often(len(more), board.domains(more + less), digit)
            yield Automaton(more + less, layers)


@kept(256)  # many groups are of one size
def _as_often(more: int, domains: tuple[Domain, ...], digit: int) -> Layers:
    """The layers that let the first cells have a digit as often as the others."""

    def step(place: int, lead: int, x: int) -> int:
        return lead + (1 if place < more else -1) * (x == digit)

    own = tuple(range(len(domains)))
    return automaton(own, domains, 0, step, lambda lead: lead == 0).layers


def _entropy(board: Board, clue: Clue) -> Iterator[Shape]:
    n, width = len(board.digits), len(board.digits) // 3
    for window in board.windows:
        for low in range(1, n + 1, width):
            digits = range(low, low + width)
            yield OneOf(tuple((cell, digit) for cell in window for digit in digits))


def _rests(board: Board, clue: Clue) -> Iterator[Shape]:
    for window in board.windows:
        for rest in range(3):
            places = [at for at, digit in enumerate(board.digits, 1) if digit % 3 == rest]
            yield OneOf(tuple((cell, place) for cell in window for place in places))


def has_thirds(board: Board, clue: Clue) -> None:
    """Raise `ClueError` unless the digits of its cells fall into low, middle and high ones."""
    digits = board.all_digits(clue.cells) if clue.cells else board.digits
    if len(digits) % 3 or digits[-1] - digits[0] != len(digits) - 1:
        raise ClueError(f"{len(digits)} digits do not fall into three classes of one size")


def _mates(board: Board, clue: Clue) -> Iterator[Shape]:
    """A middle digit has the lowest above it or the highest below it."""
    n, at = len(board.digits), board.cell_at
    for cell, (row, column) in enumerate(board.places):
        beside = ((at.get((row - 1, column)), 1), (at.get((row + 1, column)), n))
        near = tuple((other, digit) for other, digit in beside if other is not None)
        yield OneOf(near, (cell, (n + 1) // 2))


COUNTS = (
    Kind(
        "quadruple",
        "[the digits in {the} {it} appear in the four cells around it, at least as often as in "
        "the circle|the four cells hold the digits {and}, each at least as often as listed]",
        "quadruple=1,2,9:r1c1,r1c2,r2c1,r2c2",
        shapes=_wanted,
        cells=(4, 4),
        order=SET,
        value=Digits(may_repeat=True),
        check=_enough_cells,
        near=MEETING,
        look=drawn(
            "corner",
            12,
            "circle",
        ),
        called=("Quadruple", "quad"),
        abroad=(iss("Quad", "square"), fpuzzles("quadruple", "cells", "digits")),
        said={
            "": [
                p.heading("quad(?:ruple)?"),
                f"(?:each )?{p.DIGITS} in {p.A}(?:white )?circles? "
                f"{p.MUST}(?:appear|be present|be) (?:somewhere )?(?:at least once )?in the "
                f"(?:four )?"
                "(?:surrounding )?cells"
                "(?: surrounding| touching| around)?(?: (?:the|it|its) ?circles?)?",
            ],
        },
    ),
    Kind(
        "contains",
        "[{the} {it} holds the digits in its corner, each at least as often as it is listed|the "
        "cells hold the digits {and}, each at least as often as it is listed]",
        "contains=1,9:r1c1-r1c5",
        shapes=_wanted,
        cells=(1, ANY),
        order=SET,
        value=Digits(may_repeat=True),
        check=_enough_cells,
        look=drawn(says="dashed outline", label="has {value}"),
        called=("Contained digits", "contains at least"),
        abroad=(iss("ContainAtLeast", "digits"), pencilmark("contains", "digits", key="digits")),
    ),
    Kind(
        "count",
        "[{the} {it} holds the digit in its corner exactly as often as the number after the × "
        "says|the cells hold a digit exactly as often as {value} says: the digit, x, and how "
        "often]",
        "count=5x2:r1c1-r3c3",
        shapes=_count,
        cells=(1, ANY),
        order=SET,
        value=Count(),
        check=_possible,
        stated=_count_words,
        look=drawn(says="dashed outline", label="{value}"),
        called=("Digit count", "look-and-say", "contains exactly"),
        abroad=(
            iss("LookAndSay", "look-and-say"),
            iss("ContainExact", "exact"),
            pencilmark("count", "counts"),
        ),
    ),
    Kind(
        "circles",
        "a digit in a circle says how many circles hold that digit",
        "circles:r1c1,r2c4,r5c5",
        shapes=_circles,
        cells=(1, ANY),
        order=SET,
        look=drawn("disc", 8, "circle", hollow=True),
        called=("Counting circles",),
        abroad=(iss("CountingCircles"), pencilmark("count circles")),
        spoken=Spoken(noun="counting circles"),
    ),
    Kind(
        "count-distinct",
        "[the digit in the single cell joined by # is the number of different digits in the "
        "outline|the digit in the first cell is the number of different digits in the others]",
        "count-distinct:r1c1>r1c2,r2c1,r2c2",
        shapes=_count_distinct,
        groups=(2, 2),
        order=SET,
        check=_one_tells,
        look=drawn(
            "compared",
            9,
            "outline",
            sign="#",
        ),
        called=("Count of different digits", "distinct count"),
        abroad=(iss("CountDistinct", "circle"),),
    ),
    Kind(
        "same-values",
        "[outlines joined by ~|the groups] hold the same digits, each equally often, in any order",
        "same-values:r1c1,r1c2>r5c5,r5c6",
        shapes=_same_values,
        cells=(2, ANY),
        groups=(2, ANY),
        order=SET,
        check=same_length,
        look=drawn("compared", 9, "outline", sign="~"),
        called=("Same digits", "same set", "equal sets"),
        abroad=(iss("SameValues", "sets"),),
    ),
    Kind(
        "entropy",
        "every 2x2 square holds a low{lows}, a middle{middles} and a high{highs} digit",
        "entropy",
        shapes=_entropy,
        groups=(0, 0),
        whole_board=True,
        by_place=True,
        check=has_thirds,
        called=("Global entropy", "2x2 entropy"),
        abroad=(iss("GlobalEntropy", "flag", size=9), pencilmark("global_entropy", "whole")),
    ),
    Kind(
        "modular-entropy",
        "every 2x2 square holds [a digit from each of the sets {rests}|digits with all three "
        "remainders when divided by 3]",
        "modular-entropy",
        shapes=_rests,
        groups=(0, 0),
        whole_board=True,
        by_place=True,
        called=("Global modular entropy", "global mod"),
        abroad=(iss("GlobalMod", "flag", size=9, first=(0, 1)),),
    ),
    Kind(
        "flat-mates",
        "[every {mid} has a {lowest} directly above it or a {highest} directly below it, or "
        "both|every middle digit (5 of 9) has the lowest digit directly above it or the highest "
        "directly below it, or both]",
        "flat-mates",
        shapes=_mates,
        groups=(0, 0),
        whole_board=True,
        by_place=True,
        called=("Dutch flat mates",),
        abroad=(iss("DutchFlatmates", "flag", size=9),),
    ),
)
