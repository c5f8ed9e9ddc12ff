"""The PDF itself: pages, paragraphs, pictures, links and codes on a canvas of reportlab.

Invariant: nothing in the file depends on the clock or on chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from io import BytesIO
from typing import Any

from .codes import QUIET, Modules
from .drawing import Drawing
from .fonts import PLAIN, Typesetter
from .layout import FOOTER, GAP, MARGIN, PAD, Area, Block, Page, Row, Style, slot_width
from .puzzles import SheetError

NUMBER = 8.5  # font size of the number of the page
TOTAL = "total"  # the form that holds the number of pages, which is known last
MODULE = 1.0  # points, the side of a module of a code: a phone reads it at arm's length
SPACE = 0.3  # between paragraphs, of their font size


class Document:
    """A PDF that grows page by page."""

    def __init__(self, paper: tuple[float, float], setter: Typesetter, **about: str) -> None:
        canvas = _reportlab("pdfgen.canvas").Canvas
        self._styles = _reportlab("lib.styles").ParagraphStyle
        self._paragraph = _reportlab("platypus.paragraph").Paragraph
        self._file = BytesIO()
        self._canvas = canvas(self._file, pagesize=paper, pageCompression=1, invariant=1)
        self._width, self._height = paper
        self._setter = setter
        self._canvas.setTitle(about["title"])
        self._canvas.setAuthor(about["author"])
        self._canvas.setSubject("Sudoku")
        self._canvas.setCreator("satdoku")

    # Text -----------------------------------------------------------------------------------------

    def paragraph(
        self,
        text: str,
        font: float,
        width: float,
        *,
        bold: str = "",
        centred: bool = False,
        link: str = "",
    ) -> Any:
        """A text, wrapped for a width. bold: what stands before it; link: where a click leads."""
        parts = [self._setter.markup(bold, bold=True) if bold else "", self._setter.markup(text)]
        markup = " ".join(filter(None, parts))
        if link:
            markup = f'<a href="{_escaped(link)}" color="#1f5fbf">{markup}</a>'
        style = self._styles(
            "text", fontName=PLAIN, fontSize=font, leading=1.25 * font,
            alignment=1 if centred else 0, splitLongWords=1, spaceAfter=SPACE * font,
        )  # fmt: skip
        return self.wrapped(self._paragraph(markup, style), width)

    @staticmethod
    def wrapped(paragraph: Any, width: float) -> Any:
        """The paragraph with its `height`, the space below it included."""
        paragraph.wrap(width, 1e9)
        paragraph.height += paragraph.style.spaceAfter
        return paragraph

    def _write(self, paragraphs: Iterable[Any], left: float, top: float) -> float:
        """Paragraphs below one another; the place below the last one."""
        for paragraph in paragraphs:
            top += paragraph.height
            below = paragraph.style.spaceAfter
            paragraph.drawOn(self._canvas, left, self._height - top + below)
        return top

    # Pages ----------------------------------------------------------------------------------------

    def area(self, header: Sequence[Any]) -> Area:
        """What a header leaves of a page."""
        above = sum(paragraph.height for paragraph in header)
        above += GAP if header else 0
        return Area(self._width - 2 * MARGIN, self._height - 2 * MARGIN - FOOTER - above)

    def add(
        self, page: Page, style: Style, header: Sequence[Any],
        picture: Callable[[Block], str], code: Callable[[Block], tuple[str, Modules] | None],
    ) -> None:  # fmt: skip
        """A page of puzzles."""
        begin = self._write(header, MARGIN, MARGIN) + (GAP if header else 0)
        slot = slot_width(self.area(header), style)
        for top, row in page.rows:
            for column, block in enumerate(row.blocks):
                left = MARGIN + column * (slot + GAP)
                self._add_block(block, row, left, begin + top, slot, style, picture, code)
        self._end_page()

    def _add_block(
        self, block: Block, row: Row, left: float, top: float, slot: float, style: Style,
        picture: Callable[[Block], str], code: Callable[[Block], tuple[str, Modules] | None],
    ) -> None:  # fmt: skip
        self._write(block.heading, left, top + row.head - block.head)
        drawing = Drawing(picture(block))
        scale = row.side / max(drawing.width, drawing.height)
        inset = (slot - scale * drawing.width) / 2
        drawing.draw(self._canvas, left + inset, self._height - top - row.head, scale)
        margin = (slot - min(slot, style.widest)) / 2
        below = top + row.head + row.side + PAD
        self._write(block.words, left + margin, below)
        if found := code(block):
            self._add_code(*found, left + slot - margin - block.code, below)

    def add_words(self, texts: Iterable[Sequence[Any]]) -> None:
        """Pages of text, each with its heading, split where a page ends."""
        width, height = self._width - 2 * MARGIN, self._height - 2 * MARGIN - FOOTER
        top, waiting = 0.0, [p for paragraphs in texts for p in paragraphs]
        while waiting:
            paragraph = self.wrapped(waiting.pop(0), width)
            if top + paragraph.height > height:
                first, *rest = paragraph.split(width, height - top) or [None, paragraph]
                waiting[:0] = rest
                if first is not None:
                    self._write([self.wrapped(first, width)], MARGIN, MARGIN + top)
                self._end_page()
                top = 0.0
                continue
            top = self._write([paragraph], MARGIN, MARGIN + top) - MARGIN
        if top:
            self._end_page()

    def _end_page(self) -> None:
        """Its number, of a total that is drawn by a form, as nobody knows it yet."""
        canvas, middle, y = self._canvas, self._width / 2, MARGIN - FOOTER / 2
        canvas.setFillColor("#444444")
        canvas.setFont(PLAIN, NUMBER)
        canvas.drawRightString(middle + 12, y, f"Page {canvas.getPageNumber()} of ")
        canvas.saveState()
        canvas.translate(middle + 12, y)
        canvas.doForm(TOTAL)
        canvas.restoreState()
        canvas.showPage()

    # Codes ----------------------------------------------------------------------------------------

    @staticmethod
    def code_side(modules: Modules) -> float:
        """The side of a code with the white around it."""
        return MODULE * (len(modules) + 2 * QUIET)

    def _add_code(self, url: str, modules: Modules, left: float, top: float) -> None:
        """A code that can be clicked, too; runs of modules are one rectangle each."""
        side = self.code_side(modules)
        path = self._canvas.beginPath()
        for row, (start, stop) in _runs(modules):
            x, y = left + MODULE * (start + QUIET), top + MODULE * (row + 1 + QUIET)
            path.rect(x, self._height - y, MODULE * (stop - start), MODULE)
        self._canvas.setFillColor("#000000")
        self._canvas.drawPath(path, stroke=0, fill=1)
        bottom = self._height - top
        self._canvas.linkURL(url, (left, bottom - side, left + side, bottom))

    def data(self) -> bytes:
        """The bytes of the file."""
        canvas = self._canvas
        canvas.beginForm(TOTAL, 0, -NUMBER, 10 * NUMBER, NUMBER)
        canvas.setFillColor("#444444")
        canvas.setFont(PLAIN, NUMBER)
        canvas.drawString(0, 0, str(canvas.getPageNumber() - 1))
        canvas.endForm()
        canvas.save()
        return self._file.getvalue()


def _runs(modules: Modules) -> Iterator[tuple[int, tuple[int, int]]]:
    """Each run of black modules: its row, its first column and the one behind its last."""
    for number, row in enumerate(modules):
        start = 0
        for column, (module, after) in enumerate(zip(row, (*row[1:], False), strict=True)):
            start = start if module else column + 1
            if module and not after:
                yield number, (start, column + 1)


def _escaped(url: str) -> str:
    return url.replace("&", "&amp;").replace('"', "%22").replace("<", "%3C")


def _reportlab(name: str) -> Any:
    with suppress(ImportError):
        import_module("segno")
        return import_module(f"reportlab.{name}")
    raise SheetError("sheets need the extra: pip install 'satdoku[sheet]'")
