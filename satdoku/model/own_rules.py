"""Rules of one's own: a function of the digits of some cells becomes the text of a clue.

Invariant: the text alone is the rule. It is a `machine` clue that accepts what the function accepts
of so many digits, states that go on alike being one; nothing that reads it needs the function. The
function is asked about all digits of the board, whatever the houses allow.

Source of the reduction: E. F. Moore, Gedanken-experiments on Sequential Machines, Automata Studies,
Princeton 1956.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

from ..runtime import limits
from ..runtime.errors import counted
from .board import Board
from .clue import Clue, ClueError, OutOfReachError, read_cells
from .kinds import MACHINE, clue_of
from .kinds.patterns import LONGEST_MACHINE, Move, machine_text
from .kinds.regular import MOST_STATES

# Before states that go on alike become one.
MOST_EXPLORED = 200_000
MOST_COMBINATIONS = 100_000
MOST_MOVES = 1 << 20  # on all cells

Predicate = Callable[..., bool]  # of a digit for each cell
Step = Callable[[Any, int], Hashable]  # of a state and a digit
Accept = Callable[[Any], bool]  # of a state
_State = tuple[int, int]  # the number of cells read before it, or 0; and its own number
_Reduced = tuple[list[Move], set[int], int]  # moves, ends and start


def rule(
    cells: str,
    predicate: Predicate | None = None,
    board: Board | None = None,
    *,
    start: Hashable = None,
    step: Step | None = None,
    accept: Accept | None = None,
) -> str:
    """The text of a clue that holds if a predicate is true, or if a state machine accepts.

    cells: as a clue names them, such as `r1c1,r1c2` or `row1`. predicate: takes the digit of each
    cell. The state machine starts in the state `start`; `step` takes a state and the next digit and
    gives the next state, any hashable value, or None if the digits cannot be accepted any more;
    `accept` tells whether a state is accepted behind the last cell, all are by default. board: 9x9
    unless given. Raises `ClueError` for what no digits meet or what is too large, with the number
    of states.
    """
    board = board or Board.of_size(9)
    places = read_cells(cells, board)
    if not places:
        raise ClueError("a rule: expected cells, such as r1c1,r1c2")
    if (predicate is None) == (step is None):
        raise ClueError("a rule: expected either a predicate, or start and step")
    if step is not None:
        explored = _Explored(start, step, accept or (lambda state: True))
    elif predicate is not None:
        combinations = board.choices ** len(places)
        if combinations > MOST_COMBINATIONS:
            found = f"{counted(len(places), 'cell')} have {combinations:,} combinations of digits"
            raise ClueError(f"{found}: expected at most {MOST_COMBINATIONS:,}, or start and step")
        explored = _Explored((), lambda read, digit: (*read, digit), lambda read: predicate(*read))
    value = _text(explored.machines(len(places), board.digits), board.digits)
    return clue_of(Clue(MACHINE, (places,), value).text(board), board).text(board)


def _text(machines: Iterable[_Machine], digits: Sequence[int]) -> str:
    """The shortest text of one of them, as the value of a clue."""
    reduced = [found for machine in machines if (found := machine.reduced())]
    if not reduced:
        raise ClueError(f"its machine has more than {MOST_STATES:,} states")
    texts = {machine_text(*found, digits): _states(found) for found in reduced}
    text = min(texts, key=len)
    if len(text) > LONGEST_MACHINE:
        large = f"its machine has {texts[text]:,} states and {len(text):,} characters"
        raise ClueError(f"{large}: expected at most {LONGEST_MACHINE:,}")
    return text


def _states(machine: _Reduced) -> int:
    return 1 + max(after for _, _, after in machine[0])


class _Explored:
    """The states that digits lead to, numbered as they are found, the start as 0."""

    def __init__(self, start: Hashable, step: Step, accept: Accept) -> None:
        self._step, self._accept = step, accept
        self._number: dict[Hashable, int] = {}
        self._states: list[Hashable] = []
        self._moves: list[dict[int, int]] = []  # of each state the state after each digit
        self._found(start)

    def _found(self, state: Hashable) -> int:
        try:
            number = self._number.setdefault(state, len(self._states))
        except TypeError:
            kind = type(state).__name__
            raise ClueError(f"a state is a {kind}: expected a hashable value, as a tuple") from None
        if number == len(self._states):
            if number == MOST_EXPLORED:
                raise ClueError(f"its machine has more than {MOST_EXPLORED:,} states")
            self._states.append(state)
        return number

    def machines(self, cells: int, digits: Sequence[int]) -> Iterator[_Machine]:
        """Two that accept the same of so many cells: the states are those that were found, or
        each belongs to the number of cells read before it."""
        layers = self._read(cells, digits)
        ends = {state for state in layers[-1] if self._accept(self._states[state])}
        if not ends:
            found = f"none of its {len(self._states):,} states accepts"
            raise OutOfReachError(f"no digits meet it: {found}")
        once, layered = _Machine({(0, end) for end in ends}), _Machine({(cells, e) for e in ends})
        live = ends
        for place in range(cells - 1, -1, -1):
            before: set[int] = set()
            for state in layers[place]:
                ways = {digit: x for digit, x in self._moves[state].items() if x in live}
                if ways:
                    before.add(state)
                    once.add((0, state), {digit: (0, x) for digit, x in ways.items()})
                    layered.add((place, state), {d: (place + 1, x) for d, x in ways.items()})
            live = before
        yield from (once, layered)

    def _read(self, cells: int, digits: Sequence[int]) -> list[set[int]]:
        """The states behind 0, 1, 2, ... cells."""
        layers, moves = [{0}], 0
        for _ in range(cells):
            moves += len(digits) * len(layers[-1])
            if moves > MOST_MOVES:
                found = f"its machine has at least {len(self._states):,} states"
                raise ClueError(f"{found}: more than {MOST_MOVES:,} moves on {cells} cells")
            for state in sorted(layers[-1]):
                if state >= len(self._moves):  # found in the order of their numbers
                    self._look_on(state, digits)
            layers.append({after for state in layers[-1] for after in self._moves[state].values()})
        return layers

    def _look_on(self, state: int, digits: Sequence[int]) -> None:
        limits.check()
        after = ((digit, self._step(self._states[state], digit)) for digit in digits)
        self._moves.append({digit: self._found(one) for digit, one in after if one is not None})


class _Machine:
    """States, and the moves from which an end is reached; it starts in (0, 0)."""

    def __init__(self, ends: set[_State]) -> None:
        self.ends = ends
        self.moves: dict[_State, dict[int, _State]] = {end: {} for end in ends}

    def add(self, state: _State, moves: dict[int, _State]) -> None:
        self.moves[state] = {**self.moves.get(state, {}), **moves}

    def reduced(self) -> _Reduced | None:
        """The moves, the ends and the start of the machine whose states are classes of those that
        go on alike; None if they are too many."""
        classes = {state: int(state in self.ends) for state in self.moves}
        count = 0
        while count < len({*classes.values()}):
            limits.check()
            count = len({*classes.values()})
            known: dict[object, int] = {}
            finer = {}
            for state, moves in self.moves.items():
                onward = frozenset((digit, classes[after]) for digit, after in moves.items())
                finer[state] = known.setdefault((classes[state], onward), len(known))
            if len(known) > MOST_STATES:
                return None
            classes = finer
        return self._numbered(classes)

    def _numbered(self, classes: dict[_State, int]) -> _Reduced:
        """Classes numbered as they are reached, so that equal machines give equal texts."""
        members = {one: state for state, one in classes.items()}
        number = {classes[0, 0]: 0}
        moves: list[Move] = []
        for one in (reached := [classes[0, 0]]):
            for digit, after in sorted(self.moves[members[one]].items()):
                if classes[after] not in number:
                    number[classes[after]] = len(number)
                    reached.append(classes[after])
                moves.append((number[one], digit, number[classes[after]]))
        return moves, {number[classes[end]] for end in self.ends}, 0
