"""Each format of other programs is told by its texts, and read by its own module."""

import pytest
from examples import CLASSIC

from satdoku.files import fpuzzles, iss, killer, pencilmark, puzzle_json
from satdoku.files.foreign import parse_foreign
from satdoku.files.fpuzzles import format_fpuzzles
from satdoku.files.puzzle_json import format_puzzle_json
from satdoku.model.grid import parse_grid

KILLER = "3x3::k:" + ":".join(["769", "769", *["0"] * 79])
TEXTS = {
    killer: ("parse_killer", KILLER),
    iss: ("parse_iss", ".AntiKnight.~R1C1_5"),
    puzzle_json: ("parse_puzzle_json", format_puzzle_json(parse_grid(CLASSIC), "knight")),
    pencilmark: ("parse_pencilmark", '{"format": "sudoku-puzzle"}'),
    fpuzzles: ("parse_fpuzzles", format_fpuzzles(CLASSIC, "knight")),
}


@pytest.mark.parametrize("module", TEXTS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_a_text_goes_to_the_reader_of_its_format_alone(module, monkeypatch):
    asked = []
    for other, (name, _) in TEXTS.items():
        monkeypatch.setattr(
            other, name, lambda *arguments, name=name: asked.append((name, arguments))
        )
    name, text = TEXTS[module]
    parse_foreign(text, "classic", None)
    assert asked == [(name, (text, "classic", None))]


def test_what_is_read_is_the_puzzle():
    assert parse_foreign(KILLER).rules == "classic;cage=3:r1c1,r1c2"
    assert str(parse_foreign(format_fpuzzles(CLASSIC, "knight")).grid) == CLASSIC
