"""The command `check`: a status for each puzzle, and the givens that clash."""

import pytest
from command_cases import CLASH, EMPTY, NONE
from examples import CLASSIC


@pytest.mark.parametrize(
    ("puzzle", "status", "code"),
    [(CLASSIC, "unique", 0), (EMPTY, "multiple", 1), (NONE, "none", 1), (CLASH, "invalid", 1)],
)
def test_check(run, puzzle, status, code):
    assert run("check", puzzle)[:2] == (code, f"{status}\n")


@pytest.mark.parametrize(
    ("puzzle", "rules", "reason"),
    [
        (CLASH, "classic", "r1c1=5 and r1c7=5 break the row rule"),
        ("5" + "." * 17 + "5" + "." * 62, "classic", "r1c1=5 and r3c1=5 break the column rule"),
        ("5" + "." * 9 + "5" + "." * 70, "classic", "r1c1=5 and r2c2=5 break the box rule"),
        ("..5" + "." * 10 + "5" + "." * 67, "knight", "r1c3=5 and r2c5=5 break the knight rule"),
        ("..5......" + "...5" + "." * 68, "king", "r1c3=5 and r2c4=5 break the king rule"),
        ("5" + "." * 79 + "5", "diagonal", "r1c1=5 and r9c9=5 break the diagonal rule"),
        ("56" + "." * 79, "miracle", "r1c1=5 and r1c2=6 break the nonconsecutive rule"),
    ],
)
def test_clashing_givens_are_named_with_their_rule(run, puzzle, rules, reason):
    expected = f"satdoku: invalid: {reason}\n"
    assert run("check", "--rules", rules, puzzle) == (1, "invalid\n", expected)
    assert run("solve", "--rules", rules, puzzle) == (1, "invalid\n", expected)
    assert run("count", "--rules", rules, puzzle) == (1, "0\n", expected)
    assert run("enumerate", "--rules", rules, puzzle) == (1, "", expected)
