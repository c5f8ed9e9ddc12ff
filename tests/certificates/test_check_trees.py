"""Files of proof trees, from the command to the check."""

from __future__ import annotations

from pathlib import Path

import pytest

from satdoku import certify_files, check_trees
from satdoku.certificates.fields import CertificateError
from satdoku.certificates.tree.files import read_blocks, read_head
from satdoku.certificates.tree.rows import Rows
from satdoku.cli import main

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def counts(path: Path) -> dict[str, int]:
    total: dict[str, int] = {}
    for _, checked in check_trees(str(path)):
        assert not checked.rejected
        for claim, count in checked.verified.items():
            total[claim] = total.get(claim, 0) + count
    return total


def rows(path: Path) -> list[Rows]:
    with path.open("rb") as stream:
        head = read_head(stream.readline())
        return [block.unpack(head.board.cells) for block in read_blocks(stream)]


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    path = tmp_path / "some.txt"
    path.write_text(
        "\n".join([EASY, "." * 81, "11" + "." * 79, "12", EASY.replace("3", ".").replace("7", ".")])
    )
    return path


def test_row_n_of_a_file_is_row_n_of_the_collection(collection: Path, tmp_path: Path) -> None:
    out = tmp_path / "some.trees"
    told = certify_files(str(collection), str(out))
    assert told["statuses"] == {"none": 1, "unique": 1, "multiple": 2} and told["unreadable"] == 1
    assert rows(out)[0].claims == b"umn-m"
    assert counts(out) == {"unique": 1, "multiple": 2, "none": 1, "unread": 1}


def test_workers_do_not_change_the_bytes(collection: Path, tmp_path: Path) -> None:
    long = tmp_path / "long.txt"
    long.write_text(f"{collection.read_text()}\n" * 2000)
    for workers in (1, 2):
        certify_files(str(long), str(tmp_path / f"{workers}.trees"), workers=workers)
    assert (tmp_path / "1.trees").read_bytes() == (tmp_path / "2.trees").read_bytes()
    assert sum(counts(tmp_path / "1.trees").values()) == 10_000


def test_what_has_no_tree_has_a_certificate_in_its_place(tmp_path: Path) -> None:
    rules = "shape=4x4;boxes=2x2;layer=shade:0-1;connected=1:shade"
    puzzles, out = tmp_path / "p.txt", tmp_path / "p.trees"
    puzzles.write_text("1234341221434321\n1234341221434...\n" + "." * 16)
    assert main(["certify", str(puzzles), "--rules", rules, "-o", str(out)]) == 0
    assert rows(out)[0].claims == b"UUM"
    assert counts(out) == {"unique": 2, "multiple": 1}


def test_verify_tells_what_is_wrong_with_a_file(
    collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, broken = tmp_path / "some.trees", tmp_path / "broken.trees"
    assert main(["certify", str(collection), "-o", str(out), "-q"]) == 2
    assert "line 4, column 3" in capsys.readouterr().err
    assert main(["verify", str(out)]) == 0
    assert "verified 2 multiple, 1 none, 1 unique, 1 unread" in capsys.readouterr().out
    data = out.read_bytes()
    for end in range(len(data) - 40, len(data)):
        broken.write_bytes(data[:end])
        assert main(["verify", str(broken)]) == 2
    assert "without an index" in capsys.readouterr().err
    other = data.replace(b'"rules":[]', b'"rules":["knight"]')
    broken.write_bytes(other)
    assert main(["verify", str(broken)]) == 1
    assert "row 1: rejected: the formula is another one" in capsys.readouterr().err


def test_no_byte_of_a_file_may_be_another(collection: Path, tmp_path: Path) -> None:
    out, broken = tmp_path / "some.trees", tmp_path / "broken.trees"
    certify_files(str(collection), str(out))
    data = out.read_bytes()
    begin = data.index(b"sha256")
    for at in range(begin, len(data)):
        broken.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        try:
            found = [checked for _, checked in check_trees(str(broken))]
        except CertificateError:
            continue
        assert any(checked.rejected for checked in found) or rows(broken) == rows(out), at
