"""Measure every encoding against every solver.

Invariant: bench measures and never repairs. It runs the public parts of satdoku; every answer is
checked outside the clock, in another process than the one that gave it; what was not measured is
left empty.

    instances, tasks, making  puzzles with all their solutions known
    cubes                     parallel search
    judge                     is the answer right?
    worker, runner            a measurement in a child that can be killed
    results                   the CSV
    selection                 which combinations are measured
    bootstrap, figures        intervals; medians, PAR-2, who is quicker
    phases                    the phase diagram: points and their picture
    pictures, plots, report   pictures, a page
    puzzles                   the folder puzzles/ of the repository, which the wheel takes along

What answers stands in `crosscheck.backends`.
"""
