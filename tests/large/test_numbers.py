"""What is taken for large puzzles; tests/large/test_text.py reads them."""

from __future__ import annotations

import pytest

from satdoku.large.numbers import is_large


@pytest.mark.parametrize(
    "text",
    [
        b"", b"# one comment alone",
        b"puzzle,solution\n", b"." * 81, b" ".join([b"5"] * 81), b" ".join([b"25"] * 625),
        b"p cnf 99 99\n1 2 0\n", b"1 2 3\n" * 50, b'{"size": 36}', b"12345 " * 30,
    ],
)  # fmt: skip
def test_other_texts_are_not_taken_for_large_puzzles(text):
    assert not is_large(text)


@pytest.mark.parametrize(
    "text", [b"0 " * 700, b"0 0 26 " * 9 + b"\n", b"# one\n" + b"7," * 676, b"30 | " * 26]
)
def test_lines_and_rows_of_large_puzzles_are(text):
    assert is_large(text)
