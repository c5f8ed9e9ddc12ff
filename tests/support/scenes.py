"""Steps of the rating made by hand, on the empty classic board with fewer candidates."""

from satdoku.explain.scene import Scene
from satdoku.explain.techniques import State
from satdoku.explain.units import units_of
from satdoku.model.board import bits, mask_of
from satdoku.model.constraints import constraints_for
from satdoku.ratings.step import Step

UNITS = units_of(constraints_for("classic"))
CELLS = {UNITS.board.name_of(cell): cell for cell in range(81)}
RATINGS = {"direct claiming": 19}


def candidate(name):
    """The number of `r1c1=5`."""
    cell, digit = name.replace("≠", "=").split("=")
    return 9 * CELLS[cell] + int(digit) - 1


def state_of(places):
    """The candidates: by digit the cells that have it; digits that are not named, everywhere."""
    kept = mask_of(9 * CELLS[cell] + d - 1 for d, cells in places.items() for cell in cells)
    gone = mask_of(c for c in bits(UNITS.every) if c % 9 + 1 in places) & ~kept
    return State(UNITS, UNITS.every & ~gone, 0)


def scene(
    technique, *, places=None, placed=None, struck=(), cells=(), digits=(), houses=(), strands=()
):
    """A step with its scene; candidates, cells and houses by name."""
    named = [house for label in houses for house in UNITS.houses if house.label == label]
    rated = Step(
        technique,
        0,
        RATINGS.get(technique, 70),
        None if placed is None else candidate(placed),
        tuple(map(candidate, struck)),
        tuple(CELLS[cell] for cell in cells),
        tuple(digits),
        (),
        tuple(strands),
    )
    return Scene(rated, state_of(places or {}), named)
