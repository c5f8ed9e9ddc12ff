"""Regular expressions and state machines on digits: how they are written, and what is read.

Invariant: what is read as an expression Python's `re.fullmatch` reads as well, and means the same
on a text of one character a digit. A state of a machine is a name and means nothing else.

    12  1|2  (12)        one after another, one or the other, together
    3  B  .              a digit (from 10 on a letter, A to P), any digit
    [13]  [2-5]  [^1]    one of these digits, of this range, any other digit
    ?  *  +              what stands before, at most once, any number of times, once or more often
    {2}  {2,}  {2,4}     so often, so often or more, from so often to so often

    a-[13]>b     from state a, in which a machine starts if it is named first, to state b on a digit
                 of these; digits as an expression writes one
    a-.>a        on any digit; a state may have several ways on a digit
    a-/>b        between two groups of cells
    b*           the last group may end in state b; items stand between commas
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from ..board import Board, Digits
from ..clue import ClueError
from ..grid import LETTERS

LONGEST = 200  # characters
DEEPEST = 20  # parentheses within one another
MOST_LETTERS = 256  # once the braces are written out

_BRACES = re.compile(r"\{([0-9]{1,3})(?:(,)([0-9]{0,3}))?\}")
_SIGNS = {"?": (0, 1), "*": (0, None), "+": (1, None)}


class Letter(NamedTuple):
    """One digit of these."""

    digits: frozenset[int]


class Sequel(NamedTuple):
    """One part after another; of no parts, nothing."""

    parts: tuple[Tree, ...]


class Choice(NamedTuple):
    """One of the parts."""

    parts: tuple[Tree, ...]


class Repeat(NamedTuple):
    """The part so often; `high` is None if there is no bound."""

    part: Tree
    low: int
    high: int | None


Tree = Letter | Sequel | Choice | Repeat


@dataclass(frozen=True)
class Pattern:
    """A value that is a regular expression."""

    def read(self, text: str, board: Board) -> str:
        text = text.upper()
        parse(text, _with_characters(board))
        return text

    def expected(self, board: Board) -> str:
        """What is read on the board, in words."""
        some = f"{_letter(board.digits[0])}-{_letter(board.digits[-1])}"
        return f"a regular expression of {some} . [12] [1-3] [^1] | ( ) ? * + {{2}} {{2,}} {{2,3}}"

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """Patterns that these digits match."""
        return [_guess(digits, size, rng) for _ in range(6)]


def _guess(digits: Sequence[int], size: int, rng: Random) -> str:
    """Two neighbours, in either order, somewhere; or each digit blurred."""
    at = rng.randrange(max(1, len(digits) - 1))
    pair = "".join(_letter(digit) for digit in digits[at : at + 2])
    if rng.random() < 0.4:
        return f".*({pair}|{pair[::-1]}).*"
    return "".join(_blurred(digit, size, rng) for digit in digits)


def _blurred(digit: int, size: int, rng: Random) -> str:
    """What the digit matches, and others or more of them as well."""
    own, letters = _letter(digit), _LETTERS[1 : size + 1]
    other = rng.choice(letters.replace(own, ""))
    ways = "{0} {0}+ . .* [{0}{1}] [^{1}] ({0}|{1}+) [{0}{1}]{{1,2}} {1}?{0}"
    return rng.choice(ways.split()).format(own, other)


def _letter(digit: int) -> str:
    """The character of a digit; a question mark if it has none."""
    return _LETTERS[digit] if 0 <= digit < len(_LETTERS) else "?"


@lru_cache(maxsize=64)
def parse(text: str, digits: Digits) -> Tree:
    """The tree of a pattern; raises `ClueError`, which names the column."""
    if not text:
        raise ClueError("it has no pattern: expected one after '=', such as .*12.*")
    if len(text) > LONGEST:
        raise ClueError(f"a pattern of {len(text):,} characters: expected at most {LONGEST}")
    _check_digits(digits)
    reader = _Reader(text, digits)
    tree = reader.choice(0)
    if reader.at < len(text):
        raise reader.error("expected '(' before it")
    if _letters(tree) > MOST_LETTERS:
        raise ClueError(f"a pattern of more than {MOST_LETTERS} digits, its braces written out")
    return tree


def _with_characters(board: Board) -> Digits:
    """The digits of any cells that have a character; if none has one, all, which are refused."""
    return tuple(x for x in board.symbols if 0 <= x < len(_LETTERS)) or board.symbols


def _check_digits(digits: Sequence[int]) -> None:
    """Raise `ClueError` for digits that no character stands for."""
    if not 0 <= min(digits) <= max(digits) < len(_LETTERS):
        raise ClueError(f"digits {min(digits)} to {max(digits)}: expected 0 to {len(_LETTERS) - 1}")


def _letters(tree: Tree) -> int:
    """How many digits the pattern has with its braces written out; nothing counts as one."""
    if isinstance(tree, Letter):
        return 1
    if isinstance(tree, Repeat):
        return _letters(tree.part) * max(1, tree.low + (tree.high is None), tree.high or 0)
    return max(1, sum(map(_letters, tree.parts)))


class _Reader:
    """A pattern, and how much of it was read."""

    def __init__(self, text: str, digits: Sequence[int]) -> None:
        self.text, self.at = text, 0
        self.digits = frozenset(digits)

    def error(self, problem: str) -> ClueError:
        """What is wrong at this column."""
        found = f"'{self.next}'" if self.next else "end"
        return ClueError(f"pattern column {self.at + 1}: {found}: {problem}")

    @property
    def next(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.at : self.at + 1]

    def takes(self, character: str) -> bool:
        """Whether that character is the next one; if so, it is read."""
        found = self.next == character
        self.at += found
        return found

    def choice(self, depth: int) -> Tree:
        parts = [self.sequel(depth)]
        while self.takes("|"):
            parts.append(self.sequel(depth))
        return Choice(tuple(parts))

    def sequel(self, depth: int) -> Tree:
        parts: list[Tree] = []
        while self.next not in ("", "|", ")"):
            parts.append(self.repeated(self.one(depth)))
        return Sequel(tuple(parts))

    def one(self, depth: int) -> Tree:
        """A digit, a class, or what stands between parentheses."""
        if self.takes("["):
            return self.any_of()
        if self.next != "(":
            return Letter(self.digits if self.takes(".") else frozenset((self.digit(),)))
        if depth == DEEPEST:
            raise self.error(f"expected at most {DEEPEST} within one another")
        self.at += 1
        inner = self.choice(depth + 1)
        if not self.takes(")"):
            raise self.error("expected ')'")
        return inner

    def any_of(self) -> Letter:
        """The rest of a class, from behind its bracket."""
        is_negated, digits = self.takes("^"), set[int]()
        while not digits or not self.takes("]"):
            low = high = self.digit()
            if self.takes("-"):
                high = self.digit()
            if high < low:
                self.at -= 1
                raise self.error(f"expected a digit from {_letter(low)} on")
            digits.update(self.digits.intersection(range(low, high + 1)))
        return Letter(self.digits - digits if is_negated else frozenset(digits))

    def digit(self) -> int:
        digit = _LETTERS.find(self.next or "none")
        if digit not in self.digits:
            ends = f"{_letter(min(self.digits))} to {_letter(max(self.digits))}"
            raise self.error(f"expected a digit from {ends}")
        self.at += 1
        return digit

    def repeated(self, part: Tree) -> Tree:
        """The part, with the sign or the braces behind it."""
        if self.next in _SIGNS:
            part = Repeat(part, *_SIGNS[self.next])
            self.at += 1
        elif self.next == "{":
            part = Repeat(part, *self.bounds())
        if self.next and self.next in "?*+{":
            raise self.error("expected parentheses around what is repeated twice")
        return part

    def bounds(self) -> tuple[int, int | None]:
        found = _BRACES.match(self.text, self.at)
        if not found:
            raise self.error("expected {2}, {2,} or {2,3}")
        low = int(found[1])
        high = int(found[3]) if found[3] else None if found[2] else low
        if high is not None and high < low:
            raise self.error(f"expected {low} or more behind the comma")
        self.at = found.end()
        return low, high


# State machines: the machine starts in the state named first.

LONGEST_MACHINE = 100_000  # characters
BREAK = -1000  # what is read between two groups, among the digits

_LETTERS = "0123456789" + LETTERS  # of the digits 0, 1, 2, ...
_STATE = r"[a-z][a-z0-9_]*"
_ITEM = re.compile(rf"({_STATE})(?:(\*)|-([^>]*)>({_STATE}))", re.IGNORECASE)


class Transition(NamedTuple):
    """From one state to another on any of the digits, or between two groups of cells."""

    state: str
    digits: frozenset[int]
    after: str


Move = tuple[int, int, int]  # state before, digit or BREAK, state after


class Machine(NamedTuple):
    """The first state, the transitions, and the states in which the last group may end."""

    start: str
    transitions: tuple[Transition, ...]
    ends: frozenset[str]

    @property
    def breaks(self) -> bool:
        """Whether it may read several groups."""
        return any(BREAK in move.digits for move in self.transitions)


@dataclass(frozen=True)
class Transitions:
    """A value that is a state machine."""

    def read(self, text: str, board: Board) -> str:
        machine(text := "".join(text.split()), _with_characters(board))
        return _canonical(text)

    def expected(self, board: Board) -> str:
        """What is read on the board, in words."""
        some = f"{_letter(board.digits[0])}-{_letter(board.digits[-1])}"
        return f"transitions such as a-[12]>b on {some} between commas, ends as b*"

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """Machines that look for two neighbours, or for digits of two sorts in turn."""
        return [_guess_machine(digits, size, rng) for _ in range(6)]


def _guess_machine(digits: Sequence[int], size: int, rng: Random) -> str:
    at = rng.randrange(max(1, len(digits) - 1))
    first, second = _letter(digits[at]), _letter(digits[at + 1 - len(digits)])
    if rng.random() < 0.5:
        return f"a-.>a,a-/>a,a-{first}>b,b-{second}>c,c-.>c,c-/>c,c*"
    some = "".join(sorted(_letter(d) for d in rng.sample(range(1, size + 1), size // 2)))
    return f"a-[{some}]>b,a-[^{some}]>a,b-[^{some}]>a,a-/>a,b-/>a,a*,b*"


_BETWEEN = re.compile("-[^>,]*>")  # the digits of a transition
_LETTERED = re.compile("-[^>,a-z]*[a-z]")


@lru_cache(maxsize=64)
def _canonical(text: str) -> str:
    """States in small letters, digits in capitals."""
    small = text.lower()
    if not _LETTERED.search(small):  # most: no digit is a letter
        return small
    return _BETWEEN.sub(lambda match: match[0].upper(), small)


@lru_cache(maxsize=64)  # it is read several times for a clue, and many clues may have one
def machine(text: str, digits: Digits) -> Machine:
    """The machine of a text; raises `ClueError`, which names the column."""
    if len(text) > LONGEST_MACHINE:
        found = f"a machine of {len(text):,} characters"
        raise ClueError(f"{found}: expected at most {LONGEST_MACHINE:,}")
    _check_digits(digits)
    items = list(_items(text, digits))
    ends = frozenset(item for item in items if isinstance(item, str))
    transitions = tuple(item for item in items if isinstance(item, Transition))
    if not ends or not transitions:
        what = "end, such as b*" if transitions else "transition, such as a-[12]>b"
        raise ClueError(f"it has no {what}")
    first = items[0]
    return Machine(first if isinstance(first, str) else first.state, transitions, ends)


def _items(text: str, digits: tuple[int, ...]) -> Iterator[Transition | str]:
    """The transitions, and the states in which the last group may end."""
    column = 1
    for item in text.split(","):
        match = _ITEM.fullmatch(item)
        state, ends, some, after = match.groups() if match else ("", None, "", "")
        read = _digits_of("." if ends else some.upper(), digits) if match else None
        if read is None:
            known = f"{_letter(digits[0])} to {_letter(digits[-1])}"
            expected = f"a-[12]>b, with digits from {known}, a-/>b or b*"
            raise ClueError(f"machine column {column}: '{item[:20]}': expected {expected}")
        yield state.lower() if ends else Transition(state.lower(), read, after.lower())
        column += len(item) + 1


@lru_cache(maxsize=512)  # a machine of hundreds of transitions has few
def _digits_of(text: str, digits: tuple[int, ...]) -> frozenset[int] | None:
    """The digits that a pattern of one digit matches; None if it is no such pattern."""
    if text == "/":
        return frozenset({BREAK})
    try:
        tree = parse(text, digits)
    except ClueError:
        return None
    match tree:
        case Choice((Sequel((Letter(read),)),)):
            return read
    return None


def machine_text(
    moves: Iterable[Move], ends: Collection[int], start: int, digits: Sequence[int]
) -> str:
    """The text that `machine` reads back: transitions with all digits between two states, those of
    the first state first; raises `ClueError` for digits that no character stands for."""
    _check_digits(digits)
    digits = tuple(digits)
    between: dict[tuple[int, int, bool], set[int]] = {}
    for state, digit, after in sorted(moves, key=lambda move: (move[0] != start, move)):
        between.setdefault((state, after, digit == BREAK), set()).add(digit)
    led = [state for before, after, _ in between for state in (before, after)]
    numbers = dict.fromkeys((start, *led, *sorted(ends)))
    name = {number: f"s{place}" for place, number in enumerate(numbers)}
    items = [
        f"{name[state]}-{'/' if is_break else one_of(frozenset(read), digits)}>{name[after]}"
        for (state, after, is_break), read in between.items()
    ]
    if all(state != start for state, _, _ in between):  # a way on no digit names it first
        items.insert(0, f"s0-[^{_letter(digits[0])}-{_letter(digits[-1])}]>s0")
    return ",".join([*items, *(f"{name[n]}*" for n in numbers if n in ends)])


@lru_cache(maxsize=512)  # a machine of hundreds of transitions has few
def one_of(read: frozenset[int], digits: Digits) -> str:
    """The part of a pattern that matches any of these digits, which are some of all."""
    others = frozenset(digits) - read
    if not others:
        return "."
    if len(read) == 1:
        return _listed(read)
    sign, few = ("^", others) if len(others) < len(read) else ("", read)
    return f"[{sign}{_listed(few)}]"


def _listed(digits: frozenset[int]) -> str:
    return "".join(map(_letter, sorted(digits)))
