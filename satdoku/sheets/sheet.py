"""From puzzles to the bytes of a PDF.

Invariant: puzzles come in the order in which they were given, each once; on pages behind all of
them their paths, then their solutions, in the same order, so that nobody sees them too soon. Each
puzzle is printed with the rules that it states, else with those of the sheet.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..files.notation import clean
from ..files.one import PuzzleLike as OnePuzzle
from ..files.one import as_puzzle
from ..model.constraints import Constraints, RulesLike, board_text, constraints_for
from ..model.puzzle import Puzzle, Unreadable, restricted
from ..model.words import Saying, sayings_of
from ..render import render_svg
from ..runtime.errors import Status, no_such
from .codes import LARGEST, SITES, link_to, qr_modules
from .document import Document
from .fonts import SheetError, Typesetter
from .layout import GAP, PAPERS, STYLES, Area, Block, Style, pages, slot_width

if TYPE_CHECKING:
    from .path import KeyStep, Path

LONGEST = 160  # characters of a title
HEADING = 2  # lines that the name of a puzzle may take, about
WIDE = 0.55  # of the font size: the width of most characters
TITLE = 17.0  # its font size
NAME_LINE = f"Name {'_' * 44} Date {'_' * 18}"
NAME_FONT = 11.0
CELL = 58.0  # points, the largest side of a cell
SHARED = 0.25  # of a page: the rules that all puzzles share stand above them if they take no more
# By the longest side of a board.
SOLUTIONS = {9: Style(4, 5, 7.5, 7, 130), 16: Style(2, 3, 8, 7, 240), 25: Style(1, 2, 9, 7, 330)}
PATHS = {9: Style(2, 2, 9.5, 8.5, 250), 16: Style(1, 2, 10, 9, 360), 25: Style(1, 1, 10, 9, 470)}
NAMED = 100  # characters without a font, at most, in a remark

PuzzleLike = OnePuzzle | Unreadable


class Remark(NamedTuple):
    """What a sheet does not show as it should. status: of the puzzle, if it is about solutions."""

    text: str
    status: Status | None = None


@dataclass(frozen=True)
class Page:
    """What all pages of a sheet share.

    title: above each page. per_page: puzzles, 1, 2, 4 or 6 at most; fewer where long rules need the
    room. paper: A4 or Letter. font: the path of a TrueType font for text that is not Latin.
    name_line: whether a line for a name and a date stands above each page of puzzles. difficulty:
    whether each puzzle is rated, in a word and by the rating of its hardest step.
    """

    title: str = ""
    per_page: int = 1
    paper: str = "A4"
    font: str | os.PathLike[str] | None = None
    name_line: bool = False
    difficulty: bool = False


_PLAIN = Page()


class KeySteps(NamedTuple):
    """What a sheet shows of each puzzle's solution path: pictures of its `most` hardest steps, of
    those that are found within `timeout` seconds."""

    most: int
    timeout: float | None = None


def sheet_pdf(
    puzzles: Iterable[PuzzleLike],
    rules: RulesLike = "classic",
    *,
    key_steps: int | KeySteps = 0,
    solutions: bool = False,
    page: Page = _PLAIN,
    link: str | None = None,
    qr: bool = False,
    on_remark: Callable[[Remark], None] = lambda remark: None,
) -> bytes:
    """Puzzles to print, as the bytes of a PDF.

    puzzles: texts, grids, `Puzzle`, or what `read_puzzles` and the parsers give;
    rules: those of puzzles that state none. key_steps: how many key steps of each puzzle's solution
    path are drawn, on pages behind the puzzles (see `path`); 0 for no path. solutions: whether
    solutions follow on pages of their own, made by the batch engine. page: see `Page`. link:
    fpuzzles or sudokupad, a link to each puzzle there; qr: the same as a QR code (SudokuPad unless
    `link` says otherwise). on_remark: called with each remark: characters without a font, puzzles
    that a link cannot express, paths that end early, puzzles without exactly one solution.
    Raises `SheetError` for wrong arguments and without the extra `sheet`, and `SatdokuError` for
    what is no puzzle.
    """
    steps = key_steps if isinstance(key_steps, KeySteps) else KeySteps(key_steps)
    _check(page, link, steps.most)
    if not isinstance(puzzles, Iterable):
        raise SheetError(f"{type(puzzles).__name__}: expected puzzles")
    kept = [as_sheet_puzzle(puzzle, rules) for puzzle in puzzles]
    if not kept:
        raise SheetError("no puzzles: expected one or more")
    setter = Typesetter(page.font)
    sheet = _Sheet(kept, page, setter, on_remark)
    if page.difficulty:
        sheet.rate(steps.timeout)
    sheet.add_puzzles(STYLES[page.per_page], link or ("sudokupad" if qr else None), qr)
    if steps.most:
        sheet.add_paths(steps)
    if solutions:
        sheet.add_solutions()
    data = sheet.document.data()
    if setter.missing:
        what = " ".join(f"{c} (U+{ord(c):04X})" for c in [*setter.missing][:NAMED])
        on_remark(
            Remark(f"no font can set {what}: printed as ?; name a TrueType font that has them")
        )
    return data


def _check(page: Page, link: str | None, key_steps: int) -> None:
    if key_steps < 0:
        raise SheetError(f"{key_steps} key steps: expected 1 or more, or 0 for no path")
    if page.per_page not in STYLES:
        raise SheetError(f"{page.per_page} puzzles a page: expected 1, 2, 4 or 6")
    if page.paper not in PAPERS:
        raise SheetError(no_such("paper", page.paper, PAPERS))
    if link is not None and link not in SITES:
        raise SheetError(no_such("link", link, SITES))


class _Sheet:
    """A document and what goes into it."""

    def __init__(
        self, puzzles: Sequence[Puzzle], page: Page, setter: Typesetter,
        on_remark: Callable[[Remark], None],
    ) -> None:  # fmt: skip
        self._puzzles, self._tell = puzzles, on_remark
        self._title, self._has_name_line = _cut(page.title), page.name_line
        self._difficulties = [""] * len(puzzles)
        authors = {puzzle.author for puzzle in puzzles}
        name = self._title or _cut(puzzles[0].title if len(puzzles) == 1 else "") or "Sudoku"
        author = authors.pop() if len(authors) == 1 else ""
        self.document = Document(PAPERS[page.paper], setter, title=name, author=_cut(author))

    def rate(self, timeout: float | None) -> None:
        """Rate the puzzles, each within so many seconds."""
        from .difficulty import difficulty_of  # with a solver

        for number, puzzle in enumerate(self._puzzles):
            self._difficulties[number], problem = difficulty_of(puzzle, timeout)
            if problem:
                self._tell(Remark(f"{self._name(number) or 'the puzzle'}: {problem}"))

    # Puzzles --------------------------------------------------------------------------------------

    def add_puzzles(self, style: Style, site: str | None, qr: bool) -> None:
        """The pages of puzzles."""
        full = self.document.area(())
        header, own = self._header(full, style)
        area = self.document.area(header)
        blocks = self._blocks(area, style, own, site, qr)
        width = min(slot_width(area, style), style.widest)
        later = [self.document.paragraph("The rules follow on the next pages.", style.words, width)]
        for page in pages(blocks, area, style, later):
            self.document.add(page, style, header, self._picture, partial(self._code, site, qr))
            for block in page.later:
                self.document.add_words([self._words_alone(block, full, site)])

    def _header(self, area: Area, style: Style) -> tuple[list[Any], bool]:
        """What stands above every page, and whether puzzles have words of their own below."""
        write, wide = self.document.paragraph, area.width
        line = [write(NAME_LINE, NAME_FONT, wide), write(" ", NAME_FONT / 2, wide)]
        title = line if self._has_name_line else []
        title += [write("", TITLE, wide, bold=self._title, centred=True)] if self._title else []
        shared = set(map(sayings_of, self._puzzles)) if style.columns * style.rows > 1 else set()
        if len(shared) != 1:
            return title, True
        words = self._paragraphs(shared.pop(), max(9.0, style.words), wide)
        if sum(paragraph.height for paragraph in words) > SHARED * area.height:
            return title, True
        return title + words, False

    def _paragraphs(self, sayings: Iterable[Saying], font: float, width: float) -> list[Any]:
        write = self.document.paragraph
        return [write(said, font, width, bold=name and f"{name}:") for name, said in sayings]

    def _blocks(
        self, area: Area, style: Style, own: bool, site: str | None, qr: bool
    ) -> Iterator[Block]:
        """The puzzles with their texts, wrapped."""
        slot = slot_width(area, style)
        for number, puzzle in enumerate(self._puzzles):
            block = Block(number)
            found = self._code(site, qr, block)
            self._tell_of_link(number, site, qr and not found)
            side = self.document.code_side(found[1]) if found else 0.0
            width = min(slot, style.widest) - (side + GAP if side else 0)
            words = self._words(puzzle, style.words, width, own, site)
            heading = self._heading(number, slot, style.heading)
            rows, columns = puzzle.grid.board.extent
            widest = CELL * (max(rows, columns) + 1)
            yield Block(number, heading, words, side, widest, columns > rows)

    def _heading(self, number: int, width: float, font: float) -> list[Any]:
        """The number of a puzzle if there are several, its name, and its author."""
        puzzle, write = self._puzzles[number], self.document.paragraph
        most = _room(width, font)
        name = _cut(self._name(number), most)
        lines = [write("", font, width, bold=name, centred=True)] if name else []
        if puzzle.author:
            lines += [write(f"by {_cut(puzzle.author, most)}", 0.8 * font, width, centred=True)]
        if said := self._difficulties[number]:
            lines += [write(said, 0.8 * font, width, centred=True)]
        return lines

    def _name(self, number: int) -> str:
        puzzle = self._puzzles[number]
        name = puzzle.title or puzzle.id
        name += f" ({puzzle.id})" if puzzle.title and puzzle.id else ""
        if len(self._puzzles) == 1:
            return _cut(name)
        return f"{number + 1}. {_cut(name)}" if name else f"{number + 1}"

    def _words(
        self, puzzle: Puzzle, font: float, width: float, own: bool, site: str | None
    ) -> list[Any]:
        words = self._paragraphs(sayings_of(puzzle), font, width) if own else []
        if site is not None:
            url, name, _ = link_to(puzzle, site)
            said = f"Solve it on {name}"
            words += [self.document.paragraph(said, font, width, link=url)] if url else []
        return words

    def _words_alone(self, block: Block, area: Area, site: str | None) -> list[Any]:
        """The words of a puzzle for a page of their own."""
        name = self._name(block.number) or "the puzzle"
        head = self.document.paragraph("", 12, area.width, bold=f"Rules of {name}")
        puzzle = self._puzzles[block.number]
        return [head, *self._words(puzzle, 10, area.width, True, site)]

    def _picture(self, block: Block) -> str:
        puzzle = self._puzzles[block.number]
        return render_svg(puzzle, candidates=restricted(puzzle), legend=False)

    def _code(self, site: str | None, qr: bool, block: Block) -> Any:
        """The link of a puzzle and its QR code, None if it has none."""
        if site is None or not qr:
            return None
        url = link_to(self._puzzles[block.number], site).url
        modules = qr_modules(url) if url else None
        return modules and (url, modules)

    def _tell_of_link(self, number: int, site: str | None, lacks_code: bool) -> None:
        """Why a puzzle has no link, or no code, that was asked for."""
        problem = link_to(self._puzzles[number], site).problem if site else ""
        if problem or lacks_code:
            text = problem or f"no QR code: its link is longer than the {LARGEST:,} bytes of one"
            self._tell(Remark(f"{self._name(number) or 'the puzzle'}: {text}"))

    # Paths ----------------------------------------------------------------------------------------

    def add_paths(self, steps: KeySteps) -> None:
        """The pages of paths, each puzzle's on its own."""
        from .path import path_of

        for number, puzzle in enumerate(self._puzzles):
            path = path_of(puzzle, *steps)
            name = self._name(number)
            if path.problem:
                self._tell(Remark(f"{name or 'the puzzle'}: {path.problem}", path.status))
            self._add_path(puzzle, path, name)

    def _add_path(self, puzzle: Puzzle, path: Path, name: str) -> None:
        """The pages of one path."""
        write, wide = self.document.paragraph, self.document.area(()).width
        header = self._path_header(path, name, wide)
        if not path.steps:
            self.document.add_words([header])
            return
        style, area = _style(PATHS, puzzle), self.document.area(header)
        width = min(slot_width(area, style), style.widest)

        def picture(block: Block) -> str:
            step = path.steps[block.number].step
            return render_svg(
                puzzle.grid, puzzle.constraints, solution=step.solved, candidates=step.candidates,
                highlights=step.highlights, chains=step.links, legend=False,
            )  # fmt: skip

        rows, columns = puzzle.grid.board.extent
        blocks = (
            Block(number, *self._key_step(key, style, width), is_wide=columns > rows)
            for number, key in enumerate(path.steps)
        )
        later = [write("The words follow on the next pages.", style.words, width)]
        for page in pages(blocks, area, style, later):
            self.document.add(page, style, header, picture, lambda block: None)
            for block in page.later:
                heading, words = self._key_step(path.steps[block.number], style, wide)
                self.document.add_words([heading + words])

    def _path_header(self, path: Path, name: str, width: float) -> list[Any]:
        """What stands above each page of a path."""
        write = self.document.paragraph
        title = f"{name}: solution path" if name else "Solution path"
        said = ". ".join(f"{text[0].upper()}{text[1:]}" for text in path[1:3] if text)
        header = [write("", 13, width, bold=title, centred=True)]
        header.append(write(f"{said}.", 9, width, centred=True))
        if path.steps:
            header.append(write(path.legend, 8, width, centred=True))
        return header

    def _key_step(self, key: KeyStep, style: Style, width: float) -> tuple[list[Any], list[Any]]:
        """The heading and the words of a step."""
        write = self.document.paragraph
        words = [write(text, style.words, width, bold=bold) for bold, text in key.words]
        return [write("", style.heading, width, bold=key.title)], words

    # Solutions ------------------------------------------------------------------------------------

    def add_solutions(self) -> None:
        """The pages of solutions."""
        from .solutions import solve_sheet  # with numpy and a solver

        solved = solve_sheet(self._puzzles)
        style = _style(SOLUTIONS, *self._puzzles)
        wide = self.document.area(()).width
        name = f"{self._title}: solutions" if self._title else "Solutions"
        header = [self.document.paragraph("", 13, wide, bold=name, centred=True)]
        area = self.document.area(header)
        slot = slot_width(area, style)

        def blocks() -> Iterator[Block]:
            for number, (status, _, said) in enumerate(solved):
                name = self._name(number)
                if said:
                    self._tell(Remark(f"{name or 'the puzzle'}: {said}", status))
                bold = _cut(name, _room(slot, style.heading)) + ":" * bool(name and said)
                label = self.document.paragraph(said, style.heading, slot, bold=bold, centred=True)
                yield Block(number, [label])

        def picture(block: Block) -> str:
            grid, solution = self._puzzles[block.number].grid, solved[block.number].solution
            return render_svg(grid, _plain(grid.board), solution=solution, legend=False)

        for page in pages(blocks(), area, style, ()):
            self.document.add(page, style, header, picture, lambda block: None)


def _style(styles: Mapping[int, Style], *puzzles: Puzzle) -> Style:
    """That of the largest board among the puzzles."""
    largest = max(max(puzzle.grid.board.extent) for puzzle in puzzles)
    return next(
        (style for size, style in styles.items() if largest <= size), [*styles.values()][-1]
    )


def _plain(board: Any) -> Constraints:
    """The board alone."""
    return constraints_for(board_text(board), board)


def _room(width: float, font: float) -> int:
    """The characters that the name of a puzzle may have."""
    return min(LONGEST, int(HEADING * width / (WIDE * font)))


def _cut(text: str, most: int = LONGEST) -> str:
    """A text on one line, of no more characters than a heading may have."""
    text = clean(text)
    return text if len(text) <= most else f"{text[:most].rstrip()}..."


def as_sheet_puzzle(puzzle: PuzzleLike, rules: RulesLike = "classic") -> Puzzle:
    """Any puzzle as one of a sheet; `rules` are those of a puzzle that states none.

    Raises `GridError` or another `SatdokuError` for what is no puzzle.
    """
    if isinstance(puzzle, Unreadable):
        raise puzzle.error
    return puzzle if isinstance(puzzle, Puzzle) else as_puzzle(puzzle, rules)
