"""The judge of a step: what is forced, true, false, or neither, and by which technique."""

import json
from random import Random

import pytest
from examples import CLASSIC
from trace_cases import CHAINS, CLASH, NAMED, PAIRS, SEVERAL

from satdoku import explain_steps, judge_step, solve
from satdoku.explain.judge import claim_of
from satdoku.model.board import Board
from satdoku.ratings.scale import steps_of
from satdoku.runtime.errors import SatdokuError

YIN_YANG = (
    "shape=4x4;layer=shade:0-1;connected=0:shade;connected=1:shade;no-square=0:shade;"
    "no-square=1:shade;digits=1:shade.r1c1,shade.r1c2,shade.r2c2;digits=0:shade.r4c4,shade.r3c1"
)


def claims(step, solution):
    """What a step concludes, as claims, each with whether it holds."""
    name = [f"r{cell // 9 + 1}c{cell % 9 + 1}" for cell in range(81)]
    if step.placed:
        cell, digit = step.placed
        yield f"{name[cell]}={digit}"
    else:
        for cell, digit in step.eliminated:
            yield f"{name[cell]}!={digit}"


@pytest.mark.parametrize("puzzle", [CLASSIC, PAIRS, *NAMED[3:]])
def test_each_step_of_a_path_is_forced_when_its_turn_comes(puzzle):
    """By its technique or by an easier one, with a step that concludes it."""
    solution = solve(puzzle)
    for step in explain_steps(puzzle, named=True):
        claim = next(claims(step, solution))
        found = judge_step(str(step.solved), claim, candidates=step.candidates)
        assert found.verdict == "forced", found.words
        assert found.rating <= step.rating, (found.words, step.words)
        assert found.words.startswith(f"{claim.replace('!=', '≠')}: forced now; ")
        assert found.step.put == step.put if step.placed else found.step.struck & step.struck


def test_verdicts_agree_with_the_solution():
    solution, draw = solve(PAIRS), Random(31)
    seen = set()
    for _ in range(60):
        cell, digit, holds = draw.randrange(81), draw.randint(1, 9), draw.random() < 0.7
        sign = "=" if holds else "!="
        found = judge_step(PAIRS, f"r{cell // 9 + 1}c{cell % 9 + 1}{sign}{digit}")
        is_right = (solution[cell] == digit) == holds
        assert (found.verdict in ("forced", "true", "known")) == is_right, found.words
        assert is_right or found.verdict == "false"
        for step in (found.step, *found.after):
            assert step is None or not any(solution[c] == d for c, d in step.eliminated)
        seen.add(found.verdict)
    assert seen == {"forced", "true", "known", "false"}


def test_the_technique_is_the_easiest_that_concludes_the_claim():
    first = next(explain_steps(CHAINS, named=True))
    for step in explain_steps(CHAINS, named=True):
        if step.technique == "forcing chain":
            break
    claim = next(claims(step, None)).replace("!=", "≠")
    found = judge_step(str(step.solved), claim, candidates=step.candidates)
    assert (found.technique, found.rating) == ("forcing chain", step.rating)
    assert found.step.live == step.live and found.step.chain == step.chain
    found = judge_step(CHAINS, next(claims(first, None)))
    assert (found.technique, found.rating) == (first.technique, first.rating)


def test_a_digit_that_needs_more_than_one_step():
    *_, last = explain_steps(CLASSIC, named=True)
    (claim,) = claims(last, None)
    found = judge_step(CLASSIC, claim)
    assert found.verdict in ("true", "forced")
    assert found.after[-1].put == last.put
    assert all(step.rating < (found.rating or 20) for step in found.after)
    gone = 0  # the way can be walked: each step finds what it needs, or it was left at the start
    for step in found.after:
        for cell, digit in step.gone:
            start = found.after[0].live
            assert not start >> 9 * cell + digit - 1 & 1 or gone >> 9 * cell + digit - 1 & 1
        gone |= step.struck
    assert f"{len(found.after)} steps lead to it, the hardest" in found.words


def test_false_claims_name_the_step_against_them():
    step = next(s for s in explain_steps(PAIRS, named=True) if s.technique == "naked pair")
    claim = next(claims(step, None)).replace("!", "")
    found = judge_step(str(step.solved), claim, candidates=step.candidates)
    assert (found.verdict, found.technique) == ("false", "naked pair")
    assert found.words == f"{claim}: false; {found.step.words}"
    single = next(explain_steps(PAIRS, named=True))
    (right,) = claims(single, None)
    found = judge_step(PAIRS, right.replace("=", "!="))
    assert (found.verdict, found.technique) == ("false", single.technique)


def test_what_the_state_says_itself():
    found = judge_step(PAIRS, "r1c3=7")
    assert (found.verdict, found.step, found.words) == (
        "false", None, "r1c3=7: false; r1c1=7, and row 1 holds 7 once",
    )  # fmt: skip
    assert judge_step(PAIRS, "r1c3!=7").verdict == "known"
    assert judge_step(PAIRS, "r1c1=7").words == "r1c1=7: known; the state has it already"
    assert judge_step(PAIRS, "r1c1=8").verdict == "false"
    left = [set(range(1, 10)) for _ in range(81)]
    digit = solve(PAIRS)[2]
    wrong = min(set(range(1, 10)) - {digit, *map(int, PAIRS[:9].replace(".", ""))})
    left[2] -= {wrong}
    assert judge_step(PAIRS, f"r1c3≠{wrong}", candidates=left).verdict == "known"
    found = judge_step(PAIRS, f"r1c3={wrong}", candidates=left)
    assert (found.verdict, found.words) == (
        "false", f"r1c3={wrong}: false; the candidates left lack it",
    )  # fmt: skip
    left[2] = {wrong}
    assert judge_step(PAIRS, f"r1c3={digit}", candidates=left).verdict == "contradiction"


def test_several_solutions_and_none():
    assert judge_step(SEVERAL, "r1c1=5").verdict == "undecided"
    assert judge_step(SEVERAL, "r1c1!=5").verdict == "undecided"
    assert judge_step(CLASH, "r1c5=1").verdict == "contradiction"
    two = str(solve(PAIRS))
    rectangle = list(two)
    # a box and line single in a puzzle with several solutions is forced all the same
    for cell in range(27, 81):
        rectangle[cell] = "."
    rectangle[4] = "."
    found = judge_step("".join(rectangle), f"r1c5={two[4]}")
    assert (found.verdict, found.technique) == ("forced", "hidden single")


def test_variants_and_layers_and_other_digits():
    found = judge_step("....2.4........1", "r1c1=1", "shape=4x4;knight")
    assert found.verdict in ("forced", "true", "false")
    steps = list(explain_steps("....2.4........1", "shape=4x4;knight", named=True))
    for step in steps:
        if step.placed:
            cell, digit = step.placed
            claim = f"r{cell // 4 + 1}c{cell % 4 + 1}={digit}"
            left = step.candidates
            found = judge_step(str(step.solved), claim, "shape=4x4;knight", candidates=left)
            assert (found.verdict, found.technique) == ("forced", step.technique)
        else:
            cell, digit = step.eliminated[0]
            claim = f"r{cell // 4 + 1}c{cell % 4 + 1}≠{digit}"
            left = step.candidates
            found = judge_step(str(step.solved), claim, "shape=4x4;knight", candidates=left)
            assert found.verdict == "forced" and found.rating <= step.rating
    found = judge_step("1234341221434321", "shade.r1c1=1", YIN_YANG)
    assert found.verdict in ("forced", "true")
    other = "shape=4x4;digits=3,5,7,9"
    solution = solve("....5.9......5.3", other)
    found = judge_step("....5.9......5.3", f"r1c1={solution.values[0]}", other)
    assert found.verdict in ("forced", "true") and found.claim == f"r1c1={solution.values[0]}"


def test_words_and_data():
    found = judge_step(CLASSIC, "r1c4=8")
    why = found.step.words.removeprefix("r1c4=8: ")
    assert found.words == f"r1c4=8: forced now; {why}" and "hidden single" in why
    data = json.loads(json.dumps(found.as_data()))
    assert data["step"] == found.step.as_data() and data["after"] == []
    assert (data["claim"], data["verdict"]) == ("r1c4=8", "forced")
    record = next(steps_of(bytes(int(c) if c != "." else 0 for c in CLASSIC)))
    assert (data["technique"], data["rating"]) == (record.technique, record.rating / 10)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("r1c1", "claim 'r1c1': expected a cell and a digit, as r1c1=5 or r1c1!=5"),
        ("r1c1=10", "claim 'r1c1=10': r1c1 holds 1 to 9"),
        ("r10c1=1", "cell r10c1: expected r1c1 to r9c9"),
        ("x=1", "cell 'x': expected row and column"),
    ],
)
def test_a_claim_that_is_none(claim, message):
    with pytest.raises(SatdokuError, match=message):
        judge_step(PAIRS, claim)


def test_claims_may_have_spaces_and_three_signs():
    board = Board()
    assert claim_of(" R1C2 = 3 ", board) == (11, True)
    assert claim_of("r1c2!=3", board) == claim_of("r1c2≠3", board) == (11, False)


def test_candidates_of_another_board():
    with pytest.raises(SatdokuError, match="candidates of 3 cells: expected 81"):
        judge_step(PAIRS, "r1c3=4", candidates=[{1}, {2}, {3}])
