"""A puzzle on several lines, from a file, from standard input and as an argument, to each command.

It is the same one puzzle everywhere, or it is refused: it never becomes several in silence.
"""

import csv
import io
import json

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.files.fpuzzles import format_fpuzzles
from satdoku.files.fpuzzles.links import load
from satdoku.files.iss import format_iss
from satdoku.files.puzzle_json import format_puzzle_json
from satdoku.model.grid import format_pretty, parse_grid
from satdoku.render.terminal import render_terminal

SIX = ".Shape~6x6.~R1C1_1.Thermo~R1C1~R1C2~R1C3.Cage~7~R2C1~R2C2"
OR = ".Shape~4x4.Or.~R1C1_1.~R2C2_1.End.~R3C3_1"
KING = format_iss(CLASSIC, "king;cage=15:r1c1,r1c2")
CLUES = "thermo:r1c1,r1c2"
PENCILMARK = {
    "format": "sudoku-puzzle", "format_version": 1, "board": {"rows": 9, "cols": 9}, "digits": 9,
    "givens": [*parse_grid(CLASSIC)],
    "rules": [{"type": "box_grid", "origin": "r1c1", "box": [3, 3]}],
}  # fmt: skip
LINK = format_fpuzzles(CLASSIC, CLUES)


def cut(text, width):
    return "\n".join(text[i : i + width] for i in range(0, len(text), width))


def marks(grid):
    """729 characters, one a candidate."""
    return "".join(str(d) if c in (".", str(d)) else "." for c in grid for d in range(1, 10))


def pretty(text, indent=2):
    return json.dumps(json.loads(text) if isinstance(text, str) else text, indent=indent)


def quoted(text):
    stream = io.StringIO()
    csv.writer(stream).writerows([("id", "puzzle"), ("1", text)])
    return stream.getvalue()


READ = {
    "iss": SIX.replace(".", "\n.").strip(),
    "iss, an empty line between": SIX.replace(".", "\n\n.").strip(),
    "iss, comments": "# title\n" + SIX.replace(".", "\n# next\n.").strip(),
    "iss, an argument a line": SIX.replace("~", "\n~"),
    "iss, two dots": SIX.replace(".", "\n..").strip(),
    "iss, blanks": SIX.replace(".", " . "),
    "iss, flags": ".AntiKnight .AntiKing\n.~R1C1_1",
    "iss, alternatives": OR.replace(".", "\n.").strip(),
    "iss, 9x9": KING.replace(".", "\n.").strip(),
    "own json": pretty(format_puzzle_json(CLASSIC, CLUES)),
    "f-puzzles json": pretty(load(LINK)),
    "f-puzzles json, flush": pretty(load(LINK), 0),
    "pencilmark json": pretty(PENCILMARK),
    "json with usual keys": pretty({"puzzle": CLASSIC, "rules": "king"}),
    "json with a list of rows": pretty({"puzzle": [[int(c.replace(".", "0")) for c in row]
                                                   for row in cut(CLASSIC, 9).split()]}),
    "rows": cut(CLASSIC, 9),
    "rows, commented": "# title\n" + cut(CLASSIC, 9),
    "rows of 4": cut("1" + "." * 15, 4),
    "rows of 16": cut("G" + "." * 255, 16),
    "boxes of | and -": format_pretty(parse_grid(CLASSIC)),
    "boxes as a terminal draws them": render_terminal(parse_grid(CLASSIC), colour=False),
    "marks, a row a line": cut(marks(CLASSIC), 81),
    "marks, a cell a line": cut(marks(CLASSIC), 9),
    "quoted iss": quoted(SIX.replace(".", "\n.")),
    "quoted rows": quoted(cut(CLASSIC, 9)),
    "sections": f"[Puzzle]\n{cut(CLASSIC, 9)}\n[State]\n{cut(CLASSIC_SOLUTION, 9)}",
}  # fmt: skip
REFUSED = {
    "iss that may be a list": ".AntiKnight.AntiKing\n.~R1C1_1~R1C4_2",
    "rows of 16 that may be a list of 4x4": cut("1" + "." * 255, 16),
    "marks that may be a list": cut(marks(CLASSIC_SOLUTION), 81),
    "marks that may be grids of rows": cut(marks(CLASSIC_SOLUTION), 9),
    "rows, bands apart": "\n\n".join(cut(band, 9) for band in cut(CLASSIC, 27).split()),
    "three rows a line": cut(CLASSIC, 27),
    "marks, three boxes a line": cut(marks(CLASSIC), 27),
    "marks of 4x4": cut("12341.341234.234" * 4, 16),
    "a link cut by a mailer": cut(LINK, 76),
    "a payload cut by a mailer": cut(LINK.partition("load=")[2], 76),
    "a killer layout": "\n".join(["3x3::k:", *["2304:2304:2305:2305:"] * 20, "2306:"]),
    "a killer layout of arrows": cut(("9<" * 41)[:81], 9),
}
COMMANDS = {
    "solve": ("--json",), "check": ("--json",), "count": ("--limit", "2", "--json"),
    "export": ("-f", "json"), "batch": ("-q", "-f", "jsonl"),
}  # fmt: skip


@pytest.fixture
def ask(run, file, stdin):
    """The answers of a command to a text, as objects without place and time; None if refused."""

    def call(command, text, how, *options):
        stdin(text)
        path = file(text) if how == "file" else "-" if how == "stdin" else text
        code, out, err = run(command, path, *COMMANDS[command], *options)
        if code == 2:
            assert err.startswith("satdoku: ")
            return None
        answers = [json.loads(line) for line in out.splitlines()]
        return [{k: v for k, v in answer.items() if k not in ("file", "line", "solution", "id")}
                for answer in answers]  # fmt: skip

    return call


@pytest.mark.covering
@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("command", COMMANDS)
def test_one_puzzle_however_it_comes(ask, name, command):
    from_file = ask(command, READ[name], "file")
    assert from_file is not None and len(from_file) == 1
    for text in (READ[name] + "\n", READ[name].replace("\n", "\r\n")):
        assert ask(command, text, "stdin") == from_file
    if command != "batch" and "quoted" not in name and name != "sections":
        assert ask(command, READ[name], "argument") == from_file
    if "quoted" not in name and name != "sections":
        assert ask(command, READ[name], "file", "--input-format", "whole") == from_file


@pytest.mark.covering
@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("command", COMMANDS)
def test_one_puzzle_or_none(ask, name, command):
    assert ask(command, REFUSED[name], "file") is None
    assert ask(command, REFUSED[name], "stdin") is None
    if command != "batch":  # the argument of one puzzle is one
        assert len(ask(command, REFUSED[name], "argument") or "1") == 1


@pytest.mark.parametrize("size", [4, 6, 8, 9])
@pytest.mark.parametrize("in_rows", [False, True])
def test_an_argument_of_several_grids_is_refused(ask, size, in_rows):
    """Four of 9x9 have as many cells as one of 18x18."""
    grid = "1" + "." * (size * size - 1)
    for gap in ("\n", "\n\n"):
        text = gap.join([cut(grid, size) if in_rows else grid] * 4)
        assert ask("check", text, "argument") is None
        assert len(ask("check", text, "file")) == 4


def test_a_heading_within_a_field_ends_nothing(run, file):
    rows = [("id", "puzzle", "note"), ("1", CLASSIC, "a\n[Solution]\nb"), ("2", CLASSIC, "")]
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    assert run("check", file(stream.getvalue(), "a.csv")) == (0, "unique\nunique\n", "")


def test_what_is_kept_of_marks_on_several_lines_is_the_marks(run, file):
    path = file(cut(marks(CLASSIC), 81))
    code, out, _ = run("batch", path, "-q", "-f", "csv", "--keep", "all")
    assert code == 0 and [row["puzzle"] for row in csv.DictReader(io.StringIO(out))] == [
        marks(CLASSIC)
    ]


def test_a_text_that_is_too_long_to_be_one_puzzle_is_refused(run, file):
    code, out, err = run("check", file("." * 2_000_000), "--input-format", "whole")
    assert (code, out) == (2, "")
    assert err.endswith("found a text of 2000000 characters, expected a puzzle within 65536\n")
