"""An independent statement of every kind of clue, made from its sentence.

Invariant: nothing here reads `model.kinds`, so a mistake there cannot repeat itself here. Of a clue
this module uses its cells and its value as they are written, of the board its size and its boxes.

A statement yields the parts of a clue: `Part(cells, holds)`, where `holds` takes the digits of the
cells and says whether they are right, and `House(cells)`, cells that hold every digit once; `Among`
and `Distinct` are parts of a special form. `holds` is arithmetic: it works on numbers, on the
integer terms of an SMT solver and on unknown digits (`terms`) alike, so it says
`|` for "or", `&` for "and", and compares nothing but terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, reduce
from itertools import accumulate, combinations, pairwise, product
from operator import and_, or_
from typing import Any, NamedTuple

from ..model.board import Board, Cells
from ..model.clue import Clue, ClueError
from .machine import accepts
from .regex import Matches, matches

Candidate = tuple[int, int]  # cell (0-based), digit (from 1)
Holds = Callable[..., Any]  # digits, or terms: true if they are right


class Part(NamedTuple):
    """Cells, each named once, and what their digits must satisfy."""

    cells: Cells
    holds: Holds


class Among(NamedTuple):
    """One of the candidates (cell, digit) holds; with `given`, if that one holds."""

    candidates: tuple[Candidate, ...]
    given: Candidate | None = None

    @property
    def cells(self) -> Cells:
        """The cells of all candidates, each once."""
        given = () if self.given is None else (self.given,)
        return tuple(dict.fromkeys(cell for cell, _ in (*self.candidates, *given)))

    def holds(self, *digits: Any) -> Any:
        """On the digits of `cells`."""
        at = dict(zip(self.cells, digits, strict=True))
        said = _any_of(at[cell] == digit for cell, digit in self.candidates)
        if self.given is None:
            return said
        cell, digit = self.given
        return _implies(at[cell] == digit, said)


class Distinct(NamedTuple):
    """Cells that other parts keep different; `holds` asks only which digits they are."""

    cells: Cells
    holds: Holds


class House(NamedTuple):
    """Cells that hold every digit once."""

    cells: Cells


WidePart = Part | Among | Distinct
Parts = Iterator[WidePart | House]
Statement = Callable[[Board, Clue, tuple[Clue, ...]], Parts]


def _place(cell: int, board: Board) -> tuple[int, int]:
    """Row and column of a cell, from 1."""
    return cell // board.size + 1, cell % board.size + 1


def _steps(a: int, b: int, board: Board) -> tuple[int, int]:
    """How many rows and columns lie between two cells."""
    (top, left), (bottom, right) = _place(a, board), _place(b, board)
    return abs(top - bottom), abs(left - right)


def _touch(board: Board) -> Iterator[tuple[int, int]]:
    """Every two cells that share an edge."""
    pairs = combinations(range(board.cells), 2)
    return ((a, b) for a, b in pairs if sum(_steps(a, b, board)) == 1)


def _with_distance(cells: Cells) -> Iterator[tuple[int, int, int]]:
    """Every two cells of a line in its order, and how many steps they are apart."""
    for start, a in enumerate(cells):
        for distance, b in enumerate(cells[start + 1 :], 1):
            yield a, b, distance


# Predicates. Each is made once for its arguments, so that tables made from it are cached.


@cache
def _is_any(digits: tuple[int, ...]) -> Holds:
    return lambda x: _any_of(x == digit for digit in digits)


@cache
def _at_most(bound: int) -> Holds:
    return lambda x: x <= bound


@cache
def _at_least(bound: int) -> Holds:
    return lambda x: x >= bound


def _is_odd(x: Any) -> Any:
    return x % 2 == 1


def _is_even(x: Any) -> Any:
    return x % 2 == 0


def _less(x: Any, y: Any) -> Any:
    return x < y


def _more(x: Any, y: Any) -> Any:
    return x > y


def _same(x: Any, y: Any) -> Any:
    return x == y


def _other(x: Any, y: Any) -> Any:
    return x != y


@cache
def _gains(gap: int) -> Holds:
    return lambda x, y: y - x >= gap


@cache
def _difference(gap: int) -> Holds:
    return lambda x, y: (x - y == gap) | (y - x == gap)


@cache
def _no_difference(gap: int) -> Holds:
    return lambda x, y: (x - y != gap) & (y - x != gap)


@cache
def _ratio(times: int) -> Holds:
    return lambda x, y: (x == y * times) | (y == x * times)


@cache
def _no_ratio(times: int) -> Holds:
    return lambda x, y: (x != y * times) & (y != x * times)


@cache
def _no_total(total: int) -> Holds:
    return lambda x, y: x + y != total


@cache
def _far(gap: int) -> Holds:
    return lambda x, y: (x - y >= gap) | (y - x >= gap)


@cache
def _near(gap: int) -> Holds:
    return lambda x, y: (x != y) & (x - y <= gap) & (y - x <= gap)


@cache
def _other_rest(modulus: int) -> Holds:
    return lambda x, y: x % modulus != y % modulus


@cache
def _other_third(size: int) -> Holds:
    """One is low, middle or high where the other is not."""
    low, high = size // 3, size - size // 3

    def holds(x: Any, y: Any) -> Any:
        both_low, both_high = (x <= low) & (y <= low), (x > high) & (y > high)
        both_middle = (x > low) & (x <= high) & (y > low) & (y <= high)
        return _not(both_low | both_high | both_middle)

    return holds


@cache
def _tells(place: int, digit: int) -> Holds:
    return lambda x, y: (x == place) == (y == digit)


@cache
def _not_twice(digit: int) -> Holds:
    return lambda x, y: (x != digit) | (y != digit)


# Predicates of any number of cells: they take the digits one by one.


def _as_number(said: Any) -> Any:
    """1 if it is true, else 0; a formula as a term."""
    return int(said) if isinstance(said, bool) else said * 1


def _not(said: Any) -> Any:
    return said == False  # noqa: E712  (terms know no `not`)


def _implies(condition: Any, conclusion: Any) -> Any:
    return _not(condition) | conclusion


def _all_of(said: Iterable[Any]) -> Any:
    return _reduced(and_, said, True)


def _any_of(said: Iterable[Any]) -> Any:
    return _reduced(or_, said, False)


def _reduced(join: Callable[[Any, Any], Any], said: Iterable[Any], nothing: bool) -> Any:
    """The terms joined; some may be known to be true or false, and `nothing` adds nothing."""
    terms = []
    for one in said:
        if one is not True and one is not False:
            terms.append(one)
        elif one is not nothing:
            return one
    return reduce(join, terms) if terms else nothing


def _how_many(digit: Any, digits: Iterable[Any]) -> Any:
    """How many of the digits are this one."""
    return sum(_as_number(x == digit) for x in digits)


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


def _multiplies_to(total: int) -> Holds:
    """Prime by prime, so that it is linear: each occurs as often in the digits as in the total."""
    often: dict[int, int] = {}
    rest, prime = total, 2
    while rest > 1:
        while rest % prime == 0:
            rest, often[prime] = rest // prime, often.get(prime, 0) + 1
        prime += 1

    def holds(*digits: Any) -> Any:
        primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, *often}
        return _all_of(_occurs(prime, digits) == often.get(prime, 0) for prime in primes)

    return holds


def _occurs(prime: int, digits: Iterable[Any]) -> Any:
    """How often a prime divides the product of digits up to 25."""
    multiples = [m for k in range(1, 5) for m in range(prime**k, 26, prime**k)]
    return sum(_as_number(x == multiple) for x in digits for multiple in multiples)


def _holds_times(digit: int, low: int, high: int) -> Holds:
    def holds(*digits: Any) -> Any:
        number = _how_many(digit, digits)
        return (low <= number) & (number <= high)

    return holds


class Joined:
    """Of several lists of parts one, or each, holds: `join` is `_any_of` or `_all_of`. parts: how
    many predicates that is."""

    def __init__(
        self, join: Callable[[Iterable[Any]], Any], said: list[list[WidePart]], cells: Cells
    ) -> None:
        self._join, self._said = join, said
        self.parts = sum(getattr(part.holds, "parts", 1) for some in said for part in some)
        self._at = {cell: place for place, cell in enumerate(cells)}

    def __call__(self, *digits: Any) -> Any:
        return self._over(digits, lambda holds, own: holds(*own))

    def formula(self, digits: Sequence[Any], share: Callable[[Any], Any]) -> Any:
        """What it says of terms; see `formula`."""
        return self._over(digits, lambda holds, own: formula(holds, own, share))

    def _over(self, digits: Sequence[Any], says: Callable[[Holds, list[Any]], Any]) -> Any:
        """Each part with the digits of its own cells."""
        return self._join(
            _all_of(says(part.holds, [digits[self._at[c]] for c in part.cells]) for part in parts)
            for parts in self._said
        )


def formula(holds: Holds, digits: Sequence[Any], share: Callable[[Any], Any]) -> Any:
    """What a predicate says of terms; `share` takes what it says several times, and gives what to
    use for it."""
    if isinstance(holds, Joined | Matches):
        return holds.formula(digits, share)
    return holds(*digits)


# Statements --------------------------------------------------------------------------------------


def _joined(join: Callable[[Iterable[Any]], Any]) -> Statement:
    """Several clues at once, on the cells in the order in which they are named, then the others."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        said = [list(_said_by(part, board)) for part in clue.parts]
        named = {cell for parts in said for part in parts for cell in part.cells}
        order = dict.fromkeys((*clue.cells, *range(board.cells)))
        cells = tuple(cell for cell in order if cell in named)
        if cells:
            yield Part(cells, Joined(join, said, cells))

    return parts


def _said_by(clue: Clue, board: Board) -> Iterator[WidePart]:
    """The parts of one of several clues; a house says that its cells differ."""
    if clue.kind not in STATEMENTS:
        raise ClueError(f"'{clue.kind[:40]}' is no kind of clue")
    for part in STATEMENTS[clue.kind](board, clue, (clue,)):
        if isinstance(part, House):
            yield from (Part(pair, _other) for pair in combinations(part.cells, 2))
        else:
            yield part


def _each(holds: Callable[[Board, str], Holds]) -> Statement:
    """Every cell of the clue by itself."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        return (Part((cell,), holds(board, clue.value)) for cell in clue.cells)

    return parts


def _against_neighbours(holds: Holds) -> Statement:
    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for cell in clue.cells:
            for other in range(board.cells):
                if sum(_steps(cell, other, board)) == 1 and other not in clue.cells:
                    yield Part((cell, other), holds)

    return parts


def _along(holds: Callable[[Board, str, int], Holds | None]) -> Statement:
    """Every two cells of the line, by how many steps they are apart on it."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for a, b, distance in _with_distance(clue.cells):
            said = holds(board, clue.value, distance)
            if said is not None:
                yield Part((a, b), said)

    return parts


def _unless_joined(by: str, holds: Callable[[int], Holds]) -> Statement:
    """All neighbours but those that a clue of one of the kinds joins, whatever its value."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        said = [set(c.cells) for c in clues if c.kind in by.split()]
        return (
            Part(pair, holds(int(clue.value))) for pair in _touch(board) if set(pair) not in said
        )

    return parts


def _mirror(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    back = list(reversed(clue.cells))
    for i, cell in enumerate(clue.cells):
        if i < len(back) - 1 - i:
            yield Part((cell, back[i]), _same)


def _copies(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    for place in range(len(clue.groups[0])):
        column = [group[place] for group in clue.groups]
        for above, below in pairwise(column):
            if above != below:
                yield Part((above, below), _same)


def _line_of(cell: int, board: Board, same: int) -> Cells:
    """The cells of the same row (0) or column (1)."""
    own = _place(cell, board)[same]
    return tuple(other for other in range(board.cells) if _place(other, board)[same] == own)


def _box_of(cell: int, board: Board) -> Cells:
    return next(box for box in board.boxes if cell in box)


def _points(line: Callable[[int, Board], Cells]) -> Statement:
    """The digit of a cell tells in which cell of its line the cell's own place there stands."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for cell in clue.cells:
            members = line(cell, board)
            own = 1 + sum(other < cell for other in members)
            for place, other in enumerate(members, 1):
                if other != cell:
                    yield Part((cell, other), _tells(place, own))

    return parts


def _taxicab(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    for a, b in combinations(clue.cells or range(board.cells), 2):
        distance = sum(_steps(a, b, board))
        if distance <= board.size:
            yield Part((a, b), _not_twice(distance))


def _apart(joined: Callable[[int, int], bool]) -> Statement:
    """None of the listed digits stands in two cells that are joined by a move."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for a, b in combinations(range(board.cells), 2):
            if joined(*_steps(a, b, board)):
                yield from (Part((a, b), _not_twice(int(d))) for d in clue.value.split(","))

    return parts


def _whole(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield House(tuple(sorted(clue.cells)))


def _together(holds: Callable[[str], Holds]) -> Statement:
    """All cells of the clue, in its order."""
    return lambda board, clue, clues: iter((Part(clue.cells, holds(clue.value)),))


def _cage(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield from (Part(pair, _other) for pair in combinations(clue.cells, 2))
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
    for one, other in pairwise(groups):

        def holds(*d: Any, k: int = len(one)) -> Any:
            return relation(sum(d[:k]), sum(d[k:]))

        yield Part(one + other, holds)


def _boxes_of(board: Board, clue: Clue) -> list[Cells]:
    """The line cut where it leaves a box."""
    pieces: list[list[int]] = []
    for cell in clue.cells:
        if not pieces or _box_of(pieces[-1][-1], board) != _box_of(cell, board):
            pieces.append([])
        pieces[-1].append(cell)
    return [tuple(piece) for piece in pieces]


def _folded(cells: Cells) -> list[Cells]:
    """Each cell with the one as far from the other end; the middle one by itself."""
    pairs = zip(cells, reversed(cells), strict=True)
    return [tuple(dict.fromkeys(pair)) for pair in pairs][: (len(cells) + 1) // 2]


def _in_parts_of(total: int) -> Holds:
    """No digit steps over a multiple of the total, and the last one reaches one."""

    def holds(*digits: Any) -> Any:
        sums = list(accumulate(digits))
        kept = (a % total + x <= total for a, x in zip((0, *sums), digits, strict=False))
        return _all_of(kept) & (sums[-1] % total == 0)

    return holds


def _ends_first(clue: Clue) -> Cells:
    first, *middle, last = clue.cells
    return (first, last, *middle)


def _between(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    def holds(a: Any, b: Any, *middle: Any) -> Any:
        return _all_of(((a < x) & (x < b)) | ((b < x) & (x < a)) for x in middle)

    yield Part(_ends_first(clue), holds)


def _lockout(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    are_far = _far(int(clue.value))

    def holds(a: Any, b: Any, *middle: Any) -> Any:
        beyond = (((x < a) & (x < b)) | ((x > a) & (x > b)) for x in middle)
        return are_far(a, b) & _all_of(beyond)

    yield Part(_ends_first(clue), holds)


def _double_arrow(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield Part(_ends_first(clue), lambda a, b, *middle: a + b == sum(middle))


def _sandwich(total: int) -> Holds:
    def holds(*d: Any) -> Any:
        low, high = 1, len(d)
        crusts = (_how_many(low, d) == 1) & (_how_many(high, d) == 1)
        return crusts & _all_of(
            _implies(
                ((d[i] == low) & (d[j] == high)) | ((d[i] == high) & (d[j] == low)),
                sum(d[i + 1 : j]) == total,
            )
            for i, j in combinations(range(len(d)), 2)
        )

    return holds


def _first_x(total: int) -> Holds:
    return lambda *d: _all_of(
        _implies(d[0] == count, sum(d[:count]) == total) for count in range(1, len(d) + 1)
    )


def _seen(number: int) -> Holds:
    """A digit is seen if all before it are less."""
    return lambda *d: (
        sum(_as_number(_all_of(x > before for before in d[:i])) for i, x in enumerate(d)) == number
    )


def _room(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    digit = int(clue.value)
    first, *others = clue.cells
    yield Part((first,), lambda x: (x == 1) == (x == digit))  # the first cell is in place 1
    for place, cell in enumerate(others, 2):
        yield Part((first, cell), _tells(place, digit))


def _rossini(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """From the edge inwards, as far as the box of the first cell reaches, or three cells."""
    is_boxed = board.regions is None and board.boxes
    box = _box_of(clue.cells[0], board) if is_boxed else clue.cells[:3]
    seen = tuple(c for c in clue.cells if c in box)
    for a, b, distance in _with_distance(seen):
        yield Part((a, b) if clue.value == "+" else (b, a), _gains(distance))


def _regex(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield Part(clue.cells, matches(clue.value, board.size))


def _machine(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield Part(clue.cells, accepts(clue.value, board.size, tuple(map(len, clue.groups))))


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
    for digit in range(1, board.size + 1):

        def holds(*d: Any, digit: int = digit) -> Any:
            number = _how_many(digit, d)
            return (number == 0) | (number == digit)

        yield Part(clue.cells, holds)


def _entropy(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    n = board.size
    thirds = [range(first, first + n // 3) for first in range(1, n + 1, n // 3)]
    for cell in range(board.cells):
        if cell % n < n - 1 and cell < n * (n - 1):
            window = (cell, cell + 1, cell + n, cell + n + 1)
            yield from (Among(tuple(product(window, third))) for third in thirds)


def _flat_mates(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    n = board.size
    for cell in range(board.cells):
        mates = ((cell - n, 1), (cell + n, n))
        there = tuple((mate, digit) for mate, digit in mates if 0 <= mate < board.cells)
        yield Among(there, (cell, (n + 1) // 2))


STATEMENTS: dict[str, Statement] = {
    "or": _joined(_any_of),
    "and": _joined(_all_of),
    "odd": _each(lambda board, value: _is_odd),
    "even": _each(lambda board, value: _is_even),
    "low": _each(lambda board, value: _at_most(int(value))),
    "high": _each(lambda board, value: _at_least(int(value))),
    "digits": _each(lambda board, value: _is_any(tuple(map(int, value.split(","))))),
    "minimum": _against_neighbours(_less),
    "maximum": _against_neighbours(_more),
    "difference": _along(lambda board, value, steps: _difference(int(value))),
    "ratio": _along(lambda board, value, steps: _ratio(int(value))),
    "sum": _together(lambda value: _adds_up_to(int(value))),
    "weighted": _together(_with_weights),
    "little-killer": _together(lambda value: _adds_up_to(int(value))),
    "cage": _cage,
    "product": _together(lambda value: _multiplies_to(int(value))),
    "arrow": _arrow,
    "double-arrow": _double_arrow,
    "region-sum": lambda board, clue, clues: _compared(_boxes_of(board, clue), _same),
    "equal-sum": lambda board, clue, clues: _compared(clue.groups, _same),
    "greater-sum": lambda board, clue, clues: _compared(clue.groups, _more),
    "ten-line": _together(lambda value: _in_parts_of(int(value))),
    "zipper": lambda board, clue, clues: _compared(_folded(clue.cells), _same),
    "quadruple": _each_listed,
    "contains": _each_listed,
    "count": _count,
    "circles": _circles,
    "entropy": _entropy,
    "flat-mates": _flat_mates,
    "between": _between,
    "lockout": _lockout,
    "sandwich": _together(lambda value: _sandwich(int(value))),
    "x-sum": _together(lambda value: _first_x(int(value))),
    "skyscraper": _together(lambda value: _seen(int(value))),
    "numbered-room": _room,
    "rossini": _rossini,
    "regex": _regex,
    "machine": _machine,
    "no-difference": _unless_joined("difference ratio", _no_difference),
    "no-ratio": _unless_joined("difference ratio", _no_ratio),
    "no-sum": _unless_joined("sum", _no_total),
    "greater": _along(lambda board, value, steps: _more),
    "thermo": _along(lambda board, value, steps: _gains(steps)),
    "slow-thermo": _along(lambda board, value, steps: _gains(0)),
    "whisper": _along(lambda board, value, steps: _far(int(value)) if steps == 1 else None),
    "palindrome": _mirror,
    "clone": _copies,
    "renban": lambda board, clue, clues: (
        Part(pair, _near(len(clue.cells) - 1)) for pair in combinations(clue.cells, 2)
    ),
    "nabner": _along(lambda board, value, steps: _far(2)),
    "entropic": _along(lambda board, value, steps: _other_third(board.size) if steps < 3 else None),
    "modular": _along(
        lambda board, value, steps: _other_rest(int(value)) if steps < int(value) else None
    ),
    "parity": _along(lambda board, value, steps: _other_rest(2) if steps == 1 else None),
    "distinct": _along(lambda board, value, steps: _other),
    "region": _whole,
    "col-index": _points(lambda cell, board: _line_of(cell, board, 0)),
    "row-index": _points(lambda cell, board: _line_of(cell, board, 1)),
    "box-index": _points(_box_of),
    "taxicab": _taxicab,
    "knight-digits": _apart(lambda down, right: {down, right} == {1, 2}),
    "king-digits": _apart(lambda down, right: max(down, right) == 1),
    "queen-digits": _apart(lambda down, right: down == right or 0 in (down, right)),
}
