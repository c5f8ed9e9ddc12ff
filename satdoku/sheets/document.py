"""The PDF itself: pages, paragraphs, pictures, links and codes on a canvas of reportlab.

Invariant: nothing in the file depends on the clock or on chance. What is drawn of a picture is what
it holds: an element or a path command that is not known here is an error, never left out.

A converter for any SVG takes fifty times as long a picture; ours, of `render.svg`, use eight
elements.
"""

from __future__ import annotations

import hashlib
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from io import BytesIO
from itertools import groupby
from typing import Any

from .codes import QUIET, Modules
from .fonts import BOLD, PLAIN, SheetError, Typesetter
from .layout import FOOTER, GAP, MARGIN, PAD, Area, Block, Page, Row, Style, slot_width

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
        height = scale * drawing.height if block.is_wide else row.side
        below = top + row.head + height + PAD
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


SVG = "{http://www.w3.org/2000/svg}"
DIGITS = "given", "solved", "candidates"  # from these groups on, all differs between puzzles
_COMMANDS = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_MOVE = re.compile(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)")
_TURN = re.compile(r"rotate\(([-\d.]+) ([-\d.]+) ([-\d.]+)\)")
_CAPS = {"butt": 0, "round": 1, "square": 2}
_SHIFTS = {"start": 0, "middle": 0.5, "end": 1}  # to the left, of the width of a text
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
Attributes = Mapping[str, str]


class Drawing:
    """A picture that can be drawn at any size.

    width, height: in user units. What is below the digits becomes a form of the document, which
    all pictures with the same board and clues share.
    """

    def __init__(self, svg: str) -> None:
        root = ET.fromstring(svg)
        self.width, self.height = map(float, root.attrib["viewBox"].split()[2:])
        (board,) = root.findall(f"{SVG}g[@transform]")
        self._style = {**root.attrib, **board.attrib}
        x, y = map(float, _MOVE.fullmatch(board.attrib["transform"]).groups())  # type: ignore[union-attr]
        self._origin = x, y
        first = next((n for n, part in enumerate(board) if part.get("class") in DIGITS), len(board))
        self._below, self._digits = board[:first], board[first:]

    def draw(self, canvas: Any, left: float, top: float, scale: float) -> None:
        """On the canvas, its upper left corner there."""
        name = self._form(canvas)
        x, y = self._origin
        canvas.saveState()
        canvas.transform(scale, 0, 0, scale, left + scale * x, top - scale * y)
        canvas.doForm(name)
        _draw_all(canvas, self._digits, self._style)
        canvas.restoreState()

    def _form(self, canvas: Any) -> str:
        """The name of the form with all but the digits."""
        text = b"".join(map(ET.tostring, self._below))
        name = hashlib.sha256(text).hexdigest()[:32]
        if not canvas.hasForm(name):
            x, y = self._origin
            canvas.beginForm(name, -x, y - self.height, self.width - x, y)
            _draw_all(canvas, self._below, self._style)
            canvas.endForm(**_opacities(canvas))
        return name


def _opacities(canvas: Any) -> dict[str, Any]:
    """The resources of a form with what is seen through; reportlab leaves that out of forms."""
    states = canvas._extgstate.getState()
    if not states:
        return {}
    resources = _reportlab("pdfbase.pdfdoc").PDFResourceDictionary(ExtGState=states)
    resources.basicFonts()
    return {"Resources": resources}


def _draw_all(canvas: Any, elements: Iterable[ET.Element], inherited: Attributes) -> None:
    """Elements from below; runs of texts are set together."""
    for is_text, some in groupby(elements, key=lambda element: element.tag == f"{SVG}text"):
        if is_text:
            _write(canvas, some, inherited)
        else:
            for element in some:
                _draw(canvas, element, inherited)


def _draw(canvas: Any, element: ET.Element, inherited: Attributes) -> None:
    """An element with what is in it; y grows downwards in a picture and upwards on paper."""
    style = {**inherited, **element.attrib}
    name = element.tag.removeprefix(SVG)
    if name == "g":
        own = float(element.attrib.get("opacity", 1)) * float(inherited.get("opacity", 1))
        style["opacity"] = str(own)
        with _turned(canvas, element):
            _draw_all(canvas, element, style)
        return
    _SHAPES[name](canvas, style, *_pens(canvas, style))


@contextmanager
def _turned(canvas: Any, element: ET.Element) -> Iterator[None]:
    """What is drawn within is turned as the group says."""
    if "transform" not in element.attrib:
        yield
        return
    turn = _TURN.fullmatch(element.attrib["transform"])
    if turn is None:
        raise ValueError(f"transform {element.attrib['transform']}: pictures have rotate alone")
    angle, x, y = map(float, turn.groups())
    canvas.saveState()
    canvas.translate(x, -y)
    canvas.rotate(-angle)
    canvas.translate(-x, y)
    yield
    canvas.restoreState()


def _pens(canvas: Any, style: Attributes) -> tuple[bool, bool]:
    """Set the colours and the line of a shape; whether it is stroked, and whether it is filled."""
    fill, stroke = style.get("fill", "#000000"), style.get("stroke", "none")
    if fill != "none":
        canvas.setFillColor(_colour(fill, style.get("opacity", "1")))
    if stroke != "none":
        canvas.setStrokeColor(_colour(stroke, style.get("opacity", "1")))
        canvas.setLineWidth(float(style.get("stroke-width", 1)))
        canvas.setLineCap(_CAPS[style.get("stroke-linecap", "butt")])
        canvas.setLineJoin(_JOINS[style.get("stroke-linejoin", "miter")])
        dashes = style.get("stroke-dasharray", "none")
        canvas.setDash([] if dashes == "none" else list(map(float, dashes.split())))
    return stroke != "none", fill != "none"


def _write(canvas: Any, texts: Iterable[ET.Element], inherited: Attributes) -> None:
    """Texts of one group, each set at its place; the font changes only where it does."""
    line, before = canvas.beginText(), None
    for element in texts:
        style = {**inherited, **element.attrib}
        font = BOLD if style.get("font-weight") == "700" else PLAIN
        colour = style.get("fill", "#000000"), style.get("opacity", "1")
        pen = font, float(style["font-size"]), colour
        if pen != before:
            line.setFont(*pen[:2])
            line.setFillColor(_colour(*colour))
            before = pen
        text = element.text or ""
        shift = _SHIFTS[style.get("text-anchor", "start")] * canvas.stringWidth(text, *pen[:2])
        line.setTextOrigin(float(style["x"]) - shift, -float(style["y"]))
        line.textOut(text)
    canvas.drawText(line)


@cache
def _colour(name: str, opacity: str) -> Any:
    """A colour of reportlab, of its hexadecimal name, and as opaque."""
    return import_module("reportlab.lib.colors").HexColor(name).clone(alpha=float(opacity))


def _numbers(style: Attributes, *names: str) -> Iterator[float]:
    return (float(style.get(name, 0)) for name in names)


def _rect(canvas: Any, style: Attributes, stroke: bool, fill: bool) -> None:
    x, y, width, height, radius = _numbers(style, "x", "y", "width", "height", "rx")
    canvas.roundRect(x, -y - height, width, height, radius, stroke, fill)


def _circle(canvas: Any, style: Attributes, stroke: bool, fill: bool) -> None:
    x, y, radius = _numbers(style, "cx", "cy", "r")
    canvas.circle(x, -y, radius, stroke, fill)


def _line(canvas: Any, style: Attributes, stroke: bool, fill: bool) -> None:
    x, y, u, v = _numbers(style, "x1", "y1", "x2", "y2")
    canvas.line(x, -y, u, -v)


def _path(canvas: Any, style: Attributes, stroke: bool, fill: bool) -> None:
    path = canvas.beginPath()
    x = y = 0.0
    for command, numbers in _COMMANDS.findall(style["d"]):
        values = list(map(float, numbers.split()))
        if command == "Z":
            path.close()
            continue
        if command not in "MLHVQ":
            raise ValueError(f"path command {command}: pictures have M, L, H, V, Q and Z")
        if command == "Q":
            u, v, right, low = values
            path.curveTo(*_third(u, v, x, y), *_third(u, v, right, low), right, -low)
            x, y = right, low
            continue
        x = values[0] if command in "MLH" else x
        y = values[-1] if command in "MLV" else y
        (path.moveTo if command == "M" else path.lineTo)(x, -y)
    canvas.drawPath(path, stroke, fill)


def _third(u: float, v: float, x: float, y: float) -> tuple[float, float]:
    """The point from which a cubic curve leaves its end (x, y) as the quadratic one that bends to
    (u, v) does: a third of the way behind that."""
    return (x + 2 * u) / 3, -(y + 2 * v) / 3


_SHAPES: dict[str, Callable[[Any, Attributes, bool, bool], None]] = {
    "rect": _rect,
    "circle": _circle,
    "line": _line,
    "path": _path,
}
