"""No input, whatever it holds, costs more than a `SatdokuError`, linear time and linear memory."""

import gzip
import time
import tracemalloc

import numpy as np
import pytest
from examples import CLASSIC
from fuzz_targets import TARGETS, _npz, run, seeds
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soak import share

QUICK = settings(
    max_examples=share(40),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
LONG = settings(QUICK, max_examples=3000)
# What parsers look at: signs, separators, numbers at the edges of types, things that nest or close.
PIECES = [
    b"", b"\0", b"\n", b"\r", b"\r\n", b" ", b"\t", b",", b";", b"|", b'"', b"#", b"-", b"--", b"0",
    b"1", b"9", b"25", b"26", b"255", b"256", b"-1", b"2147483648", b"99999999999999999999",
    b"1" * 5000, b"1e9", b"NaN", b"[", b"]", b"{", b"}", b"[" * 3000, b'{"puzzle":', b"null",
    b"p cnf 1 1\n", b"s SATISFIABLE\n", b"v ", b"d ", b" 0\n", b"c satdoku-size 5\n",
    b"[Puzzle]\n", b"[State]\n", b"puzzle,solution\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xc2\xa0",
    "٣".encode(), "²".encode(), "\u2028".encode(), b"\x0b", b"\x1c", b"\x85", b"." * 81, b"." * 16,
]  # fmt: skip
SHARES = st.floats(0, 1)
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["put", "cut", "flip", "double", "swap"]),
        st.floats(0, 1, exclude_max=True),
        st.integers(1, 40),
        st.sampled_from(PIECES) | st.binary(max_size=6),
    ),
    max_size=6,
)


def mutated(data: bytes, edits) -> bytes:
    """A good input, edited at some places."""
    for kind, part, length, piece in edits:
        at = int(part * len(data))
        if kind == "put":
            data = data[:at] + piece + data[at:]
        elif kind == "cut":
            data = data[:at] + data[at + length :]
        elif kind == "flip" and data:
            data = data[:at] + bytes([data[at] ^ (1 << length % 8)]) + data[at + 1 :]
        elif kind == "double":
            data = data[: at + length] + data[at:]
        elif kind == "swap":
            data = data[:at] + piece + data[at + len(piece) :]
    return data


def joined(first, second, share, other):
    """Lines of two good inputs: the first's start, then the second's end."""
    lines, more = first.splitlines(keepends=True), second.splitlines(keepends=True)
    return b"".join(lines[: round(share * len(lines))] + more[round(other * len(more)) :])


def fuzz(target, data):
    @given(st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join))
    def anything(noise):
        run(target, noise)

    good = st.sampled_from(seeds()[target])

    @given(good, EDITS)
    def nearly_good(seed, edits):
        run(target, mutated(seed, edits))

    @given(good, good, SHARES, SHARES, EDITS)
    def two_in_one(first, second, share, other, edits):
        run(target, mutated(joined(first, second, share, other), edits[:2]))

    for test in (anything, nearly_good, two_in_one):
        data(test)()


@pytest.mark.parametrize("target", TARGETS)
def test_the_seeds_are_good(target):
    for seed in seeds()[target]:
        TARGETS[target](seed)


@pytest.mark.parametrize("target", TARGETS)
def test_no_input_costs_more_than_an_error(target):
    fuzz(target, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_no_input_costs_more_than_an_error_for_long(target):
    fuzz(target, LONG)


# Inputs that grow: each is a function of a size, and its cost must not outgrow it.
GROWING = {
    "grid": lambda n: b"." * n,
    "jigsaw map": lambda n: b"1" * n,
    "rules": lambda n: b"knight," * (n // 7),
    "puzzles in a file": lambda n: (b"1" * 60 + b"\n") * (n // 61),
    "text": lambda n: b"x" * n,
    "cnf": lambda n: b"p cnf 9 1\n" + b"1 -2 3 " * (n // 7) + b"0",
    "solver output": lambda n: b"s SATISFIABLE\nv " + b"1 " * (n // 2),
    "smt output": lambda n: b"sat " + b"(r1c1 " * (n // 6),
    "proof": lambda n: b"1 2 -3 0\n" * (n // 9),
    "certificate": lambda n: b'{"a":' * (n // 5),
    "certificate fields": lambda n: b"[" * n,
    "f-puzzles": lambda n: b'{"size":9,"grid":[' + b"[{}]," * (n // 5) + b"[]]}",
    "SudokuPad": lambda n: (
        b'{"cells":[[{}]],"lines":[' + b'{"wayPoints":[[0,0],[90,90]]},' * (n // 31) + b"{}]}"
    ),
    "iss": lambda n: b".~R1C1_1" + b".Cage~9~R1C1~R1C2" * (n // 17),
    "puzzle JSON": lambda n: (
        b'{"format":"satdoku-puzzle","version":1,"clues":[' + b"1," * (n // 2) + b"1]}"
    ),
    "pencilmark": lambda n: (
        b'{"format":"sudoku-puzzle","format_version":1,"digits":4,"givens":0,"board":'
        b'{"rows":4,"cols":4},"rules":[' + b'{"type":"grid","origin":"r1c1"},' * (n // 32) + b"{}]}"
    ),
    "Sudoku-Bench": lambda n: (
        b'{"initial_board":"1...............","rows":4,"cols":4,"rules":"","visual_elements":['
        + b'{"type":"manual","text":"x"},' * (n // 29)
        + b"{}]}"
    ),
    "killer": lambda n: b"3x3::k:" + b"0:" * (n // 2),
    "drawn": lambda n: (b"." * 60 + b" \n") * (n // 62) + b" 1",
    "one puzzle": lambda n: b" " * n + b"3<\n",
    "packed text": lambda n: b"Q" * n,
    "journal": lambda n: seeds()["journal"][0] + bytes(n),
    "lab results": lambda n: seeds()["lab results"][0] * (n // 300 + 1),
    "collection": lambda n: b"," * n,
    "collection as lines": lambda n: (CLASSIC.encode() + b" x\n") * (n // 84),
    "collection as csv": lambda n: b"puzzle\n" + b'"' * n,
    "collection as rows": lambda n: b"123456789\n" * (n // 10),
    "collection as marks": lambda n: b"1" * n,
    "collection as whole": lambda n: b"\n.Thermo~R1C1~R1C2" * (n // 18),
    "collection as jsonl": lambda n: b'{"puzzle":"' + b"1" * n + b'"}',
    "collection as json": lambda n: b"[" + b"[1]," * (n // 4) + b"[1]]",
    "collection as npy": lambda n: seeds()["collection as npy"][0] + bytes(n),
    "collection as npz": lambda n: seeds()["collection as npz"][0] + bytes(n),
    "collection as parquet": lambda n: b"PAR1" + bytes(n) + b"PAR1",
    "collection as arrow": lambda n: b"ARROW1" + bytes(n) + b"ARROW1",
}


@pytest.mark.parametrize("target", TARGETS)
def test_memory_and_time_grow_no_faster_than_the_input(target):
    """Eight times the input: at most twelve times the memory, and no minute."""
    peaks = []
    run(target, GROWING[target](1000))  # what is imported and cached once
    for size in (1 << 11, 1 << 14):
        data = GROWING[target](size)
        start = time.process_time()
        tracemalloc.start()
        run(target, data)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert time.process_time() - start < 20
    small, large = peaks
    assert large <= 12 * small + (1 << 20)


def test_a_text_that_unpacks_to_gigabytes_is_refused(monkeypatch, tmp_path):
    from satdoku.files import streams as files

    monkeypatch.setattr(files, "MAX_TEXT", 1 << 20)
    bomb = tmp_path / "bomb.cnf.gz"
    bomb.write_bytes(gzip.compress(bytes(100 << 20)))
    tracemalloc.start()
    with pytest.raises(files.FileError, match="more than 1 MiB of text"):
        files.read_text(str(bomb))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20
    good = tmp_path / "good.gz"
    good.write_bytes(gzip.compress(b"x" * (1 << 20)))
    assert len(files.read_text(str(good))) == 1 << 20


def test_arrays_are_never_unpickled(tmp_path):
    """An object array would run what it holds."""
    evil = np.empty(1, dtype=object)
    evil[0] = {"puzzle": CLASSIC}
    for data in (_npz(puzzles=evil), _npz(puzzles=np.array([CLASSIC]), solutions=evil)):
        with pytest.raises(ValueError, match=r"no numpy array|array of object"):
            TARGETS["collection"](data)
