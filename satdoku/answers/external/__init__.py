"""Outside programs as solvers: started on a file, confined, their answers checked.

Invariant: a program is trusted only when it says that there is no solution; a solution counts if
the witness accepts it.

    program   a command line, run with limits; nothing of it is left when it ends
    forms     a puzzle in the words of an input language, and answers as cells
    solver    questions: `SolverCommand("kissat -q {cnf}").solve(puzzle)`
"""
