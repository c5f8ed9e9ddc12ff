"""The models of a cell: each says of every rule and clue what the witness says of full grids."""

from random import Random

import pytest
import z3
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid
from satdoku.model.kinds import KINDS
from satdoku.model.kinds.drawing import random_clue
from satdoku.model.notes import notes_in, read_notes
from satdoku.model.rules import RULES
from satdoku.runtime.errors import SatdokuError
from satdoku.witness.smtlib import MODELS, SmtError, format_smtlib, parse_smt_answer
from satdoku.witness.smtlib.models import binary_width
from satdoku.witness.verify import solves


def solver():
    """One of its own context, so that no other test gets slower by what is in it."""
    return z3.Solver(ctx=z3.Context())


class Script:
    """A script that Z3 has read; asked whether it holds of full grids."""

    def __init__(self, constraints, model):
        self.board, self.model = constraints.board, model
        self.solver = solver()
        self.solver.from_string(format_smtlib(constraints, model=model))

    def holds(self, cells):
        terms = [self._is(cell, digit) for cell, digit in enumerate(cells)]
        return self.solver.check(*terms) == z3.sat

    def _is(self, cell, digit):
        name, size = self.board.name_of(cell), self.board.size
        if self.model == "int":
            return z3.Int(name, self.solver.ctx) == digit
        if self.model == "bv":
            return z3.BitVec(name, binary_width(size), self.solver.ctx) == digit - 1
        return z3.BitVec(name, size, self.solver.ctx) == 1 << digit - 1


def agrees(constraints, grids, models):
    empty = Grid(bytes(constraints.board.cells), constraints.board)
    for model in models:
        script = Script(constraints, model)
        for cells in grids:
            right = solves(Grid(cells, constraints.board), empty, constraints.rules)
            assert script.holds(cells) == right, (constraints.name, model, cells)


@pytest.mark.parametrize("model", MODELS)
def test_every_rule_and_the_houses(model, four_by_four):
    rng = Random(1)
    wrong = [bytes(rng.choices(range(1, 5), k=16)) for _ in range(3)]
    for rule in RULES:
        agrees(constraints_for(rule, FOUR), [*rng.sample(four_by_four, 6), *wrong], [model])


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_clue(kind, four_by_four):
    rng = Random(kind)
    for _ in range(2):
        grid = rng.choice(four_by_four)
        clue = random_clue(KINDS[kind], grid, FOUR, rng, lambda clue: True)
        if clue is None:
            continue
        try:
            constraints = constraints_for(clue.text(FOUR), FOUR)
        except SatdokuError:
            continue
        agrees(constraints, [grid, *rng.sample(four_by_four, 3)], ["bv", "onehot"])


def test_sums_too_large_for_a_cell_do_not_wrap():
    line = ",".join(f"r{row}c{column}" for row in range(1, 5) for column in range(1, 5))
    full = bytes([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
    for total, right in ((40, True), (40 - 16, False), (40 + 16, False)):
        constraints = constraints_for(f"sum={total}:{line}", FOUR)
        for model in ("bv", "onehot"):
            assert Script(constraints, model).holds(full) == right


@pytest.mark.parametrize("model", ["bv", "onehot"])
def test_z3_finds_the_known_solution_and_its_values_are_read(model):
    puzzle, law = parse_grid(CLASSIC), constraints_for()
    reader = solver()
    reader.from_string(format_smtlib(law, puzzle, model=model))
    assert reader.check() == z3.sat
    found = reader.model()
    values = " ".join(f"({d.name()} {found[d].sexpr()})" for d in found.decls())
    assert str(parse_smt_answer(f"sat\n({values})", law, puzzle)) == CLASSIC_SOLUTION


def test_strikes_and_excluded_solutions_are_asserted():
    law = constraints_for("classic", FOUR)
    puzzle = parse_grid("1.....2....3.4..")
    solution = parse_grid("1234432121433412").cells
    struck = bytes(candidate != 4 + 1 for candidate in range(64))  # r1c2 is not 2
    for model in MODELS:
        for more in ({"excluded": [solution]}, {"marks": struck}):
            reader = solver()
            reader.from_string(format_smtlib(law, puzzle, model=model, **more))
            assert reader.check() == z3.unsat


@pytest.mark.parametrize(
    ("value", "digit"),
    [
        ("(r1c1 4)", 4), ("(r1c1 #b0011)", 4), ("(r1c1 #x3)", 4), ("(r1c1 (_ bv3 4))", 4),
        ("(r1c1 #b000001000)", 4), ("(r1c1 (_ bv8 9))", 4),
        ("(define-fun r1c1 () Int\n    4)", 4), ("(define-fun r1c1 () (_ BitVec 4) #x3)", 4),
        ("(= r1c1 #b0011)", 4),
        ("(r1c1 #b000001001)", 0), ("(r1c1 #b00011)", 0), ("(r1c1 #xf)", 0),
    ],
)  # fmt: skip
def test_values_as_solvers_print_them(value, digit):
    rest = " ".join(f"(r{i // 9 + 1}c{i % 9 + 1} {CLASSIC_SOLUTION[i]})" for i in range(1, 81))
    text = f"sat\n({value} {rest})"
    if digit == 0:
        with pytest.raises(SmtError, match=r"found 'sat' and 8[01] values"):
            parse_smt_answer(text, constraints_for())
        return
    try:
        found = parse_smt_answer(text, constraints_for())[0]
    except SmtError as error:  # the digit is not that of the solution
        found = int(str(error).split("r1c1=")[1][0])
    assert found == digit


def test_comments_say_what_the_script_is_about():
    law = constraints_for("knight", Board.of_size(4))
    puzzle = parse_grid("1.....2....3.4..")
    lines = format_smtlib(law, puzzle, model="onehot").splitlines()
    assert "one-hot bit-vector model" in lines[0]
    assert read_notes(notes_in(lines)) == (law, puzzle)


def test_an_unknown_model_names_those_there_are():
    with pytest.raises(SmtError, match="no SMT-LIB model 'real': choose from int, bv, onehot"):
        format_smtlib(constraints_for(), model="real")
