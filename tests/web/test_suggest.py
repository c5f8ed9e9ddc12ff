"""Suggestions: the stream, and the panel in a browser."""

import pytest

pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")

from page import tab
from selenium.webdriver.common.keys import Keys
from setting import Setting
from web_client import CLASSIC, other, state

import satdoku
from satdoku.files.puzzle_json import puzzle_of


@pytest.fixture
def page(surfing):
    with tab(surfing, Setting) as made:
        yield made


def suggested(web, **asked):
    *found, end = web.lines("suggest", **asked)
    assert end == {"done": True}
    return [each["suggestion"] for each in found]


def test_each_given_with_the_solutions_without_it(web):
    found = suggested(web, puzzle=state("1.34......21....", title="Mine"))
    assert [one["gone"] for one in found][:2] == [["r1c1=1"], ["r1c3=3"]]
    for one in found:
        made = puzzle_of(one["puzzle"])
        assert satdoku.count(made) == one["solutions"]
        (cell,) = one["cells"]
        assert not made.grid[cell] and one["digits"] == []


def test_clues_stay_as_they_were_written(web):
    clues = ["thermo:r1c1-r1c3", "odd:r4c4"]
    found = suggested(
        web, puzzle=state("." * 16, None, clues), want="unique", kinds=["givens"], seed=1
    )
    assert found
    for one in found:
        assert one["puzzle"]["clues"] == clues
        assert satdoku.classify(puzzle_of(one["puzzle"])) is satdoku.Status.UNIQUE
        assert sorted(cell for cell, _ in one["digits"]) == one["cells"]
    gone = suggested(web, puzzle=state("." * 16, None, clues))
    left = {one["gone"][0]: (one["puzzle"]["clues"], one["cells"]) for one in gone}
    assert left["thermo:r1c1,r1c2,r1c3"] == (clues[1:], [0, 1, 2])
    assert left["odd:r4c4"] == (clues[:1], [15])


@pytest.mark.parametrize("name", ["zero", "chaos", "shaded"])
def test_other_boards(web, name):
    for one in suggested(web, puzzle=other(name)):
        puzzle_of(one["puzzle"])


@pytest.mark.parametrize(
    "asked", [{"want": "better"}, {"kinds": 1}, {"want": "unique", "kinds": ["thermos"]}]
)
def test_what_cannot_be_asked_is_refused(web, asked):
    assert web.post("suggest", puzzle=state("1" + "." * 15), **asked).status == 400
    assert web.post("suggest", puzzle=state(CLASSIC), want="unique").status == 400


def test_a_suggestion_is_seen_taken_and_undone(page):
    page.paste("1.34......21....")
    panel = page.panel("suggest")
    page.press("What is needed", panel)
    page.wait(lambda: "5 suggestions." in page.text(panel))
    (first, *_) = page.find(f"{panel} .suggestions button")
    assert first.text.endswith("is not needed")
    first.send_keys("")
    page.wait(lambda: len(page.find("#board .spot.conflict")) == 1)
    first.send_keys(Keys.ENTER)
    assert page.puzzle["puzzle"].count(".") == 12
    assert not page.find(f"{panel} .suggestions button, #board .spot.conflict")
    page.press("Undo")
    assert page.puzzle["puzzle"] == "1.34......21...."


def test_a_puzzle_is_made_unique_by_clues_of_a_kind(page):
    page.paste("12..34..........")
    panel = page.panel("suggest")
    page.write("To make it unique, add", "thermo, white")
    page.press("Make it unique", panel)
    best = page.wait(lambda: page.find(f"{panel} .suggestions button"))[0]
    page.wait(lambda: "suggestion" in page.text(f"{panel} [role=status]"))
    best = page.find(f"{panel} .suggestions button")[0]
    best.send_keys("")
    page.wait(lambda: page.find("#board .spot.reason"))
    page.click(best)
    page.wait(lambda: page.answered() == "Unique")
    kinds = {clue.partition(":")[0] for clue in page.clues}
    assert kinds and kinds <= {"thermo", "difference=1"}
