"""ER, EP and ED of puzzles of every rule set: those of Sudoku Explainer for classic 9x9, else those
of the steps of `logic`, on its published scale.

Invariant: a rating depends on the puzzle and the scale alone: no clock, no solver, no solution.
Where no technique finds a step, the step is rated `scale.BEYOND`, more than any technique, so the
numbers grow with what is needed. No numpy, so that one puzzle costs no import of it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..model.constraints import Constraints
from ..model.grid import Grid
from ..ratings import scale as se
from ..ratings.step import TECHNIQUES as OF_SUDOKU_EXPLAINER
from ..runtime import limits
from .logic import scale
from .logic.ladder import Ladder
from .steps import check_end
from .techniques import State
from .units import units_of

# Names by the code that arrays hold; those of Sudoku Explainer first, with the codes of its steps.
TECHNIQUES = (*OF_SUDOKU_EXPLAINER, *(n for n in scale.RANGES if n not in OF_SUDOKU_EXPLAINER))
_CODES = {name: code for code, name in reversed(list(enumerate(TECHNIQUES)))}


class Taken(NamedTuple):
    """What a rating needs of a step: `places` if it places a digit of the grid."""

    rating: float
    technique: str
    places: bool


@dataclass(frozen=True)
class Rating:
    """ER, EP and ED of a puzzle under any rules, and the technique of the hardest step, the first
    of these; 0.0 and empty if there is nothing to do.

    counts: how often the solution uses each technique, the easiest first. If it needs more than the
    techniques, `complete` is False, that step counts as `scale.BEYOND`, and the counts end there.
    version: of the scale.
    """

    er: float
    ep: float
    ed: float
    technique: str
    counts: dict[str, int]
    version: int = scale.VERSION

    @property
    def complete(self) -> bool:
        """Whether the techniques suffice."""
        return self.technique != scale.BEYOND_NAME

    @property
    def words(self) -> str:
        """One line: `4.5 (EP 2.9, ED 1.5): forcing chain; 60 hidden single, 2 forcing chain`."""
        er = f"{self.er:.1f}" + ("" if self.complete else " at least")
        counts = ", ".join(f"{number} {name}" for name, number in self.counts.items())
        told = "; ".join(filter(None, (self.technique, counts)))
        return f"{er} (EP {self.ep:.1f}, ED {self.ed:.1f})" + (told and f": {told}")

    def _repr_html_(self) -> str:
        import html  # 2 ms, for notebooks alone

        return html.escape(self.words)

    def as_data(self) -> dict[str, Any]:
        """The rating as plain values for JSON."""
        return {
            "er": self.er,
            "ep": self.ep,
            "ed": self.ed,
            "technique": self.technique,
            "complete": self.complete,
            "counts": dict(self.counts),
            "version": self.version,
        }


def rating_of(puzzle: Grid, constraints: Constraints) -> Rating | se.Rating:
    """The rating of a puzzle with one solution."""
    if se.serves(constraints):
        return se.rating_of(puzzle.cells)
    return of_steps(steps_of(puzzle, constraints))


def rate_rows(cells: bytes, constraints: Constraints) -> array[int]:
    """As `ratings.scale.rate_cells`, under any rules: its fields for each puzzle of the bytes."""
    if se.serves(constraints):
        return se.rate_cells(cells)
    board, found = constraints.board, array("i")
    for start in range(0, len(cells), board.cells):
        rating = of_steps(steps_of(Grid(cells[start : start + board.cells], board), constraints))
        numbers = rating.er, rating.ep, rating.ed
        found.extend(round(10 * number) for number in numbers)
        found.append(_CODES.get(rating.technique, 0))
    return found


def techniques_under(constraints: Constraints | None) -> tuple[str, ...]:
    """The names of the techniques that hardest steps may have under these rules; None: under any
    rules but classic 9x9."""
    is_classic = constraints is not None and se.serves(constraints)
    return OF_SUDOKU_EXPLAINER if is_classic else (*scale.RANGES,)


def codes_of(technique: str) -> list[int]:
    """The codes of a technique, however its name is capitalised."""
    wanted = technique.strip().lower()
    return [code for code, name in enumerate(TECHNIQUES) if name.lower() == wanted]


def of_steps(steps: Iterable[Taken]) -> Rating:
    """The rating of a solution."""
    er = ep = ed = 0.0
    technique, is_placed = "", False
    counts: Counter[str] = Counter()
    for number, step in enumerate(steps):
        counts[step.technique] += 1
        ed = ed if number else step.rating
        ep = ep if is_placed else max(ep, step.rating)
        is_placed = is_placed or step.places
        if step.rating > er:
            er, technique = step.rating, step.technique
    counts.pop(scale.BEYOND_NAME, None)
    ordered = {name: counts[name] for name in scale.RANGES if name in counts}
    return Rating(er, ep, ed, technique, ordered)


def steps_of(puzzle: Grid, constraints: Constraints) -> Iterator[Taken]:
    """The steps of `logic` until the grid is full; one of `scale.BEYOND` where these end."""
    units = units_of(constraints)
    ladder = Ladder(units)  # one for each path, of which it keeps what the next step may need
    state, board = State.of(puzzle, units), units.board
    grid = (1 << units.size * board.grid_cells) - 1
    while (state.placed & grid).bit_count() < board.grid_cells:
        limits.check()
        finding = ladder.next(state)
        if finding is None:
            yield Taken(scale.BEYOND, scale.BEYOND_NAME, places=False)
            return
        assert finding.rating is not None
        put = finding.placed
        places = put is not None and bool(grid >> put & 1)
        yield Taken(finding.rating, finding.technique, places)
        state = state.strike(finding.struck) if put is None else state.place(put)
    check_end(state, puzzle)
