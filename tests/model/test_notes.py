"""Comments of files for solvers: what is written is read back."""

import pytest
from examples import FOUR

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.model.notes import NoteError, note, notes_in, notes_of, read_notes

JIGSAW = "king,jigsaw=1112122233334444"


@pytest.mark.parametrize("mark", ["c", ";", "*"])
@pytest.mark.parametrize(
    ("rules", "board"),
    [("classic", FOUR), (JIGSAW, None), ("knight;cage=6:r1c1,r1c2", Board(6, 3, 2))],
)
def test_what_is_written_is_read_behind_the_mark_of_every_format(mark, rules, board):
    constraints = constraints_for(rules, board)
    puzzle = parse_grid("1" + "." * (constraints.board.cells - 1), constraints.board)
    for asked in (puzzle, None):
        lines = [f"{mark} {line}" for line in notes_of(constraints, asked, encoding="log")]
        notes = notes_in(["p cnf 1 1", *lines, "1 0"])
        assert read_notes(notes) == (constraints, asked)
        assert notes["encoding"] == "log"


def test_other_comments_are_none_of_ours():
    assert note("c satdoku-size 9\r\n") == ("size", "9")
    assert note("c made by hand") is None
    assert read_notes({"size": "9"}) is None


def test_notes_that_say_no_board_are_refused():
    with pytest.raises(NoteError, match="size 'x' and box '': expected such as 9 and 3x3"):
        read_notes({"size": "x", "rules": "classic"})
