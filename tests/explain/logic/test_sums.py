"""What totals leave: what plain loops leave; each finding is proved from its units alone."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product

import pytest
from killers import random_killer

from satdoku.answers.session import Session
from satdoku.explain import mus
from satdoku.explain.logic import scale
from satdoku.explain.logic import sums as logic_sums
from satdoku.explain.logic.sums import Sums, allowed, assignments
from satdoku.explain.mus import Oracle, selector
from satdoku.explain.techniques import State, clues, singles
from satdoku.explain.units import units_of
from satdoku.explain.witness import proves
from satdoku.explain.words import words_of
from satdoku.model.board import bits, mask_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, empty_grid


def sums(state):
    return Sums(state.units).found(state)


def by_loops(masks, weights, total, pairs):
    """All assignments, by positions."""
    return [
        chosen
        for chosen in product(*([place + 1 for place in bits(mask)] for mask in masks))
        if sum(weight * digit for weight, digit in zip(weights, chosen, strict=True)) == total
        and all(chosen[i] != chosen[j] for i, j in pairs)
    ]


def cases(rng, count):
    """Random cells, some of which differ, and a total that they often reach."""
    for _ in range(count):
        number, some = rng.randint(1, 5), (1 << rng.choice((4, 6, 9))) - 1
        masks = tuple(rng.randint(1, some) | rng.randint(1, some) for _ in range(number))
        weights = tuple(rng.choice((1, 1, 1, -1, 2, -3)) for _ in range(number))
        pairs = [pair for pair in combinations(range(number), 2) if rng.random() < 0.6]
        near = [rng.choice([*bits(mask)]) + 1 for mask in masks]
        total = sum(w * d for w, d in zip(weights, near, strict=True)) + rng.choice((0, 0, 1, -4))
        apart = tuple(mask_of(j for i, j in pairs if i == place) for place in range(number))
        found = by_loops(masks, weights, total, pairs)
        left = tuple(mask_of(chosen[k] - 1 for chosen in found) for k in range(number))
        yield masks, weights, total, apart, found, left


def test_a_total_allows_what_plain_loops_find():
    nothing = whole = 0
    for *asked, found, left in cases(random.Random(3), 600):
        assert allowed(*asked) == left, asked
        assert [*assignments(*asked)] == found
        nothing += not found
        whole += left == asked[0]
    assert nothing > 50
    assert whole > 50


def test_too_much_to_tell_apart_is_read_without(monkeypatch):
    """Then cells may hold equal digits: more is allowed, never less."""
    monkeypatch.setattr(logic_sums, "MOST_STATES", 2)
    monkeypatch.setattr(logic_sums, "LOOSE", 9)
    logic_sums._reached.cache_clear()
    more = 0
    for *asked, _, left in cases(random.Random(4), 200):
        told = allowed.__wrapped__(*asked)
        assert all(few & ~many == 0 for few, many in zip(left, told, strict=True))
        more += told != left
    logic_sums._reached.cache_clear()
    assert more > 10


def before(rules, struck=""):
    """The state before the first step, without some candidates: `r1c1=5 r1c2=5`."""
    units = units_of(constraints_for(rules))
    state = State.of(empty_grid(units.board), units)
    names = {units.name(candidate): candidate for candidate in bits(units.every)}
    return state.strike(mask_of(names[name] for name in struck.split()))


def first(rules, struck=""):
    """The first finding in words."""
    state = before(rules, struck)
    return words_of(state, next(sums(state)))


ROW = "cage=11:r1c1,r1c2;cage=12:r1c3,r1c4;cage=9:r1c5,r1c6"


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (
            f"{ROW};cage=20:r1c7-r1c9,r2c9",
            "row 1 sums to 45 and the 4 cages that cover it to 52, so r2c9 = 7",
        ),
        (
            f"{ROW};cage=5:r1c7",
            "row 1 sums to 45 and its 4 cages to 37, so r1c8+r1c9 = 8, that is 1+7, 2+6 or 3+5: "
            "no 4, 8 or 9 in r1c8 and r1c9",
        ),
        (
            f"{ROW};cage=19:r1c7,r1c8,r2c8",
            "row 1 sums to 45 and the 4 cages that meet it to 51, so r1c9+6 = r2c8, that is "
            "1-7, 2-8 or 3-9: r1c9 holds 1, 2 or 3; r2c8 holds 7, 8 or 9",
        ),
        (  # as both lie in box 3, 7 and 7 is no way
            f"{ROW};cage=20:r1c7-r1c9,r2c8,r3c9",
            "row 1 sums to 45 and the 4 cages that cover it to 52, so r2c8+r3c9 = 7, "
            "that is 1+6, 2+5 or 3+4",
        ),
        (
            "digits=0-8;cage=8:r1c1,r1c2;cage=27:r1c3-r1c8",
            "row 1 sums to 36, less 27 cage r1c3-r1c8 and 8 cage r1c1-r1c2, so r1c9 = 1",
        ),
        (
            "arrow:r1c1>r1c2,r1c3;arrow:r1c4>r1c5,r1c6;cage=15:r1c7-r1c9",
            "row 1 less 3 clues, so 2×r1c1+2×r1c4 = 30, that is 6+9 or 7+8: "
            "r1c1 and r1c4 hold 6, 7, 8 or 9",
        ),
    ],
)
def test_words(rules, said):
    assert said in first(rules)


def test_what_is_known_is_said():
    struck = " ".join(f"r1c8={digit}" for digit in range(1, 10) if digit != 3)
    said = first(ROW, struck)
    assert said.startswith(
        "row 1 sums to 45 and its 3 cages to 32, so with r1c8=3, r1c7+r1c9 = 10, "
        "that is 1+9, 2+8 or 4+6: "
        "no 3, 5 or 7 in r1c7 and r1c9"
    )


def test_a_bound_is_said_where_ways_are_many():
    assert first("cage=13:r1c1-r1c3;cage=10:r1c4,r1c5,r9c5") == (
        "row 1 sums to 45 and 10 cage at r1c4 and 13 cage r1c1-r1c3 to 23, so "
        "r1c6+r1c7+r1c8+r1c9 = r9c5+22, so r9c5 is at most 8: no 9 in r9c5"
    )
    # That r2c7 and r2c8 differ is said by box 3 alone.
    said = first("cage=33:r1c1-r1c6;cage=20:r1c7,r1c8,r2c7,r2c8")
    assert said.endswith(
        "r1c9+8 = r2c7+r2c8 (no digit twice in box 3): no 8 in r2c7 and r2c8; no 9 in r1c9"
    )


def test_what_cannot_be_is_said():
    state = before(f"{ROW};cage=10:r1c7,r1c8", "r1c9=3")
    finding = next(sums(state))
    assert finding.struck == state.digits_of(8) << 72
    said = words_of(state, finding)
    assert said.startswith("row 1 sums to 45 and its 4 cages to 42, so r1c9 = 3: no 1, 2, 4")
    pair = before(f"{ROW};cage=5:r1c7", "r1c8=1 r1c8=2 r1c8=3 r1c8=5")
    said = words_of(pair, next(sums(pair)))
    assert said.endswith(
        "so r1c8+r1c9 = 8, that is 1+7 or 2+6: r1c8 holds 6 or 7; r1c9 holds 1 or 2"
    )


# Findings are sound, and proved by their units ---------------------------------------------------


def answers(oracle, state, finding, without=()):
    """Whether each struck candidate is possible with the named units and the candidates left; None
    if the solver gave up."""
    units = state.units
    named = [selector(units, unit) for unit in finding.units if unit not in without]
    gone = [-candidate - 1 for candidate in bits(units.every & ~state.live)]
    return [oracle._answer([*named, *gone, c + 1]) for c in bits(finding.struck)]


@pytest.fixture
def walk(monkeypatch):
    """Check what is found in each state; sums in bare houses are hard for a solver, so not all are
    proved, but none is ever disproved."""
    monkeypatch.setattr(mus, "PATIENCE", 300)
    return _walk


def _walk(rules, solution):
    """Check all findings of all states until nothing is left to strike; how many are proved, and
    how many there are."""
    units = units_of(constraints_for(rules))
    true = mask_of(units.size * cell + place - 1 for cell, place in enumerate(solution))
    state, oracle, count = State.of(empty_grid(units.board), units), Oracle(units), Counter()
    while True:
        if single := next(singles(state), None):
            state = state.place(single.placed)
            continue
        found = [*sums(state)]
        for finding in found:
            assert finding.struck
            assert not finding.struck & true, words_of(state, finding)
            assert finding.struck & state.live == finding.struck
            told = answers(oracle, state, finding)
            assert True not in told, words_of(state, finding)
            count[None not in told] += 1
        if not found and not (found := [*clues(state)]):
            oracle.close()
            return count[True], count.total()
        state = state.strike(found[0].struck)


@pytest.mark.parametrize("seed", [1, 2])
def test_killers(seed, walk):
    proved, every = walk(*random_killer(random.Random(seed)))
    assert every > 10
    assert proved > every / 2


def random_rules(base, rng, count):
    """Clues of many kinds with sums, true of a random solution; its digits by positions."""
    constraints = constraints_for(base)
    board = constraints.board
    start = bytearray(board.cells)
    start[0] = rng.randint(1, len(board.digits))
    with Session(constraints) as session:
        (solution,) = session.solutions(Grid(bytes(start), board), limit=1)
    texts = [base]
    while len(texts) <= count:
        cells = _path(board, rng)
        values = [board.digits[solution[cell] - 1] for cell in cells]
        texts += _clue(rng, [*map(board.name_of, cells)], values)
    return ";".join(texts), [*solution]


def _path(board, rng):
    cells = [rng.randrange(board.cells)]
    for _ in range(rng.randint(0, 6)):
        row, column = board.places[cells[-1]]
        near = [
            cell
            for cell, (r, c) in enumerate(board.places)
            if abs(r - row) <= 1 >= abs(c - column) and cell not in cells
        ]
        cells += rng.sample(near, min(1, len(near)))
    return cells


def _clue(rng, names, values):
    """A clue of a random kind, if one is true of these digits."""
    kind, cells = rng.choice(("cage", "arrow", "sum", "equal-sum", "weighted")), ",".join(names)
    if kind == "sum" or (kind == "cage" and len({*values}) == len(values)):
        return [f"{kind}={sum(values)}:{cells}"]
    if kind == "weighted" and len(names) < 5:
        weights = [rng.choice((1, 1, -1, 2, -2, 3)) for _ in names]
        total = sum(weight * value for weight, value in zip(weights, values, strict=True))
        return [f"weighted={','.join(map(str, weights))}={total}:{cells}"]
    ends = range(1, 2 if kind == "arrow" else len(names))
    if kind in ("arrow", "equal-sum"):
        for end in ends:
            if end < len(names) and 2 * sum(values[:end]) == sum(values):
                return [f"{kind}:{','.join(names[:end])}>{','.join(names[end:])}"]
    return []


@pytest.mark.parametrize(
    ("base", "count"),
    [
        ("classic", 30),
        ("digits=0-8", 25),
        ("diagonal,windoku", 25),
        ("shape=6x6", 12),
        ("jigsaw=1112122233434344", 6),
        ("shape=4x4;digits=0-3", 5),
        ("latin,shape=5x5", 8),
        ("grids:r1c1,r7c7", 40),
        ("shape=2x4;knight", 6),
    ],
)
def test_boards(base, count, walk):
    rng = random.Random(base)
    told = [walk(*random_rules(base, rng, count))]
    every = sum(count for _, count in told)
    assert every > 0
    assert sum(proved for proved, _ in told) > every * 0.9


def test_values_of_layers(monkeypatch):
    """Free variables stand in sums as cells do; a cage tells its cells apart there, too."""
    monkeypatch.setattr(mus, "PATIENCE", 300)
    state = before(
        "shape=4x4;layer=total*2:3-9;equal-sum:total.1>r1c1,r1c2,r2c2;equal-sum:total.2>r3c1,r3c2;"
        "cage=8:r1c3,r2c3,r2c4;sum=5:total.2,r2c1"
    )
    oracle = Oracle(state.units)
    found = [*sums(state)]
    assert any("total.1" in finding.why for finding in found)
    for finding in found:
        assert {*answers(oracle, state, finding)} == {False}, finding.why
    oracle.close()


def test_no_unit_is_named_in_vain():
    """Of an innie each clue and each digit of the houses is needed."""
    state = before(f"{ROW};cage=10:r1c7,r1c8")
    finding = next(sums(state))
    oracle = Oracle(state.units)
    assert {*answers(oracle, state, finding)} == {False}
    for unit in finding.units:
        assert True in answers(oracle, state, finding, [unit]), state.units.all[unit].words
    oracle.close()


def test_the_witness_agrees():
    state = before("shape=4x4;cage=3:r1c1,r1c2;cage=8:r1c3,r2c3,r2c4;sum=5:r2c1,r2c2")
    found = [*sums(state)]
    assert found
    for finding in found:
        named = [state.units.all[unit] for unit in finding.units]
        assert proves(named, state.live, None, finding.struck)


def test_the_lowest_rating_comes_first_then_few_open_cells():
    rules, _ = random_killer(random.Random(7))
    state = before(rules)
    readers = {
        finding: reader
        for reader in logic_sums.readers_of(state.units)
        if (finding := reader.found(state.live))
    }
    found = [*sums(state)]
    read = [readers[finding._replace(rating=None)].said for finding in found]
    order = [(len(said.cells), said.houses) for said in read]
    assert order == sorted(order, key=lambda open_: (scale.of_total(*open_), *open_))
    assert [finding.rating for finding in found] == [scale.of_total(*open_) for open_ in order]
    few = [finding for finding, (cells, _) in zip(found, order, strict=True) if cells <= 2]
    assert [*Sums(state.units).found(state, 2)] == few
    assert 0 < len(few) < len(found)
