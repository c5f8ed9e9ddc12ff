"""Rules in words: every rule and kind has its sentence, and no value is left open."""

import re

import pytest
from clue_examples import OF_LAYERS

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid
from satdoku.model.kinds import ALIASES, KINDS, title
from satdoku.model.other_names import title_of
from satdoku.model.puzzle import Puzzle
from satdoku.model.rules import ALIASES as RULE_ALIASES
from satdoku.model.rules import RULES, RuleError
from satdoku.model.sentences import SHOWN
from satdoku.model.words import of_board, sayings, sayings_of

LAYERED = {
    "formula": "shape=4x4;layer=area:1-9;formula=10-digit:area",
    "chaos": "shape=4x4,latin;layer=area:1-4;chaos:area",
}
LONGEST = 30  # words of a sentence without the cells and values that it lists
TOKENS = {*KINDS, *ALIASES, *RULES, *RULE_ALIASES}


def said(rules, size=9):
    board = None if rules.startswith(("jigsaw", "latin", "shape")) else Board.of_size(size)
    return [tuple(saying) for saying in sayings(constraints_for(rules, board))]


def one(rules):
    """The only saying behind those about the board, and the whole of it as text."""
    found = [saying for saying in said(rules) if saying[0]]
    assert len(found) == 1, found
    return found[0], "{}: {}".format(*found[0])


def assert_readable(sentence):
    """A sentence for people: no word of a rule set, no empty place, one capital and a full stop."""
    assert re.fullmatch(r"[A-Z][^{}\[\]|=_]*\.", sentence), sentence
    assert "  " not in sentence and " ," not in sentence and " ." not in sentence
    words = re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", sentence)
    assert not {word for word in words if "-" in word} & TOKENS - {"x-sum"}
    assert len(sentence.split()) <= LONGEST, sentence


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_said_once_under_its_usual_name(kind):
    (name, sentence), _ = one(LAYERED.get(kind) or f"classic;{KINDS[kind].example}")
    (clue,) = constraints_for(LAYERED.get(kind) or f"classic;{KINDS[kind].example}").clues
    assert name.lower() == title(kind, clue.value).lower() and name[0].isupper()
    if kind == "machine":  # its value is the text of the machine
        sentence = sentence.replace(clue.value, "M")
    if KINDS[kind].joins or kind == "machine":
        sentence = re.sub(r"[:(].*", ".", sentence)
    assert_readable(sentence.replace(" .", "."))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_what_a_clue_of_a_kind_says_by_itself(kind):
    """Read behind its name, so it begins with a small letter and has no stop."""
    value = "7" if kind.value else ""
    for text in (kind.meaning(), *([] if kind.stated else [kind.says(value)])):
        assert text[0].islower() or text.startswith(("N", "7")), text
        assert_readable("A{}.".format(re.sub(r" \([+-]\)|^.", "", text)))


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_said_under_its_usual_name(rule):
    try:
        (name, sentence), _ = one(rule)
    except RuleError:
        pytest.skip("not on 9x9")
    assert name == title_of(RULES[rule])
    assert sentence.lower() == f"{RULES[rule].summary}.".lower()
    assert_readable(sentence)


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ("whisper:r1c1-r1c4",
         "German whisper: Neighbouring digits along the green line differ by at least 5."),
        ("whisper=4:r1c1-r1c4",
         "Dutch whisper: Neighbouring digits along the green line differ by at least 4."),
        ("whisper:r1c1-r1c4;whisper:r2c1-r2c4",
         "German whisper: Neighbouring digits along each green line differ by at least 5."),
        ("whisper=5:r1c1-r1c4;whisper=3:r2c1-r2c4",
         "Whisper line: Neighbouring digits along each green line differ by at least "
         f"{SHOWN}, or 5 where there is none."),
        ("odd:r1c1", "Odd cells: The digit in the grey circle is odd."),
        ("odd:r1c1,r2c2", "Odd cells: The digit in each grey circle is odd."),
        ("white:r1c1,r1c2", "White Kropki dot: Digits joined by the white dot are consecutive."),
        ("x:r1c1,r1c2", "X: Digits joined by the X add up to 10."),
        ("cage=9:r1c1,r1c2",
         "Killer cage: Digits in the dashed cage do not repeat, and add up to the number in its "
         "corner."),
        ("cage:r1c1,r1c2;cage:r2c1,r2c2", "Killer cage: Digits in each dashed cage do not repeat."),
        ("cage:r1c1,r1c2;cage=9:r2c1,r2c2",
         "Killer cage: Digits in each dashed cage do not repeat, and add up to the number in its "
         "corner, if there is one."),
        ("entropic:r1c1-r1c6",
         "Entropic line: Any three successive cells along the orange line hold a low (1-3), a "
         "middle (4-6) and a high (7-9) digit."),
        ("no-white",
         "All white dots given: Adjacent digits that no dot joins are not consecutive."),
        ("taxicab",
         "Anti-taxicab: Two equal digits are never as many steps apart, along rows and columns, "
         "as the digit says."),
        ("sandwich=12:row3",
         "Sandwich sum: The number outside the grid is the sum of the digits between the 1 and the "
         "9 in its row or column."),
    ],
)  # fmt: skip
def test_the_text_of_a_kind(rules, text):
    assert one(f"classic;{rules}")[1] == text


def test_values_that_are_drawn_otherwise_are_said_apart():
    found = [name for name, _ in said("classic;x:r1c1,r1c2;v:r2c1,r2c2;sum=10:r3c1,r3c2,r3c3")]
    assert found == ["", "X", "V", "Sum"]
    (_, (_, one), (name, other)) = said("classic;difference=1:r1c1,r1c2;difference=3:r2c1,r2c2")
    assert one == "Digits joined by the white dot are consecutive."
    assert (name, other) == (
        "Difference", "Digits joined by the white dot with a number differ by that number.",
    )  # fmt: skip


def test_marks_of_kinds_that_are_drawn_alike_are_told():
    """And of none that is drawn alone."""
    rules = "classic;whisper:r1c1-r1c4;renban:r2c1-r2c4;sandwich=9:row3;x-sum=9:row4"
    found = dict(said(rules))
    assert "along the plain green line differ" in found["German whisper"]
    assert "the pink line with dark dots" in found["Renban line"]
    assert "the number in a circle outside the grid is" in found["Sandwich sum"].lower()
    assert "the number in a diamond outside the grid is" in found["X-sum"].lower()
    inside = dict(said("classic;or:(renban:r2c1-r2c4),(odd:r1c1);whisper:r1c1-r1c4"))
    assert "along the plain green line" in inside["German whisper"]


def test_a_cell_that_counts_again_is_told():
    assert said("classic;sum=10:r1c1,r1c1,r1c2;sum=7:r2c1,r2c2")[2] == (
        "Sum",
        "The digits add up to 10; they may repeat where no other rule forbids it "
        "(r1c1, r1c1, r1c2); a cell that is listed again counts again.",
    )


def test_what_no_picture_shows_is_told_one_by_one():
    assert said("classic;king-digits=1,9;king-digits=5")[1:] == [
        ("Anti-king digits",
         "Cells a king's move apart do not hold the same digit if it is 1 or 9."),
        ("Anti-king digits", "Cells a king's move apart do not hold the same digit if it is 5."),
    ]  # fmt: skip
    (_, (name, either)) = said("classic;or:(thermo:r1c1,r2c1),(cage=5:r1c1,r1c2)")
    assert name == "Either-or"
    assert "(r1c1, r2c1)" in either and "add up to 5 (r1c1, r1c2)" in either


def test_digits_of_other_boards():
    rules = "classic;entropic:r1c1-r1c6;sandwich=3:row1;flat-mates;rossini=+:row1"
    found = dict(said(f"digits=0-8;{rules[8:]}"))
    assert "a low (0-2), a middle (3-5) and a high (6-8) digit" in found["Entropic line"]
    assert "between the 0 and the 8" in found["Sandwich sum"]
    assert found["Dutch flat mates"].startswith("Every 4 has a 0 directly above")
    jigsaw = dict(said("jigsaw=aaaabbbbccccdddd;rossini=+:row1;region-sum:r1c4,r2c4", 4))
    assert "the nearest three cells" in jigsaw["Rossini"]
    assert jigsaw["Region sum line"].startswith("Region borders")


def test_the_board_says_what_holds_digits():
    assert said("classic", 4)[0][1].startswith(
        "Place the digits 1 to 4 so that every row, column and box"
    )
    assert said("classic", 16)[0][1].endswith("holds each number once.")
    assert "every row and column holds" in said("latin=5")[0][1]
    assert "region with thick borders" in said("jigsaw=aaaabbbbccccdddd")[0][1]


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
    assert of_board(constraints_for(rules).board)[0].sentence == sentence


def test_layers_and_their_clues():
    rules = "digits=0-8;layer=shade:0-1;layer=a*2:1-9;odd:shade.r1c1;odd:r1c2"
    found = [tuple(saying) for saying in sayings(constraints_for(rules))]
    assert ("", "Each cell also has its shade, which is 0 or 1.") in found
    assert ("", "There are also a.1 to a.2, each of which is one of 1 to 9.") in found
    assert [sentence for name, sentence in found if name == "Odd cells"] == [
        "The digit in the grey circle is odd.",
        "These cells hold odd digits (shade.r1c1).",
    ]


def test_cells_that_follow_one_another_are_told_by_their_ends():
    rules = "layer=shade:0-1;digits=0:shade.row1,shade.r2c1,shade.r2c3,shade.r2c4;taxicab:r1c1-r1c3"
    found = dict(said(rules))
    assert found["Restricted cell"].endswith(
        "0 (shade.r1c1-r1c9, shade.r2c1, shade.r2c3, shade.r2c4)."
    )
    assert found["Anti-taxicab"].endswith("(r1c1-r1c3).")


def test_the_setters_own_words_come_first():
    constraints = constraints_for("knight")
    puzzle = Puzzle(empty_grid(constraints.board), constraints, words="One.\n\nTwo.")
    assert [str(saying) for saying in sayings_of(puzzle)] == ["One.", "Two."]
    plain = Puzzle(empty_grid(constraints.board), constraints)
    assert str(sayings_of(plain)[1]).startswith("Anti-knight: Cells a knight's move apart")


def test_kinds_of_layers_have_a_sentence_here():
    assert LAYERED.keys() == OF_LAYERS
