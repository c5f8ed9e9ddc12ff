from itertools import product

import pytest
from conftest import FOUR

from satdoku.board import Board
from satdoku.encodings import EncodingError, encode
from satdoku.encodings.extended import clauses_as_written
from satdoku.rules import RULES, constraints


@pytest.mark.parametrize(
    ("size", "distinct", "written"),
    [(4, 384, 448), (6, 1980, 2304), (9, 10_530, 11_988), (16, 111_616, 123_904)],
)
def test_extended_has_the_known_numbers_of_clauses(size, distinct, written):
    law = constraints("classic", Board.of_size(size))
    assert len(encode(law).clauses) == len(set(encode(law).clauses)) == distinct
    assert clauses_as_written(law) == written


@pytest.mark.parametrize(
    ("rules", "distinct"),
    [("knight", 11_898), ("king", 11_034), ("nonconsecutive", 12_834), ("miracle", 14_706)],
)
def test_variant_rules_add_the_known_numbers_of_clauses(rules, distinct):
    assert len(encode(constraints(rules)).clauses) == distinct


def test_families_are_named_and_partition_the_clauses():
    formula = encode(constraints("knight"))
    assert [(f.name, len(f.clauses)) for f in formula.families] == [
        ("cell: at least one", 81), ("cell: at most one", 2916),
        ("row: at least one", 81), ("row: at most one", 2916),
        ("column: at least one", 81), ("column: at most one", 2916),
        ("box: at least one", 81), ("box: at most one", 1458),
        ("knight: at most one", 1368),
    ]  # fmt: skip


def test_variable_numbers_are_the_documented_ones():
    formula = encode(constraints())
    assert formula.variables == 729
    cells = bytearray(81)
    cells[80], cells[0] = 9, 1
    assert formula.literals(bytes(cells)) == [1, 729]
    row, column, digit = 4, 2, 7
    cells = bytearray(81)
    cells[9 * row + column] = digit
    assert formula.literals(bytes(cells)) == [81 * row + 9 * column + digit]


@pytest.mark.parametrize("rule", ["classic", *(name for name in RULES if name != "jigsaw")])
def test_clauses_hold_exactly_for_the_grids_that_obey(rule, four_by_four):
    """The formula read as a truth table over all classic 4x4 grids, and over spoilt ones."""
    from satdoku.grid import Grid
    from satdoku.verify import violations

    law = constraints(rule, FOUR)
    formula = encode(law)
    for cells in four_by_four:
        assert holds(formula, cells) == (not violations(Grid(cells, FOUR), law.rules))
    for cell, digit in product(range(16), range(1, 5)):
        spoilt = bytearray(four_by_four[7])
        if spoilt[cell] != digit:
            spoilt[cell] = digit
            assert not holds(formula, bytes(spoilt))


def holds(formula, cells):
    true = set(formula.literals(cells))
    return all(any((lit > 0) == (abs(lit) in true) for lit in clause) for clause in formula.clauses)


def test_decode_inverts_literals_in_any_order(four_by_four):
    formula = encode(constraints("classic", FOUR))
    for cells in four_by_four[::13]:
        true = formula.literals(cells)
        model = [v if v in true else -v for v in range(64, 0, -1)]
        assert formula.decode(model) == cells


def test_decode_refuses_models_that_are_no_grid():
    formula = encode(constraints("classic", FOUR))
    with pytest.raises(EncodingError, match="0 true candidates"):
        formula.decode([])
    with pytest.raises(EncodingError, match="16 true candidates"):
        formula.decode([1, 2, *(4 * cell + 1 for cell in range(2, 16))])


def test_pysat_formula_is_the_same_clauses():
    formula = encode(constraints("classic", FOUR))
    cnf = formula.to_pysat()
    assert (cnf.nv, len(cnf.clauses)) == (64, 384)
    assert [tuple(clause) for clause in cnf.clauses] == list(formula.clauses)


def test_unknown_encoding_names_the_known_ones():
    with pytest.raises(EncodingError, match="extended"):
        encode(constraints(), "compressed")
