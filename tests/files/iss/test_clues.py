"""State machines, tables and patterns in base 64 are read as what they allow."""

import random
import re
from base64 import urlsafe_b64encode
from itertools import combinations, pairwise, product

import pytest
from clue_examples import random_machine
from examples import FOUR

from satdoku.answers.session import Session
from satdoku.files.foreign import ForeignError
from satdoku.files.iss import format_iss, parse_iss
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid

EMPTY = Grid(bytes(16), FOUR)


def coded(*fields):
    """Pairs of a number and how many bits it takes, the highest first, in base 64."""
    bits = "".join(f"{number:0{count}b}" for number, count in fields if count)
    bits += "0" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return urlsafe_b64encode(data).decode().rstrip("=")


def shapes_of(text):
    return constraints_for(parse_iss(text).rules, FOUR).families[-1].shapes


# Two states; from the first, which is no end, 1 or 3 lead to the second, from there 2 back.
HEADER = [(0, 4), (3, 4), (1, 1), (1, 1), (0, 1)]  # 1 bit a state, 4 digits, 1 start, 1 end more
PACKED = coded((1, 2), *HEADER, (0b0101, 4), (1, 1), (1, 1), (0b0010, 4), (0, 1))
PLAIN = coded(
    (0, 2), *HEADER, (2, 4), (2, 2), (0, 2), (1, 1), (2, 2), (1, 1), (1, 2), (1, 2), (0, 1)
)


@pytest.mark.parametrize("encoded", [PACKED, PLAIN])
def test_both_forms_are_read(encoded):
    wanted = "machine=s0-[13]>s1,s1-2>s0,s1*:r1c1,r2c2,r3c3"
    read = parse_iss(f".Shape~4x4.NFA~{encoded}~_a%20name~R1C1~R2C2~R3C3")
    assert read.rules == f"classic;{wanted}"
    assert format_iss(EMPTY, wanted) == f".Shape~4x4.NFA~{PLAIN}~R1C1~R2C2~R3C3"


# As PACKED, but 5 symbols; from the second state a break leads to the first, and from there back.
BREAKING = coded(
    (1, 2), (0, 4), (4, 4), (1, 1), (1, 1), (0, 1),
    (0b10101, 5), (1, 1), (1, 1), (1, 1), (0b10010, 5), (0, 1), (0, 1),
)  # fmt: skip


@pytest.mark.parametrize(("cells", "wanted"), [
    ("R1C1~-~R2C2~R3C3", "s0-/>s1,s0-[13]>s1,s1-/>s0,s1-2>s0,s1*:r1c1>r2c2,r3c3"),
    ("-~R1C1~-~R2C2", "s0-/>s1,s0-2>s1,s1-/>s0,s1-[13]>s0,s0*:r1c1>r2c2"),
    ("R1C1~-~-", "s0-/>s1,s0-[13]>s1,s1-/>s0,s1-2>s0,s1*:r1c1"),
    ("R1C1~R2C2~-", "s0-/>s1,s0-[13]>s1,s1-/>s0,s1-2>s0,s0*:r1c1,r2c2"),
])  # fmt: skip
def test_segments_are_groups(cells, wanted):
    """An empty one at an end is a break that the machine reads before all digits, or after."""
    read = parse_iss(f".Shape~4x4.NFA~{BREAKING}~_two%20words~{cells}")
    assert read.rules == f"classic;machine={wanted}"


def test_breaks_before_all_digits_may_lead_to_several_states():
    """From 0 to 1, the end, and to 2; from 1 on a 1 to 2, and from 2 on a 2 to 1."""
    encoded = coded(
        (0, 2), (1, 4), (4, 4), (1, 2), (1, 2), (0, 1), (2, 4),
        (2, 2), (4, 3), (1, 2), (4, 3), (2, 2), (1, 2), (0, 3), (2, 2), (1, 2), (1, 3), (1, 2),
    )  # fmt: skip
    wanted = "machine=a-1>c,a-2>b,b-1>c,c-2>b,a*,b*:r1c1,r2c2,r3c3"
    assert constraints_for(wanted, FOUR).families[-1].shapes == shapes_of(
        f".Shape~4x4.NFA~{encoded}~-~R1C1~R2C2~R3C3"
    )


def test_several_starts_become_one():
    """States 0 and 1 may be first; 1 is an end; 1 leads to state 0, and 0 on a 2 to itself."""
    encoded = coded(
        (1, 2), (1, 4), (3, 4), (2, 2), (0, 2), (0b10, 2), (0b0010, 4), (0, 2), (0b0001, 4), (0, 2)
    )
    wanted = "machine=a-2>z,a-1>z,b-1>z,z-2>z,b*:r1c1,r2c2,r3c3"
    assert constraints_for(wanted, FOUR).families[-1].shapes == shapes_of(
        f".Shape~4x4.NFA~{encoded}~R1C1~R2C2~R3C3"
    )


@pytest.mark.parametrize(("encoded", "cells"), [
    (coded((1, 2), *HEADER, (0, 4), (0b0010, 4), (1, 1)), "R1C1~R1C2"),  # ways from the second only
    (coded((1, 2), *HEADER, (0b0010, 4), (1, 1), (0b0010, 4), (1, 1)), "-~R1C1"),  # no breaks
])  # fmt: skip
def test_a_first_state_without_ways_accepts_nothing(encoded, cells):
    for text in (f".Shape~4x4.NFA~{encoded}~{cells}", format_iss(EMPTY, "machine=b*,a-3>b:r1c1")):
        assert Session(constraints_for(parse_iss(text).rules, FOUR)).solve(EMPTY) is None


@pytest.mark.parametrize("seed", range(15))
def test_what_is_written_accepts_the_same(seed):
    rng = random.Random(seed)
    value = random_machine(rng, 4, breaks=True)
    wanted = constraints_for(f"machine={value}:r1c1{rng.choice(',>')}r2c2,r3c3>r4c1", FOUR)
    read = constraints_for(parse_iss(format_iss(EMPTY, wanted)).rules, FOUR)
    assert read.families[-1].shapes == wanted.families[-1].shapes


@pytest.mark.parametrize(("text", "problem"), [
    (".NFA~!!!~R1C1~R1C2", r"\.NFA: '!!!': expected a machine in base 64"),
    (".NFA~U~R1C1~R1C2", r"\.NFA: 'U': expected a machine in base 64"),
    (".NFA~Ug~R1C1~R1C2", r"\.NFA: its machine ends too soon"),
    (f".NFA~{coded((3, 2), *HEADER, (0, 16))}~R1C1~R1C2", "its machine has an unknown form"),
    (f".NFA~{coded((1, 2), (0, 4), (3, 4), (0, 20))}~R1C1~R1C2", "its machine has an unknown form"),
    (f".NFA~{coded((1, 2), (0, 4), (5, 4), (1, 1), (0, 1), (1, 1), (32, 6), (0, 1))}~R1C1~R1C2",
     "it reads more digits than there are"),
    (f".NFA~{PACKED}~R1C1~-~R1C2", "several groups of cells: expected a transition between"),
    (f".NFA~{BREAKING}~R1C1~-~-~R1C2", "0 cells: expected 1 to 16"),
    (f".NFA~{BREAKING}~-", "it names no cells"),
    (".NFA", r"\.NFA: arguments are missing"),
])  # fmt: skip
def test_what_is_wrong_with_a_machine_is_told(text, problem):
    with pytest.raises(ForeignError, match=problem):
        parse_iss(f".Shape~4x4{text}")


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


@pytest.mark.parametrize("seed", range(12))
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


def targets(places):
    """Cells from the origin on, as bits in base 64."""
    number = sum(1 << place for place in places)
    length = max(places) // 6 + 1
    return "".join(CHARACTERS[number >> 6 * i & 63] for i in range(length))


def clues_of(text):
    return set(parse_iss(text).rules.split(";")[1:])


def test_copies_are_what_they_stand_for_in_full():
    """Every domino of a row, as published puzzles have it; moved by rows and columns."""
    across = [4 * row + column for row in range(4) for column in range(3)]
    copied = f".Shape~4x4.Replicate~{targets(across)}.BlackDot~R1C1~R1C2.End"
    full = "".join(f".BlackDot~R{p // 4 + 1}C{p % 4 + 1}~R{p // 4 + 1}C{p % 4 + 2}" for p in across)
    assert clues_of(copied) == clues_of(f".Shape~4x4{full}")
    from_elsewhere = f".Shape~4x4.Replicate~{targets([0, 4])}~R2C2.Thermo~R2C2~R1C1.End"
    assert clues_of(from_elsewhere) == {"thermo:r2c2,r1c1", "thermo:r3c2,r2c1"}
    given = parse_iss(f".Shape~4x4.Replicate~{targets([1, 6])}.~R1C1_3.End")
    assert str(given.grid) == ".3....3........."


def test_copies_within_one_another_and_within_alternatives():
    inner = f".Replicate~{targets([0, 1])}.X~R1C1~R2C1.End"
    assert clues_of(f".Replicate~{targets([0, 3])}{inner}.End") == {
        f"sum=10:r1c{column},r2c{column}" for column in (1, 2, 4, 5)
    }
    either = parse_iss(f".Or{inner}.V~R5C5~R5C6.End").rules
    other = parse_iss(".Or.And.X~R1C1~R2C1.X~R1C2~R2C2.End.V~R5C5~R5C6.End").rules
    assert either == other


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (".Replicate~B.XSum~R1~5.End", r"\.Replicate: \.XSum cannot be moved"),
        (".Replicate~C~R9C9.End", "a target lies outside the board"),
        (f".Replicate~{targets([8])}.X~R1C1~R1C2.End", "R1C2 would lie outside the board"),
        (".Replicate.X~R1C1~R1C2.End", r"\.Replicate: arguments are missing"),
        (".Replicate~!.X~R1C1~R1C2.End", "'!' in its table"),
        (".Replicate~B.X~R1C1~R1C2", r"\.Replicate: expected \.End behind it"),
        (".Replicate~B.AntiKnight.End", r"found \.AntiKnight in \.Replicate"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_copies_is_told(text, problem):
    with pytest.raises(ForeignError, match=problem):
        parse_iss(text)


def test_copies_of_copies_end_somewhere():
    every = "_" * 13 + "H"
    text = ".X~R1C1~R1C2"
    for _ in range(4):
        text = f".Replicate~{every}{text}.End"
    with pytest.raises(ForeignError, match=r"more than 10,000 constraints|outside the board"):
        parse_iss(text)
