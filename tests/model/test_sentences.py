"""Sentences with places: each place is filled, under a picture and by itself."""

import pytest

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.sentences import (
    as_sentence,
    board_words,
    drawn_sentence,
    in_words,
    listed,
    span,
    told_sentence,
)

SENTENCE = "digits [along {the} {it} |]differ by {value}[|, by itself]"


def test_a_sentence_under_a_picture_and_by_itself():
    words = {"the": "each", "it": "green line", "value": "5"}
    assert drawn_sentence(SENTENCE, words) == "digits along each green line differ by 5"
    assert told_sentence(SENTENCE, "5") == "digits differ by 5, by itself"
    assert (
        told_sentence("a low{lows} digit of {and}, {or}", "1,9") == "a low digit of 1 and 9, 1 or 9"
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [("5", "5"), ("1,2,9", "1, 2 and 9"), ("5x2", "5 × 2"), ("a-[1]>a,a*", "a-[1]>a,a*")],
)
def test_values_in_words(value, words):
    assert in_words(value) == words


def test_lists_and_spans():
    assert listed(["a"]) == "a" and listed(["a", "b", "c"], "or") == "a, b or c"
    assert span([1, 2, 3]) == "1-3" and span([2, 4, 8]) == "2, 4 and 8" and span([7]) == "7"
    assert span([-1, 0, 1]) == "-1, 0 and 1"  # -1-1 is hard to read
    assert as_sentence("so it is") == "So it is."


def test_words_of_boards():
    nine = board_words(Board())
    assert [nine[name] for name in ("lows", "middles", "highs")] == [" (1-3)", " (4-6)", " (7-9)"]
    assert [nine[name] for name in ("lower", "upper")] == [" (1-4)", " (6-9)"]
    assert [nine[name] for name in ("lowest", "mid", "highest")] == ["1", "5", "9"]
    assert nine["rests"] == "1-4-7, 2-5-8 and 3-6-9" and nine["box"] == "box"
    zero = board_words(constraints_for("digits=0-8").board)
    assert zero["rests"] == "1-4-7, 2-5-8 and 0-3-6" and zero["lows"] == " (0-2)"
    jigsaw = board_words(constraints_for("jigsaw=aaaabbbbccccdddd").board)
    assert (jigsaw["box"], jigsaw["nearest"]) == ("region", "of the nearest three cells")
    assert board_words(Board(2, 1, 2))["lows"] == " (none)"
