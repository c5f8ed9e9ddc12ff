"""Steps, why, symmetry."""

import re
import time

import pytest
from web_client import CLASSIC, OTHERS, SOLVED, other, other_rules, state, yin_yang

import satdoku
from satdoku.web import study

CHAINS = ".....146.47.......6......8...6.5...3.1.43....39....24882.6.........2...7..75....."


def test_the_next_step_and_all_steps(web):
    first, end = web.lines("steps", puzzle=state(CLASSIC))
    step = first["step"]
    assert step["text"] == "r1c4=8: hidden single (1.2), the only place for 8 in box 2"
    assert step["placed"] == [[3, 8]] and step["house"] == [3, 4, 5, 12, 13, 14, 21, 22, 23]
    assert (end["solved"], end["done"], end["rating"]["er"]) == (False, True, 2.8)
    *lines, end = web.lines("steps", puzzle=state(CLASSIC), all=True)
    steps = [line["step"] for line in lines]
    assert [s["text"] for s in steps] == [
        step.words for step in satdoku.explain_steps(CLASSIC, named=True)
    ]
    cells = list(CLASSIC)
    for step in steps:
        for cell, digit in step["placed"]:
            cells[cell] = str(digit)
        for cell, digit in step["eliminated"]:
            assert digit in step["marks"][cell] and SOLVED[cell] != str(digit)
    assert "".join(cells) == SOLVED and end["solved"]
    assert end["rating"]["text"] == "2.8 (EP 1.2, ED 1.2): claiming"


def test_steps_go_on_behind_those_known(web):
    wanted = [step.words for step in satdoku.explain_steps(CHAINS, named=True)]
    for number in (0, 1, 2, len(wanted) - 1):
        line, end = web.lines("steps", puzzle=state(CHAINS), after=number)
        assert line["step"]["text"] == wanted[number] and not end["short"]
        assert (end["rating"] is None) == (number > 0)  # it is known by then
        assert end["solved"] == (number + 1 == len(wanted))
    (end,) = web.lines("steps", puzzle=state(CHAINS), after=len(wanted))
    assert end["solved"]
    *lines, end = web.lines("steps", puzzle=state(CHAINS), after=3, all=True)
    assert [line["step"]["text"] for line in lines] == wanted[3:] and end["rating"]["er"] > 2
    (end,) = web.lines("steps", puzzle=state("1" + "." * 15), after=0)
    assert end["short"] and not end["solved"]
    assert web.post("steps", puzzle=state(CHAINS), after=-1).status == 400


def test_a_chain_is_drawn_as_links_between_candidates(web):
    *lines, _ = web.lines("steps", puzzle=state(CHAINS), all=True)
    chains = [line["step"] for line in lines if line["step"]["links"]]
    assert chains
    for step in chains:
        for start, end, holds, name in step["links"]:
            assert name in step["notes"].split()  # the notes number the arrows
            assert start[1] in step["marks"][start[0]] and end[1] in step["marks"][end[0]]
            assert holds in (True, False)


def test_beside_its_notes_a_chain_is_not_told_again(web):
    """Each consequence stands once in what the page shows: in the sentence or in the notes."""
    *lines, _ = web.lines("steps", puzzle=state(CHAINS), all=True)
    chains = [line["step"] for line in lines if line["step"]["links"]]
    for step in chains:
        shown = f"{step['brief']} {step['notes']}".replace("\xa0", " ")
        tokens = re.findall(r"r\dc\d[=≠]\d \([^)]*\)", shown)
        assert tokens and len(tokens) == len({*tokens})
    plain = [line["step"] for line in lines if not line["step"]["links"]]
    assert all(step["brief"] == step["text"] for step in plain) and plain


def test_a_variant_is_rated_on_our_scale(web):
    puzzle = state(
        "." * 16,
        None,
        [
            "difference=1:r3c1,r4c1",
            "thermo:r2c2,r1c2,r1c1",
            "thermo:r2c4,r2c3",
            "thermo:r3c4,r3c3,r4c3",
        ],
    )
    *lines, end = web.lines("steps", puzzle=puzzle, all=True)
    assert end["solved"] and end["rating"]["scale"] == "satdoku"
    assert all(line["step"]["units"] for line in lines)


def test_a_puzzle_without_solution_has_no_steps(web):
    answer = web.post("steps", puzzle=state("55" + "." * 79))
    assert answer.status == 400
    assert "no solution" in answer.json()["error"]


@pytest.mark.parametrize(
    ("cell", "digit", "possible", "words"),
    [
        (3, 1, False, "not r1c4=1: r1c4=1 and r1c5=1 clash: row 1 holds 1 once"),
        (4, 1, True, "r1c5=1: given"),
        (4, 7, False, "r1c5=7 is not possible: 1 is given"),
        (3, 8, True, "r1c4=8: otherwise"),
    ],
)
def test_why(web, cell, digit, possible, words):
    found = web.ask("why", puzzle=state(CLASSIC), cell=cell, digit=digit)
    assert found["text"].startswith(words) and found["possible"] is possible
    assert found["cells"]


def test_why_names_the_step_where_a_set_of_reasons_would_be_too_large(web):
    found = web.ask("why", puzzle=state(CLASSIC), cell=0, digit=5)
    assert found["text"].startswith("not r1c1=5: step ")
    step = found["step"]
    assert [0, 5] in step["eliminated"] or step["placed"] == [[0, int(SOLVED[0])]]


def test_why_of_what_is_possible(web):
    found = web.ask("why", puzzle=state("1..............."), cell=1, digit=2)
    assert found["text"] == "r1c2=2 is possible: 2, 3 and 4 occur there in solutions"


@pytest.mark.parametrize("asked", [{}, {"cell": 81, "digit": 1}, {"cell": 0, "digit": "5"}])
def test_why_needs_a_cell_and_a_digit(web, asked):
    assert web.post("why", puzzle=state(CLASSIC), **asked).status == 400


@pytest.mark.parametrize(
    ("puzzle", "clues", "names"),
    [
        ("1..............2", [], {"rot180", "diagonal", "antidiagonal"}),
        ("12..............", [], set()),
        ("1..2........3..4", [], {"rot180", "rot90", "mirror", "flip", "diagonal", "antidiagonal"}),
        ("." * 16, ["thermo:r1c1,r1c2", "thermo:r4c4,r4c3"], {"rot180"}),
        ("." * 16, ["thermo:r1c1,r1c2", "odd:r4c4"], set()),
    ],
)
def test_symmetry_of_the_pattern(web, puzzle, clues, names):
    found = web.ask("symmetry", puzzle=state(puzzle, None, clues))
    assert set(found["names"]) == names
    assert ("no symmetry" in found["text"]) == (not names)


@pytest.mark.parametrize("name", OTHERS)
def test_why_on_other_boards(web, name):
    solved = satdoku.solve(OTHERS[name][0], other_rules(name))
    board = solved.board
    cell = list(satdoku.parse_grid(OTHERS[name][0], board)).index(0)
    right, many = solved[cell], len(board.digits)
    found = web.ask("why", puzzle=other(name), cell=cell, digit=right)
    assert found["possible"] and re.search(r": (otherwise|step \d+ of the)", found["text"])
    found = web.ask("why", puzzle=other(name), cell=cell, digit=right % many + 1)
    assert not found["possible"] and found["text"].startswith(f"not {board.name_of(cell)}=")


@pytest.mark.parametrize("name", OTHERS)
def test_steps_on_other_boards(web, name):
    """They lead to the solution, in the words of `explain_steps`, and are rated on our scale."""
    puzzle, rules = OTHERS[name][0], other_rules(name)
    *lines, end = web.lines("steps", puzzle=other(name), all=True)
    steps = [line["step"] for line in lines]
    made = list(satdoku.explain_steps(puzzle, rules, named=True))
    assert [step["text"] for step in steps] == [step.words for step in made]
    solved = satdoku.solve(puzzle, rules)
    board = solved.board
    cells = list(satdoku.parse_grid(puzzle, board))
    for step in steps:
        assert len(step["marks"]) == board.cells
        for cell, digit in step["placed"]:
            assert cells[cell] == 0 and digit in step["marks"][cell]
            cells[cell] = digit
        for cell, digit in step["eliminated"]:
            assert digit in step["marks"][cell]
    assert bytes(cells[: board.grid_cells]) == solved.cells[: board.grid_cells]
    assert end["solved"]  # though `shaded` has several ways to shade
    rating = end["rating"]
    assert rating["text"] == satdoku.rate(puzzle, rules).words and rating["complete"]
    assert rating["scale"] == "satdoku"


def test_a_step_in_a_layer_alone(web):
    """A yin-yang: what is placed and struck are cells of the layer, after those of the grids."""
    *lines, end = web.lines("steps", puzzle=yin_yang(), all=True)
    steps = [line["step"] for line in lines]
    placed = {cell for step in steps for cell, _ in step["placed"]}
    assert placed and min(placed) >= 16 and not end["solved"]
    alone = (step for step in steps if step["technique"] == "clue alone")
    step = next(step for step in alone if step["house"] != [20])
    text = "shade.r1c1, shade.r1c2 and shade.r2c2 must be 1: "
    text += "no 0 in shade.r1c1, shade.r1c2 and shade.r2c2"
    assert step["text"] == text and step["eliminated"] == [[16, 1], [17, 1], [21, 1]]


def test_why_of_a_value_of_a_layer(web):
    found = web.ask("why", puzzle=other("chaos"), cell=16, digit=2)
    assert not found["possible"] and found["text"].startswith("not area.r1c1=2: ")
    assert found["clues"] == ["chaos:area", "digits=3:area.r2c1,area.r4c1"] and found["units"]
    found = web.ask("why", puzzle=yin_yang(), cell=24, digit=1)  # shade.r3c1 holds 0
    assert found["possible"] and "connected=0:shade" in found["clues"]


def test_why_without_the_time_to_explain(monkeypatch):
    asked = {"puzzle": other("chaos"), "cell": 0, "digit": 1}
    monkeypatch.setattr(study, "BRIEF_SECONDS", 0.0)
    (found,) = study.why(asked)
    assert found["possible"] and found["text"].startswith("r1c1=1: step ")


@pytest.mark.parametrize(
    ("rules", "clues", "puzzle", "names"),
    [
        ("shape=2x4", [], "1......1", ["rot180"]),
        ("shape=4x4;holes:r1c1,r4c4", [], "." * 14, ["rot180", "diagonal", "antidiagonal"]),
        ("shape=4x4;layer=s:0-1", ["digits=1:s.r1c1,s.r4c1"], "." * 16, ["flip"]),
    ],
)
def test_symmetry_of_other_boards(web, rules, clues, puzzle, names):
    found = web.ask("symmetry", puzzle=state(puzzle, rules, clues, version=2))
    assert found["names"] == names


def test_possible_digits(web):
    puzzle = state("1" + "." * 15)
    found = web.ask("possible", puzzle=puzzle, tried=[0, 2] + [0] * 14)
    assert found == {"possible": True, "left": 14, "wrong": []}
    assert not web.ask("possible", puzzle=puzzle, tried=[0, 1] + [0] * 14)["possible"]
    shaded = [0] * 16 + [0] * 4 + [2] + [0] * 11
    assert web.ask("possible", puzzle=other("shaded"), tried=shaded)["left"] == 13
    shaded[17] = 2  # a clue says 0
    assert not web.ask("possible", puzzle=other("shaded"), tried=shaded)["possible"]
    for wrong in (None, [0] * 15, [5] + [0] * 15, ["1"] + [0] * 15):
        answer = web.post("possible", puzzle=puzzle, tried=wrong)
        assert "tried: expected a list of 16 digits" in answer.json()["error"]


def test_hints_tell_where_to_look_then_the_technique(web):
    first, _ = web.lines("steps", puzzle=state(CLASSIC))
    where, technique = first["step"]["hints"]
    assert where["text"] == "look at box 2"
    assert technique["text"] == "hidden single: look at box 2"
    assert where["house"] == technique["house"] == [3, 4, 5, 12, 13, 14, 21, 22, 23]


def test_where_no_technique_finds_a_step_the_smallest_contradiction_may(web):
    """Two cells differ by 1: that alone places nothing, and there are many solutions."""
    puzzle = state("." * 16, None, ["difference=1:r3c1,r4c1"])
    end = web.all("steps", puzzle=puzzle)
    assert "step" not in end and end["short"] and not end["solved"]
    end = web.all("steps", puzzle=puzzle, beyond=True)
    assert "step" not in end and not end["short"]
    assert not web.all("steps", puzzle=state(CLASSIC), all=True)["short"]


def test_a_step_takes_no_longer_than_a_press(web):
    """Warm, the next step of a variant comes well before a person sees that it took time."""
    puzzle = state(
        "." * 81, None, ["cage=14:r9c1,r9c2", "thermo:r1c1,r1c2,r2c2", "arrow:r5c5>r5c6,r5c7"]
    )
    web.lines("steps", puzzle=puzzle)
    took = []
    for _ in range(5):
        begin = time.perf_counter()
        assert web.lines("steps", puzzle=puzzle)[0]["step"]
        took.append(time.perf_counter() - begin)
    assert min(took) < 0.1
