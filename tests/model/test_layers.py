"""Layers: cells that no house holds. Solutions are those of brute force over digits and layers."""

from itertools import permutations, product

import numpy as np
import pytest

import satdoku
from satdoku import engine
from satdoku.model.board import Board, BoardError, Layer
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid
from satdoku.model.rules import RuleError
from satdoku.runtime.errors import SatdokuError, Status


def solved(rules, limit=None):
    """The digits of all solutions of a rule set, as tuples of numbers."""
    constraints = constraints_for(rules)
    board = constraints.board
    found = satdoku.solutions(empty_grid(board), rules=constraints, limit=limit)
    return [grid.values[: board.grid_cells] for grid in found]


def latin(rows, columns, digits):
    """All grids of that shape in which no digit repeats in a row or a column."""
    lines = list(permutations(digits, columns))
    for grid in product(lines, repeat=rows):
        if all(len({*column}) == rows for column in zip(*grid, strict=True)):
            yield tuple(digit for line in grid for digit in line)


TWO_BY_THREE = "latin,shape=2x3"


def test_a_solution_counts_once_however_many_values_its_layers_have():
    assert sorted(solved(f"{TWO_BY_THREE};layer=shade:0-1")) == sorted(latin(2, 3, (1, 2, 3)))
    assert satdoku.classify("1.....", rules=f"{TWO_BY_THREE};layer=a:1-9") is Status.MULTIPLE
    assert satdoku.count("123...", rules=f"{TWO_BY_THREE};layer=a:1-9") == 2
    assert satdoku.classify("123231", rules=f"{TWO_BY_THREE};layer=a:1-9") is Status.UNIQUE


@pytest.mark.parametrize(
    ("clues", "holds"),
    [
        ("sum=5:r1c1,shade.r1c1,shade.r2c3", lambda d, s: d[0] + s[0] + s[5] == 5),
        ("weighted=2,-1=3:r1c1,shade.r1c2", lambda d, s: 2 * d[0] - s[1] == 3),
        ("thermo:shade.r1c1,r1c1,r2c1", lambda d, s: s[0] < d[0] < d[3]),
        ("clone:r1c1>shade.r2c2", lambda d, s: d[0] == s[4]),
        (
            "machine=a-1>b,a-[^1]>a,b-2>b,b*:shade.r1c1,shade.r1c2,r1c1,r2c1",
            lambda d, s: word((s[0], s[1], d[0], d[3])),
        ),
        (
            "or:(sum=0:shade.r1c1),(sum=6:r1c1,r2c1,shade.r1c1)",
            lambda d, s: s[0] == 0 or d[0] + d[3] + s[0] == 6,
        ),
        ("count=1x2:shade.row1", lambda d, s: s[:3].count(1) == 2),
        ("cage=4:r1c1,shade.r1c1", lambda d, s: d[0] + s[0] == 4 and d[0] != s[0]),
    ],
)
@pytest.mark.parametrize("values", ["0-1", "0,2", "1-4", "-1,1,3"])
def test_clues_read_layers_as_cells(clues, holds, values):
    rules = f"{TWO_BY_THREE};layer=shade:{values};{clues}"
    digits = constraints_or_none(rules)
    if digits is None:  # a machine on digits without a character, a value out of reach
        return
    expected = [
        grid
        for grid in latin(2, 3, (1, 2, 3))
        if any(holds(grid, shade) for shade in product(digits, repeat=6))
    ]
    assert sorted(solved(rules)) == sorted(expected)


def word(read):
    """Whether the machine of the test accepts it: nothing but other digits, a 1, then 2s."""
    at = read.index(1) if 1 in read else None
    return at is not None and all(x == 2 for x in read[at + 1 :])


def constraints_or_none(rules):
    try:
        return constraints_for(rules).board.layers[0].digits
    except SatdokuError:
        return None


def test_free_variables_have_names_of_their_own():
    constraints = constraints_for(f"{TWO_BY_THREE};layer=a*2:1-20;layer=b*1:0-9;sum=30:a.1,a.2,b")
    board = constraints.board
    assert [board.name_of(cell) for cell in range(6, 9)] == ["a.1", "a.2", "b"]
    assert (board.grid_cells, board.cells, board.choices) == (6, 9, 20)
    assert constraints_for(constraints.name) == constraints
    solution = satdoku.solve("......", rules=constraints)
    assert sum(solution.values[6:]) == 30
    assert str(solution) == "".join(map(str, solution.values[:6]))


@pytest.mark.parametrize("encoding", ["extended", "minimal", "efficient", "reduced", "triads"])
def test_every_encoding_excludes_what_a_cell_never_holds(encoding):
    rules = f"{TWO_BY_THREE};layer=a:1-5;sum=9:r1c1,a.r1c1,a.r1c2"
    constraints = constraints_for(rules)
    with satdoku.Session(constraints, encoding=encoding) as session:
        found = {grid.cells[:6] for grid in session.solutions(empty_grid(constraints.board))}
    assert len(found) == 12


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        ("layer=shade", RuleError, "expected a name and digits, as in layer=shade:0-1"),
        ("layer=a:x", RuleError, "digits x: expected 0-8"),
        ("layer=a:0-1;layer=a:1-2", BoardError, "layer 'a': expected a name of letters, each once"),
        ("layer=a:0-1;odd:b.r1c1", ClueError, "'b' names no layer: there is a"),
        ("layer=a*2:0-1;odd:a.3", ClueError, "expected a.1 to a.2"),
        ("layer=a*1:0-1;odd:a.1", ClueError, "a.1: expected a$"),
        ("layer=a:0-1;odd:a.r9c9", ClueError, "r9c9 is outside the board of 2x3"),
    ],
)
def test_what_is_no_layer_is_told(words, error, said):
    with pytest.raises(error, match=said):
        constraints_for(f"{TWO_BY_THREE};{words}")


def test_the_engine_counts_no_layers_and_nobody_asks_it():
    rules = constraints_for(f"{TWO_BY_THREE};layer=a:0-1")
    with pytest.raises(BoardError, match="the engine takes no layers"):
        engine.solve(np.zeros((1, 12), np.uint8), rules)
    assert satdoku.candidates("123...", rules=rules)[3] == {2, 3}
    counts = satdoku.candidate_counts("123...", rules=rules).counts
    assert counts[3, :3].tolist() == [0, 1, 1]


def test_a_board_with_a_layer_is_no_usual_one():
    board = Board(layers=(Layer("a", (0, 1)),))
    assert not board.is_usual
    with pytest.raises(BoardError, match="only square boards"):
        board.size  # noqa: B018
