"""The scale of other rules is published, bounded and grows."""

import re
from pathlib import Path

from satdoku.explain.logic import scale
from satdoku.ratings.reference import chains, links, subsets, wings

PAGE = (Path(__file__).parents[3] / "docs" / "RATINGS.md").read_text()
SECTION = PAGE[PAGE.index("## Other rules") :]
ROWS = dict(re.findall(r"^\| ([\w -]+) \| ([\d.]+(?: to [\d.]+| and more)?) \|", SECTION, re.M))


def told(least, most):
    if most is None:
        return f"{least} and more"
    return str(least) if least == most else f"{least} to {most}"


def test_the_page_publishes_the_scale():
    assert {name: told(*bounds) for name, bounds in scale.RANGES.items()} == ROWS
    assert f"version {scale.VERSION}" in SECTION


def test_the_page_of_the_command_lists_the_techniques_easiest_first():
    page = (Path(__file__).parents[3] / "docs" / "commands" / "explain.md").read_text()
    (names,) = re.findall(r"^By the rating of their easiest steps: (.*?)\.$", page, re.M | re.S)
    easiest = sorted(scale.RANGES, key=lambda name: scale.RANGES[name][0])
    assert [*" ".join(names.split()).split(", "), scale.BEYOND_NAME] == easiest


def test_more_to_look_at_is_harder_within_the_published_bounds():
    for name, numbers in (
        ("clue alone", [scale.of_clue(cells) for cells in range(10)]),
        ("sums", [scale.of_total(cells, 2) for cells in range(1, 12)]),
        ("sums", [scale.of_total(1, houses) for houses in range(1, 5)]),
        (
            "contradiction",
            [scale.of_length(scale.CONTRADICTION, nodes) for nodes in range(2, 8000)],
        ),
    ):
        least, most = scale.RANGES[name]
        assert numbers == sorted(numbers) and numbers[0] >= least
        assert numbers[-1] <= (most or scale.BEYOND)
        if name != "sums":
            assert numbers[0] == least


def test_chains_grow_with_their_length():
    numbers = [scale.of_chain(cost) for cost in range(1, 30)]
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1]) == (scale.CHAIN, scale.LONGEST_CHAIN)


def test_what_sudoku_explainer_has_keeps_its_numbers():
    for count, (_, rating) in subsets.DIRECT.items():
        assert scale.DIRECT_HIDDEN[count] == rating
    assert scale.STRONG_LINKS == links.BASE
    assert links.ABOVE[3] == scale.GROUPED
    assert {cells - 1: of for cells, of in scale.WINGS.items() if cells > 3} == wings.RATINGS
    for nodes in range(4, 200):
        above = round(scale.MIXED + chains.length_above(nodes), 1)
        assert scale.of_length(scale.MIXED, nodes) == above
