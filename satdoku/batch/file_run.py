"""What all runs from files of puzzles to one file share: how they begin.

Invariant: nothing is written before all files are known to be there, and the output is none of
them. Every part is read once, in order, and its rows are counted then. No numpy is loaded here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from ..files.collection import Part, parts_of
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.outputs import check_outputs, form_of
from ..files.streams import File, FileError, Files, check_inputs, files_named, named
from ..model.board import Board
from ..model.constraints import Constraints, RulesLike, constraints_for, rules_text, tells_board
from ..model.grid import NINE
from ..runtime.progress import Progress, Tally, reporting

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike


@dataclass
class FileRun:
    """Files of puzzles that become one file, once.

    rules: those that puzzles must have, None for their own; board: the one that they must have.
    made: the constraints on a board, by default those of the rules. tally: counts to add to.
    on_rows is called with numbers of rows written, on_open with each file, on_message with every
    message.
    """

    forms: ClassVar[Sequence[str]] = ("line",)  # that the output can have
    paths: Sequence[str]
    output: str
    _: KW_ONLY
    rules: str | None = None
    board: Board | None = None
    reading: ReadOptions = AS_IT_IS
    workers: WorkersLike | None = None
    made: Callable[[Board], Constraints] | None = None
    tally: Tally = field(default_factory=Tally)
    on_rows: Callable[[int], object] = lambda rows: None
    on_open: Callable[[BinaryIO], None] | None = None
    on_message: Callable[[object], None] = lambda message: None

    @classmethod
    def asked(
        cls,
        paths: Files,
        output: File,
        rules: RulesLike | None,
        progress: Progress,
        **more: Any,
    ) -> dict[str, Any]:
        """The counts of a run, asked for from Python; more: other fields."""
        board = constraints_for(rules).board if rules and tells_board(rules) else None
        text = rules_text(rules) if rules else None
        given = files_named(paths), named(output)
        with reporting(progress, None) as on_rows:
            return cls(*given, rules=text, board=board, on_rows=on_rows, **more).go()

    def go(self) -> dict[str, Any]:
        """Make the file; the counts."""
        raise NotImplementedError

    @property
    def form(self) -> str:
        """The form of the output, which its name tells."""
        return form_of(self.output, self.forms)

    def begin(self, size: int, *, keep: bool = False) -> tuple[Part, Iterator[Part]]:
        """The first part, and all of them, of at most `size` rows; keep: see `parts_of`.

        Raises `FileError` for files without a puzzle, and for the ending of another form.
        """
        _ = self.form  # before the work, which may take hours
        check_inputs(self.paths)
        check_outputs([self.output], self.paths)
        parts = self._counted(size, keep)
        first = next(parts, None)
        if first is None:
            raise FileError(f"{', '.join(self.paths)}: holds no puzzle")
        return first, chain([first], parts)

    def _counted(self, size: int, keep: bool) -> Iterator[Part]:
        for part in parts_of(
            self.paths, self.rules, self.board, size, reading=self.reading, on_open=self.on_open,
            keep=keep,
        ):  # fmt: skip
            self.tally.rows_read += part.rows
            yield part

    def usual(self, first: Part) -> Constraints:
        """The constraints of rows that have no rules of their own."""
        board = self.board or first.usual_board or NINE
        return self.made(board) if self.made else constraints_for(self.rules or "classic", board)
