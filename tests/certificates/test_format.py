"""Certificate files: what is written reads back, and hostile ones end in a clear refusal."""

import copy
import gzip
import json
import lzma
from dataclasses import replace

import pytest
from certificate_cases import section, write
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.certificates import format as certificate
from satdoku.certificates.fields import CertificateError
from satdoku.certificates.format import hash_of, read_certificates, write_section
from satdoku.certificates.make import certify
from satdoku.files.outputs import open_output
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import SatdokuError

MADE = [certify(CLASSIC), certify("." * 81), certify("55" + "." * 79)]
LINES = section([made for _, made in MADE], constraints_for())


def put(fields, path, value):
    """The parsed lines with one value changed, or gone where it is None."""
    fields = copy.deepcopy(fields)
    place = fields
    for name in path[:-1]:
        place = place[name]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return fields


def refusal(path):
    with pytest.raises(SatdokuError) as error:
        list(read_certificates(str(path)))
    return str(error.value)


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".bz2"])
def test_what_is_written_reads_back(suffix, tmp_path):
    path = str(tmp_path / f"c.jsonl{suffix}")
    with open_output(path) as stream:
        write_section(stream, MADE[0][0], [made for _, made in MADE])
        write_section(stream, MADE[0][0], [MADE[0][1]])  # files may be joined
    entries = list(read_certificates(path))
    assert [entry.line for entry in entries] == [2, 3, 4, 7]
    for entry, (preamble, made) in zip(entries, [*MADE, MADE[0]], strict=True):
        proof = made.proof and replace(made.proof, sha256=hash_of(made.proof.text))
        assert entry.certificate == replace(made, proof=proof)
        assert entry.preamble == replace(preamble, cnf_sha256=hash_of(preamble.cnf))


def test_a_jigsaw_and_its_rules_read_back(tmp_path):
    made = certify("12" + "." * 14, "king,jigsaw=1112122233334444")
    lines = section([made[1]], constraints_for("king,jigsaw=1112122233334444"))
    (entry,) = read_certificates(write(tmp_path / "c", lines))
    assert entry.preamble.board == made[0].board
    assert entry.preamble.rules == ("king",)


def test_the_same_certificates_are_the_same_bytes(tmp_path):
    for name in ("a.gz", "b.gz"):
        with open_output(str(tmp_path / name)) as stream:
            write_section(stream, MADE[0][0], [MADE[0][1]])
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ([0, "format"], "other", "line 1: expected a preamble"),
        ([0, "version"], 5, "line 1: expected a preamble"),
        ([0, "version"], 4, "line 1: 'sums' is missing"),
        ([0, "version"], 3, "line 1: version 3 with a board of 9x9 with boxes of 3x3"),
        ([0, "version"], 2, "line 1: version 2, which is for clues"),
        ([0, "version"], "1", "line 1: expected a preamble"),
        ([0, "version"], True, "line 1: expected a preamble"),
        ([0, "cnf", "sha256"], "", "line 1: 'sha256' is not 64 hexadecimal digits"),
        ([1, "proof", "sha256"], "", "line 2: 'sha256' is not 64 hexadecimal digits"),
        ([0, "board", "size"], 10_000, "line 1: board size"),
        ([0, "board", "size"], "9", "'size' is missing or not a number"),
        ([0, "board", "size"], True, "'size' is missing or not a number"),
        ([0, "board", "box_rows"], 2, "do not fill"),
        ([0, "board"], {"size": 9, "box_rows": -3, "box_columns": -3}, "do not fill"),
        ([0, "board"], {"size": 4, "regions": "aaaabbbbccccdddd"}, "region 1"),
        ([0, "board"], {"size": 4, "regions": "????"}, "region map of 4"),
        ([0, "rules"], [1], "other than texts"),
        ([0, "rules"], ["king", "king"], "twice"),
        ([0, "made_by"], {"x": 1}, "other than texts"),
        ([0, "cnf", "text"], None, "'text' is missing"),
        ([0, "cnf", "more"], "", "unknown field"),
        ([0, "more"], 1, "unknown field"),
        ([1, "puzzle"], "1", "line 2: puzzle"),
        ([1, "puzzle"], 1, "'puzzle' is missing or not a text"),
        ([1, "claim"], "true", "line 2: claim 'true'"),
        ([1, "solutions"], {}, "not a list"),
        ([1, "solutions"], [None], "other than texts"),
        ([1, "solutions"], [CLASSIC_SOLUTION[:-1] + "x"], "solution"),
        ([1, "proof"], None, "'proof' is missing"),
        ([1, "proof", "format"], "binary", "proof format 'binary'"),
        ([1, "claim"], "multiple", "must not have one"),
        ([4, "certificates"], 2, "line 5: 3 certificates"),
        ([4, "certificates"], 3.0, "whole number"),
        ([4], None, "line 5: the file ends"),
        ([2], None, "2 certificates"),
    ],
)
def test_fields_must_be_exactly_as_described(path, value, words, tmp_path):
    assert words in refusal(write(tmp_path / "c", put(LINES, path, value)))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "the file ends"),
        (b"\n", "not JSON"),
        (b"[]\n", "not a JSON object"),
        (b"1\n", "not a JSON object"),
        (b'{"a":1,"a":1}\n', "twice"),
        (b'{"a":' + b"9" * 100_000 + b"}\n", "9 digits"),
        (b'{"a":1e400}\n', "whole number"),
        (b'{"a":NaN}\n', "whole number"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b'{"a":' * 100_000 + b"\n", "not JSON"),
        (b"[" * 2_000_000 + b"\n", "more than"),
        (b'"\xff"\n', "not JSON"),
        (b"\x00\n", "not JSON"),
    ],
)
def test_hostile_lines(line, words, tmp_path):
    path = tmp_path / "c"
    path.write_bytes(line)
    assert words in refusal(path)


def test_a_broken_or_truncated_archive_is_named(tmp_path):
    text = "".join(json.dumps(line) + "\n" for line in LINES).encode()
    packed = gzip.compress(text)
    for content in (packed[:-9], packed[: len(packed) // 2], packed[:5], lzma.compress(text)[:-20]):
        path = tmp_path / "c"
        path.write_bytes(content)
        assert str(path) in refusal(path)
    assert "such" in refusal(tmp_path / "missing")
    assert "directory" in refusal(tmp_path)


def test_bombs_are_stopped_at_the_limit(tmp_path, monkeypatch):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"0" * (certificate.MAX_LINE + 2)))
    assert path.stat().st_size < 40_000
    assert "too long" in refusal(path)
    monkeypatch.setattr(certificate, "MAX_TOTAL", 100_000)
    assert "too long" in refusal(write(tmp_path / "c", LINES))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=share(80), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([(i, k) for i, line in enumerate(LINES) for k in line]), json_values)
def test_any_value_anywhere_is_read_or_refused(tmp_path, place, value):
    lines = put(LINES, place, value) if value is not None else LINES
    try:
        list(read_certificates(write(tmp_path / "c", lines)))
    except CertificateError as error:
        assert "line" in str(error)


@settings(max_examples=share(80), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=80))
def test_any_bytes_are_refused(tmp_path, content):
    path = tmp_path / "c"
    path.write_bytes(content)
    assert refusal(path)
