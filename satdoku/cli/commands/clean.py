"""The command `clean`: the sound rows of collections in a file, the others with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...files.outputs import TABLE_FORMS
from .. import EXIT_DONE, EXIT_NO
from ..collections import DataSet, asked_data_set, check_json, tell_counts
from ..options import Kinds, Symmetry, Written, option, output_option, several, to_read
from ..progress import Bar

EXAMPLE = "satdoku generate -n 100 --seed 1 | satdoku clean - --repair answers"


class Arguments(DataSet, Symmetry, Kinds):
    output = output_option(Written(*TABLE_FORMS))
    dropped = option(
        type=Written(*TABLE_FORMS),
        metavar="FILE",
        help="write the dropped rows to FILE, with the columns file, line, reason and detail",
    )
    repair = option(
        choices=("answers",), help="replace missing and wrong answers of puzzles with one solution"
    )
    against = several(
        type=to_read,
        metavar="FILE",
        help="also drop rows whose puzzle or solution grid is in FILE, such as the training set if "
        "IN is the test set; may be repeated",
    )


def run(arguments: Arguments) -> int:
    """Clean collections; exit 1 if no row is sound."""
    from ...datasets.clean import Cleaning, clean

    check_json(arguments, [arguments.output, arguments.dropped or ""])
    with Bar(2 * [*arguments.against, *arguments.collections], quiet=arguments.quiet) as bar:
        cleaning = Cleaning(
            arguments.repair == "answers", arguments.against, arguments.dropped, arguments.format
        )
        counts = clean(
            asked_data_set(arguments, bar, allow=arguments.allow, forbid=arguments.forbid),
            arguments.output,
            cleaning,
        )
    tell_counts(arguments, counts, [_words(counts)])
    return EXIT_DONE if counts["kept"] else EXIT_NO


def _words(counts: Mapping[str, Any]) -> str:
    """`read 8 = kept 3 (1 answer repaired) + dropped 5: no-solution 2, leak 3`."""
    repaired = counts["repaired"]
    answers = f" ({repaired:,} answer{'s' * (repaired != 1)} repaired)" if repaired else ""
    dropped = counts["dropped"]
    reasons = ", ".join(f"{kind} {n:,}" for kind, n in dropped.items())
    words = f"read {counts['read']:,} = kept {counts['kept']:,}{answers}"
    return f"{words} + dropped {sum(dropped.values()):,}{': ' * bool(reasons)}{reasons}"
