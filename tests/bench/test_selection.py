import sys

import pytest

from satdoku.answers.solver import SOLVERS
from satdoku.bench.figures import LEAST, Contestant
from satdoku.bench.instances import MODES, TaskError
from satdoku.bench.phases import POINTS
from satdoku.bench.selection import QUICK_TASKS, SWEEPER, TASKS, Selection
from satdoku.bench.tasks import LITERATURE
from satdoku.cnf.encodings import ENCODINGS, EncodingError
from satdoku.crosscheck import BackendMissing
from satdoku.crosscheck.backends import NO_ENCODING

KINDS = ("boolean", "integer")


def names(selection):
    return [(backend.name, encoding) for backend, encoding in selection.configurations()]


def test_by_default_one_solver_sweeps_the_encodings_and_all_models_take_part():
    chosen = names(Selection())
    assert [e for name, e in chosen if name == SWEEPER] == list(ENCODINGS)
    assert [name for name, encoding in chosen if name in SOLVERS and name != SWEEPER] == [
        "glucose4"
    ]
    assert ("glucose4", "extended") in chosen
    assert not [name for name, _ in chosen if name == "plain" or name.startswith("engine")]
    assert ("z3-int-distinct", NO_ENCODING) in chosen
    assert sum(name == "z3-dimacs" for name, _ in chosen) == 1
    assert len(set(chosen)) == len(chosen)


def test_what_is_named_is_the_whole_product():
    selection = Selection("order,log", ("minisat22", "z3-dimacs", "z3-enum"), ("classic",))
    assert names(selection) == [
        ("minisat22", "order"), ("minisat22", "log"),
        ("z3-dimacs", "order"), ("z3-dimacs", "log"),
        ("z3-enum", NO_ENCODING),
    ]  # fmt: skip
    jobs = Selection("log", ("minisat22",), ("classic", "inkala"), repeat=3).jobs()
    assert [(job.task.name, job.repeat) for job in jobs] == [
        (task, repeat) for task in ("classic", "inkala") for repeat in (1, 2, 3)
    ]


def test_a_backend_may_be_named_with_one_encoding():
    selection = Selection("log", ("glucose4/order", "z3-enum", "cadical153"), ("classic",))
    assert names(selection) == [
        ("glucose4", "order"), ("z3-enum", NO_ENCODING), ("cadical153", "log"),
    ]  # fmt: skip
    with pytest.raises(BackendMissing, match="no backend 'glucose4/base64'"):
        names(Selection(backends=("glucose4/base64",)))


def test_a_size_stands_for_its_points_of_the_phase_diagram():
    jobs = Selection(
        backends=("glucose4/commander",), tasks=("phase-16", "phase-9-30"), size=1
    ).jobs()
    assert [job.task.name for job in jobs] == [f"phase-16-{p}" for p in POINTS[16]] + ["phase-9-30"]


def test_modes_that_are_named_take_the_place_of_a_tasks_own():
    jobs = Selection("", ("cadical153",), ("classic",), tuple(MODES)).jobs()
    assert {m.mode for m in jobs[0].measurements()} == set(MODES)


def test_modes_that_a_backend_lacks_or_whose_answer_is_unknown_are_not_asked(tmp_path):
    path = tmp_path / "empty.txt"
    path.write_text("." * 81 + "\n")
    (job,) = Selection("extended", ("cadical153",), (str(path),), tuple(MODES)).jobs()
    asked = [m.mode for m in job.measurements()]
    assert sorted(asked) == ["incremental", "oneshot", "uniqueness"]


def test_quick_is_small_but_not_too_small_to_tell():
    selection = Selection(quick=True)
    jobs = selection.jobs()
    assert {job.task.name for job in jobs} == set(QUICK_TASKS)
    assert all(len(job.task.instances) == LEAST for job in jobs)
    assert sum(len(job.measurements()) for job in jobs) < 200
    kinds = {(Contestant(b.name, e).library, b.kind(e)) for b, e in selection.configurations()}
    assert kinds >= {(library, kind) for library in ("z3", SWEEPER) for kind in KINDS}


def test_literature_and_made_tasks_have_their_names():
    assert set(LITERATURE) < set(TASKS)
    for name in ("two-givens", "unsatisfiable", "minimal", "minimal-miracle"):
        (job,) = Selection("extended", ("cadical153",), (name,), size=2).jobs()
        assert (job.task.name, len(job.task.instances)) == (name, 2)


@pytest.mark.parametrize(
    "selection, error, words",
    [
        (Selection(tasks=("riddle",)), TaskError, "no task or file 'riddle'"),
        (Selection(tasks=("classic",), modes=("guess",)), TaskError, "no mode 'guess'"),
        (Selection("base64", tasks=("classic",)), EncodingError, "no encoding 'base64'"),
        (
            Selection(backends=("oracle",), tasks=("classic",)),
            BackendMissing,
            "no backend 'oracle'",
        ),
    ],
)
def test_what_is_unknown_is_refused_by_name(selection, error, words):
    with pytest.raises(error, match=words):
        selection.jobs()


def test_an_extra_that_is_absent_is_left_out_with_a_note_or_refused_if_named(monkeypatch):
    for module in ("clingo", "ortools", "ortools.sat.python.cp_model", "pycosat"):
        monkeypatch.setitem(sys.modules, module, None)
    selection = Selection()
    assert not {name for name, _ in names(selection)} & {"clingo", "cp-sat", "pycosat"}
    assert "left out: clingo is not installed (pip install clingo)" in selection.notes
    assert len(selection.notes) == 3
    with pytest.raises(BackendMissing, match="cp-sat is not installed"):
        names(Selection(backends=("cp-sat",)))
