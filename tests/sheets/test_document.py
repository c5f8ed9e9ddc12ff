"""The PDF: text that flows over pages, links, codes, and the number of the page."""

import pymupdf
import pytest

from satdoku.render import render_svg
from satdoku.sheets import SheetError, document
from satdoku.sheets.codes import qr_modules
from satdoku.sheets.document import MODULE, QUIET, Document
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
