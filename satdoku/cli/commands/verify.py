"""The command `verify`: check certificates and say which of them hold.

Invariant: the process loads no solver, no encoder, no engine and no `Constraints`; a test looks at
the modules of a run.
"""

from __future__ import annotations

import argparse
from collections import Counter

from ...errors import SatdokuError
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from ..options import positive
from ..output import say

EXAMPLE = "satdoku certify 1.....2....3.4.. | satdoku verify -"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="CERT", help="file that `certify` wrote, or -")
    parser.add_argument(
        "--budget",
        type=positive,
        metavar="N",
        help="reject a proof whose check visits more clauses than this (default 2,000,000,000)",
    )
    parser.add_argument(
        "--no-external",
        action="store_true",
        help="do not ask drat-trim, lrat-check and cake_lpr where they are on the PATH",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="only what is rejected")


def run(arguments: argparse.Namespace) -> int:
    """Check every certificate of every file; exit 1 if one is rejected, 2 if one is unreadable."""
    from ...certificates.check import check_certificates
    from ...certificates.proof import DEFAULT_BUDGET, external

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
                    say(f"{path}: line {finding.entry.line}: rejected: {finding.reason}")
                    continue
                verified += 1
                if proof := certificate.proof:
                    by.update(tool for tool in tools if external.reads(tool, proof.format))
                if not arguments.quiet:
                    print(f"verified {what}")
        except SatdokuError as error:
            say(error)
            code = EXIT_BAD_INPUT
    also = "".join(f", {number:,} also by {tool}" for tool, number in by.items())
    if not arguments.quiet:
        say(f"{verified:,} verified{also}, {rejected:,} rejected")
    return code or (EXIT_NO if rejected else EXIT_DONE)
