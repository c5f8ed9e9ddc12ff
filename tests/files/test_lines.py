"""Lines, rows of CSV and puzzles are those of the text, however it is cut into blocks.

No bad line costs a good one.
"""

import csv
import gzip
import io
import re
from itertools import pairwise
from random import Random

import pytest
from collection_cases import good, read
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from record_cases import from_chunks, from_puzzles, read_both, rows, same_from_both
from soak import share

from satdoku.files import streams
from satdoku.files.collection import read_chunks
from satdoku.files.lines import block_lines, split_lines, whole_lines
from satdoku.files.puzzles import read_puzzles
from satdoku.files.streams import MAX_LINE_BYTES
from satdoku.model.board import Board
from satdoku.model.grid import Grid, format_line, format_pretty, parse_grid
from satdoku.model.puzzle import Puzzle

EMPTY = "." * 81


ENDS = re.compile(r"\r*\n|\r")


def cut(data, places):
    """The data in blocks that end at these places."""
    edges = [0, *sorted(places), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


@given(st.text("ab\r\n", max_size=40), st.lists(st.integers(0, 40), max_size=5))
def test_every_line_end_ends_a_line_wherever_the_blocks_end(text, places):
    lines = ENDS.split(text)
    if not lines[-1]:
        del lines[-1]
    blocks = cut(text.encode(), [min(place, len(text)) for place in places])
    assert list(block_lines(blocks)) == lines


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=5))
def test_blocks_of_whole_lines_hold_all_bytes(data, places):
    whole = list(whole_lines(cut(data, [min(place, len(data)) for place in places])))
    assert all(block.endswith(b"\n") and b"\r" not in block for block in whole)
    assert len(b"".join(whole).split(b"\n")) == sum(map(len, map(split_lines, whole))) + 1


def test_no_end_and_no_text():
    assert list(whole_lines([])) == list(whole_lines([b"", b""])) == []
    assert list(whole_lines([b"a", b"b"])) == [b"ab\n"]
    assert list(whole_lines([b"a\r", b"\nb\r"])) == [b"a\n", b"b\n"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_bad_line_is_named_whatever_ends_the_lines(tmp_path, end):
    """With a lone carriage return as the end every error was on line 1."""
    path = tmp_path / "file"
    path.write_bytes(end.join([CLASSIC, EMPTY, "9" * 80, CLASSIC, ""]).encode())
    found = read_both(path, Board())
    assert [seen.line for seen in found] == [1, 2, 3, 4]
    assert found[2].puzzle[:3] == (3, 81, "80 cells")


def test_line_ends_may_be_mixed(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(f"{CLASSIC}\r{EMPTY}\n#\r\n{CLASSIC}\r\r{EMPTY[1:]}\r\r\n{EMPTY}".encode())
    found = [(seen.line, seen.puzzle) for seen in read_both(path)]
    assert [line for line, _ in found] == [1, 2, 4, 6, 7]
    assert [grid for _, grid in found[:3]] == [CLASSIC, EMPTY, CLASSIC]
    assert found[3][1][:3] == (6, 81, "80 cells")


def test_rows_may_end_in_a_carriage_return(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"\r".join(CLASSIC[i : i + 9].encode() for i in range(0, 81, 9)))
    assert [(seen.line, seen.puzzle) for seen in read_both(path)] == [(1, CLASSIC)]


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_coding(tmp_path, coding):
    """Windows writes UTF-16 where a command's output goes to a file."""
    path = tmp_path / "file"
    path.write_bytes(f"id,quiz\r\né,{CLASSIC}\r\nb,{EMPTY[1:]}\r\n".encode(coding))
    first, second = read_both(path)
    assert (first.line, first.id, first.puzzle) == (2, "é", CLASSIC)
    assert second.puzzle[:3] == (3, 83, "80 cells")


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_known_without_its_mark(tmp_path, coding):
    path = tmp_path / "file"
    path.write_bytes(f"{CLASSIC}\n{EMPTY}\n".encode(coding))
    assert [seen.puzzle for seen in read_both(path)] == [CLASSIC, EMPTY]


def test_an_endless_line_stays_bounded_in_memory(tmp_path):
    path = tmp_path / "endless.gz"
    path.write_bytes(gzip.compress(bytes(8 << 20), 1))
    ((line, error, *_),) = read_both(path)
    assert (line, error[:3]) == (1, (1, 1, f"a line of {MAX_LINE_BYTES} characters"))


P, A = CLASSIC, CLASSIC_SOLUTION


ROWS = "\n".join(P[at : at + 9] for at in range(0, 81, 9))


@pytest.fixture
def seen_rows(tmp_path):
    """Lines of the good rows of a text, and the errors of the others, read in both ways."""

    def call(text):
        path = tmp_path / "file"
        path.write_bytes(text.encode())
        found = read(path)
        one_by_one = [
            (r.line, True) if isinstance(r, Puzzle) else (r.place["line"], str(r.error))
            for r in read_puzzles(str(path))
        ]
        both = [(line, row if isinstance(row, str) else True) for line, row in found]
        assert both == one_by_one
        return [line for line, _ in good(found)], [e for e in found if isinstance(e.row, str)]

    return call


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f'note,puzzle\n"a\nb",{P}\nx,{P}\n', [2, 4]),
        (f'note,puzzle\r\n"a\r\n\r\nb",{P}\r\nx,{P}\r\n', [2, 5]),
        (f'puzzle,note\n{P},"one ""two"", three\n# four"\n{P},"x"\n', [2, 4]),
        (f'a,puzzle,b\n"1\n2",{P},"3\n4"\n5,{P},6\n', [2, 5]),
        (f'puzzle\n"{ROWS}"\n{P}\n', [2, 11]),
        (f'puzzle;note\n{P};"a\n{P}"\n{P};b\n', [2, 4]),  # a puzzle alone is no row
        (f'{P},{A},"a\nb"\n{P},{A},c\n', [1, 3]),  # without a header
    ],
)
def test_a_row_may_have_several_lines(seen_rows, text, lines):
    assert seen_rows(text) == (lines, [])


@pytest.mark.parametrize(
    ("text", "lines", "wrong"),
    [
        (f'id,puzzle,note\n1,{P},"open\n2,{P},x\n3,{P},"a\nb"\n', [3, 4], [2]),
        (f'id,puzzle,note\n1,{P},"open\n2,{P},"open\n3,{P},"x"\n', [4], [2, 3]),
        (f'id,puzzle,note\n1,{P},x\n2,{P},"open', [2], [3]),
        (f'id,puzzle,note\n1,{P},x\n2,{P},"open\n\n\n', [2], [3]),
        (f'id,puzzle,note\n1,{P},5" tall\n2,{P},x\n', [2, 3], []),
    ],
)
def test_a_quote_that_is_never_closed_costs_its_line(seen_rows, text, lines, wrong):
    found, errors = seen_rows(text)
    assert found == lines and [line for line, _ in errors] == wrong
    assert all("a quote that is never closed" in error for _, error in errors)


def test_errors_name_the_line_of_the_file(seen_rows):
    found, errors = seen_rows(f'note,puzzle\n"a\nb\nc",{P}\nx,{P[:-1]}\n"\n",{P}\n')
    assert found == [2, 6]
    assert [line for line, _ in errors] == [5] and "line 5, column 83: found 80" in errors[0].row


def test_rows_may_span_the_blocks_that_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("satdoku.files.streams.BLOCK_BYTES", 400)
    text = "note,puzzle\n" + f'"{ROWS}",{P}\n' * 40
    (tmp_path / "file").write_text(text)
    found = [line for line, _ in good(read(tmp_path / "file"))]
    assert found == list(range(2, 2 + 9 * 40, 9))


FIELD = st.text(st.sampled_from('ab,;" \n\r#x1.'), max_size=12)


def written(row, quoting):
    stream = io.StringIO()
    csv.writer(stream, quoting=quoting).writerow(row)
    return stream.getvalue()


def holds_a_row(text):
    """Whether a row spans lines of which one could be a row by itself, and is read as one."""
    lines = re.split(r"\r\n?|\n", text.removesuffix("\r\n"))
    closed = [line for line in lines if P in line and line.count('"') % 2 == 0]
    return len(lines) > 1 and any(len(next(csv.reader([line]))) == 3 for line in closed)


@settings(max_examples=share(60))
@given(st.lists(st.tuples(FIELD, FIELD), min_size=1, max_size=6), st.booleans())
@example([("a\rb,", ",c\rd")], True)
def test_whatever_the_csv_module_writes_is_read(tmp_path_factory, notes, quoted):
    rows = [("one", "puzzle", "two"), *((a, P, b) for a, b in notes)]
    texts = [written(row, csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL) for row in rows]
    assume(not any(holds_a_row(text) for text in texts))
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes("".join(texts).encode())
    tables = [chunk.beside for chunk in read_chunks(str(path), keep=True)]
    expected = [tuple(re.sub(r"\r+\n|\r", "\n", text) for text in row) for row in notes]
    found = [
        row
        for table in tables
        for row in zip(table.column("one"), table.column("two"), strict=True)
    ]
    assert found == expected


PUZZLES = [CLASSIC, CLASSIC_SOLUTION, EMPTY, CLASSIC.replace(".", "0")]


SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"


SIXTEEN = Board.of_size(16)


def told(found):
    """Line and grid; of an error line, column and what was found."""
    short = [(seen.line, seen.puzzle) for seen in found]
    return [(line, p if isinstance(p, str) else p[:3]) for line, p in short]


@pytest.fixture
def both(tmp_path):
    """What both ways to read make of a text, once they agree: [(line, grid or error)]."""

    def read(text, board=None):
        path = tmp_path / "collection.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return told(read_both(path, board))

    return read


# One puzzle a line -------------------------------------------------------------------------------


def test_plain_lines(both):
    expected = [(i, p.replace("0", ".")) for i, p in enumerate(PUZZLES, 1)]
    assert both("\n".join(PUZZLES) + "\n") == expected
    assert both("\n".join(PUZZLES)) == expected
    assert both("\r\n".join(PUZZLES) + "\r\n") == expected
    assert both("\r\n".join(PUZZLES)) == expected
    assert both("\ufeff" + "\n".join(PUZZLES)) == expected


def test_comments_blank_lines_and_drawn_lines_are_no_puzzles(both):
    lines = ["# title", "", CLASSIC, "  # more", "   ", "------+------", EMPTY, "=" * 81, "", "#"]
    assert both("\n".join(lines)) == [(3, CLASSIC), (7, EMPTY)]


@pytest.mark.parametrize(
    "line",
    [
        CLASSIC + " easy 12",
        CLASSIC + "\t0.5\tU",
        CLASSIC + ",1.5",
        CLASSIC + ";" + CLASSIC_SOLUTION,
        CLASSIC + ":1",
        CLASSIC + "|x",
        CLASSIC + " # a comment",
        "name\t" + CLASSIC,
        "Platinum Blonde\t" + CLASSIC,
        "17," + CLASSIC + "," + CLASSIC_SOLUTION,
        "  " + CLASSIC + "  ",
        CLASSIC + "--",
        CLASSIC + "-",
        CLASSIC.replace(".", "-"),
        CLASSIC.replace(".", "*") + "\t" + CLASSIC_SOLUTION,
        " ".join(CLASSIC),
        " | ".join(CLASSIC[i : i + 9] for i in range(0, 81, 9)),
    ],
)
def test_fields_around_a_puzzle_are_passed_over(both, line):
    for end in ("\n", "\r\n"):
        text = end.join([EMPTY, line, EMPTY])
        assert both(text) == [(1, EMPTY), (2, CLASSIC), (3, EMPTY)]
    assert both(line) == [(1, CLASSIC)]


@pytest.mark.parametrize(
    ("line", "column", "found"),
    [
        (CLASSIC[:-1], 81, "80 cells"),
        (CLASSIC + "1", 82, "82 cells"),
        (CLASSIC[:7] + "x" + CLASSIC[8:], 8, "'x'"),
        (CLASSIC[:7] + "é" + CLASSIC[8:], 8, r"'\xe9'"),
        (CLASSIC[:80] + "\0", 81, r"'\x00'"),
        ("1234" * 4, 17, "16 cells"),
        ("abc", 4, "3 cells"),
        ("no puzzle at all, but long enough for one row of any board", 1, None),
    ],
)
def test_a_bad_line_does_not_cost_the_others(both, line, column, found):
    found_all = both("\n".join([CLASSIC, line, EMPTY]), Board())
    assert [entry for entry in found_all if entry[0] != 2] == [(1, CLASSIC), (3, EMPTY)]
    (_, (error_line, error_column, error_found)) = found_all[1]
    assert error_line == 2
    if found is None:
        assert error_found == "45 cells, one of them 'u'"
    else:
        assert (error_column, error_found) == (column, found)


def test_bytes_that_are_no_utf8_are_an_error_of_their_line_only(both):
    text = b"\n".join([CLASSIC.encode(), CLASSIC[:80].encode() + b"\xff", EMPTY.encode()])
    assert both(text) == [(1, CLASSIC), (2, (2, 81, r"'\ufffd'")), (3, EMPTY)]


def test_a_line_longer_than_a_megabyte_is_one_error(both):
    found = both("\n".join([CLASSIC, "1" * 1_500_000, "x " * 100_000, EMPTY]))
    assert [line for line, _ in found] == [1, 2, 3, 4]
    assert (found[0][1], found[3][1]) == (CLASSIC, EMPTY)
    assert all(re.fullmatch(r"a line of \d+ characters", found[i][1][2]) for i in (1, 2))


def test_a_puzzle_behind_a_long_field_of_a_good_line_is_read(both):
    assert both(CLASSIC + " " + "x" * 100_000) == [(1, CLASSIC)]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 4096])
def test_chunk_size_changes_nothing_but_the_chunks(tmp_path, size):
    path = tmp_path / "collection.txt"
    path.write_text("\n".join(["#", CLASSIC, "x" + EMPTY, EMPTY, CLASSIC, EMPTY[1:]]))
    chunks = list(read_chunks(str(path), size=size))
    sizes = [len(chunk.lines) for chunk in chunks]
    assert (sum(sizes), max(sizes)) == (5, min(size, 4))  # the last line is a block of its own
    assert from_chunks(path, size=size) == from_puzzles(path)


@pytest.mark.parametrize("block", [3, 7, 82, 100, 333])
def test_blocks_may_end_anywhere(tmp_path, monkeypatch, block):
    path = tmp_path / "collection.txt"
    lines = ["\ufeff# title", CLASSIC, "x" + EMPTY, EMPTY + " 1", CLASSIC]
    path.write_bytes("\r\n".join(lines).encode())
    whole = from_puzzles(path)
    assert [seen.line for seen in whole] == [2, 3, 4, 5]
    monkeypatch.setattr(streams, "BLOCK_BYTES", block)
    assert from_puzzles(path) == whole
    assert from_chunks(path, Board()) == whole


GOOD = st.sampled_from(
    [
        CLASSIC,
        EMPTY,
        CLASSIC_SOLUTION + " " + CLASSIC,
        CLASSIC + "--",
        CLASSIC.replace(".", "-"),
        "name\t" + CLASSIC,
        " " + CLASSIC + " 7",
        ",".join(CLASSIC),
    ]
)


FOUR_BY_FOUR = "1234" * 4
ODD = st.sampled_from(
    [
        "",
        "  ",
        "# comment",
        "---+---",
        "abc",
        "12345",
        CLASSIC[1:],
        CLASSIC + "1",
        "x" + CLASSIC[1:],
        CLASSIC[:80] + "\r1",
        CLASSIC + "\r1",
        "puzzles of the forum, hard ones",
        "é" * 40,
        FOUR_BY_FOUR,
    ]
)


# Wider than any row: what is as narrow as a row may be taken for one by `read_puzzles` only.
WIDE = st.text(alphabet="12.x- |\t,#\0é", min_size=26, max_size=90).filter(
    lambda text: len(re.sub(r"[-| \t,]", "", text)) > 25
)


HEADERS = st.sampled_from(["#!sudoku -c3", "quiz", "id,quiz", "[Puzzle]"])


@settings(max_examples=share(150), deadline=None)
@given(
    st.lists(GOOD | ODD | WIDE | HEADERS, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([1, 3, 4096]),
)
def test_any_mix_of_good_and_odd_lines_is_the_same_to_both_readers(
    tmp_path_factory, lines, end, size
):
    assume(lines.count(FOUR_BY_FOUR) < 4)  # which may be pencil marks, and is refused
    path = tmp_path_factory.getbasetemp() / "mix.txt"
    path.write_bytes(end.join(lines).encode())
    assert same_from_both(path, Board(), size)


def test_a_header_ends_a_grid_only_where_it_stands(tmp_path):
    path = tmp_path / "rows"
    path.write_text("#!sudoku -c3\n3..9..2..\n.65..8...\n.")  # the last line has no end
    assert from_chunks(path, Board()) == from_puzzles(path, Board())


# One row a line ----------------------------------------------------------------------------------


def test_rows_with_and_without_blank_lines_between_grids(both):
    grids = [CLASSIC, CLASSIC_SOLUTION, EMPTY]
    assert both("\n".join(map(rows, grids))) == list(zip([1, 10, 19], grids, strict=True))
    assert both("\n\n".join(map(rows, grids))) == list(zip([1, 11, 21], grids, strict=True))
    assert both("\n# next\n".join(map(rows, grids))) == list(zip([1, 11, 21], grids, strict=True))


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("size", [4, 6, 9, 12, 16, 25])
def test_pretty_grids_of_every_size(both, size, gap):
    board = Board.of_size(size)
    values = Random(size).choices(range(size + 1), k=3 * board.cells)
    grids = [Grid(bytes(values[i::3]), board) for i in range(3)]
    found = both(gap.join(map(format_pretty, grids)))
    assert [grid for _, grid in found] == [format_line(grid) for grid in grids]


def test_grids_with_a_frame_need_no_blank_line(both):
    frame = "+---+---+---+"
    framed = [frame, *(f"|{r[:3]}|{r[3:6]}|{r[6:]}|" for r in rows(CLASSIC).split("\n")), frame]
    assert both("\n".join(framed * 2)) == [(2, CLASSIC), (13, CLASSIC)]


def test_a_bad_grid_of_rows_is_one_error_and_costs_no_other(both):
    short = rows(CLASSIC).split("\n")[:-1]
    wrong = rows(CLASSIC[:20] + "z" + CLASSIC[21:])
    text = "\n\n".join([rows(EMPTY), "\n".join(short), wrong, rows(CLASSIC)])
    assert both(text) == [
        (1, EMPTY),
        (11, (18, 10, "72 cells")),
        (20, (22, 3, "'z'")),
        (30, CLASSIC),
    ]


def test_a_row_with_a_cell_too_few_points_into_its_grid(both):
    lines = rows(CLASSIC).split("\n")
    lines[4] = lines[4][:-1]
    found = both("\n".join(lines) + "\n\n" + rows(EMPTY))
    assert found == [(1, (9, 10, "80 cells")), (11, EMPTY)]


def test_titles_without_a_hash_do_not_cost_the_grids(both):
    text = f"Grid 01\n{rows(CLASSIC)}\nGrid 02\n{rows(EMPTY)}\n"
    assert [e for e in both(text) if isinstance(e[1], str)] == [(2, CLASSIC), (12, EMPTY)]


def test_rows_and_lines_may_be_mixed_for_people(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_text(f"{CLASSIC}\n{rows(EMPTY)}\n{CLASSIC}\n\n{format_pretty(parse_grid(CLASSIC))}")
    expected = [(1, CLASSIC), (2, EMPTY), (11, CLASSIC), (13, CLASSIC)]
    assert told(read_both(path)) == expected


# Sixteen cells a line: 4x4 grids, or the rows of one 16x16 ---------------------------------------

FOURS = ["12..............", "1234341221434321", "................", "...4............"]


@pytest.mark.parametrize("count", [1, 2, 3, 15, 16, 17, 40])
def test_a_list_of_4x4_grids(both, count):
    lines = [FOURS[i % 4] for i in range(count)]
    assert both("\n".join(lines)) == list(enumerate(lines, 1))


def test_a_bad_line_in_a_list_of_4x4_grids_costs_no_other(both):
    lines = [FOURS[i % 4] for i in range(40)]
    lines[5], lines[20], lines[30] = "12.x" * 4, "5" + "." * 15, "1" * 15
    found = both("\n".join(lines))
    assert [line for line, _ in found] == list(range(1, 41))
    assert {line for line, grid in found if not isinstance(grid, str)} == {6, 21, 31}


def test_4x4_grids_with_names(both):
    lines = [f"no{i} {FOURS[i % 4]}" for i in range(30)]
    lines[7] = "no7 12..x..........."
    found = both("\n".join(lines))
    good = [(i + 1, FOURS[i % 4]) for i in range(30) if i != 7]
    assert [entry for entry in found if isinstance(entry[1], str)] == good


def test_sixteen_rows_of_sixteen_are_one_grid(both):
    values = Random(1).choices([0, 0, *range(1, 17)], k=256)
    line = "".join(map(SYMBOLS.__getitem__, values))
    assert both(rows(line, 16)) == [(1, line)]
    assert both(rows(line, 16) + "\n" + rows(line, 16)) == [(1, line), (17, line)]


def test_a_board_that_is_given_settles_it(tmp_path):
    path = tmp_path / "sixteen.txt"
    path.write_text("\n".join(["................"] * 16))
    ((line, error),) = told(read_both(path))
    assert (line, error[2]) == (1, "16 lines that may be one puzzle of 16x16 or 16 puzzles")
    assert told(read_both(path, SIXTEEN)) == [(1, "." * 256)]
    assert told(read_both(path, Board.of_size(4))) == [(n, "." * 16) for n in range(1, 17)]


def test_sixteen_rows_of_digits_to_4_are_one_grid_only_if_they_keep_to_its_rules(both):
    rest = ["................"] * 14
    lines = ["1......1........", "................", *rest]  # twice in a row, but not of 4x4
    assert both("\n".join(lines)) == list(enumerate(lines, 1))
    lines = ["1...............", "......A.........", *rest]
    assert both("\n".join(lines)) == [(1, "".join(lines))]
    lines = ["2...............", "...1............", *rest]
    assert [found[2][:8] for _, found in both("\n".join(lines))] == ["16 lines"]


def test_the_first_good_puzzle_is_the_board_of_all_chunks(tmp_path):
    path = tmp_path / "sizes.txt"
    path.write_text(f"junk\n{'.' * 36}\n{CLASSIC}\n")
    found = told(from_chunks(path))
    assert [line for line, _ in found] == [1, 2, 3]
    assert (found[1][1], found[2][1]) == ("." * 36, (3, 37, "81 cells"))


# Files that are none -----------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n# comments\n", "\ufeff", "---\n"])
def test_a_file_without_puzzles_yields_nothing(both, text):
    assert both(text) == []


def test_a_binary_file_yields_errors_only(tmp_path):
    path = tmp_path / "binary"
    path.write_bytes(Random(0).randbytes(20_000))
    assert same_from_both(path)  # which holds no puzzles
    path.write_bytes(path.read_bytes() + b"\n" + b"1" * 80)
    for found in (from_puzzles(path), from_chunks(path)):
        assert found
        assert all(isinstance(seen.puzzle, tuple) for seen in found)
