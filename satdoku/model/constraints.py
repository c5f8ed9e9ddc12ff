"""A board and its rules as groups and forbidden pairs: the form in which other modules read them.

Invariant: code that passes the rules on to a solver, an engine or a person reads them from
`Constraints` only. The exceptions are the witnesses, which never read its groups and pairs.

Candidates are 0-based here: size*size*row + size*column + digit-1. DIMACS variables, which are used
from `cnf.encodings` on, are one higher.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, chain, combinations
from typing import NamedTuple

from ..errors import LONGEST_NAME
from .board import Board, Cells
from .clue import Clue, ClueError, read_clue, split_rules
from .kinds import KINDS, clue_of, is_kind, lowered
from .lowering import Related, Support, forbidden_pairs, supports_of, tabled
from .other_names import unknown
from .rules import (
    ALIASES,
    BOARDS,
    BOXES,
    JIGSAW,
    LATIN,
    RULES,
    CandidatePair,
    Rule,
    RuleError,
)
from .shapes import MOST, Automaton, Shape, Total, placed

Group = tuple[int, ...]  # candidates of which exactly one is true
# How many are kept with what is made from each, formulas apart: a collection may state other clues
# in every row, often some hundred layouts again and again.
MOST_RULE_SETS = 256


@dataclass(frozen=True)
class Family:
    """The constraints of one rule, or of the cells, rows, columns or boxes.

    groups: sets of candidates of which exactly one is true. stated: pairs (low, high) of candidates
    that a rule says cannot both be true. relations: what a clue says of two cells. shapes: what it
    says of three cells or more. sums: the totals that a clue states, which its other fields say as
    well; its automata say no more. forbids: how many pairs there are at most; 0 if there is none.
    """

    name: str
    groups: tuple[Group, ...]
    stated: tuple[CandidatePair, ...] = ()
    relations: tuple[Related, ...] = ()
    shapes: tuple[Shape, ...] = ()
    sums: tuple[Total, ...] = ()
    forbids: int = 0

    @cached_property
    def pairs(self) -> tuple[CandidatePair, ...]:
        """Pairs (low, high) of candidates that cannot both be true, as the rule or the clue says; a
        group of another family may contain some. A pair of a candidate with itself says that it is
        false."""
        banned = chain.from_iterable(map(forbidden_pairs, self.relations))
        return (*self.stated, *dict.fromkeys(banned))

    @cached_property
    def supports(self) -> tuple[Support, ...]:
        """A candidate and others of one cell, one of which must be true beside it. The pairs imply
        this, and it makes unit propagation arc consistent on what relates two cells."""
        return tuple(chain.from_iterable(map(supports_of, self.relations)))

    @property
    def exclusions(self) -> Iterator[CandidatePair]:
        """Every pair (low, high) of candidates that the family forbids; pairs may repeat."""
        return chain(chain.from_iterable(combinations(g, 2) for g in self.groups), self.pairs)


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
    families: tuple[Family, ...] = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the names, not the groups; the other process builds the groups once and caches."""
        return constraints_for, (self.name, self.board)

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
        return _build(self.board, self.names)

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


@lru_cache(MOST_RULE_SETS)
def _of_text(rules: str, board: Board | None) -> Constraints:
    return _build(*_parse(rules, board))


def tells_board(rules: str | Constraints) -> bool:
    """Whether the rules fix the board (`jigsaw=MAP`, `latin=5`, `boxes=2x6`), so that no puzzle
    has to."""
    return isinstance(rules, Constraints) or any(f"{word}=" in rules for word in BOARDS)


def board_word(board: Board) -> str:
    """The word of a rule set that tells the board, empty if its boxes are the usual ones."""
    if board.regions is not None:
        return f"{JIGSAW}={board.region_map}"
    if not board.has_boxes:
        return f"{LATIN}={board.size}"
    return "" if board == Board.of_size(board.size) else f"{BOXES}={board.box_shape}"


def is_clue(word: str) -> bool:
    """Whether a word of a rule set is meant as a clue, not as the name of a rule."""
    return ":" in word or (word.lower() not in RULES and is_kind(word))


def _parse(text: str, board: Board | None) -> tuple[Board, tuple[str, ...]]:
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
    if not re.fullmatch(r"\d{0,2}", size, re.ASCII):
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
        raise RuleError(unknown("rule", name, [*RULES, *ALIASES, *BOARDS]))
    return name


@lru_cache(MOST_RULE_SETS)
def _build(board: Board, rules: tuple[str, ...]) -> Constraints:
    families = [_cells(board.size)]
    for name, houses in (("row", board.rows), ("column", board.columns), ("box", board.boxes)):
        families.append(Family(name, _house_groups(board.size, houses)))
    families.extend(_rule_family(board, RULES[name]) for name in rules if name in RULES)
    clues = {text: read_clue(text, board) for text in rules if text not in RULES}
    size = 0
    for text in clues:
        family, own = _clue_family(text, tuple(clues.values()), board)
        families.append(family)
        size += own
        if size > 4 * MOST:
            raise ClueError(f"{len(clues)} clues are too many: they forbid millions of pairs")
    return Constraints(
        board, rules, tuple(f for f in families if f.groups or f.forbids or f.shapes)
    )


# All region maps of a size share their cells, rows and columns.
@lru_cache(maxsize=16)
def _cells(n: int) -> Family:
    groups = tuple(tuple(range(n * cell, n * cell + n)) for cell in range(n * n))
    return Family("cell", groups)


@lru_cache(maxsize=64)
def _house_groups(n: int, houses: tuple[Cells, ...]) -> tuple[Cells, ...]:
    """One group for each house and digit: the digit is in exactly one of the house's cells."""
    return tuple(tuple(n * cell + d for cell in house) for house in houses for d in range(n))


def _rule_family(board: Board, rule: Rule) -> Family:
    n = board.size
    groups = _house_groups(n, tuple(map(_ascending, rule.houses(board)))) if rule.houses else ()
    pairs: list[CandidatePair] = []
    if rule.unequal:
        pairs += [(n * a + d, n * b + d) for a, b in rule.unequal(board) for d in range(n)]
    if rule.excludes:
        pairs += rule.excludes(board)
    return Family(rule.name, groups, tuple(pairs), forbids=len(pairs))


class _Said(NamedTuple):
    """What a clue says; edges: those of all its automata."""

    relations: tuple[Related, ...]
    shapes: tuple[Shape, ...]
    sums: tuple[Total, ...]
    forbids: int
    edges: int

    def at(self, cells: Cells) -> _Said:
        """The same of other cells, which are given for cells 0, 1, 2, ..."""
        relations = tuple([Related(cells[a], cells[b], table) for a, b, table in self.relations])
        shapes = tuple([placed(shape, cells) for shape in self.shapes])
        sums = tuple([placed(total, cells) for total in self.sums])
        return _Said(relations, shapes, sums, self.forbids, self.edges)


def _clue_family(text: str, clues: tuple[Clue, ...], board: Board) -> tuple[Family, int]:
    """The family of a clue, and its size: pairs, and edges of automata."""
    clue = read_clue(text, board)
    kind, cells = KINDS[clue.kind], clue.cells
    houses = kind.houses(board, clue) if kind.houses else ()
    groups = _house_groups(board.size, tuple(map(_ascending, houses))) if houses else ()
    is_free = not (kind.by_place or kind.denies or kind.joins) and len({*cells}) == len(cells)
    try:
        if is_free:
            said = _anywhere(kind.name, tuple(map(len, clue.groups)), clue.value, board.size)
        else:
            said = _said(clue, clues, board)
    except ClueError as error:
        raise ClueError(f"clue {text[:40]}: {error}") from None
    relations, shapes, sums, forbids, edges = said.at(cells) if is_free else said
    return Family(text, groups, (), relations, shapes, sums, forbids), forbids + edges


@lru_cache(maxsize=1024)
def _anywhere(kind: str, sizes: tuple[int, ...], value: str, size: int) -> _Said:
    """What a clue with groups of so many cells says if these are cells 0, 1, 2, ...: a collection
    states clues of few forms in many places."""
    ends = [*accumulate(sizes)]
    groups = tuple(tuple(range(end - count, end)) for count, end in zip(sizes, ends, strict=True))
    return _said(Clue(kind, groups, value), (), Board.of_size(size))


def _said(clue: Clue, clues: tuple[Clue, ...], board: Board) -> _Said:
    n, sums = board.size, KINDS[clue.kind].sums
    relations, shapes = lowered(clue, clues, board)
    related = tuple(tabled(relation, n) for relation in relations)
    forbids = sum(relation.forbids for relation in related)
    if max(forbids, len(related) * n * n // 8) > MOST:
        raise ClueError(f"it relates too many cells, {len(related)} pairs")
    automata = (shape for shape in shapes if isinstance(shape, Automaton))
    edges = sum(len(layer) for shape in automata for layer in shape.layers)
    return _Said(related, shapes, tuple(sums(board, clue)) if sums else (), forbids, edges)


def _ascending(cells: Cells) -> Cells:
    return tuple(sorted(cells))
