"""Tables and patterns in base 64 are read as what they allow."""

import random
import re
from itertools import combinations, pairwise, product

import pytest
from examples import FOUR
from soak import share

from satdoku.files.foreign import ForeignError
from satdoku.files.iss import parse_iss
from satdoku.model.grid import Grid

EMPTY = Grid(bytes(16), FOUR)


CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def table(allowed, size, characters=CHARACTERS):
    """A table as js/solver/lookup_tables.js reads it: a number of a bit a pair, in base 64."""
    number = sum(1 << size * (a - 1) + b - 1 for a, b in allowed)
    return "".join(characters[number >> 6 * i & 63] for i in range(-(-size * size // 6)))


def relation(seed, size):
    rng = random.Random(seed)
    return {pair for pair in product(range(1, size + 1), repeat=2) if rng.random() < 0.6}


def matches(rules, size):
    """The pairs of digits that the clue of each pair of cells matches, by Python's own `re`."""
    found = {}
    for pattern, cells in re.findall(r"regex=([^:]*):(\S+?)(?:;|$)", rules):
        every = product(range(1, size + 1), repeat=2)
        found[cells] = {(a, b) for a, b in every if re.fullmatch(pattern, f"{a}{b}")}
    return found


@pytest.mark.parametrize("seed", range(share(12)))
def test_a_table_is_read_as_the_pairs_that_it_allows(seed):
    size = (4, 6, 9)[seed % 3]
    allowed = relation(seed, size)
    cells = ["R1C1", "R2C2", "R3C1"]
    shape = f".Shape~{size}x{size}"
    read = parse_iss(f"{shape}.Pair~{table(allowed, size)}~_a%20name~{'~'.join(cells)}").rules
    names = [cell.lower() for cell in cells]
    assert matches(read, size) == {f"{a},{b}": allowed for a, b in pairwise(names)}
    both = allowed | {(b, a) for a, b in allowed}
    read = parse_iss(f"{shape}.PairX~{table(both, size)}~{'~'.join(cells)}").rules
    assert matches(read, size) == {f"{a},{b}": both for a, b in combinations(names, 2)}
    swapped = CHARACTERS[:62] + "_-"
    for name, pairs in (("Binary", allowed), ("BinaryX", both)):
        old = parse_iss(f"{shape}.{name}~{table(pairs, size, swapped)}~{'~'.join(cells)}").rules
        new = name.replace("Binary", "Pair")
        assert old == parse_iss(f"{shape}.{new}~{table(pairs, size)}~{'~'.join(cells)}").rules


def test_a_table_of_everything_is_a_pattern_of_everything():
    every = set(product(range(1, 5), repeat=2))
    read = parse_iss(f".Shape~4x4.Pair~{table(every, 4)}~R1C1~R1C2").rules
    assert read == "classic;regex=..:r1c1,r1c2"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (".Pair~AAAAAAAAAAAAAA~R1C1~R1C2", r"\.Pair: its table allows no pair of digits"),
        (".Pair~!~R1C1~R1C2", r"\.Pair: '!' in its table: expected base 64"),
        (".Pair~AAAAAAAAAAAAAAB~R1C1~R1C2", "its table is longer than 9 times 9 bits"),
        (".PairX~C~R1C1~R1C2", "its table tells first from second"),
        (".Regex~!!!~R1C1~R1C2", "'!!!': expected a pattern in base 64"),
        (".Regex~MTIo~R1C1~R1C2", r"\.Regex: "),
        (".Pair", r"\.Pair: arguments are missing"),
    ],
)
def test_what_is_wrong_with_a_table_is_told(text, problem):
    with pytest.raises(ForeignError, match=problem):
        parse_iss(text)


# Copies -------------------------------------------------------------------------------------------
