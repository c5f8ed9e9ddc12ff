"""The command `verify`: check certificates and say which of them hold.

Invariant: the process loads no solver, no encoder, no engine and no `Constraints`; a test looks at
the modules of a run.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...runtime.errors import SatdokuError, shown
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from ..options import (
    Workers,
    argument,
    flag,
    json_option,
    option,
    positive,
    quiet_option,
    rows_from_to,
)
from ..output import note, say, show, verdict

if TYPE_CHECKING:
    from ...certificates.check import Finding
    from ...certificates.check_trees import Told
    from ...certificates.tree.files import Head

VERIFIED, REJECTED, UNREADABLE = "verified", "rejected", "unreadable"

EXAMPLE = "satdoku certify 1.....2....3.4.. | satdoku verify -"


class Arguments(Workers):
    files = argument("CERT", "file that `certify` wrote, or -", "+")
    budget = option(
        type=positive,
        metavar="N",
        help="reject a proof whose check visits more than N clauses (default 2,000,000,000)",
    )
    row = option(
        type=rows_from_to,
        metavar="N[-M]",
        help="check row N of proof trees alone, or N to M, and print their trees",
    )
    no_external = flag(
        help="do not run drat-trim, lrat-check and cake_lpr, even if they are installed"
    )
    json = json_option("one object a line for each certificate")
    quiet = quiet_option("no line for a verified certificate, no remarks")


def run(arguments: Arguments) -> int:
    """Check every certificate of every file; exit 1 if one is rejected, 2 if one is unreadable."""
    from ...certificates.proof import external

    tools = () if arguments.no_external else external.available()
    counts: Counter[str] = Counter()
    for path in arguments.files:
        try:
            _verify(arguments, path, tools, counts)
        except SatdokuError as error:
            _refuse(error, counts)
    also = "".join(f", {counts[tool]:,} also by {tool}" for tool in tools if counts[tool])
    verified, rejected = counts[VERIFIED], counts[REJECTED]
    faults = f", {counts[UNREADABLE]:,} unreadable" if counts[UNREADABLE] else ""
    note(arguments, f"{verified:,} verified{also}, {rejected:,} rejected{faults}")
    if counts[UNREADABLE]:
        return EXIT_BAD_INPUT
    return EXIT_NO if rejected else EXIT_DONE


def _refuse(error: SatdokuError, counts: Counter[str]) -> None:
    """Say what is wrong with a file or one of its lines."""
    counts[UNREADABLE] += 1
    say(error)


def _verify(arguments: Arguments, path: str, tools: tuple[str, ...], counts: Counter[str]) -> None:
    """Check a file and count its verdicts, and the proofs that each tool checked as well."""
    from ...certificates.check import check_certificates
    from ...certificates.check_trees import holds_trees
    from ...certificates.proof import DEFAULT_BUDGET, external

    if holds_trees(path):
        (_verify_rows if arguments.row else _verify_trees)(arguments, path, counts)
        return
    if arguments.row:
        raise SatdokuError(f"{path}: --row is for files of proof trees")
    budget = arguments.budget or DEFAULT_BUDGET
    findings = check_certificates(
        path, budget=budget, tools=tools, on_error=lambda error: _refuse(error, counts)
    )
    for finding in findings:
        counts[REJECTED if finding.reason else VERIFIED] += 1
        _show(arguments, path, finding)
        proof = finding.entry.certificate.proof
        if proof and not finding.reason:
            counts.update(tool for tool in tools if external.reads(tool, proof.format))


def _verify_trees(arguments: Arguments, path: str, counts: Counter[str]) -> None:
    """Check a file of proof trees; one line tells of all rows that hold."""
    from ...certificates.check_trees import check_trees
    from ...certificates.proof import DEFAULT_BUDGET
    from ...certificates.tree.rows import UNREAD

    budget, workers = arguments.budget or DEFAULT_BUDGET, arguments.workers_for()
    verified: Counter[str] = Counter()
    for first, checked in check_trees(path, budget=budget, workers=workers):
        verified += checked.verified
        counts[REJECTED] += len(checked.rejected)
        for at, reason in sorted(checked.rejected.items()):
            say(f"{path}: row {first + at}: rejected: {reason}")
    counts[VERIFIED] += sum(verified.values()) - verified[UNREAD]
    if not arguments.quiet:
        told = ", ".join(f"{count:,} {claim}" for claim, count in sorted(verified.items()))
        line = f"{verdict(VERIFIED)} {told or 'no row'}"
        show(arguments, line, file=path, status=VERIFIED, rows=dict(verified))


def _verify_rows(arguments: Arguments, path: str, counts: Counter[str]) -> None:
    """Check the rows that are asked for, and print what they say."""
    from ...certificates.check_trees import check_rows
    from ...certificates.proof import DEFAULT_BUDGET

    assert arguments.row is not None
    budget = arguments.budget or DEFAULT_BUDGET
    for head, told in check_rows(path, *arguments.row, budget=budget):
        counts[_status(told)] += 1
        if told.reason:
            say(f"{path}: row {told.number}: rejected: {told.reason}")
        if told.reason or not arguments.quiet:
            _show_row(arguments, path, head, told)


def _status(told: Told) -> str:
    from ...certificates.tree.rows import NO_CLAIM, UNREAD

    if told.reason:
        return REJECTED
    return UNREAD if told.row.claim == NO_CLAIM else VERIFIED


def _show_row(arguments: Arguments, path: str, head: Head, told: Told) -> None:
    """A row with its tree."""
    from ...certificates.fields import solution_text
    from ...certificates.tree.rows import UNREAD, claim_of
    from ...certificates.walk_trees import steps_of
    from ...model.grid import Grid, format_line

    status, row = _status(told), told.row
    puzzle = format_line(Grid(row.puzzle, head.board))
    solutions = [solution_text(Grid(digits, head.board)) for digits in row.solutions]
    claim = claim_of(row.claim)
    steps = [] if told.reason else steps_of(row, head.board, head.rules, head.sums)
    lines = [f"{verdict(status)} row {told.number}: {claim} {shown(puzzle)}"]
    if status == UNREAD:
        lines = [f"row {told.number}: {UNREAD}, nothing is claimed"]
    lines += [f"solution {shown(text)}" for text in solutions]
    lines += ["  " * step.depth + f"{step.text}" for step in steps]
    show(
        arguments, "\n".join(lines), file=path, row=told.number, status=status, claim=claim,
        puzzle=puzzle, solutions=solutions, tree=row.tree.hex(),
        steps=[step._asdict() for step in steps],
        **({"reason": told.reason} if told.reason else {}),
    )  # fmt: skip


def _show(arguments: Arguments, path: str, finding: Finding) -> None:
    """The line of a certificate; the reason of a rejected one on stderr."""
    certificate, preamble = finding.entry.certificate, finding.entry.preamble
    status = REJECTED if finding.reason else VERIFIED
    if finding.reason:
        say(f"{path}: line {finding.entry.line}: rejected: {finding.reason}")
    if finding.reason or not arguments.quiet:
        what = f"{certificate.claim} {certificate.puzzle} {preamble.variant}".rstrip()
        show(
            arguments, f"{verdict(status)} {shown(what)}", file=path, line=finding.entry.line,
            puzzle=str(certificate.puzzle), rules=preamble.variant, claim=certificate.claim,
            status=status, **({"reason": finding.reason} if finding.reason else {}),
        )  # fmt: skip
