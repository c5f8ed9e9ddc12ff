"""The command `propagate`: what unit propagation alone fixes."""

from command_cases import NONE
from examples import CLASSIC


def test_propagate_fixes_what_follows_and_says_conflict(run):
    assert run("propagate", "123....." + "." * 8) == (0, "1234" + "." * 12 + "\n", "")
    assert run("propagate", NONE) == (1, "conflict\n", "")


def test_propagate_shows_the_strength_of_an_encoding(run):
    fixed = [
        81 - run("propagate", CLASSIC, "--encoding", name)[1].count(".")
        for name in ("log", "minimal", "extended")
    ]
    assert fixed[0] == 24  # bits say nothing beyond the givens here
    assert fixed[0] < fixed[1] < fixed[2]
