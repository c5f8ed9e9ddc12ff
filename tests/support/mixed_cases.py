"""Clues on cells whose digits differ, or begin with 0 or below: random ones, and what each says.

The meanings are those of `clue_examples`, but where these count on digits from 1 to n.
"""

from itertools import accumulate, pairwise, product
from math import prod

from tests.support.clue_examples import OF_DIGITS, OF_GRID, accepted

CHARACTERS = "0123456789"


def _classes(digits, parts):
    """Low, middle and high ones, or the two halves, of which a middle digit is none."""
    size = len(digits) // parts
    held = [digits[size * part : size * (part + 1)] for part in range(parts - 1)]
    return [*held, digits[len(digits) - size :]]


def _entropic(d, v, every):
    of = {x: number for number, some in enumerate(_classes(every, 3)) for x in some}
    pairs = product(range(len(d)), repeat=2)
    return not any(0 < j - i < 3 and of[d[i]] == of[d[j]] for i, j in pairs)


def _equality(d, v, every):
    low, high = ({*some} for some in _classes(every, 2))
    counts = [sum(x in some for x in d) for some in (low, high)]
    return len({*d}) == len(d) and counts == [len(d) // 2] * 2 == [sum(x % 2 for x in d)] * 2


def _sandwich(d, v, every):
    if not d.count(every[0]) == d.count(every[-1]) == 1:
        return False
    first, last = sorted((d.index(every[0]), d.index(every[-1])))
    return sum(d[first + 1 : last]) == int(v)


def _x_sum(d, v, every):
    return 0 <= d[0] <= len(d) and sum(d[: d[0]]) == int(v)


def _hidden(d, v, every):
    return next((str(x) for x, top in zip(d, accumulate(d, max), strict=True) if x < top), "") == v


def _room(d, v, every):
    """Places are counted from 1, from the lowest digit if these are as many and successive."""
    first = every[0] if list(every) == list(range(every[0], every[0] + len(d))) else 1
    return 0 <= d[0] - first < len(d) and d[d[0] - first] == int(v)


def _text(d):
    return "".join(CHARACTERS[x] for x in d)


MEANINGS = {  # kind: whether these digits keep a clue of that value; `every` digit its cells hold
    **OF_DIGITS,
    "ratio": lambda d, v, every: d[0] == int(v) * d[1] or d[1] == int(v) * d[0],
    "entropic": _entropic,
    "equality": _equality,
    "sandwich": _sandwich,
    "x-sum": _x_sum,
    "hidden-skyscraper": _hidden,
    "numbered-room": _room,
    "region": lambda d, v, every: sorted(d) == list(every),
    "count": lambda d, v, every: v == f"{v.split('x')[0]}x{d.count(int(v.split('x')[0]))}",
    "value-index": lambda d, v, every: 0 < d[1] < len(d) - 1 and d[1 + d[1]] == d[0],
}


def _arrow(groups, v, every):
    circle, *shafts = groups
    number = sum(10**place * x for place, x in enumerate(reversed(circle)))
    return all(sum(shaft) == number for shaft in shafts)


GROUPED = {  # kind: the same of the digits of each group
    "clone": lambda groups, v, every: all(group == groups[0] for group in groups),
    "same-values": lambda groups, v, every: len({tuple(sorted(group)) for group in groups}) == 1,
    "count-distinct": lambda groups, v, every: groups[0] == [len({*groups[1]})],
    "arrow": _arrow,
    "equal-sum": lambda groups, v, every: len({*map(sum, groups)}) == 1,
    "greater-sum": lambda groups, v, every: all(sum(a) > sum(b) for a, b in pairwise(groups)),
    "machine": lambda groups, v, every: accepted(v, "/".join(map(_text, groups))),
    "alike": lambda groups, v, every: groups[0][0] == groups[1].count(groups[1][0]) - int(v),
    "alike-run": lambda groups, v, every: groups[0][0] == _run(groups[1]) - int(v),
}
GOES_BY_PLACE = {  # what lies in no layer
    "minimum", "maximum", "col-index", "row-index", "box-index", "taxicab", "region-sum", "rossini",
    "sandwich", "x-sum", "skyscraper", "hidden-skyscraper", "numbered-room", "full-rank",
    "shared-rank",
}  # fmt: skip
WHOLE = {  # what names no cells, or all of a layer: `tests/model/kinds/test_areas.py`
    "connected", "edge-connected", "single-loop", "no-square", "chaos", "entropy", "formula",
    "modular-entropy", "flat-mates",
} | {kind for kind in OF_GRID if kind.startswith("no-") or kind.endswith("-digits")}  # fmt: skip
JOINS = {"or", "and"}


def _run(group):
    return next((i for i, x in enumerate(group) if x != group[0]), len(group))


def holds(clue, values, board):
    """Whether the numbers of all cells keep a clue."""
    if clue.kind in JOINS:
        return (any if clue.kind == "or" else all)(holds(p, values, board) for p in clue.parts)
    every = sorted({x for cell in clue.cells for x in board.domains((cell,))[0]})
    groups = [[values[cell] for cell in group] for group in clue.groups]
    if clue.kind in GROUPED:
        return bool(GROUPED[clue.kind](groups, clue.value, every))
    return bool(MEANINGS[clue.kind](groups[0], clue.value, every))


def value(rng, kind, d, symbols):
    """A value that a clue on cells with these digits may have."""
    near = rng.choice((-1, 0, 0, 0, 1))
    any_digit = str(rng.choice(symbols))
    return {
        "low": any_digit, "high": any_digit, "hidden-skyscraper": any_digit,
        "numbered-room": any_digit,
        "digits": ",".join(map(str, rng.sample(symbols, rng.randint(1, len(symbols) - 1)))),
        "difference": str(abs(d[0] - d[-1]) + near), "ratio": str(rng.choice((-1, 0, 2, 3))),
        "sum": str(sum(d) + near), "little-killer": str(sum(d) + near),
        "cage": rng.choice(("", str(sum(d) + near))), "lunchbox": str(sum(d[1:-1]) + near),
        "rellik": str(sum(d[: rng.randint(1, len(d))]) + near), "product": str(prod(d) + near),
        "whisper": str(rng.randint(0, 3)), "lockout": str(rng.randint(0, 3)),
        "modular": str(rng.randint(0, 3)), "ten-line": str(rng.choice((sum(d), 0, 1, 2, 3, -1))),
        "contains": ",".join(map(str, rng.choices(d, k=rng.randint(1, 2)))),
        "quadruple": ",".join(map(str, rng.choices(d, k=rng.randint(1, 2)))),
        "count": f"{any_digit}x{rng.randint(0, 2)}", "alike": str(rng.randint(0, 1)),
        "alike-run": str(rng.randint(0, 1)),
        "weighted": weights(rng, d),
        "sandwich": str(sum(d[1:-1]) + near), "x-sum": str(sum(d[: max(d[0], 0)]) + near),
        "skyscraper": str(rng.randint(1, 4)),
        "regex": rng.choice((".*1.*", "[12].*", "(1|2)+", ".*(12|21).*", "[^2]*", ".+2")),
        "machine": rng.choice(("a-1>b,a-[^1]>a,b-.>a,b-/>a,a-/>b,b*", "a-[12]>a,a-/>a,a*")),
    }.get(kind, "")  # fmt: skip


def weights(rng, d):
    drawn = [rng.choice((-2, -1, 1, 2)) for _ in d]
    return f"{','.join(map(str, drawn))}={sum(w * x for w, x in zip(drawn, d, strict=True))}"


def random_clue(rng, kind, board, values, cells):
    """The text of a clue of the kind on some of these cells, which hold these numbers."""
    if kind in JOINS:
        parts = rng.sample(sorted({*MEANINGS, *GROUPED} - GOES_BY_PLACE - LONE), 2)
        said = (random_clue(rng, part, board, values, cells) for part in parts)
        return f"{kind}:{','.join(f'({part})' for part in said)}"
    cells = rng.sample(cells, count(rng, kind, cells))
    d = [values[cell] for cell in cells]
    head = value(rng, kind, d, board.symbols)
    names = [board.name_of(cell) for cell in cells]
    marks = [","] * (len(names) - 1)
    if kind in GROUPED:
        middle = len(names) // 2 if kind in ("clone", "same-values") else 1
        if kind != "machine" or rng.random() < 0.5:
            marks[middle - 1] = ">"
    joined = names[0] + "".join(mark + name for mark, name in zip(marks, names[1:], strict=True))
    return f"{kind}{f'={head}' if head else ''}:{joined}"


LONE = {"alike", "alike-run", "region"}  # kinds that stand alone


def count(rng, kind, cells):
    """How many cells a clue of the kind names."""
    if kind in ("difference", "ratio", "greater"):
        return 2
    if kind in ("quadruple", "region", "clone", "same-values", "equality"):
        return 2 if kind == "equality" and rng.random() < 0.5 else 4
    least = 1 if kind in ("sum", "product", "digits", "odd", "low", "ten-line", "cage") else 2
    if kind in ("between", "lockout", "double-arrow", "zipper", "value-index", "alike-run"):
        least = 3
    return rng.randint(least, min(5, len(cells)))


# Kinds on lines of the board, or beside neighbours, that have a meaning whatever its digits are.
LINES = {
    "sandwich", "x-sum", "skyscraper", "hidden-skyscraper", "numbered-room", "minimum", "maximum",
    "taxicab", "region-sum",
}  # fmt: skip


def random_line(rng, kind, board, values):
    """A clue of these kinds, on a row, which holds these numbers, or on three of its cells."""
    row = rng.randrange(4)
    d = values[4 * row : 4 * row + 4]
    backwards = rng.random() < 0.5
    said = value(rng, kind, d[::-1] if backwards else d, board.symbols)
    if kind in OF_GRID:
        names = ",".join(f"r{row + 1}c{column + 1}" for column in range(1, 4))
        return f"{kind}:{names if kind != 'minimum' and kind != 'maximum' else names[:4]}"
    return f"{kind}={said}:{'-' * backwards}row{row + 1}"
