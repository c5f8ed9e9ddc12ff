"""Measure every encoding against every solver.

Invariant: bench measures and never repairs. It runs the public parts of satdoku; every answer is
checked outside the clock, in another process than the one that gave it; what was not measured is
left empty.

    instances                 puzzles with all their solutions known; is the answer right?
    tasks                     published examples, samples, and puzzles made from a seed
    cubes                     parallel search
    worker, runner            a measurement in a child that can be killed
    results                   the CSV
    selection                 which combinations are measured
    figures                   intervals; medians, PAR-2, who is quicker
    phases                    the points of the phase diagram
    plots, report             pictures, a page
    puzzles                   the folder puzzles/ of the repository, which the wheel takes along

What answers stands in `crosscheck.backends`.
"""
