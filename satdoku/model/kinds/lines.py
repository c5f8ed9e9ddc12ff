"""Kinds along a line of cells that relate cells two by two.

Invariant: a line is a list of cells, each next to the one before in the list, wherever they lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, pairwise
from operator import eq, ne

from ...runtime.errors import counted
from .. import phrases as p
from ..appearance import drawn, fpuzzles, iss, pencilmark, sudokupad
from ..board import Board
from ..clue import PATH, SET, Clue, ClueError, OutOfReachError
from .cells import has_thirds, same_length
from .kind import ANY, DRAWN, SPREAD, Allowed, Kind, Number, Relation, Spoken
from .relations import apart, is_less_by, other_class, other_rest, within

Related = Callable[[Board, Clue], Iterator[Relation]]


def _grows(board: Board, clue: Clue, *, step: int) -> Iterator[Relation]:
    """Every digit is greater than each before it by as many steps as lie between."""
    for (i, a), (j, b) in combinations(enumerate(clue.cells), 2):
        yield Relation(a, b, is_less_by(step * (j - i)))


def _fits_thermometer(board: Board, clue: Clue) -> None:
    found, digits = len(clue.cells), len(board.all_digits(clue.cells))
    if found > digits:
        raise OutOfReachError(
            f"{counted(found, 'cell')}: {counted(digits, 'digit')} cannot grow as often"
        )


def _near(relation: Callable[[int], Allowed], reach: Callable[[int], int]) -> Related:
    """Cells less than `reach` steps apart are in the relation; both depend on the value."""

    def relations(board: Board, clue: Clue) -> Iterator[Relation]:
        value = int(clue.value or 0)
        for (i, a), (j, b) in combinations(enumerate(clue.cells), 2):
            if j - i < reach(value):
                yield Relation(a, b, relation(value))

    return relations


def _mirrored(board: Board, clue: Clue) -> Iterator[Relation]:
    cells = clue.cells
    for i in range(len(cells) // 2):
        yield Relation(cells[i], cells[-1 - i], eq)


def _copied(board: Board, clue: Clue) -> Iterator[Relation]:
    for one, other in pairwise(clue.groups):
        yield from (Relation(a, b, eq) for a, b in zip(one, other, strict=True) if a != b)


def _each_two(relation: Callable[[Clue], Allowed]) -> Related:
    """Every two cells are in the relation, wherever they stand on the line."""
    return lambda board, clue: (
        Relation(a, b, relation(clue)) for a, b in combinations(clue.cells, 2)
    )


def _at_most_digits(board: Board, clue: Clue) -> None:
    found, digits = len(clue.cells), len(board.all_digits(clue.cells))
    if found > digits:
        raise OutOfReachError(
            f"{counted(found, 'cell')}: there are only {counted(digits, 'digit')}"
        )


def _entropic(board: Board, clue: Clue) -> Iterator[Relation]:
    digits = board.all_digits(clue.cells)
    for (i, a), (j, b) in combinations(enumerate(clue.cells), 2):
        if j - i < 3:
            yield Relation(a, b, other_class(len(digits) // 3, digits[0]))


def _fills(board: Board, clue: Clue) -> None:
    found, digits = len(clue.cells), len(board.digits)
    if found != digits:
        raise ClueError(f"{counted(found, 'cell')}: a region has as many as digits, {digits}")
    if len(domains := {*board.domains(clue.cells)}) > 1 or {*map(len, domains)} != {digits}:
        raise ClueError(f"expected cells of the grid, or of one layer of {digits} digits")


DISTINCT = Kind(
    "distinct",
    "digits [in {the} {it} |]do not repeat",
    "distinct:r1c1,r5c5,r9c9",
    _each_two(lambda clue: ne),
    cells=(2, ANY),
    down_to=1,
    order=SET,
    check=_at_most_digits,
    look=drawn("outlined", 9, "dashed grey outline", grey=True),
    called=("Different digits", "all different"),
    abroad=(
        iss("AllDifferent", "different", whole=False),
        iss("Cage", "caged", says="cells"),
        fpuzzles("extraregion", "part"),
        pencilmark("different", "op"),
    ),
)
REGION = Kind(
    "region",
    "[{the} {it} holds every digit|these cells hold every digit] once",
    "region:r1c1,r2c2,r3c3,r4c4,r5c5,r6c6,r7c7,r8c8,r9c9",
    houses=lambda board, clue: clue.groups,
    order=SET,
    check=_fills,
    look=drawn("shaded", 0, "shaded region", fills=("#e3e3ea", "#eae6d8", "#dcebe4")),
    called=("Extra region", "additional region"),
    abroad=(iss("AllDifferent", "different", whole=True), fpuzzles("extraregion", "region")),
)
KINDS = (
    Kind(
        "thermo",
        "digits [along {the} {it} |]increase from the bulb[|, the first cell,] to the tip",
        "thermo:r1c1,r2c1,r3c2",
        partial(_grows, step=1),
        cells=(2, ANY),
        down_to=1,
        order=PATH,
        check=_fits_thermometer,
        near=DRAWN,
        look=drawn(
            "thermometer",
            4,
            "thermometer",
        ),
        called=("Thermometer",),
        abroad=(
            iss("Thermo"),
            fpuzzles("thermometer", "lines"),
            pencilmark("line thermo"),
            pencilmark("rossini", "inwards"),
        ),
        said={
            "": [
                p.heading("thermo(?:meter)?"),
                f"(?:{p.DIGITS} )?{p.IN} {p.THERMO},? (?:{p.DIGITS} )?{p.MUST}(?:strictly "
                f")?increase{p.FROM}?",
                f"{p.DIGITS} {p.MUST}(?:strictly )?increase{p.FROM}",
                f"{p.DIGITS} {p.MUST}(?:strictly )?increase {p.IN} {p.THERMO}{p.FROM}?",
            ],
        },
        spoken=Spoken(
            alone={
                "above": "{after} ({label})",
                "below": "{before} ({label})",
                "two": "{first} is less than {last} ({label})",
                "": "{length} digits increase ({label})",
            },
            other="{others}{gap} ({label})",
        ),
    ),
    Kind(
        "slow-thermo",
        "digits [along {the} {it} |]increase or stay the same from the bulb[|, the first cell,] to "
        "the tip",
        "slow-thermo:r1c1,r2c1,r3c2",
        partial(_grows, step=0),
        cells=(2, ANY),
        down_to=1,
        order=PATH,
        near=DRAWN,
        look=drawn(
            "thermometer",
            4,
            "thermometer with a white core",
            hollow=True,
        ),
        called=("Slow thermometer",),
        abroad=(fpuzzles("slowthermometer", "lines"), pencilmark("line slow_thermo")),
        said={
            "": [
                p.heading("slow thermo(?:meter)?"),
                f"(?:{p.DIGITS} )?{p.IN} {p.A}slow thermo(?:meter)?s?,? (?:{p.DIGITS} )?"
                f"{p.NOT} decrease{p.FROM}?",
                f"(?:{p.DIGITS} )?{p.IN} {p.A}slow thermo(?:meter)?s?,? (?:{p.DIGITS} )?{p.MUST}"
                f"(?:increase or (?:stay|remain) the same|stay the same or increase){p.FROM}?",
            ],
        },
    ),
    Kind(
        "whisper",
        "neighbouring digits along {the} [{it}|line] differ by at least {value}",
        "whisper=5:r1c1-r1c4",
        _near(apart, lambda value: 2),
        cells=(2, ANY),
        down_to=1,
        value=Number(0, lambda size: size - 1, lambda size: (size + 1) // 2, floor=0),
        near=DRAWN,
        look=drawn("line", 4, "green line", alike="lines", mark="plain", colour="#8fe08a"),
        called=("Whisper line", "German whisper=whisper=5", "Dutch whisper=whisper=4"),
        abroad=(
            iss("Whisper", "number", missing="5"),
            fpuzzles("whispers", "lines", "number"),
            sudokupad("#67f067", "whisper", value="5"),
            sudokupad("#60c060", "whisper", value="5"),
            sudokupad("#ff9a00", "dutch whisper", value="4"),
            pencilmark("line whisper", "number", key="value", default=5, loop="closed"),
            pencilmark("difference_at_least", "op-number"),
        ),
        said={
            "": [
                p.heading("(?:german |dutch )?whispers?"),
                f"(?:neighbou?ring |adjacent )?{p.DIGITS} (?:{p.IN}|connected by) "
                f"{p.A}(?:whispers? )?lines? "
                f"{p.MUST}(?:differ by|have a difference of) (?:at least {{value}}|{{value}} or "
                "(?:more|greater))",
            ],
        },
    ),
    Kind(
        "palindrome",
        "digits along {the} [{it}|line] read the same from both ends",
        "palindrome:r1c1,r1c2,r2c3",
        _mirrored,
        cells=(2, ANY),
        down_to=1,
        near=DRAWN,
        look=drawn("line", 4, "grey line", alike="lines", mark="a white core", colour="#b3b3bb"),
        called=("Palindrome", "palindrome line", "mirror line"),
        abroad=(iss("Palindrome"), fpuzzles("palindrome", "lines"), pencilmark("line palindrome")),
        said={
            "": [
                p.heading("palindrome"),
                rf"{p.A}(?:lines? )?(?:are|is) (?:a )?palindromes?(?: \(?sequences of digits "
                rf"which are)?",
                f"(?:{p.DIGITS} )?(?:{p.IN} )?{p.A}(?:palindrome )?(?:lines? )?{p.MUST}reads? "
                f"the same "
                r"(?:way )?(?:from (?:both ends|either end)|in both directions|forwards? and "
                r"backwards?|"
                r"backwards? (?:as|and) forwards?)\)?",
            ],
        },
        spoken=Spoken(other="{others}, and the line reads the same from both ends ({label})"),
    ),
    Kind(
        "clone",
        "[shaded groups are copies: cells in the same place, or with the same letter, hold the "
        "same digit|the groups hold the same digits in the same order]",
        "clone:r1c1,r1c2>r5c5,r5c6",
        _copied,
        groups=(2, ANY),
        order=PATH,
        check=same_length,
        look=drawn("cloned", 1, "shaded group"),
        called=("Clones", "cloned region"),
        abroad=(
            iss("SameValues", "places"),
            fpuzzles("clone", "copy"),
            pencilmark("clone", "groups", key="regions"),
            pencilmark("equal", "op-groups"),
        ),
        said={
            "": [p.heading("clone"), f"{p.A}(?:two )?{p.COLOURS}regions? are clones?"],
        },
        spoken=Spoken(other="{others} in another copy ({label})"),
    ),
    Kind(
        "renban",
        "digits along {the} [{it}|line] are consecutive, in any order, and do not repeat",
        "renban:r1c1,r1c2,r1c3",
        _each_two(lambda clue: within(len(clue.cells) - 1)),  # so the digits are successive
        cells=(2, ANY),
        down_to=1,
        order=SET,
        check=_at_most_digits,
        near=SPREAD,
        look=drawn("line", 4, "pink line", alike="lines", mark="dark dots", colour="#e79bec"),
        called=("Renban line", "renban group"),
        abroad=(
            iss("Renban"),
            fpuzzles("renban", "lines"),
            sudokupad("#f067f0", "renban"),
            sudokupad("#c060c0", "renban"),
            pencilmark("line renban", loop="open"),
        ),
        said={
            "": [
                p.heading("renban"),
                f"(?:{p.DIGITS} {p.IN} )?{p.A}lines? {p.MUST}(?:contains?|hold|form|are|be) (?:a "
                f")?(?:set of |"
                "sequence of )?(?:(?:distinct|non-?repeating),? )*consecutive (?:digits|numbers)"
                "(?:,? (?:which|that) can be)?(?: in any order)?",
                "in any order",
            ],
        },
        spoken=Spoken(other="{others}, and its {length} digits are consecutive ({label})"),
    ),
    Kind(
        "nabner",
        "no two digits along {the} [{it}|line] are equal or consecutive, wherever they stand on it",
        "nabner:r1c1,r1c2,r1c3",
        _each_two(lambda clue: apart(2)),
        cells=(2, ANY),
        down_to=1,
        order=SET,
        near=SPREAD,
        look=drawn("line", 4, "yellow line", alike="lines", mark="dark dashes", colour="#ecd25f"),
        called=("Nabner line", "anti-renban"),
        abroad=(fpuzzles("nabner", "lines"), sudokupad("#c9c883", "nabner")),
    ),
    Kind(
        "entropic",
        "any three successive cells along {the} [{it}|line] hold a low{lows}, a middle{middles} "
        "and a high{highs} digit",
        "entropic:r1c1-r1c6",
        _entropic,
        cells=(2, ANY),
        down_to=1,
        check=has_thirds,
        near=DRAWN,
        look=drawn("line", 4, "orange line", alike="lines", mark="white dots", colour="#fdb878"),
        called=("Entropic line", "entropy line"),
        abroad=(
            iss("Entropic", size=9),
            fpuzzles("entropicline", "lines"),
            sudokupad("#ffccaa", "entropic"),
            pencilmark("line entropic", "thirds"),
        ),
        said={
            "": [
                p.heading("entropic"),
                f"any set of (?:three|3) (?:sequential|consecutive|successive) cells {p.IN} {p.A}"
                rf"entropic lines? {p.MUST}contains? a low digit(?: \(1-3\))?, a middle digit"
                r"(?: \(4-6\))?,? and a high digit(?: \(7-9\))?",
                "(?:digits )?may repeat" + p.REPEAT.format(place=f"{p.A}(?:entropic )?lines?"),
            ],
        },
        spoken=Spoken(noun="entropic line"),
    ),
    Kind(
        "modular",
        "any {value} successive digits along {the} [{it}|line] have different remainders when "
        "divided by {value}",
        "modular=3:r1c1-r1c6",
        _near(other_rest, lambda value: value),
        cells=(2, ANY),
        down_to=1,
        value=Number(2, lambda size: size, lambda size: 3, floor=2),
        near=DRAWN,
        look=drawn(
            "line",
            4,
            "turquoise line",
            alike="lines",
            mark="dark dots and dashes",
            colour="#55c2b4",
        ),
        called=("Modular line", "modulo line", "mod line", "mod 3 line=modular=3"),
        abroad=(
            iss("Modular", "number"),
            fpuzzles("modularline", "lines"),
            sudokupad("#33bbbb", "modular"),
            pencilmark("line modular", "number", key="value", default=3),
        ),
        spoken=Spoken(noun="modular line"),
    ),
    Kind(
        "parity",
        "odd and even digits alternate along {the} [{it}|line]",
        "parity:r1c1-r1c5",
        _near(lambda value: other_rest(2), lambda value: 2),
        cells=(2, ANY),
        down_to=1,
        near=DRAWN,
        look=drawn("line", 4, "red line", alike="lines", mark="white dashes", colour="#f4938c"),
        called=("Parity line", "alternating parity", "odd-even line", "battenburg"),
        abroad=(pencilmark("line parity", loop="closed"), pencilmark("corner battenburg", "round")),
        spoken=Spoken(noun="parity line"),
    ),
    DISTINCT,
    REGION,
)
