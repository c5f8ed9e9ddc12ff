"""Questions to programs: answers are verified, and what goes wrong is said in words."""

import pytest
from command_cases import EMPTY, NONE
from examples import CLASSIC, CLASSIC_SOLUTION
from programs import PYSAT, Z3_CNF, says, script

import satdoku
from satdoku.answers.external.program import ProgramError
from satdoku.answers.external.solver import SolverCommand
from satdoku.cnf.encodings import ENCODINGS
from satdoku.model.puzzle import Puzzle, digits_of, on_board
from satdoku.runtime.errors import Status, Unanswered, WitnessError

FOUR = "1.....2....3.4.."
FOUR_SOLUTION = "1234432121433412"
Z3 = SolverCommand(Z3_CNF)


def literals(line):
    """The values of a 4x4 grid in the extended encoding, as text."""
    digits = [int(c) for c in line]
    return " ".join(
        str((1 if digits[i] == d else -1) * (4 * i + d)) for i in range(16) for d in range(1, 5)
    )


@pytest.mark.parametrize("command", [Z3_CNF, f"{PYSAT} {{cnf}}", f"{PYSAT} {{cnf}} {{out}}"])
def test_a_solution_is_a_grid_whether_printed_or_written(command):
    assert str(satdoku.SolverCommand(command).solve(CLASSIC)) == CLASSIC_SOLUTION


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_is_answered(encoding, four_by_four):
    program = SolverCommand(Z3_CNF, encoding=encoding)
    assert str(program.solve(FOUR)) == FOUR_SOLUTION


def test_an_unknown_encoding_names_those_there_are():
    with pytest.raises(ProgramError, match="found encoding 'best', expected one of extended, "):
        SolverCommand(Z3_CNF, encoding="best")


def test_solutions_are_all_of_them_each_once(four_by_four):
    start = "12.............."
    found = [grid.cells for grid in Z3.solutions(start)]
    assert sorted(found) == sorted(g for g in four_by_four if g[:2] == bytes([1, 2]))
    assert len(list(Z3.solutions(start, limit=3))) == 3
    assert len(list(Z3.solutions(FOUR_SOLUTION))) == 1


def test_a_status_in_a_word():
    assert Z3.classify(CLASSIC) == Status.UNIQUE
    assert Z3.classify(EMPTY) == Status.MULTIPLE
    assert Z3.classify(NONE) == Status.NONE
    assert Z3.classify("55" + EMPTY[2:]) == Status.INVALID
    assert SolverCommand(says("s UNKNOWN\n")).classify(CLASSIC) == Status.UNKNOWN


def test_rules_and_clues_go_into_the_formula():
    rules = "diagonal;cage=3:r1c1,r1c2"
    (grid, *_) = Z3.solutions("." * 16, rules, limit=1)
    assert sorted(grid.cells[:2]) == [1, 2]
    assert len({grid.cells[cell] for cell in (0, 5, 10, 15)}) == 4


def test_pencil_marks_are_kept():
    puzzle = marked("." * 16, bytes([0, 0, 0, 1] + [1] * 60))
    assert Z3.solve(puzzle).cells[0] == 4
    assert Z3.classify(puzzle) == Status.MULTIPLE
    assert next(Z3.solutions(puzzle, limit=1)).cells[0] == 4
    assert Z3.answer(puzzle, 1)[::2] == (Status.SOLVED, Z3.command.text)


def marked(grid, marks):
    return Puzzle(*on_board(grid), digits_of(marks, 4))


def test_a_model_of_any_formula_is_checked():
    assert Z3.model([[1, 2], [-1]], 3)[:2] == [-1, 2]
    assert Z3.model([[1], [-1]], 1) is None
    with pytest.raises(WitnessError, match="its values break clause -1 0"):
        SolverCommand(says("s SATISFIABLE\nv 1 2 0\n")).model([[1, 2], [-1]], 2)
    with pytest.raises(Unanswered):
        SolverCommand(says("s UNKNOWN\n")).model([[1]], 1)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (f"s SATISFIABLE\nv {literals(FOUR_SOLUTION[::-1])} 0\n", "r1c1=2, where the puzzle has 1"),
        (f"s SATISFIABLE\nv {literals('1' * 16)} 0\n", "r1c1=1 and r1c2=1 break the row rule"),
        ("s SATISFIABLE\nv 1 2 3 4 0\n", "clause family 'cell: at least one' is violated in 15"),
    ],
)
def test_a_lie_is_told_by_what_its_values_break(answer, words):
    with pytest.raises(WitnessError, match="(?s)^sh -c .* claims .*but " + words):
        SolverCommand(says(answer)).solve(FOUR)


def test_marks_that_a_solution_breaks_are_told():
    program = SolverCommand(says(f"s SATISFIABLE\nv {literals(FOUR_SOLUTION)} 0\n"))
    with pytest.raises(WitnessError, match="r1c1=1, which its pencil marks exclude"):
        program.solve(marked("." * 16, bytes([0, *[1] * 63])))


def test_a_solution_that_was_excluded_is_a_lie():
    program = SolverCommand(says(f"s SATISFIABLE\nv {literals(FOUR_SOLUTION)} 0\n"))
    with pytest.raises(WitnessError, match="gives a solution that was excluded"):
        list(program.solutions("." * 16))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (script("echo hello"), r"no 's' line.* \(exit code 0; its last words: hello\)"),
        (script("echo oops >&2; exit 3"), r"exit code 3; its last words: oops"),
        (script("kill -SEGV $$"), "SIGSEGV; its last words: nothing"),
        (script("echo s SATISFIABLE; exit 20"), "says SATISFIABLE without values"),
        (script("echo s UNSATISFIABLE; exit 10"), "its answer is not that of its exit code"),
        (says("s SATISFIABLE\nv one 0\n"), "found 'one', expected a literal"),
    ],
)
def test_words_that_are_no_answer_are_repeated(command, words):
    with pytest.raises(ProgramError, match=words):
        SolverCommand(command).solve(FOUR)


@pytest.mark.parametrize(
    ("command", "limits", "status", "words"),
    [
        (says("s UNKNOWN\n"), {}, "unknown", "says UNKNOWN"),
        (script("echo c UNKNOWN"), {}, "unknown", "gives no answer"),
        ("true {cnf}", {}, "unknown", "true: gives no answer"),
        (script("sleep 9"), {"timeout": 0.2}, "timeout", r"no answer within 0\.2 s"),
        (script("kill -KILL $$"), {"memory_mb": 90}, "memory", "no answer within 90 MB"),
        (script("echo out of memory; exit 1"), {"memory_mb": 90}, "memory", "within 90 MB"),
    ],
)
def test_who_gives_up_says_why(command, limits, status, words):
    with pytest.raises(Unanswered, match=words) as caught:
        SolverCommand(command, **limits).solve(FOUR)
    assert caught.value.status == status


def test_no_file_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    Z3.solve(FOUR)
    for answer in ("s SATISFIABLE\n", "s UNKNOWN\n", "s SATISFIABLE\nv 1 2 0\n"):
        with pytest.raises((ProgramError, Unanswered, WitnessError)):
            SolverCommand(says(answer)).solve(FOUR)
    assert list(tmp_path.iterdir()) == []
