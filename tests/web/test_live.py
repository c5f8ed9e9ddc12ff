"""Live answers, checked against puzzles whose answers are known and against other code."""

import pytest

pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")

from page import tab
from selenium.webdriver.common.keys import Keys
from setting import Setting
from web_client import CLASSIC, OTHERS, SOLVED, other, other_rules, state

import satdoku
from satdoku.model.grid import empty_grid
from satdoku.runtime.errors import BudgetError
from satdoku.web import live

MIRACLE = "......................................1............2............................."
TEXT = "483726159726159483159483726837261594261594837594837261372615948615948372948372615"


def test_a_classic_puzzle_is_unique(web):
    found = web.all("live", puzzle=state(CLASSIC))
    assert found["status"] == "unique"
    assert found["candidates"] == [[int(digit)] for digit in SOLVED]
    assert (found["solutions"], found["more"], found["solution"]) == (1, False, SOLVED)
    assert found["done"] is True and found["ms"] > 0


def test_the_miracle_sudoku(web):
    found = web.all("live", puzzle=state(MIRACLE, "miracle"))
    assert (found["status"], found["solution"]) == ("unique", TEXT)
    fewer = MIRACLE.replace("1", ".")
    found = web.all("live", puzzle=state(fewer, "miracle"))
    assert found["status"] == "multiple"
    assert found["solutions"] == satdoku.count(fewer, "miracle") and not found["more"]


@pytest.mark.parametrize(
    ("puzzle", "rules"),
    [
        ("1...............", None),
        ("." * 36, "diagonal"),
        ("." * 81, "miracle"),
        ("." * 81, "knight;thermo:r1c1-r1c9"),
        (CLASSIC.replace("9", "."), None),
        ("." * 16, "cage=7:r1c1,r1c2;white:r2c1,r3c1"),
    ],
)
def test_candidates_and_counts_are_those_of_a_session(web, puzzle, rules):
    names, *clues = (rules or "classic").split(";")
    if "=" in names or ":" in names:
        names, clues = "classic", [names, *clues]
    found = web.all("live", puzzle=state(puzzle, names, clues), limit=300, candidate_limit=20)
    text = ";".join([names, *clues])
    assert found["candidates"] == [sorted(d) for d in satdoku.candidates(puzzle, text)]
    assert (found["solutions"], found["more"]) == (
        satdoku.count(puzzle, text, limit=300),
        satdoku.count(puzzle, text, limit=301) > 300,
    )
    for cell in (0, 5, 15):
        for digit, number in found["counts"][cell].items():
            given = f"{puzzle[:cell]}{digit}{puzzle[cell + 1 :]}"
            assert number == satdoku.count(given, text, limit=20)
    assert [sorted(map(int, counts)) for counts in found["counts"]] == found["candidates"]


def test_what_comes_first(web):
    names = [next(iter(line)) for line in web.lines("live", puzzle=state("." * 81))]
    assert names == ["status", "candidates", "solutions", "counts", "done"]


def test_a_wrong_given_is_none_with_a_smallest_clash(web):
    assert CLASSIC[3] == "."
    wrong = CLASSIC[:3] + "7" + CLASSIC[4:]  # 8 in the solution
    found = web.all("live", puzzle=state(wrong))
    assert found["status"] == "none"
    clash = found["clash"]
    given = {3: "7"}
    alone = "".join(wrong[c] if c in clash["cells"] else "." for c in range(81))
    assert satdoku.classify(alone) == satdoku.Status.NONE
    assert set(given) <= set(clash["cells"])
    for cell in clash["cells"]:
        assert wrong[cell] != "."
    assert "cannot all be true" in clash["text"] and clash["units"]


def test_two_givens_that_clash_are_named(web):
    clash = web.all("live", puzzle=state("5.....5" + "." * 74))["clash"]
    assert (clash["cells"], clash["rules"], clash["smallest"]) == ([0, 6], ["row"], True)
    assert clash["text"] == "r1c1=5 and r1c7=5 clash: row 1 holds 5 once"
    assert clash["units"][0]["cells"] == list(range(9))


def test_warnings_of_clues_that_leap(web):
    found = web.all("live", puzzle=state("." * 81, None, ["thermo:r1c1,r5c5"]))
    assert found["warnings"] == ["thermo:r1c1,r5c5: r1c1 and r5c5 do not touch"]


def test_pencil_marks_restrict(web):
    marks = [[1, 2]] + [[1, 2, 3, 4]] * 15
    found = web.all("live", puzzle=state("." * 16, candidates=marks))
    assert found["candidates"][0] == [1, 2] and found["solutions"] == 144
    assert sum(found["counts"][0].values()) == 144
    assert found["more_at"] == 100 and found["at_least"] == []


def test_marks_without_a_solution_are_named(web):
    marks = [[1], [1, 2, 3, 4], [1]] + [[1, 2, 3, 4]] * 13
    found = web.all("live", puzzle=state("." * 16, candidates=marks))
    assert found["status"] == "none"
    assert found["clash"]["cells"] == [0, 2]
    assert found["clash"]["text"] == "the pencil marks of r1c1 and r1c3 leave no solution"


@pytest.mark.parametrize("size", [4, 6, 8, 9, 10, 12, 16])
def test_boards_of_every_size_are_answered(web, size):
    found = web.all("live", puzzle=state("." * size * size), candidate_limit=2)
    assert found["status"] == "multiple"
    assert found["candidates"] == [list(range(1, size + 1))] * size * size
    late = {
        tuple(candidate) for candidate in found["at_least"]
    }  # of large boards, on slow machines
    for cell, counts in enumerate(found["counts"]):
        assert all(n == 2 or (cell, int(digit)) in late for digit, n in counts.items())
    assert not late or size > 9


def test_a_larger_board_is_refused(web):
    answer = web.post("live", puzzle=state("." * 625))
    assert answer.status == 400
    assert "the page takes up to 16x16" in answer.json()["error"]


def test_more_solutions_may_be_asked_for_than_the_engine_lists_at_a_time(web):
    puzzle = "1..............2"
    found = web.all("live", puzzle=state(puzzle), limit=100_000)
    assert (found["solutions"], found["more"]) == (satdoku.count(puzzle), False)
    assert found["done"]


@pytest.mark.parametrize("name", OTHERS)
def test_other_boards_are_answered(web, name):
    rules = other_rules(name)
    solved = satdoku.solve(OTHERS[name][0], rules)
    found = web.all("live", puzzle=other(name))
    assert (found["status"], found["solution"], found["solutions"]) == ("unique", str(solved), 1)
    count = solved.board.grid_cells
    assert found["candidates"][:count] == [[digit] for digit in solved][:count]
    assert len(found["candidates"]) == solved.board.cells
    empty = other(name) | {"puzzle": str(empty_grid(solved.board))}
    found = web.all("live", puzzle=empty, candidate_limit=2, limit=20)
    true = satdoku.candidates(empty["puzzle"], rules)
    assert found["candidates"] == [sorted(digits) for digits in true]
    assert found["done"] and found["status"] == "multiple" and found["solutions"]


def test_a_layer_that_several_values_fit_is_named(web):
    found = web.all("live", puzzle=other("shaded"))
    assert found["warnings"] == ["layer shade has several ways"]
    assert found["candidates"][16:21] == [[2], [1], [2], [2], [1, 2]]
    assert "warnings" not in web.all("live", puzzle=other("chaos"))


def test_layers_that_there_is_no_time_for(monkeypatch):
    def late(*_, **__):
        raise BudgetError("late")

    monkeypatch.setattr(live, "_candidates", late)
    found = list(live.live({"puzzle": other("chaos")}))
    assert found[1]["candidates"][15:18] == [[4], [1, 2, 3, 4], [1, 2, 3, 4]]
    assert found[2]["warnings"] == ["there was no time to look at the layers"]


@pytest.mark.parametrize("name", OTHERS)
def test_what_clashes_on_other_boards_is_named(web, name):
    solved = satdoku.solve(OTHERS[name][0], other_rules(name))
    digits = [*solved.board.domains((0,))[0]]
    cells = [digits[place - 1] for place in solved][: solved.board.grid_cells]
    cells[0] = digits[solved[0] % len(digits)]
    found = web.all("live", puzzle=other(name) | {"puzzle": cells})
    assert found["status"] in ("none", "invalid")
    assert 0 in found["clash"]["cells"] and f"={cells[0]}" in found["clash"]["text"]


def test_the_solutions_of_each_candidate_are_counted_only_if_asked(web):
    found = web.all("live", puzzle=state("12.............."), counts=False)
    assert found["done"] and found["solutions"] == 24 and "counts" not in found
    assert "counts" in web.all("live", puzzle=state("12.............."))
    assert web.post("live", puzzle=state("." * 16), counts=1).status == 400


# In the browser ---------------------------------------------------------------------------------


@pytest.fixture
def page(surfing):
    with tab(surfing, Setting) as made:
        yield made


def lit(page):
    """How many cells are lit as a conflict."""
    return len(page.find("#board .spot.conflict"))


def test_clues_that_clash_are_lit_and_told_with_what_was_drawn_last(page):
    for text in ("thermo:r5c5,r5c6", "cage=17:r1c1,r1c2", "whisper=5:r1c1,r1c2"):
        page.write("Clue as text", text)
        page.keys(Keys.ENTER)
        page.wait(lambda text=text: text in page.clues)
    page.wait(lambda: "17 cage r1c1-r1c2" in page.text(".clash"))
    path = page.wait(lambda: [item.text for item in page.find("#panel-live .path li")])
    assert path[-1] == "whisper r1c1-r1c2 has no combination left"
    assert "No solution since you drew whisper r1c1-r1c2." in page.text("#panel-live")
    assert page.wait(lambda: lit(page)) == 2
    page.reload()
    page.wait(lambda: "since you drew whisper r1c1-r1c2" in page.text("#panel-live"))
    page.press("Take it away")
    assert page.puzzle["clues"] == ["thermo:r5c5,r5c6", "cage=17:r1c1,r1c2"]
    page.wait(lambda: page.verdict() == "Several solutions")
    assert not page.text(".clash") and not lit(page)
    page.press("Undo")
    assert len(page.puzzle["clues"]) == 3


def test_the_digit_that_broke_the_puzzle_is_named(page):
    page.paste(CLASSIC)
    page.focus("r1c1")
    page.keys("1")
    page.wait(lambda: "No solution since you put 1 in r1c1." in page.text("#panel-live"))
    page.focus("r9c8")
    page.keys("2")  # another change does not change who broke it
    page.wait(lambda: "since you put 1 in r1c1" in page.text("#panel-live"))


def test_solutions_of_each_candidate_come_once_they_are_shown(page):
    page.paste("12..............")
    page.answered()
    assert not page.find("#board .count")
    page.tick("Solutions of each")
    page.wait(lambda: page.find("#board .count"))
