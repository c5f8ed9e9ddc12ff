"""An independent statement of every kind of clue, made from its sentence.

Invariant: nothing here reads `model.kinds`, so a mistake there cannot repeat itself here. Of a clue
these modules use its cells and its value as they are written, of the board its digits, the places
of its cells and its boxes.

A statement yields the parts of a clue: `Part(cells, holds)`, where `holds` takes the digits of the
cells and says whether they are right, and `House(cells)`, cells that hold every digit once; `Among`
and `Distinct` are parts of a special form. `holds` is arithmetic: it works on numbers, on the
integer terms of an SMT solver and on unknown digits (`automata`) alike, so it says
`|` for "or", `&` for "and", and compares nothing but terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, TypeGuard

from ...model.board import Board, Cells
from ...model.clue import Clue, ClueError
from ..regular import Matches, accepts, matches
from . import areas, pairs, sums
from .pairs import other
from .parts import (
    Among,
    Candidate,
    Connected,
    Counted,
    Distinct,
    Divided,
    Floods,
    Holds,
    House,
    Part,
    Parts,
    Ranks,
    Statement,
    Told,
    Used,
    WidePart,
    all_of,
    any_of,
    as_number,
)

__all__ = [
    "STATEMENTS", "Among", "Connected", "Counted", "Distinct", "Divided", "Holds", "House", "Part",
    "Ranks", "Told", "Used", "WidePart", "each_once", "formula", "reads", "valued",
]  # fmt: skip


class Joined:
    """Of several lists of parts one, or each, holds: `join` is `any_of` or `all_of`. parts: how
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
            all_of(says(part.holds, [digits[self._at[c]] for c in part.cells]) for part in parts)
            for parts in self._said
        )


class Again:
    """What a part says whose cells come again, of the digits of its cells, each of them once."""

    def __init__(self, part: Part, cells: Cells) -> None:
        self.of: Any = part.holds
        self.parts = getattr(part.holds, "parts", 1)
        self._places = [cells.index(cell) for cell in part.cells]
        starts = [self._places.index(place) for place in range(len(cells))]
        self._read = [*pairwise((*starts, len(part.cells)))]  # once the digit of a cell is known
        self._needed = [{*self._places[after:]} for _, after in self._read]

    def __call__(self, *digits: Any) -> Any:
        return self.of(*(digits[place] for place in self._places))

    def formula(self, digits: Sequence[Any], share: Callable[[Any], Any]) -> Any:
        """What it says of terms; see `formula`."""
        return formula(self.of, [digits[place] for place in self._places], share)

    @property
    def start(self) -> Any:
        """Of what it reads (see `reads`): its state, and the digits that come again."""
        return self.of.start, ()

    def left(self, state: Any, digit: int, place: int) -> Any:
        """The state once one more digit is known; 0 if nothing can match any more."""
        own, known = state
        digits = {**dict(known), place: digit}
        for at in range(*self._read[place]):
            own = self.of.left(own, digits[self._places[at]], at)
            if not own:
                return 0
        needed = self._needed[place]
        return own, tuple([(cell, held) for cell, held in digits.items() if cell in needed])

    def accepts(self, state: Any) -> bool:
        """Whether no more digits may follow."""
        return bool(state and self.of.accepts(state[0]))


class Valued:
    """What a part says of digits, of their positions (from 1); domains: the digits of each cell."""

    def __init__(self, holds: Holds, domains: tuple[tuple[int, ...], ...]) -> None:
        self.of: Any = holds
        self.parts = getattr(holds, "parts", 1)
        self._domains = domains

    def __call__(self, *places: Any) -> Any:
        return self.of(*map(_digit, places, self._domains))

    def formula(self, places: Sequence[Any], share: Callable[[Any], Any]) -> Any:
        """What it says of terms; see `formula`."""
        return formula(self.of, list(map(_digit, places, self._domains)), share)

    @property
    def start(self) -> Any:
        """The state of what it reads; see `reads`."""
        return self.of.start

    def left(self, state: Any, position: int, place: int) -> Any:
        """The state once one more position is known; 0 if nothing can match any more."""
        return self.of.left(state, self._domains[place][position - 1], place)

    def accepts(self, state: Any) -> bool:
        """Whether no more positions may follow."""
        return bool(self.of.accepts(state))


def reads(holds: Holds) -> TypeGuard[Matches | Again | Valued]:
    """Whether it reads digits one by one, as an expression or a machine does: it has a `start`, and
    tells what is `left` of a state and what it `accepts`."""
    while isinstance(holds, Valued | Again):
        holds = holds.of
    return isinstance(holds, Matches)


def _digit(place: Any, digits: tuple[int, ...]) -> Any:
    """The digit at a position; of a term, a term."""
    if digits[-1] - digits[0] == len(digits) - 1:
        return place + (digits[0] - 1)
    return sum(as_number(place == at) * digit for at, digit in enumerate(digits, 1))


def speaks_of_positions(board: Board) -> bool:
    """Whether what speaks of digits speaks of their positions (from 1), as these are the same."""
    return board.digits[0] == 1 and board.digits[-1] == len(board.digits) and not board.layers


def valued(part: WidePart | House, board: Board) -> WidePart | House:
    """The part, which speaks of digits, as one that speaks of their positions (from 1)."""
    if speaks_of_positions(board) or isinstance(part, House | Connected | Divided | Counted):
        return part
    if isinstance(part, Among):
        said = [_placed(candidate, board) for candidate in part.candidates]
        given = None if part.given is None else _placed(part.given, board)
        return Among(tuple(candidate for candidate in said if candidate), given)
    if isinstance(part.holds, Joined):  # whose parts are such already
        return part
    domains = board.domains(part.cells)
    if isinstance(part.holds, Matches):  # which reads positions among all that any cell may hold
        every = board.all_digits(part.cells)
        domains = tuple(tuple(every.index(d) + 1 for d in digits) for digits in domains)
        if {*domains} == {tuple(range(1, len(every) + 1))}:
            return part
    if isinstance(part, Distinct) and len({*domains}) > 1:  # no set of digits serves all cells
        part = Part(part.cells, part.holds)
    return part._replace(holds=_valued(part.holds, domains))


def _placed(candidate: Candidate, board: Board) -> Candidate | None:
    """The position of a digit in its cell; None if the cell never holds it."""
    cell, digit = candidate
    (digits,) = board.domains((cell,))
    return (cell, digits.index(digit) + 1) if digit in digits else None


_valued = lru_cache(maxsize=1024)(Valued)  # equal statements stay equal


def each_once(part: Part) -> Part:
    """The same part, each of its cells named once, where it comes first."""
    cells = tuple(dict.fromkeys(part.cells))
    return part if len(cells) == len(part.cells) else Part(cells, Again(part, cells))


def formula(holds: Holds, digits: Sequence[Any], share: Callable[[Any], Any]) -> Any:
    """What a predicate says of terms; `share` takes what it says several times, and gives what to
    use for it."""
    if isinstance(holds, Joined | Matches | Again | Valued | Floods):
        return holds.formula(digits, share)
    return holds(*digits)


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
    for said in STATEMENTS[clue.kind](board, clue, (clue,)):
        part = valued(said, board)
        if isinstance(part, House):
            yield from (Part(pair, other) for pair in combinations(part.cells, 2))
        else:
            yield part


def _regex(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield Part(clue.cells, matches(clue.value, board.all_digits(clue.cells)))


def _machine(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    digits = board.all_digits(clue.cells)
    yield Part(clue.cells, accepts(clue.value, digits, tuple(map(len, clue.groups))))


STATEMENTS: dict[str, Statement] = {
    "or": _joined(any_of),
    "and": _joined(all_of),
    "regex": _regex,
    "machine": _machine,
    **pairs.STATEMENTS,
    **sums.STATEMENTS,
    **areas.STATEMENTS,
}
