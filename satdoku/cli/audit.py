"""The `audit` command: a verdict on the terminal, a page and plain data in files.

Invariant: the files are opened before the audit begins, and appear whole when it ends.
"""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..audit.files import audit_files
from ..audit.report import report_page, report_text, require_matplotlib
from ..batch.workers import available_workers
from ..files.collection import Chunk
from ..files.streams import STANDARD, check_outputs, open_output
from . import EXIT_DONE, EXIT_NO
from .certificates import Certificates, certificates, certificates_path
from .inputs import (
    asked_board,
    asked_columns,
    asked_constraints,
    rule_text,
)
from .progress import Bar, Tally


def audit(arguments: argparse.Namespace) -> int:
    """Audit collections together; exit 1 if anything is wrong that --allow does not allow."""
    if arguments.report:
        require_matplotlib()  # rather now than after an hour
    beside = certificates_path(arguments, arguments.collections[0])
    check_outputs([arguments.json, arguments.report, beside], arguments.collections)
    with ExitStack() as outputs:
        data = arguments.json and outputs.enter_context(open_output(arguments.json))
        page = arguments.report and outputs.enter_context(open_output(arguments.report))
        certify = outputs.enter_context(certificates(arguments, arguments.collections[0]))
        report = _audited(arguments, certify)
        if data:
            data.write(f"{json.dumps(report, indent=2)}\n".encode())
        if page:
            page.write(report_page(report).encode())
    if not arguments.quiet and STANDARD not in (arguments.json, arguments.report):
        print(report_text(report))
    return EXIT_DONE if report["sound"] else EXIT_NO


def _audited(arguments: argparse.Namespace, certify: Certificates) -> dict[str, Any]:
    """The report, with a bar on the way."""
    tally = Tally()
    with Bar(arguments.collections, quiet=arguments.quiet) as bar:

        def progress(chunk: Chunk, statuses: NDArray[np.uint8]) -> None:
            certify.add(chunk, statuses)
            tally.add(statuses, len(chunk.errors))
            bar.update(len(chunk.lines), tally)

        return audit_files(
            arguments.collections,
            asked_constraints(arguments) if asked_board(arguments) else rule_text(arguments),
            symmetry=not arguments.no_symmetry,
            allow=filter(None, (arguments.allow or "").split(",")),
            conflicts=arguments.conflicts,
            format=arguments.input_format,
            columns=asked_columns(arguments),
            workers=arguments.workers or available_workers(),
            executor=arguments.executor,
            progress=progress,
            opened=bar.opened,
        )
