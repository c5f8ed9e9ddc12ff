"""Chains of cells and houses have Sukaku Explainer's numbers of their kind and length."""

from __future__ import annotations

from satdoku.explain.logic import scale
from satdoku.explain.logic.net import net_of
from satdoku.explain.logic.reference import SUPPOSED, Node, cost_of
from satdoku.explain.logic.strands import rating_of
from satdoku.explain.units import units_of
from satdoku.model.constraints import constraints_for

RULES = "whisper:r5c5,r5c6"
UNITS = units_of(constraints_for(RULES))
NET = net_of(UNITS)
NAMES = {UNITS.name(candidate): candidate for candidate in range(729)}


def chain_of(*told, end, by):
    """Nodes as `r1c1=5` or `r1c1≠5`, with the place by which they follow and the numbers of their
    parents; then the place and the parents of the contradiction."""
    nodes = [Node(NAMES[told[0].replace("≠", "=")], "=" in told[0], SUPPOSED, ())]
    for text, label, *parents in told[1:]:
        candidate = NAMES[text.replace("≠", "=")]
        nodes.append(Node(candidate, "=" in text, unit_of(label, text[-1]), tuple(parents)))
    return (*nodes, Node(-1, False, unit_of(*by), end))


def unit_of(label, digit=""):
    return next(u.number for u in UNITS.all if u.label == label and str(u.digit or digit) == digit)


def rated(chain, live=UNITS.every, technique="forcing chain"):
    return rating_of(NET, chain, live, technique)


def skyscraper(top, bottom, *, families=("row 1", "row 6")):
    """r3c1=7 leaves one place in each of two houses, and these see each other."""
    (cell, one), (beside, other) = top, bottom
    return chain_of(
        "r3c1=7",
        (f"{cell}≠7", "column 1" if cell.endswith("c1") else "box 1", 0),
        (f"{one}=7", families[0], 1),
        (f"{beside}≠7", "column 1", 0),
        (f"{other}=7", families[1], 3),
        (f"{other}≠7", "column 8", 2),
        end=(4, 5),
        by=("column 8", "7"),
    )


def test_strong_links_by_the_kinds_of_their_houses():
    chain = skyscraper(("r1c2", "r1c8"), ("r6c1", "r6c8"))
    assert rated(chain) == scale.STRONG_LINKS[2] == 4.0
    crossed = skyscraper(("r1c2", "r1c8"), ("r6c1", "r6c8"), families=("row 1", "box 6"))
    assert rated(crossed) == 4.1


def test_a_group_of_places_is_harder():
    """Two nodes that one true candidate excludes leave one place."""
    chain = chain_of(
        "r3c1=7", ("r1c2≠7", "box 1", 0), ("r1c3≠7", "box 1", 0), ("r1c8=7", "row 1", 1, 2),
        ("r6c1≠7", "column 1", 0), ("r6c8=7", "row 6", 4), ("r6c8≠7", "column 8", 3),
        end=(5, 6), by=("column 8", "7"),
    )  # fmt: skip
    assert rated(chain) == 4.3


def mixed(*more):
    """There and back by cells and houses."""
    return chain_of(
        "r1c1=1", ("r1c5≠1", "row 1", 0), ("r1c5=2", "r1c5", 1), ("r4c5≠2", "column 5", 2),
        ("r4c9=2", "row 4", 3), *more, ("r4c9≠1", "r4c9", 4), ("r9c9=1", "column 9", len(more) + 5),
        ("r9c1≠1", "row 9", len(more) + 6), ("r9c1≠1", "column 1", 0),
        end=(0, len(more) + 7), by=("column 1", "1"),
    )  # fmt: skip


def test_one_strand_by_its_length():
    chain = chain_of(
        "r1c1=1", ("r1c5≠1", "row 1", 0), ("r1c5=2", "r1c5", 1), ("r4c5≠2", "column 5", 2),
        ("r4c1=2", "row 4", 3), ("r1c1≠1", "column 1", 4),
        end=(0, 5), by=("column 1", "1"),
    )  # fmt: skip
    assert rated(chain) == scale.MIXED == 7.0
    longer = chain_of(
        "r1c1=1", ("r1c5≠1", "row 1", 0), ("r1c5=2", "r1c5", 1), ("r4c5≠2", "column 5", 2),
        ("r4c9=2", "row 4", 3), ("r4c9≠1", "r4c9", 4), ("r9c9=1", "column 9", 5),
        ("r9c1≠1", "row 9", 6), ("r2c1=1", "column 1", 7), ("r1c1≠1", "column 1", 8),
        end=(0, 9), by=("column 1", "1"),
    )  # fmt: skip
    assert rated(longer) == 7.2  # ten nodes


def test_a_chain_from_each_candidate_of_a_group():
    """A node counts in each strand that needs it: 2, 4 and 4."""
    chain = chain_of(
        "r1c1=1", ("r1c9≠1", "row 1", 0), ("r1c5≠1", "row 1", 0), ("r1c5=2", "r1c5", 2),
        ("r3c2≠1", "box 1", 0), ("r3c2=3", "r3c2", 4), ("r3c4≠2", "box 2", 3),
        ("r3c4≠3", "row 3", 5), ("r3c4≠1", "r3c4", 0),
        end=(6, 7, 8), by=("r3c4",),
    )  # fmt: skip
    assert rated(chain) == scale.of_length(scale.MULTIPLE, 10) == 8.2


def test_contradictions_of_many_strands():
    chain = chain_of(
        "r1c1=7", ("r1c5≠7", "row 1", 0), ("r1c9=7", "row 1", 1), ("r2c9≠7", "column 9", 2),
        end=(1, 3), by=("row 2", "7"),
    )  # fmt: skip
    assert rated(chain, technique="contradiction") == scale.of_length(scale.NISHIO, 2 + 4 + 1)
    other = chain_of(
        "r1c1=7", ("r1c1≠2", "r1c1", 0), ("r1c9=2", "row 1", 1), ("r2c9≠2", "column 9", 2),
        end=(1, 3), by=("row 2", "2"),
    )  # fmt: skip
    assert rated(other, technique="contradiction") == scale.of_length(scale.DYNAMIC, 2 + 4 + 1)


def test_a_chain_in_which_a_rule_has_a_say_is_rated_by_what_is_to_follow():
    whisper = next(u for u in UNITS.all if u.family.startswith("whisper") or u.pairs)
    chain = (
        Node(NAMES["r5c5=1"], True, SUPPOSED, ()),
        Node(NAMES["r5c6=2"], False, whisper.number, (0,)),
        Node(NAMES["r5c9=2"], True, unit_of("row 5", "2"), (1,)),
        Node(-1, False, unit_of("row 5", "2"), (1,)),
    )
    assert rated(chain) == scale.of_chain(cost_of(chain)[0])
    of_contradiction = scale.of_length(scale.CONTRADICTION, len(chain))
    assert rated(chain, technique="contradiction") == of_contradiction
