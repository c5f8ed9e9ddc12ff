"""Puzzles of SudokuPad: its short JSON, what its drawings mean, and what stays a drawing.

`zipped` here is written from the description of SudokuPad's own program, by other means than the
reader's: regular expressions on JSON text.
"""

import json
import re

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st
from lzstring import LZString
from soak import share

from satdoku import parse_fpuzzles, read_puzzles
from satdoku.cli import main
from satdoku.files.foreign import ForeignError, is_foreign
from satdoku.files.fpuzzles.links import KEYS, is_zipped, unzipped
from satdoku.files.fpuzzles.sudokupad import COLOURED, lines_of, marks_of

NINE = 9
REGIONS = [[[3 * (b // 3) + i // 3, 3 * (b % 3) + i % 3] for i in range(9)] for b in range(9)]
BLANK = {"cellSize": 50, "cells": [[{}] * 9] * 9, "regions": REGIONS}
GREY, BLUE = "#CFCFCF", "#34BBE6"


def zipped(value):
    """An object as SudokuPad shortens it."""
    short = {long: key for key, long in KEYS.items()}

    def renamed(what):
        if isinstance(what, dict):
            kept = {key: item for key, item in what.items() if item != []}
            return {short.get(key, key): renamed(item) for key, item in kept.items()}
        return [renamed(item) for item in what] if isinstance(what, list) else what

    text = json.dumps(renamed(value), separators=(",", ":"), ensure_ascii=False)
    for pattern, by in (
        (r'([,{\[])"([a-zA-Z0-9]+)":', r"\1\2:"),
        (r"([,{\[])\{\}(?=[,}\]])", r"\1"),
        (r"(:)false([,}\]])", r"\1f\2"),
        (r"(:)true([,}\]])", r"\1t\2"),
        (r'(:)"#000000"([,}\]])', r"\1#0\2"),
        (r'(:)"#FFFFFF"([,}\]])', r"\1#F\2"),
        (r'(:)"#([0-9a-fA-F]{6})"([,}\]])', r"\1\2\3"),
    ):
        text = re.sub(pattern, by, text)
    return text.replace("'", "\\'").replace('"', "'")


def link(value, mark="scl"):
    return f"https://sudokupad.app/{mark}{LZString.compressToBase64(zipped(value))}"


def read(**drawn):
    return parse_fpuzzles(json.dumps(BLANK | drawn))


def circle(row, column, colour, width=0.85, **more):
    return {
        "center": [row, column], "width": width, "height": width, "rounded": True,
        "backgroundColor": colour, "borderColor": more.pop("borderColor", colour),
    } | more  # fmt: skip


def line(*points, color=GREY, thickness=21):
    return {"wayPoints": [*map(list, points)], "color": color, "thickness": thickness}


# The short form -----------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 99)
    | st.sampled_from(["#000000", "#FFFFFF", "#a1B2c3"])
    | st.text(st.sampled_from("ab,:{}[]'é \n_tf#"), max_size=8),
    lambda inner: st.lists(inner, min_size=1, max_size=3)
    | st.dictionaries(st.sampled_from([*KEYS.values(), "id", "x1"]), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=share(60))
@given(st.dictionaries(st.sampled_from(["cells", "cages", "metadata"]), VALUES, min_size=1))
def test_the_short_form_unzips_to_what_was_zipped(value):
    assert json.loads(unzipped(zipped(value))) == value


def test_a_quote_in_a_text_comes_back_as_an_apostrophe_as_in_sudokupad():
    assert json.loads(unzipped("{t:'a \\'b\\' c\\\\'}")) == {"title": "a 'b' c\\"}
    assert is_zipped("{ce:[]}") and not is_zipped('{"ce":[]}')


PUBLISHED = (  # the head of a puzzle that SudokuPad itself packed, in Sudoku-Bench's notes
    "{id:'sxsm_x',cellSize:50,ce:[[,,,],[,,,],[,,,],[,{v:1},,]],re:[[[0,0],[0,1],[1,0],[1,1]],"
    "[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],"
    "ca:[{v:'title: It\\'s'},{v:'author: M'},{v:'rules: Normal sudoku rules apply.'},"
    "{v:'solution: 3421124341322314'}],metadata:{antiknight:f}}"
)


def test_a_published_puzzle_is_read_with_its_words():
    packed = LZString.compressToBase64(PUBLISHED)
    for text in (f"scl{packed}", f"https://sudokupad.app/ctc{packed}?setting-nogrid=1"):
        assert is_foreign(text)
        found = parse_fpuzzles(text)
        assert (str(found.grid), found.rules) == (".............1..", "classic")
        assert (found.title, found.author, found.warning) == ("It's", "M", None)
        assert str(found.answer) == "3421124341322314"


# Cells, words and rules ---------------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["scl", "ctc"])
def test_givens_marks_and_words_of_a_link(mark, tmp_path):
    digits = [[{"value": d} if d != "0" else {} for d in CLASSIC[i : i + 9].replace(".", "0")]
              for i in range(0, 81, 9)]  # fmt: skip
    digits[0][2] = {"centremarks": [1, "2"], "pencilMarks": ["x"]}
    words = {"title": "T", "author": "A", "rules": ["Normal sudoku rules apply."],
             "solution": CLASSIC_SOLUTION}  # fmt: skip
    value = BLANK | {"cells": digits, "metadata": words, "global": ["antiknight"]}
    found = parse_fpuzzles(link(value, mark))
    assert str(found.grid)[3:] == CLASSIC[3:].replace("0", ".")
    assert (found.rules, found.title, found.author) == ("knight", "T", "A")
    assert (found.noted[2], found.marks, found.warning) == ({1, 2}, None, None)
    assert str(found.answer) == CLASSIC_SOLUTION
    file = tmp_path / "links.txt"
    file.write_text(f"{link(value, mark)}\n{json.dumps(value)}\n")
    assert [(record.rules, record.answer) for record in read_puzzles(str(file))] == [
        ("knight", found.answer)
    ] * 2


def test_rules_of_the_whole_grid():
    stated = read(**{"global": ["antiking", "nonconsecutive", "disjoint", "antixv", "antiratio"]})
    assert stated.rules == (
        "king,nonconsecutive,disjoint;no-ratio=2;no-sum=10;no-sum=5"
    )  # fmt: skip
    assert read(metadata={"antiknight": True}).rules == "knight"
    with pytest.raises(ForeignError, match="global antimagic constraints are not supported"):
        read(**{"global": ["antimagic"]})
    with pytest.raises(ForeignError, match="norowcol constraints are not supported"):
        read(metadata={"norowcol": True})
    with pytest.raises(ForeignError, match="magic constraints are not supported"):
        read(magic=[1])


def test_regions_are_those_that_it_states():
    moved = [[*region] for region in REGIONS]
    moved[0][2], moved[1][0] = moved[1][0], moved[0][2]
    assert read(regions=moved).grid.board.regions is not None
    with pytest.raises(ForeignError, match="unequal size: region 8 has 8 cells, region 0 9"):
        read(regions=[*REGIONS[:8], REGIONS[8][:8]])
    assert (read(regions=[]).rules, read(regions=[]).warning) == ("latin=9", None)
    two = f"{'...000111' * 3}{'.' * 54}"
    assert read(regions=REGIONS[1:3]).rules == f"jigsaw={two}"
    with pytest.raises(ForeignError, match=r"regions: expected lists of cells such as \[0, 8\]"):
        read(regions=[[[0, 0], [0, 0]]])


def test_a_board_may_be_a_rectangle():
    cells = [[{"value": 6}, *[{}] * 5], *[[{}] * 6] * 3]
    boxes = [[[r + i // 3, c + i % 3] for i in range(6)] for r in (0, 2) for c in (0, 3)]
    found = read(cells=cells, regions=boxes)
    assert (found.rules, str(found.grid)) == ("shape=4x6", "6" + "." * 23)
    cage = {"cells": [[3, 5], [3, 4]], "value": "11"}
    arrow = {"wayPoints": [[-0.5, 2.5], [-0.2, 2.8]], "color": "#000"}
    text = {"center": [-0.5, 2.5], "text": "9"}
    found = read(cells=cells, regions=boxes[:2], cages=[cage], arrows=[arrow], overlays=[text])
    assert found.rules == (
        "shape=4x6,jigsaw=000111000111............;cage=11:r4c5,r4c6;little-killer=9:r1c4,r2c5,r3c6"
    )
    with pytest.raises(ForeignError, match="r1c1: value '7', expected a digit 1-6"):
        read(cells=[[{"value": 7}, *[{}] * 5], *[[{}] * 6] * 3], regions=[])


# Clues --------------------------------------------------------------------------------------------

DOT = {"width": 0.3, "height": 0.3, "rounded": True, "borderColor": "#000"}
CASES = [
    ({"cages": [{"cells": [[0, 0], [0, 1]], "value": "10", "unique": True}]}, "cage=10:r1c1,r1c2"),
    ({"cages": [{"cells": [[0, 0], [0, 1]], "value": 10}]}, "cage=10:r1c1,r1c2"),
    ({"cages": [{"cells": [[0, 0], [0, 1]], "unique": True}]}, "cage:r1c1,r1c2"),
    ({"cages": [{"cells": [[0, 2]], "style": "fpColumnIndexer"}]}, "col-index:r1c3"),
    (
        {
            "underlays": [circle(4.5, 4.5, GREY)],
            "lines": [line((4.5, 6.5), (4.5, 4.5)), line((4.5, 4.5), (6.5, 2.5))],
        },
        "thermo:r5c5,r5c6,r5c7;thermo:r5c5,r6c4,r7c3",
    ),
    (
        {
            "overlays": [circle(0.5, 8.5, "#fff", 0.83, borderColor="#a1a1a1")],
            "arrows": [line((0.5, 8.1), (0.5, 7.5), (1.5, 6.5)), line((0.9, 8.5), (2.2, 8.5))],
        },
        "arrow:r1c9>r1c8,r2c7>r2c9,r3c9",
    ),
    (
        {
            "overlays": [circle(0.5, 1.0, "#fff", 1.83, borderColor="#a1a1a1", height=0.83)],
            "arrows": [line((0.9, 1.5), (1.5, 1.5), (2.5, 1.5))],
        },
        "arrow:r1c1,r1c2>r2c2,r3c2",
    ),
    (
        {
            "overlays": [{"center": [-0.5, 6.5], "text": "7"}],
            "arrows": [line((-0.2, 6.8), (-0.02, 6.98), color="#000000", thickness=2)],
        },
        "little-killer=7:r1c8,r2c9",
    ),
    ({"overlays": [DOT | {"center": [8, 4.5], "backgroundColor": "#000"}]}, "ratio=2:r8c5,r9c5"),
    (
        {"overlays": [DOT | {"center": [8.5, 4], "backgroundColor": "#FFFFFF", "text": 3}]},
        "difference=3:r9c4,r9c5",
    ),
    ({"overlays": [{"center": [0.5, 1.0], "text": "X"}]}, "sum=10:r1c1,r1c2"),
    ({"overlays": [{"center": [1.0, 0.5], "text": "v"}]}, "sum=5:r1c1,r2c1"),
    (
        {"overlays": [circle(3, 3, "#fff", 0.7, borderColor="#000", text="1 2\n9")]},
        "quadruple=1,2,9:r3c3,r3c4,r4c3,r4c4",
    ),
    ({"underlays": [circle(0.5, 0.5, "#ccc", 0.7)]}, "odd:r1c1"),
    ({"underlays": [circle(0.5, 0.5, "#ccc", 0.7, rounded=False)]}, "even:r1c1"),
    ({"lines": [line((0, 9), (9, 0), color=BLUE, thickness=2)]}, "region:r1c9,r2c8"),
]


@pytest.mark.parametrize(("drawn", "clues"), CASES)
def test_a_drawing_is_the_clue_that_it_always_stands_for(drawn, clues):
    found = read(**drawn)
    assert found.rules.startswith(f"classic;{clues}")
    assert found.warning is None
    assert parse_fpuzzles(link(BLANK | drawn)) == found


@pytest.mark.parametrize(
    ("drawn", "name"),
    [
        ({"lines": [line((0.5, 0.5), (0.5, 2.5))]}, "line (#cfcfcf)"),
        ({"lines": [line((0, 9), (9, 0), color="#FF0000")]}, "line (#ff0000)"),
        (
            {"lines": [line((0.5, 0.5), (1.5, 2.5))], "underlays": [circle(0.5, 0.5, GREY)]},
            "circle",
        ),
        (
            {  # bulbs at both ends
                "lines": [line((0.5, 0.5), (0.5, 2.5))],
                "underlays": [circle(0.5, 0.5, GREY), circle(0.5, 2.5, GREY)],
            },
            "circle (#cfcfcf), line (#cfcfcf)",
        ),
        (
            {  # a hollow bulb: a slow thermometer, or what the rules say
                "lines": [line((0.5, 0.5), (0.5, 2.5))],
                "underlays": [circle(0.5, 0.5, "#FFFFFF", borderColor=GREY)],
            },
            "circle (#ffffff), line (#cfcfcf)",
        ),
        ({"arrows": [line((0.5, 0.5), (0.5, 2.5))]}, "line (#cfcfcf)"),
        ({"overlays": [{"center": [-0.5, 6.5], "text": "7"}]}, "text (7)"),
        ({"overlays": [DOT | {"center": [8, 4.5], "backgroundColor": "#F00"}]}, "circle (#ff0000)"),
        ({"overlays": [circle(0.5, 0.5, GREY, 0.7)]}, "circle (#cfcfcf)"),
        ({"underlays": [circle(0.5, 0.5, GREY, 0.7, rounded=False, angle=45)]}, "rectangle"),
        ({"cages": [{"cells": [[0, 0]], "value": "A"}]}, "cage (A)"),
        ({"cages": [{"cells": [[0, 0]], "value": "7", "unique": False}]}, "cage (7)"),
        ({"cages": [{"cells": [[0, 0]], "value": "7", "outlineC": "#000"}]}, "cage (7)"),
        ({"cages": [{"cells": [[0, 0]]}]}, "cage"),
        ({"cages": [{"value": "nothing"}]}, "cage (nothing)"),
    ],
)
def test_what_is_drawn_and_not_known_is_named(drawn, name):
    found = read(**drawn)
    assert found.rules == "classic"
    assert found.warning.startswith(f"no text explains the drawings: {name}")


def test_what_cannot_be_seen_and_colours_alone_say_nothing():
    unseen = read(
        lines=[line((0.5, 0.5), (0.5, 2.5), color="#12345600")],
        underlays=[circle(0.5, 0.5, "none"), circle(2.5, 2.5, "#fcc", 1, rounded=False)],
        foglight=[[0, 0]],
        cages=[{"cells": [[0, 0]], "value": "FOGLIGHT"}],
    )
    assert (unseen.rules, unseen.warning) == ("classic", None)


@pytest.mark.parametrize(
    ("colour", "rules", "clue"),
    [
        ("#F067F0", "Renban: digits on a purple line form a set of consecutive digits.", "renban"),
        ("#67f067", "German whispers: digits along a line must differ by at least 5.", "whisper=5"),
        ("#ff9a00", "Dutch whispers: digits along a line must differ by at least 4.", "whisper=4"),
        ("#ffccaa", "Entropic lines.", "entropic"),
    ],
)
def test_a_coloured_line_is_what_the_rules_call_it(colour, rules, clue):
    drawn = {"lines": [line((0.5, 0.5), (0.5, 1.5), (1.5, 2.5), color=colour)]}
    assert colour.lower() in COLOURED
    assert read(**drawn).rules == "classic"
    found = read(**drawn, metadata={"rules": rules})
    assert (found.rules, found.warning) == (f"classic;{clue}:r1c1,r1c2,r2c3", None)


def test_the_rules_of_a_coloured_line_must_say_what_its_kind_says():
    drawn = {"lines": [line((0.5, 0.5), (0.5, 2.5), color="#F067F0")]}
    other = read(**drawn, metadata={"rules": "Renban lines hold only odd digits."})
    assert other.warning.startswith('no constraint states this rule: "Renban lines hold only')


def test_the_text_must_say_no_more_than_the_clues(capsys, tmp_path):
    thermo = {"lines": [line((0.5, 0.5), (0.5, 2.5))], "underlays": [circle(0.5, 0.5, GREY)]}
    text = "Normal sudoku rules apply. Digits increase along thermometers from the bulb."
    assert read(**thermo, metadata={"rules": text}).warning is None
    file = tmp_path / "puzzle.json"
    more = {"metadata": {"rules": text + " No digit may stand in its own row number."}}
    file.write_text(json.dumps(BLANK | thermo | more))
    assert main(["check", str(file)]) == 2
    assert "No digit may stand in its own row number" in capsys.readouterr().err
    assert main(["check", str(file), "--ignore-ruleset"]) == 1
    assert capsys.readouterr().out.endswith("multiple\n")


# Errors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        ({"cells": 5}, "no grid|expected"),
        ({"cells": [5]}, "cells: expected rows of objects"),
        ({"cells": [[{"value": "X"}] * 9] * 9}, "r1c1: value 'X', expected a digit 1-9"),
        ({"regions": [5]}, "regions: expected lists of cells"),
        ({"cages": [5]}, "cages: expected objects such as"),
        ({"cages": [{"cells": [5]}]}, "cages: expected objects such as"),
        ({"cages": [{"cells": [[0, 9]], "value": "5"}]}, "killercage: cell R1C10 is outside"),
        ({"lines": [5]}, "lines: expected objects such as"),
        ({"lines": [{"wayPoints": [[1e300, 0], [0, 0]]}]}, "lines: expected objects such as"),
        ({"arrows": [{"wayPoints": 5}]}, "arrows: expected objects such as"),
        ({"overlays": [{}]}, "overlays: expected objects such as"),
        ({"underlays": [{"center": ["NaN", 0]}]}, "underlays: expected objects such as"),
        ({"metadata": 5}, "metadata: expected an object"),
        ({"global": [[]]}, "global: expected a list of names"),
    ],
)
def test_what_cannot_be_read_is_named(drawn, message):
    with pytest.raises(ForeignError, match=message):
        read(**drawn)


def test_a_line_that_jumps_or_meets_itself_has_no_cells():
    (jump,) = lines_of([line((0.5, 0.5), (1.5, 2.5))])
    (ring,) = lines_of([line((0.5, 0.5), (0.5, 2.5), (2.5, 2.5), (0.5, 0.5))])
    assert jump.cells == ring.cells == ()
    (twice,) = lines_of([line((0.5, 0.5), (0.5, 2.5))] * 2)
    assert twice.cells == ((0, 0), (0, 1), (0, 2))
    (mark,) = marks_of([circle(2.0, 3.0, GREY)] * 2)
    assert mark.beside == ((1, 2), (1, 3), (2, 2), (2, 3)) and mark.cell is None
