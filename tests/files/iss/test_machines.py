"""State machines in base 64 accept what they accepted, both ways."""

import random
from base64 import urlsafe_b64encode

import pytest
from clue_examples import random_machine
from examples import FOUR
from soak import share

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


@pytest.mark.parametrize("seed", range(share(15)))
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
