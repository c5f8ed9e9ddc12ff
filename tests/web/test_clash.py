"""What clashes: sets of whole clues and rules, where the parts of rules would be too many."""

import json

from web_client import CLASSIC, state

import satdoku
from satdoku.explain import reasons
from satdoku.web import clash as module
from satdoku.web.asked import asked_puzzle


def asked(*words, **more):
    return asked_puzzle({"puzzle": state(*words, **more)})


def test_clues_and_rules_none_of_which_can_be_left_out(monkeypatch):
    clues = ["thermo:r1c1-r1c4", "cage=15:r5c5,r5c6", "odd:r9c9"]
    monkeypatch.setattr(module, "SECONDS", 600)
    puzzle = asked("." * 81, "miracle", clues)
    found = module.clash(puzzle)
    assert found["clues"] == ["thermo:r1c1,r1c2,r1c3,r1c4"]
    assert found["text"].endswith("none can be left out")
    assert set(found["rules"]) <= {"knight", "king", "nonconsecutive"}
    texts = [*found["clues"], *found["rules"]]
    for text in texts:
        fewer = [other for other in texts if other != text]
        names = ",".join(t for t in fewer if ":" not in t) or "classic"
        rules = ";".join([names, *(t for t in fewer if ":" in t)])
        assert satdoku.solve("." * 81, rules) is not None


def test_givens_that_clash_with_a_clue():
    found = module.clash(asked("9" + "." * 80, None, ["thermo:r1c1,r1c2", "odd:r5c5"]))
    assert (found["cells"], found["clues"], found["rules"]) == ([0], ["thermo:r1c1,r1c2"], [])
    json.dumps(found)


def test_a_first_set_comes_before_the_smallest_is_looked_for(monkeypatch):
    looked = []
    real = reasons.smallest

    def spied(*asked, **told):
        looked.append(asked)
        return real(*asked, **told)

    monkeypatch.setattr(reasons, "smallest", spied)
    found = module.clashes(asked("5" + CLASSIC[1:]))
    first = next(found)
    assert first["cells"] and first["path"] and first["text"] and not looked
    *_, last = found
    assert looked and len(last["units"]) <= len(first["units"])


def test_clues_alone_are_lit_and_their_contradiction_is_told():
    found = module.clash(asked("." * 81, None, ["cage=17:r1c1-r1c2", "whisper=5:r1c1,r1c2"]))
    assert (found["cells"], found["around"]) == ([], [0, 1])
    assert found["path"] == [
        "no 1, 2, 3, 4, 5, 6 or 7 in r1c1 and r1c2 (17 cage r1c1-r1c2 is 8+9)",
        "whisper r1c1-r1c2 has no combination left",
    ]


def test_cases_are_told_one_by_one():
    found = module.clash(asked("." * 81, None, ["cage=3:r1c1,r1c2", "cage=4:r1c5,r1c6"]))
    assert found["path"][2] == "one of r1c1=1 and r1c1=2 must be true"
    assert [line.split(":")[0] for line in found["path"][3:]] == ["if r1c1=1", "if r1c1=2"]


def test_pencil_marks_that_leave_no_solution_are_named_at_once():
    marks = [[2, 3], [2, 3], [2, 3], *[[1, 2, 3, 4]] * 13]
    first, last = module.clashes(asked("." * 16, candidates=[*marks[:15], [1, 2]]))
    assert (first["cells"], last["cells"]) == ([0, 1, 2, 15], [0, 1, 2])


def test_without_time_it_is_said_so(monkeypatch):
    monkeypatch.setattr(module, "SECONDS", -1)
    found = module.clash(asked("." * 81, "miracle", ["thermo:r1c1-r1c4"]))
    assert "no time" in found["text"]
