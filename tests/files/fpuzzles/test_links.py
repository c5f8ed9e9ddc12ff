"""LZ-string against the library of that name, and against what it would unpack too much of."""

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lzstring import LZString

from satdoku.files.fpuzzles.links import LzStringError, compress, decompress

LIMIT = 1 << 20
WIDE = st.text(alphabet="ab\x00\xff\u0100\u4567", max_size=200)  # few characters: long phrases
BMP = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=("Cs",)), max_size=100)


@given(WIDE | BMP)
@example("")
@example("aaaa")
def test_the_library_packs_and_unpacks_the_same(text):
    packed = compress(text)
    assert packed == LZString.compressToBase64(text)
    assert decompress(packed, LIMIT) == text


@given(st.text(max_size=60))
def test_any_text_comes_back_even_beyond_16_bits(text):
    assert decompress(compress(text), LIMIT) == text


def test_long_texts_need_longer_codes():
    text = "".join(f"{i * i} " for i in range(3000))
    assert compress(text) == LZString.compressToBase64(text)
    assert decompress(compress(text), LIMIT) == text


def test_what_javascript_packed():
    """A pair of code units for one character, as JavaScript's strings have them."""
    assert decompress(LZString.compressToBase64("\ud83d\ude00"), LIMIT) == "😀"
    assert decompress(LZString.compressToBase64("a\ud83d"), LIMIT) == "a\ufffd"


def test_a_small_payload_that_unpacks_to_too_much_is_stopped():
    packed = compress("a" * 300_000)
    assert len(packed) < 1500
    with pytest.raises(LzStringError, match="found more than 1,000 characters"):
        decompress(packed, 1000)
    assert decompress(packed, 300_000) == "a" * 300_000


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ("", "cut off"),
        ("N4Ig", "cut off"),
        (compress("abcabc")[:-4], "cut off"),
        ("N4 Ig", "found ' ', expected letters"),
        ("N4=Ig", "found '=', expected letters"),
        ("ä", r"found '\\xe4'"),
        ("/" * 8, "found phrase"),
    ],
)
def test_what_is_no_lz_string_says_so(payload, message):
    with pytest.raises(LzStringError, match=message):
        decompress(payload, LIMIT)


@given(st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef0123456789+/=", max_size=200))
def test_no_payload_raises_anything_else(payload):
    with suppress(LzStringError):
        assert len(decompress(payload, 10_000)) <= 10_000
