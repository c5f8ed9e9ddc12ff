"""A step as data, and what a picture shows of it."""

from __future__ import annotations

import json

import pytest
from examples import CLASSIC

import satdoku
from satdoku import explain_steps, render_svg
from satdoku.explain import step as module
from satdoku.explain.logic.reference import Node as Link
from satdoku.model.board import bits
from satdoku.ratings.step import Node, Step


def test_a_step_holds_what_a_picture_needs():
    step = next(step for step in explain_steps(CLASSIC) if step.technique == "naked pair")
    assert step.placed is None
    assert step.eliminated == tuple((cell, d) for cell in (69, 70, 71) for d in (4, 7))
    assert step.reason_cells == (66, 67, 69, 70, 71)
    assert step.candidates[66] == step.candidates[67] == {4, 7}
    svg = satdoku.render_svg(CLASSIC, candidates=step.candidates, highlights=step.highlights)
    assert svg.count("<svg") == 1
    data = json.loads(json.dumps(step.as_data()))
    assert data["size"] == len(data["reasons"]["units"]) == 4
    assert data["reasons"]["units"][2] == {
        "rule": "row", "label": "row 8", "digit": 4, "words": "row 8 holds 4 once",
        "cells": [f"r8c{c}" for c in range(1, 10)],
    }  # fmt: skip
    assert data["eliminated"][0] == {"cell": "r8c7", "digit": 4}


# All plain kinds of patterns, and chains; the example of docs/RATINGS.md.
PUZZLE = "..86...3.....9..6...2..3.754.........1...2..6.3..1.5..87.........3..5.9.....8.3.."


# Of docs/LOGIC.md.
FISH = (
    "..6...3........5.......2............",
    "sandwich=12:col4;sandwich=12:row3;sandwich=14:row5;sandwich=4:col5;sandwich=5:col2;sandwich=7:row6",
)
SUM = (
    "..6.......1....5.......2............",
    "cage=11:r5c5,r5c6,r6c5;cage=12:r5c3,r6c2,r6c3;cage=13:r4c4,r4c5,r5c4;"
    "cage=14:r1c2,r1c3,r2c2,r2c3;cage=5:r2c6,r3c6;cage=9:r4c1,r4c2",
)


@pytest.fixture(scope="module")
def steps():
    return list(explain_steps(PUZZLE, named=True))


def rated(strands, technique="forcing chain"):
    return Step(technique, 0, 71, None, (), (), (), (), strands)


def strand(*nodes):
    return tuple(Node(n, n % 2 == 0, "cell", parents) for n, parents in nodes)


def test_a_picture_has_all_links_crosses_what_is_struck_and_rings_what_is_placed(steps):
    chains = [step for step in steps if step.chain]
    assert {step.technique for step in chains} >= {"forcing chain", "bidirectional cycle"}
    for step in [*chains, next(step for step in steps if step.technique == "XY-wing"), steps[-1]]:
        svg = render_svg(
            PUZZLE,
            candidates=step.candidates,
            highlights=step.highlights,
            chains=step.links,
            caption=step.caption,
        )
        crossed = svg.partition('class="crossed"')[2].partition("</g>")[0]
        shown = [pair for pair in step.eliminated if PUZZLE[pair[0]] == "."]
        assert crossed.count("<line") == len(shown)
        assert svg.count('class="conclusion mark"') == (step.placed is not None)
        assert svg.count("Q") == sum(map(len, step.links))  # each arrow has one bend


def test_links_are_those_of_the_path(steps):
    step = next(step for step in steps if step.technique == "forcing chain")
    name = step.board.name_of
    (links,) = step.links
    start = links[0][0]
    path = [f"{name(start[0])}={start[1]}"]
    path += [f"{name(cell)}{'=' if holds else '≠'}{digit}" for _, (cell, digit), holds in links]
    assert path == [phrase.partition(" ")[0] for phrase in step.chain]
    head, line, notes = step.caption.split("\n")
    assert notes == module.ARROWS
    assert head == step.words.partition(f": {step.chain[0]}")[0]
    told = [f"{number} {phrase}" for number, phrase in enumerate(step.chain)]
    assert line.replace(module.UNBROKEN, " ").split("; ") == [step.chain[0], *told[1:]]


def test_a_cycle_is_drawn_once_and_closed(steps):
    step = next(step for step in steps if step.technique == "bidirectional cycle")
    (links,) = step.links
    assert 2 * len(links) == len(step.chain)
    assert {a for a, _, _ in links} == {b for _, b, _ in links}


def test_a_pattern_is_its_digits_in_its_cells(steps):
    wing = next(step for step in steps if step.technique == "X-wing")
    assert wing.highlights["reason"] == tuple((cell, 7) for cell in (48, 53, 75, 80))
    assert wing.highlights["house"] == (*range(45, 54), *range(72, 81))  # rows 6 and 9
    cover = {9 * row + column for row in range(9) for column in (3, 8)}
    assert set(wing.highlights["cover"]) == cover - set(wing.highlights["house"])
    assert {cell for cell, _ in wing.eliminated} <= set(wing.highlights["cover"])
    assert wing.links == ()
    assert wing.caption == wing.words


def test_a_fish_of_logic_lights_its_base_apart_from_its_cover():
    step = list(explain_steps(*FISH, named=True))[18]
    assert step.words.startswith("columns 2 and 6 have 6 only in rows 3 and 5 (X-wing)")
    lit, n = step.highlights, 6
    (digit,) = {unit.digit for unit in step.units}
    assert {cell % n for cell in lit["house"]} == {1, 5}
    assert len(lit["house"]) == 2 * n and len(lit["cover"]) == 2 * (n - 2)
    assert not set(lit["house"]) & set(lit["cover"])
    assert set(lit["eliminated"]) <= {(cell, digit) for cell in lit["cover"]}
    assert set(lit["reason"]) == {
        (cell, digit) for cell in lit["house"] if digit in step.candidates[cell]
    }


def test_a_sum_lights_its_cells_on_what_it_is_made_of():
    step = next(s for s in explain_steps(*SUM, named=True) if s.technique == "innies")
    lit = step.highlights
    assert lit["reason"] and all(type(cell) is int for cell in lit["reason"])
    assert {cell for cell, _ in lit["eliminated"]} <= set(lit["reason"])
    every = {cell for unit in step.units for cell in unit.cells}
    told = step.words.partition(", so ")[0]
    parts = {cell for unit in step.units if unit.label in told for cell in unit.cells}
    assert set(lit["house"]) == parts <= every
    assert set(lit["reason"]) <= parts and len(lit["reason"]) < len(parts)


def test_lines_of_one_digit_that_are_no_fish_are_drawn_whole():
    step = next(s for s in explain_steps(CLASSIC, named=True) if s.technique == "claiming")
    assert module.pattern_of_fish(step.units, step.live, step.struck) is None
    assert step.highlights["cover"] == ()


def test_of_a_long_chain_the_main_line_is_drawn(monkeypatch):
    bush = strand((0, (1, 2)), (3, (4,)), (5, (4,)), (7, ()), (6, ()))
    whole = module.pattern_of(rated((bush,)), [])
    assert [len(links) for links in whole.chains] == [4]
    assert whole.notes == f"{module.ARROWS} {module.TOGETHER}"
    monkeypatch.setattr(module, "MOST", 3)
    many = module.pattern_of(rated((bush,)), [])
    line = (((0, 7), (0, 4), False), ((0, 4), (0, 1), True))
    assert many.chains == (line,)
    assert many.notes == f"{module.ARROWS} {module.LINES.format(2, 4)}"
    assert set(bits(many.candidates)) == {0, 3, 5, 6, 7}


def test_the_longest_chains_are_pruned_first(monkeypatch):
    bush = strand((0, (1, 2)), (3, (4,)), (5, (4,)), (7, ()), (6, ()))
    short = strand((20, (1,)), (21, (2,)), (22, ()))
    monkeypatch.setattr(module, "MOST", 4)
    found = module.pattern_of(rated((short, bush)), [])
    assert [len(links) for links in found.chains] == [2, 2]
    assert module.LINES.format(4, 6) in found.notes


def test_a_link_of_two_chains_is_drawn_once():
    one = strand((0, (1,)), (1, (2,)), (2, ()))
    other = strand((3, (1,)), (1, (2,)), (2, ()))
    told = [{(n.candidate, n.holds): f"s{n.candidate}" for n in some} for some in (one, other)]
    found = module.pattern_of(rated((one, other)), [], told)
    assert found.chains == (
        (((0, 3), (0, 2), False), ((0, 2), (0, 1), True)),
        (((0, 2), (0, 4), False),),
    )
    lines = found.notes.replace(module.UNBROKEN, " ").split("\n")
    assert lines == ["s2; a1 s1; a2 s0", "s1; b1 s3", module.ARROWS]


def test_chains_within_chains_are_said_not_to_be_drawn():
    nested = (Node(0, True, "pattern", (1,)), Node(2, True, "assumed", ()))
    assert module.pattern_of(rated((nested,)), []).notes == f"{module.ARROWS} {module.PATTERN}"


def test_a_step_of_a_layer_is_drawn_over_its_cells():
    """For a notebook: the cells of the cut, and what is shaded so far; JSON has values."""
    rules = "shape=3x3;layer=shade:0-1;connected=1:shade;digits=1:shade.r1c1,shade.r3c3"
    steps = list(explain_steps("." * 9, f"{rules};digits=0:shade.r1c3,shade.r2c2"))
    told = [step for step in steps if step.because]
    assert told
    for step in told:
        assert "<svg" in step._repr_html_()
        assert set(step.because) == set(step.highlights["house"])
        assert {each["digit"] for each in step.as_data()["eliminated"]} <= {0, 1}


def chained(rules, puzzle):
    """Steps of `logic` with a chain, with what its nodes are."""
    return [step for step in explain_steps(puzzle, rules, named=True, timeout=20) if step.chain]


def test_links_of_a_chain_of_logic_lead_from_its_assumption_to_both_ends():
    """Assume 1 in r1c1: the cell below loses it and must be 2, which a cage excludes."""
    board = satdoku.constraints_for("shape=4x4").board
    nodes = (
        Link(0, True, 99, ()), Link(16, False, 3, (0,)), Link(17, True, 4, (1,)),
        Link(1, False, 0, (0,)), Link(17, False, 7, (3,)), Link(-1, False, 7, (2, 4)),
    )  # fmt: skip
    told = ["s", "a", "b", "c", "d", "and these cannot both be"]
    found = module.pattern_of_chain(nodes, told, board)
    assert found.cells == (0, 4)
    assert found.chains == (
        (
            ((0, 1), (4, 1), False), ((4, 1), (4, 2), True), ((0, 1), (0, 2), False),
            ((0, 2), (4, 2), False),
        ),
    )  # fmt: skip
    assert found.notes.split("\n") == [
        "otherwise s; 1\N{NO-BREAK SPACE}a; 2\N{NO-BREAK SPACE}b; 3\N{NO-BREAK SPACE}c; "
        "4\N{NO-BREAK SPACE}d; and these cannot both be",
        module.ARROWS,
    ]


def test_of_a_long_chain_of_logic_both_main_lines_are_drawn(monkeypatch):
    nodes = (
        Link(0, True, 99, ()), Link(1, False, 0, (0,)), Link(2, False, 0, (0,)),
        Link(3, True, 0, (1, 2)), Link(20, False, 4, (0,)), Link(3, False, 4, (4,)),
        Link(-1, False, 4, (3, 5)),
    )  # fmt: skip
    board = satdoku.constraints_for("shape=4x4").board
    monkeypatch.setattr(module, "MOST", 5)
    found = module.pattern_of_chain(nodes, [""] * 7, board)
    assert module.LINES.format(4, 6) in found.notes
    ends = [(end, holds) for _, end, holds in found.chains[0]]
    assert ends == [((0, 2), False), ((0, 4), True), ((5, 1), False), ((0, 4), False)]


def test_chains_of_a_variant_are_drawn_and_told():
    rules = "thermo:r1c6,r2c7,r3c8,r4c9,r5c8,r6c7;thermo:r6c9,r7c8,r8c7,r9c6,r8c5,r7c4;"
    rules += "thermo:r9c4,r8c3,r7c2,r6c1,r5c2,r4c3;thermo:r4c1,r3c2,r2c3,r1c4,r2c5,r3c6"
    puzzle = ".4.....1.2.......6" + "." * 45 + "9.......2.1.....9."
    steps = chained(rules, puzzle)
    assert steps
    for step in steps:
        (links,) = step.links
        assert links[0][0] in (step.eliminated if not step.placed else (step.placed,))
        assert step.caption.startswith(step.words.partition(": otherwise")[0])
        svg = render_svg(
            puzzle, rules, candidates=step.candidates, highlights=step.highlights,
            chains=step.links, caption=step.caption,
        )  # fmt: skip
        assert svg.count("Q") >= len(links)


def test_a_chain_through_a_layer_is_not_drawn():
    board = satdoku.constraints_for("shape=3x3;layer=shade:0-1").board
    nodes = (Link(27, True, 99, ()), Link(-1, False, 0, (0,)))
    assert module.pattern_of_chain(nodes, ["", ""], board) is None
