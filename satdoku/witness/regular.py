"""Regular expressions and state machines on digits, by what may follow once a digit is read.

Invariant: nothing here reads `model.kinds`. An expression is a sequel of items that are read one
after another; what is left of it are sequels again, one of which the other digits must match. Of a
machine, what is left is the set of states that it may be in.
Source: V. Antimirov, Partial derivatives of regular expressions and finite automaton constructions,
Theoretical Computer Science 155, 1996.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple

from ..model.clue import ClueError

# A certificate must not keep its reader busy for ever.
_LONGEST, _DEEPEST, _MOST_LETTERS = 200, 20, 256
_TOKEN = re.compile(r"\[\^?[0-9A-P-]+\]|\{[0-9]{1,3}(?:,[0-9]{0,3})?\}|[0-9A-P.|()?*+]")
_BOUNDS = {"?": (0, 1), "*": (0, None), "+": (1, None)}

Sequel = tuple["Item", ...]


class Either(NamedTuple):
    """One of the sequels."""

    ways: tuple[Sequel, ...]


class Repeat(NamedTuple):
    """The item so often; `high` is None if there is no bound."""

    item: Item
    low: int
    high: int | None


Item = frozenset[int] | Either | Repeat  # a set is one digit of it


class Matches:
    """Whether digits, or terms, match an expression, or are accepted by a machine.

    What may be left of an expression (a machine's states) is numbered; a state here is the set of
    those that are left, as bits. `start` is the state of the first of them.
    """

    start = 1

    def __init__(
        self, rows: list[list[int]], ends: int, size: int, stops: frozenset[int] = frozenset()
    ) -> None:
        """rows: of each number, the next state by digit, and by what is read behind digits after
        which a group of cells stops, if any does. ends: the state of all that may end. stops: the
        places of these digits, from 0."""
        self.size, self._ends, self._stops = size, ends, stops
        self._rows = {1 << number: row for number, row in enumerate(rows)}
        self._rows[0] = [0] * (size + 1)

    def left(self, state: int, digit: int, place: int) -> int:
        """The state once the digit at the place is read; 0 if nothing can match any more."""
        left = self._row(state)[digit - 1] if digit <= self.size else 0
        return self._row(left)[self.size] if place in self._stops else left

    def _row(self, state: int) -> list[int]:
        if state not in self._rows:
            self._rows[state] = reduce(_united, (self._rows[1 << n] for n in _bits(state)))
        return self._rows[state]

    def accepts(self, state: int) -> bool:
        """Whether no more digits may follow."""
        return bool(state & self._ends)

    def __call__(self, *digits: Any) -> Any:
        """On digits, whether they match; on terms, the formula that says so."""
        if all(isinstance(digit, int) for digit in digits):
            state = self.start
            for place, digit in enumerate(digits):
                state = self.left(state, digit, place)
            return self.accepts(state)
        return self.formula(digits)

    def formula(
        self, digits: Sequence[Any], share: Callable[[Any], Any] = lambda said: said
    ) -> Any:
        """The formula on terms, from the last digit back; `share` takes each part of it, which
        may be used several times, and gives what to use for it."""
        levels: list[dict[int, None]] = [{self.start: None}]
        for place in range(len(digits)):
            onward = (self.left(s, d, place) for s in levels[-1] for d in range(1, self.size + 1))
            levels.append(dict.fromkeys(state for state in onward if state))
        said: dict[int, Any] = {state: self.accepts(state) for state in levels.pop()}
        for place in reversed(range(len(digits))):
            digit, states = digits[place], levels[place]
            said = {state: share(self._onward(state, digit, place, said)) for state in states}
        return said[self.start]

    def _onward(self, state: int, digit: Any, place: int, said: dict[int, Any]) -> Any:
        """The digit leads from the state to one whose formula holds."""
        ways = []
        for value in range(1, self.size + 1):
            rest = said.get(self.left(state, value, place), False)
            if rest is not False:
                ways.append(digit == value if rest is True else (digit == value) & rest)
        return reduce(or_, ways) if ways else False


@lru_cache(maxsize=1024)
def matches(text: str, digits: tuple[int, ...]) -> Matches:
    """The predicate of an expression; raises `ClueError` if it is none."""
    size = len(digits)
    whole = _read(text, digits)
    sequels, number = [whole], {whole: 0}
    rows: list[list[int]] = []
    for sequel in sequels:  # it grows
        row = [0] * size
        for digit in range(1, size + 1):
            for left in _left(sequel, digit):
                if left not in number:
                    number[left] = len(sequels)
                    sequels.append(left)
                row[digit - 1] |= 1 << number[left]
        rows.append(row)
    ends = sum(1 << n for sequel, n in number.items() if all(map(_is_optional, sequel)))
    return Matches(rows, ends, size)


def _united(one: list[int], other: list[int]) -> list[int]:
    """The states of either, digit by digit."""
    return list(map(or_, one, other))


def _bits(state: int) -> Iterator[int]:
    """The numbers of the sequels that are left."""
    return (number for number, bit in enumerate(reversed(f"{state:b}")) if bit == "1")


def _left(sequel: Sequel, digit: int) -> set[Sequel]:
    """What is left of a sequel once the digit is read."""
    found: set[Sequel] = set()
    for place, item in enumerate(sequel):
        found |= {left + sequel[place + 1 :] for left in _left_of(item, digit)}
        if not _is_optional(item):
            break
    return found


def _left_of(item: Item, digit: int) -> set[Sequel]:
    if isinstance(item, frozenset):
        return {()} if digit in item else set()
    if isinstance(item, Either):
        return {left for way in item.ways for left in _left(way, digit)}
    if item.high == 0:
        return set()
    low, high = max(0, item.low - 1), item.high and item.high - 1
    again = () if high == 0 else (Repeat(item.item, low, high),)
    return {left + again for left in _left_of(item.item, digit)}


def _is_optional(item: Item) -> bool:
    """Whether it matches nothing."""
    if isinstance(item, Either):
        return any(all(map(_is_optional, way)) for way in item.ways)
    return isinstance(item, Repeat) and (item.low == 0 or _is_optional(item.item))


def _letters(items: Iterable[Item]) -> int:
    """How many digits they have with all repeats written out; nothing counts as one."""
    return max(1, sum(map(_letters_of, items)))


def _letters_of(item: Item) -> int:
    if isinstance(item, Either):
        return sum(map(_letters, item.ways))
    if isinstance(item, Repeat):
        often = item.low + 1 if item.high is None else max(1, item.high)
        return often * _letters_of(item.item)
    return 1


def _read(text: str, digits: tuple[int, ...]) -> Sequel:
    """The sequel of a text; for each parenthesis that is open, `open_ways` has its ways so far."""
    open_ways: list[list[list[Item]]] = [[[]]]
    tokens = _TOKEN.findall(text)
    if not 0 < len(text) <= _LONGEST or "".join(tokens) != text:
        raise _unreadable(text)
    for token in tokens:
        items = open_ways[-1][-1]
        if "0" in token and 0 not in digits and token[0] != "{":
            raise _unreadable(text)
        if token == "(" and len(open_ways) <= _DEEPEST:
            open_ways.append([[]])
        elif token == "|":
            open_ways[-1].append([])
        elif token == ")" and len(open_ways) > 1:
            ways = open_ways.pop()
            open_ways[-1][-1].append(Either(tuple(map(tuple, ways))))
        elif token[0] in "?*+{" and items and not isinstance(items[-1], Repeat):
            items[-1] = Repeat(items[-1], *_bounds(token))
        elif token[0] in "()?*+{":
            raise _unreadable(text)
        else:
            items.append(digits_of(token, digits))
    whole = Either(tuple(map(tuple, open_ways[0])))
    if len(open_ways) > 1 or _letters_of(whole) > _MOST_LETTERS:
        raise _unreadable(text)
    return (whole,)


def _unreadable(text: str) -> ClueError:
    return ClueError(f"'{text[:20]}' is no regular expression of a clue")


def _bounds(token: str) -> tuple[int, int | None]:
    if token in _BOUNDS:
        return _BOUNDS[token]
    low, comma, high = token[1:-1].partition(",")
    if high and int(high) < int(low):
        raise _unreadable(token)
    return int(low), int(high) if high else None if comma else int(low)


@lru_cache(maxsize=512)  # a machine of hundreds of transitions has few
def digits_of(token: str, digits: tuple[int, ...]) -> frozenset[int]:
    """The digits of a class, or of one that is written alone, by their positions from 1; letters
    stand for 10 and more."""
    if token == ".":
        return frozenset(range(1, len(digits) + 1))
    ranges = re.findall(r"(\w)(?:-(\w))?", token)
    named = {d for low, high in ranges for d in range(int(low, 36), int(high or low, 36) + 1)}
    wanted = token[:2] != "[^"
    return frozenset(at for at, digit in enumerate(digits, 1) if (digit in named) == wanted)


# A slash stands for what is read once a group of cells is, if another group follows.

_LONGEST_MACHINE = 100_000
_CLASS = r"[./]|[0-9A-P]|\[\^?[0-9A-P-]+\]"
_ITEM = re.compile(rf"([a-z][a-z0-9_]*)(?:\*|-({_CLASS})>([a-z][a-z0-9_]*))(?:,|$)")


@lru_cache(maxsize=1024)
def accepts(text: str, digits: tuple[int, ...], lengths: tuple[int, ...]) -> Matches:
    """The predicate of a machine on groups of so many cells; raises `ClueError` if it is none."""
    stops = frozenset(sum(lengths[:count]) - 1 for count in range(1, len(lengths)))
    return Matches(*_machine(text, digits), len(digits), stops)


@lru_cache(maxsize=64)
def _machine(text: str, digits: tuple[int, ...]) -> tuple[list[list[int]], int]:
    """Of each state, where the digits lead; and the last states."""
    items = list(_ITEM.finditer(text))
    is_read = text[-1:] not in ("", ",") and "".join(item[0] for item in items) == text
    is_read &= 0 in digits or not any("0" in (item[2] or "") for item in items)
    if len(text) > _LONGEST_MACHINE or not is_read:
        raise ClueError(f"'{text[:20]}' is no machine of a clue")
    size = len(digits)
    states = dict.fromkeys(name for item in items for name in (item[1], item[3]) if name)
    number = {state: place for place, state in enumerate(states)}
    rows = [[0] * (size + 1) for _ in states]
    ends = 0
    for state, some, after in (item.group(1, 2, 3) for item in items):
        if some is None:
            ends |= 1 << number[state]
        else:
            for digit in {size + 1} if some == "/" else digits_of(some, digits):
                rows[number[state]][digit - 1] |= 1 << number[after]
    return rows, ends
