"""The parser of each command; `test_manners` tests them all from the outside."""

import pytest

from satdoku.cli.commands import SUMMARIES, load
from satdoku.cli.parsers import command_parser, no_option


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
