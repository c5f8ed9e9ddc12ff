"""The command `certify`: one certificate a puzzle."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

from ...files.outputs import TREES, journal_path, open_output
from ...model.board import MAX_SIZE, BoardError
from ...model.puzzle import Puzzle, Unreadable
from ...runtime.errors import BudgetError, SatdokuError, Status
from ...runtime.limits import within
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from ..answers import clash, code_of, report
from ..collections import asked_run
from ..inputs import (
    asked_board,
    asked_puzzles,
    is_typed,
)
from ..options import (
    FileOrFolder,
    Puzzles,
    Solver,
    flag,
    folder_to_write,
    option,
    output_option,
    quiet_option,
    timeout_option,
    workers_option,
)
from ..output import note, verdict
from ..progress import Bar, Tally

if TYPE_CHECKING:
    from ...certificates.format import Certificate, Preamble

    Made = tuple[Preamble, Certificate]


CHUNK = 256  # puzzles certified at a time

EXAMPLE = "satdoku certify 1.....2....3.4.. | satdoku verify -"


class Arguments(Puzzles, Solver):
    output = output_option(
        FileOrFolder("certificate", "trees"),
        "file to write, or a folder for one file a puzzle; a name in .trees gets proof trees, for "
        "collections",
    )
    all = flag(help="certify all solutions and that there is no other")
    short = flag(help="for proof trees: a quarter of the bytes, in three to five times the time")
    lrat = flag(
        help="write proofs with hints (LRAT), for verified checkers; of proof trees with --plain"
    )
    plain = option(
        type=folder_to_write,
        metavar="DIR",
        help="also write N.cnf and N.drat or N.lrat to DIR, for other tools",
    )
    append = flag(help="add proof trees to those that OUT has, under the same rules")
    resume = flag(
        help="for proof trees: keep a journal, OUT.journal, and continue where an interrupted run "
        "stopped"
    )
    timeout = timeout_option("a puzzle gets no certificate, exit code 1")
    workers = workers_option("for proof trees: number of workers (default: one a core)")
    quiet = quiet_option("no progress bar and no counts of proof trees")

    def made(self) -> Mapping[str, str]:
        """The file beside OUT."""
        return {"--resume": journal_path(self.output)} if self.resume else {}


def run(arguments: Arguments) -> int:
    """Write a certificate of each puzzle; exit 2 if one could not be read, 1 if time was over."""
    if arguments.output.endswith(TREES):
        return _trees(arguments)
    for name in ("append", "resume", "short"):
        if getattr(arguments, name):
            raise SatdokuError(f"--{name} is for proof trees: expected -o FILE{TREES}")
    from ...certificates.format import write_section

    codes = [EXIT_DONE]
    puzzles = _readable(arguments, codes)
    if arguments.timeout is None:
        made = _certificates(arguments, puzzles)
    else:
        made = _certificates_in_time(arguments, puzzles, arguments.timeout, codes)
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
    return max(codes)


def _trees(arguments: Arguments) -> int:
    """Proof trees of files of puzzles, or of puzzles that were typed."""
    if arguments.timeout:
        raise SatdokuError(f"--timeout is for certificates: -o {arguments.output} gets trees")
    if arguments.lrat and not arguments.plain:
        raise SatdokuError("--lrat: proof trees have no hints: add --plain DIR for LRAT files")
    if arguments.append and arguments.resume:
        raise SatdokuError("--append and --resume: expected one of them")
    from ...certificates.collection import APPEND, NEW, RESUME, Proving, Run, certify_typed

    mode = APPEND if arguments.append else RESUME if arguments.resume else NEW
    proving = Proving(arguments.all, arguments.short)
    board, tally = asked_board(arguments), Tally()
    if any(is_typed(argument, board) for argument in arguments.puzzles):
        codes = [EXIT_DONE]
        if arguments.resume:
            raise SatdokuError("--resume is for files of puzzles")
        certify_typed([*_readable(arguments, codes)], arguments.output, proving, mode)
        _trees_as_plain(arguments)
        return max(codes)
    with Bar(arguments.puzzles, quiet=arguments.quiet) as bar:
        Run(
            arguments.puzzles,
            arguments.output,
            proving,
            mode,
            workers=arguments.workers,
            **asked_run(arguments, bar, tally),
        ).go()
    _trees_as_plain(arguments)
    for line in (*tally.summary().splitlines(), tally.rows()):
        note(arguments, line)
    return EXIT_BAD_INPUT if tally.unreadable else EXIT_DONE


def _trees_as_plain(arguments: Arguments) -> None:
    """Formula and proof of each row of the file that was written, for other tools."""
    if not arguments.plain:
        return
    from ...certificates.collection import certificates_in
    from ...certificates.make import with_hints

    for number, preamble, certificate in certificates_in(arguments.output):
        made = with_hints(preamble, certificate) if arguments.lrat else certificate
        _write_plain(arguments.plain, number, preamble, made)


def _readable(arguments: Arguments, codes: list[int]) -> Iterator[Puzzle]:
    """The puzzles asked for; the others are reported, and large ones proved here: `codes` gets the
    exit codes of both."""
    for number, asked in enumerate(asked_puzzles(arguments, strict=True, large=True), 1):
        if isinstance(asked, Unreadable):
            report(arguments, asked)
            codes.append(code_of(asked))
        elif asked.constraints.board.is_large:
            codes.append(EXIT_DONE if _prove_large(arguments, asked, number) else EXIT_NO)
        else:
            yield asked


def _prove_large(arguments: Arguments, asked: Puzzle, number: int) -> bool:
    """Write a formula and a proof in place of a certificate, and print what they prove; False if
    there is nothing to prove."""
    limit = f"{MAX_SIZE}x{MAX_SIZE}"
    if not arguments.plain or arguments.lrat or arguments.all:
        raise BoardError(
            f"certificates end at {limit}; beyond, --plain DIR writes a formula and its DRAT "
            "proof to DIR (no --lrat, no --all)"
        )
    if clash(arguments, asked):
        print(verdict(Status.INVALID))
        return False
    from ...answers.large.solve import LargeQuery
    from ...certificates.large import prove

    try:
        with within(arguments.timeout):
            proof = prove(LargeQuery(asked, solver=arguments.solver), solver=arguments.solver)
    except BudgetError as error:
        note(arguments, error)
        print(verdict(Status.UNKNOWN))
        return False
    if proof is not None:
        for suffix, parts in (("cnf", proof.cnf()), ("drat", iter([proof.drat]))):
            with open_output(_numbered(arguments.plain, asked.line or number, suffix)) as stream:
                for part in parts:
                    stream.write(part.encode())
    print(verdict(Status.MULTIPLE if proof is None else proof.status))
    return proof is not None


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
    arguments: Arguments, puzzles: Iterable[Puzzle], limit: float, codes: list[int]
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
            late = Unreadable(error, asked.place)
            report(arguments, late)
            codes.append(code_of(late))
        else:
            yield preamble, certificate


def _also_plain(folder: str, made: Iterable[Made]) -> Iterator[Made]:
    """Pass certificates on, each also written as plain files for other tools."""
    for number, (preamble, certificate) in enumerate(made, 1):
        _write_plain(folder, number, preamble, certificate)
        yield preamble, certificate


def _write_plain(folder: str, number: int, preamble: Preamble, certificate: Certificate) -> None:
    """The formula that a certificate's proof refutes, and the proof; nothing if it has none."""
    from ...certificates.check import whole_formula

    if certificate.proof is None:
        return
    texts = {
        "cnf": whole_formula(preamble, certificate),
        certificate.proof.format: certificate.proof.text,
    }
    for suffix, text in texts.items():
        with open_output(_numbered(folder, number, suffix)) as stream:
            stream.write(text.encode("ascii"))


def _numbered(folder: str, number: int, suffix: str) -> str:
    """A path in the folder, which is made if it does not exist."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    return str(Path(folder) / f"{number:06}.{suffix}")
