"""SMT-LIB: the integer model for any SMT solver, and reading its answers."""

import re

import pytest
import z3
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, obeys

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.witness.smtlib import SmtError, format_smtlib, parse_smt_answer

CLASSIC_LAW = constraints_for()
MIRACLE = "." * 38 + "1" + "." * 12 + "2" + "." * 29
FOUR_LAW = constraints_for("classic", FOUR)
FOUR_SOLUTION = "1234341221434321"


def z3_answer(text):
    """The answer of z3's own parser and solver to a script, printed as z3's shell prints it."""
    solver = z3.Solver(ctx=z3.Context())  # its time depends on what is in its context
    solver.from_string(text)
    verdict = solver.check()
    if verdict != z3.sat:
        return f"{verdict}\n"
    model = solver.model()
    return "sat\n(" + "\n ".join(f"({d.name()} {model[d]})" for d in model.decls()) + ")\n"


def values(line, size):
    """The `get-value` output for this grid."""
    names = [f"(r{i // size + 1}c{i % size + 1} {digit})" for i, digit in enumerate(line)]
    return "sat\n(" + "\n ".join(names) + ")\n"


# The script --------------------------------------------------------------------------------------


def test_z3_reads_the_script_and_finds_the_known_solution():
    puzzle = parse_grid(CLASSIC)
    answer = z3_answer(format_smtlib(CLASSIC_LAW, puzzle))
    assert str(parse_smt_answer(answer, CLASSIC_LAW, puzzle)) == CLASSIC_SOLUTION


@pytest.mark.parametrize(
    "rules", ["classic", "knight", "king", "nonconsecutive", "diagonal", "antiqueen", "disjoint"]
)
def test_z3_counts_as_many_4x4_grids_as_brute_force(four_by_four, rules):
    constraints = constraints_for(rules, FOUR)
    solver = z3.Solver()
    solver.from_string(format_smtlib(constraints, parse_grid("1" + "." * 15)))
    cells = [z3.Int(f"r{row}c{column}") for row in range(1, 5) for column in range(1, 5)]
    found = set()
    while solver.check() == z3.sat:
        grid = tuple(solver.model()[cell].as_long() for cell in cells)
        found.add(grid)
        solver.add(z3.Or([cell != digit for cell, digit in zip(cells, grid, strict=True)]))
    if rules == "disjoint":
        places = [[8 * (i // 2) + 2 * (i % 2) + p for i in range(4)] for p in (0, 1, 4, 5)]
        right = [g for g in four_by_four if all(len({g[c] for c in p}) == 4 for p in places)]
    else:
        right = [g for g in four_by_four if obeys(g, tuple(rules.split(",")), 4)]
    assert found == {tuple(g) for g in right if g[0] == 1}


def test_z3_reads_jigsaws():
    constraints = constraints_for("jigsaw=1112122233334444")
    puzzle = parse_grid("12" + "." * 14, constraints.board)
    grid = parse_smt_answer(z3_answer(format_smtlib(constraints, puzzle)), constraints, puzzle)
    assert grid.cells[:2] == bytes([1, 2])
    assert sorted(grid[cell] for cell in (0, 1, 2, 4)) == [1, 2, 3, 4]


def test_windows_are_houses_of_the_script():
    cells = ["."] * 81
    cells[9 + 1] = cells[27 + 3] = "5"  # r2c2 and r4c4 share a window, but no row, column or box
    script = format_smtlib(constraints_for("windoku"), parse_grid("".join(cells)))
    assert z3_answer(script) == "unsat\n"


@pytest.mark.parametrize("line", ["11..............", "123........4...."])
def test_a_puzzle_without_solution_is_unsat(line):
    puzzle = parse_grid(line)
    answer = z3_answer(format_smtlib(FOUR_LAW, puzzle))
    assert answer == "unsat\n"
    assert parse_smt_answer(answer, FOUR_LAW, puzzle) is None


def test_the_script_holds_what_the_rules_say_and_nothing_more():
    text = format_smtlib(constraints_for("miracle"), parse_grid(MIRACLE))
    lines = text.splitlines()
    assert lines[0] == "; Sudoku 9x9, rules knight,king,nonconsecutive, integer model by satdoku"
    assert sum(line.startswith("(declare-const ") for line in lines) == 81
    assert sum(line.startswith("(assert (<= 1 ") for line in lines) == 81
    assert sum(line.count(" r") == 9 for line in lines if "(distinct" in line) == 27
    pairs = [line for line in lines if re.fullmatch(r"\(assert \(distinct r\dc\d r\dc\d\)\)", line)]
    assert len(pairs) == 224 + 128
    assert sum("(and (distinct (- " in line for line in lines) == 144
    assert lines[-5:-2] == ["; givens", "(assert (= r5c3 1))", "(assert (= r6c7 2))"]
    assert lines[-2] == "(check-sat)"
    assert lines[-1].startswith("(get-value (r1c1 r1c2 ")


def test_parentheses_balance():
    for rules in ("classic", "miracle,antiqueen,diagonal,windoku,disjoint"):
        text = re.sub(";.*", "", format_smtlib(constraints_for(rules), parse_grid(CLASSIC)))
        assert text.count("(") == text.count(")")


# The answer --------------------------------------------------------------------------------------


def test_the_values_are_read_in_any_layout_and_order():
    text = values(CLASSIC_SOLUTION, 9)
    shuffled = "sat\n(" + " ".join(reversed(re.findall(r"\(r\dc\d \d\)", text))) + ")"
    for answer in (text, shuffled, text.replace("\n", "\r\n"), "\n " + text.replace(" ", "\n\t")):
        assert str(parse_smt_answer(answer, CLASSIC_LAW)) == CLASSIC_SOLUTION


def test_numbers_of_two_digits_are_read():
    constraints = constraints_for("classic", Board.of_size(16))
    line = [(4 * (i // 16 % 4) + i // 64 + i % 16) % 16 + 1 for i in range(256)]
    assert list(parse_smt_answer(values(line, 16), constraints)) == line


@pytest.mark.parametrize("text", ["unsat", 'unsat\n(error "line 9: model is not available")\n'])
def test_unsat_has_no_grid(text):
    assert parse_smt_answer(text, CLASSIC_LAW) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "'' and 0 values"),
        ("unknown\n", "'unknown' and 0 values"),
        ("sat\n", "'sat' and 0 values"),
        (values(FOUR_SOLUTION, 4).replace("(r2c1 3)", ""), "'sat' and 15 values"),
        (values(FOUR_SOLUTION, 4).replace("(r2c1 3)", "(r2c1 (- 3))"), "'sat' and 15 values"),
        (values(FOUR_SOLUTION, 4).replace("(r2c1 3)", "(r2c1 5)"), "'sat' and 16 values"),
        (values(FOUR_SOLUTION, 4).replace("sat", "timeout"), "'timeout' and 16 values"),
    ],
)
def test_an_incomplete_answer_says_what_was_found(text, found):
    with pytest.raises(SmtError) as caught:
        parse_smt_answer(text, FOUR_LAW)
    assert str(caught.value) == (f"found {found}, expected sat and a value for each of 16 cells")


@pytest.mark.parametrize("text", ["unsat\n" + values(FOUR_SOLUTION, 4), "sat\nunsat\n"])
def test_an_answer_that_says_two_things_is_none(text):
    with pytest.raises(SmtError, match="found both 'sat' and 'unsat'"):
        parse_smt_answer(text, FOUR_LAW)


def test_an_answer_that_breaks_a_rule_names_the_two_cells():
    wrong = values("4" + FOUR_SOLUTION[1:], 4)
    with pytest.raises(SmtError, match="r1c1=4 and r1c4=4 break the row rule"):
        parse_smt_answer(wrong, FOUR_LAW)
    with pytest.raises(SmtError, match="break the knight rule"):
        parse_smt_answer(values(CLASSIC_SOLUTION, 9), constraints_for("knight"))


def test_an_answer_to_another_puzzle_names_the_given():
    puzzle = parse_grid("...3............")
    with pytest.raises(SmtError, match="r1c4=4, but the puzzle has 3 there"):
        parse_smt_answer(values(FOUR_SOLUTION, 4), FOUR_LAW, puzzle)
