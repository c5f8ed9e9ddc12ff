"""Puzzles as the program pencilmark exchanges them: JSON of the format `sudoku-puzzle`, version 1.

Invariant: an object is read as exactly the puzzle that it states, or refused with the name of the
rule or the key that is not supported, as the format's specification demands of its readers. Every
key of a rule is heeded, or is one of those that only draw.

Source: docs/FORMAT.md and docs/sudoku-puzzle.schema.json of pypi.org/project/pencilmark. Of its
keys, `meta`, `style`, `decorations` and `ext` say nothing about the solution. Houses are rules like
all others; they make the board and, for houses beyond it, clues. The other rules (`FAMILIES`)
become clues: a kind names its rule; `WAYS` has the ways in which a rule states clues, by name. A
pair operator that no kind of clue states, and a table, become a `regex` of the allowed digits.

Supported are square boards on which all rows and columns are houses and cells hold 1 to the size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from ..model.board import MAX_SIZE, MIN_SIZE, Board, CellPair, Cells
from ..model.constraints import RulesLike, constraints_for
from ..model.grid import LETTERS, Grid
from ..model.kinds import HOUSE, PATTERN, UNEQUAL, foreign
from ..model.puzzle import Digits, Puzzle
from ..model.rules import foreign_rules
from ..runtime.errors import LONGEST_NAME, SatdokuError, counted
from .foreign import ForeignError, checked, json_of, json_type, parser, reconciled
from .iss.tables import pattern_of

Rule = dict[str, Any]
VERSION = 1
_NEEDED = ("format", "format_version", "board", "digits", "givens", "rules")
_KEYS = (*_NEEDED, "$schema", "meta", "solution", "candidates", "decorations", "style", "ext")


@parser
def parse_pencilmark(
    text: str, rules: RulesLike | None = None, board: Board | None = None
) -> Puzzle:
    """Read an object of pencilmark's `sudoku-puzzle`; errors name the rule that is wrong."""
    value = json_of(text)
    size = _size(value)
    houses, boxes, others = split_houses(_rules(value), size)
    here, names = house_clues(houses, boxes, size)
    words = [*names, *rule_clues(others, checked(here, board))]
    try:
        own = constraints_for(";".join(words) or "classic", here)
    except SatdokuError as error:
        raise ForeignError(str(error)) from None
    constraints = reconciled(own, rules)
    givens = _digits(value["givens"], "givens", size, 0)
    grid = Grid(bytes(givens), constraints.board)
    solution = value.get("solution")
    if solution is not None:
        solution = Grid(bytes(_digits(solution, "solution", size, 1)), constraints.board)
    meta = value.get("meta") or {}
    name, title, author = (str(meta.get(key) or "") for key in ("id", "title", "author"))
    marks = _candidates(value, here)
    return Puzzle(grid, constraints, marks, solution, name, title, author)


def _size(value: dict[str, Any]) -> int:
    """The size of a square board whose cells hold 1 to that size."""
    version = value.get("format_version")
    if version != VERSION or isinstance(version, bool):
        raise ForeignError(f"format_version {_cut(version)}: expected {VERSION}")
    if missing := [key for key in _NEEDED if key not in value]:
        raise ForeignError(f"no key '{missing[0]}': expected {', '.join(_NEEDED)}")
    if unknown := [key for key in value if key not in _KEYS]:
        raise ForeignError(f"no key '{_cut(unknown[0])}' is known: expected {', '.join(_KEYS)}")
    shape, digits = value["board"], value["digits"]
    if not isinstance(shape, dict) or set(shape) != {"rows", "cols"}:
        raise ForeignError('board: expected an object such as {"rows": 9, "cols": 9}')
    sizes = [shape["rows"], shape["cols"], digits]
    if any(type(size) is not int for size in sizes) or len({*sizes}) > 1:
        found = f"{_cut(shape['rows'])}x{_cut(shape['cols'])} with {_cut(digits)} digits"
        raise ForeignError(f"{found}: expected as many rows as columns, and as many digits")
    if not MIN_SIZE <= digits <= MAX_SIZE:
        expected = f"expected {MIN_SIZE} to {MAX_SIZE}"
        raise ForeignError(f"a board of size {_cut(digits)}: {expected}")
    return int(digits)


def _rules(value: dict[str, Any]) -> list[Rule]:
    rules = value["rules"]
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise ForeignError("rules: expected a list of objects")
    if not all(isinstance(value.get(key) or {}, dict) for key in ("meta", "candidates")):
        raise ForeignError("meta and candidates: expected objects")
    return rules


def _digits(cells: object, key: str, size: int, least: int) -> list[int]:
    if not isinstance(cells, list) or len(cells) != size * size:
        found = len(cells) if isinstance(cells, list) else json_type(cells)
        raise ForeignError(f"{key}: found {found}, expected a list of {size * size} numbers")
    for digit in cells:
        if type(digit) is not int or not least <= digit <= size:
            raise ForeignError(f"{key}: found {_cut(digit)}, expected digits {least} to {size}")
    return cells


def _candidates(value: dict[str, Any], board: Board) -> Digits | None:
    """The digits that each cell may hold, None if none is restricted."""
    stated = value.get("candidates")
    if not stated:
        return None
    every = frozenset(range(1, board.size + 1))
    found = [every] * board.cells
    for name, digits in stated.items():
        known = isinstance(digits, list) and all(type(digit) is int for digit in digits)
        if name not in board.cell_named or not known or not every.issuperset(digits):
            expected = f"expected a cell and a list of digits 1-{board.size}"
            raise ForeignError(f"candidates: {_cut(name)} has {_cut(digits)}, {expected}")
        found[board.cell_named[name]] = frozenset(digits)
    return tuple(found)


_HOUSES = ("grid", "box_grid", "row", "column", "box")


def split_houses(rules: Iterable[Rule], size: int) -> tuple[list[Cells], list[Cells], list[Rule]]:
    """The houses of the rules, those of them that are boxes, and the rules that are none."""
    houses: list[Cells] = []
    boxes: list[Cells] = []
    others: list[Rule] = []
    for rule in rules:
        if rule.get("type") not in _HOUSES:
            others.append(rule)
            continue
        found = [*_houses(rule, size)]
        houses += found
        boxes += (
            found[2 * size :] if rule["type"] == "box_grid" else found * (rule["type"] == "box")
        )
    return [*dict.fromkeys(houses)], [*dict.fromkeys(boxes)], others


def house_clues(houses: list[Cells], boxes: list[Cells], size: int) -> tuple[Board, list[str]]:
    """The board of the houses, and those beyond it as clues."""
    board = Board.latin(size)
    if missing := {*board.rows, *board.columns} - {*houses}:
        raise ForeignError(f"{len(missing)} of the rows and columns are no houses: not supported")
    if sorted(cell for box in boxes for cell in box) == [*range(size**2)] and len(boxes) == size:
        board = _board(boxes, size)
    return board, [
        f"{HOUSE if len(house) == size else UNEQUAL}:{text_of(house, board)}"
        for house in houses
        if house not in board.houses
    ]


def _board(boxes: list[Cells], size: int) -> Board:
    """The board whose boxes are these."""
    index = {cell: number for number, box in enumerate(sorted(boxes)) for cell in box}
    return Board.of_regions(tuple(index[cell] for cell in range(size * size)), size)


def _houses(rule: Rule, size: int) -> Iterator[Cells]:
    """The houses of a rule, each sorted."""
    kind = rule["type"]
    if kind not in ("grid", "box_grid"):
        cells = tuple(sorted(cell_numbers(rule.get("cells"), Board.latin(size))))
        if not 2 <= len(cells) <= size:
            raise ForeignError(f"{kind}: {counted(len(cells), 'cell')}, expected 2 to {size}")
        yield cells
        return
    if rule.get("origin") != "r1c1":
        raise ForeignError(f"{kind}: found origin {_cut(rule.get('origin'))}, expected r1c1")
    board = Board(size, *_box(rule, size)) if kind == "box_grid" else Board.latin(size)
    yield from board.houses


def _box(rule: Rule, size: int) -> tuple[int, int]:
    box = rule.get("box")
    sides = box if isinstance(box, list) and all(type(side) is int for side in box) else []
    if len(sides) == 2 and min(sides) >= 1 and sides[0] * sides[1] == size:
        return sides[0], sides[1]
    raise ForeignError(f"box_grid: found box {_cut(box)}, expected two sides that give {size}")


def _cut(value: Any) -> str:
    return re.sub(r"\s+", " ", str(value))[:40]


# Cells and pairs ----------------------------------------------------------------------------------


def cell_numbers(names: object, board: Board) -> Cells:
    if not isinstance(names, list):
        raise ForeignError(f"{str(names)[:40]}: expected a list of cells such as r1c1")
    return tuple(cell_number(name, board) for name in names)


def cell_number(name: object, board: Board) -> int:
    if str(name) not in board.cell_named:
        raise ForeignError(f"{str(name)[:40]} is no cell of a board of size {board.size}")
    return board.cell_named[str(name)]


def text_of(cells: Iterable[int], board: Board) -> str:
    """Cells as a clue lists them."""
    return ",".join(map(board.name_of, cells))


# On digits a and b, and their parameters.
_OPERATORS: dict[str, Callable[..., bool]] = {
    "different": lambda a, b: a != b,
    "equal": lambda a, b: a == b,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "difference": lambda a, b, k: abs(a - b) == k,
    "not_difference": lambda a, b, k: abs(a - b) != k,
    "not_consecutive": lambda a, b: abs(a - b) != 1,
    "difference_at_least": lambda a, b, k: abs(a - b) >= k,
    "difference_at_most": lambda a, b, k: abs(a - b) <= k,
    "ratio": lambda a, b, k: k in (a / b, b / a),
    "not_ratio": lambda a, b, k: k not in (a / b, b / a),
    "sum": lambda a, b, k: a + b == k,
    "not_sum": lambda a, b, k: a + b != k,
    "parity_differs": lambda a, b: (a + b) % 2 == 1,
    "same_third": lambda a, b: (a - 1) // 3 == (b - 1) // 3,
    "different_third": lambda a, b: (a - 1) // 3 != (b - 1) // 3,
    "same_mod3": lambda a, b: (a - b) % 3 == 0,
    "different_mod3": lambda a, b: (a - b) % 3 != 0,
    "allowed": lambda a, b, pairs: [a, b] in pairs,
    "any_of": lambda a, b, *some: any(_operator(op)(a, b, *params) for op, params in some),
}
# The ways in which a kind of clue states one.
TEXTS = {
    "op": "{kind}:{a},{b}",
    "op-number": "{kind}={k}:{a},{b}",
    "op-reversed": "{kind}:{b},{a}",
    "op-groups": "{kind}:{a}>{b}",
}
_KINDS = {
    there.name: TEXTS[there.way].replace("{kind}", kind.name)
    for kind, there in foreign("pencilmark")
    if there.way in TEXTS
}


def allowed_pairs(op: str, params: list[Any], size: int) -> set[tuple[int, int]]:
    """The digits of two cells that an operator allows."""
    holds, digits = _operator(op), range(1, size + 1)
    return {(a, b) for a, b in product(digits, digits) if holds(a, b, *params)}


def named_pair(op: str, params: list[Any]) -> str:
    """The clue that states an operator of two cells {a} and {b}, empty if no kind does."""
    known = op in _KINDS and all(type(k) is int for k in params)
    return _KINDS[op].replace("{k}", str(params[0]) if params else "") if known else ""


def _operator(op: object) -> Callable[..., bool]:
    if op not in _OPERATORS:
        raise ForeignError(f"no operator '{str(op)[:LONGEST_NAME]}': {', '.join(_OPERATORS)}")
    return _OPERATORS[str(op)]


# Rules as clues -----------------------------------------------------------------------------------


Read = Callable[["Stated"], Iterable[str]]
_DRAWN = ("type", "kind", "id", "label", "style")  # keys of any rule
_SIDES = ("top", "bottom", "left", "right")
_DIGITS = "123456789" + LETTERS
_CLASSIC = 9  # of so many digits, some values have a default
_LEAPS = {
    "orthogonal": ((0, 1), (1, 0)),
    "diagonal": ((1, -1), (1, 1)),
    "king": ((0, 1), (1, -1), (1, 0), (1, 1)),
    "knight": ((1, -2), (1, 2), (2, -1), (2, 1)),
}
_NEIGHBOURS = {  # the rule of the whole board, and what it says of which pairs
    there.name: (rule.name, there.options["op"], there.options["where"])
    for rule, there in foreign_rules("pencilmark")
}


class Stated(NamedTuple):
    """A rule, the board that it stands on, and all rules of the puzzle."""

    rule: Rule
    board: Board
    rules: Sequence[Rule]

    @property
    def size(self) -> int:
        return self.board.size

    def cells(self, key: str = "cells") -> str:
        return text_of(cell_numbers(self.rule[key], self.board), self.board)

    def groups(self, *groups: object) -> str:
        return ">".join(text_of(cell_numbers(group, self.board), self.board) for group in groups)

    def number(self, key: str, default: int | None = None) -> int:
        """A whole number; a default is that of nine digits."""
        value = self.rule.get(key, default if self.size == _CLASSIC else None)
        if type(value) is not int:
            raise ForeignError(f"{key} {str(value)[:LONGEST_NAME]}: expected a whole number")
        return value

    def digits(self, key: str) -> list[int]:
        values = self.rule[key]
        known = range(1, self.size + 1)
        if not isinstance(values, list) or any(
            type(v) is not int or v not in known for v in values
        ):
            raise ForeignError(f"{key}: expected a list of digits 1-{self.size}")
        return values

    def others(self, digits: Iterable[int]) -> str:
        return ",".join(str(d) for d in range(1, self.size + 1) if d not in {*digits})


class Family(NamedTuple):
    """The keys that a rule needs, those that it may have, and the clues that it states."""

    needed: str
    optional: str
    read: Read


def rule_clues(rules: Sequence[Rule], board: Board) -> Iterator[str]:
    """All rules and clues, as text; raises `ForeignError`, which names the rule."""
    for number, rule in enumerate(rules, 1):
        name = " ".join(str(rule[key])[:LONGEST_NAME] for key in ("type", "kind") if key in rule)
        try:
            yield from _clues(name, Stated(rule, board, rules))
        except SatdokuError as error:
            found = error.found if isinstance(error, ForeignError) else str(error)
            raise ForeignError(f"rule {number} ({name}): {found}") from None
        except (LookupError, TypeError, AttributeError, ValueError, RecursionError):
            raise ForeignError(f"rule {number} ({name}): it is not as the format has it") from None


def _clues(name: str, stated: Stated) -> Iterable[str]:
    family = FAMILIES.get(name)
    if family is None:
        raise ForeignError(f"not supported; supported: {', '.join(FAMILIES)}")
    needed, keys = family.needed.split(), [*family.needed.split(), *family.optional.split()]
    if missing := [key for key in needed if key not in stated.rule]:
        raise ForeignError(f"it has no key '{missing[0]}'")
    if unknown := [key for key in stated.rule if key not in (*keys, *_DRAWN)]:
        raise ForeignError(f"key '{unknown[0][:LONGEST_NAME]}' is not supported here")
    if "side" in keys and stated.rule["side"] not in _SIDES:
        raise ForeignError(f"side: expected {', '.join(_SIDES)}")
    return family.read(stated)


# Cells, lines and sums ----------------------------------------------------------------------------


def _cells(s: Stated, kind: str, value: object = "", loop: str = "") -> Iterator[str]:
    """Cells; of a closed loop, the last cell meets the first."""
    head = f"{kind}={value}" if value != "" else kind
    yield f"{head}:{s.cells()}"
    if s.rule.get("closed") and loop == "closed":
        cells = s.rule["cells"]
        yield f"{head}:{s.groups([cells[-1], cells[0]])}"


def _number(
    s: Stated, kind: str, key: str, default: int | None = None, loop: str = ""
) -> Iterator[str]:
    return _cells(s, kind, s.number(key, default), loop)


def _total(s: Stated, kind: str) -> Iterator[str]:
    return _cells(s, kind, s.number("sum") if "sum" in s.rule else "")


def _thirds(s: Stated, kind: str) -> Iterator[str]:
    third = s.size // 3
    thirds = [[*range(third * i + 1, third * (i + 1) + 1)] for i in range(3)]
    if s.rule.get("groups", thirds if s.size == _CLASSIC else None) != thirds:
        raise ForeignError("groups: supported are low, middle and high digits only")
    return _cells(s, kind)


def _circle(s: Stated, kind: str) -> Iterator[str]:
    yield f"{kind}:{s.groups(s.rule['bulb'], *s.rule['lines'])}"


def _groups(s: Stated, kind: str, key: str) -> Iterator[str]:
    yield f"{kind}:{s.groups(*s.rule[key])}"


def _inwards(s: Stated, kind: str) -> Iterator[str]:
    """Digits that grow inwards; those that fall grow the other way."""
    cells = cell_numbers(s.rule["cells"], s.board)
    yield f"{kind}:{text_of({'in': cells, 'out': cells[::-1]}[s.rule['arrow']], s.board)}"


def _first_seen(s: Stated, kind: str) -> Iterator[str]:
    digits, value = s.digits("digits"), s.number("value")
    before = f"[^{_together(digits)}]*" if len({*digits}) < s.size else ""
    return _cells(s, kind, f"{before}{_together([value])}.*")


def _twice(s: Stated, kind: str) -> Iterator[str]:
    cells = f"{s.groups([s.rule['source']])},{s.cells()}"
    yield f"{kind}={'|'.join(f'{d}.*{d}.*' for d in _DIGITS[: s.size])}:{cells}"


def _rows(s: Stated, kind: str) -> Iterator[str]:
    return _cells(s, kind, "|".join(map(_together, s.rule["allowed"])))


def _together(digits: Iterable[int]) -> str:
    return "".join(_DIGITS[digit - 1] for digit in digits)


def _region(s: Stated) -> Iterator[str]:
    return _cells(s, HOUSE if len(s.rule["cells"]) == s.size else UNEQUAL)


# Dots, corners and cells --------------------------------------------------------------------------


def _reversed(s: Stated, kind: str) -> Iterator[str]:
    first, second = cell_numbers(s.rule["cells"], s.board)
    yield f"{kind}:{text_of((second, first), s.board)}"


def _around(s: Stated, kind: str) -> Iterator[str]:
    yield f"{kind}:{text_of(_round(s), s.board)}"


def _round(s: Stated) -> tuple[int, int, int, int]:
    """The four cells of a corner, one after the other."""
    a, b, c, d = cell_numbers(s.rule["cells"], s.board)
    return a, b, d, c


def _crossing(s: Stated, kind: str) -> Iterator[str]:
    """Both diagonals of a corner."""
    a, b, d, c = _round(s)
    for pair in ((a, d), (b, c)):
        yield f"{kind}={s.number('value')}:{text_of(pair, s.board)}"


def _above(s: Stated, kind: str, key: str) -> Iterator[str]:
    return _cells(s, kind, s.number(key) + 1)


def _of_digits(s: Stated, kind: str, key: str) -> Iterator[str]:
    return _cells(s, kind, ",".join(map(str, s.digits(key))))


def _others(s: Stated, kind: str) -> Iterator[str]:
    return _cells(s, kind, s.others(s.digits("values")))


def _other(s: Stated, kind: str) -> Iterator[str]:
    return _cells(s, kind, s.others([s.number("value")]))


def _counts(s: Stated, kind: str) -> Iterator[str]:
    each = s.rule.get("each")
    for digit, times in s.rule.get("counts") or [[d, each] for d in range(1, s.size + 1)]:
        yield f"{kind}={int(digit)}x{int(times)}:{s.cells()}"


# Pairs --------------------------------------------------------------------------------------------


def _relation(stated: Stated) -> Iterator[str]:
    said = _said_of(stated, stated.rule["op"])
    for pair in stated.rule["pairs"]:
        first, second = cell_numbers(pair, stated.board)
        yield from said((first, second))


def _said_of(stated: Stated, op: str) -> Callable[[CellPair], list[str]]:
    """What an operator says of two cells; nothing where it allows any two digits."""
    params = stated.rule.get("params", [])
    text = named_pair(op, params)
    if not text:
        allowed = allowed_pairs(op, params, stated.size)
        if len(allowed) == stated.size**2:
            return lambda pair: []
        text = f"{PATTERN}={pattern_of(allowed, range(1, stated.size + 1))}:{{a}},{{b}}"

    def said(pair: CellPair) -> list[str]:
        a, b = (text_of([cell], stated.board) for cell in pair)
        return [text.replace("{a}", a).replace("{b}", b)]

    return said


def _neighbours(stated: Stated) -> Iterator[str]:
    rule, board = stated.rule, stated.board
    name, op, where = _NEIGHBOURS.get(rule.get("kind", ""), ("", "", ""))
    if name and not {"op", "params", "where"}.isdisjoint(rule):
        raise ForeignError("a kind and an operator, expected one of them")
    if name and {"within", "area", "except"}.isdisjoint(rule):
        yield name
        return
    if rule.get("within", "box") != "box":
        raise ForeignError("within: supported is box only")
    said, area = _said_of(stated, op or rule["op"]), _area(stated)
    exempt = {frozenset(cell_numbers(pair, board)) for pair in rule.get("except", [])}
    for a, b in board.leaps(_LEAPS[where or rule["where"]]):
        in_box = "within" not in rule or board.box_of(a) == board.box_of(b)
        if in_box and {a, b} <= area and frozenset((a, b)) not in exempt:
            yield from said((a, b))


def _area(stated: Stated) -> set[int]:
    area = stated.rule.get("area", "r1c1")
    if isinstance(area, list):
        return {*cell_numbers(area, stated.board)}
    if cell_number(area, stated.board):
        raise ForeignError("area: expected r1c1, or a list of cells")
    return {*range(stated.board.cells)}


def _negative(stated: Stated) -> Iterator[str]:
    of = stated.rule["of"]
    if of == "cell":
        yield from _negative_cells(stated)
        return
    denied = [
        (f"{kind.name}={there.options['value']}", there.options["word"], kind.frees)
        for kind, there in foreign("pencilmark")
        if (there.name, there.way) == (of, "negative")
    ]
    if not denied:
        raise ForeignError(f"of {str(of)[:LONGEST_NAME]} is not supported")
    strangers = _strangers(of, denied[0][2])
    edges = {rule.get("kind") for rule in stated.rules if rule.get("type") == "edge"}
    if not edges.isdisjoint(strangers):
        raise ForeignError(f"not supported beside edges of the kind {', '.join(strangers)}")
    selector = stated.rule.get("color", stated.rule.get("letter"))
    for denial, name, _ in denied:
        if selector in (None, name):
            yield denial
    if selector not in (None, *(name for _, name, _ in denied)):
        raise ForeignError(f"{str(selector)[:LONGEST_NAME]} is not supported")


def _strangers(negative: str, frees: Sequence[str]) -> list[str]:
    """The edge clues that would free pairs of a negative here, but not there."""
    edges = [t.name.split() for kind, t in foreign("pencilmark") if kind.name in frees]
    return [name[1] for name in edges if name[0] == "edge" and name[1] != negative]


def _negative_cells(stated: Stated) -> Iterator[str]:
    """The cells without a clue of the kind hold what it excludes."""
    kind, split = stated.rule["kind"], stated.rule.get("split")
    same = (r for r in stated.rules if (r.get("type"), r.get("kind")) == ("cell", kind))
    covered = {cell for rule in same for cell in cell_numbers(rule["cells"], stated.board)}
    left = [cell for cell in range(stated.board.cells) if cell not in covered]
    opposite = {"odd": "even", "even": "odd", "low": "high", "high": "low"}[kind]
    rule = {"cells": [text_of([cell], stated.board) for cell in left], "split": split}
    if left:
        yield from FAMILIES[f"cell {opposite}"].read(stated._replace(rule=rule))


# The keys that each way needs, those that it may have, and how it reads them; `{key}` is that of
# the kind.
WAYS: dict[str, tuple[str, str, Callable[..., Iterable[str]]]] = {
    "cells": ("cells", "", _cells),
    "number": ("cells", "{key}", _number),
    "outside": ("side cells", "{key}", _number),
    "total": ("cells", "sum", _total),
    "thirds": ("cells", "groups", _thirds),
    "circle": ("bulb lines", "", _circle),
    "groups": ("{key}", "", _groups),
    "inwards": ("side cells arrow", "", _inwards),
    "first-seen": ("side cells value digits", "", _first_seen),
    "twice": ("source cells", "", _twice),
    "rows": ("cells allowed", "", _rows),
    "reversed": ("cells", "", _reversed),
    "round": ("cells", "", _around),
    "crossing": ("cells", "value", _crossing),
    "above": ("cells {key}", "", _above),
    "digits": ("cells {key}", "", _of_digits),
    "others": ("cells values", "", _others),
    "other": ("cells value", "", _other),
    "counts": ("cells", "each counts", _counts),
    "whole": ("", "", lambda s, kind: [kind]),
}


def _stated_by_kinds() -> Iterator[tuple[str, Family]]:
    """The rules that kinds state; where several do, a word in the rule says which."""
    named: dict[str, dict[tuple[str, str], Family]] = {}
    for kind, there in foreign("pencilmark"):
        if there.way not in (*TEXTS, "negative"):
            options = {key: what for key, what in there.options.items() if key != "when"}
            needed, more, read = WAYS[there.way]
            more += " closed" if "loop" in options else ""
            needed, more = (words.format(key=options.get("key")) for words in (needed, more))
            family = Family(needed, more, partial(read, kind=kind.name, **options))
            named.setdefault(there.name, {})[there.options.get("when", ("", ""))] = family
    for name, some in named.items():
        ((key, _), family) = next(iter(some.items()))
        yield name, _chosen(key, {word: some[key, word] for _, word in some}) if key else family


def _chosen(key: str, families: dict[str, Family]) -> Family:
    """The family of a word under a key."""
    needed = [{*family.needed.split()} for family in families.values()]
    every = set.intersection(*needed)
    more = {key for family in families.values() for key in family.optional.split()}
    return Family(
        " ".join([*sorted(every), key]),
        " ".join(sorted(more.union(*needed) - every)),
        lambda s: families[s.rule[key]].read(s),
    )


FAMILIES: dict[str, Family] = {
    **dict(_stated_by_kinds()),
    **{
        f"region {kind}": Family("cells", "", _region)
        for kind in ("diagonal", "window", "disjoint", "colour", "extra", "region")
    },
    **{
        f"neighbours{kind}": Family("", "op params where within area except", _neighbours)
        for kind in ("", *(f" {kind}" for kind in _NEIGHBOURS))
    },
    "relation": Family("op pairs", "params", _relation),
    **{
        f"negative{kind}": Family("of", "color letter split", _negative)
        for kind in ("", " odd", " even", " low", " high")
    },
}
