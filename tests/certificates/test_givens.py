"""Certificates of givens: what is wrong with one is found, whoever made it."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from examples import FOUR

from satdoku.certificates.check import check_certificates
from satdoku.certificates.fields import CertificateError, write_line
from satdoku.certificates.givens import FORMAT, read_fields, refusal
from satdoku.certificates.hitting import COMPILED
from satdoku.fewest import puzzles_with_givens
from satdoku.model.grid import Grid, as_grid

GRID = as_grid("1234341221434321")
BUDGET = 1 << 20


@pytest.fixture(scope="module", params=[3, 4])
def made(request):
    return puzzles_with_givens(request.param, GRID).certificate()


def text_of(certificate):
    stream = io.BytesIO()
    write_line(stream, certificate.to_json())
    return stream.getvalue()


def test_a_certificate_is_read_as_it_was_written_and_holds(made, tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_bytes(text_of(made) * 2)
    findings = list(check_certificates(str(path)))
    assert [(f.entry.line, f.reason) for f in findings] == [(1, None), (2, None)]
    assert all(finding.entry.certificate == made for finding in findings)
    assert findings[0].entry.preamble.board == FOUR


@pytest.mark.parametrize("compiled", {COMPILED, False})
def test_no_set_and_no_puzzle_can_be_left_out(made, compiled):
    assert refusal(made, BUDGET, compiled=compiled) is None
    fewer = replace(made, others=made.others[: len(made.others) // 2])
    assert "no set excludes" in refusal(fewer, BUDGET, compiled=compiled)
    if made.puzzles:
        fewer = replace(made, puzzles=made.puzzles[1:])
        assert str(made.puzzles[0]) in refusal(fewer, BUDGET, compiled=compiled)
    assert "more than 1 nodes" in refusal(made, 1, compiled=False)


def changed(grid, cell, digit):
    cells = bytearray(grid.cells)
    cells[cell] = digit
    return Grid(bytes(cells), grid.board)


def test_what_is_not_true_is_refused(made):
    first = made.others[0]
    cell = next(c for c, digit in enumerate(first) if digit)
    empty = next(c for c, digit in enumerate(first) if not digit)
    for wrong, reason in [
        (replace(made, grid=changed(GRID, 0, 2)), "breaks the rules"),
        (replace(made, grid=changed(GRID, 0, 0)), "not full"),
        (replace(made, rules=("diagonal",)), "breaks the rules"),
        (replace(made, givens=17), "17 givens"),
        (replace(made, others=(changed(first, cell, 0), *made.others)), "breaks the rules"),
        (replace(made, others=(changed(first, cell, GRID[cell]),)), "with its digit"),
        (replace(made, others=(changed(first, empty, GRID[empty]),)), "with its digit"),
        (replace(made, others=(Grid(bytes(16), FOUR),)), "no cells"),
        (replace(made, puzzles=(changed(GRID, 0, 0),)), "no puzzle of the grid"),
        (replace(made, puzzles=(Grid(bytes([2, 1, 4, 3] + [0] * 12), FOUR),)), "no puzzle of"),
    ]:
        assert reason in refusal(wrong, BUDGET)


@pytest.mark.parametrize(("field", "value", "message"), [
    ("version", 2, "version 1"), ("parts", "0123" * 4, "digits 0, 1 and 2"),
    ("others", [1], "texts"),
    ("parts", "012", "16 of the digits"), ("grid", 5, "'grid'"), ("extra", 5, "unknown field"),
    ("made_by", {"satdoku": 1}, "made_by"), ("puzzles", ["12"], "puzzle"),
])  # fmt: skip
def test_lines_of_another_shape(made, field, value, message):
    fields = json.loads(text_of(made)) | {field: value}
    assert fields["format"] == FORMAT
    with pytest.raises(ValueError, match=message):
        read_fields(fields)


def test_it_may_not_stand_within_another_section(made, tmp_path):
    path = tmp_path / "c.jsonl"
    from satdoku.certificates.make import preamble_of
    from satdoku.model.constraints import constraints_for

    preamble = json.dumps(preamble_of(constraints_for("classic", FOUR)).to_json())
    path.write_bytes(preamble.encode() + b"\n" + text_of(made))
    with pytest.raises(CertificateError, match="expected first the number"):
        list(check_certificates(str(path)))
