"""The command `check`: the status of each puzzle."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ...errors import Status
from ..answers import decided, exit_code
from ..inputs import Unreadable
from ..options import add_backend, add_conflicts, add_json, add_puzzles, add_rules
from ..output import show, verdict

EXAMPLE = "satdoku check 1.....2....3.4.."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser)
    add_json(parser)
    add_backend(parser, " for more than one puzzle")
    add_conflicts(parser, "the status is unknown")


def run(arguments: argparse.Namespace) -> int:
    """The status of each puzzle; exit 1 if any is not unique."""

    def answers() -> Iterator[bool | Unreadable]:
        for found in decided(arguments, arguments.conflicts, strict=True):
            if isinstance(found, Unreadable):
                yield found
                continue
            asked, status, reason, solved_by = found
            more = {"reason": reason, "solved_by": solved_by}
            more = {name: text for name, text in more.items() if text}
            show(arguments, verdict(status), asked.record, status=str(status), **more)
            yield status is Status.UNIQUE

    return exit_code(arguments, answers())
