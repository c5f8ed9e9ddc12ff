"""Measure how fast puzzles are generated, and how uniform their grids are.

    python bench/generate.py speed [--repeat 3] [--count 2048]
    python bench/generate.py bound [--proposals 5000000]
    python bench/generate.py uniform [--count 20000]

speed: puzzles per second of processor time on one core, medians of the repeats; for comparison, a
CDCL session that tries one given after the other (`make_puzzles.py`). bound: how often a cross has
more grids than the bound in `generator.grids`, and what share of all grids is lost because of
this. uniform: for 6x6, the distribution of grids over the 49 classes, whose sizes are known
exactly, after 0, 1, 2 ... steps of a walk; for 9x9, the share of bands in which all boxes have the
same rows, as sets, in different orders. The exact method and the walk must agree on this share.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from make_puzzles import minimal_puzzle

from satdoku import Session, generate
from satdoku.generator.dice import Dice
from satdoku.generator.grids import (
    BOUND,
    MEAN,
    MOST_OF_CROSS,
    STEPS,
    classic_grids,
    thinned_crosses,
    walked_grids,
)
from satdoku.generator.oracle import Grids, completions
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import automorphisms, canonical, group

NINE = constraints_for("classic")
SIX = constraints_for("classic", Board.of_size(6))
PATTERN = "1." * 40 + "1"


def kinds() -> dict[str, tuple[int, dict[str, object]]]:
    """For each name, the divisor of --count and the arguments of `generate`."""
    return {
        "classic, minimal": (1, {}),
        "classic, 24-28 givens": (1, {"givens": (24, 28)}),
        "classic, rot180": (1, {"symmetry": "rot180"}),
        "classic, rot180, minimal": (32, {"symmetry": "rot180", "minimal": True}),
        "classic, chessboard pattern": (4, {"pattern": PATTERN}),
        "4x4": (1, {"size": 4}),
        "6x6": (1, {"size": 6}),
        "diagonal": (4, {"rules": "diagonal"}),
        "windoku": (8, {"rules": "windoku"}),
        "knight": (32, {"rules": "knight"}),
        "knight,king": (32, {"rules": "knight,king"}),
        "nonconsecutive": (32, {"rules": "nonconsecutive"}),
        "miracle": (1, {"rules": "miracle"}),
        "12x12": (128, {"size": 12}),
        "16x16": (1024, {"size": 16}),
    }


def rate(make: Callable[[int], object], count: int, repeat: int) -> float:
    """The median number of puzzles per second, without the work done once per rule set."""
    make(0)
    rates = []
    for seed in range(1, repeat + 1):
        start = time.process_time()
        make(seed)
        rates.append(count / (time.process_time() - start))
    return statistics.median(rates)


def speed(arguments: argparse.Namespace) -> None:
    for name, (part, asked) in kinds().items():
        count = max(2, arguments.count // part)
        made = rate(partial(_generate, count, asked), count, arguments.repeat)
        print(f"{name:30} {made:10,.1f}", flush=True)
    session = Session()

    def one_by_one(seed: int) -> None:
        generator = random.Random(seed)
        for _ in range(50):
            minimal_puzzle(generator, session)

    print(f"{'classic, minimal, by a session':30} {rate(one_by_one, 50, arguments.repeat):10,.1f}")


def _generate(count: int, asked: dict[str, object], seed: int) -> Grids:
    return generate(count, seed=seed, **asked)  # type: ignore[arg-type]


def bound(arguments: argparse.Namespace) -> None:
    dice = Dice(arguments.seed)
    total = lost = most = beyond = done = 0.0
    while done < arguments.proposals:
        puzzles, weights = thinned_crosses(16384, dice)
        found = completions(puzzles, NINE, 8 * MOST_OF_CROSS)
        assert not found.too_many.any()
        values = found.counts * weights
        kept = np.minimum(np.minimum(found.counts, MOST_OF_CROSS) * weights, BOUND)
        done += len(puzzles)
        total, lost = total + values.sum(), lost + (values - kept).sum()
        beyond, most = beyond + (values > BOUND).sum(), max(most, values.max())
    print(f"{done:,.0f} crosses: mean {total / done / MEAN:.5f} of what it should be, ", end="")
    print(f"{beyond:.0f} beyond the bound of {BOUND / MEAN:.1f} means, largest {most / MEAN:.1f}")
    print(f"share of grids lost: {lost / total:.2g}")


def uniform(arguments: argparse.Namespace) -> None:
    count, dice = arguments.count, Dice(arguments.seed)
    print("6x6: steps, chi-square (48 degrees of freedom) over the 49 classes")
    for steps in (0, 1, 2, 4, 8, STEPS):
        forms, seen = np.unique(
            canonical(walked_grids(count, SIX, dice, steps), SIX), axis=0, return_counts=True
        )
        sizes = group(SIX).order / np.array(automorphisms(forms, SIX))
        expected = sizes * (count / sizes.sum())
        print(f"{steps:4} {((seen - expected) ** 2 / expected).sum():10.1f}", flush=True)
        assert sizes.sum() == 28_200_960
    print("9x9: pure bands, per mille, and its standard error")
    error = 1000 * (0.036 * 0.964 / (3 * count)) ** 0.5
    print(f"exact {pure_bands(classic_grids(count, NINE, dice)):8.2f} +- {error:.2f}")
    for steps in (0, STEPS):
        grids = walked_grids(count // 4, NINE, dice, steps)
        print(f"walk of {steps:2} steps {pure_bands(grids):8.2f} +- {2 * error:.2f}", flush=True)


def pure_bands(grids: Grids) -> float:
    """How many bands per thousand have the same rows, as sets, in their first and second box."""
    bits = np.uint16(1) << grids.astype(np.uint16)
    rows = np.bitwise_or.reduce(bits.reshape(-1, 3, 3, 3, 3), axis=4)  # band, row, box
    pure = (rows[:, :, :1, 0] == rows[:, :, :, 1]).any(axis=2)
    return 1000 * float(pure.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("speed", "bound", "uniform"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--count", type=int, default=2048)
    parser.add_argument("--proposals", type=int, default=5_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    {"speed": speed, "bound": bound, "uniform": uniform}[arguments.what](arguments)


if __name__ == "__main__":
    main()
