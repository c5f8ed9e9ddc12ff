"""What clashes: sets of whole clues and rules, where the parts of rules would be too many."""

import json

from web_client import state

import satdoku
from satdoku.web import clash as module
from satdoku.web.asked import asked_puzzle


def asked(*words, **more):
    return asked_puzzle({"puzzle": state(*words, **more)})


def test_clues_and_rules_none_of_which_can_be_left_out(monkeypatch):
    clues = ["thermo:r1c1-r1c4", "cage=15:r5c5,r5c6", "odd:r9c9"]
    monkeypatch.setattr(module, "SECONDS", 0.01)
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
