"""Markup escapes text; notebooks show pictures and small tables."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import satdoku
from satdoku.files.iss import parse_iss
from satdoku.render import markup
from satdoku.render.markup import counts, drawing, frame, paragraphs


def test_only_markup_is_markup():
    inner = markup.tag("b", "1 < 2\0", class_='"')
    assert inner == '<b class="&quot;">1 &lt; 2\\x00</b>'
    assert markup.tag("p", inner, 3, "&") == f"<p>{inner}3&amp;</p>"


PUZZLE = "....1..3...9..5..88.4..6.25......6....8..4...12..87...3..9..2...65..8...9........"
EVIL = "<script>alert('x')</script>\x1b[1m&"
FOURS = np.array([[1, 0, 3, 4] + [0] * 11 + [2], [0] * 16, [1, 1] + [0] * 14], np.uint8)


@pytest.fixture(scope="module")
def audit(tmp_path_factory):
    path = tmp_path_factory.mktemp("audit") / "<script>.txt"
    path.write_text(f"{PUZZLE}\n{PUZZLE}\nxyz\n")
    return satdoku.audit_files([str(path)], rows=True)


def made():
    puzzle = satdoku.parse_grid(PUZZLE)
    nines = np.asarray(puzzle)[None]
    preamble, certificate = satdoku.certify("1.34...........2")
    text = satdoku.format_puzzle_json("." * 16, "king", title=EVIL, author=EVIL)
    marked = satdoku.format_puzzle_json("." * 16, candidates=[[1, 2], *[[1, 2, 3, 4]] * 15])
    link = satdoku.format_fpuzzles("." * 16, "thermo:r1c1-r1c4", title=EVIL)
    return {
        "<Grid 9x9, 24 digits: ....1": puzzle,
        "<BatchResult: 3 puzzles: 2 multiple, 1 invalid>": satdoku.solve_batch(FOURS),
        "<BatchResult: 0 puzzles>": satdoku.solve_batch(FOURS[:0]),
        "<Ratings: 1 puzzle: 1 unique; ER 2.8>": satdoku.rate_batch(nines),
        "<Ratings: 1 puzzle: 1 multiple>": satdoku.rate_batch(0 * nines),
        "<Preamble: 4x4, classic, ": preamble,
        "<Certificate: multiple, 2 solutions, no proof, by": certificate,
        "<Orbits: 3 grids in 3 classes>": satdoku.orbits(FOURS),
        "<Step: r2c3=4: the only place": next(satdoku.explain_steps("1.3........4....")),
        "<CheckedAnswer: score 0.000, 0 of 57": satdoku.check_answer(PUZZLE, PUZZLE),
        "<CheckedAnswer: score 0.000, 0 of 16": satdoku.check_answer("." * 16, EVIL),
        "<CheckedAnswer: score 0.250, 4 of 16": satdoku.check_answer("." * 16, "1234" * 4),
        "<Puzzle '<script>": satdoku.parse_puzzle_json(text),
        "<Puzzle: 4x4, 0 digits, rules classic, clues: 0>": satdoku.parse_puzzle_json(marked),
        "<Puzzle '<script>alert": satdoku.parse_fpuzzles(link),
        "<Puzzle: 9x9, 0 digits, rules classic, clues: 1>": parse_iss(".Thermo~R1C1~R2C1"),
        "<Candidates: 42 in 16 cells, 2 with one>": satdoku.candidates("12" + "." * 14),
        "<Candidates: 103 in 25 cells, 2": satdoku.candidates("12" + "." * 23, "latin=5"),
        "<Fewest: 4 givens, ": satdoku.fewest_givens("1234341221434321"),
        "<Tasks: 5, rules king, clues odd, seed 3>": satdoku.tasks(5, "king", clues="odd", seed=3),
        "Rating(": satdoku.rate("123434122143...1"),
    }


def test_each_result_is_one_short_line():
    for start, result in made().items():
        line = repr(result)
        assert line.startswith(start) and len(line) < 200 and line.isprintable(), line


def test_each_display_is_well_formed_and_escaped():
    shown = [r._repr_html_() for r in made().values() if hasattr(r, "_repr_html_")]
    assert len(shown) >= 15
    for page in shown:
        ElementTree.fromstring(f"<div>{page}</div>".replace("&nbsp;", " "))
        assert "<script" not in page and "\x1b" not in page and len(page) < 100_000


def large(page):
    """The digits that stand alone in their cell."""
    return [
        re.findall(r">(\d)<", g)
        for g in re.findall(r'<g class="(?:given|solved)".*?</g>', page, re.S)
    ]


def test_what_is_known_is_large():
    step = next(satdoku.explain_steps("1.3........4...."))
    assert large(step._repr_html_()) == [["1", "3", "4"]]
    assert step.known == bytes([1, 0, 3, *bytes(8), 4, *bytes(4)])
    assert large(satdoku.candidates("12" + "." * 14)._repr_html_()) == [["1", "2"]]


def test_an_audit_and_its_rows(audit):
    assert repr(audit) == "<Audit: not sound, rows: 3, files: 1>"
    assert repr(audit.rows) == "<AuditRows: 3, files: 1>"
    page = audit._repr_html_()
    assert "Not sound" in page and "&lt;script&gt;" in page and "<script" not in page


def test_a_rating_in_words():
    from satdoku.ratings.scale import rating_of

    rating = rating_of(satdoku.parse_grid(PUZZLE).cells)
    assert rating._repr_html_() == "2.8 (EP 1.2, ED 1.2): claiming"


def test_frames_escape_what_is_no_markup():
    assert "&lt;b&gt;" in frame("<b>")
    assert [str(p) for p in paragraphs("a\n<b>")] == ["<p>a</p>", "<p>&lt;b&gt;</p>"]
    assert "&lt;b&gt;" in counts("<b>", ["<b>", "n"], [["<b>", 1]])
    assert drawing("." * 16, words="one\ntwo").endswith("<p>one</p><p>two</p></div>")
