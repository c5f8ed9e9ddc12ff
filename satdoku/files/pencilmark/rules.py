"""The rules of an exchanged puzzle as clues, family by family.

Invariant: every key of a rule is heeded, is one of those that only draw, or makes it refused. Which
rule a kind is, the kind says; here are the ways in which a rule states clues, by name (`WAYS`).

A pair operator that no kind of clue states, and a table, become a `regex` of the digits that it
allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ...model.board import Board, CellPair
from ...model.grid import LETTERS
from ...model.kinds import HOUSE, PATTERN, UNEQUAL, foreign
from ...model.rules import foreign_rules
from ...runtime.errors import LONGEST_NAME, SatdokuError
from ..foreign import ForeignError
from ..iss.coded import pattern_of
from .cells import TEXTS, Rule, allowed_pairs, cell_number, cell_numbers, named_pair, text_of

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
        return text_of(cell_numbers(self.rule[key], self.size), self.size)

    def groups(self, *groups: object) -> str:
        return ">".join(text_of(cell_numbers(group, self.size), self.size) for group in groups)

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
    cells = cell_numbers(s.rule["cells"], s.size)
    yield f"{kind}:{text_of({'in': cells, 'out': cells[::-1]}[s.rule['arrow']], s.size)}"


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
    first, second = cell_numbers(s.rule["cells"], s.size)
    yield f"{kind}:{text_of((second, first), s.size)}"


def _around(s: Stated, kind: str) -> Iterator[str]:
    yield f"{kind}:{text_of(_round(s), s.size)}"


def _round(s: Stated) -> tuple[int, int, int, int]:
    """The four cells of a corner, one after the other."""
    a, b, c, d = cell_numbers(s.rule["cells"], s.size)
    return a, b, d, c


def _crossing(s: Stated, kind: str) -> Iterator[str]:
    """Both diagonals of a corner."""
    a, b, d, c = _round(s)
    for pair in ((a, d), (b, c)):
        yield f"{kind}={s.number('value')}:{text_of(pair, s.size)}"


def _above(s: Stated, kind: str, key: str) -> Iterator[str]:
    return _cells(s, kind, s.number(key) + 1)


def _digits(s: Stated, kind: str, key: str) -> Iterator[str]:
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
        text = f"{PATTERN}={pattern_of(allowed, stated.size)}:{{a}},{{b}}"

    def said(pair: CellPair) -> list[str]:
        a, b = (text_of([cell], stated.size) for cell in pair)
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
    covered = {cell for rule in same for cell in cell_numbers(rule["cells"], stated.size)}
    left = [cell for cell in range(stated.board.cells) if cell not in covered]
    opposite = {"odd": "even", "even": "odd", "low": "high", "high": "low"}[kind]
    rule = {"cells": [text_of([cell], stated.size) for cell in left], "split": split}
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
    "digits": ("cells {key}", "", _digits),
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
