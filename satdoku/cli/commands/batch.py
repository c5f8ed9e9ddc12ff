"""The command `batch`: progress on a terminal, a summary, results kept when interrupted."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from ...files.outputs import RESULT_FORMS, journal_path, leftovers, open_output
from ...files.streams import STANDARD, FileError
from .. import EXIT_BAD_INPUT, EXIT_DONE
from .. import options as opt
from ..collections import (
    Certify,
    Executor,
    asked_run,
    certificates,
    certificates_option,
    made_certificates,
)
from ..output import note
from ..progress import Bar, Tally

if TYPE_CHECKING:
    from ...batch.files import Each, Prove, Run

EXAMPLE = "satdoku generate -n 100 --seed 1 | satdoku batch -"


class Output(opt.Options, group="results"):
    """How results are written."""

    format = opt.format_option(
        RESULT_FORMS, "line ('STATUS SOLUTION'), csv, tsv, jsonl, parquet or npz"
    )
    json_lines = opt.json_lines_option()
    columns = opt.list_option(
        metavar="C,...",
        help="columns to write: file, line, id, puzzle, rules, status, solution, layers (their "
        "values in it), several_ways (layers that are not determined), reason, givens, "
        "nodes (of the search), microseconds (the puzzle's share of the time), solved_by (engine, "
        "or the solver that decided it); er, ep, ed, technique (see `rate`); proof (a proof tree, "
        "which `audit --proofs` checks)",
    )
    keep = opt.list_option(
        metavar="NAME,...",
        help="columns of IN to write before the results, in csv, tsv, jsonl or parquet; all: every "
        "column, in order. A result that has the name of such a column becomes satdoku_NAME",
    )
    csv_safe = opt.flag(
        help="csv for spreadsheets: an apostrophe before texts that begin with = + - @ or a tab"
    )


class Search(opt.Options, group="search"):
    """What decides a puzzle, and what is enough of an answer."""

    backend = opt.backend_option()
    limit = opt.option(
        type=int,
        choices=(1, 2),
        default=2,
        help="1: stop at the first solution; 2: tell unique from multiple (default)",
    )
    conflicts = opt.conflicts_option("the status is unknown")


class Arguments(opt.Collections, opt.Solver, Output, Search, Certify, Executor):
    output = opt.output_option(opt.Written(*RESULT_FORMS))
    resume = opt.flag(
        help="keep a journal, OUT.journal, and continue where an interrupted run stopped"
    )
    summary = opt.option(
        type=opt.Written("json"),
        metavar="FILE",
        help="write counts and speed as one JSON object; - prints it",
    )
    certificates = certificates_option("OUT.cert.jsonl.gz")

    def made(self) -> Mapping[str, str]:
        """The files beside OUT."""
        journal = {"--resume": journal_path(self.output)} if self.resume else {}
        return journal | made_certificates(self, self.output)


def run(arguments: Arguments) -> int:
    """Solve collections; exit 2 if they held a puzzle that could not be read."""
    if arguments.output == STANDARD:
        if arguments.resume:
            raise FileError("--resume needs an output file: add -o OUT")
        if arguments.summary == STANDARD:
            raise FileError("--summary - needs an output file for the results: add -o OUT")
    for part in leftovers(arguments.output):
        note(arguments, f"{part}: left by a run that was stopped; delete it if you do not need it")
    tally, journal = Tally(), journal_path(arguments.output)
    with Bar(arguments.collections, quiet=arguments.quiet) as bar:
        try:
            counts = _run(arguments, bar, tally).go()
        except KeyboardInterrupt as error:
            if arguments.resume and tally.puzzles and os.path.exists(journal):
                error.add_note(f"finished results are kept in {journal}")
            raise
        finally:
            if not arguments.quiet and arguments.summary != STANDARD and tally.puzzles:
                bar.bar.clear()
                print(tally.summary(), tally.rows(), sep="\n", file=sys.stderr)
    if arguments.summary:
        with open_output(arguments.summary) as out:
            out.write(f"{json.dumps(counts, indent=2)}\n".encode())
    return EXIT_BAD_INPUT if tally.unreadable else EXIT_DONE


def _run(arguments: Arguments, bar: Bar, tally: Tally) -> Run:
    """What was asked for."""
    from ...batch.files import Run, Solving, Writing

    return Run(
        arguments.collections,
        arguments.output,
        Solving(arguments.limit, arguments.solver, arguments.conflicts, arguments.backend),
        Writing(
            arguments.format,
            _names(arguments.columns),
            _names(arguments.keep),
            arguments.csv_safe,
            arguments.resume,
            _prover(arguments),
        ),
        _certified(arguments) if arguments.certify else None,
        workers=arguments.asked_workers(),
        **asked_run(arguments, bar, tally),
    )


@contextmanager
def _certified(arguments: Arguments) -> Iterator[Each]:
    """What certifies chunks."""
    with certificates(arguments, arguments.output) as certify:
        yield certify.add


def _prover(arguments: Arguments) -> Prove | None:
    """What makes the column of proofs, if it is asked for."""
    from ...batch.options import PROOF

    if PROOF not in _names(arguments.columns):
        return None
    from ...certificates.beside import proof_texts

    return partial(proof_texts, workers=arguments.workers_for())


def _names(text: str | None) -> list[str]:
    """The names in a list with commas."""
    return [] if text is None else [name.strip() for name in text.split(",")]
