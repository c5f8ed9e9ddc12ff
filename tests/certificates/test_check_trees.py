"""Files of proof trees, from the command to the check."""

from __future__ import annotations

from pathlib import Path

import pytest
from sum_cases import long_sum
from tree_cases import rows_of_file, some_collection, write

from satdoku import certify_files, check_trees
from satdoku.certificates.check_trees import formula_of
from satdoku.certificates.collection import head_of
from satdoku.certificates.fields import CertificateError
from satdoku.certificates.format import hash_of
from satdoku.certificates.tree import trees_of
from satdoku.certificates.tree.files import Head, pack, read_head
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


def test_a_file_states_long_sums(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tree holds by the sum alone; other checkers get its clauses too."""
    constraints, puzzle = long_sum()
    source, out, plain = tmp_path / "one.txt", tmp_path / "one.trees", tmp_path / "plain"
    source.write_text(f"{puzzle}\n")
    asked = ["--rules", ";".join(constraints.rules), "-o", str(out), "-q"]
    assert main(["certify", str(source), *asked, "--plain", str(plain)]) == 0
    assert main(["verify", str(out), "--row", "1"]) == 0
    assert "verified row 1: unique" in capsys.readouterr().out
    head = read_head(out.read_bytes().splitlines()[0])
    assert head == head_of(constraints) and b'"version":2' in head.line() and len(head.sums) == 1
    with_sums = formula_of(head.board, head.rules, head.sums)[1].count(0)
    given = 81 - puzzle.count(".")
    stated = (plain / "000001.cnf").read_text().partition("p cnf")[2].split()[1]
    assert int(stated) == with_sums + given + 1
    broken = tmp_path / "broken.trees"
    for old, new in ((b'"version":2', b'"version":1'), (b'"segments":[[', b'"segments":[["a",')):
        broken.write_bytes(out.read_bytes().replace(old, new))
        assert main(["verify", str(broken)]) == 2
    broken.write_bytes(out.read_bytes().replace(b'"clues":[[1,0]]', b'"clues":[[1,1]]'))
    assert main(["verify", str(broken)]) == 1
    assert "row 1: rejected: a sum of rule 1, which is no clue" in capsys.readouterr().err


def test_files_of_long_sums_without_sums_are_still_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    constraints, puzzle = long_sum()
    board, rules = constraints.board, constraints.rules
    source, out = tmp_path / "one.txt", tmp_path / "old.trees"
    source.write_text(f"{puzzle}\n")
    rows = trees_of(board, rules).make(bytes(int(x) if x != "." else 0 for x in puzzle))
    head = Head(board, rules, hash_of(formula_of(board, rules)[2]), {})
    with out.open("wb") as stream:
        write(stream, head, [(1, pack(rows))])
    assert main(["verify", str(out)]) == 0
    assert "verified 1 unique" in capsys.readouterr().out
    asked = ["--rules", ";".join(rules), "-o", str(out)]
    assert main(["certify", str(source), *asked, "--append"]) == 2
    assert "holds proof trees by other sums: expected those" in capsys.readouterr().err
