"""Chains: each node follows from its parents by its unit alone, and none refutes a solution."""

from __future__ import annotations

import random

import pytest
from logic_cases import Judge, mask_of_solution, random_live, with_clues

from satdoku import solve
from satdoku.explain.logic.reference import (
    EVER,
    SUPPOSED,
    Net,
    Node,
    cost_of,
    is_strike,
    with_case,
)
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.model.board import bits, mask_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid

CASES = [
    ("shape=4x4", ["cage", "thermo", "sum", "skyscraper"]),
    ("shape=6x6;digits=0-5", ["arrow", "whisper", "renban", "equal-sum", "sum"]),
    ("jigsaw=1112122233434344", ["cage", "region-sum", "difference"]),
    ("knight,king", ["thermo", "arrow", "cage", "x-sum", "sandwich"]),
    ("diagonal", ["cage"] * 8),
]


def literals(nodes):
    return [node.candidate + 1 if node.holds else -node.candidate - 1 for node in nodes]


def assert_follows(chain, net, judge, live, start=0):
    """By a solver that knows the named unit, the candidates left and the parents; of a case from
    its start on."""
    first, *rest = chain[start:]
    assert first.unit == SUPPOSED
    assert not first.parents
    assert rest[-1].candidate == -1
    assert all(node.candidate >= 0 for node in chain[:-1])
    for number, node in enumerate(rest, start + 1):
        assert list(node.parents) == sorted({*node.parents})
        assert all(parent < number for parent in node.parents)
        if node.case:
            inner = with_case(chain, number)
            assert_follows(inner, net, judge, live, number)
            assert (inner[number].candidate, inner[number].holds) == (node.candidate, True)
            needed = {parent for one in node.case for parent in one.parents}
            assert {parent for parent in needed if parent < number} == {*node.parents}
            continue
        given = literals(chain[parent] for parent in node.parents)
        denied = [] if node.candidate < 0 else [-literals([node])[0]]
        named = [net.units.all[unit] for unit in net.named(node.unit)] if node.unit >= 0 else []
        assert judge.allowed(named, live, *given, *denied) is False, (number, chain)
    used = {parent for node in chain[start:] for parent in node.parents}
    assert {*range(start, len(chain) - 1)} <= used  # nothing is in vain


@pytest.mark.parametrize(("base", "kinds"), CASES, ids=[base for base, _ in CASES])
def test_each_node_follows_and_no_solution_is_refuted(base, kinds):
    rng = random.Random(f"{base} {kinds}")
    constraints, solution = with_clues(base, kinds, rng)
    units = units_of(constraints)
    net, judge, true = Net(units), Judge(units), mask_of_solution(units, solution)
    told = 0
    for _ in range(4):
        live = random_live(units, rng, true)
        tried = mask_of(rng.sample([*bits(live)], min(20, live.bit_count())))
        for chains in (
            net.refute(live, tried, 2),
            net.refute(live, tried),
            net.chains(live, tried),
        ):
            assert chains == sorted(chains, key=cost_of)
            for chain in chains:
                first = chain[0]
                assert bool(true >> first.candidate & 1) != first.holds
                assert_follows(chain, net, judge, live)
            told += len(chains)
    judge.close()
    assert told > 10


def test_cases_follow_too():
    """With nothing but houses, where one candidate is seldom refuted at once."""
    units = units_of(constraints_for("classic"))
    grid = parse_grid(
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
    )
    live, true = State.of(grid, units).live, mask_of_solution(units, solve(grid))
    net, judge = Net(units), Judge(units)
    wrong = [*bits(live & ~true)]
    chains = net.by_cases(live, mask_of(wrong[8:14]), 3)
    for chain in chains:
        assert_follows(chain, net, judge, live)
    judge.close()
    assert any(node.case for chain in chains for node in chain)
    assert not net.by_cases(live, mask_of([*bits(live & true)][30:32]), 2)


def test_more_rounds_find_more():
    rng = random.Random(2)
    constraints, solution = with_clues("shape=6x6", ["cage", "thermo", "sum"], rng)
    units = units_of(constraints)
    net, few, many = Net(units), set(), set()
    live = random_live(units, rng, mask_of_solution(units, solution))
    for candidate in bits(live):
        few |= {chain[0].candidate for chain in net.refute(live, 1 << candidate, 1)}
        many |= {chain[0].candidate for chain in net.refute(live, 1 << candidate, EVER)}
    assert few < many


def test_the_cost_counts_what_holds_and_strikes_together():
    chain = (
        Node(5, True, SUPPOSED, ()),
        Node(6, False, 3, (0,)),  # excluded: it costs nothing
        Node(7, False, 4, (1,)),  # struck by a clue, as the next, at once
        Node(8, False, 4, (1,)),
        Node(9, True, 2, (2, 3)),
        Node(-1, False, 1, (4,)),
    )
    assert [is_strike(chain, node) for node in chain[:-1]] == [False, False, True, True, False]
    assert cost_of(chain) == (3, 6)


def test_the_cost_counts_cases():
    case = (Node(9, True, SUPPOSED, ()), Node(10, False, 4, (1,)), Node(-1, False, 1, (0, 2, 3)))
    chain = (
        Node(5, True, SUPPOSED, ()),
        Node(6, False, 3, (0,)),
        Node(9, False, SUPPOSED, (0, 1), case),
        Node(-1, False, 1, (2,)),
    )
    assert with_case(chain, 2) == (*chain[:2], *case)
    assert cost_of(chain) == (3, 7)  # 5 and 9 hold, and a clue strikes 10
