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
        told = "satdoku: --cell has no effect here\n" * ("--cell" in options)
        assert run("explain", CLASH, *options) == (1, words + "\n", told)
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
    assert (code, said) == (2, "") and "expected .jsonl, .svg or .png" in err
    assert run("explain", CLASSIC, "--units", "-o", "-", "--json")[:2] == (2, "")
    assert run("explain", path, "-o", "-")[0] == 0


PAIRS = "73.....29..591...7...7..1..36..4.7.184...6..5...382.....3.5..7..1....4.8..8.94.1."


def test_traces_of_a_typed_puzzle_and_of_a_file(run, tmp_path):
    (trace,) = satdoku.explain_batch(PAIRS, tracing=satdoku.Tracing(compact=True))
    code, out, err = run("explain", PAIRS, "--steps", "-f", "jsonl", "--compact")
    assert (code, json.loads(out), err) == (0, trace, "")
    path, made = tmp_path / "in.txt", tmp_path / "out.jsonl"
    path.write_text(f"{PAIRS}\nwhat\n{'.' * 81}\n")
    code, out, err = run("explain", str(path), "--steps", "--by-step", "--compact", "-o", str(made))
    rows = [json.loads(line) for line in made.read_text().splitlines()]
    assert code == 2 and "line 2" in err and out == ""
    assert [row.get("step") for row in rows] == [*range(1, len(trace["steps"]) + 1), None, None]
    assert rows[0]["technique"] == trace["steps"][0]["technique"]
    assert (rows[-2]["status"], rows[-1]["status"]) == ("invalid", "multiple")
    path.write_text(f"{'.' * 81}\n")
    assert run("explain", str(path), "--steps", "-f", "jsonl", "-q")[0] == 1
    code, out, _ = run("explain", PAIRS, "--steps", "--units", "-f", "jsonl")
    first = next(satdoku.explain_steps(PAIRS)).words
    assert json.loads(out)["steps"][0]["words"] == first


def test_traces_with_verify_workers_and_a_journal(run, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{PAIRS}\n" * 3)
    ends = [["--verify"], ["-w", "2"], ["--resume"]]
    for number, end in enumerate(ends):
        made = tmp_path / f"{number}.jsonl"
        assert run("explain", str(path), "--steps", "-q", "-o", str(made), *end) == (0, "", "")
    texts = {(tmp_path / f"{number}.jsonl").read_text() for number in range(len(ends))}
    assert len(texts) == 1 and not list(tmp_path.glob("*.journal"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--compact"], "--compact is for traces: add --steps -f jsonl"),
        (["--steps", "--by-step"], "--by-step is for traces: add --steps -f jsonl"),
        (["-f", "jsonl"], "-f jsonl needs --steps, without --cell and --judge"),
        (["--steps", "-f", "jsonl", "--cell", "r1c3"], "-f jsonl needs --steps, without --cell"),
        (["--steps", "-f", "jsonl", "--json"], "--json cannot be combined with -f jsonl"),
        (["--steps", "-f", "jsonl", "-o", "x.svg"], "-f jsonl -o x.svg: expected no picture"),
        (["--steps", "-f", "jsonl", "--resume"], "--resume needs an output file: add -o OUT"),
        (["--steps", "--resume", "-o", "x.jsonl"], "--resume is for files of puzzles"),
        (["--judge", "r1c3=4", "--steps"], "--judge stands alone"),
        (["--judge", "r1c3"], "claim 'r1c3': expected a cell and a digit"),
    ],
)
def test_options_that_do_not_go_together(run, options, message):
    code, out, err = run("explain", PAIRS, *options)
    assert (code, out) == (2, "") and message in err


def test_a_judge(run):
    found = satdoku.judge_step(PAIRS, "r1c4=4")
    digit = str(satdoku.solve(PAIRS))[3]
    code, out, err = run("explain", PAIRS, "--judge", f"r1c4={digit}")
    right = satdoku.judge_step(PAIRS, f"r1c4={digit}")
    assert (code, out, err) == (int(right.verdict != "forced"), f"{right.words}\n", "")
    code, out, _ = run("explain", PAIRS, "--judge", "r1c1=7")
    assert (code, out) == (0, "r1c1=7: known; the state has it already\n")
    code, out, _ = run("explain", PAIRS, "--judge", "r1c4=4", "--json")
    data = json.loads(out)
    assert (data["verdict"], data["puzzle"]) == (found.verdict, PAIRS)
    assert run("explain", PAIRS, "--judge", "r1c3=7")[0] == 1


def test_a_judge_takes_the_candidates_left_as_marks(run):
    step = next(s for s in satdoku.explain_steps(PAIRS, named=True) if s.technique == "naked pair")
    cell, digit = step.eliminated[0]
    left = [{d} if d else some for d, some in zip(step.solved, step.candidates, strict=True)]
    marks = "".join(str(d) if d in some else "." for some in left for d in range(1, 10))
    claim = f"r{cell // 9 + 1}c{cell % 9 + 1}!={digit}"
    code, out, _ = run("explain", marks, "--judge", claim)
    assert code == 0 and "forced now" in out and "naked pair (3.0)" in out


def test_json_may_be_asked_as_a_format(run):
    assert run("explain", PAIRS, "--steps", "-f", "json") == run(
        "explain", PAIRS, "--steps", "--json"
    )


def test_verify_proves_each_step_that_is_told(run, monkeypatch):
    proved = []
    monkeypatch.setattr("satdoku.explain.named.check", lambda *step: proved.append(step))
    plain = run("explain", PAIRS, "--steps")
    assert not proved
    assert run("explain", PAIRS, "--steps", "--verify") == plain
    assert len(proved) == len(plain[1].splitlines())


CAGES = "cage=14:r9c1,r9c2;cage=3:r1c1,r1c2"


def test_a_hint_in_three_strengths(run, tmp_path):
    empty, where = "." * 81, "look at 14 cage r9c1-r9c2"
    words = [where, f"clue alone: {where}"]
    step = next(satdoku.explain_steps(empty, CAGES, named=True))
    for strength, said in enumerate([*words, step.words], 1):
        found = run("explain", empty, "--rules", CAGES, "--hint", str(strength))
        assert found == (0, f"{said}\n", "")
    assert run("explain", CLASSIC, "--hint", "1") == (0, "look at box 2\n", "")
    _, out, _ = run("explain", CLASSIC, "--hint", "1", "--json")
    data = json.loads(out)
    assert (data["hint"], data["words"]) == (1, "look at box 2") and "step" not in data
    _, out, _ = run("explain", CLASSIC, "--hint", "3", "--json")
    assert json.loads(out)["step"]["placed"] == {"cell": "r1c4", "digit": 8}


def test_a_hint_is_drawn_without_what_it_does_not_tell(run, tmp_path):
    drawn = []
    for strength in "13":
        run("explain", CLASSIC, "--hint", strength, "-o", str(tmp_path / "hint.svg"))
        drawn.append((tmp_path / "hint.svg").read_text())
    where, whole = drawn
    assert "look at box 2" in where and 'class="conclusion mark"' not in where
    assert 'class="conclusion mark"' in whole


@pytest.mark.parametrize("more", [["--steps"], ["--cell", "r1c1"]])
def test_a_hint_is_about_the_next_step(run, more):
    code, _, said = run("explain", CLASSIC, "--hint", "1", *more)
    assert (code, "--hint is about the next step" in said) == (2, True)
