"""Commands that ask about single puzzles."""

from __future__ import annotations

import argparse

from .options import (
    Commands,
    add_backend,
    add_conflicts,
    add_encoding,
    add_format,
    add_pool,
    add_rules,
    add_time,
    command,
    positive,
)


def add_solve(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = command(commands, "solve", "print a solution of each puzzle")
    add_rules(parser)
    add_format(parser)
    add_conflicts(parser, "give up")
    parser.add_argument(
        "--dimacs-output",
        action="store_true",
        help="print s and v lines and exit 10 or 20; PUZZLE may also be any .cnf file",
    )
    add_encoding(parser)


def add_check(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = command(commands, "check", "say unique, multiple, none or invalid of each puzzle")
    add_rules(parser)
    add_backend(parser, " where there are many puzzles")
    add_conflicts(parser, "say unknown")


def add_count(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "count the solutions of each puzzle, or all grids under the rules"
    parser = command(commands, "count", summary, none="all grids under the rules")
    add_rules(parser)
    add_backend(parser, " for --limit 2 and many puzzles")
    parser.add_argument("--limit", type=positive, metavar="N", help="stop there and print >=N")
    parser.add_argument(
        "--exact",
        action="store_true",
        help="count by symmetry and search, not by listing (so is what has 5,000 solutions)",
    )
    parser.add_argument(
        "--counter",
        choices=("ganak", "approxmc"),
        help="ask this model counter instead (extra: pip install 'satdoku[count]')",
    )
    add_time(parser, None, "a lower bound")
    add_pool(parser)


def add_enumerate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = command(commands, "enumerate", "print all solutions of each puzzle")
    add_rules(parser)
    add_format(parser)
    add_encoding(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="stop after N solutions")


def add_candidates(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "print the true candidates: each cell's digits over all solutions"
    parser = command(commands, "candidates", summary)
    add_rules(parser)
    add_encoding(parser)


def add_propagate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = command(commands, "propagate", "print what unit propagation alone fixes")
    add_rules(parser, solver=False)
    add_encoding(parser)
    add_format(parser)


ADDS = (add_solve, add_check, add_count, add_enumerate, add_candidates, add_propagate)
