"""Our pictures in a PDF: the elements of `render.svg` as marks on a canvas of reportlab.

Invariant: what is drawn is what the picture holds. An element or a path command that is not known
here is an error, never left out.

A converter for any SVG takes fifty times as long a picture; ours use eight elements.
"""

from __future__ import annotations

import hashlib
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import groupby
from typing import Any

from .fonts import BOLD, PLAIN

SVG = "{http://www.w3.org/2000/svg}"
DIGITS = "given", "solved", "candidates"  # groups that differ from puzzle to puzzle
_COMMANDS = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_MOVE = re.compile(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)")
_CAPS = {"butt": 0, "round": 1, "square": 2}
_SHIFTS = {"start": 0, "middle": 0.5, "end": 1}  # to the left, of the width of a text
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
Style = Mapping[str, str]


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
        self._below = [part for part in board if part.get("class") not in DIGITS]
        self._digits = [part for part in board if part.get("class") in DIGITS]

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
            canvas.endForm()
        return name


def _draw_all(canvas: Any, elements: Iterable[ET.Element], inherited: Style) -> None:
    """Elements from below; runs of texts are set together."""
    for is_text, some in groupby(elements, key=lambda element: element.tag == f"{SVG}text"):
        if is_text:
            _write(canvas, some, inherited)
        else:
            for element in some:
                _draw(canvas, element, inherited)


def _draw(canvas: Any, element: ET.Element, inherited: Style) -> None:
    """An element with what is in it; y grows downwards in a picture and upwards on paper."""
    style = {**inherited, **element.attrib}
    name = element.tag.removeprefix(SVG)
    if name == "g":
        style.pop("opacity", None)
        with _faded(canvas, element.attrib.get("opacity")):
            _draw_all(canvas, element, style)
        return
    _SHAPES[name](canvas, style, *_pens(canvas, style))


class _faded:
    """What is drawn within is as opaque as the number says."""

    def __init__(self, canvas: Any, opacity: str | None) -> None:
        self._canvas, self._opacity = canvas, opacity

    def __enter__(self) -> None:
        if self._opacity:
            self._canvas.saveState()
            self._canvas.setFillAlpha(float(self._opacity))
            self._canvas.setStrokeAlpha(float(self._opacity))

    def __exit__(self, *_: object) -> None:
        if self._opacity:
            self._canvas.restoreState()


def _pens(canvas: Any, style: Style) -> tuple[bool, bool]:
    """Set the colours and the line of a shape; whether it is stroked, and whether it is filled."""
    fill, stroke = style.get("fill", "#000000"), style.get("stroke", "none")
    if fill != "none":
        canvas.setFillColor(_colour(fill))
    if stroke != "none":
        canvas.setStrokeColor(_colour(stroke))
        canvas.setLineWidth(float(style.get("stroke-width", 1)))
        canvas.setLineCap(_CAPS[style.get("stroke-linecap", "butt")])
        canvas.setLineJoin(_JOINS[style.get("stroke-linejoin", "miter")])
        dashes = style.get("stroke-dasharray", "none")
        canvas.setDash([] if dashes == "none" else list(map(float, dashes.split())))
    return stroke != "none", fill != "none"


def _write(canvas: Any, texts: Iterable[ET.Element], inherited: Style) -> None:
    """Texts of one group, each set at its place; the font changes only where it does."""
    line, before = canvas.beginText(), None
    for element in texts:
        style = {**inherited, **element.attrib}
        font = BOLD if style.get("font-weight") == "700" else PLAIN
        pen = font, float(style["font-size"]), style.get("fill", "#000000")
        if pen != before:
            line.setFont(*pen[:2])
            line.setFillColor(_colour(pen[2]))
            before = pen
        text = element.text or ""
        shift = _SHIFTS[style.get("text-anchor", "start")] * canvas.stringWidth(text, *pen[:2])
        line.setTextOrigin(float(style["x"]) - shift, -float(style["y"]))
        line.textOut(text)
    canvas.drawText(line)


@cache
def _colour(name: str) -> Any:
    """A colour of reportlab, of its hexadecimal name."""
    return import_module("reportlab.lib.colors").HexColor(name)


def _numbers(style: Style, *names: str) -> Iterator[float]:
    return (float(style.get(name, 0)) for name in names)


def _rect(canvas: Any, style: Style, stroke: bool, fill: bool) -> None:
    x, y, width, height, radius = _numbers(style, "x", "y", "width", "height", "rx")
    canvas.roundRect(x, -y - height, width, height, radius, stroke, fill)


def _circle(canvas: Any, style: Style, stroke: bool, fill: bool) -> None:
    x, y, radius = _numbers(style, "cx", "cy", "r")
    canvas.circle(x, -y, radius, stroke, fill)


def _line(canvas: Any, style: Style, stroke: bool, fill: bool) -> None:
    x, y, u, v = _numbers(style, "x1", "y1", "x2", "y2")
    canvas.line(x, -y, u, -v)


def _path(canvas: Any, style: Style, stroke: bool, fill: bool) -> None:
    path = canvas.beginPath()
    x = y = 0.0
    for command, numbers in _COMMANDS.findall(style["d"]):
        values = list(map(float, numbers.split()))
        if command == "Z":
            path.close()
            continue
        if command not in "MLHV":
            raise ValueError(f"path command {command}: pictures have M, L, H, V and Z")
        x = values[0] if command in "MLH" else x
        y = values[-1] if command in "MLV" else y
        (path.moveTo if command == "M" else path.lineTo)(x, -y)
    canvas.drawPath(path, stroke, fill)


_SHAPES: dict[str, Callable[[Any, Style, bool, bool], None]] = {
    "rect": _rect,
    "circle": _circle,
    "line": _line,
    "path": _path,
}
