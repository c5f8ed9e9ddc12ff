"""Texts packed chunk by chunk are a list of texts; test_table.py tests what is gathered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.audit.gathering import Texts


@given(st.lists(st.none() | st.lists(st.text(max_size=4), min_size=1, max_size=3)))
def test_texts_are_a_list_of_texts(chunks):
    texts, expected = Texts(), []
    for chunk in chunks:
        texts.add(chunk, 2 if chunk is None else len(chunk))
        expected += ["", ""] if chunk is None else chunk
    assert list(texts) == texts[:] == expected
    assert [texts[-i - 1] for i in range(len(expected))] == expected[::-1]
    with pytest.raises(IndexError):
        texts[len(expected)]
