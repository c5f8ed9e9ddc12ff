"""The command `render`, and links of f-puzzles wherever a command takes a puzzle."""

import io
import json
import os
import pty
import subprocess
import sys

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES

from satdoku.files.fpuzzles import format_fpuzzles, parse_fpuzzles
from satdoku.model.marks import pencil_marks
from satdoku.render import render_png, render_svg, render_terminal

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
    assert run("render", CLASSIC, "-o", svg, "--solve", "--candidates") == (0, "", "")
    assert svg.read_text() == render_svg(CLASSIC, solution=CLASSIC_SOLUTION)
    assert run("render", CLASSIC, "-o", svg, "--candidates") == (0, "", "")
    assert svg.read_text() == render_svg(CLASSIC, candidates=pencil_marks(CLASSIC))
    assert run("render", CLASSIC, "-o", png) == (0, "", "")
    assert png.read_bytes() == render_png(CLASSIC)
    code, out, err = run("render", CLASSIC, "-o", tmp_path / "a.jpg")
    assert (code, out) == (2, "") and "expected a name that ends in .svg or .png" in err


def test_without_a_file_it_is_text(run):
    _, out, _ = run("render", PUZZLES / "classic.txt", "--solve")
    assert out == render_terminal(CLASSIC, solution=CLASSIC_SOLUTION, ascii_only=False) + "\n"
    assert run("solve", "-f", "line", out)[1].strip() == CLASSIC_SOLUTION  # it reads back


def test_a_clash_is_drawn_and_said(run, tmp_path):
    clash, svg = "5.....5" + "." * 74, tmp_path / "a.svg"
    code, _, err = run("render", clash, "-o", svg)
    assert (code, err) == (0, "satdoku: invalid: r1c1=5 and r1c7=5 break the row rule\n")
    assert svg.read_text() == render_svg(clash, highlights={"conflict": [0, 6]})
    assert run("render", clash, "--solve")[:2] == (1, "invalid\n")
    assert run("render", "12345678." + "........9" + "." * 63, "--solve")[:2] == (1, "none\n")


def on_a_terminal(*arguments, **environment):
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **environment}
    process = subprocess.Popen(
        [sys.executable, "-m", "satdoku", *arguments], stdout=theirs, env=env
    )
    os.close(theirs)
    text = b""
    try:
        while block := os.read(ours, 1 << 16):
            text += block
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    return text.decode().replace("\r\n", "\n")


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
    bad = json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "thermometer": [1], "odd": [2]})
    name = tmp_path / "links.txt"
    name.write_text(f"{MIRACLE}\n{bad}\n{CLASSIC}\n")
    code, out, err = run("check", name)
    assert (code, out) == (2, "unique\nunique\n")
    assert err.startswith(f"satdoku: {name}: line 2: odd, thermometer constraints are not supp")
    code, out, err = run("export", bad)
    assert (code, out) == (2, "") and "odd, thermometer constraints are not supported" in err


def test_a_batch_has_one_rule_set_and_says_so(run, tmp_path):
    name = tmp_path / "links.txt"
    name.write_text(f"{format_fpuzzles(CLASSIC)}\n{MIRACLE}\n")
    code, out, _ = run("batch", "-q", name)
    assert (code, out.split("\n")[0]) == (2, f"unique {CLASSIC_SOLUTION}")
    assert "found a link with knight,king,nonconsecutive, expected a classic puzzle" in out


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
