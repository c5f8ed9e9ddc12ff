"""Pictures in a PDF: what is drawn there is what the picture holds."""

import io
import xml.etree.ElementTree as ET

import pymupdf
import pytest
from examples import CLASSIC
from reportlab.pdfgen.canvas import Canvas

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid
from satdoku.model.kinds import KINDS
from satdoku.render import render_svg
from satdoku.sheets.drawing import SVG, Drawing


def page_of(*pictures, scale=1.0):
    """A page with the pictures one beside the other."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(2000, 600), invariant=1)
    for number, svg in enumerate(pictures):
        Drawing(svg).draw(canvas, 10 + 600 * number, 590, scale)
    canvas.showPage()
    canvas.save()
    return pymupdf.open(stream=file.getvalue())[0]


def texts_of(svg):
    return sorted(text.text for text in ET.fromstring(svg).iter(f"{SVG}text"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn(kind):
    rules = constraints_for(f"classic;{KINDS[kind].example}")
    svg = render_svg("." * 81, rules, legend=False)
    page = page_of(svg)
    drawing = Drawing(svg)
    frame = pymupdf.Rect(9, 9, 11 + drawing.width, 11 + drawing.height)
    boxes = [drawn["rect"] for drawn in page.get_drawings()]
    assert all(box in frame for box in boxes)
    shapes = [e for e in ET.fromstring(svg).iter() if e.tag.removeprefix(SVG) in ("circle", "path")]
    assert len(boxes) >= len(shapes)
    words = [word[4] for word in page.get_text("words")]
    assert sorted("".join(words)) == sorted("".join("".join(texts_of(svg)).split()))


@pytest.mark.parametrize("size", [4, 9, 25])
def test_digits_stand_in_their_cells(size):
    board = Board.of_size(size)
    grid = CLASSIC if size == 9 else bytes((i % (size + 1)) for i in range(board.cells))
    page = page_of(svg := render_svg(grid, constraints_for("classic", board)), scale=0.5)
    shown = {word[4] for word in page.get_text("words")}
    assert shown == set(texts_of(svg))
    first = min(page.get_text("words"), key=lambda word: (round(word[1]), word[0]))
    text = min(
        ET.fromstring(svg).iter(f"{SVG}text"),
        key=lambda e: (float(e.get("y")), float(e.get("x"))),
    )
    assert first[4] == text.text
    middle = (first[0] + first[2]) / 2
    assert middle == pytest.approx(10 + 0.5 * (float(text.get("x")) + 4), abs=0.5)


def test_pictures_of_one_board_share_what_lies_below_the_digits():
    empty = empty_grid(Board.of_size(9))
    alike = page_of(render_svg(CLASSIC), render_svg(empty))
    assert len(alike.get_xobjects()) == 1
    other = page_of(render_svg(CLASSIC), render_svg(CLASSIC, "classic;thermo:r1c1,r1c2"))
    assert len(other.get_xobjects()) == 2


def test_what_is_not_known_is_an_error():
    svg = render_svg(CLASSIC)
    with pytest.raises(KeyError):
        page_of(svg.replace("<g class=", "<ellipse/><g class=", 1))
    with pytest.raises(ValueError, match="path"):
        page_of(svg.replace('d="M', 'd="C1 2 3 4 5 6M', 1))
