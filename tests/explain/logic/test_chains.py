"""Chains in words: what becomes true or is struck, in turn, then why that cannot be."""

from __future__ import annotations

import pytest

from satdoku.explain.logic import scale
from satdoku.explain.logic.chains import finding_of, phrases_of
from satdoku.explain.logic.net import net_of
from satdoku.explain.logic.reference import SUPPOSED, Node, cost_of
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.explain.words import words_of
from satdoku.model.board import bits, mask_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid

WHISPER = "whisper:r1c1,r1c2,r1c3,r1c4"
NO_5 = tuple(f"r1c{column}=5" for column in range(1, 5))


def state_of(rules, struck=()):
    units = units_of(constraints_for(rules))
    names = {units.name(candidate): candidate for candidate in bits(units.every)}
    state = State.of(empty_grid(units.board), units)
    return state.strike(mask_of(names[name] for name in struck)), names


@pytest.mark.parametrize(
    ("rules", "struck", "supposed", "said"),
    [
        (
            WHISPER,
            NO_5,
            "r1c2=4",
            "no 4 in r1c2: otherwise r1c2=4, r1c1=9 (last in its cell), r1c3=9 (last in its cell), "
            "and yet r1c3≠9 (row 1)",
        ),
        (
            "difference=4:r1c1,r1c2;difference=4:r1c2,r1c3",
            (),
            "r1c1=5",
            "no 5 in r1c1: otherwise r1c1=5, no 1 or 9 in r1c2 (difference 4 at r1c2-r1c3), "
            "and nothing is left for r1c2",
        ),
    ],
)
def test_words(rules, struck, supposed, said):
    state, names = state_of(rules, struck)
    net = net_of(state.units)
    (chain,) = net.chains(state.live, 1 << names[supposed])
    finding = finding_of(state, net, chain, "forcing chain")
    assert words_of(state, finding) == said
    assert finding.struck == 1 << names[supposed]
    assert finding.placed is None
    assert finding.rating == scale.of_chain(cost_of(chain)[0])
    assert {*finding.units} == {node.unit for node in chain if node.unit != SUPPOSED}


def test_a_false_literal_places_its_candidate():
    """Each digit of row 1 but one needs the other cells; told as the node list says it."""
    state, names = state_of("classic", [f"r1c{column}=7" for column in range(2, 9)])
    net, units = net_of(state.units), state.units
    row = next(u.number for u in units.all if u.label == "row 1" and u.digit == 7)
    column = next(n for n, _ in units.rivals[names["r1c9=7"]] if units.all[n].label == "column 9")
    chain = (
        Node(names["r1c1=7"], False, SUPPOSED, ()),
        Node(names["r1c9=7"], True, row, (0,)),
        Node(names["r2c9=7"], False, column, (1,)),
        Node(-1, False, row, (0, 1)),
    )
    finding = finding_of(state, net, chain, "forcing chain")
    assert finding.placed == names["r1c1=7"]
    assert not finding.struck
    assert phrases_of(net, chain, state.live) == (
        "r1c1≠7",
        "r1c9=7 (row 1)",
        "and row 1 has no place left for 7",
    )


def test_a_candidate_that_holds_after_all():
    state, names = state_of("classic")
    net, units = net_of(state.units), state.units
    row = next(u.number for u in units.all if u.label == "row 1" and u.digit == 7)
    chain = (
        Node(names["r1c1=7"], False, SUPPOSED, ()),
        Node(names["r1c1=7"], True, row, (0,)),
        Node(-1, False, SUPPOSED, (0, 1)),
    )
    assert phrases_of(net, chain, state.live)[-1] == "and so r1c1=7 after all"


def test_a_contradiction_of_a_clue_is_rated_by_its_nodes():
    state, names = state_of("sum=30:r1c1-r1c4", NO_5)
    net = net_of(state.units)
    (chain,) = net.refute(state.live, 1 << names["r1c2=1"], 2)
    finding = finding_of(state, net, chain, "contradiction")
    assert finding.rating == scale.of_length(scale.CONTRADICTION, len(chain))
    assert finding.technique == "contradiction"


def test_a_case_is_told_in_brackets():
    state, names = state_of("classic")
    net, units = net_of(state.units), state.units
    unit_of = {(u.label, u.digit): u.number for u in units.all}
    box, row, last = unit_of["box 1", 7], unit_of["row 5", 7], unit_of["column 5", 7]
    case = (
        Node(names["r4c5=7"], True, SUPPOSED, ()),
        Node(names["r5c1=7"], True, row, (1,)),
        Node(-1, False, box, (0, 2)),
    )
    chain = (
        Node(names["r1c1=7"], True, SUPPOSED, ()),
        Node(names["r4c5=7"], False, SUPPOSED, (0,), case),
        Node(-1, False, last, (1,)),
    )
    finding = finding_of(state, net, chain, "contradiction by cases")
    assert finding.tells is not None
    assert finding.tells() == (
        "r1c1=7",
        "r4c5≠7 (else r5c1=7 (row 5), and box 1 has no place left for 7)",
        "and column 5 has no place left for 7",
    )
    assert {*finding.units} == {box, row, last}
    assert finding.draws is not None
    notes = finding.draws().notes.replace("\N{NO-BREAK SPACE}", " ")
    assert "r4c5≠7 (else a contradiction)" in notes
    assert finding.rating == scale.of_length(scale.BY_CASES, len(chain) + len(case))
