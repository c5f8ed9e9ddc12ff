"""What the words about a step ask of its record and state."""

from scenes import CELLS, UNITS, scene

from satdoku.explain.scene import OR, lines, numbers


def test_cells_houses_and_digits_in_words():
    step = scene("X-wing", places={1: ["r1c1", "r5c5"]}, struck=["r5c5=1", "r5c5=2", "r1c2=1"])
    assert step.names(CELLS[name] for name in ("r5c5", "r1c1", "r1c2")) == "r1c1, r1c2 and r5c5"
    assert numbers({3, 1}, OR) == "1 or 3"
    assert lines(UNITS.houses[0:3:2]) == "rows 1 and 3"
    assert [house.label for house in step.shared([0, 1])] == ["row 1", "box 1"]
    assert step.struck == {CELLS["r5c5"]: {1, 2}}  # r1c2 has no 1 left
    assert step.with_digit(range(81), 1) == [CELLS["r1c1"], CELLS["r5c5"]]
    assert step.see(0, 20) and not step.see(0, 30)
