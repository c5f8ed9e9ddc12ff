"""The audit of single rows, with and without pencil marks, and the keys of rows."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import partial
from itertools import combinations
from random import Random

import numpy as np
import pytest
from audit_oracle import generated, nines
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku import Checks
from satdoku.audit import files as audit
from satdoku.audit import rows as rows_module
from satdoku.audit.files import audit_chunks
from satdoku.audit.rows import fingerprints, first_equal
from satdoku.batch.options import BatchOptions
from satdoku.files.collection import Answers, Chunk
from satdoku.files.collection.chunk import parts
from satdoku.model.grid import NO_VALUE
from satdoku.runtime.errors import SatdokuError


@settings(max_examples=share(40), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_pencil_marks_are_those_of_the_oracle(grids, seed):
    rng = Random(seed)
    full, rows, answers = grids[()], [], []
    for _ in range(rng.randint(1, 25)):
        keep, share = rng.choice(full), rng.choice((0.1, 0.4, 0.9))
        marks = bytes(d + 1 == keep[c] or rng.random() < share for c in range(16) for d in range(4))
        if rng.random() < 0.2:
            marks = marks[:8] + bytes(4) + marks[12:]
        rows.append(marks if not rows or rng.random() < 0.7 else rng.choice(rows))
        answers.append(rng.choice((keep, rng.choice(full), bytes(16))))
    marks = np.frombuffer(b"".join(rows), np.bool_).reshape(-1, 64)
    cells = np.frombuffer(b"".join(answers), np.uint8).reshape(-1, 16)
    stated = Answers(cells, np.ones(len(rows), np.bool_), {})
    chunk = Chunk(np.arange(1, len(rows) + 1), marks, {}, answers=stated)
    report = audit_chunks([("m", parts(chunk, 6))])

    def allowed(row, grid):
        return all(row[4 * cell + digit - 1] for cell, digit in enumerate(grid))

    statuses = Counter(
        ("none", "unique", "multiple")[min(2, sum(allowed(r, g) for g in full))] for r in rows
    )
    judged = Counter(
        "wrong" if 0 in a else "right" if allowed(r, a) else "givens changed"
        for r, a in zip(rows, answers, strict=True)
    )
    singles = Counter(str(sum(sum(r[c : c + 4]) == 1 for c in range(0, 64, 4))) for r in rows)
    (file,) = report["files"]
    assert file["statuses"] == statuses
    assert file["answers"] == {"stated": len(rows), **judged}
    assert file["givens"] == singles
    assert file["duplicates"] == {"exact": len(rows) - len(set(rows))}
    assert report["symmetry"] is None  # they have no canonical form


def test_rows_of_errors_are_neither_solved_nor_put_in_canonical_form(monkeypatch):
    """Such rows are all 0, and an empty grid takes longer than ten thousand puzzles."""
    asked = {"solve_job": [], "forms_of": []}
    for name, puzzles_of in asked.items():
        work = getattr(rows_module, name)

        def spy(puzzles, *arguments, work=work, seen=puzzles_of):
            seen.append(puzzles)
            return work(puzzles, *arguments)

        monkeypatch.setattr(rows_module, name, spy)
    puzzles = generated()[:6]
    puzzles[[1, 4]] = 0
    chunk = Chunk(np.arange(6), puzzles, {1: SatdokuError("x"), 4: SatdokuError("y")})
    (file,) = audit_chunks([("a", [chunk])])["files"]
    assert (file["statuses"], file["duplicates"]) == (
        {"unique": 4, "invalid": 2},
        {"exact": 0, "symmetric": 0},
    )
    ((solved,), (formed, grids)) = asked.values()
    good = [0, 2, 3, 5]
    assert len(grids) == 4
    assert (solved[[1, 4]] == NO_VALUE).all()
    assert solved[good].tolist() == formed.tolist() == puzzles[good].tolist()


def test_undecided_rows_are_counted_as_such(monkeypatch):
    asked = partial(BatchOptions, backend="session")
    monkeypatch.setattr(audit, "BatchOptions", asked)
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    report = audit_chunks(
        nines(np.frombuffer(hard.replace(".", "0").encode(), np.uint8)[None] - 48),
        checks=Checks(conflicts=1),
    )
    (file,) = report["files"]
    assert file["statuses"] == {"unknown": 1}
    assert [(f["kind"], f["examples"][0]["detail"]) for f in file["findings"]] == [
        ("undecided", hard)
    ]
    assert not report["sound"]


MASK = (1 << 64) - 1
# Keys of nine times 123456789, of the same salted with "knight", and of 64 marks, one in three set.
PINNED = [
    ["5fb4e29729c97665", "4b7df7a1f90c0458"],
    ["7896e38bdd03b773", "360653d5970ee38e"],
    ["cdb054b288a62ec6", "9420d4bafed7f082"],
]


def key_by_integers(row, salt=""):
    """The definition for one row, in Python integers."""
    digest = hashlib.sha256(f"{len(row)} {salt}".encode()).digest()
    seeds = [int.from_bytes(digest[i : i + 8], "little") for i in range(0, 32, 8)]
    key = []
    for state, factor in zip(seeds[:2], seeds[2:], strict=True):
        for start in range(0, len(row), 8):
            state ^= int.from_bytes(row[start : start + 8], "little")
            state = state * (factor | 1) & MASK
            state ^= state >> 32
            state = state * 0xBF58476D1CE4E5B9 & MASK
            state ^= state >> 29
        key.append(state)
    return key


def rows_of(*rows):
    return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)


@st.composite
def tables(draw):
    width = draw(st.integers(1, 90))
    rows = st.binary(min_size=width, max_size=width)
    return rows_of(*draw(st.lists(rows, min_size=1, max_size=8)))


@settings(max_examples=share(40))
@given(tables(), st.text(max_size=5))
def test_keys_are_as_defined_whatever_the_machine(table, salt):
    expected = [key_by_integers(bytes(row), salt) for row in table]
    assert fingerprints(table, salt).tolist() == expected


def test_known_answers():
    nine = rows_of(bytes(range(1, 10)) * 9)
    marks = np.arange(64).reshape(1, 64) % 3 == 0
    found = [fingerprints(nine), fingerprints(nine, "knight"), fingerprints(marks)]
    assert [[f"{half:016x}" for half in keys[0].tolist()] for keys in found] == PINNED


@settings(max_examples=share(40))
@given(tables())
def test_keys_do_not_depend_on_layout_or_company(table):
    keys = fingerprints(table)
    wide = np.zeros((len(table), 2 * table.shape[1]), np.uint8)
    wide[:, ::2] = table
    for same in (np.asfortranarray(table), wide[:, ::2], table[::-1][::-1]):
        assert (fingerprints(same) == keys).all()
    alone = [fingerprints(table[row, None])[0].tolist() for row in range(len(table))]
    assert alone == keys.tolist()
    truths = table % 2 == 1
    assert (fingerprints(truths) == fingerprints(truths.astype(np.uint8))).all()


def test_rows_of_other_widths_or_salts_have_other_keys():
    rows = [bytes(width) for width in range(1, 100)]
    keys = [tuple(fingerprints(rows_of(row), salt)[0]) for row in rows for salt in ("", "knight")]
    assert len(set(keys)) == len(keys)


def test_no_rows_have_no_keys():
    assert fingerprints(np.zeros((0, 81), np.uint8)).shape == (0, 2)


@pytest.mark.parametrize("kind", [np.int64, np.uint16, np.float64])
def test_values_of_more_than_a_byte_are_refused(kind):
    with pytest.raises(TypeError, match="expected uint8 or bool"):
        fingerprints(np.zeros((2, 81), kind))


@given(tables())
def test_any_single_bit_counts_in_both_halves(table):
    row = table[:1]
    bits = np.unpackbits(row)
    flipped = np.packbits(bits ^ np.eye(len(bits), dtype=np.uint8), axis=1)
    keys = fingerprints(np.concatenate([row, flipped]))
    assert (keys[1:] != keys[0]).all()
    assert len(np.unique(keys[:, 0])) == len(np.unique(keys[:, 1])) == len(keys)


def test_half_of_the_bits_change_with_any_bit():
    """Avalanche effect, except in the last word, whose highest bits reach fewer other bits."""
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 10, (400, 81), np.uint8)
    for byte in (0, 40, 71):
        changed = rows.copy()
        changed[:, byte] ^= 1
        moved = fingerprints(rows) ^ fingerprints(changed)
        share = np.unpackbits(moved.view(np.uint8)).mean()
        assert 0.45 < share < 0.55


def numbers_as_digits(count, cells):
    """Rows that end in 0, 1, 2, ... in decimal."""
    rows = np.zeros((count, cells), np.uint8)
    for place in range(7):
        rows[:, cells - 1 - place] = np.arange(count) // 10**place % 10
    return rows


def marks_of_two(width):
    """Every row with one or two marks."""
    pairs = np.array([*combinations(range(width), 2), *((i, i) for i in range(width))])
    rows = np.zeros((len(pairs), width), np.bool_)
    rows[np.arange(len(pairs))[:, None], pairs] = True
    return rows


@pytest.mark.parametrize(
    "rows",
    [
        lambda: numbers_as_digits(1_600_000, 16),
        lambda: numbers_as_digits(300_000, 81)[:, ::-1],
        lambda: marks_of_two(512),
    ],
    ids=["consecutive", "consecutive, first cells", "one and two marks"],
)
def test_no_collision_among_structured_rows_even_in_a_half(rows):
    """Two million rows in all."""
    table = rows()
    for half in fingerprints(table).T:
        ordered = np.sort(half)
        assert (ordered[1:] != ordered[:-1]).all()


small_keys = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=30)


@settings(max_examples=share(200))
@given(small_keys)
def test_the_first_equal_row_is_that_of_a_dictionary(pairs):
    """Keys that agree in one half only are different."""
    first = {(0, 0): -1}
    expected = [first.setdefault(pair, row) for row, pair in enumerate(pairs)]
    keys = np.array(pairs, np.uint64).reshape(-1, 2)
    assert first_equal(keys).tolist() == expected
