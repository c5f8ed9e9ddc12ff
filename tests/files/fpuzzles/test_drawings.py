"""What SudokuPad draws of clues: rectangles, with everything that has a drawing, come back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.files.fpuzzles import format_fpuzzles, format_sudokupad, parse_fpuzzles
from satdoku.files.fpuzzles.drawings import as_sudokupad
from satdoku.files.fpuzzles.links import load
from satdoku.files.fpuzzles.sudokupad import as_fpuzzles
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for


def walk(dice, board, length):
    """Cells, each of which touches the one before it, none of them twice."""
    cells = [dice.randrange(board.cells)]
    near = [p for some in (board.adjacent_pairs, board.king_pairs) for p in some]
    while len(cells) < length:
        ahead = [b for p in near for a, b in (p, p[::-1]) if a == cells[-1] and b not in cells]
        if not ahead:
            return walk(dice, board, length)
        cells.append(dice.choice(ahead))
    return [board.name_of(cell) for cell in cells]


def drawn_clue(dice, board):
    """A clue as a person draws it: on cells that touch."""
    line, number = walk(dice, board, dice.randint(3, 5)), dice.randint(1, 2)
    pair = [board.name_of(cell) for cell in dice.choice(board.adjacent_pairs)]
    square = ",".join(board.name_of(cell) for cell in dice.choice(board.windows))
    return dice.choice([
        f"cage={dice.choice([10, 11, 12])}:{','.join(line[:3])}", f"cage:{','.join(line[:4])}",
        f"thermo:{','.join(line)}", f"arrow:{line[0]}>{','.join(line[1:])}",
        f"difference={number}:{','.join(pair)}", f"ratio={number + 1}:{','.join(pair)}",
        f"{dice.choice('xv')}:{','.join(pair)}", f"quadruple={number},{number + 2}:{square}",
        f"odd:{line[0]}", f"even:{line[0]}", f"distinct:{','.join(line[:3])}",
    ])  # fmt: skip


@settings(max_examples=share(60), deadline=None)
@given(st.integers(4, 9), st.integers(4, 9), st.randoms(use_true_random=False))
def test_clues_of_rectangles_are_drawn_and_read_back(height, width, dice):
    board = Board.of_shape(height, width + (width == height))
    constraints = constraints_for(drawn_clue(dice, board), board)
    link = format_sudokupad("." * board.cells, constraints)
    read = parse_fpuzzles(link)
    assert (read.constraints, read.warning) == (constraints, None)


def test_several_clues_and_rules_of_a_rectangle():
    rules = (
        "shape=6x8,knight,king;cage=9:r1c1,r1c2;cage:r2c1,r2c2;thermo:r3c1-r3c4;"
        "odd:r6c1;x:r5c1,r5c2;ratio=3:r5c4,r5c5;quadruple=1,2:r4c7,r4c8,r5c7,r5c8;"
        "little-killer=20:r1c3-r6c8;distinct:r6c2,r6c3,r6c4"
    )
    constraints = constraints_for(rules)
    read = parse_fpuzzles(format_sudokupad("." * 48, constraints))
    assert (read.constraints, read.warning) == (constraints, None)
    more = constraints_for(f"{rules};odd:r3c1")  # its circle would be another bulb
    with pytest.raises(ClueError, match=r"read as another puzzle: they do not tell \w+"):
        format_sudokupad("." * 48, more)
    with pytest.raises(ClueError, match=r"SudokuPad's own form has no palindrome; it has killer"):
        format_sudokupad("." * 24, "shape=4x6;palindrome:r1c1-r1c4")


def test_a_square_is_drawn_as_well():
    """Links of squares are f-puzzles' own, which every program reads; the drawings say the same."""
    rules = (
        "king;thermo:r1c1-r1c4;cage=9:r2c1,r2c2;difference:r3c3,r3c4;no-ratio=2;no-sum=5;no-sum=10"
    )
    stated = load(format_fpuzzles("1" + "." * 80, rules))
    drawn = as_sudokupad(stated)
    assert drawn["global"] == ["antiking", "antiratio", "antixv"]
    assert [len(region) for region in drawn["regions"]] == [9] * 9
    again = as_fpuzzles(drawn)
    assert {key: again[key] for key in ("thermometer", "killercage", "difference")} == {
        key: stated[key] for key in ("thermometer", "killercage", "difference")
    }
    assert again["grid"][0][0]["value"] == 1 and again["negative"] == ["ratio", "xv"]
