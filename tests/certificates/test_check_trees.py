"""Files of proof trees, from the command to the check."""

from __future__ import annotations

from pathlib import Path

import pytest
from tree_cases import rows_of_file, some_collection

from satdoku import certify_files, check_trees
from satdoku.certificates.fields import CertificateError
from satdoku.cli import main


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    return some_collection(tmp_path)


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
        same = rows_of_file(broken) == rows_of_file(out)
        assert same or any(checked.rejected for checked in found), at
