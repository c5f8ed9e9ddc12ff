"""Loops of cells that fall into parts of a sum, against brute force."""

import pytest
from examples import fill

from satdoku.answers.session import Session
from satdoku.files.foreign import ForeignError
from satdoku.files.iss import format_iss, parse_iss
from satdoku.model.rules import RuleError
from satdoku.witness.verify import violations

GRIDS = tuple(fill(bytes(16), 0))


def solutions(text):
    puzzle = parse_iss(text)
    with Session(puzzle.constraints) as session:
        found = list(session.solutions(puzzle.grid))
    assert not any(violations(grid, puzzle.constraints.rules) for grid in found)
    return sorted(tuple(s.values[: s.board.grid_cells]) for s in found)


def falls_apart(digits, total):
    """Whether the digits, read around from some cell on, are parts of that sum."""
    for first in range(len(digits)):
        so_far = parts = 0
        for digit in digits[first:] + digits[:first]:
            so_far += digit
            parts, so_far = (parts + 1, 0) if so_far == total else (parts, so_far)
            if so_far > total:
                break
        else:
            if so_far == 0 and parts:
                return True
    return False


@pytest.mark.parametrize("lowest", [0, 1])
@pytest.mark.parametrize("total", [1, 3, 4, 5, 6, 10])
@pytest.mark.parametrize("cells", [(0, 1, 5, 4), (0, 1, 2, 6, 10, 9, 8, 4), (0, 5)])
def test_a_loop_falls_into_parts(lowest, total, cells):
    grids = [tuple(digit - 1 + lowest for digit in grid) for grid in GRIDS]
    good = [grid for grid in grids if falls_apart([grid[cell] for cell in cells], total)]
    names = "~".join(f"R{cell // 4 + 1}C{cell % 4 + 1}" for cell in cells)
    text = f".Shape~4x4~{lowest}-{lowest + 3}.SumLine~{total}~{names}~LOOP"
    if good:
        assert solutions(text) == sorted(good)
        return
    try:
        assert solutions(text) == []
    except ForeignError as error:
        assert "no digits go with themselves" in str(error)


def test_each_loop_has_a_variable_of_its_own():
    one, two = "SumLine~5~R1C1~R1C2~R2C2~R2C1~LOOP", "SumLine~6~R1C3~R1C4~R2C4~R2C3~LOOP"
    both = parse_iss(f".Shape~4x4.{one}.{two}").constraints
    assert [layer.text for layer in both.board.layers] == ["loop*2:0-5"]
    good = {*solutions(f".Shape~4x4.{one}")} & {*solutions(f".Shape~4x4.{two}")}
    assert {*solutions(f".Shape~4x4.{one}.{two}")} == good
    either = {*solutions(f".Shape~4x4.{one}")} | {*solutions(f".Shape~4x4.{two}")}
    assert {*solutions(f".Shape~4x4.Or.{one}.{two}.End")} == either
    with pytest.raises(RuleError, match="has no layer loop of digits 0-5"):
        format_iss("." * 16, both)


@pytest.mark.parametrize("total", ["0", "26", "x", ""])
def test_sums_of_loops_are_small(total):
    with pytest.raises(ForeignError, match=r"column 2: \.SumLine: .*expected the sum of a loop"):
        parse_iss(f" .SumLine~{total}~R1C1~R1C2~LOOP")


def test_all_of_several_constraints_are_these():
    assert parse_iss(".And.~R1C1_3.And.Thermo~R1C2~R1C3.End.End") == parse_iss(
        ".~R1C1_3.Thermo~R1C2~R1C3"
    )
