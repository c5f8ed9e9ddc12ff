"""The command `dataset`: a data set made by a recipe, in a folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

from ...runtime.errors import BudgetError
from ...runtime.limits import within
from .. import EXIT_DONE, EXIT_NO
from ..options import (
    Workers,
    argument,
    folder_to_write,
    json_option,
    option,
    quiet_option,
    timeout_option,
    to_read,
)
from ..output import note
from ..progress import terminal_bar

EXAMPLE = "printf '[[part]]\\nrows = 5\\n' | satdoku dataset - -o sudokus"
FEW = 64  # rows for which no process is started


class Arguments(Workers):
    description = (
        "Make the puzzles that a recipe asks for: kinds, sizes, ratings and shares of parts,\n"
        "with solutions, rules and clues; on request ratings, steps, proofs, questions in words;\n"
        "in splits that share no solution grid, with a data card. docs/DATASETS.md shows recipes."
    )
    recipe = argument("RECIPE", "file in TOML or JSON, or -", type=to_read)
    output = option(
        "-o",
        "--output",
        type=folder_to_write,
        default="dataset",
        metavar="FOLDER",
        help="new folder to write (default dataset); after an interruption, the same command goes "
        "on where it stopped",
    )
    timeout = timeout_option("stop; the same command goes on later")
    json = json_option("the counts as one object")
    quiet = quiet_option("no progress, no counts")


def run(arguments: Arguments) -> int:
    """Make the data set; the counts go to standard error, with --json to standard output. Exit 1 if
    the time is over before."""
    from ...datasets.make import make_dataset
    from ...datasets.recipe import read_recipe

    bar = terminal_bar(quiet=arguments.quiet, unit=" puzzles")
    try:
        with closing(bar), within(arguments.timeout):
            recipe = read_recipe(arguments.recipe)
            bar.total = recipe.rows
            counts = make_dataset(
                recipe,
                arguments.output,
                workers=arguments.workers_for(is_small=recipe.rows <= FEW),
                progress=lambda done, total: bar.update(done - bar.n),
            )
    except BudgetError:
        note(arguments, f"timed out after {arguments.timeout:g} s: the same command goes on")
        return EXIT_NO
    if arguments.json:
        print(json.dumps(counts))
    elif not arguments.quiet:
        print("\n".join(_words(counts, arguments.output)), file=sys.stderr)
    return EXIT_DONE


def _words(counts: Mapping[str, Any], folder: str) -> Iterator[str]:
    resumed = f", {counts['resumed']:,} of them before" if counts["resumed"] else ""
    yield f"{counts['rows']:,} puzzles in {folder}{resumed}, each with one solution"
    for split, parts in counts["splits"].items():
        named = ", ".join(f"{rows:,} {part}" for part, rows in parts.items())
        yield f"  {split}: {sum(parts.values()):,}{f' ({named})' if named else ''}"
    if counts["repeats"]:
        yield f"  {counts['repeats']:,} more left out, which repeat others"
