"""The command `verify`: check certificates and say which of them hold.

Invariant: the process loads no solver, no encoder, no engine and no `Constraints`; a test looks at
the modules of a run.
"""

from __future__ import annotations

import argparse
from collections import Counter

from ..certificates.check import check_certificates
from ..certificates.proof import DEFAULT_BUDGET, external
from ..errors import SatdokuError
from . import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from .messages import complain


def verify(arguments: argparse.Namespace) -> int:
    """Check every certificate of every file; exit 1 if one is rejected, 2 if one is unreadable."""
    tools = () if arguments.no_external else external.available()
    code, verified, rejected = EXIT_DONE, 0, 0
    by: Counter[str] = Counter()
    for path in arguments.files:
        try:
            for finding in check_certificates(
                path, budget=arguments.budget or DEFAULT_BUDGET, tools=tools
            ):
                certificate = finding.entry.certificate
                what = f"{certificate.claim} {certificate.puzzle} {finding.entry.preamble.variant}"
                what = what.rstrip()
                if finding.reason:
                    rejected += 1
                    print(f"rejected {what}")
                    complain(f"{path}: line {finding.entry.line}: rejected: {finding.reason}")
                    continue
                verified += 1
                if proof := certificate.proof:
                    by.update(tool for tool in tools if external.reads(tool, proof.format))
                if not arguments.quiet:
                    print(f"verified {what}")
        except SatdokuError as error:
            complain(error)
            code = EXIT_BAD_INPUT
    also = "".join(f", {number:,} also by {tool}" for tool, number in by.items())
    if not arguments.quiet:
        complain(f"{verified:,} verified{also}, {rejected:,} rejected")
    return code or (EXIT_NO if rejected else EXIT_DONE)
