"""Texts that draw their board: maps of regions and grids that overlap, on one line or many."""

import random
import re

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

import satdoku
from satdoku.cli import main
from satdoku.files.collection import read_chunks
from satdoku.files.drawn import SAMURAI, draws_board, format_drawn, parse_drawn
from satdoku.files.foreign import ForeignError, is_foreign
from satdoku.files.puzzles import read_puzzles
from satdoku.model.board import Board, regions_of
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, format_pretty, parse_grid
from satdoku.model.rules import RuleError
from satdoku.witness.verify import solves

BOARDS = [
    "samurai", "grids:r1c1,r7c7", "grids:r1c7,r7c1,r7c13", "shape=4x4;grids:r1c1,r3c3",
    "shape=6x6;grids:r1c1,r5c4",
]  # fmt: skip
JIGSAW = (
    "AAAABBBCC" "AAABBBCCC" "AABBBCCCC" "DDDEEEFFF" "DDDEEEFFF" "DDDEEEFFF" "GGGHHHIII" "GGGHHHIII"
    "GGGHHHIII"
)  # fmt: skip


def regions(dice, size):
    """The regions of a map, each of connected cells: rows, of which cells are exchanged."""
    labels = [cell // size for cell in range(size * size)]
    pairs = Board.latin(size).adjacent_pairs
    for _ in range(30 * size):
        a, b = dice.sample(dice.choice(pairs), 2)
        one, other = labels[a], labels[b]
        back = [c for p in pairs for c, d in (p, p[::-1]) if (labels[c], labels[d]) == (one, other)]
        if one == other:
            continue
        tried = list(labels)
        tried[b], tried[dice.choice(back)] = one, other
        if all(is_connected(tried, pairs, label) for label in (one, other)):
            labels = tried
    return regions_of("".join("0123456789"[label] for label in labels))


def is_connected(labels, pairs, label):
    cells = {cell for cell, other in enumerate(labels) if other == label}
    found = {min(cells)}
    while more := {b for p in pairs for a, b in (p, p[::-1]) if a in found and b in cells - found}:
        found |= more
    return found == cells


def in_rows(text, width):
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def some_givens(dice, board):
    cells = bytes(dice.choice([0, 0, *range(1, len(board.digits) + 1)]) for _ in range(board.cells))
    return Grid(cells, board)


@settings(max_examples=share(15), deadline=None)
@given(st.integers(4, 9), st.randoms(use_true_random=False))
def test_a_map_behind_the_givens_is_the_board(size, dice):
    labels = regions(dice, size)
    board = Board.of_regions(labels, size)
    grid = some_givens(dice, board)
    names = dice.choice(["123456789", "ABCDEFGHI", "abcdefghi", "qwertyuio", "012345678"])
    drawn = "".join(names[label] for label in labels)
    line = str(grid) if board.regions else "".join(".123456789"[cell] for cell in grid)
    for text in (
        line + drawn, f"{line} {drawn}", f"{line}\n{drawn}\n", in_rows(line + drawn, size),
        f"# a comment\n{in_rows(line, size)}\n\n{in_rows(drawn, size)}",
    ):  # fmt: skip
        found = satdoku.parse_puzzle(text)
        assert {*found.constraints.board.boxes} == {*board.boxes}
        assert bytes(found.grid) == bytes(grid)
    if board.regions:
        text = format_drawn(grid, constraints_for("classic", board))
        read = satdoku.parse_puzzle(text)
        assert (read.grid, read.constraints) == (grid, constraints_for("classic", board))


@settings(max_examples=share(20), deadline=None)
@given(st.sampled_from(BOARDS), st.randoms(use_true_random=False))
def test_grids_are_drawn_and_read_back(rules, dice):
    constraints = constraints_for(rules)
    grid = some_givens(dice, constraints.board)
    drawn = format_drawn(grid, rules)
    wide = max(map(len, drawn.splitlines()))
    texts = [drawn, format_pretty(grid), "\n".join(f"  {x:{wide}} " for x in drawn.splitlines())]
    if constraints.board == SAMURAI:
        texts += [str(grid), drawn.replace(" ", ""), drawn.replace(".", "0").replace(" ", "")]
    for text in texts:
        read = satdoku.parse_puzzle(text)
        assert (read.grid, read.constraints) == (grid, constraints)


def test_a_drawn_samurai_is_solved_from_a_file_in_an_argument_and_from_standard_input(
    capsys, tmp_path, monkeypatch
):
    solution = satdoku.solve("." * 369, "samurai")
    dice = random.Random(3)
    holes = {*dice.sample(range(369), 120)}
    puzzle = Grid(bytes(0 if c in holes else d for c, d in enumerate(solution)), SAMURAI)
    path = tmp_path / "samurai.txt"
    path.write_text(f"# five grids\n{format_drawn(puzzle, 'samurai')}\n")
    monkeypatch.setattr("sys.stdin", path.open())
    for argument in (str(path), "-", format_drawn(puzzle, "samurai"), str(puzzle)):
        assert main(["solve", "--format", "line", argument]) == 0
        (line,) = capsys.readouterr().out.split()
        assert solves(parse_grid(line, SAMURAI), puzzle, ())
    assert main(["export", str(path), "-f", "drawn"]) == 0
    assert capsys.readouterr().out.rstrip("\n") == format_drawn(puzzle, "samurai")


def test_lists_and_single_files_of_drawings(tmp_path):
    path = tmp_path / "a.txt"
    blank = "1" + "." * 80
    for text, count in (
        (f"{blank}{JIGSAW}\n{CLASSIC}\n{CLASSIC}{JIGSAW}\n", 2),
        (f"{in_rows(blank, 9)}\n\n{in_rows(JIGSAW, 9)}\n", 1),
        (f"{blank}\n{JIGSAW}\n", 1),
        (f"{blank}{JIGSAW}", 1),
        (f"{CLASSIC}\n{CLASSIC_SOLUTION}\n", 0),
    ):
        path.write_text(text)
        found = [puzzle.constraints for puzzle in read_puzzles(str(path))]
        assert sum(each.board.regions is not None for each in found) == count
        chunks = list(read_chunks(str(path)))
        assert not any(chunk.errors for chunk in chunks)
        rules = [rule for chunk in chunks for rule in chunk.rules or ["classic"] * len(chunk.lines)]
        assert [constraints_for(rule or "classic") for rule in rules] == found
        assert np.concatenate([chunk.puzzles for chunk in chunks]).any(1).all()


@pytest.mark.parametrize("text", [
    CLASSIC, CLASSIC + "\n" + CLASSIC_SOLUTION, f"{CLASSIC} {CLASSIC_SOLUTION}", "A" * 16, "." * 81,
    in_rows(CLASSIC, 9), in_rows(CLASSIC, 3), "12.. 34..\n" * 4, "1234 ..34\n4.1. .1..",
    format_pretty(parse_grid(CLASSIC)), "." * 144, CLASSIC_SOLUTION, "x", "\n \n", " 1\n1 ",
])  # fmt: skip
def test_what_is_another_puzzle_is_no_drawing(text):
    assert not draws_board(text)
    assert not is_foreign(text)


def test_grids_that_can_be_put_otherwise_are_no_drawing():
    full = format_drawn(satdoku.solve("." * 369, "samurai"), "samurai").splitlines()
    assert not draws_board("\n".join(line[:9] for line in full[:9]))
    plus = "\n".join([" " * 4 + "." * 4] * 4 + ["." * 12] * 4 + [" " * 4 + "." * 4] * 4)
    assert not draws_board(plus)  # nine grids of 4x4 would fit, of which some have no cell alone


WRONG = {
    "." * 81 + JIGSAW[:-1] + "A": "line 1: no drawing: label 'A' has 10 cells, expected 9",
    "." * 81 + "J" + JIGSAW[1:]: "line 1: no drawing: a map of 10 labels, expected 9",
    "x" + "." * 80 + "\n" + JIGSAW: None,
    "." * 16 + "\nABAB\nABAB\nCDCD\nCDCE": None,
    "G" + "." * 80 + JIGSAW: "line 1, column 1: found 'G', expected a digit 1-9",
    f"{'.' * 40}\n{'.' * 40}Z{JIGSAW}": "line 2, column 41: found 'Z', expected a digit 1-9",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_said_at_its_place(text):
    problem = WRONG[text] or "puzzle: line"
    with pytest.raises(satdoku.SatdokuError, match=re.escape(problem)):
        satdoku.parse_puzzle(text)


def test_rules_that_are_asked_for_join_the_board():
    text = "." * 81 + JIGSAW
    assert satdoku.parse_puzzle(text, "knight").constraints.names == ("knight",)
    with pytest.raises(ForeignError, match="expected a board of 4x4"):
        parse_drawn(text, board=Board(4, 2, 2))
    other = "grids:r1c1,r7c7,r13c1,r19c7,r25c1"
    assert satdoku.parse_puzzle("." * 369, other).constraints == constraints_for(other)
    with pytest.raises(ForeignError, match="no drawing"):
        parse_drawn("1234")


@pytest.mark.parametrize(("rules", "problem"), [
    ("classic", "no drawing states a board of 9x9 with boxes of 3x3"),
    ("samurai;knight", "a drawing states regions and grids, not knight"),
    ("samurai;thermo:r1c1,r1c2", "not thermo:r1c1,r1c2"),
    ("samurai;layer=shade:0-1", "no drawing states 5 grids .*, layer shade"),
    ("shape=4x4;grids:r1c1,r2c2", "no drawing states 2 grids"),
    ("samurai;holes:r1c1", "and 1 holes"), ("shape=4x4;grids:r1c3,r3c1,r3c5,r5c3", "4 grids"),
])  # fmt: skip
def test_what_no_drawing_states_is_named(rules, problem):
    board = constraints_for(rules).board
    with pytest.raises(RuleError, match=problem):
        format_drawn("." * board.grid_cells, rules)
