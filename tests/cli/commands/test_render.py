"""The command `render`, and links of f-puzzles wherever a command takes a puzzle."""

import io
import json
import sys

import pytest
from command_cases import on_a_terminal
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from large_puzzles import UNIQUE

import satdoku
from satdoku import candidates
from satdoku.cli import inputs, main
from satdoku.files.fpuzzles import format_fpuzzles, parse_fpuzzles
from satdoku.model.marks import pencil_marks
from satdoku.render import render_png, render_svg, render_terminal
from satdoku.render.svg import MOST_LINES

MIRACLE = format_fpuzzles("." * 38 + "1" + "." * 12 + "2" + "." * 29, "miracle")
MIRACLE_SOLUTION = (
    "483726159726159483159483726837261594261594837594837261372615948615948372948372615"
)
ROWS = "aaaabbbbccccdddd"
JIGSAW = format_fpuzzles("1" + "." * 15, f"jigsaw={ROWS}")


# Pictures ----------------------------------------------------------------------------------------


def test_a_picture_goes_to_a_file_by_its_ending(run, tmp_path):
    svg, png = tmp_path / "a.svg", tmp_path / "a.PNG"
    assert run("render", CLASSIC, "-o", svg, "--rules", "antiqueen") == (0, "", "")
    assert svg.read_text() == render_svg(CLASSIC, "antiqueen")
    assert run("render", CLASSIC, "-o", svg, "--solve", "--candidates", "true") == (0, "", "")
    assert svg.read_text() == render_svg(CLASSIC, solution=CLASSIC_SOLUTION)
    assert run("render", CLASSIC, "-o", png) == (0, "", "")
    assert png.read_bytes() == render_png(CLASSIC)
    code, out, err = run("render", CLASSIC, "-o", tmp_path / "a.jpg")
    assert (code, out) == (2, "") and "expected .svg or .png" in err


def test_without_a_file_it_is_text(run):
    _, out, _ = run("render", PUZZLES / "classic.txt", "--solve")
    assert out == render_terminal(CLASSIC, solution=CLASSIC_SOLUTION, ascii_only=False) + "\n"
    assert run("solve", "-f", "line", out)[1].strip() == CLASSIC_SOLUTION  # it reads back


def test_a_clash_is_drawn_and_said(run, tmp_path):
    clash, svg = "5.....5" + "." * 74, tmp_path / "a.svg"
    code, _, err = run("render", clash, "-o", svg)
    assert (code, err) == (0, "satdoku: invalid: r1c1=5 and r1c7=5 break the row rule\n")
    assert svg.read_text() == render_svg(clash, highlights={"conflict": [0, 6]})
    code, out, err = run("render", clash, "-o", svg, "--solve")
    assert (code, out, err) == (1, "", "satdoku: invalid: r1c1=5 and r1c7=5 break the row rule\n")
    assert svg.read_text() == render_svg(clash, highlights={"conflict": [0, 6]})
    assert run("render", clash, "--solve")[1] == render_terminal(clash) + "\n"
    code, out, err = run("render", clash, "--candidates", "true")
    assert (code, out) == (1, render_terminal(clash) + "\n") and "break the row rule" in err


def test_a_puzzle_without_a_solution_is_drawn_and_said(run):
    none = "12345678." + "........9" + "." * 63
    for options in (["--solve"], ["--candidates", "true"]):
        code, out, err = run("render", none, *options)
        assert (code, out) == (1, render_terminal(none) + "\n")
        assert err == "satdoku: none: the puzzle has no solution (`satdoku explain` says why)\n"
    assert run("render", none) == (0, render_terminal(none) + "\n", "")


def test_candidates_are_true_or_simple(run):
    few = "12" + "." * 14
    simple = run("render", few, "--candidates", "simple")
    assert simple == (0, render_terminal(few, candidates=pencil_marks(few)) + "\n", "")
    true = run("render", few, "--candidates", "true")
    assert true == (0, render_terminal(few, candidates=candidates(few)) + "\n", "")
    assert true != simple
    code, _, err = run("render", few, "--candidates", "all")
    assert code == 2 and "no candidates 'all': choose from true, simple" in err


def test_candidates_are_drawn_too(run, tmp_path):
    few, svg, png = "12" + "." * 14, tmp_path / "c.svg", tmp_path / "c.png"
    assert run("candidates", few, "-o", svg) == (0, "", "")
    assert svg.read_text() == render_svg(few, candidates=candidates(few))
    code, out, err = run("candidates", few, "-o", png, "--json")
    assert (code, err) == (0, "") and png.read_bytes() == render_png(
        few, candidates=candidates(few)
    )
    true = [sorted(digits) for digits in candidates(few)]
    assert json.loads(out) == {"puzzle": few, "rules": "classic", "candidates": true}
    clash = "11" + "." * 14
    assert run("candidates", clash, "-o", svg)[0] == 1
    assert svg.read_text() == render_svg(clash, highlights={"conflict": [0, 1]})
    assert run("candidates", few, few, "-o", tmp_path / "n-{n}.svg") == (0, "", "")
    assert (tmp_path / "n-2.svg").read_text() == render_svg(few, candidates=candidates(few))
    code, _, err = run("candidates", few, "-o", tmp_path / "c.txt")
    assert code == 2 and "expected .svg or .png" in err


# Several puzzles, one output ---------------------------------------------------------------------


FOUR_LINES = ["1" + "." * 15, ".2" + "." * 14, "..3" + "." * 13, "...4" + "." * 12]


@pytest.mark.parametrize(
    "command",
    [
        ["render"],
        ["candidates"],
        ["export", "-f", "dimacs"],
        ["export", "-f", "smtlib2"],
        ["export", "-f", "fpuzzles"],
    ],
)
def test_several_puzzles_are_never_cut_to_the_first(run, tmp_path, command):
    name = tmp_path / "four.txt"
    name.write_text("\n".join(FOUR_LINES))
    out = tmp_path / "out.svg"
    code, _, err = run(*command, name, "-o", out)
    assert code == 2 and not out.exists()
    assert err == (
        f"satdoku: {name}: holds 4 puzzles, expected one; to write one file each, put {{n}} in the "
        "name of the output: -o out-{n}\n"
    )
    assert run(*command, name, "-o", tmp_path / "out-{n}.svg") == (0, "", "")
    written = {path.name: path.read_bytes() for path in tmp_path.glob("out-*")}
    assert sorted(written) == [f"out-{n}.svg" for n in (1, 2, 3, 4)]
    assert len(set(written.values())) == 4
    for n, line in enumerate(FOUR_LINES, 1):
        assert run(*command, line, "-o", out) == (0, "", "")
        assert out.read_bytes() == written[f"out-{n}.svg"]


@pytest.mark.parametrize("command", [["render"], ["export", "-f", "fpuzzles"]])
def test_a_bad_puzzle_costs_its_own_file_only(run, tmp_path, command):
    name = tmp_path / "four.txt"
    name.write_text("\n".join([*FOUR_LINES[:2], "12x" + "." * 13, FOUR_LINES[3]]))
    code, _, err = run(*command, name, "-o", tmp_path / "out-{n}.svg")
    assert code == 2 and f"{name}: line 3, column 3: found 'x'" in err
    assert sorted(path.name for path in tmp_path.glob("out-*")) == [
        "out-1.svg", "out-2.svg", "out-4.svg",
    ]  # fmt: skip
    code, _, err = run(*command, name, "-o", tmp_path / "all.svg")
    assert code == 2 and not (tmp_path / "all.svg").exists()


def test_more_puzzles_than_are_counted(run, tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "MOST", 3)
    name = tmp_path / "four.txt"
    name.write_text("\n".join(FOUR_LINES))
    assert f"{name}: holds more than 3 puzzles, expected one" in run("render", name)[2]
    for command in (["encodings"], ["decode", "-", "--puzzle"], ["fuzz"]):
        code, _, err = run(*command, name)
        assert (code, err) == (2, f"satdoku: {name}: holds more than 3 puzzles, expected one\n")


def test_an_encoding_is_for_a_cnf_and_a_known_one(run):
    for form in ("smtlib2", "fpuzzles"):
        code, out, err = run("export", "-f", form, "--encoding", "nonsense", CLASSIC)
        assert (code, out) == (2, "") and "no encoding 'nonsense': choose from extended" in err
        code, out, err = run("export", "-f", form, "--encoding", "triads", CLASSIC)
        assert (code, out) == (2, "")
        assert err == (
            f"satdoku: --encoding triads: the format {form} has no encoding; expected -f dimacs "
            "or icnf with it\n"
        )
    assert run("export", "--encoding", "nonsense")[0] == 2
    assert "c satdoku-encoding triads\n" in run("export", "--encoding", "triads", CLASSIC)[1]
    assert "c satdoku-encoding extended\n" in run("export", CLASSIC)[1]


@pytest.mark.parametrize("command", [["solve"], ["render", "--solve"]])
def test_givens_are_bold_on_a_colour_terminal(command, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    wanted = render_terminal(CLASSIC, solution=CLASSIC_SOLUTION, colour=True) + "\n"
    assert on_a_terminal(*command, CLASSIC) == wanted
    plain = on_a_terminal(*command, CLASSIC, NO_COLOR="1")
    assert "\x1b" not in plain and "7 5 2" in plain
    latin = on_a_terminal(*command, CLASSIC, PYTHONIOENCODING="latin-1")
    assert latin.startswith("+-------+-------+-------+\n| 7 5 2 | 8 \x1b[1m1\x1b[0m 9 |")


# Links -------------------------------------------------------------------------------------------


def test_every_command_takes_a_link_with_its_rules(run):
    assert run("solve", MIRACLE) == (0, MIRACLE_SOLUTION + "\n", "")
    assert run("check", MIRACLE, JIGSAW, CLASSIC) == (1, "unique\nmultiple\nunique\n", "")
    assert run("count", JIGSAW) == (0, "144\n", "")  # Latin squares of order 4 by symbol: 576 / 4
    assert run("enumerate", MIRACLE)[1] == MIRACLE_SOLUTION + "\n"
    assert run("propagate", MIRACLE)[0] == 0
    assert run("render", JIGSAW)[1].startswith("┌─────────┐\n│ 1 . . . │\n├─────────┤\n")
    cnf = run("export", MIRACLE)[1]
    assert "c satdoku-rules knight,king,nonconsecutive\n" in cnf
    assert ", rules knight,king,nonconsecutive," in run("export", "-f", "smtlib2", MIRACLE)[1]
    assert run("certify", MIRACLE)[0] == 0
    witnesses = run("crosscheck", MIRACLE, "--witnesses", "cadical153")[1]
    assert witnesses.splitlines()[1].split()[:3] == ["cadical153", "unique", "1"]


def test_links_and_json_come_from_files_too(run, tmp_path, monkeypatch):
    value = {"size": 4, "grid": [[{}] * 4] * 4, "diagonal+": True, "diagonal-": True}
    value["title"] = "A title\nof two lines"
    links, pretty = tmp_path / "links.txt", tmp_path / "puzzle.json"
    links.write_text(f"# links\n{MIRACLE}\n\n{CLASSIC}\n{JIGSAW}\n{json.dumps(value)}\n")
    pretty.write_text(json.dumps(value, indent=2))
    assert run("count", links, pretty) == (0, "1\n1\n144\n48\n48\n", "")
    assert run("count", pretty.read_text()) == (0, "48\n", "")
    stream = io.BytesIO(MIRACLE.encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(stream)))
    assert run("solve", "-") == (0, MIRACLE_SOLUTION + "\n", "")


def test_rules_that_are_asked_for_may_add_but_not_drop(run):
    assert run("check", MIRACLE, "--rules", "miracle,diagonal") == (1, "none\n", "")
    code, out, err = run("check", MIRACLE, "--rules", "knight")
    assert (code, out) == (2, "")
    assert "the puzzle has the rules king, nonconsecutive, 'knight' lacks them" in err
    code, out, err = run("check", JIGSAW, "--regions", "aabbaabbccddccdd")
    assert (code, out) == (2, "") and "found a board of 4x4 with regions" in err
    assert run("count", JIGSAW, "--regions", ROWS)[1] == "144\n"


def test_one_bad_link_does_not_cost_the_others(run, tmp_path):
    bad = json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "rellik": [1], "argyle": [2]})
    name = tmp_path / "links.txt"
    name.write_text(f"{MIRACLE}\n{bad}\n{CLASSIC}\n")
    code, out, err = run("check", name)
    assert (code, out) == (2, "unique\nunique\n")
    assert err.startswith(f"satdoku: {name}: line 2: argyle, rellik constraints are not supp")
    code, out, err = run("export", bad)
    assert (code, out) == (2, "") and "argyle, rellik constraints are not supported" in err


def test_a_batch_solves_each_link_under_its_own_rules(run, tmp_path):
    name = tmp_path / "links.txt"
    name.write_text(f"{format_fpuzzles(CLASSIC)}\n{MIRACLE}\n{CLASSIC}\n")
    solved = [CLASSIC_SOLUTION, MIRACLE_SOLUTION, CLASSIC_SOLUTION]
    out = "".join(f"unique {solution}\n" for solution in solved)
    assert run("batch", "-q", name) == (0, out, "")


def test_a_batch_heeds_rules_in_words_and_pencil_marks(run, tmp_path):
    name, givens = tmp_path / "links.txt", "1" + "." * 15
    one = "1234341221434321"
    unique = marked_link({i: [int(digit)] for i, digit in enumerate(one)})
    two = marked_link({0: [1]}, {0: 2})
    clash = marked_link({0: [1, 2]}, {0: 2, 1: 2})
    lines = [unique, givens, IN_WORDS, two, JIGSAW, clash, marked_link({0: [1, 2]})]
    name.write_text("\n".join(lines))
    code, out, err = run("batch", "-q", name)
    statuses = [line.split()[0] for line in out.splitlines()]
    assert code == 2 and out.startswith(f"unique {one}\n")
    assert statuses == ["unique", "multiple", "invalid", "none", "multiple", "invalid", "multiple"]
    assert err == f"satdoku: {name}: line 3: {WARNING}; {INSTEAD}\n"
    # Neither the chunking nor what stands beside a puzzle changes its answer.
    for line, status in zip(lines, statuses, strict=True):
        name.write_text(f"{line}\n")
        assert run("batch", "-q", name)[1].split()[0] == status
        said = run("check", line)
        assert said[1].strip() == status or (said[0] == 2 and status == "invalid")
    name.write_text("\n".join(lines))
    code, out, err = run("batch", "-q", "--ignore-ruleset", name)
    assert (code, err) == (0, "")
    verdict = run("check", "--ignore-ruleset", IN_WORDS)[1].strip()
    assert [line.split()[0] for line in out.splitlines()] == [*statuses[:2], verdict, *statuses[3:]]
    code, out, err = run("batch", "-q", "--backend", "session", "--limit", "1", "-w", 2, name)
    assert [line.split()[0] for line in out.splitlines()] == [
        "solved", "solved", "invalid", "none", "solved", "invalid", "solved",
    ]  # fmt: skip
    report = tmp_path / "report.json"
    assert run("audit", "-q", "--report", report, name)[0] == 1
    (file,) = json.loads(report.read_text())["files"]
    kinds = {found["kind"]: found["count"] for found in file["findings"]}
    assert (kinds["unstated rules"], kinds["malformed row"]) == (1, 4)  # the four with marks


TRICKY = "Along the line, digits increase from the circle."
IN_WORDS = json.dumps({
    "size": 4, "ruleset": f"Normal sudoku rules apply. {TRICKY}",
    "grid": [[{"value": 1, "given": True}, {}, {}, {}], [{}, {}, {"value": 2, "given": True}, {}],
             [{}, {"value": 3, "given": True}, {}, {}], [{}, {}, {}, {"value": 4, "given": True}]],
    "line": [{"lines": [["R1C1", "R1C2"]]}], "circle": [{"cells": ["R1C1"]}],
})  # fmt: skip
WARNING = f'no constraint states this rule: "{TRICKY}" (drawings not understood: circle, line)'
INSTEAD = "use --ignore-ruleset to go on without it"


def test_rules_in_words_are_a_warning_and_for_a_verdict_an_error(run, tmp_path):
    code, out, err = run("solve", IN_WORDS)
    assert (code, err) == (0, f"satdoku: warning: puzzle: {WARNING}; {INSTEAD}\n")
    assert run("solve", IN_WORDS, "--ignore-ruleset") == (0, out, "")
    name = tmp_path / "links.txt"
    name.write_text(f"{JIGSAW}\n{IN_WORDS}\n{JIGSAW}\n")
    where = f"{name}: line 2: {WARNING}; {INSTEAD}\n"
    assert run("check", name) == (2, "multiple\nmultiple\n", f"satdoku: {where}")
    status = run("check", IN_WORDS, "--ignore-ruleset")[1].strip()
    code, out, err = run("check", name, "--ignore-ruleset")
    assert (code, out, err) == (1, f"multiple\n{status}\nmultiple\n", "")
    code, out, err = run("certify", name)
    assert (code, out.count('"claim":"multiple"'), err) == (2, 2, f"satdoku: {where}")
    assert run("count", name)[2] == run("enumerate", name)[2] == f"satdoku: warning: {where}"
    assert run("render", IN_WORDS)[2] == f"satdoku: warning: puzzle: {WARNING}; {INSTEAD}\n"
    assert run("render", IN_WORDS, "--ignore-ruleset")[2] == ""


def marked_link(cells, givens=()):
    """A link of 4x4 with these digits allowed, by cell, and these givens."""
    grid = [[{} for _ in range(4)] for _ in range(4)]
    for cell, digits in cells.items():
        grid[cell // 4][cell % 4]["givenPencilMarks"] = digits
    for cell, digit in dict(givens).items():
        grid[cell // 4][cell % 4] |= {"value": digit, "given": True}
    return json.dumps({"size": 4, "grid": grid})


def test_pencil_marks_of_a_link_are_heeded(run, four_by_four, tmp_path):
    cells, givens = {0: [1, 2], 5: [3], 10: [4], 15: [1, 4], 1: [2, 4]}, {6: 1}
    fits = {
        "".join(map(str, grid))
        for grid in four_by_four
        if all(grid[i] in digits for i, digits in cells.items()) and grid[6] == 1
    }
    link = marked_link(cells, givens)
    assert 1 < len(fits) < 12
    code, out, _ = run("enumerate", link)
    assert (code, set(out.split())) == (0, fits)
    assert run("check", link)[:2] == (1, "multiple\n")
    assert run("solve", link)[1].strip() in fits
    true = [sorted({int(grid[i]) for grid in fits}) for i in range(16)]
    assert json.loads(run("candidates", "--json", link)[1])["candidates"] == true
    one = min(fits)
    unique = marked_link({i: [int(digit)] for i, digit in enumerate(one)})
    assert run("solve", unique) == (0, f"{one}\n", "")
    name = tmp_path / "links.txt"
    name.write_text(f"{unique}\n{JIGSAW}\n{marked_link({0: [1]}, {0: 2})}\n{link}\n")
    assert run("check", name) == (1, "unique\nmultiple\nnone\nmultiple\n", "")
    for command in ("count", "propagate", "explain", "rate", "certify", "minimize", "export"):
        code, out, err = run(command, link)
        assert (code, out) == (2, "")
        assert "found pencil marks, expected a puzzle without (solve, check, enumerate, c" in err


def test_pencil_marks_of_a_link_are_drawn(run):
    link = marked_link({0: [1, 2], 5: [3]}, {6: 1})
    grid = "......1" + "." * 9
    shown = [frozenset({0: {1, 2}, 5: {3}}.get(cell, ())) for cell in range(16)]
    assert run("render", link) == (0, render_terminal(grid, candidates=shown) + "\n", "")
    every = frozenset({1, 2, 3, 4})
    kept = [digits or every for digits in shown]
    simple = [a & b for a, b in zip(pencil_marks(grid), kept, strict=True)]
    out = run("render", link, "--candidates", "simple")[1]
    assert out == render_terminal(grid, candidates=simple) + "\n"
    out = run("render", link, "--candidates", "true")[1]
    true = json.loads(run("candidates", link, "--json")[1])["candidates"]
    assert out == render_terminal(grid, candidates=true) + "\n"


def test_export_writes_a_link(run, tmp_path):
    code, out, _ = run("export", "-f", "fpuzzles", PUZZLES / "miracle.txt", "--rules", "miracle")
    assert (code, out) == (0, MIRACLE + "\n")
    out = run("export", "-f", "fpuzzles", "--size", 6, "--rules", "king")[1]
    read = parse_fpuzzles(out)
    assert (read.grid.board.size, read.grid.givens, read.rules) == (6, 0, "king")
    name = tmp_path / "link.gz"
    assert run("export", "-f", "fpuzzles", MIRACLE, "-o", name) == (0, "", "")
    assert run("solve", name)[1] == MIRACLE_SOLUTION + "\n"
    code, out, err = run("export", "-f", "fpuzzles", "--rules", "antiqueen")
    assert (code, out) == (2, "") and "f-puzzles has no rule 'antiqueen'" in err


def test_a_large_puzzle_as_text_and_as_a_picture(tmp_path, capsys):
    assert main(["render", f"{UNIQUE}"]) == 0
    assert satdoku.parse_grid(capsys.readouterr().out) == UNIQUE
    assert main(["render", "--solve", f"{UNIQUE}", "-o", f"{tmp_path}/large.svg"]) == 0
    assert (tmp_path / "large.svg").read_text().count(">36</text>") == 36


def test_title_author_and_rules_stand_below_the_grid(run, tmp_path):
    stated = {"format": "satdoku-puzzle", "version": 1, "puzzle": "." * 16, "rules": "king"}
    puzzle = json.dumps(stated | {"title": "<b>T</b>", "author": "A"})
    out = run("render", puzzle, "--about")[1]
    assert out.startswith(run("render", puzzle)[1])
    assert "<b>T</b> by A\nPlace the digits 1 to 4" in out and "touch at a corner" in out
    picture = tmp_path / "p.svg"
    assert run("render", puzzle, "--about", "-o", picture) == (0, "", "")
    svg = picture.read_text()
    assert "&lt;b&gt;T&lt;/b&gt; by A</text>" in svg
    assert svg.count("touch at a corner") == 1  # and not in a legend again
    own = json.dumps(stated | {"words": "One.\n\nTwo.\x1b"})
    assert run("render", own, "--about")[1].endswith("One.\nTwo.\\x1b\n")
    endless = json.dumps(stated | {"words": "line\n" * 500})
    assert run("render", endless, "--about", "-o", picture) == (0, "", "")
    assert picture.read_text().count(">line</text>") == MOST_LINES
