"""The command `split`: parts of collections that share no puzzle, up to symmetry."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ...files.outputs import TABLE_FORMS
from ...files.streams import FileError, check_inputs
from ...runtime.errors import shown
from .. import EXIT_BAD_INPUT, EXIT_DONE
from ..collections import DataSet, asked_data_set, check_json, tell_counts
from ..options import Symmetry, Written, flag, option, several
from ..output import note, say
from ..progress import Bar

EXAMPLE = "satdoku generate -n 100 --seed 1 | satdoku split - -o train.txt test.txt --ratio 9:1"
MOST_STRATA = 20  # lines of text


def _ratio(text: str) -> list[float]:
    """`9:1` as numbers; `ArgumentTypeError` for anything else."""
    try:
        return [float(part) for part in text.split(":")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: expected numbers such as 9:1") from None


class Arguments(DataSet, Symmetry):
    output = several(
        "-o",
        "--output",
        nargs="+",
        type=Written(*TABLE_FORMS),
        metavar="OUT",
        help="files to write, two or more",
    )
    ratio = option(
        type=_ratio,
        default=[9.0, 1.0],
        metavar="A:B",
        help="relative sizes of the outputs (default 9:1), such as 8:1:1 for three",
    )
    seed = option(type=int, default=0, metavar="K", help="random seed (default 0)")
    by = option(
        choices=("puzzle", "grid"),
        default="puzzle",
        help="puzzle: the outputs share no puzzle (default); grid: they share no solution grid "
        "either, so that no answer leaks",
    )
    stratify = option(
        metavar="NAME",
        help="divide the rows of each value of NAME by the ratio: er (the rating of Sudoku "
        "Explainer, whole numbers; slow), givens, nodes (of the search, powers of two), or a "
        "column of IN",
    )
    exact = flag(
        help="make sizes as close to the ratio as classes of equal puzzles allow; by default each "
        "class is drawn independently, so that rows added later move no others"
    )

    train_size = option(
        type=int,
        metavar="N",
        help="put N puzzles into the first output, drawn by the seed; the ratio divides the others "
        "among the rest",
    )


def run(arguments: Arguments) -> int:
    """Split collections; exit 2 if they held rows that could not be read."""
    from ...datasets.split import Splitting, split

    check_inputs(arguments.collections)
    if not arguments.output:
        raise FileError("expected files to write: -o train.csv test.csv")
    check_json(arguments, arguments.output)
    with Bar(2 * arguments.collections, quiet=arguments.quiet) as bar:
        splitting = Splitting(
            arguments.ratio,
            arguments.seed,
            arguments.by,
            arguments.stratify,
            arguments.exact,
            arguments.format,
            arguments.train_size,
        )
        counts = split(asked_data_set(arguments, bar), arguments.output, splitting)
    tell_counts(arguments, counts, [_words(counts), *_strata(arguments, counts)])
    if unsound := counts["unsound"]:
        note(arguments, f"{unsound:,} of them without exactly one solution; `clean` drops those")
    if left := counts["left_out"]:
        say(f"{left:,} left out: no puzzle that can be read; `audit` says which")
    return EXIT_BAD_INPUT if left else EXIT_DONE


def _words(counts: Mapping[str, Any]) -> str:
    """`read 1,000 = 899 in train.csv + 100 in test.csv + 1 left out`."""
    parts = [f"{part['rows']:,} in {shown(part['path'])}" for part in counts["parts"]]
    left = [f"{counts['left_out']:,} left out"] * bool(counts["left_out"])
    return f"read {counts['read']:,} = {' + '.join([*parts, *left])}"


def _strata(arguments: Arguments, counts: Mapping[str, Any]) -> Iterator[str]:
    """A line for each stratum with the rows of each part."""
    strata = counts.get("strata", {})
    paths = [shown(part["path"]) for part in counts["parts"]]
    for name, numbers in islice(strata.items(), MOST_STRATA):
        shares = ", ".join(f"{n:,} in {path}" for n, path in zip(numbers, paths, strict=True))
        yield f"  {arguments.stratify} {shown(name)}: {shares}"
    if len(strata) > MOST_STRATA:
        yield f"  and {len(strata) - MOST_STRATA:,} values more (--json prints all)"
