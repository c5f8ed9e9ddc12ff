"""Random clues of every kind, and what each kind says, by plain loops over a full grid.

None of this reads satdoku's kinds or its witness: it is the third statement of each kind.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import accumulate, combinations, groupby, islice, pairwise, product
from math import prod


def _place(cell, n):
    return divmod(cell, n)


def _distance(a, b, n):
    return abs(a // n - b // n) + abs(a % n - b % n)


def _neighbours(cell, n):
    return [other for other in range(n * n) if _distance(cell, other, n) == 1]


def _growing(d, value, n):
    return all(a < b for a, b in pairwise(d))


def _windows(d, width):
    starts = range(len(d) - 1)
    return [d[i : i + k] for i in starts for k in range(2, width + 1) if i + k <= len(d)]


def _splits(d, total):
    """Whether the digits fall into parts of that total, by trying every first part."""
    return not d or any(sum(d[:i]) == total and _splits(d[i:], total) for i in range(1, len(d) + 1))


def _folded(d, i):
    """A digit and the one opposite; the middle one holds the whole sum."""
    return d[i] if 2 * i == len(d) - 1 else d[i] + d[-1 - i]


def _crust(d, n):
    """What a slice from one crust up to the other holds too much."""
    return d[min(d.index(1), d.index(n))]


def _weighed(d, weights):
    return sum(x * int(weight) for x, weight in zip(d, weights.split(","), strict=True))


def accepted(text, word, state=None):
    """Whether a way through the machine reads the word, by trying all of them; groups of digits
    stand between slashes."""
    items = text.split(",")
    state = state or re.match("[a-z0-9_]+", items[0])[0]
    if not word:
        return f"{state}*" in items
    moves = (re.fullmatch(r"(\w+)-(.+)>(\w+)", item) for item in items if item[-1] != "*")
    return any(
        move[1] == state
        and (move[2] == "/") == (word[0] == "/")
        and re.fullmatch(move[2], word[0])
        and accepted(text, word[1:], move[3])
        for move in moves
    )


def _first_hidden(d):
    return next((x for x, highest in zip(d, accumulate(d, max), strict=True) if x < highest), 0)


# kind: what its cells' digits d (in the order of the clue) must satisfy, with value v on size n
OF_DIGITS = {
    "odd": lambda d, v, n: all(x % 2 for x in d),
    "even": lambda d, v, n: not any(x % 2 for x in d),
    "low": lambda d, v, n: max(d) <= int(v),
    "high": lambda d, v, n: min(d) >= int(v),
    "digits": lambda d, v, n: {str(x) for x in d} <= set(v.split(",")),
    "difference": lambda d, v, n: abs(d[0] - d[1]) == int(v),
    "ratio": lambda d, v, n: max(d) == int(v) * min(d),
    "sum": lambda d, v, n: sum(d) == int(v),
    "weighted": lambda d, v, n: _weighed(d, v.split("=")[0]) == int(v.split("=")[1]),
    "greater": lambda d, v, n: d[0] > d[1],
    "thermo": _growing,
    "slow-thermo": lambda d, v, n: list(d) == sorted(d),
    "whisper": lambda d, v, n: all(abs(a - b) >= int(v) for a, b in pairwise(d)),
    "palindrome": lambda d, v, n: list(d) == list(reversed(d)),
    "renban": lambda d, v, n: sorted(d) == list(range(min(d), min(d) + len(d))),
    "nabner": lambda d, v, n: all(b - a > 1 for a, b in pairwise(sorted(d))),
    "entropic": lambda d, v, n: all(
        len({(x - 1) // (n // 3) for x in w}) == len(w) for w in _windows(d, 3)
    ),
    "modular": lambda d, v, n: all(
        len({x % int(v) for x in w}) == len(w) for w in _windows(d, int(v))
    ),
    "parity": lambda d, v, n: all((a + b) % 2 for a, b in pairwise(d)),
    "distinct": lambda d, v, n: len(set(d)) == len(d),
    "little-killer": lambda d, v, n: sum(d) == int(v),
    "cage": lambda d, v, n: len(set(d)) == len(d) and v in ("", str(sum(d))),
    "product": lambda d, v, n: prod(d) == int(v),
    "double-arrow": lambda d, v, n: 2 * (d[0] + d[-1]) == sum(d),
    "ten-line": lambda d, v, n: _splits(d, int(v)),
    "zipper": lambda d, v, n: len({_folded(d, i) for i in range(len(d))}) == 1,
    "quadruple": lambda d, v, n: not Counter(map(int, v.split(","))) - Counter(d),
    "contains": lambda d, v, n: not Counter(map(int, v.split(","))) - Counter(d),
    "count": lambda d, v, n: f"{int(v[0])}x{list(d).count(int(v[0]))}" == v,
    "circles": lambda d, v, n: all(list(d).count(x) == x for x in d),
    "between": lambda d, v, n: all(min(d[0], d[-1]) < x < max(d[0], d[-1]) for x in d[1:-1]),
    "lockout": lambda d, v, n: (
        abs(d[0] - d[-1]) >= int(v)
        and not any(min(d[0], d[-1]) <= x <= max(d[0], d[-1]) for x in d[1:-1])
    ),
    "sandwich": lambda d, v, n: (
        sum(d[slice(*sorted((d.index(1), d.index(n))))]) - _crust(d, n) == int(v)
    ),
    "x-sum": lambda d, v, n: sum(d[: d[0]]) == int(v),
    "skyscraper": lambda d, v, n: len({*accumulate((0, *d), max)} - {0}) == int(v),
    "value-index": lambda d, v, n: d[1] < len(d) - 1 and d[1 + d[1]] == d[0],
    "hidden-skyscraper": lambda d, v, n: _first_hidden(d) == int(v),
    "lunchbox": lambda d, v, n: (
        len(set(d)) == len(d)
        and sum(d[slice(*sorted((d.index(min(d)), d.index(max(d)))))])
        - d[min(d.index(min(d)), d.index(max(d)))]
        == int(v)
    ),
    "rellik": lambda d, v, n: (
        len(set(d)) == len(d)
        and all(sum(some) != int(v) for k in range(1, len(d) + 1) for some in combinations(d, k))
    ),
    "equality": lambda d, v, n: (
        len(set(d)) == len(d)
        and sum(x % 2 for x in d) * 2 == len(d)
        and sorted((x > n // 2) + (x > n - n // 2) for x in d)
        == [0] * (len(d) // 2) + [2] * (len(d) // 2)
    ),
    "numbered-room": lambda d, v, n: d[d[0] - 1] == int(v),
    "regex": lambda d, v, n: re.fullmatch(v, "".join("0123456789ABCDEFGHIJKLMNOP"[x] for x in d)),
    "region": lambda d, v, n: set(d) == set(range(1, n + 1)),
}


def _extreme(g, clue, n, sign):
    return all(
        sign * g[cell] < sign * g[other]
        for cell in clue.cells
        for other in _neighbours(cell, n)
        if other not in clue.cells
    )


def _denies(kind, *freeing):
    """No neighbours are so, but where a clue of the kind, or of one that frees too, joins them."""

    def holds(g, clue, clues, n):
        joining = (c for c in clues if c.kind in (kind, *freeing) and len(c.cells) == 2)
        said = {frozenset(c.cells) for c in joining}
        return not any(
            OF_DIGITS[kind]((g[a], g[b]), clue.value, n)
            for a, b in combinations(range(n * n), 2)
            if _distance(a, b, n) == 1 and frozenset((a, b)) not in said
        )

    return holds


def _clone(g, clue, clues, n):
    return len({tuple(g[cell] for cell in group) for group in clue.groups}) == 1


def _machine(g, clue, clues, n):
    words = ("".join("0123456789ABCDEFGHIJKLMNOP"[g[c]] for c in group) for group in clue.groups)
    return accepted(clue.value, "/".join(words))


def _column_index(g, clue, clues, n):
    return all(g[n * (cell // n) + g[cell] - 1] == cell % n + 1 for cell in clue.cells)


def _row_index(g, clue, clues, n):
    return all(g[n * (g[cell] - 1) + cell % n] == cell // n + 1 for cell in clue.cells)


def _box_index(g, clue, clues, n):
    high, wide = {4: (2, 2), 6: (2, 3), 9: (3, 3)}[n]
    for cell in clue.cells:
        row, column = _place(cell, n)
        top, left = row - row % high, column - column % wide
        box = [n * (top + r) + left + c for r, c in product(range(high), range(wide))]
        if g[box[g[cell] - 1]] != box.index(cell) + 1:
            return False
    return True


def _taxicab(g, clue, clues, n):
    pairs = combinations(clue.cells or range(n * n), 2)
    return not any(g[a] == g[b] == _distance(a, b, n) for a, b in pairs)


def _move(is_move):
    def holds(g, clue, clues, n):
        return not any(
            g[a] == g[b] and str(g[a]) in clue.value.split(",")
            for a, b in combinations(range(n * n), 2)
            if is_move(abs(a // n - b // n), abs(a % n - b % n))
        )

    return holds


def _totals(g, clue):
    return [sum(g[cell] for cell in group) for group in clue.groups]


def _arrow(g, clue, clues, n):
    circle, *shafts = clue.groups
    number = int("".join(str(g[cell]) for cell in circle))
    return all(sum(g[cell] for cell in shaft) == number for shaft in shafts)


def _region_sum(g, clue, clues, n):
    high, wide = {4: (2, 2), 6: (2, 3), 9: (3, 3)}[n]
    pieces = groupby(clue.cells, key=lambda cell: (cell // n // high, cell % n // wide))
    return len({sum(g[cell] for cell in piece) for _, piece in pieces}) == 1


def _entropy(g, clue, clues, n):
    for row, column in product(range(n - 1), repeat=2):
        window = [g[n * (row + r) + column + c] for r, c in product((0, 1), repeat=2)]
        if {(x - 1) // (n // 3) for x in window} != {0, 1, 2}:
            return False
    return True


def _modular_entropy(g, clue, clues, n):
    squares = ((r, c) for r in range(n - 1) for c in range(n - 1))
    held = (
        [g[n * r + c], g[n * r + c + 1], g[n * r + n + c], g[n * r + n + c + 1]] for r, c in squares
    )
    return all({x % 3 for x in four} == {0, 1, 2} for four in held)


def _rossini(g, clue, clues, n):
    high, wide = {4: (2, 2), 6: (2, 3), 9: (3, 3)}[n]
    count = wide if clue.cells[0] // n == clue.cells[-1] // n else high
    seen = [g[cell] for cell in clue.cells[:count]]
    return seen == sorted(seen, reverse=clue.value == "-")


def _flat_mates(g, clue, clues, n):
    rows = [(0,) * n, *(tuple(g[n * r : n * r + n]) for r in range(n)), (0,) * n]
    return all(
        x != (n + 1) // 2 or up == 1 or down == n
        for above, row, below in zip(rows, rows[1:], rows[2:], strict=False)
        for up, x, down in zip(above, row, below, strict=True)
    )


def _count_distinct(g, clue, clues, n):
    ((teller,), others) = clue.groups
    return g[teller] == len({g[cell] for cell in others})


def _same_values(g, clue, clues, n):
    return len({tuple(sorted(g[cell] for cell in group)) for group in clue.groups}) == 1


def _rank(may_tie):
    def holds(g, clue, clues, n):
        rows = [g[n * r : n * r + n] for r in range(n)]
        lines = [*rows, *(bytes(column) for column in zip(*rows, strict=True))]
        lines += [line[::-1] for line in lines]
        own = bytes(g[cell] for cell in clue.cells)
        is_alone = may_tie or lines.count(own) == 1
        return is_alone and sorted(lines).index(own) + 1 == int(clue.value)

    return holds


def pieces(cells, n):
    """The connected pieces of cells of a grid of size n."""
    left, found = set(cells), []
    while left:
        piece = {left.pop()}
        while new := {other for cell in piece for other in _neighbours(cell, n)} & left:
            left -= new
            piece |= new
        found.append(piece)
    return found


def _area(says):
    """Of a board without layers: what the pieces of the cells that hold the value must be."""

    def holds(g, clue, clues, n):
        digits, _, number = clue.value.partition("x")
        held = {*map(int, digits.split(","))}
        cells = [cell for cell in range(n * n) if g[cell] in held]
        return says(pieces(cells, n), n) and (not number or len(cells) == int(number))

    return holds


def _at_edge(found, n):
    edges = {0, n - 1}
    return all(any({*divmod(cell, n)} & edges for cell in piece) for piece in found)


def _is_loop(found, n):
    return len(found) == 1 and all(
        len({*_neighbours(cell, n)} & found[0]) == 2 for cell in found[0]
    )


def _has_no_square(found, n):
    held = set().union(*found)
    return not any(
        cell % n < n - 1 and {cell, cell + 1, cell + n, cell + n + 1} <= held for cell in held
    )


def _regions(g, clue, clues, n):
    """Behind the digits of the grid stand the labels of the cells of the clue."""
    labels = [g[cell] for cell in clue.cells]
    for label in range(1, n + 1):
        cells = [cell for cell in range(n * n) if labels[cell] == label]
        if len(pieces(cells, n)) != 1 or sorted(g[cell] for cell in cells) != [*range(1, n + 1)]:
            return False
    return all(labels[cell] == cell // n + 1 for cell in range(n * n) if g[cell] == 1)


def _formula(g, clue, clues, n):
    """Behind the digits stand the layers that it names, then the one that holds the results."""
    names = ["digit", *sorted({*re.findall("[a-z]+", clue.value)} - {"digit"})]
    return all(
        g[cell] == eval(clue.value, dict(zip(names, g[cell % (n * n) :: n * n], strict=False)))
        for cell in clue.cells
    )


def _alike(g, clue, clues, n):
    (teller,), others = clue.groups
    return g[teller] == [g[cell] for cell in others].count(g[others[0]]) - int(clue.value)


def _alike_run(g, clue, clues, n):
    (teller,), *arms = clue.groups
    runs = ["".join("x" if g[cell] == g[arm[0]] else " " for cell in arm) for arm in arms]
    return g[teller] == 1 + sum(len(run.split()[0]) - 1 for run in runs) - int(clue.value)


# kind: what the whole grid g must satisfy
OF_GRID = {
    "minimum": lambda g, clue, clues, n: _extreme(g, clue, n, 1),
    "maximum": lambda g, clue, clues, n: _extreme(g, clue, n, -1),
    "no-difference": _denies("difference", "ratio"),
    "no-ratio": _denies("ratio", "difference"),
    "no-sum": _denies("sum"),
    "clone": _clone,
    "same-values": _same_values,
    "count-distinct": _count_distinct,
    "machine": _machine,
    "full-rank": _rank(False),
    "shared-rank": _rank(True),
    "arrow": _arrow,
    "region-sum": _region_sum,
    "equal-sum": lambda g, clue, clues, n: len(set(_totals(g, clue))) == 1,
    "greater-sum": lambda g, clue, clues, n: _growing(_totals(g, clue)[::-1], "", n),
    "connected": _area(lambda found, n: len(found) < 2),
    "edge-connected": _area(_at_edge),
    "single-loop": _area(_is_loop),
    "no-square": _area(_has_no_square),
    "chaos": _regions,
    "formula": _formula,
    "alike": _alike,
    "alike-run": _alike_run,
    "entropy": _entropy,
    "modular-entropy": _modular_entropy,
    "flat-mates": _flat_mates,
    "rossini": _rossini,
    "col-index": _column_index,
    "row-index": _row_index,
    "box-index": _box_index,
    "taxicab": _taxicab,
    "knight-digits": _move(lambda r, c: sorted((r, c)) == [1, 2]),
    "king-digits": _move(lambda r, c: r < 2 and c < 2),
    "queen-digits": _move(lambda r, c: r == c or 0 in (r, c)),
    "or": lambda g, clue, clues, n: any(keeps(g, c, clues, n) for c in clue.parts),
    "and": lambda g, clue, clues, n: all(keeps(g, c, clues, n) for c in clue.parts),
}


def keeps(grid, clue, clues, n):
    """Whether a full grid (bytes) keeps a clue; `clues` are all of the puzzle."""
    if clue.kind in OF_GRID:
        return OF_GRID[clue.kind](grid, clue, clues, n)
    return OF_DIGITS[clue.kind]([grid[cell] for cell in clue.cells], clue.value, n)


# Random clues. A value is drawn from what a true grid shows, so that about half of them can hold.

SHAPES = {  # kind: how many cells; other kinds take 2 to 5 in a line
    "odd": (1, 3), "even": (1, 3), "low": (1, 3), "high": (1, 3), "digits": (1, 3),
    "difference": (2, 2), "ratio": (2, 2), "greater": (2, 2),
    "minimum": (1, 2), "maximum": (1, 2), "thermo": (2, 4), "renban": (2, 4), "distinct": (2, 4),
    "col-index": (1, 2), "row-index": (1, 2), "box-index": (1, 2), "quadruple": (4, 4),
    "sum": (1, 5), "little-killer": (1, 5), "cage": (1, 4), "product": (1, 4), "contains": (2, 5),
    "weighted": (1, 5),
    "count": (1, 6), "circles": (1, 6), "double-arrow": (3, 5), "zipper": (3, 5),
    "value-index": (3, 5), "rellik": (1, 4), "equality": (2, 4), "lunchbox": (2, 4),
    "between": (3, 5), "lockout": (3, 5), "region-sum": (3, 5), "ten-line": (1, 5),
}  # fmt: skip
GROUPED = {"clone", "arrow", "equal-sum", "greater-sum", "same-values", "count-distinct"}
OUTSIDE = {
    "sandwich",
    "x-sum",
    "skyscraper",
    "hidden-skyscraper",
    "full-rank",
    "shared-rank",
    "numbered-room",
    "rossini",
}
OF_LAYERS = {"chaos", "formula"}  # what no cells of a grid can be asked
AREAS = {"connected", "edge-connected", "single-loop", "no-square"}
ALIKE = {"alike", "alike-run"}
# They have no automaton, and so stand alone.
ALONE = {"full-rank", "shared-rank"} | OF_LAYERS | AREAS | ALIKE
WHOLE = (
    {"entropy", "modular-entropy", "flat-mates"}
    | AREAS
    | {kind for kind in OF_GRID if kind.startswith("no-") or kind.endswith("-digits")}
)


def random_pattern(rng, n, depth=3):
    """A regular expression of every form, most often one that some digits match."""
    if depth == 0:
        a, b = sorted(rng.sample(range(1, n + 1), 2))
        return rng.choice(
            [f"{a}", f"{b}", ".", f"[{a}{b}]", f"[{a}-{b}]", f"[^{a}]", f"[^{a}-{b}]"]
        )
    parts = [random_pattern(rng, n, depth - 1) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.6:
        return "".join(parts)
    often = rng.choice(["", "", "?", "*", "+", "{2}", "{1,}", "{0,2}", "{1,3}"])
    return f"({'|'.join([*parts, ''] if rng.random() < 0.2 else parts)}){often}"


def random_machine(rng, n, breaks=False):
    """Two to four states, some ways on a digit or none, and some between groups if it breaks."""
    states = "abcd"[: rng.randint(2, 4)]
    moves = [(a, b) for a in states for b in states if rng.random() < 0.5] or [("a", "b")]
    labels = [random_pattern(rng, n, 0) for _ in moves]
    items = [f"{a}-{label}>{b}" for (a, b), label in zip(moves, labels, strict=True)]
    if breaks:
        items += [f"{a}-/>{rng.choice(states)}" for a in rng.choices(states, k=3)]
    ends = [f"{state}*" for state in rng.sample(states, rng.randint(1, 2))]
    return ",".join(items + ends)


def random_several(rng, kind, n, depth):
    """Two or three clues, some of which are made of others again; of few cells on large boards."""
    kinds = sorted({*SHAPES, *GROUPED, *OUTSIDE, "regex", "region"} - ALONE)
    if n > 4:
        kinds = [kind for kind in kinds if SHAPES.get(kind, (2, 5))[1] < 5 and "-" not in kind]
    parts = [random_clue(rng, rng.choice(kinds), n) for _ in range(rng.choice((2, 2, 3)))]
    if depth < 2 and rng.random() < 0.4:
        parts[0] = random_several(rng, rng.choice(("or", "and")), n, depth + 1)
    return f"{kind}:{','.join(f'({part})' for part in parts)}"


def random_clue(rng, kind, n):
    """The text of a random clue of the kind on a board of size n."""
    return random_several(rng, kind, n, 0) if kind in ("or", "and") else _alone(rng, kind, n)


def _alone(rng, kind, n):  # noqa: C901  one case a form

    def name(cell):
        return f"r{cell // n + 1}c{cell % n + 1}"

    value = {
        "low": lambda: rng.randint(1, n), "high": lambda: rng.randint(1, n),
        "digits": lambda: ",".join(map(str, rng.sample(range(1, n + 1), rng.randint(1, n - 1)))),
        "difference": lambda: rng.randint(1, n - 1), "no-difference": lambda: rng.randint(1, n - 1),
        "ratio": lambda: rng.randint(2, n), "no-ratio": lambda: rng.randint(2, n),
        "no-sum": lambda: rng.randint(2, 2 * n),
        "product": lambda: prod(rng.choices(range(1, n + 1), k=3)),
        "lockout": lambda: rng.randint(1, n - 1), "ten-line": lambda: rng.randint(2, n + 3),
        "sandwich": lambda: rng.randint(0, sum(range(2, n))),
        "x-sum": lambda: rng.randint(1, sum(range(1, n + 1))),
        "full-rank": lambda: rng.randint(1, 4 * n), "shared-rank": lambda: rng.randint(1, 4 * n),
        "hidden-skyscraper": lambda: rng.randint(1, n - 1), "rellik": lambda: rng.randint(1, 2 * n),

        "skyscraper": lambda: rng.randint(1, n), "numbered-room": lambda: rng.randint(1, n),
        "rossini": lambda: rng.choice("+-"),
        **{kind: lambda: rng.randint(0, 1) for kind in ALIKE},
        **{
            kind: lambda: ",".join(map(str, rng.sample(range(1, n + 1), rng.randint(1, n - 1))))
            for kind in AREAS
        },
        "regex": lambda: random_pattern(rng, n),
        "machine": lambda: random_machine(rng, n, breaks=True),
        "whisper": lambda: rng.randint(1, n - 1), "modular": lambda: rng.randint(2, n),
        **{f"{p}-digits": lambda: rng.randint(1, n) for p in ("knight", "king", "queen")},
    }.get(kind)  # fmt: skip
    head = kind if value is None else f"{kind}={value()}"
    if kind in WHOLE or (kind == "taxicab" and rng.random() < 0.5):
        return head
    if kind == "region":
        return f"{head}:{','.join(map(name, rng.sample(range(n * n), n)))}"
    if kind in OUTSIDE:
        return f"{head}:{rng.choice(('', '-'))}{rng.choice(('row', 'col'))}{rng.randint(1, n)}"
    if kind in ALIKE:
        return f"{head}:{'>'.join(','.join(map(name, some)) for some in _arms(rng, kind, n))}"
    if kind in GROUPED:
        length = rng.randint(1 + (kind == "same-values"), 3)
        cells = iter(rng.sample(range(n * n), 9))
        longer = [
            length if kind in ("clone", "same-values") else rng.randint(1, 3) for _ in range(2)
        ]
        groups = [list(islice(cells, k)) for k in (length, *longer[: rng.randint(1, 2)])]
        if kind == "count-distinct":
            groups = [groups[0][:1], groups[1]]
        if kind == "arrow":
            groups[0] = groups[0][: rng.randint(1, 2)]
        return f"{head}:{'>'.join(','.join(map(name, group)) for group in groups)}"
    low, high = SHAPES.get(kind, (2, 5))
    cells = rng.sample(range(n * n), rng.randint(low, high))
    if kind in ("difference", "ratio"):
        first = rng.randrange(n * n)
        cells = [first, rng.choice(_neighbours(first, n))]
    if kind in ("sum", "little-killer", "cage"):
        count, different = len(cells), kind == "cage"
        low = count * (count + 1) // 2 if different else count
        high = count * (2 * n - count + 1) // 2 if different else count * n
        if kind != "cage" or rng.random() < 0.8:
            head += f"={rng.randint(low, high)}"
    head += _value_of_cells(rng, kind, n, len(cells))
    if kind == "equality":
        cells = cells[: len(cells) // 2 * 2]
    breaks = rng.randrange(3) if kind == "machine" else 0
    return f"{head}:{','.join(map(name, cells)).replace(',', '>', breaks)}"


def _arms(rng, kind, n):
    teller, first, *others = rng.sample(range(n * n), 6)
    if kind == "alike":
        return [teller], [first, *others]
    return [teller], [first, *others[:2]], [first, *others[2:]]


def _value_of_cells(rng, kind, n, count):
    """A value that goes by how many cells there are."""
    if kind in ("contains", "quadruple"):
        listed = [rng.randint(1, n) for _ in range(rng.randint(1, min(3, count)))]
        return f"={','.join(map(str, listed))}"
    if kind == "lunchbox":
        return f"={rng.randint(0, sum(range(n - 1, n - count + 1, -1)))}"
    if kind == "count":
        return f"={rng.randint(1, n)}x{rng.randint(0, count)}"
    if kind == "weighted":
        weights = ",".join(rng.choices(("-10", "-2", "-1", "1", "1", "2", "3"), k=count))
        return f"={weights}={_weighed(rng.choices(range(1, n + 1), k=count), weights)}"
    return ""
