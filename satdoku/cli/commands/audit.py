"""The command `audit`: a verdict on the terminal, a page and plain data in files.

Invariant: the files are opened before the audit begins, and appear whole when it ends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ...files.outputs import WITH_COLUMNS, form_of, open_output
from ...files.streams import STANDARD
from .. import EXIT_DONE, EXIT_NO
from .. import options as opt
from ..collections import (
    Certificates,
    Certify,
    Executor,
    certificates,
    certificates_option,
    made_certificates,
)
from ..inputs import asked_board, asked_constraints, asked_reading, rule_text
from ..progress import Bar, Tally

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...audit.files import Audit
    from ...files.collection import Chunk

EXAMPLE = "satdoku generate -n 100 --seed 1 | satdoku audit -"


class Arguments(opt.Collections, opt.Rules, opt.Symmetry, opt.Kinds, Certify, Executor):
    report = opt.several(
        type=opt.Written("html", "json"),
        metavar="FILE",
        help="write the findings to FILE, as an HTML page (extra: pip install 'satdoku[report]') "
        "or JSON; may be given twice",
    )
    rows = opt.option(
        type=opt.Written(*WITH_COLUMNS),
        metavar="OUT",
        help="write one line a row to OUT: line, id, status, kinds of findings, givens, nodes, "
        "which row it repeats, the cluster of its equivalents, hashes of the puzzle and its "
        "solution grid",
    )
    ratings = opt.flag(
        help="rate each puzzle with one solution (see `rate`), which takes time: er, ep, "
        "ed and technique in --rows, and how many puzzles have each ER in the report"
    )
    proofs = opt.option(
        metavar="COLUMN|FILE",
        help="check the proofs in a column of IN, which `batch --columns ...,proof` has written, "
        "or those of a file of proof trees, whose name ends in .trees, row n beside row n: a row "
        "without one that holds is a fault",
    )
    json = opt.flag(help="print the findings as one JSON object")
    conflicts = opt.conflicts_option("a puzzle counts as undecided")
    certificates = certificates_option("first IN with .cert.jsonl.gz appended")
    quiet = opt.quiet_option("no progress, no report on the terminal")

    def made(self) -> Mapping[str, str]:
        return made_certificates(self, self.collections[0])


def run(arguments: Arguments) -> int:
    """Audit collections together; exit 1 if anything is wrong that --allow does not allow."""
    from ...audit.report import report_page, report_text, require_matplotlib
    from ...audit.table import open_rows

    if not all(map(_is_json, arguments.report)):
        require_matplotlib()  # before the work, which may take an hour
    with ExitStack() as outputs:
        files = {name: outputs.enter_context(open_output(name)) for name in arguments.report}
        certify = outputs.enter_context(certificates(arguments, arguments.collections[0]))
        write_rows = outputs.enter_context(open_rows(arguments.rows)) if arguments.rows else None
        report = _audited(arguments, certify)
        if write_rows and report.rows is not None:
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
    """Whether a report of that name is data."""
    return form_of(name, ("html", "json")) == "json"


def _audited(arguments: Arguments, certify: Certificates) -> Audit:
    """The report, with a bar on the way."""
    from ...audit.files import CHUNK_PUZZLES, Checks, audit_chunks, read_files
    from ...batch.options import PIECE

    tally = Tally()
    with Bar(arguments.collections, quiet=arguments.quiet) as bar:

        def note(chunk: Chunk, statuses: NDArray[np.uint8]) -> None:
            certify.add(chunk, statuses)
            tally.add(statuses.tobytes(), len(chunk.errors))
            bar.update(len(chunk.lines), tally)

        rules = asked_constraints(arguments) if asked_board(arguments) else rule_text(arguments)
        checks = Checks(
            not arguments.no_symmetry,
            opt.listed(arguments.allow),
            opt.listed(arguments.forbid),
            arguments.conflicts,
            arguments.proofs,
        )
        return audit_chunks(
            read_files(
                arguments.collections,
                rules,
                size=PIECE if arguments.ratings else CHUNK_PUZZLES,
                reading=asked_reading(arguments),
                on_open=bar.opened,
                keep=checks.keeps_columns,
            ),
            rules,
            checks=checks,
            rows=arguments.rows is not None,
            ratings=arguments.ratings,
            workers=arguments.asked_workers() or arguments.workers_for(),
            on_chunk=note,
        )
