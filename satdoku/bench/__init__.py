"""The encodings lab: every way to say Sudoku against every solver, measured honestly.

Invariant: the lab measures and never repairs. What it runs are the public parts of the house; every
answer is validated outside the clock, in another process than the one that gave it; what was not
measured is left empty.

    instances, tasks, making  puzzles with all their solutions known
    backends                  whatever answers, behind one interface; a module a library
    cubes                     parallel search
    judge                     is the answer right?
    worker, runner            a measurement in a child that can be killed
    results                   the CSV
    selection                 which combinations are measured
    figures, plots, report    medians, PAR-2, pictures, a page
"""
