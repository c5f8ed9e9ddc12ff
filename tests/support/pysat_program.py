"""A program that speaks as solvers of the SAT competition do, for tests; PySAT answers.

With a second file name it prints nothing but writes the answer there, as MiniSat does.
"""

import sys

from pysat.formula import CNF
from pysat.solvers import Solver

path, *answers = sys.argv[1:]
with Solver("glucose4", bootstrap_with=CNF(from_file=path)) as solver:
    sat = solver.solve()
    values = " ".join(map(str, (*(solver.get_model() or ()), 0)))
if answers:
    text = f"SAT\n{values}\n" if sat else "UNSAT\n"
    with open(answers[0], "w") as stream:
        stream.write(text)
else:
    print("c a test double")
    print(f"s SATISFIABLE\nv {values}" if sat else "s UNSATISFIABLE")
sys.exit(10 if sat else 20)
