"""`satdoku explain`: what is printed and the exit code."""

import json

import pytest
from examples import CLASSIC

import satdoku

CLASH = "5.....5" + "." * 74


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """No machine is too busy for what is asked here without --timeout."""
    monkeypatch.setattr("satdoku.explain.LIMIT", 600.0)


def test_a_contradiction(run):
    words = "r1c1=5 and r1c7=5 clash: row 1 holds 5 once"
    for options in ([], ["--steps"], ["--cell", "r1c2"]):
        assert run("explain", CLASH, *options) == (1, words + "\n", "")
    code, out, _ = run("explain", CLASH, "--json")
    data = json.loads(out)
    assert (code, data["words"], data["puzzle"]) == (1, words, CLASH)
    assert data["conflict"]["smallest"]
    assert data["givens"]["givens"] == [{"cell": "r1c1", "digit": 5}, {"cell": "r1c7", "digit": 5}]


def test_the_next_step_and_all_steps(run):
    first = "r1c4=8: the only place for 8 in box 2 (hidden single)\n"
    assert run("explain", CLASSIC, "--units") == (0, first, "")
    code, out, _ = run("explain", CLASSIC, "--units", "--steps")
    lines = out.splitlines()
    assert (code, len(lines), lines[0]) == (0, 67, "1. " + first.strip())
    code, out, _ = run("explain", CLASSIC, "--units", "--steps", "--json")
    data = json.loads(out)
    assert [step["words"] for step in data["steps"]] == [line.split(". ", 1)[1] for line in lines]


def test_a_cell(run):
    code, out, _ = run("explain", CLASSIC, "--cell", "r1c4")
    assert code == 0
    assert out == (
        "r1c4=8: otherwise box 2 has no place left for 8 (givens: r1c5=1, r2c9=8, r3c1=8 and "
        "r8c6=8; rules used: row 2 (8), row 3 (8), column 6 (8), box 2 (8))\n"
    )
    code, out, _ = run("explain", CLASSIC, "--cell", "r2c2", "--steps")
    assert (code, out.splitlines()[-1]) == (
        0,
        "12. r2c2=3: the only place for 3 in box 1 (hidden single)",
    )
    assert run("explain", CLASSIC, "--cell", "r1c5", "--steps")[0] == 1
    assert run("explain", "12..............", "--cell", "r1c3")[0] == 1
    code, _, err = run("explain", CLASSIC, "--cell", "r0c1")
    assert (code, err) == (2, "satdoku: cell r0c1: expected r1c1 to r9c9\n")


def test_what_is_connected(run, tmp_path):
    """Steps name the cut and values of layers as they are, and pictures colour the cut."""
    rules = "shape=3x3;layer=shade:0-1;connected=1:shade;digits=1:shade.r1c1,shade.r3c3;"
    asked = ("explain", ".........", "--rules", f"{rules}digits=0:shade.r1c3,shade.r2c2")
    code, out, _ = run(*asked, "--steps", "-o", str(tmp_path / "cut.svg"))
    lines = out.splitlines()
    said = "no 0 in shade.r3c1: else shade.r3c3 would be cut off from shade.r1c1"
    at = next(i for i, line in enumerate(lines) if said in line)
    assert (code, lines[at].partition(" ")[2]) == (0, f"{said} (connected 1 in shade)")
    picture = (tmp_path / f"cut-{at + 1:03}.svg").read_text()
    assert picture.count('class="house"') == 1
    code, out, _ = run(*asked, "--cell", "shade.r3c1", "--json")
    (said,) = json.loads(out)["reasons"]["units"][-1:]
    assert (code, said["label"]) == (0, "digits 1 at shade.r3c3") or said["label"].startswith(
        "digits"
    )
    assert json.loads(out)["digits"] == [1]
    code, _, err = run(*asked, "--cell", "shade.r4c1")
    assert (code, err) == (
        2,
        "satdoku: cell 'shade.r4c1': expected row and column, such as r5c3, or of a layer, "
        "such as shade.r3c3\n",
    )


def test_what_leaves_nothing_to_say(run):
    solved = "1234341221434321"
    assert run("explain", solved)[0] == 1
    assert run("explain", solved, "--steps", "--json") == (
        1,
        json.dumps({"puzzle": solved, "rules": "classic", "steps": []}) + "\n",
        "",
    )


def test_a_limit_stops_the_steps(run):
    code, out, err = run("explain", CLASSIC, "--units", "--steps", "--limit", "1e-9")
    assert (code, out) == (1, "")
    assert err == "satdoku: timed out after 1e-09 s (--timeout changes it)\n"
    assert run("explain", CLASSIC, "--limit", "0")[0] == 2


def test_rules_and_regions_are_those_of_the_other_commands(run):
    knight = "...5......5" + "." * 70
    assert run("explain", knight, "--rules", "knight")[:2] == (
        1,
        "r1c4=5 and r2c2=5 clash: knight's move r1c4-r2c2\n",
    )
    jigsaw = run("explain", "1....1..........", "--regions", "1112122233434344")
    assert jigsaw[0] == 0


def test_an_undecided_puzzle_is_exit_1(run):
    code, out, err = run("explain", "." * 256, "-r", "antiqueen,miracle", "--limit", "0.3")
    assert (code, out, err) == (1, "", "satdoku: timed out after 0.3 s (--timeout changes it)\n")


# Pictures -----------------------------------------------------------------------------------------


def test_the_next_step_is_drawn(run, tmp_path):
    out = tmp_path / "step.svg"
    assert run("explain", CLASSIC, "--units", "-o", out) == (
        0,
        "r1c4=8: the only place for 8 in box 2 (hidden single)\n",
        "",
    )
    step = next(satdoku.explain_steps(CLASSIC))
    drawn = satdoku.render_svg(
        CLASSIC,
        candidates=step.candidates,
        highlights=step.highlights,
        solution="." * 81,
        caption=step.words,
    )
    assert out.read_text() == drawn
    assert "conclusion" in drawn


def test_steps_are_drawn_one_by_one_with_what_was_placed_before(run, tmp_path):
    steps = list(satdoku.explain_steps(CLASSIC))
    code, out, _ = run("explain", CLASSIC, "--units", "--steps", "-o", tmp_path / "s.svg")
    assert (code, len(out.splitlines())) == (0, len(steps))
    names = [f"s-{n:03}.svg" for n in range(1, len(steps) + 1)]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    placed = ["."] * 81
    for step in steps[:-1]:
        if step.placed:
            placed[step.placed[0]] = str(step.placed[1])
    last = satdoku.render_svg(
        CLASSIC,
        solution="".join(placed),
        candidates=steps[-1].candidates,
        highlights=steps[-1].highlights,
        caption=steps[-1].words,
    )
    assert (tmp_path / names[-1]).read_text() == last


def test_the_steps_to_a_cell_are_drawn_as_they_stood(run, tmp_path):
    code, out, _ = run(
        "explain", CLASSIC, "--units", "--steps", "--cell", "r2c2", "-o", tmp_path / "s.svg"
    )
    assert code == 0
    assert len(list(tmp_path.iterdir())) == len(out.splitlines()) == 12


def test_conflicts_and_cells_are_drawn(run, tmp_path):
    out = tmp_path / "why.svg"
    assert run("explain", CLASH, "-o", out)[0] == 1
    conflict = satdoku.explain_conflict(CLASH)
    assert out.read_text() == satdoku.render_svg(CLASH, highlights=conflict.highlights)
    assert run("explain", CLASSIC, "--cell", "r1c4", "-o", out)[0] == 0
    house = {9, 10, 11, 12, 13, 14, 15, 16, 17, *range(18, 27), *range(5, 81, 9), 3, 4, 5}
    highlights = {"house": house, "reason": (4, 17, 18, 68), "conclusion": ((3, 8),)}
    assert out.read_text() == satdoku.render_svg(CLASSIC, highlights=highlights)


def test_a_picture_as_text_comes_below_the_words(run):
    code, out, _ = run("explain", CLASSIC, "--units", "-o", "-")
    words, picture = out.split("\n", 1)
    assert (code, words) == (0, "r1c4=8: the only place for 8 in box 2 (hidden single)")
    step = next(satdoku.explain_steps(CLASSIC))
    assert picture.rstrip("\n") == satdoku.render_terminal(CLASSIC, candidates=step.candidates)


def test_what_cannot_be_drawn_is_refused(run, tmp_path):
    path = tmp_path / "two.txt"
    path.write_text(f"{CLASSIC}\n{CLASSIC}\n")
    out = tmp_path / "x.svg"
    code, _, err = run("explain", path, "-o", out)
    assert (code, err) == (2, f"satdoku: -o {out}: expected one puzzle, found a second one\n")
    code, said, err = run("explain", CLASSIC, "--units", "-o", "x.pdf")
    assert (code, said) == (2, "") and "ends in .svg or .png" in err
    assert run("explain", CLASSIC, "--units", "-o", "-", "--json")[:2] == (2, "")
    assert run("explain", path, "-o", "-")[0] == 0
