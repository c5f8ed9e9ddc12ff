"""JSON lines, arrays, Parquet and Arrow: values of every kind, and files that are broken."""

import io
import json
import sys
import zipfile

import numpy as np
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest
from collection_cases import Row, array, arrow, good, npy, npz, numbers, parquet, read
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.files.collection import read_chunks
from satdoku.files.columns import ColumnError
from satdoku.files.streams import FileError
from satdoku.runtime.errors import SatdokuError

P, A, E = CLASSIC, CLASSIC_SOLUTION, "." * 81
DIGITS = numbers(P)


@pytest.fixture
def rows(tmp_path):
    """Rows of some bytes."""

    def call(content, **options):
        path = tmp_path / "file"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read(path, **options)

    return call


# JSON lines ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", "nothing"),
        ([], "0 cells"),
        (None, "nothing"),
        (7, "int 7"),
        (4.8e80, "as one number a grid loses digits"),
        (True, "bool"),
        ({"a": 1}, "dict"),
        (P[:-1], "80 cells"),
        (DIGITS[:-1], "80 cells"),
        ([*DIGITS[:-1], 10], "0..10"),
        ([*DIGITS[:-1], -1], "outside"),
        ([*DIGITS[:-1], 300], "outside"),
        ([*DIGITS[:-1], 1.5], "1.5"),
        ([*DIGITS[:-1], 1e400], "list"),
        ([*DIGITS[:-1], None], "list"),
        ([*DIGITS[:-1], "x"], "'x'"),
        ([P[i : i + 9] for i in range(0, 81, 9)], "the whole grid as one text"),
        ([float(digit) for digit in DIGITS], Row(P)),
        (f"  {P}  ", Row(P)),
        ("\n".join(P[i : i + 9] for i in range(0, 81, 9)), Row(P)),
    ],
)
def test_any_value_is_a_puzzle_or_an_error_of_its_row(rows, value, expected):
    lines = [{"puzzle": E}, {"puzzle": value}, {"puzzle": DIGITS}]
    found = rows("\n".join(map(json.dumps, lines)))
    assert good([found[0], found[2]]) == [(1, Row(E)), (3, Row(P))]
    if isinstance(expected, Row):
        assert found[1] == (2, expected)
    else:
        assert "line 2, column" in found[1].row and expected in found[1].row


@pytest.mark.parametrize("size", [1, 700, 5000])
def test_keys_that_appear_late_count_from_there(rows, size):
    lines = [{"puzzle": P}] * 1500 + [{"puzzle": P, "solution": A, "id": 7, "rules": "knight"}]
    lines += [{"question": E, "puzzle": P}]  # a second name for a role that has its key
    found = rows("\n".join(map(json.dumps, lines)), size=size)
    assert found[1499] == (1500, Row(P))
    assert found[1500] == (1501, Row(P, A, "7", "knight"))
    assert found[1501] == (1502, Row(P))


@pytest.mark.parametrize("value", [[{"puzzle": P}], [P], [DIGITS]])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_json_array_holds_a_puzzle_a_row(rows, value, indent):
    assert rows(json.dumps(value * 2, indent=indent)) == [(1, Row(P)), (2, Row(P))]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "expecting property name"),
        ('{"puzzle": "', "unterminated string"),
        ("[1]", "JSON list"),
        ("null", "JSON NoneType"),
        (P, "expecting value"),
        ("{} x", "extra data"),
        ('{"puzzle":' + "[" * 100_000, "too deep"),
        ('{"puzzle":' + '{"a":' * 100_000, "too deep"),
        ('{"puzzle":' + "[" * 900 + "]" * 900 + "}", "0 cells"),
        ('{"puzzle":' + "9" * 5000 + "}", "too large"),
        ('{"other": 1}', "nothing"),
        ("{}", "nothing"),
        ("\0", "expecting value"),
        ("é" * 30, "expecting value"),
    ],
)
def test_a_line_that_is_no_object_costs_its_own_row(rows, line, message):
    whole = json.dumps({"puzzle": P, "id": 7, "solution": A})
    for size in (1, 2, 100):
        found = rows(f"\ufeff{whole}\r\n{line}\r\n\n{whole}", size=size)
        assert good([found[0], found[-1]]) == [(1, Row(P, A, "7")), (4, Row(P, A, "7"))]
        assert found[1].line == 2 and message in found[1].row
    assert rows(f"{line}\n{whole}", format="jsonl", size=1)[-1] == (2, Row(P, A, "7"))


def test_keys_may_be_absent_in_some_objects(rows):
    lines = [{"quiz": P}, {"id": 0, "quiz": P, "answer": A}, {"quiz": P, "variant": "king"}]
    expected = [Row(P), Row(P, A, "0"), Row(P, "", "", "king")]
    assert [row for _, row in rows("\n".join(map(json.dumps, lines)))] == expected


def test_keys_that_are_asked_for(rows):
    text = json.dumps({"puzzle": E, "board": P, "full": A})
    assert rows(text, columns={"puzzle": "board", "answer": "full"}) == [(1, Row(P, A))]
    with pytest.raises(ColumnError, match="no column 'x': there are puzzle, board, full"):
        rows(text, columns={"puzzle": "x"})
    with pytest.raises(FileError, match="no object has a key 'puzzle'"):
        rows('{"a": 1}\n{"b": 2}\n')


def test_names_can_be_written_anywhere(rows):
    """One line of UTF-8: no control characters, no lone surrogates."""
    item = {"puzzle": P, "id": " a\nb\r\0\ud800c\u00e9 ", "rules": ["x\ny"]}
    ((_, row),) = rows(json.dumps(item))
    assert row.id == "a b cé"
    assert row.rules == r"['x\ny']"


# Arrays ------------------------------------------------------------------------------------------


def header(shape, descr="|u1", fortran=False, version=1):
    stream = io.BytesIO()
    write = getattr(np.lib.format, f"write_array_header_{version}_0")
    write(stream, {"descr": descr, "fortran_order": fortran, "shape": shape})
    return stream.getvalue()


def test_a_value_that_is_no_digit_costs_its_own_row(rows):
    values = array([Row(P)] * 4, np.int16)
    values[1, 5], values[2, 80] = 10, -1
    found = rows(npy(values))
    assert good(found) == [(1, Row(P)), (4, Row(P))]
    assert "line 2, column 6: found 10, expected a digit 1-9" in found[1].row
    assert "line 3, column 81: found -1" in found[2].row


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, ">i4"])
@pytest.mark.parametrize("version", [1, 2])
def test_integers_of_every_kind_and_version_of_the_header(rows, dtype, version):
    values = array([Row(P)] * 2, dtype)
    data = header((2, 81), values.dtype.str, version=version) + values.tobytes()
    assert rows(data) == [(1, Row(P)), (2, Row(P))]


def test_bytes_of_bool_may_be_anything(rows):
    data = header((1, 729), "|b1") + bytes([0, 2, 255] * 243)
    ((_, row),) = rows(data)
    assert row.cells[:9] == ".23.56.89"
    (chunk,) = read_chunks_of(data)
    assert set(chunk.puzzles.view(np.uint8).ravel().tolist()) == {0, 1}


def in_parquet(columns):
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), stream)
    return stream.getvalue()


def read_chunks_of(data):
    import tempfile

    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return list(read_chunks(file.name))


def test_strings_with_broken_characters_cost_their_own_rows(rows):
    data = header((3,), "<U81") + P.encode("utf-32-le") + b"\xff" * 324 + E.encode("utf-32-le")
    found = rows(data)
    assert good(found) == [(1, Row(P)), (3, Row(E))]
    assert r"'\ufffd'" in found[1].row
    data = header((3,), "|S81") + P.encode() + b"\xff" * 81 + bytes(81)
    found = rows(data)
    assert good(found) == [(1, Row(P))]
    assert r"'\ufffd'" in found[1].row and "nothing" in found[2].row


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (header((3, 81)) + bytes(81 * 2), "3 rows announced, fewer there"),
        (header((10**18, 81)) + bytes(81 * 2), "fewer there"),
        (header((2, 81), fortran=True) + bytes(81), "fewer values there"),
        (header((2, 81), "<i8", fortran=True) + bytes(83), "fewer values there"),
        (header((2**40, 81), fortran=True), "fewer values there"),
        (header((1, 2**61)), "expected"),
        (header((5, 2**62, 4)), "expected"),
        (header((-5, 81)), "expected"),
        (header((3, 0)), "expected"),
        (header(()), "expected"),
        (header((2, 80)) + bytes(160), "rows of 80 values"),
        (header((2, 81), "|b1") + bytes(162), "expected 81 digits, or 729 bool"),
        (header((2, 81), "<c16") + bytes(2592), "array of complex128"),
        (header((2, 81), "<U1") + bytes(648), "expected"),
        (header((2,), [("a", "<i4")]) + bytes(8), "expected"),
        (npy(np.array([list(P)]).view("S4")), "expected"),
        (b"\x93NUMPY\x03\x00" + bytes(100), r"array of version \(3, 0\)"),
        (
            b"\x93NUMPY\x01\x00" + (2000).to_bytes(2, "little") + b"(" * 2000,
            "no numpy array that can be read",
        ),
        (
            b"\x93NUMPY\x01\x00\x20\x00{'descr': '|O', 'shape': (1,),,,}",
            "no numpy array that can be read",
        ),
        (b"\x93NUMPY", "no numpy array that can be read"),
    ],
)
def test_broken_and_foreign_arrays_are_errors(rows, data, message):
    with pytest.raises(FileError, match=message):
        rows(data)


@pytest.mark.parametrize(
    "content",
    [
        header((1,) * 2500),
        header((1, 81), [("x" * 5000, "|u1")]),
        b"\x93NUMPY\x01\x00" + (5000).to_bytes(2, "little") + b"'" * 5000,
        npz(**{f"array{number}": np.zeros(1) for number in range(400)}),
        in_parquet({f"column{number}": [1] for number in range(400)}),
    ],
    ids=["shape", "type", "header", "arrays", "columns"],
)
def test_what_an_error_repeats_of_a_header_is_cut(rows, content):
    with pytest.raises(FileError) as raised:
        rows(content)
    assert len(str(raised.value)) < 1000


class Bomb:
    """Unpickling it would be noticed."""

    armed = False

    def __reduce__(self):
        return _explode, ()


def _explode():
    Bomb.armed = True


@pytest.mark.parametrize("container", ["npy", "npz", "npz ids"])
def test_objects_are_never_unpickled(rows, container):
    stream = io.BytesIO()
    bombs = np.array([Bomb()], dtype=object)
    if container == "npy":
        np.save(stream, bombs, allow_pickle=True)
    elif container == "npz":
        np.savez(stream, puzzles=bombs)
    else:
        np.savez(stream, puzzles=array([Row(P)]), ids=array([Row(P)]), id=bombs)
    with pytest.raises(FileError, match="array of object"):
        rows(stream.getvalue())
    assert not Bomb.armed


def test_arrays_of_an_npz_by_name(rows):
    arrays = {"b": array([Row(P)]), "a": array([Row(A)])}
    asked = {"puzzle": "b", "answer": "a"}
    assert rows(npz(**arrays), columns=asked) == [(1, Row(P, A))]
    with pytest.raises(FileError, match="no array 'puzzles': there are b, a"):
        rows(npz(**arrays))
    with pytest.raises(ColumnError, match="no column 'c'"):
        rows(npz(**arrays), columns={"puzzle": "c"})
    with pytest.raises(FileError, match=r"arrays of \[1, 2\] rows"):
        rows(npz(puzzles=array([Row(P)]), solutions=array([Row(A)] * 2)))


def test_broken_archives_are_errors(rows):
    data = npz(puzzles=array([Row(P)] * 500))
    for broken in (data[:-30], data[: len(data) // 2], data[:100] + bytes(9) + data[109:]):
        with pytest.raises(FileError):
            rows(broken)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("puzzles.npy", "no array")
    with pytest.raises(FileError, match=r"puzzles\.npy: no numpy array"):
        rows(stream.getvalue())


def test_an_empty_array_has_no_rows(rows):
    assert rows(npy(np.zeros((0, 81), np.uint8))) == []


# Parquet and Arrow -------------------------------------------------------------------------------


def tables(columns):
    """The columns as Parquet, as an Arrow file and as a stream."""
    data = pyarrow.table(columns)
    streams = [io.BytesIO() for _ in range(3)]
    makers = pyarrow.ipc.new_file, pyarrow.ipc.new_stream
    pyarrow.parquet.write_table(data, streams[0])
    for stream, make in zip(streams[1:], makers, strict=True):
        with make(stream, data.schema) as writer:
            writer.write_table(data)
    return [stream.getvalue() for stream in streams]


def test_nulls_and_odd_values_cost_their_own_rows(rows):
    lists = [DIGITS, None, [], DIGITS[:-1], [*DIGITS[:-1], None], [*DIGITS[:-1], 12], DIGITS]
    for kind in (pyarrow.int8(), pyarrow.int64(), pyarrow.float64()):
        for data in tables({"puzzle": pyarrow.array(lists, pyarrow.list_(kind))}):
            found = rows(data)
            assert good(found) == [(1, Row(P)), (7, Row(P))]
            assert len(found) == 7
    texts = [P, None, "", P[:-1], "x" * 81, "é" * 81, P]
    for data in tables({"puzzle": texts, "id": [1, None, 2, 3, 4, 5, 6]}):
        assert good(rows(data)) == [(1, Row(P, id="1")), (7, Row(P, id="6"))]


def test_lists_of_every_kind_and_width(rows):
    table = [DIGITS, numbers(A)]
    small = [[1, 2, 3, 4] * 4]
    for kind in (
        pyarrow.list_(pyarrow.int8()),
        pyarrow.large_list(pyarrow.uint16()),
        pyarrow.list_(pyarrow.int64(), 81),
        pyarrow.list_(pyarrow.float32()),
    ):
        for data in tables({"puzzle": pyarrow.array(table, kind)}):
            assert rows(data) == rows(data, size=1) == [(1, Row(P)), (2, Row(A))]
    for data in tables({"puzzle": small * 3}):
        assert rows(data) == [(i, Row("1234" * 4)) for i in (1, 2, 3)]
        assert good(rows(data, board=None, columns={"puzzle": "1"}))


def test_bytes_and_text_that_is_no_utf8(rows):
    binary = pyarrow.array([P.encode(), b"\xff" * 81, E.encode()])
    for data in tables({"puzzle": binary, "id": pyarrow.array([b"a", b"\xff", b"c"])}):
        found = rows(data)
        assert good(found) == [(1, Row(P, id="a")), (3, Row(E, id="c"))]
        assert r"'\ufffd'" in found[1].row
    text = binary.view(pyarrow.string()) if hasattr(binary, "view") else binary
    for data in tables({"puzzle": text}):
        assert good(rows(data)) == [(1, Row(P)), (3, Row(E))]


def test_broken_tables_are_errors(rows):
    some = [Row(P, A, "x", "king")] * 40
    for data in (parquet(some, "text"), arrow(some, "text"), arrow(some, "flat", stream=True)):
        for cut in (8, len(data) // 2, len(data) - 12):
            with pytest.raises(FileError, match=r"broken file: |no column"):
                rows(data[:cut])
    with pytest.raises(FileError, match="no column 'puzzle': there are a, b"):
        rows(tables({"a": [1], "b": [2]})[0])
    with pytest.raises(ColumnError, match="no column 'c'"):
        rows(tables({"a": [P]})[0], columns={"puzzle": "c"})


def test_a_column_s_name_that_is_no_utf8(rows):
    """Found by atheris: pyarrow decodes the names of columns that nobody asked for."""
    for data in tables({"puzzle": [P], "größe": [1]}):
        assert good(rows(data)) == [(1, Row(P))]
        broken = data.replace("größe".encode(), b"gr\xc8\xc8\xc8\xc8e")
        assert broken != data
        with pytest.raises(FileError, match="broken file: 'utf-8' codec can't decode"):
            rows(broken)


def test_two_columns_of_one_name(rows):
    columns = pyarrow.array([P]), pyarrow.array([A])
    data = pyarrow.table(list(columns), names=["puzzle", "puzzle"])
    streams = [io.BytesIO(), io.BytesIO()]
    pyarrow.parquet.write_table(data, streams[0])
    with pyarrow.ipc.new_file(streams[1], data.schema) as writer:
        writer.write_table(data)
    for stream in streams:
        assert rows(stream.getvalue()) == [(1, Row(P))]


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_without_the_extra_the_message_names_it(rows, monkeypatch, kind):
    data = {"parquet": parquet, "arrow": arrow}[kind]([Row(P)], "text")
    for name in [name for name in sys.modules if name.split(".")[0] == "pyarrow"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SatdokuError, match=r"pip install 'satdoku\[parquet\]'"):
        rows(data)


MARKS = "".join("123456789" if c == "." else "........."[: int(c) - 1] + c + "." * (9 - int(c))
                for c in P)  # fmt: skip


@pytest.mark.parametrize("pack", ["jsonl", "parquet", "npy"])
def test_pencil_marks_are_read_from_every_format(rows, pack):
    texts = [MARKS, P, ""]
    content = {
        "jsonl": lambda: "\n".join(json.dumps({"puzzle": text}) for text in texts),
        "parquet": lambda: in_parquet({"puzzle": texts}),
        "npy": lambda: npy(np.array(texts)),
    }[pack]()
    found = rows(content)
    assert found[0].row == Row(MARKS)
    assert "found no pencil marks, expected 729 of them" in found[1].row
    assert "found nothing" in found[2].row


def test_an_array_of_zeros_is_no_answer(tmp_path):
    wrong = numbers(A)
    wrong[0] = 255
    path = tmp_path / "file"
    answers = np.array([numbers(A), [0] * 81, wrong], np.uint8)
    path.write_bytes(npz(puzzles=np.array([DIGITS] * 3), solutions=answers))
    (chunk,) = read_chunks(str(path))
    assert chunk.answers.stated.tolist() == [True, False, True]
    assert list(chunk.answers.errors) == [2]
