"""Commands that measure and try the house itself."""

from __future__ import annotations

import argparse

from .options import (
    Commands,
    add_pool,
    add_rules,
    command,
    positive,
    seconds,
)


def add_bench(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "measure encodings and solvers against each other, or report what was measured"
    parser = command(commands, "bench", summary, puzzles=False)
    parser.epilog = (
        "Lists are comma-separated. Every measurement runs in a process of its own that is killed "
        "at\nits limits, and every answer is checked: exit code 1 if one was wrong. Rows that are "
        "in the\nresults already are not measured again."
    )
    parser.add_argument(
        "report", nargs="*", metavar="report FOLDER", help="tables, plots and a page of the results"
    )
    parser.add_argument("-o", "--output", default="results", metavar="FOLDER", help="(results)")
    parser.add_argument("--encodings", metavar="E,...", help="CNF encodings; boolean, integer, all")
    parser.add_argument(
        "--backends", metavar="B,...", help="PySAT's solvers, z3-..., cp-sat, clingo, pycosat"
    )
    parser.add_argument("--tasks", metavar="T,...", help="tasks of the lab, or files to sample")
    parser.add_argument(
        "--modes",
        metavar="M,...",
        help="oneshot, incremental, uniqueness, enumerate, candidates, parallel",
    )
    parser.add_argument("--quick", action="store_true", help="a selection of under a minute")
    parser.add_argument(
        "--sample", type=positive, metavar="N", help="puzzles of a sampled or generated task"
    )
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=5.0,
        metavar="S",
        help="for a measurement (default 5)",
    )
    parser.add_argument(
        "--memory", type=positive, default=4096, metavar="MB", help="for a process (default 4096)"
    )
    parser.add_argument("--repeat", type=positive, default=1, metavar="N", help="(default 1)")
    parser.add_argument("--seed", type=int, default=1, metavar="K", help="(default 1)")
    add_pool(parser, "measurements at a time (default 1: others disturb the times)", 1)


def add_fuzz(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "ask every backend about random puzzles under random rules, till two disagree"
    parser = command(commands, "fuzz", summary, puzzles=False)
    parser.epilog = (
        "A disagreement is shrunk and printed with the command that asks it again; exit code 1."
    )
    parser.add_argument("puzzle", nargs="?", metavar="PUZZLE", help="only this one, no random ones")
    parser.add_argument(
        "--seconds", type=seconds, default=10.0, metavar="N", help="how long (default 10)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="K", help="which random puzzles (default 0)"
    )
    parser.add_argument(
        "--backends",
        metavar="B,...",
        help="only these: solvers, encodings, SOLVER/ENCODING, Z3 models, engine-..., plain",
    )
    parser.add_argument("--cases", type=positive, metavar="N", help="stop after so many puzzles")
    parser.add_argument("-v", "--verbose", action="store_true", help="every case on stderr")
    group = parser.add_argument_group("with PUZZLE")
    group.add_argument(
        "--limit", type=positive, metavar="N", help="solutions to compare (default 10)"
    )
    group.add_argument("--box", metavar="RxC", help="rows and columns of a box, such as 3x2")
    add_rules(group, solver=False)


ADDS = (add_bench, add_fuzz)
