"""The command `certify`: one certificate a puzzle."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

from ...files.outputs import open_output
from ...model.puzzle import Puzzle, Unreadable
from ...runtime.errors import BudgetError
from ...runtime.limits import within
from .. import EXIT_DONE
from ..answers import code_of, report
from ..inputs import asked_puzzles
from ..options import (
    Puzzles,
    Solver,
    file_or_folder,
    flag,
    folder_to_write,
    option,
    output_option,
    timeout_option,
)

if TYPE_CHECKING:
    from ...certificates.format import Certificate, Preamble

    Made = tuple[Preamble, Certificate]


CHUNK = 256  # puzzles certified at a time

EXAMPLE = "satdoku certify 1.....2....3.4.. | satdoku verify -"


class Arguments(Puzzles, Solver):
    output = output_option(
        "file to write (.gz, .xz, .bz2 or .zst compresses it), or a folder for one file a puzzle",
        file_or_folder,
    )
    all = flag(help="certify all solutions and that there is no other")
    lrat = flag(help="write proofs with hints (LRAT), for verified checkers")
    plain = option(
        type=folder_to_write,
        metavar="DIR",
        help="also write N.cnf and N.drat or N.lrat to DIR, for other tools",
    )
    timeout = timeout_option("a puzzle gets no certificate, exit code 1")


def run(arguments: Arguments) -> int:
    """Write a certificate of each puzzle; exit 2 if one could not be read, 1 if time was over."""
    from ...certificates.format import write_section

    failed: list[Unreadable] = []
    puzzles = _readable(arguments, failed)
    if arguments.timeout is None:
        made = _certificates(arguments, puzzles)
    else:
        made = _certificates_in_time(arguments, puzzles, arguments.timeout, failed)
    if arguments.plain:
        made = _also_plain(arguments.plain, made)
    if arguments.output.endswith(os.sep) or os.path.isdir(arguments.output):
        for number, (preamble, certificate) in enumerate(made, 1):
            path = _numbered(arguments.output, number, "cert.jsonl.gz")
            with open_output(path) as stream:
                write_section(stream, preamble, [certificate])
    else:
        with open_output(arguments.output, keep=True) as stream:
            for preamble, group in groupby(made, key=lambda pair: pair[0]):
                write_section(stream, preamble, (certificate for _, certificate in group))
    return max(map(code_of, failed), default=EXIT_DONE)


def _readable(arguments: Arguments, failed: list[Unreadable]) -> Iterator[Puzzle]:
    """The puzzles asked for; the others are reported and collected."""
    for asked in asked_puzzles(arguments, strict=True):
        if isinstance(asked, Unreadable):
            report(arguments, asked)
            failed.append(asked)
        else:
            yield asked


def _certificates(arguments: Arguments, puzzles: Iterable[Puzzle]) -> Iterator[Made]:
    """Every puzzle's certificate with its preamble, in order."""
    from ...certificates.make import certify_batch, preamble_of, with_hints

    for constraints, group in groupby(puzzles, key=lambda asked: asked.constraints):
        preamble = preamble_of(constraints)
        grids = (asked.grid for asked in group)
        for chunk in iter(lambda grids=grids: list(islice(grids, CHUNK)), []):  # type: ignore[misc]
            every = arguments.all
            for certificate in certify_batch(
                chunk, constraints, solver=arguments.solver, every=every
            ):
                hinted = with_hints(preamble, certificate) if arguments.lrat else certificate
                yield preamble, hinted


def _certificates_in_time(
    arguments: Arguments, puzzles: Iterable[Puzzle], limit: float, failed: list[Unreadable]
) -> Iterator[Made]:
    """The same, each within the limit; those that are not made in time are reported."""
    from ...certificates.make import certify, with_hints

    for asked in puzzles:
        try:
            with within(limit - asked.took, limit):
                preamble, certificate = certify(
                    asked.grid, asked.constraints, solver=arguments.solver, every=arguments.all
                )
                if arguments.lrat:
                    certificate = with_hints(preamble, certificate)
        except BudgetError as error:
            failed.append(Unreadable(error, asked.place))
            report(arguments, failed[-1])
        else:
            yield preamble, certificate


def _also_plain(folder: str, made: Iterable[Made]) -> Iterator[Made]:
    """Pass certificates on, each also written as plain files for other tools."""
    from ...certificates.check import whole_formula

    for number, (preamble, certificate) in enumerate(made, 1):
        if certificate.proof is not None:
            texts = {
                "cnf": whole_formula(preamble, certificate),
                certificate.proof.format: certificate.proof.text,
            }
            for suffix, text in texts.items():
                path = _numbered(folder, number, suffix)
                with open_output(path) as stream:
                    stream.write(text.encode("ascii"))
        yield preamble, certificate


def _numbered(folder: str, number: int, suffix: str) -> str:
    """A path in the folder, which is made if it does not exist."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    return str(Path(folder) / f"{number:06}.{suffix}")
