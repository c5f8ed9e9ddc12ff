"""The program itself: usage, help and version; `test_manners` has more."""

import pytest
from command_cases import EMPTY
from examples import CLASSIC

from satdoku import __version__
from satdoku.cli.commands import SUMMARIES, load
from satdoku.cli.program import command_parser, no_option
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


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_is_quiet_on_request_and_shows_an_example(name):
    command = load(name)
    parser = command_parser(name, command)
    assert "-q, --quiet" in parser.format_help()
    assert f"example:\n  {command.EXAMPLE}\n" in parser.format_help()


def test_an_option_that_is_not_known_gets_a_hint():
    assert (
        no_option("--limt=3", ["--limit", "--json"])
        == "no option '--limt': did you mean '--limit'?"
    )
    assert no_option("x", ["--limit"]) == "unexpected argument 'x'"
