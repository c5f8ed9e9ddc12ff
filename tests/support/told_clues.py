"""Single clues of 9x9 with candidates, for tests of their words."""

from __future__ import annotations

from satdoku.explain.clue_words import reason
from satdoku.explain.exclusions import exclusions
from satdoku.explain.told import Told
from satdoku.explain.units import units_of
from satdoku.model.board import Board
from satdoku.model.clue import read_cells
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS

NINE = Board.of_size(9)


def told_of(text, left=None):
    """A clue where these cells hold these digits, and all others any, with all that it strikes."""
    units = units_of(constraints_for(text))
    live = units.every
    for name, digits in (left or {}).items():
        (cell,) = read_cells(name, NINE)
        live &= ~(511 << 9 * cell)
        live |= sum(1 << 9 * cell + int(digit) - 1 for digit in digits)
    (unit,) = [unit for unit in units.all if unit.sentence]
    clue, _ = units.clues[unit.family]
    return Told(units, unit, live, unit.unsupported(live), clue, KINDS[clue.kind])


def sentence(text, left=None):
    """What is said of all that the clue strikes."""
    told = told_of(text, left)
    assert told.struck
    why = reason(told.units, told.unit, told.live, told.struck)
    return f"{why}: {exclusions(told.units, told.struck, told.live)}"
