"""Pictures: what is drawn is what was asked for, read back from the picture itself."""

import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from collections import Counter
from random import Random

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid
from satdoku.model.marks import pencil_marks
from satdoku.model.rules import RULES, RuleError
from satdoku.model.words import of_rule
from satdoku.render import KINDS, RenderError, render_png, render_svg, render_terminal, wants_colour
from satdoku.render import svg as module
from satdoku.render.picture import rule_marks

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = [Board.of_size(size) for size in (4, 6, 8, 9, 10, 12, 16, 25)]
SHAPES += [Board(6, 3, 2), Board(12, 2, 6), Board(5, 1, 5)]
TWISTED = Board(4, regions=(0, 0, 0, 1, 0, 2, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3))


def shuffled(size):
    labels = [i % size for i in range(size * size)]
    Random(size).shuffle(labels)
    return Board(size, regions=tuple(labels))


BOARDS = [*SHAPES, TWISTED, *map(shuffled, (4, 7, 9, 16))]
IDS = [f"{b.size}-{'jigsaw' if b.regions else b.box_rows}" for b in BOARDS]
OTHERS = (
    "shape=6x8,digits=0-7",
    "digits=-4-4",
    "shape=4x6,digits=8,9,10,11,12,99",
    "shape=5x10,no-rows,no-columns,digits=0-9",
    "holes:r1c1,r5c5,r9c9",
    "samurai",
    "shape=6x6;grids:r1c1,r2c3",
    "shape=5x5,latin;grids:r1c1,r3c4;holes:r3c3",
    "shape=4x4,jigsaw=11.21122.332.33.",
)
EVERY = [*BOARDS, *(constraints_for(text).board for text in OTHERS)]
EVERY_ID = [*IDS, *OTHERS]


def some_grid(board, empty=0.6):
    random = Random(board.choices)
    digits = (random.randint(1, board.choices) for _ in range(board.cells))
    return Grid(bytes(0 if random.random() < empty else digit for digit in digits), board)


def drawn(svg):
    """Classes of the groups of a picture -> their elements."""
    root = ET.fromstring(svg)
    return {group.get("class"): list(group) for group in root.iter(f"{SVG}g") if group.get("class")}


def cell_at(element, board):
    """The cell in which a text or a shape stands, by its coordinates."""
    x, y = (float(element.get(name)) for name in ("x", "y"))
    return board.cell_at[int(y // 40), int(x // 40)]


# SVG ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", EVERY, ids=EVERY_ID)
def test_every_board_shows_each_digit_in_its_cell(board):
    grid, solved = some_grid(board), some_grid(board, empty=0)
    groups = drawn(render_svg(grid, solution=solved))
    given = {cell_at(text, board): int(text.text) for text in groups["given"]}
    filled = {cell_at(text, board): int(text.text) for text in groups["solved"]}
    digits = grid.values
    assert given == {cell: digit for cell, digit in enumerate(digits) if digit is not None}
    assert filled == {
        cell: digit for cell, digit in enumerate(solved.values) if digits[cell] is None
    }
    assert "candidates" not in groups


@pytest.mark.parametrize("board", EVERY, ids=EVERY_ID)
def test_thick_lines_are_where_regions_end(board):
    grids = [
        {(top + row, left + column) for row in range(board.height) for column in range(board.width)}
        for top, left in board.corners
    ]
    boxes = [{board.places[cell] for cell in box} for box in board.boxes]
    label = {place: [place in part for part in (*grids, *boxes)] for place in board.places}
    wanted = [edge for edge, a, b in edges_of(board) if label.get(a) != label.get(b)]
    assert lines_of("regions", board) == Counter(wanted)  # each edge once


@pytest.mark.parametrize("board", EVERY, ids=EVERY_ID)
def test_thin_lines_are_where_two_cells_meet(board):
    known = {*board.places}
    wanted = [edge for edge, a, b in edges_of(board) if {a, b} <= known]
    assert lines_of("cells", board) == Counter(wanted)


def edges_of(board):
    """Each edge of the rectangle around the board, and the places on its two sides."""
    rows, columns = board.extent
    for row in range(rows + 1):
        for column in range(columns + 1):
            yield (column, row, "left"), (row, column - 1), (row, column)
            yield (column, row, "top"), (row - 1, column), (row, column)


def lines_of(what, board):
    """How often each edge is drawn by the lines of a class."""
    svg = render_svg(Grid(bytes(board.cells), board))
    (path,) = re.findall(rf'class="{what}" d="([^"]*)"', svg)
    edges = Counter()
    for x, y, way, to in re.findall(r"M(\d+) (\d+)([VH])(\d+)", path):
        x, y, to = (int(number) // 40 for number in (x, y, to))
        if way == "V":
            edges.update((x, row, "left") for row in range(y, to))
        else:
            edges.update((column, y, "top") for column in range(x, to))
    return edges


@pytest.mark.covering
@pytest.mark.parametrize("rule", sorted(RULES))
@pytest.mark.parametrize("board", BOARDS, ids=IDS)
def test_every_rule_on_every_board_that_can_have_it(board, rule):
    try:
        constraints = constraints_for(rule, board)
    except RuleError:
        return
    svg = render_svg(
        some_grid(board), constraints, candidates=[range(1, board.size + 1)] * board.cells
    )
    root = ET.fromstring(svg)
    assert rule in root.find(f"{SVG}title").text
    groups = drawn(svg)
    legend = " ".join(text.text for text in groups.get("rules", []))
    if rule == "diagonal":
        assert len(groups["line"]) == 2
    elif rule == "windoku":
        windows = {cell for house in RULES[rule].houses(board) for cell in house}
        assert {cell_at(square, board) for square in groups["area"]} == windows
    elif rule != "jigsaw":
        assert legend == str(of_rule(rule))
    assert (not legend) == (rule in ("diagonal", "windoku", "jigsaw"))


@pytest.mark.parametrize("board", EVERY, ids=EVERY_ID)
def test_candidates_stand_in_their_cells_each_at_its_place(board):
    n = board.choices
    grid = some_grid(board)
    marks = [set(Random(cell).sample(range(1, n + 1), 1 + n // 2)) for cell in range(board.cells)]
    texts = drawn(render_svg(grid, candidates=marks))["candidates"]
    found = {}
    places = {}
    for text in texts:
        digit = 1 + board.digits.index(int(text.text))
        found.setdefault(cell_at(text, board), set()).add(digit)
        place = tuple(round(float(text.get(name)) % 40, 1) for name in ("x", "y"))
        assert places.setdefault(digit, place) == place
    assert found == {cell: marks[cell] for cell, digit in enumerate(grid) if not digit}
    assert len(set(places.values())) == len(places)


def test_highlights_colour_cells_and_candidates():
    marks = pencil_marks(CLASSIC)
    highlights = {
        "house": range(9),
        "cover": [5, 14],
        "reason": [0, (1, 5)],  # the reason hides the house
        "eliminated": [(2, 9), (4, 1)],  # no candidate there: shown none the less; a given
        "conclusion": [(80, 7)],
    }
    groups = drawn(render_svg(CLASSIC, candidates=marks, highlights=highlights))
    cells = {kind: {cell_at(e, Board()) for e in groups.get(kind, [])} for kind in KINDS}
    assert cells == {"house": {1, 2, 3, 6, 7, 8}, "cover": {5, 14}, "reason": {0},
                     "eliminated": {4}, "conclusion": set(), "conflict": set()}  # fmt: skip
    assert len(groups["reason mark"]) == len(groups["eliminated mark"]) == 1
    assert len(groups["conclusion mark"]) == len(groups["crossed"]) == 1
    in_third = {text.text for text in groups["candidates"] if cell_at(text, Board()) == 2}
    assert in_third == {"2", "6", "7", "9"}


def test_highlights_of_layers_colour_the_cells_below():
    """What is free lies over none."""
    rules = "shape=2x2;layer=shade:0-1;layer=total*2:0-9"
    kinds = {"house": [5], "reason": [(6, 2)], "conflict": [9]}
    groups = drawn(render_svg("....", rules, highlights=kinds))
    board = Board(2, 1, 2)
    cells = {kind: {cell_at(e, board) for e in groups.get(kind, [])} for kind in kinds}
    assert cells == {"house": {1}, "reason": {2}, "conflict": set()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"highlights": {"because": [1]}},
            "no highlight 'because': choose from house, cover, reason",
        ),
        ({"highlights": {"reason": [81]}}, "highlight 81: expected a cell 0-80"),
        ({"highlights": {"reason": [(0, 10)]}}, r"highlight \(0, 10\)"),
        ({"candidates": [{1}] * 80}, "candidates for 80 cells: expected 81"),
        ({"candidates": [{10}] * 81}, r"candidates \[10\]: expected digits 1-9"),
    ],
)
def test_what_cannot_be_drawn_is_an_error(arguments, message):
    for draw in (render_svg, render_terminal, render_png):
        with pytest.raises(RenderError, match=message):
            draw(CLASSIC, **arguments)


def test_a_picture_is_reproducible_and_holds_nothing_but_shapes_and_text():
    options = {"candidates": pencil_marks(CLASSIC), "highlights": {"reason": [1, (0, 2)]}}
    svg = render_svg(CLASSIC, "miracle,diagonal,windoku", **options)
    again = render_svg(parse_grid(CLASSIC), "diagonal,windoku,miracle", **options)
    assert svg == again
    tags = {element.tag.removeprefix(SVG) for element in ET.fromstring(svg).iter()}
    assert tags == {"svg", "title", "rect", "g", "line", "path", "circle", "text"}
    names = {name for element in ET.fromstring(svg).iter() for name in element.attrib}
    assert not {"id", "href", "style"} & names and not any(name.startswith("on") for name in names)
    assert svg.count("http") == 1 and "url(" not in svg  # the name of the format


def test_the_frame_fits_and_scales():
    for board in SHAPES:
        root = ET.fromstring(render_svg(Grid(bytes(board.cells), board)))
        _, _, width, height = map(float, root.get("viewBox").split())
        assert width == height == 40 * board.size + 8
        assert float(root.get("width")) / width in (1, 1.5)
    narrow = render_svg("." * 16, "knight,king,nonconsecutive,disjoint,antiqueen")
    legend = [text.text for text in drawn(narrow)["rules"]]
    assert max(map(len, legend)) <= 24 and len(legend) > 10


def test_marks_of_rules_follow_from_their_houses():
    marks = rule_marks(constraints_for("diagonal,windoku,disjoint,knight,antiqueen"))
    assert [len(line) for line in marks.lines] == [9, 9]
    assert [len(area) for area in marks.areas] == [9] * 4
    assert marks.names == ("knight", "disjoint", "antiqueen")
    assert rule_marks(constraints_for("classic", TWISTED)).names == ()


# Notebooks ---------------------------------------------------------------------------------------


def test_a_notebook_shows_a_grid_as_its_picture():
    grid = parse_grid(CLASSIC)
    assert grid._repr_svg_() == grid._repr_html_() == render_svg(grid)
    code = "import satdoku, sys; satdoku.parse_grid; print('satdoku.render' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# PNG ---------------------------------------------------------------------------------------------


def pixels(data):
    """Width, height and the raw rows of a PNG file."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    place, packed, size = 8, b"", None
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        body = data[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        packed += body if kind == b"IDAT" else b""
        place += 12 + length
    return *size, zlib.decompress(packed)


def test_png_has_the_size_that_was_asked_for_and_shows_the_digits():
    width, height, rows = pixels(render_png(CLASSIC))
    assert width == height == 2 * 368
    assert pixels(render_png(CLASSIC, scale=0.5))[:2] == (184, 184)
    changed = CLASSIC[:4] + "7" + CLASSIC[5:]
    assert pixels(render_png(changed))[2] != rows
    assert render_png(CLASSIC) == render_png(CLASSIC)


def test_png_without_its_library_names_the_extra(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(module, "import_module", missing)
    with pytest.raises(RenderError, match=r"pip install 'satdoku\[png\]'"):
        render_png(CLASSIC)


def test_png_without_a_font_takes_matplotlibs_or_says_so(monkeypatch):
    draw = module._draw

    def fontless(resvg, svg, scale, fonts):
        """As on a machine without fonts: nothing is drawn but what a file is given for."""
        return draw(resvg, svg, scale, fonts) if fonts else b"empty"

    monkeypatch.setattr(module, "_draw", fontless)
    module._fonts.cache_clear()
    assert [path.rpartition("/")[2] for path in module._fonts()] == [
        "DejaVuSans.ttf", "DejaVuSans-Bold.ttf",
    ]  # fmt: skip
    monkeypatch.setattr(module, "_bundled", tuple)
    module._fonts.cache_clear()
    with pytest.raises(RenderError, match="needs a font"):
        render_png(CLASSIC)
    module._fonts.cache_clear()


# Terminal ----------------------------------------------------------------------------------------


def test_a_classic_grid_in_its_frame():
    assert render_terminal("12..34..2.4...1.", solution="1243342121344312").split("\n") == [
        "┌─────┬─────┐",
        "│ 1 2 │ 4 3 │",
        "│ 3 4 │ 2 1 │",
        "├─────┼─────┤",
        "│ 2 1 │ 4 4 │",
        "│ 4 3 │ 1 2 │",
        "└─────┴─────┘",
    ]


def test_a_jigsaw_shows_its_regions():
    assert render_terminal(Grid(bytes([1, 0, 3, 4, *[0] * 12]), TWISTED)).split("\n") == [
        "┌───────────┬───┐",
        "│ 1   .   3 │ 4 │",
        "│   ┌───┬───┘   │",
        "│ . │ . │ .   . │",
        "├───┘   ├───┐   │",
        "│ .   . │ . │ . │",
        "│   ┌───┘   └───┤",
        "│ . │ .   .   . │",
        "└───┴───────────┘",
    ]


def test_pencil_marks_are_aligned_and_rules_are_named():
    board = Board(6, 3, 2)
    grid = Grid(bytes([1, 2, *[0] * 34]), board)
    text = render_terminal(grid, "knight", candidates=pencil_marks(grid, "knight"))
    assert text.split("\n") == [
        "┌─────────────┬───────────────┬───────────────┐",
        "│ 1     2     │ 3456   3456   │ 3456   3456   │",
        "│ 3456  3456  │ 23456  13456  │ 123456 123456 │",
        "│ 3456  3456  │ 13456  123456 │ 123456 123456 │",
        "├─────────────┼───────────────┼───────────────┤",
        "│ 23456 13456 │ 123456 123456 │ 123456 123456 │",
        "│ 23456 13456 │ 123456 123456 │ 123456 123456 │",
        "│ 23456 13456 │ 123456 123456 │ 123456 123456 │",
        "└─────────────┴───────────────┴───────────────┘",
        "# rules: knight",
    ]


def test_numbers_beyond_nine_and_ascii():
    grid = Grid(bytes([12, 3, *[0] * 142]), Board.of_size(12))
    lines = render_terminal(grid, candidates=[{1, 12}] * 144, ascii_only=True).split("\n")
    assert lines[0] == "+---------------------+---------------------+---------------------+"
    assert lines[1].startswith("| 12   3    1,12 1,12 | 1,12 ")
    assert render_terminal(grid).split("\n")[1].startswith("│ 12  3  .  . │  .")
    assert render_terminal(grid, ascii_only=True).isascii()


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("board", EVERY, ids=EVERY_ID)
def test_what_stands_on_the_terminal_reads_back(board, ascii_only):
    grid = some_grid(board)
    text = render_terminal(grid, "knight", ascii_only=ascii_only)
    assert parse_grid(text, board) == grid
    if board in BOARDS:
        assert len({len(line) for line in text.split("\n")[:-1]}) == 1


def test_a_board_with_a_hole_and_digits_from_zero_on_the_terminal():
    constraints = constraints_for("shape=2x6,boxes=2x2,digits=0-5;holes:r1c1")
    grid = parse_grid("0......5...", constraints.board)
    assert render_terminal(grid, constraints).split("\n") == [
        "    ┌───┬─────┬─────┐",
        "    │ 0 │ . . │ . . │",
        "┌───┘   │     │     │",
        "│ .   . │ 5 . │ . . │",
        "└───────┴─────┴─────┘",
        "# rules: digits=0-5",
    ]


def test_colour_only_adds_codes():
    options = {
        "solution": CLASSIC_SOLUTION[:40] + "." * 41,
        "candidates": pencil_marks(CLASSIC),
        "highlights": {"reason": [4], "eliminated": [(80, 1)], "conflict": [79]},
    }
    coloured = render_terminal(CLASSIC, colour=True, **options)
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render_terminal(CLASSIC, **options)
    assert "\x1b[1;30;46m1\x1b[0m" in coloured  # a given that is a reason
    assert "\x1b[1m3\x1b[0m" in coloured and "\x1b[9;31m1\x1b[0m3467 │" in coloured
    assert coloured.count("\x1b[1") == parse_grid(CLASSIC).givens and coloured.count(
        "\x1b[30;41m"
    ) == len("145678")


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    class Terminal:
        def __init__(self, is_one):
            self.isatty = lambda: is_one

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert wants_colour(Terminal(True)) and not wants_colour(Terminal(False))
    monkeypatch.setenv("NO_COLOR", "")  # counts when it is not empty
    assert wants_colour(Terminal(True))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(Terminal(True))
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_colour(Terminal(True))


def test_the_title_names_the_rules_and_the_board():
    svg = render_svg("1" + "." * 15, "knight,jigsaw=1112122233334444")
    assert "<title>Sudoku 4x4, 1 given, rules knight, jigsaw</title>" in svg
    latin = render_svg("1" + "." * 15, "latin")
    assert "<title>Sudoku 4x4, 1 given, rules latin</title>" in latin
    (frame,) = [path.get("d") for path in ET.fromstring(latin).iter(f"{SVG}path")][1:]
    assert frame == "M0 0V160 M160 0V160 M0 0H160 M0 160H160"  # and no line within


def test_what_layers_hold_is_shaded_or_small_and_their_clues_are_named():
    rules = "shape=2x3,digits=1-3;layer=shade:0-1;layer=a:5-7"
    rules += ";sum=2:shade.r1c1,shade.r1c2;sum=3:r1c1,r1c2"
    constraints = constraints_for(rules)
    solution = Grid(
        bytes([1, 2, 3, 2, 3, 1, 2, 2, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1]), constraints.board
    )
    svg = render_svg("1.....", constraints, solution=solution)
    groups = {}
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        groups.setdefault(group.get("class"), []).append(list(group))
    shaded, small = groups["layer"]
    assert [cell_at(square, constraints.board) for square in shaded] == [0, 1]
    assert [text.text for text in small] == ["7", "5", "5", "5", "5", "5"]
    assert [text.text for text in groups["solved"][0]] == ["2", "3", "2", "3", "1"]
    (legend,) = groups["rules"]
    assert " ".join(line.text for line in legend) == (
        "Place the digits 1 to 3 so that every row holds each digit once, and no column holds a "
        "digit twice. Each cell also has its shade, which is 0 or 1. Each cell also has its a, "
        "which is one of 5 to 7. Sum: The digits add up to 2; they may repeat where no other rule "
        "forbids it (shade.r1c1, shade.r1c2)."
    )
    assert "clue sum" in groups
    assert "sum=2:shade.r1c1,shade.r1c2" in render_terminal("......", constraints)
