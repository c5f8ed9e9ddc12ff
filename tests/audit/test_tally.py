"""The counts and examples of a file do not depend on its chunks."""

from __future__ import annotations

from collections import Counter

import numpy as np
from audit_oracle import generated, nines
from hypothesis import given
from hypothesis import strategies as st

import satdoku
from satdoku import Checks
from satdoku.audit import tally
from satdoku.audit.files import (
    audit_chunks,
)
from satdoku.batch.solve import solve_batch
from satdoku.errors import SatdokuError
from satdoku.files.collection import Chunk
from satdoku.files.collection.chunk import parts


def test_ten_examples_of_each_kind_the_first_of_the_file_in_any_chunking():
    puzzles = np.repeat(generated()[:1], 40, axis=0)
    puzzles[::2] = 0  # several solutions each
    chunk = Chunk(
        np.arange(101, 141), puzzles, {3: SatdokuError("x")}, ids=[f"p{i}" for i in range(40)]
    )
    for size in (1, 3, 40):
        (file,) = audit_chunks([("a", parts(chunk, size))])["files"]
        found = {f["kind"]: f for f in file["findings"]}
        assert {kind: f["count"] for kind, f in found.items()} == {
            "malformed row": 1, "several solutions": 20, "exact duplicate": 37,
        }  # fmt: skip
        told = [(e["line"], e["id"]) for e in found["several solutions"]["examples"]]
        assert told == [(101 + i, f"p{i}") for i in range(0, 20, 2)]
        told = [(e["line"], e["other_line"]) for e in found["exact duplicate"]["examples"]]
        assert told == [(103, 101), *((n, 101 + (n + 1) % 2) for n in range(105, 114))]


def test_effort_is_counted_by_powers_of_two_where_the_search_saw_everything():
    puzzles = generated()
    puzzles = np.concatenate([puzzles, np.where(np.arange(81) < 60, puzzles[:50], 0)])
    statuses, _, nodes, *_ = solve_batch(puzzles)
    nodes = nodes[statuses == satdoku.Status.UNIQUE].tolist()
    assert max(nodes) > 1
    assert len(nodes) < len(puzzles)
    bins = Counter(str(1 << n.bit_length() - 1 if n else 0) for n in nodes)
    (file,) = audit_chunks(nines(puzzles.astype(np.uint8)), checks=Checks(symmetry=False))["files"]
    assert file["effort"] == bins
    assert list(file["effort"]) == sorted(bins, key=int)


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1))
def test_bins_of_any_number_of_nodes(nodes):
    bins = tally.effort_bins(np.array(nodes, np.uint32)).tolist()
    assert bins == [1 << n.bit_length() - 1 if n else 0 for n in nodes]
