"""A checker of proof trees by full scans, written from docs/TREES.md alone: no part of satdoku."""

import json
import zlib
from itertools import combinations, islice, product
from struct import unpack


def classic(size, box_rows, box_columns):
    cells = [tuple(size * cell + d for d in range(size)) for cell in range(size * size)]
    houses = {}
    for r, c in product(range(size), repeat=2):
        for house in (("row", r), ("column", c), ("box", r // box_rows, c // box_columns)):
            houses.setdefault(house, []).append(size * r + c)
    places = {tuple(size * x + d for x in house) for house in houses.values() for d in range(size)}
    pairs = {pair for group in (*cells, *places) for pair in combinations(group, 2)}
    return cells + sorted(places), pairs


def propagates(clauses, pairs, true, false):
    known = None
    while known != (known := len(true) + len(false)):
        false |= {b for a, b in pairs if a in true or a == b} | {a for a, b in pairs if b in true}
        for clause in clauses:
            left = [x for x in clause if x not in false]
            true.update(left if len(left) < 2 and not true.intersection(clause) else ())
            if not left or true & false:
                return False
    return True


def holds(clauses, pairs, cells, digits, claim, puzzle, solutions, tree):
    def node(true, false, depth=0):
        if not propagates(clauses, pairs, true, false):
            return True
        solved = [true.intersection(clause) for clause in clauses[:cells]]
        if all(solved):
            return bytes(x.pop() % digits + 1 for x in solved) in solutions
        size = next((at for at, byte in enumerate(tree[:4], 1) if byte < 128), 5)
        number = sum((byte % 128) << 7 * at for at, byte in enumerate(tree[:size]))
        if size == 5 or depth == cells or number >= len(clauses) or true & {*clauses[number]}:
            return False
        del tree[:size]
        left = [x for x in clauses[number] if x not in false]
        return all(node({*true, x}, {*false, *left[:at]}, depth + 1) for at, x in enumerate(left))

    given = [{digits * c + d - 1 for c, d in enumerate(grid) if d} for grid in (puzzle, *solutions)]
    is_good = max(puzzle) <= digits and sorted({*solutions}) == solutions
    for grid, true in zip(solutions, given[1:], strict=True):
        is_good = is_good and min(grid) > 0 and max(grid) <= digits and given[0] <= true
        is_good = is_good and propagates(clauses, pairs, true, set())
        is_good = is_good and all(map(true.intersection, clauses))
    counts = {"u": [1], "n": [0], "m": [2], "a": [len(solutions)]}.get(claim, [])
    is_closed = is_good and (claim == "m" or node(given[0], set()))
    return is_closed and len(solutions) in counts and not tree


def verify(data):
    line, _, rest = data.partition(b"\n")
    size, *boxes = json.loads(line)["board"].values()
    while rest[:4] == b"rows":
        rows, length = unpack("<II", rest[4:12])
        data, rest = zlib.decompress(rest[12 : 12 + length]), rest[12 + length :]
        numbers, texts = unpack(f"<{2 * rows}I", data[rows : 9 * rows]), iter(data[9 * rows :])
        puzzles = [bytes(islice(texts, size**2)) for _ in range(rows)]
        grids = [[bytes(islice(texts, size**2)) for _ in range(n)] for n in numbers[:rows]]
        for at, length in enumerate(numbers[rows:]):
            told = chr(data[at]), puzzles[at], grids[at], list(islice(texts, length))
            yield holds(*classic(size, *boxes), size**2, size, *told)
