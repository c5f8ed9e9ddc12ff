"""What each given and clue excludes, against counts by a function that knows nothing of it."""

import satdoku
from satdoku.setting import effects as module
from satdoku.setting import suggest

CLUED = (
    "shape=4x4;thermo:r2c2,r1c2,r1c1;thermo:r2c4,r2c3;thermo:r3c4,r3c3,r4c3;difference=1:r3c1,r4c1"
)


def counted(found):
    """The suggestions, each checked by counting what it leads to."""
    for one in found:
        rules = one.puzzle.constraints.name
        assert one.solutions == satdoku.count(one.puzzle.grid, rules, limit=module.MOST)
        assert one.more == (
            satdoku.count(one.puzzle.grid, rules, limit=module.MOST + 1) > module.MOST
        )
        yield one


def test_givens_that_are_not_needed_are_named():
    found = list(counted(suggest("1.34......21....")))
    assert [one.gone for one in found] == [(f"{name}",) for name in
        ("r1c1=1", "r1c3=3", "r1c4=4", "r3c3=2", "r3c4=1")]  # fmt: skip
    with_it = satdoku.count("1.34......21....")
    for one in found:
        assert ("not needed" in one.words) == (one.solutions == with_it)
    assert any("not needed" in one.words for one in found)


def test_clues_go_one_by_one():
    found = list(counted(suggest("." * 16, CLUED)))
    assert len(found) == 4
    for one in found:
        assert one.gone[0] not in one.puzzle.constraints.clue_texts
        assert one.solutions > 1 and "1 with it" in one.words


def test_where_there_are_too_many_solutions_nothing_is_said_not_to_be_needed(monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    (found,) = suggest("1..............."[:16])
    assert found.words == "without r1c1=1: at least 3 solutions, as with it" and found.more
