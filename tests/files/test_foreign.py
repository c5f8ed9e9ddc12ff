"""Each format of other programs is told by its texts, and read by its own module."""

from inspect import signature

import pytest
from examples import CLASSIC

import satdoku
from satdoku.files import drawn, fpuzzles, iss, killer, pencilmark, puzzle_json, sudokubench
from satdoku.files.foreign import FORMATS, WRITTEN, is_foreign, parse_foreign
from satdoku.files.one import parse_puzzle
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.model.puzzle import Puzzle

KILLER = "3x3::k:" + ":".join(["769", "769", *["0"] * 79])
KNIGHT = Puzzle(parse_grid(CLASSIC), constraints_for("knight"), title="T")
JIGSAW = "AAABABBBCCCDCDDD"
TEXTS = {
    drawn: ("parse_drawn", f"1...............{JIGSAW}"),
    killer: ("parse_killer", KILLER),
    iss: ("parse_iss", ".AntiKnight.~R1C1_5"),
    puzzle_json: ("parse_puzzle_json", WRITTEN["json"].write(KNIGHT)),
    pencilmark: ("parse_pencilmark", '{"format": "sudoku-puzzle"}'),
    sudokubench: ("parse_sudokubench", '{"initial_board": "", "rules": ""}'),
    fpuzzles: ("parse_fpuzzles", WRITTEN["fpuzzles"].write(KNIGHT)),
}


@pytest.mark.parametrize("module", TEXTS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_a_text_goes_to_the_reader_of_its_format_alone(module, monkeypatch):
    asked = []
    for other, (name, _) in TEXTS.items():
        monkeypatch.setattr(
            other, name, lambda *arguments, name=name: asked.append((name, arguments))
        )
    name, text = TEXTS[module]
    assert is_foreign(text)
    parse_foreign(text, "classic", None)
    assert asked == [(name, (text, "classic", None))]


def test_every_format_has_a_reader_or_a_writer_of_its_module():
    assert {form.parse for form in FORMATS.values() if form.parse} == {n for n, _ in TEXTS.values()}
    for module, (name, _) in TEXTS.items():
        parameters = signature(getattr(module, name)).parameters
        assert list(parameters) == ["text", "rules", "board", "source", "line"]
        assert "source, line: where the text begins" in getattr(module, name).__doc__


OWN = {"drawn": parse_puzzle(TEXTS[drawn][1]), "killer": parse_puzzle(KILLER)}


@pytest.mark.parametrize("form", WRITTEN)
def test_what_is_written_reads_back(form):
    puzzle = OWN.get(form, KNIGHT)
    read = parse_puzzle(WRITTEN[form].write(puzzle))
    assert (read.grid, read.constraints) == (puzzle.grid, puzzle.constraints)
    assert read.title == ("T" if "title" in WRITTEN[form].states else "")


def test_what_is_read_is_the_puzzle():
    assert parse_foreign(KILLER).rules == "classic;cage=3:r1c1,r1c2"


@pytest.mark.parametrize(("text", "rules"), [
    ("." * 36, "shape=4x9"), ("." * 16, "shape=4x4;layer=shade:0-1"),
    ("0" + 15 * ".", "shape=4x4,digits=0-3"),
])  # fmt: skip
def test_the_requested_rules_may_bring_any_board(text, rules):
    puzzle = satdoku.parse_puzzle(text, rules)
    assert puzzle.constraints == constraints_for(rules)
    assert satdoku.render_svg(text, rules).startswith("<svg")
