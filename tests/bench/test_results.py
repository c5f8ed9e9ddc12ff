from pathlib import Path

import pytest
from bench_fakes import row

from satdoku.bench.results import (
    FILE_NAME,
    HEADER,
    PACKED,
    Results,
    ResultsError,
    folder_rows,
    read_rows,
)
from satdoku.files.outputs import open_output


def test_the_header_is_the_agreed_one():
    agreed = (
        "task,instance,backend,encoding,mode,status,build_s,solve_s,conflicts,decisions,"
        "propagations,variables,clauses,timeout_s,seed,versions,cpu"
    )
    assert agreed + ",import_s,kind,repeat,source,note" == HEADER


def test_rows_come_back_as_they_were_written(tmp_path):
    rows = [row(), row(instance='a "quoted", one', note="two\nlines"), row(build_s=None, repeat=2)]
    with Results(tmp_path / "deep" / "folder") as results:
        results.write(rows)
    path = tmp_path / "deep" / "folder" / FILE_NAME
    assert path.read_text().splitlines()[0] == HEADER
    assert read_rows(path) == [rows[0], rows[1]._replace(note="two lines"), rows[2]]


def test_a_wrong_answer_says_what_is_wrong():
    assert row().wrong == ""
    said = row(task="t", instance="i", status="wrong", mode="oneshot", note="2, not 1").wrong
    assert said.startswith("WRONG ANSWER: ") and " on t i (oneshot): 2, not 1; " in said


def test_what_was_not_measured_is_empty_not_zero(tmp_path):
    with Results(tmp_path) as results:
        results.write([row(conflicts=0, decisions=None)])
    line = (tmp_path / FILE_NAME).read_text().splitlines()[1]
    assert ",0,,," in line


def test_a_file_is_continued_and_a_torn_last_line_dropped(tmp_path):
    with Results(tmp_path) as results:
        results.write([row(), row(instance="j")])
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    for cut in range(whole.index(b"\n", whole.index(b"\n") + 1) + 1, len(whole)):
        path.write_bytes(whole[:cut])
        with Results(tmp_path) as results:
            assert results.done == {row().key}
            results.write([row(instance="j")])
        assert path.read_bytes() == whole


def test_a_torn_header_is_written_anew(tmp_path):
    (tmp_path / FILE_NAME).write_text(HEADER[:20])
    with Results(tmp_path) as results:
        assert results.done == set()
    assert (tmp_path / FILE_NAME).read_text() == HEADER + "\n"


@pytest.mark.parametrize(
    "text, words",
    [
        ("a,b\n1,2\n", "line 1: expected the header"),
        (HEADER + "\n1,2\n", "line 2: found 2 fields, expected 22"),
        (HEADER + "\n" + "x," * 21 + "x\n", "line 2: found mode 'x', expected one of oneshot"),
        (HEADER + "\nt,i,b,e,oneshot,solved,x" + "," * 15 + "\n", "line 2: could not convert"),
        (HEADER + "\n" + "x" * 200_000 + ",\n", "line 2: field larger than field limit"),
    ],
)
def test_another_files_rows_are_refused(tmp_path, text, words):
    (tmp_path / FILE_NAME).write_text(text)
    with pytest.raises(ResultsError, match=words):
        Results(tmp_path)


def test_bytes_that_are_no_text_are_refused_and_errors_stay_short(tmp_path):
    path = tmp_path / FILE_NAME
    path.write_bytes(HEADER.encode() + b"\n\xff\n")
    with pytest.raises(ResultsError, match="line 2: found 1 field, expected 22"):
        read_rows(path)
    path.write_text(HEADER + "\nt,i,b,e," + "x" * 9999 + "," * 17 + "\n")
    with pytest.raises(ResultsError, match="line 2: found mode 'xxx") as told:
        read_rows(path)
    assert len(str(told.value)) < 400 + len(str(path))


def test_a_missing_file_and_a_folder_that_cannot_be(tmp_path):
    with pytest.raises(ResultsError, match="No such file"):
        read_rows(Path(tmp_path, "nothing.csv"))
    (tmp_path / "file").write_text("")
    with pytest.raises(ResultsError, match="file"):
        Results(tmp_path / "file")


def test_a_packed_file_is_read_and_its_rows_are_not_measured_again(tmp_path):
    with Results(tmp_path) as results:
        results.write([row()])
    path = tmp_path / FILE_NAME
    with open_output(str(tmp_path / PACKED)) as out:
        out.write(path.read_bytes())
    path.unlink()
    assert folder_rows(tmp_path) == [row()]
    with Results(tmp_path) as results:
        assert results.done == {row().key}
        results.write([row(instance="j")])
    assert folder_rows(tmp_path) == [row(), row(instance="j")]


def test_times_without_an_answer_are_infinite():
    assert row().total_s == 0.75
    assert row(status="timeout").total_s == float("inf")
    assert row(status="wrong").total_s == float("inf")
