"""Certificates of 4x4 boards with layers, brute force for them, and ways to spoil them."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from satdoku.model.constraints import constraints_for


class Case(NamedTuple):
    """Rules; the places that they read of the layer, its digits, and what digits d and the layer's
    values s of all its cells must satisfy."""

    rules: str
    reads: tuple[int, ...]
    values: tuple[int, ...]
    holds: object
    free: int = 0


CASES = {
    "few": Case(
        "shape=4x4;layer=shade:0-1;sum=5:r1c1,shade.r1c1,shade.r1c2;cage=4:r2c1,shade.r1c1",
        (0, 1), (0, 1),
        lambda d, s: d[0] + s[0] + s[1] == 5 and d[4] + s[0] == 4 and d[4] != s[0],
    ),
    "more": Case(
        "shape=4x4;layer=shade:1-6;thermo:r1c1,shade.r1c1,shade.r2c2;sum=7:shade.r1c1,r3c3",
        (0, 5), (1, 2, 3, 4, 5, 6),
        lambda d, s: d[0] < s[0] < s[5] and s[0] + d[10] == 7,
    ),
    "two": Case(
        "shape=4x4;layer=shade:0,5;clone:r1c1>r4c4;sum=9:shade.r1c1,r1c1,r1c2,shade.r4c4",
        (0, 15), (0, 5),
        lambda d, s: d[0] == d[15] and s[0] + d[0] + d[1] + s[15] == 9,
    ),
    "free": Case(
        "shape=4x4;layer=total*2:3-6;weighted=1,1,-1=0:r1c1,r1c2,total.1;"
        "weighted=1,1,-1=0:r2c1,r2c2,total.2;thermo:total.1,total.2",
        (0, 1), (3, 4, 5, 6),
        lambda d, s: d[0] + d[1] == s[0] and d[4] + d[5] == s[1] and s[0] < s[1], 2,
    ),
}  # fmt: skip


def values_of(case, chosen):
    """The values of a whole layer, of which the rules read some."""
    values = [case.values[0]] * (case.free or 16)
    for place, value in zip(case.reads, chosen, strict=True):
        values[place] = value
    return values


def expected(case, puzzle, grids):
    """The digits of all solutions of a puzzle; `grids` are all 288 4x4 grids."""
    fitting = (g for g in grids if all(p in (0, d) for p, d in zip(puzzle, g, strict=True)))
    every = [values_of(case, some) for some in product(case.values, repeat=len(case.reads))]
    return {grid for grid in fitting if any(case.holds(grid, values) for values in every)}


def puzzle_of(random, case, grids):
    """A puzzle with two to six givens, mostly of a solution."""
    source = random.choice(sorted(expected(case, bytes(16), grids)) or grids)
    cells = bytearray(16)
    for cell in random.sample(range(16), random.randint(2, 6)):
        cells[cell] = source[cell] if random.random() < 0.95 else random.randint(1, 4)
    return bytes(cells)


def board_of(case):
    return constraints_for(case.rules).board


def is_true(case, record, grids):
    """Whether the solutions of a certificate's line are some, and the claim holds of them."""
    puzzle = bytes(0 if c == "." else int(c) for c in record["puzzle"])
    shown = []
    for text in record["solutions"]:
        numbers = [int(word) for word in text.split()]
        digits, values = bytes(numbers[:16]), numbers[16:]
        if digits not in expected(case, puzzle, grids) or not case.holds(digits, values):
            return False
        shown.append(digits)
    every = expected(case, puzzle, grids)
    if len({*shown}) < len(shown):
        return False
    if record["claim"] == "multiple":
        return len(shown) == 2
    counts = {"none": 0, "unique": 1, "all": len(every)}
    return {*shown} == every and len(shown) == counts[record["claim"]]


def spoil(random, lines, case):
    """One random change of what a certificate of a board with layers states; whether the change
    is to the board, which no certificate survives."""
    record = lines[1]
    ways = [_layers, _claim]
    if record["solutions"]:
        ways += [_value, _value, _twice, _fewer]
    way = random.choice(ways)
    way(random, lines, case)
    return way is _layers


def _layers(random, lines, case):
    board = lines[0]["board"]
    (layer,) = board["layers"]
    match random.randrange(9):
        case 0:
            layer["digits"][random.randrange(len(layer["digits"]))] += random.choice((-1, 1, 7))
        case 1:
            layer["digits"].append(layer["digits"][-1] + 1)
        case 2:
            layer["digits"].pop()
        case 3:
            layer["free"] = random.choice([layer["free"] + 1, -1, True, "1", 10**8])
        case 4:
            layer["name"] = random.choice(["other", "", "a b", 3, None, "shade.r1c1"])
        case 5:
            board["layers"] = random.choice([[], None, {}, [layer, layer], [[]], "shade"])
        case 6:
            del board["layers"]
        case 7:
            layer["more"] = 0
        case _:
            layer["digits"] = random.choice([layer["digits"][::-1], ["0", "1"], [], [1.5], 1])


def _claim(random, lines, case):
    record = lines[1]
    others = {"unique", "none", "multiple", "all"} - {record["claim"]}
    record["claim"] = random.choice(sorted(others))


def _value(random, lines, case):
    """A number of a solution, mostly one of a layer that clues read."""
    solutions = lines[1]["solutions"]
    which = random.randrange(len(solutions))
    words = solutions[which].split()
    place = 16 + random.choice(case.reads) if random.random() < 0.7 else random.randrange(16)
    word = str(random.choice([*case.values, 9, 10**9]) if place > 15 else random.randint(0, 5))
    words[place] = word if word != words[place] else "x"
    solutions[which] = " ".join(words)


def _twice(random, lines, case):
    """A solution again, with other values of the layer, or in place of another one."""
    solutions = lines[1]["solutions"]
    words = random.choice(solutions).split()
    if random.random() < 0.7:
        words[random.randrange(16, len(words))] = str(random.choice(case.values))
    again = " ".join(words)
    if len(solutions) > 1 and random.random() < 0.5:
        solutions[0] = again
        solutions[1] = " ".join([*again.split()[:16], *solutions[1].split()[16:]])
    else:
        solutions.append(again)


def _fewer(random, lines, case):
    solutions = lines[1]["solutions"]
    del solutions[random.randrange(len(solutions))]
