"""The command `check`: the status of each puzzle."""

from __future__ import annotations

import argparse

from ...errors import Status
from ..answers import print_statuses
from ..options import add_backend, add_conflicts, add_puzzles, add_rules

EXAMPLE = "satdoku check 12..34.........."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser)
    add_backend(parser, " where there are many puzzles")
    add_conflicts(parser, "say unknown")


def run(arguments: argparse.Namespace) -> int:
    """The status of each puzzle."""
    words = {status: str(status) for status in Status}
    return print_statuses(arguments, arguments.conflicts, words, {Status.UNIQUE})
