"""Commands for other tools, and about what satdoku knows."""

from __future__ import annotations

import argparse

from .options import (
    EPILOG,
    Commands,
    add_encoding,
    add_format,
    add_output,
    add_rules,
    add_time,
    command,
    positive,
)


def add_certify(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "write certificates: a solution and the proof that there is no other"
    parser = command(commands, "certify", summary)
    add_output(parser, "file (.gz, .xz ... compress), or folder for one file a puzzle")
    add_rules(parser)
    parser.add_argument(
        "--all", action="store_true", help="all solutions, and the proof that there is no further"
    )
    parser.add_argument(
        "--lrat", action="store_true", help="proofs with hints (LRAT), for verified checkers"
    )
    parser.add_argument(
        "--plain", metavar="DIR", help="also N.cnf and N.drat or N.lrat for other tools"
    )


def add_verify(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "check certificates without any solver"
    parser = command(commands, "verify", summary, puzzles=False)
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


def add_export(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "write a puzzle, or bare rules, for other solvers"
    parser = command(commands, "export", summary, puzzles=False)
    parser.epilog = EPILOG
    parser.add_argument("puzzle", nargs="?", metavar="PUZZLE", help="text, file or -; none: rules")
    add_output(parser)
    add_rules(parser, solver=False)
    parser.add_argument(
        "-f",
        "--format",
        choices=("dimacs", "smtlib2", "fpuzzles"),
        default="dimacs",
        help="dimacs: CNF (default); smtlib2: integers; fpuzzles: a link",
    )
    add_encoding(parser)


def add_decode(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "turn another solver's output (s and v lines, or SMT values) back into a grid"
    parser = command(commands, "decode", summary, puzzles=False)
    parser.add_argument("answer", metavar="OUTPUT", help="the solver's output: file or -")
    parser.add_argument("--cnf", metavar="FILE", help="the CNF that `export` wrote")
    parser.add_argument("--puzzle", metavar="PUZZLE", help="the puzzle, where there is no --cnf")
    add_encoding(parser)
    add_rules(parser, solver=False)
    add_format(parser)


def add_render(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = command(commands, "render", "draw a puzzle: SVG, PNG or text", puzzles=False)
    parser.epilog = EPILOG
    parser.add_argument("puzzle", metavar="PUZZLE", help="text, link, file or -")
    add_output(parser, "file: .svg, or .png (extra: pip install 'satdoku[png]'), or text")
    parser.add_argument("--solve", action="store_true", help="with a solution, in another colour")
    parser.add_argument(
        "--candidates",
        action="store_true",
        help="with pencil marks: the digits that no given excludes",
    )
    add_rules(parser, solver=False)


def add_crosscheck(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = command(commands, "crosscheck", "ask every backend and witness; they must agree")
    add_rules(parser, solver=False)
    parser.add_argument(
        "--witnesses", metavar="W,...", help="only these (default: every solver, every Z3 model)"
    )
    parser.add_argument(
        "--limit", type=positive, default=2, metavar="N", help="solutions to compare (default 2)"
    )
    add_time(parser, 60.0, "unknown, for each Z3 call")


def add_rules_command(commands: Commands[argparse.ArgumentParser]) -> None:
    command(commands, "rules", "list the rules", puzzles=False)


def add_encodings(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "list the CNF encodings with their numbers of variables and clauses"
    parser = command(commands, "encodings", summary, puzzles=False)
    parser.add_argument(
        "puzzle", nargs="?", metavar="PUZZLE", help="count for this board, `reduced` by its givens"
    )
    parser.add_argument(
        "--encodings",
        default="all",
        metavar="E,...",
        help="only these: names, or boolean, integer (default all)",
    )
    add_rules(parser, solver=False)


ADDS = (
    add_certify, add_verify, add_export, add_decode, add_render, add_crosscheck, add_rules_command,
    add_encodings,
)  # fmt: skip
