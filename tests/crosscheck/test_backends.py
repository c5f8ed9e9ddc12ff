import pickle
import subprocess
import sys
from dataclasses import replace

import pytest
from examples import FOUR

from satdoku.answers.query import candidates_of
from satdoku.answers.session import Session
from satdoku.answers.sides import split
from satdoku.answers.solver import SOLVERS
from satdoku.cnf.encodings import ENCODINGS
from satdoku.crosscheck import BackendMissing, Budget, configuration_named, configuration_names
from satdoku.crosscheck.backends import NO_ENCODING, backend_named, backends
from satdoku.engine import implementations
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid, parse_grid
from satdoku.model.puzzle import Puzzle, digits_of, empty_puzzle, strikes
from satdoku.model.rules import RULES
from satdoku.runtime.errors import BudgetError, Status

PLAIN_RULES = ["classic", *RULES]
BY_KIND = {
    "z3-int-distinct": "integer", "z3-int-pairwise": "integer", "z3-bitvec": "boolean",
    "z3-bitvec-binary": "integer", "z3-enum": "integer", "z3-bool": "boolean",
    "z3-bool-pb": "boolean", "cp-sat": "integer", "clingo": "boolean", "plain": "boolean",
}  # fmt: skip
CONTESTANTS = [
    *(("cadical153", encoding) for encoding in ENCODINGS),
    *(("z3-dimacs", encoding) for encoding in ("extended", "log", "reduced")),
    *(("pycosat", encoding) for encoding in ("extended", "log", "reduced")),
    *((name, NO_ENCODING) for name in BY_KIND),
    *((f"engine-{name}", NO_ENCODING) for name in implementations()),
]


def installed(name):
    backend = backend_named(name)
    if not backend.installed:
        pytest.skip(f"{name} is not installed")
    return backend


@pytest.fixture(params=CONTESTANTS, ids="-".join)
def contestant(request):
    return installed(request.param[0]), request.param[1]


def solutions_of(puzzle):
    """The solutions by another solver's session and a look at what is struck."""
    with Session(puzzle.constraints, solver="glucose3") as session:
        found = [grid.cells for grid in session.solutions(puzzle.grid)]
    marks = strikes(puzzle)
    return {cells for cells in found if all(marks[c] for c in candidates_of(cells))}


def four(text, constraints, struck=()):
    marks = digits_of(bytes(c not in struck for c in range(64)), 4) if struck else None
    return Puzzle(parse_grid(text.ljust(16, ".")), constraints, marks)


def answers_rightly(query, under, expected):
    """Every question; a list without repetition, two of it, one of it, their number and union."""
    listed = list(query().solutions(under))
    assert len(listed) == len(set(listed))
    assert set(listed) == expected
    two = list(query().solutions(under, limit=2))
    assert len(two) == len(set(two)) == min(2, len(expected))
    assert set(two) <= expected
    found = query().solve(under)
    assert found in expected if expected else found is None
    assert query().count(under, limit=7) == min(7, len(expected))
    assert query().candidates(under) == {c for cells in expected for c in candidates_of(cells)}
    words = [[Status.NONE, Status.INVALID], [Status.UNIQUE], [Status.MULTIPLE]]
    assert query().status(under) in [None, *words[min(2, len(expected))]]


@pytest.mark.covering
@pytest.mark.parametrize("rules", PLAIN_RULES)
def test_every_question_is_answered_with_givens_built_in(contestant, rules):
    backend, encoding = contestant
    puzzle = four("1", constraints_for(rules, FOUR), struck=(6, 21, 63))
    expected = solutions_of(puzzle)
    if rules == "classic":  # each question is the first of its query
        answers_rightly(lambda: backend.open(puzzle, encoding), None, expected)
    else:
        assert set(backend.open(puzzle, encoding).solutions()) == expected
        query = backend.open(puzzle, encoding)
        answers_rightly(lambda: query, puzzle, expected)


def test_one_query_answers_many_puzzles_and_forgets_each(contestant):
    backend, encoding = contestant
    constraints = constraints_for("classic", FOUR)
    query = backend.open(empty_puzzle(constraints), encoding)
    for puzzle in (
        four("1234", constraints),
        four("11", constraints),
        four("", constraints, (0, 1, 2)),
        four("12", constraints, (15, 30, 31)),  # givens and strikes together
        four("", constraints, (0, 1, 2, 3)),
        four("4", constraints),
    ):
        answers_rightly(lambda: query, puzzle, solutions_of(puzzle))


def test_more_givens_go_to_a_query_that_has_the_puzzle_built_in(contestant):
    backend, encoding = contestant
    constraints = constraints_for("diagonal", FOUR)
    puzzle = four("", constraints, struck=(0, 20))
    query = backend.open(puzzle, encoding)
    found = []
    for part in split(puzzle.grid, constraints):
        found += query.solutions(replace(puzzle, grid=part))
    assert len(found) == len(set(found))
    assert set(found) == solutions_of(puzzle)


def test_contestants_pickle_and_say_their_kind(contestant):
    backend, encoding = contestant
    assert pickle.loads(pickle.dumps(backend)) == backend
    wanted = ENCODINGS[encoding] if encoding in ENCODINGS else BY_KIND.get(backend.name, "boolean")
    assert backend.kind(encoding) == wanted
    assert encoding in backend.encodings()


def test_all_backends_are_found():
    engines = {f"engine-{name}" for name in implementations()}
    assert {*SOLVERS, *BY_KIND, *engines, "z3-dimacs", "pycosat"} == set(backends())
    with pytest.raises(BackendMissing, match=r"no backend 'oracle': choose from .*cadical153"):
        backend_named("oracle")


def test_a_module_in_the_folder_is_all_that_a_new_backend_needs(monkeypatch, tmp_path):
    import satdoku.crosscheck.backends as folder

    (tmp_path / "mine.py").write_text(
        "from satdoku.crosscheck.backends.backtracking import BacktrackingBackend\n"
        "def backends():\n    yield BacktrackingBackend('mine')\n"
    )
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    folder.backends.cache_clear()
    try:
        assert "mine" in configuration_names()
        assert configuration_named("mine").backend.name == "mine"
    finally:
        folder.backends.cache_clear()


def test_configurations_have_names():
    names = configuration_names()
    assert len(set(names)) == len(names)
    assert set(names) >= {*SOLVERS, *(e for e in ENCODINGS if e != "extended"), "z3-bool"}
    assert {f"engine-{name}" for name in implementations()} <= set(names)
    assert configuration_named("glucose4/log") == (backend_named("glucose4"), "log")
    assert configuration_named("log") == (backend_named("cadical153"), "log")
    assert configuration_named("z3-dimacs/log") == (backend_named("z3-dimacs"), "log")
    assert configuration_named("plain") == (backend_named("plain"), NO_ENCODING)
    for unknown in ("oracle", "glucose4/base64", "plain/log", ""):
        with pytest.raises(BackendMissing, match=f"no backend '{unknown}'"):
            configuration_named(unknown)


def test_what_answers_is_imported_when_it_is_loaded_and_not_before():
    """A child of `bench` times the import of the library."""
    code = (
        "import sys, satdoku.crosscheck.backends.answering, satdoku.bench.worker\n"
        "from satdoku.crosscheck.backends import z3, cp_sat, clingo, pycosat\n"
        "loaded = {'pysat', 'z3', 'ortools', 'clingo', 'pycosat', 'numpy'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "name", ["cadical153", "glucose4", "z3-bool-pb", "z3-enum", "clingo", "cp-sat"]
)
def test_counters_are_counts_or_absent(name):
    backend = installed(name)
    constraints = constraints_for()
    puzzle = parse_grid(
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    )
    encoding = "extended" if name in SOLVERS else NO_ENCODING
    query = backend.open(Puzzle(puzzle, constraints), encoding)
    assert len(list(query.solutions(limit=2))) == 1
    counters = query.counters()
    assert set(counters) <= {"conflicts", "decisions", "propagations"}
    assert counters["conflicts"] > 0


@pytest.mark.parametrize("name", ["clingo", "cp-sat"])
@pytest.mark.parametrize(
    "clue",
    ["cage=6:r1c1-r1c3", "regex=.*12.*:r2c1-r2c4", "sandwich=2:row3", "quadruple=1,2:box1"],
)
def test_clues_on_three_cells_are_stated_and_each_solution_found_once(name, clue):
    constraints = constraints_for(clue, FOUR)
    found = [*installed(name).open(empty_puzzle(constraints), NO_ENCODING).solutions()]
    with Session(constraints) as session:
        known = [bytes(grid) for grid in session.solutions(empty_grid(FOUR))]
    assert sorted(found) == sorted(known)


def test_a_formula_is_measured_with_its_givens():
    constraints = constraints_for()
    puzzle = parse_grid("1" + "." * 80)
    query = backend_named("cadical153").open(Puzzle(puzzle, constraints), "extended")
    assert (query.variables, query.clauses) == (729, 10531)
    assert query.solve()[0] == 1


# Budgets


@pytest.mark.parametrize(
    "name, budget, status, words",
    [
        ("plain", Budget(nodes=20), "unknown", "no answer within 20 nodes"),
        ("engine-numpy", Budget(nodes=1), "unknown", "no answer within 1 nodes"),
        ("z3-int-distinct", Budget(timeout=0.001), "timeout", "timeout"),
        ("cp-sat", Budget(timeout=0.001), "timeout", "no answer within 0.001 seconds"),
        ("clingo", Budget(timeout=0.0), "timeout", "no answer within 0.0 seconds"),
    ],
)
def test_a_backend_gives_up_at_its_budget(name, budget, status, words):
    constraints = constraints_for("miracle")
    query = installed(name).open(empty_puzzle(constraints), NO_ENCODING, budget)
    with pytest.raises(BudgetError, match=words) as raised:
        list(query.solutions())
    assert raised.value.status == status


def test_a_session_gives_up_at_its_conflicts(monkeypatch):
    """The answers are counted as they come: a solver may be lucky."""
    constraints = constraints_for("miracle")
    query = backend_named("cadical153").open(
        empty_puzzle(constraints), "extended", Budget(conflicts=1)
    )
    for question in (query.solutions, query.count, query.candidates):
        with pytest.raises(BudgetError, match="no answer within 1 conflict"):
            list(question()) if question == query.solutions else question()
