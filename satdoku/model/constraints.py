"""A board and its rules as groups and forbidden pairs: the form in which other modules read them.

Invariant: code that passes the rules on to a solver, an engine or a person reads them from
`Constraints` only. The exceptions are the witnesses, which never read its groups and pairs. Rules
stand in the order of `RULES`, then the canonical texts of clues, each once.

Candidates are 0-based: board.choices*cell + the position of the digit. DIMACS variables, which are
used from `cnf.encodings` on, are one higher.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, combinations
from math import isqrt
from operator import attrgetter, itemgetter
from typing import Any, NoReturn

from ..runtime import limits
from ..runtime.errors import LONGEST_NAME, counted
from ..runtime.lazy import cached_property
from .board import (
    CORNER,
    MAX_SIZE,
    MIN_SIZE,
    NO_REGION,
    Board,
    Layer,
    mask_of,
    regions_of,
    too_large,
    written,
)
from .clue import Clue, ClueError, cut, read_cells, read_clue, split_rules, words_of
from .kinds import DEFINITIONS, KINDS, clue_of, is_kind
from .lowering import (
    Family,
    Group,
    Said,
    cells_family,
    clue_family,
    domain_family,
    house_family,
    quick_families,
    rule_family,
)
from .other_names import unknown
from .rules import (
    ALIASES,
    BOARD_ALIASES,
    BOARDS,
    BOXES,
    DIGITS,
    GRIDS,
    HOLES,
    JIGSAW,
    LATIN,
    LAYER,
    NO_LINES,
    OF_CELLS,
    RULES,
    SHAPE,
    CandidatePair,
    RuleError,
)
from .shapes import MOST

# One of them is in every rule set that tells the board.
OTHER_BOARDS = (SHAPE, DIGITS, GRIDS, HOLES, LAYER, *BOARD_ALIASES)  # tell one not usual, if any
_TELLS = tuple(word for word in BOARDS if word not in NO_LINES)


def is_clue(word: str) -> bool:
    """Whether a word of a rule set is meant as a clue, not as the name of a rule."""
    return not _board_words_of(word) and (
        ":" in word or (word.lower() not in RULES and is_kind(word))
    )


@lru_cache(maxsize=64)
def board_words(board: Board) -> tuple[str, ...]:
    """The words of a rule set that tell the board; none if it is the usual one of its size.

    Those with a colon, which name cells, come last.
    """
    words = [name for name, line in NO_LINES.items() if line in board.without]
    usual = usual_board(board)
    size = 9 if board.digits == usual.digits else len(board.digits)
    if not board.is_usual and board.shape != f"{size}x{size}":
        words.append(f"{SHAPE}={board.shape}")
    if board.regions is not None:
        words.append(f"{JIGSAW}={board.region_map}")
    elif not board.has_boxes and (usual.has_boxes or board.is_usual):
        words.append(f"{LATIN}={board.width}" if board.is_usual else LATIN)
    elif board.box_shape != usual.box_shape:
        words.append(f"{BOXES}={board.box_shape}")
    if board.digits != usual.digits:
        words.append(f"{DIGITS}={written(board.digits)}")
    if board.corners != CORNER:
        words.append(f"{GRIDS}:" + ",".join(f"r{r + 1}c{c + 1}" for r, c in board.corners))
    if board.holes:
        words.append(f"{HOLES}:" + ",".join(f"r{r + 1}c{c + 1}" for r, c in board.holes))
    words += (f"{LAYER}={layer.text}" for layer in board.layers)
    return tuple(words)


def usual_board(board: Board) -> Board:
    """The board of the same shape that no word has to tell."""
    return Board.of_shape(board.height, board.width)


def board_text(board: Board) -> str:
    """The board as a rule set without rules and clues."""
    return _rule_set((), board, ())


def _rule_set(names: Iterable[str], board: Board, clues: Iterable[str]) -> str:
    words = board_words(board)
    of_cells = [word for word in words if ":" in word]
    first = [*names, *words[: len(words) - len(of_cells)]]
    return ";".join([",".join(first) or "classic", *of_cells, *clues])


Stated = dict[str, Family | Clue]  # clues by their canonical texts


def _parsed(text: str, board: Board | None) -> tuple[Board, tuple[str, ...], Stated]:
    """The board, the rule names in the order of RULES with aliases resolved, and the clues by their
    texts, ascending: their families, where these can be told at once."""
    chosen: set[str] = set()
    clues: list[str] = []
    boards: dict[str, str] = {}
    for word, is_known in _words(text):
        if is_known:
            clues.append(word)
            continue
        name, value = _named(word)
        if told := _board_words_of(word):
            for key, value in told.items():
                before = [boards[LAYER]] if key == LAYER and key in boards else []
                boards[key] = ";".join([*before, value]) if value else boards.get(key, "")
        elif is_clue(word):
            clues.append(word)
        elif not name:
            raise RuleError(f"'{word[:LONGEST_NAME]}' names no rule: expected a name before '='")
        elif value:
            raise RuleError(f"rule '{name[:LONGEST_NAME]}' takes no value")
        else:
            chosen.update(ALIASES[name] if name in ALIASES else (_known(name),))
    board = _board_of(boards, board)
    names = tuple([name for name in RULES if name in chosen]) if chosen else ()
    read: Stated = {}
    for text, family in zip(clues, quick_families(clues, board), strict=True):
        if family:
            read[family.name] = family
        else:
            clue = clue_of(text, board)
            read[clue.text(board)] = clue
    return board, names, _by_texts(read)


def _words(text: str) -> Iterator[tuple[str, int]]:
    """The words of a rule set, and whether each is known to be a clue: a quick look."""
    parts, known = cut(text, KINDS)
    if 0 not in known:
        return zip(parts, known, strict=True)
    return (
        (word, is_known)
        for part, is_known in zip(parts, known, strict=True)
        for word in ((part,) if is_known else words_of(part))
    )


def _named(word: str) -> tuple[str, str]:
    """The name of a word of a rule set, and what stands behind the equals sign."""
    name, _, value = word.partition("=")
    return name.strip().lower(), value.strip()


def _board_words_of(word: str) -> dict[str, str]:
    """What a word of a rule set says of the board, by names; nothing if it is a rule or a clue."""
    name, value = _named(word)
    if name in BOARD_ALIASES:
        return BOARD_ALIASES[name]
    head, colon, cells = word.partition(":")
    if name == LAYER:
        return {name: value}
    if colon:  # which clues have, too: digits=1,2:r1c1
        name = head.strip().lower()
        return {name: cells.strip()} if name in OF_CELLS else {}
    return {name: value} if name in BOARDS and name not in OF_CELLS else {}


def _board_of(words: dict[str, str], given: Board | None) -> Board:
    """The board that the words of a rule set give, each with its value; the given one without."""
    several = [word for word in words if word in (JIGSAW, LATIN, BOXES)]
    if len(several) > 1:
        raise RuleError(f"{' and '.join(several)}: expected only one that tells the board")
    if not words:
        return given or Board.of_size(9)
    digits = _digits(words[DIGITS]) if DIGITS in words else ()
    without = tuple(line for name, line in NO_LINES.items() if name in words)
    board = _shaped(words, given, digits, without)
    if given is not None and (board.height, board.width) != (given.height, given.width):
        word = next(word for word in (*several, SHAPE, *words) if word in words)
        said = word if word in OF_CELLS else f"{word}={words[word][:LONGEST_NAME]}"
        raise RuleError(f"{said} on a board of {given.shape}, not {board.shape}")
    if GRIDS in words:
        board = replace(board, corners=_places(words[GRIDS], None))
    if HOLES in words:
        holes = _places(words[HOLES], replace(board, regions=None, holes=()))
        board = replace(board, holes=holes) if holes != board.holes else board
    if JIGSAW in words:
        board = _with_regions(words[JIGSAW], board)
    layers = tuple(_layer(text) for text in words[LAYER].split(";")) if LAYER in words else ()
    return replace(board, layers=layers or board.layers)


def _layer(text: str) -> Layer:
    """The layer of `shade:0-1` or `a*3:1-9`; raises `RuleError`."""
    match = re.fullmatch(r"([a-z]+)(?:\*([1-9]\d{0,2}))?:(.+)", text.lower(), re.ASCII)
    if match is None:
        found = f"{LAYER}={text[:LONGEST_NAME]}"
        raise RuleError(f"{found}: expected a name and digits, as in {LAYER}=shade:0-1")
    return Layer(match[1], _digits(match[3]), int(match[2] or 0))


def _shaped(
    words: dict[str, str],
    given: Board | None,
    digits: tuple[int, ...],
    without: tuple[str, ...],
) -> Board:
    """The board without regions, with its shape, its boxes, its lines and its digits."""
    board = given
    changed: dict[str, Any] = {}
    if SHAPE in words:
        board = Board.of_shape(*_sides(SHAPE, words[SHAPE]))
        if given is not None and given.shape == board.shape:
            board = given
    elif board is None:
        board = _told_by_value(words, digits)
    if BOXES in words:
        rows, columns = _sides(BOXES, words[BOXES])
        if SHAPE not in words and rows * columns != board.width:
            board = Board(rows * columns, rows, columns)
        changed = {"box_rows": rows, "box_columns": columns, "regions": None}
    elif LATIN in words:
        size = words[LATIN]
        if not re.fullmatch(r"\d{0,3}", size, re.ASCII):
            raise RuleError(f"{LATIN}={size[:LONGEST_NAME]}: expected a size, such as {LATIN}=5")
        if size and int(size) != board.width:
            board = Board.latin(int(size))
        changed = {"box_rows": 1, "box_columns": board.width, "regions": None}
    # Together: more digits leave room for larger boxes, and lines that are no houses for fewer.
    changed.update(digits=digits or board.digits, without=without or board.without)
    return replace(board, **changed)


def _told_by_value(words: dict[str, str], digits: tuple[int, ...]) -> Board:
    """The usual board whose size a region map or the digits tell, if no shape is told."""
    if (region_map := words.get(JIGSAW)) and GRIDS not in words and HOLES not in words:
        some = NO_REGION in region_map or digits  # then there may be fewer of them
        return Board.of_size(isqrt(len(region_map))) if some else Board.of_map(region_map)
    return Board.of_size(len(digits) if MIN_SIZE <= len(digits) <= MAX_SIZE else 9)


def _sides(word: str, shape: str) -> tuple[int, int]:
    """Rows and columns of `2x6`; raises `RuleError`."""
    match = re.fullmatch(r"(\d{1,3})x(\d{1,3})", shape, re.ASCII)
    if match is None:
        said = f"{word}={shape[:LONGEST_NAME]}"
        raise RuleError(f"{said}: expected rows x columns, as in {word}=2x6")
    return int(match[1]), int(match[2])


def _digits(text: str) -> tuple[int, ...]:
    """The digits of `0-8`, `0,1,2,4,8` or `1-4,6,8`; raises `RuleError`."""
    digits: set[int] = set()
    for word in text.split(","):
        ends = re.fullmatch(r"\s*(-?\d{1,2})(?:-(-?\d{1,2}))?\s*", word, re.ASCII)
        some = range(int(ends[1]), int(ends[2] or ends[1]) + 1) if ends else ()
        if not some:
            raise RuleError(f"digits {text[:LONGEST_NAME]}: expected 0-8 or 0,1,2,4,8")
        digits.update(some)
    return tuple(sorted(digits))


def _places(text: str, board: Board | None) -> tuple[tuple[int, int], ...]:
    """The places of corners of grids, r1c1 to r99c99, or the places of cells of a board."""
    if board is not None:
        return tuple(sorted({board.places[cell] for cell in read_cells(text, board)}))
    words = [word.strip().lower() for word in text.split(",")]
    found = [re.fullmatch(r"r([1-9]\d?)c([1-9]\d?)", word, re.ASCII) for word in words]
    if not all(found):
        wrong = words[found.index(None)][:LONGEST_NAME]
        raise RuleError(f"{GRIDS}: '{wrong}': expected cells such as r1c1, r1c13")
    return tuple(sorted({(int(m[1]) - 1, int(m[2]) - 1) for m in found if m}))


def _with_regions(region_map: str, board: Board) -> Board:
    """The board with the regions of a map. No map needs a board that already has regions."""
    if region_map:
        if len(region_map) != board.grid_cells and board.is_rectangle:
            found = (
                f"a region map of {counted(len(region_map), 'cell')} on a board of {board.shape}"
            )
            raise RuleError(f"{found}: expected {board.grid_cells}")
        return replace(board, regions=regions_of(region_map))
    if board.regions is None:
        raise RuleError("jigsaw needs a region map: jigsaw=MAP, one character per cell")
    return board


def _known(name: str) -> str:
    if name not in RULES:
        raise RuleError(unknown("rule", name, [*RULES, *ALIASES, *BOARDS], DEFINITIONS))
    return name


__all__ = [
    "MOST_RULE_SETS",
    "Constraints",
    "Family",
    "Group",
    "RulesLike",
    "board_text",
    "board_words",
    "constraints_for",
    "is_clue",
    "rules_text",
    "tells_board",
    "with_clues",
]

# How many are kept with what is made from each, formulas apart: a collection may state other clues
# in every row, often some hundred layouts again and again.
MOST_RULE_SETS = 256
# Of all clues together: what becomes of them in a solver (a GB of memory, and 20 s), and the moves
# of automata that are looked at for that (half a minute).
MOST_CLAUSES = 5 * MOST
MOST_MOVES = 32 * MOST


# Of a family or of what is said: functions that C calls, as there are many.
_SAID, _GROUPS, _STATED = attrgetter("said"), attrgetter("groups"), attrgetter("stated")
_IS_UNPLANNED, _RANKS = attrgetter("is_unplanned"), attrgetter("has_ranks")
_SHAPES, _SUMS = attrgetter("shapes"), attrgetter("sums")


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

    def __hash__(self) -> int:
        """Made once: constraints are keys of what is kept for them."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.board, self.rules))

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

    @cached_property
    def name(self) -> str:
        """The rule set as text that `constraints_for` reads back: `knight,king` or `classic`.

        Clues follow, each after a semicolon: `knight;cage=15:r1c1,r1c2`.
        """
        return _rule_set(self.names, self.board, self.clue_texts)

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
        states = any(map(_GROUPS, clues)) or any(map(_STATED, clues))
        return self if states else plain

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """What each family says by its clue."""
        return tuple(map(_SAID, self.families))

    @cached_property
    def is_wide(self) -> bool:
        """Whether a clue says more than groups and pairs can: then those alone are too weak."""
        return any(map(_SHAPES, self.said))

    @cached_property
    def needs_session(self) -> bool:
        """Whether the engine cannot tell all solutions: it would count those that differ in layers
        only."""
        return bool(self.board.layers) or self.is_unplanned

    @cached_property
    def is_unplanned(self) -> bool:
        """Whether the engine cannot answer at all: it floods no cells."""
        return any(map(_IS_UNPLANNED, self.said))

    @cached_property
    def is_beyond_steps(self) -> bool:
        """Whether steps by units are too weak from the start: with what needs a session, and with
        ranks, of which units say little."""
        return self.needs_session or any(map(_RANKS, self.said))

    @cached_property
    def has_sums(self) -> bool:
        """Whether a clue states a sum, so that further sums may follow."""
        return any(map(_SUMS, self.said))

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
    def house_groups(self) -> tuple[tuple[int, int, int], ...]:
        """The groups of one digit each: number, digit from 0, and the cells as a mask."""
        n, found = self.board.choices, []
        known: dict[Group, int | None] = {}
        for number, group in enumerate(self.groups):
            digit = group[0] % n
            cells = tuple([candidate - digit for candidate in group])
            if cells not in known:
                is_house = not any(candidate % n for candidate in cells)
                known[cells] = mask_of([c // n for c in cells]) if is_house else None
            if (mask := known[cells]) is not None:
                found.append((number, digit, mask))
        return tuple(found)

    @cached_property
    def _grouped(self) -> tuple[int, ...]:
        """Of each candidate the mask of those that share a group with it."""
        if self.frame is not self:
            return self.frame._grouped
        grouped = [0] * self.variables
        for group in self.groups:
            mask = mask_of(group)
            for candidate in group:
                grouped[candidate] |= mask
        return tuple(grouped)

    @cached_property
    def pairs(self) -> tuple[CandidatePair, ...]:
        """Distinct forbidden pairs that no group already forbids (none for classic)."""
        stated = dict.fromkeys(chain.from_iterable(family.pairs for family in self.families))
        if not stated:  # usual for region maps, and a file may hold a different map in every row
            return ()
        grouped = self._grouped
        return tuple([(a, b) for a, b in stated if a == b or not grouped[a] >> b & 1])

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
        n = self.board.choices
        places: dict[int, list[int]] = {}  # of each digit the groups of houses, and their cells
        masks: dict[int, list[int]] = {}
        for number, digit, mask in self.house_groups:
            places.setdefault(digit, []).append(number)
            masks.setdefault(digit, []).append(mask)
        met_by = {some: _meeting(some) for some in {*map(tuple, masks.values())}}
        found = [
            (n * cell + digit, numbers[a], numbers[b])
            for digit, numbers in places.items()
            for cell, a, b in met_by[tuple(masks[digit])]
        ]
        known = {*range(self.board.cells), *chain.from_iterable(places.values())}
        if len(known) < len(self.groups):  # groups of any candidates, which no rule has
            every = _meeting([mask_of(group) for group in self.groups])
            found += (met for met in every if not {*met[1:]} <= known)
        return tuple([(a, b) for _, a, b in sorted(found)])


def _meeting(masks: Sequence[int]) -> list[tuple[int, int, int]]:
    """The lowest member that two different sets share, if they share several, and these."""
    shared = ((a, b, masks[a] & masks[b]) for a, b in combinations(range(len(masks)), 2))
    return [
        ((mask & -mask).bit_length() - 1, a, b)
        for a, b, mask in shared
        if mask & mask - 1 and masks[a] != masks[b]
    ]


RulesLike = str | Collection[str] | Constraints  # several texts say what they say together


def rules_text(rules: RulesLike) -> str:
    """The rule set as one text."""
    if isinstance(rules, Constraints):
        return rules.name
    return rules if isinstance(rules, str) else ";".join(rules)


def constraints_for(
    rules: RulesLike = "classic",
    board: Board | None = None,
    *,
    default: Board | None = None,
) -> Constraints:
    """The constraints of a rule set such as `knight,diagonal` on a board (9x9 unless given).

    rules: a text, or several that say it together, such as `["knight", "odd:r1c1"]`. default: the
    board, unless the rules bring one. A `Constraints` passes through if its board is
    the one asked for. Raises `RuleError`.
    """
    if isinstance(rules, Constraints):
        if board is None or (board.shape, board.cells) == (rules.board.shape, rules.board.cells):
            return rules
        sizes = f"{rules.board.shape}, not {board.shape}"
        raise RuleError(f"these constraints are for a board of {sizes}")
    text = rules_text(rules)
    return _of_text(text, board or (None if tells_board(text) else default))


def tells_board(rules: RulesLike) -> bool:
    """Whether the rules fix the board (`jigsaw=MAP`, `latin=5`, `boxes=2x6`), so that no puzzle
    has to."""
    return isinstance(rules, Constraints) or _tells(rules_text(rules))


def may_tell_other(rules: str) -> bool:
    """Whether the rules may fix a board that is not usual: a quick look, before they are read."""
    rules = rules.lower()
    return any(sign in rules for sign in OTHER_BOARDS)


@lru_cache(MOST_RULE_SETS)
def _tells(rules: str) -> bool:
    told = map(_board_words_of, split_rules(rules)) if any(sign in rules for sign in _TELLS) else ()
    return any(any(words.values()) for words in told)


@lru_cache(MOST_RULE_SETS)
def _of_text(rules: str, board: Board | None) -> Constraints:
    return _stated(*_parsed(rules, board))


def with_clues(rules: str, board: Board, clues: Iterable[Clue]) -> Constraints:
    """The constraints of a rule set and of canonical clues, which no text has to tell."""
    board, names, stated = _parsed(rules, board)
    stated |= {clue.text(board): clue for clue in clues}
    return _stated(board, names, _by_texts(stated))


def _by_texts(stated: Stated) -> Stated:
    return dict(sorted(stated.items(), key=itemgetter(0)))


def _stated(board: Board, names: tuple[str, ...], clues: Stated) -> Constraints:
    if not clues:
        return _build(board, names)
    every = (*names, *clues)
    if board.is_large:
        _check_houses(board, every)
    families = (*_build(board, names).families, *_clue_families(board, clues))
    return Constraints(board, every, families)


@lru_cache(MOST_RULE_SETS)
def _build(board: Board, names: tuple[str, ...]) -> Constraints:
    """The constraints without clues."""
    if board.is_large:
        _check_houses(board, names)
        return Constraints(board, names, ())
    return Constraints(board, names, _rule_families(board, names))


def whole(constraints: Constraints) -> Constraints:
    """The constraints with their families on a large board too, whatever memory that takes."""
    board, rules = constraints.board, constraints.rules
    if not board.is_large:
        return constraints
    return Constraints(board, rules, _rule_families(board, rules))


def _rule_families(board: Board, names: tuple[str, ...]) -> tuple[Family, ...]:
    families = [cells_family(board.cells, board.choices), domain_family(board)]
    families += (house_family(name, board, houses) for name, houses in board.families)
    families += (rule_family(board, RULES[name]) for name in names)
    return tuple(family for family in families if family.groups or family.forbids)


def _clue_families(board: Board, clues: Stated) -> Iterator[Family]:
    clauses = moves = 0
    for text, stated in clues.items():
        if isinstance(stated, Family):
            family = stated
        else:
            limits.check()
            every = (read_clue(each, board) for each in clues)
            family = clue_family(text, stated, every, board)
        size = family.said.size
        clauses, moves = clauses + size.clauses, moves + size.moves
        if clauses > MOST_CLAUSES:
            _refuse(text, len(clues), f"{clauses:,} clauses, expected at most {MOST_CLAUSES:,}")
        if moves > MOST_MOVES:
            _refuse(text, len(clues), f"{moves:,} moves, expected at most {MOST_MOVES:,}")
        if family.said.speaks or family.groups or family.stated:
            yield family


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
