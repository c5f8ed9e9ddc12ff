"""The command `audit`: a verdict on the terminal, a page and plain data in files.

Invariant: the files are opened before the audit begins, and appear whole when it ends.
"""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from ...files.outputs import open_output
from ...files.streams import STANDARD
from .. import EXIT_DONE, EXIT_NO
from ..certifying import Certificates, certificates, made_certificates
from ..inputs import asked_board, asked_constraints, asked_reading, rule_text
from ..options import (
    add_certificates,
    add_collections,
    add_conflicts,
    add_executor,
    add_kinds,
    add_quiet,
    add_rules,
    add_symmetry,
    add_workers,
    asked_workers,
    listed,
    to_write,
)
from ..progress import Bar, Tally

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...audit.files import Audit
    from ...files.collection import Chunk

EXAMPLE = "satdoku generate -n 100 --seed 1 | satdoku audit -"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_collections(parser)
    add_rules(parser, solver=False)
    parser.add_argument(
        "--report",
        type=to_write,
        metavar="FILE",
        action="append",
        default=[],
        help="write the findings to FILE: as JSON if its name ends in .json, else as an HTML page "
        "(extra: pip install 'satdoku[report]'); may be given twice",
    )
    parser.add_argument(
        "--rows",
        type=to_write,
        metavar="OUT",
        help="write one line a row to OUT: line, id, status, kinds of findings, givens, nodes, "
        "which row it repeats, the cluster of its equivalents, hashes of the puzzle and its "
        "solution grid; OUT ends in .csv, .tsv, .jsonl or .parquet, also compressed (.gz, ...)",
    )
    parser.add_argument(
        "--ratings",
        action="store_true",
        help="rate each classic puzzle with one solution (see `rate`), which takes time: er, ep, "
        "ed and technique in --rows, and how many puzzles have each ER in the report",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as one JSON object")
    add_symmetry(parser)
    add_kinds(parser)
    add_conflicts(parser, "a puzzle counts as undecided")
    add_certificates(parser, "first IN with .cert.jsonl.gz appended")
    parser.set_defaults(made=lambda given: made_certificates(given, given.collections[0]))
    add_workers(parser)
    add_executor(parser)
    add_quiet(parser, "no progress, no report on the terminal")


def run(arguments: argparse.Namespace) -> int:
    """Audit collections together; exit 1 if anything is wrong that --allow does not allow."""
    from ...audit.report import report_page, report_text, require_matplotlib
    from ...audit.table import open_rows

    if not all(map(_is_json, arguments.report)):
        require_matplotlib()  # before the work, which may take an hour
    with ExitStack() as outputs:
        files = {name: outputs.enter_context(open_output(name)) for name in arguments.report}
        certify = outputs.enter_context(certificates(arguments, arguments.collections[0]))
        write_rows = arguments.rows and outputs.enter_context(open_rows(arguments.rows))
        report = _audited(arguments, certify)
        if report.rows is not None:
            write_rows(report.rows)
        data = json.dumps(report, indent=2)
        for name, file in files.items():
            file.write(f"{data}\n".encode() if _is_json(name) else report_page(report).encode())
    if arguments.json:
        print(data)
    elif not arguments.quiet and STANDARD not in (*files, arguments.rows):
        print(report_text(report))
    return EXIT_DONE if report["sound"] else EXIT_NO


def _is_json(name: str) -> bool:
    """Whether a report of that name is data; the name may end in .json.gz and the like."""
    return ".json" in Path(name).suffixes


def _audited(arguments: argparse.Namespace, certify: Certificates) -> Audit:
    """The report, with a bar on the way."""
    from ...audit.files import CHUNK_PUZZLES, Checks, audit_chunks, read_files
    from ...batch.workers import available_workers
    from ...ratings.scale import PIECE

    tally = Tally()
    with Bar(arguments.collections, quiet=arguments.quiet) as bar:

        def note(chunk: Chunk, statuses: NDArray[np.uint8]) -> None:
            certify.add(chunk, statuses)
            tally.add(statuses.tobytes(), len(chunk.errors))
            bar.update(len(chunk.lines), tally)

        rules = asked_constraints(arguments) if asked_board(arguments) else rule_text(arguments)
        return audit_chunks(
            read_files(
                arguments.collections,
                rules,
                size=PIECE if arguments.ratings else CHUNK_PUZZLES,
                reading=asked_reading(arguments),
                on_open=bar.opened,
            ),
            rules,
            checks=Checks(
                not arguments.no_symmetry,
                listed(arguments.allow),
                listed(arguments.forbid),
                arguments.conflicts,
            ),
            rows=arguments.rows is not None,
            ratings=arguments.ratings,
            workers=asked_workers(arguments, arguments.workers or available_workers()),
            on_chunk=note,
        )
