"""The rules of an exchanged puzzle as clues, family by family.

Invariant: every key of a rule is heeded, is one of those that only draw, or makes it refused.

A pair operator that no kind of clue states, and a table, become a `regex` of the digits that it
allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ...errors import LONGEST_NAME, SatdokuError
from ...model.board import Board, CellPair
from ...model.grid import LETTERS
from ..fpuzzles.links import FPuzzlesError
from ..iss.tables import pattern_of
from .cells import Rule, cell_number, cell_numbers, text_of
from .operators import allowed_pairs, named_pair

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
    "antiknight": ("knight", "different", "knight"),
    "antiking": ("king", "different", "king"),
    "nonconsecutive": ("nonconsecutive", "not_consecutive", "orthogonal"),
}
# What each negative denies, and the edge clues that would free pairs of it here, but not there.
_NEGATIVES = {
    "kropki": (("no-difference=1", "white"), ("no-ratio=2", "black"), ("difference", "ratio")),
    "xv": (("no-sum=10", "X"), ("no-sum=5", "V"), ("sum",)),
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
        return text_of(cell_numbers(self.rule[key], self.size), self.size)

    def groups(self, *groups: object) -> str:
        return ">".join(text_of(cell_numbers(group, self.size), self.size) for group in groups)

    def number(self, key: str, default: int | None = None) -> int:
        """A whole number; a default is that of nine digits."""
        value = self.rule.get(key, default if self.size == _CLASSIC else None)
        if type(value) is not int:
            raise FPuzzlesError(f"{key} {str(value)[:LONGEST_NAME]}: expected a whole number")
        return value

    def digits(self, key: str) -> list[int]:
        values = self.rule[key]
        known = range(1, self.size + 1)
        if not isinstance(values, list) or any(
            type(v) is not int or v not in known for v in values
        ):
            raise FPuzzlesError(f"{key}: expected a list of digits 1-{self.size}")
        return values

    def others(self, digits: Iterable[int]) -> str:
        return ",".join(str(d) for d in range(1, self.size + 1) if d not in {*digits})


class Family(NamedTuple):
    """The keys that a rule needs, those that it may have, and the clues that it states."""

    needed: str
    optional: str
    read: Read


def rule_clues(rules: Sequence[Rule], board: Board) -> Iterator[str]:
    """All rules and clues, as text; raises `FPuzzlesError`, which names the rule."""
    for number, rule in enumerate(rules, 1):
        name = " ".join(str(rule[key])[:LONGEST_NAME] for key in ("type", "kind") if key in rule)
        try:
            yield from _clues(name, Stated(rule, board, rules))
        except SatdokuError as error:
            found = error.found if isinstance(error, FPuzzlesError) else str(error)
            raise FPuzzlesError(f"rule {number} ({name}): {found}") from None
        except (LookupError, TypeError, AttributeError, ValueError, RecursionError):
            raise FPuzzlesError(f"rule {number} ({name}): it is not as the format has it") from None


def _clues(name: str, stated: Stated) -> Iterable[str]:
    family = FAMILIES.get(name)
    if family is None:
        raise FPuzzlesError(f"not supported; supported: {', '.join(FAMILIES)}")
    needed, keys = family.needed.split(), [*family.needed.split(), *family.optional.split()]
    if missing := [key for key in needed if key not in stated.rule]:
        raise FPuzzlesError(f"it has no key '{missing[0]}'")
    if unknown := [key for key in stated.rule if key not in (*keys, *_DRAWN)]:
        raise FPuzzlesError(f"key '{unknown[0][:LONGEST_NAME]}' is not supported here")
    if "side" in keys and stated.rule["side"] not in _SIDES:
        raise FPuzzlesError(f"side: expected {', '.join(_SIDES)}")
    return family.read(stated)


# Cells, lines and sums ----------------------------------------------------------------------------


def _plain(kind: str, optional: str = "") -> Family:
    return Family("cells", optional, lambda s: [f"{kind}:{s.cells()}"])


def _numbered(kind: str, key: str, default: int | None = None, needed: str = "cells") -> Family:
    return Family(needed, key, lambda s: [f"{kind}={s.number(key, default)}:{s.cells()}"])


def _outside(kind: str, key: str) -> Family:
    return _numbered(kind, key, needed="side cells")


def _closed(family: Family, ends: bool = True) -> Family:
    """A line that may be a loop; ends: whether its last cell then meets its first."""

    def read(stated: Stated) -> Iterator[str]:
        yield from family.read(stated)
        if stated.rule.get("closed") and ends:
            cells = stated.rule["cells"]
            yield from family.read(
                stated._replace(rule=stated.rule | {"cells": [cells[-1], cells[0]]})
            )

    return Family(family.needed, f"{family.optional} closed", read)


def _region(stated: Stated) -> Iterator[str]:
    whole = len(stated.rule["cells"]) == stated.size
    yield f"{'region' if whole else 'distinct'}:{stated.cells()}"


def _cage(stated: Stated) -> Iterator[str]:
    total = f"={stated.number('sum')}" if "sum" in stated.rule else ""
    yield f"cage{total}:{stated.cells()}"


def _entropic(stated: Stated) -> Iterator[str]:
    third = stated.size // 3
    thirds = [[*range(third * i + 1, third * (i + 1) + 1)] for i in range(3)]
    if stated.rule.get("groups", thirds if stated.size == _CLASSIC else None) != thirds:
        raise FPuzzlesError("groups: supported are low, middle and high digits only")
    yield f"entropic:{stated.cells()}"


def _arrow(stated: Stated) -> Iterator[str]:
    yield f"arrow:{stated.groups(stated.rule['bulb'], *stated.rule['lines'])}"


def _groups(kind: str, key: str) -> Family:
    return Family(key, "", lambda s: [f"{kind}:{s.groups(*s.rule[key])}"])


def _rossini(stated: Stated) -> Iterator[str]:
    """Digits that grow inwards are a thermometer; those that fall are one the other way."""
    cells = cell_numbers(stated.rule["cells"], stated.size)
    way = {"in": cells, "out": cells[::-1]}[stated.rule["arrow"]]
    yield f"thermo:{text_of(way, stated.size)}"


def _first_seen(stated: Stated) -> Iterator[str]:
    digits, value = stated.digits("digits"), stated.number("value")
    before = f"[^{_together(digits)}]*" if len({*digits}) < stated.size else ""
    yield f"regex={before}{_together([value])}.*:{stated.cells()}"


def _appears(stated: Stated) -> Iterator[str]:
    cells = f"{stated.groups([stated.rule['source']])},{stated.cells()}"
    yield f"regex={'|'.join(f'{d}.*{d}.*' for d in _DIGITS[: stated.size])}:{cells}"


def _table(stated: Stated) -> Iterator[str]:
    rows = ("".join(_DIGITS[digit - 1] for digit in row) for row in stated.rule["allowed"])
    yield f"regex={'|'.join(rows)}:{stated.cells()}"


def _together(digits: Iterable[int]) -> str:
    return "".join(_DIGITS[digit - 1] for digit in digits)


# Dots, corners and cells --------------------------------------------------------------------------


def _one_of(values: dict[str, str], key: str) -> Family:
    """A clue that a word under a key chooses."""
    return Family(f"cells {key}", "", lambda s: [f"{values[s.rule[key]]}:{s.cells()}"])


def _less(stated: Stated) -> Iterator[str]:
    first, second = cell_numbers(stated.rule["cells"], stated.size)
    yield f"greater:{text_of((second, first), stated.size)}"


def _battenburg(stated: Stated) -> Iterator[str]:
    yield f"parity:{text_of(_round(stated), stated.size)}"


def _round(stated: Stated) -> tuple[int, int, int, int]:
    """The four cells of a corner, one after the other."""
    a, b, c, d = cell_numbers(stated.rule["cells"], stated.size)
    return a, b, d, c


def _mathrax(stated: Stated) -> Iterator[str]:
    sign = stated.rule["op"]
    if sign in ("even", "odd"):
        yield f"{sign}:{stated.cells()}"
        return
    kind = {"+": "sum", "-": "difference", "x": "product", "/": "ratio"}[sign]
    a, b, d, c = _round(stated)
    for pair in ((a, d), (b, c)):
        yield f"{kind}={stated.number('value')}:{text_of(pair, stated.size)}"


def _count(stated: Stated) -> Iterator[str]:
    each = stated.rule.get("each")
    counts = stated.rule.get("counts") or [[d, each] for d in range(1, stated.size + 1)]
    for digit, times in counts:
        yield f"count={int(digit)}x{int(times)}:{stated.cells()}"


# Pairs --------------------------------------------------------------------------------------------


def _relation(stated: Stated) -> Iterator[str]:
    said = _said_of(stated, stated.rule["op"])
    for pair in stated.rule["pairs"]:
        first, second = cell_numbers(pair, stated.size)
        yield from said((first, second))


def _said_of(stated: Stated, op: str) -> Callable[[CellPair], list[str]]:
    """What an operator says of two cells; nothing where it allows any two digits."""
    params = stated.rule.get("params", [])
    text = named_pair(op, params)
    if not text:
        allowed = allowed_pairs(op, params, stated.size)
        if len(allowed) == stated.size**2:
            return lambda pair: []
        text = f"regex={pattern_of(allowed, stated.size)}:{{a}},{{b}}"

    def said(pair: CellPair) -> list[str]:
        a, b = (text_of([cell], stated.size) for cell in pair)
        return [text.replace("{a}", a).replace("{b}", b)]

    return said


def _neighbours(stated: Stated) -> Iterator[str]:
    rule, board = stated.rule, stated.board
    name, op, where = _NEIGHBOURS.get(rule.get("kind", ""), ("", "", ""))
    if name and not {"op", "params", "where"}.isdisjoint(rule):
        raise FPuzzlesError("a kind and an operator, expected one of them")
    if name and {"within", "area", "except"}.isdisjoint(rule):
        yield name
        return
    if rule.get("within", "box") != "box":
        raise FPuzzlesError("within: supported is box only")
    said, area = _said_of(stated, op or rule["op"]), _area(stated)
    exempt = {frozenset(cell_numbers(pair, board.size)) for pair in rule.get("except", [])}
    for a, b in board.leaps(_LEAPS[where or rule["where"]]):
        in_box = "within" not in rule or board.box_of(a) == board.box_of(b)
        if in_box and {a, b} <= area and frozenset((a, b)) not in exempt:
            yield from said((a, b))


def _area(stated: Stated) -> set[int]:
    area = stated.rule.get("area", "r1c1")
    if isinstance(area, list):
        return {*cell_numbers(area, stated.size)}
    if cell_number(area, stated.size):
        raise FPuzzlesError("area: expected r1c1, or a list of cells")
    return {*range(stated.board.cells)}


def _negative(stated: Stated) -> Iterator[str]:
    of = stated.rule["of"]
    if of == "cell":
        yield from _negative_cells(stated)
        return
    if of not in _NEGATIVES:
        raise FPuzzlesError(f"of {str(of)[:LONGEST_NAME]} is not supported")
    *denied, strangers = _NEGATIVES[of]
    edges = {rule.get("kind") for rule in stated.rules if rule.get("type") == "edge"}
    if not edges.isdisjoint(strangers):
        raise FPuzzlesError(f"not supported beside edges of the kind {', '.join(strangers)}")
    selector = stated.rule.get("color", stated.rule.get("letter"))
    for denial, name in denied:
        if selector in (None, name):
            yield denial
    if selector not in (None, *(name for _, name in denied)):
        raise FPuzzlesError(f"{str(selector)[:LONGEST_NAME]} is not supported")


def _negative_cells(stated: Stated) -> Iterator[str]:
    """The cells without a clue of the kind hold what it excludes."""
    kind, split = stated.rule["kind"], stated.rule.get("split")
    same = (r for r in stated.rules if (r.get("type"), r.get("kind")) == ("cell", kind))
    covered = {cell for rule in same for cell in cell_numbers(rule["cells"], stated.size)}
    left = [cell for cell in range(stated.board.cells) if cell not in covered]
    opposite = {"odd": "even", "even": "odd", "low": "high", "high": "low"}[kind]
    rule = {"cells": [text_of([cell], stated.size) for cell in left], "split": split}
    if left:
        yield from FAMILIES[f"cell {opposite}"].read(stated._replace(rule=rule))


FAMILIES: dict[str, Family] = {
    **{
        f"region {kind}": Family("cells", "", _region)
        for kind in ("diagonal", "window", "disjoint", "colour", "extra", "region")
    },
    "cage": Family("cells", "sum", _cage),
    "line thermo": _plain("thermo"),
    "line slow_thermo": _plain("slow-thermo"),
    "line whisper": _closed(_numbered("whisper", "value", 5)),
    "line renban": _closed(_plain("renban"), ends=False),
    "line region_sum": _plain("region-sum"),
    "line palindrome": _plain("palindrome"),
    "line entropic": Family("cells", "groups", _entropic),
    "line modular": _numbered("modular", "value", 3),
    "line parity": _closed(_plain("parity")),
    "line zipper": _plain("zipper"),
    "line between": _plain("between"),
    "line lockout": _numbered("lockout", "value", 4),
    "line double_arrow": _plain("double-arrow"),
    "arrow": Family("bulb lines", "", _arrow),
    "edge kropki": _one_of({"white": "difference=1", "black": "ratio=2"}, "color"),
    "edge xv": _one_of({"X": "sum=10", "V": "sum=5"}, "letter"),
    "edge difference": _numbered("difference", "value"),
    "edge sum": _numbered("sum", "sum"),
    "edge product": _numbered("product", "value"),
    "edge ratio": _numbered("ratio", "value"),
    "edge less": Family("cells", "", _less),
    "corner battenburg": Family("cells", "", _battenburg),
    "corner mathrax": Family("cells op", "value", _mathrax),
    "corner exclude": Family(
        "cells value", "", lambda s: [f"digits={s.others([s.number('value')])}:{s.cells()}"]
    ),
    "sum little_killer": _outside("little-killer", "sum"),
    "sum frame": _outside("sum", "sum"),
    "sum group": _numbered("sum", "sum"),
    "sum corner": _numbered("sum", "sum"),
    "sandwich": _outside("sandwich", "sum"),
    "xsum": _outside("x-sum", "sum"),
    "skyscraper": _outside("skyscraper", "value"),
    "rossini": Family("side cells arrow", "", _rossini),
    "first_seen": Family("side cells value digits", "", _first_seen),
    **{
        f"neighbours{kind}": Family("", "op params where within area except", _neighbours)
        for kind in ("", *(f" {kind}" for kind in _NEIGHBOURS))
    },
    "relation": Family("op pairs", "params", _relation),
    "cell odd": _plain("odd"),
    "cell even": _plain("even"),
    "cell low": _numbered("low", "split"),
    "cell high": Family("cells split", "", lambda s: [f"high={s.number('split') + 1}:{s.cells()}"]),
    "cell set": Family(
        "cells values",
        "",
        lambda s: [f"digits={','.join(map(str, s.digits('values')))}:{s.cells()}"],
    ),
    "cell exclude": Family(
        "cells values", "", lambda s: [f"digits={s.others(s.digits('values'))}:{s.cells()}"]
    ),
    "contains": Family(
        "cells digits",
        "",
        lambda s: [f"contains={','.join(map(str, s.digits('digits')))}:{s.cells()}"],
    ),
    "appears": Family("source cells", "", _appears),
    "clone": _groups("clone", "regions"),
    "count": Family("cells", "each counts", _count),
    "count circles": _plain("circles"),
    "global_entropy": Family("", "", lambda s: ["entropy"]),
    "equal_sum": _groups("equal-sum", "segments"),
    "table": Family("cells allowed", "", _table),
    **{
        f"negative{kind}": Family("of", "color letter split", _negative)
        for kind in ("", " odd", " even", " low", " high")
    },
}
