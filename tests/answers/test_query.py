"""What every query has: all questions answered by its solutions alone."""

from examples import FOUR

from satdoku.answers.query import Query, candidates_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.model.puzzle import Puzzle

FIRST, SECOND = bytes([1, 2, 3, 4] * 4), bytes([1, 2, 4, 3] * 4)


class Two(Query):
    """Two grids; of a puzzle those that have its first given."""

    def solutions(self, under=None, *, limit=None):
        fit = (c for c in (FIRST, SECOND) if under is None or c[2] == under.grid.cells[2])
        yield from list(fit)[:limit]


def test_all_questions_are_answered_by_solutions():
    query = Two()
    assert query.solve() == FIRST and (query.count(), query.count(limit=1)) == (2, 1)
    assert query.candidates() == {*candidates_of(FIRST), *candidates_of(SECOND)}
    under = Puzzle(parse_grid("..4".ljust(16, ".")), constraints_for("classic", FOUR))
    assert (query.solve(under), query.count(under)) == (SECOND, 1)
    assert (query.status(under), query.counters()) == (None, {})


def test_candidates_are_numbered_cell_by_cell():
    assert [*candidates_of(FIRST)][:5] == [0, 5, 10, 15, 16]
