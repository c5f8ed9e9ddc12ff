"""Traces: each step as it is, whatever the tracing, the neighbours and the workers."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from engine_cases import collection_lines
from examples import CLASSIC
from trace_cases import CHAINS, CLASH, GRAVE, NAMED, NONE, PAIRS, SEVERAL

import satdoku
from satdoku import Tracing, explain_batch, explain_steps, solve
from satdoku.explain import named
from satdoku.explain.rated_units import UNIQUENESS
from satdoku.explain.witness import Claim
from satdoku.files.one import as_puzzle
from satdoku.runtime.errors import SatdokuError, WitnessError
from satdoku.traces import traces
from satdoku.traces.traces import trace_puzzle


def masks(step):
    return [sum(1 << digit - 1 for digit in digits) for digits in step.candidates]


@pytest.mark.parametrize("puzzle", NAMED)
def test_a_step_is_its_data_and_the_candidates_left(puzzle):
    (trace,) = explain_batch(puzzle)
    steps = list(explain_steps(puzzle, named=True))
    assert trace["steps"] == [{"state": masks(step), **step.as_data()} for step in steps]
    assert list(trace) == ["puzzle", "rules", "status", "solved", "er", "ep", "ed", "steps"]
    rating = satdoku.rate(puzzle)
    assert (trace["er"], trace["ep"], trace["ed"]) == (rating.er, rating.ep, rating.ed)
    assert (trace["puzzle"], trace["status"], trace["solved"]) == (puzzle, "unique", True)


@pytest.mark.parametrize("puzzle", NAMED)
def test_compact_steps_have_no_words_and_the_states_follow(puzzle):
    (trace,) = explain_batch(puzzle, tracing=Tracing(compact=True))
    full = list(explain_steps(puzzle, named=True))
    (state,) = (step.pop("state") for step in trace["steps"] if "state" in step)
    for brief, step in zip(trace["steps"], full, strict=True):
        assert state == masks(step)
        for candidate in brief["eliminated"]:
            state[candidate // 9] ^= 1 << candidate % 9
        assert (brief["technique"], brief["rating"]) == (step.technique, step.rating)
        assert brief["placed"] == step.put
        told = [9 * cell + digit - 1 for cell, digit in step.eliminated]
        assert brief["eliminated"] == told
        assert brief["units"] == [[unit.label, unit.digit] for unit in step.units]
        assert step.words not in json.dumps(brief)
    solution = solve(puzzle)
    assert state == [1 << digit - 1 for digit in solution]


def test_links_are_told_from_the_assumption_to_the_end():
    full = next(s for s in explain_batch(CHAINS) for s in s["steps"] if s.get("links"))
    brief = next(
        s
        for s in explain_batch(CHAINS, tracing=Tracing(compact=True))
        for s in s["steps"]
        if s.get("links")
    )
    assert len(full["links"]) == len(brief["links"])
    (chain, *_), (short, *_) = full["links"], brief["links"]
    assert len(chain) == len(short) >= 3
    for link, (a, b, holds) in zip(chain, short, strict=True):
        assert link["holds"] is holds
        for end, number in ((link["from"], a), (link["to"], b)):
            row, column = divmod(number // 9, 9)
            assert end == {"cell": f"r{row + 1}c{column + 1}", "digit": number % 9 + 1}
    assert {link["to"]["cell"] for link in chain} >= {full["eliminated"][0]["cell"]}


def test_a_value_for_each_step():
    (trace,) = explain_batch(PAIRS)
    steps = list(explain_batch([PAIRS, SEVERAL], tracing=Tracing(by_step=True)))
    assert [step.pop("step") for step in steps[:-1]] == list(range(1, len(trace["steps"]) + 1))
    head = {"puzzle": PAIRS, "rules": "classic"}
    assert steps[:-1] == [{**head, **step} for step in trace["steps"]]
    assert steps[-1] == {"puzzle": SEVERAL, "rules": "classic", "status": "multiple"}
    *brief, _ = explain_batch([PAIRS, SEVERAL], tracing=Tracing(by_step=True, compact=True))
    assert [step["state"] for step in brief] == [step["state"] for step in trace["steps"]]


def test_a_puzzle_without_one_solution_has_its_status():
    found = list(explain_batch([SEVERAL, PAIRS, CLASH, NONE]))
    assert [trace["status"] for trace in found] == ["multiple", "unique", "invalid", "none"]
    assert [len(trace.get("steps", ())) > 0 for trace in found] == [False, True, False, False]
    assert found[2]["reason"] == "r1c1=5 and r1c2=5 break the row rule"
    solved = str(solve(PAIRS))
    (trace,) = explain_batch(solved)
    assert (trace["solved"], trace["steps"], trace["er"]) == (True, [], 0.0)


@pytest.mark.parametrize(
    ("rules", "puzzle"),
    [
        ("shape=4x4;knight", "....2.4........1"),
        ("shape=4x4;layer=shade:0-1;digits=1:shade.row1,shade.row2,shade.row3,shade.row4",
         "1234341221434321"),
        ("shape=4x6;holes:r1c1", "2.13...1.255...62..3..4"),
        ("shape=3x5", ".352..53.4..13."),
        ("shape=4x4;digits=3,5,7,9", "....5.9......5.3"),
    ],
)  # fmt: skip
def test_variants_get_the_steps_of_explain_steps(rules, puzzle):
    (trace,) = explain_batch(puzzle, rules)
    steps = list(explain_steps(puzzle, rules, named=True))
    assert trace["solved"] and steps
    assert trace["steps"] == [{"state": masks(step), **step.as_data()} for step in steps]
    (brief,) = explain_batch(puzzle, rules, tracing=Tracing(compact=True))
    assert [step["placed"] for step in brief["steps"]] == [step.put for step in steps]


def test_neighbours_and_workers_change_nothing():
    puzzles = [PAIRS, SEVERAL, CHAINS, GRAVE, CLASSIC] * 30
    alone = {
        puzzle: next(explain_batch(puzzle, tracing=Tracing(compact=True)))
        for puzzle in set(puzzles)
    }
    counts = []
    found = explain_batch(
        puzzles,
        tracing=Tracing(compact=True),
        workers=2,
        progress=lambda done, total: counts.append((done, total)),
    )
    assert list(found) == [alone[puzzle] for puzzle in puzzles]
    assert counts[-1] == (150, 150)


def test_the_limit_keeps_the_steps_so_far(monkeypatch):
    clock = iter(range(10**6))
    monkeypatch.setattr(named, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(named.limits, "until", lambda timeout: 10.0)
    (found,) = explain_batch(CLASSIC, tracing=Tracing(timeout=5.0))
    assert 0 < len(found["steps"]) < 20
    assert found["status"] == "unique" and not found["solved"]
    assert "timed out" in found["error"]


def test_verify_asks_the_witness(monkeypatch):
    list(explain_batch(PAIRS, tracing=Tracing(verify=True)))

    def refuse(rated, state, units):
        raise WitnessError("refused")

    monkeypatch.setattr(named, "check", refuse)
    assert len(list(explain_batch(PAIRS))) == 1
    with pytest.raises(WitnessError, match="refused"):
        list(explain_batch(PAIRS, tracing=Tracing(verify=True)))


def test_smallest_explanations_of_a_classic_puzzle():
    found = json.loads(trace_puzzle(as_puzzle(PAIRS), Tracing(units=True)).lines)
    assert found["steps"][0]["words"] == next(explain_steps(PAIRS)).words
    assert "er" not in found and "rating" not in found["steps"][0]


def test_marks_are_refused():
    with pytest.raises(SatdokuError, match="pencil marks have no steps here"):
        list(explain_batch(np.ones((1, 729), np.bool_)))


def test_a_text_is_made_once_for_a_single_and_anew_for_others(monkeypatch):
    made = []
    texts = traces.Texts(satdoku.constraints_for("classic"), compact=False)
    build = texts._made
    monkeypatch.setattr(texts, "_made", lambda step: made.append(step) or build(step))
    monkeypatch.setattr(traces, "_texts_of", lambda constraints, compact: texts)
    for _ in range(2):
        list(explain_batch(PAIRS))
    singles = [step for step in made if step.technique.endswith("single")]
    others = [step for step in made if not step.technique.endswith("single")]
    assert len(others) == 2 * len({(step.words, step.live) for step in others}) > 0
    assert len(singles) == len({step.words for step in singles})


def proved(steps, solution):
    """Steps that keep the solution and follow from their units, one by one."""
    for step in steps:
        assert all(solution[cell] != digit for cell, digit in step.eliminated), step.words
        if step.technique in UNIQUENESS:
            continue
        claim = Claim(step.units, step.live)
        if step.put is not None:
            assert solution[step.placed[0]] == step.placed[1], step.words
            assert claim.forces(step.put), step.words
        else:
            assert all(claim.excludes(9 * c + d - 1) for c, d in step.eliminated), step.words


@pytest.mark.slow
def test_each_step_of_10_000_easy_puzzles_is_sound_and_follows_from_its_units():
    """Generated minimal puzzles of an ER up to 4."""
    made = satdoku.generate(17_000, seed=31)
    puzzles = ["".join(map(str, row)) for row in made.tolist()]
    ratings = satdoku.rate_batch(puzzles, workers=2)
    easy = [p for p, er in zip(puzzles, ratings.er, strict=True) if er <= 4.0][:10_000]
    assert len(easy) == 10_000
    for puzzle in easy:
        proved(explain_steps(puzzle, named=True), solve(puzzle))


@pytest.mark.slow
def test_each_step_of_a_public_list_is_sound_and_follows_from_its_units():
    for line in collection_lines("se_triples.txt"):
        puzzle, er, *_ = line.split()
        if float(er) < 9.0:
            proved(explain_steps(puzzle, named=True), solve(puzzle))
