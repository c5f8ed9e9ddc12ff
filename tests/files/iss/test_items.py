"""Lines of a file as texts of Interactive Sudoku Solver: one, several, or refused.

The oracle of most tests is the reader of a whole text, which knows no lines.
"""

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import example, given, settings
from hypothesis import strategies as st
from record_cases import read_both, reading_of
from soak import share

from satdoku.files.foreign import ForeignError
from satdoku.files.iss import format_iss, parse_iss
from satdoku.files.iss.items import Line, parts_of, read_items
from satdoku.files.lines import LineReader
from satdoku.files.puzzles import read_puzzles
from satdoku.model.board import Board
from satdoku.model.puzzle import Puzzle

SIX = ".Shape~6x6.~R1C1_1"
TEXTS = (
    ".Shape~6x6.~R1C1_1.Thermo~R1C1~R1C2~R1C3.Cage~7~R2C1~R2C2.AntiKnight.AntiKing",
    ".Shape~4x4.Or.~R1C1_1.And.~R1C1_2.~R2C2_1.End.End.~R3C3_1.WhiteDot~R1C1~R1C2",
    format_iss(CLASSIC, "king;thermo:r5c5,r6c5;cage=15:r1c1,r1c2;renban:r9c1,r9c2,r9c3"),
    ".Jigsaw~" + "".join(str(1 + (r // 3 * 3 + c // 3)) for r in range(9) for c in range(9))
    + ".NoBoxes.AntiKing.~R1C1_1_2.Cage~15~R1C1~R1C2.Replicate~H.X~R1C1~R1C2.End",
    ".Shape~16x16.AntiKnight.~RgCg_16.Cage~3~R1C1~R1C2",
)  # fmt: skip


def read(path, **options):
    """(line, grid, rules) of each puzzle, or (line, what was found)."""
    return [
        (r.line, str(r.grid), r.rules)
        if isinstance(r, Puzzle)
        else (r.place["line"], r.error.found)
        for r in read_puzzles(str(path), **reading_of(options))
    ]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("iss") / "puzzles.iss"


def pieces(text):
    """The text cut before each of its constraints."""
    starts = [item.column - 1 for item in flat(read_items(text))]
    return [text[start:stop] for start, stop in zip(starts, [*starts[1:], None], strict=True)]


def flat(items):
    for item in items:
        yield item
        yield from flat(item.inside)


GAPS = ("", " ", "\n", "\r\n", "\n\n", " \n\t", "\n# a comment\n", "\n.", "\r\n \r\n")


@settings(deadline=None, max_examples=share(150))
@given(data=st.data(), text=st.sampled_from(TEXTS))
def test_a_text_cut_anywhere_is_the_same_puzzle_or_refused(path, data, text):
    cut = pieces(text)
    gaps = data.draw(st.lists(st.sampled_from(GAPS), min_size=len(cut), max_size=len(cut)))
    path.write_text(
        data.draw(st.sampled_from(("", "\n", "# title\n", " ", ".")))
        + "".join(a + b for a, b in zip(cut, gaps, strict=True)),
        newline="",
    )
    wanted = parse_iss(text)
    (seen,) = read(path)
    if len(seen) == 3:
        assert seen[1:] == (str(wanted.grid), wanted.rules)
    else:
        assert seen[1].endswith(", one puzzle or several")
        assert not text.startswith(".Shape")  # it is stated once: that of the whole
    assert read(path, format="whole")[0][1:] == (str(wanted.grid), wanted.rules)
    assert len(read_both(path)) == 1


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", " \n", "\n~"])
def test_a_constraint_a_line_is_one_puzzle(path, text, end):
    """As that program shows it; with `~` each argument has a line of its own."""
    split = text.replace("~", "\n~") if end == "\n~" else end.join(pieces(text))
    path.write_text(split, newline="")
    wanted = parse_iss(text)
    assert [seen[1:] for seen in read(path)] == [(str(wanted.grid), wanted.rules)]


ONE = [
    ".Shape~6x6\n.~R1C1_1\n",
    "..Shape~6x6\n..~R1C1_1",
    ".\n.Shape~6x6\n.\n.~R1C1_1\n.",
    "# by me\n\n.Shape~6x6\n\n# givens\n.~R1C1_1",
    ".Shape~6x6 . ~R1C1_1",
    ".Shape\n~6x6\n.~R1C1\n_1".replace("\n_1", "_1"),
]


@pytest.mark.parametrize("text", ONE)
def test_one_puzzle(path, text):
    path.write_text(text)
    assert [seen[1:] for seen in read(path)] == [("1" + "." * 35, "classic")]


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        ([SIX, SIX, SIX], 3),  # a shape each
        ([".~R1C1_1~R2C2_2", ".~R1C1_2~R3C3_4"], 2),  # a cell with two digits
        ([".Shape~6x6.AntiKing.~R1C1_1", ".AntiKing.~R9C9_1"], 2),  # beyond the shape
        ([format_iss(CLASSIC), format_iss(CLASSIC_SOLUTION[::-1])], 2),
        ([".Shape~6x6\n.~R1C1_1", "", ".Shape~6x6\n.~R1C1_2"], 2),  # an empty line between
        ([SIX, "", ".Shape~6x6\n.Cage~3~R1C1~R1C2", "# third", "", SIX], 3),
        ([SIX, CLASSIC, ".AntiKing", "", CLASSIC, SIX, SIX], 6),  # grids between
    ],
)
def test_lines_that_contradict_each_other_are_a_list(path, texts, count):
    path.write_text("\n".join(texts))
    found = read(path)
    assert len(found) == count and all(len(seen) == 3 for seen in found)


@pytest.mark.parametrize(
    "text",
    [
        ".AntiKnight.AntiKing\n.Windoku.~R1C1_1",  # two puzzles, or one
        ".~R1C1_1~R2C2_2\n\n.Cage~3~R1C1~R1C2.AntiKing",
        ".~R1C1_1~R2C2_2\n.Cage~3~R1C1~R1C2\n\n.~R4C1_1~R2C3_2\n.Cage~3~R5C1~R1C2",
        ".Shape~6x6\n.~R1C1_1\n.Shape~6x6\n.~R1C1_2",  # two of two lines, or four
        ".Shape~6x6\n\n.~R1C1_1\n\n.Shape~6x6\n\n.~R1C1_2",
        ".Shape~16x16.AntiKnight\n.Cage~3~R1C1~R1C2.AntiKing",
        f"{SIX}\n.AntiKnight\n{SIX}",
    ],
)
def test_what_may_be_one_puzzle_or_several_is_refused_and_can_be_told(path, text):
    path.write_text(text)
    ((line, found),) = read(path)
    assert line == 1 and found.endswith(", one puzzle or several")
    with pytest.raises(Exception, match=r"--input-format lines .* or whole"):
        raise next(iter(read_puzzles(str(path)))).error
    lines = [part for part in text.split("\n") if part]
    assert len(read(path, format="lines")) == len(lines)
    try:
        wanted = parse_iss(text)
    except ForeignError as error:
        assert read(path, format="whole") == [(1, error.found)]
    else:
        assert read(path, format="whole") == [(1, str(wanted.grid), wanted.rules)]


def test_a_weak_line_of_a_list_costs_its_neighbours_only(path):
    path.write_text("\n".join([SIX, SIX, ".AntiKnight", SIX, ".Nowhere~5~R1C1.AntiKing", SIX]))
    found = read(path)
    assert [seen[0] for seen in found] == [1, 2, 5, 6]
    assert [len(seen) for seen in found] == [3, 2, 2, 3]
    assert found[1][1].startswith("lines 2 to 4,") and "Nowhere" in found[2][1]


def test_a_fault_of_one_line_is_an_error_of_the_whole_at_its_place(path):
    path.write_text("# title\n.Shape~6x6\n.~R1C1_1\n .Nowhere~5~R1C1\n.AntiKing\n")
    (bad,) = read_puzzles(str(path))
    assert str(bad.error).startswith(f"{path}: line 4, column 2: .Nowhere is not supported")


def test_alternatives_do_not_contradict(path):
    path.write_text(".Or\n.~R1C1_1\n.~R1C1_2\n.End\n.AntiKing")
    assert [seen[0] for seen in read(path)] == [1]
    path.write_text(".Or\n.~R1C1_1\n.AntiTaxicab\n.End\n.Or\n.~R2C1_1\n.AntiTaxicab\n.End")
    assert [seen[0] for seen in read(path)] == [1]  # two things
    path.write_text(f"{SIX}.Or\n{SIX}\n{SIX}\n{SIX}\n")  # one that never ends costs its own line
    assert [len(seen) for seen in read(path)] == [2, 3, 3, 3]


def test_long_lists_are_read_in_pieces(path, monkeypatch):
    text = "\n".join(f".Shape~6x6.~R1C1_{1 + n % 6}.AntiKing" for n in range(300))
    path.write_text(text)
    whole = read(path)
    monkeypatch.setattr("satdoku.files.lines.MAX_LINE_BYTES", 200)
    assert read(path) == whole and len(whole) == 300
    path.write_text("\n".join([".AntiKing"] * 40))
    assert all("more than 200 characters" in seen[1] for seen in read(path)[:-1])


def test_beyond_the_lines_that_told_the_layout_a_text_has_one_line(path, monkeypatch):
    monkeypatch.setattr("satdoku.files.streams.BLOCK_BYTES", 200)
    path.write_text("\n".join([CLASSIC] * 5 + [SIX, CLASSIC, ".Shape~6x6", ".~R1C1_1", CLASSIC]))
    found = read(path)
    assert [seen[0] for seen in found] == [*range(1, 9), 10]
    assert found[7][1].startswith("a text of several lines, unlike")
    assert len(read_both(path, Board())) == 9


@given(st.lists(st.text(alphabet=".~RC1_2ShapeOrEnd6x", max_size=12), min_size=1, max_size=8))
@example([".Or", ".Or", ".End", "~R1C1"])
@example([".End", ".Shape~6x6", ".Shape"])
def test_every_line_is_in_one_part(texts):
    lines = [Line(n, text, n % 3 == 0) for n, text in enumerate(texts, 1)]
    for apart in (False, True):
        parts = parts_of(lines, apart=apart)
        assert [line for part in parts for line in part.lines] == lines


def test_the_reader_holds_back_only_such_texts():
    from satdoku.files.columns import Layout
    from satdoku.files.record import Reading

    reader = LineReader(Layout(), Reading(mixed=True), sections=True)
    assert not list(reader.read(1, SIX)) and reader.has_begun
    assert [record.line for record in reader.read(2, CLASSIC)] == [1, 2]
    assert not reader.has_begun


# Copies -------------------------------------------------------------------------------------------


CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def targets(places):
    """Cells from the origin on, as bits in base 64."""
    number = sum(1 << place for place in places)
    length = max(places) // 6 + 1
    return "".join(CHARACTERS[number >> 6 * i & 63] for i in range(length))


def clues_of(text):
    return set(parse_iss(text).rules.split(";")[1:])


def test_copies_are_what_they_stand_for_in_full():
    """Every domino of a row, as published puzzles have it; moved by rows and columns."""
    across = [4 * row + column for row in range(4) for column in range(3)]
    copied = f".Shape~4x4.Replicate~{targets(across)}.BlackDot~R1C1~R1C2.End"
    full = "".join(f".BlackDot~R{p // 4 + 1}C{p % 4 + 1}~R{p // 4 + 1}C{p % 4 + 2}" for p in across)
    assert clues_of(copied) == clues_of(f".Shape~4x4{full}")
    from_elsewhere = f".Shape~4x4.Replicate~{targets([0, 4])}~R2C2.Thermo~R2C2~R1C1.End"
    assert clues_of(from_elsewhere) == {"thermo:r2c2,r1c1", "thermo:r3c2,r2c1"}
    given = parse_iss(f".Shape~4x4.Replicate~{targets([1, 6])}.~R1C1_3.End")
    assert str(given.grid) == ".3....3........."


def test_copies_within_one_another_and_within_alternatives():
    inner = f".Replicate~{targets([0, 1])}.X~R1C1~R2C1.End"
    assert clues_of(f".Replicate~{targets([0, 3])}{inner}.End") == {
        f"sum=10:r1c{column},r2c{column}" for column in (1, 2, 4, 5)
    }
    either = parse_iss(f".Or{inner}.V~R5C5~R5C6.End").rules
    other = parse_iss(".Or.And.X~R1C1~R2C1.X~R1C2~R2C2.End.V~R5C5~R5C6.End").rules
    assert either == other


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (".Replicate~B.XSum~R1~5.End", r"\.Replicate: \.XSum cannot be moved"),
        (".Replicate~C~R9C9.End", "a target lies outside the board"),
        (f".Replicate~{targets([8])}.X~R1C1~R1C2.End", "R1C2 would lie outside the board"),
        (".Replicate.X~R1C1~R1C2.End", r"\.Replicate: arguments are missing"),
        (".Replicate~!.X~R1C1~R1C2.End", "'!' in its table"),
        (".Replicate~B.X~R1C1~R1C2", r"\.Replicate: expected \.End behind it"),
        (".Replicate~B.AntiKnight.End", r"found \.AntiKnight in \.Replicate"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_copies_is_told(text, problem):
    with pytest.raises(ForeignError, match=problem):
        parse_iss(text)


def test_copies_of_copies_end_somewhere():
    every = "_" * 13 + "H"
    text = ".X~R1C1~R1C2"
    for _ in range(4):
        text = f".Replicate~{every}{text}.End"
    with pytest.raises(ForeignError, match=r"more than 10,000 constraints|outside the board"):
        parse_iss(text)
