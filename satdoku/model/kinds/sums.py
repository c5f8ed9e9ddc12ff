"""Kinds that speak of sums and products.

Invariant: an automaton reads digits and keeps what is left to reach; it gives up as soon as that is
out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby, pairwise
from math import comb
from operator import ne
from random import Random

from ...runtime.errors import counted
from .. import phrases as p
from ..appearance import drawn, fpuzzles, iss, pencilmark, sudokupad
from ..automata import of_sum
from ..board import Board, CellPair, Cells, written
from ..clue import PATH, SET, Clue, ClueError, OutOfReachError
from ..shapes import DigitSets, Shape, Sum, automaton, number_of_sets, sets_of, work
from .kind import ANY, CAGED, DRAWN, Allowed, Kind, Number, Relation, Spoken, Weights, needs_boxes


@cache
def sums_to(total: int) -> Allowed:
    """The digits add up to `total`."""
    return lambda x, y: x + y == total


Sums = Callable[[Board, Clue], Iterator[Sum]]


def _automata(sums: Sums) -> Callable[[Board, Clue], Iterator[Shape]]:
    """What sums say, as an automaton for each."""
    return lambda board, clue: (
        of_sum(said, board.domains(said.cells)) for said in sums(board, clue)
    )


def _added(cells: Cells, weights: Iterable[int], total: int) -> Sum:
    """The sum in which each cell stands once, with all its weights, which may cancel out."""
    at = dict.fromkeys(cells, 0)
    for cell, weight in zip(cells, weights, strict=True):
        at[cell] += weight
    return Sum(tuple(at), tuple(at.values()), total)


def _total(board: Board, clue: Clue) -> Iterator[Sum]:
    if clue.value:
        yield _added(clue.cells, (1,) * len(clue.cells), int(clue.value))


def _total_of_many(board: Board, clue: Clue) -> Iterator[Shape]:
    if len(clue.cells) > 2:
        yield from _automata(_total)(board, clue)


def _total_of_two(board: Board, clue: Clue) -> Iterator[Relation]:
    if len(clue.cells) < 3:
        alone = len(clue.cells) == 1
        total = int(clue.value) * (1 + alone)  # of a single cell the digit and the same once more
        yield Relation(clue.cells[0], clue.cells[-1], sums_to(total))


def _in_reach(board: Board, clue: Clue) -> None:
    count, domains = len(clue.cells), board.domains(clue.cells)
    low, high = (sum(digits[end] for digits in domains) for end in (0, -1))
    if clue.value and not low <= int(clue.value) <= high:
        raise OutOfReachError(
            f"{counted(count, 'cell')} add up to {low}-{high}, not {clue.value}"
        )


def _weighted(board: Board, clue: Clue) -> Iterator[Sum]:
    weights, _, total = clue.value.partition("=")
    yield _added(clue.cells, map(int, weights.split(",")), int(total))


def _weighted_words(value: str) -> str:
    weights, _, total = value.partition("=")
    listed = ", ".join(weights.split(","))
    return f"the digits, times {listed} in the order of the cells, add up to {total}"


def _weights_fit(board: Board, clue: Clue) -> None:
    written, _, total = clue.value.partition("=")
    count, cells = len(written.split(",")), len(clue.cells)
    if count != cells:
        raise ClueError(
            f"{counted(count, 'weight')} for {counted(cells, 'cell')}: expected one for each"
        )
    ((added, weights, _),) = _weighted(board, clue)
    domains = [(digits[0], digits[-1]) for digits in board.domains(added)]
    low, high = (
        sum(pick(w * end for end in ends) for w, ends in zip(weights, domains, strict=True))
        for pick in (min, max)
    )
    if not low <= int(total) <= high:
        raise OutOfReachError(f"its cells add up to {low} to {high}, not {total}")


def _cage_sets(board: Board, clue: Clue) -> Iterator[Shape]:
    if clue.value and len(clue.cells) > 1:
        (digits, *others) = {*board.domains(clue.cells)}
        if others:  # of layers
            yield from _automata(_total)(board, clue)
            return
        asked = len(clue.cells), int(clue.value), digits
        work(number_of_sets(*asked) * len(digits))
        yield DigitSets(clue.cells, sets_of(*asked))


def _cage_pairs(board: Board, clue: Clue) -> Iterator[Relation]:
    if len(clue.cells) == 1 and clue.value:
        yield from _total_of_two(board, clue)
    yield from (Relation(a, b, ne) for a, b in combinations(clue.cells, 2))


def _cage_fits(board: Board, clue: Clue) -> None:
    count, digits = len(clue.cells), board.all_digits(clue.cells)
    if count > len(digits):
        raise OutOfReachError(
            f"{counted(count, 'cell')}: there are only {counted(len(digits), 'digit')}"
        )
    low, high = sum(digits[:count]), sum(digits[-count:])
    if clue.value and not low <= int(clue.value) <= high:
        raise OutOfReachError(
            f"{count} different digits add up to {low}-{high}, not {clue.value}"
        )


def _rellik_sets(board: Board, clue: Clue) -> Iterator[Shape]:
    banned = int(clue.value)

    def allowed(digits: frozenset[int]) -> bool:
        return banned not in _sums_of(digits)

    def step(position: int, seen: frozenset[int], digit: int) -> frozenset[int]:
        return seen | {digit}

    none: frozenset[int] = frozenset()
    if _is_mixed(board, clue):
        yield automaton(clue.cells, board.domains(clue.cells), none, step, allowed)
    else:
        yield _sets_with(allowed, board, clue)


def _is_mixed(board: Board, clue: Clue) -> bool:
    """Whether no set of positions tells the digits, as its cells have different ones."""
    return len({*board.domains(clue.cells)}) > 1


def _sums_of(digits: Iterable[int]) -> set[int]:
    """The sums of one or more of the digits."""
    sums: set[int] = set()
    for digit in digits:
        sums |= {digit, *(so_far + digit for so_far in sums)}
    return sums


def _equal_parts(board: Board, clue: Clue) -> Iterator[Shape]:
    """As many odd as even digits, and as many of the lower half as of the upper one."""
    digits, count = board.all_digits(clue.cells), len(clue.cells) // 2
    half = len(digits) // 2
    odd = tuple(digit for digit in digits if digit % 2)
    parts = odd, digits[:half], digits[len(digits) - half :]

    def is_fair(digits: frozenset[int]) -> bool:
        return all(len(digits.intersection(part)) == count for part in parts)

    def step(position: int, seen: Cells, digit: int) -> Cells:
        return tuple(so_far + (digit in part) for so_far, part in zip(seen, parts, strict=True))

    if _is_mixed(board, clue):
        domains, none = board.domains(clue.cells), (0,) * len(parts)
        yield automaton(clue.cells, domains, none, step, ((count,) * len(parts)).__eq__)
    else:
        yield _sets_with(is_fair, board, clue)


def _sets_with(allowed: Callable[[frozenset[int]], bool], board: Board, clue: Clue) -> Shape:
    """The cells, all of the same digits, hold different ones, as a set that is allowed."""
    count, digits = len(clue.cells), board.all_digits(clue.cells)
    work(comb(len(digits), count) * len(digits))
    places = combinations(range(len(digits)), count)
    good = (some for some in places if allowed(frozenset(digits[at] for at in some)))
    return DigitSets(clue.cells, tuple(frozenset(at + 1 for at in some) for some in good))


def _halves(board: Board, clue: Clue) -> None:
    count, most = len(clue.cells), len(board.all_digits(clue.cells)) // 2 * 2
    if count % 2 or count > most:
        raise OutOfReachError(f"{counted(count, 'cell')}: expected an even number, at most {most}")


def _arrow(board: Board, clue: Clue) -> Iterator[Sum]:
    """The circle's number, read as one, is the sum of every shaft."""
    circle, *shafts = clue.groups
    places = tuple(-(10**place) for place in reversed(range(len(circle))))
    for shaft in shafts:
        yield _added(circle + shaft, places + (1,) * len(shaft), 0)


def _arrow_fits(board: Board, clue: Clue) -> None:
    circle = clue.groups[0]
    if len(circle) > 3:
        raise ClueError(f"{len(circle)} cells in the circle: expected 1 to 3")
    if len({*circle}) < len(circle):
        raise ClueError("a cell stands twice in the circle")


def _ends_and_middle(board: Board, clue: Clue) -> Iterator[Sum]:
    ends, middle = (clue.cells[0], clue.cells[-1]), clue.cells[1:-1]
    yield _added(ends + middle, (1, 1) + (-1,) * len(middle), 0)


def _same_totals(groups: Iterable[Cells]) -> Iterator[Sum]:
    for one, other in pairwise(groups):
        yield _added(one + other, (1,) * len(one) + (-1,) * len(other), 0)


def _equal_sums(board: Board, clue: Clue) -> Iterator[Sum]:
    return _same_totals(clue.groups)


def _region_sums(board: Board, clue: Clue) -> Iterator[Sum]:
    return _same_totals(tuple(cells) for _, cells in groupby(clue.cells, key=board.box_of))


def _ten(board: Board, clue: Clue) -> Iterator[Shape]:
    total, domains = int(clue.value), board.domains(clue.cells)

    def step(position: int, so_far: int, digit: int) -> int | None:
        """The state: the sum of the last part, to which a 0 that follows belongs as well."""
        after = digit or total if so_far == total else so_far + digit
        return after if after <= total else None

    def step_either_way(position: int, state: CellPair, digit: int) -> CellPair:
        """The state: the sum of all, and how many parts were found behind one another."""
        after, parts = state[0] + digit, state[1]
        return after, parts + (after == total * (parts + 1))

    def accepts(state: CellPair) -> bool:
        return state[0] in range(total, total * (state[1] + 1), total)

    if board.all_digits(clue.cells)[0] >= 0:
        yield automaton(clue.cells, domains, 0, step, total.__eq__)
    else:
        yield automaton(clue.cells, domains, (0, 0), step_either_way, accepts)


def _ten_fits(board: Board, clue: Clue) -> None:
    total, lowest = int(clue.value), board.all_digits(clue.cells)[0]
    if total == 0:
        raise ClueError("value 0: expected the sum of a part, which is not 0")
    if total < 0 <= lowest:
        raise OutOfReachError(f"value {total}: no digits from {lowest} on add up to it")


def _zipper(board: Board, clue: Clue) -> Iterator[Sum]:
    cells = clue.cells
    half = len(cells) // 2
    pairs = [(cells[i], cells[-1 - i]) for i in range(half)]
    middle = [(cells[half],)] if len(cells) % 2 else []
    return _same_totals([*pairs, *middle])


def _product(board: Board, clue: Clue) -> Iterator[Shape]:
    total, domains = int(clue.value), board.domains(clue.cells)

    def step(position: int, left: int, digit: int) -> int | None:
        return left // digit if digit and left % digit == 0 else None

    def step_to_zero(position: int, sign: int, digit: int) -> int:
        return sign * (digit > 0)

    if total:
        yield automaton(clue.cells, domains, total, step, lambda left: left == 1)
    else:
        yield automaton(clue.cells, domains, 1, step_to_zero, lambda sign: sign == 0)


def _has_factors(board: Board, clue: Clue) -> None:
    digits = board.all_digits(clue.cells)
    if digits[0] < 0:
        raise ClueError(f"a product of digits {written(digits)}: expected digits from 0 on")
    if int(clue.value) < 0:
        raise OutOfReachError(f"value {clue.value}: no digits from {digits[0]} on multiply to it")


def _greater(board: Board, clue: Clue) -> Iterator[Shape]:
    for one, other in pairwise(clue.groups):
        signs = (1,) * len(one) + (-1,) * len(other)

        def step(place: int, lead: int, digit: int, signs: tuple[int, ...] = signs) -> int:
            return lead + signs[place] * digit

        yield automaton(one + other, board.domains(one + other), 0, step, lambda lead: lead > 0)


@dataclass(frozen=True)
class _Banned(Number):
    """A sum that no digits make."""

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """Sums that others of as many digits make, as a greater one would say nothing."""
        most = max(sum(digits), self.low + 1)
        return [str(number) for number in rng.sample(range(self.low, most), most - self.low)]


def _cage_sentence(value: str) -> str:
    total = ", and add up to [the number in its corner|{value}]" if value else ""
    return f"[digits in {{the}} {{it}}|the digits] do not repeat{total}"


_REACH = Number(1, lambda size: size * ANY, is_highest=True)
SUM = Kind(
    "sum",
    "[digits in {the} {it}, or joined by a number, add up to that number; they|the digits add up "
    "to {value}; they] may repeat where no other rule forbids it",
    "sum=20:r1c1,r2c2,r3c3,r4c4",
    _total_of_two,
    shapes=_total_of_many,
    sums=_total,
    cells=(1, ANY),
    order=SET,
    counts_again=True,
    value=_REACH,
    check=_in_reach,
    look=drawn("letter", 10, "dashed outline with a sum"),
    apart={
        "10": "digits joined by {the} X add up to 10",
        "5": "digits joined by {the} V add up to 5",
    },
    called=("Sum", "X=x", "V=v", "XV=x", "XV=v", "sum line"),
    abroad=(
        iss("Sum", "total"),
        iss("Cage", "caged", says="sum"),
        iss("X", "marks", value="10"),
        iss("V", "marks", value="5"),
        fpuzzles("xv", "pair", "letter"),
        pencilmark("edge xv", when=("letter", "X"), value="10"),
        pencilmark("edge xv", when=("letter", "V"), value="5"),
        pencilmark("edge sum", "number", key="sum"),
        pencilmark("sum frame", "outside", key="sum"),
        pencilmark("sum group", "number", key="sum"),
        pencilmark("sum corner", "number", key="sum"),
        pencilmark("corner mathrax", "crossing", when=("op", "+")),
        pencilmark("sum", "op-number"),
    ),
    said={
        "=10": [p.heading("x|x ?/? ?v"), *p.dot("x", f"(?:{p.ADD}|total) 10")],
        "=5": [p.heading("v|x ?/? ?v"), *p.dot("v", f"(?:{p.ADD}|total) 5")],
    },
    spoken=Spoken(noun="{value} sum", nouns={"10": "X", "5": "V"}),
)
KINDS = (
    SUM,
    Kind(
        "weighted",
        "[digits in {the} {it}, each times the number in its corner, add up to the number after "
        "the equals sign|the digits, each times its weight, add up as {value} says]",
        "weighted=2,1,-1=5:r1c1,r1c2,r2c3",
        shapes=_automata(_weighted),
        sums=_weighted,
        order=PATH,
        value=Weights(),
        check=_weights_fit,
        look=drawn(
            "weights",
            10,
            "dashed outline",
        ),
        called=("Weighted sum", "sum with coefficients"),
        stated=_weighted_words,
        abroad=(iss("Sum", "coefficients"),),
        spoken=Spoken(noun="weighted sum {value}"),
    ),
    Kind(
        "little-killer",
        "[the number at {the} {it} is the sum of the digits along its diagonal, which|the digits "
        "along the diagonal add up to {value}; they] may repeat",
        "little-killer=20:r1c2-r3c4",
        _total_of_two,
        shapes=_total_of_many,
        sums=_total,
        cells=(1, ANY),
        order=PATH,
        value=_REACH,
        check=_in_reach,
        near=DRAWN,
        look=drawn(
            "outside",
            13,
            "arrow outside the grid",
            arrow=True,
        ),
        called=("Little killer", "diagonal sum"),
        abroad=(
            iss("LittleKiller", "diagonal"),
            fpuzzles("littlekillersum", "diagonal", "clued"),
            pencilmark("sum little_killer", "outside", key="sum"),
        ),
        said={
            "": [
                p.heading("little killer"),
                f"{p.OUTSIDE} {p.SHOW} the sum of {p.DIGITS} {p.IN} {p.A}diagonals?",
                f"{p.DIGITS} {p.IN} {p.A}diagonals? {p.MUST}{p.ADD} {p.A}(?:clue|number|value)"
                "(?: next to the arrow| outside the grid)?",
                "(?:digits )?(?:may|can) repeat" + p.REPEAT.format(place=f"{p.A}diagonals?"),
            ],
        },
        spoken=Spoken(noun="little killer {value}"),
    ),
    Kind(
        "cage",
        _cage_sentence("N") + "[, if there is one|, if the cage says so]",
        "cage=15:r1c1,r1c2",
        _cage_pairs,
        shapes=_cage_sets,
        sums=_total,
        cells=(1, ANY),
        order=SET,
        value=Number(1, lambda size: size * ANY, is_optional=True, is_highest=True),
        check=_cage_fits,
        near=CAGED,
        look=drawn(
            "outlined",
            9,
            "dashed cage",
        ),
        called=("Killer cage", "killer", "sum cage"),
        stated=_cage_sentence,
        abroad=(
            iss("Cage", "caged", says="all"),
            fpuzzles("killercage", "cells", "number"),
            pencilmark("cage", "total"),
        ),
        said={
            "": [
                p.heading("killer|cage|killer cage"),
                f"(?:{p.DIGITS} )?{p.NOT} (?:be )?repeat(?:ed)? {p.IN} {p.A}cages?",
                f"{p.DIGITS} {p.IN} {p.A}cages? {p.NOT} (?:be )?repeat(?:ed)?",
            ],
            "=": [
                f"(?:{p.DIGITS} )?{p.IN} {p.A}cages? {p.MUST}{p.ADD} "
                f"{p.A}(?:clue|number|sum|total|value)"
                f"{p.WHERE}{p.IF}",
                f"{p.MUST}{p.ADD} {p.A}(?:clue|number|sum|total|value){p.WHERE}{p.IF}",
            ],
        },
        spoken=Spoken(noun="{value} cage"),
    ),
    Kind(
        "rellik",
        "digits [in {the} {it} |]do not repeat, and no set of one or more of them adds up to [the "
        "number in its corner|{value}]",
        "rellik=8:r1c1,r1c2,r2c1",
        lambda board, clue: (Relation(a, b, ne) for a, b in combinations(clue.cells, 2)),
        shapes=_rellik_sets,
        order=SET,
        value=_Banned(1, lambda size: size * ANY),
        check=lambda board, clue: _cage_fits(board, clue._replace(value="")),
        near=CAGED,
        look=drawn("outlined", 9, "dashed cage marked ≠", sign="≠"),
        called=("Rellik cage", "anti-cage", "anti-killer"),
        abroad=(iss("RellikCage", "number"),),
    ),
    Kind(
        "equality",
        "[digits in {the} {it}|the digits] do not repeat; as many are odd as even, and as many "
        "low{lower} as high{upper}",
        "equality:r1c1,r1c2,r2c1,r2c2",
        lambda board, clue: (Relation(a, b, ne) for a, b in combinations(clue.cells, 2)),
        shapes=_equal_parts,
        cells=(2, ANY),
        order=SET,
        check=_halves,
        near=CAGED,
        called=("Equality cage",),
        abroad=(iss("EqualityCage"),),
        spoken=Spoken(noun="equality cage"),
    ),
    Kind(
        "product",
        "[digits in {the} {it} multiply to the number in its corner; they|the digits multiply to "
        "{value}; they] may repeat where no other rule forbids it",
        "product=24:r1c1,r1c2,r2c1",
        shapes=_product,
        cells=(1, ANY),
        order=SET,
        counts_again=True,
        value=Number(1, lambda size: size**9),
        check=_has_factors,
        near=CAGED,
        look=drawn("outlined", 9, "dashed outline marked ×", sign="×"),
        called=("Product", "product cage"),
        abroad=(
            pencilmark("edge product", "number", key="value"),
            pencilmark("corner mathrax", "crossing", when=("op", "x")),
        ),
        spoken=Spoken(noun="{value} product", sign="×"),
    ),
    Kind(
        "arrow",
        "digits along {the} [{it}|shaft] add up to the number in [its circle or pill|the circle, "
        "which comes first]",
        "arrow:r1c1>r1c2,r2c3,r3c4",
        shapes=_automata(_arrow),
        sums=_arrow,
        groups=(2, ANY),
        order=PATH,
        check=_arrow_fits,
        near=DRAWN,
        look=drawn(
            "shafts",
            8,
            "arrow",
        ),
        called=("Arrow", "pill", "pill arrow"),
        abroad=(
            iss("Arrow", "circle"),
            iss("PillArrow", "pill"),
            fpuzzles("arrow", "circle"),
            pencilmark("arrow", "circle"),
        ),
        said={
            "": [
                p.heading("arrow"),
                f"(?:{p.DIGITS} )?{p.IN} {p.A}arrows?{p.GRID} {p.MUST}{p.ADD} "
                f"{p.A}(?:digit|number|value|total)s? "
                f"in {p.A}(?:circle|bulb)s?",
                f"the circled digit (?:is|constitutes) the sum of {p.DIGITS} {p.IN} {p.A}arrows?",
                "(?:digits )?may repeat" + p.REPEAT.format(place=f"{p.A}arrows?"),
            ],
        },
        spoken=Spoken(alone={"several": "the circle holds the sum of the arm ({label})"}),
    ),
    Kind(
        "double-arrow",
        "digits between the [two circles|ends] of {the} [{it}|line] add up to the sum of the "
        "digits in [the circles|both ends]",
        "double-arrow:r1c1-r1c5",
        shapes=_automata(_ends_and_middle),
        sums=_ends_and_middle,
        cells=(3, ANY),
        near=DRAWN,
        look=drawn("with-ends", 7, "thin line", colour="#77777d", width=2),
        called=("Double arrow",),
        abroad=(
            iss("DoubleArrow"),
            fpuzzles("doublearrow", "lines"),
            pencilmark("line double_arrow"),
        ),
        spoken=Spoken(noun="double arrow"),
    ),
    Kind(
        "region-sum",
        "{box} borders divide {the} [{it}|line] into segments, all with the same sum",
        "region-sum:r1c2-r1c5",
        shapes=_automata(_region_sums),
        sums=_region_sums,
        cells=(2, ANY),
        down_to=1,
        by_place=True,
        check=needs_boxes,
        near=DRAWN,
        look=drawn("line", 5, "blue line", alike="lines", mark="a dark core", colour="#7fb6f5"),
        called=("Region sum line", "box sum line", "equal sum line"),
        abroad=(
            iss("RegionSumLine", "boxed"),
            fpuzzles("regionsumline", "lines"),
            sudokupad("#2ecbff", "region sum"),
            pencilmark("line region_sum"),
        ),
        said={
            "": [
                p.heading("region sum"),
                f"(?:for {p.A}lines?, )?{p.DIGITS}(?: {p.IN} {p.A}lines?)? {p.MUST}have "
                "(?:an equal|the same) sum within each (?:box|region) (?:it|the line) passes "
                "through",
            ],
        },
        spoken=Spoken(noun="region sum line"),
    ),
    Kind(
        "equal-sum",
        "[outlines joined by an equals sign|the groups of cells] have the same sum",
        "equal-sum:r1c1,r1c2>r5c5,r5c6,r5c7",
        shapes=_automata(_equal_sums),
        sums=_equal_sums,
        groups=(2, ANY),
        order=SET,
        counts_again=True,
        look=drawn("compared", 9, "outline", sign="="),
        called=("Equal sums",),
        abroad=(iss("EqualSum", "segments"), pencilmark("equal_sum", "groups", key="segments")),
        spoken=Spoken(noun="equal sums"),
    ),
    Kind(
        "greater-sum",
        "[{the} sign between two outlines points at the one with the lower sum|each group of cells "
        "has a greater sum than the next]",
        "greater-sum:r1c1,r1c2>r5c5,r5c6",
        shapes=_greater,
        groups=(2, ANY),
        order=SET,
        counts_again=True,
        look=drawn("compared", 9, "outline", sign=">"),
        called=("Greater sums", "greater than killer", "killer inequality"),
        spoken=Spoken(noun="greater sums"),
    ),
    Kind(
        "ten-line",
        "{the} [{it}|line] divides into segments that each add up to {value}",
        "ten-line=10:r1c1-r1c5",
        shapes=_ten,
        cells=(1, ANY),
        value=Number(2, lambda size: size * size, lambda size: size + 1),
        check=_ten_fits,
        near=DRAWN,
        look=drawn(
            "line", 5, "light blue line", alike="lines", mark="dark edges", colour="#a8e9f6"
        ),
        called=("Sum line", "Ten line=ten-line=10", "10 line=ten-line=10"),
        abroad=(iss("SumLine", "number", most=30),),
        spoken=Spoken(noun="{value} line"),
    ),
    Kind(
        "zipper",
        "digits equally far from the middle of {the} [{it}|line] have the same sum, which a "
        "single middle cell also holds",
        "zipper:r1c1-r1c5",
        shapes=_automata(_zipper),
        sums=_zipper,
        cells=(3, ANY),
        down_to=1,
        near=DRAWN,
        look=drawn("line", 6, "lavender line", alike="lines", mark="dark bars", colour="#bfa6ef"),
        called=("Zipper line",),
        abroad=(
            iss("Zipper"),
            fpuzzles("zipperline", "lines"),
            sudokupad("#cdb1ec", "zipper"),
            pencilmark("line zipper"),
        ),
        spoken=Spoken(noun="zipper line"),
    ),
)
