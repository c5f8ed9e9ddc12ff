"""Why a single clue strikes candidates: exact sentences; every kind gets one that is true."""

from __future__ import annotations

from random import Random

import pytest
from told_clues import NINE, sentence

from satdoku.explain.clue_words import reason
from satdoku.explain.units import units_of
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS
from satdoku.model.kinds.drawing import random_clue

DIGITS = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"


# A clue, what cells hold, and below it what is said.
CASES = """
odd:r1c2
    r1c2 must be odd: no 2, 4, 6 or 8 in r1c2
digits=1,5:r1c2
    r1c2 must be 1 or 5: r1c2 holds 1 or 5
low=3:r1c1,r1c2
    r1c1 and r1c2 must be at most 3: r1c1 and r1c2 hold 1, 2 or 3
minimum:r5c5
    a minimum is less than each neighbour (minimum r5c5): no 1 in r4c5, r5c4, r5c6 and r6c5;
    no 9 in r5c5
minimum:r5c5 r4c5=23
    a minimum is less than each neighbour and r4c5 is 2 or 3 (minimum r5c5): r5c5 holds 1 or
    2; no 1 in r5c4, r5c6 and r6c5
maximum:r5c5 r5c5=45
    a maximum is more than each neighbour and r5c5 is 4 or 5 (maximum r5c5): r4c5, r5c4,
    r5c6 and r6c5 hold 1, 2, 3 or 4
black:r1c1,r1c2
    black dot r1c1-r1c2 never holds 5, 7 or 9: no 5, 7 or 9 in r1c1 and r1c2
black:r1c1,r1c2 r1c1=12
    r1c1 is 1 or 2 (black dot r1c1-r1c2): r1c2 holds 1, 2 or 4
white:r1c1,r1c2 r1c1=89
    r1c1 is 8 or 9 (white dot r1c1-r1c2): r1c2 holds 7, 8 or 9
difference=5:r1c1,r1c2
    difference 5 at r1c1-r1c2 never holds 5: no 5 in r1c1 and r1c2
no-white r1c1=3 r1c2=123
    r1c1 is 3, so r1c2 is 1 or 3 (all white dots given): no 2 in r1c2, r1c3 and r2c2; no 2
    or 4 in r2c1
greater:r1c1,r1c2
    r1c1 must be greater than r1c2: no 1 in r1c1; no 9 in r1c2
greater:r1c1,r1c2 r1c2=5678
    r1c1 must be greater than r1c2, and r1c2 is at least 5: r1c1 holds 6, 7, 8 or 9
thermo:r1c1-r1c6
    six digits increase (thermo r1c1-r1c6): r1c1 holds 1, 2, 3 or 4; r1c2 holds 2, 3, 4 or 5;
    r1c3 holds 3, 4, 5 or 6; r1c4 holds 4, 5, 6 or 7; r1c5 holds 5, 6, 7 or 8; r1c6 holds 6,
    7, 8 or 9
thermo:r1c1-r1c2
    r1c1 is less than r1c2 (thermo r1c1-r1c2): no 1 in r1c2; no 9 in r1c1
thermo:r1c1-r1c6 r1c1=1234 r1c2=2345 r1c3=345 r1c4=456 r1c5=56789 r1c6=67
    a greater digit comes after r1c5, r1c3 is at most 5 and r1c6 is 6 or 7 (thermo r1c1-r1c6): r1c5
    holds 5 or 6; no 3 or 4 in r1c1; no 4 or 5 in r1c2; no 5 in r1c3; no 6 in r1c4
thermo:r1c1-r1c6 r1c1=12345678 r1c2=2345 r1c3=345 r1c4=456 r1c5=5678 r1c6=6789
    five greater digits come after r1c1 and r1c3 is at most 5 (thermo r1c1-r1c6): r1c1 holds 1, 2 or
    3; no 5 in r1c2
slow-thermo:r1c1-r1c3 r1c3=34
    r1c3 is 3 or 4 (slow-thermo r1c1-r1c3): r1c1 and r1c2 hold 1, 2, 3 or 4
whisper:r1c1-r1c4
    whisper r1c1-r1c4 never holds 5: no 5 in r1c1-r1c4
whisper:r1c1-r1c4 r1c2=123 r1c1=2346789 r1c3=789 r1c4=1234
    r1c2 is at most 3 (whisper r1c1-r1c4): no 2, 3 or 4 in r1c1
whisper:r1c1-r1c4 r1c2=1234 r1c1=123456789 r1c3=12346789 r1c4=12346789
    whisper r1c1-r1c4 never holds 5 and r1c2 is at most 4, so r1c3 is at least 6: no 1, 2, 3 or
    4 in r1c1 and r1c3; no 5 in r1c1; no 6, 7, 8 or 9 in r1c4
palindrome:r1c1-r1c4 r1c1=12
    r1c1 is 1 or 2, and the line reads the same from both ends (palindrome r1c1-r1c4): r1c4
    holds 1 or 2
clone:r1c1,r1c2>r5c5,r5c6 r5c5=3
    r5c5 is 3 in another copy (clone at r1c1): r1c1 is 3
renban:r1c1,r1c2,r1c3 r1c1=12
    r1c1 is 1 or 2, and its three digits are consecutive (renban r1c1-r1c3): r1c2 and r1c3
    hold 1, 2, 3 or 4
nabner:r1c1,r1c2,r1c3 r1c1=3
    r1c1 is 3 (nabner r1c1-r1c3): no 2, 3 or 4 in r1c2 and r1c3
entropic:r1c1-r1c4 r1c2=12
    r1c2 is 1 or 2 (entropic line r1c1-r1c4): no 1, 2 or 3 in r1c1, r1c3 and r1c4
modular:r1c1-r1c4 r1c2=14
    r1c2 is 1 or 4 (modular line r1c1-r1c4): no 1, 4 or 7 in r1c1, r1c3 and r1c4
parity:r1c1-r1c4 r1c2=13579
    r1c2 is odd, so r1c3 is even (parity line r1c1-r1c4): r1c1 and r1c3 hold 2, 4, 6 or 8;
    no 2, 4, 6 or 8 in r1c4
col-index:r1c3 r1c5=1246
    r1c5 cannot be 3 (col-index r1c3): no 5 in r1c3
sum=20:r1c1,r2c2,r3c3
    two cells add up to at most 18 (20 sum at r1c1): no 1 in r1c1, r2c2 and r3c3
cage=17:r1c1,r1c2
    17 cage r1c1-r1c2 is 8+9: r1c1 and r1c2 hold 8 or 9
cage=14:r1c1,r1c2
    14 cage r1c1-r1c2 is 5+9 or 6+8: r1c1 and r1c2 hold 5, 6, 8 or 9
cage=20:r1c1,r1c2,r1c3
    20 cage r1c1-r1c3 is 3+8+9, 4+7+9, 5+6+9 or 5+7+8: no 1 or 2 in r1c1-r1c3
cage=23:r1c1,r1c2,r1c3
    23 cage r1c1-r1c3 is 6+8+9: r1c1-r1c3 hold 6, 8 or 9
cage=9:r1c1,r1c2,r1c3 r1c1=56789
    r1c2 and r1c3 add up to at least 3, r1c1 and r1c3 add up to at least 6, and r1c1 and r1c2
    add up to at least 6 (9 cage r1c1-r1c3): r1c1 holds 5 or 6; r1c2 and r1c3 hold 1, 2 or 3
x:r1c1,r1c2 r1c1=1278 r1c2=1234689
    r1c1 cannot be 4, 6 or 9 (X r1c1-r1c2): no 1, 4 or 6 in r1c2
v:r1c1,r1c2
    V r1c1-r1c2 is 1+4 or 2+3: r1c1 and r1c2 hold 1, 2, 3 or 4
little-killer=30:r1c2-r4c5
    three cells add up to at most 27 (little killer 30 at r1c2-r4c5): no 1 or 2 in r1c2,
    r2c3, r3c4 and r4c5
little-killer=20:r1c2-r3c4 r1c2=12
    r2c3 and r3c4 add up to at most 18, r1c2 and r3c4 add up to at most 11, and r1c2
    and r2c3 add up to at most 11 (little killer 20 at r1c2-r3c4): r2c3 and r3c4 are 9; no 1 in r1c2
arrow:r1c1>r1c2,r2c3,r3c4
    the circle holds the sum of the arm (arrow at r1c1): no 1 or 2 in r1c1; no 8 or 9 in
    r1c2, r2c3 and r3c4
arrow:r1c1>r1c2,r2c3
    the circle holds the sum of the arm (arrow at r1c1): no 1 in r1c1; no 9 in r1c2 and r2c3
arrow:r1c1>r1c2,r2c3,r3c4 r1c1=56
    r1c1 is at most 6 (arrow at r1c1): r1c2, r2c3 and r3c4 hold 1, 2, 3 or 4
double-arrow:r1c1-r1c4 r1c1=1 r1c4=12
    r1c1 and r1c4 add up to at most 3 (double arrow r1c1-r1c4): r1c2 and r1c3 hold 1 or 2
region-sum:r1c2-r1c5 r1c2=12 r1c3=34
    r1c2 and r1c3 add up to at most 6 (region sum line r1c2-r1c5): no 6, 7, 8 or 9 in r1c4
    and r1c5
equal-sum:r1c1,r1c2>r5c5,r5c6,r5c7 r1c1=12 r1c2=34
    r1c1 and r1c2 add up to at most 6 (equal sums at r1c1): r5c5-r5c7 hold 1, 2, 3 or 4
zipper:r1c1-r1c5 r1c3=4
    r1c2 and r1c4 add up to at most 6, and r1c3 is 4 (zipper line r1c1-r1c5): r1c2 and r1c4
    hold 1, 2 or 3; no 6, 7, 8 or 9 in r1c1 and r1c5
product=24:r1c1,r1c2,r2c1
    24 product at r1c1 is 1×3×8, 1×4×6, 2×2×6 or 2×3×4: no 5, 7 or 9 in r1c1, r1c2 and r2c1
product=35:r1c1,r1c2
    35 product r1c1-r1c2 is 5×7: r1c1 and r1c2 hold 5 or 7
rellik=8:r1c1,r1c2,r2c1
    rellik 8 at r1c1 never holds 8: no 8 in r1c1, r1c2 and r2c1
count=5x2:r1c1,r1c2,r1c3 r1c1=1
    r1c1-r1c2-r1c3 can only be 1-5-5 (count 5x2 at r1c1-r1c3): r1c2 and r1c3 are 5
between:r1c1-r1c4 r1c1=12 r1c4=56
    r1c1 is 1 or 2 and r1c4 is 5 or 6 (between line r1c1-r1c4): r1c2 and r1c3 hold 2, 3, 4
    or 5
lockout:r1c1-r1c4
    the ends differ by 4 or more (lockout line r1c1-r1c4): no 5 in r1c2 and r1c3
sandwich=35:row7
    1 and 9 are in r7c1 and r7c9 (sandwich 35 in row 7): no 1 or 9 in r7c4-r7c6
sandwich=0:row7 r7c1=1
    1 and 9 are in r7c1 and r7c2 (sandwich 0 in row 7): r7c2 is 9; no 1 or 9 in r7c3-r7c9
x-sum=20:row3 r3c1=234
    20 takes three to five cells (x-sum 20 in row 3 from the left): no 2 in r3c1
skyscraper=8:row3
    8 digits are greater than all before them (skyscraper 8 in row 3 from the left): no 3 in
    r3c1; no 4 in r3c1 and r3c2; no 5 in r3c1-r3c3; no 6 in r3c1-r3c4; no 7 in r3c1-r3c5; no
    8 in r3c1-r3c6; no 9 in r3c1-r3c7
numbered-room=5:row3 r3c4=123
    r3c4 is at most 3 (numbered-room 5 in row 3 from the left): no 1, 4 or 5 in r3c1; no 5
    in r3c5
rossini=+:row3
    rossini + in row 3 from the left: no 8 or 9 in r3c1; no 1 or 9 in r3c2; no 1 or 2 in
    r3c3
sandwich=16:row7 r7c1=12 r7c9=19 r7c2=234
    1 and 9 are in r7c4 and r7c9, or in r7c5 and r7c9 (sandwich 16 in row 7): no 1 or 9 in r7c7
    and r7c8
sandwich=2:row7 r7c3=9
    1 and 9 are in r7c1 and r7c3, or in r7c5 and r7c3 (sandwich 2 in row 7): no 9 in r7c1 and
    r7c5; no 1 or 9 in r7c2, r7c4 and r7c6-r7c9
x-sum=20:row3
    20 takes three to five cells (x-sum 20 in row 3 from the left): no 1 or 2 in r3c1
x-sum=3:row3
    3 takes one or two cells (x-sum 3 in row 3 from the left): r3c1 is 2; r3c2 is 1
cage=15:r1c1,r1c2,r1c3 r1c1=12 r1c2=6789
    r1c1 is 1 or 2 and r1c2 is at least 6 (15 cage r1c1-r1c3): no 1, 2, 3 or 9 in r1c3
quadruple=1,2,9:r1c1,r1c2,r2c1,r2c2 r1c1=345 r1c2=1345 r2c1=1234
    r1c1 is 3, 4 or 5, r1c2 is 1, 3, 4 or 5, and r2c1 is at most 4 (quadruple 1,2,9 at r1c1):
    r1c2 is 1; r2c1 is 2; r2c2 is 9
"""


def cases():
    """The clues, what their cells hold, and the words, each on one line."""
    lines = CASES.strip().replace("\n    ", " ~").splitlines()
    for first, *words in (line.split(" ~") for line in lines):
        clue, *left = first.split()
        yield pytest.param(clue, dict(cell.split("=") for cell in left), " ".join(words), id=first)


@pytest.mark.parametrize(("clue", "left", "words"), cases())
def test_a_clue_tells_why(clue, left, words):
    assert sentence(clue, left) == words


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if ":area" not in kind.example])
def test_every_kind_is_spoken_of(kind):
    """Random clues and candidates: a sentence that names the clue or the cells that lose digits,
    without a placeholder, and the same again."""
    rng = Random(kind.name)
    for _ in range(4):
        clue = random_clue(kind, list(map(int, DIGITS)), NINE, rng, lambda clue: True)
        if clue is None:
            continue
        units = units_of(constraints_for(clue.text(NINE)))
        live = sum(1 << c for c in range(729) if rng.random() < 0.7)
        for unit in units.all:
            if unit.sentence and (struck := unit.unsupported(live)):
                said = reason(units, unit, live, struck)
                assert said == reason(units, unit, live, struck)
                assert not {"{", "}"} & {*said.replace(unit.label, "")} and "  " not in said
                lost = {units.board.name_of(cell) for cell in units.held(struck)}
                assert unit.label in said or any(name in said for name in lost)
