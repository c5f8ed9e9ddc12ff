"""Links of f-puzzles and SudokuPad: there and back, known ones, and everything that is refused."""

import json
import pickle
import random
import re
import socket
import time
from random import Random
from urllib.parse import quote

import pytest
from clue_examples import OF_LAYERS, random_clue
from examples import CLASSIC, CLASSIC_SOLUTION, fill
from hypothesis import given, settings
from hypothesis import strategies as st
from lzstring import LZString
from soak import share

from satdoku import count, parse_puzzle, read_puzzles, solve
from satdoku.files.foreign import MAX_TEXT, ForeignError, is_foreign
from satdoku.files.fpuzzles import (
    format_fpuzzles,
    format_sudokupad,
    links,
    parse_fpuzzles,
)
from satdoku.files.fpuzzles.clues import DENIALS, KEYS
from satdoku.files.fpuzzles.links import LINK
from satdoku.files.fpuzzles.words import is_stated, unstated_rules
from satdoku.model.board import Board, BoardError
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, format_line, parse_grid
from satdoku.model.kinds import KINDS, clue_of
from satdoku.model.rules import RULES, RuleError
from satdoku.model.words import sayings
from satdoku.runtime.errors import SatdokuError

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


LzString = LZString.compressToBase64


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

EXPRESSIBLE = sorted(set(RULES) - {"antiqueen"})
BOARDS = [
    *(Board.of_size(size) for size in (4, 6, 8, 9, 10, 12, 16, 25)),
    Board(6, 3, 2), Board(12, 2, 6), Board.latin(5), Board.latin(9),
    *(shuffled_regions(size, size) for size in (4, 5, 7, 9, 16)),
]  # fmt: skip


@st.composite
def puzzles(draw):
    """A grid on any board, with rules that the board can have."""
    board = draw(st.sampled_from(BOARDS))
    seed = draw(st.integers())
    digits = Random(seed).choices([0, *range(1, board.size + 1)], k=board.cells)
    names = draw(st.sets(st.sampled_from(EXPRESSIBLE)))
    if board.regions is not None or not board.has_boxes:
        names -= {"windoku", "disjoint"}
    if board.box_rows != board.box_columns:
        names -= {"windoku"}
    return Grid(bytes(digits), board), ",".join(sorted(names))


@settings(max_examples=share(30), deadline=None)
@given(puzzles(), st.booleans())
def test_what_is_written_reads_back(puzzle, with_marks):
    grid, rules = puzzle
    marks = [{1, grid.board.size}] * grid.board.cells if with_marks else None
    link = format_fpuzzles(grid, rules, candidates=marks, title="Größe", author="我 😀")
    read = parse_fpuzzles(link)
    constraints = constraints_for(rules, grid.board)
    assert (read.grid, read.entered, read.rules) == (grid, grid, constraints.name)
    assert constraints_for(read.rules, read.grid.board) == constraints
    assert (read.title, read.author, read.words) == ("Größe", "我 😀", "")
    wanted = [frozenset() if digit or not marks else marks[0] for digit in grid]
    assert list(read.noted) == wanted
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
    value["extraregion"] += [{"cells": ["R1C1", "R5C5"]}]
    assert parse_fpuzzles(packed(value)).rules == "windoku;distinct:r1c1,r5c5"
    del value["extraregion"][0]
    assert parse_fpuzzles(packed(value)).rules.count(";region:") == 3


def test_a_rule_that_f_puzzles_has_not_is_not_written():
    with pytest.raises(RuleError, match="f-puzzles has no rule 'antiqueen'; it has knight"):
        format_fpuzzles(CLASSIC, "knight,antiqueen")


# Clues -------------------------------------------------------------------------------------------

WRITTEN = sorted({key.kind for key in KEYS} & KINDS.keys())
NO_KEY = sorted(KINDS.keys() - {key.kind for key in KEYS} - DENIALS)


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_clue_of_every_kind_that_f_puzzles_has_reads_back(kind):
    """The example of the kind, and random clues; those that f-puzzles cannot state are refused."""
    rng = random.Random(kind)
    special = {"sum": "x:r1c1,r1c2", "little-killer": "little-killer=40:r1c2-r8c9"}
    rules = constraints_for(special.get(kind, KINDS[kind].example))
    read = parse_fpuzzles(format_fpuzzles("." * 81, rules))
    assert (read.rules, read.warning) == (rules.name, None)
    for _ in range(3):
        text = clue_of(random_clue(rng, kind, 9), Board()).text(Board())
        try:
            link = format_fpuzzles("." * 81, text)
        except ClueError as error:
            assert "f-puzzles cannot state the clue" in str(error)
            assert kind in ("sum", "modular", "little-killer", "sandwich", "x-sum", "skyscraper")
        else:
            found, wanted = constraints_for(parse_fpuzzles(link).rules), constraints_for(text)
            assert found == wanted or kind == "clone"
            assert found.exclusions == wanted.exclusions


@pytest.mark.parametrize("kind", NO_KEY)
def test_a_clue_of_another_kind_is_not_written(kind):
    alone = f"or:(odd:r1c1),({KINDS[kind].example})" if kind == "and" else KINDS[kind].example
    if kind in OF_LAYERS:
        with pytest.raises(SatdokuError, match="layer area"):
            format_fpuzzles("." * 81, f"layer=area:1-9;{alone}")
        return
    with pytest.raises(ClueError, match=r"f-puzzles has no clue '.*'; it has odd, even, min"):
        format_fpuzzles("." * 81, alone)


@pytest.mark.parametrize(
    ("stated", "clues"),
    [
        ({"odd": [{"cell": "R1C1"}, {"cell": "r4c4"}]}, "odd:r1c1,r4c4"),
        ({"even": [{"cell": "R1C1"}]}, "even:r1c1"),
        ({"minimum": [{"cell": "R1C1"}, {"cell": "R1C2"}]}, "minimum:r1c1,r1c2"),
        ({"rowindexer": [{"cells": ["R1C1", "R2C1"]}, {"cells": ["R3C3"]}]},
         "row-index:r1c1,r2c1,r3c3"),
        ({"difference": [{"cells": ["R1C2", "R1C1"]}, {"cells": ["R2C1", "R3C1"], "value": "2"}]},
         "difference=1:r1c1,r1c2;difference=2:r2c1,r3c1"),
        ({"ratio": [{"cells": ["R1C1", "R1C2"], "value": ""},
                    {"cells": ["R2C1", "R3C1"], "value": 3}]},
         "ratio=2:r1c1,r1c2;ratio=3:r2c1,r3c1"),
        ({"xv": [{"cells": ["R1C1", "R1C2"], "value": "v"}, {"cells": ["R3C1", "R3C2"]}]},
         "sum=5:r1c1,r1c2"),
        ({"thermometer": [{"lines": [["R2C1", "R1C1"], ["R2C1", "R3C1", "R3C2"], ["R4C4"]]}]},
         "thermo:r2c1,r1c1;thermo:r2c1,r3c1,r3c2"),
        ({"whispers": [{"lines": [["R1C1", "R1C2"]]}]}, "whisper=2:r1c1,r1c2"),
        ({"whispers": [{"lines": [["R1C1", "R1C2"]], "value": "1"}]}, "whisper=1:r1c1,r1c2"),
        ({"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R3C2", "R3C3"]}]},
         "clone:r1c1,r1c2>r3c2,r3c3"),
        ({"extraregion": [{"cells": ["R1C1", "R2C2", "R3C4", "R4C3"]}, {"cells": ["R1C1"]},
                          {"cells": ["R4C4", "R1C2"]}]},
         "distinct:r1c2,r4c4;region:r1c1,r2c2,r3c4,r4c3"),
        ({"killercage": [{"cells": ["R1C1", "R1C2"], "value": "5"}, {"cells": ["R2C1", "R3C1"]}]},
         "cage:r2c1,r3c1;cage=5:r1c1,r1c2"),
        ({"arrow": [{"cells": ["R1C1"], "lines": [["R1C1", "R1C2"], ["R1C1", "R2C1", "R3C1"]]}]},
         "arrow:r1c1>r1c2>r2c1,r3c1"),
        ({"quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, 1, 2]}]},
         "quadruple=1,1,2:r1c1,r1c2,r2c1,r2c2"),
        ({"littlekillersum": [{"cell": "R0C1", "cells": ["R1C2"], "direction": "DR", "value": "9"},
                              {"cell": "R5C3", "direction": "UL", "value": "8"},
                              {"cell": "R5C3", "direction": "UL", "value": ""}]},
         "little-killer=8:r4c2,r3c1;little-killer=9:r1c2,r2c3,r3c4"),
        ({"sandwichsum": [{"cell": "R0C2", "value": 0}, {"cell": "R1C0"}]}, "sandwich=0:col2"),
        ({"xsum": [{"cell": "R3C5", "value": "7"}]}, "x-sum=7:-row3"),
        ({"skyscraper": [{"cell": "R5C3", "value": "2"}]}, "skyscraper=2:-col3"),
    ],
)  # fmt: skip
def test_each_key_is_its_clue(stated, clues):
    if not all(clue.split(":")[0].split("=")[0] in KINDS for clue in clues.split(";")):
        pytest.skip("a kind that satdoku has not")
    assert parse_fpuzzles(packed(ROWS | stated)).rules == f"classic;{clues}"


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ({"odd": [{"cell": "R5C1"}]}, "odd: cell R5C1 is outside the board of 4x4"),
        ({"odd": [{"cells": ["R1C1"]}]}, 'odd: expected a list of objects such as {"cell": "R1'),
        ({"odd": 5}, "odd: expected a list of objects"),
        ({"odd": ["R1C1"]}, "odd: expected a list of objects"),
        ({"thermometer": [{"lines": ["R1C1"]}]}, "thermometer: cell 'R': expected R1C1"),
        ({"thermometer": [{"lines": [["R1C1", "R1C2", "R1C1"]]}]},
         "thermometer: r1c1 stands twice, and no digit goes with itself"),
        ({"thermometer": [{"lines": [["R1C1", 5]]}]}, "thermometer: expected a list"),
        ({"difference": [{"cells": ["R1C1", "R1C2"], "value": "4"}]},
         "difference: value '4': expected a number from 1 to 3"),
        ({"xv": [{"cells": ["R1C1", "R1C2"], "value": "W"}]}, "xv: value 'W': expected a number"),
        ({"clone": [{"cells": ["R1C1"], "cloneCells": []}]}, "clone: 0 cells"),
        ({"entropicline": [{"lines": [["R1C1", "R1C2"]]}]}, "entropicline: 4 digits do not fall"),
        ({"negative": ["xv", "kropki"]}, "negative kropki is not supported; supported: ratio, xv"),
        ({"negative": True}, "negative is true or false, expected a list of names"),
        ({"negative": ["xv"], "xv": [{"cells": ["R1C1", "R1C2"]}]},
         "xv: a mark without X or V cannot be heeded beside a negative xv"),
        ({"antiking": True, "disjointgroups": True,
          "grid": [[{"region": (r + c) % 4} for c in range(4)] for r in range(4)]},
         "its board cannot have the rules king, disjoint"),
    ],
)  # fmt: skip
def test_a_clue_that_cannot_be_says_why(stated, message):
    with pytest.raises(ForeignError) as error:
        parse_fpuzzles(json.dumps(ROWS | stated))
    assert str(error.value).startswith(f"puzzle: line 1: {message}")


WHITE, BLACK = {"cells": ["R1C1", "R1C2"]}, {"cells": ["R2C2", "R3C2"]}
X = {"cells": ["R1C1", "R2C1"], "value": "V"}


@pytest.mark.parametrize(
    ("stated", "rules"),
    [
        ({"nonconsecutive": True}, "nonconsecutive"),
        ({"nonconsecutive": True, "ratio": [BLACK]},
         "classic;no-difference=1;ratio=2:r2c2,r3c2"),
        ({"negative": ["ratio"]}, "classic;no-ratio=2"),
        ({"negative": ["ratio"], "ratio": [BLACK | {"value": "3"}]},
         "classic;no-ratio=3;ratio=3:r2c2,r3c2"),
        ({"negative": ["ratio"], "nonconsecutive": True, "difference": [WHITE], "ratio": [BLACK]},
         "classic;difference=1:r1c1,r1c2;no-difference=1;no-ratio=2;ratio=2:r2c2,r3c2"),
        ({"negative": ["xv"], "xv": [X]}, "classic;no-sum=5;sum=5:r1c1,r2c1"),
    ],
)  # fmt: skip
def test_what_is_denied_of_neighbours(stated, rules):
    """Each puzzle has the solutions that plain loops count, and is written as it was read."""
    read = parse_fpuzzles(json.dumps(ROWS | stated))
    assert read.rules == rules

    def value(a, b):
        names = [f"R{i // 4 + 1}C{i % 4 + 1}" for i in (a, b)]
        marks = [
            (key, mark) for key in ("difference", "ratio", "xv") for mark in stated.get(key, [])
        ]
        return {key: mark.get("value", "") for key, mark in marks if mark["cells"] == names}

    ratios = {int(mark.get("value", 2)) for mark in stated.get("ratio", [])} or {2}
    good = 0
    for grid in fill(bytes(16), 0):
        for a, b in Board.of_size(4).adjacent_pairs:
            x, y, joined = grid[a], grid[b], value(a, b)
            dot = {"difference", "ratio"} & joined.keys()
            times = max(x, y) / min(x, y)
            wrong = (
                (not dot and "nonconsecutive" in stated and abs(x - y) == 1)
                or (not dot and "ratio" in stated.get("negative", []) and times in ratios)
                or ("xv" not in joined and "xv" in stated.get("negative", []) and x + y == 5)
                or ("difference" in joined and abs(x - y) != 1)
                or ("ratio" in joined and times != int(joined["ratio"] or 2))
                or ("xv" in joined and x + y != 5)
            )
            if wrong:
                break
        else:
            good += 1
    assert count(read.grid, read.rules) == good
    assert parse_fpuzzles(format_fpuzzles(read.grid, read.rules)).rules == rules


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ("no-sum=5", "cannot state no-sum=5: it denies differences of 1 where no dot is"),
        ("no-ratio=3", "cannot state no-ratio=3"),
        ("no-difference=2", "cannot state no-difference=2"),
        ("nonconsecutive;white:r1c1,r1c2", "cannot state nonconsecutive"),
        ("minimum:r1c1;minimum:r1c2", "takes all cells of minimum for one clue: join the clues"),
        ("sum=7:r1c1,r1c2", "cannot state the clue sum=7:r1c1,r1c2"),
        ("modular=4:r1c1,r1c2", "cannot state the clue modular=4:r1c1,r1c2"),
    ],
)
def test_what_f_puzzles_cannot_state_is_not_written(rules, problem):
    with pytest.raises(ClueError, match=f"f-puzzles {problem}"):
        format_fpuzzles("." * 81, rules)


def test_rules_that_are_asked_for_must_have_the_clues_of_the_puzzle():
    link = format_fpuzzles("." * 16, "thermo:r1c1,r1c2")
    assert parse_fpuzzles(link, "king;thermo:r1c1,r1c2").rules == "king;thermo:r1c1,r1c2"
    with pytest.raises(ForeignError, match="has the rules thermo:r1c1,r1c2, 'king' lacks them"):
        parse_fpuzzles(link, "king")


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
    assert read.noted[8] == {2, 3}
    assert (read.title, read.author, read.words) == ("T", "A", "Normal rules.")


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
    assert is_foreign(link)
    assert str(parse_fpuzzles(link).grid) == CLASSIC


def test_a_grid_is_no_link():
    # 625 letters of a full 25x25 grid may look like a payload, "N4Ig..." included
    for text in (CLASSIC, CLASSIC_SOLUTION, "N4Ig" + "P" * 621, "", "1 2 | 3 4", "# {", "abc"):
        assert not is_foreign(text)
    for text in ("{", '{"size":4', PAYLOAD, "HTTPS://x"):
        assert is_foreign(text)


# Refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    ["rellik", "somethingnew"],
)
def test_other_constraints_are_refused_by_name(key):
    with pytest.raises(ForeignError, match=f": {key} constraints are not supported; supported: a"):
        parse_fpuzzles(packed(ROWS | {key: [{"cells": ["R1C1"]}]}))
    with pytest.raises(ForeignError, match=f": antitest, {key} constraints are not supported"):
        parse_fpuzzles(packed(ROWS | {key: "x", "antitest": True}))


def test_a_clue_within_a_cell_is_refused_by_name():
    value = json.loads(json.dumps(ROWS))
    value["grid"][1][2] = {"parity": "odd"}
    with pytest.raises(ForeignError) as error:
        parse_fpuzzles(packed(value))
    assert str(error.value) == (
        "puzzle: line 1: r2c3: parity clues are not supported; supported in a cell: "
        "value, given, region, givenPencilMarks, centerPencilMarks"
    )
    value["grid"][1][2] = {"parity": None}
    assert parse_fpuzzles(packed(value)).grid == Grid(bytes(16), Board.of_size(4))


@pytest.mark.parametrize(
    ("flag", "cells"),
    [("diagonal+", "r1c4,r2c3,r3c2,r4c1"), ("diagonal-", "r1c1,r2c2,r3c3,r4c4")],
)
def test_one_diagonal_alone_is_a_region(flag, cells):
    link = packed(ROWS | {flag: True})
    assert parse_fpuzzles(link).rules == f"classic;region:{cells}"
    assert parse_fpuzzles(link, "diagonal,king").rules == "king,diagonal"
    for rules in ("classic", "knight"):
        with pytest.raises(ForeignError, match=f"has the rules region:{cells}, '{rules}' lacks"):
            parse_fpuzzles(link, rules)
    assert unpacked(format_fpuzzles("." * 16, f"region:{cells}"))[flag] is True


def test_rules_that_are_asked_for_must_have_those_of_the_puzzle():
    link = format_fpuzzles("." * 16, "king,diagonal")
    assert parse_fpuzzles(link, "diagonal,king,knight").rules == "knight,king,diagonal"
    for rules in ("classic", "diagonal", "knight"):
        with pytest.raises(ForeignError, match=f"has the rules .*king.*, '{rules}' lacks them"):
            parse_fpuzzles(link, rules)
    with pytest.raises(ForeignError, match="found a board of 4x4 with boxes"):
        parse_fpuzzles(link, "king,diagonal,jigsaw=1111222233334444")
    with pytest.raises(ForeignError, match="expected a board of 9x9"):
        parse_fpuzzles(link, None, Board())
    with pytest.raises(SatdokuError, match="no rule 'knigth'"):
        parse_fpuzzles(link, "knigth")


def test_disjoint_groups_need_boxes():
    link = packed(unpacked(format_fpuzzles(Grid(bytes(81), BOARDS[-2]))) | {"disjointgroups": True})
    with pytest.raises(ForeignError, match="disjoint needs rectangular boxes"):
        parse_fpuzzles(link)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("https://f-puzzles.com/?id=yhkyz63b", "column 27: 'yhkyz63b' names a puzzle that is kept"),
        ("https://sudokupad.app/4FN8RN9LfN", "column 23: '4FN8RN9LfN' names a puzzle that is kept"),
        ("https://f-puzzles.com/", "no puzzle in it: nothing is fetched, use a link that holds"),
        ("https://sudokupad.app/scf" + PAYLOAD, "column 23: SudokuPad's format 'scf' is not"),
        ("https://[", "no puzzle in it"),
        (LzString("[" * 100_000), "JSON that is too large or nested too deep"),
        (LzString('{"size":9,"grid":[[' + "x" * 30), "expecting value, at character 20 of the"),
        (LzString(json.dumps([*range(40)])), ": found a list, expected an object with grid"),
        ("{" + "x" * MAX_TEXT, "1,048,577 characters are too many: at most 1,048,576 are read"),
        ("{", "line 7, column 2: no JSON object: expecting property name"),
        ('{"size": 4,\n "grid": [[\n  {"value": 01}', "line 9, column 14: no JSON object: expec"),
        ("{}", "line 7: no grid: expected 2 to 25 rows of cells"),
        ('{"grid":5}', "no grid"),
        ('{"grid":[]}', "no grid"),
        ('{"grid":[5,5]}', "row 1 of grid is a number, expected 2 cells"),
        ('{"grid":[[{}],[{},{}]]}', "row 1 of grid has 1 cell, expected 2"),
        (json.dumps({"size": 8, "grid": [[{}] * 8] * 6}), "grid has 6 rows, but size is 8"),
        (json.dumps({"grid": [[{}] * 6, [{}] * 6, [{}] * 5]}), "row 3 of grid has 5 cells, expect"),
        ('{"grid":[[5,{}],[{},{}]]}', "r1c1 is a number, expected an object for each cell"),
        ('{"size":4,"grid":[[],[]]}', "grid has 2 rows, but size is 4"),
        (json.dumps({"grid": [[{}] * 26] * 26}), "no grid: expected 2 to 25 rows"),
        ('{"grid":[[{"\\u001b[31mred":1},{}],[{},{}]]}', r"r1c1: \\x1b\[31mred clues are not"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_where_and_why(text, message):
    with pytest.raises(ForeignError, match=message) as error:
        parse_fpuzzles(text, source="some.txt", line=7)
    assert str(error.value).startswith(f"some.txt: line {error.value.line}")
    assert str(error.value).isprintable() and len(str(error.value)) < 350
    again = pickle.loads(pickle.dumps(error.value))  # as a worker process hands it over
    assert (str(again), again.line, again.column) == (
        str(error.value), error.value.line, error.value.column,
    )  # fmt: skip


@pytest.mark.parametrize("before", ["", "  ", "https://f-puzzles.com/?a=b&load=", "fpuzzles"])
@pytest.mark.parametrize("coded", [False, True])
def test_the_column_of_a_bad_character_is_where_it_stands_in_the_link(before, coded):
    place = PAYLOAD.index("+") + 3  # so that something stands coded before it
    good = PAYLOAD[:place], PAYLOAD[place:]
    parts = [quote(part, safe="") if coded else part for part in good]
    with pytest.raises(ForeignError, match="found '!', expected letters") as error:
        parse_fpuzzles(f"{before}{parts[0]}!{parts[1]}", line=3)
    assert (error.value.line, error.value.column) == (3, len(before + parts[0]) + 1)
    short = parts[0] + parts[1][:-20].rstrip("%2F")
    with pytest.raises(ForeignError, match="expected more: it is cut off") as error:
        parse_fpuzzles(before + short)
    assert error.value.column == len(before + short) + 1


def test_the_column_of_a_link_in_a_field_counts_from_the_start_of_its_line(tmp_path):
    name = tmp_path / "links.csv"
    bad = LINK + PAYLOAD[:50] + "!" + PAYLOAD[50:]
    place = 2 + len(LINK) + 50 + 1
    name.write_text(f"id,puzzle\n7,{bad}\n8,{packed(ROWS | {'rellik': [1]})}\n")
    first, second = (bad.error for bad in read_puzzles(str(name)))
    assert str(first).startswith(f"{name}: line 2, column {place}: the payload cannot be unpack")
    assert str(second).startswith(f"{name}: line 3: rellik constraints are not supported; ")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ({"value": 5, "given": True}, "line 1: r1c2: value '5', expected a digit 1-4"),
        (
            {"value": 0, "given": True},
            r"r1c2: value '0', expected a digit 1-4 \(--rules digits=... tells others\)",
        ),
        ({"value": "3"}, "r1c2: value '3', expected"),
        ({"value": True}, "r1c2: value 'True'"),
        ({"value": -1}, "r1c2: value '-1'"),
        ({"value": 1.5}, r"r1c2: value '1\.5'"),
        ({"value": [1]}, r"r1c2: value '\[1\]'"),
        ({"centerPencilMarks": [5]}, "r1c2: centerPencilMarks '5', expected a digit 1-4"),
        ({"centerPencilMarks": 5}, "r1c2: centerPencilMarks is a number, expected a list"),
        ({"givenPencilMarks": [0, 7]}, "r1c2: givenPencilMarks '7', expected a digit 1-4"),
        ({"givenPencilMarks": "12"}, "r1c2: givenPencilMarks is a text, expected a list"),
        ({"region": "1"}, "r1c2: region '1', expected a number"),
        ({"region": [1]}, "r1c2: region"),
        ({"region": 3}, "regions of unequal size"),
        ({"region": 9}, "regions of unequal size: region 9 has 1 cell, region 1 4"),
    ],
)
def test_a_cell_that_cannot_be_says_where(cell, message):
    grid = [[{}, cell, {}, {}], *[[{}] * 4] * 3]
    with pytest.raises(ForeignError, match=message):
        parse_fpuzzles(json.dumps({"size": 4, "grid": grid}))


def four_by_four(cells):
    return parse_fpuzzles(packed({"size": 4, "grid": cells}))


def test_a_region_of_null_is_none():
    read = four_by_four([[{"region": None} for _ in range(4)] for _ in range(4)])
    assert (read.grid.board, read.rules) == (Board.latin(4), "latin=4")


def test_cells_may_lie_in_no_region():
    cells = [[{"region": 7 if row == column else None} for row in range(4)] for column in range(4)]
    read = four_by_four(cells)
    regions = tuple(0 if cell % 5 == 0 else -1 for cell in range(16))
    assert read.grid.board == Board(4, regions=regions)
    assert read.rules == "shape=4x4,jigsaw=0....0....0....0"
    again = four_by_four(unpacked(format_fpuzzles(read.grid, read.rules))["grid"])
    assert again.grid.board == read.grid.board
    cells[0][0]["region"] = None  # a smaller region has fewer digits
    assert four_by_four(cells).rules == "shape=4x4,jigsaw=.....0....0....0"
    cells[0][1]["region"] = 3
    with pytest.raises(ForeignError, match="unequal size: region 3 has 1 cell, region 7 3"):
        four_by_four(cells)


def test_a_region_of_null_states_nothing_where_every_absent_key_is_null():
    cells = [[{"region": None, "value": None} for _ in range(4)] for _ in range(4)]
    cells[0][0]["region"] = 0
    read = four_by_four(cells)
    assert (read.grid.board, read.rules) == (Board.of_size(4), "classic")


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Normal sudoku rules apply.", False),
        ("Place the digits 1-4 once in every row and column.", True),
        ("Normal latin square rules apply. There are no boxes.", True),
        ("Fill each row, column and box with the digits 1-4.", False),
    ],
)
def test_the_rules_of_sudoku_are_not_those_of_a_board_without_its_boxes(text, stated):
    value = {"size": 4, "grid": [[{"region": None}] * 4] * 4, "ruleset": text}
    assert (parse_fpuzzles(packed(value)).warning is None) == stated


@pytest.mark.parametrize("size", [5, 9])
def test_boards_without_boxes_come_back(size):
    link = format_fpuzzles("1" + "." * (size**2 - 1), f"latin={size}")
    assert (parse_fpuzzles(link).rules, parse_fpuzzles(link).grid.board) == (
        f"latin={size}", Board.latin(size),
    )  # fmt: skip
    assert ("region" in unpacked(link)["grid"][0][0]) == (
        size == 9
    )  # as in f-puzzles, 5x5 has none


# Other boards -----------------------------------------------------------------------------------


@st.composite
def boards(draw):
    """Squares and rectangles, with boxes, with regions for some cells, or without any."""
    height, width = draw(st.integers(2, 16)), draw(st.integers(2, 16))
    kind = draw(st.sampled_from(["usual", "none", "some"]))
    if kind == "usual":
        return Board.of_shape(height, width)
    if kind == "none":
        return Board(width, 1, width, height=height)
    size = draw(st.integers(1, max(height, width)))
    cells = draw(st.permutations(range(height * width)))
    regions = [-1] * (height * width)
    for number in range(draw(st.integers(1, height * width // size))):
        for cell in cells[number * size : (number + 1) * size]:
            regions[cell] = number
    index = {region: i for i, region in enumerate(dict.fromkeys(r for r in regions if r >= 0))}
    index[-1] = -1
    try:
        return Board.of_regions(tuple(index[region] for region in regions), width, height)
    except BoardError:  # whole regions of a square that are no boxes, of another size than it
        return Board.of_shape(height, width)


@settings(max_examples=share(60), deadline=None)
@given(boards(), st.randoms(use_true_random=False))
def test_boards_of_every_shape_come_back(board, dice):
    digits = bytes(dice.choices(range(len(board.digits) + 1), k=board.cells))
    grid, constraints = Grid(digits, board), constraints_for("classic", board)
    if board.is_square:
        read = parse_fpuzzles(format_fpuzzles(grid, constraints, title="T"))
        assert (read.grid, read.constraints, read.title) == (grid, constraints, "T")
    else:
        with pytest.raises(RuleError, match="f-puzzles has squares only"):
            format_fpuzzles(grid, constraints)
    link = format_sudokupad(grid, constraints, author="A")
    read = parse_fpuzzles(link)
    assert (read.grid, read.constraints, read.author) == (grid, constraints, "A")
    assert is_foreign(link)


def test_requested_rules_tell_digits():
    value = {
        "size": 4,
        "grid": [[{"value": 0, "given": True}, {"value": 3}, {}, {}], *[[{}] * 4] * 3],
    }
    value["grid"][1] = [{"givenPencilMarks": [0, 2]}, {}, {}, {}]
    value["solution"] = "0321213030121203"
    rules = "digits=0-3,shape=4x4"
    read = parse_puzzle(json.dumps(value), rules)
    assert (read.grid.values[:2], read.constraints) == ((0, None), constraints_for(rules))
    assert read.answer is not None and read.answer.values[:4] == (0, 3, 2, 1)
    assert read.marks[4] == {1, 3}  # positions
    assert solve(read).values[0] == 0
    assert bytes(parse_fpuzzles(json.dumps(value), rules, read.grid.board).entered[:2]) == b"\1\4"
    with pytest.raises(ForeignError, match="value '0', expected a digit 1-4"):
        parse_puzzle(json.dumps(value))
    with pytest.raises(ForeignError, match="its regions make no board"):
        parse_puzzle(json.dumps(value), "digits=0-2,shape=4x4,no-rows,no-columns,boxes=1x4")


@pytest.mark.parametrize(("rules", "cells", "problem"), [
    ("shape=4x4,digits=0-3", 16, "no digits 0-3 on 4x4"),
    ("shape=4x6,digits=1-8", 24, "no digits 1-8 on 4x6"),
    ("layer=shade:0-1", 81, "no layer shade"),
    ("samurai", 369, "no several grids"),
    ("shape=4x4;holes:r1c1", 15, "no several grids, and no holes"),
    ("shape=4x6,no-columns", 24, r"no rows or columns that repeat digits \(columns\)"),
])  # fmt: skip
def test_a_board_that_no_link_states_is_named(rules, cells, problem):
    with pytest.raises(RuleError, match=f"f-puzzles and SudokuPad have {problem}"):
        format_sudokupad("." * cells, rules)


def test_diagonals_need_a_square():
    value = {"grid": [[{}] * 6] * 4, "diagonal+": True}
    with pytest.raises(ForeignError, match=r"diagonal\+: a board of 4x6 .* has no such houses"):
        parse_fpuzzles(json.dumps(value))


# Marks of the setter -----------------------------------------------------------------------------


def test_marks_of_the_setter_restrict_their_cells():
    value = json.loads(json.dumps(ROWS))
    value["grid"][0][0] = {"givenPencilMarks": [2, 1], "value": 3}  # the 3 is a player's
    value["grid"][0][1] = {"givenPencilMarks": []}
    value["grid"][2][3] = {"value": 4, "given": True, "givenPencilMarks": [3, 4]}
    read = parse_fpuzzles(packed(value))
    every = frozenset({1, 2, 3, 4})
    assert read.marks == ({1, 2}, *[every] * 10, {3, 4}, *[every] * 4)
    rows = [read.mark_bytes[i : i + 4] for i in range(0, 64, 4)]
    assert rows == [b"\1\1\0\0", *[b"\1\1\1\1"] * 10, b"\0\0\0\1", *[b"\1\1\1\1"] * 4]
    value["grid"][2][3]["givenPencilMarks"] = [3]  # a given that its marks exclude
    assert parse_fpuzzles(packed(value)).mark_bytes[44:48] == bytes(4)
    assert parse_fpuzzles(packed(ROWS)).marks is parse_fpuzzles(packed(ROWS)).mark_bytes is None
    value["grid"][0][0] = value["grid"][2][3] = {"givenPencilMarks": None}
    assert parse_fpuzzles(packed(value)).marks is None


# Rules in words and drawings ---------------------------------------------------------------------

CIRCLE = {"circle": [{"cells": ["R1C1"], "width": 0.5}]}


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("", ""),
        (" \n", ""),
        ("Normal sudoku rules apply.", ""),
        ("Standard Sudoku Rules Apply!", ""),
        ("NORMAL RULES", ""),
        ("Sudoku rules apply", ""),
        ("Classic 9x9 sudoku.", ""),
        ("Fill the grid with the digits 1-9 so that each row, column and 3x3 box contains "
         "each digit exactly once.", ""),
        ("Place the digits 1 to 9 once in every row, every column and every box.", ""),
        ("Digits may not repeat in any row, column, or box. Have fun!", ""),
        ("Each row, column and region must contain the numbers 1–9 once.", ""),
        ("Normal sudoku rules apply. Cells separated by a knight's move cannot contain the same "
         "digit.", "knight"),
        ("Normal sudoku rules apply, plus anti-knight and antiking.", "knight,king"),
        ("Normal sudoku rules apply.\nAnti-Knight: Cells a knight’s move apart cannot contain the "
         "same digit.\nAnti-King: Cells a king’s move apart cannot contain the same digit.\n"
         "Orthogonally adjacent cells cannot contain consecutive digits.", "miracle"),
        ("Normal sudoku rules apply. Identical digits cannot be a knight's move apart.", "knight"),
        ("The digits 1-9 also appear... no", None),
        ("Normal sudoku rules apply. Digits cannot repeat on either of the main diagonals.",
         "diagonal"),
        ("Both diagonals contain the digits 1-9 once.", "diagonal"),
        ("Windoku: the four shaded windows also contain the digits 1-9.", "windoku"),
        ("Normal sudoku rules apply. Disjoint groups apply.", "disjoint"),
    ],
)  # fmt: skip
def test_a_text_that_restates_the_constraints_is_no_news(text, rules):
    link = packed(unpacked(format_fpuzzles("." * 81, rules or "")) | {"ruleset": text})
    read = parse_fpuzzles(link)
    assert (read.warning is None) == (rules is not None), read.warning
    if rules:  # the same words where the constraint is off, on in the command, and off again
        other = packed(unpacked(format_fpuzzles("." * 81)) | {"ruleset": text})
        assert "no constraint states this rule" in parse_fpuzzles(other).warning
        assert parse_fpuzzles(other, rules).warning is None


@pytest.mark.parametrize(
    "text",
    [
        "Normal sudoku rules do not apply.",
        "Normal sudoku rules apply except in box 5.",
        "Normal sudoku rules apply. Along thermometers, digits increase from the bulb.",
        "Digits may repeat in rows, columns and boxes.",
        "Place the digits 1-9 once in every row and column.",  # the boxes are no rule of it
        "Place the digits 1-8 once in every row, column and box.",
        "Place the digits 0-8 once in every row, column and box.",
        "Normal 6x6 sudoku rules apply.",
        "Place the digits 1-91 once in every row, column and box.",
        "Killer sudoku rules apply.",
        "Es gelten die üblichen Sudokuregeln.",
        "No normal sudoku rules",
        "Normal sudoku rules apply. Cells separated by a knight's move cannot sum to 10.",
        "Anti-knightmare",
    ],
)
def test_any_other_word_is_a_rule_in_words(text):
    puzzle = parse_fpuzzles(format_fpuzzles("." * 80 + "1", "knight"))
    read = parse_fpuzzles(
        packed(unpacked(format_fpuzzles(puzzle.grid, puzzle.rules)) | {"ruleset": text})
    )
    last = text.split(". ")[-1]
    assert read.warning == f'no constraint states this rule: "{last}"'
    # and the puzzle is there all the same
    assert (read.grid, read.rules) == (puzzle.grid, puzzle.rules)


TOLD = [
    ("thermo:r1c1,r2c1",
     "Normal sudoku rules apply. Digits along a thermometer increase from the bulb end."),
    ("thermo:r1c1,r2c1",
     "On thermometers, digits must strictly increase from the bulb to the tip."),
    ("slow-thermo:r1c1,r2c1",
     "Along slow thermometers digits may not decrease from the bulb."),
    ("cage=10:r1c1,r2c1",
     "Digits in a cage may not repeat and must sum to the total in the top left corner (if "
     "given)."),
    ("arrow:r1c1>r1c2,r1c3",
     "Arrows: Digits along an arrow in the grid must sum to the digit in its circle. Digits "
     "may repeat along an arrow."),
    ("palindrome:r1c1,r1c2",
     "Grey lines are palindromes."),
    ("palindrome:r1c1,r1c2",
     "Digits along the grey line read the same forwards and backwards."),
    ("renban:r1c1,r1c2",
     "Purple lines contain a set of consecutive digits in any order."),
    ("whisper=5:r1c1,r1c2",
     "Adjacent digits along a green line must differ by at least five."),
    ("white:r1c1,r1c2;black:r2c1,r2c2",
     "Cells separated by a white dot contain consecutive digits. Black dots join digits in a "
     "1:2 ratio. Not all dots are given."),
    ("x:r1c1,r1c2;v:r2c1,r2c2;no-x;no-v",
     "Digits joined by an X sum to 10, digits joined by a V sum to 5. All Xs and Vs are given."),
    ("odd:r1c1;even:r2c2",
     "Digits in grey circles are odd; digits in grey squares are even."),
    ("maximum:r1c1",
     "Cells with arrows pointing outwards must contain digits greater than all orthogonally "
     "adjacent cells."),
    ("little-killer=20:r1c1-r9c9",
     "Clues outside the grid show the sum of the digits along the indicated diagonal."),
    ("sandwich=10:row1",
     "Clues outside the grid give the sum of the digits sandwiched between the 1 and the 9 in "
     "that row or column."),
    ("quadruple=1:r1c1,r1c2,r2c1,r2c2",
     "Digits in a white circle must appear somewhere in the four cells surrounding the circle."),
    ("entropic:r1c1-r1c3",
     "Any set of three sequential cells along an entropic line must contain a low digit (1-3),"
     " a middle digit (4-6) and a high digit (7-9)."),
]  # fmt: skip


@pytest.mark.parametrize(("clues", "text"), TOLD)
def test_a_text_about_clues_is_stated_by_clues_of_that_kind_alone(clues, text):
    sentences = [part for part in re.split(r"(?<=[.;]) ", text) if "Normal" not in part]
    stated = constraints_for(clues)
    assert all(is_stated(sentence, stated) for sentence in sentences)
    assert not all(is_stated(sentence, constraints_for()) for sentence in sentences)
    assert parse_fpuzzles(packed({**ROWS, "ruleset": text})).warning


def test_what_denials_leave_open_is_heeded():
    dots, every = "white:r1c1,r1c2;black:r2c1,r2c2", "no-white;no-black"
    for rules, how_many, others in (
        (dots, "Not all", "All"),
        (f"{dots};{every}", "All", "Not all"),
    ):
        assert is_stated(f"{how_many} dots are given.", constraints_for(rules))
        assert not is_stated(f"{others} dots are given.", constraints_for(rules))
    assert not is_stated("Whispers differ by at least 4", constraints_for("whisper=5:r1c1,r1c2"))
    assert not is_stated("kropki rules apply", constraints_for(dots))


def test_drawings_of_clues_need_no_text():
    thermo = ROWS | {"thermometer": [{"lines": [["R1C1", "R1C2", "R1C3"]]}]}
    drawn = {"line": [{"lines": [["R1C2", "R1C3"]]}], "circle": [{"cells": ["R1C1"]}]}
    renban = {"renban": [{"lines": [["R1C1", "R2C2"]]}]}
    made = {"line": [{"lines": [["R4C1", "R4C2"]], "fromConstraint": "Renban"}]}
    assert parse_fpuzzles(packed(thermo | drawn)).warning is None
    assert parse_fpuzzles(packed(ROWS | renban | made)).warning is None
    assert parse_fpuzzles(packed(ROWS | made)).warning.endswith("drawings: line (Renban)")
    beyond = thermo | {"line": [{"lines": [["R1C3", "R1C4"]]}], "ruleset": "Normal sudoku rules."}
    assert parse_fpuzzles(packed(beyond)).warning == "no constraint states what is drawn: line"


def test_a_text_about_many_clues_is_read_at_once():
    examples = (kind.example for name, kind in KINDS.items() if name not in OF_LAYERS)
    rules = constraints_for(";".join(examples))
    for text in ("the grey " * 400, "digits along the grey must always " * 110, "each a " * 500):
        start = time.process_time()
        assert not is_stated(text[:4000], rules)
        assert time.process_time() - start < 5


def test_boxes_need_no_mention_where_there_are_none():
    text = {"ruleset": "Place the digits 1-5 once in every row and column."}
    assert parse_fpuzzles(packed({"size": 5, "grid": [[{}] * 5] * 5} | text)).warning is None


def test_what_is_quoted_is_short_and_printable_and_the_drawings_are_named():
    drawings = {
        "line": [{"lines": [["R1C1", "R1C2"]], "fromConstraint": "Renban"}, {"lines": []}],
        "cage": [{"cells": ["R1C1"], "value": ""}],
        "rectangle": [],
    }
    text = "Normal rules apply.\x1b[31m Lines\r are\ttricky." + "x" * 5000
    read = parse_fpuzzles(packed(ROWS | CIRCLE | drawings | {"ruleset": text}))
    assert read.warning.startswith(
        r'no constraint states this rule: "Normal rules apply.\x1b[31m Lines are tricky.xxx'
    )
    named = '..." (drawings not understood: cage, circle, line, line (Renban))'
    assert read.warning.endswith(named)
    assert read.warning.isprintable() and len(read.warning) < 300
    assert read.words == text
    grey = [[{"c": "#ccc"}, {}, {}, {}], *[[{}] * 4] * 3]
    read = parse_fpuzzles(packed({"grid": grey, "ruleset": "Grey cells are even."}))
    assert read.warning.endswith('are even." (drawings not understood: c (colours of cells))')


def test_a_text_too_long_to_be_looked_at_is_not_understood():
    for text in ("Normal sudoku rules apply. " * 30_000, "the main " * 100_000):
        start = time.process_time()
        read = parse_fpuzzles(json.dumps(ROWS | {"ruleset": text}), "diagonal")
        assert "no constraint states this rule" in read.warning
        assert time.process_time() - start < 5
    assert parse_fpuzzles(json.dumps(ROWS | {"ruleset": "Normal rules. " * 200})).warning is None


def test_drawings_without_a_text_are_unexplained_and_with_one_that_is_understood_decorate():
    assert parse_fpuzzles(packed(ROWS | CIRCLE)).warning == (
        "no text explains the drawings: circle"
    )
    for drawing in ("line", "rectangle", "cage", "text"):
        read = parse_fpuzzles(packed(ROWS | {drawing: [{"cells": ["R1C1"]}]}))
        assert read.warning == f"no text explains the drawings: {drawing}"
    with_text = packed(ROWS | CIRCLE | {"ruleset": "Normal sudoku rules apply."})
    assert parse_fpuzzles(with_text).warning is None
    colours = [[{"c": "#ccc", "highlight": "#fff"}, {}, {}, {}], *[[{}] * 4] * 3]
    for quiet in ({"grid": colours}, ROWS | {"fogofwar": [1]}, ROWS | {"circle": []}):
        assert parse_fpuzzles(packed(quiet)).warning is None


def test_a_cage_without_cells_is_metadata_and_may_hold_the_rules():
    """SudokuPad reads such cages so."""
    author = {"value": "author: someone: else"}
    assert parse_fpuzzles(packed(ROWS | {"cage": [author]})).warning is None
    rules = {"value": "rules: Normal sudoku rules apply.", "cells": []}
    assert parse_fpuzzles(packed(ROWS | CIRCLE | {"cage": [author, rules]})).warning is None
    rules["value"] += " Cages sum to 10."
    assert parse_fpuzzles(packed(ROWS | {"cage": [rules]})).warning == (
        'no constraint states this rule: "Cages sum to 10."'
    )


def test_a_payload_that_unpacks_to_too_much_is_stopped(monkeypatch):
    monkeypatch.setattr(links, "MAX_JSON", 1000)
    with pytest.raises(ForeignError, match="cannot be unpacked: found more than 1,000 characters"):
        parse_fpuzzles(packed(ROWS | {"title": "x" * 5000}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 30) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["cells", "value", "region", "given", "x"]), inner)
    ),
    max_leaves=6,
)


@settings(max_examples=share(60), deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(
            [
                "size",
                "extraregion",
                "diagonal+",
                "antiking",
                "title",
                "cage",
                "odd",
                "ruleset",
                "line",
            ]
        ),
        JSON,
    ),
    st.lists(
        st.dictionaries(
            st.sampled_from(["value", "region", "given", "c", "givenPencilMarks"]), JSON
        ),
        max_size=4,
    ),
)
def test_no_object_raises_anything_else(value, cells):
    row = [*cells, *[{}] * (4 - len(cells))]
    try:
        read = parse_fpuzzles(json.dumps(value | {"grid": [row, *[[{}] * 4] * 3]}))
    except ForeignError as error:
        assert str(error).startswith("puzzle: line 1: ")
    else:
        assert constraints_for(read.rules, read.grid.board).board.size == 4


@settings(deadline=None)
@given(st.text(max_size=80), st.sampled_from(["", "https://", "https://a/?load=", "N4Ig", "{"]))
def test_no_text_raises_anything_else(text, start):
    with pytest.raises(ForeignError):
        parse_fpuzzles(start + text)


def test_parse_grid_and_json_of_our_own_are_told_apart():
    """`solve -f json` writes digits where f-puzzles has objects."""
    with pytest.raises(ForeignError, match="an object for each cell"):
        parse_fpuzzles(json.dumps({"size": 4, "grid": [[0] * 4] * 4}))
    assert parse_grid("." * 16).board.size == 4


def test_words_about_regions_are_stated_by_a_region_map_only():
    said = "normal irregular sudoku rules apply."
    assert is_stated(said, constraints_for("jigsaw=1112122233334444"))
    assert not is_stated(said, constraints_for("classic", Board.of_size(4)))


def test_a_link_of_sudokupad_states_the_same():
    marks = [{1, 2}, *[{3}] * 15]
    about = {"candidates": marks, "title": "Small", "author": "Me"}
    link = format_sudokupad("." * 16, "king", **about)
    assert link.startswith("https://sudokupad.app/")
    assert parse_fpuzzles(link) == parse_fpuzzles(format_fpuzzles("." * 16, "king", **about))


# Our own words ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*KINDS])
def test_the_words_that_we_write_are_understood_where_their_rules_are_in_force(kind):
    """And the words of a clue that is not there are none that any constraint states."""
    if kind in OF_LAYERS:
        pytest.skip("no link states layers")
    rules = f"knight;diagonal;{KINDS[kind].example}"
    constraints, other = constraints_for(rules), constraints_for("knight;diagonal")
    text = "\n".join(map(str, sayings(constraints)))
    assert unstated_rules({"grid": [[]], "ruleset": text}, constraints) is None
    assert "no constraint states" in unstated_rules({"grid": [[]], "ruleset": text}, other)
