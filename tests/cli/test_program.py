"""The program itself: usage and version; `test_manners` has more."""

import pytest
from command_cases import EMPTY
from examples import CLASSIC

from satdoku import __version__
from satdoku.engine import describe


@pytest.mark.parametrize(
    "arguments",
    [[], ["nosuch"], ["solve"], ["solve", "--nosuch", CLASSIC], ["count", "--limit", "0", EMPTY],
     ["count", "--limit", "x", EMPTY], ["solve", "-f", "xml", CLASSIC]],
)  # fmt: skip
def test_bad_usage_exits_2_and_shows_the_usage(run, arguments):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("usage: satdoku")


def test_version(run):
    assert run("--version") == (0, f"satdoku {__version__} (engine: {describe()})\n", "")
