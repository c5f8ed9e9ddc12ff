"""Collections certified to a file: row n is about row n, whatever the workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tree_cases import EASY, rows_of_file, some_collection, verified

from satdoku import certify_files
from satdoku.certificates.collection import certify_typed
from satdoku.certificates.make import CertifyError
from satdoku.cli import main
from satdoku.model.constraints import constraints_for
from satdoku.model.puzzle import of_cells


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    return some_collection(tmp_path)


def test_row_n_of_a_file_is_row_n_of_the_collection(collection: Path, tmp_path: Path) -> None:
    out = tmp_path / "some.trees"
    told = certify_files(str(collection), str(out))
    assert told["statuses"] == {"none": 1, "unique": 1, "multiple": 2} and told["unreadable"] == 1
    assert rows_of_file(out)[0].claims == b"umn-m"
    assert verified(out) == {"unique": 1, "multiple": 2, "none": 1, "unread": 1}


@pytest.mark.compiled
def test_workers_do_not_change_the_bytes(collection: Path, tmp_path: Path) -> None:
    long = tmp_path / "long.txt"
    long.write_text(f"{collection.read_text()}\n" * 2000)
    for workers in (1, 2):
        certify_files(str(long), str(tmp_path / f"{workers}.trees"), workers=workers)
    assert (tmp_path / "1.trees").read_bytes() == (tmp_path / "2.trees").read_bytes()
    assert sum(verified(tmp_path / "1.trees").values()) == 10_000


def test_what_has_no_tree_has_a_certificate_in_its_place(tmp_path: Path) -> None:
    rules = "shape=4x4;boxes=2x2;layer=shade:0-1;connected=1:shade"
    puzzles, out = tmp_path / "p.txt", tmp_path / "p.trees"
    puzzles.write_text("1234341221434321\n1234341221434...\n" + "." * 16)
    assert main(["certify", str(puzzles), "--rules", rules, "-o", str(out)]) == 0
    assert rows_of_file(out)[0].claims == b"UUM"
    assert verified(out) == {"unique": 2, "multiple": 1}


def test_puzzles_that_are_typed_become_a_file(tmp_path: Path) -> None:
    out = str(tmp_path / "typed.trees")
    cells = bytes(int(x) if x.isdigit() else 0 for x in EASY)
    easy, other = (of_cells(cells, constraints_for(rules)) for rules in ("classic", "knight"))
    certify_typed([easy, of_cells(bytes(81), easy.constraints)], out)
    assert verified(Path(out)) == {"unique": 1, "multiple": 1}
    with pytest.raises(CertifyError, match="same rules"):
        certify_typed([easy, other], out)
