"""Made puzzles have one solution, and the same seed makes the same."""

import pytest
from web_client import CLASSIC, OTHERS, SOLVED, other, other_rules, state

import satdoku
from satdoku.model.grid import empty_grid


def rules_of(made):
    return ";".join([made["rules"], *made.get("clues", [])])


def unique(made):
    return satdoku.classify(made["puzzle"], rules_of(made)) == satdoku.Status.UNIQUE


def test_fill_is_a_solution_by_the_seed(web):
    made = [web.ask("fill", puzzle=state("1" + "." * 80, "knight"), seed=n) for n in (1, 1, 2)]
    grids = [answer["puzzle"]["puzzle"] for answer in made]
    assert grids[0] == grids[1] != grids[2]
    for grid in grids:
        assert satdoku.solve(grid, "knight") is not None and grid[0] == "1" and "." not in grid
    assert web.ask("fill", puzzle=state(CLASSIC))["puzzle"]["puzzle"] == SOLVED


def test_fill_keeps_pencil_marks(web):
    marks = [[2]] + [[1, 2, 3, 4]] * 14 + [[3, 4]]
    grid = web.ask("fill", puzzle=state("." * 16, candidates=marks), seed=3)["puzzle"]["puzzle"]
    assert grid[0] == "2" and grid[15] in "34"


@pytest.mark.parametrize(
    ("size", "rules"), [(4, None), (9, "miracle"), (12, "knight"), (16, None), (5, "latin=5")]
)
def test_boards_of_every_sort_are_filled(web, size, rules):
    grid = web.ask("fill", puzzle=state("." * size * size, rules), seed=1)["puzzle"]["puzzle"]
    assert "." not in grid and satdoku.solve(grid, rules or "classic") is not None


def test_what_has_no_solution_cannot_be_filled(web):
    assert "no solution" in web.post("fill", puzzle=state("11" + "." * 14)).json()["error"]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"symmetry": "rot180", "givens": [26, 32]},
        {"er": [1.2, 2.5]},
        {"rules": "knight", "clues": ["thermo:r1c1,r2c1,r3c1"]},
        {"boxes": "2x3", "kinds": ["white", "thermo"]},
        {"size": 4, "minimal": True},
    ],
)
def test_generate(web, asked):
    first, second = (web.ask("generate", seed=7, **asked) for _ in range(2))
    assert first == second and first["seed"] == 7
    made = first["puzzle"]
    assert unique(made)
    if "symmetry" in asked:
        assert web.ask("symmetry", puzzle=made)["names"] == ["rot180"]
        assert 26 <= 81 - made["puzzle"].count(".") <= 32
    if "kinds" in asked:
        assert {clue.split(":")[0] for clue in made["clues"]} <= {"difference=1", "thermo"}
    if "clues" in asked:
        assert made["clues"] == asked["clues"] and made["rules"] == "knight"
    if "er" in asked:
        assert 1.2 <= satdoku.rate_batch([made["puzzle"]]).er[0] <= 2.5


def test_generate_by_the_page(web):
    """Its rules and clues, not its digits; a random seed is told."""
    answer = web.ask("generate", puzzle=state(CLASSIC, "classic", ["odd:r1c1"]))
    again = web.ask(
        "generate", puzzle=state("." * 81, "classic", ["odd:r1c1"]), seed=answer["seed"]
    )
    assert answer == again and unique(answer["puzzle"])


@pytest.mark.parametrize(
    "asked",
    [{"seed": -1}, {"seed": 2.5}, {"givens": "24"}, {"kinds": "thermo"}, {"kinds": ["nothing"]},
     {"symmetry": "spiral"}, {"boxes": "axb"}, {"boxes": "30x30"}, {"size": 0}, {"er": [1, 99]}],
)  # fmt: skip
def test_bad_wishes_are_refused(web, asked):
    answer = web.post("generate", **{"seed": 1, **asked})
    assert answer.status == 400 and answer.json()["error"]


def test_minimize(web):
    full = state(SOLVED, "classic", ["odd:r1c1", "even:r1c3"])
    made = web.ask("minimize", puzzle=full, seed=4)
    assert made == web.ask("minimize", puzzle=full, seed=4)
    assert len(made["puzzle"]["clues"]) == 2 and unique(made["puzzle"])
    grid = made["puzzle"]["puzzle"]
    assert made["gone"] == grid.count(".")
    for cell in (c for c in range(81) if grid[c] != "."):
        assert not unique({**made["puzzle"], "puzzle": f"{grid[:cell]}.{grid[cell + 1 :]}"})
    fewer = web.ask("minimize", puzzle=full, seed=4, clues=True)["puzzle"]
    assert unique(fewer) and len(fewer.get("clues", [])) <= 2
    several = web.post("minimize", puzzle=state("." * 81))
    assert several.status == 400 and "expected one solution" in several.json()["error"]


@pytest.mark.parametrize("name", OTHERS)
def test_puzzles_of_other_boards_are_made(web, name):
    rules = other_rules(name)
    empty = str(empty_grid(satdoku.constraints_for(rules).board))
    bare = other(name) | {"puzzle": empty}
    for puzzle in (other(name), bare):
        made = web.ask("fill", puzzle=puzzle, seed=1)["puzzle"]
        assert satdoku.solve(made["puzzle"], rules_of(made)) is not None
        assert "." not in made["puzzle"] and made["rules"] == OTHERS[name][1]
    assert unique(web.ask("generate", puzzle=bare, seed=1)["puzzle"])
    least = web.ask("minimize", puzzle=other(name) | {"puzzle": made["puzzle"]}, seed=1)
    assert unique(least["puzzle"]) and least["gone"] > 0
