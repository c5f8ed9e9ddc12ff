"""Certificates of collections: all rows or a fair sample, each as the batch answered."""

import io
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from examples import CLASSIC

from satdoku.batch.options import BatchOptions
from satdoku.certificates.check import check_certificates
from satdoku.certificates.format import read_certificates
from satdoku.certificates.make import CertifyError
from satdoku.certificates.sample import CollectionCertifier
from satdoku.cli import main
from satdoku.files.collection import Chunk, marks_of
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import GridError, parse_grid
from satdoku.runtime.errors import Status, WitnessError

FOUR = BatchOptions(constraints_for("classic", Board.of_size(4)))
LINES = ["12..............", "1...............", "12.4............", "1234341221434321"]
STATUSES = [Status.MULTIPLE, Status.MULTIPLE, Status.UNKNOWN, Status.UNIQUE]


def chunk_of(lines, **more):
    cells = np.array([list(parse_grid(line).cells) for line in lines], np.uint8)
    return Chunk(np.arange(len(lines)) + 1, cells, {}, **more)


def certified(sample, chunks, tmp_path, seed=0, options=FOUR):
    """Claims and puzzles of the certificates, all of which `verify` accepts."""
    out = io.BytesIO()
    with CollectionCertifier(out, sample, seed=seed) as certifier:
        for chunk, statuses in chunks:
            certifier.add(chunk, np.array(statuses, np.uint8), options)
        count = certifier.finish()
    path = tmp_path / "all.cert"
    path.write_bytes(out.getvalue())
    findings = list(check_certificates(str(path)))
    assert [finding.reason for finding in findings] == [None] * count
    return [(e.certificate.claim, str(e.certificate.puzzle)) for e in read_certificates(str(path))]


def test_every_decided_row_gets_its_certificate(tmp_path):
    chunk = chunk_of(LINES)
    chunk.errors[1] = GridError("x", "y")
    found = certified("all", [(chunk, STATUSES), (chunk_of(LINES[3:]), STATUSES[3:])], tmp_path)
    assert found == [("multiple", LINES[0]), ("unique", LINES[3]), ("unique", LINES[3])]


def test_rows_with_rules_of_their_own_are_certified_under_them(tmp_path):
    chunk = chunk_of(["." * 16, "." * 16], rules=["king", ""])
    assert certified("all", [(chunk, [Status.NONE, Status.MULTIPLE])], tmp_path) == [
        ("none", "." * 16),
        ("multiple", "." * 16),
    ]


def test_a_sample_is_fair_and_repeatable(tmp_path):
    chunks = [(chunk_of([line]), [Status.MULTIPLE]) for line in _different(12)]
    drawn = Counter()
    for seed in range(60):
        some = certified("3", chunks, tmp_path, seed)
        assert len(set(some)) == 3
        drawn.update(puzzle for _, puzzle in some)
    assert certified("3", chunks, tmp_path, 7) == certified("3", chunks, tmp_path, 7)
    assert len(drawn) == 12  # 15 times each on average
    assert max(drawn.values()) < 30


def _different(count):
    return ["." * i + "1" + "." * (15 - i) for i in range(count)]


def test_fewer_rows_than_the_sample_are_all_certified(tmp_path):
    assert len(certified("50", [(chunk_of(LINES), STATUSES)], tmp_path)) == 3


def test_a_wrong_answer_is_never_certified(tmp_path):
    with pytest.raises(WitnessError, match="is multiple, not unique"):
        certified("all", [(chunk_of(LINES[:1]), [Status.UNIQUE])], tmp_path)


@pytest.mark.parametrize("sample", ["0", "-1", "some", "", "1.5", "²"])
def test_samples_that_are_none(sample):
    with pytest.raises(CertifyError, match="expected all, or a number"):
        CollectionCertifier(io.BytesIO(), sample)


def test_pencil_marks_are_refused():
    marks = Chunk(np.arange(1), marks_of(chunk_of(LINES[:1]).puzzles, Board.of_size(4)), {})
    with pytest.raises(CertifyError, match="pencil marks"):
        CollectionCertifier(io.BytesIO(), "all").add(marks, np.array([1], np.uint8), FOUR)


# From the command line ---------------------------------------------------------------------------


def test_batch_and_audit_certify(tmp_path, capfd):
    path, out = tmp_path / "in.txt", tmp_path / "out.txt"
    path.write_text(f"{CLASSIC}\n{'.' * 81}\n{'5' * 2}{'.' * 79}\n")
    assert main(["batch", str(path), "-o", str(out), "--certify", "all", "-w", "1"]) == 0
    assert f"2 certificates in {out}.cert.jsonl.gz" in capfd.readouterr().err
    assert main(["verify", f"{out}.cert.jsonl.gz"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        f"verified unique {CLASSIC}",
        f"verified multiple {'.' * 81}",
    ]
    named = tmp_path / "certificates"
    command = ["audit", str(path), "--certify", "1", "--certificates", str(named), "-w", "1"]
    assert main(command) == 1
    assert main(["verify", "-q", str(named)]) == 0


@pytest.mark.parametrize(
    "words, message",
    [
        (["--certify", "all", "--limit", "1"], "--certify needs --limit 2"),
        (["--certificates", "c"], "--certificates needs --certify"),
        (["--certify", "1", "--certificates", "out"], "out: would be another output"),
        (["--certify", "1", "--certificates", "in.txt"], "in.txt: would be input and output"),
        (["--summary", "./out"], "out: would be another output"),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_is_written(
    words, message, tmp_path, monkeypatch, capfd
):
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text(CLASSIC)
    assert main(["batch", "in.txt", "-o", "out", *words]) == 2
    assert message in capfd.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]
    assert Path("in.txt").read_text() == CLASSIC


def test_certificates_need_a_file(tmp_path, capfd):
    path = tmp_path / "in.txt"
    path.write_text(CLASSIC)
    assert main(["batch", str(path), "--certify", "all", "-q"]) == 2
    assert "--certify needs a file" in capfd.readouterr().err
