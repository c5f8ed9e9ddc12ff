"""Duplicates and leaks: which rows are the same puzzle, under which rules."""

from __future__ import annotations

import numpy as np
import pytest
from audit_oracle import generated, nines

from satdoku import Checks
from satdoku.audit.files import audit_chunks
from satdoku.files.collection import Chunk
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import group


def doubles(report):
    return [(f["duplicates"]["exact"], f["duplicates"]["symmetric"]) for f in report["files"]]


@pytest.mark.parametrize(
    "rules", ["classic", "diagonal", "knight", "miracle", "windoku", "disjoint"]
)
def test_images_are_duplicates_under_the_rules_they_are_images_of(rules):
    constraints, rng = constraints_for(rules), np.random.default_rng(5)
    symmetries, train = group(constraints), generated()[:40]
    images = np.concatenate(
        [symmetries.apply(symmetries.random(rng), train[i : i + 1]) for i in range(20)]
    )
    fresh = generated()[500:530]
    test = np.concatenate([images, train[20:25], fresh, images[:3]])
    report = audit_chunks(nines(train, test), rules)
    same = int((images == train[:20]).all(axis=1).sum())  # a group element may be the identity
    assert doubles(report) == [(0, 0), (3, 0)]
    (leak,) = report["leaks"]
    again = 3 - int((images[:3] == train[:3]).all(axis=1).sum())
    assert (leak["exact"], leak["symmetric"]) == (5 + same + 3 - again, 20 - same + again)
    lines = {(e["line"], e["other_line"]) for e in leak["examples"]}
    assert lines == {(i, i) for i in range(1, 11)}


@pytest.mark.parametrize("rules, symmetric", [("classic", 1), ("knight", 0), ("diagonal", 0)])
def test_a_swap_of_bands_is_a_symmetry_of_the_classic_rules_only(rules, symmetric):
    puzzle = generated()[:1]
    swapped = np.roll(puzzle, 27, axis=1)
    turned = np.rot90(puzzle.reshape(9, 9)).reshape(1, 81)
    report = audit_chunks(nines(np.concatenate([puzzle, swapped]), turned), rules)
    assert doubles(report) == [(0, symmetric), (0, 0)]
    assert [leak["symmetric"] for leak in report["leaks"]] == [
        1
    ]  # the rotated puzzle, under any rules


def test_reversed_digits_are_a_symmetry_of_the_miracle_rules_and_others_are_not():
    puzzle = generated()[:1]
    other = np.where(puzzle > 0, 10 - puzzle, 0).astype(np.uint8)
    cycled = np.where(puzzle > 0, puzzle % 9 + 1, 0).astype(np.uint8)
    puzzles = np.concatenate([puzzle, other, cycled])
    assert doubles(audit_chunks(nines(puzzles), "miracle")) == [(0, 1)]
    assert doubles(audit_chunks(nines(puzzles), "classic")) == [(0, 2)]


def test_without_symmetry_only_equal_rows_are_duplicates():
    puzzles = generated()[:2]
    report = audit_chunks(
        nines(puzzles, np.roll(puzzles, 27, axis=1)), checks=Checks(symmetry=False)
    )
    assert report["symmetry"] is None
    assert report["leaks"] == []
    assert all(file["duplicates"] == {"exact": 0} for file in report["files"])


def test_rules_without_canonical_form_are_compared_exactly_and_nothing_more_is_claimed():
    """If the regions are the rows, all permutations of rows are symmetries: too many to list."""
    rows = "jigsaw=" + "".join(c * 9 for c in "abcdefghi")
    puzzle = np.zeros((2, 81), np.uint8)
    puzzle[0, 0] = puzzle[1, 80] = 1
    report = audit_chunks(
        nines(np.concatenate([puzzle, puzzle])), rows, checks=Checks(allow=["several-solutions"])
    )
    assert report["symmetry"] is None
    assert report["files"][0]["duplicates"] == {"exact": 2}


def test_rows_are_duplicates_only_under_the_same_rules():
    puzzles = np.repeat(generated()[:1], 6, axis=0)
    rules = ["", "knight", "classic", "king,knight", "knight,king", "knight"]
    chunk = Chunk(np.arange(1, 7), puzzles, {}, rules=rules)
    report = audit_chunks([("a", [chunk])])
    (file,) = report["files"]
    assert doubles(report) == [(3, 0)]
    found = next(f for f in file["findings"] if f["kind"] == "exact duplicate")
    assert [(e["line"], e["other_line"]) for e in found["examples"]] == [(3, 1), (5, 4), (6, 2)]
    assert report["symmetry"].endswith("rows with rules of their own: those of these")


def test_a_row_of_two_earlier_files_leaks_from_both_and_names_the_first_row_of_each():
    a, b, c = generated()[:3]
    image = np.roll(a, 27)
    files = nines(np.array([b, a, a]), np.array([image]), np.array([c, a, image, b]))
    leaks = audit_chunks(files)["leaks"]
    told = [(k["from"], k["into"], k["exact"], k["symmetric"]) for k in leaks]
    assert told == [("0", "1", 0, 1), ("0", "2", 2, 1), ("1", "2", 1, 1)]
    places_ = [[(e["line"], e["other_line"], e["detail"]) for e in k["examples"]] for k in leaks]
    sym = "up to symmetry"
    assert places_ == [
        [(1, 2, sym)],
        [(2, 2, "exact"), (3, 2, sym), (4, 1, "exact")],
        [(2, 1, sym), (3, 1, "exact")],
    ]
