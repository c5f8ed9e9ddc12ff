"""The `bench` command: measure in the lab, and report what was measured."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from ..bench.results import (
    FILE_NAME,
    WRONG,
    Results,
    Row,
    read_rows,
)
from ..bench.runner import Limits, run_jobs
from ..bench.selection import Selection
from ..errors import SatdokuError
from . import EXIT_DONE, EXIT_NO
from .inputs import complain
from .progress import terminal_bar


class UsageError(SatdokuError):
    """Words on the command line that mean nothing."""


def bench(arguments: argparse.Namespace) -> int:
    """Measure, or report; exit 1 if an answer was wrong."""
    if not arguments.report:
        return _measure(arguments)
    word, *folders = arguments.report
    if word != "report" or len(folders) > 1:
        found = " ".join(arguments.report)
        raise UsageError(f"bench: found '{found}', expected nothing or 'report FOLDER'")
    return _report(Path(folders[0] if folders else arguments.output))


def _measure(arguments: argparse.Namespace) -> int:
    selection = _selection(arguments)
    jobs = selection.jobs()
    for note in selection.notes:
        complain(note)
    limits = Limits(arguments.timeout, arguments.memory)
    wrong: list[Row] = []
    start = time.perf_counter()
    with Results(Path(arguments.output)) as results:
        wanted = {job.key(m, limits) for job in jobs for m in job.measurements()}
        left = len(wanted - results.done)
        complain(f"{left} measurements of {len(wanted)} to make, {len(jobs)} jobs")
        rows = run_jobs(jobs, limits, results.done, seed=selection.seed, workers=arguments.workers)
        statuses: Counter[str] = Counter()
        for row in terminal_bar(quiet=arguments.quiet, iterable=rows, total=left, unit=" rows"):
            results.write([row])
            statuses[row.status] += 1
            if row.status == WRONG:
                wrong.append(row)
                complain(_wrong(row))
    counts = ", ".join(f"{n} {status}" for status, n in sorted(statuses.items())) or "nothing new"
    complain(f"{counts}; {time.perf_counter() - start:.0f} s; rows in {results.path}")
    return EXIT_NO if wrong else EXIT_DONE


def _selection(arguments: argparse.Namespace) -> Selection:
    return Selection(
        encodings=arguments.encodings or "",
        backends=_words(arguments.backends),
        tasks=_words(arguments.tasks),
        modes=_words(arguments.modes),
        size=arguments.sample,
        repeat=arguments.repeat,
        seed=arguments.seed,
        quick=arguments.quick,
    )


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (text or "").split(","))))


def _wrong(row: Row) -> str:
    what = f"{row.backend} {row.encoding} on {row.task} {row.instance} ({row.mode})"
    return f"WRONG ANSWER: {what}: {row.note}; excluded from all times"


def _report(folder: Path) -> int:
    from ..bench.report import write_report

    rows = read_rows(folder / FILE_NAME)
    wrong = [row for row in rows if row.status == WRONG]
    for row in wrong:
        complain(_wrong(row))
    for path in write_report(rows, folder):
        print(path)
    return EXIT_NO if wrong else EXIT_DONE
