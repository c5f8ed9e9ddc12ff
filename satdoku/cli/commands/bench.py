"""The command `bench`: measure, and report what was measured."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from ...runtime.errors import SatdokuError, counted, shown
from .. import EXIT_DONE, EXIT_NO
from .. import options as opt
from ..output import note, say
from ..programs import Programs
from ..progress import terminal_bar

if TYPE_CHECKING:
    from ...bench.selection import Selection


EXAMPLE = "satdoku bench --tasks classic --modes oneshot --backends glucose4"


class Measured(Programs, group="what is measured"):
    """The contestants, and what they have to do."""

    encodings = opt.list_option(
        metavar="E,...", help="CNF encodings by name; boolean, integer or all"
    )
    backends = opt.list_option(
        metavar="B,...",
        help="solvers of PySAT, z3-..., cp-sat, clingo, pycosat, engine-..., plain, or "
        "SOLVER/ENCODING",
    )
    tasks = opt.list_option(
        type=opt.names_to_read,
        metavar="T,...",
        help="tasks by name, files of puzzles to draw from, or points of the phase diagram: "
        "phase-16, phase-25-55 (size, per cent of holes)",
    )
    modes = opt.list_option(
        metavar="M,...", help="oneshot, incremental, uniqueness, enumerate, candidates, parallel"
    )
    quick = opt.flag(
        help="measure a selection that takes less than a minute, and print the results"
    )
    sample = opt.option(
        type=opt.positive,
        metavar="N",
        help="number of puzzles in a task that draws or generates them",
    )
    seed = opt.option(type=int, default=1, metavar="K", help="random seed of the tasks (default 1)")


class Conditions(opt.Options, group="how it is measured"):
    """The limits of a measurement, and how many there are."""

    timeout = opt.option(
        type=opt.seconds,
        default=5.0,
        metavar="S",
        help="after S seconds of processor time a measurement is stopped (default 5)",
    )
    memory = opt.option(
        type=opt.positive,
        default=4096,
        metavar="MB",
        help="memory limit of a measurement (default 4096)",
    )
    repeat = opt.option(
        type=opt.positive, default=1, metavar="N", help="measure N times (default 1)"
    )
    workers = opt.option(
        "-w",
        "--workers",
        type=opt.positive,
        default=1,
        metavar="N",
        help="measurements at a time (default 1; more would disturb the times)",
    )


class Arguments(Measured, Conditions):
    usage = "satdoku bench [OPTION ...]\n       satdoku bench report [FOLDER]"
    epilog = (
        "Contestants take turns on each instance, each in a process that is killed at the limits.\n"
        "Seconds are processor time. Each answer is checked; the exit code is 1 if one is wrong.\n"
        "Measurements that the results already hold are not repeated.\n"
    )
    report = opt.argument(
        "report FOLDER",
        "do not measure: write tables, plots and a page of the results in FOLDER",
        "*",
        type=None,
    )
    output = opt.option(
        "-o",
        "--output",
        type=opt.folder_to_write,
        default="results",
        metavar="FOLDER",
        help="folder of the results",
    )
    versus = opt.option(
        metavar="B",
        help="report: give factors relative to this contestant, such as cadical153/extended or "
        "cp-sat, where it was measured (default: the best of each table)",
    )

    def made(self) -> Mapping[str, str]:
        """The file of the rows, in the folder of the results."""
        from ...bench.results import FILE_NAME

        return {} if self.report else {"--output": str(Path(self.output) / FILE_NAME)}


class UsageError(SatdokuError):
    """Words on the command line that have no meaning."""


def run(arguments: Arguments) -> int:
    """Measure, or report; exit 1 if an answer was wrong."""
    if not arguments.report:
        return _measure(arguments)
    word, *folders = arguments.report
    if word != "report" or len(folders) > 1:
        found = " ".join(arguments.report)
        raise UsageError(f"bench: found '{found}', expected nothing or 'report FOLDER'")
    return _report(Path(folders[0] if folders else arguments.output), arguments.versus)


def _measure(arguments: Arguments) -> int:
    from ...bench.results import WRONG, Results, folder_rows
    from ...bench.runner import Limits, run_jobs

    selection = _selection(arguments)
    jobs = selection.jobs()
    for remark in dict.fromkeys(selection.notes):
        note(arguments, remark)
    limits = Limits(arguments.timeout, arguments.memory)
    start = time.perf_counter()
    with Results(Path(arguments.output)) as results:
        wanted = {job.key(m, limits) for job in jobs for m in job.measurements()}
        left = len(wanted - results.done)
        note(
            arguments,
            f"{counted(left, 'measurement')} of {len(wanted)} to make, {counted(len(jobs), 'job')}",
        )
        rows = run_jobs(jobs, limits, results.done, workers=arguments.workers)
        statuses: Counter[str] = Counter()
        with closing(terminal_bar(quiet=arguments.quiet, total=left, unit=" rows")) as bar:
            for row in rows:
                results.write([row])
                bar.update()
                statuses[row.status] += 1
                if row.wrong:
                    say(row.wrong)
    counts = ", ".join(f"{n} {status}" for status, n in sorted(statuses.items())) or "nothing new"
    note(arguments, f"{counts}; {time.perf_counter() - start:.0f} s; rows in {results.path}")
    if arguments.quick:
        from ...bench.report import verdicts

        for line in verdicts(
            [row for row in folder_rows(results.path.parent) if row.key in wanted]
        ):
            print(line)
    return EXIT_NO if statuses[WRONG] else EXIT_DONE


def _selection(arguments: Arguments) -> Selection:
    from ...bench.selection import Selection

    return Selection(
        encodings=arguments.encodings or "",
        backends=tuple(opt.listed(arguments.backends)),
        programs=tuple(arguments.programs),
        tasks=tuple(opt.listed(arguments.tasks)),
        modes=tuple(opt.listed(arguments.modes)),
        size=arguments.sample,
        repeat=arguments.repeat,
        seed=arguments.seed,
        quick=arguments.quick,
    )


def _report(folder: Path, versus: str | None) -> int:
    from ...bench.figures import Contestant
    from ...bench.report import write_report
    from ...bench.results import folder_rows

    rows = folder_rows(folder)
    wrong = [row.wrong for row in rows if row.wrong]
    for words in wrong:
        say(words)
    for path in write_report(rows, folder, Contestant.of(versus) if versus else None):
        print(shown(path))
    return EXIT_NO if wrong else EXIT_DONE
