"""Proof trees beside the answers of a batch and of an audit."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from satdoku import certify_files
from satdoku.batch.options import BatchOptions
from satdoku.certificates.beside import TreeCertifier
from satdoku.certificates.check_trees import check_trees
from satdoku.certificates.make import CertifyError
from satdoku.certificates.tree.files import BLOCK, read_blocks, read_head
from satdoku.cli import main
from satdoku.files.collection import Chunk
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.runtime.errors import Status, WitnessError

FOUR = BatchOptions(constraints_for("classic", Board.of_size(4)))
UNIQUE, OPEN, CLASH = "1234341221434321", "." * 16, "11" + "." * 14


def chunk_of(*lines: str, rules: list[str] | None = None) -> Chunk:
    cells = np.array([list(parse_grid(line).cells) for line in lines], np.uint8)
    return Chunk(np.arange(len(lines)) + 1, cells, {}, rules=rules)


def written(*chunks: tuple[Chunk, list[Status]]) -> bytes:
    out = io.BytesIO()
    with TreeCertifier(out) as certifier:
        for chunk, statuses in chunks:
            certifier.add(chunk, np.array(statuses, np.uint8), FOUR)
        certifier.finish()
    return out.getvalue()


def claims(data: bytes) -> bytes:
    stream = io.BytesIO(data)
    cells = read_head(stream.readline()).board.cells
    return b"".join(block.unpack(cells).claims for block in read_blocks(stream))


def test_rows_that_are_not_decided_have_no_claim() -> None:
    undecided = chunk_of(CLASH, OPEN), [Status.INVALID, Status.UNKNOWN]
    decided = chunk_of(UNIQUE, OPEN, "12.....43......."), [1, 2, Status.UNKNOWN]
    assert claims(written(undecided, decided)) == b"--um-"  # before the rules of a row are known
    assert claims(written(undecided)) == b"--"


def test_the_pieces_of_a_collection_do_not_matter() -> None:
    rows = [UNIQUE] * (BLOCK + 5)
    some, others = chunk_of(*rows[:7]), chunk_of(*rows[7:])
    apart = written((some, [Status.UNIQUE] * 7), (others, [Status.UNIQUE] * (BLOCK - 2)))
    assert apart == written((chunk_of(*rows), [Status.UNIQUE] * (BLOCK + 5)))


def test_a_tree_that_says_something_else_than_the_batch_is_an_error() -> None:
    with pytest.raises(WitnessError, match="a puzzle is multiple, not unique"):
        written((chunk_of(OPEN), [Status.UNIQUE]))
    with pytest.raises(WitnessError, match="a puzzle is unique, not none"):
        written((chunk_of(OPEN, UNIQUE), [Status.MULTIPLE, Status.NONE]))


def test_all_rows_have_the_same_rules() -> None:
    with pytest.raises(CertifyError, match=r"line 2: expected .* row: all .*batch --columns"):
        written((chunk_of(UNIQUE, UNIQUE, rules=["", "king"]), [Status.UNIQUE, Status.NONE]))


@pytest.mark.parametrize("command", ["batch", pytest.param("audit", marks=pytest.mark.compiled)])
def test_beside_a_command_as_by_certify(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    collection, out, alone = (tmp_path / name for name in ("a.txt", "a.trees", "b.trees"))
    collection.write_text(f"{UNIQUE}\n123\n{OPEN}\n" * 3000)
    more = ["-o", str(tmp_path / "o.txt"), "-q"] if command == "batch" else []
    asked = [command, str(collection), "--certify", "all", "--certificates", str(out), *more]
    assert main([*asked, "-w", "2"]) == {"batch": 2, "audit": 1}[command]
    if command == "audit":
        assert "6,000 proof trees in" in capsys.readouterr().err
    certify_files(str(collection), str(alone))
    assert out.read_bytes() == alone.read_bytes()
    assert not any(checked.rejected for _, checked in check_trees(str(out)))


def test_trees_stand_beside_all_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    collection = tmp_path / "a.txt"
    collection.write_text(UNIQUE)
    trees = ["--certificates", str(tmp_path / "a.trees")]
    assert main(["batch", str(collection), "--certify", "3", *trees]) == 2
    assert "--certify 3: expected --certify all for proof trees" in capsys.readouterr().err
    assert not (tmp_path / "a.trees").exists()
