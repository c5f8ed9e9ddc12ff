import pickle

import pytest
from examples import FOUR

from satdoku.bench.backends import NO_ENCODING, BackendError, Gave
from satdoku.bench.cubes import cubes
from satdoku.bench.instances import (
    CANDIDATES,
    INCREMENTAL,
    PARALLEL,
    Instance,
)
from satdoku.bench.judge import Answer, fault
from satdoku.bench.registry import backend_named, backends
from satdoku.cnf.encodings import ENCODINGS
from satdoku.errors import Status
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid, parse_grid
from satdoku.model.rules import RULES
from satdoku.sat.session import Session
from satdoku.sat.solver import SOLVERS

PLAIN_RULES = ["classic", *(name for name in RULES if name != "jigsaw")]
BY_KIND = {
    "z3-int-distinct": "integer", "z3-int-pairwise": "integer", "z3-bitvec": "boolean",
    "z3-bitvec-binary": "integer", "z3-enum": "integer", "z3-bool": "boolean",
    "z3-bool-pb": "boolean", "cp-sat": "integer", "clingo": "boolean",
}  # fmt: skip
CONTESTANTS = [
    *(("cadical153", encoding) for encoding in ENCODINGS),
    *(("z3-dimacs", encoding) for encoding in ("extended", "log", "reduced")),
    *(("pycosat", encoding) for encoding in ("extended", "log", "reduced")),
    *((name, NO_ENCODING) for name in BY_KIND),
]


def installed(name):
    backend = backend_named(name)
    try:
        backend.load()
    except ImportError:
        pytest.skip(f"{name} is not installed")
    return backend


@pytest.fixture(params=CONTESTANTS, ids="-".join)
def contestant(request):
    return installed(request.param[0]), request.param[1]


def instance_of(constraints, text, struck=()):
    """An instance whose solutions a session of another solver finds."""
    puzzle = parse_grid(text, constraints.board)
    marks = {4 * c + d for c, d in ((s // 4, s % 4) for s in struck)}
    with Session(constraints, solver="glucose3") as session:
        found = [grid.cells for grid in session.solutions(puzzle)]
    kept = [g for g in found if not any(4 * c + d - 1 in marks for c, d in enumerate(g))]
    return Instance("test", puzzle, tuple(struck), frozenset(kept))


@pytest.mark.parametrize("rules", PLAIN_RULES)
def test_every_contestant_answers_every_question_rightly(contestant, rules):
    backend, encoding = contestant
    constraints = constraints_for(rules, FOUR)
    instance = instance_of(constraints, "1".ljust(16, "."), struck=(6, 21, 63))
    query = backend.open(constraints, encoding, instance)
    assert fault("enumerate", instance, constraints, Answer(tuple(query.solutions()))) is None
    query = backend.open(constraints, encoding, instance)
    assert (
        fault("uniqueness", instance, constraints, Answer(tuple(query.solutions(limit=2)))) is None
    )
    found = backend.open(constraints, encoding, instance).solve()
    assert fault("oneshot", instance, constraints, Answer((found,) if found else ())) is None
    if CANDIDATES in backend.modes:
        answer = Answer(candidates=backend.open(constraints, encoding, instance).candidates())
        assert fault(CANDIDATES, instance, constraints, answer) is None


def test_one_query_answers_many_puzzles_and_forgets_each(contestant):
    backend, encoding = contestant
    if INCREMENTAL not in backend.modes:
        pytest.skip("keeps no state")
    constraints = constraints_for("classic", FOUR)
    query = backend.open(constraints, encoding, None)
    for text, struck in [("1234", ()), ("11", ()), ("", (0, 1, 2)), ("", (0, 1, 2, 3)), ("4", ())]:
        instance = instance_of(constraints, text.ljust(16, "."), struck)
        found = query.solve(instance)
        assert fault(INCREMENTAL, instance, constraints, Answer((found,) if found else ())) is None


def test_cubes_go_to_a_query_that_has_the_puzzle_built_in(contestant):
    backend, encoding = contestant
    if PARALLEL not in backend.modes:
        pytest.skip("has no cubes")
    constraints = constraints_for("diagonal", FOUR)
    instance = instance_of(constraints, "." * 16, struck=(0, 20))
    query = backend.open(constraints, encoding, instance)
    found = []
    for cube in cubes(instance.puzzle, constraints, 6):
        found += query.solutions(Instance("cube", cube, instance.struck, None))
    assert fault(PARALLEL, instance, constraints, Answer(tuple(found))) is None


def test_contestants_pickle_and_say_their_kind(contestant):
    backend, encoding = contestant
    assert pickle.loads(pickle.dumps(backend)) == backend
    wanted = ENCODINGS[encoding] if encoding in ENCODINGS else BY_KIND[backend.name]
    assert backend.kind(encoding) == wanted
    assert encoding in backend.encodings()


def test_all_solvers_and_models_are_there():
    assert {*SOLVERS, *BY_KIND, "z3-dimacs", "pycosat"} == set(backends())
    with pytest.raises(BackendError, match="no backend 'oracle': known are cadical153"):
        backend_named("oracle")


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
    query = backend.open(constraints, encoding, Instance("hard", puzzle, (), None))
    assert len(list(query.solutions(limit=2))) == 1
    counters = query.counters()
    assert set(counters) <= {"conflicts", "decisions", "propagations"}
    assert counters["conflicts"] > 0


def test_a_formula_is_measured_with_its_givens():
    constraints = constraints_for()
    puzzle = parse_grid("1" + "." * 80)
    instance = Instance("given", puzzle, (), None)
    query = backend_named("cadical153").open(constraints, "extended", instance)
    assert (query.variables, query.clauses) == (729, 10531)
    assert query.solve()[0] == 1


def test_z3s_unknown_is_told_as_what_it_is(monkeypatch):
    backend = installed("z3-int-distinct")
    constraints = constraints_for("miracle")
    query = backend.open(
        constraints, NO_ENCODING, Instance("empty", empty_grid(constraints.board), (), None)
    )
    query._query.solver.set("timeout", 1)
    with pytest.raises(Gave) as caught:
        query.solve()
    assert caught.value.status == "timeout"


@pytest.mark.parametrize("wanted", [1, 2, 10, 60])
@pytest.mark.parametrize(
    "text", ["." * 16, "12".ljust(16, "."), "1234341221434321", "11" + "." * 14]
)
def test_cubes_part_the_solutions(text, wanted, four_by_four):
    constraints = constraints_for("classic", FOUR)
    puzzle = parse_grid(text)
    solutions = [
        g for g in four_by_four if all(p in (0, d) for p, d in zip(puzzle, g, strict=True))
    ]
    parts = cubes(puzzle, constraints, wanted)
    owners = [
        [p for p in parts if all(d in (0, x) for d, x in zip(p, g, strict=True))] for g in solutions
    ]
    assert all(len(each) == 1 for each in owners)
    if puzzle.givens < 3:
        assert (
            len(parts) >= wanted
            or Session(constraints).classify(puzzle) is Status.NONE
            or wanted == 60
        )
