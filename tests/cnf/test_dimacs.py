"""DIMACS: written files read back, counts are exact, bad text raises only expected errors."""

import io
import re
from random import Random

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, obeys
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver
from soak import share

from satdoku.answers.solver import solve_clauses
from satdoku.cnf.dimacs import (
    EXIT_CODES,
    CnfFile,
    DecodeError,
    DimacsError,
    SolverOutput,
    decode_answer,
    format_answer,
    format_cnf,
    format_icnf,
    parse_answer,
    parse_cnf,
    write_cnf,
)
from satdoku.cnf.encodings import ENCODINGS, EncodingError, encode
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid
from satdoku.runtime.errors import SatdokuError

SIX = Board.of_size(6)
JIGSAW_4 = "1112122233334444"
JIGSAW_6 = "112233112233112233445566445566445566"
FORMULA = encode(constraints_for())
PUZZLE = parse_grid(CLASSIC)


def true_literals(solution, size=9):
    """The candidate literals of a full grid, computed cell by cell."""
    return [
        (1 if int(solution[cell]) == digit else -1) * (size * cell + digit)
        for cell in range(size * size)
        for digit in range(1, size + 1)
    ]


SOLUTION = true_literals(CLASSIC_SOLUTION)


def written(rules="classic", board=None, puzzle=None):
    return "".join(format_cnf(encode(constraints_for(rules, board)), puzzle))


# Writing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "size", "clauses"),
    [
        ("classic", 9, 10_530),
        ("classic", 4, 384),
        ("classic", 6, 1_980),
        ("knight", 9, 10_530 + 1_368),
        ("king", 9, 10_530 + 504),
        ("nonconsecutive", 9, 10_530 + 2_304),
        ("miracle", 9, 14_706),
    ],
)
def test_the_p_line_has_the_exact_counts(rules, size, clauses):
    text = written(rules, Board.of_size(size))
    assert re.findall("^p .*", text, re.M) == [f"p cnf {size**3} {clauses}"]
    body = [line for line in text.splitlines() if line[0] not in "cp"]
    assert len(body) == len(set(body)) == clauses
    assert all(line.endswith(" 0") for line in body)


def test_givens_are_unit_clauses_that_the_p_line_counts():
    text = written(puzzle=PUZZLE)
    assert f"p cnf 729 {10_530 + 24}\n" in text
    units = [int(line.split()[0]) for line in text.splitlines()[-24:]]
    assert units == [9 * cell + int(c) for cell, c in enumerate(CLASSIC) if c != "."]
    assert f"c clauses 10531 to {10_530 + 24}: givens\n" in text


def test_comments_say_what_it_takes_to_read_an_answer():
    lines = written("knight,diagonal", puzzle=PUZZLE).splitlines()
    for line in [
        "c variable 81*row + 9*column + digit (row, column from 0; digit from 1):",
        "c   true where the digit is in the cell; variables 1 to 729 are the candidates",
        "c satdoku-size 9",
        "c satdoku-rules knight,diagonal",
        "c satdoku-encoding extended",
        f"c satdoku-puzzle {CLASSIC}",
        "c clauses 1 to 81: cell: at least one",
        "c clauses 10531 to 11898: knight: at most one",
    ]:
        assert line in lines
    header = lines.index(f"p cnf 729 {10_530 + 1_368 + 504 + 24}")
    assert all(line.startswith("c ") for line in lines[:header])
    assert not any(line.startswith("c") for line in lines[header:])  # as the competition has it


@pytest.mark.parametrize("name", ENCODINGS)
def test_comments_name_whose_each_clause_and_each_auxiliary_variable_is(name):
    constraints = constraints_for("knight;cage=6:r1c1,r1c2,r2c1" if name not in ("log", "order")
                                  else "knight", FOUR)  # fmt: skip
    formula = encode(constraints, name, bytes(16))
    lines = "".join(format_cnf(formula)).splitlines()
    clauses = lines[lines.index(f"p cnf {formula.variables} {len(formula.clauses)}") + 1 :]
    said = [re.fullmatch(r"c clauses (\d+) to (\d+): (.*)", line) for line in lines]
    parts = {m[3]: clauses[int(m[1]) - 1 : int(m[2])] for m in said if m}
    assert sum(map(len, parts.values())) == len(clauses)
    for family in formula.families:
        assert parts[family.name] == [f"{' '.join(map(str, c))} 0" for c in family.clauses]
    said = [re.fullmatch(r"c variables (\d+) to (\d+): auxiliary, of (.*)", line) for line in lines]
    auxiliary = {v: m[3] for m in said if m for v in range(int(m[1]), int(m[2]) + 1)}
    assert sorted(auxiliary) == list(range(formula.named + 1, formula.variables + 1))
    first = {abs(x): f.name for f in reversed(formula.families) for c in f.clauses for x in c}
    assert auxiliary == {v: name for v, name in first.items() if v > formula.named}


def test_bare_rules_have_no_puzzle_comment():
    assert "satdoku-puzzle" not in written()


def test_the_stream_gets_the_same_text():
    stream = io.BytesIO()
    write_cnf(stream, FORMULA, PUZZLE)
    assert stream.getvalue().decode("ascii") == written(puzzle=PUZZLE)


# Reading back ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "board"),
    [
        ("classic", None),
        ("miracle", None),
        ("windoku,disjoint,diagonal,antiqueen", None),
        ("knight", FOUR),
        ("classic", SIX),
        ("classic", Board(6, 3, 2)),
        ("jigsaw=" + JIGSAW_4, None),
        ("king,jigsaw=" + JIGSAW_6, SIX),
    ],
)
def test_what_is_written_reads_back(rules, board):
    constraints = constraints_for(rules, board)
    line = "".join(Random(1).choices("..12", k=constraints.board.cells))
    puzzle = parse_grid(line, constraints.board)
    cnf = parse_cnf("".join(format_cnf(encode(constraints), puzzle)))
    givens = [[literal] for literal in encode(constraints).literals(puzzle.cells)]
    assert cnf.clauses == [*map(list, encode(constraints).clauses), *givens]
    assert (cnf.variables, cnf.constraints, cnf.puzzle) == (
        constraints.variables,
        constraints,
        puzzle,
    )


def test_a_foreign_cnf_has_no_constraints():
    text = "c from elsewhere\np cnf 3 2\n1 -2\n 3 0 -1\n0\n"
    assert parse_cnf(text) == CnfFile(3, [[1, -2, 3], [-1]], None, None, "extended")


def test_the_end_mark_of_satlib_files_ends_the_clauses():
    assert parse_cnf("p cnf 2 1\n1 2 0\n%\n0\n").clauses == [[1, 2]]


def test_an_empty_formula_and_an_empty_clause_can_be_read():
    assert parse_cnf("p cnf 0 0\n").clauses == []
    assert parse_cnf("p cnf 1 1\n0\n").clauses == [[]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no line 'p cnf VARIABLES CLAUSES'"),
        ("c only\n", "no line 'p cnf VARIABLES CLAUSES'"),
        ("1 2 0\n", "line 1: found a clause, expected 'p cnf V C'"),
        ("c\np cnf x 3\n", "line 2: found 'p cnf x 3', expected 'p cnf V C'"),
        ("p sat 3 3\n", "line 1: found 'p sat 3 3', expected 'p cnf V C'"),
        ("p cnf 3\n", "line 1: found 'p cnf 3'"),
        ("p cnf -1 3\n", "line 1: found 'p cnf -1 3'"),
        (f"p cnf {10**12} 3\n", "line 1: found 'p cnf 1000000000000 3'"),
        ("p cnf 2 1\n1 3 0\n", "line 2: found ['1', '3', '0'], expected literals -2..2 and 0"),
        ("p cnf 2 1\n1 x 0\n", "line 2: found ['1', 'x', '0']"),
        ("p cnf 20 1\n1_0 0\n", "line 2: found ['1_0', '0']"),
        ("p cnf 2 2\n1 0\n2\n", "the last clause has no 0 at its end"),
        ("p cnf 2 3\n1 0\n2 0\n", "found 2 clauses, expected 3"),
        ("p cnf 2 1\n1 0\n2 0\n", "found 2 clauses, expected 1"),
        (
            "c satdoku-size x\nc satdoku-rules classic\np cnf 0 0\n",
            "satdoku comments with size 'x'",
        ),
    ],
)
def test_errors_say_where_and_what(text, message):
    with pytest.raises(DimacsError, match=re.escape(message)) as caught:
        parse_cnf(text, "some.cnf")
    assert str(caught.value).startswith("some.cnf: ") or "comments with" in message


def test_comments_that_name_no_rule_or_no_puzzle_are_errors():
    text = written(puzzle=PUZZLE)
    for good, bad in (("-rules classic", "-rules clasic"), (CLASSIC, CLASSIC[1:])):
        with pytest.raises(SatdokuError):
            parse_cnf(text.replace(good, bad))


# Answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("s SATISFIABLE\nv 1 -2\nv 3 0\n", SolverOutput("SATISFIABLE", [1, -2, 3])),
        (
            "c noise\nv 1 -2\ns SATISFIABLE\nv 3 0\nc more\n",
            SolverOutput("SATISFIABLE", [1, -2, 3]),
        ),
        ("s  SATISFIABLE \r\nv\t1\t-2 0\r\n", SolverOutput("SATISFIABLE", [1, -2])),
        ("s UNSATISFIABLE\n", SolverOutput("UNSATISFIABLE", [])),
        ("s UNKNOWN\n", SolverOutput("UNKNOWN", [])),
        ("SAT\n1 -2 3 0\n", SolverOutput("SATISFIABLE", [1, -2, 3])),
        ("SAT\n1 -2\n3 0\n", SolverOutput("SATISFIABLE", [1, -2, 3])),
        ("UNSAT\n", SolverOutput("UNSATISFIABLE", [])),
        ("UNSATISFIABLE\ns UNSATISFIABLE\n", SolverOutput("UNSATISFIABLE", [])),
        ("INDET\n", SolverOutput("UNKNOWN", [])),
    ],
)
def test_answers_of_solvers_are_read(text, answer):
    assert parse_answer(text) == answer


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "out: found no 's' line, expected s SATISFIABLE, s UNSATISFIABLE, s UNKNOWN"),
        ("v 1 2 0\n", "found no 's' line"),
        ("s MAYBE\n", "found 's MAYBE'"),
        (
            "s SATISFIABLE\nv 1 0\ns UNSATISFIABLE\n",
            "line 3: found 'UNSATISFIABLE' after",
        ),
        ("UNSAT\ns SATISFIABLE\nv 1 0\n", "line 2: found 'SATISFIABLE' after 'UNSATISFIABLE'"),
        ("s SATISFIABLE\nv 1 x 0\n", "line 2: found 'x', expected a literal"),
        ("s SATISFIABLE\nv 1.5 0\n", "line 2: found '1.5'"),
        ("SAT\n1 --2 0\n", "line 2: found '--2'"),
        ("s SATISFIABLE\nv " + "9" * 30, "line 2: found '99999999999999999999'"),
        ("s SATISFIABLE\nv 1 0\ns UNSATISFIABLE\n", "line 3: found 'UNSATISFIABLE' after 'SAT"),
        (
            "UNSAT\ns UNKNOWN\n",
            "found 'UNKNOWN' after 'UNSATISFIABLE', expected one status",
        ),
        ("c a\x85s UNSATISFIABLE\x0cs UNSATISFIABLE\u2028UNSAT\n", "found no 's' line"),
    ],
)
def test_bad_answers_say_what_was_found(text, message):
    with pytest.raises(DimacsError, match=re.escape(message)):
        parse_answer(text, "out")


def test_literal_lines_wrap_and_end_in_zero():
    text = format_answer("SATISFIABLE", SOLUTION)
    first, *lines = text.split("\n")
    assert first == "s SATISFIABLE"
    assert all(line.startswith("v ") and len(line) <= 78 for line in lines)
    assert lines[-1].endswith(" 0")
    assert len(lines) > 40
    assert [int(word) for line in lines for word in line.split()[1:]] == [*SOLUTION, 0]


@given(
    st.sampled_from(list(EXIT_CODES)),
    st.lists(st.integers(-(10**9) + 1, 10**9 - 1).filter(bool), max_size=60),
)
def test_answers_round_trip(status, literals):
    expected = literals if status == "SATISFIABLE" else []
    assert parse_answer(format_answer(status, literals)) == SolverOutput(status, expected)


# Decoding ----------------------------------------------------------------------------------------


def decode(literals, puzzle=None, rules="classic"):
    answer, formula = SolverOutput("SATISFIABLE", literals), encode(constraints_for(rules))
    return decode_answer(answer, formula, puzzle)


def test_an_answer_becomes_the_grid():
    assert str(decode(SOLUTION, PUZZLE)) == CLASSIC_SOLUTION
    assert str(decode(SOLUTION[::-1])) == CLASSIC_SOLUTION
    assert str(decode([v for v in SOLUTION if v > 0], PUZZLE)) == CLASSIC_SOLUTION
    assert str(decode([*SOLUTION, 730, -731])) == CLASSIC_SOLUTION


@pytest.mark.parametrize("status", ["UNSATISFIABLE", "UNKNOWN"])
def test_no_other_status_has_a_grid(status):
    assert decode_answer(SolverOutput(status, []), FORMULA, PUZZLE) is None


def swapped(a, b):
    """The solution with the digits of two cells exchanged."""
    cells = list(CLASSIC_SOLUTION)
    cells[a], cells[b] = cells[b], cells[a]
    return true_literals("".join(cells))


# (literals, puzzle, rules, family, violated and all clauses, first clause in words)
VIOLATED = {
    "a cell is empty": (
        SOLUTION[9:], None, "classic", "cell: at least one", "1 of 81",
        "r1c1=1 or r1c1=2 or r1c1=3",
    ),
    "a cell has two digits": (
        [*[v for v in SOLUTION if v > 0], 1], None, "classic", "cell: at most one", "1 of 2916",
        "r1c1≠1 or r1c1≠7",
    ),
    "a digit is missing in a row": (
        swapped(0, 9), None, "classic", "row: at least one", "2 of 81", "r1c1=7 or r1c2=7",
    ),
    "a digit is missing in a column": (
        swapped(0, 3), None, "classic", "column: at least one", "2 of 81", "r1c1=7 or r2c1=7",
    ),
    "a given is not kept": (
        swapped(0, 1), parse_grid("7" + "." * 80), "classic", "column: at least one", "2 of 81", "",
    ),
    "another grid": (
        SOLUTION, parse_grid("8" + "." * 80), "classic", "givens", "1 of 1", "r1c1=8",
    ),
    "a rule of its own": (
        SOLUTION, None, "nonconsecutive", "nonconsecutive: at most one", None, "≠",
    ),
    "a diagonal": (
        SOLUTION, None, "diagonal", "diagonal: at least one", None, "r1c1=",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("literals", "puzzle", "rules", "family", "share", "first"), VIOLATED.values(), ids=VIOLATED
)
def test_a_wrong_answer_names_the_violated_family(literals, puzzle, rules, family, share, first):
    with pytest.raises(DecodeError) as caught:
        decode(literals, puzzle, rules)
    message = str(caught.value)
    assert message.startswith(f"clause family '{family}' is violated in {share or ''}")
    assert f"clauses, first: {first}" in message or (first == "≠" and "≠" in message)


def test_an_answer_that_says_yes_and_no_names_the_variable():
    with pytest.raises(DecodeError, match="the answer holds both 7 and -7"):
        decode([*SOLUTION, -7])


@pytest.mark.parametrize(
    ("rules", "board"), [("jigsaw=" + JIGSAW_4, None), ("jigsaw=" + JIGSAW_6, None), ("king", SIX)]
)
def test_jigsaw_and_6x6_go_there_and_back(rules, board):
    constraints = constraints_for(rules, board)
    size = constraints.board.size
    puzzle = parse_grid("12" + "." * (constraints.board.cells - 2), constraints.board)
    cnf = parse_cnf("".join(format_cnf(encode(constraints), puzzle)))
    model = solve_clauses(cnf.clauses)
    answer = parse_answer(format_answer("SATISFIABLE", model))
    grid = decode_answer(answer, encode(cnf.constraints), cnf.puzzle)
    assert (grid[0], grid[1], grid.board) == (1, 2, constraints.board)
    for house in constraints.board.houses:
        assert sorted(grid[cell] for cell in house) == list(range(1, size + 1))


# Every encoding -----------------------------------------------------------------------------------


@pytest.mark.covering
@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("rules", ["classic", "knight,diagonal"])
def test_every_encoding_goes_there_and_back(name, rules):
    constraints = constraints_for(rules, SIX)
    puzzle = parse_grid("12" + "." * 34, SIX)
    formula = encode(constraints, name, puzzle)
    text = "".join(format_cnf(formula, puzzle))
    cnf = parse_cnf(text)
    assert (cnf.variables, cnf.constraints, cnf.puzzle) == (formula.variables, constraints, puzzle)
    assert cnf.encoding == name
    givens = [[literal] for literal in formula.literals(puzzle.cells)]
    assert cnf.clauses == [*map(list, formula.clauses), *givens]
    model = solve_clauses(cnf.clauses)
    if rules != "classic":
        assert model is None  # as with the extended encoding
        assert solve_clauses(parse_cnf(written(rules, SIX, puzzle)).clauses) is None
        return
    for literals in (model, model[::-1], [literal for literal in model if literal > 0]):
        grid = decode_answer(
            SolverOutput("SATISFIABLE", literals),
            encode(cnf.constraints, cnf.encoding, cnf.puzzle),
            cnf.puzzle,
        )
        assert (grid[0], grid[1], grid.is_complete) == (1, 2, True)


@pytest.mark.parametrize(
    ("name", "legend"),
    [
        ("triads", ["variable 81*row + 9*column + digit (row, column from 0; digit from 1):",
                    "  true where the digit is in the cell; variables 1 to 729 are the candidates, "
                    "the rest auxiliary"]),
        ("log", ["variable 36*row + 4*column + bit (row, column from 0; bit from 1, the lowest):",
                 "  the 4 bits of a cell are those of its digit - 1"]),
        ("order", ["variable 72*row + 8*column + digit (row, column from 0; digit from 1 to 8):",
                   "  true where the cell holds at most that digit"]),
        ("reduced", ["variables 1 to 221 are the candidates that the givens leave open, in order:",
                     "  r1c1=2 r1c1=5 r1c1=6 r1c1=7 r1c2=5 r1c2=7 r1c3=2 r1c3=6 r1c3=7 r1c4=2 "
                     "r1c4=4"]),
    ],
)  # fmt: skip
def test_comments_say_what_variables_mean(name, legend):
    lines = "".join(format_cnf(encode(constraints_for(), name, PUZZLE), PUZZLE)).splitlines()
    assert lines[1:3] == [f"c {line}" for line in legend]
    assert f"c satdoku-encoding {name}" in lines
    # Four bits per given; two bounds, but only one for the smallest and the greatest digit.
    bounds = 2 * 24 - CLASSIC.count("1") - CLASSIC.count("9")
    givens = {"triads": 24, "log": 4 * 24, "order": bounds, "reduced": 0}[name]
    ends = (re.fullmatch(r"c clauses (\d+) to (\d+): givens", line) for line in lines)
    assert sum(int(end[2]) - int(end[1]) + 1 for end in ends if end) == givens


def test_the_legend_of_bits_and_bounds_is_true():
    """Read an answer with the help of the legend only."""
    for name, width in (("log", 4), ("order", 8)):
        formula = encode(constraints_for(), name)
        model = set(
            solve_clauses([*formula.clauses, *([x] for x in formula.literals(PUZZLE.cells))])
        )
        cells = []
        for row in range(9):
            for column in range(9):
                own = [9 * width * row + width * column + i for i in range(1, width + 1)]
                held = [v in model for v in own]
                if name == "log":
                    cells.append(1 + sum(2**i for i, bit in enumerate(held) if bit))
                else:
                    cells.append(next((d for d, true in enumerate(held, 1) if true), 9))
        assert "".join(map(str, cells)) == CLASSIC_SOLUTION


def test_a_wrong_answer_in_bits_is_told_in_words():
    formula = encode(constraints_for(), "log")
    ones = formula.literals(bytes([1] * 81))
    with pytest.raises(DecodeError) as caught:
        decode_answer(SolverOutput("SATISFIABLE", ones), formula)
    assert str(caught.value).startswith(
        "clause family 'row: at most one' is violated in 324 of 2916 clauses, first: "
        "bit 1 of r1c1=1 or bit 2 of r1c1=1 or"
    )
    formula = encode(constraints_for(), "reduced", PUZZLE)
    with pytest.raises(DecodeError, match=r"'cell: at least one' .*, first: r1c1=2 or r1c1=5 or"):
        decode_answer(SolverOutput("SATISFIABLE", []), formula, PUZZLE)


def test_a_reduced_formula_is_written_with_its_own_puzzle():
    formula = encode(constraints_for(), "reduced", PUZZLE)
    text = "".join(format_cnf(formula))
    assert text == "".join(format_cnf(formula, PUZZLE))
    assert parse_cnf(text).puzzle == PUZZLE
    with pytest.raises(EncodingError, match="the formula was made for"):
        "".join(format_cnf(formula, parse_grid("." * 81)))


# Any text ----------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["p", "cnf", "c", "s", "v", "SAT", "UNSAT", "SATISFIABLE", "0", "1", "-1", "2", "%", "x", "\n",
     "p cnf 2 2\n", "s SATISFIABLE\n", "c satdoku-size 4\n", "c satdoku-size 9\n",
     "c satdoku-rules jigsaw=1122\n", "c satdoku-rules classic\n", "c satdoku-box 2x2\n",
     "c satdoku-rules windoku\n", "c satdoku-puzzle 1234\n", "99999999999999999999", "²", "٣"]
)  # fmt: skip


@settings(max_examples=share(200), deadline=None)
@given(st.lists(WORDS | st.text(max_size=5), max_size=15).map(" ".join))
def test_no_text_raises_anything_but_a_satdoku_error(text):
    outcomes = []
    for parse in (parse_cnf, parse_answer):
        try:
            outcomes.append(parse(text))
        except SatdokuError as error:
            outcomes.append(str(error))
    cnf, answer = outcomes
    assert isinstance(cnf, CnfFile) or cnf
    assert answer if isinstance(answer, str) else answer.status in EXIT_CODES


@settings(max_examples=share(200), deadline=None)
@given(st.lists(st.integers(-70, 70).filter(bool), max_size=80))
def test_any_literals_decode_to_a_true_grid_or_an_error(literals):
    formula = encode(constraints_for("classic", FOUR))
    try:
        grid = decode_answer(SolverOutput("SATISFIABLE", literals), formula)
    except DecodeError as error:
        assert re.search(r"clause family '\w+: at \w+ one' is violated|holds both", str(error))
    else:
        assert sorted(grid.cells) == sorted(list(range(1, 5)) * 4)


def read_icnf(text):
    """The clauses and the assumptions of incremental CNF, by a reader of its own."""
    header, clauses, cubes = None, [], []
    for line in text.splitlines():
        kind, *words = line.split()
        if kind == "p":
            header = words
        elif kind != "c":
            assert header == ["inccnf"]
            literals = [int(word) for word in (words if kind == "a" else [kind, *words])]
            assert literals.pop() == 0
            assert 0 not in literals
            (cubes if kind == "a" else clauses).append(literals)
    return clauses, cubes


@pytest.mark.parametrize("name", sorted(set(ENCODINGS) - {"reduced"}))
@pytest.mark.parametrize("rules", ["classic", "diagonal"])
def test_each_line_of_assumptions_of_incremental_cnf_is_a_puzzle(name, rules, four_by_four):
    formula = encode(constraints_for(rules, FOUR), name)
    last = max(four_by_four)
    puzzles = [bytes(16), bytes([1, 2, *[0] * 14]), bytes([1, 1, *[0] * 14]), last]
    text = "".join(format_icnf(formula, [Grid(cells, FOUR) for cells in puzzles]))
    clauses, cubes = read_icnf(text)
    assert len(cubes) == len(puzzles)
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        for cells, cube in zip(puzzles, cubes, strict=True):
            fitting = [
                grid
                for grid in four_by_four
                if all(given in (0, digit) for given, digit in zip(cells, grid, strict=True))
                and obeys(grid, (rules,), 4)
            ]
            assert solver.solve(cube) == bool(fitting)
            assert not fitting or formula.decode(solver.get_model()) in fitting


def test_incremental_cnf_has_one_formula_for_all_puzzles():
    formula = encode(constraints_for(), "reduced", PUZZLE)
    with pytest.raises(EncodingError, match="reduced: givens are built into its clauses"):
        next(format_icnf(formula, [PUZZLE]))
