"""Numbers of solutions with a proof, against published numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from satdoku import check_certificates, count_exact
from satdoku.certificates.counts import CountCertificate, make, refusal
from satdoku.certificates.fields import write_line
from satdoku.certificates.make import certify_count, preamble_of
from satdoku.cli import main
from satdoku.model.constraints import constraints_for
from satdoku.model.puzzle import empty_puzzle

# Known numbers: A107739 (boxes), A002860 (Latin squares), docs/COUNTING.md.
KNOWN = {
    "boxes=2x2": 288,
    "boxes=2x3": 28_200_960,
    "latin=4": 576,
    "latin=5": 161_280,
    "king;knight": 1_451_520,
    "miracle": 72,
}


def all_grids(rules: str) -> CountCertificate:
    constraints = constraints_for(rules)
    return certify_count(empty_puzzle(constraints).grid, constraints)


@pytest.mark.parametrize(
    "rules",
    [
        *(rules for rules in KNOWN if rules != "miracle"),
        pytest.param("miracle", marks=pytest.mark.compiled),
    ],
)
def test_known_numbers_are_proved(rules: str) -> None:
    certificate = all_grids(rules)
    assert certificate.count == KNOWN[rules]
    assert refusal(certificate) is None
    assert f"{KNOWN[rules]:,}" in (refusal(replace(certificate, count=KNOWN[rules] + 1)) or "")


@pytest.mark.parametrize(
    ("puzzle", "rules"),
    [
        ("1.........2.....", "boxes=2x2"),
        pytest.param("12" + "." * 34, "boxes=2x3", marks=pytest.mark.compiled),
        ("1" + "." * 24, "latin=5"),
    ],
)
def test_a_puzzle_has_as_many_solutions_as_are_counted(puzzle: str, rules: str) -> None:
    certificate = certify_count(puzzle, rules)
    assert certificate.count == count_exact(puzzle, rules).grids
    assert not certificate.relabelled and refusal(certificate) is None


def test_python_makes_the_same_graph_and_accepts_it() -> None:
    for rules in ("boxes=2x2", "latin=4", "boxes=2x3;knight", "king;knight"):
        constraints = constraints_for(rules)
        grid, preamble = empty_puzzle(constraints).grid, preamble_of(constraints)
        certificate = make(grid, preamble.rules, preamble.made_by, compiled=False)
        assert certificate == all_grids(rules)
        assert refusal(certificate, compiled=False) is None


@pytest.mark.parametrize("compiled", [True, False])
def test_no_changed_graph_proves_another_number(compiled: bool) -> None:
    certificate = certify_count("1.........2.....", "boxes=2x2")
    for at in range(len(certificate.graph)):
        for bit in range(8):
            changed = bytearray(certificate.graph)
            changed[at] ^= 1 << bit
            broken = replace(certificate, graph=bytes(changed), count=certificate.count + 1)
            assert refusal(broken, compiled=compiled)
    for graph in (certificate.graph[:-1], certificate.graph + b"\0", certificate.graph + b"\1"):
        assert refusal(replace(certificate, graph=graph), compiled=compiled)


def test_digits_are_relabelled_only_where_that_changes_nothing() -> None:
    for rules in ("latin=4;odd:r1c1", "latin=4;nonconsecutive"):
        certificate = all_grids(rules)
        assert not certificate.relabelled and refusal(certificate) is None
        assert "exchanging digits" in (refusal(replace(certificate, relabelled=True)) or "")


def test_a_file_is_written_and_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "count.json"
    assert main(["count", "--rules", "boxes=2x3", "--certificate", str(path)]) == 0
    assert capsys.readouterr().out == "28200960\n"
    assert main(["verify", str(path)]) == 0
    assert "exactly 28,200,960 solutions" in capsys.readouterr().out
    text = path.read_text()
    path.write_text(text.replace('"28200960"', '"28200961"'))
    assert main(["verify", str(path)]) == 1
    path.write_text(text.replace('"graph":"', '"graph":"A'))
    assert main(["verify", str(path)]) == 2
    path.write_text(text + text)
    assert [finding.reason for finding in check_certificates(str(path))] == [None, None]


def test_what_cannot_be_proved_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    rules = ["--rules", "boxes=2x2;thermo:r1c1,r1c2,r2c2"]
    assert main(["count", *rules, "--certificate", "/dev/null"]) == 2
    assert "clues on one and two cells" in capsys.readouterr().err
    with (Path("/dev/null")).open("wb") as stream:
        write_line(stream, all_grids("latin=2").to_json())
