"""Phrases that people tell kinds by: regular expressions, each of one kind by its heading."""

import re

import pytest

from satdoku.model import phrases
from satdoku.model.kinds import KINDS

TOLD = [kind.name for kind in KINDS.values() if kind.said]


@pytest.mark.parametrize("kind", TOLD)
def test_every_phrase_is_a_regular_expression_in_lower_case(kind):
    for when, said in KINDS[kind].said.items():
        assert when in ("", "=") or KINDS[kind].value is not None
        for phrase in said:
            found = re.compile(phrase.replace("{value}", "5"))
            assert not found.fullmatch("") and phrase == phrase.lower()


@pytest.mark.parametrize(
    ("text", "is_heading"),
    [
        ("renban", True), ("renban lines", True), ("standard renban rules apply:", True),
        ("renban lines hold odd digits", False), ("no renban", False), ("whisper", False),
    ],
)  # fmt: skip
def test_a_heading_is_the_name_and_that_its_rules_apply(text, is_heading):
    assert bool(re.fullmatch(phrases.heading("renban"), text)) == is_heading
