"""Sentences of chains that no known puzzle needs, on nodes made by hand."""

from itertools import pairwise

from scenes import candidate, scene

from satdoku.explain.chain_words import chain_reason
from satdoku.ratings.step import Node


def strand_of(*names, causes=()):
    """A strand in the order from its assumption, each node from the one before it, or from those
    that `causes` names; the record has it from its end."""
    number = {name: len(names) - 1 - at for at, name in enumerate(names)}
    parents = {b: (number[a],) for a, b in pairwise(names)} | {
        name: tuple(number[parent] for parent in found) for name, found in dict(causes).items()
    }
    return tuple(
        Node(candidate(name), "=" in name, "row", parents.get(name, ())) for name in names[::-1]
    )


def reason(technique, *paths, struck=(), causes=(), places=None):
    strands = [strand_of(*path, causes=causes) for path in paths]
    told = [{(candidate(name), "=" in name): name for name in path} for path in paths]
    step = scene(technique, strands=strands, struck=struck, places=places)
    return chain_reason(step, told)


def test_a_cycle_on_one_digit_says_where_it_is_either_way():
    path = ("r1c1=5", "r1c9≠5", "r9c9=5", "r9c1≠5")
    assert reason("bidirectional X-cycle", path, path, struck=["r5c1=5", "r1c5=5"]) == (
        "one of the two ways round this cycle is true: r1c1=5 gives r1c9≠5, r9c9=5, r9c1≠5, and "
        "r1c1=5 again; the other way r1c1≠5 gives the opposite of each. Either way 5 is in r1c1 "
        "or r1c9 and 5 is in r1c1 or r9c1"
    )


def test_a_chain_on_one_digit_excludes_its_start_or_leads_back_to_it():
    path = ("r1c1=5", "r1c9≠5", "r9c9=5", "r9c1≠5", "r5c1=5", "r1c1≠5")
    assert reason("forcing X-chain", path) == (
        "5 in r1c1 would exclude itself: r1c1=5 gives r1c9≠5, r9c9=5, r9c1≠5, r5c1=5, so r1c1≠5"
    )
    assert reason("forcing X-chain", ("r1c1≠5", "r1c9=5", "r2c8≠5", "r1c1=5")) == (
        "5 in r1c1 follows even if denied: r1c1≠5 gives r1c9=5, r2c8≠5, so r1c1=5"
    )


def test_where_links_depend_on_several_the_digits_placed_are_told():
    path = ("r1c1=5", "r1c2≠5", "r1c3≠5", "r1c4=5", "r2c4≠5")
    causes = {"r1c2≠5": ["r1c1=5"], "r1c3≠5": ["r1c1=5"], "r1c4=5": ["r1c2≠5", "r1c3≠5"]}
    other = ("r1c1=5", "r1c2≠5", "r1c3≠5", "r1c4=5", "r3c3≠5", "r2c4=5")
    assert reason("contradiction forcing chain", path, other, causes=causes) == (
        "r1c1=5 would make r2c4 both 5 and not 5: r1c1=5 gives r1c4=5, so r2c4≠5; "
        "r1c1=5 also gives r2c4=5"
    )
