"""Commands on collections."""

from __future__ import annotations

import argparse

from .options import (
    COLLECTIONS,
    Commands,
    add_backend,
    add_certificates,
    add_collections,
    add_conflicts,
    add_output,
    add_rules,
    add_workers,
    command,
)


def add_batch(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "solve collections, one result a puzzle, in order"
    parser = command(commands, "batch", summary, puzzles=False)
    parser.epilog = COLLECTIONS
    add_collections(parser)
    add_output(parser, "file to write")
    add_rules(parser)
    add_backend(parser, "")
    parser.add_argument(
        "-f",
        "--format",
        choices=("line", "csv", "jsonl", "parquet", "npz"),
        help="line: 'STATUS SOLUTION'; csv, jsonl, parquet, npz (default: OUT's ending, or line)",
    )
    parser.add_argument(
        "--columns",
        metavar="C,...",
        help="columns to write: file, line, id, puzzle, rules, status, solution, reason, givens, "
        "nodes (of the search), microseconds (its share of the time)",
    )
    parser.add_argument(
        "--limit",
        type=int,
        choices=(1, 2),
        default=2,
        help="1: first solution only; 2: unique or multiple (default)",
    )
    add_conflicts(parser, "unknown")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="keep a journal, OUT.journal, and go on where an interrupted run stopped",
    )
    parser.add_argument("--summary", metavar="FILE", help="write counts and speed as JSON")
    add_certificates(parser, "OUT.cert.jsonl.gz")
    add_workers(parser)


def add_audit(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "say whether collections are sound: valid, unique, answers right, no row twice"
    parser = command(commands, "audit", summary, puzzles=False)
    parser.epilog = COLLECTIONS.replace(
        "2 some puzzle could not be read", "1 something is wrong, 2 bad usage or file"
    )
    add_collections(parser)
    add_rules(parser, solver=False)
    parser.add_argument(
        "--report", metavar="FILE", help="write an HTML page (extra: pip install 'satdoku[report]')"
    )
    parser.add_argument("--json", metavar="FILE", help="write the findings as JSON")
    parser.add_argument(
        "--no-symmetry",
        action="store_true",
        help="look for exact duplicates only, not for relabelled, turned or permuted ones",
    )
    parser.add_argument(
        "--allow",
        metavar="KIND,...",
        help="kinds of findings that are no fault: leak, exact-duplicate, symmetric-duplicate, "
        "several-solutions, no-solution, clashing-givens, malformed-row, wrong-answer, "
        "givens-changed, unreadable-answer, undecided",
    )
    add_conflicts(parser, "undecided")
    add_certificates(parser, "the first IN with .cert.jsonl.gz behind")
    add_workers(parser)


ADDS = (add_batch, add_audit)
