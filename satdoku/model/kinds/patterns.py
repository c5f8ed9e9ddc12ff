"""Regular expressions on digits: how they are written, read into a small tree.

Invariant: whatever is read here Python's `re.fullmatch` reads as well, and means the same on a text
of one character a digit.

    12  1|2  (12)        one after another, one or the other, together
    3  B  .              a digit (from 10 on a letter, A to P), any digit
    [13]  [2-5]  [^1]    one of these digits, of this range, any other digit
    ?  *  +              what stands before, at most once, any number of times, once or more often
    {2}  {2,}  {2,4}     so often, so often or more, from so often to so often
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from ..board import Board
from ..clue import ClueError
from ..grid import LETTERS

LONGEST = 200  # characters
DEEPEST = 20  # parentheses within one another
MOST_LETTERS = 256  # once the braces are written out

_DIGITS = "123456789" + LETTERS
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
        parse(text, board.size)
        return text

    def expected(self, size: int) -> str:
        """What is read on a board of that size, in words."""
        last = _DIGITS[size - 1]
        return (
            f"a regular expression of 1-{last} . [12] [1-3] [^1] | ( ) ? * + {{2}} {{2,}} {{2,3}}"
        )

    def guesses(self, digits: Sequence[int], size: int, rng: Random) -> list[str]:
        """Patterns that these digits match."""
        return [_guess(digits, size, rng) for _ in range(6)]


def _guess(digits: Sequence[int], size: int, rng: Random) -> str:
    """Two neighbours, in either order, somewhere; or each digit blurred."""
    at = rng.randrange(max(1, len(digits) - 1))
    pair = "".join(_DIGITS[digit - 1] for digit in digits[at : at + 2])
    if rng.random() < 0.4:
        return f".*({pair}|{pair[::-1]}).*"
    return "".join(_blurred(digit, size, rng) for digit in digits)


def _blurred(digit: int, size: int, rng: Random) -> str:
    """What the digit matches, and others or more of them as well."""
    own, other = _DIGITS[digit - 1], rng.choice(_DIGITS[:size].replace(_DIGITS[digit - 1], ""))
    ways = "{0} {0}+ . .* [{0}{1}] [^{1}] ({0}|{1}+) [{0}{1}]{{1,2}} {1}?{0}"
    return rng.choice(ways.split()).format(own, other)


def parse(text: str, size: int) -> Tree:
    """The tree of a pattern; raises `ClueError`, which names the column."""
    if not text:
        raise ClueError("it has no pattern: expected one after '=', such as .*12.*")
    if len(text) > LONGEST:
        raise ClueError(f"a pattern of {len(text):,} characters: expected at most {LONGEST}")
    reader = _Reader(text, size)
    tree = reader.choice(0)
    if reader.at < len(text):
        raise reader.error("expected '(' before it")
    if _letters(tree) > MOST_LETTERS:
        raise ClueError(f"a pattern of more than {MOST_LETTERS} digits, its braces written out")
    return tree


def _letters(tree: Tree) -> int:
    """How many digits the pattern has with its braces written out; nothing counts as one."""
    if isinstance(tree, Letter):
        return 1
    if isinstance(tree, Repeat):
        return _letters(tree.part) * max(1, tree.low + (tree.high is None), tree.high or 0)
    return max(1, sum(map(_letters, tree.parts)))


class _Reader:
    """A pattern, and how much of it was read."""

    def __init__(self, text: str, size: int) -> None:
        self.text, self.size, self.at = text, size, 0

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
            return Letter(
                frozenset(range(1, self.size + 1) if self.takes(".") else (self.digit(),))
            )
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
                raise self.error(f"expected a digit from {_DIGITS[low - 1]} on")
            digits.update(range(low, high + 1))
        every = frozenset(range(1, self.size + 1))
        return Letter(every - digits if is_negated else frozenset(digits))

    def digit(self) -> int:
        digit = 1 + _DIGITS.find(self.next or "none")
        if not 1 <= digit <= self.size:
            raise self.error(f"expected a digit from 1 to {_DIGITS[self.size - 1]}")
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
