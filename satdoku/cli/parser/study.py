"""Commands that explain, make and study puzzles."""

from __future__ import annotations

import argparse

from .options import (
    Commands,
    add_data_and_limit,
    add_output,
    add_pool,
    add_rules,
    add_time,
    command,
    positive,
)


def add_explain(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "say why: a contradiction, the next step, all steps, or what forces a cell"
    parser = command(commands, "explain", summary)
    add_rules(parser, solver=False)
    parser.add_argument("--steps", action="store_true", help="the whole solution, step by step")
    parser.add_argument(
        "--cell",
        metavar="r1c1",
        help="what forces this cell's digit; with --steps: the steps that lead to it",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="draw it too: .svg, or .png (extra: pip install 'satdoku[png]'), with --steps one a "
        "step, OUT-001 and so on; - for text below the words",
    )
    add_data_and_limit(
        parser,
        "no further step; conflicts and reasons of a cell as far as they are found, and said to be "
        "larger than need be if that is not excluded (default: 10; none for steps)",
    )


def add_rate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = command(commands, "rate", "say how hard each puzzle is, by its explanations")
    add_rules(parser, solver=False)
    add_data_and_limit(parser, "rate by the steps so far, as a lower bound (default: none)")


def add_fewest(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "find the fewest givens of a grid that still have it as only solution, with proof"
    parser = command(commands, "fewest", summary, none="of any grid under rules with few")
    add_rules(parser, solver=False)
    parser.add_argument(
        "--givens",
        type=positive,
        metavar="K",
        help="stop when it is known whether K are enough; with no PUZZLE: count those with K",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")
    add_time(parser, 60.0, "bounds, for each puzzle")
    add_pool(parser)


def add_orbits(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "print the symmetry group of the rules and the classes of grids or puzzles under it"
    parser = command(commands, "orbits", summary, none="all grids under rules with few")
    add_rules(parser, solver=False)
    parser.add_argument(
        "--cells-only", action="store_true", help="move cells, but rename no digits"
    )
    parser.add_argument(
        "--canonical", action="store_true", help="print each puzzle's canonical form instead"
    )
    add_time(parser, None, "the group alone, where the grids are not all listed")


def add_generate(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "make random puzzles with one solution"
    parser = command(commands, "generate", summary, puzzles=False)
    parser.description = (
        "Make random puzzles with one solution: a random grid, then givens taken away in random "
        "order\nas long as the solution stays unique. The same seed gives the same puzzles "
        "everywhere, and the\nfirst of more."
    )
    parser.add_argument("-n", type=positive, default=1, metavar="N", help="how many (default 1)")
    add_rules(parser, solver=False)
    parser.add_argument(
        "--seed", type=int, metavar="K", help="0 or more (default: a random one, told on stderr)"
    )
    parser.add_argument(
        "--givens",
        metavar="LO-HI",
        help="leave so many givens: each puzzle aims at a number between, all alike likely "
        "(default: as few as it comes to)",
    )
    parser.add_argument(
        "--minimal",
        action="store_true",
        help="only puzzles without a given that could go (without --givens, --symmetry and "
        "--pattern all are)",
    )
    parser.add_argument(
        "--symmetry",
        default="none",
        metavar="S",
        help="of the pattern of givens: rot180, rot90, mirror (left-right), flip (up-down), "
        "diagonal, antidiagonal, mirrors, diagonals, full (default none)",
    )
    parser.add_argument(
        "--pattern",
        metavar="MASK",
        help="givens at these cells and no others: text or file, a character a cell, . for empty",
    )
    parser.add_argument(
        "--tries",
        type=positive,
        metavar="T",
        help="puzzles begun for each that is wanted, before giving up (default 1,000; with "
        "--pattern 1,000,000)",
    )
    add_output(parser)
    add_pool(parser, "processes (default: one a core)", silent="no progress, no summary")


def add_minimize(commands: Commands[argparse.ArgumentParser]) -> None:
    summary = "take givens away, in random order, until none can go"
    parser = command(commands, "minimize", summary)
    add_rules(parser, solver=False)
    parser.add_argument("--seed", type=int, default=0, metavar="K", help="0 or more (default 0)")


ADDS = (add_explain, add_rate, add_fewest, add_orbits, add_generate, add_minimize)
