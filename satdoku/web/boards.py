"""Boards as the page draws and asks for them, and the values of layers that are set in cells.

Invariant: the page gets all that it knows of a board from here: places, names, characters, which
words of the rules state it. A form that was made of a board is read as the same board.

A puzzle has no givens in layers. A value that is set there is a clue of its own, one for all cells
with the same value: `digits=1:shade.r1c1,shade.r1c2`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..model.board import Board, Cells, Layer, bits
from ..model.clue import Clue
from ..model.constraints import Constraints, board_words, constraints_for, usual_board
from ..model.grid import Grid, notation_of
from ..model.implied import peers_of
from ..model.kinds import ONE_OF, clue_of
from ..model.puzzle import Puzzle, empty_puzzle
from ..model.rules import BOXES, DIGITS, GRIDS, HOLES, JIGSAW, LATIN, LAYER, NO_LINES, SHAPE
from ..runtime.errors import no_such
from .asked import AskedError, asked_puzzle, checked_size, clue_texts, number_of, stated
from .questions import Object

NO_BOXES = "none"
# What a form says, with what it says of no board: text, flags and lists of texts.
FORM: Object = {
    SHAPE: "9x9",
    DIGITS: "",
    BOXES: "",
    JIGSAW: "",
    GRIDS: [],
    HOLES: [],
    LAYER: [],
    **dict.fromkeys(NO_LINES, False),
}


def about(constraints: Constraints) -> Object:
    """What the page must know of the board and the rules of a puzzle (docs/PAGE.md)."""
    board = constraints.board
    notation = notation_of(board.digits)
    count = 1 + len(board.digits)
    written = notation.line[:count].decode() if notation.line else ""
    return {
        "rows": board.extent[0],
        "columns": board.extent[1],
        "places": [list(place) for place in board.places],
        "names": [board.name_of(cell) for cell in range(board.cells)],
        "digits": list(board.digits),
        "characters": list(written or (".", *map(str, board.digits))),
        "separator": "" if written else " ",
        "regions": [board.box_of(cell) for cell in range(board.grid_cells)]
        if board.has_boxes
        else None,
        "layers": [
            {
                "name": layer.name,
                "first": board.first_of[layer.name],
                "digits": list(layer.digits),
                "free": layer.free,
            }
            for layer in board.layers
        ],
        "rules": list(constraints.names),
        "words": list(board_words(board)),
        "boxes": _boxes(board),
        "form": form_of(board),
    }


def _boxes(board: Board) -> list[str]:
    """The boxes that fit, as rows x columns, the usual ones first."""
    usual, most = usual_board(board), len(board.digits)
    shapes = [
        f"{rows}x{columns}"
        for rows in range(2, board.height + 1)
        for columns in range(2, board.width + 1)
        if rows * columns <= most and not (board.height % rows or board.width % columns)
    ]
    if board.is_usual:
        shapes = [each for each in shapes if _area(each) == most]
    return list(dict.fromkeys([*([usual.box_shape] if usual.has_boxes else []), *shapes]))


def _area(shape: str) -> int:
    rows, _, columns = shape.partition("x")
    return int(rows) * int(columns)


def form_of(board: Board) -> Object:
    """The board as a form, which `board_of` reads."""
    words = dict(word.partition("=")[::2] for word in board_words(board) if ":" not in word)
    boxes = board.box_shape if board.has_boxes and not board.regions else ""
    return {
        SHAPE: board.shape,
        DIGITS: words.get(DIGITS, ""),
        BOXES: boxes or (NO_BOXES if not board.has_boxes else ""),
        JIGSAW: board.region_map,
        GRIDS: [_name(place) for place in board.corners] if len(board.corners) > 1 else [],
        HOLES: [_name(place) for place in board.holes],
        LAYER: [layer.text for layer in board.layers],
        **{name: line in board.without for name, line in NO_LINES.items()},
    }


def _name(place: tuple[int, int]) -> str:
    return f"r{place[0] + 1}c{place[1] + 1}"


def board_of(form: object) -> Board:
    """The board of a form, in which what is not said is as in `FORM`."""
    if not isinstance(form, dict):
        raise AskedError("form: expected an object")
    for key, value in form.items():
        if key not in FORM:
            raise AskedError(f"form: {no_such('key', str(key)[:20], FORM)}")
        texts = value if isinstance(value, list) else ()
        if type(value) is not type(FORM[key]) or not all(type(text) is str for text in texts):
            raise AskedError(f"form: {key}: expected {_EXPECTED[type(FORM[key])]}")
    board = constraints_for(";".join(_words(FORM | form))).board
    checked_size(board)
    return board


_EXPECTED = {str: "a text", list: "a list of texts", bool: "true or false"}


def _words(form: Object) -> Iterator[str]:
    """The words of a rule set that say what a form says."""
    for key in (SHAPE, DIGITS, *([JIGSAW] if form[JIGSAW] else [BOXES])):
        if form[key] == NO_BOXES:
            yield LATIN
        elif form[key]:
            yield f"{key}={_one_word(form[key])}"
    yield from (name for name in NO_LINES if form[name])
    for key in (GRIDS, HOLES):
        if form[key]:
            yield f"{key}:{','.join(map(_one_word, form[key]))}"
    yield from (f"{LAYER}={_one_word(text)}" for text in form[LAYER])


def _one_word(text: str) -> str:
    """The text, which may not end the word of a rule set that it is in."""
    if ";" in text:
        raise AskedError(f"form: found ';' in {text[:20]!a}")
    return text


def board(asked: Object) -> Iterator[Object]:
    """{"puzzle"}: an empty puzzle on the board of a form; with `puzzle`, that puzzle, moved there
    with all that it states."""
    wanted = board_of(asked.get("form"))
    if "puzzle" not in asked:
        yield {"puzzle": stated(empty_puzzle(constraints_for("classic", wanted)))}
        return
    puzzle, texts = asked_puzzle(asked), clue_texts(asked)
    names = ",".join(puzzle.constraints.names) or "classic"
    constraints = constraints_for(";".join([names, *texts]), wanted)
    yield {"puzzle": stated(_moved(puzzle, constraints)) | ({"clues": texts} if texts else {})}


def _moved(puzzle: Puzzle, constraints: Constraints) -> Puzzle:
    """The givens and pencil marks of the cells that both boards have, under other constraints."""
    old, new = puzzle.grid.board, constraints.board
    cells = bytearray(new.cells)
    marks = [
        frozenset(range(1, 1 + len(digits))) for digits in new.domains(tuple(range(new.cells)))
    ]
    for name, cell in old.cell_named.items():
        if name not in new.cell_named:
            continue
        there = new.cell_named[name]
        (digits,), (others,) = old.domains((cell,)), new.domains((there,))
        if given := puzzle.grid[cell]:
            if digits[given - 1] not in others:
                raise AskedError(f"{name}={digits[given - 1]}: take this digit away first")
            cells[there] = others.index(digits[given - 1]) + 1
        if puzzle.marks is not None:
            kept = {digits[mark - 1] for mark in puzzle.marks[cell]} & {*others}
            if kept and len(puzzle.marks[cell]) < len(digits):
                marks[there] = frozenset(others.index(digit) + 1 for digit in kept)
    kept_marks = tuple(marks) if puzzle.marks is not None else None
    return replace(puzzle, grid=Grid(bytes(cells), new), constraints=constraints, marks=kept_marks)


def peers(constraints: Constraints) -> list[list[int]]:
    """For each cell of the grids those that no rule or clue lets hold the same digit."""
    count = constraints.board.grid_cells
    return [[peer for peer in bits(mask) if peer < count] for mask in peers_of(constraints)[:count]]


# Values of layers ---------------------------------------------------------------------------------


def values(constraints: Constraints) -> list[tuple[int, int]]:
    """The values that are set in layers: cells with the position of the value."""
    board = constraints.board
    found = {
        cell: position
        for clue in constraints.clues
        if (position := _set_by(clue, board))
        for cell in clue.cells
    }
    return sorted(found.items())


def _set_by(clue: Clue, board: Board) -> int:
    """The position of the value that a clue sets in cells of one layer, 0 if it does not."""
    layer = _layer_of(clue.cells, board) if clue.kind == ONE_OF else None
    if layer is None or not clue.value.lstrip("-").isdecimal():
        return 0
    return layer.digits.index(int(clue.value)) + 1 if int(clue.value) in layer.digits else 0


def _layer_of(cells: Sequence[int], board: Board) -> Layer | None:
    """The layer that all of the cells are of."""
    for layer in board.layers:
        first = board.first_of[layer.name]
        if cells and first <= min(cells) <= max(cells) < first + board.size_of(layer.name):
            return layer
    return None


def value(asked: Object) -> Iterator[Object]:
    """{"puzzle"}: the puzzle with the value of a `digit` set in `cells` of a layer, or taken away
    from cells that all have it already; 0 takes any value away."""
    puzzle, cells = asked_puzzle(asked), _cells(asked)
    board = puzzle.grid.board
    layer = _layer_of(cells, board)
    if layer is None:
        raise AskedError("cells: expected some of one layer")
    position = number_of(asked, "digit", 0, len(layer.digits), 0)
    known = dict(values(puzzle.constraints))
    if all(known.get(cell) == position for cell in cells):
        position = 0
    texts = list(_without(clue_texts(asked), {*cells}, board))
    if position:
        texts = _with(texts, cells, layer.digits[position - 1], board)
    yield {"puzzle": {**asked["puzzle"], "clues": texts}}


def _cells(asked: Object) -> Cells:
    found = asked.get("cells")
    if not isinstance(found, list) or not all(type(cell) is int for cell in found):
        raise AskedError("cells: expected a list of numbers")
    return tuple(found)


def _without(texts: Sequence[str], cells: set[int], board: Board) -> Iterator[str]:
    """The clues, of which those that set values set none in these cells."""
    for text in texts:
        clue = clue_of(text, board)
        if not _set_by(clue, board) or not cells & {*clue.cells}:
            yield text
        elif rest := [cell for cell in clue.cells if cell not in cells]:
            yield _setting(rest, clue.value, board)


def _with(texts: list[str], cells: Sequence[int], digit: int, board: Board) -> list[str]:
    """The clues, and one more that sets a value; or that one of them sets it in more cells."""
    for place, text in enumerate(texts):
        clue = clue_of(text, board)
        same = _set_by(clue, board) and int(clue.value) == digit
        if same and _layer_of((*clue.cells, *cells), board):
            more = _setting(sorted({*clue.cells, *cells}), clue.value, board)
            return [*texts[:place], more, *texts[place + 1 :]]
    return [*texts, _setting(cells, str(digit), board)]


def _setting(cells: Sequence[int], value: str, board: Board) -> str:
    return f"{ONE_OF}={value}:{','.join(map(board.name_of, cells))}"
