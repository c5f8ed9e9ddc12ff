"""Rules of one's own: the texts say what the functions say."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

import satdoku
from satdoku.model.board import Board
from satdoku.model.clue import ClueError, OutOfReachError
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import clue_of
from satdoku.model.kinds.patterns import machine
from satdoku.model.own_rules import MOST_EXPLORED, rule
from satdoku.witness.regular import accepts

FOUR = Board.of_size(4)


def accepted(text, board, length):
    """The sequences of digits that the clue accepts, as the witness reads it."""
    value = clue_of(text, board).value
    matches = accepts(value, board.digits, (length,))
    place = {digit: at for at, digit in enumerate(board.digits, 1)}
    every = product(board.digits, repeat=length)
    return {digits for digits in every if matches(*map(place.get, digits))}


def random_table(rng, board, length):
    share = rng.random()
    every = list(product(board.digits, repeat=length))
    return {digits for digits in every if rng.random() < share} | {rng.choice(every)}


@pytest.mark.parametrize("board", [FOUR, Board.of_size(6), Board.of_shape(4, 4, (0, 1, 2, 3, 4))])
def test_the_text_of_a_predicate_accepts_its_digits_alone(board):
    rng = Random(board.choices)
    for length in (1, 2, 3, 3):
        wanted = random_table(rng, board, length)
        text = rule("r1c1,r2c3,r3c2"[: 5 * length - 1], lambda *read, ok=wanted: read in ok, board)
        assert accepted(text, board, length) == wanted


def test_the_text_of_a_state_machine_accepts_what_it_accepts():
    rng = Random(5)
    for _ in range(20):
        after = {(s, d): rng.choice([None, *range(6)]) for s in range(6) for d in range(1, 5)}
        ends = {rng.randrange(6), rng.randrange(6)}

        def run(digits, after=after, ends=ends):
            state = 0
            for digit in digits:
                state = None if state is None else after[state, digit]
            return state in ends

        wanted = {digits for digits in product(range(1, 5), repeat=4) if run(digits)}
        if wanted:
            step = lambda state, digit, after=after: after[state, digit]  # noqa: E731
            text = rule("row1", board=FOUR, start=0, step=step, accept=ends.__contains__)
            assert accepted(text, FOUR, 4) == wanted


def test_states_that_go_on_alike_are_one():
    parity = rule("r1c1-r1c3", start=0, step=lambda s, d: (s + d) % 2, accept=lambda s: s == 0)
    assert parity == (
        "machine=s0-[^2468]>s1,s0-[2468]>s0,s1-[^2468]>s0,s1-[2468]>s1,s0*:r1c1,r1c2,r1c3"
    )
    asked = rule("r1c1-r1c3", lambda a, b, c: (a + b + c) % 2 == 0)
    counted = rule("r1c1-r1c3", start=0, step=lambda s, d: s + d, accept=lambda s: s % 2 == 0)
    assert asked == counted
    read = machine(clue_of(asked, Board.of_size(9)).value, range(1, 10))
    assert len({move.state for move in read.transitions} | read.ends) == 6


def test_all_states_are_accepted_unless_told():
    rising = rule("row1", start=0, step=lambda last, digit: digit if digit > last else None)
    assert str(satdoku.solve("." * 81, rising)).startswith("123456789")
    assert rule("r1c1", lambda digit: True) == "machine=s0-.>s1,s1*:r1c1"


def test_its_solutions_are_those_of_the_kind_that_says_the_same():
    own = rule("r1c1,r1c2,r2c3", lambda a, b, c: a + b + c == 7, FOUR)
    kind = "sum=7:r1c1,r1c2,r2c3"
    found = [{str(grid) for grid in satdoku.solutions("." * 16, said)} for said in (own, kind)]
    assert found[0] == found[1] != set()


def test_a_cell_named_twice_is_read_twice():
    own = rule("r1c1,r2c2,r1c1", lambda a, b, again: a == again and a < b, FOUR)
    solved = [str(grid) for grid in satdoku.solutions("." * 16, own)]
    assert solved
    assert all(grid[0] < grid[5] for grid in solved)


def test_it_is_data_in_files_and_links_and_certificates():
    own = rule("r1c1,r2c2", lambda a, b: a + b == 5, FOUR)
    written = satdoku.format_puzzle_json("." * 16, own)
    assert satdoku.parse_puzzle_json(written).constraints == constraints_for(own, FOUR)
    preamble, certificate = satdoku.certify("12" + "." * 14, own, every=True)
    assert own in preamble.rules
    assert certificate


@pytest.mark.parametrize(
    ("error", "words", "arguments", "options"),
    [
        (ClueError, "either a predicate, or start and step", ("row1",), {}),
        (ClueError, "either", ("r1c1", bool), {"step": lambda s, d: s}),
        (ClueError, "expected cells", ("", bool), {}),
        (ClueError, "names no cell", ("r1c1>r1c2", bool), {}),
        (ClueError, "387,420,489 combinations", ("row1", bool), {}),
        (ClueError, "a state is a list", ("row1",), {"start": [], "step": lambda s, d: s}),
        (OutOfReachError, "none of its 91 states", ("r1c1,r1c2", lambda a, b: a + b > 18), {}),
        (
            ClueError,
            f"more than {MOST_EXPLORED:,} states",
            ("row1",),
            {"start": (), "step": lambda s, d: (*s, d)},
        ),
        (
            ClueError,
            "2,002 states and 232,275 characters",
            ("row1,row2",),
            {"start": 1, "step": lambda s, d: s * (d + 7) % 2003, "accept": lambda s: s == 1},
        ),
        (
            ClueError,
            "more than 4,000 states",
            ("row1,row2",),
            {"start": 1, "step": lambda s, d: s * (d + 7) % 4007, "accept": lambda s: s == 1},
        ),
        (
            ClueError,
            "at least 68,098 states",
            ("row1,row2,row3,row4,row5,row6,row7,row8,row9",),
            {"start": 1, "step": lambda s, d: s * (d + 7) % 90001, "accept": lambda s: s == 1},
        ),
    ],
)
def test_what_is_refused(error, words, arguments, options):
    with pytest.raises(error, match=words):
        rule(*arguments, **options)


def test_an_error_of_the_function_is_its_own():
    with pytest.raises(ZeroDivisionError):
        rule("r1c1,r1c2", lambda a, b: a / (b - 1) == 2)


@pytest.mark.parametrize("digits", [tuple(range(-4, 5)), tuple(range(20, 29))])
def test_digits_that_no_character_stands_for_are_refused(digits):
    board = Board.of_shape(9, 9, digits)
    with pytest.raises(ClueError, match=f"digits {digits[0]} to {digits[-1]}: expected 0 to 25"):
        rule("r1c1,r1c2", lambda a, b: a < b, board)
