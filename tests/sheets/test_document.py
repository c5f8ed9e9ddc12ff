"""The PDF: what stands on its pages, and our pictures drawn on them."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pymupdf
import pytest
from clue_examples import OF_LAYERS
from examples import CLASSIC
from reportlab.pdfgen.canvas import Canvas

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid
from satdoku.model.kinds import KINDS
from satdoku.model.looks import Shape
from satdoku.model.puzzle import Puzzle
from satdoku.render import render_svg
from satdoku.sheets import SheetError, document
from satdoku.sheets.codes import QUIET, qr_modules
from satdoku.sheets.document import MODULE, SVG, Document, Drawing
from satdoku.sheets.fonts import Typesetter
from satdoku.sheets.layout import FOOTER, MARGIN, PAPERS, STYLES, Block, pages


@pytest.fixture
def paper():
    return Document(PAPERS["A4"], Typesetter(), title="T", author="A")


def test_words_flow_over_pages_and_none_is_lost(paper):
    words = [[paper.paragraph(f"word{i} " * 300, 10, 400, bold=f"Head{i}")] for i in range(6)]
    paper.add_words(words)
    read = pymupdf.open(stream=paper.data())
    assert len(read) > 1
    width, height = PAPERS["A4"]
    inside = pymupdf.Rect(MARGIN - 4, MARGIN - 4, width - MARGIN + 4, height - MARGIN - FOOTER + 4)
    text = []
    for number, page in enumerate(read, 1):
        *lines, last = page.get_text("blocks", sort=True)
        assert last[4].split() == ["Page", str(number), "of", str(len(read))]
        assert last[1] > PAPERS["A4"][1] - MARGIN - FOOTER
        assert all(pymupdf.Rect(line[:4]) in inside for line in lines)
        text += [line[4] for line in lines]
    for i in range(6):
        assert "".join(text).count(f"word{i}") == 300


def test_a_word_longer_than_a_line_is_broken(paper):
    paragraph = paper.paragraph("x" * 500, 10, 200)
    assert paragraph.height > 5 * 10 and max(paragraph.getActualLineWidths0()) <= 200


def test_a_code_is_drawn_module_by_module_and_can_be_clicked(paper):
    modules = qr_modules("https://example.org/a?b&c")
    side = paper.code_side(modules)
    assert side == MODULE * (len(modules) + 2 * QUIET)
    area = paper.area(())
    (page,) = pages([Block(0, code=side)], area, STYLES[1], ())
    found = "https://example.org/a?b&c", modules
    paper.add(page, STYLES[1], (), lambda block: render_svg("." * 81), lambda block: found)
    (read,) = pymupdf.open(stream=paper.data())
    (link,) = read.get_links()
    assert link["uri"] == found[0]
    pixels = read.get_pixmap(dpi=288, clip=link["from"], colorspace="gray")
    step, start = pixels.width / (side / MODULE), QUIET + 0.5
    for row in range(len(modules)):
        for column in range(len(modules)):
            (value,) = pixels.pixel(int((column + start) * step), int((row + start) * step))
            assert (value < 128) == modules[row][column], (row, column)


def test_what_it_is_about_is_stated(paper):
    paper.add_words([[paper.paragraph("a", 10, 100)]])
    about = pymupdf.open(stream=paper.data()).metadata
    assert (about["title"], about["author"], about["creator"]) == ("T", "A", "satdoku")


def test_the_extra_is_named_where_it_is_missing(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(document, "import_module", missing)
    with pytest.raises(SheetError, match=r"pip install 'satdoku\[sheet\]'"):
        Document(PAPERS["A4"], Typesetter(), title="", author="")


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


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - OF_LAYERS))
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


def test_arrows_bend_as_in_the_picture_and_lie_above_the_digits():
    chain = [((0, 1), (8, 9), True), ((8, 9), (80, 5), False)]
    marks = [set(range(1, 10))] * 81
    svg = render_svg("." * 81, candidates=marks, chains=[chain], legend=False)
    page, size = page_of(svg), Drawing(svg).height
    curves = [item for d in page.get_drawings() for item in d["items"] if item[0] == "c"]
    bent = next(e for e in ET.fromstring(svg).iter(f"{SVG}path") if "Q" in e.get("d", ""))
    x, y, u, v, right, low = map(float, re.split("[MQ ]+", bent.get("d").split("M")[1]))
    middle = x / 4 + u / 2 + right / 4 + 14, y / 4 + v / 2 + low / 4 + 14
    assert 0 < middle[1] < size + 10
    halves = [
        tuple((a[i] + 3 * b[i] + 3 * c[i] + d[i]) / 8 for i in (0, 1)) for _, a, b, c, d in curves
    ]
    assert min(abs(p[0] - middle[0]) + abs(p[1] - middle[1]) for p in halves) < 0.1
    order = page.get_texttrace()
    last = max(order, key=lambda span: span["seqno"])
    assert chr(last["chars"][0][0]) == "2" and last["font"].endswith("Bold")


def test_what_is_not_known_is_an_error():
    svg = render_svg(CLASSIC)
    with pytest.raises(KeyError):
        page_of(svg.replace("<g class=", "<ellipse/><g class=", 1))
    with pytest.raises(ValueError, match="path"):
        page_of(svg.replace('d="M', 'd="C1 2 3 4 5 6M', 1))


def test_drawings_are_turned_and_seen_through():
    looks = (
        Shape((2, 2), (4, 4), fill="#ff000080"),
        Shape((0.5, 0.5), text="turned", font=0.3, angle=90, over=True),
    )
    puzzle = Puzzle(empty_grid(Board.of_size(4)), constraints_for("classic", Board.of_size(4)))
    drawing = Drawing(render_svg(replace(puzzle, looks=looks)))
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=(200, 200))
    drawing.draw(canvas, 0, 200, 1)
    canvas.save()
    (page,) = pymupdf.open(stream=data.getvalue())
    assert page.get_pixmap().pixel(30, 70) == pytest.approx((255, 127, 127), abs=2)
    (line,) = (
        line
        for block in page.get_text("dict")["blocks"]
        for line in block["lines"]
        if line["spans"][0]["text"] == "turned"
    )
    assert line["dir"] == pytest.approx((0, 1), abs=0.01)  # from above to below
    with pytest.raises(ValueError, match="transform skewX"):
        turned = render_svg(replace(puzzle, looks=looks)).replace("rotate(90", "skewX(90")
        Drawing(turned).draw(Canvas(io.BytesIO()), 0, 0, 1)
