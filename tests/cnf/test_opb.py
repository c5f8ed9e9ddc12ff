"""OPB: the constraints as a pseudo-boolean solver reads them, and what it answers."""

import re
from itertools import combinations
from random import Random

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR
from programs import Z3, says

from satdoku.answers.external.solver import SolverCommand
from satdoku.cnf.opb import OpbError, format_opb, is_unknown, parse_opb_answer
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.model.notes import notes_in, read_notes
from satdoku.runtime.errors import Unanswered

PROGRAM = SolverCommand(f"{Z3} -model {{opb}}")
LAW = constraints_for("classic", FOUR)
SOLUTION = "1234432121433412"


def constraints_of(text):
    """Each line as (factors by variable, relation, bound)."""
    lines = [line for line in text.splitlines() if not line.startswith("*")]
    found = []
    for line in lines:
        left, relation, bound = re.fullmatch(r"(.*) (=|>=) (-?\d+) ;", line).groups()
        words = left.split()
        factors = {int(x[1:]): int(f) for f, x in zip(words[::2], words[1::2], strict=True)}
        found.append((factors, relation, int(bound)))
    return found


def holds(text, cells, size):
    """Whether a full grid keeps every line, of a text without auxiliary variables."""
    true = {size * cell + digit for cell, digit in enumerate(cells)}
    for factors, relation, bound in constraints_of(text):
        total = sum(factor for x, factor in factors.items() if x in true)
        if not (total == bound if relation == "=" else total >= bound):
            return False
    return True


def test_the_header_counts_what_follows_it():
    text = format_opb(constraints_for("knight"), parse_grid(CLASSIC))
    first, *_ = text.splitlines()
    assert first == f"* #variable= 729 #constraint= {324 + 9 * 152 + 24}"
    assert len(constraints_of(text)) == 324 + 9 * 152 + 24
    assert "+1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 +1 x7 +1 x8 +1 x9 = 1 ;" in text


def test_a_cage_is_one_equation_and_its_pairs():
    law = constraints_for("cage=6:r1c1,r1c2,r2c1", FOUR)
    text = format_opb(law)
    assert text.startswith("* #variable= 64 ")  # no auxiliary variables
    assert (
        "+1 x1 +2 x2 +3 x3 +4 x4 +1 x5 +2 x6 +3 x7 +4 x8 +1 x17 +2 x18 +3 x19 +4 x20 = 6 ;" in text
    )


def test_the_lines_hold_of_the_grids_that_keep_the_rules(four_by_four):
    for rules in (
        "classic",
        "knight",
        "diagonal",
        "cage=6:r1c1,r1c2,r2c1",
        "weighted=2,-1=3:r1c1,r4c4",
    ):
        text = format_opb(constraints_for(rules, FOUR))
        kept = [cells for cells in four_by_four if holds(text, cells, 4)]
        assert kept == [g for g in four_by_four if _keeps(g, rules)]
    wrong = bytearray(four_by_four[0])
    wrong[0] = wrong[1]
    assert not holds(format_opb(LAW), wrong, 4)


def _keeps(grid, rules):
    if rules == "knight":
        cells = [divmod(i, 4) for i in range(16)]
        return not any(
            {abs(a - c), abs(b - d)} == {1, 2} and grid[4 * a + b] == grid[4 * c + d]
            for (a, b), (c, d) in combinations(cells, 2)
        )
    if rules == "diagonal":
        return len({*grid[::5]}) == len({*grid[3:13:3]}) == 4
    if rules.startswith("cage"):
        return grid[0] + grid[1] + grid[4] == 6
    return 2 * grid[0] - grid[15] == 3 if rules.startswith("weighted") else True


def test_clues_without_sums_become_clauses(four_by_four):
    law = constraints_for("between:r1c1,r1c2,r1c3,r1c4;thermo:r2c1,r2c2", FOUR)
    found = {grid.cells for grid in PROGRAM.solutions("2..............3", law)}
    between = {
        g for g in four_by_four
        if (g[0], g[15]) == (2, 3) and g[4] < g[5]
        and all(min(g[0], g[3]) < x < max(g[0], g[3]) for x in g[1:3])
    }  # fmt: skip
    assert found == between


def test_a_program_finds_the_solution_all_solutions_and_none(four_by_four):
    assert str(PROGRAM.solve(CLASSIC)) == CLASSIC_SOLUTION
    start = "12.............."
    found = {grid.cells for grid in PROGRAM.solutions(start)}
    assert found == {g for g in four_by_four if g[:2] == bytes([1, 2])}
    assert PROGRAM.solve("123........4....") is None
    struck = bytes([0] * 3 + [1] * 61)
    assert PROGRAM.solve(np.frombuffer(struck, bool)).cells[0] == 4


def answer(line):
    words = (
        f"{'' if int(line[i]) == d else '-'}x{4 * i + d}" for i in range(16) for d in range(1, 5)
    )
    return f"c comment\ns SATISFIABLE\nv {' '.join(words)}\n"


def test_answers_are_read_and_checked():
    puzzle = parse_grid("1.....2....3.4..")
    assert str(parse_opb_answer(answer(SOLUTION), LAW, puzzle)) == SOLUTION
    assert str(parse_opb_answer(answer(SOLUTION).replace("-x", "~x"), LAW)) == SOLUTION
    optimum = answer(SOLUTION).replace("SATISFIABLE", "OPTIMUM FOUND")
    assert str(parse_opb_answer(optimum, LAW)) == SOLUTION
    assert parse_opb_answer("s UNSATISFIABLE\n", LAW) is None
    assert is_unknown("s UNKNOWN\n") and not is_unknown("s UNSATISFIABLE\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello\n", "found no 's' line, expected s SATISFIABLE"),
        ("s UNKNOWN\n", "found 'UNKNOWN'"),
        ("s UNSATISFIABLE\ns SATISFIABLE\n", "found 'SATISFIABLE' after 'UNSATISFIABLE'"),
        ("sat\n(define-fun k!" + "1" * 5000 + " () Bool true)\n", "r1c1 has no digit"),
        ("s SATISFIABLE\n", "r1c1 has no digit: expected one digit in each cell"),
        (
            answer(SOLUTION) + "s UNSATISFIABLE\n",
            "'UNSATISFIABLE' after 'SATISFIABLE', expected one",
        ),
        ("unsat\n" + answer(SOLUTION), "'SATISFIABLE' after 'unsat', expected one"),
        ("s UNKNOWN\n" + answer(SOLUTION), "'SATISFIABLE' after 'UNKNOWN', expected one"),
        (answer(SOLUTION) + "v -x1\n", "both that x1 is true and that it is false"),
        (answer(SOLUTION) + "v x6 y7\n", "line 4: found 'y7', expected such as x1 or -x1"),
        (answer(SOLUTION) + "(define-fun k!1 () Bool\n    false)", "both that x1 is true"),
        (answer(SOLUTION).replace("-x2 ", "x2 "), "r1c1 has 1 and 2: expected one digit"),
        (answer("2" + SOLUTION[1:]), "r1c1=2 and r1c2=2 break the row rule"),
        (answer("2143" + "3412" + "1234" + "4321"), "r1c1=2, but the puzzle has 1 there"),
    ],
)
def test_other_answers_say_what_is_wrong(text, words):
    with pytest.raises(OpbError, match=words):
        parse_opb_answer(text, LAW, parse_grid("1.....2....3.4.."))


def test_unknown_is_no_answer():
    with pytest.raises(Unanswered):
        SolverCommand(says("s UNKNOWN\n", "{opb}")).solve("." * 16)


def test_comments_say_what_the_file_is_about():
    law = constraints_for("knight;cage=6:r1c1,r1c2,r2c1", FOUR)
    puzzle = parse_grid("1" + "." * 15)
    assert read_notes(notes_in(format_opb(law, puzzle).splitlines())) == (law, puzzle)


def test_random_marks_are_equations():
    marks = bytes(Random(1).choices((0, 1), k=64))
    text = format_opb(LAW, marks=marks)
    assert all((f"\n+1 x{i} = 0 ;" in text) != mark for i, mark in enumerate(marks, 1))
