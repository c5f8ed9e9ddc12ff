"""Clues on cells of the grid and of layers at once, and on digits from 0 and below: what a session
and the witness say is what plain loops over the numbers say, and certificates hold."""

import random
from itertools import permutations, product

import pytest
from soak import share

import satdoku
from satdoku.answers.sides import EngineQuery, SessionQuery
from satdoku.answers.turns import in_turn
from satdoku.cnf import clues as cnf_clues
from satdoku.model.clue import ClueError, read_clue
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.kinds import KINDS
from satdoku.model.puzzle import Puzzle
from satdoku.runtime.errors import SatdokuError, Status
from satdoku.witness.verify import violations
from tests.support.clue_examples import OF_GRID
from tests.support.mixed_cases import (
    GOES_BY_PLACE,
    GROUPED,
    JOINS,
    LINES,
    MEANINGS,
    WHOLE,
    holds,
    random_clue,
    random_line,
)

LAYERED = (
    "layer=shade:0-2",
    "layer=mod:-1,2",
    "layer=tall:3-6",
    "layer=a:0-2;layer=b:1-5",
    "digits=0-3;layer=a:-2,5",
)
PLAIN = ("digits=0-3", "digits=-1,1,3,5", "digits=0,2,3,7", "digits=0-5", "digits=-2-4")
LOOSE = "latin;no-rows;no-columns;digits=0-3"  # so that digits may repeat
ANYWHERE = sorted({*MEANINGS, *GROUPED, *JOINS} - GOES_BY_PLACE)
SUMS = {name for name, kind in KINDS.items() if kind.sums and name != "region-sum"}
CLUES = share(10)  # of a kind on a board
REFUSED = (  # what has no meaning there
    "a product of digits",
    "three classes",
    "expected a number from",
    "which is not 0",
    "pattern column",  # a digit that is not there
    "machine column",
    "expected 0 to 25",  # digits without characters
    "cells of one layer",
    "of one layer of 4 digits",
)


def grids_of(rng, board, number):
    """Random full grids, by positions, the cells of layers among them."""
    band = [(0, 1, 2, 3), (2, 3, 0, 1), (1, 0, 3, 2), (3, 2, 1, 0)]
    digits, rest = range(1, len(board.digits) + 1), [1] * (board.cells - board.grid_cells)
    for _ in range(number):
        names = rng.sample(digits, 4)
        grid = [names[x] for row in band for x in row]
        yield (grid if board.houses else rng.choices(digits, k=len(grid))) + rest


def numbers(places, board):
    domains = board.domains(tuple(range(board.cells)))
    return [digits[place - 1] for digits, place in zip(domains, places, strict=True)]


def constraints_or_none(rules, text, is_kept):
    """None for a clue that is refused, in one line, as it has no meaning or cannot hold."""
    try:
        return constraints_for(f"{rules};{text}")
    except ClueError as error:
        assert "\n" not in str(error)
        if any(words in str(error) for words in REFUSED):
            return None
    board = constraints_for(rules).board
    clue = read_clue(text, board)
    cells = sorted({*clue.cells})
    for some in product(*board.domains(tuple(cells))):
        said = dict(zip(cells, some, strict=True))
        assert clue.kind == "or" or not is_kept(clue, said, board), (text, said)
    return None


def check(constraints, grids, is_kept):
    """The session and the witness find of each full grid what the loops say."""
    board, (text,) = constraints.board, constraints.clue_texts
    clue = read_clue(text, board)
    with satdoku.Session(constraints) as session:
        for places in grids:
            free = [cell for cell in dict.fromkeys(clue.cells) if cell >= board.grid_cells]
            for some in product(*(range(1, len(d) + 1) for d in board.domains(tuple(free)))):
                for cell, place in zip(free, some, strict=True):
                    places[cell] = place
                values = numbers(places, board)
                expected, grid = is_kept(clue, values, board), Grid(bytes(places), board)
                assert (session.solve(grid) is not None) == expected, (text, values)
                assert bool(violations(grid, constraints.rules)) == (not expected), (text, values)


def certified(constraints, places):
    """A certificate is made, and checked, or refused in one line."""
    board = constraints.board
    digits = bytes([*places[:12], 0, places[13], *[0] * (board.cells - 14)])
    try:
        return satdoku.certify(Grid(digits, board), rules=constraints)
    except SatdokuError as error:
        assert "\n" not in str(error)
        return None


@pytest.mark.covering
@pytest.mark.parametrize("kind", ANYWHERE)
@pytest.mark.parametrize("words", [*LAYERED, *PLAIN, LOOSE])
def test_clues_speak_of_the_digits_of_their_cells(words, kind):
    rng = random.Random(f"{words} {kind}")
    rules = f"{words};shape=4x4" if words == LOOSE else f"shape=4x4;{words}"
    board = constraints_for(rules).board
    for _ in range(CLUES):
        grids = list(grids_of(rng, board, 4 if board.layers else 12))
        free = list(range(board.grid_cells, board.cells))
        cells = rng.sample(range(16), 2 if free else 6) + rng.sample(free, min(len(free), 3))
        shown = numbers(grids[0], board)
        for cell in free:
            shown[cell] = rng.choice(board.domains((cell,))[0])
        text = random_clue(rng, kind, board, shown, cells)
        constraints = constraints_or_none(rules, text, holds)
        if constraints is not None:
            check(constraints, grids, holds)
            certified(constraints, grids[0])


@pytest.mark.covering
@pytest.mark.parametrize("kind", sorted(LINES))
@pytest.mark.parametrize("words", [*PLAIN, LOOSE])
def test_lines_and_neighbours_count_in_the_digits_of_the_board(words, kind):
    rng = random.Random(f"{words} {kind}")
    rules = f"{words};shape=4x4" if words == LOOSE else f"shape=4x4;{words}"
    board = constraints_for(rules).board

    def is_kept(clue, values, board):
        return (
            OF_GRID[kind](values, clue, (clue,), 4)
            if kind in OF_GRID
            else holds(clue, values, board)
        )

    for _ in range(CLUES):
        grids = list(grids_of(rng, board, 12))
        text = random_line(rng, kind, board, numbers(grids[0], board))
        constraints = constraints_or_none(rules, text, lambda *said: False)
        if constraints is not None:
            check(constraints, grids, is_kept)
            certified(constraints, grids[0])


@pytest.mark.parametrize("kind", sorted(GOES_BY_PLACE))
def test_what_goes_by_places_in_the_grid_reads_no_layer(kind):
    example = KINDS[kind].example.partition(":")[0]
    if KINDS[kind].value and "=" not in example:
        example += "=1"
    with pytest.raises(ClueError, match=r"is in a layer|no whole row or column"):
        constraints_for(f"shape=4x4;layer=shade:0-2;{example}:r1c1,shade.r1c2,r1c3")


LATIN = [  # of 3x3, by positions
    (*a, *b, *c)
    for a, b, c in permutations(permutations(range(3)), 3)
    if all({*column} == {0, 1, 2} for column in zip(a, b, c, strict=True))
]


def apart(grid, down, right):
    """The digits of every two cells so far apart, in either direction."""
    for cell in range(9):
        for step in {right, -right}:
            if cell // 3 + down < 3 and 0 <= cell % 3 + step < 3:
                yield grid[cell], grid[cell + 3 * down + step]


def beside(grid):
    return [*apart(grid, 0, 1), *apart(grid, 1, 0)]


def squares(grid):
    return [{grid[cell + step] for step in (0, 1, 3, 4)} for cell in (0, 1, 3, 4)]


@pytest.mark.parametrize("lowest", [0, -1, 4])
@pytest.mark.parametrize(
    ("clue", "is_kept"),
    [
        ("entropy", lambda g, low: all(len(four) == 3 for four in squares(g))),
        ("modular-entropy", lambda g, low: all(len(four) == 3 for four in squares(g))),
        (
            "flat-mates",
            lambda g, low: all(
                x != low + 1 or low in g[c - 3 : c - 2] * (c > 2) or low + 2 in g[c + 3 : c + 4]
                for c, x in enumerate(g)
            ),
        ),
        ("no-difference=2", lambda g, low: all(abs(x - y) != 2 for x, y in beside(g))),
        ("no-ratio=2", lambda g, low: all(x != 2 * y and y != 2 * x for x, y in beside(g))),
        ("no-sum=9", lambda g, low: all(x + y != 9 for x, y in beside(g))),
        ("king-digits={0}", lambda g, low: (low, low) not in [*apart(g, 1, 1)]),
        ("knight-digits={0}", lambda g, low: (low, low) not in [*apart(g, 1, 2), *apart(g, 2, 1)]),
    ],
)
def test_whole_boards_go_by_their_own_digits(clue, is_kept, lowest):
    rules = f"latin,shape=3x3;digits={lowest}-{lowest + 2};{clue.format(lowest)}"
    constraints = constraints_for(rules)
    found = {grid.values for grid in satdoku.solutions(".........", rules=constraints)}
    grids = [tuple(x + lowest for x in grid) for grid in LATIN]
    assert len(grids) == 12
    assert found == {grid for grid in grids if is_kept(grid, lowest)}
    satdoku.certify("." * 9, rules=constraints)


@pytest.mark.parametrize(
    ("clue", "error"),
    [
        ("ten-line=0:r1c1,shade.r1c1", "value 0: expected the sum of a part, which is not 0"),
        ("product=-2:r1c1,shade.r1c1", "no digits from 0 on multiply to it"),
        ("product=2:r1c1,mod.r1c1", "a product of digits -1,1,2,3,4: expected digits from 0 on"),
        ("modular=0:r1c1,shade.r1c1", "expected a number from 2 to"),
        ("entropic:r1c1,shade.r1c1", "5 digits do not fall into three classes"),
        ("region:r1c1,r1c2,r1c3,shade.r1c1", "expected cells of the grid, or of one layer of 4"),
        ("contains=1,1:r1c1,mod.r1c1,mod.r1c2", "1 of these cells can hold 1"),
    ],
)
def test_what_has_no_meaning_there_is_told(clue, error):
    with pytest.raises(ClueError, match=error):
        constraints_for(f"shape=4x4;layer=shade:0-2;layer=mod:-1,2;{clue}")


@pytest.mark.covering
@pytest.mark.parametrize("kind", sorted(SUMS))
@pytest.mark.parametrize("words", [*LAYERED, *PLAIN, LOOSE])
def test_sums_by_segments_find_the_same(monkeypatch, words, kind):
    """The formula that a solver gets where automata are large, or puzzles hard."""
    monkeypatch.setattr(cnf_clues, "HEAVY", -1)
    cnf_clues.stated.cache_clear()
    if kind in LINES and words in LAYERED:  # whole lines
        rules = f"shape=4x4;layer=a:1-6;{KINDS[kind].name}=5:row1"
        found = {grid.cells[:4] for grid in satdoku.solutions("." * 16, rules=rules)}
        rows = {some for some in permutations(range(1, 5)) if holds_line(kind, some)}
        assert found == {bytes(row) for row in rows}
    elif kind in LINES:
        test_lines_and_neighbours_count_in_the_digits_of_the_board(words, kind)
    else:
        test_clues_speak_of_the_digits_of_their_cells(words, kind)


def holds_line(kind, row):
    return MEANINGS[kind](row, "5", (1, 2, 3, 4))


def test_a_line_may_have_more_cells_than_the_digits_have_squares():
    constraints = constraints_for("shape=1x5;digits=0-1;no-rows;no-columns;sum=4:row1")
    assert satdoku.count(".....", rules=constraints) == 5


def test_patterns_speak_of_cells_whose_digits_have_characters():
    constraints = constraints_for("shape=4x4;layer=mod:-1,2;regex=12.*:row1")
    assert satdoku.solve("." * 16, rules=constraints).values[:2] == (1, 2)


def test_every_kind_is_tried():
    assert {*ANYWHERE, *GOES_BY_PLACE} == {*KINDS} - WHOLE


@pytest.mark.covering
@pytest.mark.parametrize("words", LAYERED)
@pytest.mark.parametrize("kind", ANYWHERE)
def test_the_engine_says_of_layers_what_a_session_says(words, kind):
    rng = random.Random(f"engine {words} {kind}")
    board = constraints_for(f"shape=4x4;{words}").board
    for places in grids_of(rng, board, 6):
        domains = board.domains(tuple(range(board.cells)))
        places = [*places[:16], *(rng.randint(1, len(digits)) for digits in domains[16:])]
        values = numbers(places, board)
        texts = [random_clue(rng, kind, board, values, [*range(board.cells)]) for _ in range(3)]
        free = [f"digits={values[c]}:{board.name_of(c)}" for c in range(16, board.cells, 2)]
        try:
            constraints = constraints_for(";".join([f"shape=4x4;{words}", *texts, *free]))
        except (ClueError, SatdokuError):
            continue
        if constraints.is_unplanned:
            continue
        given = [place * (rng.random() < 0.5) for place in places[:16]]
        puzzle = Puzzle(Grid(bytes([*given, *[0] * (board.cells - 16)]), board), constraints)
        for limit in (1, 2):
            found = in_turn([EngineQuery(puzzle, limit)]).status
            expected = in_turn([SessionQuery(puzzle, limit)]).status
            # The two solutions that it finds may differ in layers alone.
            assert found is expected or (limit == 2 and found is Status.UNKNOWN), (texts, given)
