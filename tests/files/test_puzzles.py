"""One reader: `read_puzzles` and `read_chunks` agree on every file, in every format."""

import gzip
import json
import re
import subprocess
import sys
from random import Random

import numpy as np
import pytest
from collection_cases import (
    FULL,
    IDS,
    PACK,
    RULES,
    array,
    arrow,
    gsf,
    lines,
    npy,
    npz,
    numbers,
    objects,
    parquet,
    records,
    sdk,
    table,
)  # fmt: skip
from collection_cases import rows as some_rows
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st
from record_cases import Seen, from_chunks, from_puzzles, read_both, rows
from soak import share

from satdoku.files import notation
from satdoku.files.collection import read_chunks
from satdoku.files.fpuzzles import format_fpuzzles
from satdoku.files.fpuzzles.links import load, save
from satdoku.files.puzzles import read_puzzles
from satdoku.files.streams import FileError, open_source
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import format_pretty, parse_grid
from satdoku.runtime.errors import SatdokuError

P, A, E = CLASSIC, CLASSIC_SOLUTION, "." * 81
NINE = Board()
SIX = Board.of_size(6)

# Every format of text --------------------------------------------------------------------------

WHOLE = some_rows(answer=st.just("") | FULL, id=IDS, rules=RULES)


def link(row):
    return format_fpuzzles(row.cells, row.rules or "classic")


def links(some):
    return "\n".join(map(link, some)).encode()


def pretty(some):
    return "\n\n".join(format_pretty(parse_grid(row.cells)) for row in some).encode()


def linked_table(some):
    lines = [f"{link(row)},{row.id if row.id.isalnum() else ''}\n" for row in some]
    return "".join(["quiz,id\n", *lines]).encode()


TEXTS = {
    "lines": lines,
    "gsf": gsf,
    "records": lambda some: records([row._replace(id=row.id or "x") for row in some]),
    "csv": lambda some: table(some, "solutions,quizzes,id,rules"),
    "csv with sources": lambda some: table(some, "id,rating,solution,puzzle"),
    "tsv": lambda some: table(some, "rules,answer,puzzle,id", delimiter="\t"),
    "objects": lambda some: objects(some, "text"),
    "nested objects": lambda some: objects(some, "rows"),
    "sections": sdk,
    "rows": lambda some: "\n\n".join(rows(row.cells) for row in some).encode(),
    "rulings": pretty,
    "links": links,
    "links in a table": linked_table,
}
STRAY = st.sampled_from(
    [
        "", "  ", "# comment", "#!sudoku -c2,id,puz", "---+---", "abc", "12345", "Grid 07",
        "[State]", "[Puzzle]", P[1:], f"{P}1", f"x{P[1:]}", P, f"{P},{A}", f"{A} {P}",
        rows(P), rows(P)[:-2],
        f"id,puzzle,solution\n7,{P},{A}", f"solution;puzzle;rules\n{A};{E};king", "puzzle | easy",
        format_fpuzzles(P, "knight"), "https://f-puzzles.com/?load=N4IgzglgXgpiBcBOA", "N4Ig", "{",
        json.dumps({"puzzle": P, "id": 4}), '{"puzzle": 7}', '"never closed', "1234" * 4, "é" * 40,
    ]
)  # fmt: skip


@st.composite
def texts(draw):
    """A file of one format, perhaps with lines put in, cut out or ended otherwise."""
    some = draw(WHOLE)
    whole = TEXTS[draw(st.sampled_from(sorted(TEXTS)))](some).decode()
    found = whole.split("\n")
    for stray in draw(st.lists(STRAY, max_size=3)):
        found.insert(draw(st.integers(0, len(found))), stray)
    if draw(st.booleans()):
        del found[draw(st.integers(0, len(found) - 1))]
    ends = draw(st.sampled_from([("\n",), ("\r\n",), ("\r",), ("\n", "\r\n", "\r")]))
    random = Random(draw(st.integers(0, 99)))
    return "".join(line + random.choice(ends) for line in "\n".join(found).split("\n"))


CODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    return tmp_path_factory.mktemp("puzzles") / "file"


def agreed(target, data, board, **options):
    """What both make of some bytes; None where both refuse the file as a whole, and why."""
    target.write_bytes(data)
    try:
        found = from_puzzles(target, board, **options)
    except SatdokuError as error:
        with pytest.raises(type(error)) as raised:
            from_chunks(target, board, **options)
        assert str(raised.value) == str(error)
        return None
    for size in (4096, 1, 3):
        assert from_chunks(target, board, size=size, **options) == found
    return found


@settings(max_examples=share(100), deadline=None)
@given(texts(), CODINGS, st.sampled_from(sorted(PACK)))
def test_both_give_the_same_of_any_text(target, text, coding, packing):
    agreed(target, PACK[packing](text.encode(coding)), NINE)


@settings(max_examples=share(100), deadline=None)
@given(texts())
def test_both_give_the_same_without_a_board_unless_there_are_several(target, text):
    target.write_text(text, newline="")
    try:
        found = from_puzzles(target)
    except SatdokuError as error:
        with pytest.raises(type(error)):
            from_chunks(target)
        return
    if {len(seen.puzzle) for seen in found if isinstance(seen.puzzle, str)} <= {81}:
        assert from_chunks(target) == found


def test_an_empty_grid_is_no_answer_without_a_header(tmp_path):
    path = tmp_path / "file"
    path.write_text(f"{CLASSIC},{CLASSIC_SOLUTION}\n{CLASSIC},{'0' * 81}\n")
    assert [seen.answer for seen in read_both(path)] == [CLASSIC_SOLUTION, None]


@settings(max_examples=share(60), deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_but_our_error(target, data):
    found = agreed(target, b"..." + data, NINE)  # no magic number of a compressed file
    assert all(seen.line >= 1 for seen in found or [])


ARRAYS = {
    "npy": lambda some: npy(array(some)),
    "npz": lambda some: npz(
        solutions=np.array([numbers(r.answer) for r in some]),
        quizzes=array(some),
        id=np.array([r.id for r in some]),
        rules=np.array([r.rules for r in some]),
    ),
    "parquet": lambda some: parquet(some, "text"),
    "parquet lists": lambda some: parquet(some, "fixed"),
    "arrow": lambda some: arrow(some, "flat"),
    "arrow stream": lambda some: arrow(some, "rows", stream=True),
}


@pytest.mark.parametrize("case", ARRAYS)
@settings(max_examples=8, deadline=None)
@given(some=some_rows(answer=FULL, id=IDS, rules=RULES))
def test_arrays_are_read_one_by_one_too(target, case, some):
    found = agreed(target, ARRAYS[case](some), None)
    assert [seen.puzzle for seen in found] == [row.cells for row in some]
    if case != "npy":
        expected = [(row.id, row.rules, row.answer) for row in some]
        assert [(seen.id, seen.rules, seen.answer) for seen in found] == expected


# Columns by name -------------------------------------------------------------------------------


@pytest.fixture
def read(tmp_path):
    """What both ways make of a text."""

    def call(text, **options):
        path = tmp_path / "file"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_both(path, **options)

    return call


def test_the_answer_is_not_taken_for_the_puzzle(read):
    assert read(f"solutions,quizzes\n{A},{E}\n") == [Seen(2, E, answer=A)]


def test_a_short_quiz_beside_a_good_answer_is_an_error(read):
    (seen,) = read(f"quizzes,solutions\n{P[:79]},{A}\n")
    assert seen.puzzle[:3] == (2, 80, "79 cells")


def test_a_short_quiz_is_an_error_without_a_header_too(read):
    """The first line tells which field is the answer."""
    for text, column in ((f"{P},{A}\n{P[:79]},{A}\n", 80), (f"1,{P},{A}\n2,{P[:79]},{A}\n", 82)):
        first, second = read(text)
        assert (first.puzzle, first.answer) == (P, A)
        assert second.puzzle[:3] == (2, column, "79 cells")
    assert [seen.puzzle for seen in read(f"{P},{A}\n{A},{A}\n")] == [P, A]


def test_columns_stand_in_any_order(read):
    assert read(f"id,rating,solution,puzzle\na,1.5,{A},{P}\n") == [Seen(2, P, "a", answer=A)]


def test_a_row_has_its_own_rules(tmp_path):
    """Rules that mean nothing `read_chunks` leaves to `batch`, which refuses them too."""
    path = tmp_path / "file"
    path.write_text(f"puzzle,rules\n{P},knight\n{P},\n{P},no such rule\n")
    found = from_puzzles(path)
    assert [seen.rules for seen in found[:2]] == ["knight", ""]
    assert found[2].puzzle[0] == 4
    assert "no such rule" in found[2].puzzle[2]


def test_regions_of_a_row_become_its_board(tmp_path):
    path = tmp_path / "file"
    path.write_text(f"puzzle,rules\n{'.' * 16},jigsaw=1111222233334444\n{'.' * 16},\n")
    first, second = read_puzzles(str(path))
    assert first.grid.board.regions and not second.grid.board.regions


def test_columns_and_formats_that_are_asked_for(read):
    text = f"who,board,full\nme,{P},{A}\n"
    asked = {"puzzle": "board", "answer": "full", "id": "who"}
    assert read(text, columns=asked) == [Seen(2, P, "me", answer=A)]
    assert all(isinstance(seen.puzzle, tuple) for seen in read(rows(P), format="lines"))
    assert read(rows(P), format="rows") == [Seen(1, P)]
    for wrong in ({"columns": {"puzzle": "9"}}, {"columns": {"puz": "1"}}, {"format": "cvs"}):
        with pytest.raises(SatdokuError, match=r"no (column|role|format)"):
            read(text, **wrong)


def test_json_lines_and_json_over_several_lines(read):
    assert read(json.dumps({"id": 7, "solution": A, "puzzle": P, "rules": "king"})) == [
        Seen(1, P, "7", "king", A)
    ]
    for indent in (0, 1, 2):
        assert read(json.dumps({"solution": A, "quiz": P}, indent=indent)) == [Seen(1, P, answer=A)]
        text = json.dumps(load(format_fpuzzles(P, "knight")), indent=indent)
        assert read(f"{text}\n{E}\n{text}\n{A}") == [
            Seen(1, P, rules="knight"),
            Seen(2 + text.count("\n"), E),
            Seen(3 + text.count("\n"), P, rules="knight"),
            Seen(4 + 2 * text.count("\n"), A),
        ]


def test_puzzles_of_several_sizes_in_one_file(tmp_path):
    """One by one each has its own board, on every line and in every column."""
    path = tmp_path / "file"
    path.write_text(f"{P}\n1234{'.' * 12}\n\n{rows('.' * 36, 6)}\n{P[1:]}\n")
    found = list(read_puzzles(str(path)))
    assert [len(r.grid) for r in found[:3]] == [81, 16, 36]
    wrong = "line 10, column 81: found 80 cells, expected 81"
    assert str(found[3].error).startswith(f"{path}: {wrong}")


@pytest.mark.parametrize("length", [79, 80, 82, 83, 99])
def test_a_line_of_the_wrong_length_is_the_same_error_everywhere(read, length):
    """82 characters were "column 83" read one by one, and "column 82" in a collection."""
    line = (A + A)[:length]
    (seen,) = read(line)
    assert seen.puzzle[:3] == (1, min(length + 1, 82), f"{length} cells")
    with pytest.raises(SatdokuError, match=f"line 1, column {min(length + 1, 82)}: found {length}"):
        parse_grid(line)


# Links -----------------------------------------------------------------------------------------


def test_links_are_rows_with_rules_of_their_own(read):
    link = format_fpuzzles(P, "knight,king")
    assert read(f"{P}\n{link}\n{E}\n") == [
        Seen(1, P), Seen(2, P, rules="knight,king"), Seen(3, E),
    ]  # fmt: skip
    table = f"id,puzzle\na,{link}\nb,{E}\n"
    assert read(table) == [Seen(2, P, "a", "knight,king"), Seen(3, E, "b")]
    objects = f"{json.dumps({'puzzle': link, 'id': 'a'})}\n{json.dumps({'puzzle': E})}\n"
    assert read(objects) == [Seen(1, P, "a", "knight,king"), Seen(2, E)]


def test_rules_that_are_asked_for_must_not_leave_out_those_of_a_link(read):
    link = format_fpuzzles(P, "knight")
    assert read(link, rules="knight,king")[0].rules == "knight,king"
    (seen,) = read(link, rules="king")
    assert seen.puzzle[0] == 1 and "knight" in seen.puzzle[2]
    (seen,) = read(f"puzzle,rules\n{link},king\n")
    assert seen.puzzle[0] == 2 and "knight" in seen.puzzle[2]


def test_a_link_with_regions_brings_them_along(tmp_path):
    board = Board(4, regions=(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3))
    path = tmp_path / "file"
    path.write_text(f"{format_fpuzzles('.' * 16, constraints_for('classic', board))}\n{'.' * 16}\n")
    first, second = read_both(path)
    assert (first.rules, second.rules) == ("jigsaw=0000111122223333", "")
    assert [record.grid.board for record in read_puzzles(str(path))] == [board, Board.of_size(4)]


def test_a_link_with_other_boxes_brings_them_along(tmp_path):
    path = tmp_path / "file"
    link = format_fpuzzles("." * 36, constraints_for("classic", Board(6, 3, 2)))
    path.write_text(f"{'.' * 36}\n{link}\n")
    assert [record.grid.board for record in read_puzzles(str(path))] == [SIX, Board(6, 3, 2)]
    first, second = read_both(path)
    assert (first.rules, second.rules) == ("", "boxes=3x2")


def test_rules_in_words_are_a_warning(read, tmp_path):
    """What the command makes of it is its own business: `warnings_as_errors`."""
    value = load(format_fpuzzles(P)) | {"ruleset": "Digits on a thermometer increase."}
    for text in (
        json.dumps(value),
        save(value),
        f"{P}\n{save(value)}",
        f"id,quiz\n7,{save(value)}",
    ):
        *_, seen = read(text)
        assert seen.puzzle == P
        assert "thermometer" in seen.warning
    path = tmp_path / "file"
    (chunk,) = (chunk.warnings_as_errors() for chunk in read_chunks(str(path)))
    assert "line 2" in str(chunk.errors[0]) and not chunk.puzzles.any() and not chunk.warnings


def test_marks_of_a_link_are_kept_and_the_givens_alone_are_no_puzzle(read, tmp_path):
    value = load(format_fpuzzles(P))
    value["grid"][0][0]["givenPencilMarks"] = [1, 2]
    path = tmp_path / "link"
    path.write_text(save(value))
    (puzzle,) = read_puzzles(str(path))
    assert puzzle.marks[0] == {1, 2}
    assert str(puzzle.grid) == P
    (chunk,) = read_chunks(str(path))
    assert chunk.marks == {0: puzzle.mark_bytes} and from_chunks(path)[0].puzzle == P
    refused = chunk.marks_as_errors()
    assert "found pencil marks" in str(refused.errors[0]) and not refused.puzzles.any()


@pytest.mark.parametrize("form", ["{}", "quiz\n{}", "quiz,rules\n{},", "id,quiz\n7,{}"])
def test_pencil_marks_among_digits_are_one_bad_row(read, form):
    header, row = form.rpartition("\n")[::2]
    cells = (P, "123.56789" * 81, P)
    good, bad, other = read("\n".join([header, *map(row.format, cells)]).lstrip())
    assert good.puzzle == other.puzzle == P
    assert "729 cells" in bad.puzzle[2]


def test_pencil_marks_are_kept_beside_the_grid(read, tmp_path):
    marks = "".join("123.56789" if c == "." else c.rjust(int(c), ".").ljust(9, ".") for c in P)
    ((line, puzzle, *_),) = read(marks)
    assert (line, puzzle) == (1, "marks " + re.sub("[1-9]", "1", marks))
    (puzzle,) = read_puzzles(str(tmp_path / "file"))
    assert puzzle.mark_bytes == bytes(map(".".__ne__, marks))
    assert str(puzzle.grid) == P


# One file, opened once -------------------------------------------------------------------------


def test_a_source_is_read_in_place_of_a_path(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_text(f"{P}\n")
    opened = []
    monkeypatch.setattr(
        "builtins.open", lambda *a, real=open, **k: opened.append(a[0]) or real(*a, **k)
    )
    with open_source(str(path)) as source:
        assert not source.is_dimacs
        assert [str(record.grid) for record in read_puzzles(source)] == [P]
    assert opened == [str(path)]


def test_each_grid_is_parsed_once(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_text(f"{rows(P)}\n\n{E}\n{A} 7\n")
    parsed = []
    for name in ("parse_grid", "parse_plain"):
        real = getattr(notation, name)
        monkeypatch.setattr(
            notation, name, lambda text, board, real=real: parsed.append(text) or real(text, board)
        )
    for cached in (notation.find_grid, notation.read_grid):
        cached.cache_clear()
    assert [str(record.grid) for record in read_puzzles(str(path), None, NINE)] == [P, E, A]
    assert len(parsed) == len(set(parsed))


def test_one_puzzle_needs_no_numpy(tmp_path):
    texts = {
        "line": P,
        "csv": f"id,rating,solution,puzzle\na,1,{A},{P}\n",
        "rows": rows(P),
        "sections": f"[Puzzle]\n{rows(P)}\n[State]\n{rows(A)}\n",
        "objects": json.dumps({"puzzle": P}),
        "link": format_fpuzzles(P),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    code = (
        "import satdoku, sys\n"
        "for path in sys.argv[1:]: print([str(r.grid) for r in satdoku.read_puzzles(path)])\n"
        "assert 'numpy' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *(str(tmp_path / name) for name in texts)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == [str([P])] * len(texts)


def test_a_file_that_is_broken_or_no_puzzles_is_named(tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b"\n".join([P.encode()] * 1000))[:-20])
    for read in (read_puzzles, read_chunks):
        with pytest.raises(FileError, match=r"cut\.gz: broken file"):
            list(read(str(path)))
    path.write_bytes("p cnf 1 1\n1 0\n".encode("utf-16"))
    for read in (read_puzzles, read_chunks):
        with pytest.raises(FileError, match=r"cut\.gz: a CNF, expected puzzles"):
            list(read(str(path)))


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "collection.txt"
    path.write_text(f"{P}\n{E}1\n")
    (chunk,) = read_chunks(str(path), None, NINE)
    (_, bad) = read_puzzles(str(path), None, NINE)
    assert bad.place == {"file": str(path), "line": 2}
    assert str(chunk.errors[1]) == str(bad.error)
    assert str(bad.error).startswith(f"{path}: line 2, column 82: found 82 cells, expected 81")


@pytest.mark.parametrize(
    "start", ["{", "https://x.org/", "fpuzzles", "FPUZ1", "N4Ig", "\u00a0{", "h"]
)
def test_a_line_that_begins_as_a_link_is_one_in_the_middle_of_names_too(target, start):
    """The vectorised reader once took `{ PUZZLE 2.0` for a puzzle with the name `{`."""
    lines = [f"x {'.' * 81} {k}.0" for k in range(4)]
    data = "\n".join([*lines, f"{start} {'.' * 81} 4.0", ""]).encode()
    seen = agreed(target, data, None)
    assert len(seen) == 5
    assert isinstance(seen[4].puzzle, str) == (start in ("N4Ig", "h"))
