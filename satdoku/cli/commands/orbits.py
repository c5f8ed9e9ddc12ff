"""The command `orbits`: the symmetries of the rules, and what they make equal."""

from __future__ import annotations

from contextlib import closing
from itertools import groupby
from typing import Any

from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.puzzle import Puzzle, Unreadable, of_cells
from ...runtime.limits import within
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from .. import options as opt
from ..answers import report
from ..inputs import asked_constraints, asked_puzzles
from ..output import note, show
from ..progress import terminal_bar

EXAMPLE = "satdoku orbits 1234341221434321 1234341223414123"


class Arguments(opt.Puzzles, opt.Rules, opt.Workers):
    puzzles = opt.argument(
        "PUZZLE",
        f"{opt.ARGUMENT_HELP}; without any: "
        "all grids under the rules: listed if few, else only counted",
        "*",
    )
    cells_only = opt.flag(help="permute cells, but not digits")
    canonical = opt.flag(help="print the canonical form of each puzzle instead")
    json = opt.json_option(
        "one object for the rules, or with --canonical one a line for each puzzle"
    )
    timeout = opt.timeout_option(
        "print a lower bound, or the group alone if grids are still being listed"
    )


def run(arguments: Arguments) -> int:
    """The group, then the classes of the grids with their sizes; or the canonical forms."""
    if not arguments.puzzles:
        with within(arguments.timeout):
            return _of_all_grids(arguments)
    code, good = EXIT_DONE, []
    for asked in asked_puzzles(arguments):
        if isinstance(asked, Unreadable):
            report(arguments, asked)
            code = EXIT_BAD_INPUT
        else:
            good.append(asked)
    for constraints, same in groupby(good, key=lambda asked: asked.constraints):
        _answer(arguments, list(same), constraints)
    return code


def _of_all_grids(arguments: Arguments) -> int:
    from ...counting.few_grids import FewGridsError, all_grids
    from ...runtime.errors import BudgetError

    constraints = asked_constraints(arguments)
    try:
        grids = all_grids(constraints)
    except (FewGridsError, BudgetError) as error:
        if isinstance(error, FewGridsError) and not arguments.canonical:
            return _counted(arguments, constraints)
        group = _group(constraints, digits=not arguments.cells_only)
        show(arguments, group["text"], rules=constraints.name, group=group)
        note(arguments, error)
        return EXIT_NO
    _answer(arguments, [of_cells(row.tobytes(), constraints) for row in grids], constraints)
    return EXIT_DONE


def _counted(arguments: Arguments, constraints: Constraints) -> int:
    """The number of classes alone, by Burnside's lemma; a bound if time runs out."""
    from ...counting.burnside import count_orbits

    group = _group(constraints, digits=not arguments.cells_only)
    with closing(terminal_bar(quiet=arguments.quiet, unit=" symmetries")) as bar:

        def told(done: int, total: int | None) -> None:
            bar.total = total
            bar.update(done - bar.n)

        found = count_orbits(
            constraints,
            digits=not arguments.cells_only,
            workers=arguments.workers_for(),
            timeout=arguments.timeout,
            progress=told,
        )
    grids = "not counted" if found.grids is None else found.grids
    show(
        arguments,
        f"{group['text']}\ngrids: {grids}, orbits: {found}",
        rules=constraints.name,
        group=group,
        grids=found.grids,
        orbit_count=found.orbits,
        kind="exact" if found.exact else "at least",
    )
    if not found.exact:
        done = sum(each.grids is not None for each in found.fixed)
        total = len(found.fixed)
        note(arguments, f"timed out after {arguments.timeout:g} s: {done} of {total} symmetries")
    return EXIT_DONE if found.exact else EXIT_NO


def _answer(arguments: Arguments, asked: list[Puzzle], constraints: Constraints) -> None:
    """Print the classes or the canonical forms of puzzles under the same constraints."""
    grids = [item.grid for item in asked]
    if not arguments.canonical:
        _show_classes(arguments, grids, constraints)
        return
    from ...symmetry import canonical

    forms = canonical(grids, constraints, digits=not arguments.cells_only)
    for item, form in zip(asked, forms, strict=True):
        text = str(Grid(form.tobytes(), constraints.board))
        show(arguments, text, item.record, canonical=text)


def _group(constraints: Constraints, *, digits: bool) -> dict[str, Any]:
    from ...symmetry import group

    symmetries = group(constraints, digits=digits)
    text = f"group of order {symmetries.order:,}: {symmetries}"
    return {"order": symmetries.order, "text": text}


def _show_classes(arguments: Arguments, grids: list[Grid], constraints: Constraints) -> None:
    """Of each class its first grid, how many of the grids are in it, and the automorphisms."""
    from ...symmetry import automorphisms, orbits

    digits = not arguments.cells_only
    group = _group(constraints, digits=digits)
    classes = orbits(grids, constraints, digits=digits)
    firsts = [grids[place] for place in classes.representatives.tolist()]
    fixing = automorphisms(firsts, constraints, digits=digits)
    lines = [
        {"size": size, "automorphisms": order, "first": str(first)}
        for first, size, order in zip(firsts, classes.sizes.tolist(), fixing, strict=True)
    ]
    table = "\n".join(
        [
            group["text"],
            f"grids: {len(grids)}, orbits: {len(firsts)}",
            "size  automorphisms  first",
            *("{size:4}  {automorphisms:13}  {first}".format(**line) for line in lines),
        ]
    )
    show(
        arguments,
        table,
        rules=constraints.name,
        group=group,
        grids=len(grids),
        orbit_count=len(lines),
        kind="exact",
        orbits=lines,
    )
