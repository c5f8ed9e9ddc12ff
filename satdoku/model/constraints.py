"""The one value that every consumer reads: a board and its rules as groups and forbidden pairs.

Invariant: whatever states the puzzle to a solver, an engine or a person reads `Constraints` and
nothing else; only the witnesses do not.

Candidates are 0-based here: size*size*row + size*column + digit-1. DIMACS variables, one higher,
begin in `cnf.encodings`.
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

Group = tuple[int, ...]  # candidates of which exactly one holds
_LONGEST_NAME = 40  # characters of a name that an error repeats


class Family(NamedTuple):
    """The part of the constraints that one rule gives, or the cells, rows, columns or boxes.

    groups: sets of candidates of which exactly one holds; pairs: candidates that cannot both hold
    (each low, high, and as the rule says it: some may lie inside a group of another family).
    """

    name: str
    groups: tuple[Group, ...]
    pairs: tuple[CandidatePair, ...]

    @property
    def exclusions(self) -> Iterator[CandidatePair]:
        """Every pair (low, high) of candidates that the family forbids, some of them repeatedly."""
        return chain(chain.from_iterable(combinations(g, 2) for g in self.groups), self.pairs)


@dataclass(frozen=True)
class Constraints:
    """A board and its rules, as groups and forbidden pairs of candidates.

    rules: names of `RULES`; a region map is the board's. Equal and hashable by board and names;
    build it with `constraints_for`, which caches.
    """

    board: Board
    rules: tuple[str, ...]
    families: tuple[Family, ...] = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        """Names travel between processes, not the groups; built once there and then cached."""
        return constraints_for, (self.name, self.board)

    @property
    def variables(self) -> int:
        """Number of candidates, 729 on the 9x9 board."""
        return self.board.variables

    @property
    def name(self) -> str:
        """The rule set in one word that `constraints_for` reads back: `knight,king`, `classic`."""
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
        if not stated:  # as for most region maps, of which a file may hold one a row
            return ()
        grouped = {pair for group in self.groups for pair in combinations(group, 2)}
        return tuple(dict.fromkeys(pair for pair in stated if pair not in grouped))

    @cached_property
    def exclusions(self) -> tuple[CandidatePair, ...]:
        """Every pair (low, high) of candidates that cannot both hold, ascending.

        10,206 for classic 9x9.
        """
        return tuple(sorted({pair for family in self.families for pair in family.exclusions}))

    @cached_property
    def overlaps(self) -> tuple[tuple[int, int], ...]:
        """Numbers (low, high) of every two different groups that share two candidates or more.

        In the order of the first candidate that shows it. What is true in one of the two groups and
        in the part that they share is all that box-line inference needs.
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
    rules: str | Constraints = "classic", board: Board | None = None
) -> Constraints:
    """The constraints of a rule set such as `knight,diagonal` on a board (9x9 unless given).

    A `Constraints` passes through if its board is the one asked for. Raises `RuleError`.
    """
    if isinstance(rules, Constraints):
        if board is None or board.size == rules.board.size:
            return rules
        sizes = f"{rules.board.size}x{rules.board.size}, not {board.size}x{board.size}"
        raise RuleError(f"these constraints are for a board of {sizes}")
    return _build(*_parse(rules, board))


def tells_board(rules: str | Constraints) -> bool:
    """Whether the rules bring their board along, so that no puzzle need tell: by a region map."""
    return isinstance(rules, Constraints) or f"{JIGSAW}=" in rules


def _parse(text: str, board: Board | None) -> tuple[Board, tuple[str, ...]]:
    """Rule names in the order of RULES, aliases resolved, and the board they are for."""
    chosen: set[str] = set()
    for word in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = word.partition("=")
        name = name.lower()
        if name == JIGSAW:
            board = _with_regions(value, board)
        elif value:
            raise RuleError(f"rule '{name[:_LONGEST_NAME]}' takes no value")
        else:
            chosen.update(ALIASES[name] if name in ALIASES else (_known(name),))
    return board or Board.of_size(9), tuple(name for name in RULES if name in chosen)


def _with_regions(region_map: str, board: Board | None) -> Board:
    """The board of `jigsaw=MAP`, of the size asked for; bare `jigsaw` asks for one with regions."""
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
    import difflib  # only a mistyped name pays for it

    known = sorted([*RULES, *ALIASES, JIGSAW])
    shown = name[:_LONGEST_NAME]
    nearest = difflib.get_close_matches(shown, known, n=1)
    hint = f"did you mean '{nearest[0]}'? " if nearest else ""
    raise RuleError(f"no rule '{shown}': {hint}known are {', '.join(known)}")


@lru_cache(maxsize=64)
def _build(board: Board, rules: tuple[str, ...]) -> Constraints:
    families = [_cells(board.size)]
    for name, houses in (("row", board.rows), ("column", board.columns), ("box", board.boxes)):
        families.append(Family(name, _house_groups(board.size, houses), ()))
    families.extend(_rule_family(board, RULES[name]) for name in rules)
    return Constraints(board, rules, tuple(f for f in families if f.groups or f.pairs))


# Cells, rows and columns are those of every region map of the size.
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
