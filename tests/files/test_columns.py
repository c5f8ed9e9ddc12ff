"""Columns by name: headers of every kind, and fields with quotes or not."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.files.columns import (
    ROLES,
    ColumnError,
    Layout,
    fields_of,
    fields_of_many,
    find_columns,
    header_layout,
)


@pytest.mark.parametrize(
    ("header", "puzzle", "answer", "id", "rules"),
    [
        ("puzzle,solution", 0, 1, None, None),
        ("quizzes,solutions", 0, 1, None, None),
        ("id,puzzle,solution,clues,difficulty", 1, 2, 0, None),
        ("source,question,answer,rating", 1, 2, None, None),
        ('"source","question","answer","rating"', 1, 2, None, None),
        ("Solution;PUZZLE;Variant", 1, 0, None, 2),
        (" hash \t sudoku ", 1, None, 0, None),
        ("\ufeffid|grid", 1, None, 0, None),
        ("puzzle", 0, None, None, None),
    ],
)
def test_headers_of_public_datasets(header, puzzle, answer, id, rules):
    layout = header_layout(header)
    assert layout[1:5] == (puzzle, answer, id, rules)
    assert layout.names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "my favourite puzzles",
        "id,clues,difficulty",
        "." * 81,
        f"puzzle,{'0' * 81}",
        "puzzle," + "x" * 41,
        "puzzle," * 200,
        'puzzle,"never closed',
        "#!sudoku",
        "#!sudoku -c0,a",
        "#!sudoku -x5,a",
    ],
)
def test_lines_that_are_no_headers(text):
    assert header_layout(text) is None


def test_the_header_of_gsfs_program():
    layout = header_layout("#!sudoku -c5,sym,num,clues,min,puz")
    assert (layout.separator, layout.puzzle, layout.answer) == (",", 4, None)
    assert header_layout("#!sudoku -f%v -c2;id;puz;sol -x")[:4] == (";", 1, 2, 0)
    assert header_layout("#!sudoku -c3")[:2] == (" ", 2)
    assert header_layout("#!sudoku -c2,puz,other", {"puzzle": "other"}).puzzle == 1
    assert header_layout("#!sudoku -c2,puz,other", {"puzzle": "nothing"}) is None


def test_columns_that_are_asked_for_by_name_or_number():
    assert header_layout("a,b,solution", {"puzzle": "B", "id": "1"})[1:4] == (1, 2, 0)
    assert header_layout("puzzle,original", {"puzzle": "original"}).puzzle == 1
    assert header_layout("a,b", {"puzzle": "c"}) is None
    assert find_columns(["7", "8", "x"], {"puzzle": "8"}) == {"puzzle": 1}
    for wrong in ("0", "4", "9" * 5000, "-1", "²"):
        with pytest.raises(ColumnError, match="no column"):
            find_columns(["a", "b", "c"], {"puzzle": wrong})


def test_a_role_whose_column_is_switched_off_has_none():
    names = ["puzzle", "rules", "answer"]
    assert find_columns(names, {"rules": ""}) == {"puzzle": 0, "answer": 2}
    assert find_columns(names, {"id": ""}) == find_columns(names)
    assert header_layout("puzzle,rules", {"rules": ""}).rules is None


def test_the_first_of_several_usual_names_counts():
    for role, names in ROLES.items():
        assert find_columns(reversed(names))[role] == len(names) - 1


def test_fields_without_quotes_and_with():
    assert fields_of("a,b,", ",") == ["a", "b", ""]
    assert fields_of("  a \t b ", " ") == ["a", "b"]
    assert fields_of('"a,b","c ""d""",e', ",") == ["a,b", 'c "d"', "e"]
    assert fields_of('5" disk,x', ",") == ['5" disk', "x"]
    assert fields_of('a,"never closed', ",") is None
    assert fields_of('"' + "x" * 200_000 + '"', ",") is None  # beyond what csv reads


@given(
    st.lists(
        st.lists(st.text('ab,;" \0é#', max_size=6), min_size=1, max_size=4).filter(
            lambda fields: fields != [""]
        ),
        max_size=5,
    ),
    st.sampled_from(",;"),
)
def test_what_csv_writes_is_read_line_by_line(rows, separator):
    texts = []
    for row in rows:
        stream = io.StringIO()
        csv.writer(stream, delimiter=separator, lineterminator="").writerow(row)
        texts.append(stream.getvalue())
    assert [fields_of(text, separator) for text in texts] == rows
    assert fields_of_many(texts, separator) == rows


@given(st.lists(st.text('a,"', max_size=8), max_size=6))
def test_no_line_changes_how_another_is_read(texts):
    assert fields_of_many(texts, ",") == [fields_of(text, ",") for text in texts]


def test_a_layout_without_names_is_that_of_bare_lines():
    assert Layout() == ("", 0, None, None, None, (), None, False, 0)
