"""Write certificates during a batch or an audit: for all puzzles or for a sample (--certify)."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import SatdokuError
from ..files.outputs import open_output
from ..files.streams import STANDARD
from .inputs import asked_board, asked_constraints
from .output import note

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..certificates.sample import CollectionCertifier
    from ..files.collection import Chunk


class Certificates:
    """Receives the chunks of a command; this base class certifies nothing."""

    certifier: CollectionCertifier | None = None

    def add(self, chunk: Chunk, statuses: NDArray[np.uint8]) -> None:
        """Add a chunk and its statuses."""


class _Wanted(Certificates):
    def __init__(self, arguments: argparse.Namespace, path: str) -> None:
        self._arguments, self._path = arguments, path

    @contextmanager
    def opened(self) -> Iterator[Certificates]:
        """Certify while the block runs; write the complete file at its end, or none at all."""
        from ..batch.workers import available_workers
        from ..certificates.sample import CollectionCertifier

        arguments = self._arguments
        workers = arguments.workers or available_workers()
        with (
            open_output(self._path, keep=not getattr(arguments, "resume", False)) as out,
            CollectionCertifier(out, arguments.certify, workers=workers) as self.certifier,
        ):
            yield self
            self.certifier.finish()
        note(arguments, f"{self.certifier.written:,} certificates in {self._path}")

    def add(self, chunk: Chunk, statuses: NDArray[np.uint8]) -> None:
        from ..batch.options import BatchOptions

        assert self.certifier is not None
        board = asked_board(self._arguments) or chunk.board
        self.certifier.add(chunk, statuses, BatchOptions(asked_constraints(self._arguments, board)))


@contextmanager
def certificates(arguments: argparse.Namespace, beside: str) -> Iterator[Certificates]:
    """A certifier if --certify is given, else an object that does nothing.

    Certificates go to --certificates FILE. Without that option they go to a file next to `beside`.
    """
    path = certificates_path(arguments, beside)
    if path is None:
        yield Certificates()
        return
    with _Wanted(arguments, path).opened() as wanted:
        yield wanted


def made_certificates(arguments: argparse.Namespace, beside: str) -> dict[str, str]:
    """The file of --certify without --certificates FILE, as `cli.files` takes it."""
    path = certificates_path(arguments, beside)
    return {"--certify": path} if path and not arguments.certificates else {}


def certificates_path(arguments: argparse.Namespace, beside: str) -> str | None:
    """The path of the certificates, or None without --certify."""
    if not arguments.certify:
        if arguments.certificates:
            raise SatdokuError("--certificates needs --certify N or --certify all")
        return None
    if getattr(arguments, "limit", 2) != 2:
        raise SatdokuError(
            "--certify needs --limit 2: --limit 1 does not search for a second solution"
        )
    if not arguments.certificates and beside == STANDARD:
        raise SatdokuError("--certify needs a file: add --certificates FILE")
    return arguments.certificates or f"{beside}.cert.jsonl.gz"
