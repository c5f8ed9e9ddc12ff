"""A puzzle as SVG, as PNG drawn from it, and the empty grid for programs that draw digits over it.

Invariant: shapes and text only, on white, without identifiers or a style sheet, so that many
pictures can share a page. Lengths are in user units, 40 a cell, and scale freely. Pixels come from
the SVG alone; without any font a PNG is an error, not an empty grid. The empty grid is the picture
that `render_svg` draws, without digits and without words below.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module, util
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from ..files.one import PuzzleLike, Rules, rules_in_words
from ..model.board import Board, Layer
from ..model.clue import Clue
from ..model.constraints import Constraints, board_words
from ..model.grid import GridLike, empty_grid
from ..model.kinds import KINDS, alike, title
from ..model.looks import Looks
from ..model.puzzle import Puzzle
from ..model.words import is_told, letters, of_board, of_clue, of_rule
from ..runtime.errors import counted
from ..runtime.errors import shown as escaped
from .chains import arrows
from .clues import Sketch, style_of
from .looks import reach, sketched
from .picture import (
    Candidate,
    Candidates,
    Chains,
    Highlights,
    Picture,
    RenderError,
    RuleMarks,
    picture,
    rule_marks,
    walls,
)
from .shapes import (
    AREA,
    CELL,
    GLYPH,
    INK,
    OUTSIDE,
    SMALL,
    SOFT,
    WHITE,
    Point,
    centre,
    element,
    group,
    number,
    slot,
    spot,
    squares,
    text,
)

LARGE = 1.5  # enlarges boards with digits beyond 9, so that the small ones stay readable
MARGIN = 4  # room for half the frame's width
LEGEND = 12  # font size of the text below
LINE_HEIGHT = 1.35  # times the font size
LINES = 16  # at most, of a paragraph below the grid
MOST_LINES = 80  # of all of them
FONTS = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', 'Noto Sans', sans-serif"

SOLVED, MARK, THIN, LINE = "#1f5fbf", "#444444", "#9aa0a8", "#d0d4dc"
SHADE = "#ecd9ae"  # of a cell whose layer of two digits holds the greater one
# Fills of cells and candidates, different in grey too; an eliminated candidate is also crossed.
CELL_FILLS = {
    "house": "#f1f3e6",
    "cover": "#e9e0f4",
    "reason": "#d3e5f8",
    "eliminated": "#fde3d8",
    "conclusion": "#c4ebc8",
    "conflict": "#f9b9ae",
}
MARK_FILLS = {
    "house": "#e2e6c6",
    "cover": "#d3c2ea",
    "reason": "#9fcbf3",
    "eliminated": "#f9b9a4",
    "conclusion": "#79cf86",
    "conflict": "#ef8575",
}
CROSSED = "#b3261e"
RINGED = ' stroke="#1b7837" stroke-width="1.5"'  # around what a step places
CROWDED = 0.8, 4.5  # of small digits in a crowded cell: their size, and how much lower they stand


def render_svg(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    solution: GridLike | None = None,
    candidates: Candidates | None = None,
    highlights: Highlights | None = None,
    chains: Chains = (),
    caption: str = "",
    legend: bool = True,
) -> str:
    """The puzzle as one SVG element; `satdoku.render` explains the arguments.

    legend: whether rules that cannot be drawn are named below the grid.
    """
    shown = picture(puzzle, rules, solution, candidates, highlights, chains)
    marks = rule_marks(shown.constraints)
    sketch = Sketch(shown.board, marks.clues)
    named = _named_rules(shown, marks) if legend else []
    below = [*named, *caption.splitlines()]
    lines = [line for part in below for line in _wrapped(part, _size(shown.board)[0])]
    lines = [*lines[:MOST_LINES], "..."] if len(lines) > MOST_LINES else lines
    frame = frame_of(sketch, len(lines), shown.looks)
    parts = [
        *opening(shown, frame),
        *layers(shown, marks, sketch),
        "</g>",
        *_text_lines(lines, frame.grid),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def about(puzzle: Puzzle) -> str:
    """The title, the author and the rules in words of a puzzle, as a caption."""
    author = f"by {puzzle.author}" if puzzle.author else ""
    named = " ".join(filter(None, (puzzle.title, author)))
    lines = [named, *rules_in_words(puzzle).splitlines()]
    return "\n".join(escaped(line) for line in lines if line)


class Frame(NamedTuple):
    """The size of a picture, the upper left corner of the grid in it, and where that ends below."""

    width: float
    height: float
    left: float
    above: float
    grid: float


def _size(board: Board) -> Point:
    """The width and the height of the grid."""
    rows, columns = board.extent
    return columns * CELL, rows * CELL


def frame_of(sketch: Sketch, lines: int, looks: Looks = ()) -> Frame:
    """Room for the grid, the clues and drawings around it and lines of text below."""
    width, height = _size(sketch.board)
    beyond = zip(sketch.ranks, reach(looks, width, height), strict=True)
    left, above, right, below = (MARGIN + max(OUTSIDE * count, far) for count, far in beyond)
    grid = above + height + below
    text = lines * LEGEND * LINE_HEIGHT + MARGIN if lines else 0
    return Frame(left + width + right, grid + text, left, above, grid)


def opening(shown: Picture, frame: Frame) -> Iterator[str]:
    """What stands before the grid: the size, a title and a white ground."""
    width, height = number(frame.width), number(frame.height)
    zoom = 1 if letters(shown.board) == 1 else LARGE
    shape = f'width="{number(frame.width * zoom)}" height="{number(frame.height * zoom)}"'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {shape} '
        f'role="img" font-family="{FONTS}">'
    )
    yield f"<title>{html.escape(_title(shown))}</title>"
    yield f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    yield f'<g transform="translate({number(frame.left)} {number(frame.above)})">'


def layers(shown: Picture, marks: RuleMarks, sketch: Sketch) -> Iterator[str]:
    """The grid and all that is drawn in it, from below."""
    board = shown.board
    yield from sketched(shown.looks, over=False)
    yield from _areas(shown, marks, sketch)
    yield from _clues(sketch, "lines")
    yield from _rulings(shown)
    yield from _clues(sketch, "edges")
    yield from sketched(shown.looks, over=True)
    yield from _marks(shown, sketch.crowded)
    yield from _digits(shown)
    at = partial(_place, board=board, crowded=sketch.crowded)
    clear = list(map(at, shown.mark_kinds))
    yield from arrows(shown.chains, at, slot(board), _size(board), clear=clear)


def _named_rules(shown: Picture, marks: RuleMarks) -> list[str]:
    """The rules and clues that the picture does not show, in words, and what its marks mean."""
    board = shown.board
    said = [*of_board(board)] if marks.tells_board else []
    said += [of_rule(name) for name in shown.constraints.names if name in marks.names]
    said += dict.fromkeys(of_clue(c, board) for c in shown.constraints.clues if is_told(c, board))
    return [*map(str, said), *_meanings(marks.clues)]


def _meanings(clues: Sequence[Clue]) -> Iterator[str]:
    """What the marks mean of kinds that are drawn alike."""
    marked = alike(clues)
    for kind in filter(marked.__contains__, KINDS):
        shown = KINDS[kind].look.in_words(is_marked=True).removesuffix(" outside the grid")
        yield f"{shown.capitalize()}: {title(kind)}"


def _title(shown: Picture) -> str:
    words = (re.split("[=:]", word)[0] for word in board_words(shown.constraints.board))
    rules = ", ".join((*shown.constraints.rules, *words))
    size, givens = shown.board.shape, shown.grid.givens
    return f"Sudoku {size}, {counted(givens, 'given')}" + (f", rules {rules}" if rules else "")


def _areas(shown: Picture, marks: RuleMarks, sketch: Sketch) -> Iterator[str]:
    """What lies under everything else: windows, shaded cells, highlighted cells, diagonals."""
    board = shown.board
    windows = [cell for area in marks.areas for cell in area]
    yield from group("area", f'fill="{AREA}"', squares(windows, board))
    shaded = [
        cell for layer, cell, position in _layered(shown) if (len(layer.digits), position) == (2, 2)
    ]
    yield from group("layer", f'fill="{SHADE}"', squares(shaded, board))
    yield from _clues(sketch, "areas")
    for kind, fill in CELL_FILLS.items():
        cells = [cell for cell, its in shown.cell_kinds.items() if its == kind]
        yield from group(kind, f'fill="{fill}"', squares(cells, board))
    lines = [_diagonal(line, board) for line in marks.lines]
    yield from group("line", f'stroke="{LINE}" stroke-width="2"', lines)


def _clues(sketch: Sketch, layer: str) -> Iterator[str]:
    """A layer of the drawings of clues, kind by kind."""
    for kind, drawn in groupby(sketch.layers[layer], key=itemgetter(0)):
        yield from group(f"clue {kind}", style_of(kind), [element for _, element in drawn])


def _diagonal(line: Sequence[int], board: Board) -> str:
    """A line from corner to corner of the first and the last cell of a diagonal house."""
    (x, y), (u, v) = centre(min(line), board), centre(max(line), board)
    half = CELL / 2
    side = half if u > x else -half
    ends = (x - side, y - half, u + side, v + half)
    return '<line x1="{}" y1="{}" x2="{}" y2="{}"/>'.format(*map(number, ends))


def _rulings(shown: Picture) -> Iterator[str]:
    """Thin lines between cells, thick ones around regions."""
    rows, columns = shown.board.extent
    thin = " ".join(_thin(shown.board))
    yield f'<path class="cells" d="{thin}" fill="none" stroke="{THIN}" stroke-width="1"/>'
    upright, level = walls(shown.board)
    thick = [
        f"M{line * CELL} {start * CELL}V{stop * CELL}"
        for line in range(columns + 1)
        for start, stop in _runs([upright[row][line] for row in range(rows)])
    ]
    thick += [
        f"M{start * CELL} {line * CELL}H{stop * CELL}"
        for line in range(rows + 1)
        for start, stop in _runs(level[line])
    ]
    style = f'fill="none" stroke="{INK}" stroke-width="2.5" stroke-linecap="square"'
    yield f'<path class="regions" d="{" ".join(thick)}" {style}/>'


def _thin(board: Board) -> Iterator[str]:
    """Path data of the lines between cells: the first upright one with the first level one, ..."""
    rows, columns = board.extent
    at = board.cell_at
    for line in range(1, max(rows, columns)):
        upright = [{(row, line - 1), (row, line)} <= at.keys() for row in range(rows)]
        level = [{(line - 1, column), (line, column)} <= at.keys() for column in range(columns)]
        here = line * CELL
        parts = [f"M{here} {start * CELL}V{stop * CELL}" for start, stop in _runs(upright)]
        parts += [f"M{start * CELL} {here}H{stop * CELL}" for start, stop in _runs(level)]
        if parts:
            yield "".join(parts)


def _runs(flags: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Runs of flags that are set: the first, and one past the last."""
    place = 0
    for flag, run in groupby(flags):
        length = len(list(run))
        if flag:
            yield place, place + length
        place += length


def _digits(shown: Picture) -> Iterator[str]:
    """The givens, then the digits of the solution; small in a corner, those of its layers."""
    board = shown.board
    wide = letters(board)
    font = 26 if wide == 1 else min(21, (CELL - 4) / (GLYPH * wide))
    for what, style in (
        ("given", f'fill="{INK}" font-weight="700"'),
        ("solved", f'fill="{SOLVED}"'),
    ):
        texts = [
            text(centre(cell, board), font, board.digits[digit - 1])
            for cell, digit in enumerate(shown.digits[: board.grid_cells])
            if digit and bool(shown.grid[cell]) == (what == "given")
        ]
        yield from group(what, f'{style} font-size="{number(font)}" text-anchor="middle"', texts)
    inside = [_in_layer(*said, board) for said in _layered(shown) if len(said[0].digits) > 2]
    yield from group("layer", f'fill="{SOLVED}" font-size="{SMALL}" text-anchor="end"', inside)


def _layered(shown: Picture) -> Iterator[tuple[Layer, int, int]]:
    """Of what is known of layers in cells: the layer, the cell and the position of its digit."""
    board = shown.board
    for layer in board.layers:
        if not layer.free:
            start = board.first_of[layer.name]
            known = enumerate(shown.digits[start : start + board.grid_cells])
            yield from ((layer, cell, position) for cell, position in known if position)


def _in_layer(layer: Layer, cell: int, position: int, board: Board) -> str:
    x, y = centre(cell, board)
    at = x + CELL / 2 - 3, y + CELL / 2 - 3 - SMALL / 2
    return text(at, SMALL, layer.digits[position - 1])


def _marks(shown: Picture, crowded: Collection[int]) -> Iterator[str]:
    """The small digits, each at its place in the cell, with their highlights; lower and smaller in
    crowded cells, under what stands in their upper corners."""
    board = shown.board
    side, wide = slot(board), letters(board)
    font = min(13, side * 0.86) if wide == 1 else side * 1.24 / wide
    texts, crosses = [], []
    spots: dict[str, list[str]] = {}
    for cell, digits in enumerate(shown.marks):
        part = CROWDED[0] if cell in crowded else 1
        for digit in digits:
            x, y = _place((cell, digit), board, crowded)
            small = {"font_size": font * part} if part < 1 else {}
            texts.append(text((x, y), font * part, board.digits[digit - 1], **small))
            if kind := shown.mark_kinds.get((cell, digit)):
                spots.setdefault(kind, []).append(element("circle", cx=x, cy=y, r=side * part / 2))
                if kind == "eliminated":
                    crosses.append(_cross(x, y, side * part * 0.42))
    for kind, some in spots.items():
        ring = RINGED if kind == "conclusion" else ""
        yield from group(f"{kind} mark", f'fill="{MARK_FILLS[kind]}"{ring}', some)
    style = f'fill="{MARK}" font-size="{number(font)}" text-anchor="middle"'
    yield from group("candidates", style, texts)
    yield from group("crossed", f'stroke="{CROSSED}" stroke-width="{number(side / 9)}"', crosses)


def _place(candidate: Candidate, board: Board, crowded: Collection[int]) -> Point:
    """The middle of a small digit."""
    return spot(*candidate, board, *(CROWDED if candidate[0] in crowded else ()))


def _cross(x: float, y: float, reach: float) -> str:
    ends = map(number, (x - reach, y + reach, x + reach, y - reach))
    return '<line x1="{}" y1="{}" x2="{}" y2="{}"/>'.format(*ends)


def _wrapped(words: str, width: float) -> list[str]:
    """The words in lines about as long as the grid is wide; of very many only the first."""
    return textwrap.wrap(words, int(width / (0.55 * LEGEND)), max_lines=LINES, placeholder=" ...")


def _text_lines(lines: Sequence[str], top: float) -> Iterator[str]:
    texts = [
        f'<text x="{MARGIN}" y="{number(top + LEGEND + i * LINE_HEIGHT * LEGEND)}">{line}</text>'
        for i, line in enumerate(map(html.escape, lines))
    ]
    yield from group("rules", f'fill="{SOFT}" font-size="{LEGEND}"', texts)


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
    svg = render_svg(
        puzzle,
        rules,
        solution=solution,
        candidates=candidates,
        highlights=highlights,
        chains=chains,
        caption=caption,
    )
    return as_png(svg, scale)


def as_png(svg: str, scale: float = 2.0) -> bytes:
    """A picture of `render_svg` as `render_png` gives it."""
    return _draw(_resvg(), svg, scale, _fonts())


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


THEMES = "light", "dark"
_DOTS = '<g class="clue difference"', '<g class="clue ratio"'
# Dark: every colour inverted, then turned back to its hue, so that a green line stays green.
_DARK = (
    '<filter id="dark" x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB">'
    '<feColorMatrix type="matrix" values="-1 0 0 0 1 0 -1 0 0 1 0 0 -1 0 1 0 0 0 1 0"/>'
    '<feColorMatrix type="hueRotate" values="180"/>'
    '<feColorMatrix type="matrix" values=".86 0 0 0 .11 0 .86 0 0 .12 0 0 .86 0 .14 0 0 0 1 0"/>'
    "</filter>"
)


class Background(NamedTuple):
    """A picture, its size, where the grid begins in it, the side of a cell, all in user units, and
    the cells that have something in their upper corners."""

    svg: str
    width: float
    height: float
    left: float
    top: float
    cell: float
    crowded: list[int]


def render_background(
    constraints: Constraints, theme: str = THEMES[0], looks: Looks = ()
) -> Background:
    """The grid of a rule set; theme: `light`, or `dark` for a dark page."""
    empty = Puzzle(empty_grid(constraints.board), constraints, looks=looks)
    shown = picture(empty, None, None, None, None)
    marks = rule_marks(constraints)
    sketch = Sketch(constraints.board, marks.clues)
    frame = frame_of(sketch, 0, looks)
    first, *rest = opening(shown, frame)
    inside = [*rest, *layers(shown, marks, sketch), "</g>"]
    if theme == "dark":
        inside = [_DARK, '<g filter="url(#dark)">', *_dots_kept(inside), "</g>"]
    svg = "\n".join([first, *inside, "</svg>"]) + "\n"
    left, top = frame.left, frame.above
    return Background(svg, frame.width, frame.height, left, top, CELL, sorted(sketch.crowded))


def _dots_kept(lines: Iterable[str]) -> Iterator[str]:
    """The lines with white and black dots filled the other way round, since what is inverted must
    still be a white dot, or a black one."""
    in_dots = False
    for line in lines:
        in_dots = line.startswith(_DOTS) if line.startswith("<g") else in_dots and line != "</g>"
        if in_dots:
            dark, light = f'fill="{INK}"', f'fill="{WHITE}"'
            line = line.replace(dark, "\0").replace(light, dark).replace("\0", light)
        yield line
