"""Links and QR codes: they open the puzzle that is printed."""

from dataclasses import replace

import segno
from examples import CLASSIC

from satdoku.files.fpuzzles import parse_fpuzzles
from satdoku.model.puzzle import Puzzle, on_board
from satdoku.sheets.codes import LARGEST, link_to, qr_modules

PUZZLE = Puzzle(*on_board(CLASSIC, "knight;thermo:r1c1,r1c2"), title="T", author="A")


def test_a_link_holds_the_puzzle():
    for site, start in (
        ("fpuzzles", "https://www.f-puzzles.com/?load="),
        ("sudokupad", "https://sudokupad.app/fpuzzles"),
    ):
        link = link_to(PUZZLE, site)
        assert link.url.startswith(start) and not link.problem
        read = parse_fpuzzles(link.url)
        assert (read.grid, read.rules, read.title, read.author) == (
            PUZZLE.grid, PUZZLE.constraints.name, "T", "A",
        )  # fmt: skip


def test_what_no_link_can_state_has_none():
    assert "antiqueen" in link_to(Puzzle(*on_board(CLASSIC, "antiqueen")), "fpuzzles").problem
    marked = link_to(replace(PUZZLE, marks=(frozenset(range(1, 10)),) * 81), "sudokupad")
    assert marked.url == "" and "digits cells may hold" in marked.problem


def test_a_code_is_one_of_segno():
    modules = qr_modules("https://example.org")
    other = segno.make("https://example.org", error="l", micro=False, boost_error=False)
    assert [list(row) for row in modules] == [[bool(m) for m in row] for row in other.matrix]
    assert qr_modules("é" * (LARGEST // 2 + 1)) is None
    assert len(qr_modules("a" * LARGEST)) == 177
