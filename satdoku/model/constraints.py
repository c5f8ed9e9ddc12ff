"""A board and its rules as groups and forbidden pairs: the form in which other modules read them.

Invariant: code that passes the rules on to a solver, an engine or a person reads them from
`Constraints` only. The exceptions are the witnesses, which never read its groups and pairs. Rules
stand in the order of `RULES`, then the canonical texts of clues, each once.

Candidates are 0-based here: size*size*row + size*column + digit-1. DIMACS variables, which are used
from `cnf.encodings` on, are one higher.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, combinations
from typing import NoReturn

from ..runtime import limits
from ..runtime.errors import LONGEST_NAME
from .board import MAX_SIZE, Board, too_large
from .clue import Clue, ClueError, read_clue, split_rules
from .kinds import CALLED, clue_of, is_kind
from .lowering import Family, Group, cells_family, clue_family, house_groups, rule_family
from .other_names import unknown
from .rules import ALIASES, BOARDS, BOXES, JIGSAW, LATIN, RULES, CandidatePair, RuleError
from .shapes import MOST


def is_clue(word: str) -> bool:
    """Whether a word of a rule set is meant as a clue, not as the name of a rule."""
    return ":" in word or (word.lower() not in RULES and is_kind(word))


def board_word(board: Board) -> str:
    """The word of a rule set that tells the board, empty if its boxes are the usual ones."""
    if board.regions is not None:
        return f"{JIGSAW}={board.region_map}"
    if not board.has_boxes:
        return f"{LATIN}={board.size}"
    return "" if board == Board.of_size(board.size) else f"{BOXES}={board.box_shape}"


def parsed(text: str, board: Board | None) -> tuple[Board, tuple[str, ...]]:
    """The board, the rule names in the order of RULES with aliases resolved, and the clues."""
    chosen: set[str] = set()
    clues: list[str] = []
    boards: dict[str, str] = {}
    for word in split_rules(text):
        name, _, value = word.partition("=")
        name = name.lower()
        if is_clue(word):
            clues.append(word)
        elif name in BOARDS:
            boards[name] = value or boards.get(name, "")
        elif not name:
            raise RuleError(f"'{word[:LONGEST_NAME]}' names no rule: expected a name before '='")
        elif value:
            raise RuleError(f"rule '{name[:LONGEST_NAME]}' takes no value")
        else:
            chosen.update(ALIASES[name] if name in ALIASES else (_known(name),))
    board = _board_of(boards, board)
    names = (name for name in RULES if name in chosen)
    return board, (*names, *sorted({clue_of(text, board).text(board) for text in clues}))


def _board_of(words: dict[str, str], board: Board | None) -> Board:
    """The board that the words of a rule set give, each with its value; the given one without."""
    if len(words) > 1:
        raise RuleError(f"{' and '.join(words)}: expected only one that tells the board")
    if JIGSAW in words:
        return _with_regions(words[JIGSAW], board)
    if BOXES in words:
        return _with_boxes(words[BOXES], board)
    return _without_boxes(words[LATIN], board) if LATIN in words else board or Board.of_size(9)


def _without_boxes(size: str, board: Board | None) -> Board:
    """The board of `latin=5`, which must have the given board's size; bare `latin` takes that."""
    if not re.fullmatch(r"\d{0,3}", size, re.ASCII):
        raise RuleError(f"{LATIN}={size[:LONGEST_NAME]}: expected a size, such as {LATIN}=5")
    found = Board.latin(int(size or (board or Board.of_size(9)).size))
    if board is not None and board.size != found.size:
        raise RuleError(f"{LATIN}={size} on a board of size {board.size}")
    return found


def _with_boxes(shape: str, board: Board | None) -> Board:
    """The board of `boxes=2x6`, which must have the given board's size."""
    sides = box_sides(shape)
    found = Board(sides[0] * sides[1], *sides)
    if board is not None and board.size != found.size:
        raise RuleError(f"{BOXES}={shape} on a board of size {board.size}")
    return found


def box_sides(shape: str) -> tuple[int, int]:
    """Rows and columns of `2x6`; raises `RuleError`."""
    match = re.fullmatch(r"(\d{1,3})x(\d{1,3})", shape, re.ASCII)
    if match is None:
        said = f"{BOXES}={shape[:LONGEST_NAME]}"
        raise RuleError(f"{said}: expected rows x columns, as in {BOXES}=2x6")
    return int(match[1]), int(match[2])


def _with_regions(region_map: str, board: Board | None) -> Board:
    """The board of `jigsaw=MAP`, which must have the given board's size.

    Bare `jigsaw` needs a given board that already has regions.
    """
    if region_map:
        found = Board.of_map(region_map)
        if board is not None and board.size != found.size:
            raise RuleError(f"region map of size {found.size} on a board of size {board.size}")
        return found
    if board is None or board.regions is None:
        raise RuleError("jigsaw needs a region map: jigsaw=MAP, one character per cell")
    return board


def _known(name: str) -> str:
    if name not in RULES:
        raise RuleError(unknown("rule", name, [*RULES, *ALIASES, *BOARDS], CALLED))
    return name


__all__ = [
    "MOST_RULE_SETS",
    "Constraints",
    "Family",
    "Group",
    "board_word",
    "box_sides",
    "constraints_for",
    "is_clue",
    "tells_board",
]

# How many are kept with what is made from each, formulas apart: a collection may state other clues
# in every row, often some hundred layouts again and again.
MOST_RULE_SETS = 256
# Of all clues together: what becomes of them in a solver (a GB of memory, and 20 s), and the moves
# of automata that are looked at for that (half a minute).
MOST_CLAUSES = 5 * MOST
MOST_MOVES = 32 * MOST


@dataclass(frozen=True)
class Constraints:
    """A board with its rules and clues, as groups and forbidden pairs of candidates.

    rules: names from `RULES`, then the canonical texts of clues; regions, and whether there are
    boxes, belong to the board.
    Two values are equal if their boards and rules are. Build one with `constraints_for`, which
    caches.
    """

    board: Board
    rules: tuple[str, ...]
    _families: tuple[Family, ...] = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the names, not the groups; the other process builds the groups once and caches."""
        return constraints_for, (self.name, self.board)

    @property
    def families(self) -> tuple[Family, ...]:
        """What each rule and clue says; raises `BoardError` on a large board, whose candidates are
        too many to be listed unasked (see `whole`): `answers.large` reads board and rules."""
        if not self._families:
            raise too_large(self.board)
        return self._families

    @property
    def variables(self) -> int:
        """Number of candidates, 729 on the 9x9 board."""
        return self.board.variables

    @property
    def name(self) -> str:
        """The rule set as text that `constraints_for` reads back: `knight,king` or `classic`.

        Clues follow, each after a semicolon: `knight;cage=15:r1c1,r1c2`.
        """
        names = filter(None, (*self.names, board_word(self.board)))
        return ";".join([",".join(names) or "classic", *self.clue_texts])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The rules that are names from `RULES`."""
        return tuple(rule for rule in self.rules if rule in RULES)

    @property
    def clue_texts(self) -> tuple[str, ...]:
        """The rules that are clues."""
        return self.rules[len(self.names) :]

    @property
    def without_clues(self) -> Constraints:
        """The same board and rules, whose families are the first ones here."""
        return _build(self.board, self.names) if self.clue_texts else self

    @cached_property
    def frame(self) -> Constraints:
        """The constraints without clues if these add no group and no pair, else these: what follows
        from groups alone is made once for all that have the same frame."""
        plain = self.without_clues
        clues = self.families[len(plain.families) :]
        return self if any(family.groups or family.stated for family in clues) else plain

    @cached_property
    def is_wide(self) -> bool:
        """Whether a clue says more than groups and pairs can: then those alone are too weak."""
        return any(family.shapes for family in self.families)

    @cached_property
    def has_sums(self) -> bool:
        """Whether a clue states a sum, so that further sums may follow."""
        return any(family.sums for family in self.families)

    @cached_property
    def clues(self) -> tuple[Clue, ...]:
        """The clues among the rules."""
        return tuple(read_clue(text, self.board) for text in self.clue_texts)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All groups, family by family (324 for classic 9x9)."""
        if self.frame is not self:
            return self.frame.groups
        return tuple(chain.from_iterable(family.groups for family in self.families))

    @cached_property
    def _grouped(self) -> frozenset[CandidatePair]:
        """Every pair of candidates that a group forbids."""
        if self.frame is not self:
            return self.frame._grouped
        return frozenset(pair for group in self.groups for pair in combinations(group, 2))

    @cached_property
    def pairs(self) -> tuple[CandidatePair, ...]:
        """Distinct forbidden pairs that no group already forbids (none for classic)."""
        stated = dict.fromkeys(chain.from_iterable(family.pairs for family in self.families))
        if not stated:  # usual for region maps, and a file may hold a different map in every row
            return ()
        return tuple(pair for pair in stated if pair not in self._grouped)

    @cached_property
    def exclusions(self) -> tuple[CandidatePair, ...]:
        """Every pair (low, high) of candidates that cannot both be true, ascending.

        Classic 9x9 has 10,206.
        """
        return tuple(sorted(self.excluded))

    @cached_property
    def excluded(self) -> frozenset[CandidatePair]:
        """`exclusions` as a set."""
        return frozenset(chain.from_iterable(family.exclusions for family in self.families))

    @cached_property
    def overlaps(self) -> tuple[tuple[int, int], ...]:
        """Index pairs (low, high) of different groups that share two or more candidates.

        They are sorted by the first candidate that reveals the overlap. Box-line inference needs
        only these: it compares what one group holds with what the shared part holds.
        """
        if self.frame is not self:
            return self.frame.overlaps
        holders: dict[int, list[int]] = {}
        for number, group in enumerate(self.groups):
            for candidate in group:
                holders.setdefault(candidate, []).append(number)
        shared = Counter(chain.from_iterable(combinations(held, 2) for held in holders.values()))
        sizes = [len(group) for group in self.groups]
        several = ((pair, count) for pair, count in shared.items() if count > 1)
        return tuple((a, b) for (a, b), count in several if count < max(sizes[a], sizes[b]))


def constraints_for(
    rules: str | Constraints = "classic",
    board: Board | None = None,
    *,
    default: Board | None = None,
) -> Constraints:
    """The constraints of a rule set such as `knight,diagonal` on a board (9x9 unless given).

    default: the board, unless the rules bring one. A `Constraints` passes through if its board is
    the one asked for. Raises `RuleError`.
    """
    if isinstance(rules, Constraints):
        if board is None or board.size == rules.board.size:
            return rules
        sizes = f"{rules.board.size}x{rules.board.size}, not {board.size}x{board.size}"
        raise RuleError(f"these constraints are for a board of {sizes}")
    return _of_text(rules, board or (None if tells_board(rules) else default))


def tells_board(rules: str | Constraints) -> bool:
    """Whether the rules fix the board (`jigsaw=MAP`, `latin=5`, `boxes=2x6`), so that no puzzle
    has to."""
    return isinstance(rules, Constraints) or any(f"{word}=" in rules for word in BOARDS)


@lru_cache(MOST_RULE_SETS)
def _of_text(rules: str, board: Board | None) -> Constraints:
    return _build(*parsed(rules, board))


@lru_cache(MOST_RULE_SETS)
def _build(board: Board, rules: tuple[str, ...]) -> Constraints:
    if board.is_large:
        _check_houses(board, rules)
        return Constraints(board, rules, ())
    return Constraints(board, rules, _families_of(board, rules))


def whole(constraints: Constraints) -> Constraints:
    """The constraints with their families on a large board too, whatever memory that takes."""
    board, rules = constraints.board, constraints.rules
    return Constraints(board, rules, _families_of(board, rules)) if board.is_large else constraints


def _families_of(board: Board, rules: tuple[str, ...]) -> tuple[Family, ...]:
    families = [cells_family(board.size)]
    for name, houses in (("row", board.rows), ("column", board.columns), ("box", board.boxes)):
        families.append(Family(name, house_groups(board.size, houses)))
    families.extend(rule_family(board, RULES[name]) for name in rules if name in RULES)
    clues = {text: read_clue(text, board) for text in rules if text not in RULES}
    clauses = moves = 0
    for text in clues:
        limits.check()
        family, size = clue_family(text, tuple(clues.values()), board)
        families.append(family)
        clauses, moves = clauses + size.clauses, moves + size.moves
        if clauses > MOST_CLAUSES:
            _refuse(text, len(clues), f"{clauses:,} clauses, expected at most {MOST_CLAUSES:,}")
        if moves > MOST_MOVES:
            _refuse(text, len(clues), f"{moves:,} moves, expected at most {MOST_MOVES:,}")
    return tuple(f for f in families if f.groups or f.forbids or f.shapes)


def _check_houses(board: Board, rules: tuple[str, ...]) -> None:
    """Raise `RuleError` for what a large board does not take, or does not fit it."""
    for name in rules:
        houses = RULES[name].houses if name in RULES else None
        if houses is None:
            known = ", ".join([*(name for name, rule in RULES.items() if rule.houses), LATIN])
            raise RuleError(
                f"'{name[:LONGEST_NAME]}': boards beyond {MAX_SIZE}x{MAX_SIZE} take only rules "
                f"that are houses: {known}, {BOXES}=RxC"
            )
        next(iter(houses(board)))


def _refuse(text: str, number: int, found: str) -> NoReturn:
    raise ClueError(f"clue {text[:40]}: {number} clues are too many: up to this one {found}")
