"""Clues on many cells at once: totals, products, counts, and what the ends of a line tell.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, combinations, pairwise, permutations, product
from math import prod
from typing import Any

from ...model.board import Board, Cells
from ...model.clue import Clue
from .pairs import far, gains, is_any, more, other, points_at, same, tells
from .parts import (
    Among,
    Distinct,
    Holds,
    Part,
    Parts,
    Ranks,
    Statement,
    Told,
    Used,
    all_of,
    any_of,
    as_number,
    box_of,
    first_named,
    holds_every_digit,
    how_many,
    implies,
    is_not,
    together,
    with_distance,
)


def _read_as_number(digits: Iterable[Any]) -> Any:
    return reduce(lambda number, digit: 10 * number + digit, digits)


def _adds_up_to(total: int) -> Holds:
    return lambda *digits: sum(digits) == total


def _with_weights(value: str) -> Holds:
    """Of `2,1,-1=5`: what stands before the equals sign are factors of the digits."""
    factors, total = value.split("=")

    def holds(*digits: Any) -> Any:
        terms = zip(digits, factors.split(","), strict=True)
        return sum(x * int(factor) for x, factor in terms) == int(total)

    return holds


def _formula(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """For each way to fill what the formula names, the value that it comes to."""
    words = re.findall("[A-Za-z]+|[0-9]+|[-+*()]", clue.value)
    names = [*dict.fromkeys(word for word in words if word.isalpha())]
    for cell in clue.cells:
        own = board.name_of(cell).partition(".")[2]
        under = {
            layer.name: layer.name if layer.free else f"{layer.name}.{own}"
            for layer in board.layers
        }
        named = tuple(board.cell_named[under.get(name, own)] for name in names)
        ways = [dict(zip(names, way, strict=True)) for way in product(*board.domains(named))]
        yield Part((*named, cell), _comes_to([(way, _sum_of(words[::-1], way)) for way in ways]))


def _comes_to(ways: list[tuple[dict[str, int], int]]) -> Holds:
    def holds(*digits: Any) -> Any:
        return all_of(
            implies(
                all_of(x == y for x, y in zip(digits, way.values(), strict=False)),
                digits[-1] == told,
            )
            for way, told in ways
        )

    return holds


def _sum_of(words: list[str], values: dict[str, int]) -> int:
    """What the words come to, the last of which is read first; read words are taken away."""
    total = _product_of(words, values)
    while words and words[-1] in "+-":
        sign = 1 if words.pop() == "+" else -1
        total += sign * _product_of(words, values)
    return total


def _product_of(words: list[str], values: dict[str, int]) -> int:
    told = _single(words, values)
    while words and words[-1] == "*":
        words.pop()
        told *= _single(words, values)
    return told


def _single(words: list[str], values: dict[str, int]) -> int:
    word = words.pop()
    if word == "-":
        return -_single(words, values)
    if word == "(":
        inner = _sum_of(words, values)
        words.pop()  # what closes it
        return inner
    return values[word] if word in values else int(word)


def _multiplies_to(total: int, digits: Cells) -> Holds:
    """Prime by prime, so that it is linear: each occurs as often in the digits as in the total.
    digits: those from 0 on that there are."""
    powers = {x: _factors(x, digits[-1]) for x in {total, *digits} - {0}}
    rest = total // prod(powers[total].elements()) if total else 0
    primes = sorted({prime for x in powers for prime in powers[x]})

    def occurs(prime: int, d: Iterable[Any]) -> Any:
        multiples = [x for x in digits if x for _ in range(powers[x][prime])]
        return sum(as_number(x == multiple) for x in d for multiple in multiples)

    def holds(*d: Any) -> Any:
        if total == 0:
            return any_of(x == 0 for x in d)
        linear = (occurs(prime, d) == powers[total][prime] for prime in primes)
        no_zero = (x != 0 for x in d if 0 in digits)
        return all_of((rest == 1, *no_zero, *linear))

    return holds


def _factors(number: int, most: int) -> Counter[int]:
    """The primes up to `most` that divide a number, and how often."""
    found: Counter[int] = Counter()
    for prime in range(2, most + 1):
        if number < prime:
            break
        while number % prime == 0:
            number, found[prime] = number // prime, found[prime] + 1
    return found


def _product(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield Part(clue.cells, _multiplies_to(int(clue.value), board.all_digits(clue.cells)))


def _cage(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield from (Part(pair, other) for pair in combinations(clue.cells, 2))
    if clue.value:
        yield (Part if len(clue.cells) == 1 else Distinct)(clue.cells, _adds_up_to(int(clue.value)))


def _arrow(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    circle = clue.groups[0]
    for shaft in clue.groups[1:]:
        yield Part(
            circle + shaft,
            lambda *d: _read_as_number(d[: len(circle)]) == sum(d[len(circle) :]),
        )


def _compared(groups: Iterable[Cells], relation: Callable[[Any, Any], Any]) -> Parts:
    """The totals of every two successive groups are in the relation."""
    for one, following in pairwise(groups):

        def holds(*d: Any, k: int = len(one)) -> Any:
            return relation(sum(d[:k]), sum(d[k:]))

        yield Part(one + following, holds)


def _boxes_of(board: Board, clue: Clue) -> list[Cells]:
    """The line cut where it leaves a box."""
    pieces: list[list[int]] = []
    for cell in clue.cells:
        if not pieces or box_of(pieces[-1][-1], board) != box_of(cell, board):
            pieces.append([])
        pieces[-1].append(cell)
    return [tuple(piece) for piece in pieces]


def _folded(cells: Cells) -> list[Cells]:
    """Each cell with the one as far from the other end; the middle one by itself."""
    half = len(cells) // 2
    middle = cells[half : len(cells) - half]
    return [*zip(cells[:half], cells[::-1], strict=False), *[middle] * bool(middle)]


def _in_parts_of(total: int) -> Holds:
    """No digit steps over a multiple of the total, and the last one reaches one."""

    def holds(*digits: Any) -> Any:
        sums = list(accumulate(digits))
        kept = (a % total + x <= total for a, x in zip((0, *sums), digits, strict=False))
        return all_of(kept) & (sums[-1] % total == 0) & (sums[-1] != 0)

    return holds


def _in_any_parts_of(total: int) -> Holds:
    """A part ends where the total lies behind the end of another part, or behind the beginning."""

    def holds(*digits: Any) -> Any:
        ends: list[Any] = [True]
        for last in range(1, len(digits) + 1):
            ways = ((ends[i], sum(digits[i:last]) == total) for i in range(last))
            ends.append(any_of(map(all_of, ways)))
        return ends[-1]

    return holds


def _in_parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    is_rising = board.all_digits(clue.cells)[0] >= 0  # so that a sum never falls again
    says = _in_parts_of if is_rising else _in_any_parts_of
    yield Part(clue.cells, says(int(clue.value)))


def _holds_times(digit: int, low: int, high: int) -> Holds:
    def holds(*digits: Any) -> Any:
        number = how_many(digit, digits)
        return (low <= number) & (number <= high)

    return holds


def _each_listed(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """Of all cells but one less than the digit is listed, one holds it."""
    listed = list(map(int, clue.value.split(",")))
    for digit in sorted(set(listed)):
        spared = listed.count(digit) - 1
        for left_out in combinations(clue.cells, spared):
            yield Among(tuple((cell, digit) for cell in clue.cells if cell not in left_out))


def _count(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    digit, times = map(int, clue.value.split("x"))
    yield Part(clue.cells, _holds_times(digit, times, times))


def _circles(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """Each digit stands in as many circles as it says, or in none."""
    for digit in board.all_digits(clue.cells):

        def holds(*d: Any, digit: int = digit) -> Any:
            number = how_many(digit, d)
            return (number == 0) | (number == digit)

        yield Part(clue.cells, holds)
    digits, *others = {*board.domains(clue.cells)}
    if len(digits) <= 12 and not others:
        yield Used(clue.cells, _use_as_many(digits, len(clue.cells)))


def _use_as_many(digits: Cells, total: int) -> Holds:
    """The digits that stand in one of the cells or more add up to the total."""

    def holds(*d: Any) -> Any:
        return sum(x * as_number(any_of(y == x for y in d)) for x in digits) == total

    return holds


def _tells_how_many(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """How many digits stand in one of the cells or more."""
    (teller,), others = clue.groups
    digits = board.all_digits(others)

    def holds(*d: Any) -> Any:
        *counted, told = d
        there = (any_of(x == digit for x in counted) for digit in digits)
        return sum(map(as_number, there)) == told

    of_layer = {board.name_of(cell).rpartition(".")[0] for cell in others}
    is_counted = teller not in others and len(of_layer) == 1 and "" not in of_layer
    yield (Told if is_counted else Part)((*others, teller), holds)


def _same_multiset(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """Cells that two groups share are left out of both."""
    for one, following in pairwise(clue.groups):
        more = tuple(cell for cell in one if cell not in following)
        cells = more + tuple(cell for cell in following if cell not in one)
        for digit in board.all_digits(cells) if cells else ():

            def holds(*d: Any, digit: int = digit, k: int = len(more)) -> Any:
                return how_many(digit, d[:k]) == how_many(digit, d[k:])

            yield Part(cells, holds)


def _never_adds_up(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """Of no set of digits with that sum all are there."""
    digits, most = board.all_digits(clue.cells), len(clue.cells)
    sets = (some for k in range(most) for some in combinations(digits, k + 1))
    banned = [some for some in sets if sum(some) == int(clue.value)]

    def holds(*d: Any) -> Any:
        there = {digit: any_of(x == digit for x in d) for digit in digits}
        return all_of(is_not(all_of(there[digit] for digit in some)) for some in banned)

    yield from _differ(clue.cells)
    yield Distinct(clue.cells, holds)


def _differ(cells: Cells) -> Iterator[Part]:
    return (Part(pair, other) for pair in combinations(cells, 2))


def _equal_halves(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """Half of the digits are odd, half low, half high."""
    digits = board.all_digits(clue.cells)
    odd = [x for x in digits if x % 2]
    half = len(digits) // 2
    low, high = digits[:half], digits[len(digits) - half :]

    def holds(*d: Any) -> Any:
        return all_of(2 * sum(how_many(x, d) for x in some) == len(d) for some in (odd, low, high))

    yield from _differ(clue.cells)
    yield Distinct(clue.cells, holds)


def _entropy(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    size = len(board.digits) // 3
    thirds = [board.digits[first : first + size] for first in (0, size, 2 * size)]
    return _in_each_square(board, thirds)


def _modular_entropy(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    return _in_each_square(board, [[x for x in board.digits if x % 3 == r] for r in range(3)])


def _in_each_square(board: Board, classes: Sequence[Sequence[int]]) -> Parts:
    """A digit of each class in each square of 2x2 cells."""
    number = {where: cell for cell, where in enumerate(board.places)}
    for row, column in board.places:
        places = product((row, row + 1), (column, column + 1))
        window = [number[where] for where in places if where in number]
        if len(window) == 4:
            yield from (Among(tuple(product(window, some))) for some in classes)


def _flat_mates(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    digits = board.digits
    number = {where: cell for cell, where in enumerate(board.places)}
    for cell, (row, column) in enumerate(board.places):
        mates = ((row - 1, column, digits[0]), (row + 1, column, digits[-1]))
        there = tuple((number[r, c], d) for r, c, d in mates if (r, c) in number)
        yield Among(there, (cell, digits[(len(digits) - 1) // 2]))


def _ends_first(clue: Clue) -> Cells:
    first, *middle, last = clue.cells
    return (first, last, *middle)


def _between(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    def holds(a: Any, b: Any, *middle: Any) -> Any:
        return all_of(((a < x) & (x < b)) | ((b < x) & (x < a)) for x in middle)

    if len(clue.cells) > 2:  # else nothing lies between
        yield Part(_ends_first(clue), holds)


def _lockout(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    are_far = far(int(clue.value))

    def holds(a: Any, b: Any, *middle: Any) -> Any:
        beyond = (((x < a) & (x < b)) | ((x > a) & (x > b)) for x in middle)
        return are_far(a, b) & all_of(beyond)

    yield Part(_ends_first(clue), holds)


def _double_arrow(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield Part(_ends_first(clue), lambda a, b, *middle: a + b == sum(middle))


def _sandwich(total: int, low: int, high: int) -> Holds:
    """Between the lowest and the highest digit."""

    def holds(*d: Any) -> Any:
        crusts = (how_many(low, d) == 1) & (how_many(high, d) == 1)
        return crusts & all_of(
            implies(
                ((d[i] == low) & (d[j] == high)) | ((d[i] == high) & (d[j] == low)),
                sum(d[i + 1 : j]) == total,
            )
            for i, j in combinations(range(len(d)), 2)
        )

    return holds


def _lunchbox(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    total, leave_room = int(clue.value), far(len(clue.cells) - 1)

    def holds(*d: Any) -> Any:
        """All digits but two lie between these, which leave room for so many different ones."""
        return any_of(
            all_of(
                (
                    leave_room(d[i], d[j]),
                    *((d[i] < x) & (x < d[j]) for k, x in enumerate(d) if k not in (i, j)),
                    d[i] < d[j],
                    sum(d[min(i, j) + 1 : max(i, j)]) == total,
                )
            )
            for i, j in permutations(range(len(d)), 2)
        )

    yield from _differ(clue.cells)
    yield Part(clue.cells, holds)


def _first_x(total: int) -> Holds:
    return lambda *d: all_of(
        implies(d[0] == count, sum(d[:count]) == total) for count in range(1, len(d) + 1)
    )


def _x_sum(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """A first digit that is no number of cells of the line adds up nothing."""
    total, cells = int(clue.value), clue.cells
    numbers = range(0 if total == 0 else 1, len(cells) + 1)
    adds_up = _first_x(total)
    is_number = is_any(tuple(numbers))
    yield Part(cells, lambda *d: all_of((is_number(d[0]), adds_up(*d))))


def _seen(number: int) -> Holds:
    """A digit above 0 is seen if all before it are less."""
    return lambda *d: (
        sum(as_number(all_of(x > other for other in (0, *d[:i]))) for i, x in enumerate(d))
        == number
    )


def _first_hidden(digit: int) -> Holds:
    """The digit is hidden by one before it, and no digit before it is hidden."""

    def holds(*d: Any) -> Any:
        hidden = [any_of(x < before for before in d[:i]) for i, x in enumerate(d)]
        return any_of(
            (x == digit) & hidden[i] & all_of(map(is_not, hidden[:i])) for i, x in enumerate(d)
        )

    return holds


def _room(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    digit = int(clue.value)
    first, *others = clue.cells
    start = first_named(clue.cells, board)
    own, says = tells(start, digit), tells
    if not holds_every_digit(clue.cells, board):
        own, says = points_at(start, digit), points_at
        yield Part((first,), is_any(tuple(range(start, start + len(clue.cells)))))
    yield Part((first,), lambda x: own(x, x))  # the first cell is in place 1
    for place, cell in enumerate(others, start + 1):
        yield Part((first, cell), says(place, digit))


def _stands_again(x: Any, distance: Any, *behind: Any) -> Any:
    """So many cells behind the second one the first digit stands again."""
    return any_of((distance == at) & (x == y) for at, y in enumerate(behind, 1))


def _rank(may_tie: bool) -> Statement:
    """As many lines but one as the rank says are less, and only the line itself equals it."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        rank, n = int(clue.value), len(clue.cells)
        left = [tuple(range(n * row, n * row + n)) for row in range(n)]
        top = list(zip(*left, strict=True))
        edges = (left, [line[::-1] for line in left], top, [line[::-1] for line in top])
        sides = tuple(tuple(lines) for lines in edges if clue.cells not in lines)
        cells = tuple(range(n * n))

        def holds(*d: Any) -> Any:
            own = [d[cell] for cell in clue.cells]
            others = [[d[cell] for cell in line] for side in edges for line in side]
            lower = sum(as_number(_lower(line, own)) for line in others) == rank - 1
            ties = (all_of(map(same, line, own)) for line in others)
            return lower if may_tie else lower & (sum(map(as_number, ties)) == 1)

        yield Part(clue.cells[:1], is_any((board.digits[(rank - 1) // 4],)))
        place = (rank - 1) // 4 + 1
        yield Ranks(cells, holds, clue.cells, sides, place, (rank - 1) % 4, may_tie)

    return parts


def _lower(line: Sequence[Any], than: Sequence[Any]) -> Any:
    """The first digit in which they differ is less."""
    before: list[Any] = []  # that all are the same so far
    found: list[Any] = []
    for x, y in zip(line, than, strict=True):
        found.append(all_of((*before, x < y)))
        before.append(x == y)
        if before[-1] is False:  # of digits that are known
            break
    return any_of(found)


def _rossini(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """From the edge inwards, as far as the box of the first cell reaches, or three cells."""
    is_boxed = board.regions is None and board.boxes
    box = box_of(clue.cells[0], board) if is_boxed else clue.cells[:3]
    seen = tuple(c for c in clue.cells if c in box)
    for a, b, distance in with_distance(seen):
        yield Part((a, b) if clue.value == "+" else (b, a), gains(distance))


STATEMENTS: dict[str, Statement] = {
    "sum": together(lambda value: _adds_up_to(int(value))),
    "weighted": together(_with_weights),
    "formula": _formula,
    "little-killer": together(lambda value: _adds_up_to(int(value))),
    "cage": _cage,
    "product": _product,
    "arrow": _arrow,
    "region-sum": lambda board, clue, clues: _compared(_boxes_of(board, clue), same),
    "equal-sum": lambda board, clue, clues: _compared(clue.groups, same),
    "greater-sum": lambda board, clue, clues: _compared(clue.groups, more),
    "ten-line": _in_parts,
    "zipper": lambda board, clue, clues: _compared(_folded(clue.cells), same),
    "quadruple": _each_listed,
    "contains": _each_listed,
    "count": _count,
    "circles": _circles,
    "count-distinct": _tells_how_many,
    "same-values": _same_multiset,
    "rellik": _never_adds_up,
    "equality": _equal_halves,
    "lunchbox": _lunchbox,
    "hidden-skyscraper": together(lambda value: _first_hidden(int(value))),
    "entropy": _entropy,
    "modular-entropy": _modular_entropy,
    "flat-mates": _flat_mates,
    "between": _between,
    "lockout": _lockout,
    "double-arrow": _double_arrow,
    "sandwich": lambda board, clue, clues: iter(
        (Part(clue.cells, _sandwich(int(clue.value), board.digits[0], board.digits[-1])),)
    ),
    "x-sum": _x_sum,
    "skyscraper": together(lambda value: _seen(int(value))),
    "numbered-room": _room,
    "value-index": lambda board, clue, clues: iter((Part(clue.cells, _stands_again),)),
    "full-rank": _rank(may_tie=False),
    "shared-rank": _rank(may_tie=True),
    "rossini": _rossini,
}
