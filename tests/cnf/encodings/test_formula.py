"""Encodings: exact sizes, the same solutions from all of them, the purpose of each family."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, product

import engine_cases as cases
import numpy as np
import pytest
from clause_counts import clauses_as_written
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, PUZZLES
from hypothesis import given, settings
from hypothesis import strategies as st
from propagation import fixpoint, solver_for
from pysat.solvers import Solver
from soak import share

from satdoku import engine
from satdoku.answers.session import Session
from satdoku.cnf.encodings import (
    ALIASES,
    ENCODERS,
    ENCODINGS,
    EncodingError,
    build,
    encode,
    encodings_named,
)
from satdoku.cnf.encodings.formula import NEVER
from satdoku.cnf.encodings.groups import AT_MOST_ONE, encode_groups
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid
from satdoku.model.rules import RULES
from satdoku.runtime.errors import WitnessError
from satdoku.witness.verify import violations

SIX, NINE = Board.of_size(6), Board.of_size(9)
OTHERS = tuple(name for name in ENCODINGS if name != "extended")
# Other at-most-one encodings, without omissions: as strong as the extended encoding.
SAME_STRENGTH = ("sequential", "ladder", "bitwise", "commander", "product", "totalizer")
JIGSAW = "jigsaw=1122112233443344,antiqueen", "jigsaw=1112122233334444", "jigsaw=1111222233334444"
MIRACLE_ROW = "174639285" + "." * 72


# Sizes -------------------------------------------------------------------------------------------


def pairs_of(n):
    return n * (n - 1) // 2


def peer_pairs(board):
    n = board.size
    return n * n * (2 * (n - 1) + (board.box_rows - 1) * (board.box_columns - 1)) // 2


def extended(board):
    n = board.size
    return n**3, 4 * n * n + n * n * pairs_of(n) + n * peer_pairs(board)


def minimal(board):
    n = board.size
    return n**3, n * n + n * peer_pairs(board)


def efficient(board):
    n = board.size
    return n**3, n * n + n * n * pairs_of(n) + n * peer_pairs(board)


def each_group(auxiliary, clauses):
    """The size if every group costs the same and no two groups share a clause."""
    return lambda board: (
        board.size**3 + 4 * board.size**2 * auxiliary(board.size),
        4 * board.size**2 * (1 + clauses(board.size)),
    )


def commander(board):
    n = board.size
    if n <= 5:
        return extended(board)
    auxiliary, clauses = commanded(n)
    squads = [
        [set(combinations(house[i : i + 3], 2)) for house in houses for i in range(0, n, 3)]
        for houses in (board.rows + board.columns, board.boxes)
    ]
    shared = sum(len(in_line & in_box) for in_line, in_box in product(*squads))
    return n**3 + 4 * n * n * auxiliary, 4 * n * n * (1 + clauses) - n * shared


def commanded(n):
    if n <= 5:
        return 0, pairs_of(n)
    full, rest = divmod(n, 3)
    auxiliary, clauses = commanded(full + bool(rest))
    led = full + (rest == 2)
    inside = 3 * full + 3 * full + (1 + 2 if rest == 2 else 0)
    return auxiliary + led, clauses + inside


def product_size(board):
    n = board.size
    if n <= 6:
        return extended(board)
    return each_group(lambda n: chen(n)[0], lambda n: chen(n)[1])(board)


def chen(n):
    if n <= 6:
        return 0, pairs_of(n)
    width = next(w for w in range(n) if w * w >= n)
    height = -(-n // width)
    parts = chen(width), chen(height)
    return width + height + parts[0][0] + parts[1][0], 2 * n + parts[0][1] + parts[1][1]


def tree(n):
    """The numbers of outputs and clauses of a totalizer over n inputs."""
    if n == 1:
        return 0, 0
    a, b = n // 2, n - n // 2
    return n + tree(a)[0] + tree(b)[0], a + b + a * b + tree(a)[1] + tree(b)[1]


def triads(board):
    n, p, q = board.size, board.box_rows, board.box_columns
    across, down = n * n * p, n * n * q  # triads of q cells in rows, of p cells in columns
    own = across * (1 + q) + down * (1 + p)
    parts = 2 * n * n * (1 + pairs_of(p)) + 2 * n * n * (1 + pairs_of(q))
    return n**3 + across + down, n * n * (1 + pairs_of(n)) + own + parts


def bits(n):
    return next(b for b in range(n) if 2**b >= n)


def log(board):
    n = board.size
    missing = [i for i in range(bits(n)) if not (n - 1) & 2**i]
    return n * n * bits(n), n * n * len(missing) + n * peer_pairs(board)


def order(board):
    n = board.size
    return n * n * (n - 1), n * n * (n - 2) + n * peer_pairs(board) + 2 * 3 * n


SIZES = {
    "extended": extended,
    "minimal": minimal,
    "efficient": efficient,
    "reduced": extended,  # there are no givens here
    "sequential": each_group(lambda n: n - 1, lambda n: 3 * n - 4),
    "ladder": each_group(lambda n: n + 1, lambda n: 4 * n),
    "bitwise": each_group(bits, lambda n: n * bits(n)),
    "commander": commander,
    "product": product_size,
    "totalizer": each_group(lambda n: tree(n)[0], lambda n: tree(n)[1] + 1),
    "triads": triads,
    "log": log,
    "order": order,
}
# Classic 9x9: variables, distinct clauses.
KNOWN = {
    "extended": (729, 10_530),
    "minimal": (729, 7_371),
    "efficient": (729, 10_287),
    "reduced": (729, 10_530),
    "sequential": (3_321, 7_776),
    "ladder": (3_969, 11_988),
    "bitwise": (2_025, 11_988),
    "commander": (1_701, 6_399),
    "product": (2_673, 8_100),
    "totalizer": (10_125, 21_708),
    "triads": (1_215, 6_237),
    "log": (324, 7_533),
    "order": (648, 7_911),
}


@pytest.mark.covering
@pytest.mark.parametrize("size", [4, 6, 9, 16])
@pytest.mark.parametrize("name", ENCODINGS)
def test_sizes_are_those_of_closed_formulas(name, size):
    board = Board.of_size(size)
    formula = build(constraints_for("classic", board), name)
    assert (formula.variables, len(formula.clauses)) == SIZES[name](board)
    assert size != 9 or KNOWN[name] == SIZES[name](board)


@pytest.mark.covering
@pytest.mark.parametrize("rules", ["classic", "windoku,diagonal,antiqueen,king"])
@pytest.mark.parametrize("name", ENCODINGS)
def test_clauses_are_distinct_and_use_every_variable(name, rules):
    formula = build(constraints_for(rules), name)
    assert len(set(map(frozenset, formula.clauses))) == len(formula.clauses)
    used = {abs(literal) for clause in formula.clauses for literal in clause}
    assert all(len({*map(abs, clause)}) == len(clause) for clause in formula.clauses)
    assert used == set(range(1, formula.variables + 1))


@pytest.mark.parametrize("name", [name for name in ENCODINGS if name != "reduced"])
def test_docstrings_state_the_counts_for_9x9(name):
    text = " ".join(AT_MOST_ONE.get(name, ENCODERS[name]).__doc__.split())
    variables, clauses = KNOWN[name]
    assert f"{clauses:,}" in text
    assert f"{variables:,} variables" in text or variables in (324, 648, 729)


@pytest.mark.parametrize(
    ("size", "distinct", "written"),
    [(4, 384, 448), (6, 1980, 2304), (9, 10_530, 11_988), (16, 111_616, 123_904)],
)
def test_extended_has_the_known_numbers_of_clauses(size, distinct, written):
    constraints = constraints_for("classic", Board.of_size(size))
    assert len(encode(constraints).clauses) == len(set(encode(constraints).clauses)) == distinct
    assert clauses_as_written(constraints) == written


@pytest.mark.covering
@pytest.mark.parametrize(
    ("rules", "distinct"),
    [("knight", 11_898), ("king", 11_034), ("nonconsecutive", 12_834), ("miracle", 14_706)],
)
@pytest.mark.parametrize("name", ENCODINGS)
def test_chess_rules_add_the_known_numbers_of_clauses(rules, distinct, name):
    """A forbidden pair is one clause in every encoding; pairs inside groups are dropped."""
    assert len(encode(constraints_for(rules), name).clauses) == KNOWN[name][1] + distinct - 10_530


def test_families_are_named_and_partition_the_clauses():
    formula = encode(constraints_for("knight"))
    assert [(f.name, len(f.clauses)) for f in formula.families] == [
        ("cell: at least one", 81), ("cell: at most one", 2916),
        ("row: at least one", 81), ("row: at most one", 2916),
        ("column: at least one", 81), ("column: at most one", 2916),
        ("box: at least one", 81), ("box: at most one", 1458),
        ("knight: at most one", 1368),
    ]  # fmt: skip


# What literals say -------------------------------------------------------------------------------


def test_variable_numbers_are_the_documented_ones():
    formula = encode(constraints_for())
    assert formula.variables == 729
    cells = bytearray(81)
    cells[80], cells[0] = 9, 1
    assert formula.literals(bytes(cells)) == [1, 729]
    row, column, digit = 4, 2, 7
    cells = bytearray(81)
    cells[9 * row + column] = digit
    assert formula.literals(bytes(cells)) == [81 * row + 9 * column + digit]


def test_log_and_order_literals_are_the_documented_ones():
    cells = bytes([0, 7, *bytes(78), 1])
    # r1c2=7: 7 - 1 is 0110 in binary, bits from the lowest; r9c9=1: 0000.
    assert encode(constraints_for(), "log").literals(cells) == [
        -5,
        6,
        7,
        -8,
        -321,
        -322,
        -323,
        -324,
    ]
    # r1c2 is at most 7 and not at most 6; r9c9 is at most 1.
    assert encode(constraints_for(), "order").literals(cells) == [8 + 7, -(8 + 6), 8 * 80 + 1]


@pytest.mark.parametrize("name", [name for name in ENCODINGS if ENCODINGS[name] == "boolean"])
def test_boolean_encodings_say_each_candidate_by_its_variable(name):
    formula = encode(constraints_for("knight", SIX), name)
    assert [formula.says(candidate) for candidate in range(216)] == [(v,) for v in range(1, 217)]


@pytest.mark.parametrize("name", ENCODINGS)
def test_literals_are_read_in_any_order(name, four_by_four):
    constraints = constraints_for("classic", FOUR)
    formula = encode(constraints, name)
    session = Session(constraints, encoding=name)
    for cells in four_by_four[::29]:
        model = session_model(formula, cells)
        assert formula.decode(model) == formula.decode(reversed(model)) == cells
        assert formula.decode(literal for literal in model if literal > 0) == cells
        assert formula.fixed(formula.literals(cells)) == cells
        assert session.solve(Grid(cells, FOUR)).cells == cells
        part = bytes(8) + cells[8:]
        assert formula.fixed(formula.literals(part)) == part
        said = [formula.says(4 * cell + digit - 1) for cell, digit in enumerate(part) if digit]
        assert formula.literals(part) == [literal for code in said for literal in code]


def session_model(formula, cells):
    with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
        assert solver.solve(formula.literals(cells))
        return solver.get_model()


@pytest.mark.parametrize("name", ALIASES["boolean"])
def test_models_that_are_not_grids_are_rejected(name):
    formula = encode(constraints_for("classic", SIX), name)
    with pytest.raises(EncodingError, match="216 true candidates: expected one per cell"):
        formula.decode(range(1, formula.variables + 1))
    with pytest.raises(EncodingError, match="0 true candidates"):
        formula.decode([])
    with pytest.raises(EncodingError, match="36 true candidates"):
        formula.decode([1, 2, *(6 * cell + 1 for cell in range(2, 36))])


def test_bits_that_are_not_a_digit_are_rejected():
    formula = encode(constraints_for("classic", SIX), "log")
    assert formula.decode([]) == bytes([1] * 36)
    with pytest.raises(EncodingError, match="35 true candidates"):
        formula.decode([2, 3])  # 110 in binary, the seventh number


def test_an_order_with_a_gap_is_refused():
    formula = encode(constraints_for("classic", FOUR), "order")
    ones = formula.literals(bytes([1] * 16))
    assert formula.decode(ones + [v for v in range(1, 49) if v not in ones]) == bytes([1] * 16)
    with pytest.raises(EncodingError, match="17 true candidates"):
        formula.decode([v for v in range(1, 49) if v != 2])  # at most 1, not 2, at most 3


@pytest.mark.parametrize("name", ENCODINGS)
def test_struck_candidates_are_denied(name, four_by_four):
    """A grid satisfies the clauses of a mark that is 0 if and only if its digit is another one."""
    formula = encode(constraints_for("classic", FOUR), name)
    model = set(session_model(formula, four_by_four[0]))
    for candidate in range(64):
        marks = bytes(int(other != candidate) for other in range(64))
        denied = all(model.intersection(clause) for clause in formula.struck(marks))
        cell, digit = divmod(candidate, 4)
        assert denied == (four_by_four[0][cell] != digit + 1)


@pytest.mark.parametrize(
    ("name", "literals", "words"),
    [
        ("extended", (3, -729, 729), "r1c1=3 r9c9≠9 r9c9=9"),
        ("triads", (-10, 730), "r1c2≠1 730"),
        ("log", (1, -8), "bit 1 of r1c1=1 bit 4 of r1c2=0"),
        ("order", (3, -16, 648), "r1c1≤3 r1c2>8 r9c9≤8"),
    ],
)
def test_literals_in_words(name, literals, words):
    formula = encode(constraints_for(), name)
    assert " ".join(map(formula.in_words, literals)) == words


def test_pysat_formula_is_the_same_clauses():
    formula = encode(constraints_for("classic", FOUR))
    cnf = formula.to_pysat()
    assert (cnf.nv, len(cnf.clauses)) == (64, 384)
    assert [tuple(clause) for clause in cnf.clauses] == list(formula.clauses)


# The reduction by givens -------------------------------------------------------------------------


def test_reduced_leaves_the_open_candidates():
    """Counted by peers: a given settles its cell, and its digit in twenty other cells."""
    constraints, puzzle = constraints_for(), parse_grid(CLASSIC)
    formula = encode(constraints, "reduced", puzzle)
    open_ = [
        (cell, digit)
        for cell in range(81)
        if not puzzle[cell]
        for digit in range(1, 10)
        if all(puzzle[peer] != digit for peer in constraints.board.peers[cell])
    ]
    assert formula.variables == len(open_) == 221
    assert [formula.says(9 * cell + digit - 1) for cell, digit in open_] == [
        (v,) for v in range(1, 222)
    ]
    given = [9 * cell + digit - 1 for cell, digit in enumerate(puzzle) if digit]
    assert all(formula.says(candidate) == () for candidate in given)
    assert sum(formula.says(candidate) == NEVER for candidate in range(729)) == 729 - 24 - 221
    assert formula.in_words(-1) == f"{constraints.board.name_of(open_[0][0])}≠{open_[0][1]}"


def test_reduced_clauses_are_those_that_the_givens_leave():
    constraints, puzzle = constraints_for("knight"), parse_grid(CLASSIC[:30] + "." * 51)
    formula, whole = encode(constraints, "reduced", puzzle), encode(constraints)
    back = {formula.says(c)[0]: c + 1 for c in range(729) if formula.says(c) not in ((), NEVER)}
    true = set(whole.literals(puzzle.cells))
    false = {v for v in range(1, 730) if formula.says(v - 1) == NEVER}
    expected = set()
    for clause in whole.clauses:
        if not any(lit in true or -lit in false for lit in clause):
            expected.add(frozenset(lit for lit in clause if abs(lit) not in true | false))
    found = [frozenset(back[abs(x)] * (1 if x > 0 else -1) for x in c) for c in formula.clauses]
    assert set(found) == expected
    assert len(found) == len(expected)


@pytest.mark.parametrize("rules", ["classic", "miracle", "diagonal"])
def test_reduced_without_givens_is_the_extended_encoding(rules):
    constraints = constraints_for(rules)
    assert encode(constraints, "reduced").families == encode(constraints).families
    assert encode(constraints, "reduced", bytes(81)).variables == 729


def test_reduced_answers_for_its_puzzle_and_for_more_givens():
    constraints, puzzle = constraints_for(), parse_grid(CLASSIC)
    formula = encode(constraints, "reduced", puzzle)
    solution = parse_grid(CLASSIC_SOLUTION).cells
    assert formula.literals(puzzle.cells) == []
    assert len(formula.literals(solution)) == 81 - 24
    assert formula.decode(session_model(formula, solution)) == solution
    with pytest.raises(EncodingError, match="reduced for another puzzle"):
        formula.literals(bytes(81))
    with pytest.raises(EncodingError, match="its puzzle excludes"):
        formula.literals(b"\1" + puzzle.cells[1:])


def test_reduced_of_a_full_grid_and_of_clashing_givens():
    constraints = constraints_for()
    full = encode(constraints, "reduced", parse_grid(CLASSIC_SOLUTION))
    assert (full.variables, full.clauses) == (0, ())
    assert full.decode([]) == parse_grid(CLASSIC_SOLUTION).cells
    for text in ("11" + "." * 79, CLASSIC_SOLUTION[:-1] + "1"):
        clash = encode(constraints, "reduced", parse_grid(text))
        assert {(1,), (-1,)} <= set(clash.clauses)
        assert all(clash.clauses) and clash.variables >= 1
        assert Session(encoding="reduced").solve(text) is None


def test_other_encodings_do_not_look_at_the_puzzle():
    constraints = constraints_for()
    for name in ENCODINGS:
        same = encode(constraints, name, parse_grid(CLASSIC)) is encode(constraints, name)
        assert same == (name != "reduced")


# The same grids ----------------------------------------------------------------------------------


def grids(constraints, name, puzzle=None, *, verify=True):
    """All solutions; each must be found only once."""
    session = Session(constraints, encoding=name, verify=verify)
    found = [grid.cells for grid in session.solutions(puzzle or blank(constraints))]
    assert len(found) == len(set(found))
    return set(found)


def blank(constraints):
    return Grid(bytes(constraints.board.cells), constraints.board)


@pytest.mark.covering
@pytest.mark.parametrize("rules", ["classic", *(r for r in RULES if r != "jigsaw"), *JIGSAW])
@pytest.mark.parametrize("name", ENCODINGS)
def test_4x4_grids_are_all_those_that_obey(name, rules, four_by_four):
    constraints = constraints_for(rules, None if "jigsaw" in rules else FOUR)
    if "jigsaw" in rules:
        expected = grids(constraints, "extended")
    else:
        obedient = (c for c in four_by_four if not violations(Grid(c, FOUR), constraints.rules))
        expected = set(obedient)
    assert grids(constraints, name) == expected
    assert len(expected) == 288 or rules != "classic"


@pytest.mark.parametrize("name", OTHERS)
def test_6x6_samples_have_the_same_solutions(name):
    constraints = constraints_for("classic", SIX)
    samples = cases.partial_grids(constraints, 25, seed=6, least=10)
    sets = [grids(constraints, name, Grid(sample.tobytes(), SIX)) for sample in samples]
    assert sets == [solutions_6x6(sample.tobytes()) for sample in samples]
    assert {0, 1} < {min(len(found), 2) for found in sets}


@cache
def solutions_6x6(cells):
    return grids(constraints_for("classic", SIX), "extended", Grid(cells, SIX))


RULE_NAMES = [name for name in RULES if name != "jigsaw"]
BOARDS = (FOUR, SIX, Board(6, 3, 2), NINE)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(BOARDS), st.sets(st.sampled_from(RULE_NAMES), max_size=4), st.randoms())
def test_random_rules_have_the_same_solutions(board, rules, rng):
    if board.box_rows != board.box_columns:
        rules -= {"windoku"}
    constraints = constraints_for(",".join(sorted(rules)), board)
    # A grid under these rules or, if there is none, a grid that breaks them.
    some = Session(constraints).solve(blank(constraints)) or Session(
        constraints_for("", board)
    ).solve(blank(constraints))
    cells = bytearray(board.cells)
    open_cells = {4: 16, 6: 18, 9: 25}[board.size]
    for cell in rng.sample(range(board.cells), board.cells - open_cells):
        cells[cell] = some[cell]
    puzzle = Grid(bytes(cells), board)
    expected = grids(constraints, "extended", puzzle)
    for name in OTHERS:
        assert grids(constraints, name, puzzle) == expected, name


@pytest.mark.covering
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("file", ["classic", "example-2", "inkala-2010"])
def test_9x9_puzzles_have_their_one_solution(name, file):
    puzzle = parse_grid((PUZZLES / f"{file}.txt").read_text())
    found = grids(constraints_for(), name, puzzle)
    assert len(found) == 1
    assert found == {Session().solve(puzzle).cells}


@pytest.mark.parametrize("name", OTHERS)
def test_the_2_miracle_grids_of_a_given_row(name):
    constraints, puzzle = constraints_for("miracle"), parse_grid(MIRACLE_ROW)
    assert grids(constraints, name, puzzle) == grids(constraints, "extended", puzzle)
    assert len(grids(constraints, name, puzzle)) == 2


# At most one, by itself --------------------------------------------------------------------------


@pytest.mark.covering
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6, 7, 8, 10])
@pytest.mark.parametrize("name", SAME_STRENGTH)
def test_at_most_one_allows_just_that_and_propagates(name, length):
    """For all subsets of the literals: unit propagation alone finds that two are too many."""
    clauses, top = at_most_one_clauses(name, length)
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        for wanted in product((-1, 1), repeat=length):
            assumptions = [sign * v for v, sign in enumerate(wanted, 1)]
            assert solver.solve(assumptions) == (wanted.count(1) <= 1)
    always = top + 1
    guarded = [[*clause, -always] if len(clause) == 1 else clause for clause in clauses]
    with Solver("glucose4", bootstrap_with=guarded) as solver:
        for true in range(1, length + 1):
            consistent, implied = solver.propagate([always, true])
            assert consistent
            others = {-v for v in range(1, length + 1) if v != true}
            assert others <= set(implied)


def at_most_one_clauses(name, length):
    """The clauses of an encoding for a group of that length, made from fake constraints."""
    constraints = cases.random_constraints(FOUR, 0, 0, 0)
    group = tuple(range(length))
    family = replace(constraints.families[0], name="alone", groups=(group,))
    alone = replace(constraints, _families=(family,), rules=(f"alone{length}",))
    formula = build(alone, name)
    (at_most,) = (f.clauses for f in formula.families if "most" in f.name) if length > 1 else ((),)
    # Candidates are 1..64; only those of the group are in clauses.
    return [list(clause) for clause in at_most], formula.variables


def test_unknown_patterns_of_a_group_of_one_need_nothing():
    constraints = cases.random_constraints(FOUR, 0, 0, 0)
    alone = replace(
        constraints, _families=(replace(constraints.families[0], groups=((5,),)),), rules=("one",)
    )
    for name in SAME_STRENGTH:
        assert build(alone, name).clauses == ((6,),)


# The purpose of each family of clauses --------------------------------------------------------

HOUSES = ("row", "column", "box")
EXACTLY_ONE = {f"{h}: at {what} one" for h in ("cell", *HOUSES) for what in ("least", "most")}
# Families whose omission does not change the grids of 4x4 and 6x6. An exactly-one for all four
# kinds of groups is redundant: any one family follows from the rest by counting. A cell whose
# bounds are out of order (at most 1, not at most 2, at most 3) would hold two digits, but its row
# has no room for them.
REDUNDANT = {
    **dict.fromkeys(("extended", *SAME_STRENGTH), EXACTLY_ONE),
    "triads": EXACTLY_ONE | {"triad: one of its own", "triad: true with its own"},
    "minimal": set(),
    "efficient": {"cell: at most one"},
    "log": set(),
    "order": {"cell: in range", *(f"{house}: at least one" for house in HOUSES)},
}


def without(formula, family):
    kept = tuple(other for other in formula.families if other.name != family)
    assert len(kept) == len(formula.families) - 1
    return replace(formula, families=kept)


def count(formula, puzzle, limit):
    """The number of grids, at most `limit`; None if the session rejects a model as not a grid."""
    session = Session(formula.constraints)
    session.formula = formula
    try:
        return session.count(puzzle, limit=limit)
    except WitnessError:
        return None


@pytest.mark.parametrize("name", REDUNDANT)
def test_a_family_that_is_dropped_is_missed_or_known_to_be_redundant(name):
    constraints = constraints_for("antiqueen", FOUR)
    formula = build(constraints, name)
    whole = count(formula, blank(constraints), 400)
    assert whole == len(grids(constraints, "extended")) == 36
    families = [family.name for family in formula.families]
    redundant = REDUNDANT[name] & set(families)
    for family in families:
        found = count(without(formula, family), blank(constraints), 400)
        assert (found == whole) == (family in redundant), family


@pytest.mark.parametrize("name", REDUNDANT)
def test_dropped_families_on_6x6_with_an_extra_house(name):
    constraints = constraints_for("diagonal", SIX)
    formula = build(constraints, name)
    puzzle = Grid(Session(constraints).solve(blank(constraints)).cells[:12] + bytes(24), SIX)
    whole = count(formula, puzzle, 1000)
    assert whole == len(grids(constraints, "extended", puzzle)) < 1000
    extra = {f.replace("row", "diagonal") for f in REDUNDANT[name]}
    for family in (family.name for family in formula.families):
        found = count(without(formula, family), puzzle, 1000)
        assert (found == whole) == (family in REDUNDANT[name] | extra), family


@pytest.mark.parametrize("name", [name for name, families in REDUNDANT.items() if families])
def test_what_is_redundant_makes_unit_propagation_stronger(name):
    constraints = constraints_for()
    formula = build(constraints, name)
    puzzles = sorted(cases.partial_grids(constraints, 200, seed=4, least=20), key=np.count_nonzero)
    for family in REDUNDANT[name]:
        weaker = without(formula, family)
        with solver_for(weaker) as weak, solver_for(formula) as strong:
            assert any(
                fixpoint(weaker, puzzle, weak) != fixpoint(formula, puzzle, strong)
                for puzzle in puzzles
            ), family


# Strength ----------------------------------------------------------------------------------------


RULE_SETS = ("classic", "windoku,diagonal,king")


def assert_strength(name, constraints, box_line, seed):
    puzzles = [
        cases.partial_grids(constraints, 12, seed),
        cases.random_marks(constraints, 12, seed),
    ]
    formula = encode(constraints, name)
    with solver_for(formula) as solver:
        for array in puzzles:
            left, conflict = engine.propagate(array, constraints, box_line=box_line)
            for puzzle, candidates, clash in zip(array, left, conflict, strict=True):
                expected = None if clash else np.flatnonzero(candidates).tolist()
                assert fixpoint(formula, puzzle, solver) == expected


@pytest.mark.covering
@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("name", ["extended", *SAME_STRENGTH])
def test_at_most_one_in_other_words_propagates_as_the_extended_encoding(name, rules):
    assert_strength(name, constraints_for(rules), box_line=False, seed=11)


@pytest.mark.parametrize("rules", [*RULE_SETS, "diagonal", "windoku", "disjoint", "knight"])
def test_triads_propagate_as_the_engine_with_box_line_interactions(rules):
    assert_strength("triads", constraints_for(rules), box_line=True, seed=12)


@pytest.mark.parametrize("board", [FOUR, SIX, Board(6, 3, 2), Board.of_size(12)])
def test_triads_propagate_as_the_engine_on_every_board(board):
    assert_strength("triads", constraints_for("classic", board), box_line=True, seed=13)


@pytest.mark.parametrize("rules", JIGSAW)
def test_triads_propagate_as_the_engine_on_region_maps(rules):
    assert_strength("triads", constraints_for(rules), box_line=True, seed=14)


@settings(max_examples=12, deadline=None)
@given(
    size=st.sampled_from((4, 6)),
    groups=st.integers(0, 6),
    pairs=st.integers(0, 30),
    seed=st.integers(0, 2**32),
)
def test_triads_propagate_as_the_engine_under_random_groups(size, groups, pairs, seed):
    constraints = cases.random_constraints(Board.of_size(size), groups, pairs, seed)
    formula = build(constraints, "triads")
    marks = cases.random_marks(constraints, 6, seed)
    left, conflict = engine.propagate(marks, constraints, box_line=True)
    for puzzle, candidates, clash in zip(marks, left, conflict, strict=True):
        expected = None if clash else np.flatnonzero(candidates).tolist()
        assert fixpoint(formula, puzzle) == expected


@pytest.mark.parametrize("name", ["minimal", "efficient", "log", "order"])
def test_what_is_left_out_costs_strength(name):
    constraints = constraints_for()
    formula, whole = encode(constraints, name), encode(constraints)
    weaker = 0
    best, tested = solver_for(whole), solver_for(formula)
    for puzzle in cases.partial_grids(constraints, 25, seed=15, least=20):
        strong, weak = fixpoint(whole, puzzle, best), fixpoint(formula, puzzle, tested)
        assert weak is not None or strong is None
        if strong is not None:
            assert set(weak) >= set(strong)
            weaker += weak != strong
    assert weaker > 5


# Groups that are not houses -----------------------------------------------------------------------


@settings(max_examples=share(15), deadline=None)
@given(groups=st.integers(1, 3), pairs=st.integers(0, 20), seed=st.integers(0, 2**32))
def test_groups_of_any_kind_keep_their_meaning(groups, pairs, seed):
    """If an encoding omits clauses that houses imply, it must keep them for other groups."""
    constraints = cases.random_constraints(FOUR, groups, pairs, seed)
    expected = grids(constraints, "extended", verify=False)  # the witness knows no such rule
    for name in ALIASES["boolean"]:
        assert grids(constraints, name, verify=False) == expected, name


def test_integers_refuse_groups_that_they_cannot_express():
    constraints = cases.random_constraints(FOUR, 2, 0, seed=5)
    for name in ALIASES["integer"]:
        with pytest.raises(EncodingError, match="cannot express the groups of 'random'"):
            build(constraints, name)


def test_half_a_house_keeps_its_at_least_one():
    """At-least-one follows for a house of four digits, but not for a group of one digit."""
    constraints = cases.random_constraints(FOUR, 0, 0, 0)
    one_digit = tuple(range(3, 64, 20))  # the highest digit, along a diagonal
    family = replace(constraints.families[-1], groups=(one_digit,))
    constraints = replace(
        constraints, _families=(*constraints.families[:-1], family), rules=("one",)
    )
    formula = encode_groups(constraints, "some", at_least_in_houses=False)
    assert (f"{family.name}: at least one", 1) in [
        (f.name, len(f.clauses)) for f in formula.families
    ]


# Names -------------------------------------------------------------------------------------------


def test_names_and_aliases():
    assert encodings_named("log,boolean,log") == ("log", *ALIASES["boolean"])
    assert encodings_named("all") == tuple(ENCODINGS)
    assert set(ALIASES["boolean"]) | set(ALIASES["integer"]) == set(ENCODINGS)
    assert ALIASES["integer"] == ("log", "order")
    assert encode(constraints_for(), "pairwise").encoding == "extended"


@pytest.mark.parametrize("text", ["compressed", "", "log,,order", "Extended"])
def test_unknown_encodings_name_the_known_ones(text):
    with pytest.raises(EncodingError, match="choose from extended, minimal"):
        encode(constraints_for(), text)


@pytest.mark.parametrize("name", ["boolean", "integer", "all", "log,order"])
def test_names_of_several_encodings_are_neither_taken_nor_offered(name):
    with pytest.raises(EncodingError, match=f"no encoding '{name}': .*choose from ") as refused:
        encode(constraints_for(), name)
    offered = str(refused.value).partition("choose from ")[2].split(", ")
    assert offered == [*ENCODINGS, "pairwise"]


def test_formulas_are_built_once_and_build_builds_anew():
    constraints = constraints_for()
    assert encode(constraints, "triads") is encode(constraints, "triads")
    assert build(constraints, "triads") is not build(constraints, "triads")
    assert build(constraints, "triads") == encode(constraints, "triads")
