"""Links of f-puzzles and SudokuPad: there and back, known ones, and everything that is refused."""

import json
import socket
from random import Random
from urllib.parse import quote

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st
from lzstring import LZString

from satdoku import count, solve
from satdoku.errors import SatdokuError
from satdoku.files.entries import is_fpuzzles
from satdoku.files.fpuzzles import (
    FPuzzlesError,
    format_fpuzzles,
    links,
    parse_fpuzzles,
)
from satdoku.files.fpuzzles.links import LINK, MAX_TEXT
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, format_line, parse_grid
from satdoku.model.rules import RULES, RuleError

ROWS = {"size": 4, "grid": [[{}] * 4] * 4}
# The example of the documentation of the npm package sudoku-formats: a 1 in the upper left corner.
PUBLISHED = (
    "https://f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv"
    "3vyGCRfALrJCwgTOlyJU0XKVKFsles1c1yrRu2S9R+Yd1nVp/Vdk7r58WK5A"
)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    """Nothing here may open a connection."""

    def refuse(*_):
        raise AssertionError("a connection")

    monkeypatch.setattr(socket, "socket", refuse)


def packed(value):
    """An object as the payload of a link, by the library."""
    return LZString.compressToBase64(json.dumps(value, separators=(",", ":")))


def unpacked(link):
    return json.loads(LZString.decompressFromBase64(link.removeprefix(LINK)))


def shuffled_regions(size, seed):
    """A region map without any shape, labels in order of appearance as readers number them."""
    labels = [i % size for i in range(size * size)]
    Random(seed).shuffle(labels)
    index = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return Board(size, regions=tuple(index[label] for label in labels))


# There and back ----------------------------------------------------------------------------------

EXPRESSIBLE = sorted(set(RULES) - {"antiqueen", "jigsaw"})
BOARDS = [
    *(Board.of_size(size) for size in (4, 6, 8, 9, 10, 12, 16, 25)),
    Board(6, 3, 2), Board(12, 2, 6), Board(5, 1, 5), Board(7, 1, 7),
    *(shuffled_regions(size, size) for size in (4, 5, 7, 9, 16)),
]  # fmt: skip


@st.composite
def puzzles(draw):
    """A grid on any board, with rules that the board can have."""
    board = draw(st.sampled_from(BOARDS))
    seed = draw(st.integers())
    digits = Random(seed).choices([0, *range(1, board.size + 1)], k=board.cells)
    names = draw(st.sets(st.sampled_from(EXPRESSIBLE)))
    if board.regions is not None:
        names -= {"windoku", "disjoint"}
    if board.box_rows != board.box_columns:
        names -= {"windoku"}
    return Grid(bytes(digits), board), ",".join(sorted(names))


@settings(max_examples=30, deadline=None)
@given(puzzles(), st.booleans())
def test_what_is_written_reads_back(puzzle, with_marks):
    grid, rules = puzzle
    marks = [{1, grid.board.size}] * grid.board.cells if with_marks else None
    link = format_fpuzzles(grid, rules, candidates=marks, title="Größe", author="我 😀")
    read = parse_fpuzzles(link)
    constraints = constraints_for(rules, grid.board)
    assert (read.grid, read.entered, read.rules) == (grid, grid, constraints.name)
    assert constraints_for(read.rules, read.grid.board) == constraints
    assert (read.title, read.author, read.ruleset) == ("Größe", "我 😀", "")
    wanted = [frozenset() if digit or not marks else marks[0] for digit in grid]
    assert list(read.candidates) == wanted
    assert parse_fpuzzles(json.dumps(unpacked(link))) == read


def test_the_miracle_sudoku_has_its_solution():
    link = format_fpuzzles("." * 38 + "1" + "." * 12 + "2" + "." * 29, "miracle")
    value = unpacked(link)
    assert [key for key, flag in value.items() if flag is True] == [
        "antiknight", "antiking", "nonconsecutive",
    ]  # fmt: skip
    assert value["grid"][4][2] == {"value": 1, "given": True}
    read = parse_fpuzzles(link)
    solution = "483726159726159483159483726837261594261594837594837261372615948615948372948372615"
    assert str(solve(read.grid, read.rules)) == solution


def test_windows_are_extra_regions():
    value = unpacked(format_fpuzzles("." * 81, "windoku"))
    cells = [region["cells"] for region in value["extraregion"]]
    assert cells[0] == ["R2C2", "R2C3", "R2C4", "R3C2", "R3C3", "R3C4", "R4C2", "R4C3", "R4C4"]
    assert len(cells) == 4
    value["extraregion"].reverse()
    value["extraregion"][1]["cells"].reverse()
    assert parse_fpuzzles(packed(value)).rules == "windoku"
    del value["extraregion"][0]
    with pytest.raises(FPuzzlesError, match="the constraint extraregion, expected none but the"):
        parse_fpuzzles(packed(value))


def test_a_rule_that_f_puzzles_has_not_is_not_written():
    with pytest.raises(RuleError, match="f-puzzles cannot say rule 'antiqueen': it knows knight"):
        format_fpuzzles(CLASSIC, "knight,antiqueen")


# Known links -------------------------------------------------------------------------------------


def test_a_published_link():
    read = parse_fpuzzles(PUBLISHED)
    assert (str(read.grid), read.rules) == ("1" + "." * 80, "classic")


def test_the_smallest_board_of_sudokupads_own_tests():
    read = parse_fpuzzles("fpuzzlesN4IgzglgXgpiBcBmANCA5gJwgEwQbT2AF9ljSiBdZQks4qm88iiooA==")
    assert (read.grid.board.size, count(read.grid, read.rules)) == (3, 12)  # Latin squares


def test_flags_regions_values_and_marks():
    value = {
        "size": 4,
        "title": "T",
        "author": "A",
        "ruleset": "Normal rules.",
        "highlightConflicts": True,
        "solution": [1, 2, 3, 4] * 4,
        "grid": [
            [{"region": 0, "value": 1, "given": True}, *[{"region": 0}] * 3],
            [{"region": 1, "value": 3}, *[{"region": 1}] * 3],
            [{"region": 2, "centerPencilMarks": [3, 2], "c": "#fff"}, *[{"region": 2}] * 3],
            [{"region": 3, "cornerPencilMarks": [4]}, *[{"region": 3}] * 3],
        ],
        "diagonal+": True,
        "diagonal-": True,
        "antiknight": False,
        "antiking": True,
        "thermometer": [],
        "text": [{"cells": ["R1C1"], "value": "hi"}],
        "disabledlogic": ["contradictions"],
    }
    read = parse_fpuzzles(packed(value))
    assert read.rules == "king,diagonal,jigsaw=0000111122223333"
    assert (format_line(read.grid), format_line(read.entered)) == (
        "1" + "." * 15,
        "1...3" + "." * 11,
    )
    assert read.candidates[8] == {2, 3}
    assert (read.title, read.author, read.ruleset) == ("T", "A", "Normal rules.")


@pytest.mark.parametrize(
    ("flag", "rule"),
    [("antiknight", "knight"), ("antiking", "king"), ("nonconsecutive", "nonconsecutive"),
     ("disjointgroups", "disjoint")],
)  # fmt: skip
def test_each_flag_is_its_rule(flag, rule):
    assert parse_fpuzzles(packed(ROWS | {flag: True})).rules == rule


def test_boxes_told_as_regions_are_boxes():
    for board in (Board.of_size(9), Board(6, 3, 2), Board(6, 2, 3)):
        n = board.size
        regions = [(board.box_of(i) * 5 + 2) % n for i in range(board.cells)]  # numbered anyhow
        grid = [[{"region": r} for r in regions[i : i + n]] for i in range(0, n * n, n)]
        assert parse_fpuzzles(packed({"size": n, "grid": grid})).grid.board == board


# Ways to write a link ----------------------------------------------------------------------------

PAYLOAD = packed(
    {"size": 9, "grid": [[{"value": int(d), "given": True} if d != "." else {} for d in row]
     for row in (CLASSIC[i : i + 9] for i in range(0, 81, 9))], "antiking": False}
)  # fmt: skip


@pytest.mark.parametrize(
    "link",
    [
        PAYLOAD,
        f" {PAYLOAD}\n",
        PAYLOAD.rstrip("="),
        f"https://f-puzzles.com/?load={PAYLOAD}",
        f"http://www.f-puzzles.com/?foo=1&load={PAYLOAD}&bar=2#end",
        f"https://f-puzzles.com/?load={quote(PAYLOAD, safe='')}",
        f"https://f-puzzles.com/?load={PAYLOAD.replace('+', ' ')}",
        f"https://sudokupad.app/fpuzzles{PAYLOAD}",
        f"https://sudokupad.app/fpuz{quote(PAYLOAD, safe='')}?setting-nogrid=1",
        f"https://beta.sudokupad.app/sudoku/fpuzzles{PAYLOAD}",
        f"https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{quote(PAYLOAD)}",
        f"fpuzzles{PAYLOAD}",
    ],
)
def test_a_link_is_read_however_it_is_written(link):
    assert "+" in PAYLOAD and "/" in PAYLOAD  # or some of these would show nothing
    assert is_fpuzzles(link)
    assert str(parse_fpuzzles(link).grid) == CLASSIC


def test_a_grid_is_no_link():
    # 625 letters of a full 25x25 grid may look like a payload, "N4Ig..." included
    for text in (CLASSIC, CLASSIC_SOLUTION, "N4Ig" + "P" * 621, "", "1 2 | 3 4", "# {", "abc"):
        assert not is_fpuzzles(text)
    for text in ("{", '{"size":4', PAYLOAD, "HTTPS://x"):
        assert is_fpuzzles(text)


# Refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    ["thermometer", "killercage", "arrow", "ratio", "difference", "xv", "odd", "even", "clone",
     "palindrome", "renban", "whispers", "betweenline", "quadruple", "minimum", "maximum",
     "littlekillersum", "sandwichsum", "negative", "somethingnew"],
)  # fmt: skip
def test_other_constraints_are_refused_by_name(key):
    with pytest.raises(FPuzzlesError, match=f"found the constraint {key}, expected none but anti"):
        parse_fpuzzles(packed(ROWS | {key: [{"cells": ["R1C1"]}]}))
    with pytest.raises(FPuzzlesError, match=f"found the constraint antitest, {key}, exp"):
        parse_fpuzzles(packed(ROWS | {key: "x", "antitest": True}))


def test_a_constraint_within_a_cell_is_refused_by_name():
    value = json.loads(json.dumps(ROWS))
    value["grid"][1][2] = {"givenPencilMarks": [1, 2]}
    with pytest.raises(FPuzzlesError, match="the constraint givenPencilMarks in r2c3"):
        parse_fpuzzles(packed(value))
    value["grid"][1][2] = {"givenPencilMarks": None}
    assert parse_fpuzzles(packed(value)).grid == Grid(bytes(16), Board.of_size(4))


@pytest.mark.parametrize("flag", ["diagonal+", "diagonal-"])
def test_one_diagonal_alone_is_refused_unless_both_are_asked_for(flag):
    link = packed(ROWS | {flag: True})
    for rules in (None, "classic", "knight"):
        with pytest.raises(FPuzzlesError, match=rf"{flag[:-1]}\{flag[-1]} alone, expected both"):
            parse_fpuzzles(link, rules)
    assert parse_fpuzzles(link, "diagonal,king").rules == "king,diagonal"


def test_rules_that_are_asked_for_must_have_those_of_the_puzzle():
    link = format_fpuzzles("." * 16, "king,diagonal")
    assert parse_fpuzzles(link, "diagonal,king,knight").rules == "knight,king,diagonal"
    for rules in ("classic", "diagonal", "knight"):
        with pytest.raises(FPuzzlesError, match=f"found the rule king.* none that '{rules}' leave"):
            parse_fpuzzles(link, rules)
    with pytest.raises(FPuzzlesError, match="found a board of 4x4 with boxes"):
        parse_fpuzzles(link, "king,diagonal,jigsaw=1111222233334444")
    with pytest.raises(FPuzzlesError, match="expected a board of 9x9"):
        parse_fpuzzles(link, None, Board())
    with pytest.raises(SatdokuError, match="no rule 'knigth'"):
        parse_fpuzzles(link, "knigth")


def test_disjoint_groups_need_boxes():
    link = packed(unpacked(format_fpuzzles(Grid(bytes(81), BOARDS[-2]))) | {"disjointgroups": True})
    with pytest.raises(FPuzzlesError, match="disjoint needs rectangular boxes"):
        parse_fpuzzles(link)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("https://f-puzzles.com/?id=yhkyz63b", "'yhkyz63b', which names a puzzle kept elsewhere, "),
        ("https://sudokupad.app/4FN8RN9LfN", "expected a link with the whole puzzle in it: noth"),
        ("https://f-puzzles.com/", "found nothing, expected a link with the whole"),
        ("https://sudokupad.app/scf" + PAYLOAD, "SudokuPad's own format 'scf'"),
        ("https://[", "found nothing"),
        (PAYLOAD[:-20], "in the payload, expected more: it is cut off"),
        (PAYLOAD[:50] + "!" + PAYLOAD[50:], "found '!' in the payload, expected letters"),
        ("https://f-puzzles.com/?load=%ff" + PAYLOAD, r"'\\ufffd' in the payload"),
        (LZString.compressToBase64('{"size":9,"grid":[[' + "x" * 30), r"found no JSON \("),
        (LZString.compressToBase64("[" * 100_000), "found no JSON"),
        ("{" + "x" * MAX_TEXT, "characters, expected at most 1,048,576"),
        ("{", "found no JSON"),
        ("{}", "found no grid"),
        ('{"grid":5}', "found no grid"),
        ('{"grid":[]}', "found no grid"),
        ('{"grid":[5]}', "found int in row 1, expected 1 cells"),
        ('{"grid":[[{}],[{}]]}', "found 1 cells in row 1, expected 2"),
        ('{"grid":[[5]]}', "found int as r1c1"),
        ('{"size":4,"grid":[[{}]]}', "found 1 rows, expected 4, as size says"),
        (json.dumps({"grid": [[{}] * 26] * 26}), "found no grid, expected 1 to 25 rows"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(text, message):
    with pytest.raises(FPuzzlesError, match=message) as error:
        parse_fpuzzles(text, source="some.txt", line=7)
    assert str(error.value).startswith("some.txt: line 7, column 1: found ")
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ({"value": 5, "given": True}, r"found value '5' in r1c2, expected a digit 1-4"),
        ({"value": "3"}, "found value '3' in r1c2"),
        ({"value": True}, "found value 'True'"),
        ({"value": -1}, "found value '-1'"),
        ({"value": 1.5}, r"found value '1\.5'"),
        ({"value": [1]}, r"found value '\[1\]'"),
        ({"centerPencilMarks": [5]}, "found mark '5' in r1c2"),
        ({"centerPencilMarks": 5}, "centerPencilMarks that are no list"),
        ({"region": None}, "found region None in r1c2, expected a number"),
        ({"region": "1"}, "found region 1 in r1c2, expected a number"),
        ({"region": [1]}, "found region"),
        ({"region": 3}, "found regions of unequal size"),
        ({"region": 9}, "found 5 regions, expected 4"),
    ],
)
def test_a_cell_that_cannot_be_says_where(cell, message):
    grid = [[{}, cell, {}, {}], *[[{}] * 4] * 3]
    with pytest.raises(FPuzzlesError, match=message):
        parse_fpuzzles(json.dumps({"size": 4, "grid": grid}))


def test_a_payload_that_unpacks_to_too_much_is_stopped(monkeypatch):
    monkeypatch.setattr(links, "MAX_JSON", 1000)
    with pytest.raises(FPuzzlesError, match="found more than 1,000 characters in the payload"):
        parse_fpuzzles(packed(ROWS | {"title": "x" * 5000}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 30) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["cells", "value", "region", "given", "x"]), inner)
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["size", "extraregion", "diagonal+", "antiking", "title", "cage", "odd"]),
        JSON,
    ),
    st.lists(st.dictionaries(st.sampled_from(["value", "region", "given", "c"]), JSON), max_size=4),
)
def test_no_object_raises_anything_else(value, cells):
    row = [*cells, *[{}] * (4 - len(cells))]
    try:
        read = parse_fpuzzles(json.dumps(value | {"grid": [row, *[[{}] * 4] * 3]}))
    except FPuzzlesError as error:
        assert "found " in str(error)
    else:
        assert constraints_for(read.rules, read.grid.board).board.size == 4


@settings(deadline=None)
@given(st.text(max_size=80), st.sampled_from(["", "https://", "https://a/?load=", "N4Ig", "{"]))
def test_no_text_raises_anything_else(text, start):
    with pytest.raises(FPuzzlesError):
        parse_fpuzzles(start + text)


def test_parse_grid_and_json_of_our_own_are_told_apart():
    """`solve -f json` writes digits where f-puzzles has objects."""
    with pytest.raises(FPuzzlesError, match="an object for each cell"):
        parse_fpuzzles(json.dumps({"size": 4, "grid": [[0] * 4] * 4}))
    assert parse_grid("." * 16).board.size == 4
