"""A puzzle as PNG: the SVG, drawn by resvg.

Invariant: pixels come from the SVG alone. Without any font this is an error, not an empty grid.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module, util
from pathlib import Path
from typing import Any

from ..files.one import PuzzleLike, Rules
from ..model.grid import GridLike
from .picture import (
    Candidates,
    Chains,
    Highlights,
    RenderError,
)
from .svg import render_svg

_FONT = "DejaVu Sans"
_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9">'
    '<text y="9" font-size="9" font-family="sans-serif">8</text></svg>'
)


def render_png(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    scale: float = 2.0,
    solution: GridLike | None = None,
    candidates: Candidates | None = None,
    highlights: Highlights | None = None,
    chains: Chains = (),
    caption: str = "",
) -> bytes:
    """The picture of `render_svg` as the bytes of a PNG file, 40 * `scale` pixels a cell.

    Needs the extra `png` (resvg-py) and a font; raises `RenderError` if one is missing.
    """
    resvg = _resvg()
    svg = render_svg(
        puzzle,
        rules,
        solution=solution,
        candidates=candidates,
        highlights=highlights,
        chains=chains,
        caption=caption,
    )
    return _draw(resvg, svg, scale, _fonts())


def _resvg() -> Any:
    try:
        return import_module("resvg_py")
    except ImportError:
        raise RenderError("PNG needs the extra: pip install 'satdoku[png]'") from None


def _draw(resvg: Any, svg: str, scale: float, fonts: tuple[str, ...]) -> bytes:
    width = float(svg.partition(' width="')[2].partition('"')[0])
    return bytes(
        resvg.svg_to_bytes(
            svg_string=svg,
            background="#ffffff",
            width=round(width * scale),
            sans_serif_family=_FONT,
            font_files=list(fonts) or None,
        )
    )


@cache
def _fonts() -> tuple[str, ...]:
    """Font files to load: none if the system has fonts, else those of matplotlib."""
    resvg = _resvg()
    empty = _draw(resvg, _PROBE.replace(">8<", "> <"), 1, ())
    for fonts in ((), _bundled()):
        if _draw(resvg, _PROBE, 1, fonts) != empty:
            return fonts
    raise RenderError("PNG needs a font: install DejaVu Sans, or pip install 'satdoku[report]'")


def _bundled() -> tuple[str, ...]:
    """The fonts that come with matplotlib, found without importing it."""
    spec = util.find_spec("matplotlib")
    if spec is None or spec.origin is None:
        return ()
    folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
    files = (folder / name for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
    return tuple(str(file) for file in files if file.is_file())
