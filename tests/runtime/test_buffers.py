"""The boundary between Python and C: an array is what C expects, or an error names it.

Each call below is one function of one extension with arrays that it accepts. The tests spoil one
array, or all, in every way that numpy offers.
"""

from __future__ import annotations

import gc
import sys
import tomllib
import tracemalloc
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.engine import reference
from satdoku.engine.plan import plan_for
from satdoku.engine.tables import Ragged
from satdoku.engine.targets import TARGETS
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import group, listed, search
from satdoku.symmetry.listed import Layout, Listing
from satdoku.witness.verify import Houses

_kernel = pytest.importorskip("satdoku.engine._kernel", reason="built without a compiler")
_canonical = pytest.importorskip("satdoku.symmetry._canonical")
_checker = pytest.importorskip("satdoku.certificates.proof._checker")
_houses = pytest.importorskip("satdoku.witness._houses")
_lines = pytest.importorskip("satdoku.files._lines")
_ratings = pytest.importorskip("satdoku.ratings._ratings")

REFUSALS = (TypeError, ValueError, BufferError)
TARGET = max(TARGETS.values())
RULES = constraints_for("nonconsecutive", Board.of_size(4))
CLUES = "cage=5:r1c1,r1c2;sum=9:r2c2,r3c3,r4c4;contains=1:r1c1,r2c2,r4c4;thermo:r1c4,r2c4"
PLAN = plan_for(constraints_for(f"nonconsecutive;{CLUES}", RULES.board), True)
LAYOUT = Layout(4, 2, 2, True, True)
DIGITS = np.zeros((3, 16), np.uint8)
DIGITS[1, :3], DIGITS[2, 5] = (1, 3, 2), 4


def _listing() -> Listing:
    symmetries = group(RULES)
    classes = tuple(tuple(d + 1 for d in members) for members in symmetries.classes)
    return Listing(4, symmetries.cell_permutations, symmetries.digit_representatives, classes)


def _class_of(listing: Listing) -> np.ndarray:
    numbers = np.zeros(5, np.uint8)
    for index, digits in enumerate(listing.classes):
        numbers[list(digits)] = index
    return numbers


LISTING = _listing()
LISTS = {
    f"{name.rstrip('s')} {part}": np.array(getattr(ragged, part), np.int32)
    for name, ragged in PLAN.parts.items()
    for part in ("starts", "members")
}
LISTED = {
    "sources": LISTING.sources, "renamings": LISTING.renamings, "class_of": _class_of(LISTING),
}  # fmt: skip
COMPILED_PLAN = _kernel.plan(16, 4, False, *LISTS.values())
COMPILED_LISTING = _canonical.listing(4, *LISTED.values())
CLAUSES = np.array([1, 2, 0, -1, 2, 0, 1, -2, 0], np.int32)
CHECKER = _checker.load(2, CLAUSES)
HOUSES = Houses(Board.of_size(4), Board.of_size(4).houses)
TEXT = np.frombuffer(b"1..2\n....\n2121\n", np.uint8).reshape(3, 5)
MEMBERS = np.array(HOUSES.cells, np.int32).reshape(-1)
SOLVED = np.array([[(3 * (i // 9) + i // 27 + i) % 9 + 1 for i in range(81)]] * 3, np.uint8)
COMPILED_HOUSES = _houses.houses(16, 4, MEMBERS)


class Call(NamedTuple):
    """A function of an extension, its arrays by name, and how many of them are outputs."""

    run: Callable[..., object]
    arrays: dict[str, np.ndarray]
    outputs: int = 0
    reference: Callable[[np.ndarray], tuple] | None = None  # the outputs, from the first array


def _propagate(puzzles: object, candidates: object, conflict: object) -> None:
    _kernel.propagate(COMPILED_PLAN, puzzles, candidates, conflict, TARGET)
    _meaningful(candidates, conflict)


def _meaningful(candidates: np.ndarray, conflict: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where there is a conflict the candidates mean nothing."""
    candidates[conflict.astype(bool)] = 0
    return candidates, conflict


def _out(**shapes: tuple[type, tuple[int, ...]]) -> dict[str, np.ndarray]:
    return {name: np.full(shape, 77, dtype) for name, (dtype, shape) in shapes.items()}


u8, u32, u64 = np.uint8, np.uint32, np.uint64
CALLS = {
    "plan": Call(lambda *a: _kernel.plan(16, 4, False, *a), LISTS),
    "solve": Call(
        lambda p, *out: _kernel.solve(COMPILED_PLAN, p, 2, 1000, *out, TARGET),
        {"puzzles": DIGITS}
        | _out(status=(u8, (3,)), solutions=(u8, (3, 16)), nodes=(u32, (3,))),
        3,
    ),
    "count": Call(
        lambda p, *out: _kernel.count(COMPILED_PLAN, p, 0, 1000, *out, None, TARGET),
        {"puzzles": DIGITS} | _out(status=(u8, (3,)), grids=(u64, (3,)), nodes=(u32, (3,))),
        3,
    ),
    "list": Call(
        lambda p, *out: _kernel.count(COMPILED_PLAN, p, 2, 1000, *out, TARGET),
        {"puzzles": DIGITS}
        | _out(
            status=(u8, (3,)), grids=(u64, (3,)), nodes=(u32, (3,)), solutions=(u8, (3, 2 * 16))
        ),
        4,
    ),
    "propagate": Call(
        _propagate,
        {"puzzles": DIGITS} | _out(candidates=(u8, (3, 64)), conflict=(u8, (3,))),
        2,
        lambda p: _meaningful(*reference.propagate(PLAN, p)),
    ),
    "by_lines": Call(
        lambda *a: _canonical.by_lines(LAYOUT, *a),
        {"puzzles": DIGITS} | _out(forms=(u8, (3, 16)), orbits=(u8, (3, 9))),
        2,
        lambda p: search.by_lines(LAYOUT, p),
    ),
    "images": Call(
        lambda *a: _canonical.images((4, 4, 4), *a),
        {
            "puzzles": DIGITS,
            "lines": np.array([np.arange(8), [4, 1, 6, 3, 0, 5, 2, 7], np.arange(8) ^ 1], u8),
            "digits": np.array([range(5), [0, 4, 3, 2, 1], range(5)], u8),
        }
        | _out(images=(u8, (3, 16))),
        1,
    ),
    "listing": Call(lambda *a: _canonical.listing(4, *a), LISTED),
    "by_list": Call(
        lambda *a: _canonical.by_list(COMPILED_LISTING, *a),
        {"puzzles": DIGITS} | _out(forms=(u8, (3, 16)), fixing=(u32, (3,))),
        2,
        lambda p: listed.by_list(LISTING, p),
    ),
    "houses": Call(lambda m: _houses.houses(16, 4, m), {"members": MEMBERS}),
    "kept": Call(
        lambda *a: _houses.check(COMPILED_HOUSES, *a),
        {"puzzles": DIGITS, "solutions": DIGITS} | _out(good=(u8, (3,))),
        1,
    ),
    "read": Call(
        lambda t, *out: _lines.read(t, 2, *out),
        {"text": TEXT} | _out(cells=(u8, (3, 4))),
        1,
    ),
    "write": Call(
        lambda *a: _lines.write((b"none", b"unique"), 4, *a),
        {"statuses": np.array([0, 1, 1], u8), "solutions": DIGITS} | _out(text=(u8, (72,))),
    ),
    "join": Call(
        lambda t, *places: _lines.join(((t, *places), b"\n"), 3, ord(",")),
        {
            "text": TEXT.reshape(-1), "begins": np.array([0, 3, 5], np.int64),
            "stops": np.array([2, 5, 4], np.int64),
        },
    ),
    "rate": Call(
        lambda p, out: _ratings.rate(p, 1.0, out),
        {"puzzles": SOLVED} | _out(ratings=(np.int32, (3, 4))),
        1,
    ),
    "load": Call(lambda c: _checker.load(2, c), {"clauses": CLAUSES}),
    "check": Call(
        lambda *a: _checker.check(CHECKER, *a, 1000),
        {"extra": np.array([-1, -2, 0], np.int32), "proof": np.array([2, 0, 0], np.int32)},
    ),
}  # fmt: skip
ARGUMENTS = [(call, name) for call in CALLS for name in CALLS[call].arrays]


def _other_type(a: np.ndarray) -> np.ndarray:
    return a.astype(np.int16)


def _strided(a: np.ndarray) -> np.ndarray:
    return np.repeat(a, 2, axis=-1)[..., ::2]


SPOILERS: dict[str, Callable[[np.ndarray], object]] = {
    "no array": lambda a: None,
    "address": lambda a: a.ctypes.data,
    "other type": _other_type,
    "float": lambda a: a.astype(np.float32),
    "structured": lambda a: a.view([("x", a.dtype)]),
    "strided": _strided,
    "reversed": lambda a: a[..., ::-1],
    "one dimension more": lambda a: a[..., None],
    "no dimension": lambda a: a.reshape(-1)[:1].reshape(()),
    "unaligned": lambda a: np.frombuffer(b"\0" + a.tobytes(), a.dtype, offset=1).reshape(a.shape),
    "other byte order": lambda a: a.astype(a.dtype.newbyteorder()),
}


def _applies(a: np.ndarray, spoiler: str) -> bool:
    """Whether it changes anything: single bytes have no order and are always aligned, and 4x4 has
    no sums."""
    return len(a) > 1 and (a.itemsize > 1 or spoiler not in ("unaligned", "other byte order"))


@pytest.mark.parametrize(
    ("call", "name", "spoiler"),
    [(c, n, s) for c, n in ARGUMENTS for s in SPOILERS if _applies(CALLS[c].arrays[n], s)],
)
def test_a_spoilt_array_is_refused_by_name(call, name, spoiler):
    run, arrays, *_ = CALLS[call]
    with pytest.raises(REFUSALS, match=f"^{name}: expected"):
        run(*(arrays | {name: SPOILERS[spoiler](arrays[name])}).values())


@pytest.mark.parametrize(
    ("call", "name"), [(c, n) for c, n in ARGUMENTS if CALLS[c].arrays[n].ndim == 2]
)
def test_a_transposed_or_narrower_array_is_refused(call, name):
    run, arrays, *_ = CALLS[call]
    good = arrays[name]
    for spoilt in (good.T, np.asfortranarray(good), good[:, :-1].copy()):
        with pytest.raises(ValueError, match=f"^{name}: expected"):
            run(*(arrays | {name: spoilt}).values())


@pytest.mark.parametrize("call", ["plan", "listing"])
def test_a_table_without_its_last_entry_is_refused(call):
    run, arrays, *_ = CALLS[call]
    for name, good in arrays.items():
        if good.ndim == 1 and len(good) > 1:
            with pytest.raises(ValueError, match="expected"):
                run(*(arrays | {name: good[:-1]}).values())


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (call, name)
        for call, c in CALLS.items()
        for name in list(c.arrays)[len(c.arrays) - c.outputs :]
    ],
)
def test_outputs_are_writable_and_of_the_length_of_the_input(call, name):
    run, arrays, *_ = CALLS[call]
    frozen = arrays[name].copy()
    frozen.flags.writeable = False
    with pytest.raises(BufferError, match=f"^{name}: expected a writable array"):
        run(*(arrays | {name: frozen}).values())
    for wrong in (arrays[name][:2].copy(), arrays[name].repeat(2, axis=0)):
        with pytest.raises(ValueError, match=rf"^{name}: expected shape \(3,"):
            run(*(arrays | {name: wrong}).values())


@pytest.mark.parametrize("call", CALLS)
def test_buffers_are_released_whatever_happens(call):
    run, arrays, *_ = CALLS[call]
    before = [sys.getrefcount(a) for a in arrays.values()]
    for spoilt in [None, *arrays]:
        given_ = [None if name == spoilt else a for name, a in arrays.items()]
        try:
            run(*given_)
        except REFUSALS:
            assert spoilt is not None
    del given_
    assert [sys.getrefcount(a) for a in arrays.values()] == before


@pytest.fixture(scope="module")
def _frozen() -> None:
    """Collections of garbage look only at objects that are made from here on."""
    gc.collect()
    gc.freeze()


@pytest.mark.usefixtures("_frozen")
@pytest.mark.parametrize("call", CALLS)
def test_no_memory_is_lost(call):
    run, arrays, *_ = CALLS[call]

    def once() -> None:
        for spoilt in [None, *arrays]:
            try:
                run(*(None if name == spoilt else a for name, a in arrays.items()))
            except REFUSALS:
                assert spoilt is not None

    once()
    tracemalloc.start()
    try:
        once()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(100):
            once()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 1000
    finally:
        tracemalloc.stop()


def test_an_array_can_grow_again_after_a_call():
    clauses = array("i", [1, 0])
    for extra in (array("i"), b"1"):
        try:
            _checker.check(CHECKER, clauses, extra, 10)
        except TypeError:
            assert extra == b"1"
        clauses.append(1)  # raises BufferError while anybody holds the buffer
        clauses.pop()


def test_nothing_that_happens_to_its_arrays_changes_a_plan():
    arrays = [a.copy() for a in LISTS.values()]
    plan = _kernel.plan(16, 4, False, *arrays)
    for a in arrays:
        a[:] = 2**31 - 1
    del arrays, a
    answers = [_fresh("solve") for _ in range(2)]
    for compiled, out in zip((plan, COMPILED_PLAN), answers, strict=True):
        _kernel.solve(compiled, DIGITS, 2, 1000, *out, TARGET)
    for x, y in zip(*answers, strict=True):
        assert (x == y).all()


def _fresh(call: str) -> list[np.ndarray]:
    """Outputs of a call, filled with rubbish."""
    return [a.copy() for a in list(CALLS[call].arrays.values())[-CALLS[call].outputs :]]


# Values that C would use as an index

UNSOUND_LISTS = [
    ("group starts", 0, 1), ("group starts", 1, -1), ("group starts", -1, 10**6),
    ("group starts", 3, 2**31 - 1), ("group members", 0, 64), ("group members", 5, -1),
    ("pair starts", 2, 2**31 - 1), ("pair members", 0, 64), ("overlap starts", -1, 1),
    ("overlap members", 0, -(2**31)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "index", "value"), UNSOUND_LISTS)
def test_a_plan_of_wrong_offsets_or_candidates_is_refused(name, index, value):
    lists = {key: a.copy() for key, a in LISTS.items()}
    lists[name][index] = value
    with pytest.raises(ValueError, match=f"^{name.split()[0]}s: expected lists of candidates"):
        _kernel.plan(16, 4, False, *lists.values())


def test_a_plan_of_a_wrong_size_or_number_of_lists_is_refused():
    for number in (0, -1, 626, 2**31 - 1):
        with pytest.raises(ValueError, match="cells: expected 1 to 625"):
            _kernel.plan(number, 4, False, *LISTS.values())
        with pytest.raises(ValueError, match="digits: expected 1 to 25"):
            _kernel.plan(16, number, False, *LISTS.values())
    with pytest.raises(ValueError, match="classic: expected 81 cells and 9 digits"):
        _kernel.plan(16, 4, True, *LISTS.values())
    with pytest.raises(TypeError, match="expected 30 arrays, found 29"):
        _kernel.plan(16, 4, False, *list(LISTS.values())[1:])
    with pytest.raises(ValueError, match="pairs: expected no list, or one for each candidate"):
        _kernel.plan(16, 4, False, *_listed(pair=[[]]))
    with pytest.raises(ValueError, match="overlaps: expected an even number of lists"):
        _kernel.plan(16, 4, False, *_listed(overlap=[[]]))
    lists = LISTS | {"group starts": np.array([], np.int32)}
    with pytest.raises(ValueError, match="group starts: expected one offset at least"):
        _kernel.plan(16, 4, False, *lists.values())


UNSOUND_CLUES = [
    ({"relation": [[0, 1, 2]]}, "relations: expected a table and two cells"),
    ({"table": [[1] * 8], "relation": [[1, 1, 2]]}, "relations: "),
    ({"table": [[1] * 8], "relation": [[0, 1, 16]]}, "relations: "),
    ({"table": [[1] * 8], "relation": [[0, 1]]}, "relations: "),
    ({"table": [[1] * 8], "relation": [[0, 1, 2, 3]]}, "relations: "),
    ({"table": [[1] * 7]}, "tables: expected sets of digits, two for each digit"),
    ({"table": [[16] * 8]}, "tables: "),
    ({"clause": [[1]]}, "clauses: expected an even number"),
    ({"clause": [[1, 2], [3]]}, "clauses: expected at most one candidate in the first"),
    ({"cage": [[0, 1, 2]]}, "cages: "),
    ({"set": [[16]]}, "sets: "),
    ({"set": [[3]], "cage": [[0]]}, "cages: expected a list of sets and cells"),
    ({"set": [[3]], "cage": [[0, 16]]}, "cages: "),
    ({"set": [[3]], "cage": [[0, *range(16), 0]]}, "cages: "),
    ({"set": [[3]], "cage": [[1, 2, 3]]}, "cages: "),
    ({"sum": [[5, 1, 0, 1, 0]]}, "sums: expected a total and segments of cells, with nine digits"),
    ({"rest": [[0]]}, "rests: expected no list"),
    ({"automata": [[0, 1]]}, "automata: "),
    ({"machine": [[0]]}, "automata: "),
    ({"machine": [[0, 1]]}, "automata: "),
    ({"machine": [[0, 2]], "way": [[]] * 6}, "automata: "),
    ({"machine": [[0, 1]], "way": [[0, 0]] * 4}, "automata: "),
    ({"machine": [[0, 1]], "way": [[0, 49]] + [[0, 0]] * 4}, "automata: "),
    ({"machine": [[0, 1]], "way": [[1, 0]] + [[0, 0]] * 4}, "automata: "),
    ({"machine": [[0, 1]], "way": [[0, 0]] * 4 + [[0, 1]]}, "automata: "),
    ({"machine": [[0, 1]], "way": [[0, 0]] * 4 + [[1, 0]]}, "automata: "),
    ({"machine": [[0, 1]], "way": [[0]] + [[0, 0]] * 4}, "automata: "),
    ({"machine": [[0, 2, 1]], "way": [[0, 0]] * 11 + [[49, 0]] + [[0, 0]]}, "automata: "),
    ({"machine": [[0, 1]], "way": [[0, 0]] * 5, "automata": [[0, 1, 2]]}, "automata: "),
    ({"machine": [[0, 1]], "way": [[0, 0]] * 5, "automata": [[0, 16]]}, "automata: "),
    ({"machine": [[0, 1]], "way": [[0, 0]] * 5, "automata": [[1, 0]]}, "automata: "),
    ({"rank": [[]]}, "ranks: expected a digit, sides, whether they may be equal, a length, and"),
    ({"rank": [[0, 0, 0, 2]]}, "ranks: "),
    ({"rank": [[0, 0, 0, 2, *[0] * 13]]}, "ranks: "),
    ({"rank": [[0, 0, 0, 2, *[0] * 15]]}, "ranks: "),
    ({"rank": [[0, 0, 0, 2, *[0] * 13, 16]]}, "ranks: "),
    ({"rank": [[4, 0, 0, 2, *[0] * 14]]}, "ranks: "),
    ({"rank": [[0, 4, 0, 2, *[0] * 14]]}, "ranks: "),
    ({"rank": [[0, 0, 2, 2, *[0] * 14]]}, "ranks: "),
    ({"rank": [[0, 0, 0, 1, *[0] * 4]]}, "ranks: "),
    ({"rank": [[0, 0, 0, 5, *[0] * 80]]}, "ranks: "),
]


def _listed(**parts: list[list[int]]) -> list[np.ndarray]:
    """The arrays of a plan with these lists and no others."""
    lists = [parts.get(name.split()[0], []) for name in list(LISTS)[::2]]
    return [
        np.array(numbers, np.int32)
        for some in map(Ragged.of, lists)
        for numbers in (some.starts, some.members)
    ]


@pytest.mark.parametrize(("parts", "problem"), UNSOUND_CLUES)
def test_a_plan_whose_clues_would_be_read_beyond_an_array_is_refused(parts, problem):
    with pytest.raises(ValueError, match=problem):
        _kernel.plan(16, 4, False, *_listed(**parts))


@pytest.mark.parametrize("said", [
    [], [5], [5, 1], [5, 1, 0], [5, 1, 0, 0], [5, 1, 0, 1], [2048, 1, 0, 1, 0], [5, 0, 0, 1, 0],
    [5, 1, 2, 1, 0], [5, 1, 0, 4, 0, 1, 2, 3], [5, 1, 0, 1, 81], [5, 228, 0, 1, 0],
    [5, 1, 0, 1, 0, 1], [5, *[1, 0, 1, 0] * 33], [5, *[8, 0, 3, 0, 1, 2] * 10],
])  # fmt: skip
def test_a_sum_that_would_leave_its_totals_is_refused(said):
    with pytest.raises(ValueError, match=r"^sums: expected"):
        _kernel.plan(81, 9, False, *_listed(sum=[said]))


def test_the_smallest_automaton_makes_a_plan():
    _kernel.plan(16, 4, False, *_listed(machine=[[0, 1]], way=[[0, 48]] + [[0, 0]] * 4))


@pytest.mark.parametrize(
    ("limit", "budget", "target"),
    [(0, 1, TARGET), (3, 1, TARGET), (1, -1, TARGET), (1, 2**32, TARGET), (1, 1, -1), (1, 1, 99)],
)
def test_numbers_out_of_range_are_refused(limit, budget, target):
    with pytest.raises(ValueError, match="expected"):
        _kernel.solve(COMPILED_PLAN, DIGITS, limit, budget, *_fresh("solve"), target)


def test_puzzles_have_a_column_for_each_cell_or_candidate():
    with pytest.raises(ValueError, match="puzzles: expected 16 or 64 columns, found 81"):
        _kernel.solve(COMPILED_PLAN, np.zeros((3, 81), u8), 2, 9, *_fresh("solve"), TARGET)


def test_one_capsule_is_not_taken_for_another():
    with pytest.raises(ValueError, match="incorrect name"):
        _kernel.solve(COMPILED_LISTING, DIGITS, 2, 9, *_fresh("solve"), TARGET)
    with pytest.raises(ValueError, match="incorrect name"):
        _kernel.count(CHECKER, DIGITS, 0, 9, *_fresh("count"), None, TARGET)
    with pytest.raises(ValueError, match="incorrect name"):
        _canonical.by_list(COMPILED_PLAN, DIGITS, *_fresh("by_list"))


@pytest.mark.parametrize("digit", [5, 200, 255])
@pytest.mark.parametrize("call", ["by_lines", "by_list"])
def test_a_digit_too_large_has_no_form(call, digit):
    puzzles = DIGITS.copy()
    puzzles[1, 9] = digit
    with pytest.raises(ValueError, match="puzzles: expected digits 0 to 4 in row 1"):
        CALLS[call].run(puzzles, *_fresh(call))


@pytest.mark.parametrize(
    "board",
    [(0, 1, 1, 0, 1), (26, 2, 13, 0, 1), (4, 3, 2, 0, 1), (4, 1, 4, 1, 1), (4, 0, 2, 0, 1),
     (-4, 2, 2, 0, 0)],
)  # fmt: skip
def test_a_board_whose_boxes_do_not_fit_is_refused(board):
    with pytest.raises(ValueError, match="expected"):
        _canonical.by_lines(board, DIGITS, *_fresh("by_lines"))


@pytest.mark.parametrize(
    ("name", "value"), [("sources", 16), ("renamings", 5), ("class_of", 4), ("class_of", 255)]
)
def test_a_listing_of_what_is_not_on_the_board_is_refused(name, value):
    spoilt = LISTED[name].copy()
    spoilt[..., -1] = value
    with pytest.raises(ValueError, match=f"^{name}: expected"):
        _canonical.listing(4, *(LISTED | {name: spoilt}).values())
    with pytest.raises(ValueError, match="expected 1 to 25"):
        _canonical.listing(26, *LISTED.values())
    for cells in (-1, 626):
        with pytest.raises(ValueError, match=f"^cells {cells}: expected 1 to 625"):
            _canonical.listing(4, *LISTED.values(), cells)
    with pytest.raises(ValueError, match="15"):  # of which the sources have 16
        _canonical.listing(4, *LISTED.values(), 15)


def test_houses_of_what_is_not_on_the_board_are_refused():
    for value in (-1, 16):
        with pytest.raises(ValueError, match="members: expected cells 0 to 15"):
            _houses.houses(16, 4, np.array([0, 1, 2, value], np.int32))
    with pytest.raises(ValueError, match="members: expected at most 65536 houses of 4 cells"):
        _houses.houses(16, 4, MEMBERS[:-1].copy())
    with pytest.raises(ValueError, match="size: expected 1 to 25"):
        _houses.houses(16, 26, MEMBERS)


def test_lines_that_do_not_fit_or_mean_nothing_are_not_written():
    statuses, solutions = CALLS["write"].arrays["statuses"], np.ones((3, 16), u8)
    words = (b"none", b"unique")
    text = np.full(72, 77, u8)
    assert _lines.write(words, 4, statuses, solutions, text) == 5 + 7 + 7 + 3 * 17
    with pytest.raises(ValueError, match="text: expected room for 3 lines of 24 bytes"):
        _lines.write(words, 4, statuses, solutions, text[:71].copy())
    with pytest.raises(BufferError, match="text: expected a writable array"):
        _lines.write(words, 4, statuses, solutions, bytes(72))
    with pytest.raises(ValueError, match="statuses: expected codes below 2"):
        _lines.write(words, 4, statuses + 1, solutions, text)
    for wrong in ((), (b"",) * 9, [b"none", b"unique"]):
        with pytest.raises(ValueError, match="words: expected a tuple of 1 to 8"):
            _lines.write(wrong, 4, statuses, solutions, text)
    with pytest.raises(TypeError):
        _lines.write(("none", "unique"), 4, statuses, solutions, text)
    for size in (0, 10):
        with pytest.raises(ValueError, match="size: expected 1 to 9"):
            _lines.read(TEXT, size, np.zeros((3, 4), u8))
        with pytest.raises(ValueError, match="size: expected 1 to 9"):
            _lines.write(words, size, statuses, solutions, text)


@pytest.mark.parametrize("budget", [-1, 2**32])
def test_counts_with_an_impossible_budget_are_refused(budget):
    with pytest.raises(ValueError, match=f"budget {budget}: expected .* budget 0 to 4294967295"):
        _kernel.count(COMPILED_PLAN, DIGITS, 0, budget, *_fresh("count"), None, TARGET)


@pytest.mark.parametrize("limit", [-1, 2**16 + 1])
def test_lists_of_impossible_length_are_refused(limit):
    with pytest.raises(ValueError, match=f"limit {limit}, budget 9: expected limit 0 to 65536"):
        _kernel.count(COMPILED_PLAN, DIGITS, limit, 9, *_fresh("count"), None, TARGET)


# Arrays of any kind

DTYPES = ["u1", "i1", "?", "u2", "i4", "u4", "i8", "u8", ">u4", ">u8", "f4", "c8", "V1"]
ORDERS: list[Callable[[np.ndarray], np.ndarray]] = [
    np.ascontiguousarray, np.asfortranarray, _strided, lambda a: a[::-1], np.transpose,
]  # fmt: skip


@st.composite
def arrays_of_any_kind(draw, like: np.ndarray) -> np.ndarray:
    """An array more or less like another one."""
    dtype = draw(st.sampled_from([like.dtype.str] * 30 + DTYPES))
    shape = list(like.shape)
    if draw(st.integers(0, 9)) == 0:
        shape[draw(st.integers(0, len(shape) - 1))] = draw(st.integers(0, 70))
    size = int(np.prod(shape))
    numbers = draw(st.lists(st.integers(0, 4), min_size=1, max_size=20))
    made = np.resize(np.array(numbers, np.uint8), size).astype("u1").reshape(shape)
    cast = made.view(dtype) if dtype == "V1" else made.astype(dtype)
    return ORDERS[draw(st.sampled_from([0] * 15 + [1, 2, 3, 4]))](cast)


# Without `rate`, which may take minutes for puzzles with many solutions.
@pytest.mark.parametrize(
    "call", [name for name, c in CALLS.items() if c.outputs and name != "rate"]
)
@settings(max_examples=share(80), deadline=None)
@given(data=st.data())
def test_any_arrays_give_the_right_answer_or_a_clean_error(call, data):
    """Outputs lie between margins, which stay as they are."""
    run, arrays, outputs, answer = CALLS[call]
    inputs = len(arrays) - outputs
    drawn = [data.draw(arrays_of_any_kind(a)) for a in arrays.values()]
    framed = [np.full(a.size + 64, 99, a.dtype) for a in drawn]
    for i in range(inputs, len(drawn)):
        if drawn[i].flags.c_contiguous:
            drawn[i] = framed[i][32 : framed[i].size - 32].reshape(drawn[i].shape)
    try:
        run(*drawn)
    except REFUSALS:
        accepted = False
    else:
        accepted = True
        assert all(
            a.dtype == good.dtype and a.flags.c_contiguous and len(a) == len(drawn[0])
            for a, good in zip(drawn, arrays.values(), strict=True)
        )
    for frame in framed[inputs:]:
        margin = np.full(32, 99, frame.dtype)
        assert (frame[:32] == margin).all() and (frame[-32:] == margin).all()
    if accepted and answer:
        for found, right in zip(drawn[inputs:], answer(drawn[0]), strict=True):
            assert (found == right).all()


@given(numbers=st.lists(st.integers(-3, 70), max_size=40), at=st.integers(0, 23))
@settings(max_examples=share(200), deadline=None)
def test_any_numbers_make_a_plan_that_can_be_run_or_none(numbers, at):
    name = list(LISTS)[at]
    try:
        plan = _kernel.plan(16, 4, False, *(LISTS | {name: np.array(numbers, np.int32)}).values())
    except ValueError:
        return
    for target in TARGETS.values():
        _kernel.solve(plan, DIGITS, 2, 50, *_fresh("solve"), target)
        _kernel.propagate(plan, DIGITS, *_fresh("propagate"), target)


# The build

ROOT = Path(__file__).parent.parent.parent


def test_wheels_and_sources_name_the_same_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["requires-python"] == ">=3.11"
    assert project["tool"]["distutils"]["bdist_wheel"]["py-limited-api"] == "cp311"
    assert (
        "#define Py_LIMITED_API 0x030B0000\n"
        in (ROOT / "satdoku" / "runtime" / "buffers.h").read_text()
    )
