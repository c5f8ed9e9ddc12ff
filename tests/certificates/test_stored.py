"""Certificates written long ago: they verify, and the same are made today.

data/version-1.jsonl.xz was written by `satdoku certify` before the code was rearranged: classic
puzzles with every claim, all solutions under a region map and the knight's move, a proof with hints
under diagonals, and a 6x6 puzzle.
"""

import io
import json
import lzma
from itertools import groupby
from pathlib import Path

import pytest

from satdoku.answers.session import close_sessions
from satdoku.certificates.check import checked
from satdoku.certificates.format import read_certificates, write_section
from satdoku.certificates.make import certify, with_hints
from satdoku.certificates.proof.rup import COMPILED
from satdoku.model.constraints import constraints_for

STORED = Path(__file__).parent / "data" / "version-1.jsonl.xz"


@pytest.mark.parametrize("compiled", {False, COMPILED})
def test_stored_certificates_hold(compiled):
    findings = list(checked(str(STORED), compiled=compiled))
    assert [finding.reason for finding in findings] == [None] * 10
    claims = [finding.entry.certificate.claim for finding in findings]
    assert claims == ["unique", "unique", "multiple", "none", *["all"] * 4, "none", "multiple"]


def test_the_same_certificates_are_made_today():
    """Byte for byte, except for the versions of the programs."""
    written = [json.loads(line) for line in lzma.decompress(STORED.read_bytes()).splitlines()]
    made = [json.loads(line) for line in made_again()]
    for old, new in zip(written, made, strict=True):
        programs = old.pop("made_by", {}), new.pop("made_by", {})
        if len({by.get("python-sat") for by in programs}) == 2:
            pytest.skip("another PySAT, which may find other proofs")
        assert json.dumps(old) == json.dumps(new)


def made_again():
    """The lines of the stored file, from its puzzles, boards and rules alone."""
    out = io.BytesIO()
    for stored, entries in groupby(read_certificates(str(STORED)), lambda entry: entry.preamble):
        close_sessions()  # which of several solutions is found depends on what was learnt
        constraints = constraints_for(",".join(stored.rules) or "classic", stored.board)
        again = [made_like(entry.certificate, constraints) for entry in entries]
        write_section(out, again[0][0], [certificate for _, certificate in again])
    return out.getvalue().splitlines()


def made_like(old, constraints):
    """Preamble and certificate of the puzzle, with hints if the old one has them."""
    preamble, new = certify(old.puzzle, constraints, solver=old.solver, every=old.claim == "all")
    hinted = old.proof is not None and old.proof.format == "lrat"
    return preamble, with_hints(preamble, new) if hinted else new
