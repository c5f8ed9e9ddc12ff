"""What the commands on collections share: data sets read, counts printed, certificates beside.

Invariant: the numbers in the line of counts add up; certificates appear whole or not at all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from ..files.outputs import TABLE_FORMS, TREES, open_output
from ..files.streams import STANDARD, FileError
from ..model.grid import NINE
from ..runtime.errors import SatdokuError
from .inputs import asked_board, asked_constraints, asked_reading, rule_text, stated_rules
from .options import (
    Collections,
    Input,
    Question,
    Rules,
    Symmetry,
    Workers,
    Written,
    conflicts_option,
    format_option,
    json_option,
    listed,
    option,
    seconds,
    to_read,
)  # fmt: skip
from .output import note, say
from .progress import Bar, Tally

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..certificates.beside import TreeCertifier
    from ..certificates.sample import CollectionCertifier
    from ..datasets.inputs import Inputs
    from ..files.collection import Chunk
    from ..model.board import Board
    from ..model.constraints import Constraints
    from ..runtime.cluster import Dask
    from ..runtime.workers import WorkersLike


def _dask_file(what: str) -> str | None:
    help = f"{what}, PEM (default: Dask's configuration)"
    return option(type=to_read, metavar="FILE", help=help)


class Executor(Workers):
    executor = option(
        metavar="E",
        help="thread, process, dask://HOST:PORT or, encrypted, dask+tls://HOST:PORT (default: "
        "threads if the C kernel runs)",
    )
    dask_ca = _dask_file("certificate of the authority of a Dask cluster")
    dask_cert = _dask_file("our certificate in a Dask cluster")
    dask_key = _dask_file("the key of our certificate")
    dask_timeout = option(
        type=seconds,
        metavar="S",
        help="give up if a Dask scheduler has no worker for S seconds (default 60)",
    )

    def asked_executor(self) -> str | Dask | None:
        """The workers that --executor and the Dask options request."""
        asked: dict[str, Any] = {
            name: value
            for name in ("ca", "cert", "key", "timeout")
            if (value := getattr(self, f"dask_{name}")) is not None
        }
        scheme = (self.executor or "").partition("://")[0]
        for name in asked:
            if scheme not in (("dask", "dask+tls") if name == "timeout" else ("dask+tls",)):
                kind = "dask" if name == "timeout" else "dask+tls"
                raise SatdokuError(f"--dask-{name} needs --executor {kind}://HOST:PORT")
        if self.executor is None or scheme not in ("dask", "dask+tls"):
            return self.executor
        from ..runtime.cluster import Dask

        return Dask(self.executor, **asked, on_line=say)

    def asked_workers(self) -> WorkersLike | None:
        """The workers that --workers and --executor ask for; None if neither does."""
        executor = self.asked_executor()
        if executor in ("thread", "process"):
            return f"{executor}:{self.workers_for()}"
        return executor or self.workers


class Tables(Collections, Rules):
    """Options of the commands that read data sets and write rows."""

    format = format_option(TABLE_FORMS, "csv, tsv, jsonl, parquet, or line: text like IN")
    json = json_option("the counts as one object")


class DataSet(Tables, Executor, Symmetry):
    """Options of those that audit the rows."""

    conflicts = conflicts_option("a puzzle counts as undecided")


def asked_run(
    arguments: Input,
    bar: Bar,
    tally: Tally,
    made: Callable[[Board], Constraints] | None = None,
) -> dict[str, Any]:
    """What the command line asks of a `FileRun`, which tells the bar and the tally how far it is;
    made: the constraints on a board, by default those asked for."""
    return {
        "rules": stated_rules(arguments),
        "board": asked_board(arguments),
        "reading": asked_reading(arguments),
        "made": made or partial(asked_constraints, arguments),
        "tally": tally,
        "on_rows": lambda rows: bar.update(rows, tally),
        "on_open": bar.opened,
        "on_message": say,
    }


def asked_data_set(
    arguments: DataSet, bar: Bar, *, allow: str | None = None, forbid: str | None = None
) -> Inputs:
    """What the options say about the reading and the checks."""
    from ..audit.files import Checks
    from ..datasets.inputs import Inputs

    symmetry, conflicts = not arguments.no_symmetry, arguments.conflicts
    return Inputs(
        arguments.collections,
        asked_constraints(arguments) if asked_board(arguments) else rule_text(arguments),
        Checks(symmetry, listed(allow), listed(forbid), conflicts),
        asked_reading(arguments),
        arguments.asked_workers() or arguments.workers_for(),
        bar.reach,
        bar.opened,
    )


def check_json(arguments: Tables, outputs: Sequence[str]) -> None:
    """Raise `FileError` if rows and counts would both go to standard output."""
    if arguments.json and STANDARD in outputs:
        raise FileError("--json needs an output file for the rows: add -o OUT")


def tell_counts(arguments: DataSet, counts: Mapping[str, Any], lines: Sequence[str]) -> None:
    """The counts: with --json as data on standard output, else in words on standard error."""
    if arguments.json:
        print(json.dumps(counts))
    elif not arguments.quiet:
        print("\n".join(lines), file=sys.stderr)
    if not arguments.no_symmetry and counts["symmetry"] is None:
        note(arguments, "some rows have no canonical form: only equal puzzles count as equal")
    tell_lost(arguments, counts)


def tell_lost(arguments: Tables, counts: Mapping[str, Any]) -> None:
    """The columns that the output lacks."""
    if lost := counts["columns_left_out"]:
        note(arguments, f"the first rows have no {', '.join(lost)}: left out; jsonl takes them all")


def certificates_option(beside: str) -> str | None:
    return option(
        type=Written("certificate", "trees"),
        metavar="FILE",
        help=f"file for the certificates (default: {beside}); a name in .trees gets proof trees, "
        "row n beside row n",
    )


class Certify(Question, Workers):
    """What --certify asks for; each command says where the certificates go by default."""

    certify = option(
        metavar="N|all", help="certify all answers, or those of N puzzles drawn at random"
    )
    certificates: str | None = None
    limit: int = 2
    resume: bool = False


class Certificates:
    """Receives the chunks of a command; this base class certifies nothing."""

    certifier: CollectionCertifier | TreeCertifier | None = None

    def add(self, chunk: Chunk, statuses: NDArray[np.uint8]) -> None:
        """Add a chunk and its statuses."""


class _Wanted(Certificates):
    def __init__(self, arguments: Certify, path: str) -> None:
        self._arguments, self._path = arguments, path

    @contextmanager
    def opened(self) -> Iterator[Certificates]:
        """Certify while the block runs; write the complete file at its end, or none at all."""
        arguments = self._arguments
        with (
            open_output(self._path, keep=not arguments.resume) as out,
            self._certifier(out) as self.certifier,
        ):
            yield self
            self.certifier.finish()
        what = "proof trees" if self._path.endswith(TREES) else "certificates"
        note(arguments, f"{self.certifier.written:,} {what} in {self._path}")

    def _certifier(self, out: BinaryIO) -> CollectionCertifier | TreeCertifier:
        asked, workers = self._arguments.certify or "", self._arguments.workers_for()
        if not self._path.endswith(TREES):
            from ..certificates.sample import CollectionCertifier

            return CollectionCertifier(out, asked, workers=workers)
        if asked != "all":
            raise SatdokuError(
                f"--certify {asked}: expected --certify all for proof trees, which stand beside "
                "every row"
            )
        from ..certificates.beside import TreeCertifier

        return TreeCertifier(out, workers=workers)

    def add(self, chunk: Chunk, statuses: NDArray[np.uint8]) -> None:
        from ..batch.options import BatchOptions

        assert self.certifier is not None
        board = asked_board(self._arguments) or chunk.usual_board or NINE
        self.certifier.add(chunk, statuses, BatchOptions(asked_constraints(self._arguments, board)))


@contextmanager
def certificates(arguments: Certify, beside: str) -> Iterator[Certificates]:
    """A certifier if --certify is given, else an object that does nothing.

    Certificates go to --certificates FILE. Without that option they go to a file next to `beside`.
    """
    path = certificates_path(arguments, beside)
    if path is None:
        yield Certificates()
        return
    if arguments.certify == "all" and not path.endswith(TREES):
        note(arguments, f"{path}: a name in {TREES} gets proof trees, made sooner and smaller")
    with _Wanted(arguments, path).opened() as wanted:
        yield wanted


def made_certificates(arguments: Certify, beside: str) -> dict[str, str]:
    """The file of --certify without --certificates FILE, as `cli.files` takes it."""
    path = certificates_path(arguments, beside)
    return {"--certify": path} if path and not arguments.certificates else {}


def certificates_path(arguments: Certify, beside: str) -> str | None:
    """The path of the certificates, or None without --certify."""
    if not arguments.certify:
        if arguments.certificates:
            raise SatdokuError("--certificates needs --certify N or --certify all")
        return None
    if arguments.limit != 2:
        raise SatdokuError(
            "--certify needs --limit 2: --limit 1 does not search for a second solution"
        )
    if not arguments.certificates and beside == STANDARD:
        raise SatdokuError("--certify needs a file: add --certificates FILE")
    return arguments.certificates or f"{beside}.cert.jsonl.gz"
