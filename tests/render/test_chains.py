"""Chains: an arrow for each link, a ring for each candidate, and all of it on the board."""

import re
import xml.etree.ElementTree as ET
from math import hypot

import pytest

from satdoku.model.board import Board
from satdoku.render import RenderError, render_svg
from satdoku.render.chains import COLOURS, DASHES, labels
from satdoku.render.shapes import slot, spot

SVG = "{http://www.w3.org/2000/svg}"
EMPTY = "." * 81
NINE = Board()
CHAINS = [
    [((0, 1), (72, 1), False), ((72, 1), (72, 9), True), ((72, 9), (80, 9), False)],
    [((0, 1), (8, 1), False), ((8, 1), (8, 3), True), ((8, 3), (80, 3), False)],
]


def drawn(chains, **more):
    """Colour of each chain -> its rings and its arrows."""
    root = ET.fromstring(render_svg(EMPTY, chains=chains, **more))
    groups = [group for group in root.iter(f"{SVG}g") if group.get("class") == "chain"]
    return {
        group.get("stroke"): (group.findall(f"{SVG}circle"), group.findall(f"{SVG}path"))
        for group in groups
    }


def numbers(arrow):
    return list(map(float, re.findall(r"[-\d.]+", arrow.get("d"))))


def test_each_chain_has_a_colour_and_an_arrow_for_each_link():
    found = drawn(CHAINS)
    assert list(found) == list(COLOURS[:2])
    for (_, arrows), links in zip(found.values(), CHAINS, strict=True):
        assert [arrow.get("stroke-dasharray") for arrow in arrows] == [
            None if holds else DASHES for _, _, holds in links
        ]
    rings = [ring for rings, _ in found.values() for ring in rings]
    ends = {end for links in CHAINS for link in links for end in link[:2]}
    places = {(float(ring.get("cx")), float(ring.get("cy"))) for ring in rings}
    assert len(rings) == len(places) == len(ends)  # r1c1=1, in both chains, is ringed once
    assert places == {spot(cell, digit, NINE) for cell, digit in ends}


def test_arrows_are_numbered_in_order_by_where_they_lead():
    assert labels(CHAINS) == [["a1", "a2", "a3"], ["b1", "b2", "b3"]]
    assert labels(CHAINS[:1]) == [["1", "2", "3"]]
    joined = [((0, 1), (1, 1), False), ((0, 1), (2, 1), False), ((1, 1), (3, 1), True),
              ((2, 1), (3, 1), True)]  # fmt: skip
    assert labels([joined]) == [["1", "2", "3", "3"]]


def tags(chains, **more):
    """Number -> its colour and the middle of its ground."""
    root = ET.fromstring(render_svg(EMPTY, chains=chains, **more))
    (group,) = (g for g in root.iter(f"{SVG}g") if g.get("class") == "numbers")
    found = {}
    for ground, text in zip(group.findall(f"{SVG}rect"), group.findall(f"{SVG}text"), strict=True):
        x, y, width, height = (float(ground.get(k)) for k in ("x", "y", "width", "height"))
        assert text.get("fill") == ground.get("stroke")
        assert float(text.get("x")) == pytest.approx(x + width / 2, abs=0.02)
        found[text.text] = text.get("fill"), (x + width / 2, y + height / 2)
    return found


def test_every_arrow_carries_its_number_clear_of_rings_and_of_others():
    found = tags(CHAINS)
    assert list(found) == [name for names in labels(CHAINS) for name in names]
    assert [colour for colour, _ in found.values()] == [COLOURS[0]] * 3 + [COLOURS[1]] * 3
    rings = {spot(*end, NINE) for links in CHAINS for link in links for end in link[:2]}
    places = [at for _, at in found.values()]
    for number, (x, y) in enumerate(places):
        others = [*rings, *places[:number]]
        assert min(hypot(x - u, y - v) for u, v in others) > 0.46 * slot(NINE)
    again = [[((30, 5), (50, 5), True)], [((30, 5), (50, 5), True)]]
    (_, one), (_, other) = tags(again).values()
    assert hypot(one[0] - other[0], one[1] - other[1]) > 6  # on one line, at two places


def test_numbers_leave_what_is_crossed_out_clear():
    level = [[((36, 5), (44, 5), False)]]
    struck = next(
        (cell, digit)
        for cell in range(81)
        for digit in range(1, 10)
        if hypot(
            *(a - b for a, b in zip(spot(cell, digit, NINE), tags(level)["1"][1], strict=True))
        )
        < 6
    )
    (_, (x, y)) = tags(level, highlights={"eliminated": [struck]})["1"]
    u, v = spot(*struck, NINE)
    assert hypot(x - u, y - v) > 0.46 * slot(NINE)


def test_arrows_lead_from_ring_to_ring():
    for (_, arrows), links in zip(drawn(CHAINS).values(), CHAINS, strict=True):
        for arrow, (a, b, _) in zip(arrows, links, strict=True):
            x, y, *_, u, v = numbers(arrow)[:6]
            for at, end in (((x, y), a), ((u, v), b)):
                place = spot(*end, NINE)
                assert hypot(at[0] - place[0], at[1] - place[1]) == pytest.approx(
                    0.46 * slot(NINE), abs=0.02
                )


def test_arrows_stay_on_the_board_and_two_of_one_pair_lie_apart():
    border = [((0, 1), (8, 3), True), ((8, 3), (80, 9), True), ((80, 9), (72, 7), True),
              ((72, 7), (0, 1), True)]  # fmt: skip
    back = [(b, a, holds) for a, b, holds in border]
    (_, arrows), *_ = drawn([border + back]).values()
    assert all(0 <= number <= 360 for arrow in arrows for number in numbers(arrow))
    there, again = drawn([[((30, 5), (50, 5), True), ((50, 5), (30, 5), True)]])[COLOURS[0]][1]
    assert numbers(there)[2:4] != numbers(again)[2:4]


def test_a_candidate_of_a_chain_is_written_and_must_be_one():
    svg = render_svg(EMPTY, chains=[[((0, 1), (8, 3), True)]])
    assert svg.count("</text>") == 3  # both ends, and the number of the arrow
    with pytest.raises(RenderError, match=r"expected a cell 0-80, or a pair"):
        render_svg(EMPTY, chains=[[((0, 1), (81, 3), True)]])
    with pytest.raises(RenderError, match="to itself"):
        render_svg(EMPTY, chains=[[((0, 1), (0, 1), True)]])


def test_a_caption_stands_below_the_grid_each_paragraph_wrapped():
    words = "no 5 in r1c1 <" + " because" * 200
    root = ET.fromstring(render_svg(EMPTY, caption=f"{words}\nshort"))
    *lines, last = [text for text in root.iter(f"{SVG}text") if float(text.get("y")) > 360]
    assert lines[0].text.startswith("no 5 in r1c1 < because")
    assert len(lines) == 16
    assert lines[-1].text.endswith(" ...")
    assert last.text == "short"
    assert float(last.get("y")) < float(root.get("height"))
