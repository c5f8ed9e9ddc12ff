"""A board and its rules as groups and forbidden pairs: the form in which other modules read them.

Invariant: code that passes the rules on to a solver, an engine or a person reads them from
`Constraints` only. The exceptions are the witnesses, which never read its groups and pairs.

Candidates are 0-based here: size*size*row + size*column + digit-1. DIMACS variables, which are used
from `cnf.encodings` on, are one higher.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, combinations
from typing import NamedTuple

from .board import Board, Cells
from .rules import ALIASES, JIGSAW, RULES, CandidatePair, Rule, RuleError

Group = tuple[int, ...]  # candidates of which exactly one is true
_LONGEST_NAME = 40  # an error repeats at most this many characters of a name


class Family(NamedTuple):
    """The constraints of one rule, or of the cells, rows, columns or boxes.

    groups: sets of candidates of which exactly one is true. pairs: pairs (low, high) of candidates
    that cannot both be true, as the rule states them; a group of another family may contain some.
    """

    name: str
    groups: tuple[Group, ...]
    pairs: tuple[CandidatePair, ...]

    @property
    def exclusions(self) -> Iterator[CandidatePair]:
        """Every pair (low, high) of candidates that the family forbids; pairs may repeat."""
        return chain(chain.from_iterable(combinations(g, 2) for g in self.groups), self.pairs)


@dataclass(frozen=True)
class Constraints:
    """A board and its rules, as groups and forbidden pairs of candidates.

    rules: names from `RULES`; a region map belongs to the board. Two values are equal if their
    boards and rules are. Build one with `constraints_for`, which caches.
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
        """The rule set as text that `constraints_for` reads back: `knight,king` or `classic`."""
        regions = self.board.region_map
        return ",".join([*self.rules, *([f"{JIGSAW}={regions}"] if regions else ())]) or "classic"

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All groups, family by family (324 for classic 9x9)."""
        return tuple(chain.from_iterable(family.groups for family in self.families))

    @cached_property
    def pairs(self) -> tuple[CandidatePair, ...]:
        """Distinct forbidden pairs that no group already forbids (none for classic)."""
        stated = list(chain.from_iterable(family.pairs for family in self.families))
        if not stated:  # usual for region maps, and a file may hold a different map in every row
            return ()
        grouped = {pair for group in self.groups for pair in combinations(group, 2)}
        return tuple(dict.fromkeys(pair for pair in stated if pair not in grouped))

    @cached_property
    def exclusions(self) -> tuple[CandidatePair, ...]:
        """Every pair (low, high) of candidates that cannot both be true, ascending.

        Classic 9x9 has 10,206.
        """
        return tuple(sorted({pair for family in self.families for pair in family.exclusions}))

    @cached_property
    def overlaps(self) -> tuple[tuple[int, int], ...]:
        """Index pairs (low, high) of different groups that share two or more candidates.

        They are sorted by the first candidate that reveals the overlap. Box-line inference needs
        only these: it compares what one group holds with what the shared part holds.
        """
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
    return _build(*_parse(rules, board or (None if tells_board(rules) else default)))


def tells_board(rules: str | Constraints) -> bool:
    """Whether the rules fix the board (by a region map), so that no puzzle has to."""
    return isinstance(rules, Constraints) or f"{JIGSAW}=" in rules


def _parse(text: str, board: Board | None) -> tuple[Board, tuple[str, ...]]:
    """The board, and the rule names in the order of RULES with aliases resolved."""
    chosen: set[str] = set()
    for word in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = word.partition("=")
        name = name.lower()
        if name == JIGSAW:
            board = _with_regions(value, board)
        elif not name:
            raise RuleError(f"'{word[:_LONGEST_NAME]}' names no rule: expected a name before '='")
        elif value:
            raise RuleError(f"rule '{name[:_LONGEST_NAME]}' takes no value")
        else:
            chosen.update(ALIASES[name] if name in ALIASES else (_known(name),))
    return board or Board.of_size(9), tuple(name for name in RULES if name in chosen)


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
    if name in RULES:
        return name
    import difflib  # here, so that only a mistyped name costs this import

    known = sorted([*RULES, *ALIASES, JIGSAW])
    shown = name[:_LONGEST_NAME]
    nearest = difflib.get_close_matches(shown, known, n=1)
    hint = f"did you mean '{nearest[0]}'? " if nearest else ""
    raise RuleError(f"no rule '{shown}': {hint}choose from {', '.join(known)}")


@lru_cache(maxsize=64)
def _build(board: Board, rules: tuple[str, ...]) -> Constraints:
    families = [_cells(board.size)]
    for name, houses in (("row", board.rows), ("column", board.columns), ("box", board.boxes)):
        families.append(Family(name, _house_groups(board.size, houses), ()))
    families.extend(_rule_family(board, RULES[name]) for name in rules)
    return Constraints(board, rules, tuple(f for f in families if f.groups or f.pairs))


# All region maps of a size share their cells, rows and columns.
@lru_cache(maxsize=16)
def _cells(n: int) -> Family:
    groups = tuple(tuple(range(n * cell, n * cell + n)) for cell in range(n * n))
    return Family("cell", groups, ())


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
    return Family(rule.name, groups, tuple(pairs))


def _ascending(cells: Cells) -> Cells:
    return tuple(sorted(cells))
