"""What `clean` and `split` have in common: how they read data sets and print the counts.

Invariant: the numbers in the line of counts add up.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..files.outputs import TABLE_FORMS
from ..files.streams import STANDARD, FileError
from .inputs import asked_board, asked_constraints, asked_reading, rule_text
from .options import (
    add_collections,
    add_conflicts,
    add_executor,
    add_json,
    add_rules,
    add_workers,
    asked_workers,
    listed,
)
from .output import note
from .progress import Bar

if TYPE_CHECKING:
    from ..datasets.inputs import Inputs


def add_data_set(parser: argparse.ArgumentParser) -> None:
    """Options of the commands that read data sets and write rows of them."""
    add_collections(parser)
    add_rules(parser, solver=False)
    parser.add_argument(
        "-f",
        "--format",
        choices=TABLE_FORMS,
        help="csv, tsv, jsonl, parquet, or line: text like IN (default: the ending of the file "
        "to write, else line)",
    )
    add_json(parser, "the counts as one object")
    add_conflicts(parser, "a puzzle counts as undecided")
    add_workers(parser)
    add_executor(parser)


def asked_data_set(arguments: argparse.Namespace, bar: Bar) -> Inputs:
    """What the options say about the reading and the checks."""
    from ..audit.files import Checks
    from ..batch.workers import available_workers
    from ..datasets.inputs import Inputs

    return Inputs(
        arguments.collections,
        asked_constraints(arguments) if asked_board(arguments) else rule_text(arguments),
        Checks(
            not arguments.no_symmetry,
            listed(getattr(arguments, "allow", None)),
            listed(getattr(arguments, "forbid", None)),
            arguments.conflicts,
        ),
        asked_reading(arguments),
        asked_workers(arguments, arguments.workers or available_workers()),
        bar.reach,
        bar.opened,
    )


def check_json(arguments: argparse.Namespace, outputs: Sequence[str]) -> None:
    """Raise `FileError` if rows and counts would both go to standard output."""
    if arguments.json and STANDARD in outputs:
        raise FileError("--json needs an output file for the rows: add -o OUT")


def tell_counts(
    arguments: argparse.Namespace, counts: Mapping[str, Any], lines: Sequence[str]
) -> None:
    """The counts: with --json as data on standard output, else in words on standard error."""
    if arguments.json:
        print(json.dumps(counts))
    elif not arguments.quiet:
        print("\n".join(lines), file=sys.stderr)
    if not arguments.no_symmetry and counts["symmetry"] is None:
        note(arguments, "some rows have no canonical form: only equal puzzles count as equal")
    if lost := counts["columns_left_out"]:
        note(arguments, f"the first rows have no {', '.join(lost)}: left out; jsonl takes them all")
