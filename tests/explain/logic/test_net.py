"""Nets in C give what the reference gives, node by node, and take no numbers on trust."""

from __future__ import annotations

import random
from array import array

import pytest
from logic_cases import mask_of_solution, random_live, spoilt, with_clues

from satdoku.explain.logic import net as nets
from satdoku.explain.logic import reference
from satdoku.explain.logic.net import AVAILABLE, CompiledNet, net_of, reader_of
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.model.board import bits, mask_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.runtime import limits

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="needs the C extension")

LINES = ["thermo", "arrow", "whisper", "renban", "between", "palindrome", "region-sum"]
CASES = [
    ("classic", []),
    ("classic", ["cage"] * 12),
    ("classic", ["difference", "ratio"] * 6),
    ("classic", ["little-killer"] * 6 + ["sandwich", "x-sum"]),
    ("knight,king", LINES),
    ("digits=0-8", ["sum", "equal-sum", *LINES]),
    ("diagonal", ["weighted", "modular", "entropic", *LINES]),
    ("shape=6x6", LINES * 2),
    ("jigsaw=1112122233434344", ["cage", "thermo", "renban", "count-distinct"]),
    ("shape=4x4;digits=0-3", ["arrow", "sum", "whisper", "skyscraper"]),
    ("latin,shape=5x5", ["cage", "cage", "slow-thermo", "zipper"]),
    ("shape=2x4;knight", ["sum", "sum", "thermo"]),
    ("grids:r1c1,r7c7", ["cage"] * 8),
    ("shape=4x4;layer=total*2:3-9;equal-sum:total.1>r1c1,r1c2,r2c2", ["sum", "thermo"]),
]


@pytest.mark.parametrize(("base", "kinds"), CASES, ids=[f"{c[0]}-{len(c[1])}" for c in CASES])
def test_both_draw_the_same_nodes(base, kinds):
    rng = random.Random(f"{base} {kinds}")
    constraints, solution = with_clues(base, kinds, rng)
    units = units_of(constraints)
    true = mask_of_solution(units, solution)
    compiled, plain = CompiledNet(units), reference.Net(units)
    reader = reader_of(units)
    assert reader.parts == plain.parts[: len(reader.parts)]
    found = 0
    for number in range(4):
        live = random_live(units, rng, true if number % 2 else 0)
        tried = mask_of(rng.sample([*bits(live)], min(12, live.bit_count())))
        for rounds in (1, 2, 3, reference.EVER):
            chains = compiled.refute(live, tried, rounds)
            assert chains == plain.refute(live, tried, rounds)
            found += len(chains)
        few = mask_of([*bits(tried)][:4])
        chains = compiled.chains(live, few)
        assert chains == plain.chains(live, few)
        found += len(chains)
        for part in range(len(plain.parts)):
            struck = plain.struck(part, live)
            assert compiled.struck(part, live) == struck
            assert part >= len(reader.parts) or reader.struck(part, live) == struck
    assert found


SMALL = [case for case in CASES if "=" in case[0]]


@pytest.mark.parametrize(("base", "kinds"), SMALL, ids=[f"{c[0]}-{len(c[1])}" for c in SMALL])
def test_both_ask_the_same_cases(base, kinds):
    rng = random.Random(f"cases {base} {kinds}")
    constraints, solution = with_clues(base, kinds, rng)
    units = units_of(constraints)
    true = mask_of_solution(units, solution)
    compiled, plain = CompiledNet(units, is_joint=True), reference.Net(units, is_joint=True)
    for few in (2, 3, reference.EVER):
        live = random_live(units, rng, true)
        tried = mask_of(rng.sample([*bits(live)], min(4, live.bit_count())))
        assert compiled.by_cases(live, tried, few) == plain.by_cases(live, tried, few)
        for part in range(len(plain.parts)):
            assert compiled.struck(part, live) == plain.struck(part, live)


@pytest.mark.parametrize(("base", "kinds"), CASES[1::2], ids=[c[0] for c in CASES[1::2]])
def test_what_is_kept_from_state_to_state_changes_nothing(base, kinds):
    rng = random.Random(f"kept {base} {kinds}")
    constraints, solution = with_clues(base, kinds, rng)
    units = units_of(constraints)
    true = mask_of_solution(units, solution)
    compiled, plain = CompiledNet(units), reference.Net(units)
    first = live = (1 << constraints.variables) - 1
    found = 0
    for _ in range(4):
        tried = mask_of(rng.sample([*bits(live)], min(8, live.bit_count())))
        for search, same in ((compiled.refute, plain.refute), (compiled.chains, plain.chains)):
            chains = search(live, tried)
            assert chains == same(live, tried)
            found += len(chains)
        wrong = [*bits(live & ~true)]
        gone = mask_of(rng.sample(wrong, len(wrong) // 3))
        live = first if rng.random() < 0.1 else live & ~gone
    assert found


def closed(units, live, net):
    """What is left once all that single parts and groups say has gone."""
    while True:
        before = live
        for number in range(len(net.parts)):
            live &= ~net.struck(number, live)
        for group in units.groups:
            left = group.candidates & live
            if left and not left & left - 1:
                for _, others in units.rivals[left.bit_length() - 1]:
                    live &= ~others
        if live == before:
            return live


def test_kept_closures_count_the_same_nodes():
    """By cases, whose order and end count nodes, in states from which nothing follows at once."""
    units = units_of(constraints_for("classic"))
    puzzle = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
    compiled, plain = CompiledNet(units), reference.Net(units)
    live = closed(units, State.of(parse_grid(puzzle), units).live, plain)
    rng = random.Random(3)
    for _ in range(3):
        tried = mask_of(rng.sample([*bits(live)], 5))
        chains = compiled.by_cases(live, tried, 3)
        assert chains == plain.by_cases(live, tried, 3)
        live &= ~mask_of(chain[0].candidate for chain in chains)
        live = closed(units, live, plain)


def test_what_is_placed_is_not_asked():
    """It would take as much of the work that a search may do as any other case."""
    constraints, solution = with_clues("shape=4x4", [], random.Random(1))
    units = units_of(constraints)
    live = mask_of_solution(units, solution)
    search = reference.Search(reference.Net(units), live, (next(bits(live)), True), reference.EVER)
    assert search.ask(few=2, most=reference.MOST_DRAWN) == 0


def test_a_search_ends_as_soon_as_time_is_over():
    class Over(Exception):
        pass

    def over():
        raise Over

    units = units_of(constraints_for("classic"))
    net = CompiledNet(units)
    live = (1 << constraints_for("classic").variables) - 1
    every = net._bits(live)
    whole = net.refute(live, live)
    for search, more in (
        (nets._net.refute, (9,)),
        (nets._net.by_cases, (2,)),
        (nets._net.chains, ()),
    ):
        with pytest.raises(Over):
            search(net._net, every, every, over, *more)
    assert net.refute(live, live) == whole


def test_cases_are_told_by_both():
    """With nothing but houses, where one candidate is seldom refuted at once."""
    units = units_of(constraints_for("classic"))
    puzzle = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
    live = State.of(parse_grid(puzzle), units).live
    compiled, plain = CompiledNet(units), reference.Net(units)
    tried = mask_of([*bits(live)][10:16])
    chains = compiled.by_cases(live, tried, 3)
    assert chains == plain.by_cases(live, tried, 3)
    assert any(node.case for chain in chains for node in chain)


def test_names_are_those_of_the_reference():
    constraints, _ = with_clues("classic", ["cage"] * 12, random.Random(1))
    units = units_of(constraints)
    compiled, plain = CompiledNet(units, is_joint=True), reference.Net(units, is_joint=True)
    beyond = {part.unit for part in compiled.parts} - {unit.number for unit in units.all}
    assert beyond
    for unit in (0, *beyond):
        assert compiled.named(unit) == plain.named(unit)
        assert compiled.label(unit) == plain.label(unit)


def test_a_net_is_built_once():
    constraints, _ = with_clues("shape=4x4", [], random.Random(1))
    units = units_of(constraints)
    assert net_of(units) is net_of(units)
    assert net_of(units, is_joint=True) is net_of(units, is_joint=True)
    assert len(net_of(units, is_joint=True).parts) == len(net_of(units).parts) + 12


def asked(net, variables, rng):
    """Ask an opened net for all that it tells."""
    some = bytes(rng.randrange(256) for _ in range((variables + 7) // 8))
    for live in (some, b"\xff" * len(some), b""):
        nets._net.refute(net, live, some, limits.check, rng.choice((0, 1, 5)))
        nets._net.chains(net, live, some, limits.check)
        nets._net.by_cases(net, live, some[:1], limits.check, rng.choice((0, 2, 9)))
        for part in (-1, 0, 1, 1 << 20):
            try:
                nets._net.struck(net, part, live)
            except ValueError as error:
                assert "there are" in str(error)


def test_no_numbers_crash_it():
    """Those of a net with a few exchanged, dropped or added; and any numbers."""
    rng = random.Random(5)
    constraints, _ = with_clues("shape=4x4", ["cage", "thermo", "sum", "x-sum"], rng)
    units = units_of(constraints)
    numbers = [*nets._numbers_of(units, tuple(reference.parts_of(units)))]
    near = [-1, 0, 1, 2, 3, 5, 63, 64, 65, 1 << 14, (1 << 31) - 1, -(1 << 31)]
    opened = refused = 0
    for number in range(1500):
        if number % 10 == 0:
            tried = [rng.choice(near) for _ in range(rng.randint(0, 60))]
        else:
            tried = spoilt(numbers, near, rng)
        if tried and not 0 < tried[0] < 1000:
            tried[0] = rng.choice((-1, 0, 64, 999))
        try:
            net = nets._net.open(
                array("i", [max(-(1 << 31), min(n, (1 << 31) - 1)) for n in tried])
            )
        except ValueError as error:
            assert str(error) == "numbers: expected a net"
            refused += 1
        else:
            opened += 1
            asked(net, tried[0], rng)
    assert opened > 100
    assert refused > 300


@pytest.mark.parametrize("wrong", [None, 5, "text", array("d", [1.0]), array("b", [1])])
def test_what_are_no_numbers_is_refused(wrong):
    with pytest.raises((TypeError, ValueError, BufferError)):
        nets._net.open(wrong)
