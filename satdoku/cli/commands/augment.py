"""The command `augment`: random symmetric forms of each puzzle of collections."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from ...files.outputs import TABLE_FORMS
from ...runtime.errors import counted
from .. import EXIT_BAD_INPUT, EXIT_DONE
from ..collections import Tables, check_json, tell_lost
from ..inputs import asked_board, asked_constraints, asked_reading, rule_text
from ..options import Written, flag, option, output_option
from ..output import note, say
from ..progress import Bar

EXAMPLE = "satdoku generate -n 10 --seed 1 | satdoku augment - -n 3 --seed 1"


class Arguments(Tables):
    output = output_option(Written(*TABLE_FORMS))
    count = option(
        "-n", "--count", type=int, default=1, metavar="K",
        help="forms of each puzzle, all different (default 1)",
    )  # fmt: skip
    seed = option(type=int, default=0, metavar="S", help="random seed (default 0)")
    keep = flag(help="let the first form of each puzzle be the puzzle itself")
    undo = flag(help="turn forms back into their puzzles, by the column transform")


def run(arguments: Arguments) -> int:
    """Augment collections; exit 2 if they held rows that could not be read."""
    from ...datasets.augment import Augmenting, augment
    from ...datasets.inputs import Inputs

    check_json(arguments, [arguments.output])
    augmenting = Augmenting(
        arguments.count, arguments.seed, arguments.keep, arguments.undo, arguments.format
    )
    with Bar(arguments.collections, quiet=arguments.quiet) as bar:
        inputs = Inputs(
            arguments.collections,
            asked_constraints(arguments) if asked_board(arguments) else rule_text(arguments),
            reading=asked_reading(arguments),
            progress=bar.reach,
            on_open=bar.opened,
        )
        counts = augment(inputs, arguments.output, augmenting)
    _tell(arguments, counts)
    return EXIT_BAD_INPUT if counts["left_out"] else EXIT_DONE


def _tell(arguments: Arguments, counts: Mapping[str, Any]) -> None:
    if arguments.json:
        print(json.dumps(counts))
    elif not arguments.quiet:
        print(f"read {counts['read']:,}, wrote {counts['written']:,}", file=sys.stderr)
    if short := counts["short"]:
        has = "has" if short == 1 else "have"
        fewer = f"fewer than {counted(arguments.count, 'different form')}"
        note(arguments, f"{counted(short, 'puzzle')} {has} {fewer}")
    tell_lost(arguments, counts)
    if left := counts["left_out"]:
        say(f"{left:,} left out: no puzzle that can be read; `audit` says which")
