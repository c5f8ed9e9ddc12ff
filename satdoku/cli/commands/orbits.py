"""The command `orbits`: the symmetries of the rules, and what they make equal."""

from __future__ import annotations

import argparse
from itertools import groupby
from typing import TYPE_CHECKING

from ...model.constraints import Constraints
from ...model.grid import Grid, GridError, format_line
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from ..inputs import asked_constraints, asked_puzzles
from ..options import add_puzzles, add_rules, add_time
from ..output import say

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Cells = NDArray[np.uint8]


EXAMPLE = "satdoku orbits 1234341221434321 1234341223414123"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser, none="all grids under rules with few")
    add_rules(parser, solver=False)
    parser.add_argument(
        "--cells-only", action="store_true", help="move cells, but rename no digits"
    )
    parser.add_argument(
        "--canonical", action="store_true", help="print each puzzle's canonical form instead"
    )
    add_time(parser, None, "the group alone, where the grids are not all listed")


def run(arguments: argparse.Namespace) -> int:
    """The group, then the classes of the grids with their sizes; or the canonical forms."""
    import numpy as np

    from ...counting.few_grids import FewGridsError, all_grids
    from ...sat.solver import BudgetError

    show = _show_forms if arguments.canonical else _show_classes
    if not arguments.puzzles:
        constraints = asked_constraints(arguments)
        try:
            grids = all_grids(constraints, timeout=arguments.timeout)
        except (FewGridsError, BudgetError) as error:
            print(_group(constraints, digits=not arguments.cells_only))
            say(error)
            return EXIT_NO
        show(grids, constraints, digits=not arguments.cells_only)
        return EXIT_DONE
    code, good = EXIT_DONE, []
    for question in asked_puzzles(arguments):
        if isinstance(question, GridError):
            say(question)
            code = EXIT_BAD_INPUT
        else:
            good.append(question)
    for constraints, same in groupby(good, key=lambda question: question.constraints):
        cells = np.frombuffer(b"".join(question.grid.cells for question in same), np.uint8)
        show(
            cells.reshape(-1, constraints.board.cells), constraints, digits=not arguments.cells_only
        )
    return code


def _show_forms(grids: Cells, constraints: Constraints, *, digits: bool) -> None:
    from ...symmetry import canonical

    for form in canonical(grids, constraints, digits=digits):
        print(format_line(Grid(form.tobytes(), constraints.board)))


def _group(constraints: Constraints, *, digits: bool) -> str:
    from ...symmetry import group

    symmetries = group(constraints, digits=digits)
    return f"group of order {symmetries.order:,}: {symmetries}"


def _show_classes(grids: Cells, constraints: Constraints, *, digits: bool) -> None:
    """Of each class its first grid, how many of the grids are in it, and the automorphisms."""
    from ...symmetry import automorphisms
    from ...symmetry import orbits as orbits_of

    print(_group(constraints, digits=digits))
    classes = orbits_of(grids, constraints, digits=digits)
    firsts = grids[classes.representatives]
    fixing = automorphisms(firsts, constraints, digits=digits)
    print(f"grids: {len(grids)}, orbits: {len(firsts)}")
    print("size  automorphisms  first")
    for first, size, order in zip(firsts, classes.sizes.tolist(), fixing, strict=True):
        print(f"{size:4}  {order:13}  {format_line(Grid(first.tobytes(), constraints.board))}")
