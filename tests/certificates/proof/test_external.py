"""Outside proof checkers, here scripts: what they say is believed only if it is "verified"."""

import os
import time

import pytest
from process_groups import carrying

from satdoku.certificates.proof import ProofError, external

FORMULA, PROOF = (1, [1, 0, -1, 0]), "0\n"


@pytest.fixture
def drat_trim(tmp_path, monkeypatch):
    """A function that makes a drat-trim of a shell script."""

    def make(text):
        path = tmp_path / "drat-trim"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SATDOKU_TEST", str(tmp_path))
    return make


def refusal(**options):
    return external.refusal("drat-trim", FORMULA, PROOF, "drat", **options)


@pytest.mark.parametrize(
    ("script", "refused"),
    [
        ('grep -q "p cnf 1 2" "$1" && grep -qx 0 "$2" && echo s VERIFIED', None),
        ("echo c VERIFIED", None),
        ("echo s NOT VERIFIED", "drat-trim: s NOT VERIFIED"),
        ("echo broken >&2", "drat-trim: broken"),
        ("true", "drat-trim: no answer"),
        ("yes", "drat-trim: prints more than 16 MB"),
        ("echo s VERIFIED; kill -KILL $PPID; sleep 60", "drat-trim: s VERIFIED"),
    ],
)
def test_any_answer_but_verified_is_a_refusal(script, refused, drat_trim):
    drat_trim(script)
    assert refusal() == refused


def test_beyond_its_time_nothing_of_it_is_left(drat_trim, tmp_path):
    drat_trim("setsid sleep 60 & sleep 60")
    start = time.monotonic()
    assert refusal(timeout=0.3) == "drat-trim: no answer within 0.3 s"
    assert time.monotonic() - start < 30
    assert carrying(str(tmp_path)) == []


def test_a_tool_that_cannot_be_started_is_an_error(drat_trim, tmp_path):
    drat_trim("")
    (tmp_path / "drat-trim").write_text("#!/no/such/shell\n")
    with pytest.raises(ProofError, match="drat-trim: No such file"):
        refusal()
