"""Lines as people write them: headers, quotes, names, and every defect of real files.

A defect costs its own row: what stands before and behind it is read as if it were not there.
"""

import gzip

import pytest
from collection_cases import Read, Row, good, read
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.files import collection, streams
from satdoku.files.collection import read_chunks
from satdoku.files.columns import ColumnError
from satdoku.files.streams import FileError

P, A, E = CLASSIC, CLASSIC_SOLUTION, "." * 81
MARKS = "".join(
    str(digit) if symbol in (".", str(digit)) else "." for symbol in P for digit in range(1, 10)
)


@pytest.fixture
def rows(tmp_path):
    """Rows of a text."""

    def call(content, **options):
        path = tmp_path / "file"
        data = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(data)
        found = read(path, **options)
        assert read(path, size=1, **options) == found
        return found

    return call


# Defects of real files: what stands between good rows; what is read, or what its error says -------

BARE = {
    "80 characters": (P[:-1], "80 cells"),
    "82 characters": (P + "1", "82 cells"),
    "unicode digits": (P[:4] + "١" + P[5:], r"'\u0661'"),
    "full-width digits": (P[:4] + "１" + P[5:], r"'\uff11'"),
    "NUL bytes": (P[:40] + "\0\0" + P[42:], r"'\x00'"),
    "NUL bytes behind": (P + "\0\0\0", r"'\x00'"),
    "a line of NUL": ("\0" * 81, r"'\x00'"),
    "a letter": (P[:4] + "x" + P[5:], "'x'"),
    "half a line": (P[:40], "40 cells"),
    "two puzzles glued together": (P + P, "162 cells"),
    "a pair of quotes": (f'"{P}"', Row(P)),
    "a quote that is never closed": (f'"{P}', Row(P)),
    "a line ending in --": (P + "--", Row(P)),
    "trailing fields": (P + ",0.5,easy", Row(P)),
    "trailing blanks": (P + "  \t", Row(P)),
    "CR twice": (P + "\r", Row(P)),
    "a byte order mark": ("\ufeff" + P, Row(P)),
    "no UTF-8": (P[:80].encode() + b"\xe9", r"'\ufffd'"),
    "another board": ("." * 16, "16 cells"),
    "a huge number": ("9" * 5000, "5,000 cells"),
}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", BARE)
def test_a_defect_costs_its_own_line(rows, name, end):
    line, expected = BARE[name]
    line = line if isinstance(line, bytes) else line.encode()
    found = rows(end.encode().join([P.encode(), E.encode(), line, A.encode()]))
    assert good(found[:2] + found[3:]) == [(1, Row(P)), (2, Row(E)), (4, Row(A))]
    check(found[2], 3, expected)


def check(read, line, expected):
    assert read.line == line
    if isinstance(expected, Row):
        assert read.row == expected
    else:
        assert f"line {line}, column" in read.row
        assert expected in read.row


TABLE = {
    "ragged, too short": ("c", "found 1 field, expected a puzzle in field 2"),
    "ragged, no answer": (f"c,{P}", Row(P, "", "c")),
    "ragged, too long": (f"c,{P},{A},knight,x,y,z", Row(P, A, "c", "knight")),
    "empty columns": (",,,", "0 cells"),
    "an empty puzzle": (f"c,,{A},", "0 cells"),
    "an empty answer": (f"c,{P},,king", Row(P, "", "c", "king")),
    "an empty id": (f",{P},{A},", Row(P, A)),
    "an unclosed quote": (f'"c,{P},{A},', "a quote that is never closed"),
    "a quote in a field": (f'5" disk,{P},{A},', Row(P, A, '5" disk')),
    "text behind a quote": (f'"c" d,{P},{A},', Row(P, A, "c d")),
    "a separator in quotes": (f'"c,d",{P},{A},"knight,king"', Row(P, A, "c,d", "knight,king")),
    "a puzzle in quotes": (f'"c,{E},x",{P},"{A}",', Row(P, A, f"c,{E},x")),
    "a short puzzle": (f"c,{P[1:]},{A},", "column 83: found 80 cells"),
    "NUL": (f"c,{P[:-1]}\0,{A},", r"'\x00'"),
    "NUL in the id": (f"c\0d,{P},{A},", Row(P, A, "c d")),
    "the header again": ("id,puzzle,solution,rules", None),
    "a comment": ("# id,puzzle,solution,rules", None),
    "something like a header": ("puzzle,of course,none,", "8 cells, one of them 'u'"),
}


@pytest.mark.parametrize("name", TABLE)
def test_a_defect_costs_its_own_record(rows, name):
    line, expected = TABLE[name]
    found = rows(f"id,puzzle,solution,rules\na,{P},{A},\n{line}\nb,{E},{A},miracle\n")
    ends = [(2, Row(P, A, "a")), (4, Row(E, A, "b", "miracle"))]
    assert good([found[0], found[-1]]) == ends
    if expected is None:
        assert len(found) == 2
    else:
        check(found[1], 3, expected)


def test_an_unreadable_answer_leaves_the_puzzle(tmp_path):
    path = tmp_path / "f"
    path.write_text(f"puzzle,solution\n{P},{A}\n{P},{A[:-1]}\n{P},x\n{P},{A}\n")
    (chunk,) = read_chunks(str(path))
    assert not chunk.errors
    assert chunk.answers.stated.tolist() == [True] * 4
    assert sorted(chunk.answers.errors) == [1, 2]
    assert "line 3, column 163: found 80 cells" in str(chunk.answers.errors[1])
    assert not chunk.answers.cells[1:3].any()


def test_a_truncated_gzip_says_so_after_the_rows_before(tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(f"{P}\n".encode() * 50_000)[:-9])
    chunks = read_chunks(str(path))
    assert len(next(chunks).lines) > 0
    with pytest.raises(FileError, match=r"cut\.gz: broken file"):
        list(chunks)


def test_boards_of_several_sizes(rows):
    """The first good puzzle tells; the others are errors of their rows."""
    four, sixteen = "12.............4", "." * 256
    found = rows(f"{four}\n{P}\n{sixteen}\n{four}\n")
    assert good(found) == [(1, Row(four)), (4, Row(four))]
    assert "found 81 cells, expected 16 cells (4x4)" in found[1].row
    found = rows(f"id,puzzle\na,{sixteen}\nb,{four}\nc,{sixteen}\n")
    assert good(found) == [(2, Row(sixteen, id="a")), (4, Row(sixteen, id="c"))]
    assert "found 16 cells, expected 256 cells (16x16)" in found[1].row


# Headers ------------------------------------------------------------------------------------------


def test_a_header_in_the_middle_with_the_same_or_other_columns(rows):
    found = rows(
        f"id,puzzle,solution\na,{P},{A}\n"
        f"id,puzzle,solution\nb,{P},{A}\n"
        f"solution;rules;puzzle\n{A};king;{E}\n"
        f"puzzle\n{E}\n"
    )
    assert found == [
        (2, Row(P, A, "a")),
        (4, Row(P, A, "b")),
        (6, Row(E, A, "", "king")),
        (8, Row(E)),
    ]


def test_a_header_after_bare_lines(rows):
    assert rows(f"{P}\n{P}\nid,puzzle,solution\nb,{E},{A}\n") == [
        (1, Row(P)), (2, Row(P)), (4, Row(E, A, "b")),
    ]  # fmt: skip


def test_a_title_is_no_header_if_the_lines_behind_it_go_on_as_before(rows):
    for title in ("hard | puzzle", "puzzle; easy", "a,puzzle,b"):
        for text in (f"{P}\n{title}\n{E}\n", f"{title}\n{P}\n{E}\n"):
            found = rows(text)
            assert [row for _, row in good(found)] == [Row(P), Row(E)]
            assert len(found) <= 3


def test_a_header_is_believed_even_if_the_first_rows_are_broken(rows):
    """The answers must not be taken for the puzzles."""
    empty = f"a,,{A}\n" * 1500
    found = rows(f"id,puzzle,solution\n{empty}b,{P},{A}\n")
    assert good(found) == [(1502, Row(P, A, "b"))]
    assert len(found) == 1501


def test_a_header_at_the_end_of_a_block_is_seen_with_the_next(rows, monkeypatch):
    text = f"puzzle,id\n{P},a\nid,puzzle\nb,{E}\nc,{P}\n"
    whole = rows(text)
    assert [row.id for _, row in whole] == ["a", "b", "c"]
    for size in range(30, len(text), 3):
        monkeypatch.setattr(streams, "BLOCK_BYTES", size)
        assert rows(text) == whole


def test_a_header_alone_is_no_row(rows):
    assert rows("id,puzzle,solution\n") == []
    assert rows(f"{P}\nid,puzzle,solution\n") == [(1, Row(P))]


def test_thousands_of_headers_take_no_longer_than_their_lines(rows):
    found = rows(f"puzzle,id\n{P},a\nid,puzzle\nb,{P}\n" * 200)
    assert len(found) == 400
    assert {row.id for _, row in found} == {"a", "b"}


def test_columns_by_name_or_number_where_the_usual_names_do_not_tell(rows):
    text = f"who,board,full\nme,{P},{A}\n"
    asked = {"puzzle": "board", "answer": "full", "id": "who"}
    assert rows(text, columns=asked) == [(2, Row(P, A, "me"))]
    assert rows(text, columns={"puzzle": "2", "answer": "3"})[-1] == (2, Row(P, A))
    bare = f"one two three,{P},{A}\nfour,{E},\n"
    by_number = {"puzzle": "2", "answer": "3", "id": "1"}
    expected = [(1, Row(P, A, "one two three")), (2, Row(E, "", "four"))]
    assert rows(bare, columns=by_number) == expected
    for wrong in ({"puzzle": "nothing"}, {"puzzle": "9"}, {"puzzle": "1"}, {"id": "1"}):
        with pytest.raises(ColumnError, match="no column"):
            rows(bare, columns=wrong)
    with pytest.raises(ColumnError, match="no role 'puzle'"):
        rows(bare, columns={"puzle": "1"})
    with pytest.raises(collection.FormatError, match="no format 'cvs'"):
        rows(bare, format="cvs")


def test_gsf_headers(rows):
    head = "#!sudoku -c5,sym,num,clues,min,puz\n"
    assert rows(f"{head}A,1,24,y,{P}\n# no row\nB,2,0,n,{E}\n") == [(2, Row(P)), (4, Row(E))]
    spaced = f"#!sudoku -c2\nx  {P}   {A}\ny\t{E} {A}\n"
    assert rows(spaced) == [(2, Row(P)), (3, Row(E))]
    named = f"#!sudoku -c2;id;puz;sol\nx;{P};{A}\ny;{E};\n"
    assert rows(named) == [(2, Row(P, A, "x")), (3, Row(E, "", "y"))]
    assert rows(f"#!sudoku without an option\n{P}\n") == [(2, Row(P))]


# Comments and ids that begin with # --------------------------------------------------------------

HASHED = {  # lines behind the header id,puzzle,solution,rules, and the rows that they are
    "an id": (f"#7,{P},{A},knight", Row(P, A, "#7", "knight")),
    "an id alone": (f"#,{P},,", Row(P, "", "#")),
    "a blank before": (f"  # 7,{P},{A},", Row(P, A, "# 7")),
    "quotes": (f'#7,"{P}","{A}","knight,king"', Row(P, A, "#7", "knight,king")),
    "a puzzle with dashes": (f"#7,{P.replace('.', '-')},,", Row(P, "", "#7")),
    "a broken answer's place": (f"#7,{P},,#", Row(P, "", "#7", "#")),
    "a row that is too short": (f"#7,{P},{A}", None),
    "a row that is too long": (f"#7,{P},{A},,", None),
    "no puzzle": (f"#7,{P[1:]},{A},", None),
    "an empty puzzle": (f"#7,,{A},", None),
    "words": ("# a, b, c, d", None),
    "the header": ("#id,puzzle,solution,rules", None),
    "a quote that is never closed": (f'#"7,{P},"{A},', None),
    "nothing": ("#", None),
}


@pytest.mark.parametrize("name", HASHED)
def test_behind_a_header_a_line_with_its_fields_and_a_puzzle_is_a_row(rows, name):
    line, row = HASHED[name]
    here = [] if row is None else [(3, row)]
    ends = (2, Row(P, A, "a")), (4, Row(E, A, "b", "miracle"))
    text = f"id,puzzle,solution,rules\na,{P},{A},\n{line}\nb,{E},{A},miracle\n"
    assert rows(text) == rows(text.replace("\n", "\r\n")) == [ends[0], *here, ends[1]]


def test_all_ids_may_begin_with_a_hash(rows, monkeypatch):
    """The header is believed for their sake, and wherever the blocks are cut."""
    text = f"# made today, by me\nid,puzzle\n#1,{P}\n#2,{E}\npuzzle,id\n# end, really\n{A},#3\n"
    found = [(3, Row(P, id="#1")), (4, Row(E, id="#2")), (7, Row(A, id="#3"))]
    assert rows(text) == found
    for size in range(60, len(text), 11):
        monkeypatch.setattr(streams, "BLOCK_BYTES", size)
        assert rows(text) == found


def test_a_header_in_the_middle_is_believed_for_ids_that_begin_with_a_hash(rows):
    assert rows(f"puzzle,x,id\n{P},,a\nid,puzzle\n#1,{E}\n") == [
        (2, Row(P, id="a")), (4, Row(E, id="#1")),
    ]  # fmt: skip


def test_without_a_header_what_begins_with_a_hash_is_a_comment(rows):
    assert rows(f"{P}\n#{E}\n# 1,{E}\n#1 {E}\n{A}\n") == [(1, Row(P)), (5, Row(A))]
    assert rows(f"a,{P},{A}\n#b,{P},{A}\n") == [(1, Row(P, A, "a"))]


def test_pencil_marks_behind_an_id_with_a_hash(rows):
    assert rows(f"id,puzzle\na,{MARKS}\n#b,{MARKS}\n#c,{MARKS[1:]}\n#d,{P}\n") == [
        (2, Row(MARKS, id="a")), (3, Row(MARKS, id="#b")), (5, Row(MARKS, id="#d")),
    ]  # fmt: skip


# Without a header ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (f"{P},{A}", Row(P, A)),
        (f"{P};{A};3", Row(P, A)),
        (f"{P}  {A}", Row(P, A)),
        (f"{P},9,{A}", Row(P, A)),
        (f'"{P}","{A}"', Row(P, A)),
        (f"17,{P},{A}", Row(P, A, "17")),
        (f'"one,two","{P}","{A}"', Row(P, A, "one,two")),
        (f"Platinum Blonde\t{P}", Row(P, "", "Platinum Blonde")),
        (f"0a1f {P} 7.1", Row(P, "", "0a1f")),
        (f"{P} # {A}", Row(P, A)),
    ],
)
def test_the_first_line_tells_where_names_and_answers_stand(rows, line, row):
    assert rows(f"{line}\n") == [(1, row)]
    assert rows(f"{line}\n" * 3) == [(1, row), (2, row), (3, row)]


def test_lines_that_are_laid_out_otherwise_lose_nothing(rows):
    text = f"a,{P},{A}\n b c ; {P} ; {A}\n,{P},,,{A}\nd,{P}\n  # e,{P},{A}\n"
    expected = [Row(P, A, "a"), Row(P, A, "b c"), Row(P, A), Row(P, "", "d")]
    assert [row for _, row in rows(text)] == expected


def test_pencil_marks_with_and_without_names(rows):
    from collection_cases import marks_text

    given = marks_text([mark == str(i % 9 + 1) for i, mark in enumerate(MARKS)])
    assert given == MARKS
    text = f"{MARKS}\n{P}\n{MARKS[:-1]}\n{MARKS[::-1]}\n"
    found = rows(text)
    assert good(found) == [(1, Row(MARKS)), (2, Row(MARKS))]
    assert len(found) == 4
    table = f"id,puzzle,solution\na,{MARKS},{A}\nid,puzzle,solution\nb,{P},{A[1:]}\nc,x,{A}\n"
    assert good(rows(f"id,puzzle,solution\na,{MARKS},{A}\nb,{P},\n")) == [
        (2, Row(MARKS, A, "a")), (3, Row(MARKS, "", "b")),
    ]  # fmt: skip
    with pytest.raises(AssertionError):  # an unreadable answer
        rows(table)


def test_sections_of_sdk_files(rows):
    grid = "\n".join(P[i : i + 9] for i in range(0, 81, 9))
    state = "\n".join(A[i : i + 9] for i in range(0, 81, 9))
    one = f"#AMe\n#L1\n[Puzzle]\n{grid}\n[State]\n{state}\n"
    assert rows(one) == [(4, Row(P))]
    assert [row for _, row in rows(one * 3)] == [Row(P)] * 3
    assert rows(f"[Puzzle]\n{P}\n[State]\n{A}\n") == [(2, Row(P))]
    assert rows(f"[Easy]\n{P}\n[Very hard]\n{E}\n") == [(2, Row(P)), (4, Row(E))]
    short = one.replace(grid, grid[:-10])
    found = rows(short + one)
    assert good(found) == [(25, Row(P))]
    assert found[0].line == 4 and "72 cells" in found[0].row


def test_a_given_format_overrides_what_the_content_tells(rows):
    grid = "\n".join(P[i : i + 9] for i in range(0, 81, 9))
    assert rows(grid, format="rows") == rows(grid) == [(1, Row(P))]
    assert all(isinstance(row, str) for _, row in rows(grid, format="lines"))
    assert rows(f"id,puzzle\na,{P}\n", format="lines")[-1] == (2, Row(P, id="a"))
    assert rows(f"{P}\n", format="csv") == [(1, Row(P))]


def test_a_field_beyond_what_csv_reads_is_an_error_of_its_row(rows):
    long = '"' + "x," * 100_000 + '"'
    found = rows(f"id,puzzle\na,{P}\n{long},{P}\nb,{E}\n")
    assert good(found) == [(2, Row(P, id="a")), (4, Row(E, id="b"))]
    assert isinstance(found[1], Read) and found[1].line == 3
