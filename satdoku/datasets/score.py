"""The grid in an answer: is it right, and if not, how much of it?

Invariant: whatever the text is, the answer is a grid or None. The score is 1 if and only if the
answer is a solution, whichever of several; it is the same on every machine and with every solver.

The score is the share of the cells that the puzzle leaves empty whose digits are kept, by this
rule: read the empty cells row by row, and keep the digit of the answer if some solution has it
beside the givens and all digits kept so far. So

- a given that is changed or left out, or a text without a grid, scores 0;
- of a puzzle with one solution, the score is the share of empty cells that are right: givens count
  for nothing, and a copy of the puzzle scores 0;
- of a puzzle with several solutions, every solution scores 1, and the digits kept always belong to
  one solution together;
- to replace an empty or wrong cell by a digit that fits all the kept ones adds exactly 1 / empty
  cells, and to empty a cell whose digit was not kept changes nothing.

The largest agreement with any solution would be a rule as well, but to find it is an optimisation
that may take for ever; here a cell costs at most one question to a solver.

An answer that places digits one by one has a verdict for each (`judge_placements`), true of all
solutions of the board as the right ones before it left it.

    checked = check_answer(puzzle, "The solution is ...", "knight")
    checked.score, checked.right, checked.reasons

Language models write grids between words, rulings and code fences. Of several grids the last one
counts, so that to write more of them gains nothing. The time is linear in the text. If the text has
`<answer>` tags, only what the last of them holds is read, and nothing before `</think>`. In what is
left, a grid is one of these:

    as many successive lines as the board has rows, each with as many cells; between and around the
    cells may stand anything of `_BETWEEN`, bold digits (`**5**`) count as digits, and before them
    `Row 1:`, `1.` or other words that end in a colon. Empty lines, rulings and code fences between
    rows are passed over.
    all cells in one line, with or without separators: `[[1, 2, ...], ...]`, or one character a cell
    within a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from ..answers.answer import answer, solution_of
from ..explain.judge import LIMIT, claim_of, judge_step
from ..files.one import WAY, PuzzleLike, Rules, as_puzzle
from ..model.board import Board
from ..model.grid import BYTE_VALUES, NO_VALUE, Grid, as_grid
from ..model.numbers import DRAWN
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError, SatdokuError, Status, counted
from ..witness.verify import solves, violations

_BETWEEN = re.compile(rf"[\s,;|+/\\\[\](){{}}<>\"'`&=:#$\-{DRAWN}]+")
_TAGGED = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"</think>", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\r|\n|\\n|\\\\|<br\s*/?>|</tr>", re.IGNORECASE)
_COMMAND = re.compile(
    r"\\(?:begin|end){\w+}(?:{\w*})?|\\[a-z]+|"
    r"</?(?:t[adhr]|table|tbody|pre|code)\b[^<>]*>",
    re.IGNORECASE,
)
_BOLD = re.compile(r"\*\*\s*(\w+)\s*\*\*")
_NUMBERED = re.compile(r"\A[\W_]*(?:(?:row|line|r)\s*)?\d+\s*[.):]\s", re.IGNORECASE)


def find_answer(text: str, board: Board) -> Grid | None:
    """The last grid of a text, None if there is none."""
    tagged: list[str] = _TAGGED.findall(text)
    text = _THOUGHT.split(tagged[-1] if tagged else text)[-1]
    size, found = board.size, b""
    rows: list[bytes] = []
    for line in _LINE_END.split(text):
        plain = _COMMAND.sub(" ", line)
        if not _BETWEEN.sub("", plain):
            continue
        cells = _cells_of(plain, board)
        rows = [*rows[1 - size :], cells] if len(cells) == size else []
        if len(cells) == board.cells or len(rows) == size:
            found = cells if not rows else b"".join(rows)
    return Grid(found, board) if found else None


def _cells_of(line: str, board: Board) -> bytes:
    """The cells of a line that holds a row or a whole grid; none if it holds neither."""
    for reading in _readings(line):
        cells = _values(reading, board)
        if len(cells) in (board.size, board.cells):
            return cells
    whole = _whole(board).findall(line)
    return whole[-1].encode().translate(BYTE_VALUES) if whole else b""


def _readings(line: str) -> Iterator[str]:
    """The line as it is, without bold marks, and without what may stand before its cells."""
    yield line
    plain = _BOLD.sub(r" \1 ", line)
    yield plain
    yield plain.rpartition(":")[2]
    yield _NUMBERED.sub("", plain, count=1)


def _values(text: str, board: Board) -> bytes:
    """The values of all words of a text, nothing if any of them is no cell."""
    words = _BETWEEN.split(text)
    if "-" in text and len(text.strip()) in (board.size, board.cells):
        words = [text.strip().replace("-", ".")]
    values = bytearray()
    for word in words:
        if board.size > 9 and len(word) == 2 and word.isdecimal() and word.isascii():
            values.append(int(word))
        elif word.isascii():
            values += word.encode().translate(BYTE_VALUES)
        else:
            return b""
    return bytes(values) if max(values, default=NO_VALUE) <= board.size else b""


@lru_cache(16)
def _whole(board: Board) -> re.Pattern[str]:
    """A whole grid within a sentence."""
    known = "".join(chr(code) for code in range(128) if BYTE_VALUES[code] <= board.size)
    cell = f"[{re.escape(known)}]"
    return re.compile(rf"(?<![\w.*?%]){cell}{{{board.cells}}}(?![\w*?%]|\.\.)")


# Placements, judged in their order ---------------------------------------------------------------

_PLACED = re.compile(r"\br(\d{1,3})c(\d{1,3})\s*[:=]\s*(-?\d{1,3})(?!\d)", re.IGNORECASE)
# What a verdict of `judge_step` means for whoever has placed the digit.
_LUCK = {
    "forced": "forced", "known": "known", "true": "lucky", "undecided": "open", "false": "wrong",
}  # fmt: skip


class Placed(NamedTuple):
    """A digit that an answer places, on the board as it was then.

    verdict: "forced" (one step concludes it), "lucky" (every solution has it, but no step concludes
    it at once), "open" (some solutions have it, others do not), "known" (the board has it), "wrong"
    (no solution has it, or there is no such cell or digit) or "unknown" (beyond the limit of time).
    technique, rating: of the step, None without one. words: one sentence.
    """

    claim: str
    verdict: str
    technique: str | None
    rating: float | None
    words: str


def judge_placements(
    puzzle: PuzzleLike, answer: object, rules: Rules = None, *, timeout: float | None = LIMIT
) -> list[Placed]:
    """Whether each digit that an answer places is forced, lucky or wrong.

    puzzle, rules: as `satdoku.solve` takes them. answer: a text with placements such as `r1c2: 5`
    or `r1c2=5`; of one with `<answer>` tags, only what these hold, one after the other; anything
    else places nothing. Each is
    judged on the board with those before it that are not wrong, in at most `timeout` seconds.
    Raises `SatdokuError` for a puzzle that cannot be read or has no solution, never for an answer.
    """
    posed_puzzle = posed(puzzle, rules)
    if _asked(posed_puzzle)[1](posed_puzzle.grid) is None:
        raise AnswerError("a puzzle without a solution: expected one")
    found = []
    for row, column, digit in placements_in(answer) if isinstance(answer, str) else ():
        claim = f"r{row}c{column}={digit}"
        try:
            claimed = claim_of(claim, posed_puzzle.grid.board)
        except SatdokuError as error:
            found.append(Placed(claim, "wrong", None, None, f"{claim}: wrong; {error}"))
            continue
        placed = _placed(posed_puzzle, claim, timeout)
        found.append(placed)
        if placed.verdict in ("forced", "lucky", "open", "unknown"):
            posed_puzzle = _with_digit(posed_puzzle, claimed.candidate) or posed_puzzle
    return found


def placements_in(text: str) -> list[tuple[int, int, int]]:
    """Row, column and digit of each placement of a text, in their order."""
    tagged: list[str] = _TAGGED.findall(text)
    told = "\n".join(tagged) if tagged else _THOUGHT.split(text)[-1]
    return [(int(row), int(column), int(digit)) for row, column, digit in _PLACED.findall(told)]


def _placed(puzzle: Puzzle, claim: str, timeout: float | None) -> Placed:
    """The judgement of one placement."""
    try:
        judged = judge_step(puzzle, claim, timeout=timeout)
    except BudgetError:
        return Placed(claim, "unknown", None, None, f"{claim}: not judged within {timeout} s")
    verdict = _LUCK[judged.verdict]
    words = judged.words.replace(f": {judged.verdict}", f": {verdict}", 1)
    return Placed(claim, verdict, judged.technique, judged.rating, words)


def _with_digit(puzzle: Puzzle, candidate: int) -> Puzzle | None:
    """The puzzle with the digit on its board, None if it has no solution then."""
    cell, position = divmod(candidate, puzzle.grid.board.choices)
    cells = bytearray(puzzle.grid.cells)
    cells[cell] = position + 1
    more = replace(puzzle, grid=Grid(bytes(cells), puzzle.grid.board))
    return more if solution_of(more) is not None else None


# Scores -------------------------------------------------------------------------------------------

MOST = 10  # sentences of a sort, and cells in a sentence


class AnswerError(SatdokuError):
    """A puzzle that answers cannot be compared with: it has no solution, or rules in words only."""


class CheckedAnswer(NamedTuple):
    """What an answer is worth.

    score: 0 to 1. right: whether it is a solution. reasons: sentences that name cells, none if it
    is right. grid: what was read, None if the text holds none. empty: cells that the puzzle leaves
    empty; filled: how many of them the answer fills; kept: how many of their digits are kept.
    wrong: those that are filled and not kept, 0-based. changed: givens that the answer changes or
    leaves out, all without a grid. broken: times that its digits break a rule or a clue.
    """

    score: float
    right: bool
    reasons: tuple[str, ...]
    grid: Grid | None
    empty: int
    filled: int = 0
    kept: int = 0
    wrong: tuple[int, ...] = ()
    changed: int = 0
    broken: int = 0

    def __repr__(self) -> str:
        known = "right" if self.right else f"score {self.score:.3f}"
        return f"<CheckedAnswer: {known}, {self.kept} of {counted(self.empty, 'cell')} kept>"

    def _repr_html_(self) -> str:
        """The answer and the reasons, for a notebook."""
        from ..render.markup import drawing, frame, paragraphs

        words = "\n".join([f"Score {self.score:.3f}", *self.reasons])
        if self.grid is None:
            return frame(*paragraphs(words))
        return drawing(self.grid, words=words, highlights={"conflict": self.wrong})

    def as_data(self) -> dict[str, object]:
        """The fields as plain values for JSON."""
        text = None if self.grid is None else str(self.grid)
        return {**self._asdict(), "reasons": list(self.reasons), "grid": text}


def check_answer(
    puzzle: PuzzleLike, answer: object, rules: Rules = None, *, timeout: float | None = None
) -> CheckedAnswer:
    """The score of an answer, and why it is not 1.

    puzzle, rules: as `satdoku.solve` takes them. answer: a text that holds the grid (see
    `learning.score`), a `Grid`, or digits row by row; anything else scores 0. Raises
    `SatdokuError` for a puzzle that cannot be read or has no solution, never for an answer, and
    `BudgetError` after `timeout` seconds.
    """
    with limits.within(timeout):
        return checked(posed(puzzle, rules), answer)


def posed(puzzle: PuzzleLike, rules: Rules = None) -> Puzzle:
    """A puzzle with its rules, however it is stated; raises `SatdokuError`."""
    found = as_puzzle(puzzle, rules)
    if found.warning:
        raise AnswerError(f"puzzle: {found.warning}; {WAY}")
    return found


def checked(puzzle: Puzzle, answer: object, solution: Grid | None = None) -> CheckedAnswer:
    """What `check_answer` returns. solution: the puzzle's, if there is certainly no other."""
    given, size = puzzle.grid, puzzle.grid.board.size
    empty = given.cells.count(0)
    grid = answer_grid(answer, puzzle)
    if grid is None:
        missing = f"no grid was found: expected {size} rows of {size} digits"
        return CheckedAnswer(0.0, False, (missing,), None, empty, changed=given.givens)
    filled = sum(1 for a, b in zip(grid, given, strict=True) if a and not b)
    if _is_right(grid, puzzle):
        return CheckedAnswer(1.0, True, (), grid, empty, filled, empty)
    changed = [c for c, digit in enumerate(given) if digit and grid[c] != digit]
    kept = kept_cells(grid, puzzle, solution)
    wrong = tuple(c for c, b in enumerate(given) if grid[c] and not b and c not in kept)
    broken = violations(grid, puzzle.constraints.rules)
    reasons = (
        *_cut([_changed(cell, grid, given) for cell in changed], "givens"),
        *_cut([violation.describe(grid) for violation in broken], "broken rules"),
        *_about_cells(grid, puzzle, wrong),
    )
    score = 0.0 if changed else len(kept) / max(1, empty)
    return CheckedAnswer(
        score, False, reasons, grid, empty, filled, len(kept), wrong, len(changed), len(broken)
    )


def answer_grid(answer: object, puzzle: Puzzle) -> Grid | None:
    """The grid of an answer, None if it is none or of another board."""
    board = puzzle.grid.board
    if isinstance(answer, str):
        return find_answer(answer, board)
    try:
        return as_grid(answer, board)  # type: ignore[arg-type]
    except (SatdokuError, ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
        return None


def kept_cells(answer: Grid, puzzle: Puzzle, only: Grid | None = None) -> frozenset[int]:
    """The cells that the puzzle leaves empty whose digits are kept; raises `AnswerError`."""
    filled = [c for c, digit in enumerate(puzzle.grid) if answer[c] and not digit]
    if only is not None:
        return frozenset(c for c in filled if answer[c] == only[c])
    status, ask = _asked(puzzle)
    solution = ask(puzzle.grid)
    if solution is None:
        raise AnswerError(f"a puzzle with status '{status}' has no answer: expected a solution")
    if status is Status.UNIQUE:
        return frozenset(c for c in filled if answer[c] == solution[c])
    cells = bytearray(puzzle.grid.cells)
    for cell in filled:
        cells[cell] = answer[cell]
        if solution[cell] != answer[cell]:
            other = ask(Grid(bytes(cells), answer.board))
            cells[cell] = answer[cell] if other else 0
            solution = other or solution
    return frozenset(cell for cell in filled if cells[cell])


Ask = Callable[[Grid], Grid | None]


def _asked(puzzle: Puzzle) -> tuple[Status, Ask]:
    """The status of a puzzle, and a function that solves it with more digits."""

    def ask(more: Grid) -> Grid | None:
        return solution_of(replace(puzzle, grid=more))

    return answer(puzzle).status, ask


def _is_right(answer: Grid, puzzle: Puzzle) -> bool:
    right = solves(answer, puzzle.grid, puzzle.constraints.rules)
    return right and not _struck(answer, puzzle)


def _struck(answer: Grid, puzzle: Puzzle) -> list[int]:
    """The cells with a digit that the puzzle's pencil marks exclude."""
    marks, size = puzzle.mark_bytes, answer.board.size
    if marks is None:
        return []
    return [c for c, digit in enumerate(answer) if digit and not marks[size * c + digit - 1]]


def _changed(cell: int, answer: Grid, puzzle: Grid) -> str:
    found = f"has {answer[cell]}" if answer[cell] else "has nothing"
    return f"{puzzle.board.name_of(cell)}={puzzle[cell]} is given, and the answer {found} there"


def _about_cells(answer: Grid, puzzle: Puzzle, wrong: Sequence[int]) -> Iterator[str]:
    """Which cells are empty, which digits are not allowed, and which are not kept."""
    name = answer.board.name_of
    empty = [name(c) for c, digit in enumerate(answer) if not digit]
    if empty:
        yield f"empty: {_listed(empty)}"
    struck = [f"{name(c)}={answer[c]}" for c in _struck(answer, puzzle)]
    if struck:
        yield f"excluded by the candidates of the puzzle: {_listed(struck)}"
    if wrong:
        digits = [f"{name(c)}={answer[c]}" for c in wrong]
        yield f"in no solution beside the digits that are kept: {_listed(digits)}"


def _cut(sentences: Sequence[str], what: str) -> Iterator[str]:
    """The first sentences, and how many more there are."""
    yield from islice(sentences, MOST)
    if len(sentences) > MOST:
        yield f"{len(sentences) - MOST} more {what}"


def _listed(words: Sequence[str]) -> str:
    more = f" and {len(words) - MOST} more" if len(words) > MOST else ""
    return f"{', '.join(words[:MOST])}{more}"
