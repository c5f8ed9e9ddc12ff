"""Rules in words: every rule and kind has its sentence, and no value is left open."""

import dataclasses

import pytest
from clue_examples import OF_LAYERS

from satdoku.model.appearance import OUTLINED
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS, title
from satdoku.model.rules import RULES, RuleError
from satdoku.sheets.words import SHOWN, rules_in_words


def said(rules, size=9):
    board = None if rules.startswith(("jigsaw", "latin")) else Board.of_size(size)
    return [tuple(saying) for saying in rules_in_words(constraints_for(rules, board))]


def test_every_kind_with_a_drawing_has_words_for_it():
    """Those without say it in their sentence; any other is outlined, and the words say so."""
    drawn = [kind.look for kind in KINDS.values() if kind.look.drawing != OUTLINED.drawing]
    assert len(drawn) > 40 and OUTLINED.says not in {look.says for look in drawn}
    assert all(look.says or look.sentence for look in drawn)


def test_a_kind_without_a_look_is_said_by_its_name(monkeypatch):
    new = KINDS["parity"]
    monkeypatch.setitem(
        KINDS, "odd-even", dataclasses.replace(new, name="odd-even", called=(), look=OUTLINED)
    )
    assert said("classic;odd-even:r1c1-r1c3")[1:] == [
        ("Odd even (outline with its name)", "odd and even digits alternate along the line.")
    ]


def test_a_cell_that_counts_again_is_told():
    assert said("classic;sum=10:r1c1,r1c1,r1c2;sum=5:r2c1,r2c2")[2] == (
        "Sum (X for 10, V for 5, or the number)",
        "the digits add up to 10; they may repeat where no other rule forbids it "
        "(r1c1, r1c1, r1c2); a cell that is listed again counts again.",
    )


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - OF_LAYERS))
def test_every_kind_is_said_once(kind):
    first, *others = said(f"classic;{KINDS[kind].example}")
    assert first == (
        "",
        "Place the digits 1 to 9 so that every row, column and box holds each digit once.",
    )
    ((name, sentence),) = others
    (clue,) = constraints_for(KINDS[kind].example).clues
    assert name.startswith(title(kind, clue.value))
    assert sentence.endswith(".") and "{" not in sentence


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_said(rule):
    try:
        (_, (_, sentence)) = said(rule)
    except RuleError:
        pytest.skip("not on 9x9")
    assert sentence.lower() == f"{RULES[rule].summary}.".lower()


def test_the_board_says_what_holds_digits():
    assert said("classic", 4)[0][1].startswith(
        "Place the digits 1 to 4 so that every row, column and box"
    )
    assert said("classic", 16)[0][1].endswith("holds each number once.")
    assert "every row and column holds" in said("latin=5")[0][1]
    assert "region with thick borders" in said("jigsaw=aaaabbbbccccdddd")[0][1]


def test_values_are_told_where_all_are_the_same():
    assert said("classic;whisper=4:r1c1-r1c4;whisper=4:r2c1-r2c4")[1][1] == (
        "neighbours on the line differ by 4 or more."
    )
    (_, (_, mixed)) = said("classic;difference=1:r1c1,r1c2;difference=3:r2c1,r2c2")
    assert mixed == f"the two digits differ by {SHOWN}, or 1 where there is none."
    (_, (_, other)) = said("classic;difference=2:r1c1,r1c2;difference=3:r2c1,r2c2")
    assert other == f"the two digits differ by {SHOWN}."
    assert said("classic;product=24:r1c1,r1c2")[1][1].startswith(f"the digits multiply to {SHOWN};")


def test_what_no_picture_shows_is_told_one_by_one():
    assert said("classic;king-digits=1,9;king-digits=5")[1:] == [
        ("Anti-king digits", "no two of the same digit, of 1 and 9, are a king's move apart."),
        ("Anti-king digits", "no two of the same digit, of 5, are a king's move apart."),
    ]
    (_, (name, either)) = said("classic;or:(thermo:r1c1,r2c1),(cage=5:r1c1,r1c2)")
    assert name == "Either-or (pale)"
    assert "(r1c1, r2c1)" in either and "add up to 5" in either


def test_thirds_are_told():
    assert said("classic;entropic:r1c1-r1c6")[1][1].endswith(
        "(low: 1 to 3, middle: to 6, high: to 9)."
    )


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (
            "shape=6x8,digits=0-7",
            "Place the digits 0 to 7 so that every row and box holds each digit once, "
            "and no column holds a digit twice.",
        ),
        (
            "samurai",
            "Place the digits 1 to 9 so that every row, column and box of each grid "
            "holds each digit once.",
        ),
        (
            "holes:r1c1",
            "Place the digits 1 to 9 so that every row, column and box holds each digit once, "
            "and no shorter row, column or box holds a digit twice.",
        ),
        (
            "digits=-4-4,no-rows",
            "Place the numbers -4 to 4 so that every column and box holds each number once.",
        ),
        (
            "shape=2x3,latin,no-rows,no-columns,digits=1,2,4",
            "Place the digits 1, 2 and 4 in the cells.",
        ),
    ],
)
def test_what_each_house_of_a_board_holds(rules, sentence):
    assert rules_in_words(constraints_for(rules))[0].sentence == sentence


def test_layers_and_their_clues():
    rules = "digits=0-8;layer=shade:0-1;layer=a*2:1-9;odd:shade.r1c1;odd:r1c2;entropic:r1c1-r1c3"
    said = [tuple(saying) for saying in rules_in_words(constraints_for(rules))]
    assert ("", "Each cell also has its shade, which is 0 or 1.") in said
    assert ("", "There are also a.1 to a.2, each of which is one of 1 to 9.") in said
    assert [sentence for name, sentence in said if name.startswith("Odd")] == [
        "these cells hold odd digits.",
        "these cells hold odd digits (shade.r1c1).",
    ]
    assert said[-1][1].endswith("(low: 0 to 2, middle: to 5, high: to 8).")
